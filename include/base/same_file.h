/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

/*
 * Compares files by device and inode. Hard links, symbolic links, /dev/fd/1 and a shell's
 * redirection can all name the same file. A file that was opened twice has two positions, so two
 * writers would overwrite each other.
 */

/* Whether both names name the same file. "-" is standard input. False if a file does not exist. */
bool same_file(const char *a, const char *b);
/* Whether the descriptor is open on the named regular file. The name "-" is standard input. */
bool same_open_file(const char *name, int fd);
/*
 * Whether the name and the descriptor are the same output: a file, a pipe or a terminal. Here "-"
 * is a file of that name. False for devices that store nothing, such as /dev/null.
 */
bool same_output(const char *name, int fd);
/* Whether both descriptors are open on the same regular file. */
bool same_files_open(int a, int b);
/*
 * If standard output and standard error are one file that the shell opened twice, makes both share
 * one opening.
 */
void same_file_join_outputs(void);
/*
 * Call it before reporting that standard error is a recording, because the report would be written
 * into the recording. Sends errors to standard output instead. If standard output is that file too,
 * and the file is not empty, discards errors, so that only the exit status reports them.
 */
void same_file_divert_errors(void);
