/* SPDX-License-Identifier: MIT */
#include "report/claim.h"

#include <math.h>
#include <stdio.h>

/* The most decimals that tell a ratio from 1. */
#define MOST_DECIMALS 6

/* Decimals with which two digits of a value below 1 are seen, at least some. */
static int decimals_of(double value, int least)
{
	int decimals = value > 0 ? 1 - (int)floor(log10(value)) : least;

	return decimals < least ? least : decimals > MOST_DECIMALS ? MOST_DECIMALS : decimals;
}

char *claim_ratio(char *buf, size_t size, double ratio)
{
	if (!isfinite(ratio))
		snprintf(buf, size, "?");
	else if (ratio >= 10)
		snprintf(buf, size, "%.*f", ratio < 100 ? 2 : 1, ratio);
	else
		snprintf(buf, size, "%.*f", decimals_of(fmin(ratio, fabs(ratio - 1)), 3), ratio);
	return buf;
}

char *claim_percent(char *buf, size_t size, double share)
{
	double percent = 100 * share;

	snprintf(buf, size, "%.*f", decimals_of(fabs(percent), 1), percent);
	return buf;
}

char *claim_excluded(char *buf, size_t size, double ratio)
{
	double percent = 100 * (1 - 1 / ratio);

	if (ratio >= 2)
		snprintf(buf, size, "a factor of %.1f", ceil(10 * ratio - 1e-9) / 10);
	else if (percent < 9.9)
		snprintf(buf, size, "%.1f %%", fmax(ceil(10 * percent - 1e-9) / 10, 0.1));
	else
		snprintf(buf, size, "%.0f %%", ceil(percent - 1e-9));
	return buf;
}

char *claim_progress(const struct finding_progress *progress, char *buf, size_t size)
{
	uint32_t pairs = progress->pairs;

	if (progress->planned < progress->least)
		snprintf(buf, size, "%u planned %s too few: --trials %u is the least",
			 progress->planned, progress->planned == 1 ? "trial is" : "trials are",
			 progress->least);
	else if (progress->ended)
		snprintf(buf, size, "%u of %u pairs: too few to call it real", pairs,
			 progress->planned);
	else if (progress->stopped)
		snprintf(buf, size, "%u of %u trials: stopped before it was decided", pairs,
			 progress->planned);
	else
		snprintf(buf, size, "measuring, %u of %u trials", pairs, progress->planned);
	return buf;
}

char *claim_none(const struct model *model, const struct model_comparison *comparison, char *buf,
		 size_t size)
{
	bool cut =
		comparison->ended || comparison->planned < comparison->least || model_over(model);

	if (comparison->verdict == STATS_UNPAIRED)
		snprintf(buf, size, "not measured together");
	else if (comparison->verdict == STATS_NONE)
		snprintf(buf, size, "no difference above %s",
			 CLAIM_EXCLUDED(finding_excluded(&comparison->ratio)));
	else if (cut)
		snprintf(buf, size, "too few trials");
	else
		snprintf(buf, size, "measuring, %u of %u", comparison->pairs, comparison->planned);
	return buf;
}
