/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sample.h"
#include "core/scoreboard.h"
#include "live_fit.h"

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
