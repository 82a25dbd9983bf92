/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>

/*
 * CLOCK_MONOTONIC in nanoseconds, read through the vDSO (about 23 ns). It is the same on every
 * core, and NTP does not step it. Every time in the program is from this clock.
 */
uint64_t clock_now_ns(void);

/* The core time of the calling thread so far, ns. */
uint64_t clock_thread_ns(void);

/* A time of getrusage(2), µs. */
uint64_t clock_us(struct timeval t);
/* Values of getrusage(2), the times in µs. */
struct clock_usage {
	uint64_t user_us, system_us;
	uint64_t minflt, majflt, nvcsw, nivcsw;
};

void clock_usage_add(struct clock_usage *sum, const struct rusage *more);
/* The core time that getrusage(who) counts so far, in user mode and in the kernel, µs. */
uint64_t clock_used_us(int who);

/*
 * The step in which the kernel splits a task's CPU time into user and system, ns. Most kernels
 * check once a tick, and book the tick to the mode found. 0: this kernel reads a clock at every
 * entry (CONFIG_VIRT_CPU_ACCOUNTING_GEN with nohz_full, or _NATIVE). -1: unknown.
 */
int64_t tick_ns(void);
