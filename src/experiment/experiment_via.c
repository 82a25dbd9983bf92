/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/resource.h>

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
	const struct request *request = &build->experiment->request;
	const int64_t *workers = request->workers;
	int64_t group = request->senders + request->receivers;

	if (workers[WORK_TOKEN] > 0 && workers[WORK_TOKEN] % 2)
		return REFUSE(build, -EINVAL,
			      "--token: \"%" PRId64 "\" leaves a worker without another to hand "
			      "its token to; ask for an even number",
			      workers[WORK_TOKEN]);
	if (workers[WORK_MESSAGE] > 0 && workers[WORK_MESSAGE] % group)
		return REFUSE(build, -EINVAL,
			      "--message: \"%" PRId64 "\" leaves a group that is not whole, of %u "
			      "senders and %u receivers (--group); ask for a multiple of %" PRId64,
			      workers[WORK_MESSAGE], request->senders, request->receivers, group);
	return 0;
}

/* Those that a runner has open besides. */
#define OTHER_FILES 24

/* A receiver has two ends of a pipe or socket pair, a worker of a pair of two pipes as well. */
static int check_files(struct experiment_build *build)
{
	const struct request *request = &build->experiment->request;
	bool tokens = request->workers[WORK_TOKEN] > 0;
	enum work_kind kind = tokens ? WORK_TOKEN : WORK_MESSAGE;
	int64_t group = tokens ? 2 : request->senders + request->receivers;
	int64_t each = tokens ? 4 : 2 * request->receivers, most;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > INT32_MAX)
		return 0;
	most = (int64_t)limit.rlim_cur - OTHER_FILES;
	if (request->workers[kind] / group * each <= most)
		return 0;
	return REFUSE(build, -EAGAIN,
		      "--%s: \"%" PRId64 "\" needs %" PRId64 " open files; the limit is %" PRIu64
		      " (ulimit -n): at most %" PRId64 " fit",
		      plan_work_name(kind), request->workers[kind],
		      request->workers[kind] / group * each + OTHER_FILES, (uint64_t)limit.rlim_cur,
		      most / each * group);
}

int experiment_group(struct experiment_build *build)
{
	struct request *request = &build->experiment->request;
	struct plan shape;
	int err;

	request->senders = request->receivers = WORK_MESSAGE_SIDE;
	if (!request->group)
		return 0;
	if (build->kind->workers[WORK_MESSAGE] == 0)
		return REFUSE(build, -EINVAL,
			      "--group: \"%s\" is of --experiment messages, and the workers of %s "
			      "send none; leave it out",
			      request->group, build->kind->name);
	err = plan_shape_parse(request->group, &shape);
	if (err || shape.levels != 2 || shape.fanout[0] > WORK_MESSAGE_MOST ||
	    shape.fanout[1] > WORK_MESSAGE_MOST)
		return REFUSE(build, -EINVAL,
			      "--group: \"%s\" is not senders x receivers of a group, 1 to %d each "
			      "(5x5, 1x20)",
			      request->group, WORK_MESSAGE_MOST);
	request->senders = shape.fanout[0];
	request->receivers = shape.fanout[1];
	return 0;
}

int experiment_via(struct experiment_build *build)
{
	struct request *request = &build->experiment->request;
	const struct experiment_kind *kind = build->kind;
	int err;

	if (request->vias && !kind->vias)
		return REFUSE(build, -EINVAL,
			      "--via: \"%s\" is of --experiment switch, messages and share, and "
			      "the workers of %s hand nothing over; leave it out",
			      request->vias, kind->name);
	err = check_kind(build, WORK_TOKEN, "switch");
	if (!err)
		err = check_kind(build, WORK_MESSAGE, "messages");
	if (!err && kind->counts)
		return check_others(build, WORK_SHARE);
	if (err || !kind->vias)
		return err;
	err = check_others(build, kind->workers[WORK_TOKEN] > 0 ? WORK_TOKEN : WORK_MESSAGE);
	choose_sched(request);
	if (!err)
		err = check_groups(build);
	return err ? err : check_files(build);
}
