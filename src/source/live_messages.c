/* SPDX-License-Identifier: MIT */
#include "live_messages.h"

/* Behind the senders of their group. */
static bool receives(const struct board_request *request, const struct plan_node *node)
{
	return node->work == WORK_MESSAGE &&
	       node->number % (request->senders + request->receivers) >= request->senders;
}

void live_messages_collect(const struct live_run *run, struct sample_totals *totals)
{
	const struct board_request *request = &run->board->request;
	struct plan_node node;
	int64_t sum = 0;

	if (request->plan.leaves[WORK_MESSAGE] == 0)
		return;
	for (uint32_t i = 0; i < run->n; i++) {
		plan_node(&request->plan, i, &node);
		if (!receives(request, &node))
			continue;
		if (run->known[i].status != SAMPLE_OK)
			return;
		if (__builtin_add_overflow(sum, run->known[i].result, &sum))
			return;
	}
	totals->messages = sum;
}
