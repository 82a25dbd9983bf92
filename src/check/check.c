/* SPDX-License-Identifier: MIT */
#include "check_parts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "stats/stats.h"
#include "base/procfs.h"

#define INJECTED 1.03

void check_init(struct check_report *report)
{
	memset(report, 0, sizeof(*report));
	report->injected = INJECTED;
	report->seconds = NAN;
	for (int i = 0; i < CHECKS; i++)
		report->results[i].value = report->results[i].low = report->results[i].high = NAN;
}

/* The parts in order, and when each is stopped, in s since the begin: under a minute in all. */
static const struct part {
	int (*measure)(struct check_parts *parts);
	uint64_t by_s;
} parts_list[] = {
	{check_pairs_calibrate, 5}, {check_agree, 18},	 {check_pairs_same, 31},
	{check_pairs_injected, 44}, {check_watched, 57}, {check_pairs_again, 57},
};

int check_run(struct check_report *report, struct check_host *host, double put)
{
	uint64_t begin_ns = clock_now_ns();
	struct check_parts parts = {
		.report = report,
		.host = host,
		.put = isnan(put) ? INJECTED : put,
	};
	int err = 0;

	report->wall_s = (int64_t)time(NULL);
	machine_read("", &report->machine);
	host->show(host, "the clock", 0, 0);
	check_clock(report->results);
	for (size_t i = 0; i < sizeof(parts_list) / sizeof(*parts_list) && !err; i++) {
		parts.end_ns = begin_ns + parts_list[i].by_s * 1000000000u;
		err = parts_list[i].measure(&parts);
	}
	check_machine(&parts);
	report->seconds = (double)(clock_now_ns() - begin_ns) / 1e9;
	return err;
}

#define TRIALS 15
#define RARELY 10000 /* ms between samples: the first of a run alone */

/* One run, sampled that often: its elapsed time, ns; NaN. */
static int measure_run(struct check_parts *parts, uint32_t interval_ms, uint32_t run,
		       double *elapsed)
{
	struct request request = check_session_request(&parts->report->machine, parts->work);
	struct check_session session = {.host = parts->host,
					.what = "what being watched costs",
					.done = run,
					.of = 2 * TRIALS,
					.deadline_ns = parts->end_ns};
	char why[256];
	int err;

	request.trials = 1;
	request.warmup = 0;
	request.interval_ms = interval_ms;
	err = check_session_run(&session, &request, why, sizeof(why));
	*elapsed = NAN;
	model_trials(&session.model, 0, METRIC_ELAPSED, elapsed, NULL, 1);
	model_free(&session.model);
	return check_give_up(&parts->report->results[CHECK_WATCHED], err, why);
}

int check_watched(struct check_parts *parts)
{
	struct check_result *out = &parts->report->results[CHECK_WATCHED];
	double rarely[TRIALS], always[TRIALS];
	struct stats_interval ratio;
	uint32_t n = 0;

	for (uint32_t pair = 0; pair < TRIALS && !out->note[0]; pair++) {
		/* In turn, and each of the two first as often as the other. */
		for (uint32_t run = 0; run < 2; run++) {
			bool first = run == pair % 2;
			int err = measure_run(parts, first ? RARELY : 0, 2 * pair + run,
					      first ? &rarely[n] : &always[n]);

			if (err)
				return err;
		}
		n += rarely[n] > 0 && always[n] > 0;
	}
	if (stats_paired_ratio(rarely, always, n, &ratio))
		return -ENOMEM;
	if (isnan(ratio.low) || isnan(ratio.high))
		return check_give_up(out, -ETIMEDOUT, "");
	out->value = ratio.estimate;
	out->low = ratio.low;
	out->high = ratio.high;
	out->pairs = n;
	return 0;
}

void check_load_read(struct check_load *load)
{
	const int64_t tick_us = 1000000 / sysconf(_SC_CLK_TCK);
	int max = get_nprocs_conf(), n = -1;
	struct procfs_core *cores = calloc((size_t)max, sizeof(*cores));
	struct procfs_stat stat;
	uint64_t busy = 0, others = 0, ticks[4];
	struct dirent *entry;
	DIR *proc;

	if (cores && procfs_stat_open(&stat, "/proc") == 0) {
		n = procfs_stat_read(&stat, cores, max);
		procfs_stat_close(&stat);
	}
	for (int i = 0; i < n; i++)
		busy += cores[i].user + cores[i].nice + cores[i].system;
	free(cores);
	proc = opendir("/proc");
	while (proc && (entry = readdir(proc))) {
		char path[32], text[1024];
		const char *rest;

		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    strtol(entry->d_name, NULL, 10) == getpid())
			continue;
		/*
		 * Its own time and that of the children it has waited for: a process that came and
		 * went meanwhile is in its parent's. Fields 14 to 17 of proc_pid_stat(5).
		 */
		snprintf(path, sizeof(path), "proc/%.10s/stat", entry->d_name);
		rest = procfs_read_stat("", path, text, sizeof(text));
		if (rest && sscanf(rest,
				   ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64
				   " %" SCNu64 " %" SCNu64 " %" SCNu64,
				   &ticks[0], &ticks[1], &ticks[2], &ticks[3]) == 4)
			others += ticks[0] + ticks[1] + ticks[2] + ticks[3];
	}
	if (proc)
		closedir(proc);
	load->busy_us = n > 0 ? (int64_t)busy * tick_us : -1;
	load->others_us = (int64_t)others * tick_us;
}

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
