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
	uint64_t off_ns;	 /* of the last slice that was taken */
	uint64_t open_ns;	 /* the begin of the slice that goes on, as it was noted; 0: none */
	uint64_t seen_ns;	 /* until when that slice was placed */
	struct fit_piece placed; /* its last piece placed; off_ns 0: none */
	bool told;		 /* a slice of it was */
	bool ended;		 /* nothing more will come */
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

static void fit_worker_note(struct live_slices *slices, const struct fit_note *note)
{
	if (live_fit_add(&slices->fit, note) < 0)
		slices->lost++;
}

/* The part of a slice that was placed while it went on is not placed again. */
static uint64_t not_placed(const struct live_lane *lane, uint64_t on_ns)
{
	return lane->open_ns == on_ns ? lane->seen_ns : on_ns;
}

/* Takes all slices that have ended; *open is the one that goes on. */
static void take_notes(struct live_slices *slices, uint32_t worker, struct slices_open *open)
{
	struct slices *ring = scoreboard_slices(slices->board, worker);
	struct live_lane *lane = &slices->lanes[worker];
	const uint32_t entries = slices->board->request.slices;
	struct slice taken[64];
	uint32_t n, all = 0;

	do {
		n = slices_take(ring, entries, taken, 64, open);
		for (uint32_t i = 0; i < n; i++) {
			const struct slice *slice = &taken[i];

			fit_worker_note(slices,
					&(struct fit_note) {
						.worker = worker,
						.on_ns = not_placed(lane, slice->on_ns),
						.sure_ns = slice->off_ns - slice->guess_ns,
						.guess_ns = slice->guess_ns,
						.cpu = slice->cpu,
						.why = slice->why < WHYS ? slice->why : WHY_UNKNOWN,
						.switches = slice->switches,
					});
			lane->off_ns = slice->off_ns;
		}
		all += n;
	} while (n == 64 && all <= entries);
}

/* The moment of now, and the run's begin. */
struct moment {
	uint64_t now_ns, begin_ns;
};

static void put_slice(struct live_slices *slices, uint32_t worker, const struct fit_piece *piece,
		      enum sample_why why, bool open, const struct moment *moment)
{
	const struct board_request *request = &slices->board->request;
	uint64_t fresh_ns =
		(WORK_TICK_GAP + (request->marked ? 2 * WORK_TICK_MARKED : 0)) * request->tick_ns;
	bool on = open && moment->now_ns < slices->lanes[worker].seen_ns + fresh_ns;
	uint64_t go_ns = slices->board->go_ns;
	struct sample_slice slice = {
		.on_ns = (int64_t)(piece->on_ns - moment->begin_ns),
		.off_ns = on ? -1 : (int64_t)(piece->off_ns - moment->begin_ns),
		.index = worker,
		.cpu = piece->cpu,
		.why = open ? WHY_UNKNOWN : why,
		.open = open,
		.waker = -1,
		.ready_ns = -1,
	};
	struct sample_slice *list;
	struct plan_node node;

	/* Work that only computes waits for nothing but a core. */
	plan_node(&request->plan, worker, &node);
	if (open && !on && workload_get((enum work_kind)node.work)->written == 0)
		slice.why = WHY_PREEMPTED;
	/* Before its first slice the worker could run and had no core since the gate was opened. */
	if (!slices->lanes[worker].told && go_ns >= moment->begin_ns &&
	    (int64_t)(go_ns - moment->begin_ns) <= slice.on_ns) {
		slice.ready_ns = (int64_t)(go_ns - moment->begin_ns);
		slice.woken = WOKEN_BY_MAIN;
	}
	list = array_room(slices->list, slices->n, &slices->cap, sizeof(*list));
	if (list) {
		slices->list = list;
		list[slices->n++] = slice;
	} else {
		slices->lost++;
	}
	slices->lanes[worker].told |= !open;
}

/* Joins pieces that follow one another on a core, and ends the one before. */
static void put_note(struct live_slices *slices, size_t number, size_t *piece,
		     const struct moment *moment)
{
	const struct fit_note *note = &slices->fit.notes[number];
	struct fit_piece *placed = &slices->lanes[note->worker].placed;

	for (; *piece < slices->fit.n_pieces && slices->fit.pieces[*piece].note == number;
	     (*piece)++) {
		const struct fit_piece *next = &slices->fit.pieces[*piece];

		if (placed->off_ns == next->on_ns && placed->cpu == next->cpu) {
			placed->off_ns = next->off_ns;
			continue;
		}
		if (placed->off_ns > 0)
			put_slice(slices, note->worker, placed, WHY_PREEMPTED, false, moment);
		*placed = *next;
	}
	if (placed->off_ns == 0 && note->why == WHY_ENDED && !note->open)
		*placed = (struct fit_piece) {number, note->sure_ns, note->sure_ns, note->cpu};
	if (placed->off_ns == 0)
		return;
	put_slice(slices, note->worker, placed, note->why, note->open, moment);
	if (!note->open)
		*placed = (struct fit_piece) {0};
}

void live_slices_take(struct live_slices *slices, uint64_t begin_ns, uint64_t now_ns, bool over)
{
	const struct moment moment = {now_ns, begin_ns};
	size_t piece = 0;

	slices->n = 0;
	if (!slices->lanes || begin_ns == 0)
		return;
	live_fit_begin(&slices->fit);
	for (uint32_t i = slices->first_open; i < slices->board->slots; i++) {
		const struct slices *ring = scoreboard_slices(slices->board, i);
		struct live_lane *lane = &slices->lanes[i];
		struct slices_open open;
		/* Looked at first: what a worker noted before its end is then in the ring. */
		bool ended = over || atomic_load_explicit(&ring->ended, memory_order_acquire) != 0;

		if (lane->ended)
			continue;
		take_notes(slices, i, &open);
		lane->ended = ended;
		if (open.on_ns == 0 || open.on_ns < lane->off_ns || open.seen_ns < open.on_ns)
			continue;
		/*
		 * A worker that was not seen for a while has left its core, and says why when it is
		 * back. Once all are gone it has ended where it was last seen.
		 */
		fit_worker_note(slices, &(struct fit_note) {
						.worker = i,
						.on_ns = not_placed(lane, open.on_ns),
						.sure_ns = open.seen_ns,
						.cpu = open.cpu,
						.why = WHY_ENDED,
						.open = !over,
					});
		lane->open_ns = open.on_ns;
		lane->seen_ns = open.seen_ns;
	}
	if (live_fit_place(&slices->fit) < 0)
		slices->lost++;
	for (size_t i = 0; i < slices->fit.n_notes; i++)
		put_note(slices, i, &piece, &moment);
	while (slices->first_open < slices->board->slots && slices->lanes[slices->first_open].ended)
		slices->first_open++;
}

int64_t live_slices_lost(const struct live_slices *slices)
{
	int64_t lost = slices->lost;

	if (!slices->lanes)
		return -1;
	for (uint32_t i = 0; i < slices->board->slots; i++) {
		const struct slices *ring = scoreboard_slices(slices->board, i);

		/* Every slot has a ring where there are lanes; gcc does not see that under LTO. */
		if (ring)
			lost += slices_lost(ring);
	}
	return lost;
}

void live_slices_close(struct live_slices *slices)
{
	live_fit_close(&slices->fit);
	free(slices->lanes);
	free(slices->list);
	memset(slices, 0, sizeof(*slices));
}

void live_tally_take(struct live_tally *out, const struct scoreboard *board,
		     struct sample_totals *totals)
{
	const struct tally *tally = &board->tally;
	int64_t n = (int64_t)atomic_load(&tally->n);

	if (n == 0 || out->list)
		return;
	out->list = calloc(TALLY_BUCKETS, sizeof(*out->list));
	if (!out->list)
		return;
	for (uint32_t i = 0; i < TALLY_BUCKETS; i++) {
		uint32_t count = atomic_load_explicit(&tally->count[i], memory_order_relaxed);

		if (count > 0)
			out->list[out->n++] =
				(struct sample_bucket) {(int64_t)tally_edge(i), count};
	}
	totals->operations = n;
	totals->operations_ns = (int64_t)atomic_load(&tally->sum_ns);
	totals->operation_min_ns = (int64_t)(UINT64_MAX - atomic_load(&tally->least));
	totals->operation_max_ns = (int64_t)atomic_load(&tally->max_ns);
}

void live_tally_close(struct live_tally *tally)
{
	free(tally->list);
	*tally = (struct live_tally) {.n = 0};
}
