/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

/*
 * Fibers: functions that take turns on one thread, each on its own stack. They switch by
 * swapcontext(3) in user space. The kernel sees only the thread, so a fiber that waits in a system
 * call blocks all other fibers of its thread.
 */

#define FIBER_STACK ((size_t)64 << 10)

struct fiber {
	ucontext_t context;
	void (*main)(void *arg);
	void *arg;
	bool ended;
};

/*
 * Whether the C library can switch fibers. glibc can, musl cannot. If false, do not call the
 * functions below.
 */
bool fiber_supported(void);
/*
 * Prepares a fiber: the first fiber_switch() to it runs main(arg) on its stack of FIBER_STACK
 * bytes. main must never return. It ends by switching to another fiber. Returns 0 or -errno.
 */
int fiber_make(struct fiber *fiber, void *stack, void (*main)(void *), void *arg);
/*
 * Saves the running fiber and continues the other one. Returns when some fiber switches back to the
 * saved one.
 */
void fiber_switch(struct fiber *running, struct fiber *other);

/* Fibers that take turns in the order of their numbers. */
struct fiber_ring {
	struct fiber *list;
	/*
	 * n: number of fibers. at: index of the running fiber. left: number of fibers that have not
	 * ended yet.
	 */
	uint32_t n, at, left;
	int err; /* Error of the first fiber that failed, or 0. */
	struct fiber caller;
	char *stacks;
};

/*
 * Makes n fibers and runs them until all have ended. Fiber i runs main(args + i * size). Returns 0,
 * or the first error of a fiber or of making the fibers.
 */
int fiber_ring_run(struct fiber_ring *ring, uint32_t n, void (*main)(void *), void *args,
		   size_t size);
/* Lets the other fibers run until it is this fiber's turn again. */
void fiber_ring_next(struct fiber_ring *ring);
/* Ends the running fiber. err is 0 or -errno. */
_Noreturn void fiber_ring_end(struct fiber_ring *ring, int err);
