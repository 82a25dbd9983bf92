/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef __GLIBC__
/* musl lacks these functions. Callers print the number if they get no name. */
#define strerrorname_np(error) ((void)(error), NULL)
#define sigabbrev_np(signal)   ((void)(signal), NULL)
#endif

/*
 * Writes one line for the user into error and returns err, for use in `return error_line(…)`. The
 * line has neither the program's name nor a newline. It may quote typed text, so unprintable
 * characters become '?' and no control sequence reaches the terminal. A line longer than size or
 * ERROR_LINE_ROOM loses its middle, which is usually typed text.
 */
int error_line(char *error, size_t size, int err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Enough bytes for most lines. Such lines need no allocation, so even "out of memory" can be
 * reported.
 */
enum { ERROR_LINE_ROOM = 1024 };

/*
 * Formats a line of any length. Returns `buf` if the line fits into it, otherwise memory to be
 * freed with free(). If memory is short, returns as much of the line as fits into `buf`. Never
 * NULL.
 */
char *error_line_text(char *buf, size_t size, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

/* The places where a sentence may be shortened. */
struct sentence_parts {
	/* Offset of the sentence in the text. The offsets below are relative to it. */
	size_t begin;
	/* Offsets of clauses. Each clause may be left out, together with all text after it. */
	size_t ends[4];
	int n_ends;
	size_t aside, aside_end; /* Where the aside, " (…)", begins and ends; 0: none. */
	/* Where the second part of the aside begins, "; …)"; 0: none. */
	size_t detail;
	/* While the sentence is being made: the aside has begun and not ended. */
	bool inside;
};

/* A text under construction. Text that does not fit is left out. */
struct sentence {
	char *buf;
	size_t size, used;
	struct sentence_parts *parts; /* NULL: clauses and asides are not recorded. */
};

/* An empty sentence whose text goes to buf. */
struct sentence sentence_in(char *buf, size_t size);
/* An empty sentence with a buffer of its own, valid until the end of the block. */
#define SENTENCE(bytes) ((struct sentence) {(char[bytes]) {""}, bytes, 0, NULL})
void sentence_add(struct sentence *sentence, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Adds an item to a list. The separator precedes it, unless the sentence is empty. */
void sentence_join(struct sentence *sentence, const char *separator, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * Adds a text, and records its marks: a semicolon begins a clause, unless it is in parentheses. Add
 * names with sentence_add() instead, because they may contain the same marks.
 */
void sentence_marked(struct sentence *sentence, const char *text, size_t n);
/* Adds a clause that may be left out. Only the first four clauses are recorded. */
void sentence_clause(struct sentence *sentence, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Adds " (text)", which may be left out. Only the first aside is recorded. */
void sentence_aside(struct sentence *sentence, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * Shortens the text to at most w columns: leaves out the last clause, then the one before it and so
 * on, then the second part of the aside, then the whole aside. The parts' offsets are relative to
 * byte `before` of the text. Returns whether the text fits.
 */
bool sentence_shorten(char *text, size_t before, const struct sentence_parts *parts, int w);
/* Like sentence_shorten(), but leaves out only the second part of the aside. */
bool sentence_shorten_aside(char *text, size_t before, const struct sentence_parts *parts, int w);
/*
 * Writes the text in lines of at most 80 columns. The first line already has `column` columns. The
 * text begins in column `indent` of every line; further lines begin with `before`, which must be
 * that wide.
 */
void sentence_wrap(FILE *out, const char *text, int column, int indent, const char *before);
/* The plural ending of a noun after the number n: "" if n is 1, otherwise "s". */
const char *sentence_plural(int64_t n);
/* Returns the text, or `otherwise` if the text is NULL or empty. */
const char *sentence_text(const char *text, const char *otherwise);
/* Makes the letter at byte `at` of the sentence a capital. */
void sentence_begin(struct sentence *sentence, size_t at);

/*
 * Sets the language from the environment. Texts are English before this call, and in builds without
 * gettext.
 */
void sentence_language(void);
/* The translation of a text, as UTF-8; the text itself if it has none. */
const char *sentence_translated(const char *text);
/* Marks a text for translation; po/pot.sh collects the marked texts. */
#define N_(text) text
