/* SPDX-License-Identifier: MIT */
#include "options_complete.h"

static const char before[] = "# fish completion of tuibench: tuibench --completion fish\n"
			     "complete -c tuibench -f\n"
			     "complete -c tuibench -F -n '__fish_contains_opt";

/* Within '…'. */
static void write_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void write_value(const struct options_rule *rule, FILE *out)
{
	static const char *const begins[] = {
		[COMPLETE_NONE] = " -x",	[COMPLETE_FILES] = " -r -F",
		[COMPLETE_WORDS] = " -x -a '",	[COMPLETE_LIST] = " -x -a '(__fish_append , ",
		[COMPLETE_BEGINS] = " -x -a '",
	};
	enum options_completion kind = options_complete_kind(rule);

	fputs(begins[kind], out);
	if (kind <= COMPLETE_FILES)
		return;
	options_complete_words(rule, out);
	fputs(kind == COMPLETE_LIST ? ")'" : "'", out);
}

static void write_option(const struct options_rule *rule, FILE *out)
{
	char text[OPTIONS_HELP];

	fputs("complete -c tuibench", out);
	if (rule->letter)
		fprintf(out, " -s %c", rule->letter);
	fprintf(out, " -l %s", rule->name);
	if (options_rule_takes(rule))
		write_value(rule, out);
	fputs(" -d '", out);
	write_text(options_complete_brief(rule, text, sizeof(text)), out);
	fputs("'\n", out);
}

void options_fish(FILE *out)
{
	const struct options_rule *rule;

	fputs(before, out);
	for (size_t i = 0; (rule = options_rule_at(i)); i++) {
		if (!options_complete_names(rule))
			continue;
		if (rule->letter)
			fprintf(out, " -s %c", rule->letter);
		fprintf(out, " %s", rule->name);
	}
	fputs("'\ncomplete -c tuibench -n __fish_is_first_arg -a '", out);
	options_complete_experiments(out);
	fputs("'\n", out);
	for (size_t i = 0; (rule = options_rule_at(i)); i++)
		write_option(rule, out);
}
