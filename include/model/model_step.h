/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"

/* Sessions whose workers do one operation many times: the time of one is what is compared. */

/* The kind of work of all its workers; WORK_KINDS: it is no such session. */
enum work_kind model_step(const struct model *model);
/* Below this share of a run in which all were on cores together, its figures are withheld. */
#define MODEL_TOGETHER_LEAST 0.25
/*
 * For model.c alone, at the end of a run: the share of the time from the first worker's begin to
 * the last one's end in which all of them, or as many as there are cores, were on cores together,
 * by their slices. NaN: not known.
 */
double model_together_make(const struct model_run *run, int cores);
/* Several workers share something, and were not together for long enough, or that is not known. */
bool model_withheld(const struct model_run *run);
/* Whether the workers of the case take what they share in turns. */
bool model_shares_steps(const struct sample_case *one);
