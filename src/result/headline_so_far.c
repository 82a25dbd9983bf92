/* SPDX-License-Identifier: MIT */
#include "headline_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <sys/param.h>

#include "model/model.h"
#include "result/report.h"

enum { SO_FAR_MODELS = 8 };

/* At how many values each model has been faster than all others, while trials go on. */
struct so_far {
	struct so_far_model {
		uint32_t case_id; /* The model's first case. */
		/*
		 * Numbers of values at which the model is fastest. looks: not decided yet. is:
		 * decided.
		 */
		uint32_t looks, is;
	} models[SO_FAR_MODELS];
	/*
	 * n: number of models. all: number of values. looks, is: as in struct so_far_model, summed
	 * over all models. same: number of comparisons whose cases are equivalent.
	 */
	uint32_t n, all, looks, is, same;
	uint32_t even; /* Number of values at which no model looks faster. */
	uint32_t most; /* Largest number of models at a value. */
};

/*
 * Whether a case has another model than the reference, at the same value, and is compared with it.
 */
static bool is_at_value(const struct answer *answer, const struct model *model, uint32_t case_id,
			uint32_t reference)
{
	const struct answer_row *row = &answer->rows[case_id];

	return row->reference == reference && answer_compares_models(model, row);
}

/* Whether the ratio of each case that is compared with a reference is known. */
static bool ratios_are_known(const struct answer *answer, const struct model *model,
			     uint32_t reference)
{
	for (uint32_t i = 0; i < answer->n_rows; i++)
		if (is_at_value(answer, model, i, reference) &&
		    isnan(answer->rows[i].cells[0].ratio.estimate))
			return false;
	return true;
}

/*
 * The fastest case so far among those compared with a reference; UINT32_MAX if two are equally
 * fast.
 */
static uint32_t fastest_so_far(const struct answer *answer, const struct model *model,
			       uint32_t reference)
{
	uint32_t fastest = reference;
	double least = 1;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const double ratio = answer->rows[i].cells[0].ratio.estimate;

		if (!is_at_value(answer, model, i, reference))
			continue;
		if (ratio < least)
			fastest = i;
		else if (ratio == least)
			fastest = UINT32_MAX;
		least = fmin(least, ratio);
	}
	return fastest;
}

/*
 * Whether the median of the fastest case is so far below all others at its value that a reader of
 * the table sees that, too.
 */
static bool is_visibly_fastest(const struct answer *answer, const struct model *model,
			       uint32_t reference, uint32_t fastest)
{
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const double median = answer->rows[i].cells[0].median;

		if (i == fastest || (i != reference && !is_at_value(answer, model, i, reference)))
			continue;
		if (!(median > MODEL_MARGIN * answer->rows[fastest].cells[0].median))
			return false;
	}
	return true;
}

/*
 * Whether the fastest case is faster than every other at its value in each pair of trials. With few
 * trials, medians alone differ by chance.
 */
static bool is_always_fastest(const struct answer *answer, const struct model *model,
			      uint32_t reference, uint32_t fastest)
{
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		struct model_comparison comparison;
		struct pairs pairs = {NULL};
		bool always;

		if (i == fastest || (i != reference && !is_at_value(answer, model, i, reference)))
			continue;
		always = !model_compare(model, fastest, i, answer->metrics[0], &comparison) &&
			 !pairs_read(&pairs, model, &comparison);
		for (size_t k = 0; k < pairs.n && always; k++)
			always = pairs.ratios[k] < 1;
		pairs_free(&pairs);
		if (!always)
			return false;
	}
	return true;
}

/* Counts the value of a reference. */
static void so_far_add(struct so_far *so_far, const struct answer *answer,
		       const struct model *model, uint32_t reference)
{
	uint32_t others = 0, real = 0, same = 0, fastest;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const enum answer_state state = answer->rows[i].cells[0].state;

		if (!is_at_value(answer, model, i, reference))
			continue;
		others++;
		real += state == ANSWER_REAL;
		same += state == ANSWER_SAME;
	}
	so_far->all += others > 0;
	so_far->same += same;
	so_far->is += real;
	so_far->most = MAX(so_far->most, others + 1);
	if (others == 0 || same > 0 || !ratios_are_known(answer, model, reference))
		return;
	fastest = fastest_so_far(answer, model, reference);
	if (real == 0 &&
	    (fastest == UINT32_MAX || !is_visibly_fastest(answer, model, reference, fastest) ||
	     !is_always_fastest(answer, model, reference, fastest))) {
		so_far->even++;
		return;
	}
	so_far->looks += real == 0;
	for (uint32_t i = 0; i < so_far->n; i++) {
		struct so_far_model *of = &so_far->models[i];

		if (fastest == UINT32_MAX || model_first_alike(model, fastest) != of->case_id)
			continue;
		of->is += real;
		of->looks += real == 0;
	}
}

/* Sorts models: first the one that looks fastest at the largest number of values. */
static int by_looks(const void *a, const void *b)
{
	const struct so_far_model *left = a, *right = b;

	if (left->looks != right->looks)
		return left->looks < right->looks ? 1 : -1;
	return left->case_id < right->case_id ? -1 : 1;
}

/* If the work varies, adds " (3 kinds of work)" after the first number of values. */
static void add_kinds(struct sentence *s, const struct model *model)
{
	const uint32_t kinds = headline_kinds_of_work(model);

	if (kinds > 1)
		FILL(s, N_(" ({kinds} kinds of work)"), {"kinds", NUMBER(kinds)});
}

/* Adds "threads are faster at 3 of 12, processes at 1, same at 2". */
static void add_is_faster(struct sentence *s, const struct so_far *so_far,
			  const struct model *model)
{
	const char *same = N_("same at {n} of {all}");
	const char *text;
	bool begins = s->used == 0;

	for (uint32_t i = 0; i < so_far->n; i++) {
		const struct so_far_model *of = &so_far->models[i];
		const char *name = model->cases[of->case_id].model;

		if (of->is == 0)
			continue;
		if (report_name_is_plural(name))
			text = N_("{a} are faster at {n} of {all}");
		else
			text = N_("{a} is faster at {n} of {all}");
		if (!begins)
			text = N_(", {a} at {n}");
		FILL(s, text, {"a", name}, {"n", NUMBER(of->is)}, {"all", NUMBER(so_far->all)});
		if (begins)
			add_kinds(s, model);
		begins = false;
	}
	if (!begins)
		same = N_(", same at {n}");
	if (so_far->same == 0)
		return;
	FILL(s, same, {"n", NUMBER(so_far->same)}, {"all", NUMBER(so_far->all)});
	if (begins)
		add_kinds(s, model);
}

/* Adds "So far threads look faster at 3 of 12, processes at 1, unclear at 8; no winner yet". */
static void add_looks_faster(struct sentence *s, const struct so_far *so_far,
			     const struct model *model)
{
	const char *how = so_far->most > 2 ? N_("fastest") : N_("faster");
	const bool decided = s->used > 0;
	bool begins = true;
	const char *text;

	for (uint32_t i = 0; i < so_far->n; i++) {
		const struct so_far_model *of = &so_far->models[i];
		const char *name = model->cases[of->case_id].model;
		const bool plural = report_name_is_plural(name);

		if (of->looks == 0)
			continue;
		if (!begins)
			text = N_(", {a} at {n}");
		else if (decided && plural)
			text = N_("; so far {a} look {how} at {n} more");
		else if (decided)
			text = N_("; so far {a} looks {how} at {n} more");
		else if (plural)
			text = N_("So far {a} look {how} at {n} of {all}");
		else
			text = N_("So far {a} looks {how} at {n} of {all}");
		FILL(s, text, {"a", name}, {"how", headline_text(how)}, {"n", NUMBER(of->looks)},
		     {"all", NUMBER(so_far->all)});
		if (begins && !decided)
			add_kinds(s, model);
		begins = false;
	}
	if (!begins)
		text = N_(", unclear at {n}");
	else if (decided)
		text = N_("; so far unclear at {n} more");
	else
		text = N_("So far unclear at {n} of {all}");
	if (so_far->even > 0)
		FILL(s, text, {"n", NUMBER(so_far->even)}, {"all", NUMBER(so_far->all)});
	if (begins && !decided)
		add_kinds(s, model);
	if (!decided)
		HEADLINE_ADD(s, N_("; no winner yet"));
}

/*
 * Whether it is too early to name one of two models: each looks faster at some value, or one looks
 * faster at less than a quarter of the values. By chance, medians of few trials give such a result.
 */
static bool is_too_early(const struct so_far *so_far)
{
	uint32_t models = 0;

	if (so_far->most > 2 || so_far->is + so_far->same > 0)
		return false;
	for (uint32_t i = 0; i < so_far->n; i++)
		models += so_far->models[i].looks > 0;
	return models > 1 || so_far->looks * 4 < so_far->all;
}

static bool has_ratio(const struct answer *answer)
{
	for (uint32_t i = 0; i < answer->n_rows; i++)
		if (!isnan(answer->rows[i].cells[0].ratio.estimate))
			return true;
	return false;
}

/* Adds "; threads look faster at 3 of 12, processes at 1". */
static void add_looks_after_growth(struct sentence *s, const struct so_far *so_far,
				   const struct model *model)
{
	const char *how = so_far->most > 2 ? N_("fastest") : N_("faster");
	const char *text = N_("; {a} looks {how} at {n} of {all}");
	bool begins = true;

	for (uint32_t i = 0; i < so_far->n; i++) {
		const struct so_far_model *of = &so_far->models[i];
		const char *name = model->cases[of->case_id].model;

		if (of->looks == 0)
			continue;
		if (begins && report_name_is_plural(name))
			text = N_("; {a} look {how} at {n} of {all}");
		else if (!begins)
			text = N_(", {a} at {n}");
		FILL(s, text, {"a", name}, {"how", headline_text(how)}, {"n", NUMBER(of->looks)},
		     {"all", NUMBER(so_far->all)});
		begins = false;
	}
}

/* Adds, after the growth, where a model is or looks faster. */
static void add_after_growth(struct sentence *s, const struct so_far *so_far,
			     const struct answer *answer, const struct model *model)
{
	struct sentence decided = SENTENCE(HEADLINE_TEXT);

	add_is_faster(&decided, so_far, model);
	if (decided.used > 0) {
		sentence_add(s, "; %s", decided.buf);
		return;
	}
	if (is_too_early(so_far) && headline_ahead(s, answer, model))
		return;
	if (!is_too_early(so_far))
		add_looks_after_growth(s, so_far, model);
	HEADLINE_ADD(s, N_("; no winner yet"));
}

bool headline_so_far(struct sentence *s, const struct answer *answer, const struct model *model)
{
	struct so_far so_far = {.n = 0};

	if (answer->state != ANSWER_MEASURING || !headline_is_time(answer->metrics[0]))
		return false;
	for (uint32_t i = 0; i < model->n_cases; i++) {
		if (model_first_alike(model, i) != i)
			continue;
		if (so_far.n == SO_FAR_MODELS)
			return false;
		so_far.models[so_far.n++] = (struct so_far_model) {i, 0, 0};
	}
	for (uint32_t i = 0; i < answer->n_rows; i++)
		so_far_add(&so_far, answer, model, i);
	if (so_far.all > 0 && !has_ratio(answer)) {
		headline_no_trial(s, model);
		return true;
	}
	if (so_far.all > 0 && headline_places_so_far(s, answer, model))
		return true;
	if (so_far.looks + so_far.even == 0 || (so_far.most > 2 && so_far.is + so_far.same > 0))
		return false;
	if (headline_growth(s, answer, model, true)) {
		add_after_growth(s, &so_far, answer, model);
		return true;
	}
	if (is_too_early(&so_far)) {
		FILL(s, N_("So far no winner in {all} comparisons"), {"all", NUMBER(so_far.all)});
		add_kinds(s, model);
		headline_ahead(s, answer, model);
		return true;
	}
	add_is_faster(s, &so_far, model);
	qsort(so_far.models, so_far.n, sizeof(so_far.models[0]), by_looks);
	add_looks_faster(s, &so_far, model);
	return true;
}
