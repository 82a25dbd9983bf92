/* SPDX-License-Identifier: MIT */
#include "model/metric.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/units.h"
#include "model/model.h"
#include "model/model_kind.h"
#include "model/model_latency.h"

static double get_latency(const struct model_run *run, enum model_metric metric)
{
	const struct model_latency_at *at = model_latency_headline(run->latency);

	if (at)
		return fields_known(at->span[metric - METRIC_CALLER].p50);
	return NAN;
}

/* NaN if -s for ended the programs, because the time then says nothing about the programs. */
static double get_elapsed(const struct model_run *run, enum model_metric metric)
{
	if (run->totals.cut_ns > 0)
		return NAN;
	return fields_known(run->totals.elapsed_ns);
}

static double get_printed(const struct model_run *run, enum model_metric metric)
{
	if (run->totals.printed_reason == REASON_NONE && run->totals.printed >= 0)
		return run->totals.printed;
	return NAN;
}

static double get_operation(const struct model_run *run, enum model_metric metric)
{
	const struct model_latency_figures *figures;

	if (run->n_buckets == 0 || !run->latency)
		return NAN;
	figures = &run->latency->at[LATENCY_ANYWHERE].span[LATENCY_OPERATION];
	switch (metric) {
	case METRIC_REQUEST_P99:
		return (double)figures->p99;
	case METRIC_REQUEST_P999:
		return (double)figures->p999;
	default:
		return (double)figures->p50;
	}
}

static double get_read(const struct model_run *run, enum model_metric metric)
{
	return fields_known(run->totals.read_kb) - fields_known(run->totals.checked_kb);
}

static double get_io(const struct model_run *run, enum model_metric metric)
{
	return metric_value(run, METRIC_READ) + metric_value(run, METRIC_WRITTEN);
}

/*
 * Least elapsed time from which a share is computed, ns. CPU time and elapsed time may be measured
 * 10 µs apart, which would distort the share of a shorter run.
 */
#define CORES_LEAST 5000000

/* CPU time divided by elapsed time: two cores that are busy all the time give 2, or 200 %. */
static double get_cores(const struct model_run *run, enum model_metric metric)
{
	double elapsed = fields_known(run->totals.elapsed_ns);
	int unit = metric == METRIC_SHARE ? 100 : 1;

	if (elapsed >= CORES_LEAST)
		return unit * metric_value(run, METRIC_CPU) / elapsed;
	return NAN;
}

/*
 * Whether there is only an upper bound of the memory: no reading found all tasks of a command, but
 * its cgroup has a peak, which includes files.
 */
static bool has_bound_alone(const struct model_run *run)
{
	const struct sample_memory *memory = &run->totals.memory;

	return model_has_command_tasks(run) && (memory->pss_kb < 0 || memory->kernel_kb < 0) &&
	       run->totals.cgroup_kb >= 0;
}

static double get_memory(const struct model_run *run, enum model_metric metric)
{
	const struct sample_memory *memory = &run->totals.memory;

	if (has_bound_alone(run))
		return (double)run->totals.cgroup_kb;
	return fields_known(memory->pss_kb) + fields_known(memory->kernel_kb);
}

static double get_peak_alive(const struct model_run *run, enum model_metric metric)
{
	if (model_has_command_tasks(run))
		return NAN;
	return run->totals.peak_alive;
}

static double get_split(const struct model_run *run, enum model_metric metric)
{
	if (metric == METRIC_USER)
		return fields_known(run->split.user_us) * 1000;
	return fields_known(run->split.system_us) * 1000;
}

static double get_same_core(const struct model_run *run, enum model_metric metric)
{
	const struct model_counts *counts = &run->final;

	if (counts->placed > 0)
		return 100.0 * counts->same_core / counts->placed;
	return NAN;
}

static double get_path(const struct model_run *run, enum model_metric metric)
{
	const struct model_path *path = &run->path;

	if (metric == METRIC_PATH)
		return path->all_ns;
	if (metric == METRIC_RUNNING)
		return path->running_ns;
	return path->ns[metric - METRIC_CREATING];
}

static double get_program(const struct model_run *run, enum model_metric metric)
{
	return run->path.program_ns[metric - METRIC_ON_CORE];
}

/*
 * Time per operation. If workers share one counter, this is the time from the first operation of
 * any of them to the end of the last one, divided by the number of operations.
 */
static double get_step(const struct model_run *run, enum model_metric metric)
{
	const struct sample_totals *totals = &run->totals;
	int64_t ns = totals->steps_ns;

	if (run->shares_steps)
		ns = totals->steps_span_ns;

	if (model_withheld(run))
		return NAN;
	if (totals->steps > 0)
		return fields_known(ns) / (double)totals->steps;
	return NAN;
}

static double get_rate(const struct model_run *run, enum model_metric metric)
{
	const struct sample_totals *totals = &run->totals;

	if (model_withheld(run))
		return NAN;
	if (totals->steps_span_ns > 0)
		return fields_known(totals->steps) * 1e9 / (double)totals->steps_span_ns;
	return NAN;
}

/* Tasks per second. The time includes the creation of the pool. */
static double get_per_second(const struct model_run *run, enum model_metric metric)
{
	double elapsed = metric_value(run, METRIC_ELAPSED);

	if (elapsed > 0)
		return fields_known(run->totals.tasks) / elapsed * 1e9;
	return NAN;
}

/*
 * Messages per second from the release of all workers until the last message arrived. Creation and
 * join are left out.
 */
static double get_message_rate(const struct model_run *run, enum model_metric metric)
{
	double ns = run->kinds.ns[WORK_MESSAGE];

	if (ns > 0)
		return fields_known(run->totals.messages) / ns * 1e9;
	return NAN;
}

static double get_request_cpu(const struct model_run *run, enum model_metric metric)
{
	const double requests = fields_known(run->totals.requests);

	if (requests > 0)
		return metric_value(run, METRIC_CPU) / requests;
	return NAN;
}

static double get_fairness(const struct model_run *run, enum model_metric metric)
{
	if (model_withheld(run))
		return NAN;
	return fields_known(run->totals.fairness) / 10;
}

static double get_together(const struct model_run *run, enum model_metric metric)
{
	return 100 * run->together;
}

static double get_tasks_created(const struct model_run *run, enum model_metric metric)
{
	int64_t created = run->totals.tasks_created, lost = run->totals.tasks_lost;

	if (created < 0)
		return NAN;
	return (double)(created + MAX(0, lost));
}

static double get_energy(const struct model_run *run, enum model_metric metric)
{
	return fields_known(run->totals.energy_uj) / 1e6;
}

/*
 * The kind of work of a metric. The metrics of the kinds are consecutive, in the order of
 * plan_work_order.
 */
static enum work_kind metric_kind(enum model_metric metric)
{
#define OF_KIND(number, NAME, name) [number] = METRIC_KIND_##NAME,
	static const enum model_metric of[WORK_KINDS] = {WORK_LIST(OF_KIND)};

	return plan_work_order[metric - of[plan_work_order[0]]];
}

static double get_kind(const struct model_run *run, enum model_metric metric)
{
	if (run->totals.cut_ns > 0)
		return NAN;
	return run->kinds.ns[metric_kind(metric)];
}

#define RUNS	  METRIC_OF_RUNS
#define PAIRS	  (METRIC_OF_PAIRS | WORSE)
#define PEAK	  (RUNS | PAIRS | METRIC_OF_MEMORY)
#define PART	  (RUNS | METRIC_OF_MEMORY)
#define EACH	  (PAIRS | METRIC_OF_CREATIONS)
#define WALL	  (RUNS | PAIRS | METRIC_OF_WALL)
#define WORSE	  METRIC_MORE_IS_WORSE
#define FAULTS	  (RUNS | METRIC_OF_FAULTS)
#define OPERATES  (PAIRS | METRIC_OF_OPERATIONS)
#define TASKED	  (RUNS | METRIC_OF_TASKS)
#define MESSAGED  (RUNS | METRIC_OF_MESSAGES)
#define REQUESTED (RUNS | METRIC_OF_SERVING)
#define FILES	  METRIC_OF_FILES
#define COUNTED	  (RUNS | PAIRS | METRIC_OF_COUNTERS)
#define PROGRAM	  (WORSE | METRIC_OF_WALL | METRIC_OF_PATH | METRIC_OF_COMMANDS)
#define PATH	  (RUNS | WORSE | METRIC_OF_WALL | METRIC_OF_PATH)
#define KINDS	  (PAIRS | METRIC_OF_WALL | METRIC_OF_KINDS)
#define STEPPED	  METRIC_OF_STEPS
#define COPIES	  (WORSE | METRIC_OF_COPIES)

/* Bits: which values of sample_memory may make a metric an estimate. */
enum { GUESS_PSS = 1, GUESS_KERNEL = 2 };

/* clang-format off */
#define TOTAL(member)  {FIELD(NULL, sample_totals, member)}
#define PER(member)    .per = TOTAL(member)
#define SUM(first, second) {FIELD(NULL, sample_totals, first), FIELD(NULL, sample_totals, second)}

#define SEEN(by)       .seen = FIELD(NULL, sample_memory, by##_seen)

#define METRIC(id, ...) [METRIC_##id] = {__VA_ARGS__},

const struct metric metric_table[METRICS] = {
#include "model/metric_rows.h"
};
/* clang-format on */

const enum model_metric *metric_curves_of(const struct model *model)
{
	const enum model_metric *const *curves = model_kind(model)->curves;

	for (size_t i = 0; i < model->n_runs; i++)
		if (curves[true] && metric_value(&model->runs[i], METRIC_IO) > 0)
			return curves[true];
	return curves[false];
}

/* The sum of one or two members. */
static double add_members(const struct field members[2], const struct sample_totals *totals)
{
	double sum = fields_number(&members[0], totals);

	if (members[1].type != FIELD_END)
		sum += fields_number(&members[1], totals);
	return sum;
}

double metric_value(const struct model_run *run, enum model_metric metric)
{
	const struct metric *row = &metric_table[metric];
	double value;

	if (run->end_ns == INT64_MAX)
		return NAN;
	if (row->get)
		return row->get(run, metric);
	value = add_members(row->sum, &run->totals);
	if (row->per[0].type != FIELD_END) {
		double per = add_members(row->per, &run->totals);

		if (per > 0)
			value = value / per;
		else
			value = NAN;
	}
	if (row->times > 0)
		value *= row->times;
	if (row->unit == METRIC_US)
		return value * 1000;
	return value;
}

bool metric_is_estimated(const struct sample_memory *memory, enum model_metric metric)
{
	const uint8_t guess = metric_table[metric].guess;

	return (guess & GUESS_PSS && memory->estimated) ||
	       (guess & GUESS_KERNEL && memory->kernel_estimated);
}

int metric_seen(const struct sample_memory *memory, enum model_metric metric)
{
	double seen = fields_number(&metric_table[metric].seen, memory);

	if (isnan(seen))
		return -1;
	return (int)seen;
}

/*
 * How a sum of two values was measured: a lower bound if either value is one. -1: unknown; the
 * other value decides then.
 */
static int weaker_seen(int a, int b)
{
	static const uint8_t strength[SEEN_WAYS] = {
		[SEEN_LEAST] = 0, [SEEN_START] = 1, [SEEN_SAMPLED] = 2,
		[SEEN_MOST] = 3,  [SEEN_PEAKS] = 4, [SEEN_PEAK] = 5,
	};

	if (a < 0 || b < 0)
		return MAX(a, b);
	if (strength[a] < strength[b])
		return a;
	return b;
}

int metric_run_seen(const struct model_run *run, enum model_metric metric)
{
	const struct sample_memory *memory = &run->totals.memory;

	if (metric == METRIC_MEMORY && has_bound_alone(run))
		return SEEN_MOST;
	if (metric_is_partial(run, metric))
		return SEEN_LEAST;
	/*
	 * Our own workers all wait while their kernel memory is read, but tasks of commands come
	 * and go.
	 */
	if (metric == METRIC_MEMORY && model_has_command_tasks(run))
		return weaker_seen(memory->pss_seen, memory->kernel_seen);
	return metric_seen(memory, metric);
}

char *metric_mark(char buf[METRIC_MARK], int seen, bool estimated)
{
	snprintf(buf, METRIC_MARK, "%s%s", sample_seen_mark(seen), estimated ? "~" : "");
	return buf;
}

const char *metric_seen_name(int seen, bool estimated)
{
	if (estimated)
		return "estimated";
	return sample_seen_name(seen);
}

const char *metric_run_seen_name(const struct model_run *run, enum model_metric metric)
{
	const struct sample_memory *memory = &run->totals.memory;

	if (isnan(metric_value(run, metric)))
		return NULL;
	return metric_seen_name(metric_run_seen(run, metric), metric_is_estimated(memory, metric));
}

char *metric_seen_list(char *buf, size_t size, const struct model_run *run)
{
	struct sentence list = sentence_in(buf, size);

	*buf = '\0';
	for (enum model_metric i = 0; i < METRICS; i++) {
		const char *name = metric_run_seen_name(run, i);

		if (name && metric_is(i, METRIC_OF_RUNS))
			sentence_join(&list, ";", "%s=%s", metric_table[i].name, name);
	}
	/* Children, threads and processes of programs are known only from samples. */
	if (model_has_command_tasks(run))
		sentence_join(&list, ";", "program_children=sampled;program_threads=sampled");
	if (model_has_command_tasks(run) && run->processes >= 0)
		sentence_join(&list, ";", "program_processes=sampled");
	return buf;
}

double metric_result(const struct model_run *run, enum model_metric metric)
{
	if (run->totals.paused && metric_is(metric, METRIC_OF_WALL))
		return NAN;
	return metric_value(run, metric);
}

double metric_kib(const struct sample_memory *memory, enum model_metric metric)
{
	double kib = 0;

	for (int i = 0; i < 2; i++) {
		struct field field = metric_table[metric].sum[i];

		if (field.type == FIELD_END)
			break;

		field.offset = (uint16_t)(field.offset - offsetof(struct sample_totals, memory));
		kib += fields_number(&field, memory);
	}
	return kib;
}

bool metric_is(enum model_metric metric, uint32_t uses)
{
	return metric_table[metric].uses & uses;
}

size_t metric_places(size_t place_at, enum model_metric list[METRICS])
{
	size_t n = 0;

	/* Positions begin at 1, and no table has more of them than there are metrics. */
	for (int place = 1; place <= METRICS; place++)
		for (enum model_metric i = 0; i < METRICS; i++)
			if (*((const uint8_t *)&metric_table[i] + place_at) == place)
				list[n++] = i;
	return n;
}

bool metric_is_partial(const struct model_run *run, enum model_metric metric)
{
	/* get_tasks_created() adds the missed tasks, unless their number is unknown (-1). */
	return metric == METRIC_TASKS_CREATED && run->totals.tasks_lost < 0;
}

/* Whether the plan has workers of this kind and of another one. */
static bool is_kind_beside(const struct plan *plan, int kind)
{
	if (plan->leaves[kind] == 0)
		return false;
	for (int other = 0; other < WORK_KINDS; other++)
		if (other != kind && plan->leaves[other] > 0)
			return true;
	return false;
}

static bool is_known_of_some_run(const struct model *model, enum model_metric metric)
{
	for (size_t i = 0; i < model->n_runs; i++)
		if (!isnan(metric_value(&model->runs[i], metric)))
			return true;
	return false;
}

bool metric_applies(const struct model *model, enum model_metric metric)
{
	static const struct {
		uint32_t of;
		model_question *has;
	} kinds[] = {
		{METRIC_OF_CREATIONS, model_has_latency},
		{METRIC_OF_OPERATIONS, model_has_operations},
		{METRIC_OF_FAULTS, model_has_faults},
		{METRIC_OF_STEPS, model_has_steps},
		{METRIC_OF_SERVING, model_serves},
		{METRIC_OF_PRINTED, model_prints},
		{METRIC_OF_FOR, model_ends_programs},
	};
	const uint32_t uses = metric_table[metric].uses;
	const enum metric_use looked_at =
		METRIC_OF_COUNTERS | METRIC_OF_QUOTAS | METRIC_OF_COMMANDS;
	bool tasks = false, idles = false, messages = false, files = false, beside = false;

	for (size_t i = 0; i < LENGTH(kinds); i++)
		if (uses & kinds[i].of && !kinds[i].has(model))
			return false;
	/*
	 * Check the ended runs, because such a metric may be unknown in a whole session: the
	 * processor may lack a counter, for example.
	 */
	if (uses & looked_at && !is_known_of_some_run(model, metric))
		return false;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct plan *plan = &model->cases[i].plan;

		idles |= model->cases[i].serving.idle > 0;
		tasks |= plan->tasks > 0 && !plan_serves(plan);
		messages |= plan->leaves[WORK_MESSAGE] > 0;
		files |= plan->leaves[WORK_IO] > 0 || plan->leaves[WORK_WRITE] > 0;
		if (uses & METRIC_OF_KINDS)
			beside |= is_kind_beside(plan, (int)metric_kind(metric));
	}
	const struct {
		uint32_t of;
		bool had;
	} needs[] = {
		{METRIC_OF_KINDS, beside},
		{METRIC_OF_SHARING, model_step(model) == WORK_SHARE},
		{METRIC_OF_COPIES, model_step(model) == WORK_TOUCH},
		{METRIC_OF_TASKS, tasks},
		{METRIC_OF_IDLE, idles},
		{METRIC_OF_MESSAGES, messages},
		{METRIC_OF_FILES, files},
	};

	for (size_t i = 0; i < LENGTH(needs); i++)
		if (uses & needs[i].of && !needs[i].had)
			return false;
	return true;
}

size_t metric_count(const enum model_metric *list)
{
	size_t n = 0;

	while (list[n] != METRICS)
		n++;
	return n;
}

enum model_metric metric_next(const enum model_metric *list, enum model_metric metric)
{
	const enum model_metric *at = list;

	while (*at != METRICS && *at != metric)
		at++;
	if (*at == METRICS || at[1] == METRICS)
		return list[0];
	return at[1];
}

const char *metric_brief(enum model_metric metric)
{
	const struct metric *row = &metric_table[metric];

	if (row->brief)
		return row->brief;
	return row->title;
}

char *metric_format(char *buf, size_t size, enum model_metric metric, double value)
{
	int64_t whole = value < 9e18 ? llround(value) : -1;

	switch ((enum metric_unit)metric_table[metric].unit) {
	case METRIC_NS:
	case METRIC_US:
		return units_format_time(buf, size, whole, false);
	case METRIC_KIB:
		return units_format_kib(buf, size, whole);
	case METRIC_PERCENT:
		snprintf(buf, size, whole < 0 ? "?" : "%.0f %%", value);
		return buf;
	case METRIC_DECIMAL:
		snprintf(buf, size, whole < 0 ? "?" : "%.2f", value);
		return buf;
	case METRIC_EVENTS:
		return units_format_events(buf, size, whole);
	case METRIC_FIGURE:
		if (isnan(value) || fabs(value) >= 1e15)
			snprintf(buf, size, isnan(value) ? "?" : "%.4g", value);
		else if (fabs(value) >= 1000)
			return units_format_count(buf, size, whole);
		else
			snprintf(buf, size, "%.4g", value);
		return buf;
	case METRIC_SHORT:
		return units_format_short(buf, size, value);
	case METRIC_COUNT:
		break;
	}
	return units_format_count(buf, size, whole);
}

double metric_printed(enum model_metric metric, double value)
{
	const double base = metric_table[metric].unit == METRIC_KIB ? 1024 : 1000;
	char text[32];
	double number, power;

	metric_format(text, sizeof(text), metric, value);
	number = strtod(text, NULL);
	/* A text such as "1:07 min" or "4,920" has all digits of the value. */
	if (strpbrk(text, ":,") || !(number > 0))
		return value;
	power = rint(log(value / number) / log(base));
	return number * pow(base, power);
}

bool model_prints_time(const struct model *model)
{
	static const char *const times[] = {
		"ns",	"us",  "µs",   "ms",   "s",	"min",	  "h",	     "nsec",   "usec",
		"msec", "sec", "secs", "hour", "hours", "second", "seconds", "minute", "minutes",
	};
	/* such as "ms/op" */
	const size_t n = strcspn(model->printed_unit, "/");

	for (size_t i = 0; i < LENGTH(times); i++)
		if (strlen(times[i]) == n && strncasecmp(model->printed_unit, times[i], n) == 0)
			return true;
	return false;
}
