/* SPDX-License-Identifier: MIT */
#include "view_parts.h"
#include "views.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "base/units.h"
#include "draw/plot.h"
#include "draw/text.h"
#include "model/model_wakes.h"
#include "report/latency.h"

/*
 * The time from able to run to on a core, where wake-ups are seen: for each case a distribution for
 * each kind of them, on a common logarithmic axis.
 */

enum { NAME_MOST = 20, KIND_W = 13, FIGURE_W = 9, BARS_MOST = 4, PLOT_LEAST = 8 };
enum { ROWS = SAMPLE_MAX_CASES * MODEL_WAKES };

struct wakes_row {
	uint32_t case_id;
	enum model_wake wake;
	const struct model_wakes *wakes;
	struct model_wake_figures figures;
};

/* One frame. */
struct wakes {
	struct canvas *canvas;
	const struct model *model;
	struct rect inner;
	struct wakes_row rows[ROWS];
	int n, first, shown; /* rows, and those of them that are seen */
	int lines, bars_h;   /* of a row with who woke; of its bars */
	int name_w, plot_x, plot_w;
	struct scale scale;
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

static void find_rows(struct wakes *w)
{
	for (uint32_t i = 0; i < w->model->n_cases; i++) {
		const struct model_wakes *wakes = model_wakes(w->model, i);

		for (int wake = 0; wakes && wake < MODEL_WAKES && w->n < ROWS; wake++) {
			struct wakes_row row = {i, (enum model_wake)wake, wakes, {0}};

			row.figures = model_wakes_figures(wakes, row.wake, WOKENS);
			if (row.figures.n > 0)
				w->rows[w->n++] = row;
		}
	}
}

/* Whole powers of ten that hold all, at least from 1 us to 1 ms. */
static void find_scale(struct wakes *w)
{
	w->scale = (struct scale) {.low = 1e3, .high = 1e6, .log = true};
	for (int i = 0; i < w->n; i++) {
		while ((double)w->rows[i].figures.max > w->scale.high)
			w->scale.high *= 10;
		while (w->scale.low > 10 && (double)w->rows[i].figures.p50 < 4 * w->scale.low)
			w->scale.low /= 10;
	}
}

static double column_edge(const struct wakes *w, int column)
{
	return w->scale.low * pow(w->scale.high / w->scale.low, (double)column / w->plot_w);
}

static void draw_column(const struct wakes *w, int column, int y, double share, uint8_t colour)
{
	int eighths = (int)lround(share * w->bars_h * 8);

	if (share > 0 && eighths == 0)
		eighths = 1; /* a single one far out is what a mean would hide */
	for (int i = w->bars_h - 1; i >= 0 && eighths > 0; i--, eighths -= 8)
		canvas_put(w->canvas, w->plot_x + column, y + i,
			   plot_eighth(fmin(1, eighths / 8.0)), STYLE(colour));
}

static void draw_mark(const struct wakes *w, int64_t ns, int y, uint32_t glyph, uint8_t colour)
{
	int column = (int)(scale_share(&w->scale, (double)MAX(ns, 1)) * w->plot_w);
	int x = w->plot_x + MAX(0, MIN(column, w->plot_w - 1));

	for (int i = y; i < y + w->bars_h && i < w->canvas->height; i++) {
		const struct cell *cell = &w->canvas->cells[i * w->canvas->width + x];
		struct style style = STYLE_BOLD(COLOUR_TITLE);

		style.bg = cell->style.bg;
		if (cell->glyph >= 0x2584 && cell->glyph <= 0x2588)
			style.bg = colour;
		canvas_put(w->canvas, x, i, glyph, style);
	}
}

/* What is less than the axis has, or more, is in its first or last column. */
static void draw_bars(const struct wakes *w, const struct wakes_row *row, int y)
{
	uint8_t colour = kinds[row->wake].colour;
	double counts[PLOT_DOTS], most = 0;

	for (int i = 0; i < w->plot_w; i++) {
		counts[i] =
			model_wakes_between(row->wakes, row->wake, i == 0 ? 0 : column_edge(w, i),
					    i + 1 == w->plot_w ? 1e12 : column_edge(w, i + 1));
		most = fmax(most, counts[i]);
	}
	for (int i = 0; i < w->plot_w; i++)
		draw_column(w, i, y, most > 0 ? counts[i] / most : 0, colour);
	draw_mark(w, row->figures.p99, y, 0x2502, colour);
	draw_mark(w, row->figures.p90, y, 0x254e, colour);
	draw_mark(w, row->figures.p50, y, 0x2503, colour);
}

/* "woken by workers 12, interrupts 29" */
static void draw_who(const struct wakes *w, const struct wakes_row *row, int y)
{
	char text[128] = "";
	struct sentence s = {text, sizeof(text), 0};

	for (enum sample_woken who = 0; who < WOKENS; who++) {
		uint64_t n = model_wakes_figures(row->wakes, row->wake, who).n;

		if (n > 0)
			sentence_add(&s, "%s %s %s", s.used ? "," : "by", who_texts[who],
				     UNITS_COUNT((int64_t)n));
	}
	text_draw(w->canvas, (struct rect) {w->plot_x, y, w->inner.x + w->inner.w - w->plot_x, 1},
		  STYLE(COLOUR_DIM), text);
}

/* The columns of figures, from the right end leftwards; some only where there is room. */
static const struct figure {
	const char *title;
	bool roomy;
	size_t offset; /* of an int64_t in struct model_wake_figures; 0: how many */
} columns[] = {
	{"max", true, offsetof(struct model_wake_figures, max)},
	{"p99", false, offsetof(struct model_wake_figures, p99)},
	{"p90", true, offsetof(struct model_wake_figures, p90)},
	{"p50", false, offsetof(struct model_wake_figures, p50)},
	{"n", false, 0},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]), ROOMY = 90 };

static bool is_there(const struct wakes *w, int column)
{
	return w->inner.w >= ROOMY || !columns[column].roomy;
}

static int figures_w(const struct wakes *w)
{
	int n = 0;

	for (int i = 0; i < COLUMNS; i++)
		n += is_there(w, i) ? FIGURE_W : 0;
	return n;
}

static void draw_figures(const struct wakes *w, const struct wakes_row *row, int y)
{
	int end = w->inner.x + w->inner.w;

	for (int i = 0; i < COLUMNS; i++) {
		const int64_t *ns = (const void *)((const char *)&row->figures + columns[i].offset);

		if (!is_there(w, i))
			continue;
		canvas_right(w->canvas, end, y,
			     i == COLUMNS - 2 ? STYLE_BOLD(kinds[row->wake].colour)
					      : STYLE(COLOUR_DEFAULT),
			     columns[i].offset ? LATENCY_TEXT(*ns)
					       : UNITS_COUNT((int64_t)row->figures.n));
		end -= FIGURE_W;
	}
}

static void draw_titles(const struct wakes *w)
{
	int end = w->inner.x + w->inner.w;

	for (int i = 0; i < COLUMNS; i++) {
		if (!is_there(w, i))
			continue;
		canvas_right(w->canvas, end, w->inner.y, STYLE(COLOUR_DIM), columns[i].title);
		end -= FIGURE_W;
	}
}

static void draw_axis(const struct wakes *w)
{
	int end = w->plot_x;

	for (double ns = w->scale.low; ns < w->scale.high * 1.001; ns *= 10) {
		int x = w->plot_x + (int)lround(scale_share(&w->scale, ns) * w->plot_w);
		const struct scale_unit *unit = scale_unit(ns, false);
		char text[32];
		int left;

		snprintf(text, sizeof(text), "%g %s", ns / unit->size, unit->name);
		left = MAX(w->plot_x, x - utf8_columns(text) / 2);

		for (int y = 1; y < w->inner.h && x < w->plot_x + w->plot_w; y++)
			canvas_put(w->canvas, x, w->inner.y + y, 0xb7, STYLE(COLOUR_BORDER));
		if (left < end || left + utf8_columns(text) > w->plot_x + w->plot_w)
			continue;
		end = canvas_text(w->canvas, left, w->inner.y, -1, STYLE(COLOUR_DIM), text) + 1;
	}
}

static void draw_row(const struct wakes *w, int i, int y)
{
	const struct wakes_row *row = &w->rows[i];

	if (i == w->first || row->case_id != w->rows[i - 1].case_id)
		view_mark_name(w->canvas, (struct rect) {w->inner.x, y, w->name_w - 1, 1}, w->model,
			       row->case_id, MODEL_CASE_NAME(w->model, row->case_id));
	canvas_text(w->canvas, w->inner.x + w->name_w, y, KIND_W - 1,
		    STYLE(kinds[row->wake].colour), kinds[row->wake].text);
	if (w->plot_w)
		draw_bars(w, row, y);
	draw_figures(w, row, y + w->bars_h - 1);
	if (w->lines > w->bars_h && w->plot_w)
		draw_who(w, row, y + w->bars_h);
}

/* A line below the bars says who woke, where each row has two at least. */
static void place(struct wakes *w, const struct view_frame *frame)
{
	int room = MAX(1, w->inner.h - 1), lines = w->n ? MAX(1, room / w->n) : room;

	for (int i = 0; i < w->n; i++)
		w->name_w = MAX(w->name_w,
				utf8_columns(MODEL_CASE_NAME(w->model, w->rows[i].case_id)) + 3);
	w->name_w = MIN(w->name_w, NAME_MOST);
	w->bars_h = MIN(BARS_MOST, MAX(1, lines - 1));
	w->lines = MIN(lines, w->bars_h + 2);
	w->shown = MIN(w->n, MAX(1, room / w->lines));
	w->first = view_scroll_to(frame, w->n, w->shown);
	w->plot_x = w->inner.x + w->name_w + KIND_W;
	w->plot_w = w->inner.x + w->inner.w - w->plot_x - figures_w(w);
	if (w->plot_w < PLOT_LEAST || w->plot_w > PLOT_DOTS)
		w->plot_w = 0;
}

static void wakes_draw(const struct view_frame *frame, struct rect rect)
{
	struct wakes w = {.canvas = frame->canvas, .model = frame->model};

	find_rows(&w);
	w.inner = view_box(w.canvas, rect, "from able to run to on a core", NULL);
	if (w.inner.h < 2 || w.inner.w < 20)
		return;
	place(&w, frame);
	if (w.n == 0) {
		canvas_text(w.canvas, w.inner.x, w.inner.y, w.inner.w, STYLE(COLOUR_DIM),
			    model_over(w.model) ? "none was measured" : "after the first trial");
		return;
	}
	find_scale(&w);
	if (w.plot_w)
		draw_axis(&w);
	draw_titles(&w);
	for (int i = w.first; i < w.first + w.shown; i++) {
		int y = w.inner.y + 1 + (i - w.first) * w.lines;

		draw_row(&w, i, y);
		view_zone_case(frame->shown, (struct rect) {w.inner.x, y, w.inner.w, w.lines},
			       w.rows[i].case_id);
	}
}

static bool wakes_seen(const struct model *model)
{
	return strcmp(model->session.wakes, SAMPLE_WAKES) == 0;
}

static const char wakes_help[] =
	"#Wake-ups\n"
	"rows\tHow long it took from when a task could run until it was on a core: after it was "
	"created, when the gate opened, after it was blocked. Of all counted trials, on one "
	"logarithmic axis of time. Who was preempted is in none.\n"
	"▁█\thow many took so long, by the row's highest; even a single one shows\n"
	"┃ ╎ │\tp50, p90, p99: half, 90 %, 99 % of them were faster\n"
	"by\twho made it able to run: the run's first task, which creates and joins; a worker; an "
	"interrupt of a disk, a timer or another core; others, programs and the kernel's own "
	"tasks\n";

const struct view_ops view_wakes = {
	.number = 5,
	.name = "Wake-ups",
	.brief = "Wakes",
	.captions = {"How long it took from when a task could run until it was on a core, by what "
		     "had let it go.",
		     "p50: half were faster; p99: one in a hundred was slower. gate: where all "
		     "workers wait, to be let go at once."},
	.help = wakes_help,
	.offered = wakes_seen,
	.draw = wakes_draw,
	.hint = "▁█ how many took so long   ┃ p50: half were faster   ╎ p90   │ p99",
};
