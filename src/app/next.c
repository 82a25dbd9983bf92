/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error_line.h"
#include "cli/command.h"
#include "experiment/experiment.h"

void next_free(struct next *next)
{
	while (next->argc > 0)
		free(next->argv[--next->argc]);
	*next = (struct next) {.argc = 0};
}

int next_add(struct next *next, const char *format, ...)
{
	va_list args;

	if (next->argc == NEXT_WORDS && !next->err)
		next->err = -E2BIG;
	if (next->err)
		return next->err;
	va_start(args, format);
	if (vasprintf(&next->argv[next->argc], format, args) < 0)
		next->err = -ENOMEM;
	else
		next->argc++;
	va_end(args);
	next->argv[next->argc] = NULL;
	return next->err;
}

int next_add_now(struct next *next, const struct options *now)
{
	bool has_config = !now->config;

	for (int i = 0; i < next->argc; i++)
		has_config |= strncmp(next->argv[i], "--config", 8) == 0;
	if (now->ascii)
		next_add(next, "--ascii");
	if (now->no_mouse)
		next_add(next, "--no-mouse");
	if (now->no_log)
		next_add(next, "--no-log");
	if (now->no_color)
		next_add(next, "--no-color");
	if (!has_config)
		next_add(next, "--config=%s", now->config);
	if (now->fps != OPTIONS_FPS)
		next_add(next, "--fps=%u", now->fps);
	return next->err;
}

int next_check(struct next *next, char *error, size_t size)
{
	struct experiment *experiment = malloc(sizeof(*experiment));
	struct options *options = calloc(1, sizeof(*options));
	int err;

	if (!experiment || !options) {
		free(experiment);
		free(options);
		return error_line(error, size, -ENOMEM, "out of memory");
	}
	err = options_parse(options, next->argc, next->argv, error, size);
	for (int i = 0; i < options->n_logs; i++) {
		if (err || !options->replay)
			break;
		if (strcmp(options->logs[i], "-") != 0 && access(options->logs[i], R_OK) != 0)
			err = error_line(error, size, -errno, "%s: %s", options->logs[i],
					 strerror(errno));
	}
	if (!err && options->action == ACTION_RUN && !options->replay)
		err = experiment_build(&options->request, experiment, error, size);
	free(experiment);
	free(options);
	return err;
}

int next_add_line(struct next *next, const char *line)
{
	char *text = strdup(line), *words[NEXT_WORDS + 1];
	int n;

	if (!text)
		return -ENOMEM;
	n = command_split(text, words, NEXT_WORDS);
	for (int i = 0; i < n; i++)
		next_add(next, "%s", words[i]);
	free(text);
	if (n < 0)
		return n;
	return next->err;
}

static int add_rule(struct next *next, const struct again *again, const struct options_rule *rule,
		    const char *value)
{
	/*
	 * Leave out the old session's options for its recording, seed and start, because the new
	 * session has its own options for these.
	 */
	static const char *const own[] = {"log", "no-log", "seed", "hold"};
	const char *more = again->more;
	size_t name;
	int outside;

	if (!rule)
		return -ENOTSUP;
	if (!rule->of_run)
		return 0;
	for (size_t i = 0; i < LENGTH(own); i++)
		if (strcmp(rule->name, own[i]) == 0)
			return 0;
	if (rule->value == VALUE_SETTING)
		name = strcspn(value, "=") + 1;
	else
		name = 0;
	/* "--set alloc=0" in `more` replaces the recorded value of alloc. */
	if (more && name > 0 && strncmp(more, "--set ", 6) == 0 &&
	    strncmp(more + 6, value, name) == 0)
		return 0;
	outside = options_rule_tell(rule, value, "", again->outside);
	if (outside < 0)
		return outside;
	if (outside > 0 && !again->keeps) {
		/* Without this option, the session would do other work. */
		if (rule->value == VALUE_PROGRAM || rule->offset == offsetof(struct options, own))
			return -EPERM;
		return 0;
	}
	/*
	 * An earlier version may have recorded a setting twice. The last value is the valid one, so
	 * replace the first value by it.
	 */
	for (int i = 1; i < next->argc; i++) {
		if (name <= 0)
			break;
		if (strncmp(next->argv[i], "--set=", 6) == 0 &&
		    strncmp(next->argv[i] + 6, value, name) == 0) {
			free(next->argv[i]);
			if (asprintf(&next->argv[i], "--set=%s", value) < 0)
				return -ENOMEM;
			return 0;
		}
	}
	if (value)
		return next_add(next, "--%s=%s", rule->name, value);
	return next_add(next, "--%s", rule->name);
}

int again_make(struct next *next, const struct again *again, const struct options *now,
	       const char *by, char *error, size_t size)
{
	char *text = strdup(again->recorded), *words[NEXT_WORDS + 1];
	const char *value = strchrnul(sentence_text(again->more, ""), ' ');
	struct options_walk walk;
	int argc = -ENOMEM, err;

	if (text)
		argc = command_split(text, words, NEXT_WORDS);
	err = MIN(argc, 0);
	walk = (struct options_walk) {argc, words};
	next_add(next, "tuibench");
	while (!err && options_next(&walk))
		err = add_rule(next, again, walk.rule, walk.value);
	/*
	 * The only word that is not an option is the experiment. After "--", that word could begin
	 * with "-". Refuse such a word, because it would be an option of the new command line.
	 */
	if (!err && optind < argc) {
		if (argc - optind > 1 || *words[optind] == '-')
			err = -EINVAL;
		else
			err = next_add(next, "%s", words[optind]);
	}
	free(text);
	if (!err && again->seed >= 0)
		next_add(next, "--seed=%" PRId64, again->seed);
	if (!err && *value) /* such as "--set ballast=0,64M" */
		next_add(next, "%.*s=%s", (int)(value - again->more), again->more, value + 1);
	else if (!err && again->more)
		next_add(next, "%s", again->more);
	if (!err)
		next_add_now(next, now);
	/*
	 * Read no configuration file, because it could add something that was not part of the
	 * recorded run.
	 */
	if (!err)
		err = next_add(next, "--config=" CONFIG_NONE);
	if (!err)
		return 0;
	next_free(next);
	if (err == -ENOTSUP)
		return error_line(error, size, -EINVAL,
				  "%s: the command line \"%.80s\" has an option of an earlier "
				  "version; type it again (--help, --help settings)",
				  by, again->recorded);
	if (err == -EPERM)
		return error_line(error, size, err,
				  "%s would run the recorded program or shared object again; "
				  "--rerun shows it and asks before running it",
				  by);
	return error_line(error, size, err, "%s: the command line \"%.80s\" cannot be run: %s", by,
			  again->recorded, strerror(-err));
}
