/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "capacity.h"
#include "base/units.h"
#include "work/work_file.h"
#include "work/workload.h"

/* Opened, since that alone says whether it can be read; without waiting for a pipe's writer. */
static int io_file_size(const char *path, uint64_t *bytes)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		err = -errno;
	else if (S_ISDIR(st.st_mode))
		err = -EISDIR;
	else if (!S_ISREG(st.st_mode))
		err = -ESPIPE;
	else
		*bytes = (uint64_t)st.st_size;
	close(fd);
	return err;
}

static const char *io_file_reason(int err)
{
	switch (err) {
	case -EISDIR:
		return "is a folder";
	case -ESPIPE:
		return "is not a regular file";
	case -ENOENT:
		return "is not there";
	case -EACCES:
		return "cannot be read (permission denied)";
	default:
		return strerror(-err);
	}
}

/* An io worker without a size of its own copies the whole file it was given. */
int experiment_check_io_file(struct experiment_build *build)
{
	struct request *request = &build->experiment->request;
	uint64_t bytes = 0;
	int err;

	if (!request->io_file)
		return 0;
	err = io_file_size(request->io_file, &bytes);
	if (err)
		return REFUSE(build, -EINVAL,
			      "-s io-file=%s: %s; name a file that the io workers can copy",
			      request->io_file, io_file_reason(err));
	if (bytes == 0)
		return REFUSE(build, -EINVAL,
			      "-s io-file=%s: is empty; name a file with something to copy",
			      request->io_file);
	if (request->work_size[WORK_IO] > bytes)
		return REFUSE(build, -EINVAL,
			      "-s io.size=%" PRIu64 ": is more than the %" PRIu64
			      " bytes of -s io-file=%s",
			      request->work_size[WORK_IO], bytes, request->io_file);
	if (request->work_size[WORK_IO] == 0)
		request->work_size[WORK_IO] = bytes;
	build->io_bytes = bytes;
	return 0;
}

/* The CPUs that all may use, and the first of them. */
static void count_cpus(struct experiment_build *build, const cpu_set_t *cpus)
{
	int cpu = 0;

	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, cpus))
		cpu++;
	build->experiment->one_cpu = cpu;
	build->cpus = CPU_COUNT(cpus);
	build->allowed = *cpus;
}

/* Names those that it may not use; a CPU that is offline is in no program's mask. */
static int refuse_pin(struct experiment_build *build, const cpu_set_t *allowed)
{
	const cpu_set_t *pin = &build->experiment->request.pin;
	char missing_text[128], allowed_text[128];
	cpu_set_t both, missing;
	bool one;

	CPU_AND(&both, pin, allowed);
	CPU_XOR(&missing, pin, &both);
	one = CPU_COUNT(&missing) == 1;
	return REFUSE(build, -EINVAL,
		      "-s pin: CPU%s %s %s not within the CPUs that this program may use (%s)",
		      one ? "" : "s",
		      units_format_cpulist(missing_text, sizeof(missing_text), &missing),
		      one ? "is" : "are",
		      units_format_cpulist(allowed_text, sizeof(allowed_text), allowed));
}

int experiment_check_pin(struct experiment_build *build)
{
	struct request *request = &build->experiment->request;
	cpu_set_t allowed, both;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return 0;
	count_cpus(build, request->pinned ? &request->pin : &allowed);
	if (build->kind->one_core && !request->pinned && !experiment_places(build)) {
		CPU_ZERO(&request->pin);
		CPU_SET(build->experiment->one_cpu, &request->pin);
		request->pinned = true;
	}
	if (!request->pinned)
		return 0;
	CPU_AND(&both, &request->pin, &allowed);
	if (CPU_EQUAL(&both, &request->pin) && CPU_COUNT(&both) > 0)
		return 0;
	return refuse_pin(build, &allowed);
}

/* The allocation is not touched, but the kernel refuses one that is larger than its memory. */
int experiment_check_alloc(struct experiment_build *build)
{
	const struct request *request = &build->experiment->request;
	uint64_t free_kb;

	if (request->workers[WORK_CPU] == 0 || request->alloc == 0)
		return 0;
	free_kb = capacity_memory_free("");
	if (request->alloc / 1024 <= free_kb)
		return 0;
	return REFUSE(build, -EAGAIN, "-s %s: does not fit the memory that is free; at most %s",
		      experiment_typed(request, "alloc"), UNITS_KIB((int64_t)free_kb));
}

/* The name of a file system whose files have no other place than the page cache; NULL. */
static const char *cache_only(const char *path)
{
	struct statfs fs;

	if (statfs(path, &fs))
		return NULL;
	switch ((uint32_t)fs.f_type) {
	case TMPFS_MAGIC:
		return "tmpfs";
	case RAMFS_MAGIC:
		return "ramfs";
	default:
		return NULL;
	}
}

static int refuse_disk(struct experiment_build *build, enum work_kind kind, uint64_t size,
		       uint64_t files, uint64_t bytes)
{
	uint64_t written = workload_get(kind)->written, fits = bytes / files / written;

	return REFUSE(
		build, -ENOSPC,
		"-s %s.size=%" PRIu64 ": needs %" PRIu64
		" files of that size in TMPDIR (%s%s), where %s are free: at most %s.size=%" PRIu64
		" (%s) fits",
		plan_work_name(kind), size, files, work_file_dir(),
		cache_only(work_file_dir()) ? ", in memory" : "",
		UNITS_KIB((int64_t)(bytes / 1024)), plan_work_name(kind), fits,
		UNITS_KIB((int64_t)(fits * written / 1024)));
}

static int refuse_file_size(struct experiment_build *build, enum work_kind kind, uint64_t size,
			    uint64_t fits)
{
	return REFUSE(build, -ENOSPC,
		      "-s %s.size=%" PRIu64 ": makes a file larger than RLIMIT_FSIZE (ulimit -f) "
		      "allows: at most %s.size=%" PRIu64 " fits",
		      plan_work_name(kind), size, plan_work_name(kind), fits);
}

/* All copies exist at the same time, and beside them the file that is copied if one is made. */
static uint64_t count_files(const struct request *request, const struct sample_case *one,
			    enum work_kind kind)
{
	const struct workload_ops *ops = workload_get(kind);
	uint64_t files = one->plan.leaves[kind];

	if (one->mistakes.share_file && files > 1 && !ops->says)
		files = 1;
	if (ops->written == 0 || (ops->says && request->sink != SINK_FILE))
		return 0;
	return files + (ops->copies && files > 0 && !request->io_file);
}

static int check_case_disk(struct experiment_build *build, const struct sample_case *one,
			   uint64_t bytes)
{
	for (size_t i = 0; i < WORK_KINDS; i++) {
		enum work_kind kind = plan_work_order[i];
		uint64_t files = count_files(&build->experiment->request, one, kind);
		uint64_t unit = files * workload_get(kind)->written;

		if (unit == 0)
			continue;
		/* As a division: 10^18 lines are more bytes than 64 bits count. */
		if (one->work_size[kind] > bytes / unit)
			return refuse_disk(build, kind, one->work_size[kind], files, bytes);
		bytes -= one->work_size[kind] * unit;
	}
	return 0;
}

/* Copies are as large as what they are made of; those that say something share one file. */
static int check_case_files(struct experiment_build *build, const struct sample_case *one,
			    uint64_t most)
{
	for (size_t i = 0; i < WORK_KINDS; i++) {
		enum work_kind kind = plan_work_order[i];
		const struct workload_ops *ops = workload_get(kind);
		uint64_t files = count_files(&build->experiment->request, one, kind);
		uint64_t unit = ops->written * (ops->says ? files : 1);

		if (files > 0 && one->work_size[kind] > most / unit)
			return refuse_file_size(build, kind, one->work_size[kind], most / unit);
	}
	return 0;
}

/* RLIM_INFINITY is the largest number. */
static uint64_t largest_file(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) ? UINT64_MAX : limit.rlim_cur;
}

static bool writes(const struct experiment *experiment)
{
	uint64_t files = 0;

	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		for (int kind = 0; kind < WORK_KINDS; kind++)
			files += count_files(&experiment->request, &experiment->cases[i],
					     (enum work_kind)kind);
	}
	return files > 0;
}

/* A file that has no other place than the page cache is memory, as what the workers have is. */
static uint64_t room_for(const struct sample_case *one, uint64_t disk)
{
	uint64_t free_kb, used_kb = one->ballast / 1024;

	if (!cache_only(work_file_dir()))
		return disk;
	free_kb = capacity_memory_free("");
	for (int kind = 0; kind < WORK_KINDS; kind++) {
		uint64_t memory = workload_get((enum work_kind)kind)->memory;

		/* That these fit was found out before. */
		used_kb += one->work_size[kind] * memory / 1024 * one->plan.leaves[kind];
	}
	free_kb = free_kb > used_kb ? free_kb - used_kb : 0;
	return disk / 1024 < free_kb ? disk : free_kb * 1024;
}

int experiment_check_disk(struct experiment_build *build)
{
	const struct experiment *experiment = build->experiment;
	uint64_t bytes;
	int err;

	if (!writes(experiment))
		return 0;
	err = capacity_disk_free(work_file_dir(), &bytes);
	if (err)
		return REFUSE(build, -EINVAL,
			      "TMPDIR: \"%s\": %s; the workers need a folder to write in",
			      work_file_dir(), strerror(-err));
	for (uint32_t i = 0; i < experiment->n_cases && !err; i++)
		err = check_case_disk(build, &experiment->cases[i],
				      room_for(&experiment->cases[i], bytes));
	for (uint32_t i = 0; i < experiment->n_cases && !err; i++)
		err = check_case_files(build, &experiment->cases[i], largest_file());
	return err;
}

static int refuse_memory(struct experiment_build *build, const struct sample_case *one,
			 enum work_kind kind, uint64_t free_kb)
{
	const struct workload_ops *ops = workload_get(kind);
	uint64_t workers = one->plan.leaves[kind], step = ops->least_size ? ops->least_size : 1;
	uint64_t fits = free_kb * 1024 / workers / ops->memory / step * step;
	const char *name = plan_work_name(kind);

	return REFUSE(
		build, -EAGAIN,
		"-s %s.size=%" PRIu64 ": of %" PRIu64
		" workers this does not fit the memory that is free (%s): at most %s.size=%" PRIu64
		" (%s) fits",
		name, one->work_size[kind], workers, UNITS_KIB((int64_t)free_kb), name, fits,
		UNITS_KIB((int64_t)(fits * ops->memory / 1024)));
}

static int check_case_memory(struct experiment_build *build, const struct sample_case *one,
			     uint64_t free_kb)
{
	for (size_t i = 0; i < WORK_KINDS; i++) {
		enum work_kind kind = plan_work_order[i];
		uint64_t memory = workload_get(kind)->memory, workers = one->plan.leaves[kind];
		uint64_t kb = one->work_size[kind] * memory / 1024;

		if (memory == 0 || workers == 0)
			continue;
		if (kb > free_kb / workers)
			return refuse_memory(build, one, kind, free_kb);
		free_kb -= kb * workers;
	}
	return 0;
}

int experiment_check_memory(struct experiment_build *build)
{
	const struct experiment *experiment = build->experiment;
	bool any = false;
	uint64_t free_kb;
	int err = 0;

	for (uint32_t i = 0; i < experiment->n_cases; i++)
		for (int kind = 0; kind < WORK_KINDS; kind++)
			any |= experiment->cases[i].plan.leaves[kind] > 0 &&
			       workload_get((enum work_kind)kind)->memory > 0;
	if (!any)
		return 0;
	free_kb = capacity_memory_free("");
	for (uint32_t i = 0; i < experiment->n_cases && !err; i++)
		err = check_case_memory(build, &experiment->cases[i], free_kb);
	return err;
}

static int refuse_ballast(struct experiment_build *build, const struct sample_case *one,
			  const struct capacity_ballast *bound)
{
	return REFUSE(build, -EAGAIN,
		      "-s ballast=%s: takes %s with %s; %s is %s, of which %s are left: at most "
		      "%s fits",
		      UNITS_EXACT(one->ballast), UNITS_KIB((int64_t)(bound->need / 1024)),
		      one->model, bound->limit.name,
		      UNITS_KIB((int64_t)(bound->limit.value / 1024)),
		      UNITS_KIB((int64_t)(bound->limit.available / 1024)),
		      UNITS_EXACT(bound->fits >> 20 << 20));
}

int experiment_check_ballast(struct experiment_build *build)
{
	const struct experiment *experiment = build->experiment;
	struct capacity_ballast bound;

	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const struct sample_case *one = &experiment->cases[i];

		if (one->ballast > 0 &&
		    capacity_check_ballast("", &one->plan, one->ballast, &bound) != 0)
			return refuse_ballast(build, one, &bound);
	}
	return 0;
}

int experiment_check_cache(struct experiment_build *build)
{
	const struct request *request = &build->experiment->request;
	const char *where = request->io_file ? request->io_file : work_file_dir();
	const char *kind = cache_only(where);

	if (request->cache == EXPERIMENT_WARM || request->workers[WORK_IO] == 0 || !kind)
		return 0;
	return REFUSE(build, -EAGAIN,
		      "-s cache=%s: cannot be had: %s is on a %s, whose files are in the page "
		      "cache and nowhere else; %s",
		      request->cache == EXPERIMENT_COLD ? "cold" : "once-cold", where, kind,
		      request->io_file ? "name a file on a disk"
				       : "set TMPDIR to a folder on a disk");
}
