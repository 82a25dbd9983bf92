/* SPDX-License-Identifier: MIT */
#include "stage/colours.h"

#include <math.h>
#include <stdbool.h>

#include "draw/theme.h"

double colours_channel(uint32_t value)
{
	double c = value / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* Returns the relative luminance as WCAG 2.1 defines it. */
static double luminance(uint32_t rgb)
{
	return 0.2126 * colours_channel(rgb >> 16 & 0xff) +
	       0.7152 * colours_channel(rgb >> 8 & 0xff) + 0.0722 * colours_channel(rgb & 0xff);
}

double colours_contrast(uint32_t a, uint32_t b)
{
	double high = fmax(luminance(a), luminance(b)), low = fmin(luminance(a), luminance(b));

	return (high + 0.05) / (low + 0.05);
}

static uint32_t xterm_rgb(int n)
{
	static const uint32_t level[] = {0, 95, 135, 175, 215, 255};

	if (n >= 232)
		return (uint32_t)(8 + 10 * (n - 232)) * 0x10101u;
	n -= 16;
	return level[n / 36] << 16 | level[n / 6 % 6] << 8 | level[n % 6];
}

/* Returns xterm's default colours. */
static uint32_t ansi_rgb(int n)
{
	static const uint32_t rgb[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
					 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
					 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};

	return rgb[n];
}

static bool is_behind(int colour)
{
	return colour == COLOUR_GROUND || colour == COLOUR_PANEL || colour == COLOUR_READY_BED ||
	       colour == COLOUR_THROTTLED_BED;
}

/* As paint.c does it: colours that would be dark grey become the text colour, or no background. */
static uint32_t eight_rgb(const struct theme *theme, int colour)
{
	const struct theme_colour *looks = &theme->colour[colour];
	int ground = theme->colour[COLOUR_GROUND].ansi % 8, n = looks->ansi;
	bool bold = (n > 8 || looks->attr & ATTR_BOLD) && ground != 7;

	if (n == 5 && ground == 7)
		n = colour >= COLOUR_MODEL0 && colour <= COLOUR_MODEL7 ? 0 : 4;
	if (n == 8)
		n = is_behind(colour) ? ground : theme->colour[COLOUR_DEFAULT].ansi;
	return ansi_rgb(n % 8 + (bold && !is_behind(colour) ? 8 : 0));
}

uint32_t colours_seen(const struct theme *theme, int colour, enum way way)
{
	const struct theme_colour *looks = &theme->colour[colour];

	return way == WAY_TRUE	? looks->rgb
	       : way == WAY_256 ? xterm_rgb(looks->xterm)
	       : way == WAY_8	? eight_rgb(theme, colour)
				: ansi_rgb(looks->ansi);
}
