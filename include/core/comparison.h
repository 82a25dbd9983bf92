/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/sample_session.h"

/*
 * Which cases of a session are compared. The choice affects the family-wise error rate. Compared
 * cases are adjacent in the order of runs.
 */

/*
 * Whether the two cases differ in no swept variable and do the same work. True for a case and
 * itself.
 */
bool comparison_alike(const struct sample_case *a, const struct sample_case *b);
/* Whether the two cases are points of one curve: they are equal except for the swept variable. */
bool comparison_same_curve(const struct sample_case *a, const struct sample_case *b);
/*
 * The variable with the most values, along which a curve is drawn; "work" if no variable has more
 * than one value.
 */
const char *comparison_variable(const struct sample_case *cases, uint32_t n);
/*
 * The variable that separates kinds of work: "work" or "via". Different kinds are never compared.
 * NULL if the case has neither.
 */
const struct variable *comparison_work(const struct sample_case *config);
/* Whether new tasks begin in several places, so that no single figure describes the case. */
bool comparison_mixed(const struct sample_case *config);
/*
 * Whether cases a and b are compared. Compared are: models of the same work; two lines at one
 * value; for one model, the first value of a condition with each other value; and ways to create a
 * task, with and without ballast.
 */
bool comparison_made(const struct sample_case *cases, uint32_t n, uint32_t a, uint32_t b);
/*
 * The swept variable, if it is a condition of the work (alloc, cache, a program's cores) and not an
 * amount. If there is one, each model is compared over its values. NULL otherwise.
 */
const char *comparison_condition(const struct sample_case *cases, uint32_t n);
/* Whether a and b are the same model, and either has the first value of the condition. */
bool comparison_of_values(const struct sample_case *cases, uint32_t n, uint32_t a, uint32_t b);
/*
 * Whether a sweep varies this variable. Sweeps do not vary the structure, the work or the place of
 * new tasks.
 */
bool comparison_swept(const struct variable *variable);
/* Whether the variable is the shape of a tree or its stacks. */
bool comparison_structure(const struct variable *variable);
