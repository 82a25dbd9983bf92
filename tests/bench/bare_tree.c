/* SPDX-License-Identifier: MIT */
/*
 * The smallest program that makes the tree of `tuibench --tree AxBxC`: each task creates all its
 * children and joins them backwards, as in the report that --tree reproduces. The reference of the
 * benchmarks.
 *
 *   bare_tree threads|processes AxBxC
 *
 * Prints the milliseconds from before the first create to after the last join.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

#define MAX_LEVELS 16

static int fanout[MAX_LEVELS + 1]; /* ends with 0 */

static void grow_threads(int level);
static void grow_processes(int level);

static void *run_thread(void *arg)
{
	grow_threads((int)(long)arg);
	return NULL;
}

static void grow_threads(int level)
{
	int n = fanout[level];
	pthread_t *threads = n ? malloc(sizeof(*threads) * (size_t)n) : NULL;

	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, run_thread, (void *)(long)(level + 1)) != 0)
			abort();
	for (int i = n - 1; i >= 0; i--)
		pthread_join(threads[i], NULL);
	free(threads);
}

static void grow_processes(int level)
{
	int n = fanout[level];
	pid_t *pids = n ? malloc(sizeof(*pids) * (size_t)n) : NULL;

	for (int i = 0; i < n; i++) {
		pids[i] = fork();
		if (pids[i] < 0)
			abort();
		if (pids[i] == 0) {
			grow_processes(level + 1);
			_exit(0);
		}
	}
	for (int i = n - 1; i >= 0; i--)
		waitpid(pids[i], NULL, 0);
	free(pids);
}

int main(int argc, char **argv)
{
	uint64_t begin;
	int n = 0;

	if (argc != 3)
		return 2;
	for (char *p = strtok(argv[2], "x"); p && n < MAX_LEVELS; p = strtok(NULL, "x"))
		fanout[n++] = atoi(p);
	begin = clock_now_ns();
	if (strcmp(argv[1], "threads") == 0)
		grow_threads(0);
	else
		grow_processes(0);
	printf("%.3f\n", (double)(clock_now_ns() - begin) / 1e6);
	return 0;
}
