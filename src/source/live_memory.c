/* SPDX-License-Identifier: MIT */
#include "live_memory.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live_run.h"

bool live_memory_is_foreign(const char *root)
{
	char path[320], self[16];
	ssize_t n;

	snprintf(path, sizeof(path), "%s/self", root);
	n = readlink(path, self, sizeof(self) - 1);
	/*
	 * Without this link, a real /proc belongs to a namespace that does not have this process.
	 */
	if (n < 0)
		return errno == ENOENT && strcmp(root, "/proc") == 0 &&
		       access("/proc/stat", F_OK) == 0;
	self[n] = '\0';
	return atoi(self) != getpid();
}

/*
 * Records that some processes of programs were not read. If this happens several times, the first
 * reason is kept.
 */
static void miss_some(struct live_memory *memory, enum reason reason)
{
	memory->partial = true;
	if (memory->reason == REASON_NONE)
		memory->reason = reason;
}

int live_memory_open(struct live_memory *memory, const char *root, pid_t runner,
		     const struct live_kernel *kernel, bool tree)
{
	int err = -ESRCH;

	memset(memory, 0, sizeof(*memory));
	memory->root = root;
	memory->tree = tree;
	memory->children = memory->threads = memory->processes = memory->alive = -1;
	memory->kernel = kernel;
	if (live_memory_is_foreign(root)) {
		memory->reason = REASON_OTHER_PROC;
		return err;
	}
	err = procfs_task_open(&memory->runner, root, runner);
	memory->has_runner = err == 0;
	if (err)
		memory->reason = REASON_PROC_FAILED;
	return err;
}

void live_memory_add(struct live_memory *memory, pid_t pid)
{
	int err;

	const size_t most = memory->tree ? LIVE_TREE_MOST : LIVE_MEMORY_MOST;

	if (memory->tree)
		for (size_t i = 0; i < memory->n_tasks; i++)
			if (memory->tasks[i].pid == pid)
				return;
	if (memory->n_tasks == most) {
		if (memory->tree)
			miss_some(memory, REASON_MANY_PROCESSES);
		memory->partial = true;
		return;
	}
	err = procfs_task_open(&memory->tasks[memory->n_tasks], memory->root, pid);
	if (err == 0)
		memory->n_tasks++;
	else if (err != -ESRCH)
		miss_some(memory, REASON_PROC_FAILED);
}

/* Adds a part to a sum. If the part is unknown, the sum becomes unknown. */
static void add_part(int64_t *sum, int64_t part)
{
	if (*sum < 0 || part < 0)
		*sum = -1;
	else
		*sum = *sum + part;
}

/* Adds the memory of one process. Returns false if it has ended. */
static bool read_task(struct live_memory *memory, struct procfs_task *task, bool pss,
		      struct live_resident *sum)
{
	struct procfs_memory m, pages;
	int64_t rss_kb, pss_kb = -1;
	/* A program does not map the scoreboard, so all shared memory that it maps is its own. */
	const bool own = memory->tree && task != &memory->runner;
	int err = 0;

	if (pss)
		err = procfs_task_rollup(task, memory->root, &pages);
	if (procfs_task_status(task, &m) < 0 || m.rss_kb < 0)
		return false;
	/* An ending task frees its memory first, so it no longer counts. */
	if (err == -ESRCH && memory->tree)
		return false;
	if (err != -ESRCH && err != 0)
		memory->last_error = -err;
	if (pss && err == 0 && pages.pss_kb >= 0) {
		/*
		 * Take all values from one moment, because the program may have freed memory since
		 * the first reading.
		 */
		m.rss_kb = pages.rss_kb;
		pss_kb = pages.pss_kb;
		if (!own)
			pss_kb -= MAX(pages.pss_shmem_kb, 0);
	}
	rss_kb = m.rss_kb;
	if (!own)
		rss_kb -= MAX(m.shmem_kb, 0);
	sum->n++;
	sum->all_kb += m.rss_kb;
	add_part(&sum->rss_kb, rss_kb);
	add_part(&sum->pss_kb, pss_kb);
	/*
	 * USS includes pages of shared memory that only this process has touched. Limit it to
	 * pss_kb, which leaves all shared memory out.
	 */
	add_part(&sum->uss_kb, pss_kb < 0 ? -1 : MIN(pages.uss_kb, pss_kb));
	add_part(&sum->tables_kb, m.page_tables_kb);
	return true;
}

static int64_t scaled(int64_t value, size_t n, size_t of)
{
	if (value < 0 || of == n)
		return value;
	return (int64_t)((double)value * (double)of / (double)n);
}

static void forget_task(struct live_memory *memory, size_t i)
{
	procfs_task_close(&memory->tasks[i]);
	memory->tasks[i] = memory->tasks[--memory->n_tasks];
}

/*
 * Takes the total and its parts from the cgroup. Returns false if the kernel has not summed up the
 * counts yet. The stacks show whether it has, because their number is known: they may differ by
 * 1/16 and two tasks, which may just be created or ending.
 */
static bool take_charge(const struct live_charge *charge, const struct live_kernel *kernel,
			size_t tasks, bool runner, struct sample_memory *out)
{
	const int64_t stacks_kb = (int64_t)tasks * LIVE_KERNEL_STACK_KB;
	const int64_t slack_kb = stacks_kb / 16 + 2 * LIVE_KERNEL_STACK_KB;
	struct live_charged charged;
	int64_t other;

	if (live_charge_read(charge, &charged) < 0 ||
	    (charged.stacks_kb >= 0 && llabs(charged.stacks_kb - stacks_kb) > slack_kb))
		return false;
	if (charged.stacks_kb >= 0)
		out->kernel_stacks_kb = charged.stacks_kb + runner * LIVE_KERNEL_STACK_KB;
	if (charged.tables_kb >= 0)
		out->kernel_tables_kb =
			charged.tables_kb + runner * (int64_t)kernel->process_tables_kb;
	/*
	 * Adds the memory that the runner used before it joined the cgroup. The estimate is the
	 * memory of an idle process.
	 */
	out->kernel_kb = charged.kernel_kb +
			 runner * (int64_t)(LIVE_KERNEL_STACK_KB + kernel->process_tables_kb +
					    kernel->process_kb);
	other = out->kernel_kb - out->kernel_stacks_kb - out->kernel_tables_kb;
	/* The charge lacks tasks that ended after the count and before the charge was read. */
	if (other < 0)
		out->kernel_tables_kb = out->kernel_stacks_kb = -1;
	if (out->kernel_tables_kb < 0)
		out->kernel_other_kb = -1;
	else
		out->kernel_other_kb = other;
	return true;
}

void live_memory_read(struct live_memory *memory, bool pss, const struct live_alive *alive,
		      struct sample_memory *out)
{
	/* A runner that starts programs is not counted, because its memory is not theirs. */
	const bool counts = !memory->tree;
	const int unread_kb = pss ? 0 : -1;
	struct live_resident workers = {.pss_kb = unread_kb, .uss_kb = unread_kb}, runner = workers;
	size_t n = 0, of;
	double other_kb;

	*out = sample_memory_unknown();
	if (!memory->has_runner || !read_task(memory, &memory->runner, pss, &runner))
		return;
	while (n < memory->n_tasks) {
		if (read_task(memory, &memory->tasks[n], pss, &workers))
			n++;
		else
			forget_task(memory, n);
	}
	if (memory->tree && memory->partial)
		memory->processes = -1;
	if (memory->tree && (memory->partial || n == 0))
		return;
	memory->saw_descendants |= memory->tree && (int32_t)n > memory->programs;
	if (memory->tree)
		memory->processes = MAX(memory->processes, (int32_t)n);
	memory->resident = (struct live_residents) {runner, workers};
	out->estimated = n > 0 && alive->processes > n && memory->partial;
	if (out->estimated)
		of = alive->processes;
	else
		of = n;
	out->rss_kb = scaled(workers.rss_kb, n, of);
	out->pss_kb = scaled(workers.pss_kb, n, of);
	out->uss_kb = scaled(workers.uss_kb, n, of);
	out->kernel_tables_kb = scaled(workers.tables_kb, n, of);
	if (counts) {
		add_part(&out->rss_kb, runner.rss_kb);
		add_part(&out->pss_kb, runner.pss_kb);
		add_part(&out->uss_kb, runner.uss_kb);
		add_part(&out->kernel_tables_kb, runner.tables_kb);
	}
	out->kernel_stacks_kb = (int64_t)(alive->tasks + counts) * LIVE_KERNEL_STACK_KB;
	if (alive->charge && take_charge(alive->charge, memory->kernel, alive->tasks, counts, out))
		return;
	/* If the other memory cannot be estimated, the sum is page tables and stacks only. */
	other_kb = (double)(alive->tasks - alive->processes) * memory->kernel->thread_kb +
		   (double)(alive->processes + counts) * memory->kernel->process_kb;
	if (isnan(other_kb))
		out->kernel_other_kb = -1;
	else
		out->kernel_other_kb = (int64_t)other_kb;
	out->kernel_kb = out->kernel_stacks_kb;
	add_part(&out->kernel_kb, out->kernel_tables_kb);
	out->kernel_estimated = out->kernel_other_kb >= 0;
	if (out->kernel_estimated)
		add_part(&out->kernel_kb, out->kernel_other_kb);
}

/*
 * Whether a child runs no program: it has not called execve(2) yet, so it is a copy of the runner,
 * or it has ended.
 */
static bool is_no_program(const struct live_memory *memory, pid_t pid)
{
	struct stat of[2];
	char path[320];

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%d/exe", memory->root,
			 (int)(i ? pid : memory->runner.pid));
		if (stat(path, &of[i]) < 0)
			return i == 1 && errno == ENOENT;
	}
	return of[0].st_dev == of[1].st_dev && of[0].st_ino == of[1].st_ino;
}

/*
 * Adds the children of all threads of a process. A child of the runner is added only if it already
 * runs a program. Returns the number of added children.
 */
static int32_t find_children(struct live_memory *memory, pid_t pid)
{
	char path[320], text[32768];
	struct dirent *thread;
	int32_t n = 0;
	DIR *threads;

	snprintf(path, sizeof(path), "%s/%d/task", memory->root, (int)pid);
	threads = opendir(path);
	if (!threads) {
		if (errno != ENOENT)
			miss_some(memory, REASON_PROC_FAILED);
		return 0;
	}
	/* Threads may end meanwhile, so a missing file is no error. */
	while ((thread = readdir(threads))) {
		char *at = text, *end;
		int err;

		if (thread->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%d/task/%s/children", (int)pid, thread->d_name);
		err = procfs_read_text(memory->root, path, text, sizeof(text));
		if (err == -EFBIG)
			miss_some(memory, REASON_MANY_PROCESSES);
		else if (err < 0 && err != -ENOENT && err != -ESRCH)
			miss_some(memory, REASON_PROC_FAILED);
		for (;; at = end) {
			pid_t child = (pid_t)strtol(at, &end, 10);

			if (end == at)
				break;
			if (pid == memory->runner.pid && is_no_program(memory, child))
				continue;
			n++;
			live_memory_add(memory, child);
		}
	}
	closedir(threads);
	return n;
}

void live_memory_find(struct live_memory *memory, const pid_t *orphans, uint32_t n)
{
	struct procfs_memory m;
	char path[320];

	/*
	 * If the kernel does not list children (no CONFIG_PROC_CHILDREN), not even the programs
	 * themselves are found.
	 */
	snprintf(path, sizeof(path), "%s/thread-self/children", memory->root);
	if (access(path, R_OK) != 0)
		miss_some(memory, REASON_UNLISTED);
	memory->programs = MAX(0, find_children(memory, memory->runner.pid) - (int32_t)n);
	for (uint32_t i = 0; i < n; i++)
		live_memory_add(memory, orphans[i]);
	memory->alive = 0;
	/* Children found in the loop are appended, so the loop visits them too. */
	for (size_t i = 0; i < memory->n_tasks;) {
		if (procfs_task_status(&memory->tasks[i], &m) < 0) {
			forget_task(memory, i);
			continue;
		}
		memory->ignores_children |= m.ignored != -1 && m.ignored >> (SIGCHLD - 1) & 1;
		memory->children =
			MAX(memory->children, find_children(memory, memory->tasks[i].pid));
		memory->threads = MAX(memory->threads, (int32_t)m.threads);
		memory->alive += (int32_t)m.threads;
		i++;
	}
}

void live_memory_close(struct live_memory *memory)
{
	if (memory->has_runner)
		procfs_task_close(&memory->runner);
	while (memory->n_tasks > 0)
		forget_task(memory, memory->n_tasks - 1);
	memory->has_runner = false;
}

enum { RSS, PSS, USS, FIGURES };

/*
 * A change at at_ns, when a process begins, begins its work, or ends: resident memory changes by
 * kb, and the number of processes by n.
 */
struct peak_step {
	int64_t at_ns, kb;
	int n;
};

/*
 * Sets how much memory each value leaves out of all_kb, as the mean over the n processes; NaN:
 * unknown.
 */
static void set_shared(const struct live_resident *read, double shared[FIGURES])
{
	const int64_t figures[FIGURES] = {read->rss_kb, read->pss_kb, read->uss_kb};

	for (int i = 0; i < FIGURES; i++) {
		if (read->n == 0 || figures[i] < 0)
			shared[i] = NAN;
		else
			shared[i] = (double)(read->all_kb - figures[i]) / (double)read->n;
	}
}

static int compare_steps(const void *a, const void *b)
{
	const struct peak_step *x = a, *y = b;

	return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

/*
 * Lists the steps of all processes except the runner, at most 3 for each. Returns -1 if a
 * high-water mark is unknown. Before a worker leaves the barrier, it is counted with the memory
 * that workers had when tuibench read it there.
 */
static long list_peak_steps(const struct live_run *run, struct peak_step *steps)
{
	const struct plan *plan = &run->board->request.plan;
	const struct live_resident *read = &run->resident.workers;
	int64_t idle_kb = read->n > 0 ? read->all_kb / (int64_t)read->n : 0;
	long n = 0;

	for (uint32_t i = 0; i < run->n; i++) {
		const struct worker_slot *slot = &run->board->slot[i];
		const struct sample_worker *w = &run->known[i];
		int64_t kb = slot->peak_kb ? slot->peak_kb : slot->reaped_kb;
		int64_t begin_ns = sample_worker_begin(w);
		int64_t end_ns = fields_known_or(w->finish_ns, w->join_ns);
		struct plan_node node;

		plan_node(plan, i, &node);
		if (begin_ns < 0 || (node.task != PLAN_PROCESS && node.work != WORK_PROGRAM))
			continue;
		if (kb == 0)
			return -1;
		if (plan->barrier && node.work != WORK_PROGRAM && w->work_ns > begin_ns &&
		    kb > idle_kb && idle_kb > 0) {
			steps[n++] = (struct peak_step) {begin_ns, idle_kb, 1};
			steps[n++] = (struct peak_step) {w->work_ns, kb - idle_kb, 0};
		} else {
			steps[n++] = (struct peak_step) {begin_ns, kb, 1};
		}
		if (end_ns >= 0)
			steps[n++] = (struct peak_step) {end_ns, -kb, -1};
	}
	return n;
}

/* The maximum of each value over time, without the runner. */
static void sum_peaks(const struct peak_step *steps, long n, const double shared[FIGURES],
		      double most[FIGURES])
{
	int64_t kb = 0, processes = 0;

	for (long i = 0; i < n; i++) {
		kb += steps[i].kb;
		processes += steps[i].n;
		/* Steps at the same time count as one step. */
		if (i + 1 < n && steps[i + 1].at_ns <= steps[i].at_ns)
			continue;
		for (int k = 0; k < FIGURES; k++)
			most[k] = fmax(most[k], (double)kb - (double)processes * shared[k]);
	}
}

uint32_t live_peak_alive(const struct live_run *run)
{
	struct peak_step *steps = calloc(2 * (size_t)run->n + 1, sizeof(*steps));
	const double none[FIGURES] = {0, 0, 0};
	double most[FIGURES] = {0, 0, 0};
	long n = 0;

	if (!steps)
		return 0;
	/* At a worker's beginning, add one to the number alive; at its end, subtract one. */
	for (uint32_t i = 0; i < run->n; i++) {
		const struct sample_worker *w = &run->known[i];

		if (w->created_ns < 0 || w->status == SAMPLE_REFUSED)
			continue;
		steps[n++] = (struct peak_step) {sample_worker_begin(w), 1, 1};
		if (w->finish_ns >= 0)
			steps[n++] = (struct peak_step) {w->finish_ns, -1, -1};
	}
	if (n > 0)
		qsort(steps, (size_t)n, sizeof(*steps), compare_steps);
	sum_peaks(steps, n, none, most);
	free(steps);
	return (uint32_t)most[RSS];
}

/* Marks a known value as a lower bound, because the peak may be higher by any amount. */
static void weaken(int64_t kb, int16_t *seen)
{
	if (kb >= 0)
		*seen = SEEN_LEAST;
}

/*
 * Whether all high-water marks show only the programs' own memory. Before execve(2), each process
 * has the runner's memory, which stays in the mark.
 */
static bool are_own_marks(const struct peak_step *steps, long n, int64_t runner_kb)
{
	bool own = runner_kb >= 0;

	for (long i = 0; i < n; i++)
		own &= steps[i].kb < 0 || steps[i].kb > runner_kb;
	return own;
}

void live_peak_raise(const struct live_run *run, int64_t runner_kb, bool children,
		     struct sample_memory *peak)
{
	const struct plan *plan = &run->board->request.plan;
	const bool copies = plan->leaves[WORK_TOUCH] > 0 && plan_has(plan, PLAN_PROCESS);
	const bool tree = run->memory.tree;
	int64_t *const figures[FIGURES] = {&peak->rss_kb, &peak->pss_kb, &peak->uss_kb};
	double of_runner[FIGURES], shared[FIGURES], most[FIGURES] = {0, 0, 0};
	struct peak_step *steps;
	bool single, own;
	int16_t *how;
	long n;

	/* A task created by vfork or clone may share its parent's memory. */
	if ((run->resident.runner.n == 0 && !tree) || plan_is_creation(plan))
		return;
	steps = calloc(3 * (size_t)run->n + 1, sizeof(*steps));
	if (!steps)
		return;
	n = list_peak_steps(run, steps);
	if (n < 0 || (n == 0 && (tree || runner_kb < 0))) {
		free(steps);
		return;
	}
	qsort(steps, (size_t)n, sizeof(*steps), compare_steps);
	set_shared(&run->resident.runner, of_runner);
	set_shared(&run->resident.workers, shared);
	/*
	 * A program does not map the scoreboard, so all of its resident memory is the program's
	 * own.
	 */
	for (int i = 0; i < FIGURES; i++)
		if (n == 0 || (tree && i == RSS))
			shared[i] = 0;
	own = !tree || are_own_marks(steps, n, runner_kb);
	/*
	 * Each mark belongs to one process of several, so the highest mark is a lower bound of
	 * their sum.
	 */
	if (children && own)
		for (long i = 0; i < n; i++)
			for (int k = 0; k < FIGURES; k++)
				most[k] = fmax(most[k], (double)steps[i].kb - shared[k]);
	if (!children)
		sum_peaks(steps, n, shared, most);
	free(steps);
	if (tree)
		single = run->n == 1;
	else
		single = n == 0;
	/* Prefer the reading, because the marks may show the runner's memory. */
	if (!own && !children && peak->rss_kb >= 0 && most[RSS] > (double)peak->rss_kb * 1.05)
		return;
	for (int i = 0; i < FIGURES; i++) {
		int64_t own_kb = fields_known_or(runner_kb, run->resident.runner.all_kb);
		double kb = most[i];

		if (!tree)
			kb += (double)own_kb - of_runner[i];

		/*
		 * A write to a shared page copies the page, so PSS and USS grow but RSS does not.
		 */
		if (isnan(kb) || isnan(shared[i]) || (copies && i != RSS))
			continue;
		if (i == RSS)
			how = &peak->rss_seen;
		else
			how = &peak->pss_seen;
		if (children && !own)
			continue;
		if (children && kb > (double)*figures[i])
			*how = SEEN_LEAST;
		else if (!children && !own && *figures[i] < 0)
			*how = SEEN_MOST;
		else if (!children) {
			if (single && own)
				*how = SEEN_PEAK;
			else
				*how = SEEN_PEAKS;
		}
		if (kb > (double)*figures[i])
			*figures[i] = llround(kb);
	}
}

void live_peak_doubt(const struct live_run *run, bool children, struct sample_memory *peak)
{
	/* Memory that is charged to each CPU but not used, plus the runner's own memory. */
	const int64_t slack_kb = 256 * sysconf(_SC_NPROCESSORS_ONLN) + 1024;
	int64_t most_kb = run->board->joined ? live_charge_peak(&run->charge) : -1;
	int64_t cache_kb = live_charge_cache(&run->charge);
	int64_t rest_kb = most_kb - cache_kb - MAX(0, peak->kernel_kb) - slack_kb;
	/*
	 * If the page cache explains the rest of the peak, no reading was too low. The cache no
	 * longer contains deleted files, so this may cast doubt on a good reading.
	 */
	const bool more = most_kb >= 0 && cache_kb >= 0 && rest_kb > peak->pss_kb / 20 * 21;

	if (more && peak->kernel_seen == SEEN_SAMPLED)
		weaken(peak->kernel_kb, &peak->kernel_seen);
	if (!children)
		return;
	if (more) {
		weaken(peak->rss_kb, &peak->rss_seen);
		weaken(MAX(peak->pss_kb, peak->uss_kb), &peak->pss_seen);
	} else if (peak->rss_kb / 21 * 20 > run->pss_rss_kb) {
		weaken(MAX(peak->pss_kb, peak->uss_kb), &peak->pss_seen);
	}
}

void live_peak_kernel(int64_t most_kb, int64_t runner_kb, struct sample_memory *peak)
{
	int64_t whole_kb = most_kb < 0 ? -1 : most_kb + runner_kb;
	int64_t parts_kb = MAX(0, peak->kernel_tables_kb) + MAX(0, peak->kernel_stacks_kb);

	if (whole_kb < 0 || whole_kb < peak->kernel_kb)
		return;
	/*
	 * If the parts were read when there were more or fewer tasks than at the peak, they do not
	 * fit this peak.
	 */
	if (peak->kernel_kb < whole_kb / 20 * 19 || parts_kb > whole_kb) {
		peak->kernel_tables_kb = peak->kernel_stacks_kb = peak->kernel_other_kb = -1;
	} else if (peak->kernel_other_kb >= 0) {
		peak->kernel_other_kb = whole_kb - parts_kb;
	}
	peak->kernel_kb = whole_kb;
	peak->kernel_seen = SEEN_PEAK;
	peak->kernel_estimated = false;
}
