/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stddef.h>

/*
 * The file that the io workers of a session copy. It has no name, so that nothing stays whatever
 * ends the session, and its runners open it through /proc. Where /proc is missing it has a name
 * until live_io_file_close().
 */
struct live_io_file {
	int fd;		     /* below 0: none */
	char name[PATH_MAX]; /* "": none */
};

/* In that folder, which exists; 0 or -errno. Made once; empty. */
int live_io_file_make(struct live_io_file *file, const char *dir);
/* Where a runner that has it as the descriptor fd opens it. */
void live_io_file_path(const struct live_io_file *file, int fd, char *buf, size_t size);
void live_io_file_close(struct live_io_file *file);
