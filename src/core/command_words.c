/* SPDX-License-Identifier: MIT */
#include "core/command_words.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORDS_BLANKS " \t\n"
#define OF_SHELLS    "|&;<>"

struct splitter {
	const char *text;
	char *words;
	size_t used;
};

static int put_char(struct splitter *s, char c)
{
	if (s->used == COMMAND_BYTES)
		return -E2BIG;
	s->words[s->used++] = c;
	return 0;
}

/*
 * Reads up to the closing quote. Within double quotes, a backslash escapes only itself, $, ` and
 * quotes.
 */
static int split_quoted(struct splitter *s)
{
	char quote = *s->text++;
	int err;

	for (; *s->text != quote; s->text++) {
		if (!*s->text)
			return -EINVAL;
		if (quote == '"' && *s->text == '\\' && s->text[1] && strchr("\"\\$`", s->text[1]))
			s->text++;
		err = put_char(s, *s->text);
		if (err)
			return err;
	}
	s->text++;
	return 0;
}

static int split_word(struct splitter *s)
{
	int err = 0;

	while (*s->text && !strchr(WORDS_BLANKS, *s->text) && !err) {
		if (strchr(OF_SHELLS, *s->text))
			return -ENOEXEC;
		if (*s->text == '"' || *s->text == '\'') {
			err = split_quoted(s);
			continue;
		}
		if (*s->text == '\\' && s->text[1])
			s->text++;
		err = put_char(s, *s->text++);
	}
	if (err)
		return err;
	return put_char(s, '\0');
}

int command_words_split(const char *text, char words[COMMAND_BYTES])
{
	struct splitter s = {text, words, 0};
	int n = 0, err = 0;

	if (strlen(text) >= COMMAND_BYTES)
		return -E2BIG;
	for (;;) {
		s.text += strspn(s.text, WORDS_BLANKS);
		if (!*s.text) {
			if (n > 0)
				return n;
			return -ENOENT;
		}
		if (n == COMMAND_WORDS)
			return -E2BIG;
		err = split_word(&s);
		if (err)
			return err;
		n++;
	}
}

/* Appends a word, quoted if necessary. Single quotes protect all characters except themselves. */
static int join_word(struct splitter *to, const char *word)
{
	bool quoted = !*word || word[strcspn(word, WORDS_BLANKS OF_SHELLS "\"'\\$`*?[](){}!#~")];
	int err = quoted ? put_char(to, '\'') : 0;

	for (; *word; word++) {
		if (err)
			break;
		if (*word == '\'')
			for (const char *c = "'\\'"; *c; c++) {
				if (err)
					break;
				err = put_char(to, *c);
			}
		if (!err)
			err = put_char(to, *word);
	}
	if (quoted && !err)
		err = put_char(to, '\'');
	return err;
}

int command_words_join(const char *words, int n, char text[COMMAND_BYTES])
{
	struct splitter to = {.words = text};
	int err = 0;

	for (int i = 0; i < n; i++) {
		if (err)
			break;
		err = join_word(&to, words);
		if (!err)
			err = put_char(&to, i + 1 < n ? ' ' : '\0');
		words += strlen(words) + 1;
	}
	return err;
}

static int try_file(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return -ENOENT;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode))
		return -ENOENT;
	if (access(path, X_OK))
		return -EACCES;
	return 0;
}

/* An empty part of PATH means the current directory. */
int command_words_find(const char *name, char path[PATH_MAX])
{
	const char *at = getenv("PATH");
	int found = -ENOENT;

	if (strchr(name, '/')) {
		if ((size_t)snprintf(path, PATH_MAX, "%s", name) >= PATH_MAX)
			return -ENOENT;
		return try_file(path);
	}
	if (!*name)
		return -ENOENT;
	if (!at)
		at = "/usr/bin:/bin";
	for (;; at++) {
		int length = (int)strcspn(at, ":");
		int err = -ENOENT;

		if ((size_t)snprintf(path, PATH_MAX, "%.*s%s%s", length, at, length ? "/" : "./",
				     name) < PATH_MAX)
			err = try_file(path);
		if (err == 0)
			return 0;
		if (err == -EACCES)
			found = err;
		at += length;
		if (!*at)
			return found;
	}
}
