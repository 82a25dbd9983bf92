/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * The question which background the terminal has, xterm's OSC 11. Nothing waits for the answer: it
 * comes among the keys, or never.
 */

#define ASK_TEXT "\033]11;?\007"

/* Whether a terminal of that name can be asked: consoles and old ones print what they don't know.
 */
bool ask_allowed(const char *term);
/* The colour 0xrrggbb in "11;rgb:RRRR/GGGG/BBBB", of 1 to 4 digits each. False for anything else.
 */
bool ask_parse(const char *answer, uint32_t *rgb);
