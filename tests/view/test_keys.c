/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/key.h"
#include "stage/stage.h"
#include "view/keys.h"

/* Compares the table of keys with the help and the manual. */

enum { TEXT = 16384 };

/* Adds a word without the spaces from line breaks and columns. */
static void add(char *text, const char *word)
{
	snprintf(text + strlen(text), TEXT - strlen(text), "%s%s", *text ? " " : "", word);
}

/* Writes all rows below a heading, as words. */
static void table_text(char *text, const char *heading)
{
	const struct keys_row *row;

	*text = '\0';
	for (size_t i = 0; (row = keys_at(i)); i++)
		if (row->does && strcmp(keys_heading(row), heading) == 0) {
			add(text, row->keys);
			add(text, row->does);
		}
}

static const char *const headings[] = {"Keys", "Lecture", "Menu", "Search", "Question"};

/* Finds the list below the n-th .Bl of the section in the manual, as words. */
static char *manual_list(char *at, char *text)
{
	static const char *const names[][2] = {
		{"\\(ua", "↑"}, {"\\(da", "↓"}, {"\\(<-", "←"}, {"\\(->", "→"}, {"\\-", "-"}};
	bool inside = false, range = false;

	*text = '\0';
	for (char *line = strsep(&at, "\n"); line; line = strsep(&at, "\n")) {
		inside |= strncmp(line, ".Bl", 3) == 0;
		if (strcmp(line, ".El") == 0)
			return at;
		for (char *word = strsep(&line, " "); inside && word; word = strsep(&line, " ")) {
			if (strncmp(word, "\\&", 2) == 0)
				word += 2;
			else if (!strcmp(word, ",") || !strcmp(word, ".It") || !strcmp(word, "Ic"))
				continue;
			for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
				if (strcmp(word, names[i][0]) == 0)
					word = (char *)names[i][1];
			if (strcmp(word, "...") == 0)
				strcat(text, "…");
			else if (range)
				strcat(text, word);
			else if (strncmp(word, ".Bl", 3) == 0)
				break;
			else
				add(text, word);
			range = strcmp(word, "...") == 0;
		}
	}
	return at;
}

static void the_manual_lists_every_key_and_no_other(void **state)
{
	FILE *file = fopen(TEST_LECTURES "/../tuibench.1", "r");
	static char manual[1 << 20], table[TEXT], listed[TEXT];
	char *at;

	assert_non_null(file);
	manual[fread(manual, 1, sizeof(manual) - 1, file)] = '\0';
	fclose(file);
	at = strstr(manual, ".Sh KEYS");
	assert_non_null(at);
	*strstr(at, ".Sh THE MENU") = '\0';
	for (size_t i = 0; i < sizeof(headings) / sizeof(*headings); i++) {
		table_text(table, headings[i]);
		at = manual_list(at, listed);
		assert_string_equal(listed, table);
	}
	assert_null(strstr(at, ".It"));
}

/* Draws the help in one column, and writes its words without the frame. */
static void help_words(bool lecture, char *words, size_t size)
{
	struct stage stage;

	*words = '\0';
	stage_mixed(&stage, 0);
	if (lecture)
		stage.view.state.lecture = (struct view_lecture) {
			.title = "", .heading = "", .caption = "", .notes = "", .scenes = 1};
	stage_key(&stage, '?');
	stage_draw(&stage, 84, 240); /* one column; most sentences fit in a line */
	for (char *line = strtok(stage.text, "\n"); line; line = strtok(NULL, "\n"))
		for (char *from = line; *from && strlen(words) + strlen(line) < size;) {
			const size_t blank = strspn(from, " ");

			from += blank;
			if (strncmp(from, "│", 3) == 0) {
				from += 3;
				continue;
			}
			snprintf(words + strlen(words), size - strlen(words), " %.*s",
				 (int)strcspn(from, " "), from);
			from += strcspn(from, " ");
		}
	stage_close(&stage);
}

/* Each key is on the left of a column of the help, and its sentence follows it. */
static void the_help_shows_every_key_and_its_sentence(void **state)
{
	static char keys[1 << 16], lecture[1 << 16], table[TEXT];
	const struct keys_row *row;

	help_words(false, keys, sizeof(keys));
	help_words(true, lecture, sizeof(lecture));
	for (size_t i = 0; (row = keys_at(i)); i++) {
		const bool of_lecture = row->where == KEYS_LECTURE;

		if (!row->does)
			continue;
		snprintf(table, sizeof(table), " %s %s ", row->keys, row->does);
		if (!strstr(of_lecture ? lecture : keys, table))
			fail_msg("the help lacks:%s", table);
	}
}

/* In a lecture, the help does not say what n, the full stop and Space do elsewhere. */
static void the_help_of_a_lecture_has_one_meaning_for_a_key(void **state)
{
	static char words[1 << 16];

	help_words(true, words, sizeof(words));
	assert_non_null(strstr(words, " n Show how to open the speaker's notes "));
	assert_non_null(strstr(words, " N Find the next "));
	assert_non_null(strstr(words, " . Blank the screen "));
	assert_non_null(strstr(words, " , Stop the race "));
	assert_non_null(strstr(words, " Space Like PgDn: show the next scene"));
	assert_null(strstr(words, " Space Pause the session "));
	assert_non_null(strstr(words, " ↑ ↓ Home End Select another row"));
	assert_non_null(strstr(words, " Ctrl-L "));
}

/* An unknown name would be read as its first letter. */
static void every_name_is_that_of_a_key(void **state)
{
	const struct keys_row *row;

	for (size_t i = 0; (row = keys_at(i)); i++)
		for (const char *names = row->keys; *names;) {
			const char *name = names;
			const int key = keys_next(&names);
			const bool range = strstr(name, "…") && *name == '1';

			assert_true(key > 0);
			if (key < 128 && key != ' ' && !range)
				assert_int_equal(name[1] == ' ' || !name[1], true);
			assert_non_null(keys_find(NULL, key, row->where));
		}
}

/* No row hides a later one with the same key if both can apply. */
static void each_state_has_one_row_for_a_key_or_says_which_goes_first(void **state)
{
	/* the arrows and Home and End: for the view, or for the clock of a replay */
	static const int shared[] = {KEY_LEFT_ARROW, KEY_RIGHT_ARROW, KEY_HOME_KEY, KEY_END_KEY};
	const unsigned where[] = {KEYS_OVERVIEW | KEYS_LIVE,
				  KEYS_TIMELINE | KEYS_REPLAY,
				  KEYS_MEMORY | KEYS_REPLAY,
				  KEYS_CURVE | KEYS_LIVE,
				  KEYS_TYPING,
				  KEYS_MENU,
				  KEYS_QUESTION};

	for (size_t i = 0; i < sizeof(where) / sizeof(*where); i++)
		for (int key = ' '; key <= KEY_CTRL_L; key = key == 127 ? KEY_UP_ARROW : key + 1) {
			const struct keys_row *first = keys_find(NULL, key, where[i]);
			const struct keys_row *next =
				first ? keys_find(first, key, where[i]) : NULL;
			bool may = where[i] == KEYS_TYPING;

			for (size_t j = 0; j < sizeof(shared) / sizeof(*shared); j++)
				may |= key == shared[j];
			if (next && !may)
				fail_msg("%s: %s or %s", first->keys, first->does, next->does);
		}
}

/* If two rows have a key, the state decides; if both apply, the first row counts. */
static void a_key_means_what_the_state_says(void **state)
{
	static const struct {
		int key;
		unsigned where;
		enum keys_act first, second;
	} meant[] = {
		{'.', KEYS_TIMELINE | KEYS_REPLAY, KEYS_STEP},
		{'.', KEYS_TIMELINE | KEYS_REPLAY | KEYS_LECTURE, KEYS_BLANK, KEYS_STEP},
		{'.', KEYS_TIMELINE | KEYS_LIVE, KEYS_STEP},
		{'.', KEYS_MENU, 0},
		{'n', KEYS_TIMELINE | KEYS_LIVE, KEYS_FIND},
		{'n', KEYS_TIMELINE | KEYS_LIVE | KEYS_LECTURE, KEYS_NOTES, KEYS_FIND},
		{' ', KEYS_OVERVIEW | KEYS_LIVE | KEYS_LECTURE, KEYS_PAUSE, KEYS_PAUSE},
		{'n', KEYS_QUESTION, KEYS_REFUSE},
		{KEY_PAGE_DOWN, KEYS_MEMORY | KEYS_LIVE, KEYS_MOVE},
		{KEY_PAGE_DOWN, KEYS_OPEN | KEYS_LECTURE | KEYS_LIVE, KEYS_SCROLL, KEYS_NEXT_SCENE},
		{KEY_PAGE_DOWN, KEYS_MENU, KEYS_MOVE_MENU},
		{KEY_END_KEY, KEYS_TIMELINE | KEYS_REPLAY, KEYS_SEEK, KEYS_MOVE},
		{KEY_END_KEY, KEYS_TIMELINE | KEYS_LIVE, KEYS_MOVE},
		{KEY_LEFT_ARROW, KEYS_OVERVIEW | KEYS_REPLAY, KEYS_MOVE, KEYS_SEEK},
		{KEY_UP_ARROW, KEYS_OPEN | KEYS_REPLAY, KEYS_SCROLL},
		{KEY_ENTER_KEY, KEYS_OVERVIEW | KEYS_LIVE, KEYS_FOLD},
		{KEY_ENTER_KEY, KEYS_OPEN | KEYS_LIVE, 0},
		{KEY_ENTER_KEY, KEYS_TYPING, KEYS_FOUND, KEYS_TYPE},
		{'q', KEYS_TYPING, KEYS_TYPE},
		{'q', KEYS_MENU, KEYS_QUIT},
		{'q', KEYS_QUESTION, KEYS_REFUSE},
		{'e', KEYS_MENU, KEYS_CLOSE_MENU},
		{'r', KEYS_MENU, 0},
		{KEY_ESCAPE, KEYS_MEMORY | KEYS_REPLAY, KEYS_CLOSE},
		{KEY_CTRL_L, KEYS_QUESTION, KEYS_REDRAW},
		{KEY_F1 + 1, KEYS_OVERVIEW | KEYS_LIVE, 0},
		{'9', KEYS_OVERVIEW | KEYS_LIVE, 0},
	};

	for (size_t i = 0; i < sizeof(meant) / sizeof(*meant); i++) {
		const struct keys_row *first = keys_find(NULL, meant[i].key, meant[i].where);
		const struct keys_row *second =
			first ? keys_find(first, meant[i].key, meant[i].where) : NULL;

		assert_int_equal(first ? first->act : 0, meant[i].first);
		assert_int_equal(second ? second->act : 0, meant[i].second);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_manual_lists_every_key_and_no_other),
		cmocka_unit_test(the_help_shows_every_key_and_its_sentence),
		cmocka_unit_test(the_help_of_a_lecture_has_one_meaning_for_a_key),
		cmocka_unit_test(every_name_is_that_of_a_key),
		cmocka_unit_test(a_key_means_what_the_state_says),
		cmocka_unit_test(each_state_has_one_row_for_a_key_or_says_which_goes_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
