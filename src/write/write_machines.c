/* SPDX-License-Identifier: MIT */
#include "write/export.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/error_line.h"
#include "base/units.h"
#include "base/utf8.h"
#include "draw/text.h"
#include "result/report.h"
#include "result/machines.h"
#include "write_parts.h"

/*
 * Limits of a text. TEXT_LINES: lines in all. TEXT_SENTENCES: sentences of a sweep. TEXT_ROWS: rows
 * of a forest plot. FOREST_LINES: other lines of the plot. LEAST_ROWS: fewest rows of a plot that
 * follows many sentences.
 */
enum { TEXT_LINES = 60, TEXT_SENTENCES = 14, TEXT_ROWS = 30, FOREST_LINES = 6, LEAST_ROWS = 8 };
enum { PLOT = 35 };

/* Writes a row. A name longer than its 15 columns is cut at the end. */
static void write_text_row(FILE *out, const char *name, const char *n, const char *figures[4],
			   const char *plot)
{
	char cut[64];
	const char *next;

	text_line(name, 15, &next);
	snprintf(cut, sizeof(cut), "%.*s", (int)(next - name), name);
	utf8_trim(cut);
	utf8_mask(cut);
	fprintf(out, "%s%*s %3s %5s %6s %6s %4s %s\n", cut, 15 - utf8_columns(cut), "", n,
		figures[0], figures[1], figures[2], figures[3], plot);
}

/* Writes a row with a ratio. A ratio or weight that is NaN is left blank. */
static void write_text_ratio(FILE *out, const char *name, const char *n,
			     const struct stats_interval *ratio, double weight, const char *plot)
{
	struct claim_ends ends = machines_ends(ratio);
	char percent[16] = "";

	if (!isnan(weight))
		snprintf(percent, sizeof(percent), "%.0f%%", 100 * weight);
	write_text_row(
		out, name, n,
		(const char *[4]) {isnan(ratio->estimate) ? "" : CLAIM_TIMES(ratio->estimate),
				   ends.low, ends.high, percent},
		plot);
}

/* The column of a ratio on the answer's axis. */
static int column(const struct machines_answer *answer, double ratio)
{
	return (int)lround(machines_place(answer, ratio) * (PLOT - 1));
}

static void draw(char plot[PLOT + 1], const struct machines_answer *answer,
		 const struct stats_interval *ratio, const char marks[4])
{
	const int from = column(answer, ratio->low), to = column(answer, ratio->high);

	memset(plot, ' ', PLOT);
	plot[PLOT] = '\0';
	plot[column(answer, 1)] = '|';
	for (int x = from; x <= to; x++)
		plot[x] = marks[1];
	plot[from] = marks[0];
	plot[to] = marks[2];
	if (marks[3])
		plot[column(answer, ratio->estimate)] = marks[3];
	for (int x = PLOT; x > 0; x--) {
		if (plot[x - 1] != ' ')
			break;
		plot[x - 1] = '\0';
	}
}

/*
 * Writes a machine's row. In a group, the row is below the group's line and has no number of CPUs,
 * because groups use that column for their number of machines.
 */
static void write_forest_row(const struct machines_answer *answer, const struct machines_row *row,
			     bool grouped, FILE *out)
{
	char plot[PLOT + 1], name[MACHINE_TEXT + 1] = " ", cores[16] = "";
	char glyphs[] = {'-', '-', '-', 'o'};

	machines_fit_name(answer, row, false, 15 - grouped, "..", name + grouped);
	if (!grouped)
		snprintf(cores, sizeof(cores), "%d", row->recording->machine.cores_allowed);
	if (row->outlier)
		glyphs[3] = 'X';
	else if (row->real)
		glyphs[3] = '#';
	draw(plot, answer, &row->ratio, glyphs);
	write_text_ratio(out, name, cores, &row->ratio, row->weight, plot);
}

/*
 * Number of lines for a group: one, and more for a name longer than the column. Names are not cut
 * off, because CPU names often differ at the end.
 */
static size_t group_lines(const struct machines_group *group)
{
	int columns = utf8_columns(group->name);

	if (columns > 15)
		return 2 + (size_t)columns / 70;
	return 1;
}

/*
 * Writes a group's line. If the rows of its machines follow, the plot shows the interval of their
 * mean; otherwise their distribution.
 */
static void write_forest_group(const struct machines_answer *answer,
			       const struct machines_group *group, bool machines, FILE *out)
{
	char plot[PLOT + 1], n[16];

	snprintf(n, sizeof(n), "%zu", group->n);
	if (machines) {
		draw(plot, answer, &group->ratio, "<=>");
	} else {
		/*
		 * The distribution of a group's ratios: each character shows how many machines have
		 * that ratio.
		 */
		unsigned counts[PLOT], most = machines_density(answer, group, counts, PLOT);
		int used = column(answer, 1) + 1;

		memset(plot, ' ', PLOT);
		plot[used - 1] = '|';
		for (int x = 0; x < PLOT; x++)
			if (counts[x] > 0) {
				plot[x] = ".:+#"[(counts[x] * 4 - 1) / most];
				used = MAX(used, x + 1);
			}
		plot[used] = '\0';
	}
	if (group_lines(group) > 1)
		write_text_wrapped(out, group->name);
	write_text_ratio(out, group_lines(group) > 1 ? "" : group->name, n, &group->ratio,
			 group->weight, plot);
	if (machines)
		for (size_t i = 0; i < group->n; i++)
			write_forest_row(answer, &answer->rows[group->first + i], true, out);
}

/*
 * Writes the rows of machines or, if there are groups, the rows of the groups, with their machines
 * if all rows fit. Returns whether the machines' rows were written.
 */
static bool write_forest_rows(const struct machines_answer *answer, size_t most, FILE *out)
{
	size_t lines = answer->n_groups > 0 ? 0 : answer->n, g = 0;
	bool machines;

	for (g = 0; g < answer->n_groups; g++)
		lines += group_lines(&answer->groups[g]);
	machines = answer->n_groups == 0 || lines + answer->n <= most;
	most -= lines > most; /* One row is for the number of rows left out. */
	lines = 0;
	for (g = 0; g < answer->n_groups; g++) {
		lines += group_lines(&answer->groups[g]);
		if (!machines && lines > most)
			break;
		write_forest_group(answer, &answer->groups[g], machines, out);
	}
	if (g < answer->n_groups)
		fprintf(out, "... %zu more\n", answer->n_groups - g);
	most = MIN(most, TEXT_ROWS);
	if (answer->n_groups > 0)
		return machines;
	for (size_t i = 0; i < answer->n; i++) {
		/* Leave out the rows in the middle, because the extremes are more interesting. */
		if (answer->n > most && i == most / 2) {
			i = answer->n - most / 2;
			fprintf(out, "... %zu more\n", answer->n - most / 2 * 2);
		}
		write_forest_row(answer, &answer->rows[i], false, out);
	}
	return machines;
}

static void write_forest(const struct machines *machines, const struct machines_answer *answer,
			 size_t most, FILE *out)
{
	const struct machines_question *question = answer->question;
	const char *titles[4] = {"ratio", "from", "to", "wt"};
	const int one = column(answer, 1);
	char plot[PLOT + 1], axis[PLOT + 64];
	bool rows;

	fprintf(out, "\n%s: %s / %s\n", metric_table[question->metric].title, question->b,
		question->a);
	/* The ratios at the plot's ends, and 1 between them. */
	snprintf(axis, sizeof(axis), "%-*s1%*s", one,
		 one < (int)strlen(CLAIM_TIMES(answer->low)) ? "" : CLAIM_TIMES(answer->low),
		 PLOT - one - 1, CLAIM_TIMES(answer->high));
	if (machines->group)
		write_text_row(out, machines->group->name, "n", titles, axis);
	else
		write_text_row(out, "machine", "cpu", titles, axis);
	rows = write_forest_rows(answer, most, out);
	draw(plot, answer, &answer->ratio, "<=>");
	write_text_ratio(out, "pooled", "", &answer->ratio, NAN, plot);
	draw(plot, answer, &answer->another, "[-]");
	write_text_ratio(out, "another machine", "", &answer->another, NAN, plot);
	fprintf(out, "%s; I2 %.0f %%; 95 %% intervals\n",
		rows ? "# real, o not real, X outlier" : ". : + #: from few machines to most",
		answer->i2);
}

/*
 * Writes up to `most` recordings that are not in the answer, with reasons: "a.csv: another
 * experiment".
 */
static void write_left_out(const struct machines *machines, FILE *out, size_t most)
{
	const struct machines_recording *common = machines_main(machines);
	char line[SAMPLE_TEXT * 2];
	size_t left = 0;

	for (size_t i = 0; i < machines->n; i++) {
		const struct machines_recording *recording = &machines->list[i];
		const char *why = machines_left_out(common, recording);

		if (!*why || left++ >= most)
			continue;
		snprintf(line, sizeof(line), "Not pooled: %s: %s", basename(recording->path), why);
		utf8_mask(line);
		write_text_wrapped(out, line);
	}
	if (left > most)
		fprintf(out, "and %zu more that are not pooled\n", left - most);
	for (int kind = 0; kind < MACHINES_TROUBLES; kind++)
		if (machines_trouble(machines, (enum machines_trouble)kind, line, sizeof(line)))
			write_text_wrapped(out, line);
}

/* Writes the title and a sentence for each answer. Returns 0 or -errno. */
static int write_answers(const struct machines *machines, FILE *out)
{
	char line[2 * SAMPLE_TEXT];
	struct machines_answer answer;
	struct sentence s;
	int err = 0;
	size_t i;

	write_text_wrapped(out, machines_title(machines, line, sizeof(line)));
	fputc('\n', out);
	for (i = 0; machines_answer(machines, i, MACHINES_BY_RATIO, &answer, &err); i++) {
		if (i < TEXT_SENTENCES)
			write_text_wrapped(out, machines_sentence(&answer, line, sizeof(line)));
		s = sentence_in(line, sizeof(line));
		for (size_t k = 0; k < answer.n; k++)
			if (i < TEXT_SENTENCES && answer.rows[k].outlier)
				sentence_add(&s, "%s%s", s.used ? ", " : "Outliers: ",
					     answer.rows[k].recording->name);
		if (s.used) {
			sentence_add(&s, ".");
			write_text_wrapped(out, line);
		}
		machines_answer_free(&answer);
	}
	if (i > TEXT_SENTENCES)
		fprintf(out, "and %zu more answer%s, which -x markdown shows\n", i - TEXT_SENTENCES,
			sentence_plural((uint32_t)(i - TEXT_SENTENCES)));
	if (err)
		return err;
	for (i = 0; machines_fault_sentence(machines, i, line, sizeof(line)); i++)
		write_text_wrapped(out, line);
	return 0;
}

int machines_write_text(const struct machines *machines, FILE *out)
{
	char *parts[2] = {NULL, NULL};
	size_t sizes[2], lines = FOREST_LINES;
	struct machines_answer answer;
	int err = 0;

	/*
	 * The forest plot is between the answers and the left-out recordings, and gets the lines
	 * that these do not need.
	 */
	for (size_t i = 0; i < 2; i++) {
		FILE *part;

		if (err)
			break;
		part = open_memstream(&parts[i], &sizes[i]);
		if (!part)
			err = -ENOMEM;
		else if (i == 0)
			err = write_answers(machines, part);
		else
			write_left_out(machines, part, 3);
		if (part && fclose(part) != 0)
			err = -ENOMEM;
		for (const char *at = parts[i]; !err; at++) {
			if (!(at = strchr(at, '\n')))
				break;
			lines++;
		}
	}
	if (!err) {
		fputs(parts[0], out);
		if (machines_answer(machines, 0, MACHINES_BY_RATIO, &answer, &err)) {
			write_forest(machines, &answer,
				     TEXT_LINES - MIN(lines, TEXT_LINES - LEAST_ROWS), out);
			machines_answer_free(&answer);
		}
		fputs(parts[1], out);
	}
	free(parts[0]);
	free(parts[1]);
	if (err)
		return err;
	return report_finish(out);
}

/* A ratio and its interval as two texts. */
#define RATIO(ratio) CLAIM_TIMES((ratio).estimate), MACHINES_INTERVAL(&(ratio))
/* A weight as text that is put before "%". */
#define WEIGHT(weight) UNITS_DECIMAL(100 * (weight), 1)

static const char *row_remark(const struct machines_row *row)
{
	if (row->outlier)
		return "outlier";
	if (row->real)
		return "real";
	return "";
}

int machines_write_markdown(const struct machines *machines, FILE *out)
{
	char line[2 * SAMPLE_TEXT];
	struct machines_answer answer;
	int err = 0;

	write_marked(out, write_escaped, "# %s\n\n", machines_title(machines, line, sizeof(line)));
	for (size_t i = 0; machines_fault_sentence(machines, i, line, sizeof(line)); i++)
		write_marked(out, write_escaped, "%s\n\n", line);
	for (size_t i = 0; machines_answer(machines, i, MACHINES_BY_RATIO, &answer, &err); i++) {
		const struct machines_question *question = answer.question;

		fprintf(out, "## %s: ", metric_table[question->metric].title);
		write_marked(out, write_escaped, "%s / %s\n\n%s", question->b, question->a,
			     machines_sentence(&answer, line, sizeof(line)));
		if (answer.n_groups > 0)
			write_marked(out, write_escaped,
				     "\n\n| %s | machines | ratio | 95 %% | weight |\n"
				     "|---|--:|--:|---|--:|\n",
				     machines->group->name);
		for (size_t g = 0; g < answer.n_groups; g++) {
			const struct machines_group *group = &answer.groups[g];

			write_marked(out, write_escaped, "| %s | %d | %s | %s | %s %% |\n",
				     group->name, (int)group->n, RATIO(group->ratio),
				     WEIGHT(group->weight));
		}
		fputs("\n\n| machine | CPU | cores | kernel | ratio | 95 % | weight | |\n"
		      "|---|---|--:|---|--:|---|--:|---|\n",
		      out);
		for (size_t k = 0; k < answer.n; k++) {
			const struct machines_row *row = &answer.rows[k];
			const struct machine *machine = &row->recording->machine;

			if (answer.n_groups > 0 && answer.groups[row->group].first == k)
				write_marked(out, write_escaped, "| **%s** | | | | | | | |\n",
					     answer.groups[row->group].name);
			write_marked(out, write_escaped,
				     "| %s | %s | %d | %s | %s | %s | %s %% | %s |\n",
				     row->recording->name, machine->cpu, machine->cores_allowed,
				     machine->kernel, RATIO(row->ratio), WEIGHT(row->weight),
				     row_remark(row));
		}
		fprintf(out, "| **pooled** | | | | %s | %s | | |\n", RATIO(answer.ratio));
		fprintf(out, "| **another machine** | | | | | %s | | |\n\n",
			MACHINES_INTERVAL(&answer.another));
		machines_answer_free(&answer);
	}
	for (int kind = 0; kind < MACHINES_TROUBLES; kind++)
		if (machines_trouble(machines, (enum machines_trouble)kind, line, sizeof(line)))
			write_marked(out, write_escaped, "%s\n\n", line);
	if (err)
		return err;
	return report_finish(out);
}

static void write_ends(struct csv_row *row, const struct stats_interval *ratio)
{
	csv_row_real(row, ratio->low, 6);
	csv_row_real(row, ratio->high, 6);
}

static void write_ratio(struct csv_row *row, const struct stats_interval *ratio)
{
	csv_row_real(row, ratio->estimate, 6);
	write_ends(row, ratio);
}

/* Writes a group. group is NULL if there are no groups. */
static void write_group(struct csv_row *row, const struct machines *machines,
			const struct machines_group *group)
{
	static const struct machines_group none = {.ratio = {NAN, NAN, NAN}};

	if (group) {
		csv_row_text(row, machines->group->name);
		csv_row_text(row, group->name);
		csv_row_number(row, (int64_t)group->n);
	} else {
		group = &none;
		csv_row_text(row, "");
		csv_row_text(row, "");
		csv_row_number(row, -1);
	}
	write_ratio(row, &group->ratio);
}

int machines_write_csv(const struct machines *machines, FILE *out)
{
	struct csv_row row = {.out = out};
	struct machines_answer answer;
	int err = 0;

	fputs("machine,id,cpu,cores,cores_allowed,kernel,recordings,pairs,experiment,metric,a,b,"
	      "ratio,low,high,weight,real,outlier,pooled_ratio,pooled_low,pooled_high,expect_low,"
	      "expect_high,grouped_by,group,group_machines,group_ratio,group_low,group_high\n",
	      out);
	for (size_t i = 0; machines_answer(machines, i, MACHINES_BY_ARRIVAL, &answer, &err); i++) {
		const struct machines_question *question = answer.question;

		for (size_t k = 0; k < answer.n; k++) {
			const struct machines_row *of = &answer.rows[k];
			const struct machines_recording *recording = of->recording;
			const struct machines_group *group =
				answer.n_groups > 0 ? &answer.groups[of->group] : NULL;

			csv_row_name(&row, recording->name);
			csv_row_name(&row, recording->machine.id);
			csv_row_text(&row, recording->machine.cpu);
			csv_row_number(&row, recording->machine.cores_online);
			csv_row_number(&row, recording->machine.cores_allowed);
			csv_row_name(&row, recording->machine.kernel);
			csv_row_number(&row, of->recordings);
			csv_row_number(&row, of->pairs);
			csv_row_text(&row, question->experiment);
			csv_row_text(&row, metric_table[question->metric].title);
			csv_row_text(&row, question->a);
			csv_row_text(&row, question->b);
			write_ratio(&row, &of->ratio);
			csv_row_real(&row, of->weight, 6);
			csv_row_number(&row, of->real);
			csv_row_number(&row, of->outlier);
			write_ratio(&row, &answer.ratio);
			write_ends(&row, &answer.another);
			write_group(&row, machines, group);
			csv_row_end(&row);
		}
		machines_answer_free(&answer);
	}
	if (err)
		return err;
	return report_finish(out);
}

/* The format html: a page without script, which loads nothing. */

void write_html(FILE *out, const char *text)
{
	char utf8[UTF8_BYTES];
	uint32_t character = 0;

	while ((character = utf8_next_printable(&text, character)) != 0)
		if (character < 0x80 && strchr("&<>\"'", (int)character))
			fprintf(out, "&#%u;", character);
		else
			fputs(utf8_put(character, utf8), out);
}

static double percent(const struct machines_answer *answer, double ratio)
{
	return 100 * machines_place(answer, ratio);
}

static void write_plot(FILE *out, const struct machines_answer *answer,
		       const struct stats_interval *ratio, const char *of)
{
	double x = percent(answer, ratio->low);

	fprintf(out,
		"<td class=plot><i class=one style='left:%.2f%%'></i>"
		"<i class='%s line' style='left:%.2f%%;width:%.2f%%'></i>",
		percent(answer, 1), of, x, percent(answer, ratio->high) - x);
	if (!isnan(ratio->estimate))
		fprintf(out, "<i class='%s dot' style='left:%.2f%%'></i>", of,
			percent(answer, ratio->estimate));
	fputs("</td></tr>\n", out);
}

/* The row's class in the style sheet: its verdict, or the case with the lower value. */
static const char *row_class(const struct machines_row *row)
{
	if (row->outlier)
		return "outlier";
	if (!row->real)
		return "open";
	if (row->estimate > 0)
		return "a";
	return "b";
}

static void write_html_row(FILE *out, const struct machines_answer *answer,
			   const struct machines_row *row)
{
	const struct machine *machine = &row->recording->machine;
	const char *of = row_class(row);

	write_marked(out, write_html, "<tr class=%s><td>%s<td>%s<td>%d<td>%s<td>%s<td>%s<td>%s %%",
		     of, row->recording->name, machine->cpu, machine->cores_allowed,
		     machine->kernel, RATIO(row->ratio), WEIGHT(row->weight));
	write_plot(out, answer, &row->ratio, of);
}

/*
 * Writes the heading of a group's rows. If there are too many rows, writes their density instead.
 */
static void write_html_group(FILE *out, const struct machines_answer *answer,
			     const struct machines_group *group)
{
	enum { BARS = 80 };
	unsigned counts[BARS], most;
	const char *unit = " machines";

	if (answer->n > MACHINES_DENSE)
		unit = "";
	else if (group->n == 1)
		unit = " machine";
	write_marked(out, write_html,
		     "<tr class=group><td colspan=3>%s<td>%d%s<td>%s<td>%s<td>%s %%", group->name,
		     (int)group->n, unit, RATIO(group->ratio), WEIGHT(group->weight));
	if (answer->n <= MACHINES_DENSE) {
		write_plot(out, answer, &group->ratio, "pooled");
		return;
	}
	most = machines_density(answer, group, counts, BARS);
	fprintf(out, "<td class=plot><i class=one style='left:%.2f%%'></i>", percent(answer, 1));
	for (int x = 0; x < BARS; x++)
		if (counts[x] > 0)
			fprintf(out, "<i class=bar style='left:%.2f%%;height:%.0f%%'></i>",
				100.0 * x / BARS, 100.0 * counts[x] / most);
	fputs("</td></tr>\n", out);
}

static void write_html_answer(FILE *out, const struct machines_answer *answer)
{
	const struct machines_question *question = answer->question;
	const char *titles = "<th>machine<th>CPU<th>CPUs<th>kernel";
	const double one = percent(answer, 1);
	char line[2 * SAMPLE_TEXT];

	write_marked(out, write_html, "<h2>%s: %s / %s</h2>\n<p>%s",
		     metric_table[question->metric].title, question->b, question->a,
		     machines_sentence(answer, line, sizeof(line)));
	if (answer->n > MACHINES_DENSE && answer->n_groups > 0)
		titles = "<th colspan=3><th>machines";
	fprintf(out,
		"</p>\n<table><tr>%s<th>ratio<th>95 %%<th>weight<th class=plot><div><span>%s</span>"
		"<b style='left:%.2f%%'>1</b><span>%s</span></div></tr>\n",
		titles, one < 15 ? "" : CLAIM_TIMES(answer->low), one, CLAIM_TIMES(answer->high));
	for (size_t i = 0, g = 0; i < answer->n; i++) {
		if (g < answer->n_groups && answer->groups[g].first == i)
			write_html_group(out, answer, &answer->groups[g++]);
		if (answer->n <= MACHINES_DENSE || answer->n_groups == 0)
			write_html_row(out, answer, &answer->rows[i]);
	}
	fprintf(out, "<tr class=pooled><td colspan=4>pooled<td>%s<td>%s<td>", RATIO(answer->ratio));
	write_plot(out, answer, &answer->ratio, "pooled");
	fprintf(out, "<tr class=pooled><td colspan=4>another machine<td><td>%s<td>",
		MACHINES_INTERVAL(&answer->another));
	write_plot(out, answer, &answer->another, "another");
	fputs("</table>\n", out);
}

int machines_write_html(const struct machines *machines, FILE *out)
{
	static const char head[] =
		"<!DOCTYPE html>\n<html lang=en><meta charset=utf-8>\n"
		"<meta http-equiv=Content-Security-Policy "
		"content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
		"<meta name=viewport content='width=device-width'><title>tuibench: several "
		"machines</title>\n"
		"<style>:root{color-scheme:light dark}"
		"body{font:15px/1.4 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 "
		"1em}"
		"table{border-collapse:collapse;width:100%}"
		"td,th{text-align:left;padding:1px 10px 1px 0;font-weight:400;white-space:nowrap}"
		"th{opacity:.65}.pooled td{font-weight:700;border-top:1px solid #8886}"
		".plot{position:relative;width:40%;min-width:14em}"
		"th div{display:flex;justify-content:space-between}"
		"th b{position:absolute;font-weight:400;margin-left:-.3em}"
		".group td{font-weight:700;padding-top:6px}.group .plot{height:3em}"
		".bar{top:auto;bottom:0;width:1.25%;background:currentColor;opacity:.6}"
		"td.plot,th.plot{padding-right:0}i{position:absolute;top:50%}"
		".one{top:0;bottom:0;border-left:1px dashed #8889}"
		".line{border-top:2px solid currentColor}"
		".dot{width:9px;height:9px;margin:-4px;border-radius:9px;background:currentColor}"
		".open .dot{background:Canvas;border:2px solid;width:6px;height:6px}"
		".pooled .dot{border-radius:0;transform:rotate(45deg)}"
		".line.another{border-top-width:4px;opacity:.5}"
		".a i{color:#1f78c8}.b i{color:#d2691e}.outlier{color:#c02020}</style>\n<h1>";
	char line[2 * SAMPLE_TEXT];
	struct machines_answer answer;
	int err = 0;

	fputs(head, out);
	write_marked(out, write_html, "%s</h1>\n", machines_title(machines, line, sizeof(line)));
	for (size_t i = 0; machines_fault_sentence(machines, i, line, sizeof(line)); i++)
		write_marked(out, write_html, "<p>%s</p>\n", line);
	for (size_t i = 0; machines_answer(machines, i, MACHINES_BY_RATIO, &answer, &err); i++) {
		write_html_answer(out, &answer);
		machines_answer_free(&answer);
	}
	for (int kind = 0; kind < MACHINES_TROUBLES; kind++)
		if (machines_trouble(machines, (enum machines_trouble)kind, line, sizeof(line)))
			write_marked(out, write_html, "<p class=outlier>%s</p>\n", line);
	fprintf(out,
		"<p>tuibench %s; the pooled ratios are from a random-effects model, with 95 %% "
		"intervals; see "
		"tuibench-statistics(7)</p></html>\n",
		TUIBENCH_VERSION);
	if (err)
		return err;
	return report_finish(out);
}

static json_t *text(const char *s)
{
	if (*s)
		return json_printable(s);
	return json_null();
}

static json_t *row_json(const struct machines_answer *answer, const struct machines_row *row)
{
	const struct machines_recording *recording = row->recording;

	return JSON_OBJECT(
		{"machine", text(recording->name)}, {"id", text(recording->machine.id)},
		{"cpu", text(recording->machine.cpu)},
		{"cores", json_integer(recording->machine.cores_online)},
		{"cores_allowed", json_integer(recording->machine.cores_allowed)},
		{"kernel", text(recording->machine.kernel)},
		{"recordings", json_integer(row->recordings)}, {"pairs", json_integer(row->pairs)},
		JSON_RATIO(row->ratio), {"weight", json_finite(row->weight)},
		{"real", json_boolean(row->real)}, {"outlier", json_boolean(row->outlier)},
		{"group", text(answer->n_groups > 0 ? answer->groups[row->group].name : "")});
}

static json_t *machines_answer_json(const struct machines_answer *answer)
{
	const struct machines_question *question = answer->question;
	char line[2 * SAMPLE_TEXT];
	json_t *rows = json_array(), *groups = json_array();

	for (size_t g = 0; g < answer->n_groups; g++) {
		const struct machines_group *group = &answer->groups[g];

		json_push(&groups, JSON_OBJECT({"value", text(group->name)},
					       {"machines", json_integer((json_int_t)group->n)},
					       JSON_RATIO(group->ratio),
					       {"weight", json_finite(group->weight)}));
	}
	for (size_t i = 0; i < answer->n; i++)
		json_push(&rows, row_json(answer, &answer->rows[i]));
	return JSON_OBJECT({"metric", text(metric_table[question->metric].title)},
			   {"a", text(question->a)}, {"b", text(question->b)},
			   {"sentence", text(machines_sentence(answer, line, sizeof(line)))},
			   {"machines", json_integer((json_int_t)answer->n)},
			   {"a_less", json_integer(answer->a_less)},
			   {"a_less_real", json_integer(answer->a_real)},
			   {"b_less", json_integer(answer->b_less)},
			   {"b_less_real", json_integer(answer->b_real)}, JSON_RATIO(answer->ratio),
			   {"expect_low", json_finite(answer->another.low)},
			   {"expect_high", json_finite(answer->another.high)},
			   {"tau2", json_finite(answer->tau2)}, {"i2", json_finite(answer->i2)},
			   {"groups", groups}, {"rows", rows});
}

int machines_write_json(const struct machines *machines, FILE *out)
{
	const struct machines_recording *common = machines_main(machines);
	json_t *answers = json_array(), *faults = json_array(), *left_out = json_array(), *root;
	json_t *missing = json_array(), *unfinished = json_array(), *failed = json_array();
	char line[2 * SAMPLE_TEXT];
	struct machines_answer answer;
	int err = 0;

	for (size_t i = 0; machines_answer(machines, i, MACHINES_BY_RATIO, &answer, &err); i++) {
		json_push(&answers, machines_answer_json(&answer));
		machines_answer_free(&answer);
	}
	for (size_t i = 0; machines_fault_sentence(machines, i, line, sizeof(line)); i++)
		json_push(&faults, text(line));
	for (size_t i = 0; i < machines->n_expected; i++)
		if (!machines->expected[i].reported)
			json_push(&missing,
				  JSON_OBJECT({"machine", text(machines->expected[i].name)},
					      {"why", text(machines->expected[i].why)}));
	for (size_t i = 0; i < machines->n; i++) {
		const struct machines_recording *recording = &machines->list[i];
		const char *why = machines_left_out(common, recording);

		if (*why)
			json_push(&left_out,
				  JSON_OBJECT({"recording", text(basename(recording->path))},
					      {"why", text(why)}));
		if (*recording->name && !recording->done)
			json_push(&unfinished,
				  JSON_OBJECT({"machine", text(recording->name)},
					      {"recording", text(basename(recording->path))},
					      {"written_s", json_integer(recording->written_s)}));
		if (recording->failed > 0)
			json_push(&failed,
				  JSON_OBJECT({"machine", text(recording->name)},
					      {"recording", text(basename(recording->path))},
					      {"runs", json_integer(recording->runs)},
					      {"failed", json_integer(recording->failed)},
					      {"why", text(recording->failure)}));
	}
	root = JSON_OBJECT(
		{"tuibench", text(TUIBENCH_VERSION)}, {"schema", json_integer(1)},
		{"experiment", text(common ? common->experiment : "")},
		{"machines", json_integer(machines->n_machines)},
		{"recordings", json_integer((json_int_t)machines->n)},
		{"pooled",
		 JSON_OBJECT({"grouped_by", text(machines->group ? machines->group->name : "")},
			     {"answers", answers}, {"survivors", faults}, {"left_out", left_out},
			     {"missing", missing}, {"unfinished", unfinished},
			     {"failed", failed})});
	if (!root || json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9))) {
		if (!err)
			err = -ENOMEM;
	}
	json_decref(root);
	fputc('\n', out);
	if (err)
		return err;
	return report_finish(out);
}
