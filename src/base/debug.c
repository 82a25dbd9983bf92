/* SPDX-License-Identifier: MIT */
#include "base/debug.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/same_file.h"
#include "base/utf8.h"

struct debug {
	FILE *file;
	uint64_t start_ns;
	int error; /* -errno of the first line that could not be written */
};

int debug_open(const char *path, struct debug **debug)
{
	struct debug *new;
	int err, fd;

	*debug = NULL;
	if (!path || !*path)
		return 0;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	/* O_NONBLOCK: if the path is a pipe that nobody reads, open() fails instead of waiting. */
	if (same_open_file(path, STDOUT_FILENO))
		fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	else if (same_open_file(path, STDERR_FILENO))
		fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	else
		fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
			  0666);
	if (fd < 0)
		new->file = NULL;
	else
		new->file = fdopen(fd, "a");
	if (!new->file) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		free(new);
		return err;
	}
	setvbuf(new->file, NULL, _IOLBF, 0);
	new->start_ns = clock_now_ns();
	*debug = new;
	return 0;
}

int debug_error(const struct debug *debug)
{
	if (debug)
		return debug->error;
	return 0;
}

void debug_close(struct debug *debug)
{
	if (debug)
		fclose(debug->file);
	free(debug);
}

void debug_write(struct debug *debug, const char *room, const char *format, ...)
{
	double ms = (double)(clock_now_ns() - debug->start_ns) / 1e6;
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	utf8_mask(line);
	if (fprintf(debug->file, "%.3f %s: %s\n", ms, room, line) < 0 && !debug->error)
		debug->error = -errno;
}
