/* SPDX-License-Identifier: MIT */
#include "csv_row.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/utf8.h"
#include "core/plan.h"

#define DIGITS "0123456789"

/* More digits than a double holds are other ones when they have been read. */
enum { DIGITS_EXACT = 15 };

/* A text without what shows nothing at its ends: programs that read tables may skip that. */
struct bare {
	const char *text;
	size_t n;
};

static struct bare bare_of(const char *text)
{
	struct bare bare = {text, 0};

	for (const char *next = text; *next;) {
		if (!utf8_is_blank(utf8_next(&next)))
			bare.n = (size_t)(next - bare.text);
		else if (bare.n == 0)
			bare.text = next;
	}
	return bare;
}

/* "12", "-3", "0.25": it stays what it is, whoever reads it as a number. */
static bool is_plain_number(const struct bare *bare)
{
	const char *s = bare->text + (*bare->text == '-');
	size_t whole = strspn(s, DIGITS), used = (size_t)(s - bare->text) + whole, decimals = 0;

	if (whole == 0 || (whole > 1 && *s == '0'))
		return false;
	if (s[whole] == '.') {
		decimals = strspn(s + whole + 1, DIGITS);
		if (decimals == 0 || s[whole + decimals] == '0')
			return false;
		used += 1 + decimals;
	}
	return used == bare->n && whole + decimals <= DIGITS_EXACT;
}

static bool is_number(const struct bare *bare)
{
	size_t digits = strspn(bare->text, "+-.eE" DIGITS);
	bool hexadecimal = bare->n > 2 && bare->text[0] == '0' && (bare->text[1] | 32) == 'x';

	return (bare->n > 0 && digits >= bare->n && strpbrk(bare->text, DIGITS)) || hexadecimal;
}

static bool is_word(const struct bare *bare)
{
	static const char *const words[] = {"na",	"n/a",	    "<na>",    "#n/a",	  "#na",
					    "#n/a n/a", "nan",	    "-nan",    "null",	  "none",
					    "nil",	"1.#ind",   "-1.#ind", "1.#qnan", "inf",
					    "-inf",	"infinity", "missing", "-1.#qnan"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == bare->n && strncasecmp(words[i], bare->text, bare->n) == 0)
			return true;
	return false;
}

/* The wide forms of the signs are formulas to some as well: U+FF1D, U+FF0B, U+FF0D, U+FF20. */
static bool is_formula(const struct bare *bare)
{
	static const char *const begins[] = {
		"=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (strncmp(bare->text, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

/*
 * Whether a reader of CSV would take the text for something else: for a formula (spreadsheets: it
 * begins with =, +, - or @), for a missing value (the defaults of pandas, R and others: NA, nan,
 * null, None ...), for a number that is written in another way than its digits say (1.10 is 1.1 to
 * all of them, 0x10 is 16 to R), or begins with the apostrophe that marks such texts. Spaces around
 * it change nothing. A plain number is none of these, a negative one neither, unless it is a name.
 */
static bool is_misread(const char *text, bool name)
{
	struct bare bare = bare_of(text);

	if (is_plain_number(&bare))
		return name;
	return *bare.text == '\'' || is_formula(&bare) || is_number(&bare) || is_word(&bare);
}

static void csv_row_comma(struct csv_row *row)
{
	if (row->inside)
		fputc(',', row->out);
	row->inside = true;
}

static void write_text(struct csv_row *row, const char *text, bool name)
{
	bool quoted = strpbrk(text, ",\"") != NULL, misread = is_misread(text, name);
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
	write_text(row, text, false);
}

void csv_row_name(struct csv_row *row, const char *name)
{
	write_text(row, name, true);
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

/* -1 is a number as well: no worker. */
static void csv_row_id(struct csv_row *row, int64_t value)
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

/* A name is at most PLAN_MAX_LEVELS numbers of seven digits with a point between them. */
#define PLACE_BYTES 160

enum { SESSION_BYTES = SAMPLE_LABEL + 64, COLUMN_BYTES = VARIABLE_NAME + 16 };

struct column {
	const char *variable;
	char name[COLUMN_BYTES];
};

struct csv_keys {
	const struct model *model;
	char (*sessions)[SESSION_BYTES]; /* by origin; one where there is none */
	struct column *columns;
	size_t n_columns;
};

/* Sessions */

/*
 * "2026-11-20T23:40:11Z-mixed": its begin, in the same zone wherever it is read. Those that began
 * in the same second, or one that was named twice, are numbered.
 */
static int name_sessions(struct csv_keys *keys)
{
	const struct model *model = keys->model;
	size_t n = model->n_origins ? model->n_origins : 1;

	keys->sessions = calloc(n, sizeof(*keys->sessions));
	if (!keys->sessions)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct sample_session *session =
			model->n_origins ? &model->origins[i].session : &model->session;
		time_t wall = (time_t)session->wall_s;
		size_t same = 0, length;
		char date[32];
		struct tm tm;

		if (!gmtime_r(&wall, &tm) ||
		    strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
			snprintf(date, sizeof(date), "%" PRId64 "s", session->wall_s);
		snprintf(keys->sessions[i], SESSION_BYTES, "%s-%s", date, session->experiment);
		length = strlen(keys->sessions[i]);
		for (size_t j = 0; j < i; j++)
			same += strncmp(keys->sessions[j], keys->sessions[i], length) == 0 &&
				strchr("#", keys->sessions[j][length]);
		if (same > 0)
			snprintf(keys->sessions[i] + length, SESSION_BYTES - length, "#%zu",
				 same + 1);
	}
	return 0;
}

/* Variables */

static bool name_is_taken(const struct csv_keys *keys, const char *name)
{
	for (size_t i = 0; i < keys->n_columns; i++)
		if (strcasecmp(keys->columns[i].name, name) == 0)
			return true;
	return false;
}

/*
 * The column of a variable, unless it has one: a name that needs no quotes in SQL and R, where case
 * does not tell columns apart.
 */
static void add_column(struct csv_keys *keys, const char *variable)
{
	struct column *column = &keys->columns[keys->n_columns];
	size_t length;

	for (size_t i = 0; i < keys->n_columns; i++)
		if (strcmp(keys->columns[i].variable, variable) == 0)
			return;
	column->variable = variable;
	snprintf(column->name, sizeof(column->name), "var_%s", variable);
	for (char *c = column->name; *c; c++)
		if (!isascii(*c) || !isalnum((unsigned char)*c))
			*c = '_';
	length = strlen(column->name);
	for (size_t i = 2; name_is_taken(keys, column->name); i++)
		snprintf(column->name + length, sizeof(column->name) - length, "_%zu", i);
	keys->n_columns++;
}

static int name_columns(struct csv_keys *keys)
{
	const struct model *model = keys->model;
	size_t most = 0;

	for (uint32_t i = 0; i < model->n_cases; i++)
		most += model->cases[i].variables.n;
	keys->columns = calloc(most + 1, sizeof(*keys->columns));
	for (uint32_t i = 0; i < model->n_cases && keys->columns; i++)
		for (uint32_t j = 0; j < model->cases[i].variables.n; j++)
			add_column(keys, model->cases[i].variables.list[j].name);
	return keys->columns ? 0 : -1;
}

/* Sizes become bytes; what the environment holds is a text, whatever it looks like. */
static void write_value(struct csv_row *row, const struct variable *variable)
{
	bool given = strncmp(variable->name, "env:", 4) == 0;
	bool size = isdigit((unsigned char)variable->value[0]) &&
		    isalpha((unsigned char)variable->value[strlen(variable->value) - 1]);

	if (strcmp(variable->name, "work") == 0)
		csv_keys_work(row, variable->value);
	else if (!given && size && variable->number >= 0 && variable->number < 0x1p53)
		csv_row_number(row, (int64_t)variable->number);
	else
		csv_row_text(row, variable->value);
}

/* Cells */

static void write_names(struct csv_row *row, const struct csv_keys *keys)
{
	csv_row_text(row, "session");
	csv_row_text(row, "host");
	for (size_t i = 0; i < keys->n_columns; i++)
		csv_row_text(row, keys->columns[i].name);
}

static void write_cells(struct csv_row *row, const struct csv_keys *keys,
			const struct model_run *run)
{
	const struct model_origin *origin = model_origin(keys->model, run->id.case_id);
	const struct sample_session *session = origin ? &origin->session : &keys->model->session;
	const struct variables *variables = &keys->model->cases[run->id.case_id].variables;

	csv_row_name(row, keys->sessions[origin ? origin - keys->model->origins : 0]);
	csv_row_name(row, session->machine.host);
	for (size_t i = 0; i < keys->n_columns; i++) {
		const struct variable *one = variables_find(variables, keys->columns[i].variable);

		if (one)
			write_value(row, one);
		else
			csv_row_text(row, "");
	}
}

void csv_keys_names(struct csv_row *row, const struct csv_keys *keys)
{
	csv_row_text(row, "run");
	write_names(row, keys);
}

void csv_keys_run(struct csv_row *row, const struct csv_keys *keys, const struct model_run *run)
{
	csv_row_number(row, run->id.run);
	write_cells(row, keys, run);
}

void csv_keys_worker_names(struct csv_row *row, const struct csv_keys *keys)
{
	csv_row_text(row, "run");
	csv_row_text(row, "worker_id");
	csv_row_text(row, "parent_id");
	write_names(row, keys);
}

void csv_keys_worker(struct csv_row *row, const struct csv_keys *keys, const struct model_run *run,
		     int64_t worker, int64_t parent)
{
	csv_row_number(row, run->id.run);
	csv_row_id(row, worker);
	csv_row_id(row, parent);
	write_cells(row, keys, run);
}

void csv_keys_place(struct csv_row *row, const struct plan *plan, uint32_t index)
{
	char name[1 + PLACE_BYTES] = "w";
	bool numbers = isdigit((unsigned char)*plan_name(plan, index, name + 1, PLACE_BYTES));

	csv_row_text(row, numbers ? name : name + 1);
}

void csv_keys_work(struct csv_row *row, const char *name)
{
	csv_row_text(row, strcmp(name, plan_work_name(WORK_NULL)) == 0 ? "nothing" : name);
}

struct csv_keys *csv_keys_new(const struct model *model)
{
	struct csv_keys *keys = calloc(1, sizeof(*keys));

	if (!keys)
		return NULL;
	keys->model = model;
	if (!name_sessions(keys) && !name_columns(keys))
		return keys;
	csv_keys_free(keys);
	return NULL;
}

void csv_keys_free(struct csv_keys *keys)
{
	if (!keys)
		return;
	free(keys->sessions);
	free(keys->columns);
	free(keys);
}
