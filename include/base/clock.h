/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_CLOCK_H
#define TUIBENCH_CLOCK_H

#include <stdint.h>

/*
 * CLOCK_MONOTONIC in nanoseconds: read through the vDSO (about 23 ns), the same on every core,
 * and not stepped by NTP. Every time in the program is taken from it.
 */
uint64_t clock_now_ns(void);

#endif
