/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/sample_slice.h"
#include "core/scoreboard.h"
#include "live_tasks.h"

/*
 * All close functions are safe on a zeroed struct.
 * Records when a worker had each core. A core has one worker at a time. A worker cannot tell when
 * it was off its core during a system call, so the times of other workers on that core show it.
 */

struct place_span {
	uint64_t on_ns, off_ns;
};

struct place_core;

struct live_place {
	struct place_core *cores; /* by number */
	size_t n;
};

int live_place_put(struct live_place *place, int cpu, struct place_span span);
/*
 * Finds the core's first free stretch in the span. Stretches of long ago are forgotten and count as
 * free.
 */
bool live_place_free(const struct live_place *place, int cpu, struct place_span span,
		     struct place_span *found);
void live_place_close(struct live_place *place);

/*
 * Turns the workers' notes into pieces that never overlap on a core. First places the times that a
 * worker noted itself. Then places the rest of its CPU time, spent during a long system call, where
 * the core was free. That is between the call's beginning and end, in one piece for each switch.
 */

/* A slice that a worker noted, or its part since it was last placed. */
struct fit_note {
	uint32_t worker;
	uint64_t on_ns, sure_ns; /* when the worker was certainly on its core */
	uint64_t guess_ns;	 /* further CPU time before its next note begins */
	int16_t cpu;
	uint8_t why; /* enum sample_why of its end */
	uint8_t switches;
	bool open; /* the slice has not ended */
};

struct fit_piece {
	size_t note;
	uint64_t on_ns, off_ns;
	int16_t cpu;
};

struct live_fit {
	struct live_place place;
	struct fit_note *notes;
	size_t n_notes, cap_notes;
	struct fit_piece *pieces; /* by note, then time */
	size_t n_pieces, cap_pieces;
	int64_t lost; /* notes and pieces, for want of memory */
};

/* Forgets the notes, but remembers when the cores were taken. */
void live_fit_begin(struct live_fit *fit);
/* Call it for all notes of one worker in sequence. */
void live_fit_add(struct live_fit *fit, const struct fit_note *note);
void live_fit_place(struct live_fit *fit);
void live_fit_close(struct live_fit *fit);

/* The slices that workers noted themselves, taken out of their rings. */

struct live_slices {
	struct scoreboard *board;
	struct live_lane *lanes;   /* by worker; NULL: the run has no rings */
	uint64_t now_ns, begin_ns; /* slices in the last taking, and in the run */
	struct live_fit fit;
	struct sample_slice *list;
	size_t n, cap; /* result of the last taking; slices do not overlap on a core */
	int64_t lost;  /* slices lost because the front end had no memory */
};

/* Asks for rings where the plan's work has loops. */
void live_slices_ask(struct board_request *request, uint64_t tick_ns, bool marked);
int live_slices_open(struct live_slices *slices, struct scoreboard *board);
/*
 * Makes list of the workers' notes by now_ns, with times since begin_ns. over means that all
 * workers are gone, so an open slice ended when its worker was last seen.
 */
void live_slices_take(struct live_slices *slices, uint64_t begin_ns, uint64_t now_ns, bool over);
/* The number of slices for which the rings had no room; -1 if the run has no rings. */
int64_t live_slices_lost(const struct live_slices *slices);
void live_slices_close(struct live_slices *slices);

/*
 * The kernel's records of a run's context switches, perf_event_open(2): one bounded ring for each
 * core, read in order of time. Records of our own tasks need perf_event_paranoid 2 or less. Records
 * of all tasks on the cores need 0 or less, CAP_PERFMON or root.
 */

enum ring_reach {
	RING_NONE,  /* not allowed, or the kernel has none */
	RING_TASKS, /* the runner and all that it creates */
	RING_CORES, /* every task on the cores; costs less, because no task inherits anything */
};

enum ring_kind {
	RING_ON,     /* tid is on the core now, after other (RING_CORES) */
	RING_OFF,    /* tid left it for other (RING_CORES); preempted: it could have continued */
	RING_FORK,   /* tid was created by other */
	RING_EXIT,   /* tid ends, and may still be on the core for a moment */
	RING_WAKING, /* other was woken by tid */
	RING_NAME,   /* tid has that name now, from exec or its own choice */
};

struct ring_event {
	enum ring_kind kind;
	bool preempted;
	bool interrupt; /* of RING_WAKING: tid was only interrupted by the event that woke other */
	uint32_t core;	/* index in live_ring.cores; and the CPU's number */
	int16_t cpu;
	int32_t pid, tid, other;
	char name[16];	  /* of RING_NAME */
	uint64_t time_ns; /* clock_now_ns() */
};

struct ring_core {
	int fd, waking_fd; /* -1: none */
	int16_t cpu;
	void *map; /* NULL: none */
	uint64_t tail, head;
	uint64_t given; /* the tail that was last reported to the kernel */
	struct ring_event next;
	bool has_next;
};

struct live_ring {
	enum ring_reach reach;
	bool wakes;  /* there are also RING_WAKING records */
	bool rests;  /* open between two runs */
	bool filled; /* a ring may have been full once */
	cpu_set_t set;
	uint32_t n;
	struct ring_core *cores;
	size_t size;	   /* of each ring, bytes */
	int waking_pid_at; /* in a record of sched_waking */
	int64_t ahead_ns;  /* how far a time namespace's clock is ahead of that of the records */
	uint64_t until_ns; /* live_ring_next() hands out nothing later */
	uint64_t lost, events;
	bool counted; /* lost is complete */
};

/* Returns the most that is allowed. If that is RING_NONE, *err is the reason, else 0. */
enum ring_reach live_ring_try(int *err);
/*
 * Tests whether wake-ups come with RING_CORES, for which tracepoints must be readable. root "" is
 * the machine. Returns 0 or -errno.
 */
int live_ring_try_wakes(const char *root);
/*
 * Opens the rings of the CPUs in the set, with wake-ups if tracepoints can be read, or reuses
 * resting rings of the same CPUs. For RING_TASKS pid is the runner, before it creates any task.
 * Zero the struct before its first run. Returns 0, or -errno with nothing left open.
 */
int live_ring_open(struct live_ring *ring, enum ring_reach reach, pid_t pid, const cpu_set_t *set);
/* After this live_ring_next() hands out all records written until now. */
void live_ring_begin(struct live_ring *ring);
bool live_ring_next(struct live_ring *ring, struct ring_event *event);
/*
 * Adds lost records to lost that no record has reported, because the kernel reports a loss with the
 * next record that has room. Call it after the run: if a ring may have been full, it looks at every
 * task.
 */
void live_ring_count_lost(struct live_ring *ring);
/*
 * Keeps the rings open and recording for the next run, because mapping those of two cores is a
 * sixth of the front end's cost for a run of 250 ms. Closes RING_TASKS, because they belong to one
 * runner. Closes rings that have lost records, because the kernel would report the loss in the next
 * run.
 */
void live_ring_rest(struct live_ring *ring);
/* Call it even if no run is near, because resting rings keep recording. */
void live_ring_close(struct live_ring *ring);

/*
 * The kernel's context switches of one run as slices. A task's number may be reused during the run,
 * so each life of a number is kept separately, from creation to exit.
 */

struct perf_life {
	int32_t tid;
	uint32_t older;	 /* next older life in the same bucket, plus 1; 0: none */
	uint32_t worker; /* PERF_NOBODY: no known worker */
	uint8_t ours;	 /* it is the runner or a descendant */
	bool exits;
	bool seen;		   /* some record shows where it is */
	int16_t cpu;		   /* of the current slice */
	int64_t since_ns;	   /* its creation; 0: before the records */
	int64_t on_ns;		   /* -1: not on a core */
	int64_t off_ns;		   /* the end of its last slice; -1: it had none */
	int64_t given_ns;	   /* the end of its last slice handed out; -1: none */
	int64_t until_ns;	   /* later slices do not belong to its worker; 0: all do */
	int64_t ready_ns;	   /* when it became runnable before this slice; -1: unknown */
	int32_t waker;		   /* the life that woke it for this slice; -1: unknown */
	int32_t woken_by;	   /* the same for the next slice */
	uint8_t woken, woken_what; /* enum sample_woken of both */
	int64_t woken_ns;	   /* -1: not woken since */
	uint32_t task;		   /* place in live_tasks.list, plus 1; 0: none */
	char name[16];		   /* of a task that is not ours; "": unknown */
	int64_t used_ns;	   /* CPU time on the watched cores */
};

#define PERF_NOBODY UINT32_MAX

struct perf_core {
	uint32_t running;  /* the life on it, plus 1; 0: none seen */
	int64_t left_ns;   /* when a task last left it; 0: unknown */
	int32_t left_tid;  /* the task that left it */
	int64_t others_ns; /* since when other programs are on it; 0: none are */
};

struct perf_worker {
	bool met;	  /* its life is known */
	int64_t given_ns; /* the end of its last slice handed out */
};

struct live_perf {
	struct live_ring *ring; /* the session's */
	const struct scoreboard *board;
	struct live_tasks *tasks; /* gets the tasks of commands; NULL: none are wanted */
	pid_t runner;
	uint64_t begin_ns; /* of the run; 0: not yet */
	struct perf_life *lives;
	size_t n_lives, cap_lives;
	uint32_t *bucket;	 /* by tid: the youngest life, plus 1 */
	struct perf_core *cores; /* by core of the ring */
	/*
	 * Slices that have ended and were not handed out yet, on the monotonic clock; index is the
	 * life.
	 */
	struct sample_slice *ended;
	size_t n_ended, cap_ended;
	struct sample_slice *list; /* result of the last live_perf_take() */
	size_t n, cap;
	uint64_t taken;
	uint32_t read; /* number of names read of tasks that existed before */
	int64_t lost;  /* slices that did not fit here */
	struct perf_worker *workers;
};

/*
 * Opens the rings of a runner that has created nothing yet, on the CPUs of the set. The caller owns
 * ring and board. Returns 0 or -errno. Close perf in either case.
 */
int live_perf_open(struct live_perf *perf, struct live_ring *ring, enum ring_reach reach,
		   pid_t runner, const cpu_set_t *set, const struct scoreboard *board);
/*
 * Reads the records until now and makes list of them, with times since the run's beginning. Slices
 * of workers that are not known yet come later. over means that no slice is open any more.
 */
void live_perf_take(struct live_perf *perf, bool over);
/* Programs not of the run that used most of the cores, "cc1 480 ms, sshd 12 ms"; "" if none. */
void live_perf_others(const struct live_perf *perf, char *buf, size_t size);
void live_perf_close(struct live_perf *perf);
