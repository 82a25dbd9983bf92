/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_MODEL_CREATION_VERDICT_H
#define TUIBENCH_MODEL_CREATION_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "base/sentence.h"

/*
 * The sentence for ways to create a task: pthread_create against fork where both are there, by the
 * median time until the task runs, and how the two grow with the ballast. Of the cases from first
 * to last.
 */
void model_creation_verdict(const struct model *model, uint32_t first, uint32_t last,
			    struct sentence *sentence);
/* The two that the sentence is of; false where nothing is to be compared yet. */
bool model_creation_pair(const struct model *model, uint32_t first, uint32_t last,
			 struct model_comparison *c);
/* Shorter, and nothing while there is nothing to compare: without the growth, … */
void model_creation_short(const struct model *model, uint32_t first, uint32_t last,
			  struct sentence *sentence);
/* … and "pthread_create 7.1x as soon as fork (real)". */
void model_creation_least(const struct model *model, uint32_t first, uint32_t last,
			  struct sentence *sentence);

#endif
