/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <math.h>
#include <string.h>

#include "model/model_slices.h"
#include "stage/synthetic.h"

#define MS INT64_C(1000000)

static void assert_near(double a, double b)
{
	assert_true(fabs(a - b) <= 0.001);
}

/* 6 cpu + 2 io on two cores, one trial of threads and one of processes. */
static void play(struct model *model)
{
	struct synthetic session;

	synthetic_mixed(&session, 1);
	session.warmup = 0;
	session.slices = true;
	synthetic_model(&session, model);
}

/* All of the worker's life, in milliseconds. */
static struct model_shares shares_of(const struct model *model, uint32_t worker, int64_t from_ms,
				     int64_t to_ms)
{
	struct model_shares shares = {{0}};

	model_shares_add(model, &model->runs[0], worker, from_ms * MS, to_ms * MS, &shares);
	for (int i = 0; i < MODEL_STATES; i++)
		shares.ns[i] /= (double)MS;
	return shares;
}

static void the_states_of_a_life_add_up(void **state)
{
	struct model model;
	const struct sample_worker *worker;

	play(&model);
	for (uint32_t i = 0; i < 8; i++) {
		struct model_shares shares = shares_of(&model, i, 0, 10000);
		double sum = 0;

		worker = &model.runs[0].workers[i];
		for (int s = STATE_UNKNOWN; s < MODEL_STATES; s++)
			sum += shares.ns[s];
		assert_near(sum, (double)(worker->finish_ns - sample_worker_begin(worker)) / 1e6);
		assert_near(shares.ns[STATE_UNKNOWN], 0);
		assert_true(shares.ns[STATE_ON] > 0.2 * sum && shares.ns[STATE_ON] < 0.3 * sum);
	}
	model_free(&model);
}

static void only_io_workers_block_after_the_gate(void **state)
{
	struct model model;

	play(&model);
	assert_true(shares_of(&model, 0, 10, 10000).ns[STATE_BLOCKED] == 0);
	assert_true(shares_of(&model, 7, 10, 10000).ns[STATE_BLOCKED] > 100);
	model_free(&model);
}

static void nothing_is_known_behind_the_cursor(void **state)
{
	struct model model;
	struct model_stretch stretch;
	struct model_lane_figures before, after;

	play(&model);
	assert_int_equal(model_lane_figures(&model, &model.runs[0], 0, &after), 0);
	model_seek(&model, model.runs[0].begin_ns + 500 * MS);
	assert_false(model_stretch_at(&model, &model.runs[0], 0, 501 * MS, &stretch));
	assert_true(model_stretch_at(&model, &model.runs[0], 0, 499 * MS, &stretch));
	assert_true(stretch.to_ns <= 500 * MS);
	assert_int_equal(model_lane_figures(&model, &model.runs[0], 0, &before), 0);
	assert_true(before.slices > 10 && before.slices < after.slices);
	assert_near(after.median_ns, 4e6);
	assert_true(after.migrations > 0);
	assert_int_equal(after.cores, 3);
	model_free(&model);
}

static void an_open_slice_is_replaced(void **state)
{
	struct model model;
	struct sample_slice slice = {.on_ns = 50 * MS, .off_ns = -1, .cpu = 1};
	struct sample sample = {.kind = SAMPLE_SLICES, .slices = {1, &slice}};
	struct synthetic session;
	size_t n;

	synthetic_mixed(&session, 1);
	session.stop_ns = 300 * MS;
	synthetic_model(&session, &model);
	assert_false(model_has_slices(&model.runs[0]));
	sample.run = model.runs[0].id;
	assert_int_equal(model_apply(&model, &sample), 0);
	slice.off_ns = 60 * MS;
	assert_int_equal(model_apply(&model, &sample), 0);
	assert_int_equal(model_slices(&model.runs[0], 0, &n)->off_ns, 60 * MS);
	assert_int_equal(n, 1);
	slice.on_ns = 55 * MS; /* overlaps */
	assert_int_not_equal(model_apply(&model, &sample), 0);
	slice.index = 99;
	assert_int_not_equal(model_apply(&model, &sample), 0);
	model_free(&model);
}

static void without_slices_nothing_is_said(void **state)
{
	struct model model;
	struct synthetic session;
	struct model_shares shares = {{0}};

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	model_shares_add(&model, &model.runs[0], 0, 0, INT64_MAX, &shares);
	assert_true(shares.ns[STATE_UNKNOWN] > 0);
	assert_true(shares.ns[STATE_ON] + shares.ns[STATE_WAITING] + shares.ns[STATE_BLOCKED] == 0);
	model_free(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_states_of_a_life_add_up),
		cmocka_unit_test(only_io_workers_block_after_the_gate),
		cmocka_unit_test(nothing_is_known_behind_the_cursor),
		cmocka_unit_test(an_open_slice_is_replaced),
		cmocka_unit_test(without_slices_nothing_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
