/* SPDX-License-Identifier: MIT */
#include "app/app.h"

#include "stage/check.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stage/folder.h"
#include "stage/lectured.h"

/* What a lecture's scenes request, without a screen. */

/* Parses a command line. The options point into argv. */
static struct options *options_of(char *argv[])
{
	struct options *options = calloc(1, sizeof(*options));
	char error[512] = "";
	int argc = 0;

	assert_non_null(options);
	while (argv[argc])
		argc++;
	if (options_parse(options, argc, argv, error, sizeof(error)))
		fail_msg("%s", error);
	return options;
}

struct held {
	struct lecturer lecturer;
	struct options *options;
	char path[FOLDER_PATH];
};

static void hold(struct held *held, const char *folder, const char *markdown)
{
	char *argv[] = {"tuibench", "--config=none", NULL};
	char error[512] = "", *outside = NULL;

	folder_write(folder_at(held->path, folder, "talk.md"), markdown);
	held->options = options_of(argv);
	held->options->logs[0] = held->path; /* as with --lecture, which needs a screen */
	if (lecturer_read(&held->lecturer, held->options, &outside, error, sizeof(error)) ||
	    lecturer_open(&held->lecturer, error, sizeof(error)))
		fail_msg("%s", error);
	free(outside);
}

static void leave(struct held *held)
{
	lecturer_close(&held->lecturer);
	free(held->options);
}

#define WORDS	     "sixteen letters and "
#define LONG_CAPTION WORDS WORDS WORDS WORDS WORDS WORDS WORDS WORDS WORDS

/*
 * --check needs no screen. It names each fault and, for each scene without one, what the scene will
 * do.
 */
static void a_check_names_all_faults_and_what_scenes_take(void **state)
{
	static const char *const said[] = {
		"8 scenes\n",
		"1  A: caption only; 3 lines go to the notes\n      ",
		"talk.md:49: this block goes to the notes; to run it, begin it with ```tuibench\n",
		"talk.md:4: this \"sh\" block goes to the notes; only \"tuibench\" blocks "
		"run\n",
		"2  B\n      error: ",
		"talk.md:14: --trails is not an option; did you mean --trials?",
		"talk.md:20: cannot read \"",
		"none.csv\": No such file",
		"4  D: runs 4 cpu workers, about ",
		", --vote, --view memory\n",
		": the caption takes 3 lines on 80 columns; the screen shows 2\n",
		"5  E: plays the previous scene again",
		"duration unknown\n",
		"7  G: runs 1 cpu worker, 1 to 15 s\n",
		"8  H: shows its list; 1 line goes to the notes\n",
		"      2 items of the list have the result of a scene\n",
		" s in all on an idle machine, not counting 1 scene of unknown duration. On a busy "
		"machine they can take several times as long.\n",
		"\nThe speaker will have no notes: XDG_RUNTIME_DIR is not set; ",
		"\n2 errors.\n"};
	char *argv[] = {"tuibench", "--config=none", NULL}, path[FOLDER_PATH], *text;
	struct options *options = options_of(argv);
	size_t size;
	FILE *out = open_memstream(&text, &size);

	folder_write(folder_at(path, *state, "talk.md"),
		     "# A\ntext\n\n```sh\nls\n```\n\n- one\n- two\n\n# B\n\n```tuibench\n--trails "
		     "3\n```\n\n# C\n\n"
		     "```tuibench\n-r none.csv\n```\n\n# D\n\n" LONG_CAPTION
		     "\n\n```tuibench\ncrash --vote --view memory\n```\n\n# E\n\n"
		     "```tuibench\n--replay\n```\n\n# F\n\n"
		     "```tuibench\n-t 2x2 -s cpu.size=1M\n```\n\n# G\n\n"
		     "```tuibench\n-w cpu=1 -w io=0\n```\n\n```\ntuibench hello\n```\n\n# "
		     "H\ntext\n\n- one\n- two\n\nthree\n");
	options->logs[0] = path;
	unsetenv("XDG_RUNTIME_DIR");
	assert_int_equal(lecture_check(options, out), 1);
	fclose(out);
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		if (!strstr(text, said[i]))
			fail_msg("no %s in %s", said[i], text);
	free(text);
	free(options);
}

/* A fault in a block hides neither the other faults of the block nor those of other scenes. */
static void a_check_goes_on_after_a_fault_in_a_block(void **state)
{
	static const char *const said[] = {"talk.md:1: text before the first heading; ",
					   "talk.md:9: a second command; ",
					   "talk.md:8: --trails is not an option; ",
					   "talk.md:14: a tuibench block without a command; ",
					   "talk.md:20: --config does not work in a lecture; ",
					   "talk.md:20: --voet is not an option; ",
					   "4  D: runs ",
					   "\n6 errors.\n"};
	char *argv[] = {"tuibench", "--config=none", NULL}, path[FOLDER_PATH], *text;
	struct options *options = options_of(argv);
	size_t size;
	FILE *out = open_memstream(&text, &size);

	folder_write(folder_at(path, *state, "talk.md"),
		     "early\n\nearly again\n\n# A\n\n```tuibench\nhello --trails 3\nhello\n```\n\n"
		     "# B\n\n```tuibench\n```\n\n# C\n\n```tuibench\nhello --config a --voet\n"
		     "```\n\n# D\n\n```tuibench\nhello\n```\n");
	options->logs[0] = path;
	options->check = true;
	assert_int_equal(lecture_check(options, out), 1);
	fclose(out);
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		if (!strstr(text, said[i]))
			fail_msg("no %s in %s", said[i], text);
	free(text);
	free(options);
}

static void a_check_of_slides_alone_counts_no_runs(void **state)
{
	char *argv[] = {"tuibench", "--config=none", NULL}, path[FOLDER_PATH], *text;
	struct options *options = options_of(argv);
	size_t size;
	FILE *out = open_memstream(&text, &size);

	folder_write(folder_at(path, *state, "talk.md"), "# A\n\nOne.\n\n# B\n\nTwo.\n");
	options->logs[0] = path;
	assert_int_equal(lecture_check(options, out), 0);
	fclose(out);
	assert_non_null(strstr(text, "2 scenes\n"));
	assert_null(strstr(text, "Runs take"));
	free(text);
	free(options);
}

/* A mistyped name is not taken for a file that has gone. */
static void a_name_that_is_no_lecture_says_where_names_are(void **state)
{
	char *argv[] = {"tuibench", "--config=none", NULL}, error[512] = "", *outside = NULL;
	struct options *options = options_of(argv);
	struct lecturer lecturer;

	(void)state;
	options->logs[0] = "toru";
	assert_int_equal(lecturer_read(&lecturer, options, &outside, error, sizeof(error)),
			 -ENOENT);
	assert_string_equal(error, "toru is neither a file nor an installed lecture; --lecture "
				   "without a name lists those that are installed");
	free(options);
}

static void a_lecture_begins_at_a_scene(void **state)
{
	struct held held;
	char error[512] = "";

	hold(&held, *state, "# A\n\n# B\n\n# C\n\n```tuibench\n-w cpu=1\n```\n");
	assert_int_equal(lecturer_begin(&held.lecturer, 0, error, sizeof(error)), 0);
	assert_int_equal(held.lecturer.at, 0);
	assert_int_equal(lecturer_begin(&held.lecturer, 3, error, sizeof(error)), 0);
	assert_int_equal(held.lecturer.at, 2);
	assert_int_equal(lecturer_session(&held.lecturer), 2);
	assert_int_equal(lecturer_begin(&held.lecturer, 4, error, sizeof(error)), -EINVAL);
	assert_non_null(strstr(error, "talk.md has scenes 1 to 3"));
	leave(&held);
}

/* After a step back, the answer was printed before, unless a vote covered it. */
static void a_scene_prints_its_answer_once(void **state)
{
	struct held held;
	struct lecturer *lecturer = &held.lecturer;

	hold(&held, *state, "# A\n\n# C\n\n```tuibench\n-w cpu=1\n```\n");
	assert_true(lecturer_prints(lecturer)); /* a slide */
	lecturer->at = 1;
	lecturer->again = true;
	assert_true(lecturer_prints(lecturer)); /* a vote covered it the first time */
	assert_false(lecturer_prints(lecturer));
	lecturer->again = false;
	assert_true(lecturer_prints(lecturer));
	leave(&held);
}

static void scenes_before_the_first_command_have_no_session(void **state)
{
	struct view_state shown = {.zoom = 7};
	struct held held;

	hold(&held, *state,
	     "# Words\n\n# More words\n\n# A run\n\n```tuibench\ntuibench -w cpu=1 "
	     "-w io=0 --view timeline --zoom 3\n```\n");
	for (held.lecturer.at = 0; held.lecturer.at < 2; held.lecturer.at++) {
		assert_true(lecturer_session(&held.lecturer) == SIZE_MAX);
		assert_null(lecturer_show(&held.lecturer, &shown));
		assert_true(shown.zoom == 7); /* the options do not ask for a zoom */
	}
	assert_int_equal(lecturer_session(&held.lecturer), 2);
	leave(&held);
}

/* Whether the speaker quits or steps on, and whatever later scenes have shown of it. */
static void an_answer_has_the_heading_of_the_scene_that_ran_it(void **state)
{
	struct lecturer *lecturer;
	struct held held;

	hold(&held, *state,
	     "# Words\n\n# A run\n\n```tuibench\ntuibench -w cpu=1\n```\n# Words of it\n\n"
	     "# Again\n\n```tuibench\ntuibench --replay\n```\n"
	     "# Another\n\n```tuibench\ntuibench -w io=1\n```\n");
	lecturer = &held.lecturer;
	assert_null(lecturer_ended_heading(lecturer));
	for (int scene = 1; scene < 4; scene++) {
		assert_true(lecturer_step(lecturer, 1));
		lecturer->stepped = false; /* its session is still on the screen */
		assert_string_equal(lecturer_ended_heading(lecturer), "A run");
	}
	assert_true(lecturer_step(lecturer, 1));
	assert_string_equal(lecturer_ended_heading(lecturer), "A run");
	lecturer->stepped = false;
	assert_string_equal(lecturer_ended_heading(lecturer), "Another");
	assert_true(lecturer_step(lecturer, -1));
	assert_string_equal(lecturer_ended_heading(lecturer), "Another");
	leave(&held);
}

#define SCENES                                                                                     \
	"# Words\n\n# A\n\n```tuibench\n-w cpu=1\n```\n# Words of A\n\n"                           \
	"# B\n\n```tuibench\n-w io=1\n```\n# End\nLast.\n\n"

/* Without names, the items have the results of the sessions in their order. */
static void items_of_the_last_list_have_the_results_of_scenes(void **state)
{
	struct view_state shown = {.zoom = 1};
	struct held held;
	const struct lecturer *lecturer = &held.lecturer;

	hold(&held, *state, SCENES "- one\n- two\n- three\n\nFor the speaker.\n");
	held.lecturer.at = 3;
	lecturer_show(&held.lecturer, &shown);
	assert_int_equal(shown.lecture.n_items, 0);
	held.lecturer.at = 4;
	lecturer_show(&held.lecturer, &shown);
	assert_int_equal(shown.lecture.n_items, 3);
	assert_ptr_equal(shown.lecture.items[0].result, &lecturer->scenes[1].result);
	assert_ptr_equal(shown.lecture.items[1].result, &lecturer->scenes[3].result);
	assert_null(shown.lecture.items[2].result);
	assert_false(lecturer->scenes[3].result.measured);
	leave(&held);
}

/* A scene that shows another one's session has its result. */
static void items_that_name_scenes_have_their_results(void **state)
{
	struct view_state shown = {.zoom = 1};
	struct held held;
	const struct lecturer *lecturer = &held.lecturer;

	hold(&held, *state, SCENES "- one\n- two (scene 4)\n- three (scene 3)\n- four (scene 9)\n");
	held.lecturer.at = 4;
	lecturer_show(&held.lecturer, &shown);
	assert_int_equal(shown.lecture.n_items, 4);
	assert_null(shown.lecture.items[0].result);
	assert_string_equal(shown.lecture.items[1].text, "two");
	assert_ptr_equal(shown.lecture.items[1].result, &lecturer->scenes[3].result);
	assert_ptr_equal(shown.lecture.items[2].result, &lecturer->scenes[1].result);
	assert_null(shown.lecture.items[3].result);
	leave(&held);
}

static void a_scene_has_the_zoom_that_it_asks_for(void **state)
{
	struct view_state shown = {.zoom = 7};
	struct held held;

	hold(&held, *state,
	     "# A part\n\n```tuibench\ntuibench -w cpu=1 --zoom 3\n```\n"
	     "# All\n\n```tuibench\ntuibench -w cpu=1\n```\n"
	     "# A second\n\n```tuibench\ntuibench -w cpu=1 --zoom 1-2s\n```\n");
	lecturer_show(&held.lecturer, &shown);
	assert_true(shown.zoom == 3);
	assert_int_equal(shown.window_to_ns, 0);
	held.lecturer.at = 1;
	lecturer_show(&held.lecturer, &shown);
	assert_true(shown.zoom == 1);
	held.lecturer.at = 2;
	lecturer_show(&held.lecturer, &shown);
	assert_true(shown.zoom == 1);
	assert_int_equal(shown.window_from_ns, 1000000000);
	assert_int_equal(shown.window_to_ns, 2000000000);
	leave(&held);
}

/*
 * Plays a scene's session of a recorded lecture, and checks the speed that the command line gives.
 */
static void assert_played_at(char *speed, const char *path, double expected, bool given)
{
	char *argv[] = {"tuibench", "--config=none", "--replay", (char *)path, speed, NULL};
	struct options *options = options_of(argv), *scene = calloc(1, sizeof(*scene));
	struct lecturer lecturer;
	struct scenes scenes;
	char error[512] = "";

	assert_int_equal(scenes_open(&scenes, path, error, sizeof(error)), 1);
	if (lecturer_open_recorded(&lecturer, options, &scenes, error, sizeof(error)))
		fail_msg("%s", error);
	for (size_t i = 0; i < LECTURED_SCENES; i++) {
		const struct next *words = &lecturer.scenes[i].words;

		if (lectured_sessions[i] < 0)
			continue;
		assert_int_equal(options_parse(scene, words->argc, (char **)words->argv, error,
					       sizeof(error)),
				 0);
		assert_int_equal(scene->speed_given, given);
		assert_true(scene->speed == expected);
	}
	lecturer_close(&lecturer);
	scenes_close(&scenes);
	free(scene);
	free(options);
}

static void a_recorded_lecture_plays_at_the_speed_that_was_asked_for(void **state)
{
	char path[FOLDER_PATH];

	lectured_file(folder_at(path, *state, "held.csv"));
	assert_played_at("--speed=20", path, 20, true);
	assert_played_at("--speed=0.25", path, 0.25, true);
	assert_played_at(NULL, path, 1, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST(a_check_names_all_faults_and_what_scenes_take),
		FOLDER_TEST(a_check_of_slides_alone_counts_no_runs),
		FOLDER_TEST(items_of_the_last_list_have_the_results_of_scenes),
		FOLDER_TEST(items_that_name_scenes_have_their_results),
		FOLDER_TEST(a_check_goes_on_after_a_fault_in_a_block),
		cmocka_unit_test(a_name_that_is_no_lecture_says_where_names_are),
		FOLDER_TEST(a_lecture_begins_at_a_scene),
		FOLDER_TEST(a_scene_prints_its_answer_once),
		FOLDER_TEST(scenes_before_the_first_command_have_no_session),
		FOLDER_TEST(an_answer_has_the_heading_of_the_scene_that_ran_it),
		FOLDER_TEST(a_scene_has_the_zoom_that_it_asks_for),
		FOLDER_TEST(a_recorded_lecture_plays_at_the_speed_that_was_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
