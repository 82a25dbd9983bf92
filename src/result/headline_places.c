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

/* "24 to 31 us", "0.9 us to 3 ms", or "0.10 us" if both ends are printed alike. */
static const char *reach_text(const struct answer *answer, const struct reach *reach, char buf[128])
{
	const char *low = MEDIAN_TEXT(answer, reach->low), *high = MEDIAN_TEXT(answer, reach->high);
	struct sentence s = sentence_in(buf, 128);
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
#define REACH_TEXT(answer, reach) reach_text(answer, reach, (char[128]) {0})

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

/* Reads the costs of a model; NULL: of all models. Returns false if a cost is unknown. */
static bool places_read(struct places *places, const struct answer *answer,
			const struct model *model, const char *name)
{
	*places = (struct places) {.same = {NULL, NULL}};
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];

		if (answer->metrics[0] != METRIC_OPERATION || isnan(row->cells[0].median) ||
		    (name && strcmp(model->cases[row->case_id].model, name) != 0))
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

	if (!places_read(&places, answer, model, model->cases[0].model))
		return false;
	FILL(headline_list(s),
	     N_("{a} {same}{what} on the same core, {two} on two, {memory} by shared memory on "
		"two"),
	     {"a", model->cases[0].model}, {"same", REACH_TEXT(answer, &places.same)},
	     {"what", SUFFIX_OF(model, METRIC_OPERATION)}, {"two", REACH_TEXT(answer, &places.two)},
	     {"memory", REACH_TEXT(answer, &places.memory)});
	return true;
}

bool headline_places_so_far(struct sentence *s, const struct answer *answer,
			    const struct model *model)
{
	struct places places;

	if (!places_read(&places, answer, model, NULL))
		return false;
	FILL(s,
	     N_("So far a round trip takes {same} on one core, {two} on two; by shared memory on "
		"two {memory}; no winner yet"),
	     {"same", REACH_TEXT(answer, &places.same)}, {"two", REACH_TEXT(answer, &places.two)},
	     {"memory", REACH_TEXT(answer, &places.memory)});
	return true;
}
