/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

#include "live_run.h"

/*
 * Sums up what the workers of a run that has ended tell of their steps. Nothing is filled in
 * where they count none, or one of them has not told.
 */
void live_step_collect(const struct live_run *run, struct sample_totals *totals);

/* Work that is handed out piece by piece, as the front end asks for it and sees it. */

/*
 * Leaves out what a task created for a piece would take longer to tell of itself than it works:
 * when it was on a core by its own notes, counters, migrations. Pools are asked for the former.
 */
void live_tasks_ask(struct board_request *board);
/* What a run did; nothing is filled in where nothing was handed out. */
void live_tasks_collect(const struct live_run *run, struct sample_totals *totals);

/* The messages that arrived in a run, by their receivers' count; not known of one without its end.
 */
void live_messages_collect(const struct live_run *run, struct sample_totals *totals);
