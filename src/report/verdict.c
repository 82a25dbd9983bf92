/* SPDX-License-Identifier: MIT */
#include "report/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "model/model_latency.h"
#include "model/model_sweep.h"
#include "report/report.h"
#include "report/speedup.h"
#include "verdict_parts.h"

/* Names */

/* Variants of one model, which then need not be named with each. */
bool verdict_one_model(const struct model *model)
{
	bool varies = false;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		const struct sample_case *one = &model->cases[i];

		if (one->variables.n == 0 || strcmp(one->model, model->cases[0].model) != 0)
			return false;
		varies = varies || !variables_equal(&one->variables, &model->cases[0].variables);
	}
	return varies;
}

/* The name that tells a case from the others: "threads", "tree=50x99", "threads tree=50x99". */
const char *verdict_name(const struct model *model, uint32_t case_id, char buf[VERDICT_NAME])
{
	model_case_name(model, case_id, buf, VERDICT_NAME);
	return verdict_one_model(model) ? buf + strlen(model->cases[case_id].model) + 1 : buf;
}

/* A hybrid, a way to create and a program are one; workers of a kind are many. */
bool verdict_singular(const char *name)
{
	static const char *const many[] = {"threads", "processes"};

	for (size_t i = 0; i < sizeof(many) / sizeof(*many); i++)
		if (strncmp(name, many[i], strlen(many[i])) == 0)
			return false;
	return true;
}

/* A value of one model, "tree=5000", is one. */
bool verdict_singular_case(const struct model *model, uint32_t case_id)
{
	return verdict_one_model(model) || verdict_singular(model->cases[case_id].model);
}

const char *verdict_take(const struct model *model, uint32_t case_id)
{
	return verdict_singular_case(model, case_id) ? "takes" : "take";
}

/* Several programs stand where models do, under the names that they were given. */
static bool are_programs(const struct model *model)
{
	const struct sample_case *one = &model->cases[0];
	const char *way = plan_primitive_name((enum plan_primitive)one->plan.primitive);

	if (model->n_cases == 0 || one->plan.leaves[WORK_PROGRAM] == 0)
		return false;
	return verdict_singular(one->model) && strncmp(one->model, "hybrid", 6) != 0 &&
	       strncmp(one->model, way, strlen(way)) != 0;
}

bool verdict_keeps_letters(const struct model *model)
{
	return verdict_one_model(model) || are_programs(model);
}

void verdict_begin(struct sentence *s, const struct model *model, uint32_t case_id)
{
	size_t start = s->used;

	sentence_add(s, "%s", VERDICT_NAME_OF(model, case_id));
	if (!verdict_keeps_letters(model))
		sentence_begin(s, start);
}

/* Missing results */

/* The badge says of itself that it is measured. */
void verdict_progress(struct sentence *s, const struct finding_progress *progress)
{
	bool goes_on = !progress->ended && !progress->stopped;
	size_t start = s->used + 1;

	if (goes_on && progress->planned >= progress->least)
		return;
	sentence_add(s, " %s.", claim_progress(progress, (char[CLAIM_TEXT]) {0}, CLAIM_TEXT));
	sentence_begin(s, start);
}

void verdict_no_pair(struct sentence *s, const struct model *model)
{
	sentence_add(s, model_over(model) ? "No pair of trials was measured: nothing to compare."
					  : "No pair of trials is complete yet.");
}

void verdict_no_trial(struct sentence *s, const struct model *model)
{
	sentence_add(s, model_over(model) ? "No trial was measured." : "No trial is complete yet.");
}

const char *verdict_reality(const struct finding_lead *lead)
{
	return lead->sure == FINDING_REAL ? "real" : "so far";
}

static void say_failed(struct sentence *s, const struct model *model, const struct finding *finding)
{
	const struct sample_totals *last = &model->runs[finding->failed].totals;

	verdict_begin(s, model, finding->case_id);
	sentence_add(s, " %s in ", last->status == SAMPLE_CRASHED ? "crashed" : "failed");
	sentence_add(s, finding->failures == 1 ? "the only trial" : "all %u trials",
		     finding->failures);
	sentence_add(s, model_over(model) ? ": nothing to compare."
					  : " so far: nothing to compare yet.");
	if (last->reason[0])
		sentence_add(s, " %s.", last->reason);
}

/* One case */

static void say_alone(struct sentence *s, const struct model *model, uint32_t case_id)
{
	const struct stats_interval *median;
	struct report_summary took;

	if (report_summarize(model, case_id, METRIC_ELAPSED, &took) != 0 || took.n == 0) {
		verdict_no_trial(s, model);
		return;
	}
	median = &took.median;
	verdict_begin(s, model, case_id);
	sentence_add(s, " took %s (", UNITS_TIME((int64_t)median->estimate, false));
	sentence_add(s, took.n == 1 ? "one trial" : "median of %zu trials", took.n);
	if (!isnan(median->low))
		sentence_add(s, ", 95 %% interval %s to %s",
			     UNITS_TIME((int64_t)median->low, false),
			     UNITS_TIME((int64_t)median->high, false));
	sentence_add(s, ").");
}

/* All that was found */

static void say_lead(struct sentence *s, const struct model *model, const struct finding *finding,
		     enum verdict_length length)
{
	if (finding->groups.n == 0 && finding->lead.others < 2)
		verdict_pair(s, model, &finding->lead, length);
	else
		verdict_groups(s, model, finding, length);
	verdict_claims(s, model, finding, length);
}

/* One model over the values of a condition has them to compare. */
static void say_unpaired(struct sentence *s, const struct model *model,
			 const struct finding *finding)
{
	if (finding->n_values > 0)
		verdict_values(s, model, finding);
	else
		sentence_add(s, "One model alone: nothing to compare at the same value.");
	for (uint32_t i = 0; i < finding->n_values; i++)
		if (finding->values[i].real + finding->values[i].none < finding->values[i].others) {
			verdict_progress(s, &finding->values[i].progress);
			return;
		}
}

static void say_finding(struct sentence *s, const struct model *model,
			const struct finding *finding)
{
	if (finding->kind == FINDING_FAILED)
		say_failed(s, model, finding);
	else if (finding->kind == FINDING_UNPAIRED)
		say_unpaired(s, model, finding);
	else if (finding->kind == FINDING_FAULT)
		verdict_fault(s, model, finding);
	else if (finding->kind == FINDING_WAYS)
		verdict_ways(s, model, finding);
	else if (verdict_touch(s, model))
		return;
	else if (finding->kind == FINDING_SWEEP)
		verdict_sweep(s, model, finding);
	else if (model_has_latency(model))
		verdict_creation(s, model, finding, VERDICT_WHOLE);
	else if (finding->kind == FINDING_ALONE)
		say_alone(s, model, finding->case_id);
	else
		say_lead(s, model, finding, VERDICT_WHOLE);
}

/* " By medians of recordings apart: threads @desktop 3.0 s, threads @laptop 4.0 s: …" */
static void say_recording(struct sentence *s, const struct model *model,
			  const struct model_comparison *c)
{
	double of_a = verdict_median(model, c->a, c->metric);
	double of_b = verdict_median(model, c->b, c->metric);
	double times = fmax(of_a, of_b) / fmin(of_a, of_b);
	bool turned = of_b < of_a;

	if (c->a == c->b || isnan(c->ratio.estimate) || !(of_a > 0) || !(of_b > 0))
		return;
	sentence_add(s, " By the medians of recordings apart, without interval: %s %s",
		     VERDICT_NAME_OF(model, turned ? c->b : c->a),
		     UNITS_TIME(llround(fmin(of_a, of_b)), false));
	sentence_add(s, ", %s %s", VERDICT_NAME_OF(model, turned ? c->a : c->b),
		     UNITS_TIME(llround(fmax(of_a, of_b)), false));
	if (times >= VERDICT_NO_TIMES)
		sentence_add(s, ": %s times as long", CLAIM_TIMES(times));
	sentence_add(s, ".");
}

/* What each recording found by itself comes before what tells them apart. */
static void say_recordings(struct sentence *s, const struct finding_list *list)
{
	for (uint32_t i = 0; i < list->n; i++)
		say_recording(s, list->model, &list->list[i].to_first);
}

static void say_whole(struct sentence *s, const struct finding_list *list)
{
	const struct model *model = list->model;

	if (list->n == 0)
		sentence_add(s, "Nothing has been measured yet.");
	if (model->n_origins > 0 && model_sweeps(model)) {
		sentence_add(s, "What each recording found by itself is in the results.");
		say_recordings(s, list);
		return;
	}
	for (uint32_t i = 0; i < list->n; i++) {
		sentence_add(s, i > 0 ? " " : "");
		say_finding(s, model, &list->list[i]);
		if (list->list[i].kind == FINDING_UNPAIRED)
			break;
	}
	speedup_sentence(model, s);
	verdict_share(s, model);
	verdict_pool(s, model);
	say_recordings(s, list);
}

/* Short sentences */

/* Short forms exist only for comparisons within one session. */
static void say_in_fewer_words(struct sentence *s, const struct finding_list *list,
			       enum verdict_length length)
{
	const struct model *model = list->model;
	enum finding_kind kind = list->n ? list->list[0].kind : FINDING_FAILED;

	if (model->n_origins > 0)
		return;
	if (kind == FINDING_LEAD && model_has_latency(model))
		verdict_creation(s, model, list->list, length);
	else if (kind == FINDING_LEAD)
		say_lead(s, model, list->list, length);
	else if (length == VERDICT_LEAST && (kind == FINDING_SWEEP || kind == FINDING_UNPAIRED))
		verdict_sweep_least(s, list);
}

char *verdict_of(const struct finding_list *list, enum verdict_length length, char *buf,
		 size_t size)
{
	struct sentence s = {buf, size, 0};

	if (size == 0)
		return buf;
	buf[0] = '\0';
	if (length != VERDICT_WHOLE)
		say_in_fewer_words(&s, list, length);
	else if (list->err)
		sentence_add(&s, "Too little memory to compare.");
	else
		say_whole(&s, list);
	return buf;
}

char *verdict_read(const struct model *model, char *buf, size_t size)
{
	struct finding_list list;

	finding_list_read(&list, model);
	verdict_of(&list, VERDICT_WHOLE, buf, size);
	finding_list_free(&list);
	return buf;
}

const char *verdict_answer(const struct finding_badge *badge)
{
	static const char *const words[] = {
		[FINDING_NO_ANSWER] = "",	 [FINDING_MEASURING] = "MEASURING",
		[FINDING_SAME] = "SAME SPEED",	 [FINDING_CLOSE] = "TOO CLOSE",
		[FINDING_WITHHELD] = "WITHHELD", [FINDING_DIFFERS] = "FASTER",
	};

	return words[badge->answer];
}

char *verdict_badge(const struct finding_badge *badge, enum verdict_length length, char *buf,
		    size_t size)
{
	struct sentence s = {buf, size, 0};

	buf[0] = '\0';
	sentence_add(&s, "%s", verdict_answer(badge));
	if (badge->answer == FINDING_MEASURING && badge->planned > 0)
		sentence_add(&s, " %u/%u", badge->pairs, badge->planned);
	for (uint32_t i = 0; i < badge->n_works; i++)
		sentence_add(&s, "%s%s", i > 0 ? ", " : ": ", badge->works[i]);
	if (badge->busy && s.used > 0)
		sentence_add(&s, length != VERDICT_LEAST ? ", on a busy machine" : ", busy");
	return buf;
}

char *verdict_badge_read(const struct model *model, char *buf, size_t size)
{
	struct finding_badge badge;
	struct finding_list list;

	finding_list_read(&list, model);
	badge = finding_badge(&list);
	finding_list_free(&list);
	return verdict_badge(&badge, VERDICT_WHOLE, buf, size);
}

char *verdict_line(const struct model *model, char *buf, size_t size)
{
	struct sentence s = {buf, size, 0};
	char badge[VERDICT_BADGE];

	buf[0] = '\0';
	if (*verdict_badge_read(model, badge, sizeof(badge)))
		sentence_add(&s, "[%s] ", badge);
	verdict_read(model, buf + s.used, size - s.used);
	return buf;
}
