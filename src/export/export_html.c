/* SPDX-License-Identifier: MIT */
#include "export/export.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "page.h"
#include "report/report.h"

/* The page is page.html with JSON in the place of its mark. All that is shown is its script's. */

static const char mark[] = "@DATA@";

/*
 * UTF-8 on its way into a script element: no text may end that element, and whoever prints the page
 * on a terminal sees no control character.
 */
struct escaped {
	FILE *out;
	uint32_t code;
	int left;    /* bytes of a character that are to come */
	bool begins; /* a line, whose indentation a browser does not need */
};

static ssize_t write_escaped(void *cookie, const char *bytes, size_t n)
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
	return ferror(to->out) ? 0 : (ssize_t)n;
}

/* arg is a session or a lecture. */
static int fill(int (*put)(const void *arg, FILE *out), const void *arg, FILE *out)
{
	const char *template = (const char *)page_html, *at = strstr(template, mark);
	struct escaped to = {.out = out};
	FILE *escaped = fopencookie(&to, "w", (cookie_io_functions_t) {.write = write_escaped});
	int err;

	if (!escaped)
		return -ENOMEM;
	fwrite(template, 1, (size_t)(at - template), out);
	err = put(arg, escaped);
	if (fclose(escaped) && !err)
		err = -EIO;
	fputs(at + strlen(mark), out);
	/* a full disk is why the other stream failed */
	return report_finish(out) ? report_finish(out) : err;
}

int page_session(const struct model *model, bool page, FILE *out)
{
	int err = 0;

	fputs("\"session\": ", out);
	if (model)
		err = write_json(model, out);
	else
		fputs("null", out);
	if (!page || err)
		return err;
	fputs(",\n\"page\": ", out);
	if (model && model->has_session)
		return page_json(model, out);
	fputs("null", out);
	return 0;
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
	return page_lecture(arg, out);
}

int export_html(const struct model *model, FILE *out)
{
	return fill(put_session, model, out);
}

int export_lecture_html(const struct export_lecture *lecture, FILE *out)
{
	return fill(put_lecture, lecture, out);
}
