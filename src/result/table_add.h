/* SPDX-License-Identifier: MIT */
#pragma once

#include "stats/stats.h"
#include "result/table.h"

/*
 * Filling a table, cell by cell and row after row. Each returns the new cell, which is valid until
 * the next one; where there is no memory, a spare one, and table->err says so at the end.
 */

struct table_cell *table_add_words(struct table *table, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
struct table_cell *table_add_case(struct table *table, const struct model *model, uint32_t case_id);
/* NaN: not known. */
struct table_cell *table_add_value(struct table *table, double value);
/* Its low and high end; `why` has the reason where they are not known. */
struct table_cell *table_add_range(struct table *table, const struct stats_interval *interval,
				   const char *why);
/* Times in ns, each in a cell; below 0: not known. */
void table_add_times(struct table *table, const int64_t *ns, size_t n);
/* Columns of its own: the first, of words, then those of metrics; NULL: a metric's title. */
void table_begin_columns(struct table *table, const char *title);
void table_add_column(struct table *table, const char *title, enum model_metric metric);
/* After what was noted before. */
void table_note(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_fail(struct table *table, int err);
