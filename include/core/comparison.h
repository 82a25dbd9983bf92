/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/sample_session.h"

/*
 * Which cases of a session are compared. With each comparison, an error becomes more likely. Cases
 * that are compared run one after the other.
 */

/*
 * Whether the two cases have equal variables, except those for which comparison_structure() is
 * true. Always true for a case and itself. Otherwise false if either is a case that is never
 * compared.
 */
bool comparison_alike(const struct sample_case *a, const struct sample_case *b);
/*
 * Whether the two cases are points of one curve: they have the same model, and equal variables
 * except those for which comparison_swept() is true.
 */
bool comparison_same_curve(const struct sample_case *a, const struct sample_case *b);
/*
 * The variable with the most values, along which a curve is drawn; "work" if no variable has more
 * than one value.
 */
const char *comparison_variable(const struct sample_case *cases, uint32_t n);
/*
 * The variable that separates kinds of work: "work" or, for share workers, "via". Different kinds
 * are never compared. NULL if the case has neither.
 */
const struct variable *comparison_work(const struct sample_case *config);
/*
 * Whether tasks of the case begin on several cores, some nearer to their creator than others. No
 * single figure describes such a case.
 */
bool comparison_mixed(const struct sample_case *config);
/*
 * Whether cases a and b are compared. Cases of two models, or of two structures, are compared if
 * both have the same work and the same value of comparison_variable(), or if either lacks that
 * variable. Cases of one model are compared if they differ only in the way to hand over, in the
 * ballast of a measured creation, or in a condition, and if the earlier case has the first value.
 */
bool comparison_made(const struct sample_case *cases, uint32_t n, uint32_t a, uint32_t b);
/*
 * The variable of comparison_variable() if it is a condition of the work, such as alloc, cache or
 * the cores of a program: each model is then compared with itself over the values. NULL if the
 * variable is an amount, if nothing is swept, and in sessions that measure creation or a hand-over.
 */
const char *comparison_condition(const struct sample_case *cases, uint32_t n);
/*
 * Whether a and b are the same model and differ only in the condition, and the earlier one has its
 * first value.
 */
bool comparison_of_values(const struct sample_case *cases, uint32_t n, uint32_t a, uint32_t b);
/*
 * Whether a sweep may vary the variable. False for the structure, the kind of work, the way to hand
 * over, and the placement of new tasks.
 */
bool comparison_swept(const struct variable *variable);
/*
 * Whether the variable is the structure of the tasks: the shape of a tree, or the size of stacks.
 */
bool comparison_structure(const struct variable *variable);
