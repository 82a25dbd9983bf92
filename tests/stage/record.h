/* SPDX-License-Identifier: MIT */
#pragma once

#include "stage/synthetic.h"

/* The log of a session that nobody ran. */

/* For synthetic_play(); its argument is a log_writer. */
int record_sample(void *log, const struct sample *sample);
/* As a new file, compressed as its name says. */
void record_file(const char *path, const struct synthetic *session);
/* As bytes with a NUL after them; the caller's. Their number goes to *n. */
char *record_bytes(const struct synthetic *session, size_t *n);
/* An empty file in memory. */
int record_memory(void);
