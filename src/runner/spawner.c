/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/param.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

/*
 * Least stack size of threads that must not reuse a stack: the C library caches at most 40 MiB of
 * stacks of ended threads. Pages that are never touched take no memory.
 */
#define COLD_STACK (UINT64_C(64) << 20)

/*
 * Commits the fault. Most faults end or stop the worker here. Returns after an overrun, and if the
 * fault cannot be prepared, in which case the run fails.
 */
static void commit_fault(struct task *task, enum work_kind kind, const struct work_args *args)
{
	struct work_args part = *args;
	struct work_result result = {.value = 0};
	int error;

	/* Do the share of the work that comes before the fault. */
	part.size = MAX(args->size / 100 * task->team->board->request.fault_percent, 1);
	workload_get(kind)->run(&part, &result);
	if (task->team->board->request.fault == FAULT_OVERRUN) {
		fault_overrun(task);
		return;
	}
	error = fault_prepare(task);
	if (error)
		task_fail(task, STAGE_WORK, error,
			  *task->team->board->fault_file ? "/dev/shm" : args->tmp_dir);
	else
		fault_commit(task);
}

/* Does the work of a leaf. Stores its result and its measured values in the worker's slot. */
static void do_work(struct task *task, const struct plan_node *node,
		    const struct task_watch *watched)
{
	enum work_kind kind = (enum work_kind)node->work;
	struct scoreboard *board = task->team->board;
	struct work_args args = shared_args(task->team->shared, &board->request, kind);
	struct worker_slot *slot = task_slot(task);
	struct work_result result = {.value = 0};
	struct work_ticker ticker;

	args.out = task->team->out;
	args.tally = &board->tally;
	args.ballast = board->ballast_at;
	args.ballast_bytes = board->request.ballast;
	args.index = node->number;
	args.pid = slot->pid;
	args.tid = slot->tid;
	if (task->team->load) {
		args.listener = load_listener(task->team->load, node->number);
		args.connection = task->connection;
		if (board->request.serving.idle > 0)
			args.ready = &board->ready;
		args.slot = task->index;
		/*
		 * Mark requests, unless each has a worker of its own: then the worker's times are
		 * the request's.
		 */
		if (!plan_creates_each(&board->request.plan) || board->request.serving.kept > 1)
			args.marks = &board->marks;
	}
	if (watched->delay) {
		args.ticker = &ticker;
		work_tick_open(&ticker, scoreboard_slices(board, task->index),
			       board->request.slices, board->request.tick_ns,
			       board->request.marked);
	}
	slot->work_ns = clock_now_ns();
	atomic_store_explicit(&slot->worker, WORKER_WORKING, memory_order_release);
	if (watched->counts)
		counters_begin(&watched->counters);
	if (fault_is_of(task))
		commit_fault(task, kind, &args);
	slot->error = dealer_work(task, kind, &args, &result);
	if (args.ticker)
		work_tick_close(args.ticker);
	slot->result = result.value;
	slot->checked = result.checked;
	slot->steps = result.steps;
	atomic_fetch_add(&board->report_bytes, result.steps.report_bytes);
	if (slot->error) {
		task_fail(task, STAGE_WORK, slot->error, result.path);
		/*
		 * Threads that wait for a failed thread would wait forever, so end their process.
		 * If the workers are processes, their parent kills the waiting ones.
		 */
		if (node->task == PLAN_THREAD && workload_get(kind)->talks) {
			atomic_store_explicit(&board->state, BOARD_FAILED, memory_order_release);
			_exit(EXIT_FAILURE);
		}
	}
	fault_await(task);
	if (!slot->error && fault_spoiled(task))
		slot->error = EILSEQ;
}

static void run_leaf(struct task *task, const struct plan_node *node, struct task_watch *watch)
{
	struct scoreboard *board = task->team->board;
	const struct workload_ops *ops = workload_get((enum work_kind)node->work);
	int err;

	if (barrier_used(board))
		barrier_pass(board);
	if (barrier_called_off(board)) {
		task_slot(task)->error = ECANCELED;
		return;
	}
	/* Watch only work that checks its ticker in a loop, see struct workload_ops. */
	watch->delay = ops->ticks && board->request.slices > 0;
	watch->migrations = ops->ticks && board->request.migrations;
	watch->counts = ops->ticks && !ops->talks && board->request.counters != COUNTERS_NONE;
	/*
	 * Open the counters after the barrier. Opening them earlier could take the core of the
	 * parent, which still creates tasks.
	 */
	if (watch->counts) {
		err = counters_open(&watch->counters, board->request.counters);
		watch->counts = !err;
		task_slot(task)->count_error = -err;
	}
	if (node->work == WORK_PROGRAM)
		program_run(task, node, watch);
	else
		do_work(task, node, watch);
}

/* Writes the lines that the workers of a process have left in its stream. */
static void flush_output(const struct team *team, uint32_t index)
{
	if (team->out && fflush(team->out))
		task_fail_run(team->board, STAGE_WORK, errno, index, NULL);
}

static void run_children(struct team *team, uint32_t level, uint32_t first, uint32_t count);

static void perform(struct task *task)
{
	struct task_watch watch = {.counts = false};
	struct plan_node node;

	plan_node(&task->team->board->request.plan, task->index, &node);
	if (node.children > 0)
		run_children(task->team, node.level + 1, node.first_child, node.children);
	else
		run_leaf(task, &node, &watch);
	/* Threads leave the flush to their process, which ends after all its threads. */
	if (node.task == PLAN_PROCESS)
		flush_output(task->team, task->index);
	task_conclude(task_slot(task), sched_getcpu, &watch);
	atomic_fetch_add(&task->team->board->report_bytes, watch.bytes);
	if (watch.counts)
		counters_close(&watch.counters);
}

static void *thread_main(void *arg)
{
	struct task *task = arg;
	struct scoreboard *board = task->team->board;
	int cpu;

	task_slot(task)->start_ns = clock_now_ns();
	cpu = sched_getcpu();
	task_announce(task_slot(task), task->team->pid, gettid(), cpu);
	perform(task);
	if (plan_creates_each(&board->request.plan)) {
		atomic_fetch_add(&board->tasks.ended, 1);
		scoreboard_wake(&board->tasks.ended);
	}
	return NULL;
}

static int create_thread(struct task *task)
{
	return pthread_create(&task->thread, task->team->attr, thread_main, task);
}

/* A user's own work may end its thread without returning, as pthread_exit(3) does. */
static int join_thread(struct task *task)
{
	const struct worker_slot *slot = task_slot(task);
	int error = pthread_join(task->thread, NULL);

	if (!error && atomic_load(&slot->worker) < WORKER_FINISHED &&
	    atomic_load(&task->team->board->fault_ns) == 0)
		task_fail(task, STAGE_WORK, EOWNERDEAD, NULL);
	return error;
}

static _Noreturn void process_main(const struct task *created)
{
	struct team team = *created->team;
	struct task task = {
		.team = &team, .index = created->index, .connection = created->connection};
	int cpu;

	task_slot(&task)->start_ns = clock_now_ns();
	/*
	 * Read the CPU before any system call, because a call may move the process to another CPU.
	 */
	cpu = sched_getcpu();
	task_die_with(team.pid);
	team.pid = getpid();
	task_announce(task_slot(&task), team.pid, team.pid, cpu);
	perform(&task);
	_exit(EXIT_SUCCESS);
}

static int create_process(struct task *task)
{
	pid_t pid = fork();

	/* The child must not write to the task, because that would copy the parent's page. */
	if (pid == 0)
		process_main(task);
	task->pid = pid;
	if (pid < 0)
		return errno;
	return 0;
}

/* Joins a worker process. A worker whose work calls exit(0) counts as dead too. */
static int join_process(struct task *task)
{
	struct worker_slot *slot = task_slot(task);
	int error;

	if (task->team->board->request.plan.leaves[WORK_PROGRAM] > 0)
		return program_join(task);
	error = task_join_process(task, NULL);
	if (!error && slot->wait_status == 0 && atomic_load(&slot->worker) < WORKER_FINISHED)
		task_fail(task, STAGE_WORK, EOWNERDEAD, NULL);
	return error;
}

static const struct task_ops task_ops[] = {
	[PLAN_THREAD] = {.create = create_thread, .join = join_thread},
	[PLAN_PROCESS] = {.create = create_process, .join = join_process},
};

/*
 * Usually returns task_ops. Returns other operations if the plan runs programs or measures a way of
 * creation, or if its processes neither wait nor work, so that a plain fork is enough for them.
 */
static const struct task_ops *ops_of(const struct team *team, uint32_t level)
{
	const struct plan *plan = &team->board->request.plan;
	const struct task_ops *ops = program_ops(plan);
	/* Whether the level has leaves that neither wait nor work, as in most trees. */
	bool end_at_once = level + 1 == plan->levels && !barrier_used(team->board) &&
			   plan->tasks == 0 && team->board->request.fault == FAULT_NONE;

	for (int kind = WORK_NULL + 1; kind < WORK_KINDS; kind++)
		end_at_once &= plan->leaves[kind] == 0;
	if (!ops && plan->task[level] == PLAN_PROCESS && end_at_once &&
	    plan->primitive == PLAN_PLAIN)
		ops = primitive_ops(PLAN_FORK);
	if (!ops)
		ops = primitive_ops((enum plan_primitive)plan->primitive);
	if (ops)
		return ops;
	return &task_ops[plan->task[level]];
}

/* Whether the plan has workers that wait for one another while they work. */
static bool has_talking_work(const struct plan *plan)
{
	for (int kind = 0; kind < WORK_KINDS; kind++)
		if (plan->leaves[kind] > 0 && workload_get((enum work_kind)kind)->talks)
			return true;
	return false;
}

/*
 * Creates the tasks of a level, `batch` at a time, and joins each batch before it creates the next
 * one.
 */
static void run_batches(struct team *team, uint32_t level, struct task *tasks, uint32_t first,
			uint32_t count, uint32_t batch)
{
	const struct plan *plan = &team->board->request.plan;
	const struct task_ops *ops = ops_of(team, level);
	uint32_t done, wanted, made;
	bool watched = false;

	if (plan_creates_each(plan)) {
		server_run(team, ops, tasks, batch, first, count);
		return;
	}
	/* If a process dies, others may wait for it forever: see await_end(). */
	if (plan->task[level] == PLAN_PROCESS)
		watched = has_talking_work(plan);
	if (watched)
		await_begin();
	for (done = 0; done < count; done += wanted) {
		wanted = MIN(count - done, batch);
		/* Stop early if a task cannot be created or the run is cancelled. */
		for (made = 0; made < wanted; made++) {
			if (barrier_called_off(team->board))
				break;
			tasks[made].team = team;
			tasks[made].index = first + done + made;
			tasks[made].connection = -1;
			if (team->board->request.plan.placement == PLAN_IDLE) {
				/*
				 * Wait busily, so that this core stays awake and only the task's
				 * core has to wake up.
				 */
				const uint64_t until = clock_now_ns() + PLAN_IDLE_NS;

				while (clock_now_ns() < until)
					;
			}
			if (task_create(ops, &tasks[made]))
				break;
		}
		/* The main thread opens the barrier. Other parents of processes watch it. */
		if (barrier_used(team->board) && level == 0) {
			barrier_conduct(team->board);
			if (team->load) {
				load_go(team->load, team->board);
				load_settle(team->load, team->board);
			}
		} else if (barrier_used(team->board) && plan->task[level] == PLAN_PROCESS)
			barrier_watch(team->board);
		for (; made > 0; made--) {
			if (watched)
				await_end(tasks, made);
			task_join(ops, &tasks[made - 1]);
		}
	}
}

/*
 * Creates tasks first to first + count - 1 of the level and joins them, all at once or in batches.
 */
static void run_children(struct team *team, uint32_t level, uint32_t first, uint32_t count)
{
	const struct board_request *request = &team->board->request;
	uint32_t batch = request->plan.batch;
	struct task task, *tasks;

	if (batch == 0 || batch > count)
		batch = count;
	/*
	 * A single task struct is on the stack, so that after a fork no other page of the parent is
	 * copied.
	 */
	if (batch > 1)
		tasks = malloc(batch * sizeof(*tasks));
	else
		tasks = &task;
	if (!tasks) {
		task_fail_run(team->board, STAGE_CREATE, ENOMEM, first, NULL);
		barrier_cancel(team->board);
		return;
	}
	/*
	 * The threads share the file table of their process, so make room for the counters of all
	 * of them.
	 */
	if (request->counters != COUNTERS_NONE && request->plan.task[level] == PLAN_THREAD)
		counters_reserve(batch);
	run_batches(team, level, tasks, first, count, batch);
	if (tasks != &task)
		free(tasks);
}

static int check_plan(const struct scoreboard *board, const FILE *out)
{
	const struct plan *plan = &board->request.plan;

	if (plan_count(plan) != board->slots || (barrier_used(board) && plan->batch > 0))
		return EINVAL;
	if (plan->primitive != PLAN_PLAIN && !plan_is_creation(plan) && !plan_starts_programs(plan))
		return EINVAL;
	if (plan->leaves[WORK_HELLO] > 0 && !out)
		return EINVAL;
	return 0;
}

int spawner_run(struct scoreboard *board, const struct shared *shared, FILE *out, struct load *load)
{
	const struct board_request *request = &board->request;
	struct team team = {
		.board = board, .pid = getpid(), .shared = shared, .out = out, .load = load};
	uint64_t stack =
		request->stack_size; /* stack size of threads, bytes; 0: the system's default */
	struct primitive primitive;
	pthread_attr_t attr;
	int error = check_plan(board, out);

	/*
	 * The first call makes the dynamic linker look up getppid(). Make it here, so that the
	 * children need not.
	 */
	(void)getppid();
	if (!error)
		error = fault_blocks(&team);
	if (!error && plan_is_creation(&request->plan)) {
		error = primitive_open(&primitive, (enum plan_primitive)request->plan.primitive,
				       request->hello_path);
		if (error)
			team.primitive = NULL;
		else
			team.primitive = &primitive;
	}
	/* Set the stack size before the first thread, so that a refused size fails early. */
	if (request->plan.primitive == PLAN_PTHREAD_COLD)
		stack = MAX(stack, COLD_STACK);
	if (!error && stack > 0) {
		error = pthread_attr_init(&attr);
		if (error)
			team.attr = NULL;
		else
			team.attr = &attr;
	}
	if (team.attr)
		error = pthread_attr_setstacksize(&attr, stack);
	if (!error) {
		board->begin_ns = clock_now_ns();
		atomic_store_explicit(&board->state, BOARD_CREATING, memory_order_release);
		run_children(&team, 0, 0, request->plan.fanout[0]);
		flush_output(&team, PLAN_ROOT);
		board->end_ns = clock_now_ns();
		if (plan_runs_others(&request->plan))
			program_settle(board);
	}
	if (team.attr)
		pthread_attr_destroy(&attr);
	if (team.primitive)
		primitive_close(&primitive);
	free(team.blocks);
	if (error)
		task_fail_run(board, STAGE_SETUP, error, PLAN_ROOT, NULL);
	return -board->failure_errno;
}
