/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "finding_parts.h"

/* The share of orders in which all of n stand before all of m by chance, on either side. */
static double chance(uint32_t n, uint32_t m)
{
	return 2 * exp(lgamma(n + 1.0) + lgamma(m + 1.0) - lgamma(n + m + 1.0));
}

#define BY_CHANCE 0.05

static bool apart(const struct model_fault *a, const struct model_fault *b)
{
	return a->trials > 0 && b->trials > 0 && (a->most < b->least || b->most < a->least);
}

/* All pairs share the chance of a false difference. */
static void judge(struct finding_faults *faults)
{
	uint32_t pairs = faults->n * (faults->n - 1) / 2;

	for (uint32_t i = 0; i < faults->n; i++) {
		const struct model_fault *a = &faults->list[i];

		for (uint32_t j = i + 1; j < faults->n; j++) {
			const struct model_fault *b = &faults->list[j];

			faults->differ |= apart(a, b);
			faults->real |=
				apart(a, b) && pairs * chance(a->trials, b->trials) <= BY_CHANCE;
		}
	}
}

static uint32_t least_trials(uint32_t pairs)
{
	uint32_t n = 1;

	while (pairs * chance(n, n) > BY_CHANCE)
		n++;
	return n;
}

int finding_faults(const struct model *model, struct finding *finding)
{
	struct finding_faults *faults = &finding->faults;
	int err = 0;

	*faults = (struct finding_faults) {.trials = UINT32_MAX};
	finding->kind = FINDING_FAULT;
	for (uint32_t i = finding->first; i <= finding->last && faults->n < FINDING_GROUPED; i++) {
		struct model_fault *fault = &faults->list[faults->n];

		if (!err)
			err = model_fault_read(model, i, fault);
		faults->trials = fault->trials < faults->trials ? fault->trials : faults->trials;
		faults->n++;
	}
	faults->least = least_trials(faults->n * (faults->n - 1) / 2);
	judge(faults);
	return err;
}
