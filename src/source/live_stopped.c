/* SPDX-License-Identifier: MIT */
#include "live_stopped.h"

#include <stdio.h>
#include <stdlib.h>

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

/* The newest children of a process, at most MOST_LOOKS. */
static uint32_t list_newest(const char *root, pid_t parent, pid_t newest[MOST_LOOKS])
{
	char path[48], text[8192], *at = text, *end;
	uint32_t n = 0;

	snprintf(path, sizeof(path), "proc/%d/task/%d/children", parent, parent);
	if (parent <= 0 || procfs_read_text(root, path, text, sizeof(text)) < 0)
		return 0;
	for (;; at = end) {
		pid_t pid = (pid_t)strtol(at, &end, 10);

		if (end == at)
			return n < MOST_LOOKS ? n : MOST_LOOKS;
		newest[n++ % MOST_LOOKS] = pid;
	}
}

/*
 * A worker tells its number with its first instruction. Of one that was stopped before it, its
 * creator's children have it, and it is among the newest.
 */
static pid_t find_silent(const struct live_run *run, const char *root, uint32_t silent,
			 uint32_t *worker)
{
	struct plan_node node;
	pid_t newest[MOST_LOOKS];
	uint32_t n;

	plan_node(&run->board->request.plan, silent, &node);
	n = list_newest(root,
			node.parent == PLAN_ROOT ? run->pid : (pid_t)run->known[node.parent].pid,
			newest);
	for (uint32_t i = 0; i < n; i++) {
		if (!live_stopped_is(root, newest[i], run->pid))
			continue;
		*worker = LIVE_STOPPED_SILENT;
		for (uint32_t k = run->n; k-- > 0;)
			if (run->known[k].pid == newest[i])
				*worker = k;
		return newest[i];
	}
	return 0;
}

/* Threads are of a process that was looked at. */
static pid_t find_worker(struct live_stopped *stopped, const struct live_run *run, const char *root,
			 uint32_t *worker)
{
	pid_t seen = run->pid;
	uint32_t looks = 0, i = stopped->next, silent = run->n;

	for (uint32_t n = 0; n < run->n && looks < MOST_LOOKS; n++, i++) {
		const struct sample_worker *w = &run->known[i %= run->n];

		if (w->status != SAMPLE_RUNNING || w->created_ns < 0 || w->finish_ns >= 0 ||
		    w->pid == seen)
			continue;
		if (w->pid <= 0) {
			silent = i;
			continue;
		}
		seen = w->pid;
		looks++;
		if (!live_stopped_is(root, w->pid, run->pid))
			continue;
		*worker = i;
		return w->pid;
	}
	stopped->next = i;
	return silent < run->n ? find_silent(run, root, silent, worker) : 0;
}

pid_t live_stopped_find(struct live_stopped *stopped, const struct live_run *run, const char *root,
			uint64_t now_ns, uint32_t *worker)
{
	pid_t pid;

	if (stopped->found || !run->pid || run->paused || now_ns - stopped->looked_ns < LOOK_NS)
		return 0;
	stopped->looked_ns = now_ns;
	*worker = LIVE_STOPPED_RUNNER;
	pid = live_stopped_is(root, run->pid, run->pid) ? run->pid
	      : run->known				? find_worker(stopped, run, root, worker)
							: 0;
	stopped->found = pid != 0;
	return pid;
}
