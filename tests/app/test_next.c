/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "cli/command.h"
#include "cli/options.h"
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

static void malformed_command_lines_are_refused(void **state)
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

/* Returns the words of the new command line, joined by blanks. */
static const char *words_of(const struct next *next, char buf[1024])
{
	size_t n = 0;

	buf[0] = '\0';
	for (int i = 0; i < next->argc; i++)
		n += (size_t)snprintf(buf + n, 1024 - n, "%s%s", i ? " " : "", next->argv[i]);
	return buf;
}

/* Like key y: checks the line as if it was typed. What was left out is in `outside`. */
static int make(struct next *next, const struct options *now, const char *recorded,
		const char *more, bool keeps, char outside[8192], char error[512])
{
	char *told = NULL;
	const struct again again = {recorded, more, -1, keeps, &told};
	int err = again_make(next, &again, now, "y", error, 512);

	snprintf(outside, 8192, "%s", told ? told : "");
	free(told);
	if (!err)
		err = next_check(next, error, 512);
	if (err)
		next_free(next);
	return err;
}

static void options_of_the_run_are_kept_and_those_of_its_recording_are_not(void **state)
{
	const struct options now = {.fps = 5, .ascii = true};
	struct next next = {.argc = 0};
	char error[512], buf[1024], outside[8192];

	assert_int_equal(make(&next, &now,
			      "tuibench -t 10x10 -m threads,processes -bn 8 --warmup 1 "
			      "--log '/tmp/a b.csv' --format json --seed 9 --hold -s ballast=1G",
			      "--set ballast=0,64M", false, outside, error),
			 0);
	assert_string_equal(words_of(&next, buf),
			    "tuibench --tree=10x10 --models=threads,processes --trials=8 "
			    "--warmup=1 --set=ballast=0,64M --ascii --fps=5 --config=none");
	next_free(&next);
	assert_int_equal(next.argc, 0);
}

/* An earlier version accepted a repeated setting, and the last value counted. */
static void a_setting_that_was_recorded_twice_has_its_last_value(void **state)
{
	const struct options now = {.fps = 10};
	struct next next = {.argc = 0};
	char error[512], buf[1024], outside[8192];

	assert_int_equal(make(&next, &now,
			      "tuibench -w cpu=2 -s alloc=0 --set alloc=400 -s nice=19 -salloc=800",
			      NULL, false, outside, error),
			 0);
	assert_string_equal(words_of(&next, buf),
			    "tuibench --workers=cpu=2 --set=alloc=800 --set=nice=19 --config=none");
	next_free(&next);
}

static void a_command_line_that_cannot_run_is_refused_before_it_runs(void **state)
{
	static const char *const recorded[] = {"tuibench --of-tomorrow", "tuibench --tree 10x...",
					       "tuibench -s io-file=/no/such/file -w io=1"};
	const struct options now = {.fps = 10};
	struct next next = {.argc = 0};
	char error[512], outside[8192];

	for (size_t i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++) {
		error[0] = '\0';
		assert_true(make(&next, &now, recorded[i], "--set pin=0", true, outside, error) <
			    0);
		assert_true(*error);
		assert_int_equal(next.argc, 0);
		if (i == 0)
			assert_non_null(strstr(error, "an option of an earlier version; type it"));
	}
}

/* Every setting that a cause names can follow the recorded command. */
static void the_settings_that_show_a_cause_can_be_run(void **state)
{
	static const char *const more[] = {
		"--set env:GLIBC_TUNABLES=-,glibc.malloc.tcache_count=0",
		"--set alloc=1000,4000",
		"--set alloc=0",
		"--set ballast=0,64M",
		"--set stack=default,16K",
		"--set share-file=no,yes",
		"--set cache=cold",
	};
	const struct options now = {.fps = 10};
	struct next next = {.argc = 0};
	char error[512], outside[8192];

	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		if (make(&next, &now, "tuibench -w cpu=4,io=2 -s alloc=4000", more[i], false,
			 outside, error))
			fail_msg("%s: %s", more[i], error);
		next_free(&next);
	}
	assert_true(make(&next, &now, "tuibench -w cpu=4", "--set alloc=x,4000", false, outside,
			 error) < 0);
}

/* Each is a recording's column of options, in every spelling that the parser would take. */
static void a_recording_offers_nothing_that_starts_or_opens_what_is_outside(void **state)
{
	static const char *const options[] = {
		"'-sprepare=sh pay.sh'",
		"-sprepare=sh",
		"-s 'prepare=sh pay.sh'",
		"'-s prepare=sh pay.sh'",
		"--set 'prepare=sh pay.sh'",
		"'--set=prepare=sh pay.sh'",
		"--se 'prepare=sh pay.sh'",
		"--se=prepare=/tmp/pay.sh",
		"$'--set=prepare=sh\\040pay.sh'",
		"$'--set=prepare=sh -c \\'touch a\\012\\''",
		"$'-s' $'prepare=sh\\040pay.sh'",
		"-s prepare=$(sh)",
		"'-sprepare=`sh`;sh'",
		"-s prepare=true -s prepare=sh",
		"-s prepare=true,sh",
		"--set=prepare=true,sh",
		"-bs prepare=sh",
		"-bsprepare=sh",
		"-qsprepare=sh",
		"-s ' prepare=sh'",
		"-s prepare",
		"-s prepar=sh",
		"-s=prepare=sh",
		"'--set= prepare=sh'",
		"-s io-file=/dev/zero",
		"-sio-file=/etc/shadow",
		"--set=io-file=/etc/shadow,/etc/passwd",
		"-s env:LD_PRELOAD=/tmp/pay.so",
		"-senv:LD_PRELOAD=/tmp/pay.so",
		"--set=env:LD_PRELOAD=/tmp/pay.so",
		"--set=env:LD_PRELOAD=-,/tmp/pay.so",
		"-s 'env:LD_PRELOAD=-,/tmp/pay.so'",
		"-s env:A=b=c",
		"-s alloc=0 -s env:LD_PRELOAD=/tmp/pay.so -s alloc=1",
		"--config=/etc/passwd",
		"--conf /etc/passwd",
		"-o/etc/passwd",
		"-bo/etc/passwd",
		"--log=/etc/passwd",
		"--output=/etc/passwd",
		"-O /etc/passwd",
		"--trust=pay.md",
		"--rerun=pay.csv --yes",
		"--lecture pay.md --trust=pay.md",
		"--own ./pay.so",
		"--own=/tmp/pay.so,1M",
		"--ow=/tmp/pay.so",
		"-c 'sh pay.sh'",
		"'-csh pay.sh'",
		"-bc 'sh pay.sh'",
		"--command='sh pay.sh'",
		"--command 'sh pay.sh'",
		"--comm 'sh pay.sh' --comm 'sh pay.sh'",
		"command -c 'sh pay.sh'",
		"command --command 'sh pay.sh'",
		"-- -s prepare=sh",
		"-- -sprepare=sh",
		"-- --command=sh",
		"hello -- -s prepare=sh",
		"hello -- -s env:LD_PRELOAD=/tmp/pay.so",
		"mixed -s prepare=sh",
		"- -s prepare=sh",
		"'' -s prepare=sh",
		" -s prepare=sh",
		"-s",
		"-s -s prepare=sh",
		"-m -s prepare=sh",
		"mixed -s prepare=sh -s",
		"--models=threads,processes '-sprepare=sh' --trials=6",
		"--prepare=sh",
		"--env=LD_PRELOAD=/tmp/pay.so",
		"--io-file=/etc/shadow",
		"--work=/tmp/pay.so",
		"--sweep=prepare=true,sh",
	};
	const struct options now = {.fps = 10};
	char line[1024], error[512], outside[8192];
	size_t offered = 0;

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		struct next next = {.argc = 0};
		struct options_walk walk;
		int found = 0;

		snprintf(line, sizeof(line), "tuibench -w cpu=1,io=1 %s", options[i]);
		if (make(&next, &now, line, "--set ballast=0,64M", false, outside, error))
			continue;
		offered++;
		walk = (struct options_walk) {next.argc, next.argv};
		while (options_next(&walk)) {
			assert_non_null(walk.rule);
			found += options_rule_outside(walk.rule, walk.value) &&
				 strcmp(walk.value, "none") != 0;
		}
		if (found || optind + 1 < next.argc ||
		    (optind < next.argc && strcmp(next.argv[optind], "mixed") != 0))
			fail_msg("%s: %s", options[i], words_of(&next, line));
		next_free(&next);
	}
	assert_in_range(offered, 15, sizeof(options) / sizeof(*options) - 10);
}

/* Options with an effect outside tuibench are listed in full, whether kept or left out. */
static void options_left_out_or_kept_are_listed_in_full(void **state)
{
	static const char recorded[] = "tuibench -w io=1 -s 'prepare=true  a' $'--set=env:X=\\'' "
				       "-s env:Y=1,2 -s io-file=/etc/passwd --log a.csv";
	static const char told[] = "* runs a program: '--set=prepare=true  a'\n"
				   "* sets a variable: $'--set=env:X=\\''\n"
				   "* sets a variable: --set=env:Y=1,2\n"
				   "* reads a file: --set=io-file=/etc/passwd\n";
	const struct options now = {.fps = 10};
	struct next next = {.argc = 0};
	char error[512], outside[8192], buf[1024];

	assert_int_equal(make(&next, &now, recorded, "--set ballast=0,1M", false, outside, error),
			 0);
	assert_string_equal(words_of(&next, buf),
			    "tuibench --workers=io=1 --set=ballast=0,1M --config=none");
	next_free(&next);
	assert_string_equal(outside, told);
	assert_int_equal(make(&next, &now, recorded, "--set ballast=0,1M", true, outside, error),
			 0);
	assert_string_equal(
		words_of(&next, buf),
		"tuibench --workers=io=1 --set=prepare=true  a --set=env:X=' "
		"--set=env:Y=1,2 --set=io-file=/etc/passwd --set=ballast=0,1M --config=none");
	next_free(&next);
	assert_string_equal(outside, told);
}

/* Without its program or object, the session would be a different one. */
static void the_work_itself_is_not_left_out(void **state)
{
	static const char *const recorded[] = {"tuibench --command 'sh pay.sh'",
					       "tuibench --own ./pay.so"};
	const struct options now = {.fps = 10};
	struct next next = {.argc = 0};
	char error[512], outside[8192];

	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(
			make(&next, &now, recorded[i], "--set pin=0", false, outside, error),
			-EPERM);
		assert_non_null(strstr(error, "--rerun shows it and asks"));
		assert_int_equal(next.argc, 0);
	}
}

/* A recording can hold a command line of 4,095 bytes, and all of it is shown. */
static void a_command_line_is_shown_whole(void **state)
{
	char *words[3] = {"tuibench", malloc(4096), NULL}, *text;

	assert_non_null(words[1]);
	memset(words[1], '\n', 4095);
	words[1][4095] = '\0';
	text = command_text(2, words);
	assert_non_null(text);
	assert_int_equal(strlen(text), strlen("tuibench $''") + 4 * 4095);
	assert_null(strstr(text, "..."));
	free(text);
	free(words[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_cut_into_the_words_that_it_was_made_of),
		cmocka_unit_test(malformed_command_lines_are_refused),
		cmocka_unit_test(options_of_the_run_are_kept_and_those_of_its_recording_are_not),
		cmocka_unit_test(a_setting_that_was_recorded_twice_has_its_last_value),
		cmocka_unit_test(a_command_line_that_cannot_run_is_refused_before_it_runs),
		cmocka_unit_test(the_settings_that_show_a_cause_can_be_run),
		cmocka_unit_test(a_recording_offers_nothing_that_starts_or_opens_what_is_outside),
		cmocka_unit_test(options_left_out_or_kept_are_listed_in_full),
		cmocka_unit_test(the_work_itself_is_not_left_out),
		cmocka_unit_test(a_command_line_is_shown_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
