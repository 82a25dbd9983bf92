/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/* A text while it is put together; what does not fit is left out. */
struct sentence {
	char *buf;
	size_t size, used;
};

void sentence_add(struct sentence *sentence, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Makes the letter at that place a capital. */
void sentence_begin(struct sentence *sentence, size_t at);
