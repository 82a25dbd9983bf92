/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "base/environment.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/names.h"
#include "base/units.h"
#include "base/utf8.h"

/*
 * Variables of ld.so(8) and mallopt(3), the directory of the workers' files, and the job of
 * sbatch(1). A name that ends in "_" is a prefix.
 */
static const char *const known_variables[] = {"LD_",	"MALLOC_",	"GLIBC_TUNABLES",
					      "TMPDIR", "SLURM_JOB_ID", "SLURM_ARRAY_TASK_ID"};

static const char *const policies[] = {
	[SCHED_OTHER] = "other", [SCHED_FIFO] = "fifo", [SCHED_RR] = "rr",
	[SCHED_BATCH] = "batch", [SCHED_IDLE] = "idle",
};

/* Adds the whole item, or nothing if it does not fit. */
static void add_item(char *buf, size_t size, const char *item)
{
	size_t used = strlen(buf), n = names_put_item(item, NULL, 0);

	if (used + n + 2 > size)
		return;
	if (used > 0)
		buf[used++] = NAMES_SEPARATOR;
	names_put_item(item, buf + used, size - used);
}

static void add_named(char *buf, size_t size, const char *name, const char *value)
{
	char item[64];

	if (value && snprintf(item, sizeof(item), "%s=%s", name, value) < (int)sizeof(item))
		add_item(buf, size, item);
}

static void add_limit(char *buf, size_t size, const char *name, int which)
{
	struct rlimit limit;

	if (getrlimit(which, &limit) == 0)
		add_named(buf, size, name,
			  limit.rlim_cur == RLIM_INFINITY ? "unlimited"
							  : UNITS_EXACT(limit.rlim_cur));
}

int environment_nice(void)
{
	int nice;

	errno = 0;
	nice = getpriority(PRIO_PROCESS, 0);
	if (errno)
		return 0;
	return nice;
}

int environment_nice_least(void)
{
	int own = environment_nice();
	struct rlimit limit;

	/*
	 * Root of a user namespace or container may lack the capability, so try it: this thread
	 * sets the lowest niceness for a moment. Returning to the old value is always allowed.
	 */
	if (own == -20)
		return own;
	if (setpriority(PRIO_PROCESS, 0, -20) == 0) {
		setpriority(PRIO_PROCESS, 0, own);
		return -20;
	}
	if (getrlimit(RLIMIT_NICE, &limit))
		return own;
	if (limit.rlim_cur >= 40)
		return -20;
	return MIN(20 - (int)limit.rlim_cur, own);
}

const char *environment_policy_name(int policy)
{
	if (policy >= 0 && policy < (int)LENGTH(policies))
		return policies[policy];
	return NULL;
}

/*
 * Policies depend on capabilities, limits and cgroups, so unless the policy is always allowed, this
 * thread sets it for a moment. Returning to the old policy is always allowed, except from
 * SCHED_IDLE, which needs RLIMIT_NICE; so SCHED_IDLE is never tried.
 */
bool environment_may_have(int policy)
{
	int own = sched_getscheduler(0);
	const struct sched_param least = {.sched_priority = sched_get_priority_min(policy)};
	const struct sched_param none = {.sched_priority = 0};

	if (policy == own || policy == SCHED_IDLE || own == SCHED_FIFO || own == SCHED_RR)
		return true;
	if (policy != SCHED_FIFO && policy != SCHED_RR && own != SCHED_IDLE)
		return true;
	return sched_setscheduler(0, policy, &least) == 0 && sched_setscheduler(0, own, &none) == 0;
}

char *environment_read(char *const *variables, const char *nice, int policy, const char *quota,
		       const char *stack, char *buf, size_t size)
{
	buf[0] = '\0';
	add_named(buf, size, "nice", nice);
	add_named(buf, size, "policy", environment_policy_name(policy));
	add_named(buf, size, "quota", quota);
	if (stack && *stack)
		add_named(buf, size, "stack", stack);
	else if (stack)
		add_limit(buf, size, "stack", RLIMIT_STACK);
	add_limit(buf, size, "addresses", RLIMIT_AS);
	for (; *variables; variables++) {
		for (size_t i = 0; i < LENGTH(known_variables); i++) {
			size_t n = strlen(known_variables[i]);

			if (strncmp(*variables, known_variables[i], n) == 0 &&
			    (known_variables[i][n - 1] == '_' || (*variables)[n] == '='))
				add_item(buf, size, *variables);
		}
	}
	utf8_mask(buf);
	return buf;
}
