/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "command.h"
#include "base/refuse.h"
#include "screen/screen.h"
#include "draw/theme.h"
#include "base/units.h"
#include "work/workload.h"

#define MAX_TRIALS   10000
#define MIN_INTERVAL 10
#define MAX_INTERVAL 10000
#define MAX_FPS	     60

/* How the value of an option is read, and what it is stored as. */
enum value {
	VALUE_FLAG,    /* none: sets a bool */
	VALUE_ACTION,  /* none: enum options_action in min */
	VALUE_U32,     /* a whole number from min to max */
	VALUE_U64,     /* the same */
	VALUE_SIZE,    /* bytes, with a suffix */
	VALUE_WORD,    /* one of words: an enum */
	VALUE_STRING,  /* any but an empty one */
	VALUE_CPULIST, /* request.pin */
	VALUE_WORK,    /* request.work_size */
	VALUE_THEME,   /* a name that theme_find() knows */
	VALUE_SPEED,   /* from 1/1000 to 1000 */
};

struct rule {
	const char *name;
	char letter;
	enum value value;
	size_t offset;
	uint64_t min, max;
	const char *const *words;
	const char *what; /* a right value, for messages, where the kind does not say it */
};

static const char *const order_words[] = {"alternate", "fixed", "random", NULL};
static const char *const cache_words[] = {[EXPERIMENT_WARM] = "warm",
					  [EXPERIMENT_COLD] = "cold",
					  [EXPERIMENT_ONCE_COLD] = "once-cold",
					  NULL};
static const char *const sink_words[] = {
	[SINK_PIPE] = "pipe", [SINK_FILE] = "file", [SINK_NULL] = "null", NULL};
static const char *const format_words[] = {"table", "json", "markdown", "csv", NULL};
static const char *const export_words[] = {"table",   "json",	 "markdown", "csv", "trace",
					   "workers", "samples", "html",     NULL};

#define FIELD(name) offsetof(struct options, name)

static const struct rule rules[] = {
	{"experiment", 'e', VALUE_STRING, FIELD(request.experiment), .what = "a name"},
	{"list-experiments", 0, VALUE_ACTION, FIELD(action), .min = ACTION_LIST_EXPERIMENTS},
	{"models", 'm', VALUE_STRING, FIELD(request.models),
	 .what = "a list of models: threads, processes, hybrid[:PxT]"},
	{"tree", 't', VALUE_STRING, FIELD(request.tree),
	 .what = "a tree, or several: fan-outs joined by x (20x3x82 or 5000,50x99)"},
	{"cpu", 0, VALUE_U64, FIELD(request.workers[WORK_CPU]), 0, PLAN_MAX_TASKS},
	{"io", 0, VALUE_U64, FIELD(request.workers[WORK_IO]), 0, PLAN_MAX_TASKS},
	{"fp", 0, VALUE_U64, FIELD(request.workers[WORK_FP]), 0, PLAN_MAX_TASKS},
	{"mem", 0, VALUE_U64, FIELD(request.workers[WORK_MEM]), 0, PLAN_MAX_TASKS},
	{"write", 0, VALUE_U64, FIELD(request.workers[WORK_WRITE]), 0, PLAN_MAX_TASKS},
	{"hello", 0, VALUE_U64, FIELD(request.workers[WORK_HELLO]), 0, PLAN_MAX_TASKS},
	{"null", 0, VALUE_U64, FIELD(request.workers[WORK_NULL]), 0, PLAN_MAX_TASKS},
	{"work-size", 0, VALUE_WORK, 0,
	 .what = "a kind of work and an amount of it (cpu=367567200, io=64M, fp=900000000, "
		 "mem=64M, write=64M, hello=100)"},
	{"io-file", 0, VALUE_STRING, FIELD(request.io_file), .what = "a file's name"},
	{"alloc", 0, VALUE_SIZE, FIELD(request.alloc), .what = "a size in bytes (0, 400, 64K)"},
	{"stack-size", 0, VALUE_STRING, FIELD(request.stack_sizes),
	 .what = "a size in bytes or \"default\", or several (default,16K)"},
	{"ballast", 0, VALUE_STRING, FIELD(request.ballasts),
	 .what = "a size in bytes, or several (0,1G,4G)"},
	{"batch-size", 0, VALUE_U64, FIELD(request.batch), 1, PLAN_MAX_TASKS},
	{"all-alive", 0, VALUE_FLAG, FIELD(request.all_alive)},
	{"sweep", 0, VALUE_STRING, FIELD(request.sweep),
	 .what = "a variable with its values (workers=2..8, size=10,50,100..900:100, "
		 "tree=5000,50x99)"},
	{"cache", 0, VALUE_WORD, FIELD(request.cache), .words = cache_words,
	 .what = "one of warm, cold, once-cold"},
	{"sink", 0, VALUE_WORD, FIELD(request.sink), .words = sink_words,
	 .what = "one of pipe, file, null"},
	{"pin", 0, VALUE_CPULIST, 0, .what = "a list of CPUs (0, 0-2,4)"},
	{"trials", 'n', VALUE_U32, FIELD(request.trials), 1, MAX_TRIALS},
	{"warmup", 0, VALUE_U32, FIELD(request.warmup), 0, MAX_TRIALS},
	{"order", 0, VALUE_WORD, FIELD(request.order), .words = order_words,
	 .what = "one of alternate, fixed, random"},
	{"seed", 0, VALUE_U64, FIELD(request.seed), 0, UINT64_MAX - 1},
	{"log", 'o', VALUE_STRING, FIELD(log), .what = "a file's name, or - for standard output"},
	{"no-log", 0, VALUE_FLAG, FIELD(no_log)},
	{"replay", 'r', VALUE_FLAG, FIELD(replay)},
	{"speed", 0, VALUE_SPEED, FIELD(speed), .what = "a number from 0.001 to 1000"},
	{"follow", 0, VALUE_FLAG, FIELD(follow)},
	{"export", 'x', VALUE_WORD, FIELD(format), .words = export_words,
	 .what = "one of trace, workers, samples, json, markdown, html, csv, table"},
	{"output", 'O', VALUE_STRING, FIELD(output), .what = "a file's name"},
	{"list", 0, VALUE_ACTION, FIELD(action), .min = ACTION_LIST},
	{"batch", 'b', VALUE_FLAG, FIELD(batch)},
	{"format", 0, VALUE_WORD, FIELD(format), .words = format_words,
	 .what = "one of table, json, markdown, csv"},
	{"hold", 0, VALUE_FLAG, FIELD(request.hold)},
	{"exit", 0, VALUE_FLAG, FIELD(exit)},
	{"interval", 0, VALUE_U32, FIELD(request.interval_ms), MIN_INTERVAL, MAX_INTERVAL},
	{"fps", 0, VALUE_U32, FIELD(fps), 1, MAX_FPS},
	{"theme", 0, VALUE_THEME, FIELD(theme)},
	{"ascii", 0, VALUE_FLAG, FIELD(ascii)},
	{"no-color", 0, VALUE_FLAG, FIELD(no_color)},
	{"no-mouse", 0, VALUE_FLAG, FIELD(no_mouse)},
	{"help", 'h', VALUE_ACTION, FIELD(action), .min = ACTION_HELP},
	{"version", 'V', VALUE_ACTION, FIELD(action), .min = ACTION_VERSION},
};

#define RULES (sizeof(rules) / sizeof(rules[0]))
/* Options of what runs: a recording has them already. */
static const char *const run_options[] = {
	"experiment", "models", "tree",	  "cpu",	"io",	      "fp",
	"mem",	      "write",	"hello",  "null",	"work-size",  "io-file",
	"alloc",      "cache",	"sink",	  "stack-size", "batch-size", "all-alive",
	"ballast",    "sweep",	"pin",	  "trials",	"warmup",     "order",
	"seed",	      "log",	"no-log", "hold",	"interval",   NULL,
};

/* getopt's value of a rule without a letter. */
#define RULE_VALUE 256

static const char help_text[] =
	"Usage: tuibench [OPTION...]\n"
	"Runs the same work as threads and as processes and shows, live, what each costs.\n"
	"\n"
	"What runs\n"
	"  -e, --experiment NAME    the experiment (default: mixed)\n"
	"      --list-experiments   name them all, and leave\n"
	"  -m, --models LIST        threads, processes, hybrid[:PxT], in the order shown; one\n"
	"                           named twice checks the noise; of creation clock_gettime,\n"
	"                           fork, vfork, posix_spawn, fork+exec, pthread_create[:cold],\n"
	"                           clone (default: threads,processes; hello: also hybrid;\n"
	"                           trees: threads; creation: all)\n"
	"  -t, --tree LIST          a tree of tasks: AxBxC is A that create B each that create C\n"
	"                           each; several are compared: 5000,50x99,20x3x82\n"
	"      --cpu N              workers that look for divisors (default: 6)\n"
	"      --io N               workers that copy a file (default: 2)\n"
	"      --fp N               workers that add up a series for pi (default: 0)\n"
	"      --mem N              workers that walk an array at random (default: 0)\n"
	"      --write N            workers that write a file, sync it, read it (default: 0)\n"
	"      --hello N            workers that say hello through stdio (default: 0)\n"
	"      --null N             workers that do nothing (default: 0; of creation 1000, fewer\n"
	"                           where a fork copies much)\n"
	"      --work-size KIND=SIZE\n"
	"                           what one worker does: cpu=NUMBER whose divisors are sought,\n"
	"                           io=BYTES copied, fp=TERMS added, mem=BYTES walked,\n"
	"                           write=BYTES written and read, hello=LINES; repeatable\n"
	"                           (default: about 1 s of one core; the leaves of trees do\n"
	"                           nothing)\n"
	"      --io-file FILE       what the io workers copy (default: a file made for the run)\n"
	"      --cache STATE        page cache of what io workers read: warm, cold, or once-cold,\n"
	"                           before the first run alone (default: warm)\n"
	"      --sink SINK          where hello workers write: pipe, which is drained, file or\n"
	"                           null (default: pipe)\n"
	"      --alloc BYTES        allocated and freed in every cpu step (default: 0)\n"
	"      --stack-size LIST    stacks of threads, in bytes or as the system has it; several\n"
	"                           are compared: default,16K (default: default)\n"
	"      --ballast LIST       touched memory in the program that creates the tasks; several\n"
	"                           are compared: 0,1G,4G (default: 0)\n"
	"      --batch-size N       in trees: create N, join N, go on (default: all at once)\n"
	"      --all-alive          in trees: all stay until the whole tree stands\n"
	"      --sweep VAR=RANGE    what is varied: workers=2..8, size=10,50,100..900:100 of\n"
	"                           every worker, cpu=1M,2M of one kind, tree=LIST\n"
	"      --pin CPULIST        CPUs to use, as 0 or 0-2,4 (default: all; scaling: the first)\n"
	"\n"
	"How often, in which order\n"
	"  -n, --trials N           counted runs of each model; 6 is the least that gives an\n"
	"                           interval (default: 6)\n"
	"      --warmup N           uncounted runs of each model before them (default: 0)\n"
	"      --order ORDER        alternate, fixed or random (default: alternate)\n"
	"      --seed N             of the random order (default: drawn, and recorded)\n"
	"\n"
	"Recordings\n"
	"  -r, --replay [LOG]       play a recording on the same screen (default: the newest);\n"
	"                           - follows standard input; several, as those of two\n"
	"                           machines, stand side by side\n"
	"      --speed X            of the replay, 0.001 to 1000 (default: 1)\n"
	"      --follow             LOG grows: show what is added to it\n"
	"      --list               the recordings in the state folder, and leave\n"
	"  -x, --export FORMAT      LOG (the newest if none is named) for other programs: trace\n"
	"                           (Perfetto, speedscope), html (a page), workers, samples,\n"
	"                           csv (tidy tables), json, markdown, table\n"
	"  -O, --output FILE        where the export goes (default: standard output)\n"
	"\n"
	"Where it goes\n"
	"  -o, --log FILE           the recording; - is standard output, in batch\n"
	"                           (default: $XDG_STATE_HOME/tuibench/DATE-EXPERIMENT.csv)\n"
	"      --no-log             keep no recording\n"
	"  -b, --batch              no screen: progress on standard error, the result on standard\n"
	"                           output; by itself where that is no terminal\n"
	"      --format FORMAT      of the result: table, json, markdown or csv (default: table)\n"
	"\n"
	"The screen\n"
	"      --hold               wait for Space before the first run\n"
	"      --exit               leave after the last run\n"
	"      --interval MS        between samples (default: 100; scaling: 50; hello: 20)\n"
	"      --fps N              most frames a second (default: 10)\n"
	"      --theme NAME         colours (default: default)\n"
	"      --ascii              no other characters\n"
	"      --no-color           no colours\n"
	"      --no-mouse           leave the mouse to the terminal\n"
	"\n"
	"  -h, --help               this text\n"
	"  -V, --version            the version\n"
	"\n"
	"Sizes take K, M, G (powers of 1024). Exit status: 0 done, 1 something failed, 2 wrong\n"
	"usage, 3 the machine's limits do not allow it, 128+n ended by signal n.\n"
	"The manual page tuibench(1) has the keys, the views and how numbers are measured.\n";

struct parse {
	struct options *options;
	char *error;
	size_t size;
	bool *given; /* by rule */
};

const char *options_help(void)
{
	return help_text;
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

static bool takes_value(const struct rule *rule)
{
	return rule->value != VALUE_FLAG && rule->value != VALUE_ACTION;
}

/* What a right value is, in words. */
static const char *describe(const struct rule *rule, char *buf, size_t size)
{
	size_t len = 0;

	if (rule->what)
		return rule->what;
	if (rule->value != VALUE_THEME) {
		snprintf(buf, size, "a whole number from %" PRIu64 " to %" PRIu64, rule->min,
			 rule->max);
		return buf;
	}
	len = (size_t)snprintf(buf, size, "a theme (");
	for (size_t i = 0; theme_at(i) && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%s", i ? ", " : "",
					theme_at(i)->name);
	if (len < size)
		snprintf(buf + len, size - len, ")");
	return buf;
}

static int refuse_value(const struct parse *parse, const struct rule *rule, const char *value)
{
	char what[160];

	return refuse(parse->error, parse->size, -EINVAL, "--%s: \"%s\" is not %s", rule->name,
		      value, describe(rule, what, sizeof(what)));
}

/* "cpu=NUMBER": kinds that have a size, and sizes that are some work. */
static int parse_work(struct request *request, const char *value)
{
	const char *equals = strchr(value, '=');
	enum work_kind kind;
	char name[16];
	uint64_t size;

	if (!equals || (size_t)(equals - value) >= sizeof(name) ||
	    units_parse_size(equals + 1, &size))
		return -EINVAL;
	memcpy(name, value, (size_t)(equals - value));
	name[equals - value] = '\0';
	if (plan_work_parse(name, &kind) || !workload_takes(workload_get(kind), size))
		return -EINVAL;
	request->work_size[kind] = size;
	return 0;
}

static int parse_number(const struct rule *rule, const char *value, uint64_t *number)
{
	int err = units_parse_count(value, rule->max, number);

	return err ? err : *number < rule->min ? -ERANGE : 0;
}

static int parse_word(const struct rule *rule, const char *value, int *word)
{
	for (int i = 0; rule->words[i]; i++) {
		if (strcmp(value, rule->words[i]) == 0) {
			*word = i;
			return 0;
		}
	}
	return -EINVAL;
}

static int parse_pin(struct request *request, const char *value)
{
	request->pinned = true;
	return units_parse_cpulist(value, &request->pin);
}

static int parse_speed(const char *value, double *speed)
{
	char *end;

	*speed = strtod(value, &end);
	if (end == value || *end || !isdigit((unsigned char)*value))
		return -EINVAL;
	return *speed >= 0.001 && *speed <= 1000 ? 0 : -ERANGE;
}

/* Stores the value of an option; 0 or an error if it is not a right one. */
static int store(struct options *options, const struct rule *rule, const char *value)
{
	void *field = (char *)options + rule->offset;
	uint64_t number = 0;
	int err = 0;

	switch (rule->value) {
	case VALUE_FLAG:
		*(bool *)field = true;
		return 0;
	case VALUE_ACTION:
		*(enum options_action *)field = (enum options_action)rule->min;
		return 0;
	case VALUE_U32:
		err = parse_number(rule, value, &number);
		*(uint32_t *)field = (uint32_t)number;
		return err;
	case VALUE_U64:
		return parse_number(rule, value, field);
	case VALUE_SIZE:
		return units_parse_size(value, field);
	case VALUE_WORD:
		return parse_word(rule, value, field);
	case VALUE_THEME:
		err = theme_find(value) ? 0 : -EINVAL;
		*(const char **)field = value;
		return err;
	case VALUE_SPEED:
		return parse_speed(value, field);
	case VALUE_STRING:
		*(const char **)field = value;
		return *value ? 0 : -EINVAL;
	case VALUE_CPULIST:
		return parse_pin(&options->request, value);
	case VALUE_WORK:
		return parse_work(&options->request, value);
	}
	return -EINVAL;
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
static const char *nearest(const char *name)
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

static const struct rule *rule_of(int value)
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
static int refuse_option(const struct parse *parse, const char *typed)
{
	const struct rule *rule = rule_of(optopt);
	char name[64];
	const char *meant;

	if (rule)
		return refuse(parse->error, parse->size, -EINVAL,
			      "--%s: takes no value, but \"%s\" gives one", rule->name, typed);
	if (optopt)
		return refuse(parse->error, parse->size, -EINVAL,
			      "-%c: is not an option; --help lists them", optopt);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(typed + 2, "="), typed + 2);
	meant = nearest(name);
	if (meant)
		return refuse(parse->error, parse->size, -EINVAL,
			      "--%s: is not an option; did you mean --%s?", name, meant);
	return refuse(parse->error, parse->size, -EINVAL,
		      "--%s: is not an option; --help lists them", name);
}

static int refuse_missing(const struct parse *parse)
{
	const struct rule *rule = rule_of(optopt);
	char what[160];

	return refuse(parse->error, parse->size, -EINVAL, "--%s: needs a value, %s", rule->name,
		      describe(rule, what, sizeof(what)));
}

/* What getopt_long() wants: the letters, and the names in as many entries as there are rules. */
static void fill_getopt(char *letters, struct option *names)
{
	*letters++ = ':'; /* tell a missing value from an unknown option */
	for (size_t i = 0; i < RULES; i++) {
		const struct rule *rule = &rules[i];

		names[i] = (struct option) {
			.name = rule->name,
			.has_arg = takes_value(rule) ? required_argument : no_argument,
			.val = rule->letter ? rule->letter : RULE_VALUE + (int)i,
		};
		if (!rule->letter)
			continue;
		*letters++ = rule->letter;
		if (takes_value(rule))
			*letters++ = ':';
	}
	*letters = '\0';
	names[RULES] = (struct option) {0};
}

static int parse_all(const struct parse *parse, int argc, char **argv)
{
	char letters[2 + 2 * RULES];
	struct option names[RULES + 1];
	const struct rule *rule;
	int c;

	fill_getopt(letters, names);
	opterr = 0;
	optind = 0; /* glibc: begin anew */
	while ((c = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		if (c == '?')
			return refuse_option(parse, argv[optind - 1]);
		if (c == ':')
			return refuse_missing(parse);
		rule = rule_of(c);
		if (store(parse->options, rule, optarg))
			return refuse_value(parse, rule, optarg);
		parse->given[rule - rules] = true;
		/* Whoever asks for help gets it, whatever else is typed. */
		if (rule->value == VALUE_ACTION && rule->min != ACTION_LIST)
			return 0;
	}
	parse->options->logs = argv + optind;
	parse->options->n_logs = argc - optind;
	return 0;
}

static bool was_given(const struct parse *parse, const char *name)
{
	for (size_t i = 0; i < RULES; i++)
		if (parse->given[i] && strcmp(rules[i].name, name) == 0)
			return true;
	return false;
}

static int check_logs(const struct parse *parse)
{
	const struct options *options = parse->options;
	bool takes_names = options->action == ACTION_EXPORT ||
			   (options->action == ACTION_RUN && options->replay);

	if (options->n_logs > 0 && !takes_names)
		return refuse(parse->error, parse->size, -EINVAL,
			      "\"%s\": is not an option; only --replay and --export take names "
			      "without one",
			      options->logs[0]);
	if (options->n_logs > 1 && options->follow)
		return refuse(parse->error, parse->size, -EINVAL,
			      "--follow: \"%s\" is one recording too many; name one",
			      options->logs[1]);
	return 0;
}

static int check_export(const struct parse *parse)
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
	return reason ? refuse(parse->error, parse->size, -EINVAL, "%s", reason) : 0;
}

/* A recording is shown as it was recorded. */
static int check_replay(const struct parse *parse)
{
	const struct options *options = parse->options;
	bool plays = options->replay || options->action == ACTION_EXPORT;

	for (size_t i = 0; plays && run_options[i]; i++)
		if (was_given(parse, run_options[i]))
			return refuse(parse->error, parse->size, -EINVAL,
				      "--%s: is of a run, and --%s runs nothing; leave one of "
				      "them out",
				      run_options[i], options->replay ? "replay" : "export");
	if (!options->replay && was_given(parse, "speed"))
		return refuse(parse->error, parse->size, -EINVAL, "--speed: is of --replay");
	if (!options->replay && options->follow)
		return refuse(parse->error, parse->size, -EINVAL, "--follow: is of --replay");
	return 0;
}

/* Options that are right by themselves and cannot be had together. */
static int check_conflicts(const struct parse *parse)
{
	const struct options *options = parse->options;
	bool screen = options_screen(options);
	bool log_out = options->log && strcmp(options->log, "-") == 0;
	const char *reason = NULL;

	if (options->log && options->no_log)
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
	return reason ? refuse(parse->error, parse->size, -EINVAL, "%s", reason) : 0;
}

/* The recording holds what repeats the session: a seed that was drawn belongs to it. */
static void write_command(struct options *options, bool drawn, int argc, char **argv)
{
	char seed[48] = "";

	if (drawn)
		snprintf(seed, sizeof(seed), " --seed %" PRIu64, options->request.seed);
	command_write(options->command, sizeof(options->command), argc, argv, seed);
	options->request.command = options->command;
}

/* No --seed was given: one more than it takes. */
#define SEED_UNSET UINT64_MAX

static bool draw_seed(struct request *request)
{
	bool drawn = request->order == ORDER_RANDOM && request->seed == SEED_UNSET;
	uint32_t seed = 0;

	if (request->seed != SEED_UNSET)
		return false;
	request->seed = 0;
	if (drawn && getrandom(&seed, sizeof(seed), 0) == sizeof(seed))
		request->seed = seed;
	return drawn;
}

int options_parse(struct options *options, int argc, char **argv, char *error, size_t size)
{
	bool given[RULES] = {false};
	const struct parse parse = {options, error, size, given};
	const char *no_color = getenv("NO_COLOR");
	int err;

	*options = (struct options) {.fps = 10, .speed = 1, .no_color = no_color && *no_color};
	request_init(&options->request);
	options->request.seed = SEED_UNSET;
	err = parse_all(&parse, argc, argv);
	if (err)
		return err;
	options->format_given = was_given(&parse, "format");
	if (options->action == ACTION_RUN && was_given(&parse, "export"))
		options->action = ACTION_EXPORT;
	write_command(options, draw_seed(&options->request), argc, argv);
	if (options->action != ACTION_RUN && options->action != ACTION_EXPORT)
		return options->action == ACTION_LIST ? check_logs(&parse) : 0;
	err = check_logs(&parse);
	if (!err)
		err = check_export(&parse);
	if (!err)
		err = check_replay(&parse);
	return err ? err : check_conflicts(&parse);
}
