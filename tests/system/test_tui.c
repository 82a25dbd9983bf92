/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stage/folder.h"
#include "stage/pty.h"

/* Tests of the whole program in a pseudo-terminal. */

#define ENDLESS "cpu.size=1000000000000"
/* Without warm-up runs, and in the order of the models. */
#define PLAIN "--warmup", "0", "--order", "fixed"

enum { MAX_ARGS = 32 };

struct session {
	struct pty *pty;
	char folder[FOLDER_PATH], tmp[FOLDER_PATH], log[FOLDER_PATH];
	char tmpdir[FOLDER_PATH + 16], state[FOLDER_PATH + 16]; /* as NAME=VALUE */
};

static void make_folder(struct session *session)
{
	folder_make(session->folder);
	folder_at(session->tmp, session->folder, "tmp");
	folder_at(session->log, session->folder, "lecture.csv");
	snprintf(session->tmpdir, sizeof(session->tmpdir), "TMPDIR=%s", session->tmp);
	snprintf(session->state, sizeof(session->state), "XDG_STATE_HOME=%s", session->folder);
	assert_int_equal(mkdir(session->tmp, 0700), 0);
}

static void start_program(struct session *session, const char *path, const char *const args[],
			  int rows, int cols)
{
	const char *const env[] = {session->tmpdir, session->state, "XDG_CONFIG_HOME", NULL};
	const char *argv[MAX_ARGS] = {path};

	for (size_t i = 0; args[i]; i++)
		argv[i + 1] = args[i];
	session->pty = pty_start(argv, env, rows, cols);
}

static void start(struct session *session, const char *const args[])
{
	make_folder(session);
	start_program(session, TEST_PROGRAM, args, 36, 120);
}

/* Checks what must be true after every way to end the program. */
static void expect_nothing_left(struct session *session)
{
	pty_expect_nothing_left(session->pty);
	assert_int_equal(folder_count(session->tmp), 0);
	pty_free(session->pty);
	folder_remove(session->folder);
}

static void quit(struct session *session, int status)
{
	pty_send(session->pty, "q");
	pty_expect_exit(session->pty, status);
	expect_nothing_left(session);
}

/* Returns how often the word occurs in the log. */
static size_t count_in_log(const struct session *session, const char *word)
{
	FILE *log = fopen(session->log, "r");
	char line[4096];
	size_t n = 0;

	if (!log)
		return 0;
	while (fgets(line, sizeof(line), log))
		n += strstr(line, word) != NULL;
	fclose(log);
	return n;
}

static bool has_runner(struct pty *pty, const void *arg)
{
	pid_t pids[PTY_PROCESSES];

	return pty_find(pty, "tuibench-runner", pty->session, pids) > 0;
}

static pid_t runner_of(struct session *session)
{
	pid_t pids[PTY_PROCESSES];

	assert_true(pty_wait(session->pty, has_runner, NULL));
	assert_true(pty_find(session->pty, "tuibench-runner", session->pty->session, pids) > 0);
	return pids[0];
}

static bool has_workers(struct pty *pty, const void *runner)
{
	pid_t pids[PTY_PROCESSES];

	return pty_find(pty, "tuibench-runner", *(const pid_t *)runner, pids) >= 2;
}

static void both_models_run_and_q_quits(void **state)
{
	struct session session;

	make_folder(&session);
	start_program(&session, TEST_PROGRAM,
		      (const char *const[]) {"-w", "cpu=2,io=1", "-s", "cpu.size=20000000", "-s",
					     "io.size=1M", "--trials", "2", "--log", session.log,
					     NULL},
		      36, 200); /* room for the recording's name beside warnings on a busy host */
	pty_expect(session.pty, "threads");
	pty_expect(session.pty, "processes");
	pty_expect(session.pty, "NO RESULT");
	pty_expect(session.pty, "lecture.csv");
	quit(&session, 0);
}

/* After the screen was closed, the program writes the result and the name of the recording. */
static void the_sentence_and_the_recording_are_left_behind(void **state)
{
	struct session session;

	make_folder(&session);
	start_program(&session, TEST_PROGRAM,
		      (const char *const[]) {"--tree", "3x4", "--models", "threads,processes",
					     "--trials", "2", "--warmup", "0", "--log", session.log,
					     NULL},
		      36, 200); /* wide enough for every sentence */
	pty_expect(session.pty, "NO RESULT");
	pty_send(session.pty, "q");
	pty_expect_exit(session.pty, 0);
	assert_true(pty_restored(session.pty));
	/* "[NO RESULT" or "[NO RESULT, other programs 28 %]" */
	pty_expect(session.pty, "[NO RESULT");
	pty_expect(session.pty, "(too few trials; use -n 6 or more)");
	pty_expect(session.pty, "Recorded in ");
	pty_expect(session.pty, "lecture.csv");
	expect_nothing_left(&session);
}

/* After the screen has closed, eight errors are printed, and the number of the others. */
static void check_errors(const char *trials, const char *last, const char *more)
{
	struct session session;

	make_folder(&session);
	start_program(&session, TEST_PROGRAM,
		      (const char *const[]) {"--command", "false", "--command", "true", "--warmup",
					     "0", "--trials", trials, "--no-log", "--exit", NULL},
		      36, 160);
	pty_expect_exit(session.pty, 1);
	assert_true(pty_restored(session.pty));
	pty_expect(session.pty, last);
	assert_false(pty_has(session.pty, "trial 9"));
	assert_int_equal(pty_has(session.pty, "tuibench: and "), more != NULL);
	if (more)
		pty_expect(session.pty, more);
	expect_nothing_left(&session);
}

static void eight_errors_are_left_behind_and_the_rest_is_counted(void **state)
{
	check_errors("8", "tuibench: false, trial 8: ", NULL);
	check_errors("10", "tuibench: false, trial 8: ", "tuibench: and 2 more");
}

/* Checks the screen line by line. A word that is cut at the edge would be in two lines. */
static void assert_whole_words(const struct pty *pty, const char *words)
{
	char text[4096] = "";
	size_t n = 0;

	for (int row = 0; row < pty->rows; row++) {
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s", pty_row(pty, row));
		while (n > 0 && text[n - 1] == ' ')
			n--;
		n += (size_t)snprintf(text + n, sizeof(text) - n, " ");
	}
	assert_non_null(strstr(text, words));
}

static void the_sentence_breaks_between_its_words(void **state)
{
	struct session session;

	make_folder(&session);
	start_program(&session, TEST_PROGRAM,
		      (const char *const[]) {"--tree", "3x4", "--models", "threads,processes",
					     "--trials", "2", "--warmup", "0", "--log", session.log,
					     NULL},
		      20, 44);
	pty_expect(session.pty, "NO RESULT");
	pty_send(session.pty, "q");
	pty_expect_exit(session.pty, 0);
	pty_expect(session.pty, "Recorded in ");
	assert_whole_words(session.pty, "(too few trials; use -n 6 or more)");
	expect_nothing_left(&session);
}

static void with_nothing_measured_the_recording_alone_is_named(void **state)
{
	struct session session;

	make_folder(&session);
	start_program(
		&session, TEST_PROGRAM,
		(const char *const[]) {"-w", "cpu=1", "-s", ENDLESS, "--log", session.log, NULL},
		36, 120);
	pty_expect(session.pty, "w1 cpu");
	pty_send(session.pty, "q");
	pty_expect_exit(session.pty, 0);
	pty_expect(session.pty, "Recorded in ");
	assert_false(pty_has(session.pty, "["));
	expect_nothing_left(&session);
}

static void keys_change_what_is_shown(void **state)
{
	struct session session;

	start(&session,
	      (const char *const[]) {"-w", "cpu=2", "-s", ENDLESS, PLAIN, "--no-log", NULL});
	pty_expect(session.pty, "w2 cpu");
	pty_send(session.pty, "?");
	pty_expect(session.pty, "Esc Close");
	pty_send(session.pty, "\033");
	pty_expect_gone(session.pty, "Esc Close");
	pty_expect(session.pty, "w2 cpu");
	pty_send(session.pty, "6");
	pty_expect_gone(session.pty, "w2 cpu");
	pty_send(session.pty, "1");
	pty_expect(session.pty, "w2 cpu");
	quit(&session, 0);
}

/*
 * Starts a session whose result has a cause. fork(2) copies what threads share, so threads are
 * faster in thirty trials even of a small tree. A busy machine may hide this, so try several
 * sessions.
 */
static void start_one_with_a_cause(struct session *session)
{
	for (int i = 0; i < 5; i++) {
		start(session,
		      (const char *const[]) {"--tree", "20", "--models", "threads,processes",
					     "--trials", "30", PLAIN, NULL});
		pty_expect(session->pty, "done");
		while (pty_pump(session->pty, 500))
			;
		if (pty_has(session->pty, "y Why"))
			return;
		quit(session, 0);
	}
	fail_msg("five sessions, and no cause is known of any");
}

static void y_runs_what_shows_the_cause_as_a_session_of_its_own(void **state)
{
	struct session session;
	char logs[FOLDER_PATH];

	start_one_with_a_cause(&session);
	pty_send(session.pty, "y");
	pty_expect(session.pty, "Enter runs it");
	pty_send(session.pty, "y");
	pty_expect(session.pty, "ballast=64M");
	pty_expect(session.pty, "done");
	folder_at(logs, session.folder, "tuibench");
	assert_int_equal(folder_count(logs), 2);
	assert_int_equal(session.pty->left, 0);
	pty_send(session.pty, "q");
	pty_expect_exit(session.pty, 0);
	pty_expect(session.pty,
		   "--set=ballast=0,64M"); /* for both sessions, after the screen has closed */
	assert_int_equal(session.pty->left, 1);
	expect_nothing_left(&session);
}

/* The next model's run continues. A worker that a key made crash is not a failure. */
static void x_makes_the_selected_worker_crash(void **state)
{
	struct session session;

	start(&session, (const char *const[]) {"-w", "cpu=3", "-s", ENDLESS, "--order", "fixed",
					       PLAIN, "--no-log", NULL});
	pty_expect(session.pty, "trial 1 of");
	pty_expect(session.pty, "waits"); /* the workers run: this is known when they have a core */
	pty_send(session.pty, "x");
	pty_expect(session.pty, "Press x again to crash w1 cpu (SIGSEGV), or any other key");
	pty_send(session.pty, "2");
	pty_expect_gone(session.pty, "x again");
	pty_send(session.pty, "\033[Bx");
	pty_expect(session.pty, "Press x again to crash w2 cpu");
	pty_send(session.pty, "x");
	pty_expect(session.pty, "w2 cpu crashes. The end of the run shows");
	pty_send(session.pty, "6");
	pty_expect(session.pty, "w2 cpu was made to crash (x): 0 of 3 workers survived");
	quit(&session, 0);
}

static void a_signal_ends_the_session_that_followed(void **state)
{
	struct session session;

	start(&session, (const char *const[]) {"--speed", "1000", "--replay",
					       TEST_DATA "/recordings-cause/tree.csv", NULL});
	pty_expect(session.pty, "y Why");
	pty_send(session.pty, "y");
	pty_expect(session.pty, "Enter runs it");
	pty_send(session.pty, "y");
	assert_true(pty_wait(session.pty, has_runner, NULL));
	kill(session.pty->pid, SIGTERM);
	pty_expect_exit(session.pty, 128 + SIGTERM);
	expect_nothing_left(&session);
}

/*
 * The options of the file are on the screen and in the recording, so that the session can be
 * repeated without the file.
 */
static void a_file_of_options_is_as_if_typed(void **state)
{
	struct session session;
	char file[FOLDER_PATH], home[FOLDER_PATH + 16];
	const char *const env[] = {session.tmpdir, session.state, home, "TUIBENCH_CONFIG", NULL};
	const char *const argv[] = {TEST_PROGRAM, "-t", "4x4", "--log", session.log, NULL};

	make_folder(&session);
	snprintf(home, sizeof(home), "XDG_CONFIG_HOME=%s", session.folder);
	folder_write(folder_at(file, session.folder, "tuibench/config"),
		     "ascii = yes\nview = memory\ncaptions = on\nhold = yes\ntrials = 2\nworkers = "
		     "cpu=3\n");
	session.pty = pty_start(argv, env, 24, 80);
	pty_expect(session.pty, "Ready: Space starts the first run.");
	pty_send(session.pty, " ");
	pty_expect(session.pty, "done");
	pty_expect(session.pty, "+- median peak -");
	pty_expect(session.pty, "Bars are median peaks");
	pty_send(session.pty, "q");
	pty_expect_exit(session.pty, 0);
	pty_expect_nothing_left(session.pty);
	pty_free(session.pty);
	assert_int_equal(count_in_log(&session, "--trials=2 --hold --config=none"), 1);
	assert_int_equal(count_in_log(&session, "cpu=3"), 0);
	folder_write(file, "ascii = yes\nviews = memory\n");
	session.pty = pty_start(argv, env, 24, 200);
	pty_expect(session.pty, "tuibench/config:2: views is not an option; did you mean view?");
	pty_expect_exit(session.pty, 2);
	expect_nothing_left(&session);
}

/* Keys as a terminal sends them. */
#define DOWN  "\033OB"
#define RIGHT "\033OC"

static void the_menu_runs_one_session_after_another(void **state)
{
	struct session session;
	char logs[FOLDER_PATH];

	start(&session, (const char *const[]) {"--menu", NULL});
	pty_expect(session.pty, "what to run?");
	pty_send(session.pty, DOWN DOWN RIGHT DOWN RIGHT RIGHT RIGHT RIGHT RIGHT DOWN RIGHT RIGHT);
	pty_expect(session.pty, "tuibench tree --tree 4x5x24 --trials 3");
	pty_send(session.pty, "\r");
	pty_expect(session.pty, "tree 4x5x24: 504");
	pty_expect(session.pty, "E Next: scaling");
	pty_send(session.pty, "e");
	pty_expect(session.pty, "which scale better");
	pty_send(session.pty, DOWN DOWN RIGHT DOWN RIGHT DOWN RIGHT RIGHT);
	pty_expect(session.pty, "tuibench creation -w null=50 --trials 3");
	pty_send(session.pty, "\r");
	pty_expect(session.pty, "creating a task");
	pty_expect(session.pty, "E Next: ");
	folder_at(logs, session.folder, "tuibench");
	assert_int_equal(folder_count(logs), 2);
	pty_send(session.pty, "E");
	pty_expect_gone(session.pty, "creating a task");
	assert_int_equal(session.pty->left, 0);
	assert_int_equal(folder_count(logs), 3);
	pty_send(session.pty, "q");
	pty_expect_exit(session.pty, 0);
	assert_true(pty_restored(session.pty));
	pty_expect(session.pty, "tuibench tree --tree 4x5x24 --trials 3");
	pty_free(session.pty);
	start_program(&session, TEST_PROGRAM, (const char *const[]) {"--list", NULL}, 36, 120);
	pty_expect(session.pty, "creation");
	pty_expect_exit(session.pty, 0);
	pty_expect(session.pty, "threads ");
	assert_false(pty_has(session.pty, "cut off"));
	assert_false(pty_has(session.pty, "left out"));
	expect_nothing_left(&session);
}

/* The workers go on until the user confirms. */
static void the_menu_asks_before_it_ends_what_runs(void **state)
{
	struct session session;
	char logs[FOLDER_PATH];

	start(&session, (const char *const[]) {"-w", "cpu=2", "-s", ENDLESS, PLAIN, NULL});
	pty_expect(session.pty, "w2 cpu");
	pty_send(session.pty, "e");
	pty_expect(session.pty, "what to run?");
	runner_of(&session);
	pty_send(session.pty, DOWN "\r");
	pty_expect(session.pty, "Enter again");
	pty_send(session.pty, "\033");
	pty_expect_gone(session.pty, "what to run?");
	pty_expect(session.pty, "w2 cpu");
	runner_of(&session);
	pty_send(session.pty,
		 "e" DOWN DOWN RIGHT DOWN RIGHT RIGHT RIGHT RIGHT RIGHT DOWN RIGHT RIGHT);
	pty_expect(session.pty, "--tree 4x5x24 --trials 3");
	pty_send(session.pty, "\r\r");
	pty_expect(session.pty, "E Next: scaling");
	folder_at(logs, session.folder, "tuibench");
	assert_int_equal(folder_count(logs), 2);
	quit(&session, 0);
}

/* A recording is played from the menu, and its end leads back there. */
static void the_menu_plays_recordings(void **state)
{
	struct session session;

	start(&session, (const char *const[]) {"--tree", "3x4", "--trials", "2", "--exit", NULL});
	pty_expect_exit(session.pty, 0);
	pty_free(session.pty);
	start_program(&session, TEST_PROGRAM, (const char *const[]) {"--menu", NULL}, 24, 80);
	pty_expect(session.pty, "1 recording to replay");
	pty_send(session.pty, "\033OF");
	pty_expect(session.pty, "(median of 2 trials, nothing to compare)");
	pty_expect(session.pty, "tuibench --replay");
	pty_send(session.pty, "\r");
	pty_expect(session.pty, "tuibench  tree 3x4");
	pty_send(session.pty, "e");
	pty_expect(session.pty, "what to run?");
	pty_send(session.pty, "\033");
	pty_expect_gone(session.pty, "what to run?");
	pty_expect(session.pty, "tuibench  tree 3x4");
	quit(&session, 0);
}

static void an_unplayable_recording_leaves_the_menu_open(void **state)
{
	struct session session;
	char path[FOLDER_PATH];

	make_folder(&session);
	assert_int_equal(mkdir(folder_at(path, session.folder, "tuibench"), 0700), 0);
	folder_write(folder_at(path, session.folder, "tuibench/2026-11-22T15-30-00-tree.csv"), "");
	start_program(&session, TEST_PROGRAM, (const char *const[]) {"--menu", NULL}, 24, 80);
	pty_expect(session.pty, "1 recording to replay");
	pty_send(session.pty, "\033OF\r");
	pty_expect(session.pty, "1 unreadable");
	pty_expect(session.pty, "This cannot be played: it is not a recording of tuibench");
	pty_expect(session.pty, "what to run?");
	assert_int_equal(unlink(path), 0);
	pty_send(session.pty, "\r");
	pty_expect(session.pty, "This cannot be played: No such file or directory");
	pty_send(session.pty, "q");
	pty_expect_exit(session.pty, 0);
	assert_true(pty_restored(session.pty));
	expect_nothing_left(&session);
}

/* After a stall or a paste, Enter may come before the menu was drawn. */
static void enter_runs_what_is_selected_before_it_is_drawn(void **state)
{
	struct session session;

	start(&session, (const char *const[]) {"hello", "-w", "hello=2", "-s", "size=1", "--trials",
					       "2", "--warmup", "0", "--exit", NULL});
	pty_expect_exit(session.pty, 0);
	pty_free(session.pty);
	start_program(&session, TEST_PROGRAM, (const char *const[]) {"--replay", NULL}, 24, 80);
	pty_expect(session.pty, "tuibench  2 hello");
	pty_send(session.pty, "e\r");
	pty_expect(session.pty, "tuibench  255 hello");
	pty_send(session.pty, "q");
	pty_expect_exit(session.pty, 0);
	assert_true(pty_restored(session.pty));
	pty_expect(session.pty, "tuibench hello");
	expect_nothing_left(&session);
}

static void escape_never_leaves_a_menu_without_a_session(void **state)
{
	struct session session;

	start(&session, (const char *const[]) {"--menu", NULL});
	pty_expect(session.pty, "q Quit");
	assert_false(pty_has(session.pty, "Esc"));
	pty_send(session.pty, "c");
	pty_expect(session.pty, "printed at the end");
	assert_string_equal(session.pty->copied, "dHVpYmVuY2ggLS1sZWN0dXJlIHRvdXI=");
	pty_send(session.pty, "\033");
	pty_expect_gone(session.pty, "printed at the end");
	pty_expect(session.pty, "what to run?");
	pty_send(session.pty, "q");
	pty_expect_exit(session.pty, 0);
	assert_true(pty_restored(session.pty));
	pty_expect(session.pty, "tuibench --lecture tour");
	assert_int_equal(folder_count(session.folder), 1); /* the folder for temporary files */
	expect_nothing_left(&session);
}

static void y_shows_the_command_line_and_asks(void **state)
{
	struct session session;
	char logs[FOLDER_PATH];

	start(&session, (const char *const[]) {"--speed", "0.001", "--replay",
					       TEST_DATA "/recordings-cause/tree.csv", NULL});
	pty_expect(session.pty, "tree 2x4 = 10");
	pty_send(session.pty, "y");
	pty_expect(session.pty, "y works at the end of the recording");
	pty_send(session.pty, "\033OF"); /* End */
	pty_expect(session.pty, "y Why");
	pty_send(session.pty, "y");
	pty_expect(session.pty, "$ tuibench --tree=");
	pty_expect(session.pty, "--set=ballast=0,64M");
	pty_expect(session.pty, "Enter runs it");
	pty_send(session.pty, "4\033");
	pty_expect_gone(session.pty, "Enter runs it");
	pty_send(session.pty, "y");
	pty_expect(session.pty, "Enter runs it");
	pty_send(session.pty, "\r");
	pty_expect(session.pty, "tree 2x4: 10 tasks, ballast=0,64M  trial");
	assert_true(pty_wait(session.pty, has_runner, NULL));
	folder_at(logs, session.folder, "tuibench");
	assert_int_equal(folder_count(logs), 1);
	quit(&session, 0);
}

static void y_says_where_it_has_nothing_to_run(void **state)
{
	struct session session;

	start(&session,
	      (const char *const[]) {"-w", "cpu=1", "-s", "cpu.size=1000", "--models", "threads",
				     "--trials", "1", PLAIN, "--no-log", NULL});
	pty_expect(session.pty, "done");
	assert_false(pty_has(session.pty, "y Why"));
	pty_send(session.pty, "y");
	pty_expect(session.pty, "No follow-up experiment");
	quit(&session, 0);
}

static void a_key_that_quits_is_a_letter_while_a_name_is_typed(void **state)
{
	struct session session;

	start(&session, (const char *const[]) {"--tree", "3x4", "--models", "threads,processes",
					       "--trials", "1", "--warmup", "0", "--no-log", NULL});
	pty_expect(session.pty, "NO RESULT");
	pty_send(session.pty, "2/qt2.3");
	pty_expect(session.pty, "qt2.3");
	pty_send(session.pty, "\033");
	pty_expect_gone(session.pty, "qt2.3");
	pty_send(session.pty, "/2.3\r");
	pty_expect(session.pty, "thread 2.3");
	quit(&session, 0);
}

static void the_debug_file_has_the_decisions_of_the_screen(void **state)
{
	struct session session;
	char debug[FOLDER_PATH + 16];

	make_folder(&session);
	snprintf(debug, sizeof(debug), "TUIBENCH_DEBUG=%s", session.log);
	start_program(&session, "env",
		      (const char *const[]) {debug, TEST_PROGRAM, "-w", "cpu=2", "-s", ENDLESS,
					     PLAIN, "--no-log", NULL},
		      36, 120);
	pty_expect(session.pty, "w2 cpu");
	pty_send(session.pty, "6~");
	pty_expect_gone(session.pty, "w2 cpu");
	pty_send(session.pty, "q");
	pty_expect_exit(session.pty, 0);
	assert_int_equal(count_in_log(&session, " app: a screen"), 1);
	assert_int_equal(count_in_log(&session, " screen: TERM=xterm-256color, 256 colours"), 1);
	assert_int_equal(count_in_log(&session, " view: view 6"), 1);
	assert_int_equal(count_in_log(&session, " view: key 126 does nothing here"), 1);
	assert_int_equal(count_in_log(&session, " source: told: stop"), 1);
	expect_nothing_left(&session);
}

static void every_size_is_drawn(void **state)
{
	static const int sizes[][2] = {{24, 80}, {60, 200}, {12, 40}, {1, 1}, {36, 120}};
	struct session session;

	start(&session,
	      (const char *const[]) {"-w", "cpu=2", "-s", ENDLESS, PLAIN, "--no-log", NULL});
	pty_expect(session.pty, "threads");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		pty_resize(session.pty, sizes[i][0], sizes[i][1]);
		if (sizes[i][1] > 1)
			pty_expect(session.pty, "threads");
	}
	pty_resize(session.pty, 8, 30);
	pty_expect_gone(session.pty, "threads");
	pty_resize(session.pty, 36, 120);
	pty_expect(session.pty, "threads");
	quit(&session, 0);
}

static void hold_waits_for_space_and_exit_leaves(void **state)
{
	struct session session;

	start(&session,
	      (const char *const[]) {"-w", "cpu=1", "-s", "cpu.size=1000000", "--trials", "1",
				     "--warmup", "0", "--hold", "--exit", "--no-log", NULL});
	pty_expect(session.pty, "Space");
	pty_send(session.pty, " ");
	pty_expect_exit(session.pty, 0);
	expect_nothing_left(&session);
}

static void start_endless(struct session *session, const char *models)
{
	make_folder(session);
	start_program(session, TEST_PROGRAM,
		      (const char *const[]) {"-w", "cpu=2,io=1", "-s", ENDLESS, PLAIN, "--models",
					     models, "--log", session->log, NULL},
		      36, 120);
	runner_of(session);
	pty_expect(session->pty, "w2 cpu");
}

static void check_signal(int number)
{
	struct session session;

	start_endless(&session, "processes,threads");
	kill(session.pty->pid, number);
	pty_expect_exit(session.pty, 128 + number);
	assert_true(count_in_log(&session, "interrupted") > 0);
	expect_nothing_left(&session);
}

static void signals_end_the_run_and_are_the_status(void **state)
{
	check_signal(SIGTERM);
	check_signal(SIGHUP);
	check_signal(SIGINT);
}

static void ctrl_c_ends_the_run(void **state)
{
	struct session session;

	start_endless(&session, "threads");
	pty_send(session.pty, "\003");
	pty_expect_exit(session.pty, 130);
	expect_nothing_left(&session);
}

static void a_closed_terminal_ends_the_run(void **state)
{
	struct session session;

	start_endless(&session, "processes");
	pty_hang_up(session.pty);
	pty_expect_exit(session.pty, 129);
	expect_nothing_left(&session);
}

static void check_sigkill(const char *models)
{
	struct session session;

	start_endless(&session, models);
	kill(session.pty->pid, SIGKILL);
	assert_true(WIFSIGNALED(pty_wait_exit(session.pty)));
	expect_nothing_left(&session);
}

static void sigkill_of_the_front_end_leaves_nothing(void **state)
{
	check_sigkill("threads");
	check_sigkill("processes");
}

static void check_runner_killed(const char *models)
{
	struct session session;

	start_endless(&session, models);
	kill(runner_of(&session), SIGKILL);
	pty_send(session.pty, "6");
	pty_expect(session.pty, "tuibench-runner was ended by signal 9");
	quit(&session, 1);
}

static void sigkill_of_the_runner_is_reported_and_the_session_goes_on(void **state)
{
	check_runner_killed("threads,processes");
	check_runner_killed("processes,threads");
}

/* PIDs increase until they wrap around. */
static pid_t newer(pid_t a, pid_t b)
{
	const bool near = abs(a - b) < 10000;

	return (a > b) == near ? a : b;
}

/* Workers are joined backwards, so this one's parent notices its end first. */
static void sigkill_of_a_worker_is_reported_and_the_others_go_on(void **state)
{
	struct session session;
	pid_t runner, workers[PTY_PROCESSES];

	make_folder(&session);
	start_program(&session, TEST_PROGRAM,
		      (const char *const[]) {"-w", "cpu=2", "-s", ENDLESS, PLAIN, "--models",
					     "processes,threads", "--log", session.log, NULL},
		      36, 120);
	runner = runner_of(&session);
	assert_true(pty_wait(session.pty, has_workers, &runner));
	assert_int_equal(pty_find(session.pty, "tuibench-runner", runner, workers), 2);
	kill(newer(workers[0], workers[1]), SIGKILL);
	pty_send(session.pty, "6");
	pty_expect(session.pty, "was ended by signal 9");
	quit(&session, 1);
}

static void a_full_disk_under_the_log_is_reported(void **state)
{
	struct session session;

	start(&session, (const char *const[]) {"-w", "cpu=1", "-s", "cpu.size=1000000", "--log",
					       "/dev/full", NULL});
	pty_expect(session.pty, "No space left on device");
	quit(&session, 1);
}

static void a_closed_output_is_an_error(void **state)
{
	const char *const script = "\"$0\" -w null=1 --trials 1 --warmup 0 --no-log >&-";
	struct session session;

	make_folder(&session);
	start_program(&session, "sh", (const char *const[]) {"-c", script, TEST_PROGRAM, NULL}, 36,
		      120);
	pty_expect(session.pty, "the result could not be written");
	pty_expect_exit(session.pty, 1);
	expect_nothing_left(&session);
}

static void a_missing_runner_is_named(void **state)
{
	const char *const copy[] = {"cp", TEST_PROGRAM, NULL, NULL};
	struct session session;
	char path[FOLDER_PATH];
	struct pty *pty;

	if (access(TUIBENCH_LIBEXECDIR "/tuibench-runner", X_OK) == 0)
		skip(); /* an installed one is found */
	make_folder(&session);
	folder_at(path, session.folder, "tuibench");
	pty = pty_start((const char *const[]) {copy[0], copy[1], path, NULL}, NULL, 24, 80);
	pty_expect_exit(pty, 0);
	pty_free(pty);
	start_program(&session, path, (const char *const[]) {"--no-log", NULL}, 36, 120);
	pty_expect(session.pty, "tuibench-runner");
	pty_send(session.pty, "q");
	pty_expect_exit(session.pty, 1);
	expect_nothing_left(&session);
}

static bool has_left_the_screen(struct pty *pty, const void *arg)
{
	return !pty->alternate;
}

/* With `set -m`, a shell that runs a script gives each job a process group of its own. */
static void ctrl_z_and_fg_bring_it_back(void **state)
{
	const char *const script = "set -m; \"$0\" -w cpu=2 --no-log --warmup 0 --order fixed "
				   "-s " ENDLESS "; echo it stopped; read line; fg; exit $?";
	struct session session;

	make_folder(&session);
	start_program(&session, "sh", (const char *const[]) {"-c", script, TEST_PROGRAM, NULL}, 36,
		      120);
	pty_expect(session.pty, "w2 cpu");
	pty_send(session.pty, "\032");
	pty_expect(session.pty, "it stopped");
	assert_true(pty_wait(session.pty, has_left_the_screen, NULL));
	pty_send(session.pty, "\n");
	pty_expect(session.pty, "w2 cpu");
	quit(&session, 0);
}

static char state_of(pid_t pid)
{
	char path[64], state = '?';
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	stat = fopen(path, "r");
	if (!stat)
		return state;
	if (fscanf(stat, "%*d (%*[^)]) %c", &state) != 1)
		state = '?';
	fclose(stat);
	return state;
}

/* Whether the runner and two worker processes exist, and are all stopped (or none is). */
static bool tasks_rest(struct pty *pty, const void *rest)
{
	pid_t pids[PTY_PROCESSES];
	const size_t n = pty_find(pty, "tuibench-runner", 0, pids);
	size_t stopped = 0;

	for (size_t i = 0; i < n; i++)
		stopped += state_of(pids[i]) == 'T';
	return n == 3 && stopped == (*(const bool *)rest ? n : 0);
}

static void ctrl_z_rests_the_workers_of_a_batch_until_fg(void **state)
{
	const char *const script = "set -m; \"$0\" --batch -w cpu=2 --models processes --no-log "
				   "--warmup 0 --order fixed -s " ENDLESS
				   "; echo it stopped; read line; fg; echo ended with $?";
	const bool yes = true, no = false;
	struct session session;

	make_folder(&session);
	start_program(&session, "sh", (const char *const[]) {"-c", script, TEST_PROGRAM, NULL}, 36,
		      120);
	pty_expect(session.pty, "trial 1 of");
	assert_true(pty_wait(session.pty, tasks_rest, &no));
	pty_send(session.pty, "\032");
	pty_expect(session.pty, "it stopped");
	assert_true(pty_wait(session.pty, tasks_rest, &yes));
	pty_send(session.pty, "\n");
	assert_true(pty_wait(session.pty, tasks_rest, &no));
	pty_send(session.pty, "\003");
	pty_expect(session.pty, "ended with 130");
	pty_expect_exit(session.pty, 0);
	expect_nothing_left(&session);
}

static bool has_taken_the_screen(struct pty *pty, const void *arg)
{
	return pty->alternate;
}

/* Runs without work, so that a runner is being started much of the time. */
static void ctrl_z_stops_it_while_a_runner_starts(void **state)
{
	const char *const script = "set -m; \"$0\" -w null=1 --trials 10000 --warmup 0 "
				   "--no-log; "
				   "n=0; while echo stop $((n += 1)).; read line; do fg; done";
	struct session session;
	char text[16];

	make_folder(&session);
	start_program(&session, "sh", (const char *const[]) {"-c", script, TEST_PROGRAM, NULL}, 36,
		      120);
	for (int i = 1; i <= 40; i++) {
		assert_true(pty_wait(session.pty, has_taken_the_screen, NULL));
		pty_send(session.pty, "\032");
		snprintf(text, sizeof(text), "stop %d.", i);
		pty_expect(session.pty, text);
		pty_send(session.pty, "\n");
	}
	assert_true(pty_wait(session.pty, has_taken_the_screen, NULL));
	pty_send(session.pty, "q");
	pty_expect(session.pty, "stop 41.");
	pty_send(session.pty, "\004");
	pty_expect_exit(session.pty, 0);
	expect_nothing_left(&session);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_models_run_and_q_quits),
		cmocka_unit_test(the_sentence_and_the_recording_are_left_behind),
		cmocka_unit_test(the_sentence_breaks_between_its_words),
		cmocka_unit_test(eight_errors_are_left_behind_and_the_rest_is_counted),

		cmocka_unit_test(with_nothing_measured_the_recording_alone_is_named),
		cmocka_unit_test(keys_change_what_is_shown),
		cmocka_unit_test(y_runs_what_shows_the_cause_as_a_session_of_its_own),
		cmocka_unit_test(x_makes_the_selected_worker_crash),
		cmocka_unit_test(a_signal_ends_the_session_that_followed),
		cmocka_unit_test(a_file_of_options_is_as_if_typed),
		cmocka_unit_test(the_menu_runs_one_session_after_another),
		cmocka_unit_test(the_menu_asks_before_it_ends_what_runs),
		cmocka_unit_test(the_menu_plays_recordings),
		cmocka_unit_test(an_unplayable_recording_leaves_the_menu_open),
		cmocka_unit_test(enter_runs_what_is_selected_before_it_is_drawn),
		cmocka_unit_test(escape_never_leaves_a_menu_without_a_session),
		cmocka_unit_test(y_shows_the_command_line_and_asks),
		cmocka_unit_test(y_says_where_it_has_nothing_to_run),
		cmocka_unit_test(a_key_that_quits_is_a_letter_while_a_name_is_typed),
		cmocka_unit_test(the_debug_file_has_the_decisions_of_the_screen),
		cmocka_unit_test(every_size_is_drawn),
		cmocka_unit_test(hold_waits_for_space_and_exit_leaves),
		cmocka_unit_test(signals_end_the_run_and_are_the_status),
		cmocka_unit_test(ctrl_c_ends_the_run),
		cmocka_unit_test(a_closed_terminal_ends_the_run),
		cmocka_unit_test(sigkill_of_the_front_end_leaves_nothing),
		cmocka_unit_test(sigkill_of_the_runner_is_reported_and_the_session_goes_on),
		cmocka_unit_test(sigkill_of_a_worker_is_reported_and_the_others_go_on),
		cmocka_unit_test(a_full_disk_under_the_log_is_reported),
		cmocka_unit_test(a_closed_output_is_an_error),
		cmocka_unit_test(a_missing_runner_is_named),
		cmocka_unit_test(ctrl_z_and_fg_bring_it_back),
		cmocka_unit_test(ctrl_z_rests_the_workers_of_a_batch_until_fg),
		cmocka_unit_test(ctrl_z_stops_it_while_a_runner_starts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
