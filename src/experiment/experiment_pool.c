/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "work/workload.h"

/* Pools and tasks created one by one, to which work is handed out piece by piece. */

#define USUAL_TASKS 1000
/* Unless asked for, as many long pieces as keep each core busy for a part of the usual work. */
#define PART 4
/* Of those each worker gets this many at least. */
#define ROUNDS 4

static bool is_handed_out(enum work_kind kind)
{
	return kind == WORK_CPU || kind == WORK_FP;
}

int experiment_pool_asked(struct experiment_build *build)
{
	const struct request *request = &build->experiment->request;
	uint32_t kinds = 0;

	for (int i = 0; i < WORK_KINDS && build->kind->hands_out; i++) {
		kinds += request->workers[i] > 0;
		if (request->workers[i] > 0 && !is_handed_out((enum work_kind)i))
			return REFUSE(build, -EINVAL,
				      "--workers: %s=%" PRId64
				      " is no work that pool hands out: its tasks compute (-w "
				      "fp=4, -w cpu=4)",
				      plan_work_name((enum work_kind)i), request->workers[i]);
	}
	if (kinds > 1)
		return REFUSE(build, -EINVAL,
			      "--workers: the tasks of pool are all of one kind; give one");
	build->asked_workers = kinds > 0;
	return 0;
}

/* As many at once as there are cores, unless asked for. */
int experiment_pool_workers(struct experiment_build *build)
{
	struct request *request = &build->experiment->request;

	for (int i = 0; i < WORK_KINDS && build->kind->hands_out; i++)
		if (request->workers[i] > 0 && !build->asked_workers)
			request->workers[i] = build->cpus;
	return 0;
}

/* The number behind "pool:" or "prefork:", or the usual one. */
static int parse_workers(struct experiment_build *build, const char *model, uint32_t usual,
			 uint32_t *workers)
{
	const char *colon = strchr(model, ':');
	char *end;
	unsigned long n = usual;

	if (colon)
		n = strtoul(colon + 1, &end, 10);
	if (colon &&
	    (colon[1] < '0' || colon[1] > '9' || *end != '\0' || n == 0 || n > PLAN_MAX_TASKS))
		return REFUSE(
			build, -EINVAL,
			"--models: \"%s\" is not %.*s:N with N workers from 1 to %u (%.*s:%u)",
			model, (int)(colon - model), model, PLAN_MAX_TASKS, (int)(colon - model),
			model, usual);
	*workers = (uint32_t)n;
	return 0;
}

/* So many that each of the workers has as many as the others. */
static uint32_t usual_tasks(enum work_kind kind, uint64_t size, uint32_t workers)
{
	uint64_t usual = workload_get(kind)->default_size / PART * workers;
	uint64_t tasks = size > 0 ? usual / size : 0;

	if (tasks < (uint64_t)ROUNDS * workers)
		tasks = (uint64_t)ROUNDS * workers;
	if (tasks > USUAL_TASKS)
		return USUAL_TASKS;
	return (uint32_t)((tasks + workers - 1) / workers * workers);
}

/* A gate lets a pool begin together; others are created as the pieces come. */
static void shape(struct plan *plan, uint32_t workers, bool pool)
{
	plan->levels = 1;
	plan->gated = pool;
	plan->batch = pool ? 0 : workers;
	plan->fanout[0] = pool ? workers : plan->tasks;
}

static bool is_model(const char *model, const char *name)
{
	size_t length = strlen(name);

	return strncmp(model, name, length) == 0 && (model[length] == '\0' || model[length] == ':');
}

int experiment_pool_plan(struct experiment_build *build, const struct experiment_set *set,
			 const char *model, struct plan *plan)
{
	const uint32_t asked = build->experiment->request.tasks;
	bool threads = is_model(model, "pool"), processes = is_model(model, "prefork");
	enum work_kind kind = set->workers[WORK_CPU] > 0 ? WORK_CPU : WORK_FP;
	uint32_t usual = set->workers[kind], workers = usual;
	int err = 0;

	*plan = (struct plan) {.tasks = asked ? asked
					      : usual_tasks(kind, set->work_size[kind], usual)};
	if (threads || processes)
		err = parse_workers(build, model, usual, &workers);
	else if (strcmp(model, "threads") != 0 && strcmp(model, "processes") != 0)
		return REFUSE(build, -EINVAL,
			      "--models: \"%s\" is no model of pool (pool[:N], prefork[:N], "
			      "threads, processes)",
			      model);
	if (!err && workers > plan->tasks)
		return REFUSE(build, -EINVAL,
			      "--models: \"%s\" has %" PRIu32 " workers at once for %" PRIu32
			      " tasks; give -s tasks=%" PRIu32 " or more",
			      model, workers, plan->tasks, workers);
	plan->task[0] = processes || strcmp(model, "processes") == 0 ? PLAN_PROCESS : PLAN_THREAD;
	shape(plan, workers, threads || processes);
	return err;
}

bool experiment_pool_is(const char *model)
{
	return is_model(model, "pool") || is_model(model, "prefork");
}
