/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "stage/synthetic.h"
#include "view/view.h"

/* A session that nobody ran on a screen that nobody sees: keys go in, text and cells come out. */

struct stage {
	struct model model;
	struct view view;
	struct canvas canvas;
	char *text; /* of the canvas, since the last stage_draw() */
};

void stage_open(struct stage *stage, const struct synthetic *session);
/* One of the synthetic sessions with six trials, up to stop_s; 0: all of it. */
void stage_sweep(struct stage *stage, void (*make)(struct synthetic *session, uint32_t trials),
		 double stop_s);
/* The same with 6 cpu + 2 io, and with a tree. */
void stage_mixed(struct stage *stage, double stop_s);
void stage_tree(struct stage *stage);
void stage_close(struct stage *stage);
/* One message more, at the end of what is known. */
void stage_tell(struct stage *stage, enum sample_message_kind kind, const char *text);

/* The text of what is drawn; the stage's, until the next call. */
const char *stage_draw(struct stage *stage, int width, int height);
/* Whether the last text shows this one. */
bool stage_shows(const struct stage *stage, const char *text);
/* Does what the table of keys has for a key, as the app does; false where no view has a use for it.
 */
bool view_key(struct view *view, const struct model *model, int key);
/* Whether the view took the key. */
bool stage_key(struct stage *stage, int key);
/*
 * Keys that the view takes, with a frame of 120x36 after each: '\n' is Enter, '>' the right arrow.
 */
void stage_type(struct stage *stage, const char *keys);
/* Draws after each key, without a text; 0 ends the keys. */
void stage_press(struct stage *stage, const int keys[], int width, int height);
/* Every size that is small, and steps that hit all remainders among the larger ones. */
void stage_each_size(struct stage *stage, void (*check)(struct stage *stage, int w, int h));

/* Where an ASCII text begins on the canvas, in the n cells; NULL where it does not. */
const struct cell *stage_find(const struct stage *stage, const char *text);
const struct cell *stage_find_in(const struct cell *cells, int n, const char *text);
