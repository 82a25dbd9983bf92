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
 * All close functions are safe on a zeroed struct. struct live_place records when a worker had each
 * core. A core has one worker at a time. A worker does not notice when it is off its core during a
 * system call, but the times of other workers on that core show when it cannot have been on it.
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
/* Finds the core's first free stretch in the span. The times of dropped spans count as free. */
bool live_place_free(const struct live_place *place, int cpu, struct place_span span,
		     struct place_span *found);
void live_place_close(struct live_place *place);

/*
 * Turns the workers' notes into pieces that never overlap on a core. First come the times that a
 * worker noted itself. Then comes the worker's remaining CPU time, which it spent during a long
 * system call: it is placed between the call's beginning and end, where the core was free, in one
 * piece for each context switch.
 */

/* A slice that a worker noted, or the part of a slice since it was last placed. */
struct fit_note {
	uint32_t worker;
	uint64_t on_ns, sure_ns; /* The worker was certainly on its core from on_ns to sure_ns. */
	uint64_t guess_ns;	 /* Further CPU time of the worker before its next note begins. */
	int16_t cpu;
	uint8_t why; /* enum sample_why of the slice's end */
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
	struct fit_piece *pieces; /* sorted by note, then time */
	size_t n_pieces, cap_pieces;
	int64_t lost; /* Number of notes and pieces that were lost because memory was short. */
};

/* Drops the notes, but keeps the times when the cores were in use. */
void live_fit_begin(struct live_fit *fit);
/* Adds a note. Add all notes of one worker in a row. */
void live_fit_add(struct live_fit *fit, const struct fit_note *note);
void live_fit_place(struct live_fit *fit);
void live_fit_close(struct live_fit *fit);

/* The slices that workers noted themselves, from their rings. */

struct live_slices {
	struct scoreboard *board;
	struct live_lane *lanes; /* by worker; NULL: the run has no rings */
	/* now_ns: when live_slices_take() was last called. begin_ns: the run's beginning. */
	uint64_t now_ns, begin_ns;
	struct live_fit fit;
	struct sample_slice *list;
	size_t n, cap; /* The result of live_slices_take(). Slices do not overlap on a core. */
	/* Number of slices that were damaged, or for which the front end had no memory. */
	int64_t lost;
};

/* Requests rings if the plan's work has loops. */
void live_slices_ask(struct board_request *request, uint64_t tick_ns, bool marked);
int live_slices_open(struct live_slices *slices, struct scoreboard *board);
/*
 * Fills `list` with the workers' notes up to now_ns, with times since begin_ns. over: all workers
 * have ended, so an open slice ended when its worker was last seen.
 */
void live_slices_take(struct live_slices *slices, uint64_t begin_ns, uint64_t now_ns, bool over);
/* The number of slices lost, in full rings or in the front end; -1 if the run has no rings. */
int64_t live_slices_lost(const struct live_slices *slices);
void live_slices_close(struct live_slices *slices);

/*
 * The kernel's records of a run's context switches, perf_event_open(2): one bounded ring for each
 * core, read in order of time. Recording our own tasks needs perf_event_paranoid 2 or less.
 * Recording all tasks on the cores needs 0 or less, CAP_PERFMON or root.
 */

enum ring_reach {
	RING_NONE,  /* not allowed, or not supported by the kernel */
	RING_TASKS, /* the runner and all tasks that descend from it */
	RING_CORES, /* every task on the cores; cheaper, because no task inherits the event */
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
	/*
	 * For RING_WAKING: an interrupt that came while tid ran woke `other`; tid itself did not.
	 */
	bool interrupt;
	uint32_t core; /* core: index in live_ring.cores. cpu: the CPU's number. */
	int16_t cpu;
	int32_t pid, tid, other;
	char name[16];	  /* For RING_NAME. */
	uint64_t time_ns; /* A time of clock_now_ns(). */
};

struct ring_core {
	int fd, waking_fd; /* -1: none */
	int16_t cpu;
	void *map; /* NULL: none */
	uint64_t tail, head;
	uint64_t given; /* The tail last reported to the kernel: records before it were read. */
	struct ring_event next;
	bool has_next;
};

struct live_ring {
	enum ring_reach reach;
	bool wakes;  /* The ring has RING_WAKING records too. */
	bool rests;  /* The rings are open, but between two runs. */
	bool filled; /* A ring may have been full at some time. */
	cpu_set_t set;
	uint32_t n;
	struct ring_core *cores;
	size_t page;	   /* Bytes of a page; the kernel's page precedes each ring. */
	size_t size;	   /* of each ring, bytes */
	int waking_pid_at; /* Position of the PID in a sched_waking record. */
	/* How far the clock of our time namespace is ahead of the clock of the records, ns. */
	int64_t ahead_ns;
	uint64_t until_ns; /* live_ring_next() returns no events after this time. */
	uint64_t lost, events;
	bool counted; /* `lost` includes all losses, even losses that no record has reported. */
};

/*
 * Returns the widest reach that is allowed. If that is RING_NONE, *err is the reason, otherwise 0.
 */
enum ring_reach live_ring_try(int *err);
/*
 * Tests whether RING_CORES can include wake-ups, which needs readable tracepoints. root "" is the
 * real machine. Returns 0 or -errno.
 */
int live_ring_try_wakes(const char *root);
/*
 * Opens the rings of the CPUs in the set, with wake-ups if tracepoints can be read. Reuses rings
 * that were left open on the same CPUs. For RING_TASKS, pid is the runner, before it creates any
 * task. Zero the struct before its first run. Returns 0, or -errno with nothing left open.
 */
int live_ring_open(struct live_ring *ring, enum ring_reach reach, pid_t pid, const cpu_set_t *set);
/* After this call, live_ring_next() returns all records written so far. */
void live_ring_begin(struct live_ring *ring);
bool live_ring_next(struct live_ring *ring, struct ring_event *event);
/*
 * Adds losses that no record has reported to `lost`. The kernel reports a loss only with the next
 * record that has room. Call it after the run. Asks the kernel only if a ring may have been full,
 * because the kernel visits every task for the answer.
 */
void live_ring_count_lost(struct live_ring *ring);
/*
 * Leaves the rings open and recording until the next run, because mapping the rings of two cores
 * takes a sixth of the front end's cost for a run of 250 ms. Closes RING_TASKS, because these rings
 * belong to one runner. Also closes rings that have lost records, because the kernel would report
 * the loss in the next run.
 */
void live_ring_rest(struct live_ring *ring);
/*
 * Closes the rings. Call it at the end of the session, because rings that are left open keep
 * recording.
 */
void live_ring_close(struct live_ring *ring);

/* The kernel's context switches of one run as slices. */

struct perf_core {
	uint32_t running;  /* Place of the task that is on the core, plus 1; 0: none was seen. */
	int64_t left_ns;   /* When a task last left the core; 0: unknown. */
	int32_t left_tid;  /* Number of the task that last left the core. */
	int64_t others_ns; /* Time since which other programs have the core; 0: they do not. */
};

struct perf_worker {
	bool met;	  /* The task of the worker is known. */
	int64_t given_ns; /* End of the last slice that was passed on. */
};

struct live_perf {
	struct live_ring *ring; /* Owned by the session. */
	const struct scoreboard *board;
	/* The tasks that the records name: `own`, or the list that the commands' tasks are in. */
	struct live_tasks *tasks;
	struct live_tasks own;
	pid_t runner;
	pid_t self;
	uint64_t begin_ns;	 /* Beginning of the run; 0: not begun yet. */
	struct perf_core *cores; /* By index of the core in the ring. */
	/*
	 * Slices that have ended but were not passed on yet, with monotonic times. `index` is the
	 * task's place.
	 */
	struct sample_slice *ended;
	size_t n_ended, cap_ended;
	struct sample_slice *list; /* The result of live_perf_take(). */
	size_t n, cap;
	uint64_t taken;
	/* Number of tasks whose names were read because they existed before the records. */
	uint32_t read;
	int64_t lost; /* Number of slices that did not fit. */
	struct perf_worker *workers;
};

/*
 * Opens the rings of a runner that has created no task yet, on the CPUs of the set. The caller owns
 * ring and board. Returns 0 or -errno. Close perf in either case.
 */
int live_perf_open(struct live_perf *perf, struct live_ring *ring, enum ring_reach reach,
		   pid_t runner, const cpu_set_t *set, const struct scoreboard *board);
/*
 * Reads all records so far and fills `list` with slices, with times since the run's beginning.
 * Slices whose worker is not known yet are returned later. over: no slice is open any more.
 */
void live_perf_take(struct live_perf *perf, bool over);
/*
 * The programs outside the run that used most of the cores: "cc1 480 ms, sshd 12 ms"; "" if none.
 */
void live_perf_others(const struct live_perf *perf, char *buf, size_t size);
void live_perf_close(struct live_perf *perf);
