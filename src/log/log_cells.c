/* SPDX-License-Identifier: MIT */
#include "log_parts.h"
#include "core/sample_worker.h"

#include <errno.h>
#include <string.h>
#include <sys/param.h>

/*
 * The parser is strict, because in its lax mode a cell with an unclosed quote extends to the end of
 * the file. libcsv accepts NUL bytes and long rows; log_cells_row() and log_read.c refuse them.
 */
static void start_parser(struct log_cells *cells)
{
	csv_init(&cells->csv, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL);
}

void log_cells_init(struct log_cells *cells, const struct log_schema *schema)
{
	memset(cells, 0, sizeof(*cells));
	cells->schema = schema;
	start_parser(cells);
}

void log_cells_free(struct log_cells *cells)
{
	csv_free(&cells->csv);
}

/*
 * Prepares for another line. libcsv's parser could not continue after an error, or within a quote.
 */
static void restart_parser(struct log_cells *cells)
{
	cells->short_of_memory |= csv_error(&cells->csv) == CSV_ENOMEM;
	csv_free(&cells->csv);
	start_parser(cells);
}

static void on_row(int end, void *arg)
{
	struct log_cells *cells = arg;

	cells->rows++;
}

static void on_name(void *bytes, size_t n, void *arg)
{
	struct log_cells *cells = arg;
	unsigned field = cells->fields++;
	uint8_t column = log_schema_column(cells->schema, bytes, n);

	if (field >= LOG_FILE_COLUMNS)
		return;
	/* These columns follow from the plan. They are written only for other readers. */
	if (column == LOG_PARENT || column == LOG_DEPTH || column == LOG_WORK)
		column = LOG_NONE;
	/* If two columns have the same name, the first one is used. */
	if (column != LOG_NONE && cells->state[column])
		column = LOG_NONE;
	else if (column != LOG_NONE)
		cells->state[column] = LOG_CELL_PRESENT;
	cells->map[field] = column;
}

int log_cells_header(struct log_cells *cells, const char *line, size_t n)
{
	const size_t mark = n >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	cells->fields = 0;
	cells->rows = 0;
	memset(cells->state, 0, cells->schema->n_columns);
	if (csv_parse(&cells->csv, line + mark, n - mark, on_name, on_row, cells) == n - mark &&
	    cells->rows == 1 && cells->state[LOG_RECORD] && cells->state[LOG_TIME]) {
		cells->n_columns = cells->fields;
		return 0;
	}
	restart_parser(cells);
	return -EPROTO;
}

#define CELLS_TEXT(member)                                                                         \
	{                                                                                          \
		offsetof(struct log_cells, member), sizeof(((struct log_cells *)NULL)->member)     \
	}

struct text_place {
	uint16_t offset, size;
};

/*
 * Texts whose column is the same in every recording. text_place() adds those whose column depends
 * on the schema. Size 0: not a text of this kind.
 */
static const struct text_place text_places[LOG_NONE] = {
	[LOG_RECORD] = CELLS_TEXT(record),   [LOG_STATUS] = CELLS_TEXT(status),
	[LOG_MODEL] = CELLS_TEXT(model),     [LOG_VARIABLES] = CELLS_TEXT(variables),
	[LOG_SUBJECT] = CELLS_TEXT(subject), [LOG_VALUE] = CELLS_TEXT(value),
	[LOG_KIND] = CELLS_TEXT(kind),
};

static const struct text_place *text_place(const struct log_cells *cells, unsigned column)
{
	static const struct text_place command = CELLS_TEXT(command);
	static const struct text_place printed = CELLS_TEXT(printed);
	static const struct text_place printed_unit = CELLS_TEXT(printed_unit);

	if (column == cells->schema->command)
		return &command;
	if (column == cells->schema->printed)
		return &printed;
	if (column == cells->schema->printed_unit)
		return &printed_unit;
	return &text_places[column];
}

void log_cells_put_number(struct log_cells *cells, unsigned column, const char *text, size_t n)
{
	const bool negative = n > 0 && text[0] == '-';
	const size_t digits = n - negative;
	bool bad = digits == 0;
	uint8_t state = LOG_CELL_PRESENT;
	uint64_t number = 0;

	for (size_t i = 0; i < digits; i++) {
		const unsigned digit = (unsigned char)text[negative + i] - '0';

		bad |= digit > 9 || __builtin_mul_overflow(number, 10u, &number) ||
		       __builtin_add_overflow(number, digit, &number);
	}
	if (bad || (negative && number > (uint64_t)INT64_MAX + 1))
		state |= LOG_CELL_BAD;
	else if (number > INT64_MAX && !negative)
		state |= LOG_CELL_HUGE;
	cells->state[column] = state;
	cells->number[column] = (int64_t)(negative ? -number : number);
}

/* Stores a cell of the row. */
static void take_cell(struct log_cells *cells, const char *bytes, size_t n)
{
	unsigned field = cells->fields++, column;
	const struct text_place *place;

	if (n == 0 || field >= LOG_FILE_COLUMNS)
		return;
	column = cells->map[field];
	if (column == LOG_NONE)
		return;
	place = text_place(cells, column);
	if (place->size == 0) {
		log_cells_put_number(cells, column, bytes, n);
		return;
	}
	if (n > place->size - 1u)
		n = place->size - 1u;
	memcpy((char *)cells + place->offset, bytes, n);
	*((char *)cells + place->offset + n) = '\0';
	cells->state[column] = LOG_CELL_PRESENT;
}

static void on_cell(void *bytes, size_t n, void *arg)
{
	take_cell(arg, bytes, n);
}

/*
 * Splits a row without quotes and blanks at its commas. Most rows have neither. Returns false for a
 * row with quotes or blanks, which libcsv must parse.
 */
static bool split(struct log_cells *cells, const char *at, const char *end)
{
	static const char special[] = "\" \t\r";

	for (size_t i = 0; special[i]; i++)
		if (memchr(at, special[i], (size_t)(end - at)))
			return false;
	for (const char *comma; at < end; at = comma + 1) {
		for (comma = at; comma < end;) {
			if (*comma == ',')
				break;
			comma++;
		}
		if (comma == at)
			cells->fields++;
		else
			take_cell(cells, at, (size_t)(comma - at));
	}
	cells->fields += end[-1] == ',';
	return true;
}

int log_cells_row(struct log_cells *cells, const char *line, size_t n, const char **why)
{
	size_t length = n;
	bool parsed, blank;

	cells->fields = 0;
	cells->rows = 0;
	memset(cells->state, 0, cells->schema->n_columns);
	*why = "a NUL byte";
	if (memchr(line, '\0', n))
		return -1;
	while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
		length--;
	parsed = length > 0 && split(cells, line, line + length);
	cells->rows = parsed;
	if (!parsed)
		parsed = csv_parse(&cells->csv, line, length, on_cell, on_row, cells) == length &&
			 csv_parse(&cells->csv, "\n", 1, on_cell, on_row, cells) == 1;
	if (parsed && cells->rows == 1 && cells->fields == cells->n_columns)
		return 1;
	if (parsed && cells->rows > 0) {
		*why = "not as many cells as the header has";
		return -1;
	}
	restart_parser(cells);
	*why = "a quote out of place or without an end";
	blank = true;
	for (size_t i = 0; i < n; i++)
		blank &= strchr(" \t\r\n", line[i]) != NULL;
	if (blank)
		return 0;
	return -1;
}

bool log_cells_has(const struct log_cells *cells, unsigned column)
{
	return cells->state[column];
}

const char *log_cells_text(const struct log_cells *cells, unsigned column)
{
	const struct text_place *place = text_place(cells, column);

	if (log_cells_has(cells, column))
		return (const char *)cells + place->offset;
	return "";
}

void log_cells_copy(const struct log_cells *cells, unsigned column, char *to, size_t size)
{
	log_schema_copy(to, size, log_cells_text(cells, column));
}

static bool field_is_signed(enum field_type type)
{
	return type == FIELD_I16 || type == FIELD_I32 || type == FIELD_I64;
}

/*
 * Whether a member of that many bits can hold the number. One bit of a signed member is the sign.
 */
static bool fits_in(int64_t number, unsigned bits, bool is_signed)
{
	const int64_t high_bits = number >> MIN(bits - is_signed, 63u);

	/* All bits above the value must be equal to its sign. */
	if (is_signed && number < 0)
		return high_bits == -1;
	return high_bits == 0;
}

bool log_cells_get(const struct log_cells *cells, const struct log_field *field, void *base)
{
	void *member = (char *)base + field->offset;
	const uint8_t state = cells->state[field->column];
	const bool is_signed = field_is_signed(field->type);
	const unsigned bits = field->type == FIELD_BOOL ? 1 : 8u * field->size;
	const int64_t unknown = is_signed ? -1 : 0;
	const int64_t number = state ? cells->number[field->column] : unknown;

	switch ((enum field_type)field->type) {
	case FIELD_I16:
		*(int16_t *)member = (int16_t)number;
		break;
	case FIELD_I32:
	case FIELD_U32:
		*(uint32_t *)member = (uint32_t)number;
		break;
	case FIELD_I64:
	case FIELD_U64:
		*(int64_t *)member = number;
		break;
	case FIELD_BOOL:
		*(bool *)member = number == 1;
		break;
	case FIELD_STATUS:
		*(uint8_t *)member =
			(uint8_t)sample_status_parse(log_cells_text(cells, field->column));
		return true;
	case FIELD_DOUBLE:
		*(double *)member = -1;
		return !state ||
		       log_schema_double_parse(log_cells_text(cells, field->column), member) == 0;
	case FIELD_TEXT:
		log_cells_copy(cells, field->column, member, field->size);
		return true;
	default:
		return true;
	}
	if (state & (LOG_CELL_BAD | LOG_CELL_HUGE))
		return state & LOG_CELL_HUGE && field->type == FIELD_U64;
	return fits_in(number, bits, is_signed);
}
