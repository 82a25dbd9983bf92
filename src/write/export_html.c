/* SPDX-License-Identifier: MIT */
#include "write_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"
#include "base/utf8.h"
#include "model/model.h"
#include "result/report.h"
#include "result/table.h"

/*
 * The page for browsers that run no script, and for servers whose policy forbids scripts: the
 * answer and all tables as HTML without a style. The script removes this part.
 */

/* Writes the text of an element. If memory is short, leaves the text out. */
static void put_html(FILE *out, const char *text)
{
	char *printable = utf8_printable(text);

	for (const char *at = sentence_text(printable, ""); *at; at++)
		switch (*at) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		default:
			fputc(*at, out);
		}
	free(printable);
}

static void put_element(FILE *out, const char *name, const char *text)
{
	fprintf(out, "<%s>", name);
	put_html(out, text);
	fprintf(out, "</%s>\n", name);
}

static void put_table(FILE *out, const struct table *table)
{
	char buf[TABLE_TEXT];

	fputs("<table><caption>", out);
	put_html(out, table->title);
	fputs("</caption>\n<tr>", out);
	for (size_t i = 0; i < table->n_columns; i++)
		put_element(out, "th", i > 0 ? table_title(&table->columns[i]) : table->title);
	for (size_t row = 0; row < table_rows(table); row++) {
		fputs("<tr>", out);
		for (size_t i = 0; i < table->n_columns; i++)
			put_element(out, "td", table_text(table, row, i, " to ", buf));
	}
	fputs("</table>\n", out);
	if (table->note)
		put_element(out, "p", table->note);
}

static int put_static_session(const struct model *model, FILE *out)
{
	const struct sample_session *session = &model->session;
	struct model_warning warnings[MODEL_WARNINGS_MOST];
	char text[HEADLINE_BADGE + HEADLINE_TEXT], date[REPORT_WALL];
	int err = 0, n;

	if (!model->has_session) {
		put_element(out, "p", "Nothing has been recorded.");
		return 0;
	}
	put_element(out, "h1", session->title);
	put_element(out, "p", report_date(session->wall_s, false, date));
	put_element(out, "p", report_machine(text, sizeof(text), &session->machine));
	put_element(out, "p", headline_line(model, text, sizeof(text)));
	n = model_warnings(model, warnings);
	for (int i = 0; i < n; i++)
		put_element(out, "p", warnings[i].text);
	for (int id = 0; id < TABLE_TRIALS; id++) {
		struct table table;

		if (err)
			break;
		err = table_build(model, (enum table_id)id, &table);
		if (!err && table_rows(&table) > 0)
			put_table(out, &table);
		table_free(&table);
	}
	return err;
}

static int put_static_lecture(const struct export_lecture *lecture, FILE *out)
{
	struct export_scene scene;
	int err = 0;

	put_element(out, "h1", lecture->title);
	for (size_t i = 0; i < lecture->n; i++) {
		if (err)
			break;
		err = lecture->scene(lecture->arg, i, &scene);
		if (err)
			break;
		put_element(out, "h2", scene.heading);
		put_element(out, "p", scene.caption);
		for (size_t k = 0; k < scene.n_items; k++) {
			put_element(out, "p", scene.items[k].text);
			if (scene.items[k].result)
				put_element(out, "p", scene.items[k].result);
		}
		if (scene.model)
			err = put_static_session(scene.model, out);
	}
	return err;
}

/* page.html is the page. The static part and the JSON replace these two marks in it. */

static const char static_mark[] = "@STATIC@", data_mark[] = "@DATA@";

/*
 * Writes UTF-8 into a script element. The text cannot end the element. It has no control
 * characters, because the page may be printed on a terminal.
 */
struct escaped {
	FILE *out;
	uint32_t code;
	int left; /* Number of bytes of the current character that have not arrived. */
	/*
	 * The text is at the beginning of a line. The line's indentation is left out, because
	 * browsers do not need it.
	 */
	bool begins;
};

static ssize_t write_script_text(void *cookie, const char *bytes, size_t n)
{
	struct escaped *to = cookie;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c == ' ' && to->begins)
			continue;
		to->begins = c == '\n';
		if (c < 0x7f && c != '<') {
			fputc(c, to->out);
			continue;
		}
		if (c < 0x80) {
			to->code = c;
		} else if (c >= 0xc0) {
			to->left = 1 + (c >= 0xe0) + (c >= 0xf0);
			to->code = c & (0x3fu >> to->left);
			continue;
		} else {
			to->code = to->code << 6 | (c & 0x3f);
			if (--to->left > 0)
				continue;
		}
		if (to->code > 0xffff)
			fprintf(to->out, "\\u%04x\\u%04x", 0xd7c0 + (to->code >> 10),
				0xdc00 + (to->code & 0x3ff));
		else
			fprintf(to->out, "\\u%04x", to->code);
	}
	if (ferror(to->out))
		return 0;
	return (ssize_t)n;
}

typedef int fill(const void *arg, FILE *out);

static int fill_template(fill *fill_static, fill *fill_data, const void *arg, FILE *out)
{
	const char *template = (const char *)page_html, *at = strstr(template, static_mark);
	struct escaped to = {.out = out};
	FILE *escaped;
	int err;

	fwrite(template, 1, (size_t)(at - template), out);
	err = fill_static(arg, out);
	template = at + strlen(static_mark);
	at = strstr(template, data_mark);
	fwrite(template, 1, (size_t)(at - template), out);
	escaped = fopencookie(&to, "w", (cookie_io_functions_t) {.write = write_script_text});
	if (!escaped)
		return -ENOMEM;
	if (!err)
		err = fill_data(arg, escaped);
	if (fclose(escaped) && !err)
		err = -EIO;
	fputs(at + strlen(data_mark), out);
	/*
	 * Report the error of `out` first, such as a full disk, because this error has made the
	 * other stream fail.
	 */
	if (report_finish(out))
		return report_finish(out);
	return err;
}

static int put_session(const void *arg, FILE *out)
{
	const struct model *model = arg;
	int err;

	fputs("{", out);
	err = page_session(model->has_session ? model : NULL, true, out);
	fputs("}", out);
	return err;
}

static int put_lecture(const void *arg, FILE *out)
{
	return lecture_write(arg, write_json, true, out);
}

static int put_static_of_session(const void *arg, FILE *out)
{
	return put_static_session(arg, out);
}

static int put_static_of_lecture(const void *arg, FILE *out)
{
	return put_static_lecture(arg, out);
}

int export_html(const struct model *model, FILE *out)
{
	return fill_template(put_static_of_session, put_session, model, out);
}

int page_lecture(const struct export_lecture *lecture, FILE *out)
{
	return fill_template(put_static_of_lecture, put_lecture, lecture, out);
}
