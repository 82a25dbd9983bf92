/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/options.h"
#include "source/source.h"

struct log_writer;

/*
 * The run without a screen: progress on standard error, the result on standard output in the
 * chosen format; on standard error where the log takes standard output. Where somebody follows the
 * log through a pipe, perhaps on the same terminal, only what the log cannot hold is said, and the
 * pipe's end is the session's, as by SIGPIPE. log may be NULL. Returns the exit status of the
 * program, with messages already given.
 * SIGINT, SIGTERM and SIGHUP end the run cleanly. They and SIGPIPE are left blocked, so that a
 * second one does not keep the caller from closing what it opened; whoever starts a program sets
 * its mask.
 */
int batch_run(const struct options *options, struct source *source, struct log_writer *log);

/*
 * The self-test: progress on standard error, the table or its JSON on standard output. Returns the
 * exit status of the program: 0 all is as expected, 1 something is not, or could not be done.
 * The signals that end it are left blocked, as by batch_run().
 */
int self_test_run(const struct options *options);
