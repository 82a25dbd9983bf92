/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <math.h>

#include "draw/theme.h"

static double channel(uint32_t value)
{
	double c = value / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* Relative luminance and contrast as WCAG 2.1 defines them. */
static double luminance(uint32_t rgb)
{
	return 0.2126 * channel(rgb >> 16 & 0xff) + 0.7152 * channel(rgb >> 8 & 0xff) +
	       0.0722 * channel(rgb & 0xff);
}

static double contrast(uint32_t a, uint32_t b)
{
	double high = fmax(luminance(a), luminance(b)), low = fmin(luminance(a), luminance(b));

	return (high + 0.05) / (low + 0.05);
}

static bool is_background(int colour)
{
	return colour == COLOUR_PANEL || colour == COLOUR_BORDER || colour == COLOUR_READY_BED;
}

static void every_theme_is_found_by_its_name(void **state)
{
	size_t n = 0;

	for (const struct theme *theme; (theme = theme_at(n)); n++)
		assert_ptr_equal(theme_find(theme->name), theme);
	assert_true(n >= 3);
	assert_null(theme_at(n));
	assert_null(theme_find("no such theme"));
}

static void every_text_can_be_read_on_its_background(void **state)
{
	const struct theme *theme;

	for (size_t i = 0; (theme = theme_at(i)); i++)
		for (int c = 0; c < COLOURS; c++) {
			if (is_background(c))
				continue;
			assert_true(contrast(theme->colour[c].rgb, theme->background) >= 3);
		}
}

static void help_can_be_read_on_its_panel(void **state)
{
	static const int used[] = {COLOUR_DEFAULT, COLOUR_DIM, COLOUR_TITLE, COLOUR_KEY};
	const struct theme *theme;

	for (size_t i = 0; (theme = theme_at(i)); i++)
		for (size_t j = 0; j < sizeof(used) / sizeof(used[0]); j++)
			assert_true(contrast(theme->colour[used[j]].rgb,
					     theme->colour[COLOUR_PANEL].rgb) >= 4.5);
}

static uint32_t mix(uint32_t a, uint32_t b, double share)
{
	uint32_t rgb = 0;

	for (int shift = 0; shift <= 16; shift += 8)
		rgb |= (uint32_t)((1 - share) * (a >> shift & 0xff) + share * (b >> shift & 0xff))
		       << shift;
	return rgb;
}

/* From the back of a room a light shade is one colour: it stands out, and work does from it. */
static void waiting_can_be_told_from_nothing_and_from_work(void **state)
{
	const struct theme *theme;

	for (size_t i = 0; (theme = theme_at(i)); i++) {
		const struct theme_colour *colour = theme->colour;
		uint32_t waits = mix(colour[COLOUR_READY_BED].rgb, colour[COLOUR_READY].rgb, 0.25);

		assert_true(contrast(waits, theme->background) >= 2.5);
		assert_true(contrast(waits, colour[COLOUR_CPU].rgb) >= 1.5);
		assert_true(contrast(colour[COLOUR_READY_BED].rgb, colour[COLOUR_CPU].rgb) >= 2);
		assert_true(contrast(colour[COLOUR_READY_BED].rgb, theme->background) >= 1.7);
	}
}

static uint32_t xterm_rgb(int n)
{
	static const uint32_t level[] = {0, 95, 135, 175, 215, 255};

	if (n >= 232)
		return (uint32_t)(8 + 10 * (n - 232)) * 0x10101u;
	n -= 16;
	return level[n / 36] << 16 | level[n / 6 % 6] << 8 | level[n % 6];
}

static void assert_near(uint32_t a, uint32_t b)
{
	for (int shift = 0; shift <= 16; shift += 8)
		assert_in_range((int)(a >> shift & 0xff) - (int)(b >> shift & 0xff) + 48, 0, 96);
}

static void indexed_colours_are_close_to_the_true_ones(void **state)
{
	const struct theme *theme;

	for (size_t i = 0; (theme = theme_at(i)); i++)
		for (int c = 0; c < COLOURS; c++) {
			const struct theme_colour *colour = &theme->colour[c];

			assert_in_range(colour->ansi + 1, 0, 8);
			assert_true(colour->xterm == -1 ||
				    (colour->xterm >= 16 && colour->xterm < 256));
			if (colour->xterm >= 0)
				assert_near(xterm_rgb(colour->xterm), colour->rgb);
		}
}

/* What deuteranopes see (Viénot, Brettel and Mollon 1999, linear RGB). */
static void deuteranope(uint32_t rgb, double out[2])
{
	double r = channel(rgb >> 16 & 0xff), g = channel(rgb >> 8 & 0xff), b = channel(rgb & 0xff);

	out[0] = cbrt(0.29275 * r + 0.70725 * g);
	out[1] = cbrt(fmax(0, -0.02234 * r + 0.02234 * g + b));
}

static void models_and_kinds_of_work_stay_apart_for_the_colour_blind(void **state)
{
	static const int pairs[][2] = {{COLOUR_MODEL0, COLOUR_MODEL1}, {COLOUR_CPU, COLOUR_IO}};
	static const char *const safe[] = {"default", "light"};

	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < 2; j++) {
			const struct theme *theme = theme_find(safe[i]);
			double a[2], b[2];

			assert_non_null(theme);
			deuteranope(theme->colour[pairs[j][0]].rgb, a);
			deuteranope(theme->colour[pairs[j][1]].rgb, b);
			assert_true(hypot(a[0] - b[0], a[1] - b[1]) > 0.15);
		}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_theme_is_found_by_its_name),
		cmocka_unit_test(every_text_can_be_read_on_its_background),
		cmocka_unit_test(help_can_be_read_on_its_panel),
		cmocka_unit_test(waiting_can_be_told_from_nothing_and_from_work),
		cmocka_unit_test(indexed_colours_are_close_to_the_true_ones),
		cmocka_unit_test(models_and_kinds_of_work_stay_apart_for_the_colour_blind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
