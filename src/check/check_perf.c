/* SPDX-License-Identifier: MIT */
#include "check_perf.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/procfs.h"

/*
 * inherit: by children and theirs, whose counts a reading has too. A clock of software counts in
 * both modes; exclude_kernel is what a plain user must say, and changes nothing of it.
 */
int check_perf_open(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.inherit = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int64_t check_perf_used(int fd)
{
	uint64_t ns;

	return fd >= 0 && read(fd, &ns, sizeof(ns)) == sizeof(ns) ? (int64_t)ns : -1;
}

void check_perf_why(int err, char *buf, int size)
{
	int level = procfs_perf_paranoid();

	if ((err == -EACCES || err == -EPERM) && level != INT_MIN)
		snprintf(buf, (size_t)size, "%s: perf_event_paranoid is %d", strerror(-err), level);
	else
		snprintf(buf, (size_t)size, "perf_event_open: %s", strerror(-err));
}

void check_perf_close(int fd)
{
	if (fd >= 0)
		close(fd);
}
