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

#include "draw/draw.h"

/*
 * Bytes of a terminal to keys. A sequence is read to its end by the grammar of ECMA-48 before it is
 * asked what it means: one that nobody knows is no key, and none of its bytes is typed.
 */

enum { INPUT_SEQUENCE = 64, INPUT_LEARNT = 24 };

enum input_state {
	INPUT_GROUND,
	INPUT_ESCAPE, /* after ESC */
	INPUT_SS3,    /* after ESC O or ESC N: one byte more */
	INPUT_CSI,    /* until a byte from 0x40 on */
	INPUT_LINUX,  /* after ESC [ [: one byte more */
	INPUT_STRING, /* OSC, DCS, SOS, PM, APC: until ST or BEL */
	INPUT_MOUSE,  /* after CSI M: three bytes more */
	INPUT_SKIP,   /* intermediates after ESC: until a final byte */
};

struct input {
	enum input_state state;
	char sequence[INPUT_SEQUENCE]; /* bytes of the sequence so far, cut where it is too long to
					  have a meaning */
	size_t n;
	int wanted; /* bytes of the mouse still to come */
	bool meta;  /* ESC ESC: what follows is of no use */
	bool eight; /* begun by a control code of eight bits */
	mbstate_t partial;
	int x, y;   /* cell of the last mouse event */
	bool asked; /* the terminal, which background it has: KEY_BACKGROUND is the answer */
	bool owed;  /* its answer to the last question has not come: see ASK_TEXT */
	uint32_t background; /* 0xrrggbb */
	size_t n_learnt;
	struct input_learnt {
		char bytes[16];
		int key;
	} learnt[INPUT_LEARNT];
};

void input_init(struct input *input);
/* Has terminfo say what a sequence means; NULL, or one without ESC, is left alone. */
void input_learn(struct input *input, const char *bytes, int key);
/* Takes a byte. The key that it completes (key.h), 0: none yet, or none at all. */
int input_byte(struct input *input, unsigned char byte);
/* Nothing has followed: a lone ESC is the key, anything else that is not complete is forgotten. */
int input_timeout(struct input *input);

/*
 * Styles as curses' attributes and pairs of colours. Every cell has the theme's own ground, also
 * where nothing is drawn; only without colours is it the terminal's.
 */

enum { PAINT_PAIRS = COLOURS * COLOURS + 1, PAINT_TRUE = 1 << 24 };

struct paint_pair {
	int fg, bg; /* as curses numbers colours */
};

struct paint {
	const struct theme *theme;
	int colours; /* PAINT_TRUE, 256, 16, 8 or 0 */
	bool exact;  /* of 256 colours, and the terminal knows true colour: see paint_bytes() */
	struct paint_pair ground;
	short n_pairs;
	struct paint_pair pairs[PAINT_PAIRS]; /* from 1 */
	short pair_of[COLOURS][COLOURS];      /* -1: not asked for yet */
};

/* After newterm(): the colours this terminal has, none where it or NO_COLOR wants none. */
void paint_start(struct paint *paint, const struct theme *theme, bool no_color);
void paint_theme(struct paint *paint, const struct theme *theme);
short paint_pair(struct paint *paint, struct style style);
attr_t paint_attr(const struct paint *paint, struct style style);
/* The colour as curses numbers it, of a letter or behind one. */
int paint_number(const struct paint *paint, enum colour colour, bool behind);
/* With few colours a letter may have its background's colour: then one is dropped. */
void paint_apart(const struct paint *paint, struct cell *cell);
/*
 * Copies what curses wrote, its numbered colours replaced by the theme's true ones where the
 * terminal knows those: COLORTERM says so, terminfo does not. And a letter that REP repeats (CSI n
 * b) is written n times: mosh and old terminals that are named as xterm do not know it. to has
 * paint_room() bytes. Returns how many it became.
 */
size_t paint_room(const char *from, size_t n);
size_t paint_bytes(const struct paint *paint, const char *from, size_t n, char *to);

/*
 * The terminal below curses: its modes, output that never blocks, and the way back for every kind
 * of end. A frame may be larger than what the terminal takes at once (a pseudo-terminal holds
 * 8 KiB), so asking poll() before a blocking write() is not enough: output waits here instead.
 */

enum { TTY_LEAVE = 512, TTY_FAULTS = 5 };
/*
 * The patience with a terminal that takes nothing: a crowded machine may give it no core for
 * seconds.
 */
enum { TTY_PATIENCE_MS = 10000 };

/*
 * The pace of a terminal. Output waits in the kernel until the terminal reads it: 12 KiB in a
 * pseudo-terminal, which take 13 seconds at 9600 baud. So at most a window of bytes may be unread
 * at a time. The window's size follows the time that the terminal took to read the previous window.
 */
struct pace {
	int edges;	     /* an epoll, readable once the terminal has read something; -1 */
	bool pseudo;	     /* a pseudo-terminal: the kernel does not report its unread bytes */
	bool slow;	     /* the terminal was slow to read the last write */
	size_t unread;	     /* bytes, at most; 0: the terminal has read all, or seems to */
	size_t window;	     /* bytes that may be unread */
	uint64_t wrote_ns;   /* when the oldest of the unread were written */
	uint64_t probed_ns;  /* when the last probe was written, or else the unread */
	uint64_t usual_ns;   /* time in which the terminal read the last write */
	unsigned unanswered; /* probes since then */
	size_t guessed;	     /* bytes that it seems to have read, since the last edge */
	unsigned guesses;    /* guesses that the terminal has read all, since the last edge */
	unsigned reads;	     /* edges so far */
	uint64_t written;    /* bytes so far */
};

struct tty {
	int in;			       /* the caller's, for reading */
	int out;		       /* an open of its own: O_NONBLOCK is nobody else's */
	struct termios before, during; /* modes found, modes wanted */
	char *waiting;		       /* bytes from sent to n are not written yet */
	size_t n, sent, size;
	char leave[TTY_LEAVE + 1]; /* sequence that restores the terminal after a crash */
	size_t n_leave;
	void *crash_stack;
	stack_t stack_before;
	struct sigaction faults_before[TTY_FAULTS];
	struct pace pace;
	bool hurry;	/* a signal ends it: see tty_give_back() */
	bool gone;	/* a write has failed, not for want of room */
	int guard_pipe; /* closed by the end of this program: then the guard acts */
	pid_t guard;
};

/* Notes the modes of the terminal, which stay, and begins its guard. 0 or -errno (-ENOTTY). */
int tty_open(struct tty *tty, int in, int out);
/*
 * Protects the terminal from here on: a crash (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT) and a
 * SIGKILL of this program restore its modes and write the bytes in leave. 0 or -errno.
 */
int tty_protect(struct tty *tty, const char *leave, size_t n);
/* Sets the modes wanted: keys at once, no echo, no translation. 0 or -errno. */
int tty_take(struct tty *tty);
/*
 * Writes the queued output and the leave sequences, until the terminal has accepted nothing for ten
 * seconds; then restores the terminal's modes. In a hurry, the guard takes over after
 * PATIENCE_LAST_MS. The guard continues when this program has ended, so tty_close() must follow.
 */
void tty_give_back(struct tty *tty);
/* Appends bytes to the queue. Returns 0 or -ENOMEM. */
int tty_queue(struct tty *tty, const void *bytes, size_t n);
/* Writes as much as the terminal takes now. True when nothing waits any more. */
bool tty_flush(struct tty *tty);
/*
 * Whether somebody has read the terminal, by an edge or by more bytes than it holds; or nobody was
 * seen to, in a second and more.
 */
bool tty_reads(const struct tty *tty);
bool tty_hides(const struct tty *tty);
/*
 * Writes NULs, which terminals ignore, until the terminal takes no more or, as it holds fewer,
 * somebody must have read it: then tty_reads() is true, though no edge was seen.
 */
void tty_fill(struct tty *tty);
/*
 * How many bytes may be written now, so that a key that comes next is not behind a queue; 0: none
 * before tty->pace.edges polls readable, or tty_wait_ms() have passed.
 */
size_t tty_room(struct tty *tty);
int tty_wait_ms(const struct tty *tty);
/* Ends the protection, unless that still has something to do, and frees. */
void tty_close(struct tty *tty);

/*
 * The question which background the terminal has, xterm's OSC 11. Nothing waits for the answer: it
 * comes among the keys, or never. Nearly all terminals answer the second question, which kind they
 * are (DA1): with that answer it is known that none to the first will come.
 */

#define ASK_TEXT "\033]11;?\007\033[c"

/* Whether a terminal of that name can be asked: consoles and old ones print the question. */
bool ask_allowed(const char *term);
/* The colour 0xrrggbb in "11;rgb:RRRR/GGGG/BBBB", of 1 to 4 digits each. False for others. */
bool ask_parse(const char *answer, uint32_t *rgb);

/* Size of copy_encode()'s output for this many bytes, with its end. */
#define COPY_SIZE(n) (((n) + 2) / 3 * 4 + 1)

/* Encodes bytes in base64 (RFC 4648), which terminals expect for text to copy. Returns buf. */
char *copy_encode(const void *bytes, size_t n, char *buf);
