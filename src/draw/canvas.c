/* SPDX-License-Identifier: MIT */
#include "draw/canvas.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"

int canvas_resize(struct canvas *canvas, int width, int height)
{
	struct cell *cells;

	if (width < 0)
		width = 0;
	if (height < 0)
		height = 0;
	if (canvas->cells && width == canvas->width && height == canvas->height) {
		canvas_clear(canvas);
		return 0;
	}
	cells = calloc((size_t)width * (size_t)height + 1, sizeof(*cells));
	if (!cells)
		return -ENOMEM;
	free(canvas->cells);
	canvas->width = width;
	canvas->height = height;
	canvas->cells = cells;
	return 0;
}

void canvas_free(struct canvas *canvas)
{
	free(canvas->cells);
	*canvas = (struct canvas) {0};
}

void canvas_clear(struct canvas *canvas)
{
	size_t n = (size_t)canvas->width * (size_t)canvas->height;

	if (n)
		memset(canvas->cells, 0, n * sizeof(*canvas->cells));
}

bool canvas_same_cell(const struct cell *a, const struct cell *b)
{
	_Static_assert(sizeof(*a) == 12, "no bytes between the members");
	return memcmp(a, b, sizeof(*a)) == 0;
}

static void canvas_set_cell(struct canvas *canvas, int x, int y, struct cell put)
{
	struct cell *cell = &canvas->cells[(size_t)y * (size_t)canvas->width + (size_t)x];

	/* If one half of a wide letter is overwritten, the other half becomes '?'. */
	if (x > 0 && cell[-1].wide) {
		cell[-1].glyph = '?';
		cell[-1].wide = false;
	}
	*cell = put;
}

void canvas_put(struct canvas *canvas, int x, int y, uint32_t glyph, struct style style)
{
	if (x >= 0 && y >= 0 && x < canvas->width && y < canvas->height)
		canvas_set_cell(canvas, x, y, (struct cell) {.glyph = glyph, .style = style});
}

void canvas_point(struct canvas *canvas, int x, int y, uint32_t glyph, struct style style)
{
	const struct cell *cell;

	if (x < 0 || y < 0 || x >= canvas->width || y >= canvas->height)
		return;
	cell = &canvas->cells[y * canvas->width + x];
	if (cell->glyph > ' ') {
		glyph = cell->glyph;
		style.attr |= ATTR_REVERSE;
	}
	canvas_put(canvas, x, y, glyph, style);
}

int canvas_text(struct canvas *canvas, int x, int y, int width, struct style style,
		const char *text)
{
	struct utf8_cell next;
	int end = canvas->width;

	if (width >= 0 && width <= canvas->width - x)
		end = x + width;
	for (; x < end; x += next.columns) {
		if (!utf8_next_cell(&text, &next))
			break;
		if (x + next.columns > end) {
			canvas_put(canvas, x, y, '?', style);
			return end;
		}
		if (x < 0 || y < 0 || y >= canvas->height)
			continue;
		if (next.columns == 2)
			canvas_put(canvas, x + 1, y, 0, style);
		canvas_set_cell(canvas, x, y,
				(struct cell) {.glyph = next.glyph,
					       .marks = {next.marks[0], next.marks[1]},
					       .style = style,
					       .wide = next.columns == 2});
	}
	return x;
}

int canvas_printf(struct canvas *canvas, int x, int y, int width, struct style style,
		  const char *format, ...)
{
	char buf[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(buf, sizeof(buf), format, args);
	va_end(args);
	return canvas_text(canvas, x, y, width, style, buf);
}

int canvas_right(struct canvas *canvas, int x, int y, struct style style, const char *text)
{
	int begin = x - utf8_columns(text);

	canvas_text(canvas, begin, y, x - begin, style, text);
	return begin;
}

void canvas_hline(struct canvas *canvas, int x, int y, int width, uint32_t glyph,
		  struct style style)
{
	canvas_fill(canvas, RECT(x, y, width, 1), glyph, style);
}

void canvas_fill(struct canvas *canvas, struct rect rect, uint32_t glyph, struct style style)
{
	int left = MAX(0, rect.x);
	int top = MAX(0, rect.y);
	int right = rect.w > canvas->width - rect.x ? canvas->width : rect.x + rect.w;
	int bottom = rect.h > canvas->height - rect.y ? canvas->height : rect.y + rect.h;

	for (int y = top; y < bottom; y++)
		for (int x = left; x < right; x++)
			canvas_put(canvas, x, y, glyph, style);
}

/*
 * Writes text into the top line of a box, within x … end, with a blank on both sides. Returns the
 * column after the text.
 */
static int canvas_caption(struct canvas *canvas, int x, int y, int end, struct style style,
			  const char *text)
{
	if (end - x < 3)
		return x;
	canvas_put(canvas, x, y, ' ', style);
	x = canvas_text(canvas, x + 1, y, end - x - 2, style, text);
	canvas_put(canvas, x, y, ' ', style);
	return x + 1;
}

void canvas_box(struct canvas *canvas, struct rect rect, struct style border, const char *title,
		struct style title_style, const char *note)
{
	int x = rect.x + 2, end = rect.x + rect.w - 2;
	int right = rect.x + rect.w - 1, bottom = rect.y + rect.h - 1;

	if (rect.w < 2 || rect.h < 2)
		return;
	canvas_hline(canvas, rect.x + 1, rect.y, rect.w - 2, 0x2500, border);
	canvas_hline(canvas, rect.x + 1, bottom, rect.w - 2, 0x2500, border);
	canvas_fill(canvas, RECT(rect.x, rect.y + 1, 1, rect.h - 2), 0x2502, border);
	canvas_fill(canvas, RECT(right, rect.y + 1, 1, rect.h - 2), 0x2502, border);
	canvas_put(canvas, rect.x, rect.y, 0x256d, border);
	canvas_put(canvas, right, rect.y, 0x256e, border);
	canvas_put(canvas, rect.x, bottom, 0x2570, border);
	canvas_put(canvas, right, bottom, 0x256f, border);
	if (title && *title)
		x = canvas_caption(canvas, x, rect.y, end, title_style, title);
	if (note && *note && utf8_columns(note) + 3 <= end - x)
		canvas_caption(canvas, end - utf8_columns(note) - 2, rect.y, end, title_style,
			       note);
}

struct twin {
	uint32_t glyph;
	char ascii;
};

static const struct twin twins[] = {
	{0xa0, ' '},	{0xb0, 'o'},	{0xb1, '~'},   {0xb2, '2'},   {0xb5, 'u'},   {0xb7, '.'},
	{0xd7, 'x'},	{0x2010, '-'},	{0x2011, '-'}, {0x2012, '-'}, {0x2013, '-'}, {0x2014, '-'},
	{0x2018, '\''}, {0x2019, '\''}, {0x201c, '"'}, {0x201d, '"'}, {0x2022, '*'}, {0x2026, '.'},
	{0x2190, '<'},	{0x2191, '^'},	{0x2192, '>'}, {0x2193, 'v'}, {0x2248, '~'}, {0x2264, '<'},
	{0x2265, '>'},	{0x2500, '-'},	{0x2501, '='}, {0x2502, '|'}, {0x2503, '!'}, {0x2504, '.'},
	{0x2505, '='},	{0x2506, ':'},	{0x2508, '.'}, {0x2509, '='}, {0x250a, ';'}, {0x251c, '|'},
	{0x2524, '|'},	{0x253c, '+'},	{0x254c, ','}, {0x254d, '='}, {0x254e, ':'}, {0x2550, '~'},
	{0x2551, '|'},	{0x2574, '-'},	{0x2575, '|'}, {0x2576, '-'}, {0x2577, '|'}, {0x2578, '='},
	{0x257a, '='},	{0x257b, '|'},	{0x2580, '"'}, {0x2596, ':'}, {0x2598, '"'}, {0x2588, '#'},
	{0x2590, '['},	{0x2591, '-'},	{0x2592, ':'}, {0x2593, '+'}, {0x25a0, '#'}, {0x25aa, '#'},
	{0x25b2, '^'},	{0x25b4, '^'},	{0x25b6, '>'}, {0x25b8, '>'}, {0x25bc, 'v'}, {0x25be, 'v'},
	{0x25c0, '<'},	{0x25c2, '<'},	{0x25c6, '%'}, {0x25c7, 'o'}, {0x25cb, 'o'}, {0x25cf, '*'},
	{0x2605, '&'},	{0x271a, '+'},	{0x2713, '+'}, {0x2717, 'x'},
};

static bool canvas_is_eighths(uint32_t glyph)
{
	return glyph >= 0x2581 && glyph <= 0x2587;
}

static bool canvas_is_split(uint32_t glyph)
{
	return glyph >= 0x2589 && glyph <= 0x258f;
}

/* Whether the glyph is one of ▖ … ▟, which fill some of a cell's quarters. */
static bool canvas_is_quarters(uint32_t glyph)
{
	return glyph >= 0x2596 && glyph <= 0x259f;
}

/* The half block, or full block, that covers the quarters. */
static uint32_t canvas_quarters_block(uint32_t glyph)
{
	if (glyph <= 0x2597)
		return 0x2584;
	if (glyph == 0x2598 || glyph == 0x259d)
		return 0x2580;
	return 0x2588;
}

static uint32_t canvas_ascii(uint32_t glyph)
{
	if (glyph < 0x7f)
		return glyph;
	if (canvas_is_quarters(glyph))
		glyph = canvas_quarters_block(glyph);
	if (glyph >= 0x2800 && glyph <= 0x28ff) {
		/*
		 * Choose the ASCII sign by the number and position of the dots, so that an area
		 * keeps its shape.
		 */
		uint32_t dots = glyph & 0xff;
		int n = __builtin_popcount(dots);

		if (n == 0)
			return ' ';
		if (n <= 2 && !(dots & 0x1b))
			return '.';
		if (n <= 2 && !(dots & 0xe4))
			return '\'';
		if (n <= 4)
			return ':';
		if (n <= 6)
			return '+';
		return '#';
	}
	if (canvas_is_eighths(glyph))
		return (uint32_t) "_:+#"[(glyph - 0x2581) / 2];
	if (canvas_is_split(glyph)) {
		if (glyph <= 0x258c)
			return '#';
		return '|';
	}
	for (size_t i = 0; i < LENGTH(twins); i++)
		if (twins[i].glyph == glyph)
			return (uint32_t)twins[i].ascii;
	/* All other box glyphs are corners or crossings. */
	if (glyph >= 0x250c && glyph <= 0x2570)
		return '+';
	return '?';
}

/*
 * Gives the whole cell the colour of its larger part, for a screen that cannot show a second colour
 * in a cell. The cell is split at a multiple of an eighth of its width.
 */
static void canvas_merge_split(struct cell *cell)
{
	const int eighths = 0x2590 - (int)cell->glyph;

	if (cell->style.bg == COLOUR_DEFAULT || cell->style.bg == COLOUR_PANEL)
		return;
	if (eighths < 4)
		cell->style.fg = cell->style.bg;
	cell->style.bg = COLOUR_DEFAULT;
	cell->glyph = 0x2588;
}

void canvas_merge(struct cell *cell)
{
	if (canvas_is_split(cell->glyph)) {
		canvas_merge_split(cell);
		return;
	}
	if (cell->style.bg == COLOUR_DEFAULT || cell->style.bg == COLOUR_PANEL ||
	    cell->style.bg == COLOUR_READY_BED || cell->style.bg == COLOUR_THROTTLED_BED ||
	    !canvas_is_eighths(cell->glyph))
		return;
	if (cell->glyph < 0x2584)
		cell->style.fg = cell->style.bg;
	cell->style.bg = COLOUR_DEFAULT;
	/*
	 * Draw a worker that waits to be joined as a shade, because a full block would look as if
	 * it were on a core.
	 */
	if (cell->style.fg == COLOUR_WAITING)
		cell->glyph = 0x2593;
	else
		cell->glyph = 0x2588;
}

static void canvas_cell_to_ascii(struct cell *cell)
{
	canvas_merge(cell);
	/* Drop the background, which would turn the ASCII sign into a solid block. */
	if (cell->style.bg != COLOUR_PANEL)
		cell->style.bg = COLOUR_DEFAULT;
	if (*cell->marks)
		cell->glyph = '?';
	else
		cell->glyph = canvas_ascii(cell->glyph);
	if (cell->glyph == '#' && cell->style.fg == COLOUR_WAITING)
		cell->glyph = '+';
}

/*
 * Returns the block for a braille glyph. One or two dots become a middle dot. More dots become the
 * half block that covers all of them; if none does, a shade or a full block.
 */
static uint32_t canvas_braille_block(uint32_t dots)
{
	const int n = __builtin_popcount(dots);

	if (n == 0)
		return ' ';
	if (n <= 2)
		return 0xb7;
	if (!(dots & 0xe4))
		return 0x2580;
	if (!(dots & 0x1b))
		return 0x2584;
	if (!(dots & 0xb8))
		return 0x258c;
	if (!(dots & 0x47))
		return 0x2590;
	if (n <= 4)
		return 0x2592;
	if (n <= 6)
		return 0x2593;
	return 0x2588;
}

static uint32_t canvas_block(uint32_t glyph)
{
	/* The glyphs ▁ … ▇, then ▉ … ▏. */
	static const uint32_t lower[] = {'_', '_', 0x2584, 0x2584, 0x2584, 0x2588, 0x2588};
	static const uint32_t left[] = {0x2588, 0x2588, 0x258c, 0x258c, 0x258c, 0x258c, 0x2502};
	/* Rounded corners become square. */
	static const uint32_t corners[] = {0x250c, 0x2510, 0x2518, 0x2514};
	static const uint32_t same[] = {0xb0,	0xb1,	0xb2,	0xb5,	0xb7,	0x2500,
					0x2502, 0x250c, 0x2510, 0x2514, 0x2518, 0x251c,
					0x2524, 0x252c, 0x2534, 0x253c, 0x2580, 0x2588,
					0x2590, 0x2591, 0x2592, 0x2593};

	if (glyph >= 0x2800 && glyph <= 0x28ff)
		return canvas_braille_block(glyph & 0xff);
	if (canvas_is_eighths(glyph))
		return lower[glyph - 0x2581];
	if (glyph >= 0x2589 && glyph <= 0x258f)
		return left[glyph - 0x2589];
	if (glyph >= 0x256d && glyph <= 0x2570)
		return corners[glyph - 0x256d];
	for (size_t i = 0; i < LENGTH(same); i++)
		if (same[i] == glyph)
			return glyph;
	if (glyph == 0x25a0 || glyph == 0x25aa)
		return 0x2588;
	if (canvas_is_quarters(glyph))
		return canvas_quarters_block(glyph);
	return canvas_ascii(glyph);
}

/*
 * Draws a split cell in reversed video, whose colour is on the right: as a full block, a right half
 * block or a blank.
 */
static void canvas_turn_split(struct cell *cell, enum glyphs glyphs)
{
	const int eighths = 0x2590 - (int)cell->glyph;

	if (!canvas_is_split(cell->glyph) || !(cell->style.attr & ATTR_REVERSE))
		return;
	cell->style.attr &= (uint8_t)~ATTR_REVERSE;
	if (eighths < (glyphs == GLYPHS_ASCII ? 4 : 3))
		cell->glyph = 0x2588;
	else if (glyphs == GLYPHS_ASCII)
		cell->glyph = ' ';
	else
		cell->glyph = 0x2590;
}

void canvas_reduce(struct canvas *canvas)
{
	const size_t n = (size_t)canvas->width * (size_t)canvas->height;

	if (canvas->glyphs == GLYPHS_ALL)
		return;
	for (size_t i = 0; i < n; i++) {
		struct cell *cell = &canvas->cells[i];

		canvas_turn_split(cell, canvas->glyphs);
		if (cell->wide)
			cell[1].glyph = '?';
		if (canvas->glyphs == GLYPHS_ASCII)
			canvas_cell_to_ascii(cell);
		else if (*cell->marks)
			cell->glyph = '?';
		else
			cell->glyph = canvas_block(cell->glyph);
		cell->wide = false;
		memset(cell->marks, 0, sizeof(cell->marks));
	}
}

void canvas_to_ascii(struct canvas *canvas)
{
	const enum glyphs before = canvas->glyphs;

	canvas->glyphs = GLYPHS_ASCII;
	canvas_reduce(canvas);
	canvas->glyphs = before;
}

char *canvas_encode(const struct cell *cell, char *buf)
{
	buf += strlen(utf8_put(cell->glyph < ' ' ? ' ' : cell->glyph, buf));
	for (int i = 0; i < UTF8_MARKS; i++) {
		if (!cell->marks[i])
			break;
		buf += strlen(utf8_put(cell->marks[i], buf));
	}
	return buf;
}

char *canvas_to_text(const struct canvas *canvas)
{
	size_t line = (size_t)canvas->width * CANVAS_BYTES + 1;
	char *text = malloc(line * (size_t)canvas->height + 1);
	char *out = text, *end = text;

	if (!text)
		return NULL;
	for (int y = 0; y < canvas->height; y++) {
		const struct cell *cells = canvas->cells + (size_t)y * (size_t)canvas->width;

		for (int x = 0; x < canvas->width; x++) {
			uint32_t glyph = cells[x].glyph;

			out = canvas_encode(&cells[x], out);
			x += cells[x].wide;
			if (glyph != 0 && glyph != ' ' && glyph != 0x2800)
				end = out;
		}
		*end++ = '\n';
		out = end; /* Drop the blanks at the end of the line. */
	}
	*out = '\0';
	return text;
}
