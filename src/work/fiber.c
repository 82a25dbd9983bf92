/* SPDX-License-Identifier: MIT */
#include "work/fiber.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifdef TUIBENCH_UCONTEXT

bool fiber_supported(void)
{
	return true;
}

/* makecontext(3) passes arguments of type int, so a pointer is passed as two of them. */
union halves {
	struct fiber *fiber;
	unsigned half[2];
};

static void fiber_begin(unsigned first, unsigned second)
{
	const union halves halves = {.half = {first, second}};

	halves.fiber->main(halves.fiber->arg);
	abort();
}

int fiber_make(struct fiber *fiber, void *stack, void (*main)(void *), void *arg)
{
	union halves halves = {.half = {0, 0}};

	halves.fiber = fiber;
	fiber->main = main;
	fiber->arg = arg;
	fiber->ended = false;
	if (getcontext(&fiber->context))
		return -errno;
	fiber->context.uc_stack.ss_sp = stack;
	fiber->context.uc_stack.ss_size = FIBER_STACK;
	fiber->context.uc_link = NULL;
	makecontext(&fiber->context, (void (*)(void))fiber_begin, 2, halves.half[0],
		    halves.half[1]);
	return 0;
}

void fiber_switch(struct fiber *running, struct fiber *other)
{
	swapcontext(&running->context, &other->context);
}

#else

bool fiber_supported(void)
{
	return false;
}

int fiber_make(struct fiber *fiber, void *stack, void (*main)(void *), void *arg)
{
	return -ENOSYS;
}

void fiber_switch(struct fiber *running, struct fiber *other)
{
	abort();
}

#endif

void fiber_ring_next(struct fiber_ring *ring)
{
	struct fiber *running = &ring->list[ring->at];

	do {
		ring->at = (ring->at + 1) % ring->n;
	} while (ring->list[ring->at].ended);
	if (&ring->list[ring->at] != running)
		fiber_switch(running, &ring->list[ring->at]);
}

_Noreturn void fiber_ring_end(struct fiber_ring *ring, int err)
{
	struct fiber *running = &ring->list[ring->at];

	running->ended = true;
	if (!ring->err)
		ring->err = err;
	if (--ring->left > 0)
		fiber_ring_next(ring);
	else
		fiber_switch(running, &ring->caller);
	abort();
}

int fiber_ring_run(struct fiber_ring *ring, uint32_t n, void (*main)(void *), void *args,
		   size_t size)
{
	int err = 0;

	*ring = (struct fiber_ring) {.n = n, .left = n};
	ring->list = calloc(n, sizeof(*ring->list));
	ring->stacks = mmap(NULL, n * FIBER_STACK, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (!ring->list || ring->stacks == MAP_FAILED)
		err = -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		if (err)
			break;
		err = fiber_make(&ring->list[i], ring->stacks + i * FIBER_STACK, main,
				 (char *)args + i * size);
	}
	if (!err) {
		fiber_switch(&ring->caller, &ring->list[0]);
		err = ring->err;
	}
	if (ring->stacks != MAP_FAILED)
		munmap(ring->stacks, n * FIBER_STACK);
	free(ring->list);
	return err;
}
