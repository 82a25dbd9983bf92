/* SPDX-License-Identifier: MIT */
#include "base/paged.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "stage/check.h"

enum { PAGES = 2000 };

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* Returns how many pages from `at` on are in the process's memory. */
static size_t pages_here(const void *at, size_t n)
{
	const int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	const uintptr_t first = (uintptr_t)at / page_bytes();
	size_t here = 0;

	assert_true(fd >= 0);
	for (size_t i = 0; i < n; i++) {
		uint64_t entry;

		assert_int_equal(
			pread(fd, &entry, sizeof(entry), (off_t)((first + i) * sizeof(entry))),
			sizeof(entry));
		here += entry >> 63;
	}
	close(fd);
	return here;
}

static void fill_pages(const struct paged *paged, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		memset((char *)paged->at + i * page_bytes(), (int)(i % 251) + 1, page_bytes());
}

static void expect_pages(const struct paged *paged, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const unsigned char *page = (const unsigned char *)paged->at + i * page_bytes();

		assert_int_equal(page[0], i % 251 + 1);
		assert_int_equal(page[page_bytes() - 1], i % 251 + 1);
	}
}

static void pages_that_left_are_read_again(void **state)
{
	struct paged paged = {0};

	assert_true(paged_grow(&paged, PAGES * page_bytes()));
	fill_pages(&paged, 0, PAGES);
	assert_int_equal(pages_here(paged.at, PAGES), PAGES);
	paged_leave(&paged, (PAGES - 5) * page_bytes() + 7);
	assert_int_equal(pages_here(paged.at, PAGES), 5);
	expect_pages(&paged, PAGES);
	paged_free(&paged);
	assert_null(paged.at);
}

static void what_is_there_stays_when_it_grows(void **state)
{
	struct paged paged = {0};

	for (size_t n = 100; n <= PAGES; n += 100) {
		assert_true(paged_grow(&paged, n * page_bytes()));
		fill_pages(&paged, n - 100, n);
		paged_leave(&paged, n * page_bytes());
	}
	expect_pages(&paged, PAGES);
	paged_free(&paged);
}

static void without_room_for_the_file_nothing_changes(void **state)
{
	const size_t least = PAGES * page_bytes(), all = 4 * least;
	struct paged paged = {0};
	struct rlimit before, limit;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = (struct rlimit) {.rlim_cur = 2 * least, .rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_false(paged_grow(&paged, all));
	assert_null(paged.at);
	assert_true(paged_grow(&paged, least));
	fill_pages(&paged, 0, PAGES);
	assert_false(paged_grow(&paged, all));
	expect_pages(&paged, PAGES);
	paged_free(&paged);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

static void room_in_blocks_stays_where_it_is(void **state)
{
	enum { ITEMS = 3000, BYTES = 5000 };
	struct paged_block *newest = NULL;
	unsigned char *items[ITEMS], *large;
	int here = 0;

	assert_false(paged_has(newest, &here));
	for (int i = 0; i < ITEMS; i++) {
		items[i] = paged_room(&newest, BYTES);
		assert_non_null(items[i]);
		memset(items[i], i % 251, BYTES);
	}
	large = paged_room(&newest, ITEMS * BYTES);
	assert_non_null(large);
	memset(large, 7, ITEMS * BYTES);
	/* The older block left the memory, and is read again. */
	assert_int_equal(pages_here(items[10], 1), 0);
	for (int i = 0; i < ITEMS; i++) {
		assert_int_equal(items[i][0], i % 251);
		assert_int_equal(items[i][BYTES - 1], i % 251);
		assert_true(paged_has(newest, items[i]));
	}
	assert_true(paged_has(newest, large + ITEMS * BYTES - 1));
	assert_false(paged_has(newest, &here));
	paged_blocks_free(&newest);
	assert_null(newest);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_that_left_are_read_again),
		cmocka_unit_test(what_is_there_stays_when_it_grows),
		cmocka_unit_test(without_room_for_the_file_nothing_changes),
		cmocka_unit_test(room_in_blocks_stays_where_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
