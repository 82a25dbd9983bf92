/* SPDX-License-Identifier: MIT */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

/*
 * The terminal below curses: its modes, output that never blocks, and the way back for every kind
 * of end. A frame may be larger than what the terminal takes at once (a pseudo-terminal holds
 * 8 KiB), so asking poll() before a blocking write() is not enough: output waits here instead.
 */

enum { TTY_LEAVE = 512, TTY_FAULTS = 5 };
/*
 * The patience with a terminal that takes nothing: a crowded machine may give it no core for
 * seconds.
 */
enum { TTY_PATIENCE_MS = 10000 };

struct tty {
	int in;			       /* the caller's, for reading */
	int out;		       /* an open of its own: O_NONBLOCK is nobody else's */
	struct termios before, during; /* modes found, modes wanted */
	char *waiting;		       /* bytes from sent to n are not written yet */
	size_t n, sent, size;
	char leave[TTY_LEAVE]; /* what gives the screen back after a crash */
	size_t n_leave;
	void *crash_stack;
	stack_t stack_before;
	struct sigaction faults_before[TTY_FAULTS];
	bool hurry;	/* a signal ends it: see tty_give_back() */
	bool gone;	/* a write has failed, not for want of room */
	int guard_pipe; /* closed by the end of this program: then the guard acts */
	pid_t guard;
};

/* Notes the modes of the terminal; changes nothing yet. 0 or -errno (-ENOTTY). */
int tty_open(struct tty *tty, int in, int out);
/*
 * Protects the terminal from here on: a crash (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT) and a
 * SIGKILL of this program restore its modes and write the bytes in leave. 0 or -errno.
 */
int tty_protect(struct tty *tty, const char *leave, size_t n);
/* Sets the modes wanted: keys at once, no echo, no translation. 0 or -errno. */
int tty_take(struct tty *tty);
/*
 * Writes what waits, with leave sequences among it, until the terminal has taken nothing for ten
 * seconds; modes as found. In a hurry, after PATIENCE_LAST_MS, the guard is left to do that
 * instead: it goes on when this program has ended, so tty_close() must follow.
 */
void tty_give_back(struct tty *tty);
/*
 * In a signal handler, as the program's last act. A terminal that takes nothing now keeps its
 * modes: from them the guard sees that it must restore it.
 */
void tty_give_back_at_once(void);
/* Queues bytes behind those that wait. 0 or -ENOMEM. */
int tty_queue(struct tty *tty, const void *bytes, size_t n);
/* Writes as much as the terminal takes now. True when nothing waits any more. */
bool tty_flush(struct tty *tty);
/* Ends the protection, unless that still has something to do, and frees. */
void tty_close(struct tty *tty);

/*
 * The question which background the terminal has, xterm's OSC 11. Nothing waits for the answer: it
 * comes among the keys, or never.
 */

#define ASK_TEXT "\033]11;?\007"

/* Whether a terminal of that name can be asked: consoles and old ones print the question. */
bool ask_allowed(const char *term);
/* The colour 0xrrggbb in "11;rgb:RRRR/GGGG/BBBB", of 1 to 4 digits each. False for others. */
bool ask_parse(const char *answer, uint32_t *rgb);

/* The room that copy_encode() takes for so many bytes, with its end. */
#define COPY_SIZE(n) (((n) + 2) / 3 * 4 + 1)

/* Base64 (RFC 4648), as terminals take what is to be copied. Returns buf. */
char *copy_encode(const void *bytes, size_t n, char *buf);
