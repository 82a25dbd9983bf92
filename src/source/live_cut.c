/* SPDX-License-Identifier: MIT */
#include "live_run.h"

#include <signal.h>
#include <sys/param.h>
#include <unistd.h>

#define SOON_NS	 UINT64_C(1000000)
#define AGAIN_NS UINT64_C(100000000)

/*
 * The process that runs a worker's program; 0 if there is none, or if the PID now belongs to a
 * process outside the run.
 */
static pid_t worker_program(const struct live_run *run, uint32_t worker)
{
	const struct worker_slot *slot = &run->board->slot[worker];
	pid_t pid = atomic_load(&slot->child);
	struct plan_node node;

	plan_node(&run->board->request.plan, worker, &node);
	if (node.work != WORK_PROGRAM || atomic_load(&slot->worker) != WORKER_WORKING)
		return 0;
	if (pid == 0)
		pid = slot->pid;
	/* The runner could write any PID to the board, so end only processes of the run. */
	if (pid > 1 && pid != run->pid && live_orphans_owns(&run->orphans, run->pid, pid))
		return pid;
	return 0;
}

/*
 * Sends SIGTERM to each process that became a child of the runner because the program that started
 * it has ended. Each process gets the signal once, unless there are more than LIVE_TOLD processes.
 * Leaves out the runner's group, which has got the signal already.
 */
static void tell_orphans(struct live_run *run)
{
	pid_t orphans[LIVE_ORPHANS];
	uint32_t n = live_orphans_look(run->board, run->pid, orphans);

	for (uint32_t i = 0; i < n; i++) {
		bool signalled = getpgid(orphans[i]) == run->pid;

		for (uint32_t k = 0; k < MIN(run->n_cut_signalled, LIVE_TOLD); k++)
			signalled |= run->cut_signalled[k] == orphans[i];
		if (signalled)
			continue;
		kill(orphans[i], SIGTERM);
		run->cut_signalled[run->n_cut_signalled++ % LIVE_TOLD] = orphans[i];
	}
}

uint64_t live_cut_step(struct live_run *run, uint64_t now_ns)
{
	const uint64_t begin_ns = live_run_begin(run);
	pid_t orphans[LIVE_ORPHANS];
	uint32_t n;

	if (run->for_ns == 0 || run->pid == 0)
		return 0;
	if (begin_ns == 0)
		return now_ns + SOON_NS;
	if (now_ns < begin_ns + run->for_ns)
		return begin_ns + run->for_ns;
	if (run->paused)
		return now_ns + AGAIN_NS;
	if (run->cut_ns == 0) {
		run->cut_ns = now_ns;
		atomic_store(&run->board->cut, 1);
		kill(-run->pid, SIGTERM);
		/*
		 * Processes with a group of their own, as after setsid(1), are not in the runner's
		 * group.
		 */
		for (uint32_t i = 0; i < run->n; i++) {
			pid_t pid = worker_program(run, i);

			if (pid > 0 && getpgid(pid) != run->pid)
				kill(getpgid(pid) == pid ? -pid : pid, SIGTERM);
		}
		return now_ns + AGAIN_NS;
	}
	if (now_ns < run->cut_ns + LIVE_GRACE_NS) {
		tell_orphans(run);
		return MIN(now_ns + AGAIN_NS, run->cut_ns + LIVE_GRACE_NS);
	}
	run->cut_hard = true;
	for (uint32_t i = 0; i < run->n; i++) {
		pid_t pid = worker_program(run, i);

		if (pid > 0)
			kill(pid, SIGKILL);
	}
	/*
	 * Also kill the processes that ended programs had started: they have become children of the
	 * runner.
	 */
	n = live_orphans_look(run->board, run->pid, orphans);
	for (uint32_t i = 0; i < n; i++)
		kill(orphans[i], SIGKILL);
	return now_ns + AGAIN_NS;
}
