/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "core/sample.h"
#include "live_run.h"

struct live_run;

/*
 * Raises what was read of a run's memory to the peaks that the kernel kept. The memory of a process
 * has a high-water mark of resident pages of its own, which a fork begins anew (mm->hiwater_rss).
 * Of threads it is the peak of all. Of processes the marks are summed over those that worked at the
 * same time, since each may have come at another moment: that is at most the peak of their sum too
 * high. PSS and USS are less than resident memory by what is shared, as it was read.
 * runner_kb is the runner's own mark; -1: not known.
 */
void live_peak_raise(const struct live_run *run, int64_t runner_kb, struct sample_memory *peak);

/* Adds the processes that threads have started for their programs to those whose memory is read. */
void live_children_add(struct live_run *run);
