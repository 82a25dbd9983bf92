/* SPDX-License-Identifier: MIT */
#include "work/connection.h"

#include <errno.h>
#include <sys/param.h>
#include <sys/socket.h>
#include <unistd.h>

/* Largest number of bytes that one recv(2) receives. */
#define CONNECTION_CHUNK 16384

int connection_accept(int listener, int flags)
{
	int fd;

	do {
		fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | flags);
	} while (fd < 0 && (errno == EINTR || errno == ECONNABORTED));
	if (fd >= 0)
		return fd;
	if (errno == EINVAL)
		return -ESHUTDOWN;
	return -errno;
}

/*
 * Adds the result n of recv(2) or send(2) to *done. Returns 1 to continue, otherwise the result of
 * connection_receive().
 */
static int add_bytes(ssize_t n, uint64_t *done)
{
	if (n > 0)
		*done += (uint64_t)n;
	if (n > 0 || (n < 0 && errno == EINTR))
		return 1;
	if (n == 0)
		return -EPIPE;
	if (errno == EAGAIN)
		return 0;
	return -errno;
}

int connection_receive(int fd, char first, uint64_t size, uint64_t *done)
{
	char chunk[CONNECTION_CHUNK];
	int more = 1;

	while (more == 1 && *done < size) {
		const ssize_t n = recv(fd, chunk, MIN(size - *done, sizeof(chunk)), 0);

		if (n > 0 && *done == 0 && chunk[0] != first)
			return -EILSEQ;
		more = add_bytes(n, done);
	}
	if (more == 1)
		*done = 0;
	return more;
}

int connection_send(int fd, const char *message, uint64_t size, uint64_t *done)
{
	int more = 1;

	while (more == 1 && *done < size)
		more = add_bytes(send(fd, message + *done, size - *done, MSG_NOSIGNAL), done);
	if (more == 1)
		*done = 0;
	return more;
}
