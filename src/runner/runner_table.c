/* SPDX-License-Identifier: MIT */
#include "runner_table.h"

#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

#include "work/workload.h"

static void print_time(FILE *out, const struct scoreboard *board, uint64_t ns)
{
	if (ns == 0)
		fprintf(out, " %11s", "-");
	else
		fprintf(out, " %11.1f", (double)(ns - board->begin_ns) / 1000.0);
}

/* The end of the task in one word or two. */
static const char *describe(const struct worker_slot *slot, char *buf, size_t size)
{
	if (slot->state == SLOT_UNUSED)
		return "not tried";
	if (slot->state == SLOT_REFUSED)
		return strerror(slot->create_error);
	if (WIFSIGNALED(slot->wait_status))
		snprintf(buf, size, "signal %d", WTERMSIG(slot->wait_status));
	else if (slot->error)
		return strerror(slot->error);
	else
		return slot->worker == WORKER_FINISHED ? "ok" : "lost";
	return buf;
}

void runner_table_print(FILE *out, const struct scoreboard *board)
{
	fprintf(out, "%-12s %7s %7s %11s %11s %11s %11s %11s %12s  %s\n", "worker", "pid", "tid",
		"create us", "created us", "start us", "finish us", "joined us", "result",
		"status");
	for (uint32_t i = 0; i < board->slots; i++) {
		const struct worker_slot *slot = &board->slot[i];
		char name[128], status[32];

		fprintf(out, "%-12s %7d %7d",
			plan_name(&board->request.plan, i, name, sizeof(name)), slot->pid,
			slot->tid);
		print_time(out, board, slot->create_ns);
		print_time(out, board, slot->created_ns);
		print_time(out, board, slot->start_ns);
		print_time(out, board, slot->finish_ns);
		print_time(out, board, slot->join_ns);
		fprintf(out, " %12" PRIu64 "  %s\n", slot->result,
			describe(slot, status, sizeof(status)));
	}
	if (board->request.plan.leaves[WORK_HELLO] > 0 && board->totals.lines != UINT64_MAX)
		fprintf(out, "%" PRIu64 " lines said, %" PRIu64 " whole, %" PRIu64 " torn\n",
			board->totals.said, board->totals.lines, board->totals.torn);
	fprintf(out, "%.1f us elapsed, %" PRIu64 " us user, %" PRIu64 " us system\n",
		(double)(board->end_ns - board->begin_ns) / 1000.0, board->totals.user_us,
		board->totals.system_us);
}
