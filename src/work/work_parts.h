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
 * A channel between two workers: each sends the other a number and waits for one. The struct is in
 * memory that both share. Its files are opened before either worker exists, and are the same for
 * threads and processes, so the kind of task is the only difference.
 */

/* Distance between two words that must not share a pair of cache lines, bytes. */
#define CHANNEL_LINE 128

struct channel {
	int32_t to[2], from[2]; /* Descriptors that each side writes to and reads from. */
	pid_t pid[2], tid[2];	/* The workers' ids, set when they are ready. */
	_Atomic uint32_t ready; /* A futex word: how many of the two workers are ready. */
	/* The number that the side receives, in a futex word or in a word that it polls. */
	struct {
		_Alignas(CHANNEL_LINE) _Atomic uint32_t word;
	} side[2];
};

struct channel_end {
	struct channel *channel;
	int side; /* 0 or 1 */
	/* The worker yields between two polls, because both workers may be on one core. */
	bool yields;
	uint32_t newest; /* The number received last. */
	/* The ring of fibers to which both sides belong, on one thread; otherwise NULL. */
	struct fiber_ring *fibers;
	const struct channel_ops *ops;
};

/* Opens the files of a channel, which stay open until their process ends. Returns 0 or -errno. */
int channel_open(struct channel *channel, enum via via);
/*
 * Reports that the worker is ready, and waits for its partner. The worker is side 0 of the pair if
 * args->index is even. Sets up *end, which only this worker may use. Returns 0 or -errno.
 */
int channel_meet(struct channel_end *end, struct channel *channel, const struct work_args *args);
/* Like channel_meet(), for a fiber. Does not wait, because both sides are on one thread. */
void channel_between(struct channel_end *end, struct channel *channel, int side,
		     struct fiber_ring *fibers);
/* Sends a number above 0, which must differ from the previous one. Returns 0 or -errno. */
int channel_send(struct channel_end *end, uint32_t number);
int channel_receive(struct channel_end *end, uint32_t *number);

/*
 * Whether quarter is the sum of the first `terms` terms of the Leibniz series for pi / 4; terms is
 * at least 1.
 */
bool work_check_pi(double quarter, uint64_t terms);

/* The sum of the first terms of the Leibniz series for pi / 4. */
double work_add_terms(uint64_t terms);

/*
 * The parts that both servers share, that is work_serve.c and work_events.c. The reply to each
 * request is serving.reply bytes of HTTP, in memory that all workers share.
 */

size_t serve_shared_bytes(const struct work_args *args);
int serve_prepare(const struct work_args *args, struct work_result *result);
/*
 * Does the computation of a request and reads its file, without the wait. Returns 0, -EILSEQ or
 * -errno.
 */
int serve_compute(const struct work_args *args);
/*
 * Counts the worker or connection as ready, if the run counts them. Call it when the worker or the
 * connection begins to wait.
 */
void serve_note_ready(const struct work_args *args);
/*
 * Call it when a request was read. Returns the mark that records the request's times; NULL: they
 * are not recorded.
 */
struct serving_mark *serve_begin_mark(const struct work_args *args);
/* Records the end of a request. Call it when the reply was written. mark may be NULL. */
void serve_end_mark(struct serving_mark *mark);
/* Sleeps for the whole time, even if signals arrive. */
void serve_wait(uint64_t ns);

/* An element of the array that mem workers walk, as large as a cache line. */
struct work_line {
	_Alignas(64) struct work_line *next;
};

/* Links the lines in the order of a worker's walk. order: enum mistakes_order. */
void work_mem_link(struct work_line *lines, uint64_t n, uint32_t order, struct work_pace *pace);
/*
 * Follows the links from the first line until they lead back to it, for at most `most` lines.
 * Returns the number of lines visited. With `most` n + 1, the result is n if and only if the first
 * line is in a cycle of n lines.
 */
uint64_t work_mem_follow(const struct work_line *first, uint64_t most, struct work_pace *pace);

void work_check_fill(uint64_t *words, size_t n, uint64_t offset);
/* Whether the words still hold what work_check_fill() wrote. */
bool work_check_filled(const uint64_t *words, size_t n, uint64_t offset);

/*
 * Detects without a system call whether the calling thread was off its core. With rseq(2) (Linux
 * 4.18, glibc 2.35), a thread can register a critical section. The kernel clears the registration
 * when the thread returns from a context switch or a signal and is outside that section. So
 * work_watch_begin() registers a section in which no code ever is. If the C library has not
 * registered the thread for rseq, nothing is ever detected.
 */

void work_watch_begin(void);
/* Returns true once after each absence of the thread, and sometimes without one. */
bool work_watch_was_away(void);
void work_watch_end(void);
