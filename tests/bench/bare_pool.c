/* SPDX-License-Identifier: MIT */
/*
 * The smallest program that does tasks as `tuibench pool` does. Two threads (pool) or processes
 * (prefork) take one task after the other, or a thread or process is created for each task, with at
 * most two at once. The reference of the benchmark.
 *
 *   bare_pool pool|threads|prefork|processes TASKS TERMS
 *
 * Prints three numbers: the time from the first creation to the last join in ns, divided by the
 * number of tasks; the CPU time, divided in the same way; the number of tasks.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TWO = 2 };

struct shared {
	_Atomic uint32_t next, done;
	uint32_t tasks;
	uint64_t terms;
	double sum;
	sem_t ended;
};

struct each {
	struct shared *shared;
	pthread_t thread;
	_Atomic int over;
	int used;
};

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double cpu_seconds(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Leibniz' series for pi. */
static void work(struct shared *shared)
{
	double sum = 0, sign = 1;

	for (uint64_t i = 0; i < shared->terms; i++) {
		sum += sign / (double)(2 * i + 1);
		sign = -sign;
	}
	shared->sum = sum;
	atomic_fetch_add(&shared->done, 1);
}

static void *serve(void *arg)
{
	struct shared *shared = arg;

	while (atomic_fetch_add(&shared->next, 1) < shared->tasks)
		work(shared);
	return NULL;
}

static void *serve_one(void *arg)
{
	struct each *each = arg;
	struct shared *shared = each->shared;

	work(shared);
	atomic_store(&each->over, 1);
	sem_post(&shared->ended);
	return NULL;
}

static void in_pool(struct shared *shared)
{
	pthread_t threads[TWO];

	for (int i = 0; i < TWO; i++)
		if (pthread_create(&threads[i], NULL, serve, shared))
			exit(1);
	for (int i = 0; i < TWO; i++)
		pthread_join(threads[i], NULL);
}

static void start_process(struct shared *shared, int all)
{
	pid_t pid = fork();

	if (pid < 0)
		exit(1);
	if (pid > 0)
		return;
	if (all)
		serve(shared);
	else
		work(shared);
	_exit(0);
}

static void in_prefork(struct shared *shared)
{
	for (int i = 0; i < TWO; i++)
		start_process(shared, 1);
	for (int i = 0; i < TWO; i++)
		wait(NULL);
}

static void by_processes(struct shared *shared)
{
	for (uint32_t i = 0; i < shared->tasks; i++) {
		if (i >= TWO)
			wait(NULL);
		start_process(shared, 0);
	}
	while (wait(NULL) > 0)
		;
}

static void join_any(struct each *each, struct shared *shared)
{
	sem_wait(&shared->ended);
	for (int i = 0; i < TWO; i++) {
		if (!each[i].used || !atomic_load(&each[i].over))
			continue;
		pthread_join(each[i].thread, NULL);
		each[i].used = 0;
		return;
	}
}

static void by_threads(struct shared *shared)
{
	struct each each[TWO] = {{.shared = shared}, {.shared = shared}};

	for (uint32_t i = 0; i < shared->tasks; i++) {
		struct each *next;

		if (i >= TWO)
			join_any(each, shared);
		next = each[0].used ? &each[1] : &each[0];
		next->used = 1;
		atomic_store(&next->over, 0);
		if (pthread_create(&next->thread, NULL, serve_one, next))
			exit(1);
	}
	for (int i = 0; i < TWO && (uint32_t)i < shared->tasks; i++)
		join_any(each, shared);
}

int main(int argc, char **argv)
{
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double begin, cpu;

	if (argc != 4 || shared == MAP_FAILED || sem_init(&shared->ended, 0, 0))
		return 1;
	shared->tasks = (uint32_t)atol(argv[2]);
	shared->terms = (uint64_t)atoll(argv[3]);
	begin = seconds();
	cpu = cpu_seconds(RUSAGE_SELF);
	if (strcmp(argv[1], "pool") == 0)
		in_pool(shared);
	else if (strcmp(argv[1], "threads") == 0)
		by_threads(shared);
	else if (strcmp(argv[1], "prefork") == 0)
		in_prefork(shared);
	else
		by_processes(shared);
	begin = seconds() - begin;
	cpu = cpu_seconds(RUSAGE_SELF) - cpu + cpu_seconds(RUSAGE_CHILDREN);
	printf("%.1f %.1f %u\n", 1e9 * begin / shared->tasks, 1e9 * cpu / shared->tasks,
	       atomic_load(&shared->done));
	return 0;
}
