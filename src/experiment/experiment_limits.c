/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "capacity.h"
#include "base/sentence.h"
#include "base/units.h"
#include "work/workload.h"

static const char *format_amount(const struct capacity_bound *bound, uint64_t amount, char *buf,
				 size_t size)
{
	switch (bound->resource) {
	case CAPACITY_TASKS:
	case CAPACITY_MAPPINGS:
		snprintf(buf, size, "%" PRIu64, amount);
		return buf;
	case CAPACITY_MEMORY:
		return units_format_kib(buf, size, (int64_t)amount);
	default:
		return units_format_kib(buf, size, (int64_t)(amount / 1024));
	}
}

/* "5000 tasks", "1 task", "64.0 MiB of addresses" */
static const char *format_need(const struct capacity_bound *bound, char *buf, size_t size)
{
	static const char *const units[CAPACITY_RESOURCES] = {
		[CAPACITY_TASKS] = "tasks",
		[CAPACITY_MAPPINGS] = "mappings",
		[CAPACITY_ADDRESSES] = "of addresses",
		[CAPACITY_STACK] = "for each stack",
		[CAPACITY_COMMIT] = "of memory for stacks",
		[CAPACITY_MEMORY] = "of memory",
	};
	char amount[32];

	format_amount(bound, bound->need, amount, sizeof(amount));
	snprintf(buf, size, "%s %s", amount,
		 bound->resource == CAPACITY_TASKS && bound->need == 1 ? "task"
								       : units[bound->resource]);
	return buf;
}

/* "kernel.pid_max is 32768, of which 1 is left" */
static const char *format_limit(const struct capacity_bound *bound, char *buf, size_t size)
{
	const struct capacity_limit *limit = bound->limit;
	char value[32], left[32];

	format_amount(bound, limit->value, value, sizeof(value));
	format_amount(bound, limit->available, left, sizeof(left));
	if (limit->available == 0)
		snprintf(buf, size, "%s is %s, of which nothing is left", limit->name, value);
	else
		snprintf(buf, size, "%s is %s, of which %s %s left", limit->name, value, left,
			 limit->available == 1 ? "is" : "are");
	return buf;
}

/* "at most 20x3x26 fits", or that not even the least does. */
static const char *format_fit(const struct capacity_bound *bound, bool tree, char *buf, size_t size)
{
	uint32_t workers = bound->fits.levels ? plan_leaves(&bound->fits) : 0;
	char shape[128];

	if (workers == 0)
		snprintf(buf, size,
			 tree ? "no tree of so many levels fits" : "not even one worker fits");
	else if (tree)
		snprintf(buf, size, "at most %s fits",
			 plan_shape(&bound->fits, shape, sizeof(shape)));
	else
		snprintf(buf, size, "at most %u worker%s", workers,
			 workers == 1 ? " fits" : "s fit");
	return buf;
}

/* What else would let all of it fit; "" where nothing does. */
static const char *format_help(const struct capacity_bound *bound, bool tree, char *buf,
			       size_t size)
{
	buf[0] = '\0';
	if (bound->stack > 0)
		snprintf(buf, size, ", or all of it with --stack-size %s",
			 UNITS_EXACT(bound->stack));
	else if (tree && bound->batch > 0)
		snprintf(buf, size, ", or all of it with --batch-size %u", bound->batch);
	return buf;
}

/* "--cpu 6 --io 2" */
static void format_workers(const struct request *request, struct sentence *asked)
{
	for (size_t i = 0; i < WORK_KINDS; i++) {
		enum work_kind kind = plan_work_order[i];

		if (request->workers[kind] > 0)
			sentence_add(asked, "%s--%s %" PRId64, asked->used ? " " : "",
				     plan_work_name(kind), request->workers[kind]);
	}
}

/* The part of the command line that asks for so much. */
static const char *format_asked(const struct experiment_build *build, const struct sample_case *one,
				char *buf, size_t size)
{
	const struct request *request = &build->experiment->request;
	char shape[128];

	if (build->kind->tree)
		snprintf(buf, size, "--tree %s", plan_shape(&one->plan, shape, sizeof(shape)));
	else if (build->sweep.what == SWEEP_WORKERS)
		snprintf(buf, size, "--sweep %s", request->sweep);
	else
		format_workers(request, &(struct sentence) {buf, size});
	return buf;
}

static int refuse_limit(struct experiment_build *build, const struct sample_case *one,
			const struct capacity_bound *bound)
{
	bool tree = build->kind->tree != NULL;
	bool all = tree && !one->plan.all_alive && one->plan.batch == 0;
	bool singular = strncmp(one->model, "hybrid", strlen("hybrid")) == 0;
	char asked[160], need[64], limit[256], fit[160], help[64];

	return REFUSE(build, -EAGAIN, "%s: %s %s %s%s; %s: %s%s",
		      format_asked(build, one, asked, sizeof(asked)), one->model,
		      singular ? "needs" : "need", format_need(bound, need, sizeof(need)),
		      all ? " if all are alive at once" : " at once",
		      format_limit(bound, limit, sizeof(limit)),
		      format_fit(bound, tree, fit, sizeof(fit)),
		      format_help(bound, tree, help, sizeof(help)));
}

/* Every case has to fit by itself: they run one after the other. */
int experiment_check_limits(struct experiment_build *build)
{
	const struct experiment *experiment = build->experiment;
	struct capacity_bound bound;
	struct capacity capacity;

	capacity_read("", &capacity);
	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const struct sample_case *one = &experiment->cases[i];

		if (capacity_check(&capacity, &one->plan, one->stack_size, &bound) != 0)
			return refuse_limit(build, one, &bound);
	}
	return 0;
}
