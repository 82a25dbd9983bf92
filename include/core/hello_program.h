/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "base/clock.h"

/*
 * tuibench-hello, the program that posix_spawn and exec start where creating a task is what is
 * measured: small and linked statically, as a hello world can be at its best. Its only argument is
 * the descriptor of a pipe to which it writes one report; without one it says hello.
 */

#define HELLO_PROGRAM "tuibench-hello"

struct hello_report {
	uint64_t start_ns, finish_ns; /* clock_now_ns(): first and last instruction of main */
	/* getrusage(RUSAGE_SELF) at its end: what the kernel did for the exec is in it */
	struct clock_usage usage;
	int32_t pid, cpu;
};
