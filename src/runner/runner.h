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
	const struct shared *shared; /* The same memory in all tasks. */
	/*
	 * Output stream for workers that write; NULL: none write. It is empty when a process is
	 * created, so each process has its own copy.
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
	int (*create)(struct task *task); /* Both return 0 or an errno. */
	int (*join)(struct task *task);
};

struct worker_slot *task_slot(const struct task *task);
/*
 * Creates the task, and fills in the parent's line of its slot. Returns 0, or an errno, which ends
 * the run.
 */
int task_create(const struct task_ops *ops, struct task *task);
void task_join(const struct task_ops *ops, struct task *task);
/*
 * Records on the board why the run failed. Only the first failure is kept, because later ones are
 * often its consequences. Returns -error.
 */
int runner_fail(struct scoreboard *board, enum board_stage stage, int error, uint32_t index,
		const char *path);
void task_fail(const struct task *task, enum board_stage stage, int error, const char *path);
/*
 * Records the task's ids. Call it after start_ns was taken, because getting the ids costs system
 * calls.
 */
void task_announce(struct worker_slot *slot, pid_t pid, pid_t tid, int cpu);
/*
 * Makes the kernel kill the calling worker when the thread that forked it ends. If that thread has
 * already ended, getppid() is another process, and the worker ends here.
 */
void task_die_with(pid_t parent);
/*
 * The current CPU as the kernel reports it; -1: unknown. sched_getcpu() is wrong for a task in its
 * parent's memory, as after vfork(2), that the C library did not create: it has no CPU cache of its
 * own, so the parent's CPU would be returned.
 */
int task_current_cpu(void);
struct task_watch {
	bool delay;	 /* Report how long it waited for a core. */
	bool migrations; /* Report how often it moved to another core. */
	bool counts;	 /* Report its counters, which are open. */
	struct counters counters;
	uint64_t bytes; /* Bytes of /proc read for the report. */
	bool waited;	/* It has waited for a program, whose usage is in `child`. */
	struct rusage child;
};

/* Takes the finish time first, then the usage. watch NULL: reports nothing else. */
void task_conclude(struct worker_slot *slot, int (*cpu)(void), struct task_watch *watch);
/*
 * Waits for the process, and stores its usage unless usage is NULL. Returns 0 or an errno. Reports
 * a process that died.
 */
int task_join_process(struct task *task, struct rusage *usage);

/*
 * Creates the tasks of a scoreboard's plan, lets them work and joins them. Each parent creates its
 * children in order, then joins them backwards. A process forks only from a thread that outlives
 * its children, because a parent-death signal depends on the thread that forked. If a task cannot
 * be created, no more are created, and existing tasks that have not begun to work leave with
 * ECANCELED. If a worker process dies or its work fails, the others continue. Returns 0, or the
 * -errno of the first failure. Call it once per process, from its main thread. out: empty output
 * stream of the process for workers that write, or NULL. shared: memory that the workers of each
 * kind share, or NULL. load: load of a server, or NULL.
 */
int spawner_run(struct scoreboard *board, const struct shared *shared, FILE *out,
		struct load *load);

/*
 * The barrier, at which leaves wait until all of them exist. Threads and processes both sleep on a
 * futex word of the board, so no leaf spins while others are created. No leaf waits for ever,
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
 * Called if a task could not be created: waiting tasks leave without working, and no more are
 * created.
 */
void barrier_cancel(struct scoreboard *board);
/*
 * Whether the run was cancelled or stopped, so that no more tasks are created and no more work
 * begins.
 */
bool barrier_called_off(struct scoreboard *board);

/*
 * For workers that wait for one another. If one process dies, the others would wait for it for
 * ever, because each of them holds the ends of all pipes. So their parent watches all of its
 * children at once, and kills the remaining ones.
 */

/*
 * Call it before the first child is created. A child's end is then noticed together with those of
 * the others.
 */
void await_begin(void);
/*
 * Returns when the last child, tasks[count - 1], has ended, without reaping it. tasks has count
 * children: this one and those that will be joined after it. If one of them has died, the others
 * are killed.
 */
void await_end(const struct task *tasks, uint32_t count);

bool fault_is_of(const struct task *task);
/*
 * Makes a file and a shared memory object and takes the run's lock, like a worker that fails in the
 * middle of its work. exit() removes the first two. Returns 0 or an errno.
 */
int fault_prepare(const struct task *task);
/*
 * FAULT_OVERRUN. Each task has a block in one heap array of the process that created all tasks; the
 * task fills its block. Threads share the array; a process has its own copy since the fork. The
 * faulty worker writes twice the length of its block, and so overwrites the block of its next
 * sibling (the last one overwrites the block before), and continues. At its end, each worker checks
 * its block.
 */
/* Returns 0 or -ENOMEM. The blocks exist until the process ends. */
int fault_blocks(struct team *team);
void fault_overrun(const struct task *task);
/* Whether the task's block holds something that the task did not write. */
bool fault_spoiled(const struct task *task);
/* Commits any other fault. Sets board->fault_ns first. */
_Noreturn void fault_commit(const struct task *task);
/*
 * Keeps finished workers from ending before the fault, and workers that the fault will kill from
 * ending at all. So the survivors do not depend on which worker was faster. The wait is bounded, in
 * case the fault never happens. Returns at once in runs without a fault.
 */
void fault_await(const struct task *task);

/*
 * Reports which worker a fatal signal hit. The signal then has its default effect: with threads it
 * ends the whole runner, with processes one worker.
 */

/*
 * Installs the handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT. Forked processes inherit
 * them.
 */
int crash_install(void);
/* Sets the slot that a crash of the calling thread is reported in; NULL: none. */
void crash_slot(struct worker_slot *slot);

/*
 * The ways to create a task that are measured by themselves. The runner's main thread creates one
 * task at a time. The task only records when it ran. It lasts for microseconds and waits for
 * nothing, so it is not tied to its parent. PLAN_FORK also creates leaves of a tree that do
 * nothing; there they are tied to their parent.
 */

struct primitive {
	const char *program; /* The program that posix_spawn and exec start. */
	/* The program's argument: the descriptor for its struct hello_report. */
	char report_fd[12];
	int pipe[2];
	void *stack;		/* stack of the cloned task or the fiber; else NULL */
	_Atomic uint32_t alive; /* A futex word that the kernel clears when the cloned task ends. */
	struct fiber fiber, parent; /* parent: context of the thread that creates the fiber. */
};

/* NULL: the usual operations for the plan's kind of task. */
const struct task_ops *primitive_ops(enum plan_primitive primitive);
/* Returns 0, or an errno with which the runner ends. `program` must outlive the primitive. */
int primitive_open(struct primitive *primitive, enum plan_primitive kind, const char *program);
void primitive_close(struct primitive *primitive);

/*
 * Workers that run the program of --command. A process becomes the program. A thread starts it
 * (posix_spawn(3)) and waits for its end. Or, if the plan has a primitive, its parent starts it
 * directly, and there is no other task.
 */

/* Programs that are executed from here on get only the three standard files, and no terminal. */
void program_detach(void);
/*
 * Starts the program at path, or found in PATH, with n words, each after the NUL byte of the one
 * before. Returns 0 or an errno. input: file for its standard input; "": inherits the runner's.
 */
int program_spawn(pid_t *pid, const char *path, const char *words, uint32_t n, const char *input);
/* Redirects the standard output of all programs as the request says. Returns 0 or an errno. */
int program_output(const struct board_request *request);
/* The work of such a worker. Does not return in a process that has become the program. */
void program_run(struct task *task, const struct plan_node *node, struct task_watch *watch);
/* The life of a task that its parent starts directly, in a child of fork(2) or vfork(2). */
_Noreturn void program_begin(struct task *task);
int program_start(struct task *task);
/*
 * The operations with which the tasks of such a plan are created and joined; NULL: the plan has no
 * such way.
 */
const struct task_ops *program_ops(const struct plan *plan);
/*
 * Joins a process of a plan with programs. Reaps every process that ends until this one has, so
 * that each one's end is recorded when it happens. Returns 0 or an errno.
 */
int program_join(struct task *task);
/*
 * Call it after the last join. Reaps processes that programs left behind and that have ended. If
 * the request says so, waits for the remaining ones, which is part of the run. Otherwise counts
 * those that still run after another hundredth of the run's time.
 */
void program_settle(struct scoreboard *board);

/*
 * Creates a task for each piece of work, like a server without a pool: at most a fixed number at
 * once, and a new one as soon as any has ended and was joined.
 */

/*
 * Creates count tasks, beginning with number `first`. `tasks` has room for the `most` that exist at
 * once. Returns when all were joined. If creation fails or the run ends early, creates no more.
 */
void server_run(struct team *team, const struct task_ops *ops, struct task *tasks, uint32_t most,
		uint32_t first, uint32_t count);

/*
 * Hands out the pieces of work of a plan. The workers of a pool take the next number themselves,
 * like servers whose workers all accept. A task that was created for a piece has the number of its
 * own position. Each adds its duration to the tally. The duration begins when the piece is taken,
 * or when the creation of its task begins.
 */

/*
 * The work of one worker: pieces until none is left or the run is cancelled; in other plans, its
 * own work. Returns 0 or an errno. *result is that of the last piece.
 */
int dealer_work(struct task *task, enum work_kind kind, const struct work_args *args,
		struct work_result *result);

/*
 * The memory that the workers of each kind share. It is separate from the scoreboard, which the
 * front end sees too. It is mapped before any worker exists and has no name, so nothing of it is
 * left behind.
 */
struct shared {
	void *at[WORK_KINDS]; /* NULL: no shared memory. */
	size_t bytes[WORK_KINDS];
	struct work_own *own; /* The loaded functions of --own. Each process has its own copy. */
	/*
	 * Descriptor of the one file that all workers of a kind write, as a deliberate mistake; 0:
	 * each writes its own.
	 */
	int file[WORK_KINDS];
};

/*
 * Maps and touches the memory that the plan's kinds need, and makes the files that workers share.
 * Returns 0, or -errno with which the runner ends, and *path the file concerned, or NULL.
 */
int shared_open(struct shared *shared, const struct board_request *request, const char **path);
void shared_close(struct shared *shared);

/* The arguments that all workers of a kind have in common. shared may be NULL. */
struct work_args shared_args(const struct shared *shared, const struct board_request *request,
			     enum work_kind kind);

/*
 * Allocates and touches the parent's ballast. Forked processes share it until they write to it.
 * Returns 0 or an errno, and *path a file that explains more, or NULL.
 */
int ballast_touch(struct scoreboard *board, const char **path);

/*
 * Makes the file that io workers copy, as long as their work, with content that neither compresses
 * nor repeats. The board has its progress. A file that is long enough, or is not tuibench's own, is
 * left alone. Returns 0 or an errno (ENOSPC); then the file is empty.
 */
int io_file_make(struct scoreboard *board);

/*
 * Loads the shared object of --own, which stays loaded until the program ends. Returns 0, or
 * -EINVAL and a line that says what is wrong and what would be right, without the object's name.
 */
int own_load(const char *path, struct work_own *own, char *error, size_t size);
/*
 * Call it after a run without failures. If all workers must have the same result, the first
 * different result fails the run. Returns 0 or -EILSEQ.
 */
int own_check(struct scoreboard *board, const struct work_own *own);
/*
 * Loads the object and writes its description, a struct own_about, to the descriptor. Returns the
 * exit status.
 */
int own_probe(const char *path, int fd);

/*
 * The place where hello workers write, and the count of the lines that arrive there. The size of
 * the stream's buffer keeps lines whole: a flush is a number of whole lines, which one write(2)
 * puts into a pipe or at the end of a file in one piece (PIPE_BUF, O_APPEND). A new runner process
 * drains a pipe, outside the runner's memory, its workers and its CPUs (-s pin). It is reaped after
 * the run's totals were taken.
 */

struct sink {
	FILE *out; /* The stream to which workers write; NULL: none. */
	char *buffer;
	pid_t drain;   /* PID; 0: none. */
	int result_fd; /* descriptor with the drain's result */
	uint64_t
		drain_us; /* CPU time of the drain, set when it was closed; UINT64_MAX: no drain. */
};

/* The lines that a reader has counted so far. */
struct sink_count {
	uint64_t lines, torn; /* Text up to a newline that is not a hello line is torn. */
	size_t at;	      /* Number of characters of the current line so far. */
	bool bad;	      /* The current line is not a hello line. */
};

/*
 * Returns 0 or -errno. Opens nothing if the plan has no hello workers. `program` is the runner
 * itself, which is started as the drain.
 */
int sink_open(struct sink *sink, const struct board_request *request, const char *program);
/*
 * Closes the stream and counts the lines that arrived; UINT64_MAX in both counts if they cannot be
 * counted. Returns 0 or -errno.
 */
int sink_close(struct sink *sink, struct sink_count *count);

/* Whether all lines arrived, each in one piece. True if nothing was counted. */
bool sink_is_whole(const struct sink_count *count, uint64_t said);

/* Counts the next piece of what arrived; size 0: the end. */
void sink_count(struct sink_count *count, const char *text, size_t size);
/* Most bytes of a line that are looked at. */
enum { SINK_LINE = 256 };
/*
 * Reads standard input to its end. With a name, writes to standard output the last line that begins
 * with the name and a blank.
 */
void sink_discard(const char *name);
/*
 * Runs the drain: counts the lines of standard input, and writes the count to standard output.
 * Returns 0 or -errno.
 */
int sink_drain(void);

/*
 * The load on a server: its listening sockets, and its clients. The clients are a new runner
 * process, outside the runner's memory and, if the machine has others, its CPUs. They end when
 * every request has its reply or has failed, and after CLIENTS_MOST_NS at the latest. Then the
 * kernel sends SIGIO to the runner, whose handler shuts the listeners down, so that no worker waits
 * for another connection. This also happens if the clients crash.
 */

#define CLIENTS_MOST_NS UINT64_C(60000000000)

struct load {
	int *listeners; /* One, or one for each worker (SO_REUSEPORT). */
	uint32_t n;
	uint16_t port; /* Where they listen with TCP; 0: elsewhere. */
	pid_t clients; /* PID; 0: none. */
	int go_fd;     /* The clients wait for a byte from it; -1: they have begun. */
	int report_fd; /* Their report is read from it; -1: none. */
};

/* Returns 0 or -errno. Opens nothing if the plan does not serve. `program` is the runner itself. */
int load_open(struct load *load, const struct board_request *request, const char *program);
/*
 * Call it when the server can accept. Lets its clients begin, or opens the idle connections first.
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
/* Copies the clients' report to the board. Returns 0, or -errno if there is none. */
int load_close(struct load *load, struct scoreboard *board);
/*
 * Runs the clients: reads their order from standard input, and writes their report. Returns 0 or
 * -errno.
 */
int clients_run(void);

/* The order for the clients, and their report. */
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
 * Adds the bytes read from /proc to *bytes, because the kernel counts them as the model's.
 */
int64_t usage_delay_ns(uint64_t *bytes);
/* How often the calling thread moved to another core; -1 and *bytes as above. */
int64_t usage_migrations(uint64_t *bytes);

enum { USAGE_IO = 5 };

/* The resources used so far. */
struct usage {
	struct clock_usage own;	   /* Usage of the calling process. */
	struct clock_usage reaped; /* Usage of its reaped children and their reaped children. */
	/* rchar, wchar, read_bytes, write_bytes, cancelled_write_bytes; UINT64_MAX: unknown. */
	uint64_t io[USAGE_IO];
	uint64_t read_here;	     /* Bytes of /proc that this reading itself adds to rchar. */
	uint64_t user_us, system_us; /* CPU time of the whole machine; UINT64_MAX: unknown. */
	/* Peak of the process's resident memory since usage_begin(); UINT64_MAX: unknown. */
	uint64_t peak_kb;
};

/*
 * Take the readings at the beginning and at the end of the measured part. The cost of the readings
 * themselves is outside it.
 */
void usage_begin(struct usage *usage);
void usage_end(struct usage *usage);
/*
 * The usage between two readings. Leaves out the first reading's own cost and the bytes that
 * workers read to report on themselves. programs: only the usage of started programs, because
 * starting and reaping them is the runner's own work.
 */
void usage_totals(const struct usage *before, const struct usage *after, bool programs,
		  uint64_t told_bytes, struct board_totals *totals);
/*
 * The bytes written to disks since then; UINT64_MAX: unknown. Call it after all files were closed:
 * the kernel counts a page when it becomes dirty, and subtracts it again if its file is removed
 * before it was written.
 */
uint64_t usage_disk_written(const struct usage *before);

/*
 * How a runner ends if it does not end by itself. No worker may outlive the front end, whatever
 * kills the front end. There are two mechanisms, because each has a gap at the moment of a fork. A
 * parent-death signal ends each task with its parent, if nothing between them fails. A pipe that
 * hangs up reaches the whole group at once.
 */

/*
 * Resets signals as in a shell's program: none blocked, all with their default action. Drops a
 * pending SIGTSTP.
 */
void lifeline_reset_signals(void);
/*
 * Ties the runner to the front end. Only the front end holds the write end of the pipe life_fd, and
 * it never writes to it. When the pipe closes, the runner's whole process group gets SIGKILL. Also
 * turns off core files, because crashes are part of what is shown. Returns 0 or -errno.
 */
int lifeline_hold(int life_fd);
/* Makes the runner and all its tasks the first ones that the kernel kills if memory runs out. */
void lifeline_volunteer(void);
/* Makes SIGTERM set the board's stop word and end the wait for go. Returns 0 or -errno. */
int lifeline_stop_on_term(struct scoreboard *board);
/*
 * From now on, SIGTERM and the end of the clients end the waits for connections. Returns 0 or
 * -errno.
 */
int lifeline_serve(const struct load *load);

/*
 * A process that cleans up if the front end is killed. It runs beside a run with a fault, a cgroup,
 * programs or --own. It removes the files and objects of the faulty worker. It ends all processes
 * in the run's cgroups or with the run's mark (base/mark.h), because neither the process group nor
 * a parent-death signal reaches a daemon. Then it removes the cgroups. Only the front end holds the
 * other end of the pipe; it clears the names on the board of things that it has removed itself.
 */

/*
 * Waits until the pipe hangs up, then cleans up. Returns when no process is left in the run's
 * process group and in the cgroups of these directories (the list ends with NULL). Returns 0 or
 * -errno.
 */
int tidy_after(int board_fd, int life_fd, pid_t group, const char *mark, char **cgroups);

/*
 * Executes one run, from the request to the totals: prepares it, sets BOARD_READY, waits for go,
 * runs the plan, and ends in BOARD_DONE or BOARD_FAILED. Call it once per process, from the main
 * thread.
 */
void runner_execute(struct scoreboard *board);
