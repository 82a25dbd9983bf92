/* SPDX-License-Identifier: MIT */
#include "lecture/lecture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"

static int cannot_read(const char *path, char *error, size_t size)
{
	int err = errno ? -errno : -EIO;

	return error_line(error, size, err, "%s: cannot be read: %s", path, strerror(-err));
}

/* One byte more than there may be tells that there are too many. */
static int read_text(FILE *file, const char *path, struct lecture *lecture, char *error,
		     size_t size)
{
	char *text = malloc(LECTURE_BYTES + 1);
	size_t n;
	int err;

	if (!text)
		return error_line(error, size, -ENOMEM, "%s: out of memory", path);
	errno = 0;
	n = fread(text, 1, LECTURE_BYTES + 1, file);
	if (ferror(file))
		err = cannot_read(path, error, size);
	else if (n > LECTURE_BYTES)
		err = error_line(error, size, -EINVAL,
				 "%s: is longer than a lecture may be, %d KiB", path,
				 LECTURE_BYTES / 1024);
	else
		err = lecture_parse(text, n, path, lecture, error, size);
	free(text);
	return err;
}

int lecture_read(const char *path, struct lecture *lecture, char *error, size_t size)
{
	FILE *file;
	int err;

	*lecture = (struct lecture) {0};
	errno = 0;
	file = fopen(path, "re");
	if (!file)
		return cannot_read(path, error, size);
	err = read_text(file, path, lecture, error, size);
	fclose(file);
	return err;
}
