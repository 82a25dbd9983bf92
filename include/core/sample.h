/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/machine.h"
#include "core/command_words.h"
#include "core/fields.h"
#include "core/plan.h"
#include "core/reason.h"
#include "core/variables.h"

/*
 * The only currency between a source, the log and the model: plain values, no state. A sample is
 * of one kind; what its pointers point at belongs to the source until its next call.
 * Session times count in ns from the session's start; a run's times from the run's begin (its
 * first create call). -1 (or NaN in doubles) is "not known" or "not yet".
 */

#define SAMPLE_LABEL 64
#define SAMPLE_TEXT  512
/* Bytes of a command line: of tuibench itself, and of a program that it runs. */
#define SAMPLE_COMMAND COMMAND_BYTES
/* Bytes of a model's name, in a join of recordings with " @" and whose it is. */
#define SAMPLE_MODEL (2 * SAMPLE_LABEL + 2)
/* Bytes of the name of any case, "threads workers=4 alloc=400": its model and its variables. */
#define SAMPLE_NAME (SAMPLE_MODEL + VARIABLES_TEXT)
/* The kernel's ticks in a task from which its user and its system time are right. */
#define SAMPLE_SPLIT_TICKS 50
/* Cases of a session at most. */
#define SAMPLE_MAX_CASES 64

/* The page cache of what its workers read. */
enum sample_cache {
	SAMPLE_CACHE_UNKNOWN, /* of old */
	SAMPLE_CACHE_WARM,
	SAMPLE_CACHE_COLD,
	SAMPLE_CACHE_ONCE_COLD, /* in the session's first run alone */
	SAMPLE_CACHES
};

/* A column of the screen: one model with one set of variables. Runs repeat cases. */
struct sample_case {
	char model[SAMPLE_MODEL]; /* "threads", "threads#2", "hybrid:2x4" */
	struct variables variables;
	struct plan plan;
	uint64_t stack_size; /* of its threads, bytes; 0: the system's */
	uint8_t counting;    /* enum counting, of the runs to come; the log has it as a variable */
	uint64_t ballast;    /* touched memory in their creator, bytes */
	/* The work of one worker of each kind, in the kind's unit; 0: there is none. */
	uint64_t work_size[WORK_KINDS];
	/* With the cache unknown these two are not known either. */
	uint8_t cache;	/* enum sample_cache */
	bool pinned;	/* to cores that the user has chosen */
	uint64_t alloc; /* blocks that a cpu worker takes and gives back a chunk */
	char place[16]; /* by which its CPUs were chosen: "spread"; "": not by the topology */
	uint8_t via;	/* enum via: how its workers hand something over */
	cpu_set_t cpus; /* on which it runs, where they were chosen; else empty */
	struct mistakes mistakes;
	/* The program of its workers with its arguments, as it was given; "": none, or of old */
	char command[SAMPLE_COMMAND];
};

/* The first sample of every session. */
struct sample_session {
	char version[32];	       /* of the tuibench that recorded it */
	char experiment[SAMPLE_LABEL]; /* "mixed" */
	char title[SAMPLE_LABEL];      /* "6 cpu + 2 io" */
	char options[SAMPLE_COMMAND];  /* its command line, quoted for a shell */
	int64_t wall_s;		       /* seconds since the epoch at the start */
	uint32_t trials, warmup;       /* per case */
	uint32_t interval_ms;	       /* of the ticks */
	int64_t seed;		       /* of what is drawn in the order; -1: nothing is */
	struct machine machine;
	/* The program at the terminal's other end, "tmux: server"; "": none, or not seen. */
	char terminal[SAMPLE_LABEL];
	char sched[SAMPLE_LABEL]; /* the source of slices: "own", "perf", "off"; "": of old */
	int64_t sched_ns;	  /* the least time off a core that it sees; -1: it sees none */
	/* Whether it sees wake-ups: SAMPLE_WAKES; else why it does not; "": of old */
	char wakes[SAMPLE_LABEL];
	/*
	 * Whom the processor's counters count: "user", the work without the kernel; else why there
	 * are none, in words; "": of old.
	 */
	char counters[SAMPLE_LABEL];
	char sched_perf[SAMPLE_LABEL]; /* SAMPLE_PERF; why the kernel's records cannot be had; "" */
	/* Which CPUs share a core, a package, a node, as in topology/topology.h; "": not known */
	char topology[SAMPLE_TEXT];
	/* What surrounds its runs, as in base/environment.h; "": not known */
	char environment[SAMPLE_TEXT];
	/* What built the runner, "gcc 12.2.0 -O2 -g"; the commit, "" of a release */
	char compiler[SAMPLE_LABEL * 2], commit[SAMPLE_LABEL];
	char settings[SAMPLE_TEXT];  /* "alloc=0,400;nice=5"; "": none, or not known */
	char tasks_by[SAMPLE_LABEL]; /* SAMPLE_TASKS_PERF and the like; "": nobody looked */
	int64_t wall_ns;	     /* behind wall_s, less than a second; -1: of old */
	uint32_t cases;
	const struct sample_case *cases_list;
};

struct sample_run {
	uint32_t run;	/* from 0, in the order they ran */
	uint32_t trial; /* counted ones from 1; 0: a warm-up */
	uint32_t case_id;
	uint32_t planned; /* runs planned in all, as of now */
};

/* Shares of one core in 0.1 %, since the previous tick; all -1: offline or not known. */
struct sample_core {
	int16_t cpu;
	int16_t user, system, iowait, steal; /* user with nice, system with interrupts */
	int16_t mhz; /* of one that was at work; read about once a second of the runs, else -1 */
};

/* How a figure of memory was seen; -1: not known, as in recordings of old versions. */
enum sample_seen {
	SEEN_START,   /* read at the start gate, before the work */
	SEEN_SAMPLED, /* the most of some readings during the work */
	SEEN_PEAK,    /* the kernel's own peak of the one process */
	SEEN_PEAKS,   /* at most: the sum of the peaks of processes that worked at the same time */
	SEEN_LEAST,   /* the most of some readings, or of some tasks; the peak may be far above */
	SEEN_MOST,    /* an upper bound: nothing came near the peak */
	SEEN_WAYS
};

/* What such a figure says of the true one. */
enum sample_bound {
	BOUND_NONE, /* it is not known how it was seen, or it was counted */
	BOUND_LEAST,
	BOUND_PEAK,
	BOUND_MOST,
};

/* The memory of the model's own tasks, KiB, without the scoreboard that tuibench itself maps. */
struct sample_memory {
	int64_t rss_kb;	   /* summed over processes, as top does: shared pages count each time */
	int64_t pss_kb;	   /* shared pages divided among those that map them */
	int64_t uss_kb;	   /* pages that no other process maps */
	int64_t kernel_kb; /* all that the kernel itself takes for the tasks: the sum of its parts
			    */
	bool estimated;	   /* pss and uss extrapolated from some of the processes */
	bool kernel_estimated; /* kernel_other_kb is what such tasks took before the session */
	int64_t kernel_tables_kb, kernel_stacks_kb;
	int64_t kernel_other_kb; /* slab and the like; -1: kernel_kb lacks it, as of old */
	/* enum sample_seen, of a run's peaks; pss_seen is that of USS as well */
	int16_t rss_seen, pss_seen, kernel_seen;
};

enum sample_status {
	SAMPLE_OK,
	SAMPLE_FAILED,	    /* a wrong result, an errno */
	SAMPLE_CRASHED,	    /* ended by a signal */
	SAMPLE_INTERRUPTED, /* stopped from outside before it was done */
	SAMPLE_REFUSED,	    /* a worker that could not be created */
	SAMPLE_RUNNING,	    /* not over yet */
};

/*
 * The state of one worker, as known by now; ns since the run's begin. It is small, since many are
 * kept.
 */
struct sample_worker {
	int64_t create_ns, created_ns, start_ns, work_ns, finish_ns, join_ns;
	uint64_t result;
	uint32_t user_us, system_us, minflt, nvcsw, nivcsw; /* 0 until finish_ns is known */
	int32_t pid, tid;
	int32_t delay_us; /* it could run and had no core, schedstat's run delay; -1: not known */
	int16_t cpu_first, cpu_last;
	int16_t creator_cpu; /* of its creator when it called */
	uint8_t status;	     /* enum sample_status */
	uint8_t pad;	     /* 0: workers are compared as bytes */
	/*
	 * From here on: what most workers lack, which a model keeps apart (MODEL_COUNTS). First by
	 * the processor, of the work alone and without the kernel's part; -1: not known.
	 */
	int64_t cycles, instructions, cache_misses, tlb_misses;
	uint32_t majflt;    /* 0 until finish_ns is known */
	int32_t migrations; /* from core to core, by the kernel's count; -1: not known */
	int32_t tasks;	    /* pieces that it did of work that is handed out; -1: none is */
	int16_t error;	    /* errno or signal number that goes with the status, 0 */
	uint8_t pads[2];    /* 0 */
};

/* A worker reports its usage at its end; one that was cut off does not. */
static inline bool sample_worker_told(const struct sample_worker *worker)
{
	return worker->finish_ns >= 0 &&
	       (worker->status == SAMPLE_OK || worker->status == SAMPLE_FAILED);
}

/* The reason why a slice ended: what the worker does until its next one. */
enum sample_why {
	WHY_UNKNOWN,
	WHY_PREEMPTED, /* it waits for a core */
	WHY_BLOCKED,   /* it waits for something else; then for a core, see ready_ns */
	WHY_ENDED,     /* it has none */
	WHYS
};

/* Who made a task able to run that was blocked, or not there yet. */
enum sample_woken {
	WOKEN_UNKNOWN,
	WOKEN_BY_MAIN,	    /* the run's first task: it creates, opens the gate and joins */
	WOKEN_BY_WORKER,    /* see waker */
	WOKEN_BY_INTERRUPT, /* a disk, a timer, another core */
	WOKEN_BY_OTHERS,    /* another program, or a task of the kernel's own */
	WOKENS
};

/* sample_session.wakes where wake-ups are seen. */
#define SAMPLE_WAKES "sched_waking"
/* The same where nobody has mounted the file system that describes tracepoints. */
#define SAMPLE_NO_TRACEFS "there is no tracefs"
/* sample_session.sched_perf where the kernel's records are allowed. */
#define SAMPLE_PERF "allowed"

/* The worker of a slice of others: a core had tasks that are none of the run's, one or several. */
#define SAMPLE_OTHERS UINT32_MAX

/*
 * A task's slices that come from schedstat span at least this: in less the kernel's moments of
 * counting show, since it counts a wait when that ends.
 */
#define SAMPLE_SCHEDSTAT_NS 50000000

/* What a blocked task of a command waited for; 0 and less: not known. Recordings have the number.
 */
enum sample_wait {
	WAIT_SEVERAL = 1, /* in one slice of schedstat */
	WAIT_FILE,
	WAIT_PIPE,
	WAIT_SOCKET,
	WAIT_TERMINAL,
	WAIT_EVENTS, /* whichever of its files is ready first: poll, epoll, an eventfd */
	WAIT_SLEEP,
	WAIT_CHILD,
	WAIT_THREAD, /* until it ends */
	WAIT_SIGNAL,
	WAIT_PAGE, /* of memory, outside of a system call */
	WAIT_OTHER,
	WAIT_GIL, /* Python's lock of its interpreter */
	WAITS,
	WAIT_LOCK = 100 /* a futex; + n: lock n */
};

/* So many locks of a run have numbers. */
#define SAMPLE_MOST_LOCKS 10000

/* A worker on a core; ns since the run's begin. A worker's come in order, and never overlap. */
struct sample_slice {
	int64_t on_ns, off_ns; /* off_ns -1: it is still on it */
	uint32_t index;	       /* the worker, or SAMPLE_OTHERS */
	int16_t cpu;	       /* -1: not known */
	uint8_t why;	       /* enum sample_why */
	bool open;	       /* not final: a later sample replaces it */
	int32_t waker;	       /* the worker that woke it before; -1: none, or not known */
	uint8_t woken;	       /* enum sample_woken: who did */
	int16_t waited;	       /* enum sample_wait, before it */
	int64_t ready_ns;      /* since when it could run and waited for this core; -1: not known */
};

/* A thread's or program's name, as the kernel keeps it (TASK_COMM_LEN). */
#define SAMPLE_TASK_NAME 16
/* So many tasks of the commands of one run are kept. */
#define SAMPLE_MOST_TASKS 100000u

/*
 * A task of a command: a process, or a thread of one (its tid is not its pid). Its index goes on
 * where those of the plan's workers end, so that a slice names either. ns since the run's begin.
 */
struct sample_task {
	uint32_t index;
	uint32_t worker; /* whose command it belongs to */
	/* The index of its creator's process, of a thread its own process; -1: the command's first.
	 */
	int32_t parent;
	int32_t pid, tid;
	int32_t exit_status;	     /* as a shell has it, 128 + n of signal n; -1: not known */
	int64_t begin_ns, end_ns;    /* end_ns -1: it goes on */
	int64_t cpu_ns;		     /* when it had ended; -1: not known */
	int64_t waited_ns;	     /* when it was last seen blocked; -1: it was not */
	int16_t waited;		     /* on what then, enum sample_wait */
	char name[SAMPLE_TASK_NAME]; /* ""; not known */
};

/* sample_session.tasks_by: how the tasks of commands are found. */
#define SAMPLE_TASKS_PERF      "perf"
#define SAMPLE_TASKS_CONNECTOR "connector"
#define SAMPLE_TASKS_POLLING   "polling"

struct sample_change {
	uint32_t index; /* in the case's plan */
	struct sample_worker worker;
};

struct sample_tick {
	uint32_t n_cores;
	const struct sample_core *cores;
	bool in_run; /* what follows belongs to the run that is going on */
	struct sample_memory memory;
	int64_t tasks;	    /* tasks alive as the kernel counts them; -1 unknown */
	uint32_t n_workers; /* those that changed since the previous tick */
	const struct sample_change *workers;
	uint64_t self_cpu_us; /* the front end's own CPU time since the session's start */
	int64_t terminal_us;  /* the terminal's since then; -1: not known */
	/* Of a run of programs, see sample_totals. */
	int32_t children, threads, processes;
	int64_t throttled_periods, throttled_us; /* see sample_totals, as far as now */
	uint32_t lost;				 /* ticks that had to be skipped before this one */
	bool paused;
	/* Bytes of the file that is made before the run; 0 of 0: none is, or a recording. */
	uint64_t prepared, to_prepare;
};

/* Where programs write. */
enum sample_output { OUTPUT_NULL, OUTPUT_PIPE, OUTPUT_FILE };

/* The end of a run: times in ns, KiB, µs; -1 where unknown. */
struct sample_totals {
	uint8_t status;	    /* enum sample_status of the run */
	bool paused;	    /* it was stopped in between: not a measurement */
	int64_t begin_ns;   /* of the run on the session's clock */
	int64_t wall_ns;    /* the same on the clock of the day, since the epoch; -1: not known */
	int64_t go_ns;	    /* gate opened, since begin; -1 without a gate */
	int64_t elapsed_ns; /* first create to last join, without held_ns */
	int64_t held_ns;    /* all were held for their memory to be read; 0: were not */
	int64_t create_ns;  /* first create to the last create's return */
	uint32_t workers;   /* tasks of the plan */
	uint32_t created, finished, joined, failed, peak_alive;
	int64_t user_us, system_us, minflt, majflt, nvcsw, nivcsw;
	int64_t read_kb, written_kb, disk_read_kb, disk_written_kb;
	int64_t hello_lines;	     /* of hello workers that arrived whole; -1: not counted */
	struct sample_memory memory; /* peaks */
	int64_t self_cpu_us;	     /* the front end's own, during the run */
	/*
	 * The use of the run's cores by other programs, and what a host withheld, in 0.1 %. It
	 * counts from before the run's program started until it had gone.
	 */
	int16_t others, steal;
	/*
	 * What /proc/stat counted of the whole machine from the first create to the last join,
	 * without the front end.
	 */
	int64_t stat_user_us, stat_system_us;
	/*
	 * Core time that is neither the model's nor the front end's: of what empties the pipe of
	 * hello workers, and of the whole process at the other end of the terminal. -1: there is
	 * none, or it is not known.
	 */
	int64_t drain_us, terminal_us;
	int64_t checked_kb;  /* of read_kb, what the workers read only to check their work */
	int64_t slices_lost; /* for want of room; -1: none were looked for */
	/* The sums of those that work; -1 where one of them is not known. */
	int64_t migrations, cycles, instructions, cache_misses, tlb_misses;
	/*
	 * Of a run in which one worker committed a fault: which, the worker, when, how long after
	 * that its creator learnt of it (-1: never), how many workers finished, and what was left.
	 */
	uint32_t fault; /* enum fault_kind */
	int32_t fault_worker;
	int64_t fault_ns, told_ns, survived;
	int64_t wrong_results; /* and how many finished with a wrong result; -1: as of old */
	uint32_t left;	       /* bits of enum fault_left */
	/* The workers' operations, see tally.h: how many, and their time; -1: they record none. */
	int64_t operations, operations_ns, operation_min_ns, operation_max_ns;
	/*
	 * Of workers that do one operation many times, see plan_step(): how many, in how much time
	 * of theirs on a core, and from the first one's begin to the last one's end; their page
	 * faults; memory that was copied for them, KiB. -1: not known, or there are none.
	 */
	int64_t steps, steps_ns, steps_span_ns, steps_faults, copied_kb;
	/*
	 * Pieces of work that were handed out and done, and what creating who does one takes, for
	 * each; -1: none are.
	 */
	int64_t tasks, task_create_ns;
	/* Jain's index of the workers' rates, in 0.1 %: 1000, all counted as fast as another. */
	int64_t fairness;
	int64_t messages;  /* that arrived, as their receivers counted; -1: none are sent */
	int64_t cgroup_kb; /* the peak of the run's own cgroup, the kernel's part included; -1 */
	/*
	 * Of programs that were run, the most that were seen of one at a time: its children, and
	 * its own threads. -1: there was no program, or nobody looked. And the most processes whose
	 * memory was read at once, of them and all that they created; -1: not all could be read.
	 */
	int32_t children, threads, processes;
	int64_t increments_lost; /* of workers that count together; -1: none do, or as of old */
	/*
	 * By cpu.stat of the run's cgroup: the periods in which its quota kept it from a CPU, and
	 * how long, summed over the CPUs and counted once it may run again. -1: it has no quota.
	 */
	int64_t throttled_periods, throttled_us;
	int64_t energy_uj; /* of all the processors, with all else that they did; -1 unknown */
	/*
	 * The tasks that the commands created, their first processes included, and how many more
	 * are in no row: for want of room, or because a record of it was lost. -1: nobody looked,
	 * or nobody knows how many were lost.
	 */
	int64_t tasks_created, tasks_lost;
	/*
	 * Processes that programs, or --own, had started and that still ran when the run ended;
	 * they were ended then. -1: there are neither, or as of old.
	 */
	int32_t left_running;
	/*
	 * Why its memory, and its CPU time, faults and switches, are not known, enum reason; 0:
	 * they are; -1: as of old.
	 */
	int16_t memory_reason, usage_reason;
	/* Of a warm-up: programs read their standard input, and it was empty. 1, 0; -1: not known
	 */
	int16_t read_nothing;
	int16_t program_output;	       /* enum sample_output; -1: no programs, or as of old */
	char others_who[SAMPLE_LABEL]; /* "cc1 480 ms, sshd 12 ms"; "": not known */
	char reason[256];	       /* one line when status is not SAMPLE_OK, "" */
	/* The trial that this run ends was crowded or paused: it does not count, and is repeated.
	 */
	bool repeated;
	/* Trials of each case that the interim analyses plan, as of now; 0: those of the session.
	 */
	int32_t planned_trials;
};

/*
 * Whether other programs took more than a fifth of the run's cores, beyond the tick a core by which
 * their share may be off in a short run. It looks at their load, never at the run's own times.
 */
bool sample_is_crowded(const struct sample_totals *totals, int32_t clock_ticks);

/* So many operations took so long: from this time to the next bucket's, see tally.h. */
struct sample_bucket {
	int64_t from_ns, count;
};

enum sample_severity { SAMPLE_INFO, SAMPLE_WARNING, SAMPLE_ERROR };

/* The kind of a message that is read by the program as well: its text may be worded anew. */
enum sample_message_kind {
	MESSAGE_OTHER,
	MESSAGE_STACKS, /* advises to try other stacks */
	MESSAGE_NO_PSS, /* PSS and USS cannot be read */
	MESSAGE_QUICK,	/* what few trials can still find, or why there are no more */
	MESSAGE_RUN,	/* why a run went wrong, which its end says as well */
	MESSAGE_HALTED, /* somebody else has stopped a part of the run */
	MESSAGE_KINDS
};

enum sample_kind {
	SAMPLE_SESSION,	  /* session */
	SAMPLE_RUN_BEGIN, /* run */
	SAMPLE_TICK,	  /* tick */
	SAMPLE_SLICES,	  /* run, slices: those that ended since the sample before */
	SAMPLE_TASKS,	  /* run, tasks: of commands, new ones and those that changed */
	SAMPLE_RUN_END,	  /* run, totals; also workers: all that changed since the last tick */
	SAMPLE_MESSAGE,	  /* severity, kind, text */
	SAMPLE_DONE,	  /* the session is over: nothing more is planned */
};

struct sample {
	enum sample_kind kind;
	int64_t time_ns; /* on the session's clock */
	struct sample_run run;
	union {
		struct sample_session session;
		struct sample_tick tick;
		struct {
			uint32_t n;
			const struct sample_slice *list;
		} slices;
		struct {
			uint32_t n;
			const struct sample_task *list; /* a new one has the next index */
		} tasks;
		struct {
			struct sample_totals totals;
			uint32_t n_workers;
			const struct sample_change *workers;
			uint32_t n_buckets; /* in the order of time, none of them empty */
			const struct sample_bucket *buckets;
		} end;
		struct sample_message {
			enum sample_severity severity;
			enum sample_message_kind kind;
			char text[SAMPLE_TEXT]; /* one line, no control characters */
		} message;
	};
};

/* "ok", "failed", … and back (SAMPLE_RUNNING for an unknown word). */
const char *sample_status_name(enum sample_status status);
enum sample_status sample_status_parse(const char *name);
/* As in recordings, see names_at(). */
extern const char *const sample_why_names[WHYS];
extern const char *const sample_woken_names[WOKENS];
/* "sleep", "lock 3"; "" where it is not known. Returns buf. */
char *sample_wait_name(int waited, char *buf, size_t size);
#define SAMPLE_WAIT(waited) sample_wait_name(waited, (char[16]) {0}, 16)
extern const char *const sample_message_names[MESSAGE_KINDS];
/* "start", "sampled", "peak", "peaks"; NULL for what is none. */
const char *sample_seen_name(int seen);
enum sample_bound sample_seen_bound(int seen);
/* Before a number: "≥" of a least, "≤" of a most, "" of others. */
const char *sample_seen_mark(int seen);
/*
 * The begin of a worker: its first instruction or its creator's return from the call, whichever
 * came first. -1: not known, or it never existed.
 */
int64_t sample_worker_begin(const struct sample_worker *worker);

/* Whether it began on its creator's core: 1, 0; -1: not known. */
int sample_worker_same_core(const struct sample_worker *worker);

/*
 * A case's name among the n of its session: its model, with its variables where those of the cases
 * differ; SAMPLE_NAME bytes hold it. Returns buf.
 */
char *sample_case_name(const struct sample_case *cases, uint32_t n, uint32_t case_id, char *buf,
		       size_t size);

struct sample_memory sample_memory_unknown(void);
/* A worker of which nothing is known yet. */
extern const struct sample_worker sample_worker_unknown;
struct sample_core sample_core_unknown(int cpu);

/*
 * The members of samples, under the names they have in the log; one added at the end of a table
 * becomes the last column there.
 */
extern const struct field sample_session_fields[];
extern const struct field sample_run_fields[];
extern const struct field sample_core_fields[];
extern const struct field sample_memory_fields[];
extern const struct field sample_tick_fields[];
extern const struct field sample_worker_fields[];
extern const struct field sample_totals_fields[];
extern const struct field sample_slice_fields[];
extern const struct field sample_task_fields[];
extern const struct field sample_bucket_fields[];
