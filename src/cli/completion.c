/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <string.h>

#include "experiment/setting.h"

/*
 * A script for each shell asks "tuibench --completion SHELL -- tuibench WORD..." what the last word
 * can become. The answer's first line is files (any file), words (one of the lines that follow), or
 * more (the same, and more may follow the word without a blank).
 */
static const char *const scripts[] = {
	/* Readline makes three words of NAME=VALUE, and completes the last. */
	"# bash completion of tuibench: tuibench --completion bash\n"
	"_tuibench()\n"
	"{\n"
	"\tlocal i kind begin words=(tuibench)\n"
	"\tfor ((i = 1; i <= COMP_CWORD; i++)); do\n"
	"\t\tif ((i > 1)) && [[ ${COMP_WORDS[i]} == = || ${COMP_WORDS[i - 1]} == = ]]; then\n"
	"\t\t\twords[-1]+=${COMP_WORDS[i]}\n"
	"\t\telse\n"
	"\t\t\twords+=(\"${COMP_WORDS[i]}\")\n"
	"\t\tfi\n"
	"\tdone\n"
	"\tbegin=${words[-1]%\"${words[-1]##*=}\"}\n"
	"\tmapfile -t COMPREPLY < <(tuibench --completion bash -- \"${words[@]}\" 2>/dev/null)\n"
	"\tkind=${COMPREPLY[0]-}\n"
	"\tCOMPREPLY=(\"${COMPREPLY[@]:1}\")\n"
	"\tCOMPREPLY=(\"${COMPREPLY[@]#\"$begin\"}\")\n"
	"\tif [[ $kind == files ]]; then\n"
	"\t\tcompopt -o filenames 2>/dev/null\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -f -- \"${words[-1]##*=}\")\n"
	"\telif [[ $kind == more ]]; then\n"
	"\t\tcompopt -o nospace 2>/dev/null\n"
	"\tfi\n"
	"}\n"
	"complete -F _tuibench tuibench\n",

	"#compdef tuibench\n"
	"# zsh completion of tuibench: tuibench --completion zsh\n"
	"local -a found shown\n"
	"found=(\"${(@f)$(tuibench --completion zsh -- \"${(@Q)words[1,CURRENT]}\" "
	"2>/dev/null)}\")\n"
	"local kind=$found[1]\n"
	"shift found\n"
	"shown=(\"${(@)found//$'\\t'/  }\")\n"
	"found=(\"${(@)found%%$'\\t'*}\")\n"
	"case $kind in\n"
	"files)\n"
	"\tcompset -P '--*='\n"
	"\t_files\n"
	"\t;;\n"
	"words) compadd -d shown -a found ;;\n"
	"more) compadd -S '' -a found ;;\n"
	"esac\n",

	"# fish completion of tuibench: tuibench --completion fish\n"
	"function __tuibench\n"
	"\tset -l found (tuibench --completion fish -- (commandline -opc) (commandline -ct) "
	"2>/dev/null)\n"
	"\tif test \"$found[1]\" = files\n"
	"\t\t__fish_complete_path (commandline -ct)\n"
	"\telse\n"
	"\t\tprintf '%s\\n' $found[2..]\n"
	"\tend\n"
	"end\n"
	"complete -c tuibench -f -a '(__tuibench)'\n",
};

/* How a word that is typed begins, up to what is completed; the rest is the item. */
struct typed {
	const char *word, *item;
	FILE *out;
	bool described;
};

/* One that begins with the item, behind what stands before it. */
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

/* The option that a word names, "--view", "--view=x" or "-x"; NULL. Its value is in the word. */
static const struct options_rule *rule_of(const char *word, const char **value)
{
	const struct options_rule *rule;
	size_t n = strcspn(word, "=");

	*value = NULL;
	for (size_t i = 1; (rule = options_rule_at(i)); i++) {
		if (strncmp(word, "--", 2) == 0 && strlen(rule->name) + 2 == n &&
		    strncmp(word + 2, rule->name, n - 2) == 0) {
			*value = word[n] ? word + n + 1 : NULL;
			return rule;
		}
		if (rule->letter && word[0] == '-' && word[1] == rule->letter) {
			*value = word[2] ? word + 2 : NULL;
			return rule;
		}
	}
	return NULL;
}

/* Each option once, but those of which there may be several. */
static void offer_options(const struct typed *typed, char **words, int n)
{
	const struct options_rule *rule;
	const char *value;

	for (size_t i = 1; (rule = options_rule_at(i)); i++) {
		bool once = rule->value != VALUE_SETTING && rule->value != VALUE_PROGRAM;
		bool given = false;
		char name[OPTIONS_WORD + 2];

		for (int k = 1; k < n - 1 && once && !given; k++)
			given = rule_of(words[k], &value) == rule;
		if (given)
			continue;
		snprintf(name, sizeof(name), "--%s", rule->name);
		offer(typed, name, rule->help);
		if (rule->letter)
			offer(typed, (char[]) {'-', rule->letter, '\0'}, rule->help);
	}
}

/* The values of a setting behind its name, those of a list behind the last comma. */
static void offer_value(struct typed *typed, const struct options_rule *rule)
{
	const char *equals = rule->value == VALUE_SETTING ? strchr(typed->item, '=') : NULL;
	bool list = rule->value == VALUE_MODELS || rule->value == VALUE_WORKERS;
	char name[VARIABLE_NAME], value[VARIABLE_VALUE];
	const char *comma;

	if (strstr(rule->argument, "FILE") || strcmp(rule->argument, "LOG") == 0) {
		fputs("files\n", typed->out);
		return;
	}
	fputs(list || rule->value == VALUE_SETTING ? "more\n" : "words\n", typed->out);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(typed->item, "="), typed->item);
	typed->item = equals ? equals + 1 : typed->item;
	comma = list || equals ? strrchr(typed->item, ',') : NULL;
	typed->item = comma ? comma + 1 : typed->item;
	if (!equals)
		offer_words(typed, rule);
	else if (setting_find(name) && setting_find(name)->kind != SETTING_VARIABLE)
		for (size_t i = 0; setting_offer(name, i, NULL, value); i++)
			offer(typed, value, NULL);
	if (rule->value == VALUE_ACTION) /* --help, of an experiment too */
		offer_words(typed, options_rule_at(0));
}

/* Whether names of files follow: of recordings, or of a lecture. */
static bool takes_files(char **words, int n)
{
	const struct options_rule *rule;
	const char *value;
	bool found = false;

	for (int i = 1; i < n - 1 && !found; i++) {
		rule = rule_of(words[i], &value);
		found = rule &&
			(strcmp(rule->name, "replay") == 0 || strcmp(rule->name, "lecture") == 0 ||
			 strcmp(rule->name, "export") == 0);
	}
	return found;
}

void options_completion(int shell, char **words, int n, FILE *out)
{
	struct typed typed = {.out = out, .described = shell > 0};
	const struct options_rule *rule, *before;
	const char *value, *unused;

	if (n < 2) {
		fputs(scripts[shell], out);
		return;
	}
	typed.word = typed.item = words[n - 1];
	before = n > 2 ? rule_of(words[n - 2], &unused) : NULL;
	rule = rule_of(typed.word, &value);
	if (before && !unused && (options_rule_takes(before) || before->words)) {
		offer_value(&typed, before);
	} else if (rule && value && options_rule_takes(rule)) {
		typed.item = value;
		offer_value(&typed, rule);
	} else if (*typed.word == '-') {
		fputs("words\n", out);
		offer_options(&typed, words, n);
	} else if (takes_files(words, n)) {
		fputs("files\n", out);
	} else {
		fputs("words\n", out);
		offer_words(&typed, options_rule_at(0));
	}
}
