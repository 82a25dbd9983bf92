/* SPDX-License-Identifier: MIT */
#include "stats/family.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rank_tree.h"

/* For a number of comparisons left: the rank below which the statistic of each look rejects. */
struct family_step {
	double spent;
	uint32_t end, n; /* pairs at the planned end, and those up to which ranks are known */
	uint64_t *rank;	 /* by the number of pairs; 0: no look */
};

int family_make(struct family *family, double error, uint32_t planned, uint32_t size)
{
	*family = (struct family) {.error = error, .planned = planned, .size = size};
	family->steps = calloc(size + 1, sizeof(*family->steps));
	return family->steps ? 0 : -ENOMEM;
}

void family_free(struct family *family)
{
	for (uint32_t i = 0; i <= family->size && family->steps; i++)
		free(family->steps[i].rank);
	free(family->steps);
	*family = (struct family) {.steps = NULL};
}

/* Ranks are found for a few more pairs than there are: they are needed next. */
static struct family_step *step_of(struct family *family, uint32_t left, uint32_t end, uint32_t n)
{
	struct family_step *step = &family->steps[left];
	struct looks looks =
		looks_plan(family->error - family->spent, family->planned, family->size, left);
	uint64_t *rank;

	if (step->rank && step->spent == family->spent && step->end == end && n <= step->n)
		return step;
	n += 8;
	rank = realloc(step->rank, (n + 1) * sizeof(*rank));
	if (!rank)
		return NULL;
	for (uint32_t i = 0; i <= n; i++) {
		double level = looks_level(&looks, end, i);

		rank[i] = level > 0 ? stats_signed_rank_at(i, level) : 0;
	}
	*step = (struct family_step) {family->spent, end, n, rank};
	return step;
}

/*
 * The signed-rank statistic after each number of pairs: of the Walsh averages, how many are not
 * above 0, or not below it where those are fewer. A sum of two is no greater than 0 where the one
 * is no greater than the other's opposite, in binary floating point too. 0 or -ENOMEM.
 */
static int read_statistics(const struct family_member *member, uint64_t *statistic)
{
	const double *d = member->differences;
	uint64_t below = 0, above = 0;
	struct rank_tree tree;
	int err = rank_tree_open(&tree, d, member->n);

	if (err)
		return err;
	for (uint32_t n = 0; n < member->n; n++) {
		rank_tree_add(&tree, d[n]);
		below += rank_tree_up_to(&tree, -d[n]);
		above += rank_tree_from(&tree, -d[n]);
		statistic[n + 1] = below < above ? below : above;
	}
	rank_tree_close(&tree);
	return 0;
}

/* Whether a look so far rejects with so many comparisons left: 1, 0 or -ENOMEM. */
static int rejects(struct family *family, const struct family_member *member, uint32_t left,
		   const uint64_t *statistic)
{
	uint32_t end = member->end ? member->end : family->planned, n = member->n;
	const struct family_step *step;

	if (!member->end && n >= end)
		n = end - 1;
	step = step_of(family, left, end, n);
	if (!step)
		return -ENOMEM;
	for (uint32_t i = 1; i <= n; i++)
		if (statistic[i] < step->rank[i])
			return 1;
	return 0;
}

/* The most comparisons left with which the member is real, by bisection; 0: with none. */
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

/* Takes out what is real with so many left. Returns how many. */
static uint32_t take_out(struct family_member *members, uint32_t size, uint32_t left)
{
	uint32_t taken = 0;

	for (uint32_t i = 0; i < size; i++) {
		struct family_member *member = &members[i];

		/* until it is taken out, left has its strength */
		if (member->real || member->left < left)
			continue;
		member->real = true;
		member->left = left;
		taken++;
	}
	return taken;
}

static void holm(struct family_member *members, uint32_t size, uint32_t left)
{
	uint32_t taken;

	do {
		taken = left > 0 ? take_out(members, size, left) : 0;
		left -= taken;
	} while (taken > 0);
	for (uint32_t i = 0; i < size; i++)
		if (!members[i].real)
			members[i].left = left;
}

static uint32_t largest_number_of_pairs(const struct family *family,
					const struct family_member *members)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < family->size; i++)
		most = members[i].n > most ? members[i].n : most;
	return most;
}

static bool is_one_sided(const struct family_member *member)
{
	bool below = member->n >= STATS_LEAST_PAIRS, above = below;

	for (uint32_t i = 0; i < STATS_LEAST_PAIRS && (below || above); i++) {
		below &= member->differences[i] < 0;
		above &= member->differences[i] > 0;
	}
	return below || above;
}

/* Takes out those that are judged together. Returns how many; also what that costs the rest. */
static uint32_t take_joint(struct family *family, struct family_member *members)
{
	uint32_t joint = 0, found = 0;

	for (uint32_t i = 0; i < family->size; i++) {
		joint += members[i].joint;
		found += members[i].joint && is_one_sided(&members[i]);
	}
	family->spent = joint ? looks_joint(family->error, family->planned, family->size) : 0;
	if (family->spent == 0 || found < joint)
		return 0;
	family->spent = 0;
	for (uint32_t i = 0; i < family->size; i++)
		members[i].together = members[i].joint;
	return joint;
}

int family_read(struct family *family, struct family_member *members)
{
	uint64_t *statistic =
		calloc(largest_number_of_pairs(family, members) + 1, sizeof(*statistic));
	uint32_t joint = take_joint(family, members);
	int err = statistic ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < family->size && !err; i++) {
		int most = strength(family, &members[i], statistic);

		members[i].real = members[i].together;
		members[i].left = members[i].together ? family->size
				  : most < 0	      ? 0
						      : (uint32_t)most;
		err = most < 0 ? most : 0;
	}
	free(statistic);
	if (!err)
		holm(members, family->size, family->size - joint);
	return err;
}

struct looks family_looks(const struct family *family, const struct family_member *member)
{
	double joint = looks_joint(family->error, family->planned, family->size);
	double spent = member->together ? joint : family->spent;
	struct looks looks =
		looks_plan(family->error - spent, family->planned, family->size, member->left);

	if (member->together)
		looks.early = STATS_LEAST_PAIRS;
	return looks;
}

int family_ratio(const struct family *family, const struct family_member *member,
		 struct stats_interval *out)
{
	struct looks looks = family_looks(family, member);

	return looks_ratio(&looks, member->end, member->differences, member->n, out);
}

int family_difference(const struct family *family, const struct family_member *member,
		      struct stats_interval *out)
{
	struct looks looks = family_looks(family, member);

	return looks_difference(&looks, member->end, member->differences, member->n, out);
}

double family_level(const struct family *family, const struct family_member *member)
{
	double joint = looks_joint(family->error, family->planned, family->size);
	double spent = member->together ? joint : family->spent;

	return 1 - (family->error - spent) / member->left - (member->together ? joint : 0);
}
