/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sample.h"
#include "core/scoreboard.h"

/* What the workers of a run have told of their operations, taken when all of them have ended. */
struct live_tally {
	uint32_t n;
	struct sample_bucket *list; /* NULL: nothing, or no memory for it */
};

/* Takes all of the board, and the sums of it to the totals. */
void live_tally_take(struct live_tally *tally, const struct scoreboard *board,
		     struct sample_totals *totals);
void live_tally_close(struct live_tally *tally);
