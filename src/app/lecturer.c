/* SPDX-License-Identifier: MIT */
#include "lecturer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/error_line.h"
#include "lecturer_words.h"
#include "lectures.h"

/* No scene: a slide's session. */
#define NONE SIZE_MAX

static bool has_session(const struct lecturer_scene *scene)
{
	return scene->words.argc > 0 && !scene->same;
}

/* Whose session the scene shows. */
static size_t session_of(const struct lecturer *lecturer, size_t scene)
{
	for (size_t i = scene + 1; i > 0; i--)
		if (has_session(&lecturer->scenes[i - 1]))
			return i - 1;
	return NONE;
}

/* What the view is to show of it: the last that was asked for up to there. */
static const struct lecturer_looks *looks_of(const struct lecturer *lecturer, size_t scene)
{
	for (size_t i = scene + 1; i > 0; i--)
		if (lecturer->scenes[i - 1].words.argc > 0)
			return &lecturer->scenes[i - 1].looks;
	return NULL;
}

static int make_scene(struct lecturer *lecturer, size_t i, const char *path, char *error,
		      size_t size)
{
	const struct lecture_scene *scene = &lecturer->lecture.scenes[i];
	int err = lecturer_words_make(&lecturer->scenes[i], scene, path, lecturer->options, error,
				      size);

	lecturer->headings[i] = scene->heading;
	if (!err && lecturer->scenes[i].same && session_of(lecturer, i) == NONE)
		err = error_line(error, size, -EINVAL,
				 "%s:%u: --replay without a file looks again at the session of "
				 "the scene before, and there is none",
				 path, scene->line);
	return err;
}

static int make_scenes(struct lecturer *lecturer, const char *path, char *error, size_t size)
{
	const struct lecture *lecture = &lecturer->lecture;
	int err = 0;

	lecturer->scenes = calloc(lecture->n, sizeof(*lecturer->scenes));
	lecturer->headings = calloc(lecture->n, sizeof(*lecturer->headings));
	if (!lecturer->scenes || !lecturer->headings)
		return error_line(error, size, -ENOMEM, "out of memory");
	for (size_t i = 0; i < lecture->n && !err; i++)
		err = make_scene(lecturer, i, path, error, size);
	return err;
}

int lecturer_read(struct lecturer *lecturer, const struct options *options, FILE *outside,
		  char *error, size_t size)
{
	const struct lecture *lecture = &lecturer->lecture;
	int err;

	*lecturer = (struct lecturer) {.options = options};
	lecturer->installed = lectures_find(options->logs[0], lecturer->path);
	err = lecture_read(lecturer->path, &lecturer->lecture, error, size);
	for (size_t i = 0; !err && i < lecture->n; i++)
		err = lecturer_words_outside(&lecture->scenes[i], lecturer->path, outside, error,
					     size);
	if (err)
		lecturer_close(lecturer);
	return err;
}

int lecturer_open(struct lecturer *lecturer, char *error, size_t size)
{
	int err = make_scenes(lecturer, lecturer->path, error, size);

	if (err)
		lecturer_close(lecturer);
	return err;
}

static void forget(struct lecturer_kept *kept)
{
	if (kept->any)
		model_free(&kept->model);
	kept->any = false;
}

void lecturer_close(struct lecturer *lecturer)
{
	for (size_t i = 0; lecturer->scenes && i < lecturer->lecture.n; i++) {
		next_free(&lecturer->scenes[i].words);
		free(lecturer->scenes[i].reason);
		forget(&lecturer->scenes[i].kept);
	}
	free(lecturer->scenes);
	free(lecturer->headings);
	lecture_free(&lecturer->lecture);
	*lecturer = (struct lecturer) {.options = NULL};
}

/* Sessions */

size_t lecturer_session(const struct lecturer *lecturer)
{
	return session_of(lecturer, lecturer->at);
}

void lecturer_excuse(struct lecturer *lecturer, const char *line)
{
	const size_t session = session_of(lecturer, lecturer->at);

	if (session == NONE)
		return;
	free(lecturer->scenes[session].reason);
	lecturer->scenes[session].reason = strdup(line);
}

/* Nothing runs or plays: the headings, and why. */
static int show_slide(struct lecturer *lecturer, struct console *console)
{
	struct options *options = malloc(sizeof(*options));
	struct model model;
	int status;

	if (!options)
		return 1;
	*options = *lecturer->options;
	options->action = ACTION_RUN;
	options->replay = true;
	model_init(&model);
	lecturer->slide = true;
	status = app_show(console, options, &model, NULL);
	lecturer->slide = false;
	free(options);
	return status;
}

/* A session that is over: its recording is not read again, and it does not run again. */
static int show_kept(struct lecturer_scene *scene, struct options *options, struct console *console)
{
	int status;

	options->replay = true;
	options->request.hold = options->vote = false;
	scene->kept.any = false;
	console->lecturer->again = true;
	status = app_show(console, options, &scene->kept.model, NULL);
	console->lecturer->again = false;
	return status;
}

static int play_session(struct lecturer_scene *scene, struct options *options,
			struct console *console, lecturer_play *play)
{
	int status = 0, last;

	next_free(&console->now); /* what a key chose in another scene */
	do {
		last = scene->kept.any ? show_kept(scene, options, console)
				       : play(options, console);
		status = status && last < 128 ? status : last;
	} while (console_advance(console, options, &status));
	return status;
}

/* What cannot run, or play, becomes a slide with the reason. */
static int show_session(struct lecturer *lecturer, struct lecturer_scene *scene,
			struct console *console, lecturer_play *play)
{
	struct options *options = malloc(sizeof(*options));
	char error[SAMPLE_TEXT] = "out of memory";
	int status = 1;

	free(scene->reason);
	scene->reason = NULL;
	lecturer->shown = false;
	if (options && options_parse(options, scene->words.argc, scene->words.argv, error,
				     sizeof(error)) == 0) {
		options->debug = lecturer->options->debug;
		status = play_session(scene, options, console, play);
	} else {
		lecturer_excuse(lecturer, error);
	}
	free(options);
	/* the command line was right, but what it names is not there */
	if (!lecturer->shown && status == 2)
		status = 1;
	if (!lecturer->shown && !console->signal)
		show_slide(lecturer, console);
	return status;
}

int lecturer_run(struct lecturer *lecturer, struct console *console, lecturer_play *play)
{
	int status = 0, last;

	console->lecturer = lecturer;
	do {
		const size_t session = session_of(lecturer, lecturer->at);

		lecturer->stepped = false;
		last = session == NONE
			       ? show_slide(lecturer, console)
			       : show_session(lecturer, &lecturer->scenes[session], console, play);
		status = status && last < 128 ? status : last;
	} while (console_stays(console));
	notes_close(&lecturer->notes);
	return status;
}

/* The screen */

static const char *show_looks(const struct lecturer_looks *looks, struct view_state *state)
{
	if (!looks)
		return NULL;
	state->settled = looks->view > 0;
	if (looks->view > 0)
		state->view = looks->view;
	state->zoom = looks->zoom.times > 1 ? looks->zoom.times : 1;
	state->from = 0;
	state->window_from_ns = looks->zoom.from_ns;
	state->window_to_ns = looks->zoom.to_ns;
	state->present = false;
	return looks->select;
}

const char *lecturer_show(struct lecturer *lecturer, struct view_state *state)
{
	const struct lecture_scene *scene = &lecturer->lecture.scenes[lecturer->at];
	const size_t session = session_of(lecturer, lecturer->at);

	lecturer->shown = true;
	lecturer->scenes[lecturer->at].seen = true;
	state->lecture = (struct view_lecture) {
		.title = lecturer->lecture.title,
		.heading = scene->heading,
		.caption = scene->caption,
		.notes = scene->notes,
		.headings = lecturer->headings,
		.scene = lecturer->at,
		.scenes = lecturer->lecture.n,
		.slide = lecturer->slide,
		.reason = lecturer->slide && session != NONE ? lecturer->scenes[session].reason
							     : NULL,
	};
	/* who looks again has voted */
	if (lecturer->scenes[lecturer->at].same)
		state->vote = false;
	return show_looks(looks_of(lecturer, lecturer->at), state);
}

void lecturer_keep(struct lecturer *lecturer, struct model *model)
{
	const size_t session = session_of(lecturer, lecturer->from);
	struct lecturer_kept *kept;

	if (!lecturer->stepped || lecturer->slide || session == NONE || model->n_runs == 0)
		return;
	kept = &lecturer->scenes[session].kept;
	forget(kept);
	*kept = (struct lecturer_kept) {.any = true, .model = *model};
	model_init(model);
}

const char *lecturer_ahead(struct lecturer *lecturer)
{
	const size_t next = lecturer->at + 1;
	struct lecturer_scene *scene;
	char error[SAMPLE_TEXT];

	if (next >= lecturer->lecture.n || !has_session(&lecturer->scenes[next]))
		return NULL;
	scene = &lecturer->scenes[next];
	if (scene->kept.any || lecturer_words_check(&scene->words, error, sizeof(error)) == 0)
		return NULL;
	snprintf(lecturer->notice, sizeof(lecturer->notice), "The next scene cannot run: %.400s",
		 error);
	return lecturer->notice;
}

bool lecturer_step(struct lecturer *lecturer, int by)
{
	const size_t from = session_of(lecturer, lecturer->at);
	const bool first = by < 0 && lecturer->at == 0;
	const bool last = by > 0 && lecturer->at + 1 == lecturer->lecture.n;

	if (first || last) {
		snprintf(lecturer->notice, sizeof(lecturer->notice),
			 first ? "This is the first scene."
			       : "This is the last scene: q leaves the lecture.");
		return false;
	}
	lecturer->from = lecturer->at;
	lecturer->at += (size_t)by;
	lecturer->stepped = session_of(lecturer, lecturer->at) != from;
	return true;
}
