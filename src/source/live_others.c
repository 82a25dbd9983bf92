/* SPDX-License-Identifier: MIT */
#include "live_others.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/clock.h"

/* Ticks cannot be further off in one run: what is owed beyond that was an error of another kind. */
#define MOST_OWED_US 100000

int live_others_open(struct live_others *others, const char *proc_root)
{
	memset(others, 0, sizeof(*others));
	others->stat.fd = -1;
	others->max = get_nprocs_conf();
	others->cores = calloc((size_t)others->max, sizeof(*others->cores));
	return others->cores ? procfs_stat_open(&others->stat, proc_root) : -ENOMEM;
}

static bool counts(const struct live_others *others, int cpu)
{
	return CPU_COUNT(&others->set) == 0 ||
	       (cpu < CPU_SETSIZE && CPU_ISSET((size_t)cpu, &others->set));
}

void live_others_attribute(struct live_others_self *self, int64_t used_us, bool on)
{
	if (on)
		self->on_us += used_us - self->seen_us;
	self->seen_us = used_us;
}

void live_others_look(struct live_others *others)
{
	int cpu = sched_getcpu();

	live_others_attribute(&others->self, (int64_t)clock_used_us(RUSAGE_SELF),
			      cpu < 0 || counts(others, cpu));
}

static int sum_up(struct live_others *others, struct live_others_sum *sum)
{
	const int64_t tick_us = 1000000 / sysconf(_SC_CLK_TCK);
	int n = others->stat.fd < 0 ? -EBADF
				    : procfs_stat_read(&others->stat, others->cores, others->max);

	live_others_look(others);
	*sum = (struct live_others_sum) {
		.wall_us = (int64_t)(clock_now_ns() / 1000),
		.own_us = others->self.on_us + (int64_t)clock_used_us(RUSAGE_CHILDREN),
	};
	for (int i = 0; i < n; i++) {
		const struct procfs_core *core = &others->cores[i];

		if (!counts(others, core->cpu))
			continue;
		sum->cores++;
		sum->busy_us += (int64_t)(core->user + core->nice + core->system) * tick_us;
		sum->steal_us += (int64_t)core->steal * tick_us;
	}
	return n > 0 ? 0 : -ENODATA;
}

void live_others_begin(struct live_others *others, const cpu_set_t *set)
{
	if (set)
		others->set = *set;
	else
		CPU_ZERO(&others->set);
	others->begun = sum_up(others, &others->before) == 0;
}

static int16_t permille(int64_t part, int64_t all)
{
	int64_t share = (part * 1000 + all / 2) / all;

	return (int16_t)(share < 0 ? 0 : share > 1000 ? 1000 : share);
}

void live_others_judge(const struct live_others_sum *before, const struct live_others_sum *after,
		       int64_t *owed_us, int16_t *share, int16_t *steal)
{
	int64_t wall_us = (after->wall_us - before->wall_us) * after->cores;
	int64_t own_us = after->own_us - before->own_us;
	int64_t left_us = after->busy_us - before->busy_us - own_us - *owed_us;

	*share = *steal = -1;
	if (wall_us <= 0 || after->cores != before->cores)
		return;
	*owed_us = left_us >= 0 ? 0 : -left_us < MOST_OWED_US ? -left_us : MOST_OWED_US;
	*share = permille(left_us, wall_us);
	*steal = permille(after->steal_us - before->steal_us, wall_us);
}

void live_others_end(struct live_others *others, int16_t *share, int16_t *steal)
{
	struct live_others_sum after;

	*share = *steal = -1;
	if (others->begun && sum_up(others, &after) == 0)
		live_others_judge(&others->before, &after, &others->owed_us, share, steal);
	others->begun = false;
}

void live_others_close(struct live_others *others)
{
	procfs_stat_close(&others->stat);
	free(others->cores);
	memset(others, 0, sizeof(*others));
	others->stat.fd = -1;
}
