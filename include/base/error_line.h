/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef __GLIBC__
/* musl has no names of errors and signals: as for numbers without a name, callers print those. */
#define strerrorname_np(error) ((void)(error), NULL)
#define sigabbrev_np(signal)   ((void)(signal), NULL)
#endif

/*
 * Writes one line for the user into error and returns err, so that `return error_line(…)` says why.
 * The line has neither the program's name nor a newline. It may quote typed text, so unprintable
 * characters become '?' and no control sequence reaches the terminal. A line longer than size or
 * ERROR_LINE_ROOM loses its middle, which is typed text as a rule.
 */
int error_line(char *error, size_t size, int err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* What most lines fit into, so that "out of memory" can be said. */
enum { ERROR_LINE_ROOM = 1024 };

/*
 * The same of any length: in room where it fits, else allocated, for free(). Without memory what
 * fits of it. Never NULL; it ends with a null byte.
 */
char *error_line_text(char *room, size_t size, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

/* A text while it is put together; what does not fit is left out. */
struct sentence {
	char *buf;
	size_t size, used;
};

/* An empty one. */
struct sentence sentence_in(char *buf, size_t size);
/* One with bytes of its own, in buf until the end of the block. */
#define SENTENCE(bytes) ((struct sentence) {(char[bytes]) {""}, bytes, 0})
void sentence_add(struct sentence *sentence, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Adds to a list: the separator first, unless the sentence is empty. */
void sentence_join(struct sentence *sentence, const char *separator, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Writes words from a column on, in 80 columns; lines begin with before, as wide as the indent. */
void sentence_wrap(FILE *out, const char *text, int column, int indent, const char *before);
/* The ending of a noun after the number n: "s", or "" after 1. */
const char *sentence_plural(int64_t n);
/* The text; otherwise if it is NULL or empty. */
const char *sentence_text(const char *text, const char *otherwise);
/* Makes the letter at that place a capital. */
void sentence_begin(struct sentence *sentence, size_t at);

/* Takes the reader's language from the environment. Until then, and without gettext, English. */
void sentence_language(void);
/* The text in that language, as UTF-8; itself where it has no translation. */
const char *sentence_translated(const char *text);
/* Marks what will be translated, for po/pot.sh. */
#define N_(text) text
