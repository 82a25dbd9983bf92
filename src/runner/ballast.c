/* SPDX-License-Identifier: MIT */
#include "ballast.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "work/work_smaps.h"

#define HUGE_PAGE (UINT64_C(2) << 20)

/* It begins at a multiple of a huge page; what lies before stays untouched. */
static char *map(size_t size)
{
	char *p = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	return p + (HUGE_PAGE - (uintptr_t)p % HUGE_PAGE) % HUGE_PAGE;
}

static void touch(char *p, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t offset = 0; offset < size; offset += page)
		p[offset] = 1;
}

/* Bytes of this process in huge pages, as the kernel has it. */
static uint64_t huge_bytes(void)
{
	uint64_t told = 0, kb = work_smaps_kb("AnonHugePages:", &told);

	return kb == UINT64_MAX ? 0 : kb * 1024;
}

/*
 * Stays mapped until the end: it is what a larger program would have in memory when it forks. In
 * pages of 4 KiB whatever the machine's setting, unless huge ones are asked for, which make a fork
 * 35 times as cheap; a kernel without huge pages does not know the advice.
 */
int ballast_touch(struct scoreboard *board, const char **path)
{
	const struct board_request *request = &board->request;
	char *p;

	*path = NULL;
	if (request->ballast == 0)
		return 0;
	p = map(request->ballast);
	if (!p)
		return errno;
	madvise(p, request->ballast, request->ballast_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	touch(p, request->ballast);
	board->ballast_at = p;
	if (!request->ballast_huge || huge_bytes() >= request->ballast / HUGE_PAGE * HUGE_PAGE)
		return 0;
	*path = "/sys/kernel/mm/transparent_hugepage/enabled";
	return ENOMEM;
}
