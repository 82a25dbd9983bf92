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

static void more_samples_are_followed_again(void **state)
{
	struct stage s;

	open_stage(&s, true, 1);
	player_seek(&s.player, &s.model, 0.5);
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

/* Makes runs 20 times shorter; such short runs are shown as a race. */
static void shorten_runs(struct stage *s)
{
	for (size_t i = 0; i < s->model.n_runs; i++) {
		struct model_run *run = &s->model.runs[i];

		run->end_ns = run->begin_ns + (run->end_ns - run->begin_ns) / 20;
		run->totals.elapsed_ns /= 20;
	}
}

/* Moves to just after the end of the first trial in which all models have ended. */
static void seek_first_trial(struct stage *s)
{
	for (size_t i = 0; i < s->model.n_runs; i++) {
		model_seek(&s->model, s->model.runs[i].end_ns);
		if (model_trial_newest(&s->model).number > 0)
			return;
	}
}

static void the_first_trial_is_played_in_two_to_four_seconds(void **state)
{
	const struct view_race *race;
	struct stage s;
	double seconds;

	open_stage(&s, true, 1);
	race = &s.player.race.race;
	model_seek(&s.model, 0);
	race_advance(&s.player.race, &s.model, SECOND);
	assert_int_equal(race->trial.number, 0);
	shorten_runs(&s);
	seek_first_trial(&s);
	race_advance(&s.player.race, &s.model, SECOND);
	assert_int_equal(race->trial.number, 1);
	assert_int_equal(race->trial.end - race->trial.first, 2);
	seconds = (double)race->length_ns / 1e9 * race->slower;
	assert_true(seconds > 2 && seconds <= 4.01);
	race_advance(&s.player.race, &s.model, 2 * SECOND);
	race_advance(&s.player.race, &s.model, 3 * SECOND);
	assert_true(race->ns > 0 && race->ns < race->length_ns);
	assert_true(race_moves(&s.player.race));
	model_free(&s.model);
}

static void runs_of_a_second_are_shown_live_until_the_last_trial(void **state)
{
	struct stage s;

	open_stage(&s, true, 1);
	seek_first_trial(&s);
	race_advance(&s.player.race, &s.model, SECOND);
	assert_int_equal(s.player.race.race.trial.number, 0);
	/* A key selects the trial nevertheless. */
	assert_true(race_speed(&s.player.race, &s.model, -1));
	assert_int_equal(s.player.race.race.trial.number, 1);
	model_free(&s.model);
}

/* Long runs were watched, so playing the trial would only take a whole picture away. */
static void after_long_runs_the_nearest_trial_is_shown_whole(void **state)
{
	const struct view_race *race;
	struct stage s;

	open_stage(&s, true, 1);
	race = &s.player.race.race;
	s.model.done = true;
	race_advance(&s.player.race, &s.model, SECOND);
	assert_int_equal(race->trial.number, model_trial_nearest(&s.model).number);
	assert_true(race->nearest && !race->moves);
	assert_int_equal(race->ns, race->length_ns);
	model_free(&s.model);
}

static void after_the_last_trial_the_trial_nearest_to_the_medians_is_played_once(void **state)
{
	const struct view_race *race;
	struct model_trial nearest;
	struct stage s;

	open_stage(&s, true, 1);
	race = &s.player.race.race;
	shorten_runs(&s);
	s.model.done = true;
	assert_true(model_over(&s.model));
	nearest = model_trial_nearest(&s.model);
	assert_true(nearest.number > 0);
	race_advance(&s.player.race, &s.model, SECOND);
	assert_int_equal(race->trial.number, nearest.number);
	assert_true(race->nearest && race->moves);
	for (uint64_t i = 2; i < 20; i++)
		race_advance(&s.player.race, &s.model, i * SECOND);
	assert_int_equal(race->ns, race->length_ns);
	assert_false(race_moves(&s.player.race));
	/* Space plays the trial again. */
	assert_true(race_pause(&s.player.race));
	assert_int_equal(race->ns, 0);
	assert_true(race_moves(&s.player.race));
	model_free(&s.model);
}

static void a_trial_stays_at_its_end_before_the_next_begins(void **state)
{
	const struct view_race *race;
	struct stage s;

	open_stage(&s, true, 1);
	race = &s.player.race.race;
	shorten_runs(&s);
	seek_first_trial(&s);
	race_advance(&s.player.race, &s.model, SECOND);
	race_advance(&s.player.race, &s.model, 2 * SECOND);
	race_advance(&s.player.race, &s.model, 9 * SECOND);
	assert_int_equal(race->ns, race->length_ns);
	model_seek(&s.model, s.model.runs[s.model.n_runs - 1].end_ns);
	assert_false(model_over(&s.model));
	race_advance(&s.player.race, &s.model, 9 * SECOND + RACE_REST_NS - 1);
	assert_int_equal(race->trial.number, 1);
	assert_int_equal(race->ns, race->length_ns);
	race_advance(&s.player.race, &s.model, 9 * SECOND + RACE_REST_NS);
	assert_true(race->trial.number > 1);
	assert_int_equal(race->ns, 0);
	model_free(&s.model);
}

/*
 * A trial that is a tenth longer than the first one would still fit, and a shorter one does not
 * shrink the axis.
 */
static void the_axis_has_room_for_longer_trials(void **state)
{
	struct race_clock *clock;
	struct stage s;
	int64_t axis_ns;

	open_stage(&s, true, 1);
	clock = &s.player.race;
	shorten_runs(&s);
	seek_first_trial(&s);
	race_advance(clock, &s.model, SECOND);
	axis_ns = clock->race.axis_ns;
	assert_int_equal(clock->race.trial.number, 1);
	assert_true((double)axis_ns >= 1.1 * (double)clock->race.length_ns);
	for (size_t i = 0; i < s.model.n_runs; i++)
		if (s.model.runs[i].id.trial == 2)
			s.model.runs[i].totals.elapsed_ns = clock->race.length_ns / 3;
	model_seek(&s.model, s.model.runs[s.model.n_runs - 1].end_ns);
	assert_false(model_over(&s.model));
	race_advance(clock, &s.model, 9 * SECOND);
	race_advance(clock, &s.model, 10 * SECOND);
	assert_true(clock->race.trial.number > 1);
	assert_int_equal(clock->race.axis_ns, axis_ns);
	model_free(&s.model);
}

/*
 * No sample brings another frame after the session's end, so the race asks for the frames until the
 * nearest trial is shown.
 */
static void the_race_asks_for_frames_of_the_nearest_trial(void **state)
{
	struct race_clock *clock;
	struct stage s;

	open_stage(&s, true, 1);
	clock = &s.player.race;
	shorten_runs(&s);
	seek_first_trial(&s);
	race_advance(clock, &s.model, SECOND);
	/* The first trial is far from the medians. */
	for (size_t i = 0; i < s.model.n_runs; i++)
		if (s.model.runs[i].id.trial == 1)
			s.model.runs[i].totals.elapsed_ns *= 9;
	model_values_forget(&s.model);
	model_seek(&s.model, s.model.newest_ns);
	s.model.done = true;
	for (uint64_t i = 2; i <= 4; i++) {
		assert_int_equal(clock->race.trial.number, 1);
		assert_true(race_awaits_nearest(clock, &s.model));
		race_advance(clock, &s.model, i * SECOND);
	}
	assert_true(clock->race.nearest);
	assert_int_not_equal(clock->race.trial.number, 1);
	assert_int_equal(clock->race.ns, clock->race.length_ns);
	assert_false(race_moves(clock) || race_awaits_nearest(clock, &s.model));
	model_free(&s.model);
}

/* Whoever goes to the end of a recording sees all of the nearest trial; Space plays it. */
static void the_end_of_a_recording_shows_all_of_the_nearest_trial(void **state)
{
	const struct view_race *race;
	struct stage s;

	open_stage(&s, true, 1);
	race = &s.player.race.race;
	shorten_runs(&s);
	seek_first_trial(&s);
	race_advance(&s.player.race, &s.model, SECOND);
	race_advance(&s.player.race, &s.model, 3 * SECOND);
	assert_true(race->ns > 0 && race->ns < race->length_ns && !race->nearest);
	s.model.done = true;
	player_seek(&s.player, &s.model, 1);
	assert_true(model_over(&s.model));
	race_advance(&s.player.race, &s.model, 3 * SECOND + 1);
	assert_true(race->nearest && !race->moves);
	assert_int_equal(race->ns, race->length_ns);
	assert_true(race_pause(&s.player.race));
	race_advance(&s.player.race, &s.model, 3 * SECOND + 2);
	assert_true(race->moves && race->ns < race->length_ns / 10);
	model_free(&s.model);
}

static void at_the_end_of_a_session_the_nearest_trial_plays_on(void **state)
{
	const struct view_race *race;
	int64_t played_ns;
	struct stage s;

	open_stage(&s, true, 1);
	race = &s.player.race.race;
	shorten_runs(&s);
	seek_first_trial(&s);
	race_advance(&s.player.race, &s.model, SECOND);
	race_advance(&s.player.race, &s.model, 2 * SECOND);
	race_advance(&s.player.race, &s.model, 3 * SECOND);
	assert_true(race->ns > 0 && race->ns < race->length_ns && !race->nearest);
	model_seek(&s.model, s.model.newest_ns);
	s.model.done = true;
	assert_true(model_over(&s.model));
	played_ns = race->ns;
	race_advance(&s.player.race, &s.model, 3 * SECOND + 1);
	assert_true(race->nearest && race->moves);
	assert_true(race->ns >= played_ns && race->ns < race->length_ns);
	for (int i = 4; race->ns < race->length_ns; i++) {
		assert_true(race->nearest && i < 100);
		race_advance(&s.player.race, &s.model, i * SECOND);
	}
	race_advance(&s.player.race, &s.model, 100 * SECOND);
	assert_true(race->nearest && race->ns == race->length_ns);
	model_free(&s.model);
}

static void keys_move_all_models_of_the_race_together(void **state)
{
	const struct view_race *race;
	double slower;
	struct stage s;

	open_stage(&s, true, 1);
	race = &s.player.race.race;
	shorten_runs(&s);
	s.model.done = true;
	race_advance(&s.player.race, &s.model, SECOND);
	slower = race->slower;
	assert_true(race_speed(&s.player.race, &s.model, -1));
	assert_true(race->slower > slower);
	assert_true(race_speed(&s.player.race, &s.model, 1));
	assert_true(race->slower == slower);
	assert_true(race_step(&s.player.race, &s.model, 1));
	assert_int_equal(race->ns, race->axis_ns / 100);
	assert_false(race_moves(&s.player.race));
	assert_true(race_jump(&s.player.race, &s.model, -1));
	assert_int_equal(race->ns, 0);
	for (int i = 0; i < 10; i++)
		assert_true(race_jump(&s.player.race, &s.model, 1));
	assert_int_equal(race->trial.number, 3);
	/* A trial that a key has chosen stays on the screen after its end. */
	s.player.race.paused = false;
	for (uint64_t i = 2; i < 20; i++)
		race_advance(&s.player.race, &s.model, i * SECOND);
	assert_int_equal(race->trial.number, 3);
	race_leave(&s.player.race);
	assert_int_equal(race->trial.number, 0);
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

/* A user who goes to a time, or slows down the replay, wants to see what happened then. */
static void a_recording_opens_with_the_race_until_a_time_is_chosen(void **state)
{
	struct stage s;

	open_stage(&s, false, 1);
	assert_true(player_shows_race(&s.player));
	player_advance(&s.player, &s.model, SECOND);
	player_advance(&s.player, &s.model, 2 * SECOND);
	assert_true(player_shows_race(&s.player));
	player_change_speed(&s.player, -1);
	assert_false(player_shows_race(&s.player));
	player_change_speed(&s.player, 2);
	assert_true(player_shows_race(&s.player));
	player_seek(&s.player, &s.model, 0.5);
	assert_false(player_shows_race(&s.player));
	model_free(&s.model);
	open_stage(&s, true, 1);
	assert_true(player_shows_race(&s.player));
	player_jump(&s.player, &s.model, false);
	assert_false(player_shows_race(&s.player));
	player_follow(&s.player, &s.model);
	assert_true(player_shows_race(&s.player));
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
	player_change_speed(&s.player, -1);
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
		assert_true(player_change_speed(&s.player, 1));
	assert_true(player_speed(&s.player) == 1000);
	for (int i = 0; i < 40; i++)
		assert_true(player_change_speed(&s.player, -1));
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
		cmocka_unit_test(more_samples_are_followed_again),
		cmocka_unit_test(the_first_trial_is_played_in_two_to_four_seconds),
		cmocka_unit_test(runs_of_a_second_are_shown_live_until_the_last_trial),
		cmocka_unit_test(after_long_runs_the_nearest_trial_is_shown_whole),
		cmocka_unit_test(
			after_the_last_trial_the_trial_nearest_to_the_medians_is_played_once),
		cmocka_unit_test(a_trial_stays_at_its_end_before_the_next_begins),
		cmocka_unit_test(the_axis_has_room_for_longer_trials),
		cmocka_unit_test(the_race_asks_for_frames_of_the_nearest_trial),
		cmocka_unit_test(the_end_of_a_recording_shows_all_of_the_nearest_trial),
		cmocka_unit_test(at_the_end_of_a_session_the_nearest_trial_plays_on),
		cmocka_unit_test(keys_move_all_models_of_the_race_together),
		cmocka_unit_test(a_place_in_the_line_of_time_is_gone_to),
		cmocka_unit_test(a_recording_opens_with_the_race_until_a_time_is_chosen),
		cmocka_unit_test(space_stops_it_where_it_is),
		cmocka_unit_test(space_at_the_end_begins_again),
		cmocka_unit_test(brackets_go_to_the_begin_of_a_run),
		cmocka_unit_test(home_end_and_the_arrows_seek),
		cmocka_unit_test(a_step_is_a_tick_at_full_speed_and_less_in_slow_motion),
		cmocka_unit_test(speeds_end_at_a_thousand_either_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
