/* SPDX-License-Identifier: MIT */
#pragma once

#include "live_run.h"

/*
 * Sums up what the workers of a run that has ended tell of their steps. Nothing is filled in
 * where they count none, or one of them has not told.
 */
void live_step_collect(const struct live_run *run, struct sample_totals *totals);
