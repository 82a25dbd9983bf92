/* SPDX-License-Identifier: MIT */
#include "html.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "report/report.h"
#include "svg.h"

void html_put(struct html *html, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(html->out, format, args);
	va_end(args);
}

void html_text(struct html *html, const char *text)
{
	static const char *const escaped[] = {
		['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;"};
	const size_t n = sizeof(escaped) / sizeof(escaped[0]);
	char utf8[UTF8_BYTES];
	uint32_t c;

	while ((c = utf8_next_printable(&text)) != 0)
		fputs(c < n && escaped[c] ? escaped[c] : utf8_encode(c, utf8), html->out);
}

void html_text_of(struct html *html, const char *text, size_t n)
{
	char *copy = strndup(text, n);

	html_text(html, copy ? copy : "?");
	free(copy);
}

void html_mixed(struct html *html, ...)
{
	const char *part;
	va_list args;

	va_start(args, html);
	for (bool markup = true; (part = va_arg(args, const char *)) != NULL; markup = !markup)
		if (markup)
			fputs(part, html->out);
		else
			html_text(html, part);
	va_end(args);
}

void html_element(struct html *html, const char *tag, const char *text)
{
	html_put(html, "<%s>", tag);
	html_text(html, text);
	html_put(html, "</%.*s>", (int)strcspn(tag, " "), tag);
}

void html_heading_begin(struct html *html, int level)
{
	html_put(html, "<h%d>", level + html->below);
}

void html_heading_end(struct html *html, int level)
{
	html_put(html, "</h%d>\n", level + html->below);
}

void html_heading(struct html *html, int level, const char *text)
{
	html_heading_begin(html, level);
	html_text(html, text);
	html_heading_end(html, level);
}

void html_section(struct html *html, const char *heading)
{
	html_put(html, "<section>");
	html_heading(html, 2, heading);
}

void html_number(struct html *html, double value)
{
	int64_t hundredths = llround(fmax(-1e9, fmin(1e9, value)) * 100);
	int64_t part = llabs(hundredths % 100);

	html_put(html, "%s%" PRId64, hundredths < 0 ? "-" : "", (int64_t)llabs(hundredths / 100));
	if (part % 10)
		html_put(html, ".%02" PRId64, part);
	else if (part)
		html_put(html, ".%" PRId64, part / 10);
}

unsigned html_hue(const struct html *html, uint32_t case_id)
{
	return model_identity(html->model, case_id);
}

void html_models(struct html *html)
{
	const struct model *model = html->model;

	html_put(html, "<p class=\"models\">");
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (model_first_alike(model, i) != i)
			continue;
		html_put(html, "<span>");
		svg_key(html, html_hue(html, i));
		html_mixed(html, "", model->cases[i].model, "</span> ", NULL);
	}
	html_put(html, "</p>\n");
}

void html_swatch(struct html *html, const char *style, const char *meaning)
{
	html_put(html,
		 "<span class=\"nowrap\"><svg class=\"swatch\" aria-hidden=\"true\"><rect "
		 "class=\"%s\" width=\"100%%\" height=\"100%%\"/></svg>%s</span> ",
		 style, meaning);
}

int64_t html_span(const struct html *html, const struct model_run *run)
{
	int64_t elapsed_ns = model_elapsed(html->model, run);

	if (elapsed_ns >= 0)
		return elapsed_ns;
	return run->end_ns > run->begin_ns ? run->end_ns - run->begin_ns : 0;
}

int64_t html_length(const struct html *html, const struct model_run *run)
{
	int64_t held_ns = model_ended(html->model, run) ? run->totals.held_ns : 0;

	return html_span(html, run) + (held_ns > 0 ? held_ns : 0);
}

char *html_trial(const struct html *html, const struct model_run *run, char *buf, size_t size)
{
	const char *fate = "";
	char trial[32] = "warm-up";

	if (run->id.trial > 0)
		snprintf(trial, sizeof(trial), "trial %u", run->id.trial);
	if (!model_ended(html->model, run))
		fate = "going on";
	else if (run->totals.paused)
		fate = "paused";
	else if (run->totals.status != SAMPLE_OK)
		fate = report_status(run);
	snprintf(buf, size, "%s%s%s", trial, *fate ? ", " : "", fate);
	return buf;
}
