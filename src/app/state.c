/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int state_folder_name(char path[PATH_MAX])
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int n;

	if (state && *state == '/')
		n = snprintf(path, PATH_MAX, "%s/tuibench", state);
	else if (home && *home == '/')
		n = snprintf(path, PATH_MAX, "%s/.local/state/tuibench", home);
	else
		n = -snprintf(path, PATH_MAX,
			      "no state directory, because neither HOME nor XDG_STATE_HOME is set");
	if (n < 0)
		return -ENOENT;
	if (n < PATH_MAX)
		return 0;
	return -ENAMETOOLONG;
}

/* Creates the directory and its parents. Changes the path while it works, and restores it. */
int state_folder(char path[PATH_MAX])
{
	int err = state_folder_name(path);
	struct stat st;

	for (char *p = path + 1; !err; p++) {
		char c = *p;

		if (c != '/' && c != '\0')
			continue;
		*p = '\0';
		/*
		 * Other users should not see command lines. The XDG Base Directory Specification
		 * has the same mode for parents that are missing.
		 */
		if (mkdir(path, 0700) < 0 && errno != EEXIST)
			err = -errno;
		*p = c;
		if (!c)
			break;
	}
	/* Older versions created the directory readable for all. */
	if (!err && stat(path, &st) == 0 && st.st_uid == geteuid() && st.st_mode & 077)
		(void)!chmod(path, st.st_mode & 0700);
	return err;
}
