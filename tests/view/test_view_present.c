/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <string.h>
#include <stdlib.h>

#include "experiment/experiment.h"
#include "stage/golden.h"
#include "stage/stage.h"
#include "view/view_cache.h"
#include "view/view.h"
#include "draw/key.h"
#include "draw/snapshot.h"

/* Tests of the large medians, and of the cover of a vote. */

static void medians_are_large_at_every_size(void **state)
{
	struct stage stage;

	(void)state;
	stage_mixed(&stage, 0);
	assert_true(stage_key(&stage, 'p'));
	golden_assert("present-64x20", stage_draw(&stage, 64, 20));
	golden_assert("present-120x36", stage_draw(&stage, 120, 36));
	golden_assert("present-200x50", stage_draw(&stage, 200, 50));
	stage_type(&stage, "p");
	assert_null(strstr(stage.text, "the medians"));
	stage_close(&stage);
}

static void large_digits_of_an_unmeasured_case_are_a_question_mark(void **state)
{
	struct stage stage;

	(void)state;
	stage_mixed(&stage, 1e-9);
	stage_key(&stage, 'p');
	golden_assert("present-none-80x24", stage_draw(&stage, 80, 24));
	stage_close(&stage);
}

/* A lecture uses three rows of the smallest usual screen. */
static void three_models_are_all_large_in_a_scene(void **state)
{
	struct synthetic session;
	struct stage stage;

	(void)state;
	synthetic_mixed(&session, 8);
	synthetic_add(&session, "hybrid:2x4", "", 300000000);
	stage_open(&stage, &session);
	stage.view.state.lecture =
		(struct view_lecture) {.title = "A", .heading = "B", .caption = "C", .scenes = 1};
	stage_type(&stage, "p");
	stage_draw(&stage, 80, 24);
	assert_non_null(strstr(stage.text, "● threads   "));
	assert_non_null(strstr(stage.text, "■ processes   "));
	assert_non_null(strstr(stage.text, "▲ hybrid:2x4   "));
	stage_close(&stage);
}

/* The digits hide the view of the scene, so the audience's way to it must be named. */
static void the_key_that_leaves_large_digits_is_named_in_a_scene(void **state)
{
	static const int widths[] = {80, 100, 120};
	struct stage stage;

	(void)state;
	stage_sweep(&stage, synthetic_scaling, 0);
	stage.view.state.lecture =
		(struct view_lecture) {.title = "A", .heading = "B", .caption = "C", .scenes = 3};
	stage_type(&stage, "p");
	for (int i = 0; i < 3; i++) {
		stage_draw(&stage, widths[i], 24);
		assert_true(stage_shows(&stage, "p View"));
	}
	stage_close(&stage);
}

/* They are the two that the answer names. */
static void of_many_cases_two_are_shown(void **state)
{
	const struct model_comparison *next;
	struct stage stage;

	(void)state;
	stage_sweep(&stage, synthetic_scaling, 0);
	stage_type(&stage, "p");
	next = &stage.view.cache->pair;
	assert_true(stage.view.cache->has_pair);
	assert_non_null(strstr(stage.text, MODEL_CASE_NAME(&stage.model, next->a)));
	assert_non_null(strstr(stage.text, MODEL_CASE_NAME(&stage.model, next->b)));
	stage_close(&stage);
}

/* Processes differ most from threads, but the sentence names events. */
static void the_fastest_is_one_of_the_two_that_are_shown(void **state)
{
	struct synthetic session;
	struct stage stage;

	(void)state;
	synthetic_mixed(&session, 12);
	session.span_ns[1] = 9 * session.span_ns[0];
	synthetic_add(&session, "events", "", session.span_ns[0] / 2);
	stage_open(&stage, &session);
	stage_type(&stage, "p");
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "events is fastest"));
	assert_int_equal(stage.view.cache->pair.a, 0);
	assert_int_equal(stage.view.cache->pair.b, 2);
	assert_false(stage_shows(&stage, "the medians, "));
	stage_draw(&stage, 80, 16);
	assert_true(stage_shows(&stage, "the medians, 2 of 3"));
	assert_true(stage_shows(&stage, "▼ events "));
	assert_true(stage_shows(&stage, "● threads "));
	stage_close(&stage);
}

/* The signs of the view below are not on the screen. */
static void large_digits_have_no_legend(void **state)
{
	struct stage stage;

	(void)state;
	stage_sweep(&stage, synthetic_creation, 0);
	stage_type(&stage, "5");
	assert_true(stage_shows(&stage, "per pair"));
	stage_type(&stage, "p");
	assert_false(stage_shows(&stage, "per pair"));
	stage_close(&stage);
}

static void a_view_by_number_and_escape_leave(void **state)
{
	struct stage stage;

	(void)state;
	stage_mixed(&stage, 0);
	stage_key(&stage, 'p');
	stage_key(&stage, '4');
	assert_false(stage.view.state.present);
	stage_key(&stage, 'p');
	stage_key(&stage, KEY_ESCAPE);
	assert_false(stage.view.state.present);
	stage_close(&stage);
}

static void assert_covered(struct stage *stage, int w, int h)
{
	for (int key = '1'; key <= '6'; key++) {
		stage_key(stage, key);
		stage_draw(stage, w, h);
		if (w < 40 || h < 12)
			continue;
		assert_non_null(strstr(stage->text, "Which will be faster?"));
		assert_null(strstr(stage->text, "within"));
		assert_null(strstr(stage->text, "plays trial"));
		assert_null(strstr(stage->text, "slowed"));
		assert_null(strstr(stage->text, "2Time"));
		assert_null(strstr(stage->text, " ms"));
		assert_null(strstr(stage->text, "faster ▸"));
	}
}

static void a_vote_covers_every_sign_of_the_answer(void **state)
{
	struct stage stage;

	(void)state;
	stage_mixed(&stage, 0);
	stage.view.state.clock.shown = true;
	stage.view.state.race = (struct view_race) {
		.trial = {.first = 0, .end = 2, .number = 1}, .length_ns = 9, .slower = 20};
	assert_true(stage_key(&stage, 'v'));
	golden_assert("vote-80x24", stage_draw(&stage, 80, 24));
	/* The keys on the card are Space and v. */
	stage.view.state.live = true;
	stage_draw(&stage, 80, 24);
	assert_false(stage_shows(&stage, "q quits"));
	stage.view.state.live = false;
	golden_assert("vote-40x12", stage_draw(&stage, 40, 12));
	stage_each_size(&stage, assert_covered);
	stage_type(&stage, "v");
	assert_non_null(strstr(stage.text, "within"));
	stage_close(&stage);
}

static void a_vote_of_three_asks_which_is_fastest(void **state)
{
	struct synthetic session;
	struct stage stage;

	(void)state;
	synthetic_mixed(&session, 6);
	synthetic_add(&session, "events", "", session.span_ns[0]);
	stage_open(&stage, &session);
	stage_type(&stage, "v");
	assert_true(stage_shows(&stage, "Which will be fastest?"));
	stage_close(&stage);
}

/* Also before the first run. With faults, no times are compared. */
static void a_vote_asks_what_the_experiment_compares(void **state)
{
	const struct experiment_kind *kind = experiment_find("crash");
	struct stage stage;

	stage_mixed(&stage, 0.01);
	stage.view.state.ballot = kind->ballot;
	stage_key(&stage, 'v');
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "How many workers survive?"));
	assert_false(stage_shows(&stage, "faster"));
	stage_close(&stage);
}

/* Users vote on models, not on the value that is being measured. */
static void a_sweeps_ballots_are_its_models(void **state)
{
	struct stage stage;

	(void)state;
	stage_sweep(&stage, synthetic_scaling, 0);
	stage_key(&stage, 'v');
	stage_draw(&stage, 80, 24);
	assert_non_null(strstr(stage.text, "workers 2 to 8"));
	assert_non_null(strstr(stage.text, "● t h r e a d s "));
	assert_null(strstr(stage.text, "workers="));
	stage_close(&stage);
}

/* Makes the session of two models, or of threads alone, each with two ways to count. */
static void share_session(struct synthetic *session, bool both)
{
	static const char *const ways[] = {"mutex", "atomic", "line"};
	struct sample_case *first = &session->list[0];

	synthetic_scaling(session, 6);
	first->plan.leaves[WORK_SHARE] = 1;
	session->cases = 1;
	synthetic_vary(&first->variables, "via=%s", ways[0]);
	for (int i = 0; i < 3; i++) {
		char variables[32];

		snprintf(variables, sizeof(variables), "via=%s", ways[i]);
		if (i > 0)
			synthetic_add(session, "threads", variables, 100000000 + 50000000 * i);
		if (both)
			synthetic_add(session, "processes", variables, 100000000);
	}
}

/* The candidates must not change with the run that is running. */
static void the_candidates_of_a_vote_are_fixed(void **state)
{
	static const double stops[] = {1e-9, 0.15, 0.35, 0.6, 0.9, 1.3, 0};
	struct synthetic session;
	struct stage stage;

	(void)state;
	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++) {
		for (int both = 0; both < 2; both++) {
			share_session(&session, both);
			if (stops[i] > 0)
				session.stop_ns = (int64_t)(stops[i] * 1e9);
			stage_open(&stage, &session);
			stage_type(&stage, "v");
			assert_int_equal(stage_shows(&stage, "v i a = m u t e x"), !both);
			assert_int_equal(stage_shows(&stage, "v i a = a t o m i c"), !both);
			assert_int_equal(stage_shows(&stage, "v i a = l i n e"), !both);
			assert_int_equal(stage_shows(&stage, "Which will be fastest?"), !both);
			assert_int_equal(stage_shows(&stage, "t h r e a d s"), both);
			assert_int_equal(stage_shows(&stage, "p r o c e s s e s"), both);
			assert_int_equal(stage_shows(&stage, "via mutex, atomic, line"), both);
			stage_close(&stage);
		}
	}
}

static void a_reveal_shows_the_candidates_of_the_vote(void **state)
{
	static const double stops[] = {0.15, 0.35, 0.6, 0.9, 1.3, 0};
	struct synthetic session;
	struct stage stage;

	(void)state;
	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++) {
		share_session(&session, false);
		if (stops[i] > 0)
			session.stop_ns = (int64_t)(stops[i] * 1e9);
		stage_open(&stage, &session);
		stage_type(&stage, "p");
		assert_true(stage_shows(&stage, "● threads via=mutex "));
		assert_true(stage_shows(&stage, "● threads via=atomic "));
		assert_true(stage_shows(&stage, "● threads via=line "));
		stage_close(&stage);
	}
}

/* All models at the same value. */
static void a_reveal_of_a_sweep_stays_at_one_value(void **state)
{
	struct stage stage;

	(void)state;
	for (double stop = 0.5; stop < 6; stop += 0.5) {
		stage_sweep(&stage, synthetic_scaling, stop);
		stage_type(&stage, "p");
		assert_true(stage_shows(&stage, "● threads workers=8 "));
		assert_true(stage_shows(&stage, "■ processes workers=8 "));
		stage_close(&stage);
	}
}

static void a_card_names_how_many_candidates_do_not_fit(void **state)
{
	struct synthetic session;
	struct stage stage;

	(void)state;
	synthetic_mixed(&session, 6);
	for (int i = 1; i < 12; i++) {
		char model[16];

		snprintf(model, sizeof(model), "hybrid:%dx2", i);
		synthetic_add(&session, model, "", 300000000);
	}
	stage_open(&stage, &session);
	stage_key(&stage, 'v');
	stage_draw(&stage, 80, 16);
	assert_true(stage_shows(&stage, " more "));
	stage_draw(&stage, 80, 36);
	assert_false(stage_shows(&stage, " more "));
	stage_close(&stage);
}

/* Two questions on one screen would contradict each other. */
static void a_card_leaves_the_question_to_a_caption_that_asks(void **state)
{
	struct stage stage;

	(void)state;
	stage_mixed(&stage, 0);
	stage.view.state.lecture =
		(struct view_lecture) {.title = "A", .heading = "B", .caption = "C", .scenes = 1};
	stage_type(&stage, "v");
	assert_true(stage_shows(&stage, "Which will be faster?"));
	stage.view.state.lecture.caption = "How many?";
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, "Which will be faster?"));
	assert_true(stage_shows(&stage, "How many?"));
	stage_close(&stage);
}

/* The digits are shown when the bars have their full length. */
static void bars_run_out(void **state)
{
	struct stage stage;

	(void)state;
	stage_mixed(&stage, 0);
	stage_key(&stage, 'p');
	stage.view.state.hidden = 0.5;
	golden_assert("present-half-80x24", stage_draw(&stage, 80, 24));
	assert_null(strstr(stage.text, "within"));
	assert_null(strstr(stage.text, "[SAME SPEED]"));
	stage_close(&stage);
}

/* Returns the text of the panel. The caller frees it. */
static char *panel_of(struct stage *stage, const char *named)
{
	struct canvas canvas = {0};
	char name[VIEW_PANEL_NAME], *text;

	assert_int_equal(canvas_resize(&canvas, SNAPSHOT_SLIDE_W, SNAPSHOT_SLIDE_H), 0);
	assert_string_equal(view_panel(&canvas, &stage->model, &stage->view, name), named);
	text = canvas_to_text(&canvas);
	canvas_free(&canvas);
	return text;
}

/* Checks that a slide has what it needs, and no hint at a key. */
static void assert_slide(const char *text, const char *answer)
{
	assert_non_null(strstr(text, answer));
	assert_non_null(strstr(text, "AMD EPYC 7B13, "));
	assert_non_null(strstr(text, "tuibench"));
	assert_null(strstr(text, "Quit"));
	assert_null(strstr(text, "m: another"));
	assert_null(strstr(text, "user"));
}

static void each_view_stands_alone(void **state)
{
	static const struct {
		int key;
		const char *name;
	} views[] = {{'1', "overview"}, {'2', "timeline"}, {'3', "memory"}, {'4', "results"}};
	struct stage stage;
	char golden[32], *text;

	stage_mixed(&stage, 0);
	stage.view.state.captions = VIEW_CAPTIONS_ON;
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		stage_draw(&stage, 120, 36);
		stage_key(&stage, views[i].key);
		text = panel_of(&stage, views[i].name);
		assert_slide(text,
			     views[i].key == '3' ? "[REAL] Median memory (PSS+kernel)" : "within");
		snprintf(golden, sizeof(golden), "panel-%s", views[i].name);
		golden_assert(golden, text);
		free(text);
	}
	stage_close(&stage);
}

static void a_slide_of_large_digits_or_a_vote_shows_these(void **state)
{
	struct stage stage;
	char *text;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 120, 36);
	stage_key(&stage, 'p');
	text = panel_of(&stage, "medians");
	assert_slide(text, "within");
	free(text);
	stage_key(&stage, 'v');
	text = panel_of(&stage, "vote");
	assert_null(strstr(text, "within"));
	free(text);
	stage_close(&stage);
}

/* Keys and clicks act on the screen as it was drawn. */
static void the_screen_stays(void **state)
{
	struct stage stage;
	struct view_shown shown;
	struct view_state before;
	char *text;

	stage_mixed(&stage, 0);
	stage_draw(&stage, 120, 36);
	stage_key(&stage, '?');
	text = strdup(stage_draw(&stage, 120, 36));
	shown = stage.view.shown;
	before = stage.view.state;
	free(panel_of(&stage, "overview"));
	assert_memory_equal(&shown, &stage.view.shown, sizeof(shown));
	assert_memory_equal(&before, &stage.view.state, sizeof(before));
	assert_string_equal(stage_draw(&stage, 120, 36), text);
	free(text);
	stage_close(&stage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(medians_are_large_at_every_size),
		cmocka_unit_test(large_digits_of_an_unmeasured_case_are_a_question_mark),
		cmocka_unit_test(three_models_are_all_large_in_a_scene),
		cmocka_unit_test(the_key_that_leaves_large_digits_is_named_in_a_scene),
		cmocka_unit_test(of_many_cases_two_are_shown),
		cmocka_unit_test(the_fastest_is_one_of_the_two_that_are_shown),
		cmocka_unit_test(large_digits_have_no_legend),
		cmocka_unit_test(a_vote_of_three_asks_which_is_fastest),
		cmocka_unit_test(a_view_by_number_and_escape_leave),
		cmocka_unit_test(a_vote_covers_every_sign_of_the_answer),
		cmocka_unit_test(a_vote_asks_what_the_experiment_compares),
		cmocka_unit_test(a_sweeps_ballots_are_its_models),
		cmocka_unit_test(the_candidates_of_a_vote_are_fixed),
		cmocka_unit_test(a_reveal_shows_the_candidates_of_the_vote),
		cmocka_unit_test(a_reveal_of_a_sweep_stays_at_one_value),
		cmocka_unit_test(a_card_names_how_many_candidates_do_not_fit),
		cmocka_unit_test(a_card_leaves_the_question_to_a_caption_that_asks),
		cmocka_unit_test(bars_run_out),
		cmocka_unit_test(each_view_stands_alone),
		cmocka_unit_test(a_slide_of_large_digits_or_a_vote_shows_these),
		cmocka_unit_test(the_screen_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
