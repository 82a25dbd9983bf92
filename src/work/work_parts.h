/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/plan.h"
#include "work/fiber.h"
#include "work/workload.h"

/*
 * A way between two workers, of which each hands the other a number and waits for one. It stands in
 * memory that both share; its files are opened before either of them exists. They are the same for
 * threads and processes, so that nothing but the kind of task distinguishes them.
 */

/* Bytes that no two words shall have in common: a pair of cache lines. */
#define CHANNEL_LINE 128

struct channel {
	int32_t to[2], from[2]; /* files by side, of ways that have them */
	pid_t pid[2], tid[2];	/* of the workers, once they are ready */
	_Atomic uint32_t ready; /* a futex word: how many of the two */
	/* What the side is to receive: a futex word, or one that is looked at. */
	struct {
		_Alignas(CHANNEL_LINE) _Atomic uint32_t word;
	} side[2];
};

struct channel_end {
	struct channel *channel;
	int side;		   /* 0, 1 */
	bool yields;		   /* it gives up its core between two looks, as both are on one */
	uint32_t newest;	   /* what was received last */
	struct fiber_ring *fibers; /* that both sides are of, in one thread; else NULL */
	const struct channel_ops *ops;
};

/* Opens the files of a way; 0 or -errno. What is open stays so until its process ends. */
int channel_open(struct channel *channel, enum via via);
/*
 * The worker is ready, the first or the second of the pair by its index, and waits until the other
 * is as well; 0 or -errno. From here on the end belongs to this worker alone.
 */
int channel_meet(struct channel_end *end, struct channel *channel, const struct work_args *args);
/* The same for a fiber, which waits for nobody: both sides are of one thread. */
void channel_between(struct channel_end *end, struct channel *channel, int side,
		     struct fiber_ring *fibers);
/* Hands over a number above 0, which differs from the one before; 0 or -errno. */
int channel_send(struct channel_end *end, uint32_t number);
int channel_receive(struct channel_end *end, uint32_t *number);

/* quarter is the sum of so many terms, at least one, of the Leibniz series for pi / 4. */
bool work_check_pi(double quarter, uint64_t terms);

/* The sum of the first terms of that series. */
double work_add_terms(uint64_t terms);

/*
 * The parts that both servers have. The reply to each request: serving.reply bytes of HTTP in
 * memory that the workers share.
 */

size_t serve_shared_bytes(const struct work_args *args);
int serve_prepare(const struct work_args *args, struct work_result *result);
/* Does the work of a request, and reads its file, without the wait; 0, -EILSEQ or -errno. */
int serve_compute(const struct work_args *args);
/* A worker, or a connection, begins to wait: counts it if somebody counts them. */
void serve_note_ready(const struct work_args *args);
/* Sleeps; 0: not at all. */
void serve_wait(uint64_t ns);

/* A cache line of the array that is walked. */
struct work_line {
	_Alignas(64) struct work_line *next;
};

/* Links the lines in the order of a worker's walk; order: enum mistakes_order. */
void work_mem_link(struct work_line *lines, uint64_t n, uint32_t order, struct work_pace *pace);
/*
 * Follows the lines from the first one until it is reached again, most lines at most. How many
 * were met: all n of them if, and only if, the lines are one cycle and n comes back for n + 1.
 */
uint64_t work_mem_follow(const struct work_line *first, uint64_t most, struct work_pace *pace);

void work_check_fill(uint64_t *words, size_t n, uint64_t offset);
/* The words hold still what they were filled with. */
bool work_check_filled(const uint64_t *words, size_t n, uint64_t offset);

/*
 * Whether the calling thread was off its core, without a system call. The kernel forgets the
 * critical section that a thread has registered as soon as it finds the thread elsewhere when it
 * comes back from a switch or a signal: rseq(2), Linux 4.18, glibc 2.35. So one is registered that
 * no code is in. Never true where the C library has registered nothing.
 */

void work_watch_begin(void);
/* True once for each time that it was away, or more often. */
bool work_watch_was_away(void);
void work_watch_end(void);
