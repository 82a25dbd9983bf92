/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <sys/resource.h>
#include <time.h>

uint64_t clock_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
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
