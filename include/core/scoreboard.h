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
 * The only memory that the front end and the runner share. It has a header, a slot for each task
 * and, on request, a ring of slices for each task. It is a memfd that the front end creates, maps
 * shared and faults in before the runner starts. Only the owner of a field writes it: the parent
 * writes its part of a slot, the worker the others. Plain fields are written before the state that
 * announces them is stored with release order, and they are read after that state was loaded with
 * acquire order. Times are from clock_now_ns(); 0 means "not yet".
 */

#define SCOREBOARD_MAGIC   0x74756265u /* "tube" */
#define SCOREBOARD_VERSION 30u
/* Bytes of a page, on most machines. */
#define SCOREBOARD_PAGE 4096
#define SCOREBOARD_LINE 64 /* bytes of a cache line */

/* The states of a slot: how far the parent has come with the task. */
enum slot_state {
	SLOT_UNUSED,
	SLOT_CREATING, /* The parent has called create. create_ns and parent_cpu are valid. */
	/* The call has returned. created_ns is valid. The task itself writes its pid and tid. */
	SLOT_CREATED,
	/*
	 * The call has failed. created_ns and create_error (errno) are valid. The task never
	 * existed.
	 */
	SLOT_REFUSED,
	/* The parent has joined the task. join_ns and, for processes, wait_status are valid. */
	SLOT_JOINED,
};

/* The states of a worker, as the worker reports them. */
enum worker_state {
	WORKER_NONE,
	/* The worker's first instruction has run: start_ns, pid, tid and cpu_first are valid. */
	WORKER_STARTED,
	/* The worker has passed the barrier and begins to work: work_ns is valid. */
	WORKER_WORKING,
	/*
	 * The worker has ended without reading its usage: finish_ns and cpu_last are valid. Its
	 * parent adds the usage when it reaps the worker.
	 */
	WORKER_ENDED,
	/*
	 * The worker's last instruction has run: finish_ns, result, error, usage and cpu_last are
	 * valid.
	 */
	WORKER_FINISHED,
	/* The worker's signal handler ran: finish_ns, signal and address are valid. */
	WORKER_CRASHED,
};

struct worker_slot {
	/* The cache line that the parent writes. */
	_Alignas(SCOREBOARD_LINE) _Atomic uint32_t state; /* enum slot_state */
	int32_t create_error;				  /* errno if the state is SLOT_REFUSED */
	int32_t wait_status; /* status from waitpid(2); processes only */
	int16_t parent_cpu;  /* the core on which the parent called create */
	/* wait_status is valid already, although the state is not SLOT_JOINED yet */
	bool reaped;
	/*
	 * 1: the worker was ended from outside, because it waited for a worker that had died, or
	 * after -s for=TIME
	 */
	uint8_t ended;
	uint64_t create_ns, created_ns, join_ns;
	/* ru_maxrss of a process when it was reaped, including its children; 0: unknown */
	uint32_t reaped_kb;

	/* The cache lines that the worker writes. */
	_Alignas(SCOREBOARD_LINE) _Atomic uint32_t worker; /* enum worker_state */
	/*
	 * The errno of work that failed, or 0. EILSEQ: a wrong result. ECANCELED: the work did not
	 * begin, because the run was stopped or a task could not be created.
	 */
	int32_t error;
	int32_t pid, tid;
	int16_t cpu_first, cpu_last;
	int32_t signal;	       /* the signal that ended the worker, or 0 */
	_Atomic int32_t child; /* PID of the process that runs the worker's program; 0: none */
	uint64_t start_ns, work_ns, finish_ns;
	uint64_t result;  /* result of the work: divisors, bytes copied */
	uint64_t checked; /* bytes read only to check the work */
	/* getrusage(RUSAGE_THREAD) at the worker's end */
	struct clock_usage usage;
	/*
	 * Peak of the process's own resident memory until the worker's end, KiB; 0: unknown. The
	 * kernel keeps the peak with the address space, and a forked child begins a new one.
	 */
	uint32_t peak_kb;
	int64_t delay_ns; /* time runnable without a core, for tasks with a ring; -1: unknown */
	uint64_t address; /* Address of the fault, if the worker crashed. */
	/*
	 * The members from here on are only for leaves, and are 0 in the slots of other tasks.
	 * known: bits of enum slot_known, which say what values are valid and what the program did.
	 */
	uint32_t known;
	int32_t count_error; /* errno if counts were requested but are missing, or 0 */
	uint32_t migrations; /* moves between cores, counted by the kernel */
	uint32_t tasks;	     /* number of handed-out pieces of work that the worker has done */
	struct work_steps steps;
	/* Counts of the processor during the work; -1: the machine has no such counter. */
	int64_t count[COUNTERS];
};

enum slot_known {
	KNOWN_MIGRATIONS = 1,
	KNOWN_COUNTS = 2,
	KNOWN_CHILDREN = 4, /* The program had children and waited for them. */
	KNOWN_THREADS = 8,  /* The program had more than one thread. */
};

enum board_state {
	BOARD_SETUP, /* The front end has filled in the request. */
	BOARD_READY, /* The runner has read the request, has prepared the work, and waits for go. */
	BOARD_CREATING, /* The run has begun: begin_ns is valid. */
	/* All workers wait at the barrier for their memory to be read: hold_ns is valid. */
	BOARD_HOLDING,
	/* The tasks that waited at the barrier were released: go_ns is valid. */
	BOARD_RUNNING,
	BOARD_DONE, /* The run succeeded, or stop was set: end_ns and totals are valid. */
	/*
	 * The run failed: failure_* are valid, and so are end_ns and totals if the run had begun.
	 */
	BOARD_FAILED,
};

/*
 * Exit statuses of a runner that has no board to report on: BOARD_EXIT plus the errno. BOARD_EXIT
 * alone: the board is of another version, or the errno exceeds BOARD_EXIT_ERRNO. Statuses 126 and
 * 127 are avoided, because loaders use them for a program that they cannot start.
 */
enum { BOARD_EXIT = 64, BOARD_EXIT_ERRNO = 61 };

/*
 * The stage in which a run first failed. It shows which limit was reached, which an errno alone
 * cannot.
 */
enum board_stage {
	STAGE_NONE,
	/* The request cannot be run, or the runner could not pin itself or set up its signals. */
	STAGE_SETUP,
	STAGE_FILE,    /* The file that io workers copy could not be made. */
	STAGE_PREPARE, /* Ballast and shared memory, made before any task is created. */
	STAGE_CREATE,  /* The task of failure_slot and the following ones could not be created. */
	/* The work of failure_slot failed. EOWNERDEAD: the task died; wait_status says how. */
	STAGE_WORK,
	STAGE_JOIN,    /* A task could not be joined. */
	STAGE_SINK,    /* Not every line arrived complete: see the totals. */
	STAGE_TASKS,   /* Not every piece of work was done exactly once: see board_tasks. */
	STAGE_CLIENTS, /* The clients of a server ended without a report. */
};

/* After BARRIER_CANCELLED, tasks that wait at the barrier end without working. */
enum board_barrier { BARRIER_CLOSED, BARRIER_OPEN, BARRIER_CANCELLED };

/* Where hello workers write. */
enum board_sink {
	SINK_PIPE, /* A process outside the model empties the pipe and counts the lines. */
	SINK_FILE, /* An unnamed file in tmp_dir. The lines are counted after the run. */
	SINK_NULL, /* /dev/null. Lines are not counted. */
};

/* The request of a run. The front end writes it before the runner starts. */
struct board_request {
	struct plan plan;
	uint64_t work_size[WORK_KINDS]; /* Amount of work of each worker, in the kind's own unit. */
	uint64_t alloc;	     /* Bytes that a cpu worker allocates and frees in each step. */
	uint64_t stack_size; /* Stack size of threads, bytes; 0: the system's. */
	/*
	 * Longest time for which all tasks are held at the barrier, so that the front end can read
	 * their memory, ms; 0: not held. This wait does not belong to the model, so the time from
	 * hold_ns to go_ns is subtracted from the run's time.
	 */
	uint32_t hold_ms;
	uint64_t
		ballast; /* Bytes of memory that the parent touches before the first create call. */
	uint32_t counting;     /* enum counting: how share workers increment their counter */
	uint32_t ballast_huge; /* 1: the ballast is in huge pages */
	char io_path[4096];    /* the file that io workers read: absolute, or /proc/self/fd/N */
	/* io_path is tuibench's own file, which the runner makes as long as work_size requires. */
	bool make_io_file;
	char hello_path[4096]; /* the program for posix_spawn and exec: see hello_program.h */
	char own_path[4096];   /* the shared object of --own; "": none */
	/* The program that program workers run: its path, and its words, each with its NUL byte. */
	char program_path[4096], program_words[4096];
	uint32_t program_n;
	/* Files for the programs' standard input and output; "": programs inherit the runner's. */
	char input_path[4096], output_path[4096];
	/* descriptor for the programs' output, instead of output_path; 0: none */
	int32_t output_fd;
	bool ignore_failure; /* A program's exit status other than 0 counts as success. */
	/* The front end will end the programs with SIGTERM, after -s for=TIME. */
	bool timed;
	bool wait_all;	    /* The run ends with the last process that the programs started. */
	char tmp_dir[4096]; /* Directory for the unnamed files that workers write. */
	uint32_t sink;	    /* enum board_sink */
	uint32_t via;	    /* enum via: how workers hand over a token or message */
	uint32_t fibers;    /* number of fibers of one worker with VIA_UCONTEXT */
	uint32_t senders, receivers; /* message: number of senders, and of receivers, in a group */
	uint32_t cache;		     /* enum work_cache */
	int32_t hold_fd;	     /* an eventfd, written when all tasks are held; 0: none */
	int32_t cgroup_fd; /* cgroup.procs of the cgroup that the runner joins; 0: no cgroup */
	bool niced;	   /* The tasks get the niceness `nice`. */
	int32_t nice;	   /* the niceness */
	int32_t policy;	   /* SCHED_* of the tasks (sched(7)) + 1; 0: inherited */
	uint32_t quota;	   /* CPU limit of the tasks, in thousandths of a CPU; 0: no limit */
	int32_t quota_fd;  /* cgroup.procs of the cgroup with the quota; 0: no limit */
	cpu_set_t pin;	   /* CPUs of the run; empty: all CPUs */
	uint32_t slices;   /* entries of each task's ring, a power of two; 0: no rings */
	/* Amount of work, in ns, after which a worker checks whether it has been off its core. */
	uint64_t tick_ns;
	bool marked;	   /* The kernel marks absences from a core, see work_tick.h. */
	bool migrations;   /* Workers report how often they moved to another core. */
	uint32_t counters; /* enum counters_kind: the events that workers count */
	uint32_t fault;	   /* enum fault_kind: the fault that the worker of fault_slot commits */
	/* fault_percent: share of its work that the worker does before the fault */
	uint32_t fault_slot, fault_percent;
	struct mistakes mistakes;
	struct serving serving; /* For a plan with a server. Token workers use only wait_ns. */
};

/*
 * All members must be uint64_t, because is_sane() reads the struct as an array.
 * The totals run from just before the first create call to just after the last join.
 */
struct board_totals {
	/*
	 * Usage of the model's tasks and their parent. With programs, only the usage of the
	 * programs' processes.
	 */
	struct clock_usage usage;
	/* Usage of the runner itself, if it starts and reaps programs; otherwise 0. */
	struct clock_usage starter;
	/* CPU times of the whole machine, from /proc/stat; UINT64_MAX: the file cannot be read. */
	uint64_t stat_user_us, stat_system_us;
	/* Peak resident memory of the runner (VmHWM) during the run; UINT64_MAX: unknown. */
	uint64_t peak_kb;
	/* Bytes from /proc/self/io; UINT64_MAX if the kernel does not provide them. */
	uint64_t read_bytes, written_bytes; /* rchar, wchar */
	/*
	 * Bytes read from and written to disks. Data of files that were removed before it reached
	 * the disk is not included.
	 */
	uint64_t disk_read_bytes, disk_written_bytes;
	/*
	 * Lines of hello workers: number written, number found complete, number found torn.
	 * UINT64_MAX: not counted.
	 */
	uint64_t said, lines, torn;
	/*
	 * CPU time of the process that emptied the hello workers' pipe; UINT64_MAX: no such
	 * process.
	 */
	uint64_t drain_us;
};

/* The pieces of work that are handed out, numbered from 0. Used only by the runner's tasks. */
struct board_tasks {
	_Alignas(SCOREBOARD_LINE) _Atomic uint32_t
		next; /* Number of the piece that a pool hands out next. */
	/* Number of threads that have ended after their one piece of work. A futex word. */
	_Alignas(SCOREBOARD_LINE) _Atomic uint32_t ended;
	/*
	 * done: number of pieces done. numbers: sum of their numbers, by which a piece that was
	 * done twice is found. The tally has the time of each piece.
	 */
	_Alignas(SCOREBOARD_LINE) _Atomic uint64_t done, numbers;
};

/*
 * Report of a server's clients, valid once the run has ended. The tally has the times of requests.
 */
struct board_served {
	uint64_t requests, failed; /* Number of requests answered, and not answered. */
	uint64_t span_ns;	   /* Time from the first request to the last reply. */
};

struct scoreboard {
	uint32_t magic, version;
	uint32_t slots; /* plan_count(&request.plan) */
	uint32_t slot_size;
	struct board_request request;
	/*
	 * The front end writes these members, and the runner reads them. They begin a new page,
	 * because the front end has private copies of all earlier pages.
	 */
	/* A futex word that both programs share. 1: begin the run. */
	_Alignas(SCOREBOARD_PAGE) _Atomic uint32_t go;
	_Atomic uint32_t
		stop; /* 1: create no more tasks, begin no more work, and join the existing tasks */
	/* 1: the front end is ending the programs of a timed run, so their end is no failure */
	_Atomic uint32_t cut;
	_Atomic uint32_t hold_over; /* A futex word. 1: the memory of the held tasks was read. */
	/* The runner writes these members, and the front end reads them. */
	/*
	 * 1: the runner has joined its cgroup, so its memory is charged to that cgroup from now on
	 */
	uint32_t joined;
	/* The file for io workers: bytes written, and its size. 0 and 0: there is no file. */
	_Atomic uint64_t prepared, to_prepare;
	_Atomic uint32_t state; /* enum board_state */
	uint64_t begin_ns;	/* Time just before the first create call. */
	uint64_t hold_ns;	/* Time since which all workers are held; 0: they are not held. */
	uint64_t go_ns;	 /* Time at which the barrier opened; 0 in plans without a barrier. */
	uint64_t end_ns; /* Time just after the last join. */
	struct board_totals totals;
	/*
	 * Processes that programs started and that outlived their parents. adopted: how many the
	 * runner reaped. left: how many still ran at the end of the run.
	 */
	uint32_t adopted, left;
	uint32_t failure_stage; /* enum board_stage */
	int32_t failure_errno;
	uint32_t failure_slot;	/* The task that failed; PLAN_ROOT: none. */
	char failure_path[256]; /* Path of the file that failed, or "". */
	void *ballast_at;	/* Address of the ballast in the runner and its forks; 0: none. */
	/*
	 * The members from here to `lock` are for the runner's own tasks, which synchronize by
	 * them.
	 */
	_Alignas(SCOREBOARD_LINE) _Atomic uint32_t
		arrived; /* A futex word: number of tasks that have arrived at the barrier. */
	_Atomic uint32_t
		failed; /* 1: a task has failed. Only the first to set it fills failure_*. */
	/*
	 * fault_ns: time of the fault; 0: not yet. fault_file and fault_shm: names of the file and
	 * the shared memory object that the faulty worker leaves behind; "" before the fault. lock:
	 * ID of the thread that holds the lock; 0: the lock is free.
	 */
	_Atomic uint64_t fault_ns;
	_Atomic uint32_t faulted; /* A futex word. 1: fault_ns is valid. */
	char fault_file[4096 + 64], fault_shm[64];
	_Atomic uint32_t lock;
	/*
	 * 1: the front end has ended all processes of the run. If the front end is killed before it
	 * does so, a process of the runner program ends them, see runner/lifeline.c.
	 */
	_Atomic uint32_t closed;
	/* Bytes of /proc and perf that workers read to report on themselves. */
	_Atomic uint64_t report_bytes;
	_Alignas(SCOREBOARD_LINE) _Atomic uint32_t barrier; /* enum board_barrier; a futex word */
	/* Durations of the workers' operations, for plans that record them: plan_operates(). */
	_Alignas(SCOREBOARD_LINE) struct tally tally;
	struct board_tasks tasks;
	struct board_served served;
	_Atomic int32_t clients; /* the process of a server's clients, 0: none */
	_Atomic uint32_t port;	 /* TCP port on which a server listens; 0: none. */
	/*
	 * For a server with idle connections: PSS of its processes in KiB before the first
	 * connection, and when only the idle ones are open; UINT64_MAX: unknown.
	 */
	uint64_t before_pss_kb, idle_pss_kb;
	/*
	 * Incremented by each worker that begins to accept connections, and by each connection on
	 * which the server begins to wait for a request. Never decremented.
	 */
	_Alignas(SCOREBOARD_LINE) _Atomic uint32_t ready;
	/* Times of some requests, for servers whose workers serve several requests. */
	_Alignas(SCOREBOARD_LINE) struct serving_marks marks;
	struct worker_slot slot[];
};

/* Bytes of a scoreboard for that number of tasks, each with a ring of `slices` slices. */
size_t scoreboard_size(uint32_t slots, uint32_t slices);
/* The ring of a task; NULL if it has none. */
struct slices *scoreboard_slices(struct scoreboard *board, uint32_t slot);
/*
 * Creates a scoreboard for the request in a memfd, maps it shared and faults in all pages that both
 * programs write. The front end's copies of the request and of the sizes are on private pages, so a
 * runner that writes to the board cannot change them. This protection is missing where pages are
 * larger than SCOREBOARD_PAGE. The caller owns *fd (close-on-exec); scoreboard_close() unmaps
 * *board. Returns 0 or -errno (-EOVERFLOW if plan_count() is 0).
 */
int scoreboard_create(const struct board_request *request, struct scoreboard **board, int *fd);
/*
 * Maps the scoreboard of fd and checks its magic number, version and size. Returns 0, -EPROTO or
 * -errno.
 */
int scoreboard_open(int fd, struct scoreboard **board);
void scoreboard_close(struct scoreboard *board);
enum board_state scoreboard_state(const struct scoreboard *board);

/*
 * futex(2) on a word of the board. scoreboard_wait() sleeps while the word equals `value`, at most
 * until the timeout (NULL: no limit). Returns 0 or -errno (-EAGAIN, -EINTR, -ETIMEDOUT); in every
 * case the caller must check the word again. scoreboard_wake() wakes all sleepers.
 */
int scoreboard_wait(_Atomic uint32_t *word, uint32_t value, const struct timespec *timeout);
void scoreboard_wake(_Atomic uint32_t *word);

/* Reports that the memory of held tasks was read: sets hold_over and wakes the runner. */
void scoreboard_end_hold(struct scoreboard *board);
/*
 * Begins the run: scoreboard_release() sets go and wakes the runner, which sleeps in
 * scoreboard_await_release().
 */
void scoreboard_release(struct scoreboard *board);
void scoreboard_await_release(struct scoreboard *board);
