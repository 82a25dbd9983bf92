/* SPDX-License-Identifier: MIT */
#pragma once

#include "model/model.h"

/*
 * A session that goes on for a day keeps the figures of all its runs, and of old ones no more than
 * that: what their workers did is in the recording.
 */

/* Bytes for workers, lanes, points over time and loads, unless something else is asked for. */
#define MODEL_KEPT (UINT64_C(256) << 20)

/*
 * Drops workers, lanes and points of the oldest ended runs, and the oldest loads, until no more
 * than `most` bytes are kept of each, except of the newest two runs of each case. For a live
 * session, after a run's end: whoever moves through a recording wants all of it. Nothing that is
 * compared changes. Sessions of ways to create a task are left alone: their latencies are of all
 * workers.
 */
void model_keep(struct model *model, size_t most);
