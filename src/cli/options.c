/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/same_file.h"
#include "base/units.h"
#include "cli/command.h"
#include "core/command_words.h"
#include "core/plan.h"
#include "draw/theme.h"
#include "experiment/argument.h"
#include "experiment/setting.h"
#include "write/export.h"
#include "log/log.h"
#include "screen/screen.h"
#include "source/source.h"
#include "view/view.h"

#define MAX_TRIALS   10000
#define MIN_INTERVAL 10
#define MAX_INTERVAL 10000
#define MAX_FPS	     60
#define LEAST_LIMIT  65536

enum { LEAST_W = 40, LEAST_H = 12, MOST_W = 300, MOST_H = 120 };

static const char *const order_words[] = {"random", "alternate", "fixed", NULL};

static const char *const view_words[] = {"answer",  "overview", "timeline", "memory",
					 "results", "curve",	"messages", NULL};

static const char *const caption_words[] = {
	[VIEW_CAPTIONS_FIT] = "fit", [VIEW_CAPTIONS_ON] = "on", [VIEW_CAPTIONS_OFF] = "off", NULL};
static const char *const shell_words[] = {"bash", "zsh", "fish", NULL};
static const char *const topic_words[] = {"settings", "keys",	"experiments",
					  "formats",  "config", NULL};

/* Models that completion offers. The experiment decides which of them it accepts. */
static const char *const model_words[] = {"threads",
					  "processes",
					  "hybrid",
					  "pool",
					  "prefork",
					  "events",
					  "clock_gettime",
					  "fork",
					  "vfork",
					  "posix_spawn",
					  "fork+exec",
					  "vfork+exec",
					  "pthread_create",
					  "pthread_create:cold",
					  "clone",
					  "fiber",
					  NULL};

#define OPTION(name) offsetof(struct options, name)

/*
 * The modes of a command line. options_rule.fits has a letter for each mode that accepts the
 * option: r runs a session, p plays a recording, x exports a recording, l shows a lecture, a runs a
 * recorded session again, m is the menu, s the self-test, i lists recordings, d removes recordings.
 */
static const struct mode {
	char letter;
	const char *option; /* option that selects the mode */
} modes[] = {{'l', "lecture"}, {'s', "self-test"}, {'i', "list"},   {'d', "prune"},
	     {'a', "rerun"},   {'x', "export"},	   {'p', "replay"}, {'m', "menu"}};

static const struct options_rule options_rules[] = {
	{"experiment", 0, "EXPERIMENT", N_("mixed, tree, scaling ...; see --help experiments"),
	 VALUE_EXPERIMENT, OPTION(request.experiment), "rm",
	 .what = "an experiment; see --help experiments", .section = N_("What runs"),
	 .of_run = true, .standing = "mixed"},
	{"models", 'm', "LIST", N_("run threads, processes, hybrid:2x4, pool:8 ..."), VALUE_MODELS,
	 OPTION(request.models), "r", .words = model_words,
	 .what = "a list of models: threads, processes, hybrid[:PxT]", .of_run = true,
	 .standing = "threads,processes"},
	{"tree", 't', "LIST", N_("run a tree of tasks, such as 20x3x82, or several"), VALUE_STRING,
	 OPTION(request.tree), "r",
	 .what = "a tree, or several: fan-outs joined by x (20x3x82 or 5000,50x99)", .of_run = true,
	 .standing = "20x3x82"},
	{"workers", 'w', "LIST", N_("run this many workers of each kind: cpu=6,io=2"),
	 VALUE_WORKERS, 0, "r", .what = "KIND=N, such as cpu=6,io=2, N up to 4000000",
	 .of_run = true, .standing = "cpu=6,io=2"},
	{"set", 's', "NAME=VALUES", N_("set a setting, or compare values; see --help settings"),
	 VALUE_SETTING, 0, "r", .what = "a setting and its values (alloc=0,400)", .of_run = true,
	 .standing = ""},
	{"command", 'c', "COMMAND", N_("run a program with arguments, or compare several"),
	 VALUE_PROGRAM, 0, "r",
	 .what = "a program with its arguments ('sort FILE'), at most sixteen times",
	 .of_run = true, .outside = "runs a program"},
	{"name", 0, "NAME", N_("name the next -c program"), VALUE_NAME, 0, "r",
	 .what = "a program's name, at most sixteen times (--name new -c ./new)", .of_run = true},
	{"own", 0, "FILE[,SIZE]", N_("run your own function, from a shared object"), VALUE_STRING,
	 OPTION(own), "r", .what = "a shared object's path (./mine.so, ./mine.so,1M)",
	 .of_run = true, .outside = "loads a shared object"},
	{"trials", 'n', "N", N_("run each model N times (until the answer is decided)"), VALUE_U32,
	 OPTION(request.trials), "r", 1, MAX_TRIALS, .section = N_("How often"), .of_run = true,
	 .standing = "6"},
	{"warmup", 0, "N", N_("run each model N times first, without counting (1)"), VALUE_U32,
	 OPTION(request.warmup), "r", 0, MAX_TRIALS, .of_run = true, .standing = "1"},
	{"quick", 'q', NULL, N_("run a short session: fewer trials, less work"), VALUE_FLAG,
	 OPTION(request.quick), "r", .of_run = true, .standing = "no"},
	{"order", 0, "ORDER", N_("order the models: random, alternate, fixed (random)"), VALUE_WORD,
	 OPTION(request.order), "r", .words = order_words, .of_run = true, .standing = "random"},
	{"seed", 0, "N", N_("set the seed of the order (random, recorded)"), VALUE_U64,
	 OPTION(request.seed), "r", 0, INT64_MAX, .of_run = true, .standing = "1"},
	{"log", 'o', "FILE", N_("record to FILE; - is standard output"), VALUE_STRING, OPTION(log),
	 "rla", .what = "a file's name, or - for standard output", .section = N_("Recordings"),
	 .of_run = true, .outside = "writes a file"},
	{"log-limit", 0, "SIZE", N_("limit the recording to SIZE, or none (64M)"), VALUE_LIMIT,
	 OPTION(log_limit), "rla", .what = "a size of at least 64K, such as 64M, or none",
	 .of_run = true, .standing = "64M"},
	{"no-log", 0, NULL, N_("do not record"), VALUE_FLAG, OPTION(no_log), "rlam", .of_run = true,
	 .standing = "no"},
	{"replay", 'r', "[LOG...]", N_("play recordings (the newest); - is standard input"),
	 VALUE_FLAG, OPTION(replay), "p"},
	{"speed", 0, "X", N_("replay X times as fast, 0.001 to 1000 (1)"), VALUE_SPEED,
	 OPTION(speed), "px", .what = "a number from 0.001 to 1000", .standing = "1"},
	{"follow", 0, NULL, N_("keep reading while LOG grows"), VALUE_FLAG, OPTION(follow), "p"},
	{"scene", 0, "N", N_("begin a lecture at N; play only N of a recording"), VALUE_U32,
	 OPTION(scene), "pxl", 1, LOG_SCENES_MOST},
	{"list", 0, NULL, N_("list the recordings with their answers"), VALUE_ACTION,
	 OPTION(action), "i", ACTION_LIST},
	{"prune", 0, "30d|100|1G", N_("ask, then remove all but the newest 30d, 100 or 1G"),
	 VALUE_PRUNE, OPTION(prune), "d",
	 .what = "days (30d), a number of recordings (100) or a size (1G)",
	 .outside = "removes recordings"},
	{"rerun", 0, "LOG", N_("run the session of LOG again, after asking"), VALUE_STRING,
	 OPTION(rerun), "a", .what = "a recording's file", .outside = "repeats a recording"},
	{"yes", 0, NULL, N_("do not ask before --rerun or --prune"), VALUE_FLAG, OPTION(yes), "ad"},
	{"export", 'x', "FORMAT", N_("export a recording: -x json LOG; see --help formats"),
	 VALUE_FORMAT, OPTION(format), "x", .section = N_("Exports")},
	{"output", 'O', "FILE", N_("write the export to FILE (standard output)"), VALUE_STRING,
	 OPTION(output), "x", .what = "a file's name, or - for standard output",
	 .outside = "writes a file"},
	{"size", 0, "WxH", N_("set the size of screencasts and pictures (120x36)"), VALUE_SCREEN,
	 OPTION(size), "x", .what = "a screen from 40x12 to 300x120", .standing = "120x36"},
	{"batch", 'b', NULL, N_("run without a screen; automatic without a terminal"), VALUE_FLAG,
	 OPTION(batch), "rpxasi", .section = N_("Without a screen"), .standing = "no"},
	{"format", 0, "FORMAT", N_("print the result in this format (table)"), VALUE_FORMAT,
	 OPTION(format), "rpas", 1, .standing = "table"},
	{"menu", 0, NULL, N_("choose from a menu what to run or play"), VALUE_FLAG, OPTION(menu),
	 "m", .section = N_("Starting and quitting")},
	{"lecture", 0, "[FILE]", N_("give the lecture FILE; without FILE, list lectures"),
	 VALUE_ACTION, OPTION(action), "l", ACTION_LECTURE},
	{"notes", 0, NULL, N_("show the speaker's notes in a second terminal"), VALUE_FLAG,
	 OPTION(notes), "l"},
	{"check", 0, NULL, N_("check the lecture FILE without running it"), VALUE_FLAG,
	 OPTION(check), "l"},
	{"trust", 0, "FILE", N_("run all commands of the lecture FILE without asking"),
	 VALUE_STRING, OPTION(trust), "l", .what = "the lecture's file",
	 .outside = "trusts a file"},
	{"vote", 0, NULL, N_("cover the result until Space reveals it"), VALUE_FLAG, OPTION(vote),
	 "rpam", .standing = "no"},
	{"predict", 0, "TEXT", N_("record what you expect, to read it beside the answer"),
	 VALUE_STRING, OPTION(request.prediction), "ra", .what = "what you expect, in words",
	 .of_run = true},
	{"hold", 0, NULL, N_("wait for Space before the first run"), VALUE_FLAG,
	 OPTION(request.hold), "ra", .of_run = true, .standing = "no"},
	{"exit", 0, NULL, N_("quit after the last run"), VALUE_FLAG, OPTION(exit), "rpa",
	 .standing = "no"},
	{"view", 0, "VIEW", N_("begin with this view: overview, timeline ... (answer)"), VALUE_WORD,
	 OPTION(looks.view), "rpxam", .words = view_words, .section = N_("The screen"),
	 .standing = "answer"},
	{"zoom", 0, "ZOOM", N_("show 1.2-1.4s of each run; 40 shows the first 1/40"), VALUE_ZOOM,
	 OPTION(looks), "rpxam",
	 .what = "a factor from 1 to 1000000, or a time FROM-TO (1.2-1.4s, 120ms-150ms)",
	 .standing = "1"},
	{"select", 0, "NAME", N_("select a worker or task; group machines by a field"),
	 VALUE_STRING, OPTION(looks.select), "rpxam",
	 .what = "a worker's name, a task's name or thread ID, or a field that groups "
		 "machines (cpu)"},
	{"captions", 0, "WHEN", N_("show captions: on, off, fit (needs 30 lines) (fit)"),
	 VALUE_WORD, OPTION(captions), "rpxam", .words = caption_words, .standing = "fit"},
	{"theme", 0, "NAME", N_("use dark, light or mono colours (the terminal's)"), VALUE_THEME,
	 OPTION(theme), "rpxlam", .standing = "dark"},
	{"interval", 0, "MS", N_("sample every MS (100; scaling 50, hello 40, pool 20)"), VALUE_U32,
	 OPTION(request.interval_ms), "r", MIN_INTERVAL, MAX_INTERVAL, .of_run = true,
	 .standing = "100"},
	{"fps", 0, "N", N_("draw at most N frames a second (10)"), VALUE_U32, OPTION(fps), "rpxlam",
	 1, MAX_FPS, .standing = "10"},
	{"ascii", 0, NULL, N_("draw with ASCII characters only"), VALUE_FLAG, OPTION(ascii),
	 "rpxlamsi", .standing = "no"},
	{"no-color", 0, NULL, N_("draw without colours"), VALUE_FLAG, OPTION(no_color), "rpxlamsi",
	 .standing = "no"},
	{"no-mouse", 0, NULL, N_("leave the mouse to the terminal"), VALUE_FLAG, OPTION(no_mouse),
	 "rpxlam", .standing = "no"},
	{"self-test", 0, NULL, N_("check what this machine can measure now"), VALUE_ACTION,
	 OPTION(action), "s", ACTION_SELF_TEST, .section = N_("Other")},
	{"config", 0, "FILE", N_("read options from FILE, or from none"), VALUE_STRING,
	 OPTION(config), "*", .what = "a file's name, or none",
	 .outside = "reads a file of options"},
	{"completion", 0, "SHELL", N_("print completions for bash, zsh or fish"), VALUE_WORD,
	 OPTION(completion), "*", .words = shell_words},
	{"help", 'h', "[TOPIC]", N_("explain settings, keys, formats, config, EXPERIMENT"),
	 VALUE_ACTION, OPTION(action), "*", ACTION_HELP, .words = topic_words},
	{"version", 'V', NULL, N_("print the version"), VALUE_ACTION, OPTION(action), "*",
	 ACTION_VERSION},
};

#define RULES LENGTH(options_rules)

/*
 * In getopt_long(3), an option without a letter has the value RULE_VALUE + i, where i is the index
 * of its rule.
 */
#define RULE_VALUE 256

#define OPTIONS_WRONG(typed, ...) error_line((typed)->error, (typed)->size, -EINVAL, __VA_ARGS__)

const struct options_rule *options_rule_at(size_t i)
{
	if (i < RULES)
		return &options_rules[i];
	return NULL;
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
	return options->draws && (isatty(STDIN_FILENO) || reads_stdin(options));
}

bool options_stop_early(const struct options *options)
{
	return !options->replay && options->request.trials == 0;
}

bool options_rule_takes(const struct options_rule *rule)
{
	return rule->value != VALUE_FLAG && rule->value != VALUE_ACTION;
}

const char *options_rule_outside(const struct options_rule *rule, const char *value)
{
	const struct setting *setting = NULL;

	if (rule->value == VALUE_SETTING && value)
		setting = setting_find(value);
	if (rule->value == VALUE_SETTING && value && !setting && argument_is_name(value))
		setting = setting_argument();
	if (setting)
		return setting->outside;
	return rule->outside;
}

static int parse_zoom(const char *value, struct view_looks *looks)
{
	const char *dash = strchr(value, '-');
	double unit;
	char *end;

	looks->zoom = 1;
	looks->from_ns = looks->to_ns = 0;
	if (!dash) {
		looks->zoom = strtod(value, &end);
		if (isdigit((unsigned char)*value) && !value[strspn(value, "0123456789.")] &&
		    !*end && looks->zoom >= 1 && looks->zoom <= 1e6)
			return 0;
		return -EINVAL;
	}
	if (units_parse_time(dash + 1, strlen(dash + 1), 1e9, &looks->to_ns, &unit) ||
	    units_parse_time(value, (size_t)(dash - value), unit, &looks->from_ns, &unit))
		return -EINVAL;
	if (looks->to_ns - looks->from_ns >= 1000)
		return 0;
	return -EINVAL;
}

/*
 * Returns the first unknown model in the list; NULL if all are known. Ignores the text after a
 * colon, as in hybrid:2x4, because the experiment checks that text.
 */
static const char *unknown_model(const struct options_rule *rule, const char *value, char *word,
				 size_t size)
{
	while (value) {
		size_t n = strcspn(value, ":,");
		bool known =
			value[0] >= '0' &&
			value[0] <= '9'; /* a shape; the experiment's error says how to type it */

		for (size_t i = 0; rule->words[i]; i++) {
			if (known)
				break;
			known = strncmp(rule->words[i], value, n) == 0 &&
				strchr(":", rule->words[i][n]);
		}
		if (!known) {
			snprintf(word, size, "%.*s", (int)strcspn(value, ","), value);
			return word;
		}
		value = strchr(value, ',');
		if (value)
			value++;
	}
	return NULL;
}

/* Parses "cpu=6,io=2". Kinds that are not named get no workers. */
static int parse_workers(struct request *request, const char *value)
{
	bool named[WORK_KINDS];

	for (int i = 0; i < WORK_KINDS; i++) {
		named[i] = request->workers[i] > 0;
		if (!named[i])
			request->workers[i] = 0;
	}
	while (value) {
		size_t length = strcspn(value, ",");
		char item[64];
		enum work_kind kind;
		const char *number;
		uint64_t n;

		if (length >= sizeof(item))
			return -EINVAL;
		snprintf(item, sizeof(item), "%.*s", (int)length, value);
		number = plan_work_value(item, &kind);
		if (!number || units_parse_count(number, PLAN_MAX_TASKS, &n))
			return -EINVAL;
		if (named[kind])
			return -EEXIST;
		named[kind] = true;
		request->workers[kind] = (int64_t)n;
		if (value[length])
			value = value + length + 1;
		else
			value = NULL;
	}
	return 0;
}

/* Parses "30d" (days), "100" (recordings) or "1G" (bytes). */
static int parse_prune(const char *value, struct options_prune *prune)
{
	const size_t digits = strspn(value, "0123456789");
	char number[16];

	if (digits == 0 || digits >= sizeof(number))
		return -EINVAL;
	snprintf(number, sizeof(number), "%.*s", (int)digits, value);
	if (value[digits] == 'd')
		prune->by = PRUNE_BY_AGE;
	else
		prune->by = PRUNE_BY_COUNT;
	if (strcmp(value + digits, "d") == 0 || !value[digits])
		return units_parse_count(number, UINT32_MAX, &prune->amount);
	prune->by = PRUNE_BY_SIZE;
	return units_parse_size(value, &prune->amount);
}

static int store_speed(const char *value, double *speed)
{
	char *end;

	*speed = strtod(value, &end);
	if (end == value || *end || !isdigit((unsigned char)*value))
		return -EINVAL;
	if (*speed >= 0.001 && *speed <= 1000)
		return 0;
	return -ERANGE;
}

/* Parses a size for the recordings, or "none". */
static int store_limit(const char *value, uint64_t *bytes)
{
	int err;

	*bytes = UINT64_MAX;
	if (strcmp(value, "none") == 0)
		return 0;
	err = units_parse_size(value, bytes);
	if (!err && *bytes < LEAST_LIMIT)
		return -ERANGE;
	return err;
}

static int store_screen(const char *value, struct options_size *size)
{
	struct plan shape;

	if (plan_shape_parse(value, &shape) || shape.levels != 2 || shape.fanout[0] < LEAST_W ||
	    shape.fanout[0] > MOST_W || shape.fanout[1] < LEAST_H || shape.fanout[1] > MOST_H)
		return -EINVAL;
	*size = (struct options_size) {(int)shape.fanout[0], (int)shape.fanout[1]};
	return 0;
}

static int store_in_list(const char *value, const char *list[OPTIONS_PROGRAMS], uint32_t *n)
{
	if (!*value || *n == OPTIONS_PROGRAMS)
		return -EINVAL;
	list[*n] = value;
	++*n;
	return 0;
}

static int store_format(const char *value, const struct options_rule *rule,
			const struct export_format **format)
{
	const struct export_format *found = export_find(value);

	if (!found || found->result < rule->min)
		return -EINVAL;
	*format = found;
	return 0;
}

static int store(const struct options_typed *typed, const struct options_rule *rule,
		 const char *value)
{
	struct options *options = typed->options;
	struct request *request = &options->request;
	void *field = (char *)options + rule->offset;
	uint64_t number = 0;
	int err, word;

	switch (rule->value) {
	case VALUE_FLAG:
		*(bool *)field = true;
		return 0;
	case VALUE_ACTION:
		*(enum options_action *)field = (enum options_action)rule->min;
		return 0;
	case VALUE_U32:
		err = setting_count(rule->min, rule->max, value, &number);
		*(uint32_t *)field = (uint32_t)number;
		return err;
	case VALUE_U64:
		return setting_count(rule->min, rule->max, value, field);
	case VALUE_WORD:
		word = setting_word(rule->words, value);
		*(int *)field = word;
		return MIN(word, 0);
	case VALUE_EXPERIMENT:
		*(const char **)field = value;
		if (experiment_find(value))
			return 0;
		return -EINVAL;
	case VALUE_THEME:
	case VALUE_MODELS:
	case VALUE_STRING:
		*(const char **)field = value;
		if (*value && (rule->value != VALUE_THEME || theme_find(value)))
			return 0;
		return -EINVAL;
	case VALUE_WORKERS:
		return parse_workers(request, value);
	case VALUE_ZOOM:
		return parse_zoom(value, field);
	case VALUE_SPEED:
		return store_speed(value, field);
	case VALUE_PRUNE:
		options->action = ACTION_PRUNE;
		return parse_prune(value, field);
	case VALUE_LIMIT:
		return store_limit(value, field);
	case VALUE_SCREEN:
		return store_screen(value, field);
	case VALUE_PROGRAM:
		request->programs = options->programs;
		return store_in_list(value, options->programs, &request->n_programs);
	case VALUE_NAME:
		request->program_names = options->names;
		return store_in_list(value, options->names, &request->n_names);
	case VALUE_FORMAT:
		return store_format(value, rule, &options->format);
	case VALUE_SETTING:
		break;
	}
	return -EINVAL;
}

const char *options_rule_word(const struct options_rule *rule, size_t i, char buf[OPTIONS_WORD])
{
	const struct export_format *format;

	switch (rule->value) {
	case VALUE_EXPERIMENT: {
		if (experiment_at(i))
			return experiment_at(i)->name;
		return NULL;
	}
	case VALUE_THEME: {
		if (theme_at(i))
			return theme_at(i)->name;
		return NULL;
	}
	case VALUE_FORMAT: {
		if (rule->min > 0)
			format = export_of_result((uint32_t)i + 1);
		else
			format = export_at(i);
	}
		if (format)
			return format->name;
		return NULL;
	case VALUE_WORKERS:
		if (i >= WORK_KINDS)
			return NULL;
		snprintf(buf, OPTIONS_WORD, "%s=", plan_work_name(plan_work_order[i]));
		return buf;
	case VALUE_SETTING:
		if (!setting_name(i, buf))
			return NULL;
		if (setting_find(buf)->kind == SETTING_VARIABLE)
			strcpy(buf, "env:");
		else
			strcat(buf, "=");
		return buf;
	default: {
		if (rule->words)
			return rule->words[i];
		return NULL;
	}
	}
}

static const char *describe(const struct options_rule *rule, char *buf, size_t size)
{
	struct sentence to = sentence_in(buf, size);
	char word[OPTIONS_WORD];
	const char *text;

	if (rule->what)
		sentence_add(&to, "%s", rule->what);
	if (rule->value == VALUE_WORKERS)
		for (int i = 0; i < WORK_KINDS; i++)
			sentence_add(&to, "%s%s", i ? ", " : "; the kinds are ",
				     plan_work_name(plan_work_order[i]));
	if (rule->what)
		return buf;
	if (rule->value == VALUE_U32 || rule->value == VALUE_U64)
		sentence_add(&to, "a whole number from %" PRIu64 " to %" PRIu64, rule->min,
			     rule->max);
	for (size_t i = 0; (text = options_rule_word(rule, i, word)); i++)
		sentence_add(&to, "%s%s", i ? ", " : "one of ", text);
	return buf;
}

static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

int options_store(const struct options_typed *typed, const struct options_rule *rule,
		  const char *value)
{
	char what[512];
	int err;

	if (rule->value == VALUE_SETTING) {
		struct request *request = &typed->options->request;
		size_t n = 0;

		for (; request->settings[n]; n++)
			if (strncmp(request->settings[n], value, strcspn(value, "=") + 1) == 0)
				return OPTIONS_WRONG(typed,
						     "-s %s and -s %s set the same setting; put "
						     "all values into one list (-s alloc=0,400)",
						     value, request->settings[n]);
		if (n == REQUEST_SETTINGS)
			return OPTIONS_WRONG(typed, "-s %s: too many settings; use at most %d",
					     value, REQUEST_SETTINGS);
		request->settings[n] = value;
		return 0;
	}
	if (rule->value == VALUE_MODELS && *value && unknown_model(rule, value, what, sizeof(what)))
		return OPTIONS_WRONG(
			typed,
			"--%s: \"%s\" is not a model (threads, processes, hybrid[:PxT]; also "
			"pool[:N], prefork[:N], and events[:N] of a server)",
			rule->name, what);
	err = store(typed, rule, value);
	if (!err)
		return 0;
	if (err == -EEXIST)
		return OPTIONS_WRONG(typed,
				     "--%s: \"%s\" names a kind twice; name each once (cpu=6,io=2)",
				     rule->name, value);
	/* In hyperfine, -w and -n have another meaning, so say what to type here. */
	if (rule->value == VALUE_WORKERS && is_number(value))
		return OPTIONS_WRONG(typed,
				     "--workers: \"%s\": expected KIND=N, such as cpu=6,io=2; "
				     "warm-ups are --warmup %s",
				     value, value);
	if (rule->offset == OPTION(request.trials) && *value && !isdigit((unsigned char)*value))
		return OPTIONS_WRONG(typed,
				     "--trials: \"%s\" is not %s; the name of a program is --name "
				     "%s",
				     value, describe(rule, what, sizeof(what)), value);
	if (rule->value == VALUE_FORMAT && export_find(value))
		return OPTIONS_WRONG(typed,
				     "--%s: \"%s\" needs a recording: -x %s FILE; a session can "
				     "print %s",
				     rule->name, value, value, describe(rule, what, sizeof(what)));
	if (rule->value == VALUE_WORKERS)
		return OPTIONS_WRONG(typed, "--%s: \"%s\": expected %s", rule->name, value,
				     describe(rule, what, sizeof(what)));
	return OPTIONS_WRONG(typed, "--%s: \"%s\" is not %s", rule->name, value,
			     describe(rule, what, sizeof(what)));
}

/* Loads the file of --own, as in "./mine.so" or "./mine.so,1M", and asks it about its work. */
static int ask_own(const struct options_typed *typed)
{
	struct options *options = typed->options;
	struct request *request = &options->request;
	const char *own = options->own, *comma = strrchr(own, ','), *why = NULL;
	char path[PATH_MAX];
	uint64_t amount = 0;
	bool sized = comma && !strchr(comma, '/') && units_parse_size(comma + 1, &amount) == 0;
	size_t n = sized ? (size_t)(comma - own) : strlen(own);
	struct stat st;
	int err;

	if (n >= sizeof(path) || (sized && amount == 0))
		return OPTIONS_WRONG(typed,
				     "--own: \"%s\" asks for no work; use a size of at least 1 "
				     "(./mine.so,1M)",
				     own);
	snprintf(path, sizeof(path), "%.*s", (int)n, own);
	/* Without a slash, the loader would search the system's libraries. */
	if (!strchr(path, '/'))
		return OPTIONS_WRONG(
			typed,
			"--own: \"%s\" has no directory; for a file in the current one, type ./%s",
			own, own);
	if (stat(path, &st) || access(path, R_OK))
		why = strerror(errno);
	else if (!S_ISREG(st.st_mode)) {
		if (S_ISDIR(st.st_mode))
			why = "is a directory";
		else
			why = "is not a file";
	}
	if (why)
		return OPTIONS_WRONG(typed,
				     "--own: \"%s\": %s; name a shared object (cc -shared -fPIC -o "
				     "mine.so mine.c)",
				     path, why);
	if (!realpath(path, options->own_path))
		return OPTIONS_WRONG(typed, "--own: \"%s\": %s", path, strerror(errno));
	err = source_own_ask(options->own_path, &request->own, typed->error, typed->size);
	if (err < 0)
		return err;
	for (size_t i = 0; request->settings[i]; i++)
		if (amount > 0 && (strncmp(request->settings[i], "own.size=", 9) == 0 ||
				   strncmp(request->settings[i], "size=", 5) == 0))
			return OPTIONS_WRONG(
				typed,
				"--own: \"%s\" and -s %s both give a size; leave one of "
				"them out",
				own, request->settings[i]);
	if (amount > 0)
		request->work_size[WORK_OWN] = amount;
	request->work = options->own_path;
	return 0;
}

const char *options_nearest(const char *name)
{
	size_t length = strlen(name), best = length / 3;
	const char *found = NULL;

	for (size_t i = 0; i < RULES; i++) {
		bool begins = strncmp(name, options_rules[i].name, length) == 0;
		size_t far = begins ? 0 : setting_distance(name, options_rules[i].name);

		if (far <= best && (!found || far < best) &&
		    options_rules[i].value != VALUE_EXPERIMENT) {
			best = far;
			found = options_rules[i].name;
		}
	}
	return found;
}

static const struct options_rule *rule_of_value(int value)
{
	if (value >= RULE_VALUE && (size_t)(value - RULE_VALUE) < RULES)
		return &options_rules[value - RULE_VALUE];
	for (size_t i = 0; i < RULES; i++)
		if (options_rules[i].letter && options_rules[i].letter == value)
			return &options_rules[i];
	return NULL;
}

#define NO_SHELL "not needed: -c runs programs without a shell, and -c \"sh -c '...'\" with one"
#define NO_RUNS	 "not needed: tuibench runs as many trials as it takes; -n N sets a number"
#define A_LIST	 "a setting: -s n=1,2,4 for {n} in -c"
#define A_RANGE	 "a setting: -s n=1..8 for {n} in -c, -s n=1..8:2 in steps of 2"
#define A_FORMAT(name)                                                                             \
	"called --format; type --batch --format " name " > FILE, and see --help formats"

/*
 * Options of earlier versions and of hyperfine whose present names are not similar enough to be
 * found by options_nearest().
 */
static const struct {
	const char *name;
	char letter; /* letter that is not an option of tuibench */
	const char *now;
} elsewhere[] = {
	{"sweep", 0, "a setting with several values: -s NAME=VALUES"},
	{"work-size", 0, "a setting: -s size=VALUE, or -s cpu.size=VALUE"},
	{"stack-size", 0, "a setting: -s stack=VALUE"},
	{"batch-size", 0, "a setting: -s batch=VALUE"},
	{"env", 0, "a setting: -s env:NAME=VALUE"},
	{"work", 0,
	 "called --own; type --own FILE.so. -w cpu=2 sets the number of workers of a kind"},
	{"shell", 'S', NO_SHELL},
	{"", 'N', "not needed: -c runs programs without a shell"},
	{"runs", 0, "called --trials; type -n N"},
	{"repeat", 0, "called --trials; type -n N"},
	{"min-runs", 0, NO_RUNS},
	{"max-runs", 'M', NO_RUNS},
	{"parameter-list", 'L', A_LIST},
	{"parameter-scan", 'P', A_RANGE},
	{"parameter-step-size", 'D', A_RANGE},
	{"command-name", 0, "called --name; type --name NAME"},
	{"reference", 0, "not needed: the other programs are compared with the first"},
	{"prepare", 'p', "a setting: -s prepare=COMMAND"},
	{"setup", 0, "a setting: -s setup=COMMAND"},
	{"cleanup", 0, "a setting: -s cleanup=COMMAND"},
	{"input", 0, "a setting: -s input=FILE"},
	{"for", 0, "a setting: -s for=5s"},
	{"metric", 0, "a setting: -s metric=NAME, for a line NAME VALUE that the programs print"},
	{"conclude", 'C',
	 "not supported; -s cleanup=COMMAND runs a command after all runs of a configuration"},
	{"ignore-failure", 'i', "a setting: -s ignore-failure=yes"},
	{"show-output", 0, "not supported; -s output=FILE keeps what programs print"},
	{"style", 0, "not needed; --no-color draws without colours"},
	{"time-unit", 'u',
	 "not needed: each time is shown in the unit that suits it, and exports use ms"},
	{"export-json", 0, A_FORMAT("hyperfine")},
	{"export-csv", 0, A_FORMAT("csv")},
	{"export-markdown", 0, A_FORMAT("markdown")},
	{"export-asciidoc", 0, A_FORMAT("markdown")},
	{"export-orgmode", 0, A_FORMAT("markdown")},
};

static int refuse_letter(const struct options_typed *typed, char letter)
{
	for (size_t i = 0; i < LENGTH(elsewhere); i++)
		if (elsewhere[i].letter == letter)
			return OPTIONS_WRONG(typed, "-%c is %s", letter, elsewhere[i].now);
	return OPTIONS_WRONG(typed, "unknown option -%c; see --help", letter);
}

/*
 * Returns the error for a command that was typed without -c, because its program exists, or because
 * the text has a slash or several words. NULL if the text does not look like a command.
 */
static const char *about_command(const char *text)
{
	char words[COMMAND_BYTES], path[PATH_MAX];
	struct stat is;

	if (command_words_split(text, words) <= 0)
		return NULL;
	if (command_words_find(words, path) == 0)
		return "is a program; to run it, use -c";
	if (log_name_end(text) > 0 || (!strchr(words, '/') && !strchr(text, ' ')))
		return NULL;
	if (stat(words, &is) < 0)
		return "is not found; to run a program, use -c";
	if (S_ISREG(is.st_mode))
		return "is not executable; run chmod +x, then use -c";
	return NULL;
}

/*
 * If the words are commands, refuses them and says what to type instead. If the first word has
 * blanks, each word is a command; otherwise all words together are one command. Returns 0 if the
 * words are not commands.
 */
static int refuse_commands(const struct options_typed *typed, char **words, int n)
{
	const struct options *options = typed->options;
	int options_n = (int)(words - options->argv) - 1, used = 0;
	const char *about = about_command(words[0]);
	char **line, *all, *text;

	if (!about)
		return 0;
	line = calloc(2 * (size_t)n + (size_t)options_n + 1, sizeof(*line));
	if (strchr(words[0], ' '))
		all = NULL;
	else
		all = command_text(n, words);
	if (!line || (!all && !strchr(words[0], ' '))) {
		free(line);
		free(all);
		return -ENOMEM;
	}
	line[used++] = (char *)"tuibench";
	for (int i = 0; i < options_n; i++)
		line[used++] = options->argv[i + 1];
	for (int i = 0; i < (all ? 1 : n); i++) {
		line[used++] = (char *)"-c";
		line[used++] = all ? all : words[i];
	}
	text = command_text(used, line);
	free(line);
	free(all);
	if (!text)
		return -ENOMEM;
	OPTIONS_WRONG(typed, "\"%s\" %s: %s", words[0], about, text);
	free(text);
	return -EINVAL;
}

/*
 * Refuses a long name that is not an option. begins: getopt has taken the name for the beginning of
 * an option. In that case, returns 0 unless the name is known to mean something else.
 */
static int refuse_long(const struct options_typed *typed, const char *text, bool begins)
{
	char name[64];
	enum work_kind kind;
	const char *meant;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text + 2, "="), text + 2);
	for (size_t i = 0; i < LENGTH(elsewhere); i++)
		if (*name && strcmp(elsewhere[i].name, name) == 0)
			return OPTIONS_WRONG(typed, "--%s is %s", name, elsewhere[i].now);
	meant = options_nearest(name);
	if (plan_work_parse(name, &kind) == 0)
		return OPTIONS_WRONG(typed, "--%s is a kind of work: -w %s=N", name, name);
	if (setting_find(name))
		return OPTIONS_WRONG(typed, "--%s is a setting: -s %s=VALUE", name, name);
	if (begins)
		return 0;
	if (meant)
		return OPTIONS_WRONG(typed, "--%s is not an option; did you mean --%s?", name,
				     meant);
	return OPTIONS_WRONG(typed, "unknown option %.*s; see --help", (int)strcspn(text, "="),
			     text);
}

int options_rule_tell(const struct options_rule *rule, const char *value, const char *where,
		      char **lines)
{
	const char *outside = options_rule_outside(rule, value);
	char *word, *text, *all;

	if (!outside)
		return 0;
	if (asprintf(&word, value ? "--%s=%s" : "--%s", rule->name, value) < 0)
		return -ENOMEM;
	text = command_text(1, &word);
	free(word);
	if (!text ||
	    asprintf(&all, "%s* %s%s: %s\n", *lines ? *lines : "", where, outside, text) < 0)
		all = NULL;
	free(text);
	if (!all)
		return -ENOMEM;
	free(*lines);
	*lines = all;
	return 1;
}

bool options_next(struct options_walk *walk)
{
	char letters[2 + 2 * RULES], *letter = letters;
	struct option names[RULES + 1], *name = names;
	int c;

	/* The colon makes getopt distinguish a missing value from an unknown option. */
	*letter++ = ':';
	for (size_t i = 0; i < RULES; i++) {
		const struct options_rule *rule = &options_rules[i];

		if (rule->value == VALUE_EXPERIMENT)
			continue;
		*name = (struct option) {.name = rule->name, .val = RULE_VALUE + (int)i};
		if (options_rule_takes(rule))
			name->has_arg = required_argument;
		if (rule->letter) {
			name->val = rule->letter;
			*letter++ = rule->letter;
			if (name->has_arg)
				*letter++ = ':';
		}
		name++;
	}
	*letter = '\0';
	*name = (struct option) {0};
	opterr = 0;
	if (!walk->begun)
		optind = 0; /* With glibc, 0 restarts getopt. */
	walk->begun = true;
	c = getopt_long(walk->argc, walk->argv, letters, names, NULL);
	walk->rule = rule_of_value(c);
	walk->value = optarg;
	return c != -1;
}

int options_take(struct options_typed *typed, const struct options_rule *rule, const char *value)
{
	const char *text = typed->options->argv[optind - 1];
	const struct options_rule *other = optopt ? rule_of_value(optopt) : NULL;
	char what[512];
	size_t length;

	/* After --help or --version, no other word is checked. */
	if (typed->options->action == ACTION_HELP || typed->options->action == ACTION_VERSION)
		return 0;
	if (!rule && other && options_rule_takes(other))
		return OPTIONS_WRONG(typed, "--%s: needs a value, %s", other->name,
				     describe(other, what, sizeof(what)));
	/* getopt found a value, but the option takes none. */
	if (!rule && other)
		return OPTIONS_WRONG(typed, "--%s: takes no value, but \"%s\" gives one",
				     other->name, text);
	/* "make -j4" is a command, and -j is an option of make. */
	if (!rule && *typed->options->argv[1] != '-' && !experiment_find(typed->options->argv[1]) &&
	    refuse_commands(typed, typed->options->argv + 1, typed->options->argc - 1))
		return -EINVAL;
	if (!rule && optopt)
		return refuse_letter(typed, (char)optopt);
	if (!rule)
		return refuse_long(typed, text, false);
	/*
	 * getopt_long() accepts "--work" as an abbreviation of --workers, but the user may have
	 * meant a removed option, or an option of hyperfine.
	 */
	if (options_rule_takes(rule) && text == value)
		text = typed->options->argv[optind - 2];
	length = strcspn(text, "=");
	if (strncmp(text, "--", 2) == 0 && length - 2 != strlen(rule->name) &&
	    strncmp(text + 2, rule->name, length - 2) == 0 && refuse_long(typed, text, true))
		return -EINVAL;
	if (typed->given[rule - options_rules] && rule->offset == OPTION(own))
		return OPTIONS_WRONG(typed,
				     "--%s: \"%s\" is given a second time; leave one of them out",
				     rule->name, value);
	/*
	 * A second list would replace the first list, and the comparison would lack the models of
	 * the first list without a warning.
	 */
	if (typed->given[rule - options_rules] &&
	    (rule->offset == OPTION(request.models) || rule->offset == OPTION(request.tree)))
		return OPTIONS_WRONG(typed,
				     "--%s: \"%s\" is given a second time; give one list, "
				     "separated by commas",
				     rule->name, value);
	typed->given[rule - options_rules] = true;
	return options_store(typed, rule, value);
}

bool options_given(const struct options_typed *typed, const char *name)
{
	for (size_t i = 0; i < RULES; i++)
		if (typed->given[i] && strcmp(options_rules[i].name, name) == 0)
			return true;
	return false;
}

/*
 * Refuses a name that is neither an experiment nor a file. The error suggests a command line for
 * each case.
 */
static int refuse_unknown(const struct options_typed *typed, const char *name)
{
	const struct options *options = typed->options;
	char *all = command_text(options->n_logs, options->logs), *run = NULL, *open = NULL;
	int err = -ENOMEM;

	if (all) {
		run = command_text(3, (char *[]) {(char *)"tuibench", (char *)"-c",
						  options->n_logs > 1 ? all : options->logs[0]});
		open = command_text(
			3, (char *[]) {(char *)"tuibench", (char *)"-r", options->logs[0]});
	}
	if (run && open)
		err = OPTIONS_WRONG(typed,
				    "Unknown experiment \"%s\". To run a program: %s. To open a "
				    "recording: %s",
				    name, run, open);
	free(all);
	free(run);
	free(open);
	return err;
}

/* Refuses a word without an option. Most often, the user meant an experiment or a recording. */
static int refuse_name(const struct options_typed *typed, const char *name)
{
	const struct experiment_kind *known;
	const char *meant = NULL;
	int err = 0;

	/*
	 * If a file in this directory can be read but not executed, it is not a command but a
	 * recording.
	 */
	if (!experiment_find(name) &&
	    (strchr(name, '/') || access(name, R_OK) || access(name, X_OK) == 0))
		err = refuse_commands(typed, typed->options->logs, typed->options->n_logs);
	if (err)
		return err;
	for (size_t i = 0; (known = experiment_at(i)); i++)
		if (setting_distance(name, known->name) <= strlen(known->name) / 3)
			meant = known->name;
	if (experiment_find(name))
		return OPTIONS_WRONG(typed, "\"%s\": a session has one experiment; name only one",
				     typed->options->n_logs > 1 ? typed->options->logs[1] : name);
	if (access(name, R_OK) == 0)
		return OPTIONS_WRONG(typed, "\"%s\" is not an option; did you mean --replay %s?",
				     name, name);
	if (meant)
		return OPTIONS_WRONG(typed, "Unknown experiment \"%s\"; did you mean %s?", name,
				     meant);
	return refuse_unknown(typed, name);
}

/* Refuses "-r NUMBER". In other programs, -r is the number of runs. */
static int refuse_number(const struct options_typed *typed)
{
	const char *number = typed->options->logs[0];

	return OPTIONS_WRONG(
		typed, "--replay: \"%s\" is not a recording; for a number of trials, type -n %s",
		number, number);
}

/* Refuses options that do not fit the mode. */
static int check_mode(const struct options_typed *typed, char mode)
{
	const char *name = "a session";

	for (size_t i = 0; i < LENGTH(modes); i++) {
		if (modes[i].letter == mode)
			name = modes[i].option;
	}
	for (size_t i = 0; i < RULES; i++) {
		const struct options_rule *rule = &options_rules[i];

		if (!typed->given[i] || *rule->fits == '*' || strchr(rule->fits, mode))
			continue;
		if (mode == 'r' && rule->offset == OPTION(output) &&
		    typed->options->request.n_programs > 0)
			return OPTIONS_WRONG(typed,
					     "--output works only with --export; to keep what "
					     "programs print, use -s output=%s",
					     typed->options->output);
		if (mode == 'p' && strcmp(rule->name, "command") == 0 &&
		    typed->options->n_logs > 0 && is_number(typed->options->logs[0]))
			return refuse_number(typed);
		if (mode != 'r')
			return OPTIONS_WRONG(typed,
					     "--%s does not work with --%s; leave one of them out",
					     rule->name, name);
		for (size_t k = 0; k < LENGTH(modes); k++)
			if (strchr(rule->fits, modes[k].letter))
				name = modes[k].option;
		return OPTIONS_WRONG(typed, "--%s works only with --%s", rule->name, name);
	}
	return 0;
}

/* Refuses what the action cannot do. The error has the words that were typed. */
static int check_action(const struct options_typed *typed, char mode)
{
	const struct options *options = typed->options;
	const struct export_format *format = options->format;
	const bool screen = typed->scene || options_screen(options);
	const char *log = "LOG";

	if (options->n_logs == 1)
		log = options->logs[0];
	if (mode == 'x' && options->output && log_packing_of(options->output) != LOG_PLAIN)
		return OPTIONS_WRONG(typed,
				     "--output %s: exports are not compressed; leave the last "
				     "suffix out, and compress the file with gzip or zstd",
				     options->output);
	if (mode == 'x' && format->binary && !options->output && isatty(STDOUT_FILENO))
		return OPTIONS_WRONG(
			typed,
			"--export: a terminal cannot show a %s, which is a .%s file. Name a file: "
			"-x %s -O session.%s %s",
			format->name, format->binary, format->name, format->binary, log);
	if (options->n_logs > 0 && mode == 'p' && is_number(options->logs[0]) &&
	    access(options->logs[0], F_OK))
		return refuse_number(typed);
	if (options->n_logs > 0 && !strchr("xlp", mode))
		return refuse_name(typed, options->logs[0]);
	if (mode == 's' && strcmp(format->name, "table") != 0 && strcmp(format->name, "json") != 0)
		return OPTIONS_WRONG(
			typed, "--format: \"%s\" is not a format of --self-test; use table or json",
			format->name);
	if (mode == 'a' && !options->yes && !screen)
		return OPTIONS_WRONG(typed,
				     "--rerun needs a terminal to ask before it runs \"%s\"; "
				     "--yes runs it without asking",
				     options->rerun);
	if (mode == 'd' && !options->yes && !(isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
		return OPTIONS_WRONG(typed,
				     "--prune needs a terminal to ask before it removes anything; "
				     "--yes removes without asking");
	return 0;
}

static bool is_regular(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

static int check_conflicts(const struct options_typed *typed, char mode)
{
	const struct options *options = typed->options;
	const bool screen = typed->scene || options_screen(options), many = options->n_logs > 1;
	const bool log_out = options->log && strcmp(options->log, "-") == 0;
	const bool limited = options_given(typed, "log-limit") && options->log_limit != UINT64_MAX;
	const struct {
		bool both;
		const char *reason;
	} conflicts[] = {
		{many && options->follow, "--follow takes one recording; name only one"},
		{many && mode == 'l', "--lecture takes one file; name only one"},
		{many && options->scene > 0, "--scene takes one recording; name only one"},
		{options->follow && options->scene > 0,
		 "--scene needs a complete recording, but --follow needs one that grows; leave one "
		 "of them out"},
		{mode == 'x' && !options->format->screencast && options_given(typed, "size"),
		 "--size works only with --export cast, svg or svg-animation"},
		{mode == 'x' && !options->format->screencast && options->speed_given,
		 "--speed works only with --export cast, svg or svg-animation"},
		{options->notes && options->n_logs > 0,
		 "--notes shows the notes of the running lecture; leave the file out"},
		{mode == 'l' && options->scene > 0 && options->n_logs == 0,
		 "--scene needs a lecture: --lecture FILE --scene N"},
		{options->check && options->scene > 0,
		 "--scene does not work with --check; leave one of them out"},
		{options->check && (options->notes || options->n_logs == 0),
		 "--check needs a lecture: --lecture FILE --check"},
		{options->notes && (options->log || options->no_log || options->trust),
		 "--notes does not work with --log, --no-log or --trust; leave them out"},
		{mode == 'l' && (options->notes || options->n_logs == 1) && !screen &&
			 !options->check,
		 "--lecture needs a terminal"},
		{mode == 'm' && !screen,
		 "--menu needs a terminal; --help experiments lists the choices"},
		{options->request.quick && options_given(typed, "trials"),
		 "--quick and --trials both set the number of trials; leave one of them "
		 "out"},
		{options_given(typed, "seed") && options->request.order == ORDER_FIXED,
		 "--seed has no effect with --order fixed; leave one of them out"},
		{options->log && options->no_log,
		 "--no-log contradicts --log; leave one of them out"},
		{log_out && screen,
		 "--log -: the screen uses standard output; add --batch, or name a file"},
		{log_out && limited && !is_regular(STDOUT_FILENO),
		 "--log-limit does not work with --log - into a pipe, whose reader has all slices; "
		 "leave it out, or log to a file"},
		{log_out && options->format_given,
		 "--format: --log - already uses standard output for the recording; log to a "
		 "file"},
		{options->format_given && screen && mode != 's',
		 "--format works only without a screen; add --batch"},
		{options->request.hold && !screen, "--hold needs a terminal; leave it out"},
		{options->vote && !screen, "--vote needs a terminal; leave it out"},
	};

	for (size_t i = 0; i < LENGTH(conflicts); i++)
		if (conflicts[i].both)
			return OPTIONS_WRONG(typed, "%s", conflicts[i].reason);
	return 0;
}

/* Checks the settings. This comes last, because names in the commands are settings, too. */
static int check_settings(const struct options_typed *typed)
{
	const struct request *request = &typed->options->request;
	char error[1024];

	for (size_t i = 0; request->settings[i]; i++)
		if (setting_check(request, request->settings[i], error, sizeof(error)))
			return OPTIONS_WRONG(typed, "-s %s", error);
	return 0;
}

int options_check(struct options_typed *typed)
{
	struct options *options = typed->options;
	char mode = 'r';
	int err;

	for (size_t i = 0; i < LENGTH(modes); i++)
		if (mode == 'r' && options_given(typed, modes[i].option))
			mode = modes[i].letter;
	err = check_mode(typed, mode);
	if (!err)
		err = check_settings(typed);
	options->format_given = options_given(typed, "format");
	options->speed_given = options_given(typed, "speed");
	options->draws =
		!options->batch && isatty(STDOUT_FILENO) && screen_can_draw(getenv("TERM"));
	/* If the file is standard output under another name, use the open descriptor. */
	if (options->log && same_output(options->log, STDOUT_FILENO))
		options->log = "-";
	if (options->output &&
	    (strcmp(options->output, "-") == 0 || same_output(options->output, STDOUT_FILENO)))
		options->output = NULL;
	if (!err)
		err = check_action(typed, mode);
	if (!err)
		err = check_conflicts(typed, mode);
	if (err || !options->own)
		return err;
	return ask_own(typed);
}
