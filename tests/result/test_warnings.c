/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include "stage/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "core/reason.h"
#include "model/model.h"
#include "model/model_latency.h"
#include "model/model_private.h"
#include "result/answer.h"
#include "stage/synthetic.h"
#include "stage/known.h"

#define MS INT64_C(1000000)

struct fixture {
	struct model model;
	struct model_warning warnings[MODEL_WARNINGS_MOST];
	int n;
};

static void warn(struct fixture *f, const struct model *model)
{
	synthetic_changed(&f->model);
	f->n = model_warnings(model, f->warnings);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct synthetic session;

	assert_non_null(f);
	synthetic_mixed(&session, 8);
	synthetic_model(&session, &f->model);
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

static struct model_run *run_of(struct fixture *f, uint32_t case_id, uint32_t trial)
{
	for (size_t i = 0; i < f->model.n_runs; i++)
		if (f->model.runs[i].id.case_id == case_id && f->model.runs[i].id.trial == trial)
			return &f->model.runs[i];
	fail();
	return NULL;
}

/* Makes a run `by` times as long. */
static void stretch(struct fixture *f, uint32_t case_id, uint32_t trial, double by)
{
	struct model_run *run = run_of(f, case_id, trial);

	run->totals.elapsed_ns = llround((double)run->totals.elapsed_ns * by);
}

static void expect_none(struct fixture *f)
{
	warn(f, &f->model);
	assert_int_equal(f->n, 0);
}

/* Checks that this is the only warning. */
static void expect(struct fixture *f, enum model_warning_kind kind, const char *text)
{
	warn(f, &f->model);
	assert_int_equal(f->n, 1);
	assert_int_equal(f->warnings[0].kind, kind);
	assert_string_equal(f->warnings[0].text, text);
}

/* Checks one of the warnings, which contains both texts. */
static void expect_words(struct fixture *f, enum model_warning_kind kind, const char *one,
			 const char *two)
{
	bool found = false;

	warn(f, &f->model);
	for (int i = 0; i < f->n; i++)
		found |= f->warnings[i].kind == kind && strstr(f->warnings[i].text, one) &&
			 strstr(f->warnings[i].text, two);
	for (int i = 0; !found && i < f->n; i++)
		print_error("%s\n", f->warnings[i].text);
	assert_true(found);
}

static void a_quiet_session_has_no_warning(void **state)
{
	struct model nothing;
	struct model_warning warnings[MODEL_WARNINGS_MOST];

	expect_none(*state);
	model_init(&nothing);
	assert_int_equal(model_warnings(&nothing, warnings), 0);
}

static void a_slow_first_trial_asks_for_a_warm_up(void **state)
{
	struct fixture *f = *state;
	struct model_run *first = run_of(f, 1, 1);

	first->totals.elapsed_ns = 4500 * MS;
	expect(f, WARNING_FIRST,
	       "the first trial of processes took 4.50 s instead of 3.00 s: caches may have been "
	       "cold, or the CPU clock slow. The trial counts; with --warmup 1, each "
	       "configuration first runs without being counted");
	f->model.session.warmup = 2;
	stretch(f, 0, 1, 1.4);
	expect_words(f, WARNING_FIRST,
		     "3.00 s; so did the first trial of 1 other configuration:", "--warmup 3");
	assert_int_equal(f->n, 1);
}

static void another_slow_trial_is_an_outlier(void **state)
{
	struct fixture *f = *state;

	stretch(f, 0, 3, 1.5);
	expect_words(f, WARNING_OUTLIERS, "a trial of threads took 4.4", "close other programs");
	stretch(f, 1, 4, 1.7);
	expect_words(f, WARNING_OUTLIERS,
		     "2 trials were far off; in the most extreme one, processes took ",
		     " s instead of 3.0");
	expect_words(f, WARNING_OUTLIERS, "close other programs", "--trials");
	assert_int_equal(f->n, 1);
	/* A narrow line ends before the farthest trial, not inside its name. */
	assert_true(sentence_shorten(f->warnings[0].text, 0, &f->warnings[0].parts, 40));
	assert_string_equal(f->warnings[0].text, "2 trials were far off");
}

static void a_fast_first_trial_is_an_outlier(void **state)
{
	struct fixture *f = *state;

	stretch(f, 0, 1, 0.5);
	expect_words(f, WARNING_OUTLIERS, "a trial of threads took 1.4", "--trials");
	assert_int_equal(f->n, 1);
}

static void a_small_deviation_is_no_outlier(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < f->model.n_runs; i++)
		f->model.runs[i].totals.elapsed_ns = 3000 * MS;
	stretch(f, 0, 1, 1.099); /* infinitely many deviations, because the deviation is 0 */
	expect_none(f);
	stretch(f, 0, 1, 1.01);
	expect_words(f, WARNING_FIRST, "threads", "--warmup");
}

static void a_wide_spread_makes_no_outliers(void **state)
{
	struct fixture *f = *state;

	for (uint32_t trial = 1; trial <= 8; trial++)
		stretch(f, 0, trial, 1 + 0.2 * (trial % 4));
	stretch(f, 0, 1, 1.5);
	expect_none(f);
}

static void fewer_than_five_trials_are_not_judged(void **state)
{
	struct fixture *f = *state;

	stretch(f, 0, 1, 3);
	model_seek(&f->model, run_of(f, 0, 4)->end_ns);
	expect_none(f);
	model_seek(&f->model, run_of(f, 0, 5)->end_ns - 1);
	expect_none(f);
	model_seek(&f->model, run_of(f, 0, 5)->end_ns);
	expect_words(f, WARNING_FIRST, "threads", "--warmup 1");
}

static void trials_that_do_not_count_are_not_judged(void **state)
{
	struct fixture *f = *state;

	stretch(f, 0, 1, 3);
	run_of(f, 0, 1)->totals.status = SAMPLE_FAILED;
	expect(f, WARNING_FAILED, "1 of 8 runs of threads failed; it is not counted");
	run_of(f, 0, 1)->totals.status = SAMPLE_OK;
	run_of(f, 0, 1)->totals.paused = true;
	run_of(f, 0, 1)->totals.others = 1000;
	expect_none(f);
}

/*
 * A program that never leaves its core has no recorded switches, so the little that others used is
 * no cause.
 */
static void named_programs_account_for_the_counted_time(void **state)
{
	struct fixture *f = *state;
	const struct {
		const char *who;
		bool named;
	} names[] = {{"kdamond.0 12 ms", false},
		     {"cc1 900 ms, sshd 12 ms", true},
		     {"a 12 ms b 80 ms, c, d 900 ms", true},
		     {"", false}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (size_t run = 0; run < f->model.n_runs; run++)
			f->model.runs[run].totals.others = 0;
		/* of two cores and 3 s, 1.8 s */
		run_of(f, 0, 1)->totals.others = 300;
		snprintf(run_of(f, 0, 1)->totals.others_who, SAMPLE_LABEL, "%s", names[i].who);
		warn(f, &f->model);
		assert_true(f->n > 0);
		assert_non_null(strstr(f->warnings[0].text, "; close them and run again"));
		if (names[i].named)
			assert_non_null(strstr(f->warnings[0].text, names[i].who));
		else
			assert_non_null(strstr(f->warnings[0].text, "(top shows them)"));
	}
}

static void set_shares(struct fixture *f, int16_t others, int16_t steal)
{
	for (size_t i = 0; i < f->model.n_runs; i++) {
		f->model.runs[i].totals.others = others;
		f->model.runs[i].totals.steal = steal;
	}
}

/* The share is of all runs, but the programs were recorded in the run with the largest share. */
static void programs_are_named_with_their_trial(void **state)
{
	struct fixture *f = *state;

	set_shares(f, 500, 0);
	run_of(f, 0, 1)->totals.others = 600;
	strcpy(run_of(f, 0, 1)->totals.others_who, "cc1 3400 ms");
	warn(f, &f->model);
	assert_true(f->n > 0);
	assert_non_null(strstr(
		f->warnings[0].text,
		"other programs (in trial 1 of threads mainly cc1 3400 ms of CPU time) used 5"));
}

/* 16 runs of 3 s, in which ticks may err by 2.9 %. */
static void other_programs_are_named_with_their_share(void **state)
{
	struct fixture *f = *state;

	set_shares(f, 78, 0);
	expect_none(f);
	set_shares(f, 123, 0);
	expect(f, WARNING_BUSY,
	       "other programs (top shows them) used 12 % of the cores; close them and run again");
}

/* Warnings about a server: requests without a reply, and clients that limit the rate. */
static void clients_that_are_the_limit_and_requests_without_a_reply_are_named(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < f->model.n_runs; i++) {
		struct sample_totals *totals = &f->model.runs[i].totals;

		totals->requests = 1000;
		totals->requests_failed = 0;
		totals->requests_ns = 100000000;
		totals->drain_us = 89000;
	}
	warn(f, &f->model);
	for (int i = 0; i < f->n; i++)
		assert_true(f->warnings[i].kind != WARNING_CLIENTS &&
			    f->warnings[i].kind != WARNING_ERRORS);
	for (size_t i = 0; i < f->model.n_runs; i++)
		if (f->model.runs[i].id.case_id == 1)
			f->model.runs[i].totals.drain_us = 95000;
	expect(f, WARNING_CLIENTS,
	       "processes: the clients used 95 % of their core and may be slower than the "
	       "server, which could then answer more; raise -s work");
	for (size_t i = 0; i < f->model.n_runs; i++)
		f->model.runs[i].totals.drain_us = 0;
	run_of(f, 0, 2)->totals.requests_failed = 3;
	run_of(f, 0, 2)->totals.requests = 997;
	expect(f, WARNING_ERRORS,
	       "threads: 3 of 8,000 requests had no reply within 60 s, or lost their connection; "
	       "they have no latency");
	run_of(f, 1, 2)->totals.requests_failed = 3;
	run_of(f, 1, 2)->totals.requests = 997;
	expect(f, WARNING_ERRORS,
	       "threads: 3 of 8,000 requests had no reply within 60 s, or lost their connection; "
	       "they have no latency; 1 other configuration lost requests, too");
}

/* 8 runs of 100 ms each. 8,000 replies, or 10 % fewer, are 10,000 or 9,000 per second. */
static void a_server_that_is_too_slow_for_the_rate_is_named(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < f->model.n_runs; i++) {
		struct sample_totals *totals = &f->model.runs[i].totals;

		totals->requests = 1000;
		totals->requests_failed = 0;
		totals->requests_ns = 100000000;
	}
	expect_none(f);
	f->model.cases[0].serving.rate = 10400;
	f->model.cases[1].serving.rate = 11000;
	expect_none(f);
	f->model.cases[1].serving.rate = 20000;
	expect(f, WARNING_RATE,
	       "processes answered only 10,000 of 20,000 requests/s; the queue grew until the end, "
	       "so the latency grows with -s tasks; lower -s rate");
	f->model.cases[0].serving.rate = 30000;
	expect(f, WARNING_RATE,
	       "threads answered only 10,000 of 30,000 requests/s; the queue grew until the end, "
	       "so the latency grows with -s tasks; lower -s rate; the same is true of "
	       "1 other configuration");
	/* 16 requests at random moments may take 25 % longer or shorter. */
	for (size_t i = 0; i < f->model.n_runs; i++)
		f->model.runs[i].totals.requests = 2;
	f->model.cases[0].serving.rate = 25;
	f->model.cases[1].serving.rate = 25;
	expect_none(f);
}

/* 3 s on at most one core; the second case uses two. */
static void programs_that_recording_their_switches_slows_are_named(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < f->model.n_runs; i++) {
		struct sample_totals *totals = &f->model.runs[i].totals;

		totals->elapsed_ns = INT64_C(3000000000);
		totals->nvcsw = 299000;
		totals->nivcsw = 1000;
		totals->user_us = 2000000;
		totals->system_us = 0;
		if (f->model.runs[i].id.case_id == 1)
			totals->user_us = 6000000;
	}
	synthetic_changed(&f->model);
	snprintf(f->model.session.sched, sizeof(f->model.session.sched), "own");
	warn(f, &f->model);
	for (int i = 0; i < f->n; i++)
		assert_int_not_equal(f->warnings[i].kind, WARNING_WATCHED);
	snprintf(f->model.session.sched, sizeof(f->model.session.sched), "perf");
	expect(f, WARNING_WATCHED,
	       "threads switched 100,000 times a second, and recording each switch took about 15 % "
	       "of its time; -s sched=off measures it without recording; the same is true of 1 "
	       "other "
	       "configuration");
	/* The text has the time of a record if it was measured. */
	f->model.session.watched = (struct sample_watched) {.rate = 100000, .record_ns = 500};
	expect(f, WARNING_WATCHED,
	       "threads switched 100,000 times a second, and recording each switch took about 5 % "
	       "of its time (0.50 µs for a switch, as measured here); -s sched=off measures it "
	       "without recording; the same is true of 1 other configuration");
	/*
	 * Compared with a warm-up without records, whose case is named even if another share is
	 * larger.
	 */
	f->model.session.watched = (struct sample_watched) {
		.rate = 100000, .case_id = 1, .record_ns = 860, .plain_ns = 4000000000};
	expect(f, WARNING_WATCHED,
	       "processes switched 100,000 times a second, and took 1.50x as long as in a "
	       "warm-up whose switches were not recorded (0.86 µs for a switch, as measured here); "
	       "-s sched=off measures it without recording; the same is true of 1 other "
	       "configuration");
	/* The time without records is that of a run that nobody disturbs. */
	for (size_t i = 0; i < f->model.n_runs; i++)
		f->model.runs[i].totals.others = 40;
	f->model.session.watched.case_id = 0;
	f->model.session.watched.plain_ns = 2400000000;
	expect(f, WARNING_WATCHED,
	       "threads switched 100,000 times a second, and took 1.20x as long as in a "
	       "warm-up whose switches were not recorded (0.86 µs for a switch, as measured here); "
	       "-s sched=off measures it without recording; the same is true of 1 other "
	       "configuration");
	/* If that warm-up was slower, it shows nothing. */
	f->model.session.watched.plain_ns = 2880000000;
	expect(f, WARNING_WATCHED,
	       "threads switched 100,000 times a second, and recording each switch took about 9 % "
	       "of its time (0.86 µs for a switch, as measured here); -s sched=off measures it "
	       "without recording; the same is true of 1 other configuration");
	/* Pairs of warm-ups say a factor and its range. */
	f->model.session.watched.slowdown = 1.25;
	f->model.session.watched.slowdown_low = 1.2;
	f->model.session.watched.slowdown_high = 1.5;
	expect(f, WARNING_WATCHED,
	       "threads switched 100,000 times a second, and took 1.25x as long (1.20x to 1.50x) "
	       "as in warm-ups whose switches were not recorded (0.86 µs for a switch, as "
	       "measured here); -s sched=off measures it without recording; the same is true of "
	       "1 other configuration");
	f->model.session.watched = (struct sample_watched) {0};
	for (size_t i = 0; i < f->model.n_runs; i++)
		f->model.runs[i].totals.nvcsw = 19000;
	synthetic_changed(&f->model);
	warn(f, &f->model);
	for (int i = 0; i < f->n; i++)
		assert_int_not_equal(f->warnings[i].kind, WARNING_WATCHED);
}

static void trials_without_records_say_why(void **state)
{
	struct fixture *f = *state;
	struct sample_watched *watched = &f->model.session.watched;

	snprintf(f->model.session.sched, sizeof(f->model.session.sched), "own");
	*watched = (struct sample_watched) {
		.rate = 100000, .case_id = 1, .share = 0.173, .record_ns = 1730, .sched = "own"};
	expect(f, WARNING_WATCHED,
	       "processes switched 100,000 times a second in the warm-up, and recording each "
	       "switch "
	       "would take about 17 % of its time (1.73 µs for a switch, as measured here), so the "
	       "trials do not record them; -s sched=perf does");
	watched->record_ns = -1;
	expect(f, WARNING_WATCHED,
	       "processes switched 100,000 times a second in the warm-up, and recording each "
	       "switch "
	       "would take about 17 % of its time, so the trials do not record them; -s sched=perf "
	       "does");
	/* Pairs of warm-ups say how much the rest of being watched slows it down. */
	watched->slowdown = 1.084;
	watched->slowdown_low = 1.06;
	watched->slowdown_high = 1.1;
	expect(f, WARNING_WATCHED,
	       "processes switched 100,000 times a second in the warm-up, and recording each "
	       "switch would take about 17 % of its time, so the trials do not record them; even "
	       "so, being watched makes it take 1.08x as long (1.06x to 1.10x); -s sched=perf "
	       "records them");
	/* One pair has no range. */
	watched->slowdown_low = watched->slowdown_high = watched->slowdown;
	expect(f, WARNING_WATCHED,
	       "processes switched 100,000 times a second in the warm-up, and recording each "
	       "switch would take about 17 % of its time, so the trials do not record them; even "
	       "so, being watched makes it take 1.08x as long; -s sched=perf records them");
	/* If a pair was not slower, the pairs show nothing. */
	watched->slowdown_low = 0.99;
	expect(f, WARNING_WATCHED,
	       "processes switched 100,000 times a second in the warm-up, and recording each "
	       "switch would take about 17 % of its time, so the trials do not record them; -s "
	       "sched=perf does");
	*watched = (struct sample_watched) {0};
}

/* The quota is the cause, so the user is not asked to close other programs. */
static void under_a_quota_its_trials_are_named_and_nothing_is_to_be_closed(void **state)
{
	struct fixture *f = *state;
	char badge[HEADLINE_BADGE], machine[SAMPLE_TEXT];
	struct answer answer;

	f->model.session.machine.cores_allowed = f->model.session.machine.cores_online = 2;
	f->model.session.machine.cpu_quota = 0.5;
	assert_non_null(strstr(report_machine(machine, sizeof(machine), &f->model.session.machine),
			       "0.5 of 2 cores (quota)"));
	for (size_t i = 0; i < f->model.n_runs; i++)
		f->model.runs[i].totals.throttled_periods = 0;
	assert_false(model_is_limited(&f->model));
	run_of(f, 0, 2)->totals.throttled_periods = 7;
	run_of(f, 0, 3)->totals.throttled_periods = 4;
	assert_true(model_is_limited(&f->model));
	/* Only the other model was throttled; the runs of this one do not count. */
	run_of(f, 1, 4)->totals.throttled_periods = 1;
	run_of(f, 0, 2)->totals.throttled_periods = run_of(f, 0, 3)->totals.throttled_periods = 0;
	warn(f, &f->model);
	assert_non_null(strstr(f->warnings[0].text, "held processes back in 1 of 8 runs"));
	run_of(f, 1, 4)->totals.throttled_periods = 0;
	run_of(f, 0, 2)->totals.throttled_periods = 7;
	run_of(f, 0, 3)->totals.throttled_periods = 4;
	expect(f, WARNING_THROTTLED,
	       "the quota of 0.5 of 2 cores held threads back in 2 of 8 runs (trials 2, 3; 11 "
	       "periods); times include these pauses");
	set_shares(f, 123, 0);
	stretch(f, 0, 5, 2);
	warn(f, &f->model);
	assert_int_equal(f->n, 3);
	for (int i = 0; i < f->n; i++)
		assert_null(strstr(f->warnings[i].text, "close"));
	assert_int_equal(answer_read(&answer, &f->model), 0);
	headline_badge(&answer, &f->model, badge, sizeof(badge));
	assert_non_null(strstr(badge, ", under a quota"));
	answer_free(&answer);
	/* A quota of all cores limits nothing. */
	f->model.session.machine.cpu_quota = 2;
	assert_false(model_is_limited(&f->model));
}

static void expect_badge(struct fixture *f, const char *expected)
{
	char badge[HEADLINE_BADGE];
	struct answer answer;
	const char *cause;

	assert_int_equal(answer_read(&answer, &f->model), 0);
	cause = strchr(headline_badge(&answer, &f->model, badge, sizeof(badge)), ',');
	assert_string_equal(cause ? cause : "", expected);
	answer_free(&answer);
}

static void the_answer_says_how_busy_the_machine_was(void **state)
{
	struct fixture *f = *state;

	set_shares(f, 78, 0);
	expect_badge(f, "");
	set_shares(f, 231, 0);
	expect_badge(f, ", other programs 23 %");
	set_shares(f, 231, 42);
	expect_badge(f, ", other programs 23 %");
	set_shares(f, 0, 42);
	expect_badge(f, ", the host stole 4 %");
}

/* The CPU time differs by 1 %. That is real, but nobody would choose by it. */
static void the_answer_lists_no_slight_difference(void **state)
{
	struct fixture *f = *state;
	char line[HEADLINE_BADGE + HEADLINE_TEXT];

	headline_line(&f->model, line, sizeof(line));
	assert_non_null(strstr(line, "more with processes: per pair, memory 1.49x"));
	assert_null(strstr(line, "CPU time"));
}

/* 16 runs of 30 ms. A tick at the end of each could be 33 %, but ticks do not all err alike. */
static void the_answer_is_as_busy_as_its_warning(void **state)
{
	struct fixture *f = *state;
	struct model_busy busy;

	for (size_t i = 0; i < f->model.n_runs; i++)
		f->model.runs[i].totals.elapsed_ns /= 100;
	synthetic_changed(&f->model);
	set_shares(f, 400, 0);
	f->n = model_warnings(&f->model, f->warnings);
	assert_int_equal(f->warnings[0].kind, WARNING_BUSY);
	assert_non_null(strstr(f->warnings[0].text, "used 40 % of the cores;"));
	assert_true(model_is_busy(&f->model, &busy));
	expect_badge(f, ", other programs 40 %");
	set_shares(f, 200, 0);
	assert_false(model_is_busy(&f->model, &busy));
}

/* One run of 3 s, in which ticks may err by 12 %. */
static void one_run_beside_other_programs_is_named(void **state)
{
	struct fixture *f = *state;

	run_of(f, 1, 5)->totals.others = 160;
	expect_none(f);
	run_of(f, 1, 5)->totals.others = 310;
	run_of(f, 0, 2)->totals.others = 200;
	expect(f, WARNING_BUSY,
	       "other programs (top shows them) used 31 % of the cores during trial 5 of "
	       "processes; close them and run again");
}

static void short_runs_may_err_by_a_tick(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < f->model.n_runs; i++)
		f->model.runs[i].totals.elapsed_ns = 10 * MS;
	set_shares(f, 400, 0);
	expect_none(f);
}

static void a_warning_names_steal(void **state)
{
	struct fixture *f = *state;

	set_shares(f, 0, 10);
	expect_none(f);
	set_shares(f, 0, 42);
	expect(f, WARNING_STEAL,
	       "the host of this virtual machine stole 4.2 % of the CPU (steal), so times are too "
	       "long; use a physical machine or try later, with more --trials");
}

static void repeated_trials_are_named(void **state)
{
	struct fixture *f = *state;
	struct synthetic session;

	model_free(&f->model);
	synthetic_mixed(&session, 8);
	session.crowded_trial = 3;
	synthetic_model(&session, &f->model);
	expect(f, WARNING_REPEATED,
	       "trial 3 was discarded and repeated at the end, because other programs used over a "
	       "fifth of the cores");
}

/* Otherwise a reader wonders why the other trials of a busy machine count. */
static void a_session_that_may_discard_no_more_trials_says_so(void **state)
{
	struct fixture *f = *state;
	struct synthetic session;

	model_free(&f->model);
	synthetic_mixed(&session, 8);
	synthetic_model(&session, &f->model);
	for (size_t i = 0; i < f->model.n_runs; i++)
		if (f->model.runs[i].id.trial > 0 && f->model.runs[i].id.trial <= 5)
			f->model.runs[i].replaced_ns = f->model.now_ns;
	synthetic_changed(&f->model);
	expect(f, WARNING_REPEATED,
	       "trials 1, 2, 3, 4, 5 were discarded and repeated at the end, because other "
	       "programs "
	       "used over a fifth of the cores; after 5, no more are discarded");
}

static void a_trial_that_was_stopped_is_not_called_crowded(void **state)
{
	struct fixture *f = *state;
	struct synthetic session;

	model_free(&f->model);
	synthetic_mixed(&session, 8);
	session.crowded_trial = 3;
	/* A run of the trial other than its last one. */
	session.paused_run = (session.warmup + 3 - 1) * session.cases;
	synthetic_model(&session, &f->model);
	expect(f, WARNING_REPEATED,
	       "trial 3 was discarded and repeated at the end, because another process stopped "
	       "tuibench or its workers");
}

static void an_older_recording_knows_of_neither(void **state)
{
	struct fixture *f = *state;

	set_shares(f, -1, -1);
	expect_none(f);
}

/* Returns a core of a tick in the middle of a run. */
static struct sample_core *core_in(struct fixture *f, const struct model_run *run, uint32_t core)
{
	long load = model_load_at(&f->model, run->begin_ns + run->totals.elapsed_ns / 2);

	return &f->model.cores[load * (long)f->model.n_cores + core];
}

static void a_clock_that_changes_is_named_with_the_governor(void **state)
{
	struct fixture *f = *state;

	strcpy(f->model.session.machine.governor, "powersave");
	core_in(f, run_of(f, 1, 7), 1)->mhz = 2340; /* of 2,450 */
	expect_none(f);
	core_in(f, run_of(f, 1, 7), 1)->mhz = 1800;
	expect(f, WARNING_FREQUENCY,
	       "core 1 ran at 1800 to 2450 MHz, so times vary with the clock; the governor is "
	       "powersave; sudo cpupower frequency-set -g performance selects the governor "
	       "performance");
	strcpy(f->model.session.machine.governor, "performance");
	expect_words(f, WARNING_FREQUENCY, "1800 to 2450 MHz", "switch turbo off");
}

static void cores_of_different_clocks_are_no_change(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < f->model.n_loads; i++)
		if (f->model.cores[i * f->model.n_cores + 1].mhz > 0)
			f->model.cores[i * f->model.n_cores + 1].mhz = 1600;
	expect_none(f);
}

static void the_clock_of_a_run_that_does_not_count_does_not_matter(void **state)
{
	struct fixture *f = *state;

	core_in(f, run_of(f, 0, 2), 0)->mhz = 800;
	run_of(f, 0, 2)->totals.status = SAMPLE_FAILED;
	expect(f, WARNING_FAILED, "1 of 8 runs of threads failed; it is not counted");
	run_of(f, 0, 2)->totals.status = SAMPLE_OK;
	expect_words(f, WARNING_FREQUENCY, "core 0", "800 to 2450 MHz");
}

/* Makes one core idle in the samples during the run. */
static void let_idle(struct fixture *f, const struct model_run *run)
{
	long last = model_load_at(&f->model, run->begin_ns + run->totals.elapsed_ns);

	for (long i = model_load_at(&f->model, run->begin_ns); i <= last; i++) {
		struct sample_core *core = &f->model.cores[i * (long)f->model.n_cores + 1];

		core->user = core->system = core->steal = 0;
	}
}

/* Leaves all workers on one core, although runs of the case otherwise use 1.6. */
static void leave_together(struct fixture *f, uint32_t case_id, uint32_t trial)
{
	struct model_run *run = run_of(f, case_id, trial);

	stretch(f, case_id, trial, 1.6);
	run->totals.others = run->totals.steal = 0;
	let_idle(f, run);
}

static void runs_that_used_fewer_cores_than_were_free_are_named(void **state)
{
	struct fixture *f = *state;

	leave_together(f, 0, 3);
	warn(f, &f->model);
	expect_words(f, WARNING_CORES,
		     "in 1 of 8 runs (trial 3) threads got only 1.0 of 2 free cores from the "
		     "kernel and took 4.6",
		     " s instead of 2.9");
	leave_together(f, 0, 7);
	leave_together(f, 1, 2);
	expect_words(
		f, WARNING_CORES,
		"in 2 of 8 runs (trials 3, 7) threads got only 1.0 of 2 free cores from "
		"the kernel and took 4.",
		" s; so did 1 run of other configurations; use more --trials to see how often");
}

/* Slow runs on busy cores, and runs that waited for something else, have other causes. */
static void runs_that_had_no_free_cores_are_not(void **state)
{
	struct fixture *f = *state;

	stretch(f, 0, 3, 1.6);
	run_of(f, 0, 3)->totals.others = run_of(f, 0, 3)->totals.steal = 0;
	warn(f, &f->model);
	for (int i = 0; i < f->n; i++) /* the samples show both cores busy */
		assert_int_not_equal(f->warnings[i].kind, WARNING_CORES);
	let_idle(f, run_of(f, 0, 3));
	expect_words(f, WARNING_CORES, "trial 3", "");
	run_of(f, 0, 3)->totals.others = 400; /* another program was running */
	warn(f, &f->model);
	for (int i = 0; i < f->n; i++)
		assert_int_not_equal(f->warnings[i].kind, WARNING_CORES);
	run_of(f, 0, 3)->totals.others = 0;
	stretch(f, 0, 3, 2); /* 0.5 cores */
	warn(f, &f->model);
	for (int i = 0; i < f->n; i++)
		assert_int_not_equal(f->warnings[i].kind, WARNING_CORES);
}

/* Runs that vary as on a quiet machine, and as on a noisy one. */
static void noise_alone_makes_no_few_cores(void **state)
{
	struct synthetic session;
	struct fixture f;
	uint64_t seed = 1;
	uint32_t found = 0;

	for (uint32_t i = 0; i < 400; i++) {
		synthetic_mixed(&session, 15);
		synthetic_model(&session, &f.model);
		for (size_t j = 0; j < f.model.n_runs; j++) {
			struct model_run *run = &f.model.runs[j];
			double by = 1 + (i % 2 ? 0.01 : 0.05) * random_normal(&seed);

			run->totals.elapsed_ns = llround((double)run->totals.elapsed_ns * by);
			run->totals.others = run->totals.steal = 0;
			let_idle(&f, run);
		}
		warn(&f, &f.model);
		for (int j = 0; j < f.n; j++)
			found += f.warnings[j].kind == WARNING_CORES;
		model_free(&f.model);
	}
	assert_in_range(found, 0, 4);
}

/* Adds a task of a command, with that name. */
static void add_task(struct model_run *run, const char *name)
{
	run->tasks = calloc(1, sizeof(*run->tasks));
	assert_non_null(run->tasks);
	run->n_tasks = run->cap_tasks = 1;
	snprintf(run->tasks[0].known.name, sizeof(run->tasks[0].known.name), "%s", name);
}

static void there_is_one_of_each_kind(void **state)
{
	struct fixture *f = *state;
	struct synthetic session;

	model_free(&f->model);
	synthetic_mixed(&session, 9);
	synthetic_model(&session, &f->model);
	stretch(f, 0, 1, 2);
	stretch(f, 1, 1, 2);
	stretch(f, 0, 5, 2);
	set_shares(f, 300, 100);
	leave_together(f, 1, 6);
	core_in(f, run_of(f, 0, 3), 0)->mhz = 800;
	core_in(f, run_of(f, 0, 3), 1)->mhz = 900;
	run_of(f, 0, 9)->replaced_ns = run_of(f, 1, 9)->replaced_ns = 1;
	run_of(f, 1, 2)->children = 3;
	run_of(f, 1, 2)->threads = 2;
	run_of(f, 0, 2)->totals.throttled_periods = 7;
	run_of(f, 0, 3)->totals.throttled_periods = 4;
	run_of(f, 1, 3)->totals.throttled_periods = 1;
	run_of(f, 1, 4)->totals.requests = 99;
	run_of(f, 1, 4)->totals.requests_failed = 1;
	run_of(f, 1, 4)->totals.requests_ns = 1000000;
	run_of(f, 1, 4)->totals.drain_us = 1000;
	f->model.cases[1].serving.rate = 1000000;
	run_of(f, 1, 4)->totals.left_running = 1;
	f->model.saw_left = true;
	run_of(f, 1, 4)->totals.read_nothing = 1;
	run_of(f, 1, 4)->totals.program_output = OUTPUT_NULL;
	add_task(run_of(f, 1, 4), "egrep");
	run_of(f, 1, 7)->totals.status = SAMPLE_FAILED;
	snprintf(f->model.session.sched, sizeof(f->model.session.sched), "perf");
	for (size_t i = 0; i < f->model.n_runs; i++)
		f->model.runs[i].totals.nvcsw = 10000000;
	synthetic_changed(&f->model);
	warn(f, &f->model);
	assert_string_equal(
		f->warnings[WARNING_THROTTLED].text,
		"-s quota held threads back in 2 of 8 runs (11 periods of "
		"100 ms), and 1 other configuration; times include these pauses, and no other "
		"program caused them");
	assert_non_null(strstr(f->warnings[WARNING_COMPANY].text,
			       " had 3 or more child processes and 2 or more threads, which "));
	assert_int_equal(f->n, WARNINGS);
	for (int i = 0; i < WARNINGS; i++)
		assert_int_equal(f->warnings[i].kind, i);
	assert_non_null(strstr(f->warnings[WARNING_FREQUENCY].text, "core 0 "));
}

/* A value that most trials have is shown, so the warning must not call it unknown. */
static void memory_that_some_trials_lack_is_not_called_unknown(void **state)
{
	struct fixture *f = *state;

	strcpy(f->model.session.tasks_by, SAMPLE_TASKS_POLLING);
	for (uint32_t trial = 1; trial <= 8; trial++)
		run_of(f, 0, trial)->children = 2;
	expect_none(f);
	run_of(f, 0, 3)->totals.memory = sample_memory_unknown();
	run_of(f, 0, 3)->totals.memory_reason = REASON_SHORT_CHILDREN;
	expect_words(f, WARNING_COMPANY, "threads had 2 or more child processes; its memory is ",
		     "unknown (?) in 1 of 8 runs, because its children ended before their memory "
		     "could be read; its CPU time ");
	for (uint32_t trial = 1; trial <= 8; trial++)
		run_of(f, 0, trial)->totals.memory = sample_memory_unknown();
	expect_words(f, WARNING_COMPANY, "threads had 2 or more child processes; its memory is ",
		     "unknown (?), because its children ended before their memory could be read; "
		     "its CPU time ");
	/* Old recordings do not have the reason. */
	run_of(f, 0, 3)->totals.memory_reason = -1;
	expect_words(f, WARNING_COMPANY, "its memory is unknown (?); its CPU time ", "");
}

static void cpu_time_that_a_parent_hides_is_called_unknown(void **state)
{
	struct fixture *f = *state;

	strcpy(f->model.session.tasks_by, SAMPLE_TASKS_POLLING);
	run_of(f, 0, 3)->children = 2;
	expect_none(f);
	run_of(f, 0, 3)->totals.minflt = -1;
	run_of(f, 0, 3)->totals.usage_reason = REASON_SIGCHLD;
	expect_words(f, WARNING_COMPANY,
		     "threads had 2 or more child processes; its page faults and",
		     "are unknown (?) in 1 of 8 runs, because a process ignores SIGCHLD");
	run_of(f, 0, 3)->totals.user_us = -1;
	expect_words(f, WARNING_COMPANY, "threads had 2 or more child processes; its CPU time, ",
		     "are unknown (?) in 1 of 8 runs, because a process ignores SIGCHLD");
	/* A value that is shown is not called unknown. */
	run_of(f, 0, 4)->children = 2;
	run_of(f, 0, 4)->totals.minflt = -1;
	expect_words(
		f, WARNING_COMPANY, "threads had 2 or more child processes; its page faults and",
		"are unknown (?) in 2 of 8 runs, its CPU time in 1, because a process ignores");
	run_of(f, 0, 3)->totals.usage_reason = REASON_UNREPORTED;
	expect_words(f, WARNING_COMPANY, "because the tasks used more than their parents report",
		     "");
}

static void of_joined_recordings_each_has_its_own(void **state)
{
	struct fixture *f = *state;
	struct synthetic session;
	struct model parts[2], joined;

	synthetic_mixed(&session, 8);
	for (int i = 0; i < 2; i++)
		synthetic_model(&session, &parts[i]);
	for (size_t i = 0; i < parts[1].n_runs; i++)
		parts[1].runs[i].totals.others = 500;
	strcpy(parts[0].session.machine.host, "desktop");
	strcpy(parts[1].session.machine.host, "laptop");
	assert_int_equal(model_join(parts, &joined), 0);
	model_seek(&joined, joined.newest_ns);
	warn(f, &joined);
	assert_int_equal(f->n, 1);
	assert_ptr_equal(
		strstr(f->warnings[0].text, "laptop: other programs (top shows them) used 50 %"),
		f->warnings[0].text);
	model_free(&joined);
	model_free(&parts[0]);
	model_free(&parts[1]);
}

/* The whole time of a trial says little about the duration of one creation. */
static void creations_are_judged_by_how_long_one_takes(void **state)
{
	struct fixture *f = *state;
	struct synthetic session;

	model_free(&f->model);
	synthetic_creation_old(&session, 8);
	synthetic_model(&session, &f->model);
	stretch(f, 2, 1, 10);
	stretch(f, 2, 4, 10);
	expect_none(f);
	run_of(f, 2, 1)->latency->at[LATENCY_NOT_RECORDED].span[LATENCY_TASK].p50 *= 2;
	expect_words(f, WARNING_FIRST, "the first trial of vfork ",
		     " until a task ran instead of ");
	run_of(f, 2, 4)->latency->at[LATENCY_NOT_RECORDED].span[LATENCY_TASK].p50 *= 3;
	expect_words(f, WARNING_OUTLIERS, "a trial of vfork ", " until a task ran instead of ");
	for (int i = 0; i < f->n; i++)
		assert_null(strstr(strstr(f->warnings[i].text, "until a task ran") + 1,
				   "until a task"));
}

/* Multiplies the value by which the trial is judged in the test below. */
static void spoil(struct model_run *run, double by)
{
	run->totals.user_us = llround((double)run->totals.user_us * by);
	run->totals.system_us = llround((double)run->totals.system_us * by);
	run->totals.requests_ns = llround((double)run->totals.requests_ns * by);
	run->totals.printed *= by;
}

/* A warning names the metric in which trials are judged: a trial of a server is not one request. */
static void a_far_trial_is_described_in_its_metric(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < f->model.n_runs; i++) {
		f->model.runs[i].totals.requests = 1000;
		f->model.runs[i].totals.requests_ns = 73000000;
		f->model.runs[i].totals.printed = 400;
		f->model.runs[i].totals.printed_reason = REASON_NONE;
	}
	spoil(run_of(f, 0, 3), 3);
	f->model.session.for_ns = 1;
	expect_words(f, WARNING_OUTLIERS, "a trial of threads used ", " s of CPU time instead of ");
	f->model.session.for_ns = 0;
	for (uint32_t i = 0; i < f->model.n_cases; i++)
		f->model.cases[i].plan.leaves[WORK_SERVE] = 1;
	expect_words(f, WARNING_OUTLIERS,
		     "a trial of threads took 0.22 ms per request instead of 73 µs: ", "outliers");
	strcpy(f->model.session.metric, "requests");
	strcpy(f->model.printed_unit, "req/s");
	expect_words(f, WARNING_OUTLIERS,
		     "a trial of threads printed 1,200 instead of 400 req/s: other programs or ",
		     "may have slowed the other trials");
	spoil(run_of(f, 0, 1), 0.2);
	expect_words(f, WARNING_FIRST, "the first trial of threads printed 80 instead of 400 req/s",
		     "caches may have been cold");
}

/* Makes a case run a program. status: its exit status in that trial. */
static void exit_with(struct fixture *f, uint32_t case_id, uint32_t trial, uint64_t status,
		      enum sample_status judged)
{
	struct model_run *run = run_of(f, case_id, trial);
	struct plan *plan = &f->model.cases[case_id].plan;
	struct sample_worker worker = model_known(run, 0);

	*plan = (struct plan) {.levels = 1, .fanout = {1}, .task = {PLAN_PROCESS}};
	plan->leaves[WORK_PROGRAM] = 1;
	worker.result = status;
	assert_int_equal(model_workers_put(&run->workers, run->n_workers, 0, &worker), 0);
	run->n_workers = 1;
	run->totals.status = judged;
	snprintf(run->totals.reason, sizeof(run->totals.reason), "%s",
		 "the command of worker w1 exited; to accept that, use another setting");
}

/* A fast program that often fails is no good program. */
static void failed_runs_are_named_first(void **state)
{
	struct fixture *f = *state;
	struct model_run *run;

	stretch(f, 0, 3, 1.5);
	run = run_of(f, 1, 2);
	run->totals.status = SAMPLE_CRASHED;
	snprintf(run->totals.reason, sizeof(run->totals.reason), "worker w1 was ended by signal 9");
	warn(f, &f->model);
	assert_int_equal(f->n, 2);
	assert_int_equal(f->warnings[0].kind, WARNING_FAILED);
	assert_string_equal(f->warnings[0].text,
			    "1 of 8 runs of processes failed (worker w1 was ended by signal 9); it "
			    "is not counted");
	run_of(f, 1, 4)->totals.status = SAMPLE_FAILED;
	run_of(f, 0, 5)->totals.status = SAMPLE_FAILED;
	expect_words(f, WARNING_FAILED,
		     "2 of 8 runs of processes failed (worker w1 was ended by signal 9), and 1 run "
		     "of other configurations; they are not counted",
		     "");
	/* What the user stopped is no failure, and the headline names a case that always failed. */
	for (uint32_t trial = 1; trial <= 8; trial++) {
		run_of(f, 0, trial)->totals.status = SAMPLE_INTERRUPTED;
		run_of(f, 1, trial)->totals.status = SAMPLE_FAILED;
	}
	expect_none(f);
}

static void the_exit_status_of_failed_programs_is_named(void **state)
{
	struct fixture *f = *state;

	for (uint32_t trial = 1; trial <= 8; trial++)
		exit_with(f, 1, trial, 0, SAMPLE_OK);
	exit_with(f, 1, 3, 7, SAMPLE_FAILED);
	expect_words(f, WARNING_FAILED,
		     "1 of 8 runs of processes failed (exit status 7); it is not counted", "");
	/* With -s ignore-failure=yes, such a run is a measurement. */
	exit_with(f, 1, 3, 7, SAMPLE_OK);
	exit_with(f, 1, 5, 1, SAMPLE_OK);
	expect_words(f, WARNING_FAILED,
		     "2 of 8 runs of processes failed (exit status 7); they are counted, because "
		     "of -s ignore-failure=yes",
		     "");
}

/* -s for ends a program with SIGTERM, which no user may take for a failure of the program. */
static void programs_that_a_limit_ended_did_not_fail(void **state)
{
	struct fixture *f = *state;

	f->model.session.for_ns = 500000000;
	for (uint32_t trial = 1; trial <= 8; trial++) {
		exit_with(f, 0, trial, 0, SAMPLE_OK);
		exit_with(f, 1, trial, 143, SAMPLE_OK);
	}
	expect_words(f, WARNING_FAILED,
		     "8 of 8 runs of processes did not end by themselves; -s for ended them after "
		     "500 ms",
		     "");
	/* Servers never end by themselves. */
	for (uint32_t trial = 1; trial <= 8; trial++)
		exit_with(f, 0, trial, 137, SAMPLE_OK);
	expect_none(f);
	f->model.session.for_ns = -1;
}

/* The time of the processes left running is not part of the program's. */
static void a_case_that_left_processes_running_is_compared_in_no_time(void **state)
{
	struct fixture *f = *state;
	char sentence[HEADLINE_TEXT], badge[HEADLINE_BADGE];
	struct model_comparison c;
	struct answer answer;

	run_of(f, 1, 3)->totals.left_running = 2;
	run_of(f, 1, 5)->totals.left_running = 1;
	f->model.saw_left = true;
	expect(f, WARNING_LEFT,
	       "2 processes of the program were still running when its first process ended, in 2 "
	       "runs; tuibench ended them and does not compare times; -s wait=all measures until "
	       "the "
	       "last one has ended");
	assert_int_equal(model_compare(&f->model, 0, 1, METRIC_ELAPSED, &c), 0);
	assert_true(c.left && c.no_ratio && isnan(c.ratio.estimate));
	assert_int_equal(model_compare(&f->model, 0, 1, METRIC_CPU, &c), 0);
	assert_true(c.left);
	/* The creations had already ended. */
	assert_int_equal(model_compare(&f->model, 0, 1, METRIC_CREATE, &c), 0);
	assert_false(c.left || isnan(c.ratio.estimate));
	assert_int_equal(answer_read(&answer, &f->model), 0);
	assert_int_equal(answer.state, ANSWER_WITHHELD);
	headline_badge(&answer, &f->model, badge, sizeof(badge));
	headline_sentence(&answer, &f->model, sentence, sizeof(sentence), NULL);
	assert_non_null(strstr(badge, "NO RESULT"));
	assert_ptr_equal(
		strstr(sentence, "2 processes were still running when the program ended: "),
		sentence);
	assert_non_null(strstr(sentence, "(not compared: -s wait=all measures until all "));
	answer_free(&answer);
	/*
	 * A trial that does not count gives no warning, and neither does a recording without this
	 * value.
	 */
	run_of(f, 1, 3)->totals.left_running = -1;
	run_of(f, 1, 5)->totals.paused = true;
	assert_int_equal(model_left_running(&f->model, 1, NULL), 0);
}

static void a_program_that_reads_nothing_or_stops_early_is_named(void **state)
{
	struct fixture *f = *state;

	/*
	 * A run that did not look whether the program reads gives no warning, nor does one in which
	 * it did not read.
	 */
	run_of(f, 0, 1)->totals.read_nothing = 0;
	run_of(f, 0, 1)->totals.program_output = OUTPUT_PIPE;
	add_task(run_of(f, 0, 1), "grep");
	expect_none(f);
	run_of(f, 1, 2)->totals.read_nothing = 1;
	expect(f, WARNING_INPUT,
	       "the program reads its standard input, which is empty; use -s input=FILE to supply "
	       "data");
	snprintf(f->model.cases[1].command, SAMPLE_COMMAND, "vi");
	for (uint32_t trial = 1; trial <= 8; trial++) {
		run_of(f, 1, trial)->totals.elapsed_ns = 2000 * MS;
		run_of(f, 1, trial)->totals.user_us = 3000;
		run_of(f, 1, trial)->totals.system_us = 600;
	}
	expect(f, WARNING_INPUT,
	       "processes reads its standard input, which is empty; use -s input=FILE to supply "
	       "data; it "
	       "waits nearly all the time, but it has no terminal to wait for");
	run_of(f, 1, 2)->totals.read_nothing = -1;
	run_of(f, 0, 1)->totals.program_output = OUTPUT_NULL;
	expect(f, WARNING_OUTPUT,
	       "threads runs grep, which stops at its first match when its output is /dev/null: -s "
	       "output=pipe lets it read all");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_quiet_session_has_no_warning),
		TEST(named_programs_account_for_the_counted_time),
		TEST(programs_are_named_with_their_trial),
		TEST(a_slow_first_trial_asks_for_a_warm_up),
		TEST(another_slow_trial_is_an_outlier),
		TEST(a_fast_first_trial_is_an_outlier),
		TEST(a_small_deviation_is_no_outlier),
		TEST(a_wide_spread_makes_no_outliers),
		TEST(fewer_than_five_trials_are_not_judged),
		TEST(trials_that_do_not_count_are_not_judged),
		TEST(other_programs_are_named_with_their_share),
		TEST(clients_that_are_the_limit_and_requests_without_a_reply_are_named),
		TEST(a_server_that_is_too_slow_for_the_rate_is_named),
		TEST(programs_that_recording_their_switches_slows_are_named),
		TEST(trials_without_records_say_why),
		TEST(under_a_quota_its_trials_are_named_and_nothing_is_to_be_closed),
		TEST(the_answer_says_how_busy_the_machine_was),
		TEST(the_answer_lists_no_slight_difference),
		TEST(the_answer_is_as_busy_as_its_warning),
		TEST(one_run_beside_other_programs_is_named),
		TEST(short_runs_may_err_by_a_tick),
		TEST(a_warning_names_steal),
		TEST(repeated_trials_are_named),
		TEST(a_session_that_may_discard_no_more_trials_says_so),
		TEST(a_trial_that_was_stopped_is_not_called_crowded),
		TEST(an_older_recording_knows_of_neither),
		TEST(a_clock_that_changes_is_named_with_the_governor),
		TEST(cores_of_different_clocks_are_no_change),
		TEST(the_clock_of_a_run_that_does_not_count_does_not_matter),
		TEST(runs_that_used_fewer_cores_than_were_free_are_named),
		TEST(runs_that_had_no_free_cores_are_not),
		TEST(noise_alone_makes_no_few_cores),
		TEST(there_is_one_of_each_kind),
		TEST(memory_that_some_trials_lack_is_not_called_unknown),
		TEST(cpu_time_that_a_parent_hides_is_called_unknown),
		TEST(of_joined_recordings_each_has_its_own),
		TEST(creations_are_judged_by_how_long_one_takes),
		TEST(a_far_trial_is_described_in_its_metric),
		TEST(a_program_that_reads_nothing_or_stops_early_is_named),
		TEST(failed_runs_are_named_first),
		TEST(programs_that_a_limit_ended_did_not_fail),
		TEST(the_exit_status_of_failed_programs_is_named),
		TEST(a_case_that_left_processes_running_is_compared_in_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
