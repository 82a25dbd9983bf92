/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "draw/key.h"

/*
 * Turns a terminal's bytes into keys. A sequence is read to its end by the grammar of ECMA-48, and
 * only then looked up. So an unknown sequence is ignored as a whole, and none of its bytes is taken
 * for a typed key.
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
	/* The sequence so far, cut off at INPUT_SEQUENCE bytes. No known sequence is so long. */
	char sequence[INPUT_SEQUENCE];
	size_t n;
	int wanted; /* Number of bytes of the mouse event that have not arrived. */
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
 * Handles the end of a wait. A lone ESC becomes the key Esc. Any other incomplete sequence is
 * dropped. Call this when no byte has followed for a while.
 */
int input_timeout(struct input *input);
