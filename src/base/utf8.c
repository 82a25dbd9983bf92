/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define REPLACEMENT 0xfffd

uint32_t utf8_next(const char **text)
{
	static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
	const unsigned char *s = (const unsigned char *)*text;
	/* How many bytes follow the first one. */
	int more = *s < 0x80 ? 0 : *s < 0xe0 ? 1 : *s < 0xf0 ? 2 : 3;
	uint32_t character = more == 0 ? *s : *s & (0x3fu >> more);

	*text += *s != '\0';
	if (*s > 0xf4 || (*s >= 0x80 && *s < 0xc2))
		return UTF8_BROKEN;
	for (int i = 1; i <= more; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return UTF8_BROKEN;
		character = character << 6 | (s[i] & 0x3f);
	}
	/* A character is in its shortest form, no surrogate, and not beyond U+10FFFF. */
	if (character < least[more] || character > 0x10ffff ||
	    (character >= 0xd800 && character <= 0xdfff))
		return UTF8_BROKEN;
	*text += more;
	return character;
}

char *utf8_encode(uint32_t character, char buf[UTF8_BYTES])
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

int utf8_columns(const char *text)
{
	int columns = 0;

	while (utf8_next(&text) != 0)
		columns++;
	return columns;
}

void utf8_trim(char *text)
{
	const char *s = text;
	uint32_t character;

	do {
		text += s - text;
		character = utf8_next(&s);
	} while (character != 0 && character != UTF8_BROKEN);
	*text = '\0';
}

/*
 * What has no glyph of its own: controls, line and paragraph separators, marks of direction, and
 * Unicode's Default_Ignorable_Code_Point with the format characters that change what is beside
 * them. In order.
 */
static const uint32_t hidden[][2] = {
	{0x00, 0x1f},	    {0x7f, 0x9f},	{0xad, 0xad},	    {0x34f, 0x34f},
	{0x61c, 0x61c},	    {0x115f, 0x1160},	{0x17b4, 0x17b5},   {0x180b, 0x180f},
	{0x200b, 0x200f},   {0x2028, 0x202e},	{0x2060, 0x206f},   {0x3164, 0x3164},
	{0xfe00, 0xfe0f},   {0xfeff, 0xfeff},	{0xffa0, 0xffa0},   {0xfff0, 0xfffb},
	{0xfffe, 0xffff},   {0x13430, 0x1345f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
	{0xe0000, 0xe0fff},
};

bool utf8_is_printable(uint32_t character)
{
	size_t i = 0;

	while (i < sizeof(hidden) / sizeof(hidden[0]) && character > hidden[i][1])
		i++;
	return character != UTF8_BROKEN &&
	       (i == sizeof(hidden) / sizeof(hidden[0]) || character < hidden[i][0]);
}

bool utf8_is_blank(uint32_t character)
{
	return character == ' ' || character == 0xa0 || character == 0x1680 ||
	       (character >= 0x2000 && character <= 0x200a) || character == 0x202f ||
	       character == 0x205f || character == 0x3000 ||
	       (character != UTF8_BROKEN && !utf8_is_printable(character));
}

uint32_t utf8_next_printable(const char **text)
{
	uint32_t character = utf8_next(text);

	if (character == UTF8_BROKEN)
		return REPLACEMENT;
	return character == 0 || utf8_is_printable(character) ? character : ' ';
}

char *utf8_printable(const char *text)
{
	/* a byte becomes three at most, those of U+FFFD */
	char *copy = malloc(3 * strlen(text) + UTF8_BYTES), *end = copy;
	uint32_t character;

	if (!copy)
		return NULL;
	*end = '\0';
	while ((character = utf8_next_printable(&text)) != 0)
		end += strlen(utf8_encode(character, end));
	return copy;
}

void utf8_mask(char *text)
{
	const char *end = text;

	while (*text) {
		bool printable = utf8_is_printable(utf8_next(&end));

		for (; text < end; text++)
			*text = printable ? *text : '?';
	}
}
