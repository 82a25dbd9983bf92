/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/procfs.h"

/*
 * Memory of an idle task, KiB, as measured. A thread has 23 KiB in the kernel (stack, slab, page
 * tables) and 8 KiB in user space; a process has 83 and 28 KiB.
 */
#define THREAD_KB  31
#define PROCESS_KB 111
/*
 * A thread's stack and its guard page are two mappings. OWN_MAPS: upper bound of the mappings that
 * the program itself has.
 */
#define THREAD_MAPS 2
#define OWN_MAPS    64
/*
 * OWN_TASKS: tasks of the program itself. SPARE_PIDS: PIDs that are left to the rest of the
 * machine.
 */
#define OWN_TASKS    4
#define SPARE_PIDS   300
#define OWN_BYTES    (64u << 20) /* address space of the program, libc and the first heap */
#define OWN_DATA     (8u << 20)	 /* bytes that the program itself writes to, stacks included */
#define GLIBC_STACK  (2u << 20)	 /* if RLIMIT_STACK is unlimited: pthread_create(3) */
#define CAP_ADMIN    21
#define CAP_RESOURCE 24
/* The first user namespace has the same number on every machine (PROC_USER_INIT_INO). */
#define FIRST_USER_NAMESPACE "user:[4026531837]"

/* An entry of a page table has 8 bytes and maps 4 KiB, which is 512 times as much. */
#define PAGES_PER_TABLE 512

/* The least size of a thread's stack, and the step of sizes: pthread_attr_setstacksize(3). */
#define LEAST_STACK 16384
#define STACK_STEP  4096

/*
 * A process's address space on x86-64, bytes. Other 64-bit machines may have more, and a few have
 * less (riscv64 with Sv39).
 */
#define USER_BYTES (UINT64_C(1) << 47)

/*
 * Bytes of a buffer that holds /proc/meminfo, limits, or the status of a process with many groups.
 */
#define CAPACITY_TEXT 16384

static const char *read_text(const char *root, const char *path, char *buf, size_t size)
{
	procfs_read_text(root, path, buf, size);
	return buf;
}

/*
 * Returns the number at the start of the text; CAPACITY_UNLIMITED for "max", "unlimited" or an
 * empty text.
 */
static uint64_t parse_limit(const char *text)
{
	while (*text == ' ' || *text == '\t')
		text++;
	if (!isdigit((unsigned char)*text))
		return CAPACITY_UNLIMITED;
	return strtoull(text, NULL, 10);
}

static uint64_t read_limit(const char *root, const char *path)
{
	char text[64];

	return parse_limit(read_text(root, path, text, sizeof(text)));
}

/* Returns the number after a name, as in "MemAvailable: 123 kB". */
static uint64_t find_number(const char *text, const char *name)
{
	const char *at = procfs_after_key(text, name);

	if (at)
		return parse_limit(at);
	return CAPACITY_UNLIMITED;
}

/* Records a limit. If a resource has several limits, keeps the one that leaves least. */
static void note(struct capacity *capacity, enum capacity_resource resource, uint64_t value,
		 uint64_t available, const char *name)
{
	struct capacity_limit *limit = &capacity->limit[resource];

	if (value == CAPACITY_UNLIMITED || available >= limit->available)
		return;
	limit->value = value;
	limit->available = available;
	snprintf(limit->name, sizeof(limit->name), "%s", name);
}

static uint64_t minus(uint64_t a, uint64_t b)
{
	if (a > b)
		return a - b;
	return 0;
}

/*
 * Returns whether the kernel exempts this process from RLIMIT_NPROC: see copy_process() in Linux.
 * In the first user namespace, the kernel exempts uid 0, CAP_SYS_ADMIN and CAP_SYS_RESOURCE. In any
 * other namespace, it exempts only a process whose uid 0 is mapped to uid 0 of the first namespace
 * (uid_map).
 */
static bool is_exempt(const char *root, uint64_t uid, uint64_t caps)
{
	char path[PATH_MAX], namespace[64] = "", map[256];
	unsigned long long outer;

	snprintf(path, sizeof(path), "%s/proc/self/ns/user", root);
	/* Without such a link, the kernel has no user namespaces, so this is the first one. */
	if (readlink(path, namespace, sizeof(namespace) - 1) < 0 ||
	    strcmp(namespace, FIRST_USER_NAMESPACE) == 0)
		return uid == 0 || caps >> CAP_ADMIN & 1 || caps >> CAP_RESOURCE & 1;
	read_text(root, "/proc/self/uid_map", map, sizeof(map));
	return uid == 0 && sscanf(map, " 0 %llu", &outer) == 1 && outer == 0;
}

static void read_nproc(const char *root, struct capacity *capacity, const char *limits)
{
	uint64_t value = find_number(limits, "Max processes"), caps, uid;
	uint64_t tasks = OWN_TASKS;
	char status[CAPACITY_TEXT], path[PATH_MAX];
	struct dirent *entry;
	const char *at;
	DIR *dir;

	if (value == CAPACITY_UNLIMITED)
		return;
	read_text(root, "/proc/self/status", status, sizeof(status));
	uid = find_number(status, "Uid:");
	at = procfs_after_key(status, "CapEff:");
	if (at)
		caps = strtoull(at, NULL, 16);
	else
		caps = 0;
	if (is_exempt(root, uid, caps))
		return;
	/* Counts the user's tasks as the kernel does: every thread of every process. */
	snprintf(path, sizeof(path), "%s/proc", root);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/status", entry->d_name);
		read_text(root, path, status, sizeof(status));
		if (*status && find_number(status, "Uid:") == uid)
			tasks += find_number(status, "Threads:");
	}
	if (dir)
		closedir(dir);
	note(capacity, CAPACITY_TASKS, value, minus(value, tasks), "RLIMIT_NPROC (ulimit -u)");
}

static uint64_t meminfo_bytes(const char *meminfo, const char *name)
{
	uint64_t kb = find_number(meminfo, name);

	if (kb == CAPACITY_UNLIMITED)
		return 0;
	return kb * 1024;
}

/*
 * Records what the kernel refuses because of vm.overcommit_memory. In mode 0, the default, it
 * refuses only a mapping larger than memory and swap together. In mode 1 it refuses nothing. In
 * mode 2 it limits the sum of all mappings. Source: proc_sys_vm(5).
 */
static void read_overcommit(const char *root, struct capacity *capacity)
{
	char meminfo[CAPACITY_TEXT];
	uint64_t bytes;

	/* If the file cannot be read, the limit is unknown, not 0. */
	if (!*read_text(root, "/proc/meminfo", meminfo, sizeof(meminfo)))
		return;
	switch (read_limit(root, "/proc/sys/vm/overcommit_memory")) {
	case 0:
		bytes = meminfo_bytes(meminfo, "MemTotal:") + meminfo_bytes(meminfo, "SwapTotal:");
		note(capacity, CAPACITY_STACK, bytes, bytes,
		     "MemTotal + SwapTotal (vm.overcommit_memory 0)");
		break;
	case 2:
		bytes = meminfo_bytes(meminfo, "CommitLimit:");
		note(capacity, CAPACITY_COMMIT, bytes,
		     minus(bytes, meminfo_bytes(meminfo, "Committed_AS:") + OWN_BYTES),
		     "CommitLimit (vm.overcommit_memory 2)");
		break;
	}
}

static void take_pids(void *arg, const struct cgroup *cgroup)
{
	uint64_t value, used = 0;
	char name[160];

	if (!cgroup_number(cgroup, "pids.max", &value))
		return;
	cgroup_number(cgroup, "pids.current", &used);
	snprintf(name, sizeof(name), "pids.max of cgroup %.120s", sentence_text(cgroup->path, "/"));
	note(arg, CAPACITY_TASKS, value, minus(value, used + OWN_TASKS), name);
}

/*
 * Lowers *least_kb to the free memory of this cgroup. The page cache of files that are not in use
 * counts as free.
 */
static void take_memory(void *least_kb, const struct cgroup *cgroup)
{
	uint64_t limit, used, cache, kb, *least = least_kb;
	char text[CAPACITY_TEXT];

	if (!cgroup_number(cgroup, "memory.max", &limit) &&
	    !cgroup_number(cgroup, "memory.limit_in_bytes", &limit))
		return;
	if (!cgroup_number(cgroup, "memory.current", &used) &&
	    !cgroup_number(cgroup, "memory.usage_in_bytes", &used))
		return;
	cgroup_text(cgroup, "memory.stat", text, sizeof(text));
	cache = find_number(text, "inactive_file ");
	if (cache == CAPACITY_UNLIMITED || cache > used)
		cache = 0;
	kb = minus(limit, used - cache) / 1024;
	*least = MIN(kb, *least);
}

uint64_t capacity_memory_free(const char *root)
{
	char text[CAPACITY_TEXT];
	uint64_t least =
		find_number(read_text(root, "/proc/meminfo", text, sizeof(text)), "MemAvailable:");

	cgroup_walk(root, "memory", take_memory, &least);
	/* Leave a fifth for other programs, and for memory that the estimate misses. */
	if (least == CAPACITY_UNLIMITED)
		return least;
	return least / 5 * 4;
}

void capacity_read(const char *root, struct capacity *capacity)
{
	char limits[CAPACITY_TEXT], text[128];
	uint64_t kb, value, data, stack, used;
	const char *slash;

	*capacity = (struct capacity) {.stack = GLIBC_STACK};
	for (int i = 0; i < CAPACITY_RESOURCES; i++)
		capacity->limit[i].available = CAPACITY_UNLIMITED;
	read_text(root, "/proc/self/limits", limits, sizeof(limits));
	read_nproc(root, capacity, limits);
	value = find_number(limits, "Max address space");
	data = find_number(limits, "Max data size");
	stack = find_number(limits, "Max stack size");
	if (stack == CAPACITY_UNLIMITED)
		capacity->stack = GLIBC_STACK;
	else
		capacity->stack = stack;
	note(capacity, CAPACITY_ADDRESSES, USER_BYTES, USER_BYTES - OWN_BYTES,
	     "the address space of a process");
	note(capacity, CAPACITY_ADDRESSES, value, minus(value, OWN_BYTES), "RLIMIT_AS (ulimit -v)");
	note(capacity, CAPACITY_ADDRESSES, data, minus(data, OWN_DATA), "RLIMIT_DATA (ulimit -d)");
	value = read_limit(root, "/proc/sys/kernel/pid_max");
	/* The fourth field is "running/all", the numbers of tasks of the machine. */
	slash = strchr(read_text(root, "/proc/loadavg", text, sizeof(text)), '/');
	if (slash)
		used = strtoull(slash + 1, NULL, 10);
	else
		used = 0;
	note(capacity, CAPACITY_TASKS, value, minus(value, used + SPARE_PIDS), "kernel.pid_max");
	value = read_limit(root, "/proc/sys/kernel/threads-max");
	note(capacity, CAPACITY_TASKS, value, minus(value, used + OWN_TASKS), "kernel.threads-max");
	value = read_limit(root, "/proc/sys/vm/max_map_count");
	note(capacity, CAPACITY_MAPPINGS, value, minus(value, OWN_MAPS), "vm.max_map_count");
	read_overcommit(root, capacity);
	cgroup_walk(root, "pids", take_pids, capacity);
	kb = capacity_memory_free(root);
	note(capacity, CAPACITY_MEMORY, kb, kb, "free memory");
}

/* Multiplies. If the product overflows, returns the largest number. */
static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	if (__builtin_mul_overflow(a, b, &product) || product == CAPACITY_UNLIMITED)
		return CAPACITY_UNLIMITED - 1;
	return product;
}

struct need {
	uint64_t of[CAPACITY_RESOURCES];
	uint64_t processes;
	uint64_t together; /* threads of the process that has the most */
};

/*
 * Counts processes and threads. A thread is in the same process as its siblings and the levels of
 * threads below. Of a parent's children, only one batch exists at a time.
 */
static struct need count_need(const struct plan *plan, uint64_t stack)
{
	uint64_t all = 1, width = 1, together = 0, threads = 0;
	struct need need = {.processes = 0};

	for (uint32_t i = 0; i < plan->levels; i++) {
		uint64_t children = plan->fanout[i];

		if (plan->batch > 0 && plan->batch < children)
			children = plan->batch;
		all *= children;
		if (plan->task[i] == PLAN_PROCESS) {
			need.processes += all;
			width = 1;
			together = 0;
			continue;
		}
		threads += all;
		width *= children;
		together += width;
		need.together = MAX(together, need.together);
	}
	need.of[CAPACITY_TASKS] = threads + need.processes;
	need.of[CAPACITY_MAPPINGS] = need.together * THREAD_MAPS;
	need.of[CAPACITY_ADDRESSES] = times(need.together, stack);
	if (threads > 0)
		need.of[CAPACITY_STACK] = stack;
	else
		need.of[CAPACITY_STACK] = 0;
	need.of[CAPACITY_COMMIT] = times(threads, stack);
	need.of[CAPACITY_MEMORY] = threads * THREAD_KB + need.processes * PROCESS_KB;
	return need;
}

static bool fits(const struct capacity *capacity, const struct plan *plan, uint64_t stack)
{
	struct need need = count_need(plan, stack);
	bool all = true;

	for (int i = 0; i < CAPACITY_RESOURCES; i++)
		all &= need.of[i] <= capacity->limit[i].available;
	return all;
}

/*
 * Sets *number, which is a number in the plan, to the largest value up to `most` for which the plan
 * fits. Returns that value; 0: the plan fits with none.
 */
static uint32_t largest(const struct capacity *capacity, const struct plan *plan,
			uint64_t stack_size, uint32_t *number, uint32_t most)
{
	uint32_t low = 0;

	while (low < most) {
		*number = low + (most - low + 1) / 2;
		if (fits(capacity, plan, stack_size))
			low = *number;
		else
			most = *number - 1;
	}
	return *number = low;
}

int capacity_check(const struct capacity *capacity, const struct plan *plan, uint64_t stack_size,
		   struct capacity_bound *bound)
{
	const uint64_t stack = stack_size ? stack_size : capacity->stack;
	struct need need = count_need(plan, stack);
	uint32_t level = plan->levels, most = 1;
	struct plan *fit, batched = *plan;
	uint64_t size;
	double tightest = 1;

	if (fits(capacity, plan, stack))
		return 0;
	for (int i = 0; i < CAPACITY_RESOURCES; i++) {
		const struct capacity_limit *limit = &capacity->limit[i];
		double share = (double)limit->available / (double)need.of[i];

		if (need.of[i] <= limit->available || share >= tightest)
			continue;
		tightest = share;
		*bound = (struct capacity_bound) {
			.limit = limit, .resource = (enum capacity_resource)i, .need = need.of[i]};
	}
	/*
	 * Finds the largest tree of the same shape: reduces the last fan-out and, if that is not
	 * enough, the fan-out before it.
	 */
	fit = &bound->fits;
	*fit = *plan;
	while (level > 0 &&
	       largest(capacity, fit, stack, &fit->fanout[level - 1], plan->fanout[level - 1]) == 0)
		fit->fanout[--level] = 1;
	if (level == 0)
		fit->levels = 0;
	/* A batch as large as the largest fan-out changes nothing, so try no larger one. */
	for (uint32_t i = 0; i < plan->levels; i++)
		most = MAX(most, plan->fanout[i]);
	if (!plan->barrier && !plan->all_alive)
		bound->batch = largest(capacity, &batched, stack, &batched.batch,
				       plan->batch > 0 ? plan->batch : most);
	/*
	 * Finds the largest stack with which all stacks and their guard pages fit into the address
	 * space. In a deeper tree, the parents' heaps also take addresses, and it is unknown how
	 * many, so no stack is suggested.
	 */
	if (bound->resource == CAPACITY_ADDRESSES && need.together > 0 && plan->levels == 1) {
		size = capacity->limit[CAPACITY_ADDRESSES].available / need.together;
		size -= MIN(size, STACK_STEP + size % STACK_STEP);
		if (size >= LEAST_STACK && fits(capacity, plan, size))
			bound->stack = size;
		else
			bound->stack = 0;
	}
	return -EAGAIN;
}

/* Records a limit in bytes. It replaces the previous limit if less ballast fits into it. */
static void bind_ballast(struct capacity_ballast *bound, uint64_t bytes, uint64_t need,
			 uint64_t value, uint64_t available, const char *name)
{
	/*
	 * A double is exact enough: if `need` is below `available`, `fits` is at least `bytes`. If
	 * not, `fits` is only a suggestion to the user.
	 */
	double share = (double)available * ((double)bytes / (double)need);
	uint64_t fits = share < 0x1p63 ? (uint64_t)share : UINT64_MAX / 2;

	if (value == CAPACITY_UNLIMITED || fits >= bound->fits)
		return;
	*bound = (struct capacity_ballast) {
		.limit = {.value = value, .available = available},
		.need = need,
		.fits = fits,
	};
	snprintf(bound->limit.name, sizeof(bound->limit.name), "%s", name);
}

int capacity_check_ballast(const char *root, const struct plan *plan, uint64_t bytes,
			   struct capacity_ballast *bound)
{
	uint64_t copies = 1, kb = capacity_memory_free(root), space, limit, used;
	char text[CAPACITY_TEXT];

	/* Count the processes that have a copy of their parent's address space at the same time. */
	if (plan->primitive != PLAN_VFORK && plan->primitive != PLAN_POSIX_SPAWN)
		copies += count_need(plan, 0).processes;
	*bound = (struct capacity_ballast) {.fits = CAPACITY_UNLIMITED};
	read_text(root, "/proc/self/limits", text, sizeof(text));
	space = find_number(text, "Max address space");
	bind_ballast(bound, bytes, bytes, space, minus(space, OWN_BYTES), "RLIMIT_AS (ulimit -v)");
	/* Memory that the kernel may still promise if overcommit is off: proc(5). */
	read_text(root, "/proc/meminfo", text, sizeof(text));
	limit = find_number(text, "CommitLimit:");
	used = find_number(text, "Committed_AS:");
	if (read_limit(root, "/proc/sys/vm/overcommit_memory") == 2 &&
	    limit != CAPACITY_UNLIMITED && used != CAPACITY_UNLIMITED)
		bind_ballast(bound, bytes, times(bytes, copies), limit * 1024,
			     minus(limit, used) * 1024, "CommitLimit (vm.overcommit_memory is 2)");
	if (kb != CAPACITY_UNLIMITED)
		bind_ballast(bound, bytes, times(bytes / PAGES_PER_TABLE, copies) + bytes,
			     kb * 1024, kb * 1024, "free memory");
	if (bound->fits < bytes)
		return -EAGAIN;
	return 0;
}

int capacity_disk_free(const char *folder, uint64_t *bytes)
{
	struct statvfs fs;
	struct stat st;

	if (stat(folder, &st) || statvfs(folder, &fs))
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	if (access(folder, W_OK | X_OK))
		return -errno;
	*bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	/*
	 * Leave one part in 64 for block maps and extents, which is more than a usual file system
	 * needs.
	 */
	*bytes -= *bytes / 64;
	return 0;
}
