/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include "stage/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app.h"
#include "experiment/setting.h"
#include "write/export.h"
#include "lecture/lecture.h"
#include "stage/folder.h"
#include "stage/seed.h"

#define MAX_ARGS 16

struct parsed {
	struct options options;
	int err;
	char error[512], words[512], file[FOLDER_PATH];
};

static void parse(struct parsed *parsed, const char *line)
{
	char *argv[MAX_ARGS + 1], *rest = parsed->words;
	int argc = 0;

	snprintf(parsed->words, sizeof(parsed->words), "tuibench %s", line);
	while (rest && *rest && argc < MAX_ARGS)
		argv[argc++] = strsep(&rest, " ");
	argv[argc] = NULL;
	parsed->error[0] = '\0';
	parsed->err =
		options_parse(&parsed->options, argc, argv, parsed->error, sizeof(parsed->error));
}

/* Parses the line with a user's file that has that text. */
static void parse_with(struct parsed *parsed, const char *folder, const char *text,
		       const char *line)
{
	folder_at(parsed->file, folder, "tuibench/config");
	folder_write(parsed->file, text);
	setenv("XDG_CONFIG_HOME", folder, 1);
	unsetenv("TUIBENCH_CONFIG");
	parse(parsed, line);
}

static void taken(struct parsed *parsed, void **state, const char *text, const char *line)
{
	parse_with(parsed, *state, text, line);
	assert_string_equal(parsed->error, "");
	assert_int_equal(parsed->err, 0);
}

/* The text is refused with an error that has the file, the line's number and the reason. */
static void refused(void **state, const char *text, int number, const char *reason)
{
	struct parsed p;
	char expected[512];

	parse_with(&p, *state, text, "--batch");
	snprintf(expected, sizeof(expected), "%s:%d: %s", p.file, number, reason);
	assert_string_equal(p.error, expected);
	assert_int_equal(p.err, -EINVAL);
}

/*
 * Like refused(), but compares only how the reason begins, because its end depends on the machine.
 */
static void refused_by_machine(void **state, const char *text, int err, const char *reason)
{
	struct parsed p;
	char expected[512];

	parse_with(&p, *state, text, "--batch");
	snprintf(expected, sizeof(expected), "%s:1: %s", p.file, reason);
	assert_int_equal(p.err, err);
	assert_memory_equal(p.error, expected, strlen(expected));
}

static void lines_are_options(void **state)
{
	struct parsed p;

	taken(&p, state,
	      "\xef\xbb\xbf# looks\r\ntheme = light ; for the beamer\r\n\r\n  fps=20\r\n"
	      "\tascii : yes\nno-color = no\n; work\nset.io-file = /proc/self/exe # the program\n"
	      "set.cpu.size = 7\nset.alloc = 0,400\norder = fixed\nno-log = on\nwarmup = 3",
	      "");
	assert_string_equal(p.options.theme, "light");
	assert_int_equal(p.options.fps, 20);
	assert_true(p.options.ascii && p.options.no_log);
	assert_false(p.options.no_color);
	assert_string_equal(p.options.request.settings[0], "io-file=/proc/self/exe");
	assert_string_equal(p.options.request.settings[1], "cpu.size=7");
	assert_string_equal(p.options.request.settings[2], "alloc=0,400");
	assert_null(p.options.request.settings[3]);
	assert_int_equal(p.options.request.order, ORDER_FIXED);
	assert_int_equal(p.options.request.warmup, 3);
	taken(&p, state, "set.env:A:B = x=y", "");
	assert_string_equal(p.options.request.settings[0], "env:A:B=x=y");
	taken(&p, state, "", "");
	taken(&p, state, "# nothing", "");
}

static void typed_options_override_the_file(void **state)
{
	struct parsed p;

	taken(&p, state,
	      "trials = 9\ntheme = dark\nno-log = yes\n"
	      "set.alloc = 5\nset.cpu.size = 3\n",
	      "--trials 7 --theme light --log x.csv -s cpu.size=4");
	assert_int_equal(p.options.request.trials, 7);
	assert_string_equal(p.options.theme, "light");
	assert_string_equal(p.options.log, "x.csv");
	assert_false(p.options.no_log);
	assert_string_equal(p.options.request.settings[0], "cpu.size=4");
	assert_string_equal(p.options.request.settings[1], "alloc=5");
	assert_null(p.options.request.settings[2]);
	assert_string_equal(p.options.left_out, "set.cpu.size, trials, no-log, theme");
}

/* A default must not make a command fail that is valid without it. */
static void options_of_the_file_that_do_not_fit_the_command_are_left_out(void **state)
{
	static const char all[] =
		"trials = 9\nmodels = threads,hybrid\nhold = yes\nvote = yes\n"
		"seed = 5\nspeed = 2\nformat = csv\nset.ballast = 0,1M\nworkers = cpu=3\n"
		"set.alloc = 400\n";
	static const char *const lines[] = {"--quick",
					    "creation",
					    "hello",
					    "-t 3x3",
					    "scaling",
					    "--order fixed",
					    "--replay x.csv",
					    "--export trace x.csv",
					    "--self-test",
					    "--batch --log -",
					    "--batch --format json",
					    "--list",
					    "--help"};
	struct parsed p;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct experiment experiment;

		taken(&p, state, all, lines[i]);
		if (p.options.action == ACTION_RUN && !p.options.replay)
			assert_int_equal(experiment_build(&p.options.request, &experiment, p.error,
							  sizeof(p.error)),
					 0);
	}
	taken(&p, state, all, "--quick");
	assert_int_equal(p.options.request.trials, 0);
	assert_int_equal(p.options.request.workers[WORK_CPU], 3);
	assert_false(p.options.request.hold);
	taken(&p, state, all, "creation");
	assert_null(p.options.request.models);
	assert_int_equal(p.options.request.workers[WORK_CPU], -1);
	assert_int_equal(p.options.request.trials, 9);
	taken(&p, state, all, "--replay x.csv");
	assert_true(p.options.speed > 1.9 && p.options.speed < 2.1);
	assert_int_equal(p.options.request.trials, 0);
	taken(&p, state, "format = csv", "--self-test");
	assert_string_equal(p.options.format->name, "table");
	taken(&p, state, "tree = 2x2\nexperiment = tree\nfps = 5", "-w cpu=2");
	assert_null(p.options.request.tree);
	assert_string_equal(p.options.left_out, "experiment, tree");
	assert_string_equal(p.options.config_path, p.file);
}

/* The number of workers of one experiment does not apply to another. */
static void workers_of_the_config_file_apply_to_their_experiment_alone(void **state)
{
	static const char own[] = "workers = cpu=3\nset.workers = 2..3\nwarmup = 4\n";
	struct parsed p;

	taken(&p, state, own, "hello");
	assert_string_equal(p.options.left_out, "workers, set.workers");
	assert_int_equal(p.options.request.warmup, 4);
	taken(&p, state, own, "-s size=1,2");
	assert_string_equal(p.options.left_out, "");
	assert_int_equal(p.options.request.workers[WORK_CPU], 3);
	assert_string_equal(p.options.request.settings[1], "workers=2..3");
	taken(&p, state, own, "mixed -w io=1");
	assert_string_equal(p.options.left_out, "workers");
	assert_int_equal(p.options.request.workers[WORK_CPU], 0);
	taken(&p, state, "workers = hello=9\nexperiment = hello", "hello");
	assert_string_equal(p.options.left_out, "experiment");
	assert_int_equal(p.options.request.workers[WORK_HELLO], 9);
	taken(&p, state, "workers = hello=9\nexperiment = hello", "mixed");
	assert_int_equal(p.options.request.workers[WORK_HELLO], -1);
}

/* Root may read any file, so an ordinary user tries to. */
static void a_file_without_read_permission_is_an_error(void **state)
{
	uid_t user = geteuid();
	struct parsed p;
	char folder[FOLDER_PATH];

	taken(&p, state, "fps = 5", "");
	chmod(*state, 0755);
	chmod(folder_at(folder, *state, "tuibench"), 0755);
	chmod(p.file, 0);
	assert_int_equal(user ? 0 : seteuid(65534), 0);
	parse(&p, "");
	assert_int_equal(p.err, -EACCES);
	assert_non_null(strstr(p.error, "cannot be read: Permission denied"));
	assert_int_equal(user ? 0 : seteuid(0), 0);
	chmod(folder, 0);
	assert_int_equal(user ? 0 : seteuid(65534), 0);
	parse(&p, "");
	assert_int_equal(p.err, 0);
	assert_int_equal(user ? 0 : seteuid(0), 0);
	chmod(folder, 0755);
}

/* Options that the file added are recorded as words, so that they do not need the file. */
static void the_recorded_command_says_all(void **state)
{
	struct parsed p, again;

	taken(&p, state,
	      "quick = yes\ntheme = light\nmodels = threads,hybrid\nworkers = cpu=4\n"
	      "set.alloc = 400\n",
	      "--warmup 2");
	assert_string_equal(p.options.command,
			    "tuibench --warmup 2 --models=threads,hybrid --workers=cpu=4 "
			    "--set=alloc=400 --quick --config=none");
	taken(&again, state, "trials = 9\nworkers = mem=1",
	      p.options.command + strlen("tuibench "));
	assert_string_equal(again.options.request.models, "threads,hybrid");
	assert_int_equal(again.options.request.workers[WORK_CPU], 4);
	assert_int_equal(again.options.request.workers[WORK_MEM], 0);
	assert_string_equal(again.options.request.settings[0], "alloc=400");
	assert_int_equal(again.options.request.trials, 0);
	taken(&p, state, "theme = light", "");
	assert_string_equal(p.options.command, "tuibench");
	taken(&p, state, "order = random", "");
	assert_memory_equal(p.options.command, "tuibench --order=random --config=none --seed ", 45);
	taken(&p, state, "set.env:A = 1\nset.cpu.size = 1M,2M\nset.env:B = 2\nset.alloc = 0,400\n",
	      "");
	assert_non_null(strstr(p.options.command,
			       "--set=env:A=1 --set=cpu.size=1M,2M --set=env:B=2 "
			       "--set=alloc=0,400"));
	taken(&p, state, "set.env:A = 1\nset.env:B = 2\n", "-s env:A=3");
	assert_string_equal(p.options.command, "tuibench -s env:A=3 --set=env:B=2 --config=none");
	taken(&p, state, "set.io-file = /proc/self/../self/exe", "");
	assert_non_null(strstr(p.options.command, "--set=io-file=/proc/self/../self/exe"));
}

static void wrong_lines_are_refused_with_file_and_line(void **state)
{
	refused(state, "thme = dark", 1, "thme is not an option; did you mean theme?");
	refused(state, "\n#\n--theme = dark", 3, "--theme is not an option; did you mean theme?");
	refused(state, "frobnicate = 1", 1, "unknown option frobnicate; see --help config");
	refused(state, "fps = 10\nfps = 20", 2, "fps is already set in line 1");
	refused(state, "fps = 0", 1, "fps: \"0\" is not a whole number from 1 to 60");
	refused(state, "fps =", 1, "fps: \"\" is not a whole number from 1 to 60");
	refused(state, "theme = neon", 1, "theme: \"neon\" is not one of dark, light, mono");
	refused(state, "ascii = maybe", 1, "ascii: \"maybe\" is neither yes nor no");
	refused(state, "help = yes", 1,
		"help works only on the command line; remove it from the file");
	refused(state, "log = x.csv", 1,
		"log works only on the command line; remove it from the file");
	refused(state, "config = x", 1,
		"config works only on the command line; remove it from the file");
	refused(state, "theme\n", 1, "the line has no =; write NAME = VALUE (ascii = yes)");
	refused(state, "= dark\n", 1, "the line has no name before the =; write NAME = VALUE");
	refused(state, "\n[screen]\n", 2, "sections are not supported; write NAME = VALUE");
	refused(state, "quick = yes\ntrials = 6\n", 1,
		"quick and --trials both set the number of trials; leave one of them "
		"out");
	refused(state, "experiment = mixd", 1,
		"experiment: \"mixd\" is not an experiment; see --help experiments");
	refused(state, "alloc = 400", 1, "alloc is a setting: set.alloc = VALUE");
	refused(state, "set.allok = 400", 1, "allok is not a setting; did you mean alloc?");
	refused(state, "set.alloc = 1\nset.nice = 1\nset.alloc = 2", 3,
		"set.alloc is already set in line 1");
	refused_by_machine(state, "set.cores = 1024", -EINVAL, "cores=1024 is more than the ");
	refused_by_machine(state, "set.alloc = 1024T", -EAGAIN,
			   "alloc=1024T: does not fit into free memory");
	refused(state, "set = alloc=400", 1,
		"set needs a name: set.NAME = VALUES (set.alloc = 400)");
	refused(state, "set.alloc = x", 1, "alloc=x: \"x\" is not a size in bytes (0, 400, 64K)");
	refused(state, "set.sink = tty", 1, "sink=tty: \"tty\" is not one of pipe, file, null");
	refused(state, "set.fault = burn", 1,
		"fault=burn: \"burn\" is not segv, abort, exit, hang, oom or overrun (segv@10: "
		"after "
		"10 % of its work)");
	refused(state, "set.group = 5x500", 1,
		"group=5x500: \"5x500\" is not senders x receivers, 1 to 100 each (5x5, 1x20)");
	refused(state, "workers = gpu=2", 1,
		"workers: \"gpu=2\": expected KIND=N, such as cpu=6,io=2, N up to 4000000; the "
		"kinds are cpu, io, fp, mem, write, share, touch, hello, own, program, token, "
		"message, serve, events, "
		"null");
	refused(state, "workers = io=1\nmodels = threads,foo", 2,
		"models: \"foo\" is not a model (threads, processes, hybrid[:PxT]; also pool[:N], "
		"prefork[:N], and events[:N] of a server)");
}

static void bytes_that_are_no_text_are_refused(void **state)
{
	struct parsed p;
	char path[FOLDER_PATH], line[400], typed[FOLDER_PATH + 16];
	FILE *file = fopen(folder_at(path, *state, "bytes"), "w");

	assert_non_null(file);
	fwrite("fps = 5\nth\0eme", 1, 14, file);
	fclose(file);
	snprintf(typed, sizeof(typed), "--config %s", path);
	parse(&p, typed);
	assert_int_equal(p.err, -EINVAL);
	assert_non_null(strstr(p.error, ":2: has a NUL byte"));
	memset(line, 'x', sizeof(line));
	memcpy(line, "# ", 2);
	line[sizeof(line) - 1] = '\0';
	taken(&p, state, line, "");
	memcpy(line, "set.env:A=", 10);
	taken(&p, state, line, "");
	assert_int_equal(strlen(p.options.request.settings[0]), sizeof(line) - 1 - strlen("set."));
	refused(state, "\033[2Jx\302\233 = 1\n", 1, "unknown option ?[2Jx?; see --help config");
}

/* Text is accepted, or refused in one line that any terminal can show. */
static void any_bytes_are_taken_or_refused(void **state)
{
	static const char *const parts[] = {
		"fps",		" = ",	"=", "9", "\n",	    "\r\n",	 "#",	";",  " ",
		"ascii",	"yes",	"[", ":", "trials", "set.alloc", "400", "\t", "set.io-file",
		"\xef\xbb\xbf", "quick"};
	struct parsed p;
	char text[256];

	seed_random();
	for (int round = 0; round < 300; round++) {
		size_t n = 0;

		for (long i = random() % 20; i > 0; i--) {
			size_t left = sizeof(text) - n;

			if (random() % 8 == 0)
				n += (size_t)snprintf(text + n, left, "%c",
						      (char)(1 + random() % 255));
			else
				n += (size_t)snprintf(
					text + n, left, "%s",
					parts[(size_t)random() % (sizeof(parts) / sizeof(*parts))]);
		}
		text[n] = '\0';
		parse_with(&p, *state, text, "mixed");
		assert_true(p.err <= 0 && !p.err == !p.error[0]);
		for (const char *c = p.error; *c; c++)
			assert_true((unsigned char)*c >= 0x20 && *c != 0x7f);
	}
}

/* Reading a pipe without a writer, or endless zeros, would never end. */
static void a_file_that_is_named_must_be_one(void **state)
{
	static const char *const wrong[] = {"/", "/dev/zero", "/dev/tty", "/no/such/file"};
	char path[FOLDER_PATH], typed[FOLDER_PATH + 16];
	struct parsed p;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		snprintf(typed, sizeof(typed), "--config %s", wrong[i]);
		parse(&p, typed);
		assert_true(p.err < 0);
		assert_memory_equal(p.error, "--config: \"/", 12);
		setenv("TUIBENCH_CONFIG", wrong[i], 1);
		parse(&p, "");
		assert_true(p.err < 0);
		assert_memory_equal(p.error, "TUIBENCH_CONFIG: \"/", 19);
		unsetenv("TUIBENCH_CONFIG");
	}
	assert_int_equal(mkfifo(folder_at(path, *state, "fifo"), 0600), 0);
	snprintf(typed, sizeof(typed), "--config %s", path);
	parse(&p, typed);
	assert_non_null(strstr(p.error, "is not a regular file"));
}

static void none_and_the_null_device_have_no_options(void **state)
{
	static const char *const lines[] = {"--config none", "--config /dev/null"};
	struct parsed p;

	for (size_t i = 0; i < 2; i++) {
		taken(&p, state, "fps = 20\nbroken", lines[i]);
		assert_int_equal(p.options.fps, 10);
	}
	parse_with(&p, *state, "broken", "");
	assert_int_equal(p.err, -EINVAL);
	setenv("TUIBENCH_CONFIG", "none", 1);
	parse(&p, "");
	assert_int_equal(p.err, 0);
	unsetenv("TUIBENCH_CONFIG");
	setenv("XDG_CONFIG_HOME", "/no/such/folder", 1);
	parse(&p, "");
	assert_int_equal(p.err, 0);
}

/* --help, --version and --list work whatever the file contains. */
static void a_broken_file_is_no_bar_to_help(void **state)
{
	static const char *const lines[] = {"--help", "--version", "--help config",
					    "--help experiments", "--list"};
	struct parsed p;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		taken(&p, state, "broken", lines[i]);
}

/* Without the leading sign, each line of the default file is either valid or a comment. */
static void every_line_of_the_default_file_is_taken(void **state)
{
	char path[FOLDER_PATH], *text, *rest, *line;
	FILE *file = fopen(folder_at(path, *state, "default"), "w");
	struct parsed p;
	size_t taken_lines = 0, standing = 0;
	const struct options_rule *rule;
	char name[VARIABLE_NAME];

	assert_non_null(file);
	assert_int_equal(options_help("config", file), 0);
	fclose(file);
	text = rest = folder_read(path);
	taken(&p, state, text, "");
	while ((line = strsep(&rest, "\n"))) {
		assert_true(strlen(line) <= 88);
		assert_true(!*line || *line == '#');
		if (!*line || line[1] == ' ')
			continue;
		taken_lines++;
		/* A build machine may run its tests with a niceness that only root may lower. */
		if (strncmp(line, "#set.nice ", 10) != 0 || getpriority(PRIO_PROCESS, 0) <= 0)
			taken(&p, state, line + 1, "");
	}
	for (size_t i = 0; (rule = options_rule_at(i)); i++)
		standing += rule->standing && rule->value != VALUE_SETTING;
	for (size_t i = 0; setting_name(i, name); i++)
		standing++;
	assert_int_equal(taken_lines, standing);
	assert_true(standing > 30);
	free(text);
}

/* A line of the default file changes nothing, because it states the default. */
static void the_defaults_of_the_file_are_the_defaults(void **state)
{
	static const char *const examples[] = {"tree",	"command",    "seed",	"trials",
					       "theme", "experiment", "models", "interval"};
	struct parsed plain, p;
	const struct options_rule *rule;
	char line[128];

	taken(&plain, state, "", "--seed 1");
	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		bool example = !rule->standing || rule->value == VALUE_WORKERS ||
			       rule->value == VALUE_SETTING;

		for (size_t j = 0; j < sizeof(examples) / sizeof(examples[0]); j++)
			example |= strcmp(examples[j], rule->name) == 0;
		if (example)
			continue;
		snprintf(line, sizeof(line), "%s = %s", rule->name, rule->standing);
		taken(&p, state, line, "--seed 1");
		assert_int_equal(p.options.fps, plain.options.fps);
		assert_int_equal(p.options.looks.view, plain.options.looks.view);
		assert_int_equal(p.options.captions, plain.options.captions);
		assert_ptr_equal(p.options.format, plain.options.format);
		assert_int_equal(p.options.request.order, plain.options.request.order);
		assert_int_equal(p.options.request.warmup, plain.options.request.warmup);
		assert_true(p.options.speed == plain.options.speed);
	}
}

/* A lecture does the same on every machine, so the user's file does not apply to scenes. */
static void a_scene_takes_nothing_of_the_file(void **state)
{
	const struct lecture_scene scene = {.command = (char[]) {"tuibench --quick"}, .line = 7};
	struct lecturer_scene made;
	struct options options;
	struct parsed p;
	char error[512] = "";

	taken(&p, state, "exit = yes\nbatch = yes\nworkers = cpu=3\nset.alloc = 400\nfps = 20\n",
	      "");
	assert_true(p.options.exit);
	assert_int_equal(
		lecturer_words_make(&made, &scene, "x.md", &p.options, error, sizeof(error)), 0);
	assert_string_equal(error, "");
	assert_int_equal(
		options_parse(&options, made.words.argc, made.words.argv, error, sizeof(error)), 0);
	assert_false(options.exit);
	assert_int_equal(options.request.workers[WORK_CPU], -1);
	assert_null(options.request.settings[0]);
	assert_int_equal(options.fps, 20);
	next_free(&made.words);
}

/* The last --config counts, so a line that names a file gets no second one. */
static void the_file_is_named_once_in_what_follows(void **state)
{
	const struct options now = {.fps = OPTIONS_FPS, .config = "x.conf"};
	struct next next = {.argc = 0};

	assert_int_equal(next_add(&next, "tuibench") | next_add_now(&next, &now), 0);
	assert_string_equal(next.argv[1], "--config=x.conf");
	assert_int_equal(next_add_now(&next, &now), 0);
	assert_int_equal(next.argc, 2);
	next_free(&next);
}

static int tear_down(void **state)
{
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("TUIBENCH_CONFIG");
	return folder_tear_down(state);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, folder_set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lines_are_options),
		TEST(typed_options_override_the_file),
		TEST(options_of_the_file_that_do_not_fit_the_command_are_left_out),
		TEST(workers_of_the_config_file_apply_to_their_experiment_alone),
		TEST(a_file_without_read_permission_is_an_error),
		TEST(the_recorded_command_says_all),
		TEST(wrong_lines_are_refused_with_file_and_line),
		TEST(bytes_that_are_no_text_are_refused),
		TEST(any_bytes_are_taken_or_refused),
		TEST(a_file_that_is_named_must_be_one),
		TEST(none_and_the_null_device_have_no_options),
		TEST(a_broken_file_is_no_bar_to_help),
		TEST(every_line_of_the_default_file_is_taken),
		TEST(the_defaults_of_the_file_are_the_defaults),
		TEST(a_scene_takes_nothing_of_the_file),
		TEST(the_file_is_named_once_in_what_follows),
	};

	unsetenv("NO_COLOR");
	unsetenv("TUIBENCH_CONFIG");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
