/* SPDX-License-Identifier: MIT */
#include "source/live_others.h"

#include "stage/check.h"

#define SECOND UINT64_C(1000000000)

static struct sample_core core(int cpu, int user, int system)
{
	return (struct sample_core) {.cpu = (int16_t)cpu,
				     .user = (int16_t)user,
				     .system = (int16_t)system,
				     .iowait = 0,
				     .steal = 0,
				     .mhz = -1};
}

static void cores_at_work_tell_their_frequency(void **state)
{
	struct sample_core cores[] = {core(0, 480, 20), core(12345, 1000, 0), core(-1, 1000, 0)};
	struct live_cores known = {.mhz_ns = 0};

	live_cores_mhz(&known, TEST_DATA "/root-laptop", SECOND, cores, 3);
	assert_int_equal(cores[0].mhz, 3400);
	assert_int_equal(cores[1].mhz, -1); /* no such core */
	assert_int_equal(cores[2].mhz, -1);
}

static void a_core_that_rests_is_not_asked(void **state)
{
	struct sample_core cores[] = {core(0, 479, 20)}, offline[] = {core(0, -1, -1)};
	struct live_cores known = {.mhz_ns = 0};

	live_cores_mhz(&known, TEST_DATA "/root-laptop", SECOND, cores, 1);
	assert_int_equal(cores[0].mhz, -1);
	live_cores_mhz(&known, TEST_DATA "/root-laptop", SECOND, offline, 1);
	assert_int_equal(offline[0].mhz, -1);
	cores[0] = core(0, 1000, 0); /* and the failed query changed nothing */
	live_cores_mhz(&known, TEST_DATA "/root-laptop", SECOND, cores, 1);
	assert_int_equal(cores[0].mhz, 3400);
}

static void frequencies_are_read_once_a_second(void **state)
{
	struct sample_core cores[] = {core(0, 1000, 0)};
	struct live_cores known = {.mhz_ns = 0};

	live_cores_mhz(&known, TEST_DATA "/root-laptop", SECOND, cores, 1);
	cores[0].mhz = -1;
	live_cores_mhz(&known, TEST_DATA "/root-laptop", 2 * SECOND - 1, cores, 1);
	assert_int_equal(cores[0].mhz, -1);
	live_cores_mhz(&known, TEST_DATA "/root-laptop", 2 * SECOND, cores, 1);
	assert_int_equal(cores[0].mhz, 3400);
}

static void without_cpufreq_no_frequency_is_known(void **state)
{
	struct sample_core cores[] = {core(0, 1000, 0)};
	struct live_cores known = {.mhz_ns = 0};

	live_cores_mhz(&known, TEST_DATA "/root-vm", SECOND, cores, 1);
	assert_int_equal(cores[0].mhz, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cores_at_work_tell_their_frequency),
		cmocka_unit_test(a_core_that_rests_is_not_asked),
		cmocka_unit_test(frequencies_are_read_once_a_second),
		cmocka_unit_test(without_cpufreq_no_frequency_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
