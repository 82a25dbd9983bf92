/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "experiment/experiment.h"
#include "view/view.h"

struct debug;
struct export_format;

enum options_action {
	ACTION_RUN,
	ACTION_HELP, /* about topic */
	ACTION_VERSION,
	ACTION_COMPLETION,
	ACTION_LIST,   /* the recordings */
	ACTION_PRUNE,  /* remove some of them */
	ACTION_EXPORT, /* logs[], or the newest, as format */
	ACTION_SELF_TEST,
	ACTION_LECTURE, /* logs[0], or list those that are installed */
};

/* How much --prune keeps: recordings of some days, a number of them, or bytes; the newest first. */
struct options_prune {
	enum { PRUNE_BY_AGE, PRUNE_BY_COUNT, PRUNE_BY_SIZE } by;
	uint64_t amount;
};

/* A screen, in cells. */
struct options_size {
	int width, height;
};

#define OPTIONS_FPS	 10   /* frames a second, where --fps is not given */
#define OPTIONS_PROGRAMS 16   /* of --command, at most */
#define OPTIONS_CONFIG	 6144 /* bytes of what is taken of a file */

/*
 * The command line as values. Strings point into argv, and those of a file and request.command into
 * the struct itself, which therefore stays where it was filled in.
 */
struct options {
	enum options_action action;
	struct request request;
	const char *programs[OPTIONS_PROGRAMS], *names[OPTIONS_PROGRAMS];
	const char *own;	 /* --own as typed; NULL */
	char own_path[PATH_MAX]; /* of its shared object */
	bool batch;		 /* asked for */
	bool draws;		 /* standard output is a terminal that can draw; false with batch */
	bool format_given;
	const struct export_format *format; /* of the result, or of the export */
	const char *log;		    /* NULL: the default place; "-": standard output */
	bool no_log;
	struct options_prune prune;
	uint64_t log_limit; /* bytes of a recording; UINT64_MAX: without a limit */
	const char *output; /* of the export; NULL: standard output */
	bool notes;	    /* those of the lecture that runs elsewhere */
	bool check;	    /* the lecture is looked through, and not given */
	const char *trust;  /* the lecture's file; NULL */
	const char *rerun;  /* the recording whose session runs again; NULL */
	bool yes;	    /* without asking */
	int argc;	    /* the command line as it was typed, but for the order of its words */
	char **argv;
	bool replay; /* play logs[]; where there are none the newest recording */
	char **logs; /* n_logs names in argv */
	int n_logs;
	struct view_looks looks;
	double speed;		  /* of a replay or a screencast, 1 is real time */
	struct options_size size; /* of a screencast */
	int captions;		  /* enum view_captions */
	uint32_t fps;
	uint32_t scene; /* of a lecture's recording, from 1; 0: all */
	const char *theme;
	bool follow; /* a file that grows */
	bool speed_given;
	bool exit; /* leave the screen after the last run */
	bool menu; /* begin with the menu, without a session */
	bool vote; /* begin with the result covered */
	bool ascii, no_color, no_mouse;
	int completion;	    /* the shell, of its option's words */
	const char *topic;  /* of --help; NULL: the options */
	const char *config; /* the file of options; NULL: the user's own, if there is one */
	char config_text[OPTIONS_CONFIG]; /* what the file has, as words */
	char config_path[PATH_MAX];	  /* the file that was read and has options; "" */
	char left_out[256];		  /* of these the names that do not suit what was typed */
	char command[SAMPLE_COMMAND];	  /* the command line, quoted for a shell */
	struct debug *debug;		  /* the caller's; NULL: none */
};

/*
 * 0, or -EINVAL (-ENOMEM) with one line in error: the option, the value, what would be right;
 * -EAGAIN or -ENOSPC where this machine's limits do not allow what the file of options asks for;
 * without the program's name and a newline. Looks at NO_COLOR, at the file of options, and through
 * options_screen() at the terminal.
 */
int options_parse(struct options *options, int argc, char **argv, char *error, size_t size);
/* The same of a lecture's scene, which has a screen when it is shown, if there is none now. */
int options_parse_scene(struct options *options, int argc, char **argv, char *error, size_t size);
/* A screen is wanted and possible: no --batch, a terminal on both sides that can draw. */
bool options_screen(const struct options *options);
/* A session may end before its last trial: nobody has said how many there are. */
bool options_stop_early(const struct options *options);
/* The replay comes as it happens: from standard input, or a file that grows. */
bool options_streams(const struct options *options);
/*
 * The help on a topic: NULL the options; a list of settings, keys …; or all that is called so, be
 * it an option, a setting, a key or a word. -EINVAL: nothing is.
 */
int options_help(const char *topic, FILE *out);
/* The topic whose name is nearest, for a message; "": none is near. Returns buf. */
char *options_help_nearest(const char *topic, char *buf, size_t size);
/*
 * What makes the shell of that number, in the order of its option's words, complete options; of
 * n words, the program's name first, what the last can become: see completion.c.
 */
void options_completion(int shell, char **words, int n, FILE *out);

enum { OPTIONS_WORD = 48, OPTIONS_MOST = 64 };

/* How the value of an option is read, and what it is stored as. */
enum options_value {
	VALUE_FLAG,	  /* none: sets a bool */
	VALUE_ACTION,	  /* none: enum options_action in min */
	VALUE_U32,	  /* a whole number from min to max */
	VALUE_U64,	  /* the same */
	VALUE_WORD,	  /* one of words: an enum */
	VALUE_STRING,	  /* any but an empty one */
	VALUE_MODELS,	  /* a list of words, each with a shape or a number behind a colon */
	VALUE_EXPERIMENT, /* a word without an option */
	VALUE_WORKERS,	  /* "cpu=6,io=2" */
	VALUE_SETTING,	  /* "alloc=0,400": one more of request.settings */
	VALUE_PROGRAM,	  /* one more of request.programs */
	VALUE_NAME,	  /* one more of request.program_names */
	VALUE_THEME,	  /* a name that theme_find() knows */
	VALUE_ZOOM,	  /* the time that struct view_looks has */
	VALUE_SPEED,	  /* from 1/1000 to 1000 */
	VALUE_PRUNE,	  /* "30d", "100", "1G": struct options_prune, and its action */
	VALUE_LIMIT,	  /* a size from 64K on, or none: bytes, UINT64_MAX */
	VALUE_SCREEN,	  /* "120x36": struct options_size */
	VALUE_FORMAT,	  /* of an export; of a result where min is 1 */
};

struct options_rule {
	const char *name;
	char letter;
	const char *argument, *help; /* as --help has them */
	enum options_value value;
	size_t offset;	  /* of what it sets, in struct options */
	const char *fits; /* the modes that have it, see options.c; "*": all */
	uint64_t min, max;
	const char *const *words; /* of VALUE_WORD; of others those that are often meant */
	const char *what;	  /* a right value, for messages */
	const char *section; /* in --help, the heading above it; NULL: that of the one before */
	/* Its value in a file of options, or an example; NULL: no file has it. */
	const char *standing;
	bool of_run; /* a recording has it already */
	/* What it does outside tuibench, "runs a program"; NULL: nothing. No file does that
	 * unasked. */
	const char *outside;
};

/* The rules in the order of --help; NULL after the last. */
const struct options_rule *options_rule_at(size_t i);
bool options_rule_takes(const struct options_rule *rule);
/* What the option with that value does outside tuibench; NULL: nothing. */
const char *options_rule_outside(const struct options_rule *rule, const char *value);
/*
 * The same as a line, "* runs a program: '--command=sh a.sh'", with where before the verb, behind
 * those that were told: malloc'ed, NULL as long as there are none. Returns 1; 0 where it does
 * nothing outside, and adds nothing; -ENOMEM.
 */
int options_rule_tell(const struct options_rule *rule, const char *value, const char *where,
		      char **told);
/* The options of a command line, one by one. */
struct options_walk {
	int argc;
	char **argv;
	const struct options_rule *rule; /* NULL: it is none of ours, or lacks its value */
	const char *value;
	bool begun;
};
/*
 * Goes on to the next option; false after the last. optind is then, and at the end, as
 * getopt_long() has it: the first name.
 */
bool options_next(struct options_walk *walk);
/* The i-th word that its value can be, or begins with if it ends in =; NULL: there are no more. */
const char *options_rule_word(const struct options_rule *rule, size_t i, char buf[OPTIONS_WORD]);

/* The options while they come together: from the command line, then from the file. */
struct options_typed {
	struct options *options;
	char *error;
	size_t size;
	bool given[OPTIONS_MOST]; /* by rule */
	bool scene;		  /* of a lecture */
};

/* Stores the value of an option; 0, or -EINVAL with its line. */
int options_store(const struct options_typed *typed, const struct options_rule *rule,
		  const char *value);
/* What contradicts itself; 0, or -EINVAL with its line. */
int options_check(struct options_typed *typed);
/* The name of an option that may have been meant; NULL. */
const char *options_nearest(const char *name);

/* What the file has added to the command line, as words of it: "--trials=6". */
struct options_config {
	int n;
	char *words[OPTIONS_MOST + REQUEST_SETTINGS + 1]; /* the last: no file is read for these */
};

/*
 * Takes of the file what could stand beside what was typed, as if it were typed; 0 or -EINVAL with
 * a line that names file and line. The words are in the options.
 */
int options_config_apply(struct options_typed *typed, struct options_config *added);

/* --config none: no file. */
#define CONFIG_NONE "none"

/* The file to read: as typed, of TUIBENCH_CONFIG, or the user's own. */
struct config_place {
	char path[PATH_MAX]; /* "": none */
	const char *by;	     /* what named it, for messages */
	bool named;	     /* it was asked for, and must be there */
};

/* A line, to be judged: 0, or a negative errno with a text, without file and line, in error. */
typedef int config_take(void *to, const char *name, const char *value, int line, char *error,
			size_t size);

/*
 * Calls take for each line "name = value" of a text of n bytes and one more, which is written to,
 * until one is refused. 0, or a negative errno with "FILE:LINE: what is wrong" in error.
 */
int config_parse(const struct config_place *place, char *text, size_t n, config_take *take,
		 void *to, char *error, size_t size);
