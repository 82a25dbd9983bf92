/* SPDX-License-Identifier: MIT */
#include "topology_parts.h"

#include <errno.h>

/* The program was built without hwloc. */
int topology_hwloc(struct topology *topology)
{
	return -ENOSYS;
}
