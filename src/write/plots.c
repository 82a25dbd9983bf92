/* SPDX-License-Identifier: MIT */
#include "write_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/names.h"
#include "base/units.h"
#include "draw/plot.h"
#include "draw/text.h"
#include "draw/theme.h"
#include "result/report.h"
#include "model/model_latency.h"
#include "model/model_lanes.h"

/*
 * Pictures for a report, also for print: dark on white, and readable without colour. Lengths are in
 * pixels.
 */
enum {
	PAPER_W = 720,
	PAPER_MARGIN = 12,
	PLOT_X = 252, /* Left edge of the medians. The names are left of the plot. */
	PLOT_W = 248,
	TEXT_X = PLOT_X + PLOT_W + PAPER_MARGIN, /* Left edge of the figures. */
	TIME_X = 132,				 /* Left edge of the timelines. */
	TIME_W = PAPER_W - TIME_X - 2 * PAPER_MARGIN,
	LINE_H = 18,
	ROW_H = 20,
	LANE_H = 12,
	GAP_H = 12,
	TICK_H = 5,
	NAME_CHARS = 34,
	LANE_CHARS = 22,
	TITLE_CHARS = 90,
	ANSWER_CHARS = 110,
	TICKS = 5,
	/*
	 * Largest numbers for which a picture fits on a page. If there are more rows, the first
	 * rows are drawn, and a line says how many are left out.
	 */
	ROWS_MOST = 48,
	LANES_MOST = 64,
	RUNS_DRAWN = 24,
	CALLS_DRAWN = 12, /* Number of cases of creation. Each case has an axis of its own. */
	LANES_OF_CASE = 16,
	/* Number of lanes for a case of creation, because all of its tasks are alike. */
	LANES_OF_CALLS = 3
};

/* If values differ by more than this factor, they are drawn on a logarithmic axis. */
#define LINEAR_MOST 20

/* A picture. Its height is known only after its body has been drawn. */
struct plot {
	FILE *body;
	char *text;
	size_t size;
	int y;
	int x, w; /* Left edge and width of the plot's area. */
};

static void draw_words(struct plot *plot, int x, int y, const char *style, const char *text)
{
	fprintf(plot->body, "<text x=\"%d\" y=\"%d\"%s>", x, y, style);
	write_html(plot->body, text);
	fputs("</text>\n", plot->body);
}
#define AT_END	  " text-anchor=\"end\""
#define IN_MIDDLE " text-anchor=\"middle\""
#define BOLD	  " font-weight=\"bold\""
#define FINE	  " font-size=\"9\""

static void draw_line(struct plot *plot, const char *text)
{
	draw_words(plot, PAPER_MARGIN, plot->y + LINE_H - 5, "", text);
	plot->y += LINE_H;
}

/* Begins with the title and the answer. The answer's badge also says how busy the machine was. */
static int begin_plot(struct plot *plot, const struct model *model, int x, int w)
{
	const char *title = model->session.title, *next;
	char text[4 * TITLE_CHARS + 1], answer[HEADLINE_BADGE + HEADLINE_TEXT];

	*plot = (struct plot) {.y = 4, .x = x, .w = w};
	plot->body = open_memstream(&plot->text, &plot->size);
	if (!plot->body)
		return -errno;
	names_fit(&title, 1, 0, TITLE_CHARS, "…", text, sizeof(text));
	draw_words(plot, PAPER_MARGIN, plot->y + LINE_H - 5, BOLD, text);
	plot->y += LINE_H;
	for (const char *line = headline_line(model, answer, sizeof(answer)); *line; line = next) {
		text_line(line, ANSWER_CHARS, &next);
		snprintf(text, sizeof(text), "%.*s", (int)(next - line), line);
		draw_line(plot, text);
	}
	plot->y += GAP_H;
	return 0;
}

static int end_plot(struct plot *plot, const char *title, FILE *out)
{
	const int height = plot->y + GAP_H;

	if (fclose(plot->body)) {
		free(plot->text);
		return -ENOMEM;
	}
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		PAPER_W, height, PAPER_W, height);
	write_marked(out, write_html, "<title>%s</title>\n", title);
	fprintf(out, "%s</svg>\n", plot->text);
	free(plot->text);
	return report_finish(out);
}

/* The cases that a picture shows. Their names are cut to fit, and still differ from each other. */
struct plot_cases {
	uint32_t ids[ROWS_MOST];
	char names[ROWS_MOST][SAMPLE_NAME];
	uint32_t n;
	uint32_t more;	  /* Number of cases left out because the picture is full. */
	uint32_t missing; /* Number of cases left out because they have no value. */
	enum reason why;  /* why the first of the missing cases has no value */
	bool unpinned;	  /* The tasks of the first missing case were not pinned. */
};

/*
 * Whether the case has a value of the metric or, for METRICS, a run to draw. In a session that
 * creates tasks one by one, only cases with a value of the headline metric are drawn.
 */
static bool has_value(const struct model *model, uint32_t case_id, enum model_metric metric)
{
	struct report_summary summary;

	if (metric == METRICS && !model_has_latency(model))
		return export_typical_run(model, case_id) != NULL;
	if (metric == METRICS)
		metric = model_headline(model);
	return report_summarize(model, case_id, metric, &summary) == 0 && summary.n > 0;
}

/* Lists the cases that have a value of the metric, in the order of the answer. */
static void list_cases(const struct model *model, const struct answer *answer,
		       enum model_metric metric, uint32_t most, struct plot_cases *cases)
{
	cases->n = cases->more = cases->missing = 0;
	cases->why = REASON_NOT_KNOWN;
	cases->unpinned = false;
	for (uint32_t at = 0; at < answer->n_rows; at++) {
		const uint32_t id = answer->rows[answer->order[at]].case_id;

		if (metric == METRICS && model->cases[id].plan.primitive == PLAN_CALL)
			continue;
		if (!has_value(model, id, metric)) {
			if (cases->missing++ > 0)
				continue;
			cases->unpinned = model->cases[id].plan.placement > PLAN_PINNED;
			if (metric < METRICS)
				cases->why = report_missed(model, id, metric);
		} else if (cases->n == most) {
			cases->more++;
		} else {
			model_case_name(model, id, cases->names[cases->n], SAMPLE_NAME);
			cases->ids[cases->n++] = id;
		}
	}
}

/* The name of the i-th case, shortened to at most `most` columns. */
static char *short_name(const struct plot_cases *cases, uint32_t i, int most, char *buf,
			size_t size)
{
	const char *names[ROWS_MOST];

	for (uint32_t k = 0; k < cases->n; k++)
		names[k] = cases->names[k];
	return names_fit(names, cases->n, i, most, "…", buf, size);
}

/* Says how many cases are not in the picture, and why. */
static void draw_missing(struct plot *plot, const struct model *model,
			 const struct plot_cases *cases)
{
	const uint32_t missing = cases->missing;
	const char *why = "no trial has a value";
	char text[256];

	if (cases->more > 0) {
		snprintf(text, sizeof(text), "and %u more configuration%s, see session.json",
			 cases->more, sentence_plural(cases->more));
		draw_line(plot, text);
	}
	if (missing == 0)
		return;
	if (cases->unpinned)
		why = missing == 1 ? "it was not pinned to one core"
				   : "they were not pinned to one core";
	else if (cases->why != REASON_NOT_KNOWN && cases->why != REASON_NONE)
		why = reason_sentence(cases->why);
	snprintf(text, sizeof(text), "%u configuration%s left out: %s.", missing,
		 missing == 1 ? " is" : "s are", why);
	draw_line(plot, text);
}

/* The kinds of a case's workers. Each has its own mark, so that print needs no colour. */
enum workers_kind { OF_THREADS, OF_PROCESSES, OF_BOTH, OF_NONE, PLOT_KINDS };

static enum workers_kind kind_of(const struct model *model, uint32_t case_id)
{
	const struct plan *plan = &model->cases[case_id].plan;
	bool threads = false, processes = false;

	if (plan->primitive == PLAN_CALL)
		return OF_NONE;
	for (uint32_t level = 0; level < plan->levels; level++) {
		threads |= plan->task[level] == PLAN_THREAD;
		processes |= plan->task[level] == PLAN_PROCESS;
	}
	if (threads && processes)
		return OF_BOTH;
	if (threads)
		return OF_THREADS;
	return OF_PROCESSES;
}

static void draw_mark(struct plot *plot, enum workers_kind kind, double x, int y)
{
	static const char *const shapes[PLOT_KINDS] = {[OF_THREADS] =
							       "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
						       [OF_PROCESSES] = "m-4-4h8v8h-8z",
						       [OF_BOTH] = "m0-5l5 5l-5 5l-5-5z",
						       [OF_NONE] = "m-4-4l8 8m0-8l-8 8"};
	static const char *const fills[PLOT_KINDS] = {"#fff", "#000", "#888", "none"};

	fprintf(plot->body,
		"<path d=\"M%.1f %d%s\" fill=\"%s\" stroke=\"#000\" stroke-width=\"1.5\"/>\n", x, y,
		shapes[kind], fills[kind]);
}

static double plot_place(const struct plot *plot, const struct scale *scale, double value)
{
	return plot->x + plot->w * fmin(fmax(scale_share(scale, value), 0), 1);
}

/* Draws a tick of the axis: its label, and a vertical line through all rows. */
static void draw_tick(struct plot *plot, double x, int top, const char *label)
{
	fprintf(plot->body, "<path d=\"M%.1f %dV%d\" stroke=\"#bbb\"/>\n", x, top, plot->y);
	draw_words(plot, (int)x, plot->y + 14, IN_MIDDLE, label);
}

static void draw_axis(struct plot *plot)
{
	fprintf(plot->body, "<path d=\"M%d %dh%d\" stroke=\"#000\"/>\n", plot->x, plot->y, plot->w);
	plot->y += LINE_H + GAP_H;
}

static struct scale metric_scale(const struct model *model, enum model_metric metric,
				 const struct plot_cases *cases)
{
	const bool binary = metric_table[metric].memory > 0;
	struct report_summary summary;
	double least = INFINITY, most = 0;

	for (uint32_t i = 0; i < cases->n; i++) {
		if (report_summarize(model, cases->ids[i], metric, &summary) != 0)
			continue;
		/* fmin() and fmax() ignore an end that is not known. */
		least = fmin(least, fmin(summary.median.estimate, summary.median.low));
		most = fmax(most, fmax(summary.median.estimate, summary.median.high));
	}
	if (least > 0 && most > LINEAR_MOST * least)
		return scale_log(least, most, binary);
	return (struct scale) {.high = most > 0 ? most * 1.05 : 1, .binary = binary};
}

static void draw_median(struct plot *plot, const struct model *model, enum model_metric metric,
			const struct answer_cell *cell, uint32_t case_id, const struct scale *scale)
{
	const int y = plot->y + ROW_H / 2;
	struct report_summary summary;
	const struct stats_interval *median = &summary.median;
	char text[96];

	if (report_summarize(model, case_id, metric, &summary) != 0)
		return;
	if (!isnan(median->low) && !isnan(median->high))
		fprintf(plot->body,
			"<path d=\"M%.1f %dv8m0-4H%.1fm0-4v8\" stroke=\"#000\" fill=\"none\"/>\n",
			plot_place(plot, scale, median->low), y - 4,
			plot_place(plot, scale, median->high));
	draw_mark(plot, kind_of(model, case_id), plot_place(plot, scale, median->estimate), y);
	snprintf(text, sizeof(text), isnan(median->low) ? "%s%s" : "%s%s (%s to %s)",
		 METRIC_MARKED(cell->seen, cell->estimated), METRIC_TEXT(metric, median->estimate),
		 METRIC_TEXT(metric, median->low), METRIC_TEXT(metric, median->high));
	draw_words(plot, TEXT_X, y + 4, "", text);
}

static const struct answer_cell *cell_of(const struct answer *answer, uint32_t case_id,
					 uint32_t place)
{
	for (uint32_t row = 0; row < answer->n_rows; row++)
		if (answer->rows[row].case_id == case_id)
			return &answer->rows[row].cells[place];
	return &answer->rows[0].cells[place];
}

/* Draws one metric: a row for each case that has it. */
static void draw_metric(struct plot *plot, const struct model *model, const struct answer *answer,
			uint32_t place)
{
	const enum model_metric metric = answer->metrics[place];
	const char *title = answer_title(model, metric);
	const int top = plot->y + LINE_H;
	struct plot_cases cases;
	struct scale scale;
	double ticks[SCALE_TICKS];
	char text[4 * NAME_CHARS + 80];
	int n;

	list_cases(model, answer, metric, ROWS_MOST / answer->n_metrics, &cases);
	scale = metric_scale(model, metric, &cases);
	n = scale_ticks(&scale, TICKS, ticks);
	snprintf(text, sizeof(text), scale.log ? "%s (logarithmic axis)" : "%s", title);
	draw_words(plot, PLOT_X, plot->y + LINE_H - 5, BOLD, text);
	plot->y = top + (int)cases.n * ROW_H;
	for (int i = 0; i < n; i++)
		draw_tick(plot, plot_place(plot, &scale, ticks[i]), top,
			  ticks[i] == 0 ? "0" : METRIC_TEXT(metric, ticks[i]));
	plot->y = top;
	for (uint32_t i = 0; i < cases.n; i++, plot->y += ROW_H) {
		draw_words(plot, PLOT_X - PAPER_MARGIN, plot->y + ROW_H / 2 + 4, AT_END,
			   short_name(&cases, i, NAME_CHARS, text, sizeof(text)));
		draw_median(plot, model, metric, cell_of(answer, cases.ids[i], place), cases.ids[i],
			    &scale);
	}
	draw_axis(plot);
	draw_missing(plot, model, &cases);
	plot->y += GAP_H;
}

/* Explains the marks that the picture has. */
static void draw_marks(struct plot *plot, const struct model *model, const struct answer *answer)
{
	static const char *const kinds[PLOT_KINDS] = {"threads", "processes", "both", "no task"};
	bool has[PLOT_KINDS] = {false}, estimated = false, least = false, most = false;
	int x = PAPER_MARGIN + 5;

	for (uint32_t row = 0; row < answer->n_rows; row++) {
		has[kind_of(model, answer->rows[row].case_id)] = true;
		for (uint32_t i = 0; i < answer->n_metrics; i++) {
			const struct answer_cell *cell = &answer->rows[row].cells[i];
			const char *mark = METRIC_MARKED(cell->seen, cell->estimated);

			estimated |= strstr(mark, "~") != NULL;
			least |= strstr(mark, "≥") != NULL;
			most |= strstr(mark, "≤") != NULL;
		}
	}
	for (int kind = 0; kind < PLOT_KINDS; kind++) {
		if (!has[kind])
			continue;
		draw_mark(plot, (enum workers_kind)kind, x, plot->y + LINE_H - 9);
		draw_words(plot, x + 10, plot->y + LINE_H - 5, "", kinds[kind]);
		x += 90;
	}
	plot->y += LINE_H;
	draw_line(plot, "Mark: median of the trials. Bar: its 95 % interval, if there are enough "
			"trials.");
	if (estimated)
		draw_line(plot, "~: an estimate.");
	if (least)
		draw_line(plot, "≥: at least, the highest of some readings.");
	if (most)
		draw_line(plot, "≤: at most.");
}

int plot_medians(const struct model *model, FILE *out)
{
	struct answer answer;
	struct plot plot;
	char line[HEADLINE_BADGE + HEADLINE_TEXT];
	int err = answer_read(&answer, model);

	if (!err)
		err = begin_plot(&plot, model, PLOT_X, PLOT_W);
	if (!err) {
		for (uint32_t i = 0; i < answer.n_metrics; i++)
			draw_metric(&plot, model, &answer, i);
		draw_marks(&plot, model, &answer);
		err = end_plot(&plot, headline_line(model, line, sizeof(line)), out);
	}
	answer_free(&answer);
	return err;
}

/* The time that an axis covers, since the run's beginning. */
/* What the axis of timelines shows, since the start of the run. */
struct time_span {
	int64_t from_ns, to_ns;
};

/* Width of a time on the axis, in pixels. */
static double span_width(const struct time_span *span, int64_t ns)
{
	return TIME_W * ((double)ns / (double)(span->to_ns - span->from_ns));
}

/* The stretches of one worker in one state, as a path. */
struct stretches {
	FILE *out;
	enum model_state state;
	const struct time_span *span;
	int y;
	double edge; /* Pixels to leave free at both ends. */
};

/* Least width of a stretch in pixels, so that it is visible in print. */
#define STRETCH_LEAST 1.2

static void draw_stretch(void *arg, const struct model_stretch *stretch)
{
	const struct stretches *lane = arg;

	const struct time_span *span = lane->span;
	const double x = TIME_X + span_width(span, stretch->from_ns - span->from_ns);
	const double w = fmax(STRETCH_LEAST, span_width(span, stretch->to_ns - stretch->from_ns));

	if (stretch->state == lane->state && w > 2 * lane->edge)
		fprintf(lane->out, "M%.2f %dh%.2f", x + lane->edge, lane->y, w - 2 * lane->edge);
}

/* For tasks that are created one by one: from the call to the first instruction. */
#define STATE_CALLED MODEL_STATES

/*
 * The states of a worker, in the order in which they are drawn. Print may have no colours, so only
 * time on a core is a filled bar, and unknown time is a hollow one.
 */
static const struct drawn_state {
	enum model_state state;
	const char *style, *inside, *words;
} drawn_states[] = {
	{STATE_BLOCKED, "stroke=\"#000\" stroke-width=\"1\" stroke-dasharray=\"1 3\"", NULL,
	 "blocked"},
	{STATE_WAITING, "stroke=\"#888\" stroke-width=\"2\"", NULL, "waits for a core"},
	{STATE_UNKNOWN, "stroke=\"#000\" stroke-width=\"6\"", "stroke=\"#fff\" stroke-width=\"4\"",
	 "alive, state not known"},
	{STATE_ON, "stroke-width=\"7\"", NULL, "on a core"},
	{STATE_CALLED, "stroke=\"#000\" stroke-width=\"3\" stroke-dasharray=\"4 2\"", NULL,
	 "from the call to the first instruction"},
};

/*
 * Draws the stretches of a worker's lane whose style is `style`. colour: of stretches on a core.
 * Returns whether there are any.
 */
static bool draw_state(struct plot *plot, const struct model *model, const struct model_run *run,
		       uint32_t index, struct stretches *lane, const char *style, uint32_t colour)
{
	const struct sample_worker worker = model_worker(model, run, index);
	const bool called = model_has_latency(model) && worker.create_ns >= 0 &&
			    worker.start_ns > worker.create_ns;
	const int64_t from = called ? worker.start_ns : sample_worker_begin(&worker);
	const int64_t to = fields_known_or(worker.finish_ns, model_length(model, run));
	char *path = NULL;
	size_t size = 0;

	if (from < 0 || to < from || (to == from && !called))
		return false;
	lane->out = open_memstream(&path, &size);
	if (!lane->out)
		return false;
	if (lane->state == STATE_CALLED && called)
		draw_stretch(lane,
			     &(struct model_stretch) {worker.create_ns, from, STATE_CALLED, -1, 0});
	else if (model_has_slices(run))
		model_stretches(model, run, index, from, to, draw_stretch, lane);
	else if (lane->state == STATE_UNKNOWN)
		draw_stretch(lane, &(struct model_stretch) {from, to, STATE_UNKNOWN, -1, 0});
	if (fclose(lane->out) != 0)
		size = 0;
	if (size > 0) {
		fprintf(plot->body, "<path fill=\"none\" %s", style);
		if (lane->state == STATE_ON)
			fprintf(plot->body, " stroke=\"#%06x\"", colour);
		fprintf(plot->body, " d=\"%s\"/>\n", path);
	}
	free(path);
	return size > 0;
}

/*
 * Draws a worker's lane. Time on a core has the worker's colour from the light theme, as on the
 * screen and on the page. drawn: set for each state that occurs.
 */
static void draw_lane(struct plot *plot, const struct model *model, const struct model_run *run,
		      uint32_t index, const struct time_span *span,
		      bool drawn[LENGTH(drawn_states)])
{
	const struct theme_colour *ink = &theme_find("light")->colour[plot_worker_colour(index)];

	for (size_t i = 0; i < LENGTH(drawn_states); i++) {
		const struct drawn_state *state = &drawn_states[i];
		struct stretches lane = {
			.state = state->state, .span = span, .y = plot->y + LANE_H / 2};

		drawn[i] |= draw_state(plot, model, run, index, &lane, state->style, ink->rgb);
		lane.edge = 1;
		if (state->inside)
			draw_state(plot, model, run, index, &lane, state->inside, ink->rgb);
	}
}

/* How many workers of a run are drawn in a picture of n_cases cases. */
static uint32_t lanes_of(const struct model *model, const struct model_run *run, uint32_t n_cases)
{
	const uint32_t share = LANES_MOST / n_cases;

	if (model_has_latency(model))
		return MIN(run->n_workers, LANES_OF_CALLS);
	return MIN(run->n_workers, MAX(2, MIN(share, LANES_OF_CASE)));
}

/*
 * The first task that is drawn. The statistics leave out the first creation of a run, so it is
 * drawn only if there are no others.
 */
static uint32_t first_lane(const struct model *model, const struct model_run *run, uint32_t n)
{
	return model_has_latency(model) && run->n_workers > n;
}

/*
 * The part of a run that the axis shows. Usually, all of it. If tasks are created one by one, the
 * time from the first call to the last end of the n tasks that are drawn.
 */
static struct time_span drawn_span(const struct model *model, const struct model_run *run,
				   uint32_t n)
{
	struct time_span span = {0, MAX(1, model_length(model, run))};

	if (!model_has_latency(model))
		return span;
	span = (struct time_span) {INT64_MAX, 1};
	for (uint32_t i = 0; i < n; i++) {
		const struct sample_worker worker =
			model_worker(model, run, first_lane(model, run, n) + i);
		const int64_t begin_ns =
			fields_known_or(worker.create_ns, sample_worker_begin(&worker));

		if (begin_ns >= 0)
			span.from_ns = MIN(span.from_ns, begin_ns);
		span.to_ns = MAX(span.to_ns, worker.finish_ns);
	}
	if (span.from_ns >= span.to_ns)
		span.from_ns = 0;
	return span;
}

static void draw_run(struct plot *plot, const struct model *model, const struct model_run *run,
		     const char *name, uint32_t n, const struct time_span *span,
		     bool drawn[LENGTH(drawn_states)])
{
	const struct plan *plan = &model->cases[run->id.case_id].plan;
	const uint32_t first = first_lane(model, run, n);
	char text[4 * TITLE_CHARS + 128], worker[SAMPLE_NAME];
	struct sentence s = sentence_in(text, sizeof(text));

	sentence_add(&s, "%s: trial %u", name, run->id.trial);
	/* If only the first tasks are drawn, the axis shows less than the run's time. */
	if (!model_has_latency(model)) {
		sentence_add(&s, ", %s", UNITS_TIME(model_elapsed(model, run), false));
		if (run->totals.held_ns > 0)
			sentence_add(&s, " + %s held", UNITS_TIME(run->totals.held_ns, false));
	}
	if (first > 0)
		sentence_add(&s, ", tasks %u to %u of %u", first + 1, first + n, run->n_workers);
	else if (n < run->n_workers)
		sentence_add(&s, ", the first %u of %u", n, run->n_workers);
	draw_line(plot, text);
	for (uint32_t i = first; i < first + n; i++, plot->y += LANE_H) {
		const char *whole = plan_name(plan, i, worker, sizeof(worker));

		draw_words(plot, plot->x - PAPER_MARGIN, plot->y + LANE_H / 2 + 3, AT_END FINE,
			   names_fit(&whole, 1, 0, LANE_CHARS, "…", text, sizeof(text)));
		draw_lane(plot, model, run, i, span, drawn);
	}
	plot->y += GAP_H / 2;
}

/* Explains the states that the picture has. */
static void draw_states(struct plot *plot, const bool drawn[LENGTH(drawn_states)])
{
	int x = PAPER_MARGIN;

	for (size_t i = LENGTH(drawn_states); i-- > 0;) {
		const struct drawn_state *state = &drawn_states[i];
		const char *styles[] = {state->style, state->inside};

		for (size_t k = 0; k < LENGTH(styles); k++)
			if (drawn[i] && styles[k])
				fprintf(plot->body, "<path %s%s d=\"M%d %dh24\"/>\n", styles[k],
					state->state == STATE_ON ? " stroke=\"#444\"" : "", x,
					plot->y + LINE_H - 9);
		if (!drawn[i])
			continue;
		draw_words(plot, x + 30, plot->y + LINE_H - 5, "", state->words);
		x += 180;
	}
	plot->y += LINE_H;
}

/* Draws the time axis, below the runs. */
static void draw_time(struct plot *plot, int64_t longest)
{
	const struct scale scale = {.high = (double)longest};
	const struct scale_unit *unit = scale_unit(scale.high, false);
	double ticks[SCALE_TICKS];
	int n = scale_ticks(&scale, TICKS, ticks);
	char text[48];

	for (int i = 0; i < n; i++) {
		snprintf(text, sizeof(text), ticks[i] == 0 ? "0" : "%g %s", ticks[i] / unit->size,
			 unit->name);
		draw_tick(plot, plot_place(plot, &scale, ticks[i]), plot->y - TICK_H, text);
	}
	draw_axis(plot);
}

/* The time of the longest run. */
static struct time_span longest_span(const struct model *model, const struct plot_cases *cases)
{
	struct time_span longest = {0, 1};

	for (uint32_t i = 0; i < cases->n; i++) {
		const struct model_run *run = export_typical_run(model, cases->ids[i]);

		if (run)
			longest.to_ns = MAX(longest.to_ns, drawn_span(model, run, 0).to_ns);
	}
	return longest;
}

static void draw_runs(struct plot *plot, const struct model *model, const struct plot_cases *cases)
{
	/*
	 * Creating a process takes up to 50 times as long as creating a thread, so the two need
	 * separate axes.
	 */
	const bool apart = model_has_latency(model);
	struct time_span span = longest_span(model, cases);
	bool drawn[LENGTH(drawn_states)] = {false};
	char name[4 * TITLE_CHARS + 1];

	for (uint32_t i = 0; i < cases->n; i++) {
		const struct model_run *run = export_typical_run(model, cases->ids[i]);
		uint32_t n;

		if (!run)
			continue;
		n = lanes_of(model, run, cases->n);
		if (apart)
			span = drawn_span(model, run, n);
		draw_run(plot, model, run,
			 short_name(cases, i, TITLE_CHARS - 30, name, sizeof(name)), n, &span,
			 drawn);
		if (apart)
			draw_time(plot, span.to_ns - span.from_ns);
	}
	if (!apart)
		draw_time(plot, span.to_ns);
	draw_missing(plot, model, cases);
	draw_states(plot, drawn);
	if (apart)
		draw_line(plot, "Each row is a task, in the run whose time is nearest to the "
				"median. Each axis has its own length.");
	else
		draw_line(plot,
			  "Each row is a worker, in the run whose time is nearest to the median.");
}

int plot_timelines(const struct model *model, FILE *out)
{
	struct answer answer;
	struct plot_cases cases;
	struct plot plot;
	int err = answer_read(&answer, model);

	if (!err)
		err = begin_plot(&plot, model, TIME_X, TIME_W);
	if (!err) {
		list_cases(model, &answer, METRICS,
			   model_has_latency(model) ? CALLS_DRAWN : RUNS_DRAWN, &cases);
		draw_runs(&plot, model, &cases);
		err = end_plot(&plot, model->session.title, out);
	}
	answer_free(&answer);
	return err;
}
