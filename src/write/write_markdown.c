/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/utf8.h"
#include "result/report.h"
#include "result/table.h"
#include "write_parts.h"

/*
 * The format markdown is a hand-out: the session, its machine, the medians, the comparison, and
 * every trial.
 */

static void escape(FILE *out, const char *text, bool begins)
{
	char utf8[UTF8_BYTES];
	uint32_t character = 0;

	while ((character = utf8_next_printable(&text, character)) != 0) {
		bool marks = character < 0x80 && strchr("\\`*_[]<>&|#~", (int)character);

		if (begins && character < 0x80)
			marks |= strchr("+-=.)", (int)character) != NULL;
		if (marks)
			fputc('\\', out);
		begins = begins && character >= '0' && character <= '9';
		fputs(utf8_put(character, utf8), out);
	}
}

void write_escaped(FILE *out, const char *text)
{
	escape(out, text, false);
}

void write_marked(FILE *out, void (*to)(FILE *out, const char *text), const char *format, ...)
{
	va_list args;

	va_start(args, format);
	for (; *format; format++)
		if (*format != '%')
			fputc(*format, out);
		else if (*++format == 's')
			to(out, va_arg(args, const char *));
		else if (*format == 'd')
			fprintf(out, "%d", va_arg(args, int));
		else
			fputc(*format, out);
	va_end(args);
}

void write_escaped_line(FILE *out, const char *text)
{
	escape(out, text, true);
	fputc('\n', out);
}

/* Writes a paragraph after `before`, such as a blank line. */
static void write_paragraph(FILE *out, const char *before, const char *text)
{
	fputs(before, out);
	write_escaped(out, text);
	fputc('\n', out);
}

/* Writes a code span, between more backticks than it contains. */
static void write_code(FILE *out, const char *text)
{
	char *printable = utf8_printable(text);
	int backticks = 2;

	for (const char *at = text; (at = strchr(at, '`')) != NULL; at += strspn(at, "`")) {
		int n = (int)strspn(at, "`");

		if (n >= backticks)
			backticks = n + 1;
	}
	for (int i = 0; i < backticks; i++)
		fputc('`', out);
	if (printable)
		fprintf(out, " %s ", printable);
	else
		fputs(" ? ", out);
	for (int i = 0; i < backticks; i++)
		fputc('`', out);
	free(printable);
}

static void write_next_line(FILE *out, const char *text)
{
	fputs("  \n", out);
	write_escaped(out, text);
}

static void write_session_lines(const struct sample_session *session, FILE *out)
{
	char line[1024], date[REPORT_WALL];
	write_code(out, session->options);
	fputs("  \n", out);
	write_escaped(out, report_machine(line, sizeof(line), &session->machine));
	report_date(session->wall_s, false, date);
	fprintf(out, "  \n%s, tuibench ", sentence_text(date, "?"));
	write_escaped(out, session->version);
	if (report_system(session, line, sizeof(line)))
		write_next_line(out, line);
	if (report_environment(session, line, sizeof(line)))
		write_next_line(out, line);
	fputc('\n', out);
}

/* Writes a table. Its title is capitalized. */
static int write_markdown_table(const struct model *model, enum table_id id, FILE *out)
{
	static const char *const rules[] = {
		[TABLE_LEFT] = ":--|", [TABLE_RIGHT] = "--:|", [TABLE_CENTRE] = ":-:|"};
	struct table table;
	int err = table_build(model, id, &table);
	size_t rows = 0;

	if (!err)
		rows = table_rows(&table);
	if (rows > 0) {
		fprintf(out, "\n## %c%s\n\n|", toupper((unsigned char)table.title[0]),
			table.title + 1);
		for (size_t i = 0; i < table.n_columns; i++)
			fprintf(out, " %s |", table_title(&table.columns[i]));
		fputs("\n|", out);
		for (size_t i = 0; i < table.n_columns; i++)
			fputs(rules[table.columns[i].align], out);
		fputc('\n', out);
	}
	for (size_t row = 0; row < rows; row++) {
		char buf[TABLE_TEXT];

		fputc('|', out);
		for (size_t i = 0; i < table.n_columns; i++) {
			fputc(' ', out);
			write_escaped(out, table_text(&table, row, i, " to ", buf));
			fputs(" |", out);
		}
		fputc('\n', out);
	}
	if (rows > 0 && table.note)
		write_paragraph(out, "\n", table.note);
	table_free(&table);
	return err;
}

/* Writes a remark: an explanation of figures, a suggestion, or a warning. */
static void write_markdown_remark(FILE *out, bool warning, const char *text)
{
	if (warning)
		write_paragraph(out, "\n> **Warning:** ", text);
	else
		write_paragraph(out, "\n", text);
}

static int write_markdown_verdict(const struct model *model, FILE *out)
{
	char badge[HEADLINE_BADGE] = "", sentence[HEADLINE_TEXT] = "";
	char why[2 * WHY_TEXT];
	struct answer answer;

	if (answer_read(&answer, model) == 0) {
		headline_badge(&answer, model, badge, sizeof(badge));
		headline_sentence(&answer, model, sentence, sizeof(sentence), NULL);
	}
	answer_free(&answer);
	fputs("\n## Which is faster\n\n", out);
	if (*badge)
		fprintf(out, "`%s` ", badge);
	fputs("**", out);
	write_escaped(out, sentence);
	fputs("**\n", out);
	if (*report_prediction(model, why, sizeof(why)))
		write_paragraph(out, "\n", why);
	if (*why_read(model, why, sizeof(why)))
		write_paragraph(out, "\n", why);
	return report_remarks(model, write_markdown_remark, out);
}

int write_markdown(const struct model *model, FILE *out)
{
	static const enum table_id order[] = {
		TABLE_ANSWER,	 TABLE_FAULTS,	TABLE_MESSAGES,	  TABLE_REQUESTS,   TABLE_TASKS,
		TABLE_STEPS,	 TABLE_PIVOT,	TABLE_VALUES,	  TABLE_COMPARISON, TABLE_POOL,
		TABLE_CROSSOVER, TABLE_LATENCY, TABLE_OPERATIONS, TABLE_SPEEDUP,    TABLE_SCALING,
		TABLE_ELAPSED,	 TABLE_PATH,	TABLE_WHY,	  TABLE_COSTS,	    TABLE_COUNTERS,
		TABLE_MEMORY,	 TABLE_LEVELS,	TABLE_LONGEST,	  TABLE_WAKES,	    TABLE_TRIALS};
	int err;

	const char *name, *command;
	char line[1024];

	fputs("# ", out);
	write_escaped(out, model->session.title);
	fputs("\n\n", out);
	if (model->n_origins == 0)
		write_session_lines(&model->session, out);
	for (uint32_t i = 0; i < model->n_origins; i++) {
		if (i > 0)
			fputc('\n', out);
		fputs("**@", out);
		write_escaped(out, model->origins[i].name);
		fputs("**  \n", out);
		write_session_lines(&model->origins[i].session, out);
	}
	if (report_differences(model, line, sizeof(line)))
		write_paragraph(out, "\n", line);
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if ((command = report_command(model, i, &name)) == NULL)
			continue;
		fputs("\n", out);
		write_escaped(out, name);
		fputs(": ", out);
		write_code(out, command);
		fputc('\n', out);
	}

	err = write_markdown_verdict(model, out);
	for (size_t i = 0; i < LENGTH(order); i++) {
		if (err)
			break;
		err = write_markdown_table(model, order[i], out);
	}
	if (err)
		return err;
	return report_finish(out);
}
