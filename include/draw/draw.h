/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/utf8.h"

/*
 * A grid of cells, each with a glyph and a style. Views draw on it, the screen copies the changed
 * cells to the terminal, a snapshot writes it as text and SVG, and tests compare it. The canvas
 * does not depend on a terminal. Every drawing call clips to the canvas, so any coordinate is
 * valid.
 */

/* Colours by their meaning. A theme defines how each looks. */
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
	COLOUR_CPU, /* running, cpu work */
	COLOUR_IO,  /* running, io work */
	COLOUR_FP,
	COLOUR_MEM,
	COLOUR_WRITE,
	COLOUR_OTHER, /* running, other work */
	COLOUR_FINISHED,
	COLOUR_WAITING, /* finished and waiting to be joined, in rows that show many workers */
	COLOUR_LEVEL0,	/* Levels of a tree above its leaves. The leaves have the model's hue. */
	COLOUR_LEVEL1,
	COLOUR_LEVEL2,
	/* Load of a core. */
	COLOUR_USER,
	COLOUR_SYSTEM,
	COLOUR_IOWAIT,
	COLOUR_STEAL,
	COLOUR_GOOD,
	COLOUR_WARN,
	COLOUR_BAD,
	COLOUR_READY,	  /* runnable, but without a core */
	COLOUR_READY_BED, /* the same state, as a background */
	COLOUR_THROTTLED, /* runnable, but the run's quota keeps it from the cores */
	COLOUR_THROTTLED_BED,
	COLOUR_WORKER0, /* The first of eight colours for workers: plot_worker_colour(). */
	COLOUR_WORKER1,
	COLOUR_WORKER2,
	COLOUR_WORKER3,
	COLOUR_WORKER4,
	COLOUR_WORKER5,
	COLOUR_WORKER6,
	COLOUR_WORKER7,
	COLOUR_PANEL, /* background of help and of the selected row */
	/*
	 * The background of the whole screen. As a background colour, the same as COLOUR_DEFAULT.
	 */
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
	bool wide;		    /* The glyph also covers the next cell, which is a blank. */
	uint16_t marks[UTF8_MARKS]; /* Combining marks on the glyph; 0: none. */
};

/* The glyphs that a terminal's font can show. */
enum glyphs {
	GLYPHS_ALL,
	/* The Linux console's: ASCII, lines, square corners and crossings, █ ▌ ▐ ▀ ▄ ░ ▒ ▓, … */
	GLYPHS_BLOCKS,
	GLYPHS_ASCII,
};

struct canvas {
	int width, height;
	struct cell *cells; /* row by row */
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
/* PLAIN is for text to be read, DIM for labels, units and other secondary text. */
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
 * Draws a pointer in that style: the glyph on a blank cell; otherwise the cell's own glyph,
 * reversed.
 */
void canvas_point(struct canvas *canvas, int x, int y, uint32_t glyph, struct style style);
/*
 * Draws UTF-8 text, at most width columns (-1: up to the edge), in the cells of utf8_next_cell(). A
 * wide character that is cut off at the end of the columns becomes '?'. Returns the column after
 * the text.
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
 * Draws a light box with round corners; nothing below 2 by 2 cells. The top line has the title at
 * the left and, if it fits, the note at the right; either may be NULL.
 */
void canvas_box(struct canvas *canvas, struct rect rect, struct style border, const char *title,
		struct style title_style, const char *note);
/*
 * For screens whose cells have no background colour: gives a block glyph of two colours the colour
 * of the larger part. Leaves it on COLOUR_PANEL, and ▁ … ▇ also on a COLOUR_…_BED.
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
 * Writes the cell as UTF-8 with its marks and a NUL byte, at most CANVAS_BYTES. Returns the end of
 * the text, where the NUL byte is.
 */
enum { CANVAS_BYTES = UTF8_BYTES * (1 + UTF8_MARKS) };
char *canvas_encode(const struct cell *cell, char *buf);
/*
 * The canvas as UTF-8 lines without blanks at their ends, for tests and snapshots. The result is
 * malloc'ed; NULL if memory is short.
 */
char *canvas_to_text(const struct canvas *canvas);

/* Words on a canvas: wrapping and shortening. */

/*
 * Returns the width in columns of the text's first line, which is at most `width`, unless a single
 * wide letter is wider. Sets *next to the beginning of the following line. Lines break at newlines,
 * at blanks and, in a line with wide letters, between these. A number and its unit, an interval, or
 * a word is broken only if it does not fit into a line.
 */
int text_line(const char *text, int width, const char **next);
/* Number of lines of that width that the text needs. */
int text_lines(const char *text, int width);
/*
 * Draws the text wrapped into rect. Text that does not fit ends in "…". Returns the number of lines
 * drawn.
 */
int text_draw(struct canvas *canvas, struct rect rect, struct style style, const char *text);
/*
 * Draws a paragraph (up to a newline) wrapped into rect, from line y of rect on. Lines above or
 * below rect are not drawn. A NULL canvas only counts the lines. All lines but the first are
 * indented. Returns the number of lines, and moves *text past the paragraph.
 */
int text_paragraph(struct canvas *canvas, struct rect rect, int y, int indent, struct style style,
		   const char **text);
/* Shortens one name, like names_fit(). Returns buf. */
char *text_fit(char *buf, size_t size, const char *name, int most);
#define TEXT_DOT "\xc2\xb7" /* a middle dot, which replaces the omitted part of a name */

/*
 * Figures that can be read from far away. The characters 0 … 9 and ? are drawn as three by five
 * squares of half a cell, three rows high at scale 1; the characters . , : are one square wide. Any
 * other character is a blank, three squares wide.
 */

/* Number of rows, and of columns, of such a figure. The scale is at least 1. */
int digits_rows(int scale);
int digits_columns(const char *text, int scale);
/* Draws the figure. Returns the column after the last digit. */
int digits_draw(struct canvas *canvas, int x, int y, int scale, struct style style,
		const char *text);

/* Plots over time, drawn with braille and block glyphs, and their axes. */

/* A time span across columns. to_ns must be above from_ns. */
struct plot_axis {
	int64_t from_ns, to_ns;
	int x, w;
	/*
	 * Time that has no place on the axis: later times are drawn as if it had not passed. Both
	 * are 0 if there is none. Labels are drawn on an axis without a cut.
	 */
	int64_t cut_from_ns, cut_to_ns;
};

/* The time less a cut that precedes the time. from_ns and to_ns are such times. */
int64_t plot_without_cut(const struct plot_axis *axis, int64_t time_ns);
/* The opposite of plot_without_cut(). */
int64_t plot_with_cut(const struct plot_axis *axis, int64_t time_ns);
/* The column of a time, including a fraction. Not clipped to the axis, but to ±1,000,000. */
double plot_column(const struct plot_axis *axis, int64_t time_ns);
/* The axis's cell that contains a time, from 0. -1 before the axis; its width after it. */
int plot_cell(const struct plot_axis *axis, int64_t time_ns);
/* The time at which a column begins, truncated to 1 ns. The axis must have columns. */
int64_t plot_time(const struct plot_axis *axis, int column);
/*
 * A round end of a scale for a value > 0: the smallest number ≥ value from a series of numbers with
 * at most two digits, which are at most a sixth apart.
 */
double plot_nice(double value);
/* Like plot_nice(), from fewer numbers, at most 30 % apart. */
double plot_coarse(double value);
/* Like plot_nice(), for KiB, in powers of two and half steps: 4, 6, 8, 12, 16 … KiB. */
int64_t plot_nice_kib(int64_t kib);
/*
 * The smallest step of 1, 2 or 5 times a power of ten that divides span into at most `ticks` parts.
 */
double plot_step(double span, int ticks);
/* Like plot_step(), also with steps of 3, for scales whose end is a multiple of the step. */
double scale_step(double span, int ticks);
/* Draws labels along the axis in row y. The unit follows the last label. */
void plot_time_labels(struct canvas *canvas, const struct plot_axis *axis, int y,
		      struct style style);
/*
 * Like plot_time_labels(), but the label or unit at column `mark` (-1: none) is bright. Returns
 * whether there is one.
 */
bool plot_time_labels_marked(struct canvas *canvas, const struct plot_axis *axis, int y,
			     struct style style, int mark, struct style bright);
/*
 * Draws dots in h rows at the axis's ticks. Call it first, because later drawing must cover the
 * dots.
 */
void plot_grid(struct canvas *canvas, const struct plot_axis *axis, int y, int h);

#define PLOT_DOTS 1024 /* Largest number of values across a plot; a cell has two. */

/*
 * The height of a value on a scale from 0 to top, in `parts` parts, at most all. At least 1 for a
 * value above 0; 0 for NaN, or if top is not above 0.
 */
int plot_height(double y, double top, int parts);
/*
 * Both draw y[2 * rect.w], at most PLOT_DOTS values, on a scale from 0 to top; NaN is a gap. An
 * area is filled down to 0, in eighths of a cell, and shows the larger of a cell's two values. A
 * line of braille is two dots thick and connects its values. If two lines share a cell, it has the
 * dots of both, and such cells alternate between their colours.
 */
void plot_area(struct canvas *canvas, struct rect rect, const double *y, double top,
	       struct style style);
void plot_line(struct canvas *canvas, struct rect rect, const double *y, double top,
	       struct style style);
/* The canvas row in which plot_line() shows the value; -1: none. */
int plot_line_row(struct rect rect, double y, double top);

struct plot_part {
	double share;	/* Share of the column's full height. */
	uint32_t glyph; /* Glyph of a cell that the part fills. */
	uint8_t colour;
};

/*
 * Stacks at most 8 parts in column x of rect, in eighths of a cell. A cell shows at most two
 * colours.
 */
void plot_stack(struct canvas *canvas, struct rect rect, int x, const struct plot_part *parts,
		int n);
/*
 * A block glyph: ▁ … █ for a share above 0, █ also above 1; a blank for 0 and below; '?' for NaN.
 */
uint32_t plot_eighth(double share);

enum { PLOT_EIGHTHS = 8, PLOT_WORKERS = 8 };

/* The colour of a worker, by its number from 0. The eight colours repeat. */
uint8_t plot_worker_colour(uint32_t worker);
/*
 * Makes a cell from the colours of its eighths, from the left; COLOUR_DEFAULT: no colour. The cell
 * is split into two colours at the edge that matches most eighths. If any eighth has a colour, the
 * cell shows a colour; otherwise its glyph is 0. ground: background colour of the cell.
 */
struct cell plot_split(const uint8_t eighths[PLOT_EIGHTHS], uint8_t ground);

/* An axis of values, linear or logarithmic, and the positions of its labels. No drawing. */

enum { SCALE_TICKS = 32 };

struct scale {
	double low, high; /* low must be below high. If log is set, both must be above 0. */
	bool log;
	bool binary; /* Ticks are round in base two instead of ten. */
};

/* A unit of time in ns, or, if binary, of memory in KiB. */
struct scale_unit {
	double size;
	const char *name;
};

/* The unit in which figures near the value are short. */
const struct scale_unit *scale_unit(double value, bool binary);
/*
 * The position of a value between low (0) and high (1); below 0 or above 1 if the value is outside.
 * NaN if the value has no position.
 */
double scale_share(const struct scale *scale, double value);
/*
 * Fills out with ascending round values within the scale, at most `most` + 1 of them. Returns their
 * number.
 */
int scale_ticks(const struct scale *scale, int most, double out[SCALE_TICKS]);
/* A logarithmic scale from least to most (0 < least ≤ most), with a small margin at both ends. */
struct scale scale_log(double least, double most, bool binary);

/*
 * Computes rectangles for a screen size, without drawing and without the model. A rectangle without
 * height or width is not shown. All rectangles that are shown lie inside the given area. They do
 * not overlap, except a box and its inside.
 */

enum {
	LAYOUT_LEAST_W = 40,
	LAYOUT_LEAST_H = 12,
	LAYOUT_COLUMN_W = 36,
	LAYOUT_COLUMNS = 8,
	LAYOUT_TWO_W = 60
};

/* The whole screen. */
struct layout_frame {
	/* The screen is too small: show only `top_line`, with a request to enlarge the screen. */
	bool ask;
	struct rect top_line, body, keys;
	struct rect sentence;	 /* The answer, below the top line. */
	struct rect pairs, hint; /* Both are above the keys. */
};

struct layout_wish {
	/*
	 * For the Overview and the large medians: there may be pairs, and the hint has two lines
	 * from 30 rows on.
	 */
	bool main;
	const char *sentence; /* The answer, wrapped into at most three lines; "": none. */
	int lines;	      /* Least number of lines for the sentence. */
	bool pairs;	      /* There is a comparison to plot. */
	bool bare;	      /* There is no hint below the body. */
};

struct layout_frame layout_frame(int width, int height, const struct layout_wish *wish);

/*
 * The ways to divide the machine's CPUs into parts, the finest first. The last one, CUT_NONE, makes
 * a single part.
 */
enum layout_cut { CUT_NODES, CUT_PACKAGES, CUT_KINDS, CUT_NONE, CUTS };

/* The machine's CPUs. */
struct layout_cpus {
	int n, threads; /* n: number of CPUs. threads: largest number of CPUs that a core has. */
	int parts[CUTS];
	int most[CUTS]; /* Number of cores in the largest part. */
};

/*
 * The load of the CPUs. Each CPU has a graph. If there are too many CPUs or too few rows, each part
 * has a strip with the current load of its CPUs beside its history.
 */
struct layout_cores {
	struct rect box; /* Not shown if h is 0. */
	struct rect inner;
	bool strips;
	int columns, rows; /* number of graphs or strips */
	int w, h;	   /* size of one graph or strip, without the gap */
	int cut;	   /* For strips: the enum layout_cut that makes the parts. */
	int name_w;	   /* For strips: width of a part's name. */
	int line_w;	   /* For strips: width of a line of CPUs, in cells. */
};

struct layout_overview {
	struct layout_cores cores;
	int n_columns;
	int first; /* Number of the case in the first column. */
	struct rect columns[LAYOUT_COLUMNS];
};

/* Lays out the columns. Lowers `first` if columns would otherwise stay empty. */
struct layout_overview layout_overview(struct rect body, int n_cases, int first,
				       const struct layout_cpus *cpus);

/*
 * The race: models one below the other at full width, each with its workers' lanes and the lanes of
 * the cores. Above them are the bars of medians, below them the marks of runs.
 */
struct layout_race {
	/*
	 * A title, and a bar for each of `compared` models. Without room for a title, it has just
	 * these bars. Without room for the bars, `figures` is used instead.
	 */
	struct rect bars;
	int bar;	     /* Lines of each bar. */
	struct rect figures; /* The medians in one line. */
	struct rect runs;    /* A line for each of `compared` models. */
	int n;		     /* Number of models whose lanes are shown. */
	/* Number of models in bars, figures and runs, at most 4. It may be above or below n. */
	int compared;
	struct layout_racer {
		struct rect title, rows, axis, cores;
	} models[LAYOUT_COLUMNS];
	/* There are no lanes of cores, so the title shows the load of the cores. */
	bool cores_in_title;
	int left, right; /* Margins beside the lanes, for names and figures. */
};

struct layout_race_need {
	int models;
	/* Rows of each model's lanes, beginning with the first model shown. */
	int rows[LAYOUT_COLUMNS];
	int cores; /* Number of lanes for cores; 0: no core is known. */
	int metrics, name_w;
	/* All models must be seen at once, as after a fault: they share one axis. */
	bool together;
	/* The rows are bands of any height, which fill all lines that are left. */
	bool bands;
};

struct layout_race layout_race(struct rect body, const struct layout_race_need *need);

/* The column of one model. */
struct layout_column {
	struct rect axis, alive, rows, memory, kernel, totals;
	int left, right; /* margins of the plots for labels and figures */
};

struct layout_need {
	int workers;
	bool many;   /* There are many workers, so the number alive is plotted. */
	bool kernel; /* A second plot of memory is shown. */
};

struct layout_column layout_column(struct rect box, const struct layout_need *need);

/*
 * Lays out the panels of the Memory view: sets as many of n rectangles as fit, but at least a row
 * of them. Returns their number.
 */
int layout_grid(struct rect body, int n, struct rect *out);

/*
 * Rectangles of the views of many workers, computed without drawing. A rectangle without height or
 * width is not shown.
 */

/* The column of one tree in the Overview, from top to bottom. */
struct layout_tree {
	struct rect reason, counts, bands, axis, rows, times, memory;
	int left, right; /* margins of the plots, for names and figures */
};

struct layout_tree_need {
	long rows;
	int name_w; /* width of the longest name */
	int levels; /* Number of levels; each has a band. */
	bool reason;
};

struct layout_tree layout_tree(struct rect box, const struct layout_tree_need *need);

/* The Timeline: plots and rows. The selected worker's details are to the right or below. */
struct layout_timeline {
	struct rect box, alive, axis, rows, details;
	bool below; /* The details are below the rows, without a box. */
	int left, right;
};

struct layout_timeline_need {
	int name_w, alive; /* alive: largest number of lines for the plot of workers alive. */
	long rows;
	bool beside;   /* Other models are shown too. */
	bool top;      /* This is the first model, which keeps its axis if there is room. */
	bool selected; /* The details of its selected worker are shown. */
};

struct layout_timeline layout_timeline(struct rect body, const struct layout_timeline_need *need);

/* How a colour looks. The background is the theme's, not the terminal's. */
struct theme_colour {
	uint32_t rgb;  /* 0xrrggbb, for terminals with true colour, snapshots and pages. */
	int16_t xterm; /* Number in the palette of 256 colours. */
	/*
	 * Number in the palette of 16. A terminal with 8 colours shows the bright ones in bold, and
	 * bright black in the colour of text.
	 */
	int16_t ansi;
	uint8_t attr; /* Attributes added on terminals with 16 colours or fewer. */
};

struct theme {
	const char *name;
	struct theme_colour colour[COLOURS];
};

/*
 * theme_find(): the theme with that name, which may be from an earlier release; NULL: none.
 * theme_at(): the i-th theme, in the order of the key `t`; NULL after the last.
 */
const struct theme *theme_find(const char *name);
const struct theme *theme_at(size_t i);
/*
 * The theme that suits COLORFGBG, which some terminals set to "15;0" or "0;default;15"; NULL:
 * unknown. text may be NULL.
 */
const struct theme *theme_on_colorfgbg(const char *text);
/* The colour behind a cell. COLOUR_DEFAULT means the theme's background. */
static inline enum colour theme_ground(uint8_t bg)
{
	return bg == COLOUR_DEFAULT || bg >= COLOURS ? COLOUR_GROUND : (enum colour)bg;
}

/*
 * The mark of a compared case in every view, export and page: a hue and a shape with the same
 * number. The eight marks can be distinguished in monochrome and by colour-blind readers, too.
 */

enum { IDENTITIES = 8 };

/* The colour, and the glyph (one column wide), of a number. From 8 on, the numbers repeat. */
uint8_t identity_colour(uint32_t number);
uint32_t identity_glyph(uint32_t number);

/*
 * Writes the canvas as a picture that looks like the screen: the theme's colours, a margin, cells
 * of 8 x 16, and text in the reader's monospaced font, stretched to the grid. Blocks, braille and
 * box lines are drawn as shapes, because fonts draw them with gaps or lack them. Returns 0 or
 * -errno.
 */
int snapshot_svg(const struct canvas *canvas, const struct theme *theme, FILE *out);
/*
 * Writes a slide of 16:9 in the same way, from a canvas of SNAPSHOT_SLIDE_W by SNAPSHOT_SLIDE_H
 * cells. A line has about a twentieth of the slide's height.
 */
enum { SNAPSHOT_SLIDE_W = 72, SNAPSHOT_SLIDE_H = 20 };
int snapshot_slide(const struct canvas *canvas, const struct theme *theme, FILE *out);
/*
 * Write a picture like snapshot_svg() part by part. Each part is moved down by `lower`, in the
 * picture's units (16 per row). snapshot_end() returns 0 or -errno.
 */
void snapshot_begin(const struct canvas *canvas, const struct theme *theme, FILE *out);
void snapshot_part(const struct canvas *canvas, const struct theme *theme, struct rect part,
		   int lower, FILE *out);
int snapshot_end(FILE *out);
/* A rectangle of cells in the picture's units. */
struct rect snapshot_place(struct rect part);

/* Keys as screen_key() returns them. A character is its own code point; other keys begin here. */
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
	KEY_BACKGROUND,	 /* The terminal has reported its background colour. */
	KEY_MOUSE_PRESS, /* For mouse keys, the position is returned separately. */
	KEY_WHEEL_UP,
	KEY_WHEEL_DOWN,
};
