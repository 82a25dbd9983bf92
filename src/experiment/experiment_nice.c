/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/environment.h"

/* The least that a program without privileges may take: 20 - RLIMIT_NICE, or what it has. */
static int least(void)
{
	int own = environment_nice();
	struct rlimit limit;

	if (geteuid() == 0)
		return -20;
	if (getrlimit(RLIMIT_NICE, &limit))
		return own;
	return limit.rlim_cur >= 40		? -20
	       : 20 - (int)limit.rlim_cur < own ? 20 - (int)limit.rlim_cur
						: own;
}

int experiment_check_nice(struct experiment_build *build)
{
	const struct request *request = &build->experiment->request;

	if (!request->niced || request->nice >= least())
		return 0;
	return REFUSE(build, -EAGAIN,
		      "--nice: \"%d\" needs root or a higher RLIMIT_NICE (ulimit -e): at least %d "
		      "is allowed",
		      request->nice, least());
}
