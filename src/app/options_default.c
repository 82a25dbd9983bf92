/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "options_rule.h"

#define WIDTH 88

static const char before[] =
	"# Options of tuibench that hold where the command line says nothing else. A line is\n"
	"# NAME = VALUE, with the names of tuibench --help; behind # stands a comment. What does\n"
	"# not suit what is run, or what is typed, is left out. --config none reads no file.\n";

/* Words behind "# ", in lines of WIDTH. */
static void write_comment(FILE *out, const char *text)
{
	int column = fprintf(out, "#");

	while (*text) {
		int n = (int)strcspn(text, " \n");

		if (n > 0 && column > 1 && column + 1 + n > WIDTH)
			column = fprintf(out, "\n#") - 1;
		if (n > 0)
			column += fprintf(out, " %.*s", n, text);
		text += n + (text[n] != '\0');
	}
	fprintf(out, "\n");
}

static void write_line(FILE *out, const struct options_rule *rule)
{
	enum work_kind kind = WORK_NULL;

	if (*rule->standing || plan_work_parse(rule->name, &kind))
		fprintf(out, "#%s = %s\n", rule->name, rule->standing);
	else
		fprintf(out, "#%s = %u\n", rule->name, experiment_workers(kind));
}

void options_default(FILE *out)
{
	const struct options_rule *rule;
	const char *section = NULL;
	char text[OPTIONS_HELP];

	fputs(before, out);
	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		section = rule->section ? rule->section : section;
		if (!rule->standing)
			continue;
		if (section && *section)
			fprintf(out, "\n# == %s ==\n", section);
		section = NULL;
		fputc('\n', out);
		write_comment(out, options_value_help(rule, text, sizeof(text)));
		write_line(out, rule);
	}
}
