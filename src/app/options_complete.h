/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "options_rule.h"

/* How the value of an option is completed. */
enum options_completion {
	COMPLETE_NONE,	 /* it has none, or nobody can say: a number */
	COMPLETE_FILES,	 /* any file */
	COMPLETE_WORDS,	 /* one of the words */
	COMPLETE_LIST,	 /* several, with commas between */
	COMPLETE_BEGINS, /* one of the words, and more behind it: cpu= */
};

enum options_completion options_complete_kind(const struct options_rule *rule);
/* Whether files may stand behind the option that are no value of it. */
bool options_complete_names(const struct options_rule *rule);
/* What it does, in a few words. Returns buf. */
char *options_complete_brief(const struct options_rule *rule, char *buf, size_t size);
/* The words of its value, with blanks between. */
void options_complete_words(const struct options_rule *rule, FILE *out);
/* The names of experiments, which may stand by themselves, in the same way. */
void options_complete_experiments(FILE *out);

/* The scripts, each for one shell. */
void options_bash(FILE *out);
void options_zsh(FILE *out);
void options_fish(FILE *out);
