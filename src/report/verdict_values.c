/* SPDX-License-Identifier: MIT */
#include "verdict_parts.h"

#include <math.h>
#include <string.h>

#include "core/comparison.h"

/* What a sweep tells beside who leads at each value: one model over the values, kinds of work. */

#define PART 256

/* "alloc=400" */
static void say_value(struct sentence *s, const struct model *model, uint32_t case_id)
{
	const char *name = comparison_condition(model->cases, model->n_cases);
	const struct variable *variable =
		name ? variables_find(&model->cases[case_id].variables, name) : NULL;

	if (variable)
		sentence_add(s, "%s=%s", name, variable->value);
}

/* "threads", "threads cache=warm": all but the value; nothing where there is one such alone */
static void say_whose(struct sentence *s, const struct model *model, const struct finding *finding,
		      uint32_t case_id)
{
	const char *name = comparison_condition(model->cases, model->n_cases);
	const struct sample_case *one = &model->cases[case_id];

	if (finding->n_values == 1 || !name)
		return;
	sentence_add(s, "%s", one->model);
	for (uint32_t i = 0; i < one->variables.n; i++) {
		const struct variable *variable = &one->variables.list[i];

		if (strcmp(variable->name, name) != 0 && strcmp(variable->name, "work") != 0)
			sentence_add(s, " %s=%s", variable->name, variable->value);
	}
	sentence_add(s, ": ");
}

/* "alloc=400 takes 3.1 times as long as alloc=0 (real, 98.75 % interval 2.9 to 3.3)" */
static void say_real(struct sentence *s, const struct model *model,
		     const struct finding_values *values)
{
	const struct model_comparison *c = &values->greatest;
	struct stats_interval times = c->ratio.estimate < 1 ? stats_inverse(&c->ratio) : c->ratio;
	bool turned = c->ratio.estimate < 1;

	say_value(s, model, turned ? c->a : c->b);
	sentence_add(s, " takes %s times as long as ", CLAIM_TIMES(times.estimate));
	say_value(s, model, turned ? c->b : c->a);
	sentence_add(s, " (real, %s interval %s", CLAIM_LEVEL(c->level),
		     CLAIM_TIMES_INTERVAL(times.low, times.high));
	if (values->others > 1)
		sentence_add(s, "; %u of %u others differ", values->real, values->others);
	sentence_add(s, ")");
}

static void say_values(struct sentence *s, const struct model *model,
		       const struct finding_values *values)
{
	bool goes_on = !values->progress.ended && !values->progress.stopped;

	if (values->real > 0) {
		say_real(s, model, values);
		return;
	}
	if (values->none == values->others)
		sentence_add(s, "at most %s apart from ", CLAIM_EXCLUDED(values->excluded));
	else
		sentence_add(s, "a difference from ");
	say_value(s, model, values->first);
	if (values->none < values->others)
		sentence_add(s, goes_on ? " is being measured" : " is not decided");
}

/* Half a claim would be another one: what does not fit is left out. */
static bool add_part(struct sentence *s, const char *before, const struct sentence *part)
{
	if (s->used + strlen(before) + part->used + 2 >= s->size)
		return false;
	sentence_add(s, "%s%s", before, part->buf);
	return true;
}

void verdict_values(struct sentence *s, const struct model *model, const struct finding *finding)
{
	bool said = false;

	for (uint32_t i = 0; i < finding->n_values; i++) {
		char text[PART] = "";
		struct sentence part = {text, sizeof(text), 0};

		say_whose(&part, model, finding, finding->values[i].first);
		say_values(&part, model, &finding->values[i]);
		/* a value keeps its small letters */
		if (!said && (finding->n_values > 1 || finding->values[i].real == 0))
			sentence_begin(&part, 0);
		said |= add_part(s, said ? "; " : s->used > 0 ? " " : "", &part);
	}
	sentence_add(s, said ? "." : "");
}

/* "threads: alloc=400 3.1 times as long", that of most */
void verdict_values_least(struct sentence *s, const struct model *model,
			  const struct finding *finding)
{
	const struct finding_values *most = NULL;

	for (uint32_t i = 0; i < finding->n_values; i++)
		if (finding->values[i].real > 0 &&
		    (!most || fabs(log(finding->values[i].greatest.ratio.estimate)) >
				      fabs(log(most->greatest.ratio.estimate))))
			most = &finding->values[i];
	if (!most)
		return;
	sentence_add(s, "%s", s->used > 0 ? "; " : "");
	say_whose(s, model, finding, most->first);
	say_value(s, model, most->greatest.b);
	sentence_add(s, " %s times as long as ", CLAIM_TIMES(most->greatest.ratio.estimate));
	say_value(s, model, most->first);
}

/* Kinds of work */

/* "processes take up to 3.6 times as long as threads (real at 2 of 2 values)" */
static void say_kind_real(struct sentence *s, const struct model *model,
			  const struct finding_claim *claim)
{
	const struct model_comparison *c = &claim->greatest;
	const char *slow = model->cases[c->b].model, *fast = model->cases[c->a].model;

	sentence_add(s, "%s %s %s%s times as %s as %s", slow,
		     verdict_singular(slow) ? "takes" : "take", claim->same > 1 ? "up to " : "",
		     CLAIM_TIMES(c->ratio.estimate), claim->metric == METRIC_CPU ? "much" : "long",
		     fast);
	if (claim->values == 1) {
		sentence_add(s, " (real)");
		return;
	}
	if (claim->same == 1)
		sentence_add(s, " at %s",
			     variables_format(&model->cases[c->a].variables, ' ',
					      (char[VARIABLES_TEXT]) {0}, VARIABLES_TEXT));
	sentence_add(s, " (real at %u of %u values", claim->same, claim->values);
	if (claim->turned > 0)
		sentence_add(s, ", the other way at %u", claim->turned);
	sentence_add(s, ")");
}

/* CPU time is asked where the elapsed time tells of no models. */
static bool is_told(const struct finding *finding, const struct finding_claim *claim)
{
	const struct finding_sweep *sweep = &finding->sweep;

	if (claim->metric == METRIC_CPU)
		return finding_claim_real(claim) && sweep->all_real == 0;
	return finding_claim_real(claim) || (claim->none == claim->values && claim->none > 0);
}

/* "; CPU time: processes take up to 1.05 times as much as threads" */
void verdict_sweep_claims_least(struct sentence *s, const struct model *model,
				const struct finding *finding)
{
	for (uint32_t i = 0; i < finding->n_claims; i++) {
		const struct finding_claim *claim = &finding->claims[i];
		const struct model_comparison *c = &claim->greatest;
		const char *slow = model->cases[c->b].model;

		if (!is_told(finding, claim) || !finding_claim_real(claim))
			continue;
		sentence_add(s, "; %s: %s %s %s%s times as %s as %s", finding_claim_name(claim),
			     slow, verdict_singular(slow) ? "takes" : "take",
			     claim->same > 1 ? "up to " : "", CLAIM_TIMES(c->ratio.estimate),
			     claim->metric == METRIC_CPU ? "much" : "long",
			     model->cases[c->a].model);
	}
}

void verdict_sweep_claims(struct sentence *s, const struct model *model,
			  const struct finding *finding)
{
	for (uint32_t i = 0; i < finding->n_claims; i++) {
		const struct finding_claim *claim = &finding->claims[i];
		char text[PART] = "";
		struct sentence part = {text, sizeof(text), 0};

		if (!is_told(finding, claim))
			continue;
		sentence_add(&part, "%s: ", finding_claim_name(claim));
		if (finding_claim_real(claim))
			say_kind_real(&part, model, claim);
		else
			sentence_add(&part, "at most %s apart", CLAIM_EXCLUDED(claim->excluded));
		if (!finding_claim_real(claim) && claim->values > 1)
			sentence_add(&part, " at any of %u values", claim->values);
		sentence_add(&part, ".");
		add_part(s, " ", &part);
	}
}
