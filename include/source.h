/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_SOURCE_H
#define TUIBENCH_SOURCE_H

#include <stdint.h>

#include "sample.h"

/* Where samples come from: a live run or a recording. Nobody above can tell which. */

enum source_command {
	SOURCE_START,	 /* ends the wait of --hold */
	SOURCE_PAUSE,	 /* toggles */
	SOURCE_ONE_MORE, /* one more trial of every case */
	SOURCE_STOP,	 /* end the run that goes on as interrupted, plan no more */
};

struct source {
	const struct source_ops *ops;
};

struct source_ops {
	/* A descriptor that polls readable when next() may have something. Owned by the source. */
	int (*fd)(struct source *source);
	/* The next sample: 1, 0 none for now, -errno when the source is broken for good. */
	int (*next)(struct source *source, struct sample *sample);
	/* 0, or -ENOTSUP where the source cannot do that (a recording is not run again). */
	int (*control)(struct source *source, enum source_command command);
	/* Ends everything it started, waits for it, removes its files, frees itself. */
	void (*close)(struct source *source);
};

struct experiment;

/*
 * Runs an experiment. The experiment stays the caller's and must outlive the source.
 * NULL, with a line for the user in error[size].
 */
struct source *source_live_open(const struct experiment *experiment, char *error, size_t size);

#endif
