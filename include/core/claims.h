/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/sample.h"

/*
 * What the sentence of a session tells: who leads by the elapsed time, at each value of what is
 * swept and over its values, and beside it who does by the time of each kind of work, of creation
 * and by CPU time; a sweep of one kind of work tells of the whole alone. All of it together names a
 * false winner in at most LOOKS_ERROR of sessions, by the union bound: the whole has so much of the
 * error that six trials of two models decide it as they do alone, and the claims beside it have
 * equal parts of the rest.
 */

/* Whether tasks of that kind do their work beside tasks of another one. */
bool claims_kind(const struct sample_case *cases, uint32_t n, enum work_kind kind);
/* Whether all of them start programs, so that the calls which do can be compared. */
bool claims_creation(const struct sample_case *cases, uint32_t n);
/* The claims beside the whole, CPU time, creation and each kind; 0: where there is the whole alone.
 */
uint32_t claims_beside(const struct sample_case *cases, uint32_t n);
/* The error of all comparisons in the elapsed time, and of those in one claim beside it. */
double claims_error_whole(const struct sample_case *cases, uint32_t n);
double claims_error_beside(const struct sample_case *cases, uint32_t n);
