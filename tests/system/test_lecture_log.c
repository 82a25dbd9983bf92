/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "lecture/lecture.h"
#include "stage/folder.h"
#include "stage/model_equal.h"
#include "stage/pty.h"

/* Tests of lectures in a pseudo-terminal, and of their recordings. */

#define PAGE_DOWN "\033[6~"
#define PAGE_UP	  "\033[5~"
#define TINY	  " --trials 2 --warmup 0"

static const char text[] = "# Threads, or processes\n\nNothing runs *here*.\n\nTo the speaker.\n"
			   "# Both\n\nThe same work.\n\n"
			   "```tuibench\ntuibench -w cpu=2 -s cpu.size=100K" TINY "\n```\n"
			   "First.\n\nSecond.\n"
			   "# Again\n\nAs a timeline.\n\n"
			   "```tuibench\ntuibench --replay --view timeline\n```\n"
			   "# A word\n\nNo command.\n"
			   "# A tree\n\nFills.\n\n```tuibench\ntuibench --tree 3x4" TINY "\n```\n"
			   "# End\n\nQuestions?\n";

/* The second scene runs until the speaker leaves it. */
static const char endless[] = "# Long\n\nA.\n\n```tuibench\ntuibench -w cpu=2 -s "
			      "cpu.size=1000000000000 --warmup 0\n```\n"
			      "# Beside it\n\nB.\n"
			      "# A tree\n\nC.\n\n```tuibench\ntuibench --tree 3x4" TINY "\n```\n";

struct place {
	char folder[FOLDER_PATH], lecture[FOLDER_PATH], log[FOLDER_PATH];
	char state[FOLDER_PATH + 16];
	struct pty *pty;
};

static void make_place(struct place *place, const char *markdown)
{
	folder_make(place->folder);
	folder_write(folder_at(place->lecture, place->folder, "small.md"), markdown);
	folder_at(place->log, place->folder, "held.csv");
	snprintf(place->state, sizeof(place->state), "XDG_STATE_HOME=%s", place->folder);
}

static void start(struct place *place, const char *const argv[])
{
	const char *const env[] = {place->state, "XDG_CONFIG_HOME", NULL};

	place->pty = pty_start(argv, env, 36, 120);
}

static void hold(struct place *place)
{
	start(place, (const char *const[]) {TEST_PROGRAM, "--lecture", "--log", place->log,
					    place->lecture, NULL});
}

static void replay(struct place *place)
{
	start(place, (const char *const[]) {TEST_PROGRAM, "--replay", place->log, NULL});
}

static void leave(struct place *place, int status)
{
	pty_leave_lecture(place->pty);
	pty_expect_exit(place->pty, status);
	pty_expect_nothing_left(place->pty);
	pty_free(place->pty);
}

static void step(struct place *place, const char *key, const char *expected)
{
	pty_send(place->pty, key);
	pty_expect(place->pty, expected);
}

/* Plays all scenes. Each run ends before the next step. */
static void hold_all(struct place *place)
{
	hold(place);
	pty_expect(place->pty, "scene 1 of 6");
	step(place, PAGE_DOWN, "scene 2 of 6");
	pty_expect(place->pty, "done");
	step(place, PAGE_DOWN, "scene 3 of 6");
	step(place, PAGE_DOWN, "scene 4 of 6");
	step(place, PAGE_DOWN, "scene 5 of 6");
	pty_expect(place->pty, "tuibench  tree 3x4");
	pty_expect(place->pty, "done");
	step(place, PAGE_UP, "scene 4 of 6");
	step(place, PAGE_DOWN, "scene 5 of 6");
	step(place, PAGE_DOWN, "scene 6 of 6");
	leave(place, 0);
}

static struct scenes opened(const struct place *place)
{
	struct scenes scenes;
	char error[512];

	assert_int_equal(scenes_open(&scenes, place->log, error, sizeof(error)), 1);
	return scenes;
}

static void assert_over(const struct scenes *scenes, size_t i, const char *title)
{
	struct model model;
	char error[512];

	assert_int_equal(scenes_load(scenes, i, &model, error, sizeof(error)), 0);
	assert_string_equal(model.session.title, title);
	assert_true(model.done);
	assert_true(model.n_runs >= 2);
	for (size_t k = 0; k < model.n_runs; k++)
		assert_int_equal(model.runs[k].totals.status, SAMPLE_OK);
	model_free(&model);
}

/* The recording has the texts of the lecture's file. */
static void a_lecture_that_was_held_is_one_recording(void **state)
{
	struct place place;
	struct scenes scenes;
	struct lecture lecture;
	char error[512];

	make_place(&place, text);
	hold_all(&place);
	scenes = opened(&place);
	assert_int_equal(lecture_read(place.lecture, &lecture, error, sizeof(error)), 0);
	assert_string_equal(scenes.log.title, lecture.title);
	assert_int_equal(scenes.log.planned, lecture.n);
	assert_int_equal(scenes.log.n, lecture.n);
	for (size_t i = 0; i < lecture.n; i++) {
		assert_string_equal(scenes.log.scenes[i].heading, lecture.scenes[i].heading);
		assert_string_equal(scenes.log.scenes[i].caption, lecture.scenes[i].caption);
		assert_string_equal(scenes.log.scenes[i].notes, lecture.scenes[i].notes);
		assert_string_equal(scenes.log.scenes[i].command, lecture.scenes[i].command);
		assert_int_equal(scenes_ran(&scenes, i), i == 1 || i == 4);
	}
	assert_over(&scenes, 1, "2 cpu workers, cpu.size=100K");
	assert_over(&scenes, 4, "tree 3x4: 15 tasks");
	lecture_free(&lecture);
	scenes_close(&scenes);
	folder_remove(place.folder);
}

/*
 * The terminal may pass several keys on at once. A scene takes a second press if it still measures,
 * which depends on the machine, so there are enough presses for each of the three sessions. Further
 * ones stay at the last scene or the first.
 */
static void keys_that_arrive_together_are_all_obeyed(void **state)
{
	struct place place;

	make_place(&place, text);
	hold(&place);
	pty_expect(place.pty, "scene 1 of 6");
	step(&place,
	     PAGE_DOWN PAGE_DOWN PAGE_DOWN PAGE_DOWN PAGE_DOWN PAGE_DOWN PAGE_DOWN PAGE_DOWN,
	     "Questions?");
	pty_expect(place.pty, "scene 6 of 6");
	step(&place, PAGE_UP PAGE_UP PAGE_UP PAGE_UP PAGE_UP PAGE_UP PAGE_UP PAGE_UP,
	     "scene 1 of 6");
	leave(&place, 0);
	folder_remove(place.folder);
}

static void its_recording_is_held_again_with_the_same_keys(void **state)
{
	struct place place;

	make_place(&place, text);
	hold_all(&place);
	replay(&place);
	pty_expect(place.pty, "Nothing runs here.");
	step(&place, PAGE_DOWN, "The same work.");
	pty_expect(place.pty, " 2 cpu workers,");
	pty_expect(place.pty, "scene 2 of 6");
	step(&place, PAGE_DOWN, "As a timeline.");
	pty_expect(place.pty, " thread w1 cpu ");
	step(&place, PAGE_DOWN, "No command.");
	pty_expect(place.pty, " 2 cpu workers,");
	step(&place, PAGE_DOWN, "tuibench  tree 3x4");
	step(&place, PAGE_UP, "No command.");
	pty_expect(place.pty, " 2 cpu workers,");
	step(&place, PAGE_DOWN, "tuibench  tree 3x4");
	step(&place, PAGE_DOWN, "Questions?");
	step(&place, PAGE_DOWN, "This is the last scene");
	leave(&place, 0);
	folder_remove(place.folder);
}

static void one_of_its_scenes_is_played_alone(void **state)
{
	struct place place;

	make_place(&place, text);
	hold_all(&place);
	start(&place,
	      (const char *const[]) {TEST_PROGRAM, "--replay", "--scene", "5", place.log, NULL});
	pty_expect(place.pty, "tuibench  tree 3x4");
	assert_false(pty_has(place.pty, "of 6"));
	leave(&place, 0);
	folder_remove(place.folder);
}

/*
 * A run that the speaker leaves is interrupted. Scenes that were shown during it are recorded after
 * it.
 */
static void a_run_that_is_left_ends_before_the_next_begins(void **state)
{
	struct place place;
	struct scenes scenes;
	struct model model;
	char error[512];

	make_place(&place, endless);
	hold(&place);
	pty_expect(place.pty, "trial 1 of");
	step(&place, PAGE_DOWN, "scene 2 of 3");
	step(&place, PAGE_DOWN, "Press the key again to leave it");
	step(&place, PAGE_DOWN, "tuibench  tree 3x4");
	pty_expect(place.pty, "done");
	leave(&place, 0);
	scenes = opened(&place);
	assert_int_equal(scenes.log.n, 3);
	assert_true(scenes_ran(&scenes, 0));
	assert_false(scenes_ran(&scenes, 1));
	assert_int_equal(scenes_load(&scenes, 0, &model, error, sizeof(error)), 0);
	assert_true(model.done);
	assert_int_equal(model.runs[model.n_runs - 1].totals.status, SAMPLE_INTERRUPTED);
	model_free(&model);
	assert_over(&scenes, 2, "tree 3x4: 15 tasks");
	scenes_close(&scenes);
	folder_remove(place.folder);
}

static void a_killed_lecture_is_readable_up_to_there(void **state)
{
	struct place place;
	struct scenes scenes;
	struct model model;
	char error[512];

	make_place(&place, endless);
	hold(&place);
	pty_expect(place.pty, "trial 1 of");
	pty_expect(place.pty, "scene 1 of 3");
	assert_int_equal(kill(place.pty->pid, SIGKILL), 0);
	assert_int_equal(pty_wait_exit(place.pty), SIGKILL);
	assert_true(pty_wait_no_process(place.pty));
	pty_free(place.pty);
	scenes = opened(&place);
	assert_int_equal(scenes.log.n, 1);
	assert_string_equal(scenes.log.scenes[0].heading, "Long");
	assert_int_equal(scenes_load(&scenes, 0, &model, error, sizeof(error)), 0);
	assert_true(model.has_session && !model.done);
	model_free(&model);
	scenes_close(&scenes);
	folder_remove(place.folder);
}

/*
 * The recording of a lecture contains all of a recording that a scene shows, even if the speaker
 * leaves the scene at once.
 */
static void a_recording_that_was_shown_is_in_it(void **state)
{
	struct place place;
	struct scenes first, second;
	struct model before, after;
	char error[512];

	make_place(&place, text);
	hold_all(&place);
	first = opened(&place);
	assert_int_equal(scenes_load(&first, 4, &before, error, sizeof(error)), 0);
	folder_write(folder_at(place.lecture, place.folder, "second.md"),
		     "# Shown\n\n```tuibench\ntuibench --replay --scene 5 held.csv\n```\n# End\n");
	folder_at(place.log, place.folder, "second.csv");
	hold(&place);
	pty_expect(place.pty, "tuibench  tree 3x4");
	step(&place, PAGE_DOWN, "scene 2 of 2");
	leave(&place, 0);
	second = opened(&place);
	assert_int_equal(second.log.n, 2);
	assert_int_equal(scenes_load(&second, 0, &after, error, sizeof(error)), 0);
	assert_true(model_equal(&before, &after));
	model_free(&before);
	model_free(&after);
	scenes_close(&first);
	scenes_close(&second);
	folder_remove(place.folder);
}

static void a_pipe_is_exported_as_its_file(void **state)
{
	struct place place;
	char command[8 * FOLDER_PATH];

	make_place(&place, text);
	hold_all(&place);
	snprintf(command, sizeof(command),
		 "cd %s && cat held.csv | '%s' --export json - >a && '%s' -x json held.csv >b && "
		 "cmp a b && test -s a && cat held.csv | '%s' -x trace --scene 5 - >a && "
		 "'%s' -x trace --scene 5 held.csv >b && cmp a b && test -s a",
		 place.folder, TEST_PROGRAM, TEST_PROGRAM, TEST_PROGRAM, TEST_PROGRAM);
	assert_int_equal(system(command), 0);
	folder_remove(place.folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lecture_that_was_held_is_one_recording),
		cmocka_unit_test(keys_that_arrive_together_are_all_obeyed),
		cmocka_unit_test(its_recording_is_held_again_with_the_same_keys),
		cmocka_unit_test(one_of_its_scenes_is_played_alone),
		cmocka_unit_test(a_run_that_is_left_ends_before_the_next_begins),
		cmocka_unit_test(a_killed_lecture_is_readable_up_to_there),
		cmocka_unit_test(a_recording_that_was_shown_is_in_it),
		cmocka_unit_test(a_pipe_is_exported_as_its_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
