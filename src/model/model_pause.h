/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sample.h"

struct model;

/*
 * Records a tick of the recording. A pause lasts from its first paused tick to the next tick that
 * is not paused.
 */
int model_pause_note(struct model *model, int64_t time_ns, bool paused);
/* Converts a time of the recording's clock to the model's clock, which stops during pauses. */
int64_t model_pause_strip(const struct model *model, int64_t time_ns);
/*
 * Converts the times of a sample to the model's clock. begin_ns is the recorded beginning of the
 * sample's run. If the sample has lists, they are copied to *list, which the caller frees;
 * otherwise *list is NULL. Returns 0 or -ENOMEM.
 */
int model_pause_sample(const struct model *model, int64_t begin_ns, struct sample *sample,
		       void **list);
