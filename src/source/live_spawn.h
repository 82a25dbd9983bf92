/* SPDX-License-Identifier: MIT */
#pragma once

#include <spawn.h>
#include <stddef.h>
#include <sys/types.h>

/* A descriptor of ours, and the one at which the program finds it. */
struct live_spawn_fd {
	int from, to;
};

/*
 * Starts a program of ours (posix_spawn(3)) with those descriptors, and /dev/null as its standard
 * ones. Returns 0, or -errno with *pid 0: a descriptor that it would have to do without included.
 */
int live_spawn(pid_t *pid, const char *program, const posix_spawnattr_t *attr, char *const argv[],
	       char *const envp[], const struct live_spawn_fd *fds, size_t n);

/* What a failed start is told of: the program, and behind it /dev/null where that is not there. */
const char *live_spawn_blamed(char *text, size_t size, const char *program);
