/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/debug.h"
#include "base/error_line.h"
#include "draw/text.h"
#include "draw/theme.h"
#include "screen/screen.h"

/*
 * Longest time, ms, to wait for the reader of the log. Afterwards, the session continues without
 * the log.
 */
enum { LOG_PATIENCE_MS = 1000 };

static const int ending_signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};

/*
 * Takes one of n signals, which are all blocked, if any is pending. Returns its number, or 0 if
 * none is pending.
 */
static int take_signal_of(const int *numbers, size_t n)
{
	const struct timespec at_once = {0};
	sigset_t wanted;
	int number;

	sigemptyset(&wanted);
	for (size_t i = 0; i < n; i++)
		sigaddset(&wanted, numbers[i]);
	number = sigtimedwait(&wanted, NULL, &at_once);
	return MAX(number, 0);
}

void console_init(struct console *console)
{
	*console = (struct console) {
		.tty_in = -1,
		.signal_fd = -1,
		.patience = {.most_ms = -1},
		.log = {.most_ms = LOG_PATIENCE_MS},
	};
	console->patience.ends = console->log.ends = patience_ends();
}

void console_hurry(struct console *console)
{
	console->patience.most_ms = console->log.most_ms = PATIENCE_LAST_MS;
	screen_hurry(console->screen);
}

/*
 * Writes to standard error. Bytes that it does not accept in time are lost, and so is everything
 * later.
 */
static void write_to_stderr(struct console *console, const char *bytes, size_t n)
{
	if (console && !console->unread)
		console->unread = patience_unread(
			patience_write(&console->patience, STDERR_FILENO, bytes, n));
	else if (!console)
		fwrite(bytes, 1, n, stderr);
}

/*
 * While the screen is in use, lines wait in console->lines. If memory is short, they wait in
 * console->kept, as far as they fit.
 */
void console_say(struct console *console, const char *format, ...)
{
	char buf[ERROR_LINE_ROOM], *line, *lines;
	va_list args;
	size_t n;

	va_start(args, format);
	line = error_line_text(buf, sizeof(buf), format, args);
	va_end(args);
	n = strlen(line);
	line[n++] = '\n'; /* in place of the NUL byte */
	if (!console || !console->screen) {
		write_to_stderr(console, line, n);
	} else if ((lines = realloc(console->lines, console->n_lines + n))) {
		memcpy(lines + console->n_lines, line, n);
		console->lines = lines;
		console->n_lines += n;
	} else if (n <= sizeof(console->kept) - console->n_kept) {
		memcpy(console->kept + console->n_kept, line, n);
		console->n_kept += n;
	}
	if (line != buf)
		free(line);
}

enum { LEAST_COLUMNS = 20 };

int console_columns(void)
{
	struct winsize size;

	if (!isatty(STDERR_FILENO) || ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0)
		return 0;
	if (size.ws_col >= LEAST_COLUMNS)
		return size.ws_col;
	return 0;
}

void console_say_text(struct console *console, const char *text)
{
	int columns = console_columns();
	const char *next;

	for (; columns; text = next) {
		int n;

		if (!(*text))
			break;
		text_line(text, columns, &next);
		n = (int)(next - text);
		console_say(console, "%.*s", n - (text[n - 1] == ' '), text);
	}
	if (*text)
		console_say(console, "%s", text);
}

/*
 * Waits in the background until the shell gives the terminal to this program. Taking the terminal
 * earlier would stop the program again and again, and "kill %1" would have no effect. Returns false
 * if a signal arrived that ends the program; console->signal then has its number.
 */
static bool await_foreground(struct console *console)
{
	pid_t group;

	do {
		console->signal = take_signal_of(ending_signals, LENGTH(ending_signals));
		group = tcgetpgrp(console->tty_in);
	} while (!console->signal && group > 0 && group != getpgrp() && suspend_here());
	return !console->signal;
}

static size_t theme_number(const struct theme *theme)
{
	size_t i = 0;

	while (theme_at(i) != theme)
		i++;
	return i;
}

void console_suggest_theme(struct console *console, uint32_t rgb)
{
	/* Brightness by CCIR 601, which weights the colours as the eye does. */
	uint32_t bright = 299 * (rgb >> 16 & 0xff) + 587 * (rgb >> 8 & 0xff) + 114 * (rgb & 0xff);
	const struct theme *theme = theme_find(bright > 127500 ? "light" : "dark");

	if (!console->themed && theme != theme_at(console->theme)) {
		console->theme = theme_number(theme);
		screen_set_theme(console->screen, theme);
	}
	console->themed = true;
}

/* Whether the name of a locale has an encoding other than UTF-8, such as "de_DE.ISO-8859-1". */
static bool names_encoding(const char *locale)
{
	const char *encoding = strchr(locale, '.');

	return encoding && strncasecmp(encoding, ".utf8", 5) && strncasecmp(encoding, ".utf-8", 6);
}

/*
 * Whether the terminal accepts UTF-8, according to the locale. If this machine lacks the locale,
 * assumes UTF-8 unless the locale's name has another encoding. Examples: "UTF-8" alone, which macOS
 * sends over ssh, or a language that is not installed.
 */
static bool takes_utf8(struct console *console)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *name = NULL, *locale = NULL;

	for (size_t i = 0; i < LENGTH(names); i++) {
		if (locale && *locale)
			break;
		name = names[i];
		locale = getenv(name);
	}
	errno = 0;
	if (setlocale(LC_CTYPE, ""))
		return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	if (!names_encoding(sentence_text(locale, "")) && setlocale(LC_CTYPE, "C.UTF-8"))
		return true;
	if (console->screen)
		return false;
	if (errno == ENOMEM)
		snprintf(console->notice, sizeof(console->notice),
			 "%s=%.80s cannot be read, so the screen is ASCII: out of memory", name,
			 sentence_text(locale, ""));
	else
		snprintf(console->notice, sizeof(console->notice),
			 "%s=%.80s is not a locale on this machine, so the screen is ASCII: if the "
			 "terminal uses UTF-8, run LC_ALL=C.UTF-8 tuibench",
			 name, sentence_text(locale, ""));
	return false;
}

static enum glyphs choose_glyphs(struct console *console, bool ascii)
{
	/* Old terminals transmit 7 bits, whatever the locale says. */
	static const char *const plain[] = {"vt1", "vt2", "vt5", "ansi", "cons", "sun"};
	const char *term = sentence_text(getenv("TERM"), "");
	const bool utf8 = takes_utf8(console);

	/*
	 * Use the C locale, because a statically linked C library would try to load a converter for
	 * the other encoding.
	 */
	if (!utf8)
		setlocale(LC_CTYPE, "C");
	for (size_t i = 0; i < LENGTH(plain); i++)
		ascii |= strncmp(term, plain[i], strlen(plain[i])) == 0;
	if (ascii || !utf8)
		return GLYPHS_ASCII;
	/* The fonts of the Linux console have neither braille nor eighths. */
	if (strncmp(term, "linux", 5) == 0)
		return GLYPHS_BLOCKS;
	return GLYPHS_ALL;
}

int console_open(struct console *console, const struct options *options)
{
	static const int others[] = {SIGWINCH, SIGTSTP, SIGCONT};
	const struct theme *theme = options->theme ? theme_find(options->theme) : NULL;
	int numbers[LENGTH(ending_signals) + LENGTH(others)], err;
	char error[256];

	/* Keys come from the terminal, even if standard input is a recording. */
	if (console->tty_in < 0) {
		if (isatty(STDIN_FILENO))
			console->tty_in = STDIN_FILENO;
		else
			console->tty_in = open("/dev/tty", O_RDONLY | O_CLOEXEC);
	}
	if (console->tty_in < 0) {
		err = -errno;
		fprintf(stderr, "tuibench: /dev/tty: %s; without it, keys do not work\n",
			strerror(-err));
		return err;
	}
	memcpy(numbers, ending_signals, sizeof(ending_signals));
	memcpy(numbers + LENGTH(ending_signals), others, sizeof(others));
	if (console->signal_fd < 0)
		console->signal_fd = signals_open(numbers, LENGTH(numbers));
	if (console->signal_fd < 0) {
		fprintf(stderr, "tuibench: signals: %s\n", strerror(-console->signal_fd));
		return console->signal_fd;
	}
	if (!theme && !console->screen)
		theme = theme_on_colorfgbg(getenv("COLORFGBG"));
	if (!theme && !console->screen)
		theme = theme_at(0);
	if (theme)
		console->theme = theme_number(theme);
	if (theme && console->screen)
		screen_set_theme(console->screen, theme);
	console->themed |= options->theme != NULL;
	console->glyphs = choose_glyphs(console, options->ascii);
	if (console->screen)
		return 0;
	if (!await_foreground(console))
		return -EINTR;
	if (!*console->notice)
		screen_term_line(getenv("TERM"), console->notice, sizeof(console->notice));
	console->screen = screen_open(
		&(const struct screen_options) {
			.theme = theme_at(console->theme),
			.ask = !console->themed,
			.no_color = options->no_color,
			.no_mouse = options->no_mouse,
			.tty_in = console->tty_in,
			.tty_out = STDOUT_FILENO,
			.debug = options->debug,
		},
		error, sizeof(error));
	if (console->screen)
		return 0;
	DEBUG(options->debug, "screen", "%s", error);
	/*
	 * If the terminal was just closed, a signal is pending too. The signal then explains the
	 * error.
	 */
	console->signal = take_signal_of(ending_signals, LENGTH(ending_signals));
	if (!console->signal)
		fprintf(stderr, "tuibench: %s\n", error);
	return -EIO;
}

void console_leave(struct console *console)
{
	if (console->signal)
		console_hurry(console);
	screen_close(console->screen);
	console->screen = NULL;
	if (console->n_lines > 0)
		write_to_stderr(console, console->lines, console->n_lines);
	if (console->n_kept > 0)
		write_to_stderr(console, console->kept, console->n_kept);
	free(console->lines);
	console->lines = NULL;
	console->n_lines = console->n_kept = 0;
}

void console_close(struct console *console)
{
	console_leave(console);
	next_free(&console->next);
	next_free(&console->now);
	if (console->signal_fd >= 0)
		close(console->signal_fd);
	if (console->tty_in > STDERR_FILENO)
		close(console->tty_in);
	console_init(console);
}

bool console_stays(const struct console *console)
{
	return !console->signal &&
	       (console->next.argc > 0 || (console->lecturer && console->lecturer->stepped));
}

bool console_advance(struct console *console, struct options *options, int *status)
{
	struct debug *debug = options->debug;
	char error[1024];
	int err;

	if (console->next.argc == 0 || console->signal)
		return false;
	next_free(&console->now);
	console->now = console->next;
	console->next = (struct next) {.argc = 0};
	/*
	 * If standard input was a recording, the next session needs the terminal as its standard
	 * input.
	 */
	if (console->tty_in > STDERR_FILENO)
		dup2(console->tty_in, STDIN_FILENO);
	err = options_parse(options, console->now.argc, console->now.argv, error, sizeof(error));
	options->debug = debug;
	if (err) {
		console_say(console, "tuibench: %s", error);
		*status = 2;
		return false;
	}
	DEBUG(debug, "app", "next: %s", options->command);
	console_say(console, "%s", options->command);
	return true;
}

bool suspend_here(void)
{
	static const int go_on = SIGCONT;
	sigset_t stop;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, NULL);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	return take_signal_of(&go_on, 1) != 0;
}

bool console_heed(struct console *console, int number)
{
	switch (number) {
	case SIGWINCH:
		screen_resized(console->screen);
		return true;
	case SIGTSTP:
		screen_suspend(console->screen);
		suspend_here();
		/* fall through */
	case SIGCONT: /* After a SIGSTOP, the shell has set other terminal modes. */
		if (await_foreground(console))
			screen_resume(console->screen);
		return !console->signal;
	default:
		console->signal = number;
		return false;
	}
}

int signals_take(int fd)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) == sizeof(info))
		return (int)info.ssi_signo;
	return 0;
}

int signals_open(const int *numbers, size_t n)
{
	sigset_t watched, blocked;
	struct sigaction action;
	int fd;

	sigemptyset(&watched);
	for (size_t i = 0; i < n; i++)
		if (sigaction(numbers[i], NULL, &action) != 0 || action.sa_handler != SIG_IGN)
			sigaddset(&watched, numbers[i]);
	blocked = watched;
	sigaddset(&blocked, SIGPIPE);
	if (sigprocmask(SIG_BLOCK, &blocked, NULL))
		return -errno;
	fd = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return -errno;
	return fd;
}
