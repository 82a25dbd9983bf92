/* SPDX-License-Identifier: MIT */
#include "verdict_parts.h"

#include "core/comparison.h"
#include "model/model_sweep.h"
#include "report/report.h"

/* Some case of the finding has another value of it. */
static bool is_varied(const struct model *model, const struct finding *finding,
		      const struct variable *variable)
{
	for (uint32_t i = finding->first; i <= finding->last; i++)
		if (!variables_has(&model->cases[i].variables, variable))
			return true;
	return false;
}

/* "of 4 values of cache and sink": of both together */
static void say_values(struct sentence *s, const struct model *model, const struct finding *finding)
{
	const struct variables *variables = &model->cases[finding->first].variables;
	const struct variable *swept = model_swept(&model->cases[finding->first]);
	uint32_t values = finding->sweep.values, named = 0;

	sentence_add(s, " of %u value%s of ", values, values == 1 ? "" : "s");
	for (uint32_t i = 0; i < variables->n; i++) {
		const struct variable *variable = &variables->list[i];

		if (comparison_swept(variable) && is_varied(model, finding, variable))
			sentence_add(s, "%s%s", named++ ? " and " : "", variable->name);
	}
	if (named == 0)
		sentence_add(s, "%s",
			     swept ? swept->name
				   : comparison_variable(model->cases, model->n_cases));
}

/* "processes take 1.9 to 4.1 times as long", of the others where one leads for real */
static void say_others(struct sentence *s, const struct model *model, const struct finding *finding,
		       uint32_t i)
{
	const struct finding_sweep *sweep = &finding->sweep;
	const struct finding_share *share = &sweep->share[i];
	uint32_t other = sweep->share[i == 0].case_id;

	if (i == 0 && sweep->n_shares == 2)
		sentence_add(s, "%s %s ", model->cases[other].model,
			     verdict_singular(model->cases[other].model) ? "takes" : "take");
	else if (i == 0)
		sentence_add(s, "the others take ");
	sentence_add(s, "%s times%s", CLAIM_TIMES_RANGE(share->low, share->high),
		     i == 0 ? " as long" : "");
}

static void say_share(struct sentence *s, const struct model *model, const struct finding *finding,
		      uint32_t i)
{
	const struct finding_share *share = &finding->sweep.share[i];
	const char *name = model->cases[share->case_id].model;
	bool real = finding->sweep.share->values > 0;

	sentence_add(s, "%s%s", i > 0 ? ", " : "", name);
	if (i == 0 && real)
		sentence_add(s, verdict_singular(name) ? " leads" : " lead");
	else if (i == 0)
		sentence_add(s, " took least pair by pair");
	sentence_add(s, " at %u", real ? share->values : share->led);
	if (i == 0)
		say_values(s, model, finding);
	if (!real)
		return;
	sentence_add(s, i == 0 ? " (real: " : " (");
	say_others(s, model, finding, i);
	sentence_add(s, ")");
}

/* "; at 2 some differ, and none leads (real); at most 3.1 % apart at 1; not decided at 4" */
static void say_rest(struct sentence *s, const struct finding_sweep *sweep)
{
	if (sweep->shared > 0)
		sentence_add(s, "; at %u some differ and none leads (real)", sweep->shared);
	if (sweep->none > 0)
		sentence_add(s, "; at most %s apart at %u", CLAIM_EXCLUDED(sweep->excluded),
			     sweep->none);
	if (sweep->open > 0)
		sentence_add(s, "; not decided at %u", sweep->open);
}

/* Where nobody leads for real and all is decided. */
static void say_no_lead(struct sentence *s, const struct model *model,
			const struct finding *finding)
{
	const struct finding_sweep *sweep = &finding->sweep;

	if (sweep->none == sweep->values) {
		sentence_add(s, "at most %s apart at any", CLAIM_EXCLUDED(sweep->excluded));
		say_values(s, model, finding);
		return;
	}
	/* Of the others nothing is known: they are withheld, or to come. */
	if (sweep->measured < sweep->values)
		sentence_add(s, "none leads at the %u measured", sweep->measured);
	else
		sentence_add(s, "none leads at any");
	say_values(s, model, finding);
	say_rest(s, sweep);
}

/* How the two of three that are not last stand with one another. */
static void say_two(struct sentence *s, const struct model *model,
		    const struct finding_sweep *sweep)
{
	const struct finding_last *last = &sweep->last;
	const char *a = model->cases[sweep->share[last->a].case_id].model;
	const char *b = model->cases[sweep->share[last->b].case_id].model;

	sentence_add(s, "; %s and %s ", a, b);
	if (last->of_a + last->of_b + last->open == 0) {
		sentence_add(s, "cannot be told apart");
		return;
	}
	if (last->of_a + last->of_b + last->none == 0) {
		sentence_add(s, "are not decided");
		return;
	}
	if (last->none > 0)
		sentence_add(s, "cannot be told apart at %u, ", last->none);
	else
		sentence_add(s, "differ: ");
	if (last->of_a > 0)
		sentence_add(s, "%s %s before at %u (real), ", a,
			     verdict_singular(a) ? "is" : "are", last->of_a);
	if (last->of_b > 0)
		sentence_add(s, "%s %s before at %u (real), ", b,
			     verdict_singular(b) ? "is" : "are", last->of_b);
	if (last->open > 0)
		sentence_add(s, "not decided at %u, ", last->open);
	s->used -= 2;
	s->buf[s->used] = '\0';
}

/*
 * "processes are slowest everywhere, 2.1 to 4.0 times as long as threads (real at 7 of 11 values of
 * size); threads and hybrid:2x4 cannot be told apart"
 */
static void say_last(struct sentence *s, const struct model *model, const struct finding *finding)
{
	const struct finding_sweep *sweep = &finding->sweep;
	const struct finding_last *last = &sweep->last;
	const struct finding_share *share = &sweep->share[last->share];
	const char *name = model->cases[share->case_id].model;
	bool everywhere = share->most == sweep->values;

	sentence_add(s, "%s %s slowest ", name, verdict_singular(name) ? "is" : "are");
	sentence_add(s, everywhere ? "everywhere" : "at %u", share->most);
	if (!everywhere)
		say_values(s, model, finding);
	sentence_add(s, ", %s times as long as %s (real at %u",
		     CLAIM_TIMES_RANGE(last->low, last->high),
		     model->cases[sweep->share[last->than].case_id].model, share->behind);
	if (everywhere)
		say_values(s, model, finding);
	sentence_add(s, ")");
	if (last->told)
		say_two(s, model, sweep);
	for (uint32_t i = 0; i < sweep->n_shares && !last->told; i++)
		if (sweep->share[i].values > 0)
			sentence_add(s, "; %s before all others at %u (real)",
				     model->cases[sweep->share[i].case_id].model,
				     sweep->share[i].values);
}

/*
 * "threads lead at 7 of 11 values of size (real: processes take 1.9 to 4.1 times as long),
 * processes at 2 (1.1 times); at most 3.1 % apart at 2":
 * each value is counted once, as its comparisons stand in the table.
 */
static void say_leads(struct sentence *s, const struct model *model, const struct finding *finding)
{
	const struct finding_sweep *sweep = &finding->sweep;
	bool real = sweep->n_shares > 0 && sweep->share->values > 0;

	if (sweep->last.share < sweep->n_shares) {
		say_last(s, model, finding);
		return;
	}
	if (!real && sweep->open == 0) {
		say_no_lead(s, model, finding);
		return;
	}
	for (uint32_t i = 0; i < sweep->n_shares; i++)
		if (real ? sweep->share[i].values > 0 : sweep->share[i].led > 0)
			say_share(s, model, finding, i);
	if (real) {
		say_rest(s, sweep);
		return;
	}
	sentence_add(s, " so far");
	if (sweep->shared > 0)
		sentence_add(s, "; at %u some differ and none leads (real)", sweep->shared);
}

static void say_crossing(struct sentence *s, const struct model *model,
			 const struct finding_sweep *sweep)
{
	size_t begin = s->used + 1;
	char text[96];

	if (sweep->a == sweep->b) {
		if (model->cases[sweep->a].plan.tasks > 0)
			return;
		if (!comparison_condition(model->cases, model->n_cases) ||
		    (sweep->none < sweep->values && model_swept(&model->cases[sweep->a])))
			sentence_add(s, " No crossover found.");
		return;
	}
	sentence_add(s, " %s and %s cross at %s.", model->cases[sweep->a].model,
		     model->cases[sweep->b].model,
		     report_crossing(&sweep->cross, text, sizeof(text)));
	sentence_begin(s, begin);
}

/* Some values are not decided: why. */
static void say_progress(struct sentence *s, const struct finding_sweep *sweep)
{
	if (sweep->open > 0)
		verdict_progress(s, &sweep->progress);
}

static void say_sweep(struct sentence *s, const struct model *model, const struct finding *finding)
{
	const struct finding_sweep *sweep = &finding->sweep;
	size_t begin = s->used;

	if (sweep->measured == 0) {
		verdict_no_pair(s, model);
		return;
	}
	say_leads(s, model, finding);
	sentence_begin(s, begin);
	sentence_add(s, ".");
	say_progress(s, sweep);
	if (sweep->open == 0 || sweep->a != sweep->b)
		say_crossing(s, model, sweep);
}

/* "fp: at most 2 % apart at any of 7 values of workers. mem: threads lead at …" */
void verdict_sweep(struct sentence *s, const struct model *model, const struct finding *finding)
{
	const char *work = model_work(&model->cases[finding->first]);

	if (!*work) {
		say_sweep(s, model, finding);
		verdict_values(s, model, finding);
		verdict_sweep_claims(s, model, finding);
		return;
	}
	sentence_add(s, "%s: ", work);
	if (finding->sweep.measured == 0) {
		sentence_add(s, model_over(model) ? "no pair of trials was measured."
						  : "no pair of trials is complete yet.");
		return;
	}
	say_leads(s, model, finding);
	sentence_add(s, ".");
	say_progress(s, &finding->sweep);
	verdict_values(s, model, finding);
}

/* "processes slowest at 7 of 11: 2.1 to 4.0 times as long as threads" */
static void say_last_least(struct sentence *s, const struct model *model,
			   const struct finding_sweep *sweep)
{
	const struct finding_last *last = &sweep->last;
	const struct finding_share *share = &sweep->share[last->share];

	sentence_add(s, "%s slowest at %u of %u: %s times as long as %s",
		     model->cases[share->case_id].model, share->behind, sweep->values,
		     CLAIM_TIMES_RANGE(last->low, last->high),
		     model->cases[sweep->share[last->than].case_id].model);
}

/* "processes 5 of 7 (1.1 to 1.4 times)", or what there is instead */
static void say_most(struct sentence *s, const struct model *model,
		     const struct finding_sweep *sweep)
{
	const struct finding_share *most = sweep->share;
	bool real = sweep->n_shares > 0 && most->values > 0;

	if (sweep->measured == 0)
		sentence_add(s, "?");
	else if (sweep->last.share < sweep->n_shares)
		say_last_least(s, model, sweep);
	else if (!real && sweep->none == sweep->values)
		sentence_add(s, "at most %s apart", CLAIM_EXCLUDED(sweep->excluded));
	else if (!real && sweep->open == 0)
		sentence_add(s, "none leads");
	else
		sentence_add(s, "%s %u of %u", model->cases[most->case_id].model,
			     real ? most->values : most->led, sweep->values);
	if (real && sweep->last.share >= sweep->n_shares)
		sentence_add(s, " (%s times)", CLAIM_TIMES_RANGE(most->low, most->high));
}

void verdict_sweep_least(struct sentence *s, const struct finding_list *list)
{
	bool open = false;

	for (uint32_t i = 0; i < list->n; i++) {
		const struct finding *finding = &list->list[i];
		const char *work = model_work(&list->model->cases[finding->first]);
		const struct finding_sweep *sweep = &finding->sweep;

		sentence_add(s, "%s%s%s", i > 0 ? ", " : "", work, *work ? ": " : "");
		if (finding->kind == FINDING_SWEEP || finding->n_values == 0)
			say_most(s, list->model, sweep);
		verdict_values_least(s, list->model, finding);
		verdict_sweep_claims_least(s, list->model, finding);
		open |= sweep->open > 0 && (sweep->n_shares == 0 || sweep->share->values == 0);
	}
	sentence_add(s, open ? " (so far)" : "");
}
