/* SPDX-License-Identifier: MIT */
#include "csv_misread.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"

#define DIGITS "0123456789"

/* More digits than a double holds are other ones when they have been read. */
enum { DIGITS_EXACT = 15 };

/* A text without what shows nothing at its ends: programs that read tables may skip that. */
struct bare {
	const char *text;
	size_t n;
};

static struct bare bare_of(const char *text)
{
	struct bare bare = {text, 0};

	for (const char *next = text; *next;) {
		if (!utf8_is_blank(utf8_next(&next)))
			bare.n = (size_t)(next - bare.text);
		else if (bare.n == 0)
			bare.text = next;
	}
	return bare;
}

/* "12", "-3", "0.25": it stays what it is, whoever reads it as a number. */
static bool is_plain_number(const struct bare *bare)
{
	const char *s = bare->text + (*bare->text == '-');
	size_t whole = strspn(s, DIGITS), used = (size_t)(s - bare->text) + whole, decimals = 0;

	if (whole == 0 || (whole > 1 && *s == '0'))
		return false;
	if (s[whole] == '.') {
		decimals = strspn(s + whole + 1, DIGITS);
		if (decimals == 0 || s[whole + decimals] == '0')
			return false;
		used += 1 + decimals;
	}
	return used == bare->n && whole + decimals <= DIGITS_EXACT;
}

static bool is_number(const struct bare *bare)
{
	size_t digits = strspn(bare->text, "+-.eE" DIGITS);
	bool hexadecimal = bare->n > 2 && bare->text[0] == '0' && (bare->text[1] | 32) == 'x';

	return (bare->n > 0 && digits >= bare->n && strpbrk(bare->text, DIGITS)) || hexadecimal;
}

static bool is_word(const struct bare *bare)
{
	static const char *const words[] = {"na",	"n/a",	    "<na>",    "#n/a",	  "#na",
					    "#n/a n/a", "nan",	    "-nan",    "null",	  "none",
					    "nil",	"1.#ind",   "-1.#ind", "1.#qnan", "inf",
					    "-inf",	"infinity", "missing", "-1.#qnan"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == bare->n && strncasecmp(words[i], bare->text, bare->n) == 0)
			return true;
	return false;
}

/* The wide forms of the signs are formulas to some as well: U+FF1D, U+FF0B, U+FF0D, U+FF20. */
static bool is_formula(const struct bare *bare)
{
	static const char *const begins[] = {
		"=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (strncmp(bare->text, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

bool csv_is_number(const char *text)
{
	struct bare bare = bare_of(text);

	return is_number(&bare);
}

bool csv_misread(const char *text)
{
	struct bare bare = bare_of(text);

	if (is_plain_number(&bare))
		return false;
	return *bare.text == '\'' || is_formula(&bare) || is_number(&bare) || is_word(&bare);
}
