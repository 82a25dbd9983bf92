/* SPDX-License-Identifier: MIT */
#include "work/work_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

const char *work_file_dir(void)
{
	const char *dir = getenv("TMPDIR");

	if (dir && *dir)
		return dir;
	return "/tmp";
}

ssize_t work_file_read(int fd, void *buf, size_t size)
{
	size_t done = 0;
	ssize_t n;

	while (done < size) {
		n = read(fd, (char *)buf + done, size - done);
		if (n == 0)
			break;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			done += (size_t)n;
	}
	return (ssize_t)done;
}

int work_file_write(int fd, const void *buf, size_t size)
{
	const char *p = buf;
	ssize_t n;

	while (size > 0) {
		n = write(fd, p, size);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			p += n;
			size -= (size_t)n;
		}
	}
	return 0;
}

int work_file_named(const char *dir, char *path, size_t size)
{
	int fd = -1, length = snprintf(path, size, "%s/tuibench-XXXXXX", dir);

	errno = ENAMETOOLONG;
	if (length >= 0 && (size_t)length < size)
		fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return fd;
}

/*
 * Makes an unnamed file. If the file system cannot do that (EOPNOTSUPP; EISDIR from kernels that do
 * not know the flag), makes a named file and removes its name at once.
 */
int work_file_unnamed(const char *dir)
{
	char path[4096 + 32];
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);

	if (fd >= 0)
		return fd;
	if (errno != EOPNOTSUPP && errno != EISDIR)
		return -errno;
	fd = work_file_named(dir, path, sizeof(path));
	if (fd >= 0)
		unlink(path);
	return fd;
}

int work_file_own(const char *dir, int one_file)
{
	char path[32];
	int fd;

	if (one_file <= 0)
		return work_file_unnamed(dir);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", one_file);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return fd;
}

/* Does not use stdio, because its buffer would count as the model's memory. */
size_t work_file_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 0;

	if (fd >= 0) {
		n = read(fd, text, size - 1);
		close(fd);
	}
	text[MAX(n, 0)] = '\0';
	if (n > 0)
		return (size_t)n;
	return 0;
}

uint64_t work_file_number(const char *text, const char *name)
{
	const size_t length = strlen(name);

	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (strncmp(text, name, length) == 0)
			return strtoull(text + length, NULL, 10);
	}
	return UINT64_MAX;
}

uint64_t work_smaps_pss_kb(pid_t pid, uint64_t *report_bytes)
{
	char path[64], text[2048];
	uint64_t pss_kb, shmem_kb;

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
	*report_bytes += work_file_text(path, text, sizeof(text));
	pss_kb = work_file_number(text, "Pss:");
	/* Kernels before 5.4 do not report this line. */
	shmem_kb = work_file_number(text, "Pss_Shmem:");
	if (pss_kb == UINT64_MAX || shmem_kb == UINT64_MAX)
		return pss_kb;
	return pss_kb - shmem_kb;
}

uint64_t work_smaps_kb(const char *name, uint64_t *report_bytes)
{
	char text[2048];

	*report_bytes += work_file_text("/proc/self/smaps_rollup", text, sizeof(text));
	return work_file_number(text, name);
}
