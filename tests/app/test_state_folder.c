/* SPDX-License-Identifier: MIT */
#include "app/recordings.h"

#include "stage/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "stage/folder.h"

static void check_made(const char *root, const char *below)
{
	char path[PATH_MAX], expected[256];
	struct stat st;

	snprintf(expected, sizeof(expected), "%s%s", root, below);
	assert_int_equal(state_folder_name(path), 0);
	assert_string_equal(path, expected);
	assert_int_equal(stat(path, &st), -1);
	assert_int_equal(state_folder(path), 0);
	assert_string_equal(path, expected);
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISDIR(st.st_mode));
}

static void it_is_where_xdg_says_or_below_home(void **state)
{
	setenv("XDG_STATE_HOME", *state, 1);
	setenv("HOME", "/nowhere", 1);
	check_made(*state, "/tuibench");
	setenv("XDG_STATE_HOME", "relative", 1);
	setenv("HOME", *state, 1);
	check_made(*state, "/.local/state/tuibench");
}

static void a_state_folder_that_cannot_be_made_is_named(void **state)
{
	char path[PATH_MAX];

	setenv("XDG_STATE_HOME", "/dev/null", 1);
	assert_int_equal(state_folder(path), -ENOTDIR);
	assert_string_equal(path, "/dev/null/tuibench");
	unsetenv("XDG_STATE_HOME");
	unsetenv("HOME");
	assert_int_equal(state_folder(path), -ENOENT);
	assert_non_null(strstr(path, "neither HOME nor XDG_STATE_HOME"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FOLDER_TEST(it_is_where_xdg_says_or_below_home),
		FOLDER_TEST(a_state_folder_that_cannot_be_made_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
