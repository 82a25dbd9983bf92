/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "base/clock.h"

/*
 * tuibench-hello is the program that posix_spawn and exec start when task creation itself is
 * measured. It is small and statically linked, so it starts as fast as a program can. Its only
 * argument is the descriptor of a pipe, to which it writes one report. Without an argument it
 * prints hello.
 */

#define HELLO_PROGRAM "tuibench-hello"

struct hello_report {
	uint64_t start_ns, finish_ns; /* clock_now_ns(): first and last instruction of main */
	/*
	 * getrusage(RUSAGE_SELF) at the end of main. Includes the kernel's work for the exec call.
	 */
	struct clock_usage usage;
	int32_t pid, cpu;
};
