/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/finding.h"

/* The two ways to create a task that are compared; false, and *a alone, where there are none. */
bool finding_creation_pair(const struct model *model, uint32_t first, uint32_t last, uint32_t *a,
			   uint32_t *b);
/* Fills kind, lead, or case_id, and growth. 0 or -ENOMEM. */
int finding_creation(const struct model *model, struct finding *finding);

/* Compares the ways to hand something over, and the models in each. 0 or -ENOMEM. */
int finding_ways(const struct model *model, struct finding *finding);
/* Fills kind and faults. 0 or -ENOMEM. */
int finding_faults(const struct model *model, struct finding *finding);

/* Fills the groups of the finding's cases that compare with the one. 0 or -ENOMEM. */
int finding_groups(const struct model *model, struct finding *finding, uint32_t with,
		   enum model_metric metric);

/* Fills the claims beside the whole, of the cases that compare with the first. 0 or -ENOMEM. */
int finding_claims(const struct model *model, struct finding *finding);

/* Fills the claims beside the whole over the values of a sweep. 0 or -ENOMEM. */
int finding_sweep_claims(const struct model *model, struct finding *finding);

/* A sweep has two cases with the same value and work. */
bool finding_sweep_pairs(const struct model *model);
/* No case before it does the same work. */
bool finding_sweep_begins(const struct model *model, uint32_t case_id);
/* Finds who leads in the work of the finding's first case. 0 or -ENOMEM. */
int finding_sweep(const struct model *model, struct finding *finding);
/* Compares each model at the first value of a condition with the others. 0 or -ENOMEM. */
int finding_values(const struct model *model, struct finding *finding);
/* Counts how the case stands with the others of its value. 0 or -ENOMEM. */
int finding_last_take(const struct model *model, uint32_t case_id, struct finding_share *share);
/* Finds who is last, of the shares that were counted and sorted. 0 or -ENOMEM. */
int finding_last(const struct model *model, struct finding_sweep *sweep);
/* The case on b's curve that is comparable with the one; n_cases where there is none. */
uint32_t finding_partner(const struct model *model, uint32_t one, uint32_t b);
/* Whether the two do the same kind of work. */
bool finding_same_work(const struct sample_case *a, const struct sample_case *b);
