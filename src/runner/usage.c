/* SPDX-License-Identifier: MIT */
#include "usage.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

/* The lines of proc(5) in the order of usage.io. */
static const char *const io_names[] = {"rchar: ", "wchar: ", "read_bytes: ", "write_bytes: "};

/* The number after name where a line begins with it. */
static uint64_t find_value(const char *text, const char *name)
{
	const char *line = text;
	size_t len = strlen(name);

	while (line) {
		if (strncmp(line, name, len) == 0)
			return strtoull(line + len, NULL, 10);
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	return UINT64_MAX;
}

/*
 * proc/self/io counts the process with all threads, ended ones included, and its reaped children.
 * Values are unknown where a kernel lacks it.
 */
static void read_io(struct usage *usage)
{
	char text[512] = "";
	ssize_t n = 0;
	int fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	usage->own = n > 0 ? (uint64_t)n : 0;
	text[usage->own] = '\0';
	for (size_t i = 0; i < 4; i++)
		usage->io[i] = find_value(text, io_names[i]);
}

void usage_read(struct usage *usage)
{
	read_io(usage);
	getrusage(RUSAGE_SELF, &usage->self);
	getrusage(RUSAGE_CHILDREN, &usage->children);
}

static void add(struct board_totals *totals, const struct rusage *before,
		const struct rusage *after)
{
	totals->user_us += clock_us(after->ru_utime) - clock_us(before->ru_utime);
	totals->system_us += clock_us(after->ru_stime) - clock_us(before->ru_stime);
	totals->minflt += (uint64_t)(after->ru_minflt - before->ru_minflt);
	totals->majflt += (uint64_t)(after->ru_majflt - before->ru_majflt);
	totals->nvcsw += (uint64_t)(after->ru_nvcsw - before->ru_nvcsw);
	totals->nivcsw += (uint64_t)(after->ru_nivcsw - before->ru_nivcsw);
}

static uint64_t difference(uint64_t before, uint64_t after)
{
	if (before == UINT64_MAX || after == UINT64_MAX)
		return UINT64_MAX;
	return after - before;
}

void usage_totals(const struct usage *before, const struct usage *after,
		  struct board_totals *totals)
{
	*totals = (struct board_totals) {
		.read_bytes = difference(before->io[0] + before->own, after->io[0]),
		.written_bytes = difference(before->io[1], after->io[1]),
		.disk_read_bytes = difference(before->io[2], after->io[2]),
		.disk_written_bytes = difference(before->io[3], after->io[3]),
	};
	if (before->io[0] == UINT64_MAX)
		totals->read_bytes = UINT64_MAX;
	add(totals, &before->self, &after->self);
	add(totals, &before->children, &after->children);
}
