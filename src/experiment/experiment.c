/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/names.h"
#include "base/array.h"
#include "base/units.h"
#include "base/utf8.h"
#include "core/sample_run.h"
#include "experiment/setting.h"
#include "work/workload.h"

/*
 * The first size of each experiment is its default. The menu offers no choice among the values of
 * one setting, because the setting itself offers them.
 */
static const struct experiment_kind experiment_kinds[] = {
	{
		.name = "mixed",
		.look = "Overview (1) shows whose bars end first, and Timeline (2) who waits for a "
			"core.",
		.example = "tuibench -s alloc=0,400",
		.question = "Threads or processes: which are faster?",
		.about = "6 cpu + 2 io workers, started together, as threads and as processes",
		.seconds = 6,
		.models = "threads,processes",
		.sizes = {{"6 cpu + 2 io", ""},
			  {"2 cpu", "-w cpu=2"},
			  {"4 cpu", "-w cpu=4"},
			  {"8 cpu", "-w cpu=8"},
			  {"8 io", "-w io=8"},
			  {"12 cpu + 4 io", "-w cpu=12,io=4"}},
		.workers = {[WORK_CPU] = 6, [WORK_IO] = 2},
	},
	{
		.name = "tree",
		.look = "Overview (1) shows how each level fills and drains. Timeline (2) has a "
			"row for each branch.",
		.example = "tuibench tree -m threads,processes,hybrid",
		.question = "How long does it take to create a whole tree of tasks?",
		.about = "20 threads, each creates 3, each of those 82: 5,000 in all (-t 20x3x82)",
		.seconds = 5,
		.models = "threads",
		.sizes = {{"20x3x82 = 5,000", ""},
			  {"5000", "--tree 5000"},
			  {"50x99 = 5,000", "--tree 50x99"},
			  {"these three", "--tree 5000,50x99,20x3x82"},
			  {"4x5x24 = 504", "--tree 4x5x24"}},
		.tree = "20x3x82",
	},
	{
		.name = "scaling",
		.look = "Curve (5) shows the cost of each extra worker; m chooses time, CPU time "
			"or memory.",
		.example = "tuibench scaling -w mem=2 -s workers=2,4,8",
		.question = "What does each extra worker cost on one core?",
		.about = "2 to 8 workers on one CPU: fp, mem and write, each kind by itself",
		.seconds = 120,
		.note = " (42 configurations of 16 trials)",
		.models = "threads,processes",
		.sizes = {{"2 to 8 workers", ""},
			  {"2 to 4 workers", "-s workers=2..4"},
			  {"1, 2, 4, 8, 16 workers", "-s workers=1,2,4,8,16"},
			  {"2 to 8 fp workers", "-w fp=2"},
			  {"2 to 8 mem workers", "-w mem=2"},
			  {"2 to 8 write workers", "-w write=2"}},
		.workers = {[WORK_FP] = 2, [WORK_MEM] = 2, [WORK_WRITE] = 2},
		.work_size = {[WORK_FP] = 12000000, [WORK_MEM] = 4 << 20, [WORK_WRITE] = 10 << 20},
		.sweep = "workers=2..8",
		.by_kind = true,
		.one_core = true,
		.interval_ms = 50,
		.holds_for_memory = true,
	},
	{
		.name = "hello",
		.look = "Curve (5) shows time over the number of lines, and where two models "
			"cross.",
		.example = "tuibench hello -s size=10,100,900 -s sink=pipe,null",
		.question = "Which says hello fastest: threads, processes, a mix?",
		.about = "255 workers that say hello 10 to 900 times, as threads, processes and a "
			 "mix",
		.seconds = 40,
		.models = "threads,processes,hybrid",
		.sizes = {{"255 workers, 10 to 900 lines", ""},
			  {"255 workers, 10, 100, 900 lines", "-s size=10,100,900"},
			  {"15 workers, 10 to 900 lines", "-w hello=15"}},
		.workers = {[WORK_HELLO] = 255},
		.sweep = "size=10,50,100..900:100",
		.hybrid_side = 16,
		.interval_ms = 40,
		.holds_for_memory = true,
	},
	{
		.name = "creation",
		.look = "Curve (5) shows, for each way to create a task, the time until the call "
			"returns and until the task runs.",
		.example = "tuibench creation -s ballast=0,1G",
		.question = "What does it cost to create one task?",
		.about =
			"one task after another, by fork, vfork, posix_spawn, fork+exec, clone and "
			"pthread_create",
		.seconds = 20,
		.models = "fork,vfork,posix_spawn,fork+exec,pthread_create,pthread_create:cold,"
			  "clone,clock_gettime",
		.sizes = {{"200 times", ""},
			  {"50 times", "-w null=50"},
			  {"1,000 times", "-w null=1000"},
			  {"with 0 and 256 MiB in the parent", "-s ballast=0,256M"}},
		.workers = {[WORK_NULL] = 200},
		.offers = {{"all ways", ""},
			   {"fork, pthread_create", "--models fork,pthread_create"},
			   {"fork, vfork, posix_spawn, fork+exec",
			    "--models fork,vfork,posix_spawn,fork+exec"},
			   {"pthread_create, its :cold, clone",
			    "--models pthread_create,pthread_create:cold,clone"}},
		.creates = true,
		.no_own = "needs workers that do something; those of creation do nothing",
	},
	{
		.name = "crash",
		.look = "Results (4) shows how many workers survive, and when their parent "
			"noticed.",
		.example = "tuibench crash -s fault=segv,abort,overrun",
		.question = "One worker crashes: who dies with it?",
		.ballot = "How many workers survive?",
		.about = "4 cpu workers, one of which crashes halfway through its work (-s fault "
			 "says how)",
		.seconds = 4,
		.models = "threads,processes,hybrid",
		.workers = {[WORK_CPU] = 4},
		.fault = FAULT_SEGV,
		.trials = 6,
	},
	{
		.name = "switch",
		.look = "Results (4) shows the round trip of each way, on one core and on two.",
		.example = "tuibench switch -s via=pipe,futex",
		.question = "What does a switch between two workers cost?",
		.about = "2 workers that play ping-pong in six ways (-s via), on one "
			 "core and on two",
		.seconds = 40,
		.models = "threads,processes",
		.sizes = {{"six ways", ""},
			  {"pipe, futex, memory", "-s via=pipe,futex,memory"},
			  {"a pipe, 50,000 round trips", "-s via=pipe -s size=50000"}},
		.workers = {[WORK_TOKEN] = 2},
		.vias = "via=pipe,socketpair,eventfd,futex,signal,memory",
	},
	{
		.name = "messages",
		.look = "Results (4) shows messages per second, and how long each takes.",
		.example = "tuibench messages -s group=1x19 -w message=20",
		.question = "How long until all messages arrive?",
		.about = "2 groups of 5 senders and 5 receivers, 100 bytes a message, by pipe and "
			 "socketpair (-s via)",
		.seconds = 9,
		.models = "threads,processes",
		.sizes = {{"2 groups, pipe, socketpair", ""},
			  {"1 group", "-w message=10"},
			  {"1 sender, 19 receivers", "-w message=20 -s group=1x19"},
			  {"10 groups, 200 messages", "-w message=100 -s size=200"}},
		.workers = {[WORK_MESSAGE] = 20},
		.vias = "via=pipe,socketpair",
	},
	{
		.name = "share",
		.look = "Curve (5) shows how much each extra worker slows the counting.",
		.example = "tuibench share -s via=mutex,atomic,plain",
		.question = "What does it cost to share a counter?",
		.about = "1, 2, 4 ... workers (up to one for each core) add to a counter: under a "
			 "mutex, under a "
			 "spinlock, atomically, or each by itself (-s via)",
		.seconds = 30,
		.models = "threads,processes",
		.sizes = {{"1 to all cores", ""},
			  {"1 to 4 workers", "-s workers=1,2,4"},
			  {"a mutex and an atomic", "-s via=mutex,atomic"}},
		.workers = {[WORK_SHARE] = 2},
		.sweep = "workers=1,2",
		.to_all_cores = true,
		.counts = true,
		.vias = "via=mutex,spinlock,atomic,false,line",
	},
	{
		.name = "cow",
		.look = "Curve (5) shows time over the share of pages written, and Memory (3) what "
			"was copied.",
		.example = "tuibench cow -s ballast-pages=small,huge",
		.question = "What does a write cost after a fork?",
		.about = "a worker writes to 10 to 100 % of the pages of its parent's 64 MiB, as "
			 "a thread and as a process",
		.seconds = 9,
		.models = "threads,processes",
		.sizes = {{"10 to 100 % of 64 MiB", ""}, {"by 4 workers", "-w touch=4"}},
		.workers = {[WORK_TOUCH] = 1},
		.sweep = "touch.size=10,25,50,100",
		.ballast = "ballast=64M",
	},
	{
		.name = "pool",
		.look = "Curve (5) shows how long a task must be until both cost the same.",
		.example = "tuibench pool -m pool:2,pool:8 -s size=10K,1M",
		.question = "How short must tasks be for a pool to pay off?",
		.about = "1,000 tasks: by a pool of threads or processes, or a new one for each "
			 "task",
		.seconds = 45,
		.models = "pool,threads,prefork,processes",
		.sizes = {{"1,000 tasks of 10 µs to 10 ms", ""},
			  {"tasks of 10 µs", "-s size=5000"},
			  {"tasks of 1 ms", "-s size=500000"},
			  {"pools of 2, 4 and 8", "--models pool:2,pool:4,pool:8"}},
		.workers = {[WORK_FP] = 1},
		.sweep = "size=5K,50K,500K,2M,5M,20M",
		.offers = {{"pools, or a new worker for each task", ""},
			   {"a pool of threads, or a thread each", "--models pool,threads"},
			   {"prefork, or a process each", "--models prefork,processes"},
			   {"pool, prefork", "--models pool,prefork"}},
		.hands_out = true,
		.no_own = "cannot be a task of pool: its tasks compute (-w fp=4, -w cpu=4)",
		.interval_ms = 20,
	},
	{
		.name = "server",
		.look = "Results (4) shows requests per second, and how long they take. In Curve "
			"(5), one model after another reaches its limit.",
		.example = "tuibench server -s clients=1,10,100",
		.question = "A server: fork, thread, pool or poll?",
		.about = "10 clients of a server that computes, with a thread or process for each "
			 "connection, pools of them, or one event loop",
		.seconds = 15,
		.models = "threads,processes,pool,prefork,events",
		.sizes = {{"10 clients", ""},
			  {"1, 10, 100 clients", "-s clients=1,10,100"},
			  {"requests that wait 10 ms", "-s work=0 -s wait=10ms"},
			  {"requests that compute 1 ms", "-s work=500K"},
			  {"100 requests a connection", "-s keep-alive=100"}},
		.workers = {[WORK_SERVE] = 4},
		.offers = {{"threads, processes, pool, prefork, events", ""},
			   {"threads, processes, events", "--models threads,processes,events"},
			   {"pools of 2, 4 and 8 threads", "--models pool:2,pool:4,pool:8"},
			   {"pool, prefork, hybrid", "--models pool,prefork,hybrid"},
			   {"one event loop, and two", "--models events,events:2"}},
		.serves = true,
		.no_own = "cannot be the work of a server; leave one of them out",
		.interval_ms = 50,
	},
	{
		.name = "own",
		.look = "Overview (1) shows whose bars end first, and Results (4) time, CPU time "
			"and memory.",
		.example = "tuibench --own ./mine.so,1M -m threads,processes",
		.question = "How does my own function behave in each model?",
		.about = "4 workers that run your function (--own ./mine.so), as threads, "
			 "processes and a mix",
		.seconds = 40,
		.note = " if one run takes half a second",
		.models = "threads,processes,hybrid",
		.workers = {[WORK_OWN] = 4},
	},
	{
		.name = "command",
		.look = "Results (4) shows time, CPU time and memory of each program.",
		.example = "tuibench -c 'sort FILE' -c 'sort -S 1M FILE'",
		.question = "How do programs of my own compare?",
		.about = "a program (-c 'sort FILE'), started afresh for each run; several are "
			 "compared",
		.seconds = 2,
		.note = " and the time of 32 runs",
		.models = "threads,processes",
		.sizes = {{"true, which does nothing", ""},
			  {"four of them at once", "-w program=4"},
			  {"true against false", "-c true -c false -s ignore-failure=yes"}},
		.workers = {[WORK_PROGRAM] = 1},
	},
	{
		.name = "python",
		.look = "Timeline (2) shows the tasks of each program, and Results (4) time and "
			"CPU time.",
		.example = "tuibench python -s env:WORKERS=1,2,4",
		.question = "Do threads help in Python, or only processes?",
		.about = "a script that computes with a worker for each CPU, as threads, as "
			 "processes and, from Python 3.12 on, as interpreters",
		.seconds = 20,
		.models = "processes",
		.workers = {[WORK_PROGRAM] = 1},
		.script = "lectures/python.py",
	},
};

#define DEFAULT_INTERVAL_MS 100
#define TITLE_LIST	    24

#define EXPERIMENT_KINDS LENGTH(experiment_kinds)

const struct experiment_kind *experiment_at(size_t i)
{
	if (i < EXPERIMENT_KINDS)
		return &experiment_kinds[i];
	return NULL;
}

const struct experiment_kind *experiment_find(const char *name)
{
	for (size_t i = 0; i < EXPERIMENT_KINDS; i++)
		if (strcmp(experiment_kinds[i].name, name) == 0)
			return &experiment_kinds[i];
	return NULL;
}

void request_init(struct request *request)
{
	*request = (struct request) {
		.senders = WORK_MESSAGE_SIDE,
		.receivers = WORK_MESSAGE_SIDE,
		.serving = {.clients = 10, .kept = 1, .request = 100, .reply = 1000, .work = 10000},
		.warmup = 1,
		.order = ORDER_RANDOM,
		.cache = SAMPLE_CACHE_WARM,
	};
	for (int i = 0; i < WORK_KINDS; i++)
		request->workers[i] = -1;
	CPU_ZERO(&request->pin);
}

/* Returns the experiment that the other options imply. */
static const char *usual_experiment(const struct request *request)
{
	if (request->tree)
		return "tree";
	if (request->work)
		return "own";
	if (request->n_programs > 0)
		return "command";
	return experiment_kinds[0].name;
}

static int find_kind(struct experiment_build *build)
{
	struct request *request = build->request;

	if (!request->experiment)
		request->experiment = usual_experiment(request);
	build->kind = experiment_find(request->experiment);
	if (!build->kind)
		return REFUSE(build, "%s: unknown experiment; --help experiments lists them",
			      request->experiment);
	if (request->tree && !build->kind->tree)
		return REFUSE(build,
			      "--tree: \"%s\" is not for %s, which runs a set of workers; leave "
			      "one of them out",
			      request->tree, request->experiment);
	if (!request->tree)
		request->tree = build->kind->tree;
	request->fault = build->kind->fault;
	request->fault_percent = 50;
	if (request->interval_ms == 0) {
		if (build->kind->interval_ms)
			request->interval_ms = build->kind->interval_ms;
		else
			request->interval_ms = DEFAULT_INTERVAL_MS;
	}
	return 0;
}

/*
 * Returns the settings that the experiment varies by default. If the user gave a value to the
 * number of workers, or to the size of their work, that setting is not varied.
 */
const char *experiment_usual_sweep(const struct experiment_build *build)
{
	/* Each value is twice the previous one. More than 16 workers would make too many cases. */
	static const char *const sweeps[] = {"workers=1,2", "workers=1,2,4", "workers=1,2,4,8",
					     "workers=1,2,4,8,16"};
	const struct request *request = build->request;
	const char *sweep = build->kind->sweep;
	cpu_set_t set = request->pin;
	size_t fit = 0;
	bool workers = sweep && strncmp(sweep, "workers=", 8) == 0, asked = false;

	for (size_t i = 0; i < WORK_KINDS; i++)
		asked |= build->kind->to_all_cores && request->workers[i] >= 0;
	for (size_t i = 0; request->settings[i]; i++) {
		size_t n = strcspn(request->settings[i], "=");
		bool of_size = n >= 4 && strncmp(request->settings[i] + n - 4, "size", 4) == 0;

		asked |= workers ? strncmp(request->settings[i], "workers=", 8) == 0 : of_size;
	}
	if (!sweep || asked)
		return NULL;
	if (!build->kind->to_all_cores)
		return sweep;
	if (request->pinned || !sched_getaffinity(0, sizeof(set), &set))
		while (fit + 1 < LENGTH(sweeps) && CPU_COUNT(&set) >= 4 << fit)
			fit++;
	return sweeps[fit];
}

enum work_kind experiment_largest_kind(const struct request *request)
{
	int largest = 0;

	for (int i = 1; i < WORK_KINDS; i++) {
		if (request->workers[i] > request->workers[largest])
			largest = i;
	}
	return (enum work_kind)largest;
}

/*
 * Returns the name of the work in the title. A function of the user has the name that its object
 * reports; a program has the given or the typed name. In anonymous recordings, both are named by
 * their kind.
 */
static const char *title_work(const struct request *request, enum work_kind kind)
{
	if (kind == WORK_OWN && request->own.name[0] && !request->anonymous)
		return request->own.name;
	if (kind == WORK_PROGRAM && request->n_programs == 1 && request->n_names == 1)
		return request->program_names[0];
	if (kind == WORK_PROGRAM && request->n_programs == 1 && !request->anonymous)
		return request->programs[0];
	return plan_work_name(kind);
}

/* A program gets at most this many columns of a title. The settings need the rest. */
enum { TITLE_NAME = 40 };

/*
 * Writes the title's beginning, such as "6 cpu + 2 io workers" or "2 programs, 4 of one at once".
 */
static void title_set(const struct experiment_build *build, struct sentence *title)
{
	char fit[SAMPLE_COMMAND];
	const char *name;
	const struct request *request = build->request;
	const int64_t *workers = request->workers;
	const bool sweeps = experiment_grid_has(build->grid, "workers");
	const bool talks = workers[WORK_MESSAGE] > 0;
	int64_t groups = workers[WORK_MESSAGE] / (request->senders + request->receivers), all = 0;
	bool counted = false;

	/* For pairs, groups and writers, say what they do. Count workers of other kinds. */
	if (!sweeps && workers[WORK_TOKEN] > 0)
		sentence_add(title, "%" PRId64 " workers, %s round trips", workers[WORK_TOKEN],
			     UNITS_COUNT(build->experiment->cases[0].work_size[WORK_TOKEN]));
	else if (!sweeps && talks && experiment_grid_has(build->grid, "group"))
		sentence_add(title, "%" PRId64 " workers", workers[WORK_MESSAGE]);
	else if (!sweeps && talks)
		sentence_add(title, "%" PRId64 " group%s of %u sender%s, %u receiver%s", groups,
			     sentence_plural(groups), request->senders,
			     sentence_plural(request->senders), request->receivers,
			     sentence_plural(request->receivers));
	else if (!sweeps && build->kind->workers[WORK_TOUCH] > 0)
		sentence_add(title, "%" PRId64 " writer%s", workers[WORK_TOUCH],
			     sentence_plural(workers[WORK_TOUCH]));
	if (title->used)
		return;
	for (size_t i = 0; i < WORK_KINDS; i++) {
		enum work_kind kind = plan_work_order[i];
		int64_t n = request->workers[kind];
		bool programs = kind == WORK_PROGRAM && request->n_programs > 1;

		if (n == 0)
			continue;
		if (title->used)
			sentence_add(title, "%s", build->kind->by_kind ? ", " : " + ");
		if (programs)
			sentence_add(title, "%u programs", request->n_programs);
		if (programs && !sweeps && n > 1)
			sentence_add(title, ", %" PRId64 " of one at once", n);
		if (programs)
			continue;
		if (!sweeps)
			sentence_add(title, "%" PRId64 " ", n);
		name = title_work(request, kind);
		sentence_add(title, "%s",
			     names_fit(&name, 1, 0, TITLE_NAME, "...", fit, sizeof(fit)));
		counted |= !sweeps && kind != WORK_PROGRAM && kind != WORK_OWN;
		all += n;
	}
	if (counted)
		sentence_add(title, " worker%s", sentence_plural(all));
}

/*
 * Adds a setting, such as ", alloc=0,400". If a list is too long, adds only its name; cuts off
 * another value that is too long.
 */
static void title_setting(const struct experiment_build *build, const char *typed,
			  struct sentence *title)
{
	char name[VARIABLE_NAME], value[TITLE_LIST + 1];
	size_t n = strcspn(typed, "=");

	snprintf(name, sizeof(name), "%.*s", (int)n, typed);
	snprintf(value, sizeof(value), "%.*s", TITLE_LIST - 3, typed + n + 1);
	utf8_trim(value);
	if (strlen(typed + n + 1) <= TITLE_LIST)
		sentence_add(title, ", %s", typed);
	else if (experiment_grid_has(build->grid, name))
		sentence_add(title, ", %s", name);
	else
		sentence_add(title, ", %s=%s...", name, value);
}

static void write_title(struct experiment_build *build)
{
	struct experiment *experiment = build->experiment;
	const struct request *request = &experiment->request;
	const struct experiment_kind *kind = build->kind;
	char text[16 * SAMPLE_LABEL] = "", shown[4 * sizeof(text)];
	char hidden[VARIABLE_NAME + sizeof("=(hidden)")];
	struct sentence title = {text, sizeof(text), 0},
			kept = {experiment->title, SAMPLE_LABEL, 0};
	uint32_t most = 0;
	size_t end = 0;

	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const struct plan *plan = &experiment->cases[i].plan;
		if (kind->hands_out || kind->serves)
			most = MAX(plan->tasks, most);
		else
			most = MAX((uint32_t)plan_count(plan), most);
	}
	if (kind->tree && !strchr(request->tree, ',')) {
		sentence_add(&title, "tree %s: %s tasks", request->tree, UNITS_COUNT(most));
	} else if (kind->tree) {
		sentence_add(&title, "trees ");
		for (const char *c = request->tree; *c; c++) {
			sentence_add(&title, "%c", *c);
			if (*c == ',')
				sentence_add(&title, " ");
		}
	} else if (kind->creates) {
		sentence_add(&title, "creating a task, %s times", UNITS_COUNT(most));
	} else if (kind->serves) {
		sentence_add(&title, "%s requests", UNITS_COUNT(most));
		if (!experiment_typed(request, "clients"))
			sentence_add(&title, " of %u client%s", request->serving.clients,
				     sentence_plural(request->serving.clients));
	} else if (kind->hands_out) {
		enum work_kind work = experiment_largest_kind(request);

		sentence_add(&title, "%s tasks of %s, %" PRId64 " at once", UNITS_COUNT(most),
			     plan_work_name(work), request->workers[work]);
	} else {
		title_set(build, &title);
	}
	for (size_t i = 0; request->settings[i]; i++)
		if (!setting_of(request, request->settings[i])->of_recording)
			title_setting(build,
				      setting_recorded(request, request->settings[i], hidden,
						       sizeof(hidden)),
				      &title);
	for (size_t i = 0; i < build->grid->n; i++)
		if (!build->grid->options[i].inner &&
		    !experiment_typed(request, build->grid->options[i].name))
			title_setting(build, build->grid->options[i].typed, &title);
	if (kind->one_core && request->pinned && !experiment_typed(request, "pin"))
		sentence_add(&title, ", CPU %s",
			     units_format_cpulist((char[32]) {0}, 32, &request->pin));
	if (kind->ballast && !experiment_typed(request, "ballast"))
		sentence_add(&title, ", %s", kind->ballast);
	/* Escape the typed text: it may have any bytes, and the title is written to terminals. */
	utf8_escape(text, shown, sizeof(shown));
	/* Take only whole parts, then "..." if some are missing. */
	for (size_t i = 1; i + sizeof(", ...") <= SAMPLE_LABEL; i++) {
		if (!shown[i])
			break;
		if (shown[i] == ',' && shown[i + 1] == ' ')
			end = i;
	}
	if (strlen(shown) >= SAMPLE_LABEL && end > 0)
		strcpy(shown + end, ", ...");
	sentence_add(&kept, "%s", shown);
}

/*
 * Makes an experiment without cases. Does not clear the memory for cases, which is large and mostly
 * unused.
 */
static void begin_experiment(struct experiment *experiment, const struct request *request)
{
	memset(experiment, 0, offsetof(struct experiment, each));
	experiment->request = *request;
}

/*
 * Adds a value to the case. In anonymous recordings, a number replaces the name of a program or a
 * file and the value of a variable.
 */
static int add_value(const struct experiment_build *build, const struct experiment_vary *vary,
		     const char *value, struct sample_case *to)
{
	const struct request *request = build->request;
	char numbered[32], hidden[VARIABLE_NAME + sizeof("=(hidden)")];
	size_t i = 0;

	while (vary->values[i] != value)
		i++;
	snprintf(numbered, sizeof(numbered), "value %zu", i + 1);
	if (setting_recorded(request, vary->typed, hidden, sizeof(hidden)) == hidden)
		value = numbered;
	if (variables_find(&to->variables, vary->variable))
		return REFUSE(build,
			      "-s %s: the session already varies something with that name; choose "
			      "another name for {%s}",
			      vary->typed, vary->name);
	variables_add(&to->variables, vary->variable, value);
	return 0;
}

/*
 * Builds and checks each combination of values as an experiment of its own. The session gets the
 * cases of all of them.
 */
static int build_grid(struct experiment_build *build, struct experiment *part)
{
	const struct experiment_grid *grid = build->grid;
	const struct request request = *build->request;
	struct experiment *all = build->experiment;
	size_t n = 1;

	for (size_t i = 0; i < grid->n; i++)
		n *= grid->options[i].n;
	for (size_t i = 0; i < n; i++) {
		struct experiment_build combination = *build;
		int err;

		combination.experiment = part;
		combination.request = &part->request;
		begin_experiment(part, &request);
		err = experiment_grid_set(&combination, i);
		if (!err)
			err = experiment_steps(&combination);
		build->topology = combination.topology;
		if (err)
			return err;
		if (n > SAMPLE_MAX_CASES || all->n_cases + part->n_cases > SAMPLE_MAX_CASES) {
			err = experiment_check_settings(build);
			if (err)
				return err;
			return REFUSE(build,
				      "-s %s: with the other settings, this makes more "
				      "than %d configurations; leave some values out",
				      grid->options[0].typed, SAMPLE_MAX_CASES);
		}
		/*
		 * The session takes the request of the first part, and the largest number of
		 * workers in any part.
		 */
		if (i == 0) {
			all->request = part->request;
			all->one_cpu = part->one_cpu;
			all->holds_for_memory =
				build->kind->holds_for_memory || part->request.all_alive;
		}
		for (int k = 0; k < WORK_KINDS; k++)
			if (part->request.workers[k] > all->request.workers[k])
				all->request.workers[k] = part->request.workers[k];
		for (uint32_t k = 0; k < part->n_cases; k++) {
			struct sample_case *new = &all->cases[all->n_cases];

			all->each[all->n_cases] = part->each[k];
			all->each[all->n_cases++].request = part->request;
			*new = part->cases[k];
			for (size_t v = 0; v < grid->n; v++) {
				if (err)
					break;
				if (!grid->options[v].inner)
					err = add_value(build, &grid->options[v],
							combination.values[v], new);
			}
			if (err)
				return err;
		}
	}
	return 0;
}

/* Builds the session. fits: does not check that the machine has room for the cases. */
static int build_session(const struct request *request, struct experiment *experiment, bool fits,
			 char *error, size_t size)
{
	struct experiment_grid grid = {.n = 0};
	struct experiment_build build = {.experiment = experiment,
					 .request = &experiment->request,
					 .grid = &grid,
					 .fits = fits,
					 .error = error,
					 .size = size};
	struct experiment *part = malloc(sizeof(*part));
	int err;

	if (!part)
		return error_line(error, size, -ENOMEM, "out of memory");
	begin_experiment(experiment, request);
	err = find_kind(&build);
	if (!err)
		err = experiment_grid_read(&build, &grid);
	if (!err)
		err = build_grid(&build, part);
	if (!err)
		err = experiment_check_settings(&build);
	free(build.topology);
	free(part);
	if (err || fits)
		return err;
	/*
	 * Sort the cases by kind of work or way. Within a group, the values of the settings follow
	 * one another.
	 */
	for (uint32_t i = 1; i < experiment->n_cases; i++)
		for (uint32_t j = i;
		     j > 0 && experiment->each[j - 1].group > experiment->each[j].group; j--) {
			const struct experiment_case each = experiment->each[j];
			const struct sample_case config = experiment->cases[j];

			experiment->each[j] = experiment->each[j - 1];
			experiment->each[j - 1] = each;
			experiment->cases[j] = experiment->cases[j - 1];
			experiment->cases[j - 1] = config;
		}
	experiment_trials(&build);
	write_title(&build);
	return 0;
}

int experiment_build(const struct request *request, struct experiment *experiment, char *error,
		     size_t size)
{
	int err = build_session(request, experiment, false, error, size);

	if (err == -ENOENT)
		return -EINVAL;
	return err;
}

int experiment_fits(const struct request *request, char *error, size_t size)
{
	struct experiment *experiment = malloc(sizeof(*experiment));
	int err = -ENOMEM;

	if (experiment)
		err = build_session(request, experiment, true, error, size);
	free(experiment);
	return err;
}

uint32_t experiment_runs(const struct experiment *experiment)
{
	const struct request *request = &experiment->request;

	return (request->warmup + request->trials) * experiment->n_cases;
}

/*
 * Returns the case at this position in the shuffled order. All cases of a block come where the
 * first of them was drawn.
 */
static uint32_t drawn_case(const struct experiment *experiment, uint32_t draw, uint32_t position)
{
	uint32_t order[SAMPLE_MAX_CASES], n = experiment->n_cases, at = 0;
	bool done[SAMPLE_MAX_CASES] = {false};
	uint64_t state = experiment->request.seed + (uint64_t)draw * 0x632be59bd9b4e019u;

	/* Fisher-Yates shuffle of the cases. Each draw has its own random sequence. */
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t i = n - 1; i > 0; i--) {
		uint32_t j = (uint32_t)(random_next(&state) % (i + 1));
		uint32_t kept = order[i];

		order[i] = order[j];
		order[j] = kept;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t block = experiment->each[order[i]].block;

		for (uint32_t j = i; j < n; j++) {
			if (done[block])
				break;
			if (experiment->each[order[j]].block == block && at++ == position)
				return order[j];
		}
		done[block] = true;
	}
	return position;
}

void experiment_run(const struct experiment *experiment, uint32_t run, struct sample_run *out)
{
	const struct request *request = &experiment->request;
	uint32_t n = experiment->n_cases;
	uint32_t round = run / n, position = run % n;

	*out = (struct sample_run) {.run = run, .case_id = position};
	if (round < request->warmup)
		out->trial = 0;
	else
		out->trial = round - request->warmup + 1;
	out->planned = experiment_runs(experiment);
	if (request->order == ORDER_RANDOM)
		out->case_id = drawn_case(experiment, round, position);
	/*
	 * The order is reversed in every second trial, so over two trials every case has the same
	 * mean place in time. For each pair of trials, the first order is drawn. If the number of
	 * trials is odd, the order of the last one is drawn, too.
	 */
	if (request->order == ORDER_ALTERNATE)
		out->case_id = drawn_case(experiment,
					  request->trials % 2 == 1 &&
						  (out->trial + 1) / 2 == (request->trials + 1) / 2,
					  out->trial > 0 && out->trial % 2 == 0 ? n - 1 - position
										: position);
}

static const struct experiment_choice model_choices[] = {
	{"threads, processes", "--models threads,processes"},
	{"threads, processes, hybrid", "--models threads,processes,hybrid"},
	{"threads", "--models threads"},
	{"processes", "--models processes"},
	{"threads twice: the noise", "--models threads,threads"},
	{NULL, NULL},
};
static const struct experiment_choice trial_choices[] = {
	{"enough to find 3 %", ""},
	{"quick", "--quick"},
	{"3, for a first look", "--trials 3"},
	{"6, the fewest for an interval", "--trials 6"},
	{"15", "--trials 15"},
	{"30", "--trials 30"},
	{NULL, NULL},
};
static const struct experiment_choice only_as_it_is[] = {{"as it is", ""}, {NULL, NULL}};

bool experiment_choice(const struct experiment_kind *kind, enum experiment_aspect aspect,
		       size_t choice, struct experiment_choice *out)
{
	const struct experiment_choice *list = trial_choices;
	size_t at = 0;

	/* The experiment's own models come first in the list and need no option. */
	if (aspect == EXPERIMENT_MODELS && !kind->offers[0].label) {
		while (model_choices[at].label &&
		       strcmp(model_choices[at].options + strlen("--models "), kind->models) != 0)
			at++;
		*out = model_choices[choice > at || choice == 0 ? choice : choice - 1];
		if (choice == 0)
			*out = (struct experiment_choice) {
				model_choices[at].label ? model_choices[at].label : kind->models,
				""};
		return out->label != NULL;
	}
	if (aspect == EXPERIMENT_MODELS)
		list = kind->offers;
	else if (aspect == EXPERIMENT_SIZE && kind->sizes[0].label)
		list = kind->sizes;
	else if (aspect == EXPERIMENT_SIZE)
		list = only_as_it_is;
	*out = list[choice];
	return out->label != NULL;
}

/*
 * Returns the work of all runs, in multiples of the workers' default work. In a case without work
 * each worker counts as one, and in a server each nanosecond.
 */
static double runs_work(const struct experiment *experiment)
{
	double all = 0;

	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const struct sample_case *config = &experiment->cases[i];
		double work = 0;

		if (plan_serves(&config->plan))
			work = experiment_server_time(config);
		for (int k = 0; k < WORK_KINDS; k++) {
			uint64_t usual = workload_get((enum work_kind)k)->default_size;
			uint32_t n = config->plan.leaves[k];

			if (n > 0 && config->plan.tasks > 0)
				n = config->plan.tasks;
			if (usual > 0)
				work += (double)n * (double)config->work_size[k] / (double)usual;
		}
		if (work > 0)
			all += work;
		else
			all += plan_count(&config->plan);
	}
	return all * (experiment->request.trials + experiment->request.warmup);
}

double experiment_time(const struct experiment *experiment)
{
	const struct request *request = &experiment->request;
	const struct experiment_kind *kind = experiment_find(request->experiment);
	const char *ballast = experiment_typed(request, "ballast");
	struct experiment *usual;
	struct request row;
	char error[512];
	double work = NAN;

	/*
	 * The experiment's usual time is valid only with the usual ballast and, for a tree, without
	 * work.
	 */
	if (!kind || (ballast && strcmp(ballast, sentence_text(kind->ballast, "ballast=0")) != 0))
		return NAN;
	if (kind->tree) {
		for (int i = 0; i < WORK_KINDS; i++) {
			if (i != WORK_NULL && experiment->cases[0].plan.leaves[i] > 0)
				return NAN;
		}
	}
	/*
	 * Build the experiment with its defaults, to find the work that its usual time is for. This
	 * fails if the machine has no room for that work.
	 */
	usual = calloc(1, sizeof(*usual));
	request_init(&row);
	row.experiment = kind->name;
	if (usual && experiment_build(&row, usual, error, sizeof(error)) == 0)
		work = runs_work(usual);
	free(usual);
	return kind->seconds * runs_work(experiment) / work;
}
