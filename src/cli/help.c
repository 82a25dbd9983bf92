/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"
#include "base/procfs.h"
#include "base/units.h"
#include "base/utf8.h"
#include "experiment/setting.h"
#include "write/export.h"
#include "view/keys.h"
#include "work/workload.h"

enum { INDENT = 27 };

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
		else
			n = fprintf(out, rule->letter ? "  -%c, --%s" : "   %c  --%s",
				    rule->letter ? rule->letter : ' ', rule->name);
		if (rule->argument && rule->value != VALUE_EXPERIMENT)
			n += fprintf(out, " %s", rule->argument);
		fprintf(out, "%*s%s\n", n < INDENT ? INDENT - n : 1, "",
			sentence_translated(rule->help));
	}
	fputs(sentence_translated(
		      N_("\nMore: --help settings, keys, experiments, formats, config, or an "
			 "experiment's\nname; and man tuibench.\n")),
	      out);
}

static void write_setting(const struct setting *setting, const char *experiment, FILE *out)
{
	char text[320];
	struct sentence values = {text, sizeof(text), 0};
	/* "all but creation" is of no use to one who has asked for mixed. */
	bool limited = setting->works || setting->concerns > (experiment ? CONCERNS_PLACED : 0);
	int n = fprintf(out, "  %s", setting->name);

	sentence_wrap(out, setting->help, n, 18, "");
	if (setting->words)
		for (size_t i = 0; setting->words[i]; i++)
			sentence_add(&values, "%s%s", i ? ", " : "", setting->words[i]);
	else
		sentence_add(&values, "%s", setting->values);
	sentence_add(&values, " [default: %s", setting_usual(setting, experiment));
	if (!experiment && setting->there)
		sentence_add(&values, "; %s: %s", setting->there, setting->usual_there);
	sentence_add(&values, "]%s%s", limited ? "; for " : "", limited ? setting->of : "");
	sentence_wrap(out, text, fprintf(out, "%18s", ""), 18, "                  ");
}

static void write_settings(FILE *out)
{
	const struct setting *setting;

	fputs("Set one with -s NAME=VALUES. Several values are compared. With several -s, every\n"
	      "combination runs. Values in (...) are examples or notes. For example:\n"
	      "-s alloc=0,400 or -s workers=2..8 or -s size=100..900:50 (in steps of 50).\n"
	      "Every setting takes such ranges. Write a comma within a value as \\, and a range\n"
	      "that is a text as \\2..8 (with a backslash).\n\n",
	      out);
	for (size_t i = 0; (setting = setting_at(i)); i++)
		write_setting(setting, NULL, out);
	fputs("\nThe kinds of workers (-w), and what the size of their work counts:\n", out);
	for (size_t i = 0; i < WORK_KINDS; i++) {
		const struct workload_ops *ops = workload_get(plan_work_order[i]);

		fprintf(out, "  %-16s%s\n", plan_work_name(plan_work_order[i]), ops->about);
		if (ops->amount)
			fprintf(out, "%18s%s [default: %s]\n", "", ops->amount,
				ops->default_size > 1 ? UNITS_EXACT(ops->default_size)
						      : "the object's");
	}
}

static void write_formats(FILE *out)
{
	const struct export_format *format;

	fputs("The formats of --export; those with * are also formats of --format.\n\n", out);
	for (size_t i = 0; (format = export_at(i)); i++)
		fprintf(out, "  %-14s%s %s\n", format->name, format->result ? "*" : " ",
			format->about);
}

static void write_experiments(FILE *out)
{
	const struct experiment_kind *kind;
	char text[256];

	for (size_t i = 0; (kind = experiment_at(i)); i++) {
		snprintf(text, sizeof(text), "%s Takes about %u s%s.", kind->question,
			 kind->seconds, kind->note ? kind->note : "");
		sentence_wrap(out, text, fprintf(out, "  %s", kind->name), 14, "              ");
	}
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

/* A file of all options that can stand in one, each behind a comment sign. */
static void write_config(FILE *out)
{
	const struct options_rule *rule;
	const struct setting *setting;
	const char *section = NULL;
	char name[VARIABLE_NAME], value[VARIABLE_VALUE], text[256], of[VARIABLE_NAME];
	enum work_kind kind;

	fputs("# Options of tuibench that hold unless the command line says otherwise. A line\n"
	      "# is NAME = VALUE; # starts a comment. A line that does not fit the session, or\n"
	      "# that the command line contradicts, is ignored. The values are examples; many\n"
	      "# are the default. With --config none, no file is read.\n",
	      out);
	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		section = rule->section ? rule->section : section;
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
		if (setting->kind == SETTING_WORK && plan_work_parse(of, &kind) == 0)
			snprintf(text, sizeof(text), "%s workers %s: %s", of,
				 workload_get(kind)->about, workload_get(kind)->amount);
		else
			snprintf(text, sizeof(text), "For %s: %s", setting->of, setting->help);
		sentence_wrap(out, text, fprintf(out, "\n#") - 1, 2, "# ");
		fprintf(out, "#set.%s = %s\n", name, setting_example(name, value));
	}
}

static void write_keys(FILE *out)
{
	static const char *const headings[] = {"Keys", "Lecture", "Menu", "Search", "Question"};
	static const char indent[] = "                        ";
	const struct keys_row *row;

	for (size_t i = 0; i < sizeof(headings) / sizeof(*headings); i++) {
		fputs(i ? "\n" : "", out);
		/* The rows of one heading, wherever they stand in the table. */
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

int options_help(const char *topic, FILE *out)
{
	const struct setting *setting;
	const struct experiment_kind *kind;
	struct experiment *experiment;
	struct request request;
	char error[512], path[PATH_MAX];
	FILE *script;
	size_t n;
	static const struct {
		const char *name;
		void (*write)(FILE *out);
	} topics[] = {{"settings", write_settings},
		      {"keys", write_keys},
		      {"formats", write_formats},
		      {"experiments", write_experiments},
		      {"config", write_config}};

	if (!topic) {
		write_options(out);
		return 0;
	}
	for (size_t i = 0; i < sizeof(topics) / sizeof(*topics); i++)
		if (strcmp(topic, topics[i].name) == 0) {
			topics[i].write(out);
			return 0;
		}
	for (size_t i = 0; (setting = setting_at(i)); i++)
		if (strcmp(topic, setting->name) == 0 || setting_find(topic) == setting) {
			write_setting(setting, NULL, out);
			return 0;
		}
	kind = experiment_find(topic);
	if (!kind)
		return -EINVAL;
	experiment = malloc(sizeof(*experiment));
	if (!experiment)
		return -ENOMEM;
	fprintf(out, "%s: %s\n\n", topic, kind->question);
	sentence_wrap(out, kind->about, fprintf(out, "  Runs"), 12, "            ");
	fprintf(out, "  Takes     about %u s%s, on two cores\n", kind->seconds,
		kind->note ? kind->note : "");
	sentence_wrap(out, kind->look, fprintf(out, "  Look at"), 12, "            ");
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
