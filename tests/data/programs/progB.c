/* SPDX-License-Identifier: MIT */

/* Report 001, program B: a thread for each worker. progB cpu|mem|io N */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include "worker.h"

static void *run_worker(void *number)
{
	return (void *)(intptr_t)worker_run((unsigned)(uintptr_t)number);
}

int main(int argc, char **argv)
{
	pthread_t threads[64];
	unsigned n = 0;
	int failed = 0;
	void *result;

	worker_read(argc, argv);
	while (n < worker_count() &&
	       pthread_create(&threads[n], NULL, run_worker, (void *)(uintptr_t)n) == 0)
		n++;
	failed |= n < worker_count();
	while (n > 0) {
		pthread_join(threads[--n], &result);
		failed |= result != NULL;
	}
	if (failed)
		fprintf(stderr, "progB: a worker failed\n");
	return failed;
}
