/* SPDX-License-Identifier: MIT */
#pragma once

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log_schema.h"
#include "core/sample.h"

/* One row of a log: libcsv's cells as numbers and texts by column. */

#define LOG_FILE_COLUMNS 256 /* a file may have more than ours; those beyond are passed over */

/* The states of a cell; an empty cell has none. */
enum log_cell {
	LOG_CELL_PRESENT = 1,
	LOG_CELL_BAD = 2,  /* no number */
	LOG_CELL_HUGE = 4, /* above INT64_MAX */
};

/* The cells from the run to the variables, as text and values: the same in all of a run. */
struct log_repeat {
	bool possible; /* these columns follow the record and the time in this file */
	size_t n;      /* bytes, with the comma after them; 0: none */
	char bytes[SAMPLE_LABEL + VARIABLES_TEXT + 64];
	uint8_t state[LOG_VARIABLES + 1 - LOG_RUN];
	int64_t number[LOG_VARIABLES + 1];
};

struct log_cells {
	const struct log_schema *schema;
	struct csv_parser csv;
	uint8_t map[LOG_FILE_COLUMNS]; /* the file's columns to ours, or LOG_NONE */
	unsigned n_columns;	       /* in the header; 0: none yet */
	unsigned fields, rows;	       /* of the line that is being parsed */

	uint8_t state[LOG_NONE]; /* enum log_cell, or'ed */
	int64_t number[LOG_NONE];
	char record[16], status[16], kind[16];
	char model[SAMPLE_LABEL], variables[VARIABLES_TEXT], subject[SAMPLE_LABEL];
	char value[SAMPLE_COMMAND], command[SAMPLE_COMMAND];
	struct log_repeat repeat;
};

void log_cells_init(struct log_cells *cells, const struct log_schema *schema);
void log_cells_free(struct log_cells *cells);
/* Takes the header row, its line's end included. 0 or -EPROTO: not that of a log. */
int log_cells_header(struct log_cells *cells, const char *line, size_t n);
/* Takes one line, its end included. 1: a row; 0: a blank line; -1 with why it is none. */
int log_cells_row(struct log_cells *cells, const char *line, size_t n, const char **why);

/* Makes all of them empty. */
void log_cells_clear(struct log_cells *cells);

/* The cell's text as in the file, to compare with; "" where it is empty. */
const char *log_cells_text(const struct log_cells *cells, unsigned column);
/* Copies the cell's text without control characters, to keep and show. */
void log_cells_copy(const struct log_cells *cells, unsigned column, char *to, size_t size);
bool log_cells_has(const struct log_cells *cells, unsigned column);
/* The file has the column at all. */
bool log_cells_in_header(const struct log_cells *cells, unsigned column);
/* Into the member at base + offset; an empty cell is not known. False: it does not fit. */
bool log_cells_get(const struct log_cells *cells, const struct log_field *field, void *base);
/* All fields of a record; the one that does not fit, or NULL. */
const struct log_field *log_cells_get_all(const struct log_cells *cells,
					  const struct log_field *fields, void *base);
/* Puts a value that was read as text in the column's place, as if the cell held it. */
void log_cells_put_number(struct log_cells *cells, unsigned column, const char *text, size_t n);
