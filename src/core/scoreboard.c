/* SPDX-License-Identifier: MIT */
#include "core/scoreboard.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static size_t slots_size(uint32_t slots)
{
	return sizeof(struct scoreboard) + slots * sizeof(struct worker_slot);
}

size_t scoreboard_size(uint32_t slots, uint32_t slices)
{
	return slots_size(slots) + slots * slices_size(slices);
}

struct slices *scoreboard_slices(struct scoreboard *board, uint32_t slot)
{
	size_t size = slices_size(board->request.slices);
	char *rings = (char *)board + slots_size(board->slots);

	if (size)
		return (struct slices *)(void *)(rings + slot * size);
	return NULL;
}

/*
 * Maps the file. The first `own` bytes, which must be whole pages, are private memory of the caller
 * instead. Faults in all other pages now, so that neither a worker's first store nor the front
 * end's first read causes a page fault. Returns NULL and sets errno on error.
 */
static struct scoreboard *map(int fd, size_t size, size_t own)
{
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int err;

	if (p == MAP_FAILED)
		return NULL;
	if (mmap(p + own, size - own, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE | MAP_FIXED,
		 fd, (off_t)own) == MAP_FAILED) {
		err = errno;
		munmap(p, size);
		errno = err;
		return NULL;
	}
	return (struct scoreboard *)(void *)p;
}

/*
 * Makes a file in memory. Returns its descriptor or -errno. fallocate() reserves the memory now, so
 * a lack of memory is an error here instead of a SIGBUS later. The file is sealed, so neither
 * program can shrink it.
 */
static int make_memfd(size_t size)
{
	int fd = memfd_create("tuibench", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int err;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)size) || fallocate(fd, 0, 0, (off_t)size) ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW)) {
		err = -errno;
		close(fd);
		return err;
	}
	return fd;
}

int scoreboard_create(const struct board_request *request, struct scoreboard **made, int *fd)
{
	struct scoreboard *board;
	uint32_t slots = plan_count(&request->plan);
	size_t size = scoreboard_size(slots, request->slices);
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t own = offsetof(struct scoreboard, go) / page * page;
	bool full[offsetof(struct scoreboard, go) / SCOREBOARD_PAGE] = {true};
	int err = 0;

	if (slots == 0)
		return -EOVERFLOW;
	*fd = make_memfd(size);
	if (*fd < 0)
		return *fd;
	board = map(*fd, size, own);
	if (!board) {
		err = -errno;
		close(*fd);
		return err;
	}
	board->magic = SCOREBOARD_MAGIC;
	board->version = SCOREBOARD_VERSION;
	board->slots = slots;
	board->slot_size = sizeof(struct worker_slot);
	board->failure_slot = PLAN_ROOT;
	/* Most of a request is the unused part of texts. Skip pages that are completely empty. */
	for (size_t at = 0, n; at < sizeof(*request); at += n) {
		static const char empty[64];
		const size_t to = offsetof(struct scoreboard, request) + at;

		n = MIN(sizeof(empty) - to % sizeof(empty), sizeof(*request) - at);
		if (memcmp((const char *)request + at, empty, n) == 0)
			continue;
		memcpy((char *)board + to, (const char *)request + at, n);
		full[to / SCOREBOARD_PAGE] = true;
	}
	/* Check only for errors, because a write to a file in memory is never cut short. */
	for (size_t at = 0; at < own; at += SCOREBOARD_PAGE) {
		if (!full[at / SCOREBOARD_PAGE])
			continue;
		if (pwrite(*fd, (char *)board + at, SCOREBOARD_PAGE, (off_t)at) < 0) {
			err = -errno;
			break;
		}
	}
	if (err) {
		munmap(board, size);
		close(*fd);
		return err;
	}
	*made = board;
	return 0;
}

int scoreboard_open(int fd, struct scoreboard **board)
{
	struct scoreboard *found;
	struct stat st;
	size_t size;

	if (fstat(fd, &st))
		return -errno;
	size = (size_t)st.st_size;
	if (size < sizeof(struct scoreboard))
		return -EPROTO;
	found = map(fd, size, 0);
	if (!found)
		return -errno;
	*board = found;
	if (found->magic == SCOREBOARD_MAGIC && found->version == SCOREBOARD_VERSION &&
	    found->slot_size == sizeof(struct worker_slot) && found->slots > 0 &&
	    found->slots == plan_count(&found->request.plan) &&
	    size == scoreboard_size(found->slots, found->request.slices))
		return 0;
	munmap(found, size);
	return -EPROTO;
}

void scoreboard_close(struct scoreboard *board)
{
	munmap(board, scoreboard_size(board->slots, board->request.slices));
}

enum board_state scoreboard_state(const struct scoreboard *board)
{
	return atomic_load_explicit(&board->state, memory_order_acquire);
}

int scoreboard_wait(_Atomic uint32_t *word, uint32_t value, const struct timespec *timeout)
{
	/* Do not use FUTEX_PRIVATE, because the other side may be another process. */
	if (syscall(SYS_futex, word, FUTEX_WAIT, value, timeout, NULL, 0) == 0)
		return 0;
	return -errno;
}

void scoreboard_wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void scoreboard_end_hold(struct scoreboard *board)
{
	atomic_store_explicit(&board->hold_over, 1, memory_order_release);
	scoreboard_wake(&board->hold_over);
}

void scoreboard_release(struct scoreboard *board)
{
	atomic_store_explicit(&board->go, 1, memory_order_release);
	scoreboard_wake(&board->go);
}

void scoreboard_await_release(struct scoreboard *board)
{
	while (atomic_load_explicit(&board->go, memory_order_acquire) == 0)
		scoreboard_wait(&board->go, 0, NULL);
}
