/* SPDX-License-Identifier: MIT */
#include "live_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cgroup.h"
#include "base/procfs.h"

static int open_in(const char *folder, const char *name, int flags)
{
	char path[PATH_MAX + 96];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, flags | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return fd;
}

static int write_in(const char *folder, const char *name, const char *text)
{
	int fd = open_in(folder, name, O_WRONLY), err = 0;

	if (fd < 0)
		return fd;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

/* Reads a file of the directory. If it cannot be read, buf is "". */
static int text_in(const char *folder, const char *name, char *buf, size_t size)
{
	char path[PATH_MAX + 96];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return procfs_read_text("", path, buf, size);
}

static int64_t number_of(const char *text, const char *name)
{
	const char *number = procfs_after_key(text, name);

	return number ? strtoll(number, NULL, 10) : -1;
}

static bool lists(const char *folder, const char *name, const char *controller)
{
	char text[512];

	return text_in(folder, name, text, sizeof(text)) == 0 &&
	       procfs_has_word(text, ' ', controller);
}

static bool has_children(const char *folder)
{
	struct stat st;

	return stat(folder, &st) < 0 || st.st_nlink > 2;
}

/*
 * Takes the lowest directory in which tuibench may create cgroups. If there is none, the parent
 * becomes "-". With version 2, a cgroup that has tasks cannot pass the controller on to its
 * children. The root cgroup can; it has no file cgroup.type. The controller is enabled in the root
 * cgroup only if that has no children yet.
 */
static void take_folder(void *arg, const struct cgroup *cgroup)
{
	struct live_cgroup *to = arg;
	bool memory = strcmp(to->controller, "memory") == 0, usable;
	const char *v1 = memory ? "memory.kmem.usage_in_bytes" : "cpu.cfs_quota_us";
	char folder[PATH_MAX], path[PATH_MAX + 32], text[64], plus[32];

	if (*to->parent || snprintf(folder, sizeof(folder), "%s/%s", cgroup->root,
				    cgroup->folder) >= (int)sizeof(folder))
		return;
	snprintf(path, sizeof(path), "%s/cgroup.procs", folder);
	usable = access(folder, W_OK) == 0 && access(path, W_OK) == 0;
	if (lists(folder, "cgroup.controllers", to->controller)) {
		to->v2 = true;
		if (usable && !lists(folder, "cgroup.subtree_control", to->controller)) {
			snprintf(plus, sizeof(plus), "+%s", to->controller);
			usable = to->enabled =
				!*to->bounds &&
				text_in(folder, "cgroup.type", text, sizeof(text)) == -ENOENT &&
				!has_children(folder) &&
				write_in(folder, "cgroup.subtree_control", plus) == 0;
		}
		/*
		 * If our cgroup may not have children, the run's cgroup becomes a sibling of ours.
		 */
		if (usable)
			strcpy(to->parent, folder);
		else if (*to->bounds)
			strcpy(to->parent, "-");
		else
			strcpy(to->bounds, folder);
	} else if (cgroup_text(cgroup, v1, text, sizeof(text)) == 0) {
		strcpy(to->parent, usable ? folder : "-");
	}
}

void live_cgroup_open(struct live_cgroup *cgroup, const char *root, const char *controller)
{
	memset(cgroup, 0, sizeof(*cgroup));
	cgroup->controller = controller;
	cgroup_walk(root, controller, take_folder, cgroup);
	if (strcmp(cgroup->parent, "-") == 0)
		cgroup->parent[0] = '\0';
	if (*cgroup->parent)
		cgroup_remove_left(cgroup->parent, CGROUP_OF_RUN);
}

/*
 * Removes leftovers of killed sessions again, because a task of theirs may have left its cgroup
 * only after this session began. Then turns off the controller, if this session turned it on.
 */
void live_cgroup_close(struct live_cgroup *cgroup)
{
	char minus[32];

	if (*cgroup->parent)
		cgroup_remove_left(cgroup->parent, CGROUP_OF_RUN);
	if (cgroup->enabled && !has_children(cgroup->parent)) {
		snprintf(minus, sizeof(minus), "-%s", cgroup->controller);
		write_in(cgroup->parent, "cgroup.subtree_control", minus);
	}
	cgroup->enabled = false;
	cgroup->parent[0] = '\0';
}

static int open_stat(struct live_charge *charge, const char *folder)
{
	charge->stat_fd = open_in(folder, charge->v2 ? "memory.stat" : "memory.kmem.usage_in_bytes",
				  O_RDONLY);
	if (charge->v2)
		charge->flush_fd = open_in(folder, "cpu.stat", O_RDONLY);
	if (charge->stat_fd < 0)
		return charge->stat_fd;
	return 0;
}

static void clear_charge(struct live_charge *charge, bool v2)
{
	memset(charge, 0, sizeof(*charge));
	charge->v2 = v2;
	charge->join_fd = charge->stat_fd = charge->flush_fd = -1;
}

/* Largest number of names to try. */
#define NAMES 64

/* Makes an empty cgroup of our own, and opens the file with which the runner joins the cgroup. */
static int make_folder(struct live_cgroup *cgroup, char folder[LIVE_CGROUP_PATH], int *join_fd)
{
	static const char *const limits[] = {
		"memory.max", "memory.high", "memory.swap.max", "pids.max",
		"cpu.max",    "cpu.weight",  "cpuset.cpus",	"cpuset.mems",
	};
	char ours[4096], text[4096];
	int err = 0;

	if (!*cgroup->parent)
		return -ENOENT;
	/* A process in another PID namespace may have the same PID, so the name may be taken. */
	for (int i = 0; i < NAMES; i++) {
		snprintf(folder, LIVE_CGROUP_PATH, "%s/" CGROUP_OF_RUN "%d-%u", cgroup->parent,
			 getpid(), cgroup->made++ % 1000000);
		err = 0;
		if (mkdir(folder, 0755) < 0)
			err = -errno;
		if (err != -EEXIST)
			break;
	}
	if (err) {
		folder[0] = '\0';
		return err;
	}
	/* The run's cgroup is a sibling of ours, so copy the limits of ours to it. */
	if (*cgroup->bounds) {
		for (size_t i = 0; i < LENGTH(limits); i++) {
			if (text_in(cgroup->bounds, limits[i], ours, sizeof(ours)) < 0)
				continue;
			text_in(folder, limits[i], text, sizeof(text));
			if (strcmp(ours, text) != 0)
				err = write_in(folder, limits[i], ours);
			if (err)
				return err;
		}
	}
	*join_fd = open_in(folder, "cgroup.procs", O_WRONLY);
	if (*join_fd < 0)
		return *join_fd;
	/* While this lock is held, no other session removes the cgroup: cgroup_remove_left(). */
	flock(*join_fd, LOCK_SH | LOCK_NB);
	return 0;
}

int live_charge_open(struct live_charge *charge, struct live_cgroup *cgroup)
{
	int err;

	clear_charge(charge, cgroup->v2);
	err = make_folder(cgroup, charge->folder, &charge->join_fd);
	if (!err)
		err = open_stat(charge, charge->folder);
	if (err)
		live_charge_close(charge);
	return err;
}

int live_quota_open(struct live_quota *quota, struct live_cgroup *cgroup,
		    struct live_charge *charge, uint32_t thousandths)
{
	const uint64_t us = (uint64_t)thousandths * LIVE_QUOTA_PERIOD_US / 1000;
	bool both = cgroup->v2 && charge->v2 && *charge->folder;
	char path[LIVE_CGROUP_PATH + 32], text[48];
	int err = 0;

	live_quota_none(quota);
	quota->v2 = cgroup->v2;
	/*
	 * With version 2, a task is in one cgroup only. So the cgroup for memory must have the CPU
	 * limit as well. If it cannot have one, do without it.
	 */
	snprintf(path, sizeof(path), "%s/cpu.max", charge->folder);
	if (both && access(path, F_OK) != 0) {
		live_charge_close(charge);
		both = false;
	}
	if (both) {
		snprintf(quota->at, sizeof(quota->at), "%s", charge->folder);
		quota->join_fd = open_in(quota->at, "cgroup.procs", O_WRONLY);
		err = MIN(quota->join_fd, 0);
	} else {
		err = make_folder(cgroup, quota->folder, &quota->join_fd);
		snprintf(quota->at, sizeof(quota->at), "%s", quota->folder);
	}
	if (!err && quota->v2) {
		snprintf(text, sizeof(text), "%" PRIu64 " %d", us, LIVE_QUOTA_PERIOD_US);
		err = write_in(quota->at, "cpu.max", text);
	} else if (!err) {
		snprintf(text, sizeof(text), "%d", LIVE_QUOTA_PERIOD_US);
		err = write_in(quota->at, "cpu.cfs_period_us", text);
		snprintf(text, sizeof(text), "%" PRIu64, us);
		if (!err)
			err = write_in(quota->at, "cpu.cfs_quota_us", text);
	}
	if (!err) {
		quota->stat_fd = open_in(quota->at, "cpu.stat", O_RDONLY);
		err = MIN(quota->stat_fd, 0);
	}
	if (err)
		live_quota_close(quota);
	return err;
}

void live_quota_none(struct live_quota *quota)
{
	memset(quota, 0, sizeof(*quota));
	quota->join_fd = quota->stat_fd = -1;
}

struct limit {
	double cores;
	char folder[PATH_MAX]; /* "" if there is none */
};

static void take_limit(void *arg, const struct cgroup *cgroup)
{
	struct limit *limit = arg;
	double cores = cgroup_cores(cgroup);

	if (cores < 0 || (*limit->folder && cores >= limit->cores) ||
	    snprintf(limit->folder, sizeof(limit->folder), "%s/%s", cgroup->root, cgroup->folder) >=
		    (int)sizeof(limit->folder))
		return;
	limit->cores = cores;
}

void live_quota_watch(struct live_quota *quota, const struct live_charge *charge,
		      const char *bounds, const char *root)
{
	struct limit limit = {.folder = ""};
	bool copied;

	live_quota_none(quota);
	cgroup_walk(root, "cpu", take_limit, &limit);
	/* If the run is in a sibling of our own cgroup, that sibling has a copy of our limit. */
	copied = *charge->folder && strcmp(bounds, limit.folder) == 0;
	if (*limit.folder)
		quota->stat_fd =
			open_in(copied ? charge->folder : limit.folder, "cpu.stat", O_RDONLY);
}

bool live_quota_read(const struct live_quota *quota, struct live_throttled *out)
{
	char text[1024];
	ssize_t n = quota->stat_fd < 0 ? -1 : pread(quota->stat_fd, text, sizeof(text) - 1, 0);

	*out = (struct live_throttled) {-1, -1};
	if (n < 0)
		return false;
	text[n] = '\0';
	out->periods = number_of(text, "nr_throttled ");
	out->us = number_of(text, "throttled_usec ");
	if (out->us < 0 && (out->us = number_of(text, "throttled_time ")) >= 0)
		out->us /= 1000;
	return out->periods >= 0 && out->us >= 0;
}

void live_quota_lift(const struct live_quota *quota)
{
	if (!*quota->at)
		return;
	if (quota->v2)
		write_in(quota->at, "cpu.max", "max");
	else
		write_in(quota->at, "cpu.cfs_quota_us", "-1");
}

static void take_own(void *arg, const struct cgroup *cgroup)
{
	struct live_charge *charge = arg;
	char folder[PATH_MAX];

	if (charge->stat_fd >= 0 || snprintf(folder, sizeof(folder), "%s/%s", cgroup->root,
					     cgroup->folder) >= (int)sizeof(folder))
		return;
	charge->v2 = lists(folder, "cgroup.controllers", "memory");
	open_stat(charge, folder);
}

int live_charge_open_own(struct live_charge *charge, const char *root)
{
	clear_charge(charge, false);
	cgroup_walk(root, "memory", take_own, charge);
	if (charge->stat_fd < 0)
		return -ENOENT;
	return 0;
}

static int64_t kb_of(const char *text, const char *name)
{
	int64_t bytes = number_of(text, name);

	if (bytes < 0)
		return -1;
	return bytes / 1024;
}

/*
 * Reads the kernel memory of the cgroup. The kernel sums up the CPUs' counts only at intervals.
 * Until Linux 6.15, reading cpu.stat makes it do so immediately, so that file is read first. Before
 * Linux 5.18 there is no sum of kernel memory, so the parts are added. Reclaimable slab is
 * subtracted, because it belongs to files and the page cache's index, not to tasks.
 */
int live_charge_read(const struct live_charge *charge, struct live_charged *out)
{
	char text[8192];
	ssize_t n;

	*out = (struct live_charged) {-1, -1, -1};
	if (charge->flush_fd >= 0 && pread(charge->flush_fd, text, sizeof(text), 0) < 0)
		return -errno;
	n = pread(charge->stat_fd, text, sizeof(text) - 1, 0);
	if (n < 0)
		return -errno;
	text[n] = '\0';
	if (charge->v2) {
		out->kernel_kb = kb_of(text, "kernel ");
		out->stacks_kb = kb_of(text, "kernel_stack ");
		out->tables_kb = kb_of(text, "pagetables ");
		if (out->kernel_kb < 0 && out->stacks_kb >= 0 && out->tables_kb >= 0)
			out->kernel_kb = out->stacks_kb + out->tables_kb +
					 MAX(0, kb_of(text, "slab ")) +
					 MAX(0, kb_of(text, "percpu "));
		if (out->kernel_kb >= 0)
			out->kernel_kb -= MAX(0, kb_of(text, "slab_reclaimable "));
	} else {
		out->kernel_kb = strtoll(text, NULL, 10) / 1024;
	}
	if (out->kernel_kb < 0)
		return -EPROTO;
	return 0;
}

int64_t live_charge_peak(const struct live_charge *charge)
{
	char text[64];

	if (!*charge->folder ||
	    text_in(charge->folder, charge->v2 ? "memory.peak" : "memory.max_usage_in_bytes", text,
		    sizeof(text)) < 0)
		return -1;
	return strtoll(text, NULL, 10) / 1024;
}

int64_t live_charge_kernel_peak(const struct live_charge *charge)
{
	char text[64];

	if (!*charge->folder || charge->v2 ||
	    text_in(charge->folder, "memory.kmem.max_usage_in_bytes", text, sizeof(text)) < 0)
		return -1;
	return strtoll(text, NULL, 10) / 1024;
}

int64_t live_charge_cache(const struct live_charge *charge)
{
	char text[8192];
	int64_t kb;

	if (!*charge->folder || text_in(charge->folder, "memory.stat", text, sizeof(text)) < 0)
		return -1;
	kb = kb_of(text, charge->v2 ? "file " : "cache ");
	if (kb < 0)
		return -1;
	return kb + MAX(0, kb_of(text, "slab_reclaimable "));
}

bool live_charge_cpu(const struct live_charge *charge, int64_t *user_us, int64_t *system_us)
{
	char text[1024];
	ssize_t n = charge->flush_fd < 0 ? -1 : pread(charge->flush_fd, text, sizeof(text) - 1, 0);

	*user_us = *system_us = -1;
	if (n < 0)
		return false;
	text[n] = '\0';
	*user_us = number_of(text, "user_usec ");
	*system_us = number_of(text, "system_usec ");
	return *user_us >= 0 && *system_us >= 0;
}

void live_close_fd(int *fd)
{
	if (*fd > 2)
		close(*fd);
	*fd = -1;
}

/* Milliseconds to wait for the last task to leave the cgroup, after it was reaped. */
#define LEAVE_MS 200

static void remove_folder(char *folder)
{
	if (*folder)
		cgroup_remove(folder, LEAVE_MS);
	folder[0] = '\0';
}

void live_charge_close(struct live_charge *charge)
{
	live_close_fd(&charge->join_fd);
	live_close_fd(&charge->stat_fd);
	live_close_fd(&charge->flush_fd);
	remove_folder(charge->folder);
}

void live_quota_close(struct live_quota *quota)
{
	live_close_fd(&quota->join_fd);
	live_close_fd(&quota->stat_fd);
	remove_folder(quota->folder);
	quota->at[0] = '\0';
}
