/* SPDX-License-Identifier: MIT */
#include "screen/ask.h"
#include "screen/input.h"
#include "screen/paint.h"
#include "screen/tty.h"
#include "stage/check.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "draw/key.h"
#include "draw/theme.h"
#include "screen/screen.h"
#include "stage/pty.h"

/*
 * A small program that uses screen.c in a pseudo-terminal. It shows the last key and does what some
 * keys request.
 */
struct program {
	struct screen_options options;
	int report; /* pipe to the test: one byte when the terminal did not take a frame */
};

struct running {
	const struct program *program;
	struct screen *screen;
	struct canvas canvas;
	unsigned count;
	bool moving; /* each frame differs from the one before in all cells except the first line */
};

enum { STATUS_GONE = 42, STATUS_NO_SCREEN = 43 };

static void draw(struct running *running, int key, int x, int y)
{
	struct canvas *canvas = &running->canvas;
	int width, height;

	screen_size(running->screen, &width, &height);
	canvas_resize(canvas, width, height);
	canvas_clear(canvas);
	canvas_printf(canvas, 0, 0, -1, STYLE(COLOUR_DEFAULT), "key %x at %d,%d", key, x, y);
	canvas_printf(canvas, 0, 1, -1, STYLE(COLOUR_DEFAULT), "size %dx%d", width, height);
	canvas_text(canvas, 0, 2, -1, STYLE(COLOUR_MODEL0), "blue");
	canvas_text(canvas, 8, 2, -1, STYLE_BOLD(COLOUR_DEFAULT), "bold");
	canvas_text(canvas, 0, 3, -1, STYLE(COLOUR_DEFAULT), "╺━⣿ ▓ μ");
	canvas_text(canvas, 0, 4, -1, STYLE(COLOUR_DEFAULT), key == 'W' ? "韓韓韓 xyz" : "b");
	canvas_put(canvas, width - 1, height - 1, '#', STYLE(COLOUR_DEFAULT));
}

/* Draws frames that differ everywhere, until the terminal has refused three in a row. */
static void flood(struct running *running)
{
	unsigned dropped = 0;

	for (unsigned i = 0; dropped < 3; i++) {
		for (int y = 0; y < running->canvas.height; y++)
			for (int x = 0; x < running->canvas.width; x++)
				canvas_put(&running->canvas, x, y,
					   'a' + ((unsigned)x * 7 + (unsigned)y + i) % 26,
					   STYLE(COLOUR_DEFAULT));
		dropped = screen_blit(running->screen, &running->canvas) ? 0 : dropped + 1;
	}
	if (write(running->program->report, "d", 1) != 1)
		_exit(99);
}

static void move_on(struct running *running)
{
	running->count++;
	for (int y = 1; y < running->canvas.height - 1; y++)
		for (int x = 0; x < running->canvas.width; x++)
			canvas_put(&running->canvas, x, y,
				   'a' + ((unsigned)x * 7 + (unsigned)y + running->count) % 26,
				   STYLE(COLOUR_DEFAULT));
}

static void stop_for_a_while(struct running *running)
{
	screen_suspend(running->screen);
	raise(SIGSTOP);
	screen_resume(running->screen);
}

static void obey(struct running *running, int key, int x, int y)
{
	switch (key) {
	case 'S':
		raise(SIGSEGV);
		break;
	case 'A':
		abort();
	case 'X':
		flood(running);
		raise(SIGSEGV);
		break;
	case 'F':
		flood(running);
		break;
	case 'Z':
		stop_for_a_while(running);
		break;
	case 'B': /* a frame that is cut */
	case 'K':
		if (write(STDOUT_FILENO, SYNC_BEGIN, strlen(SYNC_BEGIN)) < 0)
			_exit(98);
		raise(key == 'B' ? SIGABRT : SIGKILL);
		break;
	case 'E': /* enters the alternate screen again, with a hidden cursor */
		if (write(STDOUT_FILENO, "\033[?1049h", 8) != 8)
			_exit(98);
		screen_redraw(running->screen);
		break;
	case 'U':
		for (int i = 0; i < 100; i++)
			screen_blit(running->screen, &running->canvas);
		return;
	case 'R':
		screen_redraw(running->screen);
		break;
	case 'M':
		running->moving = true;
		break;
	case 'L':
		screen_set_theme(running->screen, theme_find("light"));
		break;
	case 'C':
		key = screen_copy(running->screen, "what's ☺") ? 1 : 0;
		break;
	case 'T':
		screen_set_theme(running->screen, theme_find("mono"));
		break;
	}
	draw(running, key, x, y);
}

static int loop(struct running *running, int winch)
{
	struct pollfd fds[] = {{.fd = 0, .events = POLLIN}, {.fd = winch, .events = POLLIN}};
	struct signalfd_siginfo info;
	bool waiting = false;
	int key, x = 0, y = 0;

	for (;;) {
		waiting = !screen_blit(running->screen, &running->canvas);
		if (running->moving && !waiting)
			move_on(running);
		poll(fds, 2, waiting || running->moving ? 20 : -1);
		if (fds[1].revents && read(winch, &info, sizeof(info)) > 0) {
			screen_resized(running->screen);
			draw(running, 0, 0, 0);
		}
		while ((key = screen_key(running->screen, &x, &y)) > 0 && key != 'q')
			obey(running, key, x, y);
		if (key)
			return key;
	}
}

static int program_main(void *arg)
{
	struct running running = {.program = arg};
	char error[200];
	sigset_t mask;
	int key;

	setlocale(LC_ALL, "");
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&mask);
	sigaddset(&mask, SIGWINCH);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	running.screen = screen_open(&running.program->options, error, sizeof(error));
	if (!running.screen) {
		printf("%s\n", error);
		fflush(stdout);
		return STATUS_NO_SCREEN;
	}
	draw(&running, 0, 0, 0);
	key = loop(&running, signalfd(-1, &mask, SFD_CLOEXEC));
	screen_close(running.screen);
	canvas_free(&running.canvas);
	return key == 'q' ? 0 : key == -EIO ? STATUS_GONE : 1;
}

/* A frame is written from the first row to the last cell, but may arrive in pieces. */
static bool frame_holds(struct pty *pty, const void *first)
{
	return pty_has(pty, first) && pty_cell(pty, pty->rows - 1, pty->cols - 1).chars[0] == '#';
}

static void expect_frame(struct pty *pty, const char *first)
{
	assert_true(pty_wait(pty, frame_holds, first));
}

static bool taken_holds(struct pty *pty, const void *mouse)
{
	return pty->alternate && !pty->cursor_shown && pty->mouse == *(const bool *)mouse;
}

/* Checks that the program has the screen, and that the mouse is on or off as given. */
static void expect_taken(struct pty *pty, bool mouse)
{
	assert_true(pty_wait(pty, taken_holds, &mouse));
}

static struct pty *start_at(struct program *program, const char *const env[], unsigned rate)
{
	struct pty *pty;

	program->options.theme = theme_at(0);
	program->options.tty_out = 1;
	pty = pty_call(program_main, program, env, 24, 80);
	pty->rate = rate;
	expect_frame(pty, "size 80x24");
	return pty;
}

static struct pty *start_with(struct program *program, const char *const env[])
{
	return start_at(program, env, 0);
}

static struct pty *start(const char *const env[])
{
	struct program program = {.report = -1};

	return start_with(&program, env);
}

static void quit(struct pty *pty)
{
	pty_send(pty, "q");
	pty_expect_exit(pty, 0);
	pty_expect_nothing_left(pty);
	pty_free(pty);
}

/*
 * Without an alternate screen, the shell's next line would end in the text that was on the last
 * line.
 */
static void the_last_line_is_left_empty_in_any_terminal(void **state)
{
	static const char *const terms[] = {"TERM=vt100", "TERM=linux", "TERM=xterm-256color"};

	for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++) {
		const char *const env[] = {terms[i], NULL};
		struct pty *pty = start(env);

		pty_send(pty, "q");
		pty_expect_exit(pty, 0);
		assert_string_equal(pty_row(pty, 23), "");
		pty_free(pty);
	}
}

static void first_paint_shows_text_glyphs_and_corner(void **state)
{
	struct pty *pty = start(NULL);

	assert_string_equal(pty_row(pty, 3), "╺━⣿ ▓ μ");
	expect_taken(pty, true);
	quit(pty);
}

static void expect_key(struct pty *pty, const char *bytes, int key)
{
	char text[32];

	pty_send(pty, bytes);
	snprintf(text, sizeof(text), "key %x at", (unsigned)key);
	pty_expect(pty, text);
}

/* What a terminal shows between begin and end would be half a frame. */
static void a_frame_has_a_begin_and_an_end(void **state)
{
	struct pty *pty = start(NULL);
	uint64_t torn;
	unsigned frames;

	expect_taken(pty, true);
	expect_key(pty, "a", 'a');
	torn = pty->torn_bytes;
	frames = pty->frames;
	expect_key(pty, "W", 'W');
	expect_key(pty, "R", 'R');
	assert_in_range(pty->frames - frames, 1, 40);
	assert_int_equal(pty->torn_bytes, torn);
	quit(pty);
}

static void consoles_and_old_terminals_get_no_begin_and_no_end(void **state)
{
	static const char *const terms[] = {"TERM=vt100", "TERM=linux", "TERM=screen-256color"};

	for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++) {
		const char *const env[] = {terms[i], NULL};
		struct pty *pty = start(env);

		expect_key(pty, "a", 'a');
		assert_false(pty->synchronized);
		pty_send(pty, "q");
		pty_expect_exit(pty, 0);
		assert_int_equal(pty->frames, 0);
		pty_free(pty);
	}
}

static void only_changed_cells_are_written(void **state)
{
	struct pty *pty = start(NULL);
	uint64_t before;

	pty_send(pty, "a");
	pty_expect(pty, "key 61 at");
	before = pty->bytes;
	/*
	 * A hundred frames without a change, then one cell. Other cells may be from the frame
	 * before.
	 */
	pty_send(pty, "Ub");
	pty_expect(pty, "key 62 at");
	assert_in_range(pty->bytes - before, 1, 60);
	quit(pty);
}

/* This terminal does not clear in the background colour, so blanks are written. */
static void nothing_stays_of_a_line_with_wide_letters(void **state)
{
	const char *const env[] = {"TERM=screen-256color", NULL};
	struct pty *pty = start(env);

	pty_send(pty, "W");
	pty_expect(pty, "key 57 at");
	assert_non_null(strstr(pty_row(pty, 4), " xyz"));
	pty_send(pty, "a");
	pty_expect(pty, "key 61 at");
	assert_string_equal(pty_row(pty, 4), "b");
	quit(pty);
}

static void redraw_writes_every_cell(void **state)
{
	struct pty *pty = start(NULL);
	static const char wipe[] = "\033[2J";
	const uint64_t before = pty->bytes;

	vterm_input_write(pty->vterm, wipe, sizeof(wipe) - 1);
	assert_false(pty_has(pty, "blue"));
	pty_send(pty, "R");
	pty_expect(pty, "key 52 at");
	expect_frame(pty, "blue");
	assert_in_range(pty->bytes - before, 40, 2000);
	quit(pty);
}

static void a_resize_draws_the_new_size(void **state)
{
	static const int sizes[][2] = {{36, 120}, {60, 200}, {3, 20}, {1, 1}, {24, 80}};
	struct pty *pty = start(NULL);
	char text[32];

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		const int rows = sizes[i][0], cols = sizes[i][1];

		pty_resize(pty, rows, cols);
		snprintf(text, sizeof(text), "size %dx%d", cols, rows);
		expect_frame(pty, rows > 1 ? text : "#");
	}
	quit(pty);
}

static void keys_arrive_as_the_views_know_them(void **state)
{
	struct pty *pty = start(NULL);

	expect_key(pty, "x", 'x');
	expect_key(pty, "\033OA", KEY_UP_ARROW);
	expect_key(pty, "\033OB", KEY_DOWN_ARROW);
	expect_key(pty, "\033OC", KEY_RIGHT_ARROW);
	expect_key(pty, "\033OD", KEY_LEFT_ARROW);
	expect_key(pty, "\033[5~", KEY_PAGE_UP);
	expect_key(pty, "\033[6~", KEY_PAGE_DOWN);
	expect_key(pty, "\033OH", KEY_HOME_KEY);
	expect_key(pty, "\033OF", KEY_END_KEY);
	expect_key(pty, "\033OP", KEY_F1);
	expect_key(pty, "\033[21~", KEY_F10);
	expect_key(pty, "\t", KEY_TAB);
	expect_key(pty, "\033[Z", KEY_BACK_TAB);
	expect_key(pty, "\r", KEY_ENTER_KEY);
	expect_key(pty, "\177", KEY_BACKSPACE_KEY);
	expect_key(pty, "\f", KEY_CTRL_L);
	expect_key(pty, "\033", KEY_ESCAPE);
	expect_key(pty, "ä", 0xe4);
	quit(pty);
}

/* Nothing in a sequence is typed, whatever TERM says. The key after it is. */
static void check_sequences(const char *term)
{
	const char *const env[] = {term, NULL};
	struct pty *pty = start(env);

	expect_key(pty, "\033[4~", KEY_END_KEY);
	expect_key(pty, "\033[1~", KEY_HOME_KEY);
	expect_key(pty, "\033[O\033[99~x", 'x');
	expect_key(pty, "\033]11;rgb:qq\033\\\033Pq\033\\\033[?1;2cy", 'y');
	expect_key(pty, "\033", KEY_ESCAPE);
	expect_key(pty, "a", 'a');
	expect_key(pty, "\033[M %'", KEY_MOUSE_PRESS);
	expect_key(pty, "\033[32;9;9M", KEY_MOUSE_PRESS);
	quit(pty);
}

static void sequences_are_not_typed_in_any_terminal(void **state)
{
	check_sequences("TERM=vt100");
	check_sequences("TERM=linux");
	check_sequences("TERM=xterm-16color");
	check_sequences("TERM=xterm-256color");
	check_sequences("TERM=screen");
}

static void a_sequence_in_pieces_is_one(void **state)
{
	const char *const env[] = {"ESCDELAY=900", NULL};
	struct pty *pty = start(env);

	for (int i = 0; i < 20; i++) {
		pty_send(pty, "\033");
		expect_key(pty, "[4~", KEY_END_KEY);
		expect_key(pty, "a", 'a');
	}
	quit(pty);
}

/* The text is encoded like base64(1) does. A console would print the unknown sequence. */
static void only_terminals_with_a_clipboard_are_sent_copied_text(void **state)
{
	const char *const plain[] = {"TERM=linux", NULL};
	struct pty *pty = start(NULL);

	expect_key(pty, "C", 1);
	assert_string_equal(pty->copied, "d2hhdCdzIOKYug==");
	quit(pty);
	pty = start(plain);
	expect_key(pty, "C", 0);
	assert_string_equal(pty->copied, "");
	quit(pty);
}

static void copied_text_is_base64(void **state)
{
	char buf[COPY_SIZE(4)];

	assert_string_equal(copy_encode("", 0, buf), "");
	assert_string_equal(copy_encode("a", 1, buf), "YQ==");
	assert_string_equal(copy_encode("ab", 2, buf), "YWI=");
	assert_string_equal(copy_encode("\xff\xfe\xfd", 3, buf), "//79");
	assert_string_equal(copy_encode("tuib", 4, buf), "dHVpYg==");
}

static void a_mouse_press_gives_its_cell(void **state)
{
	struct pty *pty = start(NULL);

	expect_taken(pty, true);
	expect_key(pty, "\033[<0;5;7M", KEY_MOUSE_PRESS);
	pty_expect(pty, "at 4,6");
	expect_key(pty, "\033[<64;9;2M", KEY_WHEEL_UP);
	pty_expect(pty, "at 8,1");
	expect_key(pty, "\033[<65;9;2M", KEY_WHEEL_DOWN);
	quit(pty);
}

static void no_mouse_leaves_the_mouse_to_the_terminal(void **state)
{
	struct program program = {.report = -1, .options.no_mouse = true};
	struct pty *pty = start_with(&program, NULL);

	expect_taken(pty, false);
	quit(pty);
}

/* Returns the index of the colour in which "blue" is written; -1: the terminal's own. */
static int colour_of_blue(struct pty *pty)
{
	const VTermScreenCell cell = pty_cell(pty, 2, 0);

	assert_int_equal(cell.chars[0], 'b');
	if (VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) || !VTERM_COLOR_IS_INDEXED(&cell.fg))
		return -1;
	return cell.fg.indexed.idx;
}

static bool blue_is(struct pty *pty, const void *number)
{
	return pty_cell(pty, 2, 0).chars[0] == 'b' && colour_of_blue(pty) == *(const short *)number;
}

static void check_colours(const char *term, int expected)
{
	const char *const env[] = {term, NULL};
	struct pty *pty = start(env);

	assert_int_equal(colour_of_blue(pty), expected);
	assert_true(pty_cell(pty, 2, 8).attrs.bold);
	quit(pty);
}

static void colours_are_what_the_terminal_has(void **state)
{
	const struct theme_colour *blue = &theme_find("dark")->colour[COLOUR_MODEL0];

	check_colours("TERM=xterm-256color", blue->xterm);
	check_colours("TERM=screen-256color", blue->xterm);
	check_colours("TERM=tmux-256color", blue->xterm);
	check_colours("TERM=xterm-16color", blue->ansi);
	/* Bright colours are bold. */
	check_colours("TERM=xterm", blue->ansi % 8);
	check_colours("TERM=screen", blue->ansi % 8);
	check_colours("TERM=linux", blue->ansi % 8);
	check_colours("TERM=vt100", -1);
}

/* With 8 colours, bold black is grey, and magenta is too light: both are avoided. */
static void eight_colours_on_white_are_dark_inks(void **state)
{
	const char *const env[] = {"TERM=xterm", NULL};
	const short blue = theme_find("light")->colour[COLOUR_MODEL0].ansi;
	struct pty *pty = start(env);

	pty_send(pty, "L");
	assert_true(pty_wait(pty, blue_is, &blue));
	assert_int_equal(colour_of_blue(pty), theme_find("light")->colour[COLOUR_MODEL0].ansi);
	assert_false(pty_cell(pty, 2, 8).attrs.bold);
	quit(pty);
}

static uint32_t rgb_of(struct pty *pty, VTermColor colour)
{
	vterm_screen_convert_color_to_rgb(pty->screen, &colour);
	return (uint32_t)colour.rgb.red << 16 | (uint32_t)colour.rgb.green << 8 | colour.rgb.blue;
}

static void check_true_colours(const char *term, const char *colorterm)
{
	const char *const env[] = {term, colorterm, NULL};
	const struct theme *theme = theme_find("dark");
	struct pty *pty = start(env);
	const VTermScreenCell cell = pty_cell(pty, 2, 0);

	assert_int_equal(rgb_of(pty, cell.fg), theme->colour[COLOUR_MODEL0].rgb);
	assert_int_equal(rgb_of(pty, cell.bg), theme->colour[COLOUR_GROUND].rgb);
	quit(pty);
}

static void true_colours_are_used_where_the_terminal_says_it_has_them(void **state)
{
	check_true_colours("TERM=xterm-256color", "COLORTERM=truecolor");
	check_true_colours("TERM=tmux-256color", "COLORTERM=24bit");
	check_colours("TERM=xterm-256color", theme_find("dark")->colour[COLOUR_MODEL0].xterm);
	/* The sequence of xterm-direct has colons, which this libvterm misreads. */
	if (screen_can_draw("xterm-direct2"))
		check_true_colours("TERM=xterm-direct2", "COLORTERM");
}

static bool painted_holds(struct pty *pty, const void *arg)
{
	const struct theme *theme = arg;
	const uint32_t ground = theme->colour[COLOUR_GROUND].rgb;

	for (int y = 0; y < pty->rows; y++)
		for (int x = 0; x < pty->cols; x++) {
			const VTermScreenCell cell = pty_cell(pty, y, x);

			if (VTERM_COLOR_IS_DEFAULT_BG(&cell.bg) || rgb_of(pty, cell.bg) != ground ||
			    (cell.chars[0] && VTERM_COLOR_IS_DEFAULT_FG(&cell.fg)))
				return false;
		}
	return true;
}

/* Curses would leave some cells to the terminal: blanks, the rest of a line, new lines. */
static void every_cell_has_the_ground_of_the_theme(void **state)
{
	const char *const env[] = {"TERM=xterm-256color", "COLORTERM=truecolor", NULL};
	struct pty *pty = start(env);

	assert_true(pty_wait(pty, painted_holds, theme_find("dark")));
	pty_resize(pty, 40, 130);
	expect_frame(pty, "size 130x40");
	assert_true(pty_wait(pty, painted_holds, theme_find("dark")));
	pty_send(pty, "L");
	assert_true(pty_wait(pty, painted_holds, theme_find("light")));
	pty_resize(pty, 10, 60);
	expect_frame(pty, "size 60x10");
	assert_true(pty_wait(pty, painted_holds, theme_find("light")));
	quit(pty);
}

/* If a terminal does not erase in the set colour, blanks are written. */
static void terminals_that_erase_in_their_own_colour_are_painted_too(void **state)
{
	const char *const env[] = {"TERM=screen-256color", "COLORTERM=truecolor", NULL};
	struct pty *pty = start(env);

	assert_true(pty_wait(pty, painted_holds, theme_find("dark")));
	pty_send(pty, "L");
	assert_true(pty_wait(pty, painted_holds, theme_find("light")));
	quit(pty);
}

/* The shell's next text has the terminal's own colours, on the screen from before. */
static void check_colours_given_back(const char *term, const char *key)
{
	const char *const env[] = {term, "COLORTERM=truecolor", NULL};
	struct pty *pty = start(env);
	VTermScreenCell cell;
	int status;

	pty_send(pty, key);
	status = pty_wait_exit(pty);
	assert_true(WIFEXITED(status) || WTERMSIG(status) == SIGSEGV);
	assert_true(pty_wait_restored(pty));
	vterm_input_write(pty->vterm, "\033[1;1H$", 7);
	cell = pty_cell(pty, 0, 0);
	assert_int_equal(cell.chars[0], '$');
	assert_true(VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) && VTERM_COLOR_IS_DEFAULT_BG(&cell.bg));
	pty_free(pty);
}

static void the_terminals_own_colours_come_back(void **state)
{
	check_colours_given_back("TERM=xterm-256color", "q");
	check_colours_given_back("TERM=xterm-256color", "S");
	check_colours_given_back("TERM=xterm", "q");
	check_colours_given_back("TERM=linux", "q");
}

static void no_color_keeps_attributes_alone(void **state)
{
	struct program program = {.report = -1, .options.no_color = true};
	struct pty *pty = start_with(&program, NULL);

	assert_int_equal(colour_of_blue(pty), -1);
	assert_true(pty_cell(pty, 2, 8).attrs.bold);
	quit(pty);
	check_colours("NO_COLOR=1", -1);
	check_colours("NO_COLOR=", theme_find("dark")->colour[COLOUR_MODEL0].xterm);
}

static void a_theme_changes_the_colours_shown(void **state)
{
	struct pty *pty = start(NULL);
	const int before = colour_of_blue(pty);

	assert_non_null(theme_find("mono"));
	assert_int_not_equal(theme_find("mono")->colour[COLOUR_MODEL0].xterm, before);
	pty_send(pty, "T");
	assert_true(pty_wait(pty, blue_is, &theme_find("mono")->colour[COLOUR_MODEL0].xterm));
	quit(pty);
}

static void check_fault(const char *key, int number)
{
	struct pty *pty = start(NULL);
	int status;

	pty_send(pty, key);
	status = pty_wait_exit(pty);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), number);
	pty_expect_nothing_left(pty);
	pty_free(pty);
}

static void a_crash_gives_the_terminal_back(void **state)
{
	check_fault("S", SIGSEGV);
	check_fault("A", SIGABRT);
}

/* The terminal would wait for the rest of the frame. */
static void a_frame_that_is_cut_by_a_crash_is_ended(void **state)
{
	check_fault("B", SIGABRT);
	check_fault("K", SIGKILL);
}

static void handle(int number)
{
}

static bool handles(int number)
{
	struct sigaction action;

	sigaction(number, NULL, &action);
	return action.sa_handler == handle;
}

/* Handles faults itself, before and after the screen is used. Returns 0, or what was wrong. */
static int fault_main(void *arg)
{
	const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
	static char memory[1 << 16];
	const stack_t own = {.ss_sp = memory, .ss_size = sizeof(memory)};
	const struct program *program = arg;
	char error[200];
	struct screen *screen;
	stack_t stack;

	sigaltstack(&own, NULL);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaction(numbers[i], &action, NULL);
	screen = screen_open(&program->options, error, sizeof(error));
	if (screen && handles(SIGSEGV))
		return 1;
	if (screen)
		screen_close(screen);
	sigaltstack(NULL, &stack);
	if (stack.ss_sp != memory)
		return 2;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!handles(numbers[i]))
			return 3;
	return screen ? 0 : STATUS_NO_SCREEN;
}

static void signal_handlers_are_restored_when_the_screen_closes(void **state)
{
	static const char *const terms[] = {"TERM=xterm-256color", "TERM=dumb"};
	static const int statuses[] = {0, STATUS_NO_SCREEN};
	struct program program = {.options.theme = theme_at(0), .options.tty_out = 1};

	for (size_t i = 0; i < 2; i++) {
		const char *const env[] = {terms[i], NULL};
		struct pty *pty = pty_call(fault_main, &program, env, 24, 80);

		pty_expect_exit(pty, statuses[i]);
		assert_true(pty_wait_restored(pty));
		pty_free(pty);
	}
}

static void a_crash_gives_a_stalled_terminal_back(void **state)
{
	struct program program = {0};
	siginfo_t info;
	struct pty *pty;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	program.report = ends[1];
	pty = start_with(&program, NULL);
	pty_send(pty, "X");
	/* The test does not read the terminal until the program has died. */
	assert_int_equal(waitid(P_PID, (id_t)pty->pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(WTERMSIG(pty_wait_exit(pty)), SIGSEGV);
	assert_true(pty_wait_restored(pty));
	assert_true(pty_wait_no_process(pty));
	pty_free(pty);
	close(ends[0]);
	close(ends[1]);
}

static void sigkill_gives_the_terminal_back(void **state)
{
	struct pty *pty = start(NULL);

	assert_false(pty_restored(pty));
	kill(pty->pid, SIGKILL);
	assert_true(WIFSIGNALED(pty_wait_exit(pty)));
	pty_expect_nothing_left(pty);
	pty_free(pty);
}

/* Returns the program's only child, its guard. */
static pid_t guard_of(const struct pty *pty)
{
	char path[64], text[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pty->pid, pty->pid);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	return (pid_t)atoi(text);
}

static bool is_stopped(struct pty *pty, const void *arg)
{
	char path[64], text[256] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", *(const pid_t *)arg);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	return strstr(text, ") T ") != NULL;
}

static void a_guard_that_is_stopped_keeps_nobody(void **state)
{
	struct pty *pty = start(NULL);
	pid_t guard = guard_of(pty);

	assert_true(guard > 0);
	assert_int_equal(kill(guard, SIGSTOP), 0);
	assert_true(pty_wait(pty, is_stopped, &guard));
	quit(pty);
}

static bool stopped_holds(struct pty *pty, const void *arg)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)pty->pid, &info, WSTOPPED | WNOHANG) == 0 &&
	       info.si_pid == pty->pid;
}

static void suspend_gives_back_and_resume_takes_again(void **state)
{
	struct pty *pty = start(NULL);

	pty_send(pty, "Z");
	assert_true(pty_wait(pty, stopped_holds, NULL));
	assert_true(pty_wait_restored(pty));
	kill(pty->pid, SIGCONT);
	expect_frame(pty, "key 5a at");
	assert_string_equal(pty_row(pty, 3), "╺━⣿ ▓ μ");
	expect_taken(pty, true);
	expect_key(pty, "\033OA", KEY_UP_ARROW);
	quit(pty);
}

/* libvterm stores the visibility of the cursor with the screen that is left. */
static void a_screen_entered_twice_gives_the_cursor_back(void **state)
{
	struct pty *pty = start(NULL);

	pty_send(pty, "E");
	expect_frame(pty, "key 45 at");
	quit(pty);
	pty = start(NULL);
	pty_send(pty, "E");
	expect_frame(pty, "key 45 at");
	pty_send(pty, "S");
	assert_true(pty_wait_restored(pty));
	pty_wait_exit(pty);
	pty_free(pty);
}

static void sigkill_while_suspended_leaves_the_terminal_alone(void **state)
{
	struct pty *pty = start(NULL);
	struct termios shell;
	uint64_t before;

	pty_send(pty, "Z");
	assert_true(pty_wait(pty, stopped_holds, NULL));
	assert_true(pty_wait_restored(pty));
	tcgetattr(pty->master, &shell);
	shell.c_lflag &= ~(tcflag_t)ECHO;
	tcsetattr(pty->master, TCSANOW, &shell);
	before = pty->bytes;
	kill(pty->pid, SIGKILL);
	assert_true(WIFSIGNALED(pty_wait_exit(pty)));
	assert_true(pty_wait_no_process(pty));
	while (pty_pump(pty, 0))
		;
	assert_int_equal(pty->bytes, before);
	tcgetattr(pty->master, &shell);
	assert_false(shell.c_lflag & ECHO);
	pty_free(pty);
}

static void a_stalled_terminal_drops_frames_and_does_not_block(void **state)
{
	struct program program = {0};
	struct pollfd report = {.events = POLLIN};
	struct pty *pty;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	program.report = ends[1];
	report.fd = ends[0];
	pty = start_with(&program, NULL);
	pty_send(pty, "F");
	/* The test does not read the terminal meanwhile. */
	assert_int_equal(poll(&report, 1, PTY_DEADLINE_MS), 1);
	expect_frame(pty, "key 46 at");
	assert_string_equal(pty_row(pty, 3), "╺━⣿ ▓ μ");
	quit(pty);
	close(ends[0]);
	close(ends[1]);
}

static bool has_taken(struct pty *pty, const void *bytes)
{
	return pty->bytes >= *(const uint64_t *)bytes;
}

/*
 * At 9600 baud a terminal takes 960 bytes per second. A frame here has twice as many, and the
 * kernel would hold the next six.
 */
static void a_key_waits_behind_no_frames_of_a_slow_terminal(void **state)
{
	enum { RATE = 960 };
	struct program program = {.report = -1};
	struct pty *pty = start_at(&program, NULL, RATE);
	uint64_t before;

	pty_send(pty, "M");
	before = pty->bytes + 3 * RATE;
	assert_true(pty_wait(pty, has_taken, &before));
	before = pty->bytes;
	pty_send(pty, "a");
	pty_expect(pty, "key 61 at");
	assert_in_range(pty->bytes - before, 1, RATE);
	before = pty->bytes;
	pty_send(pty, "q");
	pty_expect_exit(pty, 0);
	assert_in_range(pty->bytes - before, 1, 2 * RATE);
	pty_expect_nothing_left(pty);
	pty_free(pty);
}

/* A terminal that reads at once gets more each time, and finally whole frames. */
static void a_slow_start_shows_the_whole_frame(void **state)
{
	struct pty *pty = start(NULL);

	pty_send(pty, "M");
	pty_expect(pty, "key 4d at");
	pty_send(pty, "b");
	expect_frame(pty, "key 62 at");
	quit(pty);
}

static int read_while_written = -1; /* a master that reads during each write(); -1: none */

/* Reads everything until nothing has arrived for 50 ms. */
static void read_all(int from)
{
	struct pollfd master = {.fd = from, .events = POLLIN};
	char buf[4096];

	while (from >= 0 && poll(&master, 1, 50) == 1)
		if (read(from, buf, sizeof(buf)) <= 0)
			break;
}

/* Replaces write() for the program too, which is linked as a library. */
ssize_t write(int fd, const void *bytes, size_t n)
{
	const ssize_t wrote = syscall(SYS_write, fd, bytes, n);

	read_all(read_while_written);
	return wrote;
}

/*
 * epoll(7) reports both the terminal's reads and the program's own writes as edges. Here the
 * terminal reads during write(), so both kinds come at the same time.
 */
static void a_terminal_that_reads_during_each_write_is_seen_to_read(void **state)
{
	enum { MOST = 64 };
	static const char bytes[1024];
	struct tty tty;
	int master, slave, n = 0;

	pty_open(&master, &slave);
	assert_int_equal(tty_open(&tty, slave, slave), 0);
	assert_int_equal(tty_take(&tty), 0);
	read_while_written = master;
	for (; n < MOST && !tty_reads(&tty); n++) {
		assert_int_equal(tty_queue(&tty, bytes, sizeof(bytes)), 0);
		assert_true(tty_flush(&tty));
	}
	read_while_written = -1;
	assert_true(tty_reads(&tty));
	assert_false(tty_hides(&tty));
	tty_close(&tty);
	close(master);
	close(slave);
}

/* Frames are 100 ms apart, and only the next frame finds that the last one was read at once. */
static void a_terminal_that_is_looked_at_late_is_not_slow(void **state)
{
	static const char bytes[256];
	struct tty tty;
	int master, slave;

	pty_open(&master, &slave);
	assert_int_equal(tty_open(&tty, slave, slave), 0);
	assert_int_equal(tty_take(&tty), 0);
	read_all(master);
	for (int frame = 0; frame < 4; frame++) {
		assert_int_equal(tty_queue(&tty, bytes, sizeof(bytes)), 0);
		assert_true(tty_flush(&tty));
		read_all(master);
		assert_int_not_equal(tty_room(&tty), 0);
		assert_false(tty.pace.slow);
	}
	tty_close(&tty);
	close(master);
	close(slave);
}

/* The terminal reads during each write, but every edge is missed. */
static void a_terminal_that_takes_more_than_it_holds_is_read(void **state)
{
	struct tty tty;
	int master, slave;

	pty_open(&master, &slave);
	assert_int_equal(tty_open(&tty, slave, slave), 0);
	assert_int_equal(tty_take(&tty), 0);
	tty_fill(&tty);
	assert_false(tty_reads(&tty));
	read_all(master);
	read_while_written = master;
	tty_fill(&tty);
	read_while_written = -1;
	assert_int_equal(tty.pace.reads, 0);
	assert_true(tty_reads(&tty));
	assert_int_not_equal(tty_room(&tty), 0);
	tty_close(&tty);
	close(master);
	close(slave);
}

/*
 * The terminal may be one of 9600 baud with seconds of text to read, and a key would wait behind
 * all additions.
 */
static void a_terminal_not_seen_to_read_is_given_no_more_each_time(void **state)
{
	enum { MORE = 3 };
	static const char bytes[8192];
	struct tty tty;
	size_t room, least = sizeof(bytes);
	int master, slave, n = 0;

	pty_open(&master, &slave);
	assert_int_equal(tty_open(&tty, slave, slave), 0);
	assert_int_equal(tty_take(&tty), 0);
	for (size_t before = 0; n < MORE; before = room) {
		do
			room = tty_room(&tty);
		while (room == 0 && poll(NULL, 0, tty_wait_ms(&tty)) == 0);
		if (room < before)
			least = room;
		n += least < sizeof(bytes);
		if (least < sizeof(bytes))
			assert_int_equal(room, least);
		assert_in_range(room, 1, sizeof(bytes));
		assert_int_equal(tty_queue(&tty, bytes, room), 0);
		assert_true(tty_flush(&tty));
	}
	tty_close(&tty);
	close(master);
	close(slave);
}

/* Opens a terminal that has read 8 KiB at once. */
static void open_fast(struct tty *tty, int *master, int *slave)
{
	static const char bytes[8192];

	pty_open(master, slave);
	assert_int_equal(tty_open(tty, *slave, *slave), 0);
	assert_int_equal(tty_take(tty), 0);
	read_all(*master);
	assert_true(tty_learns(tty));
	assert_int_equal(tty_queue(tty, bytes, sizeof(bytes)), 0);
	assert_true(tty_flush(tty));
	read_all(*master);
	assert_int_not_equal(tty_room(tty), 0);
	assert_false(tty_learns(tty));
}

/* On a loaded machine, frames would otherwise wait 1.6 s as soon as 4 KiB have no edge. */
static void frames_of_a_fast_terminal_wait_for_no_edge(void **state)
{
	enum { FRAMES = 12 };
	static const char bytes[1024];
	struct tty tty;
	unsigned reads;
	int master, slave;

	open_fast(&tty, &master, &slave);
	reads = tty.pace.reads;
	read_while_written = master;
	for (int frame = 0; frame < FRAMES; frame++) {
		assert_int_not_equal(tty_room(&tty), 0);
		assert_int_equal(tty_queue(&tty, bytes, sizeof(bytes)), 0);
		assert_true(tty_flush(&tty));
	}
	read_while_written = -1;
	assert_int_equal(tty.pace.reads, reads);
	tty_close(&tty);
	close(master);
	close(slave);
}

static void a_terminal_that_refuses_a_byte_is_no_longer_fast(void **state)
{
	enum { HOLDS = 32768 };
	static const char bytes[1024];
	struct tty tty;
	size_t n = 0;
	int master, slave;

	open_fast(&tty, &master, &slave);
	for (; n < HOLDS && tty_room(&tty) > 0; n += sizeof(bytes)) {
		assert_int_equal(tty_queue(&tty, bytes, sizeof(bytes)), 0);
		tty_flush(&tty);
	}
	assert_in_range(n, 1, HOLDS - 1);
	assert_true(tty_learns(&tty));
	assert_int_equal(tty_room(&tty), 0);
	read_all(master);
	assert_true(tty_flush(&tty));
	tty_close(&tty);
	close(master);
	close(slave);
}

/* The terminal gets as much as it takes, and reads none of it. */
static void a_full_terminal_is_not_seen_to_read(void **state)
{
	static const size_t sizes[] = {1, 100, 1000, 5000};
	static const char bytes[5000];

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct tty tty;
		int master, slave;

		pty_open(&master, &slave);
		assert_int_equal(tty_open(&tty, slave, slave), 0);
		assert_int_equal(tty_take(&tty), 0);
		do {
			assert_int_equal(tty_queue(&tty, bytes, sizes[i]), 0);
			tty_room(&tty);
		} while (tty_flush(&tty));
		assert_false(tty_reads(&tty));
		tty.sent = tty.n = 0; /* the test reads nothing of what waits */
		tty_close(&tty);
		close(master);
		close(slave);
	}
}

static void a_terminal_stopped_by_ctrl_s_is_given_back(void **state)
{
	struct program program = {0};
	struct pollfd report = {.events = POLLIN};
	struct pty *pty;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	program.report = ends[1];
	report.fd = ends[0];
	pty = start_with(&program, NULL);
	pty_send(pty, "\023F");
	assert_int_equal(poll(&report, 1, PTY_DEADLINE_MS), 1);
	quit(pty);
	close(ends[0]);
	close(ends[1]);
}

static void a_closed_terminal_reads_as_eio(void **state)
{
	struct pty *pty = start(NULL);

	pty_hang_up(pty);
	pty_expect_exit(pty, STATUS_GONE);
	assert_true(pty_wait_no_process(pty));
	pty_free(pty);
}

static void check_refused(const char *term, const char *words)
{
	const char *const env[] = {term, NULL};
	struct program program = {.options.theme = theme_at(0), .options.tty_out = 1};
	struct pty *pty = pty_call(program_main, &program, env, 24, 80);

	pty_expect(pty, words);
	pty_expect_exit(pty, STATUS_NO_SCREEN);
	assert_true(pty_wait_restored(pty));
	pty_free(pty);
}

static void a_terminal_without_a_cursor_is_refused_by_name(void **state)
{
	check_refused("TERM=dumb", "TERM=dumb cannot place the cursor");
	check_refused("TERM=no-such-terminal", "TERM=no-such-terminal is not known");
	check_refused("TERM", "TERM is not set");
}

static void terminals_that_cannot_draw_are_recognised(void **state)
{
	assert_true(screen_can_draw("xterm-256color"));
	assert_true(screen_can_draw("vt100"));
	assert_false(screen_can_draw("dumb"));
	assert_false(screen_can_draw("unknown"));
	assert_false(screen_can_draw("no-such-terminal"));
	assert_false(screen_can_draw(""));
	assert_false(screen_can_draw(NULL));
}

static void check_term(const char *term, const char *used, const char *words)
{
	char line[400];

	assert_string_equal(screen_term(term), used);
	screen_term_line(term, line, sizeof(line));
	if (!strstr(line, words) || (!*words && *line))
		fail_msg("%s: %s", term, line);
}

/* New terminals that connect by ssh to a machine without an entry for them. */
static void new_terminals_without_an_entry_are_drawn_as_xterm(void **state)
{
	/* Without other folders of entries, none of these names has an entry. */
	setenv("TERMINFO_DIRS", "", 1);
	check_term("xterm-256color", "xterm-256color", "");
	check_term("xterm-nobodys", "xterm-256color", "infocmp xterm-nobodys | ssh HOST tic -x -");
	check_term("foot-nobodys", "xterm-256color",
		   "this machine does not know TERM=foot-nobodys");
	check_term("alacritty-nobodys", "xterm-256color", "drawn for xterm-256color");
	check_term("tmux-nobodys", "screen-256color", "drawn for screen-256color");
	assert_null(screen_term("nobodys"));
	assert_null(screen_term("dumb"));
	unsetenv("TERMINFO_DIRS");
}

static void a_new_terminal_is_drawn_on(void **state)
{
	const char *const env[] = {"TERM=foot-nobodys", NULL};
	struct pty *pty = start(env);

	assert_string_equal(pty_row(pty, 3), "╺━⣿ ▓ μ");
	quit(pty);
}

/* curses has 16 bits for a size, and its arrays are as large as the screen. */
static void a_huge_terminal_is_drawn_in_its_upper_left(void **state)
{
	static const struct winsize sizes[] = {{.ws_row = 65535, .ws_col = 80},
					       {.ws_row = 24, .ws_col = 65535},
					       {.ws_row = 32768, .ws_col = 32768}};

	for (size_t i = 0; i < 3; i++) {
		struct pty *pty = start(NULL);
		char size[40];

		assert_int_equal(ioctl(pty->master, TIOCSWINSZ, &sizes[i]), 0);
		snprintf(size, sizeof(size), "size %dx%d",
			 sizes[i].ws_col < SCREEN_MOST_COLUMNS ? sizes[i].ws_col
							       : SCREEN_MOST_COLUMNS,
			 sizes[i].ws_row < SCREEN_MOST_LINES ? sizes[i].ws_row : SCREEN_MOST_LINES);
		pty_expect(pty, size);
		quit(pty);
	}
}

static void lines_and_columns_do_not_override_the_terminal(void **state)
{
	const char *const env[] = {"LINES=10", "COLUMNS=40", NULL};

	quit(start(env));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_paint_shows_text_glyphs_and_corner),
		cmocka_unit_test(a_frame_has_a_begin_and_an_end),
		cmocka_unit_test(consoles_and_old_terminals_get_no_begin_and_no_end),
		cmocka_unit_test(a_frame_that_is_cut_by_a_crash_is_ended),
		cmocka_unit_test(only_changed_cells_are_written),
		cmocka_unit_test(nothing_stays_of_a_line_with_wide_letters),
		cmocka_unit_test(redraw_writes_every_cell),
		cmocka_unit_test(a_resize_draws_the_new_size),
		cmocka_unit_test(keys_arrive_as_the_views_know_them),
		cmocka_unit_test(sequences_are_not_typed_in_any_terminal),
		cmocka_unit_test(a_sequence_in_pieces_is_one),
		cmocka_unit_test(only_terminals_with_a_clipboard_are_sent_copied_text),
		cmocka_unit_test(copied_text_is_base64),
		cmocka_unit_test(a_mouse_press_gives_its_cell),
		cmocka_unit_test(no_mouse_leaves_the_mouse_to_the_terminal),
		cmocka_unit_test(eight_colours_on_white_are_dark_inks),
		cmocka_unit_test(colours_are_what_the_terminal_has),
		cmocka_unit_test(true_colours_are_used_where_the_terminal_says_it_has_them),
		cmocka_unit_test(every_cell_has_the_ground_of_the_theme),
		cmocka_unit_test(terminals_that_erase_in_their_own_colour_are_painted_too),
		cmocka_unit_test(the_terminals_own_colours_come_back),
		cmocka_unit_test(no_color_keeps_attributes_alone),
		cmocka_unit_test(the_last_line_is_left_empty_in_any_terminal),
		cmocka_unit_test(a_theme_changes_the_colours_shown),
		cmocka_unit_test(a_crash_gives_the_terminal_back),
		cmocka_unit_test(a_crash_gives_a_stalled_terminal_back),
		cmocka_unit_test(signal_handlers_are_restored_when_the_screen_closes),
		cmocka_unit_test(sigkill_gives_the_terminal_back),
		cmocka_unit_test(a_guard_that_is_stopped_keeps_nobody),
		cmocka_unit_test(suspend_gives_back_and_resume_takes_again),
		cmocka_unit_test(a_screen_entered_twice_gives_the_cursor_back),
		cmocka_unit_test(sigkill_while_suspended_leaves_the_terminal_alone),
		cmocka_unit_test(a_stalled_terminal_drops_frames_and_does_not_block),
		cmocka_unit_test(a_key_waits_behind_no_frames_of_a_slow_terminal),
		cmocka_unit_test(a_slow_start_shows_the_whole_frame),
		cmocka_unit_test(a_terminal_that_reads_during_each_write_is_seen_to_read),
		cmocka_unit_test(a_terminal_that_is_looked_at_late_is_not_slow),
		cmocka_unit_test(a_terminal_that_takes_more_than_it_holds_is_read),
		cmocka_unit_test(a_terminal_not_seen_to_read_is_given_no_more_each_time),
		cmocka_unit_test(frames_of_a_fast_terminal_wait_for_no_edge),
		cmocka_unit_test(a_terminal_that_refuses_a_byte_is_no_longer_fast),
		cmocka_unit_test(a_full_terminal_is_not_seen_to_read),
		cmocka_unit_test(a_terminal_stopped_by_ctrl_s_is_given_back),
		cmocka_unit_test(a_closed_terminal_reads_as_eio),
		cmocka_unit_test(a_terminal_without_a_cursor_is_refused_by_name),
		cmocka_unit_test(terminals_that_cannot_draw_are_recognised),
		cmocka_unit_test(new_terminals_without_an_entry_are_drawn_as_xterm),
		cmocka_unit_test(a_new_terminal_is_drawn_on),
		cmocka_unit_test(a_huge_terminal_is_drawn_in_its_upper_left),
		cmocka_unit_test(lines_and_columns_do_not_override_the_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
