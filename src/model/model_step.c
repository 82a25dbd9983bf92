/* SPDX-License-Identifier: MIT */
#include "model/model_step.h"

#include "core/step.h"

enum work_kind model_step(const struct model *model)
{
	enum work_kind kind = WORK_KINDS;

	for (uint32_t i = 0; i < model->n_cases && kind == WORK_KINDS; i++)
		kind = step_of(&model->cases[i].plan);
	return kind;
}

bool model_shares_steps(const struct sample_case *one)
{
	enum work_kind kind = step_of(&one->plan);

	return kind < WORK_KINDS && step_is_shared(kind);
}

bool model_withheld(const struct model_run *run)
{
	return run->shares_steps && run->n_workers > 1 && !(run->together >= MODEL_TOGETHER_LEAST);
}
