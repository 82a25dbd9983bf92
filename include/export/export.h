/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_EXPORT_H
#define TUIBENCH_EXPORT_H

#include <stdio.h>

#include "model/model.h"

/*
 * The recording itself in the formats of other tools, up to now, cut-off runs as well: texts are
 * UTF-8 without control characters whatever the recording holds.
 *
 * workers and samples are tidy CSV about the counted runs: a row per worker, a row per observation.
 * Times are ns since the run's begin. The subjects of samples are "run" (rss_kb, pss_kb, uss_kb,
 * kernel_kb, tasks as the kernel counts them; estimated is 1 where PSS and USS were extrapolated),
 * "core0" … (shares of that core, 100 is all of it, since the tick before) and "tuibench"
 * (self_cpu_ms, what the front end used since the run's begin).
 */
int export_workers(const struct model *model, FILE *out);
int export_samples(const struct model *model, FILE *out);
/* Chrome's trace events, as Perfetto and speedscope read them; warm-ups as well. */
int export_trace(const struct model *model, FILE *out);
/* One self-contained page without scripts, for the screen and as a hand-out on A4. */
int export_html(const struct model *model, FILE *out);

#endif
