/* SPDX-License-Identifier: MIT */
#pragma once

#include "base/sentence.h"
#include "report/claim.h"
#include "report/verdict.h"

#define VERDICT_NAME SAMPLE_NAME
/* A ratio below is not told of what is not decided. */
#define VERDICT_NO_TIMES 1.005

/* Variants of one model, which then need not be named with each. */
bool verdict_one_model(const struct model *model);
/* The name that tells a case from the others: "threads", "tree=50x99", "threads tree=50x99". */
const char *verdict_name(const struct model *model, uint32_t case_id, char buf[VERDICT_NAME]);
/* The same as an argument. */
#define VERDICT_NAME_OF(model, case_id) verdict_name(model, case_id, (char[VERDICT_NAME]) {0})
/* Names that are values, or programs as they were typed: they have no capital. */
bool verdict_keeps_letters(const struct model *model);
/* The same at the place where a sentence begins. */
void verdict_begin(struct sentence *s, const struct model *model, uint32_t case_id);
/* The name takes a verb in the singular. */
bool verdict_singular(const char *name);
bool verdict_singular_case(const struct model *model, uint32_t case_id);
/* "take", "takes" */
const char *verdict_take(const struct model *model, uint32_t case_id);

/* " 4 planned trials are too few: …" where more is to say than that it is being measured. */
void verdict_progress(struct sentence *s, const struct finding_progress *progress);
/* Why there is nothing to tell yet, or at all. */
void verdict_no_pair(struct sentence *s, const struct model *model);
void verdict_no_trial(struct sentence *s, const struct model *model);
/* "so far", or "real" where it is before every other */
const char *verdict_reality(const struct finding_lead *lead);
/* The median of the case's trials in ns; NaN where none is known. */
double verdict_median(const struct model *model, uint32_t case_id, enum model_metric metric);
/*
 * Whether the medians of a and b may stand beside the times that b takes as long: who divides the
 * one by the other finds about the same.
 */
bool verdict_agrees(double a, double b, double times);

/* Compares two models: a has the lesser time, or is said first. */
void verdict_pair(struct sentence *s, const struct model *model, const struct finding_lead *lead,
		  enum verdict_length length);
/* Compares three or more. */
void verdict_groups(struct sentence *s, const struct model *model, const struct finding *finding,
		    enum verdict_length length);
/*
 * Says who leads by each kind of work, and by CPU time where the elapsed time cannot tell; nothing
 * but what is real where the whole one is not asked for.
 */
void verdict_claims(struct sentence *s, const struct model *model, const struct finding *finding,
		    enum verdict_length length);
/*
 * Says what a write costs after a fork, where workers write to their creator's memory and that is
 * real; false: nothing was said.
 */
bool verdict_touch(struct sentence *s, const struct model *model);
/* Says of which cases what was measured is withheld, since their workers did not share. */
void verdict_share(struct sentence *s, const struct model *model);
/*
 * Says from which length of a task on a pool no longer matters, where that was swept; what is not
 * decided only when the session is over.
 */
void verdict_pool(struct sentence *s, const struct model *model);
/* Says who survived the fault of one worker. */
void verdict_fault(struct sentence *s, const struct model *model, const struct finding *finding);
/* Compares ways to hand something over, and models in each. */
void verdict_ways(struct sentence *s, const struct model *model, const struct finding *finding);
/* Compares ways to create a task. */
void verdict_creation(struct sentence *s, const struct model *model, const struct finding *finding,
		      enum verdict_length length);
/* Compares models over a variable's values, for one kind of work. */
void verdict_sweep(struct sentence *s, const struct model *model, const struct finding *finding);
/* Says how one model differs over the values of a condition. */
void verdict_values(struct sentence *s, const struct model *model, const struct finding *finding);
/* Names the greatest such difference that is real. */
void verdict_values_least(struct sentence *s, const struct model *model,
			  const struct finding *finding);
/* Says of a sweep who leads by each kind of work. */
void verdict_sweep_claims(struct sentence *s, const struct model *model,
			  const struct finding *finding);
/* The same of what is real alone, and without at how many values. */
void verdict_sweep_claims_least(struct sentence *s, const struct model *model,
				const struct finding *finding);
/* Names who leads most often, for each kind of work. */
void verdict_sweep_least(struct sentence *s, const struct finding_list *list);
