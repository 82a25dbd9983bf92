/* SPDX-License-Identifier: MIT */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* Wait after a signal that ends the program. Bytes not taken by then are lost, or the guard's. */
enum { PATIENCE_LAST_MS = 20 };

/*
 * Writing to what may take nothing for long: a pipe that nobody reads, a terminal after Ctrl-S. A
 * signal that is blocked for a signalfd does not end a write(2) that waits; patience does.
 */
struct patience {
	sigset_t ends;	 /* blocked signals: each ends the wait, and stays pending */
	int64_t most_ms; /* without getting on; -1: no limit */
};

/* SIGTERM, SIGINT, SIGHUP, SIGQUIT. */
sigset_t patience_ends(void);
/*
 * Writes all. 0; -ETIMEDOUT: the patience ran out before; -EINTR: a signal ended it; -errno. A
 * SIGTSTP that is blocked stops the program here too. Uses SIGALRM and the timer ITIMER_REAL; one
 * thread only.
 */
int patience_write(const struct patience *patience, int fd, const void *bytes, size_t n);
/*
 * While something is computed that may take long, as a frame: once a signal that ends the program
 * has been blocked and pending for about 60 ms, last() is called with it, in a signal handler. It
 * ends the program. Uses SIGVTALRM; patience_write() may be called meanwhile.
 */
struct patience_limit {
	void (*last)(void *arg, int number);
	void *arg;
	timer_t timer;
	bool armed; /* false: there is no timer, and the wait has no limit */
	int looks;  /* with a signal pending */
};

void patience_limit_begin(struct patience_limit *limit, void (*last)(void *arg, int number),
			  void *arg);
void patience_limit_end(struct patience_limit *limit);
/* Whether the error only means that nobody reads. */
bool patience_unread(int err);
/*
 * A stream that writes so and leaves fd open when it is closed. Once the patience ran out all that
 * follows is swallowed. It is buffered by the line; one of a result is not, and a signal that is
 * pending when more of it is to be written ends it with EINTR. NULL with errno.
 */
enum patience_stream { PATIENCE_LINES, PATIENCE_RESULT };
FILE *patience_stream(const struct patience *patience, int fd, enum patience_stream kind);
