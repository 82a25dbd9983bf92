/* SPDX-License-Identifier: MIT */
#include "lecturer.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"
#include "cli/command.h"
#include "cli/config.h"
#include "lecturer_words.h"
#include "cli/options.h"

/* The texts of a recording as a lecture: a caption is one line here. */

static char *one_line(const char *text)
{
	char *line = strdup(text);

	for (char *at = line; at && (at = strchr(at, '\n')) != NULL;)
		*at = ' ';
	return line;
}

static int copy_scene(struct lecture_scene *to, const struct log_scene *from)
{
	*to = (struct lecture_scene) {
		.heading = one_line(from->heading),
		.caption = one_line(from->caption),
		.notes = strdup(from->notes),
		.command = one_line(from->command),
	};
	return to->heading && to->caption && to->notes && to->command ? 0 : -ENOMEM;
}

static int copy_lecture(struct lecture *lecture, const struct log_scenes *log)
{
	int err = 0;

	lecture->title = one_line(log->title);
	lecture->scenes = calloc(log->n, sizeof(*lecture->scenes));
	if (!lecture->title || !lecture->scenes)
		return -ENOMEM;
	for (lecture->n = 0; lecture->n < log->n && !err; lecture->n++)
		err = copy_scene(&lecture->scenes[lecture->n], &log->scenes[lecture->n]);
	return err;
}

/* Words */

/* Of a command line that ran, what asks something of the view. */
static bool is_look(const struct options_rule *rule)
{
	static const char *const looks[] = {"view", "zoom", "select"};

	for (size_t i = 0; rule && i < sizeof(looks) / sizeof(*looks); i++)
		if (strcmp(rule->name, looks[i]) == 0)
			return true;
	return false;
}

static int add_look(void *next, const struct options_rule *rule, const char *value)
{
	return is_look(rule) ? next_add(next, "--%s=%s", rule->name, value) : 0;
}

/* What cannot be read asks for nothing. */
static int add_command(struct next *next, char *command)
{
	char *words[NEXT_WORDS + 1];
	int n = command_split(command, words, NEXT_WORDS);

	return n < 0 ? 0 : options_rule_each(n, words, add_look, next);
}

static int add_looks_of(struct next *next, const char *command)
{
	char *copy = strdup(command);
	int err = copy ? add_command(next, copy) : -ENOMEM;

	free(copy);
	return err;
}

/* Standard input has a name as well, and a name is no option. */
static int add_path(struct next *next, const struct scenes *scenes)
{
	if (strcmp(scenes->path, "-") == 0)
		return next_add(next, "/proc/self/fd/%d", scenes->fd);
	return next_add(next, "%s%s", *scenes->path == '-' ? "./" : "", scenes->path);
}

/* The scene's session, from the recording. */
static int add_words(struct next *next, const struct options *now, const struct scenes *scenes,
		     size_t i, bool looks)
{
	int err = next_add(next, "tuibench");

	if (!err)
		err = next_add(next, "--replay");
	if (!err)
		err = next_add(next, "--scene=%zu", i + 1);
	if (!err && now->speed_given)
		err = next_add(next, "--speed=%g", now->speed);
	if (!err)
		err = next_add(next, "--config=" CONFIG_NONE);
	if (!err && looks)
		err = add_looks_of(next, scenes->log.scenes[i].command);
	return err ? err : add_path(next, scenes);
}

/*
 * The command of a scene without a session may look again at the one before. One with more than
 * that is not even looked at: a recorded lecture starts nothing.
 */
static bool looks_again(struct lecturer_scene *made, const struct lecture_scene *scene,
			const struct options *now, const char *path)
{
	char error[SAMPLE_TEXT], *outside = NULL;
	size_t size;
	FILE *to = open_memstream(&outside, &size);
	bool plain = to && lecturer_words_outside(scene, path, to, error, sizeof(error)) == 0;

	if (to)
		plain &= fclose(to) == 0 && size == 0;
	free(outside);
	return plain && lecturer_words_make(made, scene, path, now, error, sizeof(error)) == 0 &&
	       made->same;
}

/* A scene that ran, or was to: of one that did not, what plays it says so. */
static int make_scene(struct lecturer *lecturer, const struct scenes *scenes, size_t i, char *error,
		      size_t size)
{
	const struct lecture_scene *scene = &lecturer->lecture.scenes[i];
	struct lecturer_scene *made = &lecturer->scenes[i];
	const bool ran = scenes_ran(scenes, i);

	lecturer->headings[i] = scene->heading;
	if (!ran && (!*scene->command || looks_again(made, scene, lecturer->options, scenes->path)))
		return 0;
	made->same = false;
	/* Looks that cannot be had, as of a damaged row, are left out. */
	for (int looks = 1; looks >= 0; looks--) {
		next_free(&made->words);
		if (add_words(&made->words, lecturer->options, scenes, i, looks))
			return error_line(error, size, -ENOMEM, "out of memory");
		if (lecturer_words_look(made, lecturer->options, error, size) == 0)
			return 0;
	}
	return -EINVAL;
}

static int make_scenes(struct lecturer *lecturer, const struct scenes *scenes, char *error,
		       size_t size)
{
	const size_t n = lecturer->lecture.n;
	int err = 0;

	lecturer->scenes = calloc(n, sizeof(*lecturer->scenes));
	lecturer->headings = calloc(n, sizeof(*lecturer->headings));
	if (!lecturer->scenes || !lecturer->headings)
		return error_line(error, size, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n && !err; i++)
		err = make_scene(lecturer, scenes, i, error, size);
	return err;
}

int lecturer_open_recorded(struct lecturer *lecturer, const struct options *options,
			   const struct scenes *scenes, char *error, size_t size)
{
	int err = 0;

	*lecturer = (struct lecturer) {.options = options};
	if (scenes->log.n == 0)
		err = error_line(error, size, -ENODATA,
				 "\"%s\": is the recording of a lecture that showed no scene",
				 scenes->path);
	else if (copy_lecture(&lecturer->lecture, &scenes->log))
		err = error_line(error, size, -ENOMEM, "out of memory");
	if (!err)
		err = make_scenes(lecturer, scenes, error, size);
	if (err)
		lecturer_close(lecturer);
	return err;
}
