/* SPDX-License-Identifier: MIT */
#include "stage/check.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/key.h"
#include "screen/input.h"
#include "screen/ask.h"
#include "stage/seed.h"

/* Tests of the conversion from bytes to keys, without a terminal. */

enum { MAX_KEYS = 64 };

struct typed {
	struct input input;
	int keys[MAX_KEYS], n;
};

static void take(struct typed *typed, int key)
{
	if (key && typed->n < MAX_KEYS)
		typed->keys[typed->n++] = key;
}

/* Types the bytes, with a pause after them. */
static void type(struct typed *typed, const char *bytes, size_t n)
{
	typed->n = 0;
	for (size_t i = 0; i < n; i++)
		take(typed, input_byte(&typed->input, (unsigned char)bytes[i]));
	take(typed, input_timeout(&typed->input));
}

static void expect(const char *bytes, const int *keys)
{
	struct typed typed;
	int n = 0;

	input_init(&typed.input);
	type(&typed, bytes, strlen(bytes));
	while (keys[n])
		n++;
	if (typed.n != n || memcmp(typed.keys, keys, (size_t)n * sizeof(int)) != 0)
		fail_msg("\"%s\" (after ESC) is %d keys, the first %x", bytes + 1, typed.n,
			 (unsigned)typed.keys[0]);
}

#define EXPECT(bytes, ...) expect(bytes, (const int[]) {__VA_ARGS__, 0})
#define NOTHING(bytes)	   expect(bytes "q", (const int[]) {'q', 0})

static void keys_are_what_any_terminal_sends_for_them(void **state)
{
	EXPECT("q", 'q');
	EXPECT("ä→", 0xe4, 0x2192);
	EXPECT("\r\n\t\b\177\f", KEY_ENTER_KEY, KEY_ENTER_KEY, KEY_TAB, KEY_BACKSPACE_KEY,
	       KEY_BACKSPACE_KEY, KEY_CTRL_L);
	EXPECT("\033[A\033OA\033[1;5A", KEY_UP_ARROW, KEY_UP_ARROW, KEY_UP_ARROW);
	EXPECT("\033[4~\033[8~\033[F\033OF", KEY_END_KEY, KEY_END_KEY, KEY_END_KEY, KEY_END_KEY);
	EXPECT("\033[1~\033[7~\033[H\033OH", KEY_HOME_KEY, KEY_HOME_KEY, KEY_HOME_KEY,
	       KEY_HOME_KEY);
	EXPECT("\033[5~\033[6~\033[5;2~", KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_PAGE_UP);
	EXPECT("\033OP\033[11~\033[[A\033[21~", KEY_F1, KEY_F1, KEY_F1, KEY_F10);
	EXPECT("\033[Z\033OM", KEY_BACK_TAB, KEY_ENTER_KEY);
	EXPECT("\033", KEY_ESCAPE);
	EXPECT("\033\033", KEY_ESCAPE);
	EXPECT("\2334~\217A", KEY_END_KEY, KEY_UP_ARROW);
}

static void unknown_sequences_type_nothing(void **state)
{
	NOTHING("\033[2~\033[3~\033[9~\033[44~\033[99999999999999999999~\033[27u\033[I\033[O");
	NOTHING("\033[?62;4c\033[>0;276;0c\033[=1;2z\033[ q\033[!p\033[1;2;3;4;5;6;7;8;9x");
	NOTHING("\033[27;5;9~\033[97;5u\033[[9\033[[F\033[a\033[4^\033[4$\033[-4~\033[4z");
	NOTHING("\033Op\033Oj\033Oa\033O5D\033O2P\033Nq");
	NOTHING("\033]11;rgb:0000/1111/2222\033\\\033]0;qqq\007\033P1$r0m\033\\\033_Gi=1;OK\033\\");
	NOTHING("\033X…✜qqq\033\\\033^rrr\033\\\033(B\033#8\033%G\033=\033>\033c\0337");
	NOTHING("\033q\033S\033/\0331\033\177\033\r\033ä\033\033[A\033\033OA");
	NOTHING("\2339~\235qqq\234\220qqq\234\302\2339~");
	NOTHING("\033[12;\030\033[4\032\033]qq\030\033P\032");
}

static void a_sequence_that_is_cut_off_leaves_nothing_behind(void **state)
{
	EXPECT("\033[", 0);
	EXPECT("\033[1;", 0);
	EXPECT("\033O", 0);
	EXPECT("\033]11;rgb", 0);
	EXPECT("\033[M  ", 0);
	EXPECT("\303", 0);
	EXPECT("\303q", 'q');
	EXPECT("\303\033[4~", KEY_END_KEY);
	EXPECT("\033[12\033[4~", KEY_END_KEY);
	EXPECT("\033]12\033[4~", KEY_END_KEY);
	EXPECT("\377\376q", 'q');
}

static void expect_mouse(const char *bytes, int key, int x, int y)
{
	struct typed typed;

	input_init(&typed.input);
	type(&typed, bytes, strlen(bytes));
	assert_int_equal(typed.n, 1);
	assert_int_equal(typed.keys[0], key);
	assert_int_equal(typed.input.x, x);
	assert_int_equal(typed.input.y, y);
}

static void all_three_mouse_protocols_are_read(void **state)
{
	expect_mouse("\033[<0;5;7M\033[<0;5;7m", KEY_MOUSE_PRESS, 4, 6);
	expect_mouse("\033[32;5;7M\033[35;5;7M", KEY_MOUSE_PRESS, 4, 6);
	expect_mouse("\033[M %'\033[M#%'", KEY_MOUSE_PRESS, 4, 6);
	expect_mouse("\033[<64;201;2M", KEY_WHEEL_UP, 200, 1);
	expect_mouse("\033[97;201;2M", KEY_WHEEL_DOWN, 200, 1);
	expect_mouse("\033[Ma\"#", KEY_WHEEL_DOWN, 1, 2);
	expect_mouse("\033[<20;1;1M", KEY_MOUSE_PRESS, 0, 0);
	NOTHING("\033[<32;5;7M\033[<1;5;7M\033[<2;5;7M\033[<66;5;7M\033[<0;0;7M\033[<0;5M");
	NOTHING("\033[<;;M\033[<0;5;7;9M\033[<-1;5;7M\033[<0;99999999999999999999;7M\033[M\"11");
}

static void terminfo_says_what_else_there_is(void **state)
{
	struct typed typed;

	input_init(&typed.input);
	input_learn(&typed.input, "\033[214z", KEY_HOME_KEY);
	input_learn(&typed.input, NULL, KEY_END_KEY);
	input_learn(&typed.input, "q", KEY_END_KEY);
	type(&typed, "\033[214zq", 7);
	assert_int_equal(typed.n, 2);
	assert_int_equal(typed.keys[0], KEY_HOME_KEY);
	assert_int_equal(typed.keys[1], 'q');
}

/* Returns a byte that has a meaning, or any other. */
static char random_byte(void)
{
	static const char often[] = "\033\033\033[[O]P;;<M~019Aq\007\030\\ \233\302";

	return random() % 4 ? often[(size_t)random() % (sizeof(often) - 1)] : (char)random();
}

static void after_any_bytes_and_a_pause_a_key_is_itself(void **state)
{
	struct typed typed;

	seed_random();
	input_init(&typed.input);
	for (int i = 0; i < 200000; i++) {
		char bytes[40];
		size_t n = (size_t)random() % sizeof(bytes);

		for (size_t j = 0; j < n; j++)
			bytes[j] = random_byte();
		type(&typed, bytes, n);
		assert_int_equal(typed.input.state, INPUT_GROUND);
		type(&typed, "q\033[4~", 5);
		assert_int_equal(typed.n, 2);
		assert_int_equal(typed.keys[0], 'q');
		assert_int_equal(typed.keys[1], KEY_END_KEY);
	}
}

/* Every sequence is ignored completely, so no byte in it becomes a key. */
static void no_sequence_of_the_grammar_is_typed(void **state)
{
	struct typed typed;

	seed_random();
	input_init(&typed.input);
	for (int i = 0; i < 200000; i++) {
		char bytes[40] = "\033[";
		size_t n = 2, wanted = 2 + (size_t)random() % 30;

		while (n < wanted)
			bytes[n++] = (char)(' ' + random() % 32);
		bytes[n++] = (char)('a' + random() % 26);
		type(&typed, bytes, n);
		if (typed.n)
			fail_msg("ESC %.*s is the key %x", (int)n - 1, bytes + 1,
				 (unsigned)typed.keys[0]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_what_any_terminal_sends_for_them),
		cmocka_unit_test(unknown_sequences_type_nothing),
		cmocka_unit_test(a_sequence_that_is_cut_off_leaves_nothing_behind),
		cmocka_unit_test(all_three_mouse_protocols_are_read),
		cmocka_unit_test(terminfo_says_what_else_there_is),
		cmocka_unit_test(after_any_bytes_and_a_pause_a_key_is_itself),
		cmocka_unit_test(no_sequence_of_the_grammar_is_typed),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
