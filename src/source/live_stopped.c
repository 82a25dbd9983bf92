/* SPDX-License-Identifier: MIT */
#include "live_stopped.h"

#include <stdio.h>
#include <string.h>

#include "live_run.h"
#include "base/procfs.h"

#define LOOK_NS 1000000000
/* So many processes in a look at most: some 10 us each. */
#define MOST_LOOKS 16

/* One that is traced stands still at each of its calls, as 't': that is no end of its work. */
bool live_stopped_is(const char *root, pid_t pid, pid_t group)
{
	char path[32], text[512], state;
	const char *after;
	int its_group;

	snprintf(path, sizeof(path), "proc/%d/stat", pid);
	after = pid > 0 ? procfs_read_stat(root, path, text, sizeof(text)) : NULL;
	return after && sscanf(after, ") %c %*d %d", &state, &its_group) == 2 &&
	       its_group == group && state == 'T';
}

/* Threads are of a process that was looked at. */
static pid_t find_worker(struct live_stopped *stopped, const struct live_run *run, const char *root,
			 uint32_t *worker)
{
	pid_t seen = run->pid;
	uint32_t looks = 0, i = stopped->next;

	for (uint32_t n = 0; n < run->n && looks < MOST_LOOKS; n++, i++) {
		const struct sample_worker *w = &run->known[i %= run->n];

		if (w->status != SAMPLE_RUNNING || w->created_ns < 0 || w->pid == seen)
			continue;
		seen = w->pid;
		looks++;
		if (!live_stopped_is(root, w->pid, run->pid))
			continue;
		*worker = i;
		return w->pid;
	}
	stopped->next = i;
	return 0;
}

pid_t live_stopped_find(struct live_stopped *stopped, const struct live_run *run, const char *root,
			uint64_t now_ns, uint32_t *worker)
{
	pid_t pid;

	if (stopped->found || !run->pid || run->paused || now_ns - stopped->looked_ns < LOOK_NS)
		return 0;
	stopped->looked_ns = now_ns;
	*worker = UINT32_MAX;
	pid = live_stopped_is(root, run->pid, run->pid) ? run->pid
	      : run->known				? find_worker(stopped, run, root, worker)
							: 0;
	stopped->found = pid != 0;
	return pid;
}
