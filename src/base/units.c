/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#define DIGITS "0123456789"

#define US	 INT64_C(1000)
#define UNITS_MS (1000 * US)
#define S	 (1000 * UNITS_MS)

/*
 * Reads the decimal number at *text and moves *text past it. If the number is too large, stores
 * UINT64_MAX and returns -ERANGE. The caller continues to parse, because it reports a wrong form
 * before a number that is too large.
 */
static int take_number(const char **text, uint64_t *number)
{
	size_t digits = strspn(*text, DIGITS);
	uint64_t value = 0;
	int ret = 0;

	if (!digits)
		return -EINVAL;
	for (const char *end = *text + digits; *text < end; (*text)++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(**text - '0'), &value))
			ret = -ERANGE;
	}
	if (ret)
		*number = UINT64_MAX;
	else
		*number = value;
	return ret;
}

int units_parse_size(const char *text, uint64_t *bytes)
{
	static const char suffixes[] = "KMGTPkmgtp";
	const char *decimals = NULL, *suffix;
	size_t n_decimals = 0;
	uint64_t whole, part = 0;
	int shift = 0, ret = take_number(&text, &whole);

	if (ret == -EINVAL)
		return ret;
	if (*text == '.') {
		decimals = ++text;
		n_decimals = strspn(decimals, DIGITS);
		text += n_decimals;
	}
	if (*text)
		suffix = strchr(suffixes, *text);
	else
		suffix = NULL;
	if (suffix) {
		shift = 10 * (int)((suffix - suffixes) % 5 + 1);
		text++;
	}
	/*
	 * A size with decimals needs digits after the point and a unit, because there is no half
	 * byte.
	 */
	if (*text || (decimals && (!n_decimals || !shift)))
		return -EINVAL;
	if (ret || whole > UINT64_MAX >> shift)
		return -ERANGE;
	/*
	 * Adds the digits from the last to the first. Rounding down at each step gives the same
	 * result as rounding down once at the end.
	 */
	while (n_decimals--)
		part = (((uint64_t)(decimals[n_decimals] - '0') << shift) + part) / 10;
	*bytes = (whole << shift) + part;
	return 0;
}

int units_parse_count(const char *text, uint64_t max, uint64_t *count)
{
	uint64_t number;
	int ret = take_number(&text, &number);

	if (ret == -EINVAL || *text)
		return -EINVAL;
	if (ret || number > max)
		return -ERANGE;
	*count = number;
	return 0;
}

/* The parts of a range: "FIRST..LAST" or "FIRST..LAST:STEP". */
enum { FIRST, LAST, STEP, PARTS };
enum { PART_BYTES = 24, MOST_DECIMALS = 6 };

static bool split_range(const char *text, char parts[PARTS][PART_BYTES])
{
	const char *dots = strstr(text, ".."), *colon, *ends[PARTS], *begins[PARTS];

	if (!dots)
		return false;
	colon = strchrnul(dots, ':');
	begins[FIRST] = text;
	ends[FIRST] = dots;
	begins[LAST] = dots + 2;
	ends[LAST] = colon;
	if (*colon)
		begins[STEP] = colon + 1;
	else
		begins[STEP] = "1";
	ends[STEP] = begins[STEP] + strlen(begins[STEP]);
	for (int i = 0; i < PARTS; i++) {
		size_t n = (size_t)(ends[i] - begins[i]);

		if (n >= PART_BYTES)
			return false;
		memcpy(parts[i], begins[i], n);
		parts[i][n] = '\0';
	}
	return true;
}

/*
 * Returns the number of decimals of a number such as "-12.5"; -1 if the text is not such a number.
 */
static int count_decimals(const char *number)
{
	size_t whole, decimals;

	number += *number == '-';
	whole = strspn(number, DIGITS);
	number += whole;
	if (whole == 0 || !*number) {
		if (whole > 0)
			return 0;
		return -1;
	}
	decimals = strspn(number + 1, DIGITS);
	if (*number != '.' || decimals == 0 || decimals > MOST_DECIMALS || number[1 + decimals])
		return -1;
	return (int)decimals;
}

/* Reads a number that count_decimals() accepts, in units of 10^-decimals. */
static int take_decimal(const char *number, int decimals, int64_t *value)
{
	size_t whole = strcspn(number, ".");
	const char *part = number[whole] ? number + whole + 1 : "";
	char digits[PART_BYTES + MOST_DECIMALS];

	snprintf(digits, sizeof(digits), "%.*s%s%.*s", (int)whole, number, part,
		 decimals - (int)strlen(part), "000000");
	errno = 0;
	*value = strtoll(digits, NULL, 10);
	return -errno;
}

int units_parse_time(const char *text, size_t n, double unit_ns, int64_t *ns, double *unit)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"µs", 1e3}, {"ns", 1}};
	char *end;
	double number = strtod(text, &end);
	size_t used = (size_t)(end - text);

	if (used == n)
		*unit = unit_ns;
	else
		*unit = 0;
	for (size_t i = 0; i < LENGTH(units); i++)
		if (used < n && strlen(units[i].name) == n - used &&
		    strncmp(end, units[i].name, n - used) == 0)
			*unit = units[i].ns;
	if (!isdigit((unsigned char)*text) || strspn(text, "0123456789.") < used || *unit <= 0 ||
	    !(number * *unit <= 1e14))
		return -EINVAL;
	*ns = (int64_t)(number * *unit);
	return 0;
}

int units_parse_range(const char *text, struct units_range *range)
{
	char parts[PARTS][PART_BYTES];
	int64_t values[PARTS];
	int most = 0, decimals;
	uint64_t size;
	bool sizes = false;
	int err = 0;

	if (!split_range(text, parts))
		return -ENOENT;
	for (int i = 0; i < PARTS; i++) {
		decimals = count_decimals(parts[i]);
		most = MAX(most, decimals);
		if (decimals >= 0)
			continue;
		err = units_parse_size(parts[i], &size);
		if (err) {
			if (err == -EINVAL && (i == FIRST || !isdigit((unsigned char)*parts[LAST])))
				return -ENOENT;
			return err;
		}
		sizes = true;
	}
	for (int i = 0; i < PARTS; i++) {
		if (!sizes) {
			err = take_decimal(parts[i], most, &values[i]);
			if (err)
				return err;
			continue;
		}
		err = units_parse_size(parts[i], &size);
		if (err)
			return err;
		if (size > INT64_MAX)
			return -ERANGE;
		values[i] = (int64_t)size;
	}
	if (values[STEP] <= 0 || values[LAST] < values[FIRST])
		return -EINVAL;
	*range = (struct units_range) {
		.first = values[FIRST],
		.step = values[STEP],
		.n = ((uint64_t)values[LAST] - (uint64_t)values[FIRST]) / (uint64_t)values[STEP] +
		     1,
		.decimals = sizes ? 0 : most,
		.digits = 1,
		.sizes = sizes,
	};
	if (*parts[FIRST] == '0' && !sizes)
		range->digits = (int)strspn(parts[FIRST], DIGITS);
	return 0;
}

char *units_range_value(const struct units_range *range, uint64_t i, char *buf, size_t size)
{
	int64_t value = range->first + (int64_t)i * range->step, scale = 1;
	uint64_t magnitude = (uint64_t)value;
	const char *sign = "";

	if (value < 0) {
		magnitude = -magnitude;
		sign = "-";
	}

	if (range->sizes)
		return units_format_exact(buf, size, (uint64_t)value);
	for (int k = 0; k < range->decimals; k++)
		scale *= 10;
	if (range->decimals == 0) {
		snprintf(buf, size, "%s%0*" PRIu64, sign, range->digits, magnitude);
		return buf;
	}
	snprintf(buf, size, "%s%0*" PRIu64 ".%0*" PRIu64, sign, range->digits,
		 magnitude / (uint64_t)scale, range->decimals, magnitude % (uint64_t)scale);
	return buf;
}

int units_parse_cpulist(const char *text, cpu_set_t *set)
{
	uint64_t first, last, step;
	int ret, result = 0;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	/* The text is like "3", "0-7" or "0-7:2". */
	for (;; text++) {
		step = 1;
		ret = take_number(&text, &first);
		last = first;
		if (ret != -EINVAL && *text == '-') {
			text++;
			ret = take_number(&text, &last);
			if (ret != -EINVAL && *text == ':') {
				text++;
				ret = take_number(&text, &step);
			}
		}
		if (ret == -EINVAL || last < first || !step)
			return -EINVAL;
		if (last >= CPU_SETSIZE)
			result = -ERANGE;
		step = MIN(step, CPU_SETSIZE);
		if (last < CPU_SETSIZE)
			for (uint64_t cpu = first; cpu <= last; cpu += step)
				CPU_SET(cpu, &cpus);
		if (*text != ',')
			break;
	}
	if (*text)
		return -EINVAL;
	if (!result)
		*set = cpus;
	return result;
}

/*
 * A row of units: values below the limit have this unit and number of decimals. From the limit on,
 * rounding would give one more digit.
 */
struct time_step {
	int64_t below, unit;
	int decimals;
	const char *name, *ascii;
};

static const struct time_step time_steps[] = {
	{9995, US, 2, "µs", "us"},
	{99500, US, 0, "µs", "us"},
	{9995 * US, UNITS_MS, 2, "ms", "ms"},
	{99950 * US, UNITS_MS, 1, "ms", "ms"},
	{999500 * US, UNITS_MS, 0, "ms", "ms"},
	{9995 * UNITS_MS, S, 2, "s", "s"},
	{59950 * UNITS_MS, S, 1, "s", "s"},
};

static const int64_t powers[] = {1, 10, 100};

/*
 * Writes value / 10^decimals and a unit. Makes the digits from integers, because %f rounds a half
 * to the even digit.
 */
static void format_decimal(char *buf, size_t size, int64_t value, int decimals, const char *unit)
{
	int64_t power = powers[decimals];

	if (decimals)
		snprintf(buf, size, "%lld.%0*lld %s", (long long)(value / power), decimals,
			 (long long)(value % power), unit);
	else
		snprintf(buf, size, "%lld %s", (long long)value, unit);
}

char *units_format_clock(char *buf, size_t size, int64_t ns)
{
	const long long seconds = (long long)(ns / 1000000000);

	if (seconds < 3600)
		snprintf(buf, size, "%02lld:%02lld", seconds / 60, seconds % 60);
	else
		snprintf(buf, size, "%lld:%02lld:%02lld", seconds / 3600, seconds / 60 % 60,
			 seconds % 60);
	return buf;
}

char *units_format_time(char *buf, size_t size, int64_t ns, bool ascii)
{
	const struct time_step *step = time_steps;
	const struct time_step *end = step + LENGTH(time_steps);
	int64_t digit;

	if (ns < 0) {
		snprintf(buf, size, "?");
		return buf;
	}
	while (step < end && ns >= step->below)
		step++;
	if (step == end) {
		int64_t seconds = ns / S + (ns % S >= S / 2);
		int h = (int)(seconds / 3600), m = (int)(seconds / 60 % 60),
		    s = (int)(seconds % 60);

		if (h)
			snprintf(buf, size, "%d:%02d:%02d h", h, m, s);
		else
			snprintf(buf, size, "%d:%02d min", m, s);
		return buf;
	}
	digit = step->unit / powers[step->decimals];
	format_decimal(buf, size, (ns + digit / 2) / digit, step->decimals,
		       ascii ? step->ascii : step->name);
	return buf;
}

/* Returns the number of decimals with which a number below 1000 has three digits. */
static int decimals_of(double value)
{
	if (value < 9.995)
		return 2;
	if (value < 99.95)
		return 1;
	return 0;
}

/* Writes three digits and a unit. */
static void format_rounded(char *buf, size_t size, double value, const char *unit)
{
	const int decimals = decimals_of(value);

	format_decimal(buf, size, (int64_t)(value * (double)powers[decimals] + 0.5), decimals,
		       unit);
}

char *units_format_short(char *buf, size_t size, double ns)
{
	if (!(ns >= 0))
		ns = -1;
	if (ns < 0 || ns >= 999.5)
		return units_format_time(buf, size, llround(ns), false);
	format_rounded(buf, size, ns, "ns");
	return buf;
}

char *units_format_change(char *buf, size_t size, double ns)
{
	char text[32], sign = '+';

	if (ns < 0)
		sign = '-';
	if (isnan(ns))
		snprintf(buf, size, "?");
	else
		snprintf(buf, size, "%c%s", sign,
			 units_format_time(text, sizeof(text), llround(fabs(ns)), false));
	return buf;
}

char *units_format_kib(char *buf, size_t size, int64_t kib)
{
	static const char *const names[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	int64_t scale = 1, whole, rest, tenths;
	size_t unit = 0;

	if (kib < 0) {
		snprintf(buf, size, "?");
		return buf;
	}
	/* 999.5 and more would be rounded to four digits. */
	while (unit + 1 < LENGTH(names) && kib >= (1999 * scale + 1) / 2) {
		scale *= 1024;
		unit++;
	}
	whole = kib / scale;
	rest = kib % scale;
	tenths = whole * 10 + (rest * 10 + scale / 2) / scale;
	if (!unit || tenths >= 1000)
		format_decimal(buf, size, whole + (rest * 2 >= scale), 0, names[unit]);
	else
		format_decimal(buf, size, tenths, 1, names[unit]);
	return buf;
}

char *units_format_exact(char *buf, size_t size, uint64_t bytes)
{
	static const char suffixes[] = "KMGTP";
	char suffix[2] = "";

	for (const char *next = suffixes; *next; next++) {
		if (bytes == 0 || bytes % 1024 != 0)
			break;
		bytes /= 1024;
		suffix[0] = *next;
	}
	snprintf(buf, size, "%llu%s", (unsigned long long)bytes, suffix);
	return buf;
}

char *units_format_count(char *buf, size_t size, int64_t count)
{
	char text[32];
	char *p = text + sizeof(text) - 1;
	int digits = 0;

	*p = '\0';
	if (count < 0)
		*--p = '?';
	if (count == 0)
		*--p = '0';
	for (; count > 0; count /= 10) {
		if (digits && digits % 3 == 0)
			*--p = ',';
		*--p = (char)('0' + count % 10);
		digits++;
	}
	snprintf(buf, size, "%s", p);
	return buf;
}

char *units_format_events(char *buf, size_t size, int64_t count)
{
	static const char *const names[] = {"k", "M", "G", "T", "P", "E"};
	double value = (double)count / 1e3;
	size_t unit = 0;

	if (count < 10000)
		return units_format_count(buf, size, count);
	/* A value that would round to 1000 gets the next unit. */
	while (unit + 1 < LENGTH(names) && value >= 999.5) {
		value /= 1e3;
		unit++;
	}
	format_rounded(buf, size, value, names[unit]);
	return buf;
}

char *units_format_decimal(char *buf, size_t size, double value, int decimals)
{
	int64_t scale = 1, whole;

	for (int i = 0; i < decimals; i++)
		scale *= 10;
	if (value > 0)
		value = value * (double)scale;
	else
		value = 0;
	if (value < 9e17)
		whole = (int64_t)(value + 0.5);
	else
		whole = INT64_C(900000000000000000);
	/*
	 * At most 18 decimals fit into the scale. Without this limit some compilers warn about the
	 * width.
	 */
	if (decimals > 0)
		snprintf(buf, size, "%" PRId64 ".%0*" PRId64, whole / scale, MIN(decimals, 18),
			 whole % scale);
	else
		snprintf(buf, size, "%" PRId64, whole);
	return buf;
}

char *units_format_cpulist(char *buf, size_t size, const cpu_set_t *set)
{
	static const char cut[] = ",...";
	size_t used = 0, room_for_cut = 0;

	buf[0] = '\0';
	for (int last, cpu = 0; cpu < CPU_SETSIZE; cpu = last + 1) {
		int len;

		last = cpu;
		if (!CPU_ISSET(cpu, set))
			continue;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set))
			last++;
		if (last > cpu)
			len = snprintf(buf + used, size - used, "%s%d-%d", used ? "," : "", cpu,
				       last);
		else
			len = snprintf(buf + used, size - used, "%s%d", used ? "," : "", cpu);
		if ((size_t)len >= size - used) {
			/* A list that is cut off would look complete, so add a mark at its end. */
			snprintf(buf + room_for_cut, size - room_for_cut, "%s",
				 room_for_cut ? cut : cut + 1);
			break;
		}
		used += (size_t)len;
		if (used + sizeof(cut) <= size)
			room_for_cut = used;
	}
	return buf;
}
