/* SPDX-License-Identifier: MIT */
#include "draw/text.h"

#include <stdlib.h>

#include "stage/check.h"

static void assert_drawn(const char *text, int scale, const char *expected)
{
	struct canvas canvas = {0};
	char *drawn;

	assert_int_equal(canvas_resize(&canvas, digits_columns(text, scale), digits_rows(scale)),
			 0);
	assert_int_equal(digits_draw(&canvas, 0, 0, scale, STYLE(COLOUR_DEFAULT), text),
			 canvas.width);
	drawn = canvas_to_text(&canvas);
	assert_string_equal(drawn, expected);
	free(drawn);
	canvas_free(&canvas);
}

static void digits_are_three_rows_high(void **state)
{
	assert_drawn("0123456789", 1,
		     "█▀█ ▄█  ▀▀█ ▀▀█ █ █ █▀▀ █▀▀ ▀▀█ █▀█ █▀█\n"
		     "█ █  █  █▀▀ ▀▀█ ▀▀█ ▀▀█ █▀█   █ █▀█ ▀▀█\n"
		     "▀▀▀ ▀▀▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀\n");
	assert_drawn("1:2.3", 1,
		     "▄█  ▄ ▀▀█   ▀▀█\n"
		     " █  ▄ █▀▀   ▀▀█\n"
		     "▀▀▀   ▀▀▀ ▀ ▀▀▀\n");
}

static void unknown_digits_are_a_question_mark(void **state)
{
	assert_drawn("?", 1, "▀▀█\n ▀▀\n ▀\n");
}

static void twice_the_scale_is_five_rows(void **state)
{
	assert_int_equal(digits_rows(2), 5);
	assert_drawn("7", 2, "██████\n    ██\n    ██\n    ██\n    ██\n");
}

static void nothing_takes_no_room(void **state)
{
	assert_int_equal(digits_columns("", 3), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digits_are_three_rows_high),
		cmocka_unit_test(unknown_digits_are_a_question_mark),
		cmocka_unit_test(twice_the_scale_is_five_rows),
		cmocka_unit_test(nothing_takes_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
