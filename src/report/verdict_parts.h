/* SPDX-License-Identifier: MIT */
#pragma once

#include "base/sentence.h"
#include "report/claim.h"
#include "report/verdict.h"

/* "Measuring, 8 of 15 trials.": see claim_progress(). */
void verdict_progress(struct sentence *s, const struct finding_progress *progress);
/* Why there is nothing to tell yet, or at all. */
void verdict_no_pair(struct sentence *s, const struct model *model);
void verdict_no_trial(struct sentence *s, const struct model *model);
/* The model's name takes a verb in the singular. */
bool verdict_singular(const char *name);
/* "so far", or "real" where it is before every other */
const char *verdict_reality(const struct finding_lead *lead);

/* Compares ways to create a task. */
void verdict_creation(struct sentence *s, const struct model *model, const struct finding *finding,
		      enum verdict_length length);
/* Compares models over a variable's values, for one kind of work. */
void verdict_sweep(struct sentence *s, const struct model *model, const struct finding *finding);
/* Names who leads most often, for each kind of work. */
void verdict_sweep_least(struct sentence *s, const struct finding_list *list);
