/* SPDX-License-Identifier: MIT */
#include "model/model_sweep.h"

#include <stdio.h>
#include <string.h>

#include "model/model_lead.h"

#define MOST_MODELS 8

/* How the models stand over all values of the variable, for one kind of work. */
struct tally {
	uint32_t first;		      /* its first case */
	uint32_t models[MOST_MODELS]; /* a case of each, and how often it leads */
	uint32_t leads[MOST_MODELS];
	uint32_t n_models, values, measured, nobody;
	uint32_t pairs; /* the least of all comparisons */
};

/* Whether a case before it has the same value and work. */
static bool is_first_of_value(const struct model *model, uint32_t icase)
{
	for (uint32_t i = 0; i < icase; i++) {
		if (model_comparable(&model->cases[i], &model->cases[icase]))
			return false;
	}
	return true;
}

static bool same_work(const struct model *model, uint32_t a, uint32_t b)
{
	return strcmp(model_work(&model->cases[a]), model_work(&model->cases[b])) == 0;
}

static void count_lead(const struct model *model, struct tally *tally, uint32_t icase)
{
	uint32_t i = 0;

	while (i < tally->n_models &&
	       !model_same_curve(&model->cases[tally->models[i]], &model->cases[icase]))
		i++;
	if (i == MOST_MODELS)
		return;
	if (i == tally->n_models) {
		tally->models[tally->n_models++] = icase;
		tally->leads[i] = 0;
	}
	tally->leads[i]++;
}

static void take_value(const struct model *model, struct tally *tally, uint32_t first)
{
	struct model_lead lead;

	tally->values++;
	if (model_lead(model, first, model->n_cases - 1, &lead) != 0 || lead.pairs == 0 ||
	    lead.pairs == UINT32_MAX)
		return;
	tally->measured++;
	tally->pairs = lead.pairs < tally->pairs ? lead.pairs : tally->pairs;
	if (lead.real == lead.others || lead.pairs < STATS_LEAST_PAIRS)
		count_lead(model, tally, lead.fastest);
	else
		tally->nobody++;
}

static void take_work(const struct model *model, struct tally *tally, uint32_t first)
{
	*tally = (struct tally) {.first = first, .pairs = UINT32_MAX};
	for (uint32_t i = first; i < model->n_cases; i++) {
		if (same_work(model, first, i) && is_first_of_value(model, i))
			take_value(model, tally, i);
	}
}

/* Who leads most often comes first. */
static uint32_t next_most(struct tally *tally)
{
	uint32_t most = 0;

	for (uint32_t i = 1; i < tally->n_models; i++)
		most = tally->leads[i] > tally->leads[most] ? i : most;
	return most;
}

static const char *swept_name(const struct model *model, const struct tally *tally)
{
	const struct variable *swept = model_swept(&model->cases[tally->first]);

	return swept ? swept->name : "it";
}

static void say_values(struct sentence *s, const struct model *model, const struct tally *tally)
{
	sentence_add(s, " of %u value%s of %s", tally->values, tally->values == 1 ? "" : "s",
		     swept_name(model, tally));
}

/* "threads lead at 7 of 11 values of size (real), processes at 2; no difference found at 2" */
static void say_leads(struct sentence *s, const struct model *model, struct tally *tally)
{
	bool real = tally->pairs >= STATS_LEAST_PAIRS;
	const char *verb = real ? " lead" : " led";
	bool said = false;

	for (uint32_t i = 0; i < tally->n_models; i++) {
		uint32_t most = next_most(tally);
		const char *label = model->cases[tally->models[most]].model;

		sentence_add(s, "%s%s%s%s at %u", said ? ", " : "", label, said ? "" : verb,
			     !said && real && strncmp(label, "hybrid", 6) == 0 ? "s" : "",
			     tally->leads[most]);
		if (!said) {
			say_values(s, model, tally);
			sentence_add(s, real ? " (real)" : "");
		}
		tally->leads[most] = 0;
		said = true;
	}
	if (said && tally->nobody > 0)
		sentence_add(s, "; no difference found at %u", tally->nobody);
	if (said)
		return;
	sentence_add(s, "no difference found at any");
	say_values(s, model, tally);
}

/* The first crossing of the first two models that do; at most one fits the line. */
static void say_crossover(struct sentence *s, const struct model *model, const struct tally *tally)
{
	char text[96];
	struct crossover found;
	size_t n = 0, begin;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (i == tally->first ||
		    !model_comparable(&model->cases[tally->first], &model->cases[i]))
			continue;
		if (model_crossovers(model, tally->first, i, METRIC_ELAPSED, &found, 1, &n) != 0 ||
		    n == 0)
			continue;
		sentence_add(s, " ");
		begin = s->used;
		sentence_add(s, "%s and %s cross at %s.", model->cases[tally->first].model,
			     model->cases[i].model,
			     model_crossover_text(&found, text, sizeof(text)));
		sentence_begin(s, begin);
		return;
	}
	sentence_add(s, " No crossover found.");
}

static void say_pairs(struct sentence *s, uint32_t pairs)
{
	sentence_add(s, " so far. %u %s: too few to call it real (%d needed).", pairs,
		     pairs == 1 ? "pair" : "pairs", STATS_LEAST_PAIRS);
}

static void say_one(struct sentence *s, const struct model *model, struct tally *tally)
{
	size_t begin = s->used;

	say_leads(s, model, tally);
	sentence_begin(s, begin);
	if (tally->pairs < STATS_LEAST_PAIRS) {
		say_pairs(s, tally->pairs);
		return;
	}
	sentence_add(s, ".");
	say_crossover(s, model, tally);
}

/* Whether no case before it does the same work. */
static bool is_first_of_work(const struct model *model, uint32_t icase)
{
	for (uint32_t i = 0; i < icase; i++) {
		if (same_work(model, i, icase))
			return false;
	}
	return true;
}

static bool is_over(const struct model *model)
{
	return model->done && model->done_ns <= model->now_ns;
}

/* "fp: no difference found at any of 7 values of workers. mem: threads lead at …" */
static void say_works(struct sentence *s, const struct model *model)
{
	struct tally tally;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (!is_first_of_work(model, i))
			continue;
		take_work(model, &tally, i);
		sentence_add(s, "%s%s: ", s->used ? " " : "", model_work(&model->cases[i]));
		if (tally.measured == 0)
			sentence_add(s, is_over(model) ? "no pair of trials was measured"
						       : "no pair of trials yet");
		else
			say_leads(s, model, &tally);
		if (tally.measured > 0 && tally.pairs < STATS_LEAST_PAIRS)
			sentence_add(s, " (%u of %d pairs)", tally.pairs, STATS_LEAST_PAIRS);
		sentence_add(s, ".");
	}
}

/* "processes 5 of 7", or what there is instead */
static void say_most(struct sentence *s, const struct model *model, struct tally *tally)
{
	uint32_t most = next_most(tally);

	if (tally->measured == 0)
		sentence_add(s, "?");
	else if (tally->n_models == 0)
		sentence_add(s, "no difference");
	else
		sentence_add(s, "%s %u of %u", model->cases[tally->models[most]].model,
			     tally->leads[most], tally->values);
}

void model_sweep_least(const struct model *model, struct sentence *sentence)
{
	struct tally tally;
	uint32_t pairs = STATS_LEAST_PAIRS;
	const char *work;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (!is_first_of_work(model, i))
			continue;
		take_work(model, &tally, i);
		work = model_work(&model->cases[i]);
		sentence_add(sentence, "%s%s%s", sentence->used ? ", " : "", work,
			     *work ? ": " : "");
		say_most(sentence, model, &tally);
		if (tally.measured > 0 && tally.pairs < pairs)
			pairs = tally.pairs;
	}
	if (pairs < STATS_LEAST_PAIRS)
		sentence_add(sentence, " (%u of %d pairs)", pairs, STATS_LEAST_PAIRS);
}

/* Whether there is anything to compare at all. */
static bool has_pairs(const struct model *model)
{
	for (uint32_t i = 1; i < model->n_cases; i++) {
		if (!is_first_of_value(model, i))
			return true;
	}
	return false;
}

void model_sweep_verdict(const struct model *model, struct sentence *sentence)
{
	struct tally tally;

	if (!has_pairs(model)) {
		sentence_add(sentence, "One model alone: nothing to compare at the same value.");
		return;
	}
	if (*model_work(&model->cases[0])) {
		say_works(sentence, model);
		return;
	}
	take_work(model, &tally, 0);
	if (tally.measured > 0)
		say_one(sentence, model, &tally);
	else
		sentence_add(sentence,
			     is_over(model) ? "No pair of trials was measured: nothing to compare."
					    : "Measuring: the first pair is not complete yet.");
}
