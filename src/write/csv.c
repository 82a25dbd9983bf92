/* SPDX-License-Identifier: MIT */
#include "write_parts.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/utf8.h"
#include "core/plan.h"
#include "core/sample_tick.h"
#include "model/model.h"
#include "model/model_latency.h"
#include "result/report.h"
#include "result/task.h"

#define CSV_DIGITS "0123456789"

/*
 * Number of digits with which a double represents every number exactly. A number with more digits
 * may change when it is read.
 */
enum { DIGITS_EXACT = 15 };

/*
 * Whether the n bytes are a plain number such as "12", "-3" or "0.25", which every reader reads as
 * the same number.
 */
static bool is_plain_number(const char *text, size_t n)
{
	const char *s = text + (*text == '-');
	size_t whole = strspn(s, CSV_DIGITS), used = (size_t)(s - text) + whole, decimals = 0;

	if (whole == 0 || (whole > 1 && *s == '0'))
		return false;
	if (s[whole] == '.') {
		decimals = strspn(s + whole + 1, CSV_DIGITS);
		if (decimals == 0 || s[whole + decimals] == '0')
			return false;
		used += 1 + decimals;
	}
	return used == n && whole + decimals <= DIGITS_EXACT;
}

/*
 * Whether a reader of CSV would take the text for something else: a formula (spreadsheets: the text
 * begins with =, +, - or @); a missing value (the defaults of pandas, R and others: NA, nan, null,
 * None ...); a number that is not written as its value (1.10 is read as 1.1, and 0x10 as 16 by R);
 * or a text with an apostrophe, which marks such texts. Spaces around the text make no difference.
 * A plain number, even a negative one, is read as itself, unless the text is a name.
 */
static bool is_misread(const char *text, bool name)
{
	static const char *const words[] = {"na",	"n/a",	    "<na>",    "#n/a",	  "#na",
					    "#n/a n/a", "nan",	    "-nan",    "null",	  "none",
					    "nil",	"1.#ind",   "-1.#ind", "1.#qnan", "inf",
					    "-inf",	"infinity", "missing", "-1.#qnan"};
	/* Some programs also take fullwidth signs for formulas: U+FF1D, U+FF0B, U+FF0D, U+FF20. */
	static const char *const formulas[] = {
		"=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};
	size_t n = 0;
	bool misread;

	/* Ignore blank characters at both ends, because programs that read tables may skip them. */
	for (const char *next = text; *next;) {
		if (!utf8_is_blank(utf8_next(&next)))
			n = (size_t)(next - text);
		else if (n == 0)
			text = next;
	}
	if (is_plain_number(text, n))
		return name;
	misread = *text == '\'' || (n > 2 && text[0] == '0' && (text[1] | 32) == 'x') ||
		  (n > 0 && strspn(text, "+-.eE" CSV_DIGITS) >= n && strpbrk(text, CSV_DIGITS));
	for (size_t i = 0; i < LENGTH(words); i++)
		misread |= strlen(words[i]) == n && strncasecmp(words[i], text, n) == 0;
	for (size_t i = 0; i < LENGTH(formulas); i++)
		misread |= strncmp(text, formulas[i], strlen(formulas[i])) == 0;
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
	while ((character = utf8_next_printable(&text, character)) != 0) {
		if (character == '"')
			fputc('"', row->out);
		fputs(utf8_put(character, utf8), row->out);
	}
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

static void csv_row_numbers(struct csv_row *row, const int64_t *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++)
		csv_row_number(row, numbers[i]);
}

#define NUMBERS(row, ...)                                                                          \
	csv_row_numbers(row, (const int64_t[]) {__VA_ARGS__},                                      \
			sizeof((const int64_t[]) {__VA_ARGS__}) / sizeof(int64_t))

/*
 * Writes value / 10^decimals; empty if negative. Writes the digits as integers, because the decimal
 * point of %f depends on the locale.
 */
void csv_row_decimal(struct csv_row *row, int64_t value, int decimals)
{
	int64_t scale = 1;

	for (int i = 0; i < decimals; i++)
		scale *= 10;
	if (value < 0) {
		put_comma(row);
		return;
	}
	csv_row_number(row, value / scale);
	if (decimals > 0)
		fprintf(row->out, ".%0*" PRId64, decimals, value % scale);
}

void csv_row_real(struct csv_row *row, double value, int decimals)
{
	double scale = 1;

	for (int i = 0; i < decimals; i++)
		scale *= 10;
	if (isnan(value))
		put_comma(row);
	else
		csv_row_decimal(row, llround(scale * value), decimals);
}

/* Writes a time in whole ns; NaN is unknown. */
static void csv_row_ns(struct csv_row *row, double ns)
{
	csv_row_real(row, ns, 0);
}

/*
 * Writes a worker's name, "w4.2", which no reader takes for a number. If the workers are sets of
 * kinds, "w1 cpu".
 */
static void csv_row_place(struct csv_row *row, const struct plan *plan, uint32_t index)
{
	/* At most PLAN_MAX_LEVELS numbers of seven digits, separated by points. */
	char name[160] = "w";
	if (isdigit((unsigned char)*plan_name(plan, index, name + 1, sizeof(name) - 1)))
		csv_row_text(row, name);
	else
		csv_row_text(row, name + 1);
}

/*
 * Writes a kind of work. The work null is written as "nothing", because "null" would be a missing
 * value.
 */
static void csv_row_work(struct csv_row *row, const char *name)
{
	if (strcmp(name, plan_work_name(WORK_NULL)) == 0)
		name = "nothing";
	csv_row_text(row, name);
}

void csv_row_end(struct csv_row *row)
{
	fputc('\n', row->out);
	row->inside = false;
}

/*
 * Writes the run's columns. In joined recordings, the columns session and host identify the
 * recording, so the " @" and the recording's name are left out.
 */
static void csv_row_run(struct csv_row *row, const struct model_run *run)
{
	const struct model_origin *origin = model_origin(row->model, run->id.case_id);
	char name[SAMPLE_MODEL];
	size_t length, tail;

	snprintf(name, sizeof(name), "%s", row->model->cases[run->id.case_id].model);
	length = strlen(name);
	if (origin)
		tail = strlen(" @") + strlen(origin->name);
	else
		tail = 0;
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
 * Names a session by its beginning in UTC: "2026-11-20T23:40:11Z-mixed". A second session with the
 * same name gets a number.
 */
static void name_session(struct csv_row *row, size_t i, const struct sample_session *session)
{
	char date[REPORT_WALL];

	if (!*report_date(session->wall_s, true, date))
		snprintf(date, sizeof(date), "%" PRId64 "s", session->wall_s);
	snprintf(row->sessions[i], sizeof(row->sessions[i]), "%s-%s", date, session->experiment);
	if (i > 0 && strcmp(row->sessions[0], row->sessions[1]) == 0)
		strcat(row->sessions[1], "#2");
}

/*
 * Adds a column for a variable, unless there is one. The column's name needs no quotes in SQL and
 * R, where names that differ only in case are equal.
 */
static void add_variable(struct csv_row *row, const char *variable)
{
	struct csv_column *column = &row->columns[row->n_columns];
	size_t length, same = 1;

	for (size_t i = 0; i < row->n_columns; i++)
		if (strcmp(row->columns[i].variable, variable) == 0)
			return;
	column->variable = variable;
	snprintf(column->name, sizeof(column->name), "var_%s", variable);
	for (char *c = column->name; *c; c++)
		if (!isascii(*c) || !isalnum((unsigned char)*c))
			*c = '_';
	length = strlen(column->name);
	for (size_t i = 0; i < row->n_columns; i++)
		if (strcasecmp(row->columns[i].name, column->name) == 0) {
			snprintf(column->name + length, sizeof(column->name) - length, "_%zu",
				 ++same);
			/* Compare with all columns again, because the name has changed. */
			i = SIZE_MAX;
		}
	row->n_columns++;
}

/*
 * Begins a table. The model must not change until the table is closed. Returns 0 or -ENOMEM. After
 * an error, do not close the table.
 */
static int csv_row_open(struct csv_row *row, const struct model *model, FILE *out)
{
	size_t most = 0;

	for (uint32_t i = 0; i < model->n_cases; i++)
		most += model->cases[i].variables.n;
	*row = (struct csv_row) {.out = out, .model = model};
	row->columns = calloc(most + 1, sizeof(*row->columns));
	if (!row->columns)
		return -ENOMEM;
	for (size_t i = 0; i < model->n_origins; i++)
		name_session(row, i, &model->origins[i].session);
	if (model->n_origins == 0)
		name_session(row, 0, &model->session);
	for (uint32_t i = 0; i < model->n_cases; i++)
		for (uint32_t j = 0; j < model->cases[i].variables.n; j++)
			add_variable(row, model->cases[i].variables.list[j].name);
	return 0;
}

static int csv_row_close(struct csv_row *row)
{
	free(row->columns);
	return report_finish(row->out);
}

static void csv_row_key_names(struct csv_row *row, bool workers)
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

/*
 * Writes the cells of the key columns. ids: the ID of the worker and the ID of its parent; -1: no
 * worker. NULL: the table is not about workers.
 */
static void csv_row_keys(struct csv_row *row, const struct model_run *run, const int64_t *ids)
{
	const struct model *model = row->model;
	const struct model_origin *origin = model_origin(model, run->id.case_id);
	const struct sample_session *session = &model->session;
	const char *name = row->sessions[0];
	const struct variables *variables = &model->cases[run->id.case_id].variables;

	csv_row_number(row, run->id.run);
	/* Write -1 as a number, because here it means "no worker" and not "unknown". */
	if (ids)
		fprintf(row->out, ",%" PRId64 ",%" PRId64, ids[0], ids[1]);
	if (origin) {
		session = &origin->session;
		name = row->sessions[origin - model->origins];
	}
	csv_row_name(row, name);
	csv_row_name(row, session->machine.host);
	for (size_t i = 0; i < row->n_columns; i++) {
		const struct variable *variable =
			variables_find(variables, row->columns[i].variable);

		bool given = variable && strncmp(variable->name, "env:", 4) == 0;
		bool sized = variable && isdigit((unsigned char)variable->value[0]) &&
			     isalpha((unsigned char)variable->value[strlen(variable->value) - 1]);

		/*
		 * Write sizes in bytes. A variable of the environment is text, even if it looks
		 * like a number.
		 */
		if (variable && strcmp(variable->name, "work") == 0)
			csv_row_work(row, variable->value);
		else if (!given && sized && variable->number >= 0 && variable->number < 0x1p53)
			csv_row_number(row, (int64_t)variable->number);
		else if (variable)
			csv_row_text(row, variable->value);
		else
			put_comma(row);
	}
}

static int64_t to_whole_us(int64_t ns)
{
	if (ns < 0)
		return -1;
	return ns / 1000;
}

/*
 * Writes a value with as many decimals as are known. Times are in ms, except times of creations and
 * operations, which are in ns.
 */
static void write_figure(struct csv_row *row, double value, enum metric_unit unit)
{
	char figure[32] = "";

	if (isnan(value)) {
		put_comma(row);
		return;
	}
	switch (unit) {
	case METRIC_FIGURE:
		snprintf(figure, sizeof(figure), "%.17g", value);
		csv_row_text(row, figure);
		return;
	case METRIC_PERCENT:
		csv_row_real(row, value, 2);
		return;
	case METRIC_DECIMAL:
		csv_row_real(row, value, 4);
		return;
	case METRIC_SHORT:
		csv_row_real(row, value, 3);
		return;
	case METRIC_US:
		csv_row_decimal(row, to_whole_us(llround(value)), 3);
		return;
	case METRIC_NS:
		csv_row_decimal(row, llround(value), 6);
		return;
	default:
		csv_row_number(row, llround(value));
	}
}

/* The columns that the table has. Finding them reads all runs, so it is done once. */
struct csv_columns {
	bool metric[METRICS], fault, command, operations;
};

static bool has_place(const struct model *model, enum model_latency_place place)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct plan *plan = &model->cases[i].plan;

		if (plan_is_creation(plan) &&
		    model_latency_has((enum plan_placement)plan->placement, place))
			return true;
	}
	return false;
}

static void csv_row_spread(struct csv_row *row, const struct model_latency_figures *f)
{
	if (f && f->n > 0)
		NUMBERS(row, f->min, f->p50, f->p90, f->p99, f->max);
	else
		NUMBERS(row, -1, -1, -1, -1, -1);
}

/*
 * The first of the metrics that were added later. Their columns come last, so that older columns
 * keep their positions.
 */
#define FIRST_LATE METRIC_WRONG

/* Writes a run's columns of metrics. If run is NULL, writes the columns' names. */
static void write_metrics(struct csv_row *row, const struct csv_columns *columns,
			  const struct model_run *run, enum model_metric from, enum model_metric to)
{
	for (enum model_metric i = from; i < to; i++) {
		const char *split = "split";

		if (columns->metric[i] && run)
			write_figure(row, metric_result(run, i), metric_table[i].unit);
		else if (columns->metric[i])
			csv_row_text(row, metric_table[i].name);
		if (run)
			split = model_split_names[run->split.source];
		if (i == METRIC_SYSTEM)
			csv_row_text(row, sentence_text(split, ""));
	}
}

/*
 * Writes a run's columns of latency. If run is NULL, writes the columns' names, which are the same
 * as in JSON. Only for sessions that create tasks one by one. Recordings without places have the
 * old names.
 */
static void write_latencies(struct csv_row *row, const struct model_run *run)
{
	static const char *const names[] = {"n",      "min_ns", "p50_ns",  "p90_ns",
					    "p99_ns", "max_ns", "first_ns"};
	static const struct model_latency_at unknown = {
		.share = NAN, .span = {{.first = -1}, {.first = -1}, {.first = -1}}};
	const struct model_latency *latency = NULL;

	if (run)
		latency = model_latency_run(row->model, run);
	for (int i = 0; i < MODEL_PLACES; i++) {
		enum model_latency_place place = (enum model_latency_place)i;
		const struct model_latency_at *at = &unknown;
		bool placed = place != LATENCY_NOT_RECORDED;

		if (!has_place(row->model, place))
			continue;
		if (latency && model_latency_has(latency->placement, place))
			at = &latency->at[i];
		if (placed && !run)
			fprintf(row->out, ",%s_share", model_latency_places[i]);
		else if (placed) /* Written with three decimals. */
			csv_row_real(row, at->share, 3);
		for (int span = 0; span < MODEL_LATENCIES; span++) {
			const struct model_latency_figures *f = &at->span[span];

			if (run) {
				csv_row_number(row, f->n);
				csv_row_spread(row, f);
				csv_row_number(row, f->first);
				continue;
			}
			for (size_t k = 0; k < LENGTH(names); k++) {
				if (placed)
					fprintf(row->out, ",%s_%s_%s", model_latency_places[i],
						model_latency_names[span], names[k]);
				else
					fprintf(row->out, ",%s_%s", model_latency_names[span],
						names[k]);
			}
		}
	}
}

/* Writes what failed, and which things were left behind: "file+lock", "nothing"; "" if unknown. */
static void write_fault(struct csv_row *row, const struct sample_totals *totals)
{
	struct sentence left = SENTENCE(64);
	const char *name, *otherwise = "";

	csv_row_text(row, names_at(fault_names, FAULT_KINDS, totals->fault));
	if (totals->survived >= 0) {
		otherwise = "nothing";
		for (unsigned i = 0; (name = fault_left_name(i)); i++)
			if (totals->left & 1u << i)
				sentence_join(&left, "+", "%s", name);
	}
	csv_row_text(row, sentence_text(left.buf, otherwise));
}

/* Writes whether a value is an estimate. Leaves the cell empty if there is no value. */
static void write_estimated(struct csv_row *row, bool known, bool estimated)
{
	if (known)
		csv_row_number(row, estimated);
	else
		put_comma(row);
}

static void write_run_row(struct csv_row *row, const struct csv_columns *columns,
			  const struct model_run *run)
{
	const struct model *model = row->model;
	const struct sample_case *config = &model->cases[run->id.case_id];
	const struct sample_memory *memory = &run->totals.memory;
	const char *const seen[] = {sample_seen_name(memory->rss_seen),
				    sample_seen_name(memory->pss_seen),
				    sample_seen_name(memory->kernel_seen)};
	const int reasons[] = {run->totals.memory_reason, run->totals.usage_reason};
	char variables[VARIABLES_TEXT], wall[REPORT_WALL], list[SAMPLE_TEXT];

	csv_row_run(row, run);
	csv_row_text(row, variables_format(&config->variables, ';', variables, sizeof(variables)));
	write_metrics(row, columns, run, 0, FIRST_LATE);
	write_latencies(row, run);
	if (columns->operations) {
		const struct model_latency_figures *f = model_operations_run(model, run);

		if (f) {
			csv_row_number(row, run->totals.operations);
			csv_row_ns(row, metric_value(run, METRIC_OPERATION_MEAN));
		} else {
			NUMBERS(row, -1, -1);
		}
		csv_row_spread(row, f);
	}
	if (columns->fault)
		write_fault(row, &run->totals);
	csv_row_text(row, report_status(run));
	csv_row_keys(row, run, NULL);
	if (columns->command)
		csv_row_name(row, config->command);
	csv_row_text(row, report_wall(run->totals.wall_ns, wall));
	csv_row_decimal(row, run->totals.others, 1);
	csv_row_decimal(row, run->totals.steal, 1);
	csv_row_number(row, run->begin_ns);
	write_estimated(row, memory->pss_kb >= 0 || memory->uss_kb >= 0, memory->estimated);
	write_estimated(row, memory->kernel_kb >= 0 && memory->kernel_other_kb >= 0,
			memory->kernel_estimated);
	csv_row_number(row, run->totals.cgroup_kb);
	for (size_t i = 0; i < 3; i++)
		csv_row_text(row, sentence_text(seen[i], ""));
	NUMBERS(row, run->children, run->threads);
	write_metrics(row, columns, run, FIRST_LATE, METRIC_ENERGY);
	csv_row_number(row, run->processes);
	write_metrics(row, columns, run, METRIC_ENERGY, METRIC_CUT);
	csv_row_number(row, run->totals.left_running);
	csv_row_text(row, metric_seen_list(list, sizeof(list), run));
	for (size_t i = 0; i < 2; i++) {
		const char *sentence = "";

		if (reason_name(reasons[i]))
			sentence = reason_sentence((enum reason)reasons[i]);
		csv_row_text(row, sentence);
	}
	write_metrics(row, columns, run, METRIC_CUT, METRICS);
	if (columns->metric[METRIC_PRINTED])
		csv_row_name(row, run->totals.printed_unit);
	csv_row_end(row);
}

int write_csv(const struct model *model, FILE *out)
{
	struct csv_row row;
	struct csv_columns columns = {.fault = model_has_faults(model),
				      .operations = model_has_operations(model)};

	if (csv_row_open(&row, model, out))
		return -ENOMEM;
	/* Old recordings do not say which program a case runs. */
	for (uint32_t i = 0; i < model->n_cases; i++)
		columns.command |= *model->cases[i].command != '\0';
	/*
	 * Only some sessions have these metrics, such as a time for each of several kinds of work.
	 */
	for (enum model_metric i = 0; i < METRICS; i++) {
		columns.metric[i] = metric_is(i, METRIC_OF_RUNS);
		if (metric_is(i, METRIC_OF_KINDS | METRIC_OF_FOR | METRIC_OF_PRINTED))
			columns.metric[i] = metric_applies(model, i);
	}
	fputs("trial,model,variables", row.out);
	row.inside = true;
	write_metrics(&row, &columns, NULL, 0, FIRST_LATE);

	write_latencies(&row, NULL);
	if (columns.operations)
		fputs(",operations_n,operation_mean_ns,operation_min_ns,operation_p50_ns,"
		      "operation_p90_ns,operation_p99_ns,operation_max_ns",
		      row.out);
	if (columns.fault)
		fputs(",fault,left_behind", row.out);
	fputs(",status", row.out);
	csv_row_key_names(&row, false);
	if (columns.command)
		csv_row_text(&row, "command");
	fputs(",began,others_percent,steal_percent,begin_ns,estimated,kernel_estimated,"
	      "cgroup_peak_kb,rss_seen,pss_seen,kernel_seen,program_children,program_threads",
	      row.out);
	write_metrics(&row, &columns, NULL, FIRST_LATE, METRIC_ENERGY);
	csv_row_text(&row, "program_processes");
	write_metrics(&row, &columns, NULL, METRIC_ENERGY, METRIC_CUT);
	csv_row_text(&row, "left_running");
	fputs(",seen,memory_reason,usage_reason", row.out);
	write_metrics(&row, &columns, NULL, METRIC_CUT, METRICS);
	if (columns.metric[METRIC_PRINTED])
		csv_row_text(&row, "printed_unit");
	csv_row_end(&row);
	for (size_t i = 0; i < model->n_runs; i++) {
		if (ferror(out))
			break;
		if (report_counts(model, &model->runs[i]))
			write_run_row(&row, &columns, &model->runs[i]);
	}
	return csv_row_close(&row);
}

/*
 * Writes a table about the counted runs that have begun, even if they have not ended. `names` are
 * the columns before the key columns. last_names are the columns after the key columns; add new
 * columns to last_names.
 */
static int write_table(const struct model *model, FILE *out, const char *names, bool of_workers,
		       const char *last_names,
		       void (*write)(struct csv_row *row, const struct model_run *run))
{
	struct csv_row row;

	if (csv_row_open(&row, model, out))
		return -ENOMEM;
	fputs(names, out);
	csv_row_key_names(&row, of_workers);
	fputs(last_names, out);
	csv_row_end(&row);
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (run->id.trial > 0 && run->begin_ns <= model->now_ns &&
		    !model_is_replaced(model, run))
			write(&row, run);
	}
	return csv_row_close(&row);
}

struct samples {
	struct csv_row *row;
	const struct model_run *run;
	int64_t time_ns; /* Time since the run's beginning, ns. */
	size_t point;	 /* Index of the next point of the run to write. */
};

/* Writes a value with this number of decimals. An unknown value is left out. */
static void write_row(struct samples *samples, const char *subject, const char *metric,
		      int64_t value, int decimals)
{
	struct csv_row *row = samples->row;

	if (value < 0)
		return;
	csv_row_run(row, samples->run);
	csv_row_number(row, samples->time_ns);
	csv_row_text(row, subject);
	csv_row_text(row, metric);
	csv_row_decimal(row, value, decimals);
	csv_row_keys(row, samples->run, NULL);
	csv_row_end(row);
}

/*
 * Writes the run's points at time_ns, if there are any. Points are ascending by time; earlier
 * points are skipped.
 */
static void write_point_rows(struct samples *samples, int64_t time_ns)
{
	const struct model_run *run = samples->run;

	for (; samples->point < run->n_points; samples->point++) {
		const struct model_point *point = &run->points[samples->point];
		const struct sample_memory *memory = &point->memory;

		if (point->time_ns > time_ns)
			break;
		if (point->time_ns < time_ns)
			continue;
		write_row(samples, "run", "rss_kb", memory->rss_kb, 0);
		write_row(samples, "run", "pss_kb", memory->pss_kb, 0);
		write_row(samples, "run", "uss_kb", memory->uss_kb, 0);
		write_row(samples, "run", "kernel_kb", memory->kernel_kb, 0);
		if (memory->pss_kb >= 0)
			write_row(samples, "run", "estimated", memory->estimated, 0);
		write_row(samples, "run", "tasks", point->tasks, 0);
		write_row(samples, "run", "kernel_tables_kb", memory->kernel_tables_kb, 0);
		write_row(samples, "run", "kernel_stacks_kb", memory->kernel_stacks_kb, 0);
		write_row(samples, "run", "kernel_other_kb", memory->kernel_other_kb, 0);
		if (memory->kernel_other_kb >= 0)
			write_row(samples, "run", "kernel_estimated", memory->kernel_estimated, 0);
	}
}

static void write_run_samples(struct csv_row *to, const struct model_run *run)
{
	const struct model *model = to->model;
	struct samples samples = {.row = to, .run = run};
	long row = model_load_at(model, run->begin_ns), last = model_load_at(model, run->end_ns);
	uint64_t self_us = 0;

	if (row >= 0)
		self_us = model->loads[row].self_cpu_us;

	while (++row <= last) {
		const struct model_load *load = &model->loads[row];

		samples.time_ns = load->time_ns - run->begin_ns;
		write_point_rows(&samples, load->time_ns);
		for (uint32_t i = 0; i < model->n_cores; i++) {
			const struct sample_core *core =
				&model->cores[(size_t)row * model->n_cores + i];
			char subject[16];
			/* The kernel's number of the CPU, which is unique only on its machine. */
			int cpu = core->cpu;

			if (model->cpus)
				cpu = model->cpus[i];
			snprintf(subject, sizeof(subject), "core%d", cpu);
			write_row(&samples, subject, "user_percent", core->user, 1);
			write_row(&samples, subject, "system_percent", core->system, 1);
			write_row(&samples, subject, "iowait_percent", core->iowait, 1);
			write_row(&samples, subject, "steal_percent", core->steal, 1);
		}
		write_row(&samples, "tuibench", "self_cpu_ms",
			  (int64_t)(load->self_cpu_us - self_us), 3);
	}
}

int export_samples(const struct model *model, FILE *out)
{
	return write_table(model, out, "trial,model,time_ns,subject,metric,value,", false, "",
			   write_run_samples);
}

/* The parent's ID. -1: the parent is the main task, which has no ID. */
static int64_t parent_id(const struct plan_node *node)
{
	if (node->parent == PLAN_ROOT)
		return -1;
	return node->parent;
}

static void write_slice(struct csv_row *row, const struct model_run *run,
			const struct sample_slice *slice)
{
	const struct plan *plan = model_plan(row->model, run);
	bool others = slice->index == SAMPLE_OTHERS;
	struct plan_node node = {.parent = PLAN_ROOT};

	csv_row_run(row, run);
	if (others) {
		csv_row_text(row, "others");
	} else {
		plan_node(plan, slice->index, &node);
		csv_row_place(row, plan, slice->index);
	}
	NUMBERS(row, slice->cpu, slice->on_ns, slice->off_ns);
	csv_row_text(row, names_at(sample_why_names, WHYS, slice->why));
	/*
	 * Write the worker that woke this one. If that worker is unknown, write the kind of waker.
	 */
	if (slice->waker >= 0 && (uint32_t)slice->waker < run->n_workers)
		csv_row_place(row, plan, (uint32_t)slice->waker);
	else
		csv_row_text(row, names_at(sample_woken_names, WOKENS, slice->woken));
	csv_row_number(row, slice->ready_ns);
	int64_t ids[] = {slice->index, parent_id(&node)};

	if (others)
		ids[0] = -1;
	csv_row_keys(row, run, ids);
	csv_row_number(row, MAX(1, slice->merged));
	csv_row_end(row);
}

static void write_run_slices(struct csv_row *row, const struct model_run *run)
{
	const size_t lists = run->n_workers + model_cores_seen(run);
	size_t n;

	for (size_t k = 0; k < lists; k++) {
		const struct sample_slice *list;

		if (k < run->n_workers)
			list = model_slices(run, (uint32_t)k, &n);
		else
			list = model_core_others(run, k - run->n_workers, &n);

		for (size_t i = 0; i < n; i++)
			write_slice(row, run, &list[i]);
	}
}

int export_slices(const struct model *model, FILE *out)
{
	return write_table(model, out, "trial,model,worker,cpu,on_ns,off_ns,why,waker,ready_ns,",
			   true, ",slices", write_run_slices);
}

static void write_worker(struct csv_row *row, const struct model_run *run, uint32_t index)
{
	const struct model *model = row->model;
	const struct plan *plan = model_plan(model, run);
	const struct sample_worker w = model_worker(model, run, index);
	/* A worker's usage is known only after its end. */
	const bool reported = sample_worker_reported(&w);
	const bool split = reported && model_split_worker(model, run, &w);
	struct plan_node node;

	plan_node(plan, index, &node);
	csv_row_run(row, run);
	csv_row_place(row, plan, index);
	if (node.parent == PLAN_ROOT)
		csv_row_text(row, "");
	else
		csv_row_place(row, plan, node.parent);
	csv_row_number(row, node.level);
	csv_row_work(row, plan_work_name((enum work_kind)node.work));
	NUMBERS(row, w.pid, w.tid, fields_known_or(w.cpu_last, w.cpu_first), w.create_ns,
		w.created_ns, w.start_ns, w.finish_ns, w.join_ns);
	if (split)
		NUMBERS(row, (int64_t)w.user_us, (int64_t)w.system_us);
	else
		NUMBERS(row, -1, -1);
	if (reported)
		NUMBERS(row, w.minflt, w.majflt, w.nvcsw, w.nivcsw);
	else
		NUMBERS(row, -1, -1, -1, -1);
	/*
	 * A worker that was not created has no status. A worker that had not finished at the run's
	 * end was interrupted.
	 */
	if (w.create_ns < 0 && w.start_ns < 0)
		csv_row_text(row, "");
	else if (w.status == SAMPLE_RUNNING && model_ended(model, run))
		csv_row_text(row, sample_status_name(SAMPLE_INTERRUPTED));
	else
		csv_row_text(row, sample_status_name((enum sample_status)w.status));
	NUMBERS(row, w.cpu_first, w.parent_cpu, model_migrations(model, run, index), w.cycles,
		w.instructions, w.cache_misses, w.tlb_misses);
	const int64_t ids[] = {index, parent_id(&node)};

	csv_row_keys(row, run, ids);
	/* User and system time are estimated from the kernel's ticks, but their sum is exact. */
	if (reported) {
		NUMBERS(row, (int64_t)w.user_us + w.system_us, w.work_ns, w.delay_us);
		/* The result may be any 64-bit number. */
		fprintf(row->out, ",%" PRIu64, w.result);
	} else {
		NUMBERS(row, -1, w.work_ns, -1, -1);
	}

	csv_row_end(row);
}

static void write_run_workers(struct csv_row *row, const struct model_run *run)
{
	for (uint32_t i = 0; i < run->n_workers; i++)
		write_worker(row, run, i);
}

int export_workers(const struct model *model, FILE *out)
{
	return write_table(
		model, out,
		"trial,model,worker,parent,depth,work,pid,tid,cpu,create_ns,created_ns,start_ns,"
		"finish_ns,join_ns,user_us,system_us,minflt,majflt,nvcsw,nivcsw,status,cpu_first,"
		"creator_cpu,migrations,cycles,instructions,cache_misses,tlb_misses,",
		true, ",cpu_us,work_ns,delay_us,result", write_run_workers);
}

/* Writes the waits: "GIL=12000;lock 3=400;?=20". */
static void csv_row_waits(struct csv_row *row, const struct task *task)
{
	char text[TASK_WAITS * 40];
	struct sentence waits = sentence_in(text, sizeof(text));

	text[0] = '\0';
	for (size_t i = 0; i < task->n_waits; i++) {
		sentence_join(&waits, ";", "%s=%" PRId64,
			      sentence_text(SAMPLE_WAIT(task->waits[i].waited), "?"),
			      (int64_t)llround(task->waits[i].ns));
	}
	csv_row_text(row, text);
}

/*
 * Writes the cores, "core0 core5", as in the column subject of samples. Because of the word "core",
 * no reader takes a single core for a number.
 */
static void csv_row_cores(struct csv_row *row, const cpu_set_t *cores)
{
	char text[CPU_SETSIZE * 9];
	struct sentence list = sentence_in(text, sizeof(text));

	text[0] = '\0';
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, cores))
			sentence_join(&list, " ", "core%zu", cpu);
	csv_row_text(row, text);
}

static void write_task(struct csv_row *row, const struct model_run *run, const struct task *task)
{
	const struct plan *plan = model_plan(row->model, run);
	const int64_t ids[] = {task->worker, task->parent};

	csv_row_run(row, run);
	if (task->thread)
		csv_row_text(row, "thread");
	else
		csv_row_text(row, "process");
	if (task->of_program)
		csv_row_name(row, model_task_known(run, task->index - run->n_workers)->name);
	else
		csv_row_place(row, plan, task->index);
	NUMBERS(row, task->pid, task->tid, task->create_ns, task->start_ns, task->finish_ns,
		task->exit_status, to_whole_us(task->cpu_ns));
	csv_row_ns(row, task->in_ns[STATE_ON]);
	csv_row_ns(row, task->in_ns[STATE_WAITING]);
	csv_row_ns(row, task->in_ns[STATE_BLOCKED]);
	csv_row_ns(row, task->in_ns[STATE_UNKNOWN]);
	for (int on = 0; on < TASK_ON; on++)
		csv_row_ns(row, task->on_ns[on]);
	csv_row_waits(row, task);
	csv_row_cores(row, &task->cores);
	NUMBERS(row, task->migrations, task->nvcsw, task->nivcsw, task->minflt, task->majflt);
	csv_row_text(row, task_states_name(task->states));
	csv_row_text(row, reason_sentence(task->reason));
	csv_row_number(row, task->index);
	csv_row_keys(row, run, ids);
	csv_row_end(row);
}

static void write_run_tasks(struct csv_row *row, const struct model_run *run)
{
	const uint32_t n = task_count(row->model, run);
	struct task task;

	for (uint32_t i = 0; i < n; i++)
		if (task_read(row->model, run, i, &task))
			write_task(row, run, &task);
}

int export_tasks(const struct model *model, FILE *out)
{
	char text[1024];
	struct sentence names = sentence_in(text, sizeof(text));

	sentence_add(&names, "trial,model,kind,name,pid,tid,create_ns,start_ns,finish_ns,"
			     "exit_status,cpu_us,running_ns,runnable_ns,blocked_ns,unknown_ns");
	for (int on = 0; on < TASK_ON; on++)
		sentence_add(&names, ",blocked_%s_ns", task_on_name(on));
	sentence_add(&names, ",blocked_on,cores,migrations,nvcsw,nivcsw,minflt,majflt,states,"
			     "reason,task_id,");
	return write_table(model, out, text, true, "", write_run_tasks);
}
