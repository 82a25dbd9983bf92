/* SPDX-License-Identifier: MIT */
#include "next.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"
#include "cli/command.h"
#include "experiment/experiment.h"

void next_free(struct next *next)
{
	while (next->argc > 0)
		free(next->argv[--next->argc]);
	next->argv[0] = NULL;
}

int next_add(struct next *next, const char *format, ...)
{
	va_list args;
	int n;

	if (next->argc == NEXT_WORDS)
		return -E2BIG;
	va_start(args, format);
	n = vasprintf(&next->argv[next->argc], format, args);
	va_end(args);
	if (n >= 0)
		next->argc++;
	next->argv[next->argc] = NULL;
	return n < 0 ? -ENOMEM : 0;
}

static bool names_config(const struct next *next)
{
	for (int i = 0; i < next->argc; i++)
		if (strncmp(next->argv[i], "--config", 8) == 0)
			return true;
	return false;
}

int next_add_now(struct next *next, const struct options *now)
{
	int err = now->ascii ? next_add(next, "--ascii") : 0;

	if (!err && now->no_mouse)
		err = next_add(next, "--no-mouse");
	if (!err && now->no_log)
		err = next_add(next, "--no-log");
	if (!err && now->no_color)
		err = next_add(next, "--no-color");
	if (!err && now->config && !names_config(next))
		err = next_add(next, "--config=%s", now->config);
	return err || now->fps == OPTIONS_FPS ? err : next_add(next, "--fps=%u", now->fps);
}

static int check(struct next *next, struct options *options, struct experiment *experiment,
		 char *error, size_t size)
{
	int err = options_parse(options, next->argc, next->argv, error, size);

	if (err || options->action != ACTION_RUN || options->replay)
		return err;
	return experiment_build(&options->request, experiment, error, size);
}

int next_check(struct next *next, char *error, size_t size)
{
	struct experiment *experiment = calloc(1, sizeof(*experiment));
	struct options *options = calloc(1, sizeof(*options));
	int err = experiment && options ? check(next, options, experiment, error, size)
					: error_line(error, size, -ENOMEM, "out of memory");

	free(experiment);
	free(options);
	return err;
}

/* The words last as long as text. */
static int add_words(struct next *next, char *text)
{
	char *words[NEXT_WORDS + 1];
	int n = command_split(text, words, NEXT_WORDS), err = n < 0 ? n : 0;

	for (int i = 0; i < n && !err; i++)
		err = next_add(next, "%s", words[i]);
	return err;
}

int next_add_line(struct next *next, const char *line)
{
	char *text = strdup(line);
	int err = text ? add_words(next, text) : -ENOMEM;

	free(text);
	return err;
}

int next_take_line(struct next *next, const char *line, char *error, size_t size)
{
	int err = next_add_line(next, line);

	if (err)
		error_line(error, size, err, "\"%.80s\" is no command line: %s", line,
			   strerror(-err));
	else
		err = next_check(next, error, size);
	if (err)
		next_free(next);
	return err;
}
