/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/* The array with room for one item more; NULL without memory, and then as it was. */
void *array_room(void *array, size_t n, size_t *cap, size_t item);
