/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/model.h"

/* Rows of CSV (RFC 4180, lines end with \n): one observation each, an empty cell is not known. */
struct csv_row {
	FILE *out;
	bool inside; /* the row has a cell already */
};

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
void csv_row_end(struct csv_row *row);

/*
 * The runs that tables are about: counted ones that have begun by now, ended or not. The next one
 * after run, the first for NULL; NULL after the last.
 */
const struct model_run *csv_row_next_run(const struct model *model, const struct model_run *run);
/* The first cells of every row: trial, model. */
void csv_row_run(struct csv_row *row, const struct model *model, const struct model_run *run);

/*
 * The last columns of all tables that are exported as CSV, by which they join: run, of tables of
 * workers also worker_id and parent_id, then session, host, and var_NAME for each variable that
 * any case has. A run has one number in the whole export, a session one name.
 */
struct csv_keys;

/* NULL without memory; the caller's to free. The model stays as it is meanwhile. */
struct csv_keys *csv_keys_new(const struct model *model);
void csv_keys_free(struct csv_keys *keys);

/* The names, and the cells of a run. */
void csv_keys_names(struct csv_row *row, const struct csv_keys *keys);
void csv_keys_run(struct csv_row *row, const struct csv_keys *keys, const struct model_run *run);
/* The same of a worker; the index of its parent, or its own, is -1 where no worker is. */
void csv_keys_worker_names(struct csv_row *row, const struct csv_keys *keys);
void csv_keys_worker(struct csv_row *row, const struct csv_keys *keys, const struct model_run *run,
		     int64_t worker, int64_t parent);

/* A worker's name: "w4.2", which no reader takes for a number; "w1 cpu" in a set. */
void csv_keys_place(struct csv_row *row, const struct plan *plan, uint32_t index);
/* A kind of work: "nothing" for null, which would be a missing value. */
void csv_keys_work(struct csv_row *row, const char *name);
