/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * The work of report 001: progA does it in processes, progB in threads, both with the same
 * arguments: cpu, mem or io, and the number of workers.
 */

/* Ends the program with status 2 and a line on standard error where the arguments are wrong. */
void worker_read(int argc, char **argv);
unsigned worker_count(void);
/* All the work of one worker. 0, or -errno. */
int worker_run(unsigned number);
