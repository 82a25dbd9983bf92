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
	 * Use posix_fallocate(). Without it, writing to a page could raise SIGBUS if the disk is
	 * full.
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
	close(paged->fd);
	*paged = (struct paged) {0};
}
