/* SPDX-License-Identifier: MIT */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

/*
 * The terminal under curses: its modes, output that never blocks, and how the terminal is restored
 * whenever and however the program ends. A frame may be larger than what the terminal accepts at
 * once (a pseudo-terminal holds 11 KiB or more). A blocking write() could then block even after
 * poll(), so output waits in a queue here.
 */

enum { TTY_LEAVE = 512, TTY_FAULTS = 5 };
/*
 * Longest time for which a terminal may accept nothing. It is long, because a crowded machine may
 * give the terminal no core for seconds.
 */
enum { TTY_PATIENCE_MS = 10000 };

/*
 * How fast a terminal reads. Output waits in the kernel until the terminal reads it: up to 22 KiB
 * in a pseudo-terminal, which is 23 seconds at 9600 baud. So only a limited number of bytes, the
 * window, may be unread at a time. The size of the window follows the time that the terminal took
 * to read the previous window.
 */
struct pace {
	/*
	 * An epoll descriptor, readable once the terminal has read something. -1: there is no such
	 * descriptor.
	 */
	int edges;
	/* The terminal is a pseudo-terminal, whose unread bytes the kernel does not report. */
	bool pseudo;
	bool slow; /* The terminal was slow to read the last write. */
	/*
	 * The terminal reads more in a second than it can hold unread, and has refused no byte
	 * since this was observed.
	 */
	bool fast;
	/*
	 * Upper bound of the number of unread bytes. 0: the terminal has read everything, or seems
	 * to have.
	 */
	size_t unread;
	size_t window;	   /* Largest number of bytes that may be unread. */
	uint64_t wrote_ns; /* Time at which the oldest of the unread bytes was written. */
	/* pace_look() has run since wrote_ns, so an edge that its next call finds has just come. */
	bool looked;
	/* Time at which the last probe was written. If there was no probe, equal to wrote_ns. */
	uint64_t probed_ns;
	uint64_t usual_ns;   /* Time that the terminal took to read the last write. */
	unsigned unanswered; /* Number of probes since the last edge. */
	size_t guessed;	     /* Number of bytes that were assumed to be read since the last edge. */
	/* Number of times since the last edge that all bytes were assumed to be read. */
	unsigned guesses;
	unsigned reads;	  /* Number of edges so far. */
	uint64_t written; /* Number of bytes written so far. */
};

struct tty {
	int in; /* The caller's descriptor, for reading. */
	/* The terminal opened a second time, so that O_NONBLOCK affects no other program. */
	int out;
	/* The terminal's modes at the start, and while the screen is shown. */
	struct termios before, during;
	char *waiting; /* The bytes sent … n - 1 have not been written yet. */
	size_t n, sent, size;
	char leave[TTY_LEAVE + 1]; /* The sequence that restores the terminal after a crash. */
	size_t n_leave;
	void *crash_stack;
	stack_t stack_before;
	struct sigaction faults_before[TTY_FAULTS];
	struct pace pace;
	bool hurry; /* A signal is ending the program. See tty_give_back(). */
	bool gone;  /* A write has failed, and not because the terminal was full. */
	/* When this program ends, this pipe closes, and the guard restores the terminal. */
	int guard_pipe;
	pid_t guard;
};

/*
 * Records the terminal's modes without changing them, and starts the guard. Returns 0 or -errno.
 * -ENOTTY: it is not a terminal.
 */
int tty_open(struct tty *tty, int in, int out);
/*
 * Protects the terminal from now on. After a crash (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT) or a
 * SIGKILL of this program, the terminal's modes are restored and the bytes in `leave` are written.
 * Returns 0 or -errno.
 */
int tty_protect(struct tty *tty, const char *leave, size_t n);
/*
 * Sets the modes for the screen: keys without a line buffer, no echo, no translation. Returns 0 or
 * -errno.
 */
int tty_take(struct tty *tty);
/*
 * Writes the queued output and the leave sequence, unless the terminal accepts nothing for ten
 * seconds. Then restores the terminal's modes. In a hurry, waits only PATIENCE_LAST_MS and leaves
 * everything else to the guard. The guard continues after this program has ended, so call
 * tty_close() afterwards.
 */
void tty_give_back(struct tty *tty);
/* Appends bytes to the queue. Returns 0 or -ENOMEM. */
int tty_queue(struct tty *tty, const void *bytes, size_t n);
/* Writes as much as the terminal accepts now. Returns true if the queue is empty. */
bool tty_flush(struct tty *tty);
/*
 * tty_reads(): whether somebody reads the terminal, because there was an edge, or because it
 * accepted more bytes than it can hold. tty_hides(): whether nobody was seen to read the terminal
 * for more than a second.
 */
bool tty_reads(const struct tty *tty);
bool tty_hides(const struct tty *tty);
/*
 * Writes NUL bytes, which terminals ignore, until the terminal accepts no more. Also stops after
 * more bytes than the terminal can hold, because in that case somebody must have read, and
 * tty_reads() becomes true without an edge.
 */
void tty_fill(struct tty *tty);
/*
 * The number of bytes that may be written now, so that the next key does not have to wait for a
 * long queue. 0: write nothing until tty->pace.edges is readable or tty_wait_ms() have passed.
 */
size_t tty_room(struct tty *tty);
/*
 * Whether tty_room() should be called as soon as tty->pace.edges is readable, because it is not
 * known how fast the terminal reads.
 */
bool tty_learns(const struct tty *tty);
int tty_wait_ms(const struct tty *tty);
/* Ends the protection, unless the guard still has work to do, and frees everything. */
void tty_close(struct tty *tty);
