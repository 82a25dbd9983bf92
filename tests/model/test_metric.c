/* SPDX-License-Identifier: MIT */
#include "model/metric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "model/model.h"

static void every_metric_has_a_whole_row(void **state)
{
	for (enum model_metric i = 0; i < METRICS; i++) {
		const struct metric *row = &metric_table[i];

		assert_non_null(row->title);
		/*
		 * A metric is read by a function or as a sum of fields. METRIC_MEMORY has both: at
		 * a moment it is a sum, but of a run only an upper bound may be known.
		 */
		assert_true((row->get != NULL) ==
			    (row->sum[0].type == FIELD_END || i == METRIC_MEMORY));
		if (metric_is(i, METRIC_OF_RUNS) || metric_is(i, METRIC_OF_PAIRS))
			assert_non_null(row->name);
	}
}

static void no_two_metrics_share_a_name(void **state)
{
	for (enum model_metric i = 0; i < METRICS; i++)
		for (enum model_metric j = 0; j < i; j++)
			if (metric_table[i].name && metric_table[j].name)
				assert_string_not_equal(metric_table[i].name, metric_table[j].name);
}

static void places_in_a_table_follow_one_another(void **state)
{
	bool cost[64] = {true}, memory[64] = {true};
	size_t costs = 0, memories = 0;

	for (enum model_metric i = 0; i < METRICS; i++) {
		costs += metric_table[i].cost > 0;
		memories += metric_table[i].memory > 0;
		cost[metric_table[i].cost] = memory[metric_table[i].memory] = true;
	}
	for (size_t i = 0; i <= costs; i++)
		assert_true(cost[i]);
	for (size_t i = 0; i <= memories; i++)
		assert_true(memory[i]);
}

static void a_sum_with_an_unknown_part_is_unknown(void **state)
{
	struct model_run run = {.totals = {.user_us = 3, .system_us = -1}};
	struct model_run half = {.split = {.user_us = 3, .system_us = -1}};

	assert_true(metric_value(&half, METRIC_USER) == 3000);
	assert_true(isnan(metric_value(&half, METRIC_SYSTEM)));
	assert_true(isnan(metric_value(&run, METRIC_CPU)));
	run.totals.system_us = 4;
	assert_true(metric_value(&run, METRIC_CPU) == 7000);
}

static void bytes_read_by_the_check_do_not_count_as_read(void **state)
{
	struct model_run run = {.totals = {.read_kb = 192, .written_kb = 64, .checked_kb = 128}};

	assert_true(metric_value(&run, METRIC_READ) == 64);
	assert_true(metric_value(&run, METRIC_CHECKED) == 128);
	assert_true(metric_value(&run, METRIC_IO) == 128);
	run.totals.checked_kb = -1;
	assert_true(isnan(metric_value(&run, METRIC_READ)));
}

static void instructions_per_cycle_are_of_what_was_counted(void **state)
{
	struct model_run run = {.totals = {.cycles = 200, .instructions = 300}};

	assert_true(metric_value(&run, METRIC_PER_CYCLE) == 1.5);
	run.totals.instructions = -1;
	assert_true(isnan(metric_value(&run, METRIC_PER_CYCLE)));
	run.totals.cycles = 0;
	assert_true(isnan(metric_value(&run, METRIC_PER_CYCLE)));
}

static void the_share_of_a_parents_core_is_of_those_that_are_known(void **state)
{
	struct model_run run = {.final = {.created = 9, .placed = 8, .same_core = 2}};

	assert_true(metric_value(&run, METRIC_SAME_CORE) == 25);
	run.final.placed = 0;
	assert_true(isnan(metric_value(&run, METRIC_SAME_CORE)));
}

static void a_run_that_goes_on_has_no_value(void **state)
{
	struct model_run run = {.end_ns = INT64_MAX, .totals = {.workers = 3}};

	assert_true(isnan(metric_value(&run, METRIC_WORKERS)));
	run.end_ns = 1;
	assert_true(metric_value(&run, METRIC_WORKERS) == 3);
}

static void memory_at_any_moment_goes_by_the_same_rows(void **state)
{
	const struct sample_memory memory = {
		.rss_kb = 1, .pss_kb = 2, .uss_kb = 3, .kernel_kb = -1};

	assert_true(metric_kib(&memory, METRIC_RSS) == 1);
	assert_true(metric_kib(&memory, METRIC_PSS) == 2);
	assert_true(metric_kib(&memory, METRIC_USS) == 3);
	assert_true(isnan(metric_kib(&memory, METRIC_KERNEL)));
}

static void a_value_is_written_with_its_unit(void **state)
{
	char text[32];

	assert_string_equal(metric_format(text, sizeof(text), METRIC_CPU, 1.5e9), "1.50 s");
	assert_string_equal(metric_format(text, sizeof(text), METRIC_PSS, 512), "512 KiB");
	assert_string_equal(metric_format(text, sizeof(text), METRIC_SHARE, 199.6), "200 %");
	assert_string_equal(metric_format(text, sizeof(text), METRIC_FAULTS, 12), "12");
	assert_string_equal(metric_format(text, sizeof(text), METRIC_TASK, NAN), "?");
	assert_string_equal(metric_format(text, sizeof(text), METRIC_SHARE, NAN), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_metric_has_a_whole_row),
		cmocka_unit_test(no_two_metrics_share_a_name),
		cmocka_unit_test(places_in_a_table_follow_one_another),
		cmocka_unit_test(a_sum_with_an_unknown_part_is_unknown),
		cmocka_unit_test(bytes_read_by_the_check_do_not_count_as_read),
		cmocka_unit_test(instructions_per_cycle_are_of_what_was_counted),
		cmocka_unit_test(the_share_of_a_parents_core_is_of_those_that_are_known),
		cmocka_unit_test(a_run_that_goes_on_has_no_value),
		cmocka_unit_test(memory_at_any_moment_goes_by_the_same_rows),
		cmocka_unit_test(a_value_is_written_with_its_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
