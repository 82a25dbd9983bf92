/* SPDX-License-Identifier: MIT */
#include "experiment/argument.h"
#include "experiment_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/same_file.h"
#include "base/environment.h"
#include "base/procfs.h"
#include "base/units.h"
#include "core/scoreboard.h"
#include "work/work_file.h"
#include "work/fiber.h"
#include "work/workload.h"

bool experiment_places(const struct experiment_build *build)
{
	return build->request->place != TOPOLOGY_ANY || build->request->cores > 0 ||
	       build->kind->workers[WORK_TOKEN] > 0 || experiment_server_cores(build) > 0;
}

/* Number of groups of message workers, if the user gave none. */
#define GROUPS 2

int experiment_own(struct experiment_build *build)
{
	struct request *request = build->request;
	const struct experiment_kind *kind = build->kind;

	if (!request->work && kind->workers[WORK_OWN] > 0) {
		request->work = "";
		request->own = (struct own_about) {
			.name = OWN_EXAMPLE_NAME,
			.unit = OWN_EXAMPLE_UNIT,
			.size = OWN_EXAMPLE_SIZE,
		};
	}
	if (!request->work && request->workers[WORK_OWN] > 0)
		return REFUSE(build,
			      "--workers: own=%" PRId64
			      " needs a function; name one with --own ./FILE.so "
			      "(tuibench-experiments(7) has an example)",
			      request->workers[WORK_OWN]);
	if (!request->work && request->work_size[WORK_OWN] > 0)
		return REFUSE_AS(build, -ENOENT, "-s own.size=%" PRIu64 " needs --own ./FILE.so",
				 request->work_size[WORK_OWN]);
	if (!request->work)
		return 0;
	if (kind->no_own)
		return REFUSE(build, "--own: \"%s\" %s", request->work, kind->no_own);
	if (request->workers[WORK_OWN] == 0)
		return REFUSE(
			build,
			"--own: \"%s\" has no worker that runs it; name some workers (-w own=2)",
			request->work);
	/* --quick halves the default, as for all work. A size of 1 stays. */
	if (request->work_size[WORK_OWN] > 0)
		return 0;
	request->work_size[WORK_OWN] = request->own.size;
	if (request->quick && request->own.size > 1)
		request->work_size[WORK_OWN] /= 2;
	return 0;
}

static int64_t experiment_own_workers(const struct experiment_build *build, enum work_kind kind)
{
	const struct request *request = build->request;
	int64_t sum = 0, most = 0;

	if (!request->work && request->n_programs == 0) {
		if (kind == WORK_MESSAGE && build->kind->workers[kind] > 0)
			return GROUPS * (request->senders + request->receivers);
		return build->kind->workers[kind];
	}
	if (kind != (request->work ? WORK_OWN : WORK_PROGRAM))
		return 0;
	/*
	 * By default, there are as many of these workers as of all other kinds together. If kinds
	 * are run one at a time, there are as many as of the largest kind.
	 */
	for (int i = 0; i < WORK_KINDS; i++) {
		sum += build->kind->workers[i];
		if (build->kind->workers[i] > most)
			most = build->kind->workers[i];
	}
	if (build->kind->by_kind)
		return most;
	return sum;
}

/*
 * The user who may lower the nice value. Root without CAP_SYS_NICE is root of a container or a user
 * namespace.
 */
static const char *who_may(void)
{
	if (geteuid() == 0)
		return "CAP_SYS_NICE outside of a user namespace";
	return "root";
}

int experiment_check_nice(struct experiment_build *build)
{
	const struct request *request = build->request;

	if (!request->niced || request->nice >= environment_nice_least())
		return 0;
	return REFUSE_AS(build, -EAGAIN,
			 "-s nice=%d needs %s or a higher RLIMIT_NICE (ulimit -e); the lowest "
			 "niceness allowed now is %d",
			 request->nice, who_may(), environment_nice_least());
}

char *experiment_quota(uint32_t thousandths, char buf[EXPERIMENT_QUOTA])
{
	snprintf(buf, EXPERIMENT_QUOTA, "%.10g", thousandths / 1000.0);
	return buf;
}

int experiment_check_policy(struct experiment_build *build)
{
	const struct request *request = build->request;
	struct rlimit limit = {0};
	int policy = request->policy - 1;
	bool real_time = policy == SCHED_FIFO || policy == SCHED_RR;
	const char *name = environment_policy_name(policy);
	char text[32];
	cpu_set_t own;

	if (policy < 0)
		return 0;
	if (real_time && request->quota > 0)
		return REFUSE(
			build,
			"-s quota does not limit runs with the policy %s; use other, batch or idle",
			name);
	/*
	 * A real-time task that never sleeps leaves its core to other tasks only if the kernel
	 * limits its time.
	 */
	if (real_time &&
	    !procfs_read_text("", "proc/sys/kernel/sched_rt_runtime_us", text, sizeof(text)) &&
	    text[0] == '-' && !sched_getaffinity(0, sizeof(own), &own) &&
	    (request->cores > 0 ? (int)request->cores : build->cpus) >= CPU_COUNT(&own))
		return REFUSE_AS(build, -EAGAIN,
				 "-s policy=%s could block this program on every core, because "
				 "kernel.sched_rt_runtime_us is -1; set it to 950000 (sysctl), or "
				 "leave a core free with -s pin",
				 name);
	if (environment_may_have(policy))
		return 0;
	if (!real_time)
		return REFUSE_AS(
			build, -EAGAIN,
			"-s policy=%s needs %s or a higher RLIMIT_NICE (ulimit -e), because "
			"this program runs as %s; start it with chrt --%s 0",
			name, who_may(), environment_policy_name(sched_getscheduler(0)), name);
	getrlimit(RLIMIT_RTPRIO, &limit);
	if (limit.rlim_cur > 0 || geteuid() == 0)
		return REFUSE_AS(
			build, -EAGAIN,
			"-s policy=%s is not allowed here: this program lacks "
			"CAP_SYS_NICE, or its cgroup has a cpu.rt_runtime_us of 0; use other, "
			"batch or idle",
			name);
	return REFUSE_AS(
		build, -EAGAIN,
		"-s policy=%s needs root or an RLIMIT_RTPRIO of 1 or more (ulimit -r is 0); "
		"use other, batch or idle",
		name);
}

/* Files that a runner has open besides those counted here. */
#define OTHER_FILES 24

/*
 * Returns the only kind of workers, in an experiment whose workers exchange messages or increment a
 * counter together.
 */
static enum work_kind lone_kind(const struct experiment_kind *kind)
{
	if (kind->counts)
		return WORK_SHARE;
	if (kind->workers[WORK_TOKEN])
		return WORK_TOKEN;
	return WORK_MESSAGE;
}

/*
 * Checks experiments whose workers exchange messages or increment a counter together. These workers
 * must be the only ones, and message workers must come in whole groups.
 */
static int experiment_via(struct experiment_build *build)
{
	struct request *request = build->request;
	const struct experiment_kind *kind = build->kind;
	const int64_t *workers = request->workers;
	const enum work_kind alone = lone_kind(kind);
	int64_t count = request->total > 0 ? request->total : workers[alone], group, ends, most;
	struct rlimit limit;
	char asked[64];
	bool fibers;

	if (kind->counts && request->counting == COUNTING_NONE)
		return experiment_refuse_way(build);
	if (kind->serves)
		return experiment_server_check(build);
	if (!kind->vias || kind->counts)
		return 0;
	fibers = kind->workers[WORK_TOKEN] > 0 && request->via == VIA_UCONTEXT;
	if (fibers && !fiber_supported())
		return REFUSE_AS(build, -ENOTSUP, "-s via=ucontext: " FIBERS_MISSING);
	if (!fibers && (request->via == VIA_NONE || !strstr(kind->vias, via_names[request->via])))
		return experiment_refuse_way(build);
	/*
	 * Use the workers' own clocks for the times on cores, because the kernel would take as long
	 * to record a switch as the switch itself takes.
	 */
	if (request->sched == SCHED_AUTO)
		request->sched = SCHED_OWN;
	if (request->total > 0)
		snprintf(asked, sizeof(asked), "-s workers=%" PRIu32 ":", request->total);
	else
		snprintf(asked, sizeof(asked), "--workers: %s=%" PRId64, plan_work_name(alone),
			 count);
	if (alone == WORK_TOKEN)
		group = 2;
	else
		group = request->senders + request->receivers;
	if (alone == WORK_TOKEN && count % group)
		return REFUSE(build, "%s leaves a worker without a partner; ask for an even number",
			      asked);
	if (count % group)
		return REFUSE(build,
			      "%s leaves an incomplete group: each has %u senders and %u receivers "
			      "(-s group); ask for a multiple of %" PRId64,
			      asked, request->senders, request->receivers, group);
	/*
	 * Each receiver has both ends of a pipe or socket pair. A pair of token workers has two
	 * pipes.
	 */
	if (alone == WORK_TOKEN)
		ends = 4;
	else
		ends = 2 * request->receivers;
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > INT32_MAX)
		return 0;
	most = (int64_t)limit.rlim_cur - OTHER_FILES;
	if (count / group * ends <= most)
		return 0;
	return REFUSE_AS(build, -EAGAIN,
			 "%s needs %" PRId64 " open files; the limit is %" PRIu64
			 " (ulimit -n), so at most %" PRId64 " fit",
			 asked, count / group * ends + OTHER_FILES, (uint64_t)limit.rlim_cur,
			 most / ends * group);
}

int experiment_check_share_file(struct experiment_build *build)
{
	if (build->request->mistakes.share_file && access("/proc/self/fd", F_OK))
		return REFUSE_AS(build, -EAGAIN,
				 "-s share-file: the workers open the file through /proc/self/fd, "
				 "which does not exist; mount /proc");
	return 0;
}

struct mistakes experiment_mistakes(const struct request *request, const struct plan *plan)
{
	struct mistakes mistakes = request->mistakes;

	mistakes.share_file &= plan->leaves[WORK_IO] > 0 || plan->leaves[WORK_WRITE] > 0;
	if (plan->leaves[WORK_MEM] == 0)
		mistakes.mem_order = MEM_RANDOM;
	if (plan->leaves[WORK_MEM] == 0 && plan->leaves[WORK_WRITE] == 0)
		mistakes.rounds = 0;
	return mistakes;
}

/*
 * Warns about settings that are known to mislead or that have no effect. The figures in the texts
 * were measured with two and with three workers of 64 MiB.
 */
size_t experiment_warnings(const struct experiment *experiment,
			   const char *out[EXPERIMENT_WARNINGS])
{
	struct mistakes all = {0};
	bool loose = false;
	size_t n = 0;

	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const struct request *request = &experiment->each[i].request;
		const struct mistakes *mistakes = &experiment->cases[i].mistakes;
		cpu_set_t cpus = request->pin;

		all.share_file |= mistakes->share_file;
		all.mem_order |= mistakes->mem_order;
		all.rounds |= mistakes->rounds;
		if (request->pinned || !sched_getaffinity(0, sizeof(cpus), &cpus))
			loose |= request->quota > 1000 * (uint32_t)CPU_COUNT(&cpus);
	}
	if (loose)
		out[n++] =
			"-s quota allows more CPUs than this program may use, so it limits nothing";
	if (all.share_file)
		out[n++] = "-s share-file=yes is a known mistake: the workers wait for the file's "
			   "lock, and each block reaches the disk once instead of once per worker "
			   "(64 of 192 MiB with three workers), so this says little about separate "
			   "files";
	if (all.mem_order == MEM_SEQUENTIAL)
		out[n++] = "-s mem-order=sequential is a known mistake: the processor prefetches a "
			   "sequential array (a random walk took 15x as long), so this measures "
			   "the prefetcher, not how memory is shared";
	if (all.rounds > 0)
		out[n++] = "-s rounds is a known mistake as a substitute for --trials: the rounds "
			   "of a run share its memory, caches and core, and give no interval";
	return n;
}

#define HUGE_PAGE (UINT64_C(2) << 20)
#define HUGEPAGES "/sys/kernel/mm/transparent_hugepage/enabled"

int experiment_check_pages(struct experiment_build *build)
{
	const uint64_t ballast = build->request->ballast;
	char text[128];

	if (build->request->ballast_pages != BALLAST_HUGE || ballast == 0)
		return 0;
	if (ballast % HUGE_PAGE)
		return REFUSE(build,
			      "-s ballast-pages=huge: huge pages are 2 MiB, and -s ballast=%s is "
			      "not a multiple of 2 MiB (-s ballast=64M)",
			      UNITS_EXACT(ballast));
	if (procfs_read_text("", HUGEPAGES, text, sizeof(text)))
		return REFUSE_AS(build, -EAGAIN,
				 "-s ballast-pages=huge: this kernel has no transparent huge pages "
				 "(%s is missing)",
				 HUGEPAGES);
	if (procfs_has_word(text, ' ', "[never]"))
		return REFUSE_AS(build, -EAGAIN,
				 "-s ballast-pages=huge: %s is set to never; an administrator can "
				 "write madvise to it",
				 HUGEPAGES);
	return 0;
}

static int check_touch(struct experiment_build *build, const struct sample_case *config)
{
	uint64_t kb = config->ballast / 1024, percent = config->work_size[WORK_TOUCH], free_kb, n;
	uint32_t processes = 0;

	if (config->plan.leaves[WORK_SHARE] > 0 && config->counting == 0)
		return REFUSE(build, "--workers: share workers run only in the experiment share");
	if (config->plan.leaves[WORK_TOUCH] == 0)
		return 0;
	if (config->ballast < HUGE_PAGE)
		return REFUSE(build,
			      "-s ballast=%s is too little for touch workers, which write to "
			      "each page of it; give 2M or more (-s ballast=64M)",
			      UNITS_EXACT(config->ballast));
	/* Each process that writes gets its own copy of the pages that it writes to. */
	for (uint32_t i = 0; i < config->plan.levels; i++)
		if (config->plan.task[i] == PLAN_PROCESS)
			plan_level(&config->plan, i, &processes);
	n = MIN(processes, config->plan.leaves[WORK_TOUCH]);
	free_kb = capacity_memory_free("");
	if (n == 0 || kb * percent / 100 <= (free_kb - MIN(kb, free_kb)) / n)
		return 0;
	return REFUSE_AS(build, -EAGAIN,
			 "-s ballast=%s is copied by %" PRIu64 " processes that write to %" PRIu64
			 " %% of it; free memory is %s, so at most -s ballast=%s fits",
			 UNITS_EXACT(config->ballast), n, percent, UNITS_KIB((int64_t)free_kb),
			 UNITS_EXACT(free_kb * 100 / (100 + n * percent) >> 10 << 20));
}

static const char *write_amount(enum capacity_resource resource, uint64_t amount, char text[32])
{
	if (resource == CAPACITY_TASKS || resource == CAPACITY_MAPPINGS)
		snprintf(text, 32, "%" PRIu64, amount);
	else
		units_format_kib(text, 32,
				 (int64_t)(resource == CAPACITY_MEMORY ? amount : amount / 1024));
	return text;
}

static int refuse_limit(struct experiment_build *build, const struct sample_case *config,
			const struct capacity_bound *bound)
{
	static const char *const units[CAPACITY_RESOURCES] = {
		[CAPACITY_TASKS] = "tasks",
		[CAPACITY_MAPPINGS] = "mappings",
		[CAPACITY_ADDRESSES] = "of addresses",
		[CAPACITY_STACK] = "for each stack",
		[CAPACITY_COMMIT] = "of memory for stacks",
		[CAPACITY_MEMORY] = "of memory",
	};
	const struct request *request = build->request;
	const struct capacity_limit *limit = bound->limit;
	const char *stack = experiment_typed(request, "stack");
	const bool tree = build->kind->tree, counted = bound->resource == CAPACITY_TASKS;
	const bool hybrid = strncmp(config->model, "hybrid", strlen("hybrid")) == 0;
	uint32_t workers = 0;
	char text[1024], shape[128], amounts[3][32];
	struct sentence s = sentence_in(text, sizeof(text));

	if (bound->fits.levels)
		workers = (uint32_t)plan_leaves(&bound->fits);
	/* Name the option that asks for this much memory. */
	if (stack && config->stack_size > 0 && !counted && bound->resource != CAPACITY_MAPPINGS)
		sentence_add(&s, "-s %s", stack);
	else if (tree)
		sentence_add(&s, "--tree %s", plan_shape(&config->plan, shape, sizeof(shape)));
	else if (request->total > 0)
		sentence_add(&s, "-s workers=%" PRIu32, request->total);
	else
		for (size_t i = 0; i < WORK_KINDS; i++) {
			enum work_kind kind = plan_work_order[i];

			if (request->workers[kind] > 0)
				sentence_add(&s, "%s%s=%" PRId64, s.used ? "," : "-w ",
					     plan_work_name(kind), request->workers[kind]);
		}
	sentence_add(&s, ": %s need", config->model);
	if (hybrid)
		sentence_add(&s, "s");
	sentence_add(&s, " %s %s", write_amount(bound->resource, bound->need, amounts[0]),
		     counted && bound->need == 1 ? "task" : units[bound->resource]);
	if (tree && !config->plan.all_alive && config->plan.batch == 0)
		sentence_add(&s, " if all are alive");
	sentence_add(&s, " at once; %s is %s, of which ", limit->name,
		     write_amount(bound->resource, limit->value, amounts[1]));
	if (limit->available > 0)
		sentence_add(&s, "%s %s left, so ",
			     write_amount(bound->resource, limit->available, amounts[2]),
			     limit->available == 1 ? "is" : "are");
	else
		sentence_add(&s, "nothing is left, so ");
	if (workers == 0 && tree)
		sentence_add(&s, "no tree with that many levels fits");
	else if (workers == 0)
		sentence_add(&s, "not even one worker fits");
	else if (tree)
		sentence_add(&s, "at most %s fits", plan_shape(&bound->fits, shape, sizeof(shape)));
	else if (workers == 1)
		sentence_add(&s, "at most 1 worker fits");
	else
		sentence_add(&s, "at most %u workers fit", workers);
	/* Suggest a change with which the whole plan fits, if there is one. */
	if (bound->stack > 0)
		sentence_add(&s, ", or all of it with -s stack=%s", UNITS_EXACT(bound->stack));
	else if (tree && bound->batch > 0)
		sentence_add(&s, ", or all of it with -s batch=%u", bound->batch);
	return REFUSE_AS(build, -EAGAIN, "%s", text);
}

/*
 * A default session with a screen has 36 open files, so this number leaves some room. If there are
 * more workers than the limit allows, the memory of only some of them is read, and a message says
 * so.
 */
#define LEAST_FILES 64

static int experiment_check_limits(struct experiment_build *build)
{
	const struct experiment *experiment = build->experiment;
	struct capacity_bound bound;
	struct capacity capacity;
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < LEAST_FILES)
		return REFUSE_AS(build, -EAGAIN,
				 "the open file limit (RLIMIT_NOFILE) is %" PRIu64
				 ", but a session needs %d; raise it with ulimit -n %d",
				 (uint64_t)limit.rlim_cur, LEAST_FILES, LEAST_FILES);
	capacity_read("", &capacity);
	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const struct sample_case *config = &experiment->cases[i];
		uint32_t tasks = plan_count(&config->plan);
		size_t need = scoreboard_size(tasks, slices_entries(tasks));

		if (capacity_check(&capacity, &config->plan, config->stack_size, &bound))
			return refuse_limit(build, config, &bound);
		/*
		 * The runner and the front end share a file in memory, and the limit also applies
		 * to that file.
		 */
		if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur >= need)
			continue;
		return REFUSE_AS(build, -EAGAIN,
				 "the file size limit (RLIMIT_FSIZE) is %s, but %s need %s of "
				 "memory in one shared file; raise it with ulimit -f %zu",
				 UNITS_KIB((int64_t)(limit.rlim_cur / 1024)), config->model,
				 UNITS_KIB((int64_t)(need / 1024 + 1)), need / 1024 + 1);
	}
	return 0;
}

/* Returns why a file cannot be opened. denied: the words for EACCES. */
static const char *no_file_why(int error, const char *denied)
{
	switch (error) {
	case ENOENT:
		return "no such file";
	case EISDIR:
		return "is a directory";
	case EACCES:
		return denied;
	default:
		return strerror(error);
	}
}

/* Checks the file of the io workers. An io worker without a size copies the whole file. */
static int experiment_check_io_file(struct experiment_build *build)
{
	struct request *request = build->request;
	const char *reason = NULL;
	struct stat st;
	uint64_t bytes;
	int fd;

	if (!request->io_file)
		return 0;
	/*
	 * Only opening the file shows whether it can be read. O_NONBLOCK avoids waiting for the
	 * writer of a pipe.
	 */
	fd = open(request->io_file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &st))
		reason = no_file_why(errno, "cannot be read (permission denied)");
	else if (!S_ISREG(st.st_mode)) {
		if (S_ISDIR(st.st_mode))
			reason = "is a directory";
		else
			reason = "is not a regular file";
	}
	if (fd >= 0)
		close(fd);
	if (reason)
		return REFUSE(build, "-s io-file=%s: %s; name a file that the io workers can copy",
			      request->io_file, reason);
	bytes = (uint64_t)st.st_size;
	if (bytes == 0)
		return REFUSE(build, "-s io-file=%s is empty; name a file with something to copy",
			      request->io_file);
	if (request->work_size[WORK_IO] > bytes)
		return REFUSE(build,
			      "-s io.size=%" PRIu64 " is more than the %" PRIu64
			      " bytes of -s io-file=%s",
			      request->work_size[WORK_IO], bytes, request->io_file);
	if (request->work_size[WORK_IO] == 0)
		request->work_size[WORK_IO] = bytes;
	build->io_bytes = bytes;
	return 0;
}

/* Returns why a file cannot be opened for reading or writing; NULL: it can. */
static const char *why_no_file(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	const char *reason = NULL;
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		reason = no_file_why(errno, "cannot be used (permission denied)");
	else if (S_ISDIR(st.st_mode))
		reason = "is a directory";
	else if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode))
		reason = "is not a file";
	if (fd >= 0)
		close(fd);
	return reason;
}

/*
 * Returns whether the text has a name in braces. If it has, only a run knows which file the text
 * means.
 */
static bool has_argument(const char *text)
{
	char name[VARIABLE_NAME];

	return argument_next(&text, name);
}

int experiment_check_input(struct experiment_build *build)
{
	const char *input = build->request->input, *reason;

	if (!input || strcmp(input, EXPERIMENT_NULL) == 0 || has_argument(input))
		return 0;
	/*
	 * Accept a missing file if there is a setup or prepare command, because the command may
	 * make it.
	 */
	if (access(input, F_OK) && (build->request->setup || build->request->prepare))
		return 0;
	reason = why_no_file(input, O_RDONLY);
	if (reason)
		return REFUSE(build, "-s input=%s: %s; name a file that programs can read", input,
			      reason);
	return 0;
}

int experiment_check_metric(struct experiment_build *build)
{
	const struct request *request = build->request;
	const char *metric = request->metric;

	if (!metric)
		return 0;
	if (!*metric || strlen(metric) >= SAMPLE_METRIC || strpbrk(metric, " \t"))
		return REFUSE(build, "-s metric=%s: use a name without blanks, of at most %d bytes",
			      metric, SAMPLE_METRIC - 1);
	if (request->output && strcmp(request->output, EXPERIMENT_NULL) == 0)
		return REFUSE(build,
			      "-s metric=%s reads the output of programs, but -s output=null drops "
			      "it; leave -s output out, or use pipe or a file",
			      metric);
	for (uint32_t i = 0; i < build->experiment->n_cases; i++)
		if (build->experiment->cases[i].plan.leaves[WORK_PROGRAM] > 1)
			return REFUSE(build,
				      "-s metric=%s reads the output of one program, but %u run at "
				      "once; leave -w out",
				      metric,
				      build->experiment->cases[i].plan.leaves[WORK_PROGRAM]);
	return 0;
}

int experiment_check_output(struct experiment_build *build)
{
	const char *output = build->request->output, *input = build->request->input;
	const char *slash, *reason = NULL;
	char folder[PATH_MAX];

	if (!output || strcmp(output, EXPERIMENT_NULL) == 0 || strcmp(output, EXPERIMENT_PIPE) == 0)
		return 0;
	if (has_argument(output))
		return 0;
	if (input && same_file(input, output))
		return REFUSE(
			build,
			"-s output=%s names the same file as -s input, so each run would empty "
			"it; name another file",
			output);
	slash = strrchr(output, '/');
	if (slash)
		snprintf(folder, sizeof(folder), "%.*s", (int)(slash - output + 1), output);
	else
		snprintf(folder, sizeof(folder), ".");
	/* If the file does not exist, the first run makes it. */
	if (access(output, F_OK) == 0)
		reason = why_no_file(output, O_WRONLY);
	else if (access(folder, W_OK | X_OK))
		reason = strerror(errno);
	if (reason)
		return REFUSE(build,
			      "-s output=%s: %s; name a file that can be written, pipe or null",
			      output, reason);
	return 0;
}

static int experiment_check_pin(struct experiment_build *build)
{
	struct request *request = build->request;
	char missing_text[128], allowed_text[128];
	cpu_set_t allowed, both, missing;
	int cpu = 0, n;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return 0;
	if (request->pinned)
		build->allowed = request->pin;
	else
		build->allowed = allowed;
	build->cpus = CPU_COUNT(&build->allowed);
	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &build->allowed))
		cpu++;
	build->experiment->one_cpu = cpu;
	if (build->kind->one_core && !request->pinned && !experiment_places(build)) {
		CPU_ZERO(&request->pin);
		CPU_SET(cpu, &request->pin);
		request->pinned = true;
	}
	CPU_AND(&both, &request->pin, &allowed);
	if (!request->pinned || (CPU_EQUAL(&both, &request->pin) && CPU_COUNT(&both) > 0))
		return 0;
	/* Find the CPUs that this program may not use. An offline CPU is in no program's mask. */
	CPU_XOR(&missing, &request->pin, &both);
	n = CPU_COUNT(&missing);
	return REFUSE(build,
		      "-s pin: CPU%s %s %s not among the CPUs that this program may use (%s)",
		      sentence_plural(n),
		      units_format_cpulist(missing_text, sizeof(missing_text), &missing),
		      n == 1 ? "is" : "are",
		      units_format_cpulist(allowed_text, sizeof(allowed_text), &allowed));
}

/*
 * Checks -s alloc. The kernel refuses an allocation larger than the machine's memory, even if that
 * memory is never used.
 */
int experiment_check_alloc(struct experiment_build *build)
{
	const struct request *request = build->request;
	uint64_t free_kb = capacity_memory_free("");

	if (request->alloc / 1024 <= free_kb)
		return 0;
	return REFUSE_AS(build, -EAGAIN, "-s %s: does not fit into free memory; at most %s fits",
			 experiment_typed(request, "alloc"), UNITS_KIB((int64_t)free_kb));
}

/*
 * Returns the name of a file system whose files are only in the page cache; NULL if the path is in
 * another one.
 */
static const char *cache_only(const char *path)
{
	struct statfs fs;
	uint32_t type;

	if (statfs(path, &fs))
		return NULL;
	/* f_type has 32 significant bits, and is signed on some machines. */
	type = (uint32_t)fs.f_type;
	if (type == TMPFS_MAGIC)
		return "tmpfs";
	if (type == RAMFS_MAGIC)
		return "ramfs";
	return NULL;
}

/*
 * Checks that there is memory for the workers of each kind, in addition to the workers of earlier
 * kinds.
 */
static int check_memory(struct experiment_build *build, const struct sample_case *config)
{
	uint64_t free_kb = UINT64_MAX;

	for (size_t i = 0; i < WORK_KINDS; i++) {
		enum work_kind kind = plan_work_order[i];
		const struct workload_ops *ops = workload_get(kind);
		uint64_t workers = config->plan.leaves[kind], step = ops->least_size, fits;
		uint64_t kb = config->work_size[kind] * ops->memory / 1024;

		if (ops->memory == 0 || workers == 0)
			continue;
		if (free_kb == UINT64_MAX)
			free_kb = capacity_memory_free("");
		if (kb <= free_kb / workers) {
			free_kb -= kb * workers;
			continue;
		}
		if (!step)
			step = 1;
		fits = free_kb * 1024 / workers / ops->memory / step * step;
		return REFUSE_AS(build, -EAGAIN,
				 "-s %s.size=%" PRIu64
				 " is too much for the free memory (%s) with %" PRIu64
				 " workers; at most "
				 "%s.size=%" PRIu64 " (%s) fits",
				 plan_work_name(kind), config->work_size[kind],
				 UNITS_KIB((int64_t)free_kb), workers, plan_work_name(kind), fits,
				 UNITS_KIB((int64_t)(fits * ops->memory / 1024)));
	}
	return 0;
}

/*
 * Returns the free space for files in the workers' directory. If its files are only in the page
 * cache, the space is free memory.
 */
static int room_for_files(struct experiment_build *build, const struct sample_case *config,
			  uint64_t *bytes)
{
	uint64_t free_kb, used_kb = config->ballast / 1024;
	int err = capacity_disk_free(work_file_dir(), bytes);

	if (err)
		return REFUSE(build, "TMPDIR: \"%s\": %s; the workers need a directory to write in",
			      work_file_dir(), strerror(-err));
	if (!cache_only(work_file_dir()))
		return 0;
	/* An earlier check found this memory free, so count it as used now. */
	for (int kind = 0; kind < WORK_KINDS; kind++)
		used_kb += config->work_size[kind] * workload_get((enum work_kind)kind)->memory /
			   1024 * config->plan.leaves[kind];
	free_kb = capacity_memory_free("");
	if (free_kb > used_kb)
		free_kb = free_kb - used_kb;
	else
		free_kb = 0;
	if (!(*bytes / 1024 < free_kb))
		*bytes = free_kb * 1024;
	return 0;
}

static int check_files(struct experiment_build *build, const struct sample_case *config)
{
	const struct request *request = build->request;
	uint64_t bytes = UINT64_MAX;
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit))
		limit.rlim_cur = RLIM_INFINITY; /* the largest number that the type can hold */
	for (size_t i = 0; i < WORK_KINDS; i++) {
		enum work_kind kind = plan_work_order[i];
		const struct workload_ops *ops = workload_get(kind);
		const char *name = plan_work_name(kind);
		uint64_t size = config->work_size[kind], files = config->plan.leaves[kind], unit,
			 fits;

		if (config->mistakes.share_file && files > 1 && !ops->says)
			files = 1;
		/* All copies exist at the same time, and so does their source. */
		files += ops->copies && files > 0 && !request->io_file;
		unit = files * ops->written;
		if (unit == 0 || (ops->says && request->sink != SINK_FILE))
			continue;
		if (bytes == UINT64_MAX && room_for_files(build, config, &bytes))
			return -EINVAL;
		/*
		 * Divide instead of multiplying, because 10^18 lines have more bytes than 64 bits
		 * can count.
		 */
		fits = bytes / unit;
		if (size > fits)
			return REFUSE_AS(
				build, -ENOSPC,
				"-s %s.size=%" PRIu64 " needs %" PRIu64
				" files of that size in TMPDIR (%s%s), where %s are free; at "
				"most %s.size=%" PRIu64 " (%s) fits",
				name, size, files, work_file_dir(),
				cache_only(work_file_dir()) ? ", in memory" : "",
				UNITS_KIB((int64_t)(bytes / 1024)), name, fits,
				UNITS_KIB((int64_t)(fits * ops->written / 1024)));
		bytes -= size * unit;
		/* A copy is as large as its source. Workers that print share one file. */
		fits = limit.rlim_cur / (ops->says ? unit : ops->written);
		if (size > fits)
			return REFUSE_AS(build, -ENOSPC,
					 "-s %s.size=%" PRIu64 " makes a file larger than "
					 "RLIMIT_FSIZE (ulimit -f) allows; at most %s.size=%" PRIu64
					 " fits",
					 name, size, name, fits);
	}
	return 0;
}

static int check_ballast(struct experiment_build *build, const struct sample_case *config)
{
	struct capacity_ballast bound;

	if (config->ballast == 0 ||
	    !capacity_check_ballast("", &config->plan, config->ballast, &bound))
		return 0;
	return REFUSE_AS(
		build, -EAGAIN,
		"-s ballast=%s: %s needs %s, but only %s of %s (%s) are left, so at most %s fits",
		UNITS_EXACT(config->ballast), config->model,
		UNITS_KIB((int64_t)(bound.need / 1024)),
		UNITS_KIB((int64_t)(bound.limit.available / 1024)), bound.limit.name,
		UNITS_KIB((int64_t)(bound.limit.value / 1024)),
		UNITS_EXACT(bound.fits >> 20 << 20));
}

int experiment_check_cache(struct experiment_build *build)
{
	const struct request *request = build->request;
	const char *where = sentence_text(request->io_file, work_file_dir());
	const char *kind = cache_only(where), *advice = "set TMPDIR to a directory on a disk";

	if (request->cache == SAMPLE_CACHE_WARM || !kind)
		return 0;
	if (request->io_file)
		advice = "name a file on a disk";
	return REFUSE_AS(build, -EAGAIN,
			 "-s cache=%s: %s is on a %s, whose files exist only in the page cache; %s",
			 request->cache == SAMPLE_CACHE_COLD ? "cold" : "once-cold", where, kind,
			 advice);
}

#define KIND_BIT(kind) (1u << WORK_##kind)

/* Refuses workers that the experiment cannot have. */
static int check_kinds(struct experiment_build *build)
{
	const struct request *request = build->request;
	const struct experiment_kind *kind = build->kind;
	const struct {
		bool holds;
		uint32_t kinds; /* the kinds that are refused, a bit each, see KIND_BIT() */
		const char *reason;
	} rules[] = {
		{kind->hands_out, ~(KIND_BIT(CPU) | KIND_BIT(FP)), kind->no_own},
		{kind->tree, UINT32_MAX,
		 "does not fit a tree; give its leaves work by its size (-s cpu.size=1000)"},
		{kind->creates, ~KIND_BIT(NULL),
		 "does not fit creation, whose tasks do nothing; use -w null=50 to create 50"},
		{kind->workers[WORK_TOKEN] == 0, KIND_BIT(TOKEN),
		 "is for the experiment switch; leave it out"},
		{kind->workers[WORK_MESSAGE] == 0, KIND_BIT(MESSAGE),
		 "is for the experiment messages; leave it out"},
		{!kind->serves, KIND_BIT(SERVE) | KIND_BIT(EVENTS),
		 "is for the experiment server; leave it out"},
		{kind->serves, ~KIND_BIT(SERVE),
		 "does not fit a server; -w serve=8 sets the size of its pools"},
		{kind->workers[WORK_TOKEN] > 0, ~KIND_BIT(TOKEN),
		 "would disturb the token workers of switch; leave it out"},
		{kind->workers[WORK_MESSAGE] > 0, ~KIND_BIT(MESSAGE),
		 "would disturb the message workers of messages; leave it out"},
		{kind->counts, ~KIND_BIT(SHARE),
		 "would disturb the share workers of share; leave it out"},
	};

	for (size_t i = 0; i < LENGTH(rules); i++) {
		if (!rules[i].holds)
			continue;
		for (int of = 0; of < WORK_KINDS; of++)
			if (rules[i].kinds >> of & 1 && request->workers[of] > 0)
				return REFUSE(build, "--workers: %s=%" PRId64 " %s",
					      plan_work_name((enum work_kind)of),
					      request->workers[of], rules[i].reason);
	}
	return 0;
}

static int count_tree(struct experiment_build *build)
{
	struct request *request = build->request;
	uint32_t kinds_of_work = 0;

	for (int i = 0; i < WORK_KINDS; i++) {
		request->workers[i] = 0;
		kinds_of_work += request->work_size[i] > 0;
	}
	if (kinds_of_work > 1)
		return REFUSE(build,
			      "-s KIND.size: the leaves of a tree all do the same work; give one "
			      "kind");
	if (request->batch > 0 && request->all_alive)
		return REFUSE(build,
			      "-s all-alive: tasks that stay until the tree is complete cannot "
			      "be joined in batches; leave out -s batch");
	return 0;
}

static int count_workers(struct experiment_build *build)
{
	struct request *request = build->request;
	int64_t *workers = request->workers;
	uint64_t total = 0, kinds = 0;
	bool asked = false;

	if (build->kind->tree)
		return count_tree(build);
	build->asked_null = build->kind->creates && workers[WORK_NULL] >= 0;
	if (build->asked_null && workers[WORK_NULL] < 2)
		return REFUSE(build,
			      "--workers: null=%" PRId64
			      " leaves nothing to measure, because the first task of a run is "
			      "reported separately; give 2 or more",
			      workers[WORK_NULL]);
	/* If -w is given, only the kinds that it names have workers. */
	for (int i = 0; i < WORK_KINDS; i++) {
		asked |= workers[i] >= 0;
		kinds += workers[i] > 0;
	}
	if (build->kind->hands_out && kinds > 1)
		return REFUSE(build,
			      "--workers: the tasks of pool are all of one kind; give only one");
	for (int i = 0; i < WORK_KINDS; i++) {
		if (workers[i] < 0) {
			if (asked)
				workers[i] = 0;
			else
				workers[i] = experiment_own_workers(build, (enum work_kind)i);
		}
		/* By default, there is one task at a time for each core. */
		if (build->kind->hands_out && !asked && workers[i] > 0)
			workers[i] = build->cpus;
		total += (uint64_t)workers[i];
	}
	if (total == 0)
		return REFUSE(build,
			      "--workers: nothing is left to run; ask for a worker (-w cpu=2)");
	if (build->kind->fault && (workers[WORK_HELLO] > 0 || workers[WORK_NULL] > 0))
		return REFUSE(build,
			      "--workers: hello and null workers end too soon to crash halfway "
			      "through their work; ask for workers of another kind (-w cpu=2)");
	if (total > PLAN_MAX_TASKS)
		return REFUSE(build,
			      "--workers: %s=%" PRId64 " makes %" PRIu64
			      " workers in all; at most %u can be planned",
			      plan_work_name(experiment_largest_kind(request)),
			      workers[experiment_largest_kind(request)], total, PLAN_MAX_TASKS);
	return 0;
}

int experiment_check_workers(struct experiment_build *build)
{
	static int (*const checks[])(struct experiment_build * build) = {
		experiment_check_pin,
		check_kinds,
		count_workers,
		/*
		 * Check again, because only now are the numbers of workers for --own and -c known.
		 */
		check_kinds,
		experiment_via,
		experiment_check_io_file,
	};

	for (size_t i = 0; i < LENGTH(checks); i++) {
		int err = checks[i](build);

		if (err)
			return err;
	}
	return 0;
}

static int check_each(struct experiment_build *build,
		      int (*check)(struct experiment_build *build,
				   const struct sample_case *config))
{
	const struct experiment *experiment = build->experiment;

	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		int err = check(build, &experiment->cases[i]);

		if (err)
			return err;
	}
	return 0;
}

int experiment_check_cases(struct experiment_build *build)
{
	int err = check_each(build, check_touch);

	if (err || build->fits)
		return err;
	err = experiment_check_limits(build);
	if (!err)
		err = check_each(build, check_memory);
	if (!err)
		err = check_each(build, check_ballast);
	if (!err)
		err = check_each(build, check_files);
	return err;
}
