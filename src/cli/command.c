/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

struct command {
	char *buf;
	size_t size, len;
	bool full;
};

static void add(struct command *command, const char *text, size_t n)
{
	if (command->full || command->len + n + sizeof("...") > command->size) {
		if (!command->full)
			strcpy(command->buf + command->len, "...");
		command->full = true;
		return;
	}
	memcpy(command->buf + command->len, text, n);
	command->len += n;
	command->buf[command->len] = '\0';
}

/*
 * Appends an argument, quoted for a shell if necessary. $'...' can contain any byte. Letters of any
 * script need no quotes.
 */
static void quote(struct command *command, const char *arg)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_=+,./:@%#";
	bool quoted = !*arg || *arg == '#', escaped = false;
	char escape[8];

	for (const char *at = arg; *at;) {
		uint32_t character = utf8_next(&at);

		escaped |= character == '\'' || !utf8_is_printable(character);
		quoted |= escaped || utf8_is_blank(character) ||
			  (character < 0x80 && !strchr(plain, (int)character));
	}
	if (quoted)
		add(command, escaped ? "$'" : "'", 1u + escaped);
	if (!escaped)
		add(command, arg, strlen(arg));
	while (escaped && *arg) {
		const char *from = arg;
		uint32_t character = utf8_next(&arg);

		if (character == '\'' || character == '\\')
			add(command, escape, (size_t)sprintf(escape, "\\%c", *from));
		else if (utf8_is_printable(character))
			add(command, from, (size_t)(arg - from));
		else
			for (; from < arg; from++)
				add(command, escape,
				    (size_t)sprintf(escape, "\\%03o", (unsigned char)*from));
	}
	if (quoted)
		add(command, "'", 1);
}

void command_write(char *buf, size_t size, int argc, char **argv, const char *more)
{
	struct command command = {buf, size, 0, false};

	quote(&command, "tuibench");
	for (int i = 1; i < argc; i++) {
		add(&command, " ", 1);
		quote(&command, argv[i]);
	}
	add(&command, more, strlen(more));
}

char *command_text(int argc, char *const *argv)
{
	struct command command = {.size = sizeof("...")};

	/* Each byte becomes at most four. Add the quotes and the blank before the word. */
	for (int i = 0; i < argc; i++)
		command.size += 4 * strlen(argv[i]) + sizeof(" $''");
	command.buf = calloc(1, command.size);
	if (!command.buf)
		return NULL;
	for (int i = 0; i < argc; i++) {
		if (i > 0)
			add(&command, " ", 1);
		quote(&command, argv[i]);
	}
	return command.buf;
}

/*
 * Reads one character of $'…' at *from and stores its value in *to. Returns false if an escape is
 * not valid.
 */
static bool take_escape(const char **from, char *to)
{
	const char *at = *from;

	if (*at != '\\') {
		*to = *at;
		*from = at + 1;
		return true;
	}
	if (at[1] == '\'' || at[1] == '\\') {
		*to = at[1];
		*from = at + 2;
		return true;
	}
	if (strspn(at + 1, "01234567") < 3)
		return false;
	*to = (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0'));
	*from = at + 4;
	return *to != '\0';
}

static bool take_quoted(const char **from, char **to, bool escapes)
{
	while (**from && **from != '\'') {
		if (!escapes)
			*(*to)++ = *(*from)++;
		else if (!take_escape(from, (*to)++))
			return false;
	}
	return *(*from)++ == '\'';
}

/*
 * Reads one word. The unquoted word is never longer than the quoted one, so overwrites the quoted
 * word in place.
 */
static bool take_word(const char **from, char **to)
{
	if (**from == '\'') {
		(*from)++;
		return take_quoted(from, to, false);
	}
	if (strncmp(*from, "$'", 2) == 0) {
		*from += 2;
		return take_quoted(from, to, true);
	}
	while (**from && **from != ' ')
		*(*to)++ = *(*from)++;
	return true;
}

int command_split(char *line, char **words, int most)
{
	size_t length = strlen(line);
	const char *from = line;
	char *to = line;
	int n = 0;

	if (length >= 3 && strcmp(line + length - 3, "...") == 0)
		return -EINVAL;
	while (*(from += strspn(from, " "))) {
		if (n == most)
			return -E2BIG;
		words[n++] = to;
		if (!take_word(&from, &to) || (*from && *from != ' '))
			return -EINVAL;
		/* Skip the blank first, because if nothing was unquoted, the NUL overwrites it. */
		from += *from != '\0';
		*to++ = '\0';
	}
	words[n] = NULL;
	return n;
}
