/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The most decimals that distinguish a ratio from 1. */
#define MOST_DECIMALS 6

/* Decimals with which two digits of a value below 1 are seen, at least some. */
static int decimals_of(double value, int least)
{
	int decimals = value > 0 ? 1 - (int)floor(log10(value)) : least;

	return decimals < least ? least : decimals > MOST_DECIMALS ? MOST_DECIMALS : decimals;
}

/* A hundredth and less has three digits: its inverse is said in words, and two are 5 % off. */
#define SMALL 0.01

/* From here on without decimals, and from there on with one. */
#define MANY 19.5
#define SOME 1.495

static int decimals_of_times(double times)
{
	int decimals = 2;

	if (!(times < MANY))
		return 0;
	if (times >= SOME)
		return 1;
	if (times > 0 && times < 0.1)
		return decimals_of(times, 2) + (times < SMALL);
	while (decimals < MOST_DECIMALS && fabs(times - 1) < 0.95 * pow(10, -decimals))
		decimals++;
	return decimals;
}

char *claim_times(char *buf, size_t size, double times)
{
	if (!isfinite(times))
		snprintf(buf, size, "?");
	else
		snprintf(buf, size, "%.*f", times == 1 ? 2 : decimals_of_times(times), times);
	return buf;
}

/* Both with about as many decimals, and so many more. */
static char *range_with(char *buf, size_t size, double low, double high, int more)
{
	int of_low = low == 1 ? 2 : decimals_of_times(low);
	int of_high = high == 1 ? 2 : decimals_of_times(high);
	char from[32], to[32];

	if (!isfinite(low) || !isfinite(high)) {
		snprintf(buf, size, "?");
		return buf;
	}
	if (high < 10 && of_high < of_low)
		of_high = 2;
	snprintf(from, sizeof(from), "%.*f", of_low + more, low);
	snprintf(to, sizeof(to), "%.*f", of_high + more, high);
	if (strcmp(from, to) == 0)
		snprintf(buf, size, "%s", from);
	else
		snprintf(buf, size, "%s to %s", from, to);
	return buf;
}

char *claim_times_range(char *buf, size_t size, double low, double high)
{
	return range_with(buf, size, low, high, 0);
}

/* Two more decimals than usual at most: alike beyond these, one figure says both. */
char *claim_times_interval(char *buf, size_t size, double low, double high)
{
	char one[32];

	for (int more = 0; more <= 2; more++)
		if (strstr(range_with(buf, size, low, high, more), " to "))
			return buf;
	claim_times(one, sizeof(one), low);
	snprintf(buf, size, "%s to %s", one, one);
	return buf;
}

/* Two decimals, and more where the level is that near to 1. */
char *claim_level(char *buf, size_t size, double level)
{
	double scale = level > 0.9999 ? 1e6 : 1e4;

	if (isnan(level))
		snprintf(buf, size, "?");
	else
		snprintf(buf, size, "%.8g %%", floor(level * scale + 1e-6) / (scale / 100));
	return buf;
}

char *claim_excluded(char *buf, size_t size, double ratio)
{
	double percent = 100 * (ratio - 1);

	if (ratio >= 2)
		snprintf(buf, size, "%.1fx", ceil(10 * ratio - 1e-9) / 10);
	else if (percent < 9.9)
		snprintf(buf, size, "%.1f %%", fmax(ceil(10 * percent - 1e-9) / 10, 0.1));
	else
		snprintf(buf, size, "%.0f %%", ceil(percent - 1e-9));
	return buf;
}

char *claim_none(const struct model *model, const struct model_comparison *comparison, char *buf,
		 size_t size)
{
	bool cut =
		comparison->ended || comparison->planned < comparison->least || model_over(model);

	if (comparison->verdict == STATS_UNPAIRED)
		snprintf(buf, size, "not measured together");
	else if (comparison->no_ratio)
		snprintf(buf, size, "? (a value is 0)");
	else if (comparison->verdict == STATS_NONE)
		snprintf(buf, size, "at most %s apart",
			 CLAIM_EXCLUDED(finding_excluded(&comparison->ratio)));
	else if (cut)
		snprintf(buf, size, comparison->pairs ? "too few trials" : "untested");
	else
		snprintf(buf, size, "measuring, %u of %u", comparison->pairs, comparison->planned);
	return buf;
}
