/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include "stage/check.h"

#include <stdlib.h>
#include <string.h>

#include "model/model_slices.h"
#include "result/report.h"
#include "stage/exported.h"
#include "stage/synthetic.h"

/* Every run that ends is followed by model_keep(), as in a live session. */
struct keeper {
	struct model model;
	size_t most;
};

static int take(void *arg, const struct sample *sample)
{
	struct keeper *keeper = arg;
	int err = model_apply(&keeper->model, sample);

	if (sample->kind == SAMPLE_RUN_END)
		model_keep(&keeper->model, keeper->most);
	return err;
}

static void play(struct keeper *keeper, size_t most)
{
	struct synthetic session;

	synthetic_mixed(&session, 20);
	session.slices = session.wakes = true;
	*keeper = (struct keeper) {.most = most};
	model_init(&keeper->model);
	assert_int_equal(synthetic_play(&session, take, keeper), 0);
}

/* The sums of all trials are with the newest. */
static void expect_same_wakes(const struct model *few, const struct model *all)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < all->n_cases; i++)
		for (int wake = 0; model_wakes(all, i) && wake < MODEL_WAKES; wake++) {
			struct model_wake_figures a = model_wakes_figures(
				model_wakes(few, i), (enum model_wake)wake, WOKENS);
			struct model_wake_figures b = model_wakes_figures(
				model_wakes(all, i), (enum model_wake)wake, WOKENS);

			assert_memory_equal(&a, &b, sizeof(a));
			n += b.n;
		}
	assert_true(n > 0);
}

static void old_runs_lose_their_workers_and_keep_their_figures(void **state)
{
	struct keeper all, few;
	char of_all[HEADLINE_BADGE + HEADLINE_TEXT], of_few[HEADLINE_BADGE + HEADLINE_TEXT];
	size_t gone = 0;

	play(&all, MODEL_KEPT);
	play(&few, 64 << 10);
	assert_int_equal(all.model.n_runs, few.model.n_runs);
	for (size_t i = 0; i < few.model.n_runs; i++) {
		const struct model_run *run = &few.model.runs[i], *whole = &all.model.runs[i];

		assert_false(whole->workers.gone);
		/* the oldest, and none behind one that is kept */
		assert_true(!run->workers.gone || i == gone);
		gone += run->workers.gone;
		assert_memory_equal(&run->totals, &whole->totals, sizeof(run->totals));
		assert_memory_equal(&run->final, &whole->final, sizeof(run->final));
		assert_memory_equal(&run->path, &whole->path, sizeof(run->path));
		if (run->workers.gone)
			assert_true(!run->lanes && !run->cores && run->n_points == 0 &&
				    !run->wakes && !run->wakes_all);
	}
	expect_same_wakes(&few.model, &all.model);
	assert_true(gone > 10 && gone + 2 * few.model.n_cases <= few.model.n_runs);
	assert_string_equal(headline_line(&few.model, of_few, sizeof(of_few)),
			    headline_line(&all.model, of_all, sizeof(of_all)));
	model_free(&all.model);
	model_free(&few.model);
}

static void kept_workers_are_bounded_and_are_of_the_newest_runs(void **state)
{
	struct keeper none, all;

	play(&none, 0);
	play(&all, MODEL_KEPT);
	for (size_t i = 0; i < none.model.n_runs; i++)
		assert_int_equal(none.model.runs[i].workers.gone,
				 i + 2 * none.model.n_cases < none.model.n_runs);
	assert_true(none.model.n_loads * 4 < all.model.n_loads);
	/* moved back to where nothing is kept */
	model_seek(&none.model, none.model.runs[0].begin_ns);
	assert_int_equal(model_worker(&none.model, &none.model.runs[0], 0).create_ns, -1);
	model_free(&none.model);
	model_free(&all.model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_runs_lose_their_workers_and_keep_their_figures),
		cmocka_unit_test(kept_workers_are_bounded_and_are_of_the_newest_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
