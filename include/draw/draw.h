/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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
	COLOUR_READY_BED, /* as a background */
	COLOUR_THROTTLED, /* could run, and the run's quota keeps it from the cores */
	COLOUR_THROTTLED_BED,
	COLOUR_WORKER0, /* one of eight for each worker: plot_worker_colour() */
	COLOUR_WORKER1,
	COLOUR_WORKER2,
	COLOUR_WORKER3,
	COLOUR_WORKER4,
	COLOUR_WORKER5,
	COLOUR_WORKER6,
	COLOUR_WORKER7,
	COLOUR_PANEL,  /* as a background: help, the selected row */
	COLOUR_GROUND, /* the ground behind everything; as a background the same as COLOUR_DEFAULT
			*/
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

/* Which glyphs a terminal's font has. */
enum glyphs {
	GLYPHS_ALL,
	GLYPHS_BLOCKS, /* glyphs of the Linux console: ─ │ and corners, █ ▌ ▐ ▀ ▄ ░ ▒ ▓, ° ± ² µ ·
			*/
	GLYPHS_ASCII,
};

struct canvas {
	int width, height;
	struct cell *cells; /* row by row */
	enum glyphs glyphs; /* glyphs of the terminal, see canvas_reduce() */
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
/* PLAIN: text to be read; DIM: labels, units and other secondary text. */
#define PLAIN STYLE(COLOUR_DEFAULT)
#define DIM   STYLE(COLOUR_DIM)

/* Sets the size and clears; 0 or -ENOMEM (then the old size stays). A zeroed canvas is valid. */
int canvas_resize(struct canvas *canvas, int width, int height);
void canvas_free(struct canvas *canvas);
void canvas_clear(struct canvas *canvas);
bool canvas_same_cell(const struct cell *a, const struct cell *b);

/* A glyph of one column. */
void canvas_put(struct canvas *canvas, int x, int y, uint32_t glyph, struct style style);
/* A pointer: a glyph of one column, or what the cell has already, reversed. */
void canvas_point(struct canvas *canvas, int x, int y, uint32_t glyph, struct style style);
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
/*
 * For cells that cannot show a ground: of two colours that share a full cell, the larger part wins.
 */
void canvas_merge(struct cell *cell);
/* Replaces every glyph that canvas->glyphs has not by its twin. */
void canvas_reduce(struct canvas *canvas);
/* The same with ASCII only. */
void canvas_to_ascii(struct canvas *canvas);
/* The cell as UTF-8, with its marks; returns where it ends, up to CANVAS_BYTES later. */
enum { CANVAS_BYTES = UTF8_BYTES * (1 + UTF8_MARKS) };
char *canvas_encode(const struct cell *cell, char *buf);
/*
 * The canvas as UTF-8 lines without trailing blanks, for tests and snapshots; malloc'ed, NULL on
 * ENOMEM.
 */
char *canvas_to_text(const struct canvas *canvas);

/* Words on a canvas: wrapping and shortening. */

/*
 * The columns of the first line of text when no line may be wider than width; *next is where the
 * following line begins. Breaks at blanks and newlines; between a number and its unit, the ends of
 * an interval and within a word only where it alone is wider.
 */
int text_line(const char *text, int width, const char **next);
/* The number of lines of that width that the text takes. */
int text_lines(const char *text, int width);
/* Draws it wrapped into rect; what does not fit ends in "…". Returns the lines drawn. */
int text_draw(struct canvas *canvas, struct rect rect, struct style style, const char *text);
/*
 * A paragraph, up to a newline, wrapped into rect from its line y on: what lies above or below rect
 * is not drawn, nor anything without a canvas. All lines but the first are indented. Returns the
 * lines that it takes; *text is what follows it.
 */
int text_paragraph(struct canvas *canvas, struct rect rect, int y, int indent, struct style style,
		   const char **text);
/* Shortens one name, as names_fit() does. Returns buf. */
char *text_fit(char *buf, size_t size, const char *name, int most);
#define TEXT_DOT "\xc2\xb7" /* a middle dot, in place of the part of a name that is left out */

/*
 * Figures to be read from afar: 0 … 9 ? . , : in three by five squares of half a cell, three rows
 * high at scale 1. Other characters are blanks of their width.
 */

/* Rows and columns that it takes at a scale, at least 1. */
int digits_rows(int scale);
int digits_columns(const char *text, int scale);
/* Returns the column after the last digit. */
int digits_draw(struct canvas *canvas, int x, int y, int scale, struct style style,
		const char *text);

/* Plots over time from braille and blocks, and the axes that go with them. */

/* A stretch of time across columns; to_ns > from_ns. */
struct plot_axis {
	int64_t from_ns, to_ns;
	int x, w;
};

/* The column (not clipped, within ±1,000,000) at which a time lies, in parts of a column. */
double plot_column(const struct plot_axis *axis, int64_t time_ns);
/* The axis's cell of a time, from 0. -1: before the axis; its width: after it. */
int plot_cell(const struct plot_axis *axis, int64_t time_ns);
/* The time at which a column begins, at the axis' resolution. */
int64_t plot_time(const struct plot_axis *axis, int column);
/* The end of a scale: the least number of two digits, about a tenth apart, that is ≥ value > 0. */
double plot_nice(double value);
/* The same for powers of two: 1, 1.5, 2, 3, 4 … KiB. */
int64_t plot_nice_kib(int64_t kib);
/* The least of 1, 2, 5 times a power of ten that divides span into at most ticks parts. */
double plot_step(double span, int ticks);
/* Labels along the axis on row y; the last one names the unit. */
void plot_time_labels(struct canvas *canvas, const struct plot_axis *axis, int y,
		      struct style style);
/* Dots on h rows at the axis's ticks. Later drawing covers them. */
void plot_grid(struct canvas *canvas, const struct plot_axis *axis, int y, int h);

#define PLOT_DOTS 1024 /* the most values across; two to a cell */

/* The height of a value from 0 to top in parts of a plot: at least 1 above 0. */
int plot_height(double y, double top, int parts);
/*
 * y[2 * rect.w] from 0 to top, NaN for a gap. Every value above 0 is visible. An area is filled
 * down to 0, in eighths of a cell. A line of braille is two dots thick and joins its neighbours.
 * Cells that two lines share have the dots of both, and the colours of both in turn.
 */
void plot_area(struct canvas *canvas, struct rect rect, const double *y, double top,
	       struct style style);
void plot_line(struct canvas *canvas, struct rect rect, const double *y, double top,
	       struct style style);
/* The row in which a line has a value, from rect.y; -1: it has none. */
int plot_line_row(struct rect rect, double y, double top);

struct plot_part {
	double share;	/* share of the whole height */
	uint32_t glyph; /* glyph of a full cell */
	uint8_t colour;
};

/* Parts upon one another in column x of rect, in eighths of a cell; two colours meet in a cell. */
void plot_stack(struct canvas *canvas, struct rect rect, int x, const struct plot_part *parts,
		int n);
/* ▁ … █ for a share of 1; a blank for 0 and below, '?' for NaN. */
uint32_t plot_eighth(double share);

enum { PLOT_EIGHTHS = 8, PLOT_WORKERS = 8 };

/* The colour of a worker, by its number from 0: eight that begin again. */
uint8_t plot_worker_colour(uint32_t worker);
/*
 * A cell from its eighths, from the left: a colour each, COLOUR_DEFAULT for none. It is split where
 * the two colours left and right of the edge fit most eighths; a colour that is there is always
 * seen. ground: the cell's background. A cell without a colour has the glyph 0.
 */
struct cell plot_split(const uint8_t eighths[PLOT_EIGHTHS], uint8_t ground);

/* An axis of values, linear or logarithmic, and the places of its labels. Pure. */

enum { SCALE_TICKS = 32 };

struct scale {
	double low, high; /* low < high; above 0 where log */
	bool log;
	bool binary; /* ticks at powers of two rather than of ten */
};

/* A unit of time in ns, or of memory in KiB where the scale is binary. */
struct scale_unit {
	double size;
	const char *name;
};

/* The one in which figures about as high as value are short. */
const struct scale_unit *scale_unit(double value, bool binary);
/* The place of a value from low to high, 0 … 1 and beyond; NaN where it has none. */
double scale_share(const struct scale *scale, double value);
/* Fills ascending round values within the scale, about `most`. Returns their number. */
int scale_ticks(const struct scale *scale, int most, double out[SCALE_TICKS]);
/* A scale from least to most, 0 < least ≤ most, with a little air on either side. */
struct scale scale_log(double least, double most, bool binary);

/*
 * Rectangles for a size: pure, no drawing, no model. A rectangle with no height or no width is not
 * shown. Whatever is shown lies inside what it was cut from and overlaps nothing else of it.
 */

enum {
	LAYOUT_LEAST_W = 40,
	LAYOUT_LEAST_H = 12,
	LAYOUT_COLUMN_W = 36,
	LAYOUT_COLUMNS = 8,
	LAYOUT_TWO_W = 60
};

/* The screen. */
struct layout_frame {
	bool ask; /* too small: only `top_line` is there, to ask for more room */
	struct rect top_line, body, keys;
	struct rect sentence;	 /* the answer, below the top line */
	struct rect pairs, hint; /* above the keys */
};

struct layout_wish {
	bool main;	      /* the Overview, where the hint has two lines */
	const char *sentence; /* wrapped, in at most three lines; "": none */
	int lines;	      /* least number of lines of the sentence */
	bool pairs;	      /* a comparison can be plotted */
	bool bare;	      /* no hint below it */
};

struct layout_frame layout_frame(int width, int height, const struct layout_wish *wish);

/* The machine's CPUs, and the ways to cut them into parts: the finest first, the last is one. */
enum layout_cut { CUT_NODES, CUT_PACKAGES, CUT_KINDS, CUT_NONE, CUTS };

struct layout_cpus {
	int n, threads; /* CPUs; the most that a core has */
	int parts[CUTS];
	int most[CUTS]; /* cores of the largest part */
};

/*
 * The load of the CPUs: a graph for each CPU, or, with many CPUs, a strip for each part, which
 * shows the CPUs' current load beside its history.
 */
struct layout_cores {
	struct rect box;   /* with no h: not shown */
	struct rect inner; /* the box without its padding */
	bool strips;
	int columns, rows; /* number of graphs or strips */
	int w, h;	   /* size of one graph or strip, without the gap */
	int cut;	   /* strips: one for each part of that one */
	int name_w;	   /* strips: of a part's name */
	int line_w;	   /* strips: cells for the CPUs in a line */
};

struct layout_overview {
	struct layout_cores cores;
	int n_columns;
	int first; /* case in columns[0] */
	struct rect columns[LAYOUT_COLUMNS];
};

/* first is taken as far as it fits. */
struct layout_overview layout_overview(struct rect body, int n_cases, int first,
				       const struct layout_cpus *cpus);

/*
 * The race: models below one another over the full width, each with its workers' lanes and the
 * lanes of the cores; below them the bars of medians and the marks of runs.
 */
struct layout_race {
	struct rect bars;    /* a title and a bar for each model; without room: */
	struct rect figures; /* the medians in one line */
	struct rect runs;    /* a line for each model */
	int n;		     /* models whose lanes are shown */
	int compared; /* models of bars, figures and runs: more, where lanes need much room */
	struct layout_racer {
		struct rect title, rows, axis, cores;
	} models[LAYOUT_COLUMNS];
	bool cores_in_title; /* no room for lanes of cores */
	int left, right;     /* margins of the lanes, for names and figures */
};

struct layout_race_need {
	int models;
	int rows[LAYOUT_COLUMNS]; /* rows of each model, from the first shown one on */
	int cores;		  /* lanes of them; 0: none is known */
	int metrics, name_w;
};

struct layout_race layout_race(struct rect body, const struct layout_race_need *need);

/* One model's column. */
struct layout_column {
	struct rect axis, alive, rows, memory, kernel, totals;
	int left, right; /* margins of the plots for labels and figures */
};

struct layout_need {
	int workers;
	bool many;   /* enough workers to plot how many are alive */
	bool kernel; /* a second plot of memory */
};

struct layout_column layout_column(struct rect box, const struct layout_need *need);

/* The panels of the Memory view: as many of n as fit, from the first on. */
int layout_grid(struct rect body, int n, struct rect *out);

/* Rectangles of the views of many workers: pure. One without height or width is not shown. */

/* One tree's column of the Overview, top down. */
struct layout_tree {
	struct rect reason, counts, bands, axis, rows, times, memory;
	int left, right; /* margins of the plots for names and figures */
};

struct layout_tree_need {
	long rows;
	int name_w; /* width of the longest name */
	int levels; /* a band each */
	bool reason;
};

struct layout_tree layout_tree(struct rect box, const struct layout_tree_need *need);

/* The Timeline: plots and rows, and the selected worker's details to the right or below. */
struct layout_timeline {
	struct rect box, alive, axis, rows, details;
	bool below; /* side is below, without a box */
	int left, right;
};

struct layout_timeline_need {
	int name_w, alive; /* lines of its plot, at most */
	long rows;
	bool beside;   /* other models are shown too: */
	bool top;      /* it is the first of them, which has the axis wherever there is room */
	bool selected; /* it is the one with details */
};

struct layout_timeline layout_timeline(struct rect body, const struct layout_timeline_need *need);

/* How a colour looks; its ground is the theme's own, not the terminal's. */
struct theme_colour {
	uint32_t rgb;  /* 0xrrggbb: terminals with true colour, snapshots, pages */
	int16_t xterm; /* number in the palette of 256 */
	int16_t ansi;  /* number in the palette of 16; with 8 colours the bright ones are bold, and
			  bright black is the text's */
	uint8_t attr;  /* added where there are 16 colours or fewer */
};

struct theme {
	const char *name;
	struct theme_colour colour[COLOURS];
};

/* The theme of a name or its old one, NULL: none; by number for `t`, NULL after the last. */
const struct theme *theme_find(const char *name);
const struct theme *theme_at(size_t i);
/* The same from COLORFGBG, "15;0" or "0;default;15", which some terminals set; NULL: unknown. */
const struct theme *theme_on_colorfgbg(const char *text);
/* The colour behind a cell: COLOUR_DEFAULT there is the theme's ground. */
static inline enum colour theme_ground(uint8_t bg)
{
	return bg == COLOUR_DEFAULT || bg >= COLOURS ? COLOUR_GROUND : (enum colour)bg;
}

/*
 * The mark of a compared case in every view, export and page: a hue and a shape of the same number.
 * Eight can be distinguished, also in monochrome and by the colour-blind.
 */

enum { IDENTITIES = 8 };

/* The colour (canvas.h) and the glyph, one column wide, of a number; they begin again after 8. */
uint8_t identity_colour(uint32_t number);
uint32_t identity_glyph(uint32_t number);

/*
 * The canvas as a picture that looks like the screen: its theme's colours, a cell of 8 x 16, text
 * in the reader's monospaced font stretched to the grid. What a font would draw with gaps or not
 * at all (blocks, braille, lines of boxes) is drawn as shapes. 0 or -errno.
 */
int snapshot_svg(const struct canvas *canvas, const struct theme *theme, FILE *out);
/*
 * The same at 16:9, as a slide: for a canvas of SNAPSHOT_SLIDE_W by SNAPSHOT_SLIDE_H cells. A line
 * is a twentieth of the slide's height.
 */
enum { SNAPSHOT_SLIDE_W = 72, SNAPSHOT_SLIDE_H = 20 };
int snapshot_slide(const struct canvas *canvas, const struct theme *theme, FILE *out);
/* The same in parts, each placed further down by `lower`. snapshot_end(): 0 or -errno. */
void snapshot_begin(const struct canvas *canvas, const struct theme *theme, FILE *out);
void snapshot_part(const struct canvas *canvas, const struct theme *theme, struct rect part,
		   int lower, FILE *out);
int snapshot_end(FILE *out);
/* Cells in the picture's units. */
struct rect snapshot_place(struct rect part);

/* Keys as callers see them: a character is its own code point; other keys begin here. */
enum key {
	KEY_UP_ARROW = 0x110000,
	KEY_DOWN_ARROW,
	KEY_LEFT_ARROW,
	KEY_RIGHT_ARROW,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME_KEY,
	KEY_END_KEY,
	KEY_ENTER_KEY,
	KEY_ESCAPE,
	KEY_BACKSPACE_KEY,
	KEY_TAB,
	KEY_BACK_TAB,
	KEY_F1,
	KEY_F10 = KEY_F1 + 9,
	KEY_CTRL_L,
	KEY_BACKGROUND,	 /* none: the terminal has reported its background */
	KEY_MOUSE_PRESS, /* the position of these is given aside */
	KEY_WHEEL_UP,
	KEY_WHEEL_DOWN,
};
