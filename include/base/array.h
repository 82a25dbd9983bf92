/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_ARRAY_H
#define TUIBENCH_ARRAY_H

#include <stddef.h>

/* The array with room for one item more; NULL without memory, and then as it was. */
void *array_room(void *array, size_t n, size_t *cap, size_t item);

#endif
