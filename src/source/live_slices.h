/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sample.h"
#include "core/scoreboard.h"

/*
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

/* Marks a free stretch as taken. */
int live_place_put(struct live_place *place, int cpu, struct place_span span);
/*
 * Finds the core's first free stretch in the span. Stretches of long ago are forgotten, so all is
 * free there.
 */
bool live_place_free(const struct live_place *place, int cpu, struct place_span span,
		     struct place_span *found);
/* Safe on a zeroed one. */
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
	bool open; /* it goes on */
};

/* A part of the note of that number. */
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
};

/* Forgets the notes but not which cores were taken. */
void live_fit_begin(struct live_fit *fit);
/* Call it for the notes of one worker in a row. */
int live_fit_add(struct live_fit *fit, const struct fit_note *note);
/* Makes the pieces of all notes. 0 or -ENOMEM. */
int live_fit_place(struct live_fit *fit);
/* Safe on a zeroed one. */
void live_fit_close(struct live_fit *fit);

/* The slices that workers noted themselves, taken out of their rings. */

struct live_slices {
	struct scoreboard *board;
	struct live_lane *lanes; /* by worker; NULL: the run has no rings */
	uint32_t first_open;	 /* those before it have ended */
	struct live_fit fit;
	struct sample_slice *list;
	size_t n, cap; /* what was taken last; no two on one core at once */
	int64_t lost;  /* for want of our memory */
};

/* Asks for rings where the plan's work has loops. */
void live_slices_ask(struct board_request *request, uint64_t tick_ns, bool marked);
/* 0 or -ENOMEM. The board stays the caller's. */
int live_slices_open(struct live_slices *slices, struct scoreboard *board);
/*
 * Makes list of what the workers noted by now_ns, times since begin_ns. over: all workers are
 * gone, so an open slice ended when its worker was last seen.
 */
void live_slices_take(struct live_slices *slices, uint64_t begin_ns, uint64_t now_ns, bool over);
/* How many found no room; -1: the run has no rings. */
int64_t live_slices_lost(const struct live_slices *slices);
/* Safe on a zeroed one. */
void live_slices_close(struct live_slices *slices);

/* What the workers of a run reported of their operations, taken when all have ended. */
struct live_tally {
	uint32_t n;
	struct sample_bucket *list; /* NULL: nothing, or no memory for it */
};

/* Copies it from the board, and its sums to the totals. */
void live_tally_take(struct live_tally *tally, const struct scoreboard *board,
		     struct sample_totals *totals);
void live_tally_close(struct live_tally *tally);
