/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "app.h"
#include "chooser.h"
#include "draw/canvas.h"
#include "model/model.h"
#include "player.h"
#include "view/question.h"
#include "view/view.h"

/* What the loop (app.c) and what keys do (press.c) share: one session on the screen. */

struct app {
	const struct options *options;
	struct source *source;
	struct log_writer *log; /* NULL: none, or it has failed */
	struct console *console;
	struct model model;
	struct player player;
	struct view view;
	struct canvas canvas;
	struct chooser *chooser;       /* of the menu that is open; NULL */
	struct view_question question; /* its text is NULL: none is open */
	bool agreed;		       /* to the last one, which ends the session */
	bool alone;		       /* the menu or a question is all there is */
	bool dirty;		       /* something has changed since the last frame */
	bool urgent;		       /* it was asked for: no waiting for the next frame's time */
	bool stalled;		       /* the terminal has not taken the last frame */
	uint64_t due_ns;	       /* no frame before, unless one is urgent */
	bool paused;		       /* as we told the source */
	bool done;		       /* nothing more is planned */
	bool broken;		       /* the source gives no more samples */
	bool failed;
	uint64_t lost; /* samples that the model could not take */
	bool quit;
	const char *select;    /* the worker's name of --select, until it is known; NULL */
	bool ahead;	       /* a lecture's next scene is to be checked */
	enum keys_act asked;   /* whose question is shown: the same key or click is a yes; 0 */
	enum keys_act answers; /* the same before the key that is pressed now */
	uint64_t revealed_ns;  /* since when a vote's bars run out; 0: they do not */
	char notice[SAMPLE_TEXT];
};

/* A line of text for the user; a notice that fails the session as well. */
void app_notify(struct app *app, const char *text);
void app_fail(struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The session is over: no more samples come by themselves. */
bool app_is_over(const struct app *app);
/* Nothing moves the session's clock: neither the player nor new samples. */
bool app_stands(const struct app *app);
/* A run is measured, which a choice would end. */
bool app_measures(const struct app *app);
/* The frame as of the model's clock; false without memory for it. */
bool app_compose(struct app *app);
/* A closed terminal ends the session as SIGHUP does, which may be ignored (nohup). */
void app_hang_up(struct app *app);
