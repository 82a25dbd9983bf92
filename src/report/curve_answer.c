/* SPDX-License-Identifier: MIT */
#include "report/curve.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Of the crossovers so many are named. */
enum { NAMED = 3 };

/* The text being written; what does not fit is left out. */
struct answer {
	const struct curve *curve;
	char *buf;
	size_t size, used;
	size_t begin; /* of the first sentence */
	bool named;   /* the variable's name has been said */
};

__attribute__((format(printf, 2, 3))) static void say(struct answer *s, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(s->buf + s->used, s->size - s->used, format, args);
	va_end(args);
	if (n > 0)
		s->used += (size_t)n < s->size - s->used ? (size_t)n : s->size - s->used - 1;
}

static void say_name(struct answer *s, int line)
{
	size_t start = s->used;

	say(s, "%s", s->curve->line[line].name);
	if (start == s->begin)
		s->buf[start] = (char)toupper((unsigned char)s->buf[start]);
}

static void say_value(struct answer *s, uint32_t value)
{
	say(s, "%s%s%s", s->named ? "" : s->curve->name, s->named ? "" : "=",
	    s->curve->value[value].text);
	s->named = true;
}

/* Values that follow one another with the same leader. */
struct stretch {
	enum curve_standing standing;
	int line;
	uint32_t first, last;
};

static bool stretch_goes_on(const struct stretch *stretch, const struct curve_lead *lead)
{
	if (lead->standing != stretch->standing)
		return false;
	return lead->standing == CURVE_UNKNOWN || lead->standing == CURVE_NONE ||
	       lead->line == stretch->line;
}

/* The one that begins at a value, which is one of the curve's. */
static struct stretch stretch_at(const struct curve *curve, uint32_t first)
{
	struct stretch stretch = {curve->lead[first].standing, curve->lead[first].line, first,
				  first};

	while (stretch.last + 1 < curve->n_values &&
	       stretch_goes_on(&stretch, &curve->lead[stretch.last + 1]))
		stretch.last++;
	return stretch;
}

/* " tree=5000, 50x99 and 20x3x82" */
static void say_list(struct answer *s, const struct stretch *stretch)
{
	for (uint32_t v = stretch->first; v <= stretch->last; v++) {
		say(s, v == stretch->first ? " with " : v == stretch->last ? " and " : ", ");
		say_value(s, v);
	}
}

static void say_range(struct answer *s, const struct stretch *stretch)
{
	uint32_t end = s->curve->n_values - 1;

	if (stretch->first == 0 && stretch->last == end) {
		say(s, " at every value of %s", s->curve->name);
	} else if (!s->curve->numeric) {
		say_list(s, stretch);
	} else if (stretch->first == stretch->last) {
		say(s, " at ");
		say_value(s, stretch->first);
	} else if (stretch->first == 0) {
		say(s, " up to ");
		say_value(s, stretch->last);
	} else {
		say(s, " from ");
		say_value(s, stretch->first);
		say(s, stretch->last == end ? " on" : " to ");
		if (stretch->last != end)
			say_value(s, stretch->last);
	}
}

static void say_verb(struct answer *s, int line)
{
	static const char *const verbs[METRICS][2] = {
		[METRIC_ELAPSED] = {"lead", "leads"},
		[METRIC_CPU] = {"need the least CPU time", "needs the least CPU time"},
		[METRIC_MEMORY] = {"take the least memory", "takes the least memory"},
		[METRIC_CREATE] = {"are created fastest", "is created fastest"},
	};
	bool one = strncmp(s->curve->line[line].name, "hybrid", 6) == 0;

	say(s, " %s", verbs[s->curve->metric][one]);
}

static void say_leads(struct answer *s)
{
	int before = -1;

	for (uint32_t v = 0; v < s->curve->n_values;) {
		struct stretch stretch = stretch_at(s->curve, v);

		v = stretch.last + 1;
		if (stretch.standing == CURVE_UNKNOWN || stretch.standing == CURVE_NONE)
			continue;
		say(s, before < 0 ? "" : stretch.line == before ? "," : ", ");
		if (stretch.line != before)
			say_name(s, stretch.line);
		if (before < 0)
			say_verb(s, stretch.line);
		say_range(s, &stretch);
		before = stretch.line;
	}
}

static void say_no_difference(struct answer *s)
{
	bool first = true;

	for (uint32_t v = 0; v < s->curve->n_values;) {
		struct stretch stretch = stretch_at(s->curve, v);

		v = stretch.last + 1;
		if (stretch.standing != CURVE_NONE)
			continue;
		if (s->used == s->begin)
			say(s, "No difference found");
		else
			say(s, first ? "; no difference found" : ",");
		say_range(s, &stretch);
		first = false;
	}
}

static bool has_standing(const struct curve *curve, enum curve_standing standing)
{
	for (uint32_t v = 0; v < curve->n_values; v++)
		if (curve->lead[v].standing == standing)
			return true;
	return false;
}

/* Crossovers */

static void say_cross(struct answer *s, const struct curve_cross *cross)
{
	char at[32];

	curve_format_number(at, sizeof(at), s->curve, cross->at);
	say(s, " at about %s", at);
	if (cross->from >= 0)
		say(s, " (between %s and %s)", s->curve->value[cross->from].text,
		    s->curve->value[cross->to].text);
}

static void say_pair(struct answer *s, const struct curve_cross *cross)
{
	if (s->curve->n_lines == 2) {
		say(s, cross->from >= 0 ? " They cross" : " The medians cross");
		return;
	}
	say(s, " %c%s", toupper((unsigned char)s->curve->line[cross->a].name[0]),
	    s->curve->line[cross->a].name + 1);
	say(s, " and %s cross", s->curve->line[cross->b].name);
}

static bool same_pair(const struct curve_cross *a, const struct curve_cross *b)
{
	return (a->a == b->a && a->b == b->b) || (a->a == b->b && a->b == b->a);
}

/* Those of one kind: real ones, or such as may be chance. Returns how many there are. */
static uint32_t say_crosses(struct answer *s, bool real)
{
	const struct curve_cross *last = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->curve->n_crosses; i++) {
		const struct curve_cross *cross = &s->curve->cross[i];

		if ((cross->from >= 0) != real || n++ >= NAMED)
			continue;
		if (last && same_pair(last, cross)) {
			say(s, " and");
		} else {
			say(s, last ? "." : "");
			say_pair(s, cross);
		}
		say_cross(s, cross);
		last = cross;
	}
	if (n > NAMED)
		say(s, " and %u more cross", n - NAMED);
	return n;
}

static void say_where_they_cross(struct answer *s)
{
	if (say_crosses(s, true))
		say(s, ".");
	else if (has_standing(s->curve, CURVE_APART))
		say(s, " No crossover found within a recording.");
	else if (!say_crosses(s, false))
		say(s, " No crossover found.");
	else if (has_standing(s->curve, CURVE_FEW))
		say(s, "; no interval yet.");
	else
		say(s, ", which may be chance: no crossover shown.");
}

/* A single line has nobody to lead: what it does over the values is the answer. */

static void say_point(struct answer *s, uint32_t value)
{
	char text[32];

	metric_format(text, sizeof(text), s->curve->metric, s->curve->point[0][value].median,
		      false);
	say(s, "%s with ", text);
	say_value(s, value);
}

/* Of numbers the first and the last that are known; else those with the least and the most. */
static bool ends_of(const struct curve *curve, uint32_t *from, uint32_t *to)
{
	bool found = false;

	for (uint32_t v = 0; v < curve->n_values; v++) {
		double median = curve->point[0][v].median;

		if (isnan(median))
			continue;
		if (!found || (!curve->numeric && median < curve->point[0][*from].median))
			*from = v;
		if (!found || curve->numeric || median > curve->point[0][*to].median)
			*to = v;
		found = true;
	}
	return found;
}

static void say_alone(struct answer *s)
{
	uint32_t from = 0, to = 0;
	double times;

	if (s->curve->n_lines == 0 || !ends_of(s->curve, &from, &to)) {
		say(s, "Measuring: the first trial is not complete yet.");
		return;
	}
	say_name(s, 0);
	say(s, ": ");
	say_point(s, from);
	if (from != to) {
		say(s, ", ");
		say_point(s, to);
		times = s->curve->point[0][to].median / s->curve->point[0][from].median;
		say(s, ": %.2f times as %s", times,
		    metric_table[s->curve->metric].unit == METRIC_KIB ? "much" : "long");
	}
	say(s, ".");
}

static void say_all(struct answer *s)
{
	bool few = has_standing(s->curve, CURVE_FEW), real = has_standing(s->curve, CURVE_REAL);
	bool apart = has_standing(s->curve, CURVE_APART);

	if (!few && !real && !apart && !has_standing(s->curve, CURVE_NONE)) {
		say(s, "Measuring: no value has two models' trials yet.");
		return;
	}
	if (apart)
		say(s, "By the medians ");
	else if (few)
		say(s, "So far ");
	say_leads(s);
	say_no_difference(s);
	if (apart)
		say(s, ": recordings apart, no interval");
	else if (few)
		say(s, ": too few pairs to call it real (%d needed)", STATS_LEAST_PAIRS);
	say(s, ".");
	if (s->curve->numeric)
		say_where_they_cross(s);
}

char *curve_answer(const struct curve *curve, char *buf, size_t size)
{
	struct answer s = {.curve = curve, .buf = buf, .size = size};

	if (size == 0)
		return buf;
	buf[0] = '\0';
	if (*curve->work)
		say(&s, "%s: ", curve->work);
	s.begin = s.used;
	if (curve->n_lines < 2)
		say_alone(&s);
	else
		say_all(&s);
	return buf;
}
