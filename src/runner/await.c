/* SPDX-License-Identifier: MIT */
#include "await.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "work/workload.h"

/* A signal that was merged with another's may be missed for so long. */
static const struct timespec patience = {.tv_nsec = 50000000};

bool await_needed(const struct plan *plan)
{
	for (int kind = 0; kind < WORK_KINDS; kind++)
		if (plan->leaves[kind] > 0 && workload_get((enum work_kind)kind)->talks)
			return plan_has(plan, PLAN_PROCESS);
	return false;
}

static void ends(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
}

void await_begin(void)
{
	sigset_t set;

	ends(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

enum { GOES_ON, HAS_ENDED, HAS_DIED };

/* It is left to the waitpid of its join. */
static int look(const struct task *task)
{
	siginfo_t info = {.si_pid = 0};

	if (waitid(P_PID, (id_t)task->pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid == 0)
		return GOES_ON;
	return info.si_code == CLD_EXITED && info.si_status == 0 ? HAS_ENDED : HAS_DIED;
}

/* One that was joined before, or whose work failed, has said so. */
static bool any_died(const struct task *tasks, uint32_t count)
{
	if (atomic_load(&tasks->team->board->failed))
		return true;
	for (uint32_t i = 0; i < count; i++)
		if (look(&tasks[i]) == HAS_DIED)
			return true;
	return false;
}

void await_end(const struct task *tasks, uint32_t count)
{
	sigset_t set;

	ends(&set);
	while (look(&tasks[count - 1]) == GOES_ON) {
		if (any_died(tasks, count)) {
			/*
			 * Those that wait for the dead one for ever; they are not what went wrong.
			 */
			for (uint32_t i = 0; i < count; i++) {
				if (look(&tasks[i]) != GOES_ON)
					continue;
				task_slot(&tasks[i])->ended = 1;
				kill(tasks[i].pid, SIGKILL);
			}
		}
		sigtimedwait(&set, NULL, &patience);
	}
}
