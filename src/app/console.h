/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/patience.h"
#include "next.h"
#include "cli/options.h"
#include "view/view.h"

struct lecturer;
struct notes_reader;
struct screen;
struct theme;

enum { CONSOLE_KEPT = 1024 };

/*
 * What outlasts a session on the screen: the terminal, keys, signals, looks, and what is to be said
 * when the screen is gone. Sessions follow one another on it without giving the terminal back.
 */
struct console {
	struct screen *screen; /* NULL: not taken yet, or given back */
	int tty_in;	       /* keys come from it: standard input unless that is a recording */
	int signal_fd;	       /* of the signals that end a session and those of the terminal */
	int signal;	       /* that ended it all; 0 */
	size_t theme;	       /* its number */
	bool themed;	       /* by who started it, by a key, or by the terminal's answer */
	bool ascii;
	enum view_captions captions;
	struct next next;	    /* the session that is to follow the one that runs */
	struct next now;	    /* the words of the one that runs; none: the program's own */
	struct lecturer *lecturer;  /* the lecture whose scene is shown; NULL: none */
	struct notes_reader *notes; /* the notes are all that is shown; NULL */
	struct patience patience;   /* with standard error */
	struct patience log;	    /* with a log that is no file */
	bool unread;		    /* nobody reads that: the patience has run out */
	char *lines;		    /* for standard error, that wait for the screen to go */
	size_t n_lines;		    /* bytes */
	char kept[CONSOLE_KEPT]; /* and those for which there was no memory, as far as they fit */
	size_t n_kept;
};

void console_init(struct console *console);
/*
 * Takes the terminal for a session, or keeps it. The theme that the options name is taken. 0, or
 * -errno: a line was printed, or a signal has come while it waited in the background.
 */
int console_open(struct console *console, const struct options *options);
/* A signal has ended the session: from here on nothing waits for a reader that does not read. */
void console_hurry(struct console *console);
/* Gives the terminal back and prints what was said meanwhile. */
void console_leave(struct console *console);
/* The same, and frees everything. */
void console_close(struct console *console);
/* Of the terminal that standard error is; 0: it is none. */
int console_columns(void);
/* A text as lines that break between words, as wide as the terminal; in a pipe it is one. */
void console_say_text(struct console *console, const char *text);
/* A line on standard error, at once or when the screen is gone. Without one: at once. */
__attribute__((format(printf, 2, 3))) void console_say(struct console *console, const char *format,
						       ...);
/* The theme that suits the terminal's answer, unless one was chosen; no other answer counts. */
void console_suggest_theme(struct console *console, const struct theme *theme);
/*
 * The terminal stopped us in the background: waits until the shell gives it. False when a signal to
 * end came, which console->signal has.
 */
bool console_await_foreground(struct console *console);
/* Whether the terminal is kept for what follows: a session, or a lecture's next scene. */
bool console_stays(const struct console *console);
/*
 * Makes the session that follows the one that runs: its options, which point into the console.
 * False where none does. A line that cannot be parsed is said, *status is then what it would end
 * with.
 */
bool console_advance(struct console *console, struct options *options, int *status);

/*
 * Stops this program as SIGTSTP, which must be blocked, would have stopped it, and returns when it
 * is continued; not SIGSTOP, which would also stop a program that no shell can continue. The
 * SIGCONT that ended the stop is taken where it is blocked too, and true says that there was one.
 */
bool suspend_here(void);

/*
 * A signalfd that does not block for the n signals, but for those that whoever started us has us
 * ignore (nohup): blocked they would come all the same. SIGPIPE is blocked as well, so that it is
 * an error of write(). -errno.
 */
int signals_open(const int *numbers, size_t n);
