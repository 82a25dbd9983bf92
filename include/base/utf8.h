/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * UTF-8 (RFC 3629), with the properties of characters from GNU libunistring. Typed and recorded
 * texts may contain any bytes. A byte that begins no valid character is "broken" and counts as one
 * character.
 */

#define UTF8_BYTES  5 /* Size of a buffer for one character and a NUL byte. */
#define UTF8_BROKEN UINT32_MAX

/*
 * Returns the next character and moves *text past it; 0 at the end. For a broken byte returns
 * UTF8_BROKEN and moves past that byte.
 */
uint32_t utf8_next(const char **text);
/* Writes the character as UTF-8, or U+FFFD if it is not a valid character. Returns buf. */
char *utf8_put(uint32_t character, char buf[UTF8_BYTES]);

/* One cell of a terminal, or two cells if it is wide: a letter with its marks, or an emoji. */
enum { UTF8_MARKS = 2 };
struct utf8_cell {
	uint32_t glyph; /* '?' for unprintable characters and for a mark without a letter */
	uint16_t marks[UTF8_MARKS]; /* 0: none */
	int columns;		    /* 1 or 2 */
};

/*
 * Reads the next cell and moves *text past it. Returns false at the end. A letter has at most two
 * marks; further marks are not part of its cell.
 */
bool utf8_next_cell(const char **text, struct utf8_cell *cell);
/* Width of the text on a canvas, in columns. */
int utf8_columns(const char *text);
/* Skips as many characters as fit into the columns. Returns the rest of the text. */
const char *utf8_skip(const char *text, int columns);
/* Ends the text before its first broken byte, for example if a character was cut in two. */
void utf8_trim(char *text);

/*
 * Whether a character is printable: not broken, not a control character, and not invisible. Marks
 * of direction, joiners, fillers, variation selectors, tags and line separators are invisible, so
 * they could disguise a name.
 */
bool utf8_is_printable(uint32_t character);
/*
 * Whether a character shows nothing: any white space, or an unprintable character that is not
 * broken.
 */
bool utf8_is_blank(uint32_t character);
/*
 * The next character of a text for a file, read as by utf8_next(). A broken byte becomes U+FFFD.
 * Any other unprintable character becomes a space, except joiners and selectors that an emoji or a
 * script needs. `before` is the character that the previous call returned, 0 for the first call.
 */
uint32_t utf8_next_printable(const char **text, uint32_t before);
/*
 * Converts a whole text with utf8_next_printable(). The result is malloc'ed; NULL if memory is
 * short.
 */
char *utf8_printable(const char *text);
/*
 * Masks a text in place for a terminal or a log: each unprintable character and each broken byte
 * becomes one '?'.
 */
void utf8_mask(char *text);
/*
 * Copies a name for a terminal or a log. Unprintable characters become the escapes of a shell's
 * $'...': "\n", "\x1b", "\u200b". At the end of buf, a character or an escape that does not fit is
 * left out whole. Returns buf.
 */
char *utf8_escape(const char *text, char *buf, size_t size);
/*
 * Like utf8_escape(), for a terminal that shows only ASCII: every other character becomes an escape
 * such as "\u6f22".
 */
char *utf8_ascii(const char *text, char *buf, size_t size);
bool utf8_is_ascii(const char *text);
