/* SPDX-License-Identifier: MIT */
#include "live_run.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/param.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "experiment/experiment.h"
#include "work/work_file.h"

/* A worker counts as hanging if it runs for this long after all others have ended. */
#define STUCK_NS UINT64_C(200000000)

void live_fault_ask(const struct experiment *experiment, const struct sample_run *id,
		    struct board_request *board)
{
	const struct request *request = &experiment->each[id->case_id].request;
	const struct plan *plan = &board->plan;
	uint64_t state = experiment->request.seed + (uint64_t)id->trial * 0x632be59bd9b4e019u;
	uint32_t first, n;

	if (request->fault == FAULT_NONE)
		return;
	first = plan_level(plan, plan->levels - 1, &n);
	board->fault = request->fault;
	board->fault_percent = request->fault_percent;
	board->fault_slot = first + (uint32_t)(random_next(&state) % n);
}

bool live_fault_done(const struct live_run *run)
{
	return run->fault != FAULT_NONE && atomic_load(&run->board->fault_ns) != 0;
}

static bool is_leaf(const struct live_run *run, uint32_t index)
{
	struct plan_node node;

	plan_node(&run->board->request.plan, index, &node);
	return node.children == 0;
}

bool live_fault_stuck(struct live_run *run, uint64_t now_ns)
{
	if (run->fault != FAULT_HANG || !live_fault_done(run))
		return false;
	/* While another leaf works, the worker does not count as hanging. */
	for (uint32_t i = 0; i < run->n; i++)
		if (i != run->fault_slot && is_leaf(run, i) && run->known[i].finish_ns < 0)
			return false;
	if (run->alone_ns == 0)
		run->alone_ns = now_ns;
	return now_ns - run->alone_ns >= STUCK_NS;
}

int live_fault_strike(struct live_run *run, uint32_t worker)
{
	const struct worker_slot *slot = &run->board->slot[worker < run->n ? worker : 0];
	int fd, err = 0;
	pid_t pid, tid;

	if (run->fault != FAULT_NONE || run->struck_ns)
		return -EBUSY;
	/* The worker could change its slot at any time, so read its IDs once. */
	pid = slot->pid;
	tid = slot->tid;
	if (worker >= run->n || atomic_load(&slot->worker) != WORKER_WORKING || pid <= 0)
		return -ESRCH;
	/*
	 * The runner's PID is safe, because only this process reaps the runner. Any other process
	 * may have ended, and its PID may be in use again, so open a pidfd before checking the
	 * process group.
	 */
	if (pid == run->pid) {
		if (syscall(SYS_tgkill, pid, tid, SIGSEGV))
			err = -errno;
		else
			err = 0;
	} else {
		fd = (int)syscall(SYS_pidfd_open, pid, 0);
		if (fd < 0 && errno == ESRCH)
			return -ESRCH;
		/*
		 * Without a pidfd, another process may get the PID between the check and the
		 * signal.
		 */
		if (getpgid(pid) != run->pid ||
		    (fd < 0 ? kill(pid, SIGSEGV)
			    : syscall(SYS_pidfd_send_signal, fd, SIGSEGV, NULL, 0)))
			err = -ESRCH;
		if (fd >= 0)
			close(fd);
	}
	if (err)
		return err;
	run->struck_ns = clock_now_ns();
	run->fault_slot = worker;
	return 0;
}

static int64_t noticed_after(const struct live_run *run, int64_t fault_ns)
{
	const struct plan *plan = &run->board->request.plan;
	uint32_t index = run->fault_slot;
	struct plan_node node;

	/*
	 * The faulty worker may be a thread. Its process ended with it then, and the parent of that
	 * process notices the fault.
	 */
	for (plan_node(plan, index, &node); node.task == PLAN_THREAD;
	     plan_node(plan, index, &node)) {
		index = node.parent;
		if (index == PLAN_ROOT)
			return -1;
	}
	if (run->known[index].join_ns < 0)
		return -1;
	return run->known[index].join_ns - fault_ns;
}

void live_fault_collect(struct live_run *run, struct sample_totals *totals)
{
	struct scoreboard *board = run->board;
	const uint64_t fault_ns = run->struck_ns ? run->struck_ns : atomic_load(&board->fault_ns);
	const struct sample_worker *faulty;
	uint32_t left = 0;

	if (run->fault == FAULT_NONE && !run->struck_ns)
		return;
	if (run->struck_ns)
		totals->fault = FAULT_SEGV;
	else
		totals->fault = run->fault;
	totals->fault_worker = (int32_t)run->fault_slot;
	/*
	 * Counts workers with a correct result, and workers whose result the fault has corrupted.
	 */
	totals->survived = totals->wrong_results = 0;
	for (uint32_t i = 0; i < run->n; i++) {
		const struct sample_worker *worker = &run->known[i];

		totals->survived += is_leaf(run, i) && worker->status == SAMPLE_OK;
		totals->wrong_results += is_leaf(run, i) && worker->status == SAMPLE_FAILED &&
					 worker->error == EILSEQ;
	}
	if (run->struck_ns) {
		totals->fault_ns = (int64_t)(fault_ns - run->begin_ns);
		totals->noticed_ns = noticed_after(run, totals->fault_ns);
		return;
	}
	/*
	 * Remove what the worker left behind. A held lock only matters if another worker survives.
	 */
	board->fault_file[sizeof(board->fault_file) - 1] = '\0';
	board->fault_shm[sizeof(board->fault_shm) - 1] = '\0';
	if (fault_is_ours(board->fault_file, work_file_dir()) && unlink(board->fault_file) == 0)
		left |= FAULT_LEFT_FILE;
	if (fault_is_ours(board->fault_shm, "") && shm_unlink(board->fault_shm) == 0)
		left |= FAULT_LEFT_SHM;
	board->fault_file[0] = board->fault_shm[0] = '\0';
	if (atomic_load(&board->lock) && totals->survived > 0)
		left |= FAULT_LEFT_LOCK;
	totals->left = left;
	if (fault_ns < run->begin_ns || run->begin_ns == 0 || fault_ns > clock_now_ns()) {
		totals->survived = totals->wrong_results = -1;
		return;
	}
	totals->fault_ns = (int64_t)(fault_ns - run->begin_ns);
	/*
	 * The worker wakes the others just before the crash, and may lose its core before it
	 * crashes. Its signal handler knows when it crashed.
	 */
	faulty = &run->known[run->fault_slot];
	if (faulty->status == SAMPLE_CRASHED)
		totals->fault_ns = MAX(totals->fault_ns, faulty->finish_ns);
	/* After an overrun the worker keeps working and is joined like any other. */
	if (run->fault == FAULT_OVERRUN)
		totals->noticed_ns = -1;
	else
		totals->noticed_ns = noticed_after(run, totals->fault_ns);
}
