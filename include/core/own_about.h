/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/* The example of the manual, beside the runner; and what it says of itself. */
#define OWN_EXAMPLE	 "tuibench-example.so"
#define OWN_EXAMPLE_NAME "collatz"
#define OWN_EXAMPLE_UNIT "numbers"
#define OWN_EXAMPLE_SIZE 500000

/* What a shared object of --own says of itself, or why it cannot be used. */
struct own_about {
	char name[32], unit[32]; /* "" where it gives none */
	uint64_t size;		 /* where none is asked for */
	char error[384];	 /* one line, "": it can be used */
};
