/* SPDX-License-Identifier: MIT */
#include "draw/key.h"
#include "stage/check.h"

#include <string.h>
#include <stdio.h>

#include "stage/golden.h"
#include "stage/stage.h"

/* The help, alone and over a view. */

static void the_help_reads_as_agreed(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	assert_true(stage_key(&stage, '?'));
	golden_assert("help-120x60", stage_draw(&stage, 120, 60));
	stage_close(&stage);
}

static void help_opens_and_escape_closes_it_but_never_more(void **state)
{
	static const int keys[] = {'?', 'h', KEY_F1};
	struct stage stage;

	stage_mixed(&stage, 0);
	for (size_t i = 0; i < 3; i++) {
		assert_true(stage_key(&stage, keys[i]));
		assert_true(stage.view.state.help);
		assert_true(stage_key(&stage, KEY_ESCAPE));
		assert_false(stage.view.state.help);
		assert_true(stage_key(&stage, keys[i]));
		assert_true(stage_key(&stage, keys[i]));
		assert_false(stage.view.state.help);
	}
	assert_false(stage_key(&stage, KEY_ESCAPE));
	assert_false(stage_key(&stage, 'q'));
	assert_false(stage_key(&stage, ' '));
	stage_close(&stage);
}

static void help_scrolls_to_its_last_line_on_a_small_screen(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_key(&stage, '?');
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "Quit and print the answer."));
	assert_false(stage_shows(&stage, "Scroll."));
	stage_key(&stage, KEY_END_KEY);
	stage_draw(&stage, 80, 24);
	assert_false(stage_shows(&stage, "Quit and print the answer."));
	assert_true(stage_shows(&stage, "Scroll."));
	stage_close(&stage);
}

/* Two keys in a line if there is room, and all of them before any text. */
static void keys_come_first_in_two_columns_where_these_fit(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_key(&stage, '?');
	stage_draw(&stage, 120, 80);
	assert_true(stage_shows(&stage, "Shift drag"));
	assert_true(stage_shows(&stage, "All models of one trial, played again"));
	assert_true(strstr(stage.text, "Shift drag") <
		    strstr(stage.text, "All models of one trial, played again"));
	assert_true(stage_shows(&stage, "Play the previous or the next trial."));
	stage_draw(&stage, 64, 20);
	assert_true(stage_shows(&stage, "Play the previous or the next trial."));
	assert_false(stage_shows(&stage, "Shift drag"));
	stage_close(&stage);
}

static void every_view_has_its_own_help(void **state)
{
	static const struct {
		int key;
		const char *title;
	} views[] = {{'1', "Overview"}, {'3', "gap"}, {'4', "One trial"}, {'6', "A warning"}};
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_key(&stage, '?');
	for (size_t i = 0; i < 4; i++) {
		stage_key(&stage, views[i].key);
		stage_draw(&stage, 120, 140);
		assert_non_null(strstr(stage.text, views[i].title));
		assert_non_null(strstr(stage.text, "eight times: too much"));
	}
	stage_close(&stage);
}

/* Goldens of the Messages view. */

static void messages_read_as_agreed(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	assert_true(stage_key(&stage, '6'));
	golden_assert("messages-120x36", stage_draw(&stage, 120, 36));
	golden_assert("messages-80x24", stage_draw(&stage, 80, 24));
	stage_close(&stage);
}

/* A warning in one line is a whole sentence, and its number is that of the top line. */
static void a_warning_that_is_too_wide_stays_a_sentence(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 6);
	session.others = 230;
	stage_open(&stage, &session);
	for (int w = 80; w <= 200; w += 20) {
		stage_draw(&stage, w, 24);
		assert_true(stage_shows(&stage, "Warning: other programs "));
		assert_true(stage_shows(&stage, "used 23 % of the cores"));
	}
	stage_close(&stage);
	stage_open(&stage, &session);
	for (size_t i = 0; i < stage.model.n_runs; i++)
		if (stage.model.runs[i].id.trial <= 2)
			stage.model.runs[i].replaced_ns = stage.model.runs[i].end_ns;
	synthetic_changed(&stage.model);
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "! 2 warnings"));
	assert_true(stage_shows(&stage, "Warning 1 of 2: "));
	assert_false(stage_shows(&stage, "because…"));
	/* While a session runs, a warning may be withdrawn, so they are not counted. */
	stage.model.done = false;
	synthetic_changed(&stage.model);
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "! warnings"));
	assert_false(stage_shows(&stage, "Warning 1 of 2: "));
	stage_close(&stage);
}

static void a_warning_is_marked_and_stands_with_the_messages(void **state)
{
	struct synthetic session;
	struct stage stage;

	synthetic_mixed(&session, 6);
	session.others = 230;
	stage_open(&stage, &session);
	golden_assert("warned-120x36", stage_draw(&stage, 120, 36));
	golden_assert("warned-80x24", stage_draw(&stage, 80, 24));
	assert_true(stage_key(&stage, '6'));
	golden_assert("warnings-120x36", stage_draw(&stage, 120, 36));
	golden_assert("warnings-80x24", stage_draw(&stage, 80, 24));
	model_seek(&stage.model, 1);
	assert_null(strstr(stage_draw(&stage, 120, 36), "other programs"));
	stage_close(&stage);
}

static void messages_scroll_from_the_newest_to_the_oldest(void **state)
{
	struct synthetic session;
	struct stage stage;
	struct sample sample = {.kind = SAMPLE_MESSAGE};

	synthetic_mixed(&session, 1);
	stage_open(&stage, &session);
	sample.time_ns = stage.model.newest_ns;
	for (int i = 0; i < 100; i++) {
		sample.message.severity = i % 3;
		snprintf(sample.message.text, sizeof(sample.message.text), "message no. %d.", i);
		assert_int_equal(model_apply(&stage.model, &sample), 0);
	}
	stage_key(&stage, '6');
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "no. 99."));
	assert_null(strstr(stage.text, "no. 5."));
	stage_key(&stage, KEY_PAGE_UP);
	assert_null(strstr(stage_draw(&stage, 80, 24), "no. 99."));
	stage_key(&stage, KEY_END_KEY);
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "no. 99."));
	stage_close(&stage);
}

static void an_advice_on_stacks_is_known_by_its_kind_and_not_by_its_words(void **state)
{
	static const char hint[] = "Why? The threads' stacks may be the reason: see 6.";
	struct stage stage;

	stage_tree(&stage);
	stage_tell(&stage, MESSAGE_OTHER, "-s stack=default,16K");
	stage_draw(&stage, 160, 40);
	assert_false(stage_shows(&stage, hint));
	stage_tell(&stage, MESSAGE_STACKS, "other stacks may do");
	stage_draw(&stage, 160, 40);
	assert_true(stage_shows(&stage, hint));
	stage_draw(&stage, 64, 20);
	assert_true(stage_shows(&stage, hint));
	stage_close(&stage);
}

static void repeated_messages_are_counted(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	for (int i = 0; i < 12; i++)
		stage_tell(&stage, MESSAGE_OTHER, "a sample was lost: odd");
	stage_tell(&stage, MESSAGE_OTHER, "another");
	stage_type(&stage, "6");
	assert_true(stage_shows(&stage, "a sample was lost: odd (12 times)"));
	assert_true(stage_shows(&stage, "another"));
	assert_null(strstr(strstr(stage.text, "was lost") + 1, "was lost"));
	stage_close(&stage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_help_reads_as_agreed),
		cmocka_unit_test(help_opens_and_escape_closes_it_but_never_more),
		cmocka_unit_test(help_scrolls_to_its_last_line_on_a_small_screen),
		cmocka_unit_test(keys_come_first_in_two_columns_where_these_fit),
		cmocka_unit_test(every_view_has_its_own_help),
		cmocka_unit_test(repeated_messages_are_counted),
		cmocka_unit_test(messages_read_as_agreed),
		cmocka_unit_test(a_warning_that_is_too_wide_stays_a_sentence),
		cmocka_unit_test(a_warning_is_marked_and_stands_with_the_messages),
		cmocka_unit_test(messages_scroll_from_the_newest_to_the_oldest),
		cmocka_unit_test(an_advice_on_stacks_is_known_by_its_kind_and_not_by_its_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
