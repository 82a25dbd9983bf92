/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/sample_slice.h"
#include "core/sample_task.h"
#include "core/scoreboard.h"

/*
 * Every thread and child of the commands of a run. Three sources report them, the best that is
 * allowed: the kernel's records of switches (live_perf.c), which have creations as well; the
 * proc connector, netlink's messages of every fork, exec and exit on the machine, for unprivileged
 * users from Linux 6.6 on; else /proc, read every few ms, in which short tasks are mostly not seen.
 */

enum tasks_by {
	TASKS_BY_NOBODY, /* no commands are run, or -s sched=off */
	TASKS_BY_PERF,
	TASKS_BY_CONNECTOR,
	TASKS_BY_POLLING
};

/* How often /proc is read; the connector, too, after TASKS_CROWD wake-ups in TASKS_CROWD_NS. */
#define TASKS_PERIOD_NS UINT64_C(5000000)
#define TASKS_CROWD	60
#define TASKS_CROWD_NS	UINT64_C(100000000)
/* How often schedstat and waits are read where perf or the connector reports the tasks. */
#define TASKS_WAITS_NS UINT64_C(5000000)

/* Files of /proc that are read so often that they are kept open, of the first tasks of a run. */
enum live_task_file { TASK_SYSCALL, TASK_SCHEDSTAT, TASK_FILES };
#define TASKS_KEPT 64

struct live_task {
	int32_t tid, pid;
	uint32_t older;	 /* of the same bucket, plus 1; 0: none */
	uint32_t parent; /* plus 1; of a thread the first one of its process; 0: not known */
	uint32_t index;	 /* as struct sample_task has it; 0: of no command, or not yet */
	uint32_t worker; /* of those with an index */
	int32_t exit_status;
	int64_t begin_ns, end_ns, cpu_ns; /* on the monotonic clock; -1: not yet, not known */
	/* By schedstat, when it was last read: on cores, waiting for one; read_ns 0: never. */
	int64_t read_ns, run_ns, wait_ns;
	int64_t before_ns;			    /* and the reading before that */
	int64_t cell_ns, cell_run_ns, cell_wait_ns; /* the same at the begin of its last cell */
	int64_t on_ns, off_ns; /* of its last slice, which is held back; off_ns 0: there is none */
	int64_t ready_ns;
	int16_t waited;
	uint32_t sight;		  /* its newest, plus 1; 0: none */
	int last_wait, told_wait; /* as of when the tasks were taken; 0: none */
	bool changed;		  /* since it was handed out */
	bool resumed;		  /* by a thread that called execve(2) and has its number now */
	uint32_t threads;	  /* of a process: others that have not ended */
	uint32_t round;		  /* of polling, in which it was last seen */
	int file[TASK_FILES];	  /* descriptors, plus 1; 0: not open */
	char name[SAMPLE_TASK_NAME];
};

/* A task was seen blocked, by what it called: enum sample_wait. */
struct live_sight {
	int64_t time_ns;
	uint32_t task, older; /* older: of the same task, plus 1 */
	int wait;
};

/* A futex: in the process of that number, or below 0 in a command's processes. */
struct live_lock {
	int32_t space;
	uint64_t address;
};

struct live_exit {
	int32_t pid, status;
};

/* Where a process has the state of Python's runtime; from 0: nowhere. */
struct live_python {
	int32_t pid;
	uint64_t from, to;
};

struct live_tasks {
	enum tasks_by by;
	const struct scoreboard *board;
	pid_t runner;
	int fd; /* of the connector; -1 */
	struct live_task *list;
	size_t n, cap;
	uint32_t *bucket;   /* by tid: the youngest task, plus 1 */
	uint32_t *root;	    /* by worker: its command's first process, plus 1; 0: not known yet */
	uint32_t n_indexed; /* tasks with an index */
	uint32_t *changed;  /* those that changed */
	size_t n_changed, cap_changed;
	struct sample_task *out; /* what was taken last */
	size_t cap_out;
	struct sample_slice *slices; /* what schedstat said, on the monotonic clock */
	size_t n_slices, cap_slices;
	struct live_sight *sights;
	size_t n_sights, cap_sights;
	struct live_exit *exits; /* heard, but of no task yet */
	size_t n_exits, cap_exits;
	struct live_lock *locks; /* by number */
	size_t n_locks, cap_locks;
	struct live_python *pythons;
	size_t n_pythons, cap_pythons;
	/*
	 * By tid: tasks of the run for which there was no room and that have not ended, a bit each;
	 * NULL: there are none. What they create is counted as well.
	 */
	uint8_t *beyond;
	int64_t lost;	 /* tasks for which there was no room, or a record was lost */
	bool overflowed; /* messages were lost: nobody knows of how many tasks */
	bool nameless;	 /* what is taken has no names: -s anonymous */
	uint32_t round;
	uint64_t next_ns; /* no reading of /proc before */
};

/* Whether $TUIBENCH_TASKS may be that: the name of one of them, or "". */
bool live_tasks_is_name(const char *wish);
/*
 * The best of those from that one down that works here. wish: $TUIBENCH_TASKS, for tests, names one
 * below it; or NULL.
 */
enum tasks_by live_tasks_choose(enum tasks_by best, const char *wish);
const char *live_tasks_name_of(enum tasks_by by);
int live_tasks_open(struct live_tasks *tasks, enum tasks_by by, pid_t runner,
		    const struct scoreboard *board);
/* The youngest task of that number that has not ended, or has a thread that has not; NULL. */
struct live_task *live_tasks_find(const struct live_tasks *tasks, int32_t tid);
/*
 * A task was created; by: the number of its parent, or of its process; 0: not known. It has its
 * parent's name until it gets another one. Returns it, valid until the next call, or NULL: it is
 * none of the run's, or there is no room.
 */
struct live_task *live_tasks_begin(struct live_tasks *tasks, int32_t tid, int32_t pid, int32_t by,
				   int64_t begin_ns);
/* A file of /proc/PID/task/TID; 0 or -errno, as by procfs_read_text(). */
int live_tasks_text(const char *root, const struct live_task *task, const char *name, char *buf,
		    size_t size);
/* The same of a file that is kept open while the task lives, which takes a third of the time. */
int live_tasks_kept(struct live_tasks *tasks, struct live_task *task, enum live_task_file file,
		    char *buf, size_t size);
void live_tasks_rename(struct live_tasks *tasks, struct live_task *task, const char *name);
/* exit_status -1, cpu_ns -1: not known. It may be called again for one that has ended. */
void live_tasks_end(struct live_tasks *tasks, struct live_task *task, int64_t end_ns,
		    int32_t exit_status, int64_t cpu_ns);
/* One of the run's has ended for which there was no room. */
void live_tasks_gone(struct live_tasks *tasks, int32_t tid);
/*
 * A process has called execve(2). If its first thread has ended, another one did: that has the
 * first one's number now, and its own end is never reported.
 */
void live_tasks_exec(struct live_tasks *tasks, struct live_task *task, int64_t time_ns);
/*
 * Beside perf's records, before these are read: how processes ended, where the connector says it.
 */
void live_tasks_hear(struct live_tasks *tasks);
/*
 * Reads what there is to read of the connector or of /proc, as often as it is called if all the
 * tasks cost less than 1 % of a core. With perf's records only what blocked tasks wait for, in
 * half of that.
 */
void live_tasks_look(struct live_tasks *tasks, uint64_t now_ns);
/* Gives indices to the first process of each command that has begun since, and its offspring. */
void live_tasks_meet(struct live_tasks *tasks);
/*
 * The tasks of commands that are new or have changed, with times since begin_ns, valid until the
 * next call. over: all have ended.
 */
const struct sample_task *live_tasks_take(struct live_tasks *tasks, uint64_t begin_ns, bool over,
					  uint32_t *n);
/*
 * Adds what /proc/PID/task/TID/schedstat said since, as slices with times since begin_ns: how long
 * a task was on cores in a cell of 50 ms or more is laid at the cell's end, its waits before that.
 * 0 or -ENOMEM. The array is the caller's.
 */
int live_tasks_slices(struct live_tasks *tasks, uint64_t begin_ns, struct sample_slice **list,
		      size_t *n, size_t *cap);
/*
 * What a blocked task waits for, from /proc/PID/task/TID/syscall under the root; 0: it is not
 * blocked, or not known, as of who may not be traced (a setuid program, ptrace_scope 2).
 */
int live_waits_read(struct live_tasks *tasks, const struct live_task *task, const char *root);
/* Looks at a task of a command, and remembers it. */
void live_waits_see(struct live_tasks *tasks, struct live_task *task, int64_t now_ns);
/* What it was seen waiting for in that time; -1: it was not. */
int16_t live_waits_between(const struct live_tasks *tasks, const struct live_task *task,
			   int64_t from_ns, int64_t to_ns);
void live_tasks_close(struct live_tasks *tasks);
