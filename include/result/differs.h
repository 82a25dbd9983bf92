/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/reason.h"
#include "model/model.h"

/*
 * Explains why two programs differ in time by how their tasks spent it. Compares, trial by trial,
 * the parts of the path through their tasks (enum model_program_part). A part is named if the
 * elapsed times differ significantly, the part differs significantly in the same direction, and it
 * makes up at least a fifth of the difference. A wait is named only if the time blocked for unknown
 * causes is too short to change this. If no single wait is named, all waits together are one part.
 */

struct differs_part {
	struct model_comparison difference; /* b - a, in ns */
	/* Share of the whole difference; NaN if the whole difference is not significant. */
	double share;
	bool named;
	/*
	 * REASON_SHORT_WAITS if time blocked for an unknown cause makes this wait uncertain.
	 * Otherwise REASON_NONE.
	 */
	enum reason reason;
};

struct differs {
	struct model_comparison whole;
	struct model_comparison elapsed; /* The ratio of the elapsed times, as in the answer. */
	uint32_t n;			 /* Number of parts; 0: the parts are unknown. */
	struct differs_part parts[PROGRAM_PARTS];
	/* All waits together. Judged only if no single wait is named. */
	struct differs_part blocked;
	/*
	 * The lock on which the tasks of the slower case were blocked longest, as far as the causes
	 * were read (enum sample_wait). 0: no lock, or unknown.
	 */
	int lock;
	char between[256]; /* " between A and B"; "" if the session has only these two cases. */
	/*
	 * Time blocked for an unknown cause, ns. The difference of a wait may be larger or smaller
	 * by this much.
	 */
	double unknown_ns;
	enum reason reason; /* Why no part is named. REASON_NONE: at least one part is named. */
};

/*
 * Reads the parts of cases a and b. Returns whether both cases run programs whose tasks are
 * observed. Also returns false if memory is short.
 */
bool differs_read(const struct model *model, uint32_t a, uint32_t b, struct differs *out);
/*
 * Writes a sentence such as "80 % of the difference is waiting for a lock (GIL).", or "" if no part
 * is named. Returns buf.
 */
char *differs_sentence(const struct differs *differs, char *buf, size_t size);
/*
 * How many times as much CPU time a program needs as a faster one, if the difference is real and
 * not small; otherwise 0.
 */
double differs_more_cpu(const struct model *model, uint32_t shorter, uint32_t longer);
/*
 * Writes the sentence for the pair that model_parts_pair() chooses. Returns true if a part is
 * named. Otherwise, buf is "", or says why a significant difference is unexplained.
 */
bool differs_of_session(const struct model *model, char *buf, size_t size);
