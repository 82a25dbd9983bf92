/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/clock.h"
#include "base/counters.h"
#include "core/plan.h"
#include "core/serving.h"
#include "core/slices.h"
#include "core/tally.h"

/*
 * The only memory that front end and runner share. It has a header, one slot for each task and, on
 * request, a ring of slices for each. It is in a memfd that the front end creates, maps shared and
 * faults in before the runner starts. Only the owner of a field writes it: the parent its line of
 * the slot, the worker its own lines. Plain fields are written before the state that announces them
 * is stored with release order, and read after that state was loaded with acquire order. Tasks wait
 * on the board only for `go`, at the barrier, and while they are held for their memory to be read.
 * Times are clock_now_ns(); 0 means "not yet".
 */

#define SCOREBOARD_MAGIC   0x74756265u /* "tube" */
#define SCOREBOARD_VERSION 28u
/* Bytes of a page, on most machines. */
#define SCOREBOARD_PAGE 4096
#define SCOREBOARD_LINE 64 /* bytes of a cache line */

/* The states of a slot: what a task's parent knows of the task. */
enum slot_state {
	SLOT_UNUSED,
	SLOT_CREATING, /* create_ns and parent_cpu are valid */
	SLOT_CREATED,  /* created_ns is valid; the task writes its pid and tid itself */
	SLOT_REFUSED,  /* created_ns and error (errno) are valid; the task never existed */
	SLOT_JOINED,   /* join_ns and, for processes, wait_status are valid */
};

/* The states of a worker: what a task knows of itself. */
enum worker_state {
	WORKER_NONE,
	WORKER_STARTED,	 /* start_ns, pid, tid, cpu_first: its first instruction */
	WORKER_WORKING,	 /* work_ns: through the barrier, its work begins */
	WORKER_ENDED,	 /* finish_ns, cpu_last; its parent adds the usage when it reaps it */
	WORKER_FINISHED, /* finish_ns, result, error, usage, cpu_last: its last instruction */
	WORKER_CRASHED,	 /* finish_ns, signal, address: written by the signal handler */
};

struct worker_slot {
	/* the parent's line */
	_Alignas(SCOREBOARD_LINE) _Atomic uint32_t state; /* enum slot_state */
	int32_t create_error;				  /* errno, when SLOT_REFUSED */
	int32_t wait_status;				  /* as of waitpid(2), processes only */
	int16_t parent_cpu;				  /* the core on which it made the call */
	bool reaped;   /* as wait_status shows, before the join */
	uint8_t ended; /* 1: ended by the runner, because it waited for a worker that had died */
	uint64_t create_ns, created_ns, join_ns;
	/* ru_maxrss of a process when it was reaped, including its children; 0: unknown */
	uint32_t reaped_kb;

	/* the worker's lines */
	_Alignas(SCOREBOARD_LINE) _Atomic uint32_t worker; /* enum worker_state */
	/*
	 * errno of work that failed, or 0. EILSEQ is a wrong result. ECANCELED means that work did
	 * not begin, because the run was stopped or a task could not be created.
	 */
	int32_t error;
	int32_t pid, tid;
	int16_t cpu_first, cpu_last;
	int32_t signal;	       /* the signal that ended it, or 0 */
	_Atomic int32_t child; /* the process that runs its program; 0: none */
	uint64_t start_ns, work_ns, finish_ns;
	uint64_t result;  /* result of the work: divisors, bytes copied */
	uint64_t checked; /* bytes read only to check its work */
	/* getrusage(RUSAGE_THREAD) at its end */
	struct clock_usage usage;
	/*
	 * The peak of a process's own resident memory by its end, KiB; 0: unknown. The kernel keeps
	 * it with the address space, and a fork gives the child a new one.
	 */
	uint32_t peak_kb;
	int64_t delay_ns; /* time runnable without a core, for tasks with a ring; -1: unknown */
	uint64_t address; /* of the fault, when crashed */
	/* For leaves only; 0 in the slots of other tasks. */
	uint32_t told;	     /* bits of enum slot_told: which of these values are known */
	int32_t count_error; /* errno if counts were requested but are missing */
	uint32_t migrations; /* by the kernel */
	uint32_t tasks;	     /* pieces of handed-out work that it has done */
	struct work_steps steps;
	int64_t count[COUNTERS]; /* processor's counts of the work; -1: it has no such counter */
};

enum slot_told {
	TOLD_MIGRATIONS = 1,
	TOLD_COUNTS = 2,
	TOLD_CHILDREN = 4, /* its program had children that it waited for */
	TOLD_THREADS = 8,  /* and more threads than one */
};

enum board_state {
	BOARD_SETUP,	/* the front end has filled in the request */
	BOARD_READY,	/* the runner has read it and prepared the work; waits for go */
	BOARD_CREATING, /* begin_ns is valid */
	BOARD_HOLDING,	/* hold_ns is valid: all workers wait at the barrier until their memory is
			 * read
			 */
	BOARD_RUNNING,	/* go_ns is valid: all tasks behind a barrier exist and were released */
	BOARD_DONE,	/* the run succeeded, or stop was set; end_ns and totals are valid */
	BOARD_FAILED,	/* the run failed: failure_* are valid; so are end_ns and totals if it began
			 */
};

/*
 * Exit statuses of a runner without a board to report on. It exits with the first of them plus the
 * errno. It exits with the first alone if the board is of another version or the errno exceeds the
 * second. Loaders use 126 and 127 for a program that they cannot start.
 */
enum { BOARD_EXIT = 64, BOARD_EXIT_ERRNO = 61 };

/* The stage in which a run first failed. Unlike the errno it shows which limit was reached. */
enum board_stage {
	STAGE_NONE,
	STAGE_SETUP,   /* a request that cannot be run, pinning, the runner's own signals */
	STAGE_FILE,    /* the file that io workers copy could not be made */
	STAGE_PREPARE, /* ballast and shared memory, before any task is created */
	STAGE_CREATE,  /* failure_slot and the slots after it could not be created */
	STAGE_WORK,    /* its work failed; EOWNERDEAD: it died, its wait_status says how */
	STAGE_JOIN,    /* it could not be joined */
	STAGE_SINK,    /* some lines did not arrive complete: see the totals */
	STAGE_TASKS,   /* some pieces of work were not done exactly once: see board_tasks */
	STAGE_CLIENTS, /* the clients of a server ended before they had reported */
};

/* After CANCELLED, waiting tasks leave without having worked. */
enum board_barrier { BARRIER_CLOSED, BARRIER_OPEN, BARRIER_CANCELLED };

/* The places where hello workers write. */
enum board_sink {
	SINK_PIPE, /* drained and counted by a process outside of the model */
	SINK_FILE, /* an unnamed file in tmp_dir, counted after the run */
	SINK_NULL, /* /dev/null: nothing to count */
};

/* The request of a run; written by the front end before the runner starts. */
struct board_request {
	struct plan plan;
	uint64_t work_size[WORK_KINDS]; /* per worker, in the kind's own unit */
	uint64_t alloc;			/* bytes allocated and freed in each cpu step */
	uint64_t stack_size;		/* of threads, bytes; 0: the system's */
	/*
	 * How long all tasks are held at most behind the barrier, until the front end has read
	 * their memory; 0: not held. Only this wait is not the model's own, so go_ns - hold_ns is
	 * subtracted from the run's time.
	 */
	uint32_t hold_ms;
	uint64_t ballast;      /* bytes touched in the parent before the first create */
	uint32_t counting;     /* enum counting: how share workers count */
	uint32_t ballast_huge; /* 1: in huge pages */
	char io_path[4096];    /* the file that io workers read: absolute, or /proc/self/fd/N */
	bool make_io_file;     /* io_path is our own file: make it as long as work_size says */
	char hello_path[4096]; /* the program for posix_spawn and exec: see hello_program.h */
	char own_path[4096];   /* the shared object of --own; "": none */
	/* The program for program workers: its path, and its words, each with its NUL byte. */
	char program_path[4096], program_words[4096];
	uint32_t program_n;
	/* The files that programs read and write; "" for the runner's own. */
	char input_path[4096], output_path[4096];
	int32_t output_fd;   /* descriptor for their output instead; 0: none */
	bool ignore_failure; /* an exit status other than 0 is no failure */
	bool timed;	     /* the front end ends the programs with SIGTERM to all of them */
	bool wait_all;	     /* the run ends with the last process that programs started */
	char tmp_dir[4096];  /* directory of the unnamed files that workers write */
	uint32_t sink;	     /* enum board_sink */
	uint32_t via;	     /* enum via of workers that hand something over */
	uint32_t fibers;     /* number of fibers of one worker with VIA_UCONTEXT */
	uint32_t senders, receivers; /* size of a group of message workers */
	uint32_t cache;		     /* enum work_cache */
	int32_t hold_fd;	     /* an eventfd, written when all tasks are held; 0: none */
	int32_t cgroup_fd;	     /* cgroup.procs of the cgroup that the runner joins; 0: none */
	bool niced;		     /* the tasks are to have another niceness */
	int32_t nice;		     /* the niceness */
	int32_t policy;		     /* sched(7)'s SCHED_* of the tasks + 1; 0: the inherited one */
	uint32_t quota;		     /* the limit of their CPUs, in thousandths; 0: none */
	int32_t quota_fd;	     /* cgroup.procs of the cgroup with that limit; 0: none */
	cpu_set_t pin;		     /* the CPUs of the run; empty: all */
	uint32_t slices;	     /* entries of each task's ring, a power of two; 0: no rings */
	uint64_t tick_ns;  /* work between two checks of a worker whether it was off its core */
	bool marked;	   /* the kernel marks absences, see work_tick.h */
	bool migrations;   /* workers read how often they migrated */
	uint32_t counters; /* enum counters_kind: the events that workers count */
	uint32_t fault;	   /* enum fault_kind: what the worker fault_slot does to itself */
	uint32_t fault_slot, fault_percent; /* part of its work after which the fault comes */
	struct mistakes mistakes;
	struct serving serving; /* of a plan that serves; of token workers the wait alone */
};

/*
 * The totals of the run alone: from just before the first create to just after the last join. All
 * members are uint64_t, because is_sane() walks over them as an array.
 */
struct board_totals {
	/*
	 * Usage of the model's tasks and their parent; with programs, only of the programs'
	 * processes.
	 */
	struct clock_usage usage;
	struct clock_usage starter; /* of the runner if it starts and reaps programs; else 0 */
	/* Of the whole machine, by /proc/stat; UINT64_MAX if it cannot be read. */
	uint64_t stat_user_us, stat_system_us;
	uint64_t peak_kb; /* VmHWM of the runner in the run; UINT64_MAX: not known */
	/* The bytes as in /proc/self/io; UINT64_MAX if the kernel does not provide them. */
	uint64_t read_bytes, written_bytes; /* rchar, wchar */
	/*
	 * Read from and written to disks. Excludes the data of files that were removed before it
	 * was written.
	 */
	uint64_t disk_read_bytes, disk_written_bytes;
	/*
	 * The lines of hello workers: written, then found complete or torn (UINT64_MAX: not
	 * counted).
	 */
	uint64_t said, lines, torn;
	uint64_t drain_us; /* CPU time of the process that emptied their pipe; UINT64_MAX: no such
			      process */
};

/* The runner's own: state of pieces of work that are handed out, numbered from 0. */
struct board_tasks {
	_Alignas(SCOREBOARD_LINE) _Atomic uint32_t next; /* the number that a pool hands out next */
	/* A futex word: number of threads that have ended. Each had one piece of work. */
	_Alignas(SCOREBOARD_LINE) _Atomic uint32_t ended;
	/* Number of pieces done, and the sum of their numbers. The tally has the time of each. */
	_Alignas(SCOREBOARD_LINE) _Atomic uint64_t done, numbers;
};

/*
 * The report of a server's clients, valid once the run has ended. The tally has the times of
 * requests.
 */
struct board_served {
	uint64_t requests, failed; /* requests answered, and not answered */
	uint64_t span_ns;	   /* from the first request to the last reply */
};

struct scoreboard {
	uint32_t magic, version;
	uint32_t slots; /* plan_count(&request.plan) */
	uint32_t slot_size;
	struct board_request request;
	/*
	 * Front end -> runner. On a page of its own, because the front end freezes all members
	 * before it.
	 */
	_Alignas(SCOREBOARD_PAGE) _Atomic uint32_t go; /* a shared futex word: 1 begins the run */
	_Atomic uint32_t stop; /* 1: create no more, begin no more work, join what exists */
	_Atomic uint32_t cut; /* 1: the programs of a timed run are being ended; it is no failure */
	_Atomic uint32_t hold_over; /* a futex word: 1 once the memory of held tasks was read */
	/* runner -> front end */
	uint32_t joined; /* it is in that cgroup, so further memory is charged there */
	/* Bytes made and needed of the file for io workers; 0 of 0: no such file. */
	_Atomic uint64_t prepared, to_prepare;
	_Atomic uint32_t state; /* enum board_state */
	uint64_t begin_ns;	/* before the first create */
	uint64_t hold_ns;	/* since when all workers are held; 0: not held */
	uint64_t go_ns;		/* the barrier opens; 0 in plans without a barrier */
	uint64_t end_ns;	/* after the last join */
	struct board_totals totals;
	/*
	 * Processes that programs had started and that outlived their parents: the number that the
	 * runner reaped, and the number of its children that still ran at the run's end.
	 */
	uint32_t adopted, left;
	uint32_t failure_stage; /* enum board_stage */
	int32_t failure_errno;
	uint32_t failure_slot;	/* which task, PLAN_ROOT for none */
	char failure_path[256]; /* of the file that failed, "" for none */
	/* the runner's own: where its tasks meet; futex words */
	void *ballast_at; /* address in the runner and its forks; 0: none */
	_Alignas(SCOREBOARD_LINE) _Atomic uint32_t arrived; /* at the barrier */
	_Atomic uint32_t failed; /* the task that sets it fills failure_* */
	/*
	 * Time of the fault; 0: not yet. Then the names of the faulty worker's files and objects,
	 * "" before the fault, and the lock that it held: a thread's number, 0 when it is free.
	 */
	_Atomic uint64_t fault_ns;
	_Atomic uint32_t faulted; /* a futex word: 1 once fault_ns is valid */
	char fault_file[4096 + 64], fault_shm[64];
	_Atomic uint32_t lock;
	_Atomic uint32_t closed; /* 1: the front end was not killed, and has ended all processes of
				    the run */
	_Atomic uint64_t told_bytes; /* of /proc and perf, read by workers for their figures */
	_Alignas(SCOREBOARD_LINE) _Atomic uint32_t barrier; /* enum board_barrier */
	/* Durations of the workers' operations, for kinds that record them: plan_operates(). */
	_Alignas(SCOREBOARD_LINE) struct tally tally;
	struct board_tasks tasks;
	struct board_served served;
	_Atomic int32_t clients; /* the process of a server's clients, 0: none */
	/*
	 * Of a server with idle connections: PSS of its processes in KiB, before there is any
	 * connection and with the idle ones alone; UINT64_MAX: not known.
	 */
	uint64_t before_pss_kb, idle_pss_kb;
	/* The runner's own: workers that wait for a connection, plus connections that wait. */
	_Alignas(SCOREBOARD_LINE) _Atomic uint32_t ready;
	struct worker_slot slot[];
};

/* Bytes of a scoreboard for that number of tasks, each with a ring of `slices` slices. */
size_t scoreboard_size(uint32_t slots, uint32_t slices);
/* The ring of a task; NULL if it has none. */
struct slices *scoreboard_slices(struct scoreboard *board, uint32_t slot);
/*
 * Creates a scoreboard for the request in a memfd, maps it shared and faults in all pages that both
 * sides write. The request and the sizes are a private copy, so that a runner cannot change a size
 * by writing to the board. If pages are larger than SCOREBOARD_PAGE, they are shared. The caller
 * owns *fd (close-on-exec); scoreboard_close() unmaps *board. Returns 0 or -errno (-EOVERFLOW if
 * plan_count() is 0).
 */
int scoreboard_create(const struct board_request *request, struct scoreboard **board, int *fd);
/* Maps the scoreboard of fd and checks magic, version and size. Returns 0, -EPROTO or -errno. */
int scoreboard_open(int fd, struct scoreboard **board);
void scoreboard_close(struct scoreboard *board);

/*
 * futex(2) on a word of the board. The first sleeps while the word holds value, at most timeout
 * (NULL: no limit); returns 0 or -errno (-EAGAIN, -EINTR, -ETIMEDOUT). The second wakes all
 * sleepers. The caller must check the word again.
 */
int scoreboard_wait(_Atomic uint32_t *word, uint32_t value, const struct timespec *timeout);
void scoreboard_wake(_Atomic uint32_t *word);

/* Reports that the memory of held tasks was read: stores hold_over and wakes the runner. */
void scoreboard_end_hold(struct scoreboard *board);
/* Begins the run: stores go and wakes the runner, which waits for it. */
void scoreboard_release(struct scoreboard *board);
void scoreboard_await_release(struct scoreboard *board);
