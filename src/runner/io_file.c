/* SPDX-License-Identifier: MIT */
#include "io_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "work/work_file.h"

#define BLOCK_BYTES ((size_t)1 << 20)

/* xorshift64* (Vigna 2016). */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1du;
}

static int fill(struct scoreboard *board, int fd, uint64_t *block)
{
	uint64_t seed = 0x9e3779b97f4a7c15u;
	int err = 0;

	for (uint64_t done = 0; done < board->to_prepare && !err;) {
		uint64_t left = board->to_prepare - done;
		size_t size = left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;

		for (size_t i = 0; i < BLOCK_BYTES / sizeof(*block); i++)
			block[i] = next_random(&seed);
		err = work_file_write(fd, block, size);
		done += size;
		atomic_store_explicit(&board->prepared, done, memory_order_relaxed);
	}
	return -err;
}

static int fill_anew(struct scoreboard *board, int fd)
{
	uint64_t *block = malloc(BLOCK_BYTES);
	/* A limit on the size of files is an error like that of a full disk. */
	void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
	int error = block ? fill(board, fd, block) : ENOMEM;

	signal(SIGXFSZ, before);
	free(block);
	/* A part of it would stay on a disk that is full. */
	if (error)
		(void)!ftruncate(fd, 0);
	return error;
}

int io_file_make(struct scoreboard *board)
{
	const struct board_request *request = &board->request;
	struct stat st;
	int fd, error = 0;

	if (!request->make_io_file)
		return 0;
	fd = open(request->io_path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0) {
		error = errno;
	} else if ((uint64_t)st.st_size < request->work_size[WORK_IO]) {
		board->to_prepare = request->work_size[WORK_IO];
		error = fill_anew(board, fd);
	}
	if (fd >= 0)
		close(fd);
	return error;
}
