/* SPDX-License-Identifier: MIT */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/options.h"
#include "lecture/lecture.h"
#include "model/model.h"
#include "view/view.h"
#include "console.h"
#include "notes.h"
#include "recordings.h"

struct lecture_log;

/* What has been shown, as it was left. */
struct lecturer_kept {
	bool any;
	struct model model;
};

/* What a command asks of the view. */
struct lecturer_looks {
	int view; /* its number; 0: the one that answers */
	struct options_zoom zoom;
	const char *select; /* in the words; NULL */
};

/* One scene, beside what the file says of it. */
struct lecturer_scene {
	struct next words; /* of its command; none: it shows what the scene before shows */
	bool same;	   /* they look again at the session of the scene before */
	struct lecturer_looks looks;
	char *reason; /* why it cannot run or play; NULL: as far as is known it can */
	struct lecturer_kept kept;
	bool seen;
};

/*
 * A lecture on the screen: the scene that is shown, and what was shown. Scenes without a command
 * share the session of the one before them, those whose command is --replay alone as well; those
 * before the first command have none, and are slides.
 */
struct lecturer {
	struct lecture lecture;
	const struct options *options; /* the lecture's own: looks, recording */
	char path[PATH_MAX];	       /* its file; "" of a recorded one */
	bool installed;		       /* the file came with tuibench */
	struct lecturer_scene *scenes; /* as many as the lecture has */
	const char **headings;	       /* the same */
	struct lecture_log *log;       /* the caller's; NULL: nothing is recorded */
	size_t at;
	size_t from;  /* before the last step */
	bool stepped; /* the session has ended for another scene's */
	bool shown;   /* the session came to the screen */
	bool again;   /* what is on the screen was left there before */
	bool slide;   /* what is on the screen is none */
	char notice[SAMPLE_TEXT];
	struct notes notes;
};

/*
 * Reads the file, or an installed lecture of that name, and nothing else: a line for each option of
 * its commands that starts or opens something outside tuibench goes to outside, see
 * options_rule_tell(). 0, or a negative errno with a line in error.
 */
int lecturer_read(struct lecturer *lecturer, const struct options *options, FILE *outside,
		  char *error, size_t size);
/*
 * Makes sessions of all its commands, which loads the objects that they name. 0, or a negative
 * errno with a line in error, and the lecture is closed.
 */
int lecturer_open(struct lecturer *lecturer, char *error, size_t size);
/*
 * Both of a recording, which stays where it is until the lecture is closed: sessions are
 * played from it, and nothing is recorded.
 */
int lecturer_open_recorded(struct lecturer *lecturer, const struct options *options,
			   const struct scenes *scenes, char *error, size_t size);
/* The scene, from 0, whose session is shown or is about to be; SIZE_MAX: there is none. */
size_t lecturer_session(const struct lecturer *lecturer);
void lecturer_close(struct lecturer *lecturer);

/* Runs or plays one command line on the console's screen; returns its exit status. */
typedef int lecturer_play(struct options *options, struct console *console);
/* From the first scene until the speaker leaves. Returns the exit status. */
int lecturer_run(struct lecturer *lecturer, struct console *console, lecturer_play *play);

/* Why the session could not come to the screen. */
void lecturer_excuse(struct lecturer *lecturer, const char *line);
/*
 * The scene is on the screen: its texts, its view. Returns the name of the worker to
 * select; NULL: none.
 */
const char *lecturer_show(struct lecturer *lecturer, struct view_state *state);
/* It leaves it; its model is taken, if another scene follows. */
void lecturer_keep(struct lecturer *lecturer, struct model *model);
/* What is to be said of the scene that was stepped to or of the one after it; NULL: nothing. */
const char *lecturer_ahead(struct lecturer *lecturer);

/*
 * Steps to the next scene (1) or the previous one (-1), which is another session's where stepped is
 * set then; false where there is none, and the notice says so.
 */
bool lecturer_step(struct lecturer *lecturer, int by);

/*
 * The words of a scene's command, with what the speaker asked of the screen, checked as if they
 * were typed, and what they ask of the view. Recordings are those beside the lecture's file. 0, or
 * a negative errno with a line in error that names file and line; none where the scene has no
 * command.
 */
int lecturer_words_make(struct lecturer_scene *made, const struct lecture_scene *scene,
			const char *path, const struct options *now, char *error, size_t size);

/* The lectures that come with the program: beside it where it was built, else where installed. */

/*
 * The file that is meant: NAME itself, or where there is none the installed NAME.md. Whether it is
 * that, a file of the folder and no link to another.
 */
bool lectures_find(const char *name, char path[PATH_MAX]);
/* Their names, titles and folder. 0, or a negative errno with a line in error. */
int lectures_list(FILE *out, char *error, size_t size);
