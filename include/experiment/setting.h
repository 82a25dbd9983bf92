/* SPDX-License-Identifier: MIT */
#pragma once

#include "experiment/experiment.h"

/*
 * The settings of -s NAME=VALUES. One row per setting serves the command line, the configuration
 * file, the menu, the help, the completions and the checks.
 */

struct experiment_build;

/* How a value is parsed and where it is stored. */
enum setting_kind {
	SETTING_FLAG, /* "no" or "yes", stored as a bool */
	/* A whole number from min to max. A range such as "2..8" is several values. */
	SETTING_U32,
	SETTING_U64,  /* A whole number from min to max, in 64 bits. */
	SETTING_SIZE, /* A size in bytes up to max, with an optional suffix. */
	SETTING_TIME, /* A time from min to max, in ns: "5s", "500ms"; without a unit in seconds. */
	/* One of the setting's `words`, stored as an enum. The first word has the number min. */
	SETTING_WORD,
	SETTING_TEXT,  /* Any text that is not empty. */
	SETTING_STACK, /* request.stack_size */
	/* One of `words`, stored in request.wait; or a time up to max for which a server waits. */
	SETTING_WAIT,
	SETTING_WAY,	  /* How to pass a token or message (request.via), or how to count. */
	SETTING_AMOUNT,	  /* An amount of work, for each kind of work that has a size. */
	SETTING_WORK,	  /* KIND.size: amount of work of one kind. */
	SETTING_CPUS,	  /* "0-2+4": request.pin */
	SETTING_POLICY,	  /* One of `words`: request.policy. */
	SETTING_NICE,	  /* request.nice */
	SETTING_QUOTA,	  /* request.quota */
	SETTING_GROUP,	  /* "5x5": request.senders, receivers */
	SETTING_FAULT,	  /* "segv@10": request.fault, fault_percent */
	SETTING_VARIABLE, /* env:NAME: request.env */
	SETTING_ARGUMENT  /* value of {NAME} in a command: request.values */
};

/* What a setting applies to, if not to kinds of work. */
enum setting_concern {
	CONCERNS_ALL,	 /* every session */
	CONCERNS_SETS,	 /* experiments with sets of workers */
	CONCERNS_PLACED, /* all but the measurement of creation */
	CONCERNS_TREES,
	CONCERNS_WAYS, /* ways to hand over, or to count */
	CONCERNS_POOL, /* pieces of work that are handed out, or requests */
	CONCERNS_SERVER,
	CONCERNS_CRASH,
	CONCERNS_THREADS, /* sessions with a case that creates threads */
	CONCERNS_BALLAST, /* sessions with a case that has ballast */
};

struct setting {
	/* "alloc"; "KIND.size", "env:NAME" and "NAME" are patterns. */
	const char *name;
	/* The accepted values, for help and messages: "a size (0, 400, 64K)". */
	const char *values;
	const char *usual; /* the default, in words */
	/*
	 * Values that the menu and the shells offer, separated by blanks. "": none. NULL: all of
	 * `words`.
	 */
	const char *offers;
	const char *of;	  /* What the setting applies to, in words: "cpu workers". */
	const char *help; /* One line. */
	enum setting_kind kind;
	size_t offset; /* offset of the value in struct request */
	uint64_t min, max;
	const char *const *words;
	/* Name of the variable that cases have for this setting; NULL: the setting's own name. */
	const char *variable;
	bool once;	   /* The setting has only one value in a session. */
	bool of_recording; /* The setting describes the recording and changes no run. */
	/*
	 * The setting is the innermost loop: every combination of the other settings is run with
	 * each of its values, one after the other. The value is part of a case's name.
	 */
	bool inner;
	/*
	 * there: the experiment that has another default for this setting. usual_there: that
	 * default. NULL: none.
	 */
	const char *there, *usual_there;
	/* The setting's effect outside tuibench, as in struct options_rule; NULL: none. */
	const char *outside;
	/* The kinds of work that the setting applies to, as bits 1 << enum work_kind; 0: any. */
	uint32_t works;
	/* In a tree, giving this setting makes the leaves do the kind of work in `works`. */
	bool gives;
	/* The setting has an effect only together with some other setting. */
	bool beside;
	enum setting_concern concerns; /* What it applies to if `works` is 0. */
	/*
	 * Checks whether the machine can do what the request asks for. Called if the setting
	 * applies to a case. NULL: no check.
	 */
	int (*check)(struct experiment_build *build);
};

/* The i-th row in the order of --help settings; NULL after the last. */
const struct setting *setting_at(size_t i);
/* The row of a name such as "alloc", "cpu.size" or "env:LANG", or of NAME=VALUES; NULL if none. */
const struct setting *setting_find(const char *text);
/*
 * The row of a name in a session. A name that a command has in braces belongs to
 * setting_argument(), unless tuibench has a setting with that name that applies to programs.
 */
const struct setting *setting_of(const struct request *request, const char *text);
/* The row for names that commands have in braces. */
const struct setting *setting_argument(void);
/*
 * The setting's default in that experiment. If experiment is NULL, the default in experiments other
 * than setting->there.
 */
const char *setting_usual(const struct setting *setting, const char *experiment);
/*
 * The value to record: as typed or, in an anonymous session, a copy in buf without names from
 * outside tuibench.
 */
const char *setting_recorded(const struct request *request, const char *typed, char *buf,
			     size_t size);
/*
 * The i-th name that can be typed in any session. "KIND.size" gives a name for each kind, such as
 * "cpu.size". False after the last.
 */
bool setting_name(size_t i, char name[VARIABLE_NAME]);
/*
 * The i-th value to offer; for env:NAME, "NAME=VALUE". False after the last. Amounts of work are
 * chosen around the experiment's own amount. experiment may be NULL.
 */
bool setting_offer(const char *name, size_t i, const struct experiment *experiment,
		   char value[VARIABLE_VALUE]);
/* A value that the setting accepts. It may be stored in text. */
const char *setting_example(const char *name, char text[VARIABLE_VALUE]);
/*
 * Whether the setting with that name has an effect in this experiment, which must have been built.
 * beside: also true if it would have an effect together with other settings.
 */
bool setting_concerns(const char *text, const struct experiment *experiment, bool beside);
/*
 * Checks "NAME=VALUES": that the setting exists in this session, and that it accepts the values.
 * Returns 0, or -EINVAL with a line in `error` that begins with the setting: "alloc=x: ...".
 */
int setting_check(const struct request *request, const char *text, char *error, size_t size);
/*
 * Stores one value in the request, which keeps the pointer. For env:NAME, the text "NAME=" must be
 * in memory just before the value.
 */
int setting_store(struct request *request, const struct setting *setting, const char *name,
		  const char *value);
/* The index of the word in a list that ends with NULL, or -EINVAL. */
int setting_word(const char *const *words, const char *value);
/* Parses a whole number from min to max. Returns 0, -EINVAL or -ERANGE. */
int setting_count(uint64_t min, uint64_t max, const char *value, uint64_t *number);
/*
 * The Damerau-Levenshtein distance of two words: how many letters must be left out, added,
 * replaced, or swapped with the next one. A word b of more than 31 characters counts as far from
 * every word.
 */
size_t setting_distance(const char *a, const char *b);
