/* SPDX-License-Identifier: MIT */
#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error_line.h"
#include "base/utf8.h"
#include "live_run.h"
#include "live_spawn.h"

/* Time limit for loading a shared object. An object that takes longer cannot be measured. */
#define PATIENCE_MS 5000
/* The runner's descriptor of the pipe. */
#define ANSWER_FD 3

/* Explains why the object did not answer, by the status of the process that loaded it. */
static int refuse_silent(const char *path, int status, char *error, size_t size)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return error_line(
			error, size, -EINVAL,
			"--own: \"%s\" was not loaded within %d s; its constructors have to return",
			path, PATIENCE_MS / 1000);
	if (WIFSIGNALED(status))
		return error_line(error, size, -EINVAL,
				  "--own: \"%s\" was ended by signal %d (%s) while it was loaded; "
				  "its constructors have to succeed",
				  path, WTERMSIG(status), strsignal(WTERMSIG(status)));
	return error_line(error, size, -EINVAL,
			  "--own: \"%s\" ended its program with status %d while it was loaded; its "
			  "constructors have to return",
			  path, WEXITSTATUS(status));
}

/*
 * Makes the texts of the answer safe to show, because the object's code may have written anything.
 */
static void tame_texts(struct own_about *about)
{
	about->name[sizeof(about->name) - 1] = '\0';
	about->unit[sizeof(about->unit) - 1] = '\0';
	about->error[sizeof(about->error) - 1] = '\0';
	utf8_mask(about->name);
	utf8_mask(about->unit);
	utf8_mask(about->error);
}

int source_own_ask(const char *path, struct own_about *about, char *error, size_t size)
{
	char runner[PATH_MAX], blamed[PATH_MAX + 16];
	char *argv[] = {runner, (char *)"--probe", (char *)path, NULL};
	struct live_spawn_fd answer_fd = {.to = ANSWER_FD};
	struct live_orphans orphans;
	char started[sizeof(orphans.name) + 2] = "a process";
	struct pollfd poll_answer = {.events = POLLIN};
	int answer[2], status, err = live_program_runner(runner, error, size);
	char **marked;
	bool answered;
	pid_t pid;

	if (err < 0)
		return err;
	if (pipe2(answer, O_CLOEXEC))
		return error_line(error, size, -errno, "--own: %s", strerror(errno));
	live_orphans_begin(&orphans);
	/*
	 * Like a run, the process gets a session of its own, so that processes that it leaves
	 * behind can be recognized.
	 */
	answer_fd.from = answer[1];
	marked = live_orphans_environ(&orphans, environ);
	if (!marked)
		err = -ENOMEM;
	else
		err = live_spawn(&pid, runner, POSIX_SPAWN_SETSID, NULL, argv, marked, &answer_fd,
				 1);
	free(marked);
	close(answer[1]);
	if (err < 0) {
		close(answer[0]);
		return error_line(error, size, err, "%s: %s",
				  live_spawn_blamed(blamed, sizeof(blamed), runner),
				  strerror(-err));
	}
	/* The answer is small enough for a pipe, so it always arrives complete. */
	poll_answer.fd = answer[0];
	answered = poll(&poll_answer, 1, PATIENCE_MS) == 1 &&
		   read(answer[0], about, sizeof(*about)) == sizeof(*about);
	close(answer[0]);
	/*
	 * Kill the process, because the object's destructors may never end. If it has already
	 * ended, its status stays.
	 */
	kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	live_orphans_end(&orphans, pid);
	if (!answered)
		return refuse_silent(path, status, error, size);
	if (*orphans.name)
		snprintf(started, sizeof(started), "\"%s\"", orphans.name);
	if (orphans.ended > 0)
		return error_line(error, size, -EINVAL,
				  "--own: \"%s\" started %s that kept running after the load; its "
				  "constructors have to end every process they start",
				  path, started);
	tame_texts(about);
	if (about->error[0])
		return error_line(error, size, -EINVAL, "--own: \"%s\" %s", path, about->error);
	return 0;
}
