/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"
#include "view_cache.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "core/comparison.h"
#include "result/finding.h"

static void cache_drop_tables(struct view_cache *cache)
{
	for (int id = 0; id < TABLES; id++)
		table_free(&cache->tables[id]);
	cache->made_tables = 0;
}

const struct table *view_cache_table(struct view_cache *cache, const struct model *model,
				     enum table_id id)
{
	if (!(cache->made_tables & (1u << id)) && table_build(model, id, &cache->tables[id]))
		table_free(&cache->tables[id]);
	cache->made_tables |= 1u << id;
	return &cache->tables[id];
}

static void cache_free_rows(struct view_rows *rows)
{
	for (uint32_t i = 0; rows && i < rows->n_cases; i++) {
		struct view_case *kept = &rows->cases[i];

		free(kept->cells.cells);
		free(kept->cells.rows);
		free(kept->alive.values);
		free(kept->stands.values);
		free(kept->order.places);
		free(kept->tasks.rows);
		free(kept->tasks.order);
	}
	free(rows);
}

void view_cache_free(struct view_cache *cache)
{
	if (!cache)
		return;
	cache_free_rows(cache->rows);
	for (size_t i = 0; i < VIEW_READINGS; i++)
		free(cache->readings[i].found);
	free(cache->cpus);
	free(cache->sweep);
	answer_free(&cache->answer);
	cache_drop_tables(cache);
	free(cache);
}

void *view_cache_reading(struct view_cache *cache, const struct view_reading_of *of,
			 void (*find)(const void *arg, void *found), const void *arg)
{
	struct view_reading *reading;

	for (size_t i = 0; i < MIN(cache->n_readings, VIEW_READINGS); i++)
		if (memcmp(&cache->readings[i].of, of, sizeof(*of)) == 0)
			return cache->readings[i].found;
	reading = &cache->readings[cache->n_readings++ % VIEW_READINGS];
	free(reading->found);
	reading->of = *of;
	reading->found = calloc(1, of->size);
	if (reading->found && find)
		find(arg, reading->found);
	return reading->found;
}

enum model_metric view_headline(const struct model *model)
{
	if (model_has_faults(model))
		return METRIC_SURVIVED;
	return model_headline(model);
}

void view_newest_values(const struct model *model, enum model_metric metric,
			double newest[SAMPLE_MAX_CASES])
{
	for (uint32_t i = 0; i < model->n_cases; i++)
		newest[i] = NAN;
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];

		if (model_ended(model, run) && run->totals.status == SAMPLE_OK &&
		    !run->totals.paused)
			newest[run->id.case_id] = metric_value(run, metric);
	}
}

/*
 * While a session that only compares models is running: the model as of the end of its last
 * complete trial, stored in *room. Otherwise the model itself. Whether a trial counts is known only
 * at its end, so figures of an incomplete trial might have to be withdrawn.
 */
static const struct model *cache_settled(const struct model *model, struct model *room)
{
	size_t n;

	if (model_over(model) || model_sweeps(model) || model->n_cases == 0)
		return model;
	/*
	 * Find the newest run that completed a trial. The source numbers runs so that each trial
	 * has n_cases of them.
	 */
	n = model_runs_begun(model);
	while (n > 0 && ((model->runs[n - 1].id.run + 1) % model->n_cases > 0 ||
			 !model_ended(model, &model->runs[n - 1])))
		n--;
	*room = model_as_of(model, n > 0 ? model->runs[n - 1].end_ns : 0);
	return room;
}

struct view_median view_cache_median(struct view_cache *cache, const struct model *model,
				     uint32_t case_id)
{
	struct view_median *median = &cache->medians[case_id % VIEW_PRESENTED];
	struct report_summary summary;
	struct model_fault fault;
	struct model room;

	if (median->read && median->case_id == case_id)
		return *median;
	/*
	 * All medians are of the same moment, although each median is first asked for at a
	 * different moment.
	 */
	room = model_as_of(model, MIN(cache->as_of_ns, model->now_ns));
	model = &room;
	*median = (struct view_median) {
		.case_id = case_id, .read = true, .value = NAN, .caller = NAN};
	if (report_summarize(model, case_id, view_headline(model), &summary) == 0) {
		median->trials = summary.n;
		median->value = summary.median.estimate;
	}
	if (model_times_each(model) && model->cases[case_id].plan.primitive != PLAN_CALL &&
	    report_summarize(model, case_id, METRIC_CALLER, &summary) == 0)
		median->caller = summary.median.estimate;
	if (model_has_faults(model) && model_fault_read(model, case_id, &fault) == 0)
		median->workers = fault.workers;
	return *median;
}

void view_cache_lead(struct view_headline *headline, const struct model *model,
		     enum model_metric metric)
{
	struct finding_lead lead;
	uint32_t cases[SAMPLE_MAX_CASES], n = 0;

	headline->decided = headline->slight = false;
	for (uint32_t i = 0; i < model->n_cases; i++)
		if (i == 0 || model_compares(model, 0, i))
			cases[n++] = i;
	if (n == model->n_cases && n > 1 && finding_among(model, cases, n, metric, &lead) == 0) {
		headline->decided = lead.sure == FINDING_REAL;
		headline->slight = answer_is_slight(lead.next.ratio.estimate);
		headline->leader = lead.lead;
	}
}

const struct view_headline *view_cache_memory(struct view_cache *cache, const struct model *model)
{
	struct view_headline *memory = &cache->memory;

	if (!memory->made) {
		memory->state = headline_memory(model, &memory->metric, memory->sentence,
						sizeof(memory->sentence));
		view_cache_lead(memory, model, memory->metric);
		memory->made = true;
	}
	return memory;
}

/*
 * Writes after the badge of the recording's end the mark of the model that is faster, "FASTER ●",
 * and apart from that by how much, "1.02x".
 */
static void cache_mark_winner(struct view_cache *cache, const struct answer *answer,
			      const struct model *model)
{
	struct view_headline lead = {.leader = 0};
	const struct answer_row *row = answer_foremost(answer, model);
	const size_t n = strlen(cache->ends);
	char mark[UTF8_BYTES];

	if (answer->state != ANSWER_REAL || answer->n_metrics == 0)
		return;
	view_cache_lead(&lead, model, answer->metrics[0]);
	if (!lead.decided)
		return;
	snprintf(cache->ends + n, sizeof(cache->ends) - n, " %s",
		 utf8_put(view_shape(model, lead.leader), mark));
	if (row && model->n_cases == 2 && isfinite(row->cells[0].ratio.estimate))
		snprintf(cache->ends_by, sizeof(cache->ends_by), "%sx",
			 CLAIM_TIMES(row->cells[0].ratio.estimate));
}

const char *view_cache_ends(const struct view_frame *frame)
{
	struct view_cache *cache = frame->cache;
	const struct model *model = frame->model;
	struct answer answer;
	struct model whole;

	if (!view_replays(frame) || frame->state->clock.reading || frame->state->vote ||
	    frame->state->lecture.heading)
		return "";
	if (cache->ends_ns == model->newest_ns)
		return cache->ends;
	cache->ends[0] = cache->ends_by[0] = '\0';
	cache->ends_ns = model->newest_ns;
	whole = model_as_of(model, model->newest_ns);
	if (answer_read(&answer, &whole) == 0) {
		headline_badge(&answer, &whole, cache->ends, sizeof(cache->ends));
		cache->ends_state = headline_state(&answer, &whole);
		cache_mark_winner(cache, &answer, &whole);
	}
	answer_free(&answer);
	return cache->ends;
}

const struct why *view_cache_why(struct view_cache *cache, const struct model *model)
{
	if (!cache->made_why)
		why_find(model, &cache->why);
	cache->made_why = true;
	return &cache->why;
}

bool view_cache_runs_why(struct view_cache *cache, const struct model *model, bool live)
{
	const struct why *why = view_cache_why(cache, model);
	uint32_t outside = 0;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		outside += model->cases[i].plan.leaves[WORK_PROGRAM];
		outside += model->cases[i].plan.leaves[WORK_OWN];
	}
	return why->has_cause && *why->cause.options && (live || outside == 0);
}

double view_cache_overhead(struct view_cache *cache, const struct model *model, bool of_terminal)
{
	if (!cache->made_overhead) {
		cache->overhead[0] = report_overhead_share(model, METRIC_SELF_CPU);
		cache->overhead[1] = report_overhead_share(model, METRIC_TERMINAL_CPU);
	}
	cache->made_overhead = true;
	return cache->overhead[of_terminal];
}

/* Keeps the previous medians, so that bars can move from their old lengths. */
static void cache_keep_medians(struct view_cache *cache)
{
	const struct answer *answer = &cache->answer;

	for (int m = 0; m < INTERIM_METRICS_MOST; m++)
		for (int i = 0; i < VIEW_RACERS; i++)
			cache->was[m][i] = NAN;
	if (!answer->rows)
		return;
	for (uint32_t i = 0; i < answer->n_rows; i++) {
		for (uint32_t m = 0; m < answer->n_metrics; m++)
			if (answer->rows[i].case_id < VIEW_RACERS)
				cache->was[m][answer->rows[i].case_id] =
					answer->rows[i].cells[m].median;
	}
}

/*
 * The row whose comparison is drawn: the row of the leader, which the sentence names, or else the
 * row that answer_foremost() chooses.
 */
static const struct answer_row *cache_drawn_row(const struct view_cache *cache,
						const struct model *model)
{
	const struct view_headline *headline = &cache->headline;
	const struct answer *answer = &cache->answer;

	for (uint32_t i = 0; i < answer->n_rows; i++) {
		const struct answer_row *row = &answer->rows[i];

		if (headline->decided && row->case_id == headline->leader &&
		    row->reference != row->case_id)
			return row;
	}
	return answer_foremost(answer, model);
}

static void cache_answer(struct view_cache *cache, const struct model *model)
{
	char badge[HEADLINE_BADGE], text[HEADLINE_TEXT];
	struct view_headline *headline = &cache->headline;
	const bool compared = !model_has_faults(model);
	const struct answer_row *row = NULL;
	struct answer *answer = &cache->answer;

	cache_keep_medians(cache);
	answer_free(answer);

	snprintf(headline->sentence, sizeof(headline->sentence), "Too little memory to compare");
	headline->badge_bytes = 0;
	headline->state = ANSWER_NONE;
	cache->memory.made = false;
	cache->foremost = UINT32_MAX;
	view_cache_lead(headline, model, model_headline(model));
	if (answer_read(answer, model) == 0) {
		headline_badge(answer, model, badge, sizeof(badge));
		headline_sentence(answer, model, text, sizeof(text), &headline->parts);
		snprintf(headline->sentence, sizeof(headline->sentence),
			 *badge ? "[%s] %s" : "%s%s", badge, text);
		if (*badge)
			headline->badge_bytes = strlen(badge) + strlen("[] ");
		else
			headline->badge_bytes = 0;
		headline->state = headline_state(answer, model);
		/*
		 * The comparison of each case with its reference case, if both have the same values
		 * of the variables.
		 */
		cache->n_compared = 0;
		for (uint32_t at = 0; at < answer->n_rows; at++) {
			uint32_t i = answer->order[at];

			if (cache->n_compared >= VIEW_COMPARED)
				break;
			if (answer->rows[i].reference != i && compared &&
			    comparison_alike(&model->cases[answer->rows[i].reference],
					     &model->cases[i]) &&
			    !model_compare(model, answer->rows[i].reference, i,
					   model_headline(model),
					   &cache->elapsed[cache->n_compared]))
				cache->n_compared++;
		}
		row = cache_drawn_row(cache, model);
		if (row)
			cache->foremost = row->reference;
		else
			cache->foremost = UINT32_MAX;
	} else {
		answer_free(answer);
	}
	cache->has_pair = row && compared &&
			  model_compare(model, MIN(row->reference, row->case_id),
					MAX(row->reference, row->case_id), model_headline(model),
					&cache->pair) == 0;
}

/*
 * Reading all runs after each run takes time in the square of their number. So while a session runs
 * or plays, the cache is refreshed only after 1/LIVE_PART more runs, because fewer runs hardly
 * change a figure.
 */
enum { LIVE_PART = 64 };

/* Whether any case has a median. */
static bool cache_has_figures(const struct view_cache *cache)
{
	for (uint32_t i = 0; i < cache->answer.n_rows; i++)
		if (!isnan(cache->answer.rows[i].cells[0].median))
			return true;
	return false;
}

static bool is_fresh_enough(const struct view_cache_key *shown, const struct view_cache_key *now,
			    bool steady)
{
	if (now->session != shown->session || now->done != shown->done || now->ended < shown->ended)
		return false;
	return steady || now->ended - shown->ended < now->ended / LIVE_PART;
}

/*
 * Whether a sweep is within a trial, and all its values have figures. Nobody can read counts that
 * change several times a second, so the figures then change only after each trial.
 */
static bool is_within_trial(const struct view_cache *cache, const struct model *model,
			    const struct view_cache_key *now)
{
	if (!model_sweeps(model) || cache->answer.n_rows < model->n_cases)
		return false;
	for (uint32_t i = 0; i < cache->answer.n_rows; i++)
		if (isnan(cache->answer.rows[i].cells[0].median))
			return false;
	return now->ended / model->n_cases == cache->key.ended / model->n_cases;
}

/* A verdict changes only when a run begins or ends, so nothing is read between these moments. */
void view_cache_refresh(struct view_cache *cache, const struct model *model,
			const struct view_state *state)
{
	const struct model_run *running = model_running(model);
	const bool plays = state->clock.shown && !state->clock.paused;
	const bool moves = state->live || plays;
	struct view_cache_key key = {model_runs_ended(model),
				     running ? running->id.run : UINT32_MAX, model_over(model),
				     model->has_session};
	/*
	 * Before any trial counts there are no figures to keep steady, and the sentence says how
	 * many trials do not count.
	 */
	const bool steady = state->live && cache_has_figures(cache) &&
			    (state->steady || is_within_trial(cache, model, &key));
	const char *quick = "";
	const struct model *settled;
	struct model room;

	if (memcmp(&cache->read_key, &key, sizeof(key)) != 0 &&
	    !(moves && is_fresh_enough(&cache->read_key, &key, false))) {
		cache->read_key = key;
		cache->n_readings = 0;
	}
	if (memcmp(&cache->key, &key, sizeof(key)) == 0 ||
	    (moves && is_fresh_enough(&cache->key, &key, steady)))
		return;
	cache->key = key;
	/* The marks of runs are as of the same moment as the medians. */
	cache->n_readings = 0;
	cache->refreshes++;
	cache_drop_tables(cache);
	memset(cache->medians, 0, sizeof(cache->medians));
	settled = cache_settled(model, &room);
	cache->as_of_ns = settled->now_ns;
	cache_answer(cache, settled);
	cache->made_why = cache->made_overhead = cache->made_facts = false;
	/*
	 * Use complete trials only. A trial that has just begun may be discarded, and then its
	 * warning would disappear again.
	 */
	cache->n_warnings = MAX(0, model_warnings(settled, cache->warnings));
	for (size_t i = 0; i < model->n_messages; i++)
		if (model->messages[i].kind == MESSAGE_QUICK)
			quick = model->messages[i].text;
	snprintf(cache->ready, sizeof(cache->ready), "Ready: Space starts the first run.%s%s",
		 *quick ? " " : "", quick);
}
