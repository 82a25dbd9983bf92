/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/again.h"
#include "app/command.h"
#include "stage/seed.h"

static int split(const char *line, char **words, char copy[1024])
{
	snprintf(copy, 1024, "%s", line);
	return command_split(copy, words, 8);
}

static void a_line_is_cut_into_the_words_that_it_was_made_of(void **state)
{
	char *words[9], copy[1024], line[1024], word[4][24];
	char *argv[] = {"tuibench", word[0], word[1], word[2], word[3], NULL};

	seed_random();
	for (int round = 0; round < 2000; round++) {
		for (int i = 0; i < 4; i++) {
			int n = (int)(random() % 20);

			for (int at = 0; at < n; at++)
				word[i][at] = (char)(random() % 4 ? 32 + random() % 95
								  : 1 + random() % 255);
			word[i][n] = '\0';
		}
		command_write(line, sizeof(line), 5, argv, "");
		assert_int_equal(split(line, words, copy), 5);
		for (int i = 0; i < 5; i++)
			assert_string_equal(words[i], argv[i]);
		assert_null(words[5]);
	}
}

static void what_is_no_such_line_is_refused(void **state)
{
	static const char *const lines[] = {"tuibench 'open",	  "tuibench $'open",
					    "tuibench $'\\9'",	  "tuibench 'a'b",
					    "tuibench -b -o ...", "tuibench $'\\000'"};
	char *words[9], copy[1024];

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_int_equal(split(lines[i], words, copy), -EINVAL);
	assert_int_equal(split("1 2 3 4 5 6 7 8 9", words, copy), -E2BIG);
	assert_int_equal(split("", words, copy), 0);
}

/* The words of the new command line, joined by blanks. */
static const char *words_of(const struct next *next, char buf[1024])
{
	size_t n = 0;

	buf[0] = '\0';
	for (int i = 0; i < next->argc; i++)
		n += (size_t)snprintf(buf + n, 1024 - n, "%s%s", i ? " " : "", next->argv[i]);
	return buf;
}

static void what_ran_is_kept_and_where_it_went_is_not(void **state)
{
	const struct options now = {.fps = 5, .ascii = true};
	struct next next = {.argc = 0};
	char error[512], buf[1024];

	assert_int_equal(
		again_make(&next, &now,
			   "tuibench -t 10x10 -m threads,processes -bn 8 --warmup 1 "
			   "--log '/tmp/a b.csv' --format json --seed 9 --hold --ballast 1G",
			   "--ballast 0,64M", error, sizeof(error)),
		0);
	assert_string_equal(
		words_of(&next, buf),
		"tuibench --tree=10x10 --models=threads,processes --trials=8 "
		"--warmup=1 --ballast=1G --ballast=0,64M --ascii --fps=5 --config=none");
	next_free(&next);
	assert_int_equal(next.argc, 0);
}

static void what_could_not_run_is_told_before(void **state)
{
	static const char *const recorded[] = {"tuibench --of-tomorrow", "tuibench --tree 10x...",
					       "tuibench --io-file /no/such/file --io 1"};
	const struct options now = {.fps = 10};
	struct next next = {.argc = 0};
	char error[512];

	for (size_t i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++) {
		error[0] = '\0';
		assert_true(again_make(&next, &now, recorded[i], "--pin 0", error, sizeof(error)) <
			    0);
		assert_true(*error);
		assert_int_equal(next.argc, 0);
	}
}

/* Each of what causes name is taken behind what was run. */
static void what_shows_a_cause_can_be_run(void **state)
{
	static const char *const more[] = {
		"--sweep env:GLIBC_TUNABLES=-,glibc.malloc.tcache_count=0",
		"--sweep alloc=1000,4000",
		"--alloc 0",
		"--ballast 0,64M",
		"--stack-size default,16K",
		"--sweep share-file=no,yes",
		"--cache cold",
	};
	const struct options now = {.fps = 10};
	struct next next = {.argc = 0};
	char error[512];

	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		if (again_make(&next, &now, "tuibench --cpu 4 --io 2 --alloc 4000", more[i], error,
			       sizeof(error)))
			fail_msg("%s: %s", more[i], error);
		next_free(&next);
	}
	assert_true(again_make(&next, &now, "tuibench --cpu 4", "--sweep alloc=x,4000", error,
			       sizeof(error)) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_cut_into_the_words_that_it_was_made_of),
		cmocka_unit_test(what_is_no_such_line_is_refused),
		cmocka_unit_test(what_ran_is_kept_and_where_it_went_is_not),
		cmocka_unit_test(what_could_not_run_is_told_before),
		cmocka_unit_test(what_shows_a_cause_can_be_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
