/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stage/folder.h"
#include "stage/pty.h"
#include "stage/record.h"

/*
 * Recordings on the real screen, from files and through pipes. The shell's scripts have the
 * program as $0, their folder as $1, and the bytes of the log up to its cut as $2.
 */

struct place {
	char folder[FOLDER_PATH], log[FOLDER_PATH];
	long cut; /* bytes of the log: the cut is inside a line of its first measured trial */
	struct pty *pty;
};

static void record(const char *path, uint32_t trials)
{
	struct synthetic session;

	synthetic_mixed(&session, trials);
	record_file(path, &session);
}

static int set_up(void **state)
{
	struct place *place = calloc(1, sizeof(*place));
	char *text;
	const char *at;

	assert_non_null(place);
	folder_make(place->folder);
	record(folder_at(place->log, place->folder, "log.csv"), 2);
	text = folder_read(place->log);
	assert_non_null(text);
	at = strstr(text, "\nbegin,");
	assert_non_null(at);
	place->cut = at - text + 1000;
	free(text);
	*state = place;
	return 0;
}

static int tear_down(void **state)
{
	struct place *place = *state;

	if (place->pty) {
		pty_expect_nothing_left(place->pty);
		pty_free(place->pty);
	}
	folder_remove(place->folder);
	free(place);
	return 0;
}

static void start(struct place *place, const char *script)
{
	char state[FOLDER_PATH + 16], cut[24];
	const char *const argv[] = {"sh", "-c", script, TEST_PROGRAM, place->folder, cut, NULL};

	snprintf(cut, sizeof(cut), "%ld", place->cut);
	snprintf(state, sizeof(state), "XDG_STATE_HOME=%s", place->folder);
	place->pty = pty_start(argv, (const char *const[]) {state, NULL}, 36, 120);
}

/*
 * Whether the text is a bar of a lifetime, or of times on a core: full, partly on a core, waiting.
 */
static bool is_bar(const char *text)
{
	static const char *const inks[] = {"━", "█", "░", "▁", "▂", "▃", "▄", "▅", "▆", "▇"};

	for (size_t i = 0; i < sizeof(inks) / sizeof(inks[0]); i++)
		if (strstr(text, inks[i]))
			return true;
	return false;
}

/*
 * Whether the worker's lane on the Overview has a part of a bar. The lane has two rows, and a
 * worker that is on a core for less than half of the time fills only the lower one.
 */
static bool has_bar(struct pty *pty, const void *worker)
{
	for (int row = 0; row + 1 < pty->rows; row++) {
		if (!strstr(pty_row(pty, row), worker))
			continue;
		if (is_bar(pty_row(pty, row)) || is_bar(pty_row(pty, row + 1)))
			return true;
	}
	return false;
}

static void expect_bar(struct place *place, const char *worker)
{
	if (!pty_wait(place->pty, has_bar, worker)) {
		pty_show(place->pty);
		fail_msg("never seen at work: %s", worker);
	}
}

/* Copies the file's bytes from `from` on. */
static void copy_from(const char *path, off_t from, int to)
{
	char bytes[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	assert_true(fd >= 0);
	while ((n = pread(fd, bytes, sizeof(bytes), from)) > 0) {
		assert_int_equal(write(to, bytes, (size_t)n), n);
		from += n;
	}
	close(fd);
}

#define ENDLESS                                                                                    \
	"-w cpu=2 -s cpu.size=1000000000000 --models threads --interval 20 --trials 6 "            \
	"--warmup 0"

static void a_run_is_seen_live_through_a_pipe_with_keys_from_the_terminal(void **state)
{
	struct place *place = *state;

	start(place, "\"$0\" --batch --log - " ENDLESS " | \"$0\" --replay -");
	pty_expect(place->pty, "trial 1 of 6");
	expect_bar(place, "w2 cpu");
	pty_expect(place->pty, "Space Pause");
	pty_send(place->pty, " ");
	pty_expect(place->pty, "Space Play");
	pty_send(place->pty, "4");
	pty_expect(place->pty, "all runs");
	pty_send(place->pty, "q");
	/* the writer, which would never end, ends with its reader */
	pty_expect_exit(place->pty, 0);
}

static void the_writer_ends_as_by_sigpipe_and_says_nothing(void **state)
{
	struct place *place = *state;

	start(place, "{ \"$0\" --batch --log - " ENDLESS "; echo \"ended by $?\" >&2; } | "
		     "head -c 20000 >/dev/null");
	pty_expect(place->pty, "ended by 141");
	pty_expect_exit(place->pty, 0);
	assert_false(pty_has(place->pty, "tuibench"));
}

static void a_program_beside_the_screen_does_not_write_to_it(void **state)
{
	struct place *place = *state;

	start(place, "\"$0\" --batch --log - -w null=1 -n 2 | \"$0\" --replay -");
	pty_expect(place->pty, "done");
	assert_false(pty_has(place->pty, "about"));
	assert_false(pty_has(place->pty, "Recorded in"));
	pty_send(place->pty, "q");
	pty_expect_exit(place->pty, 0);
}

static void a_pipe_that_closes_is_an_end(void **state)
{
	struct place *place = *state;

	start(place, "cat \"$1/log.csv\" | \"$0\" --replay -");
	pty_expect(place->pty, "done");
	pty_expect(place->pty, "standard input");
	pty_expect(place->pty, "Space Play");
	pty_send(place->pty, "6");
	pty_expect(place->pty, "messages");
	assert_false(pty_has(place->pty, "cut off"));
	pty_send(place->pty, "q");
	pty_expect_exit(place->pty, 0);
}

static void a_pipe_that_breaks_shows_what_came(void **state)
{
	struct place *place = *state;

	start(place, "head -c \"$2\" \"$1/log.csv\" | \"$0\" --replay -");
	pty_expect(place->pty, "trial 1 of 2");
	pty_send(place->pty, "6");
	pty_expect(place->pty, "cut off at");
	pty_send(place->pty, "q");
	pty_expect_exit(place->pty, 0);
}

static void a_slow_pipe_is_shown_as_it_comes(void **state)
{
	struct place *place = *state;
	char path[FOLDER_PATH];
	int fd;

	start(place, "mkfifo \"$1/pipe\"; { head -c \"$2\" \"$1/log.csv\"; cat \"$1/pipe\"; } | "
		     "\"$0\" --replay -");
	/* the line is incomplete, and the rest is still to come */
	pty_expect(place->pty, "trial 1 of 2");
	fd = open(folder_at(path, place->folder, "pipe"), O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	pty_send(place->pty, "4");
	pty_expect(place->pty, "all runs");
	copy_from(place->log, place->cut, fd);
	close(fd);
	pty_expect(place->pty, "done");
	pty_send(place->pty, "q");
	pty_expect_exit(place->pty, 0);
}

/* Returns the PID in the file; 0: none yet. */
static pid_t read_pid(const char *path)
{
	FILE *file = fopen(path, "r");
	int pid = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%d", &pid) != 1)
		pid = 0;
	fclose(file);
	return pid;
}

/* The shell writes its PID and then becomes the writer. */
#define WRITER                                                                                     \
	"sh -c 'echo $$ >\"$1/pid\"; exec \"$0\" --batch --log - " ENDLESS " -n 1' \"$0\" \"$1\""

static pid_t writer_of(const struct place *place)
{
	char path[FOLDER_PATH];

	return read_pid(folder_at(path, place->folder, "pid"));
}

static pid_t runner_of(const struct place *place)
{
	const pid_t writer = writer_of(place);
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", writer, writer);
	return read_pid(path);
}

static bool has_runner(struct pty *pty, const void *arg)
{
	const struct place *place = arg;

	return writer_of(place) > 0 && runner_of(place) > 0;
}

static void a_failed_run_is_reported_once_where_the_log_is_followed(void **state)
{
	struct place *place = *state;

	start(place, "{ " WRITER "; echo \"then $?\" >\"$1/status\"; } | \"$0\" --replay -; "
		     "cat \"$1/status\"");
	assert_true(pty_wait(place->pty, has_runner, place));
	assert_int_equal(kill(runner_of(place), SIGKILL), 0);
	pty_expect(place->pty, "was ended by signal 9");
	assert_false(pty_has(place->pty, "tuibench:"));
	pty_send(place->pty, "q");
	pty_expect_exit(place->pty, 0);
	pty_expect(place->pty, "then 1");
}

static void a_writer_that_is_killed_leaves_all_that_it_measured(void **state)
{
	struct place *place = *state;

	start(place, WRITER " | \"$0\" --replay -");
	pty_expect(place->pty, "w2 cpu");
	assert_int_equal(kill(writer_of(place), SIGKILL), 0);
	pty_send(place->pty, "6");
	pty_expect(place->pty, "cut off at");
	pty_send(place->pty, "4");
	pty_expect(place->pty, "all runs");
	pty_send(place->pty, "q");
	pty_expect_exit(place->pty, 0);
}

static void a_file_that_grows_is_shown_to_its_end(void **state)
{
	struct place *place = *state;
	char path[FOLDER_PATH];
	int fd;

	start(place, "head -c \"$2\" \"$1/log.csv\" >\"$1/part\"; "
		     "\"$0\" --replay \"$1/part\" --follow");
	pty_expect(place->pty, "trial 1 of 2");
	fd = open(folder_at(path, place->folder, "part"), O_WRONLY | O_APPEND | O_CLOEXEC);
	assert_true(fd >= 0);
	copy_from(place->log, place->cut, fd);
	close(fd);
	pty_expect(place->pty, "done");
	pty_send(place->pty, "q");
	pty_expect_exit(place->pty, 0);
}

static void exit_leaves_at_the_end_of_a_replay(void **state)
{
	struct place *place = *state;

	start(place, "\"$0\" --replay \"$1/log.csv\" --speed 1000 --exit");
	pty_expect_exit(place->pty, 0);
}

static void the_newest_is_played_where_none_is_named(void **state)
{
	struct place *place = *state;
	char folder[FOLDER_PATH], path[FOLDER_PATH];

	assert_int_equal(mkdir(folder_at(folder, place->folder, "tuibench"), 0700), 0);
	record(folder_at(path, folder, "2026-01-01T00-00-00-mixed.csv"), 1);
	record(folder_at(path, folder, "2026-01-02T00-00-00-mixed.csv"), 3);
	start(place, "\"$0\" --replay");
	pty_expect(place->pty, "of 3");
	pty_expect(place->pty, "2026-01-02");
	pty_send(place->pty, "q");
	pty_expect_exit(place->pty, 0);
}

static void two_recordings_stand_side_by_side(void **state)
{
	struct place *place = *state;

	start(place, "sed 's/\\(machine.host,*\\)[^,]*/\\1laptop/' \"$1/log.csv\" >\"$1/b.csv\"; "
		     "\"$0\" --replay \"$1/log.csv\" \"$1/b.csv\" --speed 1000");
	pty_expect(place->pty, "threads @laptop");
	pty_send(place->pty, "4");
	pty_expect(place->pty, "The recordings differ in host");
	pty_send(place->pty, "q");
	pty_expect_exit(place->pty, 0);
}

static void anything_but_a_recording_is_refused_before_the_screen_opens(void **state)
{
	struct place *place = *state;

	start(place, "\"$0\" --replay /dev/null/x; echo \"status $?\"; : >\"$1/empty\"; "
		     "\"$0\" --replay \"$1/empty\"; echo \"then $?\"");
	pty_expect(place->pty, "status 2");
	pty_expect(place->pty, "it is not a recording of tuibench");
	pty_expect(place->pty, "then 2");
	pty_expect_exit(place->pty, 0);
}

/* A device and a pipe are read only after the screen has opened. */
static void anything_but_a_recording_has_one_exit_status(void **state)
{
	struct place *place = *state;

	start(place, "for how in '--batch --replay /dev/null' '--export csv /dev/null' "
		     "'--export svg /dev/null' '--batch --replay -' '--export json -' "
		     "'--batch --replay /etc/passwd'; do \"$0\" $how </dev/null 2>/dev/null; "
		     "all=$all$?; done; \"$0\" --replay /dev/null; echo \"all $all$?.\"");
	pty_expect(place->pty, "it is not a recording of tuibench");
	pty_send(place->pty, "q");
	pty_expect(place->pty, "all 2222222.");
	pty_expect_exit(place->pty, 0);
}

#define STREAM_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		STREAM_TEST(a_run_is_seen_live_through_a_pipe_with_keys_from_the_terminal),
		STREAM_TEST(the_writer_ends_as_by_sigpipe_and_says_nothing),
		STREAM_TEST(a_program_beside_the_screen_does_not_write_to_it),
		STREAM_TEST(a_pipe_that_closes_is_an_end),
		STREAM_TEST(a_pipe_that_breaks_shows_what_came),
		STREAM_TEST(a_slow_pipe_is_shown_as_it_comes),
		STREAM_TEST(a_failed_run_is_reported_once_where_the_log_is_followed),
		STREAM_TEST(a_writer_that_is_killed_leaves_all_that_it_measured),
		STREAM_TEST(a_file_that_grows_is_shown_to_its_end),
		STREAM_TEST(exit_leaves_at_the_end_of_a_replay),
		STREAM_TEST(the_newest_is_played_where_none_is_named),
		STREAM_TEST(two_recordings_stand_side_by_side),
		STREAM_TEST(anything_but_a_recording_is_refused_before_the_screen_opens),
		STREAM_TEST(anything_but_a_recording_has_one_exit_status),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
