/* SPDX-License-Identifier: MIT */
#include "app/app.h"

#include "stage/check.h"

#include "stage/synthetic.h"
#include "view/view.h"

#define SECOND UINT64_C(1000000000)

struct stage {
	struct synthetic session;
	struct model model;
	struct player player;
};

static void open_stage(struct stage *stage, bool grows, double speed)
{
	synthetic_mixed(&stage->session, 3);
	synthetic_model(&stage->session, &stage->model);
	player_init(&stage->player, grows, speed);
	player_advance(&stage->player, &stage->model, 5 * SECOND);
}

static void a_recording_plays_from_its_begin_at_its_speed(void **state)
{
	struct stage s;

	open_stage(&s, false, 2);
	assert_int_equal(s.model.now_ns, 0);
	player_advance(&s.player, &s.model, 6 * SECOND);
	assert_int_equal(s.model.now_ns, 2 * SECOND);
	player_advance(&s.player, &s.model, 7 * SECOND);
	assert_int_equal(s.model.now_ns, 4 * SECOND);
	model_free(&s.model);
}

static void it_stops_at_the_end_and_does_not_move_on(void **state)
{
	struct stage s;

	open_stage(&s, false, 1000);
	player_advance(&s.player, &s.model, 100 * SECOND);
	assert_int_equal(s.model.now_ns, s.model.newest_ns);
	assert_false(player_moves(&s.player, &s.model));
	model_free(&s.model);
}

static void slow_speeds_lose_no_time_between_frames(void **state)
{
	struct stage s;

	open_stage(&s, false, 0.001);
	for (uint64_t i = 1; i <= 1000; i++)
		player_advance(&s.player, &s.model, 5 * SECOND + i * 333);
	assert_int_equal(s.model.now_ns, 333);
	model_free(&s.model);
}

static void live_it_follows_the_newest_sample(void **state)
{
	struct stage s;

	open_stage(&s, true, 1);
	assert_int_equal(s.model.now_ns, s.model.newest_ns);
	assert_false(player_moves(&s.player, &s.model));
	model_free(&s.model);
}

static void slower_shows_the_newest_run_again_in_about_ten_seconds(void **state)
{
	struct stage s;
	const struct model_run *last;
	double seconds;

	open_stage(&s, true, 1);
	last = &s.model.runs[s.model.n_runs - 1];
	assert_true(player_change_speed(&s.player, &s.model, -1));
	assert_int_equal(s.model.now_ns, last->begin_ns);
	seconds = (double)(last->end_ns - last->begin_ns) / 1e9 / player_speed(&s.player);
	assert_true(seconds > 5 && seconds < 20);
	model_free(&s.model);
}

static void at_the_end_of_what_is_known_it_follows_again(void **state)
{
	struct stage s;

	open_stage(&s, true, 1);
	player_change_speed(&s.player, &s.model, -1);
	player_advance(&s.player, &s.model, 10 * SECOND);
	assert_false(s.player.follow);
	player_advance(&s.player, &s.model, 100 * SECOND);
	assert_true(s.player.follow);
	assert_int_equal(s.model.now_ns, s.model.newest_ns);
	model_free(&s.model);
}

static void slow_motion_is_left_where_more_samples_come(void **state)
{
	struct stage s;

	open_stage(&s, true, 1);
	player_change_speed(&s.player, &s.model, -1);
	player_pause(&s.player, &s.model);
	assert_false(s.player.follow);
	assert_true(player_follow(&s.player, &s.model));
	assert_true(s.player.follow);
	assert_false(s.player.paused);
	assert_int_equal(s.model.now_ns, s.model.newest_ns);
	model_free(&s.model);
	open_stage(&s, false, 1);
	assert_false(player_follow(&s.player, &s.model));
	assert_false(s.player.follow);
	model_free(&s.model);
}

static void a_place_in_the_line_of_time_is_gone_to(void **state)
{
	struct stage s;

	open_stage(&s, false, 1);
	player_seek(&s.player, &s.model, 0.5);
	assert_int_equal(s.model.now_ns, s.model.newest_ns / 2);
	player_seek(&s.player, &s.model, 2);
	assert_int_equal(s.model.now_ns, s.model.newest_ns);
	player_seek(&s.player, &s.model, 0);
	assert_int_equal(s.model.now_ns, 0);
	model_free(&s.model);
}

static void space_stops_it_where_it_is(void **state)
{
	struct stage s;
	int64_t at;

	open_stage(&s, false, 1);
	player_advance(&s.player, &s.model, 6 * SECOND);
	at = s.model.now_ns;
	player_pause(&s.player, &s.model);
	player_advance(&s.player, &s.model, 9 * SECOND);
	assert_int_equal(s.model.now_ns, at);
	player_pause(&s.player, &s.model);
	player_advance(&s.player, &s.model, 10 * SECOND);
	player_advance(&s.player, &s.model, 11 * SECOND);
	assert_int_equal(s.model.now_ns, at + (int64_t)SECOND);
	model_free(&s.model);
}

static void space_at_the_end_begins_again(void **state)
{
	struct stage s;

	open_stage(&s, false, 1);
	for (int paused = 0; paused < 2; paused++) {
		player_seek(&s.player, &s.model, 1);
		s.player.paused = paused;
		player_pause(&s.player, &s.model);
		assert_int_equal(s.model.now_ns, 0);
		assert_true(player_moves(&s.player, &s.model));
		player_advance(&s.player, &s.model, 100 * SECOND);
		player_advance(&s.player, &s.model, 101 * SECOND);
		assert_int_equal(s.model.now_ns, SECOND);
	}
	model_free(&s.model);
}

static void brackets_go_to_the_begin_of_a_run(void **state)
{
	struct stage s;

	open_stage(&s, false, 1);
	for (size_t i = 0; i < s.model.n_runs; i++) {
		player_jump(&s.player, &s.model, true);
		if (s.model.runs[0].begin_ns == 0 && i + 1 == s.model.n_runs)
			break;
		assert_int_equal(s.model.now_ns,
				 s.model.runs[i + (s.model.runs[0].begin_ns == 0)].begin_ns);
	}
	player_jump(&s.player, &s.model, false);
	assert_int_equal(s.model.now_ns, s.model.runs[s.model.n_runs - 2].begin_ns);
	player_jump(&s.player, &s.model, false);
	assert_int_equal(s.model.now_ns, s.model.runs[s.model.n_runs - 3].begin_ns);
	model_free(&s.model);
}

static void home_end_and_the_arrows_seek(void **state)
{
	struct stage s;

	open_stage(&s, false, 1);
	player_seek(&s.player, &s.model, 1);
	assert_int_equal(s.model.now_ns, s.model.newest_ns);
	player_move(&s.player, &s.model, -s.model.newest_ns / 50);
	assert_int_equal(s.model.now_ns, s.model.newest_ns - s.model.newest_ns / 50);
	player_seek(&s.player, &s.model, 0);
	assert_int_equal(s.model.now_ns, 0);
	player_move(&s.player, &s.model, -s.model.newest_ns / 50);
	assert_int_equal(s.model.now_ns, 0);
	model_free(&s.model);
}

static void a_step_is_a_tick_at_full_speed_and_less_in_slow_motion(void **state)
{
	struct stage s;

	open_stage(&s, false, 1);
	player_step(&s.player, &s.model, 1);
	assert_int_equal(s.model.now_ns, 100000000);
	player_step(&s.player, &s.model, -1);
	assert_int_equal(s.model.now_ns, 0);
	player_change_speed(&s.player, &s.model, -1);
	player_step(&s.player, &s.model, 1);
	assert_int_equal(s.model.now_ns, 50000000);
	assert_true(s.player.paused);
	model_free(&s.model);
}

static void speeds_end_at_a_thousand_either_way(void **state)
{
	struct stage s;

	open_stage(&s, false, 1);
	for (int i = 0; i < 40; i++)
		assert_true(player_change_speed(&s.player, &s.model, 1));
	assert_true(player_speed(&s.player) == 1000);
	for (int i = 0; i < 40; i++)
		assert_true(player_change_speed(&s.player, &s.model, -1));
	assert_true(player_speed(&s.player) == 0.001);
	model_free(&s.model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_plays_from_its_begin_at_its_speed),
		cmocka_unit_test(it_stops_at_the_end_and_does_not_move_on),
		cmocka_unit_test(slow_speeds_lose_no_time_between_frames),
		cmocka_unit_test(live_it_follows_the_newest_sample),
		cmocka_unit_test(slower_shows_the_newest_run_again_in_about_ten_seconds),
		cmocka_unit_test(at_the_end_of_what_is_known_it_follows_again),
		cmocka_unit_test(slow_motion_is_left_where_more_samples_come),
		cmocka_unit_test(a_place_in_the_line_of_time_is_gone_to),
		cmocka_unit_test(space_stops_it_where_it_is),
		cmocka_unit_test(space_at_the_end_begins_again),
		cmocka_unit_test(brackets_go_to_the_begin_of_a_run),
		cmocka_unit_test(home_end_and_the_arrows_seek),
		cmocka_unit_test(a_step_is_a_tick_at_full_speed_and_less_in_slow_motion),
		cmocka_unit_test(speeds_end_at_a_thousand_either_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
