/* SPDX-License-Identifier: MIT */
#include "verdict_parts.h"

/* Who survives a fault that one worker commits. */

static const char *const begins[] = {
	[FAULT_NONE] = "One fault ended",
	[FAULT_SEGV] = "One worker's segmentation fault ended",
	[FAULT_ABORT] = "One worker's abort() ended",
	[FAULT_EXIT] = "One worker's exit() ended",
	[FAULT_HANG] = "One worker that hangs kept from finishing",
	[FAULT_OOM] = "One worker out of memory ended",
	[FAULT_OVERRUN] = "One worker that wrote past its own memory spoiled the result of",
};

/* "4 of 4 threads", "1 to 2 of 4 processes", "2 of 4 in hybrid:2x2" */
static void say_case(struct sentence *s, const struct model *model, uint32_t case_id,
		     const struct model_fault *fault)
{
	const char *name = VERDICT_NAME_OF(model, case_id);
	int64_t least = fault->workers - fault->most, most = fault->workers - fault->least;

	sentence_add(s, " %lld", (long long)least);
	if (most > least)
		sentence_add(s, " to %lld", (long long)most);
	sentence_add(s, " of %u %s%s", fault->workers, verdict_singular(name) ? "in " : "", name);
}

void verdict_fault(struct sentence *s, const struct model *model, const struct finding *finding)
{
	const struct finding_faults *faults = &finding->faults;
	enum fault_kind kind = FAULT_NONE;
	uint32_t said = 0;

	for (uint32_t i = 0; i < faults->n; i++)
		if (faults->list[i].trials > 0)
			kind = faults->list[i].kind;
	if (kind == FAULT_NONE) {
		verdict_no_trial(s, model);
		return;
	}
	sentence_add(s, "%s", begins[kind]);
	for (uint32_t i = 0; i < faults->n; i++) {
		if (faults->list[i].trials == 0)
			continue;
		sentence_add(s, "%s", said++ ? "," : "");
		say_case(s, model, finding->first + i, &faults->list[i]);
	}
	if (faults->trials == 0)
		sentence_add(s, " so far");
	else
		sentence_add(s, faults->trials == 1 ? ", in one trial" : ", in each of %u trials",
			     faults->trials);
	sentence_add(s, ".");
	if (faults->differ && !faults->real && faults->trials < faults->least && model_over(model))
		sentence_add(s, " Too few trials to call it real: --trials %u is the least.",
			     faults->least);
}
