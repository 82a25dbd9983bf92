/* SPDX-License-Identifier: MIT */
#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#define DIGITS "0123456789"

#define US INT64_C(1000)
#define MS (1000 * US)
#define S  (1000 * MS)

/*
 * The decimal number at *text, which moves behind it. UINT64_MAX and -ERANGE where it is larger:
 * the caller goes on, since a wrong form is reported first.
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
	*number = ret ? UINT64_MAX : value;
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
	suffix = *text ? strchr(suffixes, *text) : NULL;
	if (suffix) {
		shift = 10 * (int)((suffix - suffixes) % 5 + 1);
		text++;
	}
	/* a fraction needs digits, and a unit it is a fraction of: there is no half byte */
	if (*text || (decimals && (!n_decimals || !shift)))
		return -EINVAL;
	if (ret || whole > UINT64_MAX >> shift)
		return -ERANGE;
	/* From the last digit, rounding down at each step equals rounding down once at the end. */
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

static int take_size(const char *text, const char *end, uint64_t *bytes)
{
	char copy[64];

	if ((size_t)(end - text) >= sizeof(copy))
		return -EINVAL;
	memcpy(copy, text, (size_t)(end - text));
	copy[end - text] = '\0';
	return units_parse_size(copy, bytes);
}

int units_parse_values(const char *text, uint64_t *values, size_t max, size_t *n)
{
	const char *end, *dots, *colon, *stop;
	uint64_t first, last, step;
	size_t count = 0;
	int ret;

	/* "3", "2..8" or "100..900:100" between text and end. */
	for (;; text = end + 1) {
		end = strchrnul(text, ',');
		dots = memmem(text, (size_t)(end - text), "..", 2);
		colon = memchr(text, ':', (size_t)(end - text));
		stop = colon ? colon : end;
		step = 1;
		ret = take_size(text, dots ? dots : end, &first);
		last = first;
		if (!ret && dots)
			ret = dots + 2 > stop ? -EINVAL : take_size(dots + 2, stop, &last);
		if (!ret && dots && colon)
			ret = take_size(colon + 1, end, &step);
		if (ret)
			return ret;
		if (step == 0 || last < first)
			return -EINVAL;
		if ((last - first) / step >= max - count)
			return -E2BIG;
		for (uint64_t i = 0; i <= (last - first) / step; i++)
			values[count++] = first + i * step;
		if (!*end)
			break;
	}
	*n = count;
	return 0;
}

int units_parse_cpulist(const char *text, cpu_set_t *set)
{
	uint64_t first, last, step;
	int ret, result = 0;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	/* "3", "0-7" or "0-7:2" */
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
		step = step < CPU_SETSIZE ? step : CPU_SETSIZE;
		for (uint64_t cpu = first; cpu <= last && last < CPU_SETSIZE; cpu += step)
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

/* Below the limit, in this unit with so many decimals: each limit is where rounding would carry. */
struct time_step {
	int64_t below, unit;
	int decimals;
	const char *name, *ascii;
};

static const struct time_step time_steps[] = {
	{9995, US, 2, "µs", "us"},	  {99500, US, 0, "µs", "us"},
	{9995 * US, MS, 2, "ms", "ms"},	  {99950 * US, MS, 1, "ms", "ms"},
	{999500 * US, MS, 0, "ms", "ms"}, {9995 * MS, S, 2, "s", "s"},
	{59950 * MS, S, 1, "s", "s"},
};

static const int64_t powers[] = {1, 10, 100};

/* The digits come from whole numbers: %f would round a half to the even digit. */
static void format_decimal(char *buf, size_t size, int64_t value, int decimals, const char *unit)
{
	int64_t power = powers[decimals];

	if (decimals)
		snprintf(buf, size, "%lld.%0*lld %s", (long long)(value / power), decimals,
			 (long long)(value % power), unit);
	else
		snprintf(buf, size, "%lld %s", (long long)value, unit);
}

char *units_format_time(char *buf, size_t size, int64_t ns, bool ascii)
{
	const struct time_step *step = time_steps;
	const struct time_step *end = step + sizeof(time_steps) / sizeof(time_steps[0]);
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

char *units_format_short(char *buf, size_t size, double ns)
{
	if (!(ns >= 0) || ns >= 999.5)
		return units_format_time(buf, size, ns >= 0 ? (int64_t)(ns + 0.5) : -1, false);
	units_format_decimal(buf, size, ns, ns < 9.995 ? 2 : ns < 99.95 ? 1 : 0);
	snprintf(buf + strlen(buf), size - strlen(buf), " ns");
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
	/* 999.5 and more would be four digits */
	while (unit + 1 < sizeof(names) / sizeof(names[0]) && kib >= (1999 * scale + 1) / 2) {
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

	for (int i = 0; bytes && bytes % 1024 == 0 && suffixes[i]; i++) {
		bytes /= 1024;
		suffix[0] = suffixes[i];
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
	for (; count > 0 || (!count && !digits); count /= 10) {
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
	static const char units[] = "kMGTPE";
	const char *unit = units;
	double value = (double)count / 1e3;

	if (count < 10000)
		return units_format_count(buf, size, count);
	/* What would round to 1000 has the next unit. */
	for (; value >= 999.5 && unit[1]; unit++)
		value /= 1e3;
	units_format_decimal(buf, size, value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
	if (strlen(buf) + 2 < size)
		snprintf(buf + strlen(buf), size - strlen(buf), " %c", *unit);
	return buf;
}

char *units_format_decimal(char *buf, size_t size, double value, int decimals)
{
	int64_t scale = 1, whole;

	for (int i = 0; i < decimals; i++)
		scale *= 10;
	value = value > 0 ? value * (double)scale : 0;
	whole = value < 9e17 ? (int64_t)(value + 0.5) : INT64_C(900000000000000000);
	if (decimals > 0) /* at most 18, as the scale: with any width some compilers warn */
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
		len = snprintf(buf + used, size - used, last > cpu ? "%s%d-%d" : "%s%d",
			       used ? "," : "", cpu, last);
		if ((size_t)len >= size - used) {
			/* half a list would read as another list */
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
