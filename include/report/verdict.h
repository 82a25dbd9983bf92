/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "model/finding.h"

/* The plain sentence for the screen and every format: who leads, by how much, is it real. */

enum verdict_length {
	VERDICT_WHOLE,
	VERDICT_SHORT, /* of the runner-up; "" where there is no shorter way to say it */
	VERDICT_LEAST, /* who and how much; "" as well */
	VERDICT_LENGTHS
};

/* Returns buf, which is always terminated. */
char *verdict_of(const struct finding_list *list, enum verdict_length length, char *buf,
		 size_t size);
/* The whole one of what is known by now. */
char *verdict_read(const struct model *model, char *buf, size_t size);
