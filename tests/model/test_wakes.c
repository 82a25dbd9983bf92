/* SPDX-License-Identifier: MIT */
#include "model/model_slices.h"

#include "stage/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"
#include "stage/seed.h"
#include "stage/synthetic.h"

#define US INT64_C(1000)
#define MS INT64_C(1000000)

/* 6 cpu + 2 io on two cores; io workers 6 and 7 are ready 110 and 120 us before they have a core.
 */
static void play(struct model *model, uint32_t trials, uint32_t warmup)
{
	struct synthetic session;

	synthetic_mixed(&session, trials);
	session.warmup = warmup;
	session.slices = session.wakes = true;
	synthetic_model(&session, model);
}

/* Of an io worker, by who woke it, counted in its slices. */
static uint32_t count(const struct model_run *run, uint32_t worker, enum sample_woken who)
{
	size_t n;
	const struct sample_slice *slices = model_slices(run, worker, &n);
	uint32_t found = 0;

	for (size_t i = 1; i < n; i++)
		found += slices[i - 1].why == WHY_BLOCKED && slices[i].woken == who;
	return found;
}

static void wakes_are_listed_by_reason_and_by_waker(void **state)
{
	const struct model_wakes *wakes;
	struct model_wake_figures f;
	struct model model;
	uint32_t n;

	(void)state;
	play(&model, 1, 0);
	wakes = model_wakes_run(&model, &model.runs[0]);
	assert_non_null(wakes);
	f = model_wakes_figures(wakes, WAKE_GATE, WOKEN_BY_MAIN);
	assert_int_equal(f.n, 8);
	assert_int_equal(f.n, model_wakes_figures(wakes, WAKE_GATE, WOKENS).n);
	assert_int_equal(model_wakes_figures(wakes, WAKE_CREATED, WOKENS).n, 0);
	assert_int_equal(model_wakes_figures(wakes, WAKE_CREATED, WOKENS).p50, -1);
	for (enum sample_woken who = WOKEN_BY_WORKER; who <= WOKEN_BY_INTERRUPT; who++) {
		n = count(&model.runs[0], 6, who) + count(&model.runs[0], 7, who);
		assert_true(n > 0);
		assert_int_equal(model_wakes_figures(wakes, WAKE_BLOCKED, who).n, n);
	}
	f = model_wakes_figures(wakes, WAKE_BLOCKED, WOKENS);
	assert_int_equal(f.max, 120 * US);
	assert_true(fabs((double)f.p99 / 120e3 - 1) <= WAKES_ERROR);
	assert_true(fabs(model_wakes_between(wakes, WAKE_BLOCKED, 0, 1e9) - (double)f.n) < 0.01);
	model_free(&model);
}

static void those_of_counted_trials_are_taken_together(void **state)
{
	struct model model;
	uint64_t sum = 0;

	(void)state;
	play(&model, 3, 1);
	assert_null(model.runs[0].wakes_all); /* a warm-up */
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.case_id == 1 && model.runs[i].id.trial > 0)
			sum += model_wakes_figures(model.runs[i].wakes, WAKE_BLOCKED, WOKENS).n;
	assert_int_equal(model_wakes_figures(model_wakes(&model, 1), WAKE_BLOCKED, WOKENS).n, sum);
	/* as of a cursor before a run's end it is not there */
	model_seek(&model, model.runs[2].end_ns - 1);
	assert_null(model_wakes_run(&model, &model.runs[2]));
	assert_null(model_wakes(&model, model.runs[2].id.case_id));
	model_free(&model);
}

static void a_worker_knows_who_woke_it(void **state)
{
	struct model_woken woken;
	struct model model;

	(void)state;
	play(&model, 1, 0);
	assert_int_equal(model_woken(&model, &model.runs[0], 6, &woken), 0);
	assert_int_equal(woken.by[WOKEN_BY_INTERRUPT],
			 count(&model.runs[0], 6, WOKEN_BY_INTERRUPT));
	assert_int_equal(woken.by[WOKEN_BY_WORKER], count(&model.runs[0], 6, WOKEN_BY_WORKER));
	assert_int_equal(woken.n, woken.by[WOKEN_BY_INTERRUPT] + woken.by[WOKEN_BY_WORKER]);
	assert_int_equal(woken.worker, 7);
	assert_int_equal(woken.worker_n, woken.by[WOKEN_BY_WORKER]);
	assert_true(woken.median_ns == 110e3 && woken.longest_ns == 110e3);
	assert_int_equal(model_woken(&model, &model.runs[0], 0, &woken), 0);
	assert_int_equal(woken.n, 0);
	assert_true(isnan(woken.median_ns));
	model_free(&model);
}

/* Slices of the first worker that come before its run's end. */
struct injected {
	struct model *model;
	struct sample_slice *list;
	uint32_t n;
};

static int inject(void *arg, const struct sample *sample)
{
	struct injected *injected = arg;
	struct sample slices = {.kind = SAMPLE_SLICES,
				.time_ns = sample->time_ns,
				.run = sample->run,
				.slices = {injected->n, injected->list}};

	if (sample->kind == SAMPLE_RUN_END && sample->run.run == 0)
		assert_int_equal(model_apply(injected->model, &slices), 0);
	return model_apply(injected->model, sample);
}

enum { DRAWN = 2000 };

/* From 10 ns to 100 ms, of one size as often as of another; every third slice was preempted. */
static size_t draw(struct sample_slice *list, double *waits)
{
	int64_t at_ns = 5 * MS;
	size_t known = 0;

	for (uint32_t i = 0; i < DRAWN; i++) {
		int64_t wait_ns = llround(10 * pow(10, 7.0 * (double)random() / RAND_MAX));

		list[i] = (struct sample_slice) {.waker = -1, .woken = WOKEN_BY_OTHERS};
		list[i].why = i % 3 ? WHY_BLOCKED : WHY_PREEMPTED;
		list[i].ready_ns = at_ns;
		list[i].on_ns = at_ns + wait_ns;
		list[i].off_ns = at_ns = list[i].on_ns + 1;
		if (i > 0 && i % 3 != 1)
			waits[known++] = (double)wait_ns;
	}
	return known;
}

static bool is_right(int64_t ns, const double *sorted, size_t n, double q)
{
	double value = stats_quantile(sorted, n, q);

	return fabs((double)ns - value) <= value * WAKES_ERROR + 1;
}

static void quantiles_are_those_of_the_values(void **state)
{
	static struct sample_slice list[DRAWN];
	static double waits[DRAWN];
	struct synthetic session;
	struct model model;
	struct injected injected = {&model, list, DRAWN};
	struct model_wake_figures f;
	size_t n;

	(void)state;
	seed_random();
	n = draw(list, waits);
	synthetic_mixed(&session, 1);
	session.warmup = 0;
	model_init(&model);
	assert_int_equal(synthetic_play(&session, inject, &injected), 0);
	f = model_wakes_figures(model.runs[0].wakes, WAKE_BLOCKED, WOKENS);
	stats_sort(waits, n);
	assert_int_equal(f.n, n);
	assert_true((double)f.max == waits[n - 1]);
	assert_true(is_right(f.p50, waits, n, 0.5));
	assert_true(is_right(f.p90, waits, n, 0.9));
	assert_true(is_right(f.p99, waits, n, 0.99));
	model_free(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wakes_are_listed_by_reason_and_by_waker),
		cmocka_unit_test(those_of_counted_trials_are_taken_together),
		cmocka_unit_test(a_worker_knows_who_woke_it),
		cmocka_unit_test(quantiles_are_those_of_the_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
