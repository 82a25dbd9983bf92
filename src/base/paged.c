/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "base/paged.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <unistd.h>

/* Bytes by which the file grows at a time. */
#define PAGED_STEP ((size_t)1 << 20)

int paged_file(void)
{
	const char *folders[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};

	for (size_t i = 0; i < LENGTH(folders); i++) {
		int fd;

		if (!folders[i] || !*folders[i])
			continue;
		fd = open(folders[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
		if (fd >= 0)
			return fd;
	}
	return -1;
}

bool paged_grow(struct paged *paged, size_t bytes)
{
	const size_t wanted = roundup(bytes, PAGED_STEP);
	const int fd = paged->at ? paged->fd : paged_file();
	void *at = MAP_FAILED;

	if (fd < 0)
		return false;
	if (paged->at && wanted <= paged->bytes)
		return true;
	/*
	 * Use posix_fallocate(), because without it a write to a page could raise SIGBUS when the
	 * disk is full.
	 */
	if (posix_fallocate(fd, 0, (off_t)wanted) == 0) {
		if (paged->at)
			at = mremap(paged->at, paged->bytes, wanted, MREMAP_MAYMOVE);
		else
			at = mmap(NULL, wanted, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	}
	if (at != MAP_FAILED) {
		*paged = (struct paged) {at, wanted, fd};
		return true;
	}
	if (!paged->at)
		close(fd);
	return false;
}

bool paged_fixed(struct paged *paged, size_t bytes)
{
	*paged = (struct paged) {0};
	if (!paged_grow(paged, bytes))
		return false;
	/* The mapping keeps the file. */
	close(paged->fd);
	paged->fd = -1;
	return true;
}

void paged_leave(const struct paged *paged, size_t to)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t whole = MIN(to, paged->bytes) / page * page;

	if (paged->at && whole > 0)
		madvise(paged->at, whole, MADV_DONTNEED);
}

void paged_free(struct paged *paged)
{
	if (!paged->at)
		return;
	munmap(paged->at, paged->bytes);
	if (paged->fd >= 0)
		close(paged->fd);
	*paged = (struct paged) {0};
}

/* The size of a block in bytes, unless an item is larger. */
#define PAGED_BLOCK ((size_t)4 << 20)

static struct paged_block *map_block(struct paged_block *before, size_t bytes)
{
	struct paged_block *block;
	struct paged new;

	if (before)
		madvise(before, before->bytes, MADV_DONTNEED);
	if (!paged_fixed(&new, bytes))
		return NULL;
	block = new.at;
	*block = (struct paged_block) {before, new.bytes, roundup(sizeof(*block), 16)};
	return block;
}

void *paged_room(struct paged_block **newest, size_t n)
{
	struct paged_block *block = *newest;
	char *at;

	if (!block || block->bytes - block->used < n)
		block = map_block(block, MAX(PAGED_BLOCK, n + sizeof(*block) + 16));
	if (!block)
		return NULL;
	at = (char *)block + block->used;
	block->used += roundup(n, 16);
	*newest = block;
	return at;
}

bool paged_has(const struct paged_block *newest, const void *at)
{
	for (const struct paged_block *block = newest; block; block = block->next)
		if ((const char *)at > (const char *)block &&
		    (const char *)at < (const char *)block + block->bytes)
			return true;
	return false;
}

void paged_blocks_free(struct paged_block **newest)
{
	struct paged_block *next;

	for (struct paged_block *block = *newest; block; block = next) {
		next = block->next;
		munmap(block, block->bytes);
	}
	*newest = NULL;
}
