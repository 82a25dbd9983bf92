/* SPDX-License-Identifier: MIT */
#include "input.h"
#include "ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "draw/key.h"

enum { ESC = 27, BEL = 7, CAN = 24, SUB = 26, DEL = 127 };

void input_init(struct input *input)
{
	*input = (struct input) {.state = INPUT_GROUND};
}

void input_learn(struct input *input, const char *bytes, int key)
{
	struct input_learnt *learnt = &input->learnt[input->n_learnt];

	if (!bytes || (intptr_t)bytes == -1 || bytes[0] != ESC ||
	    strlen(bytes) >= sizeof(learnt->bytes) || input->n_learnt == INPUT_LEARNT)
		return;
	snprintf(learnt->bytes, sizeof(learnt->bytes), "%s", bytes);
	learnt->key = key;
	input->n_learnt++;
}

/* Characters */

static int control_key(unsigned char byte)
{
	switch (byte) {
	case '\r':
	case '\n':
		return KEY_ENTER_KEY;
	case '\t':
		return KEY_TAB;
	case '\b':
	case DEL:
		return KEY_BACKSPACE_KEY;
	case 'L' & 31:
		return KEY_CTRL_L;
	default:
		return 0;
	}
}

static void begin_sequence(struct input *input, enum input_state state)
{
	input->state = state;
	input->n = 0;
	input->meta = input->eight = false;
}

static void keep_byte(struct input *input, unsigned char byte)
{
	if (input->n < INPUT_SEQUENCE - 1)
		input->sequence[input->n++] = (char)byte;
	else
		input->n = INPUT_SEQUENCE;
}

/*
 * Begins a sequence. Stores it as terminfo writes it, with ESC, even if it began with an 8-bit
 * control code.
 */
static void introduce(struct input *input, enum input_state state, char letter)
{
	input->state = state;
	input->n = 0;
	keep_byte(input, ESC);
	keep_byte(input, (unsigned char)letter);
}

/*
 * Begins the sequence that an 8-bit control code abbreviates: 0x9b is ESC [. Ignores codes that
 * begin no sequence.
 */
static void begin_c1(struct input *input, unsigned code)
{
	begin_sequence(input, INPUT_GROUND);
	input->eight = true;
	if (code == 0x8e || code == 0x8f)
		introduce(input, INPUT_SS3, code == 0x8e ? 'N' : 'O');
	else if (code == 0x9b)
		introduce(input, INPUT_CSI, '[');
	else if (code == 0x9d)
		introduce(input, INPUT_STRING, ']');
	else if (code == 0x90 || code == 0x98 || code > 0x9d)
		input->state = INPUT_STRING;
}

static int take_character(struct input *input, unsigned char byte)
{
	bool fresh = mbsinit(&input->partial);
	wchar_t wide = 0;
	size_t got = mbrtowc(&wide, (const char *)&byte, 1, &input->partial);

	if (got == (size_t)-2)
		return 0;
	if (got == (size_t)-1) {
		memset(&input->partial, 0, sizeof(input->partial));
		if (!fresh) /* A character was cut off, and this byte begins the next one. */
			return input_byte(input, byte);
		wide = byte;
	}
	if (wide >= 0x80 && wide < 0xa0)
		begin_c1(input, (unsigned)wide);
	if (input->meta || got == (size_t)-1) {
		input->meta = false;
		return 0;
	}
	if (wide < 0xa0)
		return 0;
	return (int)wide;
}

/* The meaning of whole sequences. */

/*
 * Keys that terminals send whatever TERM says. The last letter decides: after CSI or SS3, or after
 * "CSI 1 ;" and a modifier.
 */
static int letter_key(char letter)
{
	static const struct {
		char letter;
		int key;
	} keys[] = {
		{'A', KEY_UP_ARROW},   {'B', KEY_DOWN_ARROW}, {'C', KEY_RIGHT_ARROW},
		{'D', KEY_LEFT_ARROW}, {'H', KEY_HOME_KEY},   {'F', KEY_END_KEY},
		{'P', KEY_F1},	       {'Q', KEY_F1 + 1},     {'R', KEY_F1 + 2},
		{'S', KEY_F1 + 3},     {'Z', KEY_BACK_TAB},   {'M', KEY_ENTER_KEY},
	};

	for (size_t i = 0; i < LENGTH(keys); i++)
		if (keys[i].letter == letter)
			return keys[i].key;
	return 0;
}

/* "CSI number ~": the editing and function keys of VT220, and Home and End of rxvt and PuTTY. */
static int number_key(long number)
{
	static const struct {
		int number, key;
	} keys[] = {
		{1, KEY_HOME_KEY}, {4, KEY_END_KEY}, {5, KEY_PAGE_UP}, {6, KEY_PAGE_DOWN},
		{7, KEY_HOME_KEY}, {8, KEY_END_KEY}, {11, KEY_F1},     {12, KEY_F1 + 1},
		{13, KEY_F1 + 2},  {14, KEY_F1 + 3}, {15, KEY_F1 + 4}, {17, KEY_F1 + 5},
		{18, KEY_F1 + 6},  {19, KEY_F1 + 7}, {20, KEY_F1 + 8}, {21, KEY_F10},
	};

	for (size_t i = 0; i < LENGTH(keys); i++)
		if (keys[i].number == number)
			return keys[i].key;
	return 0;
}

/* Reads a button in xterm's numbering. 4, 8 and 16 are added for modifiers, and 32 for motion. */
static int mouse_key(struct input *input, long button, long x, long y)
{
	if (x < 1 || y < 1 || x > INT16_MAX || y > INT16_MAX || button & 32)
		return 0;
	input->x = (int)x - 1;
	input->y = (int)y - 1;
	switch (button & ~28L) {
	case 0:
		return KEY_MOUSE_PRESS;
	case 64:
		return KEY_WHEEL_UP;
	case 65:
		return KEY_WHEEL_DOWN;
	default:
		return 0;
	}
}

/* Reads "CSI < b ; x ; y M", or "CSI b+32 ; x ; y M" of rxvt's mode 1015. */
static int mouse_text(struct input *input, bool sgr)
{
	long number[3] = {0, 0, 0};
	const char *at = input->sequence + 2 + sgr;
	char *end;

	for (int i = 0; i < 3; i++) {
		number[i] = strtol(at, &end, 10);
		if (end == at || *end != (i < 2 ? ';' : 'M'))
			return 0;
		at = end + 1;
	}
	return mouse_key(input, sgr ? number[0] : number[0] - 32, number[1], number[2]);
}

/*
 * Reads a CSI sequence: a key, the mouse, or "CSI ? … c", which is an answer and not a key. Ignores
 * modifiers: "CSI 5 ; 2 ~", Shift and Page Up, is read as Page Up.
 */
static int csi_key(struct input *input, char final)
{
	const char *text = input->sequence + 2;
	char *end;
	long number = strtol(text, &end, 10);
	bool plain = *text >= '0' && *text <= '9' && (*end == ';' || end[1] == '\0');

	if (input->n == 3) {
		if (final == 'M')
			return 0;
		return letter_key(final);
	}
	if (*text == '<')
		return mouse_text(input, true);
	if (*text == '?' && final == 'c') {
		input->owed = false;
		return 0;
	}
	if (final == 'M')
		return mouse_text(input, false);
	if (final == '~' && plain)
		return number_key(number);
	if (plain && number == 1 && *end == ';' && final != 'Z')
		return letter_key(final);
	return 0;
}

/*
 * Returns the key of a whole sequence; 0 if the sequence is unknown. F1 … F5 of the Linux console
 * are "CSI [ A" … "CSI [ E".
 */
static int sequence_key(struct input *input, char final)
{
	for (size_t i = 0; i < input->n_learnt; i++)
		if (!strcmp(input->learnt[i].bytes, input->sequence))
			return input->learnt[i].key;
	if (input->state == INPUT_LINUX) {
		if (final >= 'A' && final <= 'E')
			return KEY_F1 + final - 'A';
		return 0;
	}
	if (input->state == INPUT_SS3) {
		if (input->n == 3 && input->sequence[1] == 'O')
			return letter_key(final);
		return 0;
	}
	return csi_key(input, final);
}

/* Handles the last byte of a sequence. Ignores a sequence that is too long to be stored. */
static int finish_sequence(struct input *input, unsigned char final)
{
	int key = 0;

	if (!input->meta && input->n < INPUT_SEQUENCE) {
		input->sequence[input->n] = '\0';
		key = sequence_key(input, (char) final);
	}
	begin_sequence(input, INPUT_GROUND);
	return key;
}

/*
 * Handles the end of a control string. Ignores all strings but the terminal's answer about its
 * background colour.
 */
static int string_key(struct input *input)
{
	bool command = input->n > 2 && input->n < INPUT_SEQUENCE && input->sequence[1] == ']';

	if (!input->asked || input->meta || !command)
		return 0;
	input->sequence[input->n] = '\0';
	if (!ask_parse(input->sequence + 2, &input->background))
		return 0;
	input->asked = false;
	return KEY_BACKGROUND;
}

/* States */

/* Reads the mouse protocol of X10: button, column and row, each with 32 added. */
static int take_mouse(struct input *input, unsigned char byte)
{
	const unsigned char *at;
	int key;

	keep_byte(input, byte);
	if (--input->wanted > 0)
		return 0;
	at = (const unsigned char *)input->sequence + 3;
	if (input->meta)
		key = 0;
	else
		key = mouse_key(input, at[0] - 32L, at[1] - 32L, at[2] - 32L);
	begin_sequence(input, INPUT_GROUND);
	return key;
}

/*
 * The functions below take a byte by the grammar of ECMA-48: as a character, a control key, or a
 * part of a sequence. They return the key that the byte completes; 0 if no key is complete yet.
 */
/* Alt with a key sends ESC and the key. No view uses such keys, so they are ignored. */
static void take_after_escape(struct input *input, unsigned char byte)
{
	if (byte == '[') {
		introduce(input, INPUT_CSI, '[');
	} else if (byte == 'O' || byte == 'N') {
		introduce(input, INPUT_SS3, (char)byte);
	} else if (byte == ']') {
		introduce(input, INPUT_STRING, ']');
	} else if (byte < 0x7f && strchr("PX^_", byte) && byte) {
		begin_sequence(input, INPUT_STRING);
	} else if (byte >= ' ' && byte < '0') {
		begin_sequence(input, INPUT_SKIP);
	} else if (byte < 0x80) {
		begin_sequence(input, INPUT_GROUND);
	} else {
		begin_sequence(input, INPUT_GROUND);
		input->meta = true;
		take_character(input, byte);
	}
}

static int take_after_csi(struct input *input, unsigned char byte)
{
	const bool second = input->n == 2;

	if (byte < ' ' || byte >= DEL)
		return 0;
	keep_byte(input, byte);
	if (byte == '[' && second)
		input->state = INPUT_LINUX;
	else if (byte >= '@' && (byte != 'M' || input->n != 3))
		return finish_sequence(input, byte);
	else if (byte == 'M') {
		input->state = INPUT_MOUSE;
		input->wanted = 3;
	}
	return 0;
}

static int take_in_sequence(struct input *input, unsigned char byte)
{
	switch (input->state) {
	case INPUT_ESCAPE:
		take_after_escape(input, byte);
		return 0;
	case INPUT_CSI:
		return take_after_csi(input, byte);
	case INPUT_SS3:
	case INPUT_LINUX:
		if (byte < ' ')
			return 0;
		keep_byte(input, byte);
		/* Some terminals write the digits of modifiers here. */
		if (input->state == INPUT_SS3 && byte < '@')
			return 0;
		return finish_sequence(input, byte);
	case INPUT_STRING:
		if (byte == BEL || (byte == 0x9c && input->eight)) {
			input->state = INPUT_GROUND;
			return string_key(input);
		}
		keep_byte(input, byte);
		return 0;
	case INPUT_SKIP:
		if (byte >= '0')
			input->state = INPUT_GROUND;
		return 0;
	default:
		if (byte >= 0x80)
			return take_character(input, byte);
		memset(&input->partial, 0, sizeof(input->partial));
		input->meta = false;
		if (byte == ESC)
			begin_sequence(input, INPUT_ESCAPE);
		if (byte < ' ' || byte == DEL)
			return control_key(byte);
		return byte;
	}
}

int input_byte(struct input *input, unsigned char byte)
{
	bool again = input->state == INPUT_ESCAPE && byte == ESC;
	int key;

	if (input->state == INPUT_MOUSE)
		return take_mouse(input, byte);
	if (byte == ESC && input->state != INPUT_GROUND) {
		/*
		 * ESC ends a string and cuts off any other sequence. ESC ESC begins a key pressed
		 * with Alt, whose sequence is ignored.
		 */
		if (input->state == INPUT_STRING)
			key = string_key(input);
		else
			key = 0;
		begin_sequence(input, INPUT_ESCAPE);
		input->meta = again;
		return key;
	}
	if ((byte == CAN || byte == SUB) && input->state != INPUT_GROUND) {
		begin_sequence(input, INPUT_GROUND);
		return 0;
	}
	return take_in_sequence(input, byte);
}

int input_timeout(struct input *input)
{
	bool lone = input->state == INPUT_ESCAPE;

	begin_sequence(input, INPUT_GROUND);
	memset(&input->partial, 0, sizeof(input->partial));
	if (lone)
		return KEY_ESCAPE;
	return 0;
}
