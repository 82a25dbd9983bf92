/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/reason.h"
#include "model/model.h"

/*
 * How the tasks of two programs spent the time by which the programs differ: the parts of their
 * paths, enum model_program_part, trial by trial. A part is named if the elapsed times differ
 * significantly, the part does so too in the same direction, and it is a fifth of the difference or
 * more.
 */

struct differs_part {
	struct model_comparison difference; /* b - a, in ns */
	double share; /* share of the whole difference; NaN: that difference is not significant */
	bool named;
	enum reason reason; /* why it is not judged; REASON_NONE */
};

struct differs {
	struct model_comparison whole;
	uint32_t n; /* 0: the parts are not known */
	struct differs_part parts[PROGRAM_PARTS];
	double unknown_ns;  /* for a part that is waiting: uncertainty in both directions */
	enum reason reason; /* why no part is named; REASON_NONE: one is */
};

/* Whether both cases run programs whose tasks are looked at. Without memory there are no parts. */
bool differs_read(const struct model *model, uint32_t a, uint32_t b, struct differs *out);
/* "80 % of the difference is waiting for a lock (GIL)."; "": no part is named. Returns buf. */
char *differs_sentence(const struct differs *differs, char *buf, size_t size);
/*
 * The same for the pair that model_parts_pair() chooses. False: buf is "", or says why the parts of
 * a significant difference are unknown.
 */
bool differs_of_session(const struct model *model, char *buf, size_t size);
