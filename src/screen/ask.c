/* SPDX-License-Identifier: MIT */
#include "ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"

bool ask_allowed(const char *term)
{
	static const char *const silent[] = {"linux", "vt",	"dumb",	 "ansi",   "cons",
					     "sun",   "cygwin", "eterm", "unknown"};

	if (!term)
		return false;
	for (size_t i = 0; i < LENGTH(silent); i++)
		if (strncmp(term, silent[i], strlen(silent[i])) == 0)
			return false;
	return *term;
}

bool sync_allowed(const char *term)
{
	return ask_allowed(term) && strncmp(term, "screen", strlen("screen")) != 0;
}

/*
 * Reads a part of a colour, 1 to 4 hexadecimal digits, as 0 … 255. Returns -1 if there are no
 * digits. Moves *text past the digits.
 */
static int take_colour_part(const char **text)
{
	int n = (int)strspn(*text, "0123456789abcdefABCDEF");
	char digits[5];

	n = MIN(n, 4);
	snprintf(digits, sizeof(digits), "%.*s", n, *text);
	*text += n;
	if (n)
		return (int)(strtoul(digits, NULL, 16) * 255 / ((1UL << 4 * n) - 1));
	return -1;
}

bool ask_parse(const char *answer, uint32_t *rgb)
{
	const char *at;

	*rgb = 0;
	if (strncmp(answer, "11;rgba:", 8) == 0)
		at = answer + 8;
	else if (strncmp(answer, "11;rgb:", 7) == 0)
		at = answer + 7;
	else
		return false;
	for (int i = 0; i < 3; i++) {
		int value = take_colour_part(&at);

		if (value < 0 || (i < 2 && *at++ != '/'))
			return false;
		*rgb = *rgb << 8 | (uint32_t)value;
	}
	return *at == '\0' || *at == '/';
}

char *copy_encode(const void *bytes, size_t n, char *buf)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *from = bytes;
	char *to = buf;

	for (size_t i = 0; i < n; i += 3, to += 4) { /* Three bytes become four characters. */
		size_t left = MIN(n - i, 3);
		uint32_t three = (uint32_t)from[i] << 16;

		if (left > 1)
			three |= (uint32_t)from[i + 1] << 8;
		if (left > 2)
			three |= from[i + 2];
		for (size_t j = 0; j < 4; j++)
			to[j] = '=';
		for (size_t j = 0; j <= left; j++)
			to[j] = letters[three >> (18 - 6 * j) & 63];
	}
	*to = '\0';
	return buf;
}
