/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"

/* The values of two cases, trial by trial, in the order of their trials. */
struct model_series {
	double *values;
	uint32_t *trials;
	size_t n;
};

/* 0 or -ENOMEM; the caller frees with model_series_free(), also on an error. */
int model_series_read(struct model_series two[2], const struct model *model, uint32_t a, uint32_t b,
		      enum model_metric metric);
void model_series_free(struct model_series two[2]);
/* Keeps of both the trials that the other has as well. Returns how many. */
size_t model_series_pair(struct model_series two[2]);
