/* SPDX-License-Identifier: MIT */
#include "report/csv_keys.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "core/plan.h"

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

/* "2026-11-20T23:40:11Z-mixed": its begin, in the same zone wherever it is read. */
static void name_session(const struct sample_session *session, char buf[SESSION_BYTES])
{
	time_t wall = (time_t)session->wall_s;
	char date[32];
	struct tm tm;

	if (!gmtime_r(&wall, &tm) || strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		snprintf(date, sizeof(date), "%" PRId64 "s", session->wall_s);
	snprintf(buf, SESSION_BYTES, "%s-%s", date, session->experiment);
}

/* Those that began in the same second, or one that was named twice, are numbered. */
static int name_sessions(struct csv_keys *keys)
{
	const struct model *model = keys->model;
	size_t n = model->n_origins ? model->n_origins : 1;

	keys->sessions = calloc(n, sizeof(*keys->sessions));
	if (!keys->sessions)
		return -1;
	for (size_t i = 0; i < n; i++) {
		size_t same = 0, length;

		name_session(model->n_origins ? &model->origins[i].session : &model->session,
			     keys->sessions[i]);
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

static const char *session_of(const struct csv_keys *keys, const struct model_origin *origin)
{
	return keys->sessions[origin ? origin - keys->model->origins : 0];
}

/* Variables */

static bool has_column(const struct csv_keys *keys, const char *variable)
{
	for (size_t i = 0; i < keys->n_columns; i++)
		if (strcmp(keys->columns[i].variable, variable) == 0)
			return true;
	return false;
}

static bool name_is_taken(const struct csv_keys *keys, const char *name)
{
	for (size_t i = 0; i < keys->n_columns; i++)
		if (strcasecmp(keys->columns[i].name, name) == 0)
			return true;
	return false;
}

/* A name that needs no quotes in SQL and R, where case does not tell columns apart. */
static void add_column(struct csv_keys *keys, const char *variable)
{
	struct column column = {.variable = variable};
	size_t length;

	snprintf(column.name, sizeof(column.name), "var_%s", variable);
	for (char *c = column.name; *c; c++)
		if (!isascii(*c) || !isalnum((unsigned char)*c))
			*c = '_';
	length = strlen(column.name);
	for (size_t i = 2; name_is_taken(keys, column.name); i++)
		snprintf(column.name + length, sizeof(column.name) - length, "_%zu", i);
	keys->columns[keys->n_columns++] = column;
}

static int name_columns(struct csv_keys *keys)
{
	const struct model *model = keys->model;
	size_t most = 0;

	for (uint32_t i = 0; i < model->n_cases; i++)
		most += model->cases[i].variables.n;
	keys->columns = calloc(most + 1, sizeof(*keys->columns));
	for (uint32_t i = 0; i < model->n_cases && keys->columns; i++) {
		const struct variables *variables = &model->cases[i].variables;

		for (uint32_t j = 0; j < variables->n; j++)
			if (!has_column(keys, variables->list[j].name))
				add_column(keys, variables->list[j].name);
	}
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

	csv_row_name(row, session_of(keys, origin));
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
