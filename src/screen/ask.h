/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Asks for the terminal's background (xterm's OSC 11), then for its type (DA1). The answers arrive
 * among the keys. Nearly all terminals answer DA1. If the answer to DA1 arrives first, the terminal
 * does not know OSC 11.
 */

#define ASK_TEXT "\033]11;?\007\033[c"

/*
 * Whether a terminal with this name may be asked. Consoles and old terminals would print the
 * question.
 */
bool ask_allowed(const char *term);
/*
 * A terminal that knows these two sequences (synchronized output) shows the frame between them as a
 * whole. Other terminals ignore them. tuibench does not ask whether the terminal knows them,
 * because the answer could end up in the shell.
 */
#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END   "\033[?2026l"

/* Whether frames for a terminal with this name are between SYNC_BEGIN and SYNC_END. */
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
