/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "cli/options.h"
#include "log/log.h"
#include "lecturer.h"

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

/*
 * The recording of a lecture while it is held: one file, of which each session that runs or plays
 * is a part. A session's rows stay together: scenes that are shown while it goes on follow it.
 */
struct lecture_log {
	struct recording recording;
	const struct lecturer *lecturer;
	bool *recorded; /* scenes that are in it */
};

/* As recording_open(). To be freed in every case. */
int lecture_log_open(struct lecture_log *log, const struct options *options,
		     const struct lecturer *lecturer, char *error, size_t size);
/*
 * A session begins, by its own command line where it is not its scene's, NULL where it is: the
 * recording that it goes to, whose log is NULL where it is not recorded; not to be closed.
 */
struct recording lecture_log_begin(struct lecture_log *log, const struct options *options,
				   const char *command);
/* Writes the scenes that came last; the recording is the caller's to close. */
void lecture_log_end(struct lecture_log *log);
void lecture_log_free(struct lecture_log *log);
