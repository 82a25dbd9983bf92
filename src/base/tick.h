/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/*
 * The step in which the kernel tells a task's user time from its system time, ns. Most kernels look
 * once a tick, and book to the one in which the tick fell. 0: this one reads a clock at every entry
 * (CONFIG_VIRT_CPU_ACCOUNTING_GEN with nohz_full, or _NATIVE). -1: not known.
 */
int64_t tick_ns(void);
