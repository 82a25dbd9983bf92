/* SPDX-License-Identifier: MIT */
#include "view_cache.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/units.h"

struct tree_column {
	const struct view_frame *frame;
	struct rect box;
	bool ended;
	struct layout_tree layout;
	struct view_list list;
};

enum { TREE_PARTS = 8, TREE_MANY = 64, BANDS_MOST = 5 };

bool view_tree_fits(const struct model *model, uint32_t case_id)
{
	const struct plan *plan = &model->cases[case_id].plan;

	return plan_count(plan) > TREE_MANY || (plan->levels > 1 && !plan->barrier);
}

bool view_bands_fit(const struct model *model, uint32_t case_id)
{
	const struct plan *plan = &model->cases[case_id].plan;

	return view_tree_fits(model, case_id) && !plan->barrier && plan->tasks == 0 &&
	       !plan_serves(plan) && !plan_is_creation(plan);
}

int view_bands_count(const struct plan *plan)
{
	return MIN((int)plan->levels, BANDS_MOST);
}

/*
 * Draws a count of tasks. Its column has a fixed width, so nothing moves when the count grows.
 * Returns the column of the next count. If there is no room, draws nothing and returns the end of
 * the line.
 */
static int draw_tree_count(const struct tree_column *c, int x, const char *label, int64_t n)
{
	struct rect rect = c->layout.counts;
	int w = utf8_columns(label) + 1 + utf8_columns(UNITS_COUNT(c->list.tree->n_tasks));

	if (x + w > rect.x + rect.w)
		return rect.x + rect.w;
	canvas_text(c->list.canvas, x, rect.y, -1, DIM, label);
	canvas_right(c->list.canvas, x + w, rect.y, STYLE_BOLD(COLOUR_DEFAULT), UNITS_COUNT(n));
	return x + w + 2;
}

void view_tree_alive(const struct view_list *list, struct rect rect, double top)
{
	const struct rows_levels *curves = view_rows_levels(list, false);
	const struct plan *plan = &list->tree->plan;
	struct rect plot = {list->axis.x, rect.y, list->axis.w, rect.h};
	uint8_t hue = view_hue(list->model, list->run->id.case_id);
	/* If there are too many levels, draw the uppermost levels as one part. */
	uint32_t merged = plan->levels - MIN(plan->levels, TREE_PARTS);
	int64_t peak = view_alive_peak(list->model, list->run, true);

	if (rect.h < 1 || !curves)
		return;
	plot_grid(list->canvas, &list->axis, rect.y, rect.h);
	for (int x = 0; x < curves->key.w; x++) {
		struct plot_part parts[TREE_PARTS] = {{0}};
		int n = 0;

		for (uint32_t level = 0; level < plan->levels; level++) {
			double share = curves->values[(int)level * curves->key.w + x] / top;
			uint8_t colour = (uint8_t)(COLOUR_LEVEL0 + level % 3);

			if (level + 1 == plan->levels)
				colour = hue;

			if (level > 0 && level <= merged)
				parts[0].share += share;
			else
				parts[n++] = (struct plot_part) {share, 0x2588, colour};
		}
		plot_stack(list->canvas, plot, plot.x + x, parts, n);
	}
	view_plot_labels(list->canvas, rect, plot, list->right, "alive", UNITS_COUNT((int64_t)top),
			 UNITS_COUNT(peak));
}

struct band {
	const struct view_list *list;
	const struct rows_levels *bands;
	struct rect rect; /* Area of the plot. */
	uint32_t first, last;
	uint32_t tasks, created;
};

/*
 * The inks of a band, from its bottom up. Joined tasks are at the top, and their part is blank, so
 * that a cell seldom needs three colours.
 */
static const struct band_ink {
	enum model_stand stand;
	uint32_t glyph;
	uint8_t colour;
	const char *name, *brief;
} band_inks[] = {
	{STAND_MISSING, 0x2591, COLOUR_READY_BED, "not created", "not yet"},
	{STAND_CREATED, 0x2592, COLOUR_QUEUED, "not started", "created"},
	{STAND_RUNNING, 0x2588, COLOUR_CPU, "not ended", "started"},
	{STAND_ENDED, 0x2593, COLOUR_WAITING, "not joined", "to join"},
};

enum { BAND_INKS = LENGTH(band_inks), EIGHTHS = 8 };

static double band_share(const struct band *band, enum model_stand stand, int x)
{
	int w = band->bands->key.w;
	double sum = 0;

	for (uint32_t level = band->first; level <= band->last; level++)
		sum += band->bands->values[((int)level * MODEL_STANDS + (int)stand) * w + x];
	return sum / band->tasks;
}

/* The number of eighths in a column of a band that show tasks that are not yet created. */
static int band_missing(const struct band *band, double share)
{
	const int all = EIGHTHS * band->rect.h;
	int eighths = (int)lround(share * all);

	/*
	 * Even a single task of many must be visible: the first task that is created, and the last
	 * task that is not.
	 */
	if (share > 1e-6)
		eighths = MAX(eighths, 1);
	if (share < 1 - 1e-6)
		eighths = MIN(eighths, all - 1);
	return eighths;
}

/*
 * Draws the cell that contains the upper end of the tasks not yet created. This end is exact,
 * because a created task never becomes uncreated again. A cell has only two colours, so the rest of
 * the cell has the colour of its largest part.
 */
static void draw_band_end(const struct band *band, int x, int missing,
			  const struct plot_part parts[BAND_INKS])
{
	const int row = missing / EIGHTHS, below = missing % EIGHTHS;
	const double all = EIGHTHS * band->rect.h;
	struct style style = {.fg = band_inks[0].colour};
	double low = parts[0].share * all, most = 0, blank = EIGHTHS - below;

	for (int i = 1; i < BAND_INKS; i++) {
		const double high = low + parts[i].share * all;
		const double has = fmin(high, (row + 1) * EIGHTHS) - fmax(low, missing);

		low = high;
		if (has <= 0)
			continue;
		blank -= has;
		if (has > most)
			style.bg = parts[i].colour;
		most = fmax(most, has);
	}
	if (blank > most)
		style.bg = COLOUR_DEFAULT;
	canvas_put(band->list->canvas, band->rect.x + x, band->rect.y + band->rect.h - 1 - row,
		   0x2580 + (uint32_t)below, style);
}

/*
 * Draws a column of a band. An eighth at the top stays free, so that neighbouring bands do not
 * merge. A share above 0 is always visible, except the share of tasks that have not started: less
 * than half an eighth of such tasks would look like many.
 */
static void draw_band_column(const struct band *band, int x)
{
	const double least = 1.0 / (EIGHTHS * band->rect.h);
	struct plot_part parts[BAND_INKS];
	double left_out = 0;
	int missing;

	for (int i = 0; i < BAND_INKS; i++) {
		double share = band_share(band, band_inks[i].stand, x) * (1 - least) + left_out;

		if (isnan(share))
			return;
		left_out = 0;
		if (band_inks[i].stand == STAND_CREATED && share < least / 2) {
			left_out = share;
			share = 0;
		}
		parts[i] = (struct plot_part) {share > 1e-6 ? fmax(share, least) : 0,
					       band_inks[i].glyph, band_inks[i].colour};
	}
	missing = band_missing(band, band_share(band, STAND_MISSING, x));
	parts[0].share = missing * least;
	plot_stack(band->list->canvas, band->rect, band->rect.x + x, parts, BAND_INKS);
	if (missing % EIGHTHS > 0)
		draw_band_end(band, x, missing, parts);
}

/*
 * The line below band i of n bands in h lines. The last band has half of the lines, if each other
 * band keeps a line, because most of a tree's tasks are in its last level.
 */
static int band_end(int h, int n, int i)
{
	const int upper = MAX(n - 1, h / 2);

	if (i == n - 1)
		return h;
	return upper * (i + 1) / (n - 1);
}

/*
 * Draws a band for each level of the tree along the list's axis. The full height of a band means
 * all tasks of the level. Tasks not yet created are at the bottom. Above them are created, running
 * and ended tasks. The part of joined tasks at the top is blank, so a band drains. If rect is too
 * low for all levels, the uppermost levels share a band.
 */
static void draw_bands(const struct view_list *list, struct rect rect)
{
	const struct plan *plan = &list->tree->plan;
	struct band band = {.list = list, .bands = view_rows_levels(list, true)};
	int n = MIN((int)plan->levels, rect.h), w = list->axis.x - rect.x - 1;
	char text[48];
	uint32_t merged = plan->levels - (uint32_t)MAX(n, 0);

	if (n < 1 || !band.bands)
		return;
	for (int i = 0; i < n; i++) {
		int from = i > 0 ? band_end(rect.h, n, i - 1) : 0, to = band_end(rect.h, n, i);

		if (i)
			band.first = merged + (uint32_t)i;
		else
			band.first = 0;
		band.last = merged + (uint32_t)i;
		band.rect = RECT(list->axis.x, rect.y + from, band.bands->key.w, to - from);
		band.tasks = band.created = 0;
		for (uint32_t level = band.first; level <= band.last; level++) {
			uint32_t count;

			plan_level(plan, level, &count);
			band.tasks += count;
			band.created += band.bands->created[level];
		}
		if (band.first == band.last)
			snprintf(text, sizeof(text), "level %u", band.first + 1);
		else
			snprintf(text, sizeof(text), "1–%u", band.last + 1);
		canvas_text(list->canvas, rect.x, band.rect.y, w, STYLE_BOLD(COLOUR_DEFAULT), text);
		if (band.rect.h > 1)
			canvas_text(list->canvas, rect.x, band.rect.y + 1, w, DIM,
				    UNITS_COUNT(band.tasks));
		for (int column = 0; column < band.rect.w; column++)
			draw_band_column(&band, column);
		/*
		 * The number of created tasks and the number of all tasks. If the text is too long,
		 * only the number of created tasks.
		 */
		snprintf(text, sizeof(text), "%s/%s", UNITS_COUNT(band.created),
			 UNITS_COUNT(band.tasks));
		if (utf8_columns(text) >= list->right)
			snprintf(text, sizeof(text), "%s", UNITS_COUNT(band.created));
		canvas_right(list->canvas, list->axis.x + list->axis.w + list->right, band.rect.y,
			     PLAIN, text);
	}
}

void view_bands_draw(const struct view_list *list)
{
	draw_bands(list, list->rect);
}

/* The mean number of tasks that exist and have not ended, in a column of the bands. */
static double bands_alive(const struct rows_levels *bands, const struct plan *plan, int x)
{
	const int w = bands->key.w;
	double alive = 0;

	for (uint32_t level = 0; level < plan->levels; level++) {
		const double *stands = &bands->values[(int)level * MODEL_STANDS * w + x];

		alive += stands[STAND_CREATED * w] + stands[STAND_RUNNING * w];
	}
	return alive;
}

/*
 * Writes how many tasks are alive now or, after the run's end, the largest number of tasks that
 * were alive at once.
 */
static void bands_alive_figure(const struct view_list *list, int y)
{
	const int64_t peak = view_alive_peak(list->model, list->run, true);
	const int64_t alive = model_counts(list->model, list->run).alive;
	struct style style = DIM;
	char text[48];

	snprintf(text, sizeof(text), "now %s", UNITS_COUNT(alive));
	if (model_ended(list->model, list->run)) {
		style = STYLE_BOLD(view_hue(list->model, list->run->id.case_id));
		snprintf(text, sizeof(text), "peak %s", UNITS_COUNT(peak));
	}
	canvas_right(list->canvas, list->axis.x + list->axis.w + list->right, y, style,
		     utf8_columns(text) < list->right ? text : strchr(text, ' ') + 1);
}

void view_bands_alive(const struct view_list *list, struct rect rect, int64_t most)
{
	const struct rows_levels *bands = view_rows_levels(list, true);
	const uint8_t hue = view_hue(list->model, list->run->id.case_id);
	const struct rect plot = {list->axis.x, rect.y, list->axis.w, rect.h};

	if (rect.h < 1 || most < 1 || !bands)
		return;
	for (int x = 0; x < bands->key.w; x++) {
		const double alive = bands_alive(bands, &list->tree->plan, x);
		struct plot_part part = {alive / (double)most, 0x2588, hue};

		if (!(alive > 0))
			continue;
		/* Even a few tasks of thousands must be visible. */
		part.share = fmax(part.share, 1.0 / (EIGHTHS * rect.h));
		plot_stack(list->canvas, plot, plot.x + x, &part, 1);
	}
	canvas_text(list->canvas, rect.x, rect.y, list->axis.x - rect.x - 1,
		    STYLE_BOLD(COLOUR_DEFAULT), "alive");
	bands_alive_figure(list, rect.y);
}

/*
 * The ink of a legend's entry. As in the bands, the background of a shade has the same colour as
 * the shade.
 */
static struct view_ink band_legend_ink(const struct band_ink *ink)
{
	return (struct view_ink) {.glyph = ink->glyph, .colour = ink->colour, .bed = ink->colour};
}

/* A joined task leaves its part of a band empty. */
static const char band_joined[] = "blank: joined";

static int bands_legend_w(void)
{
	int w = 2 + utf8_columns(band_joined);

	for (size_t i = 0; i < BAND_INKS; i++)
		w += utf8_columns(band_inks[i].name) + 4;
	return w;
}

void view_bands_legend(struct view_shown *shown, int w)
{
	const bool brief = bands_legend_w() > w;

	for (size_t i = 0; i < BAND_INKS; i++) {
		const struct band_ink *ink = &band_inks[i];
		const char *name = ink->name;

		if (brief && ink->stand != STAND_MISSING)
			name = ink->brief;
		shown->legend[shown->n_legend++] =
			(struct view_legend) {band_legend_ink(ink), name};
	}
	shown->legend[shown->n_legend++] =
		(struct view_legend) {{' ', COLOUR_DEFAULT}, band_joined};
	shown->keeps_legend = true;
}

/*
 * Draws a legend of the inks, as many entries as fit in w columns. Returns the column after the
 * legend.
 */
static int draw_bands_legend(struct canvas *canvas, int x, int y, int w)
{
	struct view_legend list[BAND_INKS];
	int long_w = 0, brief_w = 0;
	size_t n = 0;

	for (size_t i = 0; i < BAND_INKS; i++) {
		long_w += utf8_columns(band_inks[i].name) + 4;
		brief_w += utf8_columns(band_inks[i].brief) + 4;
	}
	/* If there is too little room, drop the entry for tasks not yet created first. */
	for (size_t i = 0; i < BAND_INKS; i++)
		if (brief_w <= w || band_inks[i].stand != STAND_MISSING)
			list[n++] = (struct view_legend) {band_legend_ink(&band_inks[i]),
							  long_w > w ? band_inks[i].brief
								     : band_inks[i].name};
	return view_legend_draw(canvas, x, y, w, list, n);
}

static void tree_time(const struct tree_column *c, int x, int y, double ns)
{
	if (isnan(ns))
		canvas_right(c->list.canvas, x, y, PLAIN, "–");
	else
		canvas_right(c->list.canvas, x, y, PLAIN, UNITS_TIME((int64_t)ns, false));
}

enum { TIMES_LABEL = 7, TIMES_W = 9 };

static void tree_times(const struct tree_column *c)
{
	static const struct {
		const char *name;
		enum model_phase phase;
	} list[] = {{"create", PHASE_CREATE},
		    {"start", PHASE_START},
		    {"join", PHASE_JOIN},
		    {"work", PHASE_WORK}};
	const struct model_levels *levels = model_levels(c->list.model, c->list.run);
	struct rect rect = c->layout.times;
	int x = rect.x + TIMES_LABEL;

	if (rect.h < 3)
		return;
	canvas_text(c->list.canvas, rect.x, rect.y + 1, -1, DIM, "median");
	canvas_text(c->list.canvas, rect.x, rect.y + 2, -1, DIM, "p99");
	for (size_t i = 0; i < 4 && x + TIMES_W <= rect.x + rect.w; i++) {
		struct model_span span = {0, NAN, NAN};

		if (levels)
			span = levels->all.phase[list[i].phase];
		x += TIMES_W;
		canvas_right(c->list.canvas, x, rect.y, DIM, list[i].name);
		tree_time(c, x, rect.y + 1, span.median);
		tree_time(c, x, rect.y + 2, span.p99);
	}
}

enum { WHY_W = 64 };

static void tree_memory(const struct tree_column *c)
{
	const struct view_list *l = &c->list;
	struct sample_memory memory = view_memory_of(l->model, l->run);
	const enum model_metric shown[] = {view_measure(c->frame->state), METRIC_KERNEL};
	const enum reason why = view_memory_unknown(l->model, l->run, shown[0]);
	struct rect rect = c->layout.memory;
	const char *sentence = reason_sentence(why);
	int x = rect.x, end = rect.x + rect.w, gap = 1;

	if (rect.h <= 0)
		return;
	if (rect.w < WHY_W)
		sentence = reason_brief(why);
	if (rect.w >= 36)
		gap = 3;
	for (int i = 0; i < 2; i++, x += gap) {
		if (i > 0 && shown[0] == shown[1])
			break;
		x = canvas_text(l->canvas, x, rect.y, end - x, DIM, metric_brief(shown[i])) + 1;
		x = canvas_text(l->canvas, x, rect.y, MAX(0, end - x), PLAIN,
				VIEW_MEMORY_FIGURE(&memory, shown[i]));
		if (why && i == 0)
			x = canvas_text(l->canvas, x + 1, rect.y, end - x - 1, DIM, sentence);
	}
}

/*
 * Draws the inside of a tree's column: the axis, the legend, the counts, the bands and rows, the
 * reason for a failure, and the figures.
 */
static void tree_column_body(const struct tree_column *c)
{
	const struct view_list *l = &c->list;
	const struct view_state *state = c->frame->state;
	struct model_counts counts = {0};
	struct rect reason = c->layout.reason;
	int x = c->box.x + 2, y = c->box.y + c->box.h - 1, end = x + c->box.w - 4;

	if (l->run)
		counts = model_counts(l->model, l->run);
	/* Before the first run, the length of the axis is unknown. */
	if (c->layout.axis.h > 0 && (state->race.early || model_runs_begun(l->model) == 0))
		canvas_put(l->canvas, l->axis.x, c->layout.axis.y, '0', DIM);
	else if (c->layout.axis.h > 0)
		plot_time_labels(l->canvas, &l->axis, c->layout.axis.y, DIM);
	/*
	 * If the title shows medians and no trial is played, say at the axis that the newest run is
	 * shown.
	 */
	if (c->layout.axis.h > 0 && l->run && c->frame->state->race.trial.number == 0 &&
	    view_cache_median(c->frame->cache, c->frame->whole, l->run->id.case_id).trials > 1)
		canvas_text(l->canvas, c->layout.axis.x, c->layout.axis.y, c->layout.left - 1, DIM,
			    "newest");
	x = draw_bands_legend(l->canvas, x, y, end - x);
	if (l->run)
		view_lanes_edge(l->canvas, c->box, l->model, l->run, x, true);
	if (c->layout.counts.h > 0) {
		const char *peak = "peak";
		int at = draw_tree_count(c, c->layout.counts.x, "created", counts.created);

		at = draw_tree_count(c, at, "joined", counts.joined);
		if (l->run && !c->ended)
			at = draw_tree_count(c, at, "alive", counts.alive);
		/* Show the peak only at the end, because readings during the run may miss it. */
		if (c->layout.counts.w >= 50)
			peak = "peak alive";
		if (c->ended)
			draw_tree_count(c, at, peak, view_alive_peak(l->model, l->run, true));
	}
	if (!l->run || l->run->workers.gone) {
		canvas_text(l->canvas, l->axis.x, c->layout.rows.y, l->axis.w, DIM,
			    view_list_waits(c->frame->state, l->run));
	} else {
		draw_bands(l, c->layout.bands);
		view_list_draw(l);
	}
	if (!l->run)
		return;
	if (reason.h > 0)
		canvas_printf(l->canvas, reason.x, reason.y, reason.w, STYLE_BOLD(COLOUR_BAD),
			      "%s: %s", sample_status_name(l->run->totals.status),
			      l->run->totals.reason);
	/* While a trial is played, do not show the figures of its whole run yet. */
	if (!c->ended && state->race.trial.number > 0)
		return;
	tree_times(c);
	tree_memory(c);
}

void view_tree_draw(const struct view_frame *frame, struct rect box, uint32_t case_id)
{
	struct tree_column c = {.frame = frame, .box = box, .list = view_list_of(frame, case_id)};
	struct view_list *l = &c.list;
	const struct view_state *state = c.frame->state;
	struct layout_tree_need need = {.rows = l->n};
	int w;

	/*
	 * Do not draw runs that are too short to be watched, because they would flicker until the
	 * first trial is played.
	 */
	if (state->race.early)
		l->run = NULL;
	c.ended = l->run && model_ended(l->model, l->run);
	if (l->model->cases[0].plan.levels > 9)
		need.name_w = 8;
	else
		need.name_w = 7; /* Width of a band's name. */
	for (uint32_t i = 0; i < l->model->n_cases; i++)
		need.name_w = MAX(need.name_w, view_folds_tree(state->folds, i)->name_w);
	need.name_w += view_lanes_share_w(l->model);
	need.levels = (int)l->tree->plan.levels;
	need.reason = c.ended && l->run->totals.status != SAMPLE_OK;
	c.layout = layout_tree(c.box, &need);
	w = c.layout.axis.w - c.layout.left - c.layout.right;
	l->axis = view_rows_axis(l->model, state, 0, l->model->n_cases,
				 c.layout.axis.x + c.layout.left, w);
	l->rect = c.layout.rows;
	l->right = c.layout.right;
	l->first = l->kept->top = view_list_top(l->kept->top, l->selected, l->n, l->rect.h);
	/*
	 * Keys act on the rows of the chosen column, and on the rows of all columns with the same
	 * shape.
	 */
	if (view_folds_tree(state->folds, view_chosen(state, c.frame->shown)) == l->tree) {
		c.frame->shown->foldable = true;
		c.frame->shown->fold = view_list_fold(l);
	} else {
		l->selected = -1;
	}
	view_column_title(frame, box, case_id);
	if (c.list.axis.w > 0)
		tree_column_body(&c);
}

bool view_tree_act(struct view *view, const struct model *model, enum keys_act act, int key)
{
	struct view_state *state = &view->state;
	uint32_t chosen = view_chosen(state, &view->shown), n = model->n_cases;
	struct tree_rows *tree;
	long by = 0;

	if (chosen >= n || !view_tree_fits(model, chosen) || view_bands_fit(model, chosen))
		return false;
	tree = view_folds_tree(state->folds, chosen);
	state->picked |= act == KEYS_MODEL;
	if (act == KEYS_MODEL)
		state->chosen = (chosen + 1) % n;
	else if (act == KEYS_FOLD)
		tree_rows_toggle(tree);
	else if (act == KEYS_FOLD_ALL)
		tree_rows_toggle_all(tree);
	else if (act == KEYS_MOVE && view_list_key(key, &by))
		view_list_move(&(struct view_list) {.tree = tree}, by);
	else
		return false;
	return true;
}

char *view_tree_hint(const struct model *model, char *buf, size_t size)
{
	const struct plan *plan = NULL;
	const char *all;
	int64_t peak = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = model_latest(model, i);

		if (model->cases[i].plan.barrier || !view_tree_fits(model, i))
			continue;
		plan = &model->cases[i].plan;
		if (run)
			peak = MAX(peak, view_alive_peak(model, run, true));
		/* The highest peak of all trials, as in the message about the peak. */
		for (run = NULL; (run = model_next_measured(model, run, i, 1));)
			peak = MAX(peak, run->totals.peak_alive);
	}
	*buf = '\0';
	if (!plan || !peak)
		return buf;
	all = UNITS_COUNT(plan_count(plan));
	if (plan->all_alive)
		snprintf(buf, size, "All %s stay alive until the tree is complete. Then they end.",
			 all);
	else if (plan_is_creation(plan))
		snprintf(buf, size,
			 "Each task is created, does nothing and is joined before the next.");
	else if (plan_serves(plan))
		snprintf(buf, size, "A task for each connection: at most %s at once.",
			 UNITS_COUNT(plan->batch));
	else if (plan->tasks > 0)
		snprintf(buf, size,
			 "A worker for each task, created when an earlier one has ended: at most "
			 "%s at once.",
			 UNITS_COUNT(plan->batch));
	else
		snprintf(buf, size,
			 "Tasks end immediately: at most %s alive%s. -s all-alive=yes keeps all "
			 "%s.",
			 UNITS_COUNT(peak), model_over(model) ? "" : " so far", all);
	return buf;
}
