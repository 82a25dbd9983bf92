/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/*
 * The shared object that the manual uses as an example, installed beside the runner. The values
 * below repeat the description in the object itself.
 */
#define OWN_EXAMPLE	 "tuibench-example.so"
#define OWN_EXAMPLE_NAME "collatz"
#define OWN_EXAMPLE_UNIT "numbers"
#define OWN_EXAMPLE_SIZE 500000

/*
 * The description that a shared object of --own gives of itself, or the reason why the object
 * cannot be used.
 */
struct own_about {
	char name[32], unit[32]; /* "" if the object gives none. */
	uint64_t size;		 /* Amount of work if the user gives none. */
	char error[384];	 /* One line; "" if the object can be used. */
};
