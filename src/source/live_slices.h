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
 *
 * When each core was taken by a worker of the run. A core has one worker at a time. A worker
 * cannot say when it was off its core during a system call, so the times of others on that core
 * say it.
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
 * Finds the core's first free stretch in the span. Stretches of long ago are forgotten, so all is
 * free there.
 */
bool live_place_free(const struct live_place *place, int cpu, struct place_span span,
		     struct place_span *found);
void live_place_close(struct live_place *place);

/*
 * Turns the workers' notes into pieces of which no two are on one core at once. What a worker
 * knows for sure is placed first. Then comes its time on a core during a long system call, placed
 * where the core was free: from the call's begin on, in as many pieces as it was switched, up to
 * the call's end.
 */

/* A slice as a worker noted it, or its part since it was last placed. */
struct fit_note {
	uint32_t worker;
	uint64_t on_ns, sure_ns; /* when it was on its core for sure */
	uint64_t guess_ns;	 /* and how long it was on one before its next note begins */
	int16_t cpu;
	uint8_t why; /* enum sample_why, of its end */
	uint8_t switches;
	bool open; /* it has not ended */
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

/* Forgets the notes but not which cores were taken. */
void live_fit_begin(struct live_fit *fit);
/* Call it for the notes of one worker in a row. */
void live_fit_add(struct live_fit *fit, const struct fit_note *note);
void live_fit_place(struct live_fit *fit);
void live_fit_close(struct live_fit *fit);

/* The slices that workers noted themselves, taken out of their rings. */

struct live_slices {
	struct scoreboard *board;
	struct live_lane *lanes;   /* by worker; NULL: the run has no rings */
	uint64_t now_ns, begin_ns; /* of the last taking; and the run's */
	struct live_fit fit;
	struct sample_slice *list;
	size_t n, cap; /* what was taken last; no two on one core at once */
	int64_t lost;  /* for want of our memory */
};

/* Asks for rings where the plan's work has loops. */
void live_slices_ask(struct board_request *request, uint64_t tick_ns, bool marked);
int live_slices_open(struct live_slices *slices, struct scoreboard *board);
/*
 * Makes list of what the workers noted by now_ns, times since begin_ns. over: all workers are
 * gone, so an open slice ended when its worker was last seen.
 */
void live_slices_take(struct live_slices *slices, uint64_t begin_ns, uint64_t now_ns, bool over);
/* How many found no room; -1: the run has no rings. */
int64_t live_slices_lost(const struct live_slices *slices);
void live_slices_close(struct live_slices *slices);

/*
 * The kernel's records of a run's context switches, perf_event_open(2): one bounded ring for each
 * core, read in order of time. Records of our own tasks need perf_event_paranoid 2 or less.
 * Records of all that the cores do need 0 or less, CAP_PERFMON or root.
 */

enum ring_reach {
	RING_NONE,  /* not allowed, or the kernel has none */
	RING_TASKS, /* the runner and all that it creates */
	RING_CORES, /* every task on the cores; costs less, because no task inherits anything */
};

enum ring_kind {
	RING_ON,     /* tid is on the core now; of RING_CORES after other */
	RING_OFF,    /* tid left it; preempted: it could have gone on; of RING_CORES to other */
	RING_FORK,   /* tid was created by other */
	RING_EXIT,   /* tid ends, and may still be on the core for a moment */
	RING_WAKING, /* other was woken by tid */
	RING_NAME,   /* tid has that name now: it runs another program, or has chosen it */
};

struct ring_event {
	enum ring_kind kind;
	bool preempted;
	bool interrupt; /* of RING_WAKING: tid was only interrupted by what woke other */
	uint32_t core;	/* in live_ring.cores; and its number */
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
	uint64_t given; /* the tail that the kernel knows */
	struct ring_event next;
	bool has_next;
};

struct live_ring {
	enum ring_reach reach;
	bool wakes;  /* RING_WAKING comes as well */
	bool rests;  /* open between two runs */
	bool filled; /* a ring may have been full once */
	cpu_set_t set;
	uint32_t n;
	struct ring_core *cores;
	size_t size;	   /* of each ring, bytes */
	int waking_pid_at; /* in a record of sched_waking */
	int64_t ahead_ns;  /* of a time namespace's clock before that of the records */
	uint64_t until_ns; /* live_ring_next() hands out nothing later */
	uint64_t lost, events;
	bool counted; /* lost is complete */
};

/* The most that is allowed. *err says why that is nothing, else 0. */
enum ring_reach live_ring_try(int *err);
/* Whether wake-ups come with RING_CORES: tracepoints may be read. root "": the machine. 0 or
 * -errno. */
int live_ring_try_wakes(const char *root);
/*
 * Opens the rings of the CPUs in the set, with wake-ups where tracepoints may be read, or uses
 * again those that rest on the same CPUs. For RING_TASKS pid is the runner, which has not created
 * any task yet. Before its first run the ring is zeroed. 0 or -errno, nothing left open.
 */
int live_ring_open(struct live_ring *ring, enum ring_reach reach, pid_t pid, const cpu_set_t *set);
/* After this live_ring_next() hands out all records written until now. */
void live_ring_begin(struct live_ring *ring);
bool live_ring_next(struct live_ring *ring, struct ring_event *event);
/*
 * Adds to lost what no record has reported: the kernel does so with the next record that has room.
 * After the run, since where a ring may have been full it looks at every task that there is.
 */
void live_ring_count_lost(struct live_ring *ring);
/*
 * Keeps the rings open, and recording, for the next run: mapping those of two cores is a sixth of
 * what a run of 250 ms costs the front end. RING_TASKS are closed, because they belong to one
 * runner. So are rings that have lost records: the kernel would report that loss in the next run.
 */
void live_ring_rest(struct live_ring *ring);
/* Call it also when no run is near: rings that rest go on recording. */
void live_ring_close(struct live_ring *ring);

/*
 * The kernel's context switches of one run as slices. A task's number may be used again while the
 * run lasts, so each life of it is kept on its own, from its creation to its exit.
 */

struct perf_life {
	int32_t tid;
	uint32_t older;	 /* life of the same bucket, plus 1; 0: none */
	uint32_t worker; /* PERF_NOBODY: none that is known */
	uint8_t ours;	 /* the runner, or created by one of ours */
	bool exits;
	bool seen;		   /* some record says where it is */
	int16_t cpu;		   /* of the current slice */
	int64_t since_ns;	   /* its creation; 0: before all */
	int64_t on_ns;		   /* -1: not on a core */
	int64_t off_ns;		   /* the end of its last slice; -1: it had none */
	int64_t given_ns;	   /* the end of the last one that was handed out; -1 */
	int64_t until_ns;	   /* later slices do not belong to its worker; 0: all do */
	int64_t ready_ns;	   /* since when it waited for a core before this slice; -1 */
	int32_t waker;		   /* the life that woke it for this slice; -1 */
	int32_t woken_by;	   /* the same for the next */
	uint8_t woken, woken_what; /* enum sample_woken of both */
	int64_t woken_ns;	   /* -1: it was not since */
	uint32_t task;		   /* place in live_tasks.list, plus 1; 0: none */
	char name[16];		   /* of one that is not ours; "": not known */
	int64_t used_ns;	   /* CPU time on the watched cores */
};

#define PERF_NOBODY UINT32_MAX

struct perf_core {
	uint32_t running;  /* the life on it, plus 1; 0: none that is seen */
	int64_t left_ns;   /* when somebody left it last; 0: not known */
	int32_t left_tid;  /* who that was */
	int64_t others_ns; /* since when other programs are on it; 0: they are not */
};

struct perf_worker {
	bool met;	  /* its life is known */
	int64_t given_ns; /* the end of its last slice that was given */
};

struct live_perf {
	struct live_ring *ring; /* the session's */
	const struct scoreboard *board;
	struct live_tasks *tasks; /* learn of the tasks of commands; NULL: of none */
	pid_t runner;
	uint64_t begin_ns; /* of the run; 0: not yet */
	struct perf_life *lives;
	size_t n_lives, cap_lives;
	uint32_t *bucket;	 /* by tid: the youngest life, plus 1 */
	struct perf_core *cores; /* by core of the ring */
	/* Ended slices that were not handed out yet, on the monotonic clock; index is the life. */
	struct sample_slice *ended;
	size_t n_ended, cap_ended;
	struct sample_slice *list; /* what was taken last */
	size_t n, cap;
	uint64_t taken;
	uint32_t read; /* names of tasks that were there before */
	int64_t lost;  /* slices for which there was no room here */
	struct perf_worker *workers;
};

/*
 * Opens the rings of a runner that has created nothing yet, on the CPUs of the set. ring and board
 * stay the caller's. 0 or -errno; it is to be closed in every case.
 */
int live_perf_open(struct live_perf *perf, struct live_ring *ring, enum ring_reach reach,
		   pid_t runner, const cpu_set_t *set, const struct scoreboard *board);
/*
 * Reads the records until now and makes list of them, times since the run's begin. Slices of
 * workers that are not known yet come later. over: no slice is open any more.
 */
void live_perf_take(struct live_perf *perf, bool over);
/* The programs that used most of the cores and are not of the run, "cc1 480 ms, sshd 12 ms"; "". */
void live_perf_others(const struct live_perf *perf, char *buf, size_t size);
void live_perf_close(struct live_perf *perf);
