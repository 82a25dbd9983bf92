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
 * All close functions are safe on a zeroed struct. Records when a worker had each core. A core has
 * one worker at a time. A worker cannot tell when it was off its core during a system call, so the
 * times of other workers on that core are used to find out.
 */

struct place_span {
	uint64_t on_ns, off_ns;
};

struct place_core;

struct live_place {
	struct place_core *cores; /* By the CPU's number. */
	size_t n;
};

int live_place_put(struct live_place *place, int cpu, struct place_span span);
/*
 * Finds the core's first free stretch in the span. Old stretches are forgotten and count as free.
 */
bool live_place_free(const struct live_place *place, int cpu, struct place_span span,
		     struct place_span *found);
void live_place_close(struct live_place *place);

/*
 * Turns the workers' notes into pieces that never overlap on a core. First it places the times that
 * a worker noted itself. Then it places the worker's remaining CPU time, which it spent during a
 * long system call: between the call's beginning and end, where the core was free, in one piece for
 * each context switch.
 */

/* A slice that a worker noted, or the part of it since it was last placed. */
struct fit_note {
	uint32_t worker;
	uint64_t on_ns, sure_ns; /* when the worker was certainly on its core */
	uint64_t guess_ns;	 /* Further CPU time before its next note begins. */
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
	int64_t lost; /* Number of notes and pieces lost because memory was short. */
};

/* Forgets the notes, but keeps the times when the cores were in use. */
void live_fit_begin(struct live_fit *fit);
/* Call it for all notes of one worker in a row. */
void live_fit_add(struct live_fit *fit, const struct fit_note *note);
void live_fit_place(struct live_fit *fit);
void live_fit_close(struct live_fit *fit);

/* The slices that workers noted themselves, from their rings. */

struct live_slices {
	struct scoreboard *board;
	struct live_lane *lanes; /* by worker; NULL: the run has no rings */
	/*
	 * now_ns: the time of the last call of live_slices_take(). begin_ns: the run's beginning.
	 */
	uint64_t now_ns, begin_ns;
	struct live_fit fit;
	struct sample_slice *list;
	size_t n, cap; /* Result of live_slices_take(). Slices do not overlap on a core. */
	int64_t lost;  /* Number of slices lost because the front end had no memory. */
};

/* Requests rings if the plan's work has loops. */
void live_slices_ask(struct board_request *request, uint64_t tick_ns, bool marked);
int live_slices_open(struct live_slices *slices, struct scoreboard *board);
/*
 * Fills `list` with the workers' notes up to now_ns, with times since begin_ns. over means that all
 * workers have ended, so an open slice ended when its worker was last seen.
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
	RING_NONE,  /* not allowed, or not supported by the kernel */
	RING_TASKS, /* the runner and all that it creates */
	RING_CORES, /* every task on the cores; cheaper, because no task has to inherit the event */
};

enum ring_kind {
	RING_ON, /* tid is on the core now, after `other` (RING_CORES) */
	/* tid left the core to `other` (RING_CORES); preempted: it could have continued */
	RING_OFF,
	RING_FORK,   /* `other` created tid */
	RING_EXIT,   /* tid ends, but may still be on the core for a moment */
	RING_WAKING, /* tid woke `other` */
	RING_NAME,   /* tid has this name now, from exec or by its own choice */
};

struct ring_event {
	enum ring_kind kind;
	bool preempted;
	bool interrupt; /* For RING_WAKING: an interrupt during tid woke `other`, not tid itself. */
	uint32_t core;	/* core: index in live_ring.cores. cpu: the CPU's number. */
	int16_t cpu;
	int32_t pid, tid, other;
	char name[16];	  /* For RING_NAME. */
	uint64_t time_ns; /* As of clock_now_ns(). */
};

struct ring_core {
	int fd, waking_fd; /* -1: none */
	int16_t cpu;
	void *map; /* NULL: none */
	uint64_t tail, head;
	uint64_t given; /* the tail that the kernel was told last */
	struct ring_event next;
	bool has_next;
};

struct live_ring {
	enum ring_reach reach;
	bool wakes;  /* there are also RING_WAKING records */
	bool rests;  /* It is open between two runs. */
	bool filled; /* A ring may have been full at some time. */
	cpu_set_t set;
	uint32_t n;
	struct ring_core *cores;
	size_t size;	   /* of each ring, bytes */
	int waking_pid_at; /* Position of the PID in a sched_waking record. */
	/* How far the clock of our time namespace is ahead of the records' clock. */
	int64_t ahead_ns;
	uint64_t until_ns; /* live_ring_next() returns no later events. */
	uint64_t lost, events;
	bool counted; /* `lost` is complete. */
};

/* Returns the widest reach that is allowed. If it is RING_NONE, *err is the reason, otherwise 0. */
enum ring_reach live_ring_try(int *err);
/*
 * Tests whether RING_CORES can include wake-ups, for which tracepoints must be readable. root "" is
 * the real machine. Returns 0 or -errno.
 */
int live_ring_try_wakes(const char *root);
/*
 * Opens the rings of the CPUs in the set, with wake-ups if tracepoints can be read, or reuses
 * resting rings of the same CPUs. For RING_TASKS pid is the runner, before it creates any task.
 * Zero the struct before its first run. Returns 0, or -errno with nothing left open.
 */
int live_ring_open(struct live_ring *ring, enum ring_reach reach, pid_t pid, const cpu_set_t *set);
/* After this call, live_ring_next() returns all records written so far. */
void live_ring_begin(struct live_ring *ring);
bool live_ring_next(struct live_ring *ring, struct ring_event *event);
/*
 * Adds losses that no record has reported to `lost`. The kernel reports a loss only with the next
 * record that has room. Call it after the run. If a ring may have been full, it looks at every
 * task.
 */
void live_ring_count_lost(struct live_ring *ring);
/*
 * Keeps the rings open and recording for the next run, because mapping the rings of two cores takes
 * a sixth of the front end's cost for a run of 250 ms. Closes RING_TASKS, because they belong to
 * one runner. Closes rings that have lost records, because the kernel would report the loss in the
 * next run.
 */
void live_ring_rest(struct live_ring *ring);
/* Call it at the end of the session, because resting rings keep recording. */
void live_ring_close(struct live_ring *ring);

/*
 * The kernel's context switches of one run as slices. A task's number may be reused during the run,
 * so each life of a number is kept separately, from creation to exit.
 */

struct perf_life {
	int32_t tid;
	uint32_t older;	 /* next older life in the same bucket, plus 1; 0: none */
	uint32_t worker; /* PERF_NOBODY: no known worker */
	uint8_t ours;	 /* It is the runner or a descendant of it. */
	bool exits;
	bool seen;	  /* A record has shown where it is. */
	int16_t cpu;	  /* CPU of the current slice. */
	int64_t since_ns; /* Time of its creation; 0: before the records. */
	int64_t on_ns;	  /* -1: not on a core */
	int64_t off_ns;	  /* End of its last slice; -1: none. */
	int64_t given_ns; /* End of the last slice that was passed on; -1: none. */
	int64_t until_ns; /* Slices after this time do not belong to its worker; 0: all do. */
	int64_t ready_ns; /* when it became runnable before this slice; -1: unknown */
	int32_t waker;	  /* The life that woke it for the current slice; -1: unknown. */
	int32_t woken_by; /* The life that woke it for the next slice; -1: unknown. */
	uint8_t woken, woken_what; /* enum sample_woken for the current and for the next slice. */
	int64_t woken_ns;	   /* When it was woken for the next slice; -1: it was not. */
	uint32_t task;		   /* Index in live_tasks.list, plus 1; 0: none. */
	char name[16];		   /* Name of a task that is not of the run; "": unknown. */
	int64_t used_ns;	   /* CPU time on the watched cores */
};

#define PERF_NOBODY UINT32_MAX

struct perf_core {
	uint32_t running;  /* The life that is on it, plus 1; 0: none seen. */
	int64_t left_ns;   /* when a task last left it; 0: unknown */
	int32_t left_tid;  /* tid of the task that left it. */
	int64_t others_ns; /* Time since which other programs are on it; 0: they are not. */
};

struct perf_worker {
	bool met;	  /* its life is known */
	int64_t given_ns; /* End of the last slice that was passed on. */
};

struct live_perf {
	struct live_ring *ring; /* Owned by the session. */
	const struct scoreboard *board;
	struct live_tasks *tasks; /* Receives the tasks of commands; NULL: they are not wanted. */
	pid_t runner;
	uint64_t begin_ns; /* Beginning of the run; 0: not yet. */
	struct perf_life *lives;
	size_t n_lives, cap_lives;
	uint32_t *bucket;	 /* By tid: the youngest life, plus 1. */
	struct perf_core *cores; /* By index of the core in the ring. */
	/*
	 * Slices that have ended but were not passed on yet, with monotonic times; index is the
	 * life.
	 */
	struct sample_slice *ended;
	size_t n_ended, cap_ended;
	struct sample_slice *list; /* Result of live_perf_take(). */
	size_t n, cap;
	uint64_t taken;
	uint32_t read; /* Number of tasks that existed before and whose names were read. */
	int64_t lost;  /* Number of slices for which there was no room here. */
	struct perf_worker *workers;
};

/*
 * Opens the rings of a runner that has created nothing yet, on the CPUs of the set. The caller owns
 * ring and board. Returns 0 or -errno. Close perf in either case.
 */
int live_perf_open(struct live_perf *perf, struct live_ring *ring, enum ring_reach reach,
		   pid_t runner, const cpu_set_t *set, const struct scoreboard *board);
/*
 * Reads all records so far and fills `list` with slices, with times since the run's beginning.
 * Slices of workers that are not known yet come later. over means that no slice is open any more.
 */
void live_perf_take(struct live_perf *perf, bool over);
/*
 * The programs outside the run that used most of the cores: "cc1 480 ms, sshd 12 ms"; "" if none.
 */
void live_perf_others(const struct live_perf *perf, char *buf, size_t size);
void live_perf_close(struct live_perf *perf);
