/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <glob.h>
#include <limits.h>
#include <string.h>

#include "base/procfs.h"
#include "experiment/argument.h"
#include "experiment/setting.h"

/*
 * The shell's script asks "tuibench --completion SHELL -- tuibench WORD..." what the last word may
 * become. The first line of the answer is "files": any file or one of the following lines; "words":
 * one of the following lines; or "more": like "words", but without a blank after the word, because
 * the word may continue. In bash, Readline splits NAME=VALUE into three words and completes the
 * last one, so the script joins them again.
 */
extern const unsigned char completion_bash[], completion_zsh[],
	completion_fish[]; /* made by embed.py */

static const unsigned char *const scripts[] = {completion_bash, completion_zsh, completion_fish};

/*
 * The typed line. word: its last word. item: the part of that word to complete. described: the help
 * is printed after each option.
 */
struct typed {
	char **words; /* all n words of the line */
	int n;
	const char *word, *item;
	FILE *out;
	bool described;
};

/*
 * Offers the text if it begins with the item. Before the text, prints the part of the word before
 * the item.
 */
static void offer(const struct typed *typed, const char *text, const char *help)
{
	if (strncmp(text, typed->item, strlen(typed->item)) != 0)
		return;
	fprintf(typed->out, "%.*s%s", (int)(typed->item - typed->word), typed->word, text);
	if (help && typed->described)
		fprintf(typed->out, "\t%s", help);
	fputc('\n', typed->out);
}

static void offer_words(const struct typed *typed, const struct options_rule *rule)
{
	char word[OPTIONS_WORD];
	const char *text;

	for (size_t i = 0; (text = options_rule_word(rule, i, word)); i++)
		offer(typed, text, NULL);
}

/*
 * Offers the names in braces of the typed commands, because they are settings: {n} in a command
 * allows n=.
 */
static void offer_arguments(const struct typed *typed)
{
	char name[VARIABLE_NAME], option[VARIABLE_NAME + 1];

	for (int i = 1; i < typed->n - 1; i++) {
		const char *at = typed->words[i];

		while (argument_next(&at, name)) {
			snprintf(option, sizeof(option), "%s=", name);
			if (!argument_is_known(name) && !setting_find(name))
				offer(typed, option, NULL);
		}
	}
}

/*
 * Returns the option in a word such as "--view", "--view=x" or "-x"; NULL if the word is no option.
 * *value: the value in the word; NULL if it has none.
 */
static const struct options_rule *rule_of_word(const char *word, const char **value)
{
	const struct options_rule *rule;
	size_t n = strcspn(word, "=");

	*value = NULL;
	for (size_t i = 1; (rule = options_rule_at(i)); i++) {
		if (strncmp(word, "--", 2) == 0 && strlen(rule->name) + 2 == n &&
		    strncmp(word + 2, rule->name, n - 2) == 0) {
			if (word[n])
				*value = word + n + 1;
			else
				*value = NULL;
			return rule;
		}
		if (rule->letter && word[0] == '-' && word[1] == rule->letter) {
			if (word[2])
				*value = word + 2;
			else
				*value = NULL;
			return rule;
		}
	}
	return NULL;
}

/* Offers each option that is not yet typed or that may be repeated. */
static void offer_options(const struct typed *typed, char **words, int n)
{
	const struct options_rule *rule;
	const char *value;

	for (size_t i = 1; (rule = options_rule_at(i)); i++) {
		bool once = rule->value != VALUE_SETTING && rule->value != VALUE_PROGRAM &&
			    rule->value != VALUE_NAME;
		bool given = false;
		char name[OPTIONS_WORD + 2];

		for (int k = 1; k < n - 1; k++)
			given |= once && rule_of_word(words[k], &value) == rule;
		if (given)
			continue;
		snprintf(name, sizeof(name), "--%s", rule->name);
		offer(typed, name, rule->help);
		if (rule->letter)
			offer(typed, (char[]) {'-', rule->letter, '\0'}, rule->help);
	}
}

/* Offers installed lectures, by the names that --lecture takes. */
static void offer_lectures(const struct typed *typed)
{
	char folder[PATH_MAX], pattern[PATH_MAX + 8], name[NAME_MAX + 1];
	glob_t files;

	if (!procfs_find_data("lectures", folder))
		return;
	snprintf(pattern, sizeof(pattern), "%s/*.md", folder);
	if (glob(pattern, 0, NULL, &files))
		return;
	for (size_t i = 0; i < files.gl_pathc; i++) {
		snprintf(name, sizeof(name), "%s", strrchr(files.gl_pathv[i], '/') + 1);
		name[strlen(name) - strlen(".md")] = '\0';
		offer(typed, name, NULL);
	}
	globfree(&files);
}

/*
 * Offers the values of an option. For a setting, the values come after its "="; for a list, after
 * its last comma.
 */
static void offer_value(struct typed *typed, const struct options_rule *rule)
{
	const char *equals = rule->value == VALUE_SETTING ? strchr(typed->item, '=') : NULL;
	bool list = rule->value == VALUE_MODELS || rule->value == VALUE_WORKERS;
	char name[VARIABLE_NAME], value[VARIABLE_VALUE];
	const char *comma;

	if (strstr(rule->argument, "FILE") || strcmp(rule->argument, "LOG") == 0) {
		fputs("files\n", typed->out);
		if (strcmp(rule->name, "lecture") == 0)
			offer_lectures(typed);
		return;
	}
	fputs(list || rule->value == VALUE_SETTING ? "more\n" : "words\n", typed->out);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(typed->item, "="), typed->item);
	if (equals)
		typed->item = equals + 1;
	if (list || equals)
		comma = strrchr(typed->item, ',');
	else
		comma = NULL;
	if (comma)
		typed->item = comma + 1;
	if (!equals && rule->value == VALUE_SETTING)
		offer_arguments(typed);
	if (!equals)
		offer_words(typed, rule);
	else if (setting_find(name) && setting_find(name)->kind != SETTING_VARIABLE)
		for (size_t i = 0; setting_offer(name, i, NULL, value); i++)
			offer(typed, value, NULL);
	if (rule->value == VALUE_ACTION) /* --help accepts experiments as well as its topics. */
		offer_words(typed, options_rule_at(0));
}

void options_completion(int shell, char **words, int n, FILE *out)
{
	struct typed typed = {.words = words, .n = n, .out = out, .described = shell > 0};
	const struct options_rule *rule, *before;
	const char *value, *unused;
	bool files = false;

	if (n < 2) {
		fputs((const char *)scripts[shell], out);
		return;
	}
	typed.word = typed.item = words[n - 1];
	/* After these options, words are names of files: recordings or a lecture. */
	for (int i = 1; i < n - 1; i++) {
		rule = rule_of_word(words[i], &value);
		files |= rule &&
			 (strcmp(rule->name, "replay") == 0 || strcmp(rule->name, "lecture") == 0 ||
			  strcmp(rule->name, "export") == 0);
	}
	if (n > 2)
		before = rule_of_word(words[n - 2], &unused);
	else
		before = NULL;
	rule = rule_of_word(typed.word, &value);
	if (before && !unused && (options_rule_takes(before) || before->words)) {
		offer_value(&typed, before);
	} else if (rule && value && options_rule_takes(rule)) {
		typed.item = value;
		offer_value(&typed, rule);
	} else if (*typed.word == '-') {
		fputs("words\n", out);
		offer_options(&typed, words, n);
	} else if (files) {
		fputs("files\n", out);
	} else {
		fputs("words\n", out);
		offer_words(&typed, options_rule_at(0));
	}
}
