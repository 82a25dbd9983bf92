/* SPDX-License-Identifier: MIT */
#pragma once

#include <ncurses.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>
#include <wchar.h>

#include "draw/theme.h"

/*
 * Turns a terminal's bytes into keys. A sequence is read to its end by the grammar of ECMA-48, and
 * only then looked up. So an unknown sequence is ignored as a whole, and none of its bytes counts
 * as typed.
 */

enum { INPUT_SEQUENCE = 64, INPUT_LEARNT = 24 };

enum input_state {
	INPUT_GROUND,
	INPUT_ESCAPE, /* after ESC */
	INPUT_SS3,    /* one byte follows, after ESC O or ESC N */
	INPUT_CSI,    /* after ESC [, until a byte of 0x40 or more */
	INPUT_LINUX,  /* one byte follows, after ESC [ [ */
	INPUT_STRING, /* a string of OSC, DCS, SOS, PM or APC, until ST or BEL */
	INPUT_MOUSE,  /* three bytes follow, after CSI M */
	INPUT_SKIP,   /* intermediate bytes after ESC, until a final byte */
};

struct input {
	enum input_state state;
	/* The sequence so far, cut off at INPUT_SEQUENCE bytes: no known sequence is that long. */
	char sequence[INPUT_SEQUENCE];
	size_t n;
	int wanted; /* Bytes of the mouse event that have not arrived. */
	bool meta;  /* ESC ESC was read: ignore the sequence that follows. */
	bool eight; /* The sequence began with an 8-bit control code. */
	mbstate_t partial;
	int x, y; /* cell of the last mouse event */
	/* The terminal was asked for its background, and KEY_BACKGROUND reports the answer. */
	bool asked;
	bool owed;	     /* The answer to the last question of ASK_TEXT has not arrived. */
	uint32_t background; /* 0xrrggbb */
	size_t n_learnt;
	struct input_learnt {
		char bytes[16];
		int key;
	} learnt[INPUT_LEARNT];
};

void input_init(struct input *input);
/* Adds a sequence of terminfo with its key. Ignores NULL, and a text without ESC. */
void input_learn(struct input *input, const char *bytes, int key);
/* Takes a byte. Returns the key that ends with this byte (key.h), or 0. */
int input_byte(struct input *input, unsigned char byte);
/*
 * Handles the end of a wait: a lone ESC becomes the key Esc; any other incomplete sequence is
 * dropped. Call it when no byte has followed for a while.
 */
int input_timeout(struct input *input);

/*
 * Styles as attributes and colour pairs of curses. Every cell has the theme's background, even if
 * nothing is drawn there. Without colours, it has the terminal's background.
 */

enum { PAINT_PAIRS = COLOURS * COLOURS + 1, PAINT_TRUE = 1 << 24 };

struct paint_pair {
	int fg, bg; /* curses' colour numbers */
};

struct paint {
	const struct theme *theme;
	int colours; /* PAINT_TRUE, 256, 16, 8 or 0 */
	/* The terminal has 256 numbered colours and true colour: see paint_bytes(). */
	bool exact;
	struct paint_pair ground;
	short n_pairs;
	struct paint_pair pairs[PAINT_PAIRS]; /* Numbered from 1. */
	short pair_of[COLOURS][COLOURS];      /* -1: not used yet */
};

/*
 * Finds the terminal's colours. There are none if the terminal has none, or if NO_COLOR is set.
 * Call it after newterm().
 */
void paint_start(struct paint *paint, const struct theme *theme, bool no_color);
void paint_theme(struct paint *paint, const struct theme *theme);
short paint_pair(struct paint *paint, struct style style);
attr_t paint_attr(const struct paint *paint, struct style style);
/* curses' number of a colour. behind: as a background; otherwise for a letter. */
int paint_number(const struct paint *paint, enum colour colour, bool behind);
/*
 * With few colours, a letter and its background may become the same colour. Then removes the letter
 * or the background.
 */
void paint_apart(const struct paint *paint, struct cell *cell);
/*
 * Copies curses' output. If the terminal supports true colour (COLORTERM says so, terminfo does
 * not), the theme's true colours replace numbered ones. A letter that REP repeats (CSI n b) is
 * written n times, because mosh and old terminals that call themselves xterm do not know REP. `to`
 * must have paint_room() bytes. Returns the number of bytes written.
 */
size_t paint_room(const char *from, size_t n);
size_t paint_bytes(const struct paint *paint, const char *from, size_t n, char *to);

/*
 * The terminal under curses: its modes, output that never blocks, and how it is restored whenever
 * and however the program ends. A frame may be larger than the terminal accepts at once (a
 * pseudo-terminal holds 11 KiB or more). A blocking write() could then block even after poll(), so
 * output waits in a queue here.
 */

enum { TTY_LEAVE = 512, TTY_FAULTS = 5 };
/*
 * How long a terminal may accept nothing. It is long because a crowded machine may give the
 * terminal no core for seconds.
 */
enum { TTY_PATIENCE_MS = 10000 };

/*
 * How fast a terminal reads. Output waits in the kernel until the terminal reads it: up to 22 KiB
 * in a pseudo-terminal, which is 23 seconds at 9600 baud. So only a limited number of bytes, the
 * window, may be unread at a time. The size of the window follows the time that the terminal took
 * to read the previous window.
 */
struct pace {
	/* An epoll descriptor, readable once the terminal has read something; -1: none. */
	int edges;
	/* The terminal is a pseudo-terminal, whose unread bytes the kernel does not report. */
	bool pseudo;
	bool slow; /* the terminal was slow to read the last write */
	/*
	 * Upper bound of the unread bytes; 0: the terminal has read everything, or seems to have.
	 */
	size_t unread;
	size_t window;	   /* the most bytes that may be unread */
	uint64_t wrote_ns; /* When the oldest of the unread bytes was written. */
	/* pace_look() ran since wrote_ns, so an edge that it finds next has just come. */
	bool looked;
	/* When the last probe was written; if none, the same as wrote_ns. */
	uint64_t probed_ns;
	uint64_t usual_ns;   /* Time that the terminal took to read the last write. */
	unsigned unanswered; /* Probes since the last edge. */
	size_t guessed;	     /* Bytes assumed to be read since the last edge. */
	/* How often, since the last edge, all bytes were assumed to be read. */
	unsigned guesses;
	unsigned reads;	  /* Number of edges so far. */
	uint64_t written; /* Number of bytes written so far. */
};

struct tty {
	int in; /* The caller's descriptor, for reading. */
	/* The terminal opened a second time, so that O_NONBLOCK affects no other program. */
	int out;
	/* The terminal's modes at the start, and while the screen is shown. */
	struct termios before, during;
	char *waiting; /* The bytes sent … n - 1 have not been written yet. */
	size_t n, sent, size;
	char leave[TTY_LEAVE + 1]; /* The sequence that restores the terminal after a crash. */
	size_t n_leave;
	void *crash_stack;
	stack_t stack_before;
	struct sigaction faults_before[TTY_FAULTS];
	struct pace pace;
	bool hurry; /* A signal is ending the program: see tty_give_back(). */
	bool gone;  /* A write has failed for another reason than a full terminal. */
	/* When this program ends, this pipe closes, and the guard restores the terminal. */
	int guard_pipe;
	pid_t guard;
};

/*
 * Records the terminal's modes without changing them, and starts the guard. Returns 0 or -errno
 * (-ENOTTY).
 */
int tty_open(struct tty *tty, int in, int out);
/*
 * Protects the terminal from now on. After a crash (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT) or a
 * SIGKILL of this program, its modes are restored and the bytes in `leave` are written. Returns 0
 * or -errno.
 */
int tty_protect(struct tty *tty, const char *leave, size_t n);
/*
 * Sets the modes for the screen: keys without a line buffer, no echo, no translation. Returns 0 or
 * -errno.
 */
int tty_take(struct tty *tty);
/*
 * Writes the queued output and the leave sequence, unless the terminal accepts nothing for ten
 * seconds. Then restores the terminal's modes. In a hurry, waits only PATIENCE_LAST_MS and leaves
 * the rest to the guard. The guard continues after this program has ended, so tty_close() must
 * follow.
 */
void tty_give_back(struct tty *tty);
/* Appends bytes to the queue. Returns 0 or -ENOMEM. */
int tty_queue(struct tty *tty, const void *bytes, size_t n);
/* Writes as much as the terminal accepts now. Returns true if the queue is empty. */
bool tty_flush(struct tty *tty);
/*
 * tty_reads(): whether somebody reads the terminal, shown by an edge, or by more bytes than it can
 * hold. tty_hides(): whether nobody was seen to read it for more than a second.
 */
bool tty_reads(const struct tty *tty);
bool tty_hides(const struct tty *tty);
/*
 * Writes NUL bytes, which terminals ignore, until the terminal accepts no more. Also stops after
 * more bytes than the terminal can hold: in that case somebody must have read, and tty_reads()
 * becomes true without an edge.
 */
void tty_fill(struct tty *tty);
/*
 * How many bytes may be written now so that the next key does not wait for a long queue. 0: none
 * until tty->pace.edges is readable or tty_wait_ms() have passed.
 */
size_t tty_room(struct tty *tty);
int tty_wait_ms(const struct tty *tty);
/* Ends the protection, unless the guard still has work to do, and frees everything. */
void tty_close(struct tty *tty);

/*
 * Asks for the terminal's background (xterm's OSC 11), then for its type (DA1). The answers arrive
 * among the keys. Nearly all terminals answer DA1; if that answer comes first, the terminal does
 * not know OSC 11.
 */

#define ASK_TEXT "\033]11;?\007\033[c"

/*
 * Whether a terminal with that name may be asked. Consoles and old terminals would print the
 * question.
 */
bool ask_allowed(const char *term);
/*
 * A terminal shows a frame between these two sequences as a whole (synchronized output), or ignores
 * them. It is not asked which: its answer could end up in the shell.
 */
#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END   "\033[?2026l"

/* Whether frames for a terminal with that name have a begin and an end. */
bool sync_allowed(const char *term);
/*
 * Parses "11;rgb:RRRR/GGGG/BBBB", with 1 to 4 digits each, into 0xrrggbb. Returns false for
 * anything else.
 */
bool ask_parse(const char *answer, uint32_t *rgb);

/* Size of copy_encode()'s output for n bytes, including its NUL byte. */
#define COPY_SIZE(n) (((n) + 2) / 3 * 4 + 1)

/* Encodes bytes in base64 (RFC 4648), which the clipboard sequence requires. Returns buf. */
char *copy_encode(const void *bytes, size_t n, char *buf);
