/* SPDX-License-Identifier: MIT */
#include "model/finding.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/comparison.h"
#include "finding_parts.h"
#include "model/model_latency.h"
#include "model/model_operations.h"
#include "model/model_step.h"
#include "model/model_sweep.h"

/* Who leads */

static const enum finding_sure sure_of[] = {
	[STATS_TOO_FEW] = FINDING_FEW, [STATS_NONE] = FINDING_NONE,	   [STATS_A] = FINDING_REAL,
	[STATS_B] = FINDING_NONE,      [STATS_UNPAIRED] = FINDING_MEDIANS,
};

/* The comparison from the side of the other case. */
static struct model_comparison turn(const struct model_comparison *c)
{
	struct model_comparison turned = *c;

	turned.a = c->b;
	turned.b = c->a;
	turned.ratio = stats_inverse(&c->ratio);
	if (c->verdict == STATS_A || c->verdict == STATS_B)
		turned.verdict = c->verdict == STATS_A ? STATS_B : STATS_A;
	return turned;
}

double finding_excluded(const struct stats_interval *ratio)
{
	return fmax(ratio->high, 1 / ratio->low);
}

void finding_behind(struct finding_progress *progress, const struct finding_progress *other)
{
	bool ended = progress->ended && other->ended;

	if (other->pairs < progress->pairs)
		*progress = *other;
	progress->ended = ended;
}

static void take_open(struct finding_lead *lead, const struct model_comparison *c)
{
	const struct finding_progress progress = {c->pairs, c->planned, c->least, c->ended};

	finding_behind(&lead->progress, &progress);
	lead->all_open++;
}

static void take(struct finding_lead *lead, const struct model_comparison *c)
{
	double nearest = lead->others ? lead->next.ratio.estimate : NAN;
	enum finding_sure sure = sure_of[c->verdict];

	if (lead->others == 0 || c->ratio.estimate < nearest ||
	    (isnan(nearest) && !isnan(c->ratio.estimate)))
		lead->next = *c;
	if (lead->others < FINDING_OTHERS)
		lead->other[lead->others] = *c;
	if (lead->others == 0 || sure < lead->sure)
		lead->sure = sure;
	lead->others++;
	lead->real += c->verdict == STATS_A;
	lead->open += c->verdict == STATS_TOO_FEW;
	if (c->verdict == STATS_NONE)
		lead->excluded = fmax(lead->excluded, finding_excluded(&c->ratio));
	if (c->verdict == STATS_TOO_FEW)
		finding_behind(&lead->progress, &(struct finding_progress) {c->pairs, c->planned,
									    c->least, c->ended});
	lead->pairs = c->pairs < lead->pairs ? c->pairs : lead->pairs;
}

/* Case b leads, or a has no measured trial. */
static bool overtakes(const struct model *model, const struct model_comparison *c)
{
	double value;

	return c->ratio.estimate < 1 || model_trials(model, c->a, c->metric, &value, NULL, 1) == 0;
}

/* The lead: each case is compared with the fastest of those before it. */
static int find_lead(const struct model *model, const uint32_t *cases, uint32_t n,
		     enum model_metric metric, uint32_t *lead)
{
	struct model_comparison c;
	int err = 0;

	*lead = cases[0];
	for (uint32_t i = 1; i < n && !err; i++) {
		err = model_compare(model, *lead, cases[i], metric, &c);
		if (!err && overtakes(model, &c))
			*lead = cases[i];
	}
	return err;
}

/* What any two of them say: how many are real, whether all are decided, what is excluded. */
static int take_all(const struct model *model, const uint32_t *cases, uint32_t n,
		    enum model_metric metric, struct finding_lead *lead)
{
	struct model_comparison c;
	int err = 0;

	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t j = i + 1; j < n && !err; j++) {
			err = model_compare(model, cases[i], cases[j], metric, &c);
			lead->all_real += c.verdict == STATS_A || c.verdict == STATS_B;
			if (c.verdict == STATS_TOO_FEW)
				take_open(lead, &c);
			if (c.verdict == STATS_NONE)
				lead->all_excluded =
					fmax(lead->all_excluded, finding_excluded(&c.ratio));
		}
	}
	if (lead->sure == FINDING_NONE)
		lead->sure = lead->all_open > 0	  ? FINDING_FEW
			     : lead->all_real > 0 ? FINDING_SHARED
						  : FINDING_NONE;
	return err;
}

static struct finding_lead lead_alone(uint32_t lead)
{
	return (struct finding_lead) {.lead = lead,
				      .pairs = UINT32_MAX,
				      .progress = {UINT32_MAX, .ended = true},
				      .excluded = NAN,
				      .all_excluded = NAN};
}

int finding_against(const struct model *model, uint32_t lead, const uint32_t *cases, uint32_t n,
		    enum model_metric metric, struct finding_lead *out)
{
	struct model_comparison c;
	int err = 0;

	*out = lead_alone(lead);
	for (uint32_t i = 0; i < n && !err; i++) {
		if (cases[i] == lead)
			continue;
		err = model_compare(model, lead, cases[i], metric, &c);
		if (!err)
			take(out, &c);
	}
	if (!err)
		err = take_all(model, cases, n, metric, out);
	out->progress.stopped = model_over(model);
	return err;
}

int finding_among(const struct model *model, const uint32_t *cases, uint32_t n,
		  enum model_metric metric, struct finding_lead *out)
{
	uint32_t lead;
	int err = find_lead(model, cases, n, metric, &lead);

	if (!err)
		err = finding_against(model, lead, cases, n, metric, out);
	if (!err && n == 2 && lead == cases[1])
		out->next = turn(&out->next);
	return err;
}

static int lead_of_creation(const struct model *model, uint32_t first, uint32_t last,
			    struct finding_lead *out)
{
	struct finding_lead lead;
	uint32_t pair[2];
	int err;

	*out = lead_alone(first);
	if (!finding_creation_pair(model, first, last, &pair[0], &pair[1]))
		return 0;
	err = finding_among(model, pair, 2, METRIC_TASK, &lead);
	if (!err && !isnan(lead.next.ratio.estimate))
		*out = lead;
	return err;
}

int finding_lead(const struct model *model, uint32_t first, uint32_t last, struct finding_lead *out)
{
	uint32_t *cases, n = 0;
	int err;

	if (model_has_latency(model))
		return lead_of_creation(model, first, last, out);
	cases = calloc(last - first + 1, sizeof(*cases));
	if (!cases)
		return -ENOMEM;
	for (uint32_t i = first; i <= last; i++) {
		if (comparison_alike(&model->cases[first], &model->cases[i]))
			cases[n++] = i;
	}
	err = finding_among(model, cases, n, model_headline(model), out);
	free(cases);
	return err;
}

uint32_t finding_second(const struct finding_lead *lead)
{
	return lead->next.a == lead->lead ? lead->next.b : lead->next.a;
}

struct stats_interval finding_ahead(const struct finding_lead *lead)
{
	return lead->next.a == lead->lead ? lead->next.ratio : stats_inverse(&lead->next.ratio);
}

/* All that was found */

/* How many counted trials of the case have ended in a failure; 0 if any was measured. */
static uint32_t count_failures(const struct model *model, uint32_t case_id, size_t *last)
{
	uint32_t failures = 0;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (run->id.case_id != case_id || run->id.trial == 0 || !model_ended(model, run) ||
		    run->totals.status == SAMPLE_INTERRUPTED || model_is_replaced(model, run))
			continue;
		if (run->totals.status == SAMPLE_OK)
			return 0;
		*last = i;
		failures++;
	}
	return failures;
}

static bool find_failed(const struct model *model, struct finding *finding)
{
	for (uint32_t i = finding->first; i <= finding->last; i++) {
		finding->failures = count_failures(model, i, &finding->failed);
		if (finding->failures == 0)
			continue;
		finding->kind = FINDING_FAILED;
		finding->case_id = i;
		return true;
	}
	return false;
}

/* The finding of the cases from first to last; those of a sweep have one kind of work. */
static int read_one(const struct model *model, struct finding *finding)
{
	if (find_failed(model, finding))
		return 0;
	if (model_has_faults(model))
		return finding_faults(model, finding);
	if (model_has_ways(model))
		return finding_ways(model, finding);
	if (model_has_latency(model))
		return finding_creation(model, finding);
	finding->case_id = finding->first;
	if (finding->first == finding->last) {
		finding->kind = FINDING_ALONE;
		return 0;
	}
	if (!model_sweeps(model)) {
		int err = finding_lead(model, finding->first, finding->last, &finding->lead);

		finding->kind = FINDING_LEAD;
		if (!err)
			err = finding_groups(model, finding, finding->first, model_headline(model));
		return err || model_step(model) < WORK_KINDS ? err : finding_claims(model, finding);
	}
	if (finding_sweep_pairs(model))
		return finding_sweep(model, finding);
	finding->kind = FINDING_UNPAIRED;
	return finding_values(model, finding);
}

/* The case of another recording that ran the same model in the same way; n_cases: it has none. */
static uint32_t counterpart(const struct model *model, uint32_t case_id,
			    const struct model_origin *origin)
{
	const struct sample_case *wanted = &model->cases[case_id];
	size_t length = strcspn(wanted->model, "@");

	for (uint32_t i = origin->first_case; i < origin->first_case + origin->n_cases; i++) {
		const struct sample_case *found = &model->cases[i];

		if (strcspn(found->model, "@") == length &&
		    strncmp(found->model, wanted->model, length) == 0 &&
		    comparison_repeated(found, wanted))
			return i;
	}
	return model->n_cases;
}

/* Compares the recording with the first one, then reads what it found by itself. */
static int read_recording(const struct model *model, const struct model_origin *origin,
			  struct finding *finding)
{
	uint32_t same = counterpart(model, 0, origin);
	int err = 0;

	finding->first = origin->first_case;
	finding->last = origin->first_case + origin->n_cases - 1;
	if (same < model->n_cases && same > 0)
		err = model_compare(model, 0, same, model_headline(model), &finding->to_first);
	if (err)
		return err;
	if (!model_sweeps(model))
		return read_one(model, finding);
	finding->kind = FINDING_SWEEP;
	return 0;
}

static int read_recordings(struct finding_list *list)
{
	const struct model *model = list->model;
	int err = 0;

	for (uint32_t i = 0; i < model->n_origins && !err; i++)
		err = read_recording(model, &model->origins[i], &list->list[list->n++]);
	return err;
}

/* A sweep has a finding for each kind of work; mostly there is one. */
static int read_session(struct finding_list *list)
{
	const struct model *model = list->model;
	int err = 0;

	for (uint32_t i = 0; i < model->n_cases && !err; i++) {
		struct finding *finding = &list->list[list->n];

		if (list->n > 0 && !finding_sweep_begins(model, i))
			continue;
		finding->first = i;
		finding->last = model->n_cases - 1;
		finding->kind = list->list->kind;
		if (list->n++ == 0)
			err = read_one(model, finding);
		else if (finding->kind == FINDING_SWEEP)
			err = finding_sweep(model, finding);
		if (finding->kind != FINDING_SWEEP && finding->kind != FINDING_UNPAIRED)
			break;
	}
	return err;
}

int finding_list_read(struct finding_list *list, const struct model *model)
{
	uint32_t most = model->n_origins > 0 ? model->n_origins : model->n_cases;

	*list = (struct finding_list) {.model = model};
	if (!model->has_session)
		return 0;
	list->list = calloc(most, sizeof(*list->list));
	if (!list->list)
		list->err = -ENOMEM;
	else if (model->n_origins > 0)
		list->err = read_recordings(list);
	else
		list->err = read_session(list);
	return list->err;
}

void finding_list_free(struct finding_list *list)
{
	free(list->list);
	*list = (struct finding_list) {.model = NULL};
}
