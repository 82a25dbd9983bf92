/* SPDX-License-Identifier: MIT */
#include "stage/synthetic.h"

#include "stage/check.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"
#include "stats/stats.h"
#include "model/model_private.h"

#define US     1000ll
#define MS     1000000ll
#define TICK   (100 * MS)
#define BROKEN 3    /* the worker that fails */
#define OVER   9999 /* internal return value: stop_ns is reached */

/* State of a session that is played. */
struct script {
	const struct synthetic *session;
	int (*take)(void *arg, const struct sample *sample);
	void *arg;
	struct sample sample; /* the sample that is passed on; too large for a small stack */
	int64_t time_ns;      /* time of the last event */
	int64_t tick_ns;      /* time of the last tick, delivered or lost */
	uint32_t lost;
	struct sample_core *cores;
	/* a run has begun and has not ended */
	bool in_run;
	struct sample_run run;
	int64_t begin_ns, length_ns, go_ns;
	const struct plan *plan;
	uint32_t n_workers;
	struct sample_worker *workers; /* the workers with all their final values */
	struct sample_change *changed;
	uint32_t *turns; /* number of turns that were delivered, by worker */
	int64_t told_ns; /* time since the run's begin up to which changes were delivered */
	struct sample_memory peak;
};

/* Returns 0 … 999, always the same for the same arguments (splitmix64). */
static int64_t noise(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t z = (a + 1) * 0x9e3779b97f4a7c15u + (b << 32) + c;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (int64_t)((z ^ (z >> 31)) % 1000);
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void synthetic_vary(struct variables *variables, const char *format, ...)
{
	char text[SAMPLE_LABEL];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	variables_parse(variables, text);
}

static void case_set(struct sample_case *one, const char *model, const char *variables)
{
	snprintf(one->model, sizeof(one->model), "%s", model);
	variables_parse(&one->variables, variables);
	for (uint32_t level = 0; level < one->plan.levels; level++)
		one->plan.task[level] = model[0] == 'p' ? PLAN_PROCESS : PLAN_THREAD;
	one->cache = SAMPLE_CACHE_WARM;
}

void synthetic_add(struct synthetic *session, const char *model, const char *variables,
		   int64_t span_ns)
{
	struct sample_case *next = &session->list[session->cases];

	*next = next[-1];
	case_set(next, model, variables);
	session->span_ns[session->cases++] = span_ns;
}

static void session_init(struct synthetic *session, const struct plan *plan, uint32_t trials)
{
	*session = (struct synthetic) {.host = "lab1",
				       .wall_s = 1700000000,
				       .trials = trials,
				       .cores = 2,
				       .cases = 1,
				       .stop_ns = INT64_MAX,
				       .paused_run = SYNTHETIC_NONE,
				       .broken_run = SYNTHETIC_NONE};
	session->list[0].plan = *plan;
	case_set(&session->list[0], "threads", "");
}

void synthetic_mixed(struct synthetic *session, uint32_t trials)
{
	static const struct plan set = {.levels = 1,
					.fanout = {8},
					.leaves = {[WORK_CPU] = 6, [WORK_IO] = 2},
					.barrier = true};

	session_init(session, &set, trials);
	session->experiment = "mixed";
	session->title = "6 cpu + 2 io";
	session->options = "tuibench -s 'io-file=/srv/a, \"b\" and ü'";
	session->span_ns[0] = 2970 * MS;
	synthetic_add(session, "processes", "", 3010 * MS);
}

void synthetic_tree(struct synthetic *session, uint32_t trials)
{
	static const struct plan tree = {.levels = 3, .fanout = {20, 3, 82}};

	session_init(session, &tree, trials);
	session->experiment = "tree";
	session->title = "tree 20x3x82 = 5,000";
	session->options = "tuibench --tree 20x3x82 --models threads,processes";
	session->span_ns[0] = 271 * MS;
	synthetic_add(session, "processes", "", 381 * MS);
}

/* Adds a case. If the first case has no variables yet, replaces that one. */
static void sweep_add(struct synthetic *session, const char *model, const char *variables,
		      const struct plan *plan, int64_t span_ns)
{
	if (session->list[0].variables.n > 0)
		synthetic_add(session, model, variables, span_ns);
	session->list[session->cases - 1].plan = *plan;
	case_set(&session->list[session->cases - 1], model, variables);
	session->span_ns[session->cases - 1] = span_ns;
}

void synthetic_scaling(struct synthetic *session, uint32_t trials)
{
	struct plan set = {.levels = 1, .barrier = true};

	session_init(session, &set, trials);
	session->experiment = "scaling";
	session->title = "2 to 8 cpu";
	session->options = "tuibench scaling";
	for (uint32_t n = 2; n <= 8; n++) {
		char variables[SAMPLE_LABEL];

		set.fanout[0] = set.leaves[WORK_CPU] = n;
		snprintf(variables, sizeof(variables), "workers=%u", n);
		sweep_add(session, "threads", variables, &set, 110 * MS * n);
		sweep_add(session, "processes", variables, &set, 100 * MS * n + 50 * MS);
	}
}

void synthetic_cores(struct synthetic *session, uint32_t trials)
{
	static const struct plan set = {
		.levels = 1, .fanout = {16}, .leaves = {[WORK_CPU] = 16}, .barrier = true};

	session_init(session, &set, trials);
	session->title = "16 cpu, cores=1..32";
	session->options = "tuibench -w cpu=16 -s cores=1,2,4,8,16,32";
	for (uint32_t n = 1; n <= 32; n *= 2) {
		double cores = n < 16 ? n : 16;
		double times = (1 + 0.03 * (cores - 1) + 0.002 * cores * (cores - 1)) / cores;
		char variables[SAMPLE_LABEL];

		snprintf(variables, sizeof(variables), "cores=%u", n);
		sweep_add(session, "threads", variables, &set, (int64_t)(times * 4000 * MS));
		sweep_add(session, "processes", variables, &set, (int64_t)(times * 4200 * MS));
	}
}

void synthetic_hello(struct synthetic *session, uint32_t trials)
{
	static const struct plan set = {
		.levels = 1, .fanout = {8}, .leaves = {[WORK_CPU] = 8}, .barrier = true};

	session_init(session, &set, trials);
	session->experiment = "hello";
	session->title = "8 hello";
	session->options = "tuibench hello";
	for (uint32_t n = 0; n < 11; n++) {
		uint32_t lines = n == 0 ? 10 : n == 1 ? 50 : (n - 1) * 100;
		char variables[SAMPLE_LABEL];

		snprintf(variables, sizeof(variables), "size=%u", lines);
		sweep_add(session, "threads", variables, &set, 90 * MS + 350 * US * lines);
		sweep_add(session, "processes", variables, &set, 270 * MS + 50 * US * lines);
		sweep_add(session, "hybrid:2x4", variables, &set, 100 * MS + 150 * US * lines);
	}
}

void synthetic_shapes(struct synthetic *session, uint32_t trials)
{
	static const struct plan flat = {.levels = 1, .fanout = {5000}};
	static const struct plan two = {.levels = 2, .fanout = {50, 99}};
	static const struct plan three = {.levels = 3, .fanout = {20, 3, 82}};

	session_init(session, &flat, trials);
	session->experiment = "tree";
	session->title = "3 trees";
	session->options = "tuibench --tree 5000,50x99,20x3x82 -s stack=8M,16K";
	sweep_add(session, "threads", "tree=5000;stack=8M", &flat, 167 * MS);
	sweep_add(session, "threads", "tree=50x99;stack=8M", &two, 286 * MS);
	sweep_add(session, "threads", "tree=20x3x82;stack=8M", &three, 283 * MS);
	sweep_add(session, "threads", "tree=5000;stack=16K", &flat, 147 * MS);
	sweep_add(session, "threads", "tree=50x99;stack=16K", &two, 85 * MS);
	sweep_add(session, "threads", "tree=20x3x82;stack=16K", &three, 120 * MS);
	for (uint32_t i = 0; i < session->cases; i++)
		session->list[i].stack_size = i < 3 ? 8 << 20 : 16 << 10;
}

/* Returns the least time that a primitive takes to return. */
static int64_t call_span(const struct sample_case *one)
{
	static const int64_t spans[PLAN_PRIMITIVES] = {[PLAN_CALL] = 20,
						       [PLAN_FORK] = 45 * US,
						       [PLAN_VFORK] = 20 * US,
						       [PLAN_POSIX_SPAWN] = 50 * US,
						       [PLAN_FORK_EXEC] = 55 * US,
						       [PLAN_PTHREAD] = 7 * US,
						       [PLAN_PTHREAD_COLD] = 9 * US,
						       [PLAN_CLONE] = 6 * US};
	bool copies = one->plan.primitive == PLAN_FORK || one->plan.primitive == PLAN_FORK_EXEC;

	return spans[one->plan.primitive] * (copies && one->ballast > 0 ? 10 : 1);
}

static void add_creation(struct synthetic *session, enum plan_primitive primitive,
			 enum plan_placement placement, bool ballast)
{
	struct sample_case *one = &session->list[session->cases++];

	*one = (struct sample_case) {.ballast = ballast ? 1 << 30 : 0, .cache = SAMPLE_CACHE_WARM};
	plan_creation(primitive, 200, &one->plan);
	one->plan.placement = (uint8_t)placement;
	snprintf(one->model, sizeof(one->model), "%s", plan_primitive_names[primitive]);
	synthetic_vary(&one->variables, "ballast=%s", ballast ? "1G" : "0");
	if (placement)
		variables_add(&one->variables, "placement", plan_placement_names[placement]);
}

/*
 * Adds a case for each primitive up to PLAN_CLONE; later ones are for other experiments. PLAN_CALL,
 * which only reads the clock, creates no task that could begin on another core, so only pinned
 * cases have it.
 */
static void add_creations(struct synthetic *session, enum plan_placement placement, bool ballast)
{
	enum plan_primitive first = placement > PLAN_PINNED ? PLAN_FORK : PLAN_CALL;

	for (int i = first; i <= PLAN_CLONE; i++)
		add_creation(session, (enum plan_primitive)i, placement, ballast);
}

static void begin_creation(struct synthetic *session, uint32_t trials)
{
	struct plan plan;

	plan_creation(PLAN_CALL, 200, &plan);
	session_init(session, &plan, trials);
	session->experiment = "creation";
	session->title = "creating a task, 200 times, ballast 0,1G";
	session->options = "tuibench creation -w null=200 -s ballast=0,1G";
	session->cases = 0;
}

void synthetic_creation(struct synthetic *session, uint32_t trials)
{
	begin_creation(session, trials);
	for (int placement = PLAN_PINNED; placement < PLAN_PLACEMENTS; placement++)
		add_creations(session, (enum plan_placement)placement, false);
	add_creations(session, PLAN_PINNED, true);
}

void synthetic_creation_old(struct synthetic *session, uint32_t trials)
{
	begin_creation(session, trials);
	add_creations(session, PLAN_NOT_PLACED, false);
	add_creations(session, PLAN_NOT_PLACED, true);
}

static int hand_over(struct script *script, enum sample_kind kind, int64_t time_ns)
{
	if (time_ns > script->session->stop_ns)
		return OVER;
	script->sample.kind = kind;
	script->sample.time_ns = time_ns;
	script->sample.run = script->run;
	return script->take(script->arg, &script->sample);
}

static const struct machine vm = {
	.kernel = "6.1.0-18-amd64",
	.arch = "x86_64",
	.libc = "glibc 2.36",
	.cpu = "AMD EPYC 7B13, 2.45 GHz",
	.virtualization = "kvm",
	.governor = "",
	.frequency_source = "cpuinfo",
	.hugepages = "madvise",
	.performance_cores = -1,
	.efficiency_cores = -1,
	.mhz = 2450,
	.memory_kb = 8148936,
	.memory_limit_kb = -1,
	.cpu_quota = -1,
	.page_kb = 4,
	.clock_ticks = 100,
	.clock_ns = -1,
};

static void tell_allowed(const char *allowed, struct machine *machine)
{
	cpu_set_t set;

	snprintf(machine->cpus_allowed, MACHINE_TEXT, "%s", allowed);
	machine->cores_allowed = units_parse_cpulist(allowed, &set) ? -1 : CPU_COUNT(&set);
}

static int tell_session(struct script *script)
{
	const struct synthetic *from = script->session;
	struct sample_session *to = &script->sample.session;

	*to = (struct sample_session) {.version = "0.1.0",
				       .wall_s = from->wall_s,
				       .wall_ns = from->wall_ns,
				       .seed = 7,
				       .trials = from->trials,
				       .warmup = from->warmup,
				       .interval_ms = TICK / MS,
				       .machine = vm,
				       .cases = from->cases,
				       .cases_list = from->list};
	snprintf(to->experiment, sizeof(to->experiment), "%s", from->experiment);
	snprintf(to->title, sizeof(to->title), "%s", from->title);
	snprintf(to->options, sizeof(to->options), "%s", from->options);
	snprintf(to->sched, sizeof(to->sched), "%s",
		 from->wakes	? "perf"
		 : from->slices ? "own"
				: "");
	to->sched_ns = from->wakes ? 1 : from->slices ? 16 * US : -1;
	snprintf(to->wakes, sizeof(to->wakes), "%s", from->wakes ? SAMPLE_WAKES : "");
	snprintf(to->counters, sizeof(to->counters), "%s", from->counters ? "user" : "");
	snprintf(to->machine.host, sizeof(to->machine.host), "%s", from->host);
	snprintf(to->machine.cpus_allowed, MACHINE_TEXT, "0-%u", from->cores - 1);
	to->machine.cores_online = to->machine.cores_allowed = (int32_t)from->cores;
	if (from->topology)
		snprintf(to->topology, sizeof(to->topology), "%s", from->topology);
	if (from->allowed)
		tell_allowed(from->allowed, &to->machine);
	return hand_over(script, SAMPLE_SESSION, 0);
}

static int tell_message(struct script *script, enum sample_severity severity, const char *text)
{
	script->sample.message.severity = severity;
	script->sample.message.kind = MESSAGE_OTHER;
	snprintf(script->sample.message.text, SAMPLE_TEXT, "%s", text);
	return hand_over(script, SAMPLE_MESSAGE, script->time_ns);
}

/*
 * When the worker begins to exist, for memory and the peak: when its creation has returned, or at
 * its first instruction if that is earlier.
 */
static int64_t exists_from(const struct sample_worker *worker)
{
	return worker->start_ns >= 0 && worker->start_ns < worker->created_ns ? worker->start_ns
									      : worker->created_ns;
}

static uint32_t alive_at(const struct script *script, int64_t now_ns)
{
	uint32_t alive = 0;

	for (uint32_t i = 0; i < script->n_workers; i++) {
		const struct sample_worker *worker = &script->workers[i];
		int64_t from = exists_from(worker);

		alive += from >= 0 && from <= now_ns &&
			 (worker->finish_ns < 0 || worker->finish_ns > now_ns);
	}
	return alive;
}

static struct sample_memory memory_of(const struct script *script, int64_t alive)
{
	if (plan_has(script->plan, PLAN_PROCESS))
		return (struct sample_memory) {.rss_kb = 1480 + 740 * alive,
					       .pss_kb = 420 + 95 * alive,
					       .uss_kb = 110 + 80 * alive,
					       .kernel_kb = 36 + 60 * alive,
					       .kernel_tables_kb = 10 + 28 * alive,
					       .kernel_stacks_kb = 16 + 16 * alive,
					       .kernel_other_kb = 10 + 16 * alive,
					       .rss_seen = -1,
					       .pss_seen = -1,
					       .kernel_seen = -1,
					       .estimated = script->n_workers > 1000};
	return (struct sample_memory) {.rss_kb = 1480 + 72 * alive,
				       .pss_kb = 400 + 72 * alive,
				       .uss_kb = 110 + 72 * alive,
				       .kernel_kb = 36 + 16 * alive,
				       .kernel_tables_kb = 10,
				       .kernel_stacks_kb = 16 + 16 * alive,
				       .kernel_other_kb = 10,
				       .rss_seen = -1,
				       .pss_seen = -1,
				       .kernel_seen = -1};
}

/* While a tree is created, no reader may hold the mmap locks of its tasks, so only RSS is known. */
static struct sample_memory tick_memory(const struct script *script, int64_t now_ns)
{
	struct sample_memory memory = memory_of(script, alive_at(script, now_ns));

	if (!script->plan->barrier && now_ns < script->length_ns / 2) {
		memory.pss_kb = memory.uss_kb = -1;
		memory.estimated = false;
	}
	return memory;
}

/* Returns the kernel's number of the i-th CPU. */
static uint32_t number_of(const struct synthetic *session, uint32_t i)
{
	uint32_t cpu = 0;
	cpu_set_t set;

	if (!session->online || units_parse_cpulist(session->online, &set))
		return i;
	for (; cpu < CPU_SETSIZE - 1; cpu++)
		if (CPU_ISSET(cpu, &set) && i-- == 0)
			break;
	return cpu;
}

static struct sample_core core_load(const struct script *script, uint32_t cpu, int64_t time_ns)
{
	const struct synthetic *session = script->session;
	uint64_t tick = (uint64_t)(time_ns / TICK);
	bool busy = script->in_run && cpu < (session->busy ? session->busy : script->n_workers);

	cpu = number_of(session, cpu);
	if (session->cores > 8 && !session->online && cpu == 5)
		return (struct sample_core) {(int16_t)cpu, -1, -1, -1, -1, -1};
	if (!busy)
		return (struct sample_core) {
			(int16_t)cpu, (int16_t)(noise(1, tick, cpu) / 100), 3, 0, 0, -1};
	return (struct sample_core) {.cpu = (int16_t)cpu,
				     .user = (int16_t)(880 + noise(2, tick, cpu) / 20),
				     .system = (int16_t)(20 + noise(3, tick, cpu) / 50),
				     .iowait = (int16_t)(noise(4, tick, cpu) / 200),
				     .steal = (int16_t)(noise(5, tick, cpu) / 100),
				     .mhz = tick % 10 == 0 ? 2450 : -1};
}

static int64_t known_by(int64_t time_ns, int64_t now_ns)
{
	return time_ns <= now_ns ? time_ns : -1;
}

/* Returns what a source can know about a worker at now_ns; INT64_MAX: after the run's end. */
static struct sample_worker worker_by(const struct sample_worker *all, int64_t now_ns)
{
	struct sample_worker worker = *all;

	if (now_ns == INT64_MAX)
		return worker;
	worker.create_ns = known_by(all->create_ns, now_ns);
	worker.parent_cpu = worker.create_ns < 0 ? -1 : all->parent_cpu;
	worker.created_ns = known_by(all->created_ns, now_ns);
	worker.start_ns = known_by(all->start_ns, now_ns);
	worker.work_ns = known_by(all->work_ns, now_ns);
	worker.finish_ns = known_by(all->finish_ns, now_ns);
	worker.join_ns = known_by(all->join_ns, now_ns);
	if (worker.created_ns < 0 && worker.start_ns < 0)
		worker.pid = -1;
	if (worker.start_ns < 0)
		worker.tid = worker.cpu_first = -1;
	if (worker.finish_ns < 0) {
		worker.status = SAMPLE_RUNNING;
		worker.error = 0;
		worker.result = 0;
		worker.user_us = worker.system_us = 0;
		worker.minflt = worker.majflt = worker.nvcsw = worker.nivcsw = 0;
		worker.cpu_last = -1;
		worker.delay_us = -1;
		worker.migrations = -1;
		worker.cycles = worker.instructions = -1;
		worker.cache_misses = worker.tlb_misses = -1;
	}
	return worker;
}

/*
 * Returns the number of workers with an event since the last call, up to now_ns since the run's
 * begin.
 */
static uint32_t changes(struct script *script, int64_t now_ns)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < script->n_workers; i++) {
		struct sample_worker before = worker_by(&script->workers[i], script->told_ns);
		struct sample_worker now = worker_by(&script->workers[i], now_ns);

		if (memcmp(&before, &now, sizeof(now)) != 0)
			script->changed[n++] = (struct sample_change) {.index = i, .worker = now};
	}
	script->told_ns = now_ns;
	return n;
}

static bool paused_at(const struct script *script, int64_t now_ns)
{
	return script->in_run && script->run.run == script->session->paused_run &&
	       now_ns >= script->length_ns / 3 && now_ns < script->length_ns * 2 / 3;
}

static void see_peak(int64_t *peak, int64_t value)
{
	*peak = later(*peak, value);
}

static void wake(const struct script *script, uint32_t turn, struct sample_slice *slice)
{
	if (turn == 0) {
		slice->ready_ns = script->workers[slice->index].work_ns - 3 * US;
		slice->woken = WOKEN_BY_MAIN;
	} else if ((turn - 1) % 4 != 3) {
		slice->ready_ns = slice->on_ns - (50 + 10 * (int64_t)slice->index) * US;
		slice->woken = turn % 3 ? WOKEN_BY_INTERRUPT : WOKEN_BY_WORKER;
		slice->waker = turn % 3 ? -1 : (int32_t)((slice->index + 1) % script->n_workers);
	}
}

/* Fills a turn of a worker. The turns of a core follow each other. */
static bool turn_of(const struct script *script, uint32_t index, uint32_t turn,
		    struct sample_slice *slice)
{
	const struct sample_worker *worker = &script->workers[index];
	uint32_t cores = script->session->cores, core = index % cores;
	uint32_t share = (script->n_workers - core + cores - 1) / cores;
	struct plan_node node;

	plan_node(script->plan, index, &node);
	*slice = (struct sample_slice) {
		.index = index, .why = WHY_PREEMPTED, .waker = -1, .ready_ns = -1};
	slice->on_ns = worker->work_ns + ((int64_t)turn * share + index / cores) * 4 * MS;
	slice->off_ns = slice->on_ns + 4 * MS;
	slice->cpu = (int16_t)number_of(script->session, (core + (turn % 9 == 8)) % cores);
	if (node.work == WORK_IO && turn % 4 != 3)
		slice->why = WHY_BLOCKED;
	if (script->session->wakes && (turn == 0 || node.work == WORK_IO))
		wake(script, turn, slice);
	if (slice->off_ns >= worker->finish_ns ||
	    slice->off_ns + 4 * MS * share >= worker->finish_ns) {
		slice->off_ns = worker->finish_ns;
		slice->why = WHY_ENDED;
	}
	return slice->on_ns < worker->finish_ns;
}

/* Delivers the slices that have ended by now_ns since the run's begin. */
static int tell_slices(struct script *script, int64_t now_ns)
{
	struct sample_slice slice;
	int err = 0;

	if (!script->session->slices || !script->plan->barrier)
		return 0;
	for (uint32_t i = 0; i < script->n_workers; i++) {
		while (!err && turn_of(script, i, script->turns[i], &slice) &&
		       slice.off_ns <= now_ns) {
			script->sample.slices.n = 1;
			script->sample.slices.list = &slice;
			script->turns[i] += slice.why == WHY_ENDED ? UINT32_MAX / 8 : 1;
			err = hand_over(script, SAMPLE_SLICES, script->begin_ns + now_ns);
		}
	}
	script->sample.slices.list = NULL;
	return err;
}

static int tell_tick(struct script *script)
{
	int64_t now_ns = script->tick_ns - script->begin_ns;
	struct sample_tick *tick = &script->sample.tick;
	uint32_t cores = script->session->cores;

	*tick = (struct sample_tick) {.n_cores = cores,
				      .cores = script->cores,
				      .in_run = script->in_run,
				      .memory = sample_memory_unknown(),
				      .tasks = -1,
				      .queue = -1,
				      .children = -1,
				      .throttled_periods = -1,
				      .throttled_us = -1,
				      .processes = -1,
				      .threads = -1,
				      .self_cpu_us = (uint64_t)(script->tick_ns / MS * 3),
				      .terminal_us = -1,
				      .lost = script->lost,
				      .paused = paused_at(script, now_ns)};
	script->lost = 0;
	for (uint32_t cpu = 0; cpu < cores; cpu++)
		script->cores[cpu] = core_load(script, cpu, script->tick_ns);
	if (script->in_run) {
		tick->memory = tick_memory(script, now_ns);
		tick->tasks = alive_at(script, now_ns);
		tick->n_workers = changes(script, now_ns);
		tick->workers = script->changed;
		see_peak(&script->peak.rss_kb, tick->memory.rss_kb);
		see_peak(&script->peak.pss_kb, tick->memory.pss_kb);
		see_peak(&script->peak.uss_kb, tick->memory.uss_kb);
		see_peak(&script->peak.kernel_kb, tick->memory.kernel_kb);
		see_peak(&script->peak.kernel_tables_kb, tick->memory.kernel_tables_kb);
		see_peak(&script->peak.kernel_stacks_kb, tick->memory.kernel_stacks_kb);
		see_peak(&script->peak.kernel_other_kb, tick->memory.kernel_other_kb);
		script->peak.estimated |= tick->memory.estimated;
		script->peak.rss_seen = script->peak.pss_seen =
			plan_has(script->plan, PLAN_PROCESS) ? SEEN_PEAKS : SEEN_PEAK;
		script->peak.kernel_seen = SEEN_SAMPLED;
	}
	return hand_over(script, SAMPLE_TICK, script->tick_ns);
}

/* Advances the time to time_ns, with the ticks in between. */
static int pass(struct script *script, int64_t time_ns)
{
	int err = 0;

	while (!err && script->tick_ns + TICK <= time_ns) {
		script->tick_ns += TICK;
		if (script->in_run)
			err = tell_slices(script, script->tick_ns - script->begin_ns);
		if (!err && script->tick_ns == 17 * TICK)
			script->lost++;
		else if (!err)
			err = tell_tick(script);
	}
	script->time_ns = time_ns;
	return err;
}

/* Creates the n-th child of a parent that began at start_ns, with gap_ns between two creations. */
static void create_worker(struct script *script, uint32_t index, int64_t start_ns, int64_t gap_ns,
			  const struct plan_node *node)
{
	struct sample_worker *worker = &script->workers[index];
	bool process = node->task == PLAN_PROCESS;
	int64_t wobble = noise(6, index, node->level);

	worker->create_ns = start_ns + US + gap_ns * node->ordinal;
	worker->created_ns = worker->create_ns + (process ? 62 : 21) * US + wobble;
	/* some threads run before the call that creates them returns */
	worker->start_ns = worker->create_ns + (process ? 120 : 18) * US + 8 * wobble;
}

/* Joins all children from the first on, in order, by a parent that is free at time_ns. */
static int64_t join_workers(struct sample_worker *first, uint32_t n, int64_t time_ns)
{
	for (uint32_t i = 0; i < n; i++) {
		time_ns = later(time_ns, first[i].finish_ns) + 4 * US;
		first[i].join_ns = time_ns;
	}
	return time_ns;
}

static void work_in_set(struct script *script, int64_t span_ns, int64_t go_ns)
{
	struct plan_node node;

	for (uint32_t i = 0; i < script->n_workers; i++) {
		struct sample_worker *worker = &script->workers[i];
		int64_t scatter = noise(7, script->run.run, i);

		plan_node(script->plan, i, &node);
		worker->work_ns = later(worker->start_ns, go_ns) + 3 * US + scatter;
		worker->finish_ns = worker->work_ns +
				    (node.work == WORK_IO ? span_ns / 10 : span_ns - span_ns / 40) +
				    span_ns / 50 * scatter / 1000;
	}
}

static int64_t stage_set(struct script *script, int64_t span_ns)
{
	struct plan_node node;
	int64_t go_ns = 0;

	for (uint32_t i = 0; i < script->n_workers; i++) {
		plan_node(script->plan, i, &node);
		create_worker(script, i, 0, node.task == PLAN_PROCESS ? 95 * US : 31 * US, &node);
		go_ns = later(go_ns, script->workers[i].created_ns + 15 * US);
	}
	script->go_ns = go_ns;
	work_in_set(script, span_ns, go_ns);
	return join_workers(script->workers, script->n_workers, go_ns);
}

/*
 * Returns the time between creations of a level: level 0 uses most of the span, each next level a
 * quarter of the one above.
 */
static int64_t level_gap(const struct plan *plan, uint32_t level, int64_t span_ns)
{
	int64_t window = span_ns * 4 / 5;

	for (uint32_t i = 0; i < level; i++)
		window /= 4;
	return window / plan->fanout[level];
}

static int64_t script_tree(struct script *script, int64_t span_ns)
{
	const struct plan *plan = script->plan;
	struct sample_worker *workers = script->workers;
	struct plan_node node;

	for (uint32_t i = 0; i < script->n_workers; i++) {
		plan_node(plan, i, &node);
		create_worker(script, i,
			      node.parent == PLAN_ROOT ? 0 : workers[node.parent].work_ns,
			      level_gap(plan, node.level, span_ns), &node);
		workers[i].work_ns = workers[i].start_ns + 2 * US;
	}
	/* children have higher numbers than their parents, and end before them */
	for (uint32_t i = script->n_workers; i-- > 0;) {
		plan_node(plan, i, &node);
		workers[i].finish_ns = workers[i].work_ns + 5 * US;
		if (node.children > 0)
			workers[i].finish_ns =
				US +
				join_workers(
					workers + node.first_child, node.children,
					workers[node.first_child + node.children - 1].created_ns);
	}
	return join_workers(workers, plan->fanout[0], 0);
}

/*
 * Free tasks begin on another core in one of four cases; tasks after idleness, in all but one of
 * 32.
 */
static bool is_elsewhere(const struct script *script, uint32_t index)
{
	switch ((enum plan_placement)script->plan->placement) {
	case PLAN_FREE:
		return index % 4 == 3;
	case PLAN_IDLE:
		return index % 32 != 31;
	default:
		return false;
	}
}

/* Creates the tasks one after the other. */
static int64_t stage_creation(struct script *script)
{
	const struct sample_case *one = &script->session->list[script->run.case_id];
	int64_t now_ns = 0;

	for (uint32_t i = 0; i < script->n_workers; i++) {
		struct sample_worker *worker = &script->workers[i];
		int64_t wobble = noise(11, script->run.run, i);
		int64_t call_ns = call_span(one) * (1000 + wobble / 5) / 1000;

		if (i == 0 || wobble >= 980)
			call_ns *= 30;
		call_ns *= is_elsewhere(script, i) ? one->plan.placement : 1;
		worker->create_ns = now_ns;
		worker->created_ns = now_ns + call_ns;
		worker->start_ns = now_ns + call_ns * 3 / 2;
		worker->work_ns = worker->finish_ns = worker->start_ns;
		worker->join_ns = now_ns = now_ns + 2 * call_ns;
	}
	return now_ns;
}

/* Counts events. io workers, which copy, have more misses, and fewer instructions per cycle. */
static void count_up(const struct script *script, struct sample_worker *worker, enum work_kind work)
{
	const bool counted = script->session->counters;
	int64_t cycles = worker->user_us * INT64_C(3000);

	worker->migrations = counted ? (int32_t)worker->nivcsw / 4 : -1;
	worker->cycles = counted ? cycles : -1;
	worker->instructions = counted ? cycles * (work == WORK_IO ? 1 : 2) : -1;
	worker->cache_misses = counted ? cycles / (work == WORK_IO ? 100 : 10000) : -1;
	worker->tlb_misses = counted ? worker->cache_misses / 4 : -1;
	worker->tasks = -1;
}

static void use_up(struct script *script, uint32_t index)
{
	struct sample_worker *worker = &script->workers[index];
	struct plan_node node;
	int64_t took_us = (worker->finish_ns - worker->work_ns) / US;

	plan_node(script->plan, index, &node);
	worker->status = SAMPLE_OK;
	worker->pid = 4000 + (int32_t)script->run.run * 6000;
	worker->tid = worker->pid + 1 + (int32_t)index;
	if (node.task == PLAN_PROCESS)
		worker->pid = worker->tid;
	worker->user_us = (uint32_t)(took_us / 4);
	worker->system_us = (uint32_t)(node.work == WORK_IO ? took_us / 8 : took_us / 200);
	worker->delay_us = script->session->slices ? (int32_t)(took_us * 3 / 4) : -1;
	worker->minflt = (uint32_t)(20 + noise(8, script->run.run, index) / 50);
	worker->nvcsw = node.work == WORK_IO ? 41 : 1;
	worker->nivcsw = (uint32_t)noise(9, script->run.run, index) / 20;
	count_up(script, worker, node.work);
	worker->result = node.work == WORK_CPU ? 1536 : node.work == WORK_IO ? 134217728 : 0;
	worker->cpu_first = (int16_t)number_of(script->session, index % script->session->cores);
	worker->cpu_last =
		(int16_t)number_of(script->session, (index + 1) % script->session->cores);
	if (!plan_is_creation(script->plan))
		return;
	worker->cpu_first = is_elsewhere(script, index);
	worker->parent_cpu = script->plan->placement == PLAN_NOT_PLACED ? -1 : 0;
}

/* Ends the run for all workers at time_ns. Later events do not happen. */
static void cut(struct script *script, int64_t time_ns)
{
	for (uint32_t i = 0; i < script->n_workers; i++) {
		script->workers[i] = worker_by(&script->workers[i], time_ns);
		if (script->workers[i].status == SAMPLE_RUNNING)
			script->workers[i].status = SAMPLE_INTERRUPTED;
	}
}

/* Makes worker BROKEN fail. Returns the length of the run, which is shorter then. */
static int64_t break_worker(struct script *script, int64_t length_ns)
{
	struct sample_worker *worker = &script->workers[BROKEN];

	if (script->session->broken == SAMPLE_INTERRUPTED) {
		cut(script, length_ns / 2);
		return length_ns / 2 + MS;
	}
	worker->result = 0;
	worker->status = (uint8_t)script->session->broken;
	worker->error = EILSEQ;
	if (script->session->broken != SAMPLE_CRASHED)
		return length_ns;
	worker->error = SIGSEGV;
	worker->finish_ns = length_ns / 3;
	if (plan_has(script->plan, PLAN_PROCESS))
		return length_ns;
	cut(script, worker->finish_ns);
	return worker->finish_ns + 2 * MS;
}

static void stage_run(struct script *script, int64_t span_ns)
{
	span_ns += span_ns / 100 * (noise(10, script->run.run, script->run.case_id) - 500) / 500;
	memset(script->workers, 0, script->n_workers * sizeof(*script->workers));
	if (plan_is_creation(script->plan))
		script->length_ns = stage_creation(script);
	else
		script->length_ns = script->plan->barrier ? stage_set(script, span_ns)
							  : script_tree(script, span_ns);
	for (uint32_t i = 0; i < script->n_workers; i++)
		use_up(script, i);
	if (script->run.run == script->session->broken_run)
		script->length_ns = break_worker(script, script->length_ns);
}

static void add_worker(struct sample_totals *totals, const struct sample_worker *worker)
{
	totals->created += worker->created_ns >= 0;
	totals->finished += worker->finish_ns >= 0;
	totals->joined += worker->join_ns >= 0;
	totals->failed += worker->status == SAMPLE_FAILED || worker->status == SAMPLE_CRASHED;
	totals->user_us += worker->user_us;
	totals->system_us += worker->system_us;
	totals->minflt += worker->minflt;
	totals->majflt += worker->majflt;
	totals->nvcsw += worker->nvcsw;
	totals->nivcsw += worker->nivcsw;
	totals->create_ns = later(totals->create_ns, worker->created_ns);
	totals->migrations += worker->migrations;
	totals->cycles += worker->cycles;
	totals->instructions += worker->instructions;
	totals->cache_misses += worker->cache_misses;
	totals->tlb_misses += worker->tlb_misses;
}

static void forget_counts(struct sample_totals *totals)
{
	totals->migrations = totals->cycles = totals->instructions = -1;
	totals->cache_misses = totals->tlb_misses = -1;
}

static uint32_t peak_alive(const struct script *script)
{
	double *from = calloc(2 * (size_t)script->n_workers, sizeof(*from));
	double *to = from + script->n_workers;
	uint32_t n = 0, ended = 0, peak = 0;

	if (!from)
		abort();
	for (uint32_t i = 0; i < script->n_workers; i++) {
		if (exists_from(&script->workers[i]) < 0)
			continue;
		from[n] = (double)exists_from(&script->workers[i]);
		to[n] = (double)script->workers[i].finish_ns;
		to[n] = to[n] < 0 ? (double)INT64_MAX : to[n];
		n++;
	}
	stats_sort(from, n);
	stats_sort(to, n);
	for (uint32_t i = 0; i < n; i++) {
		while (to[ended] <= from[i])
			ended++;
		peak = i + 1 - ended > peak ? i + 1 - ended : peak;
	}
	free(from);
	return peak;
}

static void sum_up(const struct script *script, struct sample_totals *totals)
{
	bool broken = script->run.run == script->session->broken_run;

	*totals = (struct sample_totals) {.cgroup_kb = -1,
					  .queue_most = -1,
					  .children = -1,
					  .throttled_periods = -1,
					  .throttled_us = -1,
					  .energy_uj = -1,
					  .left_running = -1,
					  .read_nothing = -1,
					  .program_output = -1,
					  .cut_ns = -1,
					  .printed = -1,
					  .printed_reason = -1,
					  .threads = -1,
					  .processes = -1,
					  .wall_ns = -1,
					  .begin_ns = script->begin_ns,
					  .go_ns = !script->plan->barrier   ? -1
						   : script->session->wakes ? script->go_ns
									    : 800 * US,
					  .elapsed_ns = script->length_ns,
					  .workers = script->n_workers,
					  .peak_alive = peak_alive(script),
					  .read_kb = 786432,
					  .written_kb = 262150,
					  .disk_read_kb = 0,
					  .disk_written_kb = -1,
					  .hello_lines = -1,
					  .memory = script->peak,
					  .self_cpu_us = script->length_ns / MS * 3,
					  .others = script->session->others,
					  .stat_user_us = -1,
					  .stat_system_us = -1,
					  .checked_kb = 524288,
					  .fault_ns = -1,
					  .noticed_ns = -1,
					  .tasks = -1,
					  .task_create_ns = -1,
					  .survived = -1,
					  .steps = -1,
					  .steps_ns = -1,
					  .steps_span_ns = -1,
					  .steps_faults = -1,
					  .copied_kb = -1,
					  .fairness = -1,
					  .messages = -1,
					  .wrong_results = -1,
					  .increments_lost = -1,
					  .slices_lost = script->session->slices ? 0 : -1,
					  .steal = 3,
					  .drain_us = -1,
					  .terminal_us = -1};
	for (uint32_t i = 0; i < script->n_workers; i++)
		add_worker(totals, &script->workers[i]);
	if (!script->session->counters || broken)
		forget_counts(totals);
	totals->paused = script->run.run == script->session->paused_run;
	totals->status = (uint8_t)(broken ? script->session->broken : SAMPLE_OK);
	if (broken)
		snprintf(totals->reason, sizeof(totals->reason), "worker %u %s", BROKEN + 1,
			 sample_status_name(script->session->broken));
}

static bool is_last_of_crowded(const struct script *script)
{
	const struct synthetic *session = script->session;

	return session->crowded_trial > 0 && script->run.trial == session->crowded_trial &&
	       (script->run.run + 1) % session->cases == 0;
}

static int tell_end(struct script *script)
{
	uint32_t n = changes(script, INT64_MAX);
	struct sample_totals *totals = &script->sample.end.totals;
	char reason[sizeof(totals->reason)];
	int err;

	sum_up(script, totals);
	totals->planned_trials = (int32_t)script->session->planned;
	totals->repeated = is_last_of_crowded(script);
	if (totals->repeated)
		totals->others = 500;
	memcpy(reason, totals->reason, sizeof(reason));
	script->sample.end.n_workers = n;
	script->sample.end.workers = script->changed;
	script->sample.end.n_buckets = 0;
	script->sample.end.n_requests = 0;
	script->sample.end.n_wakes = 0;
	err = hand_over(script, SAMPLE_RUN_END, script->time_ns);
	if (!err && reason[0])
		err = tell_message(script, SAMPLE_ERROR, reason);
	return err;
}

static int play_run(struct script *script, uint32_t case_id)
{
	int err;

	script->run.case_id = case_id;
	script->begin_ns = script->time_ns;
	script->told_ns = -1;
	script->peak = sample_memory_unknown();
	script->plan = &script->session->list[case_id].plan;
	script->n_workers = plan_count(script->plan);
	script->workers = calloc(script->n_workers, sizeof(*script->workers));
	script->changed = calloc(script->n_workers, sizeof(*script->changed));
	script->turns = calloc(script->n_workers, sizeof(*script->turns));
	if (!script->workers || !script->changed || !script->turns)
		abort();
	stage_run(script,
		  script->session->span_ns[case_id] *
			  (case_id == 1 && script->session->crowded_trial > 0 &&
					   script->run.trial == script->session->crowded_trial
				   ? 10
				   : 1));
	script->in_run = true;
	err = hand_over(script, SAMPLE_RUN_BEGIN, script->begin_ns);
	if (!err)
		err = pass(script, script->begin_ns + script->length_ns + MS);
	if (!err)
		err = tell_slices(script, script->time_ns - script->begin_ns);
	if (!err)
		err = tell_end(script);
	script->in_run = false;
	free(script->turns);
	free(script->workers);
	free(script->changed);
	return err;
}

/* Plays a trial. The order of the models alternates between trials. */
static int play_trial(struct script *script, uint32_t trial)
{
	uint32_t cases = script->session->cases;
	int err = 0;

	for (uint32_t i = 0; i < cases && !err; i++) {
		err = pass(script, script->time_ns + 187654321);
		if (err)
			break;
		script->run.trial =
			trial < script->session->warmup ? 0 : trial - script->session->warmup + 1;
		err = play_run(script, trial % 2 ? cases - 1 - i : i);
		script->run.run++;
	}
	return err;
}

static int play(struct script *script)
{
	uint32_t trials = script->session->warmup + script->session->trials;
	int err = tell_session(script);

	trials += script->session->crowded_trial > 0;

	script->run.planned = trials * script->session->cases;
	script->time_ns = 50 * MS;
	if (!err)
		err = tell_message(script, SAMPLE_WARNING,
				   "The frequency of the cores is not known: no cpufreq here.");
	for (uint32_t trial = 0; trial < trials && !err; trial++)
		err = play_trial(script, trial);
	if (!err)
		err = pass(script, script->time_ns + 250 * MS);
	return err ? err : hand_over(script, SAMPLE_DONE, script->time_ns);
}

int synthetic_play(const struct synthetic *session,
		   int (*take)(void *arg, const struct sample *sample), void *arg)
{
	struct script *script = calloc(1, sizeof(*script));
	int err;

	if (!script)
		abort();
	*script = (struct script) {.session = session, .take = take, .arg = arg};
	script->cores = calloc(session->cores, sizeof(*script->cores));
	if (!script->cores)
		abort();
	err = play(script);
	free(script->cores);
	free(script);
	return err == OVER ? 0 : err;
}

static int into_model(void *arg, const struct sample *sample)
{
	return model_apply(arg, sample);
}

void synthetic_model(const struct synthetic *session, struct model *model)
{
	model_init(model);
	if (synthetic_play(session, into_model, model) != 0)
		abort();
}

void synthetic_changed(struct model *model)
{
	for (int i = 0; i < METRICS; i++)
		model->families->of[i].valid = false;
	model_values_forget(model);
	model->n_replaced = 0;
	for (size_t i = 0; i < model->n_runs; i++) {
		if (model->runs[i].replaced_ns == 0)
			continue;
		assert_true(array_grow(&model->replaced, model->n_replaced, &model->cap_replaced,
				       sizeof(*model->replaced)));
		model->replaced[model->n_replaced++] = (uint32_t)i;
	}
}
