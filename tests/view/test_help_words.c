/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "cli/options.h"
#include "core/sample.h"
#include "result/table.h"
#include "stage/stage.h"

/* Asks --help for each word that the screens explain nowhere else: legends, badges, titles. */

static bool is_explained(const char *word)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int err;

	assert_non_null(out);
	err = options_help(word, out);
	assert_int_equal(fclose(out), 0);
	free(text);
	return err == 0 && size > 0;
}

static unsigned n_words;

static void assert_explained(const char *word)
{
	n_words++;
	if (!is_explained(word))
		fail_msg("--help knows nothing of \"%s\"", word);
}

static void ask_for_legend(struct stage *stage)
{
	static const int sizes[][2] = {{64, 20}, {80, 24}, {120, 36}, {200, 50}};
	const struct view_shown *shown = &stage->view.shown;

	for (int view = 1; view <= 6; view++)
		for (size_t i = 0; i < 4; i++) {
			stage->view.state.view = view;
			stage_draw(stage, sizes[i][0], sizes[i][1]);
			for (int k = 0; k < shown->n_legend; k++)
				assert_explained(shown->legend[k].name);
		}
}

static void help_knows_each_word_of_a_legend(void **state)
{
	static void (*const sessions[])(struct synthetic *, uint32_t) = {
		synthetic_mixed, synthetic_tree,   synthetic_scaling,
		synthetic_hello, synthetic_shapes, synthetic_creation};
	static const double stops_s[] = {0, 0.3, 1};

	n_words = 0;
	for (size_t i = 0; i < LENGTH(sessions); i++)
		for (size_t k = 0; k < LENGTH(stops_s); k++) {
			struct stage stage;

			stage_sweep(&stage, sessions[i], stops_s[k]);
			ask_for_legend(&stage);
			stage_close(&stage);
		}
	assert_true(n_words > 100);
}

/* Words of the badge in each state, and of the causes of waits in the rows of tasks. */
static void help_knows_each_badge_and_each_wait(void **state)
{
	static const char *const badges[] = {"MEASURING 3/6", "FASTER",	   "SAME SPEED",
					     "SAME",	      "TOO CLOSE", "NO RESULT",
					     "REAL",	      "lock 1",	   "not counted"};

	for (size_t i = 0; i < LENGTH(badges); i++)
		assert_explained(badges[i]);
	for (int wait = WAIT_SEVERAL; wait < WAITS; wait++)
		if (sample_wait_names[wait])
			assert_explained(sample_wait_names[wait]);
}

/* Titles of tables and their columns, of a session of each kind. */
static void help_knows_each_title_of_a_table(void **state)
{
	static void (*const sessions[])(struct synthetic *, uint32_t) = {
		synthetic_mixed, synthetic_tree, synthetic_scaling, synthetic_hello,
		synthetic_creation};

	for (size_t i = 0; i < LENGTH(sessions); i++) {
		struct synthetic session;
		struct model model;

		sessions[i](&session, 8);
		synthetic_model(&session, &model);
		for (enum table_id id = 0; id < TABLES; id++) {
			struct table table;

			assert_int_equal(table_build(&model, id, &table), 0);
			for (size_t k = 0; table_rows(&table) && k < table.n_columns; k++)
				if (*table_title(&table.columns[k]))
					assert_explained(table_title(&table.columns[k]));
			table_free(&table);
		}
		model_free(&model);
	}
}

/* Words that stand in rows, tags and titles, and that newcomers asked for. */
static void help_knows_the_words_of_rows_and_tags(void **state)
{
	static const char *const words[] = {"several",
					    "lanes",
					    "disturbed",
					    "far off",
					    "per pair",
					    "slightly",
					    "too close",
					    "in part",
					    "other programs",
					    "grey",
					    "half were faster",
					    "idle",
					    "same core",
					    "other core",
					    "not decided",
					    "undecided",
					    "thread",
					    "process connector",
					    "where the elapsed time went",
					    "died with",
					    "every run",
					    "run+wait",
					    "most on",
					    "enlarged",
					    "not real",
					    "so far",
					    "at most",
					    "warm-up",
					    "pinned",
					    "free",
					    "lost"};

	for (size_t i = 0; i < LENGTH(words); i++)
		assert_explained(words[i]);
}

static void help_finds_a_mark_in_the_help_of_its_view(void **state)
{
	assert_explained("┈");
	assert_explained("mean");
	assert_false(is_explained("nonsense"));
	assert_false(is_explained("run nonsense"));
	assert_false(is_explained(" "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(help_knows_each_word_of_a_legend),
		cmocka_unit_test(help_knows_each_badge_and_each_wait),
		cmocka_unit_test(help_knows_each_title_of_a_table),
		cmocka_unit_test(help_knows_the_words_of_rows_and_tags),
		cmocka_unit_test(help_finds_a_mark_in_the_help_of_its_view),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
