/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unilbrk.h>

#include "base/array.h"
#include "base/names.h"
#include "draw/text.h"

/* Returns whether a unit such as "ms" begins here, and no letter follows it. */
static bool text_is_unit(const char *text)
{
	static const char *const units[] = {"%",   "ns", "us",	"\xc2\xb5s", "ms",  "s",
					    "min", "h",	 "KiB", "MiB",	     "GiB", "MHz"};

	for (size_t i = 0; i < LENGTH(units); i++) {
		size_t n = strlen(units[i]);

		if (strncmp(text, units[i], n) == 0 && !isalpha((unsigned char)text[n]))
			return true;
	}
	return false;
}

static bool text_is_digit(const char *s)
{
	return isdigit((unsigned char)*s);
}

/* Returns whether this is one of the two blanks in an interval such as "1.03 to 1.32". */
static bool text_in_range(const char *blank, const char *text)
{
	if (blank == text)
		return false;
	if (text_is_digit(blank - 1))
		return strncmp(blank, " to ", 4) == 0 && text_is_digit(blank + 4);
	return blank - text > 3 && strncmp(blank - 3, " to ", 4) == 0 && text_is_digit(blank - 4) &&
	       text_is_digit(blank + 1);
}

/*
 * Returns whether a line may end at this blank. A number and its unit stay together, and so do the
 * ends of an interval.
 */
static bool text_is_break(const char *blank, const char *text)
{
	return *blank == ' ' && !text_in_range(blank, text) &&
	       !(blank > text && text_is_digit(blank - 1) && text_is_unit(blank + 1));
}

/*
 * Breaks a line with letters that are two columns wide, such as Chinese, which has no blanks
 * between words. Returns the columns before the last possible break. `end` is the end of the text
 * that fits.
 */
static int text_wide_line(const char *text, const char *end, int width)
{
	char breaks[2048];
	struct utf8_cell cell;
	const char *s = text;
	int columns = 0, found = 0;

	if ((size_t)(end - text) > sizeof(breaks))
		return 0;
	u8_possible_linebreaks((const uint8_t *)text, (size_t)(end - text), "UTF-8", breaks);
	while (s < end) {
		bool is_break;

		if (columns > width)
			break;
		if (*s == ' ')
			is_break = text_is_break(s, text);
		else
			is_break =
				s > text && s[-1] != ' ' && breaks[s - text] == UC_BREAK_POSSIBLE;
		if (is_break)
			found = columns;
		utf8_next_cell(&s, &cell);
		columns += cell.columns;
	}
	return found;
}

int text_line(const char *text, int width, const char **next)
{
	const char *s = text;
	int columns = 0, words = 0, blank = 0;
	struct utf8_cell cell;
	bool wide = false;

	if (width < 1)
		width = 1;
	while (*s && *s != '\n') {
		if (columns > width)
			break;
		if (*s == ' ')
			blank = columns;
		if (text_is_break(s, text))
			words = columns;
		utf8_next_cell(&s, &cell);
		wide |= cell.columns == 2;
		columns += cell.columns;
	}
	if (columns > width) {
		if (wide)
			columns = text_wide_line(text, s, width);
		else if (words)
			columns = words;
		else
			columns = blank;
	}
	if (columns == 0 && *text && *text != '\n') {
		/* Break within a word. If a letter is wider than the line, half of it is drawn. */
		*next = utf8_skip(text, width);
		columns = 0;
		s = text;
		while (s < *next && utf8_next_cell(&s, &cell))
			columns += cell.columns;
		if (columns == 0)
			columns = utf8_next_cell(next, &cell);
	} else {
		*next = utf8_skip(text, columns);
	}
	if (**next == ' ' || **next == '\n')
		*next += 1;
	return columns;
}

int text_lines(const char *text, int width)
{
	int lines = 0;

	for (; *text; lines++)
		text_line(text, width, &text);
	return lines;
}

int text_draw(struct canvas *canvas, struct rect rect, struct style style, const char *text)
{
	int lines = 0;

	while (*text && lines < rect.h) {
		const char *begin = text;
		int columns = text_line(text, rect.w, &text), end;
		bool cut = *text && lines == rect.h - 1;

		/* If the text has several words, cut it between two words. */
		if (cut && columns > rect.w - 1)
			columns = text_line(begin, rect.w - 1, &text);
		end = canvas_text(canvas, rect.x, rect.y + lines++, columns, style, begin);
		if (cut)
			canvas_put(canvas, end, rect.y + lines - 1, 0x2026, style);
	}
	return lines;
}

int text_paragraph(struct canvas *canvas, struct rect rect, int y, int indent, struct style style,
		   const char **text)
{
	const char *end = strchrnul(*text, '\n');
	int lines = 0;

	do {
		const char *from = *text;
		int x = lines > 0 ? indent : 0;
		int columns = text_line(from, rect.w - x, text), at = y + lines++;

		if (canvas && at >= 0 && at < rect.h)
			canvas_text(canvas, rect.x + x, rect.y + at, columns, style, from);
	} while (*text < end);
	if (*end)
		*text = end + 1;
	else
		*text = end;
	return lines;
}

char *text_fit(char *buf, size_t size, const char *name, int most)
{
	return names_fit(&name, 1, 0, most, TEXT_DOT, buf, size);
}

enum { ROWS = 5, COLUMNS = 3 };

/* Each octal digit is one row of three squares, from the top. */
static const uint16_t digit_shapes[10] = {
	075557, 026227, 071747, 071717, 055711, 074717, 074757, 071111, 075757, 075717,
};
static const uint16_t unknown_shape = 071302;

struct digit {
	uint16_t shape;
	int columns;
};

static struct digit digit_shape(char c)
{
	if (c >= '0' && c <= '9')
		return (struct digit) {digit_shapes[c - '0'], COLUMNS};
	if (c == '.' || c == ',')
		return (struct digit) {1, 1};
	if (c == ':')
		return (struct digit) {01010, 1};
	return (struct digit) {c == '?' ? unknown_shape : 0, COLUMNS};
}

/* Returns whether the digit has a square at this column and row. Below its last row it has none. */
static bool digit_has_square(struct digit digit, int column, int row)
{
	return row < ROWS && digit.shape >> ((ROWS - 1 - row) * 3 + digit.columns - 1 - column) & 1;
}

int digits_rows(int scale)
{
	return (ROWS * scale + 1) / 2;
}

int digits_columns(const char *text, int scale)
{
	int columns = 0;

	for (; *text; text++)
		columns += (digit_shape(*text).columns + 1) * scale;
	if (columns > 0)
		return columns - scale;
	return 0;
}

int digits_draw(struct canvas *canvas, int x, int y, int scale, struct style style,
		const char *text)
{
	int begin = x;

	for (; *text; text++) {
		struct digit digit = digit_shape(*text);

		for (int row = 0; row < digits_rows(scale); row++)
			for (int column = 0; column < digit.columns * scale; column++) {
				bool above =
					digit_has_square(digit, column / scale, 2 * row / scale);
				bool below = digit_has_square(digit, column / scale,
							      (2 * row + 1) / scale);

				if (above && below)
					canvas_put(canvas, x + column, y + row, 0x2588, style);
				else if (above)
					canvas_put(canvas, x + column, y + row, 0x2580, style);
				else if (below)
					canvas_put(canvas, x + column, y + row, 0x2584, style);
			}
		x += (digit.columns + 1) * scale;
	}
	if (x > begin)
		return x - scale;
	return x;
}
