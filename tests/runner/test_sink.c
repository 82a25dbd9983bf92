/* SPDX-License-Identifier: MIT */
#include "runner/runner.h"

#include "stage/check.h"
#include "stage/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "work/workload.h"

static struct sink_count count_of(const char *text, size_t piece)
{
	struct sink_count count = {.lines = 0};
	size_t left = strlen(text);

	for (; left > 0; left -= piece < left ? piece : left) {
		size_t n = piece < left ? piece : left;

		sink_count(&count, text + strlen(text) - left, n);
	}
	sink_count(&count, NULL, 0);
	return count;
}

static void expect(const char *text, uint64_t lines, uint64_t torn)
{
	struct sink_count count;
	size_t piece;

	for (piece = 1; piece < 40; piece++) {
		count = count_of(text, piece);
		assert_int_equal(count.lines, lines);
		assert_int_equal(count.torn, torn);
	}
}

static void lines_are_counted_however_they_arrive(void **state)
{
	expect("", 0, 0);
	expect(WORK_HELLO_LINE, 1, 0);
	expect(WORK_HELLO_LINE WORK_HELLO_LINE WORK_HELLO_LINE WORK_HELLO_LINE, 4, 0);
}

static void torn_lines_are_distinguished_from_whole_ones(void **state)
{
	expect("hello lin", 0, 1);
	expect("\n", 0, 1);
	expect("hello linuhello linux\nx\n" WORK_HELLO_LINE, 1, 2);
	expect(WORK_HELLO_LINE "hello linux" WORK_HELLO_LINE, 1, 1);
	expect(WORK_HELLO_LINE "Hello linux\n" WORK_HELLO_LINE, 2, 1);
}

static void a_line_too_few_too_many_or_torn_is_not_whole(void **state)
{
	struct sink_count count = {.lines = 5};

	assert_true(sink_is_whole(&count, 5));
	assert_false(sink_is_whole(&count, 4));
	assert_false(sink_is_whole(&count, 6));
	count.torn = 1;
	assert_false(sink_is_whole(&count, 5));
	count = (struct sink_count) {.lines = UINT64_MAX, .torn = UINT64_MAX};
	assert_true(sink_is_whole(&count, 5));
}

static struct board_request request_of(enum board_sink kind)
{
	struct board_request request = {.sink = kind, .tmp_dir = "/tmp"};

	request.plan.leaves[WORK_HELLO] = 4;
	return request;
}

#define WRITERS 4
#define EACH	5000

/* Several processes write at once, each with a copy of the stream. */
static void write_lines(FILE *out)
{
	pid_t pids[WRITERS];
	int i, j, status;

	for (i = 0; i < WRITERS; i++) {
		pids[i] = fork();
		if (pids[i] > 0)
			continue;
		for (j = 0; j < EACH; j++)
			fputs(WORK_HELLO_LINE, out);
		_exit(fflush(out) ? 1 : 0);
	}
	for (i = 0; i < WRITERS; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
}

static struct sink_count through(enum board_sink kind)
{
	const struct board_request request = request_of(kind);
	size_t before = folder_count("/proc/self/fd");
	struct sink_count count;
	struct sink sink;
	uint64_t used_us;

	assert_int_equal(sink_open(&sink, &request, TEST_RUNNER), 0);
	assert_non_null(sink.out);
	write_lines(sink.out);
	used_us = clock_used_us(RUSAGE_CHILDREN);
	assert_int_equal(sink_close(&sink, &count), 0);
	used_us = clock_used_us(RUSAGE_CHILDREN) - used_us;
	/*
	 * The writers were reaped before, so the drain is the only child that is added here. The
	 * kernel cuts user and system time to whole µs, and so used_us may be 2 µs more than
	 * sink.drain_us.
	 */
	if (kind == SINK_PIPE)
		assert_in_range(sink.drain_us, used_us - (used_us < 2 ? used_us : 2), used_us + 1);
	else
		assert_true(sink.drain_us == UINT64_MAX);
	assert_int_equal(folder_count("/proc/self/fd"), before);
	return count;
}

static void processes_that_write_at_once_tear_no_line(void **state)
{
	struct sink_count count = through(SINK_FILE);

	assert_int_equal(count.lines, WRITERS * EACH);
	assert_int_equal(count.torn, 0);
	count = through(SINK_PIPE);
	assert_int_equal(count.lines, WRITERS * EACH);
	assert_int_equal(count.torn, 0);
}

static void writes_to_dev_null_are_not_counted(void **state)
{
	struct sink_count count = through(SINK_NULL);

	assert_true(count.lines == UINT64_MAX && count.torn == UINT64_MAX);
}

static void nothing_is_opened_where_nobody_writes(void **state)
{
	const struct board_request request = {.sink = SINK_PIPE};
	struct sink_count count;
	struct sink sink;

	assert_int_equal(sink_open(&sink, &request, "/nowhere/at/all"), 0);
	assert_null(sink.out);
	assert_int_equal(sink_close(&sink, &count), 0);
	assert_true(count.lines == UINT64_MAX);
}

static void a_drain_that_cannot_be_had_is_an_error(void **state)
{
	struct board_request request = request_of(SINK_PIPE);
	size_t before = folder_count("/proc/self/fd");
	struct sink_count count;
	struct sink sink;

	assert_int_equal(sink_open(&sink, &request, "/nowhere/at/all"), -ENOENT);
	/* The drain ends without a report. */
	assert_int_equal(sink_open(&sink, &request, "/bin/true"), 0);
	assert_int_equal(sink_close(&sink, &count), -EPIPE);
	request = request_of(SINK_FILE);
	strcpy(request.tmp_dir, "/nowhere/at/all");
	assert_int_equal(sink_open(&sink, &request, TEST_RUNNER), -ENOENT);
	request.sink = 77;
	assert_int_equal(sink_open(&sink, &request, TEST_RUNNER), -EINVAL);
	assert_int_equal(folder_count("/proc/self/fd"), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_counted_however_they_arrive),
		cmocka_unit_test(torn_lines_are_distinguished_from_whole_ones),
		cmocka_unit_test(a_line_too_few_too_many_or_torn_is_not_whole),
		cmocka_unit_test(processes_that_write_at_once_tear_no_line),
		cmocka_unit_test(writes_to_dev_null_are_not_counted),
		cmocka_unit_test(nothing_is_opened_where_nobody_writes),
		cmocka_unit_test(a_drain_that_cannot_be_had_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
