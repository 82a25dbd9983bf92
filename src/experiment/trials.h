/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * How many trials a session needs that makes so many comparisons, and what so many tell: a
 * difference of 3 % is to be found where the noise of a run is 1 %. The comparisons share an
 * error as Holm has it, so that more of them need more trials.
 */

/* The default: 15, or what finds it in 99 of 100 sessions; of two models also after a slow run. */
uint32_t trials_needed(double error, uint32_t comparisons);
/* For --quick: 8, or the fewest that find it while no run is slow. */
uint32_t trials_quick(double error, uint32_t comparisons);
/*
 * The share of sessions that find it, of 4,000 that are simulated, always the same ones; slow: the
 * first run of the faster one takes 20 % longer.
 */
double trials_found(uint32_t trials, double error, uint32_t comparisons, bool slow);
