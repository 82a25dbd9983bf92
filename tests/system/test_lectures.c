/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "draw/text.h"
#include "lecture/lecture.h"
#include "stage/folder.h"
#include "stage/pty.h"

/* Tests of lectures in a pseudo-terminal, with the keys of a presenter's remote. */

#define NEXT  "\033[6~"
#define BACK  "\033[5~"
#define SMALL "--tree 3x4 -m threads,processes --trials 2 --warmup 0"

struct talk {
	struct pty *pty;
	char folder[FOLDER_PATH], file[FOLDER_PATH], state[FOLDER_PATH + 16];
};

static void start_at_scene(struct talk *talk, const char *scene)
{
	const char *const env[] = {talk->state, NULL};
	const char *const argv[] = {TEST_PROGRAM, "--lecture", talk->file, "--scene",
				    scene,	  "--no-log",  NULL};

	talk->pty = pty_start(argv, env, 30, 160);
}

static void start_file(struct talk *talk, const char *file, int rows, int cols)
{
	const char *const env[] = {talk->state, NULL};
	const char *const argv[] = {TEST_PROGRAM, "--lecture", file,
				    "--no-mouse", "--no-log",  NULL};

	talk->pty = pty_start(argv, env, rows, cols);
}

static void make_folder(struct talk *talk)
{
	folder_make(talk->folder);
	folder_at(talk->file, talk->folder, "talk.md");
	snprintf(talk->state, sizeof(talk->state), "XDG_STATE_HOME=%s", talk->folder);
}

static void start(struct talk *talk, const char *text)
{
	make_folder(talk);
	folder_write(talk->file, text);
	start_file(talk, talk->file, 30, 160);
}

static void end(struct talk *talk, int status)
{
	pty_expect_exit(talk->pty, status);
	pty_expect_nothing_left(talk->pty);
	pty_free(talk->pty);
	folder_remove(talk->folder);
}

static void quit(struct talk *talk, int status)
{
	pty_leave_lecture(talk->pty);
	end(talk, status);
}

static bool is_started(struct pty *pty, const void *arg)
{
	return !pty_has(pty, "no run yet");
}

static void expect_scene(struct talk *talk, const struct lecture *lecture, size_t scene)
{
	char place[64];

	snprintf(place, sizeof(place), "scene %zu of %zu", scene + 1, lecture->n);
	pty_expect(talk->pty, place);
	pty_expect(talk->pty, lecture->scenes[scene].heading);
	if (*lecture->scenes[scene].command)
		assert_true(pty_wait(talk->pty, is_started, NULL));
	assert_false(pty_has(talk->pty, "cannot run"));
}

#define ASKED "still measures. Press the key again"

static bool is_left_or_asks(struct pty *pty, const void *place)
{
	return !pty_has(pty, place) || pty_has(pty, ASKED);
}

/* Leaves the scene at the place, such as "scene 2 of 5". If it still measures, by a second press.
 */
static void leave_scene(struct talk *talk, const char *place, const char *key)
{
	pty_send(talk->pty, key);
	assert_true(pty_wait(talk->pty, is_left_or_asks, place));
	if (pty_has(talk->pty, ASKED))
		pty_send(talk->pty, key);
}

/* Goes to the next scene. In a vote, the first key reveals the medians. */
static void step_on(struct talk *talk, const struct lecture *lecture, size_t scene)
{
	char place[64];

	snprintf(place, sizeof(place), "scene %zu of %zu", scene + 1, lecture->n);
	if (strstr(lecture->scenes[scene].command, "--vote")) {
		pty_send(talk->pty, NEXT);
		pty_expect(talk->pty, "the medians");
		pty_expect(talk->pty, lecture->scenes[scene].heading);
	}
	if (scene + 1 < lecture->n)
		leave_scene(talk, place, NEXT);
	else
		pty_send(talk->pty, NEXT);
}

/* Goes through a lecture with only the keys that a remote control has. */
static void give_lecture(const char *path)
{
	struct lecture lecture;
	struct talk talk;
	char error[256];

	assert_int_equal(lecture_read(path, &lecture, error, sizeof(error)), 0);
	make_folder(&talk);
	start_file(&talk, path, 24, 80);
	for (size_t i = 0; i < lecture.n; i++) {
		expect_scene(&talk, &lecture, i);
		pty_send(talk.pty, ".");
		pty_expect_gone(talk.pty, " of ");
		pty_send(talk.pty, ".");
		expect_scene(&talk, &lecture, i);
		step_on(&talk, &lecture, i);
	}
	pty_expect(talk.pty, "This is the last scene");
	pty_send(talk.pty, BACK);
	expect_scene(&talk, &lecture, lecture.n - 2);
	quit(&talk, 0);
	lecture_free(&lecture);
}

static void the_lectures_that_come_with_it_run_from_start_to_end(void **state)
{
	glob_t files;

	assert_int_equal(glob(TEST_LECTURES "/*.md", 0, NULL, &files), 0);
	assert_int_equal(files.gl_pathc, 5);
	for (size_t i = 0; i < files.gl_pathc; i++)
		give_lecture(files.gl_pathv[i]);
	globfree(&files);
}

static bool has_answer(struct pty *pty, const void *arg)
{
	return pty_has(pty, "[FASTER") || pty_has(pty, "[REAL") || pty_has(pty, "[SAME SPEED") ||
	       pty_has(pty, "[TOO CLOSE");
}

/* The last scene sums the others up. */
static void expect_answers(struct talk *talk)
{
	char place[32];

	for (int scene = 1; scene <= 4; scene++) {
		snprintf(place, sizeof(place), "scene %d of 5", scene);
		pty_expect(talk->pty, place);
		assert_true(pty_wait(talk->pty, has_answer, NULL));
		assert_false(pty_has(talk->pty, "cannot run"));
		leave_scene(talk, place, NEXT);
	}
	pty_expect(talk->pty, "Who survives a crash? No thread.");
	pty_expect(talk->pty, "of 4 survived");
	assert_false(pty_has(talk->pty, "not run"));
	pty_expect(talk->pty, "Press e for more questions");
}

static void start_alone(struct talk *talk, const char *option, int rows, int cols)
{
	const char *const argv[] = {TEST_PROGRAM, "--no-mouse", option, NULL};

	talk->pty = pty_start(argv, (const char *const[]) {talk->state, NULL}, rows, cols);
}

/* The menu begins with the tour. It needs no trust, and is recorded once. */
static void each_scene_of_the_tour_has_an_answer(void **state)
{
	struct talk talk;
	char logs[FOLDER_PATH];

	make_folder(&talk);
	start_alone(&talk, "--menu", 24, 80);
	pty_expect(talk.pty, "what to run?");
	pty_send(talk.pty, "\033[1~");
	pty_expect(talk.pty, "tuibench --lecture tour");
	pty_send(talk.pty, "\r");
	expect_answers(&talk);
	assert_int_equal(folder_count(folder_at(logs, talk.folder, "tuibench")), 1);
	pty_send(talk.pty, "e");
	pty_expect(talk.pty, "what to run?");
	pty_send(talk.pty, "\033[1~\r");
	pty_expect(talk.pty, "That is a lecture, too");
	pty_send(talk.pty, "\033");
	pty_expect_gone(talk.pty, "what to run?");
	quit(&talk, 0);
}

static void a_first_start_offers_the_tour_and_a_second_does_not(void **state)
{
	struct talk talk;

	make_folder(&talk);
	start_alone(&talk, "-wcpu=1", 36, 120);
	pty_expect(talk.pty, "e Tour");
	pty_send(talk.pty, "e");
	pty_expect(talk.pty, "tuibench --lecture tour");
	pty_send(talk.pty, "\r\r");
	pty_expect(talk.pty, "scene 1 of 5");
	pty_send(talk.pty, "q");
	pty_expect(talk.pty, "Press q again");
	pty_send(talk.pty, "q");
	pty_expect_exit(talk.pty, 0);
	pty_free(talk.pty);
	start_alone(&talk, "-wcpu=1", 36, 120);
	pty_expect(talk.pty, "e Menu");
	assert_false(pty_has(talk.pty, "e Tour"));
	quit(&talk, 0);
}

/* With an enlarged font, a screen may have only 64 columns. */
static void their_captions_fit_the_smallest_screen(void **state)
{
	struct lecture lecture;
	char error[256];
	glob_t files;

	assert_int_equal(glob(TEST_LECTURES "/*.md", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		assert_int_equal(lecture_read(files.gl_pathv[i], &lecture, error, sizeof(error)),
				 0);
		for (size_t k = 0; k < lecture.n; k++) {
			const struct lecture_scene *scene = &lecture.scenes[k];

			if (text_lines(scene->caption, 62) > 2 || utf8_columns(scene->heading) > 46)
				fail_msg("%s:%u: too long for 64 columns", files.gl_pathv[i],
					 scene->line);
			assert_true(*scene->caption && *scene->notes);
		}
		lecture_free(&lecture);
	}
	globfree(&files);
}

static bool has_runner(struct pty *pty)
{
	pid_t pids[PTY_PROCESSES];

	return pty_find(pty, "tuibench-runner", 0, pids) > 0;
}

static bool runs(struct pty *pty, const void *arg)
{
	return has_runner(pty);
}

/* A speaker who has quit comes back to the scene without running those before it. */
static void a_lecture_begins_at_the_scene_of_scene(void **state)
{
	struct talk talk;

	make_folder(&talk);
	folder_write(talk.file, "# Long\n```tuibench\n-w cpu=1 -s cpu.size=1T\n```\n"
				"## Small\n```tuibench\n" SMALL "\n```\n## End\n");
	start_at_scene(&talk, "2");
	pty_expect(talk.pty, "scene 2 of 3");
	pty_expect(talk.pty, "NO RESULT");
	quit(&talk, 0);
	make_folder(&talk);
	folder_write(talk.file, "# One\n");
	start_at_scene(&talk, "2");
	pty_expect(talk.pty, "--scene: \"2\": ");
	pty_expect(talk.pty, "talk.md has scenes 1 to 1");
	end(&talk, 2);
}

static void a_session_that_was_left_is_shown_and_does_not_run_again(void **state)
{
	struct talk talk;

	start(&talk, "# Small\n```tuibench\n" SMALL "\n```\n"
		     "## Long\n```tuibench\n-w cpu=1 -s cpu.size=1T\n```\n");
	pty_expect(talk.pty, "NO RESULT");
	pty_send(talk.pty, NEXT);
	pty_expect(talk.pty, "scene 2 of 2");
	assert_true(pty_wait(talk.pty, runs, NULL));
	leave_scene(&talk, "scene 2 of 2", BACK);
	pty_expect(talk.pty, "scene 1 of 2");
	pty_expect(talk.pty, "NO RESULT");
	assert_false(has_runner(talk.pty));
	pty_send(talk.pty, NEXT);
	pty_expect(talk.pty, "scene 2 of 2");
	pty_expect(talk.pty, "stopped before a trial was measured");
	assert_false(has_runner(talk.pty));
	quit(&talk, 0);
}

static void a_scene_without_a_block_leaves_the_run_alone(void **state)
{
	struct talk talk;

	start(&talk, "# Long\nA.\n```tuibench\n-m threads -w cpu=1 -s cpu.size=1T\n```\n"
		     "## Words\nThe second caption.\n## Again\nB.\n```tuibench\n"
		     "--replay --view timeline --select w1\n```\n");
	assert_true(pty_wait(talk.pty, runs, NULL));
	pty_send(talk.pty, NEXT);
	pty_expect(talk.pty, "The second caption.");
	assert_true(has_runner(talk.pty));
	pty_send(talk.pty, NEXT);
	pty_expect(talk.pty, "scene 3 of 3");
	pty_expect(talk.pty, "thread w1 cpu");
	assert_true(has_runner(talk.pty));
	pty_send(talk.pty, BACK);
	pty_expect(talk.pty, "The second caption.");
	pty_expect_gone(talk.pty, "thread w1 cpu");
	assert_true(has_runner(talk.pty));
	quit(&talk, 0);
}

static void looking_again_at_a_session_shows_no_vote(void **state)
{
	struct talk talk;

	start(&talk, "# Vote\n```tuibench\n" SMALL " --vote\n```\n## Again\n```tuibench\n"
		     "--replay --view results\n```\n");
	pty_expect(talk.pty, "Which will be faster?");
	pty_send(talk.pty, NEXT);
	pty_expect_gone(talk.pty, "Which will be faster?");
	pty_expect(talk.pty, "scene 1 of 2");
	pty_send(talk.pty, NEXT);
	pty_expect(talk.pty, "scene 2 of 2");
	pty_expect_gone(talk.pty, "Which will be faster?");
	quit(&talk, 0);
}

/* A presenter's remote has only these two keys. */
static void page_down_starts_a_held_vote_and_then_reveals_it(void **state)
{
	struct talk talk;

	start(&talk, "# Vote\n```tuibench\n" SMALL " --vote --hold\n```\n## Next\nThe end.\n");
	pty_expect(talk.pty, "PgDn Start");
	pty_send(talk.pty, NEXT);
	pty_expect(talk.pty, "PgDn Reveal");
	pty_expect(talk.pty, "scene 1 of 2");
	pty_send(talk.pty, NEXT);
	pty_expect(talk.pty, "PgDn Next");
	leave_scene(&talk, "scene 1 of 2", NEXT);
	pty_expect(talk.pty, "The end.");
	quit(&talk, 0);
}

static void r_runs_a_scene_again_that_was_left(void **state)
{
	struct talk talk;

	start(&talk, "# Long\n```tuibench\n-w cpu=1 -s cpu.size=1T\n```\n"
		     "## Small\n```tuibench\n" SMALL "\n```\n");
	assert_true(pty_wait(talk.pty, runs, NULL));
	leave_scene(&talk, "scene 1 of 2", NEXT);
	pty_expect(talk.pty, "scene 2 of 2");
	pty_expect(talk.pty, "  done");
	pty_send(talk.pty, BACK);
	pty_expect(talk.pty, "r Run again");
	pty_send(talk.pty, "r");
	pty_expect_gone(talk.pty, "r Run again");
	assert_true(pty_wait(talk.pty, runs, NULL));
	pty_expect(talk.pty, "scene 1 of 2");
	quit(&talk, 0);
}

/* A speaker who expects Space to pause must not lose the answer. */
static void space_asks_before_it_leaves_a_scene_that_measures(void **state)
{
	struct talk talk;

	start(&talk, "# Title\nNothing runs.\n"
		     "## Long\n```tuibench\n-w cpu=1 -s cpu.size=1T\n```\n"
		     "## Small\n```tuibench\n" SMALL " --hold\n```\n## Last\nThe last caption.\n");
	pty_expect(talk.pty, "scene 1 of 4");
	pty_send(talk.pty, " ");
	pty_expect(talk.pty, "scene 2 of 4");
	assert_true(pty_wait(talk.pty, runs, NULL));
	pty_expect(talk.pty, "PgDn Next");
	pty_send(talk.pty, " ");
	pty_expect(talk.pty, ASKED);
	pty_send(talk.pty, "4");
	pty_expect_gone(talk.pty, ASKED);
	pty_send(talk.pty, " ");
	pty_expect(talk.pty, ASKED);
	pty_expect(talk.pty, "scene 2 of 4");
	assert_true(has_runner(talk.pty));
	pty_send(talk.pty, " ");
	pty_expect(talk.pty, "scene 3 of 4");
	pty_expect(talk.pty, "Space Start");
	pty_send(talk.pty, " ");
	pty_expect(talk.pty, "NO RESULT");
	pty_send(talk.pty, " ");
	pty_expect(talk.pty, "The last caption.");
	quit(&talk, 0);
}

static void a_scene_too_large_for_this_machine_becomes_a_slide_with_the_reason(void **state)
{
	struct talk talk;

	start(&talk, "# Small\n```tuibench\n" SMALL "\n```\n## Huge\nFar too many.\n```tuibench\n"
		     "-w cpu=1 -s ballast=1000G\n```\n## Missing\nNo file.\n```tuibench\n"
		     "--replay no-such.csv\n```\n## Last\nAll the same.\n");
	pty_expect(talk.pty, "The next scene cannot run: -s ballast");
	leave_scene(&talk, "scene 1 of 4", NEXT);
	pty_expect(talk.pty, "scene 2 of 4");
	pty_expect(talk.pty, "Far too many.");
	pty_expect(talk.pty, "-s ballast");
	pty_expect(talk.pty, "no-such.csv: No such file");
	pty_send(talk.pty, NEXT);
	pty_expect(talk.pty, "scene 3 of 4");
	pty_send(talk.pty, NEXT);
	pty_expect(talk.pty, "All the same.");
	quit(&talk, 3);
}

/*
 * A choice in the menu of a slide could not run, and q in the menu would lead back to the slide.
 */
static void a_slide_has_no_menu_and_q_leaves_it(void **state)
{
	struct talk talk;

	start(&talk, "# Words\nOnly words.\n## Missing\n```tuibench\n--replay no-such.csv\n```\n");
	pty_expect(talk.pty, "Only words.");
	pty_send(talk.pty, "e");
	pty_expect(talk.pty, "This scene has no menu");
	pty_send(talk.pty, NEXT);
	pty_expect(talk.pty, "No such file");
	pty_send(talk.pty, "\rE");
	pty_expect(talk.pty, "This scene has no menu");
	quit(&talk, 1);
}

/* The scenes of the inner lecture would not be scenes of the outer one. */
static void a_lecture_is_not_played_within_another(void **state)
{
	struct talk talk;
	const char *const argv[] = {TEST_PROGRAM, "--lecture", talk.file, NULL};

	make_folder(&talk);
	folder_write(talk.file, "# Small\n```tuibench\n" SMALL "\n```\n");
	talk.pty = pty_start(argv, (const char *const[]) {talk.state, NULL}, 30, 160);
	pty_expect(talk.pty, "  done");
	pty_send(talk.pty, "q");
	pty_expect_exit(talk.pty, 0);
	pty_free(talk.pty);
	start_file(&talk, talk.file, 30, 160);
	pty_expect(talk.pty, "  done");
	pty_send(talk.pty, "e");
	pty_expect(talk.pty, "1 recording to replay");
	pty_send(talk.pty, "\033[4~\r");
	pty_expect(talk.pty, "That is a lecture, too");
	pty_send(talk.pty, "\033");
	pty_expect_gone(talk.pty, "1 recording to replay");
	quit(&talk, 0);
}

static void a_recording_beside_the_lecture_is_played(void **state)
{
	const char *argv[] = {TEST_PROGRAM, "--tree", "3x4", "--trials", "1",
			      "--exit",	    "--log",  NULL,  NULL};
	char log[FOLDER_PATH];
	struct talk talk;

	make_folder(&talk);
	argv[7] = folder_at(log, talk.folder, "old.csv");
	talk.pty = pty_start(argv, (const char *const[]) {NULL}, 24, 80);
	pty_expect_exit(talk.pty, 0);
	pty_free(talk.pty);
	folder_write(talk.file, "# Old\n```tuibench\n--replay old.csv --speed 1000\n```\n");
	start_file(&talk, talk.file, 30, 160);
	pty_expect(talk.pty, "scene 1 of 1");
	pty_expect(talk.pty, "3x4");
	quit(&talk, 0);
}

static void errors_of_a_lecture_are_printed_before_the_screen_opens(void **state)
{
	static const char *const wrong[][2] = {
		{"Words.\n", "talk.md:1: text before the first heading"},
		{"# A\n```tuibench\n--trails 6\n```\n",
		 "talk.md:3: --trails is not an option; did you mean --trials?"},
		{"# A\n```tuibench\n-e hello | less\n```\n",
		 "talk.md:3: only a shell understands |"},
		{"# A\n```tuibench\n-o 'a b\n```\n",
		 "talk.md:3: not a command line: a ' has no closing '"},
		{"# A\n```tuibench\n-t 900x900x900\n```\n",
		 "talk.md:3: --tree: \"900x900x900\" makes"},
		{"# A\n```tuibench\n--list\n```\n",
		 "talk.md:3: this command neither runs nor replays"},
		{"# A\n```tuibench\n--menu\n```\n",
		 "talk.md:3: this command neither runs nor replays"},
		{"# A\n```tuibench\n--exit\n```\n", "talk.md:3: --exit does not work in a scene"},
		{"# A\n```tuibench\n--replay\n```\n", "talk.md:3: --replay without a file"},
		{"# A\n```tuibench\n--replay -\n```\n",
		 "talk.md:3: --replay -: the keys come from"},
		{"# A\n```tuibench\n--replay /dev/zero\n```\n",
		 "talk.md:3: --replay: \"/dev/zero\" is not a file"},
		{"# A\n```tuibench\n-x csv a.csv\n```\n",
		 "talk.md:3: this command neither runs nor replays"},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct talk talk;

		start(&talk, wrong[i][0]);
		pty_expect(talk.pty, wrong[i][1]);
		assert_int_equal(talk.pty->left, 0);
		end(&talk, 2);
	}
}

static void a_signal_ends_a_lecture_in_any_scene(void **state)
{
	struct talk talk;

	start(&talk, "# Title\n\n## Long\n```tuibench\n-w cpu=1 -s "
		     "cpu.size=1T\n```\n");
	pty_send(talk.pty, NEXT);
	assert_true(pty_wait(talk.pty, runs, NULL));
	kill(talk.pty->pid, SIGTERM);
	end(&talk, 128 + SIGTERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_lectures_that_come_with_it_run_from_start_to_end),
		cmocka_unit_test(each_scene_of_the_tour_has_an_answer),
		cmocka_unit_test(a_first_start_offers_the_tour_and_a_second_does_not),
		cmocka_unit_test(their_captions_fit_the_smallest_screen),
		cmocka_unit_test(a_lecture_begins_at_the_scene_of_scene),
		cmocka_unit_test(a_session_that_was_left_is_shown_and_does_not_run_again),
		cmocka_unit_test(a_scene_without_a_block_leaves_the_run_alone),
		cmocka_unit_test(looking_again_at_a_session_shows_no_vote),
		cmocka_unit_test(page_down_starts_a_held_vote_and_then_reveals_it),
		cmocka_unit_test(r_runs_a_scene_again_that_was_left),
		cmocka_unit_test(space_asks_before_it_leaves_a_scene_that_measures),
		cmocka_unit_test(
			a_scene_too_large_for_this_machine_becomes_a_slide_with_the_reason),
		cmocka_unit_test(a_slide_has_no_menu_and_q_leaves_it),
		cmocka_unit_test(a_lecture_is_not_played_within_another),
		cmocka_unit_test(a_recording_beside_the_lecture_is_played),
		cmocka_unit_test(errors_of_a_lecture_are_printed_before_the_screen_opens),
		cmocka_unit_test(a_signal_ends_a_lecture_in_any_scene),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
