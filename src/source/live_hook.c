/* SPDX-License-Identifier: MIT */
#include "live_hook.h"

#include <stdio.h>
#include <string.h>

#include "core/command_words.h"

static const char *const hook_names[] = {
	[HOOK_NONE] = "",
	[HOOK_SETUP] = "setup",
	[HOOK_PREPARE] = "prepare",
	[HOOK_CLEANUP] = "cleanup",
};

const char *live_hook_name(enum live_hook hook)
{
	return hook_names[hook];
}

const char *live_hook_command(const struct request *request, enum live_hook hook)
{
	switch (hook) {
	case HOOK_SETUP:
		return request->setup;
	case HOOK_PREPARE:
		return request->prepare;
	case HOOK_CLEANUP:
		return request->cleanup;
	default:
		return NULL;
	}
}

/* Starts a separate runner for the hook, with one process that executes the hook's program. */
int live_hook_start(struct live_run *run, const char *runner, const char *words, int n,
		    char *const *envp)
{
	struct board_request board = {.slices = 0};
	struct plan *plan = &board.plan;

	memcpy(board.program_words, words, sizeof(board.program_words));
	/* The experiment has already checked the program, so its words are valid. */
	if (n > 0)
		board.program_n = (uint32_t)n;
	else
		board.program_n = 0;
	command_words_find(board.program_words, board.program_path);
	plan->levels = 1;
	plan->fanout[0] = 1;
	plan->task[0] = PLAN_PROCESS;
	plan->barrier = true;
	plan->leaves[WORK_PROGRAM] = 1;
	return live_run_start(run, runner, &board, NULL, -1, NULL, NULL, NULL, envp, false);
}

bool live_hook_failed(const struct live_run *run, const struct sample_totals *totals,
		      enum live_hook hook, char *buf, size_t size)
{
	const struct board_request *board = &run->board->request;
	const struct sample_worker *program = &run->known[0];
	char how[SAMPLE_TEXT], said[160], name[128] = "";

	if (totals->status == SAMPLE_OK)
		return false;
	if (!run->command_tasks.nameless)
		snprintf(name, sizeof(name), " (%.120s)", board->program_words);
	live_run_said(run, said, sizeof(said));
	if (!live_program_ended(run, program, how, sizeof(how)))
		snprintf(how, sizeof(how), "failed: %s", totals->reason);
	snprintf(buf, size, "-s %s%s %s%s%s", hook_names[hook], name, how, *said ? ": " : "", said);
	return true;
}
