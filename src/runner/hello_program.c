/* SPDX-License-Identifier: MIT */
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "core/hello_program.h"
#include "work/workload.h"

/* Writes a report. The report is so small that a pipe takes either all of it or nothing. */
static int write_whole(int fd, const void *data, size_t size)
{
	if (write(fd, data, size) == (ssize_t)size)
		return EXIT_SUCCESS;
	return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	struct hello_report report = {.start_ns = clock_now_ns()};
	struct rusage usage;

	if (argc != 2)
		return write_whole(STDOUT_FILENO, WORK_HELLO_LINE, sizeof(WORK_HELLO_LINE) - 1);
	report.cpu = sched_getcpu();
	report.pid = getpid();
	report.finish_ns = clock_now_ns();
	getrusage(RUSAGE_SELF, &usage);
	clock_usage_add(&report.usage, &usage);
	return write_whole(atoi(argv[1]), &report, sizeof(report));
}
