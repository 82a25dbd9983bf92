/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Parsing. The whole text must match. Functions return 0, -EINVAL (wrong form) or -ERANGE (too
 * large). They store results only on success.
 */

/*
 * A size such as "64M", "1.5G" or "4096". K, M, G, T and P are powers of 1024. No sign is allowed,
 * and a fraction of a byte is cut off.
 */
int units_parse_size(const char *text, uint64_t *bytes);
/* A whole number without sign or suffix, at most max (-ERANGE above it). */
int units_parse_count(const char *text, uint64_t max, uint64_t *count);
/*
 * Parses the first n bytes as a time: "120ms", "1.2s". A number without a unit is in units of
 * unit_ns. Sets *unit to the unit that was used, in ns, also on an error. Returns 0 or -EINVAL,
 * also for more than 100,000 s.
 */
int units_parse_time(const char *text, size_t n, double unit_ns, int64_t *ns, double *unit);
/*
 * A range such as "2..8", "100..900:100", "-5..5:5", "0.5..2:0.5" or "1M..4M:1M". The step is 1 if
 * none is given, and the last value may be below the end. -ENOENT: the text is not a range of
 * numbers. -EINVAL: the range falls, its step is 0, or other text follows, as in "2..8x".
 */
struct units_range {
	int64_t first, step; /* In units of the last decimal; sizes in bytes. */
	uint64_t n;	     /* Number of values. */
	int decimals;
	int digits; /* Least number of digits before the point, such as 2 for "08..12". */
	bool sizes; /* One of the parts had a suffix. */
};
int units_parse_range(const char *text, struct units_range *range);
/* The i-th value of the range as a user would type it: "300", "1.5", "2M". Returns buf. */
char *units_range_value(const struct units_range *range, uint64_t i, char *buf, size_t size);
/*
 * A CPU list as in taskset(1): "0", "0-2,4", "0-14:2". -ERANGE for a CPU number of CPU_SETSIZE or
 * more.
 */
int units_parse_cpulist(const char *text, cpu_set_t *set);

/*
 * Formatting. The functions write to buf, always terminate it and return it; 32 bytes are enough
 * for all but a CPU list. Times and sizes have at most three significant digits in at most four
 * cells, then a unit, so the text after a changing figure hardly moves. The decimal point is a
 * point in every locale.
 */

/*
 * "1.85 µs", "31 µs", "0.23 ms", "271 ms", "2.97 s", "12.4 s", "1:07 min", "1:02:03 h". With
 * `ascii`, "us" instead of "µs". Negative: "?".
 */
char *units_format_time(char *buf, size_t size, int64_t ns, bool ascii);
/* A time with its sign: "+24 ms", "-3.1 ms"; "?" for NaN. */
char *units_format_change(char *buf, size_t size, double ns);
#define UNITS_CHANGE(ns) units_format_change((char[32]) {0}, 32, ns)
/* A time like a clock: "03:07"; from one hour on with hours, "1:03:07". */
char *units_format_clock(char *buf, size_t size, int64_t ns);
/* "5.31 ns", "28.4 ns", "312 ns"; from 1 µs on like units_format_time(). NaN: "?". */
char *units_format_short(char *buf, size_t size, double ns);
/* Formats KiB: "880 KiB", "2.1 MiB", "1.5 GiB". Negative: "?". */
char *units_format_kib(char *buf, size_t size, int64_t kib);
/* The shortest text from which units_parse_size() reads the same number: "16M", "1000". */
char *units_format_exact(char *buf, size_t size, uint64_t bytes);
/* "4,920". Negative: "?". */
char *units_format_count(char *buf, size_t size, int64_t count);
/* "412", "9,999", "18.3 k", "2.27 G": numbers of five digits or more get a unit. Negative: "?". */
char *units_format_events(char *buf, size_t size, int64_t count);
/* Formats with the given number of decimals, such as "1.25" with two. Negative values become 0. */
char *units_format_decimal(char *buf, size_t size, double value, int decimals);
/* The same functions for use as an argument. The text is valid until the enclosing block ends. */
#define UNITS_CLOCK(ns)		       units_format_clock((char[32]) {0}, 32, ns)
#define UNITS_TIME(ns, ascii)	       units_format_time((char[32]) {0}, 32, ns, ascii)
#define UNITS_KIB(kib)		       units_format_kib((char[32]) {0}, 32, kib)
#define UNITS_EXACT(bytes)	       units_format_exact((char[32]) {0}, 32, bytes)
#define UNITS_COUNT(count)	       units_format_count((char[32]) {0}, 32, count)
#define UNITS_DECIMAL(value, decimals) units_format_decimal((char[32]) {0}, 32, value, decimals)
/* A CPU list such as "0-2,4". A list that does not fit ends with "...". */
char *units_format_cpulist(char *buf, size_t size, const cpu_set_t *set);
