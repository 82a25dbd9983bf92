/* SPDX-License-Identifier: MIT */
#include "check_load.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/procfs.h"

static int64_t tick_us(void)
{
	return 1000000 / sysconf(_SC_CLK_TCK);
}

static int64_t busy_us(void)
{
	int max = get_nprocs_conf();
	struct procfs_core *cores = calloc((size_t)max, sizeof(*cores));
	struct procfs_stat stat;
	int n = -1;
	uint64_t ticks = 0;

	if (cores && procfs_stat_open(&stat, "/proc") == 0) {
		n = procfs_stat_read(&stat, cores, max);
		procfs_stat_close(&stat);
	}
	for (int i = 0; i < n; i++)
		ticks += cores[i].user + cores[i].nice + cores[i].system;
	free(cores);
	return n > 0 ? (int64_t)ticks * tick_us() : -1;
}

/*
 * Its own time and that of the children it has waited for: a process that came and went meanwhile
 * is in its parent's. Fields 14 to 17 of proc_pid_stat(5).
 */
static int64_t used_us(const char *pid)
{
	char path[32], text[1024];
	const char *rest;
	int64_t ticks[4];

	snprintf(path, sizeof(path), "proc/%.10s/stat", pid);
	rest = procfs_read_stat("", path, text, sizeof(text));
	if (!rest || sscanf(rest,
			    ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNd64 " %" SCNd64
			    " %" SCNd64 " %" SCNd64,
			    &ticks[0], &ticks[1], &ticks[2], &ticks[3]) != 4)
		return 0;
	return (ticks[0] + ticks[1] + ticks[2] + ticks[3]) * tick_us();
}

static int64_t others_us(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int64_t sum = 0;

	while (proc && (entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    strtol(entry->d_name, NULL, 10) != getpid())
			sum += used_us(entry->d_name);
	if (proc)
		closedir(proc);
	return sum;
}

void check_load_read(struct check_load *load)
{
	load->busy_us = busy_us();
	load->others_us = others_us();
}
