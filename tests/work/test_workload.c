/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "stage/folder.h"
#include "work/fiber.h"
#include "work/work_parts.h"
#include "work/work_file.h"
#include "work/workload.h"

#define SOURCE_SIZE 200000 /* no multiple of a block or a page */

/* A fiber of a ring. It appends its number to `said` several times, and then returns err. */
struct turns {
	struct fiber_ring *ring;
	char number, *said;
	int times, err;
};

static void take_turns(void *arg)
{
	struct turns *turns = arg;

	for (int i = 0; i < turns->times; i++) {
		strncat(turns->said, &turns->number, 1);
		fiber_ring_next(turns->ring);
	}
	fiber_ring_end(turns->ring, turns->err);
}

static void fibers_take_turns_until_all_have_ended(void **state)
{
	char said[32] = "";
	struct fiber_ring ring;
	struct turns turns[] = {{&ring, 'a', said, 2, 0},
				{&ring, 'b', said, 4, -EILSEQ},
				{&ring, 'c', said, 1, -EIO},
				{&ring, 'd', said, 3, 0}};

	if (!fiber_supported())
		skip();
	/* The first error in time is that of the third fiber. */
	assert_int_equal(fiber_ring_run(&ring, 4, take_turns, turns, sizeof(turns[0])), -EIO);
	assert_string_equal(said, "abcdabdbdb");
	said[0] = '\0';
	assert_int_equal(fiber_ring_run(&ring, 1, take_turns, turns, sizeof(turns[0])), 0);
	assert_string_equal(said, "aa");
}

/* A folder made for the test, with a file to copy. */
struct place {
	char dir[FOLDER_PATH], source[FOLDER_PATH];
};

static int make_place(void **state)
{
	struct place *place = calloc(1, sizeof(*place));
	FILE *file;
	int i;

	folder_make(place->dir);
	file = fopen(folder_at(place->source, place->dir, "source"), "w");
	assert_non_null(file);
	for (i = 0; i < SOURCE_SIZE; i++)
		fputc('a' + i * 7 % 26, file);
	assert_int_equal(fclose(file), 0);
	*state = place;
	return 0;
}

static int remove_place(void **state)
{
	struct place *place = *state;

	unlink(place->source);
	/* rmdir() fails, and so does the test, if a workload has left a file. */
	assert_int_equal(rmdir(place->dir), 0);
	free(place);
	return 0;
}

/* Replaces libc's function, so that a file system seems to lack unnamed files. */
static bool unnamed_files_exist = true;

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	if ((flags & O_TMPFILE) == O_TMPFILE && !unnamed_files_exist) {
		errno = EOPNOTSUPP;
		return -1;
	}
	va_start(args, flags);
	if (flags & (O_CREAT | __O_TMPFILE))
		mode = va_arg(args, mode_t);
	va_end(args);
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static struct work_args io_args(const struct place *place, uint64_t size)
{
	return (struct work_args) {.size = size, .io_path = place->source, .tmp_dir = place->dir};
}

static uint64_t divisors(uint64_t number, uint64_t alloc)
{
	const struct work_args args = {.size = number, .alloc = alloc};
	struct work_result result;

	assert_int_equal(workload_get(WORK_CPU)->run(&args, &result), 0);
	return result.value;
}

static void cpu_finds_every_divisor(void **state)
{
	assert_int_equal(divisors(1, 0), 1);
	assert_int_equal(divisors(2, 0), 2);
	assert_int_equal(divisors(97, 0), 2);
	assert_int_equal(divisors(64, 0), 7);
	assert_int_equal(divisors(30030, 0), 64);
	assert_int_equal(divisors(720720, 0), 240);
}

static void cpu_finds_the_same_when_it_allocates(void **state)
{
	assert_int_equal(divisors(97, 400), 2);
	assert_int_equal(divisors(720720, 400), 240);
	assert_int_equal(divisors(1, 1), 1);
}

static void cpu_reports_that_memory_is_short(void **state)
{
	const struct work_args args = {.size = 2, .alloc = SIZE_MAX / 2};
	struct work_result result;

	assert_int_equal(workload_get(WORK_CPU)->run(&args, &result), -ENOMEM);
}

static int run_of(enum work_kind kind, uint64_t size, uint64_t *value)
{
	const struct work_args args = {.size = size};
	struct work_result result;
	int err = workload_get(kind)->run(&args, &result);

	*value = result.value;
	return err;
}

static void fp_comes_as_near_to_pi_as_its_terms_allow(void **state)
{
	uint64_t value;

	assert_int_equal(run_of(WORK_FP, 1, &value), 0);
	assert_int_equal(value, UINT64_C(4000000000000000));
	assert_int_equal(run_of(WORK_FP, 2, &value), 0);
	assert_int_equal(value, UINT64_C(2666666666666667));
	/* The error after n terms is about 1/n. */
	assert_int_equal(run_of(WORK_FP, 1000000, &value), 0);
	assert_in_range(value, UINT64_C(3141591653589000), UINT64_C(3141591653590000));
}

static void a_sum_with_a_term_too_few_or_too_many_is_no_pi(void **state)
{
	uint64_t i, n, wrong = 0;
	double sum, sign;

	for (n = 1; n <= 1000; n++) {
		for (i = 0, sum = 0, sign = 1; i < n; i++, sign = -sign)
			sum += sign / (double)(2 * i + 1);
		assert_true(work_check_pi(sum, n));
		wrong += work_check_pi(sum, n + 1) || (n > 1 && work_check_pi(sum, n - 1));
	}
	assert_int_equal(wrong, 0);
	assert_false(work_check_pi(0, 10));
}

static void mem_visits_every_line_of_any_number(void **state)
{
	const uint64_t lines[] = {1, 2, 3, 4, 63, 64, 1000, 65537};
	uint64_t value, once;
	size_t i;

	assert_int_equal(run_of(WORK_MEM, sizeof(struct work_line), &once), 0);
	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		assert_int_equal(run_of(WORK_MEM, lines[i] * sizeof(struct work_line) + 63, &value),
				 0);
		assert_int_equal(value, lines[i] * once);
	}
}

static void mem_walks_as_many_rounds_as_asked_for(void **state)
{
	struct work_args args = {.size = 100 * sizeof(struct work_line), .mistakes = {.rounds = 7}};
	struct work_result result;

	for (args.mistakes.mem_order = MEM_RANDOM; args.mistakes.mem_order <= MEM_SEQUENTIAL;
	     args.mistakes.mem_order++) {
		assert_int_equal(workload_get(WORK_MEM)->run(&args, &result), 0);
		assert_int_equal(result.value, 700);
	}
}

/* In a random cycle hardly any line is followed by its neighbour; in a sequential one, all are. */
static void only_a_sequential_walk_goes_from_neighbour_to_neighbour(void **state)
{
	enum { N = 10000 };
	static struct work_line lines[N];
	struct work_pace pace = {NULL, N, N};

	for (int order = MEM_RANDOM; order <= MEM_SEQUENTIAL; order++) {
		size_t neighbours = 0;

		work_mem_link(lines, N, (uint32_t)order, &pace);
		assert_int_equal(work_mem_follow(lines, N + 1, &pace), N);
		for (size_t i = 0; i < N; i++)
			neighbours += lines[i].next == &lines[(i + 1) % N];
		if (order == MEM_SEQUENTIAL)
			assert_int_equal(neighbours, N);
		else
			assert_true(neighbours < N / 100);
	}
}

static void mem_refuses_what_is_no_line_and_what_does_not_fit(void **state)
{
	uint64_t value;

	assert_int_equal(run_of(WORK_MEM, 63, &value), -EINVAL);
	assert_int_equal(run_of(WORK_MEM, UINT64_MAX, &value), -EINVAL);
}

/* Links the lines in order, each to the next, the last to the first. */
static void link_ring(struct work_line *lines, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		lines[i].next = &lines[(i + 1) % n];
}

static void a_cycle_that_leaves_lines_out_is_found(void **state)
{
	struct work_pace pace = {NULL, 8, 8};
	struct work_line lines[8];

	link_ring(lines, 8);
	assert_int_equal(work_mem_follow(lines, 9, &pace), 8);
	lines[3].next = &lines[5]; /* one line is skipped */
	assert_int_equal(work_mem_follow(lines, 9, &pace), 7);
	lines[3].next = &lines[0]; /* two cycles */
	assert_int_equal(work_mem_follow(lines, 9, &pace), 4);
	lines[3].next = &lines[2]; /* the walk never comes back */
	assert_int_equal(work_mem_follow(lines, 9, &pace), 9);
}

static void hello_says_as_many_lines_as_asked_for(void **state)
{
	char text[64] = "";
	struct work_args args = {.size = 3, .out = fmemopen(text, sizeof(text), "w")};
	struct work_result result;

	assert_int_equal(workload_get(WORK_HELLO)->run(&args, &result), 0);
	assert_int_equal(result.value, 3);
	fclose(args.out);
	assert_string_equal(text, "hello linux\nhello linux\nhello linux\n");
}

static void hello_notices_a_sink_that_takes_no_more(void **state)
{
	struct work_args args = {.size = 100000, .out = fopen("/dev/full", "w")};
	struct work_result result;

	assert_int_equal(workload_get(WORK_HELLO)->run(&args, &result), -ENOSPC);
	assert_true(result.value < args.size);
	fclose(args.out);
}

static void null_returns_at_once(void **state)
{
	const struct work_args args = {.size = UINT64_MAX};
	struct work_result result;

	assert_int_equal(workload_get(WORK_NULL)->run(&args, &result), 0);
	assert_int_equal(result.value, 0);
}

static void every_workload_says_what_it_is(void **state)
{
	const struct workload_ops *ops;
	int kind;

	for (kind = 0; kind < WORK_KINDS; kind++) {
		ops = workload_get((enum work_kind)kind);
		if (ops) {
			assert_non_null(ops->about);
			assert_true((ops->default_size > 0) == (ops->amount != NULL));
			assert_non_null(ops->unit);
		}
	}
	assert_null(workload_get(WORK_KINDS));
}

static void io_copies_the_whole_file(void **state)
{
	struct work_args args = io_args(*state, 0);
	struct work_result result;

	assert_int_equal(workload_get(WORK_IO)->run(&args, &result), 0);
	assert_int_equal(result.value, SOURCE_SIZE);
	args.size = 10 * SOURCE_SIZE;
	assert_int_equal(workload_get(WORK_IO)->run(&args, &result), 0);
	assert_int_equal(result.value, SOURCE_SIZE);
}

static void io_copies_as_much_as_is_asked_for(void **state)
{
	const uint64_t sizes[] = {1, 65535, 65536, 65537, SOURCE_SIZE};
	struct work_result result;
	struct work_args args;
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		args = io_args(*state, sizes[i]);
		assert_int_equal(workload_get(WORK_IO)->run(&args, &result), 0);
		assert_int_equal(result.value, sizes[i]);
	}
}

static void io_leaves_no_file_where_unnamed_ones_do_not_exist(void **state)
{
	struct work_args args = io_args(*state, 0);
	struct work_result result;

	unnamed_files_exist = false;
	assert_int_equal(workload_get(WORK_IO)->run(&args, &result), 0);
	assert_int_equal(result.value, SOURCE_SIZE);
	assert_int_equal(workload_get(WORK_IO)->prepare(&args, &result), 0);
	args.tmp_dir = "/nowhere/at/all";
	assert_int_equal(workload_get(WORK_IO)->run(&args, &result), -ENOENT);
	unnamed_files_exist = true;
}

static void io_names_the_source_that_it_cannot_read(void **state)
{
	const struct place *place = *state;
	struct work_args args = io_args(place, 0);
	struct work_result result;

	args.io_path = "/nowhere/at/all";
	assert_int_equal(workload_get(WORK_IO)->run(&args, &result), -ENOENT);
	assert_string_equal(result.path, args.io_path);
	assert_int_equal(workload_get(WORK_IO)->prepare(&args, &result), -ENOENT);
	assert_string_equal(result.path, args.io_path);
	args.io_path = place->dir;
	assert_int_equal(workload_get(WORK_IO)->run(&args, &result), -EISDIR);
	assert_string_equal(result.path, args.io_path);
}

static void io_names_the_folder_that_it_cannot_write(void **state)
{
	struct work_args args = io_args(*state, 0);
	struct work_result result;

	args.tmp_dir = "/nowhere/at/all";
	assert_int_equal(workload_get(WORK_IO)->run(&args, &result), -ENOENT);
	assert_string_equal(result.path, args.tmp_dir);
	assert_int_equal(workload_get(WORK_IO)->prepare(&args, &result), -ENOENT);
	assert_string_equal(result.path, args.tmp_dir);
}

static void io_names_the_folder_when_there_is_no_room(void **state)
{
	const struct work_args args = io_args(*state, 0);
	struct rlimit saved, small;
	struct work_result result;
	int err;

	/* RLIMIT_FSIZE acts as a full disk: write() fails half-way. */
	getrlimit(RLIMIT_FSIZE, &saved);
	small = (struct rlimit) {.rlim_cur = SOURCE_SIZE / 2, .rlim_max = saved.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &small);
	err = workload_get(WORK_IO)->run(&args, &result);
	setrlimit(RLIMIT_FSIZE, &saved);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(err, -EFBIG);
	assert_string_equal(result.path, args.tmp_dir);
}

static void io_notices_a_copy_that_differs(void **state)
{
	struct work_args args = io_args(*state, 0);
	struct work_result result;

	/* This file has other content each time it is read. */
	args.io_path = "/proc/sys/kernel/random/uuid";
	assert_int_equal(workload_get(WORK_IO)->run(&args, &result), -EILSEQ);
}

static void write_reads_back_what_it_wrote(void **state)
{
	const uint64_t sizes[] = {8, 4088, 4096, 4104, SOURCE_SIZE};
	struct work_args args = io_args(*state, 0);
	struct work_result result;
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		args.size = sizes[i];
		assert_int_equal(workload_get(WORK_WRITE)->run(&args, &result), 0);
		assert_int_equal(result.value, sizes[i]);
	}
}

/*
 * Afterwards the file has everything that the workers wrote. The end of one worker does not close
 * it for the others.
 */
static void those_that_share_a_file_write_that_one_alone(void **state)
{
	const struct place *place = *state;
	const enum work_kind kinds[] = {WORK_WRITE, WORK_IO};
	struct work_result result;
	struct stat st;

	for (size_t i = 0; i < 2; i++) {
		struct work_args args = io_args(place, SOURCE_SIZE);

		args.one_file = work_file_unnamed(place->dir);
		for (int worker = 0; worker < 3; worker++) {
			assert_int_equal(workload_get(kinds[i])->run(&args, &result), 0);
			assert_int_equal(result.value, SOURCE_SIZE);
		}
		assert_int_equal(fstat(args.one_file, &st), 0);
		assert_int_equal(st.st_size, SOURCE_SIZE);
		assert_int_equal(close(args.one_file), 0);
	}
}

static void write_goes_as_many_rounds_as_asked_for(void **state)
{
	struct work_args args = io_args(*state, 10000);
	struct work_result result;

	args.mistakes.rounds = 5;
	assert_int_equal(workload_get(WORK_WRITE)->run(&args, &result), 0);
	assert_int_equal(result.value, 50000);
}

static void write_names_the_folder_that_it_cannot_write(void **state)
{
	struct work_args args = io_args(*state, 4096);
	struct work_result result;

	args.tmp_dir = "/nowhere/at/all";
	assert_int_equal(workload_get(WORK_WRITE)->run(&args, &result), -ENOENT);
	assert_string_equal(result.path, args.tmp_dir);
}

static void a_block_that_is_damaged_or_elsewhere_is_found(void **state)
{
	uint64_t block[512];

	work_check_fill(block, 512, 8192);
	assert_true(work_check_filled(block, 512, 8192));
	assert_false(work_check_filled(block, 512, 4096));
	block[511] ^= 1;
	assert_false(work_check_filled(block, 512, 8192));
	assert_true(work_check_filled(block, 511, 8192));
}

static void files_are_closed(void **state)
{
	struct work_args args = io_args(*state, 0);
	struct work_result result;
	size_t before = folder_count("/proc/self/fd");

	workload_get(WORK_IO)->run(&args, &result);
	workload_get(WORK_IO)->prepare(&args, &result);
	args.size = 4096;
	workload_get(WORK_WRITE)->run(&args, &result);
	args.tmp_dir = "/nowhere/at/all";
	workload_get(WORK_IO)->run(&args, &result);
	assert_int_equal(folder_count("/proc/self/fd"), before);
}

static void drop_from_page_cache(int fd)
{
	assert_int_equal(fsync(fd), 0);
	assert_int_equal(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), 0);
}

static size_t count_resident(int fd)
{
	unsigned char resident[SOURCE_SIZE / 4096 + 1];
	void *map = mmap(NULL, SOURCE_SIZE, PROT_READ, MAP_SHARED, fd, 0);
	size_t page = (size_t)sysconf(_SC_PAGESIZE), i, count = 0;

	assert_int_equal(mincore(map, SOURCE_SIZE, resident), 0);
	for (i = 0; i < (SOURCE_SIZE + page - 1) / page; i++)
		count += resident[i] & 1;
	munmap(map, SOURCE_SIZE);
	return count;
}

static void io_preparation_warms_the_page_cache(void **state)
{
	const struct place *place = *state;
	const struct work_args args = io_args(place, 0);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = open(place->source, O_RDONLY);
	struct work_result result;

	drop_from_page_cache(fd);
	assert_int_equal(workload_get(WORK_IO)->prepare(&args, &result), 0);
	assert_int_equal(count_resident(fd), (SOURCE_SIZE + page - 1) / page);
	close(fd);
}

static bool lives_in_the_page_cache(const char *dir)
{
	struct statfs fs;

	return statfs(dir, &fs) == 0 && fs.f_type == TMPFS_MAGIC;
}

static void io_preparation_leaves_nothing_in_the_page_cache(void **state)
{
	const struct place *place = *state;
	struct work_args args = io_args(place, 0);
	int fd = open(place->source, O_RDONLY);
	struct work_result result;

	args.cache = CACHE_COLD;
	if (lives_in_the_page_cache(place->dir)) {
		/* Pages are never dropped there, so it must not count as cold. */
		assert_int_equal(workload_get(WORK_IO)->prepare(&args, &result), -EBUSY);
		close(fd);
		return;
	}
	assert_int_equal(workload_get(WORK_IO)->prepare(&args, &result), 0);
	assert_int_equal(count_resident(fd), 0);
	args.cache = CACHE_LEAVE;
	assert_int_equal(workload_get(WORK_IO)->prepare(&args, &result), 0);
	assert_int_equal(count_resident(fd), 0);
	close(fd);
}

static void io_preparation_notices_what_stays_in_the_page_cache(void **state)
{
	const struct place *place = *state;
	struct work_args args = io_args(place, 0);
	int fd = open(place->source, O_RDONLY);
	void *map = mmap(NULL, SOURCE_SIZE, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
	struct work_result result;

	/* Pages that a process has mapped are not dropped. */
	args.cache = CACHE_COLD;
	assert_int_equal(workload_get(WORK_IO)->prepare(&args, &result), -EBUSY);
	assert_string_equal(result.path, place->source);
	munmap(map, SOURCE_SIZE);
	close(fd);
}

static void those_without_a_loop_are_known(void **state)
{
	(void)state;
	for (int kind = 0; kind < WORK_KINDS; kind++)
		assert_int_equal(workload_get((enum work_kind)kind)->ticks,
				 !WORK_HAS_NO_LOOP(kind));
}

#define WITH_PLACE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpu_finds_every_divisor),
		cmocka_unit_test(cpu_finds_the_same_when_it_allocates),
		cmocka_unit_test(cpu_reports_that_memory_is_short),
		cmocka_unit_test(fp_comes_as_near_to_pi_as_its_terms_allow),
		cmocka_unit_test(a_sum_with_a_term_too_few_or_too_many_is_no_pi),
		cmocka_unit_test(mem_visits_every_line_of_any_number),
		cmocka_unit_test(mem_walks_as_many_rounds_as_asked_for),
		cmocka_unit_test(only_a_sequential_walk_goes_from_neighbour_to_neighbour),
		cmocka_unit_test(mem_refuses_what_is_no_line_and_what_does_not_fit),
		cmocka_unit_test(a_cycle_that_leaves_lines_out_is_found),
		cmocka_unit_test(hello_says_as_many_lines_as_asked_for),
		cmocka_unit_test(hello_notices_a_sink_that_takes_no_more),
		cmocka_unit_test(null_returns_at_once),
		cmocka_unit_test(fibers_take_turns_until_all_have_ended),
		cmocka_unit_test(every_workload_says_what_it_is),
		cmocka_unit_test(those_without_a_loop_are_known),
		WITH_PLACE(io_copies_the_whole_file),
		WITH_PLACE(io_copies_as_much_as_is_asked_for),
		WITH_PLACE(io_leaves_no_file_where_unnamed_ones_do_not_exist),
		WITH_PLACE(io_names_the_source_that_it_cannot_read),
		WITH_PLACE(io_names_the_folder_that_it_cannot_write),
		WITH_PLACE(io_names_the_folder_when_there_is_no_room),
		WITH_PLACE(io_notices_a_copy_that_differs),
		WITH_PLACE(write_reads_back_what_it_wrote),
		WITH_PLACE(those_that_share_a_file_write_that_one_alone),
		WITH_PLACE(write_goes_as_many_rounds_as_asked_for),
		WITH_PLACE(write_names_the_folder_that_it_cannot_write),
		cmocka_unit_test(a_block_that_is_damaged_or_elsewhere_is_found),
		WITH_PLACE(files_are_closed),
		WITH_PLACE(io_preparation_warms_the_page_cache),
		WITH_PLACE(io_preparation_leaves_nothing_in_the_page_cache),
		WITH_PLACE(io_preparation_notices_what_stays_in_the_page_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
