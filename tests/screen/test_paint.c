/* SPDX-License-Identifier: MIT */
#include "screen/paint.h"
#include "stage/check.h"

#include <stdlib.h>
#include <string.h>

#include "draw/theme.h"

/* Returns the numbers of the cell's colours in a terminal with that many. */
static void numbers(const struct paint *paint, const struct style *style, int *fg, int *bg)
{
	*fg = paint_number(paint, style->fg, false);
	*bg = paint_number(paint, theme_ground(style->bg), true);
}

static void check_apart(const struct paint *paint, uint32_t glyph, int fg, int bg)
{
	struct cell cell = {.glyph = glyph, .style = {.fg = (uint8_t)fg, .bg = (uint8_t)bg}};
	int seen, behind;

	paint_apart(paint, &cell);
	numbers(paint, &cell.style, &seen, &behind);
	if (seen == behind)
		fail_msg("%s, %d colours: U+%04x of %d on %d", paint->theme->name, paint->colours,
			 glyph, fg, bg);
}

/* Views may draw any glyph in any colour on any background. */
static void no_letter_has_the_colour_of_its_ground(void **state)
{
	static const int colours[] = {PAINT_TRUE, 256, 16, 8};
	static const uint32_t glyphs[] = {'a', 0x2581, 0x2584, 0x2587, 0x2588, 0x258c, 0x2591};
	struct paint paint = {.exact = false};

	for (size_t i = 0; theme_at(i); i++)
		for (size_t c = 0; c < sizeof(colours) / sizeof(*colours); c++)
			for (int pair = 0; pair < COLOUR_GROUND * COLOUR_GROUND; pair++) {
				const uint32_t glyph = glyphs[(size_t)pair % 7];

				paint.theme = theme_at(i);
				paint.colours = colours[c];
				check_apart(&paint, glyph, pair / COLOUR_GROUND,
					    pair % COLOUR_GROUND);
			}
}

/* Colours that differ anyway are not changed. */
static void letters_on_other_grounds_keep_their_colours(void **state)
{
	const struct paint paint = {.theme = theme_at(0), .colours = 256};
	struct cell cell = {.glyph = 0x2584, .style = {.fg = COLOUR_MODEL0, .bg = COLOUR_MODEL1}};
	const struct cell before = cell;

	paint_apart(&paint, &cell);
	assert_true(canvas_same_cell(&before, &cell));
}

/* Tasks of a tree that have ended are such a shade, in a band whose edges are split cells. */
static void a_shade_on_its_own_colour_is_solid(void **state)
{
	const struct paint paint = {.theme = theme_at(0), .colours = 256};
	struct cell cell = {.glyph = 0x2593, .style = {.fg = COLOUR_WAITING, .bg = COLOUR_WAITING}};

	paint_apart(&paint, &cell);
	assert_int_equal(cell.glyph, 0x2588);
	assert_int_equal(cell.style.fg, COLOUR_WAITING);
}

static void check_bytes(const char *from, const char *expected)
{
	const struct paint paint = {.theme = theme_at(0), .colours = 8};
	const size_t n = strlen(from), room = paint_room(from, n);
	char *to = malloc(room + 1);
	size_t length;

	assert_non_null(to);
	length = paint_bytes(&paint, from, n, to);
	assert_true(length <= room);
	to[length] = '\0';
	assert_string_equal(to, expected);
	free(to);
}

static void letters_are_written_as_often_as_rep_says(void **state)
{
	check_bytes("-\033[4bx", "-----x");
	check_bytes("\033[3;1H#\033[12b", "\033[3;1H#############");
	check_bytes("a\033[1mb\033[2b\033[2;2b", "a\033[1mbbb\033[2;2b");
	check_bytes("a\033[b\033[7", "a\033[b\033[7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_letter_has_the_colour_of_its_ground),
		cmocka_unit_test(letters_on_other_grounds_keep_their_colours),
		cmocka_unit_test(a_shade_on_its_own_colour_is_solid),
		cmocka_unit_test(letters_are_written_as_often_as_rep_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
