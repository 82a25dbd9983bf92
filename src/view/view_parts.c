/* SPDX-License-Identifier: MIT */
#include "view_cache.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/names.h"
#include "core/comparison.h"
#include "draw/key.h"
#include "draw/text.h"
#include "draw/theme.h"

int64_t view_tick_ns(const struct model *model)
{
	return INT64_C(1000000) * (model->session.interval_ms ? model->session.interval_ms : 100);
}

uint8_t view_hue(const struct model *model, uint32_t case_id)
{
	return identity_colour(model_identity(model, case_id));
}

_Static_assert((int)MODEL_IDENTITIES == (int)IDENTITIES,
	       "the model has as many identities as the view draws");

uint32_t view_shape(const struct model *model, uint32_t case_id)
{
	return identity_glyph(model_identity(model, case_id));
}

/* The names of all cases, or only of their models. All names are shortened together. */
struct case_names {
	const char *list[SAMPLE_MAX_CASES];
	char text[SAMPLE_MAX_CASES][SAMPLE_NAME];
	uint32_t n;
};

static void read_names(struct case_names *names, const struct model *model, bool brief)
{
	names->n = MIN(model->n_cases, SAMPLE_MAX_CASES);
	for (uint32_t i = 0; i < names->n; i++) {
		names->list[i] = model->cases[i].model;
		if (!brief)
			names->list[i] = model_case_name(model, i, names->text[i], SAMPLE_NAME);
	}
}

/* The case that has this name of n bytes; names->n if no case has it. */
static uint32_t case_of(const struct case_names *names, const char *name, size_t n)
{
	uint32_t i = 0;

	while (i < names->n && (strncmp(names->list[i], name, n) != 0 || names->list[i][n]))
		i++;
	return i;
}

/*
 * Finds " / " or " - " between two names of cases, and stores the indices of these cases. Returns
 * NULL if there is no such text.
 */
static const char *between_names(const struct case_names *names, const char *text, uint32_t pair[2])
{
	for (const char *at = strchr(text, ' '); at; at = strchr(at + 1, ' ')) {
		if ((at[1] != '/' && at[1] != '-') || at[2] != ' ')
			continue;
		pair[0] = case_of(names, text, (size_t)(at - text));
		pair[1] = case_of(names, at + 3, strlen(at + 3));
		if (pair[0] < names->n && pair[1] < names->n)
			return at;
	}
	return NULL;
}

static bool fit_cases(const struct model *model, bool brief, const char *text, int most, char *buf,
		      size_t size)
{
	struct case_names names;
	uint32_t pair[2];
	const char *between;
	char first[SAMPLE_NAME], second[SAMPLE_NAME];
	int half = (most - 3) / 2;

	read_names(&names, model, brief);
	pair[0] = case_of(&names, text, strlen(text));
	if (pair[0] < names.n) {
		names_fit(names.list, names.n, pair[0], most, TEXT_DOT, buf, size);
		return true;
	}
	if (half < 1)
		between = NULL;
	else
		between = between_names(&names, text, pair);
	if (!between)
		return false;
	/* If one name is short, the other name gets the rest of the room. */
	for (int i = 0; i < 2; i++)
		half = MAX(half, most - 3 - utf8_columns(names.list[pair[i]]));
	names_fit(names.list, names.n, pair[0], half, TEXT_DOT, first, sizeof(first));
	half = most - 3 - utf8_columns(first);
	names_fit(names.list, names.n, pair[1], half, TEXT_DOT, second, sizeof(second));
	snprintf(buf, size, "%s%.3s%s", first, between, second);
	return true;
}

char *view_fit(const struct model *model, const char *text, int most, char *buf, size_t size)
{
	if (utf8_columns(text) <= most)
		snprintf(buf, size, "%s", text);
	else if (!fit_cases(model, false, text, most, buf, size) &&
		 !fit_cases(model, true, text, most, buf, size))
		text_fit(buf, size, text, most);
	return buf;
}

void view_fill_eighths(struct canvas *canvas, struct rect rect, int eighths, struct style style)
{
	canvas_fill(canvas, RECT(rect.x, rect.y, eighths / 8, rect.h), 0x2588, style);
	if (eighths % 8)
		canvas_fill(canvas, RECT(rect.x + eighths / 8, rect.y, 1, rect.h),
			    0x2590u - (uint32_t)(eighths % 8), style);
}

int view_mark_name(struct canvas *canvas, struct rect place, const struct model *model,
		   uint32_t case_id, const char *name)
{
	struct style style = STYLE_BOLD(view_hue(model, case_id));
	char fit[SAMPLE_NAME + 8];

	if (place.w < 1)
		return place.x;
	canvas_put(canvas, place.x, place.y, view_shape(model, case_id), style);
	return canvas_text(canvas, place.x + 2, place.y, place.w - 2, style,
			   view_fit(model, name, place.w - 2, fit, sizeof(fit)));
}

void view_group(const struct model *model, uint32_t of, uint32_t *first, uint32_t *end)
{
	const struct sample_case *cases = model->cases;

	for (*first = of; *first > 0;) {
		if (!comparison_alike(&cases[*first - 1], &cases[of]))
			break;
		*first -= 1;
	}
	for (*end = of; *end < model->n_cases;) {
		if (!comparison_alike(&cases[*end], &cases[of]))
			break;
		*end += 1;
	}
}

uint32_t view_alike(const struct view_frame *frame, uint32_t *first, uint32_t *end)
{
	const struct model_run *run = model_newest(frame->model);
	uint32_t of = run ? run->id.case_id : 0;

	if (model_over(frame->model) && frame->cache->foremost < frame->model->n_cases)
		of = frame->cache->foremost;
	view_group(frame->model, of, first, end);
	return of;
}

struct sample_memory view_memory_of(const struct model *model, const struct model_run *run)
{
	if (model_ended(model, run))
		return run->totals.memory;
	return model_memory(model, run);
}

char *view_memory_figure(char *buf, size_t size, const struct sample_memory *memory,
			 enum model_metric which)
{
	double kib = metric_kib(memory, which);

	snprintf(buf, size, "%s%s",
		 isnan(kib) ? ""
			    : METRIC_MARKED(metric_seen(memory, which),
					    metric_is_estimated(memory, which)),
		 METRIC_TEXT(which, kib));
	return buf;
}

enum reason view_memory_unknown(const struct model *model, const struct model_run *run,
				enum model_metric which)
{
	const struct sample_memory *memory = &run->totals.memory;
	const struct plan *plan = model_plan(model, run);
	bool mapped = which == METRIC_PSS || which == METRIC_USS ||
		      (which == METRIC_MEMORY && memory->pss_kb < 0);
	bool ended = model_ended(model, run), was_denied = false;

	if (ended && !isnan(metric_value(run, which)))
		return REASON_NONE;
	if (ended && run->totals.memory_reason > REASON_NONE)
		return (enum reason)run->totals.memory_reason;
	/* Old versions of tuibench did not follow programs. */
	if (model_hides_memory(run) && !*model->session.tasks_by)
		return REASON_NOT_FOLLOWED;
	if (!ended)
		return REASON_NONE;
	/* Old recordings do not say why. */
	if (model_hides_memory(run))
		return REASON_NOT_KNOWN;
	/* The live source was not allowed to read the file that has these values. */
	for (size_t i = 0; i < model->n_messages; i++)
		was_denied |= model->messages[i].kind == MESSAGE_NO_PSS;
	if (mapped && was_denied)
		return REASON_SMAPS_DENIED;
	if (mapped && memory->rss_kb >= 0 && !plan->barrier)
		return REASON_CREATING;
	return REASON_SHORT_RUN;
}

struct plot_axis view_axis_of(const struct view_state *state, int64_t longest, int x, int w)
{
	/* The time span grows in steps, so that the scale rarely changes during the first run. */
	double span = plot_nice(longest > 0 ? (double)longest : 1e9);
	double zoom = fmax(1, state->zoom);
	double from = fmax(0, fmin(state->from, 1 - 1 / zoom)) * span;

	if (state->window_to_ns > 0)
		return (struct plot_axis) {state->window_from_ns, state->window_to_ns, x, w};
	return (struct plot_axis) {(int64_t)from, (int64_t)(from + span / zoom) + 1, x, w};
}

struct plot_axis view_axis(const struct model *model, const struct view_state *state,
			   uint32_t first, uint32_t end, int x, int w)
{
	int64_t longest = 0;

	for (uint32_t id = first; id < end; id++) {
		const struct model_run *latest = model_latest(model, id);

		if (!latest)
			continue;
		longest = MAX(longest, latest->longest_ns);
		longest = MAX(longest, model_length(model, latest));
	}
	return view_axis_of(state, longest, x, w);
}

size_t view_next_run(const struct model *model, size_t i, int to,
		     int (*column)(const void *arg, int64_t time_ns), const void *arg)
{
	size_t low = i + 1, high = model->n_runs;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (column(arg, model->runs[middle].begin_ns) <= to)
			low = middle + 1;
		else
			high = middle;
	}
	return MAX(i + 1, low - 1);
}

int64_t view_alive_peak(const struct model *model, const struct model_run *run, bool counted)
{
	int64_t peak;

	if (model_has_command_tasks(run))
		return -1;
	if (model_ended(model, run))
		return run->totals.peak_alive;
	if (counted)
		peak = (int64_t)model_counts(model, run).alive;
	else
		peak = -1;
	for (size_t i = 0; i < run->n_points; i++) {
		if (run->points[i].time_ns > model->now_ns)
			break;
		peak = MAX(peak, run->points[i].tasks);
	}
	return peak;
}

double view_alive_top(const struct model *model, uint32_t first, uint32_t end, bool counted)
{
	int64_t top = 1;

	for (uint32_t i = first; i < end; i++) {
		const struct model_run *run = model_latest(model, i);

		if (run)
			top = MAX(top, view_alive_peak(model, run, counted));
	}
	return plot_nice((double)top);
}

void view_series(const struct model *model, const struct model_run *run,
		 const struct plot_axis *axis, enum model_metric which, double *y)
{
	/*
	 * PSS is not read at every tick, so draw a value until the next value. A gap longer than
	 * hold_ns stays a gap.
	 */
	const int64_t hold_ns = 3 * view_tick_ns(model);
	const int64_t end = run->begin_ns + model_length(model, run);
	const struct plot_axis dots = {axis->from_ns, axis->to_ns, 0, 2 * axis->w};
	size_t next = 0;

	for (int i = 0; i < MIN(dots.w, PLOT_DOTS); i++) {
		int64_t from = run->begin_ns + plot_time(&dots, i);
		int64_t to = run->begin_ns + plot_time(&dots, i + 1);

		while (next < run->n_points && run->points[next].time_ns < to &&
		       run->points[next].time_ns <= model->now_ns)
			next++;
		y[i] = NAN;
		for (size_t n = next; from <= end && isnan(y[i]) && n > 0; n--) {
			const struct model_point *point = &run->points[n - 1];

			if (point->time_ns + hold_ns < from)
				break;
			if (which == METRICS)
				y[i] = fields_known(point->tasks);
			else
				y[i] = metric_kib(&point->memory, which);
		}
	}
}

struct rect view_box(struct canvas *canvas, struct rect box, const char *title, const char *note)
{
	canvas_box(canvas, box, STYLE(COLOUR_BORDER), title, STYLE_BOLD(COLOUR_TITLE), note);
	return RECT(box.x + 2, box.y + 1, box.w - 4, box.h - 2);
}

void view_plot_labels(struct canvas *canvas, struct rect rect, struct rect plot, int right,
		      const char *label, const char *scale, const char *figure)
{
	int left = plot.x - rect.x;

	canvas_text(canvas, rect.x, rect.y + (rect.h > 1), left - 1, PLAIN, label);
	if (rect.h > 1 && utf8_columns(scale) < left)
		canvas_right(canvas, plot.x - 1, rect.y, DIM, scale);
	canvas_right(canvas, plot.x + plot.w + right, rect.y, PLAIN, figure);
}

void view_no_memory(struct canvas *canvas, struct rect rect)
{
	canvas_text(canvas, rect.x, rect.y, rect.w, STYLE_BOLD(COLOUR_WARN),
		    "There is too little memory for this view.");
}

int view_rows_hidden(struct canvas *canvas, struct rect line, long above, long below)
{
	int x = line.x;

	if (above > 0)
		x = canvas_printf(canvas, x, line.y, line.w, DIM, "▴ %s above%s",
				  UNITS_COUNT(above), below > 0 ? "   " : "");
	if (below > 0)
		x = canvas_printf(canvas, x, line.y, line.x + line.w - x, DIM, "%s more ▾",
				  UNITS_COUNT(below));
	return x;
}

bool view_scroll_by(int *scroll, int most, int key)
{
	long by;

	if (!view_list_key(key, &by))
		return false;
	*scroll = (int)MAX(0, MIN(MIN(*scroll, most) + (int64_t)by, most));
	return true;
}

int view_scroll_to(const struct view_frame *frame, int n, int shown)
{
	frame->shown->scrolls = true;
	frame->shown->most_scroll = MAX(0, n - shown);
	return MIN(frame->state->scroll, frame->shown->most_scroll);
}

uint32_t view_chosen(const struct view_state *state, const struct view_shown *shown)
{
	return MAX(shown->first_case, MIN(state->chosen, shown->last_case));
}

enum model_metric view_measure(const struct view_state *state)
{
	bool whole = 1 << state->view == KEYS_MEMORY || state->memory != METRIC_MEMORY;

	if (whole)
		return state->memory;
	return METRIC_PSS;
}

bool view_replays(const struct view_frame *frame)
{
	const struct view_clock *clock = &frame->state->clock;

	return clock->shown && !clock->live && !clock->grows && frame->model->n_origins == 0;
}

/*
 * The words for preliminary figures. The rest of a recording already exists, so no figure of a
 * recording is "so far".
 */
const char *view_preliminary(const struct view_frame *frame)
{
	if (view_replays(frame))
		return "at this point";
	return "so far";
}

unsigned view_where(const struct view_state *state)
{
	unsigned where;

	if (state->lecture.speaker)
		return KEYS_OPEN | KEYS_SLIDE;
	if (state->typing)
		return KEYS_TYPING;
	where = KEYS_LIVE;
	if (state->clock.shown)
		where = KEYS_REPLAY;
	if (state->help)
		where |= KEYS_OPEN;
	else
		where |= 1U << state->view;
	if (state->vote)
		where |= KEYS_VOTE;
	if (state->lecture.slide)
		where |= KEYS_SLIDE;
	if (state->lecture.heading)
		where |= KEYS_LECTURE;
	return where;
}

void view_zone_add(struct view_shown *shown, struct view_zone zone)
{
	if (shown->n_zones < VIEW_ZONES)
		shown->zones[shown->n_zones++] = zone;
}

void view_zone_case(struct view_shown *shown, struct rect rect, uint32_t case_id)
{
	view_zone_add(shown, (struct view_zone) {rect, '2', case_id, METRICS});
}

enum { PAGE = 10 }; /* Number of rows by which PgUp and PgDn scroll. */

bool view_list_key(int key, long *by)
{
	static const struct {
		int key;
		long by;
	} keys[] = {{KEY_UP_ARROW, -1},	   {KEY_DOWN_ARROW, 1},	       {KEY_PAGE_UP, -PAGE},
		    {KEY_PAGE_DOWN, PAGE}, {KEY_HOME_KEY, -INT32_MAX}, {KEY_END_KEY, INT32_MAX}};

	for (size_t i = 0; i < LENGTH(keys); i++)
		if (keys[i].key == key) {
			*by = keys[i].by;
			return true;
		}
	return false;
}

/*
 * The run to show instead of a case's newest run; NULL: the newest run itself. While runs are shown
 * live, the last run stays until the next run has something to show: a slice or, if no slices are
 * recorded, a task. Otherwise, the model's rows would be blank between its runs.
 */
static const struct model_run *view_run_before(const struct model *model, uint32_t case_id)
{
	const struct model_run *newest = model_latest(model, case_id);
	const struct model_run *before = model_latest_ended(model, case_id);

	if (!newest || !before || model_ended(model, newest) || before->workers.gone)
		return NULL;
	if (model->cases[case_id].plan.leaves[WORK_PROGRAM] == 0)
		return NULL;
	if (newest->n_tasks > 0 && (model_has_slices(newest) || !model_has_slices(before)))
		return NULL;
	return newest;
}

const struct model *view_model_of(const struct view_frame *frame, uint32_t case_id)
{
	const struct view_race *race = &frame->state->race;
	struct model *as_of = &frame->cache->as_of[case_id % VIEW_RACERS];
	const struct model_run *run;
	struct model_hold hold;
	int64_t place_ns, now_ns;

	if (race->trial.number == 0) {
		run = view_run_before(frame->model, case_id);
		if (!run)
			return frame->model;
		*as_of = *frame->model;
		as_of->now_ns = run->begin_ns - 1;
		return as_of;
	}
	if (case_id < race->trial.first || case_id >= race->trial.end)
		return frame->model;
	run = model_trial_run(frame->model, &race->trial, case_id);
	if (!run)
		return frame->model;
	hold = model_hold(run);
	place_ns = race->ns;
	if (place_ns > hold.from_ns)
		place_ns += hold.to_ns - hold.from_ns;
	now_ns = MIN(run->end_ns, run->begin_ns + place_ns);
	/* A run's last sample, with totals and results, arrives slightly after the run's end. */
	if (race->ns >= model_elapsed(frame->model, run))
		now_ns = run->end_ns;
	*as_of = *frame->model;
	as_of->now_ns = now_ns;
	return as_of;
}

struct view_frame view_frame_of(const struct view_frame *frame, uint32_t case_id)
{
	struct view_frame of = *frame;

	of.model = view_model_of(frame, case_id);
	return of;
}

const char *view_undecided(double ratio, char *buf, size_t size)
{
	if (isnan(ratio))
		snprintf(buf, size, "?");
	/* More digits than these would be of chance. */
	else if (ratio < CLAIM_NOISY)
		snprintf(buf, size, "%.2fx ?", ratio);
	else
		snprintf(buf, size, "%sx ?", CLAIM_TIMES(ratio));
	return buf;
}
