/* SPDX-License-Identifier: MIT */
#include "live_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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
 * Makes files in memory. errors_fd is not made if file sizes are limited (RLIMIT_FSIZE), because
 * the kernel would end a program that writes too much to it.
 */
void live_streams_open(struct live_run *run, const struct board_request *request, bool watch)
{
	/*
	 * Set an old access time, because read_nothing() looks for a later one, which a read sets.
	 */
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

/*
 * If standard error takes up more than ERRORS_MOST bytes of memory, all but the last ERRORS_KEPT
 * bytes are released.
 */
enum { ERRORS_MOST = 1 << 20, ERRORS_KEPT = 1 << 16 };

void live_streams_trim(const struct live_run *run)
{
	struct stat st;

	if (run->errors_fd >= 0 && fstat(run->errors_fd, &st) == 0 &&
	    st.st_blocks > ERRORS_MOST / 512)
		fallocate(run->errors_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
			  st.st_size - ERRORS_KEPT);
}

/* Removes escape sequences that move the cursor or set colours: ESC [ up to a letter. */
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
	if (run->errors_fd < 0 || run->command_tasks.nameless || fstat(run->errors_fd, &st) < 0)
		return buf;
	n = pread(run->errors_fd, text, sizeof(text) - 1,
		  MAX(0, st.st_size - (off_t)sizeof(text) + 1));
	text[MAX(0, n)] = '\0';
	for (ssize_t i = 0; i < n; i++)
		text[i] = (char)(text[i] ? text[i] : '\n');
	for (ssize_t i = 0; i < n; i++)
		text[i] = (char)(text[i] == '\t' ? ' ' : text[i]);
	drop_sequences(text);
	end = text + strlen(text);
	while (end > text && strchr(" \t\r\n\v\f", end[-1]))
		*--end = '\0';
	while ((end = strpbrk(line, breaks))) {
		char *next = end + 1 + strspn(end + 1, " \t\r\n\v\f");

		/*
		 * Skip "Try 'sort --help' for more information." and take the line before it, which
		 * has the error.
		 */
		if (strstr(next, "--help") && !strpbrk(next, breaks)) {
			*end = '\0';
			break;
		}
		line = next;
	}
	line += strspn(line, " \t");
	/* If the line was cut off, its last bytes may be an incomplete character. */
	snprintf(buf, size, "%s", line);
	if (strlen(line) >= size)
		utf8_trim(buf);
	utf8_mask(buf);
	return buf;
}

/* Starts a process that reads the descriptor to its end. */
static int start_drain(struct live_drain *drain, const char *runner, const char *metric, int from)
{
	char *argv[] = {(char *)LIVE_PROGRAM_RUNNER, (char *)"--discard", (char *)metric, NULL};
	struct live_spawn_fd files[] = {{from, STDIN_FILENO}, {-1, STDOUT_FILENO}};
	sigset_t all;
	int err;

	if (metric)
		drain->said_fd = memfd_create("tuibench-metric", MFD_CLOEXEC);
	else
		drain->said_fd = -1;
	files[1].from = drain->said_fd;
	/* The process blocks all signals, so that no key ends it. It ends when its input ends. */
	sigfillset(&all);
	err = live_spawn(&drain->pid, runner, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK, &all,
			 argv, environ, files, 2);
	if (err)
		live_close_fd(&drain->said_fd);
	return err;
}

int live_drain_start(struct live_drain *drain, const char *runner, const char *metric, int *fd)
{
	int ends[2], err;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	err = start_drain(drain, runner, metric, ends[0]);
	close(ends[0]);
	if (err)
		close(ends[1]);
	else
		*fd = ends[1];
	return err;
}

int64_t live_drain_end(struct live_drain *drain, char line[LIVE_LINE])
{
	struct rusage usage;
	ssize_t n = -1;
	pid_t pid;

	if (line)
		*line = '\0';
	if (drain->pid == 0)
		return -1;
	do
		pid = wait4(drain->pid, NULL, 0, &usage);
	while (pid < 0 && errno == EINTR);
	if (line && drain->said_fd >= 0)
		n = pread(drain->said_fd, line, LIVE_LINE - 1, 0);
	if (line)
		line[MAX(0, n)] = '\0';
	live_close_fd(&drain->said_fd);
	*drain = (struct live_drain) {0};
	if (pid < 0)
		return -1;
	return (int64_t)(clock_us(usage.ru_utime) + clock_us(usage.ru_stime));
}

/* Reads a line such as "requests 1234.5 req/s". */
static enum reason read_printed(const char *line, const char *metric, struct sample_totals *totals)
{
	const char *at = line + strlen(metric);
	size_t digits, unit;
	char *end;

	if (!*line)
		return REASON_NO_LINE;
	at += strspn(at, " \t");
	digits = strcspn(at, " \t\r");
	totals->printed = strtod(at, &end);
	/* Refuse inf, nan and hexadecimal numbers, because no program prints these as results. */
	if (digits == 0 || end != at + digits || strspn(at, "+0123456789.eE-") < digits ||
	    !(totals->printed >= 0 && totals->printed < 1e300)) {
		totals->printed = -1;
		return REASON_NO_NUMBER;
	}
	at += digits;
	at += strspn(at, " \t");
	unit = strcspn(at, " \t\r");
	snprintf(totals->printed_unit, sizeof(totals->printed_unit), "%.*s", (int)unit, at);
	utf8_trim(totals->printed_unit);
	utf8_mask(totals->printed_unit);
	return REASON_NONE;
}

void live_printed_read(struct live_run *run, const char *line, struct sample_totals *totals,
		       char *why, size_t size)
{
	const char *path = run->board->request.output_path;
	struct live_drain drain = {.pid = 0};
	char of_file[LIVE_LINE] = "";
	enum reason reason;
	int fd;

	if (!run->metric || totals->status != SAMPLE_OK)
		return;
	if (*path) {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (fd >= 0 && start_drain(&drain, run->runner, run->metric, fd) == 0)
			live_drain_end(&drain, of_file);
		live_close_fd(&fd);
		line = of_file;
	}
	reason = read_printed(line, run->metric, totals);
	totals->printed_reason = (int16_t)reason;
	if (reason == REASON_NO_LINE)
		snprintf(why, size, "-s metric=%s: the program printed no line \"%s VALUE UNIT\"",
			 run->metric, run->metric);
	else if (reason == REASON_NO_NUMBER && run->command_tasks.nameless)
		snprintf(why, size,
			 "-s metric=%s: the VALUE that the program printed is negative or not a "
			 "number",
			 run->metric);
	else if (reason == REASON_NO_NUMBER)
		snprintf(why, size,
			 "-s metric=%s: the program printed \"%.160s\", whose VALUE is negative "
			 "or not a number",
			 run->metric, line);
	utf8_mask(why);
}
