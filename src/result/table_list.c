/* SPDX-License-Identifier: MIT */
#include "result/table.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/comparison.h"
#include "result/latency.h"
#include "base/error_line.h"
#include "result/report.h"
#include "result/answer.h"
#include "table_add.h"

#define VALUE(metric) TABLE_RIGHT, TABLE_METRIC, metric
#define RANGE(metric) TABLE_CENTRE, TABLE_METRIC, metric, true

static const struct table_column elapsed[] = {
	{"model"},
	{"median", VALUE(METRIC_ELAPSED), .emphasis = TABLE_STRONG},
	{"mean", VALUE(METRIC_ELAPSED)},
	{"95 % interval", RANGE(METRIC_ELAPSED)},
	{"fastest", VALUE(METRIC_ELAPSED)},
	{"slowest", VALUE(METRIC_ELAPSED)},
	{"trials", TABLE_RIGHT},
};

static const struct table_column faults[] = {
	{"model"},
	{"survived", TABLE_RIGHT, .emphasis = TABLE_STRONG},
	{"its creator noticed after", TABLE_RIGHT},
	{"wrong result", TABLE_RIGHT},
	{"lost to it", TABLE_RIGHT},
	{"left behind"},
	{"trials", TABLE_RIGHT, .emphasis = TABLE_DIM},
};

static const struct table_column tasks[] = {
	{"model"},
	{"latency", VALUE(METRIC_OPERATION), .emphasis = TABLE_STRONG},
	{"per second", VALUE(METRIC_PER_SECOND)},
	{"creation each", VALUE(METRIC_TASK_CREATE)},
	{"tasks", VALUE(METRIC_TASKS), .emphasis = TABLE_DIM},
};

static const struct table_column messages[] = {
	{"model"},
	{"per second", VALUE(METRIC_MESSAGE_RATE), .emphasis = TABLE_STRONG},
	{"95 % interval", RANGE(METRIC_MESSAGE_RATE)},
	{"messages", VALUE(METRIC_MESSAGES), .emphasis = TABLE_DIM},
};

static const struct table_column scaling[] = {
	{"program"},
	{"worker"},
	{"scale", VALUE(METRIC_WORKERS)},
	{"CPU", VALUE(METRIC_SHARE)},
	{"PSS", VALUE(METRIC_PSS)},
	{"I/O", VALUE(METRIC_IO)},
	{"time", VALUE(METRIC_ELAPSED)},
};

static const struct table_column speedup[] = {
	{"model"},
	{"cores", VALUE(METRIC_WORKERS)},
	{"median", VALUE(METRIC_ELAPSED)},
	{"speed-up", TABLE_RIGHT, TABLE_RATIO, .emphasis = TABLE_STRONG},
	{"95 % interval", TABLE_CENTRE, TABLE_RATIO, .range = true},
	{"efficiency", TABLE_RIGHT},
	{"ideal", TABLE_RIGHT, TABLE_RATIO, .emphasis = TABLE_DIM},
};

static const struct table_column levels[] = {
	{"model"},
	{"level"},
	{"tasks", VALUE(METRIC_WORKERS)},
	{"create", VALUE(METRIC_ELAPSED)},
	{"99 %", VALUE(METRIC_ELAPSED)},
	{"start", VALUE(METRIC_ELAPSED)},
	{"99 %", VALUE(METRIC_ELAPSED)},
	{"work", VALUE(METRIC_ELAPSED)},
	{"99 %", VALUE(METRIC_ELAPSED)},
	{"join", VALUE(METRIC_ELAPSED)},
	{"99 %", VALUE(METRIC_ELAPSED)},
};

static const struct table_column latency[] = {
	{"primitive"},
	{"begins on"},
	{"time"},
	{"n", VALUE(METRIC_WORKERS)},
	{"min", TABLE_RIGHT, TABLE_MICROS},
	{"p50", TABLE_RIGHT, TABLE_MICROS},
	{"p90", TABLE_RIGHT, TABLE_MICROS},
	{"p99", TABLE_RIGHT, TABLE_MICROS},
	{"max", TABLE_RIGHT, TABLE_MICROS},
	{"first", TABLE_RIGHT, TABLE_MICROS},
	{"MHz", TABLE_RIGHT},
	{"quoted", TABLE_RIGHT, .emphasis = TABLE_DIM},
};

static const struct table_column operations[] = {
	{"model"},
	{"n", TABLE_RIGHT},
	{"mean", TABLE_RIGHT, TABLE_MICROS},
	{"min", TABLE_RIGHT, TABLE_MICROS},
	{"p50", TABLE_RIGHT, TABLE_MICROS},
	{"p90", TABLE_RIGHT, TABLE_MICROS},
	{"p99", TABLE_RIGHT, TABLE_MICROS},
	{"max", TABLE_RIGHT, TABLE_MICROS},
};

static const struct table_column comparison[] = {
	{"compared"},
	{"ratio", TABLE_RIGHT, TABLE_RATIO},
	{"interval", TABLE_CENTRE, TABLE_RATIO, .range = true},
	{"pairs", VALUE(METRIC_WORKERS)},
	{"faster"},
};

static const struct table_column values[] = {
	{"model"},
	{"compared"},
	{"ratio", TABLE_RIGHT, TABLE_RATIO},
	{"interval", TABLE_CENTRE, TABLE_RATIO, .range = true},
	{"lower"},
	{"pairs", VALUE(METRIC_WORKERS)},
};

static const struct table_column why[] = {
	{"compared"},
	{"part"},
	{"difference", TABLE_RIGHT},
	{"interval", TABLE_CENTRE},
	{"pairs", VALUE(METRIC_WORKERS)},
	{"is it real"},
};

static const struct table_column wakes[] = {
	{"model"},
	{"after"},
	{"woken by"},
	{"n", VALUE(METRIC_WORKERS)},
	{"p50", TABLE_RIGHT, TABLE_MICROS},
	{"p90", TABLE_RIGHT, TABLE_MICROS},
	{"p99", TABLE_RIGHT, TABLE_MICROS},
	{"max", TABLE_RIGHT, TABLE_MICROS},
};

static const struct table_column pool[] = {
	{"compared"},
	{"from a task of", VALUE(METRIC_OPERATION), .emphasis = TABLE_STRONG},
	{"between", TABLE_CENTRE},
	{"tried", RANGE(METRIC_OPERATION)},
};

static const struct table_column crossover[] = {
	{"compared"},
	{"elapsed", TABLE_CENTRE},
	{"cpu time", TABLE_CENTRE},
	{"PSS", TABLE_CENTRE},
};

static const struct table_column runs[] = {
	{"model"},
	{"trial", TABLE_RIGHT, .emphasis = TABLE_DIM},
	{NULL, VALUE(METRIC_ELAPSED)},
	{NULL, VALUE(METRIC_CPU)},
	{NULL, VALUE(METRIC_CORES)},
	{NULL, VALUE(METRIC_MEMORY)},
	{NULL, VALUE(METRIC_CREATE)},
	{"status", .emphasis = TABLE_DIM},
};

const char *table_headline(const struct model *model)
{
	switch (model_headline(model)) {
	case METRIC_TASK:
		return "until the task runs";
	case METRIC_OPERATION:
		return latency_operation(model);
	case METRIC_STEP:
		return "per operation";
	default:
		return "elapsed";
	}
}

/* Rows */

static void fill_elapsed(const struct model *model, struct table *table)
{
	struct report_summary s;
	struct answer answer;
	int err = answer_read(&answer, model);

	table_fail(table, err);
	snprintf(table->title, sizeof(table->title), "%s", table_headline(model));
	memcpy(table->own, table->columns, table->n_columns * sizeof(*table->columns));
	for (size_t i = 0; i < table->n_columns; i++)
		if (table->own[i].kind == TABLE_METRIC)
			table->own[i].metric = model_headline(model);
	table->columns = table->own;
	/* In the order of the answer, which stands above it. */
	for (uint32_t at = 0; at < model->n_cases && !err; at++) {
		uint32_t i = answer.order[at];
		size_t counted = 0;

		if (comparison_mixed(&model->cases[i]) ||
		    model->cases[i].plan.primitive == PLAN_CALL)
			continue;
		table_fail(table, report_summarize(model, i, model_headline(model), &s));
		table_add_case(table, model, i);
		table_add_value(table, s.median.estimate);
		table_add_value(table, s.mean);
		table_add_range(table, &s.median, report_no_interval(model, i, s.n));
		table_add_value(table, s.least);
		table_add_value(table, s.most);
		for (size_t k = 0; k < model->n_runs; k++)
			counted += model->runs[k].id.case_id == i &&
				   report_counts(model, &model->runs[k]);
		table_add_words(table, "%zu of %zu", s.n, counted);
	}
	answer_free(&answer);
}

void table_add_medians(struct table *table, const struct model *model, uint32_t case_id,
		       size_t column)
{
	struct report_summary s;

	for (; column < table->n_columns; column++) {
		enum model_metric metric = table->columns[column].metric;
		const struct variable *quota;
		struct table_cell *cell;
		int seen;

		table_fail(table, report_summarize(model, case_id, metric, &s));
		cell = table_add_value(table, s.median.estimate);
		cell->estimated = answer_is_estimated(model, case_id, metric, &seen);
		cell->at_start = seen == SEEN_START;
		/* a run without a quota has no time that one could have taken */
		quota = variables_find(&model->cases[case_id].variables, "quota");
		if (!metric_is(metric, METRIC_OF_QUOTAS) || !isnan(cell->value) || !quota ||
		    strcmp(quota->value, "max") != 0 || cell == &table->spare)
			continue;
		cell->words = strdup(quota->value);
		cell->instead = cell->words != NULL;
		table_fail(table, cell->words ? 0 : -ENOMEM);
	}
}

static void fill_medians(const struct model *model, struct table *table, size_t place_at)
{
	char text[SAMPLE_TEXT] = "";
	struct sentence note = {text, sizeof(text), 0};
	struct report_summary all, one;
	bool said;

	/* A column for each metric that has a place here and the session can have, in order. */
	table_begin_columns(table, "model");
	for (uint8_t place = 1; place < TABLE_OWN; place++) {
		enum model_metric i = 0;

		while (i < METRICS && *((const uint8_t *)&metric_table[i] + place_at) != place)
			i++;
		if (i < METRICS && metric_applies(model, i))
			table_add_column(table, NULL, i);
	}
	table->own[1].emphasis = TABLE_STRONG;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		table_add_case(table, model, i);
		table_add_medians(table, model, i, 1);
		/* "threads: user 2 of 12" where a median is of fewer trials than its case has. */
		said = false;
		table_fail(table, report_summarize(model, i, METRIC_CPU, &all));
		for (size_t column = 1; column < table->n_columns; column++) {
			enum model_metric metric = table->columns[column].metric;

			table_fail(table, report_summarize(model, i, metric, &one));
			if (one.n == 0 || one.n >= all.n)
				continue;
			if (!said)
				sentence_add(&note,
					     "%s%s: ", note.used ? "; " : "Of fewer trials: ",
					     MODEL_CASE_NAME(model, i));
			sentence_add(&note, "%s%s %zu of %zu", said ? ", " : "",
				     metric_table[metric].title, one.n, all.n);
			said = true;
		}
	}
	if (note.used)
		table_note(table, "%s.", text);
}

static void fill_costs(const struct model *model, struct table *table)
{
	char text[SAMPLE_TEXT];

	fill_medians(model, table, offsetof(struct metric, cost));
	table_note_split(model, table);
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = model_latest(model, i);

		if (run && model_ended(model, run) && *sched_tasks(model, run, text, sizeof(text)))
			table_note(table, "%s: %s in its last run.", MODEL_CASE_NAME(model, i),
				   text);
	}
	/* The cost of measuring, where others than the front end have a part in it. */
	if (report_own_cost(model, text, sizeof(text)))
		table_note(table, "%c%s.", toupper((unsigned char)*text), text + 1);
}

static void fill_memory(const struct model *model, struct table *table)
{
	static const char *const ways[SEEN_WAYS] = {
		[SEEN_START] = "were read before the work, so their peaks are higher (≥)",
		[SEEN_SAMPLED] = "are the most of some readings, so a short peak may be missed",
		[SEEN_PEAK] = "are the peaks that the kernel keeps of a process",
		[SEEN_PEAKS] = "are at least the peak: the sum of the peaks that the kernel keeps",
	};
	bool missed = false, denied = false;

	fill_medians(model, table, offsetof(struct metric, memory));
	table_note(
		table,
		"PSS divides a page among the processes that map it. RSS, as in top, counts it "
		"once per process. Neither includes kernel memory: stacks, page tables and slab.");
	for (int way = 0; way < SEEN_WAYS; way++) {
		char text[SAMPLE_TEXT] = "";
		struct sentence names = {text, sizeof(text), 0};
		uint32_t n = 0;
		int seen;

		for (uint32_t i = 0; i < model->n_cases; i++) {
			answer_is_estimated(model, i, METRIC_PSS, &seen);
			if (seen < 0)
				answer_is_estimated(model, i, METRIC_RSS, &seen);
			if (seen == way && n++ < 4)
				sentence_add(&names, "%s%s", n > 1 ? ", " : "",
					     MODEL_CASE_NAME(model, i));
		}
		if (n > 4)
			sentence_add(&names, " and %u more", n - 4);
		if (n > 0)
			table_note(table, "RSS, PSS and USS of %s %s.", text, ways[way]);
	}
	for (size_t i = 0; i < model->n_messages; i++)
		denied |= model->messages[i].kind == MESSAGE_NO_PSS;
	for (const struct model_run *run = NULL;
	     (run = model_next_measured(model, run, 0, model->n_cases));)
		missed |= model->cases[run->id.case_id].plan.leaves[WORK_PROGRAM] > 0 &&
			  !isnan(metric_value(run, METRIC_RSS)) &&
			  isnan(metric_value(run, METRIC_PSS));
	if (missed && !denied)
		table_note(table,
			   "PSS is ? of runs in which no reading came close to a program's peak.");
}

/* A run that goes on has only its time so far. */
static void add_run(const struct model *model, const struct model_run *run, struct table *table)
{
	const char *reason = run->totals.status == SAMPLE_OK ? "" : run->totals.reason;
	bool ended = model_ended(model, run);

	table_add_case(table, model, run->id.case_id);
	table_add_words(table, run->id.trial ? "%u" : "warm-up", run->id.trial);
	if (ended)
		table_add_value(table, metric_result(run, METRIC_ELAPSED));
	else
		table_add_value(table, (double)model_elapsed(model, run))->emphasis = TABLE_DIM;
	for (size_t i = 3; i + 1 < table->n_columns; i++) {
		enum model_metric metric = table->columns[i].metric;
		struct table_cell *cell;

		if (!ended) {
			table_add_words(table, "%s", "");
			continue;
		}
		cell = table_add_value(table, metric_result(run, metric));
		cell->estimated = metric_is_estimated(&run->totals.memory, metric);
		cell->at_start = metric_seen(&run->totals.memory, metric) == SEEN_START;
	}
	if (!ended)
		table_add_words(table, "running");
	else
		table_add_words(table, "%s%s%s%s", report_status(run),
				run->totals.paused		? ", paused: not counted"
				: model_is_replaced(model, run) ? ", crowded: repeated, not counted"
				: run->totals.throttled_periods > 0 ? ", throttled"
								    : "",
				*reason ? ": " : "", reason)
			->emphasis = run->totals.status == SAMPLE_OK ? TABLE_DIM : TABLE_BAD;
}

static void fill_trials(const struct model *model, struct table *table)
{
	for (size_t i = 0; i < model->n_runs; i++)
		if (report_counts(model, &model->runs[i]))
			add_run(model, &model->runs[i], table);
}

static void fill_runs(const struct model *model, struct table *table)
{
	for (size_t i = 0; i < model_runs_begun(model); i++)
		add_run(model, &model->runs[i], table);
}

/* All of them */

struct description {
	const char *title;
	const struct table_column *columns;
	size_t n_columns;
	void (*fill)(const struct model *model, struct table *table);
	bool grouped;
};

#define COLUMNS(columns) columns, sizeof(columns) / sizeof((columns)[0])

static const struct description descriptions[TABLES] = {
	[TABLE_ANSWER] = {"answer", .fill = table_answer},
	[TABLE_FAULTS] = {"one worker's fault", COLUMNS(faults), table_faults},
	[TABLE_STEPS] = {"steps", .fill = table_steps},
	[TABLE_TASKS] = {"each task", COLUMNS(tasks), table_tasks},
	[TABLE_MESSAGES] = {"messages", COLUMNS(messages), table_messages},
	[TABLE_ELAPSED] = {"elapsed", COLUMNS(elapsed), fill_elapsed},
	[TABLE_COSTS] = {"where it went", .fill = fill_costs},
	[TABLE_MEMORY] = {"memory at its peak", .fill = fill_memory},
	[TABLE_COUNTERS] = {"counters", .fill = table_counters},
	[TABLE_PATH] = {"where the elapsed time went", .fill = table_path},
	[TABLE_WHY] = {"why", COLUMNS(why), table_why, true},
	[TABLE_WAKES] = {"µs waited for a core", COLUMNS(wakes), table_wakes, true},
	[TABLE_SCALING] = {"how it scales", COLUMNS(scaling), table_scaling},
	[TABLE_SPEEDUP] = {"speed-up", COLUMNS(speedup), table_speedup},
	[TABLE_LEVELS] = {"where the time of a task goes", COLUMNS(levels), table_levels, true},
	[TABLE_LATENCY] = {"µs per creation", COLUMNS(latency), table_latency, true},
	[TABLE_OPERATIONS] = {"µs each", COLUMNS(operations), table_operations},
	[TABLE_COMPARISON] = {"compared", COLUMNS(comparison), table_comparison},
	[TABLE_PIVOT] = {"median elapsed", .fill = table_pivot},
	[TABLE_VALUES] = {"over the values", COLUMNS(values), table_values},
	[TABLE_POOL] = {"when a pool no longer matters", COLUMNS(pool), table_pool},
	[TABLE_CROSSOVER] = {"where the curves cross", COLUMNS(crossover), table_crossover},
	[TABLE_TRIALS] = {"every trial", COLUMNS(runs), fill_trials},
	[TABLE_RUNS] = {"all runs", COLUMNS(runs), fill_runs},
};

int table_build(const struct model *model, enum table_id id, struct table *out)
{
	const struct description *description = &descriptions[id];

	*out = (struct table) {
		.columns = description->columns,
		.n_columns = description->n_columns,
		.grouped = description->grouped,
	};
	snprintf(out->title, sizeof(out->title), "%s", description->title);
	description->fill(model, out);
	return out->err;
}
