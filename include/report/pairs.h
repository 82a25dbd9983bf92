/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "model/model.h"

/*
 * The pairs of trials behind a comparison, for a logarithmic axis with 1 in its middle: twice and
 * half lie equally far out.
 */
struct pairs {
	double *ratios; /* a / b, as the sentence tells them; none of recordings apart */
	size_t n;
	double bound; /* the right end of the axis, a round one; the left one is its inverse */
};

/* 0 or -ENOMEM; the caller frees it in both cases. */
int pairs_read(struct pairs *pairs, const struct model *model,
	       const struct model_comparison *comparison);
void pairs_free(struct pairs *pairs);
