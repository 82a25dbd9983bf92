/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/view.h"

/*
 * The clock of the race, for the owner of a view. When a trial has ended, its runs are played
 * together, usually in 2 to 4 s, while measuring continues. A trial with a run of a second or more
 * is not played; its runs are shown live. When the last trial has been measured, the trial that is
 * being played comes to its end within a second. Then all of the trial nearest to the medians is
 * shown, and the clock stops. If no trial was played or watched before, the nearest one is played.
 * Of a tree's trials of the same cases, only the first is played. It stays until the session's end.
 */

/*
 * The longest time for playing a trial, ns, unless the trial takes longer even at the highest
 * speed. Speeds have steps, so playing a trial usually takes at least half of RACE_NS.
 */
#define RACE_NS 4e9
/* Pause after a trial's end before the next trial begins, ns, so that the end can be seen. */
#define RACE_REST_NS UINT64_C(700000000)

struct race_clock {
	struct view_race race; /* Copied to the view's state for each frame. */
	/* The fraction of a nanosecond that the next race_advance() adds to the position. */
	double rest_ns;
	uint64_t clock_ns; /* Time of the last race_advance(); 0: it has not been called yet. */
	uint64_t ended_ns; /* Time at which the trial was played to its end. 0: it has not been. */
	bool paused;
	bool chosen; /* The user chose the trial with a key. It stays: no other trial follows. */
};

/* Advances the clock to now_ns, a time of any clock that never goes back. */
void race_advance(struct race_clock *clock, const struct model *model, uint64_t now_ns);
/* Whether the clock is moving. If so, draw frames even if no sample arrives. */
bool race_moves(const struct race_clock *clock);
/*
 * Whether the trial nearest to the medians is still to be shown after the session. If so, draw
 * frames, because no sample will arrive.
 */
bool race_awaits_nearest(const struct race_clock *clock, const struct model *model);
/*
 * These functions handle keys, with by = -1 or 1: change the speed, go to another trial, or move by
 * a step. A trial that is chosen in this way stays on the screen. race_step() also stops the clock.
 * All return false if there is no trial yet.
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
/* Shows the end of the trial nearest to the medians, as if the whole race had been played. */
void race_finish(struct race_clock *clock, const struct model *model);
