/* SPDX-License-Identifier: MIT */
#include "next.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/options.h"
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

/* The new session has a recording, a seed and a start of its own. */
static bool is_kept(const struct options_rule *rule)
{
	static const char *const own[] = {"log", "no-log", "seed", "hold"};

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (strcmp(rule->name, own[i]) == 0)
			return false;
	return rule->of_run;
}

struct taking {
	struct next *next;
	const struct again *again;
};

/* Without it the session would be another one. */
static bool is_work(const struct options_rule *rule)
{
	return rule->value == VALUE_PROGRAM || rule->offset == offsetof(struct options, own);
}

/* "--set alloc=0" stands for what the recorded command says of alloc. */
static bool replaces(const char *more, const struct options_rule *rule, const char *value)
{
	return more && rule->value == VALUE_SETTING && strncmp(more, "--set ", 6) == 0 &&
	       strncmp(more + 6, value, strcspn(value, "=") + 1) == 0;
}

static int add_rule(void *arg, const struct options_rule *rule, const char *value)
{
	const struct taking *taking = arg;
	const struct again *again = taking->again;
	struct next *next = taking->next;
	int outside;

	if (!rule)
		return -ENOTSUP;
	if (!is_kept(rule) || replaces(again->more, rule, value))
		return 0;
	outside = options_rule_tell(rule, value, "", again->outside);
	if (outside < 0)
		return outside;
	if (outside > 0 && !again->keeps)
		return is_work(rule) ? -EPERM : 0;
	/* of a setting that an earlier version was given twice, the last one held */
	for (int i = 1; i < next->argc && rule->value == VALUE_SETTING; i++)
		if (strncmp(next->argv[i], "--set=", 6) == 0 &&
		    strncmp(next->argv[i] + 6, value, strcspn(value, "=") + 1) == 0) {
			free(next->argv[i]);
			return asprintf(&next->argv[i], "--set=%s", value) < 0 ? -ENOMEM : 0;
		}
	return value ? next_add(next, "--%s=%s", rule->name, value)
		     : next_add(next, "--%s", rule->name);
}

/*
 * The options of a command line that say what runs, in their long form. A word by itself is an
 * experiment: behind a "--" it may look like an option.
 */
static int add_recorded(struct next *next, const struct again *again)
{
	struct taking taking = {next, again};
	char *text = strdup(again->recorded), *words[NEXT_WORDS + 1];
	int argc = text ? command_split(text, words, NEXT_WORDS) : -ENOMEM;
	int err = argc < 0 ? argc : options_rule_each(argc, words, add_rule, &taking);

	if (!err && argc - optind > 1)
		err = -EINVAL;
	if (!err && optind < argc)
		err = *words[optind] == '-' ? -EINVAL : next_add(next, "%s", words[optind]);
	free(text);
	return err;
}

/* "--set ballast=0,64M" */
static int add_more(struct next *next, const char *more)
{
	size_t n = strcspn(more, " ");

	return more[n] ? next_add(next, "%.*s=%s", (int)n, more, more + n + 1)
		       : next_add(next, "%s", more);
}

int again_make(struct next *next, const struct again *again, const struct options *now,
	       const char *by, char *error, size_t size)
{
	int err = next_add(next, "tuibench");

	if (!err)
		err = add_recorded(next, again);
	if (!err && again->seed >= 0)
		err = next_add(next, "--seed=%" PRId64, again->seed);
	if (!err && again->more)
		err = add_more(next, again->more);
	if (!err)
		err = next_add_now(next, now);
	/* a file of options could add what did not run */
	if (!err)
		err = next_add(next, "--config=" CONFIG_NONE);
	if (!err)
		return 0;
	next_free(next);
	if (err == -ENOTSUP)
		return error_line(error, size, -EINVAL,
				  "%s: the command line \"%.80s\" has an option of an earlier "
				  "version; type it anew (--help, --help settings)",
				  by, again->recorded);
	if (err == -EPERM)
		return error_line(error, size, err,
				  "%s: the session runs a program or an object of its own, which a "
				  "recording does not start; --rerun shows it and asks",
				  by);
	return error_line(error, size, err, "%s: the command line \"%.80s\" cannot be taken up: %s",
			  by, again->recorded, strerror(-err));
}
