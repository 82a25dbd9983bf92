/* SPDX-License-Identifier: MIT */
#include "live_run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/procfs.h"
#include "base/utf8.h"
#include "live_spawn.h"

/*
 * Longest time, in ms, without the end of any process. After that, reaping is given up, because the
 * kernel is stuck.
 */
#define REAP_WAITS 10000

/*
 * Lists the newest children of a task, up to a limit. Returns the number of all children; 0 if
 * unknown.
 */
static uint32_t list_children(const char *root, const char *path, pid_t *newest, uint32_t most)
{
	char text[65536], *at = text, *end;
	uint32_t n = 0;

	if (procfs_read_text(root, path, text, sizeof(text)) < 0)
		return 0;
	for (;; at = end) {
		pid_t pid = (pid_t)strtol(at, &end, 10);

		if (end == at)
			return n;
		newest[n++ % most] = pid;
	}
}

/* Lists the children of the front end. Returns 0 if there are too many. */
static uint32_t list_own_children(pid_t *children, uint32_t most)
{
	uint32_t n = list_children("/proc", "thread-self/children", children, most);

	if (n <= most)
		return n;
	return 0;
}

/*
 * Whether the child runs the same program as the front end. Such a child is the guard, which
 * restores the terminal if the front end dies. It starts no processes, so it leaves no orphans.
 */
static bool is_copy(pid_t child)
{
	char path[32], own[PATH_MAX], its[PATH_MAX];
	ssize_t n_own, n_its;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)child);
	n_own = readlink("/proc/self/exe", own, sizeof(own));
	n_its = readlink(path, its, sizeof(its));
	return n_own > 0 && n_own == n_its && memcmp(own, its, (size_t)n_own) == 0;
}

void live_orphans_begin(struct live_orphans *orphans)
{
	uint32_t n;

	/*
	 * Become the parent of tasks whose parent has died, so that they can be ended and reaped.
	 */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	memset(orphans, 0, sizeof(*orphans));
	mark_make(orphans->mark);
	n = list_children("/proc", "thread-self/children", orphans->before, LIVE_CHILDREN);
	orphans->n_before = MIN(n, LIVE_CHILDREN);
	/*
	 * If the front end is process 1, it also becomes the parent of orphans that do not belong
	 * to the run. Otherwise, if all children so far are copies of the front end, every later
	 * child belongs to the run.
	 */
	orphans->alone = getpid() != 1 && n == orphans->n_before;
	for (uint32_t i = 0; i < orphans->n_before; i++)
		orphans->alone &= is_copy(orphans->before[i]);
}

char **live_orphans_environ(struct live_orphans *orphans, char *const *envp)
{
	size_t most = 2, n = 0;
	char **made;

	for (size_t i = 0; envp[i]; i++)
		most++;
	made = calloc(most, sizeof(*made));
	if (!made)
		return NULL;
	/*
	 * If tuibench measures this front end itself, the environment already has a mark, which is
	 * that run's: leave it out.
	 */
	for (size_t i = 0; envp[i]; i++)
		if (strncmp(envp[i], MARK, strlen(MARK)) != 0)
			made[n++] = envp[i];
	/*
	 * Put the mark last: a program that overwrites its environment with a title begins with the
	 * first entries.
	 */
	made[n] = orphans->mark;
	return made;
}

/*
 * Reaps an ended child, from a group or with that PID, and adds its usage. Returns its PID; 0 if
 * none has ended; a negative value if there is no such child, or if it cannot be reaped.
 */
static pid_t reap_one(struct live_orphans *orphans, idtype_t type, pid_t which)
{
	struct board_totals *used = &orphans->used;
	unsigned long long io[5] = {0};
	siginfo_t info = {.si_pid = 0};
	struct rusage usage;
	char path[32], text[512];

	if (waitid(type, (id_t)which, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
		return -1;
	if (info.si_pid == 0)
		return 0;
	snprintf(path, sizeof(path), "%d/io", (int)info.si_pid);
	procfs_read_text("/proc", path, text, sizeof(text));
	sscanf(text,
	       "rchar: %llu wchar: %llu syscr: %*u syscw: %*u read_bytes: %llu write_bytes: %llu "
	       "cancelled_write_bytes: %llu",
	       &io[0], &io[1], &io[2], &io[3], &io[4]);
	/* If wait4(2) is denied, the child cannot be reaped, so do not wait for it. */
	if (wait4(info.si_pid, NULL, WNOHANG, &usage) <= 0)
		return -1;
	orphans->reaped++;
	clock_usage_add(&used->usage, &usage);
	used->read_bytes += io[0];
	used->written_bytes += io[1];
	used->disk_read_bytes += io[2];
	if (io[3] > io[4])
		used->disk_written_bytes += io[3] - io[4];
	return info.si_pid;
}

/*
 * Kills and reaps until no task is left. Returns the number of reaped tasks, without the runner.
 * This may take a while, because a task ends only when the kernel has freed its memory.
 */
static uint32_t reap_all(struct live_orphans *orphans, idtype_t type, pid_t which)
{
	uint32_t ended = 0;
	pid_t pid;

	for (int waits = 0; waits < REAP_WAITS; waits++) {
		while ((pid = reap_one(orphans, type, which)) > 0) {
			waits = 0;
			/*
			 * Count all tasks but the runner. The runner leads the group, and is reaped
			 * here if it was not reaped before.
			 */
			ended += type != P_PGID || pid != which;
		}
		if (pid < 0)
			break;
		kill(type == P_PGID ? -which : which, SIGKILL);
		poll(NULL, 0, 1);
	}
	return ended;
}

/*
 * Whether the process is in that cgroup or a descendant of it. If so, the path of the process's
 * cgroup contains the name of that cgroup.
 */
static bool is_in_cgroup(pid_t pid, const char *folder)
{
	const char *name = folder ? strrchr(folder, '/') : NULL, *at;
	char path[32], text[16384];
	size_t length;

	if (!name)
		return false;
	length = strlen(name);
	snprintf(path, sizeof(path), "%d/cgroup", (int)pid);
	if (procfs_read_text("/proc", path, text, sizeof(text)) < 0)
		return false;
	for (at = text; (at = strstr(at, name)) != NULL; at += length)
		if (strchr("/\n", at[length]))
			return true;
	return false;
}

/*
 * Whether a child of the front end belongs to the run. Children that the front end started itself,
 * such as the terminal's guard, stay in its session; a runner has a session of its own.
 */
static bool is_of_run(const struct live_orphans *orphans, pid_t runner, pid_t child)
{
	const pid_t session = getsid(child);

	for (uint32_t i = 0; i < orphans->n_before; i++)
		if (orphans->before[i] == child)
			return false;
	if (session == getsid(0))
		return false;
	return orphans->alone || session == runner || mark_found(child, orphans->mark) ||
	       is_in_cgroup(child, orphans->cgroups[0]) || is_in_cgroup(child, orphans->cgroups[1]);
}

bool live_orphans_owns(const struct live_orphans *orphans, pid_t runner, pid_t pid)
{
	return getsid(pid) == runner || mark_found(pid, orphans->mark);
}

static bool is_worker(const struct scoreboard *board, pid_t pid)
{
	for (uint32_t i = 0; i < board->slots; i++) {
		const struct worker_slot *slot = &board->slot[i];

		if (atomic_load_explicit(&slot->worker, memory_order_acquire) != WORKER_NONE &&
		    (slot->tid == pid || atomic_load(&slot->child) == pid))
			return true;
	}
	return false;
}

uint32_t live_orphans_look(const struct scoreboard *board, pid_t runner, pid_t *alive)
{
	uint32_t n, left = 0;
	char path[48], text[512], state;

	/*
	 * The kernel lists orphans as children of the runner's first thread, whichever thread
	 * started them.
	 */
	snprintf(path, sizeof(path), "%d/task/%d/children", (int)runner, (int)runner);
	n = list_children("/proc", path, alive, LIVE_ORPHANS);
	for (uint32_t i = 0; i < MIN(n, LIVE_ORPHANS); i++) {
		const char *after;

		if (is_worker(board, alive[i]))
			continue;
		snprintf(path, sizeof(path), "%d/stat", (int)alive[i]);
		after = procfs_read_stat("/proc", path, text, sizeof(text));
		if (after && sscanf(after, ") %c", &state) == 1 && state != 'Z')
			alive[left++] = alive[i];
	}
	return left;
}

void live_orphans_end(struct live_orphans *orphans, pid_t runner)
{
	pid_t children[LIVE_ORPHANS];
	uint32_t n, ended;
	char path[32];

	orphans->ended = reap_all(orphans, P_PGID, runner);
	do {
		n = list_own_children(children, LIVE_ORPHANS);
		ended = 0;
		for (uint32_t i = 0; i < n; i++) {
			if (!is_of_run(orphans, runner, children[i]))
				continue;
			if (!orphans->name[0]) {
				snprintf(path, sizeof(path), "%d/comm", (int)children[i]);
				procfs_read_text("/proc", path, orphans->name,
						 sizeof(orphans->name));
				orphans->name[strcspn(orphans->name, "\n")] = '\0';
				utf8_mask(orphans->name);
			}
			ended += reap_all(orphans, P_PID, children[i]);
		}
		orphans->ended += ended;
	} while (ended > 0);
}

#define ORPHANS_LOOK_NS 1000000000
/* Largest number of processes that are checked at once; each takes about 10 µs. */
#define MOST_LOOKS 16

/*
 * Whether a process is frozen. Its state does not show this: a frozen process looks like a sleeping
 * one, D with version 1 of cgroups and S with version 2. Usually it waits in one of freezers[]. The
 * compiler may inline do_freezer_trap() into get_signal(), which sleeps for no other reason. With
 * version 1, newer kernels leave a process in the function in which it slept, so this reads
 * freezer.state of its cgroup as well.
 */
static bool is_frozen(const char *root, pid_t pid)
{
	static const char *const freezers[] = {"__refrigerator", "do_freezer_trap", "get_signal"};
	char path[PATH_MAX + 64], where[64] = "", groups[PATH_MAX], *group;

	snprintf(path, sizeof(path), "proc/%d/wchan", pid);
	procfs_read_text(root, path, where, sizeof(where));
	for (size_t i = 0; i < LENGTH(freezers); i++)
		if (strcmp(where, freezers[i]) == 0)
			return true;
	snprintf(path, sizeof(path), "proc/%d/cgroup", pid);
	if (procfs_read_text(root, path, groups, sizeof(groups)) < 0)
		return false;
	group = strstr(groups, ":freezer:");
	if (!group)
		return false;
	group += strlen(":freezer:");
	group[strcspn(group, "\n")] = '\0';
	snprintf(path, sizeof(path), "sys/fs/cgroup/freezer%s/freezer.state", group);
	return procfs_read_text(root, path, where, sizeof(where)) >= 0 &&
	       strcmp(where, "FROZEN") == 0;
}

/* State 't' counts as running: a tracer stops its process at each system call, and resumes it. */
enum live_halt live_stopped_is(const char *root, pid_t pid, pid_t group)
{
	char path[32], text[512], state;
	const char *after;
	int its_group;

	snprintf(path, sizeof(path), "proc/%d/stat", pid);
	if (pid > 0)
		after = procfs_read_stat(root, path, text, sizeof(text));
	else
		after = NULL;
	if (!after || sscanf(after, ") %c %*d %d", &state, &its_group) != 2 || its_group != group)
		return LIVE_RUNS;
	if (state == 'T')
		return LIVE_STOPPED;
	if (strchr("DS", state) && is_frozen(root, pid))
		return LIVE_FROZEN;
	return LIVE_RUNS;
}

/* Finds a stopped worker. Skips threads of a process that was just checked. */
static pid_t find_worker(struct live_stopped *stopped, const struct live_run *run, const char *root,
			 uint32_t *worker)
{
	pid_t seen = run->pid, newest[MOST_LOOKS], parent;
	uint32_t looks = 0, i = stopped->next, silent = run->n;
	struct plan_node node;
	char path[48];

	for (uint32_t n = 0; n < run->n; n++, i++) {
		const struct sample_worker *w;

		if (looks == MOST_LOOKS)
			break;
		i %= run->n;
		w = &run->known[i];

		if (w->status != SAMPLE_RUNNING || w->created_ns < 0 || w->finish_ns >= 0 ||
		    w->pid == seen)
			continue;
		if (w->pid <= 0) {
			silent = i;
			continue;
		}
		seen = w->pid;
		looks++;
		stopped->found = live_stopped_is(root, w->pid, run->pid);
		if (stopped->found == LIVE_RUNS)
			continue;
		*worker = i;
		return w->pid;
	}
	stopped->next = i;
	if (silent == run->n)
		return 0;
	/*
	 * A worker writes its PID to the board with its first instruction. If it was stopped before
	 * that, it is one of the newest children of its parent.
	 */
	plan_node(&run->board->request.plan, silent, &node);
	if (node.parent == PLAN_ROOT)
		parent = run->pid;
	else
		parent = (pid_t)run->known[node.parent].pid;
	snprintf(path, sizeof(path), "proc/%d/task/%d/children", parent, parent);
	looks = 0;
	if (parent > 0)
		looks = list_children(root, path, newest, MOST_LOOKS);
	for (i = 0; i < MIN(looks, MOST_LOOKS); i++) {
		stopped->found = live_stopped_is(root, newest[i], run->pid);
		if (stopped->found == LIVE_RUNS)
			continue;
		*worker = LIVE_STOPPED_SILENT;
		for (uint32_t k = run->n; k-- > 0;)
			if (run->known[k].pid == newest[i])
				*worker = k;
		return newest[i];
	}
	return 0;
}

pid_t live_stopped_find(struct live_stopped *stopped, const struct live_run *run, const char *root,
			uint64_t now_ns, uint32_t *worker)
{
	pid_t clients;

	if (stopped->found != LIVE_RUNS || !run->pid || run->paused ||
	    now_ns - stopped->looked_ns < ORPHANS_LOOK_NS)
		return 0;
	stopped->looked_ns = now_ns;
	*worker = LIVE_STOPPED_RUNNER;
	stopped->found = live_stopped_is(root, run->pid, run->pid);
	if (stopped->found != LIVE_RUNS)
		return run->pid;
	*worker = LIVE_STOPPED_CLIENTS;
	clients = atomic_load(&run->board->clients);
	stopped->found = live_stopped_is(root, clients, clients);
	if (stopped->found != LIVE_RUNS)
		return clients;
	if (run->known)
		return find_worker(stopped, run, root, worker);
	return 0;
}

/* The descriptors' numbers in the new process. */
enum { TIDY_BOARD_FD = 3, TIDY_LIFE_FD = 4 };

int live_tidy_start(struct live_tidy *tidy, const char *runner, int board_fd, pid_t group,
		    const struct live_orphans *orphans)
{
	char board[12], life_arg[12], number[12];
	char *argv[] = {(char *)LIVE_PROGRAM_RUNNER,
			(char *)"--tidy",
			board,
			life_arg,
			number,
			(char *)orphans->mark,
			NULL,
			NULL,
			NULL};
	size_t n = 6;
	struct live_spawn_fd fds[] = {{board_fd, TIDY_BOARD_FD}, {-1, TIDY_LIFE_FD}};
	int life[2], err;
	sigset_t all;

	for (size_t i = 0; i < 2; i++)
		if (*orphans->cgroups[i])
			argv[n++] = (char *)orphans->cgroups[i];
	if (pipe2(life, O_CLOEXEC) < 0)
		return -errno;
	snprintf(board, sizeof(board), "%d", TIDY_BOARD_FD);
	snprintf(life_arg, sizeof(life_arg), "%d", TIDY_LIFE_FD);
	snprintf(number, sizeof(number), "%d", (int)group);
	fds[1].from = life[0];
	/* The process has its own group and blocks all signals, so it outlives the front end. */
	sigfillset(&all);
	err = live_spawn(&tidy->pid, runner, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK, &all,
			 argv, environ, fds, 2);
	close(life[0]);
	if (err)
		close(life[1]);
	else
		tidy->fd = life[1];
	return err;
}

#define TIDY_WAITS 5000 /* milliseconds */

/* Ends the tidier. Does not wait long for a frozen tidier, which ends when it is thawed. */
void live_tidy_end(struct live_tidy *tidy)
{
	siginfo_t info = {0};

	if (tidy->pid == 0)
		return;
	close(tidy->fd);
	for (int waits = 0; waits < TIDY_WAITS; waits++) {
		if (waitid(P_PID, (id_t)tidy->pid, &info, WEXITED | WNOHANG) < 0 && errno != EINTR)
			break;
		if (info.si_pid != 0)
			break;
		poll(NULL, 0, 1);
	}
	*tidy = (struct live_tidy) {0};
}
