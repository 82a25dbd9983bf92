/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <stdio.h>
#include <string.h>

#include "stage/golden.h"
#include "stage/stage.h"

/* Messages. */

static void messages_read_as_agreed(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	assert_true(stage_key(&stage, '6'));
	golden_assert("messages-120x36", stage_draw(&stage, 120, 36));
	golden_assert("messages-80x24", stage_draw(&stage, 80, 24));
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
	stage_key(&stage, '6');
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "a sample was lost: odd (12 times)"));
	assert_true(stage_shows(&stage, "another"));
	assert_null(strstr(strstr(stage.text, "was lost") + 1, "was lost"));
	stage_close(&stage);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(repeated_messages_are_counted),
		cmocka_unit_test(messages_read_as_agreed),
		cmocka_unit_test(a_warning_is_marked_and_stands_with_the_messages),
		cmocka_unit_test(messages_scroll_from_the_newest_to_the_oldest),
		cmocka_unit_test(an_advice_on_stacks_is_known_by_its_kind_and_not_by_its_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
