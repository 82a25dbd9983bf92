/* SPDX-License-Identifier: MIT */
#include "work/workload.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/param.h>

/* Number of steps before the first check of the clock. */
#define DIVISIONS   8192
#define ALLOCATIONS 256

/*
 * Counts divisors by trial division over the whole range, as a beginner's program would. One step
 * is one division, so the number of steps is known.
 */
static uint64_t count_within(uint64_t number, uint64_t divisor, uint64_t n)
{
	uint64_t count = 0;

	for (; n > 0; n--, divisor++) {
		if (number % divisor == 0)
			count++;
	}
	return count;
}

static uint64_t count_divisors(uint64_t number, struct work_ticker *ticker)
{
	uint64_t count = 0, done, n, steps = DIVISIONS;

	for (done = 0; done < number; done += n) {
		n = MIN(number - done, steps);
		count += count_within(number, done + 1, n);
		steps = work_tick(ticker, steps);
	}
	return count;
}

static int run_cpu(const struct work_args *args, struct work_result *result)
{
	struct work_pace pace = {args->ticker, ALLOCATIONS, ALLOCATIONS};

	result->value = 0;
	if (args->alloc == 0) {
		result->value = count_divisors(args->size, args->ticker);
		return 0;
	}
	/* With an allocation in every step, this measures the cost of a shared heap. */
	for (uint64_t divisor = 1; divisor <= args->size; divisor++) {
		void *p = malloc(args->alloc);

		if (!p)
			return -ENOMEM;
		/* The compiler removes malloc and free unless p is used. */
		__asm__ volatile("" : : "r"(p) : "memory");
		result->value += args->size % divisor == 0;
		free(p);
		work_step(&pace);
	}
	return 0;
}

const struct workload_ops work_cpu_ops = {
	.about = "find the divisors of a number",
	.amount = "NUMBER",
	.unit = "number",
	.default_size = 8648640, /* A highly composite number: it has exactly 448 divisors. */
	.ticks = true,
	.run = run_cpu,
};
