/* SPDX-License-Identifier: MIT */
#include "work_parts.h"

#include <errno.h>
#include <stdlib.h>

#include "work/work_file.h"

/* Number of lines before the first check of the clock. */
#define MEM_LINES 256

/* Number of walks over the array. A single walk would take less time than filling the array. */
#define WALKS 4

/*
 * Writes the lines in the order of their addresses, then links them into one random cycle:
 * Sattolo's shuffle (1986) swaps each line with an earlier one, never with itself.
 */
static void link_lines(struct work_line *lines, uint64_t n, struct work_pace *pace)
{
	uint64_t i, j, state = 0x9e3779b97f4a7c15u;
	struct work_line *kept;

	for (i = 0; i < n; i++) {
		lines[i].next = &lines[i];
		work_step(pace);
	}
	for (i = n - 1; i > 0; i--) {
		/*
		 * A random number from 0 to i - 1, by multiplication instead of division (Lemire
		 * 2019).
		 */
		j = (work_random(&state) >> 32) * i >> 32;
		kept = lines[i].next;
		lines[i].next = lines[j].next;
		lines[j].next = kept;
		work_step(pace);
	}
}

void work_mem_link(struct work_line *lines, uint64_t n, uint32_t order, struct work_pace *pace)
{
	if (order != MEM_SEQUENTIAL) {
		link_lines(lines, n, pace);
		return;
	}
	/* Link the lines in sequential order, in which the processor prefetches them. */
	for (uint64_t i = 0; i < n; i++) {
		lines[i].next = &lines[i + 1 < n ? i + 1 : 0];
		work_step(pace);
	}
}

/*
 * Follows the links. Each address is in the previous line, so in random order the processor cannot
 * prefetch any line.
 */
uint64_t work_mem_follow(const struct work_line *first, uint64_t most, struct work_pace *pace)
{
	const struct work_line *line = first;
	uint64_t met = 0;

	do {
		line = line->next;
		met++;
		work_step(pace);
	} while (line != first && met < most);
	return met;
}

static int run_mem(const struct work_args *args, struct work_result *result)
{
	struct work_pace pace = {args->ticker, MEM_LINES, MEM_LINES};
	uint64_t n = args->size / sizeof(struct work_line);
	uint32_t rounds = args->mistakes.rounds ? args->mistakes.rounds : WALKS;
	struct work_line *lines;
	int err = 0;

	result->value = 0;
	if (n == 0 || n > UINT32_MAX)
		return -EINVAL;
	lines = aligned_alloc(sizeof(*lines), n * sizeof(*lines));
	if (!lines)
		return -ENOMEM;
	work_mem_link(lines, n, args->mistakes.mem_order, &pace);
	for (uint32_t i = 0; i < rounds; i++) {
		if (work_mem_follow(lines, n + 1, &pace) != n) {
			err = -EILSEQ;
			break;
		}
		result->value += n;
	}
	free(lines);
	return err;
}

const struct workload_ops work_mem_ops = {
	.about = "walk an array at random",
	.amount = "BYTES walked",
	.unit = "bytes",
	.default_size = 64 << 20,
	.least_size = sizeof(struct work_line),
	.most_size = sizeof(struct work_line) * (uint64_t)UINT32_MAX,
	.memory = 1,
	.ticks = true,
	.run = run_mem,
};
