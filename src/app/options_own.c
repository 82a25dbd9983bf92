/* SPDX-License-Identifier: MIT */
#include "options_own.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error_line.h"
#include "base/units.h"
#include "source/source_own.h"

/* The path without the size behind its last comma, which is 0 where there is none. */
static int split(const char *typed, char path[PATH_MAX], uint64_t *amount)
{
	const char *comma = strrchr(typed, ',');
	size_t n = strlen(typed);

	*amount = 0;
	if (comma && !strchr(comma, '/') && units_parse_size(comma + 1, amount) == 0)
		n = (size_t)(comma - typed);
	if (n >= PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(path, typed, n);
	path[n] = '\0';
	return comma && typed[n] && *amount == 0 ? -EINVAL : 0;
}

/* 0, or why the file is none that can be loaded. */
static const char *unfit(const char *path)
{
	struct stat st;

	if (stat(path, &st) || access(path, R_OK))
		return strerror(errno);
	return S_ISREG(st.st_mode) ? NULL : S_ISDIR(st.st_mode) ? "is a folder" : "is no file";
}

/* A name alone would be sought among the system's libraries. */
static int find(const char *typed, char path[PATH_MAX], char *error, size_t size)
{
	char resolved[PATH_MAX];
	const char *why = unfit(path);

	if (!strchr(path, '/'))
		return error_line(error, size, -EINVAL,
				  "--work: \"%s\" names no folder; a file of this one is ./%s",
				  typed, typed);
	if (why)
		return error_line(error, size, -EINVAL,
				  "--work: \"%s\": %s; name a shared object (cc -shared -fPIC -o "
				  "mine.so mine.c)",
				  path, why);
	if (!realpath(path, resolved))
		return error_line(error, size, -EINVAL, "--work: \"%s\": %s", path,
				  strerror(errno));
	strcpy(path, resolved);
	return 0;
}

int options_own(struct options *options, char *error, size_t size)
{
	struct request *request = &options->request;
	uint64_t amount;
	int err;

	if (split(options->work, options->work_path, &amount))
		return error_line(error, size, -EINVAL,
				  "--work: \"%s\" gives it nothing to do; a size is 1 at least "
				  "(./mine.so,1M)",
				  options->work);
	err = find(options->work, options->work_path, error, size);
	if (err == 0)
		err = source_own_ask(options->work_path, &request->own, error, size);
	if (err < 0)
		return err;
	if (amount > 0 && request->work_size[WORK_OWN] > 0 &&
	    request->work_size[WORK_OWN] != amount)
		return error_line(error, size, -EINVAL,
				  "--work: \"%s\" and --work-size own= both give a size; leave one "
				  "of them out",
				  options->work);
	if (amount > 0)
		request->work_size[WORK_OWN] = amount;
	request->work = options->work_path;
	return 0;
}
