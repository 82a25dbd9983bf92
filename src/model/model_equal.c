/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <stddef.h>
#include <string.h>

#define SAME(field_)	  (a->field_ == b->field_)
#define SAME_TEXT(field_) (strcmp(a->field_, b->field_) == 0)

_Static_assert(sizeof(struct sample_core) == 12, "no hole: arrays of it are compared as bytes");

static bool same_plan(const struct plan *a, const struct plan *b)
{
	if (!SAME(levels) || !SAME(batch) || !SAME(gated) || !SAME(all_alive) || !SAME(primitive))
		return false;
	return memcmp(a->fanout, b->fanout, a->levels * sizeof(*a->fanout)) == 0 &&
	       memcmp(a->task, b->task, a->levels * sizeof(*a->task)) == 0 &&
	       memcmp(a->leaves, b->leaves, sizeof(a->leaves)) == 0;
}

static bool same_cases(const struct model *model_a, const struct model *model_b)
{
	if (model_a->n_cases != model_b->n_cases)
		return false;
	for (uint32_t i = 0; i < model_a->n_cases; i++) {
		const struct sample_case *a = &model_a->cases[i], *b = &model_b->cases[i];

		if (!SAME_TEXT(model) || !variables_equal(&a->variables, &b->variables) ||
		    !same_plan(&a->plan, &b->plan) || !SAME(stack_size) || !SAME(ballast) ||
		    memcmp(a->work_size, b->work_size, sizeof(a->work_size)) != 0)
			return false;
	}
	return true;
}

static bool same_workers(const struct model_run *a, const struct model_run *b)
{
	if (!SAME(n_workers))
		return false;
	for (uint32_t i = 0; i < a->n_workers; i++)
		if (!fields_equal(sample_worker_fields, &a->workers[i], &b->workers[i]))
			return false;
	return true;
}

static bool same_points(const struct model_run *run_a, const struct model_run *run_b)
{
	if (run_a->n_points != run_b->n_points)
		return false;
	for (size_t i = 0; i < run_a->n_points; i++) {
		const struct model_point *a = &run_a->points[i], *b = &run_b->points[i];

		if (!SAME(time_ns) || !SAME(tasks) ||
		    !fields_equal(sample_memory_fields, &a->memory, &b->memory))
			return false;
	}
	return true;
}

static bool same_run(const struct model_run *a, const struct model_run *b)
{
	if (!fields_equal(sample_run_fields, &a->id, &b->id) || !SAME(begin_ns) || !SAME(end_ns))
		return false;
	if (a->end_ns != INT64_MAX &&
	    (!fields_equal(sample_totals_fields, &a->totals, &b->totals) ||
	     !SAME_TEXT(totals.reason)))
		return false;
	return same_workers(a, b) && same_points(a, b);
}

static bool same_runs(const struct model *a, const struct model *b)
{
	if (!SAME(n_runs))
		return false;
	for (size_t i = 0; i < a->n_runs; i++) {
		if (!same_run(&a->runs[i], &b->runs[i]))
			return false;
	}
	return true;
}

static bool same_loads(const struct model *model_a, const struct model *model_b)
{
	size_t cells = model_a->n_loads * model_a->n_cores;

	if (model_a->n_loads != model_b->n_loads || model_a->n_cores != model_b->n_cores)
		return false;
	for (size_t i = 0; i < model_a->n_loads; i++) {
		const struct model_load *a = &model_a->loads[i], *b = &model_b->loads[i];

		if (!SAME(time_ns) || !SAME(self_cpu_us) || !SAME(paused))
			return false;
	}
	return cells == 0 ||
	       memcmp(model_a->cores, model_b->cores, cells * sizeof(*model_a->cores)) == 0;
}

static bool same_messages(const struct model *model_a, const struct model *model_b)
{
	if (model_a->n_messages != model_b->n_messages)
		return false;
	for (size_t i = 0; i < model_a->n_messages; i++) {
		const struct model_message *a = &model_a->messages[i], *b = &model_b->messages[i];

		if (!SAME(time_ns) || !SAME(severity) || !SAME(kind) || !SAME_TEXT(text))
			return false;
	}
	return true;
}

bool model_equal(const struct model *a, const struct model *b)
{
	if (!SAME(has_session) || !SAME(newest_ns) || !SAME(done) || !SAME(planned) || !SAME(lost))
		return false;
	if (a->done && !SAME(done_ns))
		return false;
	return fields_equal(sample_session_fields, &a->session, &b->session) && same_cases(a, b) &&
	       same_runs(a, b) && same_loads(a, b) && same_messages(a, b);
}
