/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_APP_H
#define TUIBENCH_APP_H

#include "options.h"
#include "source.h"

struct log_writer;

/*
 * The loop with a screen: samples into log and model, views onto the screen, keys. Returns the
 * exit status of the program, with the terminal given back.
 */
int app_run(const struct options *options, struct source *source, struct log_writer *log,
	    const char *log_name);

#endif
