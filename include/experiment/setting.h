/* SPDX-License-Identifier: MIT */
#pragma once

#include "experiment/experiment.h"

/*
 * The settings of -s NAME=VALUES. One row serves the command line, the configuration file, the
 * menu, the help, the completions and the checks.
 */

struct experiment_build;

/* How a value is read, and what becomes of several. */
enum setting_kind {
	SETTING_FLAG,	  /* no, yes: a bool */
	SETTING_U32,	  /* a whole number from min to max; a range is several */
	SETTING_U64,	  /* the same */
	SETTING_SIZE,	  /* bytes up to max, with a suffix */
	SETTING_TIME,	  /* ns from min to max: "5s", "500ms"; without a unit seconds */
	SETTING_WORD,	  /* one of words: an enum, whose first has the number min */
	SETTING_TEXT,	  /* any but an empty one */
	SETTING_STACK,	  /* request.stack_size */
	SETTING_WAIT,	  /* a word: request.wait; a time: that of a server, up to max */
	SETTING_WAY,	  /* to hand something over, or to count: request.via, counting */
	SETTING_AMOUNT,	  /* amount of work, for each kind that has some */
	SETTING_WORK,	  /* KIND.size: of one kind */
	SETTING_CPUS,	  /* "0-2+4": request.pin */
	SETTING_POLICY,	  /* one of words: request.policy */
	SETTING_NICE,	  /* request.nice */
	SETTING_QUOTA,	  /* request.quota */
	SETTING_GROUP,	  /* "5x5": request.senders, receivers */
	SETTING_FAULT,	  /* "segv@10": request.fault, fault_percent */
	SETTING_VARIABLE, /* env:NAME: request.env */
	SETTING_ARGUMENT  /* value of {NAME} in a command: request.values */
};

/* Whom a setting concerns, where that is not kinds of work. */
enum setting_concern {
	CONCERNS_ALL,	 /* every session */
	CONCERNS_SETS,	 /* numbers of workers */
	CONCERNS_PLACED, /* all but creation */
	CONCERNS_TREES,
	CONCERNS_WAYS, /* to hand something over, or to count */
	CONCERNS_POOL, /* pieces of work, or requests */
	CONCERNS_SERVER,
	CONCERNS_CRASH,
	CONCERNS_THREADS, /* some case starts them */
	CONCERNS_BALLAST, /* some case has one */
};

struct setting {
	/* "alloc"; "KIND.size", "env:NAME" and "NAME" are patterns. */
	const char *name;
	const char *values; /* values that the setting takes, for help and messages: "a size (0,
			       400, 64K)" */
	const char *usual;  /* the default, in words */
	/* Values that the menu and the shells offer, with blanks between; "": none; NULL: words. */
	const char *offers;
	const char *of;	  /* whom it concerns: "cpu workers" */
	const char *help; /* one line */
	enum setting_kind kind;
	size_t offset; /* offset of the value in struct request */
	uint64_t min, max;
	const char *const *words;
	const char *variable; /* its name among the variables of cases; NULL: the same */
	bool once;	      /* one value in a session */
	bool of_recording;    /* says what is recorded, and changes no run */
	bool inner;	      /* of several values, those of the others have each; cases name it */
	const char *there, *usual_there; /* the experiment with another default, and that; NULL */
	const char *outside; /* effect outside tuibench, as in an option's rule; NULL if none */
	uint32_t works; /* the kinds of work that it concerns, 1 << enum work_kind; 0: no matter */
	bool gives;	/* setting it gives the leaves of a tree that work */
	bool beside;	/* another setting gives it something to concern */
	enum setting_concern concerns; /* besides these works */
	/* Whether the machine can do what the request has, where it concerns a case; NULL. */
	int (*check)(struct experiment_build *build);
};

/* The rows in the order of --help settings; NULL after the last. */
const struct setting *setting_at(size_t i);
/* The row of a name, "alloc", "cpu.size", "env:LANG", or of NAME=VALUES; NULL: there is none. */
const struct setting *setting_find(const char *text);
/*
 * The same for a session: a name in braces in a command belongs to the command, unless tuibench's
 * setting of that name applies to programs.
 */
const struct setting *setting_of(const struct request *request, const char *text);
/* The row of all names that commands have in braces. */
const struct setting *setting_argument(void);
/* The default in that experiment; NULL: in the others. */
const char *setting_usual(const struct setting *setting, const char *experiment);
/*
 * The value as typed. If the session is anonymous, buf receives it without names from outside
 * tuibench.
 */
const char *setting_recorded(const struct request *request, const char *typed, char *buf,
			     size_t size);
/*
 * The i-th name that can be typed in any session, "cpu.size" and its like one by one; false after
 * the last.
 */
bool setting_name(size_t i, char name[VARIABLE_NAME]);
/*
 * The i-th value to offer, of env:NAME "NAME=VALUE"; false after the last. Amounts of work are less
 * and more than the experiment has; NULL: none.
 */
bool setting_offer(const char *name, size_t i, const struct experiment *experiment,
		   char value[VARIABLE_VALUE]);
/* A value that it takes; may be in text. */
const char *setting_example(const char *name, char text[VARIABLE_VALUE]);
/*
 * Whether the name's setting does something in the experiment, which was built; beside: or would
 * do where other settings are given, too.
 */
bool setting_concerns(const char *text, const struct experiment *experiment, bool beside);
/*
 * Checks "NAME=VALUES" by its row, and that there is one in that session. 0, or -EINVAL with a line
 * in error that begins with the setting: "alloc=x: ...".
 */
int setting_check(const struct request *request, const char *text, char *error, size_t size);
/* Stores one value, which must outlive the request; of env:NAME "NAME=" stands before it. */
int setting_store(struct request *request, const struct setting *setting, const char *name,
		  const char *value);
/* The number of the word in a list that ends with NULL; -EINVAL: it is none of them. */
int setting_word(const char *const *words, const char *value);
/* A whole number from min to max; 0, -EINVAL or -ERANGE. */
int setting_count(uint64_t min, uint64_t max, const char *value, uint64_t *number);
/*
 * The Damerau-Levenshtein distance of two words: letters that were left out, added, replaced or
 * swapped with the next. A word b of more than 31 characters is far from all.
 */
size_t setting_distance(const char *a, const char *b);
