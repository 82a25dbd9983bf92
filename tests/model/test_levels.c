/* SPDX-License-Identifier: MIT */
#include "model/model.h"
#include "model/model_levels.h"

#include "stage/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stage/synthetic.h"
#include "stage/known.h"

#define BINS 37

struct fixture {
	struct model model;
	const struct model_run *run;
	double curves[PLAN_MAX_LEVELS * BINS], stands[PLAN_MAX_LEVELS * MODEL_STANDS * BINS];
	uint32_t created[PLAN_MAX_LEVELS];
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct synthetic session;

	assert_non_null(f);
	synthetic_tree(&session, 1);
	synthetic_model(&session, &f->model);
	f->run = &f->model.runs[0];
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	model_free(&f->model);
	free(f);
	return 0;
}

/* Number of tasks of a level that are alive at that time, by the rule of model_counts(). */
static double alive_at(struct fixture *f, uint32_t level, int64_t time_ns)
{
	const struct plan *plan = &f->model.cases[f->run->id.case_id].plan;
	uint32_t count, first = plan_level(plan, level, &count), alive = 0;

	for (uint32_t i = first; i < first + count; i++) {
		const struct sample_worker w = model_known(f->run, i);
		int64_t begin = w.start_ns < w.created_ns ? w.start_ns : w.created_ns;

		alive += begin <= time_ns && w.finish_ns > time_ns;
	}
	return alive;
}

static void a_bin_of_a_nanosecond_holds_who_is_alive_then(void **state)
{
	struct fixture *f = *state;

	for (int64_t t = 0; t < f->run->totals.elapsed_ns; t += f->run->totals.elapsed_ns / 50) {
		struct model_bins bins = {t, t + 1, 1};

		model_alive(&f->model, f->run, &bins, f->curves);
		for (uint32_t level = 0; level < 3; level++)
			assert_true(fabs(f->curves[level] - alive_at(f, level, t)) < 1e-6);
	}
}

/* The lives of all tasks together, ns, which must not depend on the bins. */
static double area(struct fixture *f, const struct model_bins *bins)
{
	double width = (double)(bins->to_ns - bins->from_ns) / (double)bins->n, sum = 0;

	model_alive(&f->model, f->run, bins, f->curves);
	for (size_t i = 0; i < 3 * bins->n; i++)
		sum += f->curves[i] * width;
	return sum;
}

static void the_area_is_the_lives_of_all_at_any_zoom(void **state)
{
	struct fixture *f = *state;
	int64_t end = f->run->totals.elapsed_ns + 1000;
	struct model_bins whole = {0, end, BINS}, one = {0, end, 1};
	struct model_bins left = {0, end / 3, BINS}, right = {end / 3, end, BINS - 6};
	double lives = 0;

	for (uint32_t i = 0; i < f->run->n_workers; i++) {
		const struct sample_worker w = model_known(f->run, i);

		lives += (double)(w.finish_ns -
				  (w.start_ns < w.created_ns ? w.start_ns : w.created_ns));
	}
	assert_true(fabs(area(f, &whole) / lives - 1) < 1e-9);
	assert_true(fabs(area(f, &one) / lives - 1) < 1e-9);
	assert_true(fabs((area(f, &left) + area(f, &right)) / lives - 1) < 1e-9);
}

static void events_after_the_cursor_are_unknown(void **state)
{
	struct fixture *f = *state;
	struct model_bins bins = {0, f->run->totals.elapsed_ns, 10};
	int64_t now_ns = f->run->totals.elapsed_ns * 45 / 100;

	model_seek(&f->model, f->run->begin_ns + now_ns);
	model_alive(&f->model, f->run, &bins, f->curves);
	assert_true(f->curves[3] > 0);
	assert_true(isnan(f->curves[5]));
	model_stands(&f->model, f->run, &bins, f->stands, f->created);
	assert_false(isnan(f->stands[4]));
	assert_true(isnan(f->stands[5]));
}

/* Pairs are counted one by one, for joins in any order. */
static void inversions_are_pairs_joined_in_another_order_than_they_ended(void **state)
{
	struct fixture *f = *state;
	const struct plan *plan = &f->model.cases[f->run->id.case_id].plan;
	struct model_levels *levels;
	double all = 0, all_pairs = 0;

	for (uint32_t i = 0; i < f->run->n_workers; i++)
		KNOW(f->run, i, join_ns, f->run->totals.elapsed_ns + i * 7919 % 5003);
	levels = model_levels_make(plan, &f->run->workers, &f->run->totals);
	assert_non_null(levels);

	for (uint32_t level = 0; level < plan->levels; level++) {
		uint32_t count, first = plan_level(plan, level, &count);
		double inversions = 0, pairs = 0;

		for (uint32_t i = first; i < first + count; i++)
			for (uint32_t j = i + 1; j < first + count; j++) {
				const struct sample_worker a = model_known(f->run, i);
				const struct sample_worker b = model_known(f->run, j);
				struct plan_node x, y;

				plan_node(plan, i, &x);
				plan_node(plan, j, &y);
				if (x.parent != y.parent || a.finish_ns == b.finish_ns)
					continue;
				pairs++;
				inversions +=
					(a.finish_ns < b.finish_ns) != (a.join_ns < b.join_ns) &&
					a.join_ns != b.join_ns;
			}
		assert_true(levels->level[level].pairs == pairs);
		assert_true(levels->level[level].inversions == inversions);
		all += inversions;
		all_pairs += pairs;
	}
	assert_true(all > 0 && levels->all.inversions == all && levels->all.pairs == all_pairs);
	free(levels);
}

static void an_ended_run_leaves_nobody_alive(void **state)
{
	struct fixture *f = *state;
	struct model_bins bins = {f->run->totals.elapsed_ns + 1,
				  f->run->totals.elapsed_ns + 1000000, 4};

	KNOW(f->run, 4999, finish_ns, -1);
	KNOW(f->run, 4999, join_ns, -1);
	model_alive(&f->model, f->run, &bins, f->curves);
	for (size_t i = 0; i < 12; i++)
		assert_true(f->curves[i] == 0);
}

/* The state of a task, from its own times alone. */
static int stand_at(struct sample_worker w, int64_t time_ns)
{
	if (w.create_ns > time_ns)
		return STAND_MISSING;
	if (w.start_ns > time_ns)
		return STAND_CREATED;
	if (w.finish_ns > time_ns)
		return STAND_RUNNING;
	return w.join_ns > time_ns ? STAND_ENDED : MODEL_STANDS;
}

static void assert_stands(struct fixture *f, int64_t time_ns)
{
	const struct plan *plan = &f->model.cases[f->run->id.case_id].plan;
	struct model_bins bins = {time_ns, time_ns + 1, 1};

	model_stands(&f->model, f->run, &bins, f->stands, f->created);
	for (uint32_t level = 0; level < plan->levels; level++) {
		uint32_t count, first = plan_level(plan, level, &count);
		double n[MODEL_STANDS + 1] = {0};

		for (uint32_t i = first; i < first + count; i++)
			n[stand_at(model_known(f->run, i), time_ns)]++;
		for (int stand = 0; stand < MODEL_STANDS; stand++)
			assert_true(fabs(f->stands[level * MODEL_STANDS + (uint32_t)stand] -
					 n[stand]) < 1e-6);
		assert_int_equal(f->created[level], count);
	}
}

static void every_task_stands_as_its_own_times_say(void **state)
{
	struct fixture *f = *state;

	for (int64_t t = 0; t < f->run->totals.elapsed_ns; t += f->run->totals.elapsed_ns / 50)
		assert_stands(f, t);
	assert_stands(f, f->run->totals.elapsed_ns + 1);
}

static void workers_not_created_at_the_cursor_are_missing(void **state)
{
	struct fixture *f = *state;
	int64_t now_ns = f->run->totals.elapsed_ns / 3;
	struct model_bins bins = {now_ns - 1, now_ns, 1};
	uint32_t created;

	/* The create call of this task has begun, but it has not returned. */
	KNOW(f->run, 4999, create_ns, now_ns - 1);
	KNOW(f->run, 4999, created_ns, now_ns + 1);
	KNOW(f->run, 4999, start_ns, now_ns + 2);
	model_seek(&f->model, f->run->begin_ns + now_ns);
	created = model_counts(&f->model, f->run).created;
	model_stands(&f->model, f->run, &bins, f->stands, f->created);
	assert_int_equal(f->created[0] + f->created[1] + f->created[2], created);
	assert_true(created > 0 && created < f->run->n_workers);
}

/* A refused worker never existed. A crashed worker exists until it is joined. */
static void a_failed_worker_keeps_its_last_state(void **state)
{
	struct fixture *f = *state;
	int64_t end_ns = f->run->totals.elapsed_ns;
	struct model_bins bins = {end_ns + 1, end_ns + 2, 1};

	KNOW(f->run, 4999, status, SAMPLE_REFUSED);
	KNOW(f->run, 4998, finish_ns, -1);
	KNOW(f->run, 4998, join_ns, -1);
	model_stands(&f->model, f->run, &bins, f->stands, f->created);
	assert_int_equal(f->created[2], 4919);
	assert_true(f->stands[2 * MODEL_STANDS + STAND_MISSING] == 1);
	for (int stand = STAND_CREATED; stand < MODEL_STANDS; stand++)
		assert_true(f->stands[2 * MODEL_STANDS + stand] == 0);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void spans_are_the_medians_of_their_level(void **state)
{
	struct fixture *f = *state;
	const struct model_levels *levels = model_levels(&f->model, f->run);
	static const uint32_t tasks[] = {20, 60, 4920};
	double joins[4920];

	assert_non_null(levels);
	assert_int_equal(levels->levels, 3);
	assert_int_equal(levels->all.tasks, 5000);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(levels->level[i].tasks, tasks[i]);
		assert_int_equal(levels->level[i].phase[PHASE_JOIN].n, tasks[i]);
		assert_int_equal(levels->level[i].phase[PHASE_BARRIER].n, 0);
		assert_true(isnan(levels->level[i].phase[PHASE_BARRIER].median));
	}
	for (int i = 0; i < 4920; i++)
		joins[i] = (double)(model_known(f->run, 80 + i).join_ns -
				    model_known(f->run, 80 + i).finish_ns);
	qsort(joins, 4920, sizeof(*joins), compare);
	assert_true(levels->level[2].phase[PHASE_JOIN].median == (joins[2459] + joins[2460]) / 2);
	assert_true(levels->level[2].phase[PHASE_JOIN].p99 >= joins[4868]);
	assert_true(levels->level[2].phase[PHASE_JOIN].p99 <= joins[4871]);
	assert_int_equal(levels->all.phase[PHASE_WORK].n, 5000);
}

static void a_run_that_goes_on_has_no_levels_yet(void **state)
{
	struct fixture *f = *state;

	model_seek(&f->model, f->run->end_ns - 1);
	assert_null(model_levels(&f->model, f->run));
}

/* Three leaves that waited for each other, and one that was not created. */
static void the_barrier_is_apart_from_the_work(void **state)
{
	const struct plan plan = {.levels = 1, .fanout = {4}, .all_alive = true};
	struct model_workers workers = {0};
	const struct sample_totals held = {.go_ns = 100, .held_ns = 50};
	struct model_levels *levels;

	for (int i = 0; i < 4; i++)
		model_workers_put(&workers, 4, (uint32_t)i,
				  &(struct sample_worker) {.create_ns = 10 * i,
							   .created_ns = 10 * i + 3,
							   .start_ns = 10 * i + 5,
							   .work_ns = 100,
							   .finish_ns = 100 + i,
							   .join_ns = 200});
	model_workers_put(&workers, 4, 3,
			  &(struct sample_worker) {.status = SAMPLE_REFUSED,
						   .create_ns = 30,
						   .created_ns = 90,
						   .start_ns = -1,
						   .work_ns = -1,
						   .finish_ns = -1,
						   .join_ns = -1});
	/* The wait at the barrier does not include the time for which all were held there. */
	levels = model_levels_make(&plan, &workers, &held);
	assert_non_null(levels);
	assert_true(levels->all.phase[PHASE_BARRIER].median == 35);
	assert_true(levels->all.phase[PHASE_WORK].median == 1);
	free(levels);
	levels = model_levels_make(&plan, &workers, &(struct sample_totals) {.go_ns = 100});
	model_workers_free(&workers);
	assert_non_null(levels);
	assert_int_equal(levels->all.tasks, 4);
	for (int i = 0; i < MODEL_PHASES; i++)
		assert_int_equal(levels->all.phase[i].n, 3);
	assert_true(levels->all.phase[PHASE_CREATE].median == 3);
	assert_true(levels->all.phase[PHASE_START].median == 5);
	assert_true(levels->all.phase[PHASE_BARRIER].median == 85);
	assert_true(levels->all.phase[PHASE_WORK].median == 1);
	assert_true(levels->all.phase[PHASE_JOIN].median == 99);
	free(levels);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_bin_of_a_nanosecond_holds_who_is_alive_then),
		TEST(the_area_is_the_lives_of_all_at_any_zoom),
		TEST(events_after_the_cursor_are_unknown),
		TEST(an_ended_run_leaves_nobody_alive),
		TEST(inversions_are_pairs_joined_in_another_order_than_they_ended),
		TEST(every_task_stands_as_its_own_times_say),
		TEST(workers_not_created_at_the_cursor_are_missing),
		TEST(a_failed_worker_keeps_its_last_state),
		TEST(spans_are_the_medians_of_their_level),
		TEST(a_run_that_goes_on_has_no_levels_yet),
		cmocka_unit_test(the_barrier_is_apart_from_the_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
