/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "lecturer.h"
#include "recording.h"

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
