/* SPDX-License-Identifier: MIT */
#include "base/error_line.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* C0, DEL and C1, which is a byte of its own in Latin-1 and follows 0xc2 in UTF-8. */
static bool is_control(unsigned char before, unsigned char c)
{
	bool c1 = c >= 0x80 && c < 0xa0;

	return c < 0x20 || c == 0x7f || (c1 && (before < 0x80 || before == 0xc2));
}

void error_line_clean(char *line)
{
	unsigned char before = 0;

	for (char *p = line; *p; p++) {
		unsigned char c = (unsigned char)*p;

		if (is_control(before, c))
			*p = '?';
		if (*p == '?' && before == 0xc2)
			p[-1] = '?';
		before = c;
	}
}

int error_line(char *error, size_t size, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, size, format, args);
	va_end(args);
	if (size)
		error_line_clean(error);
	return err;
}
