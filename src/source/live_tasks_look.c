/* SPDX-License-Identifier: MIT */
#include "live_tasks.h"

#include <dirent.h>
#include <errno.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/procfs.h"
#include "live_run.h"

#define BUFFER (8 << 20)
/* The pause after a reading of /proc is at least this many times the reading's CPU time. */
#define POLL_PAUSE 100

static void read_name(struct live_tasks *tasks, struct live_task *task)
{
	char name[SAMPLE_TASK_NAME + 1];

	if (live_tasks_text("/proc", task, "comm", name, sizeof(name)) < 0)
		return;
	name[strcspn(name, "\n")] = '\0';
	live_tasks_rename(tasks, task, name);
}

/*
 * Returns a descriptor or -errno. Sends no event mask, because with a mask the kernel would not
 * answer.
 */
static int open_connector(void)
{
	const int fd =
		socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_CONNECTOR);
	const struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC};
	const uint32_t op = PROC_CN_MCAST_LISTEN;
	const struct cn_msg message = {.id = {CN_IDX_PROC, CN_VAL_PROC}, .len = sizeof(op)};
	char listen[NLMSG_HDRLEN + sizeof(message) + sizeof(op)];
	const struct nlmsghdr header = {.nlmsg_len = sizeof(listen), .nlmsg_type = NLMSG_DONE};
	const int size = BUFFER;
	int err;

	if (fd < 0)
		return -errno;
	/* SO_RCVBUFFORCE needs CAP_NET_ADMIN. SO_RCVBUF is limited by net.core.rmem_max. */
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) < 0)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	memcpy(listen, &header, sizeof(header));
	memcpy(listen + NLMSG_HDRLEN, &message, sizeof(message));
	memcpy(listen + NLMSG_HDRLEN + sizeof(message), &op, sizeof(op));
	if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) == 0 &&
	    send(fd, listen, sizeof(listen), 0) == sizeof(listen))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

/* Calls handle() for each message received. Returns how many times the kernel has lost messages. */
static int64_t read_connector(int fd, void (*handle)(void *arg, const struct proc_event *event),
			      void *arg)
{
	_Alignas(struct nlmsghdr) char buffers[32][256];
	struct mmsghdr messages[32];
	struct iovec parts[32];
	int64_t lost = 0;
	int n;

	do {
		for (int i = 0; i < 32; i++) {
			parts[i] = (struct iovec) {buffers[i], sizeof(buffers[i])};
			messages[i] = (struct mmsghdr) {
				.msg_hdr = {.msg_iov = &parts[i], .msg_iovlen = 1}};
		}
		n = recvmmsg(fd, messages, 32, MSG_DONTWAIT, NULL);
		lost += n < 0 && errno == ENOBUFS;
		for (int i = 0; i < n; i++) {
			const struct nlmsghdr *header = (const void *)buffers[i];
			const struct cn_msg *message = NLMSG_DATA(header);
			struct proc_event event = {0};

			if (messages[i].msg_len < NLMSG_HDRLEN + sizeof(*message) + 16)
				continue;
			memcpy(&event, message->data,
			       MIN(sizeof(event),
				   messages[i].msg_len - NLMSG_HDRLEN - sizeof(*message)));
			handle(arg, &event);
		}
	} while (n == 32 || (n < 0 && (errno == ENOBUFS || errno == EINTR)));
	return lost;
}

static void see_own_child(void *arg, const struct proc_event *event)
{
	*(bool *)arg |=
		event->what == PROC_EVENT_FORK && event->event_data.fork.parent_tgid == getpid();
}

static const char *const by_names[] = {[TASKS_BY_NOBODY] = "",
				       [TASKS_BY_PERF] = SAMPLE_TASKS_PERF,
				       [TASKS_BY_CONNECTOR] = SAMPLE_TASKS_CONNECTOR,
				       [TASKS_BY_POLLING] = SAMPLE_TASKS_POLLING};

bool live_tasks_is_name(const char *wish)
{
	return names_find(by_names, LENGTH(by_names), wish) >= 0;
}

enum tasks_by live_tasks_choose(enum tasks_by best, const char *wish)
{
	char *argv[] = {"", NULL};
	struct pollfd readable = {.events = POLLIN};
	bool seen = false;
	pid_t child;

	while (wish && best < TASKS_BY_POLLING && strcmp(wish, by_names[best]) != 0)
		best++;
	if (best != TASKS_BY_CONNECTOR)
		return best;
	/*
	 * In a user or PID namespace, and for unprivileged users on old kernels, the connector
	 * sends nothing and reports no error. To find out, start a child that fails to execute and
	 * ends.
	 */
	readable.fd = open_connector();
	if (readable.fd < 0)
		return TASKS_BY_POLLING;
	if (posix_spawn(&child, "", NULL, NULL, argv, environ) == 0)
		waitpid(child, NULL, 0);
	for (int i = 0; i < 20; i++) {
		if (seen || poll(&readable, 1, 10) <= 0)
			break;
		read_connector(readable.fd, see_own_child, &seen);
	}
	close(readable.fd);
	if (seen)
		return best;
	return TASKS_BY_POLLING;
}

const char *live_tasks_name_of(enum tasks_by by)
{
	return by_names[by];
}

static void take_connector(void *arg, const struct proc_event *event)
{
	struct live_tasks *tasks = arg;
	const int64_t time_ns = (int64_t)event->timestamp_ns;
	struct live_task *task;
	int32_t status = -1;

	switch (event->what) {
	case PROC_EVENT_FORK: /* The parent of a thread is that of its process. */
		live_tasks_begin(tasks, event->event_data.fork.child_pid,
				 event->event_data.fork.child_tgid,
				 event->event_data.fork.parent_tgid, time_ns);
		break;
	case PROC_EVENT_EXEC: /* The message lacks the new name, so read it. */
		task = live_tasks_find(tasks, event->event_data.exec.process_tgid);
		if (!task)
			break;
		live_tasks_exec(tasks, task, time_ns);
		live_tasks_rename(tasks, task, "");
		read_name(tasks, task);
		break;
	case PROC_EVENT_COMM:
		task = live_tasks_find(tasks, event->event_data.comm.process_pid);
		if (task)
			live_tasks_rename(tasks, task, event->event_data.comm.comm);
		break;
	case PROC_EVENT_EXIT:
		task = live_tasks_find(tasks, event->event_data.exit.process_pid);
		if (task && task->index > 0)
			live_tasks_read_cpu(tasks, task, time_ns);
		if (task && task->tid == task->pid)
			status = live_tasks_status(event->event_data.exit.exit_code);
		if (!task)
			live_tasks_gone(tasks, event->event_data.exit.process_pid);
		else
			live_tasks_end(tasks, task, time_ns, status, -1);
		break;
	default:
		break;
	}
}

/* Stores an exit status. The connector's messages have it; perf's records do not. */
static void keep_exit(void *arg, const struct proc_event *event)
{
	struct live_tasks *tasks = arg;

	if (event->what == PROC_EVENT_EXIT &&
	    event->event_data.exit.process_pid == event->event_data.exit.process_tgid &&
	    array_grow(&tasks->exits, tasks->n_exits, &tasks->cap_exits, sizeof(*tasks->exits)))
		tasks->exits[tasks->n_exits++] =
			(struct live_exit) {event->event_data.exit.process_pid,
					    live_tasks_status(event->event_data.exit.exit_code)};
}

void live_tasks_hear(struct live_tasks *tasks)
{
	if (tasks->by == TASKS_BY_PERF && tasks->fd >= 0)
		read_connector(tasks->fd, keep_exit, tasks);
}

/*
 * A task that changes its name usually does so soon after its beginning. So its name is read in
 * every round for NAME_NS, and later in one of NAME_ROUNDS rounds only.
 */
#define NAME_NS	    50000000
#define NAME_ROUNDS 16

static void poll_process(struct live_tasks *tasks, int32_t pid, int64_t now_ns)
{
	char path[48], children[65536];
	struct dirent *entry;
	struct live_task *task;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		int32_t tid = (int32_t)strtol(entry->d_name, NULL, 10);
		char *at = children, *end;

		if (tid <= 0)
			continue;
		task = live_tasks_find(tasks, tid);
		if (!task)
			task = live_tasks_begin(tasks, tid, pid, pid, now_ns);
		if (!task)
			continue;
		task->round = tasks->round;
		if (now_ns - task->begin_ns < NAME_NS || tasks->round % NAME_ROUNDS == 0)
			read_name(tasks, task);
		snprintf(path, sizeof(path), "%d/task/%d/children", pid, tid);
		procfs_read_text("/proc", path, children, sizeof(children));
		for (long child; (child = strtol(at, &end, 10)) > 0; at = end) {
			if (end == at)
				break;
			task = live_tasks_find(tasks, (int32_t)child);
			if (!task)
				task = live_tasks_begin(tasks, (int32_t)child, (int32_t)child, pid,
							now_ns);
		}
	}
	if (folder)
		closedir(folder);
}

static void poll_all(struct live_tasks *tasks, int64_t now_ns)
{
	pid_t orphans[LIVE_ORPHANS];
	uint32_t n = 0;

	tasks->round++;
	/*
	 * Finds daemons whose parents ended before the daemons were seen. They are now children of
	 * the runner, so nothing shows which command created them. This works only if there is a
	 * single command.
	 */
	if (tasks->board->slots == 1 && tasks->root[0])
		n = live_orphans_look(tasks->board, tasks->runner, orphans);
	for (uint32_t i = 0; i < n; i++) {
		struct live_task *task;

		if (live_tasks_find(tasks, orphans[i]))
			continue;
		task = live_tasks_begin(tasks, orphans[i], orphans[i],
					tasks->list[tasks->root[0] - 1].tid, now_ns);
		if (task)
			task->parent = 0;
	}
	/* Processes found during the loop are appended, so the loop visits them too. */
	for (size_t i = 0; i < tasks->n; i++) {
		const struct live_task *task = &tasks->list[i];

		if (task->end_ns < 0 && task->index > 0 && task->tid == task->pid)
			poll_process(tasks, task->pid, now_ns);
	}
	for (size_t i = 0; i < tasks->n; i++)
		if (tasks->list[i].end_ns < 0 && tasks->list[i].index > 0 &&
		    tasks->list[i].round != tasks->round)
			live_tasks_end(tasks, &tasks->list[i], now_ns, -1, -1);
}

int live_tasks_open(struct live_tasks *tasks, enum tasks_by by, pid_t runner,
		    const struct scoreboard *board)
{
	*tasks = (struct live_tasks) {.by = by, .board = board, .runner = runner, .fd = -1};
	if (by == TASKS_BY_PERF || by == TASKS_BY_CONNECTOR)
		tasks->fd = open_connector();
	if (by == TASKS_BY_CONNECTOR && tasks->fd < 0)
		tasks->by = TASKS_BY_POLLING;
	tasks->bucket = calloc(TASKS_BUCKETS, sizeof(*tasks->bucket));
	if (by != TASKS_BY_NOBODY)
		tasks->root = calloc(board->slots, sizeof(*tasks->root));
	if (tasks->bucket && (tasks->root || by == TASKS_BY_NOBODY) &&
	    live_tasks_begin(tasks, runner, runner, 0, (int64_t)clock_now_ns()))
		return 0;
	live_tasks_close(tasks);
	return -ENOMEM;
}

void live_tasks_look(struct live_tasks *tasks, uint64_t now_ns)
{
	uint64_t cpu_us;

	if (tasks->by == TASKS_BY_CONNECTOR &&
	    read_connector(tasks->fd, take_connector, tasks) > 0) {
		/*
		 * Messages were lost. Find the tasks that exist now. Tasks that came and went in
		 * the meantime are not counted.
		 */
		tasks->overflowed = true;
		poll_all(tasks, (int64_t)now_ns);
	}
	if (tasks->by == TASKS_BY_NOBODY || now_ns < tasks->next_ns)
		return;
	cpu_us = clock_used_us(RUSAGE_SELF);
	live_tasks_meet(tasks);
	/* Do not pause between readings until the first command begins. */
	if (tasks->by == TASKS_BY_POLLING && tasks->n_indexed == 0)
		return;
	if (tasks->by == TASKS_BY_POLLING)
		poll_all(tasks, (int64_t)now_ns);
	tasks->alive = 0;
	for (size_t i = 0; i < tasks->n; i++) {
		struct live_task *task = &tasks->list[i];

		if (task->end_ns >= 0 || task->index == 0)
			continue;
		tasks->alive++;
		/*
		 * First see what the task waits for. Reading schedstat may end a slice, and the
		 * wait belongs to that slice.
		 */
		live_waits_see(tasks, task, (int64_t)clock_now_ns());
		if (tasks->by != TASKS_BY_PERF)
			live_tasks_read_cpu(tasks, task, (int64_t)clock_now_ns());
	}
	tasks->next_ns = now_ns + (clock_used_us(RUSAGE_SELF) - cpu_us) * 1000 * POLL_PAUSE *
					  (tasks->by == TASKS_BY_POLLING ? 1 : 2);
}

uint64_t live_tasks_interval_ns(const struct live_tasks *tasks)
{
	if (tasks->by == TASKS_BY_POLLING)
		return TASKS_PERIOD_NS;
	if (tasks->alive == 1 || (tasks->alive > 1 && tasks->seldom))
		return TASKS_ALONE_NS;
	return TASKS_WAITS_NS;
}
