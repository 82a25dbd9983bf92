/* SPDX-License-Identifier: MIT */
#include "options_rule.h"

#include <string.h>

#define INDENT 27 /* where the texts begin */
#define WIDTH  88

static const char before[] =
	"Usage: tuibench [OPTION...]\n"
	"Runs the same work as threads and as processes and shows, live, what each costs.\n";
static const char after[] =
	"\n"
	"Sizes take K, M, G (powers of 1024). Exit status: 0 done, 1 something failed, 2 wrong\n"
	"usage, 3 the machine's limits do not allow it, 128+n ended by signal n.\n"
	"The manual page tuibench(1) has the keys, the views and how numbers are measured.\n";

/* Words from column on, in lines that begin at INDENT. */
static void write_wrapped(FILE *out, const char *text, int column)
{
	bool begins = true;

	while (*text) {
		int n = (int)strcspn(text, " \n");

		if (column > INDENT && column + 1 + n > WIDTH)
			begins = true;
		if (begins && column > INDENT)
			column = fprintf(out, "\n") - 1;
		column += begins ? fprintf(out, "%*s", INDENT - column, "") : fprintf(out, " ");
		column += fprintf(out, "%.*s", n, text);
		begins = text[n] == '\n';
		text += n + (text[n] != '\0');
	}
	fprintf(out, "\n");
}

/* "  -e, --experiment NAME" */
static int write_name(FILE *out, const struct options_rule *rule)
{
	int n = rule->letter ? fprintf(out, "  -%c, ", rule->letter) : fprintf(out, "%6s", "");

	n += fprintf(out, "--%s", rule->name);
	return rule->argument ? n + fprintf(out, " %s", rule->argument) : n;
}

void options_help(FILE *out)
{
	const struct options_rule *rule;
	char text[OPTIONS_HELP];

	fputs(before, out);
	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		int column;

		if (rule->section)
			fprintf(out, "\n%s%s", rule->section, *rule->section ? "\n" : "");
		column = write_name(out, rule);
		if (column > INDENT - 2)
			column = fprintf(out, "\n") - 1;
		write_wrapped(out, options_value_help(rule, text, sizeof(text)), column);
	}
	fputs(after, out);
}
