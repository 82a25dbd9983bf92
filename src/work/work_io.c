/* SPDX-License-Identifier: MIT */
#include "work/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "work/work_file.h"

#define BLOCK 65536

/* Two blocks from the heap: a thread's stack may be as small as 16 KiB. */
struct copy {
	int in, out;
	char *block, *other;
	struct work_ticker *ticker;
};

static size_t block_size(uint64_t left)
{
	return left < BLOCK ? (size_t)left : BLOCK;
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
		n = work_file_read(copy->in, copy->block, block_size(left));
		work_tick(copy->ticker, 1);
		if (n <= 0) {
			result->path = args->io_path;
			return (int)n;
		}
		err = work_file_write(copy->out, copy->block, (size_t)n);
		if (err) {
			result->path = args->tmp_dir;
			return err;
		}
		left -= (uint64_t)n;
		result->value += (uint64_t)n;
		work_tick(copy->ticker, 1);
	}
	return 0;
}

/* The blocks differ, or one of the two reads failed. */
static int compare_block(ssize_t n, ssize_t m, const struct copy *copy, size_t size)
{
	if (n < 0 || m < 0)
		return n < 0 ? (int)n : (int)m;
	if ((size_t)n != size || (size_t)m != size || memcmp(copy->block, copy->other, size) != 0)
		return -EILSEQ;
	return 0;
}

/* What it reads is counted apart: it is no part of the copy. */
static int compare_blocks(struct copy *copy, uint64_t left, uint64_t *checked)
{
	ssize_t n, m;
	int err = 0;
	size_t size;

	if (lseek(copy->in, 0, SEEK_SET) < 0 || lseek(copy->out, 0, SEEK_SET) < 0)
		return -errno;
	for (; left > 0 && !err; left -= size) {
		size = block_size(left);
		n = work_file_read(copy->in, copy->block, size);
		m = work_file_read(copy->out, copy->other, size);
		*checked += (n > 0 ? (uint64_t)n : 0) + (m > 0 ? (uint64_t)m : 0);
		err = compare_block(n, m, copy, size);
		work_tick(copy->ticker, 1);
	}
	return err;
}

static int open_copy(struct copy *copy, const struct work_args *args, struct work_result *result)
{
	copy->block = malloc(2 * (size_t)BLOCK);
	if (!copy->block)
		return -ENOMEM;
	copy->other = copy->block + BLOCK;
	result->path = args->io_path;
	copy->in = open_source(args->io_path);
	if (copy->in < 0)
		return copy->in;
	result->path = args->tmp_dir;
	copy->out = work_file_own(args->tmp_dir, args->one_file);
	return copy->out < 0 ? copy->out : 0;
}

static int run(const struct work_args *args, struct work_result *result)
{
	struct copy copy = {.in = -1, .out = -1, .ticker = args->ticker};
	int err;

	*result = (struct work_result) {.value = 0};
	err = open_copy(&copy, args, result);
	if (!err)
		err = copy_blocks(&copy, args, result);
	if (!err) {
		result->path = args->io_path;
		err = compare_blocks(&copy, result->value, &result->checked);
	}
	if (copy.out >= 0)
		close(copy.out);
	if (copy.in >= 0)
		close(copy.in);
	free(copy.block);
	return err;
}

/* Reads the source once, so that the page cache is as warm for the first worker as for the last. */
static int warm(int fd, uint64_t size)
{
	uint64_t left = size ? size : UINT64_MAX;
	char block[4096];
	ssize_t n = 1;

	while (left > 0 && n > 0) {
		n = work_file_read(fd, block, left < sizeof(block) ? (size_t)left : sizeof(block));
		if (n > 0)
			left -= (uint64_t)n;
	}
	return n < 0 ? (int)n : 0;
}

/* Asked piece by piece, so that the answer is small whatever the file's size. */
#define ASK (UINT64_C(64) << 20)

/* 1 where a page of the file is still in the page cache, 0 or -errno. */
static int is_resident(int fd, uint64_t at, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), n = (size + page - 1) / page;
	unsigned char pages[ASK / 4096];
	void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, (off_t)at);
	int err = 0;

	if (map == MAP_FAILED)
		return -errno;
	if (mincore(map, size, pages))
		err = -errno;
	for (size_t i = 0; i < n && !err; i++)
		err = pages[i] & 1;
	munmap(map, size);
	return err;
}

/* 0; -EBUSY: some of it stays in the page cache, since somebody else has it in use or locked. */
static int check_gone(int fd, uint64_t size)
{
	for (uint64_t at = 0; at < size; at += ASK) {
		int found = is_resident(fd, at, (size_t)(size - at < ASK ? size - at : ASK));
		if (found)
			return found > 0 ? -EBUSY : found;
	}
	return 0;
}

/*
 * Drops the file's pages from the cache; only written ones go, hence fsync. Some wait in queues of
 * the kernel, one for each CPU, or are held by its tasks: a later try finds those.
 */
static int drop(int fd)
{
	struct timespec pause = {.tv_nsec = 100000};
	struct stat st;
	int tries, err;

	if (fsync(fd) || fstat(fd, &st))
		return -errno;
	for (tries = 0, err = -EBUSY; tries < 12 && err == -EBUSY; tries++) {
		if (tries > 1)
			nanosleep(&pause, NULL);
		pause.tv_nsec *= 2;
		err = -posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		if (!err)
			err = check_gone(fd, (uint64_t)st.st_size);
	}
	return err;
}

static int set_cache(const struct work_args *args)
{
	int fd, err;

	if (args->cache != CACHE_WARM && args->cache != CACHE_COLD)
		return 0;
	fd = open_source(args->io_path);
	if (fd < 0)
		return fd;
	err = args->cache == CACHE_COLD ? drop(fd) : warm(fd, args->size);
	close(fd);
	return err;
}

/* Checks also that a file can be made where the copies will live, before any worker tries. */
static int prepare(const struct work_args *args, struct work_result *result)
{
	int err;

	result->path = args->io_path;
	err = set_cache(args);
	if (err)
		return err;
	result->path = args->tmp_dir;
	err = work_file_unnamed(args->tmp_dir);
	if (err < 0)
		return err;
	close(err);
	result->path = NULL;
	return 0;
}

const struct workload_ops work_io_ops = {
	.about = "copy a file",
	.amount = "BYTES copied",
	.unit = "bytes",
	.default_size = 32 << 20,
	.written = 1,
	.copies = true,
	.ticks = true,
	.prepare = prepare,
	.run = run,
};
