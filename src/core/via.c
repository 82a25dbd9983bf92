/* SPDX-License-Identifier: MIT */
#include "core/via.h"

#include <errno.h>
#include <string.h>

static const char *const names[VIAS] = {
	[VIA_NONE] = "",	   [VIA_PIPE] = "pipe",	  [VIA_SOCKET] = "socketpair",
	[VIA_EVENTFD] = "eventfd", [VIA_FUTEX] = "futex", [VIA_SIGNAL] = "signal",
	[VIA_MEMORY] = "memory",
};

static const char *const cores_names[VIA_CORES] = {
	[VIA_FREE] = "", [VIA_SAME] = "same", [VIA_TWO] = "two"};

/* The place of a name but the first, which is no way; 0: it is none of them. */
static int find(const char *const *list, int n, const char *name)
{
	for (int i = 1; i < n; i++)
		if (strcmp(list[i], name) == 0)
			return i;
	return 0;
}

const char *via_name(enum via via)
{
	return names[via < VIAS ? via : VIA_NONE];
}

int via_parse(const char *name, enum via *via)
{
	*via = (enum via)find(names, VIAS, name);
	return *via == VIA_NONE ? -EINVAL : 0;
}

const char *via_cores_name(enum via_cores cores)
{
	return cores_names[cores < VIA_CORES ? cores : VIA_FREE];
}
