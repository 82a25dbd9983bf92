/* SPDX-License-Identifier: MIT */
#include "views.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "core/comparison.h"
#include "result/latency.h"

/*
 * The Curve view of a session that measures how long creating a task takes: a row for each way of
 * creating one, on a common logarithmic axis.
 */

enum { SPAN_W = 8, BALLAST_W = 5, WHERE_W = 17, PLOT_LEAST = 12, BARS_MOST = 4, NAME_MOST = 28 };

static const struct view_histogram_column columns[] = {
	{"Sysel 2020, µs", 17, 150, 0, COLOUR_DIM},
	{"first", 9, 150, offsetof(struct model_latency_figures, first), COLOUR_DIM},
	{"max", 9, 100, offsetof(struct model_latency_figures, max), COLOUR_DEFAULT},
	{"p99", 9, 0, offsetof(struct model_latency_figures, p99), COLOUR_DEFAULT},
	{"p90", 9, 150, offsetof(struct model_latency_figures, p90), COLOUR_DEFAULT},
	{"p50", 9, 0, offsetof(struct model_latency_figures, p50), .bold = true},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* One frame. */
struct latencies {
	struct canvas *canvas;
	const struct model *model;
	struct latency_row rows[LATENCY_ROWS];
	bool one_place;	     /* the rows are all of the headline's */
	const char *where;   /* of all rows, "on one core"; "" where that is not known */
	int n, first, shown; /* rows, and those of them that are seen */
	int lines;	     /* of a row with its gap */
	int gap;	     /* above each primitive but the first */
	bool operations;     /* what workers do is timed, not their creation */
	bool both;	     /* to the caller and to the task; else one span alone */
	enum model_latency_span span;
	int name_w, label_w; /* of what stands beside the name: the span, or the ballast */
	struct view_histogram plot;
};

static const char *const spans[MODEL_LATENCIES] = {
	[LATENCY_CALLER] = "caller",
	[LATENCY_TASK] = "task",
	[LATENCY_JOINED] = "joined",
};

/* Rows */

static void draw_latency_span(const struct latencies *l, uint32_t case_id,
			      const struct model_latency_at *at, enum model_latency_span span,
			      int y)
{
	const struct sample_case *one = &l->model->cases[case_id];
	const struct model_latency_figures *figures = &at->span[span];
	const struct view_histogram *plot = &l->plot;
	/* No hue of its own: those are of kinds of work and of models. */
	uint8_t colour =
		l->both && span == LATENCY_CALLER ? COLOUR_DIM : view_hue(l->model, case_id);
	double counts[PLOT_DOTS];

	if (figures->n == 0)
		return;
	if (l->both && one->plan.primitive != PLAN_CALL)
		canvas_text(l->canvas, plot->inner.x + l->name_w, y, l->label_w - 1, STYLE(colour),
			    spans[span]);
	for (int i = 0; i < plot->w; i++)
		counts[i] = latency_between(figures, view_histogram_edge(plot, i),
					    view_histogram_edge(plot, i + 1));
	view_histogram_row(plot, &(struct view_histogram_row) {.y = y,
							       .colour = colour,
							       .figures = figures,
							       .text = latency_quote(one, span),
							       .counts = counts,
							       .p50 = figures->p50,
							       .p90 = figures->p90,
							       .p99 = figures->p99});
}

static void draw_latency_row(const struct latencies *l, const struct latency_row *row, int y)
{
	const struct model_latency_at *at = latency_at(l->model, row);
	char label[96], ballast[48], where[48] = "", name[SAMPLE_NAME];

	/* What distinguishes rows of a primitive: "1G touched", "one core 1G touched". */
	latency_ballast(l->model, row->case_id, ballast, sizeof(ballast));
	if (!l->one_place || row->place == LATENCY_NOT_RECORDED)
		latency_where(l->model, row, true, where, sizeof(where));
	snprintf(label, sizeof(label), "%s%s%s", where, *where && *ballast ? " " : "", ballast);
	view_mark_name(l->canvas, (struct rect) {l->plot.inner.x, y, l->name_w - 1, 1}, l->model,
		       row->case_id, latency_name(l->model, row->case_id, name, sizeof(name)));
	if (l->lines > 1) {
		canvas_text(l->canvas, l->plot.inner.x, y + 1, l->name_w - 1, STYLE(COLOUR_DIM),
			    label);
	} else if (!l->both) {
		if (l->one_place)
			label[strcspn(label, " ")] = '\0';
		canvas_text(l->canvas, l->plot.inner.x + l->name_w, y, l->label_w - 1,
			    STYLE(COLOUR_DEFAULT), label);
	}
	if (!at || at->n == 0) {
		const struct model_run *running = model_running(l->model);
		bool runs = running && running->id.case_id == row->case_id;
		bool over = model_over(l->model);
		int x = l->plot.w ? l->plot.x : l->plot.inner.x + l->name_w + l->label_w;

		canvas_text(l->canvas, x, y, l->plot.inner.x + l->plot.inner.w - x,
			    runs ? STYLE_BOLD(COLOUR_TITLE) : STYLE(COLOUR_DIM),
			    latency_at(l->model, row) ? "none began there"
			    : runs		      ? "measuring…"
			    : over		      ? "not measured"
						      : "not yet");
		return;
	}
	if (!l->both) {
		draw_latency_span(l, row->case_id, at, l->span, y);
		return;
	}
	draw_latency_span(l, row->case_id, at, LATENCY_CALLER, y);
	if (l->model->cases[row->case_id].plan.primitive != PLAN_CALL)
		draw_latency_span(l, row->case_id, at, LATENCY_TASK, y + l->plot.bars_h);
}

/* Places */

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

static void latency_place_columns(struct latencies *l)
{
	int w = l->plot.inner.w, figures = view_histogram_figures_w(&l->plot);
	char name[SAMPLE_NAME];

	l->name_w = l->lines > 1 && !l->one_place ? WHERE_W : 0;
	for (int i = 0; i < l->n; i++)
		l->name_w =
			MAX(l->name_w, 2 + utf8_columns(latency_name(l->model, l->rows[i].case_id,
								     name, sizeof(name))));
	l->name_w = MIN(l->name_w, NAME_MOST) + 1;
	l->label_w = l->both			     ? SPAN_W
		     : !l->one_place && l->lines < 2 ? WHERE_W
		     : count_primitives(l) < l->n    ? BALLAST_W
						     : 1;
	if (l->name_w + l->label_w + figures > w)
		l->name_w = w > figures + l->label_w ? w - figures - l->label_w : 1;
	view_histogram_place(&l->plot, l->name_w + l->label_w, PLOT_LEAST);
}

/* Both spans where each row has two lines at least; what is over goes into the height. */
static void latency_place_rows(struct latencies *l, const struct view_frame *frame)
{
	enum view_spans wanted = frame->state->latency.spans;
	int room = l->plot.inner.h > 1 ? l->plot.inner.h - 1 : 1, lines = l->n ? room / l->n : room;

	frame->shown->spans_fit = lines >= 2;
	l->both = wanted == VIEW_SPANS_BOTH && lines >= 2 && !l->operations;
	l->span = l->operations ? LATENCY_CALLER
		  : wanted == VIEW_SPANS_BOTH
			  ? LATENCY_TASK
			  : (enum model_latency_span)(wanted - VIEW_SPANS_CALLER);
	l->lines = MAX(1, lines);
	l->plot.bars_h = l->lines > 2 ? l->lines - 1 : l->lines;
	l->plot.bars_h = MIN(BARS_MOST, l->both ? l->plot.bars_h / 2 : l->plot.bars_h);
	l->lines = MIN(l->lines, 1 + (l->both ? 2 : 1) * l->plot.bars_h);
	l->gap = l->lines * l->n + count_primitives(l) - 1 <= room;
	l->shown = lines < 1 ? room : l->n;
	l->first = view_scroll_to(frame, l->n, l->shown);
}

/* The title is shortened, and goes first, where both do not fit. */
static void draw_latency_box(struct latencies *l, struct rect box)
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
	l->plot.inner =
		view_box(l->canvas, box, *title && w + 10 <= box.w ? title : NULL, conditions);
}

static void latency_choose_rows(struct latencies *l, const struct view_frame *frame)
{
	static const char *const where[VIEW_PLACES] = {
		[VIEW_PLACES_ONE] = "on one core",
		[VIEW_PLACES_FREE] = "left to the scheduler",
		[VIEW_PLACES_IDLE] = "after 1 ms idle",
		[VIEW_PLACES_ALL] = "everywhere",
	};
	enum view_places places = frame->state->latency.places;

	frame->shown->operations = l->operations;
	for (uint32_t i = 0; i < l->model->n_cases; i++)
		frame->shown->placed |= comparison_mixed(&l->model->cases[i]);
	l->one_place = places == VIEW_PLACES_ONE || !frame->shown->placed;
	if (l->one_place)
		places = VIEW_PLACES_ONE;
	l->n = (int)latency_rows(l->model, (enum plan_placement)(PLAN_PINNED + places), l->rows);
	l->where = where[places];
	if (l->n == 0 || l->rows[0].place == LATENCY_NOT_RECORDED)
		l->where = "";
}

static void latency_draw(const struct view_frame *frame, struct rect rect)
{
	const struct model *model = frame->model;
	struct latencies l = {
		.canvas = frame->canvas,
		.model = model,
		.operations = model_has_operations(model),
		.plot = {.canvas = frame->canvas, .columns = columns, .n_columns = COLUMNS}};
	struct rect more;

	latency_choose_rows(&l, frame);
	draw_latency_box(&l, rect);
	if (l.plot.inner.h < 2 || l.plot.inner.w < 20)
		return;
	l.plot.scale.log = true;
	latency_range(model, &l.plot.scale.low, &l.plot.scale.high);
	latency_place_rows(&l, frame);
	latency_place_columns(&l);
	view_histogram_begin(&l.plot);
	if (!l.both)
		canvas_text(l.canvas, l.plot.inner.x, l.plot.inner.y, l.name_w + l.label_w - 1,
			    STYLE_BOLD(COLOUR_TITLE), latency_title(model, l.span));
	for (int i = l.first, y = l.plot.inner.y + 1; i < l.first + l.shown && i < l.n; i++) {
		y += i > l.first && begins_primitive(&l, i) ? l.gap : 0;
		draw_latency_row(&l, &l.rows[i], y);
		view_zone_case(frame->shown,
			       (struct rect) {l.plot.inner.x, y, l.plot.inner.w, l.lines},
			       l.rows[i].case_id);
		y += l.lines;
	}
	if (l.shown >= l.n)
		return;
	/* On the box's lower edge, so that it costs no row. */
	more = (struct rect) {l.plot.inner.x + 2, rect.y + rect.h - 1, l.plot.inner.w - 4, 1};
	canvas_put(l.canvas, more.x - 1, more.y, ' ', STYLE(COLOUR_DIM));
	canvas_put(l.canvas, view_rows_hidden(l.canvas, more, l.first, l.n - l.first - l.shown),
		   more.y, ' ', STYLE(COLOUR_DIM));
}

/* What the answer is about stands for both where there is no room for two. */
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
	if (own->spans == VIEW_SPANS_TASK && !fit)
		own->spans++;
	return true;
}

static bool latency_offered(const struct model *model)
{
	return model_has_latency(model) || model_has_operations(model);
}

static const char latency_help[] =
	"#Curve of creation\n"
	"rows\tOne for each way to create a task, and for how much memory its creator had touched "
	"before. All share one logarithmic time axis.\n"
	"caller\tFrom the call until it returns to the caller.\n"
	"task\tFrom the call until the first instruction of the task. For a program, of its "
	"main().\n"
	"▁█\tHow many creations took this long. Even a single one shows.\n"
	"┃ ╎ │\tp50, p90, p99: 50 %, 90 %, 99 % of the creations were faster.\n"
	"first\tThe median of the first creation of each run. The other figures leave it out.\n"
	"the clock itself\tHow long it takes to read the clock. Every figure includes it.\n"
	"Sysel 2020\tWhat the report of Sysel (2020) measured on its machine, from 1.3 to 3.4 "
	"GHz.\n"
	"w\tChange where tasks start: all on one core; where the scheduler puts them, split by "
	"whether that was their creator's core; on another core that was idle for 1 ms; all of "
	"these.\n"
	"m\tChange what is drawn: until the caller and until the task, if both fit; one of them; "
	"until joined.\n";

/* Where workers' operations are timed nothing is created one after the other. */
static const char *const *latency_captions(const struct view_frame *frame)
{
	static const char *const captions[] = {
		"How long each operation took, on one logarithmic axis. Further left is faster.",
		"p50: half of all were faster; Results has the median of the trials' medians. p99: "
		"one in 100 was slower."};

	return model_has_operations(frame->model) ? captions : NULL;
}

const struct view_ops view_latency = {
	.number = 5,
	.name = "Curve",
	.brief = "Curve",
	.captions = {"From the call until it returned (to the caller) and until the task ran (to "
		     "the task). Further left is faster.",
		     "p50: half of all were faster; Results has the median of the trials' "
		     "medians. p99: one in 100 was slower."},
	.captions_now = latency_captions,
	.absent = "5 Curve: nothing to show here; it is for sweeps and for creation.",
	.help = latency_help,
	.offered = latency_offered,
	.opens = true,
	.draw = latency_draw,
	.act = latency_act,
	.hint = "▁█ how many took this long   ┃ p50: half were faster   ╎ p90   │ p99",
};
