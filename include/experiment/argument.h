/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/command_words.h"
#include "experiment/experiment.h"

/*
 * Names in braces. In a command, {NAME} is replaced by the value of -s NAME. {cores}, {trial} and
 * {model} are replaced by values that tuibench knows for the run. A name begins with a letter or
 * "_" and consists of letters, digits, "_" and "-". {{NAME}} becomes {NAME}, which is not replaced.
 * Braces around anything else are plain text, and so is a shell's ${NAME}.
 */

/* Whether the text before "=" can be such a name. */
bool argument_is_name(const char *text);
/*
 * Finds the next name in braces from *at on, and moves *at past its braces. Begin with *at at the
 * start of the text. Returns false if there are no more names.
 */
bool argument_next(const char **at, char name[VARIABLE_NAME]);
/* Whether tuibench knows the value without -s: cores, trial, model. */
bool argument_is_known(const char *name);
/*
 * Whether the name in braces is in a command of the request, or in the name of an input or output
 * file.
 */
bool argument_is_used(const struct request *request, const char *name);

/* The trial is unknown, so {trial} stays in the command. */
enum { ARGUMENT_NO_TRIAL = -1 };
/*
 * Writes the words of a case's command for one trial (0 for warm-ups). Returns their number, or an
 * error of command_words_split().
 */
int argument_words(const struct experiment *experiment, uint32_t case_id, int64_t trial,
		   char words[COMMAND_BYTES]);
/*
 * Writes the words of a text, with the case's values in place of names in braces. Returns the same
 * as argument_words().
 */
int argument_fill(const struct experiment_case *config, const char *text, int64_t trial,
		  char words[COMMAND_BYTES]);
/*
 * Writes a text that is not split into words, such as a file name, with the case's values in place
 * of names in braces. Returns 0 or -E2BIG.
 */
int argument_text(const struct experiment_case *config, const char *text, int64_t trial,
		  char filled_text[COMMAND_BYTES]);
