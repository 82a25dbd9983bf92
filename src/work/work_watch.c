/* SPDX-License-Identifier: MIT */
#include "work_parts.h"

#if __has_include(<sys/rseq.h>) && __has_builtin(__builtin_thread_pointer) &&                      \
	__SIZEOF_POINTER__ == 8

#include <sys/rseq.h>

/* The kernel requires this signature in the 4 bytes before a section's abort_ip. */
static const uint32_t signature[2] = {RSEQ_SIG, 0};

/*
 * A critical section without instructions, so no thread is ever in it. work_watch_begin() registers
 * it, and the kernel clears the registration when the thread returns from a context switch.
 */
static const struct rseq_cs nowhere = {
	.start_ip = (uintptr_t)&signature[1],
	.abort_ip = (uintptr_t)&signature[1],
};

static volatile uint64_t *section(void)
{
	char *area = (char *)__builtin_thread_pointer() + __rseq_offset;

	if (__rseq_size > 0)
		return (volatile uint64_t *)(void *)(area + offsetof(struct rseq, rseq_cs));
	return NULL;
}

static void set(uintptr_t to)
{
	if (section())
		*section() = to;
}

void work_watch_begin(void)
{
	set((uintptr_t)&nowhere);
}

void work_watch_end(void)
{
	set(0);
}

bool work_watch_was_away(void)
{
	bool away = section() && *section() == 0;

	if (away)
		work_watch_begin();
	return away;
}

#else

void work_watch_begin(void)
{
}

void work_watch_end(void)
{
}

bool work_watch_was_away(void)
{
	return false;
}

#endif
