/* SPDX-License-Identifier: MIT */
#include "tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/patience.h"
#include "guard.h"

static const int faults[TTY_FAULTS] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

/* A signal handler has no argument of ours, so the one terminal that is taken is known here. */
static struct tty *volatile taken;

/*
 * Opens the terminal, then /dev/tty, as it may be another user's (su). Without either the caller's
 * descriptor has to do: only poll() before each write then keeps us from blocking.
 */
static int open_anew(int out)
{
	const int flags = O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", out);
	fd = open(path, flags);
	if (fd < 0)
		fd = open("/dev/tty", flags);
	if (fd < 0)
		fd = fcntl(out, F_DUPFD_CLOEXEC, 3);
	return fd < 0 ? -errno : fd;
}

int tty_open(struct tty *tty, int in, int out)
{
	*tty = (struct tty) {.in = in, .out = -1, .guard = -1, .guard_pipe = -1};
	if (!isatty(in) || tcgetattr(out, &tty->before) < 0)
		return -errno;
	tty->during = tty->before;
	/*
	 * The modes are those of cbreak(), noecho() and nonl(); Ctrl-C, Ctrl-Z and Ctrl-S stay
	 * signals and flow control.
	 */
	tty->during.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL);
	tty->during.c_lflag |= ISIG;
	tty->during.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR);
	tty->during.c_oflag &= ~(tcflag_t)(ONLCR | TABDLY);
	tty->during.c_cc[VMIN] = 1;
	tty->during.c_cc[VTIME] = 0;
	tty->out = open_anew(out);
	return tty->out < 0 ? tty->out : 0;
}

void tty_give_back_at_once(void)
{
	const struct tty *tty = taken;

	/* CAN ends a sequence that was cut in the middle. */
	if (tty && ((write(tty->out, "\030", 1) == 1 &&
		     write(tty->out, tty->leave, tty->n_leave) == (ssize_t)tty->n_leave) ||
		    tty->guard <= 0))
		tcsetattr(tty->out, TCSANOW, &tty->before);
}

static void on_fault(int number)
{
	tty_give_back_at_once();
	raise(number);
}

static int catch_faults(struct tty *tty)
{
	struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK | SA_RESETHAND};
	stack_t stack = {.ss_size = (size_t)SIGSTKSZ};

	tty->crash_stack = malloc(stack.ss_size);
	if (!tty->crash_stack)
		return -ENOMEM;
	stack.ss_sp = tty->crash_stack;
	sigaltstack(&stack, &tty->stack_before);
	for (size_t i = 0; i < TTY_FAULTS; i++)
		sigaction(faults[i], &action, &tty->faults_before[i]);
	return 0;
}

int tty_protect(struct tty *tty, const char *leave, size_t n)
{
	int error;

	tty->n_leave = n < TTY_LEAVE ? n : TTY_LEAVE;
	memcpy(tty->leave, leave, tty->n_leave);
	error = catch_faults(tty);
	if (error)
		return error;
	tty->guard = guard_start(tty, &tty->guard_pipe);
	return tty->guard < 0 ? (int)tty->guard : 0;
}

int tty_take(struct tty *tty)
{
	int result;

	do
		result = tcsetattr(tty->out, TCSANOW, &tty->during);
	while (result < 0 && errno == EINTR);
	if (result < 0)
		return -errno;
	taken = tty;
	return 0;
}

int tty_queue(struct tty *tty, const void *bytes, size_t n)
{
	if (tty->n + n > tty->size) {
		size_t size = tty->n + n + 4096;
		char *bigger = realloc(tty->waiting, size);

		if (!bigger)
			return -ENOMEM;
		tty->waiting = bigger;
		tty->size = size;
	}
	memcpy(tty->waiting + tty->n, bytes, n);
	tty->n += n;
	return 0;
}

/* Waits up to wait_ms for room. False when the terminal takes nothing. */
static bool write_some(struct tty *tty, int wait_ms)
{
	struct pollfd room = {.fd = tty->out, .events = POLLOUT};
	ssize_t wrote;

	if (poll(&room, 1, wait_ms) != 1 || !(room.revents & POLLOUT))
		return false;
	wrote = write(tty->out, tty->waiting + tty->sent, tty->n - tty->sent);
	if (wrote > 0)
		tty->sent += (size_t)wrote;
	else if (errno != EAGAIN && errno != EINTR)
		tty->gone = true;
	return wrote > 0;
}

bool tty_flush(struct tty *tty)
{
	while (tty->sent < tty->n)
		if (!write_some(tty, 0))
			return false;
	tty->sent = tty->n = 0;
	return true;
}

/* Stopped by SIGSTOP, which nobody can prepare for: the shell has the terminal in its own modes. */
static bool in_background(const struct tty *tty)
{
	const pid_t group = tcgetpgrp(tty->out);

	return group > 0 && group != getpgrp();
}

static bool is_left_to_guard(const struct tty *tty)
{
	return tty->hurry && tty->guard > 0 && tty->sent < tty->n;
}

void tty_give_back(struct tty *tty)
{
	if (taken != tty)
		return;
	if (in_background(tty)) {
		tty_flush(tty);
	} else {
		/* Waiting output goes out while the terminal takes some of it from time to time. */
		const uint64_t patience_ms = tty->hurry ? PATIENCE_LAST_MS : TTY_PATIENCE_MS;
		uint64_t since_ns = clock_now_ns();

		if (!tty_flush(tty))
			guard_let_flow(tty->out);
		while (!tty_flush(tty) && clock_now_ns() - since_ns < patience_ms * 1000000) {
			errno = 0; /* which a wait that was in vain leaves alone */
			if (write_some(tty, tty->hurry ? 10 : 50))
				since_ns = clock_now_ns();
			else if (errno == EIO)
				break;
		}
		/* By the modes the guard sees that there is something to restore. */
		if (!is_left_to_guard(tty))
			tcsetattr(tty->out, TCSANOW, &tty->before);
	}
	if (!is_left_to_guard(tty))
		tty->sent = tty->n = 0;
	taken = NULL;
}

static void release_faults(struct tty *tty)
{
	if (!tty->crash_stack)
		return;
	for (size_t i = 0; i < TTY_FAULTS; i++)
		sigaction(faults[i], &tty->faults_before[i], NULL);
	sigaltstack(&tty->stack_before, NULL);
	free(tty->crash_stack);
}

void tty_close(struct tty *tty)
{
	tty_give_back(tty);
	release_faults(tty);
	if (is_left_to_guard(tty))
		guard_leave(tty->guard, tty->guard_pipe);
	else if (tty->guard > 0)
		guard_dismiss(tty->guard, tty->guard_pipe);
	if (tty->out >= 0)
		close(tty->out);
	free(tty->waiting);
	*tty = (struct tty) {.out = -1, .guard = -1, .guard_pipe = -1};
}

bool ask_allowed(const char *term)
{
	static const char *const silent[] = {"linux", "vt",	"dumb",	 "ansi",   "cons",
					     "sun",   "cygwin", "eterm", "unknown"};

	for (size_t i = 0; term && i < sizeof(silent) / sizeof(*silent); i++)
		if (strncmp(term, silent[i], strlen(silent[i])) == 0)
			return false;
	return term && *term;
}

static int digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* One part of a colour, scaled to 0 … 255; -1: none. *text moves behind it. */
static int part(const char **text)
{
	unsigned value = 0, most = 0;

	for (int i = 0; i < 4 && digit(**text) >= 0; i++) {
		value = value * 16 + (unsigned)digit(*(*text)++);
		most = most * 16 + 15;
	}
	return most ? (int)(value * 255 / most) : -1;
}

bool ask_parse(const char *answer, uint32_t *rgb)
{
	const char *at = strncmp(answer, "11;rgba:", 8) == 0  ? answer + 8
			 : strncmp(answer, "11;rgb:", 7) == 0 ? answer + 7
							      : NULL;

	*rgb = 0;
	for (int i = 0; i < 3; i++) {
		int value = at ? part(&at) : -1;

		if (value < 0 || (i < 2 && *at++ != '/'))
			return false;
		*rgb = *rgb << 8 | (uint32_t)value;
	}
	return *at == '\0' || *at == '/';
}

/* Three bytes, of which so many are there, as four characters. */
static char *encode_three(const unsigned char *bytes, size_t n, char *to)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t three = (uint32_t)bytes[0] << 16;

	if (n > 1)
		three |= (uint32_t)bytes[1] << 8;
	if (n > 2)
		three |= bytes[2];
	for (size_t i = 0; i < 4; i++)
		*to++ = '=';
	for (size_t i = 0; i <= (n > 3 ? 3 : n); i++)
		to[(int)i - 4] = letters[three >> (18 - 6 * i) & 63];
	return to;
}

char *copy_encode(const void *bytes, size_t n, char *buf)
{
	const unsigned char *from = bytes;
	char *to = buf;

	for (size_t i = 0; i < n; i += 3)
		to = encode_three(from + i, n - i, to);
	*to = '\0';
	return buf;
}
