/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

#include "base/clock.h"
#include "work/work_file.h"

/* The line names of proc(5), in the order of usage.io. */
static const char *const io_names[USAGE_IO] = {
	"rchar: ", "wchar: ", "read_bytes: ", "write_bytes: ", "cancelled_write_bytes: ",
};

/*
 * Reads /proc/self/io, which counts the process with all threads, including ended ones, and its
 * reaped children. Without that file, the values are unknown.
 */
static void read_io(struct usage *usage)
{
	char text[512];

	usage->read_here = work_file_text("/proc/self/io", text, sizeof(text));
	for (size_t i = 0; i < USAGE_IO; i++)
		usage->io[i] = work_file_number(text, io_names[i]);
}

/* Reads the first line of /proc/stat, which is the sum over all cores: user, nice, system. */
static void read_stat(struct usage *usage)
{
	uint64_t unit_us = 1000000 / (uint64_t)sysconf(_SC_CLK_TCK), user, nice, system;
	char text[256];

	usage->user_us = usage->system_us = UINT64_MAX;
	work_file_text("/proc/stat", text, sizeof(text));
	if (sscanf(text, "cpu %" SCNu64 " %" SCNu64 " %" SCNu64, &user, &nice, &system) < 3)
		return;
	usage->user_us = (user + nice) * unit_us;
	usage->system_us = system * unit_us;
}

/*
 * Reads a file of the calling thread by way of /proc/TID, which exists although /proc does not list
 * it. /proc/thread-self would lead to /proc/PID/task/TID, which stays in the kernel's cache below
 * the process until the thread ends and removes it. Whoever waits for the process spins in wait4(2)
 * until then: on busy cores, for a fifth of the front end's CPU time.
 */
static size_t read_thread_file(const char *name, char *text, size_t size)
{
	char task[64], path[80];
	const ssize_t n = readlink("/proc/thread-self", task, sizeof(task) - 1);
	const char *tid;

	task[MAX(n, 0)] = '\0';
	tid = strrchr(task, '/');
	text[0] = '\0';
	if (!tid)
		return 0;
	snprintf(path, sizeof(path), "/proc%s/%s", tid, name);
	return work_file_text(path, text, size);
}

int64_t usage_delay_ns(uint64_t *bytes)
{
	char text[128];
	int64_t delay_ns;

	*bytes += read_thread_file("schedstat", text, sizeof(text));
	if (sscanf(text, "%*u %" SCNd64, &delay_ns) == 1)
		return delay_ns;
	return -1;
}

/* Returns -1 on a kernel without CONFIG_SCHED_DEBUG, which does not have this file. */
int64_t usage_migrations(uint64_t *bytes)
{
	char text[1024]; /* enough for the lines up to nr_migrations */
	const char *at;

	*bytes += read_thread_file("sched", text, sizeof(text));
	at = strstr(text, "nr_migrations");
	if (at)
		at = strchr(at, ':');
	else
		at = NULL;
	return at ? strtoll(at + 1, NULL, 10) : -1;
}

/*
 * Reads the CPU times. Reads the task's clock first, because the kernel would otherwise report the
 * times counted at its last tick or switch, up to 4 ms ago at HZ 250.
 */
static void read_times(struct usage *usage)
{
	struct rusage own, reaped;

	(void)clock_thread_ns();
	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &reaped);
	usage->own = usage->reaped = (struct clock_usage) {0};
	clock_usage_add(&usage->own, &own);
	clock_usage_add(&usage->reaped, &reaped);
}

/*
 * Takes the first reading. Reads the CPU time last, just before the run begins, because reading the
 * files uses CPU time too.
 */
void usage_begin(struct usage *usage)
{
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

	/*
	 * Reset the peak, so that it leaves out the preparation. This peak (VmHWM) is that of the
	 * memory itself; ru_maxrss also includes the peak before execve(2).
	 */
	if (fd >= 0 && write(fd, "5", 1) == 1)
		usage->peak_kb = 0;
	else
		usage->peak_kb = UINT64_MAX;
	if (fd >= 0)
		close(fd);
	read_stat(usage);
	read_io(usage);
	read_times(usage);
}

void usage_end(struct usage *usage)
{
	char text[2048]; /* enough for the lines up to VmHWM */

	read_times(usage);
	read_io(usage);
	read_stat(usage);
	work_file_text("/proc/self/status", text, sizeof(text));
	usage->peak_kb = work_file_number(text, "VmHWM:");
}

/* Difference of two readings; unknown if either reading is unknown. */
static uint64_t difference(uint64_t before, uint64_t after)
{
	if (before == UINT64_MAX || after == UINT64_MAX)
		return UINT64_MAX;
	return after - before;
}

/* Adds the usage between two readings. */
static void add_usage(struct clock_usage *sum, const struct clock_usage *from,
		      const struct clock_usage *to)
{
	sum->user_us += to->user_us - from->user_us;
	sum->system_us += to->system_us - from->system_us;
	sum->minflt += to->minflt - from->minflt;
	sum->majflt += to->majflt - from->majflt;
	sum->nvcsw += to->nvcsw - from->nvcsw;
	sum->nivcsw += to->nivcsw - from->nivcsw;
}

void usage_totals(const struct usage *before, const struct usage *after, bool programs,
		  uint64_t report_bytes, struct board_totals *totals)
{
	*totals = (struct board_totals) {
		.peak_kb = before->peak_kb == 0 ? after->peak_kb : UINT64_MAX,
		.read_bytes =
			difference(before->io[0] + before->read_here + report_bytes, after->io[0]),
		.written_bytes = difference(before->io[1], after->io[1]),
		.disk_read_bytes = difference(before->io[2], after->io[2]),
		.disk_written_bytes = UINT64_MAX,
		.stat_user_us = difference(before->user_us, after->user_us),
		.stat_system_us = difference(before->system_us, after->system_us),
	};
	if (before->io[0] == UINT64_MAX)
		totals->read_bytes = UINT64_MAX;
	add_usage(&totals->usage, &before->reaped, &after->reaped);
	add_usage(programs ? &totals->starter : &totals->usage, &before->own, &after->own);
}

uint64_t usage_disk_written(const struct usage *before)
{
	uint64_t dirtied, cancelled;
	struct usage now;

	read_io(&now);
	dirtied = difference(before->io[3], now.io[3]);
	cancelled = difference(before->io[4], now.io[4]);
	if (dirtied == UINT64_MAX || cancelled == UINT64_MAX)
		return UINT64_MAX;
	if (dirtied > cancelled)
		return dirtied - cancelled;
	return 0;
}
