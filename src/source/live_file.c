/* SPDX-License-Identifier: MIT */
#include "live_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

const char *live_file_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

/* For file systems without O_TMPFILE (overlayfs of old, NFS): the name lives for an instant. */
static int create_unlinked(const char *dir)
{
	char path[4096];
	int n = snprintf(path, sizeof(path), "%s/tuibench.XXXXXX", dir);
	int fd;

	if (n < 0 || (size_t)n >= sizeof(path))
		return -ENAMETOOLONG;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	unlink(path);
	return fd;
}

int live_file_create(const char *dir)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	return errno == EOPNOTSUPP || errno == EISDIR ? create_unlinked(dir) : -errno;
}

/* xorshift64* (Vigna 2016). */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1du;
}

static int write_block(int fd, const void *block, size_t size)
{
	const char *p = block;

	while (size > 0) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		p += n;
		size -= (size_t)n;
	}
	return 0;
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
		err = write_block(fd, block, left < block_size ? left : block_size);
	}
	free(block);
	return err;
}
