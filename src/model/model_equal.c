/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <stddef.h>
#include <string.h>

/*
 * Field by field: the structs have holes, and texts have bytes after their end, that no log keeps.
 * Only runs of fields without a hole are compared as bytes.
 */
#define SAME(field_)	  (a->field_ == b->field_)
#define SAME_TEXT(field_) (strcmp(a->field_, b->field_) == 0)

_Static_assert(sizeof(struct sample_worker) == 96, "no hole at all");
_Static_assert(offsetof(struct sample_memory, estimated) == 32, "no hole before estimated");
_Static_assert(sizeof(struct sample_core) == 12, "no hole at all");

static bool same_machine(const struct machine *a, const struct machine *b)
{
	return SAME_TEXT(host) && SAME_TEXT(kernel) && SAME_TEXT(arch) && SAME_TEXT(libc) &&
	       SAME_TEXT(cpu) && SAME_TEXT(virtualization) && SAME_TEXT(governor) &&
	       SAME_TEXT(frequency_source) && SAME_TEXT(hugepages) && SAME_TEXT(cpus_allowed) &&
	       SAME(cores_online) && SAME(cores_allowed) && SAME(performance_cores) &&
	       SAME(efficiency_cores) && SAME(mhz) && SAME(memory_kb) && SAME(memory_limit_kb) &&
	       SAME(cpu_quota) && SAME(page_kb) && SAME(clock_ticks);
}

static bool same_session(const struct model_session *a, const struct model_session *b)
{
	return SAME_TEXT(version) && SAME_TEXT(experiment) && SAME_TEXT(title) &&
	       SAME_TEXT(options) && SAME(wall_s) && SAME(trials) && SAME(warmup) &&
	       SAME(interval_ms) && same_machine(&a->machine, &b->machine);
}

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

static bool same_memory(const struct sample_memory *a, const struct sample_memory *b)
{
	return memcmp(a, b, offsetof(struct sample_memory, estimated)) == 0 && SAME(estimated);
}

static bool same_totals(const struct sample_totals *a, const struct sample_totals *b)
{
	return SAME(status) && SAME(paused) && SAME(begin_ns) && SAME(go_ns) && SAME(elapsed_ns) &&
	       SAME(held_ns) && SAME(create_ns) && SAME(workers) && SAME(created) &&
	       SAME(finished) && SAME(joined) && SAME(failed) && SAME(peak_alive) &&
	       SAME(user_us) && SAME(system_us) && SAME(minflt) && SAME(majflt) && SAME(nvcsw) &&
	       SAME(nivcsw) && SAME(read_kb) && SAME(written_kb) && SAME(disk_read_kb) &&
	       SAME(disk_written_kb) && SAME(hello_lines) && same_memory(&a->memory, &b->memory) &&
	       SAME(self_cpu_us) && SAME(others) && SAME(steal) && SAME_TEXT(reason);
}

static bool same_workers(const struct model_run *a, const struct model_run *b)
{
	if (!SAME(n_workers))
		return false;
	return memcmp(a->workers, b->workers, a->n_workers * sizeof(*a->workers)) == 0;
}

static bool same_points(const struct model_run *run_a, const struct model_run *run_b)
{
	if (run_a->n_points != run_b->n_points)
		return false;
	for (size_t i = 0; i < run_a->n_points; i++) {
		const struct model_point *a = &run_a->points[i], *b = &run_b->points[i];

		if (!SAME(time_ns) || !SAME(tasks) || !same_memory(&a->memory, &b->memory))
			return false;
	}
	return true;
}

static bool same_run(const struct model_run *a, const struct model_run *b)
{
	if (!SAME(id.run) || !SAME(id.trial) || !SAME(id.icase) || !SAME(id.planned) ||
	    !SAME(begin_ns) || !SAME(end_ns))
		return false;
	if (a->end_ns != INT64_MAX && !same_totals(&a->totals, &b->totals))
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
	return same_session(&a->session, &b->session) && same_cases(a, b) && same_runs(a, b) &&
	       same_loads(a, b) && same_messages(a, b);
}
