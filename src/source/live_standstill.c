/* SPDX-License-Identifier: MIT */
#include "live_standstill.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>

#include "base/clock.h"
#include "base/procfs.h"

/* A standstill that is worth a word. A host withholds a core for up to a tenth of a second. */
#define STANDSTILL_LEAST_NS INT64_C(250000000)

/* The machine's time asleep: how far CLOCK_BOOTTIME is ahead of our clock. */
static int64_t read_slept_ns(void)
{
	struct timespec boot;

	if (clock_gettime(CLOCK_BOOTTIME, &boot))
		return 0;
	return boot.tv_sec * INT64_C(1000000000) + boot.tv_nsec - (int64_t)clock_now_ns();
}

/* Nanoseconds on a core or waiting for one, up to now; -1 where the kernel does not count. */
static int64_t read_ready_ns(void)
{
	long long on_core_ns, waits_ns;
	char text[96];

	if (procfs_read_text("/proc", "thread-self/schedstat", text, sizeof(text)) < 0 ||
	    sscanf(text, "%lld %lld", &on_core_ns, &waits_ns) != 2)
		return -1;
	return on_core_ns + waits_ns;
}

struct live_moment live_moment_read(int timer_fd, uint64_t expired, uint64_t asleep_ns)
{
	struct live_moment moment = {
		.now_ns = clock_now_ns(), .slept_ns = read_slept_ns(), .ready_ns = read_ready_ns()};
	struct itimerspec timer;
	uint64_t interval_ns, next_ns;

	moment.due_ns = moment.now_ns;
	if (expired == 0 || timerfd_gettime(timer_fd, &timer))
		return moment;
	interval_ns = (uint64_t)timer.it_interval.tv_sec * 1000000000u +
		      (uint64_t)timer.it_interval.tv_nsec;
	next_ns = moment.now_ns + (uint64_t)timer.it_value.tv_sec * 1000000000u +
		  (uint64_t)timer.it_value.tv_nsec;
	moment.due_ns = next_ns - expired * interval_ns;
	/* What the front end did itself until then is no standstill. */
	if (moment.due_ns < asleep_ns)
		moment.due_ns = asleep_ns;
	return moment;
}

int64_t live_standstill(const struct live_moment *before, const struct live_moment *now)
{
	const int64_t slept_ns = now->slept_ns - before->slept_ns;
	int64_t still_ns = (int64_t)(now->now_ns - now->due_ns);

	if (now->ready_ns < 0 || before->ready_ns < 0)
		still_ns = 0;
	else
		still_ns -= now->ready_ns - before->ready_ns;
	if (still_ns < STANDSTILL_LEAST_NS)
		still_ns = 0;
	if (slept_ns >= STANDSTILL_LEAST_NS)
		return still_ns + slept_ns;
	return still_ns;
}
