/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of items of an array. Wrong for a pointer. */
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Makes room for one more item, if all *cap items are in use. n: items in use. item: bytes of an
 * item. `array` is the address of the pointer to the items. Returns false and changes nothing if
 * memory is short.
 */
bool array_grow(void *array, size_t n, size_t *cap, size_t item);
/*
 * Returns the number of items whose int64_t at `offset` is at most `most`. The items must be sorted
 * ascending by that member.
 */
size_t array_up_to(const void *items, size_t n, size_t item, size_t offset, int64_t most);

/*
 * Comparison functions for qsort(), in ascending order. The items are of the type in the name, or
 * begin with it.
 */
int array_by_double(const void *a, const void *b);
int array_by_int64(const void *a, const void *b);
/*
 * Comparison function for qsort(), for items that begin with a double and a uint32_t: ascending by
 * the double, then by the uint32_t.
 */
int array_by_rank(const void *a, const void *b);

/*
 * Pseudo-random numbers. Equal seeds give equal numbers on every machine. The caller keeps the
 * state, which may begin as any number. Sources: SplitMix64 (Steele, Lea & Flood 2014); Box &
 * Muller 1958.
 */

uint64_t random_next(uint64_t *state);
/* Uniformly distributed, above 0 and below 1. */
double random_uniform(uint64_t *state);
/* Normally distributed, with mean 0 and standard deviation 1. */
double random_normal(uint64_t *state);
