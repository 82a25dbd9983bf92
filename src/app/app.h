/* SPDX-License-Identifier: MIT */
#pragma once

#include "again.h"
#include "options.h"
#include "source/source.h"

struct log_writer;
struct model;

/*
 * The loop with a screen: samples into log and model, views onto the screen, keys. The terminal is
 * standard input and output. log may be NULL, log_name too; source and log stay the caller's, who
 * closes them, and the run has been stopped. Returns the exit status of the program, with the
 * terminal given back and the errors of the session on standard error.
 * The signals that end a session, and SIGPIPE, are left blocked, so that a second one does not keep
 * the caller from closing what it opened. Where a key chose a session to follow, again has it.
 */
int app_run(const struct options *options, struct source *source, struct log_writer *log,
	    const char *log_name, struct again *again);
/* The same for a session that is complete already; takes the model's contents. */
int app_show(const struct options *options, struct model *model, const char *log_name,
	     struct again *again);
