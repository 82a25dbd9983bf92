/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/error_line.h"
#include "base/procfs.h"
#include "base/units.h"
#include "base/utf8.h"
#include "experiment/setting.h"
#include "model/metric.h"
#include "write/export.h"
#include "view/keys.h"
#include "view/view.h"
#include "work/workload.h"

enum { INDENT = 27, TOPIC_INDENT = 4 };

/*
 * Made by glossary.py. Each row has the meaning, and its name, or several names separated by
 * commas.
 */
extern const char *const glossary_words[][2];
/* Like glossary_words, for keys of JSON, and for columns of exports and recordings. */
extern const char *const glossary_keys[][2];
extern const char *const glossary_exported[][2];
extern const char *const glossary_recorded[][2];

static void write_options(FILE *out)
{
	const struct options_rule *rule;

	fputs(sentence_translated(N_(
		      "Usage: tuibench [EXPERIMENT] [OPTION...]\n"
		      "Shows live what the same work costs as threads and as processes.\n"
		      "Sizes take K, M, G. Defaults are in parentheses.\n"
		      "\n"
		      "  tuibench                                  6 cpu + 2 io workers, the "
		      "default\n"
		      "  tuibench --tree 20x3x82                   5,000 threads: 20 + 60 + 4,920\n"
		      "  tuibench creation -s ballast=0,1G         what creating a task costs\n"
		      "  tuibench -c 'python3 a.py' -c 'python3 b.py'   two programs of your "
		      "own\n")),
	      out);
	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		int n;

		if (rule->section)
			fprintf(out, "\n%s\n", sentence_translated(rule->section));
		if (rule->value == VALUE_EXPERIMENT)
			n = fprintf(out, "  %s", rule->argument);
		else if (rule->letter)
			n = fprintf(out, "  -%c, --%s", rule->letter, rule->name);
		else
			n = fprintf(out, "      --%s", rule->name);
		if (rule->argument && rule->value != VALUE_EXPERIMENT)
			n += fprintf(out, " %s", rule->argument);
		fprintf(out, "%*s%s\n", MAX(1, INDENT - n), "", sentence_translated(rule->help));
	}
	fputs(sentence_translated(N_("\nMore: --help settings, keys, experiments, formats, config, "
				     "or any option,\n"
				     "setting, experiment, key, metric or word on the screen; and "
				     "man tuibench.\n")),
	      out);
}

/* Writes a text of any length, as sentence_wrap() does. */
__attribute__((format(printf, 5, 6))) static void
write_wrapped(FILE *out, int column, int indent, const char *before, const char *format, ...)
{
	char room[512], *text;
	va_list args;

	va_start(args, format);
	text = error_line_text(room, sizeof(room), format, args);
	va_end(args);
	sentence_wrap(out, text, column, indent, before);
	if (text != room)
		free(text);
}

static void write_setting(const struct setting *setting, const char *experiment, FILE *out)
{
	struct sentence words = SENTENCE(256), usual = SENTENCE(128);
	const char *with = "", *of = "";
	int n = fprintf(out, "  %s", setting->name), concerns = setting->concerns;

	/* If the help is about one experiment, leave out the limitation "all but creation". */
	if (experiment && concerns <= CONCERNS_PLACED)
		concerns = 0;
	if (setting->works || concerns > 0) {
		with = "; for ";
		of = setting->of;
	}
	sentence_wrap(out, setting->help, n, 18, "");
	if (setting->words)
		for (size_t i = 0; setting->words[i]; i++)
			sentence_join(&words, ", ", "%s", setting->words[i]);
	if (!experiment && setting->there)
		sentence_add(&usual, "; %s: %s", setting->there, setting->usual_there);
	write_wrapped(out, fprintf(out, "%18s", ""), 18, "                  ",
		      "%s [default: %s%s]%s%s", sentence_text(words.buf, setting->values),
		      setting_usual(setting, experiment), usual.buf, with, of);
}

static void write_settings(FILE *out)
{
	const struct setting *setting;

	fputs("Set one with -s NAME=VALUES. If you give several values, they are compared.\n"
	      "With several such -s, every combination runs. Values in (...) are examples or\n"
	      "notes. For example:\n"
	      "-s alloc=0,400 or -s workers=2..8 or -s size=100..900:50 (in steps of 50).\n"
	      "Every setting takes such ranges. Write \\, for a comma inside a value, and \\2..8\n"
	      "for the text 2..8.\n\n",
	      out);
	for (size_t i = 0; (setting = setting_at(i)); i++)
		write_setting(setting, NULL, out);
	fputs("\nThe kinds of workers (-w), and what the size of their work means:\n", out);
	for (size_t i = 0; i < WORK_KINDS; i++) {
		const struct workload_ops *ops = workload_get(plan_work_order[i]);
		const char *usual = UNITS_EXACT(ops->default_size);

		if (ops->default_size <= 1)
			usual = "the object's";
		fprintf(out, "  %-16s%s\n", plan_work_name(plan_work_order[i]), ops->about);
		if (ops->amount)
			fprintf(out, "%18s%s [default: %s]\n", "", ops->amount, usual);
	}
}

static void write_formats(FILE *out)
{
	const struct export_format *format;

	fputs("Formats for --export; those marked * also work with --format.\n\n", out);
	for (size_t i = 0; (format = export_at(i)); i++) {
		char mark = ' ';

		if (format->result)
			mark = '*';
		fprintf(out, "  %-14s%c %s\n", format->name, mark, format->about);
	}
}

static void write_experiments(FILE *out)
{
	const struct experiment_kind *kind;

	for (size_t i = 0; (kind = experiment_at(i)); i++)
		write_wrapped(out, fprintf(out, "  %s", kind->name), 14, "              ",
			      "%s Takes about %u s%s.", kind->question, kind->seconds,
			      sentence_text(kind->note, ""));
	fprintf(out,
		"\nOn a busy machine, a session takes longer, because up to %d disturbed trials "
		"are\nrepeated.\n",
		SAMPLE_REPEATS_MOST);
}

static void write_concerning(const struct experiment *experiment, const char *topic, FILE *out)
{
	const struct setting *before = NULL;
	char name[VARIABLE_NAME];

	fputs("\nIts settings (-s):\n", out);
	for (size_t i = 0; setting_name(i, name); i++) {
		const struct setting *setting = setting_find(name);

		if (setting != before && setting_concerns(name, experiment, true))
			write_setting(before = setting, topic, out);
	}
}

/* Writes a configuration file with every option that is allowed in it, each as a comment. */
static void write_config(FILE *out)
{
	const struct options_rule *rule;
	const struct setting *setting;
	const char *section = NULL;
	char name[VARIABLE_NAME], value[VARIABLE_VALUE], of[VARIABLE_NAME];
	enum work_kind kind;
	int column;

	fputs("# Options of tuibench that apply unless the command line says otherwise. A line\n"
	      "# is NAME = VALUE; # starts a comment. A line that does not fit the session, or\n"
	      "# that the command line contradicts, is ignored. The values are examples; many\n"
	      "# are the default. With --config none, no file is read.\n",
	      out);
	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		if (rule->section)
			section = rule->section;
		if (!rule->standing || rule->value == VALUE_SETTING)
			continue;
		if (section)
			fprintf(out, "\n# == %s ==\n", section);
		section = NULL;
		fprintf(out, "\n# %s\n#%s = %s\n", rule->help, rule->name, rule->standing);
	}
	fputs("\n# == Settings ==\n", out);
	for (size_t i = 0; setting_name(i, name); i++) {
		setting = setting_find(name);
		snprintf(of, sizeof(of), "%.*s", (int)strcspn(name, "."), name);
		column = fprintf(out, "\n#") - 1;
		if (setting->kind == SETTING_WORK && plan_work_parse(of, &kind) == 0)
			write_wrapped(out, column, 2, "# ", "%s workers %s: %s", of,
				      workload_get(kind)->about, workload_get(kind)->amount);
		else
			write_wrapped(out, column, 2, "# ", "For %s: %s", setting->of,
				      setting->help);
		fprintf(out, "#set.%s = %s\n", name, setting_example(name, value));
	}
}

static void write_keys(FILE *out)
{
	static const char *const headings[] = {"Keys", "Lecture", "Menu", "Search", "Question"};
	static const char indent[] = "                        ";
	const struct keys_row *row;

	for (size_t i = 0; i < LENGTH(headings); i++) {
		if (i)
			fputc('\n', out);
		/* Write all rows with this heading, wherever they are in the table. */
		fprintf(out, "%s\n", headings[i]);
		for (size_t k = 0; (row = keys_at(k)); k++) {
			int column = 3 + utf8_columns(row->keys);

			if (!row->does || strcmp(keys_heading(row), headings[i]) != 0)
				continue;
			fprintf(out, "  %s ", row->keys);
			if (column > (int)strlen(indent))
				column = fprintf(out, "\n") - 1;
			sentence_wrap(out, row->does, column, (int)strlen(indent), indent);
		}
	}
}

/* Writes a topic whose explanation is one sentence. */
static void write_topic(const char *what, const char *name, const char *text, FILE *out)
{
	char indent[TOPIC_INDENT + 1] = "    ";

	fprintf(out, "%s %s\n", what, name);
	sentence_wrap(out, text, fprintf(out, "%s", indent), TOPIC_INDENT, indent);
}

/* Returns whether the topic is one of the names in the list, or the first word of a name. */
static bool is_named(const char *list, const char *topic)
{
	const size_t length = strlen(topic);

	while (*list) {
		const size_t n = strcspn(list, ",");

		if (n >= length && strncasecmp(list, topic, length) == 0 &&
		    (length == n || list[length] == ' '))
			return true;
		list += n;
		list += strspn(list, ", ");
	}
	return false;
}

/* Writes what each kind of worker does. */
static void write_kinds(FILE *out)
{
	for (size_t i = 0; i < WORK_KINDS; i++) {
		const enum work_kind kind = plan_work_order[i];

		write_topic("Kind", plan_work_name(kind), workload_get(kind)->about, out);
	}
}

/* Writes the help of an option. "--trials", "-n", "n" and "trials" are the same topic. */
static bool help_option(const char *topic, FILE *out)
{
	const struct options_rule *rule;
	const char *name = topic + strspn(topic, "-");
	struct sentence s = SENTENCE(64);

	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		const bool letter = rule->letter && *name == rule->letter && !name[1];

		if (rule->value == VALUE_EXPERIMENT || (!letter && strcmp(rule->name, name) != 0))
			continue;
		sentence_add(&s, "--%s", rule->name);
		if (rule->argument)
			sentence_add(&s, " %s", rule->argument);
		if (rule->letter)
			sentence_add(&s, ", -%c", rule->letter);
		write_topic("Option", s.buf, sentence_translated(rule->help), out);
		if (rule->value == VALUE_WORKERS)
			write_kinds(out);
		return true;
	}
	return false;
}

/*
 * Writes the help of a setting. "env" also finds "env:NAME". "{n}" finds NAME, the row for
 * arguments of commands.
 */
static bool help_setting(const char *topic, FILE *out)
{
	const struct setting *setting;
	size_t length;

	if (*topic == '{')
		topic = "NAME";
	length = strlen(topic);
	for (size_t i = 0; (setting = setting_at(i)); i++) {
		bool has = setting_find(topic) == setting;

		if (strncmp(topic, setting->name, length) == 0)
			has |= setting->name[length] == '\0' ||
			       (length > 0 && setting->name[length] == ':');
		if (has) {
			write_setting(setting, NULL, out);
			return true;
		}
	}
	return false;
}

/* Writes the help of the first setting that has this word as a value, such as "futex". */
static bool help_value(const char *topic, FILE *out)
{
	const struct setting *setting;
	const size_t length = strlen(topic);

	if (!isalpha((unsigned char)*topic))
		return false;
	for (size_t i = 0; (setting = setting_at(i)); i++) {
		const char *offers = sentence_text(setting->offers, "");
		bool has = false;

		for (; *offers && !has; offers += strspn(offers, " ")) {
			const size_t n = strcspn(offers, " ");

			has = n == length && strncmp(offers, topic, n) == 0;
			offers += n;
		}
		for (size_t k = 0; setting->words && setting->words[k]; k++)
			has |= strcmp(setting->words[k], topic) == 0;
		if (has) {
			write_setting(setting, NULL, out);
			return true;
		}
	}
	return false;
}

static bool help_workers(const char *topic, FILE *out)
{
	enum work_kind kind;

	if (plan_work_parse(topic, &kind) != 0)
		return false;
	write_topic("Workers", topic, workload_get(kind)->about, out);
	return true;
}

static bool help_format(const char *topic, FILE *out)
{
	const struct export_format *format;

	for (size_t i = 0; (format = export_at(i)); i++)
		if (strcmp(topic, format->name) == 0) {
			write_topic("Format", topic, format->about, out);
			return true;
		}
	return false;
}

/* Returns whether a name such as "1…6" includes the key. */
static bool is_in_range(const char *name, char key)
{
	static const char dots[] = "…";

	return *name && strncmp(name + 1, dots, strlen(dots)) == 0 && key >= *name &&
	       key <= name[1 + strlen(dots)];
}

/* Returns whether a list such as "Up k 1…6" has the key. A letter and its capital are two keys. */
static bool has_key(const char *list, const char *topic)
{
	const size_t length = strlen(topic);

	for (; *list; list += strspn(list, " ")) {
		const size_t n = strcspn(list, " ");

		if (length == 1 && is_in_range(list, *topic))
			return true;
		if (n == length && strncasecmp(list, topic, n) == 0 && (n > 1 || *list == *topic))
			return true;
		list += n;
	}
	return false;
}

/* Writes the actions of each key with this name. */
static bool help_key(const char *topic, FILE *out)
{
	static const char *const arrows[][2] = {
		{"Up", "↑"}, {"Down", "↓"}, {"Left", "←"}, {"Right", "→"}};
	const struct keys_row *row;
	bool found = false;

	for (size_t i = 0; i < LENGTH(arrows); i++)
		if (strcasecmp(topic, arrows[i][0]) == 0)
			topic = arrows[i][1];
	for (size_t i = 0; (row = keys_at(i)); i++) {
		if (!row->does || !has_key(row->keys, topic))
			continue;
		write_topic("Key", row->keys, row->does, out);
		found = true;
	}
	return found;
}

static bool help_word(const char *topic, FILE *out)
{
	for (size_t i = 0; glossary_words[i][0]; i++)
		if (is_named(glossary_words[i][0], topic)) {
			write_topic("Word", glossary_words[i][0], glossary_words[i][1], out);
			return true;
		}
	return false;
}

/*
 * Returns whether a term of a view's help is the topic, or the topic is a part of the term: "mean
 * most" has two words, and "█ ▌" two marks. A single word of "every run" is no term.
 */
static bool is_term(const char *term, const char *topic)
{
	const size_t n = strcspn(term, "\t\n"), length = strlen(topic);
	bool found = n == length && strncasecmp(term, topic, n) == 0;

	for (size_t at = 0; at < n; at += strspn(term + at, " ")) {
		const char *part = term + at;
		const bool marks = (signed char)*part < 0;
		const char *gap = strstr(part, "  ");
		size_t bytes = n - at;

		if (marks)
			bytes = strcspn(part, " \t\n");
		else if (gap && gap < term + n)
			bytes = (size_t)(gap - part);
		found |= bytes == length && strncasecmp(part, topic, bytes) == 0;
		at += bytes;
	}
	return found;
}

/* Writes the explanations of a word or a mark on the screen in the helps of the views. */
static bool help_term(const char *topic, FILE *out)
{
	struct view_term term;
	char heading[64], name[64], text[2048], last[sizeof(text)] = "";
	bool found = false;

	for (size_t i = 0; view_term_at(i, &term); i++) {
		if (!is_term(term.term, topic))
			continue;
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(term.text, "\n"), term.text);
		/* Views of trees have many of the same entries. */
		if (strcmp(text, last) == 0)
			continue;
		snprintf(last, sizeof(last), "%s", text);
		snprintf(heading, sizeof(heading), "%.*s:", (int)strcspn(term.heading, "\n"),
			 term.heading);
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(term.term, "\t"), term.term);
		if (found)
			fputc('\n', out);
		write_topic(heading, name, text, out);
		found = true;
	}
	return found;
}

/* Returns the description of a key of JSON, or NULL. */
static const char *key_text(const char *key)
{
	for (size_t i = 0; glossary_keys[i][0]; i++)
		if (strcmp(glossary_keys[i][0], key) == 0)
			return glossary_keys[i][1];
	return NULL;
}

/*
 * Returns whether the list has the column. A word in capitals matches any word: elapsed_KIND_ms
 * includes elapsed_cpu_ms.
 */
static bool is_column(const char *list, const char *column)
{
	char pattern[80];

	while (*list) {
		const size_t n = strcspn(list, ",");
		size_t used = 0;

		for (size_t i = 0; i < MIN(n, sizeof(pattern) - 1); i++) {
			if (!isupper((unsigned char)list[i]))
				pattern[used++] = list[i];
			else if (used == 0 || pattern[used - 1] != '*')
				pattern[used++] = '*';
		}
		pattern[used] = '\0';
		if (fnmatch(pattern, column, 0) == 0)
			return true;
		list += n;
		list += strspn(list, ", ");
	}
	return false;
}

/* Writes the help of a column of an export, of a recording or of both. */
static bool help_column(const char *topic, FILE *out)
{
	const struct {
		const char *what;
		const char *const (*rows)[2];
	} tables[] = {{"Column of an export:", glossary_exported},
		      {"Column of a recording:", glossary_recorded}};
	bool found = false;

	for (size_t i = 0; i < LENGTH(tables); i++) {
		const char *const(*row)[2] = tables[i].rows;

		while ((*row)[0] && !is_column((*row)[0], topic))
			row++;
		if (!(*row)[0])
			continue;
		if (found)
			fputc('\n', out);
		write_topic(tables[i].what, topic, (*row)[1], out);
		found = true;
	}
	return found;
}

/*
 * Writes the metric that has this name or title. If `first` is set, writes the metric whose title
 * begins with this word. The metrics of a program's waits are not in JSON, so their own titles
 * explain them.
 */
static bool write_metric(const char *topic, bool first, FILE *out)
{
	char name[80];

	for (size_t i = 0; i < METRICS; i++) {
		const struct metric *metric = &metric_table[i];
		const char *words = sentence_text(metric->words, metric->title);
		const char *text = NULL;
		bool has = strcasecmp(metric->title, topic) == 0 || strcasecmp(words, topic) == 0;

		if (metric->name) {
			text = key_text(metric->name);
			has |= strcmp(metric->name, topic) == 0;
		}
		has |= first && (is_named(metric->title, topic) || is_named(words, topic));
		if (!has || (!text && !(metric->uses & METRIC_OF_COMMANDS)))
			continue;
		if (text)
			snprintf(name, sizeof(name), "%s, in JSON %s", words, metric->name);
		else
			snprintf(name, sizeof(name), "%s", metric->title);
		write_topic("Metric", name, sentence_text(text, words), out);
		return true;
	}
	return false;
}

static bool help_metric(const char *topic, FILE *out)
{
	return write_metric(topic, false, out);
}

static int help_experiment(const char *topic, FILE *out)
{
	const struct experiment_kind *kind = experiment_find(topic);
	struct experiment *experiment;
	struct request request;
	char error[512], path[PATH_MAX];
	FILE *script;
	size_t n;

	if (!kind)
		return -EINVAL;
	experiment = malloc(sizeof(*experiment));
	if (!experiment)
		return -ENOMEM;
	fprintf(out, "%s: %s\n\n", topic, kind->question);
	sentence_wrap(out, kind->about, fprintf(out, "  Runs"), 12, "            ");
	fprintf(out, "  Takes     about %u s%s, with two idle cores\n", kind->seconds,
		sentence_text(kind->note, ""));
	sentence_wrap(out, kind->look, fprintf(out, "  Views"), 12, "            ");
	fprintf(out, "  Example   %s\n", kind->example);
	request_init(&request);
	request.experiment = topic;
	if (!experiment_build(&request, experiment, error, sizeof(error)))
		write_concerning(experiment, topic, out);
	free(experiment);
	if (kind->script && procfs_find_data(kind->script, path)) {
		fprintf(out, "\nIts script, %s:\n\n", path);
		script = fopen(path, "re");
		while (script && (n = fread(error, 1, sizeof(error), script)) > 0)
			fwrite(error, 1, n, out);
		if (script)
			fclose(script);
	}
	return 0;
}

/*
 * Returns the i-th name of all topics except settings; NULL after the last name. Used to find the
 * nearest name.
 */
static const char *topic_at(size_t i)
{
	const char *const(*const tables[])[2] = {glossary_words, glossary_keys, glossary_exported,
						 glossary_recorded};
	const struct options_rule *rule;
	const struct experiment_kind *kind;
	const struct export_format *format;
	size_t n = 0;

	for (; (rule = options_rule_at(n)); n++)
		if (n == i)
			return rule->name;
	i -= n;
	for (n = 0; (kind = experiment_at(n)); n++)
		if (n == i)
			return kind->name;
	i -= n;
	for (n = 0; (format = export_at(n)); n++)
		if (n == i)
			return format->name;
	i -= n;
	for (n = 0; n < METRICS; n++)
		if (n == i)
			return metric_table[n].title;
	i -= n;
	for (size_t table = 0; table < LENGTH(tables); table++) {
		for (n = 0; tables[table][n][0]; n++)
			if (n == i)
				return tables[table][n][0];
		i -= n;
	}
	return NULL;
}

/* The name that is nearest to a topic so far, and its distance. */
struct nearest {
	const char *topic;
	char *buf;
	size_t size, best;
};

static void nearest_try(struct nearest *nearest, const char *name)
{
	const size_t distance = setting_distance(nearest->topic, name);

	if (distance >= nearest->best)
		return;
	nearest->best = distance;
	snprintf(nearest->buf, nearest->size, "%s", name);
}

/* Tries the settings, and the words that they have as values, such as "mutex". */
static void nearest_try_settings(struct nearest *nearest)
{
	const struct setting *setting;
	char name[80];

	for (size_t i = 0; setting_name(i, name); i++)
		nearest_try(nearest, name);
	for (size_t i = 0; (setting = setting_at(i)); i++) {
		const char *offers = sentence_text(setting->offers, "");

		for (; *offers; offers += strspn(offers, " ")) {
			const size_t n = strcspn(offers, " ");

			snprintf(name, sizeof(name), "%.*s", (int)n, offers);
			if (isalpha((unsigned char)*name))
				nearest_try(nearest, name);
			offers += n;
		}
		for (size_t k = 0; setting->words && setting->words[k]; k++)
			nearest_try(nearest, setting->words[k]);
	}
}

/* Tries the keys that have names, such as Enter. */
static void nearest_try_keys(struct nearest *nearest)
{
	const struct keys_row *row;
	char name[80];

	for (size_t i = 0; (row = keys_at(i)); i++) {
		const char *list = row->keys;

		for (; row->does && *list; list += strspn(list, " ")) {
			const size_t n = strcspn(list, " ");

			snprintf(name, sizeof(name), "%.*s", (int)n, list);
			if (n > 1)
				nearest_try(nearest, name);
			list += n;
		}
	}
}

char *options_help_nearest(const char *topic, char *buf, size_t size)
{
	/* Options are compared without their dashes. */
	const char *typed = topic + strspn(topic, "-");
	struct nearest nearest = {typed, buf, size, strlen(typed) / 3 + 1};
	const char *list;
	char name[80];

	*buf = '\0';
	for (size_t i = 0; (list = topic_at(i)); i++) {
		while (*list) {
			const size_t n = strcspn(list, ",");

			snprintf(name, sizeof(name), "%.*s", (int)n, list);
			nearest_try(&nearest, name);
			/* Try the first word alone, as in "involuntary switches". */
			name[strcspn(name, " ")] = '\0';
			nearest_try(&nearest, name);
			list += n;
			list += strspn(list, ", ");
		}
	}
	nearest_try_settings(&nearest);
	nearest_try_keys(&nearest);
	return buf;
}

/*
 * Copies a topic without what the screen adds to its word: the number in "lock 1" or "MEASURING
 * 3/6", the question mark of "real?", and the rest of "blank: joined".
 */
static char *bare_topic(const char *topic, char *buf, size_t size)
{
	const size_t n = strcspn(topic, ",:");
	size_t end;

	snprintf(buf, size, "%.*s", (int)n, topic);
	end = strlen(buf);
	while (end > 0 && strchr("0123456789/ ?", buf[end - 1]))
		end--;
	buf[end] = '\0';
	return buf;
}

/*
 * Writes everything that is known about a topic. Returns 0, -ENOMEM, or -EINVAL if nothing is
 * known.
 */
static int write_help(const char *topic, FILE *out)
{
	/* Words of other tools, and the option or setting that does it here. */
	static const char *const synonyms[][2] = {
		{"timeout", "for"},   {"time limit", "for"}, {"stdin", "input"},
		{"stdout", "output"}, {"stderr", "output"},  {"progress", "batch"},
		{"quiet", "batch"},   {"silent", "batch"},   {"peak memory", "memory"},
	};

	static bool (*const topics[])(const char *topic, FILE *out) = {
		help_option, help_setting, help_workers, help_format,
		help_key,    help_word,	   help_metric,	 help_term};
	bool found;
	int err;

	for (size_t i = 0; i < LENGTH(synonyms); i++)
		if (strcasecmp(topic, synonyms[i][0]) == 0)
			topic = synonyms[i][1];
	err = help_experiment(topic, out);
	if (err == -ENOMEM)
		return err;
	found = err == 0;
	for (size_t i = 0; i < LENGTH(topics); i++) {
		char *text = NULL;
		size_t length = 0;
		FILE *page = open_memstream(&text, &length);
		const bool has = page && topics[i](topic, page);

		if (!page || fclose(page) != 0) {
			free(text);
			return -ENOMEM;
		}
		if (has && found)
			fputc('\n', out);
		if (has)
			fputs(text, out);
		found |= has;
		free(text);
	}
	if (!found && key_text(topic)) {
		write_topic("Key of JSON", topic, key_text(topic), out);
		found = true;
	}
	if (found || help_column(topic, out) || write_metric(topic, true, out) ||
	    help_value(topic, out))
		return 0;
	return -EINVAL;
}

int options_help(const char *topic, FILE *out)
{
	static const struct {
		const char *name;
		void (*write)(FILE *out);
	} lists[] = {{"settings", write_settings},
		     {"keys", write_keys},
		     {"formats", write_formats},
		     {"experiments", write_experiments},
		     {"config", write_config}};
	char bare[80];
	int err;

	if (!topic) {
		write_options(out);
		return 0;
	}
	for (size_t i = 0; i < LENGTH(lists); i++)
		if (strcmp(topic, lists[i].name) == 0) {
			lists[i].write(out);
			return 0;
		}
	err = write_help(topic, out);
	if (err == -EINVAL && *bare_topic(topic, bare, sizeof(bare)))
		err = write_help(bare, out);
	return err;
}
