/* SPDX-License-Identifier: MIT */
#include "experiment.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capacity.h"
#include "refuse.h"
#include "units.h"
#include "workload.h"

struct kind {
	const char *name, *about;
	const char *models;
	uint32_t workers[WORK_KINDS];
};

static const struct kind kinds[] = {
	{
		.name = "mixed",
		.about = "6 cpu + 2 io workers, released at once, as threads and as processes",
		.models = "threads,processes",
		.workers = {[WORK_CPU] = 6, [WORK_IO] = 2},
	},
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* In the order in which a title names them. */
static const enum work_kind title_order[] = {WORK_CPU, WORK_IO,	   WORK_MEM,
					     WORK_FP,  WORK_HELLO, WORK_NULL};

/* What the steps of experiment_build() share. */
struct build {
	struct experiment *experiment;
	const struct kind *kind;
	uint32_t workers;
	char *error;
	size_t size;
};

const char *experiment_name(size_t i, const char **about)
{
	if (i >= KINDS)
		return NULL;
	*about = kinds[i].about;
	return kinds[i].name;
}

void request_init(struct request *request)
{
	*request = (struct request) {
		.experiment = kinds[0].name,
		.trials = 6,
		.order = ORDER_ALTERNATE,
		.interval_ms = 100,
	};
	for (int i = 0; i < WORK_KINDS; i++)
		request->workers[i] = -1;
	CPU_ZERO(&request->pin);
}

static int find_kind(struct build *build)
{
	const char *name = build->experiment->request.experiment;

	for (size_t i = 0; i < KINDS; i++) {
		if (strcmp(name, kinds[i].name) == 0) {
			build->kind = &kinds[i];
			return 0;
		}
	}
	return refuse(build->error, build->size, -EINVAL,
		      "--experiment: \"%s\" is not an experiment; --list-experiments names them",
		      name);
}

/* The option that asks for most workers: the one to name when they are too many. */
static enum work_kind largest_kind(const struct request *request)
{
	int largest = 0;

	for (int i = 1; i < WORK_KINDS; i++) {
		if (request->workers[i] > request->workers[largest])
			largest = i;
	}
	return (enum work_kind)largest;
}

static int count_workers(struct build *build)
{
	struct request *request = &build->experiment->request;
	uint64_t total = 0;

	for (int i = 0; i < WORK_KINDS; i++) {
		if (request->workers[i] < 0)
			request->workers[i] = build->kind->workers[i];
		total += (uint64_t)request->workers[i];
	}
	if (total == 0)
		return refuse(build->error, build->size, -EINVAL,
			      "--cpu 0 --io 0: nothing is left to run; ask for at least one worker "
			      "with --cpu, --io or --null");
	if (total > PLAN_MAX_TASKS)
		return refuse(build->error, build->size, -EINVAL,
			      "--%s: \"%" PRId64 "\" makes %" PRIu64 " workers in all; at most %u "
			      "can be planned",
			      plan_work_name(largest_kind(request)),
			      request->workers[largest_kind(request)], total, PLAN_MAX_TASKS);
	build->workers = (uint32_t)total;
	return 0;
}

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

/* Without a size of its own an io worker copies the whole file it was given. */
static int check_io_file(struct build *build)
{
	struct request *request = &build->experiment->request;
	uint64_t bytes = 0;
	int err;

	if (!request->io_file)
		return 0;
	err = io_file_size(request->io_file, &bytes);
	if (err)
		return refuse(build->error, build->size, -EINVAL,
			      "--io-file: \"%s\" %s; name a file that the io workers can copy",
			      request->io_file, io_file_reason(err));
	if (bytes == 0)
		return refuse(build->error, build->size, -EINVAL,
			      "--io-file: \"%s\" is empty; name a file with something to copy",
			      request->io_file);
	if (request->work_size[WORK_IO] > bytes)
		return refuse(build->error, build->size, -EINVAL,
			      "--work-size: \"io=%" PRIu64 "\" is more than the %" PRIu64
			      " bytes of --io-file %s",
			      request->work_size[WORK_IO], bytes, request->io_file);
	if (request->work_size[WORK_IO] == 0)
		request->work_size[WORK_IO] = bytes;
	return 0;
}

static void default_sizes(struct request *request)
{
	for (int i = 0; i < WORK_KINDS; i++) {
		const struct workload_ops *ops = workload_get((enum work_kind)i);

		if (request->work_size[i] == 0 && ops)
			request->work_size[i] = ops->default_size;
	}
}

static int check_pin(struct build *build)
{
	const struct request *request = &build->experiment->request;
	char asked[128], allowed_text[128];
	cpu_set_t allowed, both;

	if (!request->pinned || sched_getaffinity(0, sizeof(allowed), &allowed))
		return 0;
	CPU_AND(&both, &request->pin, &allowed);
	if (CPU_EQUAL(&both, &request->pin) && CPU_COUNT(&both) > 0)
		return 0;
	return refuse(build->error, build->size, -EINVAL,
		      "--pin: \"%s\" is not within the CPUs that this program may use (%s)",
		      units_format_cpulist(asked, sizeof(asked), &request->pin),
		      units_format_cpulist(allowed_text, sizeof(allowed_text), &allowed));
}

/* The divisor pair nearest to a square, fewer processes than threads: 8 workers are 2x4. */
static void hybrid_default(uint32_t workers, uint32_t *processes, uint32_t *threads)
{
	*processes = 1;
	for (uint32_t i = 2; i <= workers / i; i++) {
		if (workers % i == 0)
			*processes = i;
	}
	*threads = workers / *processes;
}

/* "PxT" */
static int hybrid_parse(const char *text, uint32_t *processes, uint32_t *threads)
{
	char first[16];
	uint64_t p, t;
	const char *x = strchr(text, 'x');

	if (!x || (size_t)(x - text) >= sizeof(first))
		return -EINVAL;
	memcpy(first, text, (size_t)(x - text));
	first[x - text] = '\0';
	if (units_parse_count(first, PLAN_MAX_TASKS, &p) ||
	    units_parse_count(x + 1, PLAN_MAX_TASKS, &t) || p == 0 || t == 0)
		return -EINVAL;
	*processes = (uint32_t)p;
	*threads = (uint32_t)t;
	return 0;
}

static int plan_hybrid(const struct build *build, const char *shape, struct plan *plan)
{
	uint32_t p, t, best_p, best_t;

	hybrid_default(build->workers, &best_p, &best_t);
	p = best_p;
	t = best_t;
	if (*shape && hybrid_parse(shape + 1, &p, &t))
		return refuse(build->error, build->size, -EINVAL,
			      "--models: \"hybrid%s\" is not hybrid:PxT, processes x threads "
			      "(hybrid:%ux%u)",
			      shape, best_p, best_t);
	if ((uint64_t)p * t != build->workers)
		return refuse(build->error, build->size, -EINVAL,
			      "--models: \"hybrid%s\" makes %" PRIu64 " workers where %u are asked "
			      "for (hybrid:%ux%u would fit)",
			      shape, (uint64_t)p * t, build->workers, best_p, best_t);
	plan->levels = 2;
	plan->fanout[0] = p;
	plan->fanout[1] = t;
	plan->task[0] = PLAN_PROCESS;
	plan->task[1] = PLAN_THREAD;
	return 0;
}

static void plan_flat(const struct build *build, enum plan_task task, struct plan *plan)
{
	plan->levels = 1;
	plan->fanout[0] = build->workers;
	plan->task[0] = (uint8_t)task;
}

/* A set of workers is a tree of one level, or two where it is hybrid, behind a gate. */
static int plan_model(const struct build *build, const char *model, struct plan *plan)
{
	const struct request *request = &build->experiment->request;
	int err = 0;

	*plan = (struct plan) {.gated = true, .batch = (uint32_t)request->batch};
	for (int i = 0; i < WORK_KINDS; i++)
		plan->leaves[i] = (uint32_t)request->workers[i];
	if (strcmp(model, "threads") == 0)
		plan_flat(build, PLAN_THREAD, plan);
	else if (strcmp(model, "processes") == 0)
		plan_flat(build, PLAN_PROCESS, plan);
	else if (strncmp(model, "hybrid", 6) == 0 && (model[6] == ':' || model[6] == '\0'))
		err = plan_hybrid(build, model + 6, plan);
	else
		err = refuse(build->error, build->size, -EINVAL,
			     "--models: \"%s\" is not a model (threads, processes, hybrid[:PxT])",
			     model);
	if (!err && plan_count(plan) == 0)
		err = refuse(build->error, build->size, -EINVAL,
			     "--models: \"%s\" of %u workers needs more than the %u tasks that can "
			     "be planned",
			     model, build->workers, PLAN_MAX_TASKS);
	return err;
}

/* The model as it is labelled: a hybrid with its shape. */
static void label_model(const struct plan *plan, char *label, size_t size)
{
	if (plan->levels == 2)
		snprintf(label, size, "hybrid:%ux%u", plan->fanout[0], plan->fanout[1]);
	else
		snprintf(label, size, "%s", plan->task[0] == PLAN_THREAD ? "threads" : "processes");
}

/* One that was named before is an A/A check: "threads#2". */
static void number_model(const struct experiment *experiment, char *label, size_t size)
{
	size_t len = strlen(label);
	uint32_t same = 1;

	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const char *other = experiment->cases[i].model;

		if (strncmp(other, label, len) == 0 && (other[len] == '\0' || other[len] == '#'))
			same++;
	}
	if (same > 1)
		snprintf(label + len, size - len, "#%u", same);
}

static int add_model(struct build *build, const char *model)
{
	struct experiment *experiment = build->experiment;
	struct sample_case *new = &experiment->cases[experiment->n_cases];
	int err;

	if (experiment->n_cases == EXPERIMENT_MAX_CASES)
		return refuse(build->error, build->size, -EINVAL,
			      "--models: \"%s\" is one too many (at most %d models)", model,
			      EXPERIMENT_MAX_CASES);
	*new = (struct sample_case) {.variables = ""};
	err = plan_model(build, model, &new->plan);
	if (err)
		return err;
	label_model(&new->plan, new->model, sizeof(new->model));
	number_model(experiment, new->model, sizeof(new->model));
	experiment->n_cases++;
	return 0;
}

static int add_models(struct build *build)
{
	const char *list = build->experiment->request.models;
	char *copy = strdup(list ? list : build->kind->models);
	char *rest = copy;
	int err = copy ? 0 : -ENOMEM;

	while (!err && rest)
		err = add_model(build, strsep(&rest, ","));
	free(copy);
	return err;
}

/* Every case has to fit by itself: they run one after the other. */
static int check_limits(struct build *build)
{
	const struct experiment *experiment = build->experiment;
	const struct request *request = &experiment->request;
	enum work_kind kind = largest_kind(request);
	struct capacity_bound bound;

	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const struct sample_case *one = &experiment->cases[i];

		if (capacity_check("", &one->plan, request->stack_size, &bound) == 0)
			continue;
		return refuse(build->error, build->size, -EAGAIN,
			      "--%s %" PRId64 ": %s need %" PRIu64 " %s at once; %s is %" PRIu64
			      ", of which %" PRIu64 " are left: at most %" PRIu64 " workers fit",
			      plan_work_name(kind), request->workers[kind], one->model, bound.need,
			      bound.unit, bound.name, bound.value, bound.available, bound.fits);
	}
	return 0;
}

/* The allocation is not touched, but the kernel refuses one that is larger than its memory. */
static int check_alloc(struct build *build)
{
	const struct request *request = &build->experiment->request;
	uint64_t free_kb = capacity_memory_free("");
	char largest[32];

	if (request->workers[WORK_CPU] == 0 || request->alloc / 1024 <= free_kb)
		return 0;
	return refuse(build->error, build->size, -EAGAIN,
		      "--alloc: \"%" PRIu64 "\" does not fit the memory that is free; at most %s",
		      request->alloc, units_format_kib(largest, sizeof(largest), (int64_t)free_kb));
}

static const char *tmp_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

/* All copies exist at the same time, and beside them the file that is copied if one is made. */
static int check_disk(struct build *build)
{
	const struct request *request = &build->experiment->request;
	uint64_t files = (uint64_t)request->workers[WORK_IO];
	uint64_t bytes, size = request->work_size[WORK_IO];
	char free_text[32], fits[32];
	int err;

	if (files == 0)
		return 0;
	if (!request->io_file)
		files++;
	err = capacity_disk_free(tmp_dir(), &bytes);
	if (err)
		return refuse(build->error, build->size, -EINVAL,
			      "TMPDIR: \"%s\": %s; the io workers need a folder to write in",
			      tmp_dir(), strerror(-err));
	if (size <= bytes / files)
		return 0;
	return refuse(build->error, build->size, -ENOSPC,
		      "--work-size: \"io=%" PRIu64 "\" needs %" PRIu64
		      " files of that size in TMPDIR (%s), where %s are free: at most io=%" PRIu64
		      " (%s) fits",
		      size, files, tmp_dir(),
		      units_format_kib(free_text, sizeof(free_text), (int64_t)(bytes / 1024)),
		      bytes / files,
		      units_format_kib(fits, sizeof(fits), (int64_t)(bytes / files / 1024)));
}

/* "6 cpu + 2 io" */
static void write_title(struct experiment *experiment)
{
	const struct request *request = &experiment->request;
	size_t room = sizeof(experiment->title), len = 0;

	for (size_t i = 0; i < sizeof(title_order) / sizeof(title_order[0]) && len < room; i++) {
		enum work_kind kind = title_order[i];

		if (request->workers[kind] > 0)
			len += (size_t)snprintf(experiment->title + len, room - len,
						"%s%" PRId64 " %s", len ? " + " : "",
						request->workers[kind], plan_work_name(kind));
	}
	if (request->alloc && request->workers[WORK_CPU] > 0 && len < room)
		snprintf(experiment->title + len, room - len, ", alloc %" PRIu64, request->alloc);
}

int experiment_build(const struct request *request, struct experiment *experiment, char *error,
		     size_t size)
{
	static int (*const steps[])(struct build *) = {
		find_kind,  count_workers, check_io_file, check_pin,
		add_models, check_limits,  check_alloc,
	};
	struct build build = {.experiment = experiment, .error = error, .size = size};
	int err;

	*experiment = (struct experiment) {.request = *request};
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		err = steps[i](&build);
		if (err)
			return err;
	}
	default_sizes(&experiment->request);
	write_title(experiment);
	return check_disk(&build);
}

uint32_t experiment_runs(const struct experiment *experiment)
{
	const struct request *request = &experiment->request;

	return (request->warmup + request->trials) * experiment->n_cases;
}

/* SplitMix64 (Steele, Lea & Flood 2014): the same order from the same seed on every machine. */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* Fisher-Yates over the cases; each round has a sequence of its own. */
static uint32_t random_case(uint64_t seed, uint32_t round, uint32_t n, uint32_t position)
{
	uint64_t state = seed + (uint64_t)round * 0x632be59bd9b4e019u;
	uint32_t order[EXPERIMENT_MAX_CASES];

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t i = n - 1; i > 0; i--) {
		uint32_t j = (uint32_t)(random_next(&state) % (i + 1));
		uint32_t kept = order[i];

		order[i] = order[j];
		order[j] = kept;
	}
	return order[position];
}

void experiment_run(const struct experiment *experiment, uint32_t run, struct sample_run *out)
{
	const struct request *request = &experiment->request;
	uint32_t n = experiment->n_cases;
	uint32_t round = run / n, position = run % n;

	*out = (struct sample_run) {.run = run, .icase = position};
	out->trial = round < request->warmup ? 0 : round - request->warmup + 1;
	out->planned = experiment_runs(experiment);
	if (request->order == ORDER_RANDOM)
		out->icase = random_case(request->seed, round, n, position);
	/* There and back: over two trials every case has the same mean place in time. */
	else if (request->order == ORDER_ALTERNATE && out->trial > 0 && out->trial % 2 == 0)
		out->icase = n - 1 - position;
}
