/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Asks for the terminal's background (xterm's OSC 11), then for its type (DA1). The answers arrive
 * among the keys. Nearly all terminals answer DA1. If that answer comes first, the terminal does
 * not know OSC 11.
 */

#define ASK_TEXT "\033]11;?\007\033[c"

/*
 * Whether a terminal with that name may be asked. Consoles and old terminals would print the
 * question.
 */
bool ask_allowed(const char *term);
/*
 * If a terminal knows these two sequences (synchronized output), it shows a frame between them as a
 * whole; otherwise it ignores them. tuibench does not ask the terminal whether it knows them,
 * because the answer could end up in the shell.
 */
#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END   "\033[?2026l"

/* Whether frames for a terminal with that name have a begin and an end. */
bool sync_allowed(const char *term);
/*
 * Parses "11;rgb:RRRR/GGGG/BBBB", with 1 to 4 digits each, into 0xrrggbb. Returns false for
 * anything else.
 */
bool ask_parse(const char *answer, uint32_t *rgb);

/* Size of copy_encode()'s output for n bytes, including its NUL byte. */
#define COPY_SIZE(n) (((n) + 2) / 3 * 4 + 1)

/* Encodes bytes in base64 (RFC 4648), which the clipboard sequence requires. Returns buf. */
char *copy_encode(const void *bytes, size_t n, char *buf);
