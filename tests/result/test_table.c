/* SPDX-License-Identifier: MIT */
#include "result/table.h"

#include "stage/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "result/report.h"
#include "stage/programs.h"
#include "stage/synthetic.h"
#include "write/export.h"

typedef void make_session(struct synthetic *session, uint32_t trials);

static make_session *const sessions[] = {synthetic_mixed, synthetic_tree,   synthetic_scaling,
					 synthetic_hello, synthetic_shapes, synthetic_creation};

#define SESSIONS (sizeof(sessions) / sizeof(sessions[0]))

static void make(struct model *model, make_session *session, uint32_t trials)
{
	struct synthetic synthetic;

	session(&synthetic, trials);
	synthetic_model(&synthetic, model);
}

static const char *cell(const struct table *table, size_t row, size_t column)
{
	static char buf[TABLE_TEXT];

	return table_text(table, row, column, " to ", buf);
}

static void expect_80_columns(const struct model *model)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(write_all_tables(model, out), 0);
	fclose(out);
	for (char *line = text; *line; line = strchr(line, '\n') + 1)
		assert_in_range(strcspn(line, "\n"), 0, 80);
	for (size_t i = 0; i < size; i++)
		assert_in_range(text[i], '\n', '~');
	assert_null(strstr(text, " \n"));
	free(text);
}

static void text_is_ascii_in_80_columns_whatever_is_measured(void **state)
{
	struct model model;

	for (size_t i = 0; i < SESSIONS; i++) {
		make(&model, sessions[i], 2);
		expect_80_columns(&model);
		model_free(&model);
	}
}

/* If a row has lines in several blocks, each block is named. */
static void every_block_of_a_creation_names_its_rows(void **state)
{
	struct model model;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int blocks = 0;

	make(&model, synthetic_creation, 6);
	model.session.machine.mhz = -1;
	assert_int_equal(write_all_tables(&model, out), 0);
	fclose(out);
	for (char *line = text; (line = strstr(line, "\n  begins on ")); blocks++) {
		line += strlen("\n  begins on ");
		assert_int_equal(strncmp(line + strspn(line, " "), "time ", 5), 0);
	}
	assert_true(blocks > 1);
	assert_non_null(strstr(text, "CPU frequency ?, because this machine does not report one"));
	free(text);
	model_free(&model);
}

static void two_recordings_are_in_80_columns_as_well(void **state)
{
	struct model parts[2], model;

	make(&parts[0], synthetic_mixed, 6);
	make(&parts[1], synthetic_scaling, 2);
	assert_int_equal(model_join(parts, &model), 0);
	expect_80_columns(&model);
	model_free(&model);
	model_free(&parts[0]);
	model_free(&parts[1]);
}

static void every_row_is_whole_and_of_a_case(void **state)
{
	for (size_t i = 0; i < SESSIONS; i++) {
		struct model model;

		make(&model, sessions[i], 2);
		for (enum table_id id = 0; id < TABLES; id++) {
			struct table table;

			assert_int_equal(table_build(&model, id, &table), 0);
			assert_int_equal(table.n_cells, table_rows(&table) * table.n_columns);
			assert_null(strstr(table.note ? table.note : "", "  "));
			assert_true(id != TABLE_POOL || !table.note == !table_rows(&table));
			for (size_t row = 0; row < table_rows(&table); row++)
				assert_true(*cell(&table, row, 0));
			table_free(&table);
		}
		model_free(&model);
	}
}

static void a_session_has_the_tables_of_what_it_measures(void **state)
{
	static const struct {
		make_session *session;
		enum table_id id;
		size_t rows;
	} expected[] = {
		{synthetic_mixed, TABLE_ELAPSED, 2},
		{synthetic_mixed, TABLE_SCALING, 0},
		{synthetic_mixed, TABLE_LEVELS, 0},
		{synthetic_mixed, TABLE_LATENCY, 0},
		{synthetic_mixed, TABLE_CROSSOVER, 0},
		{synthetic_scaling, TABLE_SCALING, 14},
		{synthetic_scaling, TABLE_CROSSOVER, 1},
		{synthetic_tree, TABLE_LEVELS, 8},
		{synthetic_creation, TABLE_LATENCY, 107},
		{synthetic_creation_old, TABLE_LATENCY, 44},
		{synthetic_creation, TABLE_ELAPSED, 14},
		{synthetic_creation, TABLE_CROSSOVER, 0},
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		struct model model;
		struct table table;

		make(&model, expected[i].session, 2);
		assert_int_equal(table_build(&model, expected[i].id, &table), 0);
		assert_int_equal(table_rows(&table), expected[i].rows);
		table_free(&table);
		model_free(&model);
	}
}

/*
 * Twelve tasks of `b`, each shorter than the one before. Every second trial takes 1.5 times as
 * long.
 */
static void fill_longest(struct programs_run *run, const void *arg)
{
	const int64_t ms = 1000000;
	const int n = run->id.case_id == 1 ? 12 : 1;

	run->elapsed_ns = (run->id.trial == 2 ? 200 : run->id.trial == 1 ? 150 : 300) * ms;
	for (int i = 0; i < n; i++) {
		uint32_t task = programs_task(run, i == 0 ? -1 : 0, i == 11, i < 2 ? "make" : "cc1",
					      i * ms, run->elapsed_ns - i * ms);

		programs_slice(run, task, (i + 10) * ms, (i + 20) * ms, WHY_BLOCKED, WAIT_FILE);
		programs_slice(run, task, (i + 50) * ms, run->elapsed_ns - i * ms, WHY_ENDED,
			       i == 0 ? WAIT_CHILD : WAIT_PIPE);
	}
}

static void the_ten_tasks_that_lived_longest_are_of_the_trial_nearest_to_the_medians(void **state)
{
	const struct programs programs = {.trials = 3, .fill = fill_longest};
	struct model model;
	struct table table;

	programs_model(&programs, &model);
	assert_int_equal(table_build(&model, TABLE_LONGEST, &table), 0);
	assert_int_equal(table_rows(&table), 1 + 10);
	assert_string_equal(cell(&table, 1, 0), "b");
	assert_string_equal(cell(&table, 1, 1), "make");
	assert_string_equal(cell(&table, 3, 1), "cc1");
	assert_string_equal(cell(&table, 1, 3), "200 ms");
	assert_string_equal(cell(&table, 3, 2), "2.00 ms");
	assert_string_equal(cell(&table, 3, 3), "196 ms");
	assert_string_equal(cell(&table, 1, 8), "child 100 %");
	assert_string_equal(cell(&table, 2, 8), "pipe 100 %");
	assert_string_equal(cell(&table, 1, 9), "0");
	assert_non_null(strstr(table.note, "(a trial 2, b trial 2), the ten tasks"));
	table_free(&table);
	model_free(&model);
}

static void fill_short_waits(struct programs_run *run, const void *arg)
{
	const int64_t ms = 1000000;
	uint32_t task;

	run->elapsed_ns = 100 * ms;
	task = programs_task(run, -1, false, "make", 0, run->elapsed_ns);
	programs_slice(run, task, 10 * ms, 20 * ms, WHY_BLOCKED, 0);
	programs_slice(run, task, 50 * ms, run->elapsed_ns, WHY_ENDED, 0);
}

static void a_short_wait_says_why_its_cause_is_unknown(void **state)
{
	const struct programs programs = {.trials = 3, .fill = fill_short_waits};
	struct model model;
	struct table table;

	programs_model(&programs, &model);
	assert_int_equal(table_build(&model, TABLE_LONGEST, &table), 0);
	assert_non_null(
		strstr(table.note, "? in most on: the task's waits were shorter than the time"));
	table_free(&table);
	model_free(&model);
}

static void a_value_has_a_row(void **state)
{
	static const char *const begins[] = {"alloc=0", "alloc=400"};
	struct synthetic session;
	struct model model;
	struct table table;

	synthetic_mixed(&session, 6);
	for (uint32_t i = 0; i < 2; i++)
		synthetic_vary(&session.list[i].variables, "alloc=0");
	synthetic_add(&session, "threads", "alloc=400", 3100000000);
	synthetic_add(&session, "processes", "alloc=400", 3200000000);
	synthetic_model(&session, &model);
	assert_int_equal(table_build(&model, TABLE_PIVOT, &table), 0);
	assert_int_equal(table_rows(&table), sizeof(begins) / sizeof(begins[0]));
	for (size_t i = 0; i < table_rows(&table); i++)
		assert_string_equal(cell(&table, i, 0), begins[i]);
	table_free(&table);
	model_free(&model);
}

/*
 * A run without a quota cannot be throttled, so the table shows that reason, not an unknown value.
 */
static void a_case_without_a_quota_is_named(void **state)
{
	struct synthetic session;
	struct model model;
	struct table table;

	synthetic_mixed(&session, 6);
	for (uint32_t i = 0; i < 2; i++)
		synthetic_vary(&session.list[i].variables, i ? "quota=0.5" : "quota=max");
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.case_id == 1)
			model.runs[i].totals.throttled_us = 3000;
	assert_int_equal(table_build(&model, TABLE_COSTS, &table), 0);
	for (size_t column = 1; column < table.n_columns; column++)
		if (table.columns[column].metric == METRIC_THROTTLED) {
			assert_string_equal(cell(&table, 0, column), "max");
			assert_string_equal(cell(&table, 1, column), "3.00 ms");
			table_free(&table);
			model_free(&model);
			return;
		}
	fail();
}

static void every_metric_with_a_place_has_its_column(void **state)
{
	static const struct {
		enum table_id id;
		size_t place_at;
	} tables[] = {{TABLE_COSTS, offsetof(struct metric, cost)},
		      {TABLE_MEMORY, offsetof(struct metric, memory)}};
	struct synthetic session;
	struct model model;
	struct table table;

	synthetic_mixed(&session, 6);
	synthetic_model(&session, &model);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		size_t n = 1;

		assert_int_equal(table_build(&model, tables[i].id, &table), 0);
		for (enum model_metric metric = 0; metric < METRICS; metric++) {
			const uint8_t *row = (const uint8_t *)&metric_table[metric];

			/* the table has room for each, whatever its number */
			assert_in_range(row[tables[i].place_at], 0, TABLE_OWN - 1);
			n += row[tables[i].place_at] > 0 && metric_applies(&model, metric);
		}
		assert_int_equal(table.n_columns, n);
		table_free(&table);
	}
	model_free(&model);
}

static void switches_by_sched_yield_are_said_where_they_count(void **state)
{
	struct synthetic session;
	struct model model;
	struct table table;

	synthetic_mixed(&session, 6);
	for (int way = 0; way < 3; way++) {
		session.list[0].via = way == 1 ? VIA_MEMORY : VIA_NONE;
		session.list[0].variables.n = 0;
		if (way == 2)
			synthetic_vary(&session.list[0].variables, "via=spinlock");
		synthetic_model(&session, &model);
		assert_int_equal(table_build(&model, TABLE_COSTS, &table), 0);
		assert_int_equal(table.note && strstr(table.note, "sched_yield(2)"), way > 0);
		table_free(&table);
		model_free(&model);
	}
}

static void energy_has_a_column_where_it_is_known(void **state)
{
	struct synthetic session;
	struct model model;
	struct table table;

	synthetic_mixed(&session, 6);
	synthetic_model(&session, &model);
	assert_int_equal(table_build(&model, TABLE_COSTS, &table), 0);
	for (size_t column = 0; column < table.n_columns; column++)
		assert_int_not_equal(table.columns[column].metric, METRIC_ENERGY);
	table_free(&table);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.case_id == 1)
			model.runs[i].totals.energy_uj = 1500000;
	assert_int_equal(table_build(&model, TABLE_COSTS, &table), 0);
	assert_int_equal(table.columns[table.n_columns - 1].metric, METRIC_ENERGY);
	assert_string_equal(cell(&table, 0, table.n_columns - 1), "?");
	assert_string_equal(cell(&table, 1, table.n_columns - 1), "1.50");
	table_free(&table);
	model_free(&model);
}

/* Values of programs may differ only at their ends, and a case may have more than its variable. */
static void a_value_is_whole_however_long(void **state)
{
	static const char *const values[] = {
		"command=ééééééééééééééééééééééééééééa env:NAME=é",
		"command=ééééééééééééééééééééééééééééb env:NAME=é",
	};
	struct synthetic session;
	struct model model;
	struct table table;

	synthetic_mixed(&session, 6);
	for (int i = 0; i < 2; i++) {
		char text[SAMPLE_TEXT];

		snprintf(text, sizeof(text), "%s", values[i]);
		*strchr(text, ' ') = ';';
		for (uint32_t j = 0; j < 2 && i == 0; j++)
			variables_parse(&session.list[j].variables, text);
		if (i == 1) {
			synthetic_add(&session, "threads", text, 3100000000);
			synthetic_add(&session, "processes", text, 3200000000);
		}
	}
	synthetic_model(&session, &model);
	assert_int_equal(table_build(&model, TABLE_PIVOT, &table), 0);
	for (size_t i = 0; i < 2; i++)
		assert_string_equal(cell(&table, i, 0), values[i]);
	table_free(&table);
	model_free(&model);
}

static void wakes(struct synthetic *session, uint32_t trials)
{
	synthetic_mixed(session, trials);
	session->slices = session->wakes = true;
}

/*
 * After a block there is one row for all, then one for each who woke the worker. The barrier opens
 * for all at once.
 */
static void wake_ups_have_a_row_for_each_who_woke(void **state)
{
	struct model model;
	struct table table;

	make(&model, wakes, 2);
	assert_int_equal(table_build(&model, TABLE_WAKES, &table), 0);
	assert_int_equal(table_rows(&table), 2 * 4);
	assert_string_equal(cell(&table, 0, 1), "the barrier");
	assert_string_equal(cell(&table, 0, 2), "the first task");
	assert_true(table_cell(&table, 0, 3)->value == 16); /* 8 workers in 2 trials */
	assert_string_equal(cell(&table, 1, 2), "all");
	assert_string_equal(cell(&table, 2, 2), "a worker");
	assert_string_equal(cell(&table, 3, 2), "an interrupt");
	assert_true(table_cell(&table, 1, 3)->value ==
		    table_cell(&table, 2, 3)->value + table_cell(&table, 3, 3)->value);
	assert_string_equal(cell(&table, 1, 7), "120");
	assert_null(strstr(table.note, "not known"));
	table_free(&table);
	snprintf(model.session.wakes, SAMPLE_LABEL, "tracefs cannot be read");
	assert_int_equal(table_build(&model, TABLE_WAKES, &table), 0);
	assert_non_null(strstr(table.note,
			       "Wake-ups after a block need tracefs, which only root may "
			       "read."));
	table_free(&table);
	model_free(&model);
}

static void unknown_figures_have_their_reason(void **state)
{
	struct model model;
	struct table table;

	make(&model, synthetic_mixed, 5);
	assert_int_equal(table_build(&model, TABLE_ELAPSED, &table), 0);
	assert_string_equal(cell(&table, 0, 3), "?");
	assert_string_equal(table_cell(&table, 0, 3)->words, "six trials needed");
	table_free(&table);
	assert_int_equal(table_build(&model, TABLE_COMPARISON, &table), 0);
	assert_string_equal(cell(&table, 0, 4), "too few trials");
	table_free(&table);
	model_free(&model);
}

static void forget(struct model *model, size_t offset)
{
	for (size_t i = 0; i < model->n_runs; i++)
		*(int64_t *)(void *)((char *)&model->runs[i].totals + offset) = -1;
}

static const char *counters_note(const struct model *model, size_t columns)
{
	static char note[SAMPLE_TEXT];
	struct table table;

	assert_int_equal(table_build(model, TABLE_COUNTERS, &table), 0);
	assert_int_equal(table.n_columns, columns);
	assert_int_equal(table_rows(&table), model->n_cases);
	snprintf(note, sizeof(note), "%s", table.note ? table.note : "");
	table_free(&table);
	return note;
}

static void make_counted(struct model *model)
{
	struct synthetic synthetic;

	synthetic_mixed(&synthetic, 6);
	synthetic.counters = true;
	synthetic_model(&synthetic, model);
}

static void counters_are_a_table(void **state)
{
	struct table table;
	struct model model;

	make_counted(&model);
	assert_int_equal(table_build(&model, TABLE_COUNTERS, &table), 0);
	assert_int_equal(table.n_columns, 9);
	assert_string_equal(cell(&table, 0, 0), "threads");
	for (size_t i = 1; i < table.n_columns; i++)
		assert_false(isnan(table_cell(&table, 1, i)->value));
	assert_string_equal(table_title(&table.columns[4]), "cycles");
	assert_string_equal(cell(&table, 0, 4), "13.7 G");
	/* The mean of six workers with 2 instructions per cycle, and two with 1. */
	assert_string_equal(cell(&table, 0, 6), "1.96");
	assert_string_equal(table.note,
			    "The processor's counters cover the workers in user mode only, not the "
			    "kernel.");
	table_free(&table);
	expect_80_columns(&model);
	model_free(&model);
}

static void missing_counts_are_named_with_the_reason(void **state)
{
	static const size_t counts[] = {offsetof(struct sample_totals, cycles),
					offsetof(struct sample_totals, instructions),
					offsetof(struct sample_totals, cache_misses)};
	struct model model;

	make_counted(&model);
	forget(&model, offsetof(struct sample_totals, tlb_misses));
	assert_non_null(strstr(
		counters_note(&model, 8),
		" Not known: TLB misses (this processor has no counter for it, or no free one)."));
	forget(&model, offsetof(struct sample_totals, cycles));
	assert_non_null(strstr(counters_note(&model, 6),
			       "cycles, per cycle, TLB misses (unknown for some "
			       "workers: see 6, Messages)."));
	for (size_t i = 0; i < 3; i++)
		forget(&model, counts[i]);
	strcpy(model.session.counters, "this machine shows none");
	assert_string_equal(counters_note(&model, 4),
			    "Not known: cycles, instructions, per cycle, cache misses, TLB misses "
			    "(this machine shows none).");
	forget(&model, offsetof(struct sample_totals, migrations));
	strcpy(model.session.sched, "off");
	assert_non_null(strstr(counters_note(&model, 3), "migrations (-s sched=off); cycles, in"));
	strcpy(model.session.sched, "own");
	assert_non_null(strstr(counters_note(&model, 3),
			       "migrations (measured only for loops of at least 3 ms, or with -s "
			       "sched=perf); "));
	model.session.counters[0] = '\0';
	assert_non_null(strstr(counters_note(&model, 3),
			       "TLB misses (not in recordings of earlier versions)."));
	expect_80_columns(&model);
	model_free(&model);
}

static void each_recording_has_its_own_reason(void **state)
{
	struct model parts[2], model;

	make_counted(&parts[0]);
	make(&parts[1], synthetic_mixed, 2);
	strcpy(parts[1].session.counters, "this machine shows none");
	assert_int_equal(model_join(parts, &model), 0);
	assert_non_null(strstr(counters_note(&model, 9), "not the kernel. "));
	assert_non_null(strstr(counters_note(&model, 9), ": this machine shows none."));
	assert_null(strstr(counters_note(&model, 9), "Not known"));
	expect_80_columns(&model);
	model_free(&model);
	model_free(&parts[0]);
	model_free(&parts[1]);
}

/* Ways to create a task, which are all compared with the same one, are sorted by their median. */
static void elapsed_times_have_the_order_of_the_answer(void **state)
{
	struct model model;
	struct table answer, elapsed;
	size_t at = 0;

	make(&model, synthetic_creation, 6);
	for (uint32_t i = 0; i < model.n_cases; i++)
		model.cases[i].variables.n = 0;
	assert_int_equal(table_build(&model, TABLE_ANSWER, &answer), 0);
	assert_int_equal(table_build(&model, TABLE_ELAPSED, &elapsed), 0);
	for (size_t row = 0; row < table_rows(&elapsed); row++) {
		int32_t case_id = table_cell(&elapsed, row, 0)->case_id;

		while (at < table_rows(&answer) && table_cell(&answer, at, 0)->case_id != case_id)
			at++;
		assert_true(at < table_rows(&answer));
	}
	table_free(&answer);
	table_free(&elapsed);
	model_free(&model);
}

/* Programs that -s for ends are compared by their CPU time. */
static void a_table_is_titled_by_the_metric_of_its_columns(void **state)
{
	struct model model;
	struct table table;

	make(&model, synthetic_mixed, 2);
	model.session.for_ns = 1;
	assert_int_equal(table_build(&model, TABLE_ELAPSED, &table), 0);
	assert_int_equal(table.columns[1].metric, METRIC_CPU);
	assert_string_equal(table.title, "cpu time");
	table_free(&table);
	model_free(&model);
}

static void a_cell_is_written_with_its_unit(void **state)
{
	struct model model;
	struct table table;

	make(&model, synthetic_mixed, 6);
	assert_int_equal(table_build(&model, TABLE_ELAPSED, &table), 0);
	assert_string_equal(table.title, "elapsed");
	assert_string_equal(cell(&table, 0, 0), "threads");
	assert_string_equal(cell(&table, 0, 1), "2.95 s");
	assert_string_equal(cell(&table, 1, 1), "3.00 s");
	assert_string_equal(cell(&table, 1, 2), "2.99 s"); /* the mean */
	assert_string_equal(cell(&table, 0, 3), "2.93 s to 2.98 s");
	assert_string_equal(cell(&table, 0, 6), "6 of 6");
	table_free(&table);
	assert_int_equal(table_build(&model, TABLE_COMPARISON, &table), 0);
	assert_string_equal(cell(&table, 0, 1), "1.01");
	assert_string_equal(cell(&table, 0, 4), "at most 2.7 % apart");
	table_free(&table);
	model_free(&model);
}

/* The trials that count do not include the replaced one. */
static void a_replaced_trial_stands_among_all_runs(void **state)
{
	struct synthetic session;
	struct model model;
	struct table table;

	synthetic_mixed(&session, 3);
	session.crowded_trial = 2;
	synthetic_model(&session, &model);
	assert_int_equal(table_build(&model, TABLE_RUNS, &table), 0);
	assert_int_equal(table_rows(&table), 8);
	for (size_t row = 0; row < 8; row++)
		assert_string_equal(cell(&table, row, table.n_columns - 1),
				    model.runs[row].id.trial == 2
					    ? "ok, crowded: repeated, not counted"
					    : "ok");
	table_free(&table);
	assert_int_equal(table_build(&model, TABLE_TRIALS, &table), 0);
	assert_int_equal(table_rows(&table), 6);
	table_free(&table);
	model_free(&model);
}

static void a_part_of_all_runs_has_the_same_rows(void **state)
{
	struct model model;
	struct table whole, part;
	char text[TABLE_TEXT];

	make(&model, synthetic_mixed, 6);
	assert_int_equal(table_build(&model, TABLE_RUNS, &whole), 0);
	assert_int_equal(table_build_runs(&model, 3, 5, &part), 0);
	assert_int_equal(table_rows(&part), 5);
	for (size_t row = 0; row < 5; row++)
		for (size_t i = 0; i < part.n_columns; i++)
			assert_string_equal(cell(&part, row, i),
					    table_text(&whole, row + 3, i, " to ", text));
	table_free(&part);
	assert_int_equal(table_build_runs(&model, model.n_runs - 1, SIZE_MAX, &part), 0);
	assert_int_equal(table_rows(&part), 1);
	table_free(&part);
	assert_int_equal(table_build_runs(&model, model.n_runs + 1, 4, &part), 0);
	assert_int_equal(table_rows(&part), 0);
	table_free(&part);
	table_free(&whole);
	model_free(&model);
}

/* Makes two programs with five tasks in each run, found by the connector. */
static void make_commands(struct model *model)
{
	make(model, synthetic_mixed, 6);
	snprintf(model->session.tasks_by, SAMPLE_LABEL, SAMPLE_TASKS_CONNECTOR);
	for (uint32_t i = 0; i < model->n_cases; i++)
		model->cases[i].plan = (struct plan) {.levels = 1,
						      .fanout = {1},
						      .leaves = {[WORK_PROGRAM] = 1},
						      .barrier = true};
	for (size_t i = 0; i < model->n_runs; i++) {
		model->runs[i].totals.tasks_created = 5;
		model->runs[i].totals.tasks_lost = 0;
	}
	synthetic_changed(model);
}

static void expect_note(const struct model *model, const char *text)
{
	struct table table;

	assert_int_equal(table_build(model, TABLE_ANSWER, &table), 0);
	assert_non_null(strstr(table.note, text));
	table_free(&table);
}

static void the_answer_of_commands_has_the_tasks_that_they_created(void **state)
{
	struct model model;
	struct table table;

	make_commands(&model);
	assert_int_equal(table_build(&model, TABLE_ANSWER, &table), 0);
	assert_string_equal(table.columns[7].title, "tasks created");
	assert_string_equal(cell(&table, 0, 7), "5");
	assert_string_equal(cell(&table, 1, 7), "5");
	assert_string_equal(cell(&table, 1, 8), "same");
	table_free(&table);
	model.runs[model.n_runs - 1].totals.tasks_created = 4;
	synthetic_changed(&model);
	assert_int_equal(table_build(&model, TABLE_ANSWER, &table), 0);
	assert_string_not_equal(cell(&table, 1, 8), "same");
	table_free(&table);
	model_free(&model);
}

static void the_answer_of_short_commands_has_their_RSS(void **state)
{
	struct model model;
	struct table table;

	make_commands(&model);
	assert_int_equal(table_build(&model, TABLE_ANSWER, &table), 0);
	assert_string_equal(table.columns[5].title, "memory");
	table_free(&table);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.case_id == 1)
			model.runs[i].totals.memory.pss_kb = -1;
	synthetic_changed(&model);
	assert_int_equal(table_build(&model, TABLE_ANSWER, &table), 0);
	assert_string_equal(table.columns[5].title, "RSS");
	assert_string_not_equal(cell(&table, 0, 5), "?");
	assert_string_not_equal(cell(&table, 1, 5), "?");
	table_free(&table);
	model_free(&model);
}

static void an_answer_of_commands_without_memory_says_why(void **state)
{
	struct model model;

	make_commands(&model);
	for (size_t i = 0; i < model.n_runs; i++) {
		model.runs[i].totals.memory.pss_kb = -1;
		model.runs[i].totals.memory.rss_kb = -1;
	}
	synthetic_changed(&model);
	expect_note(&model, "Memory is not known (the run was too short to read it).");
	model.runs[model.n_runs - 1].totals.memory_reason = REASON_SHORT_CHILDREN;
	synthetic_changed(&model);
	expect_note(&model, "Memory is not known (its children ended before");
	model_free(&model);
}

/* In more than four rows, long names leave room for two metrics. */
static void an_answer_without_room_for_memory_names_its_table(void **state)
{
	struct synthetic session;
	struct model model;
	char name[64];

	synthetic_mixed(&session, 6);
	for (int i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "a program with a name that is long, %d", i);
		synthetic_add(&session, name, "", 200000000);
	}
	synthetic_model(&session, &model);
	expect_note(&model, "This table has no room for memory: see \"memory at its peak\"");
	model_free(&model);
}

/* More tasks than have a row; all were found. */
static void tasks_beyond_the_rows_are_counted(void **state)
{
	struct model model;
	struct table table;
	char text[128];

	make_commands(&model);
	for (size_t i = 0; i < model.n_runs; i++) {
		model.runs[i].totals.tasks_created = 100000;
		model.runs[i].totals.tasks_lost = 20001;
	}
	synthetic_changed(&model);
	assert_int_equal(table_build(&model, TABLE_ANSWER, &table), 0);
	assert_string_equal(cell(&table, 0, 7), "120,001");
	assert_string_equal(cell(&table, 1, 8), "same");
	table_free(&table);
	assert_string_equal(
		sched_tasks(&model, &model.runs[0], text, sizeof(text)),
		"120,001 tasks by the process connector, of which the first 100,000 have rows");
	model_free(&model);
}

static void tasks_that_were_seen_in_part_are_withheld_with_the_reason(void **state)
{
	struct model model;
	struct table table;

	make_commands(&model);
	for (size_t i = 0; i < model.n_runs; i++)
		model.runs[i].totals.tasks_lost = -1;
	synthetic_changed(&model);
	assert_int_equal(table_build(&model, TABLE_ANSWER, &table), 0);
	assert_string_equal(cell(&table, 0, 7), "?");
	assert_string_equal(cell(&table, 1, 7), "?");
	table_free(&table);
	expect_note(&model, "messages of some tasks were lost");
	snprintf(model.session.tasks_by, SAMPLE_LABEL, SAMPLE_TASKS_POLLING);
	expect_note(&model, "polling misses most tasks under 5 ms");
	/* A task that was followed completely counts. */
	for (size_t i = 0; i < model.n_runs; i++)
		model.runs[i].totals.tasks_lost = i < model.n_runs / 2 ? -1 : 0;
	synthetic_changed(&model);
	assert_int_equal(table_build(&model, TABLE_ANSWER, &table), 0);
	assert_string_equal(cell(&table, 0, 7), "5");
	table_free(&table);
	model_free(&model);
}

/* Rows of one model have another reference than those of the other models. */
static void the_answer_names_its_references(void **state)
{
	struct synthetic session;
	struct model model;
	struct table table;

	synthetic_mixed(&session, 6);
	synthetic_model(&session, &model);
	assert_int_equal(table_build(&model, TABLE_ANSWER, &table), 0);
	assert_null(strstr(table.note, "reference"));
	table_free(&table);
	model_free(&model);
	for (uint32_t i = 0; i < session.cases; i++)
		variables_parse(&session.list[i].variables, "pin=0-1");
	synthetic_add(&session, "threads", "pin=0", 200000000);
	synthetic_add(&session, "processes", "pin=0", 200000000);
	synthetic_model(&session, &model);
	expect_note(&model, "The reference is threads pin=0-1 for threads, and threads at the same "
			    "pin for the others.");
	model_free(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_answer_names_its_references),
		cmocka_unit_test(text_is_ascii_in_80_columns_whatever_is_measured),
		cmocka_unit_test(every_block_of_a_creation_names_its_rows),
		cmocka_unit_test(two_recordings_are_in_80_columns_as_well),
		cmocka_unit_test(every_row_is_whole_and_of_a_case),
		cmocka_unit_test(a_session_has_the_tables_of_what_it_measures),
		cmocka_unit_test(a_value_has_a_row),
		cmocka_unit_test(a_case_without_a_quota_is_named),
		cmocka_unit_test(every_metric_with_a_place_has_its_column),
		cmocka_unit_test(switches_by_sched_yield_are_said_where_they_count),
		cmocka_unit_test(energy_has_a_column_where_it_is_known),
		cmocka_unit_test(a_value_is_whole_however_long),
		cmocka_unit_test(wake_ups_have_a_row_for_each_who_woke),
		cmocka_unit_test(unknown_figures_have_their_reason),
		cmocka_unit_test(counters_are_a_table),
		cmocka_unit_test(missing_counts_are_named_with_the_reason),
		cmocka_unit_test(each_recording_has_its_own_reason),
		cmocka_unit_test(elapsed_times_have_the_order_of_the_answer),
		cmocka_unit_test(a_table_is_titled_by_the_metric_of_its_columns),
		cmocka_unit_test(a_cell_is_written_with_its_unit),
		cmocka_unit_test(a_replaced_trial_stands_among_all_runs),
		cmocka_unit_test(a_part_of_all_runs_has_the_same_rows),
		cmocka_unit_test(the_answer_of_commands_has_the_tasks_that_they_created),
		cmocka_unit_test(the_answer_of_short_commands_has_their_RSS),
		cmocka_unit_test(an_answer_of_commands_without_memory_says_why),
		cmocka_unit_test(an_answer_without_room_for_memory_names_its_table),
		cmocka_unit_test(
			the_ten_tasks_that_lived_longest_are_of_the_trial_nearest_to_the_medians),
		cmocka_unit_test(a_short_wait_says_why_its_cause_is_unknown),
		cmocka_unit_test(tasks_beyond_the_rows_are_counted),
		cmocka_unit_test(tasks_that_were_seen_in_part_are_withheld_with_the_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
