/* SPDX-License-Identifier: MIT */
#include "work/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "work/work_file.h"

#define IO_BLOCK 65536

/* The two blocks are on the heap, because a thread's stack may be as small as 16 KiB. */
struct copy {
	int in, out;
	char *block, *other;
	struct work_ticker *ticker;
};

static size_t block_size(uint64_t left)
{
	if (left < IO_BLOCK)
		return (size_t)left;
	return IO_BLOCK;
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

/*
 * Compares the copy with its source. Counts the bytes read for this separately, because they are no
 * part of the copying.
 */
static int compare_blocks(struct copy *copy, uint64_t left, uint64_t *checked)
{
	ssize_t n, m;
	int err = 0;
	size_t size;

	if (lseek(copy->in, 0, SEEK_SET) < 0 || lseek(copy->out, 0, SEEK_SET) < 0)
		return -errno;
	for (; left > 0; left -= size) {
		if (err)
			break;
		size = block_size(left);
		n = work_file_read(copy->in, copy->block, size);
		m = work_file_read(copy->out, copy->other, size);
		*checked += (uint64_t)MAX(n, 0) + (uint64_t)MAX(m, 0);
		if (n < 0)
			err = (int)n;
		else if (m < 0)
			err = (int)m;
		else if ((size_t)n != size || (size_t)m != size ||
			 memcmp(copy->block, copy->other, size) != 0)
			err = -EILSEQ;
		work_tick(copy->ticker, 1);
	}
	return err;
}

static int run_io(const struct work_args *args, struct work_result *result)
{
	struct copy copy = {
		.out = -1, .block = malloc(2 * (size_t)IO_BLOCK), .ticker = args->ticker};
	int err;

	*result = (struct work_result) {.value = 0};
	if (!copy.block)
		return -ENOMEM;
	copy.other = copy.block + IO_BLOCK;
	result->path = args->io_path;
	copy.in = open(args->io_path, O_RDONLY | O_CLOEXEC);
	if (copy.in < 0)
		err = -errno;
	else
		err = 0;
	if (!err) {
		result->path = args->tmp_dir;
		copy.out = work_file_own(args->tmp_dir, args->one_file);
		if (copy.out < 0)
			err = copy.out;
		else
			err = copy_blocks(&copy, args, result);
	}
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

/* Bytes of the file that one mincore(2) checks, so that its result fits on the stack. */
#define ASK (UINT64_C(64) << 20)

/*
 * Returns -EBUSY if some of that part is still in the cache, because another program uses or has
 * locked the pages.
 */
static int look_for_pages(int fd, off_t at, size_t part)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *map = mmap(NULL, part, PROT_READ, MAP_SHARED, fd, at);
	unsigned char pages[ASK / 4096];
	int err = 0;

	if (map == MAP_FAILED)
		return -errno;
	if (mincore(map, part, pages)) {
		err = -errno;
		munmap(map, part);
		return err;
	}
	for (size_t i = 0; i < (part + page - 1) / page; i++)
		if (pages[i] & 1)
			err = -EBUSY;
	munmap(map, part);
	return err;
}

/*
 * Drops the file's pages from the cache. The kernel keeps dirty pages, so this calls fsync() first.
 * The kernel also keeps pages that are in its per-CPU lists or in use, so this tries several times.
 */
static int drop(int fd)
{
	struct timespec pause = {.tv_nsec = 100000};
	struct stat st;
	int err = -EBUSY;

	if (fsync(fd) || fstat(fd, &st))
		return -errno;
	for (int tries = 0; tries < 12; tries++) {
		if (tries > 1)
			nanosleep(&pause, NULL);
		pause.tv_nsec *= 2;
		err = -posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		for (off_t at = 0; at < st.st_size; at += (off_t)ASK) {
			if (err)
				break;
			err = look_for_pages(fd, at, (size_t)MIN(st.st_size - at, (off_t)ASK));
		}
		if (err != -EBUSY)
			break;
	}
	return err;
}

/*
 * Brings the page cache into the state that the run asks for. Also checks that a file can be made
 * in the directory of the copies, before workers try it.
 */
static int prepare_io(const struct work_args *args, struct work_result *result)
{
	uint64_t left = args->size ? args->size : UINT64_MAX;
	char block[4096];
	ssize_t n = 1;
	int fd, err = 0;

	if (args->cache != CACHE_LEAVE) {
		result->path = args->io_path;
		fd = open(args->io_path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		if (args->cache == CACHE_COLD)
			err = drop(fd);
		/*
		 * Reads the file once, so that the page cache is as warm for the first worker as
		 * for the last.
		 */
		while (args->cache == CACHE_WARM && left > 0 && n > 0) {
			n = work_file_read(fd, block, (size_t)MIN(left, sizeof(block)));
			if (n > 0)
				left -= (uint64_t)n;
		}
		if (n < 0)
			err = (int)n;
		close(fd);
		if (err)
			return err;
	}
	result->path = args->tmp_dir;
	fd = work_file_unnamed(args->tmp_dir);
	if (fd < 0)
		return fd;
	close(fd);
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
	.prepare = prepare_io,
	.run = run_io,
};
