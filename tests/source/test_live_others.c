/* SPDX-License-Identifier: MIT */
#include "source/live_others.h"

#include "stage/check.h"

#include <stdio.h>

#include "stage/folder.h"

#define SECOND 1000000

/* Returns the share of other programs on two cores, in 0.1 %, within one second. */
static int16_t share_of(int64_t busy_us, int64_t own_us, int64_t *owed_us)
{
	const struct live_others_sum before = {2, 5 * SECOND, 100, 200, 300};
	const struct live_others_sum after = {2, 6 * SECOND, 100 + busy_us, 200, 300 + own_us};
	int16_t share, steal;

	live_others_judge(&before, &after, owed_us, &share, &steal);
	assert_int_equal(steal, 0);
	return share;
}

static void others_have_what_is_busy_and_not_ours(void **state)
{
	int64_t owed = 0;

	assert_int_equal(share_of(2 * SECOND, 2 * SECOND, &owed), 0);
	assert_int_equal(share_of(2 * SECOND, SECOND, &owed), 500);
	assert_int_equal(share_of(SECOND / 5, 0, &owed), 100);
	assert_int_equal(owed, 0);
}

/* If a run has one core and this program uses another, nothing is subtracted. */
static void our_own_cpu_time_on_other_cores_is_not_subtracted(void **state)
{
	struct live_others_self self = {.seen_us = 1000, .on_us = 0};

	live_others_attribute(&self, 1500, false);
	assert_int_equal(self.on_us, 0);
	live_others_attribute(&self, 1700, true);
	assert_int_equal(self.on_us, 200);
	live_others_attribute(&self, 1700, true);
	live_others_attribute(&self, 5000, false);
	assert_int_equal(self.on_us, 200);
}

static void rounding_of_ticks_is_carried_to_the_next_run(void **state)
{
	int64_t owed = 0;

	assert_int_equal(share_of(SECOND / 2, SECOND / 2 + 20000, &owed), 0);
	assert_int_equal(owed, 20000);
	assert_int_equal(share_of(SECOND / 2, SECOND / 2 - 30000, &owed), 5); /* 10 of 2,000 ms */
	assert_int_equal(owed, 0);
	assert_int_equal(share_of(0, SECOND, &owed), 0); /* ticks never err so much */
	assert_int_equal(owed, 100000);
}

static void steal_is_not_counted_as_other_programs(void **state)
{
	const struct live_others_sum before = {4, 0, 0, 0, 0};
	const struct live_others_sum after = {4, SECOND, 3 * SECOND, SECOND, 3 * SECOND};
	int64_t owed = 0;
	int16_t share, steal;

	live_others_judge(&before, &after, &owed, &share, &steal);
	assert_int_equal(share, 0);
	assert_int_equal(steal, 250);
}

static void a_core_that_went_leaves_nothing_known(void **state)
{
	const struct live_others_sum before = {4, 0, 0, 0, 0}, after = {3, SECOND, SECOND, 0, 0};
	int64_t owed = 0;
	int16_t share, steal;

	live_others_judge(&before, &after, &owed, &share, &steal);
	assert_int_equal(share, -1);
	assert_int_equal(steal, -1);
	live_others_judge(&after, &after, &owed, &share, &steal); /* no time has passed */
	assert_int_equal(share, -1);
}

static void only_the_cores_of_the_run_count(void **state)
{
	struct live_cores cores;
	struct live_others all = {.cores = &cores}, one = {.cores = &cores};
	int16_t share, steal;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(1, &set);
	assert_int_equal(live_cores_open(&cores, TEST_DATA "/proc-vm"), 0);
	live_others_begin(&all, &(cpu_set_t) {0});
	live_others_begin(&one, &set);
	assert_true(all.before.cores > one.before.cores);
	assert_int_equal(one.before.cores, 1);
	live_others_end(&one, &share, &steal); /* the file has not changed, so nothing was used */
	assert_int_equal(share, 0);
	assert_int_equal(steal, 0);
	live_others_end(&one, &share, &steal); /* an end without a begin */
	assert_int_equal(share, -1);
	live_cores_close(&cores);
}

static void without_proc_nothing_is_known(void **state)
{
	struct live_cores cores;
	struct live_others others = {.cores = &cores};
	int16_t share = 1, steal = 1;

	assert_true(live_cores_open(&cores, TEST_DATA "/nowhere") < 0);
	live_others_begin(&others, &(cpu_set_t) {0});
	live_others_end(&others, &share, &steal);
	assert_int_equal(share, -1);
	assert_int_equal(steal, -1);
	live_cores_close(&cores);
}

/* Writes that cpu0 has worked for `ticks` ticks. both: cpu1 exists too. */
static void write_stat(const char *root, int ticks, bool both)
{
	char path[FOLDER_PATH], text[256];

	snprintf(text, sizeof(text), "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 %d 0 0 50 0 0 0 0 0 0\n%s",
		 100 + ticks, both ? "cpu1 100 0 0 50 0 0 0 0 0 0\n" : "");
	folder_write(folder_at(path, root, "stat"), text);
}

/*
 * Returns which of CPUs 0 and 1 is reported as missing after a second, with a reading every 0.1 s.
 */
static int find_uncounted(const char *root, bool both, const cpu_set_t *usable)
{
	struct live_cores cores;
	struct sample_core *load;
	int found = -1;

	write_stat(root, 0, both);
	assert_int_equal(live_cores_open(&cores, root), 0);
	for (int i = 1; i <= 10 && found < 0; i++) {
		write_stat(root, 10 * i, both);
		assert_true(live_cores_read(&cores, &load) > 0);
		found = live_cores_uncounted(&cores, usable, (uint64_t)i * SECOND * 100);
		assert_true(found < 0 || i > 5);
	}
	live_cores_close(&cores);
	return found;
}

static void a_CPU_whose_time_stands_still_or_is_not_there_is_named(void **state)
{
	cpu_set_t one, two;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	two = one;
	CPU_SET(1, &two);
	assert_int_equal(find_uncounted(*state, true, &two), 1);
	assert_int_equal(find_uncounted(*state, false, &two), 1);
	/* A CPU that no run may use is not reported. */
	assert_int_equal(find_uncounted(*state, true, &one), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST(a_CPU_whose_time_stands_still_or_is_not_there_is_named),
		cmocka_unit_test(others_have_what_is_busy_and_not_ours),
		cmocka_unit_test(our_own_cpu_time_on_other_cores_is_not_subtracted),
		cmocka_unit_test(rounding_of_ticks_is_carried_to_the_next_run),
		cmocka_unit_test(steal_is_not_counted_as_other_programs),
		cmocka_unit_test(a_core_that_went_leaves_nothing_known),
		cmocka_unit_test(only_the_cores_of_the_run_count),
		cmocka_unit_test(without_proc_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
