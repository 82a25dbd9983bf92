/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>
#include <sys/resource.h>

#include "core/scoreboard.h"

/* What the calling process and the children it has reaped have used so far. */
struct usage {
	struct rusage self, children;
	uint64_t io[4]; /* rchar, wchar, read_bytes, write_bytes; UINT64_MAX: not known */
	uint64_t own;	/* bytes of /proc that this reading will add to rchar */
};

void usage_read(struct usage *usage);
/* What was used between two readings, the first one's own reading left out. */
void usage_totals(const struct usage *before, const struct usage *after,
		  struct board_totals *totals);
