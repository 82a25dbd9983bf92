/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

/*
 * Files by device and inode: a hard link, a symbolic one, /dev/fd/1 and a redirection of the shell
 * are names of one file. Two openings of it have two positions, and overwrite each other.
 */

/* Whether both names are one file; "-" is standard input. False where a file is missing. */
bool same_file(const char *a, const char *b);
/* Whether the descriptor is of that regular file; "-" is standard input. */
bool same_open_file(const char *name, int fd);
/*
 * Whether the name and the descriptor are one output: a file, a pipe or a terminal. A device that
 * keeps nothing, such as /dev/null, is never the same.
 */
bool same_output(const char *name, int fd);
/* Whether two descriptors are of one regular file. */
bool same_files_open(int a, int b);
/* Gives standard output and error one opening, if the shell has opened one file twice for them. */
void same_file_join_outputs(void);
/*
 * Standard error is a recording, and even the line that refuses this would be written to it: it
 * goes to standard output instead. If that is the same file, the status alone says it, unless the
 * file is empty.
 */
void same_file_divert_errors(void);
