/* SPDX-License-Identifier: MIT */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Parsing. The whole string must match. Returns 0, -EINVAL (not of that form) or -ERANGE (too
 * large). Results are written on success only.
 */

/* "64M", "1.5G", "4096": K, M, G, T, P are powers of 1024; no sign; a part of a byte is cut off. */
int units_parse_size(const char *text, uint64_t *bytes);
/* A whole number without sign or suffix, at most max (-ERANGE above it). */
int units_parse_count(const char *text, uint64_t max, uint64_t *count);
/*
 * The first n bytes as a time, "120ms", "1.2 s" without the blank: those without a unit are of
 * unit_ns. *unit is the one that it has, in ns. 0 or -EINVAL, also of more than a day.
 */
int units_parse_time(const char *text, size_t n, double unit_ns, int64_t *ns, double *unit);
/*
 * "2..8", "100..900:100", "-5..5:5", "0.5..2:0.5", "1M..4M:1M": the step is 1 where none is given,
 * and the last value may lie below the end. -ENOENT: the text is no range of numbers; -EINVAL: the
 * range falls, its step is 0, or something else follows, as in "2..8x".
 */
struct units_range {
	int64_t first, step; /* in units of the last decimal */
	uint64_t n;	     /* values */
	int decimals;
	int digits; /* least digits before the point, 2 of "08..12" */
	bool sizes; /* a part had a suffix */
};
int units_parse_range(const char *text, struct units_range *range);
/* Its i-th value as one would type it: "300", "1.5", "2M". Returns buf. */
char *units_range_value(const struct units_range *range, uint64_t i, char *buf, size_t size);
/* taskset syntax: "0", "0-2,4", "0-14:2". -ERANGE for a CPU number beyond CPU_SETSIZE. */
int units_parse_cpulist(const char *text, cpu_set_t *set);

/*
 * Formatting into buf, always terminated, returns buf; 32 bytes hold all but a CPU list. Widths
 * are kept steady so that a figure that changes does not jump: at most three significant digits
 * in at most four cells, and a unit. The decimal point is a point in every locale.
 */

/*
 * "1.85 µs", "31 µs", "0.23 ms", "271 ms", "2.97 s", "12.4 s", "1:07 min", "1:02:03 h"; "us" for
 * µs where ascii. Negative: "?".
 */
char *units_format_time(char *buf, size_t size, int64_t ns, bool ascii);
/* As a clock: "03:07", from an hour on "1:03:07". */
char *units_format_clock(char *buf, size_t size, int64_t ns);
/* "5.31 ns", "28.4 ns", "312 ns"; from 1 µs on as units_format_time(). NaN: "?". */
char *units_format_short(char *buf, size_t size, double ns);
/* "880 KiB", "2.1 MiB", "1.5 GiB" from KiB. Negative: "?". */
char *units_format_kib(char *buf, size_t size, int64_t kib);
/* The shortest text from which units_parse_size() reads the same: "16M", "1000". */
char *units_format_exact(char *buf, size_t size, uint64_t bytes);
/* "4,920". Negative: "?". */
char *units_format_count(char *buf, size_t size, int64_t count);
/* "412", "9,999", "18.3 k", "2.27 G": thousands have a unit from five digits on. Negative: "?". */
char *units_format_events(char *buf, size_t size, int64_t count);
/* "1.25" has two decimals. Negative values become 0. */
char *units_format_decimal(char *buf, size_t size, double value, int decimals);
/* The same as an argument: the text lasts until the enclosing block ends. */
#define UNITS_CLOCK(ns)		       units_format_clock((char[32]) {0}, 32, ns)
#define UNITS_TIME(ns, ascii)	       units_format_time((char[32]) {0}, 32, ns, ascii)
#define UNITS_KIB(kib)		       units_format_kib((char[32]) {0}, 32, kib)
#define UNITS_EXACT(bytes)	       units_format_exact((char[32]) {0}, 32, bytes)
#define UNITS_COUNT(count)	       units_format_count((char[32]) {0}, 32, count)
#define UNITS_DECIMAL(value, decimals) units_format_decimal((char[32]) {0}, 32, value, decimals)
/* "0-2,4"; a list that does not fit ends with "...". */
char *units_format_cpulist(char *buf, size_t size, const cpu_set_t *set);
