/* SPDX-License-Identifier: MIT */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/*
 * Longest wait of a write, ms, after a signal that ends the program. Bytes that the reader has not
 * taken by then are lost, except on the terminal: see screen/screen.h.
 */
enum { PATIENCE_LAST_MS = 20 };

/*
 * Writes to a descriptor that may block for long: a pipe that nobody reads, or a terminal after
 * Ctrl-S. The signals that end the program are blocked for a signalfd, so they would not interrupt
 * a write(2); they do interrupt these functions.
 */
struct patience {
	sigset_t ends;	 /* Blocked signals. Each of these ends the wait and stays pending. */
	int64_t most_ms; /* Longest time without progress; -1: no limit. */
};

/* SIGTERM, SIGINT, SIGHUP, SIGQUIT. */
sigset_t patience_ends(void);
/*
 * Writes all bytes. Returns 0; -ETIMEDOUT if nothing was written for most_ms; -EINTR if a signal
 * ended the wait; -errno otherwise. A pending SIGTSTP stops the program during a wait even if it is
 * blocked. Uses SIGALRM and the timer ITIMER_REAL, so only one thread may call it.
 */
int patience_write(const struct patience *patience, int fd, const void *bytes, size_t n);
/*
 * A limit on long computations, such as drawing a frame. If a signal that ends the program is
 * blocked and has been pending for about 60 ms, a signal handler calls last() with that signal.
 * last() must end the program. Uses SIGVTALRM, so patience_write() may be called meanwhile.
 */
struct patience_limit {
	void (*last)(void *arg, int number);
	void *arg;
	timer_t timer;
	bool armed; /* False: the timer could not be made, so the computation has no limit. */
	int looks;  /* Number of checks so far that found a signal pending. */
};

void patience_limit_begin(struct patience_limit *limit, void (*last)(void *arg, int number),
			  void *arg);
void patience_limit_end(struct patience_limit *limit);
/* Whether the error says that the write was given up: -ETIMEDOUT or -EINTR, but not -EPIPE. */
bool patience_unread(int err);
/*
 * A stream that writes with patience_write(). Closing it leaves fd open. After the limit has passed
 * or a signal has ended a write, the stream discards everything that follows. PATIENCE_LINES is
 * line buffered. PATIENCE_RESULT is fully buffered, and its next write fails with EINTR if a signal
 * is already pending. Returns NULL and sets errno on error.
 */
enum patience_stream { PATIENCE_LINES, PATIENCE_RESULT };
FILE *patience_stream(const struct patience *patience, int fd, enum patience_stream kind);
