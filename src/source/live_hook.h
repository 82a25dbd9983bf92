/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "experiment/experiment.h"
#include "live_run.h"

/*
 * The user's programs that run before and after runs: -s setup before the first run of a
 * configuration, -s prepare before each run, and -s cleanup after the last run. A separate runner,
 * which is not measured, starts each of them, so they affect no figure of a run. When the program
 * ends, processes that it left running are ended, too.
 */

enum live_hook { HOOK_NONE, HOOK_SETUP, HOOK_PREPARE, HOOK_CLEANUP };

/* The hook's name in -s, such as "setup". */
const char *live_hook_name(enum live_hook hook);

/* The hook's command as typed; NULL: none. */
const char *live_hook_command(const struct request *request, enum live_hook hook);
/*
 * Starts the hook through live_run_start(). words: the n words of its command, each with its NUL
 * byte.
 */
int live_hook_start(struct live_run *run, const char *runner, const char *words, int n,
		    char *const *envp);
/*
 * Whether the program failed. If it did, buf says how, with the last line of its standard error.
 * Call it after live_run_collect().
 */
bool live_hook_failed(const struct live_run *run, const struct sample_totals *totals,
		      enum live_hook hook, char *buf, size_t size);
