/* SPDX-License-Identifier: MIT */
#include "app/state_folder.h"

#include "stage/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int setup(void **state)
{
	char *root = strdup("/tmp/test_state_folder.XXXXXX");

	*state = root;
	return root && mkdtemp(root) ? 0 : -1;
}

static int teardown(void **state)
{
	static const char *const made[] = {"/.local/state/tuibench", "/.local/state", "/.local",
					   "/tuibench", ""};
	char path[256];

	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++) {
		snprintf(path, sizeof(path), "%s%s", (char *)*state, made[i]);
		rmdir(path);
	}
	free(*state);
	return 0;
}

static void check_made(const char *root, const char *below)
{
	char path[PATH_MAX], expected[256];
	struct stat st;

	snprintf(expected, sizeof(expected), "%s%s", root, below);
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

static void one_that_cannot_be_made_is_named(void **state)
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
		cmocka_unit_test_setup_teardown(it_is_where_xdg_says_or_below_home, setup,
						teardown),
		cmocka_unit_test_setup_teardown(one_that_cannot_be_made_is_named, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
