/* SPDX-License-Identifier: MIT */
#include "live_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "live_peak.h"
#include "live_fault.h"
#include "live_work.h"
#include "live_spawn.h"
#include "base/units.h"
#include "work/work_own.h"

/*
 * Gives the runner its descriptors, a session of its own, and no signal settings of ours. Tasks of
 * one session are scheduled as a group (sched(7), autogroup): of a thousand that compute in ours,
 * the front end would have a thousandth of the cores, and keys and signals wait for a minute.
 * Before it has that session, Ctrl-Z reaches it: stopped before its exec it would hold us in
 * vfork(). So it starts with that key blocked, and drops it.
 */
static int spawn_runner(struct live_run *run, const char *path, int board_fd, int life_fd,
			int io_fd)
{
	char board_arg[12], life_arg[12];
	char *argv[] = {(char *)LIVE_PROGRAM_RUNNER, board_arg, life_arg, NULL};
	struct live_spawn_fd fds[6] = {{board_fd, RUNNER_BOARD_FD}, {life_fd, RUNNER_LIFE_FD}};
	posix_spawnattr_t attr;
	sigset_t stop, all;
	size_t n = 2;
	int err;

	snprintf(board_arg, sizeof(board_arg), "%d", RUNNER_BOARD_FD);
	snprintf(life_arg, sizeof(life_arg), "%d", RUNNER_LIFE_FD);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigfillset(&all);
	posix_spawnattr_init(&attr);
	/* Its messages are on the board. */
	if (io_fd >= 0)
		fds[n++] = (struct live_spawn_fd) {io_fd, RUNNER_IO_FD};
	if (run->board->request.cgroup_fd > 0)
		fds[n++] = (struct live_spawn_fd) {run->charge.join_fd, RUNNER_CGROUP_FD};
	if (run->board->request.quota_fd > 0)
		fds[n++] = (struct live_spawn_fd) {run->quota.join_fd, RUNNER_QUOTA_FD};
	if (run->board->request.hold_fd > 0)
		fds[n++] = (struct live_spawn_fd) {run->hold_fd, RUNNER_HOLD_FD};
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
						POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attr, &stop);
	posix_spawnattr_setsigdefault(&attr, &all);
	err = live_spawn(&run->pid, path, &attr, argv, run->envp ? run->envp : environ, fds, n);
	posix_spawnattr_destroy(&attr);
	return err;
}

/*
 * Moves a descriptor above those that the runner finds its own at. A dup2 of the file actions must
 * not overwrite one that a later action needs.
 */
static int move_high(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, RUNNER_QUOTA_FD + 1);
	int err = errno;

	close(fd);
	return high < 0 ? -err : high;
}

static int start_runner(struct live_run *run, const char *path, const struct board_request *request,
			int io_fd)
{
	int life[2], board_fd, err;

	if (pipe2(life, O_CLOEXEC) < 0)
		return -errno;
	run->life_fd = life[1];
	life[0] = move_high(life[0]);
	if (life[0] < 0)
		return life[0];
	err = scoreboard_create(request, &run->board, &board_fd);
	run->unshared = err < 0;
	if (err < 0)
		goto out_life;
	run->board->request.cgroup_fd = run->charge.join_fd < 0 ? 0 : RUNNER_CGROUP_FD;
	run->board->request.quota_fd = run->quota.join_fd < 0 ? 0 : RUNNER_QUOTA_FD;
	/* Without one the hold is seen at the next tick. */
	run->hold_fd = request->hold_ms == 0 ? -1 : eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (run->hold_fd >= 0)
		run->hold_fd = move_high(run->hold_fd);
	run->board->request.hold_fd = run->hold_fd < 0 ? 0 : RUNNER_HOLD_FD;
	board_fd = move_high(board_fd);
	err = board_fd < 0 ? board_fd : scoreboard_freeze(run->board);
	if (err == 0)
		err = spawn_runner(run, path, board_fd, life[0], io_fd);
	if (err == 0 && request->fault != FAULT_NONE)
		err = live_tidy_start(&run->tidy, path, board_fd, run->pid);
	if (board_fd >= 0)
		close(board_fd);
out_life:
	close(life[0]);
	return err;
}

static int alloc_workers(struct live_run *run)
{
	run->n = run->board->slots;
	run->known = calloc(run->n, sizeof(*run->known));
	run->change = calloc(run->n, sizeof(*run->change));
	run->seen = calloc(run->n, sizeof(*run->seen));
	if (!run->known || !run->change || !run->seen)
		return -ENOMEM;
	run->stride = live_pick_step(&run->board->request);
	for (uint32_t i = 0; i < run->n; i++)
		run->known[i] = sample_worker_unknown();
	return live_slices_open(&run->slices, run->board);
}

/*
 * Creation is timed as it is without: to count the charge takes time as well. Version 1 does not
 * tell the page cache's index, megabytes in a copy, from what tasks take.
 */
static bool is_charged(const struct plan *plan, bool v2)
{
	bool files = plan->leaves[WORK_IO] > 0 || plan->leaves[WORK_WRITE] > 0;

	return plan->primitive == PLAN_PLAIN && (v2 || !files);
}

/* The CPUs that the run's tasks may have. */
static int cpus_of(const struct live_run *run, cpu_set_t *set)
{
	const struct board_request *request = &run->board->request;

	CPU_ZERO(set);
	if (request->pin_count == 0)
		return sched_getaffinity(run->pid, sizeof(*set), set) < 0 ? -errno : 0;
	for (size_t cpu = 0; cpu < CPU_SETSIZE && cpu < sizeof(request->pin) * 8; cpu++)
		if (request->pin[cpu / 8] & 1u << cpu % 8)
			CPU_SET(cpu, set);
	return 0;
}

/* Before the release: the runner has created nothing of the model yet. */
static int open_perf(struct live_run *run, struct live_sched *sched)
{
	cpu_set_t set;
	int err;

	if (!sched || sched->reach == RING_NONE)
		return 0;
	err = cpus_of(run, &set);
	if (err == 0)
		err = live_perf_open(&run->perf, &sched->ring, sched->reach, run->pid, &set,
				     run->board);
	if (err == 0)
		run->reach = sched->reach;
	return err;
}

int live_run_start(struct live_run *run, const char *runner, const struct board_request *request,
		   int io_fd, struct live_kernel *kernel, struct live_cgroup *cpus,
		   struct live_sched *sched, char *const *envp, int *perf_err)
{
	int err = 0;

	memset(run, 0, sizeof(*run));
	run->envp = envp;
	run->pidfd = run->life_fd = run->hold_fd = run->charge.join_fd = -1;
	live_quota_none(&run->quota);
	run->fault = (enum fault_kind)request->fault;
	run->fault_slot = request->fault_slot;
	run->peak = sample_memory_unknown();
	run->started_ns = clock_now_ns();
	getrusage(RUSAGE_SELF, &run->self);
	if (kernel && is_charged(&request->plan, kernel->cgroup.v2))
		live_charge_open(&run->charge, &kernel->cgroup);
	if (cpus && request->quota > 0)
		err = live_quota_open(&run->quota, cpus, &run->charge, request->quota);
	run->unlimited = err < 0;
	if (err < 0)
		goto out;
	live_orphans_begin(&run->orphans);
	err = start_runner(run, runner, request, io_fd);
	live_orphans_spare(&run->orphans, run->tidy.pid);
	if (err < 0)
		goto out;
	run->pidfd = (int)syscall(SYS_pidfd_open, run->pid, 0);
	err = run->pidfd < 0 ? -errno : alloc_workers(run);
	if (err < 0)
		goto out;
	/* Memory stays unknown where /proc cannot be read; the run goes on. */
	live_memory_open(&run->memory, "/proc", run->pid, kernel);
	*perf_err = open_perf(run, sched);
	scoreboard_release(run->board);
out:
	if (err < 0) {
		bool unshared = run->unshared, unlimited = run->unlimited;

		live_run_close(run);
		run->unshared = unshared;
		run->unlimited = unlimited;
	}
	return err;
}

enum board_state live_run_state(const struct live_run *run)
{
	return atomic_load_explicit(&run->board->state, memory_order_acquire);
}

/* A time of the board as one since the run's begin; what lies after now is not known yet. */
static int64_t past(const struct live_run *run, uint64_t t, uint64_t now)
{
	return t == 0 || t > now || t < run->begin_ns ? -1 : (int64_t)(t - run->begin_ns);
}

static uint32_t clamp32(uint64_t v)
{
	return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

static int32_t clamp31(int64_t v)
{
	return v > INT32_MAX ? INT32_MAX : (int32_t)v;
}

static int64_t known(int64_t count)
{
	return count < 0 ? -1 : count;
}

static void read_finish(const struct live_run *run, const struct worker_slot *slot, uint32_t state,
			uint64_t now, struct sample_worker *w)
{
	w->finish_ns = past(run, slot->finish_ns, now);
	if (w->finish_ns < 0)
		return;
	w->cpu_last = slot->cpu_last;
	if (state == WORKER_ENDED)
		return;
	if (state == WORKER_CRASHED) {
		w->status = SAMPLE_CRASHED;
		w->error = (int16_t)slot->signal;
		return;
	}
	w->status = slot->error ? SAMPLE_FAILED : SAMPLE_OK;
	w->error = (int16_t)slot->error;
	w->result = slot->result;
	w->tasks = run->board->request.plan.tasks > 0 ? (int32_t)slot->tasks : -1;
	w->user_us = clamp32(slot->user_us);
	w->system_us = clamp32(slot->system_us);
	w->minflt = slot->minflt;
	w->majflt = slot->majflt;
	w->nvcsw = slot->nvcsw;
	w->nivcsw = slot->nivcsw;
	w->delay_us = slot->delay_ns < 0 ? -1 : clamp31(slot->delay_ns / 1000);
	if (slot->told & TOLD_MIGRATIONS)
		w->migrations = clamp31(slot->migrations);
	if (!(slot->told & TOLD_COUNTS))
		return;
	w->cycles = known(slot->count[COUNTERS_CYCLES]);
	w->instructions = known(slot->count[COUNTERS_INSTRUCTIONS]);
	w->cache_misses = known(slot->count[COUNTERS_CACHE]);
	w->tlb_misses = known(slot->count[COUNTERS_TLB]);
}

static void read_worker_part(const struct live_run *run, const struct worker_slot *slot,
			     uint64_t now, struct sample_worker *w)
{
	uint32_t state = atomic_load_explicit(&slot->worker, memory_order_acquire);

	if (state == WORKER_NONE)
		return;
	w->start_ns = past(run, slot->start_ns, now);
	if (w->start_ns < 0)
		return;
	w->pid = slot->pid;
	w->tid = slot->tid;
	w->cpu_first = slot->cpu_first;
	if (state >= WORKER_WORKING)
		w->work_ns = past(run, slot->work_ns, now);
	if (state >= WORKER_ENDED)
		read_finish(run, slot, state, now, w);
}

static void read_creator_part(const struct live_run *run, const struct worker_slot *slot,
			      uint64_t now, struct sample_worker *w)
{
	uint32_t state = atomic_load_explicit(&slot->state, memory_order_acquire);

	if (state >= SLOT_CREATING)
		w->create_ns = past(run, slot->create_ns, now);
	if (w->create_ns >= 0)
		w->creator_cpu = slot->creator_cpu;
	if (state >= SLOT_CREATED)
		w->created_ns = past(run, slot->created_ns, now);
	if (state == SLOT_REFUSED && w->created_ns >= 0) {
		w->status = SAMPLE_REFUSED;
		w->error = (int16_t)slot->create_error;
	}
	if (state == SLOT_JOINED)
		w->join_ns = past(run, slot->join_ns, now);
	if (w->join_ns < 0)
		return;
	if (WIFSIGNALED(slot->wait_status) && !slot->ended) {
		w->status = SAMPLE_CRASHED;
		w->error = (int16_t)WTERMSIG(slot->wait_status);
	}
}

/* The creator's line is read last: a joined worker has written all of its own. */
static void read_slot(const struct live_run *run, uint32_t i, uint64_t now, struct sample_worker *w)
{
	const struct worker_slot *slot = &run->board->slot[i];

	*w = run->known[i];
	read_worker_part(run, slot, now, w);
	read_creator_part(run, slot, now, w);
	if (w->join_ns >= 0 && w->status == SAMPLE_RUNNING)
		read_worker_part(run, slot, now, w);
}

static bool is_closed(const struct sample_worker *w)
{
	return w->join_ns >= 0 || w->status == SAMPLE_REFUSED;
}

/* A worker whose process the kernel would still count. */
static bool is_alive(const struct sample_worker *w)
{
	return w->created_ns >= 0 && w->finish_ns < 0 && !is_closed(w);
}

/* All of the slot that its two states announce has been taken. */
static bool is_complete(uint32_t state, uint32_t worker, const struct sample_worker *w)
{
	return (state < SLOT_CREATING || w->create_ns >= 0) &&
	       (state < SLOT_CREATED || w->created_ns >= 0) &&
	       (state != SLOT_JOINED || w->join_ns >= 0) &&
	       (worker < WORKER_STARTED || w->start_ns >= 0) &&
	       (worker != WORKER_WORKING || w->work_ns >= 0) &&
	       (worker < WORKER_ENDED || w->finish_ns >= 0);
}

/* Keeps the counts of the run up to date with one worker that has changed. */
static void count_change(struct live_run *run, uint32_t index, const struct sample_worker *after,
			 bool is_process)
{
	const struct sample_worker *before = &run->known[index];
	uint32_t came = is_alive(after), went = is_alive(before);

	run->created += after->created_ns >= 0 && before->created_ns < 0;
	run->tasks += came - went;
	if (!is_process)
		return;
	run->processes += came - went;
	if (before->start_ns >= 0 || after->start_ns < 0 || after->finish_ns >= 0)
		return;
	if (index % run->stride == 0)
		live_memory_add(&run->memory, after->pid);
	else
		run->memory.partial = true;
}

static void take_slot(struct live_run *run, uint32_t i, uint64_t now, bool last)
{
	struct sample_worker w;
	struct plan_node node;

	read_slot(run, i, now, &w);
	if (last && w.create_ns >= 0 && w.status == SAMPLE_RUNNING) {
		/*
		 * What ended without a word. The faulty one did at its fault, and with it those of
		 * its process.
		 */
		const struct worker_slot *faulty = &run->board->slot[run->fault_slot];
		uint64_t fault_ns =
			run->struck_ns ? run->struck_ns : atomic_load(&run->board->fault_ns);

		/* A run that was stopped has ended some that would have survived. */
		if (run->stopped)
			fault_ns = 0;
		w.status = fault_ns && &run->board->slot[i] == faulty ? SAMPLE_CRASHED
								      : SAMPLE_INTERRUPTED;
		if (fault_ns && w.finish_ns < 0)
			w.finish_ns = past(
				run, faulty->finish_ns > fault_ns ? faulty->finish_ns : fault_ns,
				clock_now_ns());
	}
	if (memcmp(&w, &run->known[i], sizeof(w)) == 0)
		return;
	plan_node(&run->board->request.plan, i, &node);
	count_change(run, i, &w, node.task == PLAN_PROCESS);
	run->known[i] = w;
	run->change[run->n_change++] = (struct sample_change) {.index = i, .worker = w};
}

/* Most slots of a large tree are as they were: their states say so. */
static void scan_slot(struct live_run *run, uint32_t i, uint64_t now, bool last)
{
	const struct worker_slot *slot = &run->board->slot[i];
	uint32_t state = atomic_load_explicit(&slot->state, memory_order_acquire);
	uint32_t worker = atomic_load_explicit(&slot->worker, memory_order_acquire);
	uint16_t seen = (uint16_t)(state << 8 | worker);

	if (seen == run->seen[i] && !last)
		return;
	take_slot(run, i, now, last);
	run->seen[i] = is_complete(state, worker, &run->known[i]) ? seen : 0;
}

bool live_run_overwritten(struct live_run *run)
{
	const struct scoreboard *board = run->board;
	enum board_state state;

	if (!run->pid)
		return false;
	state = live_run_state(run);
	run->overwritten |= state > BOARD_FAILED || state < run->reached ||
			    atomic_load(&board->go) != 1 || atomic_load(&board->stop) > 1 ||
			    atomic_load(&board->hold_over) > 1;
	run->reached = state;
	return run->overwritten;
}

uint64_t live_run_begin(struct live_run *run)
{
	uint64_t begin_ns;

	if (run->begin_ns || live_run_state(run) < BOARD_CREATING)
		return run->begin_ns;
	begin_ns = run->board->begin_ns;
	if (begin_ns > run->started_ns && begin_ns <= clock_now_ns())
		run->begin_ns = run->perf.begin_ns = begin_ns;
	return run->begin_ns;
}

void live_run_scan(struct live_run *run, uint64_t now_ns, bool last)
{
	run->n_change = 0;
	run->holding = live_run_state(run) == BOARD_HOLDING && run->board->hold_ns <= now_ns;
	if (live_run_begin(run) == 0)
		return;
	for (uint32_t i = run->first_open; i < run->n; i++)
		scan_slot(run, i, now_ns, last);
	while (run->first_open < run->n && is_closed(&run->known[run->first_open]))
		run->first_open++;
	if (!last)
		live_children_add(run);
}

/*
 * PSS is read under the mmap lock that creations and exits need as well. Behind an open gate nobody
 * is created; a tree without one is at rest when all were created and nothing has happened lately.
 */
static bool is_steady(const struct live_run *run)
{
	if (run->board->request.plan.gated)
		return live_run_state(run) == BOARD_RUNNING;
	return run->holding || (run->created == run->n && run->n_change == 0);
}

/* A reading may use this part of a core: the next one comes so many times its length later. */
#define READ_PAUSE 300

/* Whether a reading tells more of what is shared than the one that is kept. */
static bool is_better(const struct live_run *run, const struct live_residents *read)
{
	const struct live_residents *kept = &run->resident;
	int knows = 2 * (read->runner.pss_kb >= 0) + (read->workers.n > 0);
	int knew = 2 * (kept->runner.pss_kb >= 0) + (kept->workers.n > 0);

	return read->runner.n > 0 &&
	       (kept->runner.n == 0 || knows > knew ||
		(knows == knew && run->board->request.plan.leaves[WORK_PROGRAM] > 0));
}

/* Reads, and says when next to. */
static void read_memory(struct live_run *run, uint64_t now_ns, bool pss, struct sample_memory *out)
{
	uint64_t cpu_us = clock_used_us(RUSAGE_SELF);
	uint64_t *next_ns = pss ? &run->next_pss_ns : &run->next_read_ns;
	const struct live_alive alive = {
		run->processes, run->tasks,
		run->board->joined && run->charge.join_fd >= 0 ? &run->charge : NULL};

	live_memory_read(&run->memory, pss, &alive, out);
	if (is_better(run, &run->memory.resident))
		run->resident = run->memory.resident;
	*next_ns = now_ns + (clock_used_us(RUSAGE_SELF) - cpu_us) * 1000 * READ_PAUSE;
}

/* A figure that was read in the work is no longer one of the start. */
static void raise_to(int64_t *peak, int64_t value, int16_t how, int16_t *seen)
{
	if (value < 0)
		return;
	if (value > *peak)
		*peak = value;
	if (how > *seen)
		*seen = how;
}

/*
 * The parts of the peak are those of that moment; of moments that differ by a percent the last:
 * while tasks are created more of them are charged than are known.
 */
static void raise_kernel(struct sample_memory *peak, const struct sample_memory *now, int16_t how)
{
	if (now->kernel_kb >= 0 && how > peak->kernel_seen)
		peak->kernel_seen = how;
	if (now->kernel_kb < 0 || now->kernel_kb < peak->kernel_kb - peak->kernel_kb / 100)
		return;
	peak->kernel_kb = now->kernel_kb;
	peak->kernel_tables_kb = now->kernel_tables_kb;
	peak->kernel_stacks_kb = now->kernel_stacks_kb;
	peak->kernel_other_kb = now->kernel_other_kb;
	peak->kernel_estimated = now->kernel_estimated;
}

void live_run_memory(struct live_run *run, struct sample_memory *out)
{
	uint64_t now_ns = clock_now_ns();
	bool held = run->holding && atomic_load(&run->board->hold_over) == 0;
	bool pss = held || (is_steady(run) && now_ns >= run->next_pss_ns);
	/* Behind the gate of a tree there is no work: what stands then is all there will be. */
	int16_t how = held && run->board->request.plan.gated ? SEEN_START : SEEN_SAMPLED;

	*out = sample_memory_unknown();
	if (!pss && now_ns < run->next_read_ns)
		return;
	read_memory(run, now_ns, pss, out);
	if (held) {
		/* The tasks go on now and are left in peace: their memory is known. */
		run->next_read_ns = run->next_pss_ns;
		scoreboard_end_hold(run->board);
	}
	raise_to(&run->peak.rss_kb, out->rss_kb, how, &run->peak.rss_seen);
	raise_to(&run->peak.pss_kb, out->pss_kb, how, &run->peak.pss_seen);
	raise_to(&run->peak.uss_kb, out->uss_kb, how, &run->peak.pss_seen);
	raise_kernel(&run->peak, out, how);
	run->peak.estimated |= out->estimated;
}

const struct sample_slice *live_run_slices(struct live_run *run, bool over, uint32_t *n)
{
	*n = 0;
	if (live_run_begin(run) == 0)
		return NULL;
	if (run->reach != RING_NONE) {
		live_perf_take(&run->perf, over);
		*n = (uint32_t)run->perf.n;
		return run->perf.list;
	}
	live_slices_take(&run->slices, run->begin_ns, clock_now_ns(), over);
	*n = (uint32_t)run->slices.n;
	return run->slices.list;
}

bool live_run_holds(struct live_run *run)
{
	uint64_t n;

	/* What is not read away keeps the descriptor readable. */
	if (run->hold_fd >= 0)
		(void)!read(run->hold_fd, &n, sizeof(n));
	/* Once: the board is the runner's to write. */
	if (run->hold_told || live_run_state(run) != BOARD_HOLDING ||
	    atomic_load(&run->board->hold_over) != 0)
		return false;
	run->hold_told = true;
	return true;
}

void live_run_pause(struct live_run *run, bool pause)
{
	if (!run->pid || run->paused == pause)
		return;
	kill(-run->pid, pause ? SIGSTOP : SIGCONT);
	run->paused = pause;
	run->was_paused = true;
}

struct live_throttled live_run_throttled(struct live_run *run)
{
	struct live_throttled now;

	if (!live_quota_read(&run->quota, &now))
		return now;
	if (live_run_begin(run) == 0)
		run->throttled_before = now;
	now.periods -= run->throttled_before.periods;
	now.us -= run->throttled_before.us;
	return now;
}

void live_run_kill(struct live_run *run)
{
	if (!run->pid)
		return;
	run->stopped = true;
	live_run_give_up(run);
}

void live_run_give_up(struct live_run *run)
{
	if (!run->pid)
		return;
	live_quota_lift(&run->quota);
	kill(-run->pid, SIGKILL);
}

/* The leader is waited for without being reaped first, so that its number names no other group. */
static void reap_runner(struct live_run *run, struct rusage *usage)
{
	siginfo_t info;

	memset(usage, 0, sizeof(*usage));
	if (waitid(P_PID, (id_t)run->pid, &info, WEXITED | WNOWAIT) == 0)
		kill(-run->pid, SIGKILL);
	wait4(run->pid, &run->wait_status, 0, usage);
	live_orphans_end(&run->orphans, run->pid);
	run->pid = 0;
}

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t min_time(int64_t a, int64_t b)
{
	return a < 0 ? b : b < 0 || a < b ? a : b;
}

/*
 * Most workers alive at once: from their creation (or their first instruction, whichever was noted
 * first) to their last instruction. 0 where memory is short: then it is not known.
 */
static uint32_t peak_alive(const struct live_run *run)
{
	size_t n = run->n > 0 ? run->n : 1;
	int64_t *begin = calloc(n, sizeof(*begin)), *end = calloc(n, sizeof(*end));
	uint32_t n_begin = 0, n_end = 0, peak = 0;

	for (uint32_t i = 0; begin && end && i < run->n; i++) {
		const struct sample_worker *w = &run->known[i];

		if (w->created_ns < 0 || w->status == SAMPLE_REFUSED)
			continue;
		begin[n_begin++] = sample_worker_begin(w);
		if (w->finish_ns >= 0)
			end[n_end++] = w->finish_ns;
	}
	if (begin && end) {
		qsort(begin, n_begin, sizeof(*begin), compare_times);
		qsort(end, n_end, sizeof(*end), compare_times);
	}
	for (uint32_t i = 0, gone = 0; i < n_begin; i++) {
		while (gone < n_end && end[gone] <= begin[i])
			gone++;
		if (i + 1 - gone > peak)
			peak = i + 1 - gone;
	}
	free(begin);
	free(end);
	return peak;
}

static void count_workers(const struct live_run *run, struct sample_totals *t)
{
	int64_t first = -1, last = -1;

	t->workers = run->n;
	for (uint32_t i = 0; i < run->n; i++) {
		const struct sample_worker *w = &run->known[i];

		t->created += w->created_ns >= 0 && w->status != SAMPLE_REFUSED;
		t->finished += w->finish_ns >= 0 && w->status != SAMPLE_CRASHED;
		t->joined += w->join_ns >= 0;
		t->failed += w->status != SAMPLE_OK && w->status != SAMPLE_RUNNING;
		first = min_time(first, w->create_ns);
		if (w->created_ns > last)
			last = w->created_ns;
	}
	t->create_ns = first >= 0 && last >= 0 ? last - first : -1;
	t->peak_alive = peak_alive(run);
}

static void add_known(int64_t *sum, int64_t value)
{
	if (*sum >= 0 && (value < 0 || __builtin_add_overflow(*sum, value, sum)))
		*sum = -1;
}

/* Of those that work. */
static void sum_counts(const struct live_run *run, struct sample_totals *t)
{
	struct plan_node node;

	t->migrations = t->cycles = t->instructions = t->cache_misses = t->tlb_misses = 0;
	for (uint32_t i = 0; i < run->n; i++) {
		const struct sample_worker *w = &run->known[i];

		plan_node(&run->board->request.plan, i, &node);
		if (node.children > 0)
			continue;
		add_known(&t->migrations, w->migrations);
		add_known(&t->cycles, w->cycles);
		add_known(&t->instructions, w->instructions);
		add_known(&t->cache_misses, w->cache_misses);
		add_known(&t->tlb_misses, w->tlb_misses);
	}
}

/* The time that all were held only for their memory to be read. */
static int64_t held(const struct scoreboard *board)
{
	if (board->hold_ns == 0 || board->go_ns < board->hold_ns)
		return 0;
	return (int64_t)(board->go_ns - board->hold_ns);
}

/* Without what the front end took meanwhile; -1 where the board does not know. */
static int64_t stat_us(uint64_t all_us, struct timeval before, struct timeval after)
{
	int64_t left_us = (int64_t)(all_us - (clock_us(after) - clock_us(before)));

	return all_us == UINT64_MAX ? -1 : left_us > 0 ? left_us : 0;
}

static void stat_totals(const struct live_run *run, struct sample_totals *t)
{
	const struct board_totals *b = &run->board->totals;
	struct rusage self;

	getrusage(RUSAGE_SELF, &self);
	t->stat_user_us = stat_us(b->stat_user_us, run->self.ru_utime, self.ru_utime);
	t->stat_system_us = stat_us(b->stat_system_us, run->self.ru_stime, self.ru_stime);
}

static int64_t kib(uint64_t bytes)
{
	return bytes == UINT64_MAX ? -1 : (int64_t)(bytes / 1024);
}

static int64_t checked_kb(const struct live_run *run)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < run->n; i++)
		sum += run->board->slot[i].checked;
	return kib(sum);
}

/* Or as much as UINT64_MAX, which is not known. */
static bool is_count(uint64_t n)
{
	return n == UINT64_MAX || n < UINT64_C(1) << 53;
}

/* A runner that has lost its mind may have written anything. */
static bool is_sane(const struct live_run *run, uint64_t now)
{
	const struct scoreboard *b = run->board;
	const struct board_totals *t = &b->totals;
	const uint64_t counts[] = {t->user_us,	t->system_us,	       t->stat_user_us,
				   t->minflt,	t->stat_system_us,     t->majflt,
				   t->nvcsw,	t->read_bytes,	       t->nivcsw,
				   t->lines,	t->written_bytes,      t->disk_read_bytes,
				   t->drain_us, t->disk_written_bytes, t->peak_kb};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (!is_count(counts[i]))
			return false;
	return b->begin_ns == run->begin_ns && b->begin_ns <= b->end_ns && b->end_ns <= now &&
	       b->end_ns > 0 && b->go_ns <= b->end_ns && b->hold_ns <= b->end_ns &&
	       (b->go_ns == 0 || b->go_ns >= b->begin_ns) &&
	       (b->hold_ns == 0 || b->hold_ns >= b->begin_ns) && held(b) >= 0;
}

static void board_totals(const struct live_run *run, struct sample_totals *t)
{
	const struct board_totals *b = &run->board->totals;

	t->held_ns = held(run->board);
	t->elapsed_ns = (int64_t)(run->board->end_ns - run->board->begin_ns) - t->held_ns;
	t->user_us = (int64_t)b->user_us;
	t->system_us = (int64_t)b->system_us;
	stat_totals(run, t);
	t->minflt = (int64_t)b->minflt;
	t->majflt = (int64_t)b->majflt;
	t->nvcsw = (int64_t)b->nvcsw;
	t->nivcsw = (int64_t)b->nivcsw;
	t->read_kb = kib(b->read_bytes);
	t->written_kb = kib(b->written_bytes);
	t->disk_read_kb = kib(b->disk_read_bytes);
	t->disk_written_kb = kib(b->disk_written_bytes);
	t->checked_kb = checked_kb(run);
	if (run->board->request.plan.leaves[WORK_HELLO] > 0 && b->lines != UINT64_MAX)
		t->hello_lines = (int64_t)b->lines;
	if (b->drain_us != UINT64_MAX)
		t->drain_us = (int64_t)b->drain_us;
}

/* Totals without the board's: the time until the end was seen, and the usage of what was reaped. */
static void partial_totals(const struct live_run *run, const struct rusage *u, uint64_t now,
			   struct sample_totals *t)
{
	t->elapsed_ns = run->begin_ns ? (int64_t)(now - run->begin_ns) : -1;
	t->user_us = (int64_t)clock_us(u->ru_utime);
	t->system_us = (int64_t)clock_us(u->ru_stime);
	t->minflt = u->ru_minflt;
	t->majflt = u->ru_majflt;
	t->nvcsw = u->ru_nvcsw;
	t->nivcsw = u->ru_nivcsw;
	t->held_ns = 0;
}

static const char *stage_text(uint32_t stage)
{
	static const char *const text[] = {
		[STAGE_NONE] = "run",
		[STAGE_SETUP] = "set up",
		[STAGE_FILE] = "make the file that the io workers copy for",
		[STAGE_PREPARE] = "prepare",
		[STAGE_CREATE] = "create",
		[STAGE_WORK] = "do the work of",
		[STAGE_JOIN] = "join",
		[STAGE_SINK] = "count the lines of",
		[STAGE_TASKS] = "do each task once in",
	};

	return stage < sizeof(text) / sizeof(text[0]) ? text[stage] : "run";
}

/* A worker that called exit(), or pthread_exit(), as one's own work may. */
static bool ended_early(const struct live_run *run, const struct scoreboard *b, char *buf,
			size_t size)
{
	struct plan_node node;
	char name[64];

	if (b->failure_errno != EOWNERDEAD || b->failure_slot >= run->n ||
	    !WIFEXITED(b->slot[b->failure_slot].wait_status))
		return false;
	plan_name(&b->request.plan, b->failure_slot, name, sizeof(name));
	plan_node(&b->request.plan, b->failure_slot, &node);
	if (node.task == PLAN_THREAD)
		snprintf(buf, size, "worker %s: its thread ended before its work was done", name);
	else
		snprintf(buf, size, "worker %s ended with exit status %d before its work was done",
			 name, WEXITSTATUS(b->slot[b->failure_slot].wait_status));
	return true;
}

/* The file is there and may be run: that was looked at before. */
static const char *why_not_run(int error)
{
	if (error == ENOENT)
		return "what its #! line or its loader names is not there";
	if (error == ENOEXEC)
		return "it is no program of this machine, nor a script with a #! line";
	return strerror(error);
}

static void command_reason(const struct scoreboard *b, char *buf, size_t size)
{
	const char *name = b->failure_path;
	uint32_t status = b->failure_slot;

	if (b->failure_errno != ECHILD)
		snprintf(buf, size, "could not run -s prepare (%.120s): %s", name,
			 why_not_run(b->failure_errno));
	else if (status > 128 && status <= 128u + (unsigned)SIGRTMAX)
		snprintf(buf, size,
			 "-s prepare (%.120s) ended with status %u, 128 + signal %u (%s)", name,
			 status, status - 128, strsignal((int)status - 128));
	else
		snprintf(buf, size, "-s prepare (%.120s) ended with exit status %u", name, status);
}

/* The failure that the runner itself wrote down, n tasks having been created. */
static void board_reason(const struct live_run *run, uint32_t n, char *buf, size_t size)
{
	const struct scoreboard *b = run->board;
	const char *errno_name = strerrorname_np(b->failure_errno);
	char name[64] = "the run", path[sizeof(b->failure_path) + 4] = "", progress[64] = "";

	if (b->failure_stage == STAGE_SINK && b->failure_errno == EILSEQ) {
		const struct board_totals *t = &b->totals;

		snprintf(buf, size, "%llu lines were said, %llu arrived whole and %llu torn",
			 (unsigned long long)t->said, (unsigned long long)t->lines,
			 (unsigned long long)t->torn);
		return;
	}
	if (b->failure_stage == STAGE_COMMAND) {
		command_reason(b, buf, size);
		return;
	}
	if (ended_early(run, b, buf, size))
		return;
	if (b->failure_slot < run->n)
		plan_name(&b->request.plan, b->failure_slot, name, sizeof(name));
	if (b->failure_path[0])
		snprintf(path, sizeof(path), " (%.*s)", (int)sizeof(b->failure_path) - 1,
			 b->failure_path);
	if (b->failure_stage == STAGE_CREATE)
		snprintf(progress, sizeof(progress), " after %s of %s", UNITS_COUNT(n),
			 UNITS_COUNT(run->n));
	snprintf(buf, size, "could not %s %s%s%s: %s (%s)", stage_text(b->failure_stage), name,
		 path, progress, strerror(b->failure_errno), errno_name ? errno_name : "?");
}

static enum work_kind work_of(const struct live_run *run, uint32_t i)
{
	struct plan_node node;

	plan_node(&run->board->request.plan, i, &node);
	return (enum work_kind)node.work;
}

/* A status above 128 is that of a signal, as in a shell, or the program's own. */
static void say_program(const struct sample_worker *w, const char *name, char *buf, size_t size)
{
	int signal = w->result > 128 && w->result <= 128u + (unsigned)SIGRTMAX
			     ? (int)w->result - 128
			     : 0;

	if (w->error != ECHILD)
		snprintf(buf, size, "worker %s could not run its command: %s", name,
			 why_not_run(w->error));
	else if (signal)
		snprintf(buf, size,
			 "worker %s: its command ended with status %d, 128 + signal %d (%s)", name,
			 (int)w->result, signal, strsignal(signal));
	else
		snprintf(buf, size,
			 "worker %s: its command ended with exit status %d; -s ignore-failure=yes "
			 "goes on",
			 name, (int)w->result);
}

static void say_own(const struct sample_worker *w, const char *name, char *buf, size_t size)
{
	if (w->error == WORK_OWN_NO_ERRNO)
		snprintf(buf, size, "worker %s: its run() returned neither 0 nor an errno", name);
	else
		snprintf(buf, size, "worker %s: its run() returned errno %d (%s), not 0", name,
			 w->error, strerror(w->error));
}

static void say_worker(const struct live_run *run, uint32_t i, char *buf, size_t size)
{
	const struct sample_worker *w = &run->known[i];
	char name[64];

	plan_name(&run->board->request.plan, i, name, sizeof(name));
	if (w->status == SAMPLE_CRASHED)
		snprintf(buf, size, "worker %s was ended by signal %d (%s)", name, w->error,
			 strsignal(w->error));
	else if (work_of(run, i) == WORK_PROGRAM)
		say_program(w, name, buf, size);
	else if (w->error == EILSEQ)
		snprintf(buf, size,
			 work_of(run, i) == WORK_OWN
				 ? "worker %s found another result than the first one"
				 : "worker %s found its own result wrong",
			 name);
	else if (work_of(run, i) == WORK_OWN && w->status == SAMPLE_FAILED)
		say_own(w, name, buf, size);
	else
		snprintf(buf, size, "worker %s failed: %s", name, strerror(w->error));
}

static bool went_wrong(const struct live_run *run, uint32_t i)
{
	return run->known[i].status == SAMPLE_CRASHED || run->known[i].status == SAMPLE_FAILED;
}

/* Those that wait for one which failed are ended, and are not why; run->n: none has failed. */
static uint32_t failed_first(const struct live_run *run)
{
	const struct scoreboard *b = run->board;

	return b->failure_stage == STAGE_WORK && b->failure_errno != EOWNERDEAD &&
			       b->failure_slot < run->n
		       ? b->failure_slot
		       : run->n;
}

/* The first worker that did not do its work, in words; SAMPLE_OK where all did. */
static enum sample_status worker_reason(const struct live_run *run, char *buf, size_t size)
{
	uint32_t i = failed_first(run);

	if (i == run->n || !went_wrong(run, i))
		for (i = 0; i < run->n && !went_wrong(run, i); i++)
			;
	if (i == run->n)
		return SAMPLE_OK;
	say_worker(run, i, buf, size);
	return (enum sample_status)run->known[i].status;
}

bool live_run_death(const struct live_run *run, char *buf, size_t size)
{
	for (uint32_t i = 0; i < run->n_change; i++) {
		if (run->change[i].worker.status != SAMPLE_CRASHED || failed_first(run) < run->n)
			continue;
		say_worker(run, run->change[i].index, buf, size);
		return true;
	}
	return false;
}

bool live_run_halted(struct live_run *run, uint64_t now_ns, char *buf, size_t size)
{
	uint32_t worker;
	pid_t pid = live_stopped_find(&run->stops, run, "", now_ns, &worker);
	char name[64];

	if (pid == 0)
		return false;
	run->was_paused = true;
	if (worker == LIVE_STOPPED_RUNNER)
		snprintf(name, sizeof(name), LIVE_PROGRAM_RUNNER);
	else if (worker == LIVE_STOPPED_SILENT)
		snprintf(name, sizeof(name), "a worker that has not begun");
	else
		plan_name(&run->board->request.plan, worker, name, sizeof(name));
	snprintf(buf, size,
		 "somebody has stopped %s, process %d: the run waits for it and is no measurement; "
		 "kill -CONT %d lets it go on",
		 name, pid, pid);
	return true;
}

/* A run that somebody has watched break is no measurement, and no failure either. */
static void say_struck(const struct live_run *run, struct sample_totals *t)
{
	char name[64];

	plan_name(&run->board->request.plan, run->fault_slot, name, sizeof(name));
	t->status = SAMPLE_CRASHED;
	snprintf(t->reason, sizeof(t->reason),
		 "%s was made to crash (x): %lld of %u workers survived", name,
		 (long long)t->survived, plan_leaves(&run->board->request.plan));
}

/* One's own work is a part of the runner, which calls nothing else that could end it. */
static const char *who_ended(const struct live_run *run)
{
	if (run->board->request.plan.leaves[WORK_OWN] == 0)
		return LIVE_PROGRAM_RUNNER;
	if (live_run_state(run) < BOARD_READY)
		return LIVE_PROGRAM_RUNNER ", in prepare() of --own or what it does when loaded,";
	return LIVE_PROGRAM_RUNNER ", the process in which --own runs,";
}

/* sane: what the board says of the run makes sense. */
/* One that says nothing on the board may not know it: it is another program, or of another time. */
static void say_ended(const struct live_run *run, char *buf, size_t size)
{
	int status = WEXITSTATUS(run->wait_status), error = status - BOARD_EXIT;
	bool own = run->board->request.plan.leaves[WORK_OWN] > 0;

	if (live_run_state(run) != BOARD_SETUP || own)
		snprintf(buf, size, "%s ended with status %d before it was done", who_ended(run),
			 status);
	else if (error > 0 && error <= BOARD_EXIT_ERRNO)
		snprintf(buf, size, "%s could not begin: %s", LIVE_PROGRAM_RUNNER, strerror(error));
	else
		snprintf(buf, size,
			 "%s ended with status %d before it began, as one of another version does: "
			 "install tuibench whole",
			 LIVE_PROGRAM_RUNNER, status);
}

static void say_overwritten(const struct live_run *run, struct sample_totals *t)
{
	t->status = SAMPLE_FAILED;
	snprintf(t->reason, sizeof(t->reason),
		 "%s wrote to memory that is not its own: the scoreboard is overwritten",
		 run->board->request.plan.leaves[WORK_OWN] > 0 ? "--own" : "a worker");
}

static void judge(const struct live_run *run, bool sane, struct sample_totals *t)
{
	enum board_state state = live_run_state(run);
	enum sample_status worker = worker_reason(run, t->reason, sizeof(t->reason));

	if (run->stopped) {
		t->status = SAMPLE_INTERRUPTED;
		snprintf(t->reason, sizeof(t->reason), "stopped before it was done");
	} else if (run->struck_ns) {
		say_struck(run, t);
	} else if (run->overwritten) {
		say_overwritten(run, t);
	} else if (run->unfit[0]) {
		t->status = SAMPLE_FAILED;
		snprintf(t->reason, sizeof(t->reason), "%s", run->unfit);
	} else if (live_fault_done(run)) {
		t->status = SAMPLE_OK;
		t->reason[0] = '\0';
	} else if (WIFSIGNALED(run->wait_status)) {
		t->status = SAMPLE_CRASHED;
		if (worker != SAMPLE_CRASHED)
			snprintf(t->reason, sizeof(t->reason), "%s was ended by signal %d (%s)",
				 who_ended(run), WTERMSIG(run->wait_status),
				 strsignal(WTERMSIG(run->wait_status)));
	} else if (worker != SAMPLE_OK && run->board->failure_stage != STAGE_CREATE) {
		t->status = worker;
	} else if (state == BOARD_FAILED) {
		t->status = SAMPLE_FAILED;
		board_reason(run, t->created, t->reason, sizeof(t->reason));
	} else if (state == BOARD_DONE && !sane) {
		t->status = SAMPLE_FAILED;
		snprintf(t->reason, sizeof(t->reason), "what %s says of it makes no sense",
			 LIVE_PROGRAM_RUNNER);
	} else if (state != BOARD_DONE) {
		t->status = SAMPLE_FAILED;
		say_ended(run, t->reason, sizeof(t->reason));
	} else {
		t->status = SAMPLE_OK;
	}
}

/* What the runner has found of programs that had ended is known to have been one at least. */
static void look_back_at_programs(const struct live_run *run, struct sample_totals *t)
{
	if (run->board->request.plan.leaves[WORK_PROGRAM] == 0)
		return;
	t->children = run->memory.children;
	t->threads = run->memory.threads;
	for (uint32_t i = 0; i < run->n; i++) {
		uint32_t told = run->board->slot[i].told;

		if (run->known[i].finish_ns >= 0 && t->children < 0)
			t->children = 0;
		if (run->known[i].finish_ns >= 0 && t->threads < 0)
			t->threads = 1;
		if (told & TOLD_CHILDREN && t->children < 1)
			t->children = 1;
		if (told & TOLD_THREADS && t->threads < 2)
			t->threads = 2;
	}
}

void live_run_collect(struct live_run *run, struct sample_totals *totals)
{
	struct live_throttled throttled;
	struct rusage usage;
	uint64_t now;
	bool sane;

	memset(totals, 0, sizeof(*totals));
	fields_unknown(sample_totals_fields, totals);
	throttled = live_run_throttled(run);
	live_quota_lift(&run->quota);
	reap_runner(run, &usage);
	totals->throttled_periods = throttled.periods;
	totals->throttled_us = throttled.us;
	now = clock_now_ns();
	live_run_scan(run, now, true);
	count_workers(run, totals);
	sum_counts(run, totals);
	live_tally_take(&run->tally, run->board, totals);
	sane = live_run_state(run) >= BOARD_DONE && is_sane(run, now);
	if (sane)
		board_totals(run, totals);
	else
		partial_totals(run, &usage, now, totals);
	totals->go_ns = past(run, run->board->go_ns, now);
	totals->memory = run->peak;
	live_peak_raise(run,
			sane && run->board->totals.peak_kb != UINT64_MAX
				? (int64_t)run->board->totals.peak_kb
				: -1,
			&totals->memory);
	if (run->board->joined)
		totals->cgroup_kb = live_charge_peak(&run->charge);
	look_back_at_programs(run, totals);
	totals->paused = run->was_paused;
	live_perf_others(&run->perf, totals->others_who, sizeof(totals->others_who));
	totals->slices_lost = run->reach != RING_NONE ? live_perf_lost(&run->perf)
						      : live_slices_lost(&run->slices);
	totals->self_cpu_us = (int64_t)(clock_used_us(RUSAGE_SELF) - clock_us(run->self.ru_utime) -
					clock_us(run->self.ru_stime));
	live_fault_collect(run, totals);
	live_step_collect(run, totals);
	live_tasks_collect(run, totals);
	live_messages_collect(run, totals);
	sane &= fields_tame(sample_totals_fields, totals);
	judge(run, sane, totals);
}

/* 0 to 2 are never ours: a zeroed run owns nothing. */
static void close_fd(int *fd)
{
	if (*fd > 2)
		close(*fd);
	*fd = -1;
}

void live_run_close(struct live_run *run)
{
	struct rusage usage;

	if (run->pid) {
		live_run_kill(run);
		reap_runner(run, &usage);
	}
	close_fd(&run->pidfd);
	close_fd(&run->life_fd);
	close_fd(&run->hold_fd);
	live_tidy_end(&run->tidy);
	live_quota_close(&run->quota);
	live_charge_close(&run->charge);
	live_slices_close(&run->slices);
	live_tally_close(&run->tally);
	if (run->board)
		scoreboard_close(run->board);
	live_memory_close(&run->memory);
	live_perf_close(&run->perf);
	free(run->known);
	free(run->change);
	free(run->seen);
	memset(run, 0, sizeof(*run));
	run->pidfd = run->life_fd = run->hold_fd = -1;
}
