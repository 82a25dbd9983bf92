/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "draw/snapshot.h"
#include "write_parts.h"

/*
 * What never changes is drawn once. What does lies in strips: a few cells of a row, below one
 * another in each way that they look during the film, seen through a window of one row. A style
 * moves the strip. The strip's own place is that of the last frame, for who does not move it.
 */

#define MOST_BYTES 2000000
#define END_NS	   INT64_C(3000000000) /* the last frame stays so long before it begins again */

enum {
	STRIP_W = 20,
	MOST_FRAMES = 900,
	PITCH = 2 /* rows from look to look, the window between */
};

struct animation {
	struct frames *frames;
	FILE *out;
	uint32_t n;	    /* frames */
	struct cell *cells; /* of all of them, one after the other */
	int w, h;
	uint32_t strips; /* so far */
};

struct strip {
	struct rect part;
	uint32_t *look;	 /* of each frame: the first frame that looks so */
	uint32_t *place; /* of a frame that is a look: its place in the strip */
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

/* Strips */

static int row_units(void)
{
	return snapshot_place((struct rect) {0, 0, 1, 1}).h;
}

static int shift_of(const struct strip *strip, uint32_t frame)
{
	return -(int)strip->place[strip->look[frame]] * PITCH * row_units();
}

/* The window is a little higher than the row: what a reader scales has no sharp edges. */
static int add_strip(struct animation *animation, struct rect part)
{
	struct rect all = snapshot_place((struct rect) {0, 0, animation->w, animation->h});
	struct rect at = snapshot_place(part);
	const struct frames *frames = animation->frames;
	double whole_ns = (double)(frames_at(frames, animation->n - 1) + END_NS);
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
				100 * (double)frames_at(frames, i) / whole_ns, shift_of(&strip, i));
	fprintf(out, "}#s%u{animation-name:k%u}</style>\n", animation->strips, animation->strips);
	fprintf(out,
		"<svg y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"0 %d %d %d\">"
		"<g id=\"s%u\" class=\"s\" transform=\"translate(0 %d)\">\n",
		at.y - 1, w, at.h + 2, at.y - 1, w, at.h + 2, animation->strips,
		shift_of(&strip, animation->n - 1));
	for (uint32_t i = 0; i < animation->n; i++) {
		struct canvas canvas = {animation->w, animation->h, cells_at(animation, i, 0, 0)};

		if (strip.look[i] == i)
			snapshot_part(&canvas, frames->wish->theme, part,
				      (int)strip.place[i] * PITCH * row_units(), out);
	}
	fputs("</g></svg>\n", out);
	animation->strips++;
	free(strip.look);
	return 0;
}

/* Stretches that stay, drawn once, and others, cut into strips. */
static int write_strips(struct animation *animation, int y)
{
	const struct film_wish *wish = animation->frames->wish;
	struct canvas last = {animation->w, animation->h,
			      cells_at(animation, animation->n - 1, 0, 0)};
	int err = 0;

	for (int x = 0, end; !err && x < animation->w; x = end) {
		bool changes = ever_changes(animation, x, y);

		for (end = x + 1; end < animation->w; end++)
			if (ever_changes(animation, end, y) != changes ||
			    (changes && end - x >= STRIP_W))
				break;
		if (changes)
			err = add_strip(animation, (struct rect) {x, y, end - x, 1});
		else
			snapshot_part(&last, wish->theme, (struct rect) {x, y, end - x, 1}, 0,
				      animation->out);
	}
	return err;
}

static int write_animation(struct frames *frames, FILE *out)
{
	const struct canvas *canvas = &frames->canvas;
	const size_t whole = (size_t)canvas->width * (size_t)canvas->height;
	struct animation animation = {
		.frames = frames,
		.out = out,
		.w = canvas->width,
		.h = canvas->height,
	};
	int err = 0;

	while (frames_count(frames) > MOST_FRAMES)
		frames->step_ns *= 2;
	animation.n = frames_count(frames);
	animation.cells = calloc(animation.n * whole + 1, sizeof(*animation.cells));
	if (!animation.cells)
		return -ENOMEM;
	for (uint32_t i = 0; !err && i < animation.n; i++) {
		err = frames_draw(frames, i);
		memcpy(cells_at(&animation, i, 0, 0), canvas->cells,
		       sizeof(*canvas->cells) * whole);
	}
	snapshot_begin(canvas, frames->wish->theme, out);
	/* Whoever wants less motion sees the end. */
	fprintf(out,
		"<style>.s{animation:%.3fs step-end infinite}"
		"@media(prefers-reduced-motion:reduce){.s{animation:none!important}}</style>\n",
		(double)(frames_at(frames, animation.n - 1) + END_NS) / 1e9);
	for (int y = 0; !err && y < animation.h; y++)
		err = write_strips(&animation, y);
	free(animation.cells);
	return err ? err : snapshot_end(out);
}

int animation_write(const struct model *model, const struct film_wish *wish, FILE *out)
{
	return frames_write(model, wish, MOST_BYTES, write_animation, out);
}
