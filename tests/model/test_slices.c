/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <math.h>
#include <string.h>
#include <sys/param.h>
#include <stdlib.h>

#include "base/array.h"
#include "model/model.h"
#include "model/model_lanes.h"
#include "model/model_wakes.h"
#include "stage/synthetic.h"
#include "stage/known.h"
#include "stage/programs.h"
#include "stage/seed.h"
#include "result/report.h"

#define MS INT64_C(1000000)

static void assert_near(double a, double b)
{
	assert_true(fabs(a - b) <= 0.001);
}

/*
 * Plays a session of 6 cpu + 2 io workers on two cores, with one trial of threads and one of
 * processes.
 */
static void play(struct model *model)
{
	struct synthetic session;

	synthetic_mixed(&session, 1);
	session.warmup = 0;
	session.slices = true;
	synthetic_model(&session, model);
}

/* Returns the shares of a part of the worker's life, given in milliseconds. */
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

	play(&model);
	for (uint32_t i = 0; i < 8; i++) {
		const struct sample_worker worker = model_known(&model.runs[0], i);
		struct model_shares shares = shares_of(&model, i, 0, 10000);
		double sum = 0;

		for (int s = STATE_UNKNOWN; s < MODEL_STATES; s++)
			sum += shares.ns[s];
		assert_near(sum, (double)(worker.finish_ns - sample_worker_begin(&worker)) / 1e6);
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

static void only_io_workers_block_after_the_barrier(void **state)
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

/* The kernel may lose the record that would end a killed worker's slice. */
static void an_open_slice_does_not_outlive_the_run(void **state)
{
	struct model model;
	struct sample_slice slices[] = {
		{.on_ns = 50 * MS, .off_ns = 60 * MS, .why = WHY_BLOCKED, .cpu = 1, .ready_ns = -1},
		{.on_ns = 70 * MS, .off_ns = -1, .open = true, .cpu = 1, .ready_ns = -1}};
	struct sample sample = {.kind = SAMPLE_SLICES, .slices = {2, slices}};
	struct synthetic session;
	size_t n;

	synthetic_mixed(&session, 1);
	session.stop_ns = 300 * MS;
	synthetic_model(&session, &model);
	sample.run = model.runs[0].id;
	assert_int_equal(model_apply(&model, &sample), 0);
	model_slices(&model.runs[0], 0, &n);
	assert_int_equal(n, 2);
	sample = (struct sample) {
		.kind = SAMPLE_RUN_END, .time_ns = 400 * MS, .run = model.runs[0].id};
	fields_unknown(sample_totals_fields, &sample.end.totals);
	assert_int_equal(model_apply(&model, &sample), 0);
	/* A recording has no open slices, and its figures must be the same. */
	model_slices(&model.runs[0], 0, &n);
	assert_int_equal(n, 1);
	model_free(&model);
}

static void a_blocked_task_says_on_what(void **state)
{
	struct model model;
	struct sample_task task = {.parent = -1,
				   .pid = 7,
				   .tid = 7,
				   .end_ns = -1,
				   .exit_status = -1,
				   .cpu_ns = -1,
				   .waited_ns = 200 * MS,
				   .waited = WAIT_SLEEP};
	struct sample_slice slices[] = {
		{.on_ns = 10 * MS, .off_ns = 20 * MS, .why = WHY_BLOCKED, .cpu = 1, .ready_ns = -1},
		{.on_ns = 100 * MS,
		 .off_ns = 110 * MS,
		 .why = WHY_BLOCKED,
		 .cpu = 1,
		 .ready_ns = 90 * MS,
		 .waited = WAIT_LOCK + 2}};
	struct sample sample = {.kind = SAMPLE_TASKS, .tasks = {1, &task}};
	struct model_stretch stretch;
	struct model_wait waits[4];
	struct synthetic session;

	(void)state;
	synthetic_mixed(&session, 1);
	session.stop_ns = 600 * MS;
	synthetic_model(&session, &model);
	sample.run = model.runs[0].id;
	task.index = slices[0].index = slices[1].index = model.runs[0].n_workers;
	assert_int_equal(model_apply(&model, &sample), 0);
	sample.kind = SAMPLE_SLICES;
	sample.slices.n = 2;
	sample.slices.list = slices;
	assert_int_equal(model_apply(&model, &sample), 0);
	assert_true(model_stretch_at(&model, &model.runs[0], task.index, 50 * MS, &stretch));
	assert_stretch(&stretch, STATE_BLOCKED, 20, 90);
	assert_int_equal(stretch.waited, WAIT_LOCK + 2);
	/* No slice has come since, so the last known reason of the wait holds. */
	assert_true(model_stretch_at(&model, &model.runs[0], task.index, 120 * MS, &stretch));
	assert_int_equal(stretch.waited, WAIT_SLEEP);
	assert_int_equal(model_waits_add(&model, &model.runs[0], task.index, waits, 0, 4), 2);
	assert_int_equal(waits[0].waited, WAIT_SLEEP);
	assert_int_equal(waits[1].waited, WAIT_LOCK + 2);
	assert_true(waits[1].ns == 70. * MS);
	/* A wait for which there is no room is unknown. */
	assert_int_equal(model_waits_add(&model, &model.runs[0], task.index, waits, 0, 1), 1);
	assert_int_equal(waits[0].waited, 0);
	/* The wait was seen before the task's last slice. */
	task.waited_ns = 15 * MS;
	sample.kind = SAMPLE_TASKS;
	sample.tasks.n = 1;
	sample.tasks.list = &task;
	assert_int_equal(model_apply(&model, &sample), 0);
	assert_true(model_stretch_at(&model, &model.runs[0], task.index, 120 * MS, &stretch));
	assert_int_equal(stretch.waited, 0);
	model_free(&model);
}

/*
 * Two Python threads take turns: each waits for 5 ms, asks for the GIL, waits a moment more and
 * runs for 5 ms. Only `looks` turns, and the last one, have a sample of what the thread waits for.
 */
static int waited_of_turn(size_t looks, int look, size_t turn)
{
	enum { TURNS = 12 };
	struct sample_slice slices[3 * TURNS];
	struct sample_task task = {.parent = -1, .pid = 7, .tid = 7, .end_ns = -1};
	struct sample sample = {.kind = SAMPLE_TASKS, .tasks = {1, &task}};
	struct model_stretch stretch;
	struct synthetic session;
	struct model model;
	int64_t t = MS;
	int waited;

	synthetic_mixed(&session, 1);
	session.stop_ns = 600 * MS;
	synthetic_model(&session, &model);
	sample.run = model.runs[0].id;
	task.index = model.runs[0].n_workers;
	for (size_t i = 0; i < 3 * TURNS; i++) {
		const int64_t waits_ns = i % 3 == 0 ? 5 * MS + 50000 : 20000;
		const int64_t runs_ns = i % 3 == 2 ? 5 * MS : 20000;

		slices[i] = (struct sample_slice) {
			.index = task.index,
			.on_ns = t + waits_ns,
			.off_ns = t + waits_ns + runs_ns,
			.why = WHY_BLOCKED,
			.ready_ns = -1,
			.waited = i % 3 == 0 && i / 3 < looks ? WAIT_GIL : -1,
		};
		t = slices[i].off_ns;
	}
	/* One more look, during the last turn. */
	slices[3 * TURNS - 3].waited = (int16_t)look;
	assert_int_equal(model_apply(&model, &sample), 0);
	sample.kind = SAMPLE_SLICES;
	sample.slices.n = 3 * TURNS;
	sample.slices.list = slices;
	assert_int_equal(model_apply(&model, &sample), 0);
	waited = -1;
	for (size_t i = 3 * turn; i < 3 * turn + 3; i++) {
		assert_true(model_stretch_at(&model, &model.runs[0], task.index,
					     slices[i].on_ns - 1000, &stretch));
		assert_int_equal(stretch.state, STATE_BLOCKED);
		assert_true(waited < 0 || stretch.waited == waited);
		waited = stretch.waited;
	}
	model_free(&model);
	return waited;
}

static void threads_that_take_turns_wait_for_the_gil(void **state)
{
	/* Before its first slice a thread has asked for nothing. */
	assert_int_equal(waited_of_turn(1 + 3, -1, 7), WAIT_GIL);
	assert_int_equal(waited_of_turn(1 + 2, WAIT_GIL, 7), WAIT_GIL);
	/* There are too few looks, or one of them saw another wait. */
	assert_int_equal(waited_of_turn(1 + 2, -1, 7), 0);
	assert_int_equal(waited_of_turn(1 + 3, WAIT_PIPE, 7), 0);
}

/* The thread wakes every 5 ms to ask for the GIL, so no look sees most of its waits. */
static void a_wait_for_the_gil_goes_on_while_the_thread_only_asks(void **state)
{
	struct sample_slice slices[] = {
		/*
		 * The thread asks twice, then has the GIL (35 to 40 ms) and waits for something
		 * unknown.
		 */
		{.on_ns = 10 * MS, .off_ns = 20 * MS},
		{.on_ns = 25 * MS, .off_ns = 25 * MS + 20000},
		{.on_ns = 30 * MS, .off_ns = 30 * MS + 20000, .waited = WAIT_GIL},
		{.on_ns = 35 * MS, .off_ns = 40 * MS},
		{.on_ns = 50 * MS, .off_ns = 50 * MS + 20000},
		{.on_ns = 60 * MS, .off_ns = 60 * MS + 20000, .waited = WAIT_PIPE},
		{.on_ns = 70 * MS, .off_ns = 80 * MS},
	};
	static const struct {
		int at_ms, waited;
	} expected[] = {{22, WAIT_GIL}, {27, WAIT_GIL},	 {33, WAIT_GIL},
			{45, 0},	{55, WAIT_PIPE}, {65, 0}};
	struct sample_task task = {.parent = -1, .pid = 7, .tid = 7, .end_ns = -1};
	struct sample sample = {.kind = SAMPLE_TASKS, .tasks = {1, &task}};
	struct model_stretch stretch;
	struct synthetic session;
	struct model model;

	(void)state;
	synthetic_mixed(&session, 1);
	session.stop_ns = 600 * MS;
	synthetic_model(&session, &model);
	sample.run = model.runs[0].id;
	task.index = model.runs[0].n_workers;
	for (size_t i = 0; i < 7; i++) {
		slices[i].index = task.index;
		slices[i].why = WHY_BLOCKED;
		slices[i].ready_ns = -1;
		slices[i].waited = slices[i].waited ? slices[i].waited : -1;
	}
	assert_int_equal(model_apply(&model, &sample), 0);
	sample.kind = SAMPLE_SLICES;
	sample.slices.n = 7;
	sample.slices.list = slices;
	assert_int_equal(model_apply(&model, &sample), 0);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		assert_true(model_stretch_at(&model, &model.runs[0], task.index,
					     expected[i].at_ms * MS, &stretch));
		assert_int_equal(stretch.state, STATE_BLOCKED);
		assert_int_equal(stretch.waited, expected[i].waited);
	}
	model_free(&model);
}

/*
 * If slices of others are known, nothing is guessed: a preempted worker may have left an idle core.
 */
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
	sample.slices.n = 1; /* inserted again, before the known slices */
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

/* Compares the stretches from each ms to each later one with the sums. */
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

/*
 * The worker passes the barrier 4 ms before its first turn. It is blocked for 10 ms, then without a
 * core for 10 more.
 */
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
	int64_t barrier;

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
	barrier = at.to_ns - at.from_ns;
	assert_in_range(barrier, MS, 6 * MS);
	assert_true(model_stretch_at(&model, &model.runs[0], 0, 25 * MS, &at));
	assert_stretch(&at, STATE_BLOCKED, 20, 30);
	assert_true(model_stretch_at(&model, &model.runs[0], 0, 30 * MS, &at));
	assert_stretch(&at, STATE_WAITING, 30, 40);
	assert_true(model_stretch_at(&model, &model.runs[0], 0, 61 * MS, &at));
	assert_stretch(&at, STATE_BLOCKED, 60, 70);
	model_shares_until(&model, &model.runs[0], 0, 70 * MS, &shares);
	assert_near(shares.ns[STATE_WAITING], 19e6);
	assert_near(shares.ns[STATE_BLOCKED], 20e6 + (double)barrier);
	model_shares_until(&model, &model.runs[0], 0, 35 * MS, &shares);
	assert_near(shares.ns[STATE_WAITING], 9e6);
	assert_int_equal(model_lane_figures(&model, &model.runs[0], 0, &figures), 0);
	assert_int_equal(figures.waits, 3);
	assert_near(figures.longest_wait_ns, 10e6);
	assert_stretches_add_up(&model, 75);
	model_free(&model);
}

/* The sums equal those of a walk from stretch to stretch. */
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

/* Wherever a part begins and ends: before all slices, within one, between two, after all. */
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

/* Every slice in the workers' lanes is also in the lanes of the two cores. */
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

/* A shell, whose slices are its worker's, starts two programs, which are on a core each. */
static void fill_pipe(struct programs_run *run, const void *arg)
{
	const uint32_t shell = programs_task(run, -1, false, "sh", 2000, 90 * MS);

	run->elapsed_ns = 100 * MS;
	for (int64_t on_ns = 10 * MS; on_ns <= 80 * MS; on_ns += 70 * MS)
		run->slices[run->n_slices++] = (struct sample_slice) {
			.on_ns = on_ns, .off_ns = on_ns + 5 * MS, .why = WHY_BLOCKED, .waker = -1};
	for (int i = 0; i < 2; i++)
		programs_slice(run, programs_task(run, (int)shell, false, "cat", 20 * MS, 70 * MS),
			       (20 + i) * MS, (50 + i) * MS, WHY_ENDED, 0);
}

/* From its end on, the program is known to have had children. */
static int apply_with_children(void *arg, const struct sample *sample)
{
	struct sample changed = *sample;

	if (changed.kind == SAMPLE_RUN_END)
		changed.end.totals.children = 2;
	return model_apply(arg, &changed);
}

static void tasks_of_programs_are_in_the_lanes_of_the_cores(void **state)
{
	const struct programs programs[] = {
		{.trials = 2, .fill = fill_pipe},
		{.trials = 2, .fill = fill_pipe, .tasks_by = "sampled"}};
	struct model model;

	for (size_t i = 0; i < LENGTH(programs); i++) {
		struct model_core_shares shares[2];
		struct model_core_stretch at;
		const struct model_run *run;

		model_init(&model);
		assert_int_equal(programs_play(&programs[i], apply_with_children, &model), 0);
		run = &model.runs[0];
		/* Sampled times of two tasks may overlap on a core. */
		if (i > 0) {
			assert_int_equal(model_cores_seen(run), 0);
			model_free(&model);
			continue;
		}
		assert_in_range(model_cores_seen(run), 2, 64);
		for (size_t cpu = 0; cpu < 2; cpu++)
			model_core_shares_until(&model, run, cpu, INT64_MAX, &shares[cpu]);
		assert_near(shares[0].ns[CORE_OURS], 40 * MS);
		assert_near(shares[1].ns[CORE_OURS], 30 * MS);
		for (size_t cpu = 0; cpu < 2; cpu++) {
			assert_true(model_core_stretch_at(&model, run, cpu, 30 * MS, &at));
			assert_int_equal(at.worker, run->n_workers + (cpu == 0 ? 2 : 1));
		}
		assert_true(model_core_stretch_at(&model, run, 0, 12 * MS, &at));
		assert_int_equal(at.worker, run->n_workers);
		model_free(&model);
	}
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

struct core_walk {
	const struct model *model;
	size_t cpu;
	int64_t t_ns; /* end of the previous stretch */
};

static void compare_core_stretch(void *arg, const struct model_core_stretch *stretch)
{
	struct core_walk *walk = arg;
	struct model_core_stretch at;

	assert_true(model_core_stretch_at(walk->model, &walk->model->runs[0], walk->cpu, walk->t_ns,
					  &at));
	assert_int_equal(stretch->from_ns, at.from_ns);
	assert_int_equal(stretch->to_ns, at.to_ns);
	assert_int_equal(stretch->state, at.state);
	assert_int_equal(stretch->worker, at.worker);
	walk->t_ns = at.to_ns;
}

static void all_stretches_of_a_core_are_those_of_each_moment(void **state)
{
	struct model model;
	int64_t end_ns;

	play(&model);
	for (int64_t cursor = 100 * MS; cursor < 3200 * MS; cursor += 311 * MS) {
		model_seek(&model, model.runs[0].begin_ns + cursor);
		model_cores_seen(&model.runs[0]);
		end_ns = MIN(model.now_ns, model.runs[0].end_ns) - model.runs[0].begin_ns;
		for (size_t cpu = 0; cpu < 3; cpu++) {
			struct core_walk walk = {&model, cpu, cursor / 3};

			model_core_stretches(&model, &model.runs[0], cpu, cursor / 3, INT64_MAX,
					     compare_core_stretch, &walk);
			assert_int_equal(walk.t_ns, end_ns);
			walk.t_ns = 0;
			model_core_stretches(&model, &model.runs[0], cpu, -7, cursor / 2,
					     compare_core_stretch, &walk);
			assert_true(walk.t_ns >= cursor / 2);
		}
	}
	model_free(&model);
}

/*
 * Worker 0 waits from 20 to 40 ms. Another program has the core from 25 to 30 ms; otherwise the
 * core is idle meanwhile.
 */
static void a_core_is_wasted_while_it_is_idle_and_a_worker_waits(void **state)
{
	struct sample_slice list[] = {
		{.on_ns = 0, .off_ns = 20 * MS, .cpu = 1, .why = WHY_PREEMPTED},
		{.on_ns = 40 * MS, .off_ns = 50 * MS, .cpu = 1, .why = WHY_BLOCKED},
		{.on_ns = 0, .off_ns = 50 * MS, .cpu = 0, .why = WHY_BLOCKED, .index = 1},
		{.on_ns = 25 * MS, .off_ns = 30 * MS, .cpu = 1, .index = SAMPLE_OTHERS}};
	/* All slices; the second one merged from several; without the other program. */
	static const struct {
		size_t n;
		uint8_t merged;
		int64_t wasted_ns;
	} cases[] = {{4, 0, 15 * MS}, {4, 3, -1}, {3, 0, -1}};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct sample sample = {.kind = SAMPLE_SLICES, .slices = {cases[i].n, list}};
		struct synthetic session;
		struct model model;

		synthetic_mixed(&session, 1);
		session.stop_ns = 400 * MS;
		synthetic_model(&session, &model);
		sample.run = model.runs[0].id;
		for (size_t k = 0; k < LENGTH(list); k++)
			list[k].ready_ns = -1;
		list[1].merged = cases[i].merged;
		assert_int_equal(model_apply(&model, &sample), 0);
		assert_int_equal(model_wasted(&model, &model.runs[0]), cases[i].wasted_ns);
		if (cases[i].wasted_ns > 0) {
			model.now_ns = model.runs[0].begin_ns + 34 * MS;
			assert_int_equal(model_wasted(&model, &model.runs[0]), 9 * MS);
		}
		model_free(&model);
	}
}

/*
 * Worker 0 is preempted on core 1. No worker of the run is there until it returns, so another
 * program must have taken the core.
 */
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

#define US INT64_C(1000)

/*
 * Plays 6 cpu + 2 io workers on two cores. io workers 6 and 7 are runnable 110 and 120 us before
 * they get a core.
 */
static void play_wakes(struct model *model, uint32_t trials, uint32_t warmup)
{
	struct synthetic session;

	synthetic_mixed(&session, trials);
	session.warmup = warmup;
	session.slices = session.wakes = true;
	synthetic_model(&session, model);
}

/* Counts an io worker's slices by who woke it. */
static uint32_t count_woken(const struct model_run *run, uint32_t worker, enum sample_woken who)
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
	play_wakes(&model, 1, 0);
	wakes = model_wakes_run(&model, &model.runs[0]);
	assert_non_null(wakes);
	f = model_wakes_figures(wakes, WAKE_BARRIER, WOKEN_BY_MAIN);
	assert_int_equal(f.n, 8);
	assert_int_equal(f.n, model_wakes_figures(wakes, WAKE_BARRIER, WOKENS).n);
	assert_int_equal(model_wakes_figures(wakes, WAKE_CREATED, WOKENS).n, 0);
	assert_int_equal(model_wakes_figures(wakes, WAKE_CREATED, WOKENS).p50, -1);
	for (enum sample_woken who = WOKEN_BY_WORKER; who <= WOKEN_BY_INTERRUPT; who++) {
		n = count_woken(&model.runs[0], 6, who) + count_woken(&model.runs[0], 7, who);
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
	play_wakes(&model, 3, 1);
	assert_null(model.runs[0].wakes_all); /* a warm-up */
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.case_id == 1 && model.runs[i].id.trial > 0)
			sum += model_wakes_figures(model.runs[i].wakes, WAKE_BLOCKED, WOKENS).n;
	assert_int_equal(model_wakes_figures(model_wakes(&model, 1), WAKE_BLOCKED, WOKENS).n, sum);
	/* if the cursor is before a run's end, the value is not known yet */
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
	play_wakes(&model, 1, 0);
	assert_int_equal(model_woken(&model, &model.runs[0], 6, &woken), 0);
	assert_int_equal(woken.by[WOKEN_BY_INTERRUPT],
			 count_woken(&model.runs[0], 6, WOKEN_BY_INTERRUPT));
	assert_int_equal(woken.by[WOKEN_BY_WORKER],
			 count_woken(&model.runs[0], 6, WOKEN_BY_WORKER));
	assert_int_equal(woken.n, woken.by[WOKEN_BY_INTERRUPT] + woken.by[WOKEN_BY_WORKER]);
	assert_int_equal(woken.worker, 7);
	assert_int_equal(woken.worker_n, woken.by[WOKEN_BY_WORKER]);
	assert_true(woken.median_ns == 110e3 && woken.longest_ns == 110e3);
	assert_int_equal(model_woken(&model, &model.runs[0], 0, &woken), 0);
	assert_int_equal(woken.n, 0);
	assert_true(isnan(woken.median_ns));
	model_free(&model);
}

/* Slices of the first worker, inserted before its run's end. */
struct injected {
	struct model *model;
	struct sample_slice *list;
	uint32_t n;
};

static int take_drawn(void *arg, const struct sample *sample)
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

/*
 * Draws waits from 10 ns to 100 ms; every magnitude is equally frequent. Every third slice was
 * preempted.
 */
static size_t draw_waits(struct sample_slice *list, double *waits)
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
	n = draw_waits(list, waits);
	synthetic_mixed(&session, 1);
	session.warmup = 0;
	model_init(&model);
	assert_int_equal(synthetic_play(&session, take_drawn, &injected), 0);
	f = model_wakes_figures(model.runs[0].wakes, WAKE_BLOCKED, WOKENS);
	stats_sort(waits, n);
	assert_int_equal(f.n, n);
	assert_true((double)f.max == waits[n - 1]);
	assert_true(is_right(f.p50, waits, n, 0.5));
	assert_true(is_right(f.p90, waits, n, 0.9));
	assert_true(is_right(f.p99, waits, n, 0.99));
	model_free(&model);
}

/* Tests with two workers that count together from 0 to 10 ms. */

enum { ON_BOTH = 2 };

static void say_sharing(struct model *model, const char *via)
{
	struct sample_case one = {
		.model = "threads",
		.plan = {.levels = 1,
			 .fanout = {2},
			 .task = {PLAN_THREAD},
			 .leaves = {[WORK_SHARE] = 2},
			 .barrier = true},
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

/*
 * Returns the share of the time in which the workers were together. Each waited delay_us for a
 * core.
 */
static double together(const char *via, const struct sample_slice *list, uint32_t n,
		       int32_t delay_us, int64_t span_ms)
{
	struct sample_change workers[2];
	struct sample sample = {.kind = SAMPLE_RUN_BEGIN, .run = {0, 1, 0, 1}};
	struct model model;
	double share;

	say_sharing(&model, via);
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

static void assert_share(double a, double b)
{
	assert_true(fabs(a - b) < 1e-6);
}

/* The second worker loses its core for half of the time. */
static const struct sample_slice taken[] = {
	{.off_ns = 10 * MS, .cpu = 0, .why = WHY_ENDED},
	{.off_ns = 4 * MS, .index = 1, .cpu = 1, .why = WHY_PREEMPTED},
	{.on_ns = 9 * MS, .off_ns = 10 * MS, .index = 1, .cpu = 1, .why = WHY_ENDED},
};

/* The second worker sleeps for half of the time, and may have waited for a core at the end. */
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
	assert_share(together("atomic", taken, 3, 2500, 10), 0.5);
	assert_share(together("mutex", taken, 3, 5000, 10), 0.5);
}

static void a_worker_that_sleeps_for_the_mutex_counts_as_present(void **state)
{
	assert_share(together("mutex", asleep, 3, 0, 10), 1);
	/* A primitive that never sleeps cannot explain a sleep, so the worker was absent. */
	assert_share(together("atomic", asleep, 3, 0, 10), 0.5);
}

static void waits_that_no_slice_shows_are_taken_off(void **state)
{
	struct sample_slice seen[3] = {asleep[0], asleep[1], asleep[2]};

	assert_share(together("mutex", asleep, 3, 1000, 10), 0.8); /* 1 ms for each worker */
	/* not less than the slices prove */
	assert_share(together("mutex", asleep, 3, 4000, 10), 0.5);
	assert_share(together("mutex", asleep, 3, -1, 10), 0.5); /* not known */
	seen[2].ready_ns = 8 * MS;
	assert_share(together("mutex", seen, 3, 0, 10), 0.9);
}

static void on_one_core_they_take_turns(void **state)
{
	static const struct sample_slice turns[] = {
		{.off_ns = 5 * MS, .cpu = 0, .why = WHY_BLOCKED, .ready_ns = -1},
		{.on_ns = 9 * MS, .off_ns = 10 * MS, .cpu = 0, .why = WHY_ENDED, .ready_ns = -1},
		{.on_ns = 5 * MS, .off_ns = 9 * MS, .index = 1, .cpu = 0, .why = WHY_ENDED},
	};

	assert_share(together("mutex", turns, 3, 0, 10), 0);
}

/* The first worker waits for the other one. That time does not count. */
static void it_begins_with_the_first_increment(void **state)
{
	static const struct sample_slice late[] = {
		{.off_ns = 10 * MS, .cpu = 0, .why = WHY_ENDED},
		{.on_ns = 2 * MS, .off_ns = 10 * MS, .index = 1, .cpu = 1, .why = WHY_ENDED},
	};

	assert_share(together("line", late, 2, 0, 10), 0.8);
	assert_share(together("line", late, 2, 0, 8), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_states_of_a_life_add_up),
		cmocka_unit_test(only_io_workers_block_after_the_barrier),
		cmocka_unit_test(nothing_is_known_behind_the_cursor),
		cmocka_unit_test(an_open_slice_is_replaced),
		cmocka_unit_test(an_open_slice_does_not_outlive_the_run),
		cmocka_unit_test(a_blocked_task_says_on_what),
		cmocka_unit_test(threads_that_take_turns_wait_for_the_gil),
		cmocka_unit_test(a_wait_for_the_gil_goes_on_while_the_thread_only_asks),
		cmocka_unit_test(the_sums_are_those_of_the_stretches),
		cmocka_unit_test(the_stretches_are_handed_out_one_by_one),
		cmocka_unit_test(the_lanes_of_cores_are_those_of_their_workers),
		cmocka_unit_test(tasks_of_programs_are_in_the_lanes_of_the_cores),
		cmocka_unit_test(a_core_is_never_shared),
		cmocka_unit_test(all_stretches_of_a_core_are_those_of_each_moment),
		cmocka_unit_test(a_core_taken_away_is_anothers),
		cmocka_unit_test(a_wait_begins_where_it_could_run),
		cmocka_unit_test(others_are_on_a_core_when_they_are_seen),
		cmocka_unit_test(a_core_is_wasted_while_it_is_idle_and_a_worker_waits),
		cmocka_unit_test(without_slices_nothing_is_said),
		cmocka_unit_test(wakes_are_listed_by_reason_and_by_waker),
		cmocka_unit_test(those_of_counted_trials_are_taken_together),
		cmocka_unit_test(a_worker_knows_who_woke_it),
		cmocka_unit_test(quantiles_are_those_of_the_values),
		cmocka_unit_test(a_worker_that_waits_for_a_core_is_not_counted_as_running),
		cmocka_unit_test(a_worker_that_sleeps_for_the_mutex_counts_as_present),
		cmocka_unit_test(waits_that_no_slice_shows_are_taken_off),
		cmocka_unit_test(on_one_core_they_take_turns),
		cmocka_unit_test(it_begins_with_the_first_increment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
