/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<sys/rseq.h>) && __has_builtin(__builtin_thread_pointer)
#include <sys/rseq.h>
#define PRIMITIVE_RSEQ
#endif

#include "base/clock.h"

/* Size of the stack of the cloned task or the fiber. Neither makes deep calls. */
#define STACK_BYTES FIBER_STACK

/*
 * The current CPU, read without a function call, because in a new process each page of the C
 * library's code costs a page fault. The kernel keeps the value up to date (rseq(2)) if the C
 * library has registered the thread.
 */
static inline int own_cpu(void)
{
#ifdef PRIMITIVE_RSEQ
	const struct rseq *rseq =
		(const void *)((const char *)__builtin_thread_pointer() + __rseq_offset);

	if (__rseq_size > 0)
		return (int)*(const volatile uint32_t *)&rseq->cpu_id;
#endif
	return sched_getcpu();
}

/* Everything that a thread, or a process in its parent's memory, does. */
static void visit(struct worker_slot *slot, pid_t pid, int (*cpu)(void))
{
	int first;

	slot->start_ns = clock_now_ns();
	first = cpu();
	task_announce(slot, pid, gettid(), first);
	slot->work_ns = slot->start_ns;
	task_conclude(slot, cpu, NULL);
}

/* Creates nothing. The time between the two readings of the clock is the cost of reading it. */
static int call_nothing(struct task *task)
{
	return 0;
}

/* Records a task that begins and ends at created_ns, the second of the two readings. */
static int note_call(struct task *task)
{
	struct worker_slot *slot = task_slot(task);

	slot->start_ns = slot->work_ns = slot->finish_ns = slot->created_ns;
	slot->pid = slot->tid = task->team->pid;
	slot->cpu_first = slot->cpu_last = (int16_t)sched_getcpu();
	atomic_store_explicit(&slot->worker, WORKER_FINISHED, memory_order_release);
	return 0;
}

/*
 * The whole life of a process that does nothing. Each page that it touches costs a page fault of
 * about a microsecond, so it touches only pages that any program would: the clock and its slot. If
 * parent is not 0, the process dies with its parent. Measurements of creation pass 0.
 */
static _Noreturn void pass_through(struct worker_slot *slot, pid_t parent)
{
	slot->start_ns = slot->work_ns = clock_now_ns();
	slot->cpu_first = slot->cpu_last = (int16_t)own_cpu();
	if (parent)
		task_die_with(parent);
	slot->pid = slot->tid = getpid();
	atomic_store_explicit(&slot->worker, WORKER_STARTED, memory_order_release);
	slot->finish_ns = clock_now_ns();
	atomic_store_explicit(&slot->worker, WORKER_ENDED, memory_order_release);
	_exit(EXIT_SUCCESS);
}

/*
 * Creates a process with fork(). The child must not write to its parent's memory, because the first
 * write to a page would copy it.
 */
static int create_fork(struct task *task)
{
	const pid_t parent = task->team->primitive ? 0 : task->team->pid;
	struct worker_slot *slot = task_slot(task);
	pid_t pid = fork();

	if (pid == 0)
		pass_through(slot, parent);
	task->pid = pid;
	if (pid < 0)
		return errno;
	return 0;
}

/*
 * Joins a process that ran pass_through(). Its usage comes from wait4(2), because the process
 * itself would have page faults while reading it.
 */
static int join_fork(struct task *task)
{
	struct worker_slot *slot = task_slot(task);
	struct rusage usage;
	int error = task_join_process(task, &usage);

	if (error || slot->wait_status != 0)
		return error;
	clock_usage_add(&slot->usage, &usage);
	slot->delay_ns = -1;
	atomic_store_explicit(&slot->worker, WORKER_FINISHED, memory_order_release);
	return 0;
}

static int create_vfork(struct task *task)
{
	struct worker_slot *slot = task_slot(task);
	pid_t pid = vfork();

	if (pid == 0) {
		visit(slot, getpid(), task_current_cpu);
		_exit(EXIT_SUCCESS);
	}
	task->pid = pid;
	if (pid < 0)
		return errno;
	return 0;
}

static int join_vfork(struct task *task)
{
	return task_join_process(task, NULL);
}

static void *idle_thread_main(void *arg)
{
	const struct task *task = arg;

	visit(task_slot(task), task->team->pid, sched_getcpu);
	return NULL;
}

static int create_idle_thread(struct task *task)
{
	return pthread_create(&task->thread, task->team->attr, idle_thread_main, task);
}

static int join_idle_thread(struct task *task)
{
	return pthread_join(task->thread, NULL);
}

static int cloned_main(void *arg)
{
	const struct task *task = arg;

	visit(task_slot(task), task->team->pid, task_current_cpu);
	return 0;
}

/* Clones like pthread_create(3), but without thread-local storage. */
static int create_clone(struct task *task)
{
	const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND |
			  CLONE_THREAD | CLONE_CHILD_CLEARTID;
	struct primitive *primitive = task->team->primitive;

	atomic_store_explicit(&primitive->alive, 1, memory_order_relaxed);
	if (clone(cloned_main, (char *)primitive->stack + STACK_BYTES, flags, task, NULL, NULL,
		  &primitive->alive) < 0)
		return errno;
	return 0;
}

static int join_clone(struct task *task)
{
	_Atomic uint32_t *alive = &task->team->primitive->alive;

	while (atomic_load_explicit(alive, memory_order_acquire) != 0)
		scoreboard_wait(alive, 1, NULL);
	return 0;
}

/* The life of a fiber. The kernel does not know the fiber, only its thread. */
static void fiber_visit(void *arg)
{
	struct task *task = arg;
	struct primitive *primitive = task->team->primitive;
	struct worker_slot *slot = task_slot(task);

	slot->start_ns = slot->work_ns = clock_now_ns();
	fiber_switch(&primitive->fiber, &primitive->parent);
	slot->pid = slot->tid = task->team->pid;
	slot->cpu_first = slot->cpu_last = (int16_t)sched_getcpu();
	slot->finish_ns = clock_now_ns();
	atomic_store_explicit(&slot->worker, WORKER_FINISHED, memory_order_release);
	fiber_switch(&primitive->fiber, &primitive->parent);
}

/*
 * Creates a fiber, which runs immediately and then lets its parent continue. So the fiber has begun
 * when this function returns.
 */
static int create_fiber(struct task *task)
{
	struct primitive *primitive = task->team->primitive;
	int err = fiber_make(&primitive->fiber, primitive->stack, fiber_visit, task);

	if (!err)
		fiber_switch(&primitive->parent, &primitive->fiber);
	return -err;
}

static int join_fiber(struct task *task)
{
	struct primitive *primitive = task->team->primitive;

	fiber_switch(&primitive->parent, &primitive->fiber);
	return 0;
}

static char *const *arguments(const struct primitive *primitive, char *argv[3])
{
	argv[0] = (char *)primitive->program;
	argv[1] = (char *)primitive->report_fd;
	argv[2] = NULL;
	return argv;
}

static int create_spawn(struct task *task)
{
	const struct primitive *primitive = task->team->primitive;
	char *argv[3];

	return posix_spawn(&task->pid, primitive->program, NULL, NULL, arguments(primitive, argv),
			   environ);
}

/*
 * Turns the child into a program: tuibench-hello if creation is measured, otherwise the program of
 * --command.
 */
static _Noreturn void exec_program(struct task *task)
{
	const struct primitive *primitive = task->team->primitive;
	struct worker_slot *slot = task_slot(task);
	char *argv[3];

	if (!primitive)
		program_begin(task);
	execve(primitive->program, arguments(primitive, argv), environ);
	slot->error = errno;
	task_fail(task, STAGE_WORK, slot->error, primitive->program);
	visit(slot, getpid(), sched_getcpu);
	_exit(EXIT_SUCCESS);
}

static int create_fork_exec(struct task *task)
{
	task->pid = fork();
	if (task->pid == 0)
		exec_program(task);
	if (task->pid < 0)
		return errno;
	return 0;
}

/*
 * Creates a process with vfork(). The child uses its parent's stack. The parent continues once the
 * program has begun.
 */
static int create_vfork_exec(struct task *task)
{
	pid_t pid = vfork();

	if (pid == 0)
		exec_program(task);
	task->pid = pid;
	if (pid < 0)
		return errno;
	return 0;
}

/* Joins a program. After the program's end, its report has arrived or never will. */
static int join_program(struct task *task)
{
	struct worker_slot *slot = task_slot(task);
	struct hello_report report;
	int error = task_join_process(task, NULL);

	if (error || slot->wait_status != 0 || slot->error)
		return error;
	if (read(task->team->primitive->pipe[0], &report, sizeof(report)) != sizeof(report))
		return EPROTO;
	slot->start_ns = slot->work_ns = report.start_ns;
	slot->finish_ns = report.finish_ns;
	slot->pid = slot->tid = report.pid;
	slot->cpu_first = slot->cpu_last = (int16_t)report.cpu;
	slot->usage = report.usage;
	atomic_store_explicit(&slot->worker, WORKER_FINISHED, memory_order_release);
	return 0;
}

static const struct task_ops creations[PLAN_PRIMITIVES] = {
	[PLAN_CALL] = {.create = call_nothing, .join = note_call},
	[PLAN_FORK] = {.create = create_fork, .join = join_fork},
	[PLAN_PTHREAD] = {.create = create_idle_thread, .join = join_idle_thread},
	[PLAN_PTHREAD_COLD] = {.create = create_idle_thread, .join = join_idle_thread},
	[PLAN_VFORK] = {.create = create_vfork, .join = join_vfork},
	[PLAN_POSIX_SPAWN] = {.create = create_spawn, .join = join_program},
	[PLAN_FORK_EXEC] = {.create = create_fork_exec, .join = join_program},
	[PLAN_CLONE] = {.create = create_clone, .join = join_clone},
	[PLAN_VFORK_EXEC] = {.create = create_vfork_exec, .join = join_program},
	[PLAN_FIBER] = {.create = create_fiber, .join = join_fiber},
};

const struct task_ops *primitive_ops(enum plan_primitive primitive)
{
	if (creations[primitive].create)
		return &creations[primitive];
	return NULL;
}

static const struct task_ops primitive_programs[PLAN_PRIMITIVES] = {
	[PLAN_FORK_EXEC] = {.create = create_fork_exec, .join = program_join},
	[PLAN_VFORK_EXEC] = {.create = create_vfork_exec, .join = program_join},
	[PLAN_POSIX_SPAWN] = {.create = program_start, .join = program_join},
};

const struct task_ops *program_ops(const struct plan *plan)
{
	if (plan_starts_programs(plan))
		return &primitive_programs[plan->primitive];
	return NULL;
}

int primitive_open(struct primitive *primitive, enum plan_primitive kind, const char *program)
{
	*primitive = (struct primitive) {.program = program};
	/* The program inherits the write end of the pipe. */
	if (pipe2(primitive->pipe, O_NONBLOCK))
		return errno;
	fcntl(primitive->pipe[0], F_SETFD, FD_CLOEXEC);
	snprintf(primitive->report_fd, sizeof(primitive->report_fd), "%d", primitive->pipe[1]);
	/* Map no stack unless it is needed, because each fork would copy the mapping. */
	if (kind != PLAN_CLONE && kind != PLAN_FIBER)
		return 0;
	primitive->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (primitive->stack == MAP_FAILED)
		return errno;
	return 0;
}

void primitive_close(struct primitive *primitive)
{
	if (primitive->stack)
		munmap(primitive->stack, STACK_BYTES);
	close(primitive->pipe[0]);
	close(primitive->pipe[1]);
}
