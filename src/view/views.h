/* SPDX-License-Identifier: MIT */
#pragma once

#include "view_parts.h"

/*
 * All views, in the order of their numbers: view_NAME.c has the row of each. Where two have one
 * number, the last that is offered takes it.
 */
#define VIEWS(view)                                                                                \
	view(overview) view(timeline) view(memory) view(results) view(wakes) view(curve)           \
		view(latency) view(messages)

struct view_ops {
	int number;		       /* of the key that chooses it: 1 … 9 */
	const char *name;	       /* "Overview" */
	const char *brief;	       /* "Over" */
	const char *absent;	       /* the reason why it is not offered, for who chooses it */
	const char *help;	       /* a heading, then a line for each term: view_help.c */
	const char *captions[2];       /* what is seen; what to look at, with its terms */
	const char *captions_trees[2]; /* the same where trees are shown; NULL: the same */
	/* The same as asked for; NULL, and what returns NULL: those above. */
	const char *const *(*captions_now)(const struct view_frame *frame);
	const char *help_trees; /* the same where trees are shown; NULL: nothing else */
	const char *hint; /* what to look for, below the sentence; NULL: what is true of any view */
	bool zooms;	  /* + and - zoom its time */
	bool roomy;	  /* leaves the sentence a panel of its own */
	bool opens;	  /* answers what its sessions ask: they open on it */
	/* Called whenever views are listed or chosen: has the model what it shows? NULL: yes. */
	bool (*offered)(const struct model *model);
	/* Called for every frame, before draw: has it a sentence of its own? NULL: no. */
	bool (*answers)(const struct view_frame *frame);
	/* Called for every frame; draws into rect only. */
	void (*draw)(const struct view_frame *frame, struct rect rect);
	/* Called for a key of the view, with its act; true if it was used. NULL: it has none. */
	bool (*act)(struct view_state *state, const struct view_input *input, enum keys_act act,
		    int key);
};

#define VIEW_DECLARE(name) extern const struct view_ops view_##name;
VIEWS(VIEW_DECLARE)

/* The views in the order of the list; NULL after the last. */
const struct view_ops *views_at(size_t i);
/*
 * The last view of that number of which the model has what it shows, or any without a model; NULL:
 * there is none.
 */
const struct view_ops *views_get(const struct model *model, int number);
