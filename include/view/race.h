/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/view.h"

/*
 * The clock of the race, for the owner of a view. The runs of a trial that has ended are played
 * together, in 2 to 4 s, while measuring continues. Runs of a second and more are shown live
 * meanwhile. After the last trial, the trial nearest to the medians is played once, and then
 * nothing moves.
 */

/* The longest time that a trial takes, ns; by the steps of speed at least two thirds of it. */
#define RACE_NS 4e9
/* A trial's end stays for so long before the next trial begins, ns: else nobody sees it. */
#define RACE_REST_NS UINT64_C(700000000)

struct race_clock {
	struct view_race race; /* for the view's state */
	double rest_ns;	       /* the remainder below a whole nanosecond */
	uint64_t clock_ns;     /* of the last advance; 0: none yet */
	uint64_t ended_ns;     /* when the trial came to its end; 0: it has not */
	bool paused;
	bool chosen; /* a key has chosen the trial, so no other trial follows it */
};

/* Moves it to a time on a clock of the owner's, ns, which never goes back. */
void race_advance(struct race_clock *clock, const struct model *model, uint64_t now_ns);
/* Whether the clock is moving, so that frames are due without new samples. */
bool race_moves(const struct race_clock *clock);
/* What keys do, by -1 or 1; false where there is no trial yet. */
bool race_speed(struct race_clock *clock, const struct model *model, int by);
bool race_jump(struct race_clock *clock, const struct model *model, int by);
bool race_step(struct race_clock *clock, const struct model *model, int by);
/* Stops the race, continues it, or restarts it at its end. */
bool race_pause(struct race_clock *clock);
/* Newest runs are shown again. */
void race_leave(struct race_clock *clock);
/* As after all of it: the trial nearest to the medians, at its end. */
void race_finish(struct race_clock *clock, const struct model *model);
