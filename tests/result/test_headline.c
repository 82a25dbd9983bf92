/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include "stage/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef TUIBENCH_NLS
#include <libintl.h>
#include <locale.h>
#endif

#include "base/error_line.h"
#include "base/utf8.h"
#include "lecture/lecture.h"
#include "model/model.h"
#include "model/model_latency.h"
#include "stage/folder.h"
#include "stage/synthetic.h"

#define MS INT64_C(1000000)

static void expect(struct model *model, const char *wanted)
{
	char line[HEADLINE_BADGE + HEADLINE_TEXT];

	assert_string_equal(headline_line(model, line, sizeof(line)), wanted);
	model_free(model);
}

static void expect_session(const struct synthetic *session, const char *wanted)
{
	struct model model;

	synthetic_model(session, &model);
	expect(&model, wanted);
}

/*
 * Sets the elapsed time of each run: its case's ms, plus `step` in every second trial, in which
 * cases alternate.
 */
static void set_times(struct model *model, const double *ms, double step)
{
	for (size_t i = 0; i < model->n_runs; i++) {
		struct model_run *run = &model->runs[i];

		run->totals.elapsed_ns =
			(int64_t)(MS * (ms[run->id.case_id] +
					step * ((run->id.trial + run->id.case_id) % 2)));
	}
	synthetic_changed(model);
}

static void expect_times(uint32_t trials, const double *ms, double step, const char *wanted)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, trials);
	synthetic_model(&session, &model);
	set_times(&model, ms, step);
	expect(&model, wanted);
}

static void two_models_have_their_medians_and_how_they_compare(void **state)
{
	expect_times(8, (double[]) {100, 200}, 0,
		     "[FASTER] threads are faster: 100 ms against 200 ms (processes 2.0x as long; "
		     "2.0 to 2.0); more with processes: per pair, memory 1.49x, "
		     "creation 3.0x");
	expect_times(8, (double[]) {200, 100}, 0,
		     "[FASTER] processes are faster: 100 ms against 200 ms (threads 2.0x as long; "
		     "2.0 to 2.0); more with processes: per pair, memory 1.49x, "
		     "creation 3.0x");
	expect_times(8, (double[]) {100, 100}, 1,
		     "[SAME SPEED] threads 101 ms, processes 101 ms (within 1.0 %); "
		     "more with processes: per pair, memory 1.49x, creation 3.0x");
	expect_times(8, (double[]) {100, 100}, 20,
		     "[TOO CLOSE] threads 110 ms, processes 110 ms (at most 20 % apart; about 110 "
		     "trials may decide); more with processes: per pair, memory 1.49x, "
		     "creation 3.0x");
	expect_times(3, (double[]) {100, 200}, 0,
		     "[NO RESULT] threads 100 ms, processes 200 ms (too few trials; use -n 6 or "
		     "more)");
}

/* If somebody ended the session, its plan is no reason for too few trials. */
static void a_session_that_was_stopped_says_after_how_many_trials(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 3);
	synthetic_model(&session, &model);
	set_times(&model, (double[]) {100, 200}, 0);
	model.session.trials = 40;
	assert_true(model_stopped(&model));
	expect(&model, "[NO RESULT] threads 100 ms, processes 200 ms (stopped after 3 of 40 "
		       "trials)");
}

/* More trials than the user asked for is no advice where enough were asked for. */
static void failed_runs_are_the_reason_for_too_few_pairs(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 8);
	synthetic_model(&session, &model);
	set_times(&model, (double[]) {100, 200}, 0);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.trial % 3 == model.runs[i].id.case_id)
			model.runs[i].totals.status = SAMPLE_FAILED;
	expect(&model, "[NO RESULT] threads 100 ms, processes 200 ms (5 of 8 pairs failed; 8 must "
		       "succeed)");
}

/*
 * Medians may be a little further apart than the pairs. Nobody is misled by that, so the sentence
 * only says what it compares.
 */
static void medians_near_the_bound_are_not_called_misleading(void **state)
{
	static const struct {
		double slower;
		const char *wanted;
	} cases[] = {
		{1.01, "[SAME SPEED] threads 111 ms, processes 112 ms (per pair, within 0.1 %); "
		       "more with processes: per pair, memory 1.49x, creation 3.0x"},
		{1.02, "[SAME SPEED] threads 111 ms, processes 113 ms (medians mislead; per pair, "
		       "within 0.1 %); more with processes: per pair, memory 1.49x, "
		       "creation 3.0x"},
	};

	for (int k = 0; k < 2; k++) {
		struct synthetic session;
		struct model model;

		synthetic_mixed(&session, 20);
		synthetic_model(&session, &model);
		for (size_t i = 0; i < model.n_runs; i++) {
			struct model_run *run = &model.runs[i];
			const bool midst = run->id.trial > 8 && run->id.trial <= 12;
			const double slower = run->id.case_id == 1 && midst ? cases[k].slower : 1;

			run->totals.elapsed_ns = (int64_t)(MS * slower * (100 + run->id.trial));
		}
		synthetic_changed(&model);
		expect(&model, cases[k].wanted);
	}
}

/* The second model gets the values of the first, and the first those of the second. */
static void expect_exchanged(int64_t stop_ns, const char *wanted)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 15);
	session.stop_ns = stop_ns;
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++)
		model.runs[i].id.case_id = 1 - model.runs[i].id.case_id;
	synthetic_changed(&model);
	expect(&model, wanted);
}

static void other_metrics_say_who_takes_less(void **state)
{
	expect_exchanged(45000 * MS, "[MEASURING 7/15] threads 3.00 s, processes 2.96 s so far; "
				     "already less with processes: creation 0.33x");
	expect_exchanged(
		INT64_MAX,
		"[FASTER] processes are slightly faster: 2.95 s against 2.99 s (threads 1.01x as "
		"long; 1.008 to 1.02); less with processes: creation 0.33x");
}

static void a_session_that_goes_on_says_how_far_it_is(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 8);
	session.stop_ns = 0;
	expect_session(&session, "[MEASURING 0/8] No trial is complete yet");
	session.stop_ns = 20000 * MS;
	expect_session(&session, "[MEASURING 3/8] threads 2.93 s, processes 2.98 s so far");
	session.crowded_trial = 1;
	session.stop_ns = 34000 * MS;
	expect_session(&session, "[MEASURING 0/8] No trial counts yet: other programs used the "
				 "cores in the only one so far");
	/* A run of the next trial counts, and the views show its median. */
	session.stop_ns = 37500 * MS;
	expect_session(&session, "[MEASURING 0/8] The first trial that counts is under way, after "
				 "1 that other programs disturbed");
	/*
	 * The other metrics can be decided before the first one, and the sentence says them at
	 * once.
	 */
	synthetic_mixed(&session, 15);
	session.stop_ns = 45000 * MS;
	expect_session(&session,
		       "[MEASURING 7/15] threads 2.96 s, processes 3.00 s so far; "
		       "already more with processes: per pair, memory 1.49x, creation 3.0x");
}

/* The bound is of the last interim analysis, so it would contradict medians that go on. */
static void while_trials_go_on_no_bound_is_told(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 60);
	session.stop_ns = 300000 * MS;
	synthetic_model(&session, &model);
	set_times(&model, (double[]) {100, 100}, 1);
	expect(&model, "[SAME SPEED] threads 101 ms, processes 100 ms (within 5 %); more "
		       "with processes: per pair, memory 1.49x, creation 3.0x");
}

/* A tree creates tasks until its end, so the time of creation is the time of the run. */
static void the_creation_of_a_tree_is_not_told_twice(void **state)
{
	struct synthetic session;

	synthetic_tree(&session, 8);
	expect_session(&session,
		       "[FASTER] threads are faster: 257 ms against 361 ms (per pair, processes "
		       "take 1.41x as long; 1.39 to 1.43); more with processes: CPU time 1.40x, "
		       "memory 1.8x");
}

/* From twice as long on, the sentence has the ratio. */
static void while_trials_go_on_a_large_ratio_is_in_the_sentence(void **state)
{
	static const double slow[] = {100, 850}, fast[] = {100, 40}, near[] = {100, 190};
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 8);
	session.stop_ns = 25000 * MS;
	synthetic_model(&session, &model);
	set_times(&model, slow, 0);
	expect(&model, "[MEASURING 3/8] So far processes take 8.5x as long: 850 ms against 100 ms");
	synthetic_model(&session, &model);
	set_times(&model, fast, 0);
	expect(&model, "[MEASURING 3/8] So far threads take 2.5x as long: 100 ms against 40.0 ms");
	synthetic_model(&session, &model);
	set_times(&model, near, 0);
	expect(&model, "[MEASURING 3/8] threads 100 ms, processes 190 ms so far");
}

static void creation_that_goes_on_has_its_least_and_greatest_ratio(void **state)
{
	struct synthetic session;

	synthetic_creation(&session, 12);
	session.cases -= PLAN_CLONE + 1; /* those with ballast */
	session.stop_ns = 12000 * MS;
	expect_session(&session,
		       "[MEASURING 2/12] So far clone ballast=0 is fastest (0.86x as long as "
		       "pthread_create ballast=0), fork+exec ballast=0 7.8x");
}

/* The order is that of the rows of the box. Real ratios below 1.5 are not left out. */
static void creation_has_all_ways_from_the_least_ratio_on(void **state)
{
	struct synthetic session;

	synthetic_creation(&session, 12);
	session.cases -= PLAN_CLONE + 1; /* those with ballast */
	expect_session(&session,
		       "[REAL] clone ballast=0 is fastest, 9.92 µs until the task runs; fork+exec "
		       "ballast=0 takes longest, 90.5 µs; compared with pthread_create ballast=0 "
		       "(11.6 µs): per pair, clone ballast=0 0.86x, pthread_create:cold ballast=0 "
		       "1.28x, vfork ballast=0 2.9x, fork ballast=0 6.4x, posix_spawn ballast=0 "
		       "7.1x, fork+exec ballast=0 7.9x");
}

static void more_models_are_compared_with_the_first(void **state)
{
	static const char *const sentences[] = {
		"[REAL] threads are fastest (101 ms): processes 2.0x, hybrid:2x4 2.0x",
		"[REAL] processes are fastest; compared with threads (201 ms): processes 0.50x, "
		"hybrid:2x4 same",
		"[REAL] hybrid:2x4 is fastest; compared with threads (201 ms): processes same, "
		"hybrid:2x4 0.50x",
	};
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 12);
	synthetic_add(&session, "hybrid:2x4", "", 100 * MS);
	synthetic_add(&session, "hybrid:4x2", "", 100 * MS);
	synthetic_model(&session, &model);
	set_times(&model, (double[]) {100, 200, 101, 100}, 1);
	expect(&model, "[REAL] Compared with threads (101 ms): hybrid:4x2 same, hybrid:2x4 1.01x, "
		       "processes 2.0x");
	/*
	 * There are three models. The fastest is first "threads", then "processes", which is a
	 * plural too, then "hybrid:2x4", which is a singular.
	 */
	for (int winner = 0; winner < 3; winner++) {
		double ms[3] = {200, 200, 200};

		ms[winner] = 100;
		synthetic_mixed(&session, 12);
		synthetic_add(&session, "hybrid:2x4", "", 100 * MS);
		synthetic_model(&session, &model);
		set_times(&model, ms, 1);
		expect(&model, sentences[winner]);
	}
}

static void a_sweep_counts_the_values(void **state)
{
	struct synthetic session;

	synthetic_scaling(&session, 12);
	expect_session(
		&session,
		"[REAL] From 2 to 8 workers, the work takes 3.4x to 4.0x as long; threads are "
		"faster at 3 of 7, processes at 3 (1.009x to 1.13x); threads and processes cross "
		"at about 5.4 (4 to 6)");
}

/* At first no trial is complete; then some comparisons have a tendency, and none is decided. */
static void a_sweep_that_goes_on_says_who_looks_faster(void **state)
{
	struct synthetic session;

	synthetic_scaling(&session, 12);
	session.stop_ns = 5000 * MS;
	expect_session(&session, "[MEASURING 0/12] No trial is complete yet");
	session.stop_ns = 25000 * MS;
	expect_session(&session, "[MEASURING 2/12] So far, from 2 to 8 workers, the work takes "
				 "3.4x to 4.0x as long; threads look faster at 2 of 7; no "
				 "winner yet");
	/* Of three models the sentence names the one that looks fastest. */
	synthetic_hello(&session, 12);
	session.stop_ns = 25000 * MS;
	expect_session(&session, "[MEASURING 1/12] So far hybrid:2x4 looks fastest at 9 of 11, "
				 "threads at 1, unclear at 1; no winner yet");
}

/* The median of a noisy model may be far off, but some pair of trials then says otherwise. */
static void medians_that_a_pair_contradicts_name_nobody(void **state)
{
	for (int contradicts = 0; contradicts < 2; contradicts++) {
		char text[HEADLINE_TEXT];
		struct synthetic session;
		struct model model;

		synthetic_scaling(&session, 12);
		session.stop_ns = 45000 * MS;
		synthetic_model(&session, &model);
		for (size_t i = 0; i < model.n_runs; i++) {
			struct model_run *run = &model.runs[i];

			run->totals.elapsed_ns = 500 * MS;
			if (run->id.case_id % 2)
				run->totals.elapsed_ns = 600 * MS;
			if (contradicts && run->id.case_id % 2 && run->id.trial == 2)
				run->totals.elapsed_ns = 490 * MS;
		}
		synthetic_changed(&model);
		headline_of_metric(&model, METRIC_ELAPSED, text, sizeof(text));
		if (contradicts)
			assert_non_null(strstr(text, "as long; no winner yet"));
		else
			assert_non_null(strstr(text, "; threads look faster at 7 of 7"));
		model_free(&model);
	}
}

/* Gives each run the median of its round trips, in ns: that of its case, and up to 2 % more. */
static void set_round_trips(struct model *model, const int64_t *ns)
{
	for (size_t i = 0; i < model->n_runs; i++) {
		struct model_run *run = &model->runs[i];
		const int64_t median = ns[run->id.case_id];

		run->latency = calloc(1, sizeof(*run->latency));
		assert_non_null(run->latency);
		run->n_buckets = 1;
		run->latency->at[LATENCY_ANYWHERE].span[LATENCY_OPERATION].p50 =
			median + median / 100 * (run->id.trial % 3);
	}
	synthetic_changed(model);
}

/*
 * The question is what a switch costs, so the sentence has the costs before and after the end. Few
 * trials do not say who is ahead.
 */
static void round_trips_have_their_cost_at_each_place(void **state)
{
	static const char *const places[] = {"cores=same;via=pipe", "cores=same;via=futex",
					     "cores=two;via=pipe", "cores=two;via=memory"};
	static const char *const sentences[] = {
		"[MEASURING 1/12] So far 3.96 to 4.34 µs on one core, 33 µs on two, 0.10 µs by "
		"shared memory",
		"[MEASURING 3/12] So far round trips take 7.7x to 7.8x as long on two cores as on "
		"one, except by shared memory",
		"[MEASURING 7/12] So far round trips take 7.7x to 7.8x as long on two cores as on "
		"one, except by shared memory; threads ahead at 1 of 4, processes at 1",
		"[REAL] round trips take 7.7x to 7.8x as long on two cores as on one, except by "
		"shared memory; threads are faster at 1 of 4, processes at 1 (1.01x to 1.05x)",
		/* The badge is that of the finding with which the sentence begins. */
		"[REAL] round trips take 7.7x as long on two cores as on one, except by "
		"shared "
		"memory; processes same at 4 of 4",
		"[SAME SPEED] round trips take 1.009x as long on two cores as on one, except "
		"by "
		"shared memory; processes same at 4 of 4"};
	static const int64_t stops_ns[] = {13000 * MS, 25000 * MS, 60000 * MS, 0, 0, 0};
	static const int64_t differ[] = {4300, 4240, 3900, 4100, 33000, 33000, 100, 100};
	static const int64_t same[] = {4300, 4300, 3900, 3900, 33000, 33000, 100, 100};
	/* On two cores, some trials are as fast as on one. */
	static const int64_t overlap[] = {4300, 4300, 3900, 3900, 4340, 4340, 100, 100};
	static const int64_t *const ns[] = {differ, differ, differ, differ, same, overlap};

	for (size_t at = 0; at < sizeof(stops_ns) / sizeof(*stops_ns); at++) {
		struct synthetic session;
		struct model model;

		synthetic_mixed(&session, 12);
		for (uint32_t i = 0; i < 2; i++)
			synthetic_vary(&session.list[i].variables, "%s", places[0]);
		for (uint32_t i = 2; i < 8; i++)
			synthetic_add(&session, i % 2 ? "processes" : "threads", places[i / 2],
				      100 * MS);
		for (uint32_t i = 0; i < 8; i++) {
			session.list[i].via = VIA_PIPE;
			session.list[i].plan.tasks = 100;
		}
		if (stops_ns[at] > 0)
			session.stop_ns = stops_ns[at];
		synthetic_model(&session, &model);
		set_round_trips(&model, ns[at]);
		expect(&model, sentences[at]);
	}
}

/* A sum over all kinds would say nothing about the one that is drawn. */
static void all_kinds_of_work_say_who_looks_faster(void **state)
{
	static const char *const works[] = {"work=fp;workers=2", "work=fp;workers=4",
					    "work=mem;workers=2", "work=mem;workers=4"};
	static const double ms[] = {100, 101, 200, 201, 100, 140, 200, 150};
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 12);
	for (uint32_t i = 0; i < 2; i++)
		synthetic_vary(&session.list[i].variables, "%s", works[0]);
	for (uint32_t i = 2; i < 8; i++)
		synthetic_add(&session, i % 2 ? "processes" : "threads", works[i / 2], 100 * MS);
	session.stop_ns = 25000 * MS;
	synthetic_model(&session, &model);
	set_times(&model, ms, 1);
	expect(&model, "[MEASURING 3/12] So far, from 2 to 4 workers, fp takes 2.0x as long, mem "
		       "1.07x to 2.0x; no winner yet");
	session.stop_ns = 50000 * MS;
	synthetic_model(&session, &model);
	set_times(&model, ms, 1);
	/* After five trials, a model that was faster in each of them is ahead. */
	expect(&model, "[MEASURING 6/12] So far, from 2 to 4 workers, fp takes 2.0x as long, mem "
		       "1.07x to 2.0x; threads ahead at 1 of 4, processes at 1");
}

static void one_model_is_called_by_its_values(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 8);
	snprintf(session.list[1].model, SAMPLE_LABEL, "threads");
	synthetic_vary(&session.list[0].variables, "alloc=0");
	synthetic_vary(&session.list[1].variables, "alloc=400");
	synthetic_model(&session, &model);
	set_times(&model, (double[]) {100, 200}, 0);
	expect(&model, "[FASTER] alloc=0 is faster: 100 ms against 200 ms (alloc=400 2.0x as long; "
		       "2.0 to 2.0); more with alloc=400: per pair, memory 1.49x, "
		       "creation 3.0x");
	synthetic_vary(&session.list[0].variables, "size=1");
	synthetic_vary(&session.list[1].variables, "size=2");
	synthetic_model(&session, &model);
	set_times(&model, (double[]) {100, 200}, 0);
	expect(&model, "size=1 100 ms, size=2 200 ms (not compared, because the work differs)");
}

static void a_condition_is_compared_over_its_values_too(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 12);
	synthetic_add(&session, "threads", "alloc=400", 100 * MS);
	synthetic_add(&session, "processes", "alloc=400", 100 * MS);
	for (uint32_t i = 0; i < 2; i++)
		synthetic_vary(&session.list[i].variables, "alloc=0");
	synthetic_model(&session, &model);
	set_times(&model, (double[]) {100, 110, 300, 220}, 0);
	expect(&model,
	       "[REAL] threads 100 ms to 300 ms; threads are faster at 1 of 2 values "
	       "of alloc (1.10x at alloc=0), processes "
	       "faster at 1 (1.36x at alloc=400); threads and processes cross at about 44 (0 to "
	       "400); alloc=400 compared with "
	       "0: threads 3.0x, processes 2.0x");
}

static void one_alone_has_its_median(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 8);
	session.cases = 1;
	expect_session(&session, "threads 2.94 s (median of 8 trials, nothing to compare)");
}

static void a_model_that_always_fails_is_named(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 6);
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.case_id == 1)
			model.runs[i].totals.status = SAMPLE_FAILED;
	synthetic_changed(&model);
	expect(&model,
	       "[NO RESULT] processes failed in all 6 trials, so nothing is compared (Messages "
	       "says more)");
}

static void expect_metric(struct model *model, enum model_metric metric, const char *wanted)
{
	char line[HEADLINE_TEXT];

	synthetic_changed(model);
	assert_string_equal(headline_of_metric(model, metric, line, sizeof(line)), wanted);
	model_free(model);
}

/* Each missing comparison names its own cause: a failed trial, unread memory, a crash. */
static void a_comparison_that_is_missing_has_its_cause(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 1);
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++) {
		model.runs[i].totals.status = SAMPLE_FAILED;
		strcpy(model.runs[i].totals.reason, "no disk");
	}
	synthetic_changed(&model);
	expect(&model,
	       "[NO RESULT] threads failed in its only trial, so nothing is compared (no disk)");
	synthetic_mixed(&session, 6);
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.case_id == 0)
			model.runs[i].totals.memory.pss_kb = -1;
	expect_metric(&model, METRIC_PSS,
		      "processes 1.2 MiB (median of 6 trials, nothing to compare)");
	synthetic_mixed(&session, 6);
	synthetic_add(&session, "hybrid", "", 3100000000);
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++)
		if (model.runs[i].id.case_id == 0)
			model.runs[i].totals.memory.pss_kb = -1;
	expect_metric(
		&model, METRIC_PSS,
		"processes 1.2 MiB, hybrid 976 KiB (not compared, because the others' memory was "
		"not read)");
	synthetic_mixed(&session, 6);
	synthetic_add(&session, "hybrid", "", 3100000000);
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++) {
		model.runs[i].totals.fault = 1;
		model.runs[i].totals.survived = 3;
	}
	model.saw_fault = true;
	expect_metric(
		&model, METRIC_ELAPSED,
		"threads 2.94 s, processes 2.98 s, hybrid 3.08 s (not compared: the crash cut "
		"runs short)");
}

static void recordings_with_nothing_in_common_are_not_compared(void **state)
{
	struct model parts[2], model;
	struct synthetic session;

	for (int i = 0; i < 2; i++) {
		synthetic_mixed(&session, 8);
		session.cases = 1;
		synthetic_model(&session, &parts[i]);
		snprintf(parts[i].session.machine.host, sizeof(parts[i].session.machine.host),
			 i ? "laptop" : "desktop");
	}
	assert_int_equal(model_join(parts, &model), 0);
	expect(&model, "threads @desktop 2.94 s, threads @laptop 2.94 s (not measured together)");
	model_free(&parts[0]);
	model_free(&parts[1]);
}

static void recordings_stand_one_behind_the_other(void **state)
{
	struct model parts[2], model;
	struct synthetic session;

	synthetic_mixed(&session, 8);
	for (int i = 0; i < 2; i++) {
		synthetic_model(&session, &parts[i]);
		snprintf(parts[i].session.machine.host, sizeof(parts[i].session.machine.host),
			 i ? "laptop" : "desktop");
	}
	assert_int_equal(model_join(parts, &model), 0);
	expect(&model,
	       "[REAL] threads @desktop are slightly faster: 2.95 s against 2.99 s (processes "
	       "@desktop 1.01x as long; 1.004 to 1.02); threads @laptop are slightly faster: 2.95 "
	       "s "
	       "against 2.99 s (processes @laptop 1.01x as long; 1.004 to 1.02)");
	model_free(&parts[0]);
	model_free(&parts[1]);
}

static void without_a_session_nothing_was_measured(void **state)
{
	struct model model;

	model_init(&model);
	expect(&model, "No trial is complete yet");
}

/* A sentence that is too long ends inside its buffer. */
static void a_short_buffer_is_kept(void **state)
{
	struct synthetic session;
	struct model model;
	char line[32];

	synthetic_mixed(&session, 8);
	synthetic_model(&session, &model);
	for (size_t size = 1; size <= sizeof(line); size++) {
		memset(line, 'x', sizeof(line));
		headline_line(&model, line, size);
		assert_true(strlen(line) < size);
	}
	model_free(&model);
}

static void a_translation_has_the_slots_of_its_template_in_any_order(void **state)
{
	assert_true(headline_fits("{a} {b}", "{b}%s%n{a}"));
	assert_true(headline_fits("{a} or {a}", "{a}{a}"));
	assert_true(headline_fits("same", "%s"));
	assert_false(headline_fits("{a} {b}", "{a}"));
	assert_false(headline_fits("{a} {b}", "{a} {b} {b}"));
	assert_false(headline_fits("{a} {b}", "{a} {b} {c}"));
	assert_false(headline_fits("{a} {b}", "{a} {b"));
	assert_false(headline_fits("{a} {b}", "{{a} {b}"));
	assert_false(headline_fits("{a} {b}", "{b} {a}{"));
	assert_false(headline_fits("{a}", "{A}"));
	assert_false(headline_fits("same", "{}"));
}

#ifdef TUIBENCH_NLS
static struct lecture tour(void)
{
	struct lecture lecture;
	char error[256];

	assert_int_equal(lecture_read(TEST_LECTURES "/tour.md", &lecture, error, sizeof(error)), 0);
	return lecture;
}

static size_t count_headings_in_chinese(void)
{
	struct lecture lecture = tour();
	size_t n = 0;

	for (size_t i = 0; i < lecture.n; i++)
		n += (unsigned char)lecture.scenes[i].heading[0] >= 0xe3;
	lecture_free(&lecture);
	return n;
}

/* Counts the templates of headlines in the Chinese catalogue. */
static size_t count_translated_templates(void)
{
	FILE *list = fopen(TEST_DATA "/../../po/zh_CN.po", "r");
	char line[1024], template[512] = "", other[512];
	bool of_headline = false;
	size_t n = 0;

	assert_non_null(list);
	while (fgets(line, sizeof(line), list)) {
		if (line[0] == '#')
			of_headline = strstr(line, "src/result/headline") ||
				      (of_headline && line[1] != ':');
		if (sscanf(line, "msgid \"%511[^\"]", template) == 1)
			continue;
		if (!of_headline || sscanf(line, "msgstr \"%511[^\"]", other) != 1)
			continue;
		if (!headline_fits(template, other))
			fail_msg("\"%s\" has not the slots of \"%s\"", other, template);
		assert_string_equal(sentence_translated(template), other);
		n++;
	}
	fclose(list);
	return n;
}

/*
 * gettext(3) translates in every locale but C, and newer C libraries do not translate in C.UTF-8.
 */
static void chinese_is_spoken_where_it_is_asked_for(void **state)
{
	static const struct {
		const char *options, *says;
	} runs[] = {{"--batch --replay '" TEST_DATA "/recordings-0.1.0/mixed.csv'",
		     "[难分高下，其他程序占用 78 %] threads 26.3 ms"},
		    {"--help", "\n屏幕\n"}};
	char path[FOLDER_PATH], command[1024], said[8192];
	const char *built = strrchr(TEST_PROGRAM, '/');
	FILE *program;

	setenv("LOCPATH", *state, 1);
	unsetenv("LANGUAGE");
	if (symlink("/usr/lib/locale/C.utf8", folder_at(path, *state, "zh_CN.UTF-8")) != 0 ||
	    !setlocale(LC_MESSAGES, "zh_CN.UTF-8")) {
		print_message("no C.UTF-8 in /usr/lib/locale to take for a locale\n");
		skip();
	}
	assert_int_equal(count_headings_in_chinese(), 0);
	snprintf(path, sizeof(path), "%.*s/po", (int)(built - TEST_PROGRAM), TEST_PROGRAM);
	bindtextdomain("tuibench", path);
	bind_textdomain_codeset("tuibench", "UTF-8");
	assert_true(count_translated_templates() > 50);
	assert_true(count_headings_in_chinese() > 0);
	expect_times(8, (double[]) {100, 200}, 0,
		     "[确有快慢] threads 更快：100 ms 对 200 ms（processes 用时为其 2.0 倍；2.0 至 "
		     "2.0）；processes 更多：逐对比较，内存 1.49 倍，creation 3.0 倍");
	expect_times(
		3, (double[]) {100, 200}, 0,
		"[没有结果] threads 100 ms，processes 200 ms（试验次数太少；请使用 -n 6 或更多）");
	setlocale(LC_MESSAGES, "C");
	expect_times(8, (double[]) {100, 200}, 0,
		     "[FASTER] threads are faster: 100 ms against 200 ms (processes 2.0x as long; "
		     "2.0 to 2.0); more with processes: per pair, memory 1.49x, "
		     "creation 3.0x");

	/* The program itself finds its language, and breaks lines as that language does. */
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		snprintf(command, sizeof(command), "LC_ALL=zh_CN.UTF-8 '%s' %s", TEST_PROGRAM,
			 runs[i].options);
		program = popen(command, "r");
		assert_non_null(program);
		said[fread(said, 1, sizeof(said) - 1, program)] = '\0';
		assert_int_equal(pclose(program), 0);
		assert_non_null(strstr(said, runs[i].says));
		for (char *line = strtok(said, "\n"); line; line = strtok(NULL, "\n"))
			if (utf8_columns(line) > 80)
				fail_msg("wider than 80 columns: %s", line);
	}
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_models_have_their_medians_and_how_they_compare),
		cmocka_unit_test(a_session_that_was_stopped_says_after_how_many_trials),
		cmocka_unit_test(failed_runs_are_the_reason_for_too_few_pairs),
		cmocka_unit_test(while_trials_go_on_no_bound_is_told),
		cmocka_unit_test(the_creation_of_a_tree_is_not_told_twice),
		cmocka_unit_test(medians_near_the_bound_are_not_called_misleading),
		cmocka_unit_test(other_metrics_say_who_takes_less),
		cmocka_unit_test(a_session_that_goes_on_says_how_far_it_is),
		cmocka_unit_test(while_trials_go_on_a_large_ratio_is_in_the_sentence),
		cmocka_unit_test(creation_that_goes_on_has_its_least_and_greatest_ratio),
		cmocka_unit_test(creation_has_all_ways_from_the_least_ratio_on),
		cmocka_unit_test(more_models_are_compared_with_the_first),
		cmocka_unit_test(a_sweep_counts_the_values),
		cmocka_unit_test(a_sweep_that_goes_on_says_who_looks_faster),
		cmocka_unit_test(medians_that_a_pair_contradicts_name_nobody),
		cmocka_unit_test(round_trips_have_their_cost_at_each_place),
		cmocka_unit_test(all_kinds_of_work_say_who_looks_faster),
		cmocka_unit_test(one_model_is_called_by_its_values),
		cmocka_unit_test(a_condition_is_compared_over_its_values_too),
		cmocka_unit_test(one_alone_has_its_median),
		cmocka_unit_test(a_model_that_always_fails_is_named),
		cmocka_unit_test(a_comparison_that_is_missing_has_its_cause),
		cmocka_unit_test(recordings_with_nothing_in_common_are_not_compared),
		cmocka_unit_test(recordings_stand_one_behind_the_other),
		cmocka_unit_test(without_a_session_nothing_was_measured),
		cmocka_unit_test(a_short_buffer_is_kept),
		cmocka_unit_test(a_translation_has_the_slots_of_its_template_in_any_order),
#ifdef TUIBENCH_NLS
		FOLDER_TEST(chinese_is_spoken_where_it_is_asked_for),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
