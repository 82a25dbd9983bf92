/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Whether the array has room for one item more, or was given it; array is the address of its
 * pointer. Without memory it stays as it was.
 */
bool array_grow(void *array, size_t n, size_t *cap, size_t item);
/* How many items have at most that, as an int64_t at the offset, by which they ascend. */
size_t array_up_to(const void *items, size_t n, size_t item, size_t offset, int64_t most);

/* For qsort(): ascending by the first member, which is of that type. */
int array_by_double(const void *a, const void *b);
int array_by_int64(const void *a, const void *b);
/* Ascending by a double, then by the uint32_t that follows it in memory. */
int array_by_rank(const void *a, const void *b);

/*
 * Numbers that are the same from the same seed on every machine. The state is any number, and the
 * caller's. Sources: SplitMix64 (Steele, Lea & Flood 2014); Box & Muller 1958.
 */

uint64_t random_next(uint64_t *state);
/* Above 0 and below 1. */
double random_uniform(uint64_t *state);
/* Of mean 0 and standard deviation 1. */
double random_normal(uint64_t *state);
