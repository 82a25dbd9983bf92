/* SPDX-License-Identifier: MIT */
#pragma once

#include "write/export.h"
#include "view/view.h"

/* A stretch of the film, up to the next one's begin. */
struct frames_piece {
	int64_t at_ns;	 /* of the film */
	int64_t from_ns; /* of the session */
};

/*
 * The frames of a film: a recording on a screen that nobody sees, with a cursor of its own. Where
 * nothing runs for long, it goes on sooner.
 */
struct frames {
	struct model model; /* what it points at is the caller's */
	const struct film_wish *wish;
	double speed;
	int64_t step_ns;	     /* from frame to frame */
	struct frames_piece *pieces; /* n_pieces, and where the last one ends */
	size_t n_pieces;
	struct view view;
	const char *select;   /* a worker who is not known yet; NULL */
	struct canvas canvas; /* the frame drawn last */
};

/* Freed by frames_close() in every case. 0 or -ENOMEM. */
int frames_open(struct frames *frames, const struct model *model, const struct film_wish *wish);
void frames_close(struct frames *frames);
/* How many there are: the last one is the session's end. */
uint32_t frames_count(const struct frames *frames);
/* The time of one in the film. */
int64_t frames_at(const struct frames *frames, uint32_t frame);
/* The time in the session that it shows. */
int64_t frames_session(const struct frames *frames, uint32_t frame);
/* Draws one. 0 or -ENOMEM. */
int frames_draw(struct frames *frames, uint32_t frame);

/*
 * Opens a film and hands it to write(), which draws its frames, with fewer of them a second as long
 * as more than most bytes come of it. 0 or -errno.
 */
int frames_write(const struct model *model, const struct film_wish *wish, size_t most,
		 int (*write)(struct frames *frames, FILE *out), FILE *out);
