/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_VIEWS_H
#define TUIBENCH_VIEWS_H

#include "view/view.h"

/*
 * All views, in the order of their numbers: view_NAME.c has the row of each. Where two have one
 * number, the last that is offered takes it.
 */
#define VIEWS(view)                                                                                \
	view(overview) view(timeline) view(memory) view(results) view(curve) view(latency)         \
		view(messages)

struct view_labels;

struct view_ops {
	int number;		/* of the key that chooses it: 1 … 9 */
	const char *name;	/* "Overview" */
	const char *help;	/* a heading, then a line for each term: view_help.c */
	const char *help_trees; /* the same where trees are shown; NULL: nothing else */
	bool zooms;		/* + and - zoom its time, m changes the measure of memory */
	bool roomy;		/* leaves the sentence a panel of its own */
	bool answers;		/* has a sentence of its own */
	/* Called whenever views are listed or chosen: has the model what the view shows? NULL: all
	 * have. */
	bool (*offered)(const struct model *model);
	/* Called for every frame; draws into rect only, and moves a cursor back that went too far.
	 */
	void (*draw)(struct canvas *canvas, struct rect rect, const struct model *model,
		     struct view_state *state);
	/* Called for a key that nothing above took; true if it was used. NULL: it has none. */
	bool (*key)(struct view_state *state, const struct model *model, int key);
	/* Called for every frame and click: adds the keys of its own that work now. NULL: none. */
	void (*labels)(struct view_labels *labels, const struct model *model,
		       const struct view_state *state);
	/* Called for every frame: what to look for in it. NULL: what is true of any view. */
	const char *(*hint)(const struct view_state *state);
};

#define VIEW_DECLARE(name) extern const struct view_ops view_##name;
VIEWS(VIEW_DECLARE)

/* In the order of the list; NULL after the last. */
const struct view_ops *views_at(size_t i);
/* NULL where there is no such view, or the model has nothing that it shows. */
const struct view_ops *views_get(const struct model *model, int number);

#endif
