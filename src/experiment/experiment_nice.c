/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>

#include "base/environment.h"

int experiment_check_nice(struct experiment_build *build)
{
	const struct request *request = &build->experiment->request;

	if (!request->niced || request->nice >= environment_nice_least())
		return 0;
	return REFUSE(build, -EAGAIN,
		      "--nice: \"%d\" needs root or a higher RLIMIT_NICE (ulimit -e): at least %d "
		      "is allowed",
		      request->nice, environment_nice_least());
}
