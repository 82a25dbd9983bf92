/* SPDX-License-Identifier: MIT */
#include "live_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "live_spawn.h"

/*
 * Files in memory. Under a limit of a file's size (RLIMIT_FSIZE) who writes too much to one would
 * be ended.
 */
void live_streams_open(struct live_run *run, const struct board_request *request, bool watch)
{
	const struct timespec long_ago[2] = {{1, 0}, {1, 0}};
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY)
		run->errors_fd = memfd_create("tuibench-errors", MFD_CLOEXEC);
	if (!watch || *request->input_path)
		return;
	run->input_fd = memfd_create("tuibench-input", MFD_CLOEXEC);
	if (run->input_fd >= 0)
		futimens(run->input_fd, long_ago);
}

/* The last line is near its end. */
enum { ERRORS_MOST = 1 << 20, ERRORS_KEPT = 1 << 16 };

void live_streams_trim(const struct live_run *run)
{
	struct stat st;

	if (run->errors_fd >= 0 && fstat(run->errors_fd, &st) == 0 &&
	    st.st_blocks > ERRORS_MOST / 512)
		fallocate(run->errors_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
			  st.st_size - ERRORS_KEPT);
}

/* Without what moves the cursor or colours: ESC [ up to a letter. */
static void drop_sequences(char *text)
{
	char *to = text;

	for (const char *at = text; *at; at++) {
		if (at[0] == '\033' && at[1] == '[') {
			at += 2 + strspn(at + 2, "0123456789;:?");
			if (!*at)
				break;
		} else {
			*to++ = *at;
		}
	}
	*to = '\0';
}

char *live_run_said(const struct live_run *run, char *buf, size_t size)
{
	static const char breaks[] = "\r\n\v\f";
	char text[4096], *line = text, *end;
	struct stat st;
	ssize_t n;

	*buf = '\0';
	if (run->errors_fd < 0 || run->company.nameless || fstat(run->errors_fd, &st) < 0)
		return buf;
	n = pread(run->errors_fd, text, sizeof(text) - 1,
		  MAX(0, st.st_size - (off_t)sizeof(text) + 1));
	text[MAX(0, n)] = '\0';
	for (ssize_t i = 0; i < n; i++)
		text[i] = (char)(text[i] ? text[i] : '\n');
	drop_sequences(text);
	end = text + strlen(text);
	while (end > text && strchr(" \t\r\n\v\f", end[-1]))
		*--end = '\0';
	while ((end = strpbrk(line, breaks))) {
		char *next = end + 1 + strspn(end + 1, " \t\r\n\v\f");

		/* "Try 'sort --help' for more information." comes behind what is wrong. */
		if (strstr(next, "--help") && !strpbrk(next, breaks)) {
			*end = '\0';
			break;
		}
		line = next;
	}
	line += strspn(line, " \t");
	/* Bytes of the begin of a line that was cut may be a part of a character. */
	snprintf(buf, size, "%s", line);
	if (strlen(line) >= size)
		utf8_trim(buf);
	utf8_mask(buf);
	return buf;
}

int live_drain_start(struct live_drain *drain, const char *runner, int *fd)
{
	char *argv[] = {(char *)LIVE_PROGRAM_RUNNER, (char *)"--discard", NULL};
	struct live_spawn_fd file = {.to = STDIN_FILENO};
	sigset_t all;
	int ends[2], err;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	file.from = ends[0];
	/* As the tidier: it ends with its input, not with a key. */
	sigfillset(&all);
	err = live_spawn(&drain->pid, runner, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK, &all,
			 argv, environ, &file, 1);
	close(ends[0]);
	if (err)
		close(ends[1]);
	else
		*fd = ends[1];
	return err;
}

int64_t live_drain_end(struct live_drain *drain)
{
	struct rusage usage;
	pid_t pid;

	if (drain->pid == 0)
		return -1;
	do
		pid = wait4(drain->pid, NULL, 0, &usage);
	while (pid < 0 && errno == EINTR);
	*drain = (struct live_drain) {0};
	return pid < 0 ? -1 : (int64_t)(clock_us(usage.ru_utime) + clock_us(usage.ru_stime));
}
