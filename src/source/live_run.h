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
 * Tasks that outlive the runner become children of the front end, which is the subreaper. Those
 * with a session of their own (setsid(2), daemons) are in no group that could be killed at once.
 * Where the kernel does not list children (CONFIG_PROC_CHILDREN) none are found.
 *
 * Others' tasks may become its children as well: where it is process 1 of a container all do that
 * lose their parent, and a program that calls execve(2) keeps the children that it had, whose own
 * may follow. They are neither ended, reaped nor counted. A child is the run's if its session,
 * environment (base/mark.h) or cgroup is, or if no other process could have left it.
 */

enum { LIVE_CHILDREN = 256, LIVE_ORPHANS = 4096, LIVE_TOLD = 64 };

struct live_orphans {
	pid_t before[LIVE_CHILDREN]; /* children of the front end when the run began */
	uint32_t n_before;
	bool alone;		/* the run alone can leave the front end children */
	char mark[MARK_SIZE];	/* of the run */
	const char *cgroups[2]; /* directories of the run's own, "" or NULL: none */
	uint32_t ended;		/* tasks of the run that were ended here */
	uint32_t reaped;	/* those, and the ones that ended by themselves */
	char name[32];		/* of the first one with a session of its own; "" */
	/* What those that were reaped have used, with all that they waited for; bytes as read. */
	struct board_totals used;
};

/*
 * Notes the children that do not belong to the run, and makes its mark. Call it before the runner
 * starts.
 */
void live_orphans_begin(struct live_orphans *orphans);
/* That environment with the mark, as the runner is to have it; the caller frees it. NULL: ENOMEM.
 */
char **live_orphans_environ(struct live_orphans *orphans, char *const *envp);
/*
 * While the runner runs: lists at most LIVE_ORPHANS processes that outlived the programs which had
 * started them, and have not ended. They are children of the runner, and none of its workers.
 */
uint32_t live_orphans_look(const struct scoreboard *board, pid_t runner, pid_t *alive);
/* Whether the process is one of the run, while the runner runs. */
bool live_orphans_owns(const struct live_orphans *orphans, pid_t runner, pid_t pid);
/* Kills the runner's group, then all else that is the run's. */
void live_orphans_end(struct live_orphans *orphans, pid_t runner);

/*
 * Processes of a run that somebody else has stopped (SIGSTOP), or frozen with the freezer of their
 * cgroup. The run waits for them, so its times are useless.
 */

enum live_halt {
	LIVE_RUNS,
	LIVE_STOPPED, /* SIGCONT lets it go on */
	LIVE_FROZEN,  /* only who has frozen it can let it go on */
};

struct live_stopped {
	uint64_t looked_ns;
	uint32_t next;	      /* the worker to look at next */
	enum live_halt found; /* in this run */
};

struct live_run;

/* Instead of a worker's index. */
#define LIVE_STOPPED_RUNNER  UINT32_MAX
#define LIVE_STOPPED_SILENT  (UINT32_MAX - 1) /* a worker before its first instruction */
#define LIVE_STOPPED_CLIENTS (UINT32_MAX - 2)

/*
 * Returns the number of a stopped process of the run, once; else 0. Looks once a second at the
 * runner, at a server's clients and at a few workers that have not ended, each time at others. root
 * "": the machine's own /proc. *worker: its index, or which other process it is.
 */
pid_t live_stopped_find(struct live_stopped *stopped, const struct live_run *run, const char *root,
			uint64_t now_ns, uint32_t *worker);
/* What keeps that process of the group from running; a traced one is not stopped. */
enum live_halt live_stopped_is(const char *root, pid_t pid, pid_t group);

/*
 * A process that acts if the front end is killed first: it removes what a faulty worker has made,
 * whose names nobody else would know, and the run's cgroups, with what programs have left in them.
 * A zeroed one is none.
 */

struct live_tidy {
	pid_t pid; /* 0: none */
	int fd;	   /* it acts when this closes */
};

/*
 * Starts that runner program as the tidier for the run of that process group, mark and cgroups. 0
 * or -errno.
 */
int live_tidy_start(struct live_tidy *tidy, const char *runner, int board_fd, pid_t group,
		    const struct live_orphans *orphans);
void live_tidy_end(struct live_tidy *tidy);

/* A process that empties the pipe to which programs write. A zeroed one is none. */
struct live_drain {
	pid_t pid;   /* 0: none */
	int said_fd; /* of a file in memory: the line that it was to find; valid beside pid */
};

/*
 * Starts that runner program as the drain; *fd is the end to write to. metric (or NULL) is the name
 * of a line that it is to find. 0 or -errno.
 */
int live_drain_start(struct live_drain *drain, const char *runner, const char *metric, int *fd);
/*
 * Waits until it has read all; line (or NULL) gets what it has found, "" for nothing. Returns its
 * core time, us; -1: there is none.
 */
enum { LIVE_LINE = 256 };
int64_t live_drain_end(struct live_drain *drain, char line[LIVE_LINE]);
/*
 * Reads what programs have printed as NAME VALUE UNIT, of a line of the drain or, where they wrote
 * to a file, of that. why gets a line for the user where there is no such number.
 */
void live_printed_read(struct live_run *run, const char *line, struct sample_totals *totals,
		       char *why, size_t size);

/*
 * One run as the front end sees it: the runner program it starts, the scoreboard it reads, and
 * the end it makes sure of. Whatever happens to the runner, live_run_collect leaves no task of it.
 */

struct live_run {
	pid_t pid;   /* of the runner, which leads its own session; 0: none */
	int pidfd;   /* readable when the runner has ended; -1: the kernel gives none */
	int life_fd; /* the runner ends when this end of the pipe is closed */
	int hold_fd; /* readable once all wait for their memory to be read; -1: none do */
	struct scoreboard *board;
	bool unshared;	     /* it did not start: no memory could be shared with it */
	bool unlimited;	     /* it did not start: no cgroup could have its quota */
	int perf_err;	     /* why there are no records of the kernel: -errno; 0 */
	uint64_t started_ns; /* of the runner */
	uint64_t begin_ns;   /* copied from the board once valid; 0 before: live_run_begin() */
	bool stopped;	     /* live_run_kill was called */
	bool paused;	     /* stopped by SIGSTOP now */
	bool was_paused;     /* by us or by somebody else */
	bool user_paused;    /* by SOURCE_PAUSE */
	struct live_stopped stops; /* what somebody else has stopped */
	int wait_status;	   /* of the runner, once collected */
	enum fault_kind fault;	   /* as it was asked for: the board is the runner's to write */
	uint32_t fault_slot;
	struct live_tidy tidy;
	struct live_drain drain;
	/*
	 * Unnamed files: what the runner and programs write as standard error, and of a warm-up the
	 * empty standard input, whose access time says whether it was read. -1: /dev/null
	 */
	int errors_fd, input_fd;
	enum board_state reached;  /* by then, as live_run_overwritten() saw it */
	char unfit[160];	   /* why it is no trial of the same thing; "" */
	bool endless;		   /* live_run_waits_in_vain() */
	bool overwritten;	   /* the runner wrote what only the front end may write */
	const char *runner;	   /* the program, for the drain */
	const char *metric;	   /* the name of what its program prints as a metric; NULL */
	char printed_why[256];	   /* why there is none, once collected; "" */
	uint64_t for_ns;	   /* the time after which its programs are ended; 0: they end */
	uint64_t cut_ns;	   /* when that began; 0 */
	bool cut_hard;		   /* they were sent SIGKILL, too */
	pid_t cut_told[LIVE_TOLD]; /* processes in groups of their own that were sent SIGTERM */
	uint32_t n_cut_told;
	uint64_t struck_ns; /* when the worker fault_slot was made to crash; 0 */
	uint64_t alone_ns;  /* since when only a worker that hangs is left; 0 */

	uint32_t n;		      /* tasks of the plan */
	struct sample_worker *known;  /* by index: as last handed out */
	struct sample_change *change; /* what live_run_scan returns */
	uint32_t n_change;
	uint16_t *seen;	  /* by index: the two states of the slot that known[] was read in */
	bool later;	  /* that slot has a time after the scan's: it is read again */
	uint32_t created; /* as of the last scan */
	uint32_t processes, tasks; /* alive then, the runner itself not counted */
	bool hold_told;		   /* live_run_holds() has said so */
	bool holding;		   /* at that scan: all wait until their memory is read */
	struct live_orphans orphans;
	struct live_charge charge;		/* of the cgroup that the runner joins */
	struct live_quota quota;		/* where the request has one */
	struct live_throttled throttled_before; /* as last read before the run began */
	int64_t energy_before;
	struct live_memory memory;
	/* As first read with PSS. Of programs, which are not there at the barrier, as last read. */
	struct live_residents resident;
	struct live_slices slices;
	struct sample_bucket *buckets; /* once collected; NULL: there are none */
	uint32_t n_buckets;
	uint32_t stride;		    /* one process of this many is read */
	uint64_t next_read_ns, next_pss_ns; /* no reading of memory before */
	uint64_t pss_ns;		    /* the last reading of PSS */
	int64_t pss_rss_kb;		    /* the most RSS of a reading that had PSS, too */
	struct sample_memory peak;
	struct rusage self;	   /* the front end's own use when the run began */
	struct live_perf perf;	   /* the kernel's records of it */
	struct live_tasks company; /* the tasks of its commands */
	enum ring_reach reach; /* of those records; RING_NONE: there are none, and perf is closed */
};

/* Descriptors as the runner finds them. */
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
 * Starts a runner for the request, in a cgroup of its own where kernel (or NULL) has room for one.
 * io_fd (or -1) becomes its RUNNER_IO_FD. cpus has room for a quota where the request has one.
 * sched (or NULL) asks for the kernel's records; without them the run goes on. envp NULL: this
 * program's environment. metric (or NULL) is the name of what a program prints as one. watch: it is
 * to be known whether programs read their standard input. 0 or -errno; it is to be closed in every
 * case.
 */
int live_run_start(struct live_run *run, const char *runner, const struct board_request *request,
		   const char *metric, int io_fd, struct live_kernel *kernel,
		   struct live_cgroup *cpus, struct live_sched *sched, char *const *envp,
		   bool watch);
/*
 * How long the quota kept the run from the cores since it began; both -1 without a quota. Call it
 * at each tick, also before the run begins.
 */
struct live_throttled live_run_throttled(struct live_run *run);
/*
 * Reads the slots as of now_ns: later times are not taken. Changed workers are in change[].
 * last says that the run is over, so that what is still open was interrupted.
 */
void live_run_scan(struct live_run *run, uint64_t now_ns, bool last);
/*
 * "ended with exit status 3", "was ended by signal 9 (Killed)": how the program of a worker failed.
 * false: not as a program does.
 */
bool live_program_ended(const struct live_run *run, const struct sample_worker *program, char *buf,
			size_t size);
/* Describes a worker that the last scan found dead; false: there is none. */
bool live_run_death(const struct live_run *run, char *buf, size_t size);
/*
 * Describes a process of the run that somebody else has stopped; true at most once a run, which
 * then counts as paused.
 */
bool live_run_halted(struct live_run *run, uint64_t now_ns, char *buf, size_t size);
/*
 * Reads the tasks' memory where that disturbs nothing and costs little; else out is unknown. Lets
 * tasks go on that were held for it.
 */
void live_run_memory(struct live_run *run, struct sample_memory *out);
/*
 * What was not handed out yet, valid until the next call: tasks of commands that are new or have
 * changed, then slices. over: the runner has ended, and all tasks with it.
 */
struct live_lanes {
	const struct sample_task *tasks;
	const struct sample_slice *slices;
	uint32_t n_tasks, n_slices;
};

struct live_lanes live_run_lanes(struct live_run *run, bool over);
enum board_state live_run_state(const struct live_run *run);
/* When the run began, on the monotonic clock; 0: it has not. */
uint64_t live_run_begin(struct live_run *run);
/* All tasks wait for their memory to be read: a tick should come now. */
bool live_run_holds(struct live_run *run);
/* The board holds what no runner writes: such a run may wait for ever. */
bool live_run_overwritten(struct live_run *run);
/*
 * Whether, with -s wait=all, processes still run long after the program that started them has
 * ended, as daemons do: nobody else would ever end the run. It then says so in run->unfit.
 */
bool live_run_waits_in_vain(struct live_run *run, uint64_t now_ns);
/* Ends it at once: SIGKILL to the whole group. */
void live_run_kill(struct live_run *run);
/*
 * Ends the programs of a run after its for_ns: SIGTERM to each process of it, SIGKILL LIVE_GRACE_NS
 * later. Returns the time of the next call, 0 if there is none.
 */
#define LIVE_GRACE_NS UINT64_C(5000000000)
uint64_t live_cut_step(struct live_run *run, uint64_t now_ns);
/* The same for a run that would never end by itself: it does not count as stopped. */
void live_run_give_up(struct live_run *run);
/*
 * Collects a runner that has ended: reaps it and all that it left, and scans a last time. Fills
 * totals (times relative to begin_ns, but totals->begin_ns which is left alone).
 */
void live_run_collect(struct live_run *run, struct sample_totals *totals);
/*
 * Whether a collected run's runner ended before it began and will do so in each later run: it
 * cannot be loaded, is another program, or crashes at once. False for a shortage (an errno as its
 * status), which may pass, and for code of --own, which differs from case to case.
 */
bool live_run_never_begins(const struct live_run *run);
/* The part of live_run_collect() after the run was reaped. */
void live_run_total(struct live_run *run, const struct rusage *usage, uint64_t now,
		    struct sample_totals *totals);
/* Why the memory of a run is not known, or only in part: the first cause, or REASON_NONE. */
enum reason live_memory_reason(const struct live_run *run, const struct sample_totals *totals);
/*
 * Judges, once the steal of the run is known, whether its usage covers all its tasks: a child that
 * ends while its parent ignores SIGCHLD is in the usage of nobody, which the tasks' own times show.
 * Its CPU time is the cgroup's, and without one it is not known.
 */
void live_usage_judge(const struct live_run *run, struct sample_totals *totals);
/* Whether the runner has ended, for who has no pidfd. */
bool live_run_ended(const struct live_run *run);
/* Makes the files of errors_fd and, where watch says so, of input_fd; without memory they are not.
 */
void live_streams_open(struct live_run *run, const struct board_request *request, bool watch);
/* Gives memory of errors_fd back: a program may write to it as much as it likes. */
void live_streams_trim(const struct live_run *run);
/* The last line that the run wrote as standard error, without control characters; "": none. */
char *live_run_said(const struct live_run *run, char *buf, size_t size);
/* Kills if need be and gives everything back. Safe on a zeroed run. */
void live_run_close(struct live_run *run);

struct experiment;

/* The same leaf in every model of a trial, drawn with the session's seed. */
void live_fault_ask(const struct experiment *experiment, const struct sample_run *id,
		    struct board_request *board);
/* The faulty worker hangs and is the last one: nobody would ever end it. */
bool live_fault_stuck(struct live_run *run, uint64_t now_ns);
/* The fault was committed: tasks that ended are no failure of the run. */
bool live_fault_done(const struct live_run *run);
/* Makes a worker crash. 0; -ESRCH: it is not at work; -EBUSY: the run has a fault already. */
int live_fault_strike(struct live_run *run, uint32_t worker);
/* Counts who survived and what was left, and removes that; nothing in a run without a fault. */
void live_fault_collect(struct live_run *run, struct sample_totals *totals);

/*
 * The most workers alive at once, from creation (or the first instruction, if noted earlier) to
 * the last instruction. 0 without memory: then it is not known.
 */
uint32_t live_peak_alive(const struct live_run *run);
/*
 * Raises what was read of a run's memory to the peaks that the kernel kept. Each process has a
 * high-water mark of its own resident pages, which a fork begins anew (mm->hiwater_rss); threads
 * share one. Marks of processes are summed over those that worked at the same time. They may have
 * come at different moments, so the sum is an upper bound of the peak. PSS and USS are lower than
 * resident memory by what was shared when it was read. runner_kb is the runner's own mark; -1: not
 * known. children: the processes had others beside them, so a mark is the least of the peak.
 */
void live_peak_raise(const struct live_run *run, int64_t runner_kb, bool children,
		     struct sample_memory *peak);
/*
 * Calls a least what was only sampled, of programs with company, where readings may have missed the
 * peak: the run's cgroup had more at its peak than the figure, its files as of now and the kernel's
 * part together; or, of children, RSS was greater by a twentieth when PSS was not read.
 */
void live_peak_doubt(const struct live_run *run, bool children, struct sample_memory *peak);
/*
 * Takes the peak of the kernel's part as the cgroup kept it; -1: it did not. runner_kb: what the
 * runner took before it joined.
 */
void live_peak_kernel(int64_t most_kb, int64_t runner_kb, struct sample_memory *peak);
