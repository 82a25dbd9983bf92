/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/text.h"
#include "json.h"
#include "result/report.h"

/* A lecture as text: its sessions as they are by themselves, each below its scene. */

#define WIDTH 80

/* Called with each scene and its number, from 1. */
typedef int take_scene(const struct export_scene *scene, size_t number, size_t of, FILE *out);

static int each_scene(const struct export_lecture *lecture, take_scene *take, FILE *out)
{
	struct export_scene scene;
	int err = 0;

	for (size_t i = 0; i < lecture->n && !err; i++) {
		err = lecture->scene(lecture->arg, i, &scene);
		if (!err)
			err = take(&scene, i + 1, lecture->n, out);
	}
	return err ? err : report_finish(out);
}

/* Plain text */

static void put_line(FILE *out, const char *line)
{
	char *printable = utf8_printable(line);
	const char *at = printable, *next;

	while (at && *at) {
		text_line(at, WIDTH, &next);
		fprintf(out, "%.*s\n", (int)(next - at) - (next[-1] == ' '), at);
		at = next;
	}
	if (at == printable)
		fputc('\n', out);
	free(printable);
}

/* Each line by itself: put() has it without its end. */
static void each_line(FILE *out, const char *text, void (*put)(FILE *out, const char *line))
{
	char *copy = strdup(text), *rest = copy, *line;

	while ((line = strsep(&rest, "\n")) != NULL)
		put(out, line);
	free(copy);
}

static void put_part(FILE *out, const char *text)
{
	if (!*text)
		return;
	fputc('\n', out);
	each_line(out, text, put_line);
}

static int write_text_scene(const struct export_scene *scene, size_t number, size_t of, FILE *out,
			    int (*write)(const struct model *model, FILE *out))
{
	fprintf(out, "\n%s\nScene %zu of %zu: ", "----------------------------------------", number,
		of);
	put_line(out, scene->heading);
	put_part(out, scene->caption);
	put_part(out, scene->notes);
	if (!scene->model)
		return 0;
	fputc('\n', out);
	return write(scene->model, out);
}

static int write_table_scene(const struct export_scene *scene, size_t number, size_t of, FILE *out)
{
	return write_text_scene(scene, number, of, out, write_answer);
}

static int write_report_scene(const struct export_scene *scene, size_t number, size_t of, FILE *out)
{
	return write_text_scene(scene, number, of, out, write_all_tables);
}

int export_lecture_table(const struct export_lecture *lecture, FILE *out)
{
	put_line(out, lecture->title);
	return each_scene(lecture, write_table_scene, out);
}

int export_lecture_report(const struct export_lecture *lecture, FILE *out)
{
	put_line(out, lecture->title);
	return each_scene(lecture, write_report_scene, out);
}

/* Markdown */

/* Text in which no character means anything to Markdown; a break at each line's end. */
static void put_escaped(FILE *out, const char *line)
{
	char utf8[UTF8_BYTES];
	uint32_t character;
	bool begins = true;

	while ((character = utf8_next_printable(&line)) != 0) {
		if (character < 0x80 &&
		    strchr(begins ? "\\`*_[]<>&|#~+-=.)" : "\\`*_[]<>&|#~", (int)character))
			fputc('\\', out);
		begins = begins && character >= '0' && character <= '9';
		fputs(utf8_encode(character, utf8), out);
	}
	fputc('\n', out);
}

/* A line is a paragraph, as it is where it was written. */
static void put_paragraph(FILE *out, const char *line)
{
	fputc('\n', out);
	put_escaped(out, line + strspn(line, " "));
}

static void put_quoted(FILE *out, const char *line)
{
	fputs("> ", out);
	put_escaped(out, line + strspn(line, " "));
}

/* Two levels below its scene's heading: in a report a line that begins with # is one. */
static void put_demoted(FILE *out, const char *report)
{
	bool begins = true;

	for (; *report; report++) {
		if (begins && *report == '#')
			fputs("##", out);
		begins = *report == '\n';
		fputc(*report, out);
	}
}

static int put_report(FILE *out, const struct model *model)
{
	char *report = NULL;
	size_t size;
	FILE *memory = open_memstream(&report, &size);
	int err;

	if (!memory)
		return -ENOMEM;
	err = write_markdown(model, memory);
	fclose(memory);
	if (!err) {
		fputc('\n', out);
		put_demoted(out, report);
	}
	free(report);
	return err;
}

static int write_markdown_scene(const struct export_scene *scene, size_t number, size_t of,
				FILE *out)
{
	fprintf(out, "\n## %zu\\. ", number);
	put_escaped(out, scene->heading);
	if (*scene->caption)
		each_line(out, scene->caption, put_paragraph);
	if (*scene->notes) {
		fputc('\n', out);
		each_line(out, scene->notes, put_quoted);
	}
	return scene->model ? put_report(out, scene->model) : 0;
}

int export_lecture_markdown(const struct export_lecture *lecture, FILE *out)
{
	fputs("# ", out);
	put_escaped(out, lecture->title);
	return each_scene(lecture, write_markdown_scene, out);
}

/* JSON */

/* The lines of a text stay; NULL without memory. */
static char *printable_lines(const char *text)
{
	char *lines = malloc(3 * strlen(text) + UTF8_BYTES), *end = lines;

	if (!lines)
		return NULL;
	*end = '\0';
	while (*text) {
		const bool newline = *text == '\n';
		const uint32_t character = utf8_next_printable(&text);

		end += strlen(utf8_encode(newline ? '\n' : character, end));
	}
	return lines;
}

/* "name": "text", with what is to follow. */
static int put_string(FILE *out, const char *name, const char *text, const char *after)
{
	char *lines = printable_lines(text);
	json_t *string = lines ? json_string(lines) : NULL;
	int err = string ? 0 : -ENOMEM;

	fprintf(out, "\"%s\": ", name);
	if (string && json_dumpf(string, out, JSON_ENCODE_ANY))
		err = -EIO;
	fputs(after, out);
	json_decref(string);
	free(lines);
	return err;
}

static int put_scene(const struct export_scene *scene, size_t number, bool page, FILE *out)
{
	int err;

	fprintf(out, "%s{\"scene\": %zu, ", number > 1 ? ",\n" : "", number);
	err = put_string(out, "heading", scene->heading, ", ");
	if (!err)
		err = put_string(out, "caption", scene->caption, ", ");
	if (!err)
		err = put_string(out, "notes", scene->notes, ", ");
	if (!err)
		err = put_string(out, "command", scene->command, ",\n");
	if (!err)
		err = page_session(scene->model, page, out);
	fputs("}", out);
	return err;
}

static int write_json_scene(const struct export_scene *scene, size_t number, size_t of, FILE *out)
{
	return put_scene(scene, number, false, out);
}

static int write_page_scene(const struct export_scene *scene, size_t number, size_t of, FILE *out)
{
	return put_scene(scene, number, true, out);
}

static int put_lecture(const struct export_lecture *lecture, take_scene *take, FILE *out)
{
	int err;

	fputs("{", out);
	err = put_string(out, "lecture", lecture->title, ",\n\"schema\": 1,\n\"scenes\": [\n");
	if (!err)
		err = each_scene(lecture, take, out);
	fputs("]}\n", out);
	return err ? err : report_finish(out);
}

int export_lecture_json(const struct export_lecture *lecture, FILE *out)
{
	return put_lecture(lecture, write_json_scene, out);
}

int page_lecture(const struct export_lecture *lecture, FILE *out)
{
	return put_lecture(lecture, write_page_scene, out);
}
