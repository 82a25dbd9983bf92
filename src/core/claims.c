/* SPDX-License-Identifier: MIT */
#include "core/claims.h"

#include "core/comparison.h"
#include "core/looks.h"
#include "core/plan.h"

/* The share of the error with which six pairs on one side decide at the planned end. */
#define WHOLE 0.75

static bool has_both(const struct plan *plan, enum work_kind kind)
{
	uint32_t others = 0;

	for (int i = 0; i < WORK_KINDS; i++)
		others += i == (int)kind ? 0 : plan->leaves[i];
	return plan->leaves[kind] > 0 && others > 0;
}

bool claims_kind(const struct sample_case *cases, uint32_t n, enum work_kind kind)
{
	for (uint32_t i = 0; i < n; i++)
		if (has_both(&cases[i].plan, kind))
			return true;
	return false;
}

bool claims_creation(const struct sample_case *cases, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!plan_starts_programs(&cases[i].plan))
			return false;
	return n > 0;
}

static bool sweeps(const struct sample_case *one)
{
	for (uint32_t i = 0; i < one->variables.n; i++)
		if (!comparison_structure(&one->variables.list[i]))
			return true;
	return false;
}

/* Creation is told of by its own times, and a sweep of one kind of work by the whole. */
uint32_t claims_beside(const struct sample_case *cases, uint32_t n)
{
	uint32_t kinds = 0;
	bool swept = false;

	for (uint32_t i = 0; i < n; i++) {
		if (plan_is_creation(&cases[i].plan))
			return 0;
		swept |= sweeps(&cases[i]);
	}
	for (int kind = 0; kind < WORK_KINDS; kind++)
		kinds += claims_kind(cases, n, (enum work_kind)kind);
	if (swept)
		return kinds == 0 ? 0 : kinds + 1;
	return 1 + kinds + claims_creation(cases, n);
}

double claims_error_whole(const struct sample_case *cases, uint32_t n)
{
	return claims_beside(cases, n) > 0 ? WHOLE * LOOKS_ERROR : LOOKS_ERROR;
}

double claims_error_beside(const struct sample_case *cases, uint32_t n)
{
	uint32_t beside = claims_beside(cases, n);

	return beside > 0 ? (1 - WHOLE) * LOOKS_ERROR / beside : LOOKS_ERROR;
}
