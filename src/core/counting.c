/* SPDX-License-Identifier: MIT */
#include "core/counting.h"

#include <errno.h>
#include <string.h>

static const char *const names[COUNTINGS] = {
	[COUNTING_NONE] = "",	      [COUNTING_MUTEX] = "mutex", [COUNTING_SPINLOCK] = "spinlock",
	[COUNTING_ATOMIC] = "atomic", [COUNTING_FALSE] = "false", [COUNTING_LINE] = "line",
	[COUNTING_PLAIN] = "plain",
};

const char *counting_name(enum counting counting)
{
	return names[counting < COUNTINGS ? counting : COUNTING_NONE];
}

int counting_parse(const char *name, enum counting *counting)
{
	for (int i = COUNTING_MUTEX; i < COUNTINGS; i++) {
		if (strcmp(name, names[i]) != 0)
			continue;
		*counting = (enum counting)i;
		return 0;
	}
	return -EINVAL;
}
