/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_BATCH_H
#define TUIBENCH_BATCH_H

#include <stdio.h>

#include "model.h"
#include "options.h"
#include "source.h"

struct log_writer;

/*
 * The run without a screen: progress on standard error, the result on standard output in the
 * chosen format. Returns the exit status of the program.
 */
int batch_run(const struct options *options, struct source *source, struct log_writer *log);

#endif
