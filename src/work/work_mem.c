/* SPDX-License-Identifier: MIT */
#include "work_parts.h"

#include <errno.h>
#include <stdlib.h>

/* The first lines between two looks at the clock. */
#define LINES 256

/* The visits of every line: the walk, not the filling, must take the time. */
#define WALKS 4

/* xorshift64* (Vigna 2016): the same order in every worker of every run. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1du;
}

/* Below n < 2^32, by multiplication instead of a division (Lemire 2019). */
static uint64_t random_below(uint64_t *state, uint64_t n)
{
	return (next_random(state) >> 32) * n >> 32;
}

/* The loop that a worker is in, and its looks at the clock. */
struct pace {
	struct work_ticker *ticker;
	uint64_t steps, left;
};

static inline void step(struct pace *pace)
{
	if (--pace->left == 0)
		pace->left = pace->steps = work_tick(pace->ticker, pace->steps);
}

/*
 * Fills the lines in their order, then links them into one random cycle. Sattolo's shuffle (1986)
 * exchanges each with one before it, never with itself.
 */
static void link_lines(struct work_line *lines, uint64_t n, struct pace *pace)
{
	uint64_t i, j, state = 0x9e3779b97f4a7c15u;
	struct work_line *kept;

	for (i = 0; i < n; i++) {
		lines[i].next = &lines[i];
		step(pace);
	}
	for (i = n - 1; i > 0; i--) {
		j = random_below(&state, i);
		kept = lines[i].next;
		lines[i].next = lines[j].next;
		lines[j].next = kept;
		step(pace);
	}
}

/* The order of the lines themselves, which the processor fetches ahead. */
static void link_in_order(struct work_line *lines, uint64_t n, struct pace *pace)
{
	for (uint64_t i = 0; i < n; i++) {
		lines[i].next = &lines[i + 1 < n ? i + 1 : 0];
		step(pace);
	}
}

static void link_as(uint32_t order, struct work_line *lines, uint64_t n, struct pace *pace)
{
	if (order == MEM_SEQUENTIAL)
		link_in_order(lines, n, pace);
	else
		link_lines(lines, n, pace);
}

void work_check_link(struct work_line *lines, uint64_t n, enum mistakes_order order)
{
	struct pace pace = {NULL, LINES, LINES};

	link_as(order, lines, n, &pace);
}

/* The next line is known only once this one is read: nothing can be fetched ahead. */
static uint64_t follow(const struct work_line *first, uint64_t most, struct pace *pace)
{
	const struct work_line *line = first;
	uint64_t met = 0;

	do {
		line = line->next;
		met++;
		step(pace);
	} while (line != first && met < most);
	return met;
}

uint64_t work_check_cycle(const struct work_line *first, uint64_t most)
{
	struct pace pace = {NULL, LINES, LINES};

	return follow(first, most, &pace);
}

static int walk(const struct work_line *lines, uint64_t n, uint32_t rounds, struct pace *pace,
		uint64_t *visited)
{
	for (uint32_t i = 0; i < rounds; i++) {
		if (follow(lines, n + 1, pace) != n)
			return -EILSEQ;
		*visited += n;
	}
	return 0;
}

static int run(const struct work_args *args, struct work_result *result)
{
	struct pace pace = {args->ticker, LINES, LINES};
	uint64_t n = args->size / sizeof(struct work_line);
	uint32_t rounds = args->mistakes.rounds ? args->mistakes.rounds : WALKS;
	struct work_line *lines;
	int err;

	result->value = 0;
	if (n == 0 || n > UINT32_MAX)
		return -EINVAL;
	lines = aligned_alloc(sizeof(*lines), n * sizeof(*lines));
	if (!lines)
		return -ENOMEM;
	link_as(args->mistakes.mem_order, lines, n, &pace);
	err = walk(lines, n, rounds, &pace, &result->value);
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
	.run = run,
};
