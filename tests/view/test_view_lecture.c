/* SPDX-License-Identifier: MIT */
#include "draw/key.h"
#include "stage/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "stage/golden.h"
#include "stage/stage.h"

/* Tests of a lecture's scene around a session. */

static const char *const headings[] = {"Threads or processes?", "Eight workers on two cores",
				       "A lock that all of them want"};

static const char long_notes[] =
	"Ask the room first.\n\n"
	"- The first run is a warm-up\n"
	"- The second one counts\n"
	"  - and so do all that follow it, as long as nobody touches the machine while they run\n\n"
	"    sudo cpupower frequency-set -g performance";

static struct view_lecture scene_of(size_t scene)
{
	return (struct view_lecture) {
		.title = headings[0],
		.heading = headings[scene],
		.caption = "Six workers compute and two copy a file, once as threads of one "
			   "process and once as processes. Look at the two lines at the bottom of "
			   "each panel, and at the sentence, which says whether it is real.",
		.notes = long_notes,
		.has_notes = true,
		.headings = headings,
		.scene = scene,
		.scenes = 3,
	};
}

static void assert_at_four_sizes(struct stage *stage, const char *name)
{
	static const int sizes[][2] = {{64, 20}, {80, 24}, {120, 36}, {200, 50}};

	for (size_t i = 0; i < 4; i++) {
		char file[64];

		snprintf(file, sizeof(file), "%s-%dx%d", name, sizes[i][0], sizes[i][1]);
		golden_assert(file, stage_draw(stage, sizes[i][0], sizes[i][1]));
	}
}

static void a_scene_has_its_heading_and_two_lines_at_every_size(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.lecture = scene_of(1);
	assert_at_four_sizes(&stage, "lecture");
	stage_close(&stage);
}

static bool row_has(const struct stage *stage, int from_below, const char *text)
{
	const struct canvas *canvas = &stage->canvas;
	int row = canvas->height - from_below;

	return stage_find_in(canvas->cells + row * canvas->width, canvas->width, text) != NULL;
}

/* Checks that no box ends in the scene's lines, and no other text is there. */
static void assert_own_lines(const struct stage *stage)
{
	const struct canvas *canvas = &stage->canvas;
	const struct cell *first = canvas->cells + (canvas->height - 4) * canvas->width;

	for (int i = 0; i < 3 * canvas->width; i++)
		assert_true(first[i].glyph < 0x2500 || first[i].glyph > 0x259f);
	assert_null(stage_find_in(first, 3 * canvas->width, "ended so far"));
	assert_non_null(stage_find_in(first, canvas->width, headings[1]));
	assert_non_null(stage_find_in(first, canvas->width, "scene 2 of 3"));
	assert_non_null(stage_find_in(first + canvas->width, canvas->width, "Six workers compute"));
}

/* The keys put other things on the screen: a vote, large digits, no captions, help, other views. */
static void no_state_of_the_view_takes_the_scene_away(void **state)
{
	static const int keys[] = {'v', 'p', 'i', '?', '2', '3', '4', '6'};
	struct stage stage;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		stage_mixed(&stage, 0);
		stage.view.state.lecture = scene_of(1);
		stage_draw(&stage, 64, 20);
		assert_true(stage_key(&stage, keys[i]));
		stage_draw(&stage, 64, 20);
		assert_own_lines(&stage);
		stage_close(&stage);
	}
}

static void a_notice_stands_where_the_speaker_looks(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.lecture = scene_of(2);
	stage.view.state.notice = "This is the last scene: q quits.";
	stage_draw(&stage, 80, 24);
	assert_true(row_has(&stage, 2, "This is the last scene"));
	assert_true(row_has(&stage, 3, "Six workers compute"));
	assert_ptr_equal(stage_find(&stage, "This is the last"),
			 stage_find_in(stage.canvas.cells + 22 * 80, 80, "This is the last"));
	stage_close(&stage);
}

/* What follows the list of the last slide is for the speaker. */
static void a_list_sums_the_lecture_up(void **state)
{
	static const struct view_lecture_item items[] = {{"Who is faster? Neither.", NULL},
							 {"Who survives? No thread.", NULL}};
	struct stage stage;

	stage_mixed(&stage, 5);
	stage.view.state.lecture = scene_of(2);
	stage.view.state.lecture.slide = stage.view.state.lecture.sums_up = true;
	stage.view.state.lecture.notes = "- Who is faster? Neither.\n- Who survives? No thread."
					 "\n\nAsk the room.";
	stage.view.state.lecture.items = items;
	stage.view.state.lecture.n_items = 2;
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "Who is faster? Neither."));
	assert_true(stage_shows(&stage, "Who survives? No thread."));
	assert_true(stage_shows(&stage, "e Menu"));
	assert_false(stage_shows(&stage, "Ask the room."));
	assert_false(stage_shows(&stage, headings[1]));
	stage_close(&stage);
}

/*
 * Beside each sentence stands what its scene has measured. The top line, which has no session to
 * show, has the lecture and its time.
 */
static void a_list_has_the_results_of_its_scenes(void **state)
{
	struct view_result compared, none = {.n = 0};
	const struct view_lecture_item items[] = {
		{"Who is faster? Hardly anyone.", &compared},
		{"Who survives? No thread.", &none},
		{"So which ones? Threads to share memory, processes for safety.", NULL}};
	struct stage stage;

	stage_mixed(&stage, 0);
	view_result_read(&compared, &stage.model);
	assert_true(compared.measured);
	assert_int_equal(compared.n, 2);
	stage.view.state.lecture = scene_of(2);
	stage.view.state.lecture.slide = stage.view.state.lecture.sums_up = true;
	stage.view.state.lecture.items = items;
	stage.view.state.lecture.n_items = 3;
	stage.view.state.lecture.elapsed_ns = UINT64_C(754000000000);
	golden_assert("lecture-list-80x24", stage_draw(&stage, 80, 24));
	golden_assert("lecture-list-120x36", stage_draw(&stage, 120, 36));
	assert_true(stage_shows(&stage, compared.badge));
	assert_true(stage_shows(&stage, compared.figure));
	assert_true(stage_shows(&stage, compared.rows[1].median));
	assert_true(stage_shows(&stage, "not run"));
	assert_true(stage_shows(&stage, "12:34"));
	assert_false(stage_shows(&stage, "trial"));
	stage_close(&stage);
}

/* A scene that was left says after how many trials, and is neither measuring nor not run. */
static void a_list_says_which_scenes_were_left(void **state)
{
	struct view_result left, early;
	const struct view_lecture_item items[] = {{"Who is faster?", &left}, {"Who else?", &early}};
	struct synthetic session;
	struct model model;
	struct stage stage;

	synthetic_mixed(&session, 3);
	synthetic_model(&session, &model);
	model.session.trials = 40;
	view_result_read(&left, &model);
	model_free(&model);
	session.stop_ns = 1000000000;
	synthetic_model(&session, &model);
	model.done = true;
	model.done_ns = model.now_ns;
	view_result_read(&early, &model);
	model_free(&model);
	stage_mixed(&stage, 0);
	stage.view.state.lecture = scene_of(2);
	stage.view.state.lecture.slide = stage.view.state.lecture.sums_up = true;
	stage.view.state.lecture.items = items;
	stage.view.state.lecture.n_items = 2;
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "stopped after 3 of 40 trials"));
	assert_true(stage_shows(&stage, "The session was stopped before a trial was measured"));
	assert_false(stage_shows(&stage, "MEASURING"));
	assert_false(stage_shows(&stage, "not run"));
	stage_close(&stage);
}

/* The column of the first cell of a bar in the first line with that name; -1: none. */
static int bar_column(const struct stage *stage, const char *name)
{
	const struct cell *cells = stage->canvas.cells, *at = stage_find(stage, name);
	const ptrdiff_t w = stage->canvas.width;

	assert_non_null(at);
	for (const struct cell *cell = at; (cell - cells) % w != w - 1; cell++)
		if (cell->glyph == 0x2588)
			return (int)((cell - cells) % w);
	return -1;
}

/*
 * The bars of all items begin at one column, whatever the length of the names. Without room for a
 * line more, badge and figure are beside the bars. A bar of survivors has a track up to all.
 */
static void the_bars_of_a_list_begin_at_one_column(void **state)
{
	const struct view_result created = {.measured = true,
					    .badge = "FASTER",
					    .figure = "6.9x",
					    .n = 2,
					    .rows = {{"pthread_create", "8.21 µs", 'o',
						      COLOUR_DEFAULT, .1},
						     {"fork", "56.4 µs", 'x', COLOUR_DEFAULT, 1}}},
				 crashed = {.measured = true,
					    .badge = "REAL",
					    .figure = "0 / 3 of 4 survived",
					    .track = true,
					    .n = 2,
					    .rows = {{"threads", "0 of 4", 'o', COLOUR_DEFAULT, 0},
						     {"processes", "3 of 4", 'x', COLOUR_DEFAULT,
						      .75}}};
	const struct view_lecture_item items[] = {
		{"Which is created sooner?", &created},
		{"Who survives a crash?", &crashed},
		{"What does a write cost?", &created},
		{"Who computes faster?", &created},
		{"So which ones? Threads to share memory, processes for safety.", NULL}};
	static const int sizes[][2] = {{80, 24}, {120, 36}};
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.lecture = scene_of(2);
	stage.view.state.lecture.slide = stage.view.state.lecture.sums_up = true;
	stage.view.state.lecture.items = items;
	stage.view.state.lecture.n_items = 5;
	for (size_t i = 0; i < 2; i++) {
		stage_draw(&stage, sizes[i][0], sizes[i][1]);
		assert_true(bar_column(&stage, "fork ") > 0);
		assert_int_equal(bar_column(&stage, "fork "), bar_column(&stage, "processes "));
		assert_true(stage_shows(&stage, "3 of 4  ██"));
		assert_true(stage_shows(&stage, "0 of 4  ····"));
		assert_true(stage_shows(&stage, "[FASTER]"));
		assert_true(stage_shows(&stage, "0 / 3 of 4 survived"));
		assert_true(stage_shows(&stage, "So which ones?"));
	}
	golden_assert("lecture-bars-80x24", stage_draw(&stage, 80, 24));
	stage_close(&stage);
}

/* The clock is that of the lecture in every scene, whatever the session's time. */
static void the_clock_of_a_scene_is_the_lectures(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.lecture = scene_of(1);
	stage.view.state.lecture.elapsed_ns = UINT64_C(754000000000);
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "12:34"));
	stage_close(&stage);
}

/* Space shows the next scene even while trials run, so it is not called Pause. */
static void in_a_lecture_space_does_not_pause(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 5);
	stage.view.state.lecture = scene_of(1);
	stage_draw(&stage, 120, 36);
	assert_true(stage_shows(&stage, "PgDn Next"));
	assert_false(stage_shows(&stage, "Space"));
	stage.view.state.lecture.scene = 2;
	stage_draw(&stage, 120, 36);
	assert_false(stage_shows(&stage, " Next"));
	assert_false(stage_shows(&stage, "Space"));
	stage_close(&stage);
}

/* The last scene offers the menu, also if the bar is narrow. */
static void the_last_scene_has_the_key_of_the_menu(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.lecture = scene_of(2);
	stage_draw(&stage, 80, 24);
	assert_true(stage_shows(&stage, "e Menu"));
	stage_close(&stage);
}

static void every_scene_has_the_keys_of_a_lecture_on_its_bar(void **state)
{
	static const int keys[] = {'1', '2', '3', '4', '6', 'p', 'v'};
	static const int sizes[][2] = {{64, 20}, {80, 24}, {120, 36}};
	struct stage stage;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys) * 3; i++) {
		const int *size = sizes[i % 3];

		stage_mixed(&stage, i % 2 ? 0 : 3);
		stage.view.state.lecture = scene_of(1);
		stage_draw(&stage, size[0], size[1]);
		stage_key(&stage, keys[i / 3]);
		stage_draw(&stage, size[0], size[1]);
		assert_true(row_has(&stage, 1, "q Quit"));
		assert_true(row_has(&stage, 1, "PgDn "));
		assert_true(row_has(&stage, 1, "n Notes"));
		if (size[0] >= 80)
			assert_true(row_has(&stage, 1, "PgUp Back"));
		stage_close(&stage);
	}
}

/* A bundle of recordings is shown as a lecture, which has no notes. */
static void no_key_is_offered_for_notes_that_there_are_not(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 3);
	stage.view.state.lecture = scene_of(1);
	stage.view.state.lecture.has_notes = false;
	stage_draw(&stage, 80, 24);
	assert_false(row_has(&stage, 1, "n Notes"));
	assert_true(row_has(&stage, 1, "PgDn "));
	stage_close(&stage);
}

/* Over the help, PgDn scrolls, so it is not said to show the next scene. */
static void the_help_of_a_lecture_does_not_offer_the_next_scene(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 3);
	stage.view.state.lecture = scene_of(1);
	stage.view.state.help = true;
	stage_draw(&stage, 80, 24);
	assert_false(row_has(&stage, 1, "PgDn "));
	assert_false(row_has(&stage, 1, "PgUp "));
	stage_close(&stage);
}

static struct view_lecture notes_of(size_t scene)
{
	struct view_lecture notes = scene_of(scene);

	notes.speaker = true;
	notes.next = scene + 1 < notes.scenes ? headings[scene + 1] : NULL;
	notes.elapsed_ns = UINT64_C(754000000000);
	return notes;
}

/* Notes must not cover the data. */
static void no_key_draws_the_notes_over_the_screen(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.lecture = scene_of(1);
	stage_draw(&stage, 80, 24);
	stage_key(&stage, 'n');
	stage_draw(&stage, 80, 24);
	assert_null(stage_find(&stage, "Ask the room"));
	assert_own_lines(&stage);
	stage_close(&stage);
}

static void the_speaker_has_the_notes_the_time_and_the_next_scene(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.lecture = notes_of(1);
	golden_assert("lecture-notes-80x24", stage_draw(&stage, 80, 24));
	golden_assert("lecture-notes-64x20", stage_draw(&stage, 64, 20));
	assert_non_null(stage_find(&stage, "12:34"));
	assert_non_null(stage_find(&stage, headings[2]));
	stage.view.state.lecture = notes_of(2);
	stage_draw(&stage, 80, 24);
	assert_non_null(stage_find(&stage, "This is the last scene."));
	stage.view.state.lecture = (struct view_lecture) {.speaker = true};
	stage_draw(&stage, 80, 24);
	assert_non_null(stage_find(&stage, "Waiting for the lecture to begin."));
	stage_close(&stage);
}

static void long_notes_scroll_to_their_end_and_no_further(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.lecture = notes_of(1);
	stage.view.state.lecture.notes = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n"
					 "ten\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\nthe end";
	stage_draw(&stage, 64, 20);
	assert_null(stage_find(&stage, "the end"));
	for (int i = 0; i < 100; i++)
		assert_true(stage_key(&stage, KEY_DOWN_ARROW));
	stage_draw(&stage, 64, 20);
	assert_non_null(stage_find(&stage, "the end"));
	assert_true(stage_key(&stage, KEY_UP_ARROW));
	stage_draw(&stage, 64, 20);
	assert_null(stage_find(&stage, "the end"));
	assert_non_null(stage_find(&stage, "20"));
	stage_close(&stage);
}

static void a_scene_without_notes_says_so(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.lecture = notes_of(1);
	stage.view.state.lecture.notes = "";
	stage_draw(&stage, 80, 24);
	assert_non_null(stage_find(&stage, "This scene has no notes."));
	stage_close(&stage);
}

static void help_begins_with_the_keys_of_a_lecture(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage_key(&stage, '?');
	stage_draw(&stage, 80, 24);
	assert_null(stage_find(&stage, "Show the next scene"));
	stage.view.state.lecture = scene_of(1);
	stage_draw(&stage, 80, 24);
	assert_true(stage_find(&stage, "Show the next scene") < stage_find(&stage, "Quit and"));
	stage_close(&stage);
}

static void without_a_session_the_headings_are_shown(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	model_free(&stage.model);
	model_init(&stage.model);
	stage.view.state.lecture = scene_of(0);
	stage.view.state.lecture.slide = true;
	assert_at_four_sizes(&stage, "lecture-slide");
	stage.view.state.lecture.scene = 1;
	stage.view.state.lecture.heading = headings[1];
	stage.view.state.lecture.reason = "--tree: 900000 tasks do not fit: pids.max is 4096; at "
					  "most 3900 fit";
	golden_assert("lecture-reason-64x20", stage_draw(&stage, 64, 20));
	golden_assert("lecture-reason-80x24", stage_draw(&stage, 80, 24));
	stage_close(&stage);
}

static void of_many_headings_those_around_the_scene_are_shown(void **state)
{
	const char *many[100];
	struct stage stage;

	for (size_t i = 0; i < 100; i++)
		many[i] = i == 57 ? "This one" : "Another";
	stage_mixed(&stage, 0);
	stage.view.state.lecture = (struct view_lecture) {.title = "Many",
							  .heading = many[57],
							  .caption = "",
							  .notes = "",
							  .headings = many,
							  .scene = 57,
							  .scenes = 100,
							  .slide = true};
	stage_draw(&stage, 64, 20);
	assert_int_equal(stage_find(&stage, "This one")->style.attr, ATTR_BOLD);
	assert_int_equal(stage_find(&stage, "This one")->style.fg, COLOUR_TITLE);
	assert_int_equal(stage_find(&stage, " 57  Another")[5].style.fg, COLOUR_DIM);
	assert_int_equal(stage_find(&stage, " 59  Another")[5].style.fg, COLOUR_DEFAULT);
	assert_non_null(stage_find(&stage, " 58"));
	assert_non_null(stage_find(&stage, "This one"));
	assert_null(stage_find(&stage, "100  Another"));
	stage_close(&stage);
}

static void a_blank_screen_is_blank(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.lecture = scene_of(1);
	stage_draw(&stage, 80, 24);
	stage.view.state.lecture.blank = true;
	stage_draw(&stage, 80, 24);
	for (size_t i = 0; stage.text[i]; i++)
		assert_true(stage.text[i] == ' ' || stage.text[i] == '\n');
	stage_close(&stage);
}

static void check_size(struct stage *stage, int w, int h)
{
	stage_draw(stage, w, h);
	assert_int_equal(stage->canvas.width, w);
	assert_int_equal(stage->canvas.height, h);
}

static void it_fits_every_size(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.lecture = scene_of(1);
	stage_each_size(&stage, check_size);
	stage.view.state.lecture.slide = true;
	stage.view.state.lecture.reason = "too large";
	stage_each_size(&stage, check_size);
	stage.view.state.lecture = notes_of(1);
	stage_each_size(&stage, check_size);
	stage_close(&stage);
}

/* Tests of the options that say what a view shows at first. */

static void a_worker_is_selected_by_its_name(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	assert_int_equal(view_select(&stage.view, &stage.model, "w10"), -ENOENT);
	assert_int_equal(view_select(&stage.view, &stage.model, "w8"), 0);
	stage_key(&stage, '2');
	stage_draw(&stage, 120, 36);
	assert_non_null(stage_find(&stage, "thread w8 io"));
	assert_int_equal(view_select(&stage.view, &stage.model, "w7"), 0);
	stage_draw(&stage, 120, 36);
	assert_non_null(stage_find(&stage, "thread w7 io"));
	model_free(&stage.model);
	model_init(&stage.model);
	assert_int_equal(view_select(&stage.view, &stage.model, "w8"), -EAGAIN);
	stage_close(&stage);
}

static void the_whole_name_comes_before_what_begins_so(void **state)
{
	struct stage stage;

	stage_tree(&stage);
	assert_int_equal(view_select(&stage.view, &stage.model, "2"), 0);
	stage_key(&stage, '2');
	stage_draw(&stage, 120, 36);
	assert_non_null(stage_find(&stage, " 2 "));
	stage_close(&stage);
}

static void a_time_that_was_asked_for_is_what_is_shown(void **state)
{
	struct stage stage;

	stage_mixed(&stage, 0);
	stage.view.state.window_from_ns = 1000000000;
	stage.view.state.window_to_ns = 1400000000;
	stage_key(&stage, '2');
	golden_assert("timeline-window-80x24", stage_draw(&stage, 80, 24));
	assert_true(stage_key(&stage, '+'));
	assert_int_equal(stage.view.state.window_from_ns, 1100000000);
	assert_int_equal(stage.view.state.window_to_ns, 1300000000);
	assert_true(stage_key(&stage, '-'));
	assert_true(stage_key(&stage, KEY_RIGHT_ARROW));
	assert_int_equal(stage.view.state.window_from_ns, 1080000000);
	for (int i = 0; i < 40; i++)
		stage_key(&stage, KEY_LEFT_ARROW);
	assert_int_equal(stage.view.state.window_from_ns, 0);
	assert_int_equal(stage.view.state.window_to_ns, 400000000);
	for (int i = 0; i < 100; i++)
		stage_key(&stage, '-');
	stage_draw(&stage, 80, 24);
	for (int i = 0; i < 100; i++)
		stage_key(&stage, '+');
	stage_draw(&stage, 80, 24);
	assert_true(stage_key(&stage, '='));
	assert_int_equal(stage.view.state.window_to_ns, 0);
	stage_close(&stage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_scene_has_its_heading_and_two_lines_at_every_size),
		cmocka_unit_test(no_state_of_the_view_takes_the_scene_away),
		cmocka_unit_test(a_notice_stands_where_the_speaker_looks),
		cmocka_unit_test(in_a_lecture_space_does_not_pause),
		cmocka_unit_test(a_list_sums_the_lecture_up),
		cmocka_unit_test(a_list_says_which_scenes_were_left),
		cmocka_unit_test(the_bars_of_a_list_begin_at_one_column),
		cmocka_unit_test(the_clock_of_a_scene_is_the_lectures),
		cmocka_unit_test(a_list_has_the_results_of_its_scenes),
		cmocka_unit_test(the_last_scene_has_the_key_of_the_menu),
		cmocka_unit_test(every_scene_has_the_keys_of_a_lecture_on_its_bar),
		cmocka_unit_test(no_key_is_offered_for_notes_that_there_are_not),
		cmocka_unit_test(the_help_of_a_lecture_does_not_offer_the_next_scene),
		cmocka_unit_test(no_key_draws_the_notes_over_the_screen),
		cmocka_unit_test(the_speaker_has_the_notes_the_time_and_the_next_scene),
		cmocka_unit_test(long_notes_scroll_to_their_end_and_no_further),
		cmocka_unit_test(a_scene_without_notes_says_so),
		cmocka_unit_test(help_begins_with_the_keys_of_a_lecture),
		cmocka_unit_test(without_a_session_the_headings_are_shown),
		cmocka_unit_test(of_many_headings_those_around_the_scene_are_shown),
		cmocka_unit_test(a_blank_screen_is_blank),
		cmocka_unit_test(it_fits_every_size),
		cmocka_unit_test(a_worker_is_selected_by_its_name),
		cmocka_unit_test(the_whole_name_comes_before_what_begins_so),
		cmocka_unit_test(a_time_that_was_asked_for_is_what_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
