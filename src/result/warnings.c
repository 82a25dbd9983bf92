/* SPDX-License-Identifier: MIT */
#include "core/sample_tick.h"
#include "result/report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/units.h"
#include "model/model_kind.h"
#include "model/model_lanes.h"

/* Fewest trials from which to learn how many cores a case usually uses. */
#define LEAST_TRIALS 5
/*
 * Report a run if it uses less than FEWER of the usual cores and takes more than LONGER times the
 * usual time.
 */
#define FEWER  0.75
#define LONGER 1.1
/* If a run uses fewer cores than this, its tasks are waiting for something else, such as a disk. */
#define LEAST_CORES 0.85
/* Least modified z-score of an outlier: see stats_modified_z(). */
#define FAR_CORES 3.5

/*
 * hyperfine's threshold, in standard deviations (src/outlier_detection.rs). Iglewicz & Hoaglin
 * propose 3.5, for large samples. Among six normal values, one is beyond 3.5 in 14 % of all
 * samples, and beyond 10 in 1 %.
 */
#define WARNINGS_FAR 10
/*
 * An outlier must differ from the median by more than this share of the median. Without that, 17 µs
 * instead of 16 µs could be one.
 */
#define FAR_SHARE 0.1
/* Fewest trials from which to learn the spread. */
#define FAR_LEAST 5

/* Shares of the cores' time above which a warning reports other programs and steal. */
#define BUSY_SHARE  0.05
#define STEAL_SHARE 0.01
/*
 * BADGE_BUSY, BADGE_STEAL: shares above which the answer itself mentions the cause. CLOCK_CHANGE:
 * ratio of a core's frequencies that is reported.
 */
#define BADGE_BUSY   0.10
#define BADGE_STEAL  0.02
#define CLOCK_CHANGE 1.05
/* Allowed error by chance, in standard deviations. The time of a core is counted in ticks. */
#define CHANCE 4

/* One recording: the whole model, or the part of a model of joined recordings. */
struct scope {
	const struct model *model;
	const struct model_origin *part;
	struct model_origin all; /* Filled if the model is a single recording. */
	/* What at least one run of the part has. Without it, no other pass looks for such runs. */
	struct {
		bool command_tasks, throttled, requests, read_nothing, tasks, replaced, failed,
			status;
	} has;
	double *values;	  /* Room for two values for each run. */
	uint32_t *trials; /* Room for one number for each run. */
	struct model_warning *out, spare;
	int n;
};

/* Begins to judge a model. Returns the number of its recordings. */
static uint32_t begin_scope(struct scope *scope, const struct model *model)
{
	*scope = (struct scope) {.model = model,
				 .all = {.session = model->session,
					 .n_cases = model->n_cases,
					 .n_cores = model->n_cores}};
	if (model->n_origins > 0)
		scope->part = model->origins;
	else
		scope->part = &scope->all;
	if (model->n_origins > 0)
		return model->n_origins;
	return 1;
}

static const struct model_run *next_run(const struct scope *scope, const struct model_run *run)
{
	return model_next_measured(scope->model, run, scope->part->first_case,
				   scope->part->n_cases);
}

static void find_what_runs_have(struct scope *scope)
{
	memset(&scope->has, 0, sizeof(scope->has));
	for (size_t i = 0; i < scope->model->n_runs; i++) {
		const struct model_run *run = &scope->model->runs[i];

		if (run->id.case_id - scope->part->first_case >= scope->part->n_cases)
			continue;
		scope->has.command_tasks |= model_has_command_tasks(run);
		scope->has.throttled |= run->totals.throttled_periods > 0;
		scope->has.requests |=
			run->totals.requests_ns > 0 || run->totals.requests_failed > 0;
		scope->has.read_nothing |= run->totals.read_nothing == 1;
		scope->has.tasks |= run->n_tasks > 0;
		scope->has.replaced |= run->replaced_ns > 0;
		scope->has.failed |= report_run_failed(scope->model, run);
		scope->has.status |= report_exit_status(scope->model, run) > 0;
	}
}

/* Begins another warning. If there is no room for it, returns a spare one that nobody reads. */
static struct sentence add_warning(struct scope *scope, enum model_warning_kind kind)
{
	struct model_warning *warning = &scope->spare;
	struct sentence s;

	if (scope->n < MODEL_WARNINGS_MOST)
		warning = &scope->out[scope->n++];
	s = sentence_in(warning->text, sizeof(warning->text));
	warning->kind = kind;
	warning->parts = (struct sentence_parts) {0};
	s.parts = &warning->parts;
	if (*scope->part->name)
		sentence_add(&s, "%s: ", scope->part->name);
	return s;
}

/* Numbers of trials. `n` counts all, but only the first ones are named. */
enum { NAMED = 6 };

struct trials {
	uint32_t n, list[NAMED];
};

static void note_trial(struct trials *trials, uint32_t trial)
{
	if (trials->n < NAMED)
		trials->list[trials->n] = trial;
	trials->n++;
}

static void add_same_of_others(struct sentence *s, uint32_t others, bool counted)
{
	if (others == 0)
		return;
	sentence_clause(s, "; the same is true of ");
	if (counted)
		sentence_add(s, "%u other configuration%s", others, sentence_plural(others));
	else
		sentence_add(s, "other configurations");
}

static const char *was(uint32_t n)
{
	if (n == 1)
		return "was";
	return "were";
}

/* Adds "trials 3, 7, ...". */
static void add_trials(struct sentence *s, const struct trials *trials)
{
	sentence_add(s, "trial%s %u", sentence_plural(trials->n), trials->list[0]);
	for (uint32_t i = 1; i < MIN(trials->n, NAMED); i++)
		sentence_add(s, ", %u", trials->list[i]);
	if (trials->n > NAMED)
		sentence_add(s, ", ...");
}

struct usual {
	struct stats_spread cores;
	double took;
	double most; /* number of cores that the recording's runs may use */
};

/*
 * Whether at least half of the cores were free by which the run used fewer than usual. Sets
 * *free_cores to the number of cores that it used plus the number of free ones.
 */
static bool had_room(const struct model *model, const struct model_origin *part,
		     const struct model_run *run, const struct usual *usual, double *free_cores)
{
	const struct sample_totals *totals = &run->totals;
	long first = model_load_at(model, run->begin_ns) + 1;
	long last = model_load_at(model, run->begin_ns + totals->elapsed_ns);
	double used = metric_result(run, METRIC_CORES), missing = usual->cores.median - used;
	double idle = 0, ticks, left = NAN;

	/*
	 * The average number of cores that were idle, by the samples within the run; NaN if there
	 * are none.
	 */
	for (long i = first + 1; i <= last; i++) {
		const struct sample_core *core =
			model->cores + i * (long)model->n_cores + part->first_core;

		for (const struct sample_core *end = core + part->n_cores; core < end; core++)
			if (core->user >= 0)
				idle += 1 - (core->user + core->system + core->steal) / 1e3;
	}
	if (last > first && first >= 0)
		ticks = idle / (double)(last - first);
	else
		ticks = NAN;
	/*
	 * The time of the cores that neither other programs nor the host used. It includes the
	 * run's own time.
	 */
	if (totals->others >= 0 && totals->steal >= 0)
		left = usual->most * (1 - (totals->others + totals->steal) / 1e3) - used;
	if (isnan(left))
		*free_cores = used + fmin(ticks, usual->most - used);
	else
		*free_cores = used + left;
	return !(left < missing / 2) && !(ticks < missing / 2) && !isnan(*free_cores);
}

/*
 * Runs of a case that used fewer cores: means of their time, of the cores that they used, and of
 * the free cores.
 */
struct few {
	struct trials trials;
	uint32_t case_id, all;
	double took, usually, cores, free;
};

/*
 * Finds runs of a case that used fewer cores than usual and took longer, although cores were free.
 * The kernel then left a run's tasks on one core.
 */
static void find_few_cores(const struct scope *scope, uint32_t case_id, struct few *few)
{
	const struct model *model = scope->model;
	double *values = scope->values;
	size_t n = model_trials(model, case_id, METRIC_ELAPSED, values, NULL, model->n_runs);
	const struct machine *machine = &scope->part->session.machine;
	const double quota = machine_quota(machine);
	struct usual usual = {.took = stats_select(values, n, 0.5)};
	struct model_values took_values, used_values;
	const struct model_value *took, *used;
	double free_cores, most = 0;

	*few = (struct few) {.case_id = case_id, .all = (uint32_t)n, .usually = usual.took};
	if (n < LEAST_TRIALS)
		return;
	n = model_trials(model, case_id, METRIC_CORES, values, NULL, model->n_runs);
	usual.cores = stats_spread(values, n);
	/* The session may be pinned, so assume no more cores than some run has used. */
	for (uint32_t i = 0; i < scope->part->n_cases; i++) {
		used_values = model_values(model, scope->part->first_case + i, METRIC_CORES);
		while ((used = model_values_next(&used_values)))
			most = fmax(most, used->value);
	}
	usual.most = fmin(ceil(most - 0.1),
			  fields_known_or(quota, fields_known(machine->cores_allowed)));
	took_values = model_values(model, case_id, METRIC_ELAPSED);
	used_values = model_values(model, case_id, METRIC_CORES);
	/* Both have the same runs. */
	while ((took = model_values_next(&took_values)) &&
	       (used = model_values_next(&used_values))) {
		if (!(used->value >= LEAST_CORES && used->value < FEWER * usual.cores.median) ||
		    !(took->value > LONGER * usual.took) ||
		    !(stats_modified_z(&usual.cores, used->value) < -FAR_CORES) ||
		    !had_room(model, scope->part, &model->runs[used->run], &usual, &free_cores))
			continue;
		note_trial(&few->trials, used->trial);
		few->took += (took->value - few->took) / few->trials.n;
		few->cores += (used->value - few->cores) / few->trials.n;
		few->free += (free_cores - few->free) / few->trials.n;
	}
}

/* Outliers of all cases. case_id and trials belong to the farthest one. */
struct far {
	uint32_t n, case_id, trials;
	double took, median;
};

/* Whether a higher value of the metric in which trials are judged is better. */
static bool higher_is_better(const struct model *model)
{
	return model_prints(model) && !model_prints_time(model);
}

/* Finds outliers. Skips runs that used fewer cores, because they have a warning of their own. */
static void find_far(const struct scope *scope, const struct few *few, struct far *first,
		     struct far *others)
{
	const struct model *model = scope->model;
	double *x = scope->values, *spoilt = x + model->n_runs;
	size_t n = model_trials(model, few->case_id, model_headline(model), x, scope->trials,
				model->n_runs);
	const bool higher = higher_is_better(model);
	struct stats_spread spread;

	/*
	 * Skip the clock itself: its cost is only a few of its steps, so one step more is not an
	 * outlier.
	 */
	if (n < FAR_LEAST || model->cases[few->case_id].plan.primitive == PLAN_CALL)
		return;
	memcpy(spoilt, x, n * sizeof(*x));
	spread = stats_spread(spoilt, n);
	for (size_t i = 0; i < n; i++) {
		const bool slow = (x[i] > spread.median) != higher;
		const bool is_first = scope->trials[i] == 1 && slow;
		struct far *far = others;
		bool named = false;

		if (is_first)
			far = first;
		for (uint32_t k = 0; k < MIN(few->trials.n, NAMED); k++)
			named |= few->trials.list[k] == scope->trials[i];
		if (named || fabs(x[i] - spread.median) <= FAR_SHARE * spread.median ||
		    !(fabs(stats_modified_z(&spread, x[i])) > WARNINGS_FAR))
			continue;
		/* Only the farthest trial of each kind is reported. */
		if (far->n++ > 0 &&
		    fabs(log(x[i] / spread.median)) <= fabs(log(far->took / far->median)))
			continue;
		far->case_id = few->case_id;
		far->trials = (uint32_t)n;
		far->took = x[i];
		far->median = spread.median;
	}
}

static void warn_of_far(struct scope *scope, const struct far *far, enum model_warning_kind kind)
{
	const bool first = kind == WARNING_FIRST;
	const struct model_kind *session = model_kind(scope->model);
	const enum model_metric metric = session->headlines[0];
	const uint32_t more = far->n - 1;
	const bool fast = (far->took < far->median) != higher_is_better(scope->model);
	struct sentence took = SENTENCE(SAMPLE_TEXT), s;
	const char *name;

	if (far->n == 0)
		return;
	s = add_warning(scope, kind);
	name = MODEL_CASE_NAME(scope->model, far->case_id);
	if (first)
		sentence_add(&s, "the first trial of %s", name);
	else if (more == 0)
		sentence_add(&s, "a trial of %s", name);
	else if (!model_over(scope->model))
		/* Later trials move the medians, so that fewer may be far off at the end. */
		sentence_add(&s, "trials were far off");
	else /* One number for all of them, because the top line counts one warning. */
		sentence_add(&s, "%u trials were far off", far->n);
	sentence_add(&took, " %s %s%s instead of %s", sentence_text(session->verb, "took"),
		     METRIC_TEXT(metric, far->took), sentence_text(session->unit, ""),
		     METRIC_TEXT(metric, far->median));
	if (metric == METRIC_PRINTED && *scope->model->printed_unit)
		sentence_add(&took, " %s", scope->model->printed_unit);
	if (first || more == 0)
		sentence_add(&s, "%s", took.buf);
	else
		sentence_clause(&s, "; in the most extreme one, %s%s", name, took.buf);
	if (more > 0 && first)
		sentence_add(&s, "; so did the first trial%s of %u other configuration%s",
			     sentence_plural(more), more, sentence_plural(more));
	if (first)
		sentence_clause(&s,
				": caches may have been cold, or the CPU clock slow. The trial "
				"counts; with --warmup %u, each configuration first runs without "
				"being counted",
				scope->part->session.warmup + 1);
	else if (fast)
		sentence_clause(&s, ": other programs or a lower CPU clock may have slowed the "
				    "other trials; run more --trials");
	else if (machine_quota(&scope->part->session.machine) < 0)
		sentence_clause(&s,
				": such outliers widen the interval; close other programs and run "
				"more --trials");
	else
		sentence_clause(&s, ": such outliers widen the interval; run more --trials");
}

static void warn_of_few_cores(struct scope *scope, const struct few *few, uint32_t others)
{
	struct sentence s = add_warning(scope, WARNING_CORES);

	sentence_add(&s, "in %u of %u runs (", few->trials.n, few->all);
	add_trials(&s, &few->trials);
	sentence_add(&s, ") %s got only %.1f of %.0f free cores from the kernel and took",
		     MODEL_CASE_NAME(scope->model, few->case_id), few->cores, few->free);
	sentence_add(&s, " %s instead of %s", UNITS_TIME(llround(few->took), false),
		     UNITS_TIME(llround(few->usually), false));
	if (others > 0)
		sentence_clause(&s, "; so did %u run%s of other configurations", others,
				sentence_plural(others));
	sentence_clause(&s, "; use more --trials to see how often");
}

/* Shares of the cores' time: over all runs together, and in the run with the largest shares. */
struct shares {
	double seconds, others, steal; /* Sums, weighted by the runs' lengths. */
	double ticks; /* Possible error of `others`, s: one tick at the end of each run. */
	double most;
	const struct model_run *worst;
};

static int32_t clock_ticks(const struct scope *scope)
{
	int32_t ticks = scope->part->session.machine.clock_ticks;

	if (ticks > 0)
		return ticks;
	return 100;
}

/* The error of a share by chance. In the worst case, each tick of a core is wrong by half. */
static double share_by_chance(const struct scope *scope, double seconds)
{
	return CHANCE * 0.5 / sqrt(seconds * clock_ticks(scope));
}

static struct shares sum_shares(const struct scope *scope)
{
	struct shares sum = {0};

	for (const struct model_run *run = NULL; (run = next_run(scope, run));) {
		double seconds = (double)run->totals.elapsed_ns / 1e9;
		double others = run->totals.others / 1e3, beyond;

		if (run->totals.others < 0 || run->totals.steal < 0 || seconds <= 0)
			continue;
		sum.seconds += seconds;
		sum.ticks += 1.0 / clock_ticks(scope);
		sum.others += others * seconds;
		sum.steal += run->totals.steal / 1e3 * seconds;
		beyond = others - share_by_chance(scope, seconds);
		if (beyond <= sum.most)
			continue;
		sum.most = beyond;
		sum.worst = run;
	}
	return sum;
}

/*
 * A program is named only if it used at least this share of the CPU time that /proc/stat counts for
 * other programs.
 */
#define NAMED_SHARE 0.3

/*
 * The program that used most; "" if the names cover less than NAMED_SHARE. A program that never
 * leaves its core appears in no record of context switches, so another program would be blamed.
 */
static const char *who_used(const struct scope *scope, const struct model_run *run)
{
	const struct machine *machine = &scope->part->session.machine;
	bool pinned = scope->model->cases[run->id.case_id].pinned;
	const char *who = run->totals.others_who;
	double cores = 1, all_ms, named_ms = 0;

	if (machine->cores_allowed > 1 && !pinned)
		cores = machine->cores_allowed;
	all_ms = run->totals.others / 1e3 * cores * (double)run->totals.elapsed_ns / 1e6;
	/* Adds up the times in "cc1 480 ms, sshd 12 ms". */
	for (const char *unit = who; (unit = strstr(unit, " ms")); unit++) {
		const char *digits = unit;

		while (digits > who && digits[-1] >= '0' && digits[-1] <= '9')
			digits--;
		if (unit[3] == ',' || unit[3] == '\0')
			named_ms += strtod(digits, NULL);
	}
	if (named_ms >= NAMED_SHARE * all_ms)
		return who;
	return "";
}

/*
 * Whether the host stole more than the share `least`. The kernel knows how much was stolen, so only
 * the last tick of a run is uncertain.
 */
static bool is_stolen(const struct scope *scope, const struct shares *sum, double least)
{
	return sum->steal > least * sum->seconds &&
	       sum->steal * scope->part->session.machine.clock_ticks > 2;
}

/* Whether other programs used a share of all runs that chance does not explain. */
static bool is_shared(const struct scope *scope, const struct shares *sum)
{
	return sum->others / sum->seconds > BUSY_SHARE + share_by_chance(scope, sum->seconds);
}

bool model_is_busy(const struct model *model, struct model_busy *busy)
{
	struct scope scope;
	uint32_t parts = begin_scope(&scope, model);

	*busy = (struct model_busy) {0};
	for (; parts > 0; parts--, scope.part++) {
		struct shares sum = sum_shares(&scope);
		double beyond = sum.others - BADGE_BUSY * sum.seconds;

		if (beyond > 0 && (beyond > sum.ticks || is_shared(&scope, &sum)))
			busy->others = MAX(busy->others, sum.others / sum.seconds);
		if (is_stolen(&scope, &sum, BADGE_STEAL))
			busy->steal = MAX(busy->steal, sum.steal / sum.seconds);
	}
	return busy->others > 0 || busy->steal > 0;
}

bool model_is_limited(const struct model *model)
{
	struct scope scope;
	uint32_t parts = begin_scope(&scope, model);
	bool limited = false;

	for (; parts > 0; parts--, scope.part++) {
		if (machine_quota(&scope.part->session.machine) < 0)
			continue;
		for (const struct model_run *run = NULL; (run = next_run(&scope, run));)
			limited |= run->totals.throttled_periods != 0;
	}
	return limited;
}

static void judge_shares(struct scope *scope)
{
	const struct shares sum = sum_shares(scope);
	const struct model_run *worst = sum.worst;
	bool ours = machine_quota(&scope->part->session.machine) < 0;
	bool always = is_shared(scope, &sum);
	double percent = 100 * (sum.others / sum.seconds);
	const char *who = "";
	struct sentence s;

	if (sum.seconds <= 0)
		return;
	if (worst)
		who = who_used(scope, worst);
	if (worst && !always)
		percent = worst->totals.others / 10.0;
	/* Report all runs together, or the worst run. */
	if (always || sum.most > BUSY_SHARE) {
		s = add_warning(scope, WARNING_BUSY);
		sentence_add(&s, "other programs");
		/*
		 * Under a quota, name no program: other programs are rarely the user's own, and the
		 * waiting comes from the quota.
		 */
		if (ours && *who && always)
			sentence_aside(&s, "in trial %u of %s mainly %s of CPU time",
				       worst->id.trial,
				       MODEL_CASE_NAME(scope->model, worst->id.case_id), who);
		else if (ours && *who)
			sentence_aside(&s, "mainly %s of CPU time", who);
		else if (ours)
			sentence_aside(&s, "top shows them");
		sentence_add(&s, " used %.0f %% of the cores", percent);
		if (!always)
			sentence_add(&s, " during trial %u of %s", worst->id.trial,
				     MODEL_CASE_NAME(scope->model, worst->id.case_id));
		if (ours)
			sentence_clause(&s, "; close them and run again");
	}
	if (!is_stolen(scope, &sum, STEAL_SHARE))
		return;
	s = add_warning(scope, WARNING_STEAL);
	sentence_add(
		&s,
		"the host of this virtual machine stole %.1f %% of the CPU (steal), so times are "
		"too long",
		100 * (sum.steal / sum.seconds));
	sentence_clause(&s, "; use a physical machine or try later, with more --trials");
}

/*
 * Warns about repeated trials, by the reason to repeat them. Repeating concerns all cases of a
 * trial.
 */
static void judge_repeated(struct scope *scope)
{
	static const char *const why[] = {
		[false] = "other programs used over a fifth of the cores",
		[true] = "another process stopped tuibench or its workers",
	};
	struct trials trials[LENGTH(why)] = {0};

	for (size_t i = 0; i < scope->model->n_runs; i++) {
		const struct model_run *run = &scope->model->runs[i];

		if (run->id.case_id == scope->part->first_case &&
		    model_is_replaced(scope->model, run))
			note_trial(&trials[run->replaced_paused], run->id.trial);
	}
	for (size_t paused = false; paused < LENGTH(why); paused++) {
		const uint32_t n = trials[paused].n;
		struct sentence s;

		if (n == 0)
			continue;
		s = add_warning(scope, WARNING_REPEATED);
		add_trials(&s, &trials[paused]);
		sentence_add(&s, " %s discarded and repeated at the end", was(n));
		sentence_clause(&s, ", because %s", why[paused]);
		if (!paused && n >= SAMPLE_REPEATS_MOST)
			sentence_clause(&s, "; after %d, no more are discarded",
					SAMPLE_REPEATS_MOST);
	}
}

/* The lowest and the highest frequency of a core, MHz; 0: unknown. */
struct clock_range {
	int16_t low, high;
};

/*
 * Widens the cores' ranges by the frequencies during a run. Returns the number of the first reading
 * after the run's begin. from: the same of an earlier run.
 */
static size_t add_clocks(const struct scope *scope, const struct model_run *run, size_t from,
			 struct clock_range *ranges)
{
	const struct model *model = scope->model;

	while (from < model->n_loads && model->loads[from].time_ns <= run->begin_ns)
		from++;
	for (size_t k = from; k < model->n_loads; k++) {
		const struct sample_core *row =
			model->cores + k * model->n_cores + scope->part->first_core;

		if (model->loads[k].time_ns > run->end_ns)
			break;
		for (uint32_t i = 0; i < scope->part->n_cores; i++) {
			if (row[i].mhz <= 0)
				continue;
			if (ranges[i].low == 0 || row[i].mhz < ranges[i].low)
				ranges[i].low = row[i].mhz;
			ranges[i].high = MAX(ranges[i].high, row[i].mhz);
		}
	}
	return from;
}

/*
 * Warns if a core's frequency changed by more than CLOCK_CHANGE during the runs, and names the core
 * with the largest change.
 */
static void judge_clocks(struct scope *scope)
{
	const struct model *model = scope->model;
	const char *governor = scope->part->session.machine.governor;
	struct clock_range *ranges = NULL;
	int16_t lowest = 0, highest = 0;
	uint32_t worst = 0;
	size_t reading = 0;
	struct sentence s;

	if (model->saw_mhz)
		ranges = calloc(scope->part->n_cores + 1, sizeof(*ranges));
	if (!ranges)
		return;
	for (const struct model_run *run = NULL; (run = next_run(scope, run));)
		reading = add_clocks(scope, run, reading, ranges);
	/* Report the core whose frequency changed most. */
	for (uint32_t i = 0; i < scope->part->n_cores; i++) {
		const int16_t low = ranges[i].low, high = ranges[i].high;

		if (low == 0 || (lowest > 0 && high * lowest <= highest * low))
			continue;
		lowest = low;
		highest = high;
		worst = i;
	}
	free(ranges);
	if (!(lowest > 0 && (double)highest / lowest > CLOCK_CHANGE))
		return;
	s = add_warning(scope, WARNING_FREQUENCY);
	sentence_add(&s, "core %d ran at %d to %d MHz, so times vary with the clock",
		     model->cores[scope->part->first_core + worst].cpu, lowest, highest);
	sentence_clause(&s, "; the governor is ");
	if (strcmp(governor, "performance") == 0)
		sentence_add(&s, "performance, so turbo or heat is the cause: switch turbo off, or "
				 "let the machine cool");
	else
		sentence_add(&s,
			     "%s; sudo cpupower frequency-set -g performance selects the "
			     "governor performance",
			     sentence_text(governor, "not known"));
}

/*
 * The runs of a case whose children or threads make a value unknown, and the first reason of each
 * kind.
 */
struct unknown_runs {
	uint32_t case_id, n, all;
	uint32_t memory, usage, cpu; /* Numbers of trials in which each value is unknown. */
	enum reason no_memory, no_usage;
	int32_t children, threads;
	bool others; /* Other cases have such runs too. */
};

static void find_unknown_runs(const struct scope *scope, bool seen, struct unknown_runs *unknown)
{
	*unknown = (struct unknown_runs) {0};
	for (const struct model_run *run = NULL; (run = next_run(scope, run));) {
		const struct sample_totals *totals = &run->totals;
		const bool memory = isnan(metric_value(run, METRIC_RSS));
		const bool usage = isnan(metric_value(run, METRIC_FAULTS));

		if (!model_has_command_tasks(run) || (seen && !memory && !usage))
			continue;
		if (unknown->n == 0)
			unknown->case_id = run->id.case_id;
		unknown->others |= run->id.case_id != unknown->case_id;
		if (run->id.case_id != unknown->case_id)
			continue;
		unknown->n++;
		unknown->memory += memory;
		unknown->usage += usage;
		unknown->cpu += isnan(metric_value(run, METRIC_CPU));
		unknown->children = MAX(unknown->children, run->children);
		unknown->threads = MAX(unknown->threads, run->threads);
		if (memory && unknown->no_memory == REASON_NONE && totals->memory_reason > 0)
			unknown->no_memory = (enum reason)totals->memory_reason;
		if (usage && unknown->no_usage == REASON_NONE && totals->usage_reason > 0)
			unknown->no_usage = (enum reason)totals->usage_reason;
	}
	for (const struct model_run *run = NULL;
	     (run = model_next_measured(scope->model, run, unknown->case_id, 1));)
		unknown->all++;
}

/* Adds ", because a process ignores SIGCHLD", for example. Old recordings have no reasons. */
static void add_reason(struct sentence *s, enum reason reason)
{
	if (reason)
		sentence_clause(s, ", because %s", reason_sentence(reason));
}

/*
 * Warns about the first case whose children or threads make a value unknown: its memory, its CPU
 * time or counts or, in recordings from before tasks were observed, all values. Mentions if other
 * cases are affected.
 */
static void judge_command_tasks(struct scope *scope)
{
	const bool seen = *scope->part->session.tasks_by;
	struct unknown_runs unknown;
	struct sentence s;

	find_unknown_runs(scope, seen, &unknown);
	if (unknown.n == 0)
		return;
	s = add_warning(scope, WARNING_COMPANY);
	sentence_add(&s, "%s had ", MODEL_CASE_NAME(scope->model, unknown.case_id));
	if (unknown.children > 0)
		sentence_add(&s, "%d or more child processes", unknown.children);
	if (unknown.children > 0 && unknown.threads > 1)
		sentence_add(&s, " and ");
	if (unknown.threads > 1)
		sentence_add(&s, "%d or more threads", unknown.threads);
	if (!seen)
		sentence_add(&s, ", which were not followed, so its memory, tasks and lanes are "
				 "unknown (?)");
	else if (unknown.memory > 0)
		sentence_clause(&s, "; its memory is unknown (?)");
	if (seen && unknown.memory > 0 && unknown.memory < unknown.all)
		sentence_add(&s, " in %u of %u runs", unknown.memory, unknown.all);
	if (seen && unknown.memory > 0)
		add_reason(&s, unknown.no_memory);
	if (unknown.usage > 0) {
		sentence_clause(&s, "; its ");
		if (unknown.cpu == unknown.usage)
			sentence_add(&s, "CPU time, ");
		sentence_add(&s, "page faults and context switches are unknown (?)");
		if (unknown.usage < unknown.all)
			sentence_add(&s, " in %u of %u runs", unknown.usage, unknown.all);
		if (unknown.cpu > 0 && unknown.cpu < unknown.usage)
			sentence_add(&s, ", its CPU time in %u", unknown.cpu);
		add_reason(&s, unknown.no_usage);
	} else {
		sentence_clause(&s, "; its CPU time includes all that it created");
	}
	add_same_of_others(&s, unknown.others, false);
}

/* If the clients use this share of their core, they may be the limit instead of the server. */
#define CLIENTS_BUSY 0.9
/*
 * Share of the requests of -s rate below which the server was too slow. Requests come at random
 * moments, so the rate of n of them has a relative standard deviation of 1 / sqrt(n).
 */
#define RATE_KEPT	0.9
#define RATE_DEVIATIONS 4

/* The requests of a case, and its clients' CPU time. */
struct asked {
	uint32_t case_id;
	double used_ns, span_ns, failed, all;
};

static void sum_asked(const struct scope *scope, uint32_t case_id, struct asked *sum)
{
	*sum = (struct asked) {.case_id = case_id};
	for (const struct model_run *run = NULL;
	     (run = model_next_measured(scope->model, run, case_id, 1));) {
		const struct sample_totals *totals = &run->totals;

		if (totals->requests < 0)
			continue;
		sum->used_ns += fmax(0, (double)totals->drain_us) * 1000;
		sum->span_ns += (double)totals->requests_ns;
		sum->failed += (double)totals->requests_failed;
		sum->all += (double)(totals->requests + totals->requests_failed);
	}
}

/* Whether a server was too slow for the rate of requests. */
static bool rate_was_missed(const struct asked *asked, double rate)
{
	const double wanted = rate * asked->span_ns / 1e9;
	const double kept = fmin(RATE_KEPT, 1 - RATE_DEVIATIONS / sqrt(asked->all));

	return asked->all > 0 && asked->all - asked->failed < kept * wanted;
}

/* Warns about the first case whose server was too slow for the rate, and counts the others. */
static void judge_rate(struct scope *scope)
{
	struct asked missed = {0}, asked;
	uint32_t n = 0, rate = 0;
	struct sentence s;

	for (uint32_t i = 0; i < scope->part->n_cases; i++) {
		const uint32_t case_id = scope->part->first_case + i;

		sum_asked(scope, case_id, &asked);
		if (!rate_was_missed(&asked, scope->model->cases[case_id].serving.rate) || n++ > 0)
			continue;
		missed = asked;
		rate = scope->model->cases[case_id].serving.rate;
	}
	if (n == 0)
		return;
	s = add_warning(scope, WARNING_RATE);
	sentence_add(&s, "%s answered only %s of %s requests/s",
		     MODEL_CASE_NAME(scope->model, missed.case_id),
		     UNITS_COUNT(llround((missed.all - missed.failed) * 1e9 / missed.span_ns)),
		     UNITS_COUNT(rate));
	sentence_clause(&s, "; the queue grew until the end, so the latency grows with -s tasks; "
			    "lower -s rate");
	add_same_of_others(&s, n - 1, true);
}

/*
 * Warns about the first case whose clients were too busy, and about the first one that lost
 * requests. Counts the others. The clients are one thread.
 */
static void judge_clients(struct scope *scope)
{
	struct asked busy = {0}, lost = {0}, asked;
	uint32_t n_busy = 0, n_lost = 0;
	struct sentence s;

	for (uint32_t i = 0; i < scope->part->n_cases; i++) {
		sum_asked(scope, scope->part->first_case + i, &asked);
		if (asked.failed > 0 && n_lost++ == 0)
			lost = asked;
		if (asked.span_ns > 0 && asked.used_ns >= CLIENTS_BUSY * asked.span_ns &&
		    n_busy++ == 0)
			busy = asked;
	}
	if (n_busy > 0) {
		s = add_warning(scope, WARNING_CLIENTS);
		sentence_add(&s,
			     "%s: the clients used %.0f %% of their core and may be slower than "
			     "the server, which could then answer more",
			     MODEL_CASE_NAME(scope->model, busy.case_id),
			     fmin(100, 100 * busy.used_ns / busy.span_ns));
		sentence_clause(&s, "; raise -s work");
		add_same_of_others(&s, n_busy - 1, true);
	}
	if (n_lost > 0) {
		s = add_warning(scope, WARNING_ERRORS);
		sentence_add(&s,
			     "%s: %s of %s requests had no reply within 60 s, or lost their "
			     "connection",
			     MODEL_CASE_NAME(scope->model, lost.case_id),
			     UNITS_COUNT(llround(lost.failed)), UNITS_COUNT(llround(lost.all)));
		sentence_clause(&s, "; they have no latency");
		if (n_lost > 1)
			sentence_clause(&s, "; %u other configuration%s lost requests, too",
					n_lost - 1, sentence_plural(n_lost - 1));
	}
}

/* Warns about the first throttled case and counts the others. */
static void judge_throttled(struct scope *scope)
{
	const struct machine *machine = &scope->part->session.machine;
	const double quota = machine_quota(machine);
	uint32_t first = 0, all = 0, others = 0;
	struct trials trials = {0};
	int64_t periods = 0;
	struct sentence s;

	for (uint32_t i = 0; i < scope->part->n_cases; i++) {
		const uint32_t case_id = scope->part->first_case + i;
		struct trials held = {0};
		int64_t of_case = 0;
		uint32_t n = 0;

		for (const struct model_run *run = NULL;
		     (run = model_next_measured(scope->model, run, case_id, 1));) {
			n++;
			if (run->totals.throttled_periods <= 0)
				continue;
			note_trial(&held, run->id.trial);
			of_case += run->totals.throttled_periods;
		}
		others += trials.n > 0 && held.n > 0;
		if (trials.n > 0 || held.n == 0)
			continue;
		first = case_id;
		all = n;
		trials = held;
		periods = of_case;
	}
	if (trials.n == 0)
		return;
	s = add_warning(scope, WARNING_THROTTLED);
	if (quota >= 0)
		sentence_add(&s, "the quota of %.3g of %d cores", quota, machine->cores_allowed);
	else
		sentence_add(&s, "-s quota");
	sentence_add(&s, " held %s back in %u of %u runs (", MODEL_CASE_NAME(scope->model, first),
		     trials.n, all);
	if (quota >= 0) {
		add_trials(&s, &trials);
		sentence_add(&s, "; ");
	}
	sentence_add(&s, "%s periods", UNITS_COUNT(periods));
	if (quota < 0)
		sentence_add(&s, " of 100 ms");
	sentence_add(&s, ")");
	if (others > 0)
		sentence_add(&s, ", and %u other configuration%s", others, sentence_plural(others));
	sentence_clause(&s, "; times include these pauses");
	/*
	 * Say this only of the session's own quota. Other programs may use up the machine's quota,
	 * which may be that of a container.
	 */
	if (quota < 0)
		sentence_add(&s, ", and no other program caused them");
}

/*
 * The program of a case. If all cases run the same program, their names do not name it, so the
 * result is "the program".
 */
static const char *program_of(const struct scope *scope, uint32_t case_id, char buf[SAMPLE_NAME])
{
	if (model_same_program(scope->model))
		return "the program";
	return model_case_name(scope->model, case_id, buf, SAMPLE_NAME);
}
#define PROGRAM_OF(scope, case_id) program_of(scope, case_id, (char[SAMPLE_NAME]) {0})

/* Runs of a case that failed, or whose program's exit status was ignored. */
struct failures {
	uint32_t case_id, n, all;
	uint64_t exit_status; /* of the first program that failed; 0: unknown */
	const char *reason;   /* why the first run failed */
};

/* Whether the program may have been ended by -s for, which sends SIGTERM and then SIGKILL. */
static bool is_cut(const struct model *model, uint64_t exit_status)
{
	if (model->session.for_ns <= 0)
		return false;
	return exit_status == 128 + SIGTERM || exit_status == 128 + SIGKILL;
}

/* Counts a case's runs that failed or, if `ignored`, that count although their program failed. */
static struct failures count_failures(const struct scope *scope, uint32_t case_id, bool ignored)
{
	const struct model *model = scope->model;
	struct failures failures = {.case_id = case_id};

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		const uint8_t status = run->totals.status;
		const uint64_t exit_status = report_exit_status(model, run);

		if (run->id.case_id != case_id || !report_counts(model, run) ||
		    status == SAMPLE_INTERRUPTED)
			continue;
		failures.all++;
		if (!ignored && status == SAMPLE_OK)
			continue;
		if (ignored && (status != SAMPLE_OK || exit_status == 0))
			continue;
		if (failures.n++ > 0)
			continue;
		failures.exit_status = exit_status;
		failures.reason = run->totals.reason;
	}
	return failures;
}

static void warn_of_failures(struct scope *scope, const struct failures *failures, uint32_t others,
			     bool ignored)
{
	struct sentence s = add_warning(scope, WARNING_FAILED);
	const char *they = "they are";

	sentence_add(&s, "%u of %u runs of %s ", failures->n, failures->all,
		     MODEL_CASE_NAME(scope->model, failures->case_id));
	if (is_cut(scope->model, failures->exit_status)) {
		sentence_add(&s, "did not end by themselves; -s for ended them after %s",
			     UNITS_TIME(scope->model->session.for_ns, false));
		return;
	}
	sentence_add(&s, "failed");
	if (failures->exit_status > 0)
		sentence_add(&s, " (exit status %" PRIu64 ")", failures->exit_status);
	else if (*failures->reason)
		sentence_add(&s, " (%.*s)", (int)strcspn(failures->reason, ";"), failures->reason);
	if (others > 0)
		sentence_add(&s, ", and %u run%s of other configurations", others,
			     sentence_plural(others));
	if (failures->n + others == 1)
		they = "it is";
	if (ignored)
		sentence_add(&s, "; %s counted, because of -s ignore-failure=yes", they);
	else
		sentence_add(&s, "; %s not counted", they);
}

/*
 * Warns about the case with most failed runs, but not in crash, which measures failures. A case
 * that failed throughout is named by the answer.
 */
static void judge_failures(struct scope *scope, bool ignored)
{
	struct failures most = {0};
	uint32_t all = 0;
	bool all_cut = true;

	if (model_has_faults(scope->model))
		return;
	for (uint32_t i = 0; i < scope->part->n_cases; i++) {
		const uint32_t case_id = scope->part->first_case + i;
		struct failures found = count_failures(scope, case_id, ignored);

		all_cut &= found.n == found.all && is_cut(scope->model, found.exit_status);
		if (!ignored && report_failed_trials(scope->model, case_id, NULL) > 0)
			continue;
		all += found.n;
		if (found.n > most.n)
			most = found;
	}
	/* If -s for ended all, as it ends servers, this is what the user asked for. */
	if (most.n > 0 && !all_cut)
		warn_of_failures(scope, &most, all - most.n, ignored);
}

/* Warns about the first case whose program ended before processes that it had started. */
static void judge_left(struct scope *scope)
{
	uint32_t first = 0, most = 0, runs = 0, others = 0;
	struct sentence s;

	for (uint32_t i = 0; i < scope->part->n_cases; i++) {
		const uint32_t case_id = scope->part->first_case + i;
		uint32_t of_case, left = model_left_running(scope->model, case_id, &of_case);

		if (left == 0)
			continue;
		others += most > 0;
		if (most > 0)
			continue;
		first = case_id;
		most = left;
		runs = of_case;
	}
	if (most == 0)
		return;
	s = add_warning(scope, WARNING_LEFT);
	sentence_add(&s, "%u process", most);
	if (most > 1)
		sentence_add(&s, "es");
	sentence_add(&s, " of %s %s still running when its first process ended, in %u run%s",
		     PROGRAM_OF(scope, first), was(most), runs, sentence_plural(runs));
	if (others > 0)
		sentence_add(&s, ", and so were processes of %u other configuration%s", others,
			     sentence_plural(others));
	sentence_clause(
		&s, "; tuibench ended them and does not compare times; -s wait=all measures until "
		    "the last one has ended");
}

/* A program that takes this long and uses so little CPU is waiting for something. */
#define WAITS_NS    500000000
#define WAITS_SHARE 0.02

static bool is_idle(const struct scope *scope, uint32_t case_id)
{
	const struct model *model = scope->model;
	double elapsed = model_median(model, case_id, METRIC_ELAPSED, scope->values, NULL);
	double cpu = model_median(model, case_id, METRIC_CPU, scope->values, NULL);

	return elapsed >= WAITS_NS && cpu < WAITS_SHARE * elapsed;
}

/* Warns about the first case whose warm-up showed that it reads its input. */
static void judge_input(struct scope *scope)
{
	const struct model_run *found = NULL;
	uint32_t others = 0;
	struct sentence s;

	for (size_t i = 0; i < scope->model->n_runs; i++) {
		const struct model_run *run = &scope->model->runs[i];

		if (run->id.case_id - scope->part->first_case >= scope->part->n_cases ||
		    run->totals.read_nothing != 1 || !model_ended(scope->model, run))
			continue;
		others += found && run->id.case_id != found->id.case_id;
		if (!found)
			found = run;
	}
	if (!found)
		return;
	s = add_warning(scope, WARNING_INPUT);
	sentence_add(&s, "%s reads its standard input, which is empty",
		     PROGRAM_OF(scope, found->id.case_id));
	sentence_clause(&s, "; use -s input=FILE to supply data");
	if (is_idle(scope, found->id.case_id))
		sentence_clause(
			&s, "; it waits nearly all the time, but it has no terminal to wait for");
	add_same_of_others(&s, others, false);
}

/*
 * Whether this program checks if its output is /dev/null, and then ends as soon as it knows its
 * exit status.
 */
static bool stops_early(const char *name)
{
	static const char *const names[] = {"grep", "egrep", "fgrep", "zgrep"};

	for (size_t i = 0; i < LENGTH(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static void judge_output(struct scope *scope)
{
	struct sentence s;

	for (const struct model_run *run = NULL; (run = next_run(scope, run));)
		for (size_t i = 0; i < run->n_tasks; i++) {
			const char *name = model_task_known(run, i)->name;

			if (run->totals.program_output != OUTPUT_NULL || !stops_early(name))
				continue;
			s = add_warning(scope, WARNING_OUTPUT);
			sentence_add(
				&s,
				"%s runs %s, which stops at its first match when its output is "
				"/dev/null: -s output=pipe lets it read all",
				PROGRAM_OF(scope, run->id.case_id), name);
			return;
		}
}

/* Time to record one switch, as the session measured it. */
static double switch_ns(const struct sample_session *session)
{
	if (session->watched.rate > 0 && session->watched.record_ns >= 0)
		return (double)session->watched.record_ns;
	return SAMPLE_RECORD_NS;
}

/*
 * The share of a case's time that recording its context switches took, on each core that it used.
 */
static double watched_share(const struct scope *scope, uint32_t case_id, double *rate)
{
	const struct model *model = scope->model;
	double elapsed = model_median(model, case_id, METRIC_ELAPSED, scope->values, NULL);
	double switches = model_median(model, case_id, METRIC_SWITCHES, scope->values, NULL);
	double cores = model_median(model, case_id, METRIC_CORES, scope->values, NULL);

	*rate = switches / elapsed * 1e9;
	return *rate / fmax(1, cores) * switch_ns(&scope->part->session) / 1e9;
}

/* From this slowdown on, a case without records is said to be slowed by what still watches it. */
#define STILL_SLOWED 1.03

/*
 * Says that the trials had no records: after the warm-ups, -s sched=auto turned them off, because
 * they would have slowed a program. Says how much the rest of being watched slows it down, if the
 * range of the pairs of warm-ups shows that it does.
 */
static void warn_unwatched(struct scope *scope, const struct sample_session *session)
{
	const struct sample_watched *watched = &session->watched;
	struct sentence s;

	if (watched->rate <= 0 || !*watched->sched || watched->case_id >= scope->part->n_cases)
		return;
	s = add_warning(scope, WARNING_WATCHED);
	sentence_add(
		&s,
		"%s switched %s times a second in the warm-up, and recording each switch would "
		"take about %.0f %% of its time",
		MODEL_CASE_NAME(scope->model, scope->part->first_case + watched->case_id),
		UNITS_COUNT(watched->rate), 100 * watched->share);
	if (watched->record_ns >= 0)
		sentence_aside(&s, "%s for a switch, as measured here",
			       UNITS_TIME(watched->record_ns, false));
	sentence_add(&s, ", so the trials do not record them");
	if (watched->slowdown < STILL_SLOWED || watched->slowdown_low <= 1) {
		sentence_clause(&s, "; -s sched=perf does");
		return;
	}
	sentence_clause(&s, "; even so, being watched makes it take %.2fx as long",
			watched->slowdown);
	if (watched->slowdown_low < watched->slowdown_high)
		sentence_add(&s, " (%.2fx to %.2fx)", watched->slowdown_low,
			     watched->slowdown_high);
	sentence_clause(&s, "; -s sched=perf records them");
}

/*
 * Warns about the case that the warm-ups measured, or else about the one that was slowed most, and
 * counts the others.
 */
static void judge_watched(struct scope *scope)
{
	const struct sample_session *session = &scope->part->session;
	const uint32_t measured = scope->part->first_case + session->watched.case_id;
	const double slowdown = model_slowdown(scope->model, measured, &session->watched);
	double most = SAMPLE_WATCHED_SHARE, share, rate;
	uint32_t n = 0, worst = measured;
	struct sentence s;

	if (strcmp(session->sched, "perf") != 0) {
		warn_unwatched(scope, session);
		return;
	}
	for (uint32_t i = 0; i < scope->part->n_cases; i++) {
		share = watched_share(scope, scope->part->first_case + i, &rate);
		n += share >= SAMPLE_WATCHED_SHARE;
		if (!(share >= most) || !isnan(slowdown))
			continue;
		most = share;
		worst = scope->part->first_case + i;
	}
	if (n == 0 && isnan(slowdown))
		return;
	share = watched_share(scope, worst, &rate);
	s = add_warning(scope, WARNING_WATCHED);
	sentence_add(&s, "%s switched %s times a second, and ",
		     MODEL_CASE_NAME(scope->model, worst), UNITS_COUNT(llround(rate)));
	if (isnan(slowdown))
		sentence_add(&s, "recording each switch took about %.0f %% of its time",
			     100 * share);
	else if (session->watched.slowdown > 0)
		sentence_add(&s,
			     "took %.2fx as long (%.2fx to %.2fx) as in warm-ups whose switches "
			     "were not recorded",
			     slowdown, session->watched.slowdown_low,
			     session->watched.slowdown_high);
	else
		sentence_add(&s,
			     "took %.2fx as long as in a warm-up whose switches were not "
			     "recorded",
			     slowdown);
	if (session->watched.rate > 0 && session->watched.record_ns >= 0)
		sentence_aside(&s, "%s for a switch, as measured here",
			       UNITS_TIME(session->watched.record_ns, false));
	sentence_clause(&s, "; -s sched=off measures it without recording");
	add_same_of_others(&s, n - (share >= SAMPLE_WATCHED_SHARE), true);
}

int model_warnings(const struct model *model, struct model_warning out[MODEL_WARNINGS_MOST])
{
	struct scope scope;
	uint32_t parts = begin_scope(&scope, model);
	int err;

	scope.out = out;
	scope.values = calloc(2 * model->n_runs + 1, sizeof(*scope.values));
	scope.trials = calloc(model->n_runs + 1, sizeof(*scope.trials));
	if (scope.values && scope.trials)
		err = 0;
	else
		err = -ENOMEM;
	for (; parts > 0; parts--, scope.part++) {
		struct far first = {0}, others = {0};
		struct few few = {{0}}, found;
		uint32_t few_runs = 0;

		if (err)
			break;
		/*
		 * For runs with few cores: find the case with most of them, and their number in all
		 * cases.
		 */
		for (uint32_t i = 0; i < scope.part->n_cases; i++) {
			find_few_cores(&scope, scope.part->first_case + i, &found);
			find_far(&scope, &found, &first, &others);
			few_runs += found.trials.n;
			if (found.trials.n > few.trials.n)
				few = found;
		}
		find_what_runs_have(&scope);
		if (scope.has.failed)
			judge_failures(&scope, false);
		if (scope.has.status)
			judge_failures(&scope, true);
		/* These come before the noise, because the program did not do its work. */
		if (scope.has.read_nothing)
			judge_input(&scope);
		if (scope.has.tasks)
			judge_output(&scope);
		warn_of_far(&scope, &first, WARNING_FIRST);
		warn_of_far(&scope, &others, WARNING_OUTLIERS);
		judge_shares(&scope);
		judge_clocks(&scope);
		if (few.trials.n > 0)
			warn_of_few_cores(&scope, &few, few_runs - few.trials.n);
		if (scope.has.replaced)
			judge_repeated(&scope);
		if (scope.has.command_tasks)
			judge_command_tasks(&scope);
		if (scope.has.throttled)
			judge_throttled(&scope);
		judge_left(&scope);
		if (scope.has.requests) {
			judge_clients(&scope);
			judge_rate(&scope);
		}
		judge_watched(&scope);
	}
	free(scope.values);
	free(scope.trials);
	if (err)
		return err;
	return scope.n;
}

const char *const model_warning_names[WARNINGS] = {
	[WARNING_FAILED] = "failed",	 [WARNING_FIRST] = "first",
	[WARNING_OUTLIERS] = "outliers", [WARNING_BUSY] = "busy",
	[WARNING_STEAL] = "steal",	 [WARNING_FREQUENCY] = "frequency",
	[WARNING_CORES] = "cores",	 [WARNING_REPEATED] = "repeated",
	[WARNING_COMPANY] = "company",	 [WARNING_THROTTLED] = "throttled",
	[WARNING_LEFT] = "left_running", [WARNING_INPUT] = "input",
	[WARNING_OUTPUT] = "output",	 [WARNING_CLIENTS] = "clients",
	[WARNING_ERRORS] = "errors",	 [WARNING_RATE] = "rate",
	[WARNING_WATCHED] = "watched",
};
