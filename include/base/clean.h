/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_CLEAN_H
#define TUIBENCH_CLEAN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Texts of a recording may hold anything. What leaves through here is UTF-8 without control
 * characters: those become spaces, and each byte that begins no character U+FFFD.
 */

#define CLEAN_BYTES 5 /* of one character, with its end */

/* C0, DEL, C1, and the marks that turn the direction of the text behind them. */
bool clean_is_control(uint32_t character);
/* Takes the next character and moves past it; 0 at the end. */
uint32_t clean_next(const char **text);
/* The character as UTF-8; returns buf. */
const char *clean_utf8(uint32_t character, char buf[CLEAN_BYTES]);
/* All of it; malloc'ed, NULL without memory. */
char *clean_text(const char *text);

#endif
