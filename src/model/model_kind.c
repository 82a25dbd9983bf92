/* SPDX-License-Identifier: MIT */
#include "model/model_kind.h"

#include "model/model.h"
#include "model/model_latency.h"

static bool any_plan(const struct model *model, bool (*is)(const struct plan *plan))
{
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (is(&model->cases[i].plan))
			return true;
	return false;
}

bool model_has_latency(const struct model *model)
{
	return any_plan(model, plan_is_creation);
}

bool model_has_operations(const struct model *model)
{
	return any_plan(model, plan_operates);
}

bool model_times_each(const struct model *model)
{
	return model_has_latency(model) || model_has_operations(model);
}

bool model_has_ways(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model->cases[i].via != VIA_NONE)
			return true;
	return false;
}

bool model_prints(const struct model *model)
{
	return *model->session.metric != '\0';
}

bool model_ends_programs(const struct model *model)
{
	return model->session.for_ns > 0;
}

static bool ends_printing_programs(const struct model *model)
{
	return model_prints(model) && model_ends_programs(model);
}

bool model_serves(const struct model *model)
{
	return any_plan(model, plan_serves);
}

static bool serves_at_rate(const struct model *model)
{
	return model_serves(model) && model->cases[0].serving.rate > 0;
}

static bool hands_over(const struct model *model)
{
	return model_has_ways(model) && model_has_operations(model);
}

bool model_has_steps(const struct model *model)
{
	return model_step(model) < WORK_KINDS;
}

/* Whether each case runs one command and tuibench observes the tasks that it creates. */
static bool observes_commands(const struct model *model)
{
	bool observes = *model->session.tasks_by;

	for (uint32_t i = 0; i < model->n_cases; i++)
		observes &= model->cases[i].plan.leaves[WORK_PROGRAM] == 1 &&
			    plan_count(&model->cases[i].plan) == 1;
	return observes;
}

#define CURVES(...) ((const enum model_metric[]) {__VA_ARGS__, METRICS})

#define CURVES_OF_TIMES                                                                            \
	{                                                                                          \
		CURVES(METRIC_ELAPSED, METRIC_CPU, METRIC_MEMORY, METRIC_CREATE, METRIC_SHARE),    \
			CURVES(METRIC_ELAPSED, METRIC_CPU, METRIC_MEMORY, METRIC_CREATE,           \
			       METRIC_SHARE, METRIC_IO)                                            \
	}

static const struct model_kind session_kinds[] = {
	{
		.is = ends_printing_programs,
		.headlines = {METRIC_PRINTED, METRIC_CPU, METRIC_MEMORY, METRIC_TASKS_CREATED},
		.curves = {CURVES(METRIC_PRINTED, METRIC_CPU, METRIC_MEMORY, METRIC_SHARE)},
		.verb = "printed",
	},
	{
		.is = model_prints,
		.headlines = {METRIC_PRINTED, METRIC_ELAPSED, METRIC_CPU, METRIC_MEMORY},
		.curves = {CURVES(METRIC_PRINTED, METRIC_ELAPSED, METRIC_CPU, METRIC_MEMORY,
				  METRIC_SHARE)},
		.verb = "printed",
	},
	{
		.is = model_has_latency,
		.headlines = {METRIC_TASK, METRIC_CALLER, METRIC_JOINED, METRIC_MEMORY},
		.fixed = true,
		.curves = CURVES_OF_TIMES,
		.unit = " until a task ran",
	},
	/*
	 * With a given request rate, the throughput says nothing about the server, so the latency
	 * is the headline.
	 */
	{
		.is = serves_at_rate,
		.headlines = {METRIC_REQUEST_P99, METRIC_REQUEST_RATE, METRIC_REQUEST_CPU,
			      METRIC_MEMORY},
		.fixed = true,
		.curves = {CURVES(METRIC_REQUEST_P99, METRIC_REQUEST_RATE, METRIC_REQUEST_CPU,
				  METRIC_MEMORY)},
		.verb = "had a p99 latency of",
	},
	{
		.is = model_serves,
		.headlines = {METRIC_REQUEST, METRIC_REQUEST_RATE, METRIC_REQUEST_P99,
			      METRIC_REQUEST_CPU},
		.fixed = true,
		.curves = {CURVES(METRIC_REQUEST, METRIC_REQUEST_RATE, METRIC_REQUEST_P99,
				  METRIC_REQUEST_CPU, METRIC_MEMORY)},
		.unit = " per request",
	},
	{
		.is = hands_over,
		.headlines = {METRIC_OPERATION, METRIC_CPU, METRIC_MEMORY, METRIC_CREATE},
		.curves = CURVES_OF_TIMES,
		.unit = " per round trip",
	},
	/*
	 * METRIC_ELAPSED is in the list only so that the answer can explain why a session with -s
	 * for does not measure it.
	 */
	{
		.is = model_ends_programs,
		.headlines = {METRIC_CPU, METRIC_MEMORY, METRIC_TASKS_CREATED, METRIC_ELAPSED},
		.curves = {CURVES(METRIC_CPU, METRIC_MEMORY, METRIC_SHARE)},
		.verb = "used",
		.unit = " of CPU time",
	},
	{
		.is = model_has_steps,
		.headlines = {METRIC_STEP, METRIC_CPU, METRIC_MEMORY, METRIC_CREATE},
		.curves = {CURVES(METRIC_STEP, METRIC_ELAPSED, METRIC_CPU, METRIC_MEMORY,
				  METRIC_SHARE),
			   CURVES(METRIC_STEP, METRIC_ELAPSED, METRIC_CPU, METRIC_MEMORY,
				  METRIC_SHARE, METRIC_IO)},
		.unit = " per operation",
	},
	{
		.is = observes_commands,
		.headlines = {METRIC_ELAPSED, METRIC_CPU, METRIC_MEMORY, METRIC_TASKS_CREATED},
		.programs = true,
		.curves = CURVES_OF_TIMES,
	},
	{
		.headlines = {METRIC_ELAPSED, METRIC_CPU, METRIC_MEMORY, METRIC_CREATE},
		.curves = CURVES_OF_TIMES,
	},
};

const struct model_kind *model_kind(const struct model *model)
{
	const struct model_kind *kind = session_kinds;

	while (kind->is && !kind->is(model))
		kind++;
	return kind;
}

enum model_metric model_headline(const struct model *model)
{
	return model_kind(model)->headlines[0];
}
