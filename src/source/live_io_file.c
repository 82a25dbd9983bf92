/* SPDX-License-Identifier: MIT */
#include "live_io_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "work/work_file.h"

static int make_named(struct live_io_file *file, const char *dir)
{
	int fd;

	snprintf(file->name, sizeof(file->name), "%s/tuibench-XXXXXX", dir);
	fd = mkostemp(file->name, O_CLOEXEC);
	if (fd >= 0)
		return fd;
	file->name[0] = '\0';
	return -errno;
}

int live_io_file_make(struct live_io_file *file, const char *dir)
{
	if (file->fd < 0)
		file->fd = access("/proc/self/fd", F_OK) == 0 ? work_file_unnamed(dir)
							      : make_named(file, dir);
	return file->fd < 0 ? file->fd : 0;
}

void live_io_file_path(const struct live_io_file *file, int fd, char *buf, size_t size)
{
	if (file->name[0])
		snprintf(buf, size, "%s", file->name);
	else
		snprintf(buf, size, "/proc/self/fd/%d", fd);
}

void live_io_file_close(struct live_io_file *file)
{
	if (file->name[0])
		unlink(file->name);
	if (file->fd >= 0)
		close(file->fd);
	*file = (struct live_io_file) {.fd = -1};
}
