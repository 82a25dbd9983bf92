/* SPDX-License-Identifier: MIT */
#include "log_cells.h"

#include <errno.h>
#include <string.h>

/*
 * Strict, because the lax mode takes everything up to the end of the file for a cell whose quote
 * does not end. Still libcsv accepts NUL bytes and rows of any length: both are looked for here.
 */
static void start_parser(struct log_cells *cells)
{
	csv_init(&cells->csv, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL);
}

void log_cells_init(struct log_cells *cells)
{
	memset(cells, 0, sizeof(*cells));
	start_parser(cells);
}

void log_cells_free(struct log_cells *cells)
{
	csv_free(&cells->csv);
}

/* libcsv's parser cannot go on after an error, nor out of a quote. */
static void restart_parser(struct log_cells *cells)
{
	csv_free(&cells->csv);
	start_parser(cells);
}

static void on_row(int end, void *arg)
{
	struct log_cells *cells = arg;

	cells->rows++;
}

static uint8_t column_of(const char *name, size_t n)
{
	for (uint8_t i = 0; i < LOG_COLUMNS; i++)
		if (strlen(log_schema_columns[i]) == n &&
		    memcmp(log_schema_columns[i], name, n) == 0)
			return i;
	return LOG_COLUMNS;
}

static void on_name(void *bytes, size_t n, void *arg)
{
	struct log_cells *cells = arg;
	unsigned field = cells->fields++;
	uint8_t column = column_of(bytes, n);

	if (field >= LOG_FILE_COLUMNS)
		return;
	/* Of two columns with one name the first counts. */
	if (column < LOG_COLUMNS && (cells->present >> column & 1))
		column = LOG_COLUMNS;
	else if (column < LOG_COLUMNS)
		cells->present |= UINT64_C(1) << column;
	cells->map[field] = column;
}

int log_cells_header(struct log_cells *cells, const char *line, size_t n)
{
	const uint64_t least = UINT64_C(1) << LOG_RECORD | UINT64_C(1) << LOG_TIME;
	const size_t mark = n >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	cells->fields = 0;
	cells->rows = 0;
	cells->present = 0;
	if (csv_parse(&cells->csv, line + mark, n - mark, on_name, on_row, cells) != n - mark ||
	    cells->rows != 1 || (cells->present & least) != least)
		return -EPROTO;
	cells->n_columns = cells->fields;
	return 0;
}

/* The place of a text column's text; NULL for a column of numbers. */
static char *text_place(struct log_cells *cells, unsigned column, size_t *size)
{
	switch (column) {
	case LOG_RECORD:
		*size = sizeof(cells->record);
		return cells->record;
	case LOG_STATUS:
		*size = sizeof(cells->status);
		return cells->status;
	case LOG_MODEL:
		*size = sizeof(cells->model);
		return cells->model;
	case LOG_VARIABLES:
		*size = sizeof(cells->variables);
		return cells->variables;
	case LOG_SUBJECT:
		*size = sizeof(cells->subject);
		return cells->subject;
	case LOG_VALUE:
		*size = sizeof(cells->value);
		return cells->value;
	}
	return NULL;
}

void log_cells_put_number(struct log_cells *cells, unsigned column, const char *text, size_t n)
{
	bool negative = n > 0 && text[0] == '-', bad = n == negative;
	uint64_t number = 0;

	for (size_t i = negative; i < n; i++) {
		unsigned digit = (unsigned char)text[i] - (unsigned)'0';

		bad |= digit > 9 || __builtin_mul_overflow(number, 10u, &number) ||
		       __builtin_add_overflow(number, digit, &number);
	}
	cells->present |= UINT64_C(1) << column;
	if (bad || (negative && number > (uint64_t)INT64_MAX + 1))
		cells->bad |= UINT64_C(1) << column;
	else if (number > INT64_MAX && !negative)
		cells->huge |= UINT64_C(1) << column;
	cells->number[column] = (int64_t)(negative ? -number : number);
}

/* Called for every cell, of which most are empty. */
static void on_cell(void *bytes, size_t n, void *arg)
{
	struct log_cells *cells = arg;
	unsigned field = cells->fields++, column;
	size_t size;
	char *text;

	if (n == 0 || field >= LOG_FILE_COLUMNS || cells->map[field] == LOG_COLUMNS)
		return;
	column = cells->map[field];
	text = text_place(cells, column, &size);
	if (!text) {
		log_cells_put_number(cells, column, bytes, n);
		return;
	}
	log_schema_clean(text, size, bytes, n);
	cells->present |= UINT64_C(1) << column;
}

static bool is_blank(const char *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strchr(" \t\r\n", line[i]) || line[i] == '\0')
			return false;
	return true;
}

void log_cells_clear(struct log_cells *cells)
{
	cells->present = 0;
	cells->bad = 0;
	cells->huge = 0;
}

int log_cells_row(struct log_cells *cells, const char *line, size_t n, const char **why)
{
	size_t parsed;

	cells->fields = 0;
	cells->rows = 0;
	log_cells_clear(cells);
	*why = "a NUL byte";
	if (memchr(line, '\0', n))
		return -1;
	parsed = csv_parse(&cells->csv, line, n, on_cell, on_row, cells);
	if (parsed == n && cells->rows == 1 && cells->fields == cells->n_columns)
		return 1;
	if (parsed == n && cells->rows > 0) {
		*why = "not as many cells as the header has";
		return -1;
	}
	restart_parser(cells);
	*why = "a quote out of place or without an end";
	return is_blank(line, n) ? 0 : -1;
}

bool log_cells_has(const struct log_cells *cells, unsigned column)
{
	return cells->present >> column & 1;
}

const char *log_cells_text(const struct log_cells *cells, unsigned column)
{
	size_t size;

	/* text_place() is asked where, and changes nothing. */
	return log_cells_has(cells, column) ? text_place((struct log_cells *)cells, column, &size)
					    : "";
}

static bool get_signed(const struct log_cells *cells, unsigned column, int64_t least, int64_t most,
		       int64_t *number)
{
	*number = log_cells_has(cells, column) ? cells->number[column] : -1;
	return !((cells->bad | cells->huge) >> column & 1) && *number >= least && *number <= most;
}

static bool get_unsigned(const struct log_cells *cells, unsigned column, uint64_t most,
			 uint64_t *number)
{
	bool huge = cells->huge >> column & 1;

	*number = log_cells_has(cells, column) ? (uint64_t)cells->number[column] : 0;
	return !(cells->bad >> column & 1) && (huge || *number <= INT64_MAX) && *number <= most;
}

bool log_cells_get(const struct log_cells *cells, const struct log_field *field, void *base)
{
	void *member = (char *)base + field->offset;
	unsigned column = field->column;
	uint64_t u = 0;
	int64_t s = -1;
	bool fits = true;

	switch ((enum log_type)field->type) {
	case LOG_I16:
		fits = get_signed(cells, column, INT16_MIN, INT16_MAX, &s);
		*(int16_t *)member = (int16_t)s;
		break;
	case LOG_I32:
		fits = get_signed(cells, column, INT32_MIN, INT32_MAX, &s);
		*(int32_t *)member = (int32_t)s;
		break;
	case LOG_I64:
		fits = get_signed(cells, column, INT64_MIN, INT64_MAX, member);
		break;
	case LOG_U32:
		fits = get_unsigned(cells, column, UINT32_MAX, &u);
		*(uint32_t *)member = (uint32_t)u;
		break;
	case LOG_U64:
		fits = get_unsigned(cells, column, UINT64_MAX, member);
		break;
	case LOG_BOOL:
		fits = get_unsigned(cells, column, 1, &u);
		*(bool *)member = u == 1;
		break;
	case LOG_STATUS_NAME:
		*(uint8_t *)member = (uint8_t)sample_status_parse(log_cells_text(cells, column));
		break;
	case LOG_DOUBLE:
	case LOG_TEXT:
		break;
	}
	return fits;
}

const struct log_field *log_cells_get_all(const struct log_cells *cells,
					  const struct log_field *fields, void *base)
{
	for (; fields->column < LOG_COLUMNS; fields++)
		if (!log_cells_get(cells, fields, base))
			return fields;
	return NULL;
}
