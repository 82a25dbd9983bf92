/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/view.h"

/*
 * The clock of the race, for the owner of a view. The runs of a trial that has ended are played
 * together, usually in 2 to 4 s, while measuring continues. A trial with a run of a second or more
 * is not played; its runs are shown live. When the last trial has been measured, the one that is
 * being played comes to its end within a second. Then the trial nearest to the medians is played
 * once, unless it was that one, and the clock stops.
 */

/*
 * The longest time for playing a trial, ns, unless it is slower than all speeds. Speeds have steps,
 * so a trial usually takes at least half of this.
 */
#define RACE_NS 4e9
/* Pause after a trial's end before the next trial begins, ns, so that the end can be seen. */
#define RACE_REST_NS UINT64_C(700000000)

struct race_clock {
	struct view_race race; /* Copied to the view's state for each frame. */
	double rest_ns;	       /* Fraction of a nanosecond that was not advanced yet. */
	uint64_t clock_ns;     /* Time of the last race_advance(); 0: it was not called yet. */
	uint64_t ended_ns;     /* Time at which the trial was played to its end; 0: not yet. */
	bool paused;
	bool chosen; /* The user chose the trial with a key, so no other trial follows. */
};

/* Advances the clock to now_ns, a time of any clock that never goes back. */
void race_advance(struct race_clock *clock, const struct model *model, uint64_t now_ns);
/* Whether the clock is moving. Frames must then be drawn even if no sample comes. */
bool race_moves(const struct race_clock *clock);
/* Whether, after the session, the nearest trial is still to come. No sample will bring a frame. */
bool race_awaits_nearest(const struct race_clock *clock, const struct model *model);
/*
 * Handle keys, with by = -1 or 1: change the speed, go to another trial, move by a step. A trial
 * that is chosen in this way stays, and a step also stops the clock. Return false if there is no
 * trial yet.
 */
bool race_speed(struct race_clock *clock, const struct model *model, int by);
bool race_jump(struct race_clock *clock, const struct model *model, int by);
bool race_step(struct race_clock *clock, const struct model *model, int by);
/*
 * Stops the race, continues it, or restarts it if it has ended. Returns false if no trial is shown.
 */
bool race_pause(struct race_clock *clock);
/* Leaves the race: the views show the newest runs again. */
void race_leave(struct race_clock *clock);
/* Shows the end of the trial nearest to the medians, as after the whole race. */
void race_finish(struct race_clock *clock, const struct model *model);
