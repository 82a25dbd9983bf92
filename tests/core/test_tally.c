/* SPDX-License-Identifier: MIT */
#include "core/tally.h"

#include "stage/check.h"

#include <pthread.h>
#include <stdlib.h>

#define EACH 20000

static void buckets_follow_one_another_and_are_3_percent_wide(void **state)
{
	for (uint32_t i = 0; i < TALLY_BUCKETS; i++) {
		uint64_t low = tally_edge(i), high = tally_edge(i + 1);

		assert_true(high > low);
		assert_true(low < TALLY_STEPS || (high - low) * TALLY_STEPS <= low);
		assert_int_equal(tally_bucket(low), i);
		assert_int_equal(tally_bucket(high - 1), i);
	}
}

static void very_long_times_are_in_the_last_bucket(void **state)
{
	assert_int_equal(tally_bucket(UINT64_MAX), TALLY_BUCKETS - 1);
	assert_int_equal(tally_bucket(tally_edge(TALLY_BUCKETS)), TALLY_BUCKETS - 1);
}

static void *add_many(void *tally)
{
	for (uint64_t i = 0; i < EACH; i++)
		tally_add(tally, 100 + i);
	return NULL;
}

static void nothing_is_lost_where_several_add_at_once(void **state)
{
	struct tally *tally = calloc(1, sizeof(*tally));
	pthread_t threads[4];
	uint64_t n = 0;

	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, add_many, tally), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t i = 0; i < TALLY_BUCKETS; i++)
		n += tally->count[i];
	assert_int_equal(n, 4 * EACH);
	assert_int_equal(tally->n, 4 * EACH);
	assert_int_equal(tally->max_ns, 100 + EACH - 1);
	assert_int_equal(UINT64_MAX - tally->least, 100);
	assert_int_equal(tally->sum_ns, 4 * (100 * (uint64_t)EACH + EACH / 2 * (EACH - 1)));
	free(tally);
}

/* Values that are merged give the same tally as values that are added one by one. */
static void a_sheet_is_merged_whole(void **state)
{
	struct tally *one = calloc(1, sizeof(*one)), *two = calloc(1, sizeof(*two));
	struct tally_sheet *sheet = calloc(1, sizeof(*sheet));
	uint64_t ns = 17;

	for (int i = 0; i < 1000; i++, ns = ns * 31 % 1000003) {
		tally_add(one, ns);
		tally_note(sheet, ns);
	}
	tally_merge(two, sheet);
	assert_memory_equal(one, two, sizeof(*one));
	free(sheet);
	free(two);
	free(one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_follow_one_another_and_are_3_percent_wide),
		cmocka_unit_test(very_long_times_are_in_the_last_bucket),
		cmocka_unit_test(nothing_is_lost_where_several_add_at_once),
		cmocka_unit_test(a_sheet_is_merged_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
