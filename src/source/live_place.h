/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
