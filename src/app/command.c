/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The length of the well-formed UTF-8 sequence at s; 0 if there is none. */
static size_t utf8_length(const unsigned char *s)
{
	size_t n = s[0] < 0x80	 ? 1
		   : s[0] < 0xc2 ? 0
		   : s[0] < 0xe0 ? 2
		   : s[0] < 0xf0 ? 3
		   : s[0] < 0xf5 ? 4
				 : 0;

	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	}
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f) ||
	    (s[0] == 0xc2 && s[1] < 0xa0))
		return 0;
	return n;
}

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
	size_t n;

	add(command, "$'", 2);
	for (; *arg; arg += n) {
		unsigned char c = (unsigned char)*arg;

		n = utf8_length((const unsigned char *)arg);
		if (c == '\'' || c == '\\')
			add(command, escape, (size_t)sprintf(escape, "\\%c", c));
		else if (n == 0 || c < 0x20 || c == 0x7f)
			add(command, escape, (size_t)sprintf(escape, "\\%03o", c));
		else
			add(command, arg, n);
		n = n ? n : 1;
	}
	add(command, "'", 1);
}

static bool has_bytes(const char *arg)
{
	size_t n;

	for (; *arg; arg += n) {
		n = utf8_length((const unsigned char *)arg);
		if (n == 0 || (unsigned char)*arg < 0x20 || *arg == 0x7f || *arg == '\'')
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
