/* SPDX-License-Identifier: MIT */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "core/command_words.h"
#include "core/hello_program.h"
#include "core/scoreboard.h"
#include "work/fiber.h"
#include "work/work_own.h"
#include "work/workload.h"

struct load;
struct plan_node;
struct primitive;
struct shared;

struct team {
	struct scoreboard *board;
	const pthread_attr_t *attr; /* Attributes of threads; NULL: the system's defaults. */
	pid_t pid;
	const struct shared *shared; /* Memory that all tasks share. */
	/*
	 * Output stream for workers that write; NULL: none write. Its buffer is empty at each fork,
	 * so no child writes its parent's lines again.
	 */
	FILE *out;
	struct primitive *primitive; /* State for a plan with a primitive; otherwise NULL. */
	/*
	 * For FAULT_OVERRUN: the tasks' blocks, side by side; otherwise NULL: see fault_blocks().
	 */
	uint8_t *blocks;
	struct load *load; /* Load for a plan that serves; otherwise NULL. */
};

struct task {
	struct team *team;
	uint32_t index;
	union {
		pthread_t thread;
		pid_t pid;
	};
	/* The accepted connection, if the server creates a task for each; otherwise -1. */
	int connection;
};

struct task_ops {
	int (*create)(struct task *task); /* A task's two operations. Both return 0 or an errno. */
	int (*join)(struct task *task);
};

static inline struct worker_slot *task_slot(const struct task *task)
{
	return &task->team->board->slot[task->index];
}

/*
 * Creates the task, and fills in the parent's part of its slot. Returns 0, or an errno, with which
 * the run ends.
 */
int task_create(const struct task_ops *ops, struct task *task);
void task_join(const struct task_ops *ops, struct task *task);
/*
 * Records on the board why the run failed. Only the first failure is recorded, because later ones
 * are often its consequences. Returns -error.
 */
int task_fail_run(struct scoreboard *board, enum board_stage stage, int error, uint32_t index,
		  const char *path);
void task_fail(const struct task *task, enum board_stage stage, int error, const char *path);
/*
 * Records the task's IDs. Call it after start_ns was taken, because system calls are needed to get
 * the IDs.
 */
void task_announce(struct worker_slot *slot, pid_t pid, pid_t tid, int cpu);
/*
 * Makes the kernel kill the calling worker when the thread that forked it ends. If the parent
 * process has already ended, getppid() differs from `parent`, and the worker ends here.
 */
void task_die_with(pid_t parent);
/*
 * The current CPU as the kernel reports it; -1: unknown. For tasks that run in their parent's
 * memory and were not created by the C library, as after vfork(2). In such a task, sched_getcpu()
 * would read the parent's rseq area and return the parent's CPU.
 */
int task_current_cpu(void);
struct task_watch {
	bool delay;	 /* Report how long the task waited for a core. */
	bool migrations; /* Report how often the task moved to another core. */
	bool counts;	 /* Report the task's counters, which are open. */
	struct counters counters;
	uint64_t bytes; /* Bytes of /proc read for the report. */
	bool waited;	/* The task has waited for a program, whose usage is in `child`. */
	struct rusage child;
};

/*
 * Ends a task's report: records the finish time first, then the usage, then the values that `watch`
 * asks for (NULL: none).
 */
void task_conclude(struct worker_slot *slot, int (*cpu)(void), struct task_watch *watch);
/*
 * Waits for the process, and stores its usage unless usage is NULL. Returns 0 or an errno. Reports
 * the death of a process as a failure, unless the requested fault or the runner ended the process.
 */
int task_join_process(struct task *task, struct rusage *usage);

/*
 * Creates the tasks of a scoreboard's plan, lets them work and joins them. Each parent creates its
 * children in order, then joins them backwards. A thread that forks outlives its children, because
 * the kernel sends their parent-death signal when that thread ends. If a task cannot be created, no
 * more are created, and existing tasks that have not begun to work end with ECANCELED. If a worker
 * process dies or its work fails, the others continue, unless they would wait for that worker.
 * Returns 0, or the -errno of the first failure. Call it once per process, from its main thread.
 * out: output stream of the process for workers that write, with an empty buffer, or NULL. shared:
 * memory that the workers of each kind share, or NULL. load: load of a server, or NULL.
 */
int spawner_run(struct scoreboard *board, const struct shared *shared, FILE *out,
		struct load *load);

/*
 * The barrier, at which leaves wait until all of them exist. Threads and processes both sleep on a
 * futex word of the board, so no leaf spins while others are created. No leaf waits forever,
 * because parents of processes check at intervals whether a child died before it arrived.
 */

bool barrier_used(const struct scoreboard *board);
/* Called by a leaf: reports that it has arrived, and sleeps while the barrier is closed. */
void barrier_pass(struct scoreboard *board);
/*
 * Called by the main thread once it has created its children. Sleeps until all leaves have arrived,
 * a child has died, or the run was cancelled. Holds the tasks until their memory was read, if the
 * request asks for that. Then sets go_ns and opens the barrier.
 */
void barrier_conduct(struct scoreboard *board);
/*
 * Called by every other parent of processes before it joins: ends the wait for the barrier if a
 * child dies early.
 */
void barrier_watch(struct scoreboard *board);
/*
 * Call it if a task could not be created: tasks that wait at the barrier end without working, and
 * no more tasks are created.
 */
void barrier_cancel(struct scoreboard *board);
/*
 * Whether the run was cancelled or stopped, so that no more tasks are created and no more work
 * begins.
 */
bool barrier_called_off(struct scoreboard *board);

/*
 * For workers that wait for one another. If one process dies, the others would wait for it forever,
 * because each of them holds the ends of all pipes. So their parent watches all its children, and
 * if one dies, kills the others.
 */

/*
 * Blocks SIGCHLD, so that await_end() can wait for the end of any child. Call it before the first
 * child is created.
 */
void await_begin(void);
/*
 * Returns when the last child, tasks[count - 1], has ended, without reaping it. tasks has count
 * children: the last one, and the ones that will be joined after it. If a child dies, kills the
 * others.
 */
void await_end(const struct task *tasks, uint32_t count);

bool fault_is_of(const struct task *task);
/*
 * Makes a file and a shared memory object and takes the run's lock, like a worker that fails in the
 * middle of its work. exit() removes the file and the object. Returns 0 or an errno.
 */
int fault_prepare(const struct task *task);
/*
 * For FAULT_OVERRUN. The runner fills a block for each task in one heap array before it creates
 * tasks. Threads share the array; each process has its own copy since the fork. The faulty worker
 * writes twice the length of its block, so it overwrites the block of its next sibling (the last
 * one overwrites the block before). Then it continues. At its end, each worker checks its block.
 */
/* Allocates the blocks, which exist until the process ends. Returns 0 or -ENOMEM. */
int fault_blocks(struct team *team);
void fault_overrun(const struct task *task);
/* Whether the content of the task's block has changed. */
bool fault_spoiled(const struct task *task);
/* Commits any fault except FAULT_OVERRUN. Sets board->fault_ns first. */
_Noreturn void fault_commit(const struct task *task);
/*
 * Lets no finished worker end before the fault, and lets workers that the fault will kill not end
 * at all, so the survivors do not depend on which worker was faster. The wait has a limit, in case
 * the fault never happens. Returns immediately in runs without a fault.
 */
void fault_await(const struct task *task);

/*
 * Reports in which worker a fatal signal occurred. The signal then has its default effect: with
 * threads it ends the whole runner, with processes one worker.
 */

/*
 * Installs the handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT. Forked processes inherit
 * them.
 */
int crash_install(void);
/* Sets the slot in which a crash of the calling thread is reported; NULL: none. */
void crash_slot(struct worker_slot *slot);

/*
 * Primitives: ways to create a task, measured without other work. The runner's main thread creates
 * one task at a time. The task only records when it ran; it lasts for microseconds and waits for
 * nothing, so it need not die with its parent. PLAN_FORK also creates the leaves of trees that do
 * nothing; these die with their parent.
 */

struct primitive {
	const char *program; /* The program that posix_spawn and exec start. */
	/* The program's argument: the descriptor for its struct hello_report. */
	char report_fd[12];
	int pipe[2];
	void *stack;		/* stack of the cloned task or the fiber; NULL: none */
	_Atomic uint32_t alive; /* A futex word that the kernel clears when the cloned task ends. */
	struct fiber fiber, parent; /* parent: context of the thread that creates the fiber. */
};

/* The operations of a primitive; NULL: the usual operations for the plan's kind of task. */
const struct task_ops *primitive_ops(enum plan_primitive primitive);
/*
 * Prepares a primitive. Returns 0, or an errno with which the runner ends. `program` must outlive
 * the primitive.
 */
int primitive_open(struct primitive *primitive, enum plan_primitive kind, const char *program);
void primitive_close(struct primitive *primitive);

/*
 * Workers that run the program of --command. A process becomes the program. A thread starts the
 * program (posix_spawn(3)) and waits for its end. If the plan has a primitive, the parent starts
 * the program directly, without another task.
 */

/* From now on, programs inherit only the three standard files, and no terminal. */
void program_detach(void);
/*
 * Starts the program at path, or found in PATH, with n words. The words follow one another in
 * memory, each with its NUL byte. Returns 0 or an errno. input: file for its standard input; "":
 * inherits the runner's.
 */
int program_spawn(pid_t *pid, const char *path, const char *words, uint32_t n, const char *input);
/* Redirects the standard output of all programs as the request says. Returns 0 or an errno. */
int program_output(const struct board_request *request);
/*
 * The work of a worker that runs a program. Does not return in a process that has become the
 * program.
 */
void program_run(struct task *task, const struct plan_node *node, struct task_watch *watch);
/* The child of fork(2) or vfork(2) that becomes a program, if the plan has a primitive. */
_Noreturn void program_begin(struct task *task);
int program_start(struct task *task);
/*
 * The operations that create and join the tasks of a plan that starts programs by a primitive; NULL
 * for any other plan.
 */
const struct task_ops *program_ops(const struct plan *plan);
/*
 * Joins a process of a plan with programs. Until that process has ended, reaps every other process
 * that ends, so that each end is recorded when it happens. Returns 0 or an errno.
 */
int program_join(struct task *task);
/*
 * Handles processes that programs left behind. Reaps the ended ones. With request.wait_all, waits
 * for the others, and the run ends with the last of them. Otherwise, waits for at most 1 % of the
 * run's time and counts the processes that still run. Call it after the last join.
 */
void program_settle(struct scoreboard *board);

/*
 * Creates a task for each piece of work, like a server without a pool. At most `most` tasks exist
 * at once. As soon as any task has ended and was joined, the next one is created.
 */

/*
 * Creates count tasks, beginning with number `first`. `tasks` has room for the `most` that exist at
 * once. Returns when all were joined. If creation fails or the run ends early, creates no more.
 */
void server_run(struct team *team, const struct task_ops *ops, struct task *tasks, uint32_t most,
		uint32_t first, uint32_t count);

/*
 * Hands out the pieces of work of a plan. The workers of a pool take the next piece themselves, as
 * the workers of a server accept themselves. A task that was created for a piece gets the piece
 * with its own number. Each worker adds the durations of its pieces to the tally. A duration begins
 * when the piece is taken or, for a task that was created for it, when the creation begins.
 */

/*
 * The work of one worker. In a plan that hands out work, takes pieces until none is left or the run
 * is cancelled; *result is that of the last piece. In other plans, does the worker's own work.
 * Returns 0 or an errno.
 */
int dealer_work(struct task *task, enum work_kind kind, const struct work_args *args,
		struct work_result *result);

/*
 * The memory that the workers of each kind share. It is separate from the scoreboard, which the
 * front end shares too. It is mapped before any worker exists and has no name, so nothing remains
 * of it.
 */
struct shared {
	void *at[WORK_KINDS]; /* NULL: the kind has no shared memory. */
	size_t bytes[WORK_KINDS];
	struct work_own *own; /* The loaded functions of --own. Each process has its own copy. */
	/*
	 * Descriptor of the one file that all workers of a kind use; 0: none. Servers read it. All
	 * io workers, or all write workers, write to it only as a deliberate mistake.
	 */
	int file[WORK_KINDS];
};

/*
 * Maps and touches the memory that the plan's kinds need, and makes the files that workers share.
 * Returns 0, or -errno with which the runner ends. Sets *path on an error: to the file that caused
 * it, or to NULL.
 */
int shared_open(struct shared *shared, const struct board_request *request, const char **path);
void shared_close(struct shared *shared);

/* The arguments that all workers of a kind have in common. shared may be NULL. */
struct work_args shared_args(const struct shared *shared, const struct board_request *request,
			     enum work_kind kind);

/*
 * Allocates and touches the parent's ballast. Forked processes share it until they write to it.
 * Returns 0 or an errno; *path is then a file that explains more, or NULL.
 */
int ballast_touch(struct scoreboard *board, const char **path);

/*
 * Makes the file that io workers copy, as long as their work, with content that neither compresses
 * nor repeats. The board shows the progress. Does nothing if the file is long enough, or is not
 * tuibench's own. Returns 0 or an errno (ENOSPC); then the file is empty.
 */
int io_file_make(struct scoreboard *board);

/*
 * Loads the shared object of --own, which stays loaded until the program ends. Returns 0, or
 * -EINVAL with a line in `error`: the problem and how to mend it, without the object's name.
 */
int own_load(const char *path, struct work_own *own, char *error, size_t size);
/*
 * If all workers must have the same result, compares their results. The first one that differs
 * fails the run. Call it after a run without failures. Returns 0 or -EILSEQ.
 */
int own_check(struct scoreboard *board, const struct work_own *own);
/*
 * Loads the object and writes its description, a struct own_about, to the descriptor. Returns the
 * exit status.
 */
int own_probe(const char *path, int fd);

/*
 * The output of hello workers, and the count of the lines that arrive there. The size of the
 * stream's buffer keeps lines whole: each flush writes whole lines, and one write(2) puts them into
 * a pipe or at the end of a file in one piece (PIPE_BUF, O_APPEND). If the output is a pipe, a new
 * runner process drains it. The drain is outside the runner's memory, workers and CPUs (-s pin),
 * and is reaped after the run's totals were taken.
 */

struct sink {
	FILE *out; /* The stream to which workers write; NULL: none. */
	char *buffer;
	pid_t drain;	   /* PID of the process that drains the pipe; 0: none. */
	int result_fd;	   /* descriptor with the drain's result */
	uint64_t drain_us; /* CPU time of the drain, set by sink_close(); UINT64_MAX: no drain. */
};

/* The lines that a reader has counted. */
struct sink_count {
	uint64_t lines, torn; /* torn: number of texts up to a newline that are no hello lines. */
	size_t at;	      /* Number of characters of the current line so far. */
	bool bad;	      /* The current line is not a hello line. */
};

/*
 * Opens the output. Returns 0 or -errno. Opens nothing if the plan has no hello workers. `program`
 * is the runner itself, which is started as the drain.
 */
int sink_open(struct sink *sink, const struct board_request *request, const char *program);
/*
 * Closes the stream and counts the lines that arrived. Both counts are UINT64_MAX if the lines
 * cannot be counted. Returns 0 or -errno.
 */
int sink_close(struct sink *sink, struct sink_count *count);

/* Whether all `said` lines arrived, each in one piece. True if nothing was counted. */
bool sink_is_whole(const struct sink_count *count, uint64_t said);

/* Counts the lines in the next piece of output; size 0: the end. */
void sink_count(struct sink_count *count, const char *text, size_t size);
/* Bytes kept of each line, including the NUL byte. */
enum { SINK_LINE = 256 };
/*
 * Reads standard input to its end. If name is given, writes to standard output the last line that
 * begins with the name and a blank.
 */
void sink_discard(const char *name);
/*
 * Runs the drain: counts the lines of standard input, and writes the count to standard output.
 * Returns 0 or -errno.
 */
int sink_drain(void);

/*
 * The load on a server: its listening sockets, and its clients. The clients are a new runner
 * process, outside the runner's memory and, if the machine has other CPUs, outside its CPUs. They
 * end when every request has been answered or has failed, at the latest after CLIENTS_MOST_NS. Then
 * the kernel sends SIGIO to the runner, whose handler shuts the listeners down, so that no worker
 * waits for another connection. This also happens if the clients crash.
 */

#define CLIENTS_MOST_NS UINT64_C(60000000000)

struct load {
	int *listeners; /* One for all workers, or one for each (SO_REUSEPORT). */
	uint32_t n;
	uint16_t port; /* The port, with TCP; 0: the listeners have none. */
	pid_t clients; /* PID of the clients; 0: none. */
	int go_fd;     /* Pipe on which the clients wait for a byte; -1: they have begun. */
	int report_fd; /* The clients write their report to this pipe; -1: none. */
};

/*
 * Opens the listeners and starts the clients. Returns 0 or -errno. Does nothing if the plan does
 * not serve. `program` is the runner itself.
 */
int load_open(struct load *load, const struct board_request *request, const char *program);
/*
 * Lets the clients begin or, if there are idle connections, lets them open these first. Call it
 * when the server can accept.
 */
void load_go(struct load *load, struct scoreboard *board);
/*
 * Waits until the server has accepted all idle connections, reads its memory, and lets the clients
 * begin. Ends the clients if that takes too long. Does nothing without idle connections.
 */
void load_settle(struct load *load, struct scoreboard *board);
/* The descriptor on which the worker accepts connections. */
int load_listener(const struct load *load, uint32_t worker);
/* Ends all waits for another connection. Async-signal-safe. */
void load_shut(const struct load *load);
/* Copies the clients' report to the board. Returns 0, or -errno if there is no report. */
int load_close(struct load *load, struct scoreboard *board);
/*
 * Runs the clients: reads the order from standard input, and writes the report. Returns 0 or
 * -errno.
 */
int clients_run(void);

/* The order, which the clients read from standard input, and the report, which they write. */
struct load_order {
	struct serving serving;
	uint64_t requests, seed;
	cpu_set_t server; /* the CPUs of the server; empty: all */
	uint32_t address_size;
	uint8_t address[128]; /* a struct sockaddr */
};

struct load_report {
	struct board_served served;
	struct tally_sheet sheet;
};

/*
 * How long the calling thread was runnable without a core, ns; -1 if the kernel does not report it.
 * Adds the bytes read from /proc to *bytes, because the kernel counts them as read by the model.
 */
int64_t usage_delay_ns(uint64_t *bytes);
/*
 * How often the calling thread moved to another core; -1 if unknown. Adds to *bytes like
 * usage_delay_ns().
 */
int64_t usage_migrations(uint64_t *bytes);

enum { USAGE_IO = 5 };

/* The resources that were used up to one reading. */
struct usage {
	struct clock_usage own;	   /* Usage of the calling process. */
	struct clock_usage reaped; /* Usage of the process's reaped children and of theirs. */
	/* rchar, wchar, read_bytes, write_bytes, cancelled_write_bytes; UINT64_MAX: unknown. */
	uint64_t io[USAGE_IO];
	/* Bytes of /proc that this reading itself reads and that rchar will include. */
	uint64_t read_here;
	uint64_t user_us, system_us; /* CPU time of the whole machine; UINT64_MAX: unknown. */
	/* Peak of the process's resident memory since usage_begin(); UINT64_MAX: unknown. */
	uint64_t peak_kb;
};

/*
 * Take the readings at the beginning and at the end of the measured part. The part does not include
 * the cost of the readings.
 */
void usage_begin(struct usage *usage);
void usage_end(struct usage *usage);
/*
 * The usage between two readings. Leaves out the cost of the first reading, and the bytes that
 * workers read to report on themselves. programs: counts only the usage of started programs,
 * because starting and reaping them is the runner's own work.
 */
void usage_totals(const struct usage *before, const struct usage *after, bool programs,
		  uint64_t report_bytes, struct board_totals *totals);
/*
 * The bytes written to disks since `before`; UINT64_MAX: unknown. Call it after all files were
 * closed: the kernel counts a page when it becomes dirty, and subtracts it again if its file is
 * removed before the page was written.
 */
uint64_t usage_disk_written(const struct usage *before);

/*
 * How a runner ends if the front end does not let it finish. No worker may outlive the front end,
 * whatever kills the front end. There are two mechanisms, because each may miss a task that is
 * being forked at that moment. A parent-death signal ends each task with its parent. A pipe that
 * hangs up makes the kernel kill the whole process group.
 */

/*
 * Resets signals as in a program that a shell starts: none blocked, all with their default action.
 * Discards a pending SIGTSTP.
 */
void lifeline_reset_signals(void);
/*
 * Ties the runner to the front end. Only the front end has the write end of the pipe life_fd, and
 * never writes to it. When the pipe closes, the runner's whole process group gets SIGKILL. Also
 * turns off core files, because some sessions crash on purpose. Returns 0 or -errno.
 */
int lifeline_hold(int life_fd);
/* Makes the runner and all its tasks the first tasks that the kernel kills if memory runs out. */
void lifeline_volunteer(void);
/*
 * Makes SIGTERM set the board's stop word and end the wait for the front end's go. Returns 0 or
 * -errno.
 */
int lifeline_stop_on_term(struct scoreboard *board);
/*
 * From now on, SIGTERM and the end of the clients end the waits for connections. Returns 0 or
 * -errno.
 */
int lifeline_serve(const struct load *load);

/*
 * A process that cleans up if the front end is killed. It exists during a run with a fault, a
 * cgroup, programs or --own. It removes the files and objects of the faulty worker. It ends all
 * processes in the run's cgroups or with the run's mark (base/mark.h), because neither killing the
 * process group nor a parent-death signal reaches a daemon. Then it removes the cgroups. Only the
 * front end has the other end of the pipe. If the front end itself removes the file or the object,
 * it clears the name on the board.
 */

/*
 * Waits until the pipe hangs up, then cleans up. Waits until the run's marked processes, its
 * cgroups (a list of directories, ended by NULL) and its process group are gone, up to 2 s for
 * each. Returns 0 or -errno.
 */
int tidy_after(int board_fd, int life_fd, pid_t group, const char *mark, char **cgroups);

/*
 * Executes one run, from the request to the totals: prepares it, sets BOARD_READY, waits for go,
 * runs the plan, and ends in BOARD_DONE or BOARD_FAILED. Call it once per process, from the main
 * thread.
 */
void runner_execute(struct scoreboard *board);
