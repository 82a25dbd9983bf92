/* SPDX-License-Identifier: MIT */
#include "lectures.h"

#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error_line.h"
#include "base/procfs.h"
#include "lecture/lecture.h"

/* Their folder; false where none is found. */
static bool find_folder(char folder[PATH_MAX])
{
	char dir[PATH_MAX];
	const char *const places[][2] = {{dir, "/man/lectures"},
					 {dir, TUIBENCH_TO_DATA "/tuibench/lectures"},
					 {TUIBENCH_DATADIR, "/tuibench/lectures"}};
	bool known = procfs_own_folder(dir, sizeof(dir));

	for (size_t i = known ? 0 : 2; i < 3; i++) {
		int length = snprintf(folder, PATH_MAX, "%s%s", places[i][0], places[i][1]);

		if (length < PATH_MAX && access(folder, R_OK) == 0)
			return true;
	}
	return false;
}

bool lectures_find(const char *name, char path[PATH_MAX])
{
	char folder[PATH_MAX], installed[2 * PATH_MAX], at[PATH_MAX], real[PATH_MAX];

	snprintf(path, PATH_MAX, "%s", name);
	if (strchr(name, '/') || access(name, F_OK) == 0 || !find_folder(folder))
		return false;
	snprintf(installed, sizeof(installed), "%s/%s.md", folder, name);
	if (strlen(installed) >= PATH_MAX || access(installed, F_OK) != 0)
		return false;
	memcpy(path, installed, strlen(installed) + 1);
	/* one that a link in the folder leads to is any file */
	if (!realpath(folder, at) || !realpath(path, real))
		return false;
	return strncmp(real, at, strlen(at)) == 0 && real[strlen(at)] == '/' &&
	       strcmp(real + strlen(at), path + strlen(folder)) == 0;
}

/* "hurry  Threads or processes, in five minutes" */
static int list_one(FILE *out, const char *path, char *error, size_t size)
{
	const char *name = strrchr(path, '/') + 1;
	struct lecture lecture;
	int err = lecture_read(path, &lecture, error, size);

	if (err)
		return err;
	fprintf(out, "%-16.*s %s\n", (int)(strlen(name) - strlen(".md")), name, lecture.title);
	lecture_free(&lecture);
	return 0;
}

static int list_files(FILE *out, const char *folder, const glob_t *files, char *error, size_t size)
{
	int err = 0;

	for (size_t i = 0; i < files->gl_pathc && !err; i++)
		err = list_one(out, files->gl_pathv[i], error, size);
	if (!err)
		fprintf(out, "tuibench --lecture NAME shows one of them; they are files of %s\n",
			folder);
	return err;
}

int lectures_list(FILE *out, char *error, size_t size)
{
	char folder[PATH_MAX], pattern[PATH_MAX + 8];
	glob_t files;
	int err;

	if (!find_folder(folder))
		return error_line(error, size, -ENOENT,
				  "no lectures are installed: looked for them in %s; --lecture "
				  "FILE.md shows any other",
				  TUIBENCH_DATADIR "/tuibench/lectures");
	snprintf(pattern, sizeof(pattern), "%s/*.md", folder);
	if (glob(pattern, 0, NULL, &files))
		return error_line(error, size, -ENOENT, "no lectures are in %s", folder);
	err = list_files(out, folder, &files, error, size);
	globfree(&files);
	return err;
}
