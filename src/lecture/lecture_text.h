/* SPDX-License-Identifier: MIT */
#pragma once

#include <cmark.h>
#include <stdio.h>

/* Writes what a block of Markdown says, as plain text without controls but for newlines. */
void lecture_text_write(FILE *to, cmark_node *block);
