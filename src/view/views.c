/* SPDX-License-Identifier: MIT */
#include "view_cache.h"

#define VIEW_ROW(name) &view_##name,

const struct view_ops *views_at(size_t i)
{
	static const struct view_ops *const all[] = {VIEWS(VIEW_ROW) NULL};

	return all[i];
}

static bool is_offered(const struct view_ops *ops, const struct model *model)
{
	return !ops->offered || ops->offered(model);
}

const struct view_ops *views_get(const struct model *model, int number)
{
	const struct view_ops *found = NULL, *ops;

	for (size_t i = 0; (ops = views_at(i)); i++)
		if (ops->number == number && (!model || is_offered(ops, model)))
			found = ops;
	return found;
}

int views_of_session(const struct model *model)
{
	const struct view_ops *ops;

	for (size_t i = 0; (ops = views_at(i)); i++)
		if (ops->opens && is_offered(ops, model))
			return ops->number;
	return views_at(0)->number;
}

bool view_has_measured(const struct model *model)
{
	for (size_t i = 0; i < model->n_runs; i++)
		if (model_measured(model, &model->runs[i]))
			return true;
	return false;
}

bool view_compares_programs(const struct model *model)
{
	return model->n_cases > 1 && model->cases[0].plan.leaves[WORK_PROGRAM] > 0;
}

/*
 * The Overview shows the question until everything is measured. Then it shows the answer
 * immediately, even if a trial is still played, because the audience waits for the answer. The
 * question about programs says little, so the answer replaces it as soon as a program is faster.
 * Any other view that answers the question shows the question until a first difference is
 * known.
 */
bool view_asks(const struct view_frame *frame)
{
	const struct view_state *state = frame->state;
	const struct answer *answer = &frame->cache->answer;

	if (!state->question)
		return false;
	if (1 << state->view == KEYS_OVERVIEW)
		return !model_over(frame->model) &&
		       !(view_compares_programs(frame->model) && frame->cache->headline.decided);
	if (state->view != views_of_session(frame->model) || model_over(frame->model))
		return false;
	return !view_has_measured(frame->model) ||
	       (answer->state == ANSWER_MEASURING && answer->real == 0);
}
