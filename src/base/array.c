/* SPDX-License-Identifier: MIT */
#include "base/array.h"

#include <stdlib.h>

void *array_room(void *array, size_t n, size_t *cap, size_t item)
{
	size_t wanted = *cap ? 2 * *cap : 16;

	if (n < *cap)
		return array;
	array = reallocarray(array, wanted, item);
	if (array)
		*cap = wanted;
	return array;
}
