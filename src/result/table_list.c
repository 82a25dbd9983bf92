/* SPDX-License-Identifier: MIT */
#include "result/table.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/units.h"
#include "base/utf8.h"
#include "core/comparison.h"
#include "core/plan.h"
#include "result/answer.h"
#include "result/latency.h"
#include "result/report.h"
#include "result/task.h"
#include "model/model_kind.h"
#include "model/model_levels.h"
#include "model/model_parts.h"
#include "model/model_wakes.h"

/*
 * A table is filled cell by cell, row after row. A function that adds one cell returns the cell,
 * valid until the next call. If memory is short, it returns a spare cell, and table->err reports
 * the error at the end.
 */

void table_free(struct table *table)
{
	for (size_t i = 0; i < table->n_cells; i++)
		free(table->cells[i].words);
	free(table->cells);
	free(table->note);
	*table = (struct table) {0};
}

static void table_fail(struct table *table, int err)
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
	*cell = (struct table_cell) {.value = NAN, .high = NAN, .case_id = -1, .seen = -1};
	return cell;
}

/* Formats a text. If memory is short, returns NULL and sets the table's error. */
__attribute__((format(printf, 2, 0))) static char *words(struct table *table, const char *format,
							 va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) >= 0)
		return text;
	table_fail(table, -ENOMEM);
	return NULL;
}

__attribute__((format(printf, 2, 3))) static struct table_cell *
table_add_words(struct table *table, const char *format, ...)
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

static struct table_cell *table_add_case(struct table *table, const struct model *model,
					 uint32_t case_id)
{
	struct table_cell *cell = table_add_words(table, "%s", MODEL_CASE_NAME(model, case_id));

	cell->case_id = (int32_t)case_id;
	return cell;
}

/* Adds a value. NaN: unknown. */
static struct table_cell *table_add_value(struct table *table, double value)
{
	struct table_cell *cell = add_cell(table);

	cell->value = value;
	return cell;
}

/* Adds the ends of an interval. why: the reason if the ends are unknown. */
static struct table_cell *table_add_range(struct table *table,
					  const struct stats_interval *interval, const char *why)
{
	struct table_cell *cell;

	if (isnan(interval->low))
		cell = table_add_words(table, "%s", why);
	else
		cell = add_cell(table);
	cell->value = interval->low;
	cell->high = interval->high;
	return cell;
}

/* Adds times in ns, a cell for each. A negative time is unknown. */
static void table_add_times(struct table *table, const int64_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		table_add_value(table, fields_known(ns[i]));
}

/*
 * table_begin_columns() begins a table whose columns are not constant; the first column is for
 * words. table_add_column() adds a column for a metric; title NULL: the metric's title.
 */
static void table_begin_columns(struct table *table, const char *title)
{
	table->columns = table->own;
	table->own[0] = (struct table_column) {title};
	table->n_columns = 1;
}

static void table_add(struct table *table, struct table_column column)
{
	if (table->n_columns == TABLE_OWN)
		table_fail(table, -E2BIG);
	else
		table->own[table->n_columns++] = column;
}

static void table_add_column(struct table *table, const char *title, enum model_metric metric)
{
	table_add(table, (struct table_column) {title, TABLE_RIGHT, TABLE_METRIC, metric});
}

/* Appends to the table's note. */
__attribute__((format(printf, 2, 3))) static void table_note(struct table *table,
							     const char *format, ...)
{
	va_list args;
	const char *before = "", *gap = "";
	char *note, *all = NULL;

	va_start(args, format);
	note = words(table, format, args);
	va_end(args);
	if (table->note) {
		before = table->note;
		gap = " ";
	}
	if (note && asprintf(&all, "%s%s%s", before, gap, note) < 0) {
		all = NULL;
		table_fail(table, -ENOMEM);
	}
	if (all) {
		free(table->note);
		table->note = all;
	}
	free(note);
}

size_t table_rows(const struct table *table)
{
	if (table->n_columns)
		return table->n_cells / table->n_columns;
	return 0;
}

const struct table_cell *table_cell(const struct table *table, size_t row, size_t column)
{
	return &table->cells[row * table->n_columns + column];
}

const char *table_title(const struct table_column *column)
{
	if (column->title)
		return column->title;
	return metric_table[column->metric].title;
}

/*
 * The number of decimals with which a time in µs has about three digits: 0.024, 9.71, 51.0, 13469.
 */
static int micros_decimals(double ns)
{
	if (ns < 1000)
		return 3;
	if (ns < 10000)
		return 2;
	if (ns < 100000)
		return 1;
	return 0;
}

static char *format(char *buf, size_t size, const struct table_column *column, double value)
{
	if (isnan(value))
		snprintf(buf, size, "?");
	else if (column->kind == TABLE_RATIO)
		claim_times(buf, size, value);
	else if (column->kind == TABLE_MICROS)
		snprintf(buf, size, "%.*f", micros_decimals(value), value / 1000);
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

	if (kind->kind == TABLE_WORDS || cell->instead) {
		if (cell->words)
			return cell->words;
		return "";
	}
	if (!kind->range || isnan(cell->value)) {
		const char *mark = METRIC_MARKED(cell->seen, cell->estimated);

		if (isnan(cell->value))
			mark = "";
		snprintf(buf, TABLE_TEXT, "%s%s", mark,
			 format(low, sizeof(low), kind, cell->value));
		return buf;
	}
	snprintf(buf, TABLE_TEXT, "%s%s%s", format(low, sizeof(low), kind, cell->value), to,
		 format(high, sizeof(high), kind, cell->high));
	return buf;
}

#define VALUE(metric) TABLE_RIGHT, TABLE_METRIC, metric
#define RANGE(metric) TABLE_CENTRE, TABLE_METRIC, metric, true

static const char *table_headline(const struct model *model)
{
	const enum model_metric metric = model_headline(model);

	switch (metric) {
	case METRIC_PRINTED:
		return model->printed_title;
	case METRIC_OPERATION:
		return latency_operation(model);
	default:
		return metric_table[metric].title;
	}
}

static const struct table_column elapsed_columns[] = {
	{"model"},
	{"median", VALUE(METRICS), .emphasis = TABLE_STRONG},
	{"mean", VALUE(METRICS)},
	{"95 % interval", RANGE(METRICS)},
	{"fastest", VALUE(METRICS)},
	{"slowest", VALUE(METRICS)},
	{"trials", TABLE_RIGHT},
};

static void fill_elapsed(const struct model *model, struct table *table)
{
	struct report_summary s;
	struct answer answer;
	int err = answer_read(&answer, model);

	table_fail(table, err);
	snprintf(table->title, sizeof(table->title), "%s", table_headline(model));

	if (!err)
		for (uint32_t at = 0; at < model->n_cases; at++) {
			uint32_t i = answer.order[at];
			size_t counted = 0;

			if (comparison_mixed(&model->cases[i]) ||
			    model->cases[i].plan.primitive == PLAN_CALL)
				continue;
			table_fail(table, report_summarize(model, i, model_headline(model), &s));
			table_add_case(table, model, i);
			table_add_value(table, s.median.estimate);
			table_add_value(table, s.mean);
			table_add_range(table, &s.median, report_no_interval(model, i, s.n));
			table_add_value(table, s.least);
			table_add_value(table, s.most);
			for (size_t k = 0; k < model->n_runs; k++)
				counted += model->runs[k].id.case_id == i &&
					   report_counts(model, &model->runs[k]);
			table_add_words(table, "%zu of %zu", s.n, counted);
		}
	answer_free(&answer);
}

/* Adds the medians of a case in the metrics of the columns from `column` on. */
static void add_medians_from(struct table *table, const struct model *model, uint32_t case_id,
			     size_t column)
{
	struct report_summary s;

	for (; column < table->n_columns; column++) {
		enum model_metric metric = table->columns[column].metric;
		const struct variable *quota;
		struct table_cell *cell;
		int seen;

		table_fail(table, report_summarize(model, case_id, metric, &s));
		if (table->columns[column].range) {
			table_add_range(table, &s.median, report_no_interval(model, case_id, s.n));
			continue;
		}
		cell = table_add_value(table, s.median.estimate);
		cell->estimated = answer_is_estimated(model, case_id, metric, &seen);
		cell->seen = (int8_t)seen;
		/*
		 * A case without a quota (quota=max) cannot be throttled, so show "max", not "?".
		 */
		quota = variables_find(&model->cases[case_id].variables, "quota");
		if (!metric_is(metric, METRIC_OF_QUOTAS) || !isnan(cell->value) || !quota ||
		    strcmp(quota->value, "max") != 0 || cell == &table->spare)
			continue;
		cell->words = strdup(quota->value);
		cell->instead = cell->words != NULL;
		if (!cell->words)
			table_fail(table, -ENOMEM);
	}
}

static void add_medians(struct table *table, const struct model *model, uint32_t case_id)
{
	table_add_case(table, model, case_id);
	add_medians_from(table, model, case_id, 1);
}

static void add_all_medians(struct table *table, const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++)
		add_medians(table, model, i);
}

/*
 * Names some of the cases, "fork, vfork and 3 more", because a sweep has many. Returns the number
 * of all.
 */
static unsigned name_cases(const struct model *model, const bool *has, char *buf, size_t size)
{
	enum { NAMED = 4 };
	struct sentence names = sentence_in(buf, size);
	unsigned n = 0;

	for (uint32_t i = 0; i < model->n_cases; i++)
		if (has[i] && n++ < NAMED)
			sentence_join(&names, ", ", "%s", MODEL_CASE_NAME(model, i));
	if (n > NAMED)
		sentence_add(&names, " and %u more", n - NAMED);
	return n;
}

/* Adds a note on the source of user and system time, or on why they are unknown. */
static void note_split(const struct model *model, struct table *table)
{
	bool by_stat[MODEL_JOIN_CASES] = {false}, unknown = false;
	const char *of_some = "";
	char list[512];

	for (const struct model_run *run = NULL;
	     (run = model_next_measured(model, run, 0, model->n_cases));) {
		enum model_split_source source = run->split.source;

		by_stat[run->id.case_id] |= source == MODEL_SPLIT_PROC_STAT;
		unknown |= source == MODEL_SPLIT_NONE;
		if (source == MODEL_SPLIT_RUSAGE || source == MODEL_SPLIT_PROC_STAT)
			of_some = " of some runs";
	}
	if (name_cases(model, by_stat, list, sizeof(list)) > 0)
		table_note(table,
			   "The user and system times of %s are split in the ratio of /proc/stat. "
			   "Their sum is exact.",
			   list);
	if (unknown)
		table_note(table,
			   "User and system time%s are not known, because the kernel samples them "
			   "every %g ms and the tasks had fewer than %d samples. CPU time, their "
			   "sum, is exact.",
			   of_some, (double)model_split_tick(model, 0) / 1e6, SAMPLE_SPLIT_TICKS);
}

static void fill_medians(const struct model *model, struct table *table, size_t place_at)
{
	struct sentence note = SENTENCE(8 * SAMPLE_TEXT);
	struct report_summary all, some;
	enum model_metric list[METRICS];
	const size_t n = metric_places(place_at, list);
	bool said;

	/*
	 * Adds a column for each metric that belongs to this table and that the session can have,
	 * in order.
	 */
	table_begin_columns(table, "model");
	for (size_t i = 0; i < n; i++)
		if (metric_applies(model, list[i]))
			table_add_column(table, NULL, list[i]);
	table->own[1].emphasis = TABLE_STRONG;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		add_medians(table, model, i);
		/* Note medians from fewer trials than their case has: "threads: user 2 of 12". */
		said = false;
		table_fail(table, report_summarize(model, i, METRIC_CPU, &all));
		for (size_t column = 1; column < table->n_columns; column++) {
			enum model_metric metric = table->columns[column].metric;

			table_fail(table, report_summarize(model, i, metric, &some));
			if (some.n == 0 || some.n >= all.n)
				continue;
			if (said)
				sentence_add(&note, ", ");
			else
				sentence_join(&note, "; ", "%s: ", MODEL_CASE_NAME(model, i));
			sentence_add(&note, "%s %zu of %zu", metric_table[metric].title, some.n,
				     all.n);

			said = true;
		}
	}
	if (note.used)
		table_note(table, "Based on fewer trials: %s.", note.buf);
}

/*
 * Whether a waiting worker yields its core by sched_yield(2), as with polled memory or a spinlock.
 */
static bool waits_by_yielding(const struct sample_case *config)
{
	const struct variable *via = variables_find(&config->variables, "via");
	if (config->via == VIA_MEMORY)
		return true;
	return via && (strcmp(via->value, via_names[VIA_MEMORY]) == 0 ||
		       strcmp(via->value, counting_names[COUNTING_SPINLOCK]) == 0);
}

static void fill_costs(const struct model *model, struct table *table)
{
	char text[SAMPLE_TEXT];
	bool yields = false;

	fill_medians(model, table, offsetof(struct metric, cost));
	note_split(model, table);
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_run *run = model_latest(model, i);

		if (run && model_ended(model, run) && *sched_tasks(model, run, text, sizeof(text)))
			table_note(table, "%s: %s in its last run.", MODEL_CASE_NAME(model, i),
				   text);
	}
	for (uint32_t i = 0; i < model->n_cases; i++)
		yields |= waits_by_yielding(&model->cases[i]);
	if (yields)
		table_note(table, "Involuntary switches include calls of sched_yield(2), which "
				  "workers make while they poll memory on one core or wait for a "
				  "spinlock.");
	/* Note the cost of measuring, if programs besides the front end contribute to it. */
	if (report_overhead(model, text, sizeof(text)))
		table_note(table, "%c%s.", toupper((unsigned char)*text), text + 1);
}

static void fill_memory(const struct model *model, struct table *table)
{
	static const char *const ways[SEEN_WAYS] = {
		[SEEN_START] = "were read before the work, so their peaks are higher (≥)",
		[SEEN_SAMPLED] =
			"are the highest of some readings, so a short peak may be missed (≥)",
		[SEEN_PEAK] = "are the peaks that the kernel keeps for a process",
		[SEEN_PEAKS] =
			"are sums of the kernel's peaks, so at least as high as the true peak",
		[SEEN_LEAST] = "may be far below the peak, which the readings missed (≥)",
		[SEEN_MOST] = "are upper limits: the peak may belong to an earlier process (≤)",
	};
	bool missed = false, denied = false;
	int seen[MODEL_JOIN_CASES];

	fill_medians(model, table, offsetof(struct metric, memory));
	table_note(
		table,
		"PSS divides a page among the processes that map it. RSS, as in top, counts it "
		"once per process. Neither includes kernel memory: stacks, page tables and slab.");
	for (uint32_t i = 0; i < model->n_cases; i++) {
		seen[i] = model_seen(model, i, METRIC_PSS);
		if (seen[i] < 0)
			seen[i] = model_seen(model, i, METRIC_RSS);
	}
	for (int way = 0; way < SEEN_WAYS; way++) {
		bool has[MODEL_JOIN_CASES] = {false};
		char names[SAMPLE_TEXT];

		for (uint32_t i = 0; i < model->n_cases; i++)
			has[i] = seen[i] == way;
		if (name_cases(model, has, names, sizeof(names)) > 0)
			table_note(table, "RSS, PSS and USS of %s %s.", names, ways[way]);
	}
	for (size_t i = 0; i < model->n_messages; i++)
		denied |= model->messages[i].kind == MESSAGE_NO_PSS;
	for (const struct model_run *run = NULL;
	     (run = model_next_measured(model, run, 0, model->n_cases));)
		missed |= model_plan(model, run)->leaves[WORK_PROGRAM] > 0 &&
			  !isnan(metric_value(run, METRIC_RSS)) &&
			  isnan(metric_value(run, METRIC_PSS));
	if (missed && !denied)
		table_note(table,
			   "PSS is ? for runs in which no reading came close to a program's peak.");
}

/*
 * The table of the answer: a row for each case with a known value. For each headline metric, the
 * row has the median and how it compares with the row of reference.
 */

/* The word for a difference that is not significant. */
static const char *state_word(const struct answer_cell *cell)
{
	if (cell->state == ANSWER_SAME)
		return "same";
	if (cell->state == ANSWER_CLOSE)
		return "close";
	if (cell->state == ANSWER_NONE || isnan(cell->median))
		return "";
	return "?";
}

static void add_state(struct table *table, const struct answer_cell *cell)
{
	if (cell->state != ANSWER_REAL)
		table_add_words(table, "%s", state_word(cell));
	else if (isnan(cell->ratio.estimate))
		table_add_words(table, "real")->emphasis = TABLE_STRONG;
	else
		table_add_words(table, "%sx", CLAIM_TIMES(cell->ratio.estimate))->emphasis =
			TABLE_STRONG;
}

/* Whether the answer lists the row, because at least one of its values is known. */
static bool is_listed(const struct answer *answer, uint32_t row)
{
	for (uint32_t i = 0; i < answer->n_metrics; i++)
		if (!isnan(answer->rows[row].cells[i].median))
			return true;
	return false;
}

/* One meaning of "?" in the answer: the metrics and the rows that have it. */
struct unknown_mark {
	unsigned metrics; /* A bit for each metric of the answer; 0: no "?" has this meaning. */
	enum model_metric metric; /* The first of them. */
	uint32_t first, more;	  /* The case of the first row, and the number of other rows. */
	uint32_t last;
};

static void mark_unknown(struct unknown_mark *mark, const struct answer *answer, uint32_t place,
			 uint32_t case_id)
{
	if (!mark->metrics)
		*mark = (struct unknown_mark) {
			.metric = answer->metrics[place], .first = case_id, .last = case_id};
	/* The first row comes again with each metric. */
	mark->more += case_id > mark->last;
	mark->last = MAX(mark->last, case_id);
	mark->metrics |= 1u << place;
}

/*
 * Adds a note of what "?" means. If it means something else in other metrics, the note names this
 * one; if it means something else in the same metric, it names the rows.
 */
static void note_unknown(const struct model *model, struct table *table,
			 const struct unknown_mark *mark, const struct unknown_mark *other,
			 const char *text)
{
	const char *title = answer_title(model, mark->metric);

	if (!other)
		table_note(table, "?: %s.", text);
	else if (!(other->metrics & mark->metrics))
		table_note(table, "? of %s: %s.", title, text);
	else if (mark->more == 0)
		table_note(table, "? for %s: %s.", MODEL_CASE_NAME(model, mark->first), text);
	else
		table_note(table, "? for %s and %u more: %s.", MODEL_CASE_NAME(model, mark->first),
			   mark->more, text);
}

/* The marks and words that occur in the cells of the answer. */
struct answer_marks {
	bool same, estimated, pairs, counted, create;
	bool far; /* Readings missed the peak of a median with "≥", so it may be far too small. */
	bool seen[BOUND_MOST + 1];
	struct unknown_mark few, unlike[REASONS];
	/*
	 * The trials in which both cases of a row of `few` have the metric, if it is missing in
	 * others of all their trials. 0: it is missing in no row.
	 */
	uint32_t measured, trials;
	enum reason partial; /* Why tasks were not counted. */
};

static void mark_cell(struct answer_marks *marks, const struct answer *answer, uint32_t place,
		      uint32_t row, double reference)
{
	const enum model_metric metric = answer->metrics[place];
	const uint32_t case_id = answer->rows[row].case_id;
	const struct answer_cell *cell = &answer->rows[row].cells[place];

	const bool withheld = cell->state == ANSWER_WITHHELD, known = !isnan(cell->median);

	marks->same |= cell->state == ANSWER_SAME;
	marks->pairs |=
		cell->state == ANSWER_REAL && !isnan(cell->ratio.estimate) &&
		!answer_medians_agree(metric, reference, cell->median, cell->ratio.estimate);
	marks->estimated |= cell->estimated && known;
	marks->counted |= cell->state == ANSWER_CLOSE && cell->ratio.high > cell->sampled.high;
	marks->seen[sample_seen_bound(cell->seen)] |= known;
	marks->far |= known && cell->seen == SEEN_LEAST;
	if (metric == METRIC_TASKS_CREATED && withheld && !known)
		marks->partial = cell->why;
	if (withheld)
		mark_unknown(&marks->unlike[cell->why], answer, place, case_id);
	if (cell->state != ANSWER_MEASURING && cell->least == 0)
		return;
	mark_unknown(&marks->few, answer, place, case_id);
	if (cell->pairs < answer->rows[row].cells[0].pairs && marks->trials == 0) {
		marks->measured = cell->pairs;
		marks->trials = answer->rows[row].cells[0].pairs;
	}
}

/*
 * Finds the marks. If a metric has rows that are too close to call, sets its entry in `close` to
 * the largest difference that their intervals allow.
 */
static void find_marks(const struct model *model, const struct answer *answer,
		       struct answer_marks *marks, struct sentence *close)
{
	for (uint32_t i = 0; i < answer->n_metrics; i++) {
		const enum model_metric metric = answer->metrics[i];
		double bound = NAN;

		marks->create |= metric == METRIC_CREATE;
		for (uint32_t row = 0; row < answer->n_rows; row++) {
			const struct answer_row *of = &answer->rows[row];
			const struct answer_cell *cell = &of->cells[i];

			if (!is_listed(answer, row))
				continue;
			mark_cell(marks, answer, i, row,
				  answer->rows[of->reference].cells[i].median);
			if (cell->state == ANSWER_CLOSE && !isnan(cell->ratio.low))
				bound = fmax(bound, finding_excluded(&cell->ratio));
		}
		if (!isnan(bound))
			sentence_join(close, ", ", "%s %s", answer_title(model, metric),
				      CLAIM_APART(bound));
	}
}

/* Another meaning of "?", if possible one in the same metric; NULL if there is none. */
static const struct unknown_mark *find_other(const struct answer_marks *marks,
					     const struct unknown_mark *mark)
{
	const struct unknown_mark *other = NULL, *list[REASONS] = {&marks->few};
	int n = 1;

	for (enum reason reason = REASON_UNLIKE; reason <= REASON_BOUNDS; reason++)
		list[n++] = &marks->unlike[reason];
	for (int i = 0; i < n; i++) {
		if (list[i] == mark || !list[i]->metrics)
			continue;
		if (!other || list[i]->metrics & mark->metrics)
			other = list[i];
	}
	return other;
}

/* Explains each "?" by its reason. */
static void note_reasons(const struct model *model, struct table *table,
			 const struct answer_marks *marks)
{
	char text[256] = "more trials are needed";

	if (model_over(model) && marks->trials > 0)
		snprintf(text, sizeof(text), "too few trials: it was measured in %u of %u",
			 marks->measured, marks->trials);
	else if (model_over(model))
		snprintf(text, sizeof(text), "too few trials");
	if (marks->few.metrics)
		note_unknown(model, table, &marks->few, find_other(marks, &marks->few), text);
	if (marks->partial == REASON_NOT_KNOWN)
		table_note(table, "?: the tasks were not counted.");
	else if (marks->partial != REASON_NONE)
		table_note(table, "?: the tasks were not counted, because %s.",
			   reason_sentence(marks->partial));
	for (enum reason reason = REASON_UNLIKE; reason <= REASON_BOUNDS; reason++)
		if (marks->unlike[reason].metrics) {
			snprintf(text, sizeof(text), "not compared, because %s",
				 reason_sentence(reason));
			note_unknown(model, table, &marks->unlike[reason],
				     find_other(marks, &marks->unlike[reason]), text);
		}
	for (enum reason reason = REASON_NO_LINE; reason <= REASON_OTHER_UNIT; reason++)
		if (marks->unlike[reason].metrics)
			table_note(table, "?: %s is not known, because %s.", model->session.metric,
				   reason_sentence(reason));
	if (marks->unlike[REASON_CUT].metrics)
		table_note(table, "?: the time is not known, because %s after %s.",
			   reason_sentence(REASON_CUT), UNITS_TIME(model->session.for_ns, false));
}

/*
 * Says with what the rows are compared, if some are compared with another model and others with
 * another value.
 */
static void note_references(const struct model *model, struct table *table,
			    const struct answer *answer)
{
	const char *condition = comparison_condition(model->cases, model->n_cases);
	const struct answer_row *of_values = NULL, *of_models = NULL;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];

		if (answer_compares_models(model, row)) {
			of_models = row;
		} else if (row->reference != row->case_id) {
			/* One sentence has room for one reference. */
			if (of_values && of_values->reference != row->reference)
				return;
			of_values = row;
		}
	}
	if (!condition || !of_values || !of_models)
		return;
	table_note(table, "The reference is %s for %s, and %s at the same %s for the others.",
		   MODEL_CASE_NAME(model, of_values->reference),
		   model->cases[of_values->case_id].model, model->cases[of_models->reference].model,
		   condition);
}

/* Says why the answer of programs has no memory. n: metrics before the table left some out. */
static void note_no_memory(const struct model *model, struct table *table,
			   const struct answer *answer, uint32_t n)
{
	const struct model_run *newest = NULL;
	enum reason why = REASON_SHORT_RUN;

	for (uint32_t i = 0; i < n; i++) {
		if (metric_table[answer->metrics[i]].memory == 0)
			continue;
		if (i >= answer->n_metrics)
			table_note(table, "This table has no room for memory: see \"memory at its "
					  "peak\" in --format report.");
		return;
	}
	for (const struct model_run *run = NULL;
	     (run = model_next_measured(model, run, 0, model->n_cases));)
		if (model_plan(model, run)->leaves[WORK_PROGRAM] > 0)
			newest = run;
	if (!newest || model_has_faults(model) || !model_over(model))
		return;
	if (newest->totals.memory_reason > REASON_NONE)
		why = (enum reason)newest->totals.memory_reason;
	table_note(table, "Memory is not known (%s).", reason_sentence(why));
}

/* Whether the session compares a thread and a process that start the same program. */
static bool is_one_program(const struct model *model)
{
	return model->n_cases == 2 && model->cases[0].plan.leaves[WORK_PROGRAM] > 0 &&
	       strcmp(model->cases[0].model, "threads") == 0 &&
	       strcmp(model->cases[1].model, "processes") == 0;
}

/*
 * Adds a note that explains the marks and words in the cells of the answer, each only if it occurs.
 */
static void note_answer(const struct model *model, struct table *table, const struct answer *answer)
{
	struct answer_marks marks = {.partial = REASON_NONE};
	struct sentence close = SENTENCE(256);
	const char *over = "";

	find_marks(model, answer, &marks, &close);
	note_references(model, table, answer);
	if (is_one_program(model))
		table_note(table,
			   "Both rows run the same program, which a thread or a process starts "
			   "(-m processes: one row).");
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model->cases[i].plan.levels > 1)
			over = ", over all branches";
	if (answer->n_metrics > 0 && answer->metrics[0] == METRIC_REQUEST)
		table_note(table, "per request: the time from the first request to the last reply, "
				  "divided by the requests of all clients. The latency is that of "
				  "a single request.");
	if (marks.create)
		table_note(table, "creation: from the first create call to the last%s.", over);
	if (marks.same)
		table_note(table, "same: less than %.0f %% apart.", 100 * (MODEL_MARGIN - 1));
	if (marks.pairs)
		table_note(
			table,
			"x comes from the pairs, so it may differ from the ratio of the medians.");
	if (marks.estimated)
		table_note(table, "~: an estimate.");
	note_reasons(model, table, &marks);
	if (marks.seen[BOUND_LEAST])
		table_note(table, "≥: the highest of some readings, so the peak may be %shigher.",
			   marks.far ? "far " : "");
	if (marks.seen[BOUND_MOST])
		table_note(
			table,
			"≤: an upper bound, the peak of the run's cgroup including cached files.");
	if (close.used)
		table_note(table, "close: too close to call, %s.", close.buf);
	if (marks.counted)
		table_note(table, "Small memory differences are undecided, because the kernel "
				  "counts pages in "
				  "batches.");
}

/*
 * Adds as many columns of metrics as fit beside the names into 80 columns of text; a value and a
 * ratio take about 17. If there are few rows, adds four metrics in any case, and long names get
 * lines of their own.
 */
static void add_answer_columns(const struct model *model, struct answer *answer,
			       struct table *table)
{
	uint32_t most;
	int names = 0;

	for (uint32_t id = 0; id < model->n_cases; id++)
		names = MAX(names, utf8_columns(MODEL_CASE_NAME(model, id)));
	most = (uint32_t)(80 - (MIN(names, 63))) / 17;
	if (answer->n_rows <= 4)
		most = MAX(most, 4);
	answer->n_metrics = MIN(answer->n_metrics, most);
	table_begin_columns(table, "");
	for (uint32_t i = 0; i < answer->n_metrics; i++) {
		table_add_column(table, answer_title(model, answer->metrics[i]),
				 answer->metrics[i]);
		table_add(table, (struct table_column) {.title = ""});
	}
}

/* mark: the row is a reference that does not come first. */
static void add_answer_row(const struct model *model, struct table *table,
			   const struct answer *answer, const struct answer_row *row, bool mark)
{
	table_add_case(table, model, row->case_id);
	for (uint32_t i = 0; i < answer->n_metrics; i++) {
		const struct answer_cell *from = &row->cells[i];
		struct table_cell *cell = table_add_value(table, from->median);

		cell->estimated = from->estimated;
		cell->seen = (int8_t)from->seen;
		if (mark && !isnan(from->median))
			table_add_words(table, "1x");
		else
			add_state(table, from);
	}
}

/* The cases that the answer does not list, by the reason. */
struct unlisted {
	uint32_t unknown;    /* measured, without a value of the metric */
	uint32_t unmeasured; /* no run counts */
	uint32_t failed;     /* all runs failed */
};

static void unlisted_add(struct unlisted *unlisted, const struct model *model, uint32_t case_id)
{
	if (report_failed_trials(model, case_id, NULL) > 0)
		unlisted->failed++;
	else if (model_next_measured(model, NULL, case_id, 1))
		unlisted->unknown++;
	else
		unlisted->unmeasured++;
}

static void note_counted(struct table *table, uint32_t n, const char *one, const char *several)
{
	if (n == 1)
		table_note(table, "1 configuration %s", one);
	else if (n > 1)
		table_note(table, "%u configurations %s", n, several);
}

static void note_unlisted(const struct model *model, struct table *table,
			  const struct unlisted *unlisted)
{
	if (model_has_latency(model))
		note_counted(table, unlisted->unknown,
			     "is not compared, because it was not pinned to one core.",
			     "are not compared, because they were not pinned to one core.");
	else
		note_counted(table, unlisted->unknown, "does not have this metric.",
			     "do not have this metric.");
	note_counted(table, unlisted->unmeasured, "was not measured before the end.",
		     "were not measured before the end.");
	note_counted(table, unlisted->failed, "has no result, because all its runs failed.",
		     "have no result, because all their runs failed.");
}

/*
 * Lists the headline metrics of each case that has any, in the order of the answer, with a ratio
 * beside each value.
 */
static void fill_answer(const struct model *model, struct table *table)
{
	struct answer answer;
	struct unlisted unlisted = {0};
	char calls[256];
	bool cold = false;
	int err = answer_read(&answer, model);
	uint32_t n;

	if (err) {
		table_fail(table, err);
		answer_free(&answer);
		return;
	}
	n = answer.n_metrics;
	add_answer_columns(model, &answer, table);
	for (uint32_t at = 0; at < answer.n_rows; at++) {
		const uint32_t index = answer.order[at];
		const struct answer_row *row = &answer.rows[index];

		if (is_listed(&answer, index)) {
			/* Rows may be sorted by time, so a reference need not be the first row. */
			add_answer_row(model, table, &answer, row,
				       at > 0 && model_has_latency(model) &&
					       row->reference == index);
			cold |= model->cases[row->case_id].plan.primitive == PLAN_PTHREAD_COLD;
		} else if (model_over(model)) {
			unlisted_add(&unlisted, model, row->case_id);
		}
	}
	if (*report_calls(model, calls, sizeof(calls)))
		table_note(table, "%s", calls);
	if (cold)
		table_note(table, "cold: on a stack that was never used before.");
	note_unlisted(model, table, &unlisted);
	note_answer(model, table, &answer);
	note_no_memory(model, table, &answer, n);
	answer_free(&answer);
}

/*
 * The table of the time that tasks of a tree spend, by level: medians over the trials of each
 * trial's own figures.
 */

/* Leave out the barrier, which belongs to tuibench and not to the tasks. */
static const enum model_phase phases[] = {PHASE_CREATE, PHASE_START, PHASE_WORK, PHASE_JOIN};

struct list_spans {
	double *medians, *p99s;
	size_t n;
};

/* Adds the row of a level. After the last level, adds the row for all levels. */
static void add_level(const struct model *model, uint32_t case_id, uint32_t level,
		      struct list_spans *spans, struct table *table)
{
	const struct plan *plan = &model->cases[case_id].plan;
	const bool all = level == plan->levels;
	uint32_t tasks = plan_count(plan);

	table_add_case(table, model, case_id);
	if (all) {
		table_add_words(table, "all");
	} else {
		plan_level(plan, level, &tasks);
		table_add_words(table, "%u", level + 1);
	}
	table_add_value(table, tasks);
	for (size_t i = 0; i < LENGTH(phases); i++) {
		spans->n = 0;
		for (const struct model_run *run = NULL;
		     (run = model_next_measured(model, run, case_id, 1));) {
			const struct model_levels *levels = model_levels(model, run);
			const struct model_span *span;

			if (!levels)
				continue;
			span = &levels->level[level].phase[phases[i]];
			if (all)
				span = &levels->all.phase[phases[i]];
			if (span->n == 0)
				continue;
			spans->medians[spans->n] = span->median;
			spans->p99s[spans->n++] = span->p99;
		}
		table_add_value(table, stats_select(spans->medians, spans->n, 0.5));
		table_add_value(table, stats_select(spans->p99s, spans->n, 0.5));
	}
}

static const struct table_column levels_columns[] = {
	{"model"},
	{"level"},
	{"tasks", VALUE(METRIC_WORKERS)},
	{"create", VALUE(METRIC_ELAPSED)},
	{"99 %", VALUE(METRIC_ELAPSED)},
	{"start", VALUE(METRIC_ELAPSED)},
	{"99 %", VALUE(METRIC_ELAPSED)},
	{"work", VALUE(METRIC_ELAPSED)},
	{"99 %", VALUE(METRIC_ELAPSED)},
	{"join", VALUE(METRIC_ELAPSED)},
	{"99 %", VALUE(METRIC_ELAPSED)},
};

static void fill_levels(const struct model *model, struct table *table)
{
	double *values = malloc(2 * (model->n_runs + 1) * sizeof(*values));
	struct list_spans spans = {values, values + model->n_runs + 1, 0};
	struct sentence note = SENTENCE(SAMPLE_TEXT);
	bool trees = false;

	if (!values)
		table_fail(table, -ENOMEM);
	if (values)
		for (uint32_t i = 0; i < model->n_cases; i++)
			trees |= !model->cases[i].plan.barrier &&
				 !plan_is_creation(&model->cases[i].plan);
	if (trees)
		for (uint32_t i = 0; i < model->n_cases; i++) {
			uint32_t levels = model->cases[i].plan.levels;
			size_t n = 0;
			double share;

			for (uint32_t level = 0; level <= levels; level++)
				if (levels > 1 || level == levels)
					add_level(model, i, level, &spans, table);
			/*
			 * The median of the trials' shares over all levels, as a note, because
			 * another column would not fit into 80 columns.
			 */
			for (const struct model_run *run = NULL;
			     (run = model_next_measured(model, run, i, 1));) {
				const struct model_levels *all = model_levels(model, run);

				if (!all)
					continue;
				values[n] = model_inversions(&all->all);
				n += !isnan(values[n]);
			}
			share = stats_select(values, n, 0.5);
			if (!isnan(share))
				sentence_join(&note, ", ", "%s %s", MODEL_CASE_NAME(model, i),
					      METRIC_TEXT(METRIC_SHARE, share));
		}
	if (note.used)
		table_note(table,
			   "Inversions are pairs of siblings in which the first to end was the "
			   "last to be joined: %s.",
			   note.buf);
	free(values);
}

/* The tables that show where the elapsed time went, and why one of two cases takes longer. */

/* Largest number of pairs that the table shows. JSON has all pairs. */
#define LIST_PAIRS_MOST 6

/* Writes "0.984 to 1.021", or only one text if both are equal. */
static char *from_to(char *buf, size_t size, const char *least, const char *most)
{
	if (strcmp(least, most) == 0)
		snprintf(buf, size, "%s", least);
	else
		snprintf(buf, size, "%s to %s", least, most);
	return buf;
}

static double path_part(const struct model_parts *parts, enum model_metric metric)
{
	if (metric == METRIC_PATH)
		return parts->all_ns;
	if (metric == METRIC_RUNNING)
		return parts->running_ns;
	return parts->ns[metric - METRIC_CREATING];
}

/* The title of a part, if it differs from that of the part's metric; NULL: the same title. */
static const char *part_title(enum model_metric metric)
{
	if (metric == METRIC_CREATING)
		return "create calls";
	if (metric == METRIC_RUNNING)
		return "run+wait";
	return NULL;
}

/* Lists the parts of each case's critical path. */
static void fill_path(const struct model *model, struct table *table)
{
	struct model_parts *parts = calloc(model->n_cases + 1, sizeof(*parts));
	bool any = false, all = true, split = false, running = false;
	double lowest = INFINITY, highest = 0;
	char least[16], most[16], source[SCHED_SENTENCE];

	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (!parts)
			break;
		table_fail(table, model_parts(model, i, &parts[i]));
		if (parts[i].n == 0) {
			all = false;
			continue;
		}
		any = true;
		split |= parts[i].split;
		running |= !parts[i].split;
		lowest = fmin(lowest, parts[i].scale);
		highest = fmax(highest, parts[i].scale);
	}
	table_begin_columns(table, "model");
	for (enum model_metric i = METRIC_CREATING; i <= METRIC_PATH; i++) {
		bool middle = i >= METRIC_WORKING && i <= METRIC_BLOCKED;

		if ((!middle || split) && (i != METRIC_RUNNING || running))
			table_add_column(table, part_title(i), i);
	}
	if (any)
		for (uint32_t i = 0; i < model->n_cases; i++) {
			table_add_case(table, model, i);
			for (size_t k = 1; k < table->n_columns; k++) {
				enum model_metric metric = table->columns[k].metric;

				table_add_value(table, path_part(&parts[i], metric));
			}
		}
	if (!parts)
		table_fail(table, -ENOMEM);
	free(parts);
	if (!any)
		return;
	/*
	 * For a tree, say in the title that the table is about one branch, because the answer's
	 * creation time is the sum over all branches.
	 */
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model->cases[i].plan.levels > 1)
			snprintf(table->title, sizeof(table->title), "%s",
				 "where the elapsed time went, along the branch that ended last");
	snprintf(least, sizeof(least), "%.3f", lowest);
	snprintf(most, sizeof(most), "%.3f", highest);
	table_note(table,
		   "The critical path is that of the worker that ended last. Its waits for a core "
		   "include the time in which other workers ran there. Its parts are medians over "
		   "the trials, scaled by %s so that they add up to the median elapsed time.",
		   from_to((char[40]) {0}, 40, least, most));
	if (!all)
		table_note(table, "?: in too many trials, the end of some worker is not known.");
	if (running)
		table_note(table,
			   "Run+wait: the worker was on a core, waited for one, or was "
			   "blocked. Only recorded slices (-s sched=perf) tell these apart.");
	if (*sched_sentence(model, source, sizeof(source)))
		table_note(table, "%s", source);
}

/*
 * If there are more cases, the tables show only the tasks of the newest trial's cases, and leave
 * out the rows of single wakers. Exports have everything.
 */
#define CASES_MOST 6

/* The tasks of programs: for each program its longest-lived tasks, in one trial. */

enum { LONGEST_TASKS = 10 };

static const struct table_column longest_columns[] = {
	{"program"},
	{"task"},
	{"begun", VALUE(METRIC_ELAPSED)},
	{"lived", VALUE(METRIC_ELAPSED), .emphasis = TABLE_STRONG},
	{"CPU time", VALUE(METRIC_ELAPSED)},
	{"running", VALUE(METRIC_ELAPSED)},
	{"runnable", VALUE(METRIC_ELAPSED)},
	{"blocked", VALUE(METRIC_ELAPSED)},
	{"most on", TABLE_LEFT},
	{"exit", TABLE_RIGHT},
};

/* Adds the longest wait, "lock 3 80 %"; "" if the task was not blocked. */
static void add_longest_wait(struct table *table, const struct task *task)
{
	const double all = task->in_ns[STATE_BLOCKED];

	if (isnan(all))
		table_add_words(table, "?");
	else if (task->n_waits == 0 || !(all > 0))
		table_add_words(table, "%s", "");
	else
		table_add_words(table, "%s %.0f %%",
				sentence_text(SAMPLE_WAIT(task->waits[0].waited), "?"),
				100 * task->waits[0].ns / all);
}

/* Whether the cause of the task's longest wait is unknown, because the wait was short. */
static bool has_short_wait(const struct model *model, const struct model_run *run, uint32_t index)
{
	struct task task;

	task_read(model, run, index, &task);
	return task.n_waits > 0 && task.in_ns[STATE_BLOCKED] > 0 && task.waits[0].waited <= 0;
}

static void add_longest(const struct model *model, const struct model_run *run, uint32_t index,
			struct table *table)
{
	struct task task;

	task_read(model, run, index, &task);
	table_add_case(table, model, run->id.case_id);
	table_add_words(table, "%s", TASK_NAME(run, index));
	table_add_value(table, (double)task.create_ns);
	table_add_value(table, (double)task_life(model, run, index));
	table_add_value(table, fields_known(task.cpu_ns));
	table_add_value(table, task.in_ns[STATE_ON]);
	table_add_value(table, task.in_ns[STATE_WAITING]);
	table_add_value(table, task.in_ns[STATE_BLOCKED]);
	add_longest_wait(table, &task);
	if (task.thread)
		table_add_words(table, "%s", "");
	else if (task.exit_status < 0)
		table_add_words(table, "?");
	else
		table_add_words(table, "%d", task.exit_status);
}

/* If there are many cases, lists only the cases of the newest trial. */
static void fill_longest(const struct model *model, struct table *table)
{
	const struct model_trial newest = model_trial_newest(model);
	const bool many = model->n_cases > CASES_MOST;
	uint32_t list[LONGEST_TASKS], most = 0;
	struct sentence trials = SENTENCE(256);
	const char *ten = "";
	bool short_waits = false;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_trial trial = model_trial_typical(model, i);
		const struct model_run *run = model_trial_run(model, &trial, i);
		uint32_t n;

		if (!run || (many && (i < newest.first || i >= newest.end)))
			continue;
		n = task_longest(model, run, list, LONGEST_TASKS);
		for (uint32_t k = 0; k < n; k++) {
			add_longest(model, run, list[k], table);
			short_waits |= has_short_wait(model, run, list[k]);
		}
		if (n == 0)
			continue;
		most = MAX(most, task_count(model, run) - run->n_workers);
		sentence_join(&trials, ", ", "%s trial %u", MODEL_CASE_NAME(model, i),
			      run->id.trial);
	}
	if (table_rows(table) == 0)
		return;
	if (most > LONGEST_TASKS)
		ten = ", the ten tasks that lived longest; -x tasks lists all";
	table_note(
		table,
		"These are the tasks of the trial whose times are nearest to the medians (%s)%s.",
		trials.buf, ten);
	table_note(table, "Begun is when the task was created, counted from the start of "
			  "the run. Running is the time on a core. "
			  "Most on names what blocked the "
			  "task longest, with its share of the blocked time.");
	if (short_waits)
		table_note(table,
			   "? in most on: the task's waits were shorter than the time between two "
			   "readings of their cause, which is 5 ms or more.");
	if (many)
		table_note(table,
			   "They are from the newest of %u configurations; -x tasks lists all.",
			   model->n_cases);
	if (model_tasks_sampled(model))
		table_note(table,
			   "States are sampled from schedstat; tasks under 50 ms have none.");
}

static void add_path_difference(const struct model *model, const struct model_comparison *c,
				double ns, struct table *table)
{
	char reality[CLAIM_TEXT];

	table_add_words(table, "%s - %s", MODEL_CASE_NAME(model, c->b),
			MODEL_CASE_NAME(model, c->a));
	table_add_words(table, "%s",
			sentence_text(part_title(c->metric), metric_table[c->metric].title));
	table_add_words(table, "%s", UNITS_CHANGE(ns));
	if (isnan(c->ratio.low))
		table_add_words(table, "?");
	else if (c->metric == METRIC_ELAPSED)
		table_add_words(table, "%s to %sx", CLAIM_TIMES(c->ratio.low),
				CLAIM_TIMES(c->ratio.high));
	else
		table_add_words(table, "%s to %s", UNITS_CHANGE(c->ratio.low),
				UNITS_CHANGE(c->ratio.high));
	table_add_value(table, c->pairs);
	if (c->verdict == STATS_A || c->verdict == STATS_B)
		table_add_words(table, "yes");
	else if (c->verdict == STATS_NONE)
		table_add_words(table, "no");
	else
		table_add_words(table, "%s", claim_none(model, c, reality, sizeof(reality)));
}

static const struct table_column why_columns[] = {
	{"compared"},
	{"part"},
	{"medians differ by", TABLE_RIGHT},
	{"pairs differ by", TABLE_CENTRE},
	{"pairs", VALUE(METRIC_WORKERS)},
	{"real?"},
};

static void note_why(struct table *table, double level)
{
	char each[32];

	table_note(
		table,
		"The row elapsed has the interval of the pairs' ratios and the answer's verdict.");
	if (!isnan(level))
		table_note(table,
			   "Each part is judged on its own, by Wilcoxon's signed ranks at %s: at "
			   "most %.0f %% of sessions call a part real that does not differ. So "
			   "a part can be real although elapsed is not.",
			   claim_level(each, sizeof(each), level), 100 * INTERIM_ERROR);
	table_note(table, "The medians may differ by more or less than an interval says.");
}

/* If there are many pairs, lists the first ones and the pair that the sentence explains. */
static void fill_why(const struct model *model, struct table *table)
{
	double level = NAN; /* The lowest of the parts. */
	uint32_t first, second;
	bool about = model_parts_pair(model, &first, &second);

	for (uint32_t a = 0, b = 0; report_next_pair(model, &a, &b);) {
		struct model_parts_difference d;
		bool it = about && a == first && b == second;

		if (table_rows(table) >= LIST_PAIRS_MOST * (MODEL_PARTS + 1) && !it)
			continue;
		table_fail(table, model_parts_compare(model, a, b, &d));
		if (table->err || isnan(d.whole.ratio.estimate))
			continue;
		add_path_difference(model, &d.elapsed, d.whole_ns, table);
		for (uint32_t i = 0; i < d.n; i++) {
			add_path_difference(model, &d.part[i], d.part_ns[i], table);
			level = fmin(level, d.part[i].level);
		}
	}
	if (table_rows(table) > 0)
		note_why(table, level);
}

/* The delay from runnable to running, by kind of wake-up and by waker. */

static const char *const wake_texts[MODEL_WAKES] = {
	[WAKE_CREATED] = "creation",
	[WAKE_BARRIER] = "the barrier",
	[WAKE_BLOCKED] = "a block",
};

static const char *const waker_texts[WOKENS + 1] = {
	[WOKEN_UNKNOWN] = "?",		[WOKEN_BY_MAIN] = "the first task",
	[WOKEN_BY_WORKER] = "a worker", [WOKEN_BY_INTERRUPT] = "an interrupt",
	[WOKEN_BY_OTHERS] = "others",	[WOKENS] = "all",
};

static const struct table_column wakes_columns[] = {
	{"model"},
	{"after"},
	{"woken by"},
	{"n", VALUE(METRIC_WORKERS)},
	{"p50", TABLE_RIGHT, TABLE_MICROS},
	{"p90", TABLE_RIGHT, TABLE_MICROS},
	{"p99", TABLE_RIGHT, TABLE_MICROS},
	{"max", TABLE_RIGHT, TABLE_MICROS},
};

static void add_waits_for_core(const struct model *model, struct table *table, uint32_t case_id,
			       enum model_wake wake, enum sample_woken who)
{
	const struct model_wake_figures f =
		model_wakes_figures(model_wakes(model, case_id), wake, who);

	if (f.n == 0)
		return;
	table_add_case(table, model, case_id);
	table_add_words(table, "%s", wake_texts[wake]);
	table_add_words(table, "%s", waker_texts[who]);
	table_add_value(table, (double)f.n);
	table_add_times(table, (const int64_t[]) {f.p50, f.p90, f.p99, f.max}, 4);
}

static void fill_wakes(const struct model *model, struct table *table)
{
	char text[SCHED_TEXT];

	for (uint32_t i = 0; i < model->n_cases * MODEL_WAKES; i++) {
		const struct model_wakes *wakes = model_wakes(model, i / MODEL_WAKES);
		const enum model_wake wake = (enum model_wake)(i % MODEL_WAKES);
		int kinds = 0;

		if (!wakes)
			continue;
		for (enum sample_woken who = 0; who < WOKENS; who++)
			kinds += model_wakes_figures(wakes, wake, who).n > 0;
		/*
		 * Add a row for all wakers together, then one for each kind of waker. If there is
		 * only one kind, leave out the row for all.
		 */
		if (kinds != 1)
			add_waits_for_core(model, table, i / MODEL_WAKES, wake, WOKENS);
		for (enum sample_woken who = 0; who < WOKENS; who++)
			if (kinds == 1 || model->n_cases <= CASES_MOST)
				add_waits_for_core(model, table, i / MODEL_WAKES, wake, who);
	}
	if (table_rows(table) == 0)
		return;
	table_note(
		table,
		"A wait is the time from the wake-up, the creation or the opening of the start "
		"barrier until the task runs on a core, over all trials. Preempted tasks are not "
		"included. Percentiles are within %.0f %%; the longest is exact.",
		100 * WAKES_ERROR);
	if (*sched_no_wakes(model, text, sizeof(text)))
		table_note(table, "%s.", text);
}

/*
 * The table of the kernel's and the processor's counts. If no case has counts, the table has the
 * reason.
 */

static const enum model_metric counted_metrics[] = {
	METRIC_MIGRATIONS,   METRIC_MINFLT,    METRIC_MAJFLT,	    METRIC_CYCLES,
	METRIC_INSTRUCTIONS, METRIC_PER_CYCLE, METRIC_CACHE_MISSES, METRIC_TLB_MISSES,
};

enum { LIST_COUNTED = LENGTH(counted_metrics) };

static bool is_counting(const struct sample_session *session)
{
	return strcmp(session->counters, "user") == 0 || strcmp(session->counters, "software") == 0;
}

/* Why a counter is missing. cycles: the processor's cycles, which are counted first, are known. */
static const char *list_reason_of(const struct sample_session *session, enum model_metric metric,
				  bool cycles)
{
	if (*session->counters == '\0')
		return "not in recordings of earlier versions";
	if (metric != METRIC_MIGRATIONS && is_counting(session) && cycles)
		return "this processor has no counter for it, or no free one";
	if (metric != METRIC_MIGRATIONS && is_counting(session))
		return "unknown for some workers: see 6, Messages";
	if (metric != METRIC_MIGRATIONS)
		return session->counters;
	if (strcmp(session->sched, "off") == 0)
		return "-s sched=off";
	return "measured only for loops of at least 3 ms, or with -s sched=perf";
}

/*
 * Lists the counted metrics that any run has, and the reasons why others are missing. Page faults
 * are counted for all tasks of the model, including parents; the other counts are only for workers.
 */
static void fill_counters(const struct model *model, struct table *table)
{
	bool known[LIST_COUNTED], any = false, events = false, cycles = false;
	struct sentence note = SENTENCE(SAMPLE_TEXT);
	const char *before = NULL;

	table_begin_columns(table, "model");
	for (int i = 0; i < LIST_COUNTED; i++) {
		known[i] = false;
		for (size_t k = 0; k < model->n_runs; k++)
			known[i] |= report_counts(model, &model->runs[k]) &&
				    !isnan(metric_result(&model->runs[k], counted_metrics[i]));
		any |= known[i];
		events |= known[i] && metric_is(counted_metrics[i], METRIC_OF_COUNTERS);
		cycles |= known[i] && counted_metrics[i] == METRIC_CYCLES;
		if (known[i])
			table_add_column(table, NULL, counted_metrics[i]);
	}
	if (any)
		add_all_medians(table, model);
	if (events)
		table_note(table,
			   "The processor's counters cover the workers in user mode only, not the "
			   "kernel.");
	/*
	 * For example "Not known: migrations (-s sched=off); cycles, instructions (this machine
	 * ...)."
	 */
	for (int i = 0; i < LIST_COUNTED; i++) {
		const char *reason = list_reason_of(&model->session, counted_metrics[i], cycles);

		if (known[i] || !any)
			continue;
		if (before && before != reason)
			sentence_add(&note, " (%s); ", before);
		else if (before)
			sentence_add(&note, ", ");
		sentence_add(&note, "%s", metric_table[counted_metrics[i]].title);
		before = reason;
	}
	if (before)
		table_note(table, "Not known: %s (%s).", note.buf, before);
	/*
	 * For each recording without counters, such as "laptop: kernel.perf_event_paranoid is 4,
	 * ...".
	 */
	if (any)
		for (uint32_t i = 0; i < model->n_origins; i++) {
			const struct model_origin *origin = &model->origins[i];

			if (!is_counting(&origin->session))
				table_note(table, "%s: %s.", origin->name,
					   list_reason_of(&origin->session, METRIC_CYCLES, cycles));
		}
}

/* Adds a number of workers, such as that of the survivors: "3 of 4", or "2 to 3 of 4". */
static void add_fault_share(struct table *table, const struct model_fault *fault, int64_t least,
			    int64_t most)
{
	if (fault->trials == 0 || least < 0)
		table_add_words(table, "?");
	else if (least == most)
		table_add_words(table, "%lld of %u", (long long)least, fault->workers);
	else
		table_add_words(table, "%lld to %lld of %u", (long long)least, (long long)most,
				fault->workers);
}

static const struct table_column faults_columns[] = {
	{"model"},
	{"survived", TABLE_RIGHT, .emphasis = TABLE_STRONG},
	{"its parent noticed after", TABLE_RIGHT},
	{"wrong result", TABLE_RIGHT},
	{"lost", TABLE_RIGHT},
	{"left behind"},
	{"trials", TABLE_RIGHT, .emphasis = TABLE_DIM},
};

/* Why a parent did not notice the fault in any trial. */
static const char *untold_why(enum fault_kind kind)
{
	if (kind == FAULT_HANG)
		return "it waits forever";
	if (kind == FAULT_OVERRUN)
		return "it ended as usual";
	return "it ended too";
}

static void fill_faults(const struct model *model, struct table *table)
{
	enum fault_kind kind = FAULT_NONE;
	struct model_fault fault;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		struct sentence left = SENTENCE(64);

		table_fail(table, model_fault_read(model, i, &fault));
		if (fault.trials > 0)
			kind = fault.kind;
		table_add_case(table, model, i);
		add_fault_share(table, &fault, fault.least, fault.most);
		/*
		 * No parent noticed the fault if it ended with the worker, if it waits forever, or
		 * if the worker ended as usual.
		 */
		if (fault.trials == 0)
			table_add_words(table, "?");
		else if (fault.noticed == 0)
			table_add_words(table, "never (%s)", untold_why(fault.kind));
		else
			table_add_words(table, "%s, at most %s",
					UNITS_TIME((int64_t)fault.noticed_ns, false),
					UNITS_TIME((int64_t)fault.noticed_most_ns, false));
		add_fault_share(table, &fault, fault.wrong_least, fault.wrong_most);
		add_fault_share(table, &fault, fault.lost_least, fault.lost_most);
		/*
		 * The leftovers: "lock, shared memory, file". Kinds in which the models differ come
		 * first, because the text may be cut off.
		 */
		for (int k = FAULT_LEFTS - 1; k >= 0; k--)
			if (fault.left & 1u << k)
				sentence_join(&left, ", ", "%s", fault_left_name((unsigned)k));
		if (fault.trials == 0)
			table_add_words(table, "?");
		else
			table_add_words(table, "%s", sentence_text(left.buf, "nothing"));
		table_add_words(table, "%u", fault.trials);
	}
	if (table->n_cells > 0 && kind == FAULT_OVERRUN)
		table_note(table, "The worker wrote past its own memory, over its neighbour's if "
				  "they share it, and went on. No worker ended. Only a worker that "
				  "checks its memory at its end finds that its result is wrong.");
	else if (table->n_cells > 0)
		table_note(table, "The parent waits for its tasks one after the other, the last "
				  "one first, so it notices a death only when its turn comes. "
				  "The lock stays locked for the survivors that share it.");
}

static const char touch_note[] =
	"The times are those of the writes alone, in each worker's own CPU time. Page faults are "
	"from getrusage(2), "
	"copied pages from the growth of Private_Dirty in smaps. A process's write faults if the "
	"page is still shared with its parent, and the kernel copies the page. Since Linux 5.8, a "
	"write to a huge page copies only 4 KiB of it, so huge pages save time in the fork.";

static void fill_steps(const struct model *model, struct table *table)
{
	static const enum model_metric touched[] = {METRIC_STEPS, METRIC_STEP_FAULTS, METRIC_COPIED,
						    METRIC_STEP, METRICS};
	static const enum model_metric shared[] = {METRIC_STEPS, METRIC_LOST, METRIC_TOGETHER,
						   METRIC_STEP,	 METRIC_RATE, METRIC_FAIRNESS,
						   METRICS};
	enum work_kind kind = model_step(model);
	const enum model_metric *metric = shared;

	if (kind == WORK_TOUCH)
		metric = touched;

	table_begin_columns(table, "model");
	if (kind != WORK_TOUCH && kind != WORK_SHARE)
		return;
	for (; *metric < METRICS; metric++)
		table_add_column(table, NULL, *metric);
	snprintf(table->title, sizeof(table->title), "%ss", plan_step_name(kind));
	add_all_medians(table, model);
	if (kind == WORK_SHARE) {
		table_note(table,
			   "All workers draw on one shared total of increments until it is used "
			   "up. With "
			   "counters of their own, or without a guard (plain), each worker has a "
			   "fixed part. tuibench checks the sum. Lost increments were done but are "
			   "missing from the counter. Together is the share of the time in which "
			   "all workers, or as many as there are cores, worked at once, as their "
			   "lanes show. A worker that sleeps for the mutex while another one is on "
			   "a core counts as working. "
			   "Below %d %% the results are withheld (?), because a worker that runs "
			   "alone takes a fraction of the time. Together comes from all trials, "
			   "and the other columns from those that are not withheld. Fairness is "
			   "Jain's index of the rates: 100 %% if all count equally fast.",
			   (int)(100 * MODEL_TOGETHER_LEAST));
	}
	if (kind == WORK_TOUCH)
		table_note(table, "%s", touch_note);
}

static const struct table_column tasks_columns[] = {
	{"model"},
	{"latency", VALUE(METRIC_OPERATION), .emphasis = TABLE_STRONG},
	{"per second", VALUE(METRIC_PER_SECOND)},
	{"creation per task", VALUE(METRIC_TASK_CREATE)},
	{"tasks", VALUE(METRIC_TASKS), .emphasis = TABLE_DIM},
};

static void fill_tasks(const struct model *model, struct table *table)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (model->cases[i].plan.tasks == 0 || plan_serves(&model->cases[i].plan))
			continue;
		add_medians(table, model, i);
	}
	if (table->n_cells > 0)
		table_note(table,
			   "Latency is the median time of a run from handing out a task until "
			   "it is done. A worker of a pool takes the next task itself; without a "
			   "pool, each task is created. Creation per task is the time until "
			   "all workers of a pool exist, divided by the number of tasks. Without "
			   "a pool, it is the time from the call until the task runs.");
}

static const struct table_column requests_columns[] = {
	{"model"},
	{"requests/s", VALUE(METRIC_REQUEST_RATE), .emphasis = TABLE_STRONG},
	{"95 % interval", RANGE(METRIC_REQUEST_RATE)},
	{"p50", VALUE(METRIC_REQUEST_P50)},
	{"p99", VALUE(METRIC_REQUEST_P99)},
	{"95 % interval", RANGE(METRIC_REQUEST_P99)},
	{"p99.9", VALUE(METRIC_REQUEST_P999)},
	{"CPU each", VALUE(METRIC_REQUEST_CPU)},
	{"switches each", VALUE(METRIC_REQUEST_SWITCHES)},
	{"errors", VALUE(METRIC_REQUEST_ERRORS)},
	{"accept queue", VALUE(METRIC_QUEUE)},
	{"PSS per idle (KiB)", VALUE(METRIC_IDLE_PSS)},
};

static void fill_requests(const struct model *model, struct table *table)
{
	/* Without idle connections, leave out the last column. */
	if (!metric_applies(model, METRIC_IDLE_PSS))
		table->n_columns--;
	if (!model_serves(model))
		return;
	add_all_medians(table, model);
	table_note(table, "The values are medians of the trials. Latency runs from the moment "
			  "when a client begins to connect, or to send on an open connection, "
			  "until it has the whole reply. With -s rate, it runs from the moment "
			  "planned for the request, even if no client was free. Errors are "
			  "requests without a reply. CPU and switches count the server without "
			  "its clients. Accept queue is the largest number of connections that "
			  "waited to be accepted at any tick. More may have waited in between.");
	if (metric_applies(model, METRIC_IDLE_PSS))
		table_note(table, "PSS per idle is how much the server's PSS has grown for each "
				  "idle connection, before "
				  "the first request. It excludes sockets, kernel stacks and page "
				  "tables. CPU and switches include the "
				  "creation of the idle connections' workers.");
}

static const struct table_column pool_columns[] = {
	{"compared"},
	{"from a task of", VALUE(METRIC_OPERATION), .emphasis = TABLE_STRONG},
	{"between", TABLE_CENTRE},
	{"tried", RANGE(METRIC_OPERATION)},
};

static void fill_pool(const struct model *model, struct table *table)
{
	static const char *const words[] = {
		[FINDING_POOL_OPEN] = "not decided",
		[FINDING_POOL_ALWAYS] = "longer than any tried",
		[FINDING_POOL_NEVER] = "shorter than any tried",
	};
	struct finding_pool found;

	for (uint32_t a = 0, b = 0; finding_next_pool(model, &a, &b);) {
		const char *metric = "";

		table_fail(table, finding_pool(model, a, b, &found));
		if (found.metric == METRIC_CPU)
			metric = ", cpu time";
		table_add_words(table, "%s / %s%s", model->cases[a].model, model->cases[b].model,
				metric);
		table_add_value(table, found.at);
		if (found.answer == FINDING_POOL_FOUND)
			table_add_words(table, "%s to %s", METRIC_TEXT(METRIC_OPERATION, found.low),
					METRIC_TEXT(METRIC_OPERATION, found.high));
		else
			table_add_words(table, "%s", words[found.answer]);
		table_add_range(table, &(struct stats_interval) {NAN, found.least, found.most}, "");
	}
	if (table->n_cells > 0)
		table_note(table,
			   "Each length is a median latency of the pool. For longer tasks the pool "
			   "does not pay off, because creating a worker for each task is less than "
			   "%.0f %% slower. If the elapsed times do not decide, the CPU times do. "
			   "The length is a range. At its lower end, creating a worker is really "
			   "slower by more than this percentage; at its upper end, it is really "
			   "slower by less.",
			   100 * (FINDING_POOL_LEAST - 1));
}

static const struct table_column messages_columns[] = {
	{"model"},
	{"per second", VALUE(METRIC_MESSAGE_RATE), .emphasis = TABLE_STRONG},
	{"95 % interval", RANGE(METRIC_MESSAGE_RATE)},
	{"messages", VALUE(METRIC_MESSAGES), .emphasis = TABLE_DIM},
};

static void fill_messages(const struct model *model, struct table *table)
{
	if (!metric_applies(model, METRIC_MESSAGES))
		return;
	add_all_medians(table, model);
	table_note(table,
		   "The receivers count the messages that arrive. The rate "
		   "counts from the opening of the start barrier to the last message. Only the "
		   "elapsed time includes creation and joins.");
}

/* How long each operation of the workers takes, over all counted trials. */

static const struct table_column operations_columns[] = {
	{"model"},
	{"n", TABLE_RIGHT},
	{"mean", TABLE_RIGHT, TABLE_MICROS},
	{"min", TABLE_RIGHT, TABLE_MICROS},
	{"p50", TABLE_RIGHT, TABLE_MICROS},
	{"p90", TABLE_RIGHT, TABLE_MICROS},
	{"p99", TABLE_RIGHT, TABLE_MICROS},
	{"max", TABLE_RIGHT, TABLE_MICROS},
};

static void fill_operations(const struct model *model, struct table *table)
{
	static const struct model_latency_figures unknown = {
		.min = -1, .p50 = -1, .p90 = -1, .p99 = -1, .max = -1};

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct model_latency_figures *f = model_operations(model, i);
		struct report_summary s;

		if (!plan_operates(&model->cases[i].plan))
			continue;
		table_fail(table, report_summarize(model, i, METRIC_OPERATION_MEAN, &s));
		table_add_case(table, model, i);
		if (f) {
			table_add_words(table, "%s", UNITS_COUNT(f->n));
		} else {
			table_add_words(table, "?");
			f = &unknown;
		}
		table_add_value(table, s.median.estimate);
		table_add_times(table, (const int64_t[]) {f->min, f->p50, f->p90, f->p99, f->max},
				5);
	}
	table_note(table,
		   "The times are those of every %s in all trials. The mean is the median of the "
		   "trials' "
		   "means. "
		   "Percentiles are within 3 %%.",
		   latency_operation(model));
}

static void take_level(struct table *table, const struct model_comparison *c)
{
	table->low_level = fmin(table->low_level, c->level);
	table->high_level = fmax(table->high_level, c->level);
	table->family = c->family;
}

/* Adds a note on the confidence levels of the intervals. */
static void note_levels(struct table *table)
{
	char low[32], high[32];

	if (isnan(table->low_level))
		return;
	claim_level(low, sizeof(low), table->low_level);
	claim_level(high, sizeof(high), table->high_level);
	if (table->family < 2)
		table_note(table, "The interval has a confidence level of %s.", low);
	else
		table_note(
			table, "%s These are simultaneous intervals of %u comparisons, each at %s.",
			REPORT_ERROR_RATE, table->family, from_to((char[72]) {0}, 72, low, high));
}

static void add_ratio(struct table *table, const struct model_comparison *c)
{
	table_add_value(table, c->ratio.estimate);
	table_add_range(table, &c->ratio, "");
	take_level(table, c);
}

static const struct table_column comparison_columns[] = {
	{"compared"},
	{"ratio", TABLE_RIGHT, TABLE_RATIO},
	{"interval", TABLE_CENTRE, TABLE_RATIO, .range = true},
	{"pairs", VALUE(METRIC_WORKERS)},
	{"faster"},
};

static uint32_t faster_case(const struct model_comparison *c)
{
	if (c->verdict == STATS_A)
		return c->a;
	return c->b;
}

static void fill_comparison(const struct model *model, struct table *table)
{
	struct model_comparison c;
	char none[CLAIM_TEXT];

	if (table_replaced(model))
		return;
	snprintf(table->title, sizeof(table->title), "%s compared", table_headline(model));
	for (uint32_t a = 0, b = 0; report_next_pair(model, &a, &b);) {
		table_fail(table, model_compare(model, a, b, model_headline(model), &c));
		table_add_words(table, "%s / %s", MODEL_CASE_NAME(model, b),
				MODEL_CASE_NAME(model, a));
		add_ratio(table, &c);
		table_add_value(table, c.pairs);
		if (c.verdict == STATS_A || c.verdict == STATS_B)
			table_add_case(table, model, faster_case(&c));
		else
			table_add_words(table, "%s", claim_none(model, &c, none, sizeof(none)));
	}
}

static const struct table_column crossover_columns[] = {
	{"compared"},
	{"elapsed", TABLE_CENTRE},
	{"cpu time", TABLE_CENTRE},
	{"PSS", TABLE_CENTRE},
};

static const struct variable *first_swept(const struct model *model)
{
	if (model->n_cases == 0)
		return NULL;
	return model_swept(&model->cases[0]);
}

static void fill_crossover(const struct model *model, struct table *table)
{
	const struct variable *swept = first_swept(model);

	const enum model_metric metrics[] = {model_headline(model), METRIC_CPU, METRIC_PSS};
	char text[SAMPLE_NAME + 160];
	const char *apart = "";

	if (!swept)
		return;
	if (model->n_origins > 0)
		apart = " Separate recordings have no pairs of trials, so tuibench claims no "
			"crossover between them.";
	table->own[1].title = table_headline(model);
	for (uint32_t a = 0, b = 0; model_next_curves(model, &a, &b);) {
		table_add_words(table, "%s / %s", report_curve_name(model, a, text, sizeof(text)),
				model->cases[b].model);
		for (size_t i = 0; i < LENGTH(metrics); i++) {
			table_fail(table,
				   report_crossover(model, a, b, metrics[i], text, sizeof(text)));
			table_add_words(table, "%s", text);
		}
	}
	table_note(table,
		   "The lines cross at this value of %s. In brackets are the last value at which "
		   "one model "
		   "is really faster, and the first at which the other is.%s",
		   swept->name, apart);
}

/*
 * A sweep, or several ways to do the same work, in one table: the time of each model at each value
 * or in each way, and the fastest model there.
 */

struct row {
	uint32_t cases[MODEL_JOIN_CASES], n;
};

/* If there is no winner: adds how far apart the models are at most. */
static void add_apart(struct table *table, double excluded)
{
	struct table_cell *cell = table_add_words(table, "%s", CLAIM_APART(excluded));

	if (excluded >= CLAIM_NOISY)
		cell->emphasis = TABLE_WARN;
}

/*
 * How much longer the other models take: "1.9x (1.8 to 2.0)" for two models, "1.9 to 3.1x" for
 * more.
 */
static char *write_times(const struct model *model, struct table *table, const struct row *row,
			 const struct finding_lead *lead, char buf[CLAIM_TEXT])
{
	struct stats_interval ahead = finding_ahead(lead);
	double low = NAN, high = NAN;
	struct model_comparison c;

	for (uint32_t i = 0; i < row->n; i++) {
		if (row->cases[i] == lead->lead)
			continue;
		table_fail(table, model_compare(model, lead->lead, row->cases[i],
						model_headline(model), &c));
		low = fmin(low, c.ratio.estimate);
		high = fmax(high, c.ratio.estimate);
	}
	if (lead->others == 1)
		snprintf(buf, CLAIM_TEXT, "%sx (%s)", CLAIM_TIMES(ahead.estimate),
			 CLAIM_TIMES_INTERVAL(ahead.low, ahead.high));
	else if (strcmp(CLAIM_TIMES(low), CLAIM_TIMES(high)) == 0)
		snprintf(buf, CLAIM_TEXT, "%sx", CLAIM_TIMES(low));
	else
		snprintf(buf, CLAIM_TEXT, "%sx", CLAIM_TIMES_INTERVAL(low, high));
	return buf;
}

/*
 * Adds the fastest model: "threads, 1.9x (1.8 to 2.0)", "at most 3.1 % apart", "some differ, but
 * none is fastest".
 */
static void add_leader(const struct model *model, struct table *table, const struct row *row)
{
	struct finding_lead lead = {.sure = FINDING_UNKNOWN};
	char times[CLAIM_TEXT];

	table_fail(table, finding_among(model, row->cases, row->n, model_headline(model), &lead));
	if (lead.others > 0)
		take_level(table, &lead.next);
	if (lead.others == 0 || lead.pairs == 0)
		table_add_words(table, "?");
	else if (lead.sure == FINDING_REAL)
		table_add_words(table, "%s, %s", model->cases[lead.lead].model,
				write_times(model, table, row, &lead, times))
			->case_id = (int32_t)lead.lead;
	else if (lead.sure == FINDING_NONE)
		add_apart(table, lead.excluded);
	else if (lead.sure == FINDING_NO_WINNER)
		table_add_words(table, "some differ, but none is fastest");
	else
		table_add_words(table, "not decided");
}

static void add_pivot_value(const struct model *model, struct table *table, uint32_t first)
{
	struct row row = {.n = 0};
	char value[VARIABLES_TEXT];

	for (uint32_t i = first; i < model->n_cases; i++)
		if (comparison_alike(&model->cases[first], &model->cases[i]))
			row.cases[row.n++] = i;
	variables_format(&model->cases[first].variables, ' ', value, sizeof(value));
	table_add_words(table, "%s", value);
	for (size_t i = 1; i + 1 < table->n_columns; i++) {
		struct report_summary summary = {.median = {.estimate = NAN}};
		uint32_t k = 0;

		while (k < row.n &&
		       strcmp(model->cases[row.cases[k]].model, table->columns[i].title) != 0)
			k++;
		if (k < row.n)
			table_fail(table, report_summarize(model, row.cases[k],
							   model_headline(model), &summary));
		table_add_value(table, summary.median.estimate);
	}
	add_leader(model, table, &row);
}

static size_t count_models(const struct model *model)
{
	size_t n = 0;

	for (uint32_t i = 0; i < model->n_cases; i++)
		n += model_first_alike(model, i) == i;
	return n;
}

bool table_pivots(const struct model *model)
{
	return (model_sweeps(model) || model_has_ways(model)) && model->n_origins == 0 &&
	       !model_has_latency(model) && !model_has_faults(model);
}

/* Adds a column for each model in the order of the cases, unless there are too many. */
static void fill_pivot(const struct model *model, struct table *table)
{
	size_t models = count_models(model);

	table_begin_columns(table, "value");
	if (!table_pivots(model) || models < 2 || models + 2 > TABLE_OWN)
		return;
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model_first_alike(model, i) == i)
			table_add_column(table, model->cases[i].model, model_headline(model));
	table_add(table, (struct table_column) {"fastest, or how close"});
	snprintf(table->title, sizeof(table->title), "median %s", table_headline(model));
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (model_first(model, i, comparison_alike) == i)
			add_pivot_value(model, table, i);
}

static const char *value_of_condition(const struct model *model, uint32_t case_id)
{
	const char *name = comparison_condition(model->cases, model->n_cases);

	return variables_find(&model->cases[case_id].variables, name)->value;
}

static const struct table_column values_columns[] = {
	{"model"},
	{"compared"},
	{"ratio", TABLE_RIGHT, TABLE_RATIO},
	{"interval", TABLE_CENTRE, TABLE_RATIO, .range = true},
	{"lower"},
	{"pairs", VALUE(METRIC_WORKERS)},
};

static void fill_values(const struct model *model, struct table *table)
{
	const char *name = comparison_condition(model->cases, model->n_cases);
	char none[CLAIM_TEXT], text[VARIABLES_TEXT];
	struct model_comparison c;

	if (!name || model->n_origins > 0)
		return;
	snprintf(table->title, sizeof(table->title), "%s over %s", table_headline(model), name);
	for (uint32_t a = 0, b = 0; report_next_pair(model, &a, &b);) {
		const struct sample_case *config = &model->cases[a];
		struct variables rest = {.n = 0};

		if (!comparison_of_values(model->cases, model->n_cases, a, b))
			continue;
		table_fail(table, model_compare(model, a, b, model_headline(model), &c));
		/* The name without the value: "threads", "threads cache=warm", "mem: threads". */
		for (uint32_t i = 0; i < config->variables.n; i++)
			if (strcmp(config->variables.list[i].name, name) != 0)
				rest.list[rest.n++] = config->variables.list[i];
		variables_format(&rest, ' ', text, sizeof(text));
		if (rest.n > 0)
			table_add_words(table, "%s %s", config->model, text);
		else
			table_add_words(table, "%s", config->model);
		table_add_words(table, "%s / %s", value_of_condition(model, b),
				value_of_condition(model, a));
		add_ratio(table, &c);
		if (c.verdict == STATS_A || c.verdict == STATS_B)
			table_add_words(table, "%s (real)",
					value_of_condition(model, faster_case(&c)));
		else
			table_add_words(table, "%s", claim_none(model, &c, none, sizeof(none)));
		table_add_value(table, c.pairs);
	}
}

static const struct table_column scaling_columns[] = {
	{"program"},
	{"worker"},
	{"scale", VALUE(METRIC_WORKERS)},
	{"CPU", VALUE(METRIC_SHARE)},
	{"PSS", VALUE(METRIC_PSS)},
	{"I/O", VALUE(METRIC_IO)},
	{"time", VALUE(METRIC_ELAPSED)},
};

static void fill_scaling(const struct model *model, struct table *table)
{
	const struct variable *swept = first_swept(model);

	if (!swept || strcmp(swept->name, "workers") != 0)
		return;
	for (uint32_t i = 0; i < model->n_cases * model->n_cases; i++) {
		uint32_t first = i / model->n_cases, case_id = i % model->n_cases;
		const struct sample_case *config = &model->cases[case_id];
		struct sentence work = SENTENCE(SAMPLE_LABEL);
		double value = NAN;

		if (model_first(model, case_id, comparison_same_curve) != first)
			continue;
		/* The work as text: "fp", "cpu+io". */
		for (int k = 0; k < WORK_KINDS; k++)
			if (config->plan.leaves[k] > 0)
				sentence_join(&work, "+", "%s", plan_work_name((enum work_kind)k));
		swept = model_swept(config);
		if (swept)
			value = swept->number;
		table_add_words(table, "%s", config->model)->case_id = (int32_t)case_id;
		table_add_words(table, "%s", work.buf);
		table_add_value(table, value);
		add_medians_from(table, model, case_id, 3);
	}
}

/* Speedups: a row for each number of cores on which the same work was done, model by model. */

static const struct table_column speedup_columns[] = {
	{"model"},
	{"cores", VALUE(METRIC_WORKERS)},
	{"median", VALUE(METRIC_ELAPSED)},
	{"speed-up", TABLE_RIGHT, TABLE_RATIO, .emphasis = TABLE_STRONG},
	{"95 % interval", TABLE_CENTRE, TABLE_RATIO, .range = true},
	{"efficiency", TABLE_RIGHT},
	{"ideal", TABLE_RIGHT, TABLE_RATIO, .emphasis = TABLE_DIM},
};

static void fill_speedup(const struct model *model, struct table *table)
{
	struct model_speedup speedup;
	/* Fewest workers of a curve that has more cores than workers. */
	uint32_t fewest = UINT32_MAX;
	char text[MAX(SPEEDUP_TEXT, SAMPLE_NAME)];

	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (table->err)
			break;
		if (!model_speedup_begins(model, i))
			continue;
		table_fail(table, model_speedup(model, i, &speedup));
		for (uint32_t p = 0; p < speedup.n; p++) {
			const struct model_speedup_point *point = &speedup.point[p];

			table_add_words(table, "%s",
					report_curve_name(model, point->case_id, text, SAMPLE_NAME))
				->case_id = (int32_t)point->case_id;
			table_add_value(table, point->cores);
			table_add_value(table, point->median);
			table_add_value(table, point->speedup.estimate);
			if (p == 0)
				table_add_words(table, "%s", "");
			else
				table_add_range(table, &point->speedup, "six trials needed");
			if (isnan(point->efficiency))
				table_add_value(table, NAN);
			else
				table_add_words(table, "%.0f %%", 100 * point->efficiency);
			table_add_value(table, point->cores / speedup.point[0].cores);
		}
		if (!table->note || speedup.amdahl.state != AMDAHL_FEW_POINTS)
			table_note(table, "%s.", speedup_law(model, &speedup, text, sizeof(text)));
		/* Points are ascending by cores, so the last one has the most cores. */
		if (speedup.workers > 0 && speedup.n > 0 &&
		    speedup.point[speedup.n - 1].cores > speedup.workers)
			fewest = MIN(fewest, speedup.workers);
	}
	if (fewest < UINT32_MAX)
		table_note(table, "More cores than workers (%u) do not help.", fewest);
	if (table->n_cells > 0)
		table_note(table, "The speed-up comes from pairs of trials. Each interval is a 95 "
				  "%% interval by itself. Efficiency is the share of the ideal.");
}

static const char first_is[] =
	"First is the median time of each run's first creation. All other columns, such as p99 and "
	"max, leave it out.";

static const char placed_is[] = "With all tasks pinned to one core, the time is the cost of the "
				"call itself. Otherwise the scheduler chose the core; the parent's "
				"core and other cores have separate columns.";

static const char pooled_is[] =
	"p50 is the median of all creations of all trials. The answer has the median of the "
	"trials' medians, which may differ.";

static const char quoted_is[] = "The quoted times are ranges, measured on one laptop at 1.3 to 3.9 "
				"GHz (M. Sysel, A Comparison of Processes and Threads "
				"Creation, 2020). Do not expect them here.";

static const char clocks_are[] =
	"MHz is the range of the cores at work during these runs, read about once a second "
	"where the kernel shows it (cpufreq).";

static void add_names(const struct model *model, const struct latency_row *row, struct table *table)
{
	char ballast[48], where[64];
	struct sentence name = SENTENCE(SAMPLE_NAME + 48);

	sentence_add(&name, "%s", model->cases[row->case_id].model);
	latency_ballast(model, row->case_id, ballast, sizeof(ballast));
	if (*ballast)
		sentence_add(&name, ", %s", ballast);
	table_add_words(table, "%s", name.buf)->case_id = (int32_t)row->case_id;
	table_add_words(table, "%s", latency_where(model, row, false, where, sizeof(where)));
}

static void add_span(const struct model *model, const struct latency_row *row,
		     enum model_latency_span span, const struct model_latency_figures *f,
		     struct table *table)
{
	int16_t mhz[2] = {0, 0};

	add_names(model, row, table);
	table_add_words(table, "%s", metric_table[METRIC_CALLER + span].title);
	table_add_value(table, f->n);
	table_add_times(table, (const int64_t[]) {f->min, f->p50, f->p90, f->p99, f->max, f->first},
			6);
	/* The frequency of the cores in all counted runs of the case: "1200 to 3400". */
	for (size_t i = 0; i < model->n_runs; i++)
		if (model->runs[i].id.case_id == row->case_id &&
		    report_counts(model, &model->runs[i]))
			latency_clocks(model, &model->runs[i], mhz);
	if (mhz[1] == 0)
		table_add_words(table, "?");
	else if (mhz[0] == mhz[1])
		table_add_words(table, "%d", mhz[0]);
	else
		table_add_words(table, "%d to %d", mhz[0], mhz[1]);
	table_add_words(table, "%s", latency_quote(&model->cases[row->case_id], span));
}

static void note_creation(const struct model *model, struct table *table)
{
	const struct machine *machine = &model->session.machine;
	char text[32];
	struct sentence s = SENTENCE(256);
	bool mixed = false;

	for (uint32_t i = 0; i < model->n_cases; i++)
		mixed |= comparison_mixed(&model->cases[i]);
	if (machine->mhz < 0)
		sentence_add(&s, "CPU frequency ?, because this machine does not report one");
	else
		sentence_add(&s, "CPU at %" PRId64 " MHz", (int64_t)machine->mhz);
	if (machine->mhz >= 0 && strcmp(machine->frequency_source, "measured") == 0)
		sentence_add(&s, ", measured once");
	else if (machine->mhz >= 0 && strcmp(machine->frequency_source, "cpufreq") != 0)
		sentence_add(&s, ", read once from /proc/cpuinfo");
	if (*machine->governor)
		sentence_add(&s, ", governor %s", machine->governor);
	table_note(table,
		   "%s. Reading the clock takes %s, and every time includes this. "
		   "Ballast is touched in pages of 4 KiB. %s %s",
		   s.buf, latency_format(text, sizeof(text), latency_clock(model, 0)), clocks_are,
		   first_is);
	if (mixed)
		table_note(table, "%s", placed_is);
	table_note(table, "%s", pooled_is);
	table_note(table, "%s", quoted_is);
}

static const struct table_column latency_columns[] = {
	{"primitive"},
	{"begins on"},
	{"time"},
	{"n", VALUE(METRIC_WORKERS)},
	{"min", TABLE_RIGHT, TABLE_MICROS},
	{"p50", TABLE_RIGHT, TABLE_MICROS},
	{"p90", TABLE_RIGHT, TABLE_MICROS},
	{"p99", TABLE_RIGHT, TABLE_MICROS},
	{"max", TABLE_RIGHT, TABLE_MICROS},
	{"first", TABLE_RIGHT, TABLE_MICROS},
	{"MHz", TABLE_RIGHT},
	{"quoted", TABLE_RIGHT, .emphasis = TABLE_DIM},
};

static void fill_latency(const struct model *model, struct table *table)
{
	enum model_latency_place places[2];

	for (uint32_t i = 0; i < model->n_cases; i++) {
		uint32_t n = latency_places(&model->cases[i], places);
		/*
		 * A case that measures only the clock creates no task, so nothing runs or is
		 * joined.
		 */
		int spans = MODEL_LATENCIES;

		if (model->cases[i].plan.primitive == PLAN_CALL)
			spans = 1;
		for (uint32_t j = 0; j < n; j++) {
			struct latency_row row = {i, places[j]};
			const struct model_latency_at *at = latency_at(model, &row);
			size_t before = table->n_cells;

			for (int span = 0; span < spans; span++)
				if (at && at->span[span].n > 0)
					add_span(model, &row, (enum model_latency_span)span,
						 &at->span[span], table);
			if (table->n_cells > before)
				continue;
			add_names(model, &row, table);
			if (at)
				table_add_words(table, "none began there");
			else
				table_add_words(table, "not measured");
			for (size_t k = 3; k + 1 < table->n_columns; k++)
				table_add_value(table, NAN);
			table_add_words(table, "%s", "");
		}
	}
	note_creation(model, table);
}

static const struct table_column runs_columns[] = {
	{"model"},
	{"trial", TABLE_RIGHT, .emphasis = TABLE_DIM},
	{NULL, VALUE(METRIC_ELAPSED)},
	{NULL, VALUE(METRIC_CPU)},
	{NULL, VALUE(METRIC_CORES)},
	{NULL, VALUE(METRIC_MEMORY)},
	{NULL, VALUE(METRIC_CREATE)},
	{"status", .emphasis = TABLE_DIM},
};

/* Words after a run's status: why the run does not count, or that a quota throttled it. */
static const char *run_remark(const struct model *model, const struct model_run *run)
{
	if (run->totals.paused)
		return ", paused: not counted";
	if (model_is_replaced(model, run) && run->replaced_paused)
		return ", repeated, not counted";
	if (model_is_replaced(model, run))
		return ", crowded: repeated, not counted";
	if (run->totals.throttled_periods > 0)
		return ", throttled";
	return "";
}

/* Adds a run. For an unfinished run, adds only its time so far. */
static void add_run(const struct model *model, const struct model_run *run, struct table *table)
{
	const bool ended = model_ended(model, run), ok = run->totals.status == SAMPLE_OK;
	struct sentence status = SENTENCE(SAMPLE_TEXT + 80);
	enum table_emphasis emphasis = TABLE_BAD;

	table_add_case(table, model, run->id.case_id);
	if (run->id.trial)
		table_add_words(table, "%u", run->id.trial);
	else
		table_add_words(table, "warm-up");
	if (ended)
		table_add_value(table, metric_result(run, METRIC_ELAPSED));
	else
		table_add_value(table, (double)model_elapsed(model, run))->emphasis = TABLE_DIM;
	for (size_t i = 3; i + 1 < table->n_columns; i++) {
		enum model_metric metric = table->columns[i].metric;
		struct table_cell *cell;

		if (!ended) {
			table_add_words(table, "%s", "");
			continue;
		}
		cell = table_add_value(table, metric_result(run, metric));
		cell->estimated = metric_is_estimated(&run->totals.memory, metric);
		cell->seen = (int8_t)metric_run_seen(run, metric);
	}
	if (!ended) {
		table_add_words(table, "running");
		return;
	}
	sentence_add(&status, "%s%s", report_status(run), run_remark(model, run));
	if (ok)
		emphasis = TABLE_DIM;
	else if (*run->totals.reason)
		sentence_add(&status, ": %s", run->totals.reason);
	table_add_words(table, "%s", status.buf)->emphasis = emphasis;
}

static void fill_trials(const struct model *model, struct table *table)
{
	for (size_t i = 0; i < model->n_runs; i++)
		if (report_counts(model, &model->runs[i]))
			add_run(model, &model->runs[i], table);
}

static void add_runs(const struct model *model, size_t first, size_t n, struct table *table)
{
	const size_t begun = model_runs_begun(model), from = MIN(first, begun);

	for (size_t i = from; i < from + MIN(n, begun - from); i++)
		add_run(model, &model->runs[i], table);
}

static void fill_runs(const struct model *model, struct table *table)
{
	add_runs(model, 0, model->n_runs, table);
}

struct description {
	const char *title;
	const struct table_column *columns;
	size_t n_columns;
	void (*fill)(const struct model *model, struct table *table);
	bool grouped;
	/* only: the sessions with the table; NULL: all. but: sessions without it; NULL: none. */
	model_question *only, *but;
};

#define N_COLUMNS(of) LENGTH(of##_columns)
/* If one of the tables had too many columns, this would not compile. */
#define LIST_COLUMNS(of)                                                                           \
	of##_columns, N_COLUMNS(of) + 0 * sizeof(char[N_COLUMNS(of) <= TABLE_OWN ? 1 : -1])

static const struct description descriptions[TABLES] = {
	[TABLE_ANSWER] = {"answer", .fill = fill_answer},
	[TABLE_FAULTS] = {"after one worker's fault", LIST_COLUMNS(faults), fill_faults,
			  .only = model_has_faults},
	[TABLE_STEPS] = {"steps", .fill = fill_steps},
	[TABLE_TASKS] = {"each task", LIST_COLUMNS(tasks), fill_tasks},
	[TABLE_MESSAGES] = {"messages", LIST_COLUMNS(messages), fill_messages},
	[TABLE_ELAPSED] = {"elapsed", LIST_COLUMNS(elapsed), fill_elapsed},
	[TABLE_COSTS] = {"where it went", .fill = fill_costs},
	[TABLE_MEMORY] = {"memory at its peak", .fill = fill_memory},
	[TABLE_COUNTERS] = {"counters", .fill = fill_counters},
	[TABLE_LONGEST] = {"tasks of programs", LIST_COLUMNS(longest), fill_longest, true},
	/*
	 * If tasks are created one by one, elapsed times mean nothing, because the cases have
	 * different numbers of tasks.
	 */
	[TABLE_PATH] = {"where the elapsed time went", .fill = fill_path, .but = model_has_latency},
	[TABLE_WHY] = {"why", LIST_COLUMNS(why), fill_why, true, .but = model_has_latency},
	[TABLE_WAKES] = {"µs waited for a core", LIST_COLUMNS(wakes), fill_wakes, true},
	[TABLE_SCALING] = {"how it scales", LIST_COLUMNS(scaling), fill_scaling},
	[TABLE_SPEEDUP] = {"speed-up", LIST_COLUMNS(speedup), fill_speedup},
	[TABLE_LEVELS] = {"where a task's time goes", LIST_COLUMNS(levels), fill_levels, true},
	[TABLE_LATENCY] = {"µs per creation", LIST_COLUMNS(latency), fill_latency, true,
			   .only = model_has_latency},
	[TABLE_REQUESTS] = {"requests", LIST_COLUMNS(requests), fill_requests},
	[TABLE_OPERATIONS] = {"µs each", LIST_COLUMNS(operations), fill_operations,
			      .only = model_has_operations},
	[TABLE_COMPARISON] = {"compared", LIST_COLUMNS(comparison), fill_comparison},
	[TABLE_PIVOT] = {"median elapsed", .fill = fill_pivot},
	[TABLE_VALUES] = {"over the values", LIST_COLUMNS(values), fill_values,
			  .but = model_has_faults},
	[TABLE_POOL] = {"when a pool no longer matters", LIST_COLUMNS(pool), fill_pool},
	[TABLE_CROSSOVER] = {"where the curves cross", LIST_COLUMNS(crossover), fill_crossover,
			     .but = model_has_latency},
	[TABLE_TRIALS] = {"every trial", LIST_COLUMNS(runs), fill_trials},
	[TABLE_RUNS] = {"all runs", LIST_COLUMNS(runs), fill_runs},
};

static void begin_table(const struct model *model, enum table_id id, struct table *out)
{
	const struct description *description = &descriptions[id];

	*out = (struct table) {
		.columns = out->own,
		.n_columns = description->n_columns,
		.grouped = description->grouped,
		.low_level = NAN,
		.high_level = NAN,
	};
	for (size_t i = 0; i < out->n_columns; i++) {
		out->own[i] = description->columns[i];
		if (out->own[i].metric == METRICS)
			out->own[i].metric = model_headline(model);
	}
	snprintf(out->title, sizeof(out->title), "%s", description->title);
}

int table_build(const struct model *model, enum table_id id, struct table *out)
{
	const struct description *description = &descriptions[id];

	begin_table(model, id, out);
	if ((!description->only || description->only(model)) &&
	    !(description->but && description->but(model)))
		description->fill(model, out);
	note_levels(out);
	return out->err;
}

int table_build_runs(const struct model *model, size_t first, size_t n, struct table *out)
{
	begin_table(model, TABLE_RUNS, out);
	add_runs(model, first, n, out);
	return out->err;
}

/* Whether two other tables contain all comparisons that this table would show. */
bool table_replaced(const struct model *model)
{
	size_t models = count_models(model);

	if (!table_pivots(model) || model_has_ways(model))
		return false;
	if (models == 1)
		return model->cases->variables.n == 1 &&
		       comparison_condition(model->cases, model->n_cases);
	return models + 2 <= TABLE_OWN;
}
