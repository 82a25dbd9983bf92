/* SPDX-License-Identifier: MIT */
#include "write_parts.h"

#include <inttypes.h>
#include <math.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/names.h"
#include "base/units.h"
#include "draw/draw.h"
#include "result/report.h"
#include "model/model_lanes.h"

/*
 * Pictures for a report, also for print: dark on white, and readable without colour. Lengths are in
 * pixels.
 */
enum {
	PAPER_W = 720,
	PLOT_X = 190, /* Left edge of the plot. The names are left of the plot. */
	PLOT_W = 300,
	TEXT_X = PLOT_X + PLOT_W + 12, /* Left edge of the figures. */
	ROW_H = 20,
	LANE_H = 9,
	HEAD_H = 30,
	/* A run has at most this many rows. With more, a reader could not distinguish them. */
	WORKERS_MOST = 32,
	NAME_CHARS = 26
};

static void begin_plot(FILE *out, int height, const char *title)
{
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		PAPER_W, height, PAPER_W, height);
	write_marked(out, write_html, "<title>%s</title>\n", title);
}

static void draw_text(FILE *out, int x, int y, bool at_end, const char *text)
{
	fprintf(out, "<text x=\"%d\" y=\"%d\"%s>", x, y, at_end ? " text-anchor=\"end\"" : "");
	write_html(out, text);
	fputs("</text>\n", out);
}

/* The case's name, shortened to fit left of the plot. */
static void draw_name(const struct model *model, uint32_t case_id, int y, FILE *out)
{
	const char *name = MODEL_CASE_NAME(model, case_id);
	char text[4 * NAME_CHARS + 1];

	draw_text(out, PLOT_X - 12, y, true,
		  names_fit(&name, 1, 0, NAME_CHARS, "…", text, sizeof(text)));
}

/*
 * Draws one metric: a row for each case, from 0 to the highest value. Returns the y coordinate
 * below the rows.
 */
static int draw_metric(const struct model *model, enum model_metric metric, int y, FILE *out)
{
	struct report_summary summary;
	double most = 0;

	for (uint32_t i = 0; i < model->n_cases; i++)
		if (report_summarize(model, i, metric, &summary) == 0 && summary.n > 0)
			most = fmax(most,
				    fmax(summary.median.estimate,
					 isnan(summary.median.high) ? 0 : summary.median.high));
	draw_text(out, PLOT_X, y + 14, false, answer_title(model, metric));
	y += HEAD_H;
	for (uint32_t i = 0; i < model->n_cases; i++, y += ROW_H) {
		const double scale = most > 0 ? PLOT_W / most : 0;
		const struct stats_interval *median = &summary.median;
		char text[80];

		draw_name(model, i, y, out);
		if (report_summarize(model, i, metric, &summary) != 0 || summary.n == 0) {
			draw_text(out, TEXT_X, y, false, "?");
			continue;
		}
		fprintf(out,
			"<circle cx=\"%.1f\" cy=\"%d\" r=\"4\" fill=\"#fff\" stroke=\"#000\" "
			"stroke-width=\"1.5\"/>\n",
			PLOT_X + median->estimate * scale, y - 4);
		if (!isnan(median->low) && !isnan(median->high))
			fprintf(out,
				"<path d=\"M%.1f %dv8m0-4H%.1fm0-4v8\" stroke=\"#000\" "
				"fill=\"none\"/>\n",
				PLOT_X + median->low * scale, y - 8, PLOT_X + median->high * scale);
		snprintf(text, sizeof(text), isnan(median->low) ? "%s" : "%s (%s to %s)",
			 METRIC_TEXT(metric, median->estimate), METRIC_TEXT(metric, median->low),
			 METRIC_TEXT(metric, median->high));
		draw_text(out, TEXT_X, y, false, text);
	}
	fprintf(out, "<path d=\"M%d %dh%d\" stroke=\"#000\"/>\n", PLOT_X, y - 10, PLOT_W);
	draw_text(out, PLOT_X, y + 4, false, "0");
	draw_text(out, PLOT_X + PLOT_W, y + 4, true, METRIC_TEXT(metric, most));
	return y + HEAD_H;
}

int plot_medians(const struct model *model, FILE *out)
{
	struct answer answer;
	char line[HEADLINE_BADGE + HEADLINE_TEXT];
	int err = answer_read(&answer, model), y = 2 * HEAD_H;

	if (err)
		return err;
	begin_plot(out,
		   y + HEAD_H + (int)answer.n_metrics * (2 * HEAD_H + ROW_H * (int)model->n_cases),
		   headline_line(model, line, sizeof(line)));
	draw_text(out, 12, 20, false, model->session.title);
	for (uint32_t i = 0; i < answer.n_metrics; i++)
		y = draw_metric(model, answer.metrics[i], y, out);
	draw_text(out, 12, y, false,
		  "Circle: median of the trials. Bar: its 95 % interval. ?: not known.");
	fputs("</svg>\n", out);
	answer_free(&answer);
	return report_finish(out);
}

/* The stretches of one worker in one state, as a path. */
struct stretches {
	FILE *out;
	enum model_state state;
	double scale; /* pixels per ns */
	int y;
};

static void draw_stretch(void *arg, const struct model_stretch *stretch)
{
	const struct stretches *lane = arg;

	if (stretch->state == lane->state)
		fprintf(lane->out, "M%.2f %dh%.2f", PLOT_X + (double)stretch->from_ns * lane->scale,
			lane->y, (double)(stretch->to_ns - stretch->from_ns) * lane->scale);
}

/*
 * Draws a worker's lane. Time on a core has the worker's colour from the light theme, as on the
 * screen and on the page.
 */
static void draw_lane(const struct model *model, const struct model_run *run, uint32_t index,
		      double scale, int y, FILE *out)
{
	static const struct {
		enum model_state state;
		const char *style;
	} drawn[] = {{STATE_UNKNOWN, "stroke=\"#888\" stroke-width=\"5\""},
		     {STATE_BLOCKED, "stroke=\"#000\" stroke-width=\"1\" stroke-dasharray=\"1 3\""},
		     {STATE_WAITING, "stroke=\"#888\" stroke-width=\"2\""},
		     {STATE_ON, "stroke-width=\"6\""}};
	const struct theme_colour *ink = &theme_find("light")->colour[plot_worker_colour(index)];
	const struct sample_worker worker = model_worker(model, run, index);
	const int64_t from = sample_worker_begin(&worker);
	const int64_t to = fields_known_or(worker.finish_ns, model_length(model, run));

	if (from < 0 || to <= from)
		return;
	for (size_t i = 0; i < LENGTH(drawn); i++) {
		struct stretches lane = {out, drawn[i].state, scale, y};

		fprintf(out, "<path fill=\"none\" %s", drawn[i].style);
		if (drawn[i].state == STATE_ON)
			fprintf(out, " stroke=\"#%06x\"", ink->rgb);
		fputs(" d=\"M0 0", out);
		if (model_has_slices(run))
			model_stretches(model, run, index, from, to, draw_stretch, &lane);
		else if (drawn[i].state == STATE_UNKNOWN)
			draw_stretch(&lane,
				     &(struct model_stretch) {from, to, STATE_UNKNOWN, -1, 0});
		fputs("\"/>\n", out);
	}
}

int plot_timelines(const struct model *model, FILE *out)
{
	int y = HEAD_H, height = 4 * HEAD_H;
	int64_t longest = 1;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = export_typical_run(model, i);

		if (run)
			longest = MAX(longest, model_length(model, run));
		height += HEAD_H + LANE_H * (run ? (int)MIN(run->n_workers, WORKERS_MOST) : 0);
	}
	begin_plot(out, height, model->session.title);
	draw_text(out, 12, 20, false, model->session.title);
	for (uint32_t i = 0; i < model->n_cases; i++, y += HEAD_H) {
		const struct model_run *run = export_typical_run(model, i);
		const uint32_t n = run ? MIN(run->n_workers, WORKERS_MOST) : 0;
		char text[80];

		draw_name(model, i, y + 12, out);
		if (!run) {
			draw_text(out, TEXT_X, y + 12, false, "?");
			continue;
		}
		snprintf(text, sizeof(text),
			 n < run->n_workers ? "trial %u: %s, %u of %u workers" : "trial %u: %s",
			 run->id.trial, UNITS_TIME(model_length(model, run), false), n,
			 run->n_workers);
		draw_text(out, TEXT_X, y + 12, false, text);
		for (uint32_t k = 0; k < n; k++, y += LANE_H)
			draw_lane(model, run, k, PLOT_W / (double)longest, y + 8, out);
	}
	fprintf(out, "<path d=\"M%d %dh%d\" stroke=\"#000\"/>\n", PLOT_X, y, PLOT_W);
	draw_text(out, PLOT_X, y + 14, false, "0");
	draw_text(out, PLOT_X + PLOT_W, y + 14, true, UNITS_TIME(longest, false));
	draw_text(
		out, 12, y + 36, false,
		"In colour: on a core. Grey line: waiting for a core. Dots: blocked. Grey bar: not "
		"known.");
	draw_text(out, 12, y + 54, false,
		  "Each row is a worker of the run that is nearest to the median.");
	fputs("</svg>\n", out);
	return report_finish(out);
}
