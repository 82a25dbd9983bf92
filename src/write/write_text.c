/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/utf8.h"
#include "draw/text.h"
#include "model/model.h"
#include "model/model_latency.h"
#include "result/answer.h"
#include "result/differs.h"
#include "result/report.h"
#include "result/table.h"
#include "write_parts.h"

/*
 * The text is plain ASCII in 80 columns, because readers use pipes, mails and terminals of any
 * kind.
 */

#define WIDTH 80
/* If the names of rows are longer than this, they are above the values. */
#define NAMES_BESIDE (WIDTH / 2)
#define TEXT_GAP     2 /* blanks between columns, and before rows that are below their names */

/* Replaces every non-ASCII character that tuibench itself writes in English texts. */
static const char *text_to_ascii(const char *text, char *buf, size_t size)
{
	static const struct {
		const char *letter, *plain;
	} letters[] = {{"µ", "u"}, {"≥", ">="}, {"≤", "<="}};
	size_t n = 0;

	while (*text && n + 2 < size) {
		const char *plain = NULL;

		for (size_t i = 0; i < LENGTH(letters); i++) {
			const size_t bytes = strlen(letters[i].letter);

			if (strncmp(text, letters[i].letter, bytes) != 0)
				continue;
			plain = letters[i].plain;
			text += bytes;
			break;
		}
		if (plain)
			n += (size_t)sprintf(buf + n, "%s", plain);
		else
			buf[n++] = *text++;
	}
	buf[n] = '\0';
	return buf;
}

int write_text_wrapped(FILE *out, const char *text)
{
	const size_t size = 2 * strlen(text) + 3;
	char *plain = malloc(size);
	const char *next;
	int lines = 0;

	/* Break lines after the conversion, because a character may be longer in ASCII. */
	if (plain)
		text = text_to_ascii(text, plain, size);
	for (; *text || lines == 0; text = next, lines++) {
		text_line(text, WIDTH, &next);
		fprintf(out, "%.*s\n", (int)(next - text) - (next > text && next[-1] == ' '), text);
	}
	free(plain);
	return lines;
}

struct text_lines {
	FILE *out;
	const struct table *table;
	bool names_above; /* The names of rows have lines of their own, above the rows. */
	/* first: the column with which rows begin. names: how many columns name the row. */
	size_t first, names;
	int *widths;
	int indent, gap;
	int blanks; /* Number of blanks to write before the next word of the line. */
	int n;	    /* Width of the line so far. */
};

/* The heading of a column. The column of names has the table's title. */
static const char *column_heading(const struct text_lines *lines, size_t column)
{
	if (column == 0)
		return lines->table->title;
	return table_title(&lines->table->columns[column]);
}

static const char *cell_text(const struct text_lines *lines, size_t row, size_t column,
			     char buf[TABLE_TEXT])
{
	char text[TABLE_TEXT];
	const char *words = table_text(lines->table, row, column, " to ", text);

	/* Names stay unchanged, and so do texts that do not fit into buf. */
	if (column > 0 && strlen(words) < TABLE_TEXT)
		return text_to_ascii(words, buf, TABLE_TEXT);
	return words;
}

/*
 * Returns the end of the columns that fit on a line beside the names, beginning with column `from`.
 * Takes at least one column.
 */
static size_t columns_that_fit(const struct text_lines *lines, size_t from, int gap)
{
	int width = lines->indent + lines->widths[lines->first];
	size_t end = from;

	for (size_t i = 1; i < lines->names; i++)
		width += gap + lines->widths[lines->first + i];
	while (end < lines->table->n_columns) {
		width += gap + lines->widths[end];
		if (width > WIDTH && end > from)
			break;
		end++;
	}
	/* A column without a title belongs to the one before it, so both are in one block. */
	while (end < lines->table->n_columns && end > from + 1 && !*column_heading(lines, end))
		end--;
	return end;
}

static void write_cell(struct text_lines *lines, size_t column, const char *text)
{
	int space = lines->widths[column] - utf8_columns(text);
	bool right = lines->table->columns[column].align == TABLE_RIGHT;

	if (column == lines->first)
		lines->blanks += lines->indent;
	else
		lines->blanks += lines->gap;
	if (right)
		lines->blanks += space;
	if (*text) {
		fprintf(lines->out, "%*s%s", lines->blanks, "", text);
		lines->blanks = 0;
	}
	if (!right)
		lines->blanks += space;
}

static void end_line(struct text_lines *lines, const char *text)
{
	fprintf(lines->out, "%s\n", text);
	lines->blanks = 0;
	lines->n++;
}

/* Writes a row: its names, and its cells of the columns from … to - 1. Row -1 has the headings. */
static void write_block_row(struct text_lines *lines, long row, size_t from, size_t to)
{
	char buf[TABLE_TEXT];

	for (size_t i = lines->first; i < to; i++) {
		if (i == lines->first + lines->names)
			i = from;
		if (row < 0)
			write_cell(lines, i, column_heading(lines, i));
		else
			write_cell(lines, i, cell_text(lines, (size_t)row, i, buf));
	}
	end_line(lines, "");
}

static void write_block(struct text_lines *lines, size_t from, size_t to)
{
	const struct table *table = lines->table;
	const char *before = NULL;
	char buf[TABLE_TEXT];

	end_line(lines, "");
	if (lines->names_above)
		end_line(lines, text_to_ascii(table->title, buf, sizeof(buf)));
	write_block_row(lines, -1, from, to);
	for (size_t row = 0; row < table_rows(table); row++) {
		const char *name = table_cell(table, row, 0)->words;

		if (lines->names_above &&
		    (!table->grouped || !name || !before || strcmp(name, before) != 0))
			end_line(lines, cell_text(lines, row, 0, buf));
		before = name;
		write_block_row(lines, (long)row, from, to);
	}
}

/* Writes the table. Returns the number of lines, or -ENOMEM. */
static int write_lines(const struct table *table, FILE *out)
{
	struct text_lines lines = {.out = out, .table = table, .names = 1};
	size_t n = table->n_columns, end;
	char buf[TABLE_TEXT];

	lines.widths = calloc(n, sizeof(*lines.widths));
	if (!lines.widths)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		lines.widths[i] = utf8_columns(column_heading(&lines, i));
		for (size_t row = 0; row < table_rows(table); row++)
			lines.widths[i] =
				MAX(lines.widths[i], utf8_columns(cell_text(&lines, row, i, buf)));
	}
	/* If names are long, write them above the values, which would otherwise have no room. */
	lines.names_above = table->grouped || lines.widths[0] > NAMES_BESIDE;
	if (lines.names_above) {
		lines.first = 1;
		lines.indent = TEXT_GAP;
	} else {
		lines.first = 0;
		lines.indent = 0;
	}
	/*
	 * In a grouped table, all columns of words before the first value together are the name of
	 * a row.
	 */
	while (table->grouped && lines.first + lines.names + 1 < n &&
	       table->columns[lines.first + lines.names].kind == TABLE_WORDS)
		lines.names++;
	end = lines.first + lines.names;
	if (columns_that_fit(&lines, end, TEXT_GAP) < n && columns_that_fit(&lines, end, 1) == n)
		lines.gap = 1;
	else
		lines.gap = TEXT_GAP;
	for (size_t from = end; from < n; from = end) {
		end = columns_that_fit(&lines, from, lines.gap);
		write_block(&lines, from, end);
	}
	free(lines.widths);
	if (table->note)
		lines.n += write_text_wrapped(out, table->note);
	return lines.n;
}

static int write_text_table(const struct model *model, enum table_id id, FILE *out)
{
	struct table table;
	int err = table_build(model, id, &table);

	if (!err && table_rows(&table) > 0)
		err = MIN(0, write_lines(&table, out));
	table_free(&table);
	return err;
}

int write_answer_table(const struct model *model, FILE *out)
{
	bool few = model->n_cases > 1 && model->n_cases <= ANSWER_ROWS;

	if (few)
		return write_text_table(model, TABLE_ANSWER, out);
	return 0;
}

static void write_text_verdict(const struct model *model, FILE *out)
{
	char headline[HEADLINE_BADGE + HEADLINE_TEXT], why[2 * WHY_TEXT];

	fputc('\n', out);
	write_text_wrapped(out, headline_line(model, headline, sizeof(headline)));
	if (*report_prediction(model, why, sizeof(why)))
		write_text_wrapped(out, why);
	if (*why_read(model, why, sizeof(why))) {
		fputc('\n', out);
		write_text_wrapped(out, why);
	}
}

/* Writes the title: "mixed: 6 cpu + 2 io, 9 of 15 trials of each (2 not counted); tuibench 1.0". */
static int write_text_title(const struct model *model, const char *warmup, FILE *out)
{
	const struct sample_session *session = &model->session;
	struct sentence but = SENTENCE(64);
	char line[1024], of[16] = "";
	uint32_t ran = 0, replaced = 0, failed = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (model_ended(model, run) && run->totals.status != SAMPLE_INTERRUPTED)
			ran = MAX(ran, run->id.trial);
		failed += report_run_failed(model, run);
	}
	for (uint32_t i = 0; i < model->n_cases; i++)
		replaced = MAX(replaced, model_replaced(model, i));
	ran -= MIN(ran, replaced);
	if (model_over(model) && ran < session->trials)
		snprintf(of, sizeof(of), "%u of ", ran);
	if (replaced > 0)
		sentence_add(&but, " (%u not counted)", replaced);
	if (failed > 0)
		sentence_add(&but, ", %u run%s failed", failed, sentence_plural(failed));
	snprintf(line, sizeof(line), "%s: %s, %s%u trial%s of each%s%s; tuibench %s",
		 session->experiment, session->title, of, session->trials,
		 sentence_plural(session->trials), but.buf, warmup, session->version);
	return write_text_wrapped(out, line);
}

static void write_text_session(const struct sample_session *session, const char *before, FILE *out)
{
	char line[1024];
	int n = snprintf(line, sizeof(line), "%s", before);

	report_machine(line + n, sizeof(line) - (size_t)n, &session->machine);
	write_text_wrapped(out, line);
	if (report_system(session, line, sizeof(line)))
		write_text_wrapped(out, line);
}

/* Writes a remark: an explanation of figures, a suggestion, or a warning. */
static void write_text_remark(FILE *out, bool warning, const char *text)
{
	char line[SAMPLE_TEXT + 16];

	if (warning)
		snprintf(line, sizeof(line), "Warning: %s", text);
	else
		snprintf(line, sizeof(line), "%s", text);
	fputc('\n', out);
	write_text_wrapped(out, line);
}

/*
 * If more cases than this vary in several ways, leave tables out, because nobody reads hundreds of
 * lines.
 */
#define FEW_CASES 8

/* The tables that readers of a session with very many cases want first. */
static const enum table_id few_tables[] = {TABLE_MESSAGES, TABLE_REQUESTS, TABLE_OPERATIONS,
					   TABLE_PIVOT, TABLES};
static const enum table_id all_tables[] = {
	TABLE_FAULTS,	 TABLE_MESSAGES, TABLE_REQUESTS,   TABLE_TASKS,
	TABLE_STEPS,	 TABLE_LATENCY,	 TABLE_OPERATIONS, TABLE_ELAPSED,
	TABLE_PATH,	 TABLE_WHY,	 TABLE_COSTS,	   TABLE_COUNTERS,
	TABLE_MEMORY,	 TABLE_SPEEDUP,	 TABLE_SCALING,	   TABLE_LEVELS,
	TABLE_PIVOT,	 TABLE_VALUES,	 TABLE_COMPARISON, TABLE_POOL,
	TABLE_CROSSOVER, TABLE_LONGEST,	 TABLE_WAKES,	   TABLES};

/*
 * Writes the tables. In a sweep, the first ones were written already, together with the answer,
 * because a reader would overlook an answer below many tables.
 */
static int write_text_tables(const struct model *model, FILE *out, bool sweeps)
{
	const bool few = model_has_ways(model) && model->n_cases > FEW_CASES;
	char line[256];
	int err = 0;

	for (const enum table_id *id = few ? few_tables : all_tables; *id != TABLES; id++) {
		if (err)
			break;
		if (few || !sweeps || (*id != TABLE_PIVOT && *id != TABLE_VALUES))
			err = write_text_table(model, *id, out);
	}
	if (!few)
		return err;
	snprintf(
		line, sizeof(line),
		"For the comparisons of all %u configurations with their intervals, where the time "
		"went, and memory, use --format markdown, or --export html with the recording.",
		model->n_cases);
	fputc('\n', out);
	write_text_wrapped(out, line);
	return err;
}

/* Whether the session ended before any trial did. Its tables would contain only "?". */
static bool is_empty(const struct model *model)
{
	for (size_t i = 0; i < model->n_runs; i++)
		if (model->runs[i].id.trial > 0 && model_ended(model, &model->runs[i]) &&
		    model->runs[i].totals.status != SAMPLE_INTERRUPTED)
			return false;
	return model_over(model) && model->n_origins == 0;
}

int write_all_tables(const struct model *model, FILE *out)
{
	const struct sample_session *session = &model->session;
	bool sweeps = table_replaced(model);
	const char *name, *command;
	char line[1024];
	int err = 0;

	write_text_title(model, session->warmup ? " after warm-ups" : "", out);
	if (model->n_origins == 0)
		write_text_session(session, "", out);
	if (model->n_origins == 0 && report_environment(session, line, sizeof(line)))
		write_text_wrapped(out, line);
	/* Write whole commands for copying, each on one line, however long. */
	for (uint32_t i = 0; i < model->n_cases; i++)
		if ((command = report_command(model, i, &name)) != NULL)
			fprintf(out, "%s:\n  %s\n", name, command);
	for (uint32_t i = 0; i < model->n_origins; i++) {
		snprintf(line, sizeof(line), "@%s: ", model->origins[i].name);
		write_text_session(&model->origins[i].session, line, out);
	}
	if (report_differences(model, line, sizeof(line)))
		write_text_wrapped(out, line);
	if (is_empty(model)) {
		write_text_verdict(model, out);
		return report_finish(out);
	}
	if (sweeps) {
		write_text_verdict(model, out);
		err = write_text_table(model, TABLE_PIVOT, out);
		if (!err)
			err = write_text_table(model, TABLE_VALUES, out);
	}
	if (!err)
		err = write_text_tables(model, out, sweeps);
	if (err)
		return err;
	if (!sweeps)
		write_text_verdict(model, out);
	err = report_remarks(model, write_text_remark, out);
	if (err)
		return err;
	return report_finish(out);
}

#define WRITE_LINES 24

/* Whether the names of rows are commands that are too long to be beside the values. */
static bool has_long_commands(const struct model *model)
{
	bool has = false;

	for (uint32_t i = 0; i < model->n_cases; i++)
		has |= *model->cases[i].command &&
		       utf8_columns(MODEL_CASE_NAME(model, i)) > NAMES_BESIDE;
	return has;
}

/*
 * Writes as many rows of the table as fit into `most` lines, the number of rows left out, and the
 * note. ANSWER_ROWS rows of the answer are written in any case, because a reader would miss a
 * program more than a warning. Returns the number of lines, or -ENOMEM.
 */
static int write_first_rows(const struct model *model, enum table_id id, int most, FILE *out)
{
	/* Three lines are used for a blank line, the titles, and the number of rows left out. */
	size_t most_rows = (size_t)MAX(most - 3, 0), left = 0;
	struct table table;
	int lines = table_build(model, id, &table);
	const size_t cells = table.n_cells, rows = table_rows(&table);
	char *note = table.note;

	if (id == TABLE_ANSWER)
		most_rows = MAX(most_rows, ANSWER_ROWS);
	if (rows > most_rows)
		left = rows - most_rows;
	table.n_cells = (rows - left) * table.n_columns;
	table.note = NULL;
	if (!lines && rows > 0)
		lines = write_lines(&table, out);
	if (lines > 0 && left > 0)
		lines += fprintf(out, "%zu more row%s: --format report\n", left,
				 sentence_plural(left)) > 0;
	if (lines > 0 && note && id != TABLE_PIVOT)
		lines += write_text_wrapped(out, note);
	if (lines > 0 && id == TABLE_ANSWER && has_long_commands(model))
		lines += fputs("For short names, put --name NAME before each -c.\n", out) >= 0;
	table.note = note;
	table.n_cells = cells;
	table_free(&table);
	return lines;
}

int write_answer(const struct model *model, FILE *out)
{
	struct model_warning warnings[MODEL_WARNINGS_MOST];
	char line[SAMPLE_TEXT + 16], speedup[SPEEDUP_TEXT];
	char headline[HEADLINE_BADGE + HEADLINE_TEXT];
	int n = model_warnings(model, warnings), more = 0, left = WRITE_LINES, rows = 0;

	left -= write_text_title(model, "", out);
	if (report_differences(model, line, sizeof(line)))
		left -= write_text_wrapped(out, line);
	fputc('\n', out);
	left -= 1 + write_text_wrapped(out, headline_line(model, headline, sizeof(headline)));
	if (*report_prediction(model, line, sizeof(line)))
		left -= write_text_wrapped(out, line);
	differs_of_session(model, line, sizeof(line));
	if (*line)
		left -= write_text_wrapped(out, line);
	if (*speedup_line(model, speedup, sizeof(speedup)))
		left -= write_text_wrapped(out, speedup);
	/*
	 * Leave two lines for the last line and the blank line before it, and room for the first
	 * warning.
	 */
	left -= 2;
	if (!is_empty(model) && model->n_cases > ANSWER_ROWS)
		rows = write_first_rows(model, TABLE_PIVOT, left - (n > 0 ? 3 : 0), out);
	/* Leave three lines for the notes of this table, which never need more. */
	if (!is_empty(model) && rows == 0)
		rows = write_first_rows(model, TABLE_ANSWER, left - (n > 0 ? 6 : 3), out);
	if (rows < 0)
		return rows;
	left -= rows;
	for (int i = 0; i < n; i++) {
		snprintf(line, sizeof(line), "Warning: %s", warnings[i].text);
		/*
		 * Estimate the lines of the warning. In the worst case, each line breaks 20 columns
		 * early.
		 */
		left -= 1 + utf8_columns(line) / (WIDTH - 20) + 1;
		if (left < 0 && i > 0) {
			more = n - i;
			break;
		}
		fputc('\n', out);
		write_text_wrapped(out, line);
	}
	fputc('\n', out);
	if (more > 0)
		fprintf(out, "%d more warning%s; ", more, sentence_plural(more));
	fprintf(out, "%sor all tables, use --format report\n", more > 0 ? "f" : "F");
	if (n < 0)
		return n;
	return report_finish(out);
}
