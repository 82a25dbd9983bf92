/* SPDX-License-Identifier: MIT */
#include "report/verdict.h"

#include "stage/check.h"

#include <stdio.h>
#include <string.h>

#include "report/claim.h"
#include "stage/synthetic.h"

#define MS    1000000ll
#define WIDTH (2 * 118 - 16) /* of two lines with a badge, at the size designed for */

/* Durations of a case's trials in ms, in turn; the sentence must be this one. */
struct figures {
	int64_t ms[8];
};

static void set_elapsed(struct model *model, const struct figures *figures)
{
	for (size_t i = 0; i < model->n_runs; i++) {
		struct model_run *run = &model->runs[i];

		if (run->id.trial > 0)
			run->totals.elapsed_ns =
				figures[run->id.case_id].ms[(run->id.trial - 1) % 8] * MS;
	}
	synthetic_changed(model);
}

static void expect(const struct model *model, const char *sentence)
{
	char verdict[512];

	assert_string_equal(verdict_read(model, verdict, sizeof(verdict)), sentence);
	assert_true(strlen(verdict) <= WIDTH);
}

/* The session's cases took so long. */
static void expect_of(const struct synthetic *session, const struct figures *figures,
		      const char *sentence)
{
	struct model model;

	synthetic_model(session, &model);
	set_elapsed(&model, figures);
	expect(&model, sentence);
	model_free(&model);
}

static const struct figures even = {{1000, 1010, 990, 1005, 995, 1002, 998, 1001}};
static const struct figures even_too = {{1001, 1006, 993, 1003, 998, 999, 1000, 1000}};
static const struct figures slower_by_one = {{1012, 1021, 1003, 1017, 1006, 1011, 1010, 1014}};
static const struct figures slower_by_ten = {{1100, 1115, 1085, 1105, 1096, 1102, 1098, 1103}};
static const struct figures three_times = {{3000, 3030, 2970, 3015, 2985, 3006, 2994, 3003}};
static const struct figures scattered = {{700, 1400, 1200, 800, 1300, 750, 1000, 1100}};

static void before_the_first_pair_it_measures(void **state)
{
	struct synthetic session;
	struct model model;

	model_init(&model);
	expect(&model, "Nothing has been measured yet.");
	synthetic_mixed(&session, 8);
	session.stop_ns = 5000 * MS;
	synthetic_model(&session, &model);
	expect(&model, "No pair of trials is complete yet.");
	model_free(&model);
}

static void below_six_pairs_nothing_is_real(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 4);
	expect_of(&session, (struct figures[]) {even, three_times},
		  "Threads 1.00 s, processes 3.01 s: 3.0 times as long so far. Too few trials: "
		  "--trials 6 is the least.");
	synthetic_mixed(&session, 1);
	expect_of(&session, (struct figures[]) {slower_by_ten, even},
		  "Processes 1.00 s, threads 1.10 s: 1.10 times as long so far. Too few trials: "
		  "--trials 6 is the least.");
}

static void a_real_difference_is_named_with_its_interval(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 8);
	expect_of(&session, (struct figures[]) {even, slower_by_ten},
		  "Threads 1.00 s, processes 1.10 s: 1.10 times as long (96.25 % interval 1.098 to "
		  "1.103).");
	expect_of(&session, (struct figures[]) {slower_by_ten, even},
		  "Processes 1.00 s, threads 1.10 s: 1.10 times as long (96.25 % interval 1.098 to "
		  "1.103).");
}

static void a_large_difference_is_told_in_times(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 8);
	expect_of(&session, (struct figures[]) {even, three_times},
		  "Threads 1.00 s, processes 3.00 s: 3.0 times as long (96.25 % interval 3.0 to "
		  "3.0).");
}

static void a_tiny_difference_is_too_little_to_choose_by(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 8);
	expect_of(&session, (struct figures[]) {even, slower_by_one},
		  "Threads 1.00 s, processes 1.01 s: 1.01 times as long (96.25 % interval 1.010 to "
		  "1.013), too little to choose by.");
}

/* An interval to 1.104 leaves that the slower takes 10.4 % longer. */
static void what_is_excluded_is_rounded_up_from_the_far_end(void **state)
{
	assert_string_equal(CLAIM_EXCLUDED(1), "0.1 %");
	assert_string_equal(CLAIM_EXCLUDED(1.027), "2.7 %");
	assert_string_equal(CLAIM_EXCLUDED(1.104), "11 %");
	assert_string_equal(CLAIM_EXCLUDED(1.66), "66 %");
	assert_string_equal(CLAIM_EXCLUDED(2.04), "2.1x");
}

static void no_difference_is_said_as_such(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 8);
	expect_of(&session, (struct figures[]) {even, even_too},
		  "Threads 1.00 s, processes 1.00 s: at most 0.4 % apart.");
	expect_of(&session, (struct figures[]) {even, scattered},
		  "Threads 1.00 s, processes 1.05 s: at most 34 % apart.");
}

static void a_model_against_itself_shows_the_noise(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 8);
	strcpy(session.list[1].model, "threads#2");
	expect_of(&session, (struct figures[]) {even, even_too},
		  "Threads 1.00 s, threads#2 1.00 s: at most 0.4 % apart, as it should be: they "
		  "are the same.");
	expect_of(&session, (struct figures[]) {even, slower_by_one},
		  "Threads 1.00 s, threads#2 1.01 s: 1.01 times as long (96.25 % interval 1.010 to "
		  "1.013), though both are the same: this machine's noise.");
	session.trials = 2;
	expect_of(&session, (struct figures[]) {even, even},
		  "Threads 1.01 s, threads#2 1.01 s so far. Too few trials: --trials 6 is the "
		  "least.");
}

static void three_models_are_led_by_the_fastest(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 8);
	synthetic_add(&session, "hybrid:2x4", "", 3000 * MS);
	expect_of(&session, (struct figures[]) {slower_by_ten, three_times, even},
		  "Hybrid:2x4 1.00 s, threads 1.10 s, processes 3.00 s: hybrid:2x4 leads: threads "
		  "take 1.10 times as long (real), processes 3.0 times (real).");
	expect_of(&session, (struct figures[]) {even_too, three_times, even},
		  "Threads 1.00 s, hybrid:2x4 1.00 s, processes 3.00 s: processes are slowest, 3.0 "
		  "times as long as hybrid:2x4 (real); hybrid:2x4 and threads cannot be told apart "
		  "(at most 0.4 % apart).");
	session.trials = 3;
	expect_of(&session, (struct figures[]) {even, slower_by_ten, three_times},
		  "Threads 1.00 s, processes 1.10 s, hybrid:2x4 3.00 s so far. Too few trials: "
		  "--trials 8 is the least. io: processes 309 ms, hybrid:2x4 354 ms, not decided.");
	session.stop_ns = 7000 * MS;
	expect_of(&session, (struct figures[]) {even, slower_by_ten, three_times},
		  "No pair of trials is complete yet.");
}

static void nobody_leads_where_no_difference_is_found(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 8);
	synthetic_add(&session, "hybrid:2x4", "", 3000 * MS);
	expect_of(&session, (struct figures[]) {even, even_too, scattered},
		  "Processes 1.00 s, threads 1.00 s, hybrid:2x4 1.05 s: at most 43 % apart.");
}

static void trees_are_told_apart_by_their_shape(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 8);
	variables_parse(&session.list[0].variables, "tree=5000");
	strcpy(session.list[1].model, "threads");
	variables_parse(&session.list[1].variables, "tree=50x99");
	expect_of(&session, (struct figures[]) {even, slower_by_ten},
		  "tree=5000 1.00 s, tree=50x99 1.10 s: 1.10 times as long (96.25 % interval 1.098 "
		  "to "
		  "1.103).");
	expect_of(&session, (struct figures[]) {even, even_too},
		  "tree=5000 1.00 s, tree=50x99 1.00 s: at most 0.4 % apart.");
}

static void one_model_alone_is_told_with_its_time(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 8);
	session.cases = 1;
	expect_of(&session, &three_times,
		  "Threads took 3.00 s (median of 8 trials, 95 % interval 2.97 s to 3.03 s).");
	session.trials = 1;
	expect_of(&session, &three_times, "Threads took 3.00 s (one trial).");
	session.stop_ns = 1000 * MS;
	expect_of(&session, &three_times, "No trial is complete yet.");
}

static void a_model_that_always_fails_is_said_first(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 1);
	session.broken_run = 1;
	session.broken = SAMPLE_FAILED;
	expect_of(&session, (struct figures[]) {even, even},
		  "Processes failed in the only trial: nothing to compare. worker 4 failed.");
	session.broken = SAMPLE_CRASHED;
	session.trials = 4;
	session.stop_ns = 7000 * MS;
	expect_of(&session, (struct figures[]) {even, even},
		  "Processes crashed in the only trial so far: nothing to compare yet. worker 4 "
		  "crashed.");
	/* one failure among several trials is no verdict on the model */
	session.stop_ns = INT64_MAX;
	expect_of(&session, (struct figures[]) {even, even},
		  "Threads 1.00 s, processes 1.01 s so far. Too few trials: --trials 6 is the "
		  "least.");
}

static void a_trial_stopped_from_outside_is_no_failure(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 1);
	session.broken_run = 1;
	session.broken = SAMPLE_INTERRUPTED;
	expect_of(&session, (struct figures[]) {even, even},
		  "No pair of trials was measured: nothing to compare.");
}

static void what_is_not_over_by_now_does_not_count(void **state)
{
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 8);
	synthetic_model(&session, &model);
	set_elapsed(&model, (struct figures[]) {even, slower_by_ten});
	model_seek(&model, model.runs[9].end_ns);
	expect(&model, "Threads 1.00 s, processes 1.10 s: 1.10 times as long so far.");
	model_seek(&model, model.runs[1].end_ns - 1);
	expect(&model, "No pair of trials is complete yet.");
	model_free(&model);
}

static void expect_fewer(const struct figures *figures, const char *in_short, const char *least)
{
	struct synthetic session;
	struct finding_list list;
	struct model model;
	char text[256];

	synthetic_mixed(&session, 8);
	synthetic_add(&session, "hybrid", "", 3000 * MS);
	synthetic_model(&session, &model);
	set_elapsed(&model, figures);
	finding_list_read(&list, &model);
	assert_string_equal(verdict_of(&list, VERDICT_SHORT, text, sizeof(text)), in_short);
	assert_string_equal(verdict_of(&list, VERDICT_LEAST, text, sizeof(text)), least);
	finding_list_free(&list);
	model_free(&model);
}

static void a_short_line_gets_fewer_words(void **state)
{
	expect_fewer(
		(struct figures[]) {three_times, even, slower_by_ten},
		"Processes lead: hybrid takes 1.10 times as long (real), threads 3.0 times (real).",
		"threads slowest, 3.0 times as long");
	expect_fewer((struct figures[]) {three_times, even, even_too},
		     "Threads are slowest, 3.0 times as long as processes (real); processes and "
		     "hybrid cannot be told apart.",
		     "threads slowest, 3.0 times as long");
	expect_fewer((struct figures[]) {even, even_too, even_too}, "At most 0.4 % apart.",
		     "at most 0.4 % apart");
}

static void a_failure_is_not_shortened_away(void **state)
{
	struct synthetic session;
	struct finding_list list;
	struct model model;
	char text[256];

	synthetic_mixed(&session, 1);
	session.broken_run = 0;
	session.broken = SAMPLE_CRASHED;
	synthetic_model(&session, &model);
	finding_list_read(&list, &model);
	assert_string_equal(verdict_of(&list, VERDICT_SHORT, text, sizeof(text)), "");
	assert_string_equal(verdict_of(&list, VERDICT_LEAST, text, sizeof(text)), "");
	finding_list_free(&list);
	model_free(&model);
}

static void a_small_buffer_gets_the_beginning(void **state)
{
	char whole[512], part[512];
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 8);
	synthetic_add(&session, "hybrid", "", 3000 * MS);
	synthetic_model(&session, &model);
	verdict_read(&model, whole, sizeof(whole));
	for (size_t size = 1; size <= strlen(whole) + 1; size++) {
		memset(part, '#', sizeof(part));
		verdict_read(&model, part, size);
		assert_int_equal(strlen(part), size - 1);
		assert_memory_equal(part, whole, size - 1);
		assert_int_equal(part[size], '#');
	}
	model_free(&model);
}

/* Three models at each size; the runner-up alone would say that nobody leads. */
static void of_a_sweep_the_slowest_everywhere_is_named(void **state)
{
	static const char begins[] = "Processes are slowest everywhere, 2.";
	static const char ends[] = " times as long as threads (real at 11 of 11 values of size); "
				   "threads and hybrid:2x4 cannot be told apart. No crossover "
				   "found.";
	struct model_comparison pair;
	struct finding_list list;
	struct synthetic session;
	struct model model;
	char text[VERDICT_TEXT];

	synthetic_hello(&session, 15);
	synthetic_model(&session, &model);
	for (size_t i = 0; i < model.n_runs; i++) {
		struct model_run *run = &model.runs[i];
		struct figures of = run->id.case_id % 3 == 2 ? even_too : even;
		int64_t ms = of.ms[(run->id.trial + 7) % 8];

		run->totals.elapsed_ns = ms * MS * (run->id.case_id % 3 == 1 ? 2 : 1) + MS / 100;
	}
	synthetic_changed(&model);
	verdict_read(&model, text, sizeof(text));
	assert_int_equal(strncmp(text, begins, strlen(begins)), 0);
	assert_non_null(strstr(text, ends));
	finding_list_read(&list, &model);
	assert_int_equal(finding_badge(&list).answer, FINDING_DIFFERS);
	assert_int_equal(finding_pair(&list, &pair), 0);
	assert_string_equal(model.cases[pair.a].model, "threads");
	assert_string_equal(model.cases[pair.b].model, "processes");
	finding_list_free(&list);
	model_free(&model);
}

static void expect_badge(const struct synthetic *session, const struct figures *figures,
			 const char *badge)
{
	char text[VERDICT_BADGE], line[VERDICT_TEXT];
	struct model model;

	synthetic_model(session, &model);
	set_elapsed(&model, figures);
	assert_string_equal(verdict_badge_read(&model, text, sizeof(text)), badge);
	verdict_line(&model, line, sizeof(line));
	assert_int_equal(line[0] == '[', *badge != '\0');
	assert_true(!*badge || strncmp(line + 1, badge, strlen(badge)) == 0);
	model_free(&model);
}

static void a_badge_stands_before_the_sentence(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 8);
	expect_badge(&session, (struct figures[]) {even, slower_by_ten}, "FASTER");
	expect_badge(&session, (struct figures[]) {even, even_too}, "SAME SPEED");
	expect_badge(&session, (struct figures[]) {even, scattered}, "TOO CLOSE");
	session.stop_ns = 30000 * MS;
	expect_badge(&session, (struct figures[]) {even, even_too}, "MEASURING 4/8");
	session.stop_ns = 0;
	expect_badge(&session, (struct figures[]) {even, even_too}, "MEASURING 0/8");
	synthetic_mixed(&session, 4);
	expect_badge(&session, (struct figures[]) {even, three_times}, "WITHHELD");
	session.broken_run = 1;
	session.broken = SAMPLE_CRASHED;
	session.stop_ns = 7000 * MS;
	expect_badge(&session, (struct figures[]) {even, even}, "MEASURING 0/4");
	session.broken_run = SYNTHETIC_NONE;
	session.stop_ns = INT64_MAX;
	session.cases = 1;
	expect_badge(&session, (struct figures[]) {even}, "");
}

/* Of runs of a second, a tick may err by 1 % at their ends. */
static void a_badge_says_that_the_machine_was_busy(void **state)
{
	struct synthetic session;
	struct finding_badge badge = {.answer = FINDING_DIFFERS, .busy = true};
	char text[VERDICT_BADGE];

	synthetic_mixed(&session, 8);
	session.others = 109;
	expect_badge(&session, (struct figures[]) {even, slower_by_ten}, "FASTER");
	session.others = 112;
	expect_badge(&session, (struct figures[]) {even, slower_by_ten},
		     "FASTER, on a busy machine");
	expect_badge(&session, (struct figures[]) {even, even_too},
		     "SAME SPEED, on a busy machine");
	session.stop_ns = 30000 * MS;
	expect_badge(&session, (struct figures[]) {even, even_too},
		     "MEASURING 4/8, on a busy machine");
	assert_string_equal(verdict_badge(&badge, VERDICT_LEAST, text, sizeof(text)),
			    "FASTER, busy");
}

static void a_host_that_withholds_cores_makes_a_busy_machine(void **state)
{
	char text[VERDICT_BADGE];
	struct synthetic session;
	struct model model;

	synthetic_mixed(&session, 8);
	synthetic_model(&session, &model);
	set_elapsed(&model, (struct figures[]) {even, slower_by_ten});
	for (int16_t steal = 20; steal <= 21; steal++) {
		for (size_t i = 0; i < model.n_runs; i++)
			model.runs[i].totals.steal = steal;
		assert_string_equal(verdict_badge_read(&model, text, sizeof(text)),
				    steal == 20 ? "FASTER" : "FASTER, on a busy machine");
	}
	model_free(&model);
}

/* Two figures that only the fourth decimal tells apart; beyond it one stands for both. */
static void an_interval_has_as_many_decimals_as_tell_its_ends_apart(void **state)
{
	static const struct {
		double low, high;
		const char *words;
	} expected[] = {
		{1.51, 1.62, "1.5 to 1.6"},
		{1.511, 1.522, "1.51 to 1.52"},
		{1.5111, 1.5123, "1.511 to 1.512"},
		{1.51111, 1.51122, "1.5 to 1.5"},
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		char text[64];

		assert_string_equal(
			claim_times_interval(text, sizeof(text), expected[i].low, expected[i].high),
			expected[i].words);
	}
}

static void what_is_not_decided_says_how_far_it_is(void **state)
{
	static const struct {
		struct finding_progress progress;
		const char *words;
	} expected[] = {
		{{.pairs = 2, .planned = 5, .least = 6}, "too few trials: --trials 6 is the least"},
		{{.pairs = 6, .planned = 6, .least = 6, .ended = true},
		 "6 of 6 pairs: too few to call it real"},
		{{.pairs = 4, .planned = 6, .least = 6, .stopped = true},
		 "4 of 6 trials: stopped before it was decided"},
		{{.pairs = 4, .planned = 6, .least = 6}, "measuring, 4 of 6 trials"},
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		char text[128];

		assert_string_equal(claim_progress(&expected[i].progress, text, sizeof(text)),
				    expected[i].words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_sweep_the_slowest_everywhere_is_named),
		cmocka_unit_test(a_badge_stands_before_the_sentence),
		cmocka_unit_test(a_badge_says_that_the_machine_was_busy),
		cmocka_unit_test(a_host_that_withholds_cores_makes_a_busy_machine),
		cmocka_unit_test(before_the_first_pair_it_measures),
		cmocka_unit_test(below_six_pairs_nothing_is_real),
		cmocka_unit_test(a_real_difference_is_named_with_its_interval),
		cmocka_unit_test(a_large_difference_is_told_in_times),
		cmocka_unit_test(a_tiny_difference_is_too_little_to_choose_by),
		cmocka_unit_test(what_is_excluded_is_rounded_up_from_the_far_end),
		cmocka_unit_test(no_difference_is_said_as_such),
		cmocka_unit_test(a_model_against_itself_shows_the_noise),
		cmocka_unit_test(three_models_are_led_by_the_fastest),
		cmocka_unit_test(nobody_leads_where_no_difference_is_found),
		cmocka_unit_test(trees_are_told_apart_by_their_shape),
		cmocka_unit_test(one_model_alone_is_told_with_its_time),
		cmocka_unit_test(a_model_that_always_fails_is_said_first),
		cmocka_unit_test(a_trial_stopped_from_outside_is_no_failure),
		cmocka_unit_test(what_is_not_over_by_now_does_not_count),
		cmocka_unit_test(a_short_line_gets_fewer_words),
		cmocka_unit_test(a_failure_is_not_shortened_away),
		cmocka_unit_test(a_small_buffer_gets_the_beginning),
		cmocka_unit_test(an_interval_has_as_many_decimals_as_tell_its_ends_apart),
		cmocka_unit_test(what_is_not_decided_says_how_far_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
