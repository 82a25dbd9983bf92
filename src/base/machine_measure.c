/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/machine.h"
#include "tick.h"

#define SERIES	 51
#define READINGS 40

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The median of several series: an interrupt is none of it, and a coarse step is shared. */
static int64_t clock_cost_ns(void)
{
	uint64_t took[SERIES];

	for (int i = 0; i < SERIES; i++) {
		uint64_t begin = clock_now_ns(), end = begin;

		for (int j = 0; j < READINGS; j++)
			end = clock_now_ns();
		took[i] = end - begin;
	}
	qsort(took, SERIES, sizeof(*took), compare);
	return (int64_t)((took[SERIES / 2] + READINGS / 2) / READINGS);
}

/* Additions that each need the one before, a cycle apiece on every processor. */
#if defined(__x86_64__)
#define ADD "add %1, %0"
#elif defined(__aarch64__)
#define ADD "add %0, %0, %1"
#elif defined(__riscv)
#define ADD "add %0, %0, %1"
#endif

#define ADDS   512 /* the loop's own end is less than 1 % of them */
#define ROUNDS 32
#define TRY_NS 2000000
#define LEAST  100 /* MHz; slower is no core, but one that is emulated */

#define TEXT_OF(x) #x
#define TEXT(x)	   TEXT_OF(x)

int64_t machine_core_mhz(void)
{
#ifdef ADD
	uint64_t end = clock_now_ns() + TRY_NS, least = UINT64_MAX, begin, took;
	unsigned long sum = 0, one = 1;

	do {
		begin = clock_now_ns();
		for (int i = 0; i < ROUNDS; i++)
			__asm__ volatile(".rept " TEXT(ADDS) "\n\t" ADD "\n\t.endr"
					 : "+r"(sum)
					 : "r"(one));
		took = clock_now_ns() - begin;
		least = took < least ? took : least;
	} while (begin < end);
	if (least > 0 && ADDS * ROUNDS * UINT64_C(1000) / least >= LEAST)
		return (int64_t)(ADDS * ROUNDS * UINT64_C(1000) / least);
#endif
	return -1;
}

/* In a virtual machine /proc/cpuinfo has the time stamp counter's rate, whatever the core's is. */
static void measure_mhz(struct machine *machine)
{
	int64_t mhz = strcmp(machine->frequency_source, "cpufreq") == 0 ? -1 : machine_core_mhz();

	if (mhz < 0)
		return;
	machine->mhz = mhz;
	snprintf(machine->frequency_source, sizeof(machine->frequency_source), "measured");
}

void machine_measure(struct machine *machine)
{
	machine->tick_ns = tick_ns();
	machine->clock_ns = clock_cost_ns();
	measure_mhz(machine);
}
