/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/error_line.h"
#include "cli/command.h"
#include "log/log.h"
#include "write/export.h"

#define LOG_LIMIT (UINT64_C(64) << 20) /* bytes */

/* The seed if --seed was not given: above every seed that the option accepts. */
#define SEED_UNSET UINT64_MAX

/*
 * Writes the command line into the recording, so that the session can be repeated. Includes a drawn
 * seed only if the user typed --order random.
 */
static int write_command(const struct options_typed *typed, int argc, char **argv,
			 const struct options_config *added)
{
	struct options *options = typed->options;
	struct request *request = &options->request;
	char **words = calloc((size_t)argc + (size_t)added->n, sizeof(*words));
	char text[48] = "";
	uint32_t seed = 0;

	request->command = options->command;
	if (!words)
		return -ENOMEM;
	if (request->seed == SEED_UNSET) {
		if (getrandom(&seed, sizeof(seed), 0) == sizeof(seed))
			request->seed = seed;
		else
			request->seed = 0;
		if (options_given(typed, "order") && request->order == ORDER_RANDOM)
			snprintf(text, sizeof(text), " --seed %" PRIu64, request->seed);
	}
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	/* Put the experiment first, because getopt has moved it to the end. */
	if (options->action == ACTION_RUN && !options->replay && argc > optind) {
		words[1] = argv[optind];
		memcpy(words + 2, argv + 1, (size_t)(argc - 2) * sizeof(*words));
	}
	memcpy(words + argc, added->words, (size_t)added->n * sizeof(*words));
	command_write(options->command, sizeof(options->command), argc + added->n, words, text);
	free(words);
	return 0;
}

/*
 * Returns the topic of --help; NULL if there is none. In "--help -c" the topic is an option, so
 * these two words must be the whole command line.
 */
static const char *help_topic(const struct options *options)
{
	if (options->n_logs > 0)
		return options->logs[0];
	if (options->argc == 3 && strcmp(options->argv[2], "--") != 0 &&
	    (strcmp(options->argv[1], "--help") == 0 || strcmp(options->argv[1], "-h") == 0))
		return options->argv[2];
	return NULL;
}

static int parse(struct options_typed *typed, int argc, char **argv)
{
	struct options *options = typed->options;
	struct options_config added = {.n = 0};
	const char *no_color = getenv("NO_COLOR");
	struct options_walk walk = {argc, argv};
	const struct experiment_kind *experiment;
	int err = 0;

	*options = (struct options) {
		.fps = OPTIONS_FPS,
		.log_limit = LOG_LIMIT,
		.speed = 1,
		.size = {120, 36},
		.format = export_of_result(1),
		.no_color = no_color && *no_color,
		.argc = argc,
		.argv = argv,
	};
	request_init(&options->request);
	options->request.seed = SEED_UNSET;
	while (!err && options_next(&walk))
		err = options_take(typed, walk.rule, walk.value);
	options->logs = argv + optind;
	options->n_logs = argc - optind;
	if (err || options->action == ACTION_VERSION)
		return err;
	if (options->action == ACTION_HELP) {
		options->topic = help_topic(options);
		return 0;
	}
	if (options_given(typed, "completion")) {
		options->action = ACTION_COMPLETION;
		return 0;
	}
	if (options->action == ACTION_RUN && options_given(typed, "export"))
		options->action = ACTION_EXPORT;
	/* The only word names an experiment, as in "tuibench hello". */
	if (options->n_logs == 1)
		experiment = experiment_find(options->logs[0]);
	else
		experiment = NULL;
	if (experiment && options->action == ACTION_RUN && !options->replay) {
		options->request.experiment = experiment->name;
		options->n_logs = 0;
		typed->given[0] = true;
	}
	/* Check the typed options separately first. Then add the file's options. */
	err = options_check(typed);
	if (!err && options->action != ACTION_LIST && options->action != ACTION_LECTURE)
		err = options_config_apply(typed, &added);
	if (!err)
		err = write_command(typed, argc, argv, &added);
	return err;
}

static int parse_words(struct options_typed *typed, int argc, char **argv)
{
	int err;

	*typed->error = '\0';
	err = parse(typed, argc, argv);
	if (err >= 0 || *typed->error)
		return err;
	return error_line(typed->error, typed->size, err, "%s",
			  err == -ENOMEM ? "out of memory" : strerror(-err));
}

int options_parse(struct options *options, int argc, char **argv, char *error, size_t size)
{
	struct options_typed typed = {options, error, size, {0}, false};

	return parse_words(&typed, argc, argv);
}

int options_parse_scene(struct options *options, int argc, char **argv, char *error, size_t size)
{
	struct options_typed typed = {options, error, size, {0}, true};

	return parse_words(&typed, argc, argv);
}
