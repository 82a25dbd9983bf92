/* SPDX-License-Identifier: MIT */
#include "views.h"

#include <stddef.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "base/units.h"

/*
 * The time from able to run to on a core, where wake-ups are seen: for each case a distribution for
 * each kind of them, on a common logarithmic axis.
 */

enum { NAME_MOST = 20, KIND_W = 13, FIGURE_W = 9, BARS_MOST = 4, PLOT_LEAST = 8, ROOMY = 90 };
enum { ROWS = SAMPLE_MAX_CASES * MODEL_WAKES };

struct wakes_row {
	uint32_t case_id;
	enum model_wake wake;
	const struct model_wakes *wakes;
	struct model_wake_figures figures;
};

static const struct view_histogram_column columns[] = {
	{"max", FIGURE_W, ROOMY, offsetof(struct model_wake_figures, max), COLOUR_DEFAULT},
	{"p99", FIGURE_W, 0, offsetof(struct model_wake_figures, p99), COLOUR_DEFAULT},
	{"p90", FIGURE_W, ROOMY, offsetof(struct model_wake_figures, p90), COLOUR_DEFAULT},
	{"p50", FIGURE_W, 0, offsetof(struct model_wake_figures, p50), .bold = true},
	{"n", FIGURE_W, 0, 0, COLOUR_DEFAULT},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* One frame. */
struct wakes {
	struct canvas *canvas;
	const struct model *model;
	struct wakes_row rows[ROWS];
	int n, first, shown; /* rows, and those of them that are seen */
	int lines;	     /* of a row with who woke */
	int name_w;
	struct view_histogram plot;
};

static const struct {
	const char *text;
	uint8_t colour;
} kinds[MODEL_WAKES] = {
	[WAKE_CREATED] = {"created", COLOUR_CREATED},
	[WAKE_GATE] = {"at the gate", COLOUR_CPU},
	[WAKE_BLOCKED] = {"blocked", COLOUR_IO},
};

static const char *const who_texts[WOKENS] = {
	[WOKEN_UNKNOWN] = "?",	       [WOKEN_BY_MAIN] = "the first task",
	[WOKEN_BY_WORKER] = "workers", [WOKEN_BY_INTERRUPT] = "interrupts",
	[WOKEN_BY_OTHERS] = "others",
};

static void draw_wakes_row(const struct wakes *w, int i, int y)
{
	const struct wakes_row *row = &w->rows[i];
	const struct view_histogram *plot = &w->plot;
	char text[128] = "";
	struct sentence s = {text, sizeof(text), 0};
	double counts[PLOT_DOTS];

	if (i == w->first || row->case_id != w->rows[i - 1].case_id)
		view_mark_name(w->canvas, (struct rect) {plot->inner.x, y, w->name_w - 1, 1},
			       w->model, row->case_id, MODEL_CASE_NAME(w->model, row->case_id));
	canvas_text(w->canvas, plot->inner.x + w->name_w, y, KIND_W - 1,
		    STYLE(kinds[row->wake].colour), kinds[row->wake].text);
	/* What is less than the axis has, or more, is in its first or last column. */
	for (int j = 0; j < plot->w; j++)
		counts[j] = model_wakes_between(
			row->wakes, row->wake, j == 0 ? 0 : view_histogram_edge(plot, j),
			j + 1 == plot->w ? 1e12 : view_histogram_edge(plot, j + 1));
	view_histogram_row(
		plot, &(struct view_histogram_row) {.y = y,
						    .colour = kinds[row->wake].colour,
						    .figures = &row->figures,
						    .text = UNITS_COUNT((int64_t)row->figures.n),
						    .counts = counts,
						    .p50 = row->figures.p50,
						    .p90 = row->figures.p90,
						    .p99 = row->figures.p99});
	/* "by workers 12, interrupts 29" */
	for (enum sample_woken who = 0; who < WOKENS; who++) {
		uint64_t n = model_wakes_figures(row->wakes, row->wake, who).n;

		if (n > 0)
			sentence_add(&s, "%s %s %s", s.used ? "," : "by", who_texts[who],
				     UNITS_COUNT((int64_t)n));
	}
	if (w->lines > plot->bars_h && plot->w)
		text_draw(w->canvas,
			  (struct rect) {plot->x, y + plot->bars_h,
					 plot->inner.x + plot->inner.w - plot->x, 1},
			  STYLE(COLOUR_DIM), text);
}

/* A line below the bars says who woke, where each row has two at least. */
static void wakes_place(struct wakes *w, const struct view_frame *frame)
{
	int room = MAX(1, w->plot.inner.h - 1), lines = w->n ? MAX(1, room / w->n) : room;

	for (int i = 0; i < w->n; i++)
		w->name_w = MAX(w->name_w,
				utf8_columns(MODEL_CASE_NAME(w->model, w->rows[i].case_id)) + 3);
	w->name_w = MIN(w->name_w, NAME_MOST);
	w->plot.bars_h = MIN(BARS_MOST, MAX(1, lines - 1));
	w->lines = MIN(lines, w->plot.bars_h + 2);
	w->shown = MIN(w->n, MAX(1, room / w->lines));
	w->first = view_scroll_to(frame, w->n, w->shown);
	view_histogram_place(&w->plot, w->name_w + KIND_W, PLOT_LEAST);
	/* Whole powers of ten that hold all, at least from 1 µs to 1 ms. */
	w->plot.scale = (struct scale) {.low = 1e3, .high = 1e6, .log = true};
	for (int i = 0; i < w->n; i++) {
		while ((double)w->rows[i].figures.max > w->plot.scale.high)
			w->plot.scale.high *= 10;
		while (w->plot.scale.low > 10 &&
		       (double)w->rows[i].figures.p50 < 4 * w->plot.scale.low)
			w->plot.scale.low /= 10;
	}
}

static void wakes_draw(const struct view_frame *frame, struct rect rect)
{
	struct wakes w = {
		.canvas = frame->canvas,
		.model = frame->model,
		.plot = {.canvas = frame->canvas, .columns = columns, .n_columns = COLUMNS}};

	for (uint32_t i = 0; i < w.model->n_cases; i++) {
		const struct model_wakes *wakes = model_wakes(w.model, i);

		for (int wake = 0; wakes && wake < MODEL_WAKES && w.n < ROWS; wake++) {
			struct wakes_row row = {i, (enum model_wake)wake, wakes, {0}};

			row.figures = model_wakes_figures(wakes, row.wake, WOKENS);
			if (row.figures.n > 0)
				w.rows[w.n++] = row;
		}
	}
	w.plot.inner = view_box(w.canvas, rect, "from able to run to on a core", NULL);
	if (w.plot.inner.h < 2 || w.plot.inner.w < 20)
		return;
	wakes_place(&w, frame);
	if (w.n == 0) {
		canvas_text(w.canvas, w.plot.inner.x, w.plot.inner.y, w.plot.inner.w,
			    STYLE(COLOUR_DIM),
			    model_over(w.model) ? "none was measured" : "after the first trial");
		return;
	}
	view_histogram_begin(&w.plot);
	for (int i = w.first; i < w.first + w.shown; i++) {
		int y = w.plot.inner.y + 1 + (i - w.first) * w.lines;

		draw_wakes_row(&w, i, y);
		view_zone_case(frame->shown,
			       (struct rect) {w.plot.inner.x, y, w.plot.inner.w, w.lines},
			       w.rows[i].case_id);
	}
}

static bool wakes_seen(const struct model *model)
{
	return strcmp(model->session.wakes, SAMPLE_WAKES) == 0;
}

static const char wakes_help[] =
	"#Wake-ups\n"
	"rows\tHow long a task that could run waited for a core: after it was created, when the "
	"start gate opened, after it was blocked. Over all counted trials, on one logarithmic time "
	"axis. Preempted tasks are not included.\n"
	"▁█\tHow many waits took this long. Even a single one shows.\n"
	"┃ ╎ │\tp50, p90, p99: 50 %, 90 %, 99 % of the waits were shorter.\n"
	"by\tWho woke the task: the first task of the run, which creates and joins; a worker; an "
	"interrupt from a disk, a timer or another core; others, which are programs and the "
	"kernel's own tasks.\n";

const struct view_ops view_wakes = {
	.number = 5,
	.name = "Wake-ups",
	.brief = "Wakes",
	.captions = {"How long a task that could run waited for a core, by who woke it.",
		     "p50: half were shorter. p99: one in a hundred was longer. gate: all workers "
		     "wait there, then start at once."},
	.help = wakes_help,
	.offered = wakes_seen,
	.draw = wakes_draw,
	.hint = "▁█ how many waited this long   ┃ p50: half were shorter   ╎ p90   │ p99",
};
