/* SPDX-License-Identifier: MIT */
#include "html.h"

#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "report/claim.h"
#include "report/pairs.h"
#include "report/report.h"
#include "report/verdict.h"
#include "report/warning.h"
#include "svg.h"

#define LETTERS 21

/* The axis of the pairs on a wide screen, and on a narrow one, where the names stand above it. */
struct place {
	const char *style; /* of its box */
	int width, height;
	double names;	   /* room for them at both ends of the axis; 0: above it */
	double line, name; /* the axis, and the text line of the names */
};

static const struct place places[] = {
	{"wide", SVG_WIDTH, 44, 170, 14, 18},
	{"narrow", SVG_NARROW, 62, 0, 32, 10},
};

/* How many times as fast the one is at its own end, on either side: no ratio runs backwards. */
static void draw_axis(struct html *html, const struct place *place, const struct svg_scale *scale,
		      double bound)
{
	const double values[] = {1 / bound, 1, bound};
	const char *const outer[] = {"tick", "tick mid", "tick end"};
	int decimals = bound < 1.1 ? 3 : 2;

	svg_line(html, "base", scale->x, place->line, scale->x + scale->w, place->line);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		double x = svg_at(scale, values[i]), half = i == 1 ? 11 : 4;

		svg_line(html, i == 1 ? "one" : "base", x, place->line - half, x,
			 place->line + half);
		svg_text(html, place->names > 0 ? "tick mid" : outer[i], x, place->line + 25,
			 "%s%s", UNITS_DECIMAL(i == 1 ? 1 : bound, i == 1 ? 0 : decimals),
			 i == 1 ? "" : "x");
	}
}

/* The models' names are enough where both cases have the same variables. */
static const char *end_name(const struct html *html, uint32_t case_id,
			    const struct model_comparison *comparison, char buf[HTML_NAME])
{
	const struct sample_case *cases = html->model->cases;

	if (variables_equal(&cases[comparison->a].variables, &cases[comparison->b].variables))
		return cases[case_id].model;
	return model_case_name(html->model, case_id, buf, HTML_NAME);
}

static void draw_ends(struct html *html, const struct place *place,
		      const struct model_comparison *comparison)
{
	char name[HTML_NAME];

	svg_name(html, "strong", 10, place->name, end_name(html, comparison->a, comparison, name),
		 LETTERS);
	svg_name(html, "strong end", place->width - 10, place->name,
		 end_name(html, comparison->b, comparison, name), LETTERS);
	svg_text(html, "small", 0, place->names > 0 ? place->name + 15 : place->line + 13,
		 "◂ faster");
	svg_text(html, "small end", place->width,
		 place->names > 0 ? place->name + 15 : place->line + 13, "faster ▸");
}

static void draw_pairs(struct html *html, const struct place *place,
		       const struct model_comparison *comparison, const struct pairs *pairs)
{
	struct stats_interval ratio = stats_inverse(&comparison->ratio);
	double margin = place->names > 0 ? place->names : 6;
	struct svg_scale scale = {1 / pairs->bound, pairs->bound, margin, place->width - 2 * margin,
				  true};
	double low = svg_at(&scale, ratio.low), high = svg_at(&scale, ratio.high);

	draw_axis(html, place, &scale, pairs->bound);
	draw_ends(html, place, comparison);
	if (!isnan(ratio.low))
		svg_rect(html, "band", low, place->line - 7, high - low, 14);
	for (size_t i = 0; i < pairs->n; i++)
		svg_mark(html, html_hue(html, pairs->ratios[i] < 1 ? comparison->a : comparison->b),
			 svg_at(&scale, pairs->ratios[i]), place->line,
			 UNITS_DECIMAL(1 / pairs->ratios[i], 3));
	if (!isnan(ratio.estimate))
		svg_rect(html, "ink", svg_at(&scale, ratio.estimate) - 1.2, place->line - 10, 2.4,
			 20);
}

static void write_note(struct html *html, const struct model_comparison *comparison)
{
	const struct sample_case *cases = html->model->cases;
	const struct variables *variables = &cases[comparison->a].variables;
	char text[VARIABLES_TEXT];

	html_put(html, "<div class=\"note\">A mark is one trial of both: the ratio of their times. "
		       "The bar is their middle");
	if (isnan(comparison->ratio.low))
		html_put(html, "; it has an interval from the first look that was planned on.");
	else
		html_put(html, ", the band its %s interval: real where 1 lies outside.",
			 CLAIM_LEVEL(comparison->level));
	if (variables->n > 0 && variables_equal(variables, &cases[comparison->b].variables))
		html_mixed(html, " Here with ",
			   variables_format(variables, ';', text, sizeof(text)), ".", NULL);
	html_put(html, "</div>\n");
}

static void draw(struct html *html, const struct model_comparison *comparison,
		 const struct pairs *pairs)
{
	char title[3 * HTML_NAME];

	if (pairs->n == 0)
		return;
	snprintf(title, sizeof(title), "Time of %s divided by that of %s, trial by trial",
		 HTML_CASE(html, comparison->b), HTML_CASE(html, comparison->a));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		svg_open_as(html, places[i].style, places[i].width, places[i].height, title,
			    "A mark for each pair of trials on an axis with 1, equally fast, in "
			    "its middle; a bar for the estimate and a band for its interval "
			    "where there is one.");
		draw_pairs(html, &places[i], comparison, pairs);
		svg_close(html);
	}
	write_note(html, comparison);
}

static void open_box(struct html *html, const struct model_comparison *comparison)
{
	char *sentence = report_whole(verdict_read, html->model);
	char badge[VERDICT_BADGE];

	html_put(html, "<section class=\"verdict");
	if (comparison && comparison->verdict == STATS_A)
		html_put(html, " h%u", html_hue(html, comparison->a));
	if (comparison && comparison->verdict == STATS_B)
		html_put(html, " h%u", html_hue(html, comparison->b));
	html_put(html, "\" aria-label=\"Verdict\">");
	if (*verdict_badge_read(html->model, badge, sizeof(badge)))
		html_element(html, "strong", badge);
	html_element(html, "p", sentence ? sentence : "");
	free(sentence);
}

/* The pair that the sentence is about, the same as on the screen. */
static int write_pair(struct html *html, const struct model_comparison *comparison)
{
	struct pairs pairs;
	int err = pairs_read(&pairs, html->model, comparison);

	open_box(html, comparison);
	if (!err)
		draw(html, comparison, &pairs);
	pairs_free(&pairs);
	return err;
}

static int write_warnings(struct html *html)
{
	struct model_warning warnings[MODEL_WARNINGS_MOST];
	char text[SAMPLE_TEXT];
	int n = model_warnings(html->model, warnings);

	for (int i = 0; i < n; i++)
		html_mixed(html, "<p class=\"warning\">! ",
			   warning_text(html->model, &warnings[i], text, sizeof(text)), "</p>\n",
			   NULL);
	return n < 0 ? n : 0;
}

int html_verdict(struct html *html)
{
	struct model_comparison pair;
	struct finding_list list;
	int err = finding_list_read(&list, html->model);

	if (!err)
		err = finding_pair(&list, &pair);
	finding_list_free(&list);
	if (err)
		return err;
	if (pair.a != pair.b)
		err = write_pair(html, &pair);
	else
		open_box(html, NULL);
	html_put(html, "</section>\n");
	return err ? err : write_warnings(html);
}
