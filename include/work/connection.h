/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/* Connections between a server and its clients. */

/*
 * Accepts a connection, with the flags of accept4(2). Returns its descriptor; -EAGAIN if no
 * connection waits and the listener does not block; -ESHUTDOWN if the listener was shut down
 * because the clients are done; -errno.
 */
int connection_accept(int listener, int flags);

/*
 * Continues to receive, or to send, a message of that size. Received bytes are discarded; only the
 * first one is checked. *done is the number of the message's bytes so far, and 0 after its end.
 * Returns 1 at the end of the message; 0 if the connection does not block and has to wait; -EPIPE
 * if the other side has closed the connection; -EILSEQ if the message does not begin with `first`;
 * -errno.
 */
int connection_receive(int fd, char first, uint64_t size, uint64_t *done);
int connection_send(int fd, const char *message, uint64_t size, uint64_t *done);
