/* SPDX-License-Identifier: MIT */
#include "live_file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "work/work_file.h"

/* xorshift64* (Vigna 2016). */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1du;
}

int live_file_fill(int fd, uint64_t bytes)
{
	static const size_t block_size = 1 << 20;
	uint64_t seed = 0x9e3779b97f4a7c15u;
	uint64_t *block;
	struct stat st;
	int err = 0;

	if (fstat(fd, &st) < 0)
		return -errno;
	if ((uint64_t)st.st_size >= bytes)
		return 0;
	block = malloc(block_size);
	if (!block)
		return -ENOMEM;
	lseek(fd, 0, SEEK_SET);
	for (uint64_t done = 0; done < bytes && !err; done += block_size) {
		uint64_t left = bytes - done;

		for (size_t i = 0; i < block_size / sizeof(*block); i++)
			block[i] = next_random(&seed);
		err = work_file_write(fd, block, left < block_size ? left : block_size);
	}
	free(block);
	return err;
}
