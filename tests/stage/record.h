/* SPDX-License-Identifier: MIT */
#pragma once

#include "stage/synthetic.h"

/* Recordings of made-up sessions. */

/* Records a sample. For synthetic_play(): log is a struct log_writer. */
int record_sample(void *log, const struct sample *sample);
/* Records the session into a new file, compressed as the file's name says. */
void record_file(const char *path, const struct synthetic *session);
/*
 * Records the session into memory. Returns the bytes with a NUL after them, and their number in *n.
 * The caller frees them.
 */
char *record_bytes(const struct synthetic *session, size_t *n);
/* Makes an empty file in memory. */
int record_memory(void);
