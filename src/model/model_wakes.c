/* SPDX-License-Identifier: MIT */
#include "model/model.h"
#include "model/model_lanes.h"
#include "model/model_wakes.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/param.h>

#include "base/array.h"
#include "core/sample.h"
#include "core/tally.h"

/* Histogram of the times from a wake-up until the task runs, with the buckets of a tally. */
struct histogram {
	uint64_t n;
	int64_t max_ns;
	uint32_t bucket[TALLY_BUCKETS];
};

static_assert(MODEL_WAKES == SAMPLE_WAKE_KINDS, "a name for each kind of wake-up");

struct model_wakes {
	/* By kind of wake-up, then by waker; NULL: no such wake-up. */
	struct histogram *of[MODEL_WAKES * WOKENS];
};

static struct histogram *histogram_room(struct model_wakes *wakes, int at)
{
	struct histogram **histogram = &wakes->of[at];

	if (!*histogram)
		*histogram = calloc(1, sizeof(**histogram));
	return *histogram;
}

void model_wakes_free(struct model_wakes *wakes)
{
	if (!wakes)
		return;
	for (int i = 0; i < MODEL_WAKES * WOKENS; i++)
		free(wakes->of[i]);
	free(wakes);
}

struct model_wakes *model_wakes_move(struct model_wakes *wakes,
				     void *(*move)(void *arg, void *bytes, size_t n), void *arg)
{
	if (!wakes)
		return NULL;
	for (int i = 0; i < MODEL_WAKES * WOKENS; i++)
		wakes->of[i] = move(arg, wakes->of[i], sizeof(*wakes->of[i]));
	return move(arg, wakes, sizeof(*wakes));
}

size_t model_wakes_bytes(const struct model_wakes *wakes)
{
	size_t bytes = sizeof(*wakes);

	if (!wakes)
		return 0;
	for (int i = 0; i < MODEL_WAKES * WOKENS; i++)
		if (wakes->of[i])
			bytes += sizeof(*wakes->of[i]);
	return bytes;
}

/*
 * Whether this is the slice in which a worker leaves the barrier: the worker became runnable when
 * the barrier opened, and begins its work in this slice.
 */
static bool is_barrier(const struct model *model, const struct model_run *run,
		       const struct sample_slice *slice, const struct sample_slice *before)
{
	const struct plan *plan = model_plan(model, run);
	int64_t go_ns = run->totals.go_ns;

	return (plan->barrier || plan->all_alive) && go_ns >= 0 &&
	       slice->index >= run->n_workers - plan_leaves(plan) && slice->ready_ns >= go_ns &&
	       (!before || slice->on_ns <= model_known(run, slice->index).work_ns);
}

/* Whether the slice follows a wake-up whose time is known. */
static bool was_woken(const struct sample_slice *slice, const struct sample_slice *before)
{
	return slice->ready_ns >= 0 && slice->on_ns >= slice->ready_ns &&
	       (!before || before->why != WHY_PREEMPTED);
}

/* Counts the wake-ups of a run. Returns NULL if there are none, or memory is short. */
static struct model_wakes *count_run(const struct model *model, const struct model_run *run)
{
	struct model_wakes *wakes = calloc(1, sizeof(*wakes));
	bool any = false;

	if (!wakes)
		return NULL;
	for (uint32_t i = 0; i < run->n_workers; i++) {
		size_t n;
		const struct sample_slice *slices = model_slices(run, i, &n);

		for (size_t k = 0; k < n; k++) {
			const struct sample_slice *slice = &slices[k];
			const struct sample_slice *before = k > 0 ? slice - 1 : NULL;
			enum model_wake wake = before ? WAKE_BLOCKED : WAKE_CREATED;
			int who = slice->woken < WOKENS ? slice->woken : WOKEN_UNKNOWN;
			int64_t ns = slice->on_ns - slice->ready_ns;
			struct histogram *histogram;

			if (!was_woken(slice, before))
				continue;
			if (is_barrier(model, run, slice, before))
				wake = WAKE_BARRIER;
			histogram = histogram_room(wakes, (int)wake * WOKENS + who);
			if (!histogram) {
				model_wakes_free(wakes);
				return NULL;
			}
			any = true;
			histogram->n++;
			histogram->max_ns = MAX(histogram->max_ns, ns);
			histogram->bucket[tally_bucket((uint64_t)ns)]++;
		}
	}
	if (any)
		return wakes;
	model_wakes_free(wakes);
	return NULL;
}

/* Takes the buckets of a recording. Returns NULL if there are none, or memory is short. */
static struct model_wakes *take_recorded(const struct sample_wake *list, uint32_t n)
{
	struct model_wakes *wakes = n > 0 ? calloc(1, sizeof(*wakes)) : NULL;

	for (uint32_t i = 0; i < n; i++) {
		struct histogram *histogram = NULL;

		if (wakes)
			histogram = histogram_room(wakes, list[i].wake * WOKENS + list[i].woken);
		if (!histogram) {
			model_wakes_free(wakes);
			return NULL;
		}
		histogram->n += (uint64_t)list[i].count;
		histogram->max_ns = list[i].max_ns;
		histogram->bucket[tally_bucket((uint64_t)list[i].from_ns)] =
			(uint32_t)list[i].count;
	}
	return wakes;
}

struct sample_wake *model_wakes_list(const struct model_run *run, uint32_t *n)
{
	enum { MOST = MODEL_WAKES * WOKENS * TALLY_BUCKETS };
	struct sample_wake *list = run->wakes ? malloc(MOST * sizeof(*list)) : NULL;

	*n = 0;
	for (int i = 0; i < MODEL_WAKES * WOKENS; i++) {
		const struct histogram *histogram = list ? run->wakes->of[i] : NULL;

		for (uint32_t k = 0; histogram && k < TALLY_BUCKETS; k++)
			if (histogram->bucket[k] > 0)
				list[(*n)++] =
					(struct sample_wake) {.from_ns = (int64_t)tally_edge(k),
							      .count = histogram->bucket[k],
							      .max_ns = histogram->max_ns,
							      .wake = (uint8_t)(i / WOKENS),
							      .woken = (uint8_t)(i % WOKENS)};
	}
	return list;
}

static void add_histogram(struct histogram *to, const struct histogram *from)
{
	to->n += from->n;
	to->max_ns = MAX(to->max_ns, from->max_ns);
	for (int i = 0; i < TALLY_BUCKETS; i++)
		to->bucket[i] += from->bucket[i];
}

static bool add_wakes(struct model_wakes *to, const struct model_wakes *from)
{
	for (int i = 0; i < MODEL_WAKES * WOKENS; i++) {
		struct histogram *sum = from->of[i] ? histogram_room(to, i) : NULL;

		if (from->of[i] && !sum)
			return false;
		if (sum)
			add_histogram(sum, from->of[i]);
	}
	return true;
}

struct model_wakes *model_wakes_sum(const struct model_wakes *before,
				    const struct model_wakes *of_run)
{
	struct model_wakes *all = calloc(1, sizeof(*all));

	if (all && (!before || add_wakes(all, before)) && add_wakes(all, of_run))
		return all;
	model_wakes_free(all);
	return NULL;
}

void model_wakes_make(const struct model *model, struct model_run *run,
		      const struct sample_run_end *end)
{
	if (run->lanes)
		run->wakes = count_run(model, run);
	else if (end->thinned.slices > 0)
		run->wakes = take_recorded(end->wakes, end->n_wakes);
	else
		run->wakes = NULL;
	if (!run->wakes || !model_is_good(run))
		return;
	/*
	 * Search only now, because the search takes long in a recording of 100,000 runs, which may
	 * have no wake-ups.
	 */
	run->wakes_all = model_wakes_sum(model_wakes(model, run->id.case_id), run->wakes);
}

bool model_wakes_late(const struct model *model, struct model_run *run)
{
	if (run->wakes || !run->lanes || run->slices_merged > 0)
		return false;
	run->wakes = count_run(model, run);
	return run->wakes != NULL;
}

const struct model_wakes *model_wakes_run(const struct model *model, const struct model_run *run)
{
	if (model_ended(model, run))
		return run->wakes;
	return NULL;
}

const struct model_wakes *model_wakes(const struct model *model, uint32_t case_id)
{
	for (size_t i = model->n_runs; i-- > 0;) {
		const struct model_run *run = &model->runs[i];

		if (run->id.case_id == case_id && run->wakes_all && model_measured(model, run))
			return run->wakes_all;
	}
	return NULL;
}

/* The value at that index in ascending order, as the middle of its bucket. */
static double value_at(const struct histogram *histogram, double place)
{
	uint64_t seen = 0;
	uint32_t i = 0;
	double middle;

	while (i + 1 < TALLY_BUCKETS && (double)(seen += histogram->bucket[i]) <= place)
		i++;
	middle = (double)(tally_edge(i) + tally_edge(i + 1)) / 2;
	return fmin(middle, (double)histogram->max_ns);
}

/* Like stats_quantile(). */
static int64_t histogram_quantile(const struct histogram *histogram, double q)
{
	double place = q * (double)(histogram->n - 1), below = floor(place);
	double value = value_at(histogram, below);

	return llround(value + (place - below) * (value_at(histogram, ceil(place)) - value));
}

struct model_wake_figures model_wakes_figures(const struct model_wakes *wakes, enum model_wake wake,
					      enum sample_woken who)
{
	struct histogram *const *of = wakes->of + (int)wake * WOKENS;
	struct histogram sum = {0};

	for (int i = 0; i < WOKENS; i++)
		if (of[i] && (who == WOKENS || (int)who == i))
			add_histogram(&sum, of[i]);
	if (sum.n == 0)
		return (struct model_wake_figures) {0, -1, -1, -1, -1};
	return (struct model_wake_figures) {.n = sum.n,
					    .p50 = histogram_quantile(&sum, 0.5),
					    .p90 = histogram_quantile(&sum, 0.9),
					    .p99 = histogram_quantile(&sum, 0.99),
					    .max = sum.max_ns};
}

double model_wakes_between(const struct model_wakes *wakes, enum model_wake wake, double from,
			   double to)
{
	uint32_t first = tally_bucket((uint64_t)from), last = tally_bucket((uint64_t)to);
	double n = 0;

	for (int who = 0; who < WOKENS; who++) {
		const struct histogram *histogram = wakes->of[(int)wake * WOKENS + who];

		if (!histogram)
			continue;
		for (uint32_t i = first; i <= last; i++) {
			double begin = (double)tally_edge(i), end = (double)tally_edge(i + 1);
			double low = fmax(from, begin), high = fmin(to, end);

			if (high > low)
				n += histogram->bucket[i] * (high - low) / (end - begin);
		}
	}
	return n;
}

int model_woken(const struct model *model, const struct model_run *run, uint32_t worker,
		struct model_woken *out)
{
	size_t n;
	const struct sample_slice *slices = model_slices(run, worker, &n);
	int64_t until_ns = model->now_ns - run->begin_ns;
	double *waits = malloc((n + 1) * sizeof(*waits));
	int64_t *wakers = malloc((n + 1) * sizeof(*wakers));
	int err = waits && wakers ? 0 : -ENOMEM;
	uint32_t known = 0;

	*out = (struct model_woken) {.median_ns = NAN};
	/* Merged slices lack most wake-ups, so count none. */
	if (run->slices_merged > 0)
		n = 0;
	for (size_t i = 1; i < n; i++) {
		const struct sample_slice *slice = &slices[i];

		if (err || slice->on_ns >= until_ns)
			break;
		if (!was_woken(slice, slice - 1) || is_barrier(model, run, slice, slice - 1))
			continue;
		waits[out->n++] = (double)(slice->on_ns - slice->ready_ns);
		out->longest_ns = fmax(out->longest_ns, waits[out->n - 1]);
		out->by[slice->woken < WOKENS ? slice->woken : WOKEN_UNKNOWN]++;
		if (slice->woken == WOKEN_BY_WORKER && slice->waker >= 0)
			wakers[known++] = slice->waker;
	}
	/* The most frequent waker. */
	if (known > 0)
		qsort(wakers, known, sizeof(*wakers), array_by_int64);
	for (uint32_t i = 0, same; i < known; i += same) {
		same = 1;
		while (i + same < known && wakers[i + same] == wakers[i])
			same++;
		if (same > out->worker_n) {
			out->worker_n = same;
			out->worker = (uint32_t)wakers[i];
		}
	}
	if (out->n > 0)
		out->median_ns = stats_select(waits, out->n, 0.5);
	free(waits);
	free(wakers);
	return err;
}
