/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Whether the front end gets a core beside the workers. The kernel shares the cores out among
 * groups of tasks first, then among those of a group: sessions are groups (sched(7), autogroup),
 * unless that is off or a cgroup of the cpu controller holds them. Then front end and workers share
 * one, and beside a thousand that compute it has a thousandth. Where it may, it takes a niceness
 * below theirs while a run goes on.
 */

struct live_precedence {
	bool shared;	 /* one group with the workers */
	bool apart;	 /* but for this run, which has a cgroup of its own */
	bool raised;	 /* our niceness is lower now */
	bool said;	 /* that it waits */
	int own;	 /* our niceness before */
	char group[128]; /* why it is one, in words; "": it is not */
	/* At the last look. */
	uint64_t looked_ns, waited_ns, ran_ns;
};

/* What the kernel schedules as one, as /proc and cgroups under root say. */
void live_precedence_find(struct live_precedence *precedence, const char *root);
/* A run has begun, in the cgroup of that folder ("": in ours); it keeps the niceness it inherited.
 */
void live_precedence_take(struct live_precedence *precedence, const char *folder);
/* It has ended. */
void live_precedence_give(struct live_precedence *precedence);
/*
 * A line once a session, where the front end shares a group and waited for a core for most of the
 * last second or more, whatever its niceness; nice is the workers'. The source is its own
 * /proc/thread-self/schedstat.
 */
bool live_precedence_waits(struct live_precedence *precedence, const char *root, int nice,
			   uint64_t now_ns, char *buf, size_t size);
