/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/mark.h"
#include "core/sample_run.h"
#include "core/sample_slice.h"
#include "core/sample_task.h"
#include "core/sample_tick.h"
#include "core/scoreboard.h"
#include "live_memory.h"
#include "live_sched.h"
#include "live_slices.h"

/*
 * Tasks that outlive the runner become children of the front end, which is their subreaper. Tasks
 * with a session of their own (setsid(2), daemons) are in no process group that could be killed at
 * once. If the kernel does not list children (CONFIG_PROC_CHILDREN), none are found.
 *
 * Tasks outside the run may become children of the front end too. If it is process 1 of a
 * container, all tasks that lose their parent become its children. It may also have inherited
 * children from the program that became tuibench by execve(2); if one of those ends, the subreaper
 * gets its children. Tasks outside the run are neither ended, reaped nor counted. A child belongs
 * to the run if its session, its environment (base/mark.h) or its cgroup is the run's, or if no
 * other process could have left it.
 */

enum { LIVE_CHILDREN = 256, LIVE_ORPHANS = 4096, LIVE_TOLD = 64 };

struct live_orphans {
	pid_t before[LIVE_CHILDREN]; /* Children of the front end when the run began. */
	uint32_t n_before;
	bool alone;	      /* Every new child of the front end belongs to the run. */
	char mark[MARK_SIZE]; /* Mark of the run. */
	/* Directories of the run's own cgroups; "" or NULL if it has none. */
	const char *cgroups[2];
	uint32_t ended; /* Number of the run's tasks that were ended here. */
	/* Number of the run's tasks that were reaped here, including those ended here. */
	uint32_t reaped;
	char name[32]; /* Name of the first task with a session of its own; "" if none. */
	/* Usage of the reaped tasks and of the children that they waited for. */
	struct board_totals used;
};

/*
 * Becomes the subreaper, records the children that do not belong to the run, and makes the run's
 * mark. Call it before the runner starts.
 */
void live_orphans_begin(struct live_orphans *orphans);
/*
 * Returns a copy of envp with the run's mark, for the runner. The caller frees it. NULL if memory
 * is short.
 */
char **live_orphans_environ(struct live_orphans *orphans, char *const *envp);
/*
 * Lists at most LIVE_ORPHANS live processes that have outlived the programs that started them:
 * children of the runner that are not its workers. Call it while the runner runs.
 */
uint32_t live_orphans_look(const struct scoreboard *board, pid_t runner, pid_t *alive);
/* Whether the process belongs to the run. Call it while the runner runs. */
bool live_orphans_owns(const struct live_orphans *orphans, pid_t runner, pid_t pid);
/* Kills and reaps the runner's group, then all other tasks of the run. */
void live_orphans_end(struct live_orphans *orphans, pid_t runner);

/*
 * Processes of a run that another program has stopped (SIGSTOP), or has frozen with the freezer of
 * their cgroup. The run waits for them, so its times mean nothing.
 */

enum live_halt {
	LIVE_RUNS,
	LIVE_STOPPED, /* SIGCONT continues the process. */
	LIVE_FROZEN,  /* Only the program that froze the cgroup can thaw it. */
};

struct live_stopped {
	uint64_t looked_ns;
	uint32_t next;	      /* The worker to check next. */
	enum live_halt found; /* How a process of this run was stopped. */
};

struct live_run;

/* Values of *worker for a process without a known worker index. */
#define LIVE_STOPPED_RUNNER  UINT32_MAX
#define LIVE_STOPPED_SILENT  (UINT32_MAX - 1) /* a worker before its first instruction */
#define LIVE_STOPPED_CLIENTS (UINT32_MAX - 2)

/*
 * Returns the PID of a stopped process of the run, at most once; otherwise 0. Once a second, checks
 * the runner, a server's clients and a few workers that have not ended, different workers each
 * time. root "": the machine's own /proc. Sets *worker to the worker's index, or to one of the
 * values above.
 */
pid_t live_stopped_find(struct live_stopped *stopped, const struct live_run *run, const char *root,
			uint64_t now_ns, uint32_t *worker);
/* Whether the process of that group is stopped or frozen. A traced process counts as running. */
enum live_halt live_stopped_is(const char *root, pid_t pid, pid_t group);

/*
 * A process that cleans up if the front end is killed before it could do so: tidy_after(). It
 * removes the files of a faulty worker, kills the run's remaining processes and removes its
 * cgroups. A zeroed struct means no process.
 */

struct live_tidy {
	pid_t pid; /* 0: none */
	int fd;	   /* The process begins to clean up when this descriptor closes. */
};

/*
 * Starts the runner program as the tidier for the run with that process group, mark and cgroups.
 * Returns 0 or -errno.
 */
int live_tidy_start(struct live_tidy *tidy, const char *runner, int board_fd, pid_t group,
		    const struct live_orphans *orphans);
void live_tidy_end(struct live_tidy *tidy);

/* A process that empties the pipe to which programs write. A zeroed struct means no process. */
struct live_drain {
	pid_t pid;   /* 0: none */
	int said_fd; /* memory file with the line to find; valid if pid is set */
};

/*
 * Starts the runner program as the drain. *fd: the end of the pipe to write to. metric: name of the
 * line that the drain looks for, or NULL. Returns 0 or -errno.
 */
int live_drain_start(struct live_drain *drain, const char *runner, const char *metric, int *fd);
/*
 * Waits until the drain has read everything. If line is not NULL, it gets the line that the drain
 * found, "" if none. Returns the drain's CPU time in µs, -1 if there is no drain.
 */
enum { LIVE_LINE = 256 };
int64_t live_drain_end(struct live_drain *drain, char line[LIVE_LINE]);
/*
 * Reads the text NAME VALUE UNIT that programs printed: from a line of the drain or, if the
 * programs wrote to a file, from the file. If there is no such number, why gets a line for the
 * user.
 */
void live_printed_read(struct live_run *run, const char *line, struct sample_totals *totals,
		       char *why, size_t size);

/*
 * One run as the front end sees it: the runner program, the scoreboard, and the run's end. Whatever
 * happens to the runner, live_run_collect() leaves none of its tasks behind.
 */

struct live_run {
	pid_t pid;   /* PID of the runner, which leads its own session; 0: none. */
	int pidfd;   /* Readable when the runner has ended; -1 if pidfds are not available. */
	int life_fd; /* The runner ends when this end of the pipe closes. */
	/* Readable once all tasks wait for their memory to be read; -1 if they do not wait. */
	int hold_fd;
	struct scoreboard *board;
	/* The run did not start, because no memory could be shared with the runner. */
	bool unshared;
	bool unlimited; /* The run did not start, because no cgroup could be made for its quota. */
	int perf_err;	/* -errno if the kernel's records are not available; otherwise 0. */
	uint64_t started_ns; /* When the runner was started. */
	/* begin_ns of the board, copied once it is valid; 0 before: see live_run_begin(). */
	uint64_t begin_ns;
	bool stopped;	  /* live_run_kill() was called. */
	bool paused;	  /* The run is stopped by SIGSTOP now. */
	bool was_paused;  /* The run was paused at some time, by us or by another program. */
	bool user_paused; /* The run was paused by SOURCE_PAUSE. */
	struct live_stopped stops; /* a process that another program has stopped */
	int wait_status;	   /* Exit status of the runner, once collected. */
	/*
	 * The fault as requested. The board's copy is not trusted, because the runner can change
	 * it.
	 */
	enum fault_kind fault;
	uint32_t fault_slot;
	struct live_tidy tidy;
	struct live_drain drain;
	/*
	 * Unnamed files. errors_fd: standard error of the runner and programs. input_fd: the empty
	 * standard input of a warm-up, whose access time shows whether it was read. -1: /dev/null.
	 */
	int errors_fd, input_fd;
	enum board_state reached; /* The last state that live_run_overwritten() saw. */
	/* Why the run is no trial of its case; "" if it is one. */
	char unfit[160];
	bool endless;	    /* live_run_waits_in_vain() has returned true. */
	bool overwritten;   /* The runner wrote something that only the front end may write. */
	const char *runner; /* Path of the runner program, for the drain. */
	const char *metric; /* name of the metric that the run's program prints; NULL if none */
	/* Why there is no printed metric, once collected; "" if there is one. */
	char printed_why[256];
	uint64_t for_ns; /* Time after which the run's programs are ended; 0: never. */
	uint64_t cut_ns; /* When ending the programs began; 0: not yet. */
	bool cut_hard;	 /* The programs were sent SIGKILL too. */
	pid_t cut_signalled[LIVE_TOLD]; /* processes in groups of their own that were sent SIGTERM
					 */
	uint32_t n_cut_signalled;
	uint64_t struck_ns; /* When the worker fault_slot was made to crash; 0: it was not. */
	uint64_t alone_ns;  /* Time since which only a hanging worker remains; 0: there is none. */

	uint32_t n;		      /* Number of tasks in the plan. */
	struct sample_worker *known;  /* By index: the workers as they were last passed on. */
	struct sample_change *change; /* Result of live_run_scan(). */
	uint32_t n_change;
	uint16_t *seen; /* By worker: both states of the slot when known[] was read. */
	/* Some slot has a time later than the scan's, so that slot must be read again. */
	bool later;
	uint32_t created; /* Number of tasks created at the last scan. */
	/* Numbers of processes and tasks alive at the last scan, without the runner. */
	uint32_t processes, tasks;
	bool hold_told; /* live_run_holds() has returned true */
	bool holding;	/* At the last scan, all tasks waited for their memory to be read. */
	struct live_orphans orphans;
	struct live_charge charge;		/* Account of the cgroup that the runner joins. */
	struct live_quota quota;		/* Set if the request has a quota. */
	struct live_throttled throttled_before; /* Last reading before the run began. */
	int64_t energy_before;
	struct live_memory memory;
	/*
	 * The first reading that has PSS. With programs, which are not held at the barrier, the
	 * last such reading.
	 */
	struct live_residents resident;
	struct live_slices slices;
	struct sample_bucket *buckets; /* Set by live_run_collect(); NULL: none. */
	uint32_t n_buckets;
	struct sample_request requests[SERVING_MARKS]; /* Set by live_run_collect(). */
	uint32_t n_requests;
	int64_t queue_most; /* See sample_totals. */
	uint32_t stride;    /* The memory of every `stride`-th process is read. */
	uint64_t next_read_ns,
		next_pss_ns; /* Earliest times of the next reading of memory and of PSS. */
	uint64_t pss_ns;     /* Time of the last reading of PSS. */
	int64_t pss_rss_kb;  /* Highest RSS among the readings that also had PSS. */
	struct sample_memory peak;
	struct rusage self;		 /* The front end's own usage when the run began. */
	struct live_perf perf;		 /* the kernel's records of the run */
	struct live_tasks command_tasks; /* the tasks of the run's commands */
	enum ring_reach
		reach; /* Reach of `perf`. RING_NONE: there are no records, and perf is closed. */
};

/* Numbers of the descriptors in the runner. */
enum {
	RUNNER_BOARD_FD = 3,
	RUNNER_LIFE_FD,
	RUNNER_IO_FD,
	RUNNER_CGROUP_FD,
	RUNNER_HOLD_FD,
	RUNNER_QUOTA_FD,
	RUNNER_OUTPUT_FD
};

/*
 * Starts a runner for the request. io_fd (-1: none) becomes the runner's RUNNER_IO_FD. kernel (may
 * be NULL): gives the runner a cgroup of its own, if it can make one. cpus: makes the cgroup for a
 * quota, if the request has one. sched (may be NULL): opens the kernel's records; if that fails,
 * the run continues without them. envp NULL: this program's environment. metric (may be NULL): name
 * of the metric that a program prints. watch: record whether programs read their standard input.
 * Returns 0 or -errno. Close the run in either case.
 */
int live_run_start(struct live_run *run, const char *runner, const struct board_request *request,
		   const char *metric, int io_fd, struct live_kernel *kernel,
		   struct live_cgroup *cpus, struct live_sched *sched, char *const *envp,
		   bool watch);
/*
 * How long the quota has kept the run from the cores since the run began; both values are -1
 * without a quota. Call it at each tick, also before the run begins.
 */
struct live_throttled live_run_throttled(struct live_run *run);
/*
 * Reads the slots as of now_ns and ignores later times. Workers that changed are in change[]. last:
 * the run is over, so workers that have not ended were interrupted.
 */
void live_run_scan(struct live_run *run, uint64_t now_ns, bool last);
/*
 * Writes how the program of a worker failed: "ended with exit status 3", "was ended by signal 9
 * (Killed)". Returns false if the worker did not fail, or not through its program.
 */
bool live_program_ended(const struct live_run *run, const struct sample_worker *program, char *buf,
			size_t size);
/* Describes a worker that the last scan found dead. Returns false if there is none. */
bool live_run_death(const struct live_run *run, char *buf, size_t size);
/*
 * Describes a process of the run that another program has stopped. The run then counts as paused.
 * Returns true at most once a run.
 */
bool live_run_halted(struct live_run *run, uint64_t now_ns, char *buf, size_t size);
/*
 * Reads the tasks' memory if that disturbs nothing and costs little; otherwise sets out to unknown.
 * Releases tasks that were held for the reading.
 */
void live_run_memory(struct live_run *run, struct sample_memory *out);
/* Connections that wait to be accepted; -1: unknown, as with a Unix socket. */
int64_t live_run_queue(struct live_run *run);
/*
 * Tasks and slices that were not passed on yet: first the tasks of commands that are new or have
 * changed, then the slices. Valid until the next call. over: the runner and all tasks have ended.
 */
struct live_lanes {
	const struct sample_task *tasks;
	const struct sample_slice *slices;
	uint32_t n_tasks, n_slices;
};

struct live_lanes live_run_lanes(struct live_run *run, bool over);
/* When the run began, on the monotonic clock; 0: not yet. */
uint64_t live_run_begin(struct live_run *run);
/* Whether all tasks wait for their memory to be read, so that the next tick is due now. */
bool live_run_holds(struct live_run *run);
/* Whether the board has values that no runner of ours writes. Such a run may wait forever. */
bool live_run_overwritten(struct live_run *run);
/*
 * For -s wait=all: whether processes still run long after the program that started them has ended,
 * as daemons do. Nothing else would ever end such a run. Sets run->unfit.
 */
bool live_run_waits_in_vain(struct live_run *run, uint64_t now_ns);
/* Ends the run immediately: sends SIGKILL to the whole group. */
void live_run_kill(struct live_run *run);
/*
 * Ends the programs of a run after for_ns: SIGTERM to each process, SIGKILL LIVE_GRACE_NS later.
 * Returns the time of the next call, 0 if none is needed.
 */
#define LIVE_GRACE_NS UINT64_C(5000000000)
uint64_t live_cut_step(struct live_run *run, uint64_t now_ns);
/* Ends a run that would otherwise never end. It does not count as stopped. */
void live_run_give_up(struct live_run *run);
/*
 * Collects a runner that has ended: reaps it and all tasks that it left behind, and scans a last
 * time. Fills totals, with times relative to begin_ns. totals->begin_ns itself keeps its value.
 */
void live_run_collect(struct live_run *run, struct sample_totals *totals);
/*
 * Whether the runner of a collected run ended before the run began, and would do so in each later
 * run, because it cannot be loaded, is another program, or crashes immediately. False for a
 * shortage (an errno as its status), which may pass, and for the code of --own, which differs from
 * case to case.
 */
bool live_run_never_begins(const struct live_run *run);
/* The second part of live_run_collect(), after reaping. */
void live_run_total(struct live_run *run, const struct rusage *usage, uint64_t now,
		    struct sample_totals *totals);
/* Why the memory of a run is unknown or incomplete: the first cause, or REASON_NONE. */
enum reason live_memory_reason(const struct live_run *run, const struct sample_totals *totals);
/*
 * Checks whether the run's usage covers all its tasks. Call it when the run's steal is known. If a
 * child ends while its parent ignores SIGCHLD, the kernel adds the child's usage to no parent, but
 * the tasks' own times include it. The cgroup's CPU time is used then; without a cgroup, the CPU
 * time is unknown.
 */
void live_usage_judge(const struct live_run *run, struct sample_totals *totals);
/* Whether the runner has ended, for kernels without pidfds. */
bool live_run_ended(const struct live_run *run);
/*
 * Makes the files of errors_fd and, with watch, of input_fd. If memory is short, sets them to -1.
 */
void live_streams_open(struct live_run *run, const struct board_request *request, bool watch);
/* Releases errors_fd except its end, because a program may write to it without limit. */
void live_streams_trim(const struct live_run *run);
/* The last line that the run wrote to standard error, without control characters; "": none. */
char *live_run_said(const struct live_run *run, char *buf, size_t size);
/* Kills the run if necessary and frees everything. Safe on a zeroed run. */
void live_run_close(struct live_run *run);

struct experiment;

/*
 * Chooses the faulty worker at random, with the session's seed: the same leaf in every model of a
 * trial.
 */
void live_fault_ask(const struct experiment *experiment, const struct sample_run *id,
		    struct board_request *board);
/* Whether only the faulty worker is left and hangs, so that the run would never end. */
bool live_fault_stuck(struct live_run *run, uint64_t now_ns);
/* Whether the fault was committed, so that ended tasks are not a failure of the run. */
bool live_fault_done(const struct live_run *run);
/*
 * Makes a worker crash. Returns 0; -ESRCH if it is not working; -EBUSY if the run already has its
 * fault.
 */
int live_fault_strike(struct live_run *run, uint32_t worker);
/*
 * Counts the survivors and leftovers of a fault, and removes the leftovers. Does nothing in a run
 * without a fault.
 */
void live_fault_collect(struct live_run *run, struct sample_totals *totals);

/*
 * The largest number of workers that were alive at one time. A worker is alive from its creation
 * (or its first instruction, if that was recorded earlier) to its last instruction. 0: unknown,
 * because memory is short.
 */
uint32_t live_peak_alive(const struct live_run *run);
/*
 * Raises a run's memory readings to the peaks that the kernel recorded. Each process has a
 * high-water mark of its own resident pages, which a fork resets (mm->hiwater_rss); threads share
 * one mark. Marks are summed over processes that worked at the same time. Their peaks may have been
 * at different moments, so the sum is an upper bound. PSS and USS are set to the resident peak less
 * the pages that were shared at the reading. runner_kb: the runner's own mark, -1 if unknown.
 * children: the processes had child processes, so a mark is only a lower bound of the peak.
 */
void live_peak_raise(const struct live_run *run, int64_t runner_kb, bool children,
		     struct sample_memory *peak);
/*
 * Marks memory as a lower bound if the readings may have missed the peak. They may have if the peak
 * of the run's cgroup was higher than the sum of the reading, the cgroup's current file pages and
 * the kernel's part. With children, they may also have if RSS was a twentieth higher at a time when
 * PSS was not read.
 */
void live_peak_doubt(const struct live_run *run, bool children, struct sample_memory *peak);
/*
 * Takes the peak of the kernel's part from the cgroup. most_kb -1: the cgroup has no such peak.
 * runner_kb: memory of the runner before it joined the cgroup.
 */
void live_peak_kernel(int64_t most_kb, int64_t runner_kb, struct sample_memory *peak);
