/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/sample_session.h"

/*
 * Which cases of a session are compared. The choice affects the family-wise error rate, and
 * compared cases are adjacent in the order of runs.
 */

/* Whether the two differ in no swept variable and do the same work; a case is like itself. */
bool comparison_alike(const struct sample_case *a, const struct sample_case *b);
/* Whether the two are points of one curve: all but the swept variable is the same. */
bool comparison_same_curve(const struct sample_case *a, const struct sample_case *b);
/* The variable with most values, along which a curve is drawn; "work" where none has two. */
const char *comparison_variable(const struct sample_case *cases, uint32_t n);
/* The variable that separates kinds of work, which are never compared: work or via; NULL. */
const struct variable *comparison_work(const struct sample_case *one);
/* Whether its tasks begin in several places, so that it has no single figure. */
bool comparison_mixed(const struct sample_case *one);
/*
 * Models, lines at a value, one model at the first value of a condition and at each other one, and
 * ways to create a task with and without ballast.
 */
bool comparison_made(const struct sample_case *cases, uint32_t n, uint32_t a, uint32_t b);
/*
 * The swept variable, if it is a condition of the work (alloc, cache, a program's cores) and no
 * amount: each model is compared over its values. NULL without one.
 */
const char *comparison_condition(const struct sample_case *cases, uint32_t n);
/* Whether the two are one model, a or b at the first value of the condition. */
bool comparison_of_values(const struct sample_case *cases, uint32_t n, uint32_t a, uint32_t b);
/* Whether a sweep varies it: it is neither structure, nor work, nor the place of new tasks. */
bool comparison_swept(const struct variable *variable);
/* A tree or its stacks. */
bool comparison_structure(const struct variable *variable);
