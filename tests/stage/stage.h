/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "stage/synthetic.h"
#include "view/view.h"

/* A made-up session on a screen in memory: tests send keys, and read text and cells. */

struct stage {
	struct model model;
	struct view view;
	struct canvas canvas;
	char *text; /* the canvas as text, since the last stage_draw() */
};

void stage_open(struct stage *stage, const struct synthetic *session);
/* Makes a stage of a synthetic session with six or twelve trials, up to stop_s; 0: all of it. */
void stage_sweep(struct stage *stage, void (*make)(struct synthetic *session, uint32_t trials),
		 double stop_s);
/* stage_sweep() with 6 cpu + 2 io workers, and with a tree. */
void stage_mixed(struct stage *stage, double stop_s);
void stage_tree(struct stage *stage);
void stage_close(struct stage *stage);
/* Adds a message at the end of the session. */
void stage_tell(struct stage *stage, enum sample_message_kind kind, const char *text);

/* Draws, and returns the text. The stage owns it until the next call. */
const char *stage_draw(struct stage *stage, int width, int height);
/* Returns whether the last drawn text contains this one. */
bool stage_shows(const struct stage *stage, const char *text);
/* Does what the table of keys says for a key, as the app does. Returns false if no view uses it. */
bool view_key(struct view *view, const struct model *model, int key);
/* Returns whether the view used the key. */
bool stage_key(struct stage *stage, int key);
/*
 * Sends keys, and draws a frame of 120x36 after each. '\n' is Enter, '>' the right arrow. Fails if
 * the view does not use a key.
 */
void stage_type(struct stage *stage, const char *keys);
/* Sends keys and draws after each, without making the text. 0 ends the keys. */
void stage_press(struct stage *stage, const int keys[], int width, int height);
/* Calls check() for every small size, and for larger ones in steps that hit all remainders. */
void stage_each_size(struct stage *stage, void (*check)(struct stage *stage, int w, int h));

/*
 * Finds an ASCII text on the canvas, or in n cells. Returns its first cell; NULL if it is not
 * there.
 */
const struct cell *stage_find(const struct stage *stage, const char *text);
const struct cell *stage_find_in(const struct cell *cells, int n, const char *text);
