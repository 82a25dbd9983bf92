/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "draw/theme.h"

/*
 * The terminal. Only src/screen uses ncurses. There is at most one screen at a time. It writes only
 * cells that changed since the last blit, and nothing while the terminal accepts no output.
 */

struct debug;

struct screen_options {
	const struct theme *theme;
	bool no_color, no_mouse;
	/*
	 * Ask the terminal for its background colour, if it can answer. The answer arrives as
	 * KEY_BACKGROUND.
	 */
	bool ask;
	int tty_in, tty_out; /* usually 0 and 1 */
	struct debug *debug; /* Owned by the caller; NULL: none. */
};

struct screen;

/* The largest area that is drawn. A larger terminal shows it in its upper left part. */
enum { SCREEN_MOST_COLUMNS = 1000, SCREEN_MOST_LINES = 500 };

/*
 * The terminal type used for drawing: term itself or, if this machine does not know term, a similar
 * type. NULL: no known type can place the cursor.
 */
const char *screen_term(const char *term);
/* Whether screen_term() finds a terminal type. Also true if memory is too short to check. */
bool screen_can_draw(const char *term);
/*
 * Writes a line for the user: which type screen_term() found, if it is not term itself, and what to
 * do. "" if it is term itself.
 */
void screen_term_line(const char *term, char *line, size_t size);
/*
 * Takes the terminal. SIGWINCH must be blocked already. If the terminal cannot be used, returns
 * NULL with one line in `error`. After a crash (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT), a signal
 * handler restores the terminal. After a SIGKILL, a guard process restores it, which ends when
 * there is nothing left to restore.
 */
struct screen *screen_open(const struct screen_options *options, char *error, size_t size);
/*
 * Makes screen_close() quick. Call it when a signal ends the program. If the terminal then accepts
 * no output for PATIENCE_LAST_MS, screen_close() gives up, and the guard restores the terminal as
 * after a SIGKILL.
 */
void screen_hurry(struct screen *screen);
/* Restores the terminal. May be called with NULL and more than once. */
void screen_close(struct screen *screen);
/*
 * For a signal handler, as the program's last act: restores the terminal, if one is taken. If the
 * terminal accepts no output now, leaves its modes unchanged; they show the guard process that it
 * must restore the terminal.
 */
void screen_leave_at_once(void);
/*
 * For Ctrl-Z: screen_suspend() restores the terminal; screen_resume() takes it again and redraws
 * everything.
 */
void screen_suspend(struct screen *screen);
void screen_resume(struct screen *screen);

void screen_size(struct screen *screen, int *width, int *height);
/*
 * Reads the terminal's size again, and makes the next blit draw everything. Call it after SIGWINCH.
 */
void screen_resized(struct screen *screen);
/*
 * Draws cells that changed, as many as a slow terminal reads in a moment. Returns false if some
 * cells are left, or if the terminal must still be asked for its background. In that case call it
 * again, with this canvas or a newer one, when screen_ready() is true.
 */
bool screen_blit(struct screen *screen, const struct canvas *canvas);
/*
 * Whether the terminal has read everything that was drawn. Call it when screen_fd() is readable
 * (-1: it cannot be polled), and after screen_wait_ms() at the latest.
 */
bool screen_ready(struct screen *screen);
int screen_fd(const struct screen *screen);
int screen_wait_ms(const struct screen *screen);
/*
 * Whether the terminal must still be asked for its background. While this is true, call
 * screen_blit() when screen_fd() is readable, because screen_blit() asks once the terminal has read
 * something.
 */
bool screen_asks(const struct screen *screen);
/*
 * Whether it is still unknown if the terminal reads fast. While this is true, call screen_ready()
 * when screen_fd() is readable. A fast terminal gets the next frame before it has read the last
 * one.
 */
bool screen_learns(const struct screen *screen);
/*
 * Whether the terminal has refused a frame and will refuse all further frames: the terminal hung
 * up, or this program is a background job whose shell has ended. poll() does not report this.
 */
bool screen_gone(const struct screen *screen);
/* Forgets the screen's contents, so that the next blit draws everything (Ctrl-L). */
void screen_redraw(struct screen *screen);
void screen_set_theme(struct screen *screen, const struct theme *theme);
/*
 * Copies a text to the clipboard (OSC 52). Returns false if the text could not be sent, for
 * instance because the terminal's description lacks this feature. The terminal does not report
 * whether it has allowed the copy.
 */
bool screen_copy(struct screen *screen, const char *text);
/* The background, 0xrrggbb, that the terminal reported with the last KEY_BACKGROUND. */
uint32_t screen_background(const struct screen *screen);
/*
 * The next key that was typed (key.h); 0: none; -EIO: the terminal is gone. For KEY_MOUSE_PRESS
 * and the wheel, also sets *x and *y.
 */
int screen_key(struct screen *screen, int *x, int *y);
/* Drops all keys typed so far. */
void screen_drop_keys(struct screen *screen);
