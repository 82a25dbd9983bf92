/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "base/patience.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"

/* Time between two checks, ms. A signal should act within 100 ms, so this is well below. */
#define LOOK_MS	     10
#define RESULT_BYTES 65536

static void ignore_alarm(int number)
{
	(void)number;
}

sigset_t patience_ends(void)
{
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGHUP);
	sigaddset(&ends, SIGQUIT);
	return ends;
}

static bool has_pending(const sigset_t *ends)
{
	sigset_t pending, wanted;

	sigpending(&pending);
	sigandset(&wanted, &pending, ends);
	return !sigisemptyset(&wanted);
}

int patience_write(const struct patience *patience, int fd, const void *bytes, size_t n)
{
	struct pollfd ready = {.fd = fd, .events = POLLOUT};
	uint64_t since_ns = clock_now_ns();
	const char *at = bytes, *last = at + n;
	struct sigaction before;
	ssize_t taken;
	const struct timespec at_once = {0};
	sigset_t mask, pending, stop;
	uint64_t waited_ms;
	int err = 0;

	/*
	 * Repeat the timer, because its first signal may arrive just before write(2) begins to
	 * wait.
	 */
	const struct itimerval timer = {{0, LOOK_MS * 1000}, {0, LOOK_MS * 1000}}, none = {0};
	struct sigaction action = {.sa_handler = ignore_alarm};
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigaction(SIGALRM, &action, &before);
	sigprocmask(SIG_UNBLOCK, &alarm, &mask);
	setitimer(ITIMER_REAL, &timer, NULL);
	while (at < last && !err) {
		taken = write(fd, at, (size_t)(last - at));
		if (taken > 0) {
			at += taken;
			since_ns = clock_now_ns();
		} else if (taken == 0) {
			err = -EIO;
		} else if (errno != EAGAIN && errno != EINTR) {
			err = -errno;
		} else {
			if (errno == EAGAIN)
				poll(&ready, 1, LOOK_MS);
			/*
			 * SIGTSTP must stop this process, because a shell waits until every program
			 * of a pipeline has stopped.
			 */
			sigpending(&pending);
			if (sigismember(&pending, SIGTSTP) == 1 &&
			    sigtimedwait(&stop, NULL, &at_once) == SIGTSTP)
				raise(SIGSTOP);
			waited_ms = (clock_now_ns() - since_ns) / 1000000;
			if (has_pending(&patience->ends))
				err = -EINTR;
			else if (patience->most_ms >= 0 && waited_ms >= (uint64_t)patience->most_ms)
				err = -ETIMEDOUT;
		}
	}
	setitimer(ITIMER_REAL, &none, NULL);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	sigaction(SIGALRM, &before, NULL);
	return err;
}

/*
 * LIMIT_MS: time between two checks. LIMIT_LOOKS: number of checks for which a pending signal
 * waits.
 */
enum { LIMIT_MS = 20, LIMIT_LOOKS = 4 };

static void look_for_end(int number, siginfo_t *info, void *context)
{
	static const int endings[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
	struct patience_limit *limit = info->si_value.sival_ptr;
	const int error = errno;
	sigset_t pending;

	(void)number;
	(void)context;
	sigpending(&pending);
	for (size_t i = 0; i < LENGTH(endings); i++)
		if (sigismember(&pending, endings[i]) == 1) {
			if (++limit->looks >= LIMIT_LOOKS)
				limit->last(limit->arg, endings[i]);
			break;
		}
	errno = error;
}

void patience_limit_begin(struct patience_limit *limit, void (*last)(void *arg, int number),
			  void *arg)
{
	const struct itimerspec looks = {{0, LIMIT_MS * 1000000}, {0, LIMIT_MS * 1000000}};
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGVTALRM,
		.sigev_value.sival_ptr = limit,
	};
	struct sigaction action = {.sa_sigaction = look_for_end,
				   .sa_flags = SA_SIGINFO | SA_RESTART};

	*limit = (struct patience_limit) {.last = last, .arg = arg};
	sigaction(SIGVTALRM, &action, NULL);
	limit->armed = timer_create(CLOCK_MONOTONIC, &event, &limit->timer) == 0;
	if (limit->armed)
		timer_settime(limit->timer, 0, &looks, NULL);
}

/*
 * Stops the timer. No signal comes after that: a signal that the timer has already sent is handled
 * before timer_delete() returns.
 */
void patience_limit_end(struct patience_limit *limit)
{
	if (limit->armed)
		timer_delete(limit->timer);
	limit->armed = false;
}

bool patience_unread(int err)
{
	return err == -ETIMEDOUT || err == -EINTR;
}

struct stream {
	const struct patience *patience;
	int fd;
	enum patience_stream kind;
	bool over;
};

static ssize_t stream_write(void *cookie, const char *bytes, size_t n)
{
	struct stream *stream = cookie;
	int err = 0;

	if (stream->kind == PATIENCE_RESULT && has_pending(&stream->patience->ends))
		err = -EINTR;
	else if (!stream->over)
		err = patience_write(stream->patience, stream->fd, bytes, n);
	stream->over |= patience_unread(err);
	/*
	 * Once nobody reads the output, drop it. If the user has ended a result, return the error,
	 * so that the program stops making the result.
	 */
	if (!err || (stream->over && (stream->kind == PATIENCE_LINES || err != -EINTR)))
		return (ssize_t)n;
	errno = -err;
	return 0;
}

static int stream_close(void *cookie)
{
	free(cookie);
	return 0;
}

FILE *patience_stream(const struct patience *patience, int fd, enum patience_stream kind)
{
	static const cookie_io_functions_t calls = {.write = stream_write, .close = stream_close};
	struct stream *stream = calloc(1, sizeof(*stream));
	FILE *file;

	if (!stream)
		return NULL;
	*stream = (struct stream) {patience, fd, kind, false};
	file = fopencookie(stream, "w", calls);
	if (!file)
		free(stream);
	else
		setvbuf(file, NULL, kind == PATIENCE_RESULT ? _IOFBF : _IOLBF, RESULT_BYTES);
	return file;
}
