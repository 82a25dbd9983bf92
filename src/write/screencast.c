/* SPDX-License-Identifier: MIT */
#include "write_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "draw/snapshot.h"

#define SCREENCAST_SECOND INT64_C(1000000000)

/*
 * IDLE_NS: longest pause between runs in the screencast. WHOLE_NS: longest screencast, unless the
 * user sets the speed.
 */
#define IDLE_NS	 (2 * SCREENCAST_SECOND)
#define WHOLE_NS (60 * SCREENCAST_SECOND)
/* How long the last frame is shown before a player starts again, ns. */
#define END_NS (3 * SCREENCAST_SECOND)

/* Upper limit of frames: nearly three hours at ten frames a second. */
enum { MOST_FRAMES = 100000 };

/*
 * Plays the session's time from_ns … to_ns, beginning at at_ns of the screencast. Returns the time
 * of the screencast at which this ends. Adds frames if there is a list of frames; otherwise only
 * measures the time.
 */
static int64_t add_stretch(struct frames *frames, int64_t at_ns, int64_t from_ns, int64_t to_ns,
			   bool runs)
{
	int64_t length_ns = (int64_t)((double)(to_ns - from_ns) / frames->speed), next_ns;

	if (to_ns <= from_ns)
		return at_ns;
	if (!runs)
		length_ns = MIN(length_ns, IDLE_NS);
	while (frames->list && (next_ns = frames->n * frames->step_ns) < at_ns + length_ns) {
		double passed = (double)(next_ns - at_ns) / (double)length_ns;

		frames->list[frames->n++] = (struct frame) {
			next_ns, from_ns + llround(passed * (double)(to_ns - from_ns))};
	}
	return at_ns + length_ns;
}

/* Adds time at the end, in which only the race moves: the trial being played comes to its end. */
static int64_t add_race(struct frames *frames, int64_t at_ns)
{
	const int64_t end_ns = at_ns + (int64_t)RACE_NS;

	if (!frames->races)
		return at_ns;
	while (frames->list && frames->n * frames->step_ns < end_ns) {
		frames->list[frames->n] = (struct frame) {frames->n * frames->step_ns,
							  MAX(0, frames->model.newest_ns)};
		frames->n++;
	}
	return end_ns;
}

/* Adds all stretches. Returns the length of the screencast. */
static int64_t add_stretches(struct frames *frames)
{
	const struct model *model = &frames->model;
	int64_t at_ns = 0, done_ns = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		int64_t end_ns = MIN(run->end_ns, model->newest_ns);

		at_ns = add_stretch(frames, at_ns, done_ns, run->begin_ns, false);
		at_ns = add_stretch(frames, at_ns, MAX(done_ns, run->begin_ns), end_ns, true);
		done_ns = MAX(done_ns, end_ns);
	}
	at_ns = add_stretch(frames, at_ns, done_ns, model->newest_ns, false);
	return add_race(frames, at_ns);
}

/* Replaces the list of frames by frames at least step_ns apart. Returns 0 or -ENOMEM. */
static int cut_frames(struct frames *frames, int64_t step_ns)
{
	int64_t whole_ns;

	free(frames->list);
	frames->list = NULL;
	whole_ns = add_stretches(frames);
	/* A broken recording may span centuries. */
	frames->step_ns = MAX(step_ns, whole_ns / MOST_FRAMES);
	frames->list = calloc((size_t)(whole_ns / frames->step_ns) + 2, sizeof(*frames->list));
	frames->n = 0;
	if (!frames->list)
		return -ENOMEM;
	add_stretches(frames);
	frames->list[frames->n++] = (struct frame) {whole_ns, MAX(0, frames->model.newest_ns)};
	return 0;
}

int frames_open(struct frames *frames, const struct model *model,
		const struct screencast_wish *wish)
{
	struct view_state *state = &frames->view.state;
	int err;

	*frames = (struct frames) {
		.model = *model,
		.wish = wish,
		.speed = wish->speed > 0 ? wish->speed : 1,
		.select = wish->looks.select,
	};
	model_seek(&frames->model, frames->model.newest_ns);
	frames->races = model_trial_newest(&frames->model).number > 0;
	while (wish->speed <= 0 && add_stretches(frames) > WHOLE_NS) {
		/* Next speed in the series 1, 2, 5, 10 … */
		double speed = frames->speed, ten = 1;

		while (speed >= 10 * ten)
			ten *= 10;
		if (speed < 2 * ten)
			frames->speed = 2 * ten;
		else if (speed < 5 * ten)
			frames->speed = 5 * ten;
		else
			frames->speed = 10 * ten;
	}
	err = cut_frames(frames, SCREENCAST_SECOND / wish->fps);
	view_init(&frames->view);
	view_look(state, &wish->looks);
	state->captions = (enum view_captions)wish->captions;
	state->clock = (struct view_clock) {.shown = true, .speed = frames->speed};
	if (err)
		return err;
	return canvas_resize(&frames->canvas, wish->width, wish->height);
}

void frames_close(struct frames *frames)
{
	free(frames->list);
	view_free(&frames->view);
	canvas_free(&frames->canvas);
}

int frames_draw(struct frames *frames, uint32_t frame)
{
	model_seek(&frames->model, frames->list[frame].session_ns);
	/* Workers are not known before their run has begun. */
	if (frames->select && view_select(&frames->view, &frames->model, frames->select) != -EAGAIN)
		frames->select = NULL;
	frames->view.state.clock.paused = frame + 1 == frames->n;
	if (frame + 1 == frames->n)
		race_finish(&frames->race, &frames->model);
	else
		race_advance(&frames->race, &frames->model,
			     1 + (uint64_t)frames->list[frame].at_ns);
	frames->view.state.race = frames->race.race;
	view_draw(&frames->canvas, &frames->model, &frames->view);
	if (frames->wish->ascii)
		canvas_to_ascii(&frames->canvas);
	if (frames->view.cache)
		return 0;
	return -ENOMEM;
}

/*
 * Opens a screencast and calls write(), which draws its frames. Repeats this with fewer frames per
 * second while the result is larger than `most` bytes. Returns 0 or -errno.
 */
static int frames_write(const struct model *model, const struct screencast_wish *wish, size_t most,
			int (*write)(struct frames *frames, FILE *out), FILE *out)
{
	struct frames frames;
	char *text = NULL;
	size_t size = 0;
	int err = frames_open(&frames, model, wish);

	while (!err) {
		FILE *bytes = open_memstream(&text, &size);

		if (bytes)
			err = write(&frames, bytes);
		else
			err = -ENOMEM;
		if (bytes && fclose(bytes) && !err)
			err = -ENOMEM;
		if (err || size <= most || frames.n <= 2)
			break;
		free(text);
		text = NULL;
		/*
		 * Frames that are further apart differ more, so half as many frames need more than
		 * half as many bytes.
		 */
		err = cut_frames(&frames, (int64_t)((double)frames.step_ns *
						    fmax(1.3, 1.2 * (double)size / (double)most)));
	}
	errno = 0;
	if (!err && (fwrite(text, 1, size, out) != size || fflush(out))) {
		if (errno)
			err = -errno;
		else
			err = -EIO;
	}
	free(text);
	frames_close(&frames);
	return err;
}

static int draw_end(struct frames *frames, const struct model *model,
		    const struct screencast_wish *wish)
{
	int err = frames_open(frames, model, wish);

	frames->view.state.clock.shown = false;
	if (err)
		return err;
	return frames_draw(frames, frames->n - 1);
}

int picture_write(const struct model *model, const struct screencast_wish *wish, FILE *out)
{
	struct frames frames;
	int err = draw_end(&frames, model, wish);

	if (!err)
		err = snapshot_svg(&frames.canvas, wish->theme, out);
	frames_close(&frames);
	return err;
}

int slide_write(const struct model *model, const struct screencast_wish *wish, FILE *out)
{
	struct canvas canvas = {0};
	struct frames frames;
	char name[VIEW_PANEL_NAME];
	int err = draw_end(&frames, model, wish);

	if (!err)
		err = canvas_resize(&canvas, SNAPSHOT_SLIDE_W, SNAPSHOT_SLIDE_H);
	if (!err) {
		view_panel(&canvas, &frames.model, &frames.view, name);
		if (wish->ascii)
			canvas_to_ascii(&canvas);
		err = snapshot_slide(&canvas, wish->theme, out);
	}
	canvas_free(&canvas);
	frames_close(&frames);
	return err;
}

/*
 * asciicast v2: a line with the screen's size, then a line for each frame with its time and its
 * output. https://docs.asciinema.org/manual/asciicast/v2/
 */

#define CAST_BYTES 4000000

/*
 * Largest number of unchanged cells between changed ones that are written again, because moving the
 * cursor past them would need more bytes.
 */
enum { SKIP = 8 };

#define SCREENCAST_ESC "\\u001b"

struct ink {
	uint32_t fg, bg;
	uint8_t attr;
};

struct cast {
	FILE *out;
	const struct theme *theme;
	/* The cells on the player's screen. All glyphs are 0 until the first frame. */
	struct canvas shown;
	bool begun; /* The player has a first frame. */
	int x, y;   /* The player's cursor; x -1: unknown. */
	bool inked;
	struct ink ink; /* The player's current colours and attributes. */
};

static void write_rgb(FILE *out, const char *before, int ground, uint32_t rgb)
{
	fprintf(out, "%s%d;2;%u;%u;%u", before, ground, rgb >> 16, rgb >> 8 & 0xff, rgb & 0xff);
}

/* Sets colours and attributes. To turn an attribute off, everything must be reset. */
static void write_ink(struct cast *cast, const struct ink *ink)
{
	bool anew = !cast->inked || cast->ink.attr != ink->attr;
	bool fg = anew || cast->ink.fg != ink->fg, bg = anew || cast->ink.bg != ink->bg;

	if (!fg && !bg)
		return;
	fputs(SCREENCAST_ESC "[", cast->out);
	if (anew)
		fputc('0', cast->out);
	if (anew && ink->attr & ATTR_BOLD)
		fputs(";1", cast->out);
	if (anew && ink->attr & ATTR_UNDERLINE)
		fputs(";4", cast->out);
	if (fg)
		write_rgb(cast->out, anew ? ";" : "", 38, ink->fg);
	if (bg)
		write_rgb(cast->out, anew || fg ? ";" : "", 48, ink->bg);
	fputc('m', cast->out);
	cast->ink = *ink;
	cast->inked = true;
}

/*
 * Writes cells. After the last column, the position of a terminal's cursor is not defined, so
 * treats it as unknown.
 */
static void write_cells(struct cast *cast, const struct canvas *canvas, int x, int y, int n)
{
	const struct cell *cells = canvas->cells + (size_t)y * (size_t)canvas->width + x;
	char text[CANVAS_BYTES];

	if (cast->x >= 0 && cast->y == y && x > cast->x)
		fprintf(cast->out, SCREENCAST_ESC "[%dC", x - cast->x);
	else if (cast->x != x || cast->y != y)
		fprintf(cast->out, SCREENCAST_ESC "[%d;%dH", y + 1, x + 1);
	for (int i = 0; i < n; i++) {
		const struct style *style = &cells[i].style;
		enum colour fg = style->fg < COLOURS ? style->fg : COLOUR_DEFAULT;
		enum colour bg = theme_ground(style->bg);
		const struct theme *theme = cast->theme;
		struct ink ink = {theme->colour[fg].rgb, theme->colour[bg].rgb,
				  style->attr & (ATTR_BOLD | ATTR_UNDERLINE)};

		if (style->attr & ATTR_REVERSE) {
			ink.fg = theme->colour[bg].rgb;
			ink.bg = theme->colour[fg].rgb;
		}

		write_ink(cast, &ink);
		if (cells[i].glyph == '"' || cells[i].glyph == '\\')
			fputc('\\', cast->out);
		fwrite(text, 1, (size_t)(canvas_encode(&cells[i], text) - text), cast->out);
		i += cells[i].wide;
	}
	if (x + n < canvas->width)
		cast->x = x + n;
	else
		cast->x = -1;
	cast->y = y;
}

static bool differs(const struct cast *cast, const struct canvas *canvas, int x, int y)
{
	size_t i = (size_t)y * (size_t)canvas->width + (size_t)x;

	return !cast->begun || !canvas_same_cell(&canvas->cells[i], &cast->shown.cells[i]);
}

/*
 * Begins an event. Its time is rounded up to µs; rounded down, the screencast could end before its
 * computed length.
 */
static void open_event(const struct cast *cast, int64_t at_ns, char kind)
{
	int64_t us = (at_ns + 999) / 1000;

	fprintf(cast->out, "[%" PRId64 ".%06" PRId64 ",\"%c\",", us / 1000000, us % 1000000, kind);
}

/*
 * Writes markers, between which players can jump. If several runs begin in one frame, each gets a
 * marker.
 */
static int write_markers(const struct cast *cast, const struct model *model,
			 const struct frame *frame, size_t *next)
{
	char label[SAMPLE_NAME + 32];
	int err = 0;

	for (; *next < model->n_runs; ++*next) {
		if (err || model->runs[*next].begin_ns > frame->session_ns)
			break;
		open_event(cast, frame->at_ns, 'm');
		export_run_name(model, &model->runs[*next], label, sizeof(label));
		err = json_write(cast->out, json_printable(label));
		fputs("]\n", cast->out);
	}
	return err;
}

/* Writes a frame. Writes nothing if it equals the previous frame. */
static void write_frame(struct cast *cast, const struct canvas *canvas, int64_t at_ns)
{
	bool opened = false;

	for (int y = 0; y < canvas->height; y++) {
		int end;

		for (int x = 0; x < canvas->width; x++) {
			if (!differs(cast, canvas, x, y))
				continue;
			if (!opened) {
				open_event(cast, at_ns, 'o');
				fputs(cast->begun ? "\"" : "\"" SCREENCAST_ESC "[?25l", cast->out);
				opened = true;
			}
			/* Include a few unchanged cells between changed ones. */
			end = x + 1;
			for (int i = end; i < MIN(canvas->width, end + SKIP + 1); i++)
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
	/*
	 * The terminal's sixteen colours. The frames do not use them, but a player may use them for
	 * its own border.
	 */
	static const enum colour colours[] = {
		COLOUR_GROUND, COLOUR_BAD,    COLOUR_GOOD, COLOUR_WARN,
		COLOUR_MODEL0, COLOUR_MODEL2, COLOUR_CPU,  COLOUR_DEFAULT,
	};
	const size_t n = LENGTH(colours);
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
	if (!err)
		err = json_write(cast.out, json_printable(title));
	fputs(",\"env\":{\"TERM\":\"xterm-256color\",\"COLORTERM\":\"truecolor\"},", cast.out);
	fprintf(cast.out, "\"theme\":{\"fg\":\"#%06x\",\"bg\":\"#%06x\",\"palette\":\"",
		cast.theme->colour[COLOUR_DEFAULT].rgb, cast.theme->colour[COLOUR_GROUND].rgb);
	for (size_t i = 0; i < 2 * n; i++)
		fprintf(cast.out, "%s#%06x", i ? ":" : "", cast.theme->colour[colours[i % n]].rgb);
	fputs("\"}}\n", cast.out);
	for (uint32_t i = 0; i < frames->n; i++) {
		if (err)
			break;
		err = frames_draw(frames, i);
		if (!err)
			err = write_markers(&cast, &frames->model, &frames->list[i], &marked);
		if (!err)
			write_frame(&cast, &frames->canvas, frames->list[i].at_ns);
	}
	open_event(&cast, frames->list[frames->n - 1].at_ns + END_NS, 'o');
	fprintf(cast.out,
		"\"" SCREENCAST_ESC "[%d;%dH" SCREENCAST_ESC "[0m" SCREENCAST_ESC "[?25h\"]\n",
		frames->canvas.height, frames->canvas.width);
	canvas_free(&cast.shown);
	return err;
}

int cast_write(const struct model *model, const struct screencast_wish *wish, FILE *out)
{
	return frames_write(model, wish, CAST_BYTES, write_cast, out);
}

/*
 * An animated SVG. Cells that never change are drawn once. Cells that change are grouped into
 * strips. A strip has every different content of a few cells of a row, one below the other; a
 * window of one row shows a single content. A CSS animation moves the strip. If animations are off,
 * the strip shows the last frame.
 */

#define ANIMATION_BYTES 2000000

enum {
	STRIP_W = 20,
	ANIMATION_FRAMES = 900,
	/*
	 * Distance between two contents of a strip, in rows, so that the window shows only one of
	 * them.
	 */
	PITCH = 2
};

struct animation {
	const struct theme *theme;
	FILE *out;
	const struct frame *list; /* n frames */
	uint32_t n;
	struct cell *cells; /* The cells of all frames, one after the other. */
	int w, h;
	uint32_t strips; /* Number of strips so far. */
};

struct strip {
	struct rect part;
	uint32_t *look;	 /* For each frame, the first frame with the same content. */
	uint32_t *place; /* For each frame with a new content, its position in the strip. */
	uint32_t looks;
};

static struct cell *cells_at(const struct animation *animation, uint32_t frame, int x, int y)
{
	size_t whole = (size_t)animation->w * (size_t)animation->h;

	return animation->cells + frame * whole + (size_t)y * (size_t)animation->w + (size_t)x;
}

static bool looks_alike(const struct animation *animation, uint32_t a, uint32_t b, struct rect part)
{
	const struct cell *of_a = cells_at(animation, a, part.x, part.y);
	const struct cell *of_b = cells_at(animation, b, part.x, part.y);

	return memcmp(of_a, of_b, sizeof(*of_a) * (size_t)part.w) == 0;
}

static bool ever_changes(const struct animation *animation, int x, int y)
{
	for (uint32_t i = 1; i < animation->n; i++)
		if (!looks_alike(animation, 0, i, (struct rect) {x, y, 1, 1}))
			return true;
	return false;
}

static int shift_of(const struct strip *strip, uint32_t frame)
{
	return -(int)strip->place[strip->look[frame]] * PITCH *
	       snapshot_place((struct rect) {0, 0, 1, 1}).h;
}

/*
 * Writes a strip. The window is slightly higher than a row, because edges blur when a viewer scales
 * the picture.
 */
static int add_strip(struct animation *animation, struct rect part)
{
	struct rect all = snapshot_place((struct rect) {0, 0, animation->w, animation->h});
	struct rect at = snapshot_place(part);
	double whole_ns = (double)(animation->list[animation->n - 1].at_ns + END_NS);
	struct strip strip = {.part = part};
	int w = all.w + 2 * all.x;
	FILE *out = animation->out;

	strip.look = calloc(2 * (size_t)animation->n, sizeof(*strip.look));
	if (!strip.look)
		return -ENOMEM;
	strip.place = strip.look + animation->n;
	for (uint32_t i = 0, last = 0; i < animation->n; i++) {
		uint32_t k = i > 0 && looks_alike(animation, last, i, part) ? last : 0;

		while (k < i && (strip.look[k] != k || !looks_alike(animation, k, i, part)))
			k++;
		strip.look[i] = k;
		if (k == i)
			strip.place[i] = strip.looks++;
		last = k;
	}
	fprintf(out, "<style>@keyframes k%u{", animation->strips);
	for (uint32_t i = 0; i < animation->n; i++)
		if (i == 0 || strip.look[i] != strip.look[i - 1])
			fprintf(out, "%.4g%%{transform:translateY(%dpx)}",
				100 * (double)animation->list[i].at_ns / whole_ns,
				shift_of(&strip, i));
	fprintf(out, "}#s%u{animation-name:k%u}</style>\n", animation->strips, animation->strips);
	fprintf(out,
		"<svg y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"0 %d %d %d\">"
		"<g id=\"s%u\" class=\"s\" transform=\"translate(0 %d)\">\n",
		at.y - 1, w, at.h + 2, at.y - 1, w, at.h + 2, animation->strips,
		shift_of(&strip, animation->n - 1));
	for (uint32_t i = 0; i < animation->n; i++) {
		struct canvas canvas = {animation->w, animation->h, cells_at(animation, i, 0, 0)};

		if (strip.look[i] == i)
			snapshot_part(&canvas, animation->theme, part, -shift_of(&strip, i), out);
	}
	fputs("</g></svg>\n", out);
	animation->strips++;
	free(strip.look);
	return 0;
}

static int write_animation(struct frames *frames, FILE *out)
{
	const struct canvas *canvas = &frames->canvas;
	const size_t whole = (size_t)canvas->width * (size_t)canvas->height;
	struct animation animation = {
		.theme = frames->wish->theme,
		.out = out,
		.w = canvas->width,
		.h = canvas->height,
	};
	struct canvas last;
	int err = 0;

	while (!err && frames->n > ANIMATION_FRAMES)
		err = cut_frames(frames, frames->step_ns * 2);
	if (err)
		return err;
	animation.list = frames->list;
	animation.n = frames->n;
	animation.cells = calloc(animation.n * whole + 1, sizeof(*animation.cells));
	if (!animation.cells)
		return -ENOMEM;
	for (uint32_t i = 0; i < animation.n; i++) {
		if (err)
			break;
		err = frames_draw(frames, i);
		memcpy(cells_at(&animation, i, 0, 0), canvas->cells,
		       sizeof(*canvas->cells) * whole);
	}
	snapshot_begin(canvas, frames->wish->theme, out);
	/* For viewers that prefer reduced motion, show the last frame. */
	fprintf(out,
		"<style>.s{animation:%.3fs step-end infinite}"
		"@media(prefers-reduced-motion:reduce){.s{animation:none!important}}</style>\n",
		(double)(animation.list[animation.n - 1].at_ns + END_NS) / 1e9);
	/* Draw once what never changes, and cut the rest into strips. */
	last = (struct canvas) {animation.w, animation.h,
				cells_at(&animation, animation.n - 1, 0, 0)};
	for (struct rect part = {.h = 1}; part.y < animation.h; part.y++) {
		for (part.x = 0; part.x < animation.w; part.x += part.w) {
			bool changes = ever_changes(&animation, part.x, part.y);
			int end = part.x + 1;

			if (err)
				break;
			while (end < animation.w &&
			       ever_changes(&animation, end, part.y) == changes &&
			       !(changes && end - part.x >= STRIP_W))
				end++;
			part.w = end - part.x;
			if (changes)
				err = add_strip(&animation, part);
			else
				snapshot_part(&last, frames->wish->theme, part, 0, out);
		}
	}
	free(animation.cells);
	if (err)
		return err;
	return snapshot_end(out);
}

int animation_write(const struct model *model, const struct screencast_wish *wish, FILE *out)
{
	return frames_write(model, wish, ANIMATION_BYTES, write_animation, out);
}
