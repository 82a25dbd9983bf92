/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "base/units.h"

/* The fewest trials that show what a case usually uses. */
#define LEAST_TRIALS 5
/* A run that uses less of the usual cores, and takes longer, by so much. */
#define FEWER  0.75
#define LONGER 1.1
/* Below one core the tasks wait for something else, as for a disk. */
#define LEAST_CORES 0.85
/* The modified z-score of an outlier: see stats_modified_z(). */
#define FAR_CORES 3.5

/* What a case usually does. */
struct usual {
	struct stats_spread cores;
	double took;
	double most; /* cores that the recording's runs may use */
};

/* A session may be pinned: no more cores than any run ever used are taken to be its own. */
static double most_cores(const struct model *model, const struct model_origin *part)
{
	double most = 0, allowed = fields_known(part->session.machine.cores_allowed);
	const double quota = machine_quota(&part->session.machine);

	if (quota >= 0)
		allowed = quota;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (run->id.case_id - part->first_case < part->n_cases &&
		    model_measured(model, run))
			most = fmax(most, metric_result(run, METRIC_CORES));
	}
	return fmin(ceil(most - 0.1), allowed);
}

/* Cores that the samples within the run saw idle, on average; NaN where it held none. */
static double idle_by_ticks(const struct model *model, const struct model_origin *part,
			    const struct model_run *run)
{
	long first = model_load_at(model, run->begin_ns) + 1;
	long last = model_load_at(model, run->begin_ns + run->totals.elapsed_ns);
	double idle = 0;

	for (long i = first + 1; i <= last; i++) {
		const struct sample_core *core =
			model->cores + i * (long)model->n_cores + part->first_core;

		for (const struct sample_core *end = core + part->n_cores; core < end; core++)
			if (core->user >= 0)
				idle += 1 - (core->user + core->system + core->steal) / 1e3;
	}
	return last > first && first >= 0 ? idle / (double)(last - first) : NAN;
}

/* Half of the cores that the run left unused, or more, were there for it. */
static bool had_room(const struct model *model, const struct model_origin *part,
		     const struct model_run *run, const struct usual *usual, double *free_cores)
{
	const struct sample_totals *totals = &run->totals;
	double used = metric_result(run, METRIC_CORES), missing = usual->cores.median - used;
	double ticks = idle_by_ticks(model, part, run), left = NAN;

	/* what other programs and the host left, the run's own included */
	if (totals->others >= 0 && totals->steal >= 0)
		left = usual->most * (1 - (totals->others + totals->steal) / 1e3) - used;
	*free_cores = used + (isnan(left) ? fmin(ticks, usual->most - used) : left);
	return !(left < missing / 2) && !(ticks < missing / 2) && !isnan(*free_cores);
}

/*
 * Runs of a case that used fewer cores than it usually does, and took longer, while cores were
 * free: the kernel left its tasks on one core. Fills the figures of WARNING_CORES; room is for two
 * values for each run of the session. Returns how many runs there are.
 */
static uint32_t few_cores(const struct model *model, const struct model_origin *part,
			  uint32_t case_id, double *room, struct model_warning *out)
{
	size_t n = model_trials(model, case_id, METRIC_ELAPSED, room, NULL, model->n_runs);
	struct usual usual = {.took = stats_select(room, n, 0.5)};
	double free_cores;

	*out = (struct model_warning) {.kind = WARNING_CORES, .case_id = case_id};
	if (n < LEAST_TRIALS)
		return 0;
	out->trials = (uint32_t)n;
	out->median = usual.took;
	n = model_trials(model, case_id, METRIC_CORES, room, NULL, model->n_runs);
	usual.cores = stats_spread(room, n);
	usual.most = most_cores(model, part);
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		double used = metric_result(run, METRIC_CORES);
		double took = metric_result(run, METRIC_ELAPSED);

		if (run->id.case_id != case_id || !model_measured(model, run) ||
		    !(used >= LEAST_CORES && used < FEWER * usual.cores.median) ||
		    !(took > LONGER * usual.took) ||
		    !(stats_modified_z(&usual.cores, used) < -FAR_CORES) ||
		    !had_room(model, part, run, &usual, &free_cores))
			continue;
		if (out->n < MODEL_WARNING_TRIALS - 1)
			out->trial_list[out->n] = run->id.trial;
		out->n++;
		out->took += (took - out->took) / out->n;
		out->cores += (used - out->cores) / out->n;
		out->cores_free += (free_cores - out->cores_free) / out->n;
	}
	return out->n;
}

/*
 * The threshold of hyperfine, in standard deviations (src/outlier_detection.rs). Iglewicz & Hoaglin
 * propose 3.5, for large samples. Of six normal values one lies beyond 3.5 in 14 % of all samples,
 * beyond 10 in 1 %.
 */
#define FAR 10
/* A smaller distance, as a share of the median, is worth no warning. */
#define FAR_SHARE 0.05
/* The fewest trials that show the spread itself. */
#define FAR_LEAST 5

/* Shares of the cores' time, and of a core's frequency, from where on they are worth a word. */
#define BUSY_SHARE  0.05
#define STEAL_SHARE 0.01
/* The same from where on no answer is given without saying so. */
#define BADGE_BUSY   0.10
#define BADGE_STEAL  0.02
#define CLOCK_CHANGE 1.05
/* Standard deviations by which counting a core's time in ticks may be off. */
#define CHANCE 4

/* One recording: all of the model, or its part of several that were joined. */
struct scope {
	const struct model *model;
	const struct model_origin *part;
	double *values;	  /* room for two for each run */
	uint32_t *trials; /* and one */
	int16_t *clocks;  /* and two for each core */
};

struct list {
	struct model_warning *out;
	int n;
};

static void add_warning(struct list *list, const struct scope *scope,
			const struct model_warning *warning)
{
	if (list->n == MODEL_WARNINGS_MOST)
		return;
	list->out[list->n] = *warning;
	list->out[list->n++].origin = scope->model->n_origins > 0 ? scope->part : NULL;
}

/* Those that used fewer cores have a line of their own. */
static void judge_case(const struct scope *scope, uint32_t case_id, struct model_warning *first,
		       struct model_warning *others, struct model_warning *few)
{
	const struct model *model = scope->model;
	double *x = scope->values, *spoilt = x + model->n_runs;
	enum model_metric metric = model_headline(model);
	uint32_t n_few = few_cores(model, scope->part, case_id, x, few);
	size_t n = model_trials(model, case_id, metric, x, scope->trials, model->n_runs);
	struct stats_spread spread;

	/* The clock's own cost is a few ticks of it: one more is no outlier. */
	if (n < FAR_LEAST || model->cases[case_id].plan.primitive == PLAN_CALL)
		return;
	memcpy(spoilt, x, n * sizeof(*x));
	spread = stats_spread(spoilt, n);
	for (size_t i = 0; i < n; i++) {
		bool is_first = scope->trials[i] == 1 && x[i] > spread.median, listed = false;
		struct model_warning *far = is_first ? first : others;

		for (uint32_t j = 0; j < MODEL_WARNING_TRIALS && n_few > 0; j++)
			listed |= few->trial_list[j] == scope->trials[i];
		if (listed || fabs(x[i] - spread.median) <= FAR_SHARE * spread.median ||
		    !(fabs(stats_modified_z(&spread, x[i])) > FAR))
			continue;
		/* The trial that lies farthest out is kept, one of each kind. */
		if (far->n++ > 0 &&
		    fabs(log(x[i] / spread.median)) <= fabs(log(far->took / far->median)))
			continue;
		far->case_id = case_id;
		far->trials = (uint32_t)n;
		far->took = x[i];
		far->median = spread.median;
	}
}

static bool is_of(const struct scope *scope, const struct model_run *run)
{
	return run->id.case_id - scope->part->first_case < scope->part->n_cases &&
	       model_measured(scope->model, run);
}

/* Shares of the cores' time, of all the runs together and of the one where they are greatest. */
struct shares {
	double seconds, others, steal; /* sums: weighed by the length of the runs */
	double ticks; /* s: by so much their others may be off at their ends, one tick a run */
	double most;
	const struct model_run *worst;
};

static int32_t clock_ticks(const struct scope *scope)
{
	int32_t ticks = scope->part->session.machine.clock_ticks;

	return ticks > 0 ? ticks : 100;
}

/* The error of a share by chance: at worst each tick of a core is off by half. */
static double share_by_chance(const struct scope *scope, double seconds)
{
	return CHANCE * 0.5 / sqrt(seconds * clock_ticks(scope));
}

static struct shares sum_shares(const struct scope *scope)
{
	struct shares sum = {0};

	for (size_t i = 0; i < scope->model->n_runs; i++) {
		const struct model_run *run = &scope->model->runs[i];
		double seconds = (double)run->totals.elapsed_ns / 1e9;
		double others = run->totals.others / 1e3, beyond;

		if (!is_of(scope, run) || run->totals.others < 0 || run->totals.steal < 0 ||
		    seconds <= 0)
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

/* Whoever is named has used at least so much of what /proc/stat counts of all others. */
#define NAMED_SHARE 0.3

/* "cc1 480 ms, sshd 12 ms": all of it, ms. */
static double named_ms(const char *who)
{
	double sum = 0;

	for (const char *unit = who; (unit = strstr(unit, " ms")); unit++) {
		const char *digits = unit;

		while (digits > who && digits[-1] >= '0' && digits[-1] <= '9')
			digits--;
		if (unit[3] == ',' || unit[3] == '\0')
			sum += strtod(digits, NULL);
	}
	return sum;
}

/* A program that stays on its core is in no record of switches: another would be named for it. */
static const char *who_used(const struct scope *scope, const struct model_run *run)
{
	const struct machine *machine = &scope->part->session.machine;
	bool pinned = scope->model->cases[run->id.case_id].pinned;
	double cores = machine->cores_allowed > 1 && !pinned ? machine->cores_allowed : 1;
	double all_ms = run->totals.others / 1e3 * cores * (double)run->totals.elapsed_ns / 1e6;

	return named_ms(run->totals.others_who) >= NAMED_SHARE * all_ms ? run->totals.others_who
									: "";
}

/* The host reports to the kernel how much it withheld, so only the last tick is chance. */
static bool is_withheld(const struct scope *scope, const struct shares *sum, double least)
{
	return sum->steal > least * sum->seconds &&
	       sum->steal * scope->part->session.machine.clock_ticks > 2;
}

bool model_is_busy(const struct model *model)
{
	const struct model_origin all = {.session = model->session, .n_cases = model->n_cases};
	struct scope scope = {model, model->n_origins > 0 ? model->origins : &all};
	bool busy = false;

	for (uint32_t i = 0; i == 0 || i < model->n_origins; i++, scope.part++) {
		struct shares sum = sum_shares(&scope);

		busy |= sum.others > BADGE_BUSY * sum.seconds + sum.ticks;
		busy |= is_withheld(&scope, &sum, BADGE_STEAL);
	}
	return busy;
}

bool model_is_limited(const struct model *model)
{
	const struct model_origin all = {.session = model->session, .n_cases = model->n_cases};
	struct scope scope = {model, model->n_origins > 0 ? model->origins : &all};

	for (uint32_t i = 0; i == 0 || i < model->n_origins; i++, scope.part++)
		for (size_t k = 0; k < model->n_runs; k++)
			if (machine_quota(&scope.part->session.machine) >= 0 &&
			    is_of(&scope, &model->runs[k]) &&
			    model->runs[k].totals.throttled_periods != 0)
				return true;
	return false;
}

static void judge_shares(struct list *list, const struct scope *scope)
{
	struct shares sum = sum_shares(scope);
	struct model_warning busy = {.kind = WARNING_BUSY}, steal = {.kind = WARNING_STEAL};

	if (sum.seconds <= 0)
		return;
	busy.percent = 100 * (sum.others / sum.seconds);
	busy.who = sum.worst ? who_used(scope, sum.worst) : "";
	if (sum.others / sum.seconds > BUSY_SHARE + share_by_chance(scope, sum.seconds)) {
		add_warning(list, scope, &busy);
	} else if (sum.most > BUSY_SHARE) {
		busy.percent = sum.worst->totals.others / 10.0;
		busy.trial = sum.worst->id.trial;
		busy.case_id = sum.worst->id.case_id;
		add_warning(list, scope, &busy);
	}
	steal.percent = 100 * (sum.steal / sum.seconds);
	if (is_withheld(scope, &sum, STEAL_SHARE))
		add_warning(list, scope, &steal);
}

/* All cases have the same of them. */
static void judge_repeated(struct list *list, const struct scope *scope)
{
	struct model_warning warning = {.kind = WARNING_REPEATED};

	for (size_t i = 0; i < scope->model->n_runs; i++) {
		const struct model_run *run = &scope->model->runs[i];

		if (run->id.case_id != scope->part->first_case ||
		    !model_is_replaced(scope->model, run))
			continue;
		if (warning.n < MODEL_WARNING_TRIALS - 1)
			warning.trial_list[warning.n] = run->id.trial;
		warning.n++;
	}
	if (warning.n)
		add_warning(list, scope, &warning);
}

static void judge_clocks(struct list *list, const struct scope *scope)
{
	struct model_warning warning = {.kind = WARNING_FREQUENCY};
	const struct model *model = scope->model;
	double most = 0;

	memset(scope->clocks, 0, 2 * scope->part->n_cores * sizeof(*scope->clocks));
	/* The least and the greatest frequency of each core while runs went on; 0: not known. */
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		long last = model_load_at(model, run->end_ns);

		for (long k = model_load_at(model, run->begin_ns) + 1;
		     k <= last && is_of(scope, run); k++) {
			const struct sample_core *row = model->cores + k * (long)model->n_cores;

			for (uint32_t j = 0; j < scope->part->n_cores; j++) {
				int16_t now = row[scope->part->first_core + j].mhz;
				int16_t *known = scope->clocks + 2 * j;

				if (now <= 0)
					continue;
				known[0] = known[0] == 0 || now < known[0] ? now : known[0];
				known[1] = MAX(known[1], now);
			}
		}
	}
	for (uint32_t i = 0; i < scope->part->n_cores; i++) {
		const int16_t *known = scope->clocks + 2 * i;
		double change = known[0] > 0 ? (double)known[1] / known[0] : 0;

		if (change <= most)
			continue;
		most = change;
		warning.cpu = scope->model->cores[scope->part->first_core + i].cpu;
		warning.low_mhz = known[0];
		warning.high_mhz = known[1];
	}
	if (most > CLOCK_CHANGE)
		add_warning(list, scope, &warning);
}

/*
 * The first of its cases that had some that hide something: their memory, or in recordings from
 * before tasks were looked for, all of them. The others are counted.
 */
static void judge_company(struct list *list, const struct scope *scope)
{
	struct model_warning warning = {.kind = WARNING_COMPANY};
	const bool seen = *scope->model->session.tasks_by;

	for (size_t i = 0; i < scope->model->n_runs; i++) {
		const struct model_run *run = &scope->model->runs[i];
		uint32_t case_id = run->id.case_id;

		if (!model_has_company(run) || !model_measured(scope->model, run) ||
		    (seen && !isnan(metric_value(run, METRIC_RSS))) ||
		    case_id < scope->part->first_case ||
		    case_id >= scope->part->first_case + scope->part->n_cases)
			continue;
		if (warning.n == 0)
			warning.case_id = case_id;
		warning.others |= case_id != warning.case_id;
		if (case_id != warning.case_id)
			continue;
		warning.n++;
		warning.children = MAX(warning.children, run->children);
		warning.threads = MAX(warning.threads, run->threads);
	}
	if (warning.n == 0)
		return;
	for (size_t i = 0; i < scope->model->n_runs; i++)
		warning.trials += scope->model->runs[i].id.case_id == warning.case_id &&
				  model_measured(scope->model, &scope->model->runs[i]);
	add_warning(list, scope, &warning);
}

/* The first of its cases that was; all the others are counted. */
static void judge_throttled(struct list *list, const struct scope *scope)
{
	struct model_warning warning = {.kind = WARNING_THROTTLED};
	uint32_t last = UINT32_MAX;

	for (uint32_t i = 0; i < scope->part->n_cases; i++)
		for (size_t k = 0; k < scope->model->n_runs; k++) {
			const struct model_run *run = &scope->model->runs[k];

			if (run->id.case_id != scope->part->first_case + i || !is_of(scope, run))
				continue;
			warning.trials += warning.n == 0 || run->id.case_id == warning.case_id;
			if (run->totals.throttled_periods <= 0)
				continue;
			if (warning.n == 0)
				warning.case_id = run->id.case_id;
			if (run->id.case_id == warning.case_id) {
				if (warning.n < MODEL_WARNING_TRIALS - 1)
					warning.trial_list[warning.n] = run->id.trial;
				warning.n++;
				warning.periods += (uint64_t)run->totals.throttled_periods;
			} else if (run->id.case_id != last) {
				last = run->id.case_id;
				warning.others++;
			}
		}
	if (warning.n > 0)
		add_warning(list, scope, &warning);
}

int model_warnings(const struct model *model, struct model_warning out[MODEL_WARNINGS_MOST])
{
	const struct model_origin all = {
		.session = model->session, .n_cases = model->n_cases, .n_cores = model->n_cores};
	struct list list = {.out = out};
	struct scope scope = {
		.model = model,
		.part = model->n_origins > 0 ? model->origins : &all,
		.values = calloc(2 * model->n_runs + 1, sizeof(*scope.values)),
		.trials = calloc(model->n_runs + 1, sizeof(*scope.trials)),
		.clocks = calloc(2 * model->n_cores + 1, sizeof(*scope.clocks)),
	};
	int err = scope.values && scope.trials && scope.clocks ? 0 : -ENOMEM;
	uint32_t parts = model->n_origins > 0 ? model->n_origins : 1;

	for (; !err && parts > 0; parts--, scope.part++) {
		struct model_warning first = {.kind = WARNING_FIRST},
				     others = {.kind = WARNING_OUTLIERS}, few = {.n = 0}, one;
		uint32_t few_runs = 0;

		/* Of few cores the case with most of them, and how many there are in the others. */
		for (uint32_t i = 0; i < scope.part->n_cases; i++) {
			judge_case(&scope, scope.part->first_case + i, &first, &others, &one);
			few_runs += one.n;
			few = one.n > few.n ? one : few;
		}
		few.others = few_runs - few.n;
		if (first.n)
			add_warning(&list, &scope, &first);
		if (others.n)
			add_warning(&list, &scope, &others);
		judge_shares(&list, &scope);
		judge_clocks(&list, &scope);
		if (few.n)
			add_warning(&list, &scope, &few);
		judge_repeated(&list, &scope);
		judge_company(&list, &scope);
		judge_throttled(&list, &scope);
	}
	free(scope.values);
	free(scope.trials);
	free(scope.clocks);
	return err ? err : list.n;
}

const char *const model_warning_names[WARNINGS] = {
	[WARNING_FIRST] = "first",	   [WARNING_OUTLIERS] = "outliers",
	[WARNING_BUSY] = "busy",	   [WARNING_STEAL] = "steal",
	[WARNING_FREQUENCY] = "frequency", [WARNING_CORES] = "cores",
	[WARNING_REPEATED] = "repeated",   [WARNING_COMPANY] = "company",
	[WARNING_THROTTLED] = "throttled",
};

/* The text being written, and the warning it is about. */
struct text {
	struct sentence s;
	const struct model *model;
	const struct sample_session *session;
	const struct model_warning *warning;
};

#define CASE(text) MODEL_CASE_NAME((text)->model, (text)->warning->case_id)

/* Names the figure that a trial is judged by, unless it is all of its time. */
static void say_far(struct text *text, const char *which, const char *more)
{
	enum model_metric metric = model_headline(text->model);
	bool step = metric == METRIC_STEP;

	sentence_add(&text->s, "%s of %s took %s", which, CASE(text),
		     step ? METRIC_TEXT(metric, text->warning->took)
			  : UNITS_TIME(llround(text->warning->took), true));
	sentence_add(&text->s, " instead of %s",
		     step ? METRIC_TEXT(metric, text->warning->median)
			  : UNITS_TIME(llround(text->warning->median), true));
	if (metric == METRIC_TASK)
		sentence_add(&text->s, " until a task runs");
	else if (step)
		sentence_add(&text->s, " for an operation");
	if (text->warning->n > 1)
		sentence_add(&text->s, ", like %s%u more", more, text->warning->n - 1);
}

static void say_first(struct text *text)
{
	say_far(text, "the first trial", "that of ");
	sentence_add(
		&text->s,
		": caches were cold or the clock was low, and the trial counts; --warmup %u runs "
		"each case first without counting",
		text->session->warmup + 1);
}

static void say_outliers(struct text *text)
{
	say_far(text, "a trial", "");
	if (text->warning->took < text->warning->median)
		sentence_add(&text->s, ": faster than the others, which may have met other "
				       "programs or a lower clock; give more --trials");
	else
		sentence_add(&text->s, ": such outliers widen the interval; %sgive more --trials",
			     machine_quota(&text->session->machine) < 0
				     ? "close other programs and "
				     : "");
}

static void say_busy(struct text *text)
{
	uint32_t trial = text->warning->trial;

	sentence_add(&text->s, "other programs used %.0f %% of the cores ", text->warning->percent);
	if (trial > 0)
		sentence_add(&text->s, "during trial %u of %s", trial, CASE(text));
	else
		sentence_add(&text->s, "while the runs went on");
	sentence_add(&text->s, ": the times include that");
	/* Under a quota they are seldom one's own, and waiting is the quota's. */
	if (machine_quota(&text->session->machine) >= 0)
		return;
	sentence_add(&text->s, "; close them (");
	if (*text->warning->who)
		sentence_add(&text->s, "mostly %s", text->warning->who);
	else
		sentence_add(&text->s, "top shows which");
	sentence_add(&text->s, ") and run again");
}

static void say_steal(struct text *text)
{
	sentence_add(
		&text->s,
		"the host of this virtual machine withheld %.1f %% of the cores' time (steal): "
		"the times include that; use your own machine or a quieter hour, and give more "
		"--trials",
		text->warning->percent);
}

static void say_frequency(struct text *text)
{
	const char *governor = text->session->machine.governor;

	sentence_add(&text->s,
		     "core %d worked at %d to %d MHz: a time depends on the clock that it ran at; "
		     "the governor is ",
		     text->warning->cpu, text->warning->low_mhz, text->warning->high_mhz);
	if (strcmp(governor, "performance") == 0)
		sentence_add(&text->s, "performance, so it is turbo or heat: switch turbo off, or "
				       "let the machine cool");
	else
		sentence_add(&text->s, "%s; sudo cpupower frequency-set -g performance keeps it",
			     *governor ? governor : "not known");
}

/* "trials 3, 7, ..." */
static void say_trials(struct text *text)
{
	const uint32_t *trial = text->warning->trial_list;

	sentence_add(&text->s, "trial%s ", text->warning->n > 1 ? "s" : "");
	for (; *trial; trial++)
		sentence_add(&text->s, "%s%u", trial > text->warning->trial_list ? ", " : "",
			     *trial);
	sentence_add(&text->s, "%s", text->warning->n < MODEL_WARNING_TRIALS ? "" : ", ...");
}

static void say_cores(struct text *text)
{
	const struct model_warning *warning = text->warning;

	sentence_add(&text->s, "the kernel kept %u of %u runs of %s on %.1f of %.0f free cores (",
		     warning->n, warning->trials, CASE(text), warning->cores, warning->cores_free);
	say_trials(text);
	sentence_add(&text->s, "): %s instead of %s", UNITS_TIME(llround(warning->took), true),
		     UNITS_TIME(llround(warning->median), true));
	if (warning->others > 0)
		sentence_add(&text->s, ", and so did %u of others", warning->others);
	sentence_add(&text->s, "; more --trials show how often");
}

static void say_repeated(struct text *text)
{
	bool one = text->warning->n == 1;

	sentence_add(&text->s, "other programs used more than a fifth of the cores in ");
	say_trials(text);
	sentence_add(&text->s, ": %s repeated at the end and do%s not count",
		     one ? "it was" : "they were", one ? "es" : "");
}

static void say_company(struct text *text)
{
	const struct model_warning *warning = text->warning;
	const bool seen = *text->session->tasks_by;

	sentence_add(&text->s, "%s had ", CASE(text));
	if (warning->children > 0)
		sentence_add(&text->s, "%d or more child processes", warning->children);
	if (warning->threads > 1)
		sentence_add(&text->s, "%s%d or more threads", warning->children > 0 ? " and " : "",
			     warning->threads);
	if (!seen)
		sentence_add(&text->s, ", which were not followed: its memory, tasks and lanes are "
				       "not known (?)");
	else if (warning->n == warning->trials)
		sentence_add(&text->s, ", and the memory of all of them could not be read in time: "
				       "it is not known (?)");
	else
		sentence_add(&text->s,
			     ", and the memory of all of them could not be read in time in %u of "
			     "%u runs, which its figures leave out",
			     warning->n, warning->trials);
	sentence_add(&text->s, "; its CPU time includes all that it created%s",
		     warning->others ? "; the same is true of other cases" : "");
}

static void say_throttled(struct text *text)
{
	const struct model_warning *warning = text->warning;

	const double quota = machine_quota(&text->session->machine);

	if (quota >= 0)
		sentence_add(&text->s,
			     "the quota of %.3g of %d cores held %s back in %u of %u runs (", quota,
			     text->session->machine.cores_allowed, CASE(text), warning->n,
			     warning->trials);
	else
		sentence_add(&text->s, "its quota of CPUs held %s back in %u of %u runs (",
			     CASE(text), warning->n, warning->trials);
	if (quota >= 0) {
		say_trials(text);
		sentence_add(&text->s, "; ");
	}
	sentence_add(&text->s, "%s periods%s)", UNITS_COUNT((int64_t)warning->periods),
		     quota >= 0 ? "" : " of 100 ms");
	if (warning->others > 0)
		sentence_add(&text->s, ", and %u other case%s", warning->others,
			     warning->others > 1 ? "s" : "");
	sentence_add(&text->s, ": the times include that, and no other program caused it");
}

char *warning_text(const struct model *model, const struct model_warning *warning, char *buf,
		   size_t size)
{
	static void (*const say[WARNINGS])(struct text * text) = {
		[WARNING_FIRST] = say_first,	     [WARNING_OUTLIERS] = say_outliers,
		[WARNING_BUSY] = say_busy,	     [WARNING_STEAL] = say_steal,
		[WARNING_FREQUENCY] = say_frequency, [WARNING_CORES] = say_cores,
		[WARNING_REPEATED] = say_repeated,   [WARNING_COMPANY] = say_company,
		[WARNING_THROTTLED] = say_throttled,
	};
	const struct model_origin *origin = warning->origin;
	struct text text = {.s = {buf, size, 0},
			    .model = model,
			    .session = origin ? &origin->session : &model->session,
			    .warning = warning};

	buf[0] = '\0';
	if (origin && *origin->name)
		sentence_add(&text.s, "%s: ", origin->name);
	say[warning->kind](&text);
	return buf;
}
