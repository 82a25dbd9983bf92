/* SPDX-License-Identifier: MIT */
#include "live_precedence.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/environment.h"
#include "base/procfs.h"

/* A look is over so much at least. */
#define LOOK_NS 1000000000
/* It waited for more than that share of it, and more than so many times as long as it ran. */
#define WAITED_SHARE 0.5
#define WAITED_TIMES 10

/* Version 2 has the file in all but the topmost; version 1 there, too. */
static void take_group(void *arg, const struct cgroup *cgroup)
{
	struct live_precedence *precedence = arg;
	char text[64];
	bool v2 = cgroup_text(cgroup, "cpu.weight", text, sizeof(text)) == 0;
	bool v1 = *cgroup->path && strcmp(cgroup->path, "/") != 0 &&
		  cgroup_text(cgroup, "cpu.shares", text, sizeof(text)) == 0;

	if (!precedence->shared && (v1 || v2))
		snprintf(precedence->group, sizeof(precedence->group), "a cgroup shares the cores");
	precedence->shared |= v1 || v2;
}

void live_precedence_find(struct live_precedence *precedence, const char *root)
{
	char text[16];

	memset(precedence, 0, sizeof(*precedence));
	cgroup_walk(root, "cpu", take_group, precedence);
	if (precedence->shared)
		return;
	if (procfs_read_text(root, "proc/sys/kernel/sched_autogroup_enabled", text, sizeof(text)) ==
		    0 &&
	    text[0] != '0')
		return;
	precedence->shared = true;
	snprintf(precedence->group, sizeof(precedence->group), "sched_autogroup_enabled is 0");
}

void live_precedence_take(struct live_precedence *precedence, const char *folder)
{
	int least = environment_nice_least();
	char v2[PATH_MAX + 64], v1[PATH_MAX + 64];

	snprintf(v2, sizeof(v2), "%s/cpu.weight", folder);
	snprintf(v1, sizeof(v1), "%s/cpu.shares", folder);
	precedence->apart = *folder && (access(v2, F_OK) == 0 || access(v1, F_OK) == 0);
	if (!precedence->shared || precedence->apart || precedence->raised)
		return;
	precedence->own = environment_nice();
	precedence->raised = least < precedence->own && setpriority(PRIO_PROCESS, 0, least) == 0;
}

void live_precedence_give(struct live_precedence *precedence)
{
	if (precedence->raised)
		setpriority(PRIO_PROCESS, 0, precedence->own);
	precedence->raised = false;
	precedence->looked_ns = 0;
}

static bool look(const char *root, uint64_t *ran_ns, uint64_t *waited_ns)
{
	char text[96];

	return procfs_read_text(root, "proc/thread-self/schedstat", text, sizeof(text)) == 0 &&
	       sscanf(text, "%" SCNu64 " %" SCNu64, ran_ns, waited_ns) == 2;
}

bool live_precedence_waits(struct live_precedence *precedence, const char *root, int nice,
			   uint64_t now_ns, char *buf, size_t size)
{
	uint64_t ran_ns, waited_ns;
	double span, waited, ran;

	if (!precedence->shared || precedence->apart || precedence->said ||
	    (precedence->looked_ns && now_ns - precedence->looked_ns < LOOK_NS) ||
	    !look(root, &ran_ns, &waited_ns))
		return false;
	span = (double)(now_ns - precedence->looked_ns);
	waited = (double)(waited_ns - precedence->waited_ns);
	ran = (double)(ran_ns - precedence->ran_ns);
	precedence->said = precedence->looked_ns && waited > WAITED_SHARE * span &&
			   waited > WAITED_TIMES * ran;
	precedence->looked_ns = now_ns;
	precedence->ran_ns = ran_ns;
	precedence->waited_ns = waited_ns;
	if (precedence->said)
		snprintf(buf, size,
			 "of the last %.1f s this program waited %.1f for a core, and keys and "
			 "signals with it: it is scheduled in one group with the workers (%s)%s",
			 span / 1e9, waited / 1e9, precedence->group,
			 nice < 19 ? "; -s nice=19 lets it go before them" : "");
	return precedence->said;
}
