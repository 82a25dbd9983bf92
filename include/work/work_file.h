/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Functions that several workloads share, most of them for files. */

/*
 * The next pseudo-random number: xorshift64* (Vigna 2016). The sequence is the same in every run.
 */
static inline uint64_t work_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1du;
}

/* The directory for temporary files: TMPDIR, or /tmp. */
const char *work_file_dir(void);

/* Reads size bytes, or fewer if the file ends first. Returns the number of bytes, or -errno. */
ssize_t work_file_read(int fd, void *buf, size_t size);
/* Writes all bytes. Returns 0 or -errno. */
int work_file_write(int fd, const void *buf, size_t size);
/*
 * Makes an unnamed file in the directory, for writing and reading. If the file system can, the file
 * is made without a name, so not even a SIGKILL leaves it behind. Returns its descriptor
 * (close-on-exec), or -errno.
 */
int work_file_unnamed(const char *dir);
/*
 * Makes a file with a name in the directory, for writing and reading, and stores its path. The
 * caller removes the file. Returns its descriptor or -errno.
 */
int work_file_named(const char *dir, char *path, size_t size);
/*
 * Opens the file that a worker writes. With one_file, that is the file of all workers, opened again
 * so that each worker has its own position; otherwise a new file. Returns a descriptor or -errno.
 */
int work_file_own(const char *dir, int one_file);

/* Reads the beginning of a file as a string; "" if it cannot be read. Returns its length. */
size_t work_file_text(const char *path, char *text, size_t size);
/* The number after `name` in the first line that begins with `name`; UINT64_MAX if no line does. */
uint64_t work_file_number(const char *text, const char *name);
/*
 * The value of a line such as "AnonHugePages:" in the calling process's /proc/self/smaps_rollup,
 * KiB; UINT64_MAX if the kernel does not provide it. Adds the number of bytes read to
 * *report_bytes.
 */
uint64_t work_smaps_kb(const char *name, uint64_t *report_bytes);
/*
 * PSS of a process in KiB, without its shared memory (shmem) from Linux 5.4 on; UINT64_MAX if
 * unknown. Adds the number of bytes read to *report_bytes.
 */
uint64_t work_smaps_pss_kb(pid_t pid, uint64_t *report_bytes);
