/* SPDX-License-Identifier: MIT */
#include "paint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <term.h>

/*
 * With `exact`, curses knows the theme's colours by numbers from FIRST_NUMBER on, and paint_bytes()
 * replaces these numbers.
 */
enum { FIRST_NUMBER = 16, BRIGHT = 8 };

/*
 * Returns how many of the terminal's colours are used. If the terminal has fewer than 8 colours,
 * returns `none`.
 */
static int colours_of(int colors, int none)
{
	if (colors > 256)
		return PAINT_TRUE;
	if (colors == 256)
		return 256;
	if (colors >= 16)
		return 16;
	if (colors >= 8)
		return 8;
	return none;
}

void paint_start(struct paint *paint, const struct theme *theme, bool no_color)
{
	const char *none = getenv("NO_COLOR"), *wish = getenv("COLORTERM");
	/*
	 * Colours are replaced in curses' output only if the terminal's sequences have the usual
	 * form. Nearly all have.
	 */
	const char *sample = set_a_foreground ? tparm(set_a_foreground, 123L) : NULL;

	if (!no_color && !(none && *none) && has_colors() && start_color() != ERR)
		paint->colours = colours_of(COLORS, paint->colours);
	paint->exact = paint->colours == 256 && wish && sample &&
		       (strcmp(wish, "truecolor") == 0 || strcmp(wish, "24bit") == 0) &&
		       strcmp(sample, "\033[38;5;123m") == 0;
	paint_theme(paint, theme);
}

int paint_number(const struct paint *paint, enum colour colour, bool behind)
{
	const struct theme_colour *all = paint->theme->colour, *looks = &all[colour];

	switch (paint->colours) {
	case PAINT_TRUE: /* The first eight numbers are the palette's. */
		return (int)(MAX(BRIGHT, looks->rgb));
	case 256: {
		if (paint->exact)
			return FIRST_NUMBER + (int)colour;
		return looks->xterm;
	}
	case 16:
		return looks->ansi;
	}
	/* With 8 colours, white is a light grey, on which magenta is hard to read. */
	if (looks->ansi == COLOR_MAGENTA && all[COLOUR_GROUND].ansi % BRIGHT == COLOR_WHITE) {
		if (colour >= COLOUR_MODEL0 && colour <= COLOUR_MODEL7)
			return COLOR_BLACK;
		return COLOR_BLUE;
	}
	/*
	 * With 8 colours, bright colours are drawn bold. A letter in dark grey gets the usual text
	 * colour, and a background in dark grey is left out.
	 */
	if (looks->ansi == BRIGHT)
		looks = &all[behind ? COLOUR_GROUND : COLOUR_DEFAULT];
	return looks->ansi % BRIGHT;
}

static struct paint_pair colour_pair(const struct paint *paint, uint8_t fg, uint8_t bg)
{
	return (struct paint_pair) {paint_number(paint, fg < COLOURS ? fg : COLOUR_DEFAULT, false),
				    paint_number(paint, theme_ground(bg), true)};
}

void paint_theme(struct paint *paint, const struct theme *theme)
{
	paint->theme = theme;
	paint->n_pairs = 0;
	memset(paint->pair_of, -1, sizeof(paint->pair_of));
	paint->ground = colour_pair(paint, COLOUR_DEFAULT, COLOUR_DEFAULT);
	/* Blank cells have pair 0, even the cells that curses erases. */
	if (paint->colours && assume_default_colors(paint->ground.fg, paint->ground.bg) == ERR)
		paint->ground = (struct paint_pair) {COLOR_WHITE, COLOR_BLACK};
}

static bool same_pair(struct paint_pair a, struct paint_pair b)
{
	return a.fg == b.fg && a.bg == b.bg;
}

/*
 * Returns a pair of these colours. Styles with the same colours share a pair, because the terminal
 * has few pairs (64 with 8 colours).
 */
static short make_pair(struct paint *paint, struct paint_pair wanted)
{
	const int most = MIN(COLOR_PAIRS, PAINT_PAIRS);
	const short next = (short)(paint->n_pairs + 1);

	if (same_pair(wanted, paint->ground))
		return 0;
	for (short i = 1; i <= paint->n_pairs; i++)
		if (same_pair(wanted, paint->pairs[i]))
			return i;
	if (next >= most || init_extended_pair(next, wanted.fg, wanted.bg) == ERR)
		return 0;
	paint->pairs[next] = wanted;
	paint->n_pairs = next;
	return next;
}

short paint_pair(struct paint *paint, struct style style)
{
	short *pair = &paint->pair_of[style.fg < COLOURS ? style.fg : 0][theme_ground(style.bg)];

	if (!paint->colours)
		return 0;
	if (*pair < 0)
		*pair = make_pair(paint, colour_pair(paint, style.fg, style.bg));
	return *pair;
}

attr_t paint_attr(const struct paint *paint, struct style style)
{
	const struct theme_colour *looks =
		&paint->theme->colour[style.fg < COLOURS ? style.fg : COLOUR_DEFAULT];
	unsigned attr = style.attr;
	attr_t drawn = A_NORMAL;

	if (paint->colours <= 16)
		attr |= looks->attr;
	if (paint->colours == 8 && looks->ansi > BRIGHT)
		attr |= ATTR_BOLD;
	if (paint->colours == 8 && paint->ground.bg == COLOR_WHITE)
		/*
		 * xterm and the Linux console draw bold text brighter, and so draw black as grey.
		 */
		attr &= ~(unsigned)ATTR_BOLD;
	if (attr & ATTR_BOLD)
		drawn |= A_BOLD;
	if (attr & ATTR_REVERSE)
		drawn |= A_REVERSE;
	if (attr & ATTR_UNDERLINE)
		drawn |= A_UNDERLINE;
	return drawn;
}

/*
 * Reads the number at from[*i] and moves *i past it. Stops early once the number is at least
 * `enough`.
 */
static int read_digits(const char *from, size_t n, size_t *i, int enough)
{
	int number = 0;

	while (*i < n && from[*i] >= '0' && from[*i] <= '9') {
		if (number >= enough)
			break;
		number = number * 10 + (from[*i] - '0');
		*i += 1;
	}
	return number;
}

/*
 * Reads "\033[38;5;" or "\033[48;5;", a number and "m". Returns the length, or 0 for any other
 * text.
 */
static size_t read_colour(const char *from, size_t n, int *colour)
{
	size_t i = 7;

	if (n < i || memcmp(from, "\033[", 2) != 0 || (from[2] != '3' && from[2] != '4') ||
	    memcmp(from + 3, "8;5;", 4) != 0)
		return 0;
	*colour = read_digits(from, n, &i, 1000) - FIRST_NUMBER;
	if (i >= n || from[i] != 'm' || *colour < 0 || *colour >= COLOURS)
		return 0;
	return i + 1;
}

/* Returns whether a letter is visible on its background. */
static bool is_apart(const struct paint *paint, const struct style *style)
{
	const struct theme_colour *all = paint->theme->colour;
	const uint8_t fg = style->fg < COLOURS ? style->fg : COLOUR_DEFAULT;

	if (paint->exact)
		return all[fg].rgb != all[theme_ground(style->bg)].rgb;
	return paint_number(paint, fg, false) != paint_number(paint, theme_ground(style->bg), true);
}

/* The shades of 25, 50 and 75 %. */
static bool is_shade(uint32_t glyph)
{
	return glyph >= 0x2591 && glyph <= 0x2593;
}

void paint_apart(const struct paint *paint, struct cell *cell)
{
	/*
	 * A shade on its own colour looks solid. Only terminals without colours show it as a shade.
	 */
	if (is_shade(cell->glyph) && cell->style.bg != COLOUR_DEFAULT &&
	    cell->style.fg == cell->style.bg) {
		cell->glyph = 0x2588;
		cell->style.bg = COLOUR_DEFAULT;
	}
	if (cell->glyph <= ' ' || is_apart(paint, &cell->style))
		return;
	/*
	 * If the two colours of a split cell have become equal, give the cell the colour of its
	 * larger part. If that colour is not visible either, drop the background.
	 */
	canvas_merge(cell);
	if (!is_apart(paint, &cell->style))
		cell->style.bg = COLOUR_DEFAULT;
	if (!is_apart(paint, &cell->style))
		cell->style.fg = COLOUR_DEFAULT;
}

/* Reads "\033[", a number of repetitions and "b". Returns the length, or 0 for any other text. */
static size_t read_repeat(const char *from, size_t n, size_t *times)
{
	size_t i = 2;

	if (n < 4 || memcmp(from, "\033[", 2) != 0)
		return 0;
	*times = (size_t)read_digits(from, n, &i, 100000);
	if (i == 2 || i >= n || from[i] != 'b')
		return 0;
	return i + 1;
}

size_t paint_room(const char *from, size_t n)
{
	enum { GROWS = 2 }; /* A true colour is less than twice as long as a number. */
	size_t bytes = GROWS * n, times;

	for (size_t i = 0; i < n; i++)
		if (read_repeat(from + i, n - i, &times))
			bytes += times;
	return bytes;
}

size_t paint_bytes(const struct paint *paint, const char *from, size_t n, char *to)
{
	const char *begin = to;

	for (size_t i = 0, length; i < n; i += length) {
		size_t times;
		int colour;

		if (paint->exact)
			length = read_colour(from + i, n - i, &colour);
		else
			length = 0;
		if (length) {
			const uint32_t rgb = paint->theme->colour[colour].rgb;

			to += sprintf(to, "\033[%c8;2;%u;%u;%um", from[i + 2], rgb >> 16,
				      rgb >> 8 & 0xff, rgb & 0xff);
			continue;
		}
		if (i > 0)
			length = read_repeat(from + i, n - i, &times);
		else
			length = 0;
		if (length) {
			memset(to, from[i - 1], times);
			to += times;
		} else {
			*to++ = from[i + length++];
		}
	}
	return (size_t)(to - begin);
}
