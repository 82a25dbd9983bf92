/* SPDX-License-Identifier: MIT */
#include "live_cores.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

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

static int16_t permille(uint64_t part, uint64_t total)
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
	load.user = permille(user, total);
	load.system = permille(system, total);
	load.iowait = permille(iowait, total);
	load.steal = permille(steal, total);
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
