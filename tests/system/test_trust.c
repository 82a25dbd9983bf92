/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stage/folder.h"
#include "stage/pty.h"

/* Tests that files run nothing by themselves. Each payload would leave a mark: a file. */

#define SMALL "--tree 2x4 --models threads,processes --trials 1 --warmup 0"
#define NEXT  "\033[6~"

struct trust {
	struct pty *pty;
	char folder[FOLDER_PATH], mark[FOLDER_PATH], object[FOLDER_PATH], file[FOLDER_PATH];
	char state[FOLDER_PATH + 16];
};

/* Returns the exit status. */
__attribute__((format(printf, 1, 2))) static int shell(const char *format, ...)
{
	char *line;
	va_list args;
	int status;

	va_start(args, format);
	assert_true(vasprintf(&line, format, args) > 0);
	va_end(args);
	status = system(line);
	free(line);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int set_up(void **state)
{
	struct trust *trust = calloc(1, sizeof(*trust));
	char source[FOLDER_PATH], text[2 * FOLDER_PATH];

	folder_make(trust->folder);
	folder_at(trust->mark, trust->folder, "mark");
	folder_at(trust->object, trust->folder, "mark.so");
	folder_at(trust->file, trust->folder, "talk.md");
	folder_at(source, trust->folder, "mark.c");
	snprintf(trust->state, sizeof(trust->state), "XDG_STATE_HOME=%s", trust->folder);
	snprintf(text, sizeof(text),
		 "#include <fcntl.h>\n__attribute__((constructor)) static void leave(void)\n"
		 "{\n\tcreat(\"%s\", 0600);\n}\n",
		 trust->mark);
	folder_write(source, text);
	assert_int_equal(shell("cc -shared -fPIC -o %s %s", trust->object, source), 0);
	*state = trust;
	return 0;
}

static int tear_down(void **state)
{
	struct trust *trust = *state;

	folder_remove(trust->folder);
	free(trust);
	return 0;
}

static void start(struct trust *trust, int rows, int cols, const char *const args[])
{
	const char *const env[] = {trust->state, NULL};
	const char *argv[16] = {TEST_PROGRAM, "--no-mouse"};

	for (size_t i = 0; args[i]; i++)
		argv[i + 2] = args[i];
	trust->pty = pty_start(argv, env, rows, cols);
}

static bool is_marked(const struct trust *trust)
{
	return access(trust->mark, F_OK) == 0;
}

static void end(struct trust *trust, int status)
{
	pty_expect_exit(trust->pty, status);
	pty_expect_nothing_left(trust->pty);
	pty_free(trust->pty);
}

/* Replaces OBJECT and MARK by the paths of the object and the mark. */
static char *filled(const struct trust *trust, const char *text)
{
	char *out = NULL;
	size_t size;
	FILE *to = open_memstream(&out, &size);

	for (const char *c = text; *c; c++)
		if (strncmp(c, "OBJECT", 6) == 0)
			c += fprintf(to, "%s", trust->object) ? 5 : 0;
		else if (strncmp(c, "MARK", 4) == 0)
			c += fprintf(to, "%s", trust->mark) ? 3 : 0;
		else
			fputc(*c, to);
	fclose(to);
	return out;
}

/* Writes a recording with a known cause. Its command line also has these options. */
static void write_recording(const struct trust *trust, const char *path, const char *options)
{
	static const char typed[] = "tuibench --tree 2x4 --models threads,processes --trials 10";
	char *log = folder_read(TEST_DATA "/recordings-cause/tree.csv"), *at;
	char *with = filled(trust, options), *text;

	assert_non_null(log);
	at = strstr(log, typed);
	assert_non_null(at);
	*at = '\0';
	assert_true(asprintf(&text, "%stuibench " SMALL " %s%s", log, with, strchr(at + 1, '"')) >
		    0);
	folder_write(path, text);
	free(text);
	free(with);
	free(log);
}

static void press_y_at_the_end(struct trust *trust, const char *recording)
{
	start(trust, 36, 120, (const char *const[]) {"--replay", recording, NULL});
	pty_expect(trust->pty, "tree 2x4 = 10");
	pty_send(trust->pty, "\033OF"); /* End */
	pty_expect(trust->pty, "y Why");
	pty_send(trust->pty, "y");
}

static void a_recording_starts_nothing_of_its_own(void **state)
{
	static const struct {
		const char *options, *left_out;
	} rows[] = {
		{"'--set=prepare=touch MARK'", "* runs a program: '--set=prepare=touch"},
		{"--set 'prepare=touch MARK'", "* runs a program: '--set=prepare=touch"},
		{"'-sprepare=touch MARK'", "* runs a program: '--set=prepare=touch"},
		{"-s 'prepare=true,touch MARK'", "* runs a program: '--set=prepare=true"},
		{"-s env:LD_PRELOAD=OBJECT", "* sets a variable: --set=env:LD_PRELOAD="},
		{"-s env:LD_PRELOAD=-,OBJECT", "* sets a variable: --set=env:LD_PRELOAD=-,"},
	};
	struct trust *trust = *state;
	char path[FOLDER_PATH];

	folder_at(path, trust->folder, "sent.csv");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		write_recording(trust, path, rows[i].options);
		press_y_at_the_end(trust, path);
		pty_expect(trust->pty, "$ tuibench --tree=2x4 --models=threads,processes "
				       "--trials=1 --warmup=0 --set=ballast=0,64M");
		pty_expect(trust->pty, rows[i].left_out);
		pty_send(trust->pty, "\r");
		pty_expect(trust->pty, "done");
		pty_send(trust->pty, "q");
		end(trust, 0);
		assert_false(is_marked(trust));
	}
}

/*
 * strace shows that only this program is executed, and that no file named in the recording is
 * opened.
 */
static void replay_and_export_start_no_program_and_open_nothing_that_is_named(void **state)
{
	static const char *const ways[] = {"--replay",	 "-x html",    "-x trace",    "-x csv",
					   "-x workers", "-x samples", "-x slices",   "-x tasks",
					   "-x json",	 "-x table",   "-x markdown", "-x cast",
					   "-x svg",	 "-x slide",   "--list"};
	struct trust *trust = *state;
	char path[FOLDER_PATH], calls[FOLDER_PATH];

	if (shell("command -v strace >/dev/null") != 0)
		skip();
	folder_at(path, trust->folder, "tuibench/sent.csv");
	folder_at(calls, trust->folder, "calls");
	write_recording(trust, path,
			"--own OBJECT -s io-file=MARK --config MARK --log MARK "
			"-s 'prepare=touch MARK' -s env:LD_PRELOAD=OBJECT");
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		const bool list = strcmp(ways[i], "--list") == 0;
		char *log, *first;

		/* LeakSanitizer does not work under strace */
		assert_int_equal(shell("%s ASAN_OPTIONS=detect_leaks=0 strace -f -qq -e "
				       "trace=execve,execveat,openat -o %s '%s' "
				       "%s %s >/dev/null 2>&1",
				       trust->state, calls, TEST_PROGRAM, ways[i],
				       list ? "" : path),
				 0);
		log = folder_read(calls);
		assert_non_null(log);
		first = strstr(log, "execve");
		assert_non_null(first);
		assert_null(strstr(first + 1, "execve"));
		assert_null(strstr(log, trust->mark));
		assert_null(strstr(log, trust->object));
		free(log);
	}
	assert_false(is_marked(trust));
}

/* The object is not even loaded to see what it is. */
static void a_recording_of_a_program_or_an_object_is_not_offered(void **state)
{
	static const char *const options[] = {"--own OBJECT", "--own=OBJECT,1M",
					      "--command 'touch MARK'", "--comm='touch MARK'"};
	struct trust *trust = *state;
	char path[FOLDER_PATH];

	folder_at(path, trust->folder, "sent.csv");
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		write_recording(trust, path, options[i]);
		press_y_at_the_end(trust, path);
		pty_expect(trust->pty, "would run the recorded program or shared object");
		pty_send(trust->pty, "y");
		pty_send(trust->pty, "q");
		end(trust, 0);
		assert_false(is_marked(trust));
	}
}

/* Enter and y show the next page. A screen without a line of the question accepts no answer. */
static void a_question_longer_than_the_screen_must_be_read_to_its_end(void **state)
{
	struct trust *trust = *state;
	char path[FOLDER_PATH], options[2000] = "'--set=prepare=true";

	for (size_t n = strlen(options); n + 16 < sizeof(options);)
		n += (size_t)snprintf(options + n, sizeof(options) - n, "%s",
				      n % 80 ? " x" : "                ");
	strcat(options, " END'");
	folder_at(path, trust->folder, "sent.csv");
	write_recording(trust, path, options);
	press_y_at_the_end(trust, path);
	pty_expect(trust->pty, "Enter runs it"); /* 36 lines are enough for it */
	pty_expect(trust->pty, "END");
	pty_resize(trust->pty, 14, 60);
	pty_expect(trust->pty, "Enter shows the rest");
	pty_send(trust->pty, "y");
	pty_expect(trust->pty, "Enter shows the rest (");
	pty_resize(trust->pty, 3, 60);
	pty_expect(trust->pty, "Please enlarge the window");
	pty_expect_gone(trust->pty, "Enter shows the rest (");
	pty_send(trust->pty, "\r\ry");
	pty_resize(trust->pty, 14, 60);
	pty_expect(trust->pty, "Enter shows the rest (");
	pty_send(trust->pty, "\033OF"); /* End */
	pty_expect(trust->pty, "END");
	pty_expect(trust->pty, "Enter runs it");
	pty_send(trust->pty, "n");
	pty_expect_gone(trust->pty, "Enter runs it");
	pty_send(trust->pty, "q");
	end(trust, 0);
}

/* Writes a lecture of two scenes. The second one has the block. */
static void write_lecture(const struct trust *trust, const char *path, const char *block)
{
	char *text, *with = filled(trust, block);

	assert_true(asprintf(&text, "# Title\n\n# Scene\nIts caption.\n\n%s\n", with) > 0);
	folder_write(path, text);
	free(with);
	free(text);
}

static void a_lecture_says_first_what_it_uses_and_waits(void **state)
{
	static const struct {
		const char *block, *told, *word;
	} rows[] = {
		{"```tuibench\n" SMALL " -s 'prepare=touch MARK'\n```",
		 "talk.md:7 runs a program:", "--set=prepare=touch"},
		{"~~~ tuibench x=y\n\n   tuibench  --comm   'touch MARK'\n~~~",
		 "talk.md:8 runs a program:", "--command=touch"},
		{"`````tuibench\n--command 'touch MARK'\n`````",
		 "talk.md:7 runs a program:", "--command=touch"},
		{"```tui&#98;ench\n--command 'touch MARK'\n```",
		 "talk.md:7 runs a program:", "--command=touch"},
		{"```tuibench\n--own OBJECT\n```", "talk.md:7 loads a shared object:", "--own="},
		{"```tuibench\n--own=OBJECT,1M\n```", "talk.md:7 loads a shared object:", "--own="},
		{"```tuibench\n-s env:LD_PRELOAD=OBJECT\n```",
		 "talk.md:7 sets a variable:", "--set=env:LD_PRELOAD="},
		{"```tuibench\n-s env:LD_PRELOAD=-,OBJECT\n```",
		 "talk.md:7 sets a variable:", "--set=env:LD_PRELOAD=-,"},
		{"```tuibench\n-s 'prepare=true,touch MARK'\n```",
		 "talk.md:7 runs a program:", "--set=prepare=true,touch"},
		{"```tuibench\n-s io-file=/etc/passwd\n```",
		 "talk.md:7 reads a file:", "--set=io-file=/etc/passwd"},
		{"```tuibench\n--trust talk.md --command 'touch MARK'\n```",
		 "talk.md:7 trusts a file:", "--trust=talk.md"},
		{"```tuibench\n--rerun a.csv --yes\n```",
		 "talk.md:7 repeats a recording:", "--rerun=a.csv"},
	};
	struct trust *trust = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		write_lecture(trust, trust->file, rows[i].block);
		start(trust, 36, 120, (const char *const[]) {"--lecture", trust->file, NULL});
		pty_expect(trust->pty, "did not come with tuibench");
		pty_expect(trust->pty, rows[i].told);
		pty_expect(trust->pty, rows[i].word);
		pty_expect(trust->pty, "Enter begins it");
		pty_send(trust->pty, NEXT " y.ex");
		pty_expect(trust->pty, "Enter begins it");
		assert_false(is_marked(trust));
		pty_send(trust->pty, "q");
		end(trust, 1);
		assert_false(is_marked(trust));
	}
}

/* Whoever sends a lecture also chooses the name of the file. */
static void a_file_s_name_writes_no_line_of_the_question(void **state)
{
	struct trust *trust = *state;
	char path[FOLDER_PATH];

	folder_at(path, trust->folder, "a\n\n* does nothing.md");
	write_lecture(trust, path, "```tuibench\n--command 'touch MARK'\n```");
	start(trust, 36, 120, (const char *const[]) {"--lecture", path, NULL});
	pty_expect(trust->pty, "a??* does nothing.md:7 runs a program:");
	pty_send(trust->pty, "q");
	end(trust, 1);
}

static void an_accepted_question_runs_the_command(void **state)
{
	struct trust *trust = *state;

	write_lecture(trust, trust->file, "```tuibench\n" SMALL " -s 'prepare=touch MARK'\n```");
	start(trust, 24, 80, (const char *const[]) {"--lecture", trust->file, NULL});
	pty_expect(trust->pty, "Enter begins it");
	pty_send(trust->pty, "\r");
	pty_expect(trust->pty, "scene 1 of 2");
	assert_int_equal(trust->pty->left, 0); /* on the same screen */
	assert_false(is_marked(trust));
	pty_send(trust->pty, NEXT);
	pty_expect(trust->pty, "  done");
	assert_true(is_marked(trust));
	pty_send(trust->pty, "q");
	end(trust, 0);
}

/* A signal is not an answer. */
static void the_question_ends_by_a_signal(void **state)
{
	struct trust *trust = *state;

	write_lecture(trust, trust->file, "```tuibench\n--command 'touch MARK'\n```");
	start(trust, 24, 80, (const char *const[]) {"--lecture", trust->file, NULL});
	pty_expect(trust->pty, "Enter begins it");
	kill(trust->pty->pid, SIGTERM);
	end(trust, 128 + SIGTERM);
	assert_false(is_marked(trust));
}

static void trust_is_for_one_file(void **state)
{
	struct trust *trust = *state;
	char other[FOLDER_PATH];

	write_lecture(trust, trust->file, "```tuibench\n" SMALL " -s 'prepare=touch MARK'\n```");
	folder_write(folder_at(other, trust->folder, "other.md"), "# Title\n");
	start(trust, 24, 80,
	      (const char *const[]) {"--lecture", trust->file, "--trust", other, NULL});
	pty_expect(trust->pty, "--trust and --lecture name different");
	end(trust, 2);
	start(trust, 24, 80,
	      (const char *const[]) {"--lecture", trust->file, "--trust", trust->file, NULL});
	pty_expect(trust->pty, "scene 1 of 2");
	pty_send(trust->pty, NEXT);
	pty_expect(trust->pty, "  done");
	assert_true(is_marked(trust));
	pty_send(trust->pty, "q");
	end(trust, 0);
	assert_int_equal(
		shell("'%s' --lecture %s </dev/null >/dev/null 2>&1", TEST_PROGRAM, trust->file),
		2);
	assert_int_equal(
		shell("'%s' --trust %s </dev/null >/dev/null 2>&1", TEST_PROGRAM, trust->file), 2);
}

static void a_block_names_no_file_of_options(void **state)
{
	static const char *const blocks[] = {
		"```tuibench\n--config /etc/passwd\n```",
		"```tuibench\n--conf=/etc/passwd --command 'touch MARK'\n```",
		"```tuibench\n--replay a.csv --config none\n```",
	};
	struct trust *trust = *state;

	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		write_lecture(trust, trust->file, blocks[i]);
		start(trust, 24, 160,
		      (const char *const[]) {"--lecture", trust->file, "--trust", trust->file,
					     NULL});
		pty_expect(trust->pty, "talk.md:7: --config does not work in a lecture");
		end(trust, 2);
		assert_false(is_marked(trust));
	}
}

/* The option added after a block's words must not become the value of its last option. */
static void an_option_without_its_value_takes_none_of_ours(void **state)
{
	static const char *const options[] = {"-s", "--set", "--command", "--own"};
	struct trust *trust = *state;
	char block[64];

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		snprintf(block, sizeof(block), "```tuibench\n%s\n```", options[i]);
		write_lecture(trust, trust->file, block);
		start(trust, 24, 160, (const char *const[]) {"--lecture", trust->file, NULL});
		pty_expect(trust->pty, "needs a value");
		end(trust, 2);
	}
}

/* A copy of the program has its lectures beside it, like a build. */
static void a_lecture_that_came_with_it_needs_no_answer(void **state)
{
	static const char block[] = "```tuibench\n" SMALL " -s 'prepare=touch MARK'\n```";
	struct trust *trust = *state;
	char folder[FOLDER_PATH], line[2 * FOLDER_PATH];
	const char *const env[] = {trust->state, NULL};
	const struct {
		const char *name;
		bool asks;
	} rows[] = {{"mine", false},
		    {"link", true},
		    {"here", true},
		    {"./man/lectures/mine.md", true},
		    {"../bin/man/lectures/mine.md", true}};

	folder_at(folder, trust->folder, "bin");
	folder_at(line, trust->folder, "bin/man/lectures/mine.md");
	write_lecture(trust, line, block);
	folder_at(line, trust->folder, "bin/man/lectures/here.md");
	write_lecture(trust, line, block);
	folder_at(line, trust->folder, "bin/here");
	write_lecture(trust, line, block);
	write_lecture(trust, trust->file, block);
	assert_int_equal(shell("cp '%s' '%s' %s && ln -s %s %s/man/lectures/link.md", TEST_PROGRAM,
			       TEST_RUNNER, folder, trust->file, folder),
			 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *const argv[] = {"sh", "-c", line, NULL};

		snprintf(line, sizeof(line), "cd %s && exec ./tuibench --no-mouse --lecture %s",
			 folder, rows[i].name);
		trust->pty = pty_start(argv, env, 24, 80);
		pty_expect(trust->pty, rows[i].asks ? "Enter begins it" : "scene 1 of 2");
		pty_leave_lecture(trust->pty);
		end(trust, rows[i].asks);
		assert_false(is_marked(trust));
	}
}

/* The command of a scene that did not run is recorded, but only as text. */
static void a_recorded_lecture_starts_nothing(void **state)
{
	struct trust *trust = *state;
	char path[FOLDER_PATH], *log, *at, *text;

	folder_at(path, trust->folder, "held.csv");
	write_lecture(trust, trust->file, "```tuibench\n-w cpu=1 -s ballast=1000G\n```");
	start(trust, 24, 80, (const char *const[]) {"--lecture", trust->file, "--log", path, NULL});
	pty_expect(trust->pty, "scene 1 of 2");
	pty_send(trust->pty, NEXT);
	pty_expect(trust->pty, "scene 2 of 2");
	pty_send(trust->pty, "q");
	end(trust, 3);
	log = folder_read(path);
	assert_non_null(log);
	at = strstr(log, "-w cpu=1 -s ballast=1000G");
	assert_non_null(at);
	*at = '\0';
	assert_true(asprintf(&text, "%s-w own=%s%s", log, trust->object,
			     at + strlen("-w cpu=1 -s ballast=1000G")) > 0);
	folder_write(path, text);
	free(text);
	free(log);
	start(trust, 24, 80, (const char *const[]) {"--replay", path, NULL});
	pty_expect(trust->pty, "scene 1 of 2");
	pty_send(trust->pty, NEXT);
	pty_expect(trust->pty, "scene 2 of 2");
	pty_send(trust->pty, "yrq");
	pty_wait_exit(trust->pty);
	pty_expect_nothing_left(trust->pty);
	pty_free(trust->pty);
	assert_false(is_marked(trust));
}

static void rerun_shows_what_was_typed_and_asks(void **state)
{
	struct trust *trust = *state;
	char path[FOLDER_PATH], again[FOLDER_PATH], told[2 * FOLDER_PATH], *log;

	folder_at(path, trust->folder, "first.csv");
	folder_at(again, trust->folder, "again.csv");
	assert_int_equal(shell("'%s' " SMALL " --seed 77 -s 'prepare=touch %s' --log %s --batch "
			       ">/dev/null 2>&1",
			       TEST_PROGRAM, trust->mark, path),
			 0);
	assert_int_equal(unlink(trust->mark), 0);
	assert_int_equal(shell("'%s' --rerun %s </dev/null >/dev/null 2>&1", TEST_PROGRAM, path),
			 2);
	start(trust, 24, 120,
	      (const char *const[]) {"--rerun", path, "--log", again, "--exit", NULL});
	pty_expect(trust->pty, "$ tuibench --tree=2x4");
	snprintf(told, sizeof(told), "* runs a program: '--set=prepare=touch %s'", trust->mark);
	pty_expect(trust->pty, told);
	pty_expect(trust->pty, "Enter runs it");
	pty_send(trust->pty, "q");
	end(trust, 1);
	assert_false(is_marked(trust));
	assert_int_not_equal(access(again, F_OK), 0);
	start(trust, 24, 120,
	      (const char *const[]) {"--rerun", path, "--log", again, "--exit", NULL});
	pty_expect(trust->pty, "Enter runs it");
	pty_send(trust->pty, "\r");
	end(trust, 0);
	assert_true(is_marked(trust));
	log = folder_read(again);
	assert_non_null(log);
	assert_non_null(strstr(log, "--seed=77"));
	free(log);
	assert_int_equal(unlink(trust->mark), 0);
	assert_int_equal(shell("'%s' --rerun %s --yes --no-log </dev/null >/dev/null 2>&1",
			       TEST_PROGRAM, path),
			 0);
	assert_true(is_marked(trust));
}

/* A command line is repeated only if it is complete, and belongs to what was recorded. */
static void rerun_repeats_only_what_it_knows_whole(void **state)
{
	static const char *const options[] = {"--tree 2x4 ...", "-- --set=prepare=sh",
					      "--of-tomorrow", "'--set=prepare=touch MARK",
					      "--set"};
	struct trust *trust = *state;
	char path[FOLDER_PATH];

	folder_at(path, trust->folder, "sent.csv");
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		write_recording(trust, path, options[i]);
		assert_int_equal(shell("'%s' --rerun %s --yes --no-log </dev/null >/dev/null 2>&1",
				       TEST_PROGRAM, path),
				 2);
		assert_false(is_marked(trust));
	}
	assert_int_equal(
		shell("'%s' --rerun /dev/null --yes </dev/null >/dev/null 2>&1", TEST_PROGRAM), 2);
	assert_int_equal(shell("'%s' --rerun %s --yes --tree 3x4 </dev/null >/dev/null 2>&1",
			       TEST_PROGRAM, path),
			 2);
}

#define TRUST_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TRUST_TEST(a_recording_starts_nothing_of_its_own),
		TRUST_TEST(replay_and_export_start_no_program_and_open_nothing_that_is_named),
		TRUST_TEST(a_recording_of_a_program_or_an_object_is_not_offered),
		TRUST_TEST(a_question_longer_than_the_screen_must_be_read_to_its_end),
		TRUST_TEST(a_lecture_says_first_what_it_uses_and_waits),
		TRUST_TEST(a_file_s_name_writes_no_line_of_the_question),
		TRUST_TEST(an_accepted_question_runs_the_command),
		TRUST_TEST(the_question_ends_by_a_signal),
		TRUST_TEST(trust_is_for_one_file),
		TRUST_TEST(a_block_names_no_file_of_options),
		TRUST_TEST(an_option_without_its_value_takes_none_of_ours),
		TRUST_TEST(a_lecture_that_came_with_it_needs_no_answer),
		TRUST_TEST(a_recorded_lecture_starts_nothing),
		TRUST_TEST(rerun_shows_what_was_typed_and_asks),
		TRUST_TEST(rerun_repeats_only_what_it_knows_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
