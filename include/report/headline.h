/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "result/answer.h"

/* The answer in one line: a badge, and a sentence about the first headline metric. */

enum { HEADLINE_TEXT = 4096, HEADLINE_BADGE = 64 };

/*
 * "FASTER", "SAME SPEED", "TOO CLOSE", "WITHHELD" or "MEASURING 3/6", and of a busy machine
 * ", on a busy machine"; "" where there is nothing to compare. Returns buf.
 */
char *headline_badge(const struct answer *answer, const struct model *model, char *buf,
		     size_t size);
/* Its first words alone; "" as well. */
const char *headline_word(const struct answer *answer, const struct model *model);
/* "threads 499 ms, processes 522 ms (at most 4.6 % apart)". Returns buf. */
char *headline_sentence(const struct answer *answer, const struct model *model, char *buf,
			size_t size);
/* The same of another metric, of a session that has it; "" without memory. */
char *headline_of_metric(const struct model *model, enum model_metric metric, char *buf,
			 size_t size);
/* "[SAME SPEED] threads 499 ms, …": both, as of the model's now. */
char *headline_line(const struct model *model, char *buf, size_t size);
