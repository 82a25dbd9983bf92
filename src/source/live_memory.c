/* SPDX-License-Identifier: MIT */
#include "live_memory.h"

#include <errno.h>
#include <string.h>

/* THREAD_SIZE of x86-64, arm64 and riscv64; not exported by the kernel. */
#define KERNEL_STACK_KB 16

int live_memory_open(struct live_memory *memory, const char *root, pid_t runner)
{
	int err;

	memset(memory, 0, sizeof(*memory));
	memory->root = root;
	err = procfs_task_open(&memory->runner, root, runner);
	memory->has_runner = err == 0;
	return err;
}

void live_memory_add(struct live_memory *memory, pid_t pid)
{
	if (memory->n_tasks == LIVE_MEMORY_MOST) {
		memory->partial = true;
		return;
	}
	if (procfs_task_open(&memory->tasks[memory->n_tasks], memory->root, pid) == 0)
		memory->n_tasks++;
}

/* The memory of one process; false when it has ended. */
static bool read_task(struct live_memory *memory, struct procfs_task *task, bool pss,
		      struct sample_memory *out)
{
	struct procfs_memory m;
	int err = procfs_task_status(task, &m);

	if (err < 0 || m.rss_kb < 0)
		return false;
	out->rss_kb = m.rss_kb - (m.shmem_kb > 0 ? m.shmem_kb : 0);
	out->kernel_kb = m.page_tables_kb;
	out->pss_kb = out->uss_kb = -1;
	if (!pss)
		return true;
	err = procfs_task_rollup(task, memory->root, &m);
	if (err == 0 && m.pss_kb >= 0) {
		out->pss_kb = m.pss_kb - (m.pss_shmem_kb > 0 ? m.pss_shmem_kb : 0);
		out->uss_kb = m.uss_kb;
	} else if (err != -ESRCH && err != 0) {
		memory->last_error = -err;
	}
	return true;
}

/* Unknown stays unknown: a sum of which a part is missing is not a sum. */
static void add(int64_t *sum, int64_t part)
{
	*sum = *sum < 0 || part < 0 ? -1 : *sum + part;
}

static void add_all(struct sample_memory *sum, const struct sample_memory *part)
{
	add(&sum->rss_kb, part->rss_kb);
	add(&sum->pss_kb, part->pss_kb);
	add(&sum->uss_kb, part->uss_kb);
	add(&sum->kernel_kb, part->kernel_kb);
}

static int64_t scaled(int64_t value, size_t n, size_t of)
{
	return value < 0 ? -1 : (int64_t)((double)value * (double)of / (double)n);
}

static void scale(struct sample_memory *sum, size_t n, size_t of)
{
	sum->rss_kb = scaled(sum->rss_kb, n, of);
	sum->pss_kb = scaled(sum->pss_kb, n, of);
	sum->uss_kb = scaled(sum->uss_kb, n, of);
	sum->kernel_kb = scaled(sum->kernel_kb, n, of);
	sum->estimated = true;
}

static void forget(struct live_memory *memory, size_t i)
{
	procfs_task_close(&memory->tasks[i]);
	memory->tasks[i] = memory->tasks[--memory->n_tasks];
}

static size_t read_workers(struct live_memory *memory, bool pss, struct sample_memory *sum)
{
	struct sample_memory one;
	size_t n = 0;

	for (size_t i = 0; i < memory->n_tasks;) {
		if (!read_task(memory, &memory->tasks[i], pss, &one)) {
			forget(memory, i);
			continue;
		}
		add_all(sum, &one);
		n++;
		i++;
	}
	return n;
}

void live_memory_read(struct live_memory *memory, bool pss, size_t processes, size_t tasks,
		      struct sample_memory *out)
{
	struct sample_memory runner = {-1, -1, -1, -1, false};
	struct sample_memory workers = {0, pss ? 0 : -1, pss ? 0 : -1, 0, false};
	size_t n;

	*out = runner;
	if (!memory->has_runner || !read_task(memory, &memory->runner, pss, &runner))
		return;
	n = read_workers(memory, pss, &workers);
	if (n > 0 && processes > n && memory->partial)
		scale(&workers, n, processes);
	*out = runner;
	add_all(out, &workers);
	out->estimated = workers.estimated;
	add(&out->kernel_kb, (int64_t)(tasks + 1) * KERNEL_STACK_KB);
}

void live_memory_close(struct live_memory *memory)
{
	if (memory->has_runner)
		procfs_task_close(&memory->runner);
	while (memory->n_tasks > 0)
		forget(memory, memory->n_tasks - 1);
	memory->has_runner = false;
}
