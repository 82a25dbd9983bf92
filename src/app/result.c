/* SPDX-License-Identifier: MIT */
#include "result.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
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

/* The folder of a path, in buf, which is as large as the path. */
static const char *folder_of(const char *path, char *buf)
{
	char *slash = strrchr(strcpy(buf, path), '/');

	if (!slash)
		return ".";
	slash[slash == buf] = '\0';
	return buf;
}

/*
 * A file without a name, of which nothing is left where a signal ends the program. -EOPNOTSUPP:
 * not in this file system.
 */
static int open_unnamed(const char *beside, mode_t mode)
{
	char buf[PATH_MAX];
	int fd = open(folder_of(beside, buf), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);

	/* EISDIR from kernels that do not know the flag. */
	return fd >= 0 ? fd : errno == EISDIR ? -EOPNOTSUPP : -errno;
}

/* rename() replaces what was there at once, linkat() cannot; no signal comes between the two. */
static int name_it(int fd, const char *beside, const char *path)
{
	char from[32];
	sigset_t all, before;
	int err = 0;

	snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	if (fd >= 0 && linkat(AT_FDCWD, from, AT_FDCWD, beside, AT_SYMLINK_FOLLOW) < 0)
		err = -errno;
	if (!err && rename(beside, path) < 0) {
		err = -errno;
		unlink(beside);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return err;
}

static int save_named(const struct result *result, int fd, const char *beside, const char *path)
{
	int err = write_fd(result, fd);

	if (!err)
		return name_it(-1, beside, path);
	unlink(beside);
	return err;
}

/* The new file is beside the old one: rename() replaces at once only within a file system. */
static int save_beside(const struct result *result, const char *path, mode_t mode)
{
	char beside[PATH_MAX];
	int fd;

	if (snprintf(beside, sizeof(beside), "%s.%ld.part", path, (long)getpid()) >=
	    (int)sizeof(beside))
		return -ENAMETOOLONG;
	fd = access("/proc/self/fd", X_OK) == 0 ? open_unnamed(beside, mode) : -EOPNOTSUPP;
	if (fd >= 0) {
		int kept = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		int err = kept < 0 ? -errno : 0;

		if (err) {
			close(fd);
			return err;
		}
		err = write_fd(result, fd);
		if (!err)
			err = name_it(kept, beside, path);
		close(kept);
		return err;
	}
	if (fd != -EOPNOTSUPP)
		return fd;
	fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	return fd < 0 ? -errno : save_named(result, fd, beside, path);
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
	if (!S_ISREG(st.st_mode)) {
		/* A pipe or a device: there is nothing to replace. */
		int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

		return fd < 0 ? -errno : write_fd(result, fd);
	}
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
