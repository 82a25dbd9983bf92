/* SPDX-License-Identifier: MIT */
#include "views.h"

#include <sys/param.h>

#include "draw/text.h"
#include "model/model.h"
#include "view_rows.h"

/* What is seen, and what to look at: for who has never seen the view. */

/* A screen of so many lines spares two without being asked. */
enum { CAPTION_FITS_H = 30, CAPTION_LEAST_H = 16 };

static const char *const *captions_of(const struct view_frame *frame)
{
	const struct view_ops *ops = views_get(frame->model, frame->state->view);
	const uint32_t n = frame->model->n_cases;

	if (!ops)
		return NULL;
	if (ops->captions_now && ops->captions_now(frame))
		return ops->captions_now(frame);
	return ops->captions_trees[0] && n > 0 &&
			       view_tree_fits(frame->model, MIN(frame->state->chosen, n - 1))
		       ? ops->captions_trees
		       : ops->captions;
}

static bool caption_wanted(const struct view_frame *frame, int height)
{
	const struct view_state *state = frame->state;

	if (state->present || state->vote || state->captions == VIEW_CAPTIONS_OFF)
		return false;
	return height >= (state->captions == VIEW_CAPTIONS_ON ? CAPTION_LEAST_H : CAPTION_FITS_H);
}

int view_caption_lines(const struct view_frame *frame)
{
	const char *const *captions = captions_of(frame);
	int lecture = view_lecture_lines(frame), w = frame->canvas->width - 2;

	if (lecture)
		return lecture;
	if (!captions || w < LAYOUT_LEAST_W - 2 || !caption_wanted(frame, frame->canvas->height))
		return 0;
	return MIN(4, text_lines(captions[0], w) + text_lines(captions[1], w));
}

void view_caption_draw(const struct view_frame *frame, struct rect rect)
{
	const char *const *captions = captions_of(frame);
	int used;

	frame->shown->captioned = rect.h > 0;
	if (rect.h <= 0)
		return;
	if (view_lecture_lines(frame)) {
		view_lecture_draw(frame, rect);
		return;
	}
	rect.x += 1;
	rect.w -= 2;
	used = text_draw(frame->canvas, rect, STYLE(COLOUR_DEFAULT), captions[0]);
	rect.y += used;
	rect.h -= used;
	text_draw(frame->canvas, rect, STYLE(COLOUR_DIM), captions[1]);
}
