/* SPDX-License-Identifier: MIT */
#include "film/film.h"

#include "draw/snapshot.h"
#include "frames.h"

int picture_write(const struct model *model, const struct film_wish *wish, FILE *out)
{
	struct frames frames;
	int err = frames_open(&frames, model, wish);

	frames.view.state.clock.shown = false;
	if (!err)
		err = frames_draw(&frames, frames_count(&frames) - 1);
	if (!err)
		err = snapshot_svg(&frames.canvas, wish->theme, out);
	frames_close(&frames);
	return err;
}
