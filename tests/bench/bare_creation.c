/* SPDX-License-Identifier: MIT */
/*
 * The smallest program that times fork(2) or pthread_create(3) as `tuibench creation` does on one
 * core: it reads the clock before the call, after its return, at the task's first instruction and
 * after the join. The reference of the benchmarks.
 *
 *   bare_creation fork|pthread_create CPU N
 *
 * Prints the medians in ns: until the call returns, until the task begins, until it is joined.
 * The first creation does not count.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum { SPANS = 3 };

/* Shared with the children, so that a fork does not copy it; like the scoreboard. */
static uint64_t *started;

static void *run_thread(void *arg)
{
	*started = clock_now_ns();
	return NULL;
}

static void create_process(uint64_t *created)
{
	pid_t pid = fork();

	if (pid == 0) {
		*started = clock_now_ns();
		_exit(0);
	}
	*created = clock_now_ns();
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		abort();
}

static void create_thread(uint64_t *created)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run_thread, NULL) != 0)
		abort();
	*created = clock_now_ns();
	pthread_join(thread, NULL);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Measures n + 1 creations, and leaves out the first. */
static void measure(void (*create)(uint64_t *), size_t n, uint64_t *spans[SPANS])
{
	for (size_t i = 0; i <= n; i++) {
		uint64_t begin = clock_now_ns(), created, joined;

		create(&created);
		joined = clock_now_ns();
		if (i == 0)
			continue;
		spans[0][i - 1] = created - begin;
		spans[1][i - 1] = *started - begin;
		spans[2][i - 1] = joined - begin;
	}
}

int main(int argc, char **argv)
{
	size_t n = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;
	uint64_t *spans[SPANS];
	cpu_set_t set;

	if (n == 0)
		return 2;
	CPU_ZERO(&set);
	CPU_SET(strtoul(argv[2], NULL, 10), &set);
	started = mmap(NULL, (1 + SPANS * n) * sizeof(*started), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (started == MAP_FAILED || sched_setaffinity(0, sizeof(set), &set))
		return 1;
	for (size_t i = 0; i < SPANS; i++)
		spans[i] = started + 1 + i * n;
	measure(strcmp(argv[1], "fork") == 0 ? create_process : create_thread, n, spans);
	for (int i = 0; i < SPANS; i++) {
		qsort(spans[i], n, sizeof(**spans), compare);
		printf("%llu%s", (unsigned long long)spans[i][n / 2], i + 1 < SPANS ? " " : "\n");
	}
	return 0;
}
