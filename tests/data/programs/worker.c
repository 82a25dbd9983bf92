/* SPDX-License-Identifier: MIT */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TERMS = 12000000, ARRAY_BYTES = 8 << 20, ROUNDS = 20, LINE = 64 };
enum { FILE_BLOCKS = 64, BLOCK = 4096 };

static enum { WORK_CPU, WORK_MEM, WORK_IO } kind;
static unsigned workers;

void worker_read(int argc, char **argv)
{
	static const char *const names[] = {"cpu", "mem", "io"};
	char *end = NULL;
	size_t i = 0;
	long n = argc == 3 ? strtol(argv[2], &end, 10) : 0;

	while (argc == 3 && i < 3 && strcmp(argv[1], names[i]) != 0)
		i++;
	if (argc != 3 || i == 3 || *end || n < 1 || n > 64) {
		fprintf(stderr, "%s: \"%s\": use cpu, mem or io and 1 to 64 workers\n", argv[0],
			argc > 1 ? argv[argc - 1] : "");
		exit(2);
	}
	kind = i == 0 ? WORK_CPU : i == 1 ? WORK_MEM : WORK_IO;
	workers = (unsigned)n;
}

unsigned worker_count(void)
{
	return workers;
}

/* Leibniz's series for pi. */
static int work_cpu(void)
{
	double sum = 0;

	for (int i = 0; i < TERMS; i++)
		sum += (i % 2 ? -1.0 : 1.0) / (2 * i + 1);
	return sum > 0.78 && sum < 0.79 ? 0 : -EDOM;
}

/* An own array, each cache line of it in an order that cannot be fetched ahead. */
static int work_mem(void)
{
	volatile unsigned char *array = malloc(ARRAY_BYTES);
	uint32_t at = 1;
	unsigned sum = 0;

	if (!array)
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_BYTES; i += LINE)
		array[i] = 1;
	for (int i = 0; i < ROUNDS * ARRAY_BYTES / LINE / 16; i++) {
		at = at * 1664525u + 1013904223u;
		sum += array[at % (ARRAY_BYTES / LINE) * LINE];
	}
	free((void *)array);
	return sum > 0 ? 0 : -EDOM;
}

/* An own file, which has no name once it is open. */
static int work_io(unsigned number)
{
	char name[64], block[BLOCK], again[BLOCK];
	int fd, err = 0;

	snprintf(name, sizeof(name), "/tmp/tuibench-worker-%d-%u", (int)getpid(), number);
	fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	unlink(name);
	memset(block, 'a' + (int)(number % 26), sizeof(block));
	for (int i = 0; i < FILE_BLOCKS && !err; i++)
		if (pwrite(fd, block, BLOCK, (off_t)i * BLOCK) != BLOCK)
			err = -EIO;
	if (!err && fsync(fd))
		err = -errno;
	for (int i = 0; i < FILE_BLOCKS && !err; i++)
		if (pread(fd, again, BLOCK, (off_t)i * BLOCK) != BLOCK ||
		    memcmp(block, again, BLOCK) != 0)
			err = -EIO;
	close(fd);
	return err;
}

int worker_run(unsigned number)
{
	if (kind == WORK_CPU)
		return work_cpu();
	return kind == WORK_MEM ? work_mem() : work_io(number);
}
