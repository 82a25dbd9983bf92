/* SPDX-License-Identifier: MIT */
#include "live_standstill.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/param.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

/*
 * Shortest standstill that is reported. A host may withhold a core for up to a tenth of a second,
 * although nothing was stopped.
 */
#define STANDSTILL_LEAST_NS INT64_C(250000000)

/* How long the machine has slept: the difference between CLOCK_BOOTTIME and CLOCK_MONOTONIC. */
static int64_t read_slept_ns(void)
{
	struct timespec boot;

	if (clock_gettime(CLOCK_BOOTTIME, &boot))
		return 0;
	return boot.tv_sec * INT64_C(1000000000) + boot.tv_nsec - (int64_t)clock_now_ns();
}

int live_standstill_open(void)
{
	return open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
}

/*
 * How long the thread of schedstat_fd has run or waited for a core, ns; -1 if the kernel does not
 * count it.
 */
static int64_t read_ready_ns(int schedstat_fd)
{
	long long on_core_ns, waits_ns;
	char text[96], *after, *end;
	const ssize_t n = pread(schedstat_fd, text, sizeof(text) - 1, 0);

	text[MAX(n, 0)] = '\0';
	on_core_ns = strtoll(text, &after, 10);
	waits_ns = strtoll(after, &end, 10);
	if (end == after)
		return -1;
	return on_core_ns + waits_ns;
}

struct live_moment live_moment_read(const struct live_moment_files *files, uint64_t expired,
				    uint64_t asleep_ns)
{
	struct live_moment moment = {.now_ns = clock_now_ns(),
				     .slept_ns = read_slept_ns(),
				     .ready_ns = read_ready_ns(files->schedstat_fd)};
	struct itimerspec timer;
	uint64_t interval_ns, next_ns;

	moment.due_ns = moment.now_ns;
	if (expired == 0 || timerfd_gettime(files->timer_fd, &timer))
		return moment;
	interval_ns = (uint64_t)timer.it_interval.tv_sec * 1000000000u +
		      (uint64_t)timer.it_interval.tv_nsec;
	next_ns = moment.now_ns + (uint64_t)timer.it_value.tv_sec * 1000000000u +
		  (uint64_t)timer.it_value.tv_nsec;
	moment.due_ns = next_ns - expired * interval_ns;
	/* Leave out the time in which the front end itself was busy. */
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
