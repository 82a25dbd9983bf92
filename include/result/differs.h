/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/reason.h"
#include "model/model.h"

/*
 * Explains the difference between two programs' times by how their tasks spent the time. Compares
 * the parts of their paths, enum model_program_part, trial by trial. A part is named if the elapsed
 * times differ significantly, the part differs significantly in the same direction, and it makes up
 * at least a fifth of the difference.
 */

struct differs_part {
	struct model_comparison difference; /* b - a, in ns */
	/* Share of the whole difference; NaN if the whole difference is not significant. */
	double share;
	bool named;
	enum reason reason; /* Why the part is not judged, or REASON_NONE. */
};

struct differs {
	struct model_comparison whole;
	uint32_t n; /* Number of parts; 0: the parts are unknown. */
	struct differs_part parts[PROGRAM_PARTS];
	/* By how much a part that is a wait may be wrong, in both directions, ns. */
	double unknown_ns;
	enum reason reason; /* Why no part is named; REASON_NONE if at least one is. */
};

/*
 * Reads the parts. Returns whether both cases run programs whose tasks are observed. If memory is
 * short, there are no parts.
 */
bool differs_read(const struct model *model, uint32_t a, uint32_t b, struct differs *out);
/*
 * Writes a sentence such as "80 % of the difference is waiting for a lock (GIL)."; "" if no part is
 * named. Returns buf.
 */
char *differs_sentence(const struct differs *differs, char *buf, size_t size);
/*
 * Writes the sentence for the pair that model_parts_pair() chooses. If this returns false, buf is
 * "", or says why the parts of a significant difference are unknown.
 */
bool differs_of_session(const struct model *model, char *buf, size_t size);
