/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/array.h"
#include "base/procfs.h"
#include "base/units.h"

enum server_shape {
	SERVER_EACH, /* a task for each connection */
	SERVER_POOL, /* N tasks that each accept connections */
	SERVER_GRID, /* like SERVER_POOL, in P processes of T threads */
};

static const struct server_model {
	const char *name;
	enum server_shape shape;
	enum plan_task task; /* task of the first level */
	enum work_kind work;
	uint32_t workers; /* default for N; 0: the number of workers of -w serve */
} server_models[] = {
	{"threads", SERVER_EACH, PLAN_THREAD, WORK_SERVE, 0},
	{"processes", SERVER_EACH, PLAN_PROCESS, WORK_SERVE, 0},
	{"pool", SERVER_POOL, PLAN_THREAD, WORK_SERVE, 0},
	{"prefork", SERVER_POOL, PLAN_PROCESS, WORK_SERVE, 0},
	{"hybrid", SERVER_GRID, PLAN_PROCESS, WORK_SERVE, 0},
	{"events", SERVER_POOL, PLAN_THREAD, WORK_EVENTS, 1},
};
enum { SERVER_MODELS = LENGTH(server_models) };

/* Largest number of workers in a pool, prefork, hybrid or events model. */
#define SERVER_WORKERS_MOST 1000

/*
 * USUAL_REQUESTS: the default number of requests in a run. The other three limit a run, so long
 * requests have a smaller default. A core computes STEPS_OF_RUN in about 0.3 s, at 2 ns a step.
 */
#define USUAL_REQUESTS 2000
#define STEPS_OF_RUN   UINT64_C(150000000)  /* steps of -s work */
#define WAITS_OF_RUN   UINT64_C(1200000000) /* sum of all waits, ns */
#define BYTES_OF_RUN   (UINT64_C(2) << 30)  /* bytes read from the file */

static const struct server_model *find_model(const char *name)
{
	const size_t length = strcspn(name, ":");

	for (size_t i = 0; i < SERVER_MODELS; i++)
		if (strlen(server_models[i].name) == length &&
		    strncmp(server_models[i].name, name, length) == 0)
			return &server_models[i];
	return NULL;
}

/* Returns the number of requests, rounded up to whole connections. */
static uint64_t count_requests(const struct request *request)
{
	const struct serving *serving = &request->serving;
	uint64_t requests = request->tasks, kept = serving->kept;

	if (requests == 0) {
		requests = USUAL_REQUESTS / (request->quick ? 2 : 1);
		if (serving->work > 0)
			requests = MIN(requests, STEPS_OF_RUN / serving->work);
		if (serving->file > 0)
			requests = MIN(requests, BYTES_OF_RUN / serving->file);
		if (serving->wait_ns > 0)
			requests = MIN(requests, WAITS_OF_RUN / serving->wait_ns);
		requests = MAX(requests, (uint64_t)serving->clients * MAX(kept, 2));
	}
	return (requests + kept - 1) / kept * kept;
}

static int read_grid(struct experiment_build *build, const char *model, uint32_t workers,
		     struct plan *plan)
{
	const char *colon = strchr(model, ':');
	struct plan typed = {.levels = 2, .fanout = {2, MAX(workers / 2, 1)}};

	if (colon && (plan_shape_parse(colon + 1, &typed) || typed.levels != 2 ||
		      typed.fanout[0] > SERVER_WORKERS_MOST / typed.fanout[1]))
		return REFUSE(
			build,
			"--models: \"%s\" is not hybrid:PxT, processes x threads (hybrid:2x2), "
			"at most %u in all",
			model, SERVER_WORKERS_MOST);
	plan->levels = 2;
	memcpy(plan->fanout, typed.fanout, sizeof(plan->fanout));
	plan->task[1] = PLAN_THREAD;
	return 0;
}

int experiment_server_plan(struct experiment_build *build, const struct experiment_set *set,
			   const char *model, struct plan *plan)
{
	const struct server_model *row = find_model(model);
	const struct request *request = build->request;
	const char *colon = strchr(model, ':');
	uint64_t workers = row && row->workers ? row->workers : set->workers[WORK_SERVE];
	uint64_t requests = count_requests(request);
	int err = 0;

	if (!row || (colon && row->shape == SERVER_EACH))
		return REFUSE(build,
			      "--models: \"%s\" is not a model of server (threads, processes, "
			      "pool[:N], prefork[:N], hybrid[:PxT], events[:N])",
			      model);
	if (requests > PLAN_MAX_TASKS)
		return REFUSE(build,
			      "-s tasks=%" PRIu64
			      " is more than %u requests, the most that a run can send",
			      requests, PLAN_MAX_TASKS);
	*plan = (struct plan) {.levels = 1,
			       .task = {(uint8_t)row->task},
			       .barrier = row->shape != SERVER_EACH,
			       .tasks = (uint32_t)requests};
	switch (row->shape) {
	case SERVER_EACH:
		plan->fanout[0] = (uint32_t)(requests / request->serving.kept);
		plan->batch = MIN(request->serving.clients, plan->fanout[0]);
		plan->fanout[0] += request->serving.idle;
		plan->batch += request->serving.idle;
		break;
	case SERVER_POOL:
		if (colon &&
		    (units_parse_count(colon + 1, SERVER_WORKERS_MOST, &workers) || workers == 0))
			return REFUSE(
				build,
				"--models: \"%s\": use %s:N with N from 1 to %u, such as %s:4",
				model, row->name, SERVER_WORKERS_MOST, row->name);
		plan->fanout[0] = (uint32_t)workers;
		break;
	case SERVER_GRID:
		err = read_grid(build, model, (uint32_t)workers, plan);
		break;
	}
	if (err)
		return err;
	plan->leaves[row->work] = plan_leaves(plan);
	if (row->shape != SERVER_EACH && row->work == WORK_SERVE &&
	    plan->leaves[WORK_SERVE] <= request->serving.idle)
		return REFUSE(build,
			      "-s idle=%u: each idle connection keeps a worker busy, and %s has "
			      "only %u; use fewer connections, or -m threads,processes,events",
			      request->serving.idle, model, plan->leaves[WORK_SERVE]);
	return 0;
}

void experiment_server_label(const struct plan *plan, const char *asked, char *label, size_t size)
{
	const struct server_model *row = find_model(asked);

	switch (row->shape) {
	case SERVER_EACH:
		snprintf(label, size, "%s", row->name);
		break;
	case SERVER_POOL:
		if (plan->fanout[0] == row->workers)
			snprintf(label, size, "%s", row->name);
		else
			snprintf(label, size, "%s:%u", row->name, plan->fanout[0]);
		break;
	case SERVER_GRID:
		snprintf(label, size, "%s:%ux%u", row->name, plan->fanout[0], plan->fanout[1]);
		break;
	}
}

/*
 * Rough times on a core, ns. REQUEST_NS: the system calls of a request. FORK_NS: the fork for a
 * connection. STEP_NS: a step of -s work. BYTE_NS: reading a byte of the file.
 */
#define REQUEST_NS 50000.0
#define FORK_NS	   250000.0
#define BALLAST_NS 0.05 /* page tables, per byte that the server has touched */
#define STEP_NS	   2.0
#define BYTE_NS	   0.2

double experiment_server_time(const struct sample_case *config)
{
	const struct serving *serving = &config->serving;
	const struct plan *plan = &config->plan;
	double busy_ns = REQUEST_NS + STEP_NS * (double)serving->work;
	uint32_t at_once = serving->clients;
	double each_ns;

	busy_ns += BYTE_NS * (double)serving->file;
	if (plan_creates_each(plan) && plan->task[0] == PLAN_PROCESS)
		busy_ns += (FORK_NS + BALLAST_NS * (double)config->ballast) / serving->kept;
	if (plan->leaves[WORK_EVENTS] == 0)
		at_once = MIN(at_once, plan_leaves(plan));
	each_ns = MAX(busy_ns, (busy_ns + (double)serving->wait_ns) / at_once);
	if (serving->rate > 0)
		each_ns = MAX(each_ns, 1e9 / serving->rate);
	return each_ns * plan->tasks;
}

uint32_t experiment_server_cores(const struct experiment_build *build)
{
	const uint32_t cpus = (uint32_t)build->cpus;

	if (!build->kind->serves || build->request->pinned || cpus < 2)
		return 0;
	return cpus - MAX(cpus / 4, 1);
}

/* Returns 0, or -errno if 127.0.0.1 is not reachable, as in a new network namespace. */
static int check_loopback(void)
{
	const struct sockaddr_in address = {.sin_family = AF_INET,
					    .sin_port = htons(1),
					    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	/* For datagrams, connect(2) looks up the route, and sends nothing. */
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)))
		err = -errno;
	close(fd);
	return err;
}

/* Files that a server and its clients have open besides connections. */
#define SERVER_FILES 24

/*
 * Fills in the defaults of -s via and of the source of slices, then checks the kind of connections
 * and the limits. Each connection is an open file of the server and of the clients. All clients may
 * wait in the accept queue at once.
 */
int experiment_server_check(struct experiment_build *build)
{
	struct request *request = build->request;
	const uint32_t clients = request->serving.clients, idle = request->serving.idle;
	const uint64_t files = clients + idle + SERVER_FILES;
	uint64_t row = UINT64_MAX;
	struct rlimit limit;
	char text[32];

	if (request->via == VIA_NONE)
		request->via = VIA_TCP;
	if (request->via != VIA_TCP && request->via != VIA_UNIX)
		return experiment_refuse_way(build);
	if (request->via == VIA_TCP && check_loopback())
		return REFUSE_AS(build, -EAGAIN,
				 "-s via=tcp: 127.0.0.1: %s; use -s via=unix, or set the "
				 "interface up (ip link set lo up)",
				 strerror(-check_loopback()));
	/*
	 * By default, use the workers' own clocks, because the kernel would take as long to record
	 * a switch as a short request takes.
	 */
	if (request->sched == SCHED_AUTO)
		request->sched = SCHED_OWN;
	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < files) {
		const uint64_t fit = limit.rlim_cur - MIN(limit.rlim_cur, SERVER_FILES);

		if (idle > 0)
			return REFUSE_AS(build, -EAGAIN,
					 "-s idle=%u with %u clients needs %" PRIu64
					 " open files; RLIMIT_NOFILE (ulimit -n) is %" PRIu64
					 ", so at most %" PRIu64 " connections fit",
					 idle, clients, files, (uint64_t)limit.rlim_cur, fit);
		return REFUSE_AS(build, -EAGAIN,
				 "-s clients=%u: needs %" PRIu64
				 " open files; RLIMIT_NOFILE (ulimit "
				 "-n) is %" PRIu64 ", so at most %" PRIu64 " fit",
				 clients, files, (uint64_t)limit.rlim_cur, fit);
	}
	if (procfs_read_text("", "proc/sys/net/core/somaxconn", text, sizeof(text)) >= 0)
		row = strtoull(text, NULL, 10);
	if (row < clients)
		return REFUSE_AS(build, -EAGAIN,
				 "-s clients=%u: all clients may wait to be accepted at once, but "
				 "net.core.somaxconn (sysctl) allows only %" PRIu64,
				 clients, row);
	return 0;
}

int experiment_check_wait(struct experiment_build *build)
{
	const char *typed = experiment_typed(build->request, "wait");
	bool is_time, takes_time;

	if (!typed)
		return 0;
	is_time = strchr("0123456789", typed[strlen("wait=")]) != NULL;
	takes_time = build->kind->serves || build->kind->workers[WORK_TOKEN] > 0;
	if (is_time == takes_time)
		return 0;
	return REFUSE(build,
		      takes_time ? "-s %s is for programs; %s waits for a time (wait=10ms)"
				 : "-s %s is for the experiments server and switch; %s has "
				   "wait=first or wait=all",
		      typed, build->kind->name);
}
