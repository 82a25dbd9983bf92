/* SPDX-License-Identifier: MIT */
#include "experiment/advice.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/claims.h"
#include "core/comparison.h"
#include "core/family.h"

/* Whether an order is real, as the verdict has it: all comparisons of the session share its error.
 */

struct orders {
	struct family family;
	struct family_member *members;
	double *differences; /* ADVICE_TRIALS for each member */
	uint32_t n;
	int sought; /* the member that is asked for; -1 */
};

static bool is_pair(const struct advice *advice, uint32_t a, uint32_t b)
{
	return comparison_made(advice->cases, advice->n_cases, a, b);
}

static uint32_t count_pairs(const struct advice *advice)
{
	uint32_t n = 0;

	for (uint32_t a = 0; a < advice->n_cases; a++)
		for (uint32_t b = a + 1; b < advice->n_cases; b++)
			n += is_pair(advice, a, b);
	return n;
}

/* The trials that both have. */
static void add_pair(struct orders *orders, const struct advice_case *a,
		     const struct advice_case *b)
{
	double *differences = &orders->differences[(size_t)orders->n * ADVICE_TRIALS];
	struct family_member *member = &orders->members[orders->n++];

	*member = (struct family_member) {differences};
	for (uint32_t i = 0; i < ADVICE_TRIALS; i++)
		if (a->trial_ns[i] > 0 && b->trial_ns[i] > 0)
			differences[member->n++] =
				log((double)b->trial_ns[i] / (double)a->trial_ns[i]);
	member->end = member->n;
}

static void add_pairs(struct orders *orders, const struct advice *advice, uint32_t first,
		      uint32_t second)
{
	for (uint32_t a = 0; a < advice->n_cases; a++) {
		for (uint32_t b = a + 1; b < advice->n_cases; b++) {
			if (!is_pair(advice, a, b))
				continue;
			if (a == first && b == second)
				orders->sought = (int)orders->n;
			add_pair(orders, &advice->seen[a], &advice->seen[b]);
		}
	}
}

static int read_orders(struct orders *orders, const struct advice *advice, uint32_t first,
		       uint32_t second)
{
	double error = claims_error_whole(advice->cases, advice->n_cases);
	uint32_t size = count_pairs(advice), planned = advice->seen[first].trials;
	int err = family_make(&orders->family, error, planned > 0 ? planned : 1, size);

	orders->members = calloc(size + 1, sizeof(*orders->members));
	orders->differences = calloc((size_t)(size + 1) * ADVICE_TRIALS, sizeof(double));
	if (err || !orders->members || !orders->differences)
		return -ENOMEM;
	add_pairs(orders, advice, first, second);
	return family_read(&orders->family, orders->members);
}

static double sum_of(const struct family_member *member)
{
	double sum = 0;

	for (uint32_t i = 0; i < member->n; i++)
		sum += member->differences[i];
	return sum;
}

bool advice_slower(const struct advice *advice, uint32_t slow, uint32_t fast)
{
	struct orders orders = {.sought = -1};
	uint32_t first = slow < fast ? slow : fast, second = slow < fast ? fast : slow;
	const struct family_member *member;
	bool slower = false;

	if (read_orders(&orders, advice, first, second) == 0 && orders.sought >= 0) {
		member = &orders.members[orders.sought];
		slower = member->real && (sum_of(member) > 0) == (second == slow);
	}
	family_free(&orders.family);
	free(orders.members);
	free(orders.differences);
	return slower;
}
