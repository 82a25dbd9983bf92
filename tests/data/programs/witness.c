/* SPDX-License-Identifier: MIT */

/*
 * As time(1), to the microsecond and into a file that must be new: witness FILE PROGRAM ARGS. A
 * line of elapsed and CPU time in ms, minor and major faults, voluntary and involuntary switches.
 */

#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double milliseconds(const struct timeval *time)
{
	return (double)time->tv_sec * 1e3 + (double)time->tv_usec / 1e3;
}

int main(int argc, char **argv)
{
	FILE *file = argc > 2 ? fopen(argv[1], "wxe") : NULL;
	struct timespec begin, end;
	struct rusage usage;
	int status;
	pid_t pid;

	if (!file) {
		fprintf(stderr, "witness: cannot write a new file\n");
		return 2;
	}
	clock_gettime(CLOCK_MONOTONIC, &begin);
	pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return 1;
	clock_gettime(CLOCK_MONOTONIC, &end);
	fprintf(file, "%.3f %.3f %ld %ld %ld %ld\n",
		(double)(end.tv_sec - begin.tv_sec) * 1e3 +
			(double)(end.tv_nsec - begin.tv_nsec) / 1e6,
		milliseconds(&usage.ru_utime) + milliseconds(&usage.ru_stime), usage.ru_minflt,
		usage.ru_majflt, usage.ru_nvcsw, usage.ru_nivcsw);
	return fclose(file) || !WIFEXITED(status) ? 1 : WEXITSTATUS(status);
}
