/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/*
 * A line of the calling process' /proc/self/smaps_rollup, "AnonHugePages:", in KiB; UINT64_MAX
 * where the kernel does not say. *told grows by the bytes read.
 */
uint64_t work_smaps_kb(const char *name, uint64_t *told);
