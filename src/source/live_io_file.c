/* SPDX-License-Identifier: MIT */
#include "live_io_file.h"

#include <stdio.h>
#include <unistd.h>

#include "work/work_file.h"

static int make(struct live_io_file *file, const char *dir)
{
	int fd;

	if (access("/proc/self/fd", F_OK) == 0)
		return work_file_unnamed(dir);
	fd = work_file_named(dir, file->name, sizeof(file->name));
	if (fd < 0)
		file->name[0] = '\0';
	return fd;
}

int live_io_file_make(struct live_io_file *file, const char *dir)
{
	if (file->fd < 0)
		file->fd = make(file, dir);
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
