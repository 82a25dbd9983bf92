/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "base/error_line.h"

#include "stage/check.h"

#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static char *text(char *room, size_t size, const char *format,
							...)
{
	va_list args;
	char *line;

	va_start(args, format);
	line = error_line_text(room, size, format, args);
	va_end(args);
	return line;
}

static void a_line_that_fits_its_buffer_allocates_nothing(void **state)
{
	char room[16], *line;

	line = text(room, sizeof(room), "%s\n%d", "out of", 1234567);
	assert_ptr_equal(line, room);
	assert_string_equal(line, "out of?1234567");
	line = text(room, sizeof(room), "%s", "fifteen letters");
	assert_ptr_equal(line, room);
	assert_string_equal(line, "fifteen letters");
}

static void a_line_longer_than_its_buffer_is_kept_whole(void **state)
{
	char room[16], *line;

	line = text(room, sizeof(room), "%s %s", "sixteen letters,", "and\033more");
	assert_ptr_not_equal(line, room);
	assert_string_equal(line, "sixteen letters, and?more");
	free(line);
}

/* The reason is at the end of the line, so it is not cut. */
static void an_error_that_is_too_long_loses_its_middle(void **state)
{
	char room[16], much[3 * ERROR_LINE_ROOM + 1], whole[4 * ERROR_LINE_ROOM];

	assert_int_equal(error_line(room, sizeof(room), -5, "%s", "\tfifteen letter"), -5);
	assert_string_equal(room, "?fifteen letter");
	error_line(room, sizeof(room), -5, "%s", "\tsixteen letters");
	assert_string_equal(room, "?six... letters");
	error_line(room, sizeof(room), -5, "%s", "\tsi\xc3\xa9xteen\xc3\xa9letter");
	assert_string_equal(room, "?si...\xc3\xa9letter");
	error_line(room, 4, -5, "%s", "none");
	assert_string_equal(room, "non");
	memset(much, 'x', sizeof(much) - 1);
	much[sizeof(much) - 1] = '\0';
	error_line(whole, sizeof(whole), -5, "--x: \"%s\" is too much", much);
	assert_int_equal(strlen(whole), ERROR_LINE_ROOM - 1);
	assert_memory_equal(whole, "--x: \"xxx", 9);
	assert_string_equal(whole + strlen(whole) - 14, "x\" is too much");
}

static void a_list_has_separators_between_its_items_alone(void **state)
{
	struct sentence list = SENTENCE(12);

	sentence_join(&list, ", ", "%d", 1);
	assert_string_equal(list.buf, "1");
	sentence_join(&list, ", ", "%d%s", 2, "b");
	assert_string_equal(list.buf, "1, 2b");
	sentence_join(&list, "%s ", "%s", "too long");
	assert_string_equal(list.buf, "1, 2b%s too");
}

static void a_text_that_is_missing_has_a_substitute(void **state)
{
	assert_string_equal(sentence_text(NULL, "none"), "none");
	assert_string_equal(sentence_text("", "none"), "none");
	assert_string_equal(sentence_text("one", "none"), "one");
}

/* The ";" and "(" of a name that was filled in are no parts of the sentence. */
static void a_sentence_loses_its_last_part_first(void **state)
{
	static const struct {
		int w;
		const char *left;
	} cuts[] = {
		{99, "! a; b (c) took 2 ms (d; e), why; run again"},
		{42, "! a; b (c) took 2 ms (d; e), why"},
		{31, "! a; b (c) took 2 ms (d; e)"},
		{26, "! a; b (c) took 2 ms"},
		{10, "! a; b (c) took 2 ms"},
	};
	struct sentence_parts parts = {0};
	char buf[64], shown[80];
	struct sentence s = sentence_in(buf, sizeof(buf));

	s.parts = &parts;
	sentence_add(&s, "%s took 2 ms", "a; b (c)");
	sentence_aside(&s, "%s", "d; e");
	assert_int_equal(parts.detail, 0);
	sentence_clause(&s, ", why");
	sentence_clause(&s, "; run again");
	for (size_t i = 0; i < LENGTH(cuts); i++) {
		snprintf(shown, sizeof(shown), "! %s", buf);
		assert_int_equal(sentence_shorten(shown, strlen("! "), &parts, cuts[i].w),
				 strlen(cuts[i].left) <= (size_t)cuts[i].w);
		assert_string_equal(shown, cuts[i].left);
	}
}

/* The first part of an aside says more than the second one. */
static void an_aside_loses_its_second_part_first(void **state)
{
	static const struct {
		int w;
		const char *left;
	} cuts[] = {
		{99, "a beats b (by far; 2 to 3); more"},
		{28, "a beats b (by far; 2 to 3)"},
		{20, "a beats b (by far)"},
		{10, "a beats b"},
	};
	static const char text[] = "a beats b (by far; 2 to 3); more";
	struct sentence_parts parts = {0};
	char buf[64];

	for (size_t i = 0; i < LENGTH(cuts); i++) {
		struct sentence s = sentence_in(buf, sizeof(buf));

		parts = (struct sentence_parts) {0};
		s.parts = &parts;
		sentence_marked(&s, text, strlen(text));
		assert_true(sentence_shorten(buf, 0, &parts, cuts[i].w));
		assert_string_equal(buf, cuts[i].left);
	}
	snprintf(buf, sizeof(buf), "%s", text);
	assert_false(sentence_shorten_aside(buf, 0, &parts, 20));
	assert_string_equal(buf, "a beats b (by far); more");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_aside_loses_its_second_part_first),
		cmocka_unit_test(a_list_has_separators_between_its_items_alone),
		cmocka_unit_test(a_sentence_loses_its_last_part_first),
		cmocka_unit_test(a_text_that_is_missing_has_a_substitute),
		cmocka_unit_test(a_line_that_fits_its_buffer_allocates_nothing),
		cmocka_unit_test(a_line_longer_than_its_buffer_is_kept_whole),
		cmocka_unit_test(an_error_that_is_too_long_loses_its_middle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
