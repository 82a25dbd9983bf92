/* SPDX-License-Identifier: MIT */
/*
 * The smallest program that counts as `tuibench share` does: two threads or processes increment
 * counters to a total in one of five ways. The reference of the benchmark.
 *
 *   bare_share threads|processes mutex|spinlock|atomic|false|line TOTAL
 *
 * Prints the nanoseconds for each increment, from the first to the last, and the percentage of
 * that time for which the less busy of the two was on a core.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TWO = 2, LINE = 64 };

struct shared {
	_Atomic int here;
	_Alignas(LINE) pthread_mutex_t mutex;
	_Alignas(LINE) atomic_flag held;
	_Alignas(LINE) uint64_t counter;
	_Alignas(LINE) _Atomic uint64_t atomic;
	/* false sharing: counters 0 and 1; a line each: counters 0 and 8 */
	_Alignas(LINE) volatile uint64_t own[2 * LINE / sizeof(uint64_t)];
	struct {
		double begin, end, used;
	} times[TWO];
};

struct counting {
	struct shared *shared;
	const char *way;
	uint64_t total;
	int index;
};

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void by_mutex(struct shared *shared, uint64_t total)
{
	for (uint64_t left = 1; left > 0;) {
		pthread_mutex_lock(&shared->mutex);
		left = total - shared->counter;
		shared->counter += left > 0;
		pthread_mutex_unlock(&shared->mutex);
	}
}

static void by_spinlock(struct shared *shared, uint64_t total)
{
	for (uint64_t left = 1; left > 0;) {
		for (int n = 1;
		     atomic_flag_test_and_set_explicit(&shared->held, memory_order_acquire); n++)
			if (n % 1000 == 0)
				sched_yield();
		left = total - shared->counter;
		shared->counter += left > 0;
		atomic_flag_clear_explicit(&shared->held, memory_order_release);
	}
}

static void by_own(volatile uint64_t *own, uint64_t total)
{
	while (*own < total)
		++*own;
}

static void count(const struct counting *counting)
{
	struct shared *shared = counting->shared;
	const uint64_t half = counting->total / 2;

	if (strcmp(counting->way, "mutex") == 0)
		by_mutex(shared, counting->total);
	else if (strcmp(counting->way, "spinlock") == 0)
		by_spinlock(shared, counting->total);
	else if (strcmp(counting->way, "false") == 0)
		by_own(&shared->own[counting->index], half);
	else if (strcmp(counting->way, "line") == 0)
		by_own(&shared->own[counting->index * 8], half);
	else
		while (atomic_fetch_add(&shared->atomic, 1) < counting->total)
			;
}

static void *run(void *arg)
{
	const struct counting *counting = arg;
	struct shared *shared = counting->shared;
	double used;

	atomic_fetch_add(&shared->here, 1);
	while (atomic_load(&shared->here) < TWO)
		sched_yield();
	shared->times[counting->index].begin = seconds(CLOCK_MONOTONIC);
	used = seconds(CLOCK_THREAD_CPUTIME_ID);
	count(counting);
	shared->times[counting->index].used = seconds(CLOCK_THREAD_CPUTIME_ID) - used;
	shared->times[counting->index].end = seconds(CLOCK_MONOTONIC);
	return NULL;
}

static void as_threads(struct counting *each)
{
	pthread_t threads[TWO];

	for (int i = 0; i < TWO; i++)
		if (pthread_create(&threads[i], NULL, run, &each[i]))
			exit(1);
	for (int i = 0; i < TWO; i++)
		pthread_join(threads[i], NULL);
}

static void as_processes(struct counting *each)
{
	for (int i = 0; i < TWO; i++)
		if (fork() == 0) {
			run(&each[i]);
			_exit(0);
		}
	for (int i = 0; i < TWO; i++)
		wait(NULL);
}

static struct shared *share(void)
{
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	pthread_mutexattr_t attr;

	if (shared == MAP_FAILED)
		exit(1);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&shared->mutex, &attr);
	return shared;
}

int main(int argc, char **argv)
{
	struct shared *shared = share();
	struct counting each[TWO];
	double begin, end, used;

	if (argc != 4)
		return 2;
	for (int i = 0; i < TWO; i++)
		each[i] = (struct counting) {shared, argv[2], strtoull(argv[3], NULL, 10), i};
	if (strcmp(argv[1], "threads") == 0)
		as_threads(each);
	else
		as_processes(each);
	begin = shared->times[0].begin < shared->times[1].begin ? shared->times[0].begin
								: shared->times[1].begin;
	end = shared->times[0].end > shared->times[1].end ? shared->times[0].end
							  : shared->times[1].end;
	used = shared->times[0].used < shared->times[1].used ? shared->times[0].used
							     : shared->times[1].used;
	printf("%.3f %.1f\n", (end - begin) * 1e9 / strtod(argv[3], NULL),
	       100 * used / (end - begin));
	return 0;
}
