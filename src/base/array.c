/* SPDX-License-Identifier: MIT */
#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool array_grow(void *array, size_t n, size_t *cap, size_t item)
{
	size_t wanted = *cap ? 2 * *cap : 4;
	void *items;

	if (n < *cap)
		return true;
	/*
	 * C converts no pointer to a pointer type into void **, so copy the pointer byte by byte.
	 */
	memcpy(&items, array, sizeof(items));
	items = reallocarray(items, wanted, item);
	if (!items)
		return false;
	memcpy(array, &items, sizeof(items));
	*cap = wanted;
	return true;
}

size_t array_up_to(const void *items, size_t n, size_t item, size_t offset, int64_t most)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int64_t number;

		memcpy(&number, (const char *)items + middle * item + offset, sizeof(number));
		if (number <= most)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int array_by_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int array_by_int64(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int array_by_rank(const void *a, const void *b)
{
	const struct rank {
		double by;
		uint32_t number;
	} *x = a, *y = b;
	int order = array_by_double(a, b);

	if (order)
		return order;
	return (x->number > y->number) - (x->number < y->number);
}

uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

double random_uniform(uint64_t *state)
{
	return ((double)(random_next(state) >> 11) + 0.5) / 9007199254740992.0;
}

double random_normal(uint64_t *state)
{
	double radius = sqrt(-2 * log(random_uniform(state)));

	return radius * cos(2 * M_PI * random_uniform(state));
}
