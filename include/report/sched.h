/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/model.h"

/* Where it is known from when workers were on a core, in words; each but the first returns buf. */

#define SCHED_TEXT     256
#define SCHED_SENTENCE (2 * SCHED_TEXT + 64)

/* The session may have slices. */
bool sched_wanted(const struct model *model);

/*
 * "kernel records, exact, 0 lost": source, resolution and what the run lost, of all counted runs
 * with run NULL; "" where there is none, "?" for what is not known.
 */
char *sched_source(const struct model *model, const struct model_run *run, char *buf, size_t size);
/* Why wake-ups after a block are not known, and what would help; "" where they are, and of old. */
char *sched_no_wakes(const struct model *model, char *buf, size_t size);
/*
 * That a session has no lanes though its source is on, and what would give them, or why that is not
 * allowed; "" where it has. brief is at most 29 columns wide.
 */
char *sched_no_lanes(const struct model *model, bool brief, char *buf, size_t size);
/* A sentence of all: for texts. "" of sessions without a source. */
char *sched_sentence(const struct model *model, char *buf, size_t size);
