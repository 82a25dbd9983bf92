/* SPDX-License-Identifier: MIT */
#include "live_slices.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "work/work_tick.h"
#include "work/workload.h"

/* Largest number of spans stored for a core. When it is reached, the older half is dropped. */
#define MOST_SPANS 4096

/* Ascending in time, without overlaps. */
struct place_core {
	struct place_span *spans;
	size_t n;
};

static size_t first_after(const struct place_core *core, uint64_t at_ns)
{
	return array_up_to(core->spans, core->n, sizeof(*core->spans),
			   offsetof(struct place_span, off_ns), (int64_t)at_ns);
}

int live_place_put(struct live_place *place, int cpu, struct place_span span)
{
	const size_t number = (size_t)cpu;
	struct place_core *cores, *core;
	size_t at, kept;

	if (cpu < 0 || span.on_ns >= span.off_ns)
		return 0;
	if (number >= place->n) {
		cores = realloc(place->cores, (number + 1) * sizeof(*cores));
		if (!cores)
			return -ENOMEM;
		memset(cores + place->n, 0, (number + 1 - place->n) * sizeof(*cores));
		place->cores = cores;
		place->n = number + 1;
	}
	core = &place->cores[number];
	at = first_after(core, span.on_ns);
	if (at > 0 && core->spans[at - 1].off_ns == span.on_ns) {
		core->spans[at - 1].off_ns = span.off_ns;
		return 0;
	}
	if (!core->spans)
		core->spans = malloc(MOST_SPANS * sizeof(*core->spans));
	if (!core->spans)
		return -ENOMEM;
	if (core->n == MOST_SPANS) {
		kept = core->n / 2;
		memmove(core->spans, core->spans + (core->n - kept), kept * sizeof(*core->spans));
		core->n = kept;
		at = first_after(core, span.on_ns);
	}
	memmove(core->spans + at + 1, core->spans + at, (core->n - at) * sizeof(*core->spans));
	core->spans[at] = span;
	core->n++;
	return 0;
}

bool live_place_free(const struct live_place *place, int cpu, struct place_span span,
		     struct place_span *found)
{
	const struct place_core *core;
	size_t i;

	*found = span;
	if (cpu < 0 || (size_t)cpu >= place->n)
		return span.on_ns < span.off_ns;
	core = &place->cores[cpu];
	for (i = first_after(core, span.on_ns); i < core->n; i++) {
		if (core->spans[i].on_ns > found->on_ns)
			break;
		found->on_ns = core->spans[i].off_ns;
	}
	if (i < core->n && core->spans[i].on_ns < found->off_ns)
		found->off_ns = core->spans[i].on_ns;
	return found->on_ns < found->off_ns;
}

void live_place_close(struct live_place *place)
{
	for (size_t i = 0; i < place->n; i++)
		free(place->cores[i].spans);
	free(place->cores);
	memset(place, 0, sizeof(*place));
}

/* Guesses of at most this length are placed before longer ones. */
#define SHORT_NS 256000
/*
 * A worker knows when its slices end only to this accuracy, so shorter free stretches mean nothing.
 */
#define SLICES_LEAST_NS 128000

static bool is_fragment(struct place_span span)
{
	return span.off_ns - span.on_ns < SLICES_LEAST_NS;
}

void live_fit_begin(struct live_fit *fit)
{
	fit->n_notes = fit->n_pieces = 0;
}

void live_fit_add(struct live_fit *fit, const struct fit_note *note)
{
	if (array_grow(&fit->notes, fit->n_notes, &fit->cap_notes, sizeof(*note)))
		fit->notes[fit->n_notes++] = *note;
	else
		fit->lost++;
}

static void place_piece(struct live_fit *fit, size_t note, int16_t cpu, struct place_span span)
{
	if (!array_grow(&fit->pieces, fit->n_pieces, &fit->cap_pieces, sizeof(*fit->pieces)) ||
	    live_place_put(&fit->place, cpu, span) < 0)
		fit->lost++;
	else
		fit->pieces[fit->n_pieces++] =
			(struct fit_piece) {note, span.on_ns, span.off_ns, cpu};
}

/* The part of a guessed slice that is not placed yet, and the time range in which to place it. */
struct rest {
	uint64_t guess_ns, from_ns, until_ns;
	unsigned pieces; /* pieces: how many pieces to make, one for each context switch */
};

static bool find_free(const struct live_fit *fit, int16_t cpu, const struct rest *rest,
		      struct place_span *span)
{
	return rest->guess_ns > 0 &&
	       live_place_free(&fit->place, cpu,
			       (struct place_span) {rest->from_ns, rest->until_ns}, span);
}

static struct place_span cut_span(struct place_span span, uint64_t most_ns)
{
	if (span.off_ns - span.on_ns > most_ns)
		span.off_ns = span.on_ns + most_ns;
	return span;
}

/*
 * Places the remaining time where the core is free. With `between`, makes at most one piece for
 * each context switch, and leaves the stretch before the next note free: the time that remains
 * becomes the beginning of that note's slice. An extra piece is better than lost time, but
 * fragments are dropped, because they would look like context switches.
 */
static void fill_free(struct live_fit *fit, size_t number, int16_t cpu, struct rest *rest,
		      bool between)
{
	struct rest left = *rest;
	struct place_span span, used;

	while ((!between || rest->pieces > 0) && find_free(fit, cpu, &left, &span)) {
		used = cut_span(span, rest->guess_ns);
		left.from_ns = span.off_ns;
		if (is_fragment(between ? span : used) ||
		    (between && span.off_ns == rest->until_ns))
			continue;
		place_piece(fit, number, cpu, used);
		rest->pieces -= between;
		rest->guess_ns -= used.off_ns - used.on_ns;
		rest->from_ns = used.off_ns;
		left = *rest;
	}
}

/* Places the guessed core time of a note's worker, before its next note. */
static void place_guess(struct live_fit *fit, size_t number)
{
	const struct fit_note *note = &fit->notes[number];
	const struct fit_note *next = NULL;
	int16_t cpu = note->cpu, next_cpu = cpu;
	struct rest rest = {
		.guess_ns = note->guess_ns,
		.from_ns = note->sure_ns,
		.until_ns = note->sure_ns + note->guess_ns,
	};
	struct rest left;
	struct place_span span;

	if (note->switches > 0)
		rest.pieces = note->switches - 1u;
	if (number + 1 < fit->n_notes && note[1].worker == note->worker) {
		next = &note[1];
		next_cpu = next->cpu;
		rest.until_ns = next->on_ns;
	}

	/* The worker continued on the core where it was seen, until another worker got the core. */
	if (find_free(fit, cpu, &rest, &span) && span.on_ns == rest.from_ns) {
		span = cut_span(span, rest.guess_ns);
		place_piece(fit, number, cpu, span);
		rest.guess_ns -= span.off_ns - span.on_ns;
		rest.from_ns = span.off_ns;
	}
	if (next)
		fill_free(fit, number, cpu, &rest, true);
	if (next_cpu != cpu)
		fill_free(fit, number, next_cpu, &rest, true);
	/*
	 * The worker was back on the core before it noticed that, so its next slice begins earlier.
	 */
	left = rest;
	while (next && find_free(fit, next_cpu, &left, &span) && span.off_ns < rest.until_ns)
		left.from_ns = span.off_ns;
	if (next && find_free(fit, next_cpu, &left, &span)) {
		if (span.off_ns - span.on_ns > rest.guess_ns)
			span.on_ns = span.off_ns - rest.guess_ns;
		rest.guess_ns -= span.off_ns - span.on_ns;
		rest.until_ns = span.on_ns;
		place_piece(fit, number + 1, next_cpu, span);
	}
	/*
	 * A worker is not on two cores at once, so pieces on another core come after the earlier
	 * ones.
	 */
	if (next_cpu == cpu)
		rest.from_ns = note->sure_ns;
	fill_free(fit, number, cpu, &rest, false);
	if (next_cpu != cpu)
		fill_free(fit, number, next_cpu, &rest, false);
}

static int compare_pieces(const void *a, const void *b)
{
	const struct fit_piece *x = a, *y = b;

	if (x->note != y->note) {
		if (x->note < y->note)
			return -1;
		return 1;
	}
	if (x->on_ns < y->on_ns)
		return -1;
	return x->on_ns > y->on_ns;
}

void live_fit_place(struct live_fit *fit)
{
	/*
	 * If another worker's piece overlaps a note's certain time, the other worker keeps that
	 * time.
	 */
	for (size_t i = 0; i < fit->n_notes; i++) {
		const struct fit_note *note = &fit->notes[i];
		struct place_span left = {note->on_ns, note->sure_ns}, span;

		while (live_place_free(&fit->place, note->cpu, left, &span)) {
			left.on_ns = span.off_ns;
			if (span.off_ns == note->sure_ns || !is_fragment(span))
				place_piece(fit, i, note->cpu, span);
		}
	}
	/* Short guesses are placed first, because they are more certain. */
	for (int brief = 1; brief >= 0; brief--)
		for (size_t i = 0; i < fit->n_notes; i++)
			if (fit->notes[i].guess_ns > 0 &&
			    (fit->notes[i].guess_ns <= SHORT_NS) == brief)
				place_guess(fit, i);
	if (fit->n_pieces > 0)
		qsort(fit->pieces, fit->n_pieces, sizeof(*fit->pieces), compare_pieces);
}

void live_fit_close(struct live_fit *fit)
{
	live_place_close(&fit->place);
	free(fit->notes);
	free(fit->pieces);
	memset(fit, 0, sizeof(*fit));
}

struct live_lane {
	uint64_t off_ns; /* end of the last slice that was taken */
	/* beginning of the open slice as the worker noted it; 0: none is open */
	uint64_t open_ns;
	uint64_t seen_ns;	 /* time up to which the open slice was placed */
	struct fit_piece placed; /* the last placed piece of the open slice; off_ns 0: none */
	bool given;		 /* a slice of the lane was passed on */
	bool ended;		 /* no more slices will come */
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
	if (slices->lanes)
		return 0;
	return -ENOMEM;
}

/*
 * The beginning of the part of a slice that was not placed yet. The other parts were placed while
 * the slice was open.
 */
static uint64_t not_placed(const struct live_lane *lane, uint64_t on_ns)
{
	if (lane->open_ns == on_ns)
		return lane->seen_ns;
	return on_ns;
}

/*
 * The slices of our own workers are always in order. A damaged board may hold any numbers, and
 * times that no clock shows would break the order of a core's spans.
 */
static bool in_order(const struct slice *slice)
{
	return slice->on_ns <= slice->off_ns && slice->off_ns <= INT64_MAX &&
	       slice->guess_ns <= slice->off_ns - slice->on_ns;
}

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

			if (!in_order(slice)) {
				slices->lost++;
				continue;
			}
			live_fit_add(&slices->fit,
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

static void hand_out_piece(struct live_slices *slices, uint32_t worker,
			   const struct fit_piece *piece, enum sample_why why, bool open)
{
	const struct board_request *request = &slices->board->request;
	const uint64_t fresh_ticks = WORK_TICK_GAP + 2 * WORK_TICK_MARKED * request->marked;
	uint64_t fresh_ns = fresh_ticks * request->tick_ns;
	bool on = open && slices->now_ns < slices->lanes[worker].seen_ns + fresh_ns;
	const uint64_t begin_ns = slices->begin_ns, go_ns = slices->board->go_ns;
	struct sample_slice slice = {
		.on_ns = (int64_t)(piece->on_ns - begin_ns),
		.off_ns = (int64_t)(piece->off_ns - begin_ns),
		.index = worker,
		.cpu = piece->cpu,
		.why = open ? WHY_UNKNOWN : why,
		.open = open,
		.waker = -1,
		.waited = -1,
		.ready_ns = -1,
	};
	struct plan_node node;

	if (on)
		slice.off_ns = -1;
	/* A worker whose work only computes can only wait for a core. */
	plan_node(&request->plan, worker, &node);
	if (open && !on && workload_get((enum work_kind)node.work)->written == 0)
		slice.why = WHY_PREEMPTED;
	/*
	 * Before its first slice, the worker was runnable without a core from the opening of the
	 * barrier on.
	 */
	if (!slices->lanes[worker].given && go_ns >= begin_ns &&
	    (int64_t)(go_ns - begin_ns) <= slice.on_ns) {
		slice.ready_ns = (int64_t)(go_ns - begin_ns);
		slice.woken = WOKEN_BY_MAIN;
	}
	if (array_grow(&slices->list, slices->n, &slices->cap, sizeof(slice)))
		slices->list[slices->n++] = slice;
	else
		slices->lost++;
	slices->lanes[worker].given |= !open;
}

/*
 * Passes on the pieces of a note. Joins pieces that follow one another on a core, and ends the
 * previous piece.
 */
static void put_note(struct live_slices *slices, size_t number, size_t *piece)
{
	const struct fit_note *note = &slices->fit.notes[number];
	struct fit_piece *placed = &slices->lanes[note->worker].placed;

	for (; *piece < slices->fit.n_pieces; (*piece)++) {
		const struct fit_piece *next = &slices->fit.pieces[*piece];

		if (next->note != number)
			break;
		if (placed->off_ns == next->on_ns && placed->cpu == next->cpu) {
			placed->off_ns = next->off_ns;
			continue;
		}
		if (placed->off_ns > 0)
			hand_out_piece(slices, note->worker, placed, WHY_PREEMPTED, false);
		*placed = *next;
	}
	if (placed->off_ns == 0 && note->why == WHY_ENDED && !note->open)
		*placed = (struct fit_piece) {number, note->sure_ns, note->sure_ns, note->cpu};
	if (placed->off_ns == 0)
		return;
	hand_out_piece(slices, note->worker, placed, note->why, note->open);
	if (!note->open)
		*placed = (struct fit_piece) {0};
}

void live_slices_take(struct live_slices *slices, uint64_t begin_ns, uint64_t now_ns, bool over)
{
	size_t piece = 0;

	slices->n = 0;
	slices->now_ns = now_ns;
	slices->begin_ns = begin_ns;
	if (!slices->lanes || begin_ns == 0)
		return;
	live_fit_begin(&slices->fit);
	for (uint32_t i = 0; i < slices->board->slots; i++) {
		const struct slices *ring = scoreboard_slices(slices->board, i);
		struct live_lane *lane = &slices->lanes[i];
		struct slices_open open;
		/*
		 * Read `ended` first: if it is set, the ring contains everything that the worker
		 * noted.
		 */
		bool ended = over || atomic_load_explicit(&ring->ended, memory_order_acquire) != 0;

		if (lane->ended)
			continue;
		take_notes(slices, i, &open);
		lane->ended = ended;
		if (open.on_ns == 0 || open.on_ns < lane->off_ns || open.seen_ns < open.on_ns)
			continue;
		if (open.seen_ns > INT64_MAX)
			continue;
		/*
		 * A worker that was not seen for a while has left its core. When it is back, its
		 * note will say why. If all workers have ended, this one ended where it was last
		 * seen.
		 */
		live_fit_add(&slices->fit, &(struct fit_note) {
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
	live_fit_place(&slices->fit);
	for (size_t i = 0; i < slices->fit.n_notes; i++)
		put_note(slices, i, &piece);
}

int64_t live_slices_lost(const struct live_slices *slices)
{
	int64_t lost = slices->lost + slices->fit.lost;

	if (!slices->lanes)
		return -1;
	for (uint32_t i = 0; i < slices->board->slots; i++) {
		const struct slices *ring = scoreboard_slices(slices->board, i);

		/*
		 * If there are lanes, every slot has a ring, but gcc does not know that with LTO.
		 */
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
