/* SPDX-License-Identifier: MIT */
#include "result.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error_line.h"

int result_write(const struct result *result, FILE *out)
{
	if (result->lecture)
		return export_lecture_of(result->format)(result->lecture, out);
	if (result->film)
		return result->film->write(result->model, &result->wish, out);
	return result->format->write(result->model, out);
}

/* Writes and closes. */
static int write_fd(const struct result *result, int fd)
{
	FILE *out = fdopen(fd, "w");
	int err;

	if (!out) {
		err = -errno;
		close(fd);
		return err;
	}
	err = result_write(result, out);
	if (fclose(out) && !err)
		err = -errno;
	return err;
}

/* A pipe or a device: there is nothing to replace. */
static int save_there(const struct result *result, const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	return fd < 0 ? -errno : write_fd(result, fd);
}

/* The new file is beside the old one: rename() replaces at once only within a file system. */
static int save_beside(const struct result *result, const char *path, mode_t mode)
{
	char beside[PATH_MAX];
	int fd, err;

	if (snprintf(beside, sizeof(beside), "%s.%ld.part", path, (long)getpid()) >=
	    (int)sizeof(beside))
		return -ENAMETOOLONG;
	fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0)
		return -errno;
	err = write_fd(result, fd);
	if (!err && rename(beside, path) < 0)
		err = -errno;
	if (err)
		unlink(beside);
	return err;
}

static int save(const struct result *result, const char *path)
{
	struct stat st;
	char *target;
	int err;

	if (stat(path, &st) < 0)
		return errno == ENOENT ? save_beside(result, path, 0666) : -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode))
		return save_there(result, path);
	target = realpath(path, NULL); /* what a link points at is replaced, not the link */
	if (!target)
		return -errno;
	err = save_beside(result, target, st.st_mode & 0777);
	free(target);
	return err;
}

int result_save(const struct result *result, const char *path, char *error, size_t size)
{
	int err = save(result, path);

	return err ? error_line(error, size, err, "--output: cannot write \"%s\": %s", path,
				strerror(-err))
		   : 0;
}
