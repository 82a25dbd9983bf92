/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * UTF-8 as RFC 3629 has it, and what GNU libunistring knows of characters. Texts that were typed or
 * recorded may hold anything: a byte that begins no character is broken, and counts as one.
 */

#define UTF8_BYTES  5 /* of one character, with its end */
#define UTF8_BROKEN UINT32_MAX

/* Takes the next character and moves past it; 0 at the end. UTF8_BROKEN moves past one byte. */
uint32_t utf8_next(const char **text);
/* The character as UTF-8, U+FFFD for none; returns buf. */
char *utf8_put(uint32_t character, char buf[UTF8_BYTES]);

/* One place of a terminal: a letter with its marks, or an emoji. */
enum { UTF8_MARKS = 2 };
struct utf8_cell {
	uint32_t glyph; /* '?' for unprintable characters and for a mark without a letter */
	uint16_t marks[UTF8_MARKS]; /* 0: none */
	int columns;		    /* 1 or 2 */
};

/* Takes the next one and moves past it; false at the end. More than two marks are none of it. */
bool utf8_next_cell(const char **text, struct utf8_cell *cell);
/* Columns on a canvas. */
int utf8_columns(const char *text);
/* Skips as many characters as fit the columns. Returns the rest. */
const char *utf8_skip(const char *text, int columns);
/* Ends it before the first broken byte, as of a character that was cut. */
void utf8_trim(char *text);

/*
 * A printable character is not broken, no control, and not invisible: no mark of direction, joiner,
 * filler, variation selector, tag, or separator of lines. Such a character can disguise a name.
 */
bool utf8_is_printable(uint32_t character);
/* Shows nothing: white space of any kind, or not printable though not broken. */
bool utf8_is_blank(uint32_t character);
/*
 * The next character as of utf8_next(), for files: a control is a space, a broken one U+FFFD. What
 * joins two emoji stays: before is the character that was returned before, 0 at first.
 */
uint32_t utf8_next_printable(const char **text, uint32_t before);
/* The whole text as by utf8_next_printable(); malloc'ed, NULL without memory. */
char *utf8_printable(const char *text);
/*
 * Masks a text for a terminal or a log, in place: each character that is not printable becomes one
 * '?', and so does each broken byte.
 */
void utf8_mask(char *text);
/*
 * Copies a name for a terminal or a log. Unprintable characters become escapes, as within a shell's
 * $'...': "\n", "\x1b", "\u200b". An escape or character that does not fit is left out as a whole.
 * Returns buf.
 */
char *utf8_escape(const char *text, char *buf, size_t size);
/* The same for a terminal that shows ASCII alone: "\u6f22" for any other letter. */
char *utf8_ascii(const char *text, char *buf, size_t size);
bool utf8_is_ascii(const char *text);
