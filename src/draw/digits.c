/* SPDX-License-Identifier: MIT */
#include "draw/digits.h"

enum { ROWS = 5, COLUMNS = 3 };

/* Three bits a row, from the top. */
static const uint16_t shapes[10] = {
	075557, 026227, 071747, 071717, 055711, 074717, 074757, 071111, 075757, 075717,
};
static const uint16_t unknown = 071302;

struct digit {
	uint16_t shape;
	int columns;
};

static struct digit digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (struct digit) {shapes[c - '0'], COLUMNS};
	if (c == '.' || c == ',')
		return (struct digit) {1, 1};
	if (c == ':')
		return (struct digit) {01010, 1};
	return (struct digit) {c == '?' ? unknown : 0, COLUMNS};
}

/* The square of column and row; below the last row there is none. */
static bool is_set(struct digit digit, int column, int row)
{
	return row < ROWS && digit.shape >> ((ROWS - 1 - row) * 3 + digit.columns - 1 - column) & 1;
}

static uint32_t glyph_of(struct digit digit, int column, int upper, int lower)
{
	bool above = is_set(digit, column, upper), below = is_set(digit, column, lower);

	if (above && below)
		return 0x2588;
	return above ? 0x2580 : below ? 0x2584 : 0;
}

int digits_rows(int scale)
{
	return (ROWS * scale + 1) / 2;
}

int digits_columns(const char *text, int scale)
{
	int columns = 0;

	for (; *text; text++)
		columns += (digit_of(*text).columns + 1) * scale;
	return columns > 0 ? columns - scale : 0;
}

int digits_draw(struct canvas *canvas, int x, int y, int scale, struct style style,
		const char *text)
{
	int begin = x;

	for (; *text; text++) {
		struct digit digit = digit_of(*text);

		for (int row = 0; row < digits_rows(scale); row++)
			for (int column = 0; column < digit.columns * scale; column++) {
				uint32_t glyph = glyph_of(digit, column / scale, 2 * row / scale,
							  (2 * row + 1) / scale);

				if (glyph)
					canvas_put(canvas, x + column, y + row, glyph, style);
			}
		x += (digit.columns + 1) * scale;
	}
	return x > begin ? x - scale : x;
}
