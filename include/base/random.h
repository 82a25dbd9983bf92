/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/*
 * Numbers that are the same from the same seed on every machine. The state is any number, and the
 * caller's. Sources: SplitMix64 (Steele, Lea & Flood 2014); Box & Muller 1958.
 */

uint64_t random_next(uint64_t *state);
/* Above 0 and below 1. */
double random_uniform(uint64_t *state);
/* Of mean 0 and standard deviation 1. */
double random_normal(uint64_t *state);
