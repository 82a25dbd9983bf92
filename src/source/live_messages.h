/* SPDX-License-Identifier: MIT */
#pragma once

#include "live_run.h"

/* The messages that arrived in a run, by their receivers' count; not known of one without its end.
 */
void live_messages_collect(const struct live_run *run, struct sample_totals *totals);
