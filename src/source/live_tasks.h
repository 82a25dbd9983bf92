/* SPDX-License-Identifier: MIT */
#pragma once

#include "live_run.h"

/* Work that is handed out piece by piece, as the front end asks for it and sees it. */

/*
 * Leaves out what a task created for a piece would take longer to tell of itself than it works:
 * when it was on a core by its own notes, counters, migrations. Pools are asked for the former.
 */
void live_tasks_ask(struct board_request *board);
/* What a run did; nothing is filled in where nothing was handed out. */
void live_tasks_collect(const struct live_run *run, struct sample_totals *totals);
