/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_OPTIONS_H
#define TUIBENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "experiment.h"

enum options_action {
	ACTION_RUN,
	ACTION_HELP,
	ACTION_VERSION,
	ACTION_LIST_EXPERIMENTS,
};

enum options_format { FORMAT_TABLE, FORMAT_JSON, FORMAT_MARKDOWN, FORMAT_CSV };

/* The command line as values. Strings point into argv. */
struct options {
	enum options_action action;
	struct request request;
	bool batch; /* asked for */
	bool format_given;
	enum options_format format;
	const char *log; /* NULL: the default place; "-": standard output */
	bool no_log;
	bool exit; /* leave the screen after the last run */
	uint32_t fps;
	const char *theme;
	bool ascii, no_color, no_mouse;
	char command[SAMPLE_TEXT]; /* the command line, quoted for a shell */
};

/* 0, or -EINVAL with one line in error: the option, the value, what would be right. */
int options_parse(struct options *options, int argc, char **argv, char *error, size_t size);
/* The text of --help. */
const char *options_help(void);

#endif
