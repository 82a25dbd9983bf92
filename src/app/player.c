/* SPDX-License-Identifier: MIT */
#include "app.h"

#include <math.h>
#include <sys/param.h>

#include "base/array.h"

static const double speeds[] = {
	0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5,  1,
	2,     5,     10,    20,   50,	 100,  200, 500, 1000,
};

#define SPEEDS (int)LENGTH(speeds)

static int nearest_speed(double speed)
{
	int best = 0;

	for (int i = 1; i < SPEEDS; i++)
		if (fabs(log(speeds[i] / speed)) < fabs(log(speeds[best] / speed)))
			best = i;
	return best;
}

void player_init(struct player *player, bool grows, double speed)
{
	*player = (struct player) {.grows = grows, .follow = grows, .speed = nearest_speed(speed)};
}

double player_speed(const struct player *player)
{
	return speeds[player->speed];
}

bool player_moves(const struct player *player, const struct model *model)
{
	return !player->follow && !player->paused && player->position_ns < model->newest_ns;
}

bool player_shows_race(const struct player *player)
{
	if (player->follow)
		return true;
	return !player->moved && !player->paused && speeds[player->speed] >= 1;
}

static void move_to(struct player *player, struct model *model, int64_t position_ns)
{
	if (position_ns > model->newest_ns)
		position_ns = model->newest_ns;
	player->position_ns = MAX(0, position_ns);
	player->rest_ns = 0;
	model_seek(model, player->position_ns);
}

void player_advance(struct player *player, struct model *model, uint64_t clock_ns)
{
	uint64_t passed = player->clock_ns ? clock_ns - player->clock_ns : 0;
	double step = player->rest_ns + (double)passed * speeds[player->speed];

	player->clock_ns = clock_ns;
	if (player->follow) {
		move_to(player, model, model->newest_ns);
		return;
	}
	if (!player_moves(player, model)) {
		move_to(player, model, player->position_ns);
		return;
	}
	move_to(player, model, player->position_ns + (int64_t)step);
	player->rest_ns = step - floor(step);
	if (player->grows && player->position_ns >= model->newest_ns)
		player->follow = true;
}

bool player_change_speed(struct player *player, int by)
{
	if (player->follow)
		return false;
	if (player->speed + by < 0 || player->speed + by >= SPEEDS)
		return true;
	player->speed += by;
	player->rest_ns = 0;
	return true;
}

/*
 * Jumps to the next run that begins after the position. Backwards, jumps to the last run that began
 * before the position.
 */
void player_jump(struct player *player, struct model *model, bool forward)
{
	int64_t at = player->follow ? model->newest_ns : player->position_ns;
	const struct model_run *found = NULL;

	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		/*
		 * During the first half second of a run, on the user's clock, go to the run before
		 * that run. That way, each further press goes one run further back.
		 */
		int64_t margin = (int64_t)(5e8 * speeds[player->speed]);

		if (forward && run->begin_ns > at) {
			found = run;
			break;
		}
		if (!forward && run->begin_ns < at - margin)
			found = run;
	}
	if (!found)
		return;
	player->follow = false;
	player->moved = true;
	move_to(player, model, found->begin_ns);
}

void player_move(struct player *player, struct model *model, int64_t by)
{
	int64_t at = player->follow ? model->newest_ns : player->position_ns;

	player->follow = false;
	player->moved = true;
	move_to(player, model, at + by);
}

void player_step(struct player *player, struct model *model, int direction)
{
	int64_t tick = (int64_t)model->session.interval_ms * 1000000;

	player->paused = true;
	player_move(player, model,
		    direction * (int64_t)(fmin(1, speeds[player->speed]) * (double)tick));
}

/* Stops or continues. At the end of the recording, plays it again. */
void player_pause(struct player *player, struct model *model)
{
	if (player->follow) {
		player->paused = true;
		player_move(player, model, 0);
		return;
	}
	if (!player->grows && model->newest_ns > 0 && player->position_ns >= model->newest_ns) {
		player->paused = true;
		player->moved = false;
		move_to(player, model, 0);
	}
	player->paused = !player->paused;
	player->clock_ns = 0;
}

bool player_follow(struct player *player, struct model *model)
{
	if (!player->grows)
		return false;
	player->follow = true;
	player->paused = player->moved = false;
	move_to(player, model, model->newest_ns);
	return true;
}

void player_seek(struct player *player, struct model *model, double to)
{
	player->follow = false;
	player->moved = true;
	move_to(player, model, (int64_t)(fmax(0, fmin(1, to)) * (double)model->newest_ns));
	/*
	 * At the end, show all of the trial nearest to the medians, which agrees with the answer,
	 * and not the rest of another trial.
	 */
	if (model_over(model))
		race_finish(&player->race, model);
}
