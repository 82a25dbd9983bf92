/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/options.h"
#include "source/source.h"
#include "console.h"
#include "view/question.h"

struct log_writer;
struct model;

/*
 * The loop with a screen: samples into log and model, views onto the screen, keys. The console has
 * the terminal or takes it. log may be NULL, log_name too; source and log stay the caller's, who
 * closes them, and the run has been stopped. Returns the exit status of the session. Where a key
 * chose a session to follow, console->next has it and the console keeps the terminal; else it was
 * given back, with the session's errors on standard error. The signals that end a session, and
 * SIGPIPE, are left blocked, so that a second one does not keep the caller from closing what it
 * opened.
 */
int app_run(struct console *console, const struct options *options, struct source *source,
	    struct log_writer *log, const char *log_name);
/* The same for a session that is complete already; takes the model's contents. */
int app_show(struct console *console, const struct options *options, struct model *model,
	     const char *log_name);
/* The notes that console->notes receives, until their lecture ends. */
int app_notes(struct console *console, const struct options *options);
/* The menu without a session below it. */
int app_menu(struct console *console, const struct options *options);
/*
 * A question on a screen of its own, before anything runs; its text is freed. 0: yes, and the
 * terminal is kept for what follows; 1: no, or there is no screen; 128 and more: a signal.
 */
int app_ask(struct console *console, const struct options *options,
	    const struct view_question *question);
