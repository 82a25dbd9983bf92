/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include "stage/check.h"
#include "stage/folder.h"
#include "stage/pty.h"
#include "stage/seed.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error_line.h"
#include "draw/theme.h"
#include "experiment/setting.h"
#include "model/metric.h"
#include "write/export.h"
#include "view/keys.h"
#include "view/views.h"

#define MAX_ARGS 24

struct parsed {
	struct options options;
	int err;
	char error[512];
};

/*
 * Parses a command line whose words are separated by single blanks. The "" after a final blank is
 * no word.
 */
static void parse(struct parsed *parsed, const char *line)
{
	static char words[256]; /* the options point into it */
	char *argv[MAX_ARGS + 1], *rest = words;
	int argc = 0;

	snprintf(words, sizeof(words), "tuibench %s", line);
	while (rest && *rest && argc < MAX_ARGS)
		argv[argc++] = strsep(&rest, " ");
	argv[argc] = NULL;
	parsed->error[0] = '\0';
	parsed->err =
		options_parse(&parsed->options, argc, argv, parsed->error, sizeof(parsed->error));
}

/* Like parse(), with a terminal as standard input and output, because some options need one. */
static void parse_on_terminal(struct parsed *parsed, const char *line)
{
	int in = dup(0), out = dup(1), master, slave;

	pty_open(&master, &slave);
	dup2(slave, 0);
	dup2(slave, 1);
	setenv("TERM", "xterm-256color", 1);
	parse(parsed, line);
	dup2(in, 0);
	dup2(out, 1);
	close(in);
	close(out);
	close(master);
	close(slave);
}

/* The line is refused with one line that has the option, the value and what would be valid. */
static void refused(const char *line, const char *option, const char *value, const char *right)
{
	struct parsed p;

	parse(&p, line);
	assert_int_equal(p.err, -EINVAL);
	if (strncmp(p.error, option, strlen(option)) != 0)
		fail_msg("%s: %s", line, p.error);
	assert_non_null(strstr(p.error, value));
	assert_non_null(strstr(p.error, right));
	assert_null(strchr(p.error, '\n'));
}

static void nothing_typed_gives_the_defaults(void **state)
{
	struct parsed p;

	parse(&p, "");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.action, ACTION_RUN);
	assert_null(p.options.request.experiment);
	assert_null(p.options.request.tree);
	assert_true(p.options.request.stack_size == 0);
	assert_null(p.options.request.models);
	assert_int_equal(p.options.request.workers[WORK_CPU], -1);
	assert_int_equal(p.options.request.trials, 0); /* as many as the comparisons need */
	assert_int_equal(p.options.request.warmup, 1);
	assert_false(p.options.request.quick);
	assert_int_equal(p.options.request.interval_ms, 0);
	assert_int_equal(p.options.fps, 10);
	assert_string_equal(p.options.format->name, "table");
	assert_false(p.options.format_given);
	assert_null(p.options.log);
	assert_string_equal(p.options.command, "tuibench");
}

static void values_are_stored(void **state)
{
	struct parsed p;

	parse(&p, "-m threads,hybrid -w cpu=3,null=1 -s io.size=1.5M -s alloc=400");
	assert_int_equal(p.err, 0);
	assert_string_equal(p.options.request.models, "threads,hybrid");
	assert_int_equal(p.options.request.workers[WORK_CPU], 3);
	assert_int_equal(p.options.request.workers[WORK_IO], 0);
	assert_int_equal(p.options.request.workers[WORK_NULL], 1);
	assert_int_equal(p.options.request.workers[WORK_MEM], 0); /* -w lists all workers */
	assert_string_equal(p.options.request.settings[0], "io.size=1.5M");
	assert_string_equal(p.options.request.settings[1], "alloc=400");
	assert_null(p.options.request.settings[2]);
	parse(&p, "-t 5000,50x99 --set stack=default,16K -sbatch=7 --set=all-alive=yes");
	assert_int_equal(p.err, 0);
	assert_string_equal(p.options.request.tree, "5000,50x99");
	assert_string_equal(p.options.request.settings[0], "stack=default,16K");
	assert_string_equal(p.options.request.settings[1], "batch=7");
	assert_string_equal(p.options.request.settings[2], "all-alive=yes");
	parse(&p, "-n 9 --warmup 2 --order fixed -o x.csv -b --format json --interval 50 --fps 60");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.request.trials, 9);
	assert_int_equal(p.options.request.warmup, 2);
	assert_int_equal(p.options.request.order, ORDER_FIXED);
	assert_string_equal(p.options.log, "x.csv");
	assert_true(p.options.batch);
	assert_string_equal(p.options.format->name, "json");
	assert_int_equal(p.options.request.interval_ms, 50);
	assert_int_equal(p.options.fps, 60);
	parse(&p, "--no-log --exit --ascii --no-color --no-mouse --theme mono -s pin=0+2-3");
	assert_int_equal(p.err, 0);
	assert_true(p.options.no_log && p.options.exit && p.options.ascii && p.options.no_color &&
		    p.options.no_mouse);
	assert_string_equal(p.options.theme, "mono");
	assert_string_equal(p.options.request.settings[0], "pin=0+2-3");
}

static void the_last_of_a_repeated_option_counts(void **state)
{
	struct parsed p;

	parse(&p, "-n 3 -n 5 --theme dark --theme light");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.request.trials, 5);
	assert_string_equal(p.options.theme, "light");
}

static void wrong_values_are_refused_with_what_is_right(void **state)
{
	static const char *const wrong[] = {"cpu=-1", "cpu=99999999999", "io=six",  "null=6.5",
					    "cpu=6x", "cpu=+6",		 "cpu=0x6", "cpu",
					    "gpu=2",  "cpu=1,,io=2",	 "cpu=",    "6",
					    "cpu=1;", "cpu=1,io"};
	char line[64];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(line, sizeof(line), "-w %s", wrong[i]);
		refused(line, "--workers", wrong[i], "cpu=6,io=2");
	}
	refused("--workers=", "--workers", "\"\"", "expected KIND=N, such as cpu=6");
	refused("--workers=io=x", "--workers", "\"io=x\"", "expected KIND=N, such as cpu=6");
	refused("-n 0", "--trials", "\"0\"", "from 1 to");
	refused("--warmup -1", "--warmup", "\"-1\"", "from 0 to");
	refused("--interval 9", "--interval", "\"9\"", "from 10 to 10000");
	refused("--fps 61", "--fps", "\"61\"", "from 1 to 60");
	refused("--seed x", "--seed", "\"x\"", "a whole number");
	refused("-s alloc=-1", "-s alloc=-1: ", "\"-1\"", "a size");
	refused("-s pin=3-", "-s pin=3-: ", "\"3-\"", "a list of CPUs");
	refused("-s pin=5000", "-s pin=5000: ", "\"5000\"", "a list of CPUs");
	refused("--order best", "--order", "\"best\"", "random, alternate, fixed");
	refused("--format xml", "--format", "\"xml\"", "table, json, markdown, csv");
	refused("--theme neon", "--theme", "\"neon\"", theme_at(0)->name);
	refused("-w io=5000000", "--workers: ", "\"io=5000000\"", "up to 4000000");
	refused("-s alloc=5..2", "-s alloc=5..2: ", "\"5..2\"", "an ascending range");
	refused("-s alloc=1..5:0", "-s alloc=1..5:0: ", "\"1..5:0\"", "an ascending range");
	refused("-s size=0", "-s size=0: ", "\"0\"", "at least 1");
	refused("-s batch=0", "-s batch=0: ", "\"0\"", "from 1 to");
	refused("--tree=", "--tree", "\"\"", "20x3x82");
	refused("-s stack=1", "-s stack=1: ", "\"1\" is not a size from",
		"bytes to 1024G or default");
	refused("-s stack=", "-s stack=: ", "give a size from", "bytes to 1024G or default");
	refused("--set=", "-s \"\" is", "", "--help settings");
	refused("--models=", "--models", "\"\"", "threads, processes");
	refused("--log=", "--log", "\"\"", "a file's name");
}

static void sizes_name_a_kind_and_more_than_nothing(void **state)
{
	static const char *const wrong[] = {
		"cpu.size=0",	"cpu.size=",   "cpu.size",  ".size=5",
		"gpu.size=5",	"null.size=5", "io.size=0", "io.size=10X",
		"cpu.size=-5",	"mem.size=63", "size=0",    "write.size=7",
		"hello.size=0", "fp.size=8P",  "cpu.siz=5", "cpu.=5"};
	char line[64], begins[64];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(line, sizeof(line), "-s %s", wrong[i]);
		snprintf(begins, sizeof(begins), "-s %.*s", (int)strcspn(wrong[i], "="), wrong[i]);
		refused(line, begins, "", "");
	}
}

static void workers_of_every_kind_are_taken(void **state)
{
	struct parsed p;
	char line[128];

	for (int kind = 0; kind < WORK_KINDS; kind++) {
		snprintf(line, sizeof(line), "-w %s=3", plan_work_name((enum work_kind)kind));
		parse(&p, line);
		assert_int_equal(p.err, 0);
		for (int other = 0; other < WORK_KINDS; other++)
			assert_int_equal(p.options.request.workers[other], other == kind ? 3 : 0);
	}
	refused("-s sink=tty", "-s sink=tty: ", "\"tty\"", "pipe, file, null");
	refused("-s cache=hot", "-s cache=hot: ", "\"hot\"", "warm, cold, once-cold");
}

static void unknown_options_are_refused_with_the_nearest(void **state)
{
	refused("--trails 3", "--trails", "", "did you mean --trials?");
	refused("--no-colour", "--no-colour", "", "did you mean --no-color?");
	refused("--experiment=mixed", "unknown option --experiment; ", "", "see --help");
	refused("--alloc 400", "--alloc", "", "is a setting: -s alloc=VALUE");
	refused("--cpu.size=400", "--cpu.size", "", "is a setting: -s cpu.size=VALUE");
	refused("-s allok=400", "-s allok is", "", "did you mean alloc?");
	refused("-s ncie=5", "-s ncie is", "", "did you mean nice?");
	refused("--tirals 3", "--tirals", "", "did you mean --trials?");
	refused("tere", "Unknown experiment \"tere\"", "", "did you mean tree?");
	refused("--no", "--no", "", "did you mean --no-log?");
	refused("--work=./x.so", "--work", "", "--own FILE.so");
	refused("--work ./x.so", "--work", "", "--own FILE.so");
	refused("--fp 2", "--fp", "", "is a kind of work: -w fp=N");
	refused("--sweep alloc=0,400", "--sweep", "", "-s NAME=VALUES");
	refused("--env=A=1", "--env", "", "-s env:NAME=VALUE");
	refused("--stack-size 1M", "--stack-size", "", "-s stack=VALUE");
	refused("--frobnicate", "unknown option --frobnicate; ", "", "see --help");
	refused("--an-option-whose-name-is-longer-than-any-that-tuibench-has-or-will-have",
		"unknown option --an-option-whose-name-is-longer-than-any-that-tuibench-has-or-"
		"will-have; ",
		"", "see --help");
	refused("-m a-model-whose-name-is-longer-than-any-that-tuibench-has-or-will-have",
		"--models: \"a-model-whose-name-is-longer-than-any-that-tuibench-has-or-will-have"
		"\" is not ",
		"", "threads, processes");
	refused("-z", "unknown option -z; ", "", "see --help");
	refused("-bz", "unknown option -z; ", "", "see --help");
}

static void other_arguments_and_missing_values_are_refused(void **state)
{
	refused("recording.csv", "Unknown experiment", "", "tuibench -r recording.csv");
	refused("foo", "Unknown experiment \"foo\"", "tuibench -c foo", "tuibench -r foo");
	refused("-b recording.csv -w cpu=3", "Unknown experiment", "", "tuibench -r recording.csv");
	refused("-- --ascii", "Unknown experiment \"--ascii\"", "", "");
	refused("--trials", "--trials", "needs a value", "a whole number");
	refused("-s", "--set", "needs a value", "alloc=0,400");
	refused("-m", "--models", "needs a value", "threads");
	refused("--batch=yes", "--batch", "\"--batch=yes\"", "takes no value");
}

static void exports_take_recordings_and_nothing_of_a_run(void **state)
{
	struct parsed p;

	parse(&p, "-x trace a.csv b.csv -O out");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.action, ACTION_EXPORT);
	assert_string_equal(p.options.format->name, "trace");
	assert_int_equal(p.options.n_logs, 2);
	assert_string_equal(p.options.output, "out");
	parse(&p, "-x json a.csv -O -");
	assert_null(p.options.output);
	refused("--export pdf a.csv", "--export", "\"pdf\"", "trace, html, workers, samples");
	refused("--export json -n 3 a.csv", "--trials", "", "does not work with --export");
	refused("--export json --replay a.csv", "--replay", "--export", "leave one of them out");
	refused("--export json --format csv a.csv", "--format", "", "--export");
	refused("--output out.json", "--output", "", "works only with --export");
	refused("--export bundle --output me.tar.gz a.csv", "--output me.tar.gz", "",
		"exports are not compressed");
	refused("--export json --follow a.csv", "--follow", "", "does not work with --export");
}

static void a_zoom_is_a_factor_or_a_time(void **state)
{
	static const struct {
		const char *line;
		double times;
		int64_t from_ns, to_ns;
	} right[] = {
		{"--zoom 1", 1, 0, 0},
		{"--zoom 40.5", 40.5, 0, 0},
		{"--zoom 1.25-1.5", 1, 1250000000, 1500000000},
		{"--zoom 1-2ms", 1, 1000000, 2000000},
		{"--zoom 1us-2ms", 1, 1000, 2000000},
		{"--zoom 0-1us -r a.csv --select 4.2", 1, 0, 1000},
		{"--zoom 5ns-2\302\265s", 1, 5, 2000},
		{"--zoom 3-7s --zoom 2", 2, 0, 0},
	};
	static const char *const wrong[] = {"0",   "0.9",   "1000001", "x",	"2x",	   "1-",
					    "-1",  "2-1",   "1-1",     "1-2m",	"1s-2 s",  "nan",
					    "inf", "0-1e9", "0x2",     "1-nan", "1ms-2us", "1-2-3"};
	struct parsed p;

	for (size_t i = 0; i < sizeof(right) / sizeof(*right); i++) {
		parse(&p, right[i].line);
		assert_int_equal(p.err, 0);
		assert_true(p.options.looks.zoom == right[i].times);
		assert_int_equal(p.options.looks.from_ns, right[i].from_ns);
		assert_int_equal(p.options.looks.to_ns, right[i].to_ns);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		char line[64];

		snprintf(line, sizeof(line), "--zoom=%s", wrong[i]);
		refused(strcmp(wrong[i], "1s-2 s") ? line : "--zoom=1s-2e", "--zoom", "",
			"FROM-TO");
	}
	parse(&p, "--select w3 --view timeline");
	assert_int_equal(p.err, 0);
	assert_string_equal(p.options.looks.select, "w3");
}

static void a_lecture_is_a_file_and_a_screen(void **state)
{
	struct parsed p;

	parse(&p, "--lecture");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.action, ACTION_LECTURE);
	assert_int_equal(p.options.n_logs, 0);
	parse_on_terminal(&p, "--lecture a.md --theme light --ascii --no-mouse --fps 5 -o a.csv");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.action, ACTION_LECTURE);
	assert_int_equal(p.options.n_logs, 1);
	refused("--lecture a.md", "--lecture", "", "needs a terminal");
	refused("--lecture a.md b.md", "--lecture", "one file", "name only one");
	refused("--lecture -n 6", "--trials", "--lecture", "leave one of them out");
	refused("--lecture --replay", "--replay", "--lecture", "leave one of them out");
	refused("--lecture --self-test", "--self-test", "--lecture", "leave one of them out");
	refused("--lecture=a.md", "--lecture", "a.md", "takes no value");
	parse_on_terminal(&p, "--lecture a.md --scene 4");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.scene, 4);
	refused("--lecture --scene 4", "--scene", "", "--lecture FILE --scene N");
	refused("--lecture a.md --check --scene 4", "--scene", "--check", "leave one of them out");
}

static void a_scene_is_one_of_one_recording(void **state)
{
	struct parsed p;

	parse(&p, "--export trace --scene 3 a.csv");
	assert_int_equal(p.options.scene, 3);
	parse(&p, "--replay --scene 1000");
	assert_int_equal(p.options.scene, 1000);
	parse(&p, "--replay a.csv");
	assert_int_equal(p.options.scene, 0);
	refused("--replay --scene 0", "--scene", "\"0\"", "from 1 to 1000");
	refused("--scene 2", "--scene", "", "works only with --replay");
	refused("--replay --scene 2 a.csv b.csv", "--scene", "one recording", "name only one");
	refused("--replay --follow --scene 2 a.csv", "--scene", "", "leave one of them out");
}

static void screencasts_have_a_size_and_a_speed(void **state)
{
	struct parsed p;

	parse(&p, "-x cast --size 80x24 --speed 20 a.csv");
	assert_int_equal(p.err, 0);
	assert_string_equal(p.options.format->name, "cast");
	assert_int_equal(p.options.size.width, 80);
	assert_int_equal(p.options.size.height, 24);
	assert_true(p.options.speed_given);
	parse(&p, "-x svg-animation -x json a.csv");
	assert_null(p.options.format->screencast);
	refused("-x cast --size 80 a.csv", "--size", "\"80\"", "40x12");
	refused("-x cast --size 80x a.csv", "--size", "\"80x\"", "40x12");
	refused("-x cast --size 80x24x2 a.csv", "--size", "\"80x24x2\"", "40x12");
	refused("-x cast --size 39x24 a.csv", "--size", "\"39x24\"", "40x12");
	refused("-x cast --size 80x4294967320 a.csv", "--size", "\"80x4294967320\"", "40x12");
	refused("-x cast --size -80x24 a.csv", "--size", "\"-80x24\"", "40x12");
	refused("-x json --size 80x24 a.csv", "--size", "", "--export cast");
	refused("-x json --speed 2 a.csv", "--speed", "", "--export cast");
	refused("--format cast -b", "--format", "\"cast\"", "table");
	refused("--format html -b", "--format", "\"html\"", "-x html FILE");
}

static void typed_control_characters_cannot_break_an_error_line(void **state)
{
	struct parsed p;
	char bell[] = "--workers=cpu=1\n\033[2J\302\233\342\200\256\377";
	char *argv[] = {"tuibench", bell, NULL};

	p.err = options_parse(&p.options, 2, argv, p.error, sizeof(p.error));
	assert_int_equal(p.err, -EINVAL);
	for (const char *c = p.error; *c; c++)
		assert_true((unsigned char)*c >= 0x20 && (unsigned char)*c < 0x7f);
}

/* The self-test runs sessions of its own, so options for other actions are refused. */
static void the_self_test_stands_alone(void **state)
{
	struct parsed p;

	parse(&p, "--self-test");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.action, ACTION_SELF_TEST);
	parse(&p, "--self-test --batch --format json");
	assert_int_equal(p.err, 0);
	parse_on_terminal(&p, "--format json --self-test");
	assert_int_equal(p.err, 0);
	parse(&p, "--self-test --help");
	assert_int_equal(p.options.action, ACTION_HELP);
	refused("--self-test --replay", "--replay", "--self-test", "leave one");
	refused("--replay --self-test x.csv", "--replay", "--self-test", "leave one");
	refused("--self-test --export csv", "--export", "--self-test", "leave one");
	refused("--self-test --list", "--list", "--self-test", "leave one");
	refused("--list --self-test", "--list", "--self-test", "leave one");
	refused("--self-test --trials 3", "--trials", "--self-test", "leave one");
	refused("hello --self-test", "\"hello\"", "", "");
	refused("--self-test --log x.csv", "--log", "--self-test", "leave one");
	refused("--self-test --hold", "--hold", "--self-test", "leave one");
	refused("--self-test --format csv", "--format", "\"csv\"", "table or json");
	refused("--self-test x.csv", "Unknown experiment", "\"x.csv\"", "tuibench -r x.csv");
	refused("--self-test --speed 2", "--speed", "", "--self-test");
	refused("--self-test --output x", "--output", "", "--self-test");
}

static void options_that_define_the_session_are_given_once(void **state)
{
	struct parsed p;

	refused("crash cow", "\"cow\"", "has one experiment", "name only one");
	refused("mixed tree", "\"tree\"", "has one experiment", "name only one");
	refused("-s alloc=0 -s nice=5 -s alloc=3", "-s alloc=3 and", "-s alloc=0", "alloc=0,400");
	refused("-s env:A=1 -s env:A=2", "-s env:A=2 and", "-s env:A=1", "all values");
	refused("-w cpu=2 -w cpu=3", "--workers: ", "\"cpu=3\"", "twice");
	refused("-w cpu=2,io=1,cpu=3", "--workers: ", "cpu=3", "twice");
	refused("--own ./a.so --own ./b.so", "--own: ", "\"./b.so\"", "leave one");
	refused("-t 3x8 --tree 2x3", "--tree: ", "\"2x3\"", "one list, separated by commas");
	refused("-m threads -m pool:2", "--models: ", "\"pool:2\"",
		"one list, separated by commas");
	parse(&p, "-s env:A=1 -s env:AB=2 -s cpu.size=1 -s io.size=2 -w cpu=2 -w io=1");
	assert_int_equal(p.err, 0);
}

static void two_values_of_a_setting_differ(void **state)
{
	refused("-s alloc=0,0", "-s alloc=0,0: ", "the value 0", "twice");
	refused("-s alloc=3,1..4", "-s alloc=3,1..4: ", "the value 3", "twice");
	refused("-s stack=16K,default,16K", "-s stack=", "the value 16K", "twice");
	refused("-s via=pipe,pipe", "-s via=pipe,pipe: ", "the value pipe", "twice");
}

static void a_quota_is_a_decimal_number_of_cpus(void **state)
{
	static const char *const wrong[] = {"0",  "0.009", "1025", "1024.1", "0.1234", ".5",
					    "1.", "-1",	   "1e3",  "0,5",    "1.2.3"};
	static const struct {
		const char *text;
		uint32_t thousandths;
	} right[] = {{"0.5", 500},   {"1", 1000},	{"1.25", 1250}, {"0.01", 10},
		     {"0.125", 125}, {"1024", 1024000}, {"max", 0}};
	char line[64], text[EXPERIMENT_QUOTA];
	const struct setting *quota = setting_find("quota");
	struct request request;
	struct parsed p;

	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		snprintf(line, sizeof(line), "-s quota=%s", right[i].text);
		parse(&p, line);
		assert_int_equal(p.err, 0);
		request_init(&request);
		assert_int_equal(setting_store(&request, quota, "quota", right[i].text), 0);
		assert_int_equal(request.quota, right[i].thousandths);
		if (right[i].thousandths)
			assert_string_equal(experiment_quota(right[i].thousandths, text),
					    right[i].text);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(line, sizeof(line), "-s quota=%s", wrong[i]);
		refused(line, "-s quota=", "", "from 0.01 to 1024 (0.5), or max");
	}
}

static void a_policy_is_one_of_five(void **state)
{
	static const struct {
		const char *name;
		int policy;
	} list[] = {{"other", SCHED_OTHER},
		    {"batch", SCHED_BATCH},
		    {"idle", SCHED_IDLE},
		    {"fifo", SCHED_FIFO},
		    {"rr", SCHED_RR}};
	struct experiment experiment;
	struct request request;
	char error[256];
	struct parsed p;

	request_init(&request);
	assert_int_equal(request.policy - 1, -1);
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		assert_int_equal(
			setting_store(&request, setting_find("policy"), "policy", list[i].name), 0);
		assert_int_equal(request.policy - 1, list[i].policy);
	}
	refused("-s policy=deadline", "-s policy=", "\"deadline\"", "other, batch, idle, fifo, rr");
	parse(&p, "-s policy=rr -s quota=0.5");
	assert_int_equal(experiment_build(&p.options.request, &experiment, error, sizeof(error)),
			 -EINVAL);
	assert_non_null(strstr(error, "-s quota does not limit runs with the policy rr"));
}

static void contradictions_are_refused(void **state)
{
	refused("--log x.csv --no-log", "--no-log", "--log", "leave one");
	refused("--log - --format json", "--format", "--log -", "log to a file");
	refused("--hold --batch", "--hold", "needs a terminal", "leave it out");
	refused("--hold", "--hold", "needs a terminal", "leave it out");
	refused("--vote --batch", "--vote", "needs a terminal", "leave it out");
}

static void the_menu_chooses_what_runs(void **state)
{
	static const char *const kept[] = {"--menu", "--menu --no-log", "--menu hello --ascii"};
	static const char *const others[] = {"--menu --trials 3", "--menu -t 3x4",
					     "--menu --replay x.csv", "--menu --exit",
					     "--menu --log x.csv"};
	struct parsed p;

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		parse_on_terminal(&p, kept[i]);
		assert_int_equal(p.err, 0);
		assert_true(p.options.menu);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		parse_on_terminal(&p, others[i]);
		assert_int_equal(p.err, -EINVAL);
		assert_non_null(strstr(p.error, "--menu"));
		assert_non_null(strstr(p.error, "leave one of them out"));
	}
	refused("--menu", "--menu", "needs a terminal", "--help experiments");
}

static void a_terminal_is_for_the_screen_alone(void **state)
{
	struct parsed p;

	parse_on_terminal(&p, "--hold");
	assert_int_equal(p.err, 0);
	parse_on_terminal(&p, "--log -");
	assert_int_equal(p.err, -EINVAL);
	assert_non_null(strstr(p.error, "--batch"));
	parse_on_terminal(&p, "--format csv");
	assert_int_equal(p.err, -EINVAL);
	assert_non_null(strstr(p.error, "--batch"));
	parse_on_terminal(&p, "--batch --format csv");
	assert_int_equal(p.err, 0);
	parse(&p, "--format csv");
	assert_int_equal(p.err, 0);
	parse(&p, "--log -");
	assert_int_equal(p.err, 0);
}

static void help_is_given_whatever_else_is_typed(void **state)
{
	struct parsed p;

	parse(&p, "--help --trials -1");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.action, ACTION_HELP);
	parse(&p, "--log x --no-log -V");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.action, ACTION_VERSION);
	parse(&p, "--help experiments");
	assert_int_equal(p.options.action, ACTION_HELP);
	assert_string_equal(p.options.topic, "experiments");
	parse(&p, "--help -c");
	assert_int_equal(p.err, 0);
	assert_string_equal(p.options.topic, "-c");
	parse(&p, "-h --tree");
	assert_string_equal(p.options.topic, "--tree");
	parse(&p, "--help --");
	assert_null(p.options.topic);
}

static void assert_is_topic(const char *name)
{
	char *page = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&page, &size);

	if (options_help(name, out) || fflush(out) || size == 0)
		fail_msg("--help does not know \"%s\"", name);
	fclose(out);
	free(page);
}

/* Fails unless the topic, or one as near, is named if two of its letters are swapped. */
static void assert_is_near(const char *name)
{
	const char *bare = name + strspn(name, "-");
	const size_t at = strlen(bare) / 2;
	char typed[80], nearest[80];

	snprintf(typed, sizeof(typed), "%s", bare);
	if (at < 2 || !isalpha((unsigned char)typed[at]) || !isalpha((unsigned char)typed[at - 1]))
		return;
	typed[at] = bare[at - 1];
	typed[at - 1] = bare[at];
	options_help_nearest(typed, nearest, sizeof(nearest));
	if (setting_distance(typed, nearest) > 1)
		fail_msg("\"%s\" is near \"%s\", not \"%s\"", typed, name, nearest);
}

/* Checks each of the names, which the separator divides. Skips patterns such as cpuN. */
static void assert_are_topics(const char *names, const char *separator)
{
	char name[80];

	for (; *names; names += strspn(names, ", ")) {
		const size_t n = strcspn(names, separator);

		snprintf(name, sizeof(name), "%.*s", (int)n, names);
		if (strpbrk(name, "_") == NULL || strpbrk(name, "NIK") == NULL)
			assert_is_topic(name);
		if (strpbrk(name, "_") == NULL)
			assert_is_near(name);
		names += n;
	}
}

extern const char *const glossary_words[][2];
extern const char *const glossary_keys[][2];
extern const char *const glossary_exported[][2];
extern const char *const glossary_recorded[][2];

static void every_name_is_a_topic_of_help(void **state)
{
	const char *const(*const tables[])[2] = {glossary_words, glossary_keys, glossary_exported,
						 glossary_recorded};
	const struct options_rule *rule;
	const struct experiment_kind *kind;
	const struct export_format *format;
	const struct keys_row *row;
	char name[80];

	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		if (rule->value == VALUE_EXPERIMENT)
			continue;
		assert_is_topic(rule->name);
		assert_is_near(rule->name);
		snprintf(name, sizeof(name), "--%s", rule->name);
		assert_is_topic(name);
		snprintf(name, sizeof(name), "-%c", rule->letter);
		if (rule->letter)
			assert_is_topic(name);
	}
	for (size_t i = 0; setting_name(i, name); i++) {
		assert_is_topic(name);
		assert_is_near(name);
	}
	for (size_t i = 0; (kind = experiment_at(i)); i++) {
		assert_is_topic(kind->name);
		assert_is_near(kind->name);
	}
	for (size_t i = 0; (format = export_at(i)); i++) {
		assert_is_topic(format->name);
		assert_is_near(format->name);
	}
	for (size_t i = 0; (row = keys_at(i)); i++)
		if (row->does)
			assert_are_topics(row->keys, " ");
	assert_is_topic("Up");
	assert_is_topic("Down");
	assert_is_topic("Left");
	assert_is_topic("Right");
	for (size_t i = 0; i < METRICS; i++) {
		assert_is_topic(metric_table[i].title);
		assert_is_near(metric_table[i].title);
		if (metric_table[i].name)
			assert_is_topic(metric_table[i].name);
	}
	for (size_t table = 0; table < LENGTH(tables); table++)
		for (size_t i = 0; tables[table][i][0]; i++)
			assert_are_topics(tables[table][i][0], ",");
}

/* Fails unless the help of that topic has the text, with any breaks of lines. */
static void assert_in_help(const char *topic, const char *text)
{
	char *page = NULL, *to;
	size_t size = 0;
	FILE *out = open_memstream(&page, &size);

	assert_int_equal(options_help(topic, out), 0);
	fclose(out);
	to = page;
	for (const char *from = page; *from; from++) {
		const bool blank = strchr(" \n#", *from);

		if (!blank || (to > page && to[-1] != ' '))
			*to++ = blank ? ' ' : *from;
	}
	*to = '\0';
	if (!strstr(page, text))
		fail_msg("--help %s has no \"%s\": %s", topic, text, page);
	free(page);
}

static void help_loses_no_end_of_a_long_text(void **state)
{
	const struct experiment_kind *kind;
	const struct setting *setting;
	const char *const *last;
	char text[512];

	for (size_t i = 0; (setting = setting_at(i)); i++) {
		for (last = setting->words; last && last[1];)
			last++;
		assert_in_help(setting->name, setting->help);
		snprintf(text, sizeof(text), "%s [default: %s", last ? *last : setting->values,
			 setting->usual);
		assert_in_help(setting->name, text);
		snprintf(text, sizeof(text), "]; for %s ", setting->of);
		if (setting->works)
			assert_in_help(setting->name, text);
		if (setting->kind == SETTING_WORK || setting->kind == SETTING_ARGUMENT)
			continue;
		snprintf(text, sizeof(text), " For %s: %s", setting->of, setting->help);
		assert_in_help("config", text);
	}
	assert_in_help("via", "]; for switch, messages, share, server");
	for (size_t i = 0; (kind = experiment_at(i)); i++) {
		snprintf(text, sizeof(text), "%s Takes about %u s%s.", kind->question,
			 kind->seconds, sentence_text(kind->note, ""));
		assert_in_help("experiments", text);
	}
}

/* Words that other tools have for the same thing. */
static void help_knows_the_words_of_other_tools(void **state)
{
	assert_in_help("timeout", "for end programs after this time");
	assert_in_help("stdin", "as the standard input of");
	assert_in_help("quiet", "--batch");
	assert_in_help("progress", "--batch");
	assert_in_help("peak memory", "memory");
}

static void the_list_of_recordings_takes_no_names(void **state)
{
	struct parsed p;

	parse(&p, "--list");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.action, ACTION_LIST);
	refused("--view 5", "--view", "\"5\"", "one of answer, overview");
	parse(&p, "hello --quick");
	assert_int_equal(p.err, 0);
	assert_string_equal(p.options.request.experiment, "hello");
	assert_int_equal(p.options.n_logs, 0);
	refused("hello scaling", "\"scaling\"", "", "name only one");
	refused("hello mixed", "\"mixed\"", "", "name only one");
	refused("scalin", "Unknown experiment", "\"scalin\"", "did you mean scaling?");
	refused("progZ 3", "Unknown experiment", "tuibench -c 'progZ 3'", "tuibench -r progZ");
	refused("no.csv", "Unknown experiment", "tuibench -c no.csv", "tuibench -r no.csv");
	refused("/dev/null", "\"/dev/null\"", "", "did you mean --replay /dev/null?");
	refused("--list folder", "Unknown experiment", "\"folder\"", "tuibench -r folder");
	refused("--replay --list folder", "--replay", "--list", "leave one of them out");
	refused("--list --frobnicate", "unknown option --frobnicate; ", "", "see --help");
}

static void the_command_is_quoted_for_a_shell(void **state)
{
	struct parsed p;
	char *argv[] = {"./build/tuibench",
			"--set=io-file=my file",
			"-o",
			"it's\t\xff.csv",
			"-m",
			"threads,hybrid:2x4",
			"--theme",
			"mono",
			NULL};

	p.err = options_parse(&p.options, 8, argv, p.error, sizeof(p.error));
	assert_int_equal(p.err, 0);
	assert_string_equal(p.options.command,
			    "tuibench '--set=io-file=my file' -o $'it\\'s\\011\\377.csv' "
			    "-m threads,hybrid:2x4 --theme mono");
	assert_ptr_equal(p.options.request.command, p.options.command);

	argv[3] = "caf\xc3\xa9 \xe2\x80\xae\xc2\x9b";
	p.err = options_parse(&p.options, 8, argv, p.error, sizeof(p.error));
	assert_int_equal(p.err, 0);
	assert_non_null(strstr(p.options.command, " -o $'caf\xc3\xa9 \\342\\200\\256\\302\\233' "));
}

static void a_command_that_is_too_long_is_cut(void **state)
{
	struct parsed p;
	char log[SAMPLE_COMMAND * 2];
	char *argv[] = {"tuibench", "-b", "-o", log, "-w", "cpu=3", NULL};

	memset(log, 'x', sizeof(log) - 1);
	log[sizeof(log) - 1] = '\0';
	p.err = options_parse(&p.options, 6, argv, p.error, sizeof(p.error));
	assert_int_equal(p.err, 0);
	assert_string_equal(p.options.command, "tuibench -b -o ...");
}

static void sixteen_programs_are_compared_at_most(void **state)
{
	char *argv[OPTIONS_PROGRAMS + 3] = {"tuibench"};
	struct parsed p;
	int argc = 1;

	while (argc <= OPTIONS_PROGRAMS)
		argv[argc++] = "--command=true";
	p.err = options_parse(&p.options, argc, argv, p.error, sizeof(p.error));
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.request.n_programs, 16);
	argv[argc++] = "--command=sort";
	p.err = options_parse(&p.options, argc, argv, p.error, sizeof(p.error));
	assert_int_equal(p.err, -EINVAL);
	assert_string_equal(p.error, "--command: \"sort\" is not a program with its arguments "
				     "('sort FILE'), at most sixteen times");
}

static void names_are_those_of_the_programs_in_their_order(void **state)
{
	struct parsed p;

	parse(&p, "--name a -c true -c echo --name b");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.request.n_names, 2);
	assert_string_equal(p.options.request.program_names[1], "b");
	parse(&p, "--name");
	assert_string_equal(p.error, "--name: needs a value, a program's name, at most sixteen "
				     "times (--name new -c ./new)");
}

/*
 * Settings are checked after the whole line was read, because a later word may be the command that
 * has them.
 */
static void a_setting_of_a_command_may_stand_before_it(void **state)
{
	struct parsed p;

	parse(&p, "-s n=1,2 -c true{n}");
	assert_int_equal(p.err, 0);
	parse(&p, "-c true{n} -s m=1,2");
	assert_string_equal(p.error, "-s m: no command has {m}; the commands have {n}");
	parse(&p, "-s m=1,2");
	assert_string_equal(p.error, "-s m is not a setting; did you mean mem.size?");
}

/* Options of other programs: each error says what to type here. */
static void habits_of_other_programs_are_answered_with_ours(void **state)
{
	static const struct {
		const char *line, *answer;
	} habits[] = {
		{"true", "tuibench -c true"},
		{"-n 3 true", "tuibench -n 3 -c true"},
		{"true 1 2", "tuibench -c 'true 1 2'"},
		{"true -j4", "tuibench -c 'true -j4'"},
		{"true --jobs=4", "tuibench -c 'true --jobs=4'"},
		{"-r 10 true",
		 "--replay: \"10\" is not a recording; for a number of trials, type -n 10"},
		{"--runs 10 -c true", "--runs is called --trials; type -n N"},
		{"--repeat=10 -c true", "--repeat is called --trials; type -n N"},
		{"-w 3 -c true", "warm-ups are --warmup 3"},
		{"-n old -c true", "the name of a program is --name old"},
		{"--command-name old -c true", "--name NAME"},
		{"-L n 1,2 -c true{n}", "-s n=1,2,4"},
		{"--parameter-list n 1,2 -c true{n}", "-s n=1,2,4"},
		{"-P n 1 8 -c true{n}", "-s n=1..8"},
		{"-D 2 -c true{n}", "-s n=1..8:2"},
		{"-p sync -c true", "-s prepare=COMMAND"},
		{"-s make -c true", "-s 'setup=make'"},
		{"--prepare sync -c true", "-s prepare=COMMAND"},
		{"-i -c true", "-s ignore-failure=yes"},
		{"-N -c true", "-c runs programs without a shell"},
		{"-S bash -c true", "sh -c '...'"},
		{"-u second -c true", "exports use ms"},
		{"--output null -c true", "-s output=null"},
		{"--input FILE -c true", "-s input=FILE"},
		{"--export-json F -c true", "--format hyperfine > FILE"},
		{"--export-csv F -c true", "--format csv > FILE"},
		{"--export-markdown F -c true", "--format markdown > FILE"},
		{"--for 5 -c true", "-s for=5s"},
		{"--metric rate -c true", "-s metric=NAME"},
		{"-r 3 -c true", "for a number of trials, type -n 3"},
		{"-s n=1,2 -c true", "type {n} in -c where its values go"},
		{"-s threads=1..3 -c true", "type {threads} in -c where its values go"},
		{"-s nice2=1 -c true", "did you mean nice?"},
		{"-M 10 -c true", "-n N"},
	};
	struct parsed p;

	for (size_t i = 0; i < sizeof(habits) / sizeof(*habits); i++) {
		parse(&p, habits[i].line);
		assert_int_equal(p.err, -EINVAL);
		if (!strstr(p.error, habits[i].answer))
			fail_msg("%s: %s", habits[i].line, p.error);
	}
}

static void several_commands_are_each_a_program(void **state)
{
	char *argv[] = {"tuibench", "sleep 0.1", "sleep 0.2", "-n", "3", NULL};
	struct parsed p;

	p.err = options_parse(&p.options, 5, argv, p.error, sizeof(p.error));
	assert_int_equal(p.err, -EINVAL);
	assert_string_equal(p.error, "\"sleep 0.1\" is a program; to run it, use -c: tuibench -n 3 "
				     "-c 'sleep 0.1' -c 'sleep 0.2'");
}

static void check_program(char *const argv[], const char *error)
{
	char *line[8] = {"tuibench"};
	struct parsed p;
	int n = 1;

	for (; argv[n - 1]; n++)
		line[n] = argv[n - 1];
	p.err = options_parse(&p.options, n, line, p.error, sizeof(p.error));
	assert_int_equal(p.err, -EINVAL);
	assert_string_equal(p.error, error);
}

/* The answer does not depend on whether the file exists or is executable. */
static void what_looks_like_a_program_is_answered_with_the_line_to_type(void **state)
{
	char path[FOLDER_PATH], folder[FOLDER_PATH], error[2 * FOLDER_PATH + 128];

	check_program(
		(char *[]) {"./progA", "3", NULL},
		"\"./progA\" is not found; to run a program, use -c: tuibench -c './progA 3'");
	check_program((char *[]) {"./progA 3", "./progB 3", NULL},
		      "\"./progA 3\" is not found; to run a program, use -c: tuibench -c './progA "
		      "3' -c './progB 3'");
	check_program((char *[]) {"bin/比較", "--grün", NULL},
		      "\"bin/比較\" is not found; to run a program, use -c: tuibench -c 'bin/比較 "
		      "--grün'");
	check_program((char *[]) {"./a.csv", NULL},
		      "Unknown experiment \"./a.csv\". To run a program: tuibench -c ./a.csv. To "
		      "open a recording: tuibench -r ./a.csv");
	folder_make(folder);
	folder_write(folder_at(path, folder, "a.py"), "print(1)\n");
	snprintf(error, sizeof(error),
		 "\"%s\" is not executable; run chmod +x, then use -c: tuibench -c %s", path, path);
	check_program((char *[]) {path, NULL}, error);
	assert_int_equal(chmod(path, 0700), 0);
	snprintf(error, sizeof(error), "\"%s\" is a program; to run it, use -c: tuibench -c %s",
		 path, path);
	check_program((char *[]) {path, NULL}, error);
	folder_remove(folder);
}

static void a_drawn_seed_is_recorded(void **state)
{
	struct parsed p;
	char expected[64];

	parse(&p, "--order random");
	assert_int_equal(p.err, 0);
	snprintf(expected, sizeof(expected), "tuibench --order random --seed %llu",
		 (unsigned long long)p.options.request.seed);
	assert_string_equal(p.options.command, expected);
	parse(&p, "--order random --seed 7");
	assert_int_equal(p.options.request.seed, 7);
	assert_string_equal(p.options.command, "tuibench --order random --seed 7");
}

/* The first model differs between sessions, but is the same with the same seed. */
static void the_first_model_is_random_by_default(void **state)
{
	struct parsed a, b;

	parse(&a, "");
	parse(&b, "");
	assert_int_not_equal(a.options.request.seed, b.options.request.seed);
	assert_string_equal(a.options.command, "tuibench");
	parse(&a, "--seed 9");
	assert_int_equal(a.options.request.seed, 9);
	assert_string_equal(a.options.command, "tuibench --seed 9");
}

static void quick_chooses_the_trials_itself(void **state)
{
	struct parsed p;

	parse(&p, "--quick hello --warmup 2");
	assert_int_equal(p.err, 0);
	assert_true(p.options.request.quick);
	refused("--quick -n 8", "--quick", "", "both set the number of trials");
	refused("--replay --quick a.csv", "--quick", "", "does not work with --replay");
}

static void no_color_in_the_environment_counts_unless_empty(void **state)
{
	struct parsed p;

	setenv("NO_COLOR", "1", 1);
	parse(&p, "");
	assert_true(p.options.no_color);
	setenv("NO_COLOR", "", 1);
	parse(&p, "");
	assert_false(p.options.no_color);
	unsetenv("NO_COLOR");
}

/* Every word that shells complete is accepted. */
static void all_words_of_completion_are_taken(void **state)
{
	const struct options_rule *rule;
	size_t words = 0;

	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		const char *word;
		char buf[OPTIONS_WORD], line[128];

		for (size_t j = 0; (word = options_rule_word(rule, j, buf)); j++, words++) {
			struct parsed p;

			if (rule->value == VALUE_SETTING)
				continue; /* tested below, with its values */
			if (rule->value == VALUE_EXPERIMENT)
				snprintf(line, sizeof(line), "%s", word);
			else
				snprintf(line, sizeof(line), "--%s %s%s", rule->name, word,
					 rule->value == VALUE_WORKERS ? "1" : "");
			parse(&p, line);
			assert_string_equal(p.error, "");
		}
	}
	assert_true(words > 50);
}

static bool is_named(int number, const char *word)
{
	const struct view_ops *view;
	bool found = false;

	for (size_t i = 0; (view = views_at(i)); i++)
		found |= view->number == number && strcasecmp(view->name, word) == 0;
	return found;
}

/* All views have a word, in the order of their numbers. */
static void the_words_of_views_are_the_views(void **state)
{
	const struct options_rule *rule;
	const struct view_ops *view;
	const char *word;
	char buf[OPTIONS_WORD];
	int words = 1;

	for (size_t i = 0; (rule = options_rule_at(i)) && strcmp(rule->name, "view") != 0;)
		i++;
	assert_non_null(rule);
	for (; (word = options_rule_word(rule, (size_t)words, buf)); words++)
		assert_true(is_named(words, word));
	for (size_t i = 0; (view = views_at(i)); i++)
		assert_true(view->number > 0 && view->number < words);
}

/*
 * An option that takes any text either names something outside tuibench, or is a list of tuibench's
 * own words. A new option must be added here.
 */
static void every_option_says_what_it_does_outside_tuibench(void **state)
{
	static const char *const own[] = {"models", "tree", "select", "predict"};
	const struct options_rule *rule;

	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		bool named = rule->value != VALUE_STRING && rule->value != VALUE_PROGRAM &&
			     rule->value != VALUE_PRUNE;

		for (size_t k = 0; k < sizeof(own) / sizeof(*own); k++)
			named |= strcmp(rule->name, own[k]) == 0;
		if (named == (rule->outside != NULL))
			fail_msg("--%s: is it of a recording?", rule->name);
	}
}

static void every_setting_says_what_it_does_outside_tuibench(void **state)
{
	static const char *const own[] = {"group", "fault", "label", "metric"};
	const struct options_rule *set = options_rule_at(0);
	const struct setting *setting;

	for (size_t i = 0; (set = options_rule_at(i)) && set->value != VALUE_SETTING;)
		i++;
	assert_non_null(set);
	for (size_t i = 0; (setting = setting_at(i)); i++) {
		bool named = setting->kind != SETTING_TEXT && setting->kind != SETTING_VARIABLE &&
			     setting->kind != SETTING_ARGUMENT;
		char text[64];

		for (size_t k = 0; k < sizeof(own) / sizeof(*own); k++)
			named |= strcmp(setting->name, own[k]) == 0;
		if (named == (setting->outside != NULL))
			fail_msg("-s %s: is it of a recording?", setting->name);
		snprintf(text, sizeof(text), "%s=a,b", setting->name);
		assert_ptr_equal(options_rule_outside(set, text), setting->outside);
	}
}

/* The line is refused by one line that a terminal can show. */
static void assert_refused(const char *line, int err, const char *error)
{
	if (err != -EINVAL && err != -EAGAIN && err != -ENOSPC && err != -ENOENT && err != -EACCES)
		fail_msg("%s: %d (%s)", line, err, error);
	assert_true(*error);
	for (const char *c = error; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			fail_msg("%s: %s", line, error);
}

static int build(const struct request *request, struct experiment *experiment, char error[512])
{
	error[0] = '\0';
	return experiment_build(request, experiment, error, 512);
}

/* Whether two sessions run the same, however they were typed. */
static bool is_same(const struct experiment *a, const struct experiment *b)
{
	struct request one = a->request, other = b->request;

	memset(one.settings, 0, sizeof(one.settings));
	memset(other.settings, 0, sizeof(other.settings));
	memset(one.values, 0, sizeof(one.values));
	memset(other.values, 0, sizeof(other.values));
	return memcmp(&one, &other, sizeof(one)) == 0 && a->n_cases == b->n_cases &&
	       memcmp(a->cases, b->cases, a->n_cases * sizeof(*a->cases)) == 0;
}

/*
 * The i-th value of a setting to try. Returns false after the last one. The first may be the
 * default.
 */
static bool value_at(const char *name, size_t i, char value[VARIABLE_VALUE])
{
	bool variable = setting_find(name)->kind == SETTING_VARIABLE;
	const char *example;

	if (!variable && (i > 0 || setting_offer(name, 0, NULL, value)))
		return setting_offer(name, i, NULL, value);
	example = setting_example(name, value);
	if (example != value)
		snprintf(value, VARIABLE_VALUE, "%s", example);
	return i == 0;
}

/* Whether the first value to try is the default. */
static bool has_usual(const char *name)
{
	const struct setting *setting = setting_find(name);

	return setting->words || setting->kind == SETTING_WORK ||
	       (setting->offers && *setting->offers);
}

/*
 * Tries one value in one experiment: the experiment shows the value, or refuses it. A value without
 * effect is an error.
 */
static bool try_setting(const struct experiment *plain, const char *experiment, const char *name,
			const char *value, bool first)
{
	static struct experiment made;
	char line[160], error[512];
	struct parsed p;
	int err;

	snprintf(line, sizeof(line), "%s -s %s=%s --seed 1", experiment, name, value);
	parse(&p, line);
	assert_string_equal(p.error, "");
	err = build(&p.options.request, &made, error);
	if (err) {
		assert_refused(line, err, error);
		if (strstr(error, "has no effect here") && setting_concerns(name, plain, false))
			fail_msg("%s: %s", line, error);
		return false;
	}
	if (!setting_concerns(name, &made, false))
		fail_msg("%s: does nothing, and was not refused", line);
	if (!setting_concerns(name, plain, true))
		fail_msg("%s: was taken, and --help %s hides it", line, experiment);
	if (!first && is_same(plain, &made))
		fail_msg("%s: has left no trace", line);
	return true;
}

/* Made from the table, so a new setting is tested without any change here. */
static void each_setting_has_an_effect_or_is_refused_in_each_experiment(void **state)
{
	static struct experiment plain;
	const char *experiment;
	char name[VARIABLE_NAME], value[VARIABLE_VALUE], error[512];
	bool built[64] = {false};
	struct parsed p;

	for (size_t i = 0; experiment_at(i); i++) {
		experiment = experiment_at(i)->name;
		snprintf(value, sizeof(value), "%s --seed 1", experiment);
		parse(&p, value);
		assert_int_equal(build(&p.options.request, &plain, error), 0);
		for (size_t n = 0; setting_name(n, name); n++)
			for (size_t k = 0; value_at(name, k, value); k++)
				built[n] |= try_setting(&plain, experiment, name, value,
							k == 0 && has_usual(name));
	}
	for (size_t n = 0; setting_name(n, name); n++)
		if (!built[n] && strcmp(name, "ballast-pages") != 0 &&
		    strcmp(name, "share.size") != 0)
			fail_msg("%s: no experiment takes it", name);
}

static size_t draw(size_t n)
{
	return (size_t)random() % n;
}

static const char *draw_of(const char *const *words)
{
	size_t n = 0;

	while (words[n])
		n++;
	return words[draw(n)];
}

/* Values that a user might type, valid and invalid. */
static const char *const odd[] = {
	"0",	 "1",	 "2..4",	  "1..",     "-1",    "x",   "",   "1,2",
	"64K",	 "1.5M", "yes",		  "no",	     "max",   "@",   "..", "a;b",
	"1..99", "\\,",	 "9999999999999", "default", "mixed", "8x8", NULL};

static size_t draw_setting(char *out, size_t size)
{
	char name[VARIABLE_NAME], value[VARIABLE_VALUE];
	size_t names = 0, n = 0;

	while (setting_name(names, name))
		names++;
	setting_name(draw(names), name);
	n = (size_t)snprintf(out, size, "-s %s=", name);
	for (size_t i = draw(4) > 0 ? 1 : 2; i > 0; i--) {
		size_t most = 0;

		while (value_at(name, most, value))
			most++;
		if (draw(4) > 0 && most > 0)
			value_at(name, draw(most), value);
		else
			snprintf(value, sizeof(value), "%s", draw_of(odd));
		n += (size_t)snprintf(out + n, size - n, "%s%s", value, i > 1 ? "," : "");
	}
	return n;
}

static size_t draw_option(char *out, size_t size)
{
	const struct options_rule *rule;
	char word[OPTIONS_WORD];
	size_t rules = 0, words = 0;
	const char *value = draw_of(odd);

	while (options_rule_at(rules))
		rules++;
	do
		rule = options_rule_at(draw(rules));
	while (strcmp(rule->name, "config") == 0); /* skipped, because it reads files */
	if (!options_rule_takes(rule))
		return (size_t)snprintf(out, size, "--%s", rule->name);
	while (options_rule_word(rule, words, word))
		words++;
	if (words > 0 && draw(4) > 0)
		value = options_rule_word(rule, draw(words), word);
	else if (rule->standing && *rule->standing && draw(3) > 0)
		value = rule->standing;
	if (rule->value == VALUE_EXPERIMENT)
		return (size_t)snprintf(out, size, "%s", value);
	if (rule->value == VALUE_WORKERS && value[strlen(value) - (*value != '\0')] == '=')
		return (size_t)snprintf(out, size, "-w %s%zu", value, draw(9));
	return (size_t)snprintf(out, size, "--%s=%s", rule->name, value);
}

/* Every command line is accepted, or refused in one line. */
static void any_command_line_is_right_or_refused(void **state)
{
	static struct experiment made;
	char line[250], error[512];
	uint32_t right = 0, wrong = 0;
	size_t experiments = 0;
	struct parsed p;

	while (experiment_at(experiments))
		experiments++;
	seed_random();
	for (int round = 0; round < 3000; round++) {
		size_t n = draw(3) > 0 ? (size_t)snprintf(line, sizeof(line), "%s",
							  experiment_at(draw(experiments))->name)
				       : 0;
		int err;

		line[n] = '\0';
		for (size_t i = 1 + draw(3); i > 0 && n + 120 < sizeof(line); i--) {
			if (n > 0)
				line[n++] = ' ';
			n += draw(3) > 0 ? draw_setting(line + n, 120) : draw_option(line + n, 120);
		}
		parse(&p, line);
		err = p.err;
		snprintf(error, sizeof(error), "%s", p.error);
		if (!err && p.options.action == ACTION_RUN && !p.options.replay && !p.options.rerun)
			err = build(&p.options.request, &made, error);
		if (err)
			assert_refused(line, err, error);
		right += !err;
		wrong += err != 0;
	}
	assert_true(right > 300 && wrong > 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_option_says_what_it_does_outside_tuibench),
		cmocka_unit_test(every_setting_says_what_it_does_outside_tuibench),
		cmocka_unit_test(nothing_typed_gives_the_defaults),
		cmocka_unit_test(values_are_stored),
		cmocka_unit_test(the_last_of_a_repeated_option_counts),
		cmocka_unit_test(wrong_values_are_refused_with_what_is_right),
		cmocka_unit_test(sizes_name_a_kind_and_more_than_nothing),
		cmocka_unit_test(workers_of_every_kind_are_taken),
		cmocka_unit_test(unknown_options_are_refused_with_the_nearest),
		cmocka_unit_test(other_arguments_and_missing_values_are_refused),
		cmocka_unit_test(exports_take_recordings_and_nothing_of_a_run),
		cmocka_unit_test(a_zoom_is_a_factor_or_a_time),
		cmocka_unit_test(a_lecture_is_a_file_and_a_screen),
		cmocka_unit_test(a_scene_is_one_of_one_recording),
		cmocka_unit_test(screencasts_have_a_size_and_a_speed),
		cmocka_unit_test(typed_control_characters_cannot_break_an_error_line),
		cmocka_unit_test(the_self_test_stands_alone),
		cmocka_unit_test(options_that_define_the_session_are_given_once),
		cmocka_unit_test(two_values_of_a_setting_differ),
		cmocka_unit_test(a_quota_is_a_decimal_number_of_cpus),
		cmocka_unit_test(a_policy_is_one_of_five),
		cmocka_unit_test(contradictions_are_refused),
		cmocka_unit_test(the_menu_chooses_what_runs),
		cmocka_unit_test(a_terminal_is_for_the_screen_alone),
		cmocka_unit_test(help_is_given_whatever_else_is_typed),
		cmocka_unit_test(help_loses_no_end_of_a_long_text),
		cmocka_unit_test(every_name_is_a_topic_of_help),
		cmocka_unit_test(help_knows_the_words_of_other_tools),
		cmocka_unit_test(the_list_of_recordings_takes_no_names),
		cmocka_unit_test(the_command_is_quoted_for_a_shell),
		cmocka_unit_test(a_command_that_is_too_long_is_cut),
		cmocka_unit_test(sixteen_programs_are_compared_at_most),
		cmocka_unit_test(names_are_those_of_the_programs_in_their_order),
		cmocka_unit_test(a_setting_of_a_command_may_stand_before_it),
		cmocka_unit_test(habits_of_other_programs_are_answered_with_ours),
		cmocka_unit_test(several_commands_are_each_a_program),
		cmocka_unit_test(what_looks_like_a_program_is_answered_with_the_line_to_type),
		cmocka_unit_test(a_drawn_seed_is_recorded),
		cmocka_unit_test(the_first_model_is_random_by_default),
		cmocka_unit_test(quick_chooses_the_trials_itself),
		cmocka_unit_test(no_color_in_the_environment_counts_unless_empty),
		cmocka_unit_test(all_words_of_completion_are_taken),
		cmocka_unit_test(the_words_of_views_are_the_views),
		cmocka_unit_test(each_setting_has_an_effect_or_is_refused_in_each_experiment),
		cmocka_unit_test(any_command_line_is_right_or_refused),
	};

	unsetenv("NO_COLOR");
	setenv("TUIBENCH_CONFIG", "none", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
