/* SPDX-License-Identifier: MIT */
#include "app/options.h"

#include "stage/check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/options_complete.h"
#include "app/options_rule.h"
#include "draw/theme.h"
#include "export/export.h"
#include "view/views.h"
#include "film/film.h"

#define MAX_ARGS 24

struct parsed {
	struct options options;
	int err;
	char error[256];
};

/* Parses a command line whose words are separated by single blanks; "" after it is no word. */
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

/* The two ends of a terminal. */
static void open_terminal(int *master, int *slave)
{
	*master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(*master >= 0);
	assert_int_equal(grantpt(*master), 0);
	assert_int_equal(unlockpt(*master), 0);
	*slave = open(ptsname(*master), O_RDWR | O_NOCTTY);
	assert_true(*slave >= 0);
}

/* As parse(), where a terminal is standard input and output: what is right depends on it. */
static void parse_on_terminal(struct parsed *parsed, const char *line)
{
	int in = dup(0), out = dup(1), master, slave;

	open_terminal(&master, &slave);
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

/* Refused, with one line in which option, value and what would be right stand. */
static void refused(const char *line, const char *option, const char *value, const char *right)
{
	struct parsed p;

	parse(&p, line);
	assert_int_equal(p.err, -EINVAL);
	assert_memory_equal(p.error, option, strlen(option));
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
	assert_string_equal(p.options.request.stack_sizes, "default");
	assert_null(p.options.request.models);
	assert_int_equal(p.options.request.workers[WORK_CPU], -1);
	assert_int_equal(p.options.request.trials, 0); /* what the comparisons need */
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

	parse(&p, "-m threads,hybrid --cpu 3 --io=0 --null 1 --work-size io=1.5M --alloc 400");
	assert_int_equal(p.err, 0);
	assert_string_equal(p.options.request.models, "threads,hybrid");
	assert_int_equal(p.options.request.workers[WORK_CPU], 3);
	assert_int_equal(p.options.request.workers[WORK_IO], 0);
	assert_int_equal(p.options.request.workers[WORK_NULL], 1);
	assert_int_equal(p.options.request.work_size[WORK_IO], 1536 * 1024);
	assert_int_equal(p.options.request.work_size[WORK_CPU], 0);
	assert_int_equal(p.options.request.alloc, 400);
	parse(&p,
	      "-t 5000,50x99 --stack-size default,16K --batch-size 7 --all-alive --sweep tree=5");
	assert_int_equal(p.err, 0);
	assert_string_equal(p.options.request.tree, "5000,50x99");
	assert_string_equal(p.options.request.stack_sizes, "default,16K");
	assert_int_equal(p.options.request.batch, 7);
	assert_true(p.options.request.all_alive);
	assert_string_equal(p.options.request.sweep, "tree=5");
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
	parse(&p, "--no-log --exit --ascii --no-color --no-mouse --theme mono --pin 0,2-3");
	assert_int_equal(p.err, 0);
	assert_true(p.options.no_log && p.options.exit && p.options.ascii && p.options.no_color &&
		    p.options.no_mouse && p.options.request.pinned);
	assert_string_equal(p.options.theme, "mono");
	assert_int_equal(CPU_COUNT(&p.options.request.pin), 3);
	assert_true(CPU_ISSET(2, &p.options.request.pin));
}

static void the_last_of_a_repeated_option_counts(void **state)
{
	struct parsed p;

	parse(&p, "--cpu 1 --cpu 4 --work-size cpu=10 --work-size io=20 --work-size cpu=30");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.request.workers[WORK_CPU], 4);
	assert_int_equal(p.options.request.work_size[WORK_CPU], 30);
	assert_int_equal(p.options.request.work_size[WORK_IO], 20);
}

static void wrong_values_are_refused_with_what_is_right(void **state)
{
	static const char *const counts[] = {"--cpu", "--io", "--null"};
	static const char *const wrong[] = {"-1", "99999999999", "six", "6.5", "6x", "+6", "0x6"};
	char line[64];

	for (size_t i = 0; i < 3; i++) {
		for (size_t j = 0; j < sizeof(wrong) / sizeof(wrong[0]); j++) {
			snprintf(line, sizeof(line), "%s %s", counts[i], wrong[j]);
			refused(line, counts[i], wrong[j], "a whole number from 0 to 4000000");
		}
	}
	refused("--cpu=", "--cpu", "\"\"", "a whole number");
	refused("-n 0", "--trials", "\"0\"", "from 1 to");
	refused("--warmup -1", "--warmup", "\"-1\"", "from 0 to");
	refused("--interval 9", "--interval", "\"9\"", "from 10 to 10000");
	refused("--fps 61", "--fps", "\"61\"", "from 1 to 60");
	refused("--seed x", "--seed", "\"x\"", "a whole number");
	refused("--alloc -1", "--alloc", "\"-1\"", "a size");
	refused("--pin 3-", "--pin", "\"3-\"", "a list of CPUs");
	refused("--pin 5000", "--pin", "\"5000\"", "a list of CPUs");
	refused("--order best", "--order", "\"best\"", "random, alternate, fixed");
	refused("--format xml", "--format", "\"xml\"", "table, json, markdown, csv");
	refused("--theme neon", "--theme", "\"neon\"", theme_at(0)->name);
	refused("--batch-size 0", "--batch-size", "\"0\"", "from 1 to");
	refused("--tree=", "--tree", "\"\"", "20x3x82");
	refused("--stack-size=", "--stack-size", "\"\"", "default,16K");
	refused("--sweep=", "--sweep", "\"\"", "tree=5000,50x99");
	refused("--models=", "--models", "\"\"", "threads, processes");
	refused("--log=", "--log", "\"\"", "a file's name");
}

static void work_sizes_name_a_kind_and_more_than_nothing(void **state)
{
	static const char *const wrong[] = {"cpu=0",  "cpu=",	 "cpu",	   "=5",     "gpu=5",
					    "null=5", "cpu=-5",	 "io=10X", "io=0",   "5",
					    "mem=63", "write=7", "fp=8P",  "hello=0"};
	char line[64];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(line, sizeof(line), "--work-size %s", wrong[i]);
		refused(line, "--work-size", wrong[i], "a kind of work and an amount of it");
	}
}

static void workers_sizes_and_settings_of_every_kind_are_taken(void **state)
{
	struct parsed p;

	parse(&p, "--mem 1 --fp 2 --write 3 --hello 4 --work-size mem=64 --work-size fp=1K "
		  "--work-size hello=900 --work-size write=8");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.request.workers[WORK_MEM], 1);
	assert_int_equal(p.options.request.workers[WORK_FP], 2);
	assert_int_equal(p.options.request.workers[WORK_WRITE], 3);
	assert_int_equal(p.options.request.workers[WORK_HELLO], 4);
	assert_int_equal(p.options.request.work_size[WORK_MEM], 64);
	assert_int_equal(p.options.request.work_size[WORK_FP], 1024);
	assert_int_equal(p.options.request.work_size[WORK_WRITE], 8);
	assert_int_equal(p.options.request.work_size[WORK_HELLO], 900);
	parse(&p, "--sink file --cache once-cold --sweep workers=2..8");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.request.sink, SINK_FILE);
	assert_int_equal(p.options.request.cache, EXPERIMENT_ONCE_COLD);
	assert_string_equal(p.options.request.sweep, "workers=2..8");
	refused("--sink tty", "--sink", "tty", "pipe, file, null");
	refused("--cache hot", "--cache", "hot", "warm, cold, once-cold");
}

static void unknown_options_are_refused_with_the_nearest(void **state)
{
	refused("--trails 3", "--trails", "", "did you mean --trials?");
	refused("--no-colour", "--no-colour", "", "did you mean --no-color?");
	refused("--experimnt=mixed", "--experimnt", "", "did you mean --experiment?");
	refused("--no", "--no", "", "did you mean --no-log?");
	refused("--frobnicate", "--frobnicate", "", "--help lists them");
	refused("-z", "-z", "", "--help lists them");
	refused("-bz", "-z", "", "--help lists them");
}

static void other_arguments_and_missing_values_are_refused(void **state)
{
	refused("recording.csv", "\"recording.csv\"", "", "not an option");
	refused("foo", "\"foo\"", "nor an experiment", "--list-experiments");
	refused("-b recording.csv --cpu 3", "\"recording.csv\"", "", "not an option");
	refused("-- --cpu", "\"--cpu\"", "", "not an option");
	refused("--cpu", "--cpu", "needs a value", "a whole number");
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
	refused("--export pdf a.csv", "--export", "\"pdf\"", "trace, html, workers, samples");
	refused("--export json -n 3 a.csv", "--trials", "", "--export runs nothing");
	refused("--export json --replay a.csv", "--export", "", "leave one of them out");
	refused("--export json --format csv a.csv", "--format", "", "--export");
	refused("--output out.json", "--output", "", "is of --export");
	refused("--export json --follow a.csv", "--follow", "", "is of --replay");
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
		assert_true(p.options.zoom.times == right[i].times);
		assert_int_equal(p.options.zoom.from_ns, right[i].from_ns);
		assert_int_equal(p.options.zoom.to_ns, right[i].to_ns);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		char line[64];

		snprintf(line, sizeof(line), "--zoom=%s", wrong[i]);
		refused(strcmp(wrong[i], "1s-2 s") ? line : "--zoom=1s-2e", "--zoom", "",
			"FROM-TO");
	}
	parse(&p, "--select cpu2 --view timeline");
	assert_int_equal(p.err, 0);
	assert_string_equal(p.options.select, "cpu2");
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
	refused("--lecture a.md", "--lecture", "", "on a screen");
	refused("--lecture a.md b.md", "--lecture", "\"b.md\"", "name one");
	refused("--lecture -n 6", "--trials", "", "scenes have their own");
	refused("--lecture --replay", "--replay", "", "leave one of them out");
	refused("--lecture --self-test", "--self-test", "", "leave one of them out");
	refused("--lecture=a.md", "--lecture", "a.md", "takes no value");
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
	refused("--scene 2", "--scene", "", "is of --replay and --export");
	refused("--replay --scene 2 a.csv b.csv", "--scene", "\"b.csv\"", "name one");
	refused("--replay --follow --scene 2 a.csv", "--scene", "", "leave one of them out");
}

static void films_have_a_size_and_a_speed(void **state)
{
	struct parsed p;

	parse(&p, "-x cast --size 80x24 --speed 20 a.csv");
	assert_int_equal(p.err, 0);
	assert_string_equal(p.options.film->name, "cast");
	assert_int_equal(p.options.size.width, 80);
	assert_int_equal(p.options.size.height, 24);
	assert_true(p.options.speed_given);
	parse(&p, "-x svg-animation -x json a.csv");
	assert_null(p.options.film);
	refused("-x cast --size 80 a.csv", "--size", "\"80\"", "40x12");
	refused("-x cast --size 80x a.csv", "--size", "\"80x\"", "40x12");
	refused("-x cast --size 80x24x2 a.csv", "--size", "\"80x24x2\"", "40x12");
	refused("-x cast --size 39x24 a.csv", "--size", "\"39x24\"", "40x12");
	refused("-x cast --size 80x4294967320 a.csv", "--size", "\"80x4294967320\"", "40x12");
	refused("-x cast --size -80x24 a.csv", "--size", "\"-80x24\"", "40x12");
	refused("-x json --size 80x24 a.csv", "--size", "", "--export cast");
	refused("-x json --speed 2 a.csv", "--speed", "", "--export cast");
	refused("--format cast -b", "--format", "\"cast\"", "table");
	refused("--format html -b", "--format", "\"html\"", "--replay FILE --export html");
}

static void what_was_typed_cannot_break_the_line(void **state)
{
	struct parsed p;
	char bell[] = "--cpu=1\n\033[2J\302\233\342\200\256\377";
	char *argv[] = {"tuibench", bell, NULL};

	p.err = options_parse(&p.options, 2, argv, p.error, sizeof(p.error));
	assert_int_equal(p.err, -EINVAL);
	for (const char *c = p.error; *c; c++)
		assert_true((unsigned char)*c >= 0x20 && (unsigned char)*c < 0x7f);
}

/* It measures by runs of its own, and shows and keeps nothing else. */
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
	refused("--self-test --replay", "--self-test", "--replay", "leave one");
	refused("--replay --self-test x.csv", "--self-test", "--replay", "leave one");
	refused("--self-test --export csv", "--self-test", "--export", "leave one");
	refused("--self-test --list", "--self-test", "--list", "leave one");
	refused("--list --self-test", "--self-test", "--list", "leave one");
	refused("--self-test --trials 3", "--trials", "--self-test", "leave one");
	refused("-e hello --self-test", "--experiment", "--self-test", "leave one");
	refused("--self-test --log x.csv", "--log", "--self-test", "leave one");
	refused("--self-test --hold", "--hold", "--self-test", "leave one");
	refused("--self-test --format csv", "--format", "\"csv\"", "table, json");
	refused("--self-test x.csv", "\"x.csv\"", "is not an option", "--replay");
	refused("--self-test --speed 2", "--speed", "", "--replay");
	refused("--self-test --output x", "--output", "", "--export");
}

static void what_is_said_twice_is_refused(void **state)
{
	struct parsed p;

	refused("-e crash -e cow", "--experiment", "\"cow\"", "one too many after \"crash\"");
	refused("--sweep alloc=0,400 --alloc 3", "--sweep", "\"alloc=0,400\"", "--alloc");
	refused("--nice 5 --sweep workers=1,2 --sweep nice=0,10", "--sweep", "\"nice=0,10\"",
		"--nice");
	refused("--quota 1 --sweep quota=0.5,max", "--sweep", "\"quota=0.5,max\"", "--quota");
	refused("-e share --share 4 --sweep workers=2", "--sweep", "\"workers=2\"", "--share");
	parse(&p, "-e hello --hello 4 --cpu 2 --sweep workers=3"); /* a proportion */
	assert_int_equal(p.err, 0);
	refused("--cpu 3 --sweep cpu-workers=1,2", "--sweep", "\"cpu-workers=1,2\"", "--cpu");
	parse(&p, "--cpu 3 --sweep cpu=1000,2000"); /* how many, and what each does */
	assert_int_equal(p.err, 0);
	parse(&p, "--alloc 3 --sweep size=1000,2000 -e scaling");
	assert_int_equal(p.err, 0);
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
	struct parsed p;

	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		snprintf(line, sizeof(line), "--quota %s", right[i].text);
		parse(&p, line);
		assert_int_equal(p.err, 0);
		assert_int_equal(p.options.request.quota, right[i].thousandths);
		if (right[i].thousandths)
			assert_string_equal(experiment_quota(right[i].thousandths, text),
					    right[i].text);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(line, sizeof(line), "--quota=%s", wrong[i]);
		refused(line, "--quota", wrong[i], "from 0.01 to 1024, or max");
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
	char line[64], error[256];
	struct parsed p;

	parse(&p, "");
	assert_int_equal(experiment_policy(&p.options.request), -1);
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		snprintf(line, sizeof(line), "--policy %s", list[i].name);
		parse(&p, line);
		assert_int_equal(p.err, 0);
		assert_int_equal(experiment_policy(&p.options.request), list[i].policy);
	}
	refused("--policy deadline", "--policy", "\"deadline\"", "other, batch, idle, fifo, rr");
	parse(&p, "--policy rr --quota 0.5");
	assert_int_equal(experiment_build(&p.options.request, &experiment, error, sizeof(error)),
			 -EINVAL);
	assert_non_null(strstr(error, "--quota: a quota does not limit the policy rr"));
}

static void contradictions_are_refused(void **state)
{
	refused("--log x.csv --no-log", "--no-log", "--log", "leave one");
	refused("--log - --format json", "--format", "--log -", "log to a file");
	refused("--hold --batch", "--hold", "no screen", "leave it out");
	refused("--hold", "--hold", "no screen", "leave it out");
	refused("--vote --batch", "--vote", "covers the screen", "leave it out");
}

static void the_menu_chooses_what_runs(void **state)
{
	static const char *const kept[] = {"--menu", "--menu --no-log", "--menu -e hello --ascii"};
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
		assert_non_null(strstr(p.error, "--menu: what runs is chosen in it; leave out --"));
	}
	refused("--menu", "--menu", "no", "--list-experiments");
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

	parse(&p, "--help --cpu -1");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.action, ACTION_HELP);
	parse(&p, "--log x --no-log -V");
	assert_int_equal(p.err, 0);
	assert_int_equal(p.options.action, ACTION_VERSION);
	parse(&p, "--list-experiments");
	assert_int_equal(p.options.action, ACTION_LIST_EXPERIMENTS);
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
	refused("hello scaling", "\"hello\"", "", "name one");
	refused("hello -e mixed", "\"hello\"", "", "name one");
	refused("scalin", "\"scalin\"", "is not an experiment", "did you mean scaling?");
	refused("/dev/null", "\"/dev/null\"", "", "did you mean --replay /dev/null?");
	refused("--list folder", "\"folder\"", "", "is not an option");
	refused("--replay --list folder", "\"folder\"", "", "is not an option");
	refused("--list --frobnicate", "--frobnicate", "", "--help lists them");
}

static void the_command_is_quoted_for_a_shell(void **state)
{
	struct parsed p;
	char *argv[] = {"./build/tuibench",
			"--io-file=my file",
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
			    "tuibench '--io-file=my file' -o $'it\\'s\\011\\377.csv' "
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
	char *argv[] = {"tuibench", "-b", "-o", log, "--cpu", "3", NULL};

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
				     "('sort FILE'), of at most sixteen");
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

/* Who goes first is another from session to session, and the same where the seed is. */
static void who_goes_first_is_drawn_by_default(void **state)
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

	parse(&p, "--quick -e hello --warmup 2");
	assert_int_equal(p.err, 0);
	assert_true(p.options.request.quick);
	refused("--quick -n 8", "--quick", "", "--trials gives one");
	refused("--replay --quick a.csv", "--quick", "", "--replay runs nothing");
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

/* A value behind a word that ends in =: 100 suits most. */
static const char *value_behind(const char *word)
{
	static const char *const others[][2] = {
		{"cores=", "1"},	{"nice=", "19"},
		{"pin=", "0"},		{"io-file=", "/proc/self/exe"},
		{"stack-size=", "16K"}, {"group=", "1x9"},
		{"prepare=", "true"},
	};

	if (word[strlen(word) - 1] != '=')
		return "";
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(word, others[i][0]) == 0)
			return others[i][1];
	return "100";
}

/* What shells offer is what is taken. */
static void all_words_of_completion_are_taken(void **state)
{
	static const char *const trees[] = {"",
					    "-e mixed ",
					    "-e creation ",
					    "-e crash ",
					    "-e own ",
					    "-e tree ",
					    "-e scaling ",
					    "-e cow ",
					    "-e command ",
					    "-e switch ",
					    "-e messages ",
					    "-e share ",
					    "-e pool "};
	const struct options_rule *rule;
	size_t words = 0;

	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		const char *word;
		char buf[OPTIONS_WORD], line[128], error[256];

		for (size_t j = 0; (word = options_value_word(rule, j, buf)); j++, words++) {
			bool builds = false;

			for (size_t k = 0; k < sizeof(trees) / sizeof(trees[0]) && !builds; k++) {
				struct experiment experiment;
				struct parsed p;

				snprintf(line, sizeof(line), "%s--%s %s%s", trees[k], rule->name,
					 word, value_behind(word));
				parse(&p, line);
				assert_string_equal(p.error, "");
				builds = p.options.action != ACTION_RUN ||
					 !experiment_build(&p.options.request, &experiment, error,
							   sizeof(error));
			}
			assert_true(builds);
		}
	}
	assert_true(words > 50);
}

/* An option is offered once, by its letter or its name: the one excludes the other. */
static void zsh_offers_a_letter_or_its_name(void **state)
{
	const struct options_rule *rule;
	char *text = NULL;
	size_t size, letters = 0;
	FILE *out = open_memstream(&text, &size);

	options_zsh(out);
	fclose(out);
	assert_int_equal(strlen(text), size);
	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		char both[64];

		if (!rule->letter || rule->value == VALUE_WORK || rule->value == VALUE_SWEEP ||
		    rule->value == VALUE_ENV)
			continue;
		snprintf(both, sizeof(both), "'(-%c --%s)-", rule->letter, rule->name);
		assert_non_null(strstr(text, both));
		letters++;
	}
	assert_true(letters > 5);
	free(text);
}

static bool is_named(int number, const char *word)
{
	const struct view_ops *view;
	bool found = false;

	for (size_t i = 0; (view = views_at(i)); i++)
		found |= view->number == number && strcasecmp(view->name, word) == 0;
	return found;
}

/* The words are in the order of the views' numbers, and name them all. */
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
	for (; (word = options_value_word(rule, (size_t)words, buf)); words++)
		assert_true(is_named(words, word));
	for (size_t i = 0; (view = views_at(i)); i++)
		assert_true(view->number > 0 && view->number < words);
}

/*
 * Whose value is any text names something, or is a list of tuibench's own words: a new option is
 * asked for here.
 */
static void every_option_says_what_it_does_outside_tuibench(void **state)
{
	static const char *const own[] = {"models", "tree",	  "fault",   "via",
					  "group",  "stack-size", "ballast", "select"};
	const struct options_rule *rule;
	char sweep[64];

	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		const bool any = rule->value == VALUE_STRING || rule->value == VALUE_PROGRAM ||
				 rule->value == VALUE_ENV;
		bool named = !any;

		for (size_t k = 0; k < sizeof(own) / sizeof(*own); k++)
			named |= strcmp(rule->name, own[k]) == 0;
		if (named == (rule->outside != NULL))
			fail_msg("--%s: is it of a recording?", rule->name);
		snprintf(sweep, sizeof(sweep), "%s=a,b", rule->name);
		for (size_t k = 0; options_rule_at(k); k++)
			if (options_rule_at(k)->value == VALUE_SWEEP)
				assert_ptr_equal(options_rule_outside(options_rule_at(k), sweep),
						 rule->outside);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_option_says_what_it_does_outside_tuibench),
		cmocka_unit_test(nothing_typed_gives_the_defaults),
		cmocka_unit_test(values_are_stored),
		cmocka_unit_test(the_last_of_a_repeated_option_counts),
		cmocka_unit_test(wrong_values_are_refused_with_what_is_right),
		cmocka_unit_test(work_sizes_name_a_kind_and_more_than_nothing),
		cmocka_unit_test(workers_sizes_and_settings_of_every_kind_are_taken),
		cmocka_unit_test(unknown_options_are_refused_with_the_nearest),
		cmocka_unit_test(other_arguments_and_missing_values_are_refused),
		cmocka_unit_test(exports_take_recordings_and_nothing_of_a_run),
		cmocka_unit_test(a_zoom_is_a_factor_or_a_time),
		cmocka_unit_test(a_lecture_is_a_file_and_a_screen),
		cmocka_unit_test(a_scene_is_one_of_one_recording),
		cmocka_unit_test(films_have_a_size_and_a_speed),
		cmocka_unit_test(what_was_typed_cannot_break_the_line),
		cmocka_unit_test(the_self_test_stands_alone),
		cmocka_unit_test(what_is_said_twice_is_refused),
		cmocka_unit_test(a_quota_is_a_decimal_number_of_cpus),
		cmocka_unit_test(a_policy_is_one_of_five),
		cmocka_unit_test(contradictions_are_refused),
		cmocka_unit_test(the_menu_chooses_what_runs),
		cmocka_unit_test(a_terminal_is_for_the_screen_alone),
		cmocka_unit_test(help_is_given_whatever_else_is_typed),
		cmocka_unit_test(the_list_of_recordings_takes_no_names),
		cmocka_unit_test(the_command_is_quoted_for_a_shell),
		cmocka_unit_test(a_command_that_is_too_long_is_cut),
		cmocka_unit_test(sixteen_programs_are_compared_at_most),
		cmocka_unit_test(a_drawn_seed_is_recorded),
		cmocka_unit_test(who_goes_first_is_drawn_by_default),
		cmocka_unit_test(quick_chooses_the_trials_itself),
		cmocka_unit_test(no_color_in_the_environment_counts_unless_empty),
		cmocka_unit_test(all_words_of_completion_are_taken),
		cmocka_unit_test(zsh_offers_a_letter_or_its_name),
		cmocka_unit_test(the_words_of_views_are_the_views),
	};

	unsetenv("NO_COLOR");
	setenv("TUIBENCH_CONFIG", "none", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
