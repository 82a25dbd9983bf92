/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * What mutate.py has before each file with a mutant. Mutants that were reached are marked in a file
 * that all tasks of a program map; a weak symbol is one for all files of a program.
 */

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
__attribute__((weak)) int mutant_chosen = -1, mutant_asked;
__attribute__((weak)) volatile unsigned char *mutant_map;
static __attribute__((constructor)) void mutant_ask(void)
{
	const char *chosen = getenv("TUIBENCH_MUTANT"),
		   *reached = getenv("TUIBENCH_MUTANTS_REACHED");
	if (mutant_asked++)
		return;
	mutant_chosen = chosen ? atoi(chosen) : -1;
	int fd = reached ? open(reached, O_RDWR | O_CLOEXEC) : -1;
	void *map =
		fd >= 0 ? mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
	mutant_map = map == MAP_FAILED ? NULL : map;
	if (fd >= 0)
		close(fd);
}
static inline int mutant(int number)
{
	if (mutant_map)
		mutant_map[number] = 1;
	return number == mutant_chosen;
}
