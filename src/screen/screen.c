/* SPDX-License-Identifier: MIT */
#include "screen/screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <term.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/debug.h"
#include "base/patience.h"
#include "draw/key.h"
#include "draw/theme.h"
#include "ask.h"
#include "input.h"
#include "paint.h"
#include "tty.h"

/*
 * curses finds the shortest bytes that turn one frame into the next. It writes them into a file in
 * memory and never sets the terminal's modes; tty.c writes to the terminal. So no function here can
 * block, and curses always knows what the terminal will show. input.c reads the keys, because
 * curses would return unknown sequences as if their letters were typed.
 */

/*
 * Longest time, ns, until the rest of a sequence arrives. Bytes that arrive later are taken for
 * typed keys.
 */
#define REST_NS UINT64_C(250000000)
/*
 * ASK_YOUNG_NS: time, ns, for which the terminal's answer is accepted. ASK_LEAVE_NS: longest time,
 * ns, to wait for the answer when the screen closes.
 */
#define ASK_YOUNG_NS UINT64_C(3000000000)
#define ASK_LEAVE_NS UINT64_C(2000000000)
/*
 * Longest time, ns, between the answers to the two questions. The second question is sent together
 * with the first.
 */
#define ASK_NEXT_NS UINT64_C(250000000)

struct screen {
	struct tty tty;
	SCREEN *curses;
	FILE *in, *out;
	WINDOW *keys; /* a curses pad, which turns on the terminal's keypad */
	int capture;  /* descriptor of the file in memory to which curses writes */
	struct paint paint;
	struct canvas shown; /* the cells that curses received last */
	bool anew;	     /* `shown` is invalid */
	bool away;	     /* suspended */
	bool entering;	     /* the next frame begins with the bytes that enter the screen */
	bool sync;	     /* frames are written between SYNC_BEGIN and SYNC_END */
	struct input input;
	/* typed bytes; the bytes from `taken` to `read` are not handled yet */
	unsigned char bytes[256];
	size_t taken, read;
	uint64_t read_ns;
	int escape_ms; /* ms to wait for the rest of a sequence after ESC */
	bool no_mouse;
	bool ask;	      /* The terminal must be asked for its background. */
	uint64_t asked_ns;    /* Time of the question. 0: the terminal has not been asked. */
	uint64_t answered_ns; /* Time of the answer. 0: no answer has arrived yet. */
};

/*
 * Converts n bytes of a frame. Adds the begin and the end of a frame together, so that the queue
 * never has a begin without an end. Returns the number of bytes in `to`.
 */
static size_t convert_frame(const struct screen *screen, const char *from, size_t n, char *to)
{
	const bool sync = screen->sync && !screen->away;
	char *end = to;

	if (sync)
		end = mempcpy(end, SYNC_BEGIN, strlen(SYNC_BEGIN));
	end += paint_bytes(&screen->paint, from, n, end);
	if (sync)
		end = mempcpy(end, SYNC_END, strlen(SYNC_END));
	return (size_t)(end - to);
}

/*
 * Takes the bytes that curses wrote since the last call. Appends them to the queue, or drops them.
 */
static int take_captured(struct screen *screen, bool queue)
{
	const off_t length = lseek(screen->capture, 0, SEEK_CUR);
	const size_t n = queue && length > 0 ? (size_t)length : 0;
	char *wrote = n > 0 ? malloc(n) : NULL, *bytes = NULL;
	int error = n > 0 && !wrote ? -ENOMEM : 0;

	if (wrote && pread(screen->capture, wrote, n, 0) != (ssize_t)n)
		error = -EIO;
	if (wrote && !error)
		bytes = malloc(paint_room(wrote, n) + strlen(SYNC_BEGIN SYNC_END));
	if (bytes)
		error = tty_queue(&screen->tty, bytes, convert_frame(screen, wrote, n, bytes));
	else if (wrote && !error)
		error = -ENOMEM;
	free(bytes);
	free(wrote);
	lseek(screen->capture, 0, SEEK_SET);
	return error;
}

/*
 * Puts a cell. If the locale cannot show its glyph, or shows it in another width, the glyph becomes
 * '?'. Returns the number of columns.
 */
static int put_cell(struct screen *screen, int x, int y, const struct cell *cell)
{
	struct cell shown = *cell;
	wchar_t text[2 + UTF8_MARKS] = {0};
	cchar_t out;

	if (!screen->paint.colours)
		canvas_merge(&shown);
	else
		paint_apart(&screen->paint, &shown);
	if (shown.glyph)
		text[0] = (wchar_t)shown.glyph;
	else
		text[0] = L' ';
	for (int i = 0; i < UTF8_MARKS; i++) {
		if (wcwidth(shown.marks[i]) == 0)
			text[1 + i] = shown.marks[i];
		else
			text[1 + i] = L'\0';
	}
	if (wcwidth(text[0]) != 1 + shown.wide) {
		wcscpy(text, L"?");
		shown.wide = false;
	}
	setcchar(&out, text, paint_attr(&screen->paint, shown.style),
		 paint_pair(&screen->paint, shown.style), NULL);
	/*
	 * For the last cell of the screen, mvadd_wch() returns ERR, because the cursor cannot move
	 * on. But the cell is drawn.
	 */
	mvadd_wch(y, x, &out);
	return 1 + shown.wide;
}

/*
 * Returns roughly how many bytes a cell needs: to move the cursor to the cell, to change the style,
 * and for the letters.
 */
static size_t cell_bytes(const struct cell *cell, const struct cell *before)
{
	enum { PLACE = 8, COLOUR = 11, ATTR = 8 };
	const struct style *is = &cell->style, *was = before ? &before->style : NULL;
	size_t bytes = cell->glyph < 0x80 ? 1 : 3;

	if (!was)
		bytes += PLACE;
	if (!was || was->fg != is->fg)
		bytes += COLOUR;
	if (was && was->bg != is->bg)
		bytes += COLOUR;
	if (was && was->attr != is->attr)
		bytes += ATTR;
	return bytes;
}

/*
 * Passes the changed cells of a row to curses. Returns false if *space, the number of bytes left,
 * is too small for all of these cells.
 */
static bool put_row(struct screen *screen, const struct canvas *canvas, int y, size_t *space)
{
	const int width = MIN(canvas->width, COLS);
	const size_t row = (size_t)y * (size_t)canvas->width;
	struct cell *was = screen->shown.cells + row;
	const struct cell *is = canvas->cells + row, *before = NULL;
	bool halved = false; /* curses still has the second half of a wide letter in this cell */

	for (int x = 0; x < width; x++) {
		size_t bytes;
		int more;

		if (!halved && canvas_same_cell(&was[x], &is[x])) {
			before = NULL;
			continue;
		}
		bytes = cell_bytes(&is[x], before);
		if (bytes > *space && !halved)
			return false;
		*space -= MIN(bytes, *space);
		before = &is[x];
		more = put_cell(screen, x, y, &is[x]) - 1;
		halved = x + more < width && was[x + more].wide;
		memcpy(&was[x], &is[x], (size_t)(1 + more) * sizeof(*was));
		x += more;
	}
	return true;
}

/*
 * Passes the changed rows to curses. Begins with the first and the last row, because they show the
 * effect of a key. Returns false if *space is too small for all of these rows.
 */
static bool put_changes(struct screen *screen, const struct canvas *canvas, size_t *space)
{
	const int height = MIN(canvas->height, LINES);
	bool all = height <= 0 || put_row(screen, canvas, 0, space);

	if (all && height > 1)
		all = put_row(screen, canvas, height - 1, space);
	for (int y = 1; y < height - 1; y++)
		all = all && put_row(screen, canvas, y, space);
	return all;
}

/*
 * Asks the terminal for its background. A terminal that reads nothing must not be asked, because
 * its answer would arrive after the program has ended. If it is unknown whether the terminal reads,
 * sends a NUL, which terminals ignore, and after a while more NULs than an unread terminal can
 * hold. If the terminal begins to read later, it is asked then.
 */
static void ask_background(struct screen *screen)
{
	if (!screen->ask)
		return;
	if (tty_hides(&screen->tty))
		tty_fill(&screen->tty);
	if (!tty_reads(&screen->tty)) {
		if (!screen->anew && !tty_hides(&screen->tty))
			tty_queue(&screen->tty, "", 1);
		return;
	}
	if (tty_queue(&screen->tty, ASK_TEXT, sizeof(ASK_TEXT) - 1) < 0)
		return;
	screen->ask = false;
	screen->input.asked = screen->input.owed = true;
	screen->asked_ns = clock_now_ns();
}

static bool asks_soon(const struct screen *screen)
{
	return screen->ask && !tty_hides(&screen->tty);
}

bool screen_blit(struct screen *screen, const struct canvas *canvas)
{
	struct canvas *shown = &screen->shown;
	const size_t space = screen->away ? 0 : tty_room(&screen->tty);
	size_t left = space;
	bool all;

	if (!space)
		return false;
	ask_background(screen);
	if (shown->width != canvas->width || shown->height != canvas->height) {
		screen->anew = true;
		if (canvas_resize(shown, canvas->width, canvas->height) < 0)
			return false;
	}
	if (screen->anew) {
		erase();
		clearok(curscr, TRUE);
		canvas_clear(shown);
	}
	all = put_changes(screen, canvas, &left);
	if (left == space && !screen->anew)
		return tty_flush(&screen->tty) && all && !asks_soon(screen);
	screen->anew = false;
	wnoutrefresh(stdscr);
	doupdate();
	/*
	 * Turn the keypad on again. curses would do that only if it could set the terminal's modes.
	 */
	if (screen->entering)
		keypad(screen->keys, TRUE);
	screen->entering = false;
	if (take_captured(screen, true) < 0)
		screen_redraw(screen);
	return tty_flush(&screen->tty) && all && !screen->anew && !asks_soon(screen);
}

bool screen_ready(struct screen *screen)
{
	return !screen->away && tty_room(&screen->tty) > 0;
}

int screen_wait_ms(const struct screen *screen)
{
	return tty_wait_ms(&screen->tty);
}

bool screen_asks(const struct screen *screen)
{
	return screen->ask && !screen->away;
}

bool screen_learns(const struct screen *screen)
{
	return tty_learns(&screen->tty) && !screen->away;
}

int screen_fd(const struct screen *screen)
{
	return screen->tty.pace.edges;
}

bool screen_gone(const struct screen *screen)
{
	return screen->tty.gone;
}

void screen_redraw(struct screen *screen)
{
	screen->anew = true;
}

void screen_set_theme(struct screen *screen, const struct theme *theme)
{
	paint_theme(&screen->paint, theme);
	screen_redraw(screen);
}

void screen_size(struct screen *screen, int *width, int *height)
{
	*width = COLS;
	*height = LINES;
}

/* Reads the terminal's size, and limits it: curses stores sizes in 16 bits. */
static bool ask_size(const struct screen *screen, struct winsize *size)
{
	if (ioctl(screen->tty.out, TIOCGWINSZ, size) != 0 || !size->ws_row || !size->ws_col)
		return false;
	if (size->ws_row > SCREEN_MOST_LINES)
		size->ws_row = SCREEN_MOST_LINES;
	if (size->ws_col > SCREEN_MOST_COLUMNS)
		size->ws_col = SCREEN_MOST_COLUMNS;
	return true;
}

void screen_resized(struct screen *screen)
{
	struct winsize size;

	if (ask_size(screen, &size))
		/* resizeterm() would also push KEY_RESIZE. */
		resize_term(size.ws_row, size.ws_col);
	screen_redraw(screen);
}

/*
 * Returns the bytes that show the cursor, to be sent once more at the very end. Some terminals save
 * the cursor's state with the main screen; if the alternate screen was entered twice, the saved
 * cursor is hidden. Without an alternate screen, the next output begins on the last line of the
 * frame, so the bytes also clear that line.
 */
static const char *last_bytes(char last[64])
{
	const char *shown = cursor_normal && !strchr(cursor_normal, '$') ? cursor_normal : "";
	const char *clear = exit_ca_mode || !clr_eol ? "" : clr_eol;

	snprintf(last, 64, "%.*s%s", (int)strcspn(clear, "$"), clear, shown);
	return last;
}

/*
 * Reads typed bytes, and waits at most wait_ms for them. Returns 1; 0 if no bytes have arrived;
 * -EIO if the terminal is gone.
 */
static int read_bytes(struct screen *screen, int wait_ms)
{
	struct pollfd in = {.fd = screen->tty.in, .events = POLLIN};
	ssize_t got;

	if (poll(&in, 1, wait_ms) != 1)
		return 0;
	got = read(screen->tty.in, screen->bytes, sizeof(screen->bytes));
	if (got <= 0) {
		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			return 0;
		return -EIO;
	}
	screen->taken = 0;
	screen->read = (size_t)got;
	return 1;
}

static int take_byte(struct screen *screen)
{
	const int key = input_byte(&screen->input, screen->bytes[screen->taken++]);

	if (key == KEY_BACKGROUND)
		screen->answered_ns = clock_now_ns();
	return key;
}

static bool signal_pending(void)
{
	const sigset_t ends = patience_ends();
	sigset_t pending;

	sigpending(&pending);
	sigandset(&pending, &pending, &ends);
	return !sigisemptyset(&pending);
}

/*
 * Waits for the terminal's answer while input is not echoed. If the answer arrived after the screen
 * has closed, the shell would take it for typed input. If the answer does not arrive in time,
 * assumes that it never will. After a signal, the wait is half as long. Keys that are typed during
 * the wait are lost.
 */
static void await_answer(struct screen *screen)
{
	struct tty *tty = &screen->tty;

	const uint64_t most_ns = tty->hurry ? ASK_LEAVE_NS / 2 : ASK_LEAVE_NS;

	/* Do not read in the background, because that would stop the program. */
	if (tcgetpgrp(tty->in) != getpgrp())
		return;
	tty_flush(tty);
	while (screen->input.owed && !signal_pending()) {
		uint64_t until_ns = screen->asked_ns + most_ns;

		if (screen->answered_ns)
			until_ns = screen->answered_ns + ASK_NEXT_NS;
		if (clock_now_ns() >= until_ns)
			return;
		if (read_bytes(screen, 20) < 0)
			return;
		while (screen->taken < screen->read)
			take_byte(screen);
		tty_flush(tty);
	}
}

void screen_suspend(struct screen *screen)
{
	char last[64];

	if (screen->away)
		return;
	screen->away = true;
	/*
	 * endwin() writes the bytes that leave the screen and that end the modes of mouse and
	 * keypad.
	 */
	endwin();
	if (take_captured(screen, true) < 0)
		tty_queue(&screen->tty, screen->tty.leave, screen->tty.n_leave);
	else
		tty_queue(&screen->tty, last, strlen(last_bytes(last)));
	await_answer(screen);
	tty_give_back(&screen->tty);
}

void screen_resume(struct screen *screen)
{
	tty_take(&screen->tty);
	screen->away = false;
	screen->entering = true;
	screen_resized(screen);
}

static void hold_off(int number)
{
	(void)number;
}

/*
 * Calls newterm() without letting it install its own handlers, which write to the terminal.
 * newterm() installs handlers only for signals that have none, so other handlers are installed
 * before. Meanwhile the signals are blocked and not ignored, because Linux discards a pending
 * signal that becomes ignored. A handler for SIGTSTP also saves curses two system calls in every
 * doupdate().
 */
static SCREEN *new_term_without_signals(const char *name, FILE *out, FILE *in)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
	enum { N = LENGTH(numbers) };
	const struct sigaction handled = {.sa_handler = hold_off};
	struct sigaction before[N];
	sigset_t blocked, mask;
	SCREEN *curses;

	sigemptyset(&blocked);
	for (int i = 0; i < N; i++)
		sigaddset(&blocked, numbers[i]);
	sigprocmask(SIG_BLOCK, &blocked, &mask);
	for (int i = 0; i < N; i++)
		sigaction(numbers[i], &handled, &before[i]);
	curses = newterm(name, out, in);
	for (int i = 0; i < N; i++)
		sigaction(numbers[i], &before[i], NULL);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return curses;
}

static int open_streams(struct screen *screen, int tty_in)
{
	const int in = dup(tty_in);

	screen->capture = memfd_create("tuibench-frame", MFD_CLOEXEC);
	if (in < 0 || screen->capture < 0)
		return -errno;
	screen->in = fdopen(in, "r");
	screen->out = fdopen(screen->capture, "w");
	if (screen->in && screen->out)
		return 0;
	return -errno;
}

static int set_up_curses(struct screen *screen, const struct screen_options *options)
{
	const struct {
		const char *bytes;
		int key;
	} keys[] = {
		{key_up, KEY_UP_ARROW},	    {key_down, KEY_DOWN_ARROW},
		{key_left, KEY_LEFT_ARROW}, {key_right, KEY_RIGHT_ARROW},
		{key_ppage, KEY_PAGE_UP},   {key_npage, KEY_PAGE_DOWN},
		{key_home, KEY_HOME_KEY},   {key_end, KEY_END_KEY},
		{key_enter, KEY_ENTER_KEY}, {key_backspace, KEY_BACKSPACE_KEY},
		{key_btab, KEY_BACK_TAB},   {key_f1, KEY_F1},
		{key_f2, KEY_F1 + 1},	    {key_f3, KEY_F1 + 2},
		{key_f4, KEY_F1 + 3},	    {key_f5, KEY_F1 + 4},
		{key_f10, KEY_F10},
	};
	const char *escape = getenv("ESCDELAY");
	const int delay = escape ? atoi(escape) : 0;

	set_term(screen->curses);
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	leaveok(stdscr, TRUE);
	if (delay > 0 && delay < 1000)
		screen->escape_ms = delay;
	else
		screen->escape_ms = 25;
	screen->no_mouse = options->no_mouse;
	screen->sync = sync_allowed(getenv("TERM"));
	/* Learn this terminal's own sequences, which take precedence over the common ones. */
	input_init(&screen->input);
	for (size_t i = 0; i < LENGTH(keys); i++)
		input_learn(&screen->input, keys[i].bytes, keys[i].key);
	typeahead(-1); /* Make curses write whole frames even if keys were typed meanwhile. */
	screen->keys = newpad(1, 1);
	if (!screen->keys)
		return -ENOMEM;
	keypad(screen->keys, TRUE);
	paint_start(&screen->paint, options->theme, options->no_color);
	if (!options->no_mouse) {
		mouseinterval(0);
		mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	}
	return 0;
}

/*
 * Lets curses write its first and last bytes before any bytes are sent, because a crash handler
 * needs the last bytes. The first bytes are sent again with the first frame.
 */
static int protect_terminal(struct screen *screen)
{
	char leave[TTY_LEAVE], last[64], *end = leave;
	const size_t space = TTY_LEAVE - strlen(SYNC_END);
	ssize_t n;

	doupdate();
	take_captured(screen, false);
	endwin();
	n = lseek(screen->capture, 0,
		  SEEK_CUR); /* After this position, the file may have older bytes. */
	if (n < 0 || (size_t)n + strlen(last_bytes(last)) > space)
		return -EIO;
	/* End the frame first: a crash may cut it off before its end. */
	if (screen->sync)
		end = mempcpy(end, SYNC_END, strlen(SYNC_END));
	if (pread(screen->capture, end, (size_t)n, 0) != n)
		return -EIO;
	take_captured(screen, false);
	end = mempcpy(end + n, last, strlen(last));
	return tty_protect(&screen->tty, leave, (size_t)(end - leave));
}

static int take_terminal(struct screen *screen, const struct screen_options *options, char *error,
			 size_t size)
{
	int result = tty_open(&screen->tty, options->tty_in, options->tty_out);
	const char *name = screen_term(getenv("TERM"));
	char height[16], width[16];
	struct winsize term;

	if (result == 0)
		result = open_streams(screen, options->tty_in);
	if (result == 0) {
		/*
		 * curses writes to a file in memory, which has no size, so it would assume 24 lines
		 * of 80 columns.
		 */
		if (ask_size(screen, &term)) {
			snprintf(height, sizeof(height), "%d", term.ws_row);
			snprintf(width, sizeof(width), "%d", term.ws_col);
			setenv("LINES", height, true);
			setenv("COLUMNS", width, true);
		}
		errno = 0;
		screen->curses = new_term_without_signals(name, screen->out, screen->in);
		unsetenv("LINES");
		unsetenv("COLUMNS");
		if (!screen->curses && errno == ENOMEM) {
			snprintf(error, size, "not enough memory for the screen");
			return -ENOMEM;
		}
		if (!screen->curses || !cursor_address) {
			screen_term_line(getenv("TERM"), error, size);
			return -ENOTSUP;
		}
		result = set_up_curses(screen, options);
	}
	if (result == 0)
		result = protect_terminal(screen);
	if (result == 0)
		result = tty_take(&screen->tty);
	if (result < 0)
		snprintf(error, size, "the terminal cannot be used: %s", strerror(-result));
	return result;
}

static void free_screen(struct screen *screen)
{
	tty_close(&screen->tty);
	if (screen->keys)
		delwin(screen->keys);
	if (screen->curses)
		delscreen(screen->curses);
	if (screen->in)
		fclose(screen->in);
	if (screen->out)
		fclose(screen->out);
	canvas_free(&screen->shown);
	free(screen);
}

struct screen *screen_open(const struct screen_options *options, char *error, size_t size)
{
	struct screen *screen = calloc(1, sizeof(*screen));

	if (!screen) {
		snprintf(error, size, "not enough memory for the screen");
		return NULL;
	}
	screen->capture = -1;
	if (take_terminal(screen, options, error, size) < 0) {
		free_screen(screen);
		return NULL;
	}
	screen->entering = true;
	screen->ask = options->ask && screen->paint.colours && ask_allowed(getenv("TERM"));
	screen_resized(screen);
	DEBUG(options->debug, "screen", "TERM=%s, %d colours, %d columns, %d lines",
	      screen_term(getenv("TERM")), screen->paint.colours, COLS, LINES);
	return screen;
}

/*
 * Waits for bytes. After ESC the wait is short: ESC begins sequences, but may also be a key of its
 * own. If no byte follows during the wait, ESC was a key.
 */
static int await_bytes(struct screen *screen, int *key)
{
	struct input *input = &screen->input;
	const bool escape = input->state == INPUT_ESCAPE;
	const int got = read_bytes(screen, escape ? screen->escape_ms : 0);
	bool over;

	if (got < 0 || (got == 0 && !escape))
		return got;
	/* If the next byte cannot continue a sequence, ESC and the byte are two keys. */
	if (escape)
		over = got == 0 || !screen->bytes[0] || !strchr("[ON]PX^_\\", screen->bytes[0]);
	else
		over = clock_now_ns() - screen->read_ns > REST_NS;
	if (over)
		*key = input_timeout(input);
	screen->read_ns = clock_now_ns();
	return 1;
}

static int typed_key(struct screen *screen)
{
	int got, key = 0;

	while (!key) {
		if (screen->taken < screen->read) {
			key = take_byte(screen);
			if (key >= KEY_MOUSE_PRESS && screen->no_mouse)
				key = 0;
			/* A late answer is ignored, so the theme does not change in a talk. */
			if (key == KEY_BACKGROUND &&
			    (!screen->asked_ns ||
			     clock_now_ns() - screen->asked_ns >= ASK_YOUNG_NS))
				key = 0;
			continue;
		}
		got = await_bytes(screen, &key);
		if (got <= 0)
			return got;
	}
	return key;
}

int screen_key(struct screen *screen, int *x, int *y)
{
	struct pollfd in = {.fd = screen->tty.in, .events = POLLIN};
	/* After a hang-up, do not take bytes that were already read for keys. */
	const bool gone = poll(&in, 1, 0) == 1 && (in.revents & (POLLHUP | POLLERR | POLLNVAL));
	const int key = gone ? -EIO : typed_key(screen);

	if (key >= KEY_MOUSE_PRESS) {
		*x = screen->input.x;
		*y = screen->input.y;
	}
	return key;
}

void screen_drop_keys(struct screen *screen)
{
	tcflush(screen->tty.in, TCIFLUSH);
	screen->taken = screen->read;
}

/*
 * Copies the text to the clipboard. The sequence is "52;", then the target "c", which means the
 * clipboard, then the text.
 */
bool screen_copy(struct screen *screen, const char *text)
{
	const char *copy = tigetstr("Ms");
	size_t n = strlen(text);
	char *encoded = malloc(COPY_SIZE(n));
	const char *bytes = NULL;
	bool queued;

	if (encoded && copy && (intptr_t)copy != -1)
		bytes = tiparm(copy, "c", copy_encode(text, n, encoded));
	queued = bytes && !screen->away && tty_queue(&screen->tty, bytes, strlen(bytes)) == 0;
	if (queued)
		tty_flush(&screen->tty);
	free(encoded);
	return queued;
}

uint32_t screen_background(const struct screen *screen)
{
	return screen->input.background;
}

void screen_hurry(struct screen *screen)
{
	if (screen)
		screen->tty.hurry = true;
}

void screen_close(struct screen *screen)
{
	if (!screen)
		return;
	screen_suspend(screen);
	free_screen(screen);
}
