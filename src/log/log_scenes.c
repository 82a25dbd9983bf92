/* SPDX-License-Identifier: MIT */
#include "log/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "log_parts.h"

/*
 * Longest line in bytes; a longer line is skipped. It is more than the session reader's limit,
 * LOG_LINE.
 */
#define SCAN_BYTES (1 << 18)
/*
 * Longest line in bytes that is skipped. Reading stops in a longer line, as at the end of the file,
 * because the recording is damaged there. The scenes before the damage are used.
 */
#define SCAN_LONGEST (16 << 20)

struct scan {
	FILE *file;
	struct log_scenes *scenes;
	struct log_schema schema;
	struct log_cells cells;
	size_t cap_scenes, cap_parts;
	bool in_session;  /* Rows of a session follow the newest scene's rows. */
	uint64_t lines;	  /* Number of lines so far, with the header. */
	off_t header;	  /* Bytes up to the end of the header, including a greeting before it. */
	uint64_t headers; /* Number of lines up to the end of the header. */

	off_t end; /* Where the newest line ends in the file. */
	char line[SCAN_BYTES + 1];
};

/*
 * Reads the next line with its newline. n is its length in bytes, 0 if the line is too long for
 * scan->line. Returns 1; 0 at the end of the file, or in a line longer than SCAN_LONGEST; -errno.
 */
static int next_line(struct scan *scan, size_t *n)
{
	const off_t begin = scan->end;
	off_t at = begin, end = begin;

	*n = 0;
	do {
		at = end;
		if (!fgets(scan->line, sizeof(scan->line), scan->file)) {
			if (ferror(scan->file))
				return -errno;
			return 0;
		}
		end = ftello(scan->file);
		if (end - begin > SCAN_LONGEST)
			return 0;
	} while (scan->line[end - at - 1] != '\n');
	if (at == begin)
		*n = (size_t)(end - begin);
	scan->end = end;
	scan->lines++;
	return 1;
}

/* The member for a text of a scene. NULL if the part is not a text. */
static const char **scene_text(struct log_scene *scene, enum log_scene_part part)
{
	const char **texts[LOG_SCENE_PARTS] = {
		[LOG_SCENE_HEADING] = &scene->heading,
		[LOG_SCENE_CAPTION] = &scene->caption,
		[LOG_SCENE_NOTES] = &scene->notes,
		[LOG_SCENE_COMMAND] = &scene->command,
	};

	return texts[part];
}

static int append_text(const char **text, const char *piece, bool more)
{
	const size_t before = *text ? strlen(*text) : 0, n = strlen(piece);
	const bool line = *text && !more;
	char *longer = realloc((char *)*text, before + line + n + 1);

	if (!longer)
		return -ENOMEM;
	if (line)
		longer[before] = '\n';
	memcpy(longer + before + line, piece, n + 1);
	*text = longer;
	return 0;
}

/*
 * If the newest scene has a session, sets the end of that session's part of the file to offset at.
 */
static void end_part(struct scan *scan, off_t at)
{
	if (scan->in_session)
		scan->scenes->parts[scan->scenes->n - 1].end = at;
	scan->in_session = false;
}

static int add_scene(struct scan *scan, off_t at)
{
	struct log_scenes *scenes = scan->scenes;

	if (scenes->n == LOG_SCENES_MOST)
		return -E2BIG;
	if (!array_grow(&scenes->scenes, scenes->n, &scan->cap_scenes, sizeof(*scenes->scenes)) ||
	    !array_grow(&scenes->parts, scenes->n, &scan->cap_parts, sizeof(*scenes->parts)))
		return -ENOMEM;
	end_part(scan, at);
	scenes->scenes[scenes->n] = (struct log_scene) {0};
	scenes->parts[scenes->n++] = (struct log_part) {.header = scan->header};
	return 0;
}

static bool is_scene(struct log_cells *cells, const char *line, size_t n)
{
	const char *name = log_schema_records[LOG_SCENE_ROW], *why;

	return memmem(line, n, name, strlen(name)) && log_cells_row(cells, line, n, &why) > 0 &&
	       strcmp(log_cells_text(cells, LOG_RECORD), name) == 0;
}

static int take_scene_row(struct scan *scan, size_t n)
{
	const off_t at = scan->end - (off_t)n;

	if (is_scene(&scan->cells, scan->line, n)) {
		/*
		 * The first row of a heading begins a new scene. Any other row does so only if
		 * there is no scene yet, or after rows of a session.
		 */
		const int part = names_find(log_schema_scene_parts, LOG_SCENE_PARTS,
					    log_cells_text(&scan->cells, LOG_SUBJECT));
		const bool more =
			strcmp(log_cells_text(&scan->cells, LOG_KIND), LOG_SCENE_MORE) == 0;
		char value[SAMPLE_TEXT];
		int err = 0;

		log_cells_copy(&scan->cells, LOG_VALUE, value, sizeof(value));
		if (part == LOG_LECTURE_TITLE)
			return append_text(&scan->scenes->title, value, more);
		if (part == LOG_LECTURE_SCENES) {
			scan->scenes->planned = (uint32_t)strtoul(value, NULL, 10);
			return 0;
		}
		if (scan->in_session || scan->scenes->n == 0 ||
		    (part == LOG_SCENE_HEADING && !more))
			err = add_scene(scan, at);
		if (err || part < 0)
			return err;
		return append_text(scene_text(&scan->scenes->scenes[scan->scenes->n - 1],
					      (enum log_scene_part)part),
				   value, more);
	}
	/* The scene's session begins at its first row, unless that row is too long (n is 0). */
	if (n > 0 && !scan->in_session && scan->scenes->n > 0) {
		scan->in_session = true;
		scan->scenes->parts[scan->scenes->n - 1].begin = at;
		scan->scenes->parts[scan->scenes->n - 1].lines = scan->lines - 1 - scan->headers;
	}
	return 0;
}

static int take_header(struct scan *scan)
{
	size_t n;
	int more;

	do
		more = next_line(scan, &n);
	while (more > 0 && n > 0 && log_cells_header(&scan->cells, scan->line, n) < 0 &&
	       scan->lines < LOG_GREETING);
	scan->header = scan->end;
	scan->headers = scan->lines;
	if (scan->cells.short_of_memory)
		return -ENOMEM;
	if (more > 0)
		return scan->cells.n_columns > 0;
	return more;
}

/* Takes all rows. The first row shows whether this is the recording of a lecture. */
static int take_rows(struct scan *scan)
{
	size_t n;
	int err = 0, more;

	while (!err && (more = next_line(scan, &n)) > 0) {
		if (scan->lines == scan->headers + 1 && !is_scene(&scan->cells, scan->line, n))
			return 0;
		err = take_scene_row(scan, n);
		if (scan->cells.short_of_memory)
			err = -ENOMEM;
	}
	if (err || more < 0) {
		if (err)
			return err;
		return more;
	}
	end_part(scan, ftello(scan->file));
	return scan->lines > scan->headers;
}

/* Sets missing texts to "". */
static int fill_texts(struct log_scenes *scenes)
{
	if (!scenes->title)
		scenes->title = strdup("");
	if (!scenes->title)
		return -ENOMEM;
	for (size_t i = 0; i < scenes->n; i++)
		for (int part = LOG_SCENE_HEADING; part < LOG_SCENE_PARTS; part++) {
			const char **text =
				scene_text(&scenes->scenes[i], (enum log_scene_part)part);

			if (!(*text))
				*text = strdup("");
			if (!*text)
				return -ENOMEM;
		}
	return 0;
}

int log_scenes_read(int fd, struct log_scenes *scenes)
{
	struct scan *scan = calloc(1, sizeof(*scan));
	const off_t before = lseek(fd, 0, SEEK_CUR);
	int found, err;

	*scenes = (struct log_scenes) {0};
	if (!scan)
		return -ENOMEM;
	scan->file = fdopen(fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), "r");
	if (!scan->file) {
		err = -errno;
		free(scan);
		return err;
	}
	rewind(scan->file);
	scan->scenes = scenes;
	log_schema_init(&scan->schema);
	log_cells_init(&scan->cells, &scan->schema);
	found = take_header(scan);
	if (found > 0)
		found = take_rows(scan);
	err = fill_texts(scenes);
	log_cells_free(&scan->cells);
	fclose(scan->file);
	/* Standard input, for example, must be read again from its previous position. */
	lseek(fd, before, SEEK_SET);
	free(scan);
	if (err && found >= 0)
		return err;
	return found;
}

void log_scenes_free(struct log_scenes *scenes)
{
	for (size_t i = 0; i < scenes->n; i++)
		for (int part = LOG_SCENE_HEADING; part < LOG_SCENE_PARTS; part++)
			free((char *)*scene_text(&scenes->scenes[i], (enum log_scene_part)part));
	free(scenes->scenes);
	free(scenes->parts);
	free((char *)scenes->title);
	*scenes = (struct log_scenes) {0};
}

static size_t line_length(const char *line, size_t n)
{
	const char *end = memchr(line, '\n', n);

	if (end)
		return (size_t)(end - line) + 1;
	return n;
}

/* Whether the row of a scene, which was read last, is of that part. */
static bool is_part(const struct log_cells *cells, enum log_scene_part part)
{
	return strcmp(log_cells_text(cells, LOG_SUBJECT), log_schema_scene_parts[part]) == 0;
}

/* Whether the row, which was read last, begins a scene. */
static bool is_heading(const struct log_cells *cells)
{
	return is_part(cells, LOG_SCENE_HEADING) &&
	       strcmp(log_cells_text(cells, LOG_KIND), LOG_SCENE_MORE) != 0;
}

/*
 * The number of the scene whose list sums the lecture up: the last one, if it runs nothing and an
 * earlier scene does. 0: there is none, or the lecture was left before it.
 */
static uint32_t find_list(struct log_cells *cells, const char *bytes, size_t n)
{
	uint32_t planned = 0, scene = 0, runs = 0;
	size_t length;

	for (size_t at = 0; at < n; at += length) {
		length = line_length(bytes + at, n - at);
		if (cells->n_columns == 0)
			log_cells_header(cells, bytes + at, length);
		else if (!is_scene(cells, bytes + at, length))
			continue;
		else if (is_part(cells, LOG_LECTURE_SCENES))
			planned = (uint32_t)strtoul(log_cells_text(cells, LOG_VALUE), NULL, 10);
		else if (is_part(cells, LOG_SCENE_COMMAND))
			runs = scene;
		else
			scene += is_heading(cells);
	}
	if (scene == planned && runs > 0 && runs < scene)
		return scene;
	return 0;
}

int log_drop_notes(char *bytes, size_t *n)
{
	struct log_schema schema;
	struct log_cells cells;
	uint32_t list, scene = 0;
	size_t left = 0, length;
	bool listed = true; /* The rows of notes so far are items of the list. */

	log_schema_init(&schema);
	log_cells_init(&cells, &schema);
	list = find_list(&cells, bytes, *n);
	for (size_t at = 0; at < *n; at += length) {
		char *line = bytes + at;
		bool notes = false;

		length = line_length(line, *n - at);
		if (cells.n_columns > 0 && is_scene(&cells, line, length)) {
			notes = is_part(&cells, LOG_SCENE_NOTES);
			scene += is_heading(&cells);
		}
		if (notes && scene == list)
			listed &= strncmp(log_cells_text(&cells, LOG_VALUE), "- ", 2) == 0;
		if (notes && (scene != list || !listed))
			continue;
		memmove(bytes + left, line, length);
		left += length;
	}
	*n = left;
	log_cells_free(&cells);
	if (cells.short_of_memory)
		return -ENOMEM;
	return 0;
}
