/* SPDX-License-Identifier: MIT */
#include "base/patience.h"

#include "stage/check.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A pipe with a small buffer. SIGTERM is blocked, and so remains pending. */
struct stage {
	struct patience patience;
	int ends[2];
};

static int set_up(void **state)
{
	static struct stage stage;
	sigset_t term;

	stage.patience.most_ms = -1;
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	stage.patience.ends = term;
	assert_int_equal(sigprocmask(SIG_BLOCK, &term, NULL), 0);
	assert_int_equal(pipe2(stage.ends, O_CLOEXEC), 0);
	assert_true(fcntl(stage.ends[1], F_SETPIPE_SZ, 4096) >= 4096);
	*state = &stage;
	return 0;
}

static void take_term(const struct stage *stage)
{
	const struct timespec at_once = {0};

	assert_int_equal(sigtimedwait(&stage->patience.ends, NULL, &at_once), SIGTERM);
}

static int tear_down(void **state)
{
	struct stage *stage = *state;

	close(stage->ends[0]);
	close(stage->ends[1]);
	return 0;
}

static size_t waiting(const struct stage *stage, char *text, size_t size)
{
	ssize_t n;

	assert_int_equal(fcntl(stage->ends[0], F_SETFL, O_NONBLOCK), 0);
	n = read(stage->ends[0], text, size - 1);
	text[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

static void a_write_that_nobody_reads_ends_by_a_signal_or_a_timeout(void **state)
{
	struct stage *stage = *state;
	char bytes[10000] = "";

	raise(SIGTERM);
	assert_int_equal(patience_write(&stage->patience, stage->ends[1], bytes, sizeof(bytes)),
			 -EINTR);
	take_term(stage);
	stage->patience.most_ms = 1;
	assert_int_equal(patience_write(&stage->patience, stage->ends[1], bytes, sizeof(bytes)),
			 -ETIMEDOUT);
}

static void a_slow_reader_gets_all_bytes(void **state)
{
	struct stage *stage = *state;
	char text[64];

	raise(SIGTERM);
	assert_int_equal(patience_write(&stage->patience, stage->ends[1], "abc", 3), 0);
	take_term(stage);
	assert_int_equal(waiting(stage, text, sizeof(text)), 3);
}

static void lines_go_out_one_by_one_and_after_a_signal(void **state)
{
	struct stage *stage = *state;
	FILE *file = patience_stream(&stage->patience, stage->ends[1], PATIENCE_LINES);
	char text[64];

	assert_non_null(file);
	fputs("one\n", file);
	assert_int_equal(waiting(stage, text, sizeof(text)), 4);
	raise(SIGTERM);
	fputs("two\n", file);
	assert_int_equal(waiting(stage, text, sizeof(text)), 4);
	assert_string_equal(text, "two\n");
	assert_false(ferror(file));
	take_term(stage);
	assert_int_equal(fclose(file), 0);
}

static void a_signal_ends_a_result(void **state)
{
	struct stage *stage = *state;
	FILE *file = patience_stream(&stage->patience, stage->ends[1], PATIENCE_RESULT);
	char text[64];

	assert_non_null(file);
	fputs("one\n", file);
	assert_int_equal(waiting(stage, text, sizeof(text)), 0);
	assert_int_equal(fflush(file), 0);
	assert_int_equal(waiting(stage, text, sizeof(text)), 4);
	fputs("two\n", file);
	raise(SIGTERM);
	errno = 0;
	assert_int_equal(fflush(file), EOF);
	assert_int_equal(errno, EINTR);
	assert_true(ferror(file));
	take_term(stage);
	fclose(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_write_that_nobody_reads_ends_by_a_signal_or_a_timeout, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_slow_reader_gets_all_bytes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(lines_go_out_one_by_one_and_after_a_signal, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_signal_ends_a_result, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
