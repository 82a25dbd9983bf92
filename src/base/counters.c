/* SPDX-License-Identifier: MIT */
#include "base/counters.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Loads that miss the data TLB. */
#define TLB_LOADS                                                                                  \
	(PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_OP_READ << 8 |                             \
	 PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

struct event {
	uint32_t type;
	uint64_t config;
};

static const struct event counter_events[][COUNTERS] = {
	[COUNTERS_HARDWARE] = {{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
			       {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
			       {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
			       {PERF_TYPE_HW_CACHE, TLB_LOADS}},
	[COUNTERS_SOFTWARE] = {{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
			       {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
			       {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
			       {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ}},
};

/*
 * RUNNER_FILES: files that a runner has open besides the files of its threads, such as the board
 * and the sink. THREAD_FILES: files of each thread, without its counters.
 */
#define RUNNER_FILES 32
#define THREAD_FILES 3

uint32_t counters_files(uint32_t threads)
{
	return RUNNER_FILES + threads * (COUNTERS + THREAD_FILES);
}

void counters_reserve(uint32_t threads)
{
	const rlim_t files = counters_files(threads);
	struct rlimit limit;
	int fd;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_max < files)
		return;
	if (limit.rlim_cur < files) {
		limit.rlim_cur = files;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, (int)files - 1);
	if (fd >= 0)
		close(fd);
}

int counters_open(struct counters *counters, enum counters_kind kind)
{
	memset(counters->fd, 0xff, sizeof(counters->fd));
	for (int i = 0; i < COUNTERS; i++) {
		struct perf_event_attr attr = {
			.type = counter_events[kind][i].type,
			.size = sizeof(attr),
			.config = counter_events[kind][i].config,
			/* the first counter leads the group, so enabling it starts all */
			.disabled = i == 0,
			.exclude_kernel = 1,
			.exclude_hv = 1,
			.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
				       PERF_FORMAT_TOTAL_TIME_RUNNING,
		};
		long fd = syscall(SYS_perf_event_open, &attr, 0, -1, counters->fd[0],
				  PERF_FLAG_FD_CLOEXEC);
		int err = fd < 0 ? -errno : 0;
		/*
		 * The machine lacks this counter or has no free register for it. The others count
		 * without it.
		 */
		bool missing =
			err == -ENOENT || err == -EOPNOTSUPP || err == -EINVAL || err == -ENOSPC;

		if (err && (i == 0 || !missing)) {
			counters_close(counters);
			return err;
		}
		if (err)
			counters->fd[i] = -1;
		else
			counters->fd[i] = (int)fd;
	}
	return 0;
}

void counters_begin(const struct counters *counters)
{
	ioctl(counters->fd[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
}

int counters_read(const struct counters *counters, int64_t value[COUNTERS])
{
	struct {
		uint64_t n, enabled_ns, running_ns, value[COUNTERS];
	} group;
	ssize_t n = read(counters->fd[0], &group, sizeof(group));
	uint64_t next = 0;

	memset(value, 0xff, COUNTERS * sizeof(*value));
	if (n < (ssize_t)offsetof(__typeof__(group), value)) {
		if (n < 0)
			return -errno;
		return -EBUSY;
	}
	if (group.enabled_ns == 0 || group.running_ns < group.enabled_ns)
		return -EBUSY;
	for (int i = 0; i < COUNTERS; i++)
		if (counters->fd[i] >= 0 && next < group.n)
			value[i] = (int64_t)group.value[next++];
	return 0;
}

size_t counters_bytes(const struct counters *counters)
{
	size_t n = 3;

	for (int i = 0; i < COUNTERS; i++)
		n += counters->fd[i] >= 0;
	return n * sizeof(uint64_t);
}

void counters_close(struct counters *counters)
{
	for (int i = COUNTERS; i-- > 0;)
		if (counters->fd[i] >= 0)
			close(counters->fd[i]);
	memset(counters->fd, 0xff, sizeof(counters->fd));
}
