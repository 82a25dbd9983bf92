/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"

/* Sessions whose workers do one operation many times: the time of one is what is compared. */

/* The kind of work of all its workers; WORK_KINDS: it is no such session. */
enum work_kind model_step(const struct model *model);
/*
 * Below this share of a run in which all were at it together, its figures are withheld. A spinlock
 * that two want takes 8 times as long as one that nobody else wants: of runs with 25 to 60 % its
 * time came out at 4 to 15 ns, of those with 98 % at 40.
 */
#define MODEL_TOGETHER_LEAST 0.9
/*
 * For model.c alone, at the end of a run of that case: the share of the time from the first
 * increment to the last one in which all of them, or as many as there are cores, were at what they
 * share together: on cores, by their slices. Who waits for a mutex sleeps: that is part of it while
 * another is on a core, and a wait for a core is none, which what the kernel counts of such waits
 * proves; of what is not shown by slices all is taken off. NaN: not known.
 */
double model_together_make(const struct model_run *run, const struct sample_case *one, int cores);
/* Several workers share something, and were not together for long enough, or that is not known. */
bool model_withheld(const struct model_run *run);
/* Whether the workers of the case take what they share in turns. */
bool model_shares_steps(const struct sample_case *one);
