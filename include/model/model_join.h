/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "model/model.h"

/* The most cases of a join: as many as a few of the largest sessions have. */
#define MODEL_JOIN_CASES 256

/*
 * Several recordings as one session, to be shown and exported as one: the cases of each, named
 * "threads @desktop" by the machine (and the date where a machine has several), and its runs, which
 * take turns as those of models do: the first of each, the second of each, … What is joined keeps
 * its order and durations; only where it lies on the session's clock changes. Each machine has its
 * own columns of cores, unknown while another one's run is shown; a message says which are whose.
 *
 * Moves the contents of parts[n] into out, which is initialised here; the parts are left valid to
 * be freed. 0, -ENOMEM, or -E2BIG: more cases than that together. out is the caller's to free
 * in every case.
 */
int model_join(struct model *parts, size_t n, struct model *out);
