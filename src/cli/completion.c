/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <string.h>

#include "experiment/setting.h"

/*
 * One script a shell, from the table of options. What stands behind "-s NAME=" is completed too:
 * the words of a setting, or the values that are often meant.
 */

/* --help, which needs no topic and takes one. */
static bool is_help(const struct options_rule *rule)
{
	return rule->value == VALUE_ACTION && rule->words;
}

/* How the value of an option is completed. */
enum completion {
	COMPLETE_NONE,	   /* it has none, or nobody can say: a number */
	COMPLETE_FILES,	   /* any file */
	COMPLETE_WORDS,	   /* one of the words */
	COMPLETE_LIST,	   /* several, with commas between */
	COMPLETE_NUMBERS,  /* several, each with = behind it */
	COMPLETE_SETTINGS, /* a setting, and then its values */
};

static enum completion kind_of(const struct options_rule *rule)
{
	char word[OPTIONS_WORD];

	if (is_help(rule))
		return COMPLETE_WORDS;
	if (rule->value == VALUE_SETTING)
		return COMPLETE_SETTINGS;
	if (rule->value == VALUE_WORKERS)
		return COMPLETE_NUMBERS;
	if (!options_rule_takes(rule))
		return COMPLETE_NONE;
	if (strstr(rule->argument, "FILE") || strcmp(rule->argument, "LOG") == 0)
		return COMPLETE_FILES;
	if (!options_rule_word(rule, 0, word))
		return COMPLETE_NONE;
	return strcmp(rule->argument, "LIST") == 0 ? COMPLETE_LIST : COMPLETE_WORDS;
}

/* "[LOG]", and an export's recordings. */
static bool takes_names(const struct options_rule *rule)
{
	return strcmp(rule->name, "replay") == 0 || strcmp(rule->name, "lecture") == 0 ||
	       (rule->value == VALUE_FORMAT && rule->min == 0);
}

static void write_words(const struct options_rule *rule, FILE *out)
{
	char word[OPTIONS_WORD];
	const char *text;

	for (size_t i = 0; (text = options_rule_word(rule, i, word)); i++)
		fprintf(out, "%s%s", i ? " " : "", text);
	if (!is_help(rule))
		return;
	fputc(' ', out);
	write_words(options_rule_at(0), out);
}

/* A case for each setting with its values; a variable may have any. */
static void write_setting_cases(const char *before, const char *between, const char *after,
				FILE *out)
{
	char name[VARIABLE_NAME], value[VARIABLE_VALUE];

	for (size_t i = 0; setting_name(i, name); i++) {
		fprintf(out, "%s%s%s", before, name, between);
		if (setting_find(name)->kind != SETTING_VARIABLE)
			for (size_t k = 0; setting_offer(name, k, NULL, value); k++)
				fprintf(out, "%s%s", k ? " " : "", value);
		fputs(after, out);
	}
}

/* The names of all settings. */
static void write_settings(FILE *out)
{
	const struct options_rule *rule;

	for (size_t i = 1; (rule = options_rule_at(i)); i++)
		if (rule->value == VALUE_SETTING)
			write_words(rule, out);
}

/* bash, in which a word that has = stands in three, and the last of them is completed */

static const char bash_before[] =
	"# bash completion of tuibench: tuibench --completion bash\n"
	"_tuibench()\n"
	"{\n"
	"\tlocal i=$COMP_CWORD typed=${COMP_WORDS[COMP_CWORD]} name cur word\n"
	"\twhile ((i > 1)) && [[ ${COMP_WORDS[i]} == = || ${COMP_WORDS[i - 1]} == = ]]; do\n"
	"\t\ttyped=${COMP_WORDS[--i]}$typed\n"
	"\tdone\n"
	"\tname=${COMP_WORDS[i - 1]} cur=${typed##*=}\n"
	"\t[[ $typed == --*=* ]] && name=${typed%%=*} typed=${typed#*=}\n"
	"\tCOMPREPLY=()\n"
	"\tif [[ $typed == *=* && ($name == -s || $name == --set) ]]; then\n"
	"\t\tcase ${typed%%=*} in\n";
static const char bash_options[] = "\tesac\n"
				   "\tif [[ $cur == -* ]]; then\n"
				   "\t\t_tuibench_words \"$cur\" \"";
static const char bash_names[] = "\"\n"
				 "\t\treturn\n"
				 "\tfi\n"
				 "\tfor word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
				 "\t\tcase $word in\n"
				 "\t\t";
static const char bash_after[] = ")\n"
				 "\t\t\t_tuibench_files \"$cur\"\n"
				 "\t\t\treturn\n"
				 "\t\t\t;;\n"
				 "\t\tesac\n"
				 "\tdone\n"
				 "\t_tuibench_words \"$cur\" \"";
static const char bash_helpers[] =
	"\"\n"
	"}\n"
	"_tuibench_words()\n"
	"{\n"
	"\tmapfile -t COMPREPLY < <(compgen -W \"$2\" -- \"$1\")\n"
	"}\n"
	"_tuibench_files()\n"
	"{\n"
	"\tcompopt -o filenames 2>/dev/null\n"
	"\tmapfile -t COMPREPLY < <(compgen -f -- \"$1\")\n"
	"}\n"
	"_tuibench_list()\n"
	"{\n"
	"\tlocal begin=\n"
	"\t[[ $1 == *,* ]] && begin=${1%,*},\n"
	"\tcompopt -o nospace 2>/dev/null\n"
	"\tmapfile -t COMPREPLY < <(compgen -P \"$begin\" -W \"$2\" -- \"${1##*,}\")\n"
	"}\n"
	"complete -F _tuibench tuibench\n";

static void write_pattern(const struct options_rule *rule, FILE *out)
{
	if (rule->letter)
		fprintf(out, "-%c | ", rule->letter);
	fprintf(out, "--%s", rule->name);
}

static void write_bash(FILE *out)
{
	static const char *const calls[] = {
		[COMPLETE_FILES] = "\t\t_tuibench_files \"$cur\"\n",
		[COMPLETE_WORDS] = "\t\t_tuibench_words \"$cur\" \"",
		[COMPLETE_LIST] = "\t\t_tuibench_list \"$cur\" \"",
		[COMPLETE_NUMBERS] = "\t\t_tuibench_list \"$cur\" \"",
		[COMPLETE_SETTINGS] = "\t\tcompopt -o nospace 2>/dev/null\n"
				      "\t\t_tuibench_words \"$cur\" \"",
	};
	const struct options_rule *rule;
	bool first = true;

	fputs(bash_before, out);
	write_setting_cases("\t\t", ") _tuibench_list \"$cur\" \"", "\" ;;\n", out);
	fputs("\t\tesac\n\t\treturn\n\tfi\n\tcase $name in\n", out);
	for (size_t i = 1; (rule = options_rule_at(i)); i++) {
		if (!options_rule_takes(rule) && !is_help(rule))
			continue;
		fputs("\t", out);
		write_pattern(rule, out);
		fputs(")\n", out);
		if (kind_of(rule) == COMPLETE_NUMBERS)
			fputs("\t\t[[ ${typed##*,} == *=* ]] && return\n", out);
		if (kind_of(rule) != COMPLETE_NONE)
			fputs(calls[kind_of(rule)], out);
		if (kind_of(rule) > COMPLETE_FILES) {
			write_words(rule, out);
			fputs("\"\n", out);
		}
		fputs("\t\treturn\n\t\t;;\n", out);
	}
	fputs(bash_options, out);
	for (size_t i = 1; (rule = options_rule_at(i)); i++) {
		fprintf(out, "%s--%s", i > 1 ? " " : "", rule->name);
		if (rule->letter)
			fprintf(out, " -%c", rule->letter);
	}
	fputs(bash_names, out);
	for (size_t i = 0; (rule = options_rule_at(i)); i++)
		if (takes_names(rule)) {
			fputs(first ? "" : " | ", out);
			write_pattern(rule, out);
			first = false;
		}
	fputs(bash_after, out);
	write_words(options_rule_at(0), out);
	fputs(bash_helpers, out);
}

/* A text within '…', with a backslash before each of those. */
static void write_quoted(const char *text, const char *escaped, const char *quote, FILE *out)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs(quote, out);
		else if (strchr(escaped, *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

/* zsh */

static void write_zsh_option(const struct options_rule *rule, char letter, FILE *out)
{
	static const char *const actions[] = {
		[COMPLETE_NONE] = " ",
		[COMPLETE_FILES] = "_files",
		[COMPLETE_WORDS] = "compadd - ",
		[COMPLETE_LIST] = "_sequence compadd - ",
		[COMPLETE_NUMBERS] = "_sequence compadd -S \"\" - ",
		[COMPLETE_SETTINGS] = "_tuibench_settings",
	};
	enum completion kind = kind_of(rule);
	bool takes = options_rule_takes(rule), words = takes || is_help(rule);

	fputs(" \\\n\t'", out);
	if (rule->value == VALUE_SETTING || rule->value == VALUE_PROGRAM)
		fputs("*", out);
	else if (rule->letter)
		fprintf(out, "(-%c --%s)", rule->letter, rule->name);
	if (letter)
		fprintf(out, "-%c%s[", letter, takes ? "+" : "");
	else
		fprintf(out, "--%s%s[", rule->name, takes ? "=" : "");
	write_quoted(rule->help, "[]:\\", "'\\'", out);
	fputs("]", out);
	if (words) {
		fputs(takes ? ":" : "::", out);
		write_quoted(rule->argument, "[]:\\", "'\\'", out);
		fprintf(out, ":%s", actions[kind]);
		if (kind > COMPLETE_FILES && kind != COMPLETE_SETTINGS)
			write_words(rule, out);
	}
	fputs("'", out);
}

static void write_zsh(FILE *out)
{
	const struct options_rule *rule;

	fputs("#compdef tuibench\n"
	      "# zsh completion of tuibench: tuibench --completion zsh\n"
	      "_tuibench_settings() {\n"
	      "\tif compset -P '*='; then\n"
	      "\t\tcase $IPREFIX in\n",
	      out);
	write_setting_cases("\t\t*", "=) _sequence compadd - ", " ;;\n", out);
	fputs("\t\tesac\n\telse\n\t\tcompadd -S \"\" - ", out);
	write_settings(out);
	fputs("\n\tfi\n}\n_arguments -s -S", out);
	for (size_t i = 1; (rule = options_rule_at(i)); i++) {
		if (rule->letter)
			write_zsh_option(rule, rule->letter, out);
		write_zsh_option(rule, '\0', out);
	}
	fputs(" \\\n\t'*:experiment or recording:{_alternative \"e:experiment:(", out);
	write_words(options_rule_at(0), out);
	fputs(")\" \"r:recording:_files\"}'\n", out);
}

/* fish */

static void write_fish(FILE *out)
{
	static const char *const begins[] = {
		[COMPLETE_NONE] = " -x",
		[COMPLETE_FILES] = " -r -F",
		[COMPLETE_WORDS] = " -x -a '",
		[COMPLETE_LIST] = " -x -a '(__fish_append , ",
		[COMPLETE_NUMBERS] = " -x -a '(__fish_append , ",
		[COMPLETE_SETTINGS] = " -x -a '(__tuibench_set)",
	};
	const struct options_rule *rule;

	/* What is typed is the whole word, up to its last value. */
	fputs("# fish completion of tuibench: tuibench --completion fish\n"
	      "function __tuibench_set\n"
	      "\tset -l typed (commandline -ct | string replace -r -- '^--set=' '')\n"
	      "\tset -l begin (string replace -r '[^=,]*$' '' -- $typed)\n"
	      "\tset -l values\n"
	      "\tswitch $typed\n",
	      out);
	write_setting_cases("\t\tcase '", "=*'\n\t\t\tset values ", "\n", out);
	fputs("\t\tcase '*'\n\t\t\tset begin ''\n\t\t\tset values ", out);
	write_settings(out);
	fputs("\n\tend\n\tfor value in $values\n\t\techo $begin$value\n\tend\nend\n"
	      "complete -c tuibench -f\n"
	      "complete -c tuibench -F -n '__fish_contains_opt",
	      out);
	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		if (!takes_names(rule))
			continue;
		if (rule->letter)
			fprintf(out, " -s %c", rule->letter);
		fprintf(out, " %s", rule->name);
	}
	fputs("'\ncomplete -c tuibench -n __fish_is_first_arg -a '", out);
	write_words(options_rule_at(0), out);
	fputs("'\n", out);
	for (size_t i = 1; (rule = options_rule_at(i)); i++) {
		enum completion kind = kind_of(rule);

		fputs("complete -c tuibench", out);
		if (rule->letter)
			fprintf(out, " -s %c", rule->letter);
		fprintf(out, " -l %s", rule->name);
		if (options_rule_takes(rule)) {
			fputs(begins[kind], out);
			if (kind > COMPLETE_FILES && kind != COMPLETE_SETTINGS)
				write_words(rule, out);
			if (kind == COMPLETE_LIST || kind == COMPLETE_NUMBERS)
				fputs(")", out);
			if (kind > COMPLETE_FILES)
				fputs("'", out);
		}
		fputs(" -d '", out);
		write_quoted(rule->help, "\\", "\\", out);
		fputs("'\n", out);
		if (!is_help(rule))
			continue;
		fprintf(out, "complete -c tuibench -n '__fish_contains_opt -s %c %s' -a '",
			rule->letter, rule->name);
		write_words(rule, out);
		fputs("'\n", out);
	}
}

void options_completion(int shell, FILE *out)
{
	static void (*const scripts[])(FILE *) = {write_bash, write_zsh, write_fish};

	scripts[shell](out);
}
