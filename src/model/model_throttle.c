/* SPDX-License-Identifier: MIT */
#include "model_private.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/param.h>

#include "base/array.h"

/*
 * A quota stops all CPUs of a run, one after the other, until its period of 100 ms is over. The
 * kernel counts such periods and their total time, but does not say when they were. The slices do:
 * if two readings differ by n periods, the n longest stretches without a worker on a core are the
 * throttled ones. The length of such a stretch must fit the time that the kernel counted: at most
 * all of that time, and at least half of each core's part of it. So stretches of a few ms, in which
 * other programs had the cores, are not counted.
 */

#define PERIOD_NS 100000000
/*
 * Shortest throttled stretch, ns. A shorter stretch without a worker on a core is a context switch.
 */
#define LEAST_NS 1000000
/* Largest valid readings. Higher ones come from a broken recording. */
#define MOST_COUNT (INT64_C(1) << 40)
#define MOST_TIME  (INT64_MAX / 2)

struct span {
	int64_t from_ns, to_ns;
};

/*
 * At first the workers' times on cores around a window, sorted; later the gaps between these times.
 */
struct spans {
	struct span *list;
	size_t n, cap;
};

struct reading {
	int64_t time_ns, periods, us;
};

/*
 * Fills in the i-th reading: 0 is the beginning of the run, 1 to n_points are its ticks, n_points +
 * 1 is its end. Returns false if the kernel's counts are missing.
 */
static bool reading_at(const struct model_run *run, size_t i, struct reading *out)
{
	const struct model_point *point = i > 0 && i <= run->n_points ? &run->points[i - 1] : NULL;

	if (i == 0)
		*out = (struct reading) {0, 0, 0};
	else if (point)
		*out = (struct reading) {point->time_ns - run->begin_ns, point->throttled_periods,
					 point->throttled_us};
	else
		*out = (struct reading) {run->end_ns - run->begin_ns, run->totals.throttled_periods,
					 run->totals.throttled_us};
	return out->periods >= 0 && out->us >= 0 && out->periods < MOST_COUNT &&
	       out->us < MOST_COUNT;
}

static int keep_throttle(struct model_run *run, const struct span *span)
{
	struct model_throttle *at;

	if (!array_grow(&run->throttles, run->n_throttles, &run->cap_throttles, sizeof(*at)))
		return -ENOMEM;
	at = run->throttles + run->n_throttles++;
	for (; at > run->throttles; at--) {
		if (at[-1].from_ns <= span->from_ns)
			break;
		*at = at[-1];
	}
	*at = (struct model_throttle) {.from_ns = span->from_ns, .to_ns = span->to_ns};
	for (; at < run->throttles + run->n_throttles; at++) {
		at->before_ns = 0;
		if (at > run->throttles)
			at->before_ns = at[-1].before_ns + at[-1].to_ns - at[-1].from_ns;
	}
	return 0;
}

/*
 * The longest gap that is at least partly between the two readings, does not cross the end of the
 * last known throttled stretch, and has a length from `least` to `most`; NULL if none.
 */
static struct span *longest_gap(const struct model_run *run, struct spans *gaps,
				const struct reading *before, const struct reading *after,
				int64_t least, int64_t most)
{
	int64_t last = run->n_throttles ? run->throttles[run->n_throttles - 1].to_ns : INT64_MIN;
	struct span *found = NULL;

	for (size_t i = 0; i < gaps->n; i++) {
		struct span *gap = &gaps->list[i];
		int64_t length = gap->to_ns - gap->from_ns;

		if (gap->from_ns < after->time_ns && gap->to_ns > before->time_ns &&
		    length >= least && length <= most &&
		    (!found || length > found->to_ns - found->from_ns) &&
		    (gap->from_ns >= last || gap->to_ns < last))
			found = gap;
	}
	return found;
}

/*
 * Finds the throttled stretches between readings i - 1 and i. Takes their total time from the
 * reading after i, because the kernel counts a period a moment before it adds the period's time.
 */
static int find_between(struct model_run *run, size_t i, int32_t cores)
{
	struct reading before, after, later;
	struct spans gaps = {NULL};
	int64_t n, us, until_ns = 0;
	size_t found = 0;
	int err = 0;

	if (!reading_at(run, i - 1, &before) || !reading_at(run, i, &after) ||
	    !reading_at(run, i + (i <= run->n_points), &later))
		return 0;
	n = after.periods - before.periods;
	us = later.us - before.us;
	if (n <= 0 || us <= 0 || after.time_ns < before.time_ns || after.time_ns > MOST_TIME)
		return 0;
	for (uint32_t w = 0; w < run->n_workers; w++) {
		const struct model_lane *lane = &run->lanes[w];
		int64_t to_ns = after.time_ns + PERIOD_NS;
		size_t k = model_lane_begun(lane, before.time_ns - PERIOD_NS);

		for (k -= k > 0; k < lane->n; k++) {
			int64_t off_ns = lane->slices[k].off_ns;

			if (lane->slices[k].on_ns >= to_ns)
				break;

			if (!array_grow(&gaps.list, gaps.n, &gaps.cap, sizeof(*gaps.list))) {
				free(gaps.list);
				return -ENOMEM;
			}
			gaps.list[gaps.n++] = (struct span) {lane->slices[k].on_ns,
							     fields_known_or(off_ns, to_ns)};
		}
	}
	/* Replaces the slices by the gaps between them, in place, because there are fewer gaps. */
	if (gaps.n > 0)
		qsort(gaps.list, gaps.n, sizeof(*gaps.list), array_by_int64);
	for (size_t k = 0; k < gaps.n; k++) {
		const struct span span = gaps.list[k];

		if (k > 0 && span.from_ns - until_ns >= LEAST_NS)
			gaps.list[found++] = (struct span) {until_ns, span.from_ns};
		if (k == 0)
			until_ns = span.to_ns;
		else
			until_ns = MAX(until_ns, span.to_ns);
	}
	gaps.n = found;
	for (int64_t k = 0; k < n; k++) {
		int64_t least = (after.us - before.us) * 1000 / n / (2 * MAX(1, cores));
		struct span *gap =
			longest_gap(run, &gaps, &before, &after, least, us * 1100 + LEAST_NS);

		if (!gap)
			break;
		err = keep_throttle(run, gap);
		if (err)
			break;
		gap->to_ns = gap->from_ns;
	}
	free(gaps.list);
	return err;
}

int model_throttle_find(struct model_run *run, int32_t cores, bool over)
{
	size_t until = run->n_points + over;
	int err = 0;

	/* Wait for the next reading, with which the last slices before this reading arrive. */
	while (run->lanes && !model_has_command_tasks(run) && run->throttles_seen + !over < until &&
	       !err)
		err = find_between(run, ++run->throttles_seen, cores);
	return err;
}

int64_t model_throttled_until(const struct model_run *run, int64_t t_ns)
{
	const struct model_throttle *last;
	size_t n = array_up_to(run->throttles, run->n_throttles, sizeof(*last),
			       offsetof(struct model_throttle, from_ns), t_ns);

	if (n == 0)
		return 0;
	last = &run->throttles[n - 1];
	return last->before_ns + MIN(t_ns, last->to_ns) - last->from_ns;
}

double model_throttled(const struct model *model, const struct model_run *run, uint32_t worker)
{
	struct model_shares shares = {{0}};

	for (size_t i = 0; i < run->n_throttles; i++)
		model_shares_add(model, run, worker, run->throttles[i].from_ns,
				 run->throttles[i].to_ns, &shares);
	return shares.ns[STATE_WAITING];
}
