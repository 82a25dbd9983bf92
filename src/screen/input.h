/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

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
	char sequence[INPUT_SEQUENCE]; /* without what is too long to mean something */
	size_t n;
	int wanted; /* bytes of the mouse still to come */
	bool meta;  /* ESC ESC: what follows is of no use */
	bool eight; /* begun by a control code of eight bits */
	mbstate_t partial;
	int x, y;   /* of the last key of the mouse */
	bool asked; /* the terminal, which background it has: KEY_BACKGROUND is the answer */
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
/* Whether the byte may continue what ESC began although it came alone; else these are two keys. */
bool input_continues(unsigned char byte);
/* Something is begun, of which the rest may come. */
bool input_waits(const struct input *input);
