/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "log/log.h"
#include "cli/options.h"

/* The place of a session's log: a file that the user names, the state folder, standard output. */
struct recording {
	struct log_writer *log; /* NULL: nothing is recorded */
	char path[PATH_MAX];	/* "" where it has none */
	const char *name;	/* of the file without its folder, NULL where it has none */
	bool recorded;		/* once it is closed: something is there */
	char notice[512];	/* one line about a default place that could not be used, "" */
};

/*
 * Opens it as the options say. A file that holds something already is never written to. 0, or
 * -errno with one line in error; where the default place cannot be used the session goes on
 * without a log and notice says so.
 */
int recording_open(struct recording *recording, const struct options *options,
		   const char *experiment, char *error, size_t size);
/*
 * Flushes and closes; its path stays. A file in which nothing could be written is removed. 0 or
 * -errno with one line in error.
 */
int recording_close(struct recording *recording, char *error, size_t size);
