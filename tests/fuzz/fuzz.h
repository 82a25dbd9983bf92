/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"

/* What the fuzzers share: an input's way in, and what must hold whatever it is. */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* In all builds, and ends at once, so that a fuzzer keeps the input. */
#define fuzz_assert(holds) ((holds) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #holds))

static inline _Noreturn void fuzz_fail(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

/* Not empty, and nothing in it tells a terminal to do anything; newlines where they may be. */
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
