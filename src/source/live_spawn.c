/* SPDX-License-Identifier: MIT */
#include "live_spawn.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define NOTHING "/dev/null"

/* Each takes memory. */
static int add_all(posix_spawn_file_actions_t *files, const struct live_spawn_fd *fds, size_t n)
{
	int err = 0;

	for (int fd = 0; fd <= 2 && !err; fd++)
		err = posix_spawn_file_actions_addopen(files, fd, NOTHING,
						       fd == 0 ? O_RDONLY : O_WRONLY, 0);
	for (size_t i = 0; i < n && !err; i++)
		err = posix_spawn_file_actions_adddup2(files, fds[i].from, fds[i].to);
	return err;
}

int live_spawn(pid_t *pid, const char *program, const posix_spawnattr_t *attr, char *const argv[],
	       char *const envp[], const struct live_spawn_fd *fds, size_t n)
{
	posix_spawn_file_actions_t files;
	int err = posix_spawn_file_actions_init(&files);

	*pid = 0;
	if (err)
		return -err;
	err = add_all(&files, fds, n);
	if (!err)
		err = posix_spawn(pid, program, &files, attr, argv, envp);
	posix_spawn_file_actions_destroy(&files);
	if (err)
		*pid = 0;
	return -err;
}

const char *live_spawn_blamed(char *text, size_t size, const char *program)
{
	snprintf(text, size, "%s%s", program, access(NOTHING, R_OK | W_OK) ? ": " NOTHING : "");
	return text;
}
