/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unictype.h>
#include <unigbrk.h>
#include <unistr.h>
#include <uniwidth.h>

enum {
	REPLACEMENT = 0xfffd,
	TEXT_LOOK = 0xfe0e,
	EMOJI_LOOK = 0xfe0f,
	NON_JOINER = 0x200c,
	JOINER = 0x200d
};

/*
 * Number of bytes within which the end of a grapheme cluster is searched. A longer cluster is cut,
 * and its rest is shown separately.
 */
enum { CLUSTER_BYTES = 64 };

/* A character whose first byte is smaller than this never joins the previous character. */
enum { FIRST_MARK_BYTE = 0xcc };

uint32_t utf8_next(const char **text)
{
	ucs4_t character;
	int n = u8_strmbtouc(&character, (const uint8_t *)*text);

	if (n < 0) {
		*text += 1;
		return UTF8_BROKEN;
	}
	*text += n;
	if (n > 0)
		return character;
	return 0;
}

char *utf8_put(uint32_t character, char buf[UTF8_BYTES])
{
	int n = u8_uctomb((uint8_t *)buf, character, UTF8_BYTES - 1);

	if (n < 0)
		n = u8_uctomb((uint8_t *)buf, REPLACEMENT, UTF8_BYTES - 1);
	buf[n] = '\0';
	return buf;
}

/*
 * ASCII, Latin letters, dashes, dots, lines, blocks, shapes and braille: the characters of most
 * screens. All of them are printable, one column wide and no pictographs, so there is no need to
 * ask the library.
 */
static bool is_plain(uint32_t character)
{
	return (character >= ' ' && character < 0x7f) || (character >= 0xaf && character < 0x300) ||
	       (character >= 0x2010 && character < 0x2028) ||
	       (character >= 0x2500 && character < 0x25aa) ||
	       (character >= 0x25c1 && character < 0x25fb) ||
	       (character >= 0x2800 && character < 0x2900);
}

static bool is_pictograph(uint32_t character)
{
	return !is_plain(character) && character != UTF8_BROKEN &&
	       uc_is_property_extended_pictographic(character);
}

static int columns_of(uint32_t character)
{
	if (is_plain(character))
		return 1;
	if (utf8_is_printable(character))
		return uc_width(character, "UTF-8");
	return 0;
}

/*
 * Returns whether the character joins two emoji, or selects the look of one. It is invisible, but
 * at these positions it cannot disguise a text, so it is kept.
 */
static bool is_of_emoji(uint32_t before, uint32_t character, const char *next)
{
	if (character == TEXT_LOOK || character == EMOJI_LOOK)
		return is_pictograph(before);
	return character == JOINER && is_pictograph(utf8_next(&next)) &&
	       (is_pictograph(before) || before == EMOJI_LOOK ||
		(before != 0 && uc_is_property_emoji_modifier(before)));
}

/*
 * Returns whether a joiner or non-joiner is at a position where a script needs it: between letters
 * that join, as in Persian, or after a virama, as in Hindi. Source: Unicode, annex 31, contexts A1,
 * A2 and B.
 */
static bool is_of_letters(uint32_t before, uint32_t character, const char *next)
{
	uint32_t after = utf8_next(&next);

	if ((character != JOINER && character != NON_JOINER) || before < 0x80 || after < 0x80 ||
	    before == UTF8_BROKEN || after == UTF8_BROKEN)
		return false;
	if (uc_combining_class(before) == UC_CCC_VR)
		return true;
	return character == NON_JOINER && uc_joining_type(before) != UC_JOINING_TYPE_U &&
	       uc_joining_type(after) != UC_JOINING_TYPE_U;
}

/*
 * Whether the character, between `before` and the text `next`, is shown unchanged. Other characters
 * might disguise the text or move the cursor.
 */
static bool is_shown(uint32_t before, uint32_t character, const char *next)
{
	return utf8_is_printable(character) || is_of_emoji(before, character, next) ||
	       is_of_letters(before, character, next);
}

/*
 * Reads one character, then all characters that belong to its cell. After a pictograph, these are
 * the rest of its cluster, which is skipped. After any other character, they are up to UTF8_MARKS
 * characters without a width, which are stored as marks. A character that has no width of its own
 * becomes '?'.
 */
bool utf8_next_cell(const char **text, struct utf8_cell *cell)
{
	const char *from = *text, *next = from;
	uint32_t character, before;
	char breaks[CLUSTER_BYTES];
	int n = 0, width;

	/* Nearly all text of a screen is ASCII without combining marks. */
	if (*from >= ' ' && *from < 0x7f && (unsigned char)from[1] < FIRST_MARK_BYTE) {
		*cell = (struct utf8_cell) {.glyph = (uint32_t)*from, .columns = 1};
		*text = from + 1;
		return true;
	}
	character = utf8_next(&next);
	if (character == 0)
		return false;
	*text = next;
	*cell = (struct utf8_cell) {.glyph = '?', .columns = 1};
	width = columns_of(character);
	if (width > 0)
		*cell = (struct utf8_cell) {.glyph = character, .columns = width};
	if (width < 1 || (unsigned char)*next < FIRST_MARK_BYTE)
		return true;
	if (is_pictograph(character)) {
		/*
		 * Terminals disagree on the width of joined pictographs, so show only the first
		 * one.
		 */
		u8_grapheme_breaks((const uint8_t *)from, strnlen(from, sizeof(breaks)), breaks);
		for (before = character; *next; before = character) {
			if (next >= from + sizeof(breaks) || breaks[next - from])
				break;
			character = utf8_next(&next);
			if (!is_pictograph(character) &&
			    !uc_is_property_emoji_modifier(character) &&
			    !is_of_emoji(before, character, next))
				break;
			*text = next;
		}
		return true;
	}
	before = character;
	while (n < UTF8_MARKS) {
		character = utf8_next(&next);
		if (character > UINT16_MAX || !is_shown(before, character, next) ||
		    columns_of(character) != 0)
			break;
		cell->marks[n++] = (uint16_t)character;
		*text = next;
		before = character;
	}
	return true;
}

int utf8_columns(const char *text)
{
	struct utf8_cell cell;
	int columns = 0;

	while (utf8_next_cell(&text, &cell))
		columns += cell.columns;
	return columns;
}

const char *utf8_skip(const char *text, int columns)
{
	struct utf8_cell cell;
	const char *next = text;

	while (utf8_next_cell(&next, &cell) && columns >= cell.columns) {
		columns -= cell.columns;
		text = next;
	}
	return text;
}

void utf8_trim(char *text)
{
	const uint8_t *broken = u8_check((const uint8_t *)text, strlen(text));

	if (broken)
		text[(const char *)broken - text] = '\0';
}

bool utf8_is_printable(uint32_t character)
{
	if (is_plain(character) || character < 0x80)
		return is_plain(character);
	return character != UTF8_BROKEN &&
	       !uc_is_property_default_ignorable_code_point(character) &&
	       !uc_is_property_not_a_character(character) &&
	       !uc_is_general_category_withtable(
		       character, UC_CATEGORY_MASK_Cc | UC_CATEGORY_MASK_Cf | UC_CATEGORY_MASK_Cs |
					  UC_CATEGORY_MASK_Zl | UC_CATEGORY_MASK_Zp);
}

bool utf8_is_blank(uint32_t character)
{
	return character != UTF8_BROKEN &&
	       (uc_is_property_white_space(character) || !utf8_is_printable(character));
}

uint32_t utf8_next_printable(const char **text, uint32_t before)
{
	uint32_t character = utf8_next(text);

	if (character == UTF8_BROKEN)
		return REPLACEMENT;
	if (character == 0 || is_shown(before, character, *text))
		return character;
	return ' ';
}

char *utf8_printable(const char *text)
{
	/* A byte becomes at most the three bytes of U+FFFD. */
	char *copy = malloc(3 * strlen(text) + UTF8_BYTES), *end = copy;
	uint32_t character = 0;

	if (!copy)
		return NULL;
	*end = '\0';
	while ((character = utf8_next_printable(&text, character)) != 0)
		end += strlen(utf8_put(character, end));
	return copy;
}

void utf8_mask(char *text)
{
	const char *from = text, *end = text;
	uint32_t before = 0, character;

	for (; *from; before = character, from = end) {
		character = utf8_next(&end);
		if (!is_shown(before, character, end)) {
			*text++ = '?';
			continue;
		}
		memmove(text, from, (size_t)(end - from));
		text += end - from;
	}
	*text = '\0';
}

/* Replaces unprintable characters by escapes, and also all characters from shown_below on. */
static char *escape_from(uint32_t shown_below, const char *text, char *buf, size_t size)
{
	const char *from = text, *end = text;
	uint32_t before = 0, character;
	size_t used = 0, n;
	char part[16];

	for (; *from; before = character, from = end, used += n) {
		character = utf8_next(&end);
		if (character == '\n' || character == '\t' || character == '\r')
			snprintf(part, sizeof(part), "\\%c", "tn..r"[character - '\t']);
		else if (character < shown_below && is_shown(before, character, end))
			snprintf(part, sizeof(part), "%.*s", (int)(end - from), from);
		else if (character < 0x80 || character == UTF8_BROKEN)
			snprintf(part, sizeof(part), "\\x%02x", (unsigned char)*from);
		else
			snprintf(part, sizeof(part), character > UINT16_MAX ? "\\U%08x" : "\\u%04x",
				 character);
		n = strlen(part);
		if (used + n >= size)
			break;
		memcpy(buf + used, part, n);
	}
	buf[used] = '\0';
	return buf;
}

char *utf8_escape(const char *text, char *buf, size_t size)
{
	return escape_from(UTF8_BROKEN, text, buf, size);
}

char *utf8_ascii(const char *text, char *buf, size_t size)
{
	return escape_from(0x80, text, buf, size);
}

bool utf8_is_ascii(const char *text)
{
	while (*text && (unsigned char)*text < 0x80)
		text++;
	return *text == '\0';
}
