/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>

#include "capacity.h"
#include "base/sentence.h"
#include "core/scoreboard.h"
#include "base/units.h"
#include "work/workload.h"

static void add_amount(struct sentence *s, enum capacity_resource resource, uint64_t amount)
{
	if (resource == CAPACITY_TASKS || resource == CAPACITY_MAPPINGS)
		sentence_add(s, "%" PRIu64, amount);
	else
		sentence_add(
			s, "%s",
			UNITS_KIB((int64_t)(resource == CAPACITY_MEMORY ? amount : amount / 1024)));
}

/* "5000 tasks", "1 task", "64.0 MiB of addresses" */
static void add_need(struct sentence *s, const struct capacity_bound *bound)
{
	static const char *const units[CAPACITY_RESOURCES] = {
		[CAPACITY_TASKS] = "tasks",
		[CAPACITY_MAPPINGS] = "mappings",
		[CAPACITY_ADDRESSES] = "of addresses",
		[CAPACITY_STACK] = "for each stack",
		[CAPACITY_COMMIT] = "of memory for stacks",
		[CAPACITY_MEMORY] = "of memory",
	};
	bool one_task = bound->resource == CAPACITY_TASKS && bound->need == 1;

	add_amount(s, bound->resource, bound->need);
	sentence_add(s, " %s", one_task ? "task" : units[bound->resource]);
}

/* "kernel.pid_max is 32768, of which 1 is left" */
static void add_limit(struct sentence *s, const struct capacity_bound *bound)
{
	const struct capacity_limit *limit = bound->limit;

	sentence_add(s, "%s is ", limit->name);
	add_amount(s, bound->resource, limit->value);
	sentence_add(s, ", of which ");
	if (limit->available > 0)
		add_amount(s, bound->resource, limit->available);
	sentence_add(s, "%s left",
		     limit->available == 0   ? "nothing is"
		     : limit->available == 1 ? " is"
					     : " are");
}

/* "at most 20x3x26 fits", or that not even the least does. */
static void add_fit(struct sentence *s, const struct capacity_bound *bound, bool tree)
{
	uint32_t workers = bound->fits.levels ? plan_leaves(&bound->fits) : 0;
	char shape[128];

	if (workers == 0)
		sentence_add(s, "%s",
			     tree ? "no tree of so many levels fits" : "not even one worker fits");
	else if (tree)
		sentence_add(s, "at most %s fits", plan_shape(&bound->fits, shape, sizeof(shape)));
	else
		sentence_add(s, "at most %u worker%s", workers, workers == 1 ? " fits" : "s fit");
}

/* Adds what would make all of it fit; nothing where nothing does. */
static void add_help(struct sentence *s, const struct capacity_bound *bound, bool tree)
{
	if (bound->stack > 0)
		sentence_add(s, ", or all of it with -s stack=%s", UNITS_EXACT(bound->stack));
	else if (tree && bound->batch > 0)
		sentence_add(s, ", or all of it with -s batch=%u", bound->batch);
}

/* "-w cpu=6,io=2" */
static void add_workers(struct sentence *s, const struct request *request)
{
	for (size_t i = 0; i < WORK_KINDS; i++) {
		enum work_kind kind = plan_work_order[i];

		if (request->workers[kind] > 0)
			sentence_add(s, "%s%s=%" PRId64, s->used ? "," : "-w ",
				     plan_work_name(kind), request->workers[kind]);
	}
}

/* The part of the command line that asks for so much. */
static void add_asked(struct sentence *s, const struct experiment_build *build,
		      const struct sample_case *one, const struct capacity_bound *bound)
{
	const char *stack = experiment_typed(&build->experiment->request, "stack");
	char shape[128];

	if (stack && one->stack_size > 0 && bound->resource != CAPACITY_TASKS &&
	    bound->resource != CAPACITY_MAPPINGS)
		sentence_add(s, "-s %s", stack);
	else if (build->kind->tree)
		sentence_add(s, "--tree %s", plan_shape(&one->plan, shape, sizeof(shape)));
	else if (build->experiment->request.total > 0)
		sentence_add(s, "-s workers=%" PRIu32, build->experiment->request.total);
	else
		add_workers(s, &build->experiment->request);
}

static int refuse_limit(struct experiment_build *build, const struct sample_case *one,
			const struct capacity_bound *bound)
{
	bool tree = build->kind->tree != NULL;
	bool all = tree && !one->plan.all_alive && one->plan.batch == 0;
	bool singular = strncmp(one->model, "hybrid", strlen("hybrid")) == 0;
	char text[1024];
	struct sentence s = {text, sizeof(text)};

	add_asked(&s, build, one, bound);
	sentence_add(&s, ": %s %s ", one->model, singular ? "needs" : "need");
	add_need(&s, bound);
	sentence_add(&s, "%s; ", all ? " if all are alive at once" : " at once");
	add_limit(&s, bound);
	sentence_add(&s, ": ");
	add_fit(&s, bound, tree);
	add_help(&s, bound, tree);
	return REFUSE(build, -EAGAIN, "%s", text);
}

/*
 * Open files of a session of the default size with a screen, 36, with room. With more workers
 * memory is read of as many as may be open, which is told.
 */
#define LEAST_FILES 64

static int check_files(struct experiment_build *build)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= LEAST_FILES)
		return 0;
	return REFUSE(build, -EAGAIN,
		      "the limit of open files (RLIMIT_NOFILE) is %" PRIu64
		      ", and a session needs %d: ulimit -n %d",
		      (uint64_t)limit.rlim_cur, LEAST_FILES, LEAST_FILES);
}

/* What runner and front end share is a file in memory, which a limit of files holds for as well. */
static int check_board(struct experiment_build *build, const struct sample_case *one)
{
	uint32_t tasks = plan_count(&one->plan);
	size_t need = scoreboard_size(tasks, slices_entries(tasks));
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur >= need)
		return 0;
	return REFUSE(build, -EAGAIN,
		      "the limit of a file's size (RLIMIT_FSIZE) is %s, and %s need %s of memory "
		      "that is shared as one: ulimit -f %zu",
		      UNITS_KIB((int64_t)(limit.rlim_cur / 1024)), one->model,
		      UNITS_KIB((int64_t)(need / 1024 + 1)), need / 1024 + 1);
}

/* Every case has to fit by itself: they run one after the other. */
int experiment_check_limits(struct experiment_build *build)
{
	const struct experiment *experiment = build->experiment;
	struct capacity_bound bound;
	struct capacity capacity;

	if (check_files(build))
		return -EAGAIN;
	capacity_read("", &capacity);
	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const struct sample_case *one = &experiment->cases[i];

		if (capacity_check(&capacity, &one->plan, one->stack_size, &bound) != 0)
			return refuse_limit(build, one, &bound);
		if (check_board(build, one))
			return -EAGAIN;
	}
	return 0;
}
