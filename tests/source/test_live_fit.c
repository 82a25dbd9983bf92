/* SPDX-License-Identifier: MIT */
#include "source/live_fit.h"

#include <stdlib.h>
#include <string.h>

#include "core/sample.h"
#include "stage/check.h"

#define MS	UINT64_C(1000000)
#define WORKERS 6
#define TURNS	4000

static struct place_span free_in(const struct live_place *place, int cpu, uint64_t from,
				 uint64_t to)
{
	struct place_span found;

	if (!live_place_free(place, cpu, (struct place_span) {from, to}, &found))
		return (struct place_span) {0};
	return found;
}

static void assert_span(struct place_span span, uint64_t on_ns, uint64_t off_ns)
{
	assert_int_equal(span.on_ns, on_ns);
	assert_int_equal(span.off_ns, off_ns);
}

static void what_is_free_lies_between_what_is_taken(void **state)
{
	struct live_place place = {0};

	(void)state;
	assert_span(free_in(&place, 3, 10, 20), 10, 20);
	assert_int_equal(live_place_put(&place, 3, (struct place_span) {30, 40}), 0);
	assert_int_equal(live_place_put(&place, 3, (struct place_span) {10, 20}), 0);
	assert_int_equal(live_place_put(&place, 3, (struct place_span) {20, 25}), 0);
	assert_span(free_in(&place, 3, 0, 50), 0, 10);
	assert_span(free_in(&place, 3, 10, 50), 25, 30);
	assert_span(free_in(&place, 3, 12, 28), 25, 28);
	assert_span(free_in(&place, 3, 33, 50), 40, 50);
	assert_span(free_in(&place, 3, 31, 39), 0, 0);
	assert_span(free_in(&place, 2, 10, 20), 10, 20);
	assert_span(free_in(&place, -1, 10, 20), 10, 20);
	live_place_close(&place);
}

static void a_core_forgets_what_was_long_ago(void **state)
{
	struct live_place place = {0};

	(void)state;
	for (uint64_t i = 0; i < 10000; i++)
		assert_int_equal(
			live_place_put(&place, 0, (struct place_span) {10 * i + 2, 10 * i + 9}), 0);
	assert_span(free_in(&place, 0, 99992, 100100), 99999, 100100);
	assert_span(free_in(&place, 0, 2, 9), 2, 9);
	live_place_close(&place);
}

static void add(struct live_fit *fit, uint32_t worker, uint64_t on, uint64_t sure, uint64_t guess,
		uint8_t switches)
{
	const struct fit_note note = {.worker = worker,
				      .on_ns = on,
				      .sure_ns = sure,
				      .guess_ns = guess,
				      .why = WHY_PREEMPTED,
				      .switches = switches};

	assert_int_equal(live_fit_add(fit, &note), 0);
}

static void assert_piece(const struct live_fit *fit, size_t i, size_t note, uint64_t on_ns,
			 uint64_t off_ns)
{
	assert_true(i < fit->n_pieces);
	assert_int_equal(fit->pieces[i].note, note);
	assert_int_equal(fit->pieces[i].on_ns, on_ns);
	assert_int_equal(fit->pieces[i].off_ns, off_ns);
}

/* In a call from 1 to 10 ms it was on its core for 5, and believes that it came back at 9. */
static void one_gap_is_where_the_other_was(void **state)
{
	struct live_fit fit = {0};

	(void)state;
	live_fit_begin(&fit);
	add(&fit, 0, 0, 1 * MS, 4 * MS, 1);
	add(&fit, 0, 9 * MS, 12 * MS, 0, 0);
	add(&fit, 1, 3 * MS, 7 * MS, 0, 0);
	assert_int_equal(live_fit_place(&fit), 0);
	assert_int_equal(fit.n_pieces, 5);
	assert_piece(&fit, 0, 0, 0, 1 * MS);
	assert_piece(&fit, 1, 0, 1 * MS, 3 * MS);
	assert_piece(&fit, 2, 1, 7 * MS, 9 * MS);
	assert_piece(&fit, 3, 1, 9 * MS, 12 * MS);
	assert_piece(&fit, 4, 2, 3 * MS, 7 * MS);
	live_fit_close(&fit);
}

static void two_switches_are_two_gaps(void **state)
{
	struct live_fit fit = {0};

	(void)state;
	live_fit_begin(&fit);
	add(&fit, 0, 0, 1 * MS, 3 * MS, 2);
	add(&fit, 0, 9 * MS, 12 * MS, 0, 0);
	add(&fit, 1, 2 * MS, 4 * MS, 0, 0);
	add(&fit, 2, 6 * MS, 9 * MS, 0, 0);
	assert_int_equal(live_fit_place(&fit), 0);
	assert_int_equal(fit.n_pieces, 6);
	assert_piece(&fit, 1, 0, 1 * MS, 2 * MS);
	assert_piece(&fit, 2, 0, 4 * MS, 6 * MS);
	assert_piece(&fit, 3, 1, 9 * MS, 12 * MS);
	live_fit_close(&fit);
}

static void nobody_else_there_changes_nothing(void **state)
{
	struct live_fit fit = {0};

	(void)state;
	live_fit_begin(&fit);
	add(&fit, 0, 0, 1 * MS, 3 * MS, 5);
	add(&fit, 0, 9 * MS, 12 * MS, 0, 0);
	assert_int_equal(live_fit_place(&fit), 0);
	assert_int_equal(fit.n_pieces, 3);
	assert_piece(&fit, 1, 0, 1 * MS, 4 * MS);
	live_fit_close(&fit);
}

/* One core that is handed round; now and then a worker is in a call over several of its turns. */
struct turn {
	uint32_t worker;
	uint64_t on_ns, off_ns;
};

struct player {
	uint64_t on_ns, sure_ns,
		call_ns; /* call_ns: of its time on the core, what it cannot place */
	uint8_t switches;
	uint64_t true_ns, placed_ns, last_ns;
};

static uint64_t below(unsigned *seed, uint64_t n)
{
	return (uint64_t)rand_r(seed) % n;
}

static void take_turn(struct live_fit *fit, struct player *player, const struct turn *turn,
		      unsigned *seed)
{
	uint64_t took = turn->off_ns - turn->on_ns;
	bool calls = below(seed, 10) < 1;

	player->true_ns += took;
	if (player->switches > 0 && calls) {
		player->call_ns += took;
		player->switches++;
		return;
	}
	if (player->switches > 0)
		add(fit, turn->worker, player->on_ns, player->sure_ns, player->call_ns,
		    player->switches);
	*player = (struct player) {.on_ns = turn->on_ns,
				   .sure_ns = calls ? turn->on_ns + took / 2 : turn->off_ns,
				   .call_ns = calls ? took - took / 2 : 0,
				   .switches = 1,
				   .true_ns = player->true_ns,
				   .placed_ns = player->placed_ns,
				   .last_ns = player->last_ns};
}

static void count(const struct live_fit *fit, struct player *players)
{
	for (size_t i = 0; i < fit->n_pieces; i++) {
		const struct fit_piece *piece = &fit->pieces[i];
		struct player *player = &players[fit->notes[piece->note].worker];

		assert_true(piece->on_ns < piece->off_ns);
		assert_true(piece->on_ns >= player->last_ns);
		player->last_ns = piece->off_ns;
		player->placed_ns += piece->off_ns - piece->on_ns;
	}
}

static int earlier(const void *a, const void *b)
{
	const struct place_span *x = a, *y = b;

	return x->on_ns < y->on_ns ? -1 : x->on_ns > y->on_ns;
}

static void assert_apart(struct place_span *all, size_t n)
{
	qsort(all, n, sizeof(*all), earlier);
	for (size_t i = 1; i < n; i++)
		assert_true(all[i - 1].off_ns <= all[i].on_ns);
}

/* What goes on is seen so far, and not told again. */
static void add_open(struct live_fit *fit, struct player *players)
{
	for (uint32_t i = 0; i < WORKERS; i++) {
		if (players[i].switches > 0)
			add(fit, i, players[i].on_ns, players[i].sure_ns, 0, 0);
		players[i].on_ns = players[i].sure_ns;
	}
}

/* Those of one worker one behind the other, as rings give them. */
static void sort_by_worker(struct live_fit *fit)
{
	for (size_t i = 1; i < fit->n_notes; i++)
		for (size_t j = i; j > 0 && fit->notes[j - 1].worker > fit->notes[j].worker; j--) {
			struct fit_note note = fit->notes[j];

			fit->notes[j] = fit->notes[j - 1];
			fit->notes[j - 1] = note;
		}
}

static struct place_span all[4 * TURNS];

/* After every so many turns a frame: what a worker in a call has done is told late. */
static size_t play(struct player *players, unsigned seed, int turns_of_a_frame)
{
	struct live_fit fit = {0};
	uint64_t now = MS;
	size_t n = 0;

	for (int i = 0; i < TURNS; i += turns_of_a_frame) {
		live_fit_begin(&fit);
		for (int j = 0; j < turns_of_a_frame; j++) {
			const struct turn turn = {.worker = (uint32_t)below(&seed, WORKERS),
						  .on_ns = now,
						  .off_ns = now + MS / 4 + below(&seed, 4 * MS)};

			take_turn(&fit, &players[turn.worker], &turn, &seed);
			now = turn.off_ns;
		}
		add_open(&fit, players);
		sort_by_worker(&fit);
		assert_int_equal(live_fit_place(&fit), 0);
		count(&fit, players);
		for (size_t j = 0; j < fit.n_pieces; j++)
			all[n++] = (struct place_span) {fit.pieces[j].on_ns, fit.pieces[j].off_ns};
	}
	live_fit_close(&fit);
	return n;
}

static void assert_played(unsigned seed, int turns_of_a_frame)
{
	struct player players[WORKERS] = {0};
	uint64_t placed = 0, true_ns = 0;
	size_t n = play(players, seed, turns_of_a_frame);

	for (int i = 0; i < WORKERS; i++) {
		placed += players[i].placed_ns;
		true_ns += players[i].true_ns;
	}
	assert_apart(all, n);
	print_message("seed %u, %d: %.4f placed, in %zu pieces\n", seed, turns_of_a_frame,
		      (double)placed / (double)true_ns, n);
	assert_true(placed <= true_ns && placed > true_ns - true_ns / 100);
}

static void no_two_are_on_a_core_at_once_and_no_time_is_lost(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 8; seed++) {
		assert_played(seed, TURNS);
		assert_played(seed, 50);
		assert_played(seed, 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_free_lies_between_what_is_taken),
		cmocka_unit_test(a_core_forgets_what_was_long_ago),
		cmocka_unit_test(one_gap_is_where_the_other_was),
		cmocka_unit_test(two_switches_are_two_gaps),
		cmocka_unit_test(nobody_else_there_changes_nothing),
		cmocka_unit_test(no_two_are_on_a_core_at_once_and_no_time_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
