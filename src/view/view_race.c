/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/units.h"
#include "stats/stats.h"
#include "result/task.h"
#include "view_cache.h"

/*
 * The first screen of most sessions. It plays the runs of one trial together, one below the other.
 * A run is lanes of workers, or bands of a tree.
 */

enum {
	RACE_BESIDE = 20,  /* Width of a title beside the model's name, at least. */
	RACE_CORES = 4,	   /* With more cores, a single lane shows how many are busy. */
	RACE_FACTS = 110,  /* Least width of a title that explains the time of a tree. */
	RACE_LEAVES = 128, /* A longer list keeps the rows of its branches. */
	TOOK_W = 7	   /* Width of a run's time. */
};

#define RUNS_APART 1.1 /* The axis of runs covers at least this ratio. */
/*
 * If most runs would have less than a third of the axis of runs, the axis ends before the far runs:
 * runs above the third quartile by more than three times the distance of the quartiles (Tukey's
 * outer fence).
 */
#define RUNS_SHARE 3
#define RUNS_FENCE 3
#define RUNS_STEPS 10 /* The ends of the axis are multiples of a tenth of its span or less. */

struct race {
	const struct view_frame *frame;
	struct canvas *canvas;
	const struct model *model;
	uint32_t first;	   /* First case whose lanes are shown. */
	uint32_t compared; /* First case in bars, figures and runs. */
	struct layout_race layout;
	/* All lanes of the frame are drawn by shares, see view_lane_is_dense(). */
	bool dense;
	bool bands;	       /* The models' runs are drawn as bands of a tree's levels. */
	bool leaves;	       /* Open branches have no rows. */
	bool single;	       /* Each model is a program of a single task. */
	struct plot_axis axis; /* Axis of the lanes. All models share its column and width. */
	int name_w;	       /* Width of the widest name in the titles. */
};

/* One model of the race. */
struct racer {
	const struct race *race;
	const struct layout_racer *layout;
	const struct model *model; /* The model as of the race's position in the case's run. */
	const struct model_run *run;
	uint32_t case_id;
	uint8_t hue;
	bool rests; /* This case waits while another one's run is shown live. */
};

bool view_race_offered(const struct view_frame *frame)
{
	const struct model *model = frame->model;
	uint32_t trees = 0, bands = 0;

	if (model_has_latency(model))
		return false;
	for (uint32_t id = 0; id < model->n_cases; id++) {
		trees += view_tree_fits(model, id);
		bands += view_bands_fit(model, id);
	}
	/* All models have lanes, or all have bands, because only then they can be compared. */
	return model->n_cases > 0 && trees == bands && (bands == 0 || bands == model->n_cases);
}

bool view_race_has_faults(const struct model *model)
{
	return model_has_faults(model) || strcmp(model->session.experiment, "crash") == 0;
}

/*
 * Leaves out the rows of open branches, such as the processes of a hybrid, which only wait for
 * their threads. `leaves` is a copy of the list's tree, and `rows` has room for its rows.
 */
static void race_leave_out_branches(struct view_list *list, struct tree_rows *leaves,
				    struct tree_row *rows)
{
	const struct tree_rows *tree = list->tree;

	*leaves = *tree;
	leaves->rows = rows;
	leaves->n_rows = 0;
	leaves->selected = 0;
	/* Another list of rows than the tree's, for the caches. */
	leaves->generation = ~tree->generation;
	for (size_t i = 0; i < tree->n_rows; i++)
		if (!tree->rows[i].open)
			rows[leaves->n_rows++] = tree->rows[i];
	list->tree = leaves;
	list->n = (long)leaves->n_rows;
}

/* The number of rows without open branches. */
static int race_leaves(const struct view_list *list)
{
	int n = 0;

	for (size_t i = 0; i < list->tree->n_rows; i++)
		n += !list->tree->rows[i].open;
	return n;
}

static int race_name_w(const struct view_list *list)
{
	if (list->tasks)
		return view_task_names_w(list);
	return MIN(list->tree->name_w, 12);
}

/*
 * Whether a command is still running, so that its tasks change, and ended runs of its case had
 * tasks, so that some are expected.
 */
static bool race_awaits_tasks(const struct view_frame *frame, const struct view_list *list,
			      uint32_t case_id)
{
	return list->run && !model_ended(list->model, list->run) &&
	       frame->cache->race_tasks[case_id % VIEW_RACERS];
}

/*
 * The rows of a case: the tasks of its command if they are known, none while they are expected,
 * otherwise its workers.
 */
static struct view_list race_list(const struct view_frame *frame, uint32_t case_id)
{
	struct view_list list = view_list_of(frame, case_id);

	list.race = true;
	/*
	 * While an ended trial is played, all of its tasks have rows from the start, so that no row
	 * moves.
	 */
	list.whole = frame->state->race.trial.number > 0;
	list.tasks = view_task_rows(&list);
	if (list.tasks)
		list.most = frame->cache->race_rows[case_id % VIEW_RACERS];
	if (list.tasks)
		list.n = (long)list.tasks->n;
	else if (race_awaits_tasks(frame, &list, case_id))
		list.n = 0;
	return list;
}

/* Whether the program has only one task. Then an extra line describes the task's states. */
static bool race_is_alone(const struct view_list *list)
{
	return list->tasks && list->tasks->n_tasks == 1;
}

/*
 * Adds the cores that workers of the trial's runs had. A core that only one run used keeps its
 * lane, so that no lane jumps and the models' lanes can be compared.
 */
static void race_add_cores(const struct race *race, uint32_t end)
{
	for (uint32_t id = race->first; id < end; id++) {
		const struct model *model = view_model_of(race->frame, id);
		const struct model_run *run = model_latest(model, id);
		const size_t n = run ? model_cores_seen(run) : 0;

		for (size_t cpu = 0; cpu < MIN(n, CPU_SETSIZE); cpu++)
			if (model_core_used(run, cpu))
				CPU_SET(cpu, &race->frame->cache->race_cpus);
	}
}

/* More rows do not fit on any screen. */
enum { RACE_ROWS_MOST = 1000 };

/* A program has at least these rows, so that no row moves when its first tasks are known. */
enum { RACE_PROGRAM_ROWS = 2 };

/*
 * The rows that a case needs. The number of tasks of a running command changes with each frame, so
 * the rows of commands only grow.
 */
static int race_rows_needed(const struct view_frame *frame, const struct view_list *list,
			    uint32_t case_id)
{
	const struct plan *plan = &frame->model->cases[case_id].plan;
	const int rows = (int)MIN(list->n, RACE_ROWS_MOST) + race_is_alone(list);
	int *most = &frame->cache->race_rows[case_id % VIEW_RACERS];

	if (view_bands_fit(frame->model, case_id))
		return view_bands_count(plan);
	if (plan->leaves[WORK_PROGRAM] == 0)
		return rows;
	*most = MAX(MAX(*most, rows), RACE_PROGRAM_ROWS);
	if (list->run && model_ended(list->model, list->run))
		frame->cache->race_tasks[case_id % VIEW_RACERS] |= list->tasks != NULL;
	return *most;
}

/*
 * Records the widest names and, for commands, the most rows that these cases have needed so far. If
 * the cases are not the ones of the frame before, their names, cores, time and density begin anew.
 */
static void race_keep(const struct view_frame *frame, struct layout_race_need *need, uint32_t begin,
		      uint32_t end)
{
	struct view_cache *cache = frame->cache;

	if (cache->race_first != begin || cache->race_end != end) {
		cache->race_first = begin;
		cache->race_end = end;
		cache->race_name_w = 0;
		CPU_ZERO(&cache->race_cpus);
		cache->race_ns = 0;
		cache->race_dense = false;
		cache->race_many = cache->race_others = cache->race_loads = false;
	}
	for (uint32_t id = begin; id < end; id++) {
		const struct view_list list = race_list(frame, id);
		const int rows = race_rows_needed(frame, &list, id);

		cache->race_many |= list.tasks && list.tasks->n_tasks > 1;
		if (id - begin < LAYOUT_COLUMNS)
			need->rows[id - begin] = rows;
		/*
		 * The tasks of a running command change, so measure the names of its ended runs.
		 */
		if (!race_awaits_tasks(frame, &list, id) && !need->bands)
			cache->race_name_w = MAX(cache->race_name_w, race_name_w(&list));
	}
	need->name_w = cache->race_name_w;
}

/*
 * The time that the axis shows. The axis only grows during a session, so that trials can be
 * compared.
 */
static int64_t race_time(const struct view_frame *frame, uint32_t begin, uint32_t end)
{
	const struct view_race *race = &frame->state->race;
	int64_t *longest_ns = &frame->cache->race_ns;
	int64_t ns;

	/* While a trial is played, its axis stays, even if the session ends meanwhile. */
	if (race->trial.number)
		return race->axis_ns;
	ns = view_rows_longest(frame->model, begin, end);
	/* During the first runs the axis has a minimum length, so do not record its length. */
	if (model_over(frame->model) || model_runs_ended(frame->model) < frame->model->n_cases)
		return ns;
	*longest_ns = MAX(*longest_ns, ns);
	return *longest_ns;
}

/*
 * Whether the slices of all models together are too short for cells of their own. One answer for
 * all, because lanes drawn in two ways cannot be compared. Once true, it stays true for these
 * models.
 */
static bool race_is_dense(const struct race *race, uint32_t end)
{
	struct view_lane_count count = {0};

	for (uint32_t id = race->first; id < end; id++) {
		const struct model_run *run = model_latest(view_model_of(race->frame, id), id);

		if (run)
			view_lane_count(&count, run, &race->axis);
	}
	race->frame->cache->race_dense |= count.shorter > count.slices / 2;
	return race->frame->cache->race_dense;
}

/* The width of the widest name with its mark, so that the models' times are in one column. */
static int race_title_w(const struct race *race)
{
	int w = 0;

	for (int i = 0; i < race->layout.n; i++)
		w = MAX(w,
			2 + utf8_columns(MODEL_CASE_NAME(race->model, race->first + (uint32_t)i)));
	return w;
}

/* Whether slices of other programs are known of the run, on any core. */
static bool run_knows_others(const struct model_run *run)
{
	size_t n = 0;

	for (size_t cpu = 0; n == 0 && cpu < model_cores_seen(run); cpu++)
		model_core_others(run, cpu, &n);
	return n > 0;
}

/*
 * The share of its time for which a core was busy with any program, NaN if unknown. In short runs
 * there are too few readings of the kernel's count; then it is that of the slices.
 */
static double race_core_load(const struct model *model, const struct model_run *run, size_t cpu)
{
	const double load = model_core_load(model, run, cpu);
	const int64_t length_ns = model_length(model, run);
	struct model_core_shares shares;

	if (!isnan(load) || length_ns <= 0 || !run_knows_others(run))
		return load;
	model_core_shares_until(model, run, cpu, length_ns, &shares);
	return (shares.ns[CORE_OURS] + shares.ns[CORE_OTHERS]) / (double)length_ns;
}

/* Whether each core has a lane with its own figures. */
static bool race_has_core_lanes(const struct race *race)
{
	const int lines = race->layout.models[0].cores.h;

	return lines > 0 && lines >= CPU_COUNT(&race->frame->cache->race_cpus);
}

/*
 * Records whether the load of any core is known. All models then have the same heading above their
 * cores' figures, and it stays.
 */
static void race_find_loads(const struct race *race, uint32_t end)
{
	bool *known = &race->frame->cache->race_loads;

	for (uint32_t id = race->first; id < end; id++) {
		const struct model *model = view_model_of(race->frame, id);
		const struct model_run *run = model_latest(model, id);
		const size_t n = run ? model_cores_seen(run) : 0;

		for (size_t cpu = 0; cpu < n && !*known; cpu++)
			*known = !isnan(race_core_load(model, run, cpu));
	}
}

/* Whether each model is a program, and none had several tasks in any run that was shown. */
static bool race_is_single(const struct race *race, uint32_t end)
{
	for (uint32_t id = race->first; id < end; id++)
		if (race->model->cases[id].plan.leaves[WORK_PROGRAM] == 0)
			return false;
	return !race->frame->cache->race_many;
}

/* Whether the layout has a line for each row of each model, and lines for the bars. */
static bool race_has_all(const struct layout_race *layout, const struct layout_race_need *need)
{
	if (layout->n < need->models)
		return false;
	for (int i = 0; i < layout->n; i++)
		if (layout->models[i].rows.h < need->rows[i])
			return false;
	return layout->bars.h > 0;
}

/*
 * Lays out the race. After a fault, the rows of branches go first, so that all models and bars fit.
 */
static void race_lay_out(struct race *race, struct rect rect, struct layout_race_need *need)
{
	race->layout = layout_race(rect, need);
	if (!need->together || race_has_all(&race->layout, need))
		return;
	race->leaves = true;
	for (int i = 0; i < MIN(need->models, LAYOUT_COLUMNS); i++) {
		const struct view_list list = race_list(race->frame, race->first + (uint32_t)i);

		need->rows[i] = race_leaves(&list);
	}
	race->layout = layout_race(rect, need);
}

static struct race race_of(const struct view_frame *frame, struct rect rect)
{
	const struct view_state *state = frame->state;
	struct race race = {.frame = frame, .canvas = frame->canvas, .model = frame->model};
	struct layout_race_need need = {.metrics = frame->cache->answer.n_metrics};
	uint32_t begin, end;

	/*
	 * Lines for metrics are reserved before a value is known, so that the lanes do not jump
	 * later.
	 */
	if (!model_over(race.model))
		need.metrics = MAX(1, need.metrics);

	view_alike(frame, &begin, &end);
	if (state->race.trial.number) {
		begin = state->race.trial.first;
		end = state->race.trial.end;
	}
	if (state->browse)
		view_group(race.model, (uint32_t)MIN(state->column, (int)race.model->n_cases - 1),
			   &begin, &end);
	race.first = race.compared = begin;
	need.models = (int)(end - begin);
	need.together = view_race_has_faults(race.model);
	need.bands = race.bands = view_bands_fit(race.model, begin);
	race_keep(frame, &need, begin, end);
	race_add_cores(&race, end);
	need.cores = CPU_COUNT(&frame->cache->race_cpus);
	/* A program's run is watched live, and may come to another core at any time. */
	if ((state->race.early && !race.bands) ||
	    race.model->cases[begin].plan.leaves[WORK_PROGRAM] > 0)
		need.cores = MAX(need.cores, race.model->session.machine.cores_allowed);
	if (need.cores > RACE_CORES && !state->cores)
		need.cores = 1;
	rect.w--;
	race_lay_out(&race, rect, &need);
	/* If not all models fit, show the chosen model and those after it. */
	if (state->browse)
		race.first =
			MAX(begin, MIN((uint32_t)state->column, end - (uint32_t)race.layout.n));
	race.axis = view_axis_of(state, race_time(frame, begin, end), rect.x + race.layout.left,
				 MIN(rect.w - race.layout.left - race.layout.right, DENSITY_CELLS));
	race.dense = race_is_dense(&race, end);
	race.name_w = race_title_w(&race);
	race.single = race_is_single(&race, end);
	race_find_loads(&race, end);
	return race;
}

/*
 * Writes the share of each core that the run's workers had, "cores  0  97 %  1   0 %", of all cores
 * that any run had. Without room for all of them, how many were busy, because a core that is left
 * out would look idle.
 */
static void racer_draw_core_shares(const struct racer *racer, int x, int end)
{
	const cpu_set_t *cpus = &racer->race->frame->cache->race_cpus;
	const int64_t length_ns = model_length(racer->model, racer->run);
	struct sentence s = SENTENCE(256);
	double all_ns = 0;

	if (model_cores_seen(racer->run) == 0)
		return;
	sentence_add(&s, "cores");
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		struct model_core_shares shares;

		if (!CPU_ISSET(cpu, cpus))
			continue;
		model_core_shares_until(racer->model, racer->run, cpu, length_ns, &shares);
		all_ns += shares.ns[CORE_OURS];
		sentence_add(&s, "  %zu %3.0f %%", cpu,
			     100 * shares.ns[CORE_OURS] / (double)MAX(1, length_ns));
	}
	if (x + utf8_columns(s.buf) >= end)
		snprintf(s.buf, s.size, "%.1f of %d cores busy", all_ns / (double)MAX(1, length_ns),
			 CPU_COUNT(cpus));
	if (x + utf8_columns(s.buf) < end)
		canvas_text(racer->race->canvas, x, racer->layout->title.y, -1, DIM, s.buf);
}

static const char *racer_waits(const struct racer *racer)
{
	const struct view_state *state = racer->race->frame->state;

	if (state->race.early && !state->hold)
		return "is shown once each model has run";
	return view_list_waits(state, NULL);
}

/* Writes "3 of 4 survived" after a run in which a fault was injected into one worker. */
static int racer_draw_survivors(const struct racer *racer, int x, int end)
{
	const struct sample_totals *totals = &racer->run->totals;
	const struct plan *plan = &racer->race->model->cases[racer->case_id].plan;
	char text[64];

	if (!totals->fault || totals->survived < 0 || !model_ended(racer->model, racer->run))
		return x;
	snprintf(text, sizeof(text), "%lld of %llu survived", (long long)totals->survived,
		 (unsigned long long)plan_leaves(plan));
	if (x + utf8_columns(text) >= end)
		return x;
	return canvas_text(racer->race->canvas, x, racer->layout->title.y, end - x,
			   STYLE_BOLD(totals->survived > 0 ? COLOUR_GOOD : COLOUR_BAD), text) +
	       2;
}

/*
 * Writes the time of the run next to its model: "112 ms create to join", "112 ms so far", or for a
 * program the time alone. Returns the column after it.
 */
static int racer_draw_time(const struct racer *racer, int x, int end)
{
	const struct race *race = racer->race;
	const struct plan *plan = &race->model->cases[racer->case_id].plan;
	const int y = racer->layout->title.y;
	struct style style = STYLE_BOLD(racer->hue);
	bool ended;
	const char *words;
	char took[32];

	if (!racer->run)
		return x;
	ended = model_ended(racer->model, racer->run);
	/* Until the run has ended, its time is no result. */
	if (racer->rests || !ended)
		style = DIM;
	if (model_length(racer->model, racer->run) > 0) {
		units_format_time(took, sizeof(took), model_elapsed(racer->model, racer->run),
				  false);
		canvas_right(race->canvas, x + TOOK_W, y, style, took);
	}
	x += TOOK_W + 1;
	words = ended ? "create to join" : "so far";
	/* The times of workers begin at their first instruction, so say when this time begins. */
	if (plan->leaves[WORK_PROGRAM] == 0 && x + (int)strlen("create to join") < end)
		canvas_text(race->canvas, x, y, end - x, DIM, words);
	if (plan->leaves[WORK_PROGRAM] == 0 && x + (int)strlen("create to join") < end)
		x += (int)strlen("create to join") + 1;
	return x + 1;
}

/*
 * Writes a fact about a tree's run in its title. A value that still grows has a column of width w,
 * so that nothing moves. Returns the column after it; `end` if it has no room.
 */
static int racer_draw_fact(const struct racer *racer, int x, int end, const char *name,
			   const char *value, int w)
{
	const int y = racer->layout->title.y;
	const int named = x + utf8_columns(name) + 1;

	w = MAX(w, utf8_columns(value));
	if (named + w > end)
		return end;
	canvas_text(racer->race->canvas, x, y, -1, DIM, name);
	canvas_right(racer->race->canvas, named + w, y, STYLE_BOLD(COLOUR_DEFAULT), value);
	return named + w + 2;
}

/* Writes the counts of tasks while a tree is created. */
static void racer_draw_counts(const struct racer *racer, int x, int end)
{
	const struct model_counts counts = model_counts(racer->model, racer->run);
	const uint64_t tasks = plan_count(&racer->race->model->cases[racer->case_id].plan);
	const int w = utf8_columns(UNITS_COUNT((int64_t)tasks));

	x = racer_draw_fact(racer, x, end, "created", UNITS_COUNT(counts.created), w);
	x = racer_draw_fact(racer, x, end, "joined", UNITS_COUNT(counts.joined), w);
	racer_draw_fact(racer, x, end, "alive", UNITS_COUNT(counts.alive), w);
}

/*
 * Writes the facts of a tree that has ended: how many tasks were alive at once, medians of all
 * tasks, and how many cores the tree used.
 */
static void racer_draw_tree_facts(const struct racer *racer, int x, int end)
{
	static const struct {
		const char *name;
		enum model_phase phase;
	} medians[] = {{"create", PHASE_CREATE}, {"join wait", PHASE_JOIN}};
	const struct model_levels *levels = model_levels(racer->model, racer->run);
	const double cpu_ns = metric_value(racer->run, METRIC_CPU);
	const int64_t length_ns = model_length(racer->model, racer->run);
	char text[32];

	x = racer_draw_fact(racer, x, end, "peak alive",
			    UNITS_COUNT(view_alive_peak(racer->model, racer->run, true)), 0);
	for (size_t i = 0; levels && i < LENGTH(medians); i++) {
		const double ns = levels->all.phase[medians[i].phase].median;

		if (!isnan(ns))
			x = racer_draw_fact(racer, x, end, medians[i].name,
					    UNITS_TIME((int64_t)ns, false), 0);
	}
	if (isnan(cpu_ns) || length_ns <= 0)
		return;
	snprintf(text, sizeof(text), "%.1f", cpu_ns / (double)length_ns);
	racer_draw_fact(racer, x, end, "cores used", text, 0);
}

/*
 * Writes the name, "● threads"; the time of the run; the case's number, if not all models fit; and
 * facts about the run, or why it failed or has not begun. On the right is the heading of the
 * figures at the ends of the rows.
 */
static void racer_draw_title(const struct racer *racer)
{
	const struct race *race = racer->race;
	const struct rect title = racer->layout->title;
	const struct sample_totals *totals = racer->run ? &racer->run->totals : NULL;
	const bool ended = racer->run && model_ended(racer->model, racer->run);
	const int name_w = MIN(race->name_w, title.w - RACE_BESIDE);
	char name[SAMPLE_NAME], reason[SAMPLE_TEXT];
	int x = title.x + 1, end = title.x + title.w, words_end;

	/*
	 * A lane begins at creation, but the time beside the lane begins at the first instruction.
	 */
	if (racer->run && racer->layout->rows.h > 0)
		end = canvas_right(race->canvas, end, title.y, DIM,
				   race->bands ? "created" : "lifetime") -
		      1;
	words_end = end;
	model_case_name(race->model, racer->case_id, name, sizeof(name));
	view_mark_name(race->canvas, RECT(x, title.y, name_w, 1), race->model, racer->case_id,
		       name);
	if (race->bands)
		words_end = title.w < RACE_FACTS ? x : end;
	else if (race->layout.cores_in_title)
		words_end = title.w / 2;
	x = racer_draw_time(racer, x + name_w + 1, words_end);
	/*
	 * In a sweep, the race shows the two models at one value, so other cases are not counted as
	 * further models.
	 */
	if (race->layout.n < (int)race->model->n_cases &&
	    (race->layout.n < 2 || !model_sweeps(race->model)))
		x = canvas_printf(race->canvas, x, title.y, end - x, DIM, "← %u of %u →  ",
				  racer->case_id + 1, race->model->n_cases);
	if (!racer->run) {
		canvas_text(race->canvas, x, title.y, end - x, DIM, racer_waits(racer));
		return;
	}
	if (ended && totals->status != SAMPLE_OK) {
		snprintf(reason, sizeof(reason), "%s: %s", sample_status_name(totals->status),
			 totals->reason);
		text_draw(race->canvas, RECT(x, title.y, MAX(0, end - x), 1),
			  STYLE_BOLD(COLOUR_BAD), reason);
		return;
	}
	x = racer_draw_survivors(racer, x, end);
	if (race->bands && !racer->run->workers.gone) {
		if (ended)
			racer_draw_tree_facts(racer, x, end);
		else
			racer_draw_counts(racer, x, end);
		return;
	}
	if (racer->rests)
		x = canvas_text(race->canvas, x, title.y, end - x, DIM, "its last run  ");
	if (race->layout.cores_in_title)
		racer_draw_core_shares(racer, MAX(x, title.x + title.w / 2), end);
}

/* Draws the position's mark on the axis, or highlights the label that is there. */
static void racer_draw_position(const struct racer *racer, int x, int y)
{
	const struct canvas *canvas = racer->race->canvas;
	struct cell *row = &canvas->cells[y * canvas->width];
	int first = x, end = x;

	if (row[x].glyph <= ' ') {
		canvas_put(racer->race->canvas, x, y, 0x25b2, STYLE_BOLD(COLOUR_TITLE));
		return;
	}
	while (first > 0 && row[first - 1].glyph > ' ')
		first--;
	while (end < canvas->width && row[end].glyph > ' ')
		end++;
	for (int i = first; i < end; i++)
		row[i].style = STYLE_BOLD(COLOUR_TITLE);
}

/* Draws the axis' labels, and the position below the lanes. */
static void racer_draw_axis(const struct racer *racer)
{
	const struct race *race = racer->race;
	const struct view_race *state = &race->frame->state->race;
	const struct rect rect = racer->layout->axis;
	const int cell = plot_cell(&race->axis, state->ns);

	if (rect.h < 1)
		return;
	if (!racer->run) {
		canvas_put(race->canvas, race->axis.x, rect.y, '0', DIM);
		return;
	}
	plot_time_labels(race->canvas, &race->axis, rect.y, DIM);
	if (state->trial.number == 0 || state->ns >= state->length_ns)
		return;
	if (cell < 0 || cell >= race->axis.w)
		return;
	racer_draw_position(racer, race->axis.x + cell, rect.y);
}

/* The only task of a program has its program's colour, not that of the first of many tasks. */
static uint8_t racer_lane_hue(const struct racer *racer)
{
	if (racer->race->single)
		return racer->hue;
	return COLOUR_DEFAULT;
}

/* The heading of the cores' figures, on the line of the axis. */
static void racer_draw_load_heading(const struct racer *racer)
{
	const struct race *race = racer->race;
	const struct layout_racer *layout = racer->layout;

	if (layout->axis.h > 0)
		canvas_right(race->canvas, layout->cores.x + layout->cores.w, layout->axis.y, DIM,
			     race->frame->cache->race_loads ? "run/all" : "this run");
}

static void racer_draw_core(const struct racer *racer, size_t cpu, int y)
{
	const struct race *race = racer->race;
	const int64_t length_ns = model_length(racer->model, racer->run);
	const struct view_lane_style style = {.dense = race->dense,
					      .hue = racer_lane_hue(racer),
					      .throttled =
						      racer->run->n_throttles ? racer->run : NULL};
	const double load = race_core_load(racer->model, racer->run, cpu);
	double ours = 0;
	struct model_core_shares shares;
	struct view_lane lane;
	char text[32];

	snprintf(text, sizeof(text), "core %zu", cpu);
	canvas_text(race->canvas, racer->layout->cores.x + 2, y, race->layout.left - 3, DIM, text);
	view_lane_begin(&lane, &race->axis);
	view_lane_core(&lane, racer->model, racer->run, cpu);
	race->frame->cache->race_others |= view_lane_has_others(&lane);
	view_lane_draw(&lane, race->canvas, y, 1, &style);
	if (!style.dense)
		view_lane_numbers(&lane, race->canvas, y);
	model_core_shares_until(racer->model, racer->run, cpu, length_ns, &shares);
	if (length_ns > 0)
		ours = 100 * shares.ns[CORE_OURS] / (double)length_ns;
	if (!isnan(load))
		snprintf(text, sizeof(text), "%.0f/%.0f %%", ours, fmin(100, 100 * load));
	else if (race->frame->cache->race_loads)
		snprintf(text, sizeof(text), "%.0f/? %%", ours);
	else
		snprintf(text, sizeof(text), "%.0f %%", ours);
	canvas_right(race->canvas, racer->layout->cores.x + racer->layout->cores.w, y, DIM, text);
}

/* Draws how many cores were busy with the run's workers: one lane for many cores. */
static void racer_draw_busy(const struct racer *racer, int y)
{
	const struct race *race = racer->race;
	const size_t n = model_cores_seen(racer->run);
	const int64_t length_ns = model_length(racer->model, racer->run);
	double busy_ns[DENSITY_CELLS] = {0}, all_ns = 0;
	size_t used = 0;
	char text[32];

	for (size_t cpu = 0; cpu < n; cpu++) {
		struct model_core_shares before, after;

		if (!model_core_used(racer->run, cpu))
			continue;
		used++;
		model_core_shares_until(racer->model, racer->run, cpu, race->axis.from_ns, &before);
		for (int x = 0; x < race->axis.w; x++) {
			model_core_shares_until(racer->model, racer->run, cpu,
						plot_time(&race->axis, race->axis.x + x + 1),
						&after);
			busy_ns[x] += after.ns[CORE_OURS] - before.ns[CORE_OURS];
			before = after;
		}
		all_ns += before.ns[CORE_OURS];
	}
	snprintf(text, sizeof(text), "%zu cores", used);
	canvas_text(race->canvas, racer->layout->cores.x + 2, y, race->layout.left - 3, DIM, text);
	for (int x = 0; x < race->axis.w && used > 0; x++) {
		const double cell_ns = (double)(plot_time(&race->axis, race->axis.x + x + 1) -
						plot_time(&race->axis, race->axis.x + x));

		if (busy_ns[x] > 0)
			canvas_put(race->canvas, race->axis.x + x, y,
				   plot_eighth(fmin(1, busy_ns[x] / cell_ns / (double)used)),
				   STYLE(racer->hue));
	}
	snprintf(text, sizeof(text), "%.1f busy", length_ns > 0 ? all_ns / (double)length_ns : 0);
	canvas_right(race->canvas, racer->layout->cores.x + racer->layout->cores.w, y, DIM, text);
}

static void racer_draw_cores(const struct racer *racer)
{
	const struct rect rect = racer->layout->cores;
	const cpu_set_t *cpus = &racer->race->frame->cache->race_cpus;
	int y = rect.y;

	if (rect.h < 1 || model_cores_seen(racer->run) == 0)
		return;
	if (CPU_COUNT(cpus) > rect.h) {
		racer_draw_busy(racer, y);
		return;
	}
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, cpus))
			racer_draw_core(racer, cpu, y++);
	racer_draw_load_heading(racer);
}

/*
 * Writes the states of a program's only task below it: "on a core 12 %, runnable 1 %, blocked 87 %:
 * sleep 80 %, ? 7 %".
 */
static void racer_draw_states(const struct racer *racer, const struct view_list *list, int y)
{
	const struct race *race = racer->race;
	struct sentence s = SENTENCE(256);
	struct task task;
	double all = 0;

	task_read(racer->model, racer->run, racer->run->n_workers + list->tasks->rows[0].first,
		  &task);
	for (int state = STATE_UNKNOWN; state < MODEL_STATES; state++)
		all += task.in_ns[state];
	if (all > 0)
		sentence_add(&s, "on a core %.0f %%, runnable %.0f %%, blocked %.0f %%",
			     100 * task.in_ns[STATE_ON] / all,
			     100 * task.in_ns[STATE_WAITING] / all,
			     100 * task.in_ns[STATE_BLOCKED] / all);
	for (size_t i = 0; i < task.n_waits; i++) {
		/* If blocked rounds to 0 %, leave out its reasons. */
		if (task.in_ns[STATE_BLOCKED] <= all / 200)
			break;
		sentence_add(&s, "%s %s %.0f %%", i == 0 ? ":" : ",",
			     sentence_text(SAMPLE_WAIT(task.waits[i].waited), "?"),
			     100 * task.waits[i].ns / all);
	}
	/* Without room, the last parts are left out, because half of a share looks like another. */
	while (utf8_columns(s.buf) > race->axis.w && strrchr(s.buf, ','))
		*strrchr(s.buf, ',') = '\0';
	canvas_text(race->canvas, race->axis.x, y, race->axis.w, DIM, s.buf);
}

/* Whether a row is a branch of several workers, which is drawn by shares. */
static bool race_has_branches(const struct view_list *list)
{
	if (list->tasks || list->per_row)
		return false;
	for (long i = 0; i < list->n; i++)
		if (list->tree->rows[i].foldable)
			return true;
	return false;
}

/* Draws a model. Returns how far its rows can be scrolled. */
static int racer_draw(const struct racer *racer)
{
	const struct race *race = racer->race;
	const struct layout_racer *layout = racer->layout;
	struct view_list list = race_list(race->frame, racer->case_id);
	struct tree_row rows[RACE_LEAVES];
	struct tree_rows leaves;
	const struct rect lines = {layout->title.x, layout->title.y, 1,
				   layout->title.h + layout->rows.h + layout->axis.h +
					   layout->cores.h};

	/* An edge in the model's colour, left of its lines. */
	canvas_fill(race->canvas, lines, 0x258c, STYLE(racer->hue));
	racer_draw_title(racer);
	racer_draw_axis(racer);
	if (!racer->run)
		return 0;
	if (racer->run->workers.gone) {
		canvas_text(race->canvas, race->axis.x, layout->rows.y, race->axis.w, DIM,
			    view_list_waits(race->frame->state, racer->run));
		return 0;
	}
	list.rect = layout->rows;
	list.rect.x += 2;
	list.axis = race->axis;
	list.right = race->layout.right;
	list.dense = race->dense;
	list.hue = racer_lane_hue(racer);
	if (race->bands) {
		view_bands_draw(&list);
		racer_draw_cores(racer);
		return 0;
	}
	if (race->leaves && list.n <= RACE_LEAVES)
		race_leave_out_branches(&list, &leaves, rows);
	race->frame->shown->heights |= list.dense || race_has_branches(&list);
	list.first = MAX(0, MIN(race->frame->state->scroll, list.n - layout->rows.h));
	if (layout->rows.h > 0)
		view_list_draw(&list);
	if (race_is_alone(&list) && layout->rows.h > 1)
		racer_draw_states(racer, &list,
				  layout->rows.y + MAX(1, view_list_pitch(&list) - 1));
	racer_draw_cores(racer);
	return (int)MAX(0, list.n - layout->rows.h);
}

/* All runs of the race, and the end of an axis on which most of them can be told apart. */
struct runs {
	const struct race *race;
	const struct model *model;
	enum model_metric metric;
	double least, most; /* most: 0 without a run. */
	double far;	    /* Runs above this value are not on the axis. */
};

/* Quartiles are of this many values at most, spread evenly over all runs. */
enum { RUNS_READ = 512, RUNS_FEWEST = 6 };

/* The end of the values of one case without the far runs; INFINITY if there are too few values. */
static double runs_fence(const struct runs *runs, uint32_t case_id)
{
	struct model_values values = model_values(runs->model, case_id, runs->metric);
	const size_t step = 1 + values.n / RUNS_READ;
	const struct model_value *value;
	double read[RUNS_READ + 1], low, high;
	size_t n = 0;

	for (size_t i = 0; (value = model_values_next(&values)); i++)
		if (i % step == 0 && n <= RUNS_READ && !isnan(value->value))
			read[n++] = value->value;
	if (n < RUNS_FEWEST)
		return INFINITY;
	low = stats_select(read, n, .25);
	high = stats_select(read, n, .75);
	return high + RUNS_FENCE * (high - low);
}

static struct runs runs_read(const struct race *race, const struct model *model)
{
	struct runs runs = {.race = race, .model = model, .least = INFINITY, .far = INFINITY};
	const struct model_value *value;
	double fence = 0, bulk = 0;

	/* -s for ends all programs after the same time, so compare their CPU time. */
	runs.metric = METRIC_ELAPSED;
	if (view_headline(race->model) == METRIC_CPU)
		runs.metric = METRIC_CPU;
	for (int i = 0; i < race->layout.compared; i++)
		fence = fmax(fence, runs_fence(&runs, race->compared + (uint32_t)i));
	for (int i = 0; i < race->layout.compared; i++) {
		struct model_values values =
			model_values(model, race->compared + (uint32_t)i, runs.metric);

		while ((value = model_values_next(&values))) {
			/* NaN is ignored, because fmin() returns the other argument. */
			runs.least = fmin(runs.least, value->value);
			runs.most = fmax(runs.most, value->value);
			if (value->value <= fence)
				bulk = fmax(bulk, value->value);
		}
	}
	if (runs.most - runs.least > RUNS_SHARE * (bulk - runs.least))
		runs.far = fence;
	if (isfinite(runs.far))
		runs.most = bulk;
	return runs;
}

/*
 * Widens the axis of all runs. Its ends are round numbers, so that marks do not jump at each
 * shorter or longer run. It becomes shorter only if the runs have less than a third of it.
 */
static void runs_axis_grow(struct view_cache *cache, const struct runs *runs)
{
	const double span = fmax(runs->most - runs->least, runs->least * (RUNS_APART - 1));
	const double step = plot_step(span, RUNS_STEPS);
	const double low = floor(runs->least / step) * step;
	const double high = fmax(ceil(runs->most / step) * step, low + step);

	if (cache->runs_high - cache->runs_low > RUNS_SHARE * (high - low))
		cache->runs_high = 0;
	if (cache->runs_high <= 0)
		cache->runs_low = low;
	cache->runs_low = fmin(cache->runs_low, low);
	cache->runs_high = fmax(cache->runs_high, high);
}

/* Writes how many runs of a case are beyond the axis: "2 up to 260 ms →". */
static void runs_name_far(const struct runs *runs, uint32_t case_id, char *text, size_t size)
{
	struct model_values values = model_values(runs->model, case_id, runs->metric);
	const double high = runs->race->frame->cache->runs_high;
	const struct model_value *value;
	double most = 0;
	int n = 0;

	*text = '\0';
	while ((value = model_values_next(&values))) {
		n += value->value > high;
		most = fmax(most, value->value);
	}
	if (n > 0)
		snprintf(text, size, "%d %s %s →", n, n == 1 ? "at" : "up to",
			 METRIC_TEXT(runs->metric, most));
}

/*
 * Draws the runs of a case: a dot for an empty cell, ○ for a run, the model's mark at the median.
 */
static void runs_draw(const struct runs *runs, struct rect axis, uint32_t case_id)
{
	const struct race *race = runs->race;
	const struct view_cache *cache = race->frame->cache;
	const double scale = (axis.w - 1) / fmax(1, cache->runs_high - cache->runs_low);
	const struct style hue = STYLE(view_hue(race->model, case_id));
	const struct view_median median =
		view_cache_median(race->frame->cache, race->model, case_id);
	struct model_values values = model_values(runs->model, case_id, runs->metric);
	const struct model_value *value;

	canvas_put(race->canvas, race->axis.x, axis.y, view_shape(race->model, case_id),
		   STYLE_BOLD(hue.fg));
	canvas_hline(race->canvas, axis.x, axis.y, axis.w, 0xb7, STYLE(COLOUR_BORDER));
	while ((value = model_values_next(&values))) {
		if (isnan(value->value) || value->value > cache->runs_high)
			continue;
		canvas_put(race->canvas, axis.x + (int)((value->value - cache->runs_low) * scale),
			   axis.y, 0x25cb, hue);
	}
	if (view_headline(race->model) != runs->metric || median.trials == 0 ||
	    median.value > cache->runs_high)
		return;
	canvas_put(race->canvas, axis.x + (int)(fmax(0, median.value - cache->runs_low) * scale),
		   axis.y, view_shape(race->model, case_id), STYLE_BOLD(COLOUR_TITLE));
}

static void race_draw_runs(const struct race *race)
{
	const struct rect rect = race->layout.runs;
	struct view_cache *cache = race->frame->cache;
	struct model room;
	const struct runs runs = runs_read(race, view_settled(race->model, &room));
	char ends[2][64] = {""}, far[LAYOUT_COLUMNS][64];
	const char *low, *high;
	struct rect axis;
	int end = rect.x + rect.w, far_w = 0, ends_w = 0;

	if (rect.h < 1)
		return;
	canvas_text(race->canvas, rect.x + 1, rect.y, race->layout.left - 2, DIM, "every run");
	if (runs.most <= 0)
		return;
	runs_axis_grow(cache, &runs);
	for (int i = 0; i < race->layout.compared; i++) {
		runs_name_far(&runs, race->compared + (uint32_t)i, far[i], sizeof(far[i]));
		far_w = MAX(far_w, utf8_columns(far[i]));
	}
	for (int i = 0; i < race->layout.compared; i++)
		canvas_text(race->canvas, end - far_w, rect.y + i, far_w,
			    STYLE(view_hue(race->model, race->compared + (uint32_t)i)), far[i]);
	if (far_w > 0)
		end -= far_w + 2;
	/* Before the values, each row has its model's mark; after them, the ends of the axis. */
	low = cache->runs_low > 0 ? METRIC_TEXT(runs.metric, cache->runs_low) : "0";
	high = METRIC_TEXT(runs.metric, cache->runs_high);
	if (rect.h > 1) {
		snprintf(ends[0], sizeof(ends[0]), "from %s", low);
		snprintf(ends[1], sizeof(ends[1]), "to %s", high);
	} else {
		snprintf(ends[0], sizeof(ends[0]), "%s to %s", low, high);
	}
	for (int i = 0; i < MIN(rect.h, 2); i++) {
		canvas_right(race->canvas, end, rect.y + (i ? rect.h - 1 : 0), DIM, ends[i]);
		ends_w = MAX(ends_w, utf8_columns(ends[i]));
	}
	end -= ends_w;
	axis = RECT(race->axis.x + 2, rect.y, end - 1 - race->axis.x - 2, 1);
	for (int i = 0; i < race->layout.compared && axis.w >= 2; i++, axis.y++)
		runs_draw(&runs, axis, race->compared + (uint32_t)i);
}

/* A metric of the answer: its title, the known difference, and the models' medians. */
struct race_metric {
	const struct race *race;
	uint32_t place; /* Index among the answer's metrics. */
	/* Each model has a median. If false, only values of single runs are known. */
	bool counted;
};

static const struct answer_row *race_row(const struct race *race, uint32_t case_id)
{
	const struct answer *answer = &race->frame->cache->answer;

	for (uint32_t i = 0; i < answer->n_rows; i++)
		if (answer->rows[i].case_id == case_id)
			return &answer->rows[i];
	return NULL;
}

enum { RACE_DIFFERENCE = 48 };

/* How much of a difference's text fits: all of it, only the ratio, or the least. */
enum race_words { RACE_WORDS_ALL, RACE_WORDS_RATIO, RACE_WORDS_LEAST };

/*
 * The text for a real difference. The ratio is of the pairs of trials; agree: of the medians, too.
 * Otherwise it is not shown without "per pair", because it would contradict the medians below it.
 */
static void race_name_real(const struct answer_cell *cell, enum race_words words, bool agree,
			   char text[RACE_DIFFERENCE])
{
	const char *pair = agree ? "" : " per pair";
	const char *real = words == RACE_WORDS_ALL ? ", real" : "";

	/* Survivors are counted, so they have no ratio. */
	if (!isfinite(cell->ratio.estimate) || (words == RACE_WORDS_LEAST && !agree))
		snprintf(text, RACE_DIFFERENCE, "real");
	else
		snprintf(text, RACE_DIFFERENCE, "%sx%s%s", CLAIM_TIMES(cell->ratio.estimate), pair,
			 real);
}

/*
 * The text for a difference: "so far", "same", "too close to call", "2.4x, real", "not compared".
 * With fewer words, shorter for a narrow place: "too close", "2.4x", "?".
 */
static void race_name_difference(const struct answer_cell *cell, enum race_words words, bool agree,
				 char text[RACE_DIFFERENCE], struct style *style)
{
	const bool brief = words != RACE_WORDS_ALL;

	switch (cell->state) {
	case ANSWER_MEASURING:
		snprintf(text, RACE_DIFFERENCE, "so far");
		break;
	case ANSWER_REAL:
		race_name_real(cell, words, agree, text);
		*style = STYLE_BOLD(COLOUR_GOOD);
		break;
	case ANSWER_SAME:
		snprintf(text, RACE_DIFFERENCE, "same");
		break;
	case ANSWER_CLOSE:
		snprintf(text, RACE_DIFFERENCE, brief ? "too close" : "too close to call");
		break;
	case ANSWER_WITHHELD:
		snprintf(text, RACE_DIFFERENCE, brief ? "?" : "not compared");
		break;
	default:
		break;
	}
}

/*
 * Writes the difference, if there are only two models and it fits. Until the first trial is
 * measured, writes that the values are of one run.
 */
static int race_draw_difference(const struct race_metric *metric, int x, int y, int end)
{
	const struct race *race = metric->race;
	const struct answer *answer = &race->frame->cache->answer;
	const struct answer_cell *cell = NULL;
	double reference = NAN;
	bool agree = true;
	char text[RACE_DIFFERENCE] = "";
	struct style style = DIM;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		if (answer->n_rows != 2)
			break;
		if (answer->rows[i].reference != answer->rows[i].case_id)
			cell = &answer->rows[i].cells[metric->place];
		else
			reference = answer->rows[i].cells[metric->place].median;
	}
	if (cell)
		agree = answer_medians_agree(reference, cell->median, cell->ratio.estimate);
	if (!metric->counted)
		snprintf(text, sizeof(text), "of one run");
	else if (!cell)
		return x;
	for (int words = RACE_WORDS_ALL; metric->counted && words <= RACE_WORDS_LEAST; words++) {
		race_name_difference(cell, (enum race_words)words, agree, text, &style);
		if (x + utf8_columns(text) <= end)
			break;
	}
	if (x + utf8_columns(text) > end) /* A truncated text would look complete. */
		return x;
	return canvas_text(race->canvas, x, y, end - x, style, text);
}

/* The median that a model's bar showed before; NaN if none. */
static double race_was(const struct race_metric *metric, uint32_t case_id)
{
	if (case_id >= VIEW_RACERS)
		return NAN;
	return metric->race->frame->cache->was[metric->place][case_id];
}

/* Bars that move may differ from their medians by at most this part of the shorter bar. */
#define RACE_APART (1. / 8)

/* Whether the bars of two models would contradict their medians if they kept their old lengths. */
static bool race_contradicts(const struct race_metric *metric, const struct answer_row *a,
			     const struct answer_row *b)
{
	const double median_a = a->cells[metric->place].median;
	const double median_b = b->cells[metric->place].median;
	const double was_a = race_was(metric, a->case_id), was_b = race_was(metric, b->case_id);
	const double shorter = fmin(was_a * median_b, was_b * median_a);

	if ((was_a < was_b && median_a > median_b) || (was_a > was_b && median_a < median_b))
		return true;
	/* NaN is a bar that was not there before. */
	return !(fabs(was_a * median_b - was_b * median_a) <= RACE_APART * shorter);
}

/*
 * How far a metric's bars still are from their medians: 1 at their old lengths, 0 at the new ones.
 * They move only if no frame on the way contradicts the medians, and if nothing is decided yet.
 */
static double race_unsettled(const struct race_metric *metric)
{
	const struct race *race = metric->race;

	if (race->frame->cache->answer.state == ANSWER_REAL)
		return 0;
	for (int i = 1; i < race->layout.compared; i++)
		for (int j = 0; j < i; j++) {
			const struct answer_row *a = race_row(race, race->compared + (uint32_t)i);
			const struct answer_row *b = race_row(race, race->compared + (uint32_t)j);

			if (!a || !b || race_contradicts(metric, a, b))
				return 0;
		}
	return race->frame->state->unsettled;
}

/* The length of a bar, which may still be moving to a new median. */
static double race_shown(const struct race_metric *metric, const struct answer_row *row)
{
	const double median = row->cells[metric->place].median;
	const double left = race_unsettled(metric);

	if (left <= 0 || isnan(race_was(metric, row->case_id)))
		return median;
	return median + (race_was(metric, row->case_id) - median) * left;
}

/*
 * Writes, instead of a bar, why there is none, once each model has run: "● ? its trials are too
 * few".
 */
static void race_draw_unknown(const struct race_metric *metric, const struct answer_row *row,
			      struct rect place)
{
	const struct race *race = metric->race;
	const enum reason why = row->cells[metric->place].why;
	char mark[UTF8_BYTES], text[SAMPLE_TEXT];

	if (why == REASON_NONE || !model_latest(race->model, row->case_id) ||
	    model_runs_ended(race->model) < race->model->n_cases)
		return;
	utf8_put(view_shape(race->model, row->case_id), mark);
	/* The death of a parent is known, so it needs no question mark. */
	snprintf(text, sizeof(text), "%s %s%s", mark, why == REASON_PARENT_ENDED ? "" : "? ",
		 reason_sentence(why));
	text_draw(race->canvas, place, DIM, text);
}

/*
 * The value of one run, shown until the first trial is measured: the run of the played trial, once
 * its lanes have been played to their end; otherwise the last run that has ended. NaN if there is
 * none.
 */
static double race_run_value(const struct race_metric *metric, uint32_t case_id)
{
	const struct model *model = metric->race->model;
	const struct view_race *state = &metric->race->frame->state->race;
	const enum model_metric of = metric->race->frame->cache->answer.metrics[metric->place];
	const struct model_run *run;

	if (state->trial.number)
		run = model_trial_run(model, &state->trial, case_id);
	else
		run = model_latest_ended(model, case_id);
	if (!run || run->totals.status != SAMPLE_OK || run->totals.paused)
		return NAN;
	if (state->trial.number && state->ns < model_length(model, run))
		return NAN;
	return metric_value(run, of);
}

/*
 * Whether the metric has anything to show. Without a value its title is not drawn. Values that are
 * all 0, such as wrong results, compare nothing; only that nobody survived is worth a place.
 */
static bool race_has_values(const struct race_metric *metric)
{
	const struct race *race = metric->race;
	const enum model_metric of = race->frame->cache->answer.metrics[metric->place];
	bool known = false, zero = true;

	for (int i = 0; i < race->layout.compared; i++) {
		const uint32_t id = race->compared + (uint32_t)i;
		const struct answer_row *row = race_row(race, id);
		double value = NAN;

		if (!metric->counted)
			value = race_run_value(metric, id);
		else if (row)
			value = row->cells[metric->place].median;
		known |= !isnan(value);
		zero &= value == 0;
	}
	if (zero && of != METRIC_SURVIVED)
		return false;
	return metric->counted || known;
}

/*
 * Writes a value such as "● 862 ms". There is no bar, because readers would take the length of one
 * run for a result.
 */
static int race_draw_run_value(const struct race_metric *metric, uint32_t case_id,
			       struct rect place)
{
	const struct race *race = metric->race;
	const enum model_metric of = race->frame->cache->answer.metrics[metric->place];
	const double value = race_run_value(metric, case_id);
	const uint8_t hue = view_hue(race->model, case_id);
	char mark[UTF8_BYTES];

	if (isnan(value))
		return place.x;
	utf8_put(view_shape(race->model, case_id), mark);
	return canvas_printf(race->canvas, place.x, place.y, place.w, STYLE(hue), "%s %s", mark,
			     METRIC_TEXT(of, value));
}

/*
 * Whether the row's model is significantly better than the other one. With more models, each is
 * compared with the reference alone, so none is known to be the best.
 */
static bool race_wins(const struct race_metric *metric, const struct answer_row *row)
{
	const struct answer *answer = &metric->race->frame->cache->answer;
	const struct answer_row *other;

	if (answer->n_rows != 2)
		return false;
	other = &answer->rows[row == answer->rows];
	if (row->cells[metric->place].state != ANSWER_REAL &&
	    other->cells[metric->place].state != ANSWER_REAL)
		return false;
	if (metric_is(answer->metrics[metric->place], METRIC_MORE_IS_WORSE))
		return row->cells[metric->place].median < other->cells[metric->place].median;
	return row->cells[metric->place].median > other->cells[metric->place].median;
}

/* Writes a model's mark and median, "● 318 ms". */
static void race_draw_median(const struct race_metric *metric, const struct answer_row *row,
			     struct rect place)
{
	const struct race *race = metric->race;
	char mark[UTF8_BYTES], text[48];

	utf8_put(view_shape(race->model, row->case_id), mark);
	canvas_printf(race->canvas, place.x, place.y, place.w,
		      STYLE_BOLD(view_hue(race->model, row->case_id)), "%s %s", mark,
		      answer_median(&race->frame->cache->answer, row, metric->place, text));
}

/* Draws the bars of one metric in rect: a title, and a line for each model. */
static void race_draw_metric(const struct race_metric *metric, struct rect rect)
{
	const struct race *race = metric->race;
	const struct answer *answer = &race->frame->cache->answer;
	/* Without a line for the title, the title is beside the bars. */
	const int above = rect.h > race->layout.compared;
	const int figure_w = 13;
	double most = 0;
	char figure[48];
	int x, w, text_w = 0;

	if (!race_has_values(metric))
		return;
	x = canvas_text(race->canvas, rect.x, rect.y, rect.w, STYLE_BOLD(COLOUR_TITLE),
			answer_title(race->frame->model, answer->metrics[metric->place])) +
	    2;
	if (above > 0) {
		race_draw_difference(metric, x, rect.y, rect.x + rect.w - 1);
	} else {
		race_draw_difference(metric, rect.x, rect.y + 1, race->axis.x - 1);
		rect.w -= race->axis.x - rect.x;
		rect.x = race->axis.x;
	}
	w = MAX(3, rect.w - figure_w - 2);
	for (int i = 0; i < race->layout.compared; i++) {
		const struct answer_row *row = race_row(race, race->compared + (uint32_t)i);

		if (!row)
			continue;
		most = fmax(most, row->cells[metric->place].median);
		text_w = MAX(text_w,
			     utf8_columns(answer_median(answer, row, metric->place, figure)));
	}
	/* If all survived, the bar is full. */
	if (answer->metrics[metric->place] == METRIC_SURVIVED)
		most = plan_leaves(&race->model->cases[race->compared].plan);
	for (int i = 0; i < race->layout.compared; i++) {
		const uint32_t id = race->compared + (uint32_t)i;
		const struct answer_row *row = race_row(race, id);
		const double median = row ? row->cells[metric->place].median : NAN;
		const struct style hue = STYLE(view_hue(race->model, id));
		const int y = rect.y + above + i;
		char text[48];
		int eighths = 0;

		if (!metric->counted) {
			race_draw_run_value(metric, id, RECT(rect.x, y, rect.w - 1, 1));
			continue;
		}
		if (isnan(median)) {
			if (row)
				race_draw_unknown(metric, row, RECT(rect.x, y, rect.w - 1, 1));
			continue;
		}
		/* The bar of a single model would compare nothing; survivors are of all workers. */
		if (race->layout.compared == 1 &&
		    answer->metrics[metric->place] != METRIC_SURVIVED) {
			race_draw_median(metric, row, RECT(rect.x, y, rect.w - 1, 1));
			continue;
		}
		/* If all medians are 0, no bar has a length. */
		if (most > 0)
			eighths = (int)lround(fmin(1, race_shown(metric, row) / most) * w * 8);
		view_fill_eighths(race->canvas, RECT(rect.x, y, w, 1), eighths, hue);
		canvas_put(race->canvas, rect.x + w + 1, y, view_shape(race->model, id), hue);
		canvas_right(race->canvas, rect.x + w + 3 + text_w, y,
			     race_wins(metric, row) ? STYLE_BOLD(hue.fg) : hue,
			     answer_median(answer, row, metric->place, text));
		if (answer->metrics[metric->place] == METRIC_SURVIVED)
			canvas_printf(race->canvas, rect.x + w + 3 + text_w, y, -1, DIM, " of %.0f",
				      most);
	}
}

/*
 * Whether each model has a measured trial. Before that no bar is shown, because a single one would
 * look like a result.
 */
static bool race_has_trials(const struct race *race)
{
	for (int i = 0; i < race->layout.compared; i++)
		if (view_cache_median(race->frame->cache, race->model, race->compared + (uint32_t)i)
			    .trials == 0)
			return false;
	return true;
}

/* Whether each model has a median in the metric. */
static bool race_has_medians(const struct race *race, uint32_t place)
{
	for (int i = 0; i < race->layout.compared; i++) {
		const struct answer_row *row = race_row(race, race->compared + (uint32_t)i);

		if (!row || isnan(row->cells[place].median))
			return false;
	}
	return true;
}

/*
 * Whether the bars of a metric would say nothing: each program creates the same number of tasks, in
 * its median or, before any trial counts, in the run that is shown.
 */
static bool race_is_trivial(const struct race_metric *metric)
{
	const struct race *race = metric->race;
	double least = INFINITY, most = -INFINITY;

	if (race->frame->cache->answer.metrics[metric->place] != METRIC_TASKS_CREATED)
		return false;
	for (int i = 0; i < race->layout.compared; i++) {
		const uint32_t id = race->compared + (uint32_t)i;
		const struct answer_row *row = race_row(race, id);
		double value = race_run_value(metric, id);

		if (metric->counted)
			value = row ? row->cells[metric->place].median : NAN;
		if (isnan(value))
			return false;
		least = fmin(least, value);
		most = fmax(most, value);
	}
	return race->layout.compared > 1 && least == most;
}

/*
 * Draws the bars of all metrics side by side. Without a line for titles, draws only the first
 * metric. Of a tree, metrics without medians are left out, because no memory is read while
 * tasks are created.
 */
static void race_draw_bars(const struct race *race)
{
	const struct rect bars = race->layout.bars;
	struct race_metric metric = {.race = race};
	uint32_t places[INTERIM_METRICS_MOST], n = 0;
	int w;

	if (bars.h <= 0)
		return;
	metric.counted = race_has_trials(race) || model_over(race->model);
	for (metric.place = 0; metric.place < race->frame->cache->answer.n_metrics;
	     metric.place++) {
		if (race->bands && metric.counted && !race_has_medians(race, metric.place))
			continue;
		if (race_has_values(&metric) && !race_is_trivial(&metric))
			places[n++] = metric.place;
	}
	if (bars.h <= race->layout.compared)
		n = MIN(n, 1);
	w = (bars.w - 1) / (int)MAX(1, n);
	for (uint32_t i = 0; i < n; i++) {
		metric.place = places[i];
		race_draw_metric(&metric, RECT(bars.x + 1 + (int)i * w, bars.y, w, bars.h));
	}
}

/*
 * Writes all metrics in one line, as many as fit: "time ●115 ms ■114 ms creation ●0.30 ms ■0.71 ms
 * 2.4x".
 */
static void race_draw_figures(const struct race *race)
{
	const struct rect line = race->layout.figures;
	const struct answer *answer = &race->frame->cache->answer;
	const int end = line.x + line.w;
	struct race_metric metric = {.race = race};
	int x = line.x + 1;

	metric.counted = race_has_trials(race) || model_over(race->model);

	for (; metric.place < answer->n_metrics; metric.place++) {
		const int begin = x;
		int named;

		if (line.h <= 0)
			break;
		if (!race_has_values(&metric))
			continue;
		x = canvas_text(race->canvas, x, line.y, end - x, DIM,
				answer_title(race->frame->model, answer->metrics[metric.place])) +
		    1;
		named = x;
		for (int i = 0; i < race->layout.compared; i++) {
			const uint32_t id = race->compared + (uint32_t)i;
			const struct answer_row *row = race_row(race, id);
			const double median = row ? row->cells[metric.place].median : NAN;
			char mark[UTF8_BYTES], text[48];

			if (!metric.counted) {
				x = race_draw_run_value(&metric, id, RECT(x, line.y, end - x, 1)) +
				    1;
				continue;
			}
			if (isnan(median))
				continue;
			utf8_put(view_shape(race->model, id), mark);
			x = canvas_printf(race->canvas, x, line.y, end - x,
					  STYLE_BOLD(view_hue(race->model, id)), "%s%s", mark,
					  answer_median(answer, row, metric.place, text)) +
			    1;
		}
		if (x > named)
			x = race_draw_difference(&metric, x, line.y, end - 3) + 2;
		/*
		 * Removes a metric that does not fit completely, because half of it would look
		 * complete.
		 */
		if (x >= end || x == named) {
			canvas_hline(race->canvas, begin, line.y, end - begin, ' ', PLAIN);
			x = begin;
		}
	}
}

/* Whether bars are drawn and a median in them is an estimate, "~1.0 MiB". */
static bool race_has_estimates(const struct race *race)
{
	const struct answer *answer = &race->frame->cache->answer;
	bool estimated = false;

	for (uint32_t row = 0; row < answer->n_rows; row++)
		for (uint32_t place = 0; place < answer->n_metrics; place++)
			estimated |= answer->rows[row].cells[place].estimated;
	return estimated && race->layout.bars.h > 0;
}

static void race_add_legend(const struct race *race)
{
	static const struct view_legend entries[] = {
		{{0x2588, COLOUR_WORKER0}, "on a core"}, {{0x2500, COLOUR_BORDER}, "waits for one"},
		{{0x2508, COLOUR_BORDER}, "blocked"},	 {{0x25cb, COLOUR_DEFAULT}, "run"},
		{{0x25cf, COLOUR_TITLE}, "median"},
	};
	static const struct view_legend heights[] = {{{0x2584, COLOUR_WORKER0}, "in part"},
						     {{0x2584, COLOUR_DEFAULT}, "in part"}};
	static const struct view_legend single = {{0x2588, COLOUR_DEFAULT}, "on a core"};
	static const struct view_legend others = {{VIEW_OTHERS_GLYPH, COLOUR_BORDER},
						  "other programs"};
	static const struct view_legend loads = {{'%', COLOUR_DIM}, "run/all programs"};
	static const struct view_legend estimates = {{'~', COLOUR_DIM}, "estimate"};
	struct view_shown *shown = race->frame->shown;
	const struct model *model = view_model_of(race->frame, race->first);
	const struct model_run *drawn = model_latest(model, race->first);
	const size_t n = race->layout.runs.h > 0 ? 5 : 3;

	shown->trees |= race->bands;
	if (race->bands && race->layout.n > 0) {
		view_bands_legend(shown, race->canvas->width);
		return;
	}
	if (!drawn || race->frame->state->race.early || !model_has_slices(drawn))
		return;
	shown->legend[shown->n_legend++] = race->single ? single : entries[0];
	if (shown->heights)
		shown->legend[shown->n_legend++] = heights[race->single];
	for (size_t i = 1; i < n; i++)
		shown->legend[shown->n_legend++] = entries[i];
	if (race->frame->cache->race_others && race_has_core_lanes(race))
		shown->legend[shown->n_legend++] = others;
	if (race_has_estimates(race))
		shown->legend[shown->n_legend++] = estimates;
	if (race->frame->cache->race_loads && race_has_core_lanes(race))
		shown->legend[shown->n_legend++] = loads;
}

void view_race_draw(const struct view_frame *frame, struct rect rect)
{
	const struct race race = race_of(frame, rect);
	const struct view_race *state = &frame->state->race;
	const struct model_run *running = model_running(frame->model);
	struct view_shown *shown = frame->shown;
	int scroll = 0;

	shown->column = (int)race.first;
	shown->most_column = MAX(0, (int)race.model->n_cases - race.layout.n);
	if (race.layout.n > 0) {
		shown->first_case = race.first;
		shown->last_case = race.first + (uint32_t)race.layout.n - 1;
	}
	for (int i = 0; i < race.layout.n; i++) {
		const uint32_t id = race.first + (uint32_t)i;
		const struct model *model = view_model_of(frame, id);
		const struct racer racer = {.race = &race,
					    .layout = &race.layout.models[i],
					    .model = model,
					    .run = state->early ? NULL : model_latest(model, id),
					    .case_id = id,
					    .hue = view_hue(frame->model, id),
					    .rests = state->trial.number == 0 && running &&
						     running->id.case_id != id};
		const struct layout_racer *layout = racer.layout;
		/* Evaluate before MAX(), which evaluates its argument twice. */
		const int beyond = racer_draw(&racer);

		scroll = MAX(scroll, beyond);
		view_zone_case(
			shown,
			RECT(layout->title.x, layout->title.y, layout->title.w,
			     layout->title.h + layout->rows.h + layout->axis.h + layout->cores.h),
			id);
	}
	race_add_legend(&race);
	/*
	 * Before anything is shown, a single run's figures would be mistaken for the first result.
	 */
	if (!state->early) {
		race_draw_bars(&race);
		race_draw_runs(&race);
		race_draw_figures(&race);
	}
	view_scroll_to(frame, scroll, 0);
}
