/* SPDX-License-Identifier: MIT */
/*
 * The smallest program that writes after a fork. It touches memory in small or huge pages. Then a
 * thread or a child writes a byte to each page of 4 KiB in a part of that memory.
 *
 *   bare_cow threads|processes MIB PERCENT small|huge
 *
 * Prints the writer's CPU time in ns and its page faults, both for each write.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define HUGE (2 << 20)

struct job {
	volatile char *first;
	size_t pages;
};

static double used_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static long faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt;
}

static void *write_pages(void *arg)
{
	const struct job *job = arg;
	long before = faults();
	double ns = used_ns();

	for (size_t i = 0; i < job->pages; i++)
		job->first[i * PAGE] = 2;
	ns = used_ns() - ns;
	printf("%.2f %.4f\n", ns / (double)job->pages,
	       (double)(faults() - before) / (double)job->pages);
	fflush(stdout);
	return NULL;
}

static int as_thread(struct job *job)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, write_pages, job) || pthread_join(thread, NULL);
}

static int as_process(struct job *job)
{
	int status = 1;
	pid_t pid = fork();

	if (pid == 0) {
		write_pages(job);
		_exit(0);
	}
	return pid < 0 || waitpid(pid, &status, 0) != pid || status != 0;
}

int main(int argc, char **argv)
{
	size_t size, percent;
	struct job job;
	char *p;

	if (argc != 5)
		return 2;
	size = strtoul(argv[2], NULL, 10) << 20;
	percent = strtoul(argv[3], NULL, 10);
	p = mmap(NULL, size + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return 1;
	p += (HUGE - (size_t)p % HUGE) % HUGE;
	madvise(p, size, strcmp(argv[4], "huge") == 0 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += PAGE)
		p[i] = 1;
	job = (struct job) {p, size / PAGE * percent / 100};
	return strcmp(argv[1], "threads") == 0 ? as_thread(&job) : as_process(&job);
}
