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
 * Every thread and child of a run's commands, reported by the best source that is allowed. The
 * kernel's records of context switches (live_perf.c) include creations. The proc connector sends
 * netlink messages about every fork, exec and exit on the machine; unprivileged users can read it
 * since Linux 6.6. Reading /proc every few ms misses most short tasks.
 */

enum tasks_by {
	TASKS_BY_NOBODY, /* no commands are run, or -s sched=off */
	TASKS_BY_PERF,
	TASKS_BY_CONNECTOR,
	TASKS_BY_POLLING
};

/*
 * Interval for reading /proc. If the connector wakes us up TASKS_CROWD times within TASKS_CROWD_NS,
 * it is read only at that interval too.
 */
#define TASKS_PERIOD_NS UINT64_C(5000000)
#define TASKS_CROWD	60
#define TASKS_CROWD_NS	UINT64_C(100000000)
/*
 * Interval for reading schedstat and waits, if perf or the connector reports the tasks. A wait for
 * the GIL lasts 5 ms. A task that is alone waits for no other task, so it is read only every
 * TASKS_ALONE_NS. So are tasks that switch too often to be recorded: their waits are much shorter
 * than either interval, and 200 readings a second took 2 % of a core.
 */
#define TASKS_WAITS_NS UINT64_C(5000000)
#define TASKS_ALONE_NS UINT64_C(20000000)

/* Files of /proc that are read often. They stay open for the first TASKS_KEPT tasks of a run. */
enum live_task_file { TASK_SYSCALL, TASK_SCHEDSTAT, TASK_FILES };
#define TASKS_KEPT 64

/*
 * A task's number may be used again during the run, so each use, from creation to exit, is a task
 * of its own.
 */
struct live_task {
	int32_t tid, pid;
	/* Place in live_tasks.list, plus 1, of the next older task in the bucket; 0: none. */
	uint32_t older;
	/*
	 * Place in live_tasks.list, plus 1, of the parent or, for a thread, of the first thread of
	 * its process; 0: unknown.
	 */
	uint32_t parent;
	/* As in struct sample_task; 0: the task belongs to no command, or that is not known yet. */
	uint32_t index;
	uint32_t worker; /* Valid if index is set. */
	int32_t exit_status;
	int64_t begin_ns, end_ns, cpu_ns; /* Monotonic times. -1: not yet, or unknown. */
	/*
	 * From the last reading of schedstat: time on cores, and time waiting for one. read_ns 0:
	 * never read.
	 */
	int64_t read_ns, run_ns, wait_ns;
	int64_t before_ns; /* Time of the last reading but one. */
	/*
	 * read_ns, run_ns and wait_ns at the beginning of the current cell, see
	 * live_tasks_slices().
	 */
	int64_t cell_ns, cell_run_ns, cell_wait_ns;
	/*
	 * From schedstat: times of the last slice, which was not passed on yet. From perf: on_ns is
	 * the beginning of the current slice, -1 if the task is not on a core, and off_ns the end
	 * of the last one. off_ns 0: none.
	 */
	int64_t on_ns, off_ns;
	int64_t ready_ns; /* When the task became runnable before that slice; -1: unknown. */
	int16_t waited;
	uint32_t sight; /* The task's newest sight, plus 1; 0: none. */
	/* What the task waited for: in its last sight, and as last passed on. 0: nothing. */
	int last_wait, told_wait;
	bool changed; /* The task has changed since it was last passed on. */
	/* Another thread of the process called execve(2) and now has this task's number. */
	bool resumed;
	uint32_t threads;     /* For a process: number of its other threads that have not ended. */
	uint32_t round;	      /* Number of the reading of /proc in which the task was last seen. */
	int file[TASK_FILES]; /* descriptors, plus 1; 0: not open */
	char name[SAMPLE_TASK_NAME]; /* "": unknown */
	/* The members below are for perf. */
	bool ours; /* The task is the runner or a descendant of the runner. */
	bool exits;
	bool seen;	  /* A record has shown whether the task is on a core. */
	int16_t cpu;	  /* CPU of the current slice. */
	uint32_t lane;	  /* Worker whose lane shows the task; TASK_NOBODY: none. */
	int64_t since_ns; /* When the task was created; 0: before the records. */
	int64_t given_ns; /* End of the last slice that was passed on; -1: none. */
	int64_t until_ns; /* Slices after this time are not in the lane; 0: all are. */
	int64_t woken_ns; /* When the task was woken for the next slice; -1: it was not. */
	int64_t used_ns;  /* CPU time on the watched cores */
	int32_t waker;	  /* Place of the task that woke it for the current slice; -1: unknown. */
	int32_t woken_by; /* The same for the next slice. */
	uint8_t woken, woken_what; /* enum sample_woken for the current and for the next slice. */
};

#define TASK_NOBODY UINT32_MAX

/* One observation of a blocked task. wait: enum sample_wait, found from the task's system call. */
struct live_sight {
	int64_t time_ns;
	uint32_t task, older; /* older: the task's previous sight, plus 1; 0: none. */
	int wait;
};

/*
 * A futex. space: PID of the process that it belongs to, or -1 - the worker's index if the
 * processes of its command share it.
 */
struct live_lock {
	int32_t space;
	uint64_t address;
};

struct live_exit {
	int32_t pid, status;
};

/* Address range of Python's runtime state in a process; from 0: the process has none. */
struct live_python {
	int32_t pid;
	uint64_t from, to;
};

#define TASKS_BUCKETS 4096u

struct live_tasks {
	enum tasks_by by;
	const struct scoreboard *board;
	pid_t runner;
	int fd; /* Socket of the connector; -1: none. */
	struct live_task *list;
	size_t n, cap;
	size_t n_run; /* Number of tasks in `list` that live_tasks_begin() has added. */
	/* By tid modulo TASKS_BUCKETS: place in `list` of the newest task, plus 1. */
	uint32_t *bucket;
	uint32_t *root; /* By worker: the first process of its command, plus 1; 0: not known yet. */
	uint32_t n_indexed; /* Number of tasks that have an index. */
	/* Places in `list` of the tasks that changed since the last call of live_tasks_take(). */
	uint32_t *changed;
	size_t n_changed, cap_changed;
	struct sample_task *out; /* The result of live_tasks_take(). */
	size_t cap_out;
	struct sample_slice *slices; /* Slices from schedstat, with monotonic times. */
	size_t n_slices, cap_slices;
	struct live_sight *sights;
	size_t n_sights, cap_sights;
	struct live_exit *exits; /* Exits that were reported before the task was. */
	size_t n_exits, cap_exits;
	struct live_lock *locks; /* Lock n is locks[n - 1]. */
	size_t n_locks, cap_locks;
	struct live_python *pythons;
	size_t n_pythons, cap_pythons;
	/*
	 * A bit for each task number: tasks of the run that did not fit into `list` and have not
	 * ended. NULL: none. The tasks that they create are counted too.
	 */
	uint8_t *beyond;
	int64_t lost;	 /* Number of tasks that did not fit, or whose record was lost. */
	bool overflowed; /* Messages were lost, so it is unknown how many tasks are missing. */
	bool nameless;	 /* -s anonymous was given, so names are not recorded. */
	bool seldom;	 /* The tasks switch often and are read every TASKS_ALONE_NS. */
	uint32_t round;
	uint64_t next_ns; /* Earliest time of the next reading of /proc. */
	size_t alive;	  /* Number of tasks of commands that the last reading found alive. */
};

/* Returns whether wish is a valid $TUIBENCH_TASKS: the name of a source, or "". */
bool live_tasks_is_name(const char *wish);
/*
 * Returns the best source that works here, but none better than `best`. wish: $TUIBENCH_TASKS (for
 * tests), which names a lower source, or NULL.
 */
enum tasks_by live_tasks_choose(enum tasks_by best, const char *wish);
const char *live_tasks_name_of(enum tasks_by by);
int live_tasks_open(struct live_tasks *tasks, enum tasks_by by, pid_t runner,
		    const struct scoreboard *board);
/*
 * The newest task with that number that has not ended, or that has a thread that has not ended;
 * NULL if none.
 */
struct live_task *live_tasks_find(const struct live_tasks *tasks, int32_t tid);
/* The newest task with that number that was created before that time; NULL if none. */
struct live_task *live_tasks_newest(const struct live_tasks *tasks, int32_t tid, int64_t at_ns);
/*
 * Adds a task that does not belong to the run's commands, so it counts as ended. The result is
 * valid until the next task is added; NULL if it does not fit.
 */
struct live_task *live_tasks_add(struct live_tasks *tasks, int32_t tid);
/*
 * Adds a created task. by: number of its parent, or of its parent's process; 0 if unknown. The task
 * has its parent's name until it gets another one. The result is valid until the next task is
 * added; NULL if it does not belong to the run or does not fit.
 */
struct live_task *live_tasks_begin(struct live_tasks *tasks, int32_t tid, int32_t pid, int32_t by,
				   int64_t begin_ns);
/* Reads a file of /proc/PID/task/TID. Returns 0 or -errno, like procfs_read_text(). */
int live_tasks_text(const char *root, const struct live_task *task, const char *name, char *buf,
		    size_t size);
/*
 * Like live_tasks_text(), for a file that stays open while the task lives, which makes reading it
 * three times as fast.
 */
int live_tasks_kept(struct live_tasks *tasks, struct live_task *task, enum live_task_file file,
		    char *buf, size_t size);
/* What the task was seen waiting for between these times; -1: nothing was seen. */
int16_t live_tasks_waited(const struct live_tasks *tasks, const struct live_task *task,
			  int64_t from_ns, int64_t to_ns);
/* Reads the task's schedstat. If the current cell is long enough, ends it with a slice. */
void live_tasks_read_cpu(struct live_tasks *tasks, struct live_task *task, int64_t now_ns);
/* The exit status as in a shell, from a status of waitpid(2). */
int32_t live_tasks_status(uint32_t code);
void live_tasks_rename(struct live_tasks *tasks, struct live_task *task, const char *name);
/*
 * Records the end of a task. exit_status and cpu_ns are -1 if unknown. May be called again for the
 * same task.
 */
void live_tasks_end(struct live_tasks *tasks, struct live_task *task, int64_t end_ns,
		    int32_t exit_status, int64_t cpu_ns);
/* Records the end of a task that did not fit. */
void live_tasks_gone(struct live_tasks *tasks, int32_t tid);
/*
 * Records that a process has called execve(2). If its first thread has ended, another thread made
 * the call. That thread now has the first one's number, and its own end is never reported.
 */
void live_tasks_exec(struct live_tasks *tasks, struct live_task *task, int64_t time_ns);
/* Learns from the connector how processes ended. Call it before perf's records are read. */
void live_tasks_hear(struct live_tasks *tasks);
/*
 * Reads the connector at every call. Reads /proc only as often as 1 % of a core allows, or 0.5 % if
 * perf or the connector reports the tasks. With perf, reads only why tasks are blocked.
 */
void live_tasks_look(struct live_tasks *tasks, uint64_t now_ns);
/* How long after a call of live_tasks_look() the next one is due, if its cost allows that. */
uint64_t live_tasks_interval_ns(const struct live_tasks *tasks);
/*
 * Gives an index to the first process of each command that has begun since the last call, and to
 * its descendants.
 */
void live_tasks_meet(struct live_tasks *tasks);
/*
 * The tasks of commands that are new or have changed, with times since begin_ns. Valid until the
 * next call. over: all tasks have ended.
 */
const struct sample_task *live_tasks_take(struct live_tasks *tasks, uint64_t begin_ns, bool over,
					  uint32_t *n);
/*
 * Adds the readings of /proc/PID/task/TID/schedstat since the last call as slices, with times since
 * begin_ns. A cell lasts 50 ms or more. Its waits are placed at its beginning, its time on cores at
 * its end. Returns 0 or -ENOMEM. The caller owns the array.
 */
int live_tasks_slices(struct live_tasks *tasks, uint64_t begin_ns, struct sample_slice **list,
		      size_t *n, size_t *cap);
/*
 * What a blocked task waits for, from /proc/PID/task/TID/syscall under root: enum sample_wait. 0:
 * it is not blocked, or the answer is unknown, for instance because it may not be traced (a setuid
 * program, ptrace_scope 2).
 */
int live_waits_read(struct live_tasks *tasks, const struct live_task *task, const char *root);
/* Reads what a command's task waits for, and stores it as a sight. */
void live_waits_see(struct live_tasks *tasks, struct live_task *task, int64_t now_ns);
void live_tasks_close(struct live_tasks *tasks);
