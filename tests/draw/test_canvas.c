/* SPDX-License-Identifier: MIT */
#include "stage/check.h"
#include "stage/golden.h"

#include <stdlib.h>
#include <string.h>

#include "draw/text.h"
#include "draw/theme.h"
#include "stage/seed.h"

static const struct style plain = {0};

static void a_new_canvas_is_blank(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, 3, 2), 0);
	golden_shows(&canvas, "\n\n");
	canvas_free(&canvas);
}

static void drawing_clips_at_every_side(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, 4, 3), 0);
	canvas_put(&canvas, -1, 0, 'x', plain);
	canvas_put(&canvas, 4, 0, 'x', plain);
	canvas_put(&canvas, 0, -1, 'x', plain);
	canvas_put(&canvas, 0, 3, 'x', plain);
	canvas_text(&canvas, -2, 0, -1, plain, "abcdefghij");
	canvas_fill(&canvas, (struct rect) {2, 1, 100, 100}, '#', plain);
	canvas_hline(&canvas, -5, 2, 6, '=', plain);
	golden_shows(&canvas, "cdef\n  ##\n= ##\n");
	canvas_free(&canvas);
}

static void extreme_coordinates_draw_nothing(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, 2, 1), 0);
	canvas_fill(&canvas, (struct rect) {INT32_MIN / 2, 0, 3, 1}, '#', plain);
	canvas_fill(&canvas, (struct rect) {0, 0, -3, 1}, '#', plain);
	canvas_box(&canvas, (struct rect) {0, 0, 1, 1}, plain, "a", plain, "b");
	assert_int_equal(canvas_text(&canvas, 5, 0, 3, plain, "abc"), 5);
	golden_shows(&canvas, "\n");
	canvas_free(&canvas);
}

static void a_canvas_of_no_size_takes_any_drawing(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, 0, 0), 0);
	canvas_text(&canvas, 0, 0, -1, plain, "abc");
	canvas_to_ascii(&canvas);
	golden_shows(&canvas, "");
	canvas_free(&canvas);
}

static void text_keeps_to_its_width(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, 10, 1), 0);
	assert_int_equal(canvas_text(&canvas, 1, 0, 4, plain, "µs–°abc"), 5);
	golden_shows(&canvas, " µs–°\n");
	canvas_free(&canvas);
}

static void what_is_not_printable_becomes_a_question_mark(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, 12, 1), 0);
	/*
	 * A tab, an escape, an accent without a letter, a wide character, a zero-width joiner, DEL.
	 */
	canvas_text(&canvas, 0, 0, -1, plain, "\t\x1b\xcc\x81\xe6\xbc\xa2\xe2\x80\x8d\x7f.");
	golden_shows(&canvas, "???漢??.\n");
	canvas_free(&canvas);
}

static void letters_of_any_script_are_drawn(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, 20, 1), 0);
	assert_int_equal(canvas_text(&canvas, 0, 0, -1, plain, "線程 e\xcc\x81 😀 กี่|"), 12);
	golden_shows(&canvas, "線程 e\xcc\x81 😀 กี่|\n");
	canvas_to_ascii(&canvas);
	golden_shows(&canvas, "???? ? ?? ?|\n");
	canvas_free(&canvas);
}

static void half_of_a_wide_letter_is_a_question_mark(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, 5, 1), 0);
	assert_int_equal(canvas_text(&canvas, 0, 0, -1, plain, "線程線"), 5);
	golden_shows(&canvas, "線程?\n");
	canvas_put(&canvas, 1, 0, '|', plain);
	golden_shows(&canvas, "?|程?\n");
	canvas_put(&canvas, 2, 0, '|', plain);
	golden_shows(&canvas, "?|| ?\n");
	canvas_free(&canvas);
}

/* Chinese has no blanks between words, and no line begins with a full stop. */
static void a_line_breaks_between_wide_letters(void **state)
{
	const char *text = "线程和进程。12 ms 一次", *next;

	assert_int_equal(text_line(text, 10, &next), 8);
	assert_string_equal(next, "程。12 ms 一次");
	assert_int_equal(text_line(next, 8, &next), 4);
	assert_string_equal(next, "12 ms 一次");
	assert_int_equal(text_line(next, 8, &next), 8);
	assert_string_equal(next, "次");
	assert_int_equal(text_lines(text, 1), 12);
}

static void broken_utf8_becomes_question_marks_and_never_reads_past_the_end(void **state)
{
	static const char *const broken[] = {
		"\x80", "\xc3",	    "\xe2\x94",	    "\xf0\x9f\x98",
		"\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf8\x88\x80\x80\x80"};

	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		struct canvas canvas = {0};
		char *copy = strdup(broken[i]);

		assert_int_equal(canvas_resize(&canvas, 8, 1), 0);
		canvas_text(&canvas, 0, 0, -1, plain, copy);
		assert_int_equal(canvas.cells[0].glyph, '?');
		for (int x = 0; x < 8; x++)
			assert_true(canvas.cells[x].glyph == '?' || !canvas.cells[x].glyph);
		free(copy);
		canvas_free(&canvas);
	}
}

static void columns_count_characters_not_bytes(void **state)
{
	assert_int_equal(utf8_columns("2.1 µs"), 6);
	assert_int_equal(utf8_columns("╺━━"), 3);
	assert_int_equal(utf8_columns(""), 0);
}

static void right_aligned_text_ends_before_its_column(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, 8, 1), 0);
	assert_int_equal(canvas_right(&canvas, 7, 0, plain, "31 µs"), 2);
	golden_shows(&canvas, "  31 µs\n");
	canvas_free(&canvas);
}

static void a_box_carries_title_and_note(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, 20, 3), 0);
	canvas_box(&canvas, (struct rect) {0, 0, 20, 3}, plain, "cores", plain, "1 s");
	golden_shows(&canvas, "╭─ cores ──── 1 s ─╮\n│                  │\n╰──────────────────╯\n");
	canvas_free(&canvas);
}

static void a_narrow_box_drops_the_note_first(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, 10, 2), 0);
	canvas_box(&canvas, (struct rect) {0, 0, 10, 2}, plain, "threads", plain, "1 s");
	golden_shows(&canvas, "╭─ thre ─╮\n╰────────╯\n");
	canvas_free(&canvas);
}

static void ascii_twins_stay_apart(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, 25, 1), 0);
	canvas_text(&canvas, 0, 0, -1, plain, "╭─╮│━═╌░▒▓█▁▄█▐⣀⣤⣿µ×…○●▾");
	canvas_to_ascii(&canvas);
	golden_shows(&canvas, "+-+|=~,-:+#_:#[.:#ux.o*v\n");
	canvas_free(&canvas);
}

static void two_colours_in_a_cell_become_the_larger_one_in_ascii(void **state)
{
	struct style both = {.fg = COLOUR_USER, .bg = COLOUR_SYSTEM};
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, 2, 1), 0);
	canvas_put(&canvas, 0, 0, 0x2582, both);
	canvas_put(&canvas, 1, 0, 0x2586, both);
	canvas_to_ascii(&canvas);
	golden_shows(&canvas, "##\n");
	assert_int_equal(canvas.cells[0].style.fg, COLOUR_SYSTEM);
	assert_int_equal(canvas.cells[1].style.fg, COLOUR_USER);
	assert_int_equal(canvas.cells[1].style.bg, COLOUR_DEFAULT);
	canvas_free(&canvas);
}

static void ascii_leaves_nothing_beyond_ascii(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, 1, 1), 0);
	for (uint32_t glyph = 0; glyph < 0x3000; glyph++) {
		canvas_put(&canvas, 0, 0, glyph, plain);
		canvas_to_ascii(&canvas);
		assert_in_range(canvas.cells[0].glyph, 0, 0x7e);
	}
	canvas_free(&canvas);
}

static void resizing_clears_and_keeping_the_size_keeps_the_cells(void **state)
{
	struct canvas canvas = {0};
	struct cell *cells;

	assert_int_equal(canvas_resize(&canvas, 2, 2), 0);
	cells = canvas.cells;
	canvas_put(&canvas, 1, 1, 'x', plain);
	assert_int_equal(canvas_resize(&canvas, 2, 2), 0);
	assert_ptr_equal(canvas.cells, cells);
	golden_shows(&canvas, "\n\n");
	canvas_free(&canvas);
}

static void assert_fits(const char *name, int most, const char *expected)
{
	char buf[128];

	assert_string_equal(text_fit(buf, sizeof(buf), name, most), expected);
	assert_true(utf8_columns(buf) <= most);
}

static void a_name_that_is_too_long_keeps_its_values(void **state)
{
	const char *name = "processes work=write workers=8";

	assert_fits(name, 30, name);
	assert_fits(name, 29, "processes write workers=8");
	assert_fits(name, 25, "processes write workers=8");
	assert_fits(name, 17, "processes write 8");
	assert_fits(name, 13, "proces·rite 8");
	assert_fits("hybrid:16x16 @vm#2 size=900", 22, "hybrid:16x16 @vm#2 900");
}

/* A value may contain '=', as an environment variable's may. Only the first '=' ends the key. */
static void a_value_with_equals_signs_is_not_a_key(void **state)
{
	const char *name = "threads env:TUNABLES=malloc.tcache_count=0";

	(void)state;
	assert_fits(name, 41, "threads malloc.tcache_count=0");
	assert_fits("a=tttttttt=b", 10, "tttttttt=b");
	assert_fits("=tttttttt=b", 10, "=ttt·ttt=b");
	assert_fits("ääää=tttttttt", 12, "tttttttt");
}

/* Names in a recording can be any text. */
static void any_name_fits_into_any_width(void **state)
{
	static const char *const letters[] = {
		"a",	     "t",    "=", "=", "=", ",", ":", " ", "\xe7\x95\x8c",
		"e\xcc\x81", "\xc2", "-", "."};
	char name[96], fit[1 + sizeof(name)];

	(void)state;
	seed_random();
	for (int round = 0; round < 3000; round++) {
		*name = '\0';
		for (long n = random() % 30; n > 0; n--)
			strcat(name,
			       letters[random() % (long)(sizeof(letters) / sizeof(*letters))]);
		for (int most = 1; most < 32; most++) {
			*fit = '#'; /* the byte before the buffer */
			assert_ptr_equal(text_fit(fit + 1, sizeof(name), name, most), fit + 1);
			assert_int_equal(*fit, '#');
			assert_true(utf8_columns(fit + 1) <= most);
		}
	}
}

/* In ASCII, too, no two shapes are alike. */
static void shapes_of_cases_are_drawn_as_they_are(void **state)
{
	struct canvas canvas = {0};
	char text[UTF8_BYTES];
	uint64_t seen[2] = {0};

	(void)state;
	assert_int_equal(canvas_resize(&canvas, IDENTITIES, 1), 0);
	for (uint32_t i = 0; i < IDENTITIES; i++) {
		canvas_text(&canvas, (int)i, 0, -1, STYLE(COLOUR_DEFAULT),
			    utf8_put(identity_glyph(i), text));
		assert_int_equal(canvas.cells[i].glyph, identity_glyph(i));
	}
	canvas_to_ascii(&canvas);
	for (uint32_t i = 0; i < IDENTITIES; i++) {
		uint32_t glyph = canvas.cells[i].glyph;

		assert_in_range(glyph, '!', '~');
		assert_int_not_equal(glyph, '?');
		assert_false(seen[glyph / 64] >> glyph % 64 & 1);
		seen[glyph / 64] |= UINT64_C(1) << glyph % 64;
	}
	canvas_free(&canvas);
}

/*
 * In ASCII, a cell of two colours has the sign of the larger part. Ended workers have '+', because
 * '#' means running.
 */
static void in_ascii_the_ended_are_apart(void **state)
{
	struct canvas canvas = {0};

	assert_int_equal(canvas_resize(&canvas, 3, 1), 0);
	canvas_put(&canvas, 0, 0, 0x2588, STYLE(COLOUR_CPU));
	canvas_put(&canvas, 1, 0, 0x2588, STYLE(COLOUR_WAITING));
	canvas_put(&canvas, 2, 0, 0x2582, (struct style) {.fg = COLOUR_CPU, .bg = COLOUR_WAITING});
	struct cell merged = canvas.cells[2];

	canvas_merge(&merged);
	assert_int_equal(merged.glyph, 0x2593);
	assert_int_equal(merged.style.bg, COLOUR_DEFAULT);
	canvas_to_ascii(&canvas);
	assert_int_equal(canvas.cells[0].glyph, '#');
	assert_int_equal(canvas.cells[1].glyph, '+');
	assert_int_equal(canvas.cells[2].glyph, '+');
	canvas_free(&canvas);
}

/* Each glyph that the Linux console's font lacks has a substitute that the font has. */
static void the_console_keeps_its_blocks_and_lines(void **state)
{
	static const struct {
		uint32_t glyph, twin;
	} twins[] = {{'a', 'a'},       {0x2588, 0x2588}, {0x258c, 0x258c}, {0x2584, 0x2584},
		     {0x2500, 0x2500}, {0x256d, 0x250c}, {0x2570, 0x2514}, {0x2591, 0x2591},
		     {0x2582, '_'},    {0x2585, 0x2584}, {0x2587, 0x2588}, {0x2589, 0x2588},
		     {0x258f, 0x2502}, {0x28ff, 0x2588}, {0x2809, 0xb7},   {0x281b, 0x2580},
		     {0x28e4, 0x2584}, {0x25cf, '*'},	 {0x2501, '='},	   {0x2800, ' '}};
	struct canvas canvas = {.glyphs = GLYPHS_BLOCKS};

	for (size_t i = 0; i < sizeof(twins) / sizeof(*twins); i++) {
		assert_int_equal(canvas_resize(&canvas, 1, 1), 0);
		assert_int_equal(canvas.glyphs, GLYPHS_BLOCKS);
		canvas_put(&canvas, 0, 0, twins[i].glyph, STYLE(COLOUR_CPU));
		canvas_reduce(&canvas);
		assert_int_equal(canvas.cells[0].glyph, twins[i].twin);
	}
	canvas_free(&canvas);
}

static void ascii_has_no_slabs_behind_it(void **state)
{
	struct canvas canvas = {.glyphs = GLYPHS_ASCII};

	assert_int_equal(canvas_resize(&canvas, 3, 1), 0);
	canvas_put(&canvas, 0, 0, 0x2591,
		   (struct style) {.fg = COLOUR_READY, .bg = COLOUR_READY_BED});
	canvas_put(&canvas, 1, 0, 0x2585,
		   (struct style) {.fg = COLOUR_CPU, .bg = COLOUR_READY_BED});
	canvas_put(&canvas, 2, 0, 'a', (struct style) {.fg = COLOUR_CPU, .bg = COLOUR_PANEL});
	canvas_reduce(&canvas);
	assert_int_equal(canvas.cells[0].style.bg, COLOUR_DEFAULT);
	assert_int_equal(canvas.cells[1].style.bg, COLOUR_DEFAULT);
	assert_int_equal(canvas.cells[2].style.bg, COLOUR_PANEL); /* the selected row */
	canvas_free(&canvas);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_ascii_the_ended_are_apart),
		cmocka_unit_test(a_new_canvas_is_blank),
		cmocka_unit_test(drawing_clips_at_every_side),
		cmocka_unit_test(extreme_coordinates_draw_nothing),
		cmocka_unit_test(a_canvas_of_no_size_takes_any_drawing),
		cmocka_unit_test(text_keeps_to_its_width),
		cmocka_unit_test(what_is_not_printable_becomes_a_question_mark),
		cmocka_unit_test(letters_of_any_script_are_drawn),
		cmocka_unit_test(half_of_a_wide_letter_is_a_question_mark),
		cmocka_unit_test(a_line_breaks_between_wide_letters),
		cmocka_unit_test(broken_utf8_becomes_question_marks_and_never_reads_past_the_end),
		cmocka_unit_test(columns_count_characters_not_bytes),
		cmocka_unit_test(right_aligned_text_ends_before_its_column),
		cmocka_unit_test(a_box_carries_title_and_note),
		cmocka_unit_test(a_narrow_box_drops_the_note_first),
		cmocka_unit_test(ascii_twins_stay_apart),
		cmocka_unit_test(two_colours_in_a_cell_become_the_larger_one_in_ascii),
		cmocka_unit_test(ascii_leaves_nothing_beyond_ascii),
		cmocka_unit_test(a_name_that_is_too_long_keeps_its_values),
		cmocka_unit_test(a_value_with_equals_signs_is_not_a_key),
		cmocka_unit_test(any_name_fits_into_any_width),
		cmocka_unit_test(resizing_clears_and_keeping_the_size_keeps_the_cells),
		cmocka_unit_test(shapes_of_cases_are_drawn_as_they_are),
		cmocka_unit_test(the_console_keeps_its_blocks_and_lines),
		cmocka_unit_test(ascii_has_no_slabs_behind_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
