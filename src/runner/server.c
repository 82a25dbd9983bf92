/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "work/connection.h"

/* Waits for a thread to end. Returns its index in tasks. */
static uint32_t await_thread(struct scoreboard *board, const struct task *tasks, uint32_t most)
{
	for (;;) {
		const uint32_t ended = atomic_load(&board->tasks.ended);

		for (uint32_t place = 0; place < most; place++)
			if (tasks[place].team &&
			    atomic_load_explicit(&task_slot(&tasks[place])->worker,
						 memory_order_acquire) == WORKER_FINISHED)
				return place;
		scoreboard_wait(&board->tasks.ended, ended, NULL);
	}
}

/*
 * Waits for a process to end, without reaping it. Returns its index in tasks; the last index for a
 * process that is no task.
 */
static uint32_t await_process(const struct task *tasks, uint32_t most)
{
	siginfo_t info;
	uint32_t place;

	while (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) && errno == EINTR)
		;
	for (place = 0; place + 1 < most; place++)
		if (tasks[place].team && tasks[place].pid == info.si_pid)
			break;
	return place;
}

static void join_any(struct team *team, const struct task_ops *ops, struct task *tasks,
		     uint32_t most)
{
	uint32_t place;

	if (team->board->request.plan.task[0] == PLAN_THREAD)
		place = await_thread(team->board, tasks, most);
	else
		place = await_process(tasks, most);
	task_join(ops, &tasks[place]);
	tasks[place].team = NULL;
}

void server_run(struct team *team, const struct task_ops *ops, struct task *tasks, uint32_t most,
		uint32_t first, uint32_t count)
{
	const struct plan *plan = &team->board->request.plan;
	const struct load *load = team->load;
	uint32_t alive = 0;

	/* In an unused entry, `team` is NULL. */
	for (uint32_t i = 0; i < most; i++)
		tasks[i] = (struct task) {.team = NULL};
	if (load)
		load_go(team->load, team->board);
	for (uint32_t i = 0; i < count; i++) {
		struct task *task = tasks;
		int connection = -1;

		if (barrier_called_off(team->board))
			break;
		if (load) {
			connection = connection_accept(load_listener(load, 0), 0);
			if (connection == -ESHUTDOWN)
				break;
			if (connection < 0) {
				task_fail_run(team->board, STAGE_WORK, -connection, PLAN_ROOT,
					      "accept");
				break;
			}
		}
		if (alive == most) {
			join_any(team, ops, tasks, most);
			alive--;
		}
		while (task->team)
			task++;
		*task = (struct task) {.team = team, .index = first + i, .connection = connection};
		if (task_create(ops, task)) {
			task->team = NULL;
			if (connection >= 0)
				close(connection);
			break;
		}
		/* Close the descriptor here: the new process has its own copy. */
		if (connection >= 0 && plan->task[0] == PLAN_PROCESS)
			close(connection);
		alive++;
		/* The clients open their idle connections first, and this was the last of these. */
		if (load && i + 1 == team->board->request.serving.idle)
			load_settle(team->load, team->board);
	}
	/*
	 * Join the tasks one after another, because join_any() could mistake the process of the
	 * clients for a task.
	 */
	if (load)
		for (uint32_t i = 0; i < most; i++) {
			if (!tasks[i].team)
				continue;
			task_join(ops, &tasks[i]);
			alive--;
		}
	for (; alive > 0; alive--)
		join_any(team, ops, tasks, most);
}

/*
 * Does pieces until none are left. Not inlined, because its tally sheet takes more than 4 KiB of
 * the stack, which other workers do not need.
 */
__attribute__((noinline)) static int
take_pieces(struct scoreboard *board, const struct workload_ops *ops, const struct work_args *args,
	    struct work_result *result, uint64_t *done, uint64_t *numbers)
{
	struct tally_sheet sheet = {.n = 0};
	uint64_t taken_ns = clock_now_ns(), done_ns;
	int err = 0;

	while (!err && !barrier_called_off(board)) {
		uint32_t number =
			atomic_fetch_add_explicit(&board->tasks.next, 1, memory_order_relaxed);

		if (number >= board->request.plan.tasks)
			break;
		err = ops->run(args, result);
		if (!err) {
			*done += 1;
			*numbers += number;
		}
		/*
		 * Read the clock once for each piece, because a piece begins when the previous one
		 * is done.
		 */
		done_ns = clock_now_ns();
		tally_note(&sheet, done_ns - taken_ns);
		taken_ns = done_ns;
	}
	tally_merge(&board->tally, &sheet);
	return err;
}

int dealer_work(struct task *task, enum work_kind kind, const struct work_args *args,
		struct work_result *result)
{
	struct scoreboard *board = task->team->board;
	const struct plan *plan = &board->request.plan;
	const struct workload_ops *ops = workload_get(kind);
	uint64_t done = 0, numbers = 0;
	int err;

	if (plan->tasks == 0)
		return -ops->run(args, result);
	if (plan_serves(plan)) {
		err = ops->run(args, result);
		task_slot(task)->tasks = (uint32_t)result->value;
		return -err;
	}
	if (plan_is_pool(plan)) {
		err = take_pieces(board, ops, args, result, &done, &numbers);
	} else {
		err = ops->run(args, result);
		tally_add(&board->tally, clock_now_ns() - task_slot(task)->create_ns);
		done = !err;
		if (err)
			numbers = 0;
		else
			numbers = task->index;
	}
	/*
	 * Add the counts only at the worker's end, so that workers touch no shared cache line while
	 * they work.
	 */
	task_slot(task)->tasks = (uint32_t)done;
	atomic_fetch_add(&board->tasks.done, done);
	atomic_fetch_add(&board->tasks.numbers, numbers);
	return -err;
}
