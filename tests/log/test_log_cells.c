/* SPDX-License-Identifier: MIT */
#include "log/log_parts.h"

#include "stage/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stage/seed.h"

enum { LINE = 4096, ROWS = 20000 };

/* What libcsv alone finds in a row. */
struct witness {
	unsigned fields, rows;
	char cells[LOG_FILE_COLUMNS][64];
};

static void see_cell(void *bytes, size_t n, void *arg)
{
	struct witness *witness = arg;

	assert_true(witness->fields < LOG_FILE_COLUMNS && n < sizeof(witness->cells[0]));
	memcpy(witness->cells[witness->fields], bytes, n);
	witness->cells[witness->fields++][n] = '\0';
}

static void see_row(int end, void *arg)
{
	struct witness *witness = arg;

	witness->rows++;
}

static bool see(struct witness *witness, const char *line)
{
	struct csv_parser csv;
	bool good;

	memset(witness, 0, sizeof(*witness));
	csv_init(&csv, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL);
	good = csv_parse(&csv, line, strlen(line), see_cell, see_row, witness) == strlen(line);
	csv_free(&csv);
	return good && witness->rows == 1;
}

/* Makes cells of all kinds, most of them empty. Quotes hide runs of commas. */
static void draw_row(char *line, unsigned columns)
{
	static const char *const words[] = {"7", "1234567", " 5", "-3", "\"1,,,,,,,,,,2\"", "\"\""};
	unsigned at = (unsigned)random() % 3 ? columns : columns + (unsigned)random() % 3 - 1;

	line += sprintf(line, "slice,%ld,1,2,3,4,threads,,", random() % 1000);
	for (unsigned i = LOG_ID; i < at; i++) {
		if (random() % 12 == 0)
			line += sprintf(line, "%s", words[(unsigned)random() % 6]);
		if (i + 1 < at)
			line += sprintf(line, ",");
	}
	sprintf(line, "\r\n");
}

static bool is_text(const struct log_schema *schema, unsigned column)
{
	return column == schema->command || column == schema->printed ||
	       column == schema->printed_unit || column == LOG_RECORD || column == LOG_MODEL ||
	       column == LOG_VARIABLES || column == LOG_SUBJECT || column == LOG_STATUS ||
	       column == LOG_VALUE || column == LOG_KIND;
}

static void assert_cell(const struct log_cells *cells, unsigned column, const char *seen)
{
	if (cells->map[column] == LOG_NONE)
		return;
	assert_int_equal(log_cells_has(cells, column), *seen != '\0');
	if (*seen == '\0' || (!is_text(cells->schema, column) && strchr(seen, ',')))
		return;
	if (is_text(cells->schema, column))
		assert_string_equal(log_cells_text(cells, column), seen);
	else
		assert_int_equal(cells->number[column], strtoll(seen, NULL, 10));
}

static void rows_have_the_cells_that_libcsv_finds(void **state)
{
	static struct log_schema schema;
	static struct log_cells cells;
	static struct witness seen;
	char line[LINE] = "";
	int rows = 0;

	seed_random();
	log_schema_init(&schema);
	log_cells_init(&cells, &schema);
	for (unsigned i = 0; i < schema.n_columns; i++)
		sprintf(line + strlen(line), "%s%s", i ? "," : "", schema.columns[i]);
	strcat(line, "\r\n");
	assert_int_equal(log_cells_header(&cells, line, strlen(line)), 0);
	for (int i = 0; i < ROWS; i++) {
		const char *why;
		bool whole;

		draw_row(line, schema.n_columns);
		whole = see(&seen, line) && seen.fields == schema.n_columns;
		rows += whole;
		assert_int_equal(log_cells_row(&cells, line, strlen(line), &why), whole ? 1 : -1);
		for (unsigned column = 0; whole && column < schema.n_columns; column++)
			assert_cell(&cells, column, seen.cells[column]);
	}
	assert_in_range(rows, ROWS / 3, ROWS);
	log_cells_free(&cells);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_have_the_cells_that_libcsv_finds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
