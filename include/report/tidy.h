/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_TIDY_H
#define TUIBENCH_TIDY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/model.h"

/* Rows of CSV (RFC 4180, lines end with \n): one observation each, an empty cell is not known. */
struct tidy {
	FILE *out;
	bool inside; /* the row has a cell already */
};

void tidy_text(struct tidy *tidy, const char *text);
/* Whole; unknown below 0. */
void tidy_number(struct tidy *tidy, int64_t value);
/* So many of the last digits are decimals; unknown below 0. */
void tidy_decimal(struct tidy *tidy, int64_t value, int decimals);
void tidy_end(struct tidy *tidy);

/*
 * The runs that tables are about: counted ones that have begun by now, ended or not. The next one
 * after run, the first for NULL; NULL after the last.
 */
const struct model_run *tidy_next_run(const struct model *model, const struct model_run *run);
/* The first cells of every row: trial, model (with its variables where the session has several). */
void tidy_run(struct tidy *tidy, const struct model *model, const struct model_run *run);

#endif
