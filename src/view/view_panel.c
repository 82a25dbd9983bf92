/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>

#include "view_cache.h"
#include "views.h"

/* What a panel leaves for the next frame, as of many workers, is drawn at once. */
enum { PANEL_PASSES = 200 };

/* "Overview" as part of a file's name. */
static const char *panel_name(const struct view_state *state, const struct model *model,
			      char name[VIEW_PANEL_NAME])
{
	const struct view_ops *ops = views_get(model, state->view);
	const char *text = state->vote ? "vote" : state->present ? "medians" : ops ? ops->name : "";
	int n = snprintf(name, VIEW_PANEL_NAME, "%s", text);

	for (int i = 0; i < n && i < VIEW_PANEL_NAME - 1; i++)
		name[i] = (char)tolower((unsigned char)name[i]);
	return name;
}

const char *view_panel(struct canvas *canvas, const struct model *model, struct view *view,
		       char name[VIEW_PANEL_NAME])
{
	const struct view_state state = view->state;
	const struct view_shown shown = view->shown;
	struct view_folds *folds;

	/* Without what surrounds it on the screen. */
	view->state.alone = true;
	view->state.help = view->state.typing = view->state.live = false;
	view->state.captions = VIEW_CAPTIONS_OFF;
	view->state.clock.shown = false;
	view->state.notice = NULL;
	view->state.lecture = (struct view_lecture) {.heading = NULL};
	for (int i = 0; i < PANEL_PASSES; i++) {
		view_draw(canvas, model, view);
		if (!view->shown.unfinished)
			break;
	}
	panel_name(&view->state, model, name);
	folds = view->state.folds;
	view->state = state;
	view->state.folds = folds;
	view->shown = shown;
	return name;
}

/* A picture that goes round alone says where it comes from. */
void view_panel_source(const struct view_frame *frame, struct rect rect)
{
	const struct machine *machine = &frame->model->session.machine;
	struct canvas *canvas = frame->canvas;
	int end = rect.x + rect.w - 1, x;

	end = canvas_right(canvas, end, rect.y, STYLE(COLOUR_DIM), "tuibench " TUIBENCH_VERSION);
	if (frame->model->n_origins > 0 || !frame->model->has_session)
		return;
	x = canvas_text(canvas, rect.x + 1, rect.y, end - rect.x - 3, STYLE(COLOUR_DIM),
			machine->cpu);
	if (machine->cores_allowed >= 0 && x + 12 < end)
		canvas_printf(canvas, x, rect.y, end - x - 2, STYLE(COLOUR_DIM), "%s%d of %d cores",
			      machine->cpu[0] ? ", " : "", machine->cores_allowed,
			      machine->cores_online);
}
