/* SPDX-License-Identifier: MIT */
#include "core/counting.h"

static const char *const names[COUNTINGS] = {
	[COUNTING_NONE] = "",	      [COUNTING_MUTEX] = "mutex", [COUNTING_SPINLOCK] = "spinlock",
	[COUNTING_ATOMIC] = "atomic", [COUNTING_FALSE] = "false", [COUNTING_LINE] = "line",
};

const char *counting_name(enum counting counting)
{
	return names[counting < COUNTINGS ? counting : COUNTING_NONE];
}
