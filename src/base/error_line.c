/* SPDX-License-Identifier: MIT */
#include "base/error_line.h"

#include <stdarg.h>
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
