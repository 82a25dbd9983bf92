/* SPDX-License-Identifier: MIT */
#include "result/report.h"

#include "base/error_line.h"

#include <stdio.h>

char *speedup_law(const struct model *model, const struct model_speedup *speedup, char *buf,
		  size_t size)
{
	const struct amdahl *amdahl = &speedup->amdahl;
	const struct stats_interval *serial = &amdahl->serial;
	struct sentence s = {buf, size, 0};
	char name[SAMPLE_NAME], why[128];

	snprintf(buf, size, "%s", "");
	/* Too few numbers of cores are too few for each model. */
	if (amdahl->state != AMDAHL_FEW_POINTS)
		sentence_add(&s,
			     "%s: ", report_curve_name(model, speedup->first, name, sizeof(name)));
	if (amdahl->state != AMDAHL_KNOWN)
		sentence_add(&s, "Amdahl's law %s", amdahl_why(amdahl, why, sizeof(why)));
	else
		sentence_add(&s,
			     "Amdahl's law has %.3g %% (%.3g to %.3g) of the work serial, and is "
			     "off by at most %.2g %%",
			     100 * serial->estimate, 100 * serial->low, 100 * serial->high,
			     100 * amdahl->misfit);
	return buf;
}
