/* SPDX-License-Identifier: MIT */
#include "html.h"

#include <math.h>

#include "report/latency.h"
#include "svg.h"

#define NAMES	  168 /* room for them at the left */
#define VALUES	  70  /* for the medians at the right */
#define STEP	  58  /* from row to row */
#define MANY	  8   /* rows; more of them are less high, to fit a sheet */
#define STEP_MANY 42
#define COLUMNS	  180
#define TOP	  4

/* The distributions of all rows on one logarithmic axis. */
struct histograms {
	struct html *html;
	struct latency_row rows[LATENCY_ROWS];
	uint32_t n;
	struct svg_scale scale;
	bool operations;   /* of workers, not their creation */
	double step, half; /* a row's height, and that of a histogram above or below its line */
};

static const char *const styles[MODEL_LATENCIES] = {
	[LATENCY_CALLER] = "cpu", [LATENCY_TASK] = "io", [LATENCY_JOINED] = "other"};

static double column_edge(const struct histograms *h, int column)
{
	return h->scale.low * pow(h->scale.high / h->scale.low, (double)column / COLUMNS);
}

/* The histogram goes up or down from the base line; each by its own highest. */
static void draw_histogram(const struct histograms *h, const struct model_latency_figures *figures,
			   enum model_latency_span span, double base)
{
	double counts[COLUMNS], most = 0, x = h->scale.x, w = h->scale.w / COLUMNS;

	for (int i = 0; i < COLUMNS; i++) {
		counts[i] = latency_between(figures, column_edge(h, i), column_edge(h, i + 1));
		most = fmax(most, counts[i]);
	}
	svg_path(h->html, "%s", styles[span]);
	for (int i = 0; i < COLUMNS; i++) {
		double height = counts[i] > 0 ? fmax(1, counts[i] / most * h->half) : 0;

		if (height > 0)
			svg_block(h->html, x + i * w, span == LATENCY_CALLER ? base - height : base,
				  w + 0.05, height);
	}
	svg_path_end(h->html);
}

static void draw_marks(const struct histograms *h, const struct model_latency_figures *figures,
		       enum model_latency_span span, double base)
{
	const int64_t values[] = {figures->p50, figures->p90, figures->p99};
	static const double widths[] = {2.4, 1, 1}, heights[] = {1, 0.7, 0.7};

	for (int i = 0; i < 3; i++) {
		double x = svg_at(&h->scale, (double)values[i]), height = h->half * heights[i];

		svg_rect(h->html, "ink", x - widths[i] / 2,
			 span == LATENCY_CALLER ? base - height : base, widths[i], height);
	}
}

static void draw_span(const struct histograms *h, const struct model_latency_at *at,
		      enum model_latency_span span, double base)
{
	const struct model_latency_figures *figures = &at->span[span];

	if (figures->n == 0)
		return;
	draw_histogram(h, figures, span, base);
	draw_marks(h, figures, span, base);
	svg_text(h->html, "strong end", SVG_WIDTH, base + (span == LATENCY_CALLER ? -6 : 16), "%s",
		 LATENCY_TEXT(figures->p50));
}

static void draw_row(const struct histograms *h, const struct latency_row *row, double base)
{
	const struct model *model = h->html->model;
	const struct sample_case *one = &model->cases[row->case_id];
	const struct model_latency_at *at = latency_at(model, row);
	char ballast[48], where[64], name[SAMPLE_NAME];

	latency_ballast(model, row->case_id, ballast, sizeof(ballast));
	svg_name(h->html, "strong", 0, base - 5,
		 latency_name(model, row->case_id, name, sizeof(name)), 23);
	svg_text(h->html, "small", 0, base + 10, "%s%s%s",
		 latency_where(model, row, true, where, sizeof(where)), *ballast ? ", " : "",
		 ballast);
	svg_line(h->html, "base", h->scale.x, base, h->scale.x + h->scale.w, base);
	if (!at || at->n == 0) {
		svg_text(h->html, "small", h->scale.x + 4, base - 5, "%s",
			 at ? "none began there" : "not measured");
		return;
	}
	draw_span(h, at, LATENCY_CALLER, base);
	if (one->plan.primitive != PLAN_CALL && !h->operations)
		draw_span(h, at, LATENCY_TASK, base);
}

static void explain_creation(const struct histograms *h)
{
	html_put(h->html, "<figure><figcaption>How many creations took how long, on a logarithmic "
			  "axis; each by its own highest, and even a single one shows. Above a "
			  "line:");
	html_swatch(h->html, styles[LATENCY_CALLER], "until the call returns to the caller.");
	html_put(h->html, "Below it:");
	html_swatch(h->html, styles[LATENCY_TASK], "until the task's first instruction.");
}

static void explain_operations(const struct histograms *h)
{
	html_mixed(h->html,
		   "<figure><figcaption>How many took how long, on a logarithmic axis; "
		   "each by its own highest, and even a single one shows. One is a ",
		   latency_operation(h->html->model), ". ", NULL);
}

static void draw(const struct histograms *h)
{
	double height = h->n * h->step;

	if (h->operations)
		explain_operations(h);
	else
		explain_creation(h);
	html_put(h->html, "Black bars: p50, p90 and p99; at the right, p50.</figcaption>\n");
	if (h->operations)
		svg_open(h->html, height + SVG_AXIS + TOP, "Time of each operation",
			 "A histogram for each case along one logarithmic axis of time; the table "
			 "below has the figures.");
	else
		svg_open(h->html, height + SVG_AXIS + TOP, "Time to create a task",
			 "Two histograms for each way to create a task along one logarithmic axis "
			 "of time, until the call returns and until the task runs; the table below "
			 "has the figures.");
	svg_axis_x(h->html, &h->scale, SVG_TIME, TOP, height);
	for (uint32_t i = 0; i < h->n; i++)
		draw_row(h, &h->rows[i], TOP + (i + 0.5) * h->step);
	svg_close(h->html);
	html_put(h->html, "</figure>\n");
}

int html_latency(struct html *html)
{
	struct histograms h = {.html = html, .operations = model_has_operations(html->model)};
	char text[512];
	int err;

	if (!model_has_latency(html->model) && !h.operations)
		return 0;
	h.scale = (struct svg_scale) {.x = NAMES, .w = SVG_WIDTH - NAMES - VALUES, .log = true};
	latency_range(html->model, &h.scale.low, &h.scale.high);
	h.n = latency_rows(html->model, PLAN_PLACEMENTS, h.rows);
	h.step = h.n > MANY ? STEP_MANY : STEP;
	h.half = 0.38 * h.step;
	html_section(html, h.operations ? "Time of each operation" : "Time to create a task");
	html_mixed(html, "<p>", latency_conditions(html->model, false, text, sizeof(text)),
		   "</p>\n", NULL);
	draw(&h);
	err = html_table(html, h.operations ? TABLE_OPERATIONS : TABLE_LATENCY);
	html_put(html, "</section>\n");
	return err;
}
