/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/counters.h"
#include "core/sample.h"
#include "experiment/experiment.h"

/* What the workers of a session have counted by the processor, chosen once: its runs are alike. */

struct live_count {
	enum counters_kind kind;
	char said[SAMPLE_LABEL]; /* as sample_session.counters */
	/*
	 * Our own ones, which never count. The first in the system costs 10 ms and more, in which
	 * the kernel makes sure that every core knows of them; so no worker is that one.
	 */
	struct counters held;
};

/*
 * Finds out whether they can be had, and would take at most 1 % of the runs' time. wish: of
 * TUIBENCH_COUNTERS, "software" or "off" for tests, or NULL. 0 or -EINVAL for another wish.
 */
int live_count_choose(const struct experiment *experiment, const char *wish,
		      struct live_count *count);
/* Why a worker that should have been counted was not, in words; NULL: they all were. */
const char *live_count_missed(const struct scoreboard *board);
/* Safe on a zeroed one. */
void live_count_close(struct live_count *count);
