/* SPDX-License-Identifier: MIT */
#include "model/model_warnings.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

/*
 * hyperfine's threshold, in standard deviations (src/outlier_detection.rs). Iglewicz & Hoaglin
 * propose 3.5, for large samples: of six normal values one lies beyond that in 14 % of all samples,
 * and beyond 10 in 1 %.
 */
#define FAR 10
/* And nobody minds less, as a share of the median. */
#define FAR_SHARE 0.05
/* With fewer trials the spread itself is not known. */
#define FAR_LEAST 5

/* Shares of the cores' time, and of a core's frequency, from where on they are worth a word. */
#define BUSY_SHARE   0.05
#define STEAL_SHARE  0.01
#define CLOCK_CHANGE 1.05
/* Of the chance that lies in counting a core's time by ticks, so many standard deviations. */
#define CHANCE 4

#define NAME (2 * SAMPLE_LABEL)

/* One recording: all of the model, or its part of several that were joined. */
struct scope {
	const struct model *model;
	const struct model_session *session;
	uint32_t first_case, n_cases, first_core, n_cores;
	const char *name; /* "" */
	double *values;	  /* room for two for each run */
	int16_t *clocks;  /* and two for each core */
};

struct list {
	struct model_warning *out;
	int n;
};

__attribute__((format(printf, 4, 5))) static void add(struct list *list, const struct scope *scope,
						      enum model_warning_kind kind,
						      const char *format, ...)
{
	struct model_warning *warning = &list->out[list->n];
	va_list args;
	int n;

	if (list->n == MODEL_WARNINGS_MOST)
		return;
	warning->kind = kind;
	n = snprintf(warning->text, sizeof(warning->text), "%s%s", scope->name,
		     *scope->name ? ": " : "");
	va_start(args, format);
	vsnprintf(warning->text + n, sizeof(warning->text) - (size_t)n, format, args);
	va_end(args);
	list->n++;
}

/* The trial that lies farthest out, of those of one kind. */
struct farthest {
	uint32_t n;	    /* so many there are */
	uint32_t icase, of; /* of so many trials of the case */
	double value, median;
};

static void take_far(struct farthest *far, uint32_t icase, uint32_t of, double value, double median)
{
	if (far->n++ > 0 && fabs(log(value / median)) <= fabs(log(far->value / far->median)))
		return;
	far->icase = icase;
	far->of = of;
	far->value = value;
	far->median = median;
}

static bool is_far(const struct stats_spread *spread, double value)
{
	return fabs(value - spread->median) > FAR_SHARE * spread->median &&
	       fabs(stats_modified_z(spread, value)) > FAR;
}

static void judge_case(const struct scope *scope, uint32_t icase, struct farthest *first,
		       struct farthest *others)
{
	const struct model *model = scope->model;
	double *x = scope->values, *spoilt = x + model->n_runs;
	enum model_metric metric = model_headline(model);
	size_t n = model_trials(model, icase, metric, x, NULL, model->n_runs);
	uint32_t first_trial = 0;
	struct stats_spread spread;

	/* The clock's own cost is a few ticks of it: one more is no outlier. */
	if (n < FAR_LEAST || model->cases[icase].plan.primitive == PLAN_CALL)
		return;
	model_trials(model, icase, metric, spoilt, &first_trial, 1);
	memcpy(spoilt, x, n * sizeof(*x));
	spread = stats_spread(spoilt, n);
	for (size_t i = 0; i < n; i++) {
		bool is_first = i == 0 && first_trial == 1 && x[i] > spread.median;

		if (is_far(&spread, x[i]))
			take_far(is_first ? first : others, icase, (uint32_t)n, x[i],
				 spread.median);
	}
}

/* ", and so with 2 more" */
static const char *and_more(char *buf, size_t size, const char *before, uint32_t n)
{
	buf[0] = '\0';
	if (n > 1)
		snprintf(buf, size, "%s%u more", before, n - 1);
	return buf;
}

/* What a trial is judged by, where that is not all of its time. */
static const char *until(const struct scope *scope)
{
	return model_headline(scope->model) == METRIC_ELAPSED ? "" : " until a task runs";
}

static void say_first(struct list *list, const struct scope *scope, const struct farthest *first)
{
	char name[NAME], took[32], median[32], more[64];

	add(list, scope, WARNING_FIRST,
	    "the first trial of %s took %s%s, the median is %s%s: it found caches cold or the "
	    "clock low, and it counts; --warmup %u runs each case beforehand without counting",
	    model_case_name(scope->model, first->icase, name, sizeof(name)),
	    units_format_time(took, sizeof(took), llround(first->value), true), until(scope),
	    units_format_time(median, sizeof(median), llround(first->median), true),
	    and_more(more, sizeof(more), ", and so with ", first->n), scope->session->warmup + 1);
}

static void say_others(struct list *list, const struct scope *scope, const struct farthest *others)
{
	char name[NAME], took[32], median[32], more[64];

	add(list, scope, WARNING_OUTLIERS,
	    "a trial of %s took %s%s, the median of its %u is %s%s: such outliers widen the "
	    "interval; close other programs and give more --trials",
	    model_case_name(scope->model, others->icase, name, sizeof(name)),
	    units_format_time(took, sizeof(took), llround(others->value), true), until(scope),
	    others->of, units_format_time(median, sizeof(median), llround(others->median), true),
	    and_more(more, sizeof(more), ", and there are ", others->n));
}

static void judge_trials(struct list *list, const struct scope *scope)
{
	struct farthest first = {0}, others = {0};

	for (uint32_t i = 0; i < scope->n_cases; i++)
		judge_case(scope, scope->first_case + i, &first, &others);
	if (first.n)
		say_first(list, scope, &first);
	if (others.n)
		say_others(list, scope, &others);
}

static bool is_of(const struct scope *scope, const struct model_run *run)
{
	return run->id.icase - scope->first_case < scope->n_cases &&
	       model_measured(scope->model, run);
}

/* Shares of the cores' time, of all the runs together and of the one where they are greatest. */
struct shares {
	double seconds, others, steal; /* sums: weighed by the length of the runs */
	double most;
	const struct model_run *worst;
};

/* How far a share may be off by chance: at worst each tick of one core falls to either by half. */
static double chance(const struct scope *scope, double seconds)
{
	int32_t ticks = scope->session->machine.clock_ticks;

	return CHANCE * 0.5 / sqrt(seconds * (ticks > 0 ? ticks : 100));
}

static void add_shares(const struct scope *scope, const struct model_run *run, struct shares *sum)
{
	double seconds = (double)run->totals.elapsed_ns / 1e9;
	double others = run->totals.others / 1e3, beyond;

	if (run->totals.others < 0 || run->totals.steal < 0 || seconds <= 0)
		return;
	sum->seconds += seconds;
	sum->others += others * seconds;
	sum->steal += run->totals.steal / 1e3 * seconds;
	beyond = others - chance(scope, seconds);
	if (beyond <= sum->most)
		return;
	sum->most = beyond;
	sum->worst = run;
}

static struct shares sum_shares(const struct scope *scope)
{
	struct shares sum = {0};

	for (size_t i = 0; i < scope->model->n_runs; i++)
		if (is_of(scope, &scope->model->runs[i]))
			add_shares(scope, &scope->model->runs[i], &sum);
	return sum;
}

#define BUSY_ADVICE "the times hold that too; close them (top shows which) and run again"

static void judge_busy(struct list *list, const struct scope *scope, const struct shares *sum)
{
	double share = sum->others / sum->seconds;
	char name[NAME];

	if (share > BUSY_SHARE + chance(scope, sum->seconds))
		add(list, scope, WARNING_BUSY,
		    "other programs used %.0f %% of the cores while the runs went on: " BUSY_ADVICE,
		    share * 100);
	else if (sum->most > BUSY_SHARE)
		add(list, scope, WARNING_BUSY,
		    "other programs used %.0f %% of the cores during trial %u of %s: " BUSY_ADVICE,
		    sum->worst->totals.others / 10.0, sum->worst->id.trial,
		    model_case_name(scope->model, sum->worst->id.icase, name, sizeof(name)));
}

/* The kernel is told by its host how much it was, so there is no chance in it but the last tick. */
static void judge_steal(struct list *list, const struct scope *scope, const struct shares *sum)
{
	double share = sum->steal / sum->seconds;

	if (share > STEAL_SHARE && sum->steal * scope->session->machine.clock_ticks > 2)
		add(list, scope, WARNING_STEAL,
		    "the host of this virtual machine withheld %.1f %% of the cores' time (steal): "
		    "the times hold that too; use a machine of your own or a quieter hour, and "
		    "give more --trials",
		    share * 100);
}

static void judge_shares(struct list *list, const struct scope *scope)
{
	struct shares sum = sum_shares(scope);

	if (sum.seconds <= 0)
		return;
	judge_busy(list, scope, &sum);
	judge_steal(list, scope, &sum);
}

/* Of each core the least and the greatest frequency while a run went on; 0: none is known. */
static void take_clocks(const struct scope *scope, const struct model_run *run)
{
	const struct model *model = scope->model;
	long last = model_load_at(model, run->end_ns);

	for (long i = model_load_at(model, run->begin_ns) + 1; i <= last; i++) {
		const struct sample_core *row = model->cores + i * (long)model->n_cores;

		for (uint32_t j = 0; j < scope->n_cores; j++) {
			int16_t now = row[scope->first_core + j].mhz,
				*known = scope->clocks + 2 * j;

			if (now <= 0)
				continue;
			known[0] = known[0] == 0 || now < known[0] ? now : known[0];
			known[1] = now > known[1] ? now : known[1];
		}
	}
}

static void say_clocks(struct list *list, const struct scope *scope, uint32_t core)
{
	const char *governor = scope->session->machine.governor;
	const int16_t *known = scope->clocks + 2 * core;
	char advice[256];

	if (strcmp(governor, "performance") == 0)
		snprintf(advice, sizeof(advice),
			 "the governor is performance, so it is turbo or heat: switch turbo off, "
			 "or let the machine cool");
	else
		snprintf(advice, sizeof(advice),
			 "the governor is %s; sudo cpupower frequency-set -g performance keeps it",
			 *governor ? governor : "not known");
	add(list, scope, WARNING_FREQUENCY,
	    "core %d worked at %d to %d MHz: a time then depends on the clock it met; %s",
	    scope->model->cores[scope->first_core + core].cpu, known[0], known[1], advice);
}

static void judge_clocks(struct list *list, const struct scope *scope)
{
	uint32_t worst = 0;
	double most = 0;

	memset(scope->clocks, 0, 2 * scope->n_cores * sizeof(*scope->clocks));
	for (size_t i = 0; i < scope->model->n_runs; i++)
		if (is_of(scope, &scope->model->runs[i]))
			take_clocks(scope, &scope->model->runs[i]);
	for (uint32_t i = 0; i < scope->n_cores; i++) {
		const int16_t *known = scope->clocks + 2 * i;
		double change = known[0] > 0 ? (double)known[1] / known[0] : 0;

		if (change > most) {
			most = change;
			worst = i;
		}
	}
	if (most > CLOCK_CHANGE)
		say_clocks(list, scope, worst);
}

static void judge(struct list *list, struct scope *scope, const struct model_origin *origin)
{
	if (origin) {
		scope->session = &origin->session;
		scope->first_case = origin->first_case;
		scope->n_cases = origin->n_cases;
		scope->first_core = origin->first_core;
		scope->n_cores = origin->n_cores;
		scope->name = origin->name;
	}
	judge_trials(list, scope);
	judge_shares(list, scope);
	judge_clocks(list, scope);
}

int model_warnings(const struct model *model, struct model_warning out[MODEL_WARNINGS_MOST])
{
	struct list list = {.out = out};
	struct scope scope = {
		.model = model,
		.session = &model->session,
		.n_cases = model->n_cases,
		.n_cores = model->n_cores,
		.name = "",
		.values = calloc(2 * model->n_runs + 1, sizeof(*scope.values)),
		.clocks = calloc(2 * model->n_cores + 1, sizeof(*scope.clocks)),
	};
	bool room = scope.values && scope.clocks;

	if (room && model->n_origins == 0)
		judge(&list, &scope, NULL);
	for (uint32_t i = 0; room && i < model->n_origins; i++)
		judge(&list, &scope, &model->origins[i]);
	free(scope.values);
	free(scope.clocks);
	return room ? list.n : -ENOMEM;
}

const char *model_warning_name(enum model_warning_kind kind)
{
	static const char *const names[WARNINGS] = {
		[WARNING_FIRST] = "first",	   [WARNING_OUTLIERS] = "outliers",
		[WARNING_BUSY] = "busy",	   [WARNING_STEAL] = "steal",
		[WARNING_FREQUENCY] = "frequency",
	};

	return names[kind];
}
