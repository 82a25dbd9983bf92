/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <math.h>

#include "model/model.h"
#include "result/report.h"

/* Two workers that count together, from 0 to 10 ms, made of samples. */

#define MS INT64_C(1000000)

enum { ON_BOTH = 2 };

static void say_session(struct model *model, const char *via)
{
	struct sample_case one = {
		.model = "threads",
		.plan = {.levels = 1,
			 .fanout = {2},
			 .task = {PLAN_THREAD},
			 .leaves = {[WORK_SHARE] = 2},
			 .gated = true},
	};
	struct sample sample = {
		.kind = SAMPLE_SESSION,
		.session = {.experiment = "share",
			    .trials = 1,
			    .seed = -1,
			    .cases = 1,
			    .cases_list = &one,
			    .machine = {.cores_allowed = ON_BOTH}},
	};

	variables_add(&one.variables, "via", via);
	model_init(model);
	assert_int_equal(model_apply(model, &sample), 0);
}

/* The share of the time in which they were together; each waited for a core for so long. */
static double together(const char *via, const struct sample_slice *list, uint32_t n,
		       int32_t delay_us, int64_t span_ms)
{
	struct sample_change workers[2];
	struct sample sample = {.kind = SAMPLE_RUN_BEGIN, .run = {0, 1, 0, 1}};
	struct model model;
	double share;

	say_session(&model, via);
	assert_int_equal(model_apply(&model, &sample), 0);
	sample.kind = SAMPLE_SLICES;
	sample.slices.n = n;
	sample.slices.list = list;
	assert_int_equal(model_apply(&model, &sample), 0);
	for (uint32_t i = 0; i < 2; i++) {
		workers[i] = (struct sample_change) {.index = i, .worker = sample_worker_unknown};
		workers[i].worker.create_ns = workers[i].worker.created_ns = 0;
		workers[i].worker.start_ns = workers[i].worker.work_ns = 0;
		workers[i].worker.finish_ns = workers[i].worker.join_ns = 10 * MS;
		workers[i].worker.status = SAMPLE_OK;
		workers[i].worker.delay_us = delay_us;
	}
	sample = (struct sample) {.kind = SAMPLE_RUN_END,
				  .time_ns = 10 * MS,
				  .run = {0, 1, 0, 1},
				  .end = {.workers = workers, .n_workers = 2}};
	fields_unknown(sample_totals_fields, &sample.end.totals);
	sample.end.totals.status = SAMPLE_OK;
	sample.end.totals.begin_ns = 0;
	sample.end.totals.elapsed_ns = 10 * MS;
	sample.end.totals.steps = 1000;
	sample.end.totals.steps_span_ns = span_ms * MS;
	assert_int_equal(model_apply(&model, &sample), 0);
	share = model.runs[0].together;
	assert_int_equal(model_withheld(&model.runs[0]), !(share >= MODEL_TOGETHER_LEAST));
	assert_string_equal(report_no_interval(&model, 0, 0),
			    share >= MODEL_TOGETHER_LEAST ? "not known" : "withheld");
	assert_string_equal(report_no_interval(&model, 0, 1), "six trials needed");
	assert_string_equal(report_no_interval(&model, 1, 0), "no trial yet");
	model_free(&model);
	return share;
}

static void assert_near(double a, double b)
{
	assert_true(fabs(a - b) < 1e-6);
}

/* The second one loses its core for a half of the time. */
static const struct sample_slice taken[] = {
	{.off_ns = 10 * MS, .cpu = 0, .why = WHY_ENDED},
	{.off_ns = 4 * MS, .index = 1, .cpu = 1, .why = WHY_PREEMPTED},
	{.on_ns = 9 * MS, .off_ns = 10 * MS, .index = 1, .cpu = 1, .why = WHY_ENDED},
};

/* The second one sleeps for a half of it, and may have waited for a core in the end of that. */
static const struct sample_slice asleep[] = {
	{.off_ns = 10 * MS, .cpu = 0, .why = WHY_ENDED},
	{.off_ns = 4 * MS, .index = 1, .cpu = 1, .why = WHY_BLOCKED, .ready_ns = -1},
	{.on_ns = 9 * MS,
	 .off_ns = 10 * MS,
	 .index = 1,
	 .cpu = 1,
	 .why = WHY_ENDED,
	 .ready_ns = -1},
};

static void a_worker_that_waits_for_a_core_is_not_counted_as_running(void **state)
{
	assert_near(together("atomic", taken, 3, 2500, 10), 0.5);
	assert_near(together("mutex", taken, 3, 5000, 10), 0.5);
}

static void a_worker_that_sleeps_for_the_mutex_counts_as_present(void **state)
{
	assert_near(together("mutex", asleep, 3, 0, 10), 1);
	/* Of what cannot sleep for what is shared, such a sleep is an absence. */
	assert_near(together("atomic", asleep, 3, 0, 10), 0.5);
}

static void waits_that_no_slice_shows_are_taken_off(void **state)
{
	struct sample_slice seen[3] = {asleep[0], asleep[1], asleep[2]};

	assert_near(together("mutex", asleep, 3, 1000, 10), 0.8); /* 1 ms of each */
	assert_near(together("mutex", asleep, 3, 4000, 10), 0.5); /* what slices prove, no less */
	assert_near(together("mutex", asleep, 3, -1, 10), 0.5);	  /* not known */
	seen[2].ready_ns = 8 * MS;
	assert_near(together("mutex", seen, 3, 0, 10), 0.9);
}

static void on_one_core_they_take_turns(void **state)
{
	static const struct sample_slice turns[] = {
		{.off_ns = 5 * MS, .cpu = 0, .why = WHY_BLOCKED, .ready_ns = -1},
		{.on_ns = 9 * MS, .off_ns = 10 * MS, .cpu = 0, .why = WHY_ENDED, .ready_ns = -1},
		{.on_ns = 5 * MS, .off_ns = 9 * MS, .index = 1, .cpu = 0, .why = WHY_ENDED},
	};

	assert_near(together("mutex", turns, 3, 0, 10), 0);
}

/* Who came first has waited for the other one: that is no part of it. */
static void it_begins_with_the_first_increment(void **state)
{
	static const struct sample_slice late[] = {
		{.off_ns = 10 * MS, .cpu = 0, .why = WHY_ENDED},
		{.on_ns = 2 * MS, .off_ns = 10 * MS, .index = 1, .cpu = 1, .why = WHY_ENDED},
	};

	assert_near(together("line", late, 2, 0, 10), 0.8);
	assert_near(together("line", late, 2, 0, 8), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_worker_that_waits_for_a_core_is_not_counted_as_running),
		cmocka_unit_test(a_worker_that_sleeps_for_the_mutex_counts_as_present),
		cmocka_unit_test(waits_that_no_slice_shows_are_taken_off),
		cmocka_unit_test(on_one_core_they_take_turns),
		cmocka_unit_test(it_begins_with_the_first_increment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
