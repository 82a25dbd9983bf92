/* SPDX-License-Identifier: MIT */
/*
 * The smallest program that does the work of `tuibench`: it creates and joins cpu and io workers
 * as threads or processes, and measures only the whole time. The reference of the benchmarks.
 *
 *   bare_mixed threads|processes CPU IO CPU-SIZE IO-SIZE IO-FILE
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
#include "work/workload.h"

struct job {
	const struct workload_ops *ops;
	struct work_args args;
};

static void *run_job(void *arg)
{
	struct job *job = arg;
	struct work_result result;

	return (void *)(long)job->ops->run(&job->args, &result);
}

static int as_threads(struct job *jobs, int n)
{
	pthread_t *threads = malloc(sizeof(*threads) * (size_t)n);
	int failed = 0;
	void *ret;

	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, run_job, &jobs[i]);
	for (int i = n - 1; i >= 0; i--) {
		pthread_join(threads[i], &ret);
		failed |= ret != NULL;
	}
	free(threads);
	return failed;
}

static int as_processes(struct job *jobs, int n)
{
	pid_t *pids = malloc(sizeof(*pids) * (size_t)n);
	int failed = 0, status;

	for (int i = 0; i < n; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			_exit(run_job(&jobs[i]) != NULL);
	}
	for (int i = n - 1; i >= 0; i--) {
		waitpid(pids[i], &status, 0);
		failed |= status != 0;
	}
	free(pids);
	return failed;
}

static void warm(const char *path)
{
	char buf[65536];
	FILE *file = fopen(path, "r");

	while (file && fread(buf, 1, sizeof(buf), file) > 0)
		;
	if (file)
		fclose(file);
}

int main(int argc, char **argv)
{
	struct job *jobs;
	uint64_t begin;
	int cpu, n, failed;

	if (argc != 7)
		return 2;
	cpu = atoi(argv[2]);
	n = cpu + atoi(argv[3]);
	jobs = calloc((size_t)n, sizeof(*jobs));
	for (int i = 0; i < n; i++) {
		jobs[i].ops = workload_get(i < cpu ? WORK_CPU : WORK_IO);
		jobs[i].args.size = strtoull(argv[i < cpu ? 4 : 5], NULL, 10);
		jobs[i].args.io_path = argv[6];
		jobs[i].args.tmp_dir = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
	}
	if (n > cpu)
		warm(argv[6]);
	begin = clock_now_ns();
	failed = strcmp(argv[1], "threads") == 0 ? as_threads(jobs, n) : as_processes(jobs, n);
	printf("%.3f\n", (double)(clock_now_ns() - begin) / 1e6);
	free(jobs);
	return failed;
}
