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
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/units.h"
#include "base/machine.h"
#include "live_spawn.h"

/* The number that a descriptor gets in the runner; 0 if there is none. */
static int32_t runner_fd(int fd, int32_t number)
{
	if (fd < 0)
		return 0;
	return number;
}

/* Opens what the run needs, and writes into the request which descriptors the runner gets. */
static int complete_request(struct live_run *run, const char *path, struct board_request *request,
			    int *output_fd)
{
	int err = 0;

	request->cgroup_fd = runner_fd(run->charge.join_fd, RUNNER_CGROUP_FD);
	request->quota_fd = runner_fd(run->quota.join_fd, RUNNER_QUOTA_FD);
	/* Without the descriptor, a hold is noticed only at the next tick. */
	if (request->hold_ms == 0)
		run->hold_fd = -1;
	else
		run->hold_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	request->hold_fd = runner_fd(run->hold_fd, RUNNER_HOLD_FD);
	*output_fd = -1;
	if (request->output_fd > 0)
		err = live_drain_start(&run->drain, path, run->metric, output_fd);
	request->output_fd = runner_fd(*output_fd, RUNNER_OUTPUT_FD);
	return err;
}

/*
 * The runner gets its descriptors, a session of its own, and none of our signal settings. The
 * kernel schedules the tasks of one session as a group (sched(7), autogroup). If the front end
 * shared the session of a thousand workers, it would get a thousandth of the cores, and keys would
 * have to wait for a minute. Until the runner has its own session, Ctrl-Z reaches it. A runner that
 * is stopped before its exec would block us in vfork(), so it starts with SIGTSTP blocked, and
 * discards a pending one.
 */
static int spawn_runner(struct live_run *run, const char *path, const struct live_spawn_fd *fds,
			size_t n, char *const *envp)
{
	const short flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
	char board_arg[12], life_arg[12];
	char *argv[] = {(char *)LIVE_PROGRAM_RUNNER, board_arg, life_arg, NULL};
	char **marked = live_orphans_environ(&run->orphans, envp);
	sigset_t stop;
	int err;

	if (!marked)
		return -ENOMEM;
	snprintf(board_arg, sizeof(board_arg), "%d", RUNNER_BOARD_FD);
	snprintf(life_arg, sizeof(life_arg), "%d", RUNNER_LIFE_FD);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	err = live_spawn(&run->pid, path, flags, &stop, argv, marked, fds, n);
	free(marked);
	return err;
}

/* Whether the run may leave something behind that must be removed if this program is killed. */
static bool needs_tidying(const struct live_run *run, const struct board_request *request)
{
	const uint32_t *leaves = request->plan.leaves;

	return request->fault != FAULT_NONE || *run->charge.folder || *run->quota.folder ||
	       leaves[WORK_PROGRAM] > 0 || leaves[WORK_OWN] > 0;
}

/*
 * Starts the runner with its scoreboard and descriptors and, if the run needs them, a drain and a
 * tidier. Returns 0 or -errno.
 */
static int start_runner(struct live_run *run, const char *path, const struct board_request *asked,
			int io_fd, char *const *envp)
{
	struct board_request request = *asked;
	int life[2], board_fd, output_fd, err;

	if (!envp)
		envp = environ;
	if (pipe2(life, O_CLOEXEC) < 0)
		return -errno;
	run->life_fd = life[1];
	err = complete_request(run, path, &request, &output_fd);
	if (err < 0) {
		close(life[0]);
		return err;
	}
	err = scoreboard_create(&request, &run->board, &board_fd);
	run->unshared = err < 0;
	if (err == 0) {
		/*
		 * A standard descriptor that is not in this list becomes /dev/null. The runner
		 * reports its own errors on the board.
		 */
		const struct live_spawn_fd fds[] = {
			{board_fd, RUNNER_BOARD_FD},
			{life[0], RUNNER_LIFE_FD},
			{io_fd, RUNNER_IO_FD},
			{run->charge.join_fd, RUNNER_CGROUP_FD},
			{run->quota.join_fd, RUNNER_QUOTA_FD},
			{run->hold_fd, RUNNER_HOLD_FD},
			{output_fd, RUNNER_OUTPUT_FD},
			{run->input_fd, STDIN_FILENO},
			{run->errors_fd, STDERR_FILENO},
		};

		err = spawn_runner(run, path, fds, LENGTH(fds), envp);
	}
	if (err == 0 && needs_tidying(run, &request))
		err = live_tidy_start(&run->tidy, path, board_fd, run->pid, &run->orphans);
	if (!run->unshared)
		close(board_fd);
	if (output_fd >= 0)
		close(output_fd);
	close(life[0]);
	return err;
}

/*
 * Opens the kernel's records of context switches. Must be called before the run is released: until
 * then, the runner has created no task of the model.
 */
static int open_perf(struct live_run *run, struct live_sched *sched)
{
	cpu_set_t set = run->board->request.pin;
	int err = 0;

	if (!sched || sched->reach == RING_NONE)
		return 0;
	/* The CPUs that the run's tasks may use. */
	if (CPU_COUNT(&set) == 0 && sched_getaffinity(run->pid, sizeof(set), &set) < 0)
		return -errno;
	err = live_perf_open(&run->perf, &sched->ring, sched->reach, run->pid, &set, run->board);
	if (err == 0)
		run->reach = sched->reach;
	return err;
}

/*
 * Opens the observation of tasks. Like open_perf(), it must be called before the run is released.
 */
static int open_tasks(struct live_run *run, const struct live_sched *sched)
{
	enum tasks_by by = TASKS_BY_NOBODY;
	int err;

	if (sched && run->board->request.plan.leaves[WORK_PROGRAM] > 0)
		by = sched->tasks;
	if (by == TASKS_BY_PERF && run->reach == RING_NONE)
		by = TASKS_BY_POLLING;
	if (by == TASKS_BY_PERF)
		run->perf.tasks = &run->command_tasks;
	err = live_tasks_open(&run->command_tasks, by, run->pid, run->board);
	run->command_tasks.seldom = sched && sched->seldom;
	return err;
}

int live_run_start(struct live_run *run, const char *runner, const struct board_request *request,
		   const char *metric, int io_fd, struct live_kernel *kernel,
		   struct live_cgroup *cpus, struct live_sched *sched, char *const *envp,
		   bool watch)
{
	const bool files =
		request->plan.leaves[WORK_IO] > 0 || request->plan.leaves[WORK_WRITE] > 0;
	int err = 0;

	memset(run, 0, sizeof(*run));
	run->pidfd = run->life_fd = run->hold_fd = run->charge.join_fd = -1;
	run->errors_fd = run->input_fd = -1;
	run->queue_most = -1;
	live_quota_none(&run->quota);
	run->fault = (enum fault_kind)request->fault;
	run->fault_slot = request->fault_slot;
	run->peak = sample_memory_unknown();
	run->runner = runner;
	run->metric = metric;
	run->started_ns = run->stops.looked_ns = clock_now_ns();
	getrusage(RUSAGE_SELF, &run->self);
	/*
	 * Charging memory to a cgroup takes time, so models of creation run without a cgroup.
	 * Version 1 also charges the page cache's index to the tasks, which is megabytes when files
	 * are copied, so version 1 is not used with files.
	 */
	if (kernel && request->plan.primitive == PLAN_PLAIN && (kernel->cgroup.v2 || !files))
		live_charge_open(&run->charge, &kernel->cgroup);
	if (cpus && request->quota > 0)
		err = live_quota_open(&run->quota, cpus, &run->charge, request->quota);
	else if (cpus && cpus->limited)
		live_quota_watch(&run->quota, &run->charge, kernel ? kernel->cgroup.bounds : "",
				 "");
	live_quota_read(&run->quota, &run->throttled_before);
	run->energy_before = machine_energy_uj("");
	run->unlimited = err < 0;
	if (err < 0)
		return err;
	live_orphans_begin(&run->orphans);
	run->orphans.cgroups[0] = run->charge.folder;
	run->orphans.cgroups[1] = run->quota.folder;
	live_streams_open(run, request, watch);
	err = start_runner(run, runner, request, io_fd, envp);
	if (err < 0)
		return err;
	/*
	 * A container's filter may deny pidfds, and kernels before 5.3 have none. live_run_ended()
	 * works without them.
	 */
	run->pidfd = (int)syscall(SYS_pidfd_open, run->pid, 0);
	run->n = run->board->slots;
	run->known = calloc(run->n, sizeof(*run->known));
	run->change = calloc(run->n, sizeof(*run->change));
	run->seen = calloc(run->n, sizeof(*run->seen));
	if (!run->known || !run->change || !run->seen ||
	    live_slices_open(&run->slices, run->board) < 0)
		return -ENOMEM;
	run->stride = live_pick_step(&run->board->request);
	for (uint32_t i = 0; i < run->n; i++)
		run->known[i] = sample_worker_unknown;
	/* If /proc cannot be read, memory stays unknown but the run continues. */
	live_memory_open(&run->memory, "/proc", run->pid, kernel,
			 request->plan.leaves[WORK_PROGRAM] > 0);
	run->perf_err = open_perf(run, sched);
	err = open_tasks(run, sched);
	if (err == 0)
		scoreboard_release(run->board);
	return err;
}

/*
 * Converts a time of the board to the run's clock; -1 if it is not between the run's beginning and
 * now.
 */
static int64_t run_relative_ns(struct live_run *run, uint64_t t, uint64_t now)
{
	run->later |= t > now;
	if (t == 0 || t > now || t < run->begin_ns)
		return -1;
	return (int64_t)(t - run->begin_ns);
}

static uint32_t clamp32(uint64_t v)
{
	if (v > UINT32_MAX)
		return UINT32_MAX;
	return (uint32_t)v;
}

static int32_t clamp31(int64_t v)
{
	if (v > INT32_MAX)
		return INT32_MAX;
	return (int32_t)v;
}

static int64_t known_count(int64_t count)
{
	if (count < 0)
		return -1;
	return count;
}

static void read_worker_part(struct live_run *run, const struct worker_slot *slot, uint64_t now,
			     struct sample_worker *w)
{
	uint32_t state = atomic_load_explicit(&slot->worker, memory_order_acquire);

	if (state == WORKER_NONE)
		return;
	w->start_ns = run_relative_ns(run, slot->start_ns, now);
	if (w->start_ns < 0)
		return;
	w->pid = slot->pid;
	w->tid = slot->tid;
	w->cpu_first = slot->cpu_first;
	if (state >= WORKER_WORKING)
		w->work_ns = run_relative_ns(run, slot->work_ns, now);
	if (state < WORKER_ENDED)
		return;
	w->finish_ns = run_relative_ns(run, slot->finish_ns, now);
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
	if (slot->error)
		w->status = SAMPLE_FAILED;
	else
		w->status = SAMPLE_OK;
	w->error = (int16_t)slot->error;
	w->result = slot->result;
	if (run->board->request.plan.tasks > 0)
		w->tasks = (int32_t)slot->tasks;
	else
		w->tasks = -1;
	w->user_us = clamp32(slot->usage.user_us);
	w->system_us = clamp32(slot->usage.system_us);
	w->minflt = clamp32(slot->usage.minflt);
	w->majflt = clamp32(slot->usage.majflt);
	w->nvcsw = clamp32(slot->usage.nvcsw);
	w->nivcsw = clamp32(slot->usage.nivcsw);
	if (slot->delay_ns < 0)
		w->delay_us = -1;
	else
		w->delay_us = clamp31(slot->delay_ns / 1000);
	if (slot->known & KNOWN_MIGRATIONS)
		w->migrations = clamp31(slot->migrations);
	if (!(slot->known & KNOWN_COUNTS))
		return;
	w->cycles = known_count(slot->count[COUNTERS_CYCLES]);
	w->instructions = known_count(slot->count[COUNTERS_INSTRUCTIONS]);
	w->cache_misses = known_count(slot->count[COUNTERS_CACHE]);
	w->tlb_misses = known_count(slot->count[COUNTERS_TLB]);
}

static void read_parent_part(struct live_run *run, const struct worker_slot *slot, uint64_t now,
			     struct sample_worker *w)
{
	uint32_t state = atomic_load_explicit(&slot->state, memory_order_acquire);

	if (state >= SLOT_CREATING)
		w->create_ns = run_relative_ns(run, slot->create_ns, now);
	if (w->create_ns >= 0)
		w->parent_cpu = slot->parent_cpu;
	if (state >= SLOT_CREATED)
		w->created_ns = run_relative_ns(run, slot->created_ns, now);
	if (state == SLOT_REFUSED && w->created_ns >= 0) {
		w->status = SAMPLE_REFUSED;
		w->error = (int16_t)slot->create_error;
	}
	if (state == SLOT_JOINED)
		w->join_ns = run_relative_ns(run, slot->join_ns, now);
	if (w->join_ns < 0)
		return;
	if (WIFSIGNALED(slot->wait_status) && !slot->ended) {
		w->status = SAMPLE_CRASHED;
		w->error = (int16_t)WTERMSIG(slot->wait_status);
	}
}

/* Whether the kernel still counts the worker's task. */
static bool is_alive(const struct sample_worker *w)
{
	return w->created_ns >= 0 && w->finish_ns < 0 && w->join_ns < 0 &&
	       w->status != SAMPLE_REFUSED;
}

bool live_run_overwritten(struct live_run *run)
{
	const struct scoreboard *board = run->board;
	enum board_state state;

	if (!run->pid)
		return false;
	state = scoreboard_state(run->board);
	run->overwritten |= state > BOARD_FAILED || state < run->reached ||
			    atomic_load(&board->go) != 1 || atomic_load(&board->stop) > 1 ||
			    atomic_load(&board->cut) > 1 || atomic_load(&board->hold_over) > 1;
	run->reached = state;
	return run->overwritten;
}

uint64_t live_run_begin(struct live_run *run)
{
	uint64_t begin_ns;

	if (run->begin_ns || scoreboard_state(run->board) < BOARD_CREATING)
		return run->begin_ns;
	begin_ns = run->board->begin_ns;
	if (begin_ns > run->started_ns && begin_ns <= clock_now_ns())
		run->begin_ns = run->perf.begin_ns = begin_ns;
	return run->begin_ns;
}

/* Reads a slot. If the slot has changed, updates the run's counts. */
static void read_slot(struct live_run *run, uint32_t i, uint64_t now, bool last)
{
	const struct worker_slot *slot = &run->board->slot[i];
	const struct worker_slot *faulty = &run->board->slot[run->fault_slot];
	struct sample_worker *before = &run->known[i], w = *before;
	uint64_t fault_ns;
	struct plan_node node;
	uint32_t came, went;

	read_worker_part(run, slot, now, &w);
	read_parent_part(run, slot, now, &w);
	/* The worker was joined after its part was read, so only now is that part complete. */
	if (w.join_ns >= 0 && w.status == SAMPLE_RUNNING)
		read_worker_part(run, slot, now, &w);
	if (last && w.create_ns >= 0 && w.status == SAMPLE_RUNNING) {
		/*
		 * The worker ended without a report. The faulty worker, and the others in its
		 * process, ended at the time of the fault. If the run was stopped, do not use that
		 * time, because workers that would have survived were ended too.
		 */
		if (run->stopped)
			fault_ns = 0;
		else if (run->struck_ns)
			fault_ns = run->struck_ns;
		else
			fault_ns = atomic_load(&run->board->fault_ns);
		if (fault_ns && slot == faulty)
			w.status = SAMPLE_CRASHED;
		else
			w.status = SAMPLE_INTERRUPTED;
		if (fault_ns && w.finish_ns < 0)
			w.finish_ns = run_relative_ns(run, MAX(faulty->finish_ns, fault_ns),
						      clock_now_ns());
	}
	if (memcmp(&w, before, sizeof(w)) == 0)
		return;
	plan_node(&run->board->request.plan, i, &node);
	came = is_alive(&w);
	went = is_alive(before);
	run->created += w.created_ns >= 0 && before->created_ns < 0;
	run->tasks += came - went;
	if (node.task == PLAN_PROCESS) {
		run->processes += came - went;
		if (before->start_ns < 0 && w.start_ns >= 0 && w.finish_ns < 0 &&
		    !run->memory.tree) {
			if (i % run->stride == 0)
				live_memory_add(&run->memory, w.pid);
			else
				run->memory.partial = true;
		}
	}
	*before = w;
	run->change[run->n_change++] = (struct sample_change) {.index = i, .worker = w};
}

void live_run_scan(struct live_run *run, uint64_t now_ns, bool last)
{
	run->n_change = 0;
	live_streams_trim(run);
	run->holding =
		scoreboard_state(run->board) == BOARD_HOLDING && run->board->hold_ns <= now_ns;
	if (live_run_begin(run) == 0)
		return;
	for (uint32_t i = 0; i < run->n; i++) {
		const struct worker_slot *slot = &run->board->slot[i];
		uint32_t state = atomic_load_explicit(&slot->state, memory_order_acquire);
		uint32_t worker = atomic_load_explicit(&slot->worker, memory_order_acquire);
		uint16_t seen = (uint16_t)(state << 8 | worker);

		/*
		 * Skip slots that have not changed, which the slot's two states show. In a large
		 * tree, that is most of them.
		 */
		if (seen == run->seen[i] && !last)
			continue;
		run->later = false;
		read_slot(run, i, now_ns, last);
		run->seen[i] = run->later ? 0 : seen;
	}
}

/* The pause after a reading is this many times the reading's CPU time. */
#define READ_PAUSE 300
/*
 * READ_PAUSE for the PSS of programs, which changes while they work: the factor, and the shortest
 * pause, ns. A child that maps and faults takes 11 % longer if PSS is read every 50 ms, and 0 %
 * longer if every 500 ms. Both limits together keep readings below 1 % of a core.
 */
#define TREE_PAUSE    150
#define TREE_PAUSE_NS UINT64_C(50000000)

/* Whether a new reading says more about shared memory than the stored one. */
static bool is_better(const struct live_run *run, const struct live_residents *read)
{
	const struct live_residents *kept = &run->resident;
	int knows = 2 * (read->runner.pss_kb >= 0) + (read->workers.n > 0);
	int knew = 2 * (kept->runner.pss_kb >= 0) + (kept->workers.n > 0);

	return read->runner.n > 0 &&
	       (kept->runner.n == 0 || knows > knew ||
		(knows == knew && run->board->request.plan.leaves[WORK_PROGRAM] > 0));
}

/*
 * Raises a peak to the value. If a value was read during the work, SEEN_SAMPLED replaces
 * SEEN_START.
 */
static void raise_peak(int64_t *peak, int64_t value, int16_t how, int16_t *seen)
{
	if (value < 0)
		return;
	if (value > *peak)
		*peak = value;
	if (how > *seen)
		*seen = how;
}

/*
 * Takes the parts of the peak from one moment. If totals differ by less than 1 %, takes the later
 * moment: while tasks are being created, a total may include tasks that are not counted yet.
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
	/*
	 * Reading PSS takes the mmap lock, which creations and exits need too. After the barrier
	 * has opened, no task is created. A tree without a barrier is steady if all of it was
	 * created and nothing has changed since the last scan.
	 */
	bool steady = run->holding || (run->created == run->n && run->n_change == 0);
	bool pss;
	/* Only sets do their work after this reading. A tree that waits has no work left. */
	int16_t how = held && run->board->request.plan.barrier ? SEEN_START : SEEN_SAMPLED;
	struct live_memory *memory = &run->memory;
	struct live_alive alive = {run->processes, run->tasks};
	pid_t orphans[LIVE_ORPHANS];
	uint64_t cpu_us, pause_ns;

	if (run->board->request.plan.barrier)
		steady = scoreboard_state(run->board) == BOARD_RUNNING;
	pss = held || (steady && now_ns >= run->next_pss_ns);
	if (run->board->joined && run->charge.join_fd >= 0)
		alive.charge = &run->charge;
	*out = sample_memory_unknown();
	if (!pss && now_ns < run->next_read_ns)
		return;
	cpu_us = clock_used_us(RUSAGE_SELF);
	if (memory->tree) {
		live_memory_find(memory, orphans, live_orphans_look(run->board, run->pid, orphans));
		alive.tasks = run->tasks - run->processes + (size_t)memory->alive;
		alive.processes = memory->n_tasks;
	}
	live_memory_read(memory, pss, &alive, out);
	/*
	 * Read PSS even before the pause is over if RSS is a twentieth above the highest RSS that
	 * was read together with PSS. That is rare.
	 */
	if (memory->tree && !pss && steady && out->rss_kb / 21 * 20 > run->pss_rss_kb &&
	    now_ns >= run->pss_ns + TREE_PAUSE_NS) {
		pss = true;
		live_memory_read(memory, pss, &alive, out);
	}
	if (is_better(run, &memory->resident))
		run->resident = memory->resident;
	pause_ns = (clock_used_us(RUSAGE_SELF) - cpu_us) * 1000;
	if (memory->tree && pss)
		pause_ns = MAX(pause_ns * TREE_PAUSE, TREE_PAUSE_NS);
	else
		pause_ns *= READ_PAUSE;
	/* If no program has begun, or all have ended, do not pause. */
	if (memory->tree && memory->n_tasks == 0)
		pause_ns = 0;
	else if (pss)
		run->pss_ns = now_ns;
	if (out->pss_kb >= 0)
		run->pss_rss_kb = MAX(run->pss_rss_kb, out->rss_kb);
	if (pss)
		run->next_pss_ns = now_ns + pause_ns;
	else
		run->next_read_ns = now_ns + pause_ns;
	if (held) {
		/*
		 * The tasks continue now. Their memory was just read, so postpone the next reading.
		 */
		run->next_read_ns = run->next_pss_ns;
		scoreboard_end_hold(run->board);
	}
	raise_peak(&run->peak.rss_kb, out->rss_kb, how, &run->peak.rss_seen);
	raise_peak(&run->peak.pss_kb, out->pss_kb, how, &run->peak.pss_seen);
	raise_peak(&run->peak.uss_kb, out->uss_kb, how, &run->peak.pss_seen);
	raise_kernel(&run->peak, out, how);
	run->peak.estimated |= out->estimated;
}

int64_t live_run_queue(struct live_run *run)
{
	const uint32_t port = atomic_load(&run->board->port);
	unsigned int own, state, waiting;
	char path[64], line[256];
	int64_t sum = -1;
	FILE *file;

	if (port == 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/%d/net/tcp", (int)run->pid);
	file = fopen(path, "re");
	if (!file)
		return -1;
	/*
	 * The kernel lists listening sockets (state 10) first, with the length of their queue as
	 * rx_queue.
	 */
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, " %*d: %*x:%x %*x:%*x %x %*x:%x", &own, &state, &waiting) != 3)
			break;
		if (state != 10)
			break;
		if (own == port)
			sum = MAX(sum, 0) + waiting;
	}
	fclose(file);
	run->queue_most = MAX(run->queue_most, sum);
	return sum;
}

struct live_lanes live_run_lanes(struct live_run *run, bool over)
{
	const bool perf = run->reach != RING_NONE;
	struct live_slices *own = &run->slices;
	struct live_lanes lanes = {NULL};

	if (live_run_begin(run) == 0)
		return lanes;
	/*
	 * The kernel's records, if there are any, report both tasks and slices. Otherwise slices
	 * come from the schedstat of the tasks.
	 */
	live_tasks_hear(&run->command_tasks);
	if (perf)
		live_perf_take(&run->perf, over);
	live_tasks_look(&run->command_tasks, clock_now_ns());
	if (over)
		live_tasks_hear(&run->command_tasks);
	lanes.tasks = live_tasks_take(&run->command_tasks, run->begin_ns, over, &lanes.n_tasks);
	if (!perf) {
		live_slices_take(own, run->begin_ns, clock_now_ns(), over);
		own->lost += live_tasks_slices(&run->command_tasks, run->begin_ns, &own->list,
					       &own->n, &own->cap) < 0;
	}
	if (perf)
		lanes.slices = run->perf.list;
	else
		lanes.slices = own->list;
	lanes.n_slices = (uint32_t)(perf ? run->perf.n : own->n);
	return lanes;
}

bool live_run_holds(struct live_run *run)
{
	/* Returns true only once, because a faulty runner may write this state repeatedly. */
	if (run->hold_told || scoreboard_state(run->board) != BOARD_HOLDING ||
	    atomic_load(&run->board->hold_over) != 0)
		return false;
	run->hold_told = true;
	return true;
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

/*
 * Kills the group. If seccomp denies kill(2), closing the runner's pipe makes the kernel kill the
 * run.
 */
static void end_group(struct live_run *run)
{
	if (kill(-run->pid, SIGKILL) < 0)
		live_close_fd(&run->life_fd);
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
	end_group(run);
}

/*
 * How long processes that a program started may run after the program's end: a minute, or ten times
 * the program's time if that is longer.
 */
#define WAIT_LEAST_NS INT64_C(60000000000)
#define WAIT_TIMES    10

bool live_run_waits_in_vain(struct live_run *run, uint64_t now_ns)
{
	int64_t ended_ns = 0, most_ns;

	if (!run->board->request.wait_all || run->for_ns > 0 || run->begin_ns == 0 || run->unfit[0])
		return false;
	for (uint32_t i = 0; i < run->n; i++) {
		if (run->known[i].join_ns < 0)
			return false;
		ended_ns = MAX(ended_ns, run->known[i].join_ns);
	}
	most_ns = MAX(WAIT_LEAST_NS, WAIT_TIMES * ended_ns);
	if ((int64_t)(now_ns - run->begin_ns) - ended_ns < most_ns)
		return false;
	snprintf(run->unfit, sizeof(run->unfit),
		 "its child processes were still running %s after it had ended; use -s wait=first "
		 "to measure without them",
		 UNITS_TIME(most_ns, false));
	run->endless = true;
	return true;
}

/*
 * Waits until the runner, which leads the group, has ended. Kills the rest of the group before it
 * reaps the runner, because after that the runner's PID may name another group.
 */
static void reap_runner(struct live_run *run, struct rusage *usage)
{
	siginfo_t info;

	memset(usage, 0, sizeof(*usage));
	if (waitid(P_PID, (id_t)run->pid, &info, WEXITED | WNOWAIT) == 0)
		end_group(run);
	wait4(run->pid, &run->wait_status, 0, usage);
	live_orphans_end(&run->orphans, run->pid);
	run->pid = 0;
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
	else if (worker == LIVE_STOPPED_CLIENTS)
		snprintf(name, sizeof(name), "the client program");
	else if (worker == LIVE_STOPPED_SILENT)
		snprintf(name, sizeof(name), "a worker that has not begun");
	else
		plan_name(&run->board->request.plan, worker, name, sizeof(name));
	if (run->stops.found == LIVE_FROZEN)
		snprintf(buf, size,
			 "the cgroup of %s, process %d, is frozen: the run waits and does not "
			 "count; thaw that cgroup to continue",
			 name, pid);
	else
		snprintf(buf, size,
			 "%s, process %d, was stopped: the run waits and does not count; kill "
			 "-CONT %d continues it",
			 name, pid, pid);
	return true;
}

bool live_run_ended(const struct live_run *run)
{
	siginfo_t info = {.si_pid = 0};

	return run->pid > 0 &&
	       waitid(P_PID, (id_t)run->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == run->pid;
}

void live_run_collect(struct live_run *run, struct sample_totals *totals)
{
	struct live_throttled throttled = live_run_throttled(run);
	int64_t energy = -1;
	char line[LIVE_LINE];
	struct rusage usage;
	uint64_t now;

	if (run->energy_before >= 0)
		energy = machine_energy_uj("");
	memset(totals, 0, sizeof(*totals));
	fields_unknown(sample_totals_fields, totals);
	live_quota_lift(&run->quota);
	reap_runner(run, &usage);
	totals->throttled_periods = throttled.periods;
	totals->throttled_us = throttled.us;
	if (run->energy_before >= 0 && energy >= run->energy_before)
		totals->energy_uj = energy - run->energy_before;
	now = clock_now_ns();
	live_run_scan(run, now, true);
	totals->go_ns = run_relative_ns(run, run->board->go_ns, now);
	totals->drain_us = live_drain_end(&run->drain, line);
	live_run_total(run, &usage, now, totals);
	live_printed_read(run, line, totals, run->printed_why, sizeof(run->printed_why));
	if (run->command_tasks.by == TASKS_BY_NOBODY)
		return;
	totals->tasks_created = run->command_tasks.n_indexed;
	/* The number of lost tasks is unknown if records were lost, or with polling. */
	if (!run->command_tasks.overflowed && run->command_tasks.by != TASKS_BY_POLLING &&
	    (run->command_tasks.by != TASKS_BY_PERF || run->perf.ring->lost == 0))
		totals->tasks_lost = run->command_tasks.lost;
}

#define RUNNER_WAITS 2000 /* milliseconds */

/*
 * Waits for the runner. Returns false if the runner does not end even after SIGKILL, because it is
 * frozen or waits for a missing disk.
 */
static bool await_runner(const struct live_run *run)
{
	for (int waits = 0; waits < RUNNER_WAITS; waits++) {
		if (live_run_ended(run))
			return true;
		poll(NULL, 0, 1);
	}
	return live_run_ended(run);
}

void live_run_close(struct live_run *run)
{
	struct rusage usage;

	if (run->pid) {
		live_run_kill(run);
		/* The pending SIGKILL ends a frozen runner when its cgroup is thawed. */
		if (await_runner(run))
			reap_runner(run, &usage);
	}
	live_close_fd(&run->pidfd);
	live_close_fd(&run->life_fd);
	live_close_fd(&run->hold_fd);
	live_close_fd(&run->errors_fd);
	live_close_fd(&run->input_fd);
	live_drain_end(&run->drain, NULL);
	if (run->board)
		atomic_store(&run->board->closed, 1);
	live_tidy_end(&run->tidy);
	live_quota_close(&run->quota);
	live_charge_close(&run->charge);
	live_slices_close(&run->slices);
	free(run->buckets);
	if (run->board)
		scoreboard_close(run->board);
	live_memory_close(&run->memory);
	live_perf_close(&run->perf);
	live_tasks_close(&run->command_tasks);
	free(run->known);
	free(run->change);
	free(run->seen);
	memset(run, 0, sizeof(*run));
	run->pidfd = run->life_fd = run->hold_fd = run->errors_fd = run->input_fd = -1;
}
