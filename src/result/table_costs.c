/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error_line.h"
#include "result/report.h"
#include "table_add.h"
#include "base/units.h"
#include "core/plan.h"
#include "result/finding.h"
#include "model/model.h"
#include "result/latency.h"

/* Models named at most; a sweep has many. */
#define NAMED 4

/* Whether the user and system time of any run of the case comes from there. */
static bool has_source(const struct model *model, uint32_t case_id, enum model_split_source source)
{
	for (const struct model_run *run = NULL;
	     (run = model_next_measured(model, run, case_id, 1));)
		if (run->split.source == source)
			return true;
	return false;
}

/* "fork, vfork and 3 more"; how many in all. */
static unsigned name_cases(const struct model *model, enum model_split_source source,
			   struct sentence *names)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (!has_source(model, i, source))
			continue;
		if (n < NAMED)
			sentence_add(names, "%s%s", n ? ", " : "", MODEL_CASE_NAME(model, i));
		n++;
	}
	if (n > NAMED)
		sentence_add(names, " and %u more", n - NAMED);
	return n;
}

void table_note_split(const struct model *model, struct table *table)
{
	char text[1024] = "", list[512] = "";
	struct sentence note = {text, sizeof(text), 0}, names = {list, sizeof(list), 0};
	bool unknown = false, known = false;

	if (name_cases(model, MODEL_SPLIT_PROC_STAT, &names) > 0)
		sentence_add(&note, "User and system of %s: split by /proc/stat, the sum is exact.",
			     list);
	for (uint32_t i = 0; i < model->n_cases; i++) {
		unknown |= has_source(model, i, MODEL_SPLIT_NONE);
		known |= has_source(model, i, MODEL_SPLIT_RUSAGE) ||
			 has_source(model, i, MODEL_SPLIT_PROC_STAT);
	}
	if (unknown)
		sentence_add(&note,
			     "%sUser and system%s are not known: the kernel looks every %g ms, and "
			     "their tasks had fewer than %d such ticks. The CPU time, their sum, "
			     "is exact.",
			     note.used ? " " : "", known ? " of some runs" : "",
			     (double)model_split_tick(model, 0) / 1e6, SAMPLE_SPLIT_TICKS);
	if (note.used > 0)
		table_note(table, "%s", text);
}

/* The table of what the kernel and the processor counted: of what no case has, the reason. */

static const enum model_metric counted[] = {
	METRIC_MIGRATIONS,   METRIC_MINFLT,    METRIC_MAJFLT,	    METRIC_CYCLES,
	METRIC_INSTRUCTIONS, METRIC_PER_CYCLE, METRIC_CACHE_MISSES, METRIC_TLB_MISSES,
};

enum { COUNTED = sizeof(counted) / sizeof(counted[0]) };

static bool is_counting(const struct sample_session *session)
{
	return strcmp(session->counters, "user") == 0 || strcmp(session->counters, "software") == 0;
}

/* Why no case has it, in words. */
static const char *reason_of(const struct sample_session *session, enum model_metric metric)
{
	if (*session->counters == '\0')
		return "not in recordings of earlier versions";
	if (metric != METRIC_MIGRATIONS && is_counting(session))
		return "others had the counters, or this processor has none of them";
	if (metric != METRIC_MIGRATIONS)
		return session->counters;
	if (strcmp(session->sched, "off") == 0)
		return "-s sched=off";
	return "read of loops that take 3 ms, or by -s sched=perf";
}

/* "Not known: migrations (-s sched=off); cycles, instructions (this machine ...)." */
static void note_unknown(const struct model *model, const bool *known, struct table *table)
{
	char text[SAMPLE_TEXT] = "";
	struct sentence note = {text, sizeof(text), 0};
	const char *before = NULL;

	for (int i = 0; i < COUNTED; i++) {
		const char *reason = reason_of(&model->session, counted[i]);

		if (known[i])
			continue;
		if (before && before != reason)
			sentence_add(&note, " (%s); ", before);
		else if (before)
			sentence_add(&note, ", ");
		sentence_add(&note, "%s", metric_table[counted[i]].title);
		before = reason;
	}
	if (before)
		table_note(table, "Not known: %s (%s).", text, before);
}

/* Faults are of all that the model took, its creators too; the others of those that work. */
void table_counters(const struct model *model, struct table *table)
{
	bool known[COUNTED], any = false, events = false;

	table_begin_columns(table, "model");
	for (int i = 0; i < COUNTED; i++) {
		known[i] = false;
		for (size_t k = 0; k < model->n_runs; k++)
			known[i] |= report_counts(model, &model->runs[k]) &&
				    !isnan(metric_result(&model->runs[k], counted[i]));
		any |= known[i];
		events |= known[i] && metric_is(counted[i], METRIC_OF_COUNTERS);
		if (known[i])
			table_add_column(table, NULL, counted[i]);
	}
	for (uint32_t i = 0; i < model->n_cases && any; i++) {
		table_add_case(table, model, i);
		table_add_medians(table, model, i, 1);
	}
	if (events)
		table_note(table, "The processor counted the workers' work, without the kernel.");
	if (any)
		note_unknown(model, known, table);
	/* "laptop: kernel.perf_event_paranoid is 4, ..." of each recording that has none. */
	for (uint32_t i = 0; i < model->n_origins && any; i++) {
		const struct model_origin *origin = &model->origins[i];

		if (!is_counting(&origin->session))
			table_note(table, "%s: %s.", origin->name,
				   reason_of(&origin->session, METRIC_CYCLES));
	}
}

/* The table of who survived one worker's fault. */

/* "3 of 4", "2 to 3 of 4" */
static void add_fault_share(struct table *table, const struct model_fault *fault, int64_t least,
			    int64_t most)
{
	if (fault->trials == 0 || least < 0)
		table_add_words(table, "?");
	else if (least == most)
		table_add_words(table, "%lld of %u", (long long)least, fault->workers);
	else
		table_add_words(table, "%lld to %lld of %u", (long long)least, (long long)most,
				fault->workers);
}

void table_faults(const struct model *model, struct table *table)
{
	enum fault_kind kind = FAULT_NONE;
	struct model_fault fault;

	for (uint32_t i = 0; i < model->n_cases && model_has_faults(model); i++) {
		char text[64] = "";
		struct sentence left = {text, sizeof(text), 0};

		table_fail(table, model_fault_read(model, i, &fault));
		kind = fault.trials > 0 ? fault.kind : kind;
		table_add_case(table, model, i);
		add_fault_share(table, &fault, fault.least, fault.most);
		/* A creator that ended with it, or waits for ever, learns nothing. */
		if (fault.trials == 0)
			table_add_words(table, "?");
		else if (fault.told == 0)
			table_add_words(table, fault.kind == FAULT_HANG ? "never: it waits for ever"
					       : fault.kind == FAULT_OVERRUN
						       ? "never: it ended as usual"
						       : "never: it ended too");
		else
			table_add_words(table, "%s, at most %s",
					UNITS_TIME((int64_t)fault.told_ns, false),
					UNITS_TIME((int64_t)fault.told_most_ns, false));
		add_fault_share(table, &fault, fault.wrong_least, fault.wrong_most);
		add_fault_share(table, &fault, fault.lost_least, fault.lost_most);
		/* "lock, shared memory, file": what distinguishes the models, as a row may be cut.
		 */
		for (int k = FAULT_LEFTS - 1; k >= 0; k--)
			if (fault.left & 1u << k)
				sentence_add(&left, "%s%s", left.used ? ", " : "",
					     fault_left_name((unsigned)k));
		table_add_words(table, "%s",
				fault.trials == 0 ? "?"
				: left.used	  ? text
						  : "nothing");
		table_add_words(table, "%u", fault.trials);
	}
	if (table->n_cells > 0 && kind == FAULT_OVERRUN)
		table_note(table, "The worker wrote past its own memory, over its neighbour's if "
				  "they share it, and went on. No worker ended. Only a worker that "
				  "checks its memory at its end finds that its result is wrong.");
	else if (table->n_cells > 0)
		table_note(table, "The creator waits for its tasks one after the other, the last "
				  "one first, and learns of a death when it comes to that task. "
				  "The lock stays locked for the survivors that share it.");
}

/* The table of workers that do one operation many times. */

static const char touch_note[] =
	"The writes alone, in each worker's own CPU time. Page faults are from getrusage(2), "
	"copied pages from the growth of Private_Dirty in smaps. A write of a process faults if "
	"its creator's page is still shared, and the kernel copies the page. Since Linux 5.8, a "
	"write to a huge page copies only 4 KiB of it, so huge pages save time in the fork.";

void table_steps(const struct model *model, struct table *table)
{
	static const enum model_metric touched[] = {METRIC_STEPS, METRIC_STEP_FAULTS, METRIC_COPIED,
						    METRIC_STEP, METRICS};
	static const enum model_metric shared[] = {METRIC_STEPS, METRIC_LOST, METRIC_TOGETHER,
						   METRIC_STEP,	 METRIC_RATE, METRIC_FAIRNESS,
						   METRICS};
	enum work_kind kind = model_step(model);
	const enum model_metric *metric = kind == WORK_TOUCH ? touched : shared;

	table_begin_columns(table, "model");
	if (kind != WORK_TOUCH && kind != WORK_SHARE)
		return;
	for (; *metric < METRICS; metric++)
		table_add_column(table, NULL, *metric);
	snprintf(table->title, sizeof(table->title), "every %s", plan_step_name(kind));
	for (uint32_t i = 0; i < model->n_cases; i++) {
		table_add_case(table, model, i);
		table_add_medians(table, model, i, 1);
	}
	if (kind == WORK_SHARE) {
		table_note(
			table,
			"All workers take increments from one number until it is used up. With "
			"counters of their own, or without a guard (plain), each has a fixed part. "
			"tuibench checks the sum. Lost: increments done that are not in the "
			"counter. Together: the share of the time in which all of them, or as many "
			"as there are cores, worked at once, by their lanes: on a core, or asleep "
			"for the mutex while another was on one. Below %d %% the figures are "
			"withheld (?), because a worker alone costs a fraction. Together is of all "
			"trials, the rest of those that are not withheld. Fairness is Jain's index "
			"of the rates: 100 %% if all count equally fast.",
			(int)(100 * MODEL_TOGETHER_LEAST));
	}
	if (kind == WORK_TOUCH)
		table_note(table, "%s", touch_note);
}

/* The table of work that is handed out piece by piece: medians over the trials. */

void table_tasks(const struct model *model, struct table *table)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (model->cases[i].plan.tasks == 0)
			continue;
		table_add_case(table, model, i);
		table_add_medians(table, model, i, 1);
	}
	if (table->n_cells > 0)
		table_note(table, "Latency: the median of a run, from when a task is handed out "
				  "until it is done. A worker of a pool takes the next task "
				  "itself; without a pool, each task is created. Creation each: "
				  "for a pool, the time until all workers exist, divided by the "
				  "tasks; otherwise from the call until the task runs.");
}

void table_pool(const struct model *model, struct table *table)
{
	static const char *const words[] = {
		[FINDING_POOL_OPEN] = "not decided",
		[FINDING_POOL_ALWAYS] = "above all that were tried",
		[FINDING_POOL_NEVER] = "below all that were tried",
	};
	struct finding_pool found;

	for (uint32_t a = 0, b = 0; finding_next_pool(model, &a, &b);) {
		table_fail(table, finding_pool(model, a, b, &found));
		table_add_words(table, "%s / %s%s", model->cases[a].model, model->cases[b].model,
				found.metric == METRIC_CPU ? ", cpu time" : "");
		table_add_value(table, found.at);
		if (found.answer == FINDING_POOL_FOUND)
			table_add_words(table, "%s to %s", METRIC_TEXT(METRIC_OPERATION, found.low),
					METRIC_TEXT(METRIC_OPERATION, found.high));
		else
			table_add_words(table, "%s", words[found.answer]);
		table_add_range(table, &(struct stats_interval) {NAN, found.least, found.most}, "");
	}
	if (table->n_cells > 0)
		table_note(table,
			   "The length of a task, by the pool's median latency, from which "
			   "creating one task each is less than %.0f %% slower than the pool, "
			   "or uses that much more CPU time if the elapsed time does not decide. "
			   "It lies between the longest task tried that is really slower and the "
			   "shortest that is really faster.",
			   100 * (FINDING_POOL_LEAST - 1));
}

/* How many messages arrive in a second, over the trials. */

void table_messages(const struct model *model, struct table *table)
{
	struct report_summary rate, n;

	if (!metric_applies(model, METRIC_MESSAGES))
		return;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		table_fail(table, report_summarize(model, i, METRIC_MESSAGE_RATE, &rate));
		table_fail(table, report_summarize(model, i, METRIC_MESSAGES, &n));
		table_add_case(table, model, i);
		table_add_value(table, rate.median.estimate);
		table_add_range(table, &rate.median, report_no_interval(model, i, rate.n));
		table_add_value(table, n.median.estimate);
	}
	table_note(table, "Messages that arrived, as counted by their receivers, and how many "
			  "arrive per second, from the opening of the start gate to the last "
			  "message. Only the elapsed time includes creation and joins.");
}

/* How long each operation of the workers takes, of all counted trials. */

void table_operations(const struct model *model, struct table *table)
{
	if (!model_has_operations(model))
		return;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_latency_figures *f = model_operations(model, i);
		struct report_summary s;

		if (!plan_operates(&model->cases[i].plan))
			continue;
		table_fail(table, report_summarize(model, i, METRIC_OPERATION_MEAN, &s));
		table_add_case(table, model, i);
		table_add_words(table, "%s", f ? UNITS_COUNT(f->n) : "?");
		table_add_value(table, s.median.estimate);
		table_add_times(table,
				f ? (const int64_t[]) {f->min, f->p50, f->p90, f->p99, f->max}
				  : (const int64_t[]) {-1, -1, -1, -1, -1},
				5);
	}
	table_note(table,
		   "Each is a %s, over all trials. The mean is the median of the trials' means. "
		   "Percentiles are right to 3 %%.",
		   latency_operation(model));
}
