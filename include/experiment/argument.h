/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/command_words.h"
#include "experiment/experiment.h"

/*
 * Names in braces: in a command, {NAME} is replaced by the value of -s NAME, and {cores}, {trial}
 * and {model} by what tuibench knows of the run. A name begins with a letter or "_" and has
 * letters, digits, "_" and "-". {{NAME}} is the text {NAME}. Braces around anything else are plain
 * text, and so is ${NAME}, a shell's variable.
 */

/* Whether the text, up to "=", could be one. */
bool argument_is_name(const char *text);
/*
 * The next name of the text. *at begins as the text and moves behind the name's braces. False:
 * there is no more.
 */
bool argument_next(const char **at, char name[VARIABLE_NAME]);
/* Whether the value is known without -s: of cores, trial, model. */
bool argument_is_known(const char *name);
/* Whether a command of the request has the name. */
bool argument_is_used(const struct request *request, const char *name);

/* A trial that is not known: {trial} stays in the command. */
enum { ARGUMENT_NO_TRIAL = -1 };
/*
 * The words of a case's command in one trial, 0 for warm-ups. How many, or the error of
 * command_words_split().
 */
int argument_words(const struct experiment *experiment, uint32_t case_id, int64_t trial,
		   char words[COMMAND_BYTES]);
/* The words of a text, with the values of a case in the place of names in braces. */
int argument_fill(const struct experiment_case *one, const char *text, int64_t trial,
		  char words[COMMAND_BYTES]);
/* The same for a text that is not a command, such as a file's name: 0 or -E2BIG. */
int argument_text(const struct experiment_case *one, const char *text, int64_t trial,
		  char filled_text[COMMAND_BYTES]);
