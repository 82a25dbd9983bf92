/* SPDX-License-Identifier: MIT */
#include "workload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 65536

/* Two blocks from the heap: a thread's stack may be as small as 16 KiB. */
struct copy {
	int in, out;
	char *block, *other;
};

/* Reads a whole block unless the file ends before; how many bytes, or -errno. */
static ssize_t read_block(int fd, char *buf, size_t size)
{
	size_t done = 0;
	ssize_t n;

	while (done < size) {
		n = read(fd, buf + done, size - done);
		if (n == 0)
			break;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			done += (size_t)n;
	}
	return (ssize_t)done;
}

static int write_block(int fd, const char *buf, size_t size)
{
	ssize_t n;

	while (size > 0) {
		n = write(fd, buf, size);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			buf += n;
			size -= (size_t)n;
		}
	}
	return 0;
}

static size_t block_size(uint64_t left)
{
	return left < BLOCK ? (size_t)left : BLOCK;
}

/*
 * An unnamed file: even after SIGKILL nothing stays behind. Where the file system cannot make one
 * (EOPNOTSUPP; EISDIR from kernels that do not know the flag) a named one loses its name at once.
 */
static int open_unnamed(const char *dir)
{
	char path[4096 + sizeof("/tuibench-XXXXXX")];
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);

	if (fd >= 0)
		return fd;
	if (errno != EOPNOTSUPP && errno != EISDIR)
		return -errno;
	snprintf(path, sizeof(path), "%s/tuibench-XXXXXX", dir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	unlink(path);
	return fd;
}

static int open_source(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int copy_blocks(struct copy *copy, const struct work_args *args, struct work_result *result)
{
	uint64_t left = args->size ? args->size : UINT64_MAX;
	ssize_t n;
	int err;

	while (left > 0) {
		n = read_block(copy->in, copy->block, block_size(left));
		if (n <= 0) {
			result->path = args->io_path;
			return (int)n;
		}
		err = write_block(copy->out, copy->block, (size_t)n);
		if (err) {
			result->path = args->tmp_dir;
			return err;
		}
		left -= (uint64_t)n;
		result->value += (uint64_t)n;
	}
	return 0;
}

/* One of the two reads failed, or they differ. */
static int compare_block(ssize_t n, ssize_t m, const struct copy *copy, size_t size)
{
	if (n < 0 || m < 0)
		return n < 0 ? (int)n : (int)m;
	if ((size_t)n != size || (size_t)m != size || memcmp(copy->block, copy->other, size) != 0)
		return -EILSEQ;
	return 0;
}

static int compare_blocks(struct copy *copy, uint64_t left)
{
	int err = 0;
	size_t size;

	if (lseek(copy->in, 0, SEEK_SET) < 0 || lseek(copy->out, 0, SEEK_SET) < 0)
		return -errno;
	for (; left > 0 && !err; left -= size) {
		size = block_size(left);
		err = compare_block(read_block(copy->in, copy->block, size),
				    read_block(copy->out, copy->other, size), copy, size);
	}
	return err;
}

static int open_copy(struct copy *copy, const struct work_args *args, struct work_result *result)
{
	copy->block = malloc(2 * (size_t)BLOCK);
	if (!copy->block)
		return -ENOMEM;
	copy->other = copy->block + BLOCK;
	copy->in = open_source(args->io_path);
	if (copy->in < 0) {
		result->path = args->io_path;
		return copy->in;
	}
	copy->out = open_unnamed(args->tmp_dir);
	if (copy->out < 0) {
		result->path = args->tmp_dir;
		return copy->out;
	}
	return 0;
}

static void close_copy(struct copy *copy)
{
	if (copy->out >= 0)
		close(copy->out);
	if (copy->in >= 0)
		close(copy->in);
	free(copy->block);
}

static int run(const struct work_args *args, struct work_result *result)
{
	struct copy copy = {.in = -1, .out = -1};
	int err;

	result->value = 0;
	result->path = NULL;
	err = open_copy(&copy, args, result);
	if (!err)
		err = copy_blocks(&copy, args, result);
	if (!err) {
		result->path = args->io_path;
		err = compare_blocks(&copy, result->value);
	}
	close_copy(&copy);
	return err;
}

/* Reads the source once, so that the page cache is as warm for the first worker as for the last. */
static int warm(const struct work_args *args)
{
	uint64_t left = args->size ? args->size : UINT64_MAX;
	char block[4096];
	ssize_t n = 1;
	int fd = open_source(args->io_path);

	if (fd < 0)
		return fd;
	while (left > 0 && n > 0) {
		n = read_block(fd, block, left < sizeof(block) ? (size_t)left : sizeof(block));
		if (n > 0)
			left -= (uint64_t)n;
	}
	close(fd);
	return n < 0 ? (int)n : 0;
}

/* Also asks whether a file can be made where the copies will live, before any worker tries. */
static int prepare(const struct work_args *args, struct work_result *result)
{
	int err;

	result->path = args->io_path;
	err = warm(args);
	if (err)
		return err;
	result->path = args->tmp_dir;
	err = open_unnamed(args->tmp_dir);
	if (err < 0)
		return err;
	close(err);
	result->path = NULL;
	return 0;
}

const struct workload_ops work_io_ops = {
	.name = "io",
	.unit = "bytes",
	.default_size = 64 << 20,
	.prepare = prepare,
	.run = run,
};
