/* SPDX-License-Identifier: MIT */
#include "base/names.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/utf8.h"

/*
 * Returns the length of the key that the word may begin with: letters of any script, digits, "_",
 * "-" and ":".
 */
static size_t key_length(const char *word)
{
	size_t n = 0;

	while (isalnum((unsigned char)word[n]) || (word[n] && strchr("_:-", word[n])) ||
	       (unsigned char)word[n] >= 0x80)
		n++;
	if (*word == '-')
		return 0;
	return n;
}

/*
 * Removes the first key, such as "workers=" in "workers=4" or "env:N=" in "env:N=2". Returns false
 * if there is none. Options, "==" and quoted text are not keys, because they belong to a program.
 */
static bool drop_key(char *text)
{
	const char *quote = text + strcspn(text, "'\"");

	for (char *word = text; *word; word += *word == ' ') {
		size_t n = key_length(word);

		if (word + n >= quote)
			return false;
		if (n > 0 && word[n] == '=' && word[n + 1] != '=') {
			memmove(word, word + n + 1, strlen(word + n + 1) + 1);
			return true;
		}
		word = strchrnul(word + n, ' ');
	}
	return false;
}

/* Replaces the middle of the text by the mark. */
static void cut_middle(char *text, size_t size, int most, const char *mark)
{
	int columns = utf8_columns(text), width = most - utf8_columns(mark);
	int tail_columns = width - width / 2;
	char *head = (char *)utf8_skip(text, width / 2);
	const char *tail = utf8_skip(text, columns - tail_columns);
	size_t marked = strlen(mark), rest;
	struct utf8_cell cell;

	if (columns <= most)
		return;
	if (width < 2) {
		*(char *)utf8_skip(text, most) = '\0';
		return;
	}
	/* If only half of a wide letter fits, drop it. */
	while (utf8_columns(tail) > tail_columns)
		utf8_next_cell(&tail, &cell);
	rest = strlen(tail) + 1;
	if ((size_t)(head - text) + marked + rest > size)
		return;
	memmove(head + marked, tail, rest);
	memcpy(head, mark, marked);
}

static void cut_end(char *text, size_t size, int most, const char *mark)
{
	char *end;

	if (utf8_columns(text) <= most)
		return;
	end = (char *)utf8_skip(text, MAX(0, most - utf8_columns(mark)));
	snprintf(end, size - (size_t)(end - text), "%s", mark);
}

static void fit_alone(const char *name, int most, const char *mark, char *buf, size_t size)
{
	snprintf(buf, size, "%s", name);
	utf8_trim(buf);
	while (utf8_columns(buf) > most && drop_key(buf))
		;
	cut_middle(buf, size, most, mark);
}

/*
 * The FNV-1a hash of a text. Names are compared by their hashes, so their texts need not be stored.
 */
static uint64_t hash_of(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash;
}

/* A common beginning shorter than this, in bytes, is not left out. */
enum { LEAST_COMMON = 4 };

/*
 * Ways to shorten names, in the order in which they are tried. The first way that leaves all names
 * different is used.
 */
enum way {
	WAY_KEYS,   /* leave out the keys */
	WAY_COMMON, /* leave out the words with which all names begin */
	WAY_ALONE,  /* leave out the middle of each name */
	/* for names that would look alike: leave out their common beginning and their end */
	WAY_END,
	/* for names that would look alike: leave out their common beginning and their middle */
	WAY_MIDDLE,
	WAY_NUMBER
};

struct names {
	const char *const *list;
	size_t n;
	int most;
	const char *mark;
	uint64_t alone[NAMES_MOST]; /* hash_of() of each name when its middle is left out */
};

/*
 * Returns the position at which name i begins to differ from all other names (all), or only from
 * the names that look like name i when their middles are left out. SIZE_MAX: there are no such
 * names.
 */
static size_t common_begin(const struct names *names, size_t i, bool all)
{
	const char *name = names->list[i];
	size_t least = SIZE_MAX;

	for (size_t k = 0; k < names->n; k++) {
		bool other = all || names->alone[k] == names->alone[i];
		size_t at = 0;

		if (!other || strcmp(names->list[k], name) == 0)
			continue;
		while (name[at] && name[at] == names->list[k][at])
			at++;
		least = MIN(least, at);
	}
	return least;
}

/* Returns the beginning of the word, or of the part of a path, around the position. */
static size_t word_begin(const char *name, size_t at)
{
	while (at > 0 && !strchr(" /", name[at - 1]))
		at--;
	return at;
}

/*
 * Returns the beginning of the word around the position. If that is far away, returns a position a
 * little before the given one.
 */
static size_t near_begin(const char *name, size_t at, int most)
{
	size_t begin = word_begin(name, at);

	if (at - begin > (size_t)most / 2)
		begin = at - MIN(at, (size_t)most / 4);
	while (begin > 0 && ((unsigned char)name[begin] & 0xc0) == 0x80)
		begin--;
	return begin;
}

static void fit_way(const struct names *names, size_t i, enum way way, char *buf, size_t size)
{
	const char *name = names->list[i];
	size_t from = SIZE_MAX;

	if (utf8_columns(name) <= names->most) {
		snprintf(buf, size, "%s", name);
		return;
	}
	if (way >= WAY_COMMON && way != WAY_ALONE)
		from = common_begin(names, i, way == WAY_COMMON);
	if (from == SIZE_MAX) {
		fit_alone(name, way == WAY_KEYS ? INT_MAX : names->most, names->mark, buf, size);
		while (way == WAY_KEYS && utf8_columns(buf) > names->most && drop_key(buf))
			;
		return;
	}
	if (way == WAY_COMMON)
		from = word_begin(name, from);
	else
		from = near_begin(name, from, names->most);
	snprintf(buf, size, "%s%s", from > 0 ? names->mark : "", name + from);
	utf8_trim(buf);
	if (way == WAY_END)
		cut_end(buf, size, names->most, names->mark);
	else
		cut_middle(buf, size, names->most, names->mark);
}

/* Returns whether different names stay different when shortened in this way. */
static bool way_tells_apart(const struct names *names, enum way way, char *buf, size_t size)
{
	const size_t common = common_begin(names, 0, true);
	uint64_t hashes[NAMES_MOST];

	/*
	 * Keep a short common beginning, because it says more than the mark. A single name has no
	 * common beginning.
	 */
	if (way == WAY_COMMON && common != SIZE_MAX &&
	    word_begin(names->list[0], common) < LEAST_COMMON)
		return false;
	for (size_t i = 0; i < names->n; i++) {
		fit_way(names, i, way, buf, size);
		if (way == WAY_KEYS && utf8_columns(buf) > names->most)
			return false;
		hashes[i] = hash_of(buf);
		for (size_t k = 0; k < i; k++)
			if (hashes[k] == hashes[i] && strcmp(names->list[k], names->list[i]) != 0)
				return false;
	}
	return true;
}

/*
 * Ends a name with its number, as in "pyth·.py~3". Equal names get the same number. If the number
 * does not fit, uses a letter instead.
 */
static void fit_number(const struct names *names, size_t i, char *buf, size_t size)
{
	static const char letters[] =
		"123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@#$";
	size_t first = 0, number = 1;
	char text[24];
	int width;

	while (strcmp(names->list[first], names->list[i]) != 0)
		first++;
	for (size_t k = 0; k < first; k++) {
		size_t before = 0;

		while (strcmp(names->list[before], names->list[k]) != 0)
			before++;
		number += before == k;
	}
	snprintf(text, sizeof(text), "~%zu", number);
	width = names->most - (int)strlen(text);
	if (width < 0) {
		snprintf(buf, size, "%.*s", names->most, &letters[(number - 1) % NAMES_MOST]);
		buf[MIN(size - 1, 1)] = '\0';
		return;
	}
	fit_alone(names->list[i], width, names->mark, buf, size - strlen(text));
	snprintf(buf + strlen(buf), size - strlen(buf), "%s", text);
}

char *names_fit(const char *const *list, size_t n, size_t i, int most, const char *mark, char *buf,
		size_t size)
{
	struct names names = {.list = list, .n = MIN(n, NAMES_MOST), .most = most, .mark = mark};
	enum way way = WAY_KEYS;

	buf[0] = '\0';
	if (most < 1)
		return buf;
	if (i >= names.n) {
		fit_alone(list[i], most, mark, buf, size);
		return buf;
	}
	for (size_t k = 0; k < names.n; k++) {
		fit_way(&names, k, WAY_ALONE, buf, size);
		names.alone[k] = hash_of(buf);
	}
	while (way < WAY_NUMBER && !way_tells_apart(&names, way, buf, size))
		way++;
	if (way == WAY_NUMBER)
		fit_number(&names, i, buf, size);
	else
		fit_way(&names, i, way, buf, size);
	return buf;
}

static const char name_escapes[][5] = {"\\x3b", "\\x5c"};

static bool is_escape(const char *text)
{
	return strncmp(text, name_escapes[0], 4) == 0 || strncmp(text, name_escapes[1], 4) == 0;
}

size_t names_put_item(const char *item, char *buf, size_t size)
{
	size_t used = 0;

	for (; *item; item++) {
		const char *part = item;
		size_t n = 1;

		if (*item == NAMES_SEPARATOR) {
			part = name_escapes[0];
			n = 4;
		} else if (is_escape(item)) {
			part = name_escapes[1];
			n = 4;
		}

		if (used + n < size)
			memcpy(buf + used, part, n);
		used += n;
	}
	if (size > 0)
		buf[MIN(used, size - 1)] = '\0';
	return used;
}

char *names_next_item(const char **list, char *item, size_t size)
{
	size_t used = 0;
	const char *at = *list;

	if (!*at)
		return NULL;
	for (; *at; at++) {
		char c = *at;

		if (c == NAMES_SEPARATOR)
			break;
		if (is_escape(at)) {
			if (at[3] == 'b')
				c = NAMES_SEPARATOR;
			else
				c = '\\';
			at += 3;
		}
		if (used + 1 < size)
			item[used++] = c;
	}
	item[used] = '\0';
	*list = at + (*at == NAMES_SEPARATOR);
	return item;
}
