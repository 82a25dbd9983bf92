/* SPDX-License-Identifier: MIT */
#include <unistd.h>

/*
 * In builds with -Db_coverage=true alone, linked with --wrap=_exit: what a process that ends by
 * _exit(2) has run counts as well.
 */

void __gcov_dump(void);
void __gcov_reset(void);
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));

void __wrap__exit(int status)
{
	__gcov_dump();
	/* Who shares this memory (vfork) has its own to add. */
	__gcov_reset();
	__real__exit(status);
}
