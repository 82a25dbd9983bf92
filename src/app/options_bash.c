/* SPDX-License-Identifier: MIT */
#include "options_complete.h"

/* A word that ends in = stands in two of bash's words, and the value in a third. */
static const char before[] =
	"# bash completion of tuibench: tuibench --completion bash\n"
	"_tuibench()\n"
	"{\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} name=${COMP_WORDS[COMP_CWORD - 1]} word\n"
	"\tif [[ $cur == = ]]; then\n"
	"\t\tcur=\n"
	"\telif [[ $name == = ]] && ((COMP_CWORD > 1)); then\n"
	"\t\tname=${COMP_WORDS[COMP_CWORD - 2]}\n"
	"\tfi\n"
	"\tCOMPREPLY=()\n"
	"\tcase $name in\n";
static const char options[] = "\tesac\n"
			      "\tif [[ $cur == -* ]]; then\n"
			      "\t\t_tuibench_words \"$cur\" \"";
static const char names[] = "\"\n"
			    "\t\treturn\n"
			    "\tfi\n"
			    "\tfor word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
			    "\t\tcase $word in\n"
			    "\t\t";
static const char after[] = ")\n"
			    "\t\t\t_tuibench_files \"$cur\"\n"
			    "\t\t\treturn\n"
			    "\t\t\t;;\n"
			    "\t\tesac\n"
			    "\tdone\n"
			    "\t_tuibench_words \"$cur\" \"";
static const char helpers[] = "\"\n"
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
			      "\tmapfile -t COMPREPLY < <(compgen -P \"$begin\" -W \"$2\" -- "
			      "\"${1##*,}\")\n"
			      "}\n"
			      "complete -F _tuibench tuibench\n";

/* "-e | --experiment" */
static void write_pattern(const struct options_rule *rule, const char *separator, FILE *out)
{
	fputs(separator, out);
	if (rule->letter)
		fprintf(out, "-%c | ", rule->letter);
	fprintf(out, "--%s", rule->name);
}

static void write_call(const struct options_rule *rule, FILE *out)
{
	static const char *const calls[] = {
		[COMPLETE_FILES] = "\t\t_tuibench_files \"$cur\"",
		[COMPLETE_WORDS] = "\t\t_tuibench_words \"$cur\" \"",
		[COMPLETE_LIST] = "\t\t_tuibench_list \"$cur\" \"",
		[COMPLETE_BEGINS] = "\t\tcompopt -o nospace 2>/dev/null\n"
				    "\t\t_tuibench_words \"$cur\" \"",
	};
	enum options_completion kind = options_complete_kind(rule);

	if (kind == COMPLETE_NONE)
		return;
	fputs(calls[kind], out);
	if (kind != COMPLETE_FILES) {
		options_complete_words(rule, out);
		fputs("\"", out);
	}
	fputs("\n", out);
}

static void write_values(FILE *out)
{
	const struct options_rule *rule;

	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		if (!options_rule_takes(rule))
			continue;
		write_pattern(rule, "\t", out);
		fputs(")\n", out);
		write_call(rule, out);
		fputs("\t\treturn\n\t\t;;\n", out);
	}
}

void options_bash(FILE *out)
{
	const struct options_rule *rule;
	const char *separator = "";

	fputs(before, out);
	write_values(out);
	fputs(options, out);
	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		fprintf(out, "%s--%s", i ? " " : "", rule->name);
		if (rule->letter)
			fprintf(out, " -%c", rule->letter);
	}
	fputs(names, out);
	for (size_t i = 0; (rule = options_rule_at(i)); i++)
		if (options_complete_names(rule)) {
			write_pattern(rule, separator, out);
			separator = " | ";
		}
	fputs(after, out);
	options_complete_experiments(out);
	fputs(helpers, out);
}
