/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/units.h"
#include "draw/text.h"
#include "result/task.h"
#include "view_race.h"

/*
 * The first screen of most sessions. It plays the runs of one trial together, one below the other.
 * Each run is drawn as lanes of workers, or as bands of a tree.
 */

enum {
	RACE_BESIDE = 20, /* Least width of a title beside the model's name. */
	/*
	 * Largest number of cores with a lane each. If there are more, a single lane shows how many
	 * are busy.
	 */
	RACE_CORES = 4,
	RACE_FACTS = 110, /* Least width of a title that explains the time of a tree. */
	/* Largest number of rows for which the rows of open branches are left out. */
	RACE_LEAVES = 128,
	RACE_REASON_W = 14, /* Width of "✗ died with w4". */
	RACE_LABEL = 5,	    /* Columns after the axis into which its last label may extend. */
	TOOK_W = 7	    /* Width of a run's time. */
};

/* One model of the race. */
struct racer {
	const struct race *race;
	const struct layout_racer *layout;
	const struct model *model; /* The model as of the race's position in the case's run. */
	const struct model_run *run;
	/* The race's axis, which leaves out the time for which the run was held. */
	struct plot_axis axis;
	uint32_t case_id;
	uint8_t hue;
	/* The largest number of tasks that any model of the race had alive at once. */
	int64_t most;
	bool rests; /* This case waits while the run of another case is shown live. */
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
	/*
	 * Either all models have lanes, or all have bands, because only then can they be compared.
	 */
	return model->n_cases > 0 && trees == bands && (bands == 0 || bands == model->n_cases);
}

bool view_race_has_faults(const struct model *model)
{
	return model_has_faults(model) || strcmp(model->session.experiment, "crash") == 0;
}

/*
 * There are no figures for lost increments, which are only in the answer, and none if the clock of
 * a recording takes the line.
 */
bool view_has_figures(const struct view_frame *frame)
{
	const struct model *model = frame->model;

	if (frame->cache->answer.n_rows != 2 || frame->state->clock.shown)
		return false;
	return !view_race_has_faults(model) && model_step(model) != WORK_SHARE;
}

/*
 * Leaves out the rows of open branches, such as the processes of a hybrid, which only wait for
 * their threads. leaves: a copy of the list's tree. rows: memory for the copy's rows.
 */
static void race_leave_out_branches(struct view_list *list, struct tree_rows *leaves,
				    struct tree_row *rows)
{
	const struct tree_rows *tree = list->tree;

	*leaves = *tree;
	leaves->rows = rows;
	leaves->n_rows = 0;
	leaves->selected = 0;
	/* Another generation, so that the caches do not take these rows for the tree's own rows. */
	leaves->generation = ~tree->generation;
	for (size_t i = 0; i < tree->n_rows; i++)
		if (!tree->rows[i].open)
			rows[leaves->n_rows++] = tree->rows[i];
	list->tree = leaves;
	list->n = (long)leaves->n_rows;
}

/* The number of rows that are not open branches. */
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
 * tasks, so that tasks are expected.
 */
static bool race_awaits_tasks(const struct view_frame *frame, const struct view_list *list,
			      uint32_t case_id)
{
	return list->run && !model_ended(list->model, list->run) &&
	       frame->cache->race_tasks[case_id % VIEW_RACERS];
}

/*
 * The rows of a case: the tasks of its command if they are known, no rows while tasks are expected,
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
	if (list.tasks) {
		list.most = frame->cache->race_rows[case_id % VIEW_RACERS];
		list.n = (long)list.tasks->n;
	} else if (race_awaits_tasks(frame, &list, case_id)) {
		list.n = 0;
	}
	return list;
}

/* Whether the program has only one task. An extra line then describes the task's states. */
static bool race_is_alone(const struct view_list *list)
{
	return list->tasks && list->tasks->n_tasks == 1;
}

/*
 * Adds the cores on which workers of the trial's runs were. A core that only one run used keeps its
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

/* Largest number of rows of a case. More rows fit on no screen. */
enum { RACE_ROWS_MOST = 1000 };

/* Smallest number of rows of a program, so that no row moves when its first tasks are known. */
enum { RACE_PROGRAM_ROWS = 2 };

/*
 * The number of rows that a case needs. The number of tasks of a running command changes with each
 * frame, so the number of rows of commands only grows.
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
 * Records the greatest width of names and, for commands, the largest number of rows that these
 * cases have needed so far. If the cases are not the same as in the previous frame, the recorded
 * names, cores, time and density begin anew.
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
		cache->race_many = cache->race_loads = false;
		cache->race_others = cache->race_idle = false;
		cache->race_exits = cache->race_numbers = false;
		cache->race_unsampled = false;
		cache->race_memory_kib = 0;
	}
	for (uint32_t id = begin; id < end; id++) {
		const struct view_list list = race_list(frame, id);
		const int rows = race_rows_needed(frame, &list, id);

		cache->race_many |= list.tasks && list.tasks->n_tasks > 1;
		if (id - begin < LAYOUT_COLUMNS)
			need->rows[id - begin] = rows;
		/*
		 * The tasks of a running command change, so measure the names of the tasks in its
		 * ended runs.
		 */
		if (!race_awaits_tasks(frame, &list, id) && !need->bands)
			cache->race_name_w = MAX(cache->race_name_w, race_name_w(&list));
	}
	need->name_w = cache->race_name_w;
}

/*
 * RACE_LIVE_NS: runs that are shown live have an axis only if they are at least this long, ns.
 * RACE_SPARE: the axis is longer than the runs by this factor.
 */
#define RACE_LIVE_NS INT64_C(1000000000)
#define RACE_SPARE   1.1

/*
 * The length of the axis for runs that are shown live, which changes in few steps. 0: the runs are
 * short, and trials are replayed.
 */
static int64_t race_live_axis(const struct model *model, uint32_t begin, uint32_t end)
{
	int64_t longest_ns = 0;

	for (uint32_t id = begin; id < end; id++) {
		const struct model_run *run = model_latest(model, id);

		if (run)
			longest_ns = MAX(longest_ns, view_rows_length(model, run));
	}
	if ((double)longest_ns * RACE_SPARE < (double)RACE_LIVE_NS)
		return 0;
	return (int64_t)plot_coarse((double)longest_ns * RACE_SPARE);
}

/*
 * The time from the run's beginning at which its last failed worker ended; 0 if no worker failed.
 */
static int64_t race_last_failure(const struct model *model, const struct model_run *run)
{
	struct view_bar bar = {.model = model, .run = run};
	int64_t last_ns = 0;

	for (; bar.worker < MIN(run->n_workers, RACE_ROWS_MOST); bar.worker++) {
		const struct sample_worker worker = model_known(run, bar.worker);

		if (view_bar_bad(&worker))
			last_ns = MAX(last_ns, view_bar_end(&bar, &worker));
	}
	return model_between(run, 0, last_ns);
}

/*
 * The length of the time that an axis of width w must show, so that it has room after each failed
 * worker for the text that says how that worker ended.
 */
static int64_t race_failure_axis(const struct view_frame *frame, uint32_t begin, uint32_t end,
				 int w)
{
	const struct view_race *race = &frame->state->race;
	const struct model *model = frame->model;
	int64_t last_ns = 0;

	for (uint32_t id = begin; id < end && w > 2 * RACE_REASON_W; id++) {
		const struct model_run *run = model_latest(model, id);

		if (race->trial.number)
			run = model_trial_run(model, &race->trial, id);
		if (run)
			last_ns = MAX(last_ns, race_last_failure(model, run));
	}
	return last_ns * w / MAX(1, w - RACE_REASON_W);
}

/*
 * The length of the time that an axis of width w shows. The axis only grows during a session, so
 * that trials can be compared. It has some spare length, because otherwise each slightly longer run
 * would change the axis.
 */
static int64_t race_time(const struct view_frame *frame, uint32_t begin, uint32_t end, int w)
{
	const struct view_race *race = &frame->state->race;
	const struct model *model = frame->model;
	int64_t *longest_ns = &frame->cache->race_ns;

	if (!model_over(model) && race->trial.number == 0)
		*longest_ns = MAX(*longest_ns, race_live_axis(model, begin, end));
	if (view_race_has_faults(model))
		*longest_ns = MAX(*longest_ns, race_failure_axis(frame, begin, end, w));
	/* No other trial follows the nearest one, so it gets the whole width. */
	if (race->nearest && model_over(model) && !view_race_has_faults(model))
		return race->axis_ns;
	/* While a trial is played, its axis stays, even if the session ends meanwhile. */
	if (race->trial.number)
		return MAX(*longest_ns, race->axis_ns);
	if (*longest_ns > 0 && !view_race_has_faults(model))
		return *longest_ns;
	return MAX(*longest_ns, view_rows_longest(model, begin, end));
}

/*
 * Lanes are dense only if slices that are too short for a cell have at least this share of the time
 * of some run.
 */
#define RACE_DENSE (1. / 8)

/*
 * Whether the slices of all models together are too short for cells of their own. The answer is the
 * same for all models, because lanes drawn in two ways cannot be compared. Once true, it stays true
 * for these models. Short slices with hardly any time in all, as at the ends of workers, do not
 * count: beside exact edges, their shares would look like dirt.
 */
static bool race_is_dense(const struct race *race, uint32_t end)
{
	struct view_lane_count all = {0};
	bool matter = false;

	for (uint32_t id = race->first; id < end; id++) {
		const struct model *model = view_model_of(race->frame, id);
		const struct model_run *run = model_latest(model, id);
		struct view_lane_count count = {0};

		if (!run)
			continue;
		view_lane_count(&count, race->frame->cache, model, run, &race->axis);
		all.slices += count.slices;
		all.shorter += count.shorter;
		matter |= (double)count.short_ns > RACE_DENSE * (double)count.on_ns;
	}
	race->frame->cache->race_dense |= matter && all.shorter > all.slices / 2;
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

/* Whether a slice of another program is known on any core during the run. */
static bool run_knows_others(const struct model_run *run)
{
	size_t n = 0;

	for (size_t cpu = 0; cpu < model_cores_seen(run); cpu++) {
		model_core_others(run, cpu, &n);
		if (n > 0)
			return true;
	}
	return false;
}

/*
 * The share of its time for which a core was busy with any program; NaN if unknown. In short runs
 * there are too few readings of the kernel's count, so the share is computed from the slices.
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
 * Records whether the load of any core is known. Once it is, all models keep the same heading above
 * their cores' figures.
 */
static void race_find_loads(const struct race *race, uint32_t end)
{
	bool *known = &race->frame->cache->race_loads;

	for (uint32_t id = race->first; id < end; id++) {
		const struct model *model = view_model_of(race->frame, id);
		const struct model_run *run = model_latest(model, id);
		const size_t n = run ? model_cores_seen(run) : 0;

		for (size_t cpu = 0; cpu < n; cpu++) {
			if (*known)
				return;
			*known = !isnan(race_core_load(model, run, cpu));
		}
	}
}

static bool race_has_only_programs(const struct race *race, uint32_t end)
{
	for (uint32_t id = race->first; id < end; id++)
		if (race->model->cases[id].plan.leaves[WORK_PROGRAM] == 0)
			return false;
	return true;
}

/* Whether each model is a program, and no program had several tasks in any run that was shown. */
static bool race_is_single(const struct race *race, uint32_t end)
{
	return race_has_only_programs(race, end) && !race->frame->cache->race_many;
}

/*
 * Whether the layout shows all models with a line for each of their rows, and has lines for the
 * bars.
 */
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
 * Lays out the race. After a fault, the rows of branches are dropped first, so that all models and
 * the bars fit.
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
	int w;

	/*
	 * Lines for metrics are reserved before any value is known, so that the lanes do not jump
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
	need.together = race.faults = view_race_has_faults(race.model);
	need.bands = race.bands = view_bands_fit(race.model, begin);
	need.figures = view_has_figures(frame) &&
		       text_lines(frame->sentence, MAX(1, frame->canvas->width - 2)) == 1;
	race_keep(frame, &need, begin, end);
	race_add_cores(&race, end);
	race.single = race_is_single(&race, end);
	need.programs = race_has_only_programs(&race, end);
	for (int i = 0; i < MIN(need.models, LAYOUT_COLUMNS); i++)
		need.programs &= need.rows[i] <= RACE_PROGRAM_ROWS;
	need.cores = CPU_COUNT(&frame->cache->race_cpus);
	/* A program's run is watched live, and the program may move to another core at any time. */
	if ((state->race.early && !race.bands) ||
	    race.model->cases[begin].plan.leaves[WORK_PROGRAM] > 0)
		need.cores = MAX(need.cores, race.model->session.machine.cores_allowed);
	if (need.cores > RACE_CORES && !state->cores)
		need.cores = 1;
	need.single = race.single;
	rect.w--;
	race_lay_out(&race, rect, &need);
	/* If not all models fit, show the chosen model and those below it. */
	if (state->browse)
		race.first =
			MAX(begin, MIN((uint32_t)state->column, end - (uint32_t)race.layout.n));
	w = MIN(rect.w - race.layout.left - race.layout.right, DENSITY_CELLS);
	race.axis =
		view_axis_of(state, race_time(frame, begin, end, w), rect.x + race.layout.left, w);
	race.dense = race_is_dense(&race, end);
	race.name_w = race_title_w(&race);
	race_find_loads(&race, end);
	return race;
}

/*
 * Writes for which share of the time each core had the run's workers, "cores  0  97 %  1   0 %".
 * Lists all cores that any run had. If there is no room for all, writes how many cores were busy,
 * because a core that is left out would look idle.
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

	if (view_replays(racer->race->frame))
		return "has not run at this point";
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
 * Says from when to when the time of the run was measured. If a worker's fault also killed the
 * parent, nobody joined the workers.
 */
static const char *racer_time_words(const struct racer *racer)
{
	const struct model *model = racer->model;
	const struct sample_totals *totals = &racer->run->totals;

	if (!model_ended(model, racer->run))
		return "so far";
	if (totals->fault && totals->survived == 0 &&
	    report_missed(model, racer->case_id, METRIC_NOTICED) == REASON_PARENT_ENDED)
		return "create to end";
	return "create to join";
}

/*
 * Writes the time of the run next to its model: "112 ms create to join" or "112 ms so far". For a
 * program that has ended, writes only the time. Returns the column after the text.
 */
static int racer_draw_time(const struct racer *racer, int x, int end)
{
	const struct race *race = racer->race;
	const struct plan *plan = &race->model->cases[racer->case_id].plan;
	const int y = racer->layout->title.y;
	struct style style = STYLE_BOLD(racer->hue);
	bool ended;
	const char *words;
	int words_end;
	char took[32];

	if (!racer->run)
		return x;
	ended = model_ended(racer->model, racer->run);
	/* Until the run has ended, its time is not a result. */
	if (racer->rests || !ended)
		style = DIM;
	if (model_length(racer->model, racer->run) > 0) {
		units_format_time(took, sizeof(took), model_elapsed(racer->model, racer->run),
				  false);
		canvas_right(race->canvas, x + TOOK_W, y, style, took);
	}
	x += TOOK_W + 1;
	words = racer_time_words(racer);
	words_end = x + (int)strlen("create to join");
	/* On a narrow screen, the number of survivors is shown instead of these words. */
	if (race->layout.cores_in_title && racer->run->totals.fault && ended)
		return x + 1;
	if (words_end >= end || (plan->leaves[WORK_PROGRAM] > 0 && ended))
		return x + 1;
	/*
	 * The top line of a recording has the position, so the title names the trial. Otherwise,
	 * the words say from when to when the time was measured, because the lifetimes of workers
	 * begin later, at their first instruction.
	 */
	if (view_replays(race->frame) && race->frame->state->race.trial.number > 0)
		canvas_printf(race->canvas, x, y, end - x, DIM, "in trial %u",
			      race->frame->state->race.trial.number);
	else
		canvas_text(race->canvas, x, y, end - x, DIM, words);
	return words_end + 2;
}

/*
 * Writes a fact about a tree's run in its title. A value that still grows has a column of width w,
 * so that nothing moves. Returns the column after the value; `end` if there is no room for it.
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
	/* Not bold, because the value is a fact of a single run. */
	canvas_right(racer->race->canvas, named + w, y, PLAIN, value);
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
 * Writes the facts of a tree that has ended: how many tasks were alive at once, the median wait for
 * a join, and how many cores the tree used. The median of a create call is left out: calls wait for
 * each other, so it would seem to contradict the time of all creations.
 */
static void racer_draw_tree_facts(const struct racer *racer, int x, int end)
{
	const struct model_levels *levels = model_levels(racer->model, racer->run);
	const double join_ns = levels ? levels->all.phase[PHASE_JOIN].median : NAN;
	const double cpu_ns = metric_value(racer->run, METRIC_CPU);
	const int64_t elapsed_ns = model_elapsed(racer->model, racer->run);
	char text[32];

	/* The number of tasks alive may have lines of its own. */
	if (racer->layout->alive.h == 0)
		x = racer_draw_fact(racer, x, end, "peak alive",
				    UNITS_COUNT(view_alive_peak(racer->model, racer->run, true)),
				    0);
	if (!isnan(join_ns))
		x = racer_draw_fact(racer, x, end, "join wait", UNITS_TIME((int64_t)join_ns, false),
				    0);
	if (isnan(cpu_ns) || elapsed_ns <= 0)
		return;
	snprintf(text, sizeof(text), "%.1f of %d", cpu_ns / (double)elapsed_ns,
		 racer->model->session.machine.cores_allowed);
	racer_draw_fact(racer, x, end, "cores used", text, 0);
}

/*
 * If the models are compared by the time of an operation, says why the ratio of their lanes is
 * another one. Returns the column after the text.
 */
static int racer_draw_extent(const struct racer *racer, int x, int end)
{
	static const char text[] = "includes creation and exit";
	const struct answer *answer = &racer->race->frame->cache->answer;

	if (answer->n_metrics == 0 || answer->metrics[0] != METRIC_STEP)
		return x;
	if (x + utf8_columns(text) >= end || !model_ended(racer->model, racer->run))
		return x;
	return canvas_text(racer->race->canvas, x, racer->layout->title.y, -1, DIM, text) + 2;
}

struct race_of_run {
	const struct model *model;
	const struct model_run *run;
};

static void find_wasted(const void *arg, void *found)
{
	const struct race_of_run *of = arg;

	*(int64_t *)found = model_wasted(of->model, of->run);
}

/* The core time that an ended run wasted, ns; -1: unknown. */
static int64_t racer_wasted_ns(const struct racer *racer)
{
	const struct race_of_run whole = {racer->race->model, racer->run};
	const struct view_reading_of of = {
		.kind = READING_WASTED,
		.a = (uint32_t)(racer->run - racer->model->runs),
		.b = model_cores_exact(racer->run),
		.size = sizeof(int64_t),
	};
	const int64_t *wasted_ns =
		view_cache_reading(racer->race->frame->cache, &of, find_wasted, &whole);

	if (wasted_ns)
		return *wasted_ns;
	return -1;
}

/* Less wasted time than this share of the run is not mentioned. */
#define WASTED_PART 50

/*
 * Above lanes of cores, says how long cores were idle while workers waited, and why. Returns the
 * column after the text.
 */
static int racer_draw_wasted(const struct racer *racer, int x, int end)
{
	static const char *const ends[] = {" before waiting workers were moved",
					   " while workers waited"};
	char took[32], text[128];
	int64_t wasted_ns;

	if (!race_has_core_lanes(racer->race) || !model_ended(racer->model, racer->run))
		return x;
	wasted_ns = racer_wasted_ns(racer);
	if (wasted_ns < model_elapsed(racer->model, racer->run) / WASTED_PART)
		return x;
	units_format_time(took, sizeof(took), wasted_ns, false);
	for (size_t i = 0; i < LENGTH(ends); i++) {
		snprintf(text, sizeof(text), "cores idle for %s%s", took, ends[i]);
		if (x + utf8_columns(text) < end)
			return canvas_text(racer->race->canvas, x, racer->layout->title.y, -1, DIM,
					   text) +
			       2;
	}
	return x;
}

/* On a narrow screen, a program's words leave room for the share of each core. */
static const char *racer_last_words(const struct racer *racer)
{
	const struct plan *plan = &racer->race->model->cases[racer->case_id].plan;

	if (plan->leaves[WORK_PROGRAM] > 0 && racer->layout->title.w < RACE_FACTS)
		return "last run";
	return "its last run";
}

/*
 * Writes the name, "● threads"; the time of the run; the case's number, if not all models fit; and
 * facts about the run, or why the run failed or has not begun. Leaves room on the right for the
 * heading of the figures at the ends of the rows.
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

	if (racer->run && racer->layout->rows.h > 0)
		end -= (int)strlen("lifetime") + 1;
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
	 * In a sweep, the race shows the two models at one value, so cases of other values are not
	 * counted as further models.
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
		x = canvas_printf(race->canvas, x, title.y, end - x, DIM, "%s  ",
				  racer_last_words(racer));
	x = racer_draw_extent(racer, x, end);
	x = racer_draw_wasted(racer, x, end);
	if (race->layout.cores_in_title)
		racer_draw_core_shares(racer, MAX(x, title.x + title.w / 2), end);
}

/* Draws the axis's labels and, below the lanes, the position. */
static void racer_draw_axis(const struct racer *racer)
{
	const struct race *race = racer->race;
	const struct view_race *state = &race->frame->state->race;
	const struct rect rect = racer->layout->axis;
	const int cell = plot_cell(&race->axis, state->ns);
	const struct style bright = STYLE_BOLD(COLOUR_TITLE);
	struct plot_axis labels = race->axis;
	int mark = -1;

	if (rect.h < 1)
		return;
	if (!racer->run) {
		canvas_put(race->canvas, race->axis.x, rect.y, '0', DIM);
		return;
	}
	if (state->trial.number > 0 && state->ns < state->length_ns && cell >= 0 &&
	    cell < race->axis.w)
		mark = race->axis.x + cell;
	/* Survivors may end after the last label for which the axis has room. */
	if (race->faults && racer->layout->cores.h == 0 && race->axis.w > 0) {
		labels.to_ns += (labels.to_ns - labels.from_ns) * RACE_LABEL / labels.w;
		labels.w += RACE_LABEL;
	}
	/*
	 * The position is shown by a bright label or, if no label is there, by a sign below the
	 * lanes.
	 */
	if (!plot_time_labels_marked(race->canvas, &labels, rect.y, DIM, mark, bright) && mark >= 0)
		canvas_put(race->canvas, mark, rect.y, 0x25b2, bright);
}

/*
 * The colour of a program's single task is its program's colour, not the colour of the first of
 * many tasks.
 */
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
	struct view_bar bar = {.canvas = race->canvas,
			       .axis = &race->axis,
			       .y = y,
			       .dense = race->dense,
			       .hue = racer_lane_hue(racer),
			       .run = racer->run};
	const double load = race_core_load(racer->model, racer->run, cpu);
	double ours = 0;
	struct model_core_shares shares;
	const struct view_lane *lane;
	char text[32];

	snprintf(text, sizeof(text), "core %zu", cpu);
	canvas_text(race->canvas, racer->layout->cores.x + 2, y, race->layout.left - 3, DIM, text);
	lane = view_lane_core(race->frame->cache, &racer->axis, racer->model, racer->run, cpu,
			      true);
	if (!lane)
		return;
	race->frame->cache->race_others |= view_lane_has_others(lane);
	race->frame->cache->race_exits |= view_lane_has_exits(lane);
	race->frame->cache->race_idle |= view_lane_has_idle(lane);
	view_bar_lane(&bar, lane);
	view_lane_numbers(lane, race->canvas, y, race->dense);
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

/*
 * Draws a lane that shows how many cores were busy with the run's workers, for machines with many
 * cores.
 */
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
		model_core_shares_until(racer->model, racer->run, cpu,
					plot_time(&racer->axis, race->axis.x), &before);
		for (int x = 0; x < race->axis.w; x++) {
			model_core_shares_until(racer->model, racer->run, cpu,
						plot_time(&racer->axis, race->axis.x + x + 1),
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
 * Writes the states of a program's single task below its lane: "on a core 12 %, runnable 1 %,
 * blocked 87 %: sleep 80 %, ? 7 %".
 */
static void racer_draw_states(const struct racer *racer, const struct task *task, int y)
{
	const struct race *race = racer->race;
	struct sentence s = SENTENCE(256);
	double all = 0;

	for (int state = STATE_UNKNOWN; state < MODEL_STATES; state++)
		all += task->in_ns[state];
	if (all > 0)
		sentence_add(&s, "on a core %.0f %%, runnable %.0f %%, blocked %.0f %%",
			     100 * task->in_ns[STATE_ON] / all,
			     100 * task->in_ns[STATE_WAITING] / all,
			     100 * task->in_ns[STATE_BLOCKED] / all);
	for (size_t i = 0; i < task->n_waits; i++) {
		/* If the blocked time rounds to 0 %, leave out what the task waited for. */
		if (task->in_ns[STATE_BLOCKED] <= all / 200)
			break;
		/* If only an unknown cause is left, leave it out, because it says nothing. */
		if (task->n_waits == 1 && !*SAMPLE_WAIT(task->waits[i].waited))
			break;
		sentence_add(&s, "%s %s %.0f %%", i == 0 ? ":" : ",",
			     sentence_text(SAMPLE_WAIT(task->waits[i].waited), "?"),
			     100 * task->waits[i].ns / all);
	}
	/*
	 * If there is too little room, leave out the last parts, because part of a number would
	 * look like another number.
	 */
	while (utf8_columns(s.buf) > race->axis.w && strrchr(s.buf, ','))
		*strrchr(s.buf, ',') = '\0';
	canvas_text(race->canvas, race->axis.x, y, race->axis.w, DIM, s.buf);
}

/*
 * Smallest and largest number of lines for a program's memory, below the lane and the states of its
 * single task.
 */
enum { RACE_MEMORY = 2, RACE_MEMORY_MOST = 5 };

/*
 * The top of the axis of memory, KiB, the same for all models. It only grows, so that curves of
 * different trials can be compared.
 */
static double race_memory_top(const struct race *race)
{
	int64_t *kept = &race->frame->cache->race_memory_kib;
	double top = 0, y[PLOT_DOTS];

	for (int i = 0; i < race->layout.n; i++) {
		const uint32_t id = race->first + (uint32_t)i;
		const struct model *model = view_model_of(race->frame, id);
		const struct model_run *run = model_latest(model, id);

		if (!run)
			continue;
		if (model_ended(model, run))
			top = fmax(top, metric_value(run, METRIC_MEMORY));
		view_series(model, run, &race->axis, METRIC_MEMORY, y);
		for (int x = 0; x < MIN(2 * race->axis.w, PLOT_DOTS); x++)
			top = fmax(top, y[x]);
	}
	*kept = MAX(*kept, plot_nice_kib((int64_t)top));
	return (double)*kept;
}

/*
 * Dots the cells from the task's first instruction to the first sample, because blank ones would
 * look as if the program had no memory then.
 */
static void racer_dot_memory(const struct racer *racer, struct rect rect, const struct task *task,
			     int sampled)
{
	const int first = plot_cell(&racer->axis, MAX(0, task->start_ns));

	for (int x = MAX(0, first); x < sampled; x++)
		canvas_put(racer->race->canvas, rect.x + x, rect.y + rect.h - 1,
			   VIEW_UNSAMPLED_GLYPH, STYLE(COLOUR_BORDER));
}

/*
 * Writes the peak of an ended run, or the newest sample while it runs. The kernel knows the peak,
 * which samples may miss, so the curve may stay below it.
 */
static void racer_name_memory(const struct racer *racer, struct rect rect, double last, double top)
{
	struct canvas *canvas = racer->race->canvas;
	const int end = rect.x + rect.w, y = rect.y + rect.h - 1;
	const char *name = "now";
	char text[48];

	if (model_ended(racer->model, racer->run)) {
		name = "its peak";
		last = metric_value(racer->run, METRIC_MEMORY);
	}
	if (isnan(last))
		return;
	canvas_right(canvas, end, y - 1, DIM, name);
	canvas_right(canvas, end, y, DIM, view_memory_alike(METRIC_MEMORY, "", last, top, text));
}

/* Names the curve of memory and, if there is any sample, the top of its axis. */
static void racer_label_memory(const struct racer *racer, struct rect rect, double last, double top)
{
	const struct race *race = racer->race;
	char text[48];

	canvas_text(race->canvas, rect.x + 3, rect.y + rect.h - 1, race->layout.left - 4, DIM,
		    "memory");
	if (isnan(last))
		return;
	canvas_right(race->canvas, race->axis.x - 1, rect.y, DIM,
		     view_memory_alike(METRIC_MEMORY, "", top, top, text));
}

/*
 * Draws the sampled memory of a program over the time of its task.
 */
static void racer_draw_memory(const struct racer *racer, const struct task *task, struct rect rect)
{
	const struct race *race = racer->race;
	const struct rect plot = {race->axis.x, rect.y, race->axis.w, rect.h};
	const struct plot_axis dots = {racer->axis.from_ns, racer->axis.to_ns, 0, 2 * race->axis.w};
	const double top = race_memory_top(race);
	double y[PLOT_DOTS], last = NAN;
	int sampled = 0;

	if (rect.h < RACE_MEMORY || top <= 0)
		return;
	view_series(racer->model, racer->run, &racer->axis, METRIC_MEMORY, y);
	for (int x = 0; x < MIN(dots.w, PLOT_DOTS); x++) {
		if (task->finish_ns >= 0 && plot_time(&dots, x) >= task->finish_ns)
			y[x] = NAN;
		if (isnan(y[x]))
			continue;
		if (isnan(last))
			sampled = x / 2;
		last = y[x];
	}
	if (isnan(last) && !model_ended(racer->model, racer->run))
		return;
	racer_label_memory(racer, rect, last, top);
	racer_name_memory(racer, rect, last, top);
	if (isnan(last)) {
		canvas_text(race->canvas, plot.x, plot.y + plot.h - 1, plot.w, DIM,
			    "too short to sample");
		return;
	}
	plot_area(race->canvas, plot, y, top, STYLE(COLOUR_LEVEL1));
	race->frame->cache->race_unsampled |= sampled > plot_cell(&racer->axis, task->start_ns);
	racer_dot_memory(racer, plot, task, sampled);
}

/* Draws a model. Returns the number of rows by which its list can be scrolled. */
static int racer_draw(const struct racer *racer)
{
	const struct race *race = racer->race;
	const struct layout_racer *layout = racer->layout;
	struct view_list list = race_list(race->frame, racer->case_id);
	struct tree_row rows[RACE_LEAVES];
	struct tree_rows leaves;
	uint64_t inks = 0;
	const struct rect lines = {layout->title.x, layout->title.y, 1,
				   layout->title.h + layout->rows.h + layout->alive.h +
					   layout->axis.h + layout->cores.h};

	/* A vertical line in the model's colour, left of the model's rows. */
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
	list.axis = racer->axis;
	list.right = race->layout.right;
	list.dense = race->dense;
	list.hue = racer_lane_hue(racer);
	if (race->bands) {
		view_bands_draw(&list);
		list.rect = layout->alive;
		list.rect.x += 2;
		view_bands_alive(&list, list.rect, racer->most);
		racer_draw_cores(racer);
		return 0;
	}
	if (race->leaves && list.n <= RACE_LEAVES)
		race_leave_out_branches(&list, &leaves, rows);
	race->frame->shown->heights |= list.dense;
	if (!race_has_core_lanes(race))
		list.core_numbers = &race->frame->cache->race_numbers;
	list.first = MAX(0, MIN(race->frame->state->scroll, list.n - layout->rows.h));
	if (layout->rows.h > 0)
		inks = view_list_draw(&list);
	race->frame->shown->heights |= inks >> INK_MANY_PART & 1;
	race->frame->cache->race_exits |= inks >> INK_EXIT & 1;
	if (race_is_alone(&list) && layout->rows.h > 1) {
		const int pitch = view_list_pitch(&list);
		const int memory = MIN(RACE_MEMORY_MOST, layout->rows.h - pitch);
		struct task task;

		task_read(racer->model, racer->run,
			  racer->run->n_workers + list.tasks->rows[0].first, &task);
		racer_draw_states(racer, &task, layout->rows.y + MAX(1, pitch - 1));
		racer_draw_memory(
			racer, &task,
			RECT(layout->rows.x, layout->rows.y + pitch, layout->rows.w, memory));
	}
	racer_draw_cores(racer);
	return (int)MAX(0, list.n - layout->rows.h);
}

/* Whether bars are drawn, and the median of some bar is an estimate, "~1.0 MiB". */
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
	static const struct view_legend exits = {{0x2592, COLOUR_FINISHED}, "exit"};
	static const struct view_legend numbers = {{'1', COLOUR_GROUND, .bed = COLOUR_WORKER0},
						   "its core's number"};
	static const struct view_legend unsampled = {{VIEW_UNSAMPLED_GLYPH, COLOUR_BORDER},
						     "not sampled yet"};
	static const struct view_legend idle = {{VIEW_IDLE_GLYPH, COLOUR_BORDER}, "idle"};
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
	if (race->frame->cache->race_numbers && !race_has_core_lanes(race))
		shown->legend[shown->n_legend++] = numbers;
	if (race->frame->cache->race_unsampled && race->single)
		shown->legend[shown->n_legend++] = unsampled;
	if (race->frame->cache->race_exits)
		shown->legend[shown->n_legend++] = exits;
	if (race->frame->cache->race_others && race_has_core_lanes(race))
		shown->legend[shown->n_legend++] = others;
	if (race->frame->cache->race_idle && race_has_core_lanes(race))
		shown->legend[shown->n_legend++] = idle;
	if (race_has_estimates(race))
		shown->legend[shown->n_legend++] = estimates;
	if (race->frame->cache->race_loads && race_has_core_lanes(race))
		shown->legend[shown->n_legend++] = loads;
}

/*
 * The axis of a run's lanes. It leaves out the time for which the run was held, as the run's time
 * and lifetimes do. Otherwise a lane would be longer than its lifetime.
 */
static struct plot_axis race_axis_of(const struct race *race, const struct model_run *run)
{
	struct plot_axis axis = race->axis;
	struct model_hold hold;

	if (!run)
		return axis;
	hold = model_hold(run);
	axis.cut_from_ns = hold.from_ns;
	axis.cut_to_ns = hold.to_ns;
	return axis;
}

/*
 * The largest number of tasks that were alive at once in any of the runs that the race shows, over
 * the whole runs.
 */
static int64_t race_most_alive(const struct race *race)
{
	int64_t most = 1;

	for (int i = 0; i < race->layout.n; i++) {
		const uint32_t id = race->first + (uint32_t)i;
		const struct model_run *run = model_latest(view_model_of(race->frame, id), id);
		const int64_t peak = run ? view_alive_peak(race->model, run, true) : 0;

		most = MAX(most, peak);
	}
	return most;
}

/* The last w columns of a model's title. */
static struct rect race_heading_place(const struct race *race, int i, int w)
{
	const struct rect title = race->layout.models[i].title;

	return RECT(title.x + title.w - w, title.y, w, 1);
}

/* Whether the titles of all models leave w columns free for a heading on the right. */
static bool race_has_room(const struct race *race, int w)
{
	for (int i = 0; i < race->layout.n; i++) {
		const struct rect place = race_heading_place(race, i, w + 2);

		for (int x = MAX(0, place.x); x < place.x + place.w; x++) {
			const struct cell *line =
				race->canvas->cells + place.y * race->canvas->width;

			if (line[x].glyph != 0 && line[x].glyph != ' ')
				return false;
		}
	}
	return true;
}

/*
 * The heading of the figures at the ends of the rows. A lifetime does not include the exit. If
 * there is room, the heading says so, as soon as any worker's lane shows an exit.
 */
static const char *race_heading(const struct race *race)
{
	static const char *const until_exit[] = {"lifetime until ▒", "lifetime to ▒"};

	if (race->bands)
		return "created";
	for (size_t i = 0; i < LENGTH(until_exit) && race->frame->cache->race_exits; i++)
		if (race_has_room(race, utf8_columns(until_exit[i])))
			return until_exit[i];
	return "lifetime";
}

static void race_draw_headings(const struct race *race)
{
	const char *heading = race_heading(race);

	for (int i = 0; i < race->layout.n; i++) {
		const struct rect place = race_heading_place(race, i, utf8_columns(heading));
		const uint32_t id = race->first + (uint32_t)i;

		if (race->layout.models[i].rows.h > 0 &&
		    model_latest(view_model_of(race->frame, id), id))
			canvas_text(race->canvas, place.x, place.y, -1, DIM, heading);
	}
}

void view_race_draw(const struct view_frame *frame, struct rect rect)
{
	const struct race race = race_of(frame, rect);
	const struct view_race *state = &frame->state->race;
	const struct model_run *running = model_running(frame->model);
	struct view_shown *shown = frame->shown;
	const int64_t most = race.bands ? race_most_alive(&race) : 0;
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
		const struct model_run *run = state->early ? NULL : model_latest(model, id);
		const struct racer racer = {.race = &race,
					    .layout = &race.layout.models[i],
					    .model = model,
					    .run = run,
					    .axis = race_axis_of(&race, run),
					    .case_id = id,
					    .hue = view_hue(frame->model, id),
					    .most = most,
					    .rests = state->trial.number == 0 && running &&
						     running->id.case_id != id};
		const struct layout_racer *layout = racer.layout;
		/* Evaluate before MAX(), which evaluates its argument twice. */
		const int beyond = racer_draw(&racer);

		scroll = MAX(scroll, beyond);
		view_zone_case(shown,
			       RECT(layout->title.x, layout->title.y, layout->title.w,
				    layout->title.h + layout->rows.h + layout->alive.h +
					    layout->axis.h + layout->cores.h),
			       id);
	}
	if (!state->early)
		race_draw_headings(&race);
	race_add_legend(&race);
	/*
	 * Before anything is shown, readers would take the figures of a single run for the first
	 * result.
	 */
	if (!state->early) {
		view_race_draw_bars(&race);
		view_race_draw_runs(&race);
		view_race_draw_figures(&race);
	}
	view_scroll_to(frame, scroll, 0);
}
