/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stddef.h>

/* The paths of the programs that a live source starts. */

#define LIVE_PROGRAM_RUNNER "tuibench-runner"

/*
 * The runner: beside this program, where it was installed as seen from there, or where it was. 0,
 * or with one line in error -ENOENT where it is in none of them, -EACCES where it may not be run.
 */
int live_program_runner(char path[PATH_MAX], char *error, size_t size);
/* The shared object that own workers run: that path, or for "" the example beside the runner. */
void live_program_own(const char *runner, const char *work, char path[PATH_MAX]);
/* The program that tasks run, which lies beside the runner: the same. */
int live_program_child(const char *runner, char path[PATH_MAX], char *error, size_t size);
