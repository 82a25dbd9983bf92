/* SPDX-License-Identifier: MIT */
#include "write_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/param.h>

#include "draw/snapshot.h"

#define SECOND INT64_C(1000000000)

/* A pause between runs takes no longer in the film, and the whole no longer unless asked for. */
#define IDLE_NS	 (2 * SECOND)
#define WHOLE_NS (60 * SECOND)

/* What a frame may leave for the next one, as rows of many workers do, is drawn at once. */
enum { PASSES = 200 };

/* At ten a second nearly three hours. */
enum { MOST_FRAMES = 100000 };

static void add_piece(struct frames *frames, int64_t from_ns, int64_t to_ns, bool runs)
{
	struct frames_piece *piece = &frames->pieces[frames->n_pieces];
	int64_t length_ns = (int64_t)((double)(to_ns - from_ns) / frames->speed);

	if (to_ns <= from_ns)
		return;
	if (!runs && length_ns > IDLE_NS)
		length_ns = IDLE_NS;
	piece->from_ns = from_ns;
	piece[1] = (struct frames_piece) {piece->at_ns + length_ns, to_ns};
	frames->n_pieces++;
}

/* Each run, and what lies before it. */
static void cut_pieces(struct frames *frames)
{
	const struct model *model = &frames->model;
	int64_t done_ns = 0;

	frames->n_pieces = 0;
	frames->pieces[0] = (struct frames_piece) {0};
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		int64_t end_ns = MIN(run->end_ns, model->newest_ns);

		add_piece(frames, done_ns, run->begin_ns, false);
		add_piece(frames, MAX(done_ns, run->begin_ns), end_ns, true);
		done_ns = MAX(done_ns, end_ns);
	}
	add_piece(frames, done_ns, model->newest_ns, false);
}

static int64_t whole_ns(const struct frames *frames)
{
	return frames->pieces[frames->n_pieces].at_ns;
}

int frames_open(struct frames *frames, const struct model *model, const struct film_wish *wish)
{
	struct view_state *state = &frames->view.state;

	*frames = (struct frames) {
		.model = *model,
		.wish = wish,
		.step_ns = SECOND / wish->fps,
		.speed = wish->speed > 0 ? wish->speed : 1,
		.select = wish->select,
	};
	frames->pieces = calloc(2 * model->n_runs + 2, sizeof(*frames->pieces));
	if (!frames->pieces)
		return -ENOMEM;
	cut_pieces(frames);
	while (wish->speed <= 0 && whole_ns(frames) > WHOLE_NS) {
		/* 1, 2, 5, 10 … */
		double speed = frames->speed, ten = 1;

		while (speed >= 10 * ten)
			ten *= 10;
		frames->speed = (speed < 2 * ten ? 2 : speed < 5 * ten ? 5 : 10) * ten;
		cut_pieces(frames);
	}
	/* a broken recording may span centuries */
	frames->step_ns = MAX(frames->step_ns, whole_ns(frames) / MOST_FRAMES);
	/* as a recording opens on the screen */
	view_init(&frames->view);
	state->settled = wish->view > 0;
	if (wish->view > 0)
		state->view = wish->view;
	state->captions = (enum view_captions)wish->captions;
	state->zoom = wish->zoom > 1 ? wish->zoom : 1;
	state->window_from_ns = wish->window_from_ns;
	state->window_to_ns = wish->window_to_ns;
	state->clock = (struct view_clock) {.shown = true, .speed = frames->speed};
	return canvas_resize(&frames->canvas, wish->width, wish->height);
}

void frames_close(struct frames *frames)
{
	free(frames->pieces);
	view_free(&frames->view);
	canvas_free(&frames->canvas);
}

uint32_t frames_count(const struct frames *frames)
{
	int64_t whole = whole_ns(frames), step = frames->step_ns;

	return (uint32_t)(whole / step + (whole % step > 0)) + 1;
}

int64_t frames_at(const struct frames *frames, uint32_t frame)
{
	return MIN(frame * frames->step_ns, whole_ns(frames));
}

int64_t frames_session(const struct frames *frames, uint32_t frame)
{
	int64_t at_ns = frames_at(frames, frame), passed_ns;
	const struct frames_piece *piece = frames->pieces;

	while (piece < frames->pieces + frames->n_pieces && piece[1].at_ns <= at_ns)
		piece++;
	passed_ns = at_ns - piece->at_ns;
	if (passed_ns == 0)
		return piece->from_ns;
	return piece->from_ns +
	       llround((double)passed_ns / (double)(piece[1].at_ns - piece->at_ns) *
		       (double)(piece[1].from_ns - piece->from_ns));
}

int frames_draw(struct frames *frames, uint32_t frame)
{
	model_seek(&frames->model, frames_session(frames, frame));
	/* Workers are known once their run has begun. */
	if (frames->select && view_select(&frames->view, &frames->model, frames->select) != -EAGAIN)
		frames->select = NULL;
	frames->view.state.clock.paused = frame + 1 >= frames_count(frames);
	for (int i = 0; i < PASSES; i++) {
		view_draw(&frames->canvas, &frames->model, &frames->view);
		if (!frames->view.shown.unfinished)
			break;
	}
	if (frames->wish->ascii)
		canvas_to_ascii(&frames->canvas);
	return frames->view.cache ? 0 : -ENOMEM;
}

int frames_write(const struct model *model, const struct film_wish *wish, size_t most,
		 int (*write)(struct frames *frames, FILE *out), FILE *out)
{
	struct frames frames;
	char *text = NULL;
	size_t size = 0;
	int err = frames_open(&frames, model, wish);

	while (!err) {
		FILE *bytes = open_memstream(&text, &size);

		err = bytes ? write(&frames, bytes) : -ENOMEM;
		if (bytes && fclose(bytes) && !err)
			err = -ENOMEM;
		if (err || size <= most || frames_count(&frames) <= 2)
			break;
		free(text);
		text = NULL;
		/* Frames further apart differ more: fewer of them are not as much smaller. */
		frames.step_ns = (int64_t)((double)frames.step_ns *
					   fmax(1.3, 1.2 * (double)size / (double)most));
	}
	errno = 0;
	if (!err && (fwrite(text, 1, size, out) != size || fflush(out)))
		err = errno ? -errno : -EIO;
	free(text);
	frames_close(&frames);
	return err;
}

/* Draws the session's end. */
static int draw_end(struct frames *frames, const struct model *model, const struct film_wish *wish)
{
	int err = frames_open(frames, model, wish);

	frames->view.state.clock.shown = false;
	return err ? err : frames_draw(frames, frames_count(frames) - 1);
}

int picture_write(const struct model *model, const struct film_wish *wish, FILE *out)
{
	struct frames frames;
	int err = draw_end(&frames, model, wish);

	if (!err)
		err = snapshot_svg(&frames.canvas, wish->theme, out);
	frames_close(&frames);
	return err;
}

int slide_write(const struct model *model, const struct film_wish *wish, FILE *out)
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
