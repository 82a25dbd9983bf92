/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * Decisions of the front end, for who looks for a fault: a line each in a file, "12.345 source: run
 * 3 begins". The time is in ms since the file was opened. Samples and frames say nothing unless
 * they are out of order.
 */

struct debug;

/* Appends to the file at path; for NULL and "" *debug is NULL. 0 or -errno. */
int debug_open(const char *path, struct debug **debug);
void debug_close(struct debug *debug);
/* -errno of the first line that could not be written, -EAGAIN: to a pipe that nobody reads; 0. */
int debug_error(const struct debug *debug);

/* A line of a room; where debug is NULL nothing is computed. */
#define DEBUG(debug, room, ...)                                                                    \
	do {                                                                                       \
		if (debug)                                                                         \
			debug_write((debug), (room), __VA_ARGS__);                                 \
	} while (0)
void debug_write(struct debug *debug, const char *room, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
