/* SPDX-License-Identifier: MIT */
#include "options_complete.h"

#include <string.h>

#define BRIEF 60 /* bytes of a line about an option */

static bool begins(const struct options_rule *rule)
{
	char word[OPTIONS_WORD];

	return options_value_word(rule, 0, word) && strchr(options_value_word(rule, 0, word), '=');
}

enum options_completion options_complete_kind(const struct options_rule *rule)
{
	char word[OPTIONS_WORD];

	if (!options_rule_takes(rule))
		return COMPLETE_NONE;
	if (strstr(rule->argument, "FILE"))
		return COMPLETE_FILES;
	if (!options_value_word(rule, 0, word))
		return COMPLETE_NONE;
	if (begins(rule))
		return COMPLETE_BEGINS;
	return strcmp(rule->argument, "LIST") == 0 ? COMPLETE_LIST : COMPLETE_WORDS;
}

/* "[LOG]", and an export's recordings. */
bool options_complete_names(const struct options_rule *rule)
{
	return (rule->argument && rule->argument[0] == '[') ||
	       (rule->value == VALUE_FORMAT && rule->min == 0);
}

/* A bracket with all that is in it, and the blank before it. */
static const char *skip_bracket(const char *text, char *buf, size_t *n)
{
	const char *end = strpbrk(text, ")]");

	while (*n > 0 && buf[*n - 1] == ' ')
		buf[--*n] = '\0';
	return end ? end + 1 : text + strlen(text);
}

/* At a colon, at the last comma, or between words. */
static void cut_brief(char *buf)
{
	size_t n = strcspn(buf, ":");

	if (n > BRIEF)
		for (n = BRIEF; n > BRIEF / 3 && buf[n] != ',';)
			n--;
	if (n == BRIEF / 3)
		for (n = BRIEF; n > 0 && buf[n] != ' ';)
			n--;
	buf[n] = '\0';
}

/* What follows the first sentence is for --help. */
char *options_complete_brief(const struct options_rule *rule, char *buf, size_t size)
{
	char help[OPTIONS_HELP];
	const char *text = options_value_help(rule, help, sizeof(help));
	size_t n = 0;

	while (*text && *text != ';' && *text != '\n' && n + 1 < size) {
		if (*text == '(' || *text == '[')
			text = skip_bracket(text, buf, &n);
		else
			buf[n++] = *text++;
	}
	buf[n] = '\0';
	if (n > BRIEF)
		cut_brief(buf);
	return buf;
}

void options_complete_words(const struct options_rule *rule, FILE *out)
{
	char word[OPTIONS_WORD];
	const char *text;

	for (size_t i = 0; (text = options_value_word(rule, i, word)); i++)
		fprintf(out, "%s%s", i ? " " : "", text);
}

void options_complete_experiments(FILE *out)
{
	const struct options_rule *rule;

	for (size_t i = 0; (rule = options_rule_at(i)); i++)
		if (rule->value == VALUE_EXPERIMENT)
			options_complete_words(rule, out);
}

void options_completion(int shell, FILE *out)
{
	static void (*const scripts[])(FILE *) = {options_bash, options_zsh, options_fish};

	scripts[shell](out);
}
