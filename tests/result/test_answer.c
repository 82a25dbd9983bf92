/* SPDX-License-Identifier: MIT */
#include "result/answer.h"

#include "stage/check.h"

#include <math.h>
#include <stdio.h>

#include "core/comparison.h"
#include "stage/synthetic.h"

#define SECOND 1000000000ll

/* The models that answer_foremost() compares. a and b are equal if there is no such row. */
struct foremost {
	char a[SAMPLE_NAME], b[SAMPLE_NAME];
	bool alike; /* a and b have the same values */
};

/* change: called before answer_foremost(), to change the answer; NULL: not called. */
static struct foremost foremost_of(const struct synthetic *session,
				   void (*change)(struct answer *answer))
{
	struct foremost found = {.alike = false};
	const struct answer_row *row;
	struct answer answer;
	struct model model;

	synthetic_model(session, &model);
	assert_int_equal(answer_read(&answer, &model), 0);
	if (change)
		change(&answer);
	row = answer_foremost(&answer, &model);
	if (row) {
		const struct sample_case *a = &model.cases[row->reference];
		const struct sample_case *b = &model.cases[row->case_id];

		snprintf(found.a, sizeof(found.a), "%s", a->model);
		snprintf(found.b, sizeof(found.b), "%s", b->model);
		found.alike = comparison_alike(a, b);
	}
	answer_free(&answer);
	model_free(&model);
	return found;
}

static void nothing_is_foremost_if_nothing_is_compared(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 6);
	session.cases = 1;
	assert_string_equal(foremost_of(&session, NULL).b, "");
}

static void nothing_is_foremost_before_the_first_run(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 6);
	session.stop_ns = 1;
	assert_string_equal(foremost_of(&session, NULL).b, "");
}

static void the_model_that_differs_most_is_foremost(void **state)
{
	struct synthetic session;
	struct foremost found;

	synthetic_mixed(&session, 8);
	session.span_ns[0] = 3 * SECOND;
	session.span_ns[1] = 4 * SECOND;
	synthetic_add(&session, "hybrid:2x4", "", 6 * SECOND);
	synthetic_add(&session, "hybrid:4x2", "", 5 * SECOND);
	found = foremost_of(&session, NULL);
	assert_string_equal(found.a, "threads");
	assert_string_equal(found.b, "hybrid:2x4");
	/* A ratio of 1/3 is further from 1 than a ratio of 2. */
	session.span_ns[3] = 1 * SECOND;
	assert_string_equal(foremost_of(&session, NULL).b, "hybrid:4x2");
}

static void make_the_larger_inconclusive(struct answer *answer)
{
	assert_true(answer->rows[2].cells[0].ratio.estimate >
		    answer->rows[1].cells[0].ratio.estimate);
	answer->rows[2].cells[0].state = ANSWER_CLOSE;
}

static void forget_ratios(struct answer *answer)
{
	for (uint32_t i = 0; i < answer->n_rows; i++)
		answer->rows[i].cells[0].ratio.estimate = NAN;
}

static void a_real_difference_is_before_a_larger_inconclusive_one(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 8);
	session.span_ns[1] = 4 * SECOND;
	synthetic_add(&session, "hybrid:2x4", "", 6 * SECOND);
	assert_string_equal(foremost_of(&session, NULL).b, "hybrid:2x4");
	assert_string_equal(foremost_of(&session, make_the_larger_inconclusive).b, "processes");
}

static void without_any_ratio_the_first_comparison_is_foremost(void **state)
{
	struct synthetic session;

	synthetic_mixed(&session, 8);
	synthetic_add(&session, "hybrid:2x4", "", 6 * SECOND);
	assert_string_equal(foremost_of(&session, forget_ratios).b, "processes");
}

static void after_a_sweep_two_models_are_before_two_values(void **state)
{
	struct synthetic session;
	struct foremost found;

	/*
	 * Threads with 8 workers take four times as long as with 2; no two models differ so much.
	 */
	synthetic_scaling(&session, 6);
	found = foremost_of(&session, NULL);
	assert_string_equal(found.a, "threads");
	assert_string_equal(found.b, "processes");
	assert_true(found.alike);
}

static void a_running_sweep_shows_the_value_that_it_measures(void **state)
{
	const struct answer_row *row;
	struct synthetic session;
	struct answer answer;
	struct model model;

	synthetic_scaling(&session, 6);
	synthetic_model(&session, &model);
	for (size_t i = model.n_runs - session.cases; i < model.n_runs; i++) {
		const struct model_run *run = &model.runs[i];

		model_seek(&model, run->begin_ns);
		assert_ptr_equal(model_newest(&model), run);
		assert_int_equal(answer_read(&answer, &model), 0);
		row = answer_foremost(&answer, &model);
		assert_non_null(row);
		assert_true(comparison_alike(&model.cases[row->case_id],
					     &model.cases[run->id.case_id]));
		answer_free(&answer);
	}
	model_free(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_foremost_if_nothing_is_compared),
		cmocka_unit_test(nothing_is_foremost_before_the_first_run),
		cmocka_unit_test(the_model_that_differs_most_is_foremost),
		cmocka_unit_test(a_real_difference_is_before_a_larger_inconclusive_one),
		cmocka_unit_test(without_any_ratio_the_first_comparison_is_foremost),
		cmocka_unit_test(after_a_sweep_two_models_are_before_two_values),
		cmocka_unit_test(a_running_sweep_shows_the_value_that_it_measures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
