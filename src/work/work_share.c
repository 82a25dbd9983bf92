/* SPDX-License-Identifier: MIT */
#include "work/workload.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/param.h>

#include "base/clock.h"
#include "core/variables.h"

#define SHARE_STEPS 64 /* increments before the first check of the clock */
/* Number of polls before a waiter yields, because the worker that it waits for may have no core. */
#define SPINS	   2000
#define AWAIT	   INT64_C(200000000) /* longest wait for the other workers to arrive, ns */
#define SHARE_LINE 64

struct own {
	_Alignas(SHARE_LINE) _Atomic uint64_t n;
};

struct pot {
	/* here: number of workers that have arrived. gone: number of workers that are done. */
	_Atomic uint32_t here, gone;
	_Atomic uint64_t sum; /* Sum of the workers' counts. */
	_Alignas(SHARE_LINE) pthread_mutex_t mutex;
	_Alignas(SHARE_LINE) _Atomic uint32_t spin;
	_Alignas(SHARE_LINE) uint64_t counter; /* Protected by a lock. */
	_Alignas(SHARE_LINE) _Atomic uint64_t atomic;
	_Alignas(SHARE_LINE) volatile uint64_t plain;
	/*
	 * One counter for each worker. For false sharing, they are packed into as few cache lines
	 * as possible.
	 */
	struct own line[];
};

struct taking {
	struct pot *pot;
	uint64_t total, mine;
	_Atomic uint64_t *counter; /* The worker's own counter, if each has one. */
	struct work_pace pace;
};

static int by_mutex(struct taking *taking)
{
	struct pot *pot = taking->pot;
	bool more = true;
	int error = 0;

	while (more) {
		error = pthread_mutex_lock(&pot->mutex);
		if (error)
			break;
		more = pot->counter < taking->total;
		pot->counter += more;
		pthread_mutex_unlock(&pot->mutex);
		taking->mine += more;
		work_step(&taking->pace);
	}
	return -error;
}

static int by_spinlock(struct taking *taking)
{
	struct pot *pot = taking->pot;
	bool more = true;

	while (more) {
		/*
		 * Test-and-test-and-set. A waiter yields, so that the lock's holder gets a core
		 * even if there are more workers than cores.
		 */
		for (uint32_t spins = 0;
		     atomic_exchange_explicit(&pot->spin, 1, memory_order_acquire);)
			while (atomic_load_explicit(&pot->spin, memory_order_relaxed))
				if (++spins % SPINS == 0)
					sched_yield();
		more = pot->counter < taking->total;
		pot->counter += more;
		atomic_store_explicit(&pot->spin, 0, memory_order_release);
		taking->mine += more;
		work_step(&taking->pace);
	}
	return 0;
}

static int by_atomic(struct taking *taking)
{
	while (atomic_fetch_add_explicit(&taking->pot->atomic, 1, memory_order_relaxed) <
	       taking->total) {
		taking->mine++;
		work_step(&taking->pace);
	}
	return 0;
}

/*
 * Increments the worker's own counter. Each worker does a fixed part of the total, because there is
 * no shared counter to distribute the work.
 */
static int by_own(struct taking *taking)
{
	while (taking->mine < taking->total) {
		_Atomic uint64_t *const counter = taking->counter;
		uint64_t times = taking->total - taking->mine;

		times = MIN(times, taking->pace.left);
		/* Do not count each increment in `mine`, because that would double the time. */
		for (uint64_t i = 0; i < times; i++)
			atomic_store_explicit(
				counter, atomic_load_explicit(counter, memory_order_relaxed) + 1,
				memory_order_relaxed);
		taking->mine += times;
		taking->pace.left -= times - 1;
		work_step(&taking->pace);
	}
	if (*taking->counter == taking->total)
		return 0;
	return -EILSEQ;
}

/*
 * Increments the shared counter without a lock, as a deliberate data race: between a load and its
 * store, other workers may store, and then their increments are lost. volatile makes the compiler
 * keep each load and store.
 */
__attribute__((no_sanitize("thread"))) static int by_nothing(struct taking *taking)
{
	volatile uint64_t *counter = &taking->pot->plain;

	while (taking->mine < taking->total) {
		const uint64_t seen = *counter;

		*counter = seen + 1;
		taking->mine++;
		work_step(&taking->pace);
	}
	return 0;
}

/*
 * Waits until all workers have arrived, so that workers with a core begin within a µs of one
 * another. After AWAIT, begins without the others.
 */
static void await_others(struct pot *pot, uint32_t peers)
{
	int64_t until = (int64_t)clock_now_ns() + AWAIT;

	atomic_fetch_add(&pot->here, 1);
	for (uint32_t spins = 1; atomic_load(&pot->here) < peers; spins++)
		if (spins % SPINS == 0) {
			if ((int64_t)clock_now_ns() > until)
				return;
			sched_yield();
		}
}

/*
 * Adds the worker's increments. The last worker checks the sum. Returns 0 or -EILSEQ. With
 * COUNTING_PLAIN, the last worker sets *lost to the number of lost increments. With any other way
 * of counting, no increment may be lost or counted twice.
 */
static int check(struct pot *pot, const struct work_args *args, uint64_t mine, uint64_t *lost)
{
	bool locked = args->counting == COUNTING_MUTEX || args->counting == COUNTING_SPINLOCK;

	atomic_fetch_add(&pot->sum, mine);
	if (atomic_fetch_add(&pot->gone, 1) + 1 < args->peers)
		return 0;
	if (locked && pot->counter != args->size)
		return -EILSEQ;
	if (args->counting == COUNTING_PLAIN)
		*lost = args->size - pot->plain;
	if (atomic_load(&pot->sum) == args->size)
		return 0;
	return -EILSEQ;
}

static int run_share(const struct work_args *args, struct work_result *result)
{
	static int (*const ways[])(struct taking *) = {
		[COUNTING_MUTEX] = by_mutex,   [COUNTING_SPINLOCK] = by_spinlock,
		[COUNTING_ATOMIC] = by_atomic, [COUNTING_FALSE] = by_own,
		[COUNTING_LINE] = by_own,      [COUNTING_PLAIN] = by_nothing,
	};
	struct taking taking = {
		args->shared, args->size, 0, NULL, {args->ticker, SHARE_STEPS, SHARE_STEPS}};
	struct work_steps *done = &result->steps;
	int err;

	if (!args->shared || args->counting < COUNTING_MUTEX || args->counting > COUNTING_PLAIN)
		return -EINVAL;
	if (args->counting == COUNTING_LINE)
		taking.counter = &taking.pot->line[args->index].n;
	if (args->counting == COUNTING_FALSE)
		taking.counter = (_Atomic uint64_t *)(void *)taking.pot->line + args->index;
	if (taking.counter || args->counting == COUNTING_PLAIN)
		taking.total = args->size / args->peers + (args->index < args->size % args->peers);
	await_others(taking.pot, args->peers);
	done->begin_ns = clock_now_ns();
	done->used_ns = clock_thread_ns();
	err = ways[args->counting](&taking);
	done->used_ns = clock_thread_ns() - done->used_ns;
	done->end_ns = clock_now_ns();
	result->value = done->n = taking.mine;
	if (err)
		return err;
	return check(taking.pot, args, taking.mine, &done->lost);
}

static size_t shared_bytes_share(const struct work_args *args)
{
	return sizeof(struct pot) + args->peers * sizeof(struct own);
}

static int prepare_share(const struct work_args *args, struct work_result *result)
{
	struct pot *pot = args->shared;
	pthread_mutexattr_t attr;
	int error = pthread_mutexattr_init(&attr);

	if (error)
		return -error;
	error = pthread_mutexattr_setpshared(&attr, args->one_process ? PTHREAD_PROCESS_PRIVATE
								      : PTHREAD_PROCESS_SHARED);
	if (!error)
		error = pthread_mutex_init(&pot->mutex, &attr);
	pthread_mutexattr_destroy(&attr);
	return -error;
}

const struct workload_ops work_share_ops = {
	.about = "count up, in one of six ways (-s via)",
	.amount = "INCREMENTS of all workers together",
	.unit = "increments",
	.default_size = 8000000,
	.ticks = true,
	.shared_bytes = shared_bytes_share,
	.prepare = prepare_share,
	.run = run_share,
};
