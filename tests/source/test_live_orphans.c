/* SPDX-License-Identifier: MIT */
#include "source/live_run.h"

#include "stage/check.h"

#include <stdlib.h>
#include <string.h>

static void a_runners_environment_ends_in_the_mark_and_null(void **state)
{
	/* With four variables, malloc(3) rounds the size of a list that lacks its NULL least. */
	char *given[] = {"A=1", "PATH=/bin", "B=", "HOME=/", NULL};
	struct live_orphans orphans = {.mark = MARK "0123456789abcdef"};
	char **made = live_orphans_environ(&orphans, given);

	assert_non_null(made);
	for (int i = 0; i < 4; i++)
		assert_ptr_equal(made[i], given[i]);
	assert_ptr_equal(made[4], orphans.mark);
	assert_null(made[5]);
	free(made);
}

static void the_mark_of_an_outer_run_is_left_out(void **state)
{
	char *given[] = {MARK "fedcba9876543210", "A=1", NULL};
	struct live_orphans orphans = {.mark = MARK "0123456789abcdef"};
	char **made = live_orphans_environ(&orphans, given);

	assert_non_null(made);
	assert_string_equal(made[0], "A=1");
	assert_ptr_equal(made[1], orphans.mark);
	assert_null(made[2]);
	free(made);
}

static void an_empty_environment_has_just_the_mark(void **state)
{
	char *given[] = {NULL};
	struct live_orphans orphans = {.mark = MARK "0123456789abcdef"};
	char **made = live_orphans_environ(&orphans, given);

	assert_non_null(made);
	assert_ptr_equal(made[0], orphans.mark);
	assert_null(made[1]);
	free(made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_runners_environment_ends_in_the_mark_and_null),
		cmocka_unit_test(the_mark_of_an_outer_run_is_left_out),
		cmocka_unit_test(an_empty_environment_has_just_the_mark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
