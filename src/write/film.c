/* SPDX-License-Identifier: MIT */
#include "write/film.h"

#include <string.h>

#include "draw/snapshot.h"
#include "frames.h"

#define FILM_ROW(name, write, about) {name, about, write},
static const struct film_format formats[] = {FILM_LIST(FILM_ROW)};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct film_format *film_at(size_t i)
{
	return i < FORMATS ? &formats[i] : NULL;
}

const struct film_format *film_find(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
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
