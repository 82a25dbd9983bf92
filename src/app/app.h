/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cli/options.h"
#include "draw/canvas.h"
#include "model/model.h"
#include "source/source.h"
#include "view/question.h"
#include "view/view.h"
#include "chooser.h"
#include "console.h"
#include "player.h"

struct log_writer;
struct model;

/*
 * The loop with a screen: samples into log and model, views onto the screen, keys. The console has
 * the terminal or takes it. Where source is NULL, the session is that of the model, whose contents
 * are taken, or there is none: a slide, the menu alone. log, model and log_name may be NULL; source
 * and log stay the caller's, who closes them, and the run has been stopped. Returns the exit status
 * of the session. Where a key chose a session to follow, console->next has it and the console keeps
 * the terminal; else it was given back, with the session's errors on standard error. The signals
 * that end a session, and SIGPIPE, are left blocked, so that a second one does not keep the caller
 * from closing what it opened.
 */
int app_run(struct console *console, const struct options *options, struct source *source,
	    struct log_writer *log, struct model *model, const char *log_name);
/*
 * A question on a screen of its own, before anything runs; its text is freed. 0: yes, and the
 * terminal is kept for what follows; 1: no, or there is no screen; 128 and more: a signal.
 */
int app_ask(struct console *console, const struct options *options,
	    const struct view_question *question);

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
	bool paused;		       /* as the source was asked */
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

/* What keys and the mouse do to a session. */

/* All that were pressed since the last call. */
void press_keys(struct app *app);
/* Pauses the workers, or lets them go on. */
void press_pause(struct app *app);
void press_open_menu(struct app *app);
/* A lecture's scene as the view's state; its next one is to be checked. */
void press_scene(struct app *app);

/*
 * The run without a screen: progress on standard error, the result on standard output in the
 * chosen format; on standard error where the log takes standard output. Where somebody follows the
 * log through a pipe, perhaps on the same terminal, only what the log cannot hold is said, and the
 * pipe's end is the session's, as by SIGPIPE. log may be NULL. Returns the exit status of the
 * program, with messages already given.
 * SIGINT, SIGTERM and SIGHUP end the run cleanly. They and SIGPIPE are left blocked, so that a
 * second one does not keep the caller from closing what it opened; whoever starts a program sets
 * its mask.
 */
int batch_run(const struct options *options, struct source *source, struct log_writer *log);

/*
 * The self-test: progress on standard error, the table or its JSON on standard output. Returns the
 * exit status of the program: 0 all is as expected, 1 something is not, or could not be done.
 * The signals that end it are left blocked, as by batch_run().
 */
int self_test_run(const struct options *options);
