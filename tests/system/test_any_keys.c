/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stage/folder.h"
#include "stage/pty.h"
#include "stage/seed.h"

/*
 * Random keys, bytes and resizes leave a clean terminal: no crash, no process left, the terminal's
 * settings restored. Takes some seconds, or as many as TUIBENCH_FUZZ_SECONDS says.
 */

enum { MOST_ROWS = 80, MOST_COLS = 250 };

struct session {
	struct pty *pty;
	char folder[FOLDER_PATH], tmp[FOLDER_PATH], log[FOLDER_PATH];
	char tmpdir[FOLDER_PATH + 16], state[FOLDER_PATH + 16]; /* as NAME=VALUE */
};

static void open_folder(struct session *session)
{
	folder_make(session->folder);
	folder_at(session->tmp, session->folder, "tmp");
	folder_at(session->log, session->folder, "any.csv");
	snprintf(session->tmpdir, sizeof(session->tmpdir), "TMPDIR=%s", session->tmp);
	snprintf(session->state, sizeof(session->state), "XDG_STATE_HOME=%s", session->folder);
	assert_int_equal(mkdir(session->tmp, 0700), 0);
	assert_int_equal(chdir(session->folder), 0); /* so that snapshots go there */
}

static void start(struct session *session, const char *const argv[], const char *term)
{
	const char *const env[] = {session->tmpdir, session->state, "XDG_CONFIG_HOME", term, NULL};

	session->pty = pty_start(argv, env, MOST_ROWS, MOST_COLS);
	pty_expect(session->pty, "tuibench");
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Each of four sessions gets its share of the time. */
static double budget(void)
{
	const char *given = getenv("TUIBENCH_FUZZ_SECONDS");

	return (given ? atof(given) : 6) / 4;
}

/* Keys that quit, send a signal, or stop the terminal. Other tests send them. */
static bool forbidden(char byte)
{
	return !byte || strchr("q\003\023\032\034\021", byte);
}

static void random_text(char *text, size_t size)
{
	static const char keys[] = "123456?h\t r<>[].,+-=m/nNocklLzZ*fywtsvpixeeE\n\r\r";
	static const char *const sequences[] = {
		"\033[A", "\033[B", "\033[C",  "\033[D",   "\033[5~",	      "\033[6~", "\033[H",
		"\033[F", "\033",   "\033[4~", "\033[99~", "\033]11;q\033\\", "\033OP",	 "\033[I"};
	size_t n = (size_t)random() % (size - 40), at = 0;

	while (at < n) {
		int kind = (int)(random() % 8);

		if (kind < 4)
			text[at++] = keys[(size_t)random() % (sizeof(keys) - 1)];
		else if (kind < 6)
			at += (size_t)sprintf(text + at, "%s", sequences[random() % 14]);
		else if (kind < 7)
			at += (size_t)sprintf(text + at, "\033[<%d;%d;%dM",
					      (int)(random() % 3 ? 0 : 64 + random() % 2),
					      (int)(random() % 130), (int)(random() % 40));
		else
			text[at++] = (char)random();
	}
	text[at] = '\0';
	for (size_t i = 0; i < at; i++)
		if (forbidden(text[i]))
			text[i] = ' ';
}

/*
 * Resizes only the terminal: libvterm keeps its size, because it crashes on a frame of the earlier
 * size.
 */
static void random_size(struct pty *pty)
{
	static const unsigned short rows[] = {1, 3, 12, 20, 24, 36, 50, MOST_ROWS};
	static const unsigned short cols[] = {1, 20, 40, 64, 80, 120, 200, MOST_COLS};
	struct winsize size = {.ws_row = rows[random() % 8], .ws_col = cols[random() % 8]};

	assert_int_equal(ioctl(pty->master, TIOCSWINSZ, &size), 0);
}

/*
 * Sends random keys until that time. The program may quit earlier, because the keys may contain
 * F10, or a click on Quit and Enter.
 */
static void annoy(struct session *session, double until)
{
	char text[120];

	while (!session->pty->ended && seconds() < until) {
		if (random() % 4)
			random_text(text, sizeof(text));
		else
			text[0] = '\0';
		if (random() % 8 == 0)
			random_size(session->pty);
		pty_send(session->pty, text);
		pty_pump(session->pty, (int)(random() % 30));
	}
}

/* Esc closes a search, which would take q as a letter. Esc and q at once would be read as Alt-q. */
static void leave(struct session *session)
{
	int status;

	for (int i = 0; i < 1000 && !session->pty->ended; i++) {
		pty_send(session->pty, i % 2 ? "qq" : "\033");
		for (int j = 0; j < 10 && !session->pty->ended; j++)
			pty_pump(session->pty, 20);
	}
	status = pty_wait_exit(session->pty);
	if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
		pty_show(session->pty);
	assert_true(WIFEXITED(status));
	assert_in_range(WEXITSTATUS(status), 0, 1);
	pty_expect_nothing_left(session->pty);
	assert_int_equal(folder_count(session->tmp), 0);
	pty_free(session->pty);
}

static void annoy_again(struct session *session, const char *const argv[])
{
	static const char *const terms[] = {"TERM=xterm-256color", "TERM=vt100", "TERM=linux",
					    "TERM=screen"};
	const double until = seconds() + budget();

	do {
		start(session, argv, terms[random() % 4]);
		annoy(session, until);
		leave(session);
	} while (seconds() < until);
}

/*
 * A lecture with every kind of scene: a slide, a run, the same run again, words, recordings that
 * are missing and found, and a vote.
 */
static const char lecture[] =
	"# Any\n\nWords.\n\n- Notes.\n\n## Run\n```tuibench\n--tree 4x40 -m threads,processes "
	"--trials 3\n```\n## Again\n```tuibench\n--replay --view timeline --zoom 0-1ms --select 2\n"
	"```\n## Words\n\nMore words.\n\n## Missing\n```tuibench\n--replay missing.csv\n```\n"
	"## Played\n```tuibench\n--replay any.csv\n```\n## Vote\n```tuibench\n--tree 10 --vote "
	"--hold --models threads,processes\n```\n";

static void any_keys_bytes_and_sizes_leave_a_clean_terminal(void **state)
{
	struct session session;
	const char *const made[] = {TEST_PROGRAM, "--batch", "--tree",	  "4x40", "--trials",
				    "3",	  "--log",   session.log, NULL};
	const char *const live[] = {
		TEST_PROGRAM, "--tree", "4x40",	    "--models", "threads,processes",
		"--trials",   "3",	"--no-log", NULL};
	const char *const again[] = {TEST_PROGRAM, "--replay", session.log, NULL};
	const char *const swept[] = {TEST_PROGRAM, "hello", "-s",	"size=1,2",
				     "--trials",   "200",   "--no-log", NULL};

	const char *const given[] = {TEST_PROGRAM, "--lecture", "any.md", "--no-log", NULL};

	seed_random();
	open_folder(&session);
	folder_write("any.md", lecture);
	start(&session, made, NULL);
	pty_expect_exit(session.pty, 0);
	pty_free(session.pty);
	annoy_again(&session, live);
	annoy_again(&session, again);
	annoy_again(&session, swept);
	annoy_again(&session, given);
	assert_int_equal(chdir("/"), 0);
	folder_remove(session.folder);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_keys_bytes_and_sizes_leave_a_clean_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
