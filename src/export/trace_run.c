/* SPDX-License-Identifier: MIT */
#include "trace_run.h"

#include <stdio.h>

#include "core/plan.h"

int64_t trace_run_until(const struct model *model, const struct model_run *run)
{
	return (model->now_ns < run->end_ns ? model->now_ns : run->end_ns) - run->begin_ns;
}

int64_t trace_run_at(const struct model_run *run, int64_t time_ns)
{
	int64_t sum;

	return __builtin_add_overflow(run->begin_ns, time_ns, &sum) ? INT64_MAX : sum;
}

struct trace_track trace_run_track(const struct trace_run *of, uint32_t worker)
{
	if (worker == PLAN_ROOT)
		return (struct trace_track) {of->pid, of->pid};
	return (struct trace_track) {of->pid, of->first_tid + worker};
}

json_t *trace_run_known(size_t n, const char *const names[], const int64_t values[])
{
	json_t *object = json_object();

	for (size_t i = 0; i < n && object; i++) {
		if (values[i] < 0 ||
		    !json_object_set_new(object, names[i], json_integer(values[i])))
			continue;
		json_decref(object);
		object = NULL;
	}
	return object;
}

char *trace_run_name(const struct model *model, const struct model_run *run, char *buf, size_t size)
{
	snprintf(buf, size, run->id.trial > 0 ? "%s, trial %u" : "%s, warm-up",
		 MODEL_CASE_NAME(model, run->id.case_id), run->id.trial);
	return buf;
}
