/* SPDX-License-Identifier: MIT */
#include "core/sample.h"
#include "result/finding.h"

#include "stage/check.h"

#include <stdio.h>
#include <string.h>

#define US	 1000ll
#define TASKS	 1000
#define TRIALS	 20
#define SESSIONS 20
/*
 * Noise of CPU times, in parts per million. With it, a cost of 300 us, 3 % of the longest task,
 * stays undecided.
 */
#define CPU_NOISE 2000

static const int64_t lengths_us[] = {10, 100, 1000, 10000};
enum { LENGTHS = sizeof(lengths_us) / sizeof(*lengths_us) };

/*
 * Returns noise of up to `most` parts per million in either direction, by a fixed sequence
 * (Numerical Recipes' LCG).
 */
static double scatter(uint32_t *seed, double most)
{
	*seed = *seed * 1664525u + 1013904223u;
	return 1 + most * 1e-6 * ((double)(*seed >> 8) / (1 << 23) - 1);
}

/* Case 2i is a pool at a length; case 2i + 1 creates a thread for each task. */
static void fill_cases(struct sample_case *cases, uint32_t at_once)
{
	char variables[64];

	for (uint32_t i = 0; i < 2 * LENGTHS; i++) {
		bool pool = i % 2 == 0;

		cases[i] = (struct sample_case) {.plan = {.levels = 1,
							  .tasks = TASKS,
							  .barrier = pool,
							  .batch = pool ? 0 : at_once,
							  .fanout = {pool ? 2 : TASKS}}};
		snprintf(cases[i].model, sizeof(cases[i].model), pool ? "pool" : "threads");
		snprintf(variables, sizeof(variables), "size=%lld", (long long)lengths_us[i / 2]);
		variables_parse(&cases[i].variables, variables);
	}
}

static void play_run(struct model *model, uint32_t run, uint32_t case_id, double elapsed_ns,
		     double cpu_ns)
{
	const struct sample_bucket bucket = {lengths_us[case_id / 2] * US, TASKS};
	struct sample sample = {.kind = SAMPLE_RUN_BEGIN, .time_ns = (run + 1) * 1000000000ll};

	sample.run = (struct sample_run) {.run = run,
					  .trial = run / (2 * LENGTHS) + 1,
					  .case_id = case_id,
					  .planned = 2 * LENGTHS * TRIALS};
	assert_int_equal(model_apply(model, &sample), 0);
	sample.kind = SAMPLE_RUN_END;
	memset(&sample.end, 0, sizeof(sample.end));
	sample.end.totals.begin_ns = sample.time_ns;
	sample.end.totals.create_ns = -1;
	sample.end.totals.operation_min_ns = bucket.from_ns;
	sample.end.totals.operation_max_ns = bucket.from_ns;
	sample.end.totals.elapsed_ns = (int64_t)elapsed_ns;
	sample.end.totals.user_us = (int64_t)(cpu_ns / 1e3);
	sample.time_ns += (int64_t)elapsed_ns;
	sample.end.buckets = &bucket;
	sample.end.n_buckets = 1;
	assert_int_equal(model_apply(model, &sample), 0);
}

/* Makes a session in which creating a task costs cost_us, and two tasks run at once. */
static void play(struct model *model, struct sample_case *cases, double cost_us, double noise,
		 uint32_t *seed)
{
	struct sample sample = {.kind = SAMPLE_SESSION};

	model_init(model);
	sample.session.trials = TRIALS;
	sample.session.interval_ms = 100;
	sample.session.cases = 2 * LENGTHS;
	sample.session.cases_list = cases;
	assert_int_equal(model_apply(model, &sample), 0);
	for (uint32_t run = 0; run < 2 * LENGTHS * TRIALS; run++) {
		uint32_t case_id = run % (2 * LENGTHS);
		double each = (double)lengths_us[case_id / 2] + (case_id % 2 ? cost_us : 0);

		play_run(model, run, case_id, each * US * TASKS / 2 * scatter(seed, noise),
			 each * US * TASKS * scatter(seed, CPU_NOISE));
	}
}

static struct finding_pool find(double cost_us, double noise, uint32_t *seed)
{
	struct sample_case cases[2 * LENGTHS];
	struct finding_pool found;
	struct model model;

	fill_cases(cases, 2);
	play(&model, cases, cost_us, noise, seed);
	assert_true(finding_pool_pair(&model, 0, 1));
	assert_false(finding_pool_pair(&model, 1, 0));
	assert_int_equal(finding_pool(&model, 0, 1, &found), 0);
	model_free(&model);
	return found;
}

/* 9 us for each task are 3 % of 300 us. */
static void the_interval_has_the_true_length_in_nineteen_sessions_of_twenty(void **state)
{
	uint32_t seed = 1, covered = 0;

	for (int i = 0; i < SESSIONS; i++) {
		struct finding_pool found = find(9, 20000, &seed);

		assert_int_equal(found.answer, FINDING_POOL_FOUND);
		assert_true(found.low <= found.at && found.at <= found.high);
		covered += found.low <= 300 * US && found.high >= 300 * US;
	}
	assert_true(covered >= SESSIONS * 95 / 100);
}

static void a_pool_that_always_or_never_pays_has_no_length(void **state)
{
	uint32_t seed = 1;

	assert_int_equal(find(1000, 2000, &seed).answer, FINDING_POOL_ALWAYS);
	assert_int_equal(find(0.01, 2000, &seed).answer, FINDING_POOL_NEVER);
	/* Exactly 3 % of the longest task. */
	assert_int_equal(find(300, 2000, &seed).answer, FINDING_POOL_OPEN);
}

static void cpu_time_decides_where_elapsed_time_cannot(void **state)
{
	uint32_t seed = 1;
	struct finding_pool found = find(9, 900000, &seed);

	assert_int_equal(found.answer, FINDING_POOL_FOUND);
	assert_int_equal(found.metric, METRIC_CPU);
	assert_true(found.low <= 300 * US && found.high >= 300 * US);
	found = find(9, 20000, &seed);
	assert_int_equal(found.metric, METRIC_ELAPSED);
}

static void pools_of_another_width_are_not_compared(void **state)
{
	struct sample_case cases[2 * LENGTHS];
	struct model model;
	uint32_t seed = 1;

	fill_cases(cases, 3);
	play(&model, cases, 9, 2000, &seed);
	assert_false(finding_pool_pair(&model, 0, 1));
	model_free(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_interval_has_the_true_length_in_nineteen_sessions_of_twenty),
		cmocka_unit_test(a_pool_that_always_or_never_pays_has_no_length),
		cmocka_unit_test(cpu_time_decides_where_elapsed_time_cannot),
		cmocka_unit_test(pools_of_another_width_are_not_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
