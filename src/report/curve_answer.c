/* SPDX-License-Identifier: MIT */
#include "report/curve_answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verdict_parts.h"

/* The most crossovers that are named. */
enum { NAMED = 3 };

char *curve_answer_number(char *buf, size_t size, const struct curve *curve, double number)
{
	static const char suffixes[] = "\0KMGTP";
	const char *last = curve->n_values ? curve->value[curve->n_values - 1].text : "";
	bool suffix = *last && strchr("KMGTP", last[strlen(last) - 1]);
	size_t i = 0;

	for (; suffix && number >= 1024 && i + 2 < sizeof(suffixes); i++)
		number /= 1024;
	snprintf(buf, size, number < 9.95 ? "%.1f%.1s" : "%.0f%.1s", number, &suffixes[i]);
	return buf;
}

/* The text being written. */
struct answer {
	struct sentence text;
	const struct curve *curve;
	size_t begin; /* of the first sentence */
	bool named;   /* the variable's name has been said */
};

static void say_name(struct answer *s, int line)
{
	size_t start = s->text.used;

	sentence_add(&s->text, "%s", s->curve->line[line].name);
	if (start == s->begin)
		sentence_begin(&s->text, start);
}

static void say_value(struct answer *s, uint32_t value)
{
	sentence_add(&s->text, "%s%s%s", s->named ? "" : s->curve->name, s->named ? "" : "=",
		     s->curve->value[value].text);
	s->named = true;
}

/* Values that follow one another with the same lead, or where it is as unsure. */
struct stretch {
	enum finding_sure sure;
	int line;	 /* that leads; -1: it does not matter which */
	double excluded; /* the most of all */
	uint32_t first, last;
};

static bool stretch_goes_on(const struct stretch *stretch, const struct curve_lead *lead)
{
	return lead->sure == stretch->sure && (stretch->line < 0 || lead->line == stretch->line);
}

/* The one that begins at a value, which is one of the curve's. */
static struct stretch stretch_at(const struct curve *curve, uint32_t first, bool by_line)
{
	const struct curve_lead *lead = &curve->lead[first];
	struct stretch stretch = {lead->sure, by_line ? lead->line : -1, lead->excluded, first,
				  first};

	while (stretch.last + 1 < curve->n_values &&
	       stretch_goes_on(&stretch, &curve->lead[stretch.last + 1]))
		stretch.excluded = fmax(stretch.excluded, curve->lead[++stretch.last].excluded);
	return stretch;
}

/* " tree=5000, 50x99 and 20x3x82" */
static void say_list(struct answer *s, const struct stretch *stretch)
{
	for (uint32_t v = stretch->first; v <= stretch->last; v++) {
		sentence_add(&s->text, v == stretch->first  ? " with "
				       : v == stretch->last ? " and "
							    : ", ");
		say_value(s, v);
	}
}

static void say_range(struct answer *s, const struct stretch *stretch)
{
	uint32_t end = s->curve->n_values - 1;

	if (stretch->first == 0 && stretch->last == end) {
		sentence_add(&s->text, " at every value of %s", s->curve->name);
	} else if (!s->curve->numeric) {
		say_list(s, stretch);
	} else if (stretch->first == stretch->last) {
		sentence_add(&s->text, " at ");
		say_value(s, stretch->first);
	} else if (stretch->first == 0) {
		sentence_add(&s->text, " up to ");
		say_value(s, stretch->last);
	} else {
		sentence_add(&s->text, " from ");
		say_value(s, stretch->first);
		sentence_add(&s->text, stretch->last == end ? " on" : " to ");
		if (stretch->last != end)
			say_value(s, stretch->last);
	}
}

static void say_verb(struct answer *s, int line)
{
	static const char *const verbs[METRICS][2] = {
		[METRIC_ELAPSED] = {"lead", "leads"},
		[METRIC_STEP] = {"lead", "leads"},
		[METRIC_CPU] = {"need the least CPU time", "needs the least CPU time"},
		[METRIC_MEMORY] = {"take the least memory", "takes the least memory"},
		[METRIC_CREATE] = {"are created fastest", "is created fastest"},
	};
	bool one = verdict_singular(s->curve->line[line].name);

	sentence_add(&s->text, " %s", verbs[s->curve->metric][one]);
}

/* Who leads where, of the values at which that is so sure. */
static void say_leads(struct answer *s, enum finding_sure sure)
{
	int before = -1;

	for (uint32_t v = 0; v < s->curve->n_values;) {
		struct stretch stretch = stretch_at(s->curve, v, true);

		v = stretch.last + 1;
		if (stretch.sure != sure)
			continue;
		sentence_add(&s->text, before < 0 ? "" : stretch.line == before ? "," : ", ");
		if (stretch.line != before)
			say_name(s, stretch.line);
		if (before < 0)
			say_verb(s, stretch.line);
		say_range(s, &stretch);
		before = stretch.line;
	}
}

/* Where nobody leads, and in which way: "; at most 3.1 % apart at 5" */
static void say_others(struct answer *s, enum finding_sure sure, const char *what)
{
	bool first = true;

	for (uint32_t v = 0; v < s->curve->n_values;) {
		struct stretch stretch = stretch_at(s->curve, v, false);
		size_t start = s->text.used;

		v = stretch.last + 1;
		if (stretch.sure != sure)
			continue;
		sentence_add(&s->text, start == s->begin ? "" : first ? "; " : ",");
		if (first || sure == FINDING_NONE)
			sentence_add(&s->text, "%s%s", first ? "" : " ", what);
		if (sure == FINDING_NONE)
			sentence_add(&s->text, " %s apart", CLAIM_EXCLUDED(stretch.excluded));
		if (start == s->begin)
			sentence_begin(&s->text, start);
		say_range(s, &stretch);
		first = false;
	}
}

static bool has(const struct curve *curve, enum finding_sure sure)
{
	for (uint32_t v = 0; v < curve->n_values; v++)
		if (curve->lead[v].sure == sure)
			return true;
	return false;
}

/* Crossovers */

static void say_cross(struct answer *s, const struct curve_cross *cross)
{
	char at[32];

	curve_answer_number(at, sizeof(at), s->curve, cross->at);
	sentence_add(&s->text, " at about %s", at);
	sentence_add(&s->text, " (between %s and %s)", s->curve->value[cross->from].text,
		     s->curve->value[cross->to].text);
}

static void say_pair(struct answer *s, const struct curve_cross *cross)
{
	size_t start = s->text.used + 1;

	if (s->curve->n_lines == 2) {
		sentence_add(&s->text, " They cross");
		return;
	}
	sentence_add(&s->text, " %s and %s cross", s->curve->line[cross->a].name,
		     s->curve->line[cross->b].name);
	sentence_begin(&s->text, start);
}

static bool same_pair(const struct curve_cross *a, const struct curve_cross *b)
{
	return (a->a == b->a && a->b == b->b) || (a->a == b->b && a->b == b->a);
}

/* Returns how many there are. */
static uint32_t say_crosses(struct answer *s)
{
	const struct curve_cross *last = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->curve->n_crosses; i++) {
		const struct curve_cross *cross = &s->curve->cross[i];

		if (n++ >= NAMED)
			continue;
		if (last && same_pair(last, cross)) {
			sentence_add(&s->text, " and");
		} else {
			sentence_add(&s->text, last ? "." : "");
			say_pair(s, cross);
		}
		say_cross(s, cross);
		last = cross;
	}
	if (n > NAMED)
		sentence_add(&s->text, " and %u more cross", n - NAMED);
	return n;
}

static void say_where_they_cross(struct answer *s)
{
	if (say_crosses(s))
		sentence_add(&s->text, ".");
	else if (has(s->curve, FINDING_MEDIANS))
		sentence_add(&s->text, " No crossover found within a recording.");
	else if (!has(s->curve, FINDING_FEW))
		sentence_add(&s->text, " No crossover found.");
}

/* Where nobody can lead, what each line does over the values is the answer. */

static void say_point(struct answer *s, uint32_t line, uint32_t value)
{
	sentence_add(&s->text, "%s with ",
		     METRIC_TEXT(s->curve->metric, s->curve->point[line][value].median));
	say_value(s, value);
}

/* The first and last known value of numbers; else those with the least and the most. */
static bool ends_of(const struct curve *curve, uint32_t line, uint32_t *from, uint32_t *to)
{
	const struct curve_point *point = curve->point[line];
	bool found = false;

	for (uint32_t v = 0; v < curve->n_values; v++) {
		double median = point[v].median;

		if (isnan(median))
			continue;
		if (!found || (!curve->numeric && median < point[*from].median))
			*from = v;
		if (!found || curve->numeric || median > point[*to].median)
			*to = v;
		found = true;
	}
	return found;
}

/* Trials that overlap give no ratio: chance may have made it. */
static void say_times(struct answer *s, const struct curve_point *a, const struct curve_point *b)
{
	const struct curve_point *less = a->median < b->median ? a : b;
	const struct curve_point *more = a->median < b->median ? b : a;
	const uint8_t unit = metric_table[s->curve->metric].unit;
	const bool much = unit == METRIC_KIB || unit == METRIC_PERCENT;

	if (less->most < more->least)
		sentence_add(&s->text, ": %s%s times as %s", more == a ? "the former " : "",
			     CLAIM_TIMES(more->median / less->median), much ? "much" : "long");
}

static void say_each(struct answer *s)
{
	const size_t begin = s->text.used;

	for (uint32_t line = 0; line < s->curve->n_lines; line++) {
		uint32_t from = 0, to = 0;

		if (!ends_of(s->curve, line, &from, &to))
			continue;
		sentence_add(&s->text, s->text.used > begin ? "; " : "");
		say_name(s, (int)line);
		sentence_add(&s->text, ": ");
		say_point(s, line, from);
		if (from == to)
			continue;
		sentence_add(&s->text, ", ");
		say_point(s, line, to);
		if (s->curve->n_lines == 1)
			say_times(s, &s->curve->point[line][from], &s->curve->point[line][to]);
	}
	sentence_add(&s->text, s->text.used > begin
				       ? "."
				       : "Measuring: the first trial is not complete yet.");
}

/* Leads that are real, then the other values; without one the leads so far. */
static void say_found(struct answer *s)
{
	bool real = has(s->curve, FINDING_REAL), few = has(s->curve, FINDING_FEW);

	if (real || !few)
		say_leads(s, FINDING_REAL);
	else
		sentence_add(&s->text, "So far ");
	if (!real && few)
		say_leads(s, FINDING_FEW);
	say_others(s, FINDING_SHARED, "none leads");
	say_others(s, FINDING_NONE, "at most");
	if (real && few)
		say_others(s, FINDING_FEW, "not decided");
	sentence_add(&s->text, ".");
	if (few)
		verdict_progress(&s->text, &s->curve->progress);
}

static void say_all(struct answer *s)
{
	bool medians = has(s->curve, FINDING_MEDIANS);

	if (medians) {
		sentence_add(&s->text, "By the medians ");
		say_leads(s, FINDING_MEDIANS);
		sentence_add(&s->text, ": recordings apart, no interval.");
	} else if (!has(s->curve, FINDING_FEW) && !has(s->curve, FINDING_NONE) &&
		   !has(s->curve, FINDING_SHARED) && !has(s->curve, FINDING_REAL)) {
		sentence_add(&s->text, "Measuring: no value has two models' trials yet.");
		return;
	} else {
		say_found(s);
	}
	if (s->curve->numeric)
		say_where_they_cross(s);
}

char *curve_answer(const struct curve *curve, char *buf, size_t size)
{
	struct answer s = {.text = {buf, size, 0}, .curve = curve};

	if (size == 0)
		return buf;
	buf[0] = '\0';
	if (*curve->work)
		sentence_add(&s.text, "%s: ", curve->work);
	s.begin = s.text.used;
	if (curve->n_lines < 2 || !metric_is(curve->metric, METRIC_MORE_IS_WORSE))
		say_each(&s);
	else
		say_all(&s);
	return buf;
}
