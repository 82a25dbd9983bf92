/* SPDX-License-Identifier: MIT */
#include "source/live_sched.h"

#include "stage/check.h"

#include <stdio.h>
#include <string.h>

/* Finds the first two CPUs that the test may use. *one has only the first. */
static bool two_cpus(int cpu[2], cpu_set_t *one)
{
	cpu_set_t all;
	int n = 0;

	CPU_ZERO(one);
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	for (int i = 0; i < CPU_SETSIZE && n < 2; i++)
		if (CPU_ISSET(i, &all))
			cpu[n++] = i;
	CPU_SET(cpu[0], one);
	return n == 2;
}

static void assert_changed(const cpu_set_t *usable, int among, int named, const char *how)
{
	char text[160], name[16];
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	if (among >= 0)
		CPU_SET(among, &cpus);
	assert_int_equal(live_usable_changed(usable, &cpus, text, sizeof(text)), named >= 0);
	if (named < 0)
		return;
	snprintf(name, sizeof(name), "CPU %d", named);
	assert_memory_equal(text, name, strlen(name));
	assert_non_null(strstr(text, how));
}

static void unchanged_cpus_are_no_change(void **state)
{
	const cpu_set_t usable = live_usable();

	assert_changed(&usable, -1, -1, "");
}

static void a_cpu_that_is_taken_counts_where_a_run_has_it(void **state)
{
	cpu_set_t usable;
	cpu_set_t one;
	int cpu[2];

	if (!two_cpus(cpu, &one))
		skip();
	usable = live_usable();
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_changed(&usable, -1, cpu[1], "was taken away from the session");
	assert_changed(&usable, cpu[1], cpu[1], "was taken away from the session");
	assert_changed(&usable, cpu[0], -1, "");
	assert_int_equal(sched_setaffinity(0, sizeof(usable), &usable), 0);
	assert_changed(&usable, -1, -1, "");
}

static void a_cpu_that_comes_counts_where_a_run_has_all(void **state)
{
	cpu_set_t usable;
	cpu_set_t all, one;
	int cpu[2];

	if (!two_cpus(cpu, &one))
		skip();
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	usable = live_usable();
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
	assert_changed(&usable, -1, cpu[1], "did not exist");
	assert_changed(&usable, cpu[0], -1, "");
}

/* live_usable() returns an empty set if the machine has more CPUs than a set can have. */
static void an_unknown_set_of_cpus_counts_as_unchanged(void **state)
{
	cpu_set_t usable;

	CPU_ZERO(&usable);
	assert_changed(&usable, -1, -1, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unchanged_cpus_are_no_change),
		cmocka_unit_test(a_cpu_that_is_taken_counts_where_a_run_has_it),
		cmocka_unit_test(a_cpu_that_comes_counts_where_a_run_has_all),
		cmocka_unit_test(an_unknown_set_of_cpus_counts_as_unchanged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
