/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * A log of the front end's decisions, for debugging. A decision is a line in a file, such as
 * "12.345 source: run 3 begins". The time is in ms since the file was opened. Samples and frames
 * are logged only if something is wrong with them.
 */

struct debug;

/* Appends to the file at path. If path is NULL or "", *debug is NULL. Returns 0 or -errno. */
int debug_open(const char *path, struct debug **debug);
void debug_close(struct debug *debug);
/*
 * -errno of the first line that could not be written, or 0. -EAGAIN: the file is a pipe that nobody
 * reads.
 */
int debug_error(const struct debug *debug);

/*
 * Logs a line for a part of the program, `room`, such as "screen". The arguments are not evaluated
 * if debug is NULL.
 */
#define DEBUG(debug, room, ...)                                                                    \
	do {                                                                                       \
		if (debug)                                                                         \
			debug_write((debug), (room), __VA_ARGS__);                                 \
	} while (0)
void debug_write(struct debug *debug, const char *room, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
