/* SPDX-License-Identifier: MIT */
#include "verdict_parts.h"

#include "model/model_sweep.h"
#include "report/report.h"

static void say_values(struct sentence *s, const struct model *model, const struct finding *finding)
{
	const struct variable *swept = model_swept(&model->cases[finding->first]);
	uint32_t values = finding->sweep.values;

	sentence_add(s, " of %u value%s of %s", values, values == 1 ? "" : "s",
		     swept ? swept->name : "it");
}

/* "threads lead at 7 of 11 values of size (real), processes at 2; no difference found at 2" */
static void say_leads(struct sentence *s, const struct model *model, const struct finding *finding)
{
	const struct finding_sweep *sweep = &finding->sweep;
	bool real = sweep->pairs >= STATS_LEAST_PAIRS;

	for (uint32_t i = 0; i < sweep->n_shares; i++) {
		const char *name = model->cases[sweep->share[i].case_id].model;
		const char *verb = !real ? " led" : verdict_singular(name) ? " leads" : " lead";

		sentence_add(s, "%s%s%s at %u", i > 0 ? ", " : "", name, i > 0 ? "" : verb,
			     sweep->share[i].values);
		if (i == 0) {
			say_values(s, model, finding);
			sentence_add(s, real ? " (real)" : "");
		}
	}
	if (sweep->n_shares > 0 && sweep->none > 0)
		sentence_add(s, "; no difference found at %u", sweep->none);
	if (sweep->n_shares > 0)
		return;
	sentence_add(s, "no difference found at any");
	say_values(s, model, finding);
}

static void say_crossing(struct sentence *s, const struct model *model,
			 const struct finding_sweep *sweep)
{
	size_t begin = s->used + 1;
	char text[96];

	if (sweep->a == sweep->b) {
		sentence_add(s, " No crossover found.");
		return;
	}
	sentence_add(s, " %s and %s cross at %s.", model->cases[sweep->a].model,
		     model->cases[sweep->b].model,
		     report_crossing(&sweep->cross, text, sizeof(text)));
	sentence_begin(s, begin);
}

static void say_sweep(struct sentence *s, const struct model *model, const struct finding *finding)
{
	size_t begin = s->used;

	if (finding->sweep.measured == 0) {
		verdict_no_pair(s, model);
		return;
	}
	say_leads(s, model, finding);
	sentence_begin(s, begin);
	if (finding->sweep.pairs < STATS_LEAST_PAIRS) {
		sentence_add(s, " so far. ");
		verdict_too_few(s, finding->sweep.pairs);
		return;
	}
	sentence_add(s, ".");
	say_crossing(s, model, &finding->sweep);
}

/* "(4 of 6 pairs)" where that is too few. */
static void say_pairs(struct sentence *s, uint32_t pairs)
{
	if (pairs < STATS_LEAST_PAIRS)
		sentence_add(s, " (%u of %d pairs)", pairs, STATS_LEAST_PAIRS);
}

/* "fp: no difference found at any of 7 values of workers. mem: threads lead at …" */
void verdict_sweep(struct sentence *s, const struct model *model, const struct finding *finding)
{
	const char *work = model_work(&model->cases[finding->first]);

	if (!*work) {
		say_sweep(s, model, finding);
		return;
	}
	sentence_add(s, "%s: ", work);
	if (finding->sweep.measured == 0) {
		sentence_add(s, model_over(model) ? "no pair of trials was measured."
						  : "no pair of trials yet.");
		return;
	}
	say_leads(s, model, finding);
	say_pairs(s, finding->sweep.pairs);
	sentence_add(s, ".");
}

/* "processes 5 of 7", or what there is instead */
static void say_most(struct sentence *s, const struct model *model,
		     const struct finding_sweep *sweep)
{
	if (sweep->measured == 0)
		sentence_add(s, "?");
	else if (sweep->n_shares == 0)
		sentence_add(s, "no difference");
	else
		sentence_add(s, "%s %u of %u", model->cases[sweep->share[0].case_id].model,
			     sweep->share[0].values, sweep->values);
}

void verdict_sweep_least(struct sentence *s, const struct finding_list *list)
{
	uint32_t pairs = STATS_LEAST_PAIRS;

	for (uint32_t i = 0; i < list->n; i++) {
		const struct finding *finding = &list->list[i];
		const char *work = model_work(&list->model->cases[finding->first]);

		sentence_add(s, "%s%s%s", i > 0 ? ", " : "", work, *work ? ": " : "");
		say_most(s, list->model, &finding->sweep);
		if (finding->sweep.measured > 0 && finding->sweep.pairs < pairs)
			pairs = finding->sweep.pairs;
	}
	say_pairs(s, pairs);
}
