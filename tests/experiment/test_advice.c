/* SPDX-License-Identifier: MIT */
#include "core/sample_run.h"
#include "experiment/advice.h"

#include "stage/check.h"

#include <stdlib.h>
#include <string.h>

#define MS 1000000ll

struct fixture {
	struct sample_case cases[3];
	struct advice advice;
	struct advice_line lines[ADVICE_MOST];
	size_t n;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	static const char *const trees[] = {"5000", "50x99", "20x3x82"};

	assert_non_null(f);
	for (int i = 0; i < 3; i++) {
		strcpy(f->cases[i].model, "threads");
		variables_add(&f->cases[i].variables, "tree", trees[i]);
		assert_int_equal(plan_shape_parse(trees[i], &f->cases[i].plan), 0);
	}
	f->advice = (struct advice) {.cases = f->cases, .n_cases = 3};
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	free(f->advice.seen);
	free(f);
	return 0;
}

static void run(struct fixture *f, uint32_t case_id, uint32_t trial, int64_t ms, uint32_t peak)
{
	const struct sample_run id = {.case_id = case_id, .trial = trial};
	const struct sample_totals totals = {.elapsed_ns = ms * MS, .peak_alive = peak};

	advice_take(&f->advice, &id, &totals);
}

/* Adds twelve trials, each a little longer than the one before. */
static void trials(struct fixture *f, uint32_t case_id, int64_t ms, uint32_t peak)
{
	for (uint32_t trial = 1; trial <= 12; trial++)
		run(f, case_id, trial, ms + trial % 3, peak);
}

/* Returns the line that contains all of these words, or NULL. */
static const struct advice_line *line_of(struct fixture *f, const char *first, const char *second)
{
	f->n = advice_lines(&f->advice, f->lines);
	for (size_t i = 0; i < f->n; i++) {
		if (strstr(f->lines[i].text, first) && strstr(f->lines[i].text, second))
			return &f->lines[i];
	}
	return NULL;
}

static bool says(struct fixture *f, const char *first, const char *second)
{
	return line_of(f, first, second) != NULL;
}

static void nothing_seen_needs_no_advice(void **state)
{
	struct fixture *f = *state;

	run(f, 0, 0, 100, 100); /* a warm-up */
	assert_int_equal(advice_lines(&f->advice, f->lines), 0);
}

static void io_run(struct fixture *f, uint32_t number, uint32_t case_id, int64_t disk_kb)
{
	const struct sample_run id = {.run = number, .case_id = case_id, .trial = 1};
	const struct sample_totals totals = {.elapsed_ns = 100 * MS, .disk_read_kb = disk_kb};

	advice_take(&f->advice, &id, &totals);
}

static void a_first_run_alone_that_read_the_disk_is_explained(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 3; i++)
		f->cases[i].plan = (struct plan) {
			.levels = 1, .fanout = {2}, .leaves = {[WORK_IO] = 2}, .barrier = true};
	io_run(f, 0, 1, 65536);
	assert_int_equal(advice_lines(&f->advice, f->lines), 0);
	io_run(f, 1, 0, 8);
	assert_true(says(f, "threads tree=50x99 ran first", "64.0 MiB from the disk"));
	assert_true(says(f, "page cache", "-s cache=cold"));
	io_run(f, 2, 2, 65536); /* all trials read from the disk, as with -s cache=cold */
	assert_int_equal(advice_lines(&f->advice, f->lines), 0);
}

static void a_warm_first_run_or_one_without_io_needs_no_explanation(void **state)
{
	struct fixture *f = *state;

	io_run(f, 0, 0, 65536);
	io_run(f, 1, 1, 0);
	assert_false(says(f, "disk", "-s cache"));
	for (int i = 0; i < 3; i++)
		f->cases[i].plan.leaves[WORK_IO] = 1;
	io_run(f, 0, 0, -1); /* not known */
	io_run(f, 1, 1, -1);
	assert_false(says(f, "disk", "-s cache"));
}

static void few_alive_offer_all_alive(void **state)
{
	struct fixture *f = *state;

	run(f, 0, 1, 167, 111);
	assert_true(says(f, "at most 111 of 5,000", "-s all-alive=yes"));
	f->cases[0].plan.all_alive = true;
	assert_false(says(f, "alive", "-s all-alive=yes"));
	f->cases[0].plan.all_alive = false;
	f->cases[0].plan.leaves[WORK_CPU] = 5000;
	assert_false(says(f, "alive", "-s all-alive=yes"));
}

static void many_alive_need_no_all_alive(void **state)
{
	struct fixture *f = *state;

	run(f, 0, 1, 167, 4000);
	assert_false(says(f, "alive", "-s all-alive=yes"));
}

static void structures_that_differ_offer_other_stacks(void **state)
{
	struct fixture *f = *state;

	trials(f, 0, 167, 4000);
	trials(f, 1, 286, 4000);
	assert_true(
		says(f, "threads tree=5000 against threads tree=50x99", "-s stack=default,16K"));
	f->cases[1].stack_size = 1 << 20;
	assert_false(says(f, "stack", "-s stack"));
}

/* One trial makes the means differ widely, but the difference is not significant. */
static void an_order_that_is_not_real_is_not_explained(void **state)
{
	struct fixture *f = *state;

	for (uint32_t trial = 1; trial <= 12; trial++) {
		run(f, 0, trial, 200 + trial % 2, 4000);
		run(f, 1, trial, trial == 7 ? 2000 : 201 - trial % 2, 4000);
	}
	assert_int_equal(advice_lines(&f->advice, f->lines), 0);
}

static void too_few_trials_have_no_order(void **state)
{
	struct fixture *f = *state;

	for (uint32_t trial = 1; trial <= 4; trial++) {
		run(f, 0, trial, 167, 4000);
		run(f, 1, trial, 286, 4000);
	}
	assert_false(says(f, "stack", "-s stack"));
}

static void the_advice_to_try_other_stacks_says_that_it_is_that(void **state)
{
	struct fixture *f = *state;

	trials(f, 0, 167, 111);
	trials(f, 1, 286, 4000);
	assert_int_equal(line_of(f, "may matter more here", "stack")->kind, MESSAGE_STACKS);
	assert_int_equal(line_of(f, "alive", "-s all-alive=yes")->kind, MESSAGE_OTHER);
}

static void structures_that_are_alike_need_no_explanation(void **state)
{
	struct fixture *f = *state;

	trials(f, 1, 283, 4000);
	trials(f, 2, 286, 4000);
	assert_int_equal(advice_lines(&f->advice, f->lines), 0);
}

static void processes_have_no_stacks_to_blame(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 3; i++) {
		memset(f->cases[i].plan.task, PLAN_PROCESS, f->cases[i].plan.levels);
		trials(f, (uint32_t)i, 100 + 100 * i, 4000);
	}
	assert_int_equal(advice_lines(&f->advice, f->lines), 0);
}

static void small_stacks_that_are_faster_are_explained(void **state)
{
	struct fixture *f = *state;

	f->cases[2].plan = f->cases[1].plan;
	variables_parse(&f->cases[1].variables, "tree=50x99;stack=default");
	variables_parse(&f->cases[2].variables, "tree=50x99;stack=16K");
	f->cases[2].stack_size = 16384;
	for (uint32_t trial = 1; trial <= 12; trial++) {
		run(f, 1, trial, trial % 2 ? 280 : 320, 4000);
		run(f, 2, trial, 90, 4000);
	}
	assert_true(says(f, "threads tree=50x99 stack=16K: 3.33x as long with the system's stacks",
			 "40 MiB"));
	run(f, 2, 13, 20000, 4000);
	assert_false(says(f, "with the system's stacks", "40 MiB"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_seen_needs_no_advice),
		TEST(a_first_run_alone_that_read_the_disk_is_explained),
		TEST(a_warm_first_run_or_one_without_io_needs_no_explanation),
		TEST(few_alive_offer_all_alive),
		TEST(many_alive_need_no_all_alive),
		TEST(structures_that_differ_offer_other_stacks),
		TEST(an_order_that_is_not_real_is_not_explained),
		TEST(too_few_trials_have_no_order),
		TEST(the_advice_to_try_other_stacks_says_that_it_is_that),
		TEST(structures_that_are_alike_need_no_explanation),
		TEST(processes_have_no_stacks_to_blame),
		TEST(small_stacks_that_are_faster_are_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
