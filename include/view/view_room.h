/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "draw/canvas.h"
#include "result/room.h"

/* A room of machines on the screen: a row each, as a forest plot. */

struct view_room {
	size_t question; /* from 0; drawing makes it one that there is */
	enum room_order order;
	int scroll;
	bool rows;	    /* a row for each machine, however many there are */
	const char *folder; /* that is watched; NULL: none */
	bool reading;	    /* there are recordings to be read */
	const char *notice; /* a line for the user; "" */
};

/* 0 or -ENOMEM. */
int view_room_draw(struct canvas *canvas, const struct room *room, struct view_room *view);
