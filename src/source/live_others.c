/* SPDX-License-Identifier: MIT */
#include "live_others.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
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

#define SECOND UINT64_C(1000000000)
/* The share of time, in 0.1 %, that a core must work to have reached its clock. */
#define AT_WORK 500

int live_mhz_open(struct live_mhz *mhz, const char *root)
{
	int n = get_nprocs_conf();
	char path[PATH_MAX];

	memset(mhz, 0, sizeof(*mhz));
	mhz->fds = calloc((size_t)n, sizeof(*mhz->fds));
	if (!mhz->fds)
		return -ENOMEM;
	for (; mhz->n < n; mhz->n++) {
		snprintf(path, sizeof(path),
			 "%s/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", root, mhz->n);
		mhz->fds[mhz->n] = open(path, O_RDONLY | O_CLOEXEC);
	}
	return 0;
}

/* The file is in kHz. */
static int16_t read_mhz(int fd)
{
	char text[32] = "";
	long khz;

	if (fd < 0 || pread(fd, text, sizeof(text) - 1, 0) <= 0)
		return -1;
	khz = strtol(text, NULL, 10);
	return khz > 0 && khz / 1000 < INT16_MAX ? (int16_t)((khz + 500) / 1000) : -1;
}

void live_mhz_read(struct live_mhz *mhz, uint64_t now_ns, struct sample_core *cores, int n)
{
	if (now_ns < mhz->next_ns)
		return;
	for (int i = 0; i < n; i++) {
		struct sample_core *core = &cores[i];

		if (core->cpu < 0 || core->cpu >= mhz->n || core->user + core->system < AT_WORK)
			continue;
		core->mhz = read_mhz(mhz->fds[core->cpu]);
		if (core->mhz >= 0)
			mhz->next_ns = now_ns + SECOND;
	}
}

void live_mhz_close(struct live_mhz *mhz)
{
	for (int i = 0; i < mhz->n; i++)
		if (mhz->fds[i] >= 0)
			close(mhz->fds[i]);
	free(mhz->fds);
	memset(mhz, 0, sizeof(*mhz));
}

int live_cores_open(struct live_cores *cores, const char *proc_root)
{
	int err;

	memset(cores, 0, sizeof(*cores));
	cores->stat.fd = -1;
	cores->max = get_nprocs_conf();
	cores->before = calloc((size_t)cores->max, sizeof(*cores->before));
	cores->now = calloc((size_t)cores->max, sizeof(*cores->now));
	cores->load = calloc((size_t)cores->max, sizeof(*cores->load));
	if (!cores->before || !cores->now || !cores->load)
		return -ENOMEM;
	err = procfs_stat_open(&cores->stat, proc_root);
	if (err < 0)
		return err;
	cores->n_before = procfs_stat_read(&cores->stat, cores->before, cores->max);
	return cores->n_before < 0 ? cores->n_before : 0;
}

static int16_t cores_permille(uint64_t part, uint64_t total)
{
	return (int16_t)((part * 1000 + total / 2) / total);
}

/* iowait may run backwards (proc(5)); a difference below zero counts as none. */
static uint64_t grown(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

static struct sample_core core_load(const struct procfs_core *b, const struct procfs_core *n)
{
	struct sample_core load = sample_core_unknown(n->cpu);
	uint64_t user = grown(b->user, n->user) + grown(b->nice, n->nice);
	uint64_t system =
		grown(b->system, n->system) + grown(b->irq, n->irq) + grown(b->softirq, n->softirq);
	uint64_t iowait = grown(b->iowait, n->iowait);
	uint64_t steal = grown(b->steal, n->steal);
	uint64_t total = user + system + iowait + steal + grown(b->idle, n->idle);

	if (total == 0)
		return load;
	load.user = cores_permille(user, total);
	load.system = cores_permille(system, total);
	load.iowait = cores_permille(iowait, total);
	load.steal = cores_permille(steal, total);
	return load;
}

static const struct procfs_core *find_core(const struct procfs_core *list, int n, int cpu)
{
	for (int i = 0; i < n; i++)
		if (list[i].cpu == cpu)
			return &list[i];
	return NULL;
}

int live_cores_read(struct live_cores *cores, struct sample_core **load)
{
	int n = procfs_stat_read(&cores->stat, cores->now, cores->max);
	struct procfs_core *swap = cores->before;

	if (n < 0)
		return n;
	for (int i = 0; i < n; i++) {
		/* Usually at the same place; a core that went on- or offline shifts the others. */
		const struct procfs_core *b =
			i < cores->n_before && cores->before[i].cpu == cores->now[i].cpu
				? &cores->before[i]
				: find_core(cores->before, cores->n_before, cores->now[i].cpu);

		cores->load[i] =
			b ? core_load(b, &cores->now[i]) : sample_core_unknown(cores->now[i].cpu);
	}
	cores->before = cores->now;
	cores->now = swap;
	cores->n_before = n;
	*load = cores->load;
	return n;
}

void live_cores_close(struct live_cores *cores)
{
	procfs_stat_close(&cores->stat);
	free(cores->before);
	free(cores->now);
	free(cores->load);
	memset(cores, 0, sizeof(*cores));
	cores->stat.fd = -1;
}
