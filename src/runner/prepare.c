/* SPDX-License-Identifier: MIT */
#include "prepare.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/command_words.h"
#include "program.h"

static int fail(struct scoreboard *board, int error, uint32_t status)
{
	board->failure_stage = STAGE_COMMAND;
	board->failure_errno = error;
	board->failure_slot = status;
	snprintf(board->failure_path, sizeof(board->failure_path), "%.255s",
		 board->request.prepare_words);
	return -error;
}

/* Without the runner's files and what it ignores or handles. */
static int start(char *const *argv, pid_t *pid)
{
	posix_spawnattr_t attr;
	sigset_t all;
	int error;

	sigfillset(&all);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	error = posix_spawnp(pid, argv[0], NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	return error;
}

int prepare_run(struct scoreboard *board)
{
	const struct board_request *request = &board->request;
	char *argv[COMMAND_WORDS + 1];
	int status = 0, error;
	pid_t pid;

	if (request->prepare_n == 0)
		return 0;
	program_detach();
	program_list_words(request->prepare_words, request->prepare_n, argv);
	error = start(argv, &pid);
	if (error)
		return fail(board, error, PLAN_ROOT);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return fail(board, errno, PLAN_ROOT);
	if (status == 0)
		return 0;
	return fail(board, ECHILD,
		    WIFEXITED(status) ? (uint32_t)WEXITSTATUS(status)
				      : 128 + (uint32_t)WTERMSIG(status));
}
