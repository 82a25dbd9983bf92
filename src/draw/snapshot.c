/* SPDX-License-Identifier: MIT */
#include "draw/snapshot.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unictype.h>

#include "base/array.h"

enum { CELL_W = 8, CELL_H = 16, MARGIN = 8, BASELINE = 12, FONT = 13 };
enum { SLIDE = 1280 }; /* usual width in pixels */

struct svg {
	const struct canvas *canvas;
	const struct theme *theme;
	FILE *out;
	int left, top; /* the first cell of the canvas that is drawn */
};

/* Cells of one row and one style, to be drawn together. */
struct run {
	int left, top, n;
	const struct cell *cells;
	uint32_t fg;
};

/* Colours */

/* Returns the colour of the background (ground), or of the glyph. */
static uint32_t svg_rgb(const struct svg *svg, const struct style *style, bool ground)
{
	if (ground == !!(style->attr & ATTR_REVERSE))
		return svg->theme->colour[style->fg].rgb;
	return svg->theme->colour[theme_ground(style->bg)].rgb;
}

/* A block glyph, as the part of a cell that it fills, in eighths of the width and height. */

struct block {
	uint32_t glyph;
	int x, y, w, h;
};

static const struct block block_glyphs[] = {
	{0x2580, 0, 0, 8, 4}, {0x2588, 0, 0, 8, 8}, {0x2590, 4, 0, 4, 8}, {0x2594, 0, 0, 8, 1},
	{0x2591, 0, 0, 8, 8}, {0x2592, 0, 0, 8, 8}, {0x2593, 0, 0, 8, 8}, {0x2595, 7, 0, 1, 8},
	{0x2596, 0, 4, 4, 4}, {0x2597, 4, 4, 4, 4}, {0x2598, 0, 0, 4, 4}, {0x259d, 4, 0, 4, 4},
	{0x25a0, 1, 2, 6, 4},
};

static bool find_block(uint32_t glyph, struct block *block)
{
	if (glyph >= 0x2581 && glyph <= 0x2587) {
		int eighths = (int)(glyph - 0x2580);

		*block = (struct block) {glyph, 0, 8 - eighths, 8, eighths};
		return true;
	}
	if (glyph >= 0x2589 && glyph <= 0x258f) {
		*block = (struct block) {glyph, 0, 0, (int)(0x2590 - glyph), 8};
		return true;
	}
	for (size_t i = 0; i < LENGTH(block_glyphs); i++) {
		*block = block_glyphs[i];
		if (block->glyph == glyph)
			return true;
	}
	return false;
}

static void svg_draw_rect(const struct svg *svg, int x, int y, int w, int h, uint32_t rgb,
			  int percent)
{
	fprintf(svg->out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"", x, y,
		w, h, rgb);
	if (percent < 100)
		fprintf(svg->out, " fill-opacity=\".%d\"", percent);
	fputs("/>\n", svg->out);
}

/*
 * Draws blocks. Equal blocks that fill the width of their cells become one shape, so that there are
 * no seams.
 */
static void svg_draw_blocks(const struct svg *svg, const struct run *run)
{
	uint32_t glyph = run->cells[0].glyph;
	int percent = 100;
	struct block block;

	if (glyph >= 0x2591 && glyph <= 0x2593)
		percent = (int)(glyph - 0x2590) * 25;
	find_block(glyph, &block);
	if (block.w == 8) {
		svg_draw_rect(svg, run->left + block.x, run->top + block.y * 2, run->n * CELL_W,
			      block.h * 2, run->fg, percent);
		return;
	}
	for (int i = 0; i < run->n; i++)
		svg_draw_rect(svg, run->left + i * CELL_W + block.x, run->top + block.y * 2,
			      block.w, block.h * 2, run->fg, percent);
}

/* Draws braille as a path. Each dot is a very short line with round ends. */

static void svg_draw_braille(const struct svg *svg, const struct run *run)
{
	/*
	 * Unicode numbers the dots down the left column, down the right one, then along the lowest
	 * row.
	 */
	static const struct {
		int x, y;
	} dots[8] = {{2, 2}, {2, 6}, {2, 10}, {6, 2}, {6, 6}, {6, 10}, {2, 14}, {6, 14}};

	fputs("<path d=\"", svg->out);
	for (int i = 0; i < run->n; i++)
		for (int dot = 0; dot < 8; dot++)
			if (run->cells[i].glyph >> dot & 1)
				fprintf(svg->out, "M%d %dh.01",
					run->left + i * CELL_W + dots[dot].x,
					run->top + dots[dot].y);
	fprintf(svg->out, "\" stroke=\"#%06x\" stroke-width=\"2.8\" stroke-linecap=\"round\"/>\n",
		run->fg);
}

/* Glyphs of box lines. Their arms go from the middle of the cell to its sides. */

enum { LEFT = 1, SNAPSHOT_RIGHT = 2, UP = 4, DOWN = 8, HEAVY = 16, DOUBLE = 32, ROUND = 64 };
enum { ACROSS = LEFT | SNAPSHOT_RIGHT, UPDOWN = UP | DOWN };

struct line {
	uint32_t glyph;
	uint8_t arms;
	uint8_t dash; /* number of dashes; 0: a solid line */
};

/* clang-format off */
static const struct line line_glyphs[] = {
	{0x2500, ACROSS},                {0x2501, ACROSS | HEAVY},        {0x2502, UPDOWN},
	{0x2503, UPDOWN | HEAVY},        {0x2504, ACROSS, 3},             {0x2505, ACROSS | HEAVY, 3},
	{0x2506, UPDOWN, 3},             {0x2508, ACROSS, 4},             {0x2509, ACROSS | HEAVY, 4},
	{0x250a, UPDOWN, 4},             {0x250c, SNAPSHOT_RIGHT | DOWN},          {0x2510, LEFT | DOWN},
	{0x2514, SNAPSHOT_RIGHT | UP},            {0x2518, LEFT | UP},             {0x251c, UPDOWN | SNAPSHOT_RIGHT},
	{0x2524, UPDOWN | LEFT},         {0x252c, ACROSS | DOWN},         {0x2534, ACROSS | UP},
	{0x253c, ACROSS | UPDOWN},       {0x254c, ACROSS, 2},             {0x254d, ACROSS | HEAVY, 2},
	{0x254e, UPDOWN, 2},             {0x2550, ACROSS | DOUBLE},       {0x256d, SNAPSHOT_RIGHT | DOWN | ROUND},
	{0x256e, LEFT | DOWN | ROUND},   {0x256f, LEFT | UP | ROUND},     {0x2570, SNAPSHOT_RIGHT | UP | ROUND},
	{0x2574, LEFT},                  {0x2575, UP},                    {0x2576, SNAPSHOT_RIGHT},
	{0x2577, DOWN},                  {0x2578, LEFT | HEAVY},          {0x257a, SNAPSHOT_RIGHT | HEAVY},
};
/* clang-format on */

static const struct line *find_box_line(uint32_t glyph)
{
	for (size_t i = 0; i < LENGTH(line_glyphs); i++)
		if (line_glyphs[i].glyph == glyph)
			return &line_glyphs[i];
	return NULL;
}

static void svg_draw_lines(const struct svg *svg, const struct run *run)
{
	const struct line *line = find_box_line(run->cells[0].glyph);
	const int arms = line->arms;
	bool across = !(arms & (UP | DOWN)) && arms & LEFT && arms & SNAPSHOT_RIGHT;
	int length = CELL_H, from = 0, to = 0, above = 0, below = 0, paths = run->n;

	if (arms & LEFT)
		from = -4;
	if (arms & SNAPSHOT_RIGHT)
		to = CELL_W - 4;
	if (arms & UP)
		above = 8;
	if (arms & DOWN)
		below = 8;
	/* Draw a horizontal line as one path for all its cells. */
	if (across) {
		length = CELL_W;
		to = run->n * CELL_W - 4;
		paths = 1;
	}
	fputs("<path d=\"", svg->out);
	for (int i = 0; i < paths; i++) {
		int x = run->left + i * CELL_W + 4, y = run->top + 8;

		if (arms & ROUND) /* An arc from the middle of one side to the middle of another. */
			fprintf(svg->out, "M%d %dQ%d %d %d %d", arms & LEFT ? x - 4 : x + 4, y, x,
				y, x, y - above + below);
		else if (arms & DOUBLE)
			fprintf(svg->out, "M%d %dh%dM%d %dh%d", x + from, y - 2, to - from,
				x + from, y + 2, to - from);
		else if (to > from)
			fprintf(svg->out, "M%d %dh%d", x + from, y, to - from);
		if (!(arms & ROUND) && arms & (UP | DOWN))
			fprintf(svg->out, "M%d %dv%d", x, y - above, above + below);
	}
	fprintf(svg->out, "\" stroke=\"#%06x\" stroke-width=\"%s\"", run->fg,
		arms & HEAVY ? "3" : "1.2");
	if (line->dash)
		fprintf(svg->out, " stroke-dasharray=\"%d.%d %d.%d\"", length * 6 / 10 / line->dash,
			length * 6 / line->dash % 10, length * 4 / 10 / line->dash,
			length * 4 / line->dash % 10);
	fputs("/>\n", svg->out);
}

/* Text */

static void svg_write_glyph(const struct svg *svg, const struct cell *cell)
{
	const uint32_t glyph = cell->glyph;

	if (glyph == '&' || glyph == '<' || glyph == '>' || glyph == '"')
		fprintf(svg->out, "&#%u;", glyph);
	else if (glyph < 0x80)
		fputc(glyph >= ' ' ? (int)glyph : ' ', svg->out);
	else
		fprintf(svg->out, "&#x%x;", glyph);
	for (int i = 0; i < UTF8_MARKS; i++) {
		if (!cell->marks[i])
			break;
		fprintf(svg->out, "&#x%x;", cell->marks[i]);
	}
}

static void svg_open_text(const struct svg *svg, const struct run *run)
{
	fprintf(svg->out, "<text y=\"%d\" fill=\"#%06x\"", run->top + BASELINE, run->fg);
	if (run->cells[0].style.attr & ATTR_BOLD)
		fputs(" font-weight=\"bold\"", svg->out);
	if (run->cells[0].style.attr & ATTR_UNDERLINE)
		fputs(" text-decoration=\"underline\"", svg->out);
}

/* Runs */

/* WORD: letters that may join or be written from right to left. They are drawn as one text. */
enum kind { BLANK, SNAPSHOT_TEXT, WORD, SIGN, SNAPSHOT_BLOCK, BRAILLE, LINE };

static enum kind cell_kind(const struct cell *cell)
{
	const uint32_t glyph = cell->glyph;
	struct block block;

	if (glyph == 0 || glyph == ' ' || glyph == 0xa0 || glyph == 0x2800)
		return BLANK;
	if (glyph < 0x500)
		return SNAPSHOT_TEXT;
	if (glyph > 0x2800 && glyph <= 0x28ff)
		return BRAILLE;
	if (find_box_line(glyph))
		return LINE;
	if (find_block(glyph, &block))
		return SNAPSHOT_BLOCK;
	/* A letter of any script, or a mark on a letter. */
	if (!cell->wide &&
	    uc_is_general_category_withtable(glyph, UC_CATEGORY_MASK_L | UC_CATEGORY_MASK_M))
		return WORD;
	return SIGN;
}

static const struct cell *svg_cells(const struct svg *svg, int y)
{
	return svg->canvas->cells + (size_t)y * (size_t)svg->canvas->width;
}

/*
 * Draws the cells from … to - 1 of a row, without their backgrounds. Neighbouring cells of one kind
 * and one style become one element.
 */
static void svg_draw_glyphs(const struct svg *svg, int y, int from, int to)
{
	const struct cell *cells = svg_cells(svg, y);
	struct run run = {.top = svg->top + y * CELL_H};
	enum kind kind;

	for (int x = from; x < to; x += run.n) {
		run.left = svg->left + x * CELL_W;
		run.cells = cells + x;
		run.fg = svg_rgb(svg, &run.cells->style, false);
		kind = cell_kind(run.cells);
		for (run.n = 1; x + run.n < to; run.n++) {
			const struct cell *next = &run.cells[run.n];

			if (memcmp(&next->style, &run.cells->style, sizeof(next->style)) ||
			    kind != cell_kind(next))
				break;
			if (kind != SNAPSHOT_TEXT && kind != WORD && kind != BRAILLE &&
			    next->glyph != run.cells->glyph)
				break;
		}
		switch (kind) {
		case BLANK:
			break;
		case SNAPSHOT_TEXT:
		case WORD:
			svg_open_text(svg, &run);
			fprintf(svg->out, " x=\"%d\" textLength=\"%d\">", run.left, run.n * CELL_W);
			for (int i = 0; i < run.n; i++)
				svg_write_glyph(svg, &run.cells[i]);
			fputs("</text>\n", svg->out);
			break;
		case SIGN:
			/* Another font may draw the glyph, so centre it in its cell. */
			for (int i = 0; i < run.n; i++) {
				svg_open_text(svg, &run);
				fprintf(svg->out, " x=\"%d\" text-anchor=\"middle\">",
					run.left + i * CELL_W +
						(1 + run.cells[i].wide) * CELL_W / 2);
				svg_write_glyph(svg, &run.cells[i]);
				fputs("</text>\n", svg->out);
			}
			break;
		case SNAPSHOT_BLOCK:
			svg_draw_blocks(svg, &run);
			break;
		case BRAILLE:
			svg_draw_braille(svg, &run);
			break;
		case LINE:
			svg_draw_lines(svg, &run);
			break;
		}
	}
}

void snapshot_part(const struct canvas *canvas, const struct theme *theme, struct rect part,
		   int lower, FILE *out)
{
	const struct svg svg = {canvas, theme, out, MARGIN, MARGIN + lower};
	const int to = part.x + part.w;

	for (int y = part.y; y < part.y + part.h; y++) {
		const struct cell *cells = svg_cells(&svg, y);

		for (int x = part.x, n; x < to; x += n) {
			const struct style *style = &cells[x].style;
			uint32_t rgb = svg_rgb(&svg, style, true);

			for (n = 1; x + n < to; n++)
				if (svg_rgb(&svg, &cells[x + n].style, true) != rgb)
					break;
			if (style->bg != COLOUR_DEFAULT || style->attr & ATTR_REVERSE)
				svg_draw_rect(&svg, svg.left + x * CELL_W, svg.top + y * CELL_H,
					      n * CELL_W, CELL_H, rgb, 100);
		}
	}
	for (int y = part.y; y < part.y + part.h; y++)
		svg_draw_glyphs(&svg, y, part.x, to);
}

struct rect snapshot_place(struct rect part)
{
	return RECT(MARGIN + part.x * CELL_W, MARGIN + part.y * CELL_H, part.w * CELL_W,
		    part.h * CELL_H);
}

/*
 * Begins a picture of the canvas with margins. On a slide, the picture is in the middle of 16:9.
 * Crisp edges avoid seams between the rows of a bar at any size.
 */
static void svg_begin(const struct canvas *canvas, const struct theme *theme, bool slide, FILE *out)
{
	const double own_w = canvas->width * CELL_W + 2 * MARGIN;
	const double own_h = canvas->height * CELL_H + 2 * MARGIN;
	double w = own_w, h = own_h, width = own_w, x, y;

	if (slide) {
		w = fmax(own_w, own_h * 16 / 9);
		h = w * 9 / 16;
		width = SLIDE;
	}
	x = (own_w - w) / 2;
	y = (own_h - h) / 2;
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		"viewBox=\"%g %g %g %g\" fill=\"none\" font-family=\"DejaVu Sans Mono, Menlo, "
		"Consolas, monospace\" font-size=\"%d\">\n"
		"<style>rect{shape-rendering:crispEdges}</style>\n",
		width, width * h / w, x, y, w, h, FONT);
	fprintf(out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#%06x\"/>\n<g>\n",
		x, y, w, h, theme->colour[COLOUR_GROUND].rgb);
}

void snapshot_begin(const struct canvas *canvas, const struct theme *theme, FILE *out)
{
	svg_begin(canvas, theme, false, out);
}

int snapshot_end(FILE *out)
{
	fputs("</g>\n</svg>\n", out);
	if (fflush(out)) {
		if (errno)
			return -errno;
		return -EIO;
	}
	if (ferror(out))
		return -EIO;
	return 0;
}

static int svg_write(const struct canvas *canvas, const struct theme *theme, bool slide, FILE *out)
{
	svg_begin(canvas, theme, slide, out);
	snapshot_part(canvas, theme, RECT(0, 0, canvas->width, canvas->height), 0, out);
	return snapshot_end(out);
}

int snapshot_svg(const struct canvas *canvas, const struct theme *theme, FILE *out)
{
	return svg_write(canvas, theme, false, out);
}

int snapshot_slide(const struct canvas *canvas, const struct theme *theme, FILE *out)
{
	return svg_write(canvas, theme, true, out);
}
