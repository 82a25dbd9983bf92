/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <stdlib.h>

static int show_slide(struct lecturer *lecturer, struct console *console)
{
	struct options *options = malloc(sizeof(*options));
	int status;

	if (!options)
		return 1;
	*options = *lecturer->options;
	options->action = ACTION_RUN;
	options->replay = true;
	lecturer->slide = true;
	status = app_run(console, options, NULL, NULL, NULL, NULL);
	lecturer->slide = false;
	free(options);
	return status;
}

/*
 * Shows a session. If the session was shown before, shows it as the user left it, without running
 * it or reading its recording again. If a session cannot run or play, shows a slide with the
 * reason.
 */
static int show_session(struct lecturer *lecturer, struct lecturer_scene *scene,
			struct console *console, lecturer_play *play)
{
	struct options *options = malloc(sizeof(*options));
	char error[SAMPLE_TEXT] = "out of memory";
	int status = 1, last;

	free(scene->reason);
	scene->reason = NULL;
	lecturer->shown = false;
	if (options && options_parse(options, scene->words.argc, scene->words.argv, error,
				     sizeof(error)) == 0) {
		options->debug = lecturer->options->debug;
		next_free(&console->now); /* Drops the session that a key chose in another scene. */
		status = 0;
		do {
			if (scene->kept.has_session) {
				options->replay = true;
				options->request.hold = options->vote = false;
				lecturer->again = true;
				last = app_run(console, options, NULL, NULL, &scene->kept, NULL);
				lecturer->again = false;
			} else {
				last = play(options, console);
			}
			if (!(status && last < 128))
				status = last;
		} while (console_advance(console, options, &status));
	} else {
		lecturer_excuse(lecturer, error);
	}
	free(options);
	/*
	 * Status 2 means a wrong command line. This command line was checked, so the reason must be
	 * that a file or program that it names is missing.
	 */
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
		const size_t session = lecturer_session(lecturer);

		lecturer->stepped = false;
		if (session == SIZE_MAX)
			last = show_slide(lecturer, console);
		else
			last = show_session(lecturer, &lecturer->scenes[session], console, play);
		if (!(status && last < 128))
			status = last;
	} while (console_stays(console));
	notes_close(&lecturer->notes);
	return status;
}
