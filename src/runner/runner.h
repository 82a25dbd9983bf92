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
	const pthread_attr_t *attr; /* attributes of threads; NULL: the system's own */
	pid_t pid;
	const struct shared *shared; /* the same memory in all tasks */
	FILE *out; /* each process has a copy, empty when the process is created; NULL: nobody
		      writes */
	struct primitive *primitive; /* state of a primitive's plan; else NULL */
	/* A block of each task's own, side by side, for FAULT_OVERRUN; else NULL: see
	 * fault_blocks(). */
	uint8_t *blocks;
	struct load *load; /* load of a plan that serves; else NULL */
};

struct task {
	struct team *team;
	uint32_t index;
	union {
		pthread_t thread;
		pid_t pid;
	};
	int connection; /* accepted connection, if the server creates a task for each; else -1 */
};

struct task_ops {
	int (*create)(struct task *task); /* both return 0 or errno */
	int (*join)(struct task *task);
};

struct worker_slot *task_slot(const struct task *task);
/* Creates it, and fills its parent's part of the slot. 0 or errno, which ends the run. */
int task_create(const struct task_ops *ops, struct task *task);
void task_join(const struct task_ops *ops, struct task *task);
/*
 * Writes to the board why the run failed. Only the first failure counts: later ones are often its
 * consequences. Returns -error.
 */
int runner_fail(struct scoreboard *board, enum board_stage stage, int error, uint32_t index,
		const char *path);
void task_fail(const struct task *task, enum board_stage stage, int error, const char *path);
/* Call it after start_ns was taken: the kernel's names for the task cost a system call. */
void task_announce(struct worker_slot *slot, pid_t pid, pid_t tid, int cpu);
/*
 * The kernel kills the calling worker when the thread that forked it ends. It does not if that
 * happened before the request: then somebody else is the parent by now, and the worker ends here.
 */
void task_die_with(pid_t parent);
/*
 * The CPU as the kernel says it; -1. In its parent's memory, as after vfork(2), a task that is no
 * thread of the C library has no CPU cache of its own: sched_getcpu() would name the parent's.
 */
int task_current_cpu(void);
struct task_watch {
	bool delay;	 /* how long it waited for a core */
	bool migrations; /* how often it went to another one */
	bool counts;	 /* by the counters, which are open */
	struct counters counters;
	uint64_t bytes; /* read to report on it */
	bool waited;	/* for a program, which used so much */
	struct rusage child;
};

/* The last instruction first, then what it cost to get there; watch NULL: nothing more. */
void task_conclude(struct worker_slot *slot, int (*cpu)(void), struct task_watch *watch);
/* Waits for the process, and takes what it used unless NULL; 0 or errno. A death is reported. */
int task_join_process(struct task *task, struct rusage *usage);

/*
 * Creates the tasks of a scoreboard's plan, lets them work and joins them. Each parent creates its
 * children in order, then joins them backwards; a process forks only from a thread that outlives
 * its children, because a parent-death signal follows the thread that forked. When a task cannot be
 * created the rest is not tried; what exists and has not begun to work leaves with ECANCELED. When
 * a worker process dies, or work fails, the others go on. Returns 0, or the -errno of the first
 * failure. Call once per process, from its main thread. out is the stream of the process for
 * workers that write, empty, NULL where there are none; shared is what the workers of each kind
 * share, or NULL; load is that of a server, or NULL.
 */
int spawner_run(struct scoreboard *board, const struct shared *shared, FILE *out,
		struct load *load);

/*
 * The barrier: leaves wait there until all of them exist. Threads and processes alike sleep on a
 * futex word of the board, so that none spins while others are created. None may hang either:
 * parents of processes check now and then whether one died before it arrived.
 */

bool barrier_used(const struct scoreboard *board);
/* A leaf says that it has arrived and sleeps until the barrier is no longer closed. */
void barrier_pass(struct scoreboard *board);
/*
 * The main thread conducts once it has created its children. It sleeps until all leaves have
 * arrived, a child has died, or the run was called off. It holds an all-alive plan until its memory
 * was read, notes go_ns and opens.
 */
void barrier_conduct(struct scoreboard *board);
/* Every other parent of processes calls it before it joins: gives the alarm if one dies early. */
void barrier_watch(struct scoreboard *board);
/* A task could not be created: those who wait leave without working, nobody creates more. */
void barrier_cancel(struct scoreboard *board);
/* True when no more tasks are to be created and no more work begun: cancelled, or stopped. */
bool barrier_called_off(struct scoreboard *board);

/*
 * Workers that wait for one another: where a process dies without a word the others would wait for
 * it for ever, since each of them holds the ends of all pipes. Their parent looks at all of its
 * children, not only at the one that it joins, and ends those that are left.
 */

/* Before the first of them is created: a child's end is waited for together with others'. */
void await_begin(void);
/*
 * Returns when the child has ended; it is not reaped. tasks are it and those joined after it, count
 * in all. Where one of them has died the others are killed.
 */
void await_end(const struct task *tasks, uint32_t count);

bool fault_is_of(const struct task *task);
/*
 * Makes a file and a shared memory object, and takes the run's lock, as a worker in the midst of
 * something has. exit() takes back the first two. 0 or errno.
 */
int fault_prepare(const struct task *task);
/*
 * FAULT_OVERRUN: each task has a block in an array on the heap of who created them all, which holds
 * what it wrote there. Threads share the array; a process has its own copy since the fork. The
 * faulty worker writes its own block and as much again, over that of its next sibling (the last
 * one: of the one before), and goes on. At its end each worker looks at its block.
 */
/* 0 or -ENOMEM; the blocks are the process's until it ends. */
int fault_blocks(struct team *team);
void fault_overrun(const struct task *task);
/* Its block holds what it did not write. */
bool fault_spoiled(const struct task *task);
/* Commits any other, which board->fault_ns says first. */
_Noreturn void fault_commit(const struct task *task);
/*
 * Keeps a worker that is done from ending before the fault, and one that dies of it from ending at
 * all: who survives is no matter of who was faster. Bounded, should the fault never come; returns
 * at once in runs without one.
 */
void fault_await(const struct task *task);

/*
 * Says which worker a fatal signal hit. The signal still does what it does by default: with
 * threads it ends the whole runner, with processes one worker.
 */

/* Installs the handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT; inherited by fork. */
int crash_install(void);
/* The slot that the calling thread fills from now on; NULL: none. */
void crash_slot(struct worker_slot *slot);

/*
 * The ways to create a task that are measured by themselves. One task at a time exists, is created
 * by the runner's main thread, and does nothing but to say when it ran; it lasts for microseconds
 * and waits for nothing, so that it needs no tie to its parent. PLAN_FORK also creates the leaves
 * of a tree that have nothing to do: there it ties them to their parent.
 */

struct primitive {
	const char *program; /* program that posix_spawn and exec run */
	char report_fd[12];  /* its argument: where it writes its struct hello_report */
	int pipe[2];
	void *stack;		    /* stack of the cloned task or the fiber; else NULL */
	_Atomic uint32_t alive;	    /* a futex word that the kernel clears when that ends */
	struct fiber fiber, parent; /* the thread that creates the fiber */
};

/* NULL: that of the plan's kind of task. */
const struct task_ops *primitive_ops(enum plan_primitive primitive);
/* 0 or errno, with which the runner ends. program outlives it. */
int primitive_open(struct primitive *primitive, enum plan_primitive kind, const char *program);
void primitive_close(struct primitive *primitive);

/*
 * Workers that run the program of --command: a process becomes it, a thread starts it
 * (posix_spawn(3)) and waits until it has ended. Or its parent starts it at once, by a way that
 * the plan names, and there is no other task.
 */

/* What is executed from here on has the three standard files alone, and no terminal. */
void program_detach(void);
/*
 * Starts the program at path, or found by PATH, with n words one behind the other; 0 or errno.
 * input: the file that it reads as its standard input; "": what the runner has.
 */
int program_spawn(pid_t *pid, const char *path, const char *words, uint32_t n, const char *input);
/* Sends the standard output of all programs to where the request says. 0 or errno. */
int program_output(const struct board_request *request);
/* The work of such a worker; does not return in a process that has become the program. */
void program_run(struct task *task, const struct plan_node *node, struct task_watch *watch);
/* The life of one that its parent starts at once: in a child of fork(2) or vfork(2). */
_Noreturn void program_begin(struct task *task);
int program_start(struct task *task);
/* How the tasks of such a plan are created and joined; NULL: the plan has no such way. */
const struct task_ops *program_ops(const struct plan *plan);
/*
 * Joins a process of a plan with programs: reaps whoever ends until it was that one, so that each
 * one's end is known when it comes. 0 or errno.
 */
int program_join(struct task *task);
/*
 * After the last join: reaps what programs have left behind and has ended. What still runs a
 * hundredth of the run's time later is counted on the board; or it is waited for where the request
 * says so, which is part of the run.
 */
void program_settle(struct scoreboard *board);

/*
 * Creates a task for each piece of work, as a server does that has no pool: at most so many at
 * once, and the next one as soon as any of them has ended and was joined.
 */

/*
 * Creates count tasks from the first on, of which tasks has room for most. Returns when all were
 * joined. Where one is refused, or the run ends early, it creates no more.
 */
void server_run(struct team *team, const struct task_ops *ops, struct task *tasks, uint32_t most,
		uint32_t first, uint32_t count);

/*
 * Hands out the pieces of work of a plan that has some. The workers of a pool take the next number
 * themselves, as servers do whose workers all accept; a task created for a piece has its number
 * from its place. Each adds to the tally how long it took. Handed out is a piece when it is taken,
 * or when the creation of its task begins.
 */

/*
 * The work of one worker: pieces until none is left or the run is called off; in other plans its
 * own. 0 or errno. result is that of the last piece.
 */
int dealer_work(struct task *task, enum work_kind kind, const struct work_args *args,
		struct work_result *result);

/*
 * The memory that the workers of each kind share, apart from the scoreboard, which the front end
 * sees as well. It is mapped before any worker exists and has no name: nothing is left of it.
 */
struct shared {
	void *at[WORK_KINDS]; /* NULL: none */
	size_t bytes[WORK_KINDS];
	struct work_own *own; /* functions loaded by --own; each process has a copy */
	int file[WORK_KINDS]; /* the one file that all workers of a kind write, as a deliberate
				 mistake; 0: each has its own */
};

/*
 * Maps what the kinds of the plan ask for, touched, and makes the files that workers are to share.
 * 0 or -errno, with which the runner ends, and *path what it concerns, or NULL.
 */
int shared_open(struct shared *shared, const struct board_request *request, const char **path);
void shared_close(struct shared *shared);

/* The arguments of the workers of a kind but for what is each worker's own; shared may be NULL. */
struct work_args shared_args(const struct shared *shared, const struct board_request *request,
			     enum work_kind kind);

/*
 * The touched memory in the parent, which what it forks shares with it until it is written to. 0
 * or errno, with *path the file that says more, or NULL.
 */
int ballast_touch(struct scoreboard *board, const char **path);

/*
 * Makes the file that io workers copy as long as their work, with content that neither compresses
 * nor repeats; how far it is stands on the board. Where it is long enough already, or is none of
 * ours, it is left alone. 0 or errno (ENOSPC); then the file is empty.
 */
int io_file_make(struct scoreboard *board);

/*
 * Loads the shared object of --own, which stays until the program ends. 0, or -EINVAL and a line
 * that says what is wrong with it and what would be right, without its name.
 */
int own_load(const char *path, struct work_own *own, char *error, size_t size);
/*
 * After a run without failures: if all workers must find the same result, the first different one
 * fails the run. 0 or -EILSEQ.
 */
int own_check(struct scoreboard *board, const struct work_own *own);
/* Loads it and says what it is: struct board_own to that descriptor. The status to exit with. */
int own_probe(const char *path, int fd);

/*
 * The place where hello workers write, and the count of what arrives there. The stream's size keeps
 * lines whole. A flush is a number of lines that one write(2) puts into a pipe or at a file's end
 * in one piece (PIPE_BUF, O_APPEND). The runner program started anew drains a pipe: outside of the
 * runner's memory, its workers and its CPUs (-s pin). It is reaped after the run's totals were
 * taken.
 */

struct sink {
	FILE *out; /* the stream that workers write to; NULL if none */
	char *buffer;
	pid_t drain;	   /* 0: none */
	int result_fd;	   /* descriptor with the drain's result */
	uint64_t drain_us; /* core time of the drain, once closed; UINT64_MAX: there is none */
};

/* The count of a reader of the lines so far. */
struct sink_count {
	uint64_t lines, torn; /* a piece that is no line, up to its newline, is torn */
	size_t at;	      /* characters of the line that is being read */
	bool bad;	      /* and it is none */
};

/*
 * 0 or -errno. Nothing is opened where the plan has no hello workers. program is the runner itself,
 * to be started as the drain.
 */
int sink_open(struct sink *sink, const struct board_request *request, const char *program);
/* Closes the stream and counts what arrived, if it can be: UINT64_MAX in both if not. 0, -errno. */
int sink_close(struct sink *sink, struct sink_count *count);

/* All lines that were said arrived, each in one piece; true where nothing was counted. */
bool sink_is_whole(const struct sink_count *count, uint64_t said);

/* The next piece of what arrived; size 0: its end. */
void sink_count(struct sink_count *count, const char *text, size_t size);
/* Bytes of a line that is looked at. */
enum { SINK_LINE = 256 };
/*
 * Reads standard input to its end. With a name, writes the last line of it that begins with the
 * name and a blank to standard output.
 */
void sink_discard(const char *name);
/* The drain: counts standard input, and writes what it found to standard output. 0 or -errno. */
int sink_drain(void);

/*
 * The load on a server: where it listens, and its clients, which are the runner program started
 * anew, outside of the runner's memory and, if there are others, of its CPUs. The clients end when
 * all requests have their reply or have failed, after CLIENTS_MOST_NS at the latest. The kernel
 * then sends SIGIO to the runner, whose handler shuts the listeners down, so that no worker waits
 * for another connection. It does so, too, if the clients crash.
 */

#define CLIENTS_MOST_NS UINT64_C(60000000000)

struct load {
	int *listeners; /* one, or one for each worker that has its own (SO_REUSEPORT) */
	uint32_t n;
	pid_t clients; /* 0: none */
	int go_fd;     /* the clients wait for a byte from it; -1: they have begun */
	int report_fd; /* their report; -1 */
};

/* 0 or -errno; of a plan that does not serve nothing is opened. program is the runner itself. */
int load_open(struct load *load, const struct board_request *request, const char *program);
/* The server can accept: its clients begin, or open idle connections first. */
void load_go(struct load *load, struct scoreboard *board);
/*
 * Waits until the server has accepted all idle connections, reads its memory, and lets the clients
 * begin. Ends the clients if that takes too long. Does nothing without idle connections.
 */
void load_settle(struct load *load, struct scoreboard *board);
/* The listener of a worker. */
int load_listener(const struct load *load, uint32_t worker);
/* Ends all waits for another connection. Async-signal-safe. */
void load_shut(const struct load *load);
/* Takes the report of the clients to the board. 0 or -errno: there is none. */
int load_close(struct load *load, struct scoreboard *board);
/* The clients: reads their order from standard input, and writes their report. 0 or -errno. */
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
 * How long the calling thread could run and had no core, ns; -1: the kernel does not say. The bytes
 * that were read for it, which the kernel counts as the model's, are added to *bytes.
 */
int64_t usage_delay_ns(uint64_t *bytes);
/* How often the calling thread went to another core; the same. */
int64_t usage_migrations(uint64_t *bytes);

enum { USAGE_IO = 5 };

/* The resources used so far. */
struct usage {
	struct clock_usage own; /* use of the calling process */
	struct clock_usage
		reaped; /* use of its children that were waited for, and of their children */
	/* rchar, wchar, read_bytes, write_bytes, cancelled_write_bytes; UINT64_MAX: not known */
	uint64_t io[USAGE_IO];
	uint64_t read_here;	     /* bytes of /proc that this reading will add to rchar */
	uint64_t user_us, system_us; /* use of the whole machine; UINT64_MAX: unknown */
	uint64_t peak_kb; /* peak of the process's resident memory since usage_begin(); UINT64_MAX:
			     unknown */
};

/* At the begin and at the end of what is measured: neither reading's own use is in between. */
void usage_begin(struct usage *usage);
void usage_end(struct usage *usage);
/*
 * The use between two readings, without the first reading's own, the bytes that workers read to
 * report on themselves, and what was written to disks. programs: that of started programs alone,
 * because starting and reaping them is the runner's.
 */
void usage_totals(const struct usage *before, const struct usage *after, bool programs,
		  uint64_t told_bytes, struct board_totals *totals);
/*
 * The bytes written to disks since then. The kernel counts a page when it is made dirty, and takes
 * it back when its file goes before it was written: so it is asked after all files are closed.
 * UINT64_MAX: not known.
 */
uint64_t usage_disk_written(const struct usage *before);

/*
 * How a runner ends when it is not left to end by itself. No worker may outlive the front end,
 * whatever kills that. A parent-death signal ends each task with its parent, as long as nothing
 * between them has gone wrong; a pipe that hangs up reaches the whole group at once. Each has its
 * gap, at the moment of a fork, so there are both.
 */

/*
 * Resets signals as a shell's program has them: none blocked, all default. Drops a pending SIGTSTP.
 */
void lifeline_reset_signals(void);
/*
 * Ties the runner to the front end, which alone holds the write end of the pipe life_fd and never
 * writes to it: when that closes, the runner's whole process group gets SIGKILL. Also no core
 * files, since a crash is part of what is shown. 0 or -errno.
 */
int lifeline_hold(int life_fd);
/* The runner and all that it creates are what the kernel ends first where memory runs out. */
void lifeline_volunteer(void);
/* SIGTERM sets the board's stop word and ends the wait for go. 0 or -errno. */
int lifeline_stop_on_term(struct scoreboard *board);
/* From now on the end of the clients, and SIGTERM, end the waits for connections. 0 or -errno. */
int lifeline_serve(const struct load *load);

/*
 * A process beside a run with a fault, a cgroup, programs or --own, for the case that the front end
 * is killed. It removes what the faulty worker has made, ends all that is left in the run's cgroups
 * or has the run's mark (base/mark.h), since no group and no death signal reaches a daemon, and
 * removes these. The front end alone holds the other end of the pipe, and clears the names on the
 * board of what it has removed itself.
 */

/*
 * Until the pipe hangs up and nobody of the run's process group is left, nor in the cgroups of
 * these directories, up to NULL. 0 or -errno.
 */
int tidy_after(int board_fd, int life_fd, pid_t group, const char *mark, char **cgroups);

/*
 * One run from the request to the totals: prepares, sets BOARD_READY, waits for go, runs the plan,
 * and ends in BOARD_DONE or BOARD_FAILED. Once per process, from its main thread.
 */
void runner_execute(struct scoreboard *board);
