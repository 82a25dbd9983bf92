/* SPDX-License-Identifier: MIT */
#include "view/race.h"

#include <math.h>

/* Runs as long as that are shown live, as long as some are measured. */
#define LIVE_NS INT64_C(1000000000)
/* Steps of a pair. */
#define RACE_STEPS 100

/* So many times slower than measured, or faster. */
static const double slower[] = {
	1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 3e-2, 5e-2, 8e-2, .1,   .2,  .25, 1. / 3, .5,  1,	  1.5, 2,
	3,    4,    5,	  6,	8,    10,   12,	  15,	20,   25,  30,	40,	50,  60,  80,  100,
	150,  200,  300,  400,	500,  600,  800,  1e3,	1500, 2e3, 3e3, 5e3,	1e4, 2e4, 5e4, 1e5};

enum { RACE_SLOWER = sizeof(slower) / sizeof(slower[0]) };

static int slower_place(double factor)
{
	int i = 0;

	while (i + 1 < RACE_SLOWER && slower[i + 1] <= factor * 1.0001)
		i++;
	return i;
}

static void race_begin(struct race_clock *clock, const struct model *model,
		       const struct model_round *pair)
{
	struct view_race *race = &clock->race;
	const int64_t length_ns = model_round_length(model, pair);
	const bool same = race->pair.first == pair->first && race->pair.end == pair->end;

	/* The axis stays as long as the pair fills most of it, so that pairs can be compared. */
	if (!same || length_ns > race->axis_ns || length_ns < race->axis_ns / 2)
		race->axis_ns = length_ns;
	race->pair = *pair;
	race->length_ns = length_ns;
	race->ns = 0;
	race->nearest = false;
	race->slower = slower[slower_place(RACE_NS / (double)(length_ns > 0 ? length_ns : 1))];
	clock->rest_ns = 0;
	clock->clock_ns = 0;
}

static bool race_same(const struct model_round *a, const struct model_round *b)
{
	return a->first == b->first && a->end == b->end && a->trial == b->trial;
}

/* What follows the pair that has come to its end, or the first one. */
static void race_go_on(struct race_clock *clock, const struct model *model)
{
	struct view_race *race = &clock->race;
	const bool over = model_over(model);
	struct model_round next;

	if (clock->chosen || race->nearest)
		return;
	next = over ? model_round_nearest(model) : model_round_newest(model);
	if (next.trial == 0)
		return;
	if (!over && model_round_length(model, &next) >= LIVE_NS) {
		race->pair.trial = 0;
		return;
	}
	if (over || !race_same(&next, &race->pair))
		race_begin(clock, model, &next);
	race->nearest = over;
}

void race_advance(struct race_clock *clock, const struct model *model, uint64_t now_ns)
{
	struct view_race *race = &clock->race;
	const uint64_t passed = clock->clock_ns ? now_ns - clock->clock_ns : 0;
	const double step_ns = clock->rest_ns + (double)passed / fmax(1e-9, race->slower);

	clock->clock_ns = now_ns;
	/* More trials were asked for, or the cursor went back. */
	if (race->nearest && !model_over(model))
		race_leave(clock);
	if (race->pair.trial && clock->paused)
		return;
	if (race->pair.trial && race->ns < race->length_ns) {
		race->ns += (int64_t)step_ns;
		clock->rest_ns = step_ns - floor(step_ns);
	}
	if (race->pair.trial == 0 || race->ns >= race->length_ns)
		race_go_on(clock, model);
	race->ns = race->ns < race->length_ns ? race->ns : race->length_ns;
	race->moves = race_moves(clock);
}

bool race_moves(const struct race_clock *clock)
{
	const struct view_race *race = &clock->race;

	return race->pair.trial > 0 && !clock->paused && race->ns < race->length_ns;
}

/* Begins with the newest pair where none is shown: runs are long, and are shown live. */
static bool race_wanted(struct race_clock *clock, const struct model *model)
{
	const struct model_round newest = model_round_newest(model);

	if (clock->race.pair.trial)
		return true;
	if (newest.trial == 0)
		return false;
	race_begin(clock, model, &newest);
	clock->chosen = true;
	return true;
}

bool race_speed(struct race_clock *clock, const struct model *model, int by)
{
	struct view_race *race = &clock->race;
	int place;

	if (!race_wanted(clock, model))
		return false;
	place = slower_place(race->slower) - by;
	if (place >= 0 && place < RACE_SLOWER)
		race->slower = slower[place];
	return true;
}

bool race_jump(struct race_clock *clock, const struct model *model, int by)
{
	struct model_round pair;

	if (!race_wanted(clock, model))
		return false;
	pair = model_round_beside(model, &clock->race.pair, by);
	race_begin(clock, model, &pair);
	clock->chosen = true;
	return true;
}

bool race_step(struct race_clock *clock, const struct model *model, int by)
{
	struct view_race *race = &clock->race;
	int64_t step_ns;

	if (!race_wanted(clock, model))
		return false;
	step_ns = race->axis_ns / RACE_STEPS;
	clock->paused = true;
	race->moves = false;
	race->ns = race->ns + by * step_ns;
	race->ns = race->ns < 0 ? 0 : race->ns;
	race->ns = race->ns > race->length_ns ? race->length_ns : race->ns;
	return true;
}

bool race_pause(struct race_clock *clock)
{
	struct view_race *race = &clock->race;

	if (race->pair.trial == 0)
		return false;
	if (race->ns >= race->length_ns && !clock->paused)
		race->ns = 0;
	else
		clock->paused = !clock->paused;
	clock->clock_ns = 0;
	race->moves = race_moves(clock);
	return true;
}

void race_leave(struct race_clock *clock)
{
	const int64_t axis_ns = clock->race.axis_ns;
	const struct model_round pair = clock->race.pair;

	clock->race = (struct view_race) {.pair = pair, .axis_ns = axis_ns};
	clock->race.pair.trial = 0;
	clock->chosen = false;
	clock->paused = false;
}

void race_finish(struct race_clock *clock, const struct model *model)
{
	struct model_round nearest = model_round_nearest(model);

	race_leave(clock);
	if (nearest.trial == 0)
		return;
	race_begin(clock, model, &nearest);
	clock->race.ns = clock->race.length_ns;
	clock->race.nearest = true;
}
