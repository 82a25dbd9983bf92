/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <inttypes.h>

/*
 * Their own clock tells when they were on a core: the kernel's records of each switch would take as
 * long as the switch.
 */
static void choose_sched(struct request *request)
{
	if (request->sched == SCHED_AUTO)
		request->sched = SCHED_OWN;
}

static int check_kind(struct experiment_build *build, enum work_kind kind, const char *experiment)
{
	int64_t workers = build->experiment->request.workers[kind];

	if (workers <= 0 || build->kind->workers[kind] > 0)
		return 0;
	return REFUSE(build, -EINVAL, "--%s: \"%" PRId64 "\" is of --experiment %s; leave it out",
		      plan_work_name(kind), workers, experiment);
}

/* Others would disturb them. */
static int check_others(struct experiment_build *build, enum work_kind kind)
{
	const struct request *request = &build->experiment->request;

	for (int i = 0; i < WORK_KINDS; i++)
		if (i != (int)kind && request->workers[i] > 0)
			return REFUSE(build, -EINVAL,
				      "--%s: \"%" PRId64 "\" would disturb the workers of %s, "
				      "which are of --%s alone",
				      plan_work_name((enum work_kind)i), request->workers[i],
				      build->kind->name, plan_work_name(kind));
	return 0;
}

static int check_groups(struct experiment_build *build)
{
	const int64_t *workers = build->experiment->request.workers;

	if (workers[WORK_TOKEN] > 0 && workers[WORK_TOKEN] % 2)
		return REFUSE(build, -EINVAL,
			      "--token: \"%" PRId64 "\" leaves a worker without another to hand "
			      "its token to; ask for an even number",
			      workers[WORK_TOKEN]);
	if (workers[WORK_MESSAGE] > 0 && workers[WORK_MESSAGE] % (2 * WORK_MESSAGE_SIDE))
		return REFUSE(build, -EINVAL,
			      "--message: \"%" PRId64 "\" leaves a group that is not whole, of %d "
			      "senders and %d receivers; ask for a multiple of %d",
			      workers[WORK_MESSAGE], WORK_MESSAGE_SIDE, WORK_MESSAGE_SIDE,
			      2 * WORK_MESSAGE_SIDE);
	return 0;
}

int experiment_via(struct experiment_build *build)
{
	struct request *request = &build->experiment->request;
	const struct experiment_kind *kind = build->kind;
	int err;

	if (request->vias && !kind->vias)
		return REFUSE(build, -EINVAL,
			      "--via: \"%s\" is of --experiment switch and messages, and the "
			      "workers of %s hand nothing over; leave it out",
			      request->vias, kind->name);
	err = check_kind(build, WORK_TOKEN, "switch");
	if (!err)
		err = check_kind(build, WORK_MESSAGE, "messages");
	if (err || !kind->vias)
		return err;
	err = check_others(build, kind->workers[WORK_TOKEN] > 0 ? WORK_TOKEN : WORK_MESSAGE);
	choose_sched(request);
	return err ? err : check_groups(build);
}
