/* SPDX-License-Identifier: MIT */
#include "work_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "work/work_file.h"

#define WRITE_WORDS  512 /* words of a block of 4 KiB */
#define WRITE_BLOCKS 4	 /* number of blocks before the first check of the clock */

/*
 * A word that differs from that at any other position, so that lost or swapped blocks are detected.
 */
static uint64_t word_at(uint64_t offset, size_t i)
{
	return (offset / sizeof(uint64_t) + i) * 0x9e3779b97f4a7c15u;
}

void work_check_fill(uint64_t *words, size_t n, uint64_t offset)
{
	for (size_t i = 0; i < n; i++)
		words[i] = word_at(offset, i);
}

bool work_check_filled(const uint64_t *words, size_t n, uint64_t offset)
{
	for (size_t i = 0; i < n; i++) {
		if (words[i] != word_at(offset, i))
			return false;
	}
	return true;
}

/* Number of words in the block at that offset: fewer in the last block, and 0 at the end. */
static size_t words_at(uint64_t offset, uint64_t size)
{
	uint64_t left = (size - offset) / sizeof(uint64_t);

	if (left < WRITE_WORDS)
		return (size_t)left;
	return WRITE_WORDS;
}

static int write_blocks(int fd, uint64_t *block, uint64_t size, struct work_ticker *ticker)
{
	struct work_pace pace = {ticker, WRITE_BLOCKS, WRITE_BLOCKS};
	uint64_t at;
	size_t n;
	int err = 0;

	for (at = 0; (n = words_at(at, size)) > 0; at += n * sizeof(*block)) {
		work_check_fill(block, n, at);
		err = work_file_write(fd, block, n * sizeof(*block));
		work_step(&pace);
		if (err)
			break;
	}
	work_tick(ticker, 1);
	if (!err && fsync(fd))
		err = -errno;
	work_tick(ticker, 1);
	return err;
}

static int read_blocks(int fd, uint64_t *block, const struct work_args *args, uint64_t *right)
{
	struct work_pace pace = {args->ticker, WRITE_BLOCKS, WRITE_BLOCKS};
	ssize_t got;
	size_t n;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	while ((n = words_at(*right, args->size)) > 0) {
		got = work_file_read(fd, block, n * sizeof(*block));
		if (got < 0)
			return (int)got;
		if ((size_t)got != n * sizeof(*block) || !work_check_filled(block, n, *right))
			return -EILSEQ;
		*right += n * sizeof(*block);
		work_step(&pace);
	}
	return 0;
}

/* By default, each worker writes its own file, because writers of one file wait for its lock. */
static int run_write(const struct work_args *args, struct work_result *result)
{
	/* Put the block on the heap, because a thread's stack may be as small as 16 KiB. */
	uint64_t *block = malloc(WRITE_WORDS * sizeof(*block));
	const uint32_t rounds = args->mistakes.rounds ? args->mistakes.rounds : 1;
	int err = 0, fd;

	*result = (struct work_result) {.path = args->tmp_dir};
	if (!block)
		return -ENOMEM;
	fd = work_file_own(args->tmp_dir, args->one_file);
	if (fd < 0) {
		free(block);
		return fd;
	}
	for (uint32_t i = 0; i < rounds; i++) {
		uint64_t right = 0;

		if (lseek(fd, 0, SEEK_SET) < 0)
			err = -errno;
		if (!err)
			err = write_blocks(fd, block, args->size, args->ticker);
		if (!err)
			err = read_blocks(fd, block, args, &right);
		result->value += right;
		if (err)
			break;
	}
	close(fd);
	free(block);
	return err;
}

const struct workload_ops work_write_ops = {
	.about = "write a file, sync it, read it",
	.amount = "BYTES written and read",
	.unit = "bytes",
	.default_size = 64 << 20,
	.least_size = sizeof(uint64_t),
	.written = 1,
	.ticks = true,
	.run = run_write,
};
