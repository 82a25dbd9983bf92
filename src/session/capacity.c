/* SPDX-License-Identifier: MIT */
#include "capacity.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/*
 * What a task takes when it does nothing, measured: 23 KiB in the kernel (stack, slab, page
 * tables) and 8 KiB of its own for a thread, 83 and 28 KiB for a process.
 */
#define THREAD_KB  31
#define PROCESS_KB 111
/* A thread's stack and its guard page are two mappings; the program itself has some more. */
#define THREAD_MAPS 2
#define OWN_MAPS    64
/* Left to the rest of the machine. */
#define OWN_TASKS    4
#define SPARE_PIDS   300
#define OWN_BYTES    (64u << 20) /* of address space: the program, libc, the first heap */
#define GLIBC_STACK  (2u << 20)	 /* when RLIMIT_STACK is unlimited, pthread_create(3) */
#define CAP_ADMIN    21
#define CAP_RESOURCE 24

/* What a plan takes at its peak. */
struct need {
	uint64_t leaves, tasks;
	uint64_t threads, processes;
	uint64_t together; /* threads in the process that has most of them */
	uint64_t stack;	   /* of one thread, bytes */
};

struct check {
	const char *root;
	struct need need;
	struct capacity_bound *bound;
	bool bound_found;
};

/* The whole of a small file under root; "" where it cannot be read. */
static const char *read_text(const char *root, const char *path, char *buf, size_t size)
{
	char full[PATH_MAX];
	ssize_t n = -1;
	int fd;

	snprintf(full, sizeof(full), "%s%s", root, path);
	fd = open(full, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, buf, size - 1);
		close(fd);
	}
	buf[n > 0 ? n : 0] = '\0';
	return buf;
}

/* A number at the start of text; CAPACITY_UNLIMITED for "max", "unlimited" and what is missing. */
static uint64_t parse_limit(const char *text)
{
	while (*text == ' ' || *text == '\t')
		text++;
	return isdigit((unsigned char)*text) ? strtoull(text, NULL, 10) : CAPACITY_UNLIMITED;
}

static uint64_t read_limit(const char *root, const char *path)
{
	char text[64];

	return parse_limit(read_text(root, path, text, sizeof(text)));
}

/* The number after a name in text, as in "MemAvailable:  123 kB". */
static uint64_t find_number(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? parse_limit(at + strlen(name)) : CAPACITY_UNLIMITED;
}

/* Notes a limit that the plan exceeds; the tightest one stays. fits is proportional to the need. */
__attribute__((format(printf, 6, 7))) static void check_one(struct check *check, uint64_t value,
							    uint64_t available, uint64_t need,
							    const char *unit, const char *name, ...)
{
	struct capacity_bound *bound = check->bound;
	uint64_t fits;
	va_list args;

	if (value == CAPACITY_UNLIMITED || need <= available)
		return;
	fits = (uint64_t)((__uint128_t)check->need.leaves * available / need);
	if (check->bound_found && fits >= bound->fits)
		return;
	check->bound_found = true;
	*bound = (struct capacity_bound) {
		.unit = unit, .value = value, .available = available, .need = need, .fits = fits};
	va_start(args, name);
	vsnprintf(bound->name, sizeof(bound->name), name, args);
	va_end(args);
}

static uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Tasks of the user, as RLIMIT_NPROC counts them: every thread of every process. */
static uint64_t user_tasks(const char *root, uint64_t uid)
{
	char path[PATH_MAX], text[4096];
	struct dirent *entry;
	uint64_t tasks = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/proc", root);
	dir = opendir(path);
	if (!dir)
		return 0;
	while ((entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/status", entry->d_name);
		read_text(root, path, text, sizeof(text));
		if (*text && find_number(text, "\nUid:") == uid)
			tasks += find_number(text, "\nThreads:");
	}
	closedir(dir);
	return tasks;
}

/* The kernel exempts uid 0 and two capabilities from RLIMIT_NPROC (copy_process). */
static bool is_exempt(const char *status, uint64_t uid)
{
	const char *at = strstr(status, "\nCapEff:");
	uint64_t caps = at ? strtoull(at + 8, NULL, 16) : 0;

	return uid == 0 || caps >> CAP_ADMIN & 1 || caps >> CAP_RESOURCE & 1;
}

static void check_nproc(struct check *check, const char *limits)
{
	uint64_t value = find_number(limits, "Max processes");
	char status[4096];
	uint64_t uid;

	if (value == CAPACITY_UNLIMITED)
		return;
	read_text(check->root, "/proc/self/status", status, sizeof(status));
	uid = find_number(status, "\nUid:");
	if (is_exempt(status, uid))
		return;
	check_one(check, value, minus(value, user_tasks(check->root, uid) + OWN_TASKS),
		  check->need.tasks, "tasks", "RLIMIT_NPROC (ulimit -u)");
}

static void check_address_space(struct check *check, const char *limits)
{
	uint64_t value = find_number(limits, "Max address space");
	uint64_t stack =
		check->need.stack ? check->need.stack : find_number(limits, "Max stack size");

	if (stack == CAPACITY_UNLIMITED)
		stack = GLIBC_STACK;
	check_one(check, value, minus(value, OWN_BYTES), check->need.together * stack, "bytes",
		  "RLIMIT_AS (ulimit -v)");
}

/* loadavg's fourth field is "running/all" tasks of the machine. */
static uint64_t all_tasks(const char *root)
{
	char text[128];
	const char *slash = strchr(read_text(root, "/proc/loadavg", text, sizeof(text)), '/');

	return slash ? strtoull(slash + 1, NULL, 10) : 0;
}

static void check_kernel(struct check *check)
{
	uint64_t used = all_tasks(check->root);
	uint64_t pids = read_limit(check->root, "/proc/sys/kernel/pid_max");
	uint64_t tasks = read_limit(check->root, "/proc/sys/kernel/threads-max");
	uint64_t maps = read_limit(check->root, "/proc/sys/vm/max_map_count");

	check_one(check, pids, minus(pids, used + SPARE_PIDS), check->need.tasks, "tasks",
		  "kernel.pid_max");
	check_one(check, tasks, minus(tasks, used + OWN_TASKS), check->need.tasks, "tasks",
		  "kernel.threads-max");
	check_one(check, maps, minus(maps, OWN_MAPS), check->need.together * THREAD_MAPS,
		  "mappings", "vm.max_map_count");
}

/* A hierarchy of cgroups: where it is mounted and which cgroup of it this process is in. */
struct cgroup {
	char mount[64];
	char path[1024];
};

/* The next line of /proc/self/cgroup at *text that has the controller (or is version 2). */
static bool next_cgroup(const char **text, const char *controller, struct cgroup *cgroup)
{
	char names[128];

	while (**text) {
		const char *line = *text;
		bool two;

		*text = strchrnul(line, '\n');
		*text += **text == '\n';
		names[0] = '\0';
		two = sscanf(line, "0::%1023[^\n]", cgroup->path) == 1;
		if (two)
			strcpy(cgroup->mount, "/sys/fs/cgroup");
		else if (sscanf(line, "%*d:%127[^:]:%1023[^\n]", names, cgroup->path) == 2)
			snprintf(cgroup->mount, sizeof(cgroup->mount), "/sys/fs/cgroup/%.32s",
				 controller);
		if (two || strcmp(names, controller) == 0)
			return true;
	}
	return false;
}

/* Cuts the last folder off; false when there was none left to cut. */
static bool parent_cgroup(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash || path[1] == '\0')
		return false;
	slash[slash == path] = '\0';
	return true;
}

static uint64_t cgroup_number(const char *root, const struct cgroup *cgroup, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s/%s", cgroup->mount, cgroup->path, file);
	return read_limit(root, path);
}

static void check_pids(struct check *check)
{
	char text[4096];
	const char *at = read_text(check->root, "/proc/self/cgroup", text, sizeof(text));
	struct cgroup cgroup;

	while (next_cgroup(&at, "pids", &cgroup)) {
		do {
			uint64_t value = cgroup_number(check->root, &cgroup, "pids.max");
			uint64_t used = cgroup_number(check->root, &cgroup, "pids.current");

			if (used == CAPACITY_UNLIMITED)
				used = 0;
			check_one(check, value, minus(value, used + OWN_TASKS), check->need.tasks,
				  "tasks", "pids.max of cgroup %.120s", cgroup.path);
		} while (parent_cgroup(cgroup.path));
	}
}

/* What one cgroup leaves; its page cache of files not in use counts as free. KiB. */
static uint64_t cgroup_memory(const char *root, const struct cgroup *cgroup)
{
	bool two = strcmp(cgroup->mount, "/sys/fs/cgroup") == 0;
	uint64_t limit, used, cache;
	char path[PATH_MAX], text[8192];

	limit = cgroup_number(root, cgroup, two ? "memory.max" : "memory.limit_in_bytes");
	used = cgroup_number(root, cgroup, two ? "memory.current" : "memory.usage_in_bytes");
	if (limit == CAPACITY_UNLIMITED || used == CAPACITY_UNLIMITED)
		return CAPACITY_UNLIMITED;
	snprintf(path, sizeof(path), "%s%s/memory.stat", cgroup->mount, cgroup->path);
	cache = find_number(read_text(root, path, text, sizeof(text)), "\ninactive_file ");
	if (cache == CAPACITY_UNLIMITED || cache > used)
		cache = 0;
	return minus(limit, used - cache) / 1024;
}

uint64_t capacity_memory_free(const char *root)
{
	char text[4096];
	uint64_t least, kb;
	struct cgroup cgroup;
	const char *at;

	read_text(root, "/proc/meminfo", text, sizeof(text));
	least = find_number(text, "MemAvailable:");
	at = read_text(root, "/proc/self/cgroup", text, sizeof(text));
	while (next_cgroup(&at, "memory", &cgroup)) {
		do {
			kb = cgroup_memory(root, &cgroup);
			least = kb < least ? kb : least;
		} while (parent_cgroup(cgroup.path));
	}
	/* A fifth stays for everybody else, and for what the estimate leaves out. */
	return least == CAPACITY_UNLIMITED ? least : least / 5 * 4;
}

static void check_memory(struct check *check)
{
	uint64_t kb = capacity_memory_free(check->root);
	const struct need *need = &check->need;

	check_one(check, kb, kb, need->threads * THREAD_KB + need->processes * PROCESS_KB, "KiB",
		  "free memory");
}

/* Threads share a process with their siblings, and with the levels of threads below them. */
static void count_need(const struct plan *plan, uint64_t stack_size, struct need *need)
{
	uint64_t width = 1, together = 0;

	*need = (struct need) {
		.leaves = plan_leaves(plan), .tasks = plan_count(plan), .stack = stack_size};
	for (uint32_t i = 0; i < plan->levels; i++) {
		uint32_t count;

		plan_level(plan, i, &count);
		if (plan->task[i] == PLAN_PROCESS) {
			need->processes += count;
			width = 1;
			together = 0;
			continue;
		}
		need->threads += count;
		width *= plan->fanout[i];
		together += width;
		if (together > need->together)
			need->together = together;
	}
}

int capacity_check(const char *root, const struct plan *plan, uint64_t stack_size,
		   struct capacity_bound *bound)
{
	struct check check = {.root = root, .bound = bound};
	char limits[4096];

	count_need(plan, stack_size, &check.need);
	read_text(root, "/proc/self/limits", limits, sizeof(limits));
	check_nproc(&check, limits);
	check_address_space(&check, limits);
	check_kernel(&check);
	check_pids(&check);
	check_memory(&check);
	return check.bound_found ? -EAGAIN : 0;
}

int capacity_disk_free(const char *folder, uint64_t *bytes)
{
	struct statvfs fs;

	if (statvfs(folder, &fs))
		return -errno;
	if (access(folder, W_OK | X_OK))
		return -errno;
	*bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	/* Block maps and extents; 1 part in 64 is more than any usual file system takes. */
	*bytes -= *bytes / 64;
	return 0;
}
