/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>

/*
 * CLOCK_MONOTONIC in nanoseconds, read through the vDSO (about 23 ns). The clock is the same on
 * every core, and NTP does not step it. All points in time are from this clock, except the date of
 * a session.
 */
uint64_t clock_now_ns(void);

/* CPU time of the calling thread so far, ns. */
uint64_t clock_thread_ns(void);

/* Converts a time of getrusage(2) to µs. */
uint64_t clock_us(struct timeval t);
/* Values of getrusage(2), with the times in µs. */
struct clock_usage {
	uint64_t user_us, system_us;
	uint64_t minflt, majflt, nvcsw, nivcsw;
};

void clock_usage_add(struct clock_usage *sum, const struct rusage *more);
/* CPU time in user mode and in the kernel, as getrusage(who) counts it so far, µs. */
uint64_t clock_used_us(int who);

/*
 * The step in which the kernel splits a task's CPU time into user and system time, ns. Most kernels
 * look once a tick whether a task is in user mode, and count the whole tick accordingly. 0: this
 * kernel reads a clock at every entry (CONFIG_VIRT_CPU_ACCOUNTING_GEN with nohz_full, or _NATIVE).
 * -1: unknown.
 */
int64_t tick_ns(void);
