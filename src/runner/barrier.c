/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

/*
 * Time between two checks for dead children. SIGCHLD is not enough, because the kernel may merge
 * two of these signals into one.
 */
static const struct timespec barrier_patience = {.tv_nsec = 50000000};

bool barrier_used(const struct scoreboard *board)
{
	return board->request.plan.barrier || board->request.plan.all_alive;
}

static uint32_t barrier_state(struct scoreboard *board)
{
	return atomic_load_explicit(&board->barrier, memory_order_acquire);
}

bool barrier_called_off(struct scoreboard *board)
{
	return barrier_state(board) == BARRIER_CANCELLED ||
	       atomic_load_explicit(&board->stop, memory_order_relaxed) != 0;
}

void barrier_pass(struct scoreboard *board)
{
	uint32_t leaves = plan_leaves(&board->request.plan);

	/*
	 * Only the last worker to arrive wakes the main thread, so one system call is enough for
	 * all workers.
	 */
	if (atomic_fetch_add_explicit(&board->arrived, 1, memory_order_acq_rel) + 1 == leaves)
		scoreboard_wake(&board->arrived);
	while (barrier_state(board) == BARRIER_CLOSED)
		scoreboard_wait(&board->barrier, BARRIER_CLOSED, NULL);
}

/*
 * Makes the main thread stop waiting: stores the full count. A plain store is enough, because
 * workers that still arrive only raise the count further.
 */
static void stop_waiting(struct scoreboard *board)
{
	atomic_store_explicit(&board->arrived, plan_leaves(&board->request.plan),
			      memory_order_release);
	scoreboard_wake(&board->arrived);
}

/* Whether a child has died. Leaves it to the waitpid() of its parent. */
static bool child_died(void)
{
	siginfo_t info = {.si_pid = 0};

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

void barrier_conduct(struct scoreboard *board)
{
	const uint32_t leaves = plan_leaves(&board->request.plan);
	const uint64_t wake = 1;
	uint32_t closed = BARRIER_CLOSED, next = BARRIER_CANCELLED, seen;
	uint64_t until_ns;

	while (!barrier_called_off(board)) {
		seen = atomic_load_explicit(&board->arrived, memory_order_acquire);
		if (seen >= leaves ||
		    (scoreboard_wait(&board->arrived, seen, &barrier_patience) == -ETIMEDOUT &&
		     child_died()))
			break;
	}
	/*
	 * All tasks are held here, so the front end can read their memory without disturbing them.
	 */
	if (board->request.hold_ms > 0 && !barrier_called_off(board)) {
		board->hold_ns = clock_now_ns();
		until_ns = board->hold_ns + board->request.hold_ms * UINT64_C(1000000);
		atomic_store_explicit(&board->state, BOARD_HOLDING, memory_order_release);
		/*
		 * Without this descriptor, the front end would notice the hold only at its next
		 * tick.
		 */
		if (board->request.hold_fd > 0)
			(void)!write(board->request.hold_fd, &wake, sizeof(wake));
		while (atomic_load_explicit(&board->hold_over, memory_order_acquire) == 0 &&
		       !barrier_called_off(board) && clock_now_ns() < until_ns)
			scoreboard_wait(&board->hold_over, 0, &barrier_patience);
	}
	if (!barrier_called_off(board)) {
		next = BARRIER_OPEN;
		board->go_ns = clock_now_ns();
		atomic_store_explicit(&board->state, BOARD_RUNNING, memory_order_release);
	}
	/*
	 * Compare and exchange, because a plain store would overwrite a cancellation that comes at
	 * this moment.
	 */
	atomic_compare_exchange_strong(&board->barrier, &closed, next);
	scoreboard_wake(&board->barrier);
}

void barrier_watch(struct scoreboard *board)
{
	while (barrier_state(board) == BARRIER_CLOSED) {
		if (scoreboard_wait(&board->barrier, BARRIER_CLOSED, &barrier_patience) ==
			    -ETIMEDOUT &&
		    child_died()) {
			stop_waiting(board);
			return;
		}
	}
}

void barrier_cancel(struct scoreboard *board)
{
	atomic_store_explicit(&board->barrier, BARRIER_CANCELLED, memory_order_release);
	scoreboard_wake(&board->barrier);
	stop_waiting(board);
}

static sigset_t child_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	return set;
}

void await_begin(void)
{
	const sigset_t set = child_signals();

	sigprocmask(SIG_BLOCK, &set, NULL);
}

enum { GOES_ON, HAS_ENDED, HAS_DIED };

/* Checks a child without reaping it, because its join will call waitpid(). */
static int look_at_child(const struct task *task)
{
	siginfo_t info = {.si_pid = 0};

	if (waitid(P_PID, (id_t)task->pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid == 0)
		return GOES_ON;
	if (info.si_code == CLD_EXITED && info.si_status == 0)
		return HAS_ENDED;
	return HAS_DIED;
}

static bool has_dead_child(const struct task *tasks, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (look_at_child(&tasks[i]) == HAS_DIED)
			return true;
	return false;
}

/*
 * Kills the other children, which would wait for the dead one forever. Marks them as `ended`, so
 * that their deaths are not failures of the run.
 */
static void kill_children(const struct task *tasks, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (look_at_child(&tasks[i]) != GOES_ON)
			continue;
		task_slot(&tasks[i])->ended = 1;
		kill(tasks[i].pid, SIGKILL);
	}
}

void await_end(const struct task *tasks, uint32_t count)
{
	const sigset_t set = child_signals();

	while (look_at_child(&tasks[count - 1]) == GOES_ON) {
		/*
		 * has_dead_child() misses a living child that has failed, and a dead one that was
		 * already reaped.
		 */
		bool died = atomic_load(&tasks->team->board->failed);

		if (died || has_dead_child(tasks, count))
			kill_children(tasks, count);
		sigtimedwait(&set, NULL, &barrier_patience);
	}
}
