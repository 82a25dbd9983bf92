/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "write_parts.h"

/*
 * asciicast v2: a line with the screen's size, then a line for each frame with its time and what
 * is written then. https://docs.asciinema.org/manual/asciicast/v2/
 */

#define MOST_BYTES 4000000
#define END_S	   3 /* the last frame stays so long before a player begins again */

/* Cells that did not change are written again where going past them would take more. */
enum { SKIP = 8 };

#define ESC "\\u001b"

struct ink {
	uint32_t fg, bg;
	uint8_t attr;
};

struct cast {
	FILE *out;
	const struct theme *theme;
	struct canvas shown; /* what the player has; glyph 0 and all */
	bool begun;	     /* it has something */
	int x, y;	     /* its cursor; x -1: anywhere */
	bool inked;
	struct ink ink; /* what it writes with */
};

/* Header */

/* A text that may hold anything, as of JSON. */
static void write_json_string(FILE *out, const char *text)
{
	char glyph[UTF8_BYTES];
	uint32_t character = 0;

	fputc('"', out);
	while ((character = utf8_next_printable(&text, character))) {
		if (character == '"' || character == '\\')
			fputc('\\', out);
		fputs(utf8_put(character, glyph), out);
	}
	fputc('"', out);
}

/* Cells */

static void write_rgb(FILE *out, const char *before, int ground, uint32_t rgb)
{
	fprintf(out, "%s%d;2;%u;%u;%u", before, ground, rgb >> 16, rgb >> 8 & 0xff, rgb & 0xff);
}

/* Attributes are taken off with all else. */
static void write_ink(struct cast *cast, const struct ink *ink)
{
	bool anew = !cast->inked || cast->ink.attr != ink->attr;
	bool fg = anew || cast->ink.fg != ink->fg, bg = anew || cast->ink.bg != ink->bg;

	if (!fg && !bg)
		return;
	fputs(ESC "[", cast->out);
	if (anew)
		fprintf(cast->out, "0%s%s", ink->attr & ATTR_BOLD ? ";1" : "",
			ink->attr & ATTR_UNDERLINE ? ";4" : "");
	if (fg)
		write_rgb(cast->out, anew ? ";" : "", 38, ink->fg);
	if (bg)
		write_rgb(cast->out, anew || fg ? ";" : "", 48, ink->bg);
	fputc('m', cast->out);
	cast->ink = *ink;
	cast->inked = true;
}

/* In the last column a terminal waits for what comes: its cursor is nowhere. */
static void write_cells(struct cast *cast, const struct canvas *canvas, int x, int y, int n)
{
	const struct cell *cells = canvas->cells + (size_t)y * (size_t)canvas->width + x;
	char text[CANVAS_BYTES];

	if (cast->x >= 0 && cast->y == y && x > cast->x)
		fprintf(cast->out, ESC "[%dC", x - cast->x);
	else if (cast->x != x || cast->y != y)
		fprintf(cast->out, ESC "[%d;%dH", y + 1, x + 1);
	for (int i = 0; i < n; i++) {
		const struct style *style = &cells[i].style;
		enum colour fg = style->fg < COLOURS ? style->fg : COLOUR_DEFAULT;
		enum colour bg = theme_ground(style->bg);
		bool turned = style->attr & ATTR_REVERSE;
		struct ink ink = {cast->theme->colour[turned ? bg : fg].rgb,
				  cast->theme->colour[turned ? fg : bg].rgb,
				  style->attr & (ATTR_BOLD | ATTR_UNDERLINE)};

		write_ink(cast, &ink);
		if (cells[i].glyph == '"' || cells[i].glyph == '\\')
			fputc('\\', cast->out);
		fwrite(text, 1, (size_t)(canvas_encode(&cells[i], text) - text), cast->out);
		i += cells[i].wide;
	}
	cast->x = x + n < canvas->width ? x + n : -1;
	cast->y = y;
}

/* Frames */

static bool differs(const struct cast *cast, const struct canvas *canvas, int x, int y)
{
	size_t i = (size_t)y * (size_t)canvas->width + (size_t)x;

	return !cast->begun || !canvas_same_cell(&canvas->cells[i], &cast->shown.cells[i]);
}

/* Up to the next microsecond, so that the end is no moment before it. */
static void open_event(const struct cast *cast, int64_t at_ns, char kind)
{
	int64_t us = (at_ns + 999) / 1000;

	fprintf(cast->out, "[%" PRId64 ".%06" PRId64 ",\"%c\",", us / 1000000, us % 1000000, kind);
}

/* Players jump from one to the next. Of runs that begin in one frame each has its own. */
static void write_markers(const struct cast *cast, const struct frames *frames, uint32_t frame,
			  size_t *next)
{
	const struct model *model = &frames->model;
	char label[SAMPLE_NAME + 32];

	for (; *next < model->n_runs &&
	       (model->runs[*next].begin_ns <= frames_session(frames, frame));
	     ++*next) {
		const struct model_run *run = &model->runs[*next];
		const char *name = MODEL_CASE_NAME(model, run->id.case_id);

		if (run->id.trial > 0)
			snprintf(label, sizeof(label), "%s, trial %u", name, run->id.trial);
		else
			snprintf(label, sizeof(label), "%s, warm-up", name);
		open_event(cast, frames_at(frames, frame), 'm');
		write_json_string(cast->out, label);
		fputs("]\n", cast->out);
	}
}

/* Of a frame that looks as the one before nothing is written. */
static void write_frame(struct cast *cast, const struct frames *frames, uint32_t frame)
{
	const struct canvas *canvas = &frames->canvas;
	bool opened = false;

	for (int y = 0; y < canvas->height; y++) {
		int end;

		for (int x = 0; x < canvas->width; x++) {
			if (!differs(cast, canvas, x, y))
				continue;
			if (!opened) {
				open_event(cast, frames_at(frames, frame), 'o');
				fputs(cast->begun ? "\"" : "\"" ESC "[?25l", cast->out);
				opened = true;
			}
			/* a few cells that stay alike are written with those around them */
			end = x + 1;
			for (int i = end; i < canvas->width && i <= end + SKIP; i++)
				if (differs(cast, canvas, i, y))
					end = i + 1;
			end += canvas->cells[y * canvas->width + end - 1].wide;
			write_cells(cast, canvas, x, y, end - x);
			x = end - 1;
		}
	}
	if (!opened)
		return;
	fputs("\"]\n", cast->out);
	memcpy(cast->shown.cells, canvas->cells,
	       sizeof(*canvas->cells) * (size_t)canvas->width * (size_t)canvas->height);
	cast->begun = true;
}

static int write_cast(struct frames *frames, FILE *out)
{
	/* The sixteen of a terminal, though none is used: a player may draw its frame with them. */
	static const enum colour colours[] = {
		COLOUR_GROUND, COLOUR_BAD,    COLOUR_GOOD, COLOUR_WARN,
		COLOUR_MODEL0, COLOUR_MODEL2, COLOUR_CPU,  COLOUR_DEFAULT,
	};
	const size_t n = sizeof(colours) / sizeof(colours[0]);
	struct cast cast = {.out = out, .theme = frames->wish->theme, .x = -1};
	int err = canvas_resize(&cast.shown, frames->canvas.width, frames->canvas.height);

	const struct sample_session *session = &frames->model.session;
	char title[SAMPLE_TEXT];
	size_t marked = 0;

	fprintf(cast.out, "{\"version\":2,\"width\":%d,\"height\":%d,", frames->wish->width,
		frames->wish->height);
	if (session->wall_s > 0)
		fprintf(cast.out, "\"timestamp\":%" PRId64 ",", session->wall_s);
	fputs("\"title\":", cast.out);
	snprintf(title, sizeof(title), "tuibench %s", session->title);
	write_json_string(cast.out, title);
	fputs(",\"env\":{\"TERM\":\"xterm-256color\",\"COLORTERM\":\"truecolor\"},", cast.out);
	fprintf(cast.out, "\"theme\":{\"fg\":\"#%06x\",\"bg\":\"#%06x\",\"palette\":\"",
		cast.theme->colour[COLOUR_DEFAULT].rgb, cast.theme->colour[COLOUR_GROUND].rgb);
	for (size_t i = 0; i < 2 * n; i++)
		fprintf(cast.out, "%s#%06x", i ? ":" : "", cast.theme->colour[colours[i % n]].rgb);
	fputs("\"}}\n", cast.out);
	for (uint32_t i = 0; !err && i < frames_count(frames); i++) {
		err = frames_draw(frames, i);
		if (!err) {
			write_markers(&cast, frames, i, &marked);
			write_frame(&cast, frames, i);
		}
	}
	open_event(&cast, frames_at(frames, frames_count(frames) - 1) + END_S * INT64_C(1000000000),
		   'o');
	fprintf(cast.out, "\"" ESC "[%d;%dH" ESC "[0m" ESC "[?25h\"]\n", frames->canvas.height,
		frames->canvas.width);
	canvas_free(&cast.shown);
	return err;
}

int cast_write(const struct model *model, const struct film_wish *wish, FILE *out)
{
	return frames_write(model, wish, MOST_BYTES, write_cast, out);
}
