/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

/*
 * The clock of what is shown: it moves the model's cursor. Live it follows the newest sample until
 * somebody asks to watch again; a recording plays. It reads no clock itself.
 */
struct player {
	bool grows;	     /* more samples come: at the end of what is known it follows again */
	bool follow;	     /* shows the newest sample as it comes */
	bool paused;	     /* of what is played, not of the workers */
	int speed;	     /* its place in the table of speeds */
	int64_t position_ns; /* on the session's clock */
	double rest_ns;	     /* of slow speeds: what was not yet a whole nanosecond */
	uint64_t clock_ns;   /* of the last advance; 0: none yet */
};

/*
 * grows: a live session or a stream, which is followed; else a recording, which plays from its
 * begin. speed: 1 is real time; the nearest of the table (1/1000 … 1000) is taken.
 */
void player_init(struct player *player, bool grows, double speed);
/* The speed in times of real time. */
double player_speed(const struct player *player);
/* Whether the position moves by itself, so that frames are due without new samples. */
bool player_moves(const struct player *player, const struct model *model);
/* Moves the model's cursor to where it belongs at clock_ns. */
void player_advance(struct player *player, struct model *model, uint64_t clock_ns);
/* Follows the newest sample again; false where no more of them come. */
bool player_follow(struct player *player, struct model *model);
/* Moves to a place, 0 … 1 of all that is known. */
void player_seek(struct player *player, struct model *model, double place);
/* Moves by so many ns. */
void player_move(struct player *player, struct model *model, int64_t by);
/* Stops the clock, or starts it: at the end of what is recorded, from the start. */
void player_pause(struct player *player, struct model *model);
/*
 * Slower (-1) or faster (1). While it follows, slower begins to watch the newest run again, so
 * slowly that it takes about ten seconds; false where it cannot.
 */
bool player_change_speed(struct player *player, struct model *model, int by);
/* Moves to the next run's begin, or the previous one's. */
void player_jump(struct player *player, struct model *model, bool forward);
/* Pauses, and moves by a sample: -1 back, 1 forward. */
void player_step(struct player *player, struct model *model, int direction);
