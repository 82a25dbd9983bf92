/* SPDX-License-Identifier: MIT */
#include "base/clean.h"

#include <stdlib.h>
#include <string.h>

#define REPLACEMENT 0xfffd

/* How many bytes follow the first one; -1 where it begins nothing. */
static int clean_more(unsigned char first)
{
	if (first < 0x80)
		return 0;
	if (first < 0xc2 || first > 0xf4)
		return -1;
	return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

static bool clean_is_character(uint32_t character, int more)
{
	static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};

	return character >= least[more] && character <= 0x10ffff &&
	       (character < 0xd800 || character > 0xdfff);
}

bool clean_is_control(uint32_t character)
{
	return character < ' ' || (character >= 0x7f && character < 0xa0) ||
	       (character >= 0x202a && character <= 0x202e) ||
	       (character >= 0x2066 && character <= 0x2069);
}

uint32_t clean_next(const char **text)
{
	const unsigned char *s = (const unsigned char *)*text;
	int more = clean_more(*s);
	uint32_t character = more <= 0 ? *s : *s & (0x3fu >> more);

	if (!*s)
		return 0;
	*text += 1;
	if (more < 0)
		return REPLACEMENT;
	for (int i = 1; i <= more; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return REPLACEMENT;
		character = character << 6 | (s[i] & 0x3f);
	}
	if (!clean_is_character(character, more))
		return REPLACEMENT;
	*text += more;
	return clean_is_control(character) ? ' ' : character;
}

const char *clean_utf8(uint32_t character, char buf[CLEAN_BYTES])
{
	static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
	int more = character < 0x80 ? 0 : character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;

	for (int i = more; i > 0; i--) {
		buf[i] = (char)(0x80 | (character & 0x3f));
		character >>= 6;
	}
	buf[0] = (char)(first[more] | character);
	buf[more + 1] = '\0';
	return buf;
}

char *clean_text(const char *text)
{
	/* a byte becomes three at most, those of U+FFFD */
	char *clean = malloc(3 * strlen(text) + CLEAN_BYTES), *end = clean;
	uint32_t character;

	if (!clean)
		return NULL;
	*end = '\0';
	while ((character = clean_next(&text)) != 0) {
		clean_utf8(character, end);
		end += strlen(end);
	}
	return clean;
}
