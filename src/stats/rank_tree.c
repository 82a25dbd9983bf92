/* SPDX-License-Identifier: MIT */
#include "rank_tree.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"

int rank_tree_open(struct rank_tree *tree, const double *values, size_t n)
{
	*tree = (struct rank_tree) {.n = n};
	tree->sorted = malloc((n + 1) * sizeof(*tree->sorted));
	tree->sums = calloc(n + 1, sizeof(*tree->sums));
	if (!tree->sorted || !tree->sums) {
		rank_tree_close(tree);
		return -ENOMEM;
	}
	memcpy(tree->sorted, values, n * sizeof(*values));
	stats_sort(tree->sorted, n);
	return 0;
}

void rank_tree_close(struct rank_tree *tree)
{
	free(tree->sorted);
	free(tree->sums);
	*tree = (struct rank_tree) {.n = 0};
}

/* How many of all values are less than the bound, or no greater. */
static size_t place(const struct rank_tree *tree, double bound, bool equal)
{
	size_t low = 0, high = tree->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (tree->sorted[middle] < bound || (equal && tree->sorted[middle] == bound))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t sum(const struct rank_tree *tree, size_t places)
{
	size_t all = 0;

	for (size_t i = places; i > 0; i &= i - 1)
		all += tree->sums[i];
	return all;
}

/* Values alike have the place of the first. */
void rank_tree_add(struct rank_tree *tree, double value)
{
	for (size_t i = place(tree, value, false) + 1; i <= tree->n; i += i & -i)
		tree->sums[i]++;
	tree->added++;
}

size_t rank_tree_up_to(const struct rank_tree *tree, double bound)
{
	return sum(tree, place(tree, bound, true));
}

size_t rank_tree_from(const struct rank_tree *tree, double bound)
{
	return tree->added - sum(tree, place(tree, bound, false));
}
