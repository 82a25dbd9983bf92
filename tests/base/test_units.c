/* SPDX-License-Identifier: MIT */
#include "base/units.h"

#include "stage/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define N(array) (sizeof(array) / sizeof((array)[0]))

static void sizes_are_powers_of_1024_with_decimals(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} cases[] = {
		{"0", 0},
		{"4096", 4096},
		{"007", 7},
		{"1K", 1024},
		{"1k", 1024},
		{"64M", UINT64_C(64) << 20},
		{"64m", UINT64_C(64) << 20},
		{"1.5G", UINT64_C(3) << 29},
		{"10T", UINT64_C(10) << 40},
		{"2p", UINT64_C(2) << 50},
		{"0.25K", 256},
		{"1.0K", 1024},
		/* 1331.2 and 0.1024 bytes */
		{"1.3K", 1331},
		{"0.0001K", 0},
		/* any number of digits: 2^50 - 1 and a part of a byte */
		{"0.9999999999999999999999999999999999999P", (UINT64_C(1) << 50) - 1},
		{"18446744073709551615", UINT64_MAX},
		{"16383P", UINT64_C(16383) << 50},
		{"16383.9999999999999999999999P", UINT64_MAX},
	};

	for (size_t i = 0; i < N(cases); i++) {
		uint64_t bytes = 77;

		assert_int_equal(units_parse_size(cases[i].text, &bytes), 0);
		assert_int_equal(bytes, cases[i].bytes);
	}
}

static void malformed_sizes_are_refused_and_leave_the_value(void **state)
{
	static const char *const cases[] = {
		"",	" 5",	"5 ",	  "+5",	  "-1",
		"1e3",	"0x10", "1.5.5G", ".5G",  "K",
		".",	"1.",	"1.G",	  "1.5",  "5KK",
		"5KiB", "5KB",	"5 K",	  "1,5G", "5E",
		"5B",	"\n5",	"5\n",	  "inf",  "99999999999999999999x",
	};

	for (size_t i = 0; i < N(cases); i++) {
		uint64_t bytes = 77;

		assert_int_equal(units_parse_size(cases[i], &bytes), -EINVAL);
		assert_int_equal(bytes, 77);
	}
}

static void sizes_beyond_64_bits_are_out_of_range(void **state)
{
	static const char *const cases[] = {
		"18446744073709551616", "18446744073709551615K",   "16384P",
		"99999999999999999999", "99999999999999999999.5G", "16777216T",
	};

	for (size_t i = 0; i < N(cases); i++) {
		uint64_t bytes = 77;

		assert_int_equal(units_parse_size(cases[i], &bytes), -ERANGE);
		assert_int_equal(bytes, 77);
	}
}

static void ranges_give_their_numbers_as_one_would_type_them(void **state)
{
	static const struct {
		const char *text;
		uint64_t n;
		const char *first, *last;
	} cases[] = {
		{"2..8", 7, "2", "8"},
		{"100..900:100", 9, "100", "900"},
		{"5..5", 1, "5", "5"},
		{"1..10:4", 3, "1", "9"},
		{"4M..16M:4M", 4, "4M", "16M"},
		{"0..4M:1M", 5, "0", "4M"},
		{"0.5K..1.5K:0.5K", 3, "512", "1536"},
		{"1024..4096:1024", 4, "1024", "4096"},
		{"0.5..2:0.25", 7, "0.50", "2.00"},
		{"1..2:0.5", 3, "1.0", "2.0"},
		{"-5..10:5", 4, "-5", "10"},
		{"-1.5..1.5:1.5", 3, "-1.5", "1.5"},
		{"-1..0:0.5", 3, "-1.0", "0.0"},
		{"08..12", 5, "08", "12"},
		{"1..2:9223372036854775807", 1, "1", "1"},
		{"0..9223372036854775807", UINT64_C(1) << 63, "0", "1"},
	};
	struct units_range range;
	char value[32];

	for (size_t i = 0; i < N(cases); i++) {
		bool huge = i == N(cases) - 1;

		assert_int_equal(units_parse_range(cases[i].text, &range), 0);
		assert_int_equal(range.n, cases[i].n);
		assert_string_equal(units_range_value(&range, 0, value, sizeof(value)),
				    cases[i].first);
		assert_string_equal(
			units_range_value(&range, huge ? 1 : range.n - 1, value, sizeof(value)),
			cases[i].last);
	}
}

static void what_is_no_range_of_numbers_is_a_text(void **state)
{
	static const char *const texts[] = {"",		 "4",	  "..",	      "1..",	  "..2",
					    "1:2",	 "1...2", "v1..v2",   "../a",	  "a..b",
					    "1.2.",	 "1 ..2", "10.0.0.1", "0x1..0x3", "-1M..1M",
					    "10.0.0..1", "1..x"};
	/* A user who types these means a range. */
	static const char *const wrong[] = {"8..2",	"1..2:0", "1..5:-1", "-1..-5", "2M..1M",
					    "2..8x",	"1..2:",  "1..2:-",  "1..4*2", "1..2..3",
					    "1..2:3:4", "1..2:x", "0.5..2,5"};
	struct units_range range = {.n = 77};

	for (size_t i = 0; i < N(texts); i++)
		assert_int_equal(units_parse_range(texts[i], &range), -ENOENT);
	for (size_t i = 0; i < N(wrong); i++)
		assert_int_equal(units_parse_range(wrong[i], &range), -EINVAL);
	assert_int_equal(units_parse_range("0..18446744073709551615", &range), -ERANGE);
	assert_int_equal(units_parse_range("0.5..9223372036854775807", &range), -ERANGE);
	assert_int_equal(units_parse_range("1..9000000000000000P", &range), -ERANGE);
	assert_int_equal(range.n, 77);
}

static void exact_sizes_read_back_as_they_were(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} cases[] = {
		{0, "0"},
		{10, "10"},
		{1000, "1000"},
		{1024, "1K"},
		{1025, "1025"},
		{1536, "1536"},
		{UINT64_C(64) << 20, "64M"},
		{UINT64_C(3) << 50, "3P"},
		{UINT64_C(1) << 60, "1024P"},
	};
	uint64_t back;
	char buf[32];

	for (size_t i = 0; i < N(cases); i++) {
		assert_string_equal(units_format_exact(buf, sizeof(buf), cases[i].bytes),
				    cases[i].text);
		assert_int_equal(units_parse_size(buf, &back), 0);
		assert_int_equal(back, cases[i].bytes);
	}
}

static void counts_are_whole_numbers_up_to_their_maximum(void **state)
{
	static const char *const malformed[] = {"",
						"-1",
						"+1",
						" 5",
						"5 ",
						"1e3",
						"K",
						"0x10",
						"1.0",
						"1K",
						"99999999999999999999 "};
	uint64_t count = 77;

	assert_int_equal(units_parse_count("0", 0, &count), 0);
	assert_int_equal(count, 0);
	assert_int_equal(units_parse_count("18446744073709551615", UINT64_MAX, &count), 0);
	assert_true(count == UINT64_MAX);
	assert_int_equal(units_parse_count("100", 100, &count), 0);
	assert_int_equal(units_parse_count("101", 100, &count), -ERANGE);
	assert_int_equal(units_parse_count("18446744073709551616", UINT64_MAX, &count), -ERANGE);
	for (size_t i = 0; i < N(malformed); i++)
		assert_int_equal(units_parse_count(malformed[i], UINT64_MAX, &count), -EINVAL);
	assert_int_equal(count, 100);
}

static char *round_trip(const char *text, char *buf, size_t size)
{
	cpu_set_t set;

	assert_int_equal(units_parse_cpulist(text, &set), 0);
	return units_format_cpulist(buf, size, &set);
}

static void cpulists_read_as_taskset_reads_them_and_come_back_shortest(void **state)
{
	char buf[64];

	assert_string_equal(round_trip("0", buf, sizeof(buf)), "0");
	assert_string_equal(round_trip("0-2,4", buf, sizeof(buf)), "0-2,4");
	assert_string_equal(round_trip("4,2,1,0,1-2", buf, sizeof(buf)), "0-2,4");
	assert_string_equal(round_trip("7-7", buf, sizeof(buf)), "7");
	assert_string_equal(round_trip("0-8:4", buf, sizeof(buf)), "0,4,8");
	assert_string_equal(round_trip("3-9:18446744073709551615", buf, sizeof(buf)), "3");
	assert_string_equal(round_trip("0-1023", buf, sizeof(buf)), "0-1023");
	assert_string_equal(round_trip("1023", buf, sizeof(buf)), "1023");
}

static void malformed_cpulists_are_refused_and_leave_the_set(void **state)
{
	static const char *const malformed[] = {"",    ",",    "0,",	",0",	"-1",  "1-",
						"2-1", "a",    "0-2x",	" 0",	"0 ",  "0,,1",
						"0-",  "0--1", "0-4:0", "0-4:", "0:2", "5000,x"};
	static const char *const beyond[] = {"1024", "0-1024", "99999999999999999999", "5000,1"};
	cpu_set_t set, before;

	CPU_ZERO(&before);
	CPU_SET(5, &before);
	set = before;
	for (size_t i = 0; i < N(malformed); i++)
		assert_int_equal(units_parse_cpulist(malformed[i], &set), -EINVAL);
	for (size_t i = 0; i < N(beyond); i++)
		assert_int_equal(units_parse_cpulist(beyond[i], &set), -ERANGE);
	assert_true(CPU_EQUAL(&set, &before));
}

static void a_cpulist_that_does_not_fit_ends_with_dots(void **state)
{
	char buf[16];
	cpu_set_t set;

	assert_string_equal(round_trip("0,2,4,6,8,10,12", buf, 16), "0,2,4,6,8,10,12");
	assert_string_equal(round_trip("0,2,4,6,8,10,12", buf, 15), "0,2,4,6,8,...");
	assert_string_equal(round_trip("100-200,300-400", buf, 12), "100-200,...");
	assert_string_equal(round_trip("100-200,300-400", buf, 11), "...");
	assert_string_equal(round_trip("100-200", buf, 2), ".");
	assert_string_equal(round_trip("100-200", buf, 1), "");
	CPU_ZERO(&set);
	assert_string_equal(units_format_cpulist(buf, sizeof(buf), &set), "");
}

static void times_keep_at_most_three_digits(void **state)
{
	static const struct {
		int64_t ns;
		const char *text;
	} cases[] = {
		{INT64_MIN, "?"},
		{-1, "?"},
		{0, "0.00 µs"},
		{5, "0.01 µs"},
		{850, "0.85 µs"},
		{1850, "1.85 µs"},
		{9994, "9.99 µs"},
		{9995, "10 µs"},
		{31000, "31 µs"},
		{99499, "99 µs"},
		{99500, "0.10 ms"},
		{230000, "0.23 ms"},
		{9994999, "9.99 ms"},
		{9995000, "10.0 ms"},
		{99949999, "99.9 ms"},
		{99950000, "100 ms"},
		{271000000, "271 ms"},
		{999499999, "999 ms"},
		{999500000, "1.00 s"},
		{2970000000, "2.97 s"},
		{9995000000, "10.0 s"},
		{12400000000, "12.4 s"},
		{59949999999, "59.9 s"},
		{59950000000, "1:00 min"},
		{67000000000, "1:07 min"},
		{INT64_C(3599499999999), "59:59 min"},
		{INT64_C(3599500000000), "1:00:00 h"},
		{INT64_C(3723000000000), "1:02:03 h"},
		{INT64_MAX, "2562047:47:17 h"},
	};
	char buf[32];

	for (size_t i = 0; i < N(cases); i++)
		assert_string_equal(units_format_time(buf, sizeof(buf), cases[i].ns, false),
				    cases[i].text);
	assert_string_equal(UNITS_CLOCK(INT64_C(3599999999999)), "59:59");
	assert_string_equal(UNITS_CLOCK(INT64_C(3600000000000)), "1:00:00");
	assert_string_equal(UNITS_CLOCK(INT64_C(86400000000000)), "24:00:00");
	assert_string_equal(units_format_time(buf, sizeof(buf), 31000, true), "31 us");
	assert_string_equal(units_format_time(buf, sizeof(buf), 230000, true), "0.23 ms");
}

static void memory_is_given_in_binary_units(void **state)
{
	static const struct {
		int64_t kib;
		const char *text;
	} cases[] = {
		{-1, "?"},
		{0, "0 KiB"},
		{880, "880 KiB"},
		{999, "999 KiB"},
		{1000, "1.0 MiB"},
		{1024, "1.0 MiB"},
		{2150, "2.1 MiB"},
		{12902, "12.6 MiB"},
		{102348, "99.9 MiB"},
		{102349, "100 MiB"},
		{1023487, "999 MiB"},
		{1023488, "1.0 GiB"},
		{1572864, "1.5 GiB"},
		{INT64_C(3) << 30, "3.0 TiB"},
		{INT64_MAX, "8192 EiB"},
	};
	char buf[32];

	for (size_t i = 0; i < N(cases); i++)
		assert_string_equal(units_format_kib(buf, sizeof(buf), cases[i].kib),
				    cases[i].text);
}

static void counts_have_thousands_separators(void **state)
{
	char buf[32];

	assert_string_equal(units_format_count(buf, sizeof(buf), -1), "?");
	assert_string_equal(units_format_count(buf, sizeof(buf), 0), "0");
	assert_string_equal(units_format_count(buf, sizeof(buf), 999), "999");
	assert_string_equal(units_format_count(buf, sizeof(buf), 1000), "1,000");
	assert_string_equal(units_format_count(buf, sizeof(buf), 4920), "4,920");
	assert_string_equal(units_format_count(buf, sizeof(buf), 100000), "100,000");
	assert_string_equal(units_format_events(buf, sizeof(buf), -1), "?");
	assert_string_equal(units_format_events(buf, sizeof(buf), 0), "0");
	assert_string_equal(units_format_events(buf, sizeof(buf), 9999), "9,999");
	assert_string_equal(units_format_events(buf, sizeof(buf), 10000), "10.0 k");
	assert_string_equal(units_format_events(buf, sizeof(buf), 999499), "999 k");
	assert_string_equal(units_format_events(buf, sizeof(buf), 999500), "1.00 M");
	assert_string_equal(units_format_events(buf, sizeof(buf), 2273185356), "2.27 G");
	assert_string_equal(units_format_events(buf, sizeof(buf), INT64_MAX), "9.22 E");
	assert_string_equal(units_format_count(buf, sizeof(buf), INT64_MAX),
			    "9,223,372,036,854,775,807");
}

/* Every power of two and its neighbours, where carries and limits occur. */
static void no_figure_is_wider_than_four_cells(void **state)
{
	for (int shift = 0; shift < 62; shift++) {
		for (int64_t add = -1; add <= 1; add++) {
			int64_t value = (INT64_C(1) << shift) + add;
			char buf[32];

			if (value < 59950000000) {
				units_format_time(buf, sizeof(buf), value, false);
				assert_in_range(strcspn(buf, " "), 2, 4);
			}
			units_format_kib(buf, sizeof(buf), value);
			assert_in_range(strcspn(buf, " "), 1, 4);
		}
	}
}

static void a_short_buffer_is_terminated(void **state)
{
	char buf[4] = {'x', 'x', 'x', 'x'};

	assert_string_equal(units_format_time(buf, 3, 2970000000, false), "2.");
	assert_string_equal(units_format_kib(buf, 3, 880), "88");
	assert_string_equal(units_format_count(buf, 1, 4920), "");
	assert_int_equal(buf[3], 'x');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_powers_of_1024_with_decimals),
		cmocka_unit_test(malformed_sizes_are_refused_and_leave_the_value),
		cmocka_unit_test(sizes_beyond_64_bits_are_out_of_range),
		cmocka_unit_test(ranges_give_their_numbers_as_one_would_type_them),
		cmocka_unit_test(what_is_no_range_of_numbers_is_a_text),
		cmocka_unit_test(exact_sizes_read_back_as_they_were),
		cmocka_unit_test(counts_are_whole_numbers_up_to_their_maximum),
		cmocka_unit_test(cpulists_read_as_taskset_reads_them_and_come_back_shortest),
		cmocka_unit_test(malformed_cpulists_are_refused_and_leave_the_set),
		cmocka_unit_test(a_cpulist_that_does_not_fit_ends_with_dots),
		cmocka_unit_test(times_keep_at_most_three_digits),
		cmocka_unit_test(memory_is_given_in_binary_units),
		cmocka_unit_test(counts_have_thousands_separators),
		cmocka_unit_test(no_figure_is_wider_than_four_cells),
		cmocka_unit_test(a_short_buffer_is_terminated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
