/* SPDX-License-Identifier: MIT */
#include "lecture/lecture.h"

#include <cmark.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/utf8.h"

/* A lecture file while it is read. */
struct reader {
	struct lecture *lecture;
	struct lecture_scene *scene; /* the last scene; NULL: no heading yet */
	size_t cap;		     /* capacity of the scenes */
	FILE *notes;		     /* notes of the last scene */
	char *notes_text;
	size_t notes_size;
	bool early; /* There is text before the first heading. */
	const char *name;
	char *error;
	size_t size;
};

/* Writes an error in one line: the file, the line number, the fault and the remedy. */
__attribute__((format(printf, 3, 4))) static int
refuse_block(const struct reader *reader, unsigned line, const char *format, ...)
{
	char what[256];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	return error_line(reader->error, reader->size, -EINVAL, "%s:%u: %s", reader->name, line,
			  what);
}

static int no_memory(const struct reader *reader)
{
	return error_line(reader->error, reader->size, -ENOMEM, "%s: out of memory", reader->name);
}

static unsigned line_of(cmark_node *node)
{
	return (unsigned)cmark_node_get_start_line(node);
}

enum { LECTURE_INDENT = 2, INDENT_MOST = 8, CODE_INDENT = 4 };

/* The text of one block while it is written. */
struct text {
	FILE *to;
	int depth;  /* depth of nested lists */
	bool begun; /* the item already has a line */
	bool item;  /* the mark of an item was written, but not its text */
};

/*
 * Writes text of a file, which may have any bytes: a tab or newline becomes a blank, other control
 * characters become '?'.
 */
static void write_masked(const struct text *text, const char *from, size_t n)
{
	char *copy = strndup(from, n);

	if (!copy)
		return;
	for (char *c = copy; *c; c++)
		if (*c == '\t' || *c == '\n' || *c == '\r')
			*c = ' ';
	utf8_mask(copy);
	fputs(copy, text->to);
	free(copy);
}

static int indent(const struct text *text)
{
	int depth = MIN(text->depth, INDENT_MOST);

	if (depth > 0)
		return (depth - 1) * LECTURE_INDENT;
	return 0;
}

/* Starts a line. A paragraph has an empty line before it, a list item has none. */
static void begin_line(struct text *text)
{
	if (text->item) {
		text->item = false;
		return;
	}
	if (text->begun)
		fputs(text->depth ? "\n" : "\n\n", text->to);
	fprintf(text->to, "%*s", text->depth ? indent(text) + LECTURE_INDENT : 0, "");
	text->begun = true;
}

static void write_node(struct text *text, cmark_node *node)
{
	const char *literal = cmark_node_get_literal(node), *separator = "";
	cmark_node *list;
	int number;
	size_t n;

	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_LIST:
		text->depth++;
		break;
	case CMARK_NODE_ITEM:
		list = cmark_node_parent(node);
		number = cmark_node_get_list_start(list);
		fprintf(text->to, "%s%*s", text->begun ? "\n" : "", indent(text), "");
		if (cmark_node_get_list_type(list) == CMARK_ORDERED_LIST)
			fprintf(text->to, "%d. ", number);
		else
			fputs("- ", text->to);
		/*
		 * Store the number of the list's next item as the list's start, which no other code
		 * reads.
		 */
		cmark_node_set_list_start(list, number + 1);
		text->begun = text->item = true;
		break;
	case CMARK_NODE_PARAGRAPH:
	case CMARK_NODE_HEADING:
		begin_line(text);
		break;
	case CMARK_NODE_CODE_BLOCK:
		begin_line(text);
		for (; *literal; literal += n + (literal[n] == '\n')) {
			n = strcspn(literal, "\n");
			fprintf(text->to, "%s%*s", separator, indent(text) + CODE_INDENT, "");
			write_masked(text, literal, n);
			separator = "\n";
		}
		break;
	case CMARK_NODE_TEXT:
	case CMARK_NODE_CODE:
		write_masked(text, literal, strlen(literal));
		break;
	case CMARK_NODE_SOFTBREAK:
	case CMARK_NODE_LINEBREAK:
		fputs(" ", text->to);
		break;
	default: /* Leave out HTML, because only a browser shows it. */
		break;
	}
}

/* Writes a block's content as plain text, without control characters except newlines. */
static void write_block_text(FILE *to, cmark_node *block)
{
	struct text text = {.to = to};
	cmark_iter *iter = cmark_iter_new(block);
	cmark_event_type event;

	while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
		cmark_node *node = cmark_iter_get_node(iter);

		if (event == CMARK_EVENT_ENTER)
			write_node(&text, node);
		else if (cmark_node_get_type(node) == CMARK_NODE_LIST)
			text.depth--;
	}
	cmark_iter_free(iter);
}

/* Returns a block's text, translated to the user's language; NULL if there is no memory. */
static char *block_text(cmark_node *block)
{
	char *text = NULL, *translated;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	write_block_text(to, block);
	if (fclose(to))
		return NULL;
	translated = strdup(sentence_translated(text));
	free(text);
	if (translated)
		utf8_mask(translated);
	return translated;
}

/* Ends the scene. A missing part of it becomes an empty text. */
static int end_scene(struct reader *reader)
{
	struct lecture_scene *scene = reader->scene;

	if (!scene)
		return 0;
	if (reader->notes && fclose(reader->notes) == 0)
		scene->notes = reader->notes_text;
	reader->notes = NULL;
	if (!scene->caption)
		scene->caption = strdup("");
	if (!scene->command)
		scene->command = strdup("");
	if (scene->notes && scene->caption && scene->command)
		return 0;
	return no_memory(reader);
}

static int begin_scene(struct reader *reader, cmark_node *heading)
{
	struct lecture *lecture = reader->lecture;

	if (!array_grow(&lecture->scenes, lecture->n, &reader->cap, sizeof(*reader->scene)))
		return no_memory(reader);
	if (lecture->n == LECTURE_SCENES)
		return refuse_block(reader, line_of(heading),
				    "too many scenes; a lecture can have %d", LECTURE_SCENES);
	reader->scene = &lecture->scenes[lecture->n++];
	*reader->scene = (struct lecture_scene) {
		.heading = block_text(heading),
		.line = line_of(heading),
	};
	reader->notes = open_memstream(&reader->notes_text, &reader->notes_size);
	if (!reader->scene->heading || !reader->notes)
		return no_memory(reader);
	if (!*reader->scene->heading)
		return refuse_block(reader, line_of(heading),
				    "a heading without text; it names a scene");
	return 0;
}

static bool is_command(cmark_node *block)
{
	static const char word[] = "tuibench";
	const char *info;
	size_t n = sizeof(word) - 1;

	if (cmark_node_get_type(block) != CMARK_NODE_CODE_BLOCK)
		return false;
	info = cmark_node_get_fence_info(block);
	return info && strncmp(info, word, n) == 0 && (info[n] == '\0' || info[n] == ' ');
}

/*
 * Sets the command: the only line of the block that is not blank, trimmed. The program's name is
 * added if it is missing. A tab becomes a blank, other control characters become '?'.
 */
static int set_command(struct reader *reader, cmark_node *block)
{
	struct lecture_scene *scene = reader->scene;
	const char *from = cmark_node_get_literal(block);
	char line[LECTURE_COMMAND + 1] = "";
	unsigned number = line_of(block);
	bool named;
	size_t n;
	int err = 0;

	if (scene->command)
		return refuse_block(
			reader, line_of(block),
			"a second tuibench block in one scene; begin another scene with a heading");
	for (; *from; from += n + (from[n] == '\n')) {
		size_t blank = strspn(from, " \t");

		n = strcspn(from, "\n");
		number++;
		if (blank >= n)
			continue;
		if (*line) {
			err = refuse_block(reader, number,
					   "a second command; a tuibench block has one line");
			break;
		}
		if (n - blank >= sizeof(line))
			return refuse_block(reader, number,
					    "the command has %zu bytes; at most %zu are allowed",
					    n - blank, sizeof(line) - 1);
		snprintf(line, sizeof(line), "%.*s", (int)(n - blank), from + blank);
		scene->line = number;
	}
	if (!*line)
		return refuse_block(reader, line_of(block),
				    "a tuibench block without a command; write one line, such as "
				    "tuibench hello");
	n = strcspn(line, "\r");
	while (n > 0 && strchr(" \t", line[n - 1]))
		n--;
	line[n] = '\0';
	for (char *tab = line; (tab = strchr(tab, '\t'));)
		*tab = ' ';
	utf8_mask(line);
	named = strncmp(line, "tuibench", 8) == 0 && (line[8] == ' ' || line[8] == '\0');
	if (asprintf(&scene->command, "%s%s", named ? "" : "tuibench ", line) < 0)
		scene->command = NULL;
	if (scene->command)
		return err;
	return no_memory(reader);
}

static int add_block(struct reader *reader, cmark_node *block)
{
	cmark_node_type type = cmark_node_get_type(block);
	cmark_node *nested = NULL;
	cmark_iter *iter;
	int err;

	if (type == CMARK_NODE_HEADING) {
		err = end_scene(reader);
		if (err)
			return err;
		return begin_scene(reader, block);
	}
	if (type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_THEMATIC_BREAK)
		return 0;
	if (!reader->scene && reader->early)
		return 0;
	reader->early = !reader->scene;
	if (!reader->scene)
		return refuse_block(
			reader, line_of(block),
			"text before the first heading; begin a scene with a heading, \"# Title\"");
	if (is_command(block))
		return set_command(reader, block);
	/* Refuse a command within a list or a quotation, because it would not be run. */
	iter = cmark_iter_new(block);
	while (!nested && cmark_iter_next(iter) != CMARK_EVENT_DONE)
		if (is_command(cmark_iter_get_node(iter)))
			nested = cmark_iter_get_node(iter);
	cmark_iter_free(iter);
	if (nested)
		return refuse_block(reader, line_of(nested),
				    "a tuibench block in a list or quotation does not run; begin "
				    "it at the left margin");
	if (type == CMARK_NODE_CODE_BLOCK && reader->scene->other_line == 0) {
		const char *info = cmark_node_get_fence_info(block);

		snprintf(reader->scene->other, sizeof(reader->scene->other), "%.*s",
			 info ? (int)strcspn(info, " ") : 0, sentence_text(info, ""));
		utf8_mask(reader->scene->other);
		reader->scene->other_line = line_of(block);
	}
	/* The first paragraph is the caption. */
	if (!reader->scene->caption && type == CMARK_NODE_PARAGRAPH) {
		reader->scene->caption = block_text(block);
		if (reader->scene->caption)
			return 0;
		return no_memory(reader);
	}
	if (ftell(reader->notes) > 0)
		fputs("\n\n", reader->notes);
	write_block_text(reader->notes, block);
	return 0;
}

/* The front matter of the lecture; a missing value is "". */
struct matter {
	char title[256], author[256];
};

static bool is_fence(const char *line)
{
	size_t n = strcspn(line, "\n");

	while (n > 3 && strchr(" \t\r", line[n - 1]))
		n--;
	return n == 3 && (strncmp(line, "---", 3) == 0 || strncmp(line, "...", 3) == 0);
}

/* Takes the value of "key: value", without quotes and without the brackets of a list. */
static void take_value(const char *line, const char *key, char *value, size_t size)
{
	static const char around[] = " \t\r\"'[]";
	size_t length = strlen(key), n = strcspn(line, "\n");

	if (n <= length || strncmp(line, key, length) != 0 || line[length] != ':')
		return;
	line += length + 1;
	n -= length + 1;
	while (n > 0 && strchr(around, *line)) {
		line++;
		n--;
	}
	while (n > 0 && strchr(around, line[n - 1]))
		n--;
	snprintf(value, size, "%.*s", (int)n, line);
	utf8_trim(value);
	utf8_mask(value);
}

/*
 * Front matter is YAML between two lines of dashes at the start, as in pandoc, Jekyll and
 * reveal.js. Reads its title and author, then replaces the front matter by blanks, so that line
 * numbers stay right.
 */
static void take_front_matter(char *text, struct matter *matter)
{
	static const char mark[] = "\xef\xbb\xbf"; /* byte order mark */
	char *begin = text + (strncmp(text, mark, 3) == 0 ? 3 : 0), *line = strchr(begin, '\n');

	if (strncmp(begin, "---", 3) != 0 || !is_fence(begin))
		return;
	while (line && !is_fence(line + 1))
		line = strchr(line + 1, '\n');
	if (!line)
		return;
	for (const char *at = begin; at < line; at = strchr(at, '\n') + 1) {
		take_value(at, "title", matter->title, sizeof(matter->title));
		take_value(at, "author", matter->author, sizeof(matter->author));
	}
	for (char *c = begin; c < line + 4; c++) {
		if (*c == '\n')
			*c = '\n';
		else
			*c = ' ';
	}
}

/*
 * Returns a title such as "Threads (Ada Lovelace)". If the front matter has no title, uses the
 * first heading.
 */
static char *lecture_title(const struct lecture *lecture, const struct matter *matter)
{
	const char *title = sentence_text(matter->title, lecture->scenes[0].heading);
	char *text;

	if (!*matter->author)
		return strdup(title);
	if (asprintf(&text, "%s (%s)", title, matter->author) < 0)
		return NULL;
	return text;
}

int lecture_add_fault(char **faults, const char *fault)
{
	char *all;

	if (asprintf(&all, "%s%s\n", sentence_text(*faults, ""), fault) < 0)
		return -ENOMEM;
	free(*faults);
	*faults = all;
	return 0;
}

/* Parses a lecture. faults: see lecture_read_faulty(); NULL: stop at the first one. */
static int parse_lecture(const char *text, size_t n, const char *name, struct lecture *lecture,
			 char **faults, char *error, size_t size)
{
	struct reader reader = {.lecture = lecture, .name = name, .error = error, .size = size};
	char *copy = calloc(1, n + 1);
	struct matter matter = {"", ""};
	cmark_node *document = NULL, *block;
	int err = 0;

	if (copy) {
		memcpy(copy, text, n);
		take_front_matter(copy, &matter);
		document = cmark_parse_document(copy, n, CMARK_OPT_DEFAULT);
	}
	free(copy);
	*lecture = (struct lecture) {0};
	if (!document)
		return no_memory(&reader);
	for (block = cmark_node_first_child(document); block; block = cmark_node_next(block)) {
		err = add_block(&reader, block);
		if (err == -EINVAL && faults)
			err = lecture_add_fault(faults, error);
		if (err)
			break;
	}
	if (!err)
		err = end_scene(&reader);
	if (!err && !reader.scene)
		err = error_line(
			error, size, -EINVAL,
			"%s: has no heading; begin each scene with one, such as \"# Title\"", name);
	if (!err) {
		lecture->title = lecture_title(lecture, &matter);
		if (lecture->title)
			err = 0;
		else
			err = no_memory(&reader);
	}
	if (reader.notes) {
		fclose(reader.notes);
		free(reader.notes_text);
	}
	cmark_node_free(document);
	if (err)
		lecture_free(lecture);
	return err;
}

int lecture_parse(const char *text, size_t n, const char *name, struct lecture *lecture,
		  char *error, size_t size)
{
	return parse_lecture(text, n, name, lecture, NULL, error, size);
}

bool lecture_sums_up(const struct lecture *lecture, size_t scene)
{
	bool runs = false;

	if (scene + 1 < lecture->n || *lecture->scenes[scene].command)
		return false;
	for (size_t i = 0; i < scene; i++)
		runs |= *lecture->scenes[i].command != '\0';
	return runs && strncmp(lecture->scenes[scene].notes, "- ", 2) == 0;
}

/* Takes "(scene 2)" from the end of the text. Returns that scene, from 0. */
static size_t take_scene(char *text)
{
	char *mark = strrchr(text, '(');
	unsigned number;
	int length = 0;

	if (!mark || sscanf(mark, "(scene %u)%n", &number, &length) != 1 || mark[length] != '\0')
		return LECTURE_UNNAMED;
	if (length == 0 || number == 0)
		return LECTURE_UNNAMED;
	while (mark > text && mark[-1] == ' ')
		mark--;
	*mark = '\0';
	return number - 1;
}

size_t lecture_items(const char *notes, struct lecture_item items[LECTURE_ITEMS])
{
	static const char dash[] = "- ";
	size_t n = 0;

	while (strncmp(notes, dash, strlen(dash)) == 0 && n < LECTURE_ITEMS) {
		const size_t length = strcspn(notes, "\n");
		struct lecture_item *item = &items[n++];

		snprintf(item->text, sizeof(item->text), "%.*s", (int)(length - strlen(dash)),
			 notes + strlen(dash));
		utf8_trim(item->text);
		item->scene = take_scene(item->text);
		notes += length + (notes[length] == '\n');
	}
	return n;
}

void lecture_free(struct lecture *lecture)
{
	for (size_t i = 0; i < lecture->n; i++) {
		free(lecture->scenes[i].heading);
		free(lecture->scenes[i].caption);
		free(lecture->scenes[i].notes);
		free(lecture->scenes[i].command);
	}
	free(lecture->scenes);
	free(lecture->title);
	*lecture = (struct lecture) {0};
}

int lecture_read(const char *path, struct lecture *lecture, char *error, size_t size)
{
	return lecture_read_faulty(path, lecture, NULL, error, size);
}

int lecture_read_faulty(const char *path, struct lecture *lecture, char **faults, char *error,
			size_t size)
{
	/* Read one byte more than allowed, to detect a file that is too long. */
	char *text = malloc(LECTURE_BYTES + 1);
	FILE *file;
	size_t n = 0;
	int err;

	*lecture = (struct lecture) {0};
	if (!text)
		return error_line(error, size, -ENOMEM, "%s: out of memory", path);
	errno = 0;
	file = fopen(path, "re");
	if (file)
		n = fread(text, 1, LECTURE_BYTES + 1, file);
	if (!file || ferror(file)) {
		if (errno)
			err = -errno;
		else
			err = -EIO;
		error_line(error, size, err, "%s cannot be read: %s", path, strerror(-err));
	} else if (n > LECTURE_BYTES) {
		err = error_line(error, size, -EINVAL, "%s is longer than a lecture may be, %d KiB",
				 path, LECTURE_BYTES / 1024);
	} else {
		err = parse_lecture(text, n, path, lecture, faults, error, size);
	}
	if (file)
		fclose(file);
	free(text);
	return err;
}
