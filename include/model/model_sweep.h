/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "model/model.h"

/*
 * Sessions that sweep a variable: models are compared at the same value of it and for the same
 * work, never across. Trees and stacks are structures, which are compared with one another.
 */

/* The variable of the case that is swept, which has a number; NULL where there is none. */
const struct variable *model_swept(const struct sample_case *one);
/* "mem": the kind of work; "" where it does not vary. */
const char *model_work(const struct sample_case *one);
/* Whether any case of the session has one, or a work of its own. */
bool model_sweeps(const struct model *model);

/*
 * Calls take() for every two curves of one recording that can be compared, with a case of each,
 * until it returns non-zero, which is returned.
 */
int model_curves(const struct model *model,
		 int (*take)(void *arg, const struct model *model, uint32_t a, uint32_t b),
		 void *arg);
