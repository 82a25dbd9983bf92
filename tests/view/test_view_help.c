/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <string.h>

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

/* Two keys a line where there is room, all of them before any prose. */
static void keys_come_first_in_two_columns_where_these_fit(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_key(&stage, '?');
	stage_draw(&stage, 120, 80);
	assert_true(stage_shows(&stage, "Shift drag"));
	assert_true(stage_shows(&stage, "One model: its newest"));
	assert_true(strstr(stage.text, "Shift drag") < strstr(stage.text, "One model: its newest"));
	assert_true(stage_shows(&stage, "Play faster.   "));
	stage_draw(&stage, 64, 20);
	assert_true(stage_shows(&stage, "Play faster.   "));
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

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_help_reads_as_agreed),
		cmocka_unit_test(help_opens_and_escape_closes_it_but_never_more),
		cmocka_unit_test(help_scrolls_to_its_last_line_on_a_small_screen),
		cmocka_unit_test(keys_come_first_in_two_columns_where_these_fit),
		cmocka_unit_test(every_view_has_its_own_help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
