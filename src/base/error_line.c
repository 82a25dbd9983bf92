/* SPDX-License-Identifier: MIT */
#include "base/error_line.h"

#include <stdio.h>

#include "base/utf8.h"

int error_line(char *error, size_t size, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, size, format, args);
	va_end(args);
	if (size)
		utf8_mask(error);
	return err;
}

char *error_line_text(char *room, size_t size, const char *format, va_list args)
{
	char *line = room;
	va_list again;
	int length;

	*room = '\0';
	va_copy(again, args);
	length = vsnprintf(room, size, format, args);
	if (length >= (int)size && vasprintf(&line, format, again) < 0)
		line = room;
	va_end(again);
	utf8_mask(line);
	return line;
}
