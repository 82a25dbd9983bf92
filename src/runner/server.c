/* SPDX-License-Identifier: MIT */
#include "server.h"

#include <errno.h>
#include <sys/wait.h>

#include "gate.h"

/* A place without a team is free. */
static uint32_t find_free(const struct server *server)
{
	uint32_t i = 0;

	while (i < server->most && server->tasks[i].team)
		i++;
	return i;
}

/* The place of a thread that has had its last word, most: none has. */
static uint32_t find_finished(const struct server *server)
{
	uint32_t i = 0;

	while (i < server->most && !(server->tasks[i].team &&
				     atomic_load_explicit(&task_slot(&server->tasks[i])->worker,
							  memory_order_acquire) == WORKER_FINISHED))
		i++;
	return i;
}

static uint32_t await_thread(const struct server *server, struct scoreboard *board)
{
	uint32_t ended, place;

	for (;;) {
		ended = atomic_load(&board->tasks.ended);
		place = find_finished(server);
		if (place < server->most)
			return place;
		scoreboard_wait(&board->tasks.ended, ended, NULL);
	}
}

/* The place of a process that has ended, however it did; it is not reaped yet. */
static uint32_t await_process(const struct server *server)
{
	siginfo_t info;
	uint32_t i = 0;

	while (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) && errno == EINTR)
		;
	while (i + 1 < server->most &&
	       !(server->tasks[i].team && server->tasks[i].pid == info.si_pid))
		i++;
	return i;
}

static void join_any(struct team *team, const struct task_ops *ops, const struct server *server)
{
	bool threads = team->board->request.plan.task[0] == PLAN_THREAD;
	uint32_t place = threads ? await_thread(server, team->board) : await_process(server);

	task_join(ops, &server->tasks[place]);
	server->tasks[place].team = NULL;
}

static int create_next(struct team *team, const struct task_ops *ops, const struct server *server,
		       uint32_t index)
{
	struct task *task = &server->tasks[find_free(server)];
	int error;

	task->team = team;
	task->index = index;
	error = task_create(ops, task);
	if (error)
		task->team = NULL;
	return error;
}

void server_run(struct team *team, const struct task_ops *ops, const struct server *server)
{
	uint32_t alive = 0;

	for (uint32_t i = 0; i < server->most; i++)
		server->tasks[i] = (struct task) {.team = NULL};
	for (uint32_t i = 0; i < server->count && !gate_called_off(team->board); i++) {
		if (alive == server->most)
			join_any(team, ops, server);
		else
			alive++;
		if (create_next(team, ops, server, server->first + i)) {
			alive--;
			break;
		}
	}
	for (; alive > 0; alive--)
		join_any(team, ops, server);
}

void server_ended(const struct task *task)
{
	struct scoreboard *board = task->team->board;

	if (!plan_creates_each(&board->request.plan))
		return;
	atomic_fetch_add(&board->tasks.ended, 1);
	scoreboard_wake(&board->tasks.ended);
}
