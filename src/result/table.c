/* SPDX-License-Identifier: MIT */
#include "result/table.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "result/report.h"
#include "table_add.h"

void table_free(struct table *table)
{
	for (size_t i = 0; i < table->n_cells; i++)
		free(table->cells[i].words);
	free(table->cells);
	free(table->note);
	*table = (struct table) {0};
}

void table_fail(struct table *table, int err)
{
	if (!table->err)
		table->err = err;
}

static struct table_cell *add_cell(struct table *table)
{
	struct table_cell *cell = &table->spare;

	if (array_grow(&table->cells, table->n_cells, &table->cap_cells, sizeof(*cell)))
		cell = &table->cells[table->n_cells++];
	else
		table_fail(table, -ENOMEM);
	*cell = (struct table_cell) {.value = NAN, .high = NAN, .case_id = -1};
	return cell;
}

/* NULL, and the table has failed, without memory. */
__attribute__((format(printf, 2, 0))) static char *words(struct table *table, const char *format,
							 va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) >= 0)
		return text;
	table_fail(table, -ENOMEM);
	return NULL;
}

struct table_cell *table_add_words(struct table *table, const char *format, ...)
{
	struct table_cell *cell = add_cell(table);
	va_list args;

	if (cell == &table->spare)
		return cell;
	va_start(args, format);
	cell->words = words(table, format, args);
	va_end(args);
	return cell;
}

struct table_cell *table_add_case(struct table *table, const struct model *model, uint32_t case_id)
{
	struct table_cell *cell = table_add_words(table, "%s", MODEL_CASE_NAME(model, case_id));

	cell->case_id = (int32_t)case_id;
	return cell;
}

struct table_cell *table_add_value(struct table *table, double value)
{
	struct table_cell *cell = add_cell(table);

	cell->value = value;
	return cell;
}

struct table_cell *table_add_range(struct table *table, const struct stats_interval *interval,
				   const char *why)
{
	struct table_cell *cell =
		isnan(interval->low) ? table_add_words(table, "%s", why) : add_cell(table);

	cell->value = interval->low;
	cell->high = interval->high;
	return cell;
}

void table_add_times(struct table *table, const int64_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		table_add_value(table, fields_known(ns[i]));
}

void table_begin_columns(struct table *table, const char *title)
{
	table->columns = table->own;
	table->own[0] = (struct table_column) {title};
	table->n_columns = 1;
}

void table_add_column(struct table *table, const char *title, enum model_metric metric)
{
	table->own[table->n_columns++] =
		(struct table_column) {title, TABLE_RIGHT, TABLE_METRIC, metric};
}

void table_note(struct table *table, const char *format, ...)
{
	va_list args;
	char *note, *joined;

	va_start(args, format);
	note = words(table, format, args);
	va_end(args);
	if (table->note && note && asprintf(&joined, "%s %s", table->note, note) < 0) {
		table_fail(table, -ENOMEM);
	} else if (table->note && note) {
		free(table->note);
		table->note = joined;
	} else {
		free(table->note);
		table->note = note;
		return;
	}
	free(note);
}

size_t table_rows(const struct table *table)
{
	return table->n_columns ? table->n_cells / table->n_columns : 0;
}

const struct table_cell *table_cell(const struct table *table, size_t row, size_t column)
{
	return &table->cells[row * table->n_columns + column];
}

const char *table_title(const struct table_column *column)
{
	return column->title ? column->title : metric_table[column->metric].title;
}

static char *format(char *buf, size_t size, const struct table_column *column, double value)
{
	if (isnan(value))
		snprintf(buf, size, "?");
	else if (column->kind == TABLE_RATIO)
		claim_times(buf, size, value);
	else if (column->kind == TABLE_MICROS) /* with three digits: 0.024, 9.71, 51.0, 13469 */
		snprintf(buf, size, "%.*f",
			 value < 1000	  ? 3
			 : value < 10000  ? 2
			 : value < 100000 ? 1
					  : 0,
			 value / 1000);
	else
		metric_format(buf, size, column->metric, value);
	return buf;
}

const char *table_text(const struct table *table, size_t row, size_t column, const char *to,
		       char buf[TABLE_TEXT])
{
	const struct table_column *kind = &table->columns[column];
	const struct table_cell *cell = table_cell(table, row, column);
	char low[32], high[32];

	if (kind->kind == TABLE_WORDS || cell->instead)
		return cell->words ? cell->words : "";
	if (!kind->range || isnan(cell->value)) {
		bool known = !isnan(cell->value);

		snprintf(buf, TABLE_TEXT, "%s%s%s", known && cell->at_start ? "≥" : "",
			 known && cell->estimated ? "~" : "",
			 format(low, sizeof(low), kind, cell->value));
		return buf;
	}
	snprintf(buf, TABLE_TEXT, "%s%s%s", format(low, sizeof(low), kind, cell->value), to,
		 format(high, sizeof(high), kind, cell->high));
	return buf;
}
