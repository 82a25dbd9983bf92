/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The parts that the workloads with files share. */

/* A number that follows on the state's: xorshift64* (Vigna 2016), the same in every run. */
static inline uint64_t work_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1du;
}

/* The directory for temporary files: TMPDIR, or /tmp. */
const char *work_file_dir(void);

/* Reads size bytes unless the file ends before; how many, or -errno. */
ssize_t work_file_read(int fd, void *buf, size_t size);
/* Writes all of it; 0 or -errno. */
int work_file_write(int fd, const void *buf, size_t size);
/*
 * A file without a name in the directory, to write and to read: even after SIGKILL nothing stays
 * behind. Its descriptor, close-on-exec, or -errno.
 */
int work_file_unnamed(const char *dir);
/* The same with a name, stored in path. The caller removes the file. */
int work_file_named(const char *dir, char *path, size_t size);
/*
 * The file that a worker writes: a new file of its own, or the one file of all workers, opened
 * again so that each has its own position. Returns a descriptor or -errno.
 */
int work_file_own(const char *dir, int one_file);

/* A file's first bytes, with a NUL; "" where it cannot be read. Returns how many. */
size_t work_file_text(const char *path, char *text, size_t size);
/* The number behind a name where a line begins with it; UINT64_MAX: none does. */
uint64_t work_file_number(const char *text, const char *name);
/*
 * A line of the calling process' /proc/self/smaps_rollup, "AnonHugePages:", in KiB; UINT64_MAX
 * where the kernel does not say. *told grows by the bytes read.
 */
uint64_t work_smaps_kb(const char *name, uint64_t *told);
/* PSS of a process in KiB, without the memory that it shares with others (shmem). The same else. */
uint64_t work_smaps_pss_kb(pid_t pid, uint64_t *told);
