/* SPDX-License-Identifier: MIT */
/*
 * locked threads|processes N MILLIONS: N tasks compute MILLIONS of steps each. Threads do so under
 * one mutex, process i ends with status i.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIECES = 100 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long steps;

static void compute(long n)
{
	volatile long sum = 0;

	for (long i = 0; i < n; i++)
		sum += i;
}

static void *run_thread(void *arg)
{
	for (int i = 0; i < PIECES; i++) {
		pthread_mutex_lock(&mutex);
		compute(steps / PIECES);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(int argc, char *argv[])
{
	int n = argc == 4 ? atoi(argv[2]) : 0;
	pthread_t threads[64];

	if (n < 1 || n > 64)
		return 2;
	steps = atol(argv[3]) * 1000000;
	if (strcmp(argv[1], "threads") == 0) {
		for (int i = 0; i < n; i++)
			if (pthread_create(&threads[i], NULL, run_thread, NULL))
				return 1;
		for (int i = 0; i < n; i++)
			pthread_join(threads[i], NULL);
		return 0;
	}
	for (int i = 0; i < n; i++)
		if (fork() == 0) {
			compute(steps);
			_exit(i);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
