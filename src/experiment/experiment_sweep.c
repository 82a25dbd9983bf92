/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "work/workload.h"

/* The name before "=", and the values behind it. */
static int split(struct experiment_build *build, const char *text, const char **values)
{
	struct experiment_sweep *sweep = &build->sweep;
	const char *equals = strchr(text, '=');
	enum work_kind work;

	*values = equals ? equals + 1 : "";
	snprintf(sweep->name, sizeof(sweep->name), "%.*s",
		 equals ? (int)(equals - text) : (int)strlen(text), text);
	sweep->kind = WORK_KINDS;
	if (strcmp(sweep->name, "workers") == 0) {
		sweep->what = SWEEP_WORKERS;
	} else if (strcmp(sweep->name, "size") == 0) {
		sweep->what = SWEEP_SIZE;
	} else if (plan_work_parse(sweep->name, &work) == 0) {
		sweep->what = SWEEP_SIZE;
		sweep->kind = work;
	} else {
		return REFUSE(build, -EINVAL,
			      "--sweep: \"%s\" does not begin with a variable that can be swept: "
			      "workers, size, cores, a kind of work (cpu=1M,2M) or tree",
			      text);
	}
	return 0;
}

static int parse(struct experiment_build *build, const char *text)
{
	struct experiment_sweep *sweep = &build->sweep;
	const char *values;
	int err = split(build, text, &values);

	if (err)
		return err;
	err = units_parse_values(values, sweep->values, SAMPLE_MAX_CASES, &sweep->n);
	if (err == -E2BIG)
		return REFUSE(build, -EINVAL, "--sweep: \"%s\" has more than %d values", text,
			      SAMPLE_MAX_CASES);
	if (err)
		return REFUSE(build, -EINVAL,
			      "--sweep: \"%s\" is not a list of values and ranges (workers=2..8, "
			      "size=10,50,100..900:100)",
			      text);
	return 0;
}

/* Checks the whole experiment; each kind of work is checked by itself later. */
static int check(struct experiment_build *build, const char *text)
{
	const struct experiment_sweep *sweep = &build->sweep;

	for (size_t i = 0; sweep->what == SWEEP_WORKERS && i < sweep->n; i++) {
		if (sweep->values[i] == 0 || sweep->values[i] > PLAN_MAX_TASKS)
			return REFUSE(build, -EINVAL,
				      "--sweep: \"%s\" has %" PRIu64
				      " workers, which is not from 1 to %u",
				      text, sweep->values[i], PLAN_MAX_TASKS);
	}
	if (build->kind->tree && sweep->what == SWEEP_WORKERS)
		return REFUSE(build, -EINVAL,
			      "--sweep: \"%s\" is for sets of workers; trees of several sizes are "
			      "--tree 2,4,8",
			      text);
	if (build->kind->tree && sweep->kind == WORK_KINDS && !build->leaves_work)
		return REFUSE(build, -EINVAL,
			      "--sweep: \"%s\" needs a kind of work for the leaves of the tree, as "
			      "in --sweep cpu=1000,2000",
			      text);
	if (!build->kind->tree && sweep->kind < WORK_KINDS &&
	    build->experiment->request.workers[sweep->kind] == 0)
		return REFUSE(build, -EINVAL,
			      "--sweep: \"%s\" has no worker of that kind; ask for one with --%s",
			      text, sweep->name);
	return 0;
}

/* Sizes that were asked for are not swept unless that was asked for too. */
static const char *default_sweep(const struct experiment_build *build)
{
	const struct request *request = &build->experiment->request;
	const char *sweep = build->kind->sweep;

	if (build->kind->to_all_cores)
		return build->asked_kinds ? NULL : experiment_to_all_cores(request);
	if (!sweep || strncmp(sweep, "size=", 5) != 0)
		return sweep;
	for (int i = 0; i < WORK_KINDS; i++) {
		if (request->workers[i] > 0 && request->work_size[i] > 0)
			return NULL;
	}
	return sweep;
}

int experiment_sweep(struct experiment_build *build)
{
	struct request *request = &build->experiment->request;
	int err;

	if (!request->sweep && build->grid->n == 0)
		request->sweep = default_sweep(build);
	else if (request->sweep && request->tree && strncmp(request->sweep, "tree=", 5) == 0)
		return 0; /* taken already */
	if (!request->sweep)
		return 0;
	err = parse(build, request->sweep);
	return err ? err : check(build, request->sweep);
}

/* Deals workers in proportion to what is asked for; who loses most by rounding comes first. */
static void deal_workers(const struct request *request, uint64_t total,
			 uint32_t workers[WORK_KINDS])
{
	uint64_t lost[WORK_KINDS], left = total, asked = 0;

	for (int i = 0; i < WORK_KINDS; i++)
		asked += (uint64_t)request->workers[i];
	for (int i = 0; i < WORK_KINDS; i++) {
		uint64_t share = total * (uint64_t)request->workers[i];

		workers[i] = (uint32_t)(share / asked);
		lost[i] = share % asked;
		left -= workers[i];
	}
	for (; left > 0; left--) {
		int most = 0;

		for (int i = 1; i < WORK_KINDS; i++)
			most = lost[i] > lost[most] ? i : most;
		workers[most]++;
		lost[most] = 0;
	}
}

static int set_size(struct experiment_build *build, enum work_kind kind, uint64_t size,
		    struct experiment_set *set)
{
	const struct workload_ops *ops = workload_get(kind);
	const char *text = UNITS_EXACT(size);

	if (!workload_takes(ops, size))
		return REFUSE(build, -EINVAL,
			      "--sweep: \"%s=%s\" is no amount of work of %s workers (%s)",
			      build->sweep.name, text, plan_work_name(kind), ops->unit);
	if (kind == WORK_IO && build->io_bytes > 0 && size > build->io_bytes)
		return REFUSE(build, -EINVAL,
			      "--sweep: \"%s=%s\" is more than the %" PRIu64
			      " bytes of --io-file %s",
			      build->sweep.name, text, build->io_bytes,
			      build->experiment->request.io_file);
	set->work_size[kind] = size;
	return 0;
}

/* Kinds that have workers, or in a tree the one that has work. */
static bool is_swept(const struct experiment_build *build, int kind,
		     const struct experiment_set *set)
{
	if (build->sweep.kind < WORK_KINDS)
		return kind == (int)build->sweep.kind;
	return workload_get((enum work_kind)kind)->default_size > 0 &&
	       (build->kind->tree ? set->work_size[kind] > 0 : set->workers[kind] > 0);
}

int experiment_sweep_apply(struct experiment_build *build, size_t i, struct experiment_set *set)
{
	const struct experiment_sweep *sweep = &build->sweep;
	int err = 0;

	if (sweep->what == SWEEP_NONE)
		return 0;
	units_format_exact(set->value, sizeof(set->value), sweep->values[i]);
	if (sweep->what == SWEEP_WORKERS && set->kind < WORK_KINDS)
		set->workers[set->kind] = (uint32_t)sweep->values[i];
	else if (sweep->what == SWEEP_WORKERS)
		deal_workers(&build->experiment->request, sweep->values[i], set->workers);
	for (int kind = 0; sweep->what == SWEEP_SIZE && kind < WORK_KINDS && !err; kind++) {
		if (is_swept(build, kind, set))
			err = set_size(build, (enum work_kind)kind, sweep->values[i], set);
	}
	return err;
}
