/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "experiment/experiment.h"
#include "live_run.h"

/*
 * Programs of the user's that are run around the runs: -s setup before the first run of a
 * configuration, -s prepare before each run, -s cleanup after the last run of a configuration. Each
 * has a runner of its own that nobody measures, so no figure of a run can hold any of it. What it
 * leaves running is ended with it.
 */

enum live_hook { HOOK_NONE, HOOK_SETUP, HOOK_PREPARE, HOOK_CLEANUP };

/* As in -s: "setup". */
const char *live_hook_name(enum live_hook hook);

/* Its command as typed; NULL: there is none. */
const char *live_hook_command(const struct request *request, enum live_hook hook);
/* The n words of its command, one behind the other. As live_run_start(), which it calls. */
int live_hook_start(struct live_run *run, const char *runner, const char *words, int n,
		    char *const *envp);
/*
 * After live_run_collect(): whether the program failed, and then how, with the last line of its
 * standard error.
 */
bool live_hook_failed(const struct live_run *run, const struct sample_totals *totals,
		      enum live_hook hook, char *buf, size_t size);
