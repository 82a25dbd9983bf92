/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/error_line.h"
#include "command.h"
#include "core/plan.h"
#include "export/export.h"
#include "film/film.h"
#include "log/log_scenes.h"
#include "options_config.h"
#include "options_own.h"
#include "options_rule.h"
#include "screen/screen.h"
#include "view/view.h"

#define MAX_TRIALS   10000
#define MIN_INTERVAL 10
#define MAX_INTERVAL 10000
#define MAX_FPS	     60
#define MAX_ROUNDS   1000000

static const char *const order_words[] = {"random", "alternate", "fixed", NULL};
static const char *const cache_words[] = {[EXPERIMENT_WARM] = "warm",
					  [EXPERIMENT_COLD] = "cold",
					  [EXPERIMENT_ONCE_COLD] = "once-cold",
					  NULL};
static const char *const mem_order_words[] = {
	[MEM_RANDOM] = "random", [MEM_SEQUENTIAL] = "sequential", NULL};
static const char *const sink_words[] = {
	[SINK_PIPE] = "pipe", [SINK_FILE] = "file", [SINK_NULL] = "null", NULL};

static const char *const page_words[] = {[BALLAST_SMALL] = "small", [BALLAST_HUGE] = "huge", NULL};

static const char *const sched_words[] = {[SCHED_AUTO] = "auto",
					  [SCHED_OWN] = "own",
					  [SCHED_PERF] = "perf",
					  [SCHED_OFF] = "off",
					  NULL};

/* From POLICY_OTHER on. */
static const char *const policy_words[] = {"other", "batch", "idle", "fifo", "rr", NULL};

static const char *const place_words[] = {"any", "spread", "pack", "same-core", NULL};

/* In the order of their numbers. */
static const char *const view_words[] = {"answer",  "overview", "timeline", "memory",
					 "results", "curve",	"messages", NULL};

static const char *const caption_words[] = {
	[VIEW_CAPTIONS_FIT] = "fit", [VIEW_CAPTIONS_ON] = "on", [VIEW_CAPTIONS_OFF] = "off", NULL};
static const char *const shell_words[] = {"bash", "zsh", "fish", NULL};

/* For completion alone: which of them an experiment takes is its own matter. */
static const char *const model_words[] = {"threads",
					  "processes",
					  "hybrid",
					  "clock_gettime",
					  "fork",
					  "vfork",
					  "posix_spawn",
					  "fork+exec",
					  "vfork+exec",
					  "pthread_create",
					  "pthread_create:cold",
					  "clone",
					  NULL};
static const char *const fault_words[] = {"segv", "abort", "exit", "hang", "oom", "overrun", NULL};

#define OPTION(name) offsetof(struct options, name)

/* The comma comes first, so that the list stands where any row may. */
/* clang-format off */
#define WORKERS_RULE(number, NAME, name) \
	, {#name, 0, "N", NULL, VALUE_WORKERS, OPTION(request.workers[number]), 0, PLAN_MAX_TASKS, \
	   .of_run = true, .standing = "", .swept = true}
/* clang-format on */

static const struct options_rule rules[] = {
	{"experiment", 'e', "NAME", "the experiment (default: mixed)", VALUE_EXPERIMENT,
	 OPTION(request.experiment), .what = "a name", .section = "What runs", .of_run = true,
	 .standing = "mixed"},
	{"list-experiments", 0, NULL, "each with the question that it answers, and leave",
	 VALUE_ACTION, OPTION(action), ACTION_LIST_EXPERIMENTS},
	{"models", 'm', "LIST",
	 "threads, processes, hybrid[:PxT], in the order shown; one named twice checks the noise; "
	 "of creation clock_gettime, fork, vfork, posix_spawn, fork+exec, pthread_create[:cold], "
	 "clone; of --command also fork+exec, vfork+exec, posix_spawn (default: threads,processes; "
	 "hello: also hybrid;\ntrees: threads; creation: all)",
	 VALUE_STRING, OPTION(request.models), .words = model_words,
	 .what = "a list of models: threads, processes, hybrid[:PxT]", .of_run = true,
	 .standing = "threads,processes"},
	{"tree", 't', "LIST",
	 "a tree of tasks: AxBxC is A that create B each that create C each; several are compared: "
	 "5000,50x99,20x3x82",
	 VALUE_STRING, OPTION(request.tree),
	 .what = "a tree, or several: fan-outs joined by x (20x3x82 or 5000,50x99)", .of_run = true,
	 .standing = "20x3x82"} WORK_LIST(WORKERS_RULE),
	{"work", 0, "FILE",
	 "a shared object with your own function for the workers; with a size, ./mine.so,1M; the "
	 "manual has an example of 20 lines",
	 VALUE_STRING, OPTION(work), .what = "a shared object's path (./mine.so, ./mine.so,1M)",
	 .of_run = true, .outside = "loads a shared object"},
	{"command", 0, "COMMAND",
	 "a program with its arguments that workers run, 'sort FILE', no shell between; given "
	 "several times they are compared",
	 VALUE_PROGRAM, 0, .what = "a program with its arguments ('sort FILE'), of at most sixteen",
	 .of_run = true, .outside = "runs a program"},
	{"ignore-failure", 0, NULL, "of --command: an exit status other than 0 is no failure",
	 VALUE_FLAG, OPTION(request.ignore_failure), .of_run = true, .standing = "no"},
	{"prepare", 0, "COMMAND",
	 "a program with its arguments that is run to its end before each run, in none of its "
	 "figures",
	 VALUE_STRING, OPTION(request.prepare), .what = "a program with its arguments ('sync')",
	 .of_run = true, .swept = true, .standing = "true", .outside = "runs a program"},
	{"work-size", 0, "KIND=SIZE", "what one worker does: ", VALUE_WORK, 0,
	 .rest = "; repeatable (default: about a fifth of a second of one core; the leaves of "
		 "trees do nothing)",
	 .of_run = true, .standing = "cpu=1M"},
	{"io-file", 0, "FILE", "what the io workers copy (default: a file made for the run)",
	 VALUE_STRING, OPTION(request.io_file), .what = "a file's name", .of_run = true,
	 .swept = true, .standing = "/proc/self/exe", .outside = "reads a file"},
	{"cache", 0, "STATE",
	 "page cache of what io workers read: warm, cold, or once-cold, before the first run alone "
	 "(default: warm)",
	 VALUE_WORD, OPTION(request.cache), .words = cache_words, .of_run = true, .swept = true,
	 .standing = "warm"},
	{"sink", 0, "SINK",
	 "where hello workers write: pipe, which is drained, file or null (default: pipe)",
	 VALUE_WORD, OPTION(request.sink), .words = sink_words, .of_run = true, .swept = true,
	 .standing = "pipe"},
	{"alloc", 0, "BYTES", "allocated and freed in every cpu step (default: 0)", VALUE_SIZE,
	 OPTION(request.alloc), .what = "a size in bytes (0, 400, 64K)", .of_run = true,
	 .swept = true, .standing = "0"},
	{"share-file", 0, NULL, "io and write workers write one file, all the same", VALUE_FLAG,
	 OPTION(request.mistakes.share_file), .of_run = true, .swept = true, .standing = "no"},
	{"mem-order", 0, "ORDER",
	 "how mem workers walk: random, or sequential, which is fetched ahead (default: random)",
	 VALUE_WORD, OPTION(request.mistakes.mem_order), .words = mem_order_words, .of_run = true,
	 .swept = true, .standing = "random"},
	{"rounds", 0, "N", "of each mem and write worker (default: mem 4, write 1)", VALUE_U32,
	 OPTION(request.mistakes.rounds), 1, MAX_ROUNDS, .of_run = true, .swept = true,
	 .standing = "4"},
	{"fault", 0, "KIND",
	 "what one worker of crash does: segv, abort, exit, hang, oom, overrun; KIND@PERCENT: when "
	 "it has "
	 "done so much of its work (default: segv@50)",
	 VALUE_STRING, OPTION(request.fault), .words = fault_words,
	 .what = "segv, abort, exit, hang, oom or overrun", .of_run = true, .swept = true,
	 .standing = "segv@50"},
	{"via", 0, "LIST",
	 "ways in which the workers of switch hand over a token: pipe, socketpair, eventfd, futex, "
	 "signal, memory (default: all but plain); those of messages: pipe, socketpair; in which "
	 "those of share count: mutex, spinlock, atomic, false, line, plain (no lock: some "
	 "increments are lost)",
	 VALUE_STRING, OPTION(request.vias), .what = "a way, or several (pipe,futex)",
	 .of_run = true},
	{"group", 0, "SHAPE", "senders x receivers of each group of message workers (default: 5x5)",
	 VALUE_STRING, OPTION(request.group), .what = "senders x receivers (5x5, 1x20)",
	 .of_run = true, .swept = true},
	{"tasks", 0, "N", "that pool hands out (default: 1000, fewer of long ones)", VALUE_U32,
	 OPTION(request.tasks), 1, PLAN_MAX_TASKS, .of_run = true, .swept = true,
	 .standing = "1000"},
	{"stack-size", 0, "LIST",
	 "stacks of threads, in bytes or as the system has it; several are compared: default,16K "
	 "(default: default)",
	 VALUE_STRING, OPTION(request.stack_sizes),
	 .what = "a size in bytes or \"default\", or several (default,16K)", .of_run = true,
	 .standing = "default"},
	{"ballast", 0, "LIST",
	 "touched memory in the program that creates the tasks; several are compared: 0,1G,4G "
	 "(default: 0; cow: 64M)",
	 VALUE_STRING, OPTION(request.ballasts), .what = "a size in bytes, or several (0,1G,4G)",
	 .of_run = true, .standing = "0"},
	{"ballast-pages", 0, "PAGES",
	 "what that memory is in: small pages, of 4 KiB, or huge ones, of 2 MiB (default: small)",
	 VALUE_WORD, OPTION(request.ballast_pages), .words = page_words, .of_run = true,
	 .standing = "small"},
	{"batch-size", 0, "N", "in trees: create N, join N, go on (default: all at once)",
	 VALUE_U64, OPTION(request.batch), 1, PLAN_MAX_TASKS, .of_run = true, .swept = true,
	 .standing = "100"},
	{"all-alive", 0, NULL, "in trees: all stay until the whole tree stands", VALUE_FLAG,
	 OPTION(request.all_alive), .of_run = true, .swept = true, .standing = "no"},
	{"sweep", 0, "VAR=RANGE",
	 "what is varied: workers=2..8, size=10,50,100..900:100 of every worker, cpu=1M,2M of one "
	 "kind, cores=1..4 (1..: all), tree=LIST, and options of a run: alloc=0,400, "
	 "cache=cold,warm; repeatable: each value with each",
	 VALUE_SWEEP, 0,
	 .what = "a variable with its values (workers=2..8, size=10,50,100..900:100, "
		 "tree=5000,50x99, alloc=0,400), of at most four",
	 .of_run = true, .standing = "workers=2..8"},
	{"sched", 0, "SOURCE",
	 "when each worker was on a core: own, noted by workers that compute or copy; perf, the "
	 "kernel's records; off; auto, perf where it is allowed and costs little, else own "
	 "(default: auto)",
	 VALUE_WORD, OPTION(request.sched), .words = sched_words, .of_run = true,
	 .standing = "auto"},
	{"pin", 0, "CPULIST", "CPUs to use, as 0 or 0-2,4 (default: all; scaling: the first)",
	 VALUE_CPULIST, 0, .what = "a list of CPUs (0, 0-2,4)", .of_run = true, .swept = true,
	 .standing = "0"},
	{"place", 0, "PLACE",
	 "by the topology, as many CPUs as workers: spread over cores and packages; pack, a core "
	 "and then its package; same-core; any, as the kernel likes (default: any)",
	 VALUE_WORD, OPTION(request.place), .words = place_words, .of_run = true, .swept = true,
	 .standing = "any"},
	{"nice", 0, "N", "niceness of what runs, -20 to 19 (default: that of this program)",
	 VALUE_NICE, 0, .what = "a whole number from -20 to 19", .of_run = true, .swept = true,
	 .standing = "0"},
	{"policy", 0, "POLICY",
	 "scheduling policy of what runs: other, batch, idle, and at priority 1 fifo or rr "
	 "(default: that of this program)",
	 VALUE_WORD, OPTION(request.policy), .min = POLICY_OTHER, .words = policy_words,
	 .of_run = true, .swept = true, .standing = "other"},
	{"quota", 0, "CPUS",
	 "limit each run to so many CPUs, such as 0.5, through a cgroup of its own; max for no "
	 "limit (default: max)",
	 VALUE_QUOTA, 0, .what = "a number of CPUs from 0.01 to 1024, or max", .of_run = true,
	 .swept = true, .standing = "max"},
	{"env", 0, "NAME=VALUE",
	 "a variable in the environment of what runs, NAME=- without it; repeatable, and swept as "
	 "env:NAME=a,b",
	 VALUE_ENV, 0, .what = "a variable and its value, of eight at most (MALLOC_ARENA_MAX=1)",
	 .of_run = true, .standing = "MALLOC_ARENA_MAX=1", .outside = "sets a variable"},
	{"trials", 'n', "N",
	 "counted runs of each model; 6 is the least that gives an interval (default: what it "
	 "takes to find 3 %, 15 for two models)",
	 VALUE_U32, OPTION(request.trials), 1, MAX_TRIALS, .section = "How often, in which order",
	 .of_run = true, .standing = "6"},
	{"warmup", 0, "N", "uncounted runs of each model before them (default: 1)", VALUE_U32,
	 OPTION(request.warmup), 0, MAX_TRIALS, .of_run = true, .standing = "1"},
	{"quick", 0, NULL,
	 "fewer trials of less work: seconds, not half a minute; says what it can still tell",
	 VALUE_FLAG, OPTION(request.quick), .of_run = true, .standing = "no"},
	{"order", 0, "ORDER",
	 "random: drawn in every trial; alternate there and back, who goes first is drawn; or "
	 "fixed (default: random)",
	 VALUE_WORD, OPTION(request.order), .words = order_words, .of_run = true,
	 .standing = "random"},
	{"seed", 0, "N", "of what the order draws (default: drawn, and recorded)", VALUE_U64,
	 OPTION(request.seed), 0, INT64_MAX, .of_run = true, .standing = "1"},
	{"replay", 'r', "[LOG]",
	 "play a recording on the same screen (default: the newest);\n- follows standard input; "
	 "several, as those of two\nmachines, stand side by side",
	 VALUE_FLAG, OPTION(replay), .section = "Recordings"},
	{"speed", 0, "X",
	 "of the replay, 0.001 to 1000 (default: 1), and of an exported cast or svg-animation "
	 "(default: so that a minute is enough)",
	 VALUE_SPEED, OPTION(speed), .what = "a number from 0.001 to 1000", .standing = "1"},
	{"follow", 0, NULL, "LOG grows: show what is added to it", VALUE_FLAG, OPTION(follow)},
	{"scene", 0, "N", "of a lecture's recording: this scene alone (default: all scenes)",
	 VALUE_U32, OPTION(scene), 1, LOG_SCENES_MOST},
	{"list", 0, NULL, "the recordings in the state folder, and leave", VALUE_ACTION,
	 OPTION(action), ACTION_LIST},
	{"lecture", 0, "[FILE]",
	 "the scenes of a Markdown file, one after another: PgDn, PgUp;\nwithout FILE: name the "
	 "lectures that are installed",
	 VALUE_ACTION, OPTION(action), ACTION_LECTURE},
	{"trust", 0, "FILE",
	 "of --lecture: that FILE, whatever its blocks run outside tuibench, without asking",
	 VALUE_STRING, OPTION(trust), .what = "the lecture's file", .outside = "trusts a file"},
	{"rerun", 0, "LOG",
	 "run the session of a recording again, after showing its command line and asking",
	 VALUE_STRING, OPTION(rerun), .what = "a recording's file",
	 .outside = "repeats a recording"},
	{"yes", 0, NULL, "of --rerun: without asking", VALUE_FLAG, OPTION(yes)},
	{"export", 'x', "FORMAT",
	 "LOG (the newest if none is named) for other programs: ", VALUE_FORMAT, OPTION(format)},
	{"size", 0, "SIZE",
	 "the screen of an exported cast, svg-animation or svg (default: 120x36)", VALUE_SCREEN,
	 OPTION(size), .what = "a screen from 40x12 to 300x120", .standing = "120x36"},
	{"output", 'O', "FILE", "where the export goes (default: standard output)", VALUE_STRING,
	 OPTION(output), .what = "a file's name", .outside = "writes a file"},
	{"log", 'o', "FILE",
	 "the recording; - is standard output, in batch\n(default: "
	 "$XDG_STATE_HOME/tuibench/DATE-EXPERIMENT.csv)",
	 VALUE_STRING, OPTION(log), .what = "a file's name, or - for standard output",
	 .section = "Where it goes", .of_run = true, .outside = "writes a file"},
	{"no-log", 0, NULL, "keep no recording", VALUE_FLAG, OPTION(no_log), .of_run = true,
	 .standing = "no"},
	{"batch", 'b', NULL,
	 "no screen: progress on standard error, the result on standard output; by itself where "
	 "that is no terminal",
	 VALUE_FLAG, OPTION(batch), .standing = "no"},
	{"format", 0, "FORMAT", "of the result: ", VALUE_FORMAT, OPTION(format), 1,
	 .rest = " (default: table)", .standing = "table"},
	{"menu", 0, NULL,
	 "choose with the arrow keys what to run, or which recording to play; e does so at any "
	 "time",
	 VALUE_FLAG, OPTION(menu), .section = "The screen"},
	{"hold", 0, NULL, "wait for Space before the first run", VALUE_FLAG, OPTION(request.hold),
	 .of_run = true, .standing = "no"},
	{"vote", 0, NULL, "cover times and verdict until Space reveals them", VALUE_FLAG,
	 OPTION(vote), .standing = "no"},
	{"exit", 0, NULL, "leave after the last run", VALUE_FLAG, OPTION(exit), .standing = "no"},
	{"view", 0, "VIEW",
	 "what opens: overview, timeline, memory, results, curve, messages, or answer: the curve "
	 "of "
	 "sweeps and of creation, else the overview (default: answer)",
	 VALUE_WORD, OPTION(view), .words = view_words, .standing = "answer"},
	{"zoom", 0, "ZOOM",
	 "the part of a run's time that is shown: 40 times as large, from its begin on, or "
	 "FROM-TO, "
	 "as 1.2-1.4s or 120ms-150ms (default: 1)",
	 VALUE_ZOOM, OPTION(zoom),
	 .what = "a factor from 1 to 1000000, or a time FROM-TO (1.2-1.4s, 120ms-150ms)",
	 .standing = "1"},
	{"select", 0, "NAME",
	 "the worker whose row is selected, as / finds it by name: cpu2, 4.2; first the whole "
	 "name, "
	 "then what begins so",
	 VALUE_STRING, OPTION(select), .what = "a worker's name"},
	{"captions", 0, "WHEN",
	 "two lines about the view, which the key i switches: on, off, or fit, from 30 lines on "
	 "(default: fit)",
	 VALUE_WORD, OPTION(captions), .words = caption_words, .standing = "fit"},
	{"interval", 0, "MS", "between samples (default: 100; scaling: 50; hello: 40)", VALUE_U32,
	 OPTION(request.interval_ms), MIN_INTERVAL, MAX_INTERVAL, .of_run = true,
	 .standing = "100"},
	{"fps", 0, "N", "most frames a second (default: 10)", VALUE_U32, OPTION(fps), 1, MAX_FPS,
	 .standing = "10"},
	{"theme", 0, "NAME", "dark, light, mono (default: as the terminal is)", VALUE_THEME,
	 OPTION(theme), .standing = "dark"},
	{"ascii", 0, NULL, "no other characters", VALUE_FLAG, OPTION(ascii), .standing = "no"},
	{"no-color", 0, NULL, "no colours", VALUE_FLAG, OPTION(no_color), .standing = "no"},
	{"no-mouse", 0, NULL, "leave the mouse to the terminal", VALUE_FLAG, OPTION(no_mouse),
	 .standing = "no"},
	{"self-test", 0, NULL,
	 "in less than a minute: for what this machine can be trusted now; a table, or --format "
	 "json",
	 VALUE_ACTION, OPTION(action), ACTION_SELF_TEST, .section = ""},
	{"config", 0, "FILE",
	 "options, as lines NAME = VALUE; what is typed comes first; none: no file (default: "
	 "$XDG_CONFIG_HOME/tuibench/config)",
	 VALUE_STRING, OPTION(config), .what = "a file's name, or none",
	 .outside = "reads a file of options"},
	{"default-config", 0, NULL, "a file of all options with their defaults, and leave",
	 VALUE_ACTION, OPTION(action), ACTION_DEFAULT_CONFIG},
	{"completion", 0, "SHELL", "what completes options in bash, zsh or fish, and leave",
	 VALUE_WORD, OPTION(completion), .words = shell_words},
	{"help", 'h', NULL, "this text", VALUE_ACTION, OPTION(action), ACTION_HELP},
	{"version", 'V', NULL, "the version", VALUE_ACTION, OPTION(action), ACTION_VERSION},
};

#define RULES (sizeof(rules) / sizeof(rules[0]))

/* getopt's value of a rule without a letter. */
#define RULE_VALUE 256

/* Writes the line for the user. */
#define WRONG(parse, ...) error_line((parse)->error, (parse)->size, -EINVAL, __VA_ARGS__)

const struct options_rule *options_rule_at(size_t i)
{
	return i < RULES ? &rules[i] : NULL;
}

static bool reads_stdin(const struct options *options)
{
	return options->replay && options->n_logs == 1 && strcmp(options->logs[0], "-") == 0;
}

bool options_streams(const struct options *options)
{
	return options->follow || reads_stdin(options);
}

bool options_screen(const struct options *options)
{
	return !options->batch && (isatty(STDIN_FILENO) || reads_stdin(options)) &&
	       isatty(STDOUT_FILENO) && screen_can_draw(getenv("TERM"));
}

bool options_rule_takes(const struct options_rule *rule)
{
	return rule->value != VALUE_FLAG && rule->value != VALUE_ACTION;
}

int options_refuse_value(const struct options_typed *parse, const struct options_rule *rule,
			 const char *value)
{
	char what[256];

	if (rule->value == VALUE_FORMAT && (export_find(value) || film_find(value)))
		return WRONG(parse,
			     "--%s: \"%s\" is made of a recording: --replay FILE --export %s; of a "
			     "session there is %s",
			     rule->name, value, value,
			     options_value_describe(rule, what, sizeof(what)));
	return WRONG(parse, "--%s: \"%s\" is not %s", rule->name, value,
		     options_value_describe(rule, what, sizeof(what)));
}

/* Levenshtein distance; words of up to 31 characters, others are far away. */
static size_t distance(const char *a, const char *b)
{
	size_t n = strlen(b), row[32], i, j;

	if (n > 31)
		return n;
	for (j = 0; j <= n; j++)
		row[j] = j;
	for (i = 1; a[i - 1]; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (j = 1; j <= n; j++) {
			size_t cost = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < cost)
				cost = row[j] + 1;
			if (row[j - 1] + 1 < cost)
				cost = row[j - 1] + 1;
			row[j] = cost;
		}
	}
	return row[n];
}

/* The name of an option that may have been meant, the first that begins so at best; NULL. */
const char *options_nearest(const char *name)
{
	size_t length = strlen(name), best = length / 3;
	const char *found = NULL;

	for (size_t i = 0; i < RULES; i++) {
		bool begins = strncmp(name, rules[i].name, length) == 0;
		size_t d = begins ? 0 : distance(name, rules[i].name);

		if (d <= best && (!found || d < best)) {
			best = d;
			found = rules[i].name;
		}
	}
	return found;
}

const struct options_rule *options_rule_of(int value)
{
	if (value >= RULE_VALUE && (size_t)(value - RULE_VALUE) < RULES)
		return &rules[value - RULE_VALUE];
	for (size_t i = 0; i < RULES; i++) {
		if (rules[i].letter && rules[i].letter == value)
			return &rules[i];
	}
	return NULL;
}

/* getopt found no such option, or a value for one that takes none. */
static int refuse_option(const struct options_typed *parse, const char *typed)
{
	const struct options_rule *rule = options_rule_of(optopt);
	char name[64];
	const char *meant;

	if (rule)
		return WRONG(parse, "--%s: takes no value, but \"%s\" gives one", rule->name,
			     typed);
	if (optopt)
		return WRONG(parse, "-%c: is not an option; --help lists them", optopt);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(typed + 2, "="), typed + 2);
	meant = options_nearest(name);
	if (meant)
		return WRONG(parse, "--%s: is not an option; did you mean --%s?", name, meant);
	return WRONG(parse, "--%s: is not an option; --help lists them", name);
}

static int refuse_missing(const struct options_typed *parse)
{
	const struct options_rule *rule = options_rule_of(optopt);
	char what[256];

	return WRONG(parse, "--%s: needs a value, %s", rule->name,
		     options_value_describe(rule, what, sizeof(what)));
}

void options_rule_getopt(char letters[OPTIONS_LETTERS], struct option names[OPTIONS_MOST])
{
	_Static_assert(RULES < OPTIONS_MOST, "one entry ends the names");
	*letters++ = ':'; /* tell a missing value from an unknown option */
	for (size_t i = 0; i < RULES; i++) {
		const struct options_rule *rule = &rules[i];

		names[i] = (struct option) {
			.name = rule->name,
			.has_arg = options_rule_takes(rule) ? required_argument : no_argument,
			.val = rule->letter ? rule->letter : RULE_VALUE + (int)i,
		};
		if (!rule->letter)
			continue;
		*letters++ = rule->letter;
		if (options_rule_takes(rule))
			*letters++ = ':';
	}
	*letters = '\0';
	names[RULES] = (struct option) {0};
}

int options_rule_tell(const struct options_rule *rule, const char *value, const char *where,
		      FILE *to)
{
	const char *outside = options_rule_outside(rule, value);
	char *word = NULL, *text = NULL;

	if (!outside)
		return 0;
	if (asprintf(&word, value ? "--%s=%s" : "--%s", rule->name, value) < 0)
		return -ENOMEM;
	text = command_text(1, &word);
	free(word);
	if (!text)
		return -ENOMEM;
	fprintf(to, "* %s%s: %s\n", where, outside, text);
	free(text);
	return 1;
}

int options_rule_each(int argc, char **argv,
		      int (*take)(void *arg, const struct options_rule *rule, const char *value),
		      void *arg)
{
	char letters[OPTIONS_LETTERS];
	struct option names[OPTIONS_MOST];
	int c, err = 0;

	options_rule_getopt(letters, names);
	opterr = 0;
	optind = 0; /* glibc: begin anew */
	while (!err && (c = getopt_long(argc, argv, letters, names, NULL)) != -1)
		err = take(arg, options_rule_of(c), optarg);
	return err;
}

static int parse_all(struct options_typed *parse, int argc, char **argv)
{
	char letters[OPTIONS_LETTERS];
	struct option names[OPTIONS_MOST];
	const struct options_rule *rule;
	int c;

	options_rule_getopt(letters, names);
	opterr = 0;
	optind = 0; /* glibc: begin anew */
	while ((c = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		if (c == '?')
			return refuse_option(parse, argv[optind - 1]);
		if (c == ':')
			return refuse_missing(parse);
		rule = options_rule_of(c);
		if (rule->value == VALUE_EXPERIMENT && parse->given[rule - rules])
			return WRONG(parse,
				     "--experiment: \"%s\" is one too many after \"%s\"; "
				     "name one",
				     optarg, parse->options->request.experiment);
		if (options_value_store(parse->options, rule, optarg))
			return options_refuse_value(parse, rule, optarg);
		parse->given[rule - rules] = true;
		/* Whoever asks for help gets it, whatever else is typed. */
		if (rule->value == VALUE_ACTION && rule->min < ACTION_LIST)
			return 0;
	}
	parse->options->logs = argv + optind;
	parse->options->n_logs = argc - optind;
	return 0;
}

static bool was_given(const struct options_typed *parse, const char *name)
{
	for (size_t i = 0; i < RULES; i++)
		if (parse->given[i] && strcmp(rules[i].name, name) == 0)
			return true;
	return false;
}

/* A word by itself: an experiment's name and a recording's are what is most often meant. */
static int refuse_name(const struct options_typed *parse, const char *name)
{
	const char *question, *about, *known, *meant = NULL;

	for (size_t i = 0; (known = experiment_name(i, &question, &about)); i++)
		if (distance(name, known) <= strlen(known) / 3)
			meant = known;
	if (meant && strcmp(meant, name) == 0)
		return WRONG(parse, "\"%s\": is one experiment too many; name one", name);
	if (access(name, R_OK) == 0)
		return WRONG(parse, "\"%s\": is not an option; did you mean --replay %s?", name,
			     name);
	if (meant)
		return WRONG(parse, "\"%s\": is not an experiment; did you mean %s?", name, meant);
	return WRONG(
		parse,
		"\"%s\": is not an option, nor an experiment (--list-experiments); a recording "
		"follows --replay or --export",
		name);
}

/* "tuibench hello" is "tuibench -e hello". */
static void take_name(struct options_typed *typed)
{
	struct options *options = typed->options;
	const char *question, *about, *known;

	if (options->n_logs != 1 || options->action != ACTION_RUN || options->replay)
		return;
	for (size_t i = 0; i < RULES; i++)
		if (rules[i].value == VALUE_EXPERIMENT && typed->given[i])
			return;
	for (size_t i = 0; (known = experiment_name(i, &question, &about)); i++) {
		if (strcmp(options->logs[0], known) != 0)
			continue;
		options->request.experiment = known;
		options->n_logs = 0;
	}
	for (size_t i = 0; i < RULES; i++)
		if (rules[i].value == VALUE_EXPERIMENT)
			typed->given[i] |= options->n_logs == 0;
}

static int check_scene(const struct options_typed *parse)
{
	const struct options *options = parse->options;

	if (options->action != ACTION_EXPORT && !options->replay)
		return WRONG(parse, "--scene: is of --replay and --export");
	if (options->n_logs > 1)
		return WRONG(parse, "--scene: is of one recording, and \"%s\" is another; name one",
			     options->logs[1]);
	if (options->follow)
		return WRONG(parse, "--scene: is of a whole recording, and --follow of one that "
				    "grows; leave one of them out");
	return 0;
}

static int check_logs(const struct options_typed *parse)
{
	const struct options *options = parse->options;
	bool takes_names = options->action == ACTION_EXPORT || options->action == ACTION_LECTURE ||
			   (options->action == ACTION_RUN && options->replay);

	if (options->n_logs > 0 && !takes_names)
		return refuse_name(parse, options->logs[0]);
	if (options->n_logs > 1 && options->follow)
		return WRONG(parse, "--follow: \"%s\" is one recording too many; name one",
			     options->logs[1]);
	return options->scene > 0 ? check_scene(parse) : 0;
}

static int check_export(const struct options_typed *parse)
{
	const struct options *options = parse->options;
	const char *reason = NULL;

	if (options->action != ACTION_EXPORT)
		reason = options->output ? "--output: is of --export" : NULL;
	else if (options->replay)
		reason = "--export: writes a recording, and --replay shows it; leave one of them "
			 "out";
	else if (was_given(parse, "format"))
		reason = "--format: is for the result of a run; --export names its own";
	return reason ? WRONG(parse, "%s", reason) : 0;
}

/* It chooses its own runs, and keeps no recording. */
static int check_self_test(const struct options_typed *parse)
{
	static const char *const others[] = {"replay", "export", "list"};
	const char *format = parse->options->format->name;

	for (size_t i = 0; i < RULES; i++)
		if (parse->given[i] && rules[i].of_run)
			return WRONG(parse,
				     "--%s: is of a run, and --self-test has its own; leave one of "
				     "them out",
				     rules[i].name);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (was_given(parse, others[i]))
			return WRONG(parse,
				     "--self-test: measures, and --%s shows what was measured; "
				     "leave one of them out",
				     others[i]);
	if (strcmp(format, "table") != 0 && strcmp(format, "json") != 0)
		return WRONG(parse, "--format: \"%s\" is none of --self-test; it has table, json",
			     format);
	return 0;
}

/* What runs stands in its scenes; the screen and the recording are the speaker's. */
static int check_lecture(const struct options_typed *parse)
{
	static const char *const own[] = {"lecture", "theme", "ascii",	"no-color", "no-mouse",
					  "fps",     "log",   "no-log", "config",   "trust"};
	const struct options *options = parse->options;

	for (size_t i = 0; i < RULES; i++) {
		bool fits = !parse->given[i];

		for (size_t k = 0; k < sizeof(own) / sizeof(*own); k++)
			fits |= strcmp(rules[i].name, own[k]) == 0;
		if (!fits)
			return WRONG(parse,
				     "--%s: is not for --lecture, whose scenes have their "
				     "own; leave one of them out",
				     rules[i].name);
	}
	if (options->n_logs > 1)
		return WRONG(parse, "--lecture: \"%s\" is one file too many; name one",
			     options->logs[1]);
	if (options->n_logs == 1 && !options_screen(options))
		return WRONG(parse, "--lecture: is shown on a screen, and there is none");
	return 0;
}

/* A recording is shown as it was recorded. */
static int check_replay(const struct options_typed *parse)
{
	const struct options *options = parse->options;
	bool plays = options->replay || options->action == ACTION_EXPORT;

	for (size_t i = 0; plays && i < RULES; i++)
		if (rules[i].of_run && parse->given[i])
			return WRONG(
				parse,
				"--%s: is of a run, and --%s runs nothing; leave one of them out",
				rules[i].name, options->replay ? "replay" : "export");
	if (!options->replay && !options->film && was_given(parse, "speed"))
		return WRONG(parse, "--speed: is of --replay, and of --export cast, svg-animation");
	if (!options->film && was_given(parse, "size"))
		return WRONG(parse, "--size: is of --export cast, svg-animation, svg");
	if (!options->replay && options->follow)
		return WRONG(parse, "--follow: is of --replay");
	return 0;
}

/* What runs stands in the recording; where it is recorded and shown is the user's. */
static int check_rerun(const struct options_typed *parse)
{
	static const char *const others[] = {"replay", "export", "list", "menu", "self-test"};
	const struct options *options = parse->options;

	if (!options->rerun)
		return options->yes ? WRONG(parse, "--yes: is of --rerun") : 0;
	for (size_t i = 0; i < RULES; i++) {
		const char *name = rules[i].name;
		bool fits = !rules[i].of_run || strcmp(name, "log") == 0 ||
			    strcmp(name, "no-log") == 0 || strcmp(name, "hold") == 0;

		for (size_t k = 0; k < sizeof(others) / sizeof(*others); k++)
			fits &= strcmp(name, others[k]) != 0;
		if (parse->given[i] && !fits)
			return WRONG(
				parse,
				"--%s: is not for --rerun, which runs what was recorded; leave "
				"one of them out",
				name);
	}
	if (!options->yes && !options_screen(options))
		return WRONG(parse,
			     "--rerun: asks on a screen before it runs \"%s\", and there is none; "
			     "--yes runs it without asking",
			     options->rerun);
	return 0;
}

/* What runs is chosen there; that it keeps no recording may be said before. */
static int check_menu(const struct options_typed *parse)
{
	static const char *const others[] = {"replay", "export", "batch", "format", "exit"};

	for (size_t i = 0; parse->options->menu && i < RULES; i++) {
		bool other = rules[i].of_run && strcmp(rules[i].name, "no-log") != 0 &&
			     strcmp(rules[i].name, "experiment") != 0;

		for (size_t j = 0; j < sizeof(others) / sizeof(*others); j++)
			other |= strcmp(rules[i].name, others[j]) == 0;
		if (other && parse->given[i])
			return WRONG(parse, "--menu: what runs is chosen in it; leave out --%s",
				     rules[i].name);
	}
	if (parse->options->menu && !options_screen(parse->options))
		return WRONG(parse, "--menu: needs a screen, and there is none; "
				    "--list-experiments names what there is to choose");
	return 0;
}

/* The kind that an experiment is of; "": of none, or others share a number with it. */
static const char *only_kind(const struct options_typed *parse)
{
	const char *name = parse->options->request.experiment;
	enum work_kind only;

	if (!name || plan_work_parse(name, &only))
		return "";
	for (int kind = 0; kind < WORK_KINDS; kind++)
		if (kind != (int)only && was_given(parse, plan_work_name((enum work_kind)kind)))
			return "";
	return name;
}

/* "--sweep alloc=0,400": what --alloc says would hold for no run. */
static int check_swept(const struct options_typed *parse)
{
	const struct request *request = &parse->options->request;
	const char *text = request->sweep;
	const struct options_rule *rule;
	const char *same;
	char name[64];

	for (size_t i = 0; text; text = i < REQUEST_SWEEPS - 1 ? request->more_sweeps[i++] : NULL) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, "="), text);
		rule = options_sweep_rule(name);
		same = rule ? rule->name : strcmp(name, "workers") == 0 ? only_kind(parse) : "";
		if (was_given(parse, same))
			return WRONG(parse,
				     "--sweep: \"%s\" and --%s are the same; leave one of them out",
				     text, same);
	}
	return 0;
}

/* Options that are right by themselves and cannot be had together. */
static int check_conflicts(const struct options_typed *parse)
{
	const struct options *options = parse->options;
	bool screen = options_screen(options);
	bool log_out = options->log && strcmp(options->log, "-") == 0;
	const char *reason = NULL;

	if (options->request.quick && was_given(parse, "trials"))
		reason = "--quick: chooses the number of trials, and --trials gives one; leave one "
			 "of them out";
	else if (was_given(parse, "seed") && options->request.order == ORDER_FIXED)
		reason = "--seed: nothing is drawn with --order fixed; leave one of them out";
	else if (options->log && options->no_log)
		reason = "--no-log: contradicts --log; leave one of them out";
	else if (log_out && screen)
		reason = "--log: \"-\" is where the screen is; add --batch, or name a file";
	else if (log_out && options->format_given)
		reason = "--format: the result has no standard output to go to, --log - takes it; "
			 "log to a file";
	else if (options->format_given && screen)
		reason = "--format: is for the result of a run without a screen; add --batch";
	else if (options->request.hold && !screen)
		reason = "--hold: waits for a key, and there is no screen to press one on; leave "
			 "it out";
	else if (options->vote && !screen)
		reason = "--vote: covers the screen, and there is none; leave it out";
	return reason ? WRONG(parse, "%s", reason) : 0;
}

/*
 * The recording holds the seed. The command line repeats one that was drawn where an order at
 * random was asked for: else another is as good.
 */
static int write_command(struct options *options, bool with_seed, int argc, char **argv,
			 const struct options_config *added)
{
	char **words = calloc((size_t)argc + (size_t)added->n, sizeof(*words));
	char seed[48] = "";

	options->request.command = options->command;
	if (!words)
		return -ENOMEM;
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	memcpy(words + argc, added->words, (size_t)added->n * sizeof(*words));
	if (with_seed)
		snprintf(seed, sizeof(seed), " --seed %" PRIu64, options->request.seed);
	command_write(options->command, sizeof(options->command), argc + added->n, words, seed);
	free(words);
	return 0;
}

/* The seed when no --seed was given: one more than the option takes. */
#define SEED_UNSET UINT64_MAX

/* Returns whether it was drawn for an order that was asked for. */
static bool draw_seed(struct request *request, bool asked)
{
	uint32_t seed = 0;

	if (request->seed != SEED_UNSET)
		return false;
	request->seed = 0;
	if (getrandom(&seed, sizeof(seed), 0) == sizeof(seed))
		request->seed = seed;
	return asked && request->order == ORDER_RANDOM;
}

static bool leaves_at_once(const struct options *options)
{
	return options->action > ACTION_RUN && options->action < ACTION_LIST;
}

int options_check(struct options_typed *typed)
{
	struct options *options = typed->options;
	bool self_test = was_given(typed, "self-test");
	int err = self_test ? check_self_test(typed) : 0;

	if (was_given(typed, "lecture"))
		return check_lecture(typed);
	if (options->trust)
		return WRONG(typed, "--trust: is of --lecture");
	options->format_given = was_given(typed, "format");
	options->speed_given = was_given(typed, "speed");
	if (!err)
		err = check_logs(typed);
	if (options->action == ACTION_LIST)
		return err;
	if (!err)
		err = check_rerun(typed);
	if (!err)
		err = check_export(typed);
	if (!err)
		err = check_menu(typed);
	if (!err)
		err = check_replay(typed);
	if (!err && !self_test)
		err = check_conflicts(typed);
	if (!err)
		err = check_swept(typed);
	return err || !options->work ? err : options_own(options, typed->error, typed->size);
}

/* What was typed is right by itself; then comes what a file says. */
static int add_config(struct options_typed *typed, int argc, char **argv)
{
	struct options *options = typed->options;
	struct options_config added = {.n = 0};
	int err = options_check(typed);

	if (!err && options->action != ACTION_LIST)
		err = options_config_apply(typed, &added);
	if (!err)
		err = write_command(options,
				    draw_seed(&options->request, was_given(typed, "order")), argc,
				    argv, &added);
	options_config_free(&added);
	return err;
}

static int parse(struct options_typed *typed, int argc, char **argv)
{
	struct options *options = typed->options;
	const char *no_color = getenv("NO_COLOR");
	int err;

	*options = (struct options) {
		.fps = OPTIONS_FPS,
		.speed = 1,
		.size = {120, 36},
		.format = export_of_result(1),
		.no_color = no_color && *no_color,
		.argc = argc,
		.argv = argv,
	};
	request_init(&options->request);
	options->request.set = options_sweep_set;
	options->request.seed = SEED_UNSET;
	err = parse_all(typed, argc, argv);
	if (!err && was_given(typed, "completion"))
		options->action = ACTION_COMPLETION;
	if (err || leaves_at_once(options))
		return err;
	if (options->action == ACTION_RUN && was_given(typed, "export"))
		options->action = ACTION_EXPORT;
	take_name(typed);
	return add_config(typed, argc, argv);
}

int options_parse(struct options *options, int argc, char **argv, char *error, size_t size)
{
	struct options_typed typed = {options, error, size, {0}};
	int err;

	*error = '\0';
	err = parse(&typed, argc, argv);
	return err < 0 && !*error ? error_line(error, size, err, "%s",
					       err == -ENOMEM ? "out of memory" : strerror(-err))
				  : err;
}
