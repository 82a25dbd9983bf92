/* SPDX-License-Identifier: MIT */
#ifndef TUIBENCH_VIEW_H
#define TUIBENCH_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/canvas.h"
#include "report/curve.h"
#include "report/verdict.h"
#include "draw/key.h"
#include "model/model.h"
#include "model/model_warnings.h"

/*
 * A view fills a canvas from a const model: no clock, no I/O, no state but its own cursor, which
 * lives in struct view_state.
 */

/* The number of a view is the key that chooses it. */
enum { VIEW_NUMBERS = 9 };

/* Of the Timeline's rows. */
enum view_order {
	VIEW_BY_TREE,
	VIEW_BY_CREATION,
	VIEW_BY_START,
	VIEW_BY_DURATION,
	VIEW_BY_FINISH,
	VIEW_ORDERS
};

enum { VIEW_COMPARED = 64 };

/*
 * What a frame needs and no frame should compute again: an interval takes O(n²) in the trials.
 * It holds as long as the key does.
 */
struct view_cache {
	bool valid;
	struct view_cache_key {
		uint32_t ended, running;
		bool done, session;
	} key;
	char sentence[VERDICT_LENGTHS][512]; /* from the whole one to the least; "" where none */
	int wording;			     /* the one that fits the screen */
	uint32_t n_compared;
	/* of the first case and each other; in a sweep of all that compare */
	struct model_comparison elapsed[VIEW_COMPARED];
	struct finding_lead lead; /* at the value being measured, or of all; others is 0: none */
	bool decided;		  /* it is before every other case, and that is real */
	int n_warnings;
	struct model_warning warnings[MODEL_WARNINGS_MOST];
};

/* How the Curve view draws an axis: by what the values are like, unless a key has chosen. */
enum view_scale { VIEW_SCALE_FITS, VIEW_SCALE_LINEAR, VIEW_SCALE_LOG };

/* Of a session that measures creation: both where there is room, or one of them. */
enum view_spans {
	VIEW_SPANS_BOTH, /* to the caller and to the task */
	VIEW_SPANS_CALLER,
	VIEW_SPANS_TASK,
	VIEW_SPANS_JOINED,
	VIEW_SPANS
};

/* The clock of a recording, or of what is watched again: its line stands above the keys. */
struct view_clock {
	bool shown;
	bool paused;
	double speed; /* 1 is real time */
};

/* All the state a view may have. */
struct view_state {
	int view; /* its number */
	enum model_metric memory;
	bool help;
	int scroll; /* first row shown, of what the view scrolls */
	int help_scroll;
	int column;  /* first case shown where not all fit */
	bool browse; /* a key has chosen that column; else it goes with the run that runs */
	int most_scroll, most_column; /* how far both can go, as of the last frame */
	double zoom;		      /* of time, 1: all fits */
	double from;		      /* left end of the time shown, 0 … 1 of the whole */
	bool hold;		      /* waiting for Space before the first run */
	bool live;		      /* not a recording */
	struct view_clock clock;
	const char *log_name; /* for the first line; NULL: none */
	const char *notice; /* one line that stands instead of the hint until the next key; NULL */
	bool folds;	    /* there are rows to unfold, as of the last frame */
	bool trees;	    /* the Overview shows a tree, as of the last frame */
	uint32_t chosen;    /* the case that the Timeline shows and that rows are moved in */
	enum view_order order;
	uint32_t bunch;	      /* workers a row in the Timeline's orders; 0: so many that all fit */
	uint32_t shown_bunch; /* as of the last frame */
	double anchor; /* of the zoom, 0 … 1 of the whole time; below 0: the middle shown */
	bool typing;   /* every key goes to the search */
	char search[32];
	struct view_rows *rows;	  /* what view_rows.h keeps; NULL until there are cases */
	enum model_metric metric; /* of the Curve view, its kind of work, and its axes */
	uint32_t work;
	enum view_scale scale_x, scale_y;
	enum view_spans spans;
	bool spans_fit;		  /* both, as of the last frame */
	struct view_sweep *sweep; /* what it has read; NULL until it was drawn */
	struct view_cache cache;
};

void view_state_init(struct view_state *state);
/* Frees what the views have kept; the state is as after view_state_init(). */
void view_state_free(struct view_state *state);
/* The whole screen: first line, the view, the sentence, the keys; help over it. */
void view_draw(struct canvas *canvas, const struct model *model, struct view_state *state);
/* A key that moves within or between views; false if no view has a use for it. */
bool view_key(struct view_state *state, const struct model *model, int key);
/* The key whose label is drawn at x, y of a canvas of that size; 0 if none. */
int view_click(const struct model *model, const struct view_state *state, int width, int height,
	       int x, int y);
/* Whether there is such a view, and the model has what it shows. */
bool view_offered(const struct model *model, int number);

#endif
