/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/plan.h"

/* How the workloads know whether their own result is right, apart from what makes it. */

/* quarter is the sum of so many terms, at least one, of the Leibniz series for pi / 4. */
bool work_check_pi(double quarter, uint64_t terms);

/* A cache line of the array that is walked. */
struct work_line {
	_Alignas(64) struct work_line *next;
};

/* Links so many lines as a worker walks them. */
void work_check_link(struct work_line *lines, uint64_t n, enum mistakes_order order);
/*
 * Follows the lines from the first one until it is reached again, most lines at most. How many
 * were met: all n of them if, and only if, the lines are one cycle and n comes back for n + 1.
 */
uint64_t work_check_cycle(const struct work_line *first, uint64_t most);

/* Fills a block with what belongs there in a file. */
void work_check_fill(uint64_t *words, size_t n, uint64_t offset);
/* The words hold still what they were filled with. */
bool work_check_filled(const uint64_t *words, size_t n, uint64_t offset);
