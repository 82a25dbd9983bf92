/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <sys/param.h>

#include "base/clock.h"
#include "work/work_file.h"

#define LINE (sizeof(WORK_HELLO_LINE) - 1)
/*
 * One line less than PIPE_BUF allows, because a C library may flush the next line together with the
 * full buffer.
 */
#define BUFFER (LINE * (PIPE_BUF / LINE - 1))

void sink_count(struct sink_count *count, const char *text, size_t size)
{
	if (size == 0 && count->at > 0)
		count->torn++;
	while (size > 0) {
		if (count->at == 0 && !count->bad && size >= LINE &&
		    memcmp(text, WORK_HELLO_LINE, LINE) == 0) {
			count->lines++;
			text += LINE;
			size -= LINE;
			continue;
		}
		count->bad |= count->at >= LINE || *text != WORK_HELLO_LINE[count->at];
		count->at++;
		if (*text == '\n') {
			count->lines += !count->bad;
			count->torn += count->bad;
			count->at = 0;
			count->bad = false;
		}
		text++;
		size--;
	}
}

bool sink_is_whole(const struct sink_count *count, uint64_t said)
{
	return count->lines == UINT64_MAX || (count->lines == said && count->torn == 0);
}

static int count_file(int fd, struct sink_count *count)
{
	char block[16384];
	ssize_t n;

	*count = (struct sink_count) {.lines = 0};
	do {
		n = read(fd, block, sizeof(block));
		if (n >= 0)
			sink_count(count, block, (size_t)n);
	} while (n > 0 || (n < 0 && errno == EINTR));
	if (n < 0)
		return -errno;
	return 0;
}

/* line: beginning of the current line. found: the last line that matched. */
struct lines {
	char line[SINK_LINE], found[SINK_LINE];
	size_t n;
};

static void lines_put(struct lines *lines, const char *text, size_t n)
{
	const size_t space = sizeof(lines->line) - 1 - lines->n;

	n = MIN(n, space);
	memcpy(lines->line + lines->n, text, n);
	lines->n += n;
}

static void lines_end(struct lines *lines, const char *name)
{
	const size_t n = strlen(name);

	lines->line[lines->n] = '\0';
	if (lines->n > n && memcmp(lines->line, name, n) == 0 && strchr(" \t", lines->line[n]))
		memcpy(lines->found, lines->line, sizeof(lines->found));
	lines->n = 0;
}

void sink_discard(const char *name)
{
	struct lines lines = {.n = 0};
	char block[16384], *at, *end;
	ssize_t n = 1;

	while (n > 0 || (n < 0 && errno == EINTR)) {
		n = read(STDIN_FILENO, block, sizeof(block));
		if (!name || n < 0)
			continue;
		for (at = block; at < block + n; at = end + 1) {
			const size_t left = (size_t)(block + n - at);

			end = memchr(at, '\n', left);
			if (!end) {
				lines_put(&lines, at, left);
				break;
			}
			lines_put(&lines, at, (size_t)(end - at));
			lines_end(&lines, name);
		}
	}
	if (!name)
		return;
	lines_end(&lines, name);
	(void)!write(STDOUT_FILENO, lines.found, strlen(lines.found));
}

int sink_drain(void)
{
	struct sink_count count;
	int err = count_file(STDIN_FILENO, &count);

	if (err)
		return err;
	return work_file_write(STDOUT_FILENO, &count, sizeof(count));
}

static int open_pipe(struct sink *sink, const char *program)
{
	char *argv[] = {(char *)program, (char *)"--drain", NULL};
	posix_spawn_file_actions_t files;
	int lines[2], result[2], err;

	if (pipe2(lines, O_CLOEXEC))
		return -errno;
	if (pipe2(result, O_CLOEXEC)) {
		err = -errno;
		close(lines[0]);
		close(lines[1]);
		return err;
	}
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, lines[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, result[1], STDOUT_FILENO);
	err = -posix_spawn(&sink->drain, program, &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	close(lines[0]);
	close(result[1]);
	if (err) {
		sink->drain = 0;
		close(lines[1]);
		close(result[0]);
		return err;
	}
	sink->result_fd = result[0];
	return lines[1];
}

int sink_open(struct sink *sink, const struct board_request *request, const char *program)
{
	int fd = -EINVAL, err;

	*sink = (struct sink) {.result_fd = -1, .drain_us = UINT64_MAX};
	if (request->plan.leaves[WORK_HELLO] == 0)
		return 0;
	/* If the drain has died, write(2) must fail instead of killing the writer. */
	signal(SIGPIPE, SIG_IGN);
	if (request->sink == SINK_PIPE) {
		fd = open_pipe(sink, program);
	} else if (request->sink == SINK_FILE) {
		fd = work_file_unnamed(request->tmp_dir);
		if (fd >= 0 && fcntl(fd, F_SETFL, O_APPEND)) {
			err = -errno;
			close(fd);
			return err;
		}
	} else if (request->sink == SINK_NULL) {
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
		if (fd < 0)
			fd = -errno;
	}
	if (fd < 0)
		return fd;
	sink->buffer = malloc(BUFFER);
	if (sink->buffer)
		sink->out = fdopen(fd, "w");
	else
		sink->out = NULL;
	if (!sink->out) {
		close(fd);
		free(sink->buffer);
		return -ENOMEM;
	}
	setvbuf(sink->out, sink->buffer, _IOFBF, BUFFER);
	return 0;
}

int sink_close(struct sink *sink, struct sink_count *count)
{
	struct rusage usage;
	int err = 0, fd;
	pid_t pid;

	*count = (struct sink_count) {.lines = UINT64_MAX, .torn = UINT64_MAX};
	if (!sink->out)
		return 0;
	fd = fileno(sink->out);
	/* Only the file is open for reading; /dev/null is not. */
	if (!sink->drain && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR) {
		if (lseek(fd, 0, SEEK_SET) < 0)
			err = -errno;
		else
			err = count_file(fd, count);
	}
	fclose(sink->out);
	free(sink->buffer);
	if (!sink->drain)
		return err;
	/*
	 * All write ends were closed, so the drain ends. The kernel counts its CPU time from the
	 * spawn to the exit, so no part is missing.
	 */
	if (work_file_read(sink->result_fd, count, sizeof(*count)) != sizeof(*count))
		err = -EPIPE;
	close(sink->result_fd);
	do {
		pid = wait4(sink->drain, NULL, 0, &usage);
	} while (pid < 0 && errno == EINTR);
	if (pid == sink->drain)
		sink->drain_us = clock_us(usage.ru_utime) + clock_us(usage.ru_stime);
	return err;
}
