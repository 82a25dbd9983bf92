/* SPDX-License-Identifier: MIT */
#include "live_children.h"

static bool is_read(const struct live_memory *memory, pid_t pid)
{
	for (size_t i = 0; i < memory->n_tasks; i++)
		if (memory->tasks[i].pid == pid)
			return true;
	return false;
}

void live_children_add(struct live_run *run)
{
	if (run->board->request.plan.leaves[WORK_PROGRAM] == 0)
		return;
	for (uint32_t i = run->first_open; i < run->n; i++) {
		const struct worker_slot *slot = &run->board->slot[i];
		pid_t child = atomic_load_explicit(&slot->child, memory_order_acquire);

		if (child > 0 && atomic_load(&slot->worker) == WORKER_WORKING &&
		    !is_read(&run->memory, child))
			live_memory_add(&run->memory, child);
	}
}
