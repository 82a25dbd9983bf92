/* SPDX-License-Identifier: MIT */
#include "state_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* mkdir -p; the path is changed and restored on the way. */
static int make_folders(char *path)
{
	for (char *p = path + 1;; p++) {
		char c = *p;

		if (c != '/' && c != '\0')
			continue;
		*p = '\0';
		if (mkdir(path, 0777) < 0 && errno != EEXIST) {
			*p = c;
			return -errno;
		}
		*p = c;
		if (!c)
			return 0;
	}
}

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
			      "the state folder, since neither HOME nor XDG_STATE_HOME says where");
	if (n < 0)
		return -ENOENT;
	return n < PATH_MAX ? 0 : -ENAMETOOLONG;
}

int state_folder(char path[PATH_MAX])
{
	int err = state_folder_name(path);

	return err ? err : make_folders(path);
}
