/* SPDX-License-Identifier: MIT */
#include "report/why.h"

#include <math.h>
#include <stdio.h>

#include "base/error_line.h"
#include "base/units.h"
#include "report/claim.h"

/* A smaller difference would be written as 0. */
#define LEAST_NS 500

char *why_signed(char *buf, size_t size, double ns)
{
	char text[32];

	if (isnan(ns))
		snprintf(buf, size, "?");
	else
		snprintf(buf, size, "%s%s", ns < 0 ? "-" : "+",
			 units_format_time(text, sizeof(text), llround(fabs(ns)), false));
	return buf;
}

static bool is_real(const struct model_comparison *c)
{
	return c->verdict == STATS_A || c->verdict == STATS_B;
}

char *why_reality(const struct model *model, const struct model_comparison *difference, char *buf,
		  size_t size)
{
	if (is_real(difference))
		snprintf(buf, size, "real");
	else if (difference->verdict == STATS_NONE)
		snprintf(buf, size, "not real");
	else
		claim_none(model, difference, buf, size);
	return buf;
}

bool why_names(const struct model_comparison *part)
{
	return is_real(part) && fabs(part->ratio.estimate) >= LEAST_NS;
}

/* Where b spends more comes first, then the greater difference. */
static bool comes_before(const struct model_comparison *a, const struct model_comparison *b)
{
	double of_a = a->ratio.estimate, of_b = b->ratio.estimate;

	if ((of_a >= 0) != (of_b >= 0))
		return of_a >= 0;
	return fabs(of_a) > fabs(of_b);
}

char *why_sentence(const struct model *model, const struct model_parts_difference *difference,
		   char *buf, size_t size)
{
	const struct model_comparison *named[MODEL_PARTS];
	struct sentence s = {buf, size, 0};
	uint32_t n = 0;

	buf[0] = '\0';
	for (uint32_t i = 0; i < difference->n; i++) {
		uint32_t at = n;

		if (!why_names(&difference->part[i]))
			continue;
		for (; at > 0 && comes_before(&difference->part[i], named[at - 1]); at--)
			named[at] = named[at - 1];
		named[at] = &difference->part[i];
		n++;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct metric *metric = &metric_table[named[i]->metric];

		if (i == 0)
			sentence_add(&s, "Where the time goes: %s, beside %s,",
				     MODEL_CASE_NAME(model, difference->whole.b),
				     MODEL_CASE_NAME(model, difference->whole.a));
		sentence_add(&s, "%s %s %s", i == 0 ? "" : ",",
			     WHY_SIGNED(named[i]->ratio.estimate),
			     metric->words ? metric->words : metric->title);
	}
	if (n > 0)
		sentence_add(&s, n == 1 ? " (real)." : n == 2 ? " (both real)." : " (all real).");
	return buf;
}

bool why_cause_of(const struct model *model, struct why_cause *out)
{
	struct model_parts_difference difference;
	uint32_t a, b;

	return model_parts_pair(model, &a, &b) && !model_parts_compare(model, a, b, &difference) &&
	       why_cause(model, &difference, out);
}

char *why_read(const struct model *model, char *buf, size_t size)
{
	struct sentence s = {buf, size, 0};
	struct model_parts_difference difference;
	struct why_cause cause;
	char text[WHY_TEXT];
	uint32_t a, b;

	buf[0] = '\0';
	if (!model_parts_pair(model, &a, &b) || model_parts_compare(model, a, b, &difference))
		return buf;
	sentence_add(&s, "%s", why_sentence(model, &difference, text, sizeof(text)));
	if (!why_cause(model, &difference, &cause))
		return buf;
	sentence_add(&s, "%s%s", s.used ? " " : "", cause.text);
	if (*cause.options)
		sentence_add(&s, " %s would show it.", cause.options);
	return buf;
}
