/* SPDX-License-Identifier: MIT */
#pragma once

#include "base/sentence.h"
#include "report/verdict.h"

/* "4 pairs: too few to call it real (6 needed)." */
void verdict_too_few(struct sentence *s, uint32_t pairs);
/* Why there is nothing to tell yet, or at all. */
void verdict_no_pair(struct sentence *s, const struct model *model);
void verdict_no_trial(struct sentence *s, const struct model *model);
/* The model's name takes a verb in the singular. */
bool verdict_singular(const char *name);
/* "too few pairs" or "real" */
const char *verdict_reality(const struct finding_lead *lead);

/* Compares ways to create a task. */
void verdict_creation(struct sentence *s, const struct model *model, const struct finding *finding,
		      enum verdict_length length);
/* Compares models over a variable's values, for one kind of work. */
void verdict_sweep(struct sentence *s, const struct model *model, const struct finding *finding);
/* Names who leads most often, for each kind of work. */
void verdict_sweep_least(struct sentence *s, const struct finding_list *list);
