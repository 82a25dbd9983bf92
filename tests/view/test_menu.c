/* SPDX-License-Identifier: MIT */
#include "draw/key.h"
#include "view/menu.h"

#include "stage/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stage/golden.h"

/* Tests of the menu, with made-up experiments and recordings. */

struct fixture {
	struct menu menu;
	struct canvas canvas;
	char *text;
	struct menu_recording recordings[40];
};

static const struct menu_experiment experiments[] = {
	{.name = "mixed",
	 .question = "Threads or processes: which are done first?",
	 .about = "6 cpu + 2 io workers, started together, as threads and as processes",
	 .n_parts = MENU_SETTINGS,
	 .part = {"models", "size", "trials"},
	 .n = {3, 2, 2},
	 .choices = {{{"threads, processes", ""}, {"threads", "-m threads"}, {"processes", ""}},
		     {{"6 cpu + 2 io", ""}, {"2 cpu", "-w cpu=2"}},
		     {{"enough to find 3 %", ""}, {"quick", "--quick"}}}},
	{.name = "hello",
	 .question = "Who says hello soonest: one, the other, a mix?",
	 .about = "255 workers that say hello 10 to 900 times, as threads, processes, 16x16",
	 .n_parts = MENU_SETTINGS,
	 .part = {"models", "size", "trials"},
	 .n = {1, 1, 1},
	 .choices = {{{"threads, processes, hybrid", ""}},
		     {{"255 workers, 10 to 900 lines", ""}},
		     {{"enough to find 3 %", ""}}}},
	{.name = "creation",
	 .question = "What does it take to create one task?",
	 .about = "one after the other: fork, vfork, posix_spawn, exec, threads, clone",
	 .n_parts = MENU_SETTINGS,
	 .part = {"models", "size", "trials"},
	 .n = {1, 1, 1},
	 .choices = {{{"all ways", ""}}, {{"200 times", ""}}, {{"enough to find 3 %", ""}}}},
};

enum { EXPERIMENTS = sizeof(experiments) / sizeof(experiments[0]) };

static void add_recording(struct fixture *f, int i)
{
	struct menu_recording *recording = &f->recordings[i];

	recording->name = "2026-11-22T15-30-00-hello.csv";
	snprintf(recording->date, sizeof(recording->date), "2026-11-22 15:%02d", i);
	snprintf(recording->experiment, sizeof(recording->experiment), "hello");
	snprintf(recording->models, sizeof(recording->models), "threads, processes");
	snprintf(recording->machine, sizeof(recording->machine), "lab7");
	if (i != 1)
		recording->sentence =
			"[FASTER] Threads 239 ms, processes 454 ms: 1.9 times as long.";
}

static const struct menu_experiment tour = {.name = "tour",
					    .question = "A tour of two minutes",
					    .about = "create, crash, compute, write"};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->menu.part = MENU_LIST;
	f->menu.n_experiments = EXPERIMENTS;
	memcpy(f->menu.experiments, experiments, sizeof(experiments));
	f->menu.recordings = f->recordings;
	for (int i = 0; i < 40; i++)
		add_recording(f, i);
	f->menu.n_recordings = 3;
	snprintf(f->menu.command, sizeof(f->menu.command), "tuibench mixed -w cpu=2");
	snprintf(f->menu.takes, sizeof(f->menu.takes),
		 "2 cpu: 2 configurations, 15 trials and 1 warm-up of each, 32 runs of up to 2 "
		 "tasks; about "
		 "10 s on two cores");
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	canvas_free(&f->canvas);
	free(f->text);
	free(f);
	return 0;
}

static const char *draw(struct fixture *f, int width, int height)
{
	assert_int_equal(canvas_resize(&f->canvas, width, height), 0);
	canvas_clear(&f->canvas);
	view_menu_draw(&f->canvas, &f->menu);
	free(f->text);
	f->text = canvas_to_text(&f->canvas);
	assert_non_null(f->text);
	return f->text;
}

static void press(struct fixture *f, int key)
{
	menu_move(&f->menu, key);
	draw(f, 120, 36);
}

static void the_menu_reads_as_agreed_at_every_size(void **state)
{
	struct fixture *f = *state;

	golden_assert("menu-64x20", draw(f, 64, 20));
	golden_assert("menu-80x24", draw(f, 80, 24));
	golden_assert("menu-120x36", draw(f, 120, 36));
	golden_assert("menu-200x50", draw(f, 200, 50));
	golden_assert("menu-20x5", draw(f, 20, 5));
}

static void a_recording_reads_as_agreed(void **state)
{
	struct fixture *f = *state;

	f->menu.alone = true;
	f->menu.row = EXPERIMENTS;
	snprintf(f->menu.command, sizeof(f->menu.command),
		 "tuibench --replay /home/me/.local/state/tuibench/2026-11-22T15-30-00-hello.csv");
	golden_assert("menu-recording-80x24", draw(f, 80, 24));
	golden_assert("menu-recording-120x36", draw(f, 120, 36));
	f->menu.row = EXPERIMENTS + 1;
	assert_non_null(strstr(draw(f, 80, 24), "reading it"));
}

/* The line with the limit is visible even on a screen that has room for little else. */
static void the_reason_of_a_refusal_is_seen_on_a_small_screen(void **state)
{
	struct fixture *f = *state;

	f->menu.takes[0] = '\0';
	snprintf(f->menu.refusal, sizeof(f->menu.refusal),
		 "--tree 1000x3999: threads need 4000000 tasks if all are alive at once; "
		 "kernel.pid_max is 32768, of which 32000 are left, so at most 1000x30 fits");
	golden_assert("menu-refused-64x20", draw(f, 64, 20));
	golden_assert("menu-refused-120x36", draw(f, 120, 36));
	assert_false(menu_ready(&f->menu));
}

/* From 20x5 on, every screen shows the name of the selected row and its key. */
static void the_selected_row_is_seen_at_every_size(void **state)
{
	struct fixture *f = *state;

	f->menu.n_recordings = 40;
	for (int row = 0; row < EXPERIMENTS + 40; row++) {
		f->menu.row = row;
		for (int h = 5; h <= 50; h += 5)
			for (int w = 20; w <= 200; w += 20) {
				const struct menu_shown *shown = &f->menu.shown;
				bool seen = false;

				draw(f, w, h);
				for (int i = 0; i < shown->n_zones; i++)
					seen |= shown->zones[i].part == MENU_LIST &&
						shown->zones[i].value == row;
				assert_true(seen);
				assert_non_null(strstr(f->text, "Enter"));
			}
	}
}

static void arrows_reach_every_row_and_choice(void **state)
{
	struct fixture *f = *state;
	struct menu *menu = &f->menu;

	draw(f, 120, 36);
	press(f, KEY_RIGHT_ARROW);
	assert_int_equal(menu->part, MENU_MODELS);
	press(f, KEY_RIGHT_ARROW);
	assert_int_equal(menu->experiments[0].chosen[MENU_MODELS], 1);
	assert_true(menu->stale);
	for (int i = 0; i < 9; i++)
		press(f, KEY_RIGHT_ARROW);
	assert_int_equal(menu->experiments[0].chosen[MENU_MODELS], 2);
	press(f, KEY_DOWN_ARROW);
	press(f, KEY_RIGHT_ARROW);
	assert_int_equal(menu->experiments[0].chosen[MENU_SIZE], 1);
	press(f, KEY_DOWN_ARROW);
	press(f, KEY_DOWN_ARROW);
	assert_int_equal(menu->part, MENU_TRIALS);
	press(f, KEY_LEFT_ARROW);
	assert_int_equal(menu->part, MENU_LIST);
	press(f, KEY_END_KEY);
	assert_ptr_equal(menu_recording(menu), &f->recordings[2]);
	press(f, KEY_RIGHT_ARROW);
	press(f, KEY_TAB);
	assert_int_equal(menu->part, MENU_LIST);
	press(f, KEY_HOME_KEY);
	assert_ptr_equal(menu_experiment(menu), &menu->experiments[0]);
	assert_int_equal(menu->experiments[0].chosen[MENU_SIZE], 1);
}

static void tab_goes_through_the_lines_and_back(void **state)
{
	struct fixture *f = *state;

	for (int part = 0; part < MENU_SETTINGS; part++) {
		press(f, KEY_TAB);
		assert_int_equal(f->menu.part, part);
	}
	press(f, KEY_TAB);
	assert_int_equal(f->menu.part, MENU_LIST);
	press(f, KEY_BACK_TAB);
	assert_int_equal(f->menu.part, MENU_TRIALS);
}

/* Esc closes the menu, but does not end the program, so without a session it is not a key. */
static void the_bottom_line_has_the_keys_of_the_menu(void **state)
{
	struct fixture *f = *state;

	draw(f, 120, 36);
	assert_true(menu_ready(&f->menu));
	assert_non_null(strstr(f->text, "q Quit"));
	assert_non_null(strstr(f->text, "Enter Run"));
	assert_non_null(strstr(f->text, "← → Choices"));
	assert_non_null(strstr(f->text, "Esc Close"));
	press(f, KEY_TAB);
	assert_non_null(strstr(f->text, "← → Change"));
	f->menu.alone = true;
	press(f, KEY_END_KEY);
	assert_null(strstr(f->text, "Esc"));
	assert_null(strstr(f->text, "← →"));
	assert_non_null(strstr(f->text, "Enter Replay"));
}

/* Finds where a text begins on the canvas. */
static void find(const struct fixture *f, const char *text, int *x, int *y)
{
	const char *at = strstr(f->text, text), *from = f->text;

	assert_non_null(at);
	for (*y = 0; memchr(from, '\n', (size_t)(at - from)); ++*y)
		from = strchr(from, '\n') + 1;
	for (*x = 0; from < at; ++*x)
		utf8_next(&from);
}

static int click(struct fixture *f, const char *text)
{
	int x, y;

	find(f, text, &x, &y);
	return menu_mouse(&f->menu, KEY_MOUSE_PRESS, x, y);
}

static void rows_choices_and_keys_answer_clicks(void **state)
{
	struct fixture *f = *state;

	draw(f, 80, 24);
	assert_int_equal(click(f, "Who says"), 0);
	assert_int_equal(f->menu.row, 1);
	draw(f, 80, 24);
	assert_int_equal(click(f, "Who says"), KEY_ENTER_KEY);
	assert_int_equal(click(f, "◂ threads"), KEY_LEFT_ARROW);
	assert_int_equal(click(f, "255 workers, 10"), KEY_RIGHT_ARROW);
	assert_int_equal(f->menu.part, MENU_SIZE);
	assert_int_equal(click(f, "Esc"), KEY_ESCAPE);
	assert_int_equal(click(f, "EXPERIMENTS"), 0);
	assert_int_equal(menu_mouse(&f->menu, KEY_WHEEL_DOWN, 1, 1), KEY_DOWN_ARROW);
	assert_int_equal(f->menu.part, MENU_LIST);
}

/* If all choices are visible, each can be clicked. */
static void choices_answer_clicks(void **state)
{
	struct fixture *f = *state;

	draw(f, 120, 36);
	assert_int_equal(click(f, "○ processes"), 0);
	assert_int_equal(f->menu.part, MENU_MODELS);
	assert_int_equal(f->menu.experiments[0].chosen[MENU_MODELS], 2);
	assert_true(f->menu.stale);
	draw(f, 120, 36);
	assert_non_null(strstr(f->text, "● processes"));
	assert_int_equal(click(f, "quick"), 0);
	assert_int_equal(f->menu.part, MENU_TRIALS);
	assert_int_equal(f->menu.experiments[0].chosen[MENU_TRIALS], 1);
}

/* After the clicked row was drawn, it has moved, and a row with fewer choices is in its place. */
static void a_click_is_not_for_another_row(void **state)
{
	struct fixture *f = *state;

	draw(f, 120, 36);
	menu_move(&f->menu, KEY_DOWN_ARROW);
	assert_int_equal(click(f, "quick"), 0);
	assert_int_equal(f->menu.experiments[0].chosen[MENU_TRIALS], 0);
	assert_int_equal(f->menu.experiments[1].chosen[MENU_TRIALS], 0);
	draw(f, 120, 36);
	assert_int_equal(click(f, "● threads"), 0);
	assert_int_equal(f->menu.part, MENU_MODELS);
	/*
	 * One choice on each line, where a click is a key. Then a recording, which has no choices.
	 */
	draw(f, 80, 24);
	menu_move(&f->menu, KEY_END_KEY);
	assert_int_equal(click(f, "255 workers, 10"), 0);
	assert_int_equal(f->menu.part, MENU_LIST);
}

static void an_unreadable_recording_is_not_counted_as_replayable(void **state)
{
	struct fixture *f = *state;

	f->recordings[1].unreadable = true;
	assert_non_null(strstr(draw(f, 80, 24), " 2 recordings to replay, 1 unreadable "));
	f->recordings[0].unreadable = f->recordings[2].unreadable = true;
	assert_non_null(strstr(draw(f, 80, 24), " 3 unreadable "));
	assert_null(strstr(f->text, "to replay"));
}

static void a_menu_of_nothing_is_drawn(void **state)
{
	struct fixture *f = *state;

	f->menu.n_experiments = f->menu.n_recordings = 0;
	for (int key = 0; key < 12; key++)
		press(f, KEY_UP_ARROW + key);
	assert_false(menu_ready(&f->menu));
	draw(f, 1, 1);
}

/* In a small window, the settings have one line each, below the trials. */
static void settings_stand_below_the_trials(void **state)
{
	struct fixture *f = *state;
	struct menu_experiment *mixed = &f->menu.experiments[0];

	for (mixed->n_parts = MENU_SETTINGS; mixed->n_parts < MENU_PARTS; mixed->n_parts++) {
		mixed->part[mixed->n_parts] = "alloc";
		mixed->n[mixed->n_parts] = 2;
		mixed->choices[mixed->n_parts][0] = (struct menu_choice) {"as it is", ""};
		mixed->choices[mixed->n_parts][1] = (struct menu_choice) {"400", NULL};
	}
	mixed->part[MENU_PARTS - 1] = "fault";
	assert_null(strstr(draw(f, 80, 24), "fault"));
	f->menu.part = MENU_MODELS;
	for (int part = MENU_MODELS + 1; part < MENU_PARTS; part++)
		press(f, KEY_DOWN_ARROW);
	assert_int_equal(f->menu.part, MENU_PARTS - 1);
	press(f, KEY_DOWN_ARROW);
	assert_int_equal(f->menu.part, MENU_PARTS - 1);
	assert_non_null(strstr(draw(f, 80, 24), "fault"));
	press(f, KEY_RIGHT_ARROW);
	assert_int_equal(mixed->chosen[MENU_PARTS - 1], 1);
	press(f, KEY_TAB);
	assert_int_equal(f->menu.part, MENU_LIST);
}

static void a_lecture_has_nothing_to_choose(void **state)
{
	struct fixture *f = *state;

	f->menu.experiments[0] = tour;
	assert_non_null(strstr(draw(f, 80, 24), "create, crash, compute, write"));
	assert_null(strstr(f->text, "Choices"));
	press(f, KEY_RIGHT_ARROW);
	assert_int_equal(f->menu.part, MENU_LIST);
	press(f, KEY_TAB);
	assert_int_equal(f->menu.part, MENU_LIST);
	press(f, KEY_DOWN_ARROW);
	assert_non_null(strstr(f->text, "Choices"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(the_menu_reads_as_agreed_at_every_size),
		TEST(a_recording_reads_as_agreed),
		TEST(the_reason_of_a_refusal_is_seen_on_a_small_screen),
		TEST(the_selected_row_is_seen_at_every_size),
		TEST(arrows_reach_every_row_and_choice),
		TEST(tab_goes_through_the_lines_and_back),
		TEST(settings_stand_below_the_trials),
		TEST(the_bottom_line_has_the_keys_of_the_menu),
		TEST(rows_choices_and_keys_answer_clicks),
		TEST(choices_answer_clicks),
		TEST(a_click_is_not_for_another_row),
		TEST(an_unreadable_recording_is_not_counted_as_replayable),
		TEST(a_menu_of_nothing_is_drawn),
		TEST(a_lecture_has_nothing_to_choose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
