/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/procfs.h"

int experiment_check_nice(struct experiment_build *build)
{
	const struct request *request = &build->experiment->request;

	if (!request->niced || request->nice >= environment_nice_least())
		return 0;
	return REFUSE(build, -EAGAIN,
		      "-s nice=%d: needs root or a higher RLIMIT_NICE (ulimit -e): at least %d "
		      "is allowed",
		      request->nice, environment_nice_least());
}

int experiment_policy(const struct request *request)
{
	static const int policies[] = {
		[POLICY_INHERITED] = -1,      [POLICY_OTHER] = SCHED_OTHER,
		[POLICY_BATCH] = SCHED_BATCH, [POLICY_IDLE] = SCHED_IDLE,
		[POLICY_FIFO] = SCHED_FIFO,   [POLICY_RR] = SCHED_RR,
	};

	return policies[request->policy];
}

char *experiment_quota(uint32_t thousandths, char buf[EXPERIMENT_QUOTA])
{
	size_t n = (size_t)snprintf(buf, EXPERIMENT_QUOTA, "%" PRIu32 ".%03" PRIu32,
				    thousandths / 1000, thousandths % 1000);

	while (buf[n - 1] == '0')
		buf[--n] = '\0';
	if (buf[n - 1] == '.')
		buf[n - 1] = '\0';
	return buf;
}

/* Real-time tasks that never sleep leave a core to others only where the kernel makes them. */
static bool takes_all(const struct experiment_build *build)
{
	uint32_t cores = build->experiment->request.cores;
	char text[32];
	cpu_set_t own;

	if (procfs_read_text("", "proc/sys/kernel/sched_rt_runtime_us", text, sizeof(text)) < 0 ||
	    text[0] != '-' || sched_getaffinity(0, sizeof(own), &own) < 0)
		return false;
	return (cores > 0 ? (int)cores : build->cpus) >= CPU_COUNT(&own);
}

static int refuse_policy(struct experiment_build *build, const char *name, bool real_time)
{
	struct rlimit limit = {0};

	if (!real_time)
		return REFUSE(build, -EAGAIN,
			      "-s policy=%s: needs root or a higher RLIMIT_NICE (ulimit -e), since "
			      "this program runs as %s: start it with chrt --%s 0",
			      name, environment_policy_name(sched_getscheduler(0)), name);
	getrlimit(RLIMIT_RTPRIO, &limit);
	if (limit.rlim_cur > 0 || geteuid() == 0)
		return REFUSE(
			build, -EAGAIN,
			"-s policy=%s: is not allowed here: this program lacks "
			"CAP_SYS_NICE, or its cgroup has a cpu.rt_runtime_us of 0; use other, "
			"batch or idle",
			name);
	return REFUSE(build, -EAGAIN,
		      "-s policy=%s: needs root or RLIMIT_RTPRIO of at least 1 (ulimit -r is 0): "
		      "use other, batch or idle",
		      name);
}

int experiment_check_policy(struct experiment_build *build)
{
	const struct request *request = &build->experiment->request;
	int policy = experiment_policy(request);
	bool real_time = policy == SCHED_FIFO || policy == SCHED_RR;
	const char *name = environment_policy_name(policy);

	if (policy < 0)
		return 0;
	if (real_time && request->quota > 0)
		return REFUSE(build, -EINVAL,
			      "-s quota: a quota does not limit the policy %s; use other, batch or "
			      "idle",
			      name);
	if (real_time && takes_all(build))
		return REFUSE(
			build, -EAGAIN,
			"-s policy=%s: could keep this program from every core, since "
			"kernel.sched_rt_runtime_us is -1: set it to 950000 (sysctl), or leave "
			"a core free with -s pin",
			name);
	return environment_may_have(policy) ? 0 : refuse_policy(build, name, real_time);
}
