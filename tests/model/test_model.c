/* SPDX-License-Identifier: MIT */
#include "model/model.h"
#include "model/model_levels.h"
#include "model/model_wakes.h"
#include "model/metric.h"

#include "stage/check.h"

#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/resource.h>

#include "stage/synthetic.h"
#include "stage/model_equal.h"
#include "stage/known.h"
#include "result/report.h"
#include "stage/exported.h"
#include "draw/theme.h"

#define MS 1000000ll

static void expect_same_worker(struct sample_worker a, struct sample_worker b)
{
	assert_memory_equal(&a, &b, sizeof(a));
}

static void expect_same_double(double a, double b)
{
	assert_int_equal(isnan(a), isnan(b));
	if (!isnan(a))
		assert_true(a == b);
}

static void expect_same_memory(struct sample_memory a, struct sample_memory b)
{
	assert_int_equal(a.rss_kb, b.rss_kb);
	assert_int_equal(a.pss_kb, b.pss_kb);
	assert_int_equal(a.uss_kb, b.uss_kb);
	assert_int_equal(a.kernel_kb, b.kernel_kb);
	assert_int_equal(a.kernel_other_kb, b.kernel_other_kb);
	assert_int_equal(a.estimated, b.estimated);
}

static void expect_same_run(const struct model *a, const struct model *b,
			    const struct model_run *run_a, const struct model_run *run_b)
{
	struct model_counts counts_a, counts_b;

	assert_int_equal(run_a == NULL, run_b == NULL);
	if (!run_a)
		return;
	assert_int_equal(run_a->id.run, run_b->id.run);
	assert_int_equal(model_ended(a, run_a), model_ended(b, run_b));
	assert_int_equal(model_elapsed(a, run_a), model_elapsed(b, run_b));
	counts_a = model_counts(a, run_a);
	counts_b = model_counts(b, run_b);
	assert_memory_equal(&counts_a, &counts_b, sizeof(counts_a));
	expect_same_memory(model_memory(a, run_a), model_memory(b, run_b));
	for (uint32_t i = 0; i < run_a->n_workers; i++)
		expect_same_worker(model_worker(a, run_a, i), model_worker(b, run_b, i));
}

static void expect_same_trials(const struct model *a, const struct model *b, uint32_t case_id)
{
	double of_a[32], of_b[32];

	for (int metric = 0; metric < METRICS; metric++) {
		size_t n = model_trials(a, case_id, metric, of_a, NULL, 32);

		assert_int_equal(model_trials(b, case_id, metric, of_b, NULL, 32), n);
		for (size_t i = 0; i < n; i++)
			assert_true(of_a[i] == of_b[i]);
	}
}

static void expect_same_answers(const struct model *a, const struct model *b)
{
	struct model_comparison c, d;

	assert_int_equal(a->now_ns, b->now_ns);
	assert_int_equal(model_runs_ended(a), model_runs_ended(b));
	assert_int_equal(model_time_left(a), model_time_left(b));
	assert_int_equal(model_paused(a), model_paused(b));
	assert_int_equal(model_load_at(a, INT64_MAX), model_load_at(b, INT64_MAX));
	expect_same_double(model_load_share(a, false), model_load_share(b, false));
	expect_same_run(a, b, model_running(a), model_running(b));
	for (uint32_t i = 0; i < a->n_cases; i++) {
		expect_same_run(a, b, model_latest(a, i), model_latest(b, i));
		expect_same_trials(a, b, i);
	}
	assert_int_equal(model_compare(a, 0, 1, METRIC_ELAPSED, &c), 0);
	assert_int_equal(model_compare(b, 0, 1, METRIC_ELAPSED, &d), 0);
	assert_int_equal(c.pairs, d.pairs);
	assert_int_equal(c.verdict, d.verdict);
	expect_same_double(c.ratio.estimate, d.ratio.estimate);
	expect_same_double(c.ratio.low, d.ratio.low);
}

/* Compares a session that ended after time_ns with the whole one moved back to that time. */
static void expect_same_as_stopped(struct synthetic *session, struct model *whole, int64_t time_ns)
{
	struct model stopped;

	session->stop_ns = time_ns;
	synthetic_model(session, &stopped);
	model_seek(whole, stopped.now_ns);
	expect_same_answers(&stopped, whole);
	model_free(&stopped);
}

/* Backwards, so that no state of an earlier visit can remain. */
static void expect_same_when_moved_back(struct synthetic *session, int64_t step_ns)
{
	struct model whole;

	session->stop_ns = INT64_MAX;
	synthetic_model(session, &whole);
	for (int64_t t = whole.newest_ns; t >= 0; t -= step_ns)
		expect_same_as_stopped(session, &whole, t);
	expect_same_as_stopped(session, &whole, 0);
	model_free(&whole);
}

static void moved_back_a_set_answers_as_if_it_had_stopped_there(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 2);
	session.warmup = 1;
	session.paused_run = 2;
	expect_same_when_moved_back(&session, 97 * MS);
}

static void moved_back_a_crowded_session_answers_as_if_it_had_stopped_there(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 3);
	session.crowded_trial = 2;
	expect_same_when_moved_back(&session, 97 * MS);
}

static void moved_back_a_tree_answers_as_if_it_had_stopped_there(void **state)
{
	struct synthetic session;

	synthetic_tree(&session, 1);
	expect_same_when_moved_back(&session, 83 * MS);
}

static void moved_back_a_broken_session_answers_as_if_it_had_stopped_there(void **state)
{
	static const enum sample_status broken[] = {SAMPLE_FAILED, SAMPLE_CRASHED,
						    SAMPLE_INTERRUPTED};
	struct synthetic session;

	for (size_t i = 0; i < 3; i++) {
		for (uint32_t run = 0; run < 2; run++) {
			synthetic_mixed(&session, 2);
			session.cores = 64;
			session.broken = broken[i];
			session.broken_run = run;
			expect_same_when_moved_back(&session, 331 * MS);
		}
	}
}

static void same_samples_make_equal_models(void **state)
{
	struct synthetic session;
	struct model a, b;

	synthetic_tree(&session, 2);
	synthetic_model(&session, &a);
	synthetic_model(&session, &b);
	assert_true(model_equal(&a, &b));
	model_seek(&b, 1);
	assert_true(model_equal(&a, &b));
	model_free(&a);
	model_free(&b);
}

/* Changes one value in b, compares, and restores it. */
#define EXPECT_NOTICED(what_)                                                                      \
	do {                                                                                       \
		(what_)++;                                                                         \
		assert_false(model_equal(&a, &b));                                                 \
		(what_)--;                                                                         \
		assert_true(model_equal(&a, &b));                                                  \
	} while (0)

/* While a case runs again, its latest ended run is the run before. */
static void the_latest_run_that_has_ended_stays_while_the_next_one_lasts(void **state)
{
	struct synthetic session;
	struct model model;
	const struct model_run *first, *next;

	synthetic_mixed(&session, 2);
	synthetic_model(&session, &model);
	first = &model.runs[0];
	next = first + 1;
	while (next->id.case_id != first->id.case_id)
		next++;
	model_seek(&model, first->begin_ns + 1);
	assert_null(model_latest_ended(&model, first->id.case_id));
	model_seek(&model, next->begin_ns + 1);
	assert_ptr_equal(model_latest(&model, first->id.case_id), next);
	assert_ptr_equal(model_latest_ended(&model, first->id.case_id), first);
	model_seek(&model, model.newest_ns);
	assert_ptr_equal(model_latest_ended(&model, first->id.case_id), next);
	model_free(&model);
}

static void workers_that_came_in_any_order_are_found(void **state)
{
	struct model_workers workers = {0};

	(void)state;
	for (uint32_t i = 0; i < 130; i++) {
		struct sample_worker worker = sample_worker_unknown;

		worker.tid = (int32_t)(i * 3 % 130);
		worker.majflt = worker.tid == 5; /* counts arrive late */
		assert_int_equal(model_workers_put(&workers, 130, i * 3 % 130, &worker), 0);
	}
	for (uint32_t i = 0; i < 130; i++) {
		assert_int_equal(model_workers_at(&workers, i).tid, i);
		assert_int_equal(model_workers_at(&workers, i).majflt, i == 5);
		assert_int_equal(model_workers_at(&workers, i).tasks, -1);
	}
	model_workers_free(&workers);
}

static void any_difference_makes_models_unequal(void **state)
{
	struct synthetic session;
	struct model a, b;

	synthetic_mixed(&session, 2);
	synthetic_model(&session, &a);
	synthetic_model(&session, &b);
	EXPECT_NOTICED(b.session.title[0]);
	EXPECT_NOTICED(b.session.options[3]);
	EXPECT_NOTICED(b.session.machine.cpu[0]);
	EXPECT_NOTICED(b.session.machine.clock_ticks);
	EXPECT_NOTICED(b.session.interval_ms);
	EXPECT_NOTICED(b.cases[1].plan.fanout[0]);
	EXPECT_NOTICED(b.cases[1].plan.leaves[WORK_IO]);
	EXPECT_NOTICED(b.cases[0].plan.task[0]);
	EXPECT_NOTICED(b.cases[0].model[0]);
	for (uint32_t i = 0; i < 8; i += 7) {
		struct sample_worker worker = model_known(&b.runs[1], i);

		KNOW(&b.runs[1], i, join_ns, worker.join_ns + 1);
		assert_false(model_equal(&a, &b));
		KNOW(&b.runs[1], i, join_ns, worker.join_ns);
		KNOW(&b.runs[1], i, cycles, worker.cycles + 1);
		assert_false(model_equal(&a, &b));
		know(&b.runs[1], i, worker);
		assert_true(model_equal(&a, &b));
	}
	EXPECT_NOTICED(b.runs[3].totals.memory.pss_kb);
	EXPECT_NOTICED(b.runs[3].totals.nivcsw);
	EXPECT_NOTICED(b.runs[3].totals.reason[0]);
	EXPECT_NOTICED(b.runs[0].points[2].tasks);
	EXPECT_NOTICED(b.runs[0].points[2].memory.kernel_kb);
	EXPECT_NOTICED(b.loads[5].self_cpu_us);
	EXPECT_NOTICED(b.cores[2 * 7 + 1].steal);
	EXPECT_NOTICED(b.messages[0].text[4]);
	EXPECT_NOTICED(b.done_ns);
	EXPECT_NOTICED(b.lost);
	model_free(&a);
	model_free(&b);
}

static void before_the_first_sample_everything_is_unknown(void **state)
{
	struct model model;

	model_init(&model);
	assert_null(model_latest(&model, 0));
	assert_null(model_running(&model));
	assert_int_equal(model_runs_ended(&model), 0);
	assert_int_equal(model_load_at(&model, INT64_MAX), -1);
	assert_true(isnan(model_load_share(&model, false)));
	assert_false(model_paused(&model));
	assert_int_equal(model_time_left(&model), -1);
	model_seek(&model, 5);
	assert_int_equal(model.now_ns, 0);
	model_free(&model);
}

static void the_cursor_stays_within_the_session(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	assert_int_equal(model.now_ns, model.newest_ns);
	model_seek(&model, -7);
	assert_int_equal(model.now_ns, 0);
	model_seek(&model, INT64_MAX);
	assert_int_equal(model.now_ns, model.newest_ns);
	model_free(&model);
}

static void a_worker_shows_nothing_that_is_yet_to_come(void **state)
{
	struct synthetic session;
	struct model model;
	const struct model_run *run;
	struct sample_worker all, worker;

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	run = &model.runs[1];
	all = model_known(run, 6); /* w7 io, a process */

	model_seek(&model, run->begin_ns + all.create_ns);
	worker = model_worker(&model, run, 6);
	assert_int_equal(worker.create_ns, all.create_ns);
	assert_int_equal(worker.created_ns, -1);
	assert_int_equal(worker.pid, -1);
	assert_int_equal(worker.status, SAMPLE_RUNNING);

	model_seek(&model, run->begin_ns + all.start_ns);
	worker = model_worker(&model, run, 6);
	assert_int_equal(worker.start_ns, all.start_ns);
	assert_int_equal(worker.tid, all.tid);
	assert_int_equal(worker.cpu_first, all.cpu_first);
	assert_int_equal(worker.work_ns, -1);

	model_seek(&model, run->begin_ns + all.finish_ns - 1);
	worker = model_worker(&model, run, 6);
	assert_int_equal(worker.finish_ns, -1);
	assert_int_equal(worker.result, 0);
	assert_int_equal(worker.nvcsw, 0);
	assert_int_equal(worker.cpu_last, -1);

	model_seek(&model, run->begin_ns + all.finish_ns);
	worker = model_worker(&model, run, 6);
	assert_int_equal(worker.status, SAMPLE_OK);
	assert_int_equal(worker.result, 134217728);
	assert_int_equal(worker.nvcsw, 41);
	assert_int_equal(worker.join_ns, -1);
	model_free(&model);
}

static void expect_counts(const struct model *model, const struct model_run *run,
			  struct model_counts expected)
{
	struct model_counts counts = model_counts(model, run);

	assert_int_equal(counts.created, expected.created);
	assert_int_equal(counts.started, expected.started);
	assert_int_equal(counts.finished, expected.finished);
	assert_int_equal(counts.joined, expected.joined);
	assert_int_equal(counts.failed, expected.failed);
	assert_int_equal(counts.alive, expected.alive);
}

static void workers_are_counted_as_of_now(void **state)
{
	struct synthetic session;
	struct model model;
	const struct model_run *run;

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	run = &model.runs[0];
	model_seek(&model, run->begin_ns);
	expect_counts(&model, run, (struct model_counts) {0});
	model_seek(&model, run->begin_ns + model_known(run, 2).created_ns);
	assert_int_equal(model_counts(&model, run).created, 3);
	model_seek(&model, run->begin_ns + 200 * MS);
	expect_counts(&model, run, (struct model_counts) {8, 8, 0, 0, 0, 8});
	/* both io workers are through; the parent still waits for w1 cpu */
	model_seek(&model, run->begin_ns + 1000 * MS);
	expect_counts(&model, run, (struct model_counts) {8, 8, 2, 0, 0, 6});
	model_seek(&model, run->end_ns);
	expect_counts(&model, run, (struct model_counts) {8, 8, 8, 8, 0, 0});
	model_free(&model);
}

static void a_crash_of_a_thread_leaves_nobody_alive(void **state)
{
	struct synthetic session;
	struct model model;
	const struct model_run *run;

	synthetic_mixed(&session, 1);
	session.broken_run = 0;
	session.broken = SAMPLE_CRASHED;
	synthetic_model(&session, &model);
	run = &model.runs[0];
	model_seek(&model, run->end_ns - 1);
	expect_counts(&model, run, (struct model_counts) {8, 8, 3, 0, 1, 5});
	assert_int_equal(model_worker(&model, run, 3).status, SAMPLE_CRASHED);
	assert_int_equal(model_worker(&model, run, 3).error, SIGSEGV);
	assert_int_equal(model_worker(&model, run, 0).status, SAMPLE_RUNNING);
	model_seek(&model, run->end_ns);
	expect_counts(&model, run, (struct model_counts) {8, 8, 3, 0, 1, 0});
	assert_int_equal(model_worker(&model, run, 0).status, SAMPLE_INTERRUPTED);
	model_free(&model);
}

static void memory_is_that_of_the_newest_tick_by_now(void **state)
{
	struct synthetic session;
	struct model model;
	struct model_run *run;

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	run = &model.runs[1];
	model_seek(&model, run->points[0].time_ns - 1);
	assert_int_equal(model_memory(&model, run).rss_kb, -1);
	assert_int_equal(model_memory(&model, run).kernel_kb, -1);
	model_seek(&model, run->points[4].time_ns + 1);
	run->points[5].memory.pss_kb = 1;
	expect_same_memory(model_memory(&model, run), run->points[4].memory);
	/* a tick without readable memory values */
	run->points[4].memory = sample_memory_unknown();
	expect_same_memory(model_memory(&model, run), run->points[3].memory);
	model_free(&model);
}

static void a_load_is_found_by_its_time(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	assert_int_equal(model.n_cores, 2);
	assert_int_equal(model_load_at(&model, 100 * MS - 1), -1);
	assert_int_equal(model_load_at(&model, 100 * MS), 0);
	assert_int_equal(model_load_at(&model, 299 * MS), 1);
	/* the seventeenth tick was lost */
	assert_int_equal(model_load_at(&model, 1799 * MS), 15);
	assert_int_equal(model_load_at(&model, 1800 * MS), 16);
	assert_int_equal(model.lost, 1);
	model_seek(&model, 250 * MS);
	assert_int_equal(model_load_at(&model, 5000 * MS), 1);
	model_free(&model);
}

static void the_own_load_is_that_of_the_last_second(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	assert_float_equal((float)model_load_share(&model, false), 0.003f, 1e-6f);
	for (size_t i = 30; i < model.n_loads; i++)
		model.loads[i].self_cpu_us += 20000;
	model_seek(&model, model.loads[30].time_ns);
	assert_float_equal((float)model_load_share(&model, false), 0.023f, 1e-6f);
	model_seek(&model, model.loads[41].time_ns);
	assert_float_equal((float)model_load_share(&model, false), 0.003f, 1e-6f);
	model_seek(&model, model.loads[0].time_ns);
	assert_true(isnan(model_load_share(&model, false)));
	model_free(&model);
}

/* Makes a session, and the same one with a pause in a run: its middle third, one second. */
static void make_paused(struct model *whole, struct model *paused, uint32_t run)
{
	struct synthetic session;

	synthetic_mixed(&session, 2);
	synthetic_model(&session, whole);
	session.paused_run = run;
	synthetic_model(&session, paused);
}

static int64_t span(const struct model_run *run)
{
	return run->end_ns - run->begin_ns;
}

static void paused_time_is_no_time(void **state)
{
	struct model whole, paused;
	int64_t pause_ns;

	make_paused(&whole, &paused, 1);
	assert_int_equal(paused.n_pauses, 1);
	pause_ns = paused.pauses[0].to_ns - paused.pauses[0].from_ns;
	assert_true(pause_ns > span(&whole.runs[1]) / 4);
	assert_int_equal(span(&paused.runs[0]), span(&whole.runs[0]));
	assert_int_equal(span(&paused.runs[1]), span(&whole.runs[1]) - pause_ns);
	assert_int_equal(paused.runs[1].totals.elapsed_ns,
			 whole.runs[1].totals.elapsed_ns - pause_ns);
	assert_int_equal(paused.newest_ns, whole.newest_ns - pause_ns);
	for (size_t i = 2; i < whole.n_runs; i++) {
		assert_int_equal(paused.runs[i].begin_ns, whole.runs[i].begin_ns - pause_ns);
		assert_int_equal(span(&paused.runs[i]), span(&whole.runs[i]));
		assert_int_equal(paused.runs[i].totals.begin_ns,
				 whole.runs[i].totals.begin_ns - pause_ns);
	}
	/* The history of the load and the curve of memory have no column for the pause. */
	for (size_t i = 1; i < paused.n_loads; i++)
		assert_in_range(paused.loads[i].time_ns - paused.loads[i - 1].time_ns, 1,
				200 * MS); /* the first tick after the pause is left out */
	for (size_t i = 1; i < paused.runs[1].n_points; i++)
		assert_true(paused.runs[1].points[i].time_ns >
			    paused.runs[1].points[i - 1].time_ns);
	model_free(&whole);
	model_free(&paused);
}

static void a_paused_run_has_its_workers_within_its_time(void **state)
{
	struct model whole, paused;

	make_paused(&whole, &paused, 0);
	for (uint32_t i = 0; i < paused.runs[0].n_workers; i++) {
		const struct sample_worker was = model_known(&whole.runs[0], i);
		const struct sample_worker is = model_known(&paused.runs[0], i);

		assert_int_equal(is.create_ns, was.create_ns);
		assert_true(is.finish_ns <= was.finish_ns);
		assert_true(is.finish_ns >= is.start_ns);
		assert_true(is.join_ns <= span(&paused.runs[0]));
	}
	model_free(&whole);
	model_free(&paused);
}

static void a_pause_is_seen_where_it_was(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 1);
	session.paused_run = 0;
	synthetic_model(&session, &model);
	model_seek(&model, model.runs[0].begin_ns + 500 * MS);
	assert_false(model_paused(&model));
	model_seek(&model, model.pauses[0].from_ns);
	assert_true(model_paused(&model));
	model_seek(&model, model.runs[0].end_ns);
	assert_false(model_paused(&model));
	model_free(&model);
}

struct watched {
	struct model model;
	int64_t stood_ns; /* the session's clock during the pause */
	unsigned ticks;	  /* ticks during the pause */
};

static int watch(void *arg, const struct sample *sample)
{
	struct watched *watched = arg;
	const bool in_pause = sample->kind == SAMPLE_TICK && sample->tick.paused;

	assert_int_equal(model_apply(&watched->model, sample), 0);
	if (!in_pause)
		return 0;
	assert_true(model_paused(&watched->model));
	if (watched->ticks++ > 0)
		assert_int_equal(watched->model.now_ns, watched->stood_ns);
	watched->stood_ns = watched->model.now_ns;
	return 0;
}

/* While the workers are stopped, the session's clock stops too. */
static void the_clock_stands_still_in_a_pause(void **state)
{
	struct synthetic session;
	struct watched watched = {0};

	synthetic_mixed(&session, 1);
	session.paused_run = 1;
	model_init(&watched.model);
	assert_int_equal(synthetic_play(&session, watch, &watched), 0);
	assert_true(watched.ticks > 3);
	assert_true(watched.model.newest_ns > watched.stood_ns);
	model_free(&watched.model);
}

static void the_time_left_is_near_what_it_will_take(void **state)
{
	struct synthetic session;
	struct model model;
	int64_t last_end;

	synthetic_mixed(&session, 4);
	synthetic_model(&session, &model);
	last_end = model.runs[model.n_runs - 1].end_ns;
	assert_int_equal(model_time_left(&model), 0);
	model_seek(&model, model.runs[0].end_ns - 1);
	assert_int_equal(model_time_left(&model), -1);
	for (size_t i = 1; i < model.n_runs; i++) {
		int64_t truth;

		model_seek(&model, model.runs[i].begin_ns + 1000 * MS);
		truth = last_end - model.now_ns;
		assert_in_range(model_time_left(&model), truth * 95 / 100, truth * 105 / 100);
	}
	model_free(&model);
}

static void only_measured_trials_count(void **state)
{
	struct synthetic session;
	struct model model;
	double values[8];
	uint32_t trials[8];

	synthetic_mixed(&session, 4);
	session.warmup = 1;
	session.paused_run = 3; /* threads, trial 1 */
	session.broken_run = 5; /* processes, trial 2 */
	session.broken = SAMPLE_FAILED;
	synthetic_model(&session, &model);
	assert_int_equal(model_trials(&model, 0, METRIC_ELAPSED, values, trials, 8), 3);
	assert_int_equal(trials[0], 2);
	assert_int_equal(trials[2], 4);
	assert_int_equal(model_trials(&model, 1, METRIC_ELAPSED, values, trials, 8), 3);
	assert_int_equal(trials[0], 1);
	assert_int_equal(trials[1], 3);
	assert_int_equal(model_trials(&model, 1, METRIC_ELAPSED, values, trials, 2), 2);
	model_seek(&model, model.runs[2].end_ns);
	assert_int_equal(model_trials(&model, 1, METRIC_ELAPSED, values, NULL, 8), 1);
	assert_true(values[0] == (double)model.runs[2].totals.elapsed_ns);
	model_free(&model);
}

/* Trial 3 of 8 is replaced by the ninth. Its values count nowhere. */
static void a_replaced_trial_counts_nowhere(void **state)
{
	struct synthetic session;
	struct model model;
	double values[16];
	uint32_t trials[16], pairs = 0;
	struct model_comparison c;

	synthetic_mixed(&session, 8);
	session.crowded_trial = 3;
	synthetic_model(&session, &model);
	assert_int_equal(model.n_runs, 18);
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(model_trials(&model, i, METRIC_ELAPSED, values, trials, 16), 8);
		assert_int_equal(trials[1], 2);
		assert_int_equal(trials[2], 4);
		assert_int_equal(trials[7], 9);
		assert_int_equal(model_replaced(&model, i), 1);
	}
	for (size_t i = 0; i < model.n_runs; i++) {
		assert_int_equal(model.runs[i].replaced_ns > 0, model.runs[i].id.trial == 3);
		assert_false(model.runs[i].replaced_paused);
	}
	assert_int_equal(model_compare(&model, 0, 1, METRIC_ELAPSED, &c), 0);
	assert_int_equal(c.pairs, 8);
	assert_int_equal(c.planned, 8);
	assert_true(c.ended);
	assert_true(c.ratio.high < 1.1); /* the third trial has ten times */
	for (size_t i = 0; i < model.n_runs; i++) {
		uint32_t trial = model.runs[i].id.trial;
		bool last = i % 2 == 1;

		model_seek(&model, model.runs[i].end_ns);
		pairs += last && trial != 3;
		assert_int_equal(model_compare(&model, 0, 1, METRIC_ELAPSED, &c), 0);
		assert_int_equal(c.pairs, pairs);
		assert_int_equal(c.ended, last && trial == 9);
		assert_int_equal(model_measured(&model, &model.runs[i]), trial != 3 || !last);
	}
	model_free(&model);
}

/* A pause in the first run of the trial. The trial's last run says that the trial is repeated. */
static void all_runs_of_a_paused_trial_are_replaced(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 8);
	session.crowded_trial = 3;
	session.paused_run = 4;
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++) {
		const bool replaced = model.runs[i].id.trial == 3;

		assert_int_equal(model.runs[i].replaced_ns > 0, replaced);
		assert_int_equal(model.runs[i].replaced_paused, replaced);
	}
	model_free(&model);
}

/* Two of three cases may have ended before the third one turns out to be crowded. */
static void a_trial_that_goes_on_is_no_analysis(void **state)
{
	struct synthetic session;
	struct model model;
	struct model_comparison c;

	synthetic_mixed(&session, 3);
	synthetic_add(&session, "hybrid:2x4", "", 3000 * MS);
	session.crowded_trial = 2;
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++) {
		/* number of pairs after each trial */
		static const uint32_t pairs[] = {0, 1, 1, 2, 3};

		model_seek(&model, model.runs[i].end_ns);
		for (uint32_t other = 1; other < 3; other++) {
			assert_int_equal(model_compare(&model, 0, other, METRIC_ELAPSED, &c), 0);
			assert_int_equal(c.pairs, pairs[(i + 1) / 3]);
			assert_int_equal(c.ended, i == 11);
		}
	}
	model_free(&model);
}

/*
 * A run is crowded if other programs used more than 20 % of the cores and a tick of each, because
 * /proc/stat counts ticks. The run's own times do not matter.
 */
static void a_run_is_crowded_by_what_others_used(void **state)
{
	static const struct {
		int64_t elapsed_ns;
		int16_t others;
		bool crowded;
	} runs[] = {
		{1000 * MS, 210, false}, {1000 * MS, 211, true}, {100 * MS, 300, false},
		{100 * MS, 301, true},	 {10 * MS, 1000, false}, {1000 * MS, -1, false},
		{-1, 1000, false},
	};

	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		const struct sample_totals totals = {.elapsed_ns = runs[i].elapsed_ns,
						     .others = runs[i].others};

		assert_int_equal(sample_is_crowded(&totals, 100), runs[i].crowded);
	}
}

static void trials_are_paired_by_their_numbers(void **state)
{
	struct synthetic session;
	struct model model;
	struct model_comparison c;

	synthetic_mixed(&session, 12);
	session.paused_run = 0; /* threads, trial 1 */
	session.broken_run = 2; /* processes, trial 2 */
	session.broken = SAMPLE_CRASHED;
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++) {
		int64_t warmth = 1000 * model.runs[i].id.trial;

		model.runs[i].totals.elapsed_ns = model.runs[i].id.case_id ? 3 * warmth : warmth;
	}
	model_values_forget(&model);
	assert_int_equal(model_compare(&model, 0, 1, METRIC_ELAPSED, &c), 0);
	assert_int_equal(c.pairs, 10);
	assert_float_equal((float)c.ratio.estimate, 3.0f, 1e-6f);
	assert_float_equal((float)c.ratio.low, 3.0f, 1e-6f);
	assert_int_equal(c.verdict, STATS_A);
	assert_int_equal(model_compare(&model, 1, 0, METRIC_ELAPSED, &c), 0);
	assert_int_equal(c.verdict, STATS_B);
	model_free(&model);
}

/* A reading may be slightly early or late, so a difference below 1 % does not count. */
static void memory_differs_from_one_percent_on(void **state)
{
	static const struct {
		int64_t a_kb, b_kb;
		enum stats_verdict verdict;
	} rows[] = {{100000, 100900, STATS_NONE},
		    {100000, 101100, STATS_A},
		    {101100, 100000, STATS_B},
		    {100900, 100000, STATS_NONE}};
	struct synthetic session;
	struct model model;
	struct model_comparison c;

	for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
		synthetic_mixed(&session, 9);
		synthetic_model(&session, &model);
		for (size_t i = 0; i < model.n_runs; i++) {
			model.runs[i].totals.memory.pss_seen = SEEN_SAMPLED;
			model.runs[i].totals.memory.pss_kb =
				model.runs[i].id.case_id ? rows[row].b_kb : rows[row].a_kb;
		}
		assert_int_equal(model_compare(&model, 0, 1, METRIC_PSS, &c), 0);
		assert_int_equal(c.verdict, rows[row].verdict);
		model_free(&model);
	}
}

/*
 * Memory that was read only at the start is less than the peak: it is shown, but no ratio uses it.
 */
static void memory_of_the_start_alone_is_not_compared(void **state)
{
	static const struct {
		/* trials of the second case whose memory was read only at the start */
		uint32_t starts;
		size_t shown, pairs;
		double median;
	} rows[] = {{9, 9, 0, 100000}, {2, 7, 7, 200000}};
	struct synthetic session;
	struct model model;
	struct model_comparison c;
	double room[64];
	size_t n;

	for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
		synthetic_mixed(&session, 9);
		synthetic_model(&session, &model);
		for (size_t i = 0; i < model.n_runs; i++) {
			struct sample_memory *memory = &model.runs[i].totals.memory;
			bool start = model.runs[i].id.case_id == 1 &&
				     model.runs[i].id.trial <= rows[row].starts;

			memory->pss_seen = start ? SEEN_START : SEEN_SAMPLED;
			memory->pss_kb = start ? 100000 : 200000;
		}
		assert_int_equal(model_compare(&model, 0, 1, METRIC_PSS, &c), 0);
		assert_int_equal(c.pairs, rows[row].pairs);
		assert_true(model_median(&model, 1, METRIC_PSS, room, &n) == rows[row].median);
		assert_int_equal(n, rows[row].shown);
		model_free(&model);
	}
}

/* Each CPU caches up to 32 pages of a process, which is much compared with a small peak. */
static void peaks_that_the_kernel_may_have_miscounted_have_no_winner(void **state)
{
	static const struct {
		int64_t a_kb, b_kb, read_kb; /* read_kb: what b read during the run */
		int16_t seen;
		enum stats_verdict verdict;
	} rows[] = {
		{4400, 4900, -1, SEEN_SAMPLED, STATS_A},  {4400, 4900, -1, SEEN_PEAKS, STATS_NONE},
		{4900, 4400, -1, SEEN_PEAKS, STATS_NONE}, {440000, 490000, -1, SEEN_PEAKS, STATS_A},
		{4400, 5200, -1, SEEN_PEAKS, STATS_NONE}, {4400, 5200, 5100, SEEN_PEAKS, STATS_A}};
	struct synthetic session;
	struct model model;
	struct model_comparison c;

	for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
		synthetic_mixed(&session, 9);
		synthetic_model(&session, &model);
		model.session.machine.cores_online = 2;
		for (size_t i = 0; i < model.n_runs; i++) {
			struct model_run *run = &model.runs[i];

			run->totals.memory.pss_kb =
				run->id.case_id ? rows[row].b_kb : rows[row].a_kb;
			run->totals.memory.pss_seen = rows[row].seen;
			run->totals.peak_alive = 2;
			run->most_read.pss_kb = run->id.case_id ? rows[row].read_kb : -1;
		}
		assert_int_equal(model_compare(&model, 0, 1, METRIC_PSS, &c), 0);
		assert_int_equal(c.verdict, rows[row].verdict);
		assert_true(c.ratio.low <= c.sampled.low && c.ratio.high >= c.sampled.high);
		/* The interval that is shown is the one that decides. */
		if (c.verdict == STATS_NONE)
			assert_true(c.ratio.low < 1.01 && c.ratio.high > 1 / 1.01);
		model_free(&model);
	}
}

static void metrics_come_from_the_totals(void **state)
{
	struct synthetic session;
	struct model model;
	struct model_run *run;

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	run = &model.runs[0];
	assert_true(metric_value(run, METRIC_ELAPSED) == (double)run->totals.elapsed_ns);
	assert_true(metric_value(run, METRIC_CREATE) == (double)run->totals.create_ns);
	assert_true(metric_value(run, METRIC_CPU) ==
		    1000 * (double)(run->totals.user_us + run->totals.system_us));
	assert_true(metric_value(run, METRIC_RSS) == (double)run->totals.memory.rss_kb);
	assert_true(metric_value(run, METRIC_PSS) == (double)run->totals.memory.pss_kb);
	assert_true(metric_value(run, METRIC_USS) == (double)run->totals.memory.uss_kb);
	assert_true(metric_value(run, METRIC_KERNEL) == (double)run->totals.memory.kernel_kb);
	assert_true(metric_value(run, METRIC_SWITCHES) ==
		    (double)(run->totals.nvcsw + run->totals.nivcsw));
	assert_true(metric_value(run, METRIC_FAULTS) ==
		    (double)(run->totals.minflt + run->totals.majflt));
	run->totals.system_us = -1;
	assert_true(isnan(metric_value(run, METRIC_CPU)));
	run->end_ns = INT64_MAX;
	assert_true(isnan(metric_value(run, METRIC_ELAPSED)));
	assert_string_equal(metric_table[METRIC_ELAPSED].name, "elapsed_ms");
	assert_string_equal(metric_table[METRIC_FAULTS].name, "faults");
	model_free(&model);
}

/* A run of two io workers whose end does not have the bytes that their check read. */
static void end_copies(struct model *model, const struct sample_change *changes)
{
	struct sample_case one = {.plan = {.levels = 1, .fanout = {2}, .leaves = {[WORK_IO] = 2}}};
	struct sample sample = {.kind = SAMPLE_SESSION,
				.session = {.cases = 1, .cases_list = &one}};

	model_init(model);
	assert_int_equal(model_apply(model, &sample), 0);
	sample = (struct sample) {.kind = SAMPLE_RUN_BEGIN};
	assert_int_equal(model_apply(model, &sample), 0);
	sample = (struct sample) {.kind = SAMPLE_RUN_END};
	sample.end.totals = (struct sample_totals) {.read_kb = 192, .checked_kb = -1};
	sample.end.workers = changes;
	sample.end.n_workers = 2;
	assert_int_equal(model_apply(model, &sample), 0);
}

static void the_check_of_copies_is_known_of_recordings_that_do_not_say_it(void **state)
{
	struct sample_change changes[] = {{.index = 0}, {.index = 1}};
	struct model model;

	changes[0].worker.result = changes[1].worker.result = 32 * 1024;
	end_copies(&model, changes);
	assert_true(metric_value(&model.runs[0], METRIC_CHECKED) == 128);
	assert_true(metric_value(&model.runs[0], METRIC_READ) == 64);
	model_free(&model);
	changes[1].worker.status = SAMPLE_FAILED;
	end_copies(&model, changes);
	assert_true(isnan(metric_value(&model.runs[0], METRIC_CHECKED)));
	assert_true(isnan(metric_value(&model.runs[0], METRIC_READ)));
	model_free(&model);
}

static void a_case_is_named_with_its_variables_where_they_differ(void **state)
{
	struct synthetic session;
	struct model model;
	char name[64];

	synthetic_mixed(&session, 1);
	variables_parse(&session.list[0].variables, "workers=4;size=10");
	variables_parse(&session.list[1].variables, "workers=4;size=10");
	synthetic_model(&session, &model);
	assert_string_equal(model_case_name(&model, 1, name, sizeof(name)), "processes");
	variables_parse(&model.cases[1].variables, "workers=8;size=10");
	assert_string_equal(model_case_name(&model, 0, name, sizeof(name)),
			    "threads workers=4 size=10");
	assert_string_equal(model_case_name(&model, 0, name, 8), "threads");
	model_free(&model);
}

static void expect_refused(struct model *model, const struct sample *sample)
{
	int64_t newest_ns = model->newest_ns;
	size_t loads = model->n_loads, runs = model->n_runs;

	assert_int_equal(model_apply(model, sample), -EPROTO);
	assert_int_equal(model->newest_ns, newest_ns);
	assert_int_equal(model->n_loads, loads);
	assert_int_equal(model->n_runs, runs);
}

static void nothing_comes_before_the_session(void **state)
{
	struct sample sample = {.kind = SAMPLE_DONE, .time_ns = 4};
	struct model model;

	model_init(&model);
	expect_refused(&model, &sample);
	sample.kind = SAMPLE_SESSION; /* without a case */
	expect_refused(&model, &sample);
	model_free(&model);
}

static void samples_that_fit_nothing_are_left_out(void **state)
{
	struct sample_change stray = {.index = 8};
	struct sample sample = {.kind = SAMPLE_SESSION, .time_ns = INT64_MAX / 2};
	struct synthetic session;
	struct model model, kept;

	synthetic_mixed(&session, 1);
	session.stop_ns = 1200 * MS;
	synthetic_model(&session, &model);
	synthetic_model(&session, &kept);
	sample.session.cases = 1;
	sample.session.cases_list = session.list;
	expect_refused(&model, &sample); /* a second session */
	sample.kind = SAMPLE_RUN_BEGIN;
	expect_refused(&model, &sample); /* a run within a run */
	sample.kind = SAMPLE_RUN_END;
	sample.run.run = 1;
	memset(&sample.end, 0, sizeof(sample.end));
	expect_refused(&model, &sample); /* the end of another run */
	sample.run.run = 0;
	sample.end.n_workers = 1;
	sample.end.workers = &stray;
	expect_refused(&model, &sample); /* a worker that is not in the plan */
	sample.kind = SAMPLE_TICK;
	sample.tick = (struct sample_tick) {.in_run = true, .n_workers = 1, .workers = &stray};
	expect_refused(&model, &sample);
	sample.tick = (struct sample_tick) {0};
	sample.time_ns = 1100 * MS;
	expect_refused(&model, &sample); /* a tick before the last tick */
	sample.kind = (enum sample_kind)77;
	expect_refused(&model, &sample);
	assert_true(model_equal(&model, &kept));
	model_free(&model);
	model_free(&kept);
}

static void a_run_needs_a_case_and_a_plan(void **state)
{
	struct sample sample = {.kind = SAMPLE_RUN_BEGIN, .time_ns = 300 * MS};
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 1);
	session.stop_ns = 150 * MS;
	session.list[1].plan.fanout[0] = 0;
	synthetic_model(&session, &model);
	sample.run.case_id = 2;
	expect_refused(&model, &sample);
	sample.run.case_id = 1;
	expect_refused(&model, &sample);
	sample.kind = SAMPLE_TICK;
	sample.tick = (struct sample_tick) {.in_run = true};
	expect_refused(&model, &sample);
	model_free(&model);
}

/*
 * The tasks of all runs of the program's case are unknown, also in earlier runs; those of other
 * cases are known.
 */
static void tasks_of_a_program_that_are_not_followed_are_unknown(void **state)
{
	struct sample sample = {.kind = SAMPLE_RUN_BEGIN, .time_ns = INT64_C(1) << 50};
	uint32_t case_id;
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 2);
	synthetic_model(&session, &model);
	case_id = model.runs[0].id.case_id;
	assert_true(model.runs[0].totals.memory.rss_kb > 0);
	sample.run.case_id = case_id;
	sample.run.run = (uint32_t)model.n_runs;
	assert_int_equal(model_apply(&model, &sample), 0);
	sample.kind = SAMPLE_TICK;
	sample.tick = (struct sample_tick) {.in_run = true,
					    .memory = {.rss_kb = 7},
					    .tasks = 1,
					    .children = 2,
					    .threads = 1,
					    .processes = -1};
	assert_int_equal(model_apply(&model, &sample), 0);
	for (size_t i = 0; i < model.n_runs; i++) {
		const struct model_run *run = &model.runs[i];
		bool known = run->id.case_id != case_id;

		assert_int_equal(model_has_command_tasks(run), !known);
		assert_int_equal(model_memory(&model, run).rss_kb >= 0, known);
		assert_int_equal(!isnan(metric_value(run, METRIC_RSS)), known);
		assert_int_equal(!isnan(metric_value(run, METRIC_PEAK_ALIVE)), known);
		assert_true(run->end_ns == INT64_MAX || metric_value(run, METRIC_CPU) > 0);
		for (size_t j = 0; j < run->n_points; j++)
			assert_int_equal(run->points[j].tasks >= 0, known);
	}
	model_free(&model);
}

static void memory_of_a_run_that_was_read_of_all_processes_is_known(void **state)
{
	struct sample sample = {.kind = SAMPLE_RUN_BEGIN, .time_ns = INT64_C(1) << 50};
	struct synthetic session;
	const struct model_run *run;
	struct model model;

	synthetic_mixed(&session, 2);
	synthetic_model(&session, &model);
	sample.run.case_id = model.runs[0].id.case_id;
	sample.run.run = (uint32_t)model.n_runs;
	assert_int_equal(model_apply(&model, &sample), 0);
	sample.kind = SAMPLE_TICK;
	sample.tick = (struct sample_tick) {.in_run = true,
					    .memory = {.rss_kb = 7},
					    .tasks = 3,
					    .children = 2,
					    .threads = 1,
					    .processes = 3};
	assert_int_equal(model_apply(&model, &sample), 0);
	run = &model.runs[model.n_runs - 1];
	assert_true(model_has_command_tasks(run) && !model_hides_memory(run));
	assert_int_equal(model_memory(&model, run).rss_kb, 7);
	assert_int_equal(run->points[run->n_points - 1].tasks, 3);
	/* The memory of another run of the same case was not read. */
	assert_true(isnan(metric_value(&model.runs[0], METRIC_RSS)));
	model_free(&model);
}

static void a_core_that_comes_later_is_unknown_before(void **state)
{
	struct sample_core two[] = {{1, 10, 0, 0, 0}, {7, 20, 1, 2, 3}};
	struct sample_core zero[] = {{0, 30, 0, 0, 0}};
	struct sample sample = {.kind = SAMPLE_TICK, .time_ns = 300 * MS};
	const struct sample_core *row;
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 1);
	session.stop_ns = 150 * MS; /* one tick, with CPUs 0 and 1 */
	synthetic_model(&session, &model);
	sample.tick = (struct sample_tick) {.n_cores = 2, .cores = two};
	assert_int_equal(model_apply(&model, &sample), 0);
	sample.time_ns = 400 * MS;
	sample.tick = (struct sample_tick) {.n_cores = 1, .cores = zero};
	assert_int_equal(model_apply(&model, &sample), 0);
	assert_int_equal(model.n_cores, 3);
	assert_int_equal(model.n_loads, 3);
	row = model.cores;
	assert_int_equal(row[1].cpu, 1);
	assert_int_not_equal(row[1].user, -1);
	assert_int_equal(row[2].cpu, 7);
	assert_int_equal(row[2].user, -1);
	row += 3;
	assert_int_equal(row[0].cpu, 0);
	assert_int_equal(row[0].user, -1);
	assert_int_equal(row[1].user, 10);
	assert_int_equal(row[2].steal, 3);
	row += 3;
	assert_int_equal(row[0].user, 30);
	assert_int_equal(row[2].cpu, 7);
	assert_int_equal(row[2].user, -1);
	model_free(&model);
}

static void one_more_trial_reopens_the_session(void **state)
{
	struct sample sample = {.kind = SAMPLE_RUN_BEGIN};
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	assert_true(model.done);
	sample.time_ns = model.newest_ns + MS;
	sample.run = (struct sample_run) {.run = 2, .trial = 2, .case_id = 1, .planned = 4};
	assert_int_equal(model_apply(&model, &sample), 0);
	assert_false(model.done);
	assert_int_equal(model.planned, 4);
	/* the run itself, and the one of the other case */
	assert_in_range(model_time_left(&model), 5800 * MS, 6300 * MS);
	model_free(&model);
}

static void statuses_have_names(void **state)
{
	for (int status = 0; status <= SAMPLE_RUNNING; status++)
		assert_int_equal(sample_status_parse(sample_status_name(status)), status);
	assert_string_equal(sample_status_name(SAMPLE_OK), "ok");
	assert_string_equal(sample_status_name(SAMPLE_INTERRUPTED), "interrupted");
	assert_string_equal(sample_status_name((enum sample_status)200), "running");
	assert_int_equal(sample_status_parse("oke"), SAMPLE_RUNNING);
	assert_int_equal(sample_status_parse(""), SAMPLE_RUNNING);
}

static void an_unknown_worker_has_no_known_field(void **state)
{
	struct sample_worker worker = {0};

	fields_unknown(sample_worker_fields, &worker);
	worker.error = 0;
	expect_same_worker(worker, sample_worker_unknown);
}

/* model_keep() follows every run that ends, as in a live session. */
struct keeper {
	struct model model;
	size_t most;
	size_t room; /* Bytes of each run; 0: as needed. */
};

/* Makes the run as large as one with many slices. */
static void make_room(struct model_run *run, size_t bytes)
{
	run->cap_points = bytes / sizeof(*run->points);
	run->points = reallocarray(run->points, run->cap_points, sizeof(*run->points));
	assert_non_null(run->points);
}

static int take(void *arg, const struct sample *sample)
{
	struct keeper *keeper = arg;
	struct model *model = &keeper->model;
	int err = model_apply(model, sample);

	if (sample->kind == SAMPLE_RUN_END && keeper->room > 0)
		make_room(&model->runs[model->n_runs - 1], keeper->room);
	if (sample->kind == SAMPLE_RUN_END)
		model_keep(model, keeper->most);
	assert_true(keeper->room == 0 || model->kept <= MODEL_NEWEST);
	return err;
}

static void play(struct keeper *keeper, size_t most, size_t room)
{
	struct synthetic session;

	synthetic_mixed(&session, 20);
	session.slices = session.wakes = true;
	*keeper = (struct keeper) {.most = most, .room = room};
	model_init(&keeper->model);
	assert_int_equal(synthetic_play(&session, take, keeper), 0);
}

/* The newest run has the sums of all trials. */
static void expect_same_wakes(const struct model *few, const struct model *all)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < all->n_cases; i++)
		for (int wake = 0; model_wakes(all, i) && wake < MODEL_WAKES; wake++) {
			struct model_wake_figures a = model_wakes_figures(
				model_wakes(few, i), (enum model_wake)wake, WOKENS);
			struct model_wake_figures b = model_wakes_figures(
				model_wakes(all, i), (enum model_wake)wake, WOKENS);

			assert_memory_equal(&a, &b, sizeof(a));
			n += b.n;
		}
	assert_true(n > 0);
}

static void old_runs_lose_their_workers_and_keep_their_figures(void **state)
{
	struct keeper all, few;
	char of_all[HEADLINE_BADGE + HEADLINE_TEXT], of_few[HEADLINE_BADGE + HEADLINE_TEXT];
	size_t gone = 0;

	play(&all, MODEL_KEPT, 0);
	play(&few, 64 << 10, 0);
	assert_int_equal(all.model.n_runs, few.model.n_runs);
	for (size_t i = 0; i < few.model.n_runs; i++) {
		const struct model_run *run = &few.model.runs[i], *whole = &all.model.runs[i];

		assert_false(whole->workers.gone);
		/* Only the oldest runs have dropped their workers. */
		assert_true(!run->workers.gone || i == gone);
		gone += run->workers.gone;
		assert_memory_equal(&run->totals, &whole->totals, sizeof(run->totals));
		assert_memory_equal(&run->final, &whole->final, sizeof(run->final));
		assert_memory_equal(&run->path, &whole->path, sizeof(run->path));
		if (run->workers.gone)
			assert_true(!run->lanes && !run->cores && run->n_points == 0 &&
				    !run->wakes && !run->wakes_all);
	}
	expect_same_wakes(&few.model, &all.model);
	assert_true(gone > 10 && gone + 2 * few.model.n_cases <= few.model.n_runs);
	assert_string_equal(headline_line(&few.model, of_few, sizeof(of_few)),
			    headline_line(&all.model, of_all, sizeof(of_all)));
	model_free(&all.model);
	model_free(&few.model);
}

/* The newest runs have their workers, unless these take more than MODEL_NEWEST. */
static void runs_with_many_slices_lose_them_even_if_they_are_new(void **state)
{
	struct keeper many, most;
	size_t gone[2] = {0};

	play(&many, MODEL_SHOWN, 40000000);
	play(&most, MODEL_SHOWN, 80000000);
	for (size_t i = 0; i < many.model.n_runs; i++) {
		gone[0] += many.model.runs[i].workers.gone;
		gone[1] += most.model.runs[i].workers.gone;
	}
	assert_int_equal(many.model.n_runs - gone[0], 2 * many.model.n_cases);
	assert_int_equal(most.model.n_runs - gone[1], 3);
	assert_true(most.model.kept > 240000000);
	model_free(&many.model);
	model_free(&most.model);
}

static void kept_workers_are_bounded_and_are_of_the_newest_runs(void **state)
{
	struct keeper none, all;

	play(&none, 0, 0);
	play(&all, MODEL_KEPT, 0);
	for (size_t i = 0; i < none.model.n_runs; i++)
		assert_int_equal(none.model.runs[i].workers.gone,
				 i + 2 * none.model.n_cases < none.model.n_runs);
	assert_true(none.model.n_loads * 4 < all.model.n_loads);
	/* moved back to where no slices are kept */
	model_seek(&none.model, none.model.runs[0].begin_ns);
	assert_int_equal(model_worker(&none.model, &none.model.runs[0], 0).create_ns, -1);
	model_free(&none.model);
	model_free(&all.model);
}

static void expect_values_of_runs(const struct model *model, enum model_metric metric)
{
	for (uint32_t id = 0; id < model->n_cases; id++) {
		struct model_values values = model_values(model, id, metric);
		const struct model_run *run = NULL;

		while ((run = model_next_measured(model, run, id, 1))) {
			const struct model_value *value = model_values_next(&values);

			assert_non_null(value);
			assert_ptr_equal(&model->runs[value->run], run);
			assert_int_equal(value->trial, run->id.trial);
			expect_same_double(value->value, metric_value(run, metric));
			assert_int_equal((int)value->seen - 1, metric_run_seen(run, metric));
		}
		assert_null(model_values_next(&values));
	}
}

/* Reads more metrics than the model caches, as each run ends and at earlier cursors. */
static int expect_values(void *arg, const struct sample *sample)
{
	struct model *model = arg;
	const int err = model_apply(model, sample);

	if (sample->kind != SAMPLE_RUN_END)
		return err;
	for (int metric = 0; metric < METRICS; metric += sample->run.run % 3 ? METRICS / 3 : 1)
		expect_values_of_runs(model, (enum model_metric)metric);
	for (int64_t at = model->newest_ns; at > 0; at -= 1700 * MS) {
		model_seek(model, at);
		expect_values_of_runs(model, METRIC_ELAPSED);
		expect_values_of_runs(model, METRIC_MEMORY);
	}
	model_seek(model, model->newest_ns);
	return err;
}

static void values_are_those_of_the_runs_whenever_they_are_read(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 12);
	session.crowded_trial = 4;
	model_init(&model);
	assert_int_equal(synthetic_play(&session, expect_values, &model), 0);
	assert_int_equal(model.n_replaced, model.n_cases);
	model_free(&model);
}

/*
 * Plays that many trials. No ended run keeps its workers in memory. Each run differs from the next.
 */
static void play_many(struct model *model, uint32_t trials)
{
	struct keeper keeper = {.most = 0};
	struct synthetic session;

	synthetic_mixed(&session, trials);
	session.span_ns[0] = session.span_ns[1] = 90 * MS;
	model_init(&keeper.model);
	assert_int_equal(synthetic_play(&session, take, &keeper), 0);
	*model = keeper.model;
}

/* A recording may go on after its comparisons got no memory. */
static void without_comparisons_nothing_is_known_of_a_metric(void **state)
{
	struct model_families *families;
	struct model model;
	double room[10];

	(void)state;
	play_many(&model, 3);
	assert_false(isnan(model_median(&model, 1, METRIC_CPU, room, NULL)));
	families = model.families;
	model.families = NULL;
	assert_true(isnan(model_median(&model, 1, METRIC_CPU, room, NULL)));
	model.families = families;
	model_free(&model);
}

static void figures_in_files_are_those_in_memory(void **state)
{
	char of_files[HEADLINE_BADGE + HEADLINE_TEXT], of_memory[HEADLINE_BADGE + HEADLINE_TEXT];
	struct model files, memory;
	struct rlimit before, none;

	play_many(&files, 2500);
	assert_non_null(files.run_pages.at);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	none = (struct rlimit) {.rlim_cur = 0, .rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	play_many(&memory, 2500);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_null(memory.run_pages.at);

	assert_int_equal(files.n_runs, 5000);
	assert_int_equal(memory.n_runs, 5000);
	for (size_t i = 0; i < files.n_runs; i++) {
		const struct model_run *a = &files.runs[i], *b = &memory.runs[i];
		const struct model_levels *levels = model_levels(&files, a);

		assert_memory_equal(&a->totals, &b->totals, sizeof(a->totals));
		assert_memory_equal(&a->path, &b->path, sizeof(a->path));
		assert_memory_equal(&a->kinds, &b->kinds, sizeof(a->kinds));
		assert_non_null(levels);
		assert_memory_equal(levels, model_levels(&memory, b), files.levels_size);
	}
	assert_string_equal(headline_line(&files, of_files, sizeof(of_files)),
			    headline_line(&memory, of_memory, sizeof(of_memory)));
	model_free(&files);
	model_free(&memory);
}

static size_t heap_bytes(void)
{
#ifdef __GLIBC__
	const struct mallinfo2 heap = mallinfo2();

	return heap.uordblks + heap.hblkhd;
#else
	return 0;
#endif
}

static void values_of_many_runs_take_no_heap(void **state)
{
	struct model model;
	size_t before;

	play_many(&model, 4200);
	before = heap_bytes();
	for (int metric = 0; metric < METRICS; metric++)
		expect_values_of_runs(&model, (enum model_metric)metric);
	assert_true(heap_bytes() < before + 100000);
	model_free(&model);
}

static void check(const char *const names[], const char *const varied[], const char *expected)
{
	static struct sample_case cases[8];
	struct model model = {.cases = cases};
	char found[64] = "";

	for (; names[model.n_cases]; model.n_cases++) {
		struct sample_case *one = &cases[model.n_cases];

		*one = (struct sample_case) {0};
		snprintf(one->model, sizeof(one->model), "%s", names[model.n_cases]);
		variables_parse(&one->variables, varied ? varied[model.n_cases] : "");
	}
	for (uint32_t i = 0; i < model.n_cases; i++)
		snprintf(found + i, sizeof(found) - i, "%u", model_identity(&model, i));
	assert_string_equal(found, expected);
}

static void the_three_kinds_have_their_own_in_every_order(void **state)
{
	check((const char *[]) {"threads", "processes", "hybrid", NULL}, NULL, "012");
	check((const char *[]) {"hybrid:2x3", "processes", NULL}, NULL, "21");
	check((const char *[]) {"processes", "threads", NULL}, NULL, "10");
}

/*
 * An A/A check; three trees; two machines. Identity 2 is hybrid's, so models of the second machine
 * do not get it.
 */
static void cases_that_are_compared_have_different_identities(void **state)
{
	check((const char *[]) {"threads", "threads#2", NULL}, NULL, "03");
	check((const char *[]) {"threads", "threads", "threads", NULL},
	      (const char *[]) {"tree=5000", "tree=50x99", "tree=20x3x82"}, "034");
	check((const char *[]) {"threads @a", "processes @a", "threads @b", "processes @b", NULL},
	      NULL, "0134");
}

/* A lecture shows the models of a server in several sessions. */
static void models_of_a_server_keep_theirs_between_sessions(void **state)
{
	check((const char *[]) {"threads", "processes", "events", NULL}, NULL, "015");
	check((const char *[]) {"threads", "events", "events:2", NULL}, NULL, "053");
	check((const char *[]) {"pool:2", "pool:8", "events", NULL}, NULL, "305");
	check((const char *[]) {"events", "prefork", "threads", NULL}, NULL, "540");
}

static void points_of_one_curve_share_theirs(void **state)
{
	check((const char *[]) {"threads", "processes", "threads", "processes", NULL},
	      (const char *[]) {"work=cpu;workers=2", "work=cpu;workers=2", "work=cpu;workers=4",
				"work=cpu;workers=4"},
	      "0101");
}

static void eight_models_have_eight_identities(void **state)
{
	check((const char *[]) {"pthread", "clone", "fork", "vfork", "spawn", "exec", "init",
				"daemon", NULL},
	      NULL, "01234567");
	check((const char *[]) {"threads", "processes", "a", "b", "c", "d", "e", "f", NULL}, NULL,
	      "01345672");
}

/* A terminal without colours and without UTF-8 has only these shapes. */
static void shapes_differ_in_ascii_too(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, IDENTITIES, 2), 0);
	for (int i = 0; i < IDENTITIES; i++)
		for (int y = 0; y < 2; y++)
			canvas_put(&canvas, i, y, identity_glyph((uint32_t)i),
				   STYLE(identity_colour((uint32_t)i)));
	canvas_to_ascii(&canvas);
	for (int i = 0; i < IDENTITIES; i++)
		for (int j = 0; j < i; j++) {
			assert_int_not_equal(identity_glyph((uint32_t)i),
					     identity_glyph((uint32_t)j));
			assert_int_not_equal(canvas.cells[i].glyph, canvas.cells[j].glyph);
			assert_int_not_equal(canvas.cells[i].style.fg, canvas.cells[j].style.fg);
			assert_in_range(canvas.cells[i].glyph, '!', '~');
		}
	canvas_free(&canvas);
}

/* There are more runs after the cursor than are searched for a trial. */
static void a_long_replay_has_a_newest_trial_anywhere(void **state)
{
	struct synthetic session;
	struct model_trial newest;
	const struct model_run *run;
	struct model model;

	synthetic_mixed(&session, 300);
	synthetic_model(&session, &model);
	for (size_t at = 99; at < model.n_runs; at += 100) {
		model_seek(&model, model.runs[at].end_ns);
		newest = model_trial_newest(&model);
		assert_in_range(newest.number, model.runs[at].id.trial - 1,
				model.runs[at].id.trial);
		for (uint32_t i = 0; i < model.n_cases; i++) {
			run = model_trial_run(&model, &newest, i);
			assert_non_null(run);
			assert_int_equal(run->id.trial, newest.number);
			assert_int_equal(run->id.case_id, i);
		}
	}
	model_free(&model);
}

static void expect_plan(uint32_t planned, uint32_t looks, bool ended)
{
	struct model_comparison comparison;
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 15);
	session.planned = planned;
	synthetic_model(&session, &model);
	assert_int_equal(model_compare(&model, 0, 1, METRIC_ELAPSED, &comparison), 0);
	assert_int_equal(comparison.planned, looks);
	assert_int_equal(comparison.ended, ended);
	model_free(&model);
}

/* If 60 trials are planned, the session does not end with 15: a key may have stopped it. */
static void interim_analyses_are_planned_by_what_was_found_after_the_warm_up(void **state)
{
	expect_plan(0, 15, true);
	expect_plan(60, 60, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unknown_worker_has_no_known_field),
		cmocka_unit_test(moved_back_a_set_answers_as_if_it_had_stopped_there),
		cmocka_unit_test(moved_back_a_tree_answers_as_if_it_had_stopped_there),
		cmocka_unit_test(moved_back_a_broken_session_answers_as_if_it_had_stopped_there),
		cmocka_unit_test(same_samples_make_equal_models),
		cmocka_unit_test(any_difference_makes_models_unequal),
		cmocka_unit_test(the_latest_run_that_has_ended_stays_while_the_next_one_lasts),
		cmocka_unit_test(workers_that_came_in_any_order_are_found),
		cmocka_unit_test(before_the_first_sample_everything_is_unknown),
		cmocka_unit_test(the_cursor_stays_within_the_session),
		cmocka_unit_test(a_worker_shows_nothing_that_is_yet_to_come),
		cmocka_unit_test(workers_are_counted_as_of_now),
		cmocka_unit_test(a_crash_of_a_thread_leaves_nobody_alive),
		cmocka_unit_test(memory_is_that_of_the_newest_tick_by_now),
		cmocka_unit_test(a_load_is_found_by_its_time),
		cmocka_unit_test(the_own_load_is_that_of_the_last_second),
		cmocka_unit_test(a_pause_is_seen_where_it_was),
		cmocka_unit_test(paused_time_is_no_time),
		cmocka_unit_test(a_paused_run_has_its_workers_within_its_time),
		cmocka_unit_test(the_clock_stands_still_in_a_pause),
		cmocka_unit_test(the_time_left_is_near_what_it_will_take),
		cmocka_unit_test(moved_back_a_crowded_session_answers_as_if_it_had_stopped_there),
		cmocka_unit_test(only_measured_trials_count),
		cmocka_unit_test(a_replaced_trial_counts_nowhere),
		cmocka_unit_test(a_trial_that_goes_on_is_no_analysis),
		cmocka_unit_test(all_runs_of_a_paused_trial_are_replaced),
		cmocka_unit_test(a_run_is_crowded_by_what_others_used),
		cmocka_unit_test(trials_are_paired_by_their_numbers),
		cmocka_unit_test(memory_differs_from_one_percent_on),
		cmocka_unit_test(memory_of_the_start_alone_is_not_compared),
		cmocka_unit_test(peaks_that_the_kernel_may_have_miscounted_have_no_winner),
		cmocka_unit_test(metrics_come_from_the_totals),
		cmocka_unit_test(the_check_of_copies_is_known_of_recordings_that_do_not_say_it),
		cmocka_unit_test(a_case_is_named_with_its_variables_where_they_differ),
		cmocka_unit_test(nothing_comes_before_the_session),
		cmocka_unit_test(samples_that_fit_nothing_are_left_out),
		cmocka_unit_test(a_run_needs_a_case_and_a_plan),
		cmocka_unit_test(tasks_of_a_program_that_are_not_followed_are_unknown),
		cmocka_unit_test(memory_of_a_run_that_was_read_of_all_processes_is_known),
		cmocka_unit_test(a_core_that_comes_later_is_unknown_before),
		cmocka_unit_test(one_more_trial_reopens_the_session),
		cmocka_unit_test(statuses_have_names),
		cmocka_unit_test(interim_analyses_are_planned_by_what_was_found_after_the_warm_up),
		cmocka_unit_test(old_runs_lose_their_workers_and_keep_their_figures),
		cmocka_unit_test(runs_with_many_slices_lose_them_even_if_they_are_new),
		cmocka_unit_test(kept_workers_are_bounded_and_are_of_the_newest_runs),
		cmocka_unit_test(figures_in_files_are_those_in_memory),
		cmocka_unit_test(values_of_many_runs_take_no_heap),
		cmocka_unit_test(without_comparisons_nothing_is_known_of_a_metric),
		cmocka_unit_test(values_are_those_of_the_runs_whenever_they_are_read),
		cmocka_unit_test(the_three_kinds_have_their_own_in_every_order),
		cmocka_unit_test(cases_that_are_compared_have_different_identities),
		cmocka_unit_test(models_of_a_server_keep_theirs_between_sessions),
		cmocka_unit_test(points_of_one_curve_share_theirs),
		cmocka_unit_test(eight_models_have_eight_identities),
		cmocka_unit_test(shapes_differ_in_ascii_too),
		cmocka_unit_test(a_long_replay_has_a_newest_trial_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
