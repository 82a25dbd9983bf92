/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * A log of the front end's decisions, for debugging. Each is a line in a file, "12.345 source: run
 * 3 begins"; the time is in ms since the file was opened. Samples and frames are logged only if
 * they are out of order.
 */

struct debug;

/* Appends to the file at path. If path is NULL or "", *debug is NULL. Returns 0 or -errno. */
int debug_open(const char *path, struct debug **debug);
void debug_close(struct debug *debug);
/* -errno of the first line that could not be written, -EAGAIN: to a pipe that nobody reads; 0. */
int debug_error(const struct debug *debug);

/* Logs a line for a room. If debug is NULL, the arguments are not evaluated. */
#define DEBUG(debug, room, ...)                                                                    \
	do {                                                                                       \
		if (debug)                                                                         \
			debug_write((debug), (room), __VA_ARGS__);                                 \
	} while (0)
void debug_write(struct debug *debug, const char *room, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
