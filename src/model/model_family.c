/* SPDX-License-Identifier: MIT */
#include "model_family.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/comparison.h"
#include "model/model_latency.h"
#include "model/model_fault.h"
#include "model/model_sweep.h"
#include "model_series.h"

/* Which pairs */

/* The pairs of n cases from the first on, added to those there are. */
static void add_pairs(struct model_families *families, const struct model *model, uint32_t first,
		      uint32_t n)
{
	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = a + 1; b < n; b++)
			if (comparison_made(&model->cases[first], n, a, b))
				families->pairs[families->n_pairs++] =
					(struct model_pair) {first + a, first + b};
}

/* Where the planned trials are too few for all headline metrics, the first one has the error. */
static uint32_t count_shared(const struct model *model, uint32_t planned, uint32_t pairs)
{
	enum model_metric metrics[LOOKS_METRICS_MOST];
	uint32_t n = model_headlines(model, metrics);

	return looks_least(LOOKS_ERROR, n * pairs > 0 ? n * pairs : 1) <= planned ? n : 1;
}

static int add_part(struct model_families *families, const struct model *model,
		    const struct model_origin *origin)
{
	const struct sample_session *session = origin ? &origin->session : &model->session;
	uint32_t first = origin ? origin->first_case : 0;
	struct model_part *part = &families->parts[families->n_parts++];
	uint32_t planned = session->trials > 0 ? session->trials : 1;
	uint32_t n = origin ? origin->n_cases : model->n_cases;
	int err = 0;

	part->first = families->n_pairs;
	add_pairs(families, model, first, n);
	part->n = families->n_pairs - part->first;
	part->shared = count_shared(model, planned, part->n);
	for (int i = 0; i < MODEL_SHARES && !err; i++)
		err = family_make(&part->families[i], LOOKS_ERROR, planned,
				  part->n * (i == MODEL_HEADLINES ? part->shared : 1));
	return err;
}

struct model_families *model_families_make(const struct model *model)
{
	struct model_families *families = calloc(1, sizeof(*families));
	size_t most = (size_t)model->n_cases * model->n_cases / 2 + 1;
	int err;

	if (!families)
		return NULL;
	families->pairs = calloc(most, sizeof(*families->pairs));
	families->parts = calloc(model->n_origins + 1, sizeof(*families->parts));
	err = families->pairs && families->parts ? 0 : -ENOMEM;
	if (!err && model->n_origins == 0)
		err = add_part(families, model, NULL);
	for (uint32_t i = 0; i < model->n_origins && !err; i++)
		err = add_part(families, model, &model->origins[i]);
	if (!err)
		return families;
	model_families_free(families);
	return NULL;
}

void model_families_free(struct model_families *families)
{
	if (!families)
		return;
	for (uint32_t i = 0; i < families->n_parts; i++)
		for (int share = 0; share < MODEL_SHARES; share++)
			family_free(&families->parts[i].families[share]);
	for (int i = 0; i < METRICS; i++) {
		free(families->of[i].members);
		free(families->of[i].found);
	}
	free(families->parts);
	free(families->pairs);
	free(families);
}

/* What was found of them */

/* Whether trial number `last`, the last planned one, of the case has ended, however it did. */
static bool has_ended(const struct model *model, uint32_t case_id, uint32_t last)
{
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (run->id.case_id == case_id && run->id.trial >= last && model_ended(model, run))
			return true;
	}
	return false;
}

/* How many of the trials, in ascending order, were planned: up to number `last`. */
static uint32_t count_planned(const struct model_series *series, uint32_t last)
{
	uint32_t n = 0;

	while (n < series->n && series->trials[n] <= last)
		n++;
	return n;
}

/*
 * The trial that goes on, of which not all cases have ended: 0: there is none. It may yet be found
 * crowded, so that no look has its pairs before.
 */
static uint32_t open_trial(const struct model *model)
{
	const struct model_run *newest = model_newest(model);
	uint32_t ended = 0;

	if (!newest || model_over(model) || model->n_origins > 0)
		return 0;
	for (size_t i = 0; i < model->n_runs; i++)
		ended += model->runs[i].id.trial == newest->id.trial &&
			 model_ended(model, &model->runs[i]);
	return ended < model->n_cases ? newest->id.trial : 0;
}

/* Parts of a path may be 0 in one of two models: they have differences. */
static int read_values(const struct model_series two[2], enum model_metric metric, uint32_t pairs,
		       double *out)
{
	if (metric_is(metric, METRIC_OF_PATH))
		return stats_differences(two[0].values, two[1].values, pairs, out);
	return stats_log_ratios(two[0].values, two[1].values, pairs, out);
}

/* Reads a pair; the log ratios of its member are to be freed, also after an error. */
static int read_pair(const struct model *model, const struct model_pair *pair,
		     enum model_metric metric, struct model_found *found,
		     struct family_member *member)
{
	/* A trial that was replaced is no look, and the one in its place is not beyond the plan. */
	uint32_t last = found->family->planned + model_replaced(model, pair->a);
	uint32_t open = open_trial(model);
	struct model_series two[2];
	int err = model_series_read(two, model, pair->a, pair->b, metric);
	double *ratios;

	found->pairs = err ? 0 : (uint32_t)model_series_pair(two);
	if (found->pairs > 0 && open > 0 && two[0].trials[found->pairs - 1] == open)
		two[0].n = two[1].n = --found->pairs;
	found->ended = (open == 0 || open > last) && has_ended(model, pair->a, last) &&
		       has_ended(model, pair->b, last);
	ratios = calloc(found->pairs + 1, sizeof(*ratios));
	*member = (struct family_member) {ratios};
	/* where a value is 0 nothing is known of any ratio */
	if (ratios && !read_values(two, metric, found->pairs, ratios)) {
		member->n = found->pairs;
		member->end = found->ended ? count_planned(&two[0], last) : 0;
	}
	found->no_ratio = found->pairs > member->n;
	found->end = member->end;
	model_series_free(two);
	return ratios ? err : -ENOMEM;
}

static void forget_ratios(struct family_member *member)
{
	free((double *)member->differences);
	member->differences = NULL;
}

/* Reads the metrics, which share a family, of all pairs of the part. */
static int read_part(struct model_part *part, const struct model *model,
		     const enum model_metric *metrics, uint32_t n, struct family *shared)
{
	struct model_families *families = model->families;
	struct family_member *members = calloc((size_t)n * part->n + 1, sizeof(*members));
	uint32_t done = 0;
	int err = members ? 0 : -ENOMEM;

	for (; done < n * part->n && !err; done++) {
		uint32_t pair = part->first + done % part->n;
		enum model_metric metric = metrics[done / part->n];
		struct model_found *found = &families->of[metric].found[pair];

		*found = (struct model_found) {.family = shared};
		err = read_pair(model, &families->pairs[pair], metric, found, &members[done]);
	}
	if (!err)
		err = family_read(shared, members);
	while (done-- > 0) {
		uint32_t pair = part->first + done % part->n;
		struct model_family *of = &families->of[metrics[done / part->n]];

		forget_ratios(&members[done]);
		of->members[pair] = members[done];
		of->found[pair].level = err ? NAN : family_level(shared, &members[done]);
		if (!err)
			of->found[pair].looks = looks_plan(shared->error, shared->planned,
							   shared->size, members[done].left);
	}
	free(members);
	return err;
}

static bool make_room(struct model_families *families, enum model_metric metric)
{
	struct model_family *family = &families->of[metric];

	if (!family->members)
		family->members = calloc(families->n_pairs + 1, sizeof(*family->members));
	if (!family->found)
		family->found = calloc(families->n_pairs + 1, sizeof(*family->found));
	return family->members && family->found;
}

/* The metric's family as of now; NULL without memory. */
static struct model_family *read_family(const struct model *model, enum model_metric metric)
{
	struct model_families *families = model->families;
	struct model_family *family = &families->of[metric];
	enum model_metric metrics[LOOKS_METRICS_MOST];
	uint32_t ended = model_runs_ended(model), n = model_headlines(model, metrics);
	bool valid = make_room(families, metric), together = true;

	if (family->valid && family->ended == ended)
		return family;
	for (uint32_t i = 0; i < n; i++)
		valid &= make_room(families, metrics[i]);
	for (uint32_t i = 0; i < families->n_parts && valid; i++) {
		struct model_part *part = &families->parts[i];
		uint32_t at = 0;

		while (at < part->shared && metrics[at] != metric)
			at++;
		together &= at < part->shared && part->shared == n;
		if (at < part->shared)
			valid = read_part(part, model, metrics, part->shared,
					  &part->families[MODEL_HEADLINES]) == 0;
		else
			valid = read_part(part, model, &metric, 1, &part->families[MODEL_OTHERS]) ==
				0;
	}
	for (uint32_t i = 0; i < n && together; i++)
		families->of[metrics[i]].valid = valid, families->of[metrics[i]].ended = ended;
	family->valid = valid;
	family->ended = ended;
	return valid ? family : NULL;
}

static int compare_pairs(const void *left, const void *right)
{
	const struct model_pair *a = left, *b = right;

	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return (a->b > b->b) - (a->b < b->b);
}

/* An interval takes time in the square of the trials: only what is asked for has one. */
static int read_ratio(const struct model *model, const struct model_pair *pair,
		      enum model_metric metric, struct model_found *found,
		      const struct family_member *member)
{
	struct family_member read;
	int err = read_pair(model, pair, metric, found, &read);

	read.left = member->left;
	if (!err)
		err = (metric_is(metric, METRIC_OF_PATH) ? family_difference : family_ratio)(
			found->family, &read, &found->ratio);
	forget_ratios(&read);
	found->has_ratio = !err;
	return err;
}

static const struct model_pair *find_pair(const struct model_families *families, uint32_t a,
					  uint32_t b)
{
	const struct model_pair key = {a, b};

	return bsearch(&key, families->pairs, families->n_pairs, sizeof(key), compare_pairs);
}

bool model_compares(const struct model *model, uint32_t a, uint32_t b)
{
	return model->families && !model_has_faults(model) &&
	       find_pair(model->families, a < b ? a : b, a < b ? b : a);
}

int model_family_find(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		      const struct model_found **found)
{
	const struct model_families *families = model->families;
	const struct model_pair *pair;
	struct model_family *family;
	size_t i;

	*found = NULL;
	pair = families ? find_pair(families, a, b) : NULL;
	if (!pair)
		return families ? 0 : -ENOMEM;
	family = read_family(model, metric);
	if (!family)
		return -ENOMEM;
	i = (size_t)(pair - families->pairs);
	*found = &family->found[i];
	return family->found[i].has_ratio
		       ? 0
		       : read_ratio(model, pair, metric, &family->found[i], &family->members[i]);
}
