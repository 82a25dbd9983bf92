/* SPDX-License-Identifier: MIT */
#include "check_clock.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "stats/stats.h"

#define SERIES	 101
#define READINGS 200
#define CHANGES	 20 /* to a core and back */
/* What a part of it may take: a signal is obeyed after it. */
#define LONGEST_NS 30000000u

static double cost(void)
{
	double each[SERIES];

	for (int i = 0; i < SERIES; i++) {
		uint64_t begin = clock_now_ns(), end = begin;

		for (int k = 0; k < READINGS; k++)
			end = clock_now_ns();
		each[i] = (double)(end - begin) / READINGS;
	}
	stats_sort(each, SERIES);
	return stats_median(each, SERIES);
}

/* The kernel's word is a lower bound: a clock may step coarser than it says, and never finer. */
static double step(void)
{
	uint64_t least = UINT64_MAX, begin = clock_now_ns(), before = begin;
	struct timespec says = {0};

	for (int i = 0; i < SERIES * READINGS && before - begin < LONGEST_NS; i++) {
		uint64_t now = clock_now_ns();

		if (now != before && now - before < least)
			least = now - before;
		before = now;
	}
	if (least == UINT64_MAX)
		return NAN;
	clock_getres(CLOCK_MONOTONIC, &says);
	return fmax((double)least, (double)says.tv_sec * 1e9 + (double)says.tv_nsec);
}

/* One change to the core: what passed by the clock, below 0 where it went back. 0 or -errno. */
static int change(int cpu, int64_t *least)
{
	cpu_set_t one;
	uint64_t before;
	int64_t passed;

	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	before = clock_now_ns();
	if (sched_setaffinity(0, sizeof(one), &one) < 0)
		return -errno;
	passed = (int64_t)(clock_now_ns() - before);
	*least = passed < *least ? passed : *least;
	return 0;
}

/*
 * A change takes some time: whichever clock is ahead, it is so by no more than what passed at most
 * on the way there or back. *bound is negative where a clock went back.
 */
static int compare(int home, int cpu, int64_t *bound)
{
	int64_t there = INT64_MAX, back = INT64_MAX;

	for (int i = 0; i < CHANGES; i++) {
		int err = change(cpu, &there);

		if (!err)
			err = change(home, &back);
		if (err)
			return err;
	}
	*bound = there < 0 ? there : back < 0 ? back : there > back ? there : back;
	return 0;
}

/* The worst of the cores, each against the first. */
static void compare_cores(const cpu_set_t *allowed, struct check_result *out)
{
	uint64_t begin = clock_now_ns();
	int64_t bound = -1, worst = 0;
	int home = -1, n = 0;

	for (int cpu = 0; cpu < CPU_SETSIZE && clock_now_ns() - begin < LONGEST_NS; cpu++) {
		int err;

		if (!CPU_ISSET((size_t)cpu, allowed))
			continue;
		if (home < 0) {
			home = cpu;
			continue;
		}
		err = compare(home, cpu, &bound);
		if (err) {
			snprintf(out->note, sizeof(out->note), "sched_setaffinity: %s",
				 strerror(-err));
			return;
		}
		n++;
		worst = worst < 0 || (bound >= 0 && bound <= worst) ? worst : bound;
	}
	out->value = (double)worst;
	snprintf(out->note, sizeof(out->note), "%d cores, each %d times there and back", n + 1,
		 CHANGES);
}

static void cores(struct check_result *out)
{
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) < 0)
		snprintf(out->note, sizeof(out->note), "sched_getaffinity: %s", strerror(errno));
	else if (CPU_COUNT(&allowed) < 2)
		snprintf(out->note, sizeof(out->note), "there is one core");
	else {
		compare_cores(&allowed, out);
		sched_setaffinity(0, sizeof(allowed), &allowed);
	}
}

void check_clock(struct check_result results[CHECKS])
{
	results[CHECK_CLOCK_COST].value = cost();
	results[CHECK_CLOCK_STEP].value = step();
	cores(&results[CHECK_CLOCK_CORES]);
}
