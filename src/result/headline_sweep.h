/* SPDX-License-Identifier: MIT */
#pragma once

#include "headline_text.h"

/*
 * Adds the sentence of a session that compares models at several values of its settings, such as
 * "processes slower at 5 of 7 values of size (1.10x to 2.3x), same at 2".
 */
void headline_sweep(struct sentence *s, const struct answer *answer, const struct model *model);

/*
 * While trials go on, adds at how many values each model is, and looks, the fastest or, without any
 * ratio yet, that no trial is complete. Otherwise returns false. Also returns false if some of more
 * than two models are decided, because the fastest model need not be one of these.
 */
bool headline_so_far(struct sentence *s, const struct answer *answer, const struct model *model);
