/* SPDX-License-Identifier: MIT */
#include "view/race.h"

#include <math.h>
#include <sys/param.h>

#include "base/array.h"
#include "draw/plot.h"

#include "view_rows.h"

/* Runs of at least this length, ns, are shown live while they are measured, and not played. */
#define LIVE_NS INT64_C(1000000000)
/*
 * Before the first trial ends, runs of at least this length, ns, are shown live, because the screen
 * would be empty otherwise.
 */
#define WATCHED_NS INT64_C(500000000)
/* Least length of a program's run that is shown live before the first trial ends, ns. */
#define PROGRAM_NS INT64_C(100000000)
/* Longest time between a trial's beginning and its first frame, ns of the viewer's time. */
#define FRAME_NS UINT64_C(100000000)
/* Longest time for playing the rest of a trial after the session has ended, ns. */
#define HURRY_NS 1e9
/*
 * During a session, the axis has room for trials that take this many times as long as the longest
 * trial so far.
 */
#define AXIS_SPARE 1.1
/* Number of steps in which a key moves through a whole trial. */
#define RACE_STEPS 100

/* Speeds of the replay: playing time divided by measured time. */
static const double slower[] = {
	1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 3e-2, 5e-2, 8e-2, .1,   .2,  .25, 1. / 3, .5,  1,	  1.5, 2,
	3,    4,    5,	  6,	8,    10,   12,	  15,	20,   25,  30,	40,	50,  60,  80,  100,
	150,  200,  300,  400,	500,  600,  800,  1e3,	1500, 2e3, 3e3, 5e3,	1e4, 2e4, 5e4, 1e5};

enum { RACE_SLOWER = LENGTH(slower) };

static int slower_place(double factor)
{
	int i = 0;

	while (i + 1 < RACE_SLOWER && slower[i + 1] <= factor * 1.0001)
		i++;
	return i;
}

static void race_begin(struct race_clock *clock, const struct model *model,
		       const struct model_trial *trial)
{
	struct view_race *race = &clock->race;
	const int64_t length_ns = model_trial_length(model, trial);
	const bool same = race->trial.first == trial->first && race->trial.end == trial->end;
	const bool over = model_over(model);

	/*
	 * During a session, the axis for the same cases only grows, so that trials can be compared.
	 * It has some spare length, because otherwise each slightly longer trial would change it.
	 */
	if (!same || length_ns > race->axis_ns || (over && length_ns < race->axis_ns / 2)) {
		if (over)
			race->axis_ns = length_ns;
		else
			race->axis_ns = (int64_t)plot_nice(AXIS_SPARE * (double)length_ns);
	}
	race->trial = *trial;
	race->length_ns = length_ns;
	race->ns = 0;
	race->nearest = false;
	race->slower = slower[slower_place(RACE_NS / (double)(length_ns > 0 ? length_ns : 1))];
	clock->rest_ns = 0;
	clock->clock_ns = 0;
	clock->ended_ns = 0;
}

static bool race_same(const struct model_trial *a, const struct model_trial *b)
{
	return a->first == b->first && a->end == b->end && a->number == b->number;
}

/*
 * Whether the played trial was discarded, so that the figures do not include it, and a newer trial
 * that counts can replace it.
 */
static bool race_is_outdated(const struct race_clock *clock, const struct model *model)
{
	const struct view_race *race = &clock->race;
	const struct model_trial newest = model_trial_newest(model);

	if (clock->chosen || race->nearest || model_over(model))
		return false;
	return !model_trial_counts(model, &race->trial) && newest.number > 0 &&
	       model_trial_counts(model, &newest);
}

/*
 * Whether the trial of a tree stays on the screen although a newer trial of the same cases has
 * ended. The bands of a tree are compared as a whole, which a replay would clear for most of its
 * time.
 */
static bool race_stays(const struct race_clock *clock, const struct model *model,
		       const struct model_trial *next)
{
	const struct model_trial *trial = &clock->race.trial;

	if (trial->number == 0 || trial->first != next->first || trial->end != next->end)
		return false;
	return view_bands_fit(model, trial->first);
}

/*
 * Moves to the newest trial or, after the session, to the trial nearest to the medians, unless the
 * user has chosen a trial. If the newest trial has long runs, no trial is played, because long runs
 * are shown live. Returns whether another trial has begun.
 */
static bool race_go_on(struct race_clock *clock, const struct model *model)
{
	struct view_race *race = &clock->race;
	const bool over = model_over(model), played = race->trial.number > 0;
	struct model_trial next;
	bool stays, whole;

	if (clock->chosen || race->nearest)
		return false;
	if (over)
		next = model_trial_nearest(model);
	else
		next = model_trial_newest(model);
	if (next.number == 0)
		return false;
	stays = race_stays(clock, model, &next);
	if (!over && stays && !race_is_outdated(clock, model))
		return false;
	if (!over && model_trial_length(model, &next) >= LIVE_NS) {
		race->trial.number = 0;
		return false;
	}
	if (!over && race_same(&next, &race->trial))
		return false;
	/*
	 * At the end of the session, the whole trial is shown with the answer. The audience has
	 * seen a trial played or, if the runs are long, has watched them while they were measured.
	 */
	whole = over && (played || model_trial_length(model, &next) >= LIVE_NS);
	/* No other trial follows, so the trial gets the whole axis. */
	if (over || stays)
		race->axis_ns = 0;
	race_begin(clock, model, &next);
	race->nearest = over;
	if (whole || stays)
		race->ns = race->length_ns;
	return true;
}

/*
 * After the session, lets the trial that is being played come to its end. If it is the trial
 * nearest to the medians, it keeps its speed, and no other trial follows. Otherwise, its rest is
 * played faster: the answer is known by then, and only the nearest trial agrees with it.
 */
static void race_end(struct race_clock *clock, const struct model *model)
{
	struct view_race *race = &clock->race;
	const double rest_ns = (double)(race->length_ns - race->ns);
	struct model_trial nearest;

	if (clock->chosen || race->nearest)
		return;
	nearest = model_trial_nearest(model);
	race->nearest = race_same(&nearest, &race->trial);
	if (race->nearest && race->ns >= race->length_ns)
		race->axis_ns = race->length_ns;
	if (!race->nearest && rest_ns > 0)
		race->slower = fmin(race->slower, slower[slower_place(HURRY_NS / rest_ns)]);
}

/*
 * Whether the next trial is due, because no trial is being played, or because the played trial is
 * outdated, or has ended and rested.
 */
static bool race_is_over(struct race_clock *clock, const struct model *model, uint64_t now_ns)
{
	const struct view_race *race = &clock->race;

	if (race->trial.number == 0 || race_is_outdated(clock, model))
		return true;
	if (race->ns < race->length_ns) {
		clock->ended_ns = 0;
		return false;
	}
	if (clock->ended_ns == 0)
		clock->ended_ns = now_ns;
	return now_ns - clock->ended_ns >= RACE_REST_NS;
}

/*
 * Whether nothing should be shown yet, because no trial has ended, no run has failed, and no run so
 * far is long enough to be watched live. Shorter runs would only flicker.
 */
static bool race_is_early(const struct race_clock *clock, const struct model *model)
{
	if (clock->race.trial.number > 0 || model_over(model))
		return false;
	for (size_t i = 0; i < model->n_runs; i++) {
		const struct model_run *run = &model->runs[i];
		const struct plan *plan = &model->cases[run->id.case_id].plan;
		const bool program = plan->leaves[WORK_PROGRAM] > 0;

		if (model_length(model, run) >= (program ? PROGRAM_NS : WATCHED_NS))
			return false;
		if (model_ended(model, run) && run->totals.status != SAMPLE_OK)
			return false;
	}
	return model_trial_newest(model).number == 0;
}

/*
 * Whether trials will be played, because no trial has ended yet and all runs so far are short
 * enough.
 */
static bool race_is_expected(const struct race_clock *clock, const struct model *model)
{
	if (clock->race.trial.number > 0 || model_over(model))
		return false;
	for (size_t i = 0; i < model->n_runs; i++)
		if (model_length(model, &model->runs[i]) >= LIVE_NS)
			return false;
	return model_trial_newest(model).number == 0;
}

void race_advance(struct race_clock *clock, const struct model *model, uint64_t now_ns)
{
	struct view_race *race = &clock->race;
	const uint64_t passed = clock->clock_ns ? now_ns - clock->clock_ns : 0;
	const double step_ns = clock->rest_ns + (double)passed / fmax(1e-9, race->slower);

	clock->clock_ns = now_ns;
	race->early = race_is_early(clock, model);
	race->expected = race_is_expected(clock, model);
	/* The user asked for more trials, or the cursor went back in time. */
	if (race->nearest && !model_over(model))
		race_leave(clock);
	if (race->trial.number && clock->paused)
		return;
	if (race->trial.number && model_over(model))
		race_end(clock, model);
	if (race->trial.number && race->ns < race->length_ns) {
		race->ns += (int64_t)step_ns;
		clock->rest_ns = step_ns - floor(step_ns);
	}
	if (race_is_over(clock, model, now_ns) && race_go_on(clock, model)) {
		/*
		 * Begin the next trial one frame after its start, so that no empty frame is shown
		 * for a moment.
		 */
		clock->clock_ns = now_ns;
		race->ns += (int64_t)((double)MIN(passed, FRAME_NS) / race->slower);
	}
	race->ns = MIN(race->ns, race->length_ns);
	race->moves = race_moves(clock);
}

bool race_moves(const struct race_clock *clock)
{
	const struct view_race *race = &clock->race;

	return race->trial.number > 0 && !clock->paused && race->ns < race->length_ns;
}

bool race_awaits_nearest(const struct race_clock *clock, const struct model *model)
{
	const struct view_race *race = &clock->race;

	if (clock->paused || clock->chosen || race->nearest)
		return false;
	return race->trial.number > 0 && model_over(model);
}

/* Selects the newest trial if no trial is shown, as in sessions whose long runs are shown live. */
static bool race_wanted(struct race_clock *clock, const struct model *model)
{
	const struct model_trial newest = model_trial_newest(model);

	if (clock->race.trial.number)
		return true;
	if (newest.number == 0)
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
	struct model_trial trial;

	if (!race_wanted(clock, model))
		return false;
	trial = model_trial_beside(model, &clock->race.trial, by);
	race_begin(clock, model, &trial);
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
	race->ns = MAX(0, race->ns);
	race->ns = MIN(race->length_ns, race->ns);
	return true;
}

bool race_pause(struct race_clock *clock)
{
	struct view_race *race = &clock->race;

	if (race->trial.number == 0)
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
	const struct model_trial trial = clock->race.trial;

	clock->race = (struct view_race) {.trial = trial, .axis_ns = axis_ns};
	clock->race.trial.number = 0;
	clock->chosen = false;
	clock->paused = false;
}

void race_finish(struct race_clock *clock, const struct model *model)
{
	struct model_trial nearest = model_trial_nearest(model);

	race_leave(clock);
	if (nearest.number == 0)
		return;
	clock->race.axis_ns = 0;
	race_begin(clock, model, &nearest);
	clock->race.ns = clock->race.length_ns;
	clock->race.nearest = true;
}
