/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/utf8.h"

/*
 * A grid of cells, each with a glyph and a style. Views draw on it. The screen copies the changed
 * cells to the terminal, a snapshot writes the cells as text and SVG, and tests compare them. The
 * canvas does not depend on a terminal. Every drawing call clips to the canvas, so any coordinate
 * is valid.
 */

/* Colours by their meaning. A theme defines how each of them looks. */
enum colour {
	COLOUR_DEFAULT,
	COLOUR_DIM, /* labels, axes, secondary text */
	COLOUR_BORDER,
	COLOUR_TITLE,
	COLOUR_KEY,    /* a key in the bottom line */
	COLOUR_MODEL0, /* A hue for each compared case, the same in every view: model_identity(). */
	COLOUR_MODEL1,
	COLOUR_MODEL2,
	COLOUR_MODEL3,
	COLOUR_MODEL4,
	COLOUR_MODEL5,
	COLOUR_MODEL6,
	COLOUR_MODEL7,
	/* States of a worker. */
	COLOUR_CREATED,
	COLOUR_QUEUED, /* created but not started, in rows that show many workers */
	COLOUR_CPU,    /* running, cpu work */
	COLOUR_IO,     /* running, io work */
	COLOUR_FP,
	COLOUR_MEM,
	COLOUR_WRITE,
	COLOUR_OTHER, /* running, other work */
	COLOUR_FINISHED,
	COLOUR_WAITING, /* finished and waiting to be joined, in rows that show many workers */
	/* Levels of a tree above its leaves. The leaves have the hue of their model. */
	COLOUR_LEVEL0,
	COLOUR_LEVEL1,
	COLOUR_LEVEL2,
	/* Load of a core. */
	COLOUR_USER,
	COLOUR_SYSTEM,
	COLOUR_IOWAIT,
	COLOUR_STEAL,
	/* Verdicts and messages. */
	COLOUR_GOOD,
	COLOUR_WARN,
	COLOUR_BAD,
	/* Lanes of workers. */
	COLOUR_READY,	  /* runnable, but without a core */
	COLOUR_READY_BED, /* The state of COLOUR_READY, as a background. */
	COLOUR_THROTTLED, /* runnable, but the run's quota keeps it from the cores */
	COLOUR_THROTTLED_BED,
	COLOUR_WORKER0, /* The first of eight colours for workers, see plot_worker_colour(). */
	COLOUR_WORKER1,
	COLOUR_WORKER2,
	COLOUR_WORKER3,
	COLOUR_WORKER4,
	COLOUR_WORKER5,
	COLOUR_WORKER6,
	COLOUR_WORKER7,
	COLOUR_PANEL, /* background of help and of the selected row */
	/* The screen's own background, which a style with .bg = COLOUR_DEFAULT has, too. */
	COLOUR_GROUND,
	COLOURS
};

enum { ATTR_BOLD = 1, ATTR_REVERSE = 2, ATTR_UNDERLINE = 4 };

struct style {
	uint8_t fg, bg; /* enum colour */
	uint8_t attr;
};

struct cell {
	uint32_t glyph; /* Unicode; 0 is a blank */
	struct style style;
	/* The glyph also covers the next cell, which has no glyph of its own. */
	bool wide;
	uint16_t marks[UTF8_MARKS]; /* Combining marks on the glyph; 0: none. */
};

/* The glyphs that a terminal's font can show. */
enum glyphs {
	GLYPHS_ALL,
	/*
	 * Glyphs of the Linux console's font: ASCII, lines, square corners and crossings, █ ▌ ▐ ▀ ▄
	 * ░ ▒ ▓, …
	 */
	GLYPHS_BLOCKS,
	GLYPHS_ASCII,
};

struct canvas {
	int width, height;
	struct cell *cells; /* row by row, from the top */
	enum glyphs glyphs; /* Glyphs that the terminal can show, see canvas_reduce(). */
};

struct rect {
	int x, y, w, h;
};

static inline bool rect_has(const struct rect *rect, int x, int y)
{
	return x >= rect->x && x < rect->x + rect->w && y >= rect->y && y < rect->y + rect->h;
}

#define RECT(x_, y_, w_, h_) ((struct rect) {(x_), (y_), (w_), (h_)})

#define STYLE(fg_)	((struct style) {.fg = (fg_)})
#define STYLE_BOLD(fg_) ((struct style) {.fg = (fg_), .attr = ATTR_BOLD})
/* PLAIN is for text to be read. DIM is for labels, units and other secondary text. */
#define PLAIN STYLE(COLOUR_DEFAULT)
#define DIM   STYLE(COLOUR_DIM)

/*
 * Sets the size and clears the canvas. Returns 0, or -ENOMEM with the old size. A zeroed canvas is
 * valid.
 */
int canvas_resize(struct canvas *canvas, int width, int height);
void canvas_free(struct canvas *canvas);
void canvas_clear(struct canvas *canvas);
bool canvas_same_cell(const struct cell *a, const struct cell *b);

/* Draws a glyph of one column. */
void canvas_put(struct canvas *canvas, int x, int y, uint32_t glyph, struct style style);
/*
 * Marks a cell in that style, for instance where the cursor is. A blank cell gets the glyph; any
 * other cell keeps its own glyph and is reversed.
 */
void canvas_point(struct canvas *canvas, int x, int y, uint32_t glyph, struct style style);
/*
 * Draws UTF-8 text, in at most width columns (-1: up to the edge). utf8_next_cell() decides what
 * shares a cell. A wide character that is cut off at the end of the columns becomes '?'. Returns
 * the column after the text.
 */
int canvas_text(struct canvas *canvas, int x, int y, int width, struct style style,
		const char *text);
int canvas_printf(struct canvas *canvas, int x, int y, int width, struct style style,
		  const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Draws text that ends just before column x. Returns the column where it begins. */
int canvas_right(struct canvas *canvas, int x, int y, struct style style, const char *text);
void canvas_hline(struct canvas *canvas, int x, int y, int width, uint32_t glyph,
		  struct style style);
void canvas_fill(struct canvas *canvas, struct rect rect, uint32_t glyph, struct style style);
/*
 * Draws a light box with round corners; draws nothing if rect is smaller than 2 by 2 cells. The top
 * line has the title at the left and, if it fits, the note at the right. Either may be NULL.
 */
void canvas_box(struct canvas *canvas, struct rect rect, struct style border, const char *title,
		struct style title_style, const char *note);
/*
 * For screens whose cells have no background colour: gives a block glyph of two colours the colour
 * of the larger part. Leaves unchanged: any glyph on COLOUR_PANEL, and ▁ … ▇ on COLOUR_READY_BED
 * and COLOUR_THROTTLED_BED.
 */
void canvas_merge(struct cell *cell);
/*
 * Replaces every glyph that canvas->glyphs does not include by a similar one, or by '?' if there is
 * none. With GLYPHS_ASCII, also removes all background colours but COLOUR_PANEL.
 */
void canvas_reduce(struct canvas *canvas);
/* canvas_reduce() to GLYPHS_ASCII. */
void canvas_to_ascii(struct canvas *canvas);
/*
 * Writes the cell as UTF-8 with its marks and a NUL byte, at most CANVAS_BYTES bytes. Returns the
 * address of the NUL byte.
 */
enum { CANVAS_BYTES = UTF8_BYTES * (1 + UTF8_MARKS) };
char *canvas_encode(const struct cell *cell, char *buf);
/*
 * The canvas as UTF-8 lines without blanks at their ends, for tests and snapshots. The result is
 * malloc'ed; NULL if memory is short.
 */
char *canvas_to_text(const struct canvas *canvas);
