/* SPDX-License-Identifier: MIT */
#include "experiment_parts.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "core/sample_run.h"

/*
 * An experiment's first size is the default and needs no options. The same is true for its first
 * offer of models.
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
		.about = "20 threads create 3 each, and each of those creates 82: 5,000 in all (-t "
			 "20x3x82)",
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
		.look = "Curve (5) shows the median at each number of workers; m chooses time, CPU "
			"time "
			"or memory.",
		.example = "tuibench scaling -w mem=2 -s workers=2,4,8",
		.question = "Threads or processes: which scale better?",
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
		.no_own = "needs workers that do something; the workers of creation do nothing",
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
		.look = "Results (4) shows how long a round trip takes in each way, on one core "
			"and on two.",
		.example = "tuibench switch -s via=pipe,futex",
		.question = "What does a switch between two workers cost?",
		.about = "2 workers that play ping-pong in six ways (-s via), on one "
			 "core (-s cores=1) and on two (-s cores=2)",
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
		.about = "2 groups of 5 senders and 5 receivers, 100 bytes a message, through a "
			 "pipe and a socketpair (-s via)",
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
		.look = "Curve (5) shows how long a task must be before a pool stops paying off.",
		.example = "tuibench pool -m pool:2,pool:8 -s size=10K,1M",
		.question = "How short must tasks be for a pool to pay off?",
		.about = "1,000 tasks, done by a pool of threads or processes, or by a new one for "
			 "each "
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
		.question = "Which server is fastest: fork, thread, pool or poll?",
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
		.about =
			"a program (-c 'sort FILE'), started afresh for each run; a single one has "
			"two rows, started from a thread and from a process (-m processes: "
			"one row); several are compared; {n} in a command stands for each value of "
			"-s n=2..8",
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

const char *experiment_ways(const struct experiment_kind *kind, char text[EXPERIMENT_WAYS])
{
	struct sentence ways = sentence_in(text, EXPERIMENT_WAYS);
	const char *way = "";

	if (kind->serves)
		way = "tcp,unix";
	else if (kind->vias)
		way = kind->vias + strlen("via=");
	while (*way) {
		const size_t n = strcspn(way, ",");

		sentence_join(&ways, ", ", "%.*s", (int)n, way);
		way += n;
		way += *way == ',';
	}
	if (kind->counts)
		sentence_add(&ways, ", plain");
	if (kind->workers[WORK_TOKEN] > 0)
		sentence_add(&ways, ", ucontext");
	return text;
}

int experiment_refuse_way(const struct experiment_build *build)
{
	const struct request *request = build->request;
	const char *way = via_names[request->via];
	char ways[EXPERIMENT_WAYS];

	if (request->via == VIA_NONE)
		way = counting_names[request->counting];
	return REFUSE(build, "-s via=%s: \"%s\" is not one of %s", way, way,
		      experiment_ways(build->kind, ways));
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

/*
 * Returns the settings that the experiment varies by default; NULL: none. If the user gave a value
 * to the number of workers, or to the size of their work, that setting is not varied.
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

uint32_t experiment_warmups(const struct experiment *experiment)
{
	return experiment->request.warmup + experiment->plain_rounds;
}

uint32_t experiment_runs(const struct experiment *experiment)
{
	const struct request *request = &experiment->request;

	return (experiment_warmups(experiment) + request->trials) * experiment->n_cases;
}

/*
 * Returns the case at this position in the shuffled order. All cases of a block follow one another,
 * at the position of the block's first case.
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
	const uint32_t n = experiment->n_cases, warmups = experiment_warmups(experiment);
	const uint32_t position = run % n;
	uint32_t round = run / n;

	*out = (struct sample_run) {.run = run, .case_id = position};
	out->planned = experiment_runs(experiment);
	if (round >= request->warmup && round < warmups) {
		out->case_id = experiment->plain_case;
		return;
	}
	if (round >= warmups) {
		out->trial = round - warmups + 1;
		round -= experiment->plain_rounds;
	}
	if (request->order == ORDER_RANDOM)
		out->case_id = drawn_case(experiment, round, position);
	/*
	 * The order is reversed in every second trial, so each case has the same mean position over
	 * two trials.
	 */
	if (request->order == ORDER_ALTERNATE) {
		const bool turned = out->trial > 0 && out->trial % 2 == 0;

		out->case_id = drawn_case(experiment, (out->trial + 1) / 2,
					  turned ? n - 1 - position : position);
	}
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
