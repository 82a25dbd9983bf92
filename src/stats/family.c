/* SPDX-License-Identifier: MIT */
#include "stats/stats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

/*
 * Thresholds for one number of remaining comparisons. The analysis after n pairs is significant if
 * its statistic is below rank[n].
 */
struct family_step {
	double spent;
	/*
	 * end: number of pairs at the planned end. n: number of pairs up to which ranks are known.
	 */
	uint32_t end, n;
	uint64_t *rank; /* indexed by the number of pairs; 0: no analysis */
};

int family_make(struct family *family, double error, uint32_t planned, uint32_t size)
{
	*family = (struct family) {.error = error, .planned = planned, .size = size};
	family->steps = calloc(size + 1, sizeof(*family->steps));
	if (family->steps)
		return 0;
	return -ENOMEM;
}

void family_free(struct family *family)
{
	if (family->steps)
		for (uint32_t i = 0; i <= family->size; i++)
			free(family->steps[i].rank);
	free(family->steps);
	*family = (struct family) {.steps = NULL};
}

/*
 * The differences, sorted and divided into as many buckets of equal width as there are differences.
 * begin[b] is the index of the first value of bucket b, so a search reads only one bucket.
 */
struct value_buckets {
	double *sorted;
	uint32_t *begin;
	size_t n;
	double per_value; /* Buckets per unit of the values; infinite if all are equal. */
};

static size_t value_bucket(const struct value_buckets *buckets, double value)
{
	const double at = (value - buckets->sorted[0]) * buckets->per_value;
	const double last = (double)(buckets->n - 1);

	/* Written with ! so that NaN is included: if all values are equal, `at` is 0 / 0. */
	if (!(at < last))
		return buckets->n - 1;
	return (size_t)MAX(0, at);
}

static void fill_buckets(struct value_buckets *buckets)
{
	const size_t n = buckets->n;

	buckets->per_value = (double)(n - 1) / (buckets->sorted[n - 1] - buckets->sorted[0]);
	for (size_t i = 0; i < n; i++)
		buckets->begin[value_bucket(buckets, buckets->sorted[i]) + 1]++;
	for (size_t i = 0; i < n; i++)
		buckets->begin[i + 1] += buckets->begin[i];
}

/* Returns how many values are below the bound. equal: also counts values equal to it. */
static size_t count_below(const struct value_buckets *buckets, double bound, bool equal)
{
	const size_t bucket = value_bucket(buckets, bound);
	size_t first = buckets->begin[bucket], half;

	/* Search without branches, because the processor could not predict them. */
	for (size_t left = buckets->begin[bucket + 1] - first; left > 0; left -= half) {
		half = (left + 1) / 2;
		const double value = buckets->sorted[first + half - 1];

		first += half * ((value < bound) | (equal & (value == bound)));
	}
	return first;
}

/* Returns the sum of the first `places` entries of a Fenwick tree. */
static size_t added_before(const uint32_t *sums, size_t places)
{
	size_t all = 0;

	for (size_t i = places; i > 0; i &= i - 1)
		all += sums[i];
	return all;
}

/*
 * Computes the signed-rank statistic after each number of pairs: how many Walsh averages are at
 * most 0, or how many are at least 0 if these are fewer. A sum of two values is at most 0 if one
 * value is at most the negative of the other; this also holds in binary floating point. Returns 0
 * or -ENOMEM.
 */
static int read_statistics(const struct family_member *member, uint64_t *statistic)
{
	const double *d = member->differences;
	const size_t n = member->n;
	struct value_buckets buckets = {malloc((n + 1) * sizeof(double)),
					calloc(n + 1, sizeof(uint32_t)), n};
	uint32_t *sums = calloc(n + 1, sizeof(*sums));
	const bool complete = buckets.sorted && buckets.begin && sums;
	uint64_t below = 0, above = 0;

	if (complete && n > 0) {
		memcpy(buckets.sorted, d, n * sizeof(*d));
		stats_sort(buckets.sorted, n);
		fill_buckets(&buckets);
	}
	for (size_t i = 0; complete && i < n; i++) {
		/* Equal values share the index of the first of them. */
		for (size_t at = count_below(&buckets, d[i], false) + 1; at <= n; at += at & -at)
			sums[at]++;
		size_t up_to = count_below(&buckets, -d[i], true), before = up_to;

		if (before > 0 && buckets.sorted[before - 1] == -d[i])
			before = count_below(&buckets, -d[i], false);
		below += added_before(sums, up_to);
		above += i + 1 - added_before(sums, before);
		statistic[i + 1] = MIN(below, above);
	}
	free(buckets.sorted);
	free(buckets.begin);
	free(sums);
	if (complete)
		return 0;
	return -ENOMEM;
}

/*
 * Returns 1 if any analysis so far is significant with this number of comparisons left, 0 if none
 * is, or -ENOMEM.
 */
static int rejects(struct family *family, const struct family_member *member, uint32_t left,
		   const uint64_t *statistic)
{
	uint32_t end = member->end, n = member->n;
	struct family_step *step = &family->steps[left];

	if (!member->end) {
		end = family->planned;
		if (n >= end)
			n = end - 1;
	}
	if (!step->rank || step->spent != family->spent || step->end != end || n > step->n) {
		/*
		 * Compute ranks for a few more pairs than needed, because the next calls need them.
		 */
		const uint32_t more = n + 8;
		struct interim interim = interim_plan(family->error - family->spent,
						      family->planned, family->size, left);
		uint64_t *rank = realloc(step->rank, (more + 1) * sizeof(*rank));

		if (!rank)
			return -ENOMEM;
		for (uint32_t i = 0; i <= more; i++) {
			double level = interim_level(&interim, end, i);

			rank[i] = 0;
			if (level > 0)
				rank[i] = stats_signed_rank_at(i, level);
		}
		*step = (struct family_step) {family->spent, end, more, rank};
	}
	for (uint32_t i = 1; i <= n; i++)
		if (statistic[i] < step->rank[i])
			return 1;
	return 0;
}

/*
 * Finds by bisection the largest number of remaining comparisons with which the member is still
 * significant; 0: it never is.
 */
static int strength(struct family *family, const struct family_member *member, uint64_t *statistic)
{
	uint32_t real = 0, fails = family->size + 1;
	int err = read_statistics(member, statistic);

	if (err)
		return err;
	while (fails - real > 1) {
		uint32_t left = real + (fails - real) / 2;
		int found = rejects(family, member, left, statistic);

		if (found < 0)
			return found;
		if (found)
			real = left;
		else
			fails = left;
	}
	return (int)real;
}

static bool is_one_sided(const struct family_member *member)
{
	bool below = true, above = true;

	if (member->n < STATS_LEAST_PAIRS)
		return false;
	for (uint32_t i = 0; i < STATS_LEAST_PAIRS; i++) {
		below &= member->differences[i] < 0;
		above &= member->differences[i] > 0;
	}
	return below || above;
}

/*
 * If the joint analysis finds all joint members significant, marks them and returns their number.
 * Otherwise returns 0. Sets family->spent in both cases.
 */
static uint32_t take_joint(struct family *family, struct family_member *members)
{
	uint32_t joint = 0, found = 0;

	for (uint32_t i = 0; i < family->size; i++) {
		joint += members[i].joint;
		found += members[i].joint && is_one_sided(&members[i]);
	}
	if (joint)
		family->spent = interim_joint(family->error, family->planned, family->size);
	else
		family->spent = 0;
	if (family->spent == 0 || found < joint)
		return 0;
	family->spent = 0;
	for (uint32_t i = 0; i < family->size; i++)
		members[i].together = members[i].joint;
	return joint;
}

int family_read(struct family *family, struct family_member *members)
{
	uint32_t left = family->size - take_joint(family, members), pairs = 0, taken;
	uint64_t *statistic;
	for (uint32_t i = 0; i < family->size; i++)
		pairs = MAX(members[i].n, pairs);
	statistic = calloc(pairs + 1, sizeof(*statistic));
	if (!statistic)
		return -ENOMEM;
	for (uint32_t i = 0; i < family->size; i++) {
		int most = strength(family, &members[i], statistic);

		if (most < 0) {
			free(statistic);
			return most;
		}
		members[i].real = members[i].together;
		if (members[i].together)
			members[i].left = family->size;
		else
			members[i].left = (uint32_t)most;
	}
	free(statistic);
	/* Holm's method: remove the significant comparisons until no other one is significant. */
	while (left > 0) {
		taken = 0;
		for (uint32_t i = 0; i < family->size; i++) {
			/* Until the member is real, members[i].left is the result of strength(). */
			if (members[i].real || members[i].left < left)
				continue;
			members[i].real = true;
			members[i].left = left;
			taken++;
		}
		if (taken == 0)
			break;
		left -= taken;
	}
	for (uint32_t i = 0; i < family->size; i++)
		if (!members[i].real)
			members[i].left = left;
	return 0;
}

/*
 * Returns the error that analyses other than this member's own have spent: its joint analysis or,
 * for a member without one, that of the joint members.
 */
static double spent_beside(const struct family *family, const struct family_member *member)
{
	if (member->together)
		return interim_joint(family->error, family->planned, family->size);
	return family->spent;
}

struct interim family_interim(const struct family *family, const struct family_member *member)
{
	struct interim interim = interim_plan(family->error - spent_beside(family, member),
					      family->planned, family->size, member->left);

	if (member->together)
		interim.early = STATS_LEAST_PAIRS;
	return interim;
}

int family_interval(const struct family *family, const struct family_member *member,
		    bool differences, struct stats_interval *out)
{
	struct interim interim = family_interim(family, member);

	return (differences ? interim_difference : interim_ratio)(
		&interim, member->end, member->differences, member->n, out);
}

double family_level(const struct family *family, const struct family_member *member)
{
	double spent = spent_beside(family, member);

	return 1 - (family->error - spent) / member->left - (member->together ? spent : 0);
}
