/* SPDX-License-Identifier: MIT */
#include "stage/check.h"
#include "stage/golden.h"

#include <math.h>
#include <string.h>
#include <stdlib.h>

#include "draw/plot.h"
#include "draw/text.h"

static const struct style plain = {0};

static struct canvas blank(int width, int height)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, width, height), 0);
	return canvas;
}

static void a_scale_ends_at_a_round_number_that_is_not_far(void **state)
{
	for (double value = 1e-9; value < 1e12; value *= 1.07) {
		double end = plot_nice(value);

		assert_true(end >= value * (1 - 1e-6));
		assert_true(end <= value * 1.2);
	}
	assert_float_equal(plot_nice(3), 3.2, 1e-9);
	assert_float_equal(plot_nice(4), 4, 1e-9);
}

static void sizes_end_at_powers_of_two_and_halves_between(void **state)
{
	assert_int_equal(plot_nice_kib(0), 4);
	assert_int_equal(plot_nice_kib(4), 4);
	assert_int_equal(plot_nice_kib(5), 6);
	assert_int_equal(plot_nice_kib(1000), 1024);
	assert_int_equal(plot_nice_kib(1025), 1536);
	assert_true(plot_nice_kib(INT64_MAX) > 0);
}

static void ticks_are_no_more_than_asked_for(void **state)
{
	assert_float_equal(plot_step(3, 4), 1, 1e-9);
	assert_float_equal(plot_step(4, 4), 1, 1e-9);
	assert_float_equal(plot_step(4.1, 4), 2, 1e-9);
	assert_float_equal(plot_step(1, 0), 1, 1e-9);
	/* A short axis of two steps has to end at 60 for 54, not at 100. */
	assert_float_equal(plot_step(54, 2), 50, 1e-9);
	assert_float_equal(scale_step(54, 2), 30, 1e-9);
}

static void labels_stand_at_their_times_and_the_last_names_the_unit(void **state)
{
	struct plot_axis axis = {.from_ns = 0, .to_ns = 3000000000, .x = 2, .w = 30};
	struct canvas canvas = blank(36, 1);

	plot_time_labels(&canvas, &axis, 0, plain);
	golden_shows(&canvas, "  0         1         2 s\n");
	canvas_free(&canvas);
}

static void a_mark_on_the_axis_makes_the_label_there_bright(void **state)
{
	const struct plot_axis axis = {.from_ns = 0, .to_ns = 3000000000, .x = 2, .w = 30};
	const struct style bright = STYLE_BOLD(COLOUR_TITLE);
	struct canvas canvas = blank(36, 1);

	assert_true(plot_time_labels_marked(&canvas, &axis, 0, plain, 12, bright));
	golden_shows(&canvas, "  0         1         2 s\n");
	assert_int_equal(canvas.cells[12].style.fg, COLOUR_TITLE);
	assert_int_equal(canvas.cells[2].style.fg, plain.fg);
	assert_int_equal(canvas.cells[22].style.fg, plain.fg);
	assert_false(plot_time_labels_marked(&canvas, &axis, 0, plain, 13, bright));
	assert_false(plot_time_labels_marked(&canvas, &axis, 0, plain, -1, bright));
	canvas_free(&canvas);
}

static void labels_of_short_times_are_in_short_units(void **state)
{
	struct plot_axis axis = {.from_ns = 0, .to_ns = 400000000, .x = 0, .w = 40};
	struct canvas canvas = blank(40, 1);

	plot_time_labels(&canvas, &axis, 0, plain);
	golden_shows(&canvas, "0         100       200       300 ms\n");
	canvas_free(&canvas);
}

static void a_narrow_axis_has_two_labels_that_tell_its_scale(void **state)
{
	struct plot_axis axis = {.from_ns = 0, .to_ns = 550000000, .x = 0, .w = 17};
	struct canvas canvas = blank(20, 1);

	plot_time_labels(&canvas, &axis, 0, plain);
	golden_shows(&canvas, "0     200 ms\n");
	canvas_free(&canvas);
	canvas = blank(20, 1);
	axis.w = 10;
	plot_time_labels(&canvas, &axis, 0, plain);
	golden_shows(&canvas, "0  200 ms\n");
	canvas_free(&canvas);
}

static void the_least_value_above_nothing_is_seen(void **state)
{
	static const double y[] = {0.001, 0};
	struct canvas canvas = blank(1, 1);

	plot_area(&canvas, (struct rect) {0, 0, 1, 1}, y, 1000, plain);
	golden_shows(&canvas, "▁\n");
	canvas_free(&canvas);
}

static void an_area_is_solid_to_an_eighth(void **state)
{
	static const double y[] = {0.25, 0.25, 1, 0.5, NAN, 1.5, 2, 2};
	struct canvas canvas = blank(4, 2);

	plot_area(&canvas, (struct rect) {0, 0, 4, 2}, y, 2, plain);
	golden_shows(&canvas, "  ▄█\n▂███\n");
	canvas_free(&canvas);
}

/* A line is two dots thick; a cell is four dots high. */
static void a_line_joins_its_steps_and_breaks_at_gaps(void **state)
{
	static const double y[] = {1, 1, 4, 4, NAN, NAN, 4, 2};
	struct canvas canvas = blank(4, 2);

	plot_line(&canvas, (struct rect) {0, 0, 4, 2}, y, 4, plain);
	golden_shows(&canvas, " ⡟ ⢳\n⣤⠃ ⠘\n");
	canvas_free(&canvas);
}

/*
 * All dots are drawn. Where two lines share cells, each line has some of the cells in its colour.
 */
static void lines_that_meet_in_a_cell_are_both_seen(void **state)
{
	static const double low[] = {2, 2, 2, 2}, high[] = {4, 4, 4, 4};
	const struct style one = STYLE(COLOUR_MODEL0), other = STYLE(COLOUR_MODEL1);
	const struct rect rect = {0, 0, 2, 1};

	for (int same = 0; same <= 1; same++) {
		struct canvas canvas = blank(2, 1);

		plot_line(&canvas, rect, low, 4, one);
		golden_shows(&canvas, "⣤⣤\n");
		assert_int_equal(canvas.cells[0].style.fg, COLOUR_MODEL0);
		assert_int_equal(canvas.cells[1].style.fg, COLOUR_MODEL0);
		plot_line(&canvas, rect, same ? low : high, 4, other);
		golden_shows(&canvas, same ? "⣤⣤\n" : "⣿⣿\n");
		assert_int_equal(canvas.cells[0].style.fg, COLOUR_MODEL1);
		assert_int_equal(canvas.cells[1].style.fg, COLOUR_MODEL0);
		canvas_free(&canvas);
	}
}

static void a_line_replaces_what_is_no_line(void **state)
{
	static const double low[] = {1, 1};
	struct canvas canvas = blank(1, 1);

	canvas_put(&canvas, 0, 0, 0xb7, STYLE(COLOUR_BORDER));
	plot_line(&canvas, (struct rect) {0, 0, 1, 1}, low, 4, STYLE(COLOUR_MODEL1));
	golden_shows(&canvas, "⣀\n");
	assert_int_equal(canvas.cells->style.fg, COLOUR_MODEL1);
	canvas_free(&canvas);
}

/* A cell of eighths, written as text: a, b, c are colours, '.' is none. */
static struct cell split_of(const char *text, uint8_t ground)
{
	uint8_t eighths[PLOT_EIGHTHS];

	for (int i = 0; i < PLOT_EIGHTHS; i++)
		eighths[i] = text[i] == '.' ? (uint8_t)COLOUR_DEFAULT
					    : (uint8_t)(COLOUR_WORKER0 + text[i] - 'a');
	return plot_split(eighths, ground);
}

static void a_cell_is_split_where_its_colours_meet(void **state)
{
	static const struct {
		const char *eighths;
		uint32_t glyph;
		uint8_t fg, bg;
		bool reverse;
	} cells[] = {
		{"........", 0, COLOUR_DEFAULT, COLOUR_PANEL, false},
		{"aaaaaaaa", 0x2588, COLOUR_WORKER0, COLOUR_PANEL, false},
		{"aaa.....", 0x258d, COLOUR_WORKER0, COLOUR_PANEL, false},
		{"a.......", 0x258f, COLOUR_WORKER0, COLOUR_PANEL, false},
		{".....bbb", 0x258b, COLOUR_WORKER1, COLOUR_PANEL, true},
		{".......b", 0x2589, COLOUR_WORKER1, COLOUR_PANEL, true},
		{"aaaaabbb", 0x258b, COLOUR_WORKER0, COLOUR_WORKER1, false},
		{"abbbbbbb", 0x258f, COLOUR_WORKER0, COLOUR_WORKER1, false},
		/* of three, the two with the largest parts */
		{"aaaacbbb", 0x258b, COLOUR_WORKER0, COLOUR_WORKER1, false},
		/* a short mark in the middle is drawn, on the nearer side */
		{"..a.....", 0x258f, COLOUR_WORKER0, COLOUR_PANEL, false},
		{".....aa.", 0x258b, COLOUR_WORKER0, COLOUR_PANEL, true},
	};

	for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++) {
		const struct cell cell = split_of(cells[i].eighths, COLOUR_PANEL);

		if (cell.glyph != cells[i].glyph)
			print_message("%s\n", cells[i].eighths);
		assert_int_equal(cell.glyph, cells[i].glyph);
		assert_int_equal(cell.style.bg, cells[i].bg);
		if (cell.glyph == 0)
			continue;
		assert_int_equal(cell.style.fg, cells[i].fg);
		assert_int_equal((cell.style.attr & ATTR_REVERSE) != 0, cells[i].reverse);
	}
}

/* The part has any place and any length from an eighth of a cell on. */
static void whoever_had_a_part_of_a_cell_alone_is_seen(void **state)
{
	for (int from = 0; from < PLOT_EIGHTHS; from++)
		for (int to = from + 1; to <= PLOT_EIGHTHS; to++) {
			char eighths[] = "........";
			struct cell cell;

			memset(eighths + from, 'c', (size_t)(to - from));
			cell = split_of(eighths, COLOUR_DEFAULT);
			assert_in_range(cell.glyph, 0x2588, 0x258f);
			assert_int_equal(cell.style.fg, COLOUR_WORKER2);
		}
}

static void workers_have_eight_colours_that_begin_again(void **state)
{
	assert_int_equal(plot_worker_colour(0), COLOUR_WORKER0);
	assert_int_equal(plot_worker_colour(7), COLOUR_WORKER7);
	assert_int_equal(plot_worker_colour(8), COLOUR_WORKER0);
	assert_int_equal(plot_worker_colour(UINT32_MAX), COLOUR_WORKER7);
}

static void a_stack_shows_two_parts_in_a_cell(void **state)
{
	const struct plot_part parts[] = {{0.75, 0x2588, COLOUR_USER},
					  {0.25, 0x2593, COLOUR_SYSTEM}};
	struct canvas canvas = blank(1, 2);

	plot_stack(&canvas, (struct rect) {0, 0, 1, 2}, 0, parts, 2);
	golden_shows(&canvas, "▄\n█\n");
	assert_int_equal(canvas.cells[0].style.fg, COLOUR_USER);
	assert_int_equal(canvas.cells[0].style.bg, COLOUR_SYSTEM);
	canvas_free(&canvas);
}

static void a_part_that_fills_a_cell_has_its_own_glyph(void **state)
{
	const struct plot_part parts[] = {{0.5, 0x2588, COLOUR_USER}, {0.5, 0x2593, COLOUR_SYSTEM}};
	struct canvas canvas = blank(1, 2);

	plot_stack(&canvas, (struct rect) {0, 0, 1, 2}, 0, parts, 2);
	golden_shows(&canvas, "▓\n█\n");
	canvas_free(&canvas);
}

static void a_stack_beyond_the_whole_stays_within_its_rectangle(void **state)
{
	const struct plot_part parts[] = {{2, 0x2588, COLOUR_USER}, {1, 0x2593, COLOUR_SYSTEM}};
	struct canvas canvas = blank(1, 3);

	plot_stack(&canvas, (struct rect) {0, 1, 1, 1}, 0, parts, 2);
	golden_shows(&canvas, "\n█\n\n");
	canvas_free(&canvas);
}

static void eighths_tell_unknown_from_nothing(void **state)
{
	assert_int_equal(plot_eighth(NAN), '?');
	assert_int_equal(plot_eighth(0), ' ');
	assert_int_equal(plot_eighth(0.01), 0x2581);
	assert_int_equal(plot_eighth(1), 0x2588);
	assert_int_equal(plot_eighth(7), 0x2588);
}

static void text_wraps_at_words_and_breaks_only_what_is_too_long(void **state)
{
	struct canvas canvas = blank(8, 5);

	assert_int_equal(text_lines("one two three abcdefghijk", 8), 4);
	text_draw(&canvas, (struct rect) {0, 0, 8, 5}, plain, "one two three abcdefghijk");
	golden_shows(&canvas, "one two\nthree\nabcdefgh\nijk\n\n");
	canvas_free(&canvas);
}

static void expect_line(const char *text, int width, int columns, const char *rest)
{
	const char *next;

	assert_int_equal(text_line(text, width, &next), columns);
	assert_string_equal(next, rest);
}

static void a_number_keeps_its_unit_in_its_line(void **state)
{
	expect_line("longer by 12 %.", 12, 9, "12 %.");
	expect_line("longer by 12 %.", 15, 15, "");
	expect_line("took 3.1 ms more", 10, 4, "3.1 ms more");
	expect_line("took 3 \xc2\xb5s, more", 7, 4, "3 \xc2\xb5s, more");
	expect_line("all 8 cores", 6, 5, "cores");
	expect_line("of 8 seconds", 5, 4, "seconds");
	expect_line("a % b", 2, 1, "% b");
	/* A line breaks between number and unit only if there is no other place. */
	expect_line("12 % more", 3, 2, "% more");
}

static void an_interval_keeps_its_ends_in_its_line(void **state)
{
	expect_line("takes 1.03 to 1.32 times", 11, 5, "1.03 to 1.32 times");
	expect_line("takes 1.03 to 1.32 times", 14, 5, "1.03 to 1.32 times");
	expect_line("takes 1.03 to 1.32 times", 18, 18, "times");
	expect_line("add 1 to that", 10, 8, "that");
	expect_line("go to 4 cores", 6, 5, "4 cores");
	expect_line("1.03 to 1.32", 8, 7, "1.32");
	expect_line(" to 4", 3, 3, "4");
}

static void text_that_does_not_fit_ends_after_a_word_in_an_ellipsis(void **state)
{
	struct canvas canvas = blank(8, 1);

	assert_int_equal(text_draw(&canvas, (struct rect) {0, 0, 8, 1}, plain, "µs µs µs µs"), 1);
	golden_shows(&canvas, "µs µs…\n");
	canvas_clear(&canvas);
	assert_int_equal(text_draw(&canvas, (struct rect) {0, 0, 8, 1}, plain, "µsµsµsµsµs"), 1);
	golden_shows(&canvas, "µsµsµsµ…\n");
	canvas_free(&canvas);
}

static void text_of_no_room_draws_nothing_and_ends(void **state)
{
	struct canvas canvas = blank(3, 1);

	assert_int_equal(text_draw(&canvas, (struct rect) {0, 0, 3, 0}, plain, "abc"), 0);
	assert_int_equal(text_lines("abc", 0), 3);
	assert_int_equal(text_lines("", 10), 0);
	assert_int_equal(text_lines("a\n\nb", 10), 3);
	golden_shows(&canvas, "\n");
	canvas_free(&canvas);
}

/* The row of a value, in which a name at the line's end belongs. */
static void the_row_of_a_value_is_the_lines(void **state)
{
	const struct rect rect = {0, 3, 4, 4};

	assert_int_equal(plot_line_row(rect, 8, 8), 3);
	assert_int_equal(plot_line_row(rect, 4, 8), 5);
	assert_int_equal(plot_line_row(rect, 0.1, 8), 6);
	assert_int_equal(plot_line_row(rect, 0, 8), -1);
	assert_int_equal(plot_line_row(rect, NAN, 8), -1);
}

static void assert_digits(const char *text, int scale, const char *expected)
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
	assert_digits("0123456789", 1,
		      "█▀█ ▄█  ▀▀█ ▀▀█ █ █ █▀▀ █▀▀ ▀▀█ █▀█ █▀█\n"
		      "█ █  █  █▀▀ ▀▀█ ▀▀█ ▀▀█ █▀█   █ █▀█ ▀▀█\n"
		      "▀▀▀ ▀▀▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀\n");
	assert_digits("1:2.3", 1,
		      "▄█  ▄ ▀▀█   ▀▀█\n"
		      " █  ▄ █▀▀   ▀▀█\n"
		      "▀▀▀   ▀▀▀ ▀ ▀▀▀\n");
}

static void unknown_digits_are_a_question_mark(void **state)
{
	assert_digits("?", 1, "▀▀█\n ▀▀\n ▀\n");
}

static void twice_the_scale_is_five_rows(void **state)
{
	assert_int_equal(digits_rows(2), 5);
	assert_digits("7", 2, "██████\n    ██\n    ██\n    ██\n    ██\n");
}

static void nothing_takes_no_room(void **state)
{
	assert_int_equal(digits_columns("", 3), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_scale_ends_at_a_round_number_that_is_not_far),
		cmocka_unit_test(sizes_end_at_powers_of_two_and_halves_between),
		cmocka_unit_test(ticks_are_no_more_than_asked_for),
		cmocka_unit_test(labels_stand_at_their_times_and_the_last_names_the_unit),
		cmocka_unit_test(a_mark_on_the_axis_makes_the_label_there_bright),
		cmocka_unit_test(labels_of_short_times_are_in_short_units),
		cmocka_unit_test(a_narrow_axis_has_two_labels_that_tell_its_scale),
		cmocka_unit_test(the_least_value_above_nothing_is_seen),
		cmocka_unit_test(a_line_joins_its_steps_and_breaks_at_gaps),
		cmocka_unit_test(lines_that_meet_in_a_cell_are_both_seen),
		cmocka_unit_test(a_line_replaces_what_is_no_line),
		cmocka_unit_test(a_cell_is_split_where_its_colours_meet),
		cmocka_unit_test(whoever_had_a_part_of_a_cell_alone_is_seen),
		cmocka_unit_test(workers_have_eight_colours_that_begin_again),
		cmocka_unit_test(an_area_is_solid_to_an_eighth),
		cmocka_unit_test(a_stack_shows_two_parts_in_a_cell),
		cmocka_unit_test(a_part_that_fills_a_cell_has_its_own_glyph),
		cmocka_unit_test(a_stack_beyond_the_whole_stays_within_its_rectangle),
		cmocka_unit_test(eighths_tell_unknown_from_nothing),
		cmocka_unit_test(text_wraps_at_words_and_breaks_only_what_is_too_long),
		cmocka_unit_test(a_number_keeps_its_unit_in_its_line),
		cmocka_unit_test(an_interval_keeps_its_ends_in_its_line),
		cmocka_unit_test(text_that_does_not_fit_ends_after_a_word_in_an_ellipsis),
		cmocka_unit_test(text_of_no_room_draws_nothing_and_ends),
		cmocka_unit_test(the_row_of_a_value_is_the_lines),
		cmocka_unit_test(digits_are_three_rows_high),
		cmocka_unit_test(unknown_digits_are_a_question_mark),
		cmocka_unit_test(twice_the_scale_is_five_rows),
		cmocka_unit_test(nothing_takes_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
