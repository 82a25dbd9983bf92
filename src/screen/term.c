/* SPDX-License-Identifier: MIT */
#include "screen/screen.h"

#include <errno.h>
#include <ncurses.h>
#include <stdio.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

#include "base/array.h"

/* The state of a terminal's entry in terminfo. */
enum term_entry { TERM_MISSING, TERM_NO_CURSOR, TERM_DRAWS };

static enum term_entry term_look_up(const char *term)
{
	/* Save the terminal of the open screen, because setupterm() replaces the current one. */
	TERMINAL *shown = set_curterm(NULL);
	enum term_entry entry = TERM_MISSING;
	int error;

	errno = 0;
	if (setupterm(term, STDOUT_FILENO, &error) == OK) {
		if (cursor_address)
			entry = TERM_DRAWS;
		else
			entry = TERM_NO_CURSOR;
	} else if (errno == ENOMEM || error == 1)
	/*
	 * If memory is short, nothing is known of the entry. Opening the screen then reports the
	 * error.
	 */
	{
		if (errno == ENOMEM)
			entry = TERM_DRAWS;
		else
			entry = TERM_NO_CURSOR;
	}
	del_curterm(cur_term);
	set_curterm(shown);
	return entry;
}

/* Returns whether the terminal behaves like xterm, although terminfo may not have its name. */
static bool is_like_xterm(const char *term)
{
	static const char *const names[] = {
		"xterm-", "foot",    "alacritty", "kitty",  "ghostty",	  "wezterm", "contour",
		"rio",	  "konsole", "vte",	  "gnome",  "iterm",	  "mintty",  "st-",
		"tmux",	  "screen-", "mlterm",	  "vscode", "ms-terminal"};

	for (size_t i = 0; i < LENGTH(names); i++)
		if (strncmp(term, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

const char *screen_term(const char *term)
{
	/* tmux and screen support less than xterm. */
	static const char *const others[] = {"xterm-256color", "xterm"};
	static const char *const inner[] = {"screen-256color", "screen"};
	const char *const *names;
	enum term_entry entry;

	if (!term || !*term)
		return NULL;
	entry = term_look_up(term);
	if (entry == TERM_DRAWS)
		return term;
	if (entry == TERM_NO_CURSOR || !is_like_xterm(term))
		return NULL;
	if (strncmp(term, "tmux", 4) == 0 || strncmp(term, "screen", 6) == 0)
		names = inner;
	else
		names = others;
	for (size_t i = 0; i < 2; i++)
		if (term_look_up(names[i]) == TERM_DRAWS)
			return names[i];
	return NULL;
}

bool screen_can_draw(const char *term)
{
	return screen_term(term) != NULL;
}

void screen_term_line(const char *term, char *line, size_t size)
{
	const char *used = screen_term(term);

	*line = '\0';
	if (!term || !*term)
		snprintf(line, size,
			 "TERM is not set, so there is no screen: run "
			 "TERM=xterm-256color tuibench");
	else if (used && strcmp(used, term) != 0)
		snprintf(line, size,
			 "this machine does not know TERM=%s, so the screen is drawn for %s; to "
			 "copy the entry, type on a machine that knows it: infocmp %s | ssh HOST "
			 "tic -x -",
			 term, used, term);
	else if (!used && term_look_up(term) == TERM_MISSING)
		snprintf(line, size,
			 "TERM=%s is not known on this machine, so there is no screen: if the "
			 "terminal is like xterm, run TERM=xterm-256color tuibench",
			 term);
	else if (!used)
		snprintf(line, size,
			 "TERM=%s cannot place the cursor, so there is no screen: use another "
			 "terminal, or --batch",
			 term);
}
