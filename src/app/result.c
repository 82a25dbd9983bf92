/* SPDX-License-Identifier: MIT */
#include "result.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export/export.h"
#include "base/error_line.h"

/* Writes and closes. */
static int write_fd(const struct model *model, const struct export_format *format, int fd)
{
	FILE *out = fdopen(fd, "w");
	int err;

	if (!out) {
		err = -errno;
		close(fd);
		return err;
	}
	err = format->write(model, out);
	if (fclose(out) && !err)
		err = -errno;
	return err;
}

/* A pipe or a device: there is nothing to replace. */
static int save_there(const struct model *model, const struct export_format *format,
		      const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	return fd < 0 ? -errno : write_fd(model, format, fd);
}

/* The new file is beside the old one: rename() replaces at once only within a file system. */
static int save_beside(const struct model *model, const struct export_format *format,
		       const char *path, mode_t mode)
{
	char beside[PATH_MAX];
	int fd, err;

	if (snprintf(beside, sizeof(beside), "%s.%ld.part", path, (long)getpid()) >=
	    (int)sizeof(beside))
		return -ENAMETOOLONG;
	fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0)
		return -errno;
	err = write_fd(model, format, fd);
	if (!err && rename(beside, path) < 0)
		err = -errno;
	if (err)
		unlink(beside);
	return err;
}

static int save(const struct model *model, const struct export_format *format, const char *path)
{
	struct stat st;
	char *target;
	int err;

	if (stat(path, &st) < 0)
		return errno == ENOENT ? save_beside(model, format, path, 0666) : -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode))
		return save_there(model, format, path);
	target = realpath(path, NULL); /* what a link points at is replaced, not the link */
	if (!target)
		return -errno;
	err = save_beside(model, format, target, st.st_mode & 0777);
	free(target);
	return err;
}

int result_save(const struct model *model, const struct export_format *format, const char *path,
		char *error, size_t size)
{
	int err = save(model, format, path);

	return err ? error_line(error, size, err, "--output: cannot write \"%s\": %s", path,
				strerror(-err))
		   : 0;
}
