/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/utf8.h"

/*
 * A grid of glyph + style. Views draw into it, the screen copies what changed to the terminal,
 * a snapshot writes it as text and SVG, tests compare it. It knows no terminal.
 * Every drawing call clips to the canvas; no coordinate is an error.
 */

/* The meanings of colours; theme.h says how each is drawn. */
enum colour {
	COLOUR_DEFAULT,
	COLOUR_DIM, /* labels, axes, what supports */
	COLOUR_BORDER,
	COLOUR_TITLE,
	COLOUR_KEY,    /* a key in the bottom line */
	COLOUR_MODEL0, /* one hue a case that is compared, kept everywhere: model_identity() */
	COLOUR_MODEL1,
	COLOUR_MODEL2,
	COLOUR_MODEL3,
	COLOUR_MODEL4,
	COLOUR_MODEL5,
	COLOUR_MODEL6,
	COLOUR_MODEL7,
	COLOUR_CREATED, /* states of a worker */
	COLOUR_CPU,	/* running, cpu work */
	COLOUR_IO,	/* running, io work */
	COLOUR_FP,
	COLOUR_MEM,
	COLOUR_WRITE,
	COLOUR_OTHER, /* running, other work */
	COLOUR_FINISHED,
	COLOUR_WAITING, /* finished, among many: to be joined */
	COLOUR_LEVEL0,	/* levels of a tree above its leaves, which have the model's hue */
	COLOUR_LEVEL1,
	COLOUR_LEVEL2,
	COLOUR_USER, /* load of a core */
	COLOUR_SYSTEM,
	COLOUR_IOWAIT,
	COLOUR_STEAL,
	COLOUR_GOOD,
	COLOUR_WARN,
	COLOUR_BAD,
	COLOUR_READY,	  /* could run and has no core */
	COLOUR_READY_BED, /* as a background: behind it */
	COLOUR_THROTTLED, /* could run, and the run's quota keeps it from the cores */
	COLOUR_THROTTLED_BED,
	COLOUR_PANEL,  /* as a background: help, the selected row */
	COLOUR_GROUND, /* behind all of it; as a background COLOUR_DEFAULT is the same */
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
	bool wide;		    /* it takes the next cell, a blank, too */
	uint16_t marks[UTF8_MARKS]; /* on the glyph; 0: none */
};

struct canvas {
	int width, height;
	struct cell *cells; /* row by row */
};

struct rect {
	int x, y, w, h;
};

static inline bool rect_has(const struct rect *rect, int x, int y)
{
	return x >= rect->x && x < rect->x + rect->w && y >= rect->y && y < rect->y + rect->h;
}

#define STYLE(fg_)	((struct style) {.fg = (fg_)})
#define STYLE_BOLD(fg_) ((struct style) {.fg = (fg_), .attr = ATTR_BOLD})

/* Sets the size and clears; 0 or -ENOMEM (then the old size stays). A zeroed canvas is valid. */
int canvas_resize(struct canvas *canvas, int width, int height);
void canvas_free(struct canvas *canvas);
void canvas_clear(struct canvas *canvas);
bool canvas_same_style(const struct cell *a, const struct cell *b);
bool canvas_same_cell(const struct cell *a, const struct cell *b);

/* A glyph of one column. */
void canvas_put(struct canvas *canvas, int x, int y, uint32_t glyph, struct style style);
/*
 * Draws UTF-8 text, at most width columns (-1: to the edge), as of utf8_next_cell(); '?' for half
 * of a wide character. Returns the column after it.
 */
int canvas_text(struct canvas *canvas, int x, int y, int width, struct style style,
		const char *text);
int canvas_printf(struct canvas *canvas, int x, int y, int width, struct style style,
		  const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Ends at column x (exclusive). Returns where it begins. */
int canvas_right(struct canvas *canvas, int x, int y, struct style style, const char *text);
void canvas_hline(struct canvas *canvas, int x, int y, int width, uint32_t glyph,
		  struct style style);
void canvas_fill(struct canvas *canvas, struct rect rect, uint32_t glyph, struct style style);
/* A light box with round corners; title at the left, note at the right of its top line, or NULL. */
void canvas_box(struct canvas *canvas, struct rect rect, struct style border, const char *title,
		struct style title_style, const char *note);
/* Where a ground cannot be shown: two colours that share a full cell become the larger part. */
void canvas_merge(struct cell *cell);
/* Replaces every glyph beyond ASCII by its twin. */
void canvas_to_ascii(struct canvas *canvas);
/* The cell as UTF-8, with its marks; returns where it ends, up to CANVAS_BYTES later. */
enum { CANVAS_BYTES = UTF8_BYTES * (1 + UTF8_MARKS) };
char *canvas_encode(const struct cell *cell, char *buf);
/*
 * The canvas as UTF-8 lines without trailing blanks, for tests and snapshots; malloc'ed, NULL on
 * ENOMEM.
 */
char *canvas_to_text(const struct canvas *canvas);
