/* SPDX-License-Identifier: MIT */
#include "view_parts.h"
#include "views.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "core/comparison.h"
#include "report/latency.h"
#include "draw/plot.h"

/*
 * The Curve view of a session that measures how long creating a task takes: a row for each way of
 * creating one, on a common logarithmic axis.
 */

enum { SPAN_W = 8, BALLAST_W = 5, WHERE_W = 17, PLOT_LEAST = 12, BARS_MOST = 4, NAME_MOST = 28 };

/* The columns of figures, from the right end leftwards. */
static const struct figure {
	const char *title;
	int w, least;  /* its own width, and that of a screen which has room for it */
	size_t offset; /* of an int64_t in struct model_latency_figures; 0: the quote */
	uint8_t colour;
} figure_columns[] = {
	{"Sysel 2020, µs", 17, 150, 0, COLOUR_DIM},
	{"first", 9, 150, offsetof(struct model_latency_figures, first), COLOUR_DIM},
	{"max", 9, 100, offsetof(struct model_latency_figures, max), COLOUR_DEFAULT},
	{"p99", 9, 0, offsetof(struct model_latency_figures, p99), COLOUR_DEFAULT},
	{"p90", 9, 150, offsetof(struct model_latency_figures, p90), COLOUR_DEFAULT},
	{"p50", 9, 0, offsetof(struct model_latency_figures, p50), COLOUR_DEFAULT},
};

#define FIGURES (sizeof(figure_columns) / sizeof(figure_columns[0]))

/* One frame. */
struct latencies {
	struct canvas *canvas;
	const struct model *model;
	struct rect inner;
	struct latency_row rows[LATENCY_ROWS];
	bool one_place;	     /* the rows are all of the headline's */
	const char *where;   /* of all rows, "on one core"; "" where that is not known */
	int n, first, shown; /* rows, and those of them that are seen */
	int lines, bars_h;   /* of a row with its gap; of its bars */
	int gap;	     /* above each primitive but the first */
	bool operations;     /* what workers do is timed, not their creation */
	bool both;	     /* to the caller and to the task; else one span alone */
	enum model_latency_span span;
	int name_w, label_w; /* of what stands beside the name: the span, or the ballast */
	int plot_x, plot_w;  /* plot_w 0: no room for one */
	struct scale scale;
};

static const struct {
	const char *label;
	uint8_t colour;
} spans[MODEL_LATENCIES] = {
	[LATENCY_CALLER] = {"caller", COLOUR_CPU},
	[LATENCY_TASK] = {"task", COLOUR_IO},
	[LATENCY_JOINED] = {"joined", COLOUR_FINISHED},
};

/* Distributions */

static double column_edge(const struct latencies *l, int column)
{
	return l->scale.low * pow(l->scale.high / l->scale.low, (double)column / l->plot_w);
}

/* The column of a time, within the plot. */
static int column_of(const struct latencies *l, int64_t ns)
{
	int column = (int)(scale_share(&l->scale, (double)ns) * l->plot_w);

	return MAX(0, MIN(column, l->plot_w - 1));
}

static void draw_column(const struct latencies *l, int column, int y, double share,
			enum model_latency_span span)
{
	int eighths = (int)lround(share * l->bars_h * 8);

	if (share > 0 && eighths == 0)
		eighths = 1; /* a single one far out is what a mean would hide */
	for (int i = l->bars_h - 1; i >= 0 && eighths > 0; i--, eighths -= 8)
		canvas_put(l->canvas, l->plot_x + column, y + i,
			   plot_eighth(fmin(1, eighths / 8.0)), STYLE(spans[span].colour));
}

/* The mark is drawn over a bar, which is still seen behind it. */
static void draw_mark(const struct latencies *l, int64_t ns, int y, uint32_t glyph,
		      enum model_latency_span span)
{
	int x = l->plot_x + column_of(l, ns);

	for (int i = y; i < y + l->bars_h && i < l->canvas->height; i++) {
		const struct cell *cell = &l->canvas->cells[i * l->canvas->width + x];
		struct style style = STYLE_BOLD(COLOUR_TITLE);

		style.bg = cell->style.bg; /* of a mark that stands there already */
		if (cell->glyph >= 0x2584 && cell->glyph <= 0x2588)
			style.bg = spans[span].colour;
		canvas_put(l->canvas, x, i, glyph, style);
	}
}

/* Figures */

/* The median in the hue of what it is of. */
static void draw_figures(const struct latencies *l, const struct sample_case *one,
			 const struct model_latency_figures *figures, enum model_latency_span span,
			 int y)
{
	int end = l->inner.x + l->inner.w;

	for (size_t i = 0; i < FIGURES; i++) {
		const struct figure *column = &figure_columns[i];
		const int64_t *ns = (const void *)((const char *)figures + column->offset);

		if (l->inner.w < column->least)
			continue;
		canvas_right(l->canvas, end, y,
			     i + 1 < FIGURES ? STYLE(column->colour)
					     : STYLE_BOLD(spans[span].colour),
			     column->offset ? LATENCY_TEXT(*ns) : latency_quote(one, span));
		end -= column->w;
	}
}

static void draw_titles(const struct latencies *l)
{
	int end = l->inner.x + l->inner.w;

	for (size_t i = 0; i < FIGURES; i++) {
		if (l->inner.w < figure_columns[i].least)
			continue;
		canvas_right(l->canvas, end, l->inner.y, STYLE(COLOUR_DIM),
			     figure_columns[i].title);
		end -= figure_columns[i].w;
	}
	if (!l->both)
		canvas_text(l->canvas, l->inner.x, l->inner.y, l->name_w + l->label_w - 1,
			    STYLE_BOLD(spans[l->span].colour), latency_title(l->model, l->span));
}

/* Rows */

static void draw_span(const struct latencies *l, uint32_t case_id,
		      const struct model_latency_at *at, enum model_latency_span span, int y)
{
	const struct sample_case *one = &l->model->cases[case_id];
	const struct model_latency_figures *figures = &at->span[span];
	int base = y + l->bars_h - 1;

	if (figures->n == 0)
		return;
	if (l->both && one->plan.primitive != PLAN_CALL)
		canvas_text(l->canvas, l->inner.x + l->name_w, y, l->label_w - 1,
			    STYLE(spans[span].colour), spans[span].label);
	if (l->plot_w) {
		double counts[PLOT_DOTS], most = 0;

		for (int i = 0; i < l->plot_w; i++) {
			counts[i] =
				latency_between(figures, column_edge(l, i), column_edge(l, i + 1));
			most = fmax(most, counts[i]);
		}
		for (int i = 0; i < l->plot_w; i++)
			draw_column(l, i, y, most > 0 ? counts[i] / most : 0, span);
		draw_mark(l, figures->p99, y, 0x2502, span);
		draw_mark(l, figures->p90, y, 0x254e, span);
		draw_mark(l, figures->p50, y, 0x2503, span);
	}
	draw_figures(l, one, figures, span, base);
}

/* What tells rows of a primitive apart: "1G touched", "other 88 %", "one core 1G touched". */
static char *label_of(const struct latencies *l, const struct latency_row *row, char *buf,
		      size_t size)
{
	char ballast[48], where[48] = "";

	latency_ballast(l->model, row->case_id, ballast, sizeof(ballast));
	if (!l->one_place || row->place == LATENCY_NOT_RECORDED)
		latency_where(l->model, row, true, where, sizeof(where));
	snprintf(buf, size, "%s%s%s", where, *where && *ballast ? " " : "", ballast);
	return buf;
}

static void draw_row(const struct latencies *l, const struct latency_row *row, int y)
{
	const struct model_latency_at *at = latency_at(l->model, row);

	char label[96], name[SAMPLE_NAME];

	label_of(l, row, label, sizeof(label));
	view_mark_name(l->canvas, (struct rect) {l->inner.x, y, l->name_w - 1, 1}, l->model,
		       row->case_id, latency_name(l->model, row->case_id, name, sizeof(name)));
	if (l->lines > 1) {
		canvas_text(l->canvas, l->inner.x, y + 1, l->name_w - 1, STYLE(COLOUR_DIM), label);
	} else if (!l->both) {
		if (l->one_place)
			label[strcspn(label, " ")] = '\0';
		canvas_text(l->canvas, l->inner.x + l->name_w, y, l->label_w - 1,
			    STYLE(COLOUR_DEFAULT), label);
	}
	if (!at || at->n == 0) {
		const struct model_run *running = model_running(l->model);
		bool runs = running && running->id.case_id == row->case_id;
		bool over = model_over(l->model);
		int x = l->plot_w ? l->plot_x : l->inner.x + l->name_w + l->label_w;

		canvas_text(l->canvas, x, y, l->inner.x + l->inner.w - x,
			    runs ? STYLE_BOLD(COLOUR_TITLE) : STYLE(COLOUR_DIM),
			    latency_at(l->model, row) ? "none began there"
			    : runs		      ? "measuring…"
			    : over		      ? "not measured"
						      : "not yet");
		return;
	}
	if (!l->both) {
		draw_span(l, row->case_id, at, l->span, y);
		return;
	}
	draw_span(l, row->case_id, at, LATENCY_CALLER, y);
	if (l->model->cases[row->case_id].plan.primitive != PLAN_CALL)
		draw_span(l, row->case_id, at, LATENCY_TASK, y + l->bars_h);
}

/* Axis */

/* Places */

static int longest_name(const struct latencies *l)
{
	char name[SAMPLE_NAME];
	int longest = 0;

	for (int i = 0; i < l->n; i++)
		longest = MAX(longest, 2 + utf8_columns(latency_name(l->model, l->rows[i].case_id,
								     name, sizeof(name))));
	if (l->lines > 1 && !l->one_place)
		longest = MAX(longest, WHERE_W);
	return MIN(longest, NAME_MOST);
}

static bool begins_primitive(const struct latencies *l, int row)
{
	return latency_begins(l->model, l->rows, (uint32_t)row);
}

static int count_primitives(const struct latencies *l)
{
	int n = 0;

	for (int i = 0; i < l->n; i++)
		n += begins_primitive(l, i);
	return n;
}

static void place_columns(struct latencies *l)
{
	int w = l->inner.w, figures = 0;

	l->name_w = longest_name(l) + 1;
	l->label_w = l->both			     ? SPAN_W
		     : !l->one_place && l->lines < 2 ? WHERE_W
		     : count_primitives(l) < l->n    ? BALLAST_W
						     : 1;
	for (size_t i = 0; i < FIGURES; i++)
		figures += w >= figure_columns[i].least ? figure_columns[i].w : 0;
	if (l->name_w + l->label_w + figures > w)
		l->name_w = w > figures + l->label_w ? w - figures - l->label_w : 1;
	l->plot_x = l->inner.x + l->name_w + l->label_w;
	l->plot_w = w - l->name_w - l->label_w - figures;
	if (l->plot_w < PLOT_LEAST || l->plot_w > PLOT_DOTS)
		l->plot_w = 0;
}

/* Both spans where each row has two lines at least; what is over goes into the height. */
static void place_rows(struct latencies *l, const struct view_frame *frame)
{
	enum view_spans wanted = frame->state->latency.spans;
	int room = l->inner.h > 1 ? l->inner.h - 1 : 1, lines = l->n ? room / l->n : room;

	frame->shown->spans_fit = lines >= 2;
	l->both = wanted == VIEW_SPANS_BOTH && lines >= 2 && !l->operations;
	l->span = wanted == VIEW_SPANS_BOTH || l->operations
			  ? LATENCY_CALLER
			  : (enum model_latency_span)(wanted - VIEW_SPANS_CALLER);
	l->lines = MAX(1, lines);
	l->bars_h = l->lines > 2 ? l->lines - 1 : l->lines;
	l->bars_h = MIN(BARS_MOST, l->both ? l->bars_h / 2 : l->bars_h);
	l->lines = MIN(l->lines, 1 + (l->both ? 2 : 1) * l->bars_h);
	l->gap = l->lines * l->n + count_primitives(l) - 1 <= room;
	l->shown = lines < 1 ? room : l->n;
	l->first = view_scroll_to(frame, l->n, l->shown);
}

static bool is_placed(const struct model *model)
{
	bool placed = false;

	for (uint32_t i = 0; i < model->n_cases; i++)
		placed |= comparison_mixed(&model->cases[i]);
	return placed;
}

/* The title is shortened, and goes first, where both do not fit. */
static void draw_box(struct latencies *l, struct rect box)
{
	char title[64] = "time to create a task", conditions[256];
	const char *where = l->where;
	int w;

	if (l->operations)
		snprintf(title, sizeof(title), "time of each %s", latency_operation(l->model));
	latency_conditions(l->model, false, conditions, sizeof(conditions));
	if (utf8_columns(conditions) + utf8_columns(where) + 10 > box.w)
		latency_conditions(l->model, true, conditions, sizeof(conditions));
	w = utf8_columns(conditions) + utf8_columns(title) + utf8_columns(where) + 2;
	if (w + 10 > box.w)
		snprintf(title, sizeof(title), "%s", where);
	else if (*where)
		snprintf(title + strlen(title), sizeof(title) - strlen(title), ", %s", where);
	w = utf8_columns(conditions) + utf8_columns(title);
	l->inner = view_box(l->canvas, box, *title && w + 10 <= box.w ? title : NULL, conditions);
}

static void place(struct latencies *l, const struct view_frame *frame)
{
	static const char *const where[VIEW_PLACES] = {
		[VIEW_PLACES_ONE] = "on one core",
		[VIEW_PLACES_FREE] = "left to the scheduler",
		[VIEW_PLACES_IDLE] = "after 1 ms idle",
		[VIEW_PLACES_ALL] = "everywhere",
	};
	enum view_places places = frame->state->latency.places;

	frame->shown->operations = l->operations;
	frame->shown->placed = is_placed(l->model);
	l->one_place = places == VIEW_PLACES_ONE || !frame->shown->placed;
	if (l->one_place)
		places = VIEW_PLACES_ONE;
	l->n = (int)latency_rows(l->model, (enum plan_placement)(PLAN_PINNED + places), l->rows);
	l->where = where[places];
	if (l->n == 0 || l->rows[0].place == LATENCY_NOT_RECORDED)
		l->where = "";
}

static void draw_rows(const struct latencies *l, struct view_shown *shown)
{
	int y = l->inner.y + 1;

	for (int i = l->first; i < l->first + l->shown && i < l->n; i++) {
		y += i > l->first && begins_primitive(l, i) ? l->gap : 0;
		draw_row(l, &l->rows[i], y);
		view_zone_case(shown, (struct rect) {l->inner.x, y, l->inner.w, l->lines},
			       l->rows[i].case_id);
		y += l->lines;
	}
}

static void latency_draw(const struct view_frame *frame, struct rect rect)
{
	const struct model *model = frame->model;
	struct latencies l = {
		.canvas = frame->canvas, .model = model, .operations = model_has_operations(model)};

	place(&l, frame);
	draw_box(&l, rect);
	if (l.inner.h < 2 || l.inner.w < 20)
		return;
	l.scale.log = true;
	latency_range(model, &l.scale.low, &l.scale.high);
	place_rows(&l, frame);
	place_columns(&l);
	if (l.plot_w) {
		int end = l.plot_x;

		for (double ns = l.scale.low; ns < l.scale.high * 1.001; ns *= 10) {
			int x = l.plot_x + (int)lround(scale_share(&l.scale, ns) * l.plot_w);
			int left;
			char text[32];

			for (int y = 1; y < l.inner.h && x < l.plot_x + l.plot_w; y++)
				canvas_put(l.canvas, x, l.inner.y + y, 0xb7, STYLE(COLOUR_BORDER));
			snprintf(text, sizeof(text), "%g %s",
				 ns < 1e3   ? ns
				 : ns < 1e6 ? ns / 1e3
					    : ns / 1e6,
				 ns < 1e3   ? "ns"
				 : ns < 1e6 ? "µs"
					    : "ms");
			left = MAX(l.plot_x, x - utf8_columns(text) / 2);
			if (left < end || left + utf8_columns(text) > l.plot_x + l.plot_w)
				continue;
			end = canvas_text(l.canvas, left, l.inner.y, -1, STYLE(COLOUR_DIM), text) +
			      1;
		}
	}
	draw_titles(&l);
	draw_rows(&l, frame->shown);
}

/* The first span stands for both where there is no room for two. */
static bool latency_act(struct view_state *state, const struct view_input *input, enum keys_act act,
			int key)
{
	struct latency_state *own = &state->latency;
	bool fit = input->shown->spans_fit;

	if (input->shown->operations)
		return false;
	if (act == KEYS_KIND && input->shown->placed) {
		own->places = (own->places + 1) % VIEW_PLACES;
		state->scroll = 0;
		return true;
	}
	if (act != KEYS_MEASURE)
		return false;
	own->spans = (own->spans + 1) % VIEW_SPANS;
	if (own->spans == VIEW_SPANS_BOTH && !fit)
		own->spans = VIEW_SPANS_CALLER;
	else if (own->spans == VIEW_SPANS_CALLER && !fit)
		own->spans = VIEW_SPANS_TASK;
	return true;
}

static bool offered(const struct model *model)
{
	return model_has_latency(model) || model_has_operations(model);
}

static const char latency_help[] =
	"#Curve of creation\n"
	"rows\tOne a way to create a task, and what its creator had touched of memory before. "
	"One logarithmic axis of time for all.\n"
	"caller\tfrom the call until it returns to who called it\n"
	"task\tfrom the call to the first instruction of the task; of a program, of its main\n"
	"▁█\tHow many creations took so long, by the row's highest; even a single one shows.\n"
	"┃ ╎ │\tp50, p90, p99: half, 90 %, 99 % of them were faster\n"
	"first\tthe first creation of each run, which is in none of the others: their median\n"
	"the clock itself\twhat reading it takes, which every figure contains\n"
	"Sysel 2020\twhat his paper says of his machine, from 1.3 to 3.4 GHz\n"
	"w\ton one core, which can be had again; left to the scheduler, tasks that begin on their "
	"creator's core and on another apart, with their shares; on another that was idle for "
	"1 ms; all of these\n"
	"m\tto the caller and the task, where there is room for both; one of them; until joined\n";

/* Where workers' operations are timed nothing is created one after the other. */
static const char *const *latency_captions(const struct view_frame *frame)
{
	static const char *const captions[] = {
		"How long each operation took: how many took so long, on one logarithmic axis; the "
		"left is faster.",
		"p50: half were faster; p99: one in 100 was slower; max: the slowest of all."};

	return model_has_operations(frame->model) ? captions : NULL;
}

const struct view_ops view_latency = {
	.number = 5,
	.name = "Curve",
	.brief = "Curve",
	.captions = {"How long each way of creating a task takes: how many took so long, on one "
		     "logarithmic axis; the left is faster.",
		     "p50: half were faster; p99: one in 100 was slower. to the caller: until the "
		     "call returned; to the task: until it ran."},
	.captions_now = latency_captions,
	.absent = "5 Curve: nothing to show here; it is for sweeps and for creation.",
	.help = latency_help,
	.offered = offered,
	.opens = true,
	.draw = latency_draw,
	.act = latency_act,
	.hint = "▁█ how many took so long   ┃ p50: half were faster   ╎ p90   │ p99",
};
