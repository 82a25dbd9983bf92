/* SPDX-License-Identifier: MIT */
#include "experiment/setting.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/environment.h"
#include "base/names.h"
#include "base/units.h"
#include "base/utf8.h"
#include "experiment/argument.h"
#include "experiment_parts.h"
#include "work/workload.h"

#define MAX_ROUNDS 1000000
/*
 * The largest size that a setting accepts, in bytes. A process's address space is at least a
 * hundred times as large, and sums of sizes do not overflow.
 */
#define SETTING_MOST_BYTES (UINT64_C(1) << 40)

static const char env_prefix[] = "env:";
static const char size_suffix[] = ".size";

#define OF(kind) (1u << WORK_##kind)
#define OF_KINDS (OF(KINDS) - 1) /* every kind */

/*
 * Sets of kinds of work that have a size. A new kind belongs to all of them. OF_LEAVES: the leaves
 * of a tree can do it. OF_MORE_LEAVES: also kinds that need -s ballast or --own. OF_ALL: also kinds
 * that no tree has.
 */
#define OF_ALL	       (OF_KINDS & ~(OF(NULL) | OF(PROGRAM) | OF(SERVE) | OF(EVENTS)))
#define OF_MORE_LEAVES (OF_ALL & ~(OF(SHARE) | OF(TOKEN) | OF(MESSAGE)))
#define OF_LEAVES      (OF_MORE_LEAVES & ~(OF(TOUCH) | OF(OWN)))

static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const cache_words[] = {"warm", "cold", "once-cold", NULL};
static const char *const setting_order_words[] = {
	[MEM_RANDOM] = "random", [MEM_SEQUENTIAL] = "sequential", NULL};
static const char *const sink_words[] = {
	[SINK_PIPE] = "pipe", [SINK_FILE] = "file", [SINK_NULL] = "null", NULL};
static const char *const page_words[] = {[BALLAST_SMALL] = "small", [BALLAST_HUGE] = "huge", NULL};
static const char *const policy_words[] = {"other", "batch", "idle", "fifo", "rr", NULL};
static const char *const sched_words[] = {[SCHED_AUTO] = "auto",
					  [SCHED_OWN] = "own",
					  [SCHED_PERF] = "perf",
					  [SCHED_OFF] = "off",
					  NULL};

#define REQUEST(member) offsetof(struct request, member)

static const struct setting settings[] = {
	{"size", "an amount of work, at least 1 (1M)", "each kind's own", "",
	 "workers whose work has a size", "set how much each worker does, in the unit of its kind",
	 SETTING_AMOUNT, REQUEST(size), 1, UINT64_MAX, .works = OF_ALL},
	{"KIND.size", "an amount of work (cpu.size=1M)", "the kind's own", "",
	 "workers of that kind", "set how much each worker of one kind does", SETTING_WORK, 0, 1,
	 UINT64_MAX, .there = "tree", .usual_there = "no work", .works = OF_ALL, .gives = true},
	{"workers", "a whole number from 1 to 4000000", "as many as -w says", "1 2 4 8",
	 "all but trees and creation", "run this many workers in all, in the proportions of -w",
	 SETTING_U32, REQUEST(total), 1, PLAN_MAX_TASKS, .concerns = CONCERNS_SETS},
	{"cores", "a number of CPUs", "all", "1 2 1..", "all but creation",
	 "use this many CPUs; 1.. is 1 to all", SETTING_U32, REQUEST(cores), 1, CPU_SETSIZE,
	 .concerns = CONCERNS_PLACED},
	{"pin", "a list of CPUs (0-2+4 is 0, 1, 2 and 4)", "all", "0", "every session",
	 "use only these CPUs", SETTING_CPUS, 0, .there = "scaling", .usual_there = "the first"},
	{"place", "a place", "any", NULL, "all but creation",
	 "choose the CPUs: far apart (spread), close together (pack), or the hyperthreads of one "
	 "core (same-core)",
	 SETTING_WORD, REQUEST(place), .words = topology_place_names, .concerns = CONCERNS_PLACED},
	{"nice", "a whole number from -20 to 19", "inherited", "0 5 19", "every session",
	 "set the niceness of the runs", SETTING_NICE, 0, .check = experiment_check_nice},
	{"policy", "a scheduling policy", "inherited", NULL, "every session",
	 "set the scheduling policy; fifo and rr have priority 1", SETTING_POLICY, 0,
	 .words = policy_words, .check = experiment_check_policy},
	{"quota", "a number of CPUs from 0.01 to 1024 (0.5), or max", "max", "max 0.5 1 1.5",
	 "every session", "limit each run to the time of this many CPUs, with a cgroup",
	 SETTING_QUOTA, 0},
	{"env:NAME", "a value, or - for none", "inherited", "MALLOC_ARENA_MAX=1 LD_BIND_NOW=1",
	 "every session", "set an environment variable of the runs", SETTING_VARIABLE, 0,
	 .outside = "sets a variable"},
	{"setup", "a program with its arguments ('mkdir -p data')", "nothing", "mkdir -p data",
	 "every session", "run a program before the first run of each configuration", SETTING_TEXT,
	 REQUEST(setup), .outside = "runs a program", .check = experiment_check_hooks},
	{"prepare", "a program with its arguments ('sync')", "nothing", "sync", "every session",
	 "run a program before each run; its cost is not counted", SETTING_TEXT, REQUEST(prepare),
	 .outside = "runs a program"},
	{"cleanup", "a program with its arguments ('make clean')", "nothing", "true",
	 "every session", "run a program after the last run of each configuration", SETTING_TEXT,
	 REQUEST(cleanup), .outside = "runs a program"},
	{"sched", "a source", "auto", NULL, "every session",
	 "choose who records when workers are on a core: the kernel (perf), the workers (own), "
	 "either (auto), or nobody (off)",
	 SETTING_WORD, REQUEST(sched), .words = sched_words, .once = true},
	{"label", "a name", "none", "lab1", "every session", "name this machine in the recording",
	 SETTING_TEXT, REQUEST(label), .once = true, .of_recording = true},
	{"anonymous", "yes or no", "no", NULL, "every session",
	 "record no host name, path, command line or name of another program", SETTING_FLAG,
	 REQUEST(anonymous), .words = no_yes, .once = true, .of_recording = true},
	{"stack", "a size in bytes, or default", "default", "default 16K 1M", "threads",
	 "set the size of threads' stacks", SETTING_STACK, 0, .max = SETTING_MOST_BYTES,
	 .inner = true, .concerns = CONCERNS_THREADS},
	{"ballast", "a size up to 1024G (0, 64M, 1G)", "none", "0 64M 256M", "every session",
	 "touch this much memory in the parent before it creates workers", SETTING_SIZE,
	 REQUEST(ballast), .max = SETTING_MOST_BYTES, .there = "cow", .usual_there = "64M",
	 .inner = true},
	{"ballast-pages", "a size of pages", "small", NULL, "sessions with a ballast",
	 "use pages of 4 KiB (small) or 2 MiB (huge) for the ballast", SETTING_WORD,
	 REQUEST(ballast_pages), .words = page_words, .concerns = CONCERNS_BALLAST, .beside = true,
	 .check = experiment_check_pages},
	{"alloc", "a size in bytes (0, 400, 64K)", "0", "0 400 64K", "cpu workers",
	 "allocate and free this much in every step", SETTING_SIZE, REQUEST(alloc),
	 .max = UINT64_MAX, .works = OF(CPU), .check = experiment_check_alloc},
	{"cache", "a state", "warm", NULL, "io workers",
	 "put the file into the page cache before every run (warm), before none (cold), or before "
	 "all but the first (once-cold)",
	 SETTING_WORD, REQUEST(cache), .min = SAMPLE_CACHE_WARM, .words = cache_words,
	 .works = OF(IO), .check = experiment_check_cache},
	{"io-file", "a file's name", "one made for the run", "/bin/sh", "io workers",
	 "copy this file", SETTING_TEXT, REQUEST(io_file), .outside = "reads a file",
	 .works = OF(IO), .gives = true},
	{"share-file", "yes or no", "no", NULL, "io and write workers",
	 "make all workers of a kind write to one file", SETTING_FLAG, REQUEST(mistakes.share_file),
	 .words = no_yes, .works = OF(IO) | OF(WRITE), .check = experiment_check_share_file},
	{"mem-order", "an order", "random", NULL, "mem workers",
	 "walk the array in random or sequential order; the CPU prefetches a sequential walk",
	 SETTING_WORD, REQUEST(mistakes.mem_order), .words = setting_order_words, .works = OF(MEM)},
	{"rounds", "a whole number from 1 to 1000000", "mem 4, write 1", "1 4 16",
	 "mem and write workers", "repeat the work of each worker within a run", SETTING_U32,
	 REQUEST(mistakes.rounds), 1, MAX_ROUNDS, .works = OF(MEM) | OF(WRITE)},
	{"sink", "a sink", "pipe", NULL, "hello workers", "write to a pipe, a file or /dev/null",
	 SETTING_WORD, REQUEST(sink), .words = sink_words, .works = OF(HELLO)},
	{"batch", "a whole number from 1 to 4000000", "all at once", "10 100 1000", "trees",
	 "create this many children, join them, then continue", SETTING_U64, REQUEST(batch), 1,
	 PLAN_MAX_TASKS, .concerns = CONCERNS_TREES},
	{"all-alive", "yes or no", "no", NULL, "trees", "keep all tasks until the tree is complete",
	 SETTING_FLAG, REQUEST(all_alive), .words = no_yes, .concerns = CONCERNS_TREES},
	{"via",
	 "a way of switch (pipe, socketpair, eventfd, futex, signal, memory, or ucontext: fibers "
	 "of one worker), messages (pipe, socketpair), server (tcp, unix) or share (mutex, "
	 "spinlock, atomic, plain: no lock, false: a counter each in one cache line, or line: a "
	 "counter each in a cache line of its own)",
	 "all but plain and ucontext",
	 "pipe socketpair eventfd futex signal memory ucontext tcp unix mutex spinlock atomic "
	 "false line "
	 "plain",
	 "switch, messages, share, server",
	 "choose how to pass a token or message, how to reach a server, or how to count",
	 SETTING_WAY, 0, .inner = true, .concerns = CONCERNS_WAYS},
	{"group", "senders x receivers, 1 to 100 each (5x5, 1x20)", "5x5", "5x5 1x19 1x9",
	 "message workers", "set the senders and receivers of each group", SETTING_GROUP, 0,
	 .works = OF(MESSAGE)},
	{"tasks", "a whole number from 1 to 4000000", "1000, or fewer if they are long",
	 "100 1000 10000", "pool, server", "hand out this many tasks, or send this many requests",
	 SETTING_U32, REQUEST(tasks), 1, PLAN_MAX_TASKS, .concerns = CONCERNS_POOL,
	 .there = "server", .usual_there = "2000, or fewer if they are long"},
	{"clients", "a whole number from 1 to 10000", "10", "1 10 100", "server",
	 "use this many clients at once, each with its own connection", SETTING_U32,
	 REQUEST(serving.clients), 1, 10000, .concerns = CONCERNS_SERVER},
	{"keep-alive", "a whole number from 1 to 1000000", "1", "1 10 100", "server",
	 "send this many requests on each connection", SETTING_U32, REQUEST(serving.kept), 1,
	 1000000, .concerns = CONCERNS_SERVER},
	{"idle", "a whole number from 0 to 10000", "0", "0 100 1000", "server",
	 "keep this many idle connections open in addition to the clients", SETTING_U32,
	 REQUEST(serving.idle), 0, 10000, .concerns = CONCERNS_SERVER},
	{"rate", "requests per second, 1 to 1000000, or 0", "0", "100 1000 10000", "server",
	 "send requests at this mean rate, at random moments, without waiting for replies; with 0, "
	 "each client waits for its reply",
	 SETTING_U32, REQUEST(serving.rate), 0, 1000000, .concerns = CONCERNS_SERVER},
	{"request", "a size from 32 to 1M", "100", "100 10K", "server",
	 "set the size of a request in bytes", SETTING_SIZE, REQUEST(serving.request),
	 SERVING_REQUEST_LEAST, UINT64_C(1) << 20, .concerns = CONCERNS_SERVER},
	{"reply", "a size from 64 to 16M", "1000", "1000 100K", "server",
	 "set the size of a reply in bytes", SETTING_SIZE, REQUEST(serving.reply),
	 SERVING_REPLY_LEAST, UINT64_C(16) << 20, .concerns = CONCERNS_SERVER},
	{"work", "a number of steps up to 1G (0, 10K)", "10000", "0 10K 500K", "server",
	 "compute this many steps for each request; 500 take about 1 µs", SETTING_SIZE,
	 REQUEST(serving.work), 0, UINT64_C(1) << 30, .concerns = CONCERNS_SERVER,
	 .variable = "steps"},
	{"file", "a size up to 1G (0, 4K, 1M)", "0", "0 4K 1M", "server",
	 "read this much of a file for each request, from the page cache", SETTING_SIZE,
	 REQUEST(serving.file), 0, UINT64_C(1) << 30, .concerns = CONCERNS_SERVER},
	{"fault", "segv, abort, exit, hang, oom or overrun (segv@10: after 10 % of its work)",
	 "segv@50", "segv abort exit hang oom overrun", "crash",
	 "make one worker fail this way; overrun writes past its own memory", SETTING_FAULT, 0,
	 .concerns = CONCERNS_CRASH},
	{"ignore-failure", "yes or no", "no", NULL, "programs (-c)",
	 "accept any exit status of a program", SETTING_FLAG, REQUEST(ignore_failure),
	 .words = no_yes, .works = OF(PROGRAM)},
	{"input", "a file's name, or null", "null", "/etc/passwd", "programs (-c)",
	 "use this file as the standard input of programs, or /dev/null (null)", SETTING_TEXT,
	 REQUEST(input), .outside = "reads a file", .works = OF(PROGRAM),
	 .check = experiment_check_input},
	{"output", "null, pipe, or a file's name", "null", "null pipe", "programs (-c)",
	 "send the standard output of programs to /dev/null (null), to a pipe that is emptied "
	 "(pipe), "
	 "or to a file that each run overwrites",
	 SETTING_TEXT, REQUEST(output), .outside = "writes a file", .works = OF(PROGRAM),
	 .check = experiment_check_output},
	{"for", "a time from 10ms to 86400s (5s, 500ms)", "until they end", "1s 5s",
	 "programs (-c)", "end programs after this time with SIGTERM, and 5 s later with SIGKILL",
	 SETTING_TIME, REQUEST(for_ns), UINT64_C(10000000), UINT64_C(86400000000000), .once = true,
	 .works = OF(PROGRAM)},
	{"metric", "a name without blanks (requests)", "none", "requests", "programs (-c)",
	 "compare the number in the last line that programs print as NAME VALUE UNIT", SETTING_TEXT,
	 REQUEST(metric), .once = true, .works = OF(PROGRAM), .check = experiment_check_metric},
	{"wait", "first or all (programs) or a time up to 1s (server, switch)", "first",
	 "first all 1ms 10ms", "programs (-c), --own, server, switch",
	 "measure until a program's first process has ended (first), or all that it started (all); "
	 "server: wait this long before each reply; switch: one worker of each pair waits this "
	 "long in each round trip",
	 SETTING_WAIT, 0, .max = UINT64_C(1000000000), .there = "server", .usual_there = "0",
	 .works = OF(PROGRAM) | OF(OWN) | OF(SERVE) | OF(EVENTS) | OF(TOKEN),
	 .check = experiment_check_wait},
	{"NAME", "numbers, ranges or words (2..8, small,large)", "none", "",
	 "programs (-c) with {NAME} in their command",
	 "replace {NAME} in the commands by each value; {cores}, {trial} and {model} need no -s",
	 SETTING_ARGUMENT, 0, .outside = "fills in a command", .works = OF(PROGRAM)},
};

#define SETTINGS LENGTH(settings)

const struct setting *setting_at(size_t i)
{
	if (i < SETTINGS)
		return &settings[i];
	return NULL;
}

/* Copies the name before the "=". Cuts it off if it is too long. */
static const char *typed_name(const char *text, char name[VARIABLE_NAME])
{
	size_t n = strcspn(text, "=");

	snprintf(name, VARIABLE_NAME, "%.*s", (int)MIN(n, (size_t)VARIABLE_NAME - 1), text);
	return name;
}

/* Parses "cpu.size": a kind whose work has a size. */
static bool parse_kind(const char *text, enum work_kind *kind)
{
	char name[VARIABLE_NAME];
	size_t n = strcspn(typed_name(text, name), ".");

	if (strcmp(name + n, size_suffix) != 0)
		return false;
	name[n] = '\0';
	return plan_work_parse(name, kind) == 0 && workload_get(*kind)->amount;
}

const struct setting *setting_find(const char *text)
{
	char name[VARIABLE_NAME];
	enum work_kind kind;

	typed_name(text, name);
	for (size_t i = 0; i < SETTINGS; i++) {
		bool is = strcmp(settings[i].name, name) == 0;

		if (settings[i].kind == SETTING_WORK)
			is = parse_kind(name, &kind);
		if (settings[i].kind == SETTING_VARIABLE)
			is = strncmp(name, env_prefix, strlen(env_prefix)) == 0 &&
			     name[strlen(env_prefix)];
		if (is && settings[i].kind != SETTING_ARGUMENT)
			return &settings[i];
	}
	return NULL;
}

const struct setting *setting_argument(void)
{
	return &settings[SETTINGS - 1];
}

/* Returns whether the setting has an effect if all workers run programs. */
static bool is_for_programs(const struct setting *setting)
{
	if (setting->works)
		return setting->works & OF(PROGRAM);
	return setting->concerns == CONCERNS_ALL || setting->concerns == CONCERNS_SETS ||
	       setting->concerns == CONCERNS_PLACED;
}

const struct setting *setting_of(const struct request *request, const char *text)
{
	const struct setting *setting = setting_find(text);
	char name[VARIABLE_NAME];

	if (setting && is_for_programs(setting))
		return setting;
	if (!argument_is_known(typed_name(text, name)) && argument_is_used(request, name))
		setting = setting_argument();
	return setting;
}

bool setting_name(size_t i, char name[VARIABLE_NAME])
{
	for (size_t row = 0; row < SETTINGS; row++) {
		if (settings[row].kind == SETTING_ARGUMENT)
			continue;
		if (settings[row].kind != SETTING_WORK) {
			if (i-- > 0)
				continue;
			snprintf(name, VARIABLE_NAME, "%s", settings[row].name);
			return true;
		}
		for (size_t k = 0; k < WORK_KINDS; k++) {
			enum work_kind kind = plan_work_order[k];

			if (!workload_get(kind)->amount || i-- > 0)
				continue;
			snprintf(name, VARIABLE_NAME, "%s%s", plan_work_name(kind), size_suffix);
			return true;
		}
	}
	return false;
}

/* Offers the i-th of 1/4, 1/2, 2 and 4 times the kind's amount of work in the experiment. */
static bool offer_amount(const struct setting *setting, const char *name, size_t i,
			 const struct experiment *experiment, char value[VARIABLE_VALUE])
{
	static const uint64_t quarters[] = {1, 2, 8, 16};
	uint64_t usual = 0, amount;
	enum work_kind kind = WORK_KINDS;

	if (setting->kind == SETTING_WORK)
		parse_kind(name, &kind);
	for (uint32_t n = 0; n < experiment->n_cases; n++)
		for (enum work_kind of = 0; of < WORK_KINDS; of++) {
			if (usual != 0 || experiment->cases[n].plan.leaves[of] == 0 ||
			    !workload_get(of)->amount ||
			    (kind != of && setting->kind != SETTING_AMOUNT))
				continue;
			kind = of;
			usual = experiment->cases[n].work_size[of];
		}
	/*
	 * No case does this work, so offer small amounts, because a tree may have thousands of
	 * leaves.
	 */
	if (usual == 0 && kind < WORK_KINDS)
		usual = workload_get(kind)->default_size / 1000 + 4;
	if (kind == WORK_KINDS)
		return false;
	for (size_t k = 0; k < LENGTH(quarters); k++) {
		amount = usual * quarters[k] / 4;
		if (!amount || !workload_takes(workload_get(kind), amount) || i-- > 0)
			continue;
		units_format_exact(value, VARIABLE_VALUE, amount);
		return true;
	}
	return false;
}

bool setting_offer(const char *name, size_t i, const struct experiment *experiment,
		   char value[VARIABLE_VALUE])
{
	const struct setting *setting = setting_find(name);
	const char *const *words = setting->words, *offers = setting->offers;

	if (words) {
		for (; *words; words++)
			if (i-- == 0)
				return snprintf(value, VARIABLE_VALUE, "%s", *words) > 0;
		return false;
	}
	if (!*offers)
		return experiment && offer_amount(setting, name, i, experiment, value);
	for (; i > 0; i--) {
		offers += strcspn(offers, " ");
		offers += strspn(offers, " ");
	}
	return snprintf(value, VARIABLE_VALUE, "%.*s", (int)strcspn(offers, " "), offers) > 0;
}

const char *setting_example(const char *name, char text[VARIABLE_VALUE])
{
	const struct setting *setting = setting_find(name);
	enum work_kind kind;

	if (setting->kind == SETTING_VARIABLE)
		return "1";
	if (setting_offer(name, 0, NULL, text))
		return text;
	if (setting->kind == SETTING_WORK && parse_kind(name, &kind))
		return units_format_exact(text, VARIABLE_VALUE, workload_get(kind)->default_size);
	return "1M";
}

bool setting_concerns(const char *text, const struct experiment *experiment, bool beside)
{
	const struct experiment_kind *kind = experiment_find(experiment->request.experiment);
	const struct setting *setting = setting_of(&experiment->request, text);
	const bool concerned[] = {
		[CONCERNS_ALL] = true,
		[CONCERNS_SETS] = !kind->tree && !kind->creates,
		[CONCERNS_PLACED] = !kind->creates,
		[CONCERNS_TREES] = kind->tree,
		[CONCERNS_WAYS] = kind->vias || kind->serves,
		[CONCERNS_POOL] = kind->hands_out || kind->serves,
		[CONCERNS_SERVER] = kind->serves,
		[CONCERNS_CRASH] = kind->fault,
		[CONCERNS_THREADS] = false,
		[CONCERNS_BALLAST] = false,
	};
	uint32_t works = setting->works;
	bool found = false;
	enum work_kind of;

	if (setting->kind == SETTING_WORK && parse_kind(text, &of))
		works = 1u << of;
	/*
	 * The leaves of a tree do only some kinds of work. The tasks of the creation experiment do
	 * none.
	 */
	if (kind->tree)
		works &= OF_MORE_LEAVES;
	else if (kind->creates)
		works = 0;
	for (uint32_t i = 0; i < experiment->n_cases; i++) {
		const struct sample_case *config = &experiment->cases[i];

		if (found)
			break;
		for (int k = 0; k < WORK_KINDS; k++)
			found |= works >> k & 1 && config->plan.leaves[k] > 0;
		found |= setting->concerns == CONCERNS_THREADS &&
			 plan_has(&config->plan, PLAN_THREAD);
		found |= setting->concerns == CONCERNS_BALLAST && config->ballast > 0;
	}
	if (found || (beside && setting->beside))
		return true;
	if (setting->works && beside)
		return kind->tree && works & OF_MORE_LEAVES;
	if (setting->works)
		return kind->tree && setting->gives && works & OF_LEAVES;
	return concerned[setting->concerns];
}

/*
 * Returns whether the setting is a single text for the session. If it is, commas and ranges are
 * part of that text.
 */
static bool is_one_text(const struct setting *setting)
{
	return setting->kind == SETTING_TEXT && setting->once;
}

/*
 * Copies one item of a list, up to a comma that has no backslash before it. If the setting is one
 * text, copies all of it. Leaves out the backslashes before commas and backslashes. Returns the
 * rest of the list, or NULL at its end.
 */
static const char *setting_item(const struct setting *setting, const char *values, char *item,
				size_t size)
{
	bool list = !is_one_text(setting);
	size_t used = 0;

	for (; *values; values++) {
		if (list && *values == ',')
			break;
		if (values[0] == '\\' && (values[1] == ',' || values[1] == '\\'))
			values++;
		if (used + 1 < size)
			item[used++] = *values;
	}
	item[used] = '\0';
	if (*values)
		return values + 1;
	return NULL;
}

enum { LEAST_QUOTA = 10, MOST_CPUS = 1024 };

static uint64_t least_stack(void)
{
	return (uint64_t)sysconf(_SC_THREAD_STACK_MIN);
}

/* Parses an amount of work of this kind. WORK_KINDS: accepts the amounts of any kind. */
static int parse_amount(const char *value, enum work_kind kind, uint64_t *amount)
{
	if (units_parse_size(value, amount) || *amount == 0)
		return -EINVAL;
	if (kind == WORK_KINDS || workload_takes(workload_get(kind), *amount))
		return 0;
	return -ERANGE;
}

int setting_word(const char *const *words, const char *value)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(value, words[i]) == 0)
			return i;
	return -EINVAL;
}

int setting_count(uint64_t min, uint64_t max, const char *value, uint64_t *number)
{
	int err = units_parse_count(value, max, number);

	if (!err && *number < min)
		err = -ERANGE;
	return err;
}

/* Stores the index of a word in the list, plus the setting's minimum. */
static int store_word(const struct setting *setting, const char *value, int *to)
{
	const int word = setting_word(setting->words, value);

	*to = (int)setting->min + word;
	return MIN(word, 0);
}

/*
 * Stores a time in ns; stores 0 if the value is no time. Returns -EINVAL if it is no time or not in
 * range.
 */
static int store_time(const char *value, uint64_t min, uint64_t max, uint64_t *to)
{
	int64_t ns = 0;
	double unit;
	int err = units_parse_time(value, strlen(value), 1e9, &ns, &unit);

	*to = 0;
	if (!err)
		*to = (uint64_t)ns;
	if (err || *to < min || *to > max)
		return -EINVAL;
	return 0;
}

static int store_wait(struct request *request, const struct setting *setting, const char *value)
{
	const int word = setting_word((const char *const[]) {"first", "all", NULL}, value);

	request->wait = WAIT_FOR_FIRST;
	if (word > 0)
		request->wait = WAIT_FOR_ALL;
	if (word >= 0)
		return 0;
	return store_time(value, 0, setting->max, &request->serving.wait_ns);
}

static int store_stack(struct request *request, const struct setting *setting, const char *value)
{
	int err;

	request->stack_size = 0;
	if (strcmp(value, "default") == 0)
		return 0;
	err = units_parse_size(value, &request->stack_size);
	if (err || (request->stack_size >= least_stack() && request->stack_size <= setting->max))
		return err;
	return -ERANGE;
}

/* Commas separate values, so the CPUs within one value are joined by "+". */
static int store_cpus(struct request *request, const char *value)
{
	char list[256];

	if (strlen(value) >= sizeof(list))
		return -EINVAL;
	strcpy(list, value);
	for (char *c = list; *c; c++)
		if (*c == '+')
			*c = ',';
	request->pinned = true;
	return units_parse_cpulist(list, &request->pin);
}

static int store_policy(struct request *request, const char *value)
{
	request->policy = 0;
	for (int i = 0; i <= SCHED_IDLE; i++) {
		const char *policy = environment_policy_name(i);

		if (policy && strcmp(policy, value) == 0)
			request->policy = i + 1;
	}
	if (request->policy > 0)
		return 0;
	return -EINVAL;
}

static int store_nice(struct request *request, const char *value)
{
	uint64_t number;
	int err;

	request->niced = true;
	if (*value == '-') {
		err = units_parse_count(value + 1, 20, &number);
		if (!err)
			request->nice = -(int)number;
	} else {
		err = units_parse_count(value, 19, &number);
		if (!err)
			request->nice = (int)number;
	}
	return err;
}

/*
 * Stores a quota in CPUs. The kernel's least quota is 1 ms in a period of 100 ms. At most three
 * decimals are accepted.
 */
static int store_quota(struct request *request, const char *value)
{
	static const char digits[] = "0123456789";
	size_t whole = strspn(value, digits), decimals = 0;
	const bool point = value[whole] == '.';
	double cpus = strtod(value, NULL);

	if (strcmp(value, "max") == 0) {
		request->quota = 0;
		return 0;
	}
	if (point)
		decimals = strspn(value + whole + 1, digits);
	if (whole == 0 || point != (decimals > 0) || decimals > 3 ||
	    value[whole + point + decimals] || cpus > MOST_CPUS)
		return -EINVAL;
	request->quota = (uint32_t)lround(cpus * 1000);
	if (request->quota < LEAST_QUOTA)
		return -EINVAL;
	return 0;
}

static int store_group(struct request *request, const char *value)
{
	struct plan shape;

	if (plan_shape_parse(value, &shape) || shape.levels != 2 ||
	    shape.fanout[0] > WORK_MESSAGE_MOST || shape.fanout[1] > WORK_MESSAGE_MOST)
		return -EINVAL;
	request->senders = shape.fanout[0];
	request->receivers = shape.fanout[1];
	return 0;
}

static int store_fault(struct request *request, const char *value)
{
	size_t length = strcspn(value, "@");
	char kind_name[8];
	uint64_t percent = 50;

	snprintf(kind_name, sizeof(kind_name), "%.*s", (int)length, value);
	request->fault = (enum fault_kind)names_find_or_0(fault_names, FAULT_KINDS, kind_name);
	if (length >= sizeof(kind_name) || request->fault == FAULT_NONE ||
	    (value[length] && units_parse_count(value + length + 1, 99, &percent)))
		return -EINVAL;
	request->fault_percent = (uint32_t)percent;
	return 0;
}

/* "NAME=" is just before the value in memory, so the text from there on sets the variable. */
static int store_variable(struct request *request, const char *name, const char *value)
{
	size_t n = strlen(name) - strlen(env_prefix) + 1;
	const char *both = value - n;

	for (size_t i = 0; i < REQUEST_ENVS; i++) {
		if (request->env[i] && strncmp(request->env[i], both, n) != 0)
			continue;
		request->env[i] = both;
		return 0;
	}
	return -E2BIG;
}

int setting_store(struct request *request, const struct setting *setting, const char *name,
		  const char *value)
{
	void *to = (char *)request + setting->offset;
	enum work_kind kind = WORK_KINDS;
	uint64_t number = 0;
	int err, word;

	switch (setting->kind) {
	case SETTING_FLAG:
		word = setting_word(setting->words, value);
		*(bool *)to = word > 0;
		return MIN(word, 0);
	case SETTING_WORD:
		return store_word(setting, value, to);
	case SETTING_U32:
		err = setting_count(setting->min, setting->max, value, &number);
		*(uint32_t *)to = (uint32_t)number;
		return err;
	case SETTING_U64:
		return setting_count(setting->min, setting->max, value, to);
	case SETTING_SIZE:
		err = units_parse_size(value, to);
		if (!err && (*(uint64_t *)to < setting->min || *(uint64_t *)to > setting->max))
			return -ERANGE;
		return err;
	case SETTING_TIME:
		return store_time(value, setting->min, setting->max, to);
	case SETTING_WAIT:
		return store_wait(request, setting, value);
	case SETTING_STACK:
		return store_stack(request, setting, value);
	case SETTING_WAY:
		request->via = (enum via)names_find_or_0(via_names, VIAS, value);
		request->counting =
			(enum counting)names_find_or_0(counting_names, COUNTINGS, value);
		if (request->via || request->counting)
			return 0;
		return -EINVAL;
	case SETTING_TEXT:
		*(const char **)to = value;
		if (*value)
			return 0;
		return -EINVAL;
	case SETTING_AMOUNT:
		return parse_amount(value, kind, to);
	case SETTING_WORK:
		parse_kind(name, &kind);
		return parse_amount(value, kind, &request->work_size[kind]);
	case SETTING_CPUS:
		return store_cpus(request, value);
	case SETTING_POLICY:
		return store_policy(request, value);
	case SETTING_NICE:
		return store_nice(request, value);
	case SETTING_QUOTA:
		return store_quota(request, value);
	case SETTING_GROUP:
		return store_group(request, value);
	case SETTING_FAULT:
		return store_fault(request, value);
	case SETTING_VARIABLE:
		return store_variable(request, name, value);
	case SETTING_ARGUMENT:
		if (*value)
			return 0;
		return -EINVAL;
	}
	return -EINVAL;
}

size_t setting_distance(const char *a, const char *b)
{
	size_t rows[3][32], n = strlen(b), i;

	if (n > 31)
		return n;
	for (size_t j = 0; j <= n; j++)
		rows[0][j] = j;
	for (i = 1; a[i - 1]; i++) {
		size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			size_t cost = above[j - 1] + (a[i - 1] != b[j - 1]);

			cost = MIN(above[j] + 1, cost);
			cost = MIN(row[j - 1] + 1, cost);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				cost = MIN(before[j - 2] + 1, cost);
			row[j] = cost;
		}
	}
	return rows[(i - 1) % 3][n];
}

/* Enough bytes for the values that any setting accepts. */
enum { SETTING_VALUES = 512 };

/*
 * The values that the setting accepts in a session of the request, in words that follow "is not" or
 * "give".
 */
static const char *describe_values(const struct request *request, const struct setting *setting,
				   const char *name, char text[SETTING_VALUES])
{
	struct sentence words = sentence_in(text, SETTING_VALUES);
	const struct experiment_kind *experiment =
		request->experiment ? experiment_find(request->experiment) : NULL;
	char ways[EXPERIMENT_WAYS] = "";
	enum work_kind kind;

	if (experiment && setting->kind == SETTING_WAY)
		experiment_ways(experiment, ways);
	if (*ways) {
		sentence_add(&words, "one of %s", ways);
	} else if (setting->words) {
		sentence_add(&words, "one of %s", setting->words[0]);
		for (size_t i = 1; setting->words[i]; i++)
			sentence_add(&words, ", %s", setting->words[i]);
	} else if (setting->kind == SETTING_WORK && parse_kind(name, &kind)) {
		const struct workload_ops *ops = workload_get(kind);

		sentence_add(&words, "an amount of work of %s workers (%s=%s, in %s)",
			     plan_work_name(kind), name, UNITS_EXACT(ops->default_size), ops->unit);
	} else if (setting->kind == SETTING_STACK) {
		sentence_add(&words,
			     "a size from %" PRIu64 " bytes to 1024G or default (default,16K,1M)",
			     least_stack());
	} else {
		sentence_add(&words, "%s", setting->values);
	}
	return text;
}

/*
 * Lists the names in the commands that need a value from -s, such as "{n}, {size}". {cores},
 * {trial} and {model} need none.
 */
static char *list_arguments(const struct request *request, char *text, size_t size)
{
	struct sentence list = sentence_in(text, size);
	char name[VARIABLE_NAME], item[VARIABLE_NAME + 2];

	for (uint32_t i = 0; i < request->n_programs; i++) {
		const char *at = request->programs[i];

		while (argument_next(&at, name)) {
			snprintf(item, sizeof(item), "{%s}", name);
			if (!argument_is_known(name) && !strstr(text, item))
				sentence_join(&list, ", ", "%s", item);
		}
	}
	return text;
}

static int refuse_setting_name(const struct request *request, const char *text, char *error,
			       size_t size)
{
	char name[VARIABLE_NAME], known[VARIABLE_NAME], nearest[VARIABLE_NAME] = "";
	char what[SETTING_VALUES];
	size_t best = strlen(typed_name(text, name)) / 3 + 1;

	for (size_t i = 0; setting_name(i, known); i++) {
		bool begins = *name && strncmp(known, name, strlen(name)) == 0;
		size_t far = 0;

		if (!begins)
			far = setting_distance(name, known);

		if (far < best) {
			best = far;
			strcpy(nearest, known);
		}
	}
	if (!*name)
		return error_line(error, size, -EINVAL,
				  "\"%s\" is not NAME=VALUE; see --help settings", text);
	if (setting_of(request, name))
		return error_line(error, size, -EINVAL, "%s: needs a value, %s", name,
				  describe_values(request, setting_of(request, name), name, what));
	if (request->n_programs > 0 && argument_is_known(name))
		return error_line(error, size, -EINVAL,
				  "%s: tuibench fills in {%s} itself; choose another name", name,
				  name);
	if (*list_arguments(request, what, sizeof(what)))
		return error_line(error, size, -EINVAL,
				  "%s: no command has {%s}; the commands have %s", name, name,
				  what);
	/*
	 * Suggest nothing for a short name, because a name of one or two letters often resembles
	 * another by chance.
	 */
	if (request->n_programs > 0 && strchr(text, '=') && (!*nearest || strlen(name) < 3))
		return error_line(error, size, -EINVAL,
				  "%s: no command has {%s}; type {%s} in -c where its values go",
				  name, name, name);
	if (!strchr(text, '=') && !*nearest)
		return error_line(error, size, -EINVAL,
				  "%s is not NAME=VALUE; to run it once before the first run, type "
				  "-s 'setup=%s'",
				  text, text);
	return error_line(error, size, -EINVAL,
			  *nearest ? "%s is not a setting; did you mean %s?"
				   : "%s is not a setting; see --help settings",
			  name, nearest);
}

struct words {
	char *text;
	size_t size, used;
};

/*
 * Adds a value to the list if the setting accepts the value and the list does not have it yet. A
 * repeated value would give two cases the same name.
 */
static int setting_add_value(struct experiment_vary *vary, const struct setting *setting,
			     const char *value, struct words *words)
{
	/* Put "NAME=" before the value of a variable. */
	const char *colon = setting->kind == SETTING_VARIABLE ? strchr(vary->name, ':') : NULL;
	char *word = words->text + words->used;
	size_t space = words->size - words->used, behind = colon ? strlen(colon) : 0;
	struct request scratch = {.experiment = NULL};

	if (vary->n == SAMPLE_MAX_CASES)
		return -E2BIG;
	if (behind + strlen(value) >= space)
		return -ENOSPC;
	if (colon)
		snprintf(word, space, "%s=%s", colon + 1, value);
	else
		snprintf(word, space, "%s", value);
	vary->values[vary->n] = word + behind;
	for (size_t i = 0; i < vary->n; i++)
		if (strcmp(vary->values[i], value) == 0)
			return -EEXIST;
	words->used += strlen(word) + 1;
	return setting_store(&scratch, setting, vary->name, vary->values[vary->n++]);
}

/*
 * Adds one item of a list. In any setting that can have a list, a range of numbers is several
 * values; after a backslash it is text. For cores, "1.." ends at the number of CPUs.
 */
static int setting_add_item(struct experiment_vary *vary, const struct setting *setting,
			    const char *item, int cpus, struct words *words)
{
	char text[2 * VARIABLE_VALUE], value[32];
	struct units_range range;
	size_t length = strlen(item);
	bool open = setting->offset == REQUEST(cores) && length > 2 &&
		    strcmp(item + length - 2, "..") == 0;
	int err = -ENOENT;

	if (is_one_text(setting))
		return setting_add_value(vary, setting, item, words);
	if (*item == '\\' && units_parse_range(item + 1, &range) != -ENOENT)
		return setting_add_value(vary, setting, item + 1, words);
	if (length + 16 < sizeof(text)) {
		snprintf(text, sizeof(text), open ? "%s%d" : "%s", item, cpus);
		err = units_parse_range(text, &range);
	}
	if (err) {
		if (err == -ENOENT)
			return setting_add_value(vary, setting, item, words);
		return -EDOM;
	}
	for (uint64_t i = 0; i < range.n; i++) {
		if (err)
			break;
		err = setting_add_value(vary, setting,
					units_range_value(&range, i, value, sizeof(value)), words);
	}
	return err;
}

/*
 * Reads "NAME=VALUES" and adds each value of a range. A range of cores that has no end goes up to
 * `cpus`. Returns 0, or -EINVAL with an error that begins with the setting: "alloc=x: ...".
 */
static int parse_values(const struct request *request, const char *text, int cpus,
			struct experiment_vary *vary, struct words *words, char *error, size_t size)
{
	const char *name = vary->name, *rest = strchr(text, '=');
	const struct setting *setting = setting_of(request, text);
	char item[4096], values[SETTING_VALUES];
	bool several;
	int err = 0;

	*vary = (struct experiment_vary) {.typed = text, .setting = setting};
	typed_name(text, vary->name);
	if (!setting || !rest)
		return refuse_setting_name(request, text, error, size);
	several = setting_item(setting, rest + 1, item, sizeof(item));
	if ((size_t)(rest - text) >= sizeof(vary->name) || strlen(rest) > sizeof(item))
		return error_line(error, size, -EINVAL, "%s: the %s is too long", name,
				  strlen(rest) > sizeof(item) ? "value" : "name");
	for (rest++; rest;) {
		if (err)
			break;
		rest = setting_item(setting, rest, item, sizeof(item));
		for (const char *c = item; *c; c++)
			if (iscntrl((unsigned char)*c))
				return error_line(error, size, -EINVAL,
						  "%s=%s: a value cannot have control characters",
						  name, item);
		if (several && strlen(item) >= VARIABLE_VALUE)
			return error_line(error, size, -EINVAL,
					  "%s=%s: each of several values can have at most %d bytes",
					  name, item, VARIABLE_VALUE - 1);
		err = setting_add_item(vary, setting, item, cpus, words);
	}
	if (!err && vary->n > 1 && setting->once)
		return error_line(error, size, -EINVAL, "%s takes only one value in a session",
				  name);
	if (err == -EEXIST)
		return error_line(error, size, -EINVAL, "%s: the value %s is given twice", text,
				  vary->values[vary->n]);
	if (err == -ENOSPC)
		return error_line(error, size, -EINVAL, "%s: the value is too long", name);
	if (err == -E2BIG)
		return error_line(error, size, -EINVAL, "%s: give at most %d values", name,
				  SAMPLE_MAX_CASES);
	if (!err)
		return 0;
	if (err == -EDOM && (setting->kind == SETTING_TEXT || setting->kind == SETTING_VARIABLE ||
			     setting->kind == SETTING_ARGUMENT))
		return error_line(error, size, -EINVAL,
				  "%s=%s is not an ascending range (2..8, 100..900:100); as a text "
				  "it is '%s=\\%s'",
				  name, item, name, item);
	describe_values(request, setting, name, values);
	if (!*item)
		return error_line(error, size, -EINVAL, "%s=: give %s", name, values);
	/* The names of the places in results. */
	if (strcmp(setting->name, "cores") == 0 &&
	    (strcmp(item, "same") == 0 || strcmp(item, "two") == 0))
		return error_line(error, size, -EINVAL,
				  "%s=%s: \"%s\" is not %s; use %s=1 for one core or %s=2 for two",
				  name, item, item, values, name, name);
	return error_line(error, size, -EINVAL, "%s=%s: \"%s\" is not %s%s", name, item, item,
			  values,
			  err == -EDOM ? ", nor an ascending range (2..8, 100..900:100)" : "");
}

int setting_check(const struct request *request, const char *text, char *error, size_t size)
{
	char buf[2 * EXPERIMENT_WORDS];
	struct words words = {buf, sizeof(buf), 0};
	struct experiment_vary vary;

	return parse_values(request, text, 1, &vary, &words, error, size);
}

const char *setting_usual(const struct setting *setting, const char *experiment)
{
	if (setting->there && experiment && strcmp(setting->there, experiment) == 0)
		return setting->usual_there;
	return setting->usual;
}

static bool is_numbers(const char *values)
{
	return !values[strspn(values, "0123456789.,:")];
}

const char *setting_recorded(const struct request *request, const char *typed, char *buf,
			     size_t size)
{
	const struct setting *setting = setting_of(request, typed);

	if (!request->anonymous || !setting->outside)
		return typed;
	/* Record numbers unchanged, because they reveal no names. */
	if (setting->kind == SETTING_ARGUMENT && is_numbers(strchr(typed, '=') + 1))
		return typed;
	snprintf(buf, size, "%.*s=(hidden)", (int)strcspn(typed, "="), typed);
	return buf;
}

char *experiment_settings(const struct request *request, char *buf, size_t size)
{
	struct sentence to = sentence_in(buf, size);
	char hidden[VARIABLE_NAME + sizeof("=(hidden)")], text[SAMPLE_TEXT];

	for (size_t i = 0; request->settings[i]; i++) {
		const char *typed =
			setting_recorded(request, request->settings[i], hidden, sizeof(hidden));
		size_t before = to.used;
		size_t length = before + names_put_item(typed, text, sizeof(text)) + (before > 0);

		if (length >= size || setting_of(request, typed)->of_recording)
			continue;
		sentence_join(&to, ";", "%s", text);
	}
	utf8_mask(buf);
	return buf;
}

/*
 * Stores the value, which was checked before, so only too many env:NAME settings can make this
 * fail.
 */
static int set_value(struct experiment_build *build, const struct experiment_vary *vary,
		     const char *value)
{
	struct request_value *values = build->request->values;
	size_t n = 0;

	if (setting_store(build->request, vary->setting, vary->name, value))
		return REFUSE(build, "-s %s: too many variables; use at most %d", vary->typed,
			      REQUEST_ENVS);
	while (values[n].typed)
		n++;
	if (n < REQUEST_VALUES)
		values[n] = (struct request_value) {vary->typed, value};
	return 0;
}

static int take_setting(struct experiment_build *build, struct experiment_grid *grid,
			const char *text)
{
	struct experiment *experiment = build->experiment;
	struct request *request = &experiment->request;
	struct words words = {experiment->words, sizeof(experiment->words), experiment->n_words};
	struct experiment_vary vary;
	cpu_set_t cpus = request->pin;
	char error[ERROR_LINE_ROOM];

	if (!request->pinned && sched_getaffinity(0, sizeof(cpus), &cpus))
		CPU_SET(0, &cpus);
	if (parse_values(request, text, CPU_COUNT(&cpus), &vary, &words, error, sizeof(error)))
		return REFUSE(build, "-s %s", error);
	vary.inner = vary.setting->inner;
	experiment->n_words = words.used;
	/* In recordings, "KIND.size" is named KIND. */
	snprintf(vary.variable, sizeof(vary.variable), "%s",
		 sentence_text(vary.setting->variable, vary.name));
	if (vary.setting->kind == SETTING_WORK)
		vary.variable[strcspn(vary.variable, ".")] = '\0';
	if (vary.n == 1)
		return set_value(build, &vary, vary.values[0]);
	if (!vary.inner && grid->n - grid->inner == REQUEST_SWEEPS)
		return REFUSE(build, "-s %s: too many lists of values; at most %d can be combined",
			      text, REQUEST_SWEEPS);
	grid->options[grid->n++] = vary;
	grid->inner += vary.inner;
	return 0;
}

static bool is_inner(const struct request *request, const char *typed)
{
	const struct setting *setting = setting_of(request, typed);

	return setting && setting->inner;
}

int experiment_grid_read(struct experiment_build *build, struct experiment_grid *grid)
{
	const struct request *request = build->request;
	const struct experiment_kind *kind = build->kind;
	const char *usual = experiment_usual_sweep(build);
	const char *via = experiment_typed(request, "via"), *inner[INNER_SETTINGS];
	int err = 0;

	if (!via)
		via = kind->vias;
	if (kind->counts)
		inner[0] = NULL;
	else
		inner[0] = via;
	inner[1] = experiment_typed(request, "ballast");
	if (!inner[1])
		inner[1] = kind->ballast;
	inner[2] = experiment_typed(request, "stack");
	/*
	 * Skip a setting whose name is also a name in a command, such as {via}. The loop below
	 * takes it with the others.
	 */
	for (size_t i = 0; i < INNER_SETTINGS; i++)
		if (inner[i] && !is_inner(request, inner[i]))
			inner[i] = NULL;
	/*
	 * If the workers count, the ways are the slowest to vary, so that the cases of each way are
	 * together. In other experiments, the ways vary faster than other settings.
	 */
	if (kind->counts)
		err = take_setting(build, grid, via);
	for (size_t i = 0; request->settings[i]; i++) {
		if (err)
			break;
		if (!is_inner(request, request->settings[i]))
			err = take_setting(build, grid, request->settings[i]);
	}
	if (!err && usual && grid->n == grid->inner)
		err = take_setting(build, grid, usual);
	for (size_t i = 0; i < INNER_SETTINGS; i++) {
		if (err)
			break;
		if (inner[i])
			err = take_setting(build, grid, inner[i]);
		else
			err = 0;
	}
	return err;
}

bool experiment_grid_has(const struct experiment_grid *grid, const char *name)
{
	for (size_t i = 0; i < grid->n; i++)
		if (strcmp(grid->options[i].name, name) == 0)
			return true;
	return false;
}

int experiment_grid_set(struct experiment_build *build, size_t combination)
{
	const struct experiment_vary *options = build->grid->options;
	int err = 0;

	/* The last setting varies fastest. */
	for (size_t i = build->grid->n; i-- > 0; combination /= options[i].n)
		build->values[i] = options[i].values[combination % options[i].n];
	for (size_t i = 0; i < build->grid->n; i++) {
		if (err)
			break;
		err = set_value(build, &options[i], build->values[i]);
	}
	return err;
}

int experiment_check_rows(struct experiment_build *build)
{
	int err = 0;

	for (size_t i = 0; i < SETTINGS; i++) {
		if (err)
			break;
		if (settings[i].check &&
		    setting_concerns(settings[i].name, build->experiment, false))
			err = settings[i].check(build);
	}
	return err;
}

int experiment_check_settings(struct experiment_build *build)
{
	const struct request *request = build->request;
	char name[VARIABLE_NAME], of[VARIABLE_NAME + 8], text[1024] = "";
	const struct setting *setting;
	struct sentence those = sentence_in(text, sizeof(text));
	size_t i = 0;

	while (request->settings[i] &&
	       setting_concerns(request->settings[i], build->experiment, false))
		i++;
	if (!request->settings[i])
		return 0;
	for (size_t k = 0; setting_name(k, name); k++)
		if (setting_concerns(name, build->experiment, false))
			sentence_join(&those, ", ", "%s", name);
	setting = setting_of(request, request->settings[i]);
	snprintf(of, sizeof(of), "%.*s workers", (int)strcspn(request->settings[i], "."),
		 request->settings[i]);
	return REFUSE_AS(build, -ENOENT,
			 "-s %s is for %s, and has no effect here. Settings with an effect: %s",
			 request->settings[i], setting->kind == SETTING_WORK ? of : setting->of,
			 text);
}
