/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "experiment/experiment.h"

struct debug;
struct export_format;
struct film_format;

enum options_action {
	ACTION_RUN,
	ACTION_HELP,
	ACTION_VERSION,
	ACTION_LIST_EXPERIMENTS,
	ACTION_DEFAULT_CONFIG,
	ACTION_COMPLETION,
	ACTION_LIST,   /* the recordings */
	ACTION_EXPORT, /* logs[], or the newest, as format */
	ACTION_SELF_TEST,
	ACTION_LECTURE, /* logs[0], or list those that are installed */
};

/* A screen, in cells. */
struct options_size {
	int width, height;
};

#define OPTIONS_FPS 10 /* frames a second, where --fps is not given */

#define OPTIONS_PROGRAMS 16 /* of --command, at most */

#define OPTIONS_CONFIG 4096 /* bytes of values in a file */

/* The time of a run that is shown. */
struct options_zoom {
	double times;		/* magnified, from its begin on; 0 or 1: all of it */
	int64_t from_ns, to_ns; /* to is 0: as times says */
};

/*
 * The command line as values. Strings point into argv, and those of a file and request.command into
 * the struct itself, which therefore stays where it was filled in.
 */
struct options {
	enum options_action action;
	struct request request;
	const char *programs[OPTIONS_PROGRAMS];
	const char *work;	  /* --work as typed; NULL */
	char work_path[PATH_MAX]; /* of its shared object */
	bool batch;		  /* asked for */
	bool format_given;
	const struct export_format *format; /* of the result, or of the export */
	const struct film_format *film;	    /* the export shows the screen; NULL: as format */
	const char *log;		    /* NULL: the default place; "-": standard output */
	bool no_log;
	const char *output; /* of the export; NULL: standard output */
	const char *trust;  /* the lecture's file; NULL */
	const char *rerun;  /* the recording whose session runs again; NULL */
	bool yes;	    /* without asking */
	int argc;	    /* the command line as it was typed, but for the order of its words */
	char **argv;
	bool replay; /* play logs[]; where there are none the newest recording */
	char **logs; /* n_logs names in argv */
	int n_logs;
	int view; /* the number of the view to open; 0: the one that answers */
	struct options_zoom zoom;
	const char *select;	  /* a worker's name, or how it begins; NULL: the first row */
	double speed;		  /* of a replay or a film, 1 is real time */
	struct options_size size; /* of a film */
	int captions;		  /* enum view_captions */
	uint32_t fps;
	uint32_t scene; /* of a lecture's recording, from 1; 0: all */
	const char *theme;
	bool follow; /* a file that grows */
	bool speed_given;
	bool exit; /* leave the screen after the last run */
	bool menu; /* begin with the menu, without a session */
	bool vote; /* begin with what tells who leads covered */
	bool ascii, no_color, no_mouse;
	int completion;	    /* the shell, of its option's words */
	const char *config; /* the file of options; NULL: the user's own, if there is one */
	char config_text[OPTIONS_CONFIG]; /* what the file has */
	char config_path[PATH_MAX];	  /* the file that was read and has options; "" */
	char left_out[256];		  /* of these the names that do not suit what was typed */
	char command[SAMPLE_COMMAND];	  /* the command line, quoted for a shell */
	struct debug *debug;		  /* the caller's; NULL: none */
};

/*
 * 0, or -EINVAL (-ENOMEM) with one line in error: the option, the value, what would be right;
 * without the program's name and a newline. Looks at NO_COLOR, at the file that config_find()
 * names, and through options_screen() at the terminal.
 */
int options_parse(struct options *options, int argc, char **argv, char *error, size_t size);
/*
 * Whether the run is for a screen: --batch was not asked for, standard input and output are a
 * terminal and TERM names one that can draw.
 */
bool options_screen(const struct options *options);
/* The replay comes as it happens: from standard input, or a file that grows. */
bool options_streams(const struct options *options);
/* The text of --help, from the table of options. */
void options_help(FILE *out);
/* A file of all options that can stand in one, each behind a comment sign. */
void options_default(FILE *out);
/* What makes the shell of that number, in the order of its option's words, complete options. */
void options_completion(int shell, FILE *out);
