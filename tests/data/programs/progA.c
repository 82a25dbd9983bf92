/* SPDX-License-Identifier: MIT */

/* Report 001, program A: a process for each worker. progA cpu|mem|io N */

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker.h"

int main(int argc, char **argv)
{
	int failed = 0, status;

	worker_read(argc, argv);
	for (unsigned i = 0; i < worker_count(); i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(worker_run(i) ? 1 : 0);
		failed |= pid < 0;
	}
	while (wait(&status) > 0)
		failed |= status;
	if (failed)
		fprintf(stderr, "progA: a worker failed\n");
	return failed ? 1 : 0;
}
