/* SPDX-License-Identifier: MIT */

/*
 * Report 003: a tree of tasks that create their children and join them, backwards. tree
 * threads|processes 20x3x82
 */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned fanout[8], levels;
static int failed;

static void grow(unsigned level);

static void *run_thread(void *level)
{
	grow((unsigned)(uintptr_t)level);
	return NULL;
}

static void grow_threads(unsigned level)
{
	pthread_t *threads = calloc(fanout[level], sizeof(*threads));
	unsigned n = 0;

	while (threads && n < fanout[level] &&
	       pthread_create(&threads[n], NULL, run_thread, (void *)(uintptr_t)(level + 1)) == 0)
		n++;
	if (n < fanout[level])
		failed = 1;
	while (n > 0)
		pthread_join(threads[--n], NULL);
	free(threads);
}

static void grow_processes(unsigned level)
{
	int status;

	for (unsigned i = 0; i < fanout[level]; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			failed = 0;
			grow(level + 1);
			_exit(failed);
		}
		failed |= pid < 0;
	}
	while (wait(&status) > 0)
		failed |= status != 0;
}

static int processes;

static void grow(unsigned level)
{
	if (level == levels)
		return;
	if (processes)
		grow_processes(level);
	else
		grow_threads(level);
}

int main(int argc, char **argv)
{
	char *at = argc == 3 ? argv[2] : "";

	processes = argc == 3 && strcmp(argv[1], "processes") == 0;
	while (*at && levels < 8) {
		fanout[levels] = (unsigned)strtoul(at, &at, 10);
		if (fanout[levels++] == 0 || (*at && *at++ != 'x'))
			levels = 9;
	}
	if (levels == 0 || levels > 8 || (!processes && strcmp(argv[1], "threads") != 0)) {
		fprintf(stderr, "%s: use threads or processes and a tree such as 20x3x82\n",
			argv[0]);
		return 2;
	}
	grow(0);
	return failed;
}
