/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "draw/draw.h"

/*
 * The terminal: the only user of ncurses. One screen at a time. It writes only cells that changed
 * since the last blit, and nothing while the terminal takes no output.
 */

struct debug;

struct screen_options {
	const struct theme *theme;
	bool no_color, no_mouse;
	bool ask; /* the terminal its background, where it can be asked: KEY_BACKGROUND answers */
	int tty_in, tty_out; /* usually 0 and 1 */
	struct debug *debug; /* the caller's; NULL: none */
};

struct screen;

/* The largest screen that is drawn: of a larger terminal, its upper left part. */
enum { SCREEN_MOST_COLUMNS = 1000, SCREEN_MOST_LINES = 500 };

/*
 * The name by which a terminal is drawn on: its own, or that of another one that it is like, where
 * its own is not known on this machine. NULL: none can place the cursor.
 */
const char *screen_term(const char *term);
/* Whether there is one; true where there is no memory to look. */
bool screen_can_draw(const char *term);
/* Why there is none, or that it is another, and what to type; "": it is its own. */
void screen_term_line(const char *term, char *line, size_t size);
/*
 * Takes the terminal. SIGWINCH must be blocked already. NULL with one line in error where the
 * terminal cannot be used. A crash (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT) gives it back, and
 * so does a SIGKILL, by a guard process that ends with this one.
 */
struct screen *screen_open(const struct screen_options *options, char *error, size_t size);
/*
 * A signal ends the program: what the terminal does not take within PATIENCE_LAST_MS is left to the
 * guard, which then restores it as after a SIGKILL, as soon as somebody reads the terminal again.
 */
void screen_hurry(struct screen *screen);
/* Gives the terminal back as it was; safe to call with NULL and twice. */
void screen_close(struct screen *screen);
/*
 * Gives the terminal that is taken back, if one is, in a signal handler, as the program's last act.
 * A terminal that takes nothing now keeps its modes: from them the guard sees that it must restore
 * it.
 */
void screen_leave_at_once(void);
/* Ctrl-Z: gives it back for a while, and takes it again (everything is drawn anew). */
void screen_suspend(struct screen *screen);
void screen_resume(struct screen *screen);

void screen_size(struct screen *screen, int *width, int *height);
/* Asks the terminal for its size, after SIGWINCH. */
void screen_resized(struct screen *screen);
/*
 * Draws what changed, as much of it as a slow terminal reads in a moment. False while some of it is
 * left: call again with this canvas or a newer one, once screen_ready().
 */
bool screen_blit(struct screen *screen, const struct canvas *canvas);
/*
 * Whether the terminal has read all that was drawn. Ask when screen_fd() polls readable (-1: it
 * cannot be polled), and after screen_wait_ms() at the latest.
 */
bool screen_ready(struct screen *screen);
int screen_fd(const struct screen *screen);
int screen_wait_ms(const struct screen *screen);
/*
 * Whether the terminal is to be asked for its background. It is by the screen_blit() that follows
 * its first read, when screen_fd() polls readable.
 */
bool screen_asks(const struct screen *screen);
/*
 * The terminal has refused a frame, and will refuse all: it hung up, or it is a job's without a
 * shell, which poll() does not report.
 */
bool screen_gone(const struct screen *screen);
/* Forgets the screen's contents, so that the next blit draws everything (Ctrl-L). */
void screen_redraw(struct screen *screen);
void screen_set_theme(struct screen *screen, const struct theme *theme);
/*
 * Puts a text on the clipboard (OSC 52). False where the terminal's description does not say that
 * it can; whether it lets programs do that is unknown.
 */
bool screen_copy(struct screen *screen, const char *text);
/* The background 0xrrggbb that the terminal reported with the KEY_BACKGROUND that came last. */
uint32_t screen_background(const struct screen *screen);
/*
 * The next key that was typed (key.h), 0 for none, -EIO when the terminal is gone.
 * For KEY_MOUSE_PRESS and the wheel *x and *y are set.
 */
int screen_key(struct screen *screen, int *x, int *y);
