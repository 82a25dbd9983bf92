/* SPDX-License-Identifier: MIT */
#pragma once

#include "report/csv_row.h"

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
