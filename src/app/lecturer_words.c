/* SPDX-License-Identifier: MIT */
#include "lecturer_words.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error_line.h"
#include "base/utf8.h"
#include "cli/config.h"
#include "cli/options.h"

/* A character that a shell would make something of; NULL: none. */
static const char *shell_mark(const char *line)
{
	bool quoted = false;

	for (; *line; line++) {
		quoted ^= *line == '\'';
		if (!quoted && strchr("\"`$\\;|&<>()*?~{}!", *line))
			return line;
	}
	return NULL;
}

/* Blanks in a row are one, as for a shell. */
static void squeeze(char *line)
{
	bool quoted = false;
	char *to = line;

	for (; *line; line++) {
		quoted ^= *line == '\'';
		if (quoted || line[0] != ' ' || line[1] != ' ')
			*to++ = *line;
	}
	*to = '\0';
}

static int split(struct next *words, const char *command)
{
	char *line = strdup(command);
	int err = line ? 0 : -ENOMEM;

	if (!err) {
		squeeze(line);
		err = next_add_line(words, line);
	}
	free(line);
	return err;
}

/* A scene shows something, and goes on until the speaker steps. */
static int check_kind(const struct options *options, char *error, size_t size)
{
	const char *what = NULL;

	if (options->action != ACTION_RUN || options->menu || options->rerun)
		what = "a scene runs or replays, and this does neither";
	else if (options->batch || options->log)
		what = "--batch and --log are of a command line, not of a scene; leave them out";
	else if (options->exit)
		what = "--exit: the speaker leaves a scene; leave it out";
	else if (options->replay && options->n_logs == 1 && strcmp(options->logs[0], "-") == 0)
		what = "--replay: \"-\" is where keys come from; name a file";
	return what ? error_line(error, size, -EINVAL, "%s", what) : 0;
}

/* A relative name is one beside the lecture, as of a link in its text. */
static int place_log(char **log, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *placed;

	if (!slash || **log == '/')
		return 0;
	if (asprintf(&placed, "%.*s/%s", (int)(slash - path), path, *log) < 0)
		return -ENOMEM;
	free(*log);
	*log = placed;
	return 0;
}

/* They stand at the end of the words, where getopt has moved them. */
static int place_logs(const struct options *options, const char *path)
{
	int err = 0;

	for (int i = 0; options->replay && i < options->n_logs && !err; i++)
		err = place_log(&options->logs[i], path);
	return err;
}

/*
 * A wrong value is wrong on any machine; what does not fit this one is another matter. How many
 * trials it takes is not worked out for all scenes at once: the first one waits for it.
 */
static int check_values(const struct options *options, char *error, size_t size)
{
	struct request request = options->request;
	struct experiment *experiment;
	int err;

	if (options->replay)
		return 0;
	request.quick = false;
	request.trials = request.trials ? request.trials : 1;
	experiment = calloc(1, sizeof(*experiment));
	err = experiment ? experiment_build(&request, experiment, error, size)
			 : error_line(error, size, -ENOMEM, "out of memory");
	free(experiment);
	return err == -EINVAL || err == -ENOMEM ? err : 0;
}

static int check(const struct options *options, char *error, size_t size)
{
	int err = check_kind(options, error, size);

	return err ? err : check_values(options, error, size);
}

/* What the speaker asked of the screen and of recordings; a replay makes none. */
static int add_now(struct lecturer_scene *made, const struct options *scene,
		   const struct options *now)
{
	struct options asked = *now;

	asked.no_log = now->no_log && !scene->replay;
	asked.config = NULL;
	return next_add_now(&made->words, &asked);
}

/* As the lecture has them, then as they are to be run. */
static int parse(struct lecturer_scene *made, const char *path, const struct options *now,
		 char *error, size_t size)
{
	struct next *words = &made->words;
	struct options *options = calloc(1, sizeof(*options));
	int err = options ? options_parse(options, words->argc, words->argv, error, size)
			  : error_line(error, size, -ENOMEM, "out of memory");

	if (!err)
		err = check(options, error, size);
	if (!err && add_now(made, options, now))
		err = error_line(error, size, -E2BIG, "too many words");
	if (!err)
		err = options_parse(options, words->argc, words->argv, error, size);
	if (!err && path && place_logs(options, path))
		err = error_line(error, size, -ENOMEM, "out of memory");
	if (!err) {
		made->same = options->replay && options->n_logs == 0;
		made->looks = (struct lecturer_looks) {
			.view = options->view, .zoom = options->zoom, .select = options->select};
	}
	free(options);
	return err;
}

int lecturer_words_look(struct lecturer_scene *made, const struct options *now, char *error,
			size_t size)
{
	return parse(made, NULL, now, error, size);
}

static int make(struct lecturer_scene *made, const struct lecture_scene *scene, const char *path,
		const struct options *now, char *error, size_t size)
{
	const char *mark = shell_mark(scene->command);
	int err;

	if (mark)
		return error_line(error, size, -EINVAL,
				  "%c is for a shell, and none reads this; a word with it stands "
				  "in '…'",
				  *mark);
	err = split(&made->words, scene->command);
	/* a scene runs what the lecture says, wherever it is held */
	if (!err)
		err = next_add(&made->words, "--config=" CONFIG_NONE);
	/* in front: behind an option that lacks its value it would be that */
	for (int i = made->words.argc - 1; !err && i > 1; i--) {
		char *word = made->words.argv[i];

		made->words.argv[i] = made->words.argv[i - 1];
		made->words.argv[i - 1] = word;
	}
	if (err)
		return error_line(error, size, err, "no command line: %s",
				  err == -EINVAL ? "a ' without another" : strerror(-err));
	return parse(made, path, now, error, size);
}

int lecturer_words_make(struct lecturer_scene *made, const struct lecture_scene *scene,
			const char *path, const struct options *now, char *error, size_t size)
{
	char what[512];
	int err;

	*made = (struct lecturer_scene) {.same = false};
	if (!*scene->command)
		return 0;
	err = make(made, scene, path, now, what, sizeof(what));
	if (!err)
		return 0;
	next_free(&made->words);
	return error_line(error, size, err, "%s:%u: %s", path, scene->line, what);
}

struct telling {
	const char *where; /* "talk.md:12 " */
	FILE *outside;
	bool config; /* a file of options was named */
};

static int tell(void *arg, const struct options_rule *rule, const char *value)
{
	struct telling *telling = arg;
	int told = rule ? options_rule_tell(rule, value, telling->where, telling->outside) : 0;

	telling->config |= rule && rule->offset == offsetof(struct options, config);
	return told < 0 ? told : 0;
}

int lecturer_words_outside(const struct lecture_scene *scene, const char *path, FILE *outside,
			   char *error, size_t size)
{
	char where[PATH_MAX + 32];
	struct telling telling = {where, outside, false};
	struct next words = {.argc = 0};
	int err = 0;

	snprintf(where, sizeof(where), "%s:%u ", path, scene->line);
	utf8_mask(where); /* a newline in it would begin a line of its own */
	/* one that cannot be split is refused before any of them runs */
	if (split(&words, scene->command) == 0)
		err = options_rule_each(words.argc, words.argv, tell, &telling);
	next_free(&words);
	if (err)
		return error_line(error, size, err, "%s: out of memory", path);
	if (telling.config)
		return error_line(error, size, -EINVAL,
				  "%s:%u: --config: a lecture reads no file of options; write its "
				  "options into the block",
				  path, scene->line);
	return 0;
}

static int check_logs(const struct options *options, char *error, size_t size)
{
	for (int i = 0; options->replay && i < options->n_logs; i++)
		if (access(options->logs[i], R_OK) != 0)
			return error_line(error, size, -errno, "%s: %s", options->logs[i],
					  strerror(errno));
	return 0;
}

int lecturer_words_check(struct next *words, char *error, size_t size)
{
	struct options *options = calloc(1, sizeof(*options));
	int err = options ? options_parse(options, words->argc, words->argv, error, size)
			  : error_line(error, size, -ENOMEM, "out of memory");

	if (!err)
		err = check_logs(options, error, size);
	if (!err)
		err = next_check(words, error, size);
	free(options);
	return err;
}
