/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/*
 * The k-th, from 0, of the n (n + 1) / 2 averages (x[i] + x[j]) / 2, i <= j, of sorted finite
 * values: the same as among all of them in order, without forming them. k is below their number.
 * O(n) for each of at most 64 halvings of what a double can be.
 */
double walsh_select(const double *sorted, size_t n, size_t k);
