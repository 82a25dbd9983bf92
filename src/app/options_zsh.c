/* SPDX-License-Identifier: MIT */
#include "options_complete.h"

#include <string.h>

static const char before[] = "#compdef tuibench\n"
			     "# zsh completion of tuibench: tuibench --completion zsh\n"
			     "_arguments -s -S";

/* Within '…', and within […] of it. */
static void write_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\'", out);
		else if (strchr("[]:\\", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

/* ":NAME:ACTION", by which a value is completed. */
static void write_value(const struct options_rule *rule, FILE *out)
{
	static const char *const actions[] = {
		[COMPLETE_NONE] = " ",
		[COMPLETE_FILES] = "_files",
		[COMPLETE_WORDS] = "compadd - ",
		[COMPLETE_LIST] = "_sequence compadd - ",
		[COMPLETE_BEGINS] = "compadd -S \"\" - ",
	};
	enum options_completion kind = options_complete_kind(rule);

	fprintf(out, ":%s:%s", rule->argument, actions[kind]);
	if (kind > COMPLETE_FILES)
		options_complete_words(rule, out);
}

/* '--name=[what it does]:NAME:ACTION' */
static void write_option(const struct options_rule *rule, char letter, FILE *out)
{
	bool takes = options_rule_takes(rule);
	char text[OPTIONS_HELP];

	fputs(" \\\n\t'", out);
	if (rule->value == VALUE_WORK || rule->value == VALUE_SWEEP || rule->value == VALUE_ENV)
		fputs("*", out);
	else if (rule->letter)
		fprintf(out, "(-%c --%s)", rule->letter, rule->name);
	if (letter)
		fprintf(out, "-%c%s[", letter, takes ? "+" : "");
	else
		fprintf(out, "--%s%s[", rule->name, takes ? "=" : "");
	write_text(options_complete_brief(rule, text, sizeof(text)), out);
	fputs("]", out);
	if (takes)
		write_value(rule, out);
	fputs("'", out);
}

void options_zsh(FILE *out)
{
	const struct options_rule *rule;

	fputs(before, out);
	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		if (rule->letter)
			write_option(rule, rule->letter, out);
		write_option(rule, '\0', out);
	}
	fputs(" \\\n\t'*:experiment or recording:{_alternative \"e:experiment:(", out);
	options_complete_experiments(out);
	fputs(")\" \"r:recording:_files\"}'\n", out);
}
