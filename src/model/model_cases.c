/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "core/comparison.h"

const struct variable *model_swept(const struct sample_case *config)
{
	const struct variables *variables = &config->variables;

	for (uint32_t i = 0; i < variables->n; i++)
		if (comparison_swept(&variables->list[i]) && !isnan(variables->list[i].number))
			return &variables->list[i];
	return NULL;
}

const char *model_work(const struct sample_case *config)
{
	const struct variable *work = comparison_work(config);

	if (work)
		return work->value;
	return "";
}

bool model_sweeps(const struct model *model)
{
	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct variables *variables = &model->cases[i].variables;

		for (uint32_t j = 0; j < variables->n; j++)
			if (comparison_swept(&variables->list[j]) ||
			    comparison_work(&model->cases[i]))
				return true;
	}
	return false;
}

static bool begins_curve(const struct model *model, uint32_t case_id)
{
	return model_swept(&model->cases[case_id]) &&
	       model_first(model, case_id, comparison_same_curve) == case_id;
}

bool model_next_two(const struct model *model, uint32_t *a, uint32_t *b)
{
	if (++*b >= model->n_cases)
		*b = ++*a + 1;
	return *b < model->n_cases;
}

bool model_next_curves(const struct model *model, uint32_t *a, uint32_t *b)
{
	while (model_next_two(model, a, b))
		if (begins_curve(model, *a) && begins_curve(model, *b) &&
		    model_origin(model, *a) == model_origin(model, *b) &&
		    comparison_alike(&model->cases[*a], &model->cases[*b]))
			return true;
	return false;
}

/* These models have the same identity (hue and shape) in every session. */
static const char *const cases_kinds[] = {"threads", "processes", "hybrid",
					  "pool",    "prefork",	  "events"};

/*
 * Number of these models whose identities are reserved. If a session has any of these models, other
 * models get the reserved identities of absent models only when no others are left.
 */
enum { CASES_RESERVED = 3, CASES_KINDS = LENGTH(cases_kinds) };

/*
 * Index of the model in cases_kinds; CASES_KINDS if it is not there. "threads#2" and "threads
 * @lab7" count as "threads".
 */
static uint32_t model_kind(const struct sample_case *config)
{
	uint32_t kind = 0;

	for (; kind < CASES_KINDS; kind++) {
		size_t n = strlen(cases_kinds[kind]);

		if (strncmp(config->model, cases_kinds[kind], n) == 0 &&
		    (unsigned char)config->model[n] < 'A')
			break;
	}
	return kind;
}

static bool is_no_structure(const struct variable *variable)
{
	return !comparison_structure(variable);
}

bool model_same_identity(const struct sample_case *a, const struct sample_case *b)
{
	return strcmp(a->model, b->model) == 0 &&
	       variables_equal_but(&a->variables, &b->variables, is_no_structure);
}

uint32_t model_identity(const struct model *model, uint32_t case_id)
{
	uint32_t first = model_first(model, case_id, model_same_identity), before = 0, n = 0;
	uint32_t free[MODEL_IDENTITIES], owner[CASES_KINDS + 1]; /* for each kind, its first case */
	bool none = true;

	for (uint32_t kind = 0; kind <= CASES_KINDS; kind++)
		owner[kind] = UINT32_MAX;
	for (uint32_t i = model->n_cases; i-- > 0;)
		owner[model_kind(&model->cases[i])] = i;
	owner[CASES_KINDS] = UINT32_MAX;
	for (uint32_t kind = 0; kind < CASES_KINDS; kind++) {
		none &= kind >= CASES_RESERVED || owner[kind] == UINT32_MAX;
		if (owner[kind] == first)
			return kind;
	}
	for (uint32_t i = 0; i < first; i++)
		before += model_first(model, i, model_same_identity) == i &&
			  owner[model_kind(&model->cases[i])] != i;
	/*
	 * First use the identities that are not reserved, because readers would take an absent
	 * model's hue as a sign of that model.
	 */
	for (uint32_t i = none ? 0 : CASES_RESERVED; i < MODEL_IDENTITIES; i++)
		if (i >= CASES_KINDS || owner[i] == UINT32_MAX)
			free[n++] = i;
	for (uint32_t kind = 0; kind < CASES_RESERVED && !none; kind++)
		if (owner[kind] == UINT32_MAX)
			free[n++] = kind;
	return free[before % n];
}

static void widen_range(bool first, int64_t value, int64_t *least, int64_t *most)
{
	if (first || value < *least)
		*least = value;
	if (first || value > *most)
		*most = value;
}

int model_fault_read(const struct model *model, uint32_t case_id, struct model_fault *out)
{
	double *noticed = calloc(model->n_runs + 1, sizeof(*noticed));

	*out = (struct model_fault) {.workers = plan_leaves(&model->cases[case_id].plan),
				     .least = -1,
				     .most = -1,
				     .noticed_ns = NAN,
				     .noticed_most_ns = NAN};
	if (!noticed)
		return -ENOMEM;
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		const struct sample_totals *totals = &run->totals;
		const int64_t wrong = MAX(totals->wrong_results, 0);
		const bool first = out->trials == 0;

		if (run->id.case_id != case_id || run->id.trial == 0 || !model_ended(model, run) ||
		    model_is_replaced(model, run) || totals->status != SAMPLE_OK ||
		    !totals->fault || totals->survived < 0)
			continue;
		widen_range(first, totals->survived, &out->least, &out->most);
		widen_range(first, totals->wrong_results, &out->wrong_least, &out->wrong_most);
		widen_range(first, out->workers - totals->survived - wrong, &out->lost_least,
			    &out->lost_most);
		out->kind = (enum fault_kind)totals->fault;
		out->left |= totals->left;
		out->trials++;
		if (totals->noticed_ns >= 0)
			noticed[out->noticed++] = (double)totals->noticed_ns;
	}
	if (out->noticed > 0) {
		out->noticed_most_ns = stats_select(noticed, out->noticed, 1);
		out->noticed_ns = stats_select(noticed, out->noticed, 0.5);
	}
	free(noticed);
	return 0;
}

bool model_same_program(const struct model *model)
{
	for (uint32_t i = 1; i < model->n_cases; i++)
		if (strcmp(model->cases[i].command, model->cases[0].command) != 0)
			return false;
	return true;
}
