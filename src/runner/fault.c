/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/mark.h"

/*
 * OOM_ROOM: bytes of address space that the process may still allocate (RLIMIT_AS). OOM_BLOCK:
 * bytes of each allocation.
 */
#define OOM_ROOM  (UINT64_C(16) << 20)
#define OOM_BLOCK (UINT64_C(1) << 20)

/*
 * The longest time for which a worker waits for the fault, in addition to the time that it has
 * worked.
 */
#define AWAIT_NS UINT64_C(10000000000)

/* Largest number of names to try for shared memory. */
#define NAMES 64

/* For the exit handler, which gets no argument. Only the faulty worker writes it, once. */
static struct scoreboard *prepared;

bool fault_is_of(const struct task *task)
{
	const struct board_request *request = &task->team->board->request;

	return request->fault != FAULT_NONE && request->fault_slot == task->index;
}

/* Removes the files of the faulty worker, like a program that cleans up before it exits. */
static void remove_prepared(void)
{
	unlink(prepared->fault_file);
	shm_unlink(prepared->fault_shm);
}

int fault_prepare(const struct task *task)
{
	struct scoreboard *board = task->team->board;
	char *file = board->fault_file, *shm = board->fault_shm;
	int fd, taken = 0;

	if (snprintf(file, sizeof(board->fault_file), "%s/" FAULT_PREFIX "XXXXXX",
		     board->request.tmp_dir) >= (int)sizeof(board->fault_file))
		return ENAMETOOLONG;
	fd = mkostemp(file, O_CLOEXEC);
	if (fd < 0) {
		*file = '\0';
		return errno;
	}
	close(fd);
	/* The name is random, so that no other user can have taken it earlier. */
	do {
		snprintf(shm, sizeof(board->fault_shm), "/" FAULT_PREFIX "%016" PRIx64,
			 mark_number());
		fd = shm_open(shm, O_RDWR | O_CREAT | O_EXCL, 0600);
	} while (fd < 0 && errno == EEXIST && ++taken < NAMES);
	if (fd < 0) {
		*shm = '\0';
		return errno;
	}
	close(fd);
	prepared = board;
	atexit(remove_prepared);
	atomic_store(&board->lock, (uint32_t)gettid());
	return 0;
}

/*
 * Allocates with mmap(), as malloc() does for such blocks, because a sanitizer replaces malloc().
 */
static void run_out_of_memory(void)
{
	char *block;

	/* Limit this process only, so that no other process runs short of memory. */
	FILE *statm = fopen("/proc/self/statm", "re");
	unsigned long long pages = 0;
	struct rlimit limit;

	if (statm) {
		if (fscanf(statm, "%llu", &pages) != 1)
			pages = 0;
		fclose(statm);
	}
	limit.rlim_cur = limit.rlim_max = pages * (unsigned long)sysconf(_SC_PAGESIZE) + OOM_ROOM;
	if (setrlimit(RLIMIT_AS, &limit))
		abort();
	while ((block = mmap(NULL, OOM_BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			     -1, 0)) != MAP_FAILED)
		memset(block, 1, OOM_BLOCK);
	abort();
}

_Noreturn void fault_commit(const struct task *task)
{
	struct scoreboard *board = task->team->board;

	atomic_store_explicit(&board->fault_ns, clock_now_ns(), memory_order_release);
	atomic_store_explicit(&board->faulted, 1, memory_order_release);
	scoreboard_wake(&board->faulted);
	switch ((enum fault_kind)board->request.fault) {
	case FAULT_SEGV:
		*(volatile int *volatile)NULL = 0; /* NOLINT: the crash is intended */
		break;
	case FAULT_EXIT:
		exit(EXIT_FAILURE);
	case FAULT_HANG:
		for (;;)
			pause();
	case FAULT_OOM:
		run_out_of_memory();
		break;
	default:
		break;
	}
	abort();
}

#define BLOCK 64 /* bytes */

static uint8_t *task_block(const struct task *task, uint32_t index)
{
	return task->team->blocks + (size_t)index * BLOCK;
}

static uint8_t mark_of(uint32_t index)
{
	return (uint8_t)(index % 251 + 1);
}

int fault_blocks(struct team *team)
{
	const uint32_t n = team->board->slots;

	if (team->board->request.fault != FAULT_OVERRUN)
		return 0;
	team->blocks = malloc((size_t)n * BLOCK);
	if (!team->blocks)
		return ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		memset(team->blocks + (size_t)i * BLOCK, mark_of(i), BLOCK);
	return 0;
}

/*
 * Overwrites the block of the next sibling. The last task has no next sibling, and overwrites the
 * block before its own; a single task overwrites its own. The other workers check their blocks only
 * after that.
 */
void fault_overrun(const struct task *task)
{
	struct scoreboard *board = task->team->board;
	const struct plan *plan = &board->request.plan;
	const uint32_t own = task->index;
	struct plan_node node, other;
	bool after = false, before = false;
	uint32_t from = own;
	size_t bytes = BLOCK;

	plan_node(plan, own, &node);
	if (own + 1 < board->slots) {
		plan_node(plan, own + 1, &other);
		after = other.level == node.level && other.parent == node.parent;
	}
	if (own > 0) {
		plan_node(plan, own - 1, &other);
		before = other.level == node.level && other.parent == node.parent;
	}
	if (before && !after)
		from = own - 1;
	if (after || before)
		bytes = 2 * BLOCK;
	atomic_store_explicit(&board->fault_ns, clock_now_ns(), memory_order_release);
	memset(task_block(task, from), 0xff, bytes);
	atomic_store_explicit(&board->faulted, 1, memory_order_release);
	scoreboard_wake(&board->faulted);
}

bool fault_spoiled(const struct task *task)
{
	const uint8_t mark = mark_of(task->index);

	if (!task->team->blocks || fault_is_of(task))
		return false;
	for (size_t i = 0; i < BLOCK; i++)
		if (task_block(task, task->index)[i] != mark)
			return true;
	return false;
}

void fault_await(const struct task *task)
{
	static const struct timespec patience = {.tv_nsec = 20000000};
	struct scoreboard *board = task->team->board;
	const enum fault_kind fault = board->request.fault;
	const uint64_t now = clock_now_ns();
	const uint64_t until = now + (now - task_slot(task)->work_ns) + AWAIT_NS;
	/* Each fault except a hang and an overrun ends the process in which it happens. */
	const bool ends = fault != FAULT_HANG && fault != FAULT_OVERRUN;

	while (fault != FAULT_NONE && !atomic_load(&board->stop) && !atomic_load(&board->failed) &&
	       clock_now_ns() < until) {
		if (atomic_load_explicit(&board->faulted, memory_order_acquire) &&
		    !(ends && board->slot[board->request.fault_slot].pid == task_slot(task)->pid))
			return;
		scoreboard_wait(&board->faulted, atomic_load(&board->faulted), &patience);
	}
}

/* The slot of this thread, for the signal handler, which gets no argument. */
static __thread struct worker_slot *current;

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

void crash_slot(struct worker_slot *slot)
{
	current = slot;
}

/*
 * Handles a fatal signal. The kernel has reset the handler, so after the handler returns, the fault
 * happens again and ends the process. A signal that was sent (si_code <= 0) does not happen again,
 * so the handler sends it once more.
 */
static void on_crash(int number, siginfo_t *info, void *context)
{
	/*
	 * A forked process has its parent's slot until it sets its own. Some processes never set
	 * one.
	 */
	if (current && current->pid == getpid()) {
		current->finish_ns = clock_now_ns();
		current->signal = number;
		if (info->si_code > 0)
			current->address = (uintptr_t)info->si_addr;
		atomic_store_explicit(&current->worker, WORKER_CRASHED, memory_order_release);
	}
	/*
	 * Turn core dumps off. RLIMIT_CORE 0 is not enough: a program that handles core dumps
	 * (systemd-coredump, apport) would still run in each trial, and the parent would wait for
	 * it. Do this here and not earlier, because the front end cannot read the memory of a
	 * process that is not dumpable.
	 */
	prctl(PR_SET_DUMPABLE, 0);
	if (info->si_code <= 0)
		raise(number);
}

/*
 * The handler runs on the worker's own stack, because a separate one would cost each worker a
 * system call and memory. The price: a worker whose stack overflows dies without a report in its
 * slot.
 */
int crash_install(void)
{
	struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_RESETHAND};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < LENGTH(fatal_signals); i++) {
		if (sigaction(fatal_signals[i], &action, NULL))
			return -errno;
	}
	return 0;
}
