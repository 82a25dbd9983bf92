/* SPDX-License-Identifier: MIT */
#pragma once

#include "live_run.h"

struct experiment;

/* The fault that one worker of a run commits, as the front end asks for it and sees it. */

/* The same leaf in every model of a trial, drawn with the session's seed. */
void live_fault_ask(const struct experiment *experiment, const struct sample_run *id,
		    struct board_request *board);
/* It hangs, and nothing else of the run goes on: nobody would ever end it. */
bool live_fault_stuck(struct live_run *run, uint64_t now_ns);
/* It was committed: whatever ended is no failure of the run. */
bool live_fault_done(const struct live_run *run);
/*
 * Makes a worker that is at work crash. 0; -ESRCH: it is not; -EBUSY: one of the run's commits a
 * fault anyway.
 */
int live_fault_strike(struct live_run *run, uint32_t worker);
/* Who survived, what was left; removes that. Nothing is filled in where no fault was asked for. */
void live_fault_collect(struct live_run *run, struct sample_totals *totals);
