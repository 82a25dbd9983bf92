/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
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
	return REFUSE(build, -EINVAL,
		      "--workers: %s=%" PRId64 " is for the experiment %s; leave it out",
		      plan_work_name(kind), workers, experiment);
}

/* Others would disturb them. */
static int check_others(struct experiment_build *build, enum work_kind kind)
{
	const struct request *request = &build->experiment->request;

	for (int i = 0; i < WORK_KINDS; i++)
		if (i != (int)kind && request->workers[i] > 0)
			return REFUSE(build, -EINVAL,
				      "--workers: %s=%" PRId64 " would disturb the workers of %s, "
				      "which are %s workers alone",
				      plan_work_name((enum work_kind)i), request->workers[i],
				      build->kind->name, plan_work_name(kind));
	return 0;
}

/* Of a kind that is alone; -s workers holds where it was given. */
static int64_t count(const struct request *request, enum work_kind kind)
{
	return request->workers[kind] > 0 && request->total > 0 ? request->total
								: request->workers[kind];
}

/* "--workers: token=3", "-s workers=3:" */
static const char *asked(const struct request *request, enum work_kind kind, char text[64])
{
	if (request->total > 0)
		snprintf(text, 64, "-s workers=%" PRIu32 ":", request->total);
	else
		snprintf(text, 64, "--workers: %s=%" PRId64, plan_work_name(kind),
			 request->workers[kind]);
	return text;
}

static int check_groups(struct experiment_build *build)
{
	const struct request *request = &build->experiment->request;
	int64_t group = request->senders + request->receivers;
	char text[64];

	if (count(request, WORK_TOKEN) % 2)
		return REFUSE(build, -EINVAL,
			      "%s leaves a worker without another to hand its token to; ask for an "
			      "even number",
			      asked(request, WORK_TOKEN, text));
	if (count(request, WORK_MESSAGE) % group)
		return REFUSE(build, -EINVAL,
			      "%s leaves a group that is not whole, of %u senders and %u "
			      "receivers (-s group); ask for a multiple of %" PRId64,
			      asked(request, WORK_MESSAGE, text), request->senders,
			      request->receivers, group);
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
	char text[64];

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > INT32_MAX)
		return 0;
	most = (int64_t)limit.rlim_cur - OTHER_FILES;
	if (count(request, kind) / group * each <= most)
		return 0;
	return REFUSE(build, -EAGAIN,
		      "%s needs %" PRId64 " open files; the limit is %" PRIu64
		      " (ulimit -n): at most %" PRId64 " fit",
		      asked(request, kind, text), count(request, kind) / group * each + OTHER_FILES,
		      (uint64_t)limit.rlim_cur, most / each * group);
}

int experiment_group(struct experiment_build *build)
{
	struct request *request = &build->experiment->request;
	struct plan shape;
	int err;

	request->senders = request->receivers = WORK_MESSAGE_SIDE;
	if (!request->group || build->kind->workers[WORK_MESSAGE] == 0)
		return 0;
	err = plan_shape_parse(request->group, &shape);
	if (err || shape.levels != 2 || shape.fanout[0] > WORK_MESSAGE_MOST ||
	    shape.fanout[1] > WORK_MESSAGE_MOST)
		return REFUSE(build, -EINVAL,
			      "-s group=%s: is not senders x receivers of a group, 1 to %d each "
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
