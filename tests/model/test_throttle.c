/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <math.h>

#include "model/model.h"
#include "model/model_lanes.h"
#include "stage/synthetic.h"

#define MS INT64_C(1000000)

/*
 * Time since the run's beginning, ns, from which the tests play: after the last tick of the made-up
 * session.
 */
#define BASE (INT64_C(1000) * MS)

/* Begins a run of 6 cpu + 2 io threads on two cores, without slices so far. */
static struct model_run *begin(struct model *model)
{
	struct synthetic session;

	synthetic_mixed(&session, 1);
	session.stop_ns = 300 * MS;
	synthetic_model(&session, model);
	assert_int_equal(model->session.machine.cores_allowed, 2);
	assert_int_equal(model->n_runs, 1);
	return &model->runs[0];
}

/* Adds a slice of the worker from … to, in ms since BASE. */
static void work(struct model *model, uint32_t worker, int64_t from_ms, int64_t to_ms)
{
	const struct sample_slice slice = {.index = worker,
					   .cpu = (int16_t)(worker % 2),
					   .on_ns = BASE + from_ms * MS,
					   .off_ns = BASE + to_ms * MS,
					   .why = WHY_PREEMPTED,
					   .waker = -1,
					   .ready_ns = -1};
	const struct sample sample = {
		.kind = SAMPLE_SLICES, .run = model->runs[0].id, .slices = {1, &slice}};

	assert_int_equal(model_apply(model, &sample), 0);
}

/* Adds a tick with values from cpu.stat. */
static void tick(struct model *model, int64_t ms, int64_t periods, int64_t us)
{
	const struct sample sample = {.kind = SAMPLE_TICK,
				      .time_ns = model->runs[0].begin_ns + BASE + ms * MS,
				      .run = model->runs[0].id,
				      .tick = {.in_run = true,
					       .memory = sample_memory_unknown(),
					       .tasks = -1,
					       .children = -1,
					       .threads = -1,
					       .throttled_periods = periods,
					       .throttled_us = us}};

	assert_int_equal(model_apply(model, &sample), 0);
}

static void end(struct model *model, int64_t ms, int64_t periods, int64_t us)
{
	struct sample sample = {.kind = SAMPLE_RUN_END,
				.time_ns = model->runs[0].begin_ns + BASE + ms * MS,
				.run = model->runs[0].id};

	fields_unknown(sample_totals_fields, &sample.end.totals);
	sample.end.totals.status = SAMPLE_OK;
	sample.end.totals.workers = 8;
	sample.end.totals.elapsed_ns = BASE + ms * MS;
	sample.end.totals.begin_ns = model->runs[0].begin_ns;
	sample.end.totals.throttled_periods = periods;
	sample.end.totals.throttled_us = us;
	assert_int_equal(model_apply(model, &sample), 0);
}

/*
 * Plays three periods of 100 ms. Two workers run for 25 ms each, except 4 ms in which others had
 * both cores.
 */
static void play_periods(struct model *model, int64_t periods, int64_t us)
{
	tick(model, 0, 0, 0);
	for (int64_t i = 0; i < 3; i++) {
		for (uint32_t worker = 0; worker < 2; worker++) {
			work(model, worker, 100 * i, 100 * i + 10);
			work(model, worker, 100 * i + 14, 100 * i + 29);
		}
		tick(model, 100 * i + 10, i * periods, i * us);
	}
	work(model, 0, 300, 310);
	tick(model, 310, 3 * periods, 3 * us);
	end(model, 320, 3 * periods, 3 * us);
}

static void assert_throttle(const struct model_run *run, size_t i, int64_t from_ms, int64_t to_ms)
{
	assert_true(i < run->n_throttles);
	assert_int_equal(run->throttles[i].from_ns, BASE + from_ms * MS);
	assert_int_equal(run->throttles[i].to_ns, BASE + to_ms * MS);
}

static void the_longest_stretch_without_a_worker_is_that_of_each_period(void **state)
{
	struct model model;
	struct model_run *run = begin(&model);

	play_periods(&model, 1, 142000);
	assert_int_equal(run->n_throttles, 3);
	for (size_t i = 0; i < 3; i++)
		assert_throttle(run, i, 100 * (int64_t)i + 29, 100 * (int64_t)i + 100);
	assert_int_equal(model_throttled_until(run, BASE), 0);
	assert_int_equal(model_throttled_until(run, BASE + 29 * MS), 0);
	assert_int_equal(model_throttled_until(run, BASE + 39 * MS), 10 * MS);
	assert_int_equal(model_throttled_until(run, BASE + 100 * MS), 71 * MS);
	assert_int_equal(model_throttled_until(run, BASE + 130 * MS), 72 * MS);
	assert_int_equal(model_throttled_until(run, INT64_MAX), 213 * MS);
	/* Two workers could have run. For the others, no slice says so. */
	assert_true(fabs(model_throttled(&model, run, 0) - 213e6) < 1);
	assert_true(fabs(model_throttled(&model, run, 1) - 213e6) < 1);
	assert_true(model_throttled(&model, run, 2) == 0);
	model_free(&model);
}

static void it_is_known_a_tick_after_the_kernel_has_counted_it(void **state)
{
	struct model model;
	struct model_run *run = begin(&model);

	tick(&model, 0, 0, 0);
	work(&model, 0, 0, 50);
	tick(&model, 60, 0, 0);
	work(&model, 0, 100, 150);
	tick(&model, 110, 1, 50000);
	assert_int_equal(run->n_throttles, 0);
	tick(&model, 160, 1, 50000);
	assert_int_equal(run->n_throttles, 1);
	assert_throttle(run, 0, 50, 100);
	model_free(&model);
}

/*
 * A stretch without slices is throttled only if it suits the time that the kernel counted. Here the
 * kernel counted too little or too much for two cores, so other programs had the cores.
 */
static void a_stretch_that_does_not_fit_is_others(void **state)
{
	struct model model;
	struct model_run *run = begin(&model);

	play_periods(&model, 1, 20000);
	assert_int_equal(run->n_throttles, 0);
	model_free(&model);
	run = begin(&model);
	play_periods(&model, 1, 400000);
	assert_int_equal(run->n_throttles, 0);
	model_free(&model);
}

static void without_a_throttled_period_there_is_none(void **state)
{
	static const int64_t counts[][2] = {{0, 0}, {0, 142000}, {-1, -1}, {INT64_MAX / 4, 1}};
	struct model model;

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct model_run *run = begin(&model);

		play_periods(&model, counts[i][0], counts[i][1]);
		assert_int_equal(run->n_throttles, 0);
		assert_int_equal(model_throttled_until(run, INT64_MAX), 0);
		model_free(&model);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longest_stretch_without_a_worker_is_that_of_each_period),
		cmocka_unit_test(it_is_known_a_tick_after_the_kernel_has_counted_it),
		cmocka_unit_test(a_stretch_that_does_not_fit_is_others),
		cmocka_unit_test(without_a_throttled_period_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
