/* SPDX-License-Identifier: MIT */
#pragma once

#include <getopt.h>

#include "options.h"

/* Rules at most, and the letters of getopt that go with them. */
enum { OPTIONS_MOST = 96, OPTIONS_LETTERS = 2 + 2 * OPTIONS_MOST };

/* Bytes of a word of a value, and of what --help says of an option. */
enum { OPTIONS_WORD = 32, OPTIONS_HELP = 640 };

/* The screens that a film may have. */
enum { OPTIONS_LEAST_W = 40, OPTIONS_LEAST_H = 12, OPTIONS_MOST_W = 300, OPTIONS_MOST_H = 120 };

/* How the value of an option is read, and what it is stored as. */
enum options_value {
	VALUE_FLAG,	  /* none: sets a bool */
	VALUE_ACTION,	  /* none: enum options_action in min */
	VALUE_U32,	  /* a whole number from min to max */
	VALUE_U64,	  /* the same */
	VALUE_WORKERS,	  /* the same, of the kind of work that is the option's name */
	VALUE_SIZE,	  /* bytes, with a suffix */
	VALUE_WORD,	  /* one of words: an enum, whose first has the number min */
	VALUE_STRING,	  /* any but an empty one */
	VALUE_EXPERIMENT, /* the same */
	VALUE_CPULIST,	  /* request.pin */
	VALUE_WORK,	  /* request.work_size */
	VALUE_PROGRAM,	  /* one more of request.programs */
	VALUE_THEME,	  /* a name that theme_find() knows */
	VALUE_ZOOM,	  /* struct options_zoom */
	VALUE_SPEED,	  /* from 1/1000 to 1000 */
	VALUE_SCREEN,	  /* "120x36": struct options_size */
	VALUE_FORMAT,	  /* of an export; of a result where min is 1 */
	VALUE_SWEEP,	  /* request.sweep and those beside it */
	VALUE_NICE,	  /* request.nice */
	VALUE_QUOTA,	  /* request.quota */
	VALUE_ENV,	  /* request.env: one more */
};

/* All there is to know about an option. */
struct options_rule {
	const char *name;
	char letter;
	const char *argument, *help; /* as --help has them */
	enum options_value value;
	size_t offset; /* of what it sets, in struct options */
	uint64_t min, max;
	const char *const *words; /* of VALUE_WORD; of others those that are often meant */
	const char *what;	  /* a right value, for messages, where the kind does not say it */
	const char *rest;	  /* in --help, behind the list of what there is to choose from */
	const char *section; /* in --help, the heading above it; NULL: that of the one before */
	/*
	 * Its value in --default-config: its default where that can be typed, else an example; ""
	 * a number of workers. NULL: an option of one command, which no file has.
	 */
	const char *standing;
	bool of_run; /* a recording has it already */
	bool swept;  /* its values may be those of --sweep */
	/*
	 * What it does outside tuibench, "runs a program"; NULL: nothing. No file makes it do that
	 * unasked. See options_rule_outside().
	 */
	const char *outside;
};

/* What the option with that value does outside tuibench; NULL: nothing. A sweep does what it
 * varies. */
const char *options_rule_outside(const struct options_rule *rule, const char *value);
/*
 * The same as a line, "* runs a program: '--prepare=sh a.sh'", with where before the verb. Returns
 * 1; 0 where it does nothing outside, and writes nothing; -ENOMEM.
 */
int options_rule_tell(const struct options_rule *rule, const char *value, const char *where,
		      FILE *to);

/* An option of a run by the name that --sweep has for it; NULL: none. See struct request. */
const struct options_rule *options_sweep_rule(const char *name);
int options_sweep_set(struct request *request, const char *name, const char *value, char *error,
		      size_t size);
/* "5", "-5"; "0.5", "max"; and "NAME=VALUE", one more: 0, -EINVAL, -E2BIG. */
int options_env_nice(struct request *request, const char *value);
int options_env_quota(struct request *request, const char *value);
int options_env_store(struct request *request, const char *value);
/* One more --sweep; -E2BIG: too many. */
int options_sweep_store(struct request *request, const char *text);
/* The i-th variable as it is typed, "alloc="; NULL: there are no more. */
const char *options_sweep_word(size_t i, char buf[OPTIONS_WORD]);

/* The rules in the order of --help; NULL after the last. */
const struct options_rule *options_rule_at(size_t i);

/* Whether it has a value. */
bool options_rule_takes(const struct options_rule *rule);

/* The tables of getopt_long(): the letters, and the names in as many entries as there are rules. */
void options_rule_getopt(char letters[OPTIONS_LETTERS], struct option names[OPTIONS_MOST]);
/* The rule of what getopt_long() returned; NULL: none. */
const struct options_rule *options_rule_of(int value);

/*
 * Calls take() for each option of a command line, in order; rule NULL: it is none of ours, or lacks
 * its value. Returns what take() does where that is not 0; optind is then, and at the end, as
 * getopt_long() has it: the first name.
 */
int options_rule_each(int argc, char **argv,
		      int (*take)(void *arg, const struct options_rule *rule, const char *value),
		      void *arg);

/* Stores the value of an option; 0 or an error if it is not a right one. */
int options_value_store(struct options *options, const struct options_rule *rule,
			const char *value);
/* A description of a valid value, in words. */
const char *options_value_describe(const struct options_rule *rule, char *buf, size_t size);
/*
 * The help on an option, with what the tables of workloads and formats know: "workers that copy a
 * file (default: 2)". A newline begins a new line. Returns buf.
 */
char *options_value_help(const struct options_rule *rule, char *buf, size_t size);
/* The i-th word that its value can be, or begins with if it ends in =; NULL: there are no more. */
const char *options_value_word(const struct options_rule *rule, size_t i, char buf[OPTIONS_WORD]);
