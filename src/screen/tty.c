/* SPDX-License-Identifier: MIT */
#include "tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/param.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/patience.h"
#include "screen/screen.h"

static const int fault_signals[TTY_FAULTS] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

/* The guard */

/*
 * Undoes a Ctrl-S, so that the bytes that leave the screen are shown. TCOON undoes only a TCOOFF,
 * so do a TCOOFF first.
 */
static void let_flow(int terminal)
{
	tcflow(terminal, TCOOFF);
	tcflow(terminal, TCOON);
}

/*
 * The front end is gone, so the guard restores the terminal, unless another program has changed its
 * modes.
 */
static void restore_terminal(const struct tty *tty, int terminal)
{
	struct pollfd writable = {.fd = terminal, .events = POLLOUT};
	const struct termios *during = &tty->during;
	struct termios now;

	if (tcgetattr(terminal, &now) < 0 || now.c_iflag != during->c_iflag ||
	    now.c_oflag != during->c_oflag || now.c_cflag != during->c_cflag ||
	    now.c_lflag != during->c_lflag)
		return;
	tcsetattr(terminal, TCSANOW, &tty->before);
	let_flow(terminal);
	if (poll(&writable, 1, TTY_PATIENCE_MS) == 1)
		(void)!write(terminal, tty->leave, tty->n_leave);
}

/*
 * The guard is a process that survives a SIGKILL of the front end and of its process group,
 * restores the terminal and then ends. It sleeps in read() on a pipe. Only the front end has the
 * other end of the pipe, so the read returns when the front end ends. Once the front end knows the
 * bytes that leave the screen, it sends these bytes through the pipe.
 */
static void __attribute__((noreturn)) guard_main(struct tty *tty, int pipe_end)
{
	sigset_t all;
	ssize_t got;

	/*
	 * Block all signals: no key may end the guard, and SIGTTOU may not stop the guard when it
	 * restores the terminal from the background. Give the guard its own process group, so that
	 * a SIGKILL of the front end's group (kill -9 %1) does not reach it.
	 */
	setpgid(0, 0);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_NAME, "tuibench-guard");
	/*
	 * Make the pipe descriptor 0 and the terminal descriptor 1, and close all others. If the
	 * guard had the end of another pipe, a runner would not notice the front end's death.
	 */
	if (dup2(tty->out, 1) < 0 || dup2(pipe_end, 0) < 0)
		_exit(1);
	syscall(SYS_close_range, 2, ~0U, 0); /* musl has no close_range() */
	while ((got = read(0, tty->leave + tty->n_leave, sizeof(tty->leave) - tty->n_leave)) > 0)
		tty->n_leave += (size_t)got;
	if (got == 0 && tty->n_leave > 0)
		restore_terminal(tty, 1);
	_exit(0);
}

/*
 * Starts the guard. Call this while the front end uses little memory, because after fork() the next
 * write to each page copies the page.
 */
static int begin_guard(struct tty *tty)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	tty->guard = fork();
	if (tty->guard == 0) {
		close(ends[1]);
		guard_main(tty, ends[0]);
	}
	close(ends[0]);
	if (tty->guard < 0) {
		close(ends[1]);
		return -errno;
	}
	/*
	 * Move the guard to its own group. The guard makes the same call, so its group is right
	 * whichever process runs first.
	 */
	setpgid(tty->guard, tty->guard);
	tty->guard_pipe = ends[1];
	return 0;
}

/* The pace */

enum {
	WINDOW_FIRST = 256, /* Bytes that any terminal reads immediately, unless it is slow. */
	/* Bytes that take a fifth of a second at 9600 baud. The window never becomes smaller. */
	WINDOW_LEAST = 192,
	WINDOW_MOST = 1 << 20,
	TTY_READ_MS = 200, /* Time, ms, in which the terminal should read a window. */
	/* If the terminal has read a window within this time, ms, the window grows. */
	BRISK_MS = 5,
	/* The window also grows if the terminal reads at least this many bytes per second. */
	RATE_FAST = 20000,
	/* Largest number of bytes that may still be unread at an edge, see pace_begin(). */
	EDGE_LEFT = 128,
	PROBE_MS = 25, /* Shortest time without an edge after which a probe is sent, ms. */
	PROBE_MOST_MS = 3000,
	/*
	 * Largest number of bytes that are assumed to be read without an edge: more than a frame of
	 * a replay.
	 */
	GUESSED_MOST = 4096,
	/*
	 * Largest number of guesses without an edge, which take a second or more. After that,
	 * perhaps nobody reads the terminal.
	 */
	GUESSES_MOST = 12,
	OUTQ_MS = 20,	/* Time, ms, between two readings of the queue of a serial line. */
	OUTQ_LEFT = 64, /* A queue of at most this many bytes counts as empty. */
	/*
	 * A pseudo-terminal that nobody reads accepts fewer bytes than this: 11 to 22 KiB,
	 * depending on the sizes of the writes (Linux 6.18).
	 */
	PSEUDO_HOLDS = 32768,
	/* Bytes that a terminal must have read, at PSEUDO_HOLDS a second, to be fast. */
	FAST_LEAST = 1024,
};

/*
 * Returns whether there was an edge since the last call. A write or a change of modes also causes
 * an edge.
 */
static bool pace_edge(const struct pace *pace)
{
	struct epoll_event event;

	return pace->edges >= 0 && epoll_wait(pace->edges, &event, 1, 0) == 1;
}

/*
 * A pseudo-terminal wakes its writers whenever its reader has left at most 128 of the 4096 bytes
 * that it can see. epoll reports this as an edge. TIOCOUTQ does not help: for a pseudo-terminal it
 * is always 0 (Linux 6.18).
 */
static void pace_begin(struct tty *tty)
{
	struct epoll_event event = {.events = EPOLLOUT | EPOLLET};
	struct stat is;

	tty->pace.window = WINDOW_FIRST;
	tty->pace.pseudo =
		fstat(tty->out, &is) == 0 && major(is.st_rdev) >= 136 && major(is.st_rdev) <= 143;
	tty->pace.edges = epoll_create1(EPOLL_CLOEXEC);
	if (tty->pace.edges >= 0 &&
	    epoll_ctl(tty->pace.edges, EPOLL_CTL_ADD, tty->out, &event) < 0) {
		close(tty->pace.edges);
		tty->pace.edges = -1;
	}
	pace_edge(&tty->pace); /* Discard the edge that opening has caused. */
}

static void pace_wrote(struct pace *pace, size_t n)
{
	if (pace->unread == 0) {
		pace->wrote_ns = clock_now_ns();
		pace->probed_ns = pace->wrote_ns;
		pace->looked = false;
	}
	pace->unread += n;
	pace->written += n;
	pace_edge(pace);
}

/*
 * Returns the time that the terminal took to read the last write. If the edge comes soon after a
 * probe, the terminal had read everything before the probe. If the first check, at the next frame,
 * finds the edge, the edge may have come at any time since the write. In that case the terminal is
 * assumed to be fast, because the time to the next frame says nothing about the terminal.
 */
static uint64_t pace_took_ns(const struct pace *pace)
{
	const uint64_t now_ns = clock_now_ns(), probe_ns = now_ns - pace->probed_ns;

	if (!pace->looked)
		return 0;
	if (probe_ns < BRISK_MS * UINT64_C(1000000))
		return probe_ns;
	return now_ns - pace->wrote_ns;
}

/*
 * From the time of an edge, learns how fast the terminal reads, and sets how many bytes may be
 * unread. Ignores a late edge with few unread bytes, because such an edge comes at any read and
 * says nothing about the rate.
 */
static void pace_learn(struct pace *pace, uint64_t took_ns)
{
	const uint64_t bytes = pace->unread > EDGE_LEFT ? pace->unread - EDGE_LEFT : 0;
	const uint64_t rate = bytes * UINT64_C(1000000000) / (took_ns + 1);
	const bool brisk = took_ns < BRISK_MS * UINT64_C(1000000);
	uint64_t window = pace->window * UINT64_C(2);

	if (!brisk && bytes < EDGE_LEFT / 2)
		return;
	pace->slow = !brisk && rate < RATE_FAST;
	pace->fast &= !pace->slow;
	if (pace->slow)
		window = rate * TTY_READ_MS / 1000;
	if (window < WINDOW_LEAST)
		window = WINDOW_LEAST;
	if (window < WINDOW_MOST)
		pace->window = (size_t)window;
	else
		pace->window = WINDOW_MOST;
}

/* Whether the terminal has read its unread bytes at the rate of a fast terminal, or faster. */
static bool pace_was_fast(const struct pace *pace)
{
	const uint64_t age_ns = clock_now_ns() - pace->wrote_ns;

	if (pace->unread < FAST_LEAST)
		return false;
	return pace->unread * UINT64_C(1000000000) / (age_ns + 1) >= PSEUDO_HOLDS;
}

static void pace_read(struct pace *pace)
{
	const uint64_t took_ns = pace_took_ns(pace);

	pace_learn(pace, took_ns);
	pace->fast |= pace_was_fast(pace);
	pace->usual_ns = took_ns;
	pace->unread = 0;
	pace->unanswered = 0;
	pace->guesses = 0;
	pace->guessed = 0;
	pace->reads++;
}

/* Returns the time without an edge after which the next probe is due. */
static uint64_t pace_limit_ns(const struct pace *pace)
{
	uint64_t limit_ns = 2 * pace->usual_ns;

	if (limit_ns < PROBE_MS * UINT64_C(1000000))
		limit_ns = PROBE_MS * UINT64_C(1000000);
	limit_ns <<= pace->unanswered;
	return MIN(limit_ns, PROBE_MOST_MS * UINT64_C(1000000));
}

/*
 * Returns the number of probes without an edge after which the terminal is assumed to have read
 * everything. These probes take 1.6 s, 75 ms or 175 ms. The edge of a terminal that is read slowly
 * comes later, when nothing more is written.
 */
static unsigned pace_probes(const struct pace *pace)
{
	if (pace->slow || pace->guessed + pace->unread > GUESSED_MOST)
		return 5;
	if (pace->reads > 0 || pace->guesses > 0)
		return 1;
	return 2;
}

/*
 * An edge can be missed: if it comes while a write returns, it looks like the edge that the write
 * itself causes. This happens with fast terminals, mostly on a loaded machine. A NUL, which
 * terminals ignore, then causes another edge. If that edge is not seen either, there are two
 * possible reasons: the terminal is fast and its edges are missed, or the terminal is rarely read
 * and its next edge comes late.
 */
static void pace_missed(struct tty *tty)
{
	struct pace *pace = &tty->pace;

	if (tty->sent < tty->n)
		return;
	if (pace->unanswered < pace_probes(pace)) {
		if (write(tty->out, "", 1) == 1)
			pace_edge(pace);
		pace->probed_ns = clock_now_ns();
		pace->unanswered++;
		return;
	}
	if (pace->unanswered > 2) {
		/*
		 * A slow terminal may have thousands of unread bytes, and its edge comes only after
		 * it has read these bytes. So continue to guess slowly until an edge comes.
		 */
		pace->guessed = GUESSED_MOST;
		pace->window = WINDOW_LEAST;
	} else {
		pace->guessed += pace->unread;
		pace->window = MIN(pace->window * 2, GUESSED_MOST);
	}
	pace->usual_ns = 0;
	pace->unread = 0;
	pace->unanswered = 0;
	pace->guesses++;
}

static void pace_look(struct tty *tty)
{
	struct pace *pace = &tty->pace;
	const bool edge = pace_edge(pace);
	int left = 0;

	if (!pace->unread) {
		/*
		 * Either the bytes were assumed to be read too early, or several reads cause
		 * several edges, and this edge belongs to a later read.
		 */
		pace->reads += edge;
		return;
	}
	if (!pace->pseudo) {
		if (ioctl(tty->out, TIOCOUTQ, &left) < 0 || left <= OUTQ_LEFT)
			pace_read(pace);
	} else if (pace->edges < 0) {
		pace->unread = 0;
	} else if (edge) {
		pace_read(pace);
	} else if (pace->fast && tty->sent == tty->n) {
		/*
		 * On a loaded machine, edges are missed for seconds. Even if nobody reads this
		 * terminal now, a key waits at most a second for its unread bytes.
		 */
		pace->unread = 0;
	} else if (clock_now_ns() - pace->probed_ns > pace_limit_ns(pace)) {
		pace_missed(tty);
	}
	pace->looked = true;
}

size_t tty_room(struct tty *tty)
{
	pace_look(tty);
	if (tty_flush(tty) && !tty->pace.unread)
		return tty->pace.window;
	return 0;
}

bool tty_learns(const struct tty *tty)
{
	return tty->pace.pseudo && !tty->pace.fast;
}

int tty_wait_ms(const struct tty *tty)
{
	if (tty->pace.pseudo && tty->pace.edges >= 0)
		return (int)(pace_limit_ns(&tty->pace) / 1000000) + 1;
	return OUTQ_MS;
}

/* The terminal */

/* The terminal in use. It is global, because a signal handler gets no argument. */
static struct tty *volatile taken;

int tty_open(struct tty *tty, int in, int out)
{
	const int flags = O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
	char path[32];

	*tty = (struct tty) {.in = in, .out = -1, .guard = -1, .guard_pipe = -1, .pace.edges = -1};
	if (!isatty(in) || tcgetattr(out, &tty->before) < 0)
		return -errno;
	tty->during = tty->before;
	/*
	 * The same modes as with cbreak(), noecho() and nonl(). Ctrl-C and Ctrl-Z still send
	 * signals, and Ctrl-S still stops the output.
	 */
	tty->during.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL);
	tty->during.c_lflag |= ISIG;
	tty->during.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR);
	tty->during.c_oflag &= ~(tcflag_t)(ONLCR | TABDLY);
	tty->during.c_cc[VMIN] = 1;
	tty->during.c_cc[VTIME] = 0;
	/*
	 * Open the terminal a second time. If that fails, because the terminal belongs to another
	 * user (su), open /dev/tty. If that fails too, use the caller's descriptor. Then only
	 * poll() before each write prevents blocking.
	 */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", out);
	tty->out = open(path, flags);
	if (tty->out < 0)
		tty->out = open("/dev/tty", flags);
	if (tty->out < 0)
		tty->out = fcntl(out, F_DUPFD_CLOEXEC, 3);
	if (tty->out < 0)
		return -errno;
	pace_begin(tty);
	return begin_guard(tty);
}

void screen_leave_at_once(void)
{
	const struct tty *tty = taken;

	/* CAN ends a sequence that was cut off in the middle. */
	if (tty && ((write(tty->out, "\030", 1) == 1 &&
		     write(tty->out, tty->leave, tty->n_leave) == (ssize_t)tty->n_leave) ||
		    tty->guard <= 0))
		tcsetattr(tty->out, TCSANOW, &tty->before);
}

static void on_fault(int number)
{
	screen_leave_at_once();
	raise(number);
}

int tty_protect(struct tty *tty, const char *leave, size_t n)
{
	struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK | SA_RESETHAND};
	stack_t stack = {.ss_size = (size_t)SIGSTKSZ};

	tty->n_leave = n;
	memcpy(tty->leave, leave, n);
	tty->crash_stack = malloc(stack.ss_size);
	if (!tty->crash_stack)
		return -ENOMEM;
	stack.ss_sp = tty->crash_stack;
	sigaltstack(&stack, &tty->stack_before);
	for (size_t i = 0; i < TTY_FAULTS; i++)
		sigaction(fault_signals[i], &action, &tty->faults_before[i]);
	if (write(tty->guard_pipe, leave, n) == (ssize_t)n)
		return 0;
	return -errno;
}

int tty_take(struct tty *tty)
{
	int result;

	do
		result = tcsetattr(tty->out, TCSANOW, &tty->during);
	while (result < 0 && errno == EINTR);
	if (result < 0)
		return -errno;
	pace_edge(&tty->pace);
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

/* Writes, after waiting up to wait_ms for room. Returns false if the terminal accepts nothing. */
static bool write_waiting(struct tty *tty, int wait_ms)
{
	struct pollfd writable = {.fd = tty->out, .events = POLLOUT};
	ssize_t wrote;

	if (poll(&writable, 1, wait_ms) != 1 || !(writable.revents & POLLOUT)) {
		tty->pace.fast = false;
		return false;
	}
	wrote = write(tty->out, tty->waiting + tty->sent, tty->n - tty->sent);
	if (wrote > 0) {
		tty->sent += (size_t)wrote;
		pace_wrote(&tty->pace, (size_t)wrote);
	} else if (errno != EAGAIN && errno != EINTR) {
		tty->gone = true;
	}
	return wrote > 0;
}

bool tty_reads(const struct tty *tty)
{
	return tty->pace.reads > 0 || tty->pace.written > PSEUDO_HOLDS;
}

bool tty_hides(const struct tty *tty)
{
	return !tty_reads(tty) && tty->pace.guesses >= GUESSES_MOST;
}

void tty_fill(struct tty *tty)
{
	static const char nothing[1024];
	struct pollfd writable = {.fd = tty->out, .events = POLLOUT};
	ssize_t wrote;

	while (!tty_reads(tty)) {
		if (poll(&writable, 1, 0) != 1 || !(writable.revents & POLLOUT))
			return;
		wrote = write(tty->out, nothing, sizeof(nothing));
		if (wrote <= 0)
			return;
		pace_wrote(&tty->pace, (size_t)wrote);
	}
	tty->pace.unread = 0;
	tty->pace.guessed = 0;
}

bool tty_flush(struct tty *tty)
{
	while (tty->sent < tty->n)
		if (!write_waiting(tty, 0))
			return false;
	tty->sent = tty->n = 0;
	return true;
}

static bool is_left_to_guard(const struct tty *tty)
{
	return tty->hurry && tty->guard > 0 && tty->sent < tty->n;
}

void tty_give_back(struct tty *tty)
{
	const pid_t group = tcgetpgrp(tty->out);

	if (taken != tty)
		return;
	if (group > 0 && group != getpgrp()) {
		/*
		 * The program was stopped by SIGSTOP, which cannot be handled. The shell has set
		 * its own modes since then, so leave these modes unchanged.
		 */
		tty_flush(tty);
	} else {
		/*
		 * Keep waiting for the output as long as the terminal accepts some of it from time
		 * to time.
		 */
		const uint64_t patience_ms = tty->hurry ? PATIENCE_LAST_MS : TTY_PATIENCE_MS;
		uint64_t since_ns = clock_now_ns();

		if (!tty_flush(tty))
			let_flow(tty->out);
		while (!tty_flush(tty) && clock_now_ns() - since_ns < patience_ms * 1000000) {
			errno = 0; /* poll() does not set errno if it succeeds. */
			if (write_waiting(tty, tty->hurry ? 10 : 50))
				since_ns = clock_now_ns();
			else if (errno == EIO)
				break;
		}
		/*
		 * If the output is left to the guard, do not change the terminal's modes, because
		 * they show the guard that it must restore the terminal.
		 */
		if (!is_left_to_guard(tty))
			tcsetattr(tty->out, TCSANOW, &tty->before);
	}
	if (!is_left_to_guard(tty))
		tty->sent = tty->n = 0;
	taken = NULL;
}

void tty_close(struct tty *tty)
{
	tty_give_back(tty);
	if (tty->crash_stack) {
		for (size_t i = 0; i < TTY_FAULTS; i++)
			sigaction(fault_signals[i], &tty->faults_before[i], NULL);
		sigaltstack(&tty->stack_before, NULL);
		free(tty->crash_stack);
	}
	if (is_left_to_guard(tty)) {
		/*
		 * The guard restores the terminal once its output has been read. A stopped guard
		 * cannot do that, so send SIGCONT.
		 */
		close(tty->guard_pipe);
		kill(tty->guard, SIGCONT);
	} else if (tty->guard > 0) {
		/*
		 * The terminal is restored, so the guard is not needed. A stopped guard does not
		 * notice the end of the pipe, so use SIGKILL.
		 */
		kill(tty->guard, SIGKILL);
		close(tty->guard_pipe);
		while (waitpid(tty->guard, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (tty->pace.edges >= 0)
		close(tty->pace.edges);
	if (tty->out >= 0)
		close(tty->out);
	free(tty->waiting);
	*tty = (struct tty) {.out = -1, .guard = -1, .guard_pipe = -1, .pace.edges = -1};
}
