/* SPDX-License-Identifier: MIT */
#include "write_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"
#include "base/utf8.h"
#include "result/report.h"

/*
 * Writes a lecture as text: for each scene its texts, and then its session in the form of the
 * session's own export.
 */

static void put_line(FILE *out, const char *line)
{
	char *printable = utf8_printable(line);

	write_text_wrapped(out, sentence_text(printable, ""));
	free(printable);
}

/* Calls put() for each line of the text, without its newline. */
static void each_line(FILE *out, const char *text, void (*put)(FILE *out, const char *line))
{
	char *copy = strdup(text), *rest = copy, *line;

	while ((line = strsep(&rest, "\n")) != NULL)
		put(out, line);
	free(copy);
}

/* Writes each item of the list as a line, with the result of its scene below it. */
static void write_text_items(const struct export_scene *scene, FILE *out)
{
	for (size_t i = 0; i < scene->n_items; i++) {
		fputs("\n- ", out);
		put_line(out, scene->items[i].text);
		if (scene->items[i].result)
			put_line(out, scene->items[i].result);
	}
}

static int write_text_scene(const struct export_scene *scene, size_t number, size_t of, FILE *out,
			    export_write *write)
{
	fprintf(out, "\n%s\nScene %zu of %zu: ", "----------------------------------------", number,
		of);
	put_line(out, scene->heading);
	if (*scene->caption) {
		fputc('\n', out);
		each_line(out, scene->caption, put_line);
	}
	write_text_items(scene, out);
	if (!scene->model)
		return 0;
	fputc('\n', out);
	return write(scene->model, out);
}

/* Writes a line as a paragraph of its own, without its indentation. */
static void put_paragraph(FILE *out, const char *line)
{
	fputc('\n', out);
	write_escaped_line(out, line + strspn(line, " "));
}

static void write_markdown_items(const struct export_scene *scene, FILE *out)
{
	for (size_t i = 0; i < scene->n_items; i++) {
		fputs(i > 0 ? "- " : "\n- ", out);
		write_escaped_line(out, scene->items[i].text);
		if (!scene->items[i].result)
			continue;
		fputs("  - ", out);
		write_escaped_line(out, scene->items[i].result);
	}
}

static int write_markdown_scene(const struct export_scene *scene, size_t number, FILE *out)
{
	char *report = NULL;
	size_t size;
	FILE *memory;
	int err;

	fprintf(out, "\n## %zu\\. ", number);
	write_escaped_line(out, scene->heading);
	if (*scene->caption)
		each_line(out, scene->caption, put_paragraph);
	write_markdown_items(scene, out);
	if (scene->model)
		memory = open_memstream(&report, &size);
	else
		memory = NULL;
	if (!memory) {
		if (scene->model)
			return -ENOMEM;
		return 0;
	}
	err = write_markdown(scene->model, memory);
	fclose(memory);
	if (!err)
		fputc('\n', out);
	/*
	 * Move the report's headings two levels below the scene's heading. Every line of a report
	 * that begins with # is a heading.
	 */
	for (const char *at = report; !err; at++) {
		if (!(*at))
			break;
		if (*at == '#' && (at == report || at[-1] == '\n'))
			fputs("##", out);
		fputc(*at, out);
	}
	free(report);
	return err;
}

/* Writes "name": "text", followed by `after`. Newlines within the text stay. */
static int put_string(FILE *out, const char *name, const char *text, const char *after)
{
	char *lines = calloc(3 * strlen(text) + UTF8_BYTES, 1), *end = lines;
	uint32_t character = 0;
	int err;

	if (!lines)
		return -ENOMEM;
	while (*text) {
		const bool newline = *text == '\n';

		character = utf8_next_printable(&text, character);
		if (newline)
			*end++ = '\n';
		else
			end += strlen(utf8_put(character, end));
	}
	fprintf(out, "\"%s\": ", name);
	err = json_write(out, json_string(lines));
	fputs(after, out);
	free(lines);
	return err;
}

/* Writes "items": [{"text": …, "result": …}, …]. */
static int write_json_items(const struct export_scene *scene, FILE *out)
{
	int err = 0;

	fputs("\"items\": [", out);
	for (size_t i = 0; i < scene->n_items; i++) {
		const struct export_item *item = &scene->items[i];

		if (err)
			return err;
		fputs(i > 0 ? ",\n{" : "{", out);
		err = put_string(out, "text", item->text, item->result ? ", " : "}");
		if (!err && item->result)
			err = put_string(out, "result", item->result, "}");
	}
	fputs("],\n", out);
	return err;
}

static int write_json_scene(const struct export_scene *scene, size_t number, bool page, FILE *out)
{
	static const char *const names[] = {"heading", "caption", "command"};
	const char *const texts[] = {scene->heading, scene->caption, scene->command};
	static const char *const after[] = {", ", ", ", ",\n"};
	int err = 0;

	if (number > 1)
		fputs(",\n", out);
	fprintf(out, "{\"scene\": %zu, ", number);
	for (int i = 0; i < 3; i++) {
		if (err)
			break;
		err = put_string(out, names[i], texts[i], after[i]);
	}
	if (!err && scene->n_items > 0)
		err = write_json_items(scene, out);
	if (!err)
		err = page_session(scene->model, page, out);
	fputs("}", out);
	return err;
}

int lecture_write(const struct export_lecture *lecture, export_write *write, bool page, FILE *out)
{
	const bool json = write == write_json;
	struct export_scene scene;
	int err = 0;

	if (json) {
		fputs("{", out);
		err = put_string(out, "lecture", lecture->title,
				 ",\n\"schema\": 1,\n\"scenes\": [\n");
	} else if (write == write_markdown) {
		fputs("# ", out);
		write_escaped_line(out, lecture->title);
	} else {
		put_line(out, lecture->title);
	}
	for (size_t i = 0; i < lecture->n; i++) {
		if (err)
			break;
		err = lecture->scene(lecture->arg, i, &scene);
		if (!err && json)
			err = write_json_scene(&scene, i + 1, page, out);
		else if (!err && write == write_markdown)
			err = write_markdown_scene(&scene, i + 1, out);
		else if (!err)
			err = write_text_scene(&scene, i + 1, lecture->n, out, write);
	}
	if (json)
		fputs("]}\n", out);
	if (err)
		return err;
	return report_finish(out);
}
