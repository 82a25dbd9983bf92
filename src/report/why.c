/* SPDX-License-Identifier: MIT */
#include "report/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/sentence.h"
#include "base/units.h"
#include "report/claim.h"
#include "verdict_parts.h"

/* A part below this share of the greatest figure is named only where it is real. */
#define LEAST_SHARE 0.05
/* And none below this one: it would be written as 0. */
#define NO_SHARE 0.005
/* Less is said of nobody: a sentence and its table round it to different digits. */
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

/* The figures of one sentence share a unit. */
struct unit {
	double ns;
	const char *name;
};

static struct unit unit_of(double greatest)
{
	if (greatest >= 1e9)
		return (struct unit) {1e9, "s"};
	if (greatest >= 1e6)
		return (struct unit) {1e6, "ms"};
	return (struct unit) {1e3, "µs"};
}

/*
 * With two digits that count, as far as the unit's hundredth. A half is rounded up, as in tables:
 * printf would round 10.5 to 10.
 */
static void say_figure(struct sentence *s, double ns, const struct unit *unit)
{
	double value = fabs(ns) / unit->ns;
	int digits = value >= 9.95 ? 0 : value >= 0.995 ? 1 : 2;
	double scale = digits == 0 ? 1 : digits == 1 ? 10 : 100;

	sentence_add(s, "%.*f", digits, round(value * scale) / scale);
}

static const char *part_words(const struct model_comparison *c)
{
	const struct metric *metric = &metric_table[c->metric];

	return metric->words ? metric->words : metric->title;
}

static double greatest_of(const struct model_parts_difference *d)
{
	double most = fabs(d->whole.ratio.estimate);

	for (uint32_t i = 0; i < d->n; i++)
		most = fmax(most, fabs(d->part[i].ratio.estimate));
	return most;
}

static bool is_named(const struct model_comparison *c, double greatest)
{
	double share = fabs(c->ratio.estimate) / greatest;

	return share >= LEAST_SHARE || (is_real(c) && share >= NO_SHARE);
}

/* A real one that is not written as 0. */
static bool is_sure(const struct model_comparison *c)
{
	return is_real(c) && fabs(c->ratio.estimate) >= LEAST_NS;
}

bool why_names(const struct model_parts_difference *difference, const struct model_comparison *part)
{
	if (difference->whole.verdict == STATS_NONE)
		return is_sure(part);
	return is_named(part, greatest_of(difference));
}

/* In which the one that takes longer takes longer too comes first, then what is greater. */
static bool comes_before(const struct model_comparison *a, const struct model_comparison *b,
			 double sign)
{
	double of_a = a->ratio.estimate * sign, of_b = b->ratio.estimate * sign;

	if ((of_a >= 0) != (of_b >= 0))
		return of_a >= 0;
	return fabs(of_a) > fabs(of_b);
}

struct named {
	uint32_t n;
	const struct model_comparison *list[MODEL_PARTS];
	double sign; /* 1: b takes longer */
};

static void name_parts(const struct model_parts_difference *d, struct named *named)
{
	double greatest = greatest_of(d);

	*named = (struct named) {.sign = d->whole.ratio.estimate < 0 ? -1 : 1};
	for (uint32_t i = 0; i < d->n; i++) {
		uint32_t at = named->n;

		if (!is_named(&d->part[i], greatest))
			continue;
		for (; at > 0 && comes_before(&d->part[i], named->list[at - 1], named->sign); at--)
			named->list[at] = named->list[at - 1];
		named->list[at] = &d->part[i];
		named->n++;
	}
}

static void say_parts(struct sentence *s, const struct named *named, const struct unit *unit)
{
	for (uint32_t i = 0; i < named->n; i++) {
		const struct model_comparison *c = named->list[i];
		bool less = c->ratio.estimate * named->sign < 0;

		sentence_add(s, i ? ", " : ": ");
		say_figure(s, c->ratio.estimate, unit);
		sentence_add(s, "%s %s%s", less ? " less" : "", part_words(c),
			     is_real(c) ? " (real)" : "");
	}
}

/* What is doubtful of the whole. */
static const char *doubt_of(const struct model_comparison *whole)
{
	if (is_real(whole))
		return "";
	if (whole->verdict == STATS_UNPAIRED)
		return " (not measured together)";
	return whole->ended || whole->planned < whole->least ? " (too few trials)" : " so far";
}

/* Those that are real alone: b's, what takes it longer first. */
static void name_real(const struct model_parts_difference *d, struct named *named)
{
	*named = (struct named) {.sign = 1};
	for (uint32_t i = 0; i < d->n; i++) {
		uint32_t at = named->n;

		if (!is_sure(&d->part[i]))
			continue;
		for (; at > 0 && comes_before(&d->part[i], named->list[at - 1], 1); at--)
			named->list[at] = named->list[at - 1];
		named->list[at] = &d->part[i];
		named->n++;
	}
}

/* Where the whole does not differ, who takes longer would be chance: nothing is said of it. */
static char *say_real_parts(const struct model *model, const struct model_parts_difference *d,
			    char *buf, size_t size)
{
	const char *b = MODEL_CASE_NAME(model, d->whole.b);
	struct sentence s = {buf, size, 0};
	struct named named;

	buf[0] = '\0';
	name_real(d, &named);
	for (uint32_t i = 0; i < named.n; i++) {
		const struct model_comparison *c = named.list[i];
		struct unit unit = unit_of(fabs(c->ratio.estimate));

		if (i == 0)
			sentence_add(&s, "In parts %s %s from %s: ", b,
				     verdict_singular(model->cases[d->whole.b].model) ? "differs"
										      : "differ",
				     MODEL_CASE_NAME(model, d->whole.a));
		else
			sentence_add(&s, ", ");
		say_figure(&s, c->ratio.estimate, &unit);
		sentence_add(&s, " %s %s %s (real)", unit.name,
			     c->ratio.estimate < 0 ? "less" : "longer", part_words(c));
	}
	if (named.n > 0)
		sentence_add(&s, ".");
	return buf;
}

/* The verdict is of ratios, the whole of differences: who takes longer is said by both alone. */
static bool no_order(const struct model *model, const struct model_comparison *whole)
{
	struct model_comparison verdict;

	if (whole->verdict == STATS_NONE)
		return true;
	return is_real(whole) &&
	       !model_compare(model, whole->a, whole->b, METRIC_ELAPSED, &verdict) &&
	       verdict.verdict == STATS_NONE;
}

/* Those that stand below the sentence: of all trials, with and without a pair. */
static bool medians_agree(const struct model *model, const struct model_comparison *whole)
{
	double of_a = verdict_median(model, whole->a, METRIC_ELAPSED);
	double of_b = verdict_median(model, whole->b, METRIC_ELAPSED);

	return whole->ratio.estimate >= 0 ? !(of_b < of_a) : !(of_b > of_a);
}

/* Before a difference is decided, each pair has to say the same, and the medians of all trials. */
static bool pairs_agree(const struct model *model, const struct model_comparison *whole)
{
	bool b_longer = whole->ratio.estimate >= 0, agree = medians_agree(model, whole);
	double *ratios;
	size_t n;

	if (is_real(whole) || whole->verdict == STATS_UNPAIRED)
		return true;
	if (model_ratios(model, whole, &ratios, &n))
		return false;
	for (size_t i = 0; agree && i < n; i++)
		agree = b_longer ? ratios[i] < 1 : ratios[i] > 1;
	free(ratios);
	return agree && n > 0;
}

char *why_sentence(const struct model *model, const struct model_parts_difference *difference,
		   char *buf, size_t size)
{
	const struct model_comparison *whole = &difference->whole;
	bool b_longer = whole->ratio.estimate >= 0;
	uint32_t longer = b_longer ? whole->b : whole->a, shorter = b_longer ? whole->a : whole->b;
	struct unit unit = unit_of(greatest_of(difference));
	struct sentence s = {buf, size, 0};
	struct named named;

	buf[0] = '\0';
	if (no_order(model, whole) || !pairs_agree(model, whole))
		return say_real_parts(model, difference, buf, size);
	if (isnan(whole->ratio.estimate) || whole->ratio.estimate == 0)
		return buf;
	name_parts(difference, &named);
	sentence_add(&s, "%s", MODEL_CASE_NAME(model, longer));
	if (!verdict_keeps_letters(model))
		sentence_begin(&s, 0);
	sentence_add(&s, " %s ", verdict_singular(model->cases[longer].model) ? "takes" : "take");
	say_figure(&s, whole->ratio.estimate, &unit);
	sentence_add(&s, " %s longer than %s%s", unit.name, MODEL_CASE_NAME(model, shorter),
		     doubt_of(whole));
	say_parts(&s, &named, &unit);
	sentence_add(&s, ".");
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
