/* SPDX-License-Identifier: MIT */
#include "write_parts.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/utf8.h"
#include "core/plan.h"
#include "result/report.h"

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

/*
 * Whether a reader of CSV would take the text for something else: for a formula (spreadsheets: it
 * begins with =, +, - or @), for a missing value (the defaults of pandas, R and others: NA, nan,
 * null, None ...), for a number that is written in another way than its digits say (1.10 is 1.1 to
 * all of them, 0x10 is 16 to R), or begins with the apostrophe that marks such texts. Spaces around
 * it change nothing. A plain number is none of these, a negative one neither, unless it is a name.
 */
static bool is_misread(const char *text, bool name)
{
	static const char *const words[] = {"na",	"n/a",	    "<na>",    "#n/a",	  "#na",
					    "#n/a n/a", "nan",	    "-nan",    "null",	  "none",
					    "nil",	"1.#ind",   "-1.#ind", "1.#qnan", "inf",
					    "-inf",	"infinity", "missing", "-1.#qnan"};
	/* Wide signs are formulas to some as well: U+FF1D, U+FF0B, U+FF0D, U+FF20. */
	static const char *const formulas[] = {
		"=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};
	struct bare bare = bare_of(text);
	size_t digits = strspn(bare.text, "+-.eE" DIGITS);
	bool hexadecimal = bare.n > 2 && bare.text[0] == '0' && (bare.text[1] | 32) == 'x';
	bool number = bare.n > 0 && digits >= bare.n && strpbrk(bare.text, DIGITS);
	bool misread = *bare.text == '\'' || number || hexadecimal;

	if (is_plain_number(&bare))
		return name;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		misread |=
			strlen(words[i]) == bare.n && strncasecmp(words[i], bare.text, bare.n) == 0;
	for (size_t i = 0; i < sizeof(formulas) / sizeof(formulas[0]); i++)
		misread |= strncmp(bare.text, formulas[i], strlen(formulas[i])) == 0;
	return misread;
}

static void put_comma(struct csv_row *row)
{
	if (row->inside)
		fputc(',', row->out);
	row->inside = true;
}

static void put_text(struct csv_row *row, const char *text, bool name)
{
	bool quoted = strpbrk(text, ",\"") != NULL, misread = is_misread(text, name);
	char utf8[UTF8_BYTES];
	uint32_t character = 0;

	put_comma(row);
	if (quoted)
		fputc('"', row->out);
	if (misread)
		fputc('\'', row->out);
	while ((character = utf8_next_printable(&text, character)) != 0)
		fputs(character == '"' ? "\"\"" : utf8_put(character, utf8), row->out);
	if (quoted)
		fputc('"', row->out);
}

void csv_row_text(struct csv_row *row, const char *text)
{
	put_text(row, text, false);
}

void csv_row_name(struct csv_row *row, const char *name)
{
	put_text(row, name, true);
}

void csv_row_number(struct csv_row *row, int64_t value)
{
	put_comma(row);
	if (value >= 0)
		fprintf(row->out, "%" PRId64, value);
}

void csv_row_unsigned(struct csv_row *row, bool known, uint64_t value)
{
	put_comma(row);
	if (known)
		fprintf(row->out, "%" PRIu64, value);
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

void csv_row_place(struct csv_row *row, const struct plan *plan, uint32_t index)
{
	/* at most PLAN_MAX_LEVELS numbers of seven digits with a point between them */
	char name[160] = "w";
	bool numbers = isdigit((unsigned char)*plan_name(plan, index, name + 1, sizeof(name) - 1));

	csv_row_text(row, numbers ? name : name + 1);
}

void csv_row_work(struct csv_row *row, const char *name)
{
	csv_row_text(row, strcmp(name, plan_work_name(WORK_NULL)) == 0 ? "nothing" : name);
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
void csv_row_run(struct csv_row *row, const struct model_run *run)
{
	const struct model_origin *origin = model_origin(row->model, run->id.case_id);
	char name[SAMPLE_MODEL];
	size_t length, tail;

	snprintf(name, sizeof(name), "%s", row->model->cases[run->id.case_id].model);
	length = strlen(name);
	tail = origin ? strlen(" @") + strlen(origin->name) : 0;
	if (tail > 0 && tail < length && strcmp(name + length - tail + 2, origin->name) == 0)
		name[length - tail] = '\0';
	csv_row_number(row, run->id.trial);
	csv_row_name(row, name);
}

struct csv_column {
	const char *variable;
	char name[VARIABLE_NAME + 16];
};

/*
 * "2026-11-20T23:40:11Z-mixed": its begin, in the same zone wherever it is read. Those that began
 * in the same second, or one that was named twice, are numbered.
 */
static void name_session(struct csv_row *row, size_t i, const struct sample_session *session)
{
	const size_t size = sizeof(*row->sessions);
	time_t wall = (time_t)session->wall_s;
	size_t same = 0, length;
	char date[32];
	struct tm tm;

	if (!gmtime_r(&wall, &tm) || strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		snprintf(date, sizeof(date), "%" PRId64 "s", session->wall_s);
	snprintf(row->sessions[i], size, "%s-%s", date, session->experiment);
	length = strlen(row->sessions[i]);
	for (size_t j = 0; j < i; j++)
		same += strncmp(row->sessions[j], row->sessions[i], length) == 0 &&
			strchr("#", row->sessions[j][length]);
	if (same > 0)
		snprintf(row->sessions[i] + length, size - length, "#%zu", same + 1);
}

static bool column_is_taken(const struct csv_row *row, const char *name)
{
	for (size_t i = 0; i < row->n_columns; i++)
		if (strcasecmp(row->columns[i].name, name) == 0)
			return true;
	return false;
}

/*
 * The column of a variable, unless it has one: a name that needs no quotes in SQL and R, where case
 * does not distinguish columns.
 */
static void add_variable(struct csv_row *row, const char *variable)
{
	struct csv_column *column = &row->columns[row->n_columns];
	size_t length;

	for (size_t i = 0; i < row->n_columns; i++)
		if (strcmp(row->columns[i].variable, variable) == 0)
			return;
	column->variable = variable;
	snprintf(column->name, sizeof(column->name), "var_%s", variable);
	for (char *c = column->name; *c; c++)
		if (!isascii(*c) || !isalnum((unsigned char)*c))
			*c = '_';
	length = strlen(column->name);
	for (size_t i = 2; column_is_taken(row, column->name); i++)
		snprintf(column->name + length, sizeof(column->name) - length, "_%zu", i);
	row->n_columns++;
}

int csv_row_open(struct csv_row *row, const struct model *model, FILE *out)
{
	size_t origins = model->n_origins, most = 0;

	for (uint32_t i = 0; i < model->n_cases; i++)
		most += model->cases[i].variables.n;
	*row = (struct csv_row) {.out = out, .model = model};
	row->sessions = calloc(origins + 1, sizeof(*row->sessions));
	row->columns = calloc(most + 1, sizeof(*row->columns));
	if (!row->sessions || !row->columns) {
		free(row->sessions);
		free(row->columns);
		return -ENOMEM;
	}
	for (size_t i = 0; i < origins; i++)
		name_session(row, i, &model->origins[i].session);
	if (origins == 0)
		name_session(row, 0, &model->session);
	for (uint32_t i = 0; i < model->n_cases; i++)
		for (uint32_t j = 0; j < model->cases[i].variables.n; j++)
			add_variable(row, model->cases[i].variables.list[j].name);
	return 0;
}

int csv_row_close(struct csv_row *row)
{
	free(row->sessions);
	free(row->columns);
	return report_finish(row->out);
}

void csv_row_key_names(struct csv_row *row, bool workers)
{
	csv_row_text(row, "run");
	if (workers) {
		csv_row_text(row, "worker_id");
		csv_row_text(row, "parent_id");
	}
	csv_row_text(row, "session");
	csv_row_text(row, "host");
	for (size_t i = 0; i < row->n_columns; i++)
		csv_row_text(row, row->columns[i].name);
}

/* Sizes become bytes; what the environment holds is a text, whatever it looks like. */
static void put_variable(struct csv_row *row, const struct variable *variable)
{
	bool given = strncmp(variable->name, "env:", 4) == 0;
	bool size = isdigit((unsigned char)variable->value[0]) &&
		    isalpha((unsigned char)variable->value[strlen(variable->value) - 1]);

	if (strcmp(variable->name, "work") == 0)
		csv_row_work(row, variable->value);
	else if (!given && size && variable->number >= 0 && variable->number < 0x1p53)
		csv_row_number(row, (int64_t)variable->number);
	else
		csv_row_text(row, variable->value);
}

void csv_row_keys(struct csv_row *row, const struct model_run *run, const int64_t *ids)
{
	const struct model *model = row->model;
	const struct model_origin *origin = model_origin(model, run->id.case_id);
	const struct sample_session *session = origin ? &origin->session : &model->session;
	const struct variables *variables = &model->cases[run->id.case_id].variables;

	csv_row_number(row, run->id.run);
	/* -1 is a number here: no worker */
	if (ids)
		fprintf(row->out, ",%" PRId64 ",%" PRId64, ids[0], ids[1]);
	csv_row_name(row, row->sessions[origin ? origin - model->origins : 0]);
	csv_row_name(row, session->machine.host);
	for (size_t i = 0; i < row->n_columns; i++) {
		const struct variable *one = variables_find(variables, row->columns[i].variable);

		if (one)
			put_variable(row, one);
		else
			csv_row_text(row, "");
	}
}
