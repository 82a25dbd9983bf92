/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <stdlib.h>
#include <string.h>

#include "stage/golden.h"
#include "stage/stage.h"

/* The Curve of what it takes to create. */

static void creation_reads_as_agreed(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	golden_assert("creation-200x50", stage_draw(&stage, 200, 50));
	golden_assert("creation-120x36", stage_draw(&stage, 120, 36));
	golden_assert("creation-80x24", stage_draw(&stage, 80, 24));
	golden_assert("creation-40x12", stage_draw(&stage, 40, 12));
	stage_close(&stage);
	stage_sweep(&stage, synthetic_creation, 1);
	assert_true(stage_key(&stage, '5'));
	golden_assert("creation-running-120x36", stage_draw(&stage, 120, 36));
	stage_close(&stage);
}

static void creation_shows_one_span_after_the_other(void **state)
{
	struct stage stage;
	char *text;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	text = strdup(stage_draw(&stage, 200, 50)); /* there is room for both */
	assert_non_null(text);
	assert_non_null(strstr(text, "caller"));
	assert_non_null(strstr(text, " task "));
	assert_non_null(strstr(text, "m Until when"));
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 200, 50), "to the caller"));
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 200, 50), "to the task"));
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 200, 50), "until joined"));
	assert_true(stage_key(&stage, 'm'));
	assert_string_equal(stage_draw(&stage, 200, 50), text);
	free(text);
	/* and where there is none, no press of the key is in vain */
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "to the task"));
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "to the caller"));
	assert_true(stage_key(&stage, 'm'));
	assert_non_null(strstr(stage_draw(&stage, 80, 24), "until joined"));
	stage_close(&stage);
}

static void creation_shows_one_place_after_the_other(void **state)
{
	static const char *const where[] = {"on one core", "left to the scheduler",
					    "after 1 ms idle", "everywhere"};
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	for (size_t i = 0; i <= 4; i++) {
		const char *text = stage_draw(&stage, 120, 36);

		assert_non_null(strstr(text, where[i % 4]));
		assert_non_null(strstr(text, "w Where"));
		assert_int_equal(strstr(text, "same 75 %") != NULL, i % 4 == 1 || i % 4 == 3);
		assert_int_equal(strstr(text, "other, idle 97 %") != NULL,
				 i % 4 == 2 || i % 4 == 3);
		assert_true(stage_key(&stage, 'w'));
	}
	golden_assert("creation-free-120x36", stage_draw(&stage, 120, 36));
	golden_assert("creation-free-80x24", stage_draw(&stage, 80, 24));
	stage_close(&stage);
	stage_sweep(&stage, synthetic_creation_old, 0);
	assert_true(stage_key(&stage, '5'));
	golden_assert("creation-old-120x36", stage_draw(&stage, 120, 36));
	assert_null(strstr(stage_draw(&stage, 120, 36), "w Where"));
	stage_close(&stage);
}

static void more_than_three_cases_have_the_sentence_alone(void **state)
{
	struct stage stage;
	const char *text;

	stage_sweep(&stage, synthetic_creation, 0);
	text = stage_draw(&stage, 120, 36);
	assert_non_null(strstr(text, "[REAL] pthread_create, at 2 values of ballast: "));
	assert_null(strstr(text, " faster "));
	stage_close(&stage);
}

/* What is timed is what workers do: nobody is told of ways of creating a task. */
static void operations_have_captions_of_their_own(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	stage.view.state.captions = VIEW_CAPTIONS_ON;
	assert_true(stage_key(&stage, '5'));
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "From the call until it returned"));
	stage.model.cases[0].plan.tasks = 100;
	assert_non_null(strstr(stage_draw(&stage, 120, 36), "How long each operation took"));
	stage_close(&stage);
}

static void creation_scrolls_where_its_rows_do_not_fit(void **state)
{
	struct stage stage;

	stage_sweep(&stage, synthetic_creation, 0);
	assert_true(stage_key(&stage, '5'));
	assert_null(strstr(stage_draw(&stage, 40, 12), "clone"));
	assert_true(stage_key(&stage, KEY_END_KEY));
	assert_non_null(strstr(stage_draw(&stage, 40, 12), "clone"));
	stage_close(&stage);
}

static void draw_curve(struct stage *stage, int w, int h)
{
	static const int keys[] = {'m', 'w', 'l', 'L', 'w', 'm', 'l', 'w', 'L', '?', '?', 0};

	stage_press(stage, keys, w, h);
}

static void creation_draws_at_every_size(void **state)
{
	struct stage stage;

	for (int stop_s = 0; stop_s <= 2; stop_s++) {
		stage_sweep(&stage, synthetic_creation, stop_s);
		assert_true(stage_key(&stage, '5'));
		stage_each_size(&stage, draw_curve);
		stage_close(&stage);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(creation_reads_as_agreed),
		cmocka_unit_test(creation_shows_one_span_after_the_other),
		cmocka_unit_test(creation_shows_one_place_after_the_other),
		cmocka_unit_test(more_than_three_cases_have_the_sentence_alone),
		cmocka_unit_test(operations_have_captions_of_their_own),
		cmocka_unit_test(creation_scrolls_where_its_rows_do_not_fit),
		cmocka_unit_test(creation_draws_at_every_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
