/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

/*
 * Fibers: functions that one thread runs by turns, each on a stack of its own. They switch by
 * swapcontext(3), in user space: the kernel knows of the thread alone, so a fiber that waits in a
 * system call keeps all others of its thread waiting.
 */

#define FIBER_STACK ((size_t)64 << 10)

struct fiber {
	ucontext_t context;
	void (*main)(void *arg);
	void *arg;
	bool ended;
};

/* Whether the C library can switch: glibc can, musl cannot. The rest must not be called else. */
bool fiber_supported(void);
/*
 * Prepares a fiber that runs main(arg) on a stack of FIBER_STACK bytes once it is switched to. main
 * never returns: it switches to another fiber for good. 0 or -errno.
 */
int fiber_make(struct fiber *fiber, void *stack, void (*main)(void *), void *arg);
/* Saves the running fiber, and continues the other. Returns when something switches back. */
void fiber_switch(struct fiber *running, struct fiber *other);

/* Fibers that take turns in the order of their numbers. */
struct fiber_ring {
	struct fiber *list;
	uint32_t n, at, left; /* the one that runs; fibers that have not ended */
	int err;	      /* error of the first fiber that failed */
	struct fiber caller;
	char *stacks;
};

/*
 * Makes n fibers and runs them until all have ended. Fiber i runs main(args + i * size). Returns
 * the first error of a fiber, or of making them; 0.
 */
int fiber_ring_run(struct fiber_ring *ring, uint32_t n, void (*main)(void *), void *args,
		   size_t size);
/* Lets the others run until it is this fiber's turn again. */
void fiber_ring_next(struct fiber_ring *ring);
/* Ends the running fiber; err: 0 or -errno. */
_Noreturn void fiber_ring_end(struct fiber_ring *ring, int err);
