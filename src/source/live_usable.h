/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The CPUs that this program may use, sched_getaffinity(2): those that are online, of its cpuset,
 * of what taskset(1) says. They may change while a session goes on, and a run on fewer or more of
 * them is no trial of the same thing.
 */

struct live_usable {
	cpu_set_t begin; /* as the session began; empty: not known */
};

void live_usable_begin(struct live_usable *usable);
/*
 * Whether they differ by now, among those of a run; cpus empty: all, and then one more counts as
 * well. Which and how is in text, a clause. Shorter than from one call to the next is not seen.
 */
bool live_usable_changed(const struct live_usable *usable, const cpu_set_t *cpus, char *text,
			 size_t size);
