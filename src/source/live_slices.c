/* SPDX-License-Identifier: MIT */
#include "live_slices.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "work/work_tick.h"
#include "work/workload.h"

/* One worker's ring as it was left. */
struct live_lane {
	uint64_t off_ns; /* of the last slice that was taken */
	bool ended;	 /* nothing more will come */
};

void live_slices_ask(struct board_request *request, uint64_t tick_ns, bool marked)
{
	bool ticks = false;

	for (int kind = 0; kind < WORK_KINDS; kind++)
		ticks |=
			request->plan.leaves[kind] > 0 && workload_get((enum work_kind)kind)->ticks;
	if (!ticks || request->plan.primitive != PLAN_PLAIN)
		return;
	request->slices = slices_entries(plan_count(&request->plan));
	request->tick_ns = tick_ns;
	request->marked = marked;
}

int live_slices_open(struct live_slices *slices, struct scoreboard *board)
{
	memset(slices, 0, sizeof(*slices));
	slices->board = board;
	if (board->request.slices == 0)
		return 0;
	slices->lanes = calloc(board->slots, sizeof(*slices->lanes));
	return slices->lanes ? 0 : -ENOMEM;
}

static void add(struct live_slices *slices, const struct sample_slice *slice)
{
	struct sample_slice *list =
		array_room(slices->list, slices->n, &slices->cap, sizeof(*list));

	if (!list) {
		slices->lost++;
		return;
	}
	slices->list = list;
	list[slices->n++] = *slice;
}

/* Since when the worker could run and had no core: before its first slice, the gate's opening. */
static void let_go(const struct live_slices *slices, uint64_t begin_ns, struct sample_slice *slice)
{
	int64_t go_ns = (int64_t)(slices->board->go_ns - begin_ns);

	slice->waker = -1;
	slice->ready_ns = -1;
	if (slices->lanes[slice->index].off_ns > 0 || slices->board->go_ns < begin_ns ||
	    go_ns > slice->on_ns)
		return;
	slice->ready_ns = go_ns;
	slice->woken = WOKEN_BY_MAIN;
}

/* All that have ended; what goes on after them in *open. */
static void take_ended(struct live_slices *slices, uint32_t worker, uint64_t begin_ns,
		       struct slices_open *open)
{
	struct slices *ring = scoreboard_slices(slices->board, worker);
	struct slice taken[64];
	uint32_t n;

	do {
		n = slices_take(ring, slices->board->request.slices, taken, 64, open);
		for (uint32_t i = 0; i < n; i++) {
			struct sample_slice slice = {
				.on_ns = (int64_t)(taken[i].on_ns - begin_ns),
				.off_ns = (int64_t)(taken[i].off_ns - begin_ns),
				.index = worker,
				.cpu = taken[i].cpu,
				.why = taken[i].why,
			};

			let_go(slices, begin_ns, &slice);
			add(slices, &slice);
			slices->lanes[worker].off_ns = taken[i].off_ns;
		}
	} while (n == 64);
}

/* What only computes waits for nothing but a core. */
static enum sample_why guess(const struct live_slices *slices, uint32_t worker)
{
	const struct workload_ops *ops;
	struct plan_node node;

	plan_node(&slices->board->request.plan, worker, &node);
	ops = workload_get((enum work_kind)node.work);
	return ops->written > 0 ? WHY_UNKNOWN : WHY_PREEMPTED;
}

/*
 * A worker that was not seen for a while has left its core; why, it says itself when it is back.
 * One that is gone for good has ended where it was seen last.
 */
static void add_open(struct live_slices *slices, uint32_t worker, const struct slices_open *open,
		     uint64_t begin_ns, uint64_t now_ns, bool over)
{
	const struct board_request *request = &slices->board->request;
	uint64_t fresh_ns =
		(WORK_TICK_GAP + (request->marked ? 2 * WORK_TICK_MARKED : 0)) * request->tick_ns;
	bool on = !over && now_ns < open->seen_ns + fresh_ns;

	struct sample_slice slice = {
		.on_ns = (int64_t)(open->on_ns - begin_ns),
		.off_ns = on ? -1 : (int64_t)(open->seen_ns - begin_ns),
		.index = worker,
		.cpu = open->cpu,
		.why = over ? WHY_ENDED
		       : on ? WHY_UNKNOWN
			    : guess(slices, worker),
		.open = !over,
	};

	let_go(slices, begin_ns, &slice);
	add(slices, &slice);
}

static void take(struct live_slices *slices, uint32_t worker, uint64_t begin_ns, uint64_t now_ns,
		 bool over)
{
	const struct slices *ring = scoreboard_slices(slices->board, worker);
	struct live_lane *lane = &slices->lanes[worker];
	struct slices_open open;
	bool ended = over || atomic_load_explicit(&ring->ended, memory_order_acquire);

	if (lane->ended)
		return;
	take_ended(slices, worker, begin_ns, &open);
	if (open.on_ns > 0 && open.on_ns >= lane->off_ns && open.seen_ns >= open.on_ns)
		add_open(slices, worker, &open, begin_ns, now_ns, over);
	lane->ended = ended;
}

void live_slices_take(struct live_slices *slices, uint64_t begin_ns, uint64_t now_ns, bool over)
{
	slices->n = 0;
	if (!slices->lanes || begin_ns == 0)
		return;
	for (uint32_t i = slices->first_open; i < slices->board->slots; i++)
		take(slices, i, begin_ns, now_ns, over);
	while (slices->first_open < slices->board->slots && slices->lanes[slices->first_open].ended)
		slices->first_open++;
}

int64_t live_slices_lost(const struct live_slices *slices)
{
	int64_t lost = slices->lost;

	if (!slices->lanes)
		return -1;
	for (uint32_t i = 0; i < slices->board->slots; i++)
		lost += slices_lost(scoreboard_slices(slices->board, i));
	return lost;
}

void live_slices_close(struct live_slices *slices)
{
	free(slices->lanes);
	free(slices->list);
	memset(slices, 0, sizeof(*slices));
}
