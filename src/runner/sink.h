/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/scoreboard.h"

/*
 * The place where hello workers write, and the count of what arrives there. The stream's size keeps
 * lines whole. A flush is a number of lines that one write(2) puts into a pipe or at a file's end
 * in one piece (PIPE_BUF, O_APPEND). The runner program started anew drains a pipe: outside of the
 * runner's memory, its workers and its CPUs (-s pin). It is reaped after the run's totals were
 * taken.
 */

struct sink {
	FILE *out; /* what workers write to; NULL: there are none */
	char *buffer;
	pid_t drain;	   /* 0: none */
	int result_fd;	   /* what the drain found */
	uint64_t drain_us; /* core time of the drain, once closed; UINT64_MAX: there is none */
};

/* The count of a reader of the lines so far. */
struct sink_count {
	uint64_t lines, torn; /* a piece that is no line, up to its newline, is torn */
	size_t at;	      /* characters of the line that is being read */
	bool bad;	      /* and it is none */
};

/*
 * 0 or -errno. Nothing is opened where the plan has no hello workers. program is the runner itself,
 * to be started as the drain.
 */
int sink_open(struct sink *sink, const struct board_request *request, const char *program);
/* Closes the stream and counts what arrived, if it can be: UINT64_MAX in both if not. 0, -errno. */
int sink_close(struct sink *sink, struct sink_count *count);

/* All lines that were said arrived, each in one piece; true where nothing was counted. */
bool sink_is_whole(const struct sink_count *count, uint64_t said);

/* The next piece of what arrived; size 0: its end. */
void sink_count(struct sink_count *count, const char *text, size_t size);
/* The drain: counts standard input, and writes what it found to standard output. 0 or -errno. */
int sink_drain(void);
