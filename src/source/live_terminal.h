/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "core/sample.h"

/*
 * The program at the other end of the terminal, which takes core time for all that is drawn: tmux,
 * a terminal emulator, sshd. It is the nearest of our ancestors, or the server that $TMUX or $STY
 * names, that holds the other end: /proc/PID/fdinfo has its "tty-index" (Linux 4.14). sshd, whose
 * files may not be read, says in its title which terminal is its own.
 *
 * Counted is the whole of that process: whatever else it shows, and nothing of what lies behind it,
 * as the program at the other end of ssh.
 */

struct live_terminal {
	pid_t pid; /* 0: there is none, or it is not seen */
	clockid_t clock;
	int64_t begin_us;
	char name[SAMPLE_LABEL]; /* "tmux: server"; "" */
	const char *why; /* it is not seen, a half sentence; NULL: it is, or none is there */
};

/* Looks for the end of the terminal behind the descriptor, with /proc at root. */
void live_terminal_open(struct live_terminal *terminal, const char *root, int fd);
/* Its core time since it was found, µs; -1: not known. */
int64_t live_terminal_used_us(const struct live_terminal *terminal);
