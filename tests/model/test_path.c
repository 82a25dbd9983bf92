/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/model.h"
#include "stage/seed.h"
#include "stage/synthetic.h"

#define MS   INT64_C(1000000)
#define MOST 64

/* A run whose workers a test fills in, and of which it then reads the critical path. */
struct trip {
	struct model model;
	struct sample_case one;
	struct sample_worker workers[MOST];
	struct sample_slice slices[4 * MOST];
	uint32_t n, n_slices;
	struct sample_totals totals;
};

static void begin(struct trip *trip, const struct plan *plan)
{
	*trip = (struct trip) {.one.plan = *plan, .n = plan_count(plan)};
	assert_in_range(trip->n, 1, MOST);
	for (uint32_t i = 0; i < trip->n; i++)
		trip->workers[i] = sample_worker_unknown;
	trip->totals.status = SAMPLE_OK;
	trip->totals.go_ns = -1;
}

static void life(struct trip *trip, uint32_t i, const int64_t ms[6])
{
	trip->workers[i].create_ns = ms[0] * MS;
	trip->workers[i].created_ns = ms[1] * MS;
	trip->workers[i].start_ns = ms[2] * MS;
	trip->workers[i].work_ns = ms[3] * MS;
	trip->workers[i].finish_ns = ms[4] * MS;
	trip->workers[i].join_ns = ms[5] * MS;
}

#define LIFE(trip, i, ...) life(trip, i, (const int64_t[]) {__VA_ARGS__})

static void slice(struct trip *trip, uint32_t i, int64_t on_ms, int64_t off_ms, enum sample_why why)
{
	trip->slices[trip->n_slices++] = (struct sample_slice) {
		.index = i, .on_ns = on_ms * MS, .off_ns = off_ms * MS, .why = (uint8_t)why};
}

/* Plays the trip as the session's only run. */
static const struct model_run *play(struct trip *trip, int64_t elapsed_ms)
{
	struct sample_change changes[MOST];
	struct sample sample = {.kind = SAMPLE_SESSION,
				.session = {.trials = 1, .cases = 1, .cases_list = &trip->one}};

	model_init(&trip->model);
	assert_int_equal(model_apply(&trip->model, &sample), 0);
	sample = (struct sample) {.kind = SAMPLE_RUN_BEGIN, .run = {0, 1, 0, 1}};
	assert_int_equal(model_apply(&trip->model, &sample), 0);
	for (uint32_t i = 0; i < trip->n; i++)
		changes[i] = (struct sample_change) {i, trip->workers[i]};
	sample.kind = SAMPLE_SLICES;
	sample.slices.n = trip->n_slices;
	sample.slices.list = trip->slices;
	assert_int_equal(model_apply(&trip->model, &sample), 0);
	sample.kind = SAMPLE_RUN_END;
	sample.time_ns = 1000 * MS;
	if (elapsed_ms >= 0)
		trip->totals.elapsed_ns = elapsed_ms * MS;
	sample.end.totals = trip->totals;
	sample.end.n_workers = trip->n;
	sample.end.workers = changes;
	assert_int_equal(model_apply(&trip->model, &sample), 0);
	return &trip->model.runs[0];
}

/* Checks the parts in ms, in their order, then the running time; -1: unknown. */
static void assert_parts(const struct model_run *run, const int *ms)
{
	for (int i = 0; i < MODEL_PARTS; i++) {
		double got = run->path.ns[i];

		if (ms[i] < 0 ? !isnan(got) : fabs(got - (double)(ms[i] * MS)) > 1)
			fail_msg("%s: %g, not %d ms", metric_table[METRIC_CREATING + i].title,
				 got / 1e6, ms[i]);
	}
	assert_true(fabs(run->path.running_ns - (double)(ms[MODEL_PARTS] * MS)) < 1);
}

#define PARTS(trip, elapsed, ...)                                                                  \
	do {                                                                                       \
		assert_parts(play(trip, elapsed), (const int[]) {__VA_ARGS__});                    \
		model_free(&(trip)->model);                                                        \
	} while (0)

static const struct plan two = {.levels = 1, .fanout = {2}, .leaves = {[WORK_CPU] = 2}};

static void the_path_goes_through_the_worker_that_is_awaited(void **state)
{
	struct trip trip;

	begin(&trip, &two);
	/* the second worker is joined first, although it ended long before */
	LIFE(&trip, 0, 0, 10, 12, 12, 92, 95);
	LIFE(&trip, 1, 11, 20, 25, 25, 40, 41);
	slice(&trip, 0, 12, 30, WHY_PREEMPTED);
	slice(&trip, 0, 50, 60, WHY_BLOCKED);
	slice(&trip, 0, 65, 92, WHY_ENDED);
	/* creating, starting, working, waiting, blocked, joining; running */
	PARTS(&trip, 96, 10, 2, 18 + 10 + 27, 20, 5, 4, 80);
}

static void a_worker_that_ended_before_its_join_is_not_on_the_path(void **state)
{
	struct trip trip;

	begin(&trip, &two);
	LIFE(&trip, 0, 0, 10, 12, 12, 30, 90);
	LIFE(&trip, 1, 11, 20, 25, 25, 80, 85);
	slice(&trip, 1, 30, 80, WHY_ENDED);
	PARTS(&trip, 90, 20, 5, 50, 5, 0, 10, 55);
}

static void a_parent_that_only_creates_and_joins_is_the_path(void **state)
{
	struct trip trip;

	begin(&trip, &two);
	LIFE(&trip, 0, 0, 10, 2, 3, 4, 30);
	LIFE(&trip, 1, 11, 20, 12, 13, 14, 25);
	PARTS(&trip, 30, 20, 0, 0, 0, 0, 10, 0);
}

static void the_work_on_the_path_is_one_part_without_slices(void **state)
{
	struct trip trip;

	begin(&trip, &two);
	LIFE(&trip, 0, 0, 10, 12, 12, 92, 95);
	LIFE(&trip, 1, 11, 20, 25, 25, 40, 41);
	PARTS(&trip, 95, 10, 2, -1, -1, -1, 3, 80);
}

static void the_kernels_sums_tell_it_where_they_are_known(void **state)
{
	struct trip trip;

	begin(&trip, &two);
	LIFE(&trip, 0, 0, 10, 12, 12, 92, 95);
	LIFE(&trip, 1, 11, 20, 25, 25, 40, 41);
	trip.workers[0].user_us = 40000;
	trip.workers[0].system_us = 10000;
	trip.workers[0].delay_us = 25000;
	PARTS(&trip, 95, 10, 2, 50, 25, 5, 3, 80);
}

/* Slices whose ends have no reason. The run delay says how much of the gaps was waiting. */
static void the_run_delay_divides_gaps_without_a_reason(void **state)
{
	struct trip trip;

	begin(&trip, &two);
	LIFE(&trip, 0, 0, 10, 12, 12, 92, 95);
	LIFE(&trip, 1, 11, 20, 25, 25, 40, 41);
	slice(&trip, 0, 12, 32, WHY_UNKNOWN);
	slice(&trip, 0, 72, 92, WHY_ENDED);
	trip.workers[0].delay_us = 30000;
	PARTS(&trip, 95, 10, 2, 40, 30, 10, 3, 80);
	trip.workers[0].delay_us = -1;
	PARTS(&trip, 95, 10, 2, -1, -1, -1, 3, 80);
}

/* All workers were held from 40 to 60 ms, which is not part of the elapsed time. */
static void the_path_leads_from_the_barrier_to_the_last_worker_ready(void **state)
{
	struct plan plan = two;
	struct trip trip;

	plan.barrier = true;
	begin(&trip, &plan);
	LIFE(&trip, 0, 0, 10, 35, 63, 163, 165);
	LIFE(&trip, 1, 11, 20, 25, 61, 70, 75);
	slice(&trip, 0, 63, 163, WHY_ENDED);
	trip.totals.go_ns = 60 * MS;
	trip.totals.held_ns = 20 * MS;
	PARTS(&trip, 145, 10, 25, 100, 3, 5, 2, 108);
	/*
	 * If the parent reached the barrier last, the path from its last create call on leads
	 * through the parent.
	 */
	LIFE(&trip, 1, 11, 38, 25, 61, 70, 75);
	PARTS(&trip, 145, 38, 0, 100, 3, 2, 2, 105);
}

static void a_batch_begins_when_the_one_before_was_joined(void **state)
{
	struct plan plan = {.levels = 1, .fanout = {3}, .batch = 2};
	struct trip trip;

	begin(&trip, &plan);
	LIFE(&trip, 0, 0, 10, 12, 12, 13, 40);
	LIFE(&trip, 1, 10, 20, 21, 21, 31, 35);
	LIFE(&trip, 2, 41, 50, 53, 53, 60, 64);
	slice(&trip, 1, 21, 31, WHY_ENDED);
	slice(&trip, 2, 54, 60, WHY_ENDED);
	PARTS(&trip, 64, 20 + 10, 1 + 3, 10 + 6, 1, 0, 4 + 5 + 4, 17);
}

static void a_tree_is_walked_through_its_parents(void **state)
{
	struct plan plan = {.levels = 2, .fanout = {1, 2}};
	struct trip trip;

	begin(&trip, &plan);
	LIFE(&trip, 0, 0, 5, 7, -1, 48, 50);
	trip.workers[0].work_ns = -1;
	LIFE(&trip, 1, 8, 10, 11, 12, 20, 45);
	LIFE(&trip, 2, 10, 14, 17, 18, 30, 33);
	slice(&trip, 2, 19, 30, WHY_ENDED);
	/* the leaf's own code between its first instruction and its work counts as working */
	PARTS(&trip, 50, 5 + (8 - 7) + 6, 2 + 3, 11 + 1, 1, 0, 2 + 3 + 12 + 3, 13);
}

static void a_run_that_is_no_measurement_has_no_path(void **state)
{
	struct trip trip;

	begin(&trip, &two);
	LIFE(&trip, 0, 0, 10, 12, 12, 92, 95);
	trip.totals.status = SAMPLE_INTERRUPTED;
	assert_true(isnan(play(&trip, 95)->path.all_ns));
	model_free(&trip.model);
	trip.totals.status = SAMPLE_OK;
	/* nothing is known about the second worker */
	assert_true(isnan(play(&trip, 95)->path.all_ns));
	model_free(&trip.model);
	LIFE(&trip, 1, 11, 20, 25, 25, 40, 41);
	assert_false(isnan(play(&trip, 95)->path.all_ns));
	model_free(&trip.model);
	trip.totals.held_ns = 5 * MS; /* the time of the hold is unknown */
	assert_true(isnan(play(&trip, 95)->path.ns[PART_JOINING]));
	model_free(&trip.model);
}

/* The state of a random drawing, and what is drawn. */

struct chance {
	uint64_t state;
	struct trip *trip;
	const struct plan *plan;
};

static uint64_t draw_seed(void)
{
	seed_random();
	return (uint64_t)random();
}

static int64_t some(struct chance *c, int64_t most)
{
	return (int64_t)(random_uniform(&c->state) * (double)most);
}

static int64_t max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t play_children(struct chance *c, uint32_t first, uint32_t count, int64_t t);

static void add_slices(struct chance *c, uint32_t i, int64_t t, int64_t end)
{
	struct trip *trip = c->trip;

	while (t < end && trip->n_slices < 4 * MOST) {
		int64_t on = t + some(c, 3 * MS), off = on + some(c, 5 * MS);

		if (on >= end)
			return;
		trip->slices[trip->n_slices++] = (struct sample_slice) {
			.index = i,
			.on_ns = on,
			.off_ns = off < end ? off : end,
			.why = (uint8_t)(off < end ? some(c, WHYS - 1) : WHY_ENDED)};
		t = off;
	}
}

static void perform(struct chance *c, uint32_t i)
{
	struct sample_worker *worker = &c->trip->workers[i];
	struct plan_node node;

	plan_node(c->plan, i, &node);
	if (node.children > 0) {
		worker->finish_ns =
			some(c, MS / 9) +
			play_children(c, node.first_child, node.children, worker->start_ns);
		return;
	}
	worker->work_ns = max(worker->start_ns, c->trip->totals.go_ns) + some(c, MS);
	worker->finish_ns = worker->work_ns + some(c, 20 * MS);
	if (some(c, 3) > 0)
		add_slices(c, i, worker->work_ns, worker->finish_ns);
	worker->delay_us = some(c, 2) ? (int32_t)some(c, 20000) : -1;
}

static int64_t create(struct chance *c, uint32_t i, int64_t t)
{
	struct sample_worker *worker = &c->trip->workers[i];

	worker->create_ns = t + some(c, MS / 10);
	worker->created_ns = worker->create_ns + some(c, MS);
	worker->start_ns = worker->create_ns + some(c, 3 * MS);
	return worker->created_ns;
}

static int64_t open_barrier(struct chance *c, uint32_t first, uint32_t count, int64_t t)
{
	for (uint32_t i = first; i < first + count; i++)
		t = max(t, c->trip->workers[i].start_ns);
	c->trip->totals.held_ns = some(c, 2) ? some(c, 5 * MS) : 0;
	c->trip->totals.go_ns = t + some(c, MS) + c->trip->totals.held_ns;
	return c->trip->totals.go_ns;
}

static int64_t play_children(struct chance *c, uint32_t first, uint32_t count, int64_t t)
{
	uint32_t size = c->plan->batch ? c->plan->batch : count, n;
	struct sample_worker *workers = c->trip->workers;

	for (uint32_t at = first; at < first + count; at += n) {
		n = first + count - at < size ? first + count - at : size;
		for (uint32_t i = at; i < at + n; i++)
			t = create(c, i, t);
		if (c->plan->barrier)
			t = open_barrier(c, at, n, t);
		for (uint32_t i = at; i < at + n; i++)
			perform(c, i);
		for (uint32_t i = at + n; i-- > at;)
			t = workers[i].join_ns = max(t, workers[i].finish_ns) + some(c, MS / 5);
	}
	return t;
}

static void draw_plan(struct chance *c, struct plan *plan)
{
	*plan = (struct plan) {.levels = 1 + (uint32_t)some(c, 3)};
	for (uint32_t i = 0; i < plan->levels; i++)
		plan->fanout[i] = 1 + (uint32_t)some(c, 3);
	plan->barrier = plan->levels == 1 && some(c, 2);
	plan->batch = plan->barrier ? 0 : (uint32_t)some(c, 4);
}

static void assert_adds_up(const struct model_run *run)
{
	const double *ns = run->path.ns;
	double told = ns[PART_WORKING] + ns[PART_WAITING] + ns[PART_BLOCKED];
	double ends = ns[PART_CREATING] + ns[PART_STARTING] + ns[PART_JOINING];

	assert_true(fabs(ends + run->path.running_ns - (double)run->totals.elapsed_ns) < 1);
	assert_true(isnan(told) || fabs(told - run->path.running_ns) < 1);
	for (int i = 0; i < MODEL_PARTS; i++)
		assert_true(isnan(ns[i]) || ns[i] >= 0);
}

static void the_parts_of_any_run_add_up_to_its_elapsed_time(void **state)
{
	struct trip *trip = malloc(sizeof(*trip));
	struct chance c = {.state = draw_seed(), .trip = trip};
	struct plan plan;

	assert_non_null(trip);
	c.plan = &plan;
	for (int i = 0; i < 3000; i++) {
		draw_plan(&c, &plan);
		begin(trip, &plan);
		trip->totals.elapsed_ns =
			some(&c, MS / 5) + play_children(&c, 0, plan.fanout[0], 0);
		trip->totals.elapsed_ns -= trip->totals.held_ns;
		assert_adds_up(play(trip, -1));
		model_free(&trip->model);
	}
	free(trip);
}

/* Whatever a recording contains: either the parts add up, or no part is known. */
static void nonsense_has_no_path_or_one_that_adds_up(void **state)
{
	struct trip *trip = malloc(sizeof(*trip));
	struct chance c = {.state = draw_seed(), .trip = trip};
	const struct model_run *run;
	struct plan plan;

	assert_non_null(trip);
	for (int i = 0; i < 3000; i++) {
		draw_plan(&c, &plan);
		begin(trip, &plan);
		for (uint32_t w = 0; w < trip->n; w++)
			LIFE(trip, w, some(&c, 50) - 1, some(&c, 50) - 1, some(&c, 50) - 1,
			     some(&c, 50) - 1, some(&c, 50) - 1, some(&c, 50) - 1);
		trip->totals.go_ns = (some(&c, 50) - 1) * MS;
		trip->totals.held_ns = some(&c, 5) * MS;
		run = play(trip, some(&c, 60));
		if (!isnan(run->path.all_ns))
			assert_adds_up(run);
		model_free(&trip->model);
	}
	free(trip);
}

static void synthetic_sessions_have_paths_that_add_up(void **state)
{
	void (*const sessions[])(struct synthetic *, uint32_t) = {
		synthetic_mixed, synthetic_tree, synthetic_creation, synthetic_shapes};

	for (size_t i = 0; i < sizeof(sessions) / sizeof(sessions[0]); i++) {
		struct synthetic session;
		struct model model;

		sessions[i](&session, 1);
		session.slices = true;
		synthetic_model(&session, &model);
		for (size_t run = 0; run < model.n_runs; run++)
			assert_adds_up(&model.runs[run]);
		model_free(&model);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_path_goes_through_the_worker_that_is_awaited),
		cmocka_unit_test(a_worker_that_ended_before_its_join_is_not_on_the_path),
		cmocka_unit_test(a_parent_that_only_creates_and_joins_is_the_path),
		cmocka_unit_test(the_work_on_the_path_is_one_part_without_slices),
		cmocka_unit_test(the_kernels_sums_tell_it_where_they_are_known),
		cmocka_unit_test(the_run_delay_divides_gaps_without_a_reason),
		cmocka_unit_test(the_path_leads_from_the_barrier_to_the_last_worker_ready),
		cmocka_unit_test(a_batch_begins_when_the_one_before_was_joined),
		cmocka_unit_test(a_tree_is_walked_through_its_parents),
		cmocka_unit_test(a_run_that_is_no_measurement_has_no_path),
		cmocka_unit_test(the_parts_of_any_run_add_up_to_its_elapsed_time),
		cmocka_unit_test(nonsense_has_no_path_or_one_that_adds_up),
		cmocka_unit_test(synthetic_sessions_have_paths_that_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
