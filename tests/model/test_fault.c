/* SPDX-License-Identifier: MIT */
#include "core/sample.h"
#include "model/model.h"

#include "stage/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "result/table.h"
#include "result/report.h"

/* Tests of made-up recordings of runs in which one worker commits a fault. */

enum { TRIALS = 5 };

static const struct plan plans[] = {
	{.levels = 1,
	 .fanout = {4},
	 .task = {PLAN_THREAD},
	 .leaves = {[WORK_CPU] = 4},
	 .barrier = true},
	{.levels = 1,
	 .fanout = {4},
	 .task = {PLAN_PROCESS},
	 .leaves = {[WORK_CPU] = 4},
	 .barrier = true},
};

static void say_session(struct model *model)
{
	struct sample_case cases[2] = {{.model = "threads", .plan = plans[0]},
				       {.model = "processes", .plan = plans[1]}};
	struct sample sample = {.kind = SAMPLE_SESSION,
				.session = {.experiment = "crash",
					    .trials = TRIALS,
					    .seed = -1,
					    .cases = 2,
					    .cases_list = cases}};

	model_init(model);
	assert_int_equal(model_apply(model, &sample), 0);
}

static void say_run(struct model *model, uint32_t trial, uint32_t case_id, int64_t survived)
{
	const uint32_t run = (trial - 1) * 2 + case_id;
	struct sample sample = {.kind = SAMPLE_RUN_BEGIN,
				.time_ns = run * 1000,
				.run = {run, trial, case_id, 2 * TRIALS}};

	assert_int_equal(model_apply(model, &sample), 0);
	sample.kind = SAMPLE_RUN_END;
	sample.time_ns += 900;
	memset(&sample.end, 0, sizeof(sample.end));
	fields_unknown(sample_totals_fields, &sample.end.totals);
	sample.end.totals.status = SAMPLE_OK;
	sample.end.totals.elapsed_ns = 800;
	sample.end.totals.fault = FAULT_SEGV;
	sample.end.totals.fault_ns = 400;
	sample.end.totals.survived = survived;
	sample.end.totals.noticed_ns = survived ? 100 * (int64_t)trial : -1;
	sample.end.totals.left = FAULT_LEFT_FILE | (survived ? FAULT_LEFT_LOCK : 0);
	assert_int_equal(model_apply(model, &sample), 0);
}

/* The last trial of processes has `last` survivors. */
static void make(struct model *model, uint32_t trials, int64_t last)
{
	say_session(model);
	for (uint32_t trial = 1; trial <= trials; trial++) {
		say_run(model, trial, 0, 0);
		say_run(model, trial, 1, trial == trials ? last : 3);
	}
}

static void assert_said(struct model *model, const char *wanted)
{
	char line[HEADLINE_BADGE + HEADLINE_TEXT];

	assert_string_equal(headline_line(model, line, sizeof(line)), wanted);
	model_free(model);
}

static void survivors_are_counted_in_every_trial(void **state)
{
	struct model model;
	struct model_fault fault;

	make(&model, TRIALS, 3);
	assert_true(model_has_faults(&model));
	assert_int_equal(model_fault_read(&model, 1, &fault), 0);
	assert_int_equal(fault.trials, TRIALS);
	assert_int_equal(fault.workers, 4);
	assert_int_equal(fault.least, 3);
	assert_int_equal(fault.most, 3);
	assert_int_equal(fault.left, FAULT_LEFT_FILE | FAULT_LEFT_LOCK);
	assert_int_equal(fault.noticed, TRIALS);
	assert_true(fault.noticed_ns == 300 && fault.noticed_most_ns == 500);
	assert_int_equal(model_fault_read(&model, 0, &fault), 0);
	assert_int_equal(fault.noticed, 0);
	assert_true(isnan(fault.noticed_ns));
	assert_said(&model,
		    "[REAL] One worker crashes in each of 5 trials. Survivors: threads 0 of 4, "
		    "processes 3 of 4");
}

static void a_range_of_survivors_is_reported(void **state)
{
	struct model model;

	make(&model, TRIALS, 1);
	assert_said(&model,
		    "[REAL] One worker crashes in each of 5 trials. Survivors: threads 0 of 4, "
		    "processes 1 to 3 of 4");
	make(&model, TRIALS, 0);
	assert_said(&model,
		    "[TOO CLOSE] One worker crashes in each of 5 trials. Survivors: threads 0 "
		    "of 4, processes 0 to 3 of 4");
}

/* By chance, all of three runs are below, or all above, three others in 2 of 20 sessions. */
static void few_trials_cannot_tell(void **state)
{
	struct model model;

	make(&model, 3, 3);
	assert_said(&model, "[MEASURING 3/5] One worker crashes in each of 3 trials. Survivors: "
			    "threads 0 of 4, processes 3 of 4");
	make(&model, 3, 3);
	model.session.trials = 3;
	model.done = true;
	assert_said(&model,
		    "[NO RESULT] One worker crashes in each of 3 trials. Survivors: threads 0 "
		    "of 4, processes 3 of 4 (too few trials; use -n 4 or more)");
	make(&model, 2, 3);
	model.session.trials = 9;
	model.done = true;
	assert_said(&model,
		    "[NO RESULT] One worker crashes in each of 2 trials. Survivors: threads 0 "
		    "of 4, processes 3 of 4 (stopped after 2 of 9 trials)");
}

static void times_of_cut_off_work_are_not_compared(void **state)
{
	struct model_comparison c;
	struct model model;
	struct table table;

	make(&model, TRIALS, 3);
	assert_int_equal(model_compare(&model, 0, 1, METRIC_ELAPSED, &c), 0);
	assert_true(isnan(c.ratio.estimate));
	assert_false(model_compares(&model, 0, 1));
	assert_int_equal(table_build(&model, TABLE_FAULTS, &table), 0);
	assert_int_equal(table_rows(&table), 2);
	assert_string_equal(table_cell(&table, 0, 2)->words, "never (it ended too)");
	table_free(&table);
	model_free(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(survivors_are_counted_in_every_trial),
		cmocka_unit_test(a_range_of_survivors_is_reported),
		cmocka_unit_test(few_trials_cannot_tell),
		cmocka_unit_test(times_of_cut_off_work_are_not_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
