/* SPDX-License-Identifier: MIT */
#include "ask.h"

#include <stddef.h>
#include <string.h>

bool ask_allowed(const char *term)
{
	static const char *const silent[] = {"linux", "vt",	"dumb",	 "ansi",   "cons",
					     "sun",   "cygwin", "eterm", "unknown"};

	for (size_t i = 0; term && i < sizeof(silent) / sizeof(*silent); i++)
		if (strncmp(term, silent[i], strlen(silent[i])) == 0)
			return false;
	return term && *term;
}

static int digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* One part of a colour, scaled to 0 … 255; -1: none. *text moves behind it. */
static int part(const char **text)
{
	unsigned value = 0, most = 0;

	for (int i = 0; i < 4 && digit(**text) >= 0; i++) {
		value = value * 16 + (unsigned)digit(*(*text)++);
		most = most * 16 + 15;
	}
	return most ? (int)(value * 255 / most) : -1;
}

bool ask_parse(const char *answer, uint32_t *rgb)
{
	const char *at = strncmp(answer, "11;rgba:", 8) == 0  ? answer + 8
			 : strncmp(answer, "11;rgb:", 7) == 0 ? answer + 7
							      : NULL;

	*rgb = 0;
	for (int i = 0; i < 3; i++) {
		int value = at ? part(&at) : -1;

		if (value < 0 || (i < 2 && *at++ != '/'))
			return false;
		*rgb = *rgb << 8 | (uint32_t)value;
	}
	return *at == '\0' || *at == '/';
}
