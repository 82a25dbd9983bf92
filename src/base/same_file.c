/* SPDX-License-Identifier: MIT */
#include "base/same_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static bool look_up(const char *name, struct stat *st)
{
	return (strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, st) : stat(name, st)) == 0;
}

static bool is_one(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool same_file(const char *a, const char *b)
{
	struct stat of_a, of_b;

	return look_up(a, &of_a) && look_up(b, &of_b) && is_one(&of_a, &of_b);
}

bool same_open_file(const char *name, int fd)
{
	struct stat named, open;

	return look_up(name, &named) && fstat(fd, &open) == 0 && S_ISREG(open.st_mode) &&
	       is_one(&named, &open);
}

bool same_output(const char *name, int fd)
{
	struct stat named, open;

	if (stat(name, &named) < 0 || fstat(fd, &open) < 0)
		return false;
	if (!S_ISCHR(named.st_mode))
		return is_one(&named, &open);
	/* /dev/tty is another name of the process's terminal */
	return isatty(fd) && (is_one(&named, &open) || named.st_rdev == makedev(5, 0));
}

bool same_files_open(int a, int b)
{
	struct stat of_a, of_b;

	return fstat(a, &of_a) == 0 && fstat(b, &of_b) == 0 && S_ISREG(of_a.st_mode) &&
	       is_one(&of_a, &of_b);
}

void same_file_join_outputs(void)
{
	const int out = fcntl(STDOUT_FILENO, F_GETFL), err = fcntl(STDERR_FILENO, F_GETFL);

	if (!same_files_open(STDOUT_FILENO, STDERR_FILENO) || (out & O_ACCMODE) == O_RDONLY ||
	    (err & O_ACCMODE) == O_RDONLY)
		return;
	/*
	 * Keep the output that was opened for appending, because it does not overwrite the file's
	 * earlier content.
	 */
	if (err & O_APPEND)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	else
		dup2(STDOUT_FILENO, STDERR_FILENO);
}

void same_file_divert_errors(void)
{
	struct stat st;
	int fd;

	if (!same_files_open(STDOUT_FILENO, STDERR_FILENO)) {
		dup2(STDOUT_FILENO, STDERR_FILENO);
	} else if (fstat(STDERR_FILENO, &st) == 0 && st.st_size > 0) {
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
		dup2(fd, STDERR_FILENO);
		close(fd);
	}
}
