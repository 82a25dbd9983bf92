/* SPDX-License-Identifier: MIT */
#include "again.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"
#include "command.h"
#include "config.h"
#include "options_rule.h"

/* The new session has a recording, a seed and a start of its own. */
static bool is_kept(const struct options_rule *rule)
{
	static const char *const own[] = {"log", "no-log", "seed", "hold"};

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (strcmp(rule->name, own[i]) == 0)
			return false;
	return rule->of_run;
}

/* The command line that is made of another one, and what is added to that. */
struct taking {
	struct next *next;
	const char *more; /* "--sweep alloc=1000,4000" */
};

/* A sweep says it for each run. */
static bool is_swept(const struct options_rule *rule, const char *more)
{
	static const char sweep[] = "--sweep ";
	const size_t length = sizeof(sweep) - 1;
	char name[64];

	if (strncmp(more, sweep, length) != 0)
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(more + length, "="), more + length);
	return options_sweep_rule(name) == rule;
}

static int add_rule(void *arg, const struct options_rule *rule, const char *value)
{
	const struct taking *taking = arg;
	struct next *next = taking->next;

	if (!rule)
		return -EINVAL;
	if (!is_kept(rule) || is_swept(rule, taking->more))
		return 0;
	return value ? next_add(next, "--%s=%s", rule->name, value)
		     : next_add(next, "--%s", rule->name);
}

/* The options of a command line that say what runs. */
static int add_options(struct taking *taking, int argc, char **argv)
{
	int err = options_rule_each(argc, argv, add_rule, taking);

	for (; !err && optind < argc; optind++)
		err = next_add(taking->next, "%s", argv[optind]);
	return err;
}

/* The words last as long as text. */
static int add_command(struct taking *taking, char *text)
{
	char *words[NEXT_WORDS + 1];
	int argc = command_split(text, words, NEXT_WORDS);

	return argc < 0 ? argc : add_options(taking, argc, words);
}

static int add_recorded(struct next *next, const char *recorded, const char *more)
{
	struct taking taking = {next, more};
	char *text = strdup(recorded);
	int err = text ? add_command(&taking, text) : -ENOMEM;

	free(text);
	return err;
}

/* "--ballast 0,64M" */
static int add_more(struct next *next, const char *more)
{
	size_t n = strcspn(more, " ");

	return more[n] ? next_add(next, "%.*s=%s", (int)n, more, more + n + 1)
		       : next_add(next, "%s", more);
}

int again_make(struct next *next, const struct options *now, const char *recorded, const char *more,
	       char *error, size_t size)
{
	int err = next_add(next, "tuibench");

	if (!err)
		err = add_recorded(next, recorded, more);
	if (!err)
		err = add_more(next, more);
	if (!err)
		err = next_add_now(next, now);
	/* a file of options could add what did not run */
	if (!err)
		err = next_add(next, "--config=" CONFIG_NONE);
	if (err)
		error_line(error, size, err, "y: the command line \"%.80s\" cannot be taken up: %s",
			   recorded, strerror(-err));
	else
		err = next_check(next, error, size);
	if (err)
		next_free(next);
	return err;
}
