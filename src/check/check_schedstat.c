/* SPDX-License-Identifier: MIT */
#include "check_schedstat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

static void forget(struct check_schedstat *schedstat)
{
	for (int i = 0; i < CHECK_SCHEDSTAT_MOST; i++) {
		if (schedstat->tasks[i].fd >= 0)
			close(schedstat->tasks[i].fd);
		schedstat->tasks[i].fd = -1;
		schedstat->tasks[i].used_ns = -1;
	}
}

void check_schedstat_init(struct check_schedstat *schedstat)
{
	*schedstat = (struct check_schedstat) {.start_ns = INT64_MAX};
	for (int i = 0; i < CHECK_SCHEDSTAT_MOST; i++)
		schedstat->tasks[i].fd = -1;
	forget(schedstat);
}

void check_schedstat_close(struct check_schedstat *schedstat)
{
	forget(schedstat);
}

static uint32_t workers_of(const struct model_run *run)
{
	return run->n_workers < CHECK_SCHEDSTAT_MOST ? run->n_workers : CHECK_SCHEDSTAT_MOST;
}

/* "on-core queued slices", ns: one that has ended cannot be read any more. */
static void read_task(struct check_schedstat *schedstat, uint32_t i)
{
	char text[128];
	uint64_t now = clock_now_ns();
	ssize_t n = pread(schedstat->tasks[i].fd, text, sizeof(text) - 1, 0);

	if (n <= 0)
		return;
	text[n] = '\0';
	schedstat->tasks[i].used_ns = strtoll(text, NULL, 10);
	schedstat->tasks[i].at_ns = (int64_t)now;
}

static void sum_up(struct check_schedstat *schedstat, const struct model_run *run)
{
	int64_t begin_ns = schedstat->start_ns + run->totals.begin_ns;

	for (uint32_t i = 0; i < workers_of(run); i++) {
		const struct sample_worker *w = model_known(run, i);
		int64_t gap_ns = begin_ns + w->finish_ns - schedstat->tasks[i].at_ns;

		if (schedstat->tasks[i].used_ns < 0 || w->finish_ns < 0) {
			schedstat->missed++;
			continue;
		}
		schedstat->used_ns += (double)schedstat->tasks[i].used_ns;
		schedstat->gap_ns += gap_ns > 0 ? (double)gap_ns : 0;
		schedstat->said_ns += 1e3 * ((double)w->user_us + w->system_us);
	}
	forget(schedstat);
}

void check_schedstat_look(void *arg, const struct model *model, const struct sample *sample)
{
	struct check_schedstat *schedstat = arg;
	const struct model_run *run = model_running(model);
	int64_t now_ns = (int64_t)clock_now_ns();

	/* A sample of a tick is made just before it is handed out. */
	if (sample && sample->kind == SAMPLE_TICK && now_ns - sample->time_ns < schedstat->start_ns)
		schedstat->start_ns = now_ns - sample->time_ns;
	if (sample && sample->kind == SAMPLE_RUN_END)
		sum_up(schedstat, model_newest(model));
	else if (run) {
		for (uint32_t i = 0; i < workers_of(run); i++) {
			const struct sample_worker *w = model_known(run, i);

			if (w->start_ns < 0 || w->finish_ns >= 0)
				continue;
			if (schedstat->tasks[i].fd < 0) {
				char path[64];

				snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", w->pid,
					 w->tid);
				schedstat->tasks[i].fd = open(path, O_RDONLY | O_CLOEXEC);
				if (schedstat->tasks[i].fd < 0)
					schedstat->err = errno;
			}
			if (schedstat->tasks[i].fd >= 0)
				read_task(schedstat, i);
		}
	}
}

void check_schedstat_judge(const struct check_schedstat *schedstat, struct check_result *out)
{
	double used_ns = schedstat->used_ns, gap_ns = schedstat->gap_ns;

	if (used_ns > 0) {
		out->value = schedstat->said_ns / (used_ns + gap_ns / 2);
		out->low = schedstat->said_ns / (used_ns + gap_ns);
		out->high = schedstat->said_ns / used_ns;
	} else {
		snprintf(out->note, sizeof(out->note), "/proc/PID/schedstat: %s",
			 schedstat->err ? strerror(schedstat->err) : "no worker was seen in time");
	}
	if (schedstat->used_ns > 0 && schedstat->missed)
		snprintf(out->note, sizeof(out->note), "%u workers were not seen in time",
			 schedstat->missed);
}
