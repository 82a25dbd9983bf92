/* SPDX-License-Identifier: MIT */
#include "core/sample_tick.h"
#include "stage/model_equal.h"

#include <stddef.h>
#include <string.h>

#include "model/model.h"
#include "model/model_lanes.h"

#define SAME(field_)	  (a->field_ == b->field_)
#define SAME_TEXT(field_) (strcmp(a->field_, b->field_) == 0)

_Static_assert(sizeof(struct sample_core) == 12, "no hole: arrays of it are compared as bytes");

static bool fields_equal(const struct field *field, const void *a, const void *b)
{
	while (field->type != FIELD_END && fields_same(field, a, b))
		field++;
	return field->type == FIELD_END;
}

static bool same_plan(const struct plan *a, const struct plan *b)
{
	if (!SAME(levels) || !SAME(batch) || !SAME(barrier) || !SAME(all_alive) || !SAME(primitive))
		return false;
	return memcmp(a->fanout, b->fanout, a->levels * sizeof(*a->fanout)) == 0 &&
	       memcmp(a->task, b->task, a->levels * sizeof(*a->task)) == 0 &&
	       memcmp(a->leaves, b->leaves, sizeof(a->leaves)) == 0;
}

static bool same_case(const void *of_a, const void *of_b)
{
	const struct sample_case *a = of_a, *b = of_b;

	return SAME_TEXT(model) && SAME_TEXT(command) &&
	       variables_equal(&a->variables, &b->variables) && same_plan(&a->plan, &b->plan) &&
	       SAME(stack_size) && SAME(ballast) && SAME(cache) && SAME(pinned) && SAME(alloc) &&
	       memcmp(a->work_size, b->work_size, sizeof(a->work_size)) == 0;
}

static bool same_workers(const struct model_run *a, const struct model_run *b)
{
	bool same = true;

	for (uint32_t i = 0; i < a->n_workers && same; i++) {
		const struct sample_worker one = model_known(a, i), two = model_known(b, i);

		same = fields_equal(sample_worker_fields, &one, &two);
	}
	return same;
}

static bool same_point(const void *of_a, const void *of_b)
{
	const struct model_point *a = of_a, *b = of_b;

	return SAME(time_ns) && SAME(tasks) &&
	       fields_equal(sample_memory_fields, &a->memory, &b->memory);
}

/* Whether both arrays have the same number of items, and equal items. */
#define SAME_ALL(array_, n_, same_)                                                                \
	(SAME(n_) && same_all(a->array_, b->array_, a->n_, sizeof(*a->array_), same_))

static bool same_all(const void *a, const void *b, size_t n, size_t size,
		     bool (*same)(const void *, const void *))
{
	for (size_t i = 0; i < n; i++) {
		if (!same((const char *)a + i * size, (const char *)b + i * size))
			return false;
	}
	return true;
}

static bool same_lane(const struct model_run *of_a, const struct model_run *of_b, uint32_t worker)
{
	size_t n, m;
	const struct sample_slice *a = model_slices(of_a, worker, &n);
	const struct sample_slice *b = model_slices(of_b, worker, &m);

	if (n != m)
		return false;
	for (size_t i = 0; i < n; i++, a++, b++)
		if (!SAME(on_ns) || !SAME(off_ns) || !SAME(cpu) || !SAME(why) || !SAME(index) ||
		    !SAME(ready_ns) || !SAME(waker) || !SAME(woken))
			return false;
	return true;
}

static bool same_lanes(const struct model_run *a, const struct model_run *b)
{
	for (uint32_t i = 0; i < a->n_workers; i++)
		if (!same_lane(a, b, i))
			return false;
	return true;
}

static bool same_run(const void *of_a, const void *of_b)
{
	const struct model_run *a = of_a, *b = of_b;

	if (!fields_equal(sample_run_fields, &a->id, &b->id) || !SAME(begin_ns) || !SAME(end_ns))
		return false;
	if (a->end_ns != INT64_MAX &&
	    (!fields_equal(sample_totals_fields, &a->totals, &b->totals) ||
	     !SAME_TEXT(totals.reason)))
		return false;
	return SAME(n_workers) && same_workers(a, b) && SAME_ALL(points, n_points, same_point) &&
	       same_lanes(a, b);
}

static bool same_load(const void *of_a, const void *of_b)
{
	const struct model_load *a = of_a, *b = of_b;

	return SAME(time_ns) && SAME(self_cpu_us) && SAME(terminal_us) && SAME(paused);
}

static bool same_cores(const struct model *a, const struct model *b)
{
	size_t cells = a->n_loads * a->n_cores;

	return SAME(n_cores) &&
	       (cells == 0 || memcmp(a->cores, b->cores, cells * sizeof(*a->cores)) == 0);
}

static bool same_message(const void *of_a, const void *of_b)
{
	const struct model_message *a = of_a, *b = of_b;

	return SAME(time_ns) && SAME(severity) && SAME(kind) && SAME_TEXT(text);
}

bool model_equal(const struct model *a, const struct model *b)
{
	if (!SAME(has_session) || !SAME(newest_ns) || !SAME(done) || !SAME(planned) || !SAME(lost))
		return false;
	if (a->done && !SAME(done_ns))
		return false;
	return fields_equal(sample_session_fields, &a->session, &b->session) &&
	       SAME_ALL(cases, n_cases, same_case) && SAME_ALL(runs, n_runs, same_run) &&
	       SAME_ALL(loads, n_loads, same_load) && same_cores(a, b) &&
	       SAME_ALL(messages, n_messages, same_message);
}
