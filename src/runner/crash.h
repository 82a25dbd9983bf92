/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/scoreboard.h"

/*
 * Says which worker a fatal signal hit. The signal still does what it does by default: with
 * threads it ends the whole runner, with processes one worker.
 */

/* Installs the handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT; inherited by fork. */
int crash_install(void);
/* The slot that the calling thread fills from now on; NULL: none. */
void crash_slot(struct worker_slot *slot);
