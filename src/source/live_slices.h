/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sample.h"
#include "core/scoreboard.h"

/*
 * When each core was taken by somebody of one run. A core has one worker at a time: where a worker
 * cannot say when within a system call it was away, the time that others took says it.
 */

struct place_span {
	uint64_t on_ns, off_ns;
};

struct place_core;

struct live_place {
	struct place_core *cores; /* by number */
	size_t n;
};

/* Takes a stretch that is free. 0 or -ENOMEM. */
int live_place_put(struct live_place *place, int cpu, struct place_span span);
/* The first free stretch of the core in the span. Long ago, many stretches before, all is free. */
bool live_place_free(const struct live_place *place, int cpu, struct place_span span,
		     struct place_span *found);
/* Safe on a zeroed one. */
void live_place_close(struct live_place *place);

/*
 * Notes of workers as stretches of which no two are on one core at once. What a worker knows for
 * sure is placed first; then what it was on a core within a long call, where the core was nobody
 * else's: from the call's begin on, in as many pieces as it was switched, up to the call's end.
 */

/* A slice as a worker noted it, or what came on since it was placed last. */
struct fit_note {
	uint32_t worker;
	uint64_t on_ns, sure_ns; /* surely on its core from, until */
	uint64_t guess_ns;	 /* and for so long until its next note begins */
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

/* Forgets the notes, not who was where. */
void live_fit_begin(struct live_fit *fit);
/* Those of one worker one behind the other. 0 or -ENOMEM. */
int live_fit_add(struct live_fit *fit, const struct fit_note *note);
/* Makes the pieces of all notes. 0 or -ENOMEM. */
int live_fit_place(struct live_fit *fit);
/* Safe on a zeroed one. */
void live_fit_close(struct live_fit *fit);

/* The slices that the workers of one run noted themselves, taken out of their rings. */

struct live_slices {
	struct scoreboard *board;
	struct live_lane *lanes; /* by worker; NULL: the run has no rings */
	uint32_t first_open;	 /* those before it have ended */
	struct live_fit fit;
	struct sample_slice *list;
	size_t n, cap; /* what was taken last; no two on one core at once */
	int64_t lost;  /* for want of our memory */
};

/* The request's part: rings where the plan's work has loops; the others as there. */
void live_slices_ask(struct board_request *request, uint64_t tick_ns, bool marked);
/* 0 or -ENOMEM. The board stays the caller's. */
int live_slices_open(struct live_slices *slices, struct scoreboard *board);
/*
 * Takes what the workers noted by now_ns to list, times since begin_ns. over: they are all gone, so
 * that what was still open ended when its worker was last seen.
 */
void live_slices_take(struct live_slices *slices, uint64_t begin_ns, uint64_t now_ns, bool over);
/* How many found no room; -1: the run has no rings. */
int64_t live_slices_lost(const struct live_slices *slices);
/* Safe on a zeroed one. */
void live_slices_close(struct live_slices *slices);

/* What the workers of a run have told of their operations, taken when all of them have ended. */
struct live_tally {
	uint32_t n;
	struct sample_bucket *list; /* NULL: nothing, or no memory for it */
};

/* Takes all of the board, and the sums of it to the totals. */
void live_tally_take(struct live_tally *tally, const struct scoreboard *board,
		     struct sample_totals *totals);
void live_tally_close(struct live_tally *tally);
