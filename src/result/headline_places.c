/* SPDX-License-Identifier: MIT */
#include "headline_sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "result/report.h"

/* What a round trip costs where its two workers are on one core and on two. */

void headline_places_reach(struct reach *reach, const struct answer_row *row)
{
	if (!reach->low || row->cells[0].median < reach->low->cells[0].median)
		reach->low = row;
	if (!reach->high || row->cells[0].median > reach->high->cells[0].median)
		reach->high = row;
}

const char *headline_places_text(const struct answer *answer, const struct reach *reach,
				 char buf[PLACES_TEXT])
{
	const char *low = MEDIAN_TEXT(answer, reach->low), *high = MEDIAN_TEXT(answer, reach->high);
	struct sentence s = sentence_in(buf, PLACES_TEXT);
	char first[48];

	if (strcmp(low, high) == 0) {
		sentence_add(&s, "%s", low);
		return buf;
	}
	snprintf(first, sizeof(first), "%s", low);
	/* A unit that both have is written once. */
	if (strcmp(low + strcspn(low, " "), high + strcspn(high, " ")) == 0)
		first[strcspn(first, " ")] = '\0';
	FILL(&s, N_("{low} to {high}"), {"low", first}, {"high", high});
	return buf;
}

static bool has_setting(const struct model *model, uint32_t case_id, const char *name,
			const char *value)
{
	const struct variable *found = variables_find(&model->cases[case_id].variables, name);

	return found && strcmp(found->value, value) == 0;
}

/* The costs of two workers that exchange messages on one core and on two. */
struct places {
	struct reach same, two, memory; /* memory: by shared memory on two cores */
};

/* Reads the costs of all models. Returns false if a cost is unknown. */
static bool places_read(struct places *places, const struct answer *answer,
			const struct model *model)
{
	*places = (struct places) {.same = {NULL, NULL}};
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];

		if (answer->metrics[0] != METRIC_OPERATION || isnan(row->cells[0].median))
			continue;
		if (has_setting(model, row->case_id, "cores", "same"))
			headline_places_reach(&places->same, row);
		else if (!has_setting(model, row->case_id, "cores", "two"))
			return false;
		else if (has_setting(model, row->case_id, "via", "memory"))
			headline_places_reach(&places->memory, row);
		else
			headline_places_reach(&places->two, row);
	}
	return places->same.low && places->two.low && places->memory.low;
}

bool headline_places(struct sentence *s, const struct answer *answer, const struct model *model)
{
	struct places places;

	if (!places_read(&places, answer, model))
		return false;
	FILL(headline_list(s), N_("{same} on one core, {two} on two, {memory} by shared memory"),
	     {"same", REACH_TEXT(answer, &places.same)}, {"two", REACH_TEXT(answer, &places.two)},
	     {"memory", REACH_TEXT(answer, &places.memory)});
	return true;
}

char *headline_place(const struct answer *answer, const struct model *model, uint32_t case_id,
		     char *buf, size_t size)
{
	struct places places;

	*buf = '\0';
	if (!places_read(&places, answer, model))
		return buf;
	if (has_setting(model, case_id, "cores", "same"))
		snprintf(buf, size, "%s", REACH_TEXT(answer, &places.same));
	else
		snprintf(buf, size, "%s, %s by shared memory", REACH_TEXT(answer, &places.two),
			 REACH_TEXT(answer, &places.memory));
	return buf;
}

/* Of the comparisons that have a ratio so far. near: less than MODEL_MARGIN apart. */
struct ratios_so_far {
	uint32_t all, near;
};

static struct ratios_so_far count_ratios(const struct answer *answer, const struct model *model)
{
	struct ratios_so_far count = {0, 0};

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const double ratio = answer->rows[i].cells[0].ratio.estimate;

		if (isnan(ratio) || !answer_compares_models(model, &answer->rows[i]))
			continue;
		count.all++;
		count.near += fmax(ratio, 1 / ratio) < MODEL_MARGIN;
	}
	return count;
}

bool headline_places_so_far(struct sentence *s, const struct answer *answer,
			    const struct model *model)
{
	const struct ratios_so_far count = count_ratios(answer, model);
	struct places places;

	if (!places_read(&places, answer, model))
		return false;
	FILL(s,
	     N_("So far no winner in {all} comparisons; {same} on one core, {two} on two, {memory} "
		"by shared memory; {n} within 5 %"),
	     {"same", REACH_TEXT(answer, &places.same)}, {"two", REACH_TEXT(answer, &places.two)},
	     {"memory", REACH_TEXT(answer, &places.memory)}, {"n", NUMBER(count.near)},
	     {"all", NUMBER(count.all)});
	return true;
}
