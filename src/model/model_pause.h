/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sample.h"

struct model;

/* Notes a tick of the recording: a pause lasts from its first tick to the first after it. */
int model_pause_note(struct model *model, int64_t time_ns, bool paused);
/* Converts a time of the recording's clock to the model's, which stops in pauses. */
int64_t model_pause_strip(const struct model *model, int64_t time_ns);
/*
 * Makes the times of a sample anew; begin_ns is that of its run as recorded. What it has lists of
 * is then in *list, to be freed by the caller, NULL for none. 0 or -ENOMEM.
 */
int model_pause_sample(const struct model *model, int64_t begin_ns, struct sample *sample,
		       void **list);
