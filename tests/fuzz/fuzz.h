/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"

/* Shared by the fuzzers: how an input is read, and what must be true for every input. */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Active in all builds. Ends the program at once, so that a fuzzer keeps the input. */
#define fuzz_assert(holds) ((holds) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #holds))

static inline _Noreturn void fuzz_fail(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

/*
 * Checks that the text is not empty and has no bytes that control a terminal. lines: newlines are
 * allowed.
 */
static inline void fuzz_assert_text(const char *text, bool lines)
{
	for (uint32_t c; (c = utf8_next(&text));)
		fuzz_assert(utf8_is_printable(c) || (lines && c == '\n'));
}

static inline void fuzz_assert_line(const char *text)
{
	fuzz_assert(*text);
	fuzz_assert_text(text, false);
}
