/* SPDX-License-Identifier: MIT */
#include "base/sentence.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

void sentence_add(struct sentence *sentence, const char *format, ...)
{
	size_t room = sentence->size - sentence->used;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(sentence->buf + sentence->used, room, format, args);
	va_end(args);
	if (n > 0)
		sentence->used += (size_t)n < room ? (size_t)n : room - 1;
}

void sentence_begin(struct sentence *sentence, size_t at)
{
	if (at < sentence->used)
		sentence->buf[at] = (char)toupper((unsigned char)sentence->buf[at]);
}
