/* SPDX-License-Identifier: MIT */
#include "headline_sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

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
	/* If both texts have the same unit, write it once. */
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
	/* How many times as long it takes on two cores as on one, except by shared memory. */
	double least, most;
};

/* The row on one core of the model and the way of a row; NULL if there is none. */
static const struct answer_row *row_on_one_core(const struct answer *answer,
						const struct model *model,
						const struct answer_row *row)
{
	const struct sample_case *of = &model->cases[row->case_id];
	const struct variable *via = variables_find(&of->variables, "via");

	for (uint32_t i = 0; via && i < answer->n_rows; i++) {
		const uint32_t other = answer->rows[i].case_id;

		if (has_setting(model, other, "cores", "same") &&
		    has_setting(model, other, "via", via->value) &&
		    strcmp(model->cases[other].model, of->model) == 0)
			return &answer->rows[i];
	}
	return NULL;
}

/* The fewest trials from which the costs on two cores are divided by those on one. */
enum { PLACES_LEAST = 3 };

/* Reads the costs of all models. Returns false if a cost is unknown. */
static bool places_read(struct places *places, const struct answer *answer,
			const struct model *model)
{
	const bool few = answer->state == ANSWER_MEASURING && answer->pairs < PLACES_LEAST;

	*places = (struct places) {.least = NAN, .most = NAN};
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i], *one;
		double times;

		if (answer->metrics[0] != METRIC_OPERATION || isnan(row->cells[0].median))
			continue;
		if (has_setting(model, row->case_id, "cores", "same")) {
			headline_places_reach(&places->same, row);
			continue;
		}
		if (!has_setting(model, row->case_id, "cores", "two"))
			return false;
		if (has_setting(model, row->case_id, "via", "memory")) {
			headline_places_reach(&places->memory, row);
			continue;
		}
		headline_places_reach(&places->two, row);
		one = row_on_one_core(answer, model, row);
		if (few || !one)
			continue;
		times = row->cells[0].median / one->cells[0].median;
		places->least = fmin(places->least, times);
		places->most = fmax(places->most, times);
	}
	return places->same.low && places->two.low && places->memory.low;
}

/* "3.6x to 8.2x"; "" if no way was measured at both places, or in too few trials. */
static const char *places_times(const struct places *places, char buf[48])
{
	struct sentence s = sentence_in(buf, 48);
	const struct slot low = {"low", CLAIM_TIMES(places->least)},
			  high = {"high", CLAIM_TIMES(places->most)};

	*buf = '\0';
	if (isnan(places->least))
		return buf;
	if (strcmp(low.text, high.text) == 0)
		FILL(&s, N_("{low}x"), low);
	else
		FILL(&s, N_("{low}x to {high}x"), low, high);
	return buf;
}

/*
 * Adds "round trips take 3.6x to 8.2x as long on two cores as on one, except by shared
 * memory". Until that is known, adds "4 to 8 us on one core, 30 to 34 us on two, 0.10 us by shared
 * memory".
 */
static void add_places(struct sentence *s, const struct answer *answer, const struct places *places)
{
	char times[48];

	if (*places_times(places, times)) {
		FILL(s,
		     N_("round trips take {times} as long on two cores as on one, except by "
			"shared memory"),
		     {"times", times});
		return;
	}
	FILL(s, N_("{same} on one core, {two} on two, {memory} by shared memory"),
	     {"same", REACH_TEXT(answer, &places->same)}, {"two", REACH_TEXT(answer, &places->two)},
	     {"memory", REACH_TEXT(answer, &places->memory)});
}

bool headline_places(struct sentence *s, const struct answer *answer, const struct model *model)
{
	struct places places;

	if (!places_read(&places, answer, model))
		return false;
	add_places(headline_list(s), answer, &places);
	return true;
}

bool headline_place(const struct answer *answer, const struct model *model, uint32_t case_id,
		    struct headline_place *place)
{
	struct places places;

	*place = (struct headline_place) {.cost = ""};
	if (!places_read(&places, answer, model))
		return false;
	if (has_setting(model, case_id, "cores", "same")) {
		snprintf(place->cost, sizeof(place->cost), "%s", REACH_TEXT(answer, &places.same));
		return true;
	}
	places_times(&places, place->times);
	snprintf(place->cost, sizeof(place->cost), "%s", REACH_TEXT(answer, &places.two));
	snprintf(place->memory, sizeof(place->memory), "%s", REACH_TEXT(answer, &places.memory));
	return true;
}

/* The range of a case's trials. */
struct trial_range {
	size_t n;
	double low, high;
};

static struct trial_range trials_read(const struct model *model, uint32_t case_id,
				      enum model_metric metric)
{
	double *values = calloc(model->n_runs + 1, sizeof(*values));
	struct trial_range range = {0, INFINITY, -INFINITY};

	if (values)
		range.n = model_trials(model, case_id, metric, values, NULL, model->n_runs);
	for (size_t i = 0; i < range.n; i++) {
		range.low = fmin(range.low, values[i]);
		range.high = fmax(range.high, values[i]);
	}
	free(values);
	return range;
}

/* By chance, six trials are all above six others in 1 of 924 cases. */
enum { DIFFER_LEAST = 6 };

/*
 * Whether, for each model and way except shared memory, all trials on two cores took longer than
 * all on one, or all took less long. Cases on one core and on two have no pairs.
 */
static bool places_differ(const struct answer *answer, const struct model *model)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i], *one;
		struct trial_range on_one, on_two;

		if (!has_setting(model, row->case_id, "cores", "two") ||
		    has_setting(model, row->case_id, "via", "memory"))
			continue;
		one = row_on_one_core(answer, model, row);
		if (!one)
			continue;
		on_one = trials_read(model, one->case_id, answer->metrics[0]);
		on_two = trials_read(model, row->case_id, answer->metrics[0]);
		if (on_one.n < DIFFER_LEAST || on_two.n < DIFFER_LEAST)
			return false;
		if (on_one.high >= on_two.low && on_two.high >= on_one.low)
			return false;
		n++;
	}
	return n > 0;
}

enum answer_state headline_state(const struct answer *answer, const struct model *model)
{
	struct places places;

	if (answer->state != ANSWER_SAME && answer->state != ANSWER_CLOSE)
		return answer->state;
	if (answer->n_metrics > 0 && answer->metrics[0] == METRIC_OPERATION &&
	    places_read(&places, answer, model) && places_differ(answer, model))
		return ANSWER_REAL;
	return answer->state;
}

/* Whether every comparison of models has enough trials to say that a model is ahead. */
static bool can_be_ahead(const struct answer *answer, const struct model *model)
{
	uint32_t all = 0, enough = 0;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];

		if (!answer_compares_models(model, row))
			continue;
		all++;
		enough += row->cells[0].pairs >= ANSWER_AHEAD_LEAST;
	}
	return all > 0 && enough == all;
}

bool headline_ahead(struct sentence *s, const struct answer *answer, const struct model *model)
{
	const char *text = N_("; {a} ahead at {n} of {all}");
	uint32_t all = 0, n = 0;
	uint32_t *ahead = calloc(answer->n_rows + 1, sizeof(*ahead));

	for (uint32_t i = 0; ahead && i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];
		uint32_t winner;

		if (!answer_compares_models(model, row))
			continue;
		all++;
		winner = answer_ahead(answer, model, row);
		if (winner == UINT32_MAX)
			continue;
		ahead[model_first_alike(model, winner)]++;
		n++;
	}
	for (uint32_t i = 0; ahead && i < answer->n_rows; i++) {
		if (ahead[i] == 0)
			continue;
		FILL(s, text, {"a", model->cases[i].model}, {"n", NUMBER(ahead[i])},
		     {"all", NUMBER(all)});
		text = N_(", {a} at {n}");
	}
	free(ahead);
	return n > 0;
}

bool headline_places_so_far(struct sentence *s, const struct answer *answer,
			    const struct model *model)
{
	struct places places;

	if (!places_read(&places, answer, model))
		return false;
	HEADLINE_ADD(s, N_("So far "));
	add_places(s, answer, &places);
	if (!headline_ahead(s, answer, model) && can_be_ahead(answer, model))
		HEADLINE_ADD(s, N_("; no winner yet"));
	return true;
}
