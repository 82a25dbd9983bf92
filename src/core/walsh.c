/* SPDX-License-Identifier: MIT */
#include "walsh.h"

#include <stdint.h>
#include <string.h>

/* Integers in the order of the doubles, one for each; both zeros are 0. */
static int64_t order_of(double x)
{
	int64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits < 0 ? INT64_MIN - bits : bits;
}

static double value_at(int64_t order)
{
	int64_t bits = order < 0 ? INT64_MIN - order : order;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* How many are no greater. The larger the one value, the fewer partners it has. */
static size_t count_at_most(const double *sorted, size_t n, double most)
{
	size_t count = 0, end = n;

	for (size_t i = 0; i < n; i++) {
		while (end > i && (sorted[i] + sorted[end - 1]) / 2 > most)
			end--;
		if (end <= i)
			break;
		count += end - i;
	}
	return count;
}

double walsh_select(const double *sorted, size_t n, size_t k)
{
	int64_t low = order_of(sorted[0]), high = order_of(sorted[n - 1]);

	while (low < high) {
		int64_t middle = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);

		if (count_at_most(sorted, n, value_at(middle)) > k)
			high = middle;
		else
			low = middle + 1;
	}
	return value_at(low);
}
