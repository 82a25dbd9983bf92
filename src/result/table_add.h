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
/* The medians of a case in the metrics of the columns from that one on. */
void table_add_medians(struct table *table, const struct model *model, uint32_t case_id,
		       size_t column);
/* After what was noted before. */
void table_note(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_fail(struct table *table, int err);

/* Notes where user and system time are known from, and why they are not. */
void table_note_split(const struct model *model, struct table *table);

/* What verdicts are about: "elapsed" or "until the task runs". */
const char *table_headline(const struct model *model);

/* The rows of tables. */
void table_answer(const struct model *model, struct table *table);
void table_levels(const struct model *model, struct table *table);
void table_operations(const struct model *model, struct table *table);
void table_latency(const struct model *model, struct table *table);
void table_path(const struct model *model, struct table *table);
void table_faults(const struct model *model, struct table *table);
void table_steps(const struct model *model, struct table *table);
void table_messages(const struct model *model, struct table *table);
void table_tasks(const struct model *model, struct table *table);
void table_pool(const struct model *model, struct table *table);
void table_counters(const struct model *model, struct table *table);
void table_why(const struct model *model, struct table *table);
void table_wakes(const struct model *model, struct table *table);
void table_speedup(const struct model *model, struct table *table);
void table_scaling(const struct model *model, struct table *table);
void table_comparison(const struct model *model, struct table *table);
void table_pivot(const struct model *model, struct table *table);
void table_values(const struct model *model, struct table *table);
void table_crossover(const struct model *model, struct table *table);
