/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "core/comparison.h"
#include "model/model.h"
#include "model/model_kind.h"

struct series {
	double *values;
	uint32_t *trials;
	size_t n;
};

static bool is_memory_metric(enum model_metric metric)
{
	return metric_is(metric, METRIC_OF_MEMORY) || metric == METRIC_MEMORY;
}

/*
 * How tightly a value bounds the peak, the loosest bound first. A case's trials whose bound is
 * looser than that of its best trial are left out.
 */
enum worth { WORTH_MOST, WORTH_LEAST, WORTH_ALL };

static enum worth worth_of(const struct model_value *value, enum model_metric metric)
{
	if (!is_memory_metric(metric))
		return WORTH_ALL;
	switch ((int)value->seen - 1) {
	case SEEN_MOST:
		return WORTH_MOST;
	/*
	 * The memory was read before the work, or much of it was not read, so the peak may be much
	 * higher.
	 */
	case SEEN_START:
	case SEEN_LEAST:
		return WORTH_LEAST;
	default:
		return WORTH_ALL;
	}
}

/* Like metric_is_partial(), but for a stored value. seen is 0 if the count of tasks is complete. */
static bool is_partial(const struct model_value *value, enum model_metric metric)
{
	return metric == METRIC_TASKS_CREATED && value->seen > 0;
}

/* The tightest bound of any trial of a case. */
static enum worth case_worth(const struct model *model, uint32_t case_id, enum model_metric metric)
{
	enum worth best = WORTH_MOST;
	const struct model_value *value;
	struct model_values values;

	if (!is_memory_metric(metric))
		return WORTH_ALL;
	values = model_values(model, case_id, metric);
	while ((value = model_values_next(&values)))
		if (!isnan(value->value))
			best = MAX(best, worth_of(value, metric));
	return best;
}

int model_seen(const struct model *model, uint32_t case_id, enum model_metric metric)
{
	const enum worth best = case_worth(model, case_id, metric);
	struct model_values values = model_values(model, case_id, metric);
	const struct model_value *value;
	int seen = -1;

	/* Other values are exact. */
	if (!is_memory_metric(metric))
		return -1;
	while ((value = model_values_next(&values))) {
		const int how = (int)value->seen - 1;
		const enum sample_bound bound = sample_seen_bound(how);

		if (how < 0 || isnan(value->value) || is_partial(value, metric) ||
		    worth_of(value, metric) != best)
			continue;
		/* If one value is only a lower bound, the median is a lower bound too. */
		if (seen < 0 || bound < sample_seen_bound(seen) ||
		    (bound == sample_seen_bound(seen) && how > seen))
			seen = how;
	}
	return seen;
}

enum reason model_unlike(const struct model *model, uint32_t a, uint32_t b,
			 enum model_metric metric)
{
	const int seen_a = model_seen(model, a, metric), seen_b = model_seen(model, b, metric);
	const enum sample_bound bound_a = sample_seen_bound(seen_a);
	const enum sample_bound bound_b = sample_seen_bound(seen_b);

	if (bound_a == BOUND_NONE || bound_b == BOUND_NONE)
		return REASON_NONE;
	if (bound_a != bound_b)
		return REASON_UNLIKE;
	if (case_worth(model, a, metric) < WORTH_ALL || case_worth(model, b, metric) < WORTH_ALL)
		return REASON_BOUNDS;
	return REASON_NONE;
}

/*
 * Reads the trials of cases a and b. Leaves out all trials if the cases were measured in ways that
 * cannot be compared. Leaves out a case that has only bounds. Returns 0 or -ENOMEM. The caller
 * frees values and trials of two[0], also after an error.
 */
static int read_series(struct series two[2], const struct model *model, uint32_t a, uint32_t b,
		       enum model_metric metric)
{
	size_t max = model->n_runs;
	double *values = malloc((2 * max + 1) * sizeof(*values));
	uint32_t *trials = malloc((2 * max + 1) * sizeof(*trials));

	two[0] = (struct series) {values, trials, 0};
	two[1] = (struct series) {values + max, trials + max, 0};
	if (!values || !trials)
		return -ENOMEM;
	if (model_unlike(model, a, b, metric))
		return 0;
	if (case_worth(model, a, metric) == WORTH_ALL)
		two[0].n = model_trials(model, a, metric, two[0].values, two[0].trials, max);
	if (case_worth(model, b, metric) == WORTH_ALL)
		two[1].n = model_trials(model, b, metric, two[1].values, two[1].trials, max);
	return 0;
}

/* Keeps only the trials that both series have. Returns their number. */
static size_t pair_series(struct series two[2])
{
	struct series *a = &two[0], *b = &two[1];
	size_t pairs = 0, i = 0, j = 0;

	while (i < a->n && j < b->n) {
		if (a->trials[i] < b->trials[j]) {
			i++;
		} else if (a->trials[i] > b->trials[j]) {
			j++;
		} else {
			a->trials[pairs] = b->trials[pairs] = a->trials[i];
			a->values[pairs] = a->values[i++];
			b->values[pairs++] = b->values[j++];
		}
	}
	a->n = b->n = pairs;
	return pairs;
}

/*
 * Adds the n cases of a recording, from case `first` on. trials: number of planned trials. Returns
 * 0 or -ENOMEM.
 */
static int add_family_part(struct model_families *families, const struct model *model,
			   uint32_t first, uint32_t n, uint32_t trials)
{
	struct model_part *part = &families->parts[families->n_parts++];
	const uint32_t planned = MAX(1, trials);
	enum model_metric metrics[INTERIM_METRICS_MOST];
	uint32_t headlines = model_headlines(model, metrics);
	int err = 0;

	part->first = families->n_pairs;
	for (uint32_t a = first; a < first + n; a++)
		for (uint32_t b = a + 1; b < first + n; b++) {
			if (!comparison_made(&model->cases[first], n, a - first, b - first))
				continue;
			families->pairs[families->n_pairs++] = (struct model_pair) {a, b};
			families->pair_of[a * model->n_cases + b] = families->n_pairs;
			families->pair_of[b * model->n_cases + a] = families->n_pairs;
		}
	part->n = families->n_pairs - part->first;
	/*
	 * If the planned trials are too few to share the error rate among all headline metrics, the
	 * first metric gets all of it.
	 */
	part->shared = 1;
	if (interim_least(INTERIM_ERROR, MAX(1, headlines * part->n)) <= planned)
		part->shared = headlines;
	for (int i = 0; i < MODEL_SHARES; i++) {
		const uint32_t metrics_n = i == MODEL_HEADLINES ? part->shared : 1;

		err = family_make(&part->families[i], INTERIM_ERROR, planned, part->n * metrics_n);
		if (err)
			break;
	}
	return err;
}

struct model_families *model_families_make(const struct model *model)
{
	struct model_families *families = calloc(1, sizeof(*families));
	const size_t n = model->n_cases;
	int err = 0;

	if (!families)
		return NULL;
	families->n_cases = model->n_cases;
	families->pairs = calloc(n * n / 2 + 1, sizeof(*families->pairs));
	families->pair_of = calloc(n * n + 1, sizeof(*families->pair_of));
	families->parts = calloc(model->n_origins + 1, sizeof(*families->parts));
	families->latency = calloc(n + 1, sizeof(*families->latency));
	if (!families->pairs || !families->pair_of || !families->parts || !families->latency)
		err = -ENOMEM;
	if (!err && model->n_origins == 0)
		err = add_family_part(families, model, 0, model->n_cases, model->session.trials);
	for (uint32_t i = 0; i < model->n_origins; i++) {
		const struct model_origin *origin = &model->origins[i];

		if (err)
			break;
		err = add_family_part(families, model, origin->first_case, origin->n_cases,
				      origin->session.trials);
	}
	if (!err)
		return families;
	model_families_free(families);
	return NULL;
}

void model_families_free(struct model_families *families)
{
	if (!families)
		return;
	for (uint32_t i = 0; i < families->n_parts; i++)
		for (int share = 0; share < MODEL_SHARES; share++)
			family_free(&families->parts[i].families[share]);
	for (int i = 0; i < METRICS; i++) {
		struct model_found *found = families->of[i].found;

		if (!found)
			continue;
		for (uint32_t pair = 0; pair < families->n_pairs; pair++)
			free((double *)found[pair].member.differences);
		free(found);
	}
	for (int i = 0; i < MODEL_SERIES; i++)
		model_series_free(&families->series[i], families->n_cases);
	model_latency_free(families);
	free(families->parts);
	free(families->pairs);
	free(families->pair_of);
	free(families);
}

/* Whether trial `last`, the last planned one of the case, has ended, successfully or not. */
static bool has_ended(const struct model *model, uint32_t case_id, uint32_t last)
{
	/* Search backwards, so that the last trials are found first. */
	for (size_t i = model->n_runs; i-- > 0;) {
		const struct model_run *run = &model->runs[i];

		if (run->id.case_id == case_id && run->id.trial >= last && model_ended(model, run))
			return true;
	}
	return false;
}

uint32_t model_left_running(const struct model *model, uint32_t case_id, uint32_t *runs)
{
	uint32_t most = 0, n = 0;

	if (runs)
		*runs = 0;
	if (!model->saw_left)
		return 0;
	for (const struct model_run *run = NULL;
	     (run = model_next_measured(model, run, case_id, 1));) {
		int32_t left = run->totals.left_running;

		n += left > 0;
		if (left > 0)
			most = MAX(most, (uint32_t)left);
	}
	if (runs)
		*runs = n;
	return most;
}

static bool has_left(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric)
{
	return metric != METRIC_CREATE &&
	       (model_left_running(model, a, NULL) > 0 || model_left_running(model, b, NULL) > 0);
}

/* Number of runs of the newest trial that have ended. */
static uint32_t count_ended(const struct model *model, uint32_t trial)
{
	uint32_t n = 0;

	for (size_t i = model_runs_begun(model); i-- > 0;) {
		if (model->runs[i].id.trial != trial)
			break;
		n += model_ended(model, &model->runs[i]);
	}
	return n;
}

/*
 * Compares two cases in one metric: pairs their values by trial, and computes the differences or
 * the logarithms of the ratios. The family judges them later. Returns 0 or -ENOMEM.
 */
static int read_pair(const struct model *model, const struct model_pair *pair,
		     struct model_found *out)
{
	struct model_comparison *found = &out->comparison;
	/*
	 * Replaced trials are not analysed. The trials that replace them are part of the plan,
	 * which therefore ends later.
	 */
	uint32_t last = found->planned + model_replaced(model, pair->a);
	const struct model_run *newest = model_newest(model);
	uint32_t open = 0;
	/* Parts of a path may be 0 in one model, so they are compared by difference, not ratio. */
	int (*measure)(const double *a, const double *b, size_t n, double *out) =
		metric_is(found->metric, METRIC_OF_PATH) ? stats_differences : stats_log_ratios;
	struct series two[2];
	int err = read_series(two, model, pair->a, pair->b, found->metric);
	double *ratios;

	/*
	 * While cases of the newest trial have not ended, the trial may still be discarded because
	 * other programs used the CPU. So leave out its pairs until all cases have ended.
	 */
	if (newest && !model_over(model) && model->n_origins == 0 &&
	    count_ended(model, newest->id.trial) < model->n_cases)
		open = newest->id.trial;
	if (err)
		found->pairs = 0;
	else
		found->pairs = (uint32_t)pair_series(two);
	if (found->pairs > 0 && open > 0 && two[0].trials[found->pairs - 1] == open)
		two[0].n = two[1].n = --found->pairs;
	found->ended = (open == 0 || open > last) && has_ended(model, pair->a, last) &&
		       has_ended(model, pair->b, last);
	ratios = calloc(found->pairs + 1, sizeof(*ratios));
	out->member.differences = ratios;
	found->left = has_left(model, pair->a, pair->b, found->metric);
	/* stats_log_ratios() fails if a value is 0, because then there is no ratio. */
	if (ratios && !found->left &&
	    !measure(two[0].values, two[1].values, found->pairs, ratios)) {
		out->member.n = found->pairs;
		/*
		 * Count the pairs of planned trials. They come first, because trials are in
		 * ascending order.
		 */
		while (found->ended && found->end < two[0].n && two[0].trials[found->end] <= last)
			found->end++;
	}
	out->member.end = found->end;
	found->no_ratio = found->pairs > out->member.n;
	free(two[0].values);
	free(two[0].trials);
	if (ratios)
		return err;
	return -ENOMEM;
}

/* Compares each pair of the part in each metric, and judges all of these together as one family. */
static int read_pairs(struct model_part *part, const struct model *model,
		      const enum model_metric *metrics, uint32_t n, struct family *shared)
{
	struct model_families *families = model->families;
	struct family_member *members = calloc((size_t)n * part->n + 1, sizeof(*members));
	uint32_t least = 0;
	int err = 0;

	if (!members)
		return -ENOMEM;
	if (part->n > 0)
		least = interim_least(shared->error, shared->size);
	for (uint32_t i = 0; i < n * part->n; i++) {
		uint32_t pair = part->first + i % part->n;
		enum model_metric metric = metrics[i / part->n];
		struct model_found *found = &families->of[metric].found[pair];

		free((double *)found->member.differences);
		*found = (struct model_found) {.family = shared,
					       .comparison = {.metric = metric,
							      .planned = shared->planned,
							      .family = shared->size,
							      .least = least}};
		err = read_pair(model, &families->pairs[pair], found);
		if (err)
			break;
		/*
		 * In most sessions, the models differ greatly in memory and in creation time. If
		 * these two metrics are judged together, they become significant within seconds.
		 */
		found->member.joint = part->n == 1 && n == INTERIM_METRICS_MOST &&
				      metrics[2] == METRIC_MEMORY && metrics[3] == METRIC_CREATE &&
				      i >= 2;
		members[i] = found->member;
	}
	if (!err)
		err = family_read(shared, members);
	for (uint32_t i = 0; i < n * part->n; i++) {
		struct model_found *found =
			&families->of[metrics[i / part->n]].found[part->first + i % part->n];

		if (err)
			break;

		found->member = members[i];
		found->comparison.level = family_level(shared, &members[i]);
		found->comparison.interim = family_interim(shared, &members[i]);
	}
	free(members);
	return err;
}

static bool family_room(struct model_families *families, enum model_metric metric)
{
	struct model_family *family = &families->of[metric];

	if (!family->found)
		family->found = calloc(families->n_pairs + 1, sizeof(*family->found));
	return family->found;
}

/* The up-to-date family of a metric; NULL if memory is short. */
static struct model_family *read_family(const struct model *model, enum model_metric metric)
{
	struct model_families *families = model->families;
	struct model_family *family = &families->of[metric];
	enum model_metric metrics[INTERIM_METRICS_MOST];
	uint32_t ended = model_runs_ended(model), n = model_headlines(model, metrics);
	bool valid = family_room(families, metric), together = true;

	if (family->valid && family->ended == ended)
		return family;
	for (uint32_t i = 0; i < n; i++)
		valid &= family_room(families, metrics[i]);
	for (uint32_t i = 0; i < families->n_parts; i++) {
		struct model_part *part = &families->parts[i];
		struct family *all = part->families;
		uint32_t at = 0;
		int err;

		if (!valid)
			break;
		while (at < part->shared && metrics[at] != metric)
			at++;
		if (at < part->shared) {
			together &= part->shared == n;
			err = read_pairs(part, model, metrics, part->shared, &all[MODEL_HEADLINES]);
		} else {
			together = false;
			err = read_pairs(part, model, &metric, 1, &all[MODEL_OTHERS]);
		}
		valid = err == 0;
	}
	if (together)
		for (uint32_t i = 0; i < n; i++) {
			families->of[metrics[i]].valid = valid;
			families->of[metrics[i]].ended = ended;
		}
	family->valid = valid;
	family->ended = ended;
	if (valid)
		return family;
	return NULL;
}

bool model_compares(const struct model *model, uint32_t a, uint32_t b)
{
	return model->families && !model_has_faults(model) &&
	       model->families->pair_of[a * model->n_cases + b];
}

/*
 * The largest error of a run's peak memory, KiB. The kernel counts pages on each CPU separately,
 * and up to max(32, 2 * CPUs) pages of a CPU may not be in the sum yet (lib/percpu_counter.c since
 * Linux 6.2; before that, up to 64 pages a thread). A process usually has such pages on two CPUs:
 * where it was created and where it works. A process of many threads has them on all CPUs.
 */
static double peak_error(const struct model *model, const struct model_run *run)
{
	const struct sample_session *session = model_session(model, run->id.case_id);
	const struct plan *plan = model_plan(model, run);
	uint32_t cores = (uint32_t)MAX(1, session->machine.cores_online), processes = 0, count;
	uint32_t threads = 0;

	for (uint32_t level = 0; level < plan->levels; level++) {
		plan_level(plan, level, &count);
		if (plan->task[level] == PLAN_PROCESS)
			processes += count;
		else
			threads += count;
	}
	if (run->totals.peak_alive > 0)
		processes = MIN(processes, run->totals.peak_alive);
	return 4.0 * MAX(32, 2 * cores) *
	       (processes * MIN(2, cores) + MIN((double)threads + 1, cores));
}

/*
 * By how much the true peaks of a case may be above (*more) or below (*less) the measured ones, as
 * shares of their mean. A true peak is at least the highest reading during its run.
 */
static void read_error(const struct model *model, uint32_t case_id, enum model_metric metric,
		       double *more, double *less)
{
	const enum model_metric read = metric == METRIC_MEMORY ? METRIC_PSS : metric;
	double all = 0;

	*more = *less = 0;
	for (const struct model_run *run = NULL;
	     (run = model_next_measured(model, run, case_id, 1));) {
		double value = metric_value(run, metric), most, error;

		if (isnan(value))
			continue;
		all += value;
		if (sample_seen_bound(metric_run_seen(run, metric)) != BOUND_PEAK)
			continue;
		most = fmax(0, metric_kib(&run->most_read, read));
		error = peak_error(model, run);
		*more += error;
		*less += fmin(error, fmax(0, metric_value(run, read) - most));
	}
	if (all > 0) {
		*more = *more / all;
		*less = fmin(0.99, *less / all);
	} else {
		*more = 0;
		*less = 0;
	}
}

/*
 * Finds the comparison of two cases in a metric, in either order. *out belongs to the model and
 * compares the later case with the earlier one. If no family contains both cases, *out is NULL,
 * because nothing says whether they differ. Returns 0 or -ENOMEM.
 */
static int find_family(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		       const struct model_found **out)
{
	const struct model_families *families = model->families;
	const uint32_t pair = families ? families->pair_of[a * model->n_cases + b] : 0;
	struct model_family *family;
	struct model_found *found;
	int err;

	*out = NULL;
	if (!pair) {
		if (families)
			return 0;
		return -ENOMEM;
	}
	family = read_family(model, metric);
	if (!family)
		return -ENOMEM;
	*out = found = &family->found[pair - 1];
	if (found->has_ratio)
		return 0;
	/*
	 * The time to compute an interval grows with the square of the number of trials, so compute
	 * it only on demand.
	 */
	err = family_interval(found->family, &found->member, metric_is(metric, METRIC_OF_PATH),
			      &found->comparison.sampled);
	found->comparison.ratio = found->comparison.sampled;
	if (is_memory_metric(metric)) {
		double more[2], less[2];

		/*
		 * Widen the interval of b / a so that it holds for all true peaks within the
		 * errors.
		 */
		read_error(model, MIN(a, b), metric, &more[0], &less[0]);
		read_error(model, MAX(a, b), metric, &more[1], &less[1]);
		found->comparison.ratio.low *= (1 - less[1]) / (1 + more[0]);
		found->comparison.ratio.high *= (1 + more[1]) / (1 - less[0]);
	}
	found->has_ratio = !err;
	free((double *)found->member.differences);
	found->member.differences = NULL;
	return err;
}

/*
 * Whether the programs of some case were too short for PSS in most trials, while all cases have an
 * RSS.
 */
static bool needs_rss(const struct model *model)
{
	bool all_rss = true, rss_alone = false;

	for (uint32_t i = 0; i < model->n_cases; i++) {
		size_t rss = 0, pss = 0;

		for (const struct model_run *run = NULL;
		     (run = model_next_measured(model, run, i, 1));) {
			rss += !isnan(metric_value(run, METRIC_RSS));
			pss += sample_seen_bound(metric_run_seen(run, METRIC_MEMORY)) !=
				       BOUND_MOST &&
			       !isnan(metric_value(run, METRIC_MEMORY));
		}
		all_rss &= rss > 0;
		rss_alone |= pss < rss - pss;
	}
	return all_rss && rss_alone;
}

uint32_t model_headlines(const struct model *model, enum model_metric metrics[INTERIM_METRICS_MOST])
{
	static const enum model_metric faults[] = {METRIC_SURVIVED, METRIC_NOTICED, METRIC_WRONG};
	static const enum model_metric messages[] = {METRIC_MESSAGE_RATE, METRIC_CPU,
						     METRIC_MEMORY};
	static const enum model_metric tasks[] = {METRIC_PER_SECOND, METRIC_TASK_CREATE,
						  METRIC_MEMORY};
	const struct model_kind *kind = model_kind(model);

	if (model_has_faults(model)) {
		memcpy(metrics, faults, sizeof(faults));
		return LENGTH(faults);
	}
	memcpy(metrics, kind->headlines, sizeof(kind->headlines));
	if (!kind->fixed && metric_applies(model, METRIC_MESSAGE_RATE))
		memcpy(metrics + 1, messages, sizeof(messages));
	else if (!kind->fixed && metric_applies(model, METRIC_PER_SECOND))
		memcpy(metrics + 1, tasks, sizeof(tasks));
	else if (kind->programs && needs_rss(model))
		metrics[2] = METRIC_RSS;
	return interim_metrics(model->n_cases);
}

size_t model_trials(const struct model *model, uint32_t case_id, enum model_metric metric,
		    double *out, uint32_t *trials, size_t max)
{
	const enum worth best = case_worth(model, case_id, metric);
	struct model_values values = model_values(model, case_id, metric);
	const struct model_value *value;
	size_t n = 0;

	while (n < max && (value = model_values_next(&values))) {
		if (isnan(value->value) || is_partial(value, metric) ||
		    worth_of(value, metric) != best)
			continue;
		if (trials)
			trials[n] = value->trial;
		out[n++] = value->value;
	}
	return n;
}

double model_median(const struct model *model, uint32_t case_id, enum model_metric metric,
		    double *scratch, size_t *n)
{
	size_t trials = model_trials(model, case_id, metric, scratch, NULL, model->n_runs);

	if (n)
		*n = trials;
	return stats_select(scratch, trials, 0.5);
}

double model_slowdown(const struct model *model, uint32_t case_id,
		      const struct sample_watched *watched)
{
	double *ns, slowdown = NAN;
	size_t n = 0;

	if (watched->rate <= 0 || watched->plain_ns <= 0)
		return NAN;
	if (watched->slowdown >= 1.01)
		return watched->slowdown;
	if (watched->slowdown > 0)
		return NAN;
	/*
	 * Recordings of older versions have no slowdown from pairs of warm-ups. Compare the median
	 * run with plain_ns, the time of their one warm-up without records of context switches.
	 */
	ns = calloc(model->n_runs + 1, sizeof(*ns));
	if (!ns)
		return NAN;
	for (const struct model_run *run = NULL;
	     (run = model_next_measured(model, run, case_id, 1));)
		ns[n++] = sample_alone_ns(&run->totals);
	if (n > 0)
		slowdown = stats_select(ns, n, 0.5) / (double)watched->plain_ns;
	free(ns);
	if (slowdown >= 1.01)
		return slowdown;
	return NAN;
}

/*
 * A reading may come a moment early or late, so models whose memory differs by less than this
 * factor are not distinguished.
 */
#define MEMORY_MARGIN 1.01

/*
 * Compares two cases that no family contains, usually because they are from two recordings. The
 * noise between recordings is unknown, so only the medians are compared.
 */
static int compare_medians(const struct model *model, struct model_comparison *out)
{
	struct series two[2];
	double of_a = NAN, of_b = NAN;
	const int err = read_series(two, model, out->a, out->b, out->metric);

	if (!err) {
		of_a = stats_select(two[0].values, two[0].n, 0.5);
		of_b = stats_select(two[1].values, two[1].n, 0.5);
	}
	free(two[0].values);
	free(two[0].trials);
	out->verdict = STATS_UNPAIRED;
	out->left = has_left(model, out->a, out->b, out->metric);
	if (out->left)
		return err;
	if (metric_is(out->metric, METRIC_OF_PATH))
		out->ratio.estimate = of_b - of_a;
	else if (of_a > 0 && of_b > 0)
		out->ratio.estimate = of_b / of_a;
	return err;
}

static enum stats_verdict verdict_of_difference(const struct stats_interval *difference)
{
	if (isnan(difference->low) || isnan(difference->high))
		return STATS_TOO_FEW;
	if (difference->low > 0)
		return STATS_A;
	if (difference->high < 0)
		return STATS_B;
	return STATS_NONE;
}

int model_compare(const struct model *model, uint32_t a, uint32_t b, enum model_metric metric,
		  struct model_comparison *out)
{
	const bool difference = metric_is(metric, METRIC_OF_PATH);
	const struct model_found *found;
	struct stats_interval *ratio = &out->ratio;
	int err = find_family(model, a, b, metric, &found);

	*out = (struct model_comparison) {.a = a,
					  .b = b,
					  .metric = metric,
					  .ratio = {NAN, NAN, NAN},
					  .sampled = {NAN, NAN, NAN},
					  .level = NAN};
	/* If a fault ends the runs in the middle, they have no times, so compare nothing. */
	if (err || model_has_faults(model))
		return err;
	if (!found)
		return compare_medians(model, out);
	*out = found->comparison;
	out->a = a;
	out->b = b;
	if (a > b && difference)
		*ratio = (struct stats_interval) {-ratio->estimate, -ratio->high, -ratio->low};
	else if (a > b)
		*ratio = stats_inverse(ratio);
	if (a > b) {
		if (difference)
			out->sampled = *ratio;
		else
			out->sampled = stats_inverse(&out->sampled);
	}
	if (difference)
		out->verdict = verdict_of_difference(ratio);
	else
		out->verdict = stats_verdict(ratio);
	if (is_memory_metric(metric) && ratio->low < MEMORY_MARGIN &&
	    ratio->high > 1 / MEMORY_MARGIN)
		out->verdict = STATS_NONE;
	/*
	 * As long as there is no winner, nothing is decided before all planned trials have ended.
	 */
	if (out->verdict == STATS_NONE && !out->ended)
		out->verdict = STATS_TOO_FEW;
	/* When the session is over, for whatever reason, the interval so far is the final one. */
	if (out->verdict == STATS_TOO_FEW && model_over(model) && !isnan(ratio->low))
		out->verdict = STATS_NONE;
	return 0;
}

int model_ratios(const struct model *model, const struct model_comparison *comparison,
		 double **ratios, size_t *n)
{
	struct series two[2];
	int err = read_series(two, model, comparison->a, comparison->b, comparison->metric);
	const bool none = err || comparison->left || comparison->verdict == STATS_UNPAIRED;
	size_t pairs = none ? 0 : pair_series(two);

	*n = 0;
	for (size_t i = 0; i < pairs; i++)
		if (two[0].values[i] > 0 && two[1].values[i] > 0)
			two[0].values[(*n)++] = two[0].values[i] / two[1].values[i];
	*ratios = two[0].values;
	free(two[0].trials);
	return err;
}

int model_pair_medians(const struct model *model, const struct model_comparison *comparison,
		       double medians[2])
{
	struct series two[2];
	int err = read_series(two, model, comparison->a, comparison->b, comparison->metric);
	const size_t all = err ? 0 : pair_series(two);
	const size_t pairs = MIN(all, comparison->pairs);

	for (int i = 0; i < 2; i++) {
		medians[i] = NAN;
		if (pairs > 0)
			medians[i] = stats_median_interval(two[i].values, pairs).estimate;
	}
	free(two[0].values);
	free(two[0].trials);
	return err;
}

int model_pair_trials(const struct model *model, const struct model_comparison *comparison,
		      uint32_t **trials, size_t *n)
{
	struct series two[2];
	int err = read_series(two, model, comparison->a, comparison->b, comparison->metric);

	if (err || comparison->pairs == 0)
		*n = 0;
	else
		*n = pair_series(two);
	*trials = two[0].trials;
	free(two[0].values);
	return err;
}

char *model_case_name(const struct model *model, uint32_t case_id, char *buf, size_t size)
{
	return sample_case_name(model->cases, model->n_cases, case_id, buf, size);
}
