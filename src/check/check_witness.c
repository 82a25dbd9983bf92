/* SPDX-License-Identifier: MIT */
#include "check_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/clock.h"
#include "base/procfs.h"

#define NAME "tuibench-self-test-"

struct search {
	struct check_cgroup *cgroup;
	char hierarchy[PATH_MAX]; /* whose own group was tried */
	const char *why;
	int err;
};

static int path_to(char path[PATH_MAX], const char *folder, const char *name)
{
	return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX ? 0 : -ENAMETOOLONG;
}

/* Moves this program into the group. */
static int join_group(const char *folder)
{
	char path[PATH_MAX];
	int fd, err = path_to(path, folder, "cgroup.procs");

	if (err)
		return err;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = write(fd, "0", 1) == 1 ? 0 : -errno;
	close(fd);
	return err;
}

static int make_group(struct check_cgroup *cgroup, const char **why)
{
	static const char *const files[] = {"cpuacct.usage", "cpu.stat"}; /* of the CPU time */
	char name[64], path[PATH_MAX];
	int err;

	cgroup->file = NULL;
	cgroup_remove_left(cgroup->home, NAME);
	snprintf(name, sizeof(name), NAME "%ld", (long)getpid());
	*why = "making one";
	err = path_to(cgroup->folder, cgroup->home, name);
	if (!err && mkdir(cgroup->folder, 0755) < 0)
		err = -errno;
	if (err)
		return err;
	*why = "its CPU time";
	for (size_t i = 0; i < 2 && !cgroup->file; i++)
		if (path_to(path, cgroup->folder, files[i]) == 0 && access(path, R_OK) == 0)
			cgroup->file = files[i];
	err = cgroup->file ? 0 : -ENOENT;
	if (!err) {
		*why = "moving into it";
		err = join_group(cgroup->folder);
	}
	if (err)
		rmdir(cgroup->folder);
	return err;
}

/* Of each hierarchy the program's own group; in a container the first one above that is there. */
static void try_group(void *arg, const struct cgroup *found)
{
	struct search *search = arg;
	char path[PATH_MAX], hierarchy[PATH_MAX];

	snprintf(hierarchy, sizeof(hierarchy), "%.*s", (int)(found->path - found->folder),
		 found->folder);
	if (!search->err || strcmp(hierarchy, search->hierarchy) == 0 ||
	    snprintf(search->cgroup->home, PATH_MAX, "/%s", found->folder) >= PATH_MAX ||
	    path_to(path, search->cgroup->home, "cgroup.procs") < 0 || access(path, F_OK) < 0)
		return;
	strcpy(search->hierarchy, hierarchy);
	search->err = make_group(search->cgroup, &search->why);
}

int check_cgroup_open(struct check_cgroup *cgroup, const char **why)
{
	struct search search = {.cgroup = cgroup, .why = "a hierarchy", .err = -ENOENT};

	memset(cgroup, 0, sizeof(*cgroup));
	cgroup_walk("", "cpuacct", try_group, &search);
	*why = search.why;
	if (search.err)
		cgroup->home[0] = '\0';
	return search.err;
}

int64_t check_cgroup_used(const struct check_cgroup *cgroup)
{
	char path[PATH_MAX], text[1024];
	const char *at;
	int64_t used;

	if (!cgroup->home[0] || path_to(path, cgroup->folder, cgroup->file) < 0 ||
	    procfs_read_text("", path, text, sizeof(text)) < 0)
		return -1;
	if (strcmp(cgroup->file, "cpu.stat") != 0)
		return strtoll(text, NULL, 10);
	at = procfs_after_key(text, "usage_usec ");
	used = at ? strtoll(at, NULL, 10) : -1;
	return used < 0 ? -1 : used * 1000;
}

void check_cgroup_close(struct check_cgroup *cgroup)
{
	if (!cgroup->home[0])
		return;
	join_group(cgroup->home);
	rmdir(cgroup->folder);
	cgroup->home[0] = '\0';
}

void check_schedstat_close(struct check_schedstat *schedstat)
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
		schedstat->tasks[i].fd = schedstat->tasks[i].used_ns = -1;
}

static uint32_t watched_workers(const struct model_run *run)
{
	return run->n_workers < CHECK_SCHEDSTAT_MOST ? run->n_workers : CHECK_SCHEDSTAT_MOST;
}

void check_schedstat_look(void *arg, const struct model *model, const struct sample *sample)
{
	struct check_schedstat *schedstat = arg;
	const struct model_run *run = model_running(model);
	int64_t now_ns = (int64_t)clock_now_ns(), at_ns;
	char text[128];
	ssize_t n;

	/* A sample of a tick is made just before it is handed out. */
	if (sample && sample->kind == SAMPLE_TICK && now_ns - sample->time_ns < schedstat->start_ns)
		schedstat->start_ns = now_ns - sample->time_ns;
	if (sample && sample->kind == SAMPLE_RUN_END) {
		run = model_newest(model);
		for (uint32_t i = 0; i < watched_workers(run); i++) {
			const struct sample_worker *w = model_known(run, i);
			int64_t gap_ns = schedstat->start_ns + run->totals.begin_ns + w->finish_ns -
					 schedstat->tasks[i].at_ns;

			if (schedstat->tasks[i].used_ns < 0 || w->finish_ns < 0) {
				schedstat->missed++;
				continue;
			}
			schedstat->used_ns += (double)schedstat->tasks[i].used_ns;
			schedstat->gap_ns += gap_ns > 0 ? (double)gap_ns : 0;
			schedstat->said_ns += 1e3 * ((double)w->user_us + w->system_us);
		}
		check_schedstat_close(schedstat);
	} else if (run) {
		for (uint32_t i = 0; i < watched_workers(run); i++) {
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
			if (schedstat->tasks[i].fd < 0)
				continue;
			/* "on-core queued slices", ns; of one that has ended nothing is read. */
			at_ns = (int64_t)clock_now_ns();
			n = pread(schedstat->tasks[i].fd, text, sizeof(text) - 1, 0);
			if (n <= 0)
				continue;
			text[n] = '\0';
			schedstat->tasks[i].used_ns = strtoll(text, NULL, 10);
			schedstat->tasks[i].at_ns = at_ns;
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
