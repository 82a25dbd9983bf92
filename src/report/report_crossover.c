/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include <math.h>
#include <stdio.h>

#include "base/error_line.h"
#include "base/units.h"
#include "model/model_sweep.h"

char *report_curve_name(const struct model *model, uint32_t case_id, char *buf, size_t size)
{
	const struct sample_case *one = &model->cases[case_id];
	const char *work = model_work(one);

	snprintf(buf, size, "%s%s%s", work, *work ? ": " : "", one->model);
	return buf;
}

/* Decimals matter between 4 and 6 workers, not between 300 and 500 lines. */
static void format_at(double at, char *buf, size_t size)
{
	if (at < 9.95 && at != round(at))
		snprintf(buf, size, "%.1f", at);
	else
		units_format_exact(buf, size, (uint64_t)round(at));
}

char *report_crossing(const struct crossover *cross, char *buf, size_t size)
{
	char at[32];

	format_at(cross->at, at, sizeof(at));
	snprintf(buf, size, "%s (%s to %s)", at, UNITS_EXACT((uint64_t)cross->low),
		 UNITS_EXACT((uint64_t)cross->high));
	return buf;
}

/* The reason why no crossover was found: unknown, too few trials, or there is none. */
static const char *why_none(const struct finding_crosses *found)
{
	if (found->pairs == 0)
		return "?";
	return found->decided == 0 ? "too few trials" : "none found";
}

int report_crossover(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		     char *buf, size_t size)
{
	struct sentence s = {buf, size, 0};
	struct finding_crosses found;
	int err = finding_crosses(model, a, b, metric, &found);
	char text[96];

	for (size_t i = 0; i < found.n; i++)
		sentence_add(&s, "%s%s", i ? "; " : "",
			     report_crossing(&found.cross[i], text, sizeof(text)));
	if (found.n == 0)
		sentence_add(&s, "%s", why_none(&found));
	return err;
}
