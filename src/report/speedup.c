/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include "base/error_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "2.1 % (1.8 to 2.4)" */
static void say_share(struct sentence *s, const struct stats_interval *share)
{
	sentence_add(s, "%.3g %% (%.3g to %.3g)", 100 * share->estimate, 100 * share->low,
		     100 * share->high);
}

static void say_amdahl(struct sentence *s, const struct law_fit *fit)
{
	char why[128];

	sentence_add(s, "Amdahl's law ");
	if (fit->told != LAW_TOLD) {
		sentence_add(s, "%s", law_why(fit, LAW_AMDAHL, why, sizeof(why)));
		return;
	}
	sentence_add(s, "has ");
	say_share(s, &fit->serial);
	sentence_add(s, " of the work serial, and is off by at most %.2g %%", 100 * fit->misfit);
}

static void say_usl(struct sentence *s, const struct law_fit *fit)
{
	char why[128];

	sentence_add(s, "; the universal scalability law ");
	if (fit->told != LAW_TOLD) {
		sentence_add(s, "%s", law_why(fit, LAW_USL, why, sizeof(why)));
		return;
	}
	sentence_add(s, "has a contention of ");
	say_share(s, &fit->serial);
	sentence_add(s, " and a coherency of ");
	say_share(s, &fit->crosstalk);
	sentence_add(s, ", and is off by at most %.2g %%", 100 * fit->misfit);
	if (fit->crosstalk.low > 0 && fit->serial.estimate < 1)
		sentence_add(s, "; by it %.0f cores are the fastest",
			     fmax(1, sqrt((1 - fit->serial.estimate) / fit->crosstalk.estimate)));
}

char *speedup_laws(const struct model *model, const struct model_speedup *speedup, char *buf,
		   size_t size)
{
	struct sentence s = {buf, size, 0};
	char name[SAMPLE_NAME];

	snprintf(buf, size, "%s", "");
	if (speedup->law[LAW_AMDAHL].told != LAW_FEW_POINTS)
		sentence_add(&s,
			     "%s: ", report_curve_name(model, speedup->first, name, sizeof(name)));
	say_amdahl(&s, &speedup->law[LAW_AMDAHL]);
	say_usl(&s, &speedup->law[LAW_USL]);
	sentence_add(&s, ".");
	return buf;
}

enum law speedup_told(const struct model_speedup *speedup)
{
	for (int law = LAWS - 1; law >= 0; law--)
		if (speedup->law[law].told == LAW_TOLD)
			return (enum law)law;
	return LAWS;
}

static void say_told(struct sentence *s, const struct law_fit *fit, enum law law)
{
	sentence_add(s, law == LAW_USL ? "universal scalability law, contention "
				       : "Amdahl's law, serial ");
	say_share(s, &fit->serial);
	if (law != LAW_USL)
		return;
	sentence_add(s, ", coherency ");
	say_share(s, &fit->crosstalk);
}

char *speedup_law(const struct model *model, const struct model_speedup *speedup, char *buf,
		  size_t size)
{
	const struct law_fit *amdahl = &speedup->law[LAW_AMDAHL];
	enum law law = speedup_told(speedup);
	struct sentence s = {buf, size, 0};
	char name[SAMPLE_NAME], why[128];

	snprintf(buf, size, "%s", "");
	if (law != LAWS || amdahl->told != LAW_FEW_POINTS)
		sentence_add(&s,
			     "%s: ", report_curve_name(model, speedup->first, name, sizeof(name)));
	if (law == LAWS)
		sentence_add(&s, "Amdahl's law %s", law_why(amdahl, LAW_AMDAHL, why, sizeof(why)));
	else
		say_told(&s, &speedup->law[law], law);
	return buf;
}
