/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* The command line as it is put together; what does not fit ends in "...". */
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

/* $'…', where any byte can be written as text. */
static void quote_bytes(struct command *command, const char *arg)
{
	char escape[8];

	add(command, "$'", 2);
	while (*arg) {
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
	add(command, "'", 1);
}

static bool has_bytes(const char *arg)
{
	while (*arg) {
		uint32_t character = utf8_next(&arg);

		if (character == '\'' || !utf8_is_printable(character))
			return true;
	}
	return false;
}

static bool is_plain(const char *arg)
{
	size_t n = strspn(arg, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			       "-_=+,./:@%#");

	return n > 0 && arg[n] == '\0' && arg[0] != '#';
}

static void quote(struct command *command, const char *arg)
{
	if (is_plain(arg)) {
		add(command, arg, strlen(arg));
	} else if (has_bytes(arg)) {
		quote_bytes(command, arg);
	} else {
		add(command, "'", 1);
		add(command, arg, strlen(arg));
		add(command, "'", 1);
	}
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
