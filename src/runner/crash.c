/* SPDX-License-Identifier: MIT */
#include "crash.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "base/clock.h"

/* A handler gets no argument of ours: per thread, and never written but by its own thread. */
static __thread struct worker_slot *current;

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

void crash_slot(struct worker_slot *slot)
{
	current = slot;
}

/*
 * The handler was reset before it was entered: a fault, repeated on return, ends the process.
 * Signals that somebody sent (si_code <= 0) do not repeat themselves: sent again, they wait for
 * this return.
 */
static void on_crash(int number, siginfo_t *info, void *context)
{
	/* A fork that has not said its slot yet, or never does, has its creator's. */
	if (current && current->pid == getpid()) {
		current->finish_ns = clock_now_ns();
		current->signal = number;
		if (info->si_code > 0)
			current->address = (uintptr_t)info->si_addr;
		atomic_store_explicit(&current->worker, WORKER_CRASHED, memory_order_release);
	}
	if (info->si_code <= 0)
		raise(number);
}

/*
 * The handler runs on the worker's own stack: another would cost each worker a system call and
 * memory. A worker whose stack overflows therefore dies without a word in its slot.
 */
int crash_install(void)
{
	struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_RESETHAND};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(fatal_signals) / sizeof(*fatal_signals); i++) {
		if (sigaction(fatal_signals[i], &action, NULL))
			return -errno;
	}
	return 0;
}
