/* SPDX-License-Identifier: MIT */
#include "base/mark.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"

uint64_t mark_number(void)
{
	uint64_t number;

	/*
	 * Early after boot, or in a sandbox, the kernel may have no random number. In that case use
	 * the time and the PID.
	 */
	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number))
		number = clock_now_ns() ^ (uint64_t)getpid() << 40;
	return number;
}

void mark_make(char mark[MARK_SIZE])
{
	snprintf(mark, MARK_SIZE, MARK "%016" PRIx64, mark_number());
}

bool mark_found(pid_t pid, const char *mark)
{
	const size_t length = strlen(mark);
	char path[32], text[16384];
	size_t kept = 0;
	bool found = false;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	do {
		n = read(fd, text + kept, sizeof(text) - kept);
		if (n <= 0)
			continue;
		found = memmem(text, kept + (size_t)n, mark, length) != NULL;
		/* The mark may be split between two reads, so keep the end of the first one. */
		n += (ssize_t)kept;
		if ((size_t)n < length)
			kept = (size_t)n;
		else
			kept = length - 1;
		memmove(text, text + (size_t)n - kept, kept);
	} while (!found && (n > 0 || (n < 0 && errno == EINTR)));
	close(fd);
	return found;
}
