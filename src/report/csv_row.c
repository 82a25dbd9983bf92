/* SPDX-License-Identifier: MIT */
#include "report/csv_row.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "csv_misread.h"

static void csv_row_comma(struct csv_row *row)
{
	if (row->inside)
		fputc(',', row->out);
	row->inside = true;
}

static void write_text(struct csv_row *row, const char *text, bool misread)
{
	bool quoted = strpbrk(text, ",\"") != NULL;
	char utf8[UTF8_BYTES];
	uint32_t character;

	csv_row_comma(row);
	if (quoted)
		fputc('"', row->out);
	if (misread)
		fputc('\'', row->out);
	while ((character = utf8_next_printable(&text)) != 0)
		fputs(character == '"' ? "\"\"" : utf8_encode(character, utf8), row->out);
	if (quoted)
		fputc('"', row->out);
}

void csv_row_text(struct csv_row *row, const char *text)
{
	write_text(row, text, csv_misread(text));
}

void csv_row_name(struct csv_row *row, const char *name)
{
	write_text(row, name, csv_misread(name) || csv_is_number(name));
}

void csv_row_number(struct csv_row *row, int64_t value)
{
	csv_row_comma(row);
	if (value >= 0)
		fprintf(row->out, "%" PRId64, value);
}

void csv_row_unsigned(struct csv_row *row, bool known, uint64_t value)
{
	csv_row_comma(row);
	if (known)
		fprintf(row->out, "%" PRIu64, value);
}

void csv_row_id(struct csv_row *row, int64_t value)
{
	csv_row_comma(row);
	fprintf(row->out, "%" PRId64, value);
}

/* The digits come from whole numbers: the decimal point of %f depends on the locale. */
void csv_row_decimal(struct csv_row *row, int64_t value, int decimals)
{
	int64_t scale = 1;

	for (int i = 0; i < decimals; i++)
		scale *= 10;
	csv_row_number(row, value < 0 ? -1 : value / scale);
	if (value >= 0 && decimals > 0)
		fprintf(row->out, ".%0*" PRId64, decimals, value % scale);
}

void csv_row_end(struct csv_row *row)
{
	fputc('\n', row->out);
	row->inside = false;
}

const struct model_run *csv_row_next_run(const struct model *model, const struct model_run *run)
{
	/* Without runs there is no array. */
	const struct model_run *end = model->n_runs > 0 ? model->runs + model->n_runs : NULL;

	for (run = run ? run + 1 : model->runs; run < end; run++) {
		if (run->id.trial > 0 && run->begin_ns <= model->now_ns &&
		    !model_is_replaced(model, run))
			return run;
	}
	return NULL;
}

/* Of recordings that were joined, session and host say which: " @" with its name is left out. */
void csv_row_run(struct csv_row *row, const struct model *model, const struct model_run *run)
{
	const struct model_origin *origin = model_origin(model, run->id.case_id);
	char name[SAMPLE_MODEL];
	size_t length, tail;

	snprintf(name, sizeof(name), "%s", model->cases[run->id.case_id].model);
	length = strlen(name);
	tail = origin ? strlen(" @") + strlen(origin->name) : 0;
	if (tail > 0 && tail < length && strcmp(name + length - tail + 2, origin->name) == 0)
		name[length - tail] = '\0';
	csv_row_number(row, run->id.trial);
	csv_row_name(row, name);
}
