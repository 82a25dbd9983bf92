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
	ACTION_HELP, /* Print the help about topic. */
	ACTION_VERSION,
	ACTION_COMPLETION,
	ACTION_LIST,   /* List the recordings. */
	ACTION_PRUNE,  /* Remove some recordings. */
	ACTION_EXPORT, /* Export logs[], or the newest recording, in format. */
	ACTION_SELF_TEST,
	ACTION_LECTURE, /* Give the lecture logs[0], or list the installed lectures. */
};

/*
 * The recordings that --prune keeps, always the newest ones: up to an age in days, up to a number
 * of recordings, or up to a number of bytes.
 */
struct options_prune {
	enum { PRUNE_BY_AGE, PRUNE_BY_COUNT, PRUNE_BY_SIZE } by;
	uint64_t amount;
};

/* Size of a screen, in cells. */
struct options_size {
	int width, height;
};

#define OPTIONS_FPS	 10   /* Frames per second without --fps. */
#define OPTIONS_PROGRAMS 16   /* Largest number of programs in one command line. */
#define OPTIONS_CONFIG	 6144 /* Room for the options of a configuration file, bytes. */

/*
 * The command line as values. Strings point into argv. Strings from a file, and request.command,
 * point into the struct itself, so do not copy or move the struct.
 */
struct options {
	enum options_action action;
	struct request request;
	const char *programs[OPTIONS_PROGRAMS], *names[OPTIONS_PROGRAMS];
	const char *own;	 /* Argument of --own as typed; NULL if not given. */
	char own_path[PATH_MAX]; /* Path of the shared object of --own. */
	bool batch;		 /* --batch was given. */
	bool draws; /* Standard output is a terminal that can draw. False with --batch. */
	bool format_given;
	const struct export_format *format; /* Format of the result or of the export. */
	const char *log;		    /* NULL: the default place; "-": standard output */
	bool no_log;
	struct options_prune prune;
	uint64_t log_limit; /* Largest size of a recording, in bytes; UINT64_MAX: no limit. */
	const char *output; /* File of the export; NULL: standard output. */
	/* Show the speaker's notes of a lecture that is given in another terminal. */
	bool notes;
	bool check;	   /* Check the lecture without giving it. */
	const char *trust; /* File of the lecture to trust; NULL if none. */
	const char *rerun; /* Recording whose session is to be run again; NULL: none. */
	bool yes;	   /* Do not ask for confirmation. */
	/* The command line as typed, except that getopt_long() has reordered its words. */
	int argc;
	char **argv;
	bool replay; /* Play logs[]. If there are none, play the newest recording. */
	char **logs; /* n_logs names, in argv. */
	int n_logs;
	struct view_looks looks;
	double speed;		  /* Speed of a replay or screencast; 1 is real time. */
	struct options_size size; /* Screen size of a screencast. */
	int captions;		  /* enum view_captions */
	uint32_t fps;
	uint32_t scene; /* Scene of a lecture's recording, from 1; 0: all scenes. */
	const char *theme;
	bool follow; /* Follow a file that is still being written. */
	bool speed_given;
	bool exit; /* Leave the screen after the last run. */
	bool menu; /* Start with the menu, without a session. */
	bool vote; /* Start with the result covered for a vote. */
	bool ascii, no_color, no_mouse;
	int completion;	    /* Index of the shell among the words of --completion. */
	const char *topic;  /* Topic of --help; NULL: the options. */
	const char *config; /* Configuration file; NULL: the user's own file, if it exists. */
	char config_text[OPTIONS_CONFIG]; /* The options of the configuration file, as words. */
	/* Path of the configuration file that was read, if it has options; otherwise "". */
	char config_path[PATH_MAX];
	/*
	 * Names of the file's options that were left out, because the command line contradicts them
	 * or because they have no effect on the session.
	 */
	char left_out[256];
	char command[SAMPLE_COMMAND]; /* the command line, quoted for a shell */
	struct debug *debug;	      /* Owned by the caller; NULL: no debug log. */
};

/*
 * Parses the command line. Reads NO_COLOR, the configuration file and, through options_screen(),
 * the terminal. Returns 0; -EINVAL or -ENOMEM; -EAGAIN or -ENOSPC if the configuration file asks
 * for more than this machine's limits allow; or the error of asking the object of --own. On an
 * error, `error` has one line with the option, the value and a right value, without the program's
 * name and a newline.
 */
int options_parse(struct options *options, int argc, char **argv, char *error, size_t size);
/*
 * Parses the command line of a lecture's scene. Assumes a screen, because the scene may later be
 * shown on one.
 */
int options_parse_scene(struct options *options, int argc, char **argv, char *error, size_t size);
/*
 * Whether a screen is wanted and possible. --batch was not given, and standard input and output are
 * a terminal that can draw; standard input may also be the recording that is played.
 */
bool options_screen(const struct options *options);
/*
 * Whether a session may end before its last planned trial, because the user gave no number of
 * trials. False for a recording.
 */
bool options_stop_early(const struct options *options);
/*
 * Whether the recording may grow during the replay: it is standard input, or a file that is
 * followed.
 */
bool options_streams(const struct options *options);
/*
 * Prints the help on a topic. NULL: the options. A word such as settings or keys: that list. Any
 * other word: every option, setting, key or glossary word with that name. Returns -EINVAL if there
 * is no such topic.
 */
int options_help(const char *topic, FILE *out);
/*
 * Writes the topic whose name is most similar, for a message; "" if no name is similar. Returns
 * buf.
 */
char *options_help_nearest(const char *topic, char *buf, size_t size);
/*
 * Prints completions. If n is below 2: the script for the shell with the index `shell` among the
 * words of --completion. Otherwise, `words` are n words of a command line, the program's name
 * first: the possible completions of the last word. See completion.c.
 */
void options_completion(int shell, char **words, int n, FILE *out);

enum { OPTIONS_WORD = 48, OPTIONS_MOST = 64 };

/* How the value of an option is parsed and stored. */
enum options_value {
	VALUE_FLAG,   /* No value. Sets a bool. */
	VALUE_ACTION, /* No value. `min` is the enum options_action to set. */
	VALUE_U32,    /* a whole number from min to max */
	VALUE_U64,    /* A whole number from min to max. */
	VALUE_WORD,   /* One of the row's `words`, stored as an enum. */
	VALUE_STRING, /* Any text but an empty one. */
	VALUE_MODELS, /* A list of words, each optionally followed by ":" and a shape or number. */
	VALUE_EXPERIMENT, /* An experiment's name, typed without an option. */
	VALUE_WORKERS,	  /* "cpu=6,io=2" */
	VALUE_SETTING,	  /* "alloc=0,400". Appended to request.settings. */
	VALUE_PROGRAM,	  /* Appended to request.programs. */
	VALUE_NAME,	  /* Appended to request.program_names. */
	VALUE_THEME,	  /* a name that theme_find() knows */
	VALUE_ZOOM,	  /* A zoom or a time span, stored in struct view_looks. */
	VALUE_SPEED,	  /* A number from 1/1000 to 1000. */
	/* "30d", "100" or "1G", stored as struct options_prune. Also sets the action. */
	VALUE_PRUNE,
	VALUE_LIMIT,  /* A size of at least 64K, in bytes; "none" is UINT64_MAX. */
	VALUE_SCREEN, /* "120x36", stored as struct options_size. */
	VALUE_FORMAT, /* A format of an export; if `min` is 1, of a result. */
};

struct options_rule {
	const char *name;
	char letter;
	const char *argument, *help; /* Texts of --help. */
	enum options_value value;
	size_t offset; /* Offset of the stored value in struct options. */
	/* The modes that accept the option, as letters, see options.c; "*": all. */
	const char *fits;
	uint64_t min, max;
	const char *const *words; /* The values of VALUE_WORD. For other kinds, common values. */
	const char *what;	  /* A valid value, to suggest in errors. */
	/* The heading above the option in --help; NULL: the same section as the previous row. */
	const char *section;
	/*
	 * A value to show in a configuration file, often the default; NULL: not allowed in such a
	 * file.
	 */
	const char *standing;
	/* The option is a property of the run, so a recording has its value already. */
	bool of_run;
	/*
	 * The option's effect outside tuibench, such as "runs a program"; NULL: none. An option
	 * that has one is never applied from a file unless the user agrees.
	 */
	const char *outside;
};

/* The i-th rule in the order of --help; NULL after the last. */
const struct options_rule *options_rule_at(size_t i);
bool options_rule_takes(const struct options_rule *rule);
/* What the option does outside tuibench with that value; NULL: nothing. */
const char *options_rule_outside(const struct options_rule *rule, const char *value);
/*
 * Appends the option's effect outside tuibench to *lines as a line: "* runs a program:
 * '--command=sh a.sh'", with `where` before the verb. *lines is malloc'ed and is NULL until the
 * first line. Returns 1 if a line was added, 0 if there is no effect, or -ENOMEM.
 */
int options_rule_tell(const struct options_rule *rule, const char *value, const char *where,
		      char **lines);
/* A walk over the options of a command line. */
struct options_walk {
	int argc;
	char **argv;
	const struct options_rule *rule; /* NULL: the option is unknown, or its value is missing. */
	const char *value;
	bool begun;
};
/*
 * Moves to the next option. Returns false after the last one; optind is then the index of the first
 * name, as after getopt_long().
 */
bool options_next(struct options_walk *walk);
/*
 * The i-th word that the value can be; NULL after the last. A word that ends in "=" must be
 * followed by a value.
 */
const char *options_rule_word(const struct options_rule *rule, size_t i, char buf[OPTIONS_WORD]);

/*
 * The options while they are collected: first from the command line, then from the configuration
 * file.
 */
struct options_typed {
	struct options *options;
	char *error;
	size_t size;
	bool given[OPTIONS_MOST]; /* given[i]: the option of rule i was given. */
	bool scene;		  /* These are the options of a lecture's scene. */
};

/* Whether the option with this name was given. */
bool options_given(const struct options_typed *typed, const char *name);
/*
 * Takes an option that options_next() has found; rule is NULL if there is no such option. Returns
 * 0, or a negative errno with a line in `error`.
 */
int options_take(struct options_typed *typed, const struct options_rule *rule, const char *value);
/* Stores the value of an option. Returns 0, or -EINVAL with a line in `error`. */
int options_store(const struct options_typed *typed, const struct options_rule *rule,
		  const char *value);
/*
 * Checks the options for contradictions. Also sets the members that depend on several options, and
 * asks the object of --own. Returns 0, or a negative errno with a line in `error`.
 */
int options_check(struct options_typed *typed);
/* The most similar option name, for a message; NULL if none is similar. */
const char *options_nearest(const char *name);

/*
 * The options that the configuration file added to the command line, as words such as "--trials=6".
 */
struct options_config {
	int n;
	/* The words end with "--config=none", so parsing them reads no configuration file. */
	char *words[OPTIONS_MOST + REQUEST_SETTINGS + 1];
};

/*
 * Applies the options of the configuration file as if they were typed, except options that
 * contradict the command line. Returns 0, or -EINVAL with an error that names the file and its
 * line. The words are stored in the options.
 */
int options_config_apply(struct options_typed *typed, struct options_config *added);

/* Value of --config: read no file. */
#define CONFIG_NONE "none"

/* The configuration file to read: from --config, from TUIBENCH_CONFIG, or the user's own. */
struct config_place {
	char path[PATH_MAX]; /* "" if there is none. */
	const char *by;	     /* The option or variable that named the file, for errors. */
	bool named;	     /* The user named the file, so it must exist. */
};

/*
 * Handles one line. Returns 0, or a negative errno with a text in `error`, without file and line
 * number.
 */
typedef int config_set(void *to, const char *name, const char *value, int line, char *error,
		       size_t size);

/*
 * Calls set() for each line "name = value" of a text, until one call fails. The text has n bytes
 * and room for one more, and is overwritten. Returns 0, or a negative errno with an error
 * "FILE:LINE: …".
 */
int config_parse(const struct config_place *place, char *text, size_t n, config_set *set, void *to,
		 char *error, size_t size);
