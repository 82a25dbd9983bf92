/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/model.h"

/*
 * A table of CSV (RFC 4180, lines end with \n): a row each observation, an empty cell is not known.
 *
 * The last columns of all tables are those by which they join: run, of tables of workers also
 * worker_id and parent_id, then session, host, and var_NAME for each variable that any case has. A
 * run has one number in the whole export, a session one name.
 */
struct csv_row {
	FILE *out;
	bool inside; /* the row has a cell already */
	const struct model *model;
	char (*sessions)[SAMPLE_LABEL + 64]; /* by origin; one where there is none */
	struct csv_column *columns;	     /* of variables */
	size_t n_columns;
};

/* The model stays as it is meanwhile. 0, or -ENOMEM: then there is nothing to close. */
int csv_row_open(struct csv_row *row, const struct model *model, FILE *out);
/* 0 or -errno of the writing. */
int csv_row_close(struct csv_row *row);

/*
 * A text that a reader would take for something else (a formula, a missing value, another number)
 * gets an apostrophe in front, and so does one that begins with an apostrophe.
 */
void csv_row_text(struct csv_row *row, const char *text);
/* The same of a name, which is no number either: a program may be called 1.1. */
void csv_row_name(struct csv_row *row, const char *name);
/* Whole; unknown below 0. */
void csv_row_number(struct csv_row *row, int64_t value);
/* Any number of 64 bits, where it is known. */
void csv_row_unsigned(struct csv_row *row, bool known, uint64_t value);
/* The number of the last digits that are decimals; values below 0 are unknown. */
void csv_row_decimal(struct csv_row *row, int64_t value, int decimals);
/* A worker's name: "w4.2", which no reader takes for a number; "w1 cpu" in a set. */
void csv_row_place(struct csv_row *row, const struct plan *plan, uint32_t index);
/* A kind of work: "nothing" for null, which would be a missing value. */
void csv_row_work(struct csv_row *row, const char *name);
void csv_row_end(struct csv_row *row);

/*
 * The runs that tables are about: counted ones that have begun by now, ended or not. The next one
 * after run, the first for NULL; NULL after the last.
 */
const struct model_run *csv_row_next_run(const struct model *model, const struct model_run *run);
/* The first cells of every row: trial, model. */
void csv_row_run(struct csv_row *row, const struct model_run *run);
/* The names of the columns by which tables join. */
void csv_row_key_names(struct csv_row *row, bool workers);
/* Their cells; ids: of the worker and its parent, -1: no worker; NULL: no table of workers */
void csv_row_keys(struct csv_row *row, const struct model_run *run, const int64_t *ids);
