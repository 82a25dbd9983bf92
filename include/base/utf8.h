/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * UTF-8 as RFC 3629 has it. Texts that were typed or recorded may hold anything: a byte that begins
 * no character is broken, and counts as one.
 */

#define UTF8_BYTES  5 /* of one character, with its end */
#define UTF8_BROKEN UINT32_MAX

/* Takes the next character and moves past it; 0 at the end. UTF8_BROKEN moves past one byte. */
uint32_t utf8_next(const char **text);
/* The character as UTF-8; returns buf. */
char *utf8_encode(uint32_t character, char buf[UTF8_BYTES]);
/* Columns on a canvas, where each character takes one. */
int utf8_columns(const char *text);
/* Ends it before the first broken byte, as of a character that was cut. */
void utf8_trim(char *text);

/* Not broken, nor C0, DEL, C1, or a mark that turns the direction of the text behind it. */
bool utf8_is_printable(uint32_t character);
/* As utf8_next(), for files: a space where it is a control, U+FFFD where it is broken. */
uint32_t utf8_next_printable(const char **text);
/* All of it in that way; malloc'ed, NULL without memory. */
char *utf8_printable(const char *text);
/* For a terminal or a log, in place: each byte of what is not printable becomes '?'. */
void utf8_mask(char *text);
