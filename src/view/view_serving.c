/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <sys/param.h>

#include "view_cache.h"

/*
 * Lanes of a server's workers, for the newest run of each model that has ended. All lanes cover the
 * same time span, so a model that serves more requests has more marks.
 */

enum { SERVING_NAME_W = 5 };

bool view_serves(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (!plan_serves(&model->cases[i].plan))
			return false;
	return model->n_cases > 0;
}

/*
 * The shortest duration of the models' newest runs that have ended, rounded up to a round number; 0
 * if no run has ended.
 */
static int64_t serving_time(const struct model *model)
{
	int64_t shortest_ns = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = model_latest_ended(model, i);
		const int64_t ns = run ? model_length(model, run) : 0;

		if (ns > 0 && (shortest_ns == 0 || ns < shortest_ns))
			shortest_ns = ns;
	}
	if (shortest_ns == 0)
		return 0;
	return (int64_t)plot_nice((double)shortest_ns);
}

struct plot_axis view_serving_axis(const struct view_frame *frame, struct rect rect)
{
	const struct model *model = frame->model;
	int64_t *most_ns = &frame->cache->serving_ns;
	struct plot_axis axis = {.x = rect.x + SERVING_NAME_W};

	axis.to_ns = MAX(*most_ns, serving_time(model));
	/*
	 * After each model has run, the axis only grows, so that no lane jumps. Before that, the
	 * axis may still become shorter, because the fastest model may not have run yet.
	 */
	if (model_runs_ended(model) >= model->n_cases)
		*most_ns = axis.to_ns;
	axis.w = MAX(0, MIN(rect.w - SERVING_NAME_W, PLOT_DOTS / 2));
	if (axis.to_ns > 0)
		plot_time_labels(frame->canvas, &axis, rect.y, DIM);
	return axis;
}

/*
 * Draws a worker: a line while the worker lives, and a mark for each recorded request. Leaves out a
 * mark next to another mark, because adjacent marks look like a bar.
 */
static void serving_draw_worker(const struct view_frame *frame, const struct plot_axis *axis,
				const struct model_run *run, uint32_t index, int y, uint8_t hue)
{
	const struct sample_worker worker = model_worker(frame->model, run, index);
	const int64_t begin_ns = sample_worker_begin(&worker);
	const int64_t end_ns = fields_known_or(worker.finish_ns, axis->to_ns);
	bool marked[PLOT_DOTS / 2 + 2] = {false};
	int first, end;

	if (begin_ns < 0 || begin_ns >= axis->to_ns)
		return;
	first = plot_cell(axis, begin_ns);
	end = MIN(plot_cell(axis, end_ns) + 1, axis->w);
	canvas_hline(frame->canvas, axis->x + first, y, end - first, 0x2501, STYLE(hue));
	for (uint32_t i = 0; i < run->n_requests; i++) {
		const int cell = plot_cell(axis, run->requests[i].request_ns);

		if (run->requests[i].index == index && cell >= 0 && cell < axis->w)
			marked[cell] = true;
	}
	for (int x = 0; x < axis->w; x++) {
		if (!marked[x])
			continue;
		canvas_put(frame->canvas, axis->x + x, y, 0x253c, STYLE_BOLD(COLOUR_DEFAULT));
		marked[x + 1] = false;
	}
}

/* Draws how many workers live at once, if there are more workers than lines. */
static void serving_draw_count(const struct view_frame *frame, const struct plot_axis *axis,
			       const struct model_run *run, uint32_t first, struct rect rect,
			       uint8_t hue)
{
	const double half_ns = (double)axis->to_ns / (2 * axis->w);
	double alive[PLOT_DOTS] = {0}, most = 0;
	char text[24];

	for (uint32_t index = first; index < run->n_workers; index++) {
		const struct sample_worker worker = model_worker(frame->model, run, index);
		const int64_t begin_ns = sample_worker_begin(&worker);
		const double end =
			(double)MIN(fields_known_or(worker.finish_ns, axis->to_ns), axis->to_ns);

		if (begin_ns < 0 || begin_ns >= axis->to_ns)
			continue;
		for (int i = (int)((double)begin_ns / half_ns); i < 2 * axis->w; i++) {
			const double from = fmax((double)begin_ns, i * half_ns);
			const double to = fmin(end, (i + 1) * half_ns);

			if (to <= from)
				break;
			alive[i] += (to - from) / half_ns;
		}
	}
	for (int i = 0; i < 2 * axis->w; i++)
		most = fmax(most, alive[i]);
	/* Rounding errors of the shares must not add a worker. */
	most = ceil(most - 1e-6);
	plot_area(frame->canvas, RECT(axis->x, rect.y, axis->w, rect.h), alive, most, STYLE(hue));
	snprintf(text, sizeof(text), "%.0f", most);
	canvas_right(frame->canvas, axis->x - 1, rect.y, DIM, text);
}

void view_serving_draw(const struct view_frame *frame, const struct plot_axis *axis,
		       struct rect rect, uint32_t case_id)
{
	const struct model *model = frame->model;
	const struct model_run *run = model_latest_ended(model, case_id);
	const struct plan *plan = &model->cases[case_id].plan;
	uint32_t first, workers;
	uint8_t hue = view_hue(model, case_id);
	int pitch;

	if (!run || axis->to_ns <= 0 || axis->w < 1)
		return;
	/* A run that does not count is grey, like its histogram. */
	if (run->id.trial == 0 || !model_measured(model, run))
		hue = COLOUR_DIM;
	if (run->workers.gone) {
		canvas_text(frame->canvas, axis->x, rect.y, axis->w, DIM,
			    view_list_waits(frame->state, run));
		return;
	}
	first = plan_level(plan, plan->levels - 1, &workers);
	if (workers > (uint32_t)rect.h) {
		serving_draw_count(frame, axis, run, first, rect, hue);
		return;
	}
	pitch = rect.h / (int)MAX(1, workers);
	for (uint32_t i = 0; i < workers; i++) {
		const int y = rect.y + (int)i * pitch + (pitch - 1) / 2;
		char name[16];

		snprintf(name, sizeof(name), "w%u", i + 1);
		canvas_right(frame->canvas, axis->x - 1, y, DIM, name);
		serving_draw_worker(frame, axis, run, first + i, y, hue);
	}
}
