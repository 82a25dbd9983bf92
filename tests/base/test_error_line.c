/* SPDX-License-Identifier: MIT */
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

static void what_fits_takes_no_memory(void **state)
{
	char room[16], *line;

	line = text(room, sizeof(room), "%s\n%d", "out of", 1234567);
	assert_ptr_equal(line, room);
	assert_string_equal(line, "out of?1234567");
	line = text(room, sizeof(room), "%s", "fifteen letters");
	assert_ptr_equal(line, room);
	assert_string_equal(line, "fifteen letters");
}

static void what_does_not_fit_is_whole(void **state)
{
	char room[16], *line;

	line = text(room, sizeof(room), "%s %s", "sixteen letters,", "and\033more");
	assert_ptr_not_equal(line, room);
	assert_string_equal(line, "sixteen letters, and?more");
	free(line);
}

static void an_error_is_cut_where_its_room_ends(void **state)
{
	char room[8];

	assert_int_equal(error_line(room, sizeof(room), -5, "%s", "\ttoo long"), -5);
	assert_string_equal(room, "?too lo");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fits_takes_no_memory),
		cmocka_unit_test(what_does_not_fit_is_whole),
		cmocka_unit_test(an_error_is_cut_where_its_room_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
