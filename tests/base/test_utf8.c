/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include "stage/check.h"

#include <stdlib.h>
#include <string.h>
#include <unictype.h>
#include <uniwidth.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void the_first_and_last_of_each_length_read_back(void **state)
{
	static const uint32_t ends[] = {1,	0x7f,	0x80,	0x7ff,	 0x800,	   0xd7ff,
					0xe000, 0xfffd, 0xffff, 0x10000, 0x10ffff, 'a'};
	static const size_t bytes[] = {1, 1, 2, 2, 3, 3, 3, 3, 3, 4, 4, 1};

	for (size_t i = 0; i < COUNT(ends); i++) {
		char buf[UTF8_BYTES];
		const char *text = utf8_put(ends[i], buf);

		assert_int_equal(strlen(buf), bytes[i]);
		assert_int_equal(utf8_next(&text), ends[i]);
		assert_ptr_equal(text, buf + bytes[i]);
		assert_int_equal(utf8_next(&text), 0);
		assert_ptr_equal(text, buf + bytes[i]);
	}
}

static void every_character_reads_back(void **state)
{
	char buf[UTF8_BYTES];

	for (uint32_t c = 1; c <= 0x10ffff; c++) {
		const char *text = utf8_put(c, buf);
		bool surrogate = c >= 0xd800 && c < 0xe000;

		/* A surrogate is not a character. */
		assert_int_equal(utf8_next(&text), surrogate ? 0xfffd : c);
	}
}

/* No byte of these begins a character. */
static const char *const broken[] = {
	"\x80",		    /* continuation byte without a first byte */
	"\xbf\x80",	    /* likewise, twice */
	"\xc0\x80",	    /* NUL in two bytes */
	"\xc0\xaf",	    /* '/' in two bytes */
	"\xc1\xbf",	    /* the last ASCII character in two bytes */
	"\xe0\x80\xaf",	    /* '/' in three */
	"\xe0\x9f\xbf",	    /* the last two-byte character in three bytes */
	"\xf0\x80\x80\xaf", /* '/' in four */
	"\xf0\x8f\xbf\xbf", /* the last three-byte character in four bytes */
	"\xed\xa0\x80",	    /* the first surrogate */
	"\xed\xbf\xbf",	    /* the last surrogate */
	"\xf4\x90\x80\x80", /* one above the last character */
	"\xf5\x80\x80\x80", /* first bytes that do not exist */
	"\xf8\x88\x80\x80\x80",
	"\xfc\x84\x80\x80\x80\x80",
	"\xfe",
	"\xff",
	"\xc3",		/* cut at the end */
	"\xe2\x94",	/* after two of three */
	"\xf0\x9f\x98", /* after three of four */
};

/* Copies without room after the end, so that a sanitizer finds reads beyond it. */
static char *exact(const char *text)
{
	char *copy = strdup(text);

	assert_non_null(copy);
	return copy;
}

static void each_byte_that_begins_no_character_is_broken(void **state)
{
	for (size_t i = 0; i < COUNT(broken); i++) {
		char *copy = exact(broken[i]);
		const char *text = copy;

		for (size_t n = 1; n <= strlen(broken[i]); n++) {
			assert_int_equal(utf8_next(&text), UTF8_BROKEN);
			assert_ptr_equal(text, copy + n);
		}
		assert_int_equal(utf8_next(&text), 0);
		free(copy);
	}
}

static void text_after_a_cut_character_is_read(void **state)
{
	const char *text = "\xe2\x82z\xc3\xc3\xa9";

	assert_int_equal(utf8_next(&text), UTF8_BROKEN);
	assert_int_equal(utf8_next(&text), UTF8_BROKEN);
	assert_int_equal(utf8_next(&text), 'z');
	assert_int_equal(utf8_next(&text), UTF8_BROKEN);
	assert_int_equal(utf8_next(&text), 0xe9);
	assert_int_equal(utf8_next(&text), 0);
}

/* Characters whose appearance is known even without the library. */
static void each_character_is_as_the_library_says(void **state)
{
	for (uint32_t c = 1; c <= 0x10ffff; c++) {
		const bool printable =
			!uc_is_property_default_ignorable_code_point(c) &&
			!uc_is_property_not_a_character(c) &&
			!uc_is_general_category_withtable(
				c, UC_CATEGORY_MASK_Cc | UC_CATEGORY_MASK_Cf | UC_CATEGORY_MASK_Cs |
					   UC_CATEGORY_MASK_Zl | UC_CATEGORY_MASK_Zp);
		const int width = printable ? uc_width(c, "UTF-8") : 0;
		char buf[UTF8_BYTES];
		const char *text = utf8_put(c, buf);
		struct utf8_cell cell;

		assert_int_equal(utf8_is_printable(c), printable);
		if (c >= 0xd800 && c < 0xe000)
			continue;
		assert_true(utf8_next_cell(&text, &cell));
		assert_int_equal(cell.glyph, width > 0 ? c : '?');
		assert_int_equal(cell.columns, width > 0 ? width : 1);
	}
}

static void controls_and_marks_of_direction_are_not_printable(void **state)
{
	static const uint32_t not [] = {0,	1,	'\t',	'\n',	0x1b,	0x1f,	    0x7f,
					0x80,	0x85,	0x9b,	0x9f,	0x202a, 0x202b,	    0x202c,
					0x202d, 0x202e, 0x2066, 0x2067, 0x2068, UTF8_BROKEN};
	static const uint32_t are[] = {' ',    '~',    0xa0,   0x2010,	0x2027,	 0x202f,  0x205f,
				       0x6f22, 0x0301, 0xfffd, 0x1f600, 0xdfffd, 0xe1000, 0x10fffd};

	for (size_t i = 0; i < COUNT(not ); i++)
		assert_false(utf8_is_printable(not [i]));
	assert_false(utf8_is_printable(0x2069));
	for (size_t i = 0; i < COUNT(are); i++)
		assert_true(utf8_is_printable(are[i]));
}

/* Two names that look alike may differ only in such a character. */
static void invisible_characters_are_not_printable(void **state)
{
	static const uint32_t not [] = {
		0xad,	0x34f,	0x61c,	 0x115f,  0x17b4,  0x180e,  0x200b,  0x200c, 0x200d, 0x200e,
		0x200f, 0x2028, 0x2029,	 0x2060,  0x2065,  0x206f,  0x3164,  0xfe0f, 0xfeff, 0xffa0,
		0xfff9, 0xfffe, 0x1d173, 0xe0001, 0xe0020, 0xe007f, 0xe01ef, 0xe0fff};

	(void)state;
	for (size_t i = 0; i < COUNT(not ); i++) {
		char text[8] = "a", utf8[UTF8_BYTES], *printable;

		assert_false(utf8_is_printable(not [i]));
		assert_true(utf8_is_blank(not [i]));
		strcat(text, utf8_put(not [i], utf8));
		printable = utf8_printable(text);
		assert_string_equal(printable, "a ");
		free(printable);
		utf8_mask(text);
		assert_int_equal(text[1], '?');
		assert_int_equal(strspn(text + 1, "?"), strlen(text) - 1);
	}
	assert_false(utf8_is_blank(UTF8_BROKEN));
	assert_false(utf8_is_blank('a'));
	assert_true(utf8_is_blank(0xa0));
	assert_true(utf8_is_blank(0x3000));
}

static void expect_printable(const char *text, const char *expected)
{
	char *copy = exact(text), *printable = utf8_printable(copy);

	assert_string_equal(printable, expected);
	free(printable);
	free(copy);
}

static void a_file_gets_a_space_for_a_control_and_a_mark_for_a_broken_byte(void **state)
{
	expect_printable("", "");
	expect_printable("caf\xc3\xa9 \xf0\x9f\x98\x80", "caf\xc3\xa9 \xf0\x9f\x98\x80");
	expect_printable("a\nb\x1b[2J\x7f", "a b [2J ");
	expect_printable("\xc2\x9b|\xe2\x80\xae|\xe2\x81\xa6|", " | | |");
	expect_printable("\xff\xe2\x82|", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd|");
	expect_printable("\xef\xbf\xbd", "\xef\xbf\xbd");
}

static void expect_escaped(const char *text, const char *expected)
{
	char buf[64];

	assert_string_equal(utf8_escape(text, buf, sizeof(buf)), expected);
}

/* In a typed name, everything that a terminal could take for a control is shown as an escape. */
static void what_has_no_shape_is_an_escape_in_a_name(void **state)
{
	char buf[8];

	expect_escaped("a\nb\tc\r", "a\\nb\\tc\\r");
	expect_escaped("\x1b[31m\x7f", "\\x1b[31m\\x7f");
	expect_escaped("\xc2\x9b\xff", "\\u009b\\xff");
	expect_escaped("a\xe2\x80\x8b"
		       "b\xf3\xa0\x80\xa1",
		       "a\\u200bb\\U000e0021");
	/* letters of any script, with the joiners that belong to them */
	expect_escaped("مقایسه می\xe2\x80\x8cخواهم क्\xe2\x80\x8dष 比較 Größe 😀",
		       "مقایسه می\xe2\x80\x8cخواهم क्\xe2\x80\x8dष 比較 Größe 😀");
	expect_escaped("a\xe2\x80\x8c"
		       "b",
		       "a\\u200cb");
	/* no incomplete escape */
	assert_string_equal(utf8_escape("abcd\xc2\x9b", buf, sizeof(buf)), "abcd");
}

static void what_ascii_has_not_is_an_escape_in_ascii(void **state)
{
	char buf[16];

	assert_string_equal(utf8_ascii("./a.out -n 4", buf, sizeof(buf)), "./a.out -n 4");
	assert_string_equal(utf8_ascii("比é", buf, sizeof(buf)), "\\u6bd4\\u00e9");
	assert_string_equal(utf8_ascii("😀\xff", buf, sizeof(buf)), "\\U0001f600\\xff");
	assert_string_equal(utf8_ascii("比較比", buf, sizeof(buf)), "\\u6bd4\\u8f03");
	assert_true(utf8_is_ascii("a~\x7f"));
	assert_false(utf8_is_ascii("a\xc3\xa9"));
}

static void expect_masked(const char *text, const char *expected)
{
	char *copy = exact(text);

	utf8_mask(copy);
	assert_string_equal(copy, expected);
	free(copy);
}

static void a_terminal_gets_a_question_mark_for_each_such_byte(void **state)
{
	expect_masked("", "");
	expect_masked("caf\xc3\xa9?", "caf\xc3\xa9?");
	expect_masked("a\nb\x1b[2J\x7f", "a?b?[2J?");
	expect_masked("\xc2\x9b|\x9b|\xe2\x80\xae|", "?|?|?|");
	expect_masked("\xff\xed\xa0\x80|\xe2\x82", "?\?\?\?|?\?");
}

static void each_character_takes_one_column(void **state)
{
	assert_int_equal(utf8_columns(""), 0);
	assert_int_equal(utf8_columns("caf\xc3\xa9"), 4);
	assert_int_equal(utf8_columns("\xe2\x94\x80\xc3\xa9\t"), 3);
	for (size_t i = 0; i < COUNT(broken); i++)
		assert_int_equal(utf8_columns(broken[i]), strlen(broken[i]));
}

/* As in terminals: a letter keeps its marks, and has the width with which terminals draw it. */
static void expect_cells(const char *text, const char *glyphs, const char *columns)
{
	char *copy = exact(text);
	const char *next = copy, *expected = glyphs;
	struct utf8_cell cell;
	size_t n = 0;

	while (utf8_next_cell(&next, &cell)) {
		assert_int_equal(cell.glyph, utf8_next(&expected));
		assert_int_equal(cell.columns, columns[n++] - '0');
	}
	assert_int_equal(n, strlen(columns));
	assert_int_equal(*next, '\0');
	assert_int_equal(*expected, '\0');
	free(copy);
}

static void letters_of_any_script_keep_their_marks_and_widths(void **state)
{
	struct utf8_cell cell;
	const char *text = "e\xcc\x82\xcc\x81z"; /* Vietnamese, decomposed */

	assert_true(utf8_next_cell(&text, &cell));
	assert_int_equal(cell.glyph, 'e');
	assert_int_equal(cell.marks[0], 0x302);
	assert_int_equal(cell.marks[1], 0x301);
	assert_string_equal(text, "z");
	expect_cells("a漢字", "a漢字", "122");
	expect_cells("한", "한", "2");
	expect_cells("\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", "\xe1\x84\x92", "2"); /* the same */
	expect_cells("กี่", "ก", "1");
	expect_cells("हिन्दी",
		     "ह\xe0\xa4\xbf"
		     "नद\xe0\xa5\x80",
		     "11111");
	expect_cells("שלום", "שלום", "1111");
}

static void an_emoji_of_several_parts_is_drawn_as_its_first(void **state)
{
	expect_cells("😀.", "😀.", "21");
	expect_cells("❤️.", "❤.", "11");
	expect_cells("👍🏽.", "👍.", "21");
	expect_cells("👩‍👩‍👧.", "👩.", "21");
	/* Separate characters if nothing joins them. */
	expect_cells("👩👧", "👩👧", "22");
}

/* Two names that look alike could differ only in such a character. */
static void what_has_no_width_is_seen_unless_it_marks_a_letter(void **state)
{
	expect_cells("a\xe2\x80\x8d"
		     "b\xe2\x80\xae"
		     "c\xef\xb8\x8f",
		     "a?b?c?", "111111");
	expect_cells("\xcc\x81"
		     "\x1b\xcc\x81",
		     "???", "111");
	expect_cells("e\xcc\x81\xcc\x82\xcc\x83\xcc\x84", "e??", "111");
	expect_cells("😀\xe2\x80\x8d", "😀?", "21"); /* joins nothing */
	expect_cells("😀\xcc\x81", "😀?", "21");
	expect_masked("a\xe2\x80\x8d"
		      "b ❤️ 👩‍👧 😀\xe2\x80\x8d",
		      "a?"
		      "b ❤️ 👩‍👧 😀?");
	expect_printable("a\xef\xb8\x8f❤️👩‍👧", "a ❤️👩‍👧");
}

static void expect_trimmed(const char *text, const char *expected)
{
	char *copy = exact(text);

	utf8_trim(copy);
	assert_string_equal(copy, expected);
	free(copy);
}

static void a_cut_character_is_taken_off_the_end(void **state)
{
	expect_trimmed("", "");
	expect_trimmed("caf\xc3\xa9", "caf\xc3\xa9");
	expect_trimmed("caf\xc3", "caf");
	expect_trimmed("\xe2\x94\x80\xe2\x94", "\xe2\x94\x80");
	expect_trimmed("\xf0\x9f\x98", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_and_last_of_each_length_read_back),
		cmocka_unit_test(every_character_reads_back),
		cmocka_unit_test(each_byte_that_begins_no_character_is_broken),
		cmocka_unit_test(text_after_a_cut_character_is_read),
		cmocka_unit_test(each_character_is_as_the_library_says),
		cmocka_unit_test(controls_and_marks_of_direction_are_not_printable),
		cmocka_unit_test(invisible_characters_are_not_printable),
		cmocka_unit_test(a_file_gets_a_space_for_a_control_and_a_mark_for_a_broken_byte),
		cmocka_unit_test(a_terminal_gets_a_question_mark_for_each_such_byte),
		cmocka_unit_test(each_character_takes_one_column),
		cmocka_unit_test(letters_of_any_script_keep_their_marks_and_widths),
		cmocka_unit_test(an_emoji_of_several_parts_is_drawn_as_its_first),
		cmocka_unit_test(what_has_no_width_is_seen_unless_it_marks_a_letter),
		cmocka_unit_test(what_has_no_shape_is_an_escape_in_a_name),
		cmocka_unit_test(what_ascii_has_not_is_an_escape_in_ascii),
		cmocka_unit_test(a_cut_character_is_taken_off_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
