/* SPDX-License-Identifier: MIT */
#include "source/live_slices.h"

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

static void free_time_lies_between_placed_slices(void **state)
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

	live_fit_add(fit, &note);
}

static void assert_piece(const struct live_fit *fit, size_t i, size_t note, uint64_t on_ns,
			 uint64_t off_ns)
{
	assert_true(i < fit->n_pieces);
	assert_int_equal(fit->pieces[i].note, note);
	assert_int_equal(fit->pieces[i].on_ns, on_ns);
	assert_int_equal(fit->pieces[i].off_ns, off_ns);
}

/*
 * Worker 0 was in one system call from 1 to 10 ms. It was on its core for 5 ms of that time, and
 * assumes that it got the core back at 9 ms.
 */
static void one_gap_is_where_the_other_was(void **state)
{
	struct live_fit fit = {0};

	(void)state;
	live_fit_begin(&fit);
	add(&fit, 0, 0, 1 * MS, 4 * MS, 1);
	add(&fit, 0, 9 * MS, 12 * MS, 0, 0);
	add(&fit, 1, 3 * MS, 7 * MS, 0, 0);
	live_fit_place(&fit);
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
	live_fit_place(&fit);
	assert_int_equal(fit.n_pieces, 6);
	assert_piece(&fit, 1, 0, 1 * MS, 2 * MS);
	assert_piece(&fit, 2, 0, 4 * MS, 6 * MS);
	assert_piece(&fit, 3, 1, 9 * MS, 12 * MS);
	live_fit_close(&fit);
}

/* Other workers know their ends to a few µs, so what lies between them is not a slice. */
static void crumbs_are_no_slices(void **state)
{
	struct live_fit fit = {0};

	(void)state;
	live_fit_begin(&fit);
	add(&fit, 0, 0, MS, MS / 20, 1);
	add(&fit, 0, 9 * MS, 12 * MS, 0, 0);
	add(&fit, 1, MS, 5 * MS, 0, 0);
	add(&fit, 2, 5 * MS + MS / 20, 9 * MS, 0, 0);
	live_fit_place(&fit);
	assert_int_equal(fit.n_pieces, 4);
	live_fit_close(&fit);
}

/* A slice that was placed overlaps one that is certain now, so the certain one begins after it. */
static void slices_that_are_certain_are_not_split(void **state)
{
	struct live_fit fit = {0};

	(void)state;
	live_fit_begin(&fit);
	add(&fit, 0, MS + MS / 20, MS + MS / 10, 0, 0);
	live_fit_place(&fit);
	live_fit_begin(&fit);
	add(&fit, 1, MS, 5 * MS, 0, 0);
	live_fit_place(&fit);
	assert_int_equal(fit.n_pieces, 1);
	assert_piece(&fit, 0, 0, MS + MS / 10, 5 * MS);
	live_fit_close(&fit);
}

static void nobody_else_there_changes_nothing(void **state)
{
	struct live_fit fit = {0};

	(void)state;
	live_fit_begin(&fit);
	add(&fit, 0, 0, 1 * MS, 3 * MS, 5);
	add(&fit, 0, 9 * MS, 12 * MS, 0, 0);
	live_fit_place(&fit);
	assert_int_equal(fit.n_pieces, 3);
	assert_piece(&fit, 1, 0, 1 * MS, 4 * MS);
	live_fit_close(&fit);
}

/*
 * Cores are passed from worker to worker. Sometimes a worker is in a call over several of its
 * turns.
 */
struct turn {
	uint32_t worker;
	int16_t cpu;
	uint64_t on_ns, off_ns;
};

struct player {
	/* call_ns: time on a core within a call, of which it does not know the moment */
	uint64_t on_ns, sure_ns, call_ns;
	int16_t cpu;
	uint8_t switches;
	uint64_t until_ns; /* end of its last turn */
	uint64_t true_ns, placed_ns, last_ns;
};

/* A number of cores, whose turns end at now_ns. */
struct game {
	struct live_fit fit;
	struct player players[WORKERS];
	int cores;
	uint64_t now_ns[2];
	unsigned seed;
};

static uint64_t below(struct game *game, uint64_t n)
{
	return (uint64_t)rand_r(&game->seed) % n;
}

static void note(struct game *game, uint32_t worker, uint64_t call_ns, uint8_t switches)
{
	const struct player *player = &game->players[worker];
	const struct fit_note note = {.worker = worker,
				      .on_ns = player->on_ns,
				      .sure_ns = player->sure_ns,
				      .guess_ns = call_ns,
				      .cpu = player->cpu,
				      .why = WHY_PREEMPTED,
				      .switches = switches};

	live_fit_add(&game->fit, &note);
}

static void take_turn(struct game *game, const struct turn *turn)
{
	struct player *player = &game->players[turn->worker];
	uint64_t took = turn->off_ns - turn->on_ns;
	bool calls = below(game, 10) < 1;

	player->true_ns += took;
	player->until_ns = turn->off_ns;
	if (player->switches > 0 && calls) {
		player->call_ns += took;
		player->switches++;
		return;
	}
	if (player->switches > 0)
		note(game, turn->worker, player->call_ns, player->switches);
	player->on_ns = turn->on_ns;
	player->sure_ns = calls ? turn->on_ns + took / 2 : turn->off_ns;
	player->call_ns = calls ? took - took / 2 : 0;
	player->cpu = turn->cpu;
	player->switches = 1;
}

/* Adds a turn on the core that is free first, by a worker that is on no other core. */
static void next_turn(struct game *game)
{
	int cpu = game->cores == 2 && game->now_ns[1] < game->now_ns[0];
	struct turn turn = {.cpu = (int16_t)cpu, .on_ns = game->now_ns[cpu]};

	do
		turn.worker = (uint32_t)below(game, WORKERS);
	while (game->players[turn.worker].until_ns > turn.on_ns);
	turn.off_ns = turn.on_ns + MS / 4 + below(game, 4 * MS);
	game->now_ns[cpu] = turn.off_ns;
	take_turn(game, &turn);
}

/* Reports each open slice up to now. Later reports begin where this one ends. */
static void note_open(struct game *game)
{
	for (uint32_t i = 0; i < WORKERS; i++) {
		if (game->players[i].switches > 0)
			note(game, i, 0, 0);
		game->players[i].on_ns = game->players[i].sure_ns;
	}
}

/* Sorts by worker, as rings deliver slices. */
static void sort_by_worker(struct live_fit *fit)
{
	for (size_t i = 1; i < fit->n_notes; i++)
		for (size_t j = i; j > 0 && fit->notes[j - 1].worker > fit->notes[j].worker; j--) {
			struct fit_note one = fit->notes[j];

			fit->notes[j] = fit->notes[j - 1];
			fit->notes[j - 1] = one;
		}
}

static struct place_span all[2][4 * TURNS];
static size_t n_all[2];

/* A worker's pieces are in order of time, on whatever core. */
static void count(struct game *game)
{
	for (size_t i = 0; i < game->fit.n_pieces; i++) {
		const struct fit_piece *piece = &game->fit.pieces[i];
		struct player *player = &game->players[game->fit.notes[piece->note].worker];

		assert_true(piece->on_ns < piece->off_ns);
		assert_true(piece->on_ns >= player->last_ns);
		player->last_ns = piece->off_ns;
		player->placed_ns += piece->off_ns - piece->on_ns;
		all[piece->cpu][n_all[piece->cpu]++] =
			(struct place_span) {piece->on_ns, piece->off_ns};
	}
}

static int earlier(const void *a, const void *b)
{
	const struct place_span *x = a, *y = b;

	return x->on_ns < y->on_ns ? -1 : x->on_ns > y->on_ns;
}

static void assert_apart(int cpu)
{
	qsort(all[cpu], n_all[cpu], sizeof(all[cpu][0]), earlier);
	for (size_t i = 1; i < n_all[cpu]; i++)
		assert_true(all[cpu][i - 1].off_ns <= all[cpu][i].on_ns);
}

/* Draws a frame after some turns, so that the slices of a worker in a call are reported late. */
static void play(struct game *game, int turns_of_a_frame)
{
	n_all[0] = n_all[1] = 0;
	for (int i = 0; i < TURNS; i += turns_of_a_frame) {
		live_fit_begin(&game->fit);
		for (int j = 0; j < turns_of_a_frame; j++)
			next_turn(game);
		note_open(game);
		sort_by_worker(&game->fit);
		live_fit_place(&game->fit);
		count(game);
	}
	assert_apart(0);
	assert_apart(1);
	live_fit_close(&game->fit);
}

static void assert_played(unsigned seed, int cores, int turns_of_a_frame)
{
	struct game game = {.cores = cores, .now_ns = {MS, MS}, .seed = seed};
	uint64_t placed = 0, true_ns = 0;

	/* With two cores, it is unknown on which one a worker was between two switches. */
	play(&game, turns_of_a_frame);
	for (int i = 0; i < WORKERS; i++) {
		placed += game.players[i].placed_ns;
		true_ns += game.players[i].true_ns;
	}
	print_message("seed %u, %d cores, %d: %.4f placed, in %zu pieces\n", seed, cores,
		      turns_of_a_frame, (double)placed / (double)true_ns, n_all[0] + n_all[1]);
	assert_true(placed <= true_ns && placed > true_ns - true_ns / (cores == 1 ? 100 : 20));
}

static void no_two_are_on_a_core_at_once_and_no_time_is_lost(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 8; seed++) {
		for (int cores = 1; cores <= 2; cores++) {
			assert_played(seed, cores, TURNS);
			assert_played(seed, cores, 50);
			assert_played(seed, cores, 5);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(free_time_lies_between_placed_slices),
		cmocka_unit_test(a_core_forgets_what_was_long_ago),
		cmocka_unit_test(one_gap_is_where_the_other_was),
		cmocka_unit_test(two_switches_are_two_gaps),
		cmocka_unit_test(crumbs_are_no_slices),
		cmocka_unit_test(slices_that_are_certain_are_not_split),
		cmocka_unit_test(nobody_else_there_changes_nothing),
		cmocka_unit_test(no_two_are_on_a_core_at_once_and_no_time_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
