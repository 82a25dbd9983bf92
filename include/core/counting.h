/* SPDX-License-Identifier: MIT */
#pragma once

/* The ways in which several workers count together. */

enum counting {
	COUNTING_NONE,
	COUNTING_MUTEX,	   /* one counter under a lock that waiters sleep on */
	COUNTING_SPINLOCK, /* under one that they look at again and again */
	COUNTING_ATOMIC,   /* one counter, added to in one instruction */
	COUNTING_FALSE,	   /* a counter each, side by side on one cache line */
	COUNTING_LINE,	   /* a counter each, on a line of its own */
	COUNTING_PLAIN,	   /* one counter, loaded and stored without a lock: some are lost */
	COUNTINGS
};

/* "mutex", "spinlock", "atomic", "false", "line", "plain", as in the variable via; "" for none. */
const char *counting_name(enum counting counting);
/* And back: 0 or -EINVAL. */
int counting_parse(const char *name, enum counting *counting);
