/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <stdbool.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

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

void clock_usage_add(struct clock_usage *sum, const struct rusage *more)
{
	sum->user_us += clock_us(more->ru_utime);
	sum->system_us += clock_us(more->ru_stime);
	sum->minflt += (uint64_t)more->ru_minflt;
	sum->majflt += (uint64_t)more->ru_majflt;
	sum->nvcsw += (uint64_t)more->ru_nvcsw;
	sum->nivcsw += (uint64_t)more->ru_nivcsw;
}

uint64_t clock_used_us(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return clock_us(usage.ru_utime) + clock_us(usage.ru_stime);
}

/* Time to stay in one mode, user or kernel, ns. A tick hardly ever occurs in so short a time. */
#define LOOK_NS 100000

/* A tick at the wrong moment can spoil one measurement, but hardly all of them. */
#define LOOKS 5

/*
 * Stays in user or kernel mode for a while. Returns the share of system time in the CPU time used,
 * 0 … 1.
 */
static double system_share(bool in_kernel)
{
	uint64_t until = clock_now_ns() + LOOK_NS;
	struct rusage before, after;
	double user, system;

	getrusage(RUSAGE_SELF, &before);
	while (clock_now_ns() < until)
		if (in_kernel)
			getppid();
	getrusage(RUSAGE_SELF, &after);
	user = (double)(clock_us(after.ru_utime) - clock_us(before.ru_utime));
	system = (double)(clock_us(after.ru_stime) - clock_us(before.ru_stime));
	if (user + system > 0)
		return system / (user + system);
	return 0;
}

/*
 * The length of the kernel's tick, if this kernel splits CPU time by ticks; 0 if a measurement
 * shows that it does not. The coarse clocks step once a tick, so their resolution is the tick, 1 /
 * CONFIG_HZ.
 */
int64_t tick_ns(void)
{
	struct timespec step;
	int looks = 0;

	/* A kernel that counts CPU time by ticks assigns all time between two ticks to one mode. */
	while (looks < LOOKS && system_share(true) - system_share(false) >= 0.5)
		looks++;
	if (looks == LOOKS)
		return 0;
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &step) != 0)
		return -1;
	return step.tv_sec * INT64_C(1000000000) + step.tv_nsec;
}
