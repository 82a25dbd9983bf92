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
 * Every thread and child of the commands of a run. One of three sources reports them, the best that
 * is allowed. The kernel's records of switches (live_perf.c) have creations as well. The proc
 * connector is netlink's messages of every fork, exec and exit on the machine, for unprivileged
 * users since Linux 6.6. /proc, read every few ms, misses most short tasks.
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

/* Files of /proc that are read often, so they stay open for the first TASKS_KEPT tasks of a run. */
enum live_task_file { TASK_SYSCALL, TASK_SCHEDSTAT, TASK_FILES };
#define TASKS_KEPT 64

struct live_task {
	int32_t tid, pid;
	uint32_t older;	 /* next older task of the same bucket, plus 1; 0: none */
	uint32_t parent; /* index plus 1 of the parent, or for a thread of its process's first
			    thread; 0: unknown */
	uint32_t index;	 /* as in struct sample_task; 0: not of a command, or not yet known */
	uint32_t worker; /* valid if index is set */
	int32_t exit_status;
	int64_t begin_ns, end_ns, cpu_ns; /* on the monotonic clock; -1: not yet, not known */
	/*
	 * From schedstat, as last read: time on cores and time waiting for one. read_ns 0: never
	 * read.
	 */
	int64_t read_ns, run_ns, wait_ns;
	int64_t before_ns;			    /* the time of the reading before read_ns */
	int64_t cell_ns, cell_run_ns, cell_wait_ns; /* values at the beginning of its last cell */
	int64_t on_ns,
		off_ns; /* times of its last slice, which is held back; off_ns 0: there is none */
	int64_t ready_ns;
	int16_t waited;
	uint32_t sight;		  /* its newest sight, plus 1; 0: none */
	int last_wait, told_wait; /* when tasks were last taken; 0: none */
	bool changed;		  /* since it was last handed out */
	bool resumed;	  /* after execve(2) by another thread, which now has this task's number */
	uint32_t threads; /* of a process: its other threads that have not ended */
	uint32_t round;	  /* the polling round in which it was last seen */
	int file[TASK_FILES]; /* descriptors, plus 1; 0: not open */
	char name[SAMPLE_TASK_NAME];
};

/* A task was seen blocked. wait is from its system call: enum sample_wait. */
struct live_sight {
	int64_t time_ns;
	uint32_t task, older; /* older: of the same task, plus 1 */
	int wait;
};

/*
 * A futex. space is the number of its process; below 0, the futex is shared by a command's
 * processes.
 */
struct live_lock {
	int32_t space;
	uint64_t address;
};

struct live_exit {
	int32_t pid, status;
};

/* Addresses of the state of Python's runtime in a process; from 0: it has none. */
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
	uint32_t *changed;  /* tasks changed since the last call */
	size_t n_changed, cap_changed;
	struct sample_task *out; /* result of the last live_tasks_take() */
	size_t cap_out;
	struct sample_slice *slices; /* from schedstat, on the monotonic clock */
	size_t n_slices, cap_slices;
	struct live_sight *sights;
	size_t n_sights, cap_sights;
	struct live_exit *exits; /* exits reported before their task was known */
	size_t n_exits, cap_exits;
	struct live_lock *locks; /* by number */
	size_t n_locks, cap_locks;
	struct live_python *pythons;
	size_t n_pythons, cap_pythons;
	/*
	 * One bit for each tid: tasks of the run that did not fit in list and have not ended. NULL:
	 * none. The tasks that they create are counted as well.
	 */
	uint8_t *beyond;
	int64_t lost;	 /* tasks that did not fit, or whose record was lost */
	bool overflowed; /* messages were lost, for an unknown number of tasks */
	bool nameless;	 /* -s anonymous: names are left out */
	uint32_t round;
	uint64_t next_ns; /* earliest time of the next reading of /proc */
};

/* Returns whether wish is a valid $TUIBENCH_TASKS: the name of a source, or "". */
bool live_tasks_is_name(const char *wish);
/*
 * Returns the best source that works here, starting with `best` and going down. wish is
 * $TUIBENCH_TASKS (for tests), which names a source below `best`, or NULL.
 */
enum tasks_by live_tasks_choose(enum tasks_by best, const char *wish);
const char *live_tasks_name_of(enum tasks_by by);
int live_tasks_open(struct live_tasks *tasks, enum tasks_by by, pid_t runner,
		    const struct scoreboard *board);
/*
 * The youngest task of that number that has not ended, or has a thread that has not ended; NULL if
 * none.
 */
struct live_task *live_tasks_find(const struct live_tasks *tasks, int32_t tid);
/*
 * Adds a created task. by is the number of its parent, or of its parent's process; 0 if unknown.
 * The task has its parent's name until it gets another. Returns the task, valid until the next
 * call, or NULL if it is not of the run or does not fit.
 */
struct live_task *live_tasks_begin(struct live_tasks *tasks, int32_t tid, int32_t pid, int32_t by,
				   int64_t begin_ns);
/* A file of /proc/PID/task/TID; 0 or -errno, as by procfs_read_text(). */
int live_tasks_text(const char *root, const struct live_task *task, const char *name, char *buf,
		    size_t size);
/* Like live_tasks_text(), for a file that stays open while the task lives; a third of the time. */
int live_tasks_kept(struct live_tasks *tasks, struct live_task *task, enum live_task_file file,
		    char *buf, size_t size);
void live_tasks_rename(struct live_tasks *tasks, struct live_task *task, const char *name);
/* exit_status and cpu_ns are -1 if unknown. May be called again for a task that has ended. */
void live_tasks_end(struct live_tasks *tasks, struct live_task *task, int64_t end_ns,
		    int32_t exit_status, int64_t cpu_ns);
/* A task of the run that did not fit has ended. */
void live_tasks_gone(struct live_tasks *tasks, int32_t tid);
/*
 * A process has called execve(2). If its first thread has ended, another thread has called it. That
 * thread now has the first one's number, and its own end is never reported.
 */
void live_tasks_exec(struct live_tasks *tasks, struct live_task *task, int64_t time_ns);
/*
 * Used with perf's records, before these are read: learns from the connector how processes ended.
 */
void live_tasks_hear(struct live_tasks *tasks);
/*
 * Reads the connector or /proc. Reads every time if all tasks together cost less than 1 % of a
 * core. With perf's records, reads only what blocked tasks wait for, within half of that cost.
 */
void live_tasks_look(struct live_tasks *tasks, uint64_t now_ns);
/* Gives indices to the first process of each command that has begun since, and to its offspring. */
void live_tasks_meet(struct live_tasks *tasks);
/*
 * The tasks of commands that are new or have changed, with times since begin_ns, valid until the
 * next call. over: all have ended.
 */
const struct sample_task *live_tasks_take(struct live_tasks *tasks, uint64_t begin_ns, bool over,
					  uint32_t *n);
/*
 * Adds the readings of /proc/PID/task/TID/schedstat since the last call as slices, with times since
 * begin_ns. A cell lasts 50 ms or more. Its time on cores is placed at its end, its waits before.
 * Returns 0 or -ENOMEM. The caller owns the array.
 */
int live_tasks_slices(struct live_tasks *tasks, uint64_t begin_ns, struct sample_slice **list,
		      size_t *n, size_t *cap);
/*
 * What a blocked task waits for, from /proc/PID/task/TID/syscall under root. 0 if it is not blocked
 * or if unknown, for instance because it may not be traced (a setuid program, ptrace_scope 2).
 */
int live_waits_read(struct live_tasks *tasks, const struct live_task *task, const char *root);
/* Reads what a task of a command waits for, and remembers it. */
void live_waits_see(struct live_tasks *tasks, struct live_task *task, int64_t now_ns);
/* What the task was seen waiting for between those times; -1 if it was not seen waiting. */
int16_t live_waits_between(const struct live_tasks *tasks, const struct live_task *task,
			   int64_t from_ns, int64_t to_ns);
void live_tasks_close(struct live_tasks *tasks);
