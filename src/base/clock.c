/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <sys/resource.h>
#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t clock_now_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_thread_ns(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t clock_us(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_usec;
}

uint64_t clock_used_us(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return clock_us(usage.ru_utime) + clock_us(usage.ru_stime);
}
