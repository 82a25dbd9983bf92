/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "base/error_line.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#ifdef TUIBENCH_NLS
#include <langinfo.h>
#include <libintl.h>
#include <limits.h>
#include <locale.h>
#include "base/procfs.h"
#endif

#include "base/utf8.h"

/*
 * Keeps the beginning of a long line, which names the option or file, and its end, which has the
 * fault and the remedy.
 */
int error_line(char *error, size_t size, int err, const char *format, ...)
{
	static const char between[] = "...";
	size_t most = MIN(size, ERROR_LINE_ROOM), head = most / 4;
	const char *end;
	char *line = NULL;
	va_list args, again;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(error, size, format, args);
	if (length >= (int)most && most > sizeof(between) && vasprintf(&line, format, again) < 0)
		line = NULL;
	if (line) {
		end = line + length - (most - sizeof(between) - head);
		while (((unsigned char)*end & 0xc0) == 0x80)
			end++;
		snprintf(error, head + 1, "%s", line);
		utf8_trim(error);
		strcat(error, between);
		strcat(error, end);
	}
	va_end(again);
	va_end(args);
	free(line);
	if (size)
		utf8_mask(error);
	return err;
}

char *error_line_text(char *buf, size_t size, const char *format, va_list args)
{
	char *line = buf;
	va_list again;
	int length;

	*buf = '\0';
	va_copy(again, args);
	length = vsnprintf(buf, size, format, args);
	if (length >= (int)size && vasprintf(&line, format, again) < 0)
		line = buf;
	va_end(again);
	utf8_mask(line);
	return line;
}

struct sentence sentence_in(char *buf, size_t size)
{
	if (size > 0)
		buf[0] = '\0';
	return (struct sentence) {buf, size, 0, NULL};
}

__attribute__((format(printf, 2, 0))) static void add_words(struct sentence *sentence,
							    const char *format, va_list args)
{
	const size_t space = sentence->size - sentence->used;
	const int n = vsnprintf(sentence->buf + sentence->used, space, format, args);

	if (n > 0) {
		if ((size_t)n < space)
			sentence->used += (size_t)n;
		else
			sentence->used += space - 1;
	}
}

void sentence_add(struct sentence *sentence, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_words(sentence, format, args);
	va_end(args);
}

void sentence_join(struct sentence *sentence, const char *separator, const char *format, ...)
{
	va_list args;

	if (sentence->used > 0)
		sentence_add(sentence, "%s", separator);
	va_start(args, format);
	add_words(sentence, format, args);
	va_end(args);
}

static void note_clause(struct sentence_parts *parts, size_t at)
{
	if (parts && !parts->inside && parts->n_ends < (int)LENGTH(parts->ends))
		parts->ends[parts->n_ends++] = at;
}

static void note_mark(struct sentence_parts *parts, char mark, size_t at)
{
	const bool first = parts->aside_end == 0;

	if (mark == ';' && parts->inside && first && parts->detail == 0)
		parts->detail = at;
	if (mark == ';')
		note_clause(parts, at);
	if (mark == '(' && first && at > 0)
		parts->aside = at - 1;
	if (mark == ')' && first && parts->inside)
		parts->aside_end = at + 1;
	if (mark == '(')
		parts->inside = true;
	if (mark == ')')
		parts->inside = false;
}

void sentence_marked(struct sentence *sentence, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sentence->parts)
			note_mark(sentence->parts, text[i], sentence->used + i);
	sentence_add(sentence, "%.*s", (int)n, text);
}

void sentence_clause(struct sentence *sentence, const char *format, ...)
{
	va_list args;

	note_clause(sentence->parts, sentence->used);
	va_start(args, format);
	add_words(sentence, format, args);
	va_end(args);
}

void sentence_aside(struct sentence *sentence, const char *format, ...)
{
	va_list args;

	sentence_marked(sentence, " (", 2);
	va_start(args, format);
	add_words(sentence, format, args);
	va_end(args);
	sentence_marked(sentence, ")", 1);
}

bool sentence_shorten_aside(char *text, size_t before, const struct sentence_parts *parts, int w)
{
	char *sentence = text + before + parts->begin;

	if (utf8_columns(text) > w && parts->detail > 0 && strlen(sentence) >= parts->aside_end) {
		const char *rest = sentence + parts->aside_end - 1;

		memmove(sentence + parts->detail, rest, strlen(rest) + 1);
	}
	return utf8_columns(text) <= w;
}

bool sentence_shorten(char *text, size_t before, const struct sentence_parts *parts, int w)
{
	char *sentence = text + before + parts->begin;
	size_t aside_end = parts->aside_end;

	for (int i = parts->n_ends - 1; i >= 0; i--)
		if (utf8_columns(text) > w)
			sentence[parts->ends[i]] = '\0';
	if (utf8_columns(text) > w && parts->detail > 0 && strlen(sentence) >= aside_end) {
		sentence_shorten_aside(text, before, parts, w);
		aside_end = parts->detail + 1;
	}
	if (utf8_columns(text) > w && strlen(sentence) >= aside_end) {
		const char *rest = sentence + aside_end;

		memmove(sentence + parts->aside, rest, strlen(rest) + 1);
	}
	return utf8_columns(text) <= w;
}

const char *sentence_plural(int64_t n)
{
	if (n == 1)
		return "";
	return "s";
}

const char *sentence_text(const char *text, const char *otherwise)
{
	if (text && *text)
		return text;
	return otherwise;
}

void sentence_wrap(FILE *out, const char *text, int column, int indent, const char *before)
{
	while (*text) {
		int n = (int)strcspn(text, " ");

		if (column > indent && column + 1 + n > 80) {
			fprintf(out, "\n%s", before);
			column = (int)strlen(before);
		}
		if (column < indent)
			column += fprintf(out, "%*s", indent - column, "");
		else if (column > indent)
			column += fprintf(out, " ");
		column += fprintf(out, "%.*s", n, text);
		text += n + (text[n] != '\0');
	}
	fprintf(out, "\n");
}

void sentence_begin(struct sentence *sentence, size_t at)
{
	if (at < sentence->used)
		sentence->buf[at] = (char)toupper((unsigned char)sentence->buf[at]);
}

#ifdef TUIBENCH_NLS
/*
 * Uses the language of LC_MESSAGES or LANGUAGE if tuibench is translated into it and the terminal
 * uses UTF-8. Otherwise the C library's errors stay in English, like the text around them. For
 * English, loads no locale, because that takes a ninth of the time of --help.
 */
void sentence_language(void)
{
	static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
	const char *locale = getenv("LANGUAGE");
	char folder[PATH_MAX];

	for (size_t i = 0; i < LENGTH(names); i++) {
		if (locale && *locale)
			break;
		locale = getenv(names[i]);
	}
	if (!locale || !*locale || *locale == 'C' || strncmp(locale, "en", 2) == 0)
		return;
	locale = setlocale(LC_MESSAGES, "");
	/*
	 * The translations are beside the manual in a build directory, and beside the data if
	 * installed.
	 */
	if (!locale || strcmp(locale, "C") == 0 ||
	    (!procfs_find_data("../po", folder) && !procfs_find_data("../locale", folder)))
		return;
	bindtextdomain("tuibench", folder);
	bind_textdomain_codeset("tuibench", "UTF-8");
	setlocale(LC_CTYPE, ""); /* the C library encodes its error messages by this locale */
	if (!*dgettext("tuibench", "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		setlocale(LC_ALL, "C");
}

const char *sentence_translated(const char *text)
{
	if (*text)
		return dgettext("tuibench", text);
	return text;
}
#else
void sentence_language(void)
{
}

const char *sentence_translated(const char *text)
{
	return text;
}
#endif
