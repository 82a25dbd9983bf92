/* SPDX-License-Identifier: MIT */
#include "stage/record.h"

#include "stage/check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "log/log.h"

int record_sample(void *log, const struct sample *sample)
{
	return log_write(log, sample);
}

static void record(int fd, const struct synthetic *session, enum log_packing packing)
{
	struct log_writer *log = log_create(fd);

	assert_non_null(log);
	assert_int_equal(log_compress(log, packing), 0);
	assert_int_equal(synthetic_play(session, record_sample, log), 0);
	assert_int_equal(log_close(log), 0);
}

void record_file(const char *path, const struct synthetic *session)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	record(fd, session, log_packing_of(path));
}

char *record_bytes(const struct synthetic *session, size_t *n)
{
	int fd = memfd_create("log", MFD_CLOEXEC);
	char *bytes;

	assert_true(fd >= 0);
	record(dup(fd), session, LOG_PLAIN);
	*n = (size_t)lseek(fd, 0, SEEK_END);
	bytes = calloc(1, *n + 1);
	assert_non_null(bytes);
	assert_int_equal(pread(fd, bytes, *n, 0), *n);
	close(fd);
	return bytes;
}

int record_memory(void)
{
	int fd = memfd_create("log", MFD_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}
