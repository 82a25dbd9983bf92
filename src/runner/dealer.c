/* SPDX-License-Identifier: MIT */
#include "dealer.h"

#include "base/clock.h"
#include "gate.h"

/* What one worker has done, told at its end: the line of all is not touched in between. */
struct share {
	uint64_t done, numbers;
};

static void take(struct share *share, uint32_t number)
{
	share->done++;
	share->numbers += number;
}

static void tell(struct task *task, const struct share *share)
{
	struct board_tasks *tasks = &task->team->board->tasks;

	task_slot(task)->tasks = (uint32_t)share->done;
	atomic_fetch_add(&tasks->done, share->done);
	atomic_fetch_add(&tasks->numbers, share->numbers);
}

static bool next(struct scoreboard *board, uint32_t *number)
{
	if (gate_called_off(board))
		return false;
	*number = atomic_fetch_add_explicit(&board->tasks.next, 1, memory_order_relaxed);
	return *number < board->request.plan.tasks;
}

/* The clock is read once for each piece: the next one is taken when the last one is done. */
static int work_in_pool(struct task *task, const struct workload_ops *ops,
			const struct work_args *args, struct work_result *result,
			struct share *share)
{
	struct scoreboard *board = task->team->board;
	struct tally_sheet sheet = {.n = 0};
	uint64_t taken_ns = clock_now_ns(), done_ns;
	uint32_t number;
	int err = 0;

	while (!err && next(board, &number)) {
		err = ops->run(args, result);
		done_ns = clock_now_ns();
		if (!err)
			take(share, number);
		tally_note(&sheet, done_ns - taken_ns);
		taken_ns = done_ns;
	}
	tally_merge(&board->tally, &sheet);
	return err;
}

static int work_once(struct task *task, const struct workload_ops *ops,
		     const struct work_args *args, struct work_result *result, struct share *share)
{
	int err = ops->run(args, result);

	tally_add(&task->team->board->tally, clock_now_ns() - task_slot(task)->create_ns);
	if (!err)
		take(share, task->index);
	return err;
}

int dealer_work(struct task *task, enum work_kind kind, const struct work_args *args,
		struct work_result *result)
{
	const struct plan *plan = &task->team->board->request.plan;
	const struct workload_ops *ops = workload_get(kind);
	struct share share = {.done = 0};
	int err;

	if (plan->tasks == 0)
		return -ops->run(args, result);
	err = plan_is_pool(plan) ? work_in_pool(task, ops, args, result, &share)
				 : work_once(task, ops, args, result, &share);
	tell(task, &share);
	return -err;
}

bool dealer_check(struct scoreboard *board)
{
	const uint64_t tasks = board->request.plan.tasks;

	if (tasks == 0 || gate_called_off(board))
		return true;
	return atomic_load(&board->tasks.done) == tasks &&
	       atomic_load(&board->tasks.numbers) == tasks * (tasks - 1) / 2;
}
