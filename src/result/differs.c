/* SPDX-License-Identifier: MIT */
#include "result/differs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_line.h"
#include "result/report.h"
#include "result/task.h"
#include "model/model_parts.h"
#include "model/model_lanes.h"

/*
 * SHARE_LEAST: smallest share that is named. A part whose share is between SHARE_ALL and SHARE_MORE
 * counts as all of the difference.
 */
#define SHARE_LEAST 0.2
#define SHARE_ALL   0.995
#define SHARE_MORE  1.05
/* If one part is all of the difference, other parts are mentioned from this share on. */
#define SHARE_OTHER 0.05

static bool runs_program(const struct model *model, uint32_t case_id)
{
	const struct plan *plan = &model->cases[case_id].plan;

	return plan->leaves[WORK_PROGRAM] > 0 && plan->leaves[WORK_PROGRAM] == plan_leaves(plan);
}

static bool is_wait(enum model_metric part)
{
	return part != METRIC_ON_CORE && part != METRIC_FOR_CORE;
}

/* Why the paths through the tasks are unknown. */
static enum reason find_unknown(const struct model *model)
{
	if (strcmp(model->session.sched, "off") == 0)
		return REASON_SCHED_OFF;
	if (model_tasks_sampled(model))
		return REASON_SAMPLED_STATES;
	for (size_t i = 0; i < model->n_runs; i++)
		if (model->runs[i].totals.slices_lost > 0 && model_measured(model, &model->runs[i]))
			return REASON_SLICES_LOST;
	return REASON_NOT_KNOWN;
}

/* The median of a case's part; 0 if there is none. */
static double median_of(const struct model *model, uint32_t case_id, enum model_metric metric)
{
	double *room = calloc(model->n_runs + 1, sizeof(*room)), median = NAN;

	if (room)
		median = model_median(model, case_id, metric, room, NULL);
	free(room);
	if (isnan(median))
		return 0;
	return median;
}

/*
 * Time blocked for an unknown cause. Any wait may be longer by this time, so it is 0 for parts that
 * are no waits.
 */
static double doubt_of(const struct differs *differs, const struct differs_part *part)
{
	if (is_wait(part->difference.metric))
		return differs->unknown_ns;
	return 0;
}

/* Whether the interval excludes 0 on the side of `sign` by more than the doubt. */
static bool excludes_zero(const struct stats_interval *ratio, double sign, double doubt)
{
	if (sign > 0)
		return ratio->low - doubt > 0;
	return ratio->high + doubt < 0;
}

/*
 * Judges a part. A wait is significant only if its interval excludes 0 both with and without the
 * time blocked for an unknown cause.
 */
static void judge_part(const struct differs *differs, struct differs_part *part)
{
	const struct stats_interval *ratio = &part->difference.ratio;
	const double whole = differs->whole.ratio.estimate;
	const double doubt = doubt_of(differs, part);

	part->share = ratio->estimate / whole;
	if (part->difference.metric == METRIC_ON_UNKNOWN || !excludes_zero(ratio, whole, 0))
		return;
	if (!excludes_zero(ratio, whole, doubt) || doubt > SHARE_LEAST * fabs(whole))
		part->reason = REASON_SHORT_WAITS;
	else
		part->named = part->share >= SHARE_LEAST;
}

/* Judges the time blocked on anything, if no single wait is named. */
static void judge_blocked(struct differs *differs)
{
	struct differs_part *blocked = &differs->blocked;
	const struct stats_interval *ratio = &blocked->difference.ratio;
	const double whole = differs->whole.ratio.estimate;

	blocked->share = ratio->estimate / whole;
	blocked->named = blocked->difference.pairs == differs->whole.pairs &&
			 blocked->share >= SHARE_LEAST && excludes_zero(ratio, whole, 0);
	for (uint32_t i = 0; i < differs->n; i++)
		if (differs->parts[i].named && is_wait(differs->parts[i].difference.metric))
			blocked->named = false;
}

/* Whether a part is a wait whose time is named only together with the other waits. */
static bool is_merged(const struct differs *differs, const struct differs_part *part)
{
	return differs->blocked.named && is_wait(part->difference.metric);
}

/* Why no part is named; REASON_NONE if at least one is. */
static enum reason why_none_is_named(const struct differs *differs)
{
	enum reason reason = REASON_SCATTERED;

	if (differs->blocked.named)
		return REASON_NONE;
	for (uint32_t i = 0; i < differs->n; i++) {
		if (differs->parts[i].named)
			return REASON_NONE;
		if (differs->parts[i].reason && differs->parts[i].share >= SHARE_LEAST)
			reason = differs->parts[i].reason;
	}
	return reason;
}

static bool is_lock(int waited)
{
	return waited == WAIT_GIL || waited > WAIT_LOCK;
}

/*
 * The lock on which the tasks of a case were blocked for more than half of the time whose cause was
 * read, in the trial nearest to the medians; 0 if there is none. Waits for a child or a thread are
 * not counted, because they are parts of their own.
 */
static int find_lock(const struct model *model, uint32_t case_id)
{
	const struct model_trial trial = model_trial_typical(model, case_id);
	const struct model_run *run = model_trial_run(model, &trial, case_id);
	struct model_wait waits[TASK_WAITS];
	double all = 0, most = 0;
	size_t n = 0;
	int lock = 0;

	if (!run)
		return 0;
	for (uint32_t i = run->n_workers; i < task_count(model, run); i++)
		n = model_waits_add(model, run, i, waits, n, TASK_WAITS);
	for (size_t i = 0; i < n; i++) {
		const int waited = waits[i].waited;

		if (waited <= WAIT_SEVERAL || waited == WAIT_CHILD || waited == WAIT_THREAD)
			continue;
		all += waits[i].ns;
		if (!is_lock(waited) || waits[i].ns <= most)
			continue;
		most = waits[i].ns;
		lock = waited;
	}
	if (most > all / 2)
		return lock;
	return 0;
}

static uint32_t slower_of(const struct model_comparison *whole)
{
	if (whole->ratio.estimate > 0)
		return whole->b;
	return whole->a;
}

bool differs_read(const struct model *model, uint32_t a, uint32_t b, struct differs *out)
{
	*out = (struct differs) {.reason = find_unknown(model)};
	if (model->n_cases > 2)
		snprintf(out->between, sizeof(out->between), " between %s and %s",
			 MODEL_CASE_NAME(model, a), MODEL_CASE_NAME(model, b));
	if (!*model->session.tasks_by || !runs_program(model, a) || !runs_program(model, b) ||
	    model_compare(model, a, b, METRIC_PATH, &out->whole) ||
	    model_compare(model, a, b, METRIC_ELAPSED, &out->elapsed))
		return false;
	for (int i = 0; i < PROGRAM_PARTS; i++) {
		struct differs_part *part = &out->parts[i];

		if (model_compare(model, a, b, (enum model_metric)(METRIC_ON_CORE + i),
				  &part->difference))
			return false;
		part->share = NAN;
		/*
		 * A part that is unknown in some pairs of trials cannot be compared with the whole.
		 */
		if (part->difference.pairs != out->whole.pairs ||
		    isnan(part->difference.ratio.estimate))
			return true;
	}
	if (model_compare(model, a, b, METRIC_BLOCKED, &out->blocked.difference))
		return false;
	out->n = PROGRAM_PARTS;
	out->unknown_ns =
		median_of(model, a, METRIC_ON_UNKNOWN) + median_of(model, b, METRIC_ON_UNKNOWN);
	out->reason = REASON_NOT_REAL;
	/* Without a significant difference there is nothing to explain. */
	if (out->whole.verdict != out->elapsed.verdict ||
	    (out->elapsed.verdict != STATS_A && out->elapsed.verdict != STATS_B))
		return true;
	for (uint32_t i = 0; i < out->n; i++)
		judge_part(out, &out->parts[i]);
	judge_blocked(out);
	if (out->blocked.named)
		out->lock = find_lock(model, slower_of(&out->whole));
	out->reason = why_none_is_named(out);
	return true;
}

/* The named part with the largest share, except the part `but`; NULL if none. */
static const struct differs_part *next_part(const struct differs *differs,
					    const struct differs_part *but)
{
	const struct differs_part *found = NULL;

	for (uint32_t i = 0; i < differs->n; i++) {
		const struct differs_part *part = &differs->parts[i];

		if (part->named && part != but && (!found || part->share > found->share))
			found = part;
	}
	if (differs->blocked.named && but != &differs->blocked &&
	    (!found || differs->blocked.share > found->share))
		found = &differs->blocked;
	return found;
}

/*
 * The significant part that offsets most of the difference: a part on which the faster case spends
 * more.
 */
static const struct differs_part *find_offset(const struct differs *differs)
{
	const double sign = copysign(1, differs->whole.ratio.estimate);
	const struct differs_part *found = NULL;

	for (uint32_t i = 0; i < differs->n; i++) {
		const struct differs_part *part = &differs->parts[i];

		if (part->difference.metric == METRIC_ON_UNKNOWN || is_merged(differs, part) ||
		    !excludes_zero(&part->difference.ratio, -sign, doubt_of(differs, part)))
			continue;
		if (!found || part->share < found->share)
			found = part;
	}
	return found;
}

/* Whether other parts than this one differ, in both directions. */
static bool others_cancel(const struct differs *differs, const struct differs_part *but)
{
	for (uint32_t i = 0; i < differs->n; i++)
		if (&differs->parts[i] != but && !is_merged(differs, &differs->parts[i]) &&
		    fabs(differs->parts[i].share) > SHARE_OTHER)
			return true;
	return false;
}

static const char *part_words(const struct differs_part *part)
{
	if (part->difference.metric == METRIC_BLOCKED)
		return "time blocked";
	return metric_table[part->difference.metric].words;
}

/* Says on what the tasks were blocked, if only the time for all waits together is named. */
static void add_blocked_on(struct sentence *s, const struct differs *differs)
{
	if (!differs->blocked.named)
		return;
	if (differs->lock)
		sentence_add(s,
			     " As far as the causes are known, most of that time was spent waiting "
			     "for %s.",
			     SAMPLE_WAIT(differs->lock));
	else if (differs->parts[PROGRAM_UNKNOWN].share >= SHARE_LEAST)
		sentence_add(s, " The waits were too short for their causes to be read.");
}

static void add_shares(struct sentence *s, const struct differs *differs,
		       const struct differs_part *first)
{
	const struct differs_part *second;
	const double sign = copysign(1, differs->whole.ratio.estimate);
	long percent, both;

	second = next_part(differs, first);
	if (first->share > SHARE_MORE) {
		const struct differs_part *offset = find_offset(differs);

		sentence_add(
			s, "More than 100 %% of the difference%s is %s (%s against a total of %s)",
			differs->between, part_words(first),
			UNITS_CHANGE(sign * first->difference.ratio.estimate),
			UNITS_CHANGE(fabs(differs->whole.ratio.estimate)));
		if (offset)
			sentence_add(s, ", partly offset by %s (%s)", part_words(offset),
				     UNITS_CHANGE(sign * offset->difference.ratio.estimate));
		sentence_add(s, ".");
		return;
	}
	percent = lrint(100 * first->share);
	if (first->share > SHARE_ALL && others_cancel(differs, first))
		sentence_add(s, "All of the difference%s is %s; the other parts cancel out.",
			     differs->between, part_words(first));
	else if (first->share > SHARE_ALL)
		sentence_add(s, "All of the difference%s is %s.", differs->between,
			     part_words(first));
	else if (!second)
		sentence_add(s, "%ld %% of the difference%s is %s.", percent, differs->between,
			     part_words(first));
	if (first->share > SHARE_ALL || !second)
		return;
	/* Round the sum, so that the two shares do not add up to 101 %. */
	both = lrint(100 * (first->share + second->share));
	sentence_add(s, "%ld %% of the difference%s is %s, and %ld %% %s", percent,
		     differs->between, part_words(first), both - percent, part_words(second));
	if (both > 100)
		sentence_add(s, "; the other parts offset %ld %%", both - 100);
	sentence_add(s, ".");
}

char *differs_sentence(const struct differs *differs, char *buf, size_t size)
{
	const struct differs_part *first = next_part(differs, NULL);
	struct sentence s = sentence_in(buf, size);

	buf[0] = '\0';
	if (!first)
		return buf;
	add_shares(&s, differs, first);
	add_blocked_on(&s, differs);
	return buf;
}

/* Sampled states do not explain a difference, but show for which lock the tasks waited. */
static void add_sampled_lock(struct sentence *s, const struct model *model, uint32_t case_id)
{
	const int lock = find_lock(model, case_id);

	if (lock)
		sentence_add(s, " In these samples, the tasks of %s were blocked most on %s.",
			     MODEL_CASE_NAME(model, case_id), SAMPLE_WAIT(lock));
}

/* Least ratio of CPU times that explains why tasks wait longer for a core. */
#define MORE_CPU 1.1

double differs_more_cpu(const struct model *model, uint32_t shorter, uint32_t longer)
{
	struct model_comparison cpu;

	if (!runs_program(model, shorter) || !runs_program(model, longer) ||
	    model_compare(model, shorter, longer, METRIC_CPU, &cpu) || cpu.verdict != STATS_A ||
	    cpu.ratio.estimate < MORE_CPU)
		return 0;
	return cpu.ratio.estimate;
}

/*
 * If tasks waited longer for a core, says first how much more CPU time the slower program needs,
 * because its tasks wait for each other.
 */
static void add_more_cpu(struct sentence *s, const struct model *model,
			 const struct differs *differs)
{
	const uint32_t longer = slower_of(&differs->whole);
	const uint32_t shorter = longer == differs->whole.a ? differs->whole.b : differs->whole.a;
	const double more = differs_more_cpu(model, shorter, longer);

	if (differs->parts[PROGRAM_RUNNABLE].named && more > 0)
		sentence_add(s, "%s needs %sx the CPU time. ", MODEL_CASE_NAME(model, longer),
			     CLAIM_TIMES(more));
}

bool differs_of_session(const struct model *model, char *buf, size_t size)
{
	struct model_comparison elapsed;
	struct differs differs;
	struct sentence s = sentence_in(buf, size);
	char text[WHY_TEXT];
	uint32_t a, b;

	buf[0] = '\0';
	if (!model_parts_pair(model, &a, &b))
		return false;
	if (differs_read(model, a, b, &differs) &&
	    *differs_sentence(&differs, text, sizeof(text))) {
		add_more_cpu(&s, model, &differs);
		sentence_add(&s, "%s", text);
		return true;
	}
	if (differs.reason == REASON_NONE || differs.reason == REASON_NOT_KNOWN ||
	    !runs_program(model, a) || !runs_program(model, b) ||
	    model_compare(model, a, b, METRIC_ELAPSED, &elapsed) ||
	    (elapsed.verdict != STATS_A && elapsed.verdict != STATS_B))
		return false;
	sentence_add(&s, "tuibench cannot explain the difference%s: %s.", differs.between,
		     reason_sentence(differs.reason));
	/* STATS_A: the first case is faster. */
	if (differs.reason == REASON_SAMPLED_STATES && elapsed.verdict == STATS_A)
		add_sampled_lock(&s, model, b);
	else if (differs.reason == REASON_SAMPLED_STATES)
		add_sampled_lock(&s, model, a);
	return false;
}
