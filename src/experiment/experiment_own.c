/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Of message workers, unless so many workers are asked for. */
#define GROUPS 2

/* One's own work, --own, in the place of what an experiment has by itself. */

static int refuse(struct experiment_build *build)
{
	const struct request *request = &build->experiment->request;

	if (build->kind->creates)
		return REFUSE(build, -EINVAL,
			      "--own: \"%s\" is for workers that do something; what %s "
			      "creates does nothing",
			      request->work, build->kind->name);
	if (build->kind->hands_out)
		return REFUSE(build, -EINVAL,
			      "--own: \"%s\" is no work that %s hands out: its tasks compute "
			      "(-w fp=4, -w cpu=4)",
			      request->work, build->kind->name);
	if (request->workers[WORK_OWN] == 0)
		return REFUSE(build, -EINVAL,
			      "--own: \"%s\" has no worker that runs it; name some (-w own=2)",
			      request->work);
	return 0;
}

/* Half of it for --quick, as of all work; nothing is created that does less. */
static uint64_t size_of(const struct experiment_build *build)
{
	uint64_t size = build->experiment->request.own.size;

	return build->experiment->request.quick && size > 1 ? size / 2 : size;
}

/* The example of the manual runs where an experiment needs some and none was named. */
static void take_example(struct request *request)
{
	request->work = "";
	request->own = (struct own_about) {
		.name = OWN_EXAMPLE_NAME,
		.unit = OWN_EXAMPLE_UNIT,
		.size = OWN_EXAMPLE_SIZE,
	};
}

int experiment_own(struct experiment_build *build)
{
	struct request *request = &build->experiment->request;

	if (!request->work && build->kind->workers[WORK_OWN] > 0)
		take_example(request);
	if (!request->work && request->workers[WORK_OWN] > 0)
		return REFUSE(build, -EINVAL,
			      "--workers: own=%" PRId64
			      " needs --own ./FILE.so, the work that they "
			      "do; tuibench(1) has an example of 20 lines",
			      request->workers[WORK_OWN]);
	if (!request->work && request->work_size[WORK_OWN] > 0)
		return REFUSE(build, -EINVAL, "-s own.size=%" PRIu64 ": needs --own ./FILE.so",
			      request->work_size[WORK_OWN]);
	if (!request->work)
		return 0;
	if (request->work_size[WORK_OWN] == 0)
		request->work_size[WORK_OWN] = size_of(build);
	return refuse(build);
}

/* As many as all others of the experiment together; of one kind at a time, as many as of one. */
static int64_t replaced(const struct experiment_kind *kind)
{
	int64_t sum = 0, most = 0;

	for (int i = 0; i < WORK_KINDS; i++) {
		sum += kind->workers[i];
		most = kind->workers[i] > most ? kind->workers[i] : most;
	}
	return kind->by_kind ? most : sum;
}

int64_t experiment_own_workers(const struct experiment_build *build, enum work_kind kind)
{
	const struct request *request = &build->experiment->request;

	if (request->group && kind == WORK_MESSAGE && build->kind->workers[kind] > 0)
		return GROUPS * (request->senders + request->receivers);
	if (!request->work && request->n_programs == 0)
		return build->kind->workers[kind];
	return kind == (request->work ? WORK_OWN : WORK_PROGRAM) ? replaced(build->kind) : 0;
}
