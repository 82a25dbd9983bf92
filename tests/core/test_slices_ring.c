/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/plan.h"
#include "core/slices.h"

#define ENTRIES 16

static struct slices *make_ring(void)
{
	size_t size = slices_size(ENTRIES);
	struct slices *ring = aligned_alloc(_Alignof(struct slices), size);

	assert_non_null(ring);
	memset(ring, 0, size);
	return ring;
}

static void put(struct slices *ring, uint64_t number)
{
	const struct slice slice = {.on_ns = number, .off_ns = 2 * number, .cpu = 1, .why = 1};

	slices_put(ring, ENTRIES, &slice);
}

static void all_rings_of_a_run_are_bounded(void **state)
{
	uint32_t before = UINT32_MAX;

	for (uint32_t workers = 1; workers <= PLAN_MAX_TASKS; workers += 1 + workers / 3) {
		uint32_t entries = slices_entries(workers);

		assert_true(entries <= before);
		assert_int_equal(entries & (entries - 1), 0);
		assert_true(entries == 0 || entries >= 16);
		assert_true(workers * slices_size(entries) <= 16 << 20);
		before = entries;
	}
	assert_true(slices_entries(8) >= 1024);
	assert_true(slices_entries(5000) > 0);
	assert_int_equal(slices_entries(PLAN_MAX_TASKS), 0);
	assert_int_equal(slices_size(0), 0);
}

static void slices_are_taken_in_the_order_of_writing(void **state)
{
	struct slices *ring = make_ring();
	struct slices_open open;
	struct slice taken[ENTRIES];

	for (uint64_t round = 0; round < 100; round += 5) {
		for (uint64_t i = 0; i < 5; i++)
			put(ring, round + i + 1);
		assert_int_equal(slices_take(ring, ENTRIES, taken, 2, &open), 2);
		assert_int_equal(taken[0].on_ns, round + 1);
		assert_int_equal(slices_take(ring, ENTRIES, taken, ENTRIES, &open), 3);
		assert_int_equal(taken[2].off_ns, 2 * (round + 5));
		assert_int_equal(slices_take(ring, ENTRIES, taken, ENTRIES, &open), 0);
	}
	assert_int_equal(slices_lost(ring), 0);
	free(ring);
}

static void a_full_ring_counts_what_it_loses(void **state)
{
	struct slices *ring = make_ring();
	struct slices_open open;
	struct slice taken[2 * ENTRIES];

	for (uint64_t i = 1; i <= ENTRIES + 3; i++)
		put(ring, i);
	assert_int_equal(slices_lost(ring), 3);
	assert_int_equal(slices_take(ring, ENTRIES, taken, 2 * ENTRIES, &open), ENTRIES);
	assert_int_equal(taken[ENTRIES - 1].on_ns, ENTRIES);
	put(ring, 100);
	assert_int_equal(slices_take(ring, ENTRIES, taken, 2 * ENTRIES, &open), 1);
	assert_int_equal(taken[0].on_ns, 100);
	free(ring);
}

static void an_open_slice_is_visible_until_it_is_written(void **state)
{
	struct slices *ring = make_ring();
	struct slices_open open;
	struct slice taken[ENTRIES];

	slices_take(ring, ENTRIES, taken, ENTRIES, &open);
	assert_int_equal(open.on_ns, 0);
	slices_begin(ring, 10, 3);
	slices_seen(ring, 15);
	slices_take(ring, ENTRIES, taken, ENTRIES, &open);
	assert_int_equal(open.on_ns, 10);
	assert_int_equal(open.seen_ns, 15);
	assert_int_equal(open.cpu, 3);
	put(ring, 10);
	assert_int_equal(slices_take(ring, ENTRIES, taken, ENTRIES, &open), 1);
	assert_int_equal(open.on_ns, 0);
	slices_begin(ring, 30, 2);
	slices_end(ring);
	slices_take(ring, ENTRIES, taken, ENTRIES, &open);
	assert_int_equal(open.on_ns, 0);
	assert_true(ring->ended);
	free(ring);
}

#define PUTS 200000

static void *put_many(void *arg)
{
	struct slices *ring = arg;

	for (uint64_t i = 1; i <= PUTS; i++) {
		slices_begin(ring, i, 1);
		put(ring, i);
	}
	slices_end(ring);
	return NULL;
}

/* Takes slices, and checks that each is complete and after the one before. Returns how many. */
static uint64_t take_some(struct slices *ring, uint64_t *last)
{
	struct slices_open open;
	struct slice taken[7];
	uint32_t n = slices_take(ring, ENTRIES, taken, 7, &open);

	for (uint32_t i = 0; i < n; i++) {
		assert_true(taken[i].on_ns > *last);
		assert_int_equal(taken[i].off_ns, 2 * taken[i].on_ns);
		*last = taken[i].on_ns;
	}
	assert_true(open.on_ns == 0 || open.on_ns > *last || n == 0);
	return n;
}

static void a_worker_and_the_front_end_lose_nothing_silently(void **state)
{
	struct slices *ring = make_ring();
	uint64_t taken = 0, last = 0;
	pthread_t worker;
	bool ended;

	assert_int_equal(pthread_create(&worker, NULL, put_many, ring), 0);
	do {
		ended = atomic_load_explicit(&ring->ended, memory_order_acquire);
		taken += take_some(ring, &last);
	} while (!ended);
	pthread_join(worker, NULL);
	for (uint64_t n; (n = take_some(ring, &last)) > 0;)
		taken += n;
	assert_true(taken > 0);
	assert_int_equal(taken + slices_lost(ring), PUTS);
	free(ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_rings_of_a_run_are_bounded),
		cmocka_unit_test(slices_are_taken_in_the_order_of_writing),
		cmocka_unit_test(a_full_ring_counts_what_it_loses),
		cmocka_unit_test(an_open_slice_is_visible_until_it_is_written),
		cmocka_unit_test(a_worker_and_the_front_end_lose_nothing_silently),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
