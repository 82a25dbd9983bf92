/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Makes room for one more item if needed; array is the address of the pointer. Returns false and
 * changes nothing without memory.
 */
bool array_grow(void *array, size_t n, size_t *cap, size_t item);
/* Number of items whose int64_t at the offset is at most that value; items ascend by it. */
size_t array_up_to(const void *items, size_t n, size_t item, size_t offset, int64_t most);

/* For qsort(): in ascending order of the first member, of that type. */
int array_by_double(const void *a, const void *b);
int array_by_int64(const void *a, const void *b);
/* Ascending by a double, then by the uint32_t that follows it in memory. */
int array_by_rank(const void *a, const void *b);

/*
 * Random numbers that are equal for equal seeds on every machine. The caller keeps the state, which
 * may be any number. Sources: SplitMix64 (Steele, Lea & Flood 2014); Box & Muller 1958.
 */

uint64_t random_next(uint64_t *state);
/* Above 0 and below 1. */
double random_uniform(uint64_t *state);
/* Of mean 0 and standard deviation 1. */
double random_normal(uint64_t *state);
