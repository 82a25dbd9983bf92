/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <math.h>
#include <string.h>

#include "model/model_slices.h"
#include "stage/synthetic.h"
#include "stage/known.h"

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

		worker = &KNOWN(&model.runs[0], i);
		for (int s = STATE_UNKNOWN; s < MODEL_STATES; s++)
			sum += shares.ns[s];
		assert_near(sum, (double)(worker->finish_ns - sample_worker_begin(worker)) / 1e6);
		assert_near(shares.ns[STATE_UNKNOWN], 0);
		assert_true(shares.ns[STATE_ON] > 0.2 * sum && shares.ns[STATE_ON] < 0.3 * sum);
	}
	model_free(&model);
}

static void assert_stretch(const struct model_stretch *at, enum model_state state, int64_t from_ms,
			   int64_t to_ms)
{
	assert_int_equal(at->state, state);
	assert_int_equal(at->from_ns, from_ms * MS);
	assert_int_equal(at->to_ns, to_ms * MS);
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
	assert_int_equal(CPU_COUNT(&after.cores), 2);
	assert_true(CPU_ISSET(0, &after.cores) && CPU_ISSET(1, &after.cores));
	model_free(&model);
}

static void an_open_slice_is_replaced(void **state)
{
	struct model model;
	struct sample_slice slice = {.on_ns = 50 * MS, .off_ns = -1, .cpu = 1, .open = true};
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
	slice.open = false;
	assert_int_equal(model_apply(&model, &sample), 0);
	assert_int_equal(model_slices(&model.runs[0], 0, &n)->off_ns, 60 * MS);
	assert_int_equal(n, 1);
	slice.on_ns = 55 * MS; /* overlaps */
	assert_int_not_equal(model_apply(&model, &sample), 0);
	slice.index = 99;
	assert_int_not_equal(model_apply(&model, &sample), 0);
	model_free(&model);
}

/* Where others are seen, nothing is guessed: who was preempted left an idle core. */
static void others_are_on_a_core_when_they_are_seen(void **state)
{
	static const struct sample_slice list[] = {
		{.on_ns = 10 * MS, .off_ns = 20 * MS, .cpu = 1, .why = WHY_PREEMPTED},
		{.on_ns = 40 * MS, .off_ns = 50 * MS, .cpu = 1, .why = WHY_BLOCKED},
		{.on_ns = 2 * MS, .off_ns = 4 * MS, .cpu = 1, .index = SAMPLE_OTHERS},
		{.on_ns = 25 * MS, .off_ns = 30 * MS, .cpu = 1, .index = SAMPLE_OTHERS},
		{.on_ns = 52 * MS, .off_ns = 55 * MS, .cpu = 1, .index = SAMPLE_OTHERS}};
	static const int64_t ends[] = {2, 4, 10, 20, 25, 30, 40, 50, 52, 55};
	struct sample sample = {.kind = SAMPLE_SLICES, .slices = {5, list}};
	struct model_core_shares shares;
	struct model_core_stretch at;
	struct synthetic session;
	struct model model;
	int64_t t = 0;

	synthetic_mixed(&session, 1);
	session.stop_ns = 400 * MS;
	synthetic_model(&session, &model);
	sample.run = model.runs[0].id;
	assert_int_equal(model_apply(&model, &sample), 0);
	model_cores_seen(&model.runs[0]);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++, t = at.to_ns) {
		assert_true(model_core_stretch_at(&model, &model.runs[0], 1, t, &at));
		assert_int_equal(at.from_ns, t);
		assert_int_equal(at.to_ns, ends[i] * MS);
		assert_int_equal(at.state, ends[i] == 20 || ends[i] == 50 ? CORE_OURS
					   : ends[i] % 5 == 4 || ends[i] == 30 || ends[i] == 55
						   ? CORE_OTHERS
						   : CORE_FREE);
	}
	model_core_shares_until(&model, &model.runs[0], 1, 53 * MS, &shares);
	assert_near(shares.ns[CORE_OURS], 20e6);
	assert_near(shares.ns[CORE_OTHERS], 8e6);
	assert_near(shares.ns[CORE_FREE], 25e6);
	sample.slices.n = 1; /* again, before what is known */
	sample.slices.list = &list[2];
	assert_int_not_equal(model_apply(&model, &sample), 0);
	model_free(&model);
}

static void sum_up(void *arg, const struct model_stretch *stretch)
{
	struct model_shares *shares = arg;

	assert_true(stretch->to_ns > stretch->from_ns);
	shares->ns[stretch->state] += (double)(stretch->to_ns - stretch->from_ns);
}

/* Those handed out from each ms to each later one, beside the sums. */
static void assert_stretches_add_up(const struct model *model, int64_t until_ms)
{
	for (int64_t from = 0; from < until_ms; from++)
		for (int64_t to = from + 1; to <= until_ms; to++) {
			struct model_shares handed = {{0}}, summed = {{0}};

			model_stretches(model, &model->runs[0], 0, from * MS, to * MS, sum_up,
					&handed);
			model_shares_add(model, &model->runs[0], 0, from * MS, to * MS, &summed);
			for (int s = STATE_UNKNOWN; s < MODEL_STATES; s++)
				assert_near(handed.ns[s], summed.ns[s]);
		}
}

/* Let through the gate 4 ms before its first turn; blocked for 10 ms, then without a core for 10
 * more. */
static void a_wait_begins_where_it_could_run(void **state)
{
	static const struct sample_slice list[] = {
		{.on_ns = 10 * MS, .off_ns = 20 * MS, .why = WHY_BLOCKED, .ready_ns = 6 * MS},
		{.on_ns = 40 * MS, .off_ns = 50 * MS, .why = WHY_PREEMPTED, .ready_ns = 30 * MS},
		{.on_ns = 55 * MS, .off_ns = 60 * MS, .why = WHY_BLOCKED, .ready_ns = -1},
		{.on_ns = 70 * MS, .off_ns = 71 * MS, .why = WHY_BLOCKED, .ready_ns = -1}};
	struct sample sample = {.kind = SAMPLE_SLICES, .slices = {4, list}};
	struct model_lane_figures figures;
	struct model_shares shares;
	struct model_stretch at;
	struct synthetic session;
	struct model model;
	int64_t gate;

	synthetic_mixed(&session, 1);
	session.stop_ns = 400 * MS;
	synthetic_model(&session, &model);
	sample.run = model.runs[0].id;
	assert_int_equal(model_apply(&model, &sample), 0);
	assert_true(model_stretch_at(&model, &model.runs[0], 0, 7 * MS, &at));
	assert_stretch(&at, STATE_WAITING, 6, 10);
	assert_true(model_stretch_at(&model, &model.runs[0], 0, 5 * MS, &at));
	assert_int_equal(at.state, STATE_BLOCKED);
	assert_int_equal(at.to_ns, 6 * MS);
	gate = at.to_ns - at.from_ns;
	assert_in_range(gate, MS, 6 * MS);
	assert_true(model_stretch_at(&model, &model.runs[0], 0, 25 * MS, &at));
	assert_stretch(&at, STATE_BLOCKED, 20, 30);
	assert_true(model_stretch_at(&model, &model.runs[0], 0, 30 * MS, &at));
	assert_stretch(&at, STATE_WAITING, 30, 40);
	assert_true(model_stretch_at(&model, &model.runs[0], 0, 61 * MS, &at));
	assert_stretch(&at, STATE_BLOCKED, 60, 70);
	model_shares_until(&model, &model.runs[0], 0, 70 * MS, &shares);
	assert_near(shares.ns[STATE_WAITING], 19e6);
	assert_near(shares.ns[STATE_BLOCKED], 20e6 + (double)gate);
	model_shares_until(&model, &model.runs[0], 0, 35 * MS, &shares);
	assert_near(shares.ns[STATE_WAITING], 9e6);
	assert_int_equal(model_lane_figures(&model, &model.runs[0], 0, &figures), 0);
	assert_int_equal(figures.waits, 3);
	assert_near(figures.longest_wait_ns, 10e6);
	assert_stretches_add_up(&model, 75);
	model_free(&model);
}

/* The same by walking from stretch to stretch. */
static void the_sums_are_those_of_the_stretches(void **state)
{
	struct model model;
	struct model_stretch stretch;

	play(&model);
	for (uint32_t i = 0; i < 8; i++) {
		struct model_shares walked = {{0}}, summed;

		for (int64_t t = 0; model_stretch_at(&model, &model.runs[0], i, t, &stretch);
		     t = stretch.to_ns) {
			walked.ns[stretch.state] += (double)(stretch.to_ns - t);
			model_shares_until(&model, &model.runs[0], i, stretch.to_ns, &summed);
			for (int s = STATE_UNKNOWN; s < MODEL_STATES; s++)
				assert_near(walked.ns[s], summed.ns[s]);
		}
		assert_true(walked.ns[STATE_ON] > 0);
	}
	model_free(&model);
}

/* Wherever it begins and ends: before all slices, within one, between two, behind all. */
static void the_stretches_are_handed_out_one_by_one(void **state)
{
	struct model model;

	play(&model);
	model_seek(&model, model.runs[0].begin_ns + 2000 * MS);
	for (int64_t from = 0; from < 3200 * MS; from += 173 * MS / 10)
		for (uint32_t i = 0; i < 8; i++) {
			struct model_shares handed = {{0}}, summed = {{0}};
			int64_t to = from + (int64_t)i * i * 7 * MS + 1;

			model_stretches(&model, &model.runs[0], i, from, to, sum_up, &handed);
			model_shares_add(&model, &model.runs[0], i, from, to, &summed);
			for (int s = STATE_UNKNOWN; s < MODEL_STATES; s++)
				assert_near(handed.ns[s], summed.ns[s]);
		}
	model_free(&model);
}

/* Of both cores, every slice as the workers' lanes have it. */
static void the_lanes_of_cores_are_those_of_their_workers(void **state)
{
	struct model model;
	const struct model_run *run;
	size_t n, slices = 0;

	play(&model);
	run = &model.runs[0];
	assert_in_range(model_cores_seen(run), 2, 64);
	for (uint32_t i = 0; i < 8; i++) {
		const struct sample_slice *slice = model_slices(run, i, &n);

		for (slices += n; n > 0; n--, slice++) {
			struct model_core_stretch at;

			assert_true(model_core_stretch_at(&model, run, (size_t)slice->cpu,
							  slice->on_ns, &at));
			assert_int_equal(at.state, CORE_OURS);
		}
	}
	assert_true(slices > 100);
	model_free(&model);
}

static double known_on(const struct model_run *run, size_t cpu)
{
	double sum = 0;
	size_t n;

	for (uint32_t i = 0; i < 8; i++) {
		const struct sample_slice *slice = model_slices(run, i, &n);

		for (; n > 0; n--, slice++)
			if ((size_t)slice->cpu == cpu)
				sum += (double)(slice->off_ns - slice->on_ns);
	}
	return sum;
}

static void a_core_is_never_shared(void **state)
{
	struct model model;
	const struct model_run *run;

	play(&model);
	run = &model.runs[0];
	model_cores_seen(run);
	for (size_t cpu = 0; cpu < 2; cpu++) {
		struct model_core_shares walked = {{0}}, summed;
		struct model_core_stretch at;
		int64_t t = 0;

		for (; model_core_stretch_at(&model, run, cpu, t, &at); t = at.to_ns) {
			assert_true(at.from_ns <= t && at.to_ns > t);
			walked.ns[at.state] += (double)(at.to_ns - t);
		}
		model_core_shares_until(&model, run, cpu, INT64_MAX, &summed);
		assert_near(summed.ns[CORE_OURS], walked.ns[CORE_OURS]);
		assert_near(summed.ns[CORE_FREE] + summed.ns[CORE_OTHERS],
			    walked.ns[CORE_FREE] + walked.ns[CORE_OTHERS]);
		assert_true(walked.ns[CORE_OURS] > 0.99 * known_on(run, cpu));
		assert_true(walked.ns[CORE_OURS] <= known_on(run, cpu));
		assert_true(model_core_used(run, cpu));
	}
	assert_false(model_core_used(run, 2));
	model_free(&model);
}

/* Worker 0 goes to core 1 and comes back; its core is another's meanwhile, then nobody's. */
static void a_core_taken_away_is_anothers(void **state)
{
	static const struct sample_slice list[] = {
		{10 * MS, 20 * MS, 0, 1, WHY_PREEMPTED}, {40 * MS, 50 * MS, 0, 1, WHY_BLOCKED},
		{60 * MS, 70 * MS, 0, 1, WHY_ENDED},	 {5 * MS, 9 * MS, 1, 1, WHY_BLOCKED},
		{20 * MS, 40 * MS, 1, 0, WHY_BLOCKED},	 {80 * MS, -1, 1, 1, WHY_UNKNOWN, true},
	};
	static const enum model_core_state states[] = {CORE_FREE,   CORE_OURS, CORE_FREE, CORE_OURS,
						       CORE_OTHERS, CORE_OURS, CORE_FREE, CORE_OURS,
						       CORE_FREE,   CORE_OURS};
	struct sample sample = {.kind = SAMPLE_SLICES, .slices = {6, list}};
	struct synthetic session;
	struct model_core_stretch at;
	struct model model;
	int64_t t = 0;

	synthetic_mixed(&session, 1);
	session.stop_ns = 400 * MS;
	synthetic_model(&session, &model);
	sample.run = model.runs[0].id;
	assert_int_equal(model_apply(&model, &sample), 0);
	model_cores_seen(&model.runs[0]);
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++, t = at.to_ns) {
		assert_true(model_core_stretch_at(&model, &model.runs[0], 1, t, &at));
		assert_int_equal(at.state, states[i]);
	}
	assert_int_equal(at.worker, 1);
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
		cmocka_unit_test(the_sums_are_those_of_the_stretches),
		cmocka_unit_test(the_stretches_are_handed_out_one_by_one),
		cmocka_unit_test(the_lanes_of_cores_are_those_of_their_workers),
		cmocka_unit_test(a_core_is_never_shared),
		cmocka_unit_test(a_core_taken_away_is_anothers),
		cmocka_unit_test(a_wait_begins_where_it_could_run),
		cmocka_unit_test(others_are_on_a_core_when_they_are_seen),
		cmocka_unit_test(without_slices_nothing_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
