/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "model/finding.h"

/* The plain sentence for the screen and every format: who leads, by how much, is it real. */

#define VERDICT_TEXT  1536
#define VERDICT_BADGE 96

enum verdict_length {
	VERDICT_WHOLE,
	VERDICT_SHORT, /* without interval and times; "" where there is no shorter way to say it */
	VERDICT_LEAST, /* who and how much; "" as well */
	VERDICT_LENGTHS
};

/* Returns buf, which is always terminated. */
char *verdict_of(const struct finding_list *list, enum verdict_length length, char *buf,
		 size_t size);
/* The whole one of what is known by now. */
char *verdict_read(const struct model *model, char *buf, size_t size);
/*
 * The word before the sentence: "FASTER", "FASTER: mem", "SAME SPEED", "MEASURING 3/6", with
 * ", on a busy machine" where it was one, or ", busy" before the least sentence. "" where there is
 * no question.
 */
char *verdict_badge(const struct finding_badge *badge, enum verdict_length length, char *buf,
		    size_t size);
/* Its first words alone: "FASTER", "TOO CLOSE"; "" as well. */
const char *verdict_answer(const struct finding_badge *badge);
/* The same of what is known by now. */
char *verdict_badge_read(const struct model *model, char *buf, size_t size);
/* "[FASTER] Threads 239 ms, …": both in one line. */
char *verdict_line(const struct model *model, char *buf, size_t size);
