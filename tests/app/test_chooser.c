/* SPDX-License-Identifier: MIT */
#include "app/app.h"
#include "draw/key.h"

#include "stage/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiment/setting.h"
#include "stage/folder.h"
#include "stage/lectured.h"
#include "stage/place.h"
#include "stage/record.h"

/* What fills the menu: the table of experiments, and a state folder made for the test. */

static void record(const struct place *place, const char *name)
{
	struct synthetic session;
	char path[FOLDER_PATH];

	synthetic_mixed(&session, 6);
	record_file(folder_at(path, place->folder, name), &session);
}

static void read_all(struct chooser *chooser)
{
	while (chooser_read(chooser, false))
		;
	chooser_refresh(chooser);
}

/*
 * The option line of each choice can be typed, and is valid on any machine that runs these tests.
 */
static void every_choice_of_every_experiment_can_run(void **state)
{
	struct chooser *chooser = chooser_open(NULL, NULL);
	struct menu *menu = chooser_menu(chooser);

	(void)state;
	for (menu->row = 0; menu->row < menu->n_experiments; menu->row++) {
		struct menu_experiment *experiment = &menu->experiments[menu->row];

		menu->stale = true;
		chooser_refresh(chooser);
		if (menu_lecture(menu)) /* if a lecture is installed */
			continue;
		assert_true(experiment->n_parts > MENU_SETTINGS);
		for (int part = 0; part < experiment->n_parts; part++) {
			const char *word;

			assert_true(experiment->n[part] > 0);
			for (int i = experiment->n[part] - 1; i >= 0; i--) {
				experiment->chosen[part] = i;
				menu->stale = true;
				chooser_refresh(chooser);
				if (*menu->refusal)
					fail_msg("%s: %s", menu->command, menu->refusal);
				assert_int_equal(!strstr(menu->takes, " runs of up to "),
						 *menu->refusal != '\0');
				word = experiment->choices[part][i].options;
				assert_non_null(strstr(menu->command, word));
			}
		}
	}
	chooser_close(chooser);
}

/* Whether the setting has a valid value besides its default. */
static bool has_value_that_fits(struct request *request, const char *name,
				const struct experiment *built)
{
	char value[VARIABLE_VALUE], text[VARIABLE_NAME + VARIABLE_VALUE], error[512];

	for (size_t i = 0; setting_offer(name, i, built, value); i++) {
		if (strncmp(name, "env:", 4) == 0)
			snprintf(text, sizeof(text), "env:%s", value);
		else
			snprintf(text, sizeof(text), "%s=%s", name, value);
		request->settings[0] = text;
		if (strcmp(value, setting_find(name)->usual) != 0 &&
		    experiment_fits(request, error, sizeof(error)) == 0)
			return true;
	}
	return false;
}

/* Made from the table, so a new setting is tested without any change here. */
static void every_setting_that_concerns_an_experiment_is_offered(void **state)
{
	static struct experiment built;
	struct chooser *chooser = chooser_open(NULL, NULL);
	struct menu *menu = chooser_menu(chooser);
	char name[VARIABLE_NAME], error[512];
	struct request request;

	(void)state;
	for (menu->row = 0; menu->row < menu->n_experiments; menu->row++) {
		const struct menu_experiment *experiment = &menu->experiments[menu->row];

		menu->stale = true;
		chooser_refresh(chooser);
		if (menu_lecture(menu)) /* if a lecture is installed */
			continue;
		request_init(&request);
		request.experiment = experiment->name;
		assert_int_equal(experiment_build(&request, &built, error, sizeof(error)), 0);
		for (size_t i = 0; setting_name(i, name); i++) {
			int part = MENU_SETTINGS;

			while (part < experiment->n_parts &&
			       strcmp(experiment->part[part], name) != 0)
				part++;
			/* sizes of different kinds have no common value */
			if ((part < experiment->n_parts) !=
			    (setting_concerns(name, &built, false) &&
			     has_value_that_fits(&request, name, &built)))
				fail_msg("%s: %s", experiment->name, name);
		}
	}
	chooser_close(chooser);
}

/* The line of a setting shows only what the line of the whole command does not. */
static void a_setting_is_typed_once(void **state)
{
	struct chooser *chooser = chooser_open("scaling", NULL);
	struct menu *menu = chooser_menu(chooser);
	struct menu_experiment *experiment = &menu->experiments[menu->row];

	(void)state;
	chooser_refresh(chooser);
	experiment->chosen[MENU_SIZE] = 1;
	menu->stale = true;
	chooser_refresh(chooser);
	assert_string_equal(menu->command, "tuibench scaling -s workers=2..4");
	for (int part = MENU_SETTINGS; part < experiment->n_parts; part++)
		if (strcmp(experiment->part[part], "workers") == 0)
			experiment->chosen[part] = 4;
	menu->stale = true;
	chooser_refresh(chooser);
	assert_string_equal(menu->command, "tuibench scaling -s workers=8");
	chooser_close(chooser);
}

static void the_command_line_is_the_choice_typed(void **state)
{
	struct chooser *chooser = chooser_open("scaling", NULL);
	struct menu *menu = chooser_menu(chooser);

	(void)state;
	chooser_refresh(chooser);
	assert_string_equal(menu->command, "tuibench scaling");
	assert_non_null(strstr(menu->takes, "about 120 s on two cores"));
	menu_move(menu, KEY_RIGHT_ARROW);
	menu_move(menu, KEY_RIGHT_ARROW);
	menu_move(menu, KEY_DOWN_ARROW);
	menu_move(menu, KEY_RIGHT_ARROW);
	menu_move(menu, KEY_DOWN_ARROW);
	menu_move(menu, KEY_RIGHT_ARROW);
	chooser_refresh(chooser);
	assert_string_equal(menu->command, "tuibench scaling --models threads,processes,hybrid "
					   "-s workers=2..4 --quick");
	chooser_seal(chooser);
	menu->stale = true;
	chooser_refresh(chooser);
	assert_string_equal(menu->command, "tuibench scaling --models threads,processes,hybrid "
					   "-s workers=2..4 --quick --config=none");
	chooser_close(chooser);
}

/* What this machine cannot run is refused with the error of the command line. */
static void an_experiment_too_large_for_this_machine_is_refused_with_the_limit(void **state)
{
	struct chooser *chooser = chooser_open("tree", NULL);
	struct menu *menu = chooser_menu(chooser);

	(void)state;
	menu->experiments[menu->row].choices[MENU_SIZE][0].options =
		"--tree 4000000 -s all-alive=yes";
	chooser_refresh(chooser);
	assert_non_null(strstr(menu->refusal, "at most "));
	assert_string_equal(menu->takes, "");
	assert_false(menu_ready(menu));
	chooser_close(chooser);
}

static void the_next_experiment_is_that_behind_it(void **state)
{
	const struct experiment_kind *kind;
	const char *last = NULL;

	(void)state;
	for (size_t i = 0; (kind = experiment_at(i)); i++) {
		if (last)
			assert_string_equal(chooser_after(last), kind->name);
		last = kind->name;
	}
	assert_string_equal(chooser_after(last), "mixed");
	assert_string_equal(chooser_after("of another release"), "mixed");
	assert_string_equal(chooser_after(""), "mixed");
}

static void recordings_have_their_sentence_when_they_are_read(void **state)
{
	struct chooser *chooser;
	struct menu *menu;

	record(*state, "2026-11-20T15-30-00-mixed.csv");
	record(*state, "2026-11-21T16-31-00-mixed-2.csv");
	record(*state, "now.csv");
	chooser = chooser_open(NULL, "now.csv");
	menu = chooser_menu(chooser);
	assert_int_equal(menu->n_recordings, 2);
	assert_string_equal(menu->recordings[0].date, "2026-11-21 16:31");
	assert_string_equal(menu->recordings[0].experiment, "mixed-2");
	assert_null(menu->recordings[0].sentence);
	read_all(chooser);
	assert_string_equal(menu->recordings[0].experiment, "mixed");
	assert_string_equal(menu->recordings[0].models, "threads, processes");
	assert_int_equal(strncmp(menu->recordings[0].sentence, "[SAME SPEED] ", 13), 0);
	assert_string_equal(menu->recordings[0].sentence, menu->recordings[1].sentence);
	menu_move(menu, KEY_END_KEY);
	chooser_refresh(chooser);
	assert_non_null(strstr(menu->command, "tuibench --replay /"));
	assert_non_null(strstr(menu->command, "/tuibench/2026-11-20T15-30-00-mixed.csv"));
	chooser_close(chooser);
}

static void a_lecture_has_its_title_and_the_number_of_its_scenes(void **state)
{
	const struct place *place = *state;
	struct chooser *chooser;
	struct menu *menu;
	char path[FOLDER_PATH];

	lectured_file(folder_at(path, place->folder, "2026-11-22T10-00-00-lecture.csv"));
	chooser = chooser_open(NULL, NULL);
	menu = chooser_menu(chooser);
	read_all(chooser);
	assert_int_equal(menu->n_recordings, 1);
	assert_string_equal(menu->recordings[0].experiment, "lecture");
	assert_string_equal(menu->recordings[0].sentence,
			    "Five reports: 5 scenes, 3 with a session");
	chooser_close(chooser);
}

/* While runs are measured, only the selected recording is read. */
static void little_is_read_while_runs_are_measured(void **state)
{
	struct chooser *chooser;
	struct menu *menu;

	record(*state, "2026-11-20T15-30-00-mixed.csv");
	record(*state, "2026-11-21T16-31-00-mixed.csv");
	chooser = chooser_open(NULL, NULL);
	menu = chooser_menu(chooser);
	assert_false(chooser_read(chooser, true));
	menu_move(menu, KEY_END_KEY);
	while (chooser_read(chooser, true))
		;
	assert_null(menu->recordings[0].sentence);
	assert_non_null(menu->recordings[1].sentence);
	assert_true(menu->stale);
	chooser_close(chooser);
}

/* Another tuibench is writing the recording: first it is empty, then it has half of the rows. */
static void a_recording_that_grows_is_read_again(void **state)
{
	static const char name[] = "2026-11-20T15-30-00-mixed.csv";
	const struct place *place = *state;
	struct chooser *chooser;
	struct menu *menu;
	char path[FOLDER_PATH], *rows;
	const char *half;

	record(*state, name);
	rows = folder_read(folder_at(path, place->folder, name));
	half = strchr(rows + strlen(rows) / 2, '\n') + 1;
	folder_write(path, "");
	chooser = chooser_open(NULL, NULL);
	menu = chooser_menu(chooser);
	menu_move(menu, KEY_END_KEY);
	read_all(chooser);
	assert_true(menu->recordings[0].unreadable);
	folder_write(path, strndupa(rows, (size_t)(half - rows)));
	while (menu->recordings[0].unreadable)
		chooser_read(chooser, true);
	assert_int_equal(strncmp(menu->recordings[0].sentence, "[MEASURING ", 11), 0);
	folder_write(path, rows);
	while (strncmp(menu->recordings[0].sentence, "[MEASURING ", 11) == 0)
		chooser_read(chooser, true);
	assert_int_equal(strncmp(menu->recordings[0].sentence, "[SAME SPEED] ", 13), 0);
	chooser_close(chooser);
	free(rows);
}

static void an_unreadable_recording_cannot_be_replayed(void **state)
{
	const struct place *place = *state;
	char path[FOLDER_PATH];
	struct chooser *chooser;
	struct menu *menu;

	record(*state, "2026-11-20T15-30-00-mixed.csv");
	folder_write(folder_at(path, place->folder, "2026-11-21T15-30-00-mixed.csv"), "no log");
	folder_write(folder_at(path, place->folder, "2026-11-22T15-30-00-mixed.csv"), "");
	chooser = chooser_open(NULL, NULL);
	menu = chooser_menu(chooser);
	read_all(chooser);
	assert_int_equal(menu->n_recordings, 3);
	assert_true(menu->recordings[0].unreadable);
	assert_true(menu->recordings[1].unreadable);
	assert_false(menu->recordings[2].unreadable);
	chooser_close(chooser);
}

/* Names and texts of files are data. */
static void names_and_files_of_others_are_no_harm(void **state)
{
	const struct place *place = *state;
	struct chooser *chooser;
	struct menu *menu;
	char path[FOLDER_PATH];

	folder_write(folder_at(path, place->folder, "a\033]0;b\ac.csv"), "no recording\n");
	assert_int_equal(mkfifo(folder_at(path, place->folder, "pipe.csv"), 0600), 0);
	assert_int_equal(symlink("pipe.csv", folder_at(path, place->folder, "link.csv")), 0);
	chooser = chooser_open(NULL, NULL);
	menu = chooser_menu(chooser);
	assert_int_equal(menu->n_recordings, 2);
	read_all(chooser);
	for (int i = 0; i < 2; i++) {
		assert_null(strchr(menu->recordings[i].name, '\033'));
		assert_null(strchr(menu->recordings[i].experiment, '\033'));
		assert_true(menu->recordings[i].read);
		assert_string_equal(menu->recordings[i].date, "?");
	}
	for (menu->row = menu->n_experiments; menu->row < menu->n_experiments + 2; menu->row++) {
		menu->stale = true;
		chooser_refresh(chooser);
		assert_null(strchr(menu->command, '\033'));
		assert_null(strchr(menu->takes, '\033'));
	}
	chooser_close(chooser);
}

static void a_half_read_recording_is_closed(void **state)
{
	struct chooser *chooser;

	record(*state, "2026-11-20T15-30-00-mixed.csv");
	chooser = chooser_open(NULL, NULL);
	chooser_read(chooser, false);
	chooser_close(chooser);
	chooser_close(NULL);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(every_choice_of_every_experiment_can_run),
		TEST(every_setting_that_concerns_an_experiment_is_offered),
		TEST(a_setting_is_typed_once),
		TEST(the_command_line_is_the_choice_typed),
		TEST(an_experiment_too_large_for_this_machine_is_refused_with_the_limit),
		TEST(the_next_experiment_is_that_behind_it),
		TEST(a_lecture_has_its_title_and_the_number_of_its_scenes),
		TEST(recordings_have_their_sentence_when_they_are_read),
		TEST(little_is_read_while_runs_are_measured),
		TEST(a_recording_that_grows_is_read_again),
		TEST(an_unreadable_recording_cannot_be_replayed),
		TEST(names_and_files_of_others_are_no_harm),
		TEST(a_half_read_recording_is_closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
