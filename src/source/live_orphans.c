/* SPDX-License-Identifier: MIT */
#include "live_orphans.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/procfs.h"
#include "base/utf8.h"

/* Milliseconds at least without any of them ending, until they are given up: a stuck kernel. */
#define REAP_WAITS 10000

/* How many; a list that may not be all of them is none. */
static uint32_t list(pid_t children[LIVE_CHILDREN])
{
	char text[LIVE_CHILDREN * 8];
	char *at = text, *end;
	uint32_t n = 0;
	int size = procfs_read_text("/proc", "thread-self/children", text, sizeof(text));

	if (size < 0 || (size_t)size + 1 >= sizeof(text))
		return 0;
	for (; n < LIVE_CHILDREN; at = end) {
		children[n] = (pid_t)strtol(at, &end, 10);
		if (end == at)
			return n;
		n++;
	}
	return 0;
}

void live_orphans_begin(struct live_orphans *orphans)
{
	/* Tasks whose parent has died become our children, to be ended and reaped. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	orphans->n_before = list(orphans->before);
	orphans->name[0] = '\0';
	orphans->ended = 0;
}

void live_orphans_spare(struct live_orphans *orphans, pid_t child)
{
	if (child > 0 && orphans->n_before < LIVE_CHILDREN)
		orphans->before[orphans->n_before++] = child;
}

/* SIGKILL ends tasks in the time the kernel needs to free their memory. */
static uint32_t reap(pid_t which, pid_t to_kill)
{
	uint32_t ended = 0;
	pid_t pid;

	for (int waits = 0; waits < REAP_WAITS; waits++) {
		while ((pid = waitpid(which, NULL, WNOHANG)) > 0) {
			waits = 0;
			ended++;
		}
		if (pid < 0)
			break;
		kill(to_kill, SIGKILL);
		poll(NULL, 0, 1);
	}
	return ended;
}

/* The terminal's guard stays in the session of this program; a runner begins one of its own. */
static bool is_left(const struct live_orphans *orphans, pid_t child)
{
	for (uint32_t i = 0; i < orphans->n_before; i++)
		if (orphans->before[i] == child)
			return false;
	return getsid(child) != getsid(0);
}

static void note_name(struct live_orphans *orphans, pid_t child)
{
	char path[32], *end;

	snprintf(path, sizeof(path), "%d/comm", (int)child);
	procfs_read_text("/proc", path, orphans->name, sizeof(orphans->name));
	end = strchr(orphans->name, '\n');
	if (end)
		*end = '\0';
	utf8_mask(orphans->name);
}

/* Each that is ended may leave others. */
void live_orphans_end(struct live_orphans *orphans, pid_t group)
{
	pid_t children[LIVE_CHILDREN];
	uint32_t n, ended;

	orphans->ended = reap(-group, -group);
	do {
		n = list(children);
		ended = 0;
		for (uint32_t i = 0; i < n; i++) {
			if (!is_left(orphans, children[i]))
				continue;
			if (!orphans->name[0])
				note_name(orphans, children[i]);
			ended += reap(children[i], children[i]);
		}
		orphans->ended += ended;
	} while (ended > 0);
}
