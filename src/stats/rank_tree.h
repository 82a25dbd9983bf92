/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Values that are added one by one, all of which are known before: how many of those added are up
 * to a bound, in O(log n). Source: Fenwick, A new data structure for cumulative frequency tables,
 * Software: Practice and Experience 24(3), 1994.
 */
struct rank_tree {
	double *sorted; /* all values */
	uint32_t *sums; /* from 1 */
	size_t n, added;
};

/* For these n finite values, which are copied. 0 or -ENOMEM. */
int rank_tree_open(struct rank_tree *tree, const double *values, size_t n);
void rank_tree_close(struct rank_tree *tree);
/* One of the values. */
void rank_tree_add(struct rank_tree *tree, double value);
/* Of those added: how many are no greater, and how many no less. */
size_t rank_tree_up_to(const struct rank_tree *tree, double bound);
size_t rank_tree_from(const struct rank_tree *tree, double bound);
